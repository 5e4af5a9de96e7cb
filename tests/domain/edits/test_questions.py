"""A question stands in a scratch copy: the plan stays as it is, the copy is kept or goes, and nothing is lost."""

from dataclasses import replace

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from tests.app.test_random_walk import loaded

A, ASKED = "Plan A", "Plan A \u00b7 what if"


def asked(project: Project, growth: float = 0.1) -> Project:
    return edits.plans.asked_apart(project, edits.plans.set_assumption(project, A, "growth", growth), A)


def test_a_question_leaves_the_plan_as_it_is_and_stands_right_after_it() -> None:
    project = loaded()
    after = asked(project)
    assert after.scenario(A) is project.scenario(A)
    assert [plan.name for plan in after.scenarios][:2] == [A, ASKED]
    copy = after.scenario(ASKED)
    assert (copy.scratch_of, dict(copy.assumptions)) == (A, {"growth": 0.1})
    assert after.plan_before(ASKED) is project.scenario(A)
    assert after.plan_before(A) is None


def test_an_edit_in_the_copy_stays_in_it_and_another_question_is_another_copy() -> None:
    project = asked(loaded())
    further = edits.plans.set_assumption(project, ASKED, "delta", 0.02)
    assert edits.plans.asked_apart(project, further, ASKED) is further
    assert [plan.scratch_of for plan in asked(project, 0.2).scenarios].count(A) == 2


def test_what_is_of_the_whole_project_is_no_question() -> None:
    project = loaded()
    key = project.workloads[0].key
    labelled = edits.workloads.label_workloads(project, (key,), Pool.BURST)
    assert edits.plans.asked_apart(project, labelled, A) is labelled
    both = edits.plans.set_assumption(labelled, A, "growth", 0.1)
    assert edits.plans.asked_apart(project, both, A) is both
    noted = edits.plans.add_decision(project, A, 0, "a word")
    assert edits.plans.asked_apart(project, noted, A) is noted


def test_kept_it_is_a_plan_of_the_proposed_name_and_discarded_it_is_gone() -> None:
    project = asked(loaded())
    kept = edits.plans.keep_question(project, ASKED, "Plan A")
    assert kept.scenario("Plan A 2").scratch_of == ""
    assert kept.plan_before("Plan A 2") is None
    assert edits.plans.discard_question(project, ASKED).scenarios == loaded().scenarios
    for edit in (edits.plans.discard_question, lambda p, name: edits.plans.keep_question(p, name, "x")):
        with pytest.raises(PlannerError, match=A):
            edit(project, A)


def test_the_copy_follows_the_name_of_its_plan_and_is_a_plan_once_that_is_gone() -> None:
    project = asked(loaded())
    assert edits.plans.rename_plan(project, A, "Base").scenario(ASKED).scratch_of == "Base"
    assert edits.plans.delete_plan(project, A).scenario(ASKED).scratch_of == ""
    assert edits.plans.duplicate_plan(project, ASKED).scenarios[2].scratch_of == ""
    gone = replace(project, scenarios=tuple(plan for plan in project.scenarios if plan.name != A))
    assert gone.plan_before(ASKED) is None
