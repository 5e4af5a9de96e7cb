"""Rows of the sections of Duration & commitment: screening lines, break-evens, value of layers, orders."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.commitment.evidence.plan_evidence import ALL, row_subject
from gpuplanner.domain.commitment.outlook_result import PathCost
from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.commitment.result import Order, PoolPlan
from gpuplanner.domain.commitment.uncertainty.screening import ScreenedTerm, Screening
from gpuplanner.domain.commitment.words.path_words import (
    PATH_NAMES,
    PATH_WHERE,
    WAYS,
    cheapest_ways,
    regret_usd,
    worst_regret,
)
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.reports.plan.orders import SHORT_REASONS
from gpuplanner.ui.state.order_words import bought_words, in_place_of, is_mapped
from gpuplanner.ui.state.term_rows import USAGE_NAMES
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

SCREENING_COLUMNS: Final = (
    Column(titles.TERM, False),
    Column("$/GPU-h"),
    Column("One GPU, $\nper month"),
    Column("As\ncompared"),
    Column("Break-\neven"),
)
VALUE_COLUMNS: Final = (
    Column("Layer", False),
    Column("On demand, $\nper month"),
    Column("Layer, $\nper month"),
    Column("Value, $\nper month"),
)
ORDER_COLUMNS: Final = (Column("What", False), Column("Order by"), Column("Starts"), Column("Why", False, 92))
PATH_COLUMNS: Final = (
    Column(worded("Prices"), False),
    *(Column(worded("{way},\n$ in all", way=name)) for name in WAYS.values()),
)
REGRET_TIP: Final = worded(
    "Cost of being wrong: what it costs more, on the path that is worst for it, than signing with the path known "
    "beforehand"
)
CHEAPEST: Final = "\u2713 "
"""Before the amount of the way that costs least: a mark, not a colour."""


def screening_lines(screening: Screening, colours: Mapping[int, str], use_colour: str) -> list[Any]:
    """The lines of the chart: paying by use, and every term."""
    from gpuplanner.charts.plots.screening import ScreenLine

    return [
        ScreenLine(tr("By use"), use_colour, 0.0, screening.by_use_usd),
        *(
            ScreenLine(
                _name(term),
                colours[term.term_months],
                term.compared_per_month,
                term.compared_per_month,
                term.break_even,
                term.is_cheapest,
            )
            for term in screening.terms
        ),
    ]


def screening_rows(plan: PoolPlan, screening: Screening, colours: Mapping[int, str]) -> list[Row]:
    """Break-evens: what one GPU costs a month by term, and from which utilization on that is less than by use."""
    return [
        Row(
            (
                Cell(_name(term), swatch=colours[term.term_months], is_strong=term.is_cheapest),
                Cell(numbers.rate(term.rate), figure_id=figure("offer_rate", term.offer_id)),
                Cell(
                    numbers.whole(term.one_gpu_per_month),
                    figure_id=figure("one_gpu", row_subject(plan, str(term.term_months))),
                ),
                Cell(
                    numbers.whole(term.compared_per_month),
                    tip=tr("With the churn and price fall that the term bears"),
                    figure_id=figure("compared", row_subject(plan, str(term.term_months))),
                ),
                Cell(
                    numbers.percent(term.break_even),
                    is_strong=term.is_cheapest,
                    figure_id=figure("term_break_even", row_subject(plan, str(term.term_months))),
                ),
            )
        )
        for term in screening.terms
    ]


def value_rows(plan: PoolPlan) -> list[Row]:
    """What each layer's GPU-hours would cost on demand, what the layer costs, and the difference."""
    layers = [layer for layer in plan.layers if layer.value_per_month is not None]
    if not layers:
        return []
    rows, total = [], [0.0, 0.0, 0.0]
    for layer in layers:
        amounts = [
            layer.on_demand_per_month or 0.0,
            layer.cost_per_month or 0.0,
            layer.value_per_month or 0.0,
        ]
        name = (
            tr("Existing")
            if layer.existing
            else spoken(term_words(layer.term_months, layer.term_days))
            if layer.term_months
            else USAGE_NAMES.get(layer.pricing_category, tr(titles.ON_DEMAND))
        )
        rows.append(_value_row(name, row_subject(plan, str(plan.layers.index(layer))), *amounts))
        total = [known + usd for known, usd in zip(total, amounts, strict=True)]
    return [*rows, _value_row(tr("All"), row_subject(plan, ALL), *total, is_total=True)]


