"""What a plan says beyond the log, and what is asked of it: days, steps, questions, sliders, assumptions as typed."""

from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from operator import attrgetter
from typing import Any, Final

from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain.demand.model_names import ModelMix
from gpuplanner.domain.edits.dates import ALL
from gpuplanner.domain.edits.find import TEAM, planned_keys, teams_of, workloads_called
from gpuplanner.domain.edits.plans import LONGEST_NAME
from gpuplanner.domain.message import Message, Text, lowered, worded
from gpuplanner.domain.model import plan_inputs
from gpuplanner.domain.model.assumptions import (
    SPEC_BY_NAME,
    Assumptions,
    AssumptionSpec,
    AssumptionValue,
    parse_assumption,
    read_share,
)
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.book.only import ANYBODY, who_words
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_OF_WEEK
from gpuplanner.files.system.resources import rows_as, rows_of
from gpuplanner.lazy_dataclass import dataclass
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
    if not words or (ends == begins_s):
        return (words,) if words else ()
    if ends is not None and is_over(spell, begins_s):
        return (words, tr("ended {day}", day=numbers.short_date(ends - 1)))
    if begins is not None and begins > begins_s:
        return (words, tr("from {day}", day=numbers.short_date(begins)))
    if ends is not None:
        return (words, tr("to {day}", day=numbers.short_date(ends - 1)))
    return (words, tr("back"))


def is_at_once_for_good(work: plan_inputs.PlannedWork, begins_s: int) -> bool:
    """Whether planned work is there all through a plan that begins then: it does not come back, for it never went."""
    spell = work.spell(begins_s)
    return spell.ends_s is None and (spell.begins_s or 0) <= begins_s


def work_spell_words(work: plan_inputs.PlannedWork, begins_s: int) -> str:
    """When planned work is there; from the plan's first day on, for good, is said too."""
    if is_at_once_for_good(work, begins_s):
        return tr("immediately, permanently")
    return spell_words(work.spell(begins_s), begins_s)


def work_hours_words(work: plan_inputs.PlannedWork) -> str:
    """Always; Mon-Fri 08-20; 500 hours, done by 20 Nov 2026."""
    if work.length_hours is None:
        return (
            tr("always") if work.hours == plan_inputs.ALWAYS else spoken(plan_inputs.week_words(work.hours))
        )
    hours = numbers.counted(work.length_hours, "hour")
    if work.every_hours is not None:
        every = tr("every {every}", every=numbers.counted(work.every_hours, "hour"))
        if work.every_hours == HOURS_OF_WEEK:
            every = tr("every week")
        return tr("{first} {second}", first=hours, second=every)
    if work.latest_finish_s is None:
        return hours
    return tr("{hours}, done by {day}", hours=hours, day=numbers.date(work.latest_finish_s - 1))


def work_gpus_words(work: plan_inputs.PlannedWork) -> str:
    """64 H100."""
    return tr("{first} {second}", first=numbers.significant(work.gpus), second=work.gpu_model)


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
    return _step_words(of_words(project, change), change)


def _step_words(of: str, change: plan_inputs.DemandChange | plan_inputs.PriceChange) -> str:
    values = {"of": of, "factor": numbers.significant(change.factor), "day": numbers.date(change.from_s)}
    if change.by:
        return tr("{of} evenly to \u00d7 {factor} by {day}", **values)
    return tr("{of} \u00d7 {factor} from {day}", **values)


def price_change_words(change: plan_inputs.PriceChange) -> str:
    """Prices of H100 x 0.8 from 1 Mar 2027; Prices of H100 evenly to x 0.8 by 1 Mar 2027."""
    return _step_words(tr("Prices of {gpu_model}", gpu_model=change.gpu_model), change)


def price_changes_words(project: Project, changes: Sequence[plan_inputs.PriceChange]) -> tuple[str, ...]:
    """Each step of prices in words; one that is of every GPU model on offer is said once, as of all prices."""
    offered = {offer.gpu_model for offer in project.offers}
    alike: dict[tuple[float, int, bool], list[plan_inputs.PriceChange]] = {}
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
    known = {workload.key: workload for workload in project.workloads}
    for key in sorted(plan.spells):
        if key in known:  # what an import no longer brings is kept, and says nothing
            words = spell_words(plan.spells[key], begins_s)
            called = spoken(workloads_called(project, (key,)))
            title = tr("{title}: {value}", title=called, value=words)
            owner = known[key].owner or tr("no owner")
            yield DatedLine(title, numbers.MIDDOT.join((known[key].cluster, owner)), "workload", key)


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
    known = {workload.key for workload in project.workloads} | planned_keys(project, plan)
    for key in sorted(plan.only):
        if key in known:
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


