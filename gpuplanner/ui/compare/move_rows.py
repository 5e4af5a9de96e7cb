"""What moved between two plans, what each change is worth, and what each plan buys."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from gpuplanner.app.plans.comparing import Comparison, Side
from gpuplanner.charts.kit.translation import by_count, spoken, tr
from gpuplanner.domain.brief.sensitivity_pages import CASE_NAMES
from gpuplanner.domain.commitment.plan.comparison import Worth, differing_assumptions
from gpuplanner.domain.commitment.plan.layers import idle_dollars, term_dollars
from gpuplanner.domain.commitment.plan.totals import paid_gpus
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.words.assumed import churn_words
from gpuplanner.domain.evidence.plan.comparison import less_first
from gpuplanner.domain.evidence.plan.layers import row_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model import amounts, assumptions, spelling
from gpuplanner.domain.model.plan.scenario import DEMAND_CUTS, Scenario
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.reports import plan_layers
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.compare.figure_rows import asked, plan_cell, pool_cell
from gpuplanner.ui.compare.plan_heads import heading, less, shorts
from gpuplanner.ui.kit.palettes import Palette
from gpuplanner.ui.state.term_rows import TermRow, term_rows
from gpuplanner.ui.tables.cells import Cell, Column, Row, written
from gpuplanner.ui.tables.chart_palette import existing_colour, term_step
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.dated_words import dated_lines
from gpuplanner.ui.words.typed_assumptions import words_with_unit

# --- What moved between two plans, and what each change is worth: rows that add up to the difference

DATED: Final = words_table("dated_change")
"""A change between plans in what they say beyond the log -> what several are called."""
_LINES_OF: Final = {"dates": "workload", "price steps": "price", "shares": "share"}
"""What its lines are of, where that is not called as the change."""
OF_DATES: Final = frozenset(_LINES_OF.get(change, change) for change in DATED)
MOST_DATES: Final = 2
"""Of what plans say beyond the log, in the head."""
IN_ORDER: Final = worded("In order; each step keeps those above.")
WORKING: Final = worded("Calculating each change.")
NOTHING: Final = worded("Both plans are the same: nothing moved, same orders.")


def move_table(comparison: Comparison, at: int) -> tuple[Sequence[Column], list[Row]]:
    """Columns and rows of what leads from the first plan to side `at` (1 or more); no rows until it is known."""
    names = shorts(comparison)
    columns = (
        Column(title="What", is_figure=False),
        Column(title=heading(names[0]), is_figure=False, width=92),
        Column(title=heading(names[at]), is_figure=False, width=92),
        Column(title="GPU-h\nper month"),
        Column(title="\n$ per month"),
    )
    if comparison.worths is None:
        return columns, []
    found = zip(comparison.worths[at - 1], whole_worths(comparison, at), strict=True)
    rows = [_move_row(comparison, at, step, worth, usd) for step, (worth, usd) in enumerate(found)]
    if rows:
        difference = _difference(comparison.sides[0], comparison.sides[at])
        of = asked(difference, less_first(at, "plan_usd::"))
        name = Cell(text=less((names[0], names[at]), 1), is_strong=True)
        total = written(numbers.change, difference, is_strong=True, figure_id=of)
        rows.append(Row((name, Cell(), Cell(), Cell(), total), is_total=True))
    return columns, rows


def whole_worths(comparison: Comparison, at: int) -> list[int | None]:
    """What each change on the way to side `at` is worth in the whole dollars that are written."""
    found = comparison.worths[at - 1] if comparison.worths is not None else ()
    difference = _difference(comparison.sides[0], comparison.sides[at])
    usd = [worth.worth_per_month for worth in found]
    return amounts.largest_remainder(usd, difference if None not in usd else None)


def _difference(first: Side, other: Side) -> float | None:
    """One plan less the first, both as they are written."""
    before, after = (side.advice.totals.plan for side in (first, other))
    return None if before is None or after is None else float(round(after) - round(before))


def _move_row(comparison: Comparison, at: int, step: int, worth: Worth, amount: int | None) -> Row:
    """A change as a row: what moved from where to where, or what else changed, and what it is worth."""
    first, other = comparison.sides[0], comparison.sides[at]
    tip = tr("{usd} per month", usd=numbers.cents(worth.worth_per_month))
    figure_id = asked(amount, figure("change_worth", str(step), str(at)))
    money = written(numbers.change, amount, tip=tip, figure_id=figure_id)
    if not (keys := worth.change.keys):
        words, tip = _words(comparison, first, other, worth.change.what)
        return Row((Cell(text=words, is_strong=True, tip=tip), Cell(), Cell(), Cell(), money))
    before, later = first.figures.whole_cards, other.figures.whole_cards
    index = {whole_key(card.key, first.scenario.splits): place for place, card in enumerate(before)}
    cards = [before[index[key]] for key in keys]
    names = spelling.told_apart(before)  # of all: those that do not move have names too
    count = len(keys)
    name: Text = names[cards[0].key]
    if count > 1:
        name = by_count(count, "{count} more workload", "{count} more workloads", count=numbers.whole(count))
    hours = numbers.whole(sum(card.gpu_hours_per_month for card in cards))
    tip = "\n".join(spoken(names[card.key]) for card in cards[:20])
    return Row(
        (
            Cell(text=name, is_strong=True, tip=tip),
            _pool_cell([card.pool for card in cards]),
            _pool_cell([later[index[key]].pool for key in keys]),
            Cell(text=hours, figure_id=figure("moved_hours", str(step), str(at))),
            money,
        ),
        key=keys[0] if count == 1 else "",
    )


def _pool_cell(pools: list[Pool]) -> Cell:
    """The pool of some cards; several if they differ."""
    return Cell(text=tr("several"), role="muted") if len(set(pools)) > 1 else pool_cell(pools[0])


_OF_PLANS: Final[Mapping[str, Callable[[Scenario, Scenario], str]]] = {
    "contracts": lambda first, other: (
        tr("Existing contracts left out") if other.greenfield else tr("With existing contracts")
    ),
    "notices": lambda first, other: tr(
        "Notice recorded: {contracts}",
        contracts=", ".join(
            sorted({name for _, name in other.stated_of_contracts() ^ first.stated_of_contracts()})
        ),
    ),
    "savings": lambda first, other: tr(
        "Savings accepted: {names}",
        names=", ".join(spoken(DEMAND_CUTS[step]) for step in other.accepted) or tr("none"),
    ),
    "providers": lambda first, other: tr(
        "Providers that stop: {names}", names=", ".join(sorted({*other.provider_ends, *first.provider_ends}))
    ),
    "gap": lambda first, other: (
        tr("Count log gaps as missing") if other.is_gap_missing else tr("Count log gaps as idle")
    ),
    "rates": lambda first, other: tr(
        "{rates}, not {case}", rates=CASE_NAMES[other.price_case], case=first.price_case
    ),
}
"""What is said of a part of two plans that differs, where a few words say all of it."""


def _words(comparison: Comparison, first: Side, other: Side, what: str) -> tuple[str, str]:
    """What is not a move, in a few words and in many."""
    if what == "assumptions":
        lines = assumption_words(comparison, (first, other))
        return ("; ".join(lines) or tr("Assumptions"), "\n".join(lines))
    if what in _OF_PLANS:
        return (_OF_PLANS[what](first.scenario, other.scenario), "")
    if what in DATED:
        lines = date_words(comparison, (first, other), (_LINES_OF.get(what, what),))
        return (lines[0] if len(lines) == 1 else spoken(DATED[what]), "\n".join(lines))
    return (tr("Levels set by you"), tr("See orders below."))


def assumption_words(comparison: Comparison, sides: tuple[Side, ...]) -> list[str]:
    """Churn 3%, not 1%: every assumption that is not the same in two plans; of more, all values in order.

    What one of two plans alone has is said of that plan: Longest term 12 months, only in Plan A.
    """
    found = []
    called = _called(comparison)
    for name, values in differing_assumptions(comparison.project, [side.scenario for side in sides]):
        spec = assumptions.SPEC_BY_NAME[name]
        texts = [words_with_unit(spec, value) or tr("not set") for value in values]
        title = spoken(spec.title)
        alone = [at for at, value in enumerate(values) if value is not None]
        if len(texts) == 2 and len(alone) == 1:
            value, plan = texts[alone[0]], called[sides[alone[0]].scenario.name]
            found.append(tr("{assumption} {value}, only in {plan}", assumption=title, value=value, plan=plan))
        elif len(texts) == 2:
            first, other = texts
            found.append(tr("{assumption}: {value}, not {first}", assumption=title, value=other, first=first))
        else:
            found.append(f"{title} {' / '.join(texts)}")
    return found


def _called(comparison: Comparison) -> dict[str, str]:
    """Name of each plan -> its short one."""
    return dict(zip([side.scenario.name for side in comparison.sides], shorts(comparison), strict=True))


def date_words(comparison: Comparison, sides: Sequence[Side], kinds: Collection[str] = OF_DATES) -> list[str]:
    """What not all of these plans say of time, with the plans that do: chat: ends 31 May 2027 (Plan A)."""
    called = _called(comparison)
    told: dict[str, list[str]] = {}
    for side in sides:
        for line in dated_lines(comparison.project, side.scenario):
            if line.of in kinds:
                told.setdefault(line.title, []).append(called[side.scenario.name])
    return [
        tr("{name} ({note})", name=title, note=", ".join(of))
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
        return tr("Different: {assumptions}", assumptions="; ".join(told))
    values = comparison.project.assumptions_in(comparison.sides[0].scenario)
    churn = churn_words(values)
    plans = [side.scenario for side in comparison.sides]
    has_one_case = len({(plan.price_case, plan.price_changes) for plan in plans}) == 1
    if has_one_case:
        return tr("Same demand, prices and attrition {churn}", churn=churn)
    return tr("Same demand and attrition {churn}", churn=churn)


# --- What a plan buys: its layers by pool, GPU model and term, in whole dollars that add up to the plan

COLUMNS: Final = (
    Column(title="Pool", is_figure=False, width=92),
    Column(title="GPU", is_figure=False, width=56),
    Column(title=titles.TERM, is_figure=False),
    Column(title="GPUs"),
    Column(title=titles.USED),
    Column(title="$ per\nGPU-h"),
    Column(title="\n$ per month"),
)

NARROW: Final = (0, 1, 2, 3, 6)
"""The columns that stay where there is little room."""

Bought = dict[tuple[object, ...], float]


def buy_table(
    comparison: Comparison, at: int, palette: Palette, *, is_narrow: bool
) -> tuple[tuple[Column, ...], list[Row]]:
    """Columns and rows of side `at`, in a narrow place without use and rate."""
    rows = buy_rows(comparison, at, palette)
    if not is_narrow:
        return COLUMNS, rows
    kept = [replace(row, cells=tuple(row.cells[place] for place in NARROW)) for row in rows]
    return tuple(COLUMNS[place] for place in NARROW), kept


def buy_rows(comparison: Comparison, at: int, palette: Palette) -> list[Row]:
    """Rows of side `at`; what differs from the other sides is strong, so that it is seen first."""
    side = comparison.sides[at]
    others = [_bought(other) for other in comparison.sides if other is not side]
    rows: list[Row] = []
    plans = sorted(side.advice.pools, key=lambda plan: (POOLS.index(plan.pool), plan.gpu_model or "\uffff"))
    for plan in plans:
        dollars = term_dollars(side.advice, plan)
        for row in _there(plan):
            key = (plan.pool, plan.gpu_model, row.name)
            is_other = any(abs(bought.get(key, 0.0) - row.gpus) > 1e-6 for bought in others)
            usd = dollars.get((row.existing, row.category, None if row.existing else row.term_months))
            usd = 0 if row.is_unserved else usd
            rows.append(_layer_row(plan, row, usd, at, palette, is_other=is_other))
    for idle, usd in zip(side.advice.idle_existing, idle_dollars(side.advice), strict=True):
        model = idle.gpu_model or ""
        cells = (
            Cell(text=tr(titles.IDLE), role="muted", tip=tr("Running contracts without use.")),
            Cell(text=model or tr("unknown"), role="muted"),
            Cell(text=tr(plan_layers.EXISTING), swatch=existing_colour(palette)),
            plan_cell(numbers.one_decimal(idle.gpus), at, figure("idle_gpus", model)),
            Cell(text=numbers.UNKNOWN, role="muted"),
            Cell(),
            plan_cell(numbers.whole(usd), at, figure("idle_usd", model)),
        )
        rows.append(Row(cells))
    rows.append(_total(side, at))
    return rows


def _there(plan: PoolPlan) -> list[TermRow]:
    """The layers of a pool that hold any GPUs."""
    return [row for row in term_rows(plan, ()) if row.gpus > 1e-9]


def _bought(side: Side) -> Bought:
    """GPUs by pool, GPU model and layer, to see what another plan buys otherwise."""
    return {
        (plan.pool, plan.gpu_model, row.name): row.gpus for plan in side.advice.pools for row in _there(plan)
    }


def _layer_row(
    plan: PoolPlan, row: TermRow, usd: int | None, at: int, palette: Palette, *, is_other: bool
) -> Row:
    """A layer of plan `at` as a row; sizes that the plan beside it has not are strong."""
    subject = row_subject(plan, row.part)
    is_usage = not row.existing and row.term_months == 0 and not row.is_unserved
    step = term_step(palette, row.term_months or 0)
    swatch = existing_colour(palette) if row.existing else palette.terms[step]
    swatch = palette.red if row.is_unserved else swatch
    is_mean = is_usage or row.existing or row.is_unserved
    gpus = numbers.one_decimal(row.gpus) if is_mean else numbers.gpus(row.gpus)
    used = numbers.UNKNOWN if is_usage else numbers.percent(row.used)
    tip = tr("Not in the other plan") if is_other else row.tip
    as_it_comes = tr("On demand: never idle.") if is_usage else ""

    def told(text: str, kind: str, role: str = "text", *, is_strong: bool = False, tip: str = "") -> Cell:
        """A figure of the layer; of what nobody serves its GPUs alone."""
        if row.is_unserved:
            kind = "layer_unserved"
            if text is not gpus:
                return Cell(text=text, role="muted", tip=row.tip)
        return plan_cell(text, at, figure(kind, subject), role, is_strong=is_strong, tip=tip)

    return Row(
        (
            pool_cell(plan.pool),  # in every row: sorted or copied, none has its pool above it
            Cell(text=plan.gpu_model or tr("unknown"), role="muted"),
            Cell(text=row.name, swatch=swatch, is_hatched=is_usage, is_strong=is_other, tip=tip),
            told(gpus, "layer_gpus", is_strong=is_other, tip=tr(titles.MEAN_GPUS) if is_mean else ""),
            told(used, "layer_used", "muted", tip=as_it_comes),
            told(numbers.rate(row.rate), "layer_rate"),
            told(numbers.whole(usd), "layer_usd", is_strong=is_other, tip=numbers.cents(row.usd)),
        )
    )


def _total(side: Side, at: int) -> Row:
    """The row of the whole plan: mean GPUs paid for, utilization and dollars."""
    totals = side.advice.totals
    gpus = numbers.one_decimal(paid_gpus(side.advice))
    used = numbers.percent(totals.effective_utilization_plan)
    return Row(
        (
            Cell(text=tr("Plan"), is_strong=True),
            Cell(),
            Cell(
                text=tr("Mean GPUs paid for"), role="muted"
            ),  # not the sum: some are held for a part of the month
            plan_cell(gpus, at, "plan_gpus::", is_strong=True),
            plan_cell(used, at, "plan_utilization::", is_strong=True),
            Cell(),
            plan_cell(numbers.whole(totals.plan), at, "plan_usd::", is_strong=True),
        ),
        is_total=True,
    )
