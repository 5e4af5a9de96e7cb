"""A question in words, the sliders of "What if", and values of assumptions as shown and typed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any, Final

from gpuplanner.charts.kit.plain_text import tr
from gpuplanner.domain.demand.model_names import ModelMix
from gpuplanner.domain.edits.find import teams_of
from gpuplanner.domain.edits.plans import LONGEST_NAME
from gpuplanner.domain.message import Message, joined, lowered, worded
from gpuplanner.domain.model.assumptions import (
    SPEC_BY_NAME,
    Assumptions,
    AssumptionSpec,
    AssumptionValue,
    parse_assumption,
    read_share,
)
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.dated_words import change_words, price_changes_words, spell_words, workload_words
from gpuplanner.ui.words.glossary import lane_of
from gpuplanner.ui.words.numbers import plain_amount, plain_number

# --- The sliders of "What if" in words: what each sets, its title, its scale, and how its value is said

MODELS, SHARE = "models", "share"
MIX: Final = ("demand_training", "demand_inference")
"""The assumptions that the slider of the share sets together."""


@dataclass(frozen=True, slots=True)
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


SLIDERS: Final = (
    SliderSpec(
        "growth",
        worded("Growth per month"),
        worded("Growth"),
        worded("How much demand grows each month, in every pool"),
        -10,
        20,
        0.005,
    ),
    SliderSpec(
        "delta",
        worded("Price fall per month"),
        worded("Price fall"),
        worded("How much market prices fall each month"),
        0,
        80,
        0.001,
    ),
    SliderSpec(
        "lambda",
        worded("Churn per month"),
        worded("Churn"),
        worded("The chance each month that a slice of demand ends for good"),
        0,
        40,
        0.0025,
    ),
    SliderSpec(
        "growth_inference",
        worded("Traffic per month"),
        worded("Traffic"),
        worded("How much demand for inference grows each month"),
        -10,
        40,
        0.005,
    ),
    SliderSpec(
        MODELS,
        worded("Models"),
        worded("Models"),
        worded("How many models are run: all demand in proportion"),
        1,
        10,
        1,
    ),
    SliderSpec(
        SHARE,
        worded("Inference share"),
        worded("Inference"),
        worded("Inference of the GPU time of training and inference together"),
        1,
        99,
        0.01,
    ),
)


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
    if spec.kind == "choice":
        return str(value).replace("_", " ")
    return numbers.significant(float(value))


def words_with_unit(spec: AssumptionSpec, value: AssumptionValue) -> str:
    """The same in a sentence: 12 months, 900 kW, 3% per month; empty where none is set."""
    said = value_words(spec, value).replace("-", numbers.MINUS)
    has_unit = spec.kind in ("integer", "number") or str(spec.unit).startswith("per ")
    return tr("{value} {unit}", value=said, unit=spec.unit) if said and has_unit and spec.unit else said


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
    plain = plain_amount if "_usd_" in spec.name else plain_number
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
    cleaned = plain_number(text.strip())
    return read_share(f"{cleaned}%" if _is_percent(cleaned) else cleaned)


def share_text(share: float | None) -> str:
    """A share as it is read and typed: 40%; empty where none is set."""
    return "" if share is None else f"{numbers.significant(100 * share, 4)}%"


def _flag(text: str) -> bool | None:
    """Yes or no as the planner's language has it, which is how it is shown; None for any other word."""
    typed = text.strip().casefold()
    return {tr("yes").casefold(): True, tr("no").casefold(): False}.get(typed)


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
    unit = (
        joined((" ", spec.unit))
        if str(spec.unit).startswith("per ") or spec.kind != "ratio"
        else worded(", {unit}", unit=spec.unit)
    )
    entered = worded("enter {spec}{unit}", spec=range_words(spec).replace(numbers.EN_DASH, "to"), unit=unit)
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
    return tr("{plan} \u00b7 {question}", plan=plan, question=", ".join((*parts[:count], *more)))


def _parts(project: Project, asked: Scenario, before: Scenario, mix: ModelMix | None) -> Iterator[str]:
    """Each thing that differs: assumptions, steps of demand and of prices, then what is counted."""
    now, then = project.assumptions_in(asked), project.assumptions_in(before)
    fields = {name: SPEC_BY_NAME[name].field for name in sorted({*asked.assumptions, *before.assumptions})}
    names = [name for name, field in fields.items() if getattr(now, field) != getattr(then, field)]
    by_slider = _slider_words(now, names, mix)
    yield from by_slider.values()
    for name in names:
        if not any(name in said for said in by_slider):
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
    found: dict[tuple[str, ...], str] = {}
    for slider in SLIDERS:
        if slider.name == SHARE:
            share = None if mix is None or not set(MIX) & set(names) else mix.share(now)
            if mix is not None and share is not None and mix.can_shift and _is_shift(now, mix.factors(share)):
                found[MIX] = _titled(slider.title, numbers.whole_percent(share))
        elif slider.name == MODELS:
            models = 0 if mix is None or "demand" not in names else mix.models_at(now.demand)
            if mix is not None and models and isclose(mix.times_for(models), now.demand, rel_tol=1e-9):
                found["demand",] = _titled(slider.title, models_words(mix, models))
        elif slider.name in names and (value := getattr(now, SPEC_BY_NAME[slider.name].field)) is not None:
            found[slider.name,] = _titled(slider.short, rate_words(value))
    return found


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
        title = worded("{pool} {assumption}", pool=of_pool, assumption=lowered(SPEC_BY_NAME[of].title))
    if value is None:
        return _titled(title, tr("not set"))
    if name.startswith("demand"):
        return _titled(title, f"\u00d7 {numbers.significant(float(value), 3)}")
    if spec.name.endswith("_usd_per_month"):
        return _titled(title, tr("{dollars} per month", dollars=numbers.dollars(float(value))))
    said = words_with_unit(spec, value)
    if spec.kind == "flag":
        return tr("{assumption}: {value}", assumption=title, value=said)
    return _titled(title, said)


def _titled(title: Message, value: str) -> str:
    return tr("{assumption} {value}", assumption=lowered(title), value=value)


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
        yield tr("{workload} {when}", workload=workload_words(project, one), when=when)
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
    planned = len(set(asked.planned) ^ set(before.planned))
    if planned:
        yield tr("{workloads} planned", workloads=numbers.counted(planned, "workload"))
    if _differing(asked.only, before.only):
        yield tr("who may serve")
    if _differing(asked.shares, before.shares):
        yield tr("who may have how much")
    if (asked.hand_layers, asked.advised_around) != (before.hand_layers, before.advised_around):
        yield tr("levels set by you")
    if asked.greenfield != before.greenfield:
        yield tr("without contracts") if asked.greenfield else tr("with contracts")
    if asked.notice_given != before.notice_given:
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
