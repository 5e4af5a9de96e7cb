"""A palette as the colours that a chart is told."""

from typing import TYPE_CHECKING

from gpuplanner.charts.kit.colours import ChartColours
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