def _value_row(
    name: Text, subject: str, on_demand: float, usd: float, value: float, *, is_total: bool = False
) -> Row:
    ids = [figure("value", subject, scope) for scope in ("on_demand", "layer", "value")]
    return Row(
        (
            Cell(name),
            Cell(numbers.whole(on_demand), figure_id=ids[0]),
            Cell(numbers.whole(usd), figure_id=ids[1]),
            Cell(numbers.change(value), "green" if value > 0.5 else "text", figure_id=ids[2]),
        ),
        is_total,
    )


def order_rows(plan: PoolPlan, shown: ViewState) -> list[Row]:
    """The order calendar of a row: what to order by when, soonest first."""
    orders = shown.advice.orders if shown.advice is not None else ()
    mine = [one for one in asked_for(orders) if (one.pool, one.gpu_model) == (plan.pool, plan.gpu_model)]
    return [
        Row(
            (
                Cell(
                    tr(
                        "{one} for {term_months}",
                        one=_ordered(one),
                        term_months=spoken(term_words(one.term_months, one.term_days)),
                    ),
                    tip=_offer_tip(one),
                ),
                Cell(numbers.short_date(one.order_by_s), tip=numbers.date(one.order_by_s)),
                Cell(numbers.short_date(one.start_s), tip=numbers.date(one.start_s)),
                Cell(SHORT_REASONS.get(one.reason, one.reason), "muted"),
            )
        )
        for one in sorted(mine, key=lambda one: (one.order_by_s, one.start_s, -one.term_months))
    ]


def _ordered(order: Order) -> str:
    """GPUs to sign; their model is told where it is not the row's."""
    return bought_words([order]) if is_mapped(order) else numbers.whole(order.gpus)


def _offer_tip(order: Order) -> str:
    return "\n".join(
        [
            tr("Offer {offer_id}", offer_id=order.offer_id),
            *(f"{line[0].upper()}{line[1:]}" for line in in_place_of([order])),
        ]
    )


def _name(term: ScreenedTerm) -> str:
    return spoken(term_words(term.term_months, term.term_days))


def path_rows(paths: Sequence[PathCost]) -> list[Row]:
    """The paths of prices, what each way of signing costs on them, and the worst regret of each way."""
    rows = []
    for cost in paths:
        least = cheapest_ways(cost)
        cells = [
            Cell(
                (CHEAPEST if way in least else "") + numbers.whole(getattr(cost, way)),
                is_strong=way in least,
                tip=_path_tip(cost, way, way in least),
                figure_id=figure("path_usd", way, cost.path) if getattr(cost, way) is not None else "",
            )
            for way in WAYS
        ]
        where = tr("Prices, {where}", where=PATH_WHERE[cost.path])
        rows.append(Row((Cell(PATH_NAMES[cost.path], tip=where), *cells), key=cost.path))
    worst = {way: worst_regret(paths, way) for way in WAYS}
    cells = [
        Cell(
            numbers.whole(None if found is None else found[0]),
            figure_id=figure("path_wrong", way) if found else "",
        )
        for way, found in worst.items()
    ]
    return [*rows, Row((Cell(tr("If wrong"), tip=tr(REGRET_TIP)), *cells), is_total=True)]


def _path_tip(cost: PathCost, way: str, is_least: bool) -> str:
    regret = regret_usd(cost, way)
    if regret is None:
        return ""
    more = tr("{usd} more than if the path were known", usd=numbers.dollars(regret))
    return tr("Costs least on this path; {more}", more=more) if is_least else more
