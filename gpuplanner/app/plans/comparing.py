"""Plans side by side in a thread: their figures first, then the worth of each change between them."""

from collections.abc import Callable, Mapping
from functools import partial
from operator import is_
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import IsCancelled, OnProgress, Threaded
from gpuplanner.domain.audit.audit import audit_in_parts
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.comparison import (
    Change,
    FromToday,
    Worth,
    changes_between,
    from_today,
    worths,
)
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.demand.pools import NOT_LOGGED, stands_on_board
from gpuplanner.domain.evaluation import (
    Evaluation,
    Figures,
    advise_plan,
    decided,
    evaluate_figures,
    outlook_plan,
)
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.plan.scenario import TODAY, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass, replace

KEPT: Final = 24


PoolWaits = Mapping[Pool, float | None]
WaitsOf = Callable[[Evaluation, OnProgress, IsCancelled], PoolWaits]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Side:
    """One plan of a comparison. outlook, waits: None until they are there.

    steps: from today to this plan, $ a month; waits: P90 of each pool on its GPUs, hours, empty where nobody knows.
    """

    scenario: Scenario
    figures: Figures
    advice: Advice
    steps: FromToday
    outlook: Outlook | None = None
    waits: PoolWaits | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Comparison:
    """What is known so far. worths: what leads from the first plan to each of the others; None until it is there.

    waits: P90 of each pool on the GPUs of today, as of `Side`.
    """

    project: Project
    audit: Audit
    sides: tuple[Side, ...]
    worths: tuple[tuple[Worth, ...], ...] | None = None
    waits: PoolWaits | None = None


class Comparing(Threaded):
    """The newest question is answered, step by step; late answers are dropped."""

    compared = Signal(object)  # Comparison

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.waits_of: WaitsOf | None = None
        self.failed.connect(self._forget)
        self._cache = AdviceCache()
        self._asked: tuple[object, ...] = ()
        self._sides: list[tuple[Audit, Side]] = []
        self._worths: list[tuple[tuple[Side, ...], tuple[tuple[Worth, ...], ...]]] = []

    def ask(self, project: Project, audit: Audit, names: tuple[str, ...]) -> None:
        """Compare these plans of a project; `compared` tells what is known, each time that there is more.

        names: of plans, at least one, the first being what the others are held against. Asked again about the
        same parts nothing is told twice.
        Errors: KeyError for a plan that there is not.
        """
        question = (audit, *(project.scenario(name) for name in names))
        if len(question) == len(self._asked) and all(map(is_, question, self._asked)):
            return  # it is being worked out, or told
        self._asked = question
        known = [self._known(audit, project.scenario(name)) for name in names]
        work = partial(_sides, project, audit, names, known, self._cache)
        if all(known):
            self._background.cancel()
            self._take_sides(project, audit, tuple(side for side in known if side is not None))
        else:
            self._background.start(work, lambda sides: self._take_sides(project, audit, sides))

    def cancel(self) -> None:
        """Want nothing more; what is known stays."""
        self._asked = ()
        super().cancel()

    def _forget(self) -> None:
        """What failed is tried again where it is asked again."""
        self._asked = ()

    def _known(self, audit: Audit, plan: Scenario) -> Side | None:
        """A plan worked out before on this audit, under its name of now."""
        for of, side in reversed(self._sides):
            if of is audit and side.scenario.plans_as(plan):
                return side if side.scenario is plan else replace(side, scenario=plan)
        return None

    def _take_sides(self, project: Project, audit: Audit, sides: tuple[Side, ...]) -> None:
        """Sides are told at once; what each change is worth comes after, unless it is known."""
        self._keep(audit, sides)
        known = next((kept for of, kept in reversed(self._worths) if _are_same(of, sides)), None)
        comparison = Comparison(project=project, audit=audit, sides=sides, worths=known)
        self.compared.emit(comparison)
        if known is None:
            work = partial(_worths, project, audit, sides, self._cache)
            self._background.start(work, lambda worths: self._take_worths(comparison, worths))
        else:
            self._look_ahead(comparison)

    def _take_worths(self, comparison: Comparison, worths: tuple[tuple[Worth, ...], ...]) -> None:
        self._worths.append((comparison.sides, worths))
        del self._worths[:-KEPT]
        self._go_on(replace(comparison, worths=worths))

    def _look_ahead(self, comparison: Comparison) -> None:
        """The band of one plan after the other, then how long is waited on each."""
        project, audit = comparison.project, comparison.audit
        for at, side in enumerate(comparison.sides):
            if side.outlook is None:
                work = partial(outlook_plan, project, side.figures, side.advice)
                self._background.run(work, partial(self._take, comparison, at, "outlook"))
                return
        if self.waits_of is None:
            return
        if comparison.waits is None:
            today = partial(_waits_today, project, audit, self.waits_of)
            self._background.start(today, lambda waits: self._go_on(replace(comparison, waits=waits)))
            return
        for at, side in enumerate(comparison.sides):
            if side.waits is None:
                of = Evaluation(
                    project=project,
                    scenario=side.scenario.name,
                    audit=audit,
                    figures=side.figures,
                    advice=side.advice,
                )
                self._background.start(
                    partial(self.waits_of, of), partial(self._take, comparison, at, "waits")
                )
                return

    def _take(self, comparison: Comparison, at: int, name: str, answer: Any) -> None:
        """What was found of one plan, in its side; the next is begun."""
        side = replace(comparison.sides[at], **{name: answer})
        sides = (*comparison.sides[:at], side, *comparison.sides[at + 1 :])
        self._keep(comparison.audit, (side,))
        self._go_on(replace(comparison, sides=sides))

    def _go_on(self, comparison: Comparison) -> None:
        """Tells what more is known, and begins the next."""
        self.compared.emit(comparison)
        self._look_ahead(comparison)

    def _keep(self, audit: Audit, sides: tuple[Side, ...]) -> None:
        """The oldest go."""
        self._sides += [(audit, side) for side in sides]
        del self._sides[:-KEPT]