DATE_VERBS: Final = {
    name: DateVerb(*(worded(text) for text in words if text))
    for name, *words in (row.values() for row in rows_of("date_verbs.csv"))
}
"""In the order of the menu. Days are UTC."""


def date_command(verb: str) -> Command:
    """What the verb is called, pressed and explained as, in menus. verb: of DATE_VERBS."""
    return COMMAND[f"date_{verb}"]


# --- The sliders of "What if" in words: what each sets, its title, its scale, and how its value is said

MODELS, SHARE = "models", "share"
MIX: Final = ("demand_training", "demand_inference")
"""The assumptions that the slider of the share sets together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SliderSpec:
    """One slider: the assumption it sets (or MODELS, SHARE), its words, and its scale: value = step x size.

    short: its title where the window is narrow.
    """

    name: str
    title: Message
    short: Message
    tip: Message
    low: int
    high: int
    size: float


SLIDERS: Final = rows_as(SliderSpec, "sliders.csv")


def rate_words(value: float) -> str:
    """1.5%, with a true minus and as many decimals as its steps have."""
    text = numbers.significant(round(abs(100 * value), 2))
    return f"{numbers.MINUS if value < -1e-12 else ''}{text}%"


def models_words(mix: ModelMix, models: int) -> str:
    """2, or 2 with an arrow to 10."""
    now, then = numbers.whole(mix.models), numbers.whole(models)
    return then if models == mix.models else f"{now} \u2192 {then}"


# --- Values of assumptions as the window shows them and takes them: ratios in percent, with the unit said

FROM_THEN_ON_PERCENT = 1.0
"""A bare number of at least this size is percent: 5 is 5%; below it a share: 0.05 is 5%."""


def value_words(spec: AssumptionSpec, value: AssumptionValue) -> str:
    """A value as it is read and typed: 3%, 60, yes; empty where none is set."""
    if value is None:
        return ""
    if spec.kind == "flag":
        return tr("yes") if value else tr("no")
    if spec.kind == "ratio":
        return share_text(float(value))
    return str(value).replace("_", " ") if spec.kind == "choice" else numbers.significant(float(value))


def words_with_unit(spec: AssumptionSpec, value: AssumptionValue) -> str:
    """The same in a sentence: 12 months, 900 kW, 3% per month; empty where none is set."""
    written = value_words(spec, value).replace("-", numbers.MINUS)
    has_unit = spec.kind in ("integer", "number") or str(spec.unit).startswith("per ")
    return (
        tr("{first} {second}", first=written, second=spec.unit)
        if written and has_unit and spec.unit
        else written
    )


WITHOUT_END: Final = 1e12
"""A bound that nobody comes near: its digits would take the room of the names."""


def range_words(spec: AssumptionSpec) -> str:
    """The values it may have: 0% - 100%, yes or no; with an en dash, and a minus sign where one is below zero."""
    if spec.kind == "flag":
        return tr("yes or no")
    low, high = (value_words(spec, bound) for bound in (spec.low, spec.high))
    if spec.high >= WITHOUT_END:
        return tr("{low} or more", low=low)
    return f"{low} {numbers.EN_DASH} {high}".replace("-", numbers.MINUS)


def typed_value(spec: AssumptionSpec, text: str) -> AssumptionValue:
    """The value that was typed; a minus sign and separators of thousands are read as they are shown.

    Errors: PlannerError in the unit of the table, with the range as it is shown there.
    """
    if spec.kind == "flag" and (flag := _flag(text)) is not None:
        return flag
    plain = numbers.plain_amount if "_usd_" in spec.name else numbers.plain_number
    cleaned = plain(text.strip().replace(numbers.MINUS, "-"))
    if spec.kind in ("number", "integer"):
        cleaned = cleaned.replace(",", "")
    if spec.kind == "ratio" and _is_percent(cleaned):
        cleaned += "%"
    try:
        return parse_assumption(spec.name, cleaned)
    except PlannerError as error:
        raise PlannerError(spec.title, error.code, _fault(spec, cleaned), _remedy(spec)) from None


def typed_share(text: str) -> float | None:
    """A share that was typed, 0..1: 40%, 40 or 0.4; None for nothing. Errors: PlannerError."""
    cleaned = numbers.plain_number(text.strip())
    return read_share(f"{cleaned}%" if _is_percent(cleaned) else cleaned)


def share_text(share: float | None) -> str:
    """A share as it is read and typed: 40%; empty where none is set."""
    return "" if share is None else f"{numbers.significant(100 * share, 4)}%"


def _flag(text: str) -> bool | None:
    """Yes or no as the planner's language has it, which is how it is shown; None for any other word."""
    return {tr("yes").casefold(): True, tr("no").casefold(): False}.get(text.strip().casefold())


