"""A question in words: what a scratch copy has that the plan before it has not, and what to call it once it is kept."""

from collections.abc import Iterator, Mapping
from typing import Any

from gpuplanner.domain.message import lowered
from gpuplanner.domain.model.book.price_case import PriceCase
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.scenario.plan_inputs import Scenario
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.assumption_values import value_words
from gpuplanner.ui.words.dated_words import change_words, price_change_words
from gpuplanner.ui.words.translation import tr


def question_words(project: Project, asked: Scenario, before: Scenario) -> str:
    """growth 10%, Inference evenly to × 2 by 1 Mar 2027; what is asked of a plan, in a few words."""
    return ", ".join(_parts(project, asked, before)) or tr("nothing yet")


def kept_name(project: Project, asked: Scenario, before: Scenario) -> str:
    """What a kept question is called: Plan A · growth 10%."""
    return tr("{plan} \u00b7 {question}", plan=before.name, question=question_words(project, asked, before))


def _parts(project: Project, asked: Scenario, before: Scenario) -> Iterator[str]:
    """Each thing that differs: assumptions, steps of demand and of prices, then what is counted."""
    now, then = project.assumptions_in(asked), project.assumptions_in(before)
    for name in sorted({*asked.assumptions, *before.assumptions}):
        spec = SPEC_BY_NAME[name]
        value = getattr(now, spec.field)
        if value != getattr(then, spec.field):
            said = value_words(spec, value) or tr("not set")
            is_worked_out = name.startswith("demand") and spec.kind == "number"  # from models and shares
            if is_worked_out:  # with many digits
                said = f"\u00d7 {numbers.significant(float(value), 3)}"
            yield tr("{assumption} {value}", assumption=lowered(spec.title), value=said)
    for change in asked.changes:
        if change not in before.changes:
            yield change_words(project, change)
    for step in asked.price_changes:
        if step not in before.price_changes:
            yield price_change_words(step)
    gone = sum(one not in asked.changes for one in before.changes)
    gone += sum(one not in asked.price_changes for one in before.price_changes)
    if gone:
        yield tr("{steps} taken out", steps=numbers.counted(gone, "step"))
    yield from _counted(asked, before)


def _counted(asked: Scenario, before: Scenario) -> Iterator[str]:
    """What is said by how many there are, or that it is so."""
    moved = _differing(asked.pools, before.pools)
    if moved:
        yield tr("{cards} moved", cards=numbers.counted(moved, "card"))
    dated = _differing(asked.spells, before.spells)
    if dated:
        yield tr("dates of {workloads}", workloads=numbers.counted(dated, "workload"))
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
    if asked.price_case is not before.price_case:
        cases = {
            PriceCase.LOW: tr("low rates"),
            PriceCase.MID: tr("mid rates"),
            PriceCase.HIGH: tr("high rates"),
        }
        yield cases[asked.price_case]
    if asked.splits != before.splits:
        yield tr("cards divided")


def _differing(asked: Mapping[Any, object], before: Mapping[Any, object]) -> int:
    """How many keys of two mappings have another value, or are in one alone."""
    return 0 if asked is before else sum(asked.get(key) != before.get(key) for key in {*asked, *before})