def _are_same(these: tuple[Side, ...], other: tuple[Side, ...]) -> bool:
    """Whether these are the very same advices: worths stand on nothing else."""
    return len(these) == len(other) and all(a.advice is b.advice for a, b in zip(these, other, strict=True))


def _sides(
    project: Project,
    audit: Audit,
    names: tuple[str, ...],
    known: list[Side | None],
    cache: AdviceCache,
    on_progress: OnProgress,
    is_cancelled: IsCancelled,
) -> tuple[Side, ...]:
    """In the thread: those that are not known are worked out; fewer where it was cancelled."""
    sides: list[Side] = []
    for at, (name, side) in enumerate(zip(names, known, strict=True)):
        if is_cancelled():
            break
        on_progress(at / len(names), worded("Working out {name}", name=name))
        sides.append(_side(project, audit, name, cache) if side is None else side)
    return tuple(sides)


def _waits_today(
    project: Project, audit: Audit, waits_of: WaitsOf, on_progress: OnProgress, is_cancelled: IsCancelled
) -> PoolWaits:
    """In the thread: how long is waited on the GPUs of today."""
    of = Evaluation(
        project=project, scenario=TODAY, audit=audit, figures=evaluate_figures(project, TODAY, audit)
    )
    return waits_of(of, on_progress, is_cancelled)


def _advised(project: Project, audit: Audit, change: Change, cache: AdviceCache) -> Advice:
    """The advice after a change; workloads that a plan divides stand whole on it, what it plans stands beside them."""
    scenario = replace(change.scenario, splits={})
    parts = stands_on_board(project, scenario)
    if parts is None:
        return advise(project, change.scenario, change.pools, audit, cache)
    planned = {work.key: work.pool for work in scenario.planned}
    pools = tuple(
        planned[workload.key] if place == NOT_LOGGED else change.pools[place]
        for workload, place in zip(parts.workloads, parts.whole, strict=True)
    )
    audited = audit_in_parts(audit, project, parts)
    return advise(parts.put_in(project), scenario, pools, audited, cache)


def _side(project: Project, audit: Audit, name: str, cache: AdviceCache) -> Side:
    """One plan: figures, advice, and the steps from today to it. Errors: AssertionError or TypeError where
    there is nothing to plan.
    """
    figures = decided(project, evaluate_figures(project, name, audit), cache)
    advice = advise_plan(project, figures, cache)
    in_parts = Evaluation(project=project, scenario=name, audit=audit, figures=figures).in_parts
    today = from_today(in_parts.audit, advice, figures.workload_pools)
    return Side(scenario=project.scenario(name), figures=figures, advice=advice, steps=today)


def _worths(
    project: Project,
    audit: Audit,
    sides: tuple[Side, ...],
    cache: AdviceCache,
    on_progress: OnProgress,
    is_cancelled: IsCancelled,
) -> tuple[tuple[Worth, ...], ...]:
    """In the thread: of each other plan the way from the first, change by change; empty where it was
    cancelled.
    """
    first = sides[0]
    ways = [
        changes_between(
            project,
            (first.figures.basis.plan, first.figures.whole_pools),
            (other.figures.basis.plan, other.figures.whole_pools),
        )
        for other in sides[1:]
    ]
    first_usd, steps, done = first.advice.totals.plan, sum(map(len, ways)) or 1, 0
    worths_of = []
    for other, changes in zip(sides[1:], ways, strict=True):
        usd: dict[Change, float | None] = {}
        for change in changes:
            if is_cancelled():
                return ()
            on_progress(done / steps, worded("Calculating each change"))
            done += 1
            is_last = change is changes[-1]  # it plans as the other one does, whose figures are known
            advice = other.advice if is_last else _advised(project, audit, change, cache)
            usd[change] = advice.totals.plan
        worths_of.append(worths(first_usd, changes, usd.__getitem__))
    return tuple(worths_of)
