"""Dates of a plan in words: days, planned work, steps, providers."""

from collections.abc import Iterator, Sequence

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.edits.dates import ALL
from gpuplanner.domain.edits.find import TEAM, planned_keys, workloads_called
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.book.only import ANYBODY, who_words
from gpuplanner.domain.model.plan.changes import DemandChange, PriceChange
from gpuplanner.domain.model.plan.limits import SHARE, Limit
from gpuplanner.domain.model.plan.planned_work import ALWAYS, PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.plan.splits import week_words
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_OF_WEEK
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of


@dataclass(frozen=True, slots=True)
class DatedLine:
    """One thing that a plan says beyond the log.

    of: workload (its days), planned, demand or price (a step of it), only (who alone may serve). key: of the workload,
    or the step's number.
    """

    title: str
    note: str
    of: str
    key: str


def is_over(spell: Spell, begins_s: int) -> bool:
    """Whether nothing of a workload is left when a plan begins, epoch seconds.

    A spell that ends just as the plan begins is over.
    """
    return spell.ends_s is not None and spell.ends_s <= begins_s


def spell_words(spell: Spell, begins_s: int) -> str:
    """Stopped; ends 31 May 2027; begins 1 Dec 2026; 1 Dec 2026 - 31 May 2027; comes back. begins_s: of the plan."""
    begins, ends = spell.begins_s, spell.ends_s
    if ends is not None and is_over(spell, begins_s):
        return tr("stopped") if ends == begins_s else tr("ended {day}", day=numbers.date(ends - 1))
    is_there = begins is None or begins <= begins_s
    if ends is not None:
        if is_there or begins is None:
            return tr("ends {day}", day=numbers.date(ends - 1))
        return numbers.span(begins, ends)
    if begins is None:
        return ""
    return tr("comes back") if is_there else tr("begins {day}", day=numbers.date(begins))


def short_spell_words(spell: Spell, begins_s: int) -> tuple[str, ...]:
    """As `spell_words`, longest first, for a card without room."""
    words = spell_words(spell, begins_s)
    begins, ends = spell.begins_s, spell.ends_s
    if not words or (ends == begins_s):
        return (words,) if words else ()
    if ends is not None and is_over(spell, begins_s):
        return (words, tr("ended {day}", day=numbers.short_date(ends - 1)))
    if begins is not None and begins > begins_s:
        return (words, tr("from {day}", day=numbers.short_date(begins)))
    if ends is not None:
        return (words, tr("to {day}", day=numbers.short_date(ends - 1)))
    return (words, tr("back"))


def is_at_once_for_good(work: PlannedWork, begins_s: int) -> bool:
    """Whether planned work is there all through a plan that begins then: it does not come back, for it never went."""
    spell = work.spell(begins_s)
    return spell.ends_s is None and (spell.begins_s or 0) <= begins_s


def work_spell_words(work: PlannedWork, begins_s: int) -> str:
    """When planned work is there; from the plan's first day on, for good, is said too."""
    if is_at_once_for_good(work, begins_s):
        return tr("immediately, permanently")
    return spell_words(work.spell(begins_s), begins_s)


def work_hours_words(work: PlannedWork) -> str:
    """Always; Mon-Fri 08-20; 500 hours, done by 20 Nov 2026."""
    if work.length_hours is None:
        return tr("always") if work.hours == ALWAYS else spoken(week_words(work.hours))
    hours = numbers.counted(work.length_hours, "hour")
    if work.every_hours is not None:
        every = tr("every {every}", every=numbers.counted(work.every_hours, "hour"))
        if work.every_hours == HOURS_OF_WEEK:
            every = tr("every week")
        return tr("{first} {second}", first=hours, second=every)
    if work.latest_finish_s is None:
        return hours
    return tr("{hours}, done by {day}", hours=hours, day=numbers.date(work.latest_finish_s - 1))


def work_gpus_words(work: PlannedWork) -> str:
    """64 H100."""
    return tr("{first} {second}", first=numbers.significant(work.gpus), second=work.gpu_model)


def of_words(project: Project, change: DemandChange) -> str:
    """What a step of demand is of: all demand, a class, a team, or a workload by its name."""
    if change.target == ALL:
        return tr("All demand")
    if change.target in set(Pool):
        return lane_of(Pool(change.target)).title
    if change.keys != (change.target,):
        team = change.target.removeprefix(TEAM)
        return tr("Team {team}", team=team) if team else tr("No team")
    return workload_words(project, change.target)


def workload_words(project: Project, key: str) -> str:
    """What a workload is called; of a part, which workload it is of."""
    called = workloads_called(project, (key,))
    return spoken(called) if isinstance(called, Message) else called


def change_words(project: Project, change: DemandChange) -> str:
    """Inference x 2 from 1 Mar 2027; Inference evenly to x 2 by 1 Mar 2027."""
    return _step_words(of_words(project, change), change)


