"""One leak in words and rows: its formula in numbers, its parts that add up, and what accepting it would do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.evidence.trace_leak_parts import (
    PART_COLUMNS,
    part_subject,
    parts_most_expensive_first,
    whole_parts,
)
from gpuplanner.domain.audit.leaks.leak_rules import LEAK_RULES
from gpuplanner.domain.audit.leaks.leak_words import remedy_of
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.plan_inputs import SEPARATED, LeakDecision, LeakStatus, Scenario
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import by_count, speak, tr


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


WHAT_A_PLAN_CANNOT_SHOW: Final = worded(
    "A plan of pools and terms cannot show what this would save: it is noted in the log with its $ "
    "and not taken off the plan's spend."
)


def story_of(shown: LeakView) -> LeakStory:
    """All the words of one leak."""
    leak = shown.leak
    rule = LEAK_RULES[leak.code]
    of = _counted_parts(leak)
    return LeakStory(
        title=rule.title,
        where=numbers.MIDDOT.join((leak.leak_id.partition(":")[2] or tr("jobs without a cluster"), of)),
        usd=numbers.dollars(leak.leaked_per_month),
        amount=tr(
            "per month \u00b7 {gpu_hours} GPU-h in the window", gpu_hours=numbers.whole(leak.gpu_hours)
        ),
        rule=rule.words,
        formula=tr("$ per month = {formula} \u00f7 months in the window", formula=rule.formula),
        worked_out=_worked_out(leak, shown.months),
        columns=columns_of(leak),
        rows=part_rows(leak, shown.names),
        counted=(
            (
                figure("leak_sum", leak.leak_id, "counted_per_month"),
                tr(
                    "{counted_usd_per_month} per month",
                    counted_usd_per_month=numbers.dollars(leak.counted_per_month),
                ),
            ),
            (
                figure("leak_sum", leak.leak_id, "counted_gpu_hours"),
                tr(
                    "{counted_gpu_hours} GPU-h in the window",
                    counted_gpu_hours=numbers.whole(leak.counted_gpu_hours),
                ),
            ),
        ),
        counted_once=tr(". {counted_once}", counted_once=COUNTED_ONCE),
        action=leak.action,
        remedy=_remedy(shown),
        decided=_decided(shown.decision),
    )


def _counted_parts(leak: Leak) -> str:
    """How many workloads or contracts are behind it, in words."""
    return numbers.counted(len(leak.parts), LEAK_RULES[leak.code].claims)


def _worked_out(leak: Leak, months: float) -> str:
    """The formula in numbers: GPU-hours times the mean rate over the months; a dash where no rate is stated."""
    hours = tr("{gpu_hours} GPU-h", gpu_hours=numbers.one_decimal(leak.gpu_hours))
    if leak.average_rate is None:
        return tr(
            "{hours} \u00d7 a rate that nobody states = \u2014: enter the rate, or a price list.", hours=hours
        )
    above = tr("above that offer, ") if LEAK_RULES[leak.code].rate else ""
    return tr(
        "{hours} \u00d7 {rate} per GPU-h {above}on average \u00f7 {months} months of 730 h = {usd_per_month}",
        hours=hours,
        rate=numbers.fine_rate(leak.average_rate),
        above=above,
        months=numbers.fine(months),
        usd_per_month=numbers.cents(leak.leaked_per_month),
    )


def columns_of(leak: Leak) -> tuple[Column, ...]:
    """Headings of the parts: contracts stand idle and open their panel, workloads ran and open their jobs."""
    is_contract = LEAK_RULES[leak.code].claims == "contract"
    return (
        Column("Contract" if is_contract else "Workload", is_figure=False),
        *(Column(LEAK[key].heading("\n")) for key in PART_COLUMNS),
        Column("", is_figure=False, width=104),
    )


def part_rows(leak: Leak, names: Mapping[str, Text]) -> tuple[Row, ...]:
    """Its parts, most expensive first, and a total; whole figures that add up to it rounded, each with an answer."""
    columns = [whole_parts(leak, column) for column in PART_COLUMNS]
    rows = [
        Row(
            (
                Cell(names.get(part.id, part.id), tip=part.id),
                *(
                    _asked(whole[place], figure("leak_part", part_subject(leak, part), column), tip)
                    for column, whole, tip in zip(PART_COLUMNS, columns, _tips(part), strict=True)
                ),
                Cell(tr("Show its jobs") if part.kind == "workload" else tr("Show contract"), "accent"),
            ),
            key=f"{part.kind}:{part.id}",
        )
        for place, part in enumerate(parts_most_expensive_first(leak))
    ]
    sums = (
        _asked(getattr(leak, column), figure("leak_sum", leak.leak_id, column)) for column in PART_COLUMNS
    )
    return (*rows, Row((Cell(tr("Total")), *sums, Cell()), is_total=True))


def _asked(amount: float | None, figure_id: str, tip: str = "") -> Cell:
    """An amount that answers why; a dash for unknown, which has nothing to answer."""
    return Cell(numbers.whole(amount), tip=tip, figure_id="" if amount is None else figure_id)


def _tips(part: LeakPart) -> tuple[str, ...]:
    """The four figures of a part unrounded, in the order of its columns."""
    return (
        tr("{gpu_hours} GPU-h", gpu_hours=numbers.one_decimal(part.gpu_hours)),
        numbers.cents(part.leaked_per_month),
        tr("{counted_gpu_hours} GPU-h", counted_gpu_hours=numbers.one_decimal(part.counted_gpu_hours)),
        numbers.cents(part.counted_per_month),
    )


def _remedy(shown: LeakView) -> Text:
    """What accepting would do in the chosen plan.

    Move workloads, or only be noted, or nothing as it is so already.
    """
    remedy = remedy_of(shown.leak, shown.classes)
    if not shown.plans:
        return tr("Add a plan to accept it into.")
    if remedy.pool is None:
        return WHAT_A_PLAN_CANNOT_SHOW
    chosen = next((plan for plan in shown.plans if plan.name == shown.plan), None)
    begin = (
        remedy.pool if chosen and chosen.start == SEPARATED else None
    )  # they are of the class of that pool
    there = sum(1 for key in remedy.keys if chosen and chosen.pools.get(key, begin) is remedy.pool)
    of, pool = numbers.counted(len(remedy.keys), "workload"), lane_of(remedy.pool).title
    if there == len(remedy.keys):
        return by_count(
            there,
            "Its {of} stands in {pool} in this plan already: its savings have it, and accepting notes it.",
            "Its {of} stand in {pool} in this plan already: its savings have it, and accepting notes it.",
            of=of,
            pool=pool,
        )
    left = tr("{keys} of its {of}", keys=len(remedy.keys) - there, of=of) if there else of
    return tr(
        "Accepting puts {left} into {pool}; the plan's figures then show what it saves.", left=left, pool=pool
    )


def _decided(decision: LeakDecision | None) -> str:
    """When it was decided, by whom or why, and what that means for the plan's spend; empty while it is open."""
    if decision is None:
        return ""
    when = numbers.date(decision.at_s)
    if decision.status is LeakStatus.DISMISSED:
        return tr("Dismissed on {when}: {reason}", when=when, reason=decision.reason)
    by = tr(", to be done by {owner}", owner=decision.owner) if decision.owner else ""
    if decision.pool is None:
        usd = tr("{usd_per_month} per month", usd_per_month=numbers.dollars(decision.usd_per_month))
        return tr(
            "Accepted on {when}{by}: noted at {usd}, not taken off the plan's spend.",
            when=when,
            by=by,
            usd=usd,
        )
    of = numbers.counted(decision.workloads, "workload")
    return by_count(
        decision.workloads,
        "Accepted on {when}{by}: {of} stands in {value}.",
        "Accepted on {when}{by}: {of} stand in {value}.",
        when=when,
        by=by,
        of=of,
        value=lane_of(decision.pool).title,
    )
