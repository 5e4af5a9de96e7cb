"""One leak in words and rows: its formula in numbers, its parts that add up, and what accepting it would do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.audit.leak_words import LEAK_KINDS, remedy_of
from gpuplanner.domain.audit.leaks import COUNTED_ONCE
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario import SEPARATED, LeakDecision, LeakStatus, Scenario
from gpuplanner.ui import numbers
from gpuplanner.ui.figure_cells import Cell, Column, Row


@dataclass(frozen=True, slots=True)
class LeakShown:
    """What a sheet needs of one leak.

    plans: those it can be decided in; plan: the name of the one shown, empty without any. classes and names: of the
    workloads, by key. months: of 730 h, in the window.
    """

    leak: Leak
    plans: tuple[Scenario, ...]
    plan: str
    classes: Mapping[str, Pool]
    names: Mapping[str, str]
    months: float

    @property
    def decision(self) -> LeakDecision | None:
        """What was decided in the plan that is shown; None while it is open."""
        chosen = next((plan for plan in self.plans if plan.name == self.plan), None)
        return chosen.decision_on(self.leak.leak_id) if chosen else None


@dataclass(frozen=True, slots=True)
class LeakStory:
    """Everything that a sheet says, as texts and rows."""

    title: str
    where: str
    usd: str
    amount: str
    rule: str
    formula: str
    worked_out: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    counted: str
    action: str
    remedy: str
    decided: str


WHAT_A_PLAN_CANNOT_SHOW: Final = (
    "A plan of pools and terms cannot show what this would save: it is noted in the log with its $ "
    "and not taken off the plan's spend."
)


def story_of(shown: LeakShown) -> LeakStory:
    """All the words of one leak."""
    leak = shown.leak
    kind = LEAK_KINDS[leak.code]
    of = numbers.counted(len(leak.parts), leak.parts[0].kind if leak.parts else "part")
    return LeakStory(
        title=kind.title,
        where=numbers.MIDDOT.join((leak.leak_id.partition(":")[2] or "jobs without a cluster", of)),
        usd=numbers.dollars(leak.usd_per_month),
        amount=f"per month{numbers.MIDDOT}{numbers.whole(leak.gpu_hours)} GPU-h in the window",
        rule=kind.rule,
        formula=f"$ per month = {kind.formula} ÷ months in the window",
        worked_out=_worked_out(leak, shown.months),
        columns=columns_of(leak),
        rows=part_rows(leak, shown.names),
        counted=f"Counted in the total of all leaks: {numbers.dollars(leak.counted_usd_per_month)} per month, "
        f"{numbers.whole(leak.counted_gpu_hours)} GPU-h in the window. {COUNTED_ONCE}",
        action=leak.action,
        remedy=_remedy(shown),
        decided=_decided(shown.decision),
    )


def _worked_out(leak: Leak, months: float) -> str:
    hours = f"{numbers.one_decimal(leak.gpu_hours)} GPU-h"
    if leak.usd_per_month is None or not leak.gpu_hours:
        return f"{hours} × a rate that nobody states = {numbers.UNKNOWN}: enter the rate, or a price list."
    rate = leak.usd_per_month * months / leak.gpu_hours
    above = "" if LEAK_KINDS[leak.code].rate == "Rate" else "above that offer, "
    return (
        f"{hours} × {numbers.fine_rate(rate)} per GPU-h {above}on average ÷ {numbers.fine(months)} months of 730 h "
        f"= {numbers.cents(leak.usd_per_month)}"
    )


def columns_of(leak: Leak) -> tuple[Column, ...]:
    """Headings of the parts: contracts stand idle and open their panel, workloads ran and open their jobs."""
    is_contract = bool(leak.parts) and leak.parts[0].kind == "contract"
    return (
        Column("Contract" if is_contract else "Workload", is_figure=False),
        Column("GPU-h in\nthe window"),
        Column("$ per\nmonth"),
        Column("Counted, GPU-h\nin the window"),
        Column("Counted,\n$ per month"),
        Column("", is_figure=False, width=104),
    )


def part_rows(leak: Leak, names: Mapping[str, str]) -> tuple[Row, ...]:
    """Its parts, dearest first, and a total; whole figures that add up to the rounded total."""
    parts = sorted(leak.parts, key=lambda part: (part.usd_per_month is None, -(part.usd_per_month or 0.0)))
    columns = (
        _whole([part.gpu_hours for part in parts], leak.gpu_hours),
        _whole([part.usd_per_month for part in parts], leak.usd_per_month),
        _whole([part.counted_gpu_hours for part in parts], leak.counted_gpu_hours),
        _whole([part.counted_usd_per_month for part in parts], leak.counted_usd_per_month),
    )
    rows = [
        Row(
            (
                Cell(names.get(part.id, part.id), tip=part.id),
                *(
                    Cell(numbers.whole(column[place]), tip=tip)
                    for column, tip in zip(columns, _tips(part), strict=True)
                ),
                Cell("Show its jobs" if part.kind == "workload" else "Show contract", "accent"),
            ),
            key=f"{part.kind}:{part.id}",
        )
        for place, part in enumerate(parts)
    ]
    total = (leak.gpu_hours, leak.usd_per_month, leak.counted_gpu_hours, leak.counted_usd_per_month)
    return (
        *rows,
        Row((Cell("Total"), *(Cell(numbers.whole(amount)) for amount in total), Cell()), is_total=True),
    )


def _tips(part: LeakPart) -> tuple[str, ...]:
    return (
        f"{numbers.one_decimal(part.gpu_hours)} GPU-h",
        numbers.cents(part.usd_per_month),
        f"{numbers.one_decimal(part.counted_gpu_hours)} GPU-h",
        numbers.cents(part.counted_usd_per_month),
    )


def _whole(amounts: Sequence[float | None], total: float | None) -> list[int | None]:
    return largest_remainder(amounts, total)


def _remedy(shown: LeakShown) -> str:
    remedy = remedy_of(shown.leak, shown.classes)
    if not shown.plans:
        return "Add a plan to accept it into."
    if remedy.pool is None:
        return WHAT_A_PLAN_CANNOT_SHOW
    chosen = next((plan for plan in shown.plans if plan.name == shown.plan), None)
    begin = (
        remedy.pool if chosen and chosen.start == SEPARATED else None
    )  # they are of the class of that pool
    there = sum(1 for key in remedy.keys if chosen and chosen.pools.get(key, begin) is remedy.pool)
    of, pool = numbers.counted(len(remedy.keys), "workload"), remedy.pool.value.capitalize()
    if there == len(remedy.keys):
        stand = "stands" if there == 1 else "stand"
        return (
            f"Its {of} {stand} in {pool} in this plan already: its savings have it, and accepting notes it."
        )
    left = f"{len(remedy.keys) - there} of its {of}" if there else of
    return f"Accepting puts {left} into {pool}; the plan's figures then show what it saves."


def _decided(decision: LeakDecision | None) -> str:
    if decision is None:
        return ""
    when = numbers.date(decision.at_s)
    if decision.status is LeakStatus.DISMISSED:
        return f"Dismissed on {when}: {decision.reason}"
    by = f", to be done by {decision.owner}" if decision.owner else ""
    if decision.pool is None:
        usd = f"{numbers.dollars(decision.usd_per_month)} per month"
        return f"Accepted on {when}{by}: noted at {usd}, not taken off the plan's spend."
    of = numbers.counted(decision.workloads, "workload")
    verb = "stands" if decision.workloads == 1 else "stand"
    return f"Accepted on {when}{by}: {of} {verb} in {decision.pool.value.capitalize()}."
