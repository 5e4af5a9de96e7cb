"""Changed figures: which plans of a project that was saved before say so, and what they say."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.edits.changed_figures import (
    CHANGES,
    FIGURES_REVISION,
    count_changes,
    with_changes_noted,
)
from gpuplanner.domain.model.plan.scenario import Decision, HandLayer, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from tests.domain.commitment.conftest import Load, case, offer

KEY = (Pool.TRAINING, "H100")
FEW = offer("y1", 12, 2.25, max_gpus=24)


def project_of(layers: tuple[HandLayer, ...], *offers: Any, is_fixed: bool = False, **values: Any) -> Project:
    plan = Scenario(name="A", hand_layers={KEY: layers}, advised_around=frozenset({KEY} if is_fixed else ()))
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * 24)]
    return case(loads, (), (offer("od", 0, 6.0), *offers), plan, **values).project


def notes(project: Project, revision: int = 0) -> list[str]:
    return [str(decision.text) for decision in with_changes_noted(project, revision).scenarios[0].decisions]


@pytest.mark.parametrize(
    ("layers", "offers", "is_fixed", "said"),
    [
        ((HandLayer(12, 40),), (FEW,), False, "offers have 24"),
        ((HandLayer(12, 40),), (FEW,), True, "offers have 24"),
        ((HandLayer(12, 24),), (FEW,), False, ""),
        ((HandLayer(12, 24),), (FEW,), True, "GPUs are fixed"),
        ((HandLayer(12, 40),), (FEW, offer("more", 12, 3.0, max_gpus=16)), False, ""),
        ((HandLayer(12, 40),), (FEW, offer("any", 12, 3.0)), True, ""),
        ((HandLayer(12, 40),), (offer("y1", 12, 2.0, lead_time_hours=1008.0),), False, "starts when"),
        ((HandLayer(12, 40),), (offer("y1", 12, 2.0, lead_time_hours=float(HOURS_PER_MONTH)),), False, ""),
        ((HandLayer(6, 40),), (FEW,), False, ""),
        ((HandLayer(12, 0),), (FEW,), True, ""),
        ((), (FEW,), False, ""),
    ],
)
def test_a_plan_says_which_figures_changed_and_why(
    layers: tuple[HandLayer, ...], offers: tuple[Any, ...], is_fixed: bool, said: str
) -> None:
    """A level of another term, of nothing, or of a term without limits changed nothing."""
    lines = notes(project_of(layers, *offers, is_fixed=is_fixed))
    assert len(lines) == bool(said)
    assert all(said in line and "training H100" in line for line in lines)


def test_a_fixed_level_that_waits_for_orders_says_so() -> None:
    waits = project_of((HandLayer(12, 4),), offer("y1", 12, 2.0), is_fixed=True, wait_months=3)
    (line,) = notes(waits)
    assert "starts when" in line
    assert not notes(project_of((HandLayer(12, 4),), offer("y1", 12, 2.0), wait_months=3))


def test_changes_are_counted_by_plan_beside_what_else_the_log_says() -> None:
    made = project_of((HandLayer(12, 40),), FEW)
    (plan,) = made.scenarios
    more = (Decision(0, "Changed since"), *(Decision(0, words) for words in CHANGES[1:]))
    named = replace(plan, name="B", decisions=more)
    project = replace(
        made, scenarios=(*with_changes_noted(made, 0).scenarios, named, replace(plan, name="C"))
    )
    assert count_changes(project) == {"A": 1, "B": 2}


def test_what_was_saved_under_todays_rules_is_itself() -> None:
    project = project_of((HandLayer(12, 40),), FEW)
    assert with_changes_noted(project, FIGURES_REVISION) is project
    without = replace(project, scenarios=(Scenario(name="A"),))
    assert with_changes_noted(without, 0) is without
