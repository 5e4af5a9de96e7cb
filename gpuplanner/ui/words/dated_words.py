"""What a plan says beyond the log: days, planned work, steps, who alone may serve, and their verbs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain.edits import planned_keys
from gpuplanner.domain.edits.dates import ALL
from gpuplanner.domain.edits.find import TEAM, workloads_called
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model import plan_inputs
from gpuplanner.domain.model.book.only import ANYBODY, who_words
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_OF_WEEK
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import COMMAND, Command
from gpuplanner.ui.words.glossary import lane_of

# --- What a plan says beyond the log: days, planned work, steps, who alone may serve; for cards, lists and dialogs


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


def is_over(spell: plan_inputs.Spell, begins_s: int) -> bool:
    """Whether nothing of a workload is left when a plan begins, epoch seconds.

    A spell that ends just as the plan begins is over.
    """
    return spell.ends_s is not None and spell.ends_s <= begins_s


def spell_words(spell: plan_inputs.Spell, begins_s: int) -> str:
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


def short_spell_words(spell: plan_inputs.Spell, begins_s: int) -> tuple[str, ...]:
    """As `spell_words`, longest first, for a card without room."""
    words = spell_words(spell, begins_s)
    begins, ends = spell.begins_s, spell.ends_s
    if not words or is_over(spell, begins_s):
        return (words,) if words else ()
    if begins is not None and begins > begins_s:
        return (words, tr("from {day}", day=numbers.short_date(begins)))
    if ends is not None:
        return (words, tr("to {day}", day=numbers.short_date(ends - 1)))
    return (words, tr("back"))


def work_spell_words(work: plan_inputs.PlannedWork, begins_s: int) -> str:
    """When planned work is there; from the plan's first day on, for good, is said too."""
    spell = work.spell(begins_s)
    if spell == plan_inputs.Spell(None, None) or (spell.ends_s is None and (spell.begins_s or 0) <= begins_s):
        return tr("at once, for good")
    return spell_words(spell, begins_s)


def work_hours_words(work: plan_inputs.PlannedWork) -> str:
    """Always; Mon-Fri 08-20; 500 hours, done by 20 Nov 2026."""
    if work.length_hours is None:
        return (
            tr("always") if work.hours == plan_inputs.ALWAYS else spoken(plan_inputs.week_words(work.hours))
        )
    hours = numbers.counted(work.length_hours, "hour")
    if work.every_hours is not None:
        every = (
            tr("every week")
            if work.every_hours == HOURS_OF_WEEK
            else tr("every {every}", every=numbers.counted(work.every_hours, "hour"))
        )
        return tr("{hours} {every}", hours=hours, every=every)
    if work.latest_finish_s is None:
        return hours
    return tr("{hours}, done by {day}", hours=hours, day=numbers.date(work.latest_finish_s - 1))


def work_gpus_words(work: plan_inputs.PlannedWork) -> str:
    """64 H100."""
    return tr("{gpus} {gpu_model}", gpus=numbers.significant(work.gpus), gpu_model=work.gpu_model)


def of_words(project: Project, change: plan_inputs.DemandChange) -> str:
    """What a step of demand is of: all demand, a class, a team, or a workload by its name."""
    if change.of == ALL:
        return tr("All demand")
    if change.of in set(Pool):
        return lane_of(Pool(change.of)).title
    if change.keys != (change.of,):
        team = change.of.removeprefix(TEAM)
        return tr("Team {team}", team=team) if team else tr("No team")
    return workload_words(project, change.of)


def workload_words(project: Project, key: str) -> str:
    """What a workload is called; of a part, which workload it is of."""
    called = workloads_called(project, (key,))
    return spoken(called) if isinstance(called, Message) else called


def change_words(project: Project, change: plan_inputs.DemandChange) -> str:
    """Inference x 2 from 1 Mar 2027; Inference evenly to x 2 by 1 Mar 2027."""
    values = {
        "of": of_words(project, change),
        "factor": numbers.significant(change.factor),
        "day": numbers.date(change.from_s),
    }
    if change.by:
        return tr("{of} evenly to \u00d7 {factor} by {day}", **values)
    return tr("{of} \u00d7 {factor} from {day}", **values)


def price_change_words(change: plan_inputs.PriceChange) -> str:
    """Prices of H100 x 0.8 from 1 Mar 2027; Prices of H100 evenly to x 0.8 by 1 Mar 2027."""
    values = {
        "gpu_model": change.gpu_model,
        "factor": numbers.significant(change.factor),
        "day": numbers.date(change.from_s),
    }
    if change.by:
        return tr("Prices of {gpu_model} evenly to \u00d7 {factor} by {day}", **values)
    return tr("Prices of {gpu_model} \u00d7 {factor} from {day}", **values)


def price_changes_words(project: Project, changes: Sequence[plan_inputs.PriceChange]) -> tuple[str, ...]:
    """Each step of prices in words; one that is of every GPU model on offer is said once, as of all prices."""
    offered = {offer.gpu_model for offer in project.offers}
    alike: dict[tuple[float, int, bool], list[plan_inputs.PriceChange]] = {}
    for change in changes:
        alike.setdefault((change.factor, change.from_s, change.by), []).append(change)
    found: list[str] = []
    for (factor, from_s, is_by), steps in alike.items():
        if len(steps) == 1 or {step.gpu_model for step in steps} != offered:
            found += map(price_change_words, steps)
            continue
        values = {"factor": numbers.significant(factor), "day": numbers.date(from_s)}
        found.append(
            tr("All prices evenly to \u00d7 {factor} by {day}", **values)
            if is_by
            else tr("All prices \u00d7 {factor} from {day}", **values)
        )
    return tuple(found)


