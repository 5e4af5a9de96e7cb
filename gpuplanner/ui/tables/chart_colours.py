"""A palette as the colours that a chart is told, and the colours of terms in charts and tables."""

from typing import TYPE_CHECKING

from gpuplanner.charts.kit.colours import ChartColours, mixed
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font

if TYPE_CHECKING:  # a chart is imported when the first one is shown
    from gpuplanner.charts.plots.heatmap import HeatColours


def chart_colours(palette: Palette) -> ChartColours:
    """The ChartColours of a palette."""
    return ChartColours(
        palette.raised,
        palette.text,
        palette.muted,
        palette.grid,
        palette.edge,
        font("small"),
        font("small_strong"),
        palette.focus,
    )


def heat_colours(palette: Palette) -> "HeatColours":
    """The HeatColours of a palette."""
    from gpuplanner.charts.plots.heatmap import HeatColours

    return HeatColours(
        palette.raised,
        palette.text,
        palette.muted,
        palette.line,
        palette.focus,
        palette.heat,
        font("small"),
        font("small_strong"),
    )


def term_step(palette: Palette, months: int) -> int:
    """The step of the ramp that a term is drawn in.

    months: 1 or more; a term between two steps takes the shorter one's colour.
    """
    return max(step for step in palette.terms if step <= months)


def existing_colour(palette: Palette) -> str:
    """Existing contracts are no step of the ramp: a neutral that none of its colours is."""
    return mixed(palette.colour("text"), palette.colour("raised"), 0.5).name()