def _step_words(title: str, change: DemandChange | PriceChange) -> str:
    values = {"of": title, "factor": numbers.significant(change.factor), "day": numbers.date(change.from_s)}
    if change.by:
        return tr("{of} evenly to \u00d7 {factor} by {day}", **values)
    return tr("{of} \u00d7 {factor} from {day}", **values)


def price_change_words(change: PriceChange) -> str:
    """Prices of H100 x 0.8 from 1 Mar 2027; Prices of H100 evenly to x 0.8 by 1 Mar 2027."""
    return _step_words(tr("Prices of {gpu_model}", gpu_model=change.gpu_model), change)


def price_changes_words(project: Project, changes: Sequence[PriceChange]) -> tuple[str, ...]:
    """Each step of prices in words; one that is of every GPU model on offer is said once, as of all prices."""
    offered = {offer.gpu_model for offer in project.offers}
    alike: dict[tuple[float, int, bool], list[PriceChange]] = {}
    for change in changes:
        alike.setdefault((change.factor, change.from_s, change.by), []).append(change)
    words: list[str] = []
    for steps in alike.values():
        if len(steps) == 1 or {step.gpu_model for step in steps} != offered:
            words += map(price_change_words, steps)
            continue
        words.append(_step_words(tr("All prices"), steps[0]))
    return tuple(words)


def plan_from_words(project: Project) -> str:
    """The day that all plans begin: 21 Nov 2026, or the end of the log.

    In UTC.
    """
    begins = project.plan_window
    return tr("end of the log") if begins is project.window else numbers.date(begins.end_s)


def dated_lines(project: Project, plan: Scenario) -> tuple[DatedLine, ...]:
    """All that a plan says beyond the log: planned work, workloads with dates by name, steps of demand and of prices in
    their order, then who alone may serve and who may have how much."""
    return (
        *_planned_lines(project, plan),
        *_spell_lines(project, plan),
        *_change_lines(project, plan),
        *_price_lines(plan),
        *_only_lines(project, plan),
        *_share_lines(plan),
    )


def _planned_lines(project: Project, plan: Scenario) -> Iterator[DatedLine]:
    """Planned work that the plan counts, a line each."""
    begins_s, works = project.plan_window.end_s, planned_keys(project, plan)
    for work in plan.planned:
        if work.key in works:
            title = tr("{name} is planned: {gpus}", name=work.name, gpus=work_gpus_words(work))
            parts = (lane_of(work.pool).title, work_hours_words(work), work_spell_words(work, begins_s))
            yield DatedLine(title, numbers.MIDDOT.join(parts), "planned", work.key)


def _spell_lines(project: Project, plan: Scenario) -> Iterator[DatedLine]:
    """Workloads that begin, end or stop, sorted by key; those that an import left out are silent."""
    begins_s = project.plan_window.end_s
    known = {workload.key: workload for workload in project.workloads}
    for key in sorted(plan.spells):
        if key in known:  # what an import no longer brings is kept, and says nothing
            words = spell_words(plan.spells[key], begins_s)
            called = spoken(workloads_called(project, (key,)))
            title = tr("{title}: {value}", title=called, value=words)
            owner = known[key].owner or tr("no owner")
            yield DatedLine(title, numbers.MIDDOT.join((known[key].cluster, owner)), "workload", key)


def _change_lines(project: Project, plan: Scenario) -> Iterator[DatedLine]:
    """Steps of demand, each with its number."""
    for number, change in enumerate(plan.changes):
        count = (
            numbers.counted(len(change.keys), "workload") if change.keys not in ((), (change.target,)) else ""
        )
        yield DatedLine(change_words(project, change), count or tr("step of demand"), "demand", str(number))


def _price_lines(plan: Scenario) -> Iterator[DatedLine]:
    """Steps of prices, each with its number."""
    for number, change in enumerate(plan.price_changes):
        yield DatedLine(price_change_words(change), tr("step of prices"), "price", str(number))


def _only_lines(project: Project, plan: Scenario) -> Iterator[DatedLine]:
    """Workloads that only some providers or regions may serve."""
    known = {workload.key for workload in project.workloads} | planned_keys(project, plan)
    for key in sorted(plan.only):
        if key in known:
            called = spoken(workloads_called(project, (key,)))
            title = numbers.MIDDOT.join((called, only_words(plan, key)))
            yield DatedLine(title, tr("planned apart"), "only", key)


def _share_lines(plan: Scenario) -> Iterator[DatedLine]:
    """Providers and regions that may have no more than a share of the plan."""
    for who, share in plan.shares.items():
        words = spoken(Limit(SHARE, share, who).words)
        yield DatedLine(words, tr("of the first month's $"), "share", str(who))


def only_words(plan: Scenario, key: str) -> str:
    """Only CoreWeave may serve it; "" where anybody may."""
    only = plan.only.get(key, ANYBODY)
    return "" if only == ANYBODY else tr("{who} may serve it", who=who_words(only))