def plan_from_words(project: Project) -> str:
    """The day that all plans begin: 21 Nov 2026, or the end of the log.

    In UTC.
    """
    begins = project.plan_window
    return tr("end of the log") if begins is project.window else numbers.date(begins.end_s)


def dated_lines(project: Project, plan: plan_inputs.Scenario) -> tuple[DatedLine, ...]:
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


def _planned_lines(project: Project, plan: plan_inputs.Scenario) -> Iterator[DatedLine]:
    """Planned work that the plan counts, a line each."""
    begins_s, works = project.plan_window.end_s, planned_keys(project, plan)
    for work in plan.planned:
        if work.key in works:
            title = tr("{name} is planned: {gpus}", name=work.name, gpus=work_gpus_words(work))
            parts = (lane_of(work.pool).title, work_hours_words(work), work_spell_words(work, begins_s))
            yield DatedLine(title, numbers.MIDDOT.join(parts), "planned", work.key)


def _spell_lines(project: Project, plan: plan_inputs.Scenario) -> Iterator[DatedLine]:
    """Workloads that begin, end or stop, sorted by key; those that an import left out are silent."""
    begins_s = project.plan_window.end_s
    there = {workload.key: workload for workload in project.workloads}
    for key in sorted(plan.spells):
        if key in there:  # what an import no longer brings is kept, and says nothing
            words = spell_words(plan.spells[key], begins_s)
            called = spoken(workloads_called(project, (key,)))
            title = tr("{name}: {when}", name=called, when=words)
            owner = there[key].owner or tr("no owner")
            yield DatedLine(title, numbers.MIDDOT.join((there[key].cluster, owner)), "workload", key)


def _change_lines(project: Project, plan: plan_inputs.Scenario) -> Iterator[DatedLine]:
    """Steps of demand, each with its number."""
    for number, change in enumerate(plan.changes):
        count = numbers.counted(len(change.keys), "workload") if change.keys not in ((), (change.of,)) else ""
        yield DatedLine(change_words(project, change), count or tr("step of demand"), "demand", str(number))


def _price_lines(plan: plan_inputs.Scenario) -> Iterator[DatedLine]:
    """Steps of prices, each with its number."""
    for number, change in enumerate(plan.price_changes):
        yield DatedLine(price_change_words(change), tr("step of prices"), "price", str(number))


def _only_lines(project: Project, plan: plan_inputs.Scenario) -> Iterator[DatedLine]:
    """Workloads that only some providers or regions may serve."""
    there = {workload.key for workload in project.workloads} | planned_keys(project, plan)
    for key in sorted(plan.only):
        if key in there:
            called = spoken(workloads_called(project, (key,)))
            title = numbers.MIDDOT.join((called, only_words(plan, key)))
            yield DatedLine(title, tr("planned apart"), "only", key)


def _share_lines(plan: plan_inputs.Scenario) -> Iterator[DatedLine]:
    """Providers and regions that may have no more than a share of the plan."""
    for who, share in plan.shares.items():
        words = spoken(plan_inputs.Limit(plan_inputs.SHARE, share, who).words)
        yield DatedLine(words, tr("of the first month's $"), "share", str(who))


def only_words(plan: plan_inputs.Scenario, key: str) -> str:
    """Only CoreWeave may serve it; "" where anybody may."""
    only = plan.only.get(key, ANYBODY)
    return "" if only == ANYBODY else tr("{who} may serve it", who=who_words(only))


# --- What a planner can say of when workloads are there: the words of the dialog, and their commands

STOP, END, BEGIN, BACK, CLEAR = "stop", "end", "begin", "back", "clear"
ASKING: Final = (STOP, END, BEGIN)
"""Those that need a day."""


@dataclass(frozen=True, slots=True)
class DateVerb:
    """heading, field, button, note: of the dialog that asks for the day; what is done at once has no dialog."""

    heading: Text = ""
    field: Text = ""
    button: Text = ""
    note: Text = ""


DATE_VERBS: Final[Mapping[str, DateVerb]] = {
    STOP: DateVerb(
        worded("Stop {called}"),
        worded("From"),
        worded("Stop"),
        worded(
            "From the beginning of this day on nothing is planned for it. What it did before stays in the log."
        ),
    ),
    END: DateVerb(
        worded("When {called} ends"),
        worded("Last day"),
        worded("Set last day"),
        worded("It is there until the end of this day. Nothing is signed for it beyond."),
    ),
    BEGIN: DateVerb(
        worded("When {called} begins"),
        worded("First day"),
        worded("Set first day"),
        worded(
            "It is there from the beginning of this day on. The plan's first day, or one before it: at once."
        ),
    ),
    BACK: DateVerb(),
    CLEAR: DateVerb(),
}
"""In the order of the menu. Days are UTC."""


def date_command(verb: str) -> Command:
    """What the verb is called, pressed and explained as, in menus. verb: of DATE_VERBS."""
    return COMMAND[f"date_{verb}"]
