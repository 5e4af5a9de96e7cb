"""Prices, their dated steps: factors as yellow inputs, and what they make of a GPU model's prices in each month."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Final

from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS
from gpuplanner.domain.commitment.recursion.rates import usd_by_model
from gpuplanner.domain.model.scenario.dated import PriceChange
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, PairKey, model_words, pair_order, pool_words
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cell_names import day_number
from gpuplanner.files.workbook.kit.expressions import Expr, lift
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.input_rules import take_numbers
from gpuplanner.files.workbook.kit.watch import Watch

STEP_FIELDS: Final = (
    Field("gpu_model", "Steps of prices, of", "text.fixed"),
    Field("factor", "Times", "amount.input"),
    Field("from", "From (UTC)", "moment.fixed"),
    Field("by", "How", "text.fixed"),
    Field("month", "Months into the plan", "number"),
)
BLEND_FIELDS: Final = (
    Field("pools", "Usage rate of", "text.fixed"),
    Field("offers", "Offers of", "text.fixed"),
    Field("share", "Share of $", "ratio.fixed"),
)
AT_ONCE, EVENLY = "at once", "evenly up to it"
BY_USE, SIGNED = "by use: mean of the month", "when signed: first of the month"


@dataclass(frozen=True, slots=True)
class PriceSteps:
    """What steps make of prices. past: factors by GPU model that have happened when the plan begins.

    cells: shares of the price on the plan's first day, by what is priced (used or signed), GPU model and month; none of
    a model that no later step speaks of. blends: whose offers a usage rate is made of, shares of its $ by GPU model, by
    the pools and models that have it.
    """

    past: Mapping[str, tuple[Expr, ...]] = field(default_factory=dict)
    cells: Mapping[tuple[str, str, int], Expr] = field(default_factory=dict)
    blends: Mapping[frozenset[PairKey], Mapping[str, Expr]] = field(default_factory=dict)

    def at_first_day(self, rate: Expr, gpu_model: str, counted: float) -> Expr:
        """A rate of the list on the day that the plan begins. counted: what it comes to in the app."""
        factors = self.past.get(gpu_model, ())
        return Expr("*".join((rate.text, *(factor.text for factor in factors))), counted)

    def when_used(self, gpu_model: str | None, month: int) -> Expr | None:
        """What is paid by use in a month, as a share of the first day's price; None: as on the first day."""
        return self.cells.get(("used", gpu_model or "", month))

    def when_signed(self, gpu_model: str | None, month: int) -> Expr | None:
        """What is signed for a month, likewise."""
        return self.cells.get(("signed", gpu_model or "", month))

    def of_blend(self, pairs: Sequence[PairKey], month: int) -> Expr | None:
        """What the usage rate of some pools and models comes to, which several models' offers may share."""
        shares = self.blends.get(frozenset(pairs), {})
        if not any(self.when_used(model, month) for model in shares):
            return None
        parts = [(share, self.when_used(model, month) or lift(1)) for model, share in sorted(shares.items())]
        if len(parts) == 1:
            return parts[0][1]
        return reduce(lambda one, other: one + other, (share * cell for share, cell in parts))


def _blend_shares(inputs: Inputs, pairs: Sequence[PairKey]) -> Mapping[str, float]:
    """Whose offers the usage rate of some pools and models is made of: shares of its $, by GPU model."""
    ground = inputs.ground
    known = [pair for pair in pairs if pair in ground.prices]
    usd = usd_by_model([(ground.prices[pair], ground.plan.users[pair]) for pair in known])
    whole = sum(usd.values())
    return {model: amount / whole for model, amount in usd.items()} if whole > 0 else {}


def write_price_steps(book: Book, sheet: str, row: int, inputs: Inputs, named: Named) -> PriceSteps:
    """The steps and, of those after the plan begins, each month's prices; nothing is written without any."""
    changes = sorted(inputs.scenario.price_changes, key=lambda change: change.from_s)
    if not changes:
        return PriceSteps()
    begins_s = inputs.project.plan_window.end_s
    book.write(sheet, row, 0, "Steps of prices that the planner expects: change a day in the app", "section")
    watch = Watch("Steps of prices", named_by=("gpu_model",), values=True)
    steps = Table(book, sheet, row + 1, len(changes), STEP_FIELDS, watch=watch)
    past: dict[str, list[Expr]] = {}
    later: dict[str, list[tuple[PriceChange, int]]] = {}
    for place, change in enumerate(changes):
        steps.put("gpu_model", place, change.gpu_model)
        factor = steps.put("factor", place, change.factor)
        day = steps.put("from", place, day_number(change.from_s))
        steps.put("by", place, EVENLY if change.by else AT_ONCE)
        begin = f"({named.window_start.text}+{named.plan_begins_h.text}/24)"
        text = f"ROUND(({day.text}-{begin})*86400,0)/3600/{named.hours_per_month.text}"
        steps.put("month", place, Expr(text, (change.from_s - begins_s) / MONTH_S))
        if change.from_s <= begins_s:
            past.setdefault(change.gpu_model, []).append(factor)
        else:
            later.setdefault(change.gpu_model, []).append((change, place))
    take_numbers(steps, "factor", words="Enter what prices are multiplied with from that day on, 0 or more.")
    found = {model: tuple(factors) for model, factors in past.items()}
    return _by_month(book, sheet, steps, found, later, inputs)


