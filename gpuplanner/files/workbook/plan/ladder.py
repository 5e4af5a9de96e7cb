"""Commitment, its end: the terms that each pool may sign, and from which utilization each beats use."""

from typing import Final

from gpuplanner.domain.commitment.result import BreakEven
from gpuplanner.domain.figures.layer import LAYER, TERM
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.reports.plan.layers import TERMS
from gpuplanner.domain.reports.plan.plan_layers import PLAN_LAYERS
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_words, pool_words
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.checks import Check
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, copy_of
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field, maybe, surely, text_field, write_figures
from gpuplanner.files.workbook.kit.watch import Watch

ROUNDING: Final = 1e-6
FORMULAS: Final = ("one_gpu_per_month", "compared_per_month", "by_use_per_month", "break_even")
FIELDS: Final = (
    text_field(PLAN_LAYERS, "pool"),
    text_field(PLAN_LAYERS, "gpu_model"),
    Field("offer_id", "Offer", "muted"),
    figure_field(LAYER["term_months"]),
    *(figure_field(TERM[key]) for key in ("spread_rate", "by_use_rate", "kept", *FORMULAS)),
)


def write_ladder(
    book: Book, sheet: str, inputs: Inputs, named: Named, prices: Prices, pools: Table, row: int
) -> list[Check]:
    """Write it from a row on; each break-even beside the app's. pools: the table of the sheet Pools."""
    terms = [
        (place, pair, term)
        for place, pair in enumerate(inputs.pairs)
        if (plan := inputs.pool_plan(pair)) is not None
        for term in plan.break_even
    ]
    if not terms:
        return []
    book.write(sheet, row, 0, f"{TERMS.title}: of the cheapest offer of each term", "section")
    table = Table(book, sheet, row + 1, len(terms), FIELDS, watch=Watch("Break-evens", values=True))
    places = {offer.offer_id: place for place, offer in enumerate(prices.listed)}
    checks = []
    for place, (pair_place, pair, term) in enumerate(terms):
        words = (pool_words(pair[0]), model_words(pair[1]))
        table.put("pool", place, words[0], f"pool_{pair[0]}")
        table.put("gpu_model", place, words[1])
        table.put("offer_id", place, term.offer_id)
        months = table.put("term_months", place, term.term_months)
        rate, _ = prices.spread_for(places[term.offer_id], prices.plan[pair])
        operands = {
            "spread_rate": maybe(table.put("spread_rate", place, copy_of(rate))),
            "by_use_rate": maybe(table.put("by_use_rate", place, copy_of(pools.cell("r_flex", pair_place)))),
            "kept": surely(table.put("kept", place, _kept(named, pair[0], months, term))),
            "month_hours": surely(named.hours_per_month),
        }
        write_figures(table, place, TERM, operands, FORMULAS)
        what = f"{words[0]} {words[1]}, {term.term_months} months, {term.offer_id}"
        app = DASH if term.break_even is None else term.break_even
        checks.append(
            Check("Break-even as in the app", what, app, table.cell("break_even", place), ROUNDING, "total")
        )
    return checks


def _kept(named: Named, pool: Pool, months: Expr, term: BreakEven) -> Expr:
    """The mean of ((1 - churn)(1 - price fall))^t over the months t of a term, as the sum of a geometric series."""
    own, common = named.assumptions[f"lambda_{pool}"], named.assumptions["lambda"]
    fall = named.assumptions["delta"]
    lasts = f"(1-IF(ISNUMBER({own.text}),{own.text},{common.text}))*(1-{fall.text})"
    text = f"1,(1-({lasts})^{months.text})/({months.text}*(1-{lasts}))"
    return call("IF", term.kept, f"ABS(1-{lasts})<0.000000001", text)
