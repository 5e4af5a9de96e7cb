"""The load duration chart of one row of a plan: its bands, and the edges that a planner may move."""

from collections.abc import Collection
from typing import Any

from PySide6.QtWidgets import QWidget

from gpuplanner.domain.commitment.plan.highest_hours import busiest_first
from gpuplanner.domain.commitment.plan.totals import is_priced_layer
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.words.term_names import term_name
from gpuplanner.domain.figures import titles
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.ui.kit.theme import LIGHT, Palette
from gpuplanner.ui.state.inputs import source_words
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.chart_colours import chart_colours, existing_colour, term_step
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import spoken, tr


def curve_of(plan: PoolPlan, palette: Palette, also: Collection[int] = (), *, can_move: bool = True) -> Any:
    """The LoadDuration of a row; charts are imported when the first one is shown.

    also: terms that have an edge though their level is 0, as while a hand holds them.
    """
    from gpuplanner.charts.plots.load_duration import LayerBand, LayerEdge, LoadDuration

    bands, at = [], 0.0
    for layer in plan.layers:
        if layer.existing and layer.gpus:
            bands.append(LayerBand(at, at + layer.gpus, existing_colour(palette), tr("Existing")))
            at += layer.gpus
    base = at
    sizes = dict.fromkeys(also, 0.0)
    for layer in plan.layers:
        if not layer.existing and layer.term_months:
            sizes[layer.term_months] = sizes.get(layer.term_months, 0.0) + layer.gpus
    edges = []
    for months in sorted(sizes, reverse=True):
        name, gpus = spoken(term_name(plan, months)), sizes[months]
        if gpus:
            colour = palette.terms[term_step(palette, months)]
            bands.append(LayerBand(at, at + gpus, colour, name, is_paid_idle=True))
        edges.append(LayerEdge(months, name, at, round(gpus)))
        at += gpus
    residual = busiest_first(plan)
    for layer in plan.layers:
        is_by_use = not layer.existing and not layer.term_months
        if is_by_use and layer.mean_gpus > 0 and is_priced_layer(layer):
            pattern = "dotted" if layer.pricing_category is PricingCategory.DYNAMIC else "hatched"
            name = tr("Spot") if pattern == "dotted" else tr(titles.ON_DEMAND)
            high = base + max(float(residual[0]), at - base)
            bands.append(
                LayerBand(
                    at,
                    high,
                    palette.terms[0],
                    name,
                    tr("above {at}", at=numbers.gpus(at)),
                    pattern,
                    palette.hatch,
                )
            )
    line = palette.lanes[lane_of(plan.pool)].fill
    return LoadDuration(base + residual, tuple(bands), line, tuple(edges) if can_move else (), plan.block)


def curve_table(curve: Any) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The chart in figures: headings, and for every twentieth of the hours GPUs in use and GPUs of each layer."""
    bands = list(reversed(curve.bands))
    rows = []
    for share in range(0, 101, 5):
        gpus = float(curve.gpus[min(len(curve.gpus) - 1, len(curve.gpus) * share // 100)])
        used = (min(max(gpus - band.low, 0.0), band.high - band.low) for band in bands)
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
        tr(
            "GPUs in use, by share of {demand_gpus} hours in %, busiest first",
            demand_gpus=numbers.whole(len(plan.demand_gpus)),
        ),
        source_words(shown),
        make,
        tuple(heading.replace("\n", " ") for heading in headings),
        lambda: rows,
    )
