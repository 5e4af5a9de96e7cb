"""Colors of charts from the palette of the window, and colors of terms."""

from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.chart_colours import ChartColours, mixed
from gpuplanner.ui.kit.palettes import Palette
from gpuplanner.ui.kit.type_scale import font

if TYPE_CHECKING:
    from gpuplanner.charts.plots.heatmap import HeatColours, Heatmap


Plot = TypeVar("Plot", bound=QWidget)


def chart_colours(palette: Palette) -> ChartColours:
    """The ChartColours of a palette."""
    return ChartColours(
        raised=palette.raised,
        text=palette.text,
        muted=palette.muted,
        grid=palette.grid,
        edge=palette.edge,
        small=font("small"),
        strong=font("small_strong"),
        focus=palette.focus,
    )


def recolour_plot(plot: Any, palette: Palette) -> None:
    """Give a chart the colours of a palette."""
    plot.show_colours(chart_colours(palette))


def recolour_heat(plot: "Heatmap", palette: Palette) -> None:
    """Give a heat map the colours of a palette."""
    plot.show_palette(heat_colours(palette))


def heat_colours(palette: Palette) -> "HeatColours":
    """The HeatColours of a palette."""
    from gpuplanner.charts.plots.heatmap import HeatColours

    return HeatColours(
        raised=palette.raised,
        text=palette.text,
        muted=palette.muted,
        line=palette.line,
        focus=palette.focus,
        ramp=palette.heat,
        small=font("small"),
        strong=font("small_strong"),
    )


def term_step(palette: Palette, months: int) -> int:
    """The step of the ramp that a term is drawn in.

    months: 1 or more; a term between two steps takes the shorter one's colour.
    """
    return max(step for step in palette.terms if step <= months)


def existing_colour(palette: Palette) -> str:
    """Existing contracts are no step of the ramp: a neutral that none of its colours is."""
    return mixed(palette.colour("text"), palette.colour("raised"), 0.5).name()
