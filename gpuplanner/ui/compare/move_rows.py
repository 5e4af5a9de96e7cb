"""What moved between two plans, and what each change is worth: rows that add up to the difference."""

from dataclasses import replace
from typing import Final

from gpuplanner.app.questions.comparing import Comparison, Side
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.commitment.comparison.plan_difference import Worth, differing_assumptions
from gpuplanner.domain.commitment.evidence.compare_answers import less_first
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.book.price_case import PriceCase
from gpuplanner.domain.model.names.names_apart import told_apart
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.scenario.parting import whole_key
from gpuplanner.ui.compare.figure_rows import asked
from gpuplanner.ui.compare.names import heading, less, shorts
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.assumption_values import words_with_unit
from gpuplanner.ui.words.dated_words import dated_lines
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import by_count, spoken, tr

CASE_RATES: Final = {
    PriceCase.LOW: worded("Low rates"),
    PriceCase.MID: worded("Mid rates"),
    PriceCase.HIGH: worded("High rates"),
}
DATED: Final = {
    "dates": "workload",
    "demand": "demand",
    "planned": "planned",
    "price steps": "price",
    "only": "only",
    "shares": "share",
}
"""A change between plans in what they say beyond the log -> what its lines are of."""
SEVERAL: Final = {
    "dates": worded("Dates of workloads"),
    "demand": worded("Steps of demand"),
    "planned": worded("Planned work"),
    "price steps": worded("Steps of prices"),
    "only": worded("Who alone may serve"),
    "shares": worded("Shares of providers and regions"),
}
MOST_DATES: Final = 2
"""Of what plans say beyond the log, in the head."""
IN_ORDER: Final = worded("Counted in this order. Each step keeps the ones above it.")
WORKING: Final = worded("Working out what each change is worth.")
NOTHING: Final = worded("The two plan the same: nothing moved, and the same is bought.")


def move_table(comparison: Comparison, at: int) -> tuple[tuple[Column, ...], list[Row]]:
    """Columns and rows of what leads from the first plan to side `at` (1 or more); no rows until it is known."""
    names = shorts(comparison)
    columns = (
        Column("What", False),
        Column(heading(names[0]), False, 92),
        Column(heading(names[at]), False, 92),
        Column("GPU-h\nper month"),
        Column("\n$ per month"),
    )
    if comparison.worths is None:
        return columns, []
    first, other, found = comparison.sides[0], comparison.sides[at], comparison.worths[at - 1]
    difference = _difference(first, other)
    whole = whole_worths(comparison, at)
    rows = [
        _asked(_row(comparison, first, other, worth, amount), at, step)
        for step, (worth, amount) in enumerate(zip(found, whole, strict=True))
    ]
    if rows:
        of = asked(difference, less_first(at, "plan_usd::"))
        total = Cell(numbers.change(difference), is_strong=True, figure_id=of)
        rows.append(
            Row(
                (Cell(less((names[0], names[at]), 1), is_strong=True), Cell(), Cell(), Cell(), total),
                is_total=True,
            )
        )
    return columns, rows


def whole_worths(comparison: Comparison, at: int) -> list[int | None]:
    """What each change on the way to side `at` is worth in the whole dollars that are written."""
    found = comparison.worths[at - 1] if comparison.worths is not None else ()
    difference = _difference(comparison.sides[0], comparison.sides[at])
    usd = [worth.worth_per_month for worth in found]
    return largest_remainder(usd, difference if None not in usd else None)


def _difference(first: Side, other: Side) -> float | None:
    """One plan less the first, both as they are written."""
    before, after = (side.advice.totals.plan for side in (first, other))
    return None if before is None or after is None else float(round(after) - round(before))


def _asked(row: Row, at: int, step: int) -> Row:
    """A row whose GPU-hours and dollars can be asked about."""
    *names, hours, usd = row.cells
    of_hours = figure("moved_hours", str(step), str(at)) if hours.text else ""
    of_usd = asked(usd.text, figure("change_worth", str(step), str(at)))
    return replace(row, cells=(*names, replace(hours, figure_id=of_hours), replace(usd, figure_id=of_usd)))


def _row(comparison: Comparison, first: Side, other: Side, worth: Worth, amount: int | None) -> Row:
    """A change as a row: what moved from where to where, or what else changed, and what it is worth."""
    money = Cell(numbers.change(amount), tip=tr("{usd} per month", usd=numbers.cents(worth.worth_per_month)))
    keys = worth.change.keys
    if not keys:
        words, tip = _words(comparison, first, other, worth.change.what)
        return Row((Cell(words, is_strong=True, tip=tip), Cell(), Cell(), Cell(), money))
    before, later = first.figures.whole_cards, other.figures.whole_cards
    index = {whole_key(card.key, first.scenario.splits): at for at, card in enumerate(before)}
    cards = [before[index[key]] for key in keys]
    after = [later[index[key]].pool for key in keys]
    names = told_apart(before)  # of all: those that do not move have names too
    count = len(keys)
    name = (
        names[cards[0].key]
        if count == 1
        else by_count(count, "{count} more workload", "{count} more workloads", count=numbers.whole(count))
    )
    hours = sum(card.gpu_hours_per_month for card in cards)
    tip = "\n".join(spoken(names[card.key]) for card in cards[:20])
    return Row(
        (
            Cell(name, is_strong=True, tip=tip),
            _pool_cell([card.pool for card in cards]),
            _pool_cell(after),
            Cell(numbers.whole(hours)),
            money,
        ),
        key=keys[0] if len(keys) == 1 else "",
    )


