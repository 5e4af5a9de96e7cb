"""The load duration chart of one row: its bands, and the edges that may move."""

from collections.abc import Collection
from typing import Any

from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.figures import titles
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit.palettes import LIGHT, Palette
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours, existing_colour, term_step
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of


def curve_of(plan: PoolPlan, palette: Palette, also: Collection[int] = (), *, can_move: bool = True) -> Any:
    """The LoadDuration of a row; charts are imported when the first one is shown.

    also: terms that have an edge though their level is 0, as while a hand holds them.
    """
    from gpuplanner.charts.plots import load_duration

    look = load_duration.CurveLook(
        existing=existing_colour(palette),
        term=lambda months: palette.terms[term_step(palette, months)],
        by_use=palette.terms[0],
        hatch=palette.hatch,
        unserved=palette.red,
        ground=palette.raised,
        line=palette.lanes[lane_of(plan.pool)].fill,
        say=spoken,
    )
    return load_duration.curve_of(plan, look, also, can_move=can_move)


def curve_table(curve: Any) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The chart in figures: headings, and for every twentieth of the hours GPUs in use and GPUs of each layer."""
    bands = list(reversed(curve.bands))
    rows = []
    for share in range(0, 101, 5):
        gpus = float(curve.gpus[min(len(curve.gpus) - 1, len(curve.gpus) * share // 100)])
        used = (round(curve.served(band, share), 9) for band in bands)  # processors differ in the last bit
        rows.append((f"{share}%", numbers.one_decimal(gpus), *(numbers.one_decimal(one) for one in used)))
    short = {titles.ON_DEMAND: "On\ndemand"}
    names = (short.get(band.name, band.name.replace(" ", "\n")) for band in bands)
    return (tr("Share of hours"), tr("In use"), *names), rows


def duration_sheet(plan: PoolPlan, shown: ViewState) -> Any:
    """What goes out with the chart of a row: no edge to take hold of, every fiftieth of the hours as its table."""

    def make(palette: Palette) -> QWidget:
        from gpuplanner.charts.plots.load_duration import LoadDurationChart

        chart = LoadDurationChart(chart_colours(palette))
        chart.show_curve(curve_of(plan, palette, can_move=False))
        return chart

    headings, rows = curve_table(curve_of(plan, LIGHT))
    lane = lane_of(plan.pool).title
    return sheet_of(
        tr(
            "Load duration and commitment: {lane}, {gpu_model}",
            lane=lane,
            gpu_model=plan.gpu_model or tr("unknown model"),
        ),
        tr(long_text("duration_described", demand_gpus=numbers.whole(len(plan.demand.hourly_gpus)))),
        source_words(shown),
        make,
        tuple(heading.replace("\n", " ") for heading in headings),
        lambda: rows,
    )