def _is_percent(text: str) -> bool:
    """Whether a ratio was typed as percent: it is too large to be a ratio."""
    try:
        return abs(float(text)) >= FROM_THEN_ON_PERCENT
    except ValueError:
        return False


def _fault(spec: AssumptionSpec, text: str) -> Message:
    """Why a text is no value of an assumption."""
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        kind = worded("yes or no") if spec.kind == "flag" else worded("a number")
        if not text:
            return worded("there is no value")
        return worded("{value} is not {kind}", value=repr(text), kind=kind)
    if spec.kind == "integer" and number != int(number):
        return worded("{value} is not a whole number", value=text)
    return worded("{value} is out of range", value=text)


def _remedy(spec: AssumptionSpec) -> Message:
    """What to enter, with range and unit."""
    if spec.kind == "flag":
        return worded("enter yes or no")
    limits = range_words(spec).replace(numbers.EN_DASH, "to")
    entered = worded("enter {spec}, {unit}", spec=limits, unit=spec.unit)
    if str(spec.unit).startswith("per ") or spec.kind != "ratio":
        entered = worded("enter {spec} {unit}", spec=limits, unit=spec.unit)
    return worded("{entered}, or nothing", entered=entered) if spec.may_be_none else entered


# --- A question in words: what a scratch copy has that the plan before it has not, and what to call it once it is kept


def question_words(project: Project, asked: Scenario, before: Scenario, mix: ModelMix | None = None) -> str:
    """growth 10%, Inference evenly to × 2 by 1 Mar 2027; what is asked of a plan, in a few words.

    mix: what the sliders of models and of inference's share start from; None where it is not known.
    """
    return ", ".join(_parts(project, asked, before, mix)) or tr("nothing yet")


def kept_name(project: Project, asked: Scenario, before: Scenario, mix: ModelMix | None = None) -> str:
    """What a kept question is called: Plan A · growth 10%; what has no room is counted, not cut."""
    parts = tuple(_parts(project, asked, before, mix)) or (tr("nothing yet"),)
    shorter = (_named(before.name, parts, count) for count in range(len(parts), 0, -1))
    return next((name for name in shorter if len(name) <= LONGEST_NAME), _cut(_named(before.name, parts, 1)))


def _cut(name: str) -> str:
    """As many whole words of a name as it may have letters, and an ellipsis."""
    return f"{name[: LONGEST_NAME - 1].rpartition(' ')[0].rstrip(' ,')}\u2026"


def _named(plan: str, parts: Sequence[str], count: int) -> str:
    """A plan's name with the first parts of a question, and how many more there are."""
    more = (tr("{count} more", count=numbers.whole(len(parts) - count)),) if count < len(parts) else ()
    return tr("{first} · {second}", first=plan, second=", ".join((*parts[:count], *more)))


def _parts(project: Project, asked: Scenario, before: Scenario, mix: ModelMix | None) -> Iterator[str]:
    """Each thing that differs: assumptions, steps of demand and of prices, then what is counted."""
    now, then = project.assumptions_in(asked), project.assumptions_in(before)
    fields = {name: SPEC_BY_NAME[name].field for name in sorted({*asked.assumptions, *before.assumptions})}
    names = [name for name, field in fields.items() if getattr(now, field) != getattr(then, field)]
    by_slider = _slider_words(now, names, mix)
    yield from by_slider.values()
    for name in names:
        if not any(name in slid for slid in by_slider):
            yield _assumption_words(name, getattr(now, fields[name]))
    for change in asked.changes:
        if change not in before.changes:
            yield change_words(project, change)
    new = [step for step in asked.price_changes if step not in before.price_changes]
    yield from price_changes_words(project, new)
    gone = sum(one not in asked.changes for one in before.changes)
    gone += sum(one not in asked.price_changes for one in before.price_changes)
    if gone:
        yield tr("{steps} taken out", steps=numbers.counted(gone, "step"))
    yield from _dated(project, asked, before)
    yield from _counted(project, asked, before)


def _slider_words(now: Assumptions, names: Sequence[str], mix: ModelMix | None) -> dict[tuple[str, ...], str]:
    """What a slider would say of the changed assumptions, by those that it says; each by its name and value there."""
    words: dict[tuple[str, ...], str] = {}
    for slider in SLIDERS:
        if slider.name == SHARE:
            share = None if mix is None or not set(MIX) & set(names) else mix.share(now)
            if mix is not None and share is not None and mix.can_shift and _is_shift(now, mix.factors(share)):
                words[MIX] = _titled(slider.title, numbers.whole_percent(share))
        elif slider.name == MODELS:
            models = 0 if mix is None or "demand" not in names else mix.models_at(now.demand)
            if mix is not None and models and isclose(mix.times_for(models), now.demand, rel_tol=1e-9):
                words["demand",] = _titled(slider.title, models_words(mix, models))
        elif slider.name in names and (value := getattr(now, SPEC_BY_NAME[slider.name].field)) is not None:
            words[slider.name,] = _titled(slider.short, rate_words(value))
    return words


