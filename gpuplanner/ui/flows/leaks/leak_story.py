"""One leak in words and rows: its formula, its parts, and the effect of accepting it."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from gpuplanner.charts.kit.translation import speak, spoken, tr
from gpuplanner.domain.audit.leak_list import LEAK_RULES, remedy_of
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.evidence import money
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.plan.scenario import SEPARATED, LeakDecision, LeakStatus, Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.tables.cells import Cell, Column, Row, written
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakView:
    """What a sheet needs of one leak.

    plans: those it can be decided in; plan: the name of the one shown, empty without any. classes and names: of the
    workloads, by key. months: of 730 h, in the window.
    """

    leak: Leak
    plans: tuple[Scenario, ...]
    plan: str
    classes: Mapping[str, Pool]
    names: Mapping[str, Text]
    months: float

    @property
    def decision(self) -> LeakDecision | None:
        """What was decided in the plan that is shown; None while it is open."""
        chosen = next((plan for plan in self.plans if plan.name == self.plan), None)
        return chosen.decision_on(self.leak.leak_id) if chosen else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakStory:
    """Everything that a sheet says, as texts and rows."""

    title: Message
    where: str
    usd: str
    amount: str
    rule: Message
    formula: str
    worked_out: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    counted: tuple[tuple[str, str], ...]  # figure id and words
    counted_once: str
    action: Text
    remedy: Text
    decided: str

    def __post_init__(self) -> None:
        speak(self, "title", "rule", "formula", "action", "remedy", "decided")


WHAT_A_PLAN_CANNOT_SHOW: Final = long_text("leak_without_plan")


def story_of(shown: LeakView) -> LeakStory:
    """All the words of one leak."""
    leak = shown.leak
    rule = LEAK_RULES[leak.code]
    of = numbers.counted(len(leak.parts), rule.claims)
    hours, usd = numbers.whole(leak.counted_gpu_hours), numbers.dollars(leak.counted_per_month)
    sums = partial(figure, "leak_sum", leak.leak_id)
    return LeakStory(
        title=rule.title,
        where=numbers.MIDDOT.join((leak.leak_id.partition(":")[2] or tr("jobs without a cluster"), of)),
        usd=numbers.dollars(leak.leaked_per_month),
        amount=tr(long_text("leak_hours", gpu_hours=numbers.whole(leak.gpu_hours))),
        rule=rule.words,
        formula=tr("$ per month = {formula} ÷ lookback months", formula=rule.formula),
        worked_out=_worked_out(leak, shown.months),
        columns=columns_of(leak),
        rows=part_rows(leak, shown.names),
        counted=(
            (sums("counted_per_month"), tr("{value} per month", value=usd)),
            (sums("counted_gpu_hours"), tr("{hours} GPU-h in the lookback period", hours=hours)),
        ),
        counted_once=f". {spoken(COUNTED_ONCE)}",
        action=leak.action,
        remedy=_remedy(shown),
        decided=_decided(shown.decision),
    )


def _worked_out(leak: Leak, months: float) -> str:
    """The formula in numbers: GPU-hours times the mean rate over the months; a dash where no rate is stated."""
    hours = tr("{gpu_hours} GPU-h", gpu_hours=numbers.one_decimal(leak.gpu_hours))
    if leak.average_rate is None:
        return tr("{hours} × unknown rate = —: enter the rate, or import a price list.", hours=hours)
    rate = numbers.fine_rate(leak.average_rate)
    mean = tr("mean {rate} per GPU-h", rate=rate)
    if LEAK_RULES[leak.code].rate:
        mean = tr("mean {rate} per GPU-h above that offer", rate=rate)
    return tr(
        "{hours} \u00d7 {rate} \u00f7 {months} months of 730 h = {usd_per_month}",
        hours=hours,
        rate=mean,
        months=numbers.fine(months),
        usd_per_month=numbers.cents(leak.leaked_per_month),
    )


def columns_of(leak: Leak) -> tuple[Column, ...]:
    """Headings of the parts: contracts stand idle and open their panel, workloads ran and open their jobs."""
    is_contract = LEAK_RULES[leak.code].claims == "contract"
    return (
        Column(title="Contract" if is_contract else "Workload", is_figure=False),
        *(Column(title=LEAK[key].heading("\n")) for key in money.PART_COLUMNS),
        Column(title="", is_figure=False, width=104),
    )


def part_rows(leak: Leak, names: Mapping[str, Text]) -> tuple[Row, ...]:
    """Its parts, most expensive first, and a total; whole figures that add up to it rounded, each with an answer."""
    columns = [money.whole_parts(leak, column) for column in money.PART_COLUMNS]
    rows = [
        Row(
            (
                Cell(text=names.get(part.id, part.id), tip=part.id),
                *(
                    _asked(whole[place], figure("leak_part", money.part_subject(leak, part), column), tip)
                    for column, whole, tip in zip(money.PART_COLUMNS, columns, _tips(part), strict=True)
                ),
                Cell(text=tr("Show jobs") if part.kind == "workload" else tr("Show contract"), role="accent"),
            ),
            key=f"{part.kind}:{part.id}",
        )
        for place, part in enumerate(money.parts_most_expensive_first(leak))
    ]
    leak_sum = partial(figure, "leak_sum", leak.leak_id)
    sums = (_asked(getattr(leak, column), leak_sum(column)) for column in money.PART_COLUMNS)
    return (*rows, Row((Cell(text=tr("Total")), *sums, Cell()), is_total=True))


def _asked(amount: float | None, figure_id: str, tip: str = "") -> Cell:
    """An amount that answers why; a dash for unknown, which has nothing to answer."""
    return written(numbers.whole, amount, tip=tip, figure_id="" if amount is None else figure_id)


def _tips(part: LeakPart) -> tuple[str, ...]:
    """The four figures of a part unrounded, in the order of its columns."""
    return (
        tr("{gpu_hours} GPU-h", gpu_hours=numbers.one_decimal(part.gpu_hours)),
        numbers.cents(part.leaked_per_month),
        tr("{gpu_hours} GPU-h", gpu_hours=numbers.one_decimal(part.counted_gpu_hours)),
        numbers.cents(part.counted_per_month),
    )


def _remedy(shown: LeakView) -> Text:
    """What accepting would do in the chosen plan.

    Move workloads, or only be noted, or nothing as it is so already.
    """
    remedy = remedy_of(shown.leak, shown.classes)
    if not shown.plans:
        return tr("To accept it, add a plan.")
    if remedy.pool is None:
        return WHAT_A_PLAN_CANNOT_SHOW
    chosen = next((plan for plan in shown.plans if plan.name == shown.plan), None)
    # they are of the class of that pool
    begin = remedy.pool if chosen and chosen.start == SEPARATED else None
    there = sum(1 for key in remedy.keys if chosen and chosen.pools.get(key, begin) is remedy.pool)
    of, pool = numbers.counted(len(remedy.keys), "workload"), lane_of(remedy.pool).title
    if there == len(remedy.keys):
        return tr("{of} already in {pool}: accepting only logs it.", of=of, pool=pool)
    left = tr("{keys} of its {of}", keys=len(remedy.keys) - there, of=of) if there else of
    return tr("Accepting moves {left} to {pool}; the plan shows the savings.", left=left, pool=pool)


def _decided(decision: LeakDecision | None) -> str:
    """When it was decided, by whom or why, and what that means for the plan's spend; empty while it is open."""
    if decision is None:
        return ""
    when = numbers.date(decision.at_s)
    if decision.status is LeakStatus.DISMISSED:
        return tr("Dismissed on {when}: {reason}", when=when, reason=decision.reason)
    if decision.owner:
        when = tr("{when}, owner {owner}", when=when, owner=decision.owner)
    if decision.pool is None:
        usd = tr("{value} per month", value=numbers.dollars(decision.usd_per_month))
        return tr(long_text("leak_logged", when=when, usd=usd))
    of, pool = numbers.counted(decision.workloads, "workload"), lane_of(decision.pool).title
    return tr("Accepted on {when}: {of} in {pool}.", when=when, of=of, pool=pool)
