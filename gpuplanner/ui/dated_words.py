"""When a workload is there, work that no log has, and steps of demand, in words for cards, lists and dialogs."""

from collections.abc import Iterator
from dataclasses import dataclass

from gpuplanner.domain.edits import planned_keys
from gpuplanner.domain.edits.dates import ALL
from gpuplanner.domain.edits.find import workloads_called
from gpuplanner.domain.model.dated import ALWAYS, DemandChange, PlannedWork, Spell
from gpuplanner.domain.model.parting import week_words
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import Scenario
from gpuplanner.domain.model.worded import Worded, worded
from gpuplanner.ui import numbers
from gpuplanner.ui.lanes import lane_of
from gpuplanner.ui.localized import localized
from gpuplanner.ui.said import by_count, said


@dataclass(frozen=True, slots=True)
class DatedLine:
    """One thing that a plan says of time. of: a workload of the log, planned work, or demand (a step of it).

    key: of the workload, or the step's number.
    """

    title: str
    note: str
    of: str
    key: str


def is_over(spell: Spell, begins_s: int) -> bool:
    """Whether nothing of a workload is left when a plan begins, epoch seconds."""
    return spell.ends_s is not None and spell.ends_s <= begins_s


def spell_words(spell: Spell, begins_s: int) -> str:
    """Stopped; ends 31 May 2027; begins 1 Dec 2026; 1 Dec 2026 - 31 May 2027; comes back. begins_s: of the plan."""
    begins, ends = spell.begins_s, spell.ends_s
    if ends is not None and is_over(spell, begins_s):
        return said("stopped") if ends == begins_s else said("ended {day}", day=numbers.date(ends - 1))
    is_there = begins is None or begins <= begins_s
    if ends is not None:
        if is_there or begins is None:
            return said("ends {day}", day=numbers.date(ends - 1))
        return numbers.span(begins, ends)
    if begins is None:
        return ""
    return said("comes back") if is_there else said("begins {day}", day=numbers.date(begins))


def short_spell_words(spell: Spell, begins_s: int) -> tuple[str, ...]:
    """As `spell_words`, longest first, for a card without room."""
    words = spell_words(spell, begins_s)
    begins, ends = spell.begins_s, spell.ends_s
    if not words or is_over(spell, begins_s):
        return (words,) if words else ()
    if begins is not None and begins > begins_s:
        return (words, said("from {day}", day=numbers.short_date(begins)))
    if ends is not None:
        return (words, said("to {day}", day=numbers.short_date(ends - 1)))
    return (words, said("back"))


def work_spell_words(work: PlannedWork, begins_s: int) -> str:
    """When planned work is there; from the plan's first day on, for good, is said too."""
    spell = work.spell(begins_s)
    if spell == Spell(None, None) or (spell.ends_s is None and (spell.begins_s or 0) <= begins_s):
        return said("at once, for good")
    return spell_words(spell, begins_s)


def work_hours_words(work: PlannedWork) -> str:
    """Always; Mon-Fri 08-20; 500 hours, done by 20 Nov 2026."""
    if work.length_hours is None:
        return said("always") if work.hours == ALWAYS else localized(week_words(work.hours))
    hours = numbers.counted(work.length_hours, "hour")
    if work.latest_finish_s is None:
        return hours
    return said("{hours}, done by {day}", hours=hours, day=numbers.date(work.latest_finish_s - 1))


def work_gpus_words(work: PlannedWork) -> str:
    """64 H100."""
    return said("{gpus} {gpu_model}", gpus=numbers.significant(work.gpus), gpu_model=work.gpu_model)


def of_words(project: Project, change: DemandChange) -> str:
    """What a step of demand is of: all demand, a class, or a workload by its name."""
    if change.of == ALL:
        return said("All demand")
    if change.of in set(Pool):
        return lane_of(Pool(change.of)).title
    called = workloads_called(project, (change.of,))
    return localized(called) if isinstance(called, Worded) else called


def change_words(project: Project, change: DemandChange) -> str:
    """Inference x 2 from 1 Mar 2027."""
    return said(
        "{of} \u00d7 {factor} from {day}",
        of=of_words(project, change),
        factor=numbers.significant(change.factor),
        day=numbers.date(change.from_s),
    )


def dated_lines(project: Project, plan: Scenario) -> tuple[DatedLine, ...]:
    """All that a plan says of time: planned work, workloads with dates by name, then steps of demand in their order."""
    return (*_planned_lines(project, plan), *_spell_lines(project, plan), *_change_lines(project, plan))


def dated_counts(project: Project, plan: Scenario) -> list[str]:
    """1 planned workload, 2 with dates, 1 step of demand: as many of these as there are."""
    lines = dated_lines(project, plan)
    counts = {of: sum(line.of == of for line in lines) for of in ("planned", "workload", "demand")}
    said_of = {
        "planned": (worded("{count} planned workload"), worded("{count} planned workloads")),
        "workload": (worded("{count} workload with dates"), worded("{count} workloads with dates")),
        "demand": (worded("{count} step of demand"), worded("{count} steps of demand")),
    }
    return [
        by_count(count, *said_of[of], count=numbers.whole(count)) for of, count in counts.items() if count
    ]


def _planned_lines(project: Project, plan: Scenario) -> Iterator[DatedLine]:
    begins_s, works = project.plan_window.end_s, planned_keys(project, plan)
    for work in plan.planned:
        if work.key in works:
            title = said("{name} is planned: {gpus}", name=work.name, gpus=work_gpus_words(work))
            parts = (lane_of(work.pool).title, work_hours_words(work), work_spell_words(work, begins_s))
            yield DatedLine(title, numbers.MIDDOT.join(parts), "planned", work.key)


def _spell_lines(project: Project, plan: Scenario) -> Iterator[DatedLine]:
    begins_s = project.plan_window.end_s
    there = {workload.key: workload for workload in project.workloads}
    for key in sorted(plan.spells):
        if key in there:  # what an import no longer brings is kept, and says nothing
            words = spell_words(plan.spells[key], begins_s)
            called = localized(workloads_called(project, (key,)))
            title = said("{name}: {when}", name=called, when=words)
            owner = there[key].owner or said("no owner")
            yield DatedLine(title, numbers.MIDDOT.join((there[key].cluster, owner)), "workload", key)


def _change_lines(project: Project, plan: Scenario) -> Iterator[DatedLine]:
    for number, change in enumerate(plan.changes):
        count = numbers.counted(len(change.keys), "workload") if change.of in set(Pool) else ""
        yield DatedLine(change_words(project, change), count or said("step of demand"), "demand", str(number))