def _is_shift(now: Assumptions, factors: Mapping[str, float]) -> bool:
    """Whether training and inference are a shift from one to the other, as the slider makes it: no growth of both."""
    return all(isclose(getattr(now, name), factor, rel_tol=1e-6) for name, factor in factors.items())


def _assumption_words(name: str, value: AssumptionValue) -> str:
    """power limit 150 kW; inference demand × 1.24: an assumption by its title, with its unit."""
    spec = SPEC_BY_NAME[name]
    title = lowered(spec.title)
    of, _, pool = name.rpartition("_")
    if pool in set(Pool) and of in SPEC_BY_NAME:
        of_pool = lowered(lane_of(Pool(pool)).title)
        title = worded("{first} {second}", first=of_pool, second=lowered(SPEC_BY_NAME[of].title))
    if value is None:
        return _titled(title, tr("not set"))
    if name.startswith("demand"):
        return _titled(title, f"\u00d7 {numbers.significant(float(value), 3)}")
    if spec.name.endswith("_usd_per_month"):
        return _titled(title, tr("{value} per month", value=numbers.dollars(float(value))))
    words = words_with_unit(spec, value)
    if spec.kind == "flag":
        return tr("{title}: {value}", title=title, value=words)
    return _titled(title, words)


def _titled(title: Message, value: str) -> str:
    return tr("{first} {second}", first=lowered(title), second=value)


def _dated(project: Project, asked: Scenario, before: Scenario) -> Iterator[str]:
    """Dates of workloads: team research stopped, where all of it have the same; one by its name; more are counted."""
    keys: set[str] = set(_differing(asked.spells, before.spells))
    for team, of in teams_of(project, asked).items() if len(keys) > 1 else ():
        spells = {asked.spells.get(key) for key in of}
        spell = spells.pop()
        if team and len(of) > 1 and keys.issuperset(of) and not spells and spell is not None:
            dates = spell_words(spell, project.plan_window.end_s)
            yield tr("team {team} {dates}", team=team, dates=dates)
            keys.difference_update(of)
    one = next(iter(keys)) if len(keys) == 1 else ""
    if one in asked.spells:
        when = spell_words(asked.spells[one], project.plan_window.end_s)
        yield tr("{first} {second}", first=workload_words(project, one), second=when)
    elif keys:
        yield tr("dates of {workloads}", workloads=numbers.counted(len(keys), "workload"))


def _counted(project: Project, asked: Scenario, before: Scenario) -> Iterator[str]:
    """What is said by how many there are, or by its name where it is one; or that it is so."""
    moved = _differing(asked.pools, before.pools)
    if len(moved) == 1 and moved[0] in asked.pools:
        pool = lane_of(asked.pools[moved[0]]).title
        yield tr("{workload} in {pool}", workload=workload_words(project, moved[0]), pool=pool)
    elif moved:
        yield tr("{cards} moved", cards=numbers.counted(len(moved), "card"))
    if planned := len(set(asked.planned) ^ set(before.planned)):
        yield tr("{workloads} planned", workloads=numbers.counted(planned, "workload"))
    if _differing(asked.only, before.only):
        yield tr("allowed providers")
    if _differing(asked.shares, before.shares):
        yield tr("provider shares")
    levels = attrgetter("hand_layers", "advised_around", "left_terms")
    if levels(asked) != levels(before):
        yield tr("levels set by you")
    if asked.greenfield != before.greenfield:
        yield tr("without contracts") if asked.greenfield else tr("with contracts")
    if asked.stated_of_contracts() != before.stated_of_contracts():
        yield tr("notices given")
    if asked.accepted != before.accepted:
        yield tr("other savings accepted")
    for name, at_s in asked.provider_ends.items():
        if before.provider_ends.get(name) != at_s:
            yield tr("{provider} stops on {day}", provider=name, day=numbers.date(at_s))
    if asked.is_gap_missing != before.is_gap_missing:
        yield tr("gaps missing") if asked.is_gap_missing else tr("gaps idle")
    if asked.price_case is not before.price_case:
        cases = {
            PriceCase.LOW: tr("low rates"),
            PriceCase.MID: tr("mid rates"),
            PriceCase.HIGH: tr("high rates"),
        }
        yield cases[asked.price_case]
    if asked.splits != before.splits:
        yield tr("cards divided")


def _differing(asked: Mapping[Any, object], before: Mapping[Any, object]) -> list[Any]:
    """The keys of two mappings that have another value, or are in one alone."""
    return [] if asked is before else [key for key in {*asked, *before} if asked.get(key) != before.get(key)]
