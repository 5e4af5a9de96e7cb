"""A palette as the colours that a chart is told."""

from gpuplanner.ui.theme import Palette
from gpuplanner.ui.type_scale import font


def chart_colours(palette: Palette):  # type: ignore[no-untyped-def]
    """The ChartColours of a palette; charts are imported when the first one is shown."""
    from gpuplanner.charts.colours import ChartColours

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


def heat_colours(palette: Palette):  # type: ignore[no-untyped-def]
    """The HeatColours of a palette."""
    from gpuplanner.charts.heatmap import HeatColours

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
