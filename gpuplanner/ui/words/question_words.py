"""A question in words: differences of a scratch copy, and its name."""

from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from operator import attrgetter
from typing import Any

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.demand.model_names import ModelMix
from gpuplanner.domain.edits.find import teams_of
from gpuplanner.domain.edits.plans import LONGEST_NAME
from gpuplanner.domain.message import Message, lowered, worded
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, Assumptions, AssumptionValue
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.dated_words import change_words, price_changes_words, spell_words, workload_words
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.sliders import MIX, MODELS, SHARE, SLIDERS, models_words, rate_words
from gpuplanner.ui.words.typed_assumptions import words_with_unit


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
