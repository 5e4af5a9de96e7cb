"""Edits of plans on the small plan (`worlds.plan_project`): names, order, levels, answers, questions and the log."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.edits import plans
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import AS_TODAY, SEPARATED, TODAY, Decision, HandLayer, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S
from tests.domain import worlds
from tests.domain.edits.loaded_project import KEYS, loaded
from tests.domain.edits.refusals import refused

PLAN = "Plan A"


def project(**changes: Any) -> Project:
    return replace(worlds.plan_project(), **changes)


def with_plans(*names: str, **of_first: Any) -> Project:
    first, *others = (Scenario(name=name) for name in names)
    return project(scenarios=(replace(first, **of_first), *others))


def test_plans_are_named_moved_and_deleted() -> None:
    of = with_plans("Plan A", "Plan B \u00b7 signed", "Q")
    assert plans.next_plan_name(of) == "Plan C"
    every = with_plans(*(f"Plan {chr(65 + at)}" for at in range(26)))
    assert plans.next_plan_name(every) == "Plan 27"
    assert plans.shift_plan(of, "Q", -9).scenarios[0].name == "Q"
    assert plans.shift_plan(of, "Plan A", 1).scenarios[1].name == "Plan A"
    assert plans.shift_plan(of, "Q", 3) is of
    scratch = replace(of, scenarios=(*of.scenarios[:2], replace(of.scenarios[2], scratch_of="Plan A")))
    assert plans.rename_plan(scratch, "Plan A", " New  name ").scenarios[2].scratch_of == "New name"
    assert plans.delete_plan(scratch, "Plan A").scenarios[1].scratch_of == ""
    for name in ("", "today", "q"):
        assert refused(plans.rename_plan, of, "Plan A", name)
    assert plans.rename_plan(of, "Plan A", "PLAN A").scenarios[0].name == "PLAN A"
    assert refused(plans.delete_plan, with_plans("Plan A"), "Plan A") and refused(
        plans.delete_plan, of, "Today"
    )
    assert plans.free_plan_name(of, "plan a") == "plan a 2" and plans.free_plan_name(of, "X") == "X"
    assert plans.free_plan_name(of, "Plan A", apart_from="Plan A") == "Plan A"


def test_a_plan_keeps_what_differs_from_the_project() -> None:
    of = project()
    set_in_plan = plans.set_assumption(of, PLAN, "max_term_months", 12)
    assert set_in_plan.scenarios[0].assumptions == {"max_term_months": 12}
    assert plans.set_assumption(set_in_plan, PLAN, "max_term_months", None).scenarios[0].assumptions == {}
    assert plans.set_assumption(of, None, "max_term_months", 12).assumptions.max_term_months == 12
    assert plans.set_assumption(of, None, "max_term_months", None) is of
    assert refused(plans.set_assumption, of, PLAN, "nothing", 1)


@pytest.mark.parametrize(
    ("layers", "is_right"),
    [
        ([HandLayer(12, 4), HandLayer(36, 0)], True),
        ([HandLayer(12, -1)], False),
        ([HandLayer(0, 1)], False),
        ([HandLayer(12, 1), HandLayer(12, 2)], False),
        ([], True),
    ],
)
def test_levels_are_set_by_hand_longest_term_first(layers: list[HandLayer], *, is_right: bool) -> None:
    of, pair = project(), (Pool.TRAINING, "H100")
    if not is_right:
        assert refused(plans.set_hand_layers, of, PLAN, *pair, layers)
        return
    held = plans.set_hand_layers(of, PLAN, *pair, layers, is_rest_advised=True)
    plan = held.scenarios[0]
    assert plan.hand_layers[pair] == tuple(sorted(layers, key=lambda layer: -layer.term_months))
    assert plan.advised_around == {pair}
    assert plans.set_hand_layers(held, PLAN, *pair, layers).scenarios[0].advised_around == frozenset()
    back = plans.set_hand_layers(held, PLAN, *pair, None, is_rest_advised=True).scenarios[0]
    assert back.hand_layers == {} and back.advised_around == frozenset()


def test_a_plan_begins_on_a_whole_hour_after_the_log() -> None:
    of = project()
    end_s = of.window.end_s
    for at_s, is_right in (
        (end_s, True),
        (end_s + HOUR_S, True),
        (end_s - HOUR_S, False),
        (end_s + 1, False),
    ):
        assert refused(plans.set_plan_from, of, at_s) is not is_right
    assert plans.set_plan_from(of, end_s) is of is plans.set_plan_from(of, None)
    later = plans.set_plan_from(of, end_s + HOUR_S)
    assert later.plan_from_s == end_s + HOUR_S and plans.set_plan_from(later, end_s).plan_from_s is None
    assert not refused(plans.set_plan_from, of, end_s + plans.LATEST_PLAN_S)
    assert refused(plans.set_plan_from, of, end_s + plans.LATEST_PLAN_S + HOUR_S)


def test_answers_of_a_plan_are_set_and_taken_back() -> None:
    of = project()
    noticed = plans.state_of_contracts(of, PLAN, "notice_given", ["K2", "K1"])
    assert noticed.scenarios[0].notice_given == ("K1", "K2")
    assert plans.state_of_contracts(noticed, PLAN, "notice_given", ["K1"], holds=False).scenarios[
        0
    ].notice_given == ("K2",)
    assert refused(plans.state_of_contracts, of, PLAN, "notice_given", ["K9"])
    saved = plans.accept_saving(plans.accept_saving(of, PLAN, "autoscale"), PLAN, "right_size")
    assert saved.scenarios[0].accepted == ("right_size", "autoscale")
    assert plans.accept_saving(saved, PLAN, "autoscale", is_accepted=False).scenarios[0].accepted == (
        "right_size",
    )
    ended = plans.end_provider(of, PLAN, " ada ", 5)
    assert ended.scenarios[0].provider_ends == {"Ada": 5} and refused(plans.end_provider, of, PLAN, "Eve", 5)
    assert plans.set_greenfield(of, PLAN, True).scenarios[0].greenfield
    assert plans.set_gap_missing(of, PLAN, True).scenarios[0].is_gap_missing
    assert plans.set_price_case(of, PLAN, PriceCase.LOW).scenarios[0].price_case is PriceCase.LOW


def test_a_question_stands_beside_its_plan_until_it_is_kept_or_discarded() -> None:
    of = project()
    changed = plans.set_greenfield(of, PLAN, True)
    asked = plans.asked_apart(of, changed, PLAN)
    plan, scratch = asked.scenarios
    assert plan is of.scenarios[0] and scratch.scratch_of == PLAN and scratch.greenfield
    assert not plans.asks_nothing(asked, scratch.name) and not plans.asks_nothing(asked, PLAN)
    back = plans.set_greenfield(asked, scratch.name, False)
    assert plans.asks_nothing(back, scratch.name)
    assert plans.asked_apart(of, of, PLAN) is of
    assert (
        plans.asked_apart(asked, plans.set_greenfield(asked, scratch.name, False), scratch.name).scenarios[0]
        is plan
    )
    more = replace(changed, title="x")
    assert plans.asked_apart(of, more, PLAN) is more
    other = replace(changed, scenarios=(*changed.scenarios, Scenario(name="Plan B")))
    assert plans.asked_apart(of, other, PLAN) is other
    assert plans.asked_apart(of, changed, "X") is changed
    kept = plans.keep_question(asked, scratch.name, "Plan A")
    assert [(item.name, item.scratch_of) for item in kept.scenarios] == [("Plan A", ""), ("Plan A 2", "")]
    long = plans.keep_question(asked, scratch.name, "x" * 61).scenarios[1].name
    assert len(long) == 60
    assert plans.discard_question(asked, scratch.name).scenarios == of.scenarios
    assert refused(plans.keep_question, asked, PLAN, "x") and refused(plans.discard_question, asked, PLAN)


def test_a_question_of_no_plan_is_a_plan_that_says_so() -> None:
    first, lost = (
        Scenario(name="Plan A"),
        Scenario(name="Q", scratch_of="Gone", decisions=(Decision(7, "x"),)),
    )
    of = project(
        scenarios=(
            first,
            lost,
            replace(lost, name="R", scratch_of="Q"),
            replace(lost, name="S", scratch_of="Plan A"),
        )
    )
    sound = plans.with_sound_questions(of)
    assert [plan.scratch_of for plan in sound.scenarios] == ["", "", "", "Plan A"]
    assert [decision.at_s for decision in sound.scenarios[1].decisions] == [7, 7]
    bare = project(scenarios=(first, replace(lost, decisions=())))
    assert plans.with_sound_questions(bare).scenarios[1].decisions[0].at_s == bare.plan_window.end_s
    assert plans.with_sound_questions(sound) is sound


def test_a_log_has_a_line_for_what_changed_and_the_oldest_without_a_reason_makes_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    of = project()
    changed = plans.set_greenfield(of, PLAN, True)
    logged = plans.log_decision(of, changed, PLAN, 5, worded("x"))
    assert [(line.at_s, line.reason) for line in logged.scenarios[0].decisions] == [(5, "")]
    assert plans.log_decision(of, of, PLAN, 5, worded("x")) is of
    assert plans.log_decision(of, changed, "X", 5, worded("x")) is changed
    own = plans.add_decision(changed, PLAN, 6, worded("own"))
    assert plans.log_decision(of, own, PLAN, 7, worded("x")) is own
    base = (Decision(1, "a", "why"), Decision(2, "b"), Decision(3, "c"))
    monkeypatch.setattr(plans, "MOST_KEPT", 3)
    full = plans.log_decision(of, changed, PLAN, 9, worded("x"), base)
    assert [line.at_s for line in full.scenarios[0].decisions] == [1, 3, 9]
    reasoned = tuple(replace(line, reason="why") for line in base)
    assert [
        line.at_s
        for line in plans.log_decision(of, changed, PLAN, 9, worded("x"), reasoned).scenarios[0].decisions
    ] == [2, 3, 9]
    short = plans.log_decision(of, changed, PLAN, 9, worded("x"), base[:2])
    assert [line.at_s for line in short.scenarios[0].decisions] == [1, 2, 9]
    said_why = plans.set_reason(logged, PLAN, 0, "  for  cost ")
    assert said_why.scenarios[0].decisions[0].reason == "for cost"
    assert refused(plans.set_reason, logged, PLAN, 1, "x") and refused(
        plans.set_reason, logged, PLAN, -1, "x"
    )
    assert plans.say_the_same(of, plans.add_decision(of, PLAN, 5, worded("x")))
    assert not plans.say_the_same(of, changed) and not plans.say_the_same(of, replace(of, title="x"))


def test_plans_are_added_copied_renamed_and_deleted() -> None:
    project = edits.workloads.move_workloads(loaded(), "Plan A", KEYS[:1], Pool.BURST)
    project = edits.plans.add_plan(project, "Bold", from_name="Plan A")
    project = edits.plans.add_plan(project, "Fresh", from_name=TODAY)
    project = edits.plans.add_plan(project, "Green", start=SEPARATED)
    project = edits.plans.duplicate_plan(project, "Plan A")
    project = edits.plans.rename_plan(project, "Bold", "BOLD")
    project = edits.plans.delete_plan(project, "Plan B")
    assert [plan.name for plan in project.scenarios] == ["Plan A", "Plan C", "BOLD", "Fresh", "Green"]
    assert project.scenario("BOLD").pools == project.scenario("Plan C").pools == {KEYS[0]: Pool.BURST}
    assert project.scenario("Fresh").start == AS_TODAY


def test_the_only_plan_stays() -> None:
    with pytest.raises(PlannerError, match="only plan"):
        edits.plans.delete_plan(edits.plans.delete_plan(loaded(), "Plan B"), "Plan A")


def test_a_plan_keeps_only_assumptions_that_differ() -> None:
    project = edits.plans.set_assumption(loaded(), "Plan A", "lambda", 0.03)
    assert project.scenario("Plan A").assumptions == {"lambda": 0.03}
    back = edits.plans.set_assumption(project, "Plan A", "lambda", project.assumptions.lambda_)
    assert back.scenario("Plan A").assumptions == {}


def test_a_plan_may_unset_what_the_project_sets() -> None:
    project = edits.plans.set_assumption(loaded(), None, "growth_burst", 0.1)
    project = edits.plans.set_assumption(project, "Plan A", "growth_burst", None)
    assert project.assumptions_in(project.scenario("Plan A")).growth_burst is None


def test_layers_set_by_hand_stand_longest_first() -> None:
    layers = [HandLayer(1, 2), HandLayer(36, 0), HandLayer(12, 8)]
    project = edits.plans.set_hand_layers(loaded(), "Plan A", Pool.BURST, "H100", layers)
    assert [layer.term_months for layer in project.scenario("Plan A").hand_layers[Pool.BURST, "H100"]] == [
        36,
        12,
        1,
    ]


def test_whether_the_rest_is_advised_belongs_to_the_levels() -> None:
    levels, key = [HandLayer(12, 8)], (Pool.BURST, "H100")
    before = loaded()
    held = edits.plans.set_hand_layers(before, "Plan A", *key, levels, is_rest_advised=True)
    assert held.scenario("Plan A").advised_around == {key}
    by_hand = edits.plans.set_hand_layers(held, "Plan A", *key, levels)
    assert by_hand.scenarios == edits.plans.set_hand_layers(before, "Plan A", *key, levels).scenarios
    let_go = [edits.plans.set_hand_layers(project, "Plan A", *key, None) for project in (held, by_hand)]
    assert let_go[0].scenarios == let_go[1].scenarios == before.scenarios