def _pool_cell(pools: list[Pool]) -> Cell:
    """The pool of some cards; several if they differ."""
    if len(set(pools)) > 1:
        return Cell(tr("several"), "muted")
    lane = lane_of(pools[0])
    return Cell(lane.title, icon=lane.icon, icon_role=f"lane:{lane.value}")


def _words(comparison: Comparison, first: Side, other: Side, what: str) -> tuple[str, str]:
    """What is not a move, in a few words and in many."""
    if what == "assumptions":
        told = assumption_words(comparison, (first, other))
        return ("; ".join(told) or tr("Assumptions"), "\n".join(told))
    if what == "contracts":
        left_out = other.scenario.greenfield
        return (tr("Existing contracts left out") if left_out else tr("With existing contracts"), "")
    if what == "rates":
        rates = CASE_RATES[other.scenario.price_case]
        return (tr("{rates}, not {case}", rates=rates, case=first.scenario.price_case), "")
    if what in DATED:
        told = date_words(comparison, (first, other), (DATED[what],))
        return (told[0] if len(told) == 1 else spoken(SEVERAL[what]), "\n".join(told))
    return (tr("Levels set by hand"), tr("What is bought is listed below."))


def assumption_words(comparison: Comparison, sides: tuple[Side, ...]) -> list[str]:
    """Churn 3%, not 1%: every assumption that is not the same in two plans; of more, all values in order.

    What one of two plans alone has is said of that plan: Longest term 12 months, only in Plan A.
    """
    found = []
    called = shorts(comparison)
    for name, values in differing_assumptions(comparison.project, [side.scenario for side in sides]):
        spec = SPEC_BY_NAME[name]
        texts = [words_with_unit(spec, value) or tr("not set") for value in values]
        title = spoken(spec.title)
        alone = [at for at, value in enumerate(values) if value is not None]
        if len(texts) == 2 and len(alone) == 1:
            at = alone[0]
            plan = called[[side.scenario for side in comparison.sides].index(sides[at].scenario)]
            found.append(
                tr("{assumption} {value}, only in {plan}", assumption=title, value=texts[at], plan=plan)
            )
        elif len(texts) == 2 and spec.kind == "flag":
            found.append(
                tr("{assumption}: {value}, not {first}", assumption=title, value=texts[1], first=texts[0])
            )
        elif len(texts) == 2:
            first, other = texts
            found.append(tr("{assumption} {value}, not {first}", assumption=title, value=other, first=first))
        else:
            found.append(f"{title} {' / '.join(texts)}")
    return found


def date_words(
    comparison: Comparison,
    sides: tuple[Side, ...],
    kinds: tuple[str, ...] = tuple(DATED.values()),
) -> list[str]:
    """What not all of these plans say of time, with the plans that do: chat: ends 31 May 2027 (Plan A)."""
    called = dict(zip([side.scenario.name for side in comparison.sides], shorts(comparison), strict=True))
    told: dict[str, list[str]] = {}
    for side in sides:
        for line in dated_lines(comparison.project, side.scenario):
            if line.of in kinds:
                told.setdefault(line.title, []).append(called[side.scenario.name])
    return [
        tr("{line} ({plans})", line=title, plans=", ".join(of))
        for title, of in told.items()
        if len(of) < len(sides)
    ]


def same_words(comparison: Comparison) -> str:
    """What stands at the right of the head: whether the plans are for the same world."""
    told = assumption_words(comparison, comparison.sides)
    dates = date_words(comparison, comparison.sides)
    told += dates[:MOST_DATES]
    if len(dates) > MOST_DATES:
        more = len(dates) - MOST_DATES
        told.append(by_count(more, "{count} more date", "{count} more dates", count=numbers.whole(more)))
    if told:
        return tr("Not the same: {assumptions}", assumptions="; ".join(told))
    values = comparison.project.assumptions_in(comparison.sides[0].scenario)
    churn = numbers.percent(values.lambda_).replace(".0%", "%")
    plans = [side.scenario for side in comparison.sides]
    has_one_case = len({(plan.price_case, plan.price_changes) for plan in plans}) == 1
    if len(comparison.sides) == 2:
        if has_one_case:
            return tr("Same demand, prices and churn of {churn} per month in both", churn=churn)
        return tr("Same demand and churn of {churn} per month in both", churn=churn)
    if has_one_case:
        return tr("Same demand, prices and churn of {churn} per month in all", churn=churn)
    return tr("Same demand and churn of {churn} per month in all", churn=churn)