def _by_month(
    book: Book,
    sheet: str,
    steps: Table,
    past: Mapping[str, tuple[Expr, ...]],
    later: Mapping[str, Sequence[tuple[PriceChange, int]]],
    inputs: Inputs,
) -> PriceSteps:
    """Two rows of months for each GPU model that a later step speaks of."""
    if not later:
        return PriceSteps(past)
    months = range(COMPARED_MONTHS)
    book.write(sheet, steps.end_row + 1, 0, "What steps make of prices, share of the first day's", "section")
    fields = (
        Field("gpu_model", "GPU model"),
        Field("what", "Prices"),
        *(Field(f"m{month}", f"Month {month}", "ratio") for month in months),
    )
    watch = Watch("Prices by month", named_by=("gpu_model", "what"), values=True)
    table = Table(book, sheet, steps.end_row + 2, 2 * len(later), fields, watch=watch)
    levels = inputs.ground.levels.on((1.0,))
    cells: dict[tuple[str, str, int], Expr] = {}
    for number, model in enumerate(sorted(later)):
        amounts = {
            "used": levels.dated_use(model, COMPARED_MONTHS),
            "signed": levels.when_signed(model, COMPARED_MONTHS),
        }
        for place, (kind, words) in enumerate((("used", BY_USE), ("signed", SIGNED)), start=2 * number):
            table.put("gpu_model", place, model)
            table.put("what", place, words)
            for month in months:
                write = _used if kind == "used" else _signed
                text = write(steps, later[model], month)
                value = float(amounts[kind][month])
                cells[kind, model, month] = table.put(f"m{month}", place, Expr(text, value))
    return PriceSteps(past, cells, _blends(book, sheet, table.end_row + 1, inputs, frozenset(later)))


def _blends(
    book: Book, sheet: str, row: int, inputs: Inputs, stepped: frozenset[str]
) -> Mapping[frozenset[PairKey], Mapping[str, Expr]]:
    """What usage rates are made of that a step moves, as a table where several models' offers share one."""
    alone = [(pair,) for pair in inputs.pairs]
    joint = [tuple(pair for pair in inputs.pairs if pair[1] == model) for model in inputs.joint_needs]
    shares = {
        frozenset(pairs): found
        for pairs in dict.fromkeys((*alone, *joint))
        if stepped & (found := _blend_shares(inputs, pairs)).keys()
    }
    mixed = [
        (pairs, model, share)
        for pairs, of in shares.items()
        if len(of) > 1
        for model, share in sorted(of.items())
    ]
    cells: dict[frozenset[PairKey], dict[str, Expr]] = {
        pairs: {model: lift(1) for model in of} for pairs, of in shares.items()
    }
    if mixed:
        book.write(sheet, row, 0, "Whose offers usage rates are made of, share of $", "section")
        watch = Watch("Shares of usage rates", named_by=("pools", "offers"), values=True)
        table = Table(book, sheet, row + 1, len(mixed), BLEND_FIELDS, watch=watch)
        for place, (pairs, model, share) in enumerate(mixed):
            named = sorted(pairs, key=pair_order)
            table.put(
                "pools", place, " + ".join(f"{pool_words(pool)} {model_words(name)}" for pool, name in named)
            )
            table.put("offers", place, model)
            cells[pairs][model] = table.put("share", place, share)
    return cells


def _parts(
    steps: Table, of_model: Sequence[tuple[PriceChange, int]], month: int
) -> tuple[list[int], list[str]]:
    """The rows of steps that come at once, and formulas of those that come evenly: 1 + (f - 1) t / n, then f."""
    evenly = [
        f"(1+({steps.cell('factor', place).text}-1)*MIN(1,{month}/ROUNDUP({steps.cell('month', place).text},0)))"
        for change, place in of_model
        if change.by
    ]
    return [place for change, place in of_model if not change.by], evenly


def _used(steps: Table, of_model: Sequence[tuple[PriceChange, int]], month: int) -> str:
    """The mean of the month: each step that comes at once counts for the part of the month that is left from it on."""
    at_once, evenly = _parts(steps, of_model, month)
    text, before = "1", ""
    for place in at_once:
        factor, begins = steps.cell("factor", place).text, steps.cell("month", place).text
        text += f"+{before}({factor}-1)*MAX(0,MIN(1,{month + 1}-{begins}))"
        before += f"{factor}*"
    return "*".join((f"({text})" if at_once and evenly else text, *evenly)) if at_once else "*".join(evenly)


def _signed(steps: Table, of_model: Sequence[tuple[PriceChange, int]], month: int) -> str:
    """The price of the month's first moment."""
    at_once, evenly = _parts(steps, of_model, month)
    there = [
        f"IF({steps.cell('month', place).text}<={month},{steps.cell('factor', place).text},1)"
        for place in at_once
    ]
    return "*".join((*there, *evenly))
