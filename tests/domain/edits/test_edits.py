"""Edits: a no-op is the same object, A -> B -> A gives the same figures, Today is read-only, nothing is forgotten."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain import edits
from gpuplanner.domain.audit.leak_claims import Part, PartOf
from gpuplanner.domain.audit.leak_list import leak_parts
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.book.contract import (
    CONTRACT_TERMS,
    RATE_FIELD,
    Contract,
    filed_term,
    parts_of_ramp,
    with_known_terms,
    with_terms,
)
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.offer import Offer, PriceCase
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.cube import Workload, cube_from_entries, empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, JobFacts
from gpuplanner.domain.model.plan.scenario import AS_TODAY, SEPARATED, TODAY, HandLayer, LeakStatus, Scenario
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule, Pool, PricingCategory
from gpuplanner.domain.model.window import Window

KEYS = ("c/a/agent-rollouts", "c/b/train-llm", "c/d/vllm-chat")


def loaded() -> Project:
    index = np.array([0, 1, 2])
    return Project(
        window=Window(0, 24),
        cube=cube_from_entries(24, ("H100",), index, np.zeros(3, np.int64), index, np.array([5, 6, 7])),
        workloads=tuple(
            Workload(key=key, name=key.rsplit("/", 1)[1], cluster="c", owner=key.split("/")[1])
            for key in KEYS
        ),
        contracts=(
            Contract(
                contract_id="k1",
                cluster="c",
                gpu_model="H100",
                milli_gpus=8000,
                rate_usd_per_gpu_hour=Decimal("2.75"),
                start_s=-3600,
            ),
        ),
        offers=(
            Offer(
                offer_id="o1",
                gpu_model="H100",
                pricing_category=PricingCategory.COMMITTED,
                term_months=12,
                rate_usd_per_gpu_hour=Decimal("2.10"),
            ),
        ),
        scenarios=(Scenario(name="Plan A"), Scenario(name="Plan B", start=AS_TODAY)),
    )


def found(pool: Pool, confidence: float, source: str = "score") -> Classification:
    return Classification(
        pool=pool, subtype="", confidence=confidence, reasons=(), runner_up=None, source=source
    )


CLASSES = {
    KEYS[0]: found(Pool.BURST, 0.9),
    KEYS[1]: found(Pool.TRAINING, 0.5),
    KEYS[2]: found(Pool.INFERENCE, 0.2, source="label"),
}

ROLLOUTS = ClassRule(
    rule_id="burst-rollout",
    field="name",
    pattern="rollouts?",
    pool=Pool.BURST,
    subtype="",
    confidence=0.97,
    reason="",
)
LONG = ClassRule(
    rule_id="training-long",
    field="queue",
    pattern="long",
    pool=Pool.TRAINING,
    subtype="training run",
    confidence=0.95,
    reason="it is {word}",
)
LEFT = {**{("workload", key): 4.0 for key in KEYS}, ("contract", "k"): 5.0}
LEAK = Leak(
    code="contention",
    subject="c: vllm-chat",
    action="Give inference its own GPUs.",
    leak_id="contention:c",
    cluster="c",
    parts=tuple(leak_parts([Part(PartOf("workload", key), 4.0, 8.0) for key in KEYS], LEFT, 1.0)),
)
TAIL = Leak(
    code="idle_tail",
    subject="c: 1 tail",
    action="Release the GPUs.",
    leak_id="idle_tail:c",
    cluster="c",
    parts=tuple(leak_parts([Part(PartOf("contract", "k"), 5.0, None)], LEFT, 1.0)),
)
EURO = ExchangeRate("EUR", Decimal("1.25"), "2026-10-01")
UNRATED = Contract(
    contract_id="k9",
    cluster="c",
    gpu_model="H100",
    milli_gpus=4000,
    rate_usd_per_gpu_hour=None,
    start_s=0,
    currency="EUR",
    exchange=None,
)
LEAK_CLASSES = {key: one.pool for key, one in CLASSES.items()}

TWICE: dict[str, Callable[[Project], Project]] = {
    "move": lambda project: edits.workloads.move_workloads(project, "Plan A", KEYS[:2], Pool.BURST),
    "label": lambda project: edits.workloads.label_workloads(project, KEYS[:1], Pool.TRAINING),
    "take label": lambda project: edits.workloads.label_workloads(project, KEYS, None),
    "need": lambda project: edits.needs.set_need(project, KEYS[:2], "nodes", 4),
    "take need": lambda project: edits.needs.clear_need(project, KEYS, "nodes"),
    "take all needs": lambda project: edits.needs.clear_need(project, KEYS),
    "pin": lambda project: edits.workloads.pin_workloads(project, "Plan B", KEYS[1:]),
    "note": lambda project: edits.cards.set_note(project, KEYS[0], "ends in March"),
    "take note": lambda project: edits.cards.set_note(project, KEYS[0], " "),
    "merge": lambda project: edits.cards.merge_parts(project, "Plan A", KEYS),
    "take apart": lambda project: edits.cards.take_apart(project, "Plan A", KEYS),
    "unpin": lambda project: edits.workloads.unpin_workloads(project, "Plan B", KEYS),
    "separate": lambda project: edits.workloads.separate_automatically(project, "Plan B", CLASSES),
    "rename": lambda project: edits.plans.rename_plan(project, "Plan A", "Plan A"),
    "accept": lambda project: edits.plans.accept_leak(project, "Plan A", LEAK, LEAK_CLASSES, 9, "Ann"),
    "dismiss": lambda project: edits.plans.dismiss_leak(project, "Plan A", LEAK, "known", 9),
    "reopen": lambda project: edits.plans.reopen_leak(project, "Plan A", LEAK, 9),
    "assumption": lambda project: edits.plans.set_assumption(project, None, "lambda", 0.03),
    "assumption of a plan": lambda project: edits.plans.set_assumption(project, "Plan A", "block", 8),
    "assumption not set": lambda project: edits.plans.set_assumption(project, "Plan A", "growth_burst", None),
    "hand layers": lambda project: edits.plans.set_hand_layers(
        project, "Plan A", Pool.BURST, None, [HandLayer(12, 4)]
    ),
    "held levels": lambda project: edits.plans.set_hand_layers(
        project, "Plan A", Pool.BURST, None, [HandLayer(12, 4)], is_rest_advised=True
    ),
    "advice": lambda project: edits.plans.set_hand_layers(project, "Plan A", Pool.BURST, "H100", None),
    "greenfield": lambda project: edits.plans.set_greenfield(project, "Plan A", True),
    "provider": lambda project: edits.plans.end_provider(
        edits.offers.replace_offers(project, [replace(one, provider="Vela") for one in project.offers]),
        "Plan A",
        "vela",
        project.window.end_s,
    ),
    "gap": lambda project: edits.plans.set_gap_missing(project, "Plan A", True),
    "notice": lambda project: edits.plans.state_of_contracts(
        project, "Plan A", "notice_given", [project.contracts[0].contract_id]
    ),
    "rate": lambda project: edits.contracts.change_contract(
        edits.contracts.add_contracts(project, [UNRATED]), "k9", {RATE_FIELD: Decimal("2.5")}
    ),
    "terms": lambda project: edits.contracts.change_contract(
        project, "k1", {"milli_gpus": 7000, "notice_days": 9}
    ),
    "contracts": lambda project: edits.contracts.replace_contracts(
        project,
        [
            Contract(
                contract_id="k9",
                cluster="c",
                gpu_model=None,
                milli_gpus=1,
                rate_usd_per_gpu_hour=None,
                start_s=0,
            )
        ],
    ),
    "more contracts": lambda project: edits.contracts.add_contracts(
        project,
        [
            Contract(
                contract_id="k9",
                cluster="c",
                gpu_model=None,
                milli_gpus=1,
                rate_usd_per_gpu_hour=None,
                start_s=0,
            )
        ],
    ),
    "offers": lambda project: edits.offers.replace_offers(project, []),
    "more offers": lambda project: edits.offers.add_offers(project, loaded().offers),
    "title": lambda project: edits.inputs.set_title(project, "Q3"),
    "rule": lambda project: edits.class_rules.add_rule(project, ROLLOUTS),
    "rules": lambda project: edits.class_rules.replace_rules(project, [ROLLOUTS, LONG]),
    "no rules": lambda project: edits.class_rules.replace_rules(project, []),
    "mapping": lambda project: edits.model_mappings.set_mapping(
        edits.offers.add_offers(project, [replace(project.offers[0], offer_id="o2", gpu_model="H200")]),
        "h100",
        "h200",
        1.6,
    ),
    "import of nothing": lambda project: edits.inputs.import_inputs(project),
    "import of contracts": lambda project: edits.inputs.import_inputs(
        project, contracts=loaded().contracts, adding=True
    ),
}


@pytest.mark.parametrize("name", TWICE)
def test_the_same_edit_again_returns_its_argument(name: str) -> None:
    once = TWICE[name](loaded())
    assert TWICE[name](once) is once


@pytest.mark.parametrize("name", TWICE)
def test_an_edit_leaves_the_project_it_was_given_as_it_was(name: str) -> None:
    before = loaded()
    held = {field: getattr(before, field) for field in Project.__slots__}
    TWICE[name](before)
    for field, value in held.items():
        assert getattr(before, field) is value
    untouched = loaded()
    assert before.scenarios == untouched.scenarios
    assert before.labels == untouched.labels


@given(st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(list(Pool))), max_size=12))
def test_a_walk_of_moves_ends_where_the_last_move_of_each_workload_says(
    moves: list[tuple[str, Pool]],
) -> None:
    walked = loaded()
    for key, pool in moves:
        walked = edits.workloads.move_workloads(walked, "Plan A", [key], pool)
    assert walked.scenario("Plan A") == Scenario(name="Plan A", pools=dict(moves))


def test_there_and_back_again_is_the_same_plan() -> None:
    there = edits.workloads.move_workloads(loaded(), "Plan A", KEYS, Pool.TRAINING)
    away = edits.workloads.move_workloads(there, "Plan A", KEYS[:1], Pool.BURST)
    assert (
        edits.workloads.move_workloads(away, "Plan A", KEYS[:1], Pool.TRAINING).scenarios == there.scenarios
    )


def test_a_move_shares_everything_that_did_not_change() -> None:
    before = loaded()
    after = edits.workloads.move_workloads(before, "Plan A", KEYS[:1], Pool.BURST)
    assert after.cube is before.cube
    assert after.workloads is before.workloads
    assert after.scenario("Plan B") is before.scenario("Plan B")


READ_ONLY: dict[str, Callable[[Project], Project]] = {
    "move": lambda project: edits.workloads.move_workloads(project, TODAY, KEYS[:1], Pool.BURST),
    "pin": lambda project: edits.workloads.pin_workloads(project, TODAY, KEYS[:1]),
    "merge cards": lambda project: edits.cards.merge_cards(project, TODAY, KEYS, "Both", Pool.BURST),
    "take apart": lambda project: edits.cards.take_apart(project, TODAY, KEYS[:1]),
    "unpin": lambda project: edits.workloads.unpin_workloads(project, TODAY, KEYS[:1]),
    "separate": lambda project: edits.workloads.separate_automatically(project, TODAY, CLASSES),
    "rename": lambda project: edits.plans.rename_plan(project, TODAY, "Yesterday"),
    "delete": lambda project: edits.plans.delete_plan(project, TODAY),
    "duplicate": lambda project: edits.plans.duplicate_plan(project, TODAY),
    "assumption": lambda project: edits.plans.set_assumption(project, TODAY, "lambda", 0.5),
    "hand layers": lambda project: edits.plans.set_hand_layers(project, TODAY, Pool.BURST, None, []),
    "greenfield": lambda project: edits.plans.set_greenfield(project, TODAY, True),
    "decision": lambda project: edits.plans.add_decision(project, TODAY, 0, "Sign"),
    "accept": lambda project: edits.plans.accept_leak(project, TODAY, LEAK, LEAK_CLASSES, 9),
    "dismiss": lambda project: edits.plans.dismiss_leak(project, TODAY, LEAK, "known", 9),
    "reopen": lambda project: edits.plans.reopen_leak(project, TODAY, LEAK, 9),
}


@pytest.mark.parametrize("name", READ_ONLY)
def test_today_is_read_only_and_the_refusal_says_to_make_a_plan(name: str) -> None:
    with pytest.raises(PlannerError, match="read-only"):
        READ_ONLY[name](loaded())


REFUSED: dict[str, Callable[[Project], Project]] = {
    "rate of an unknown contract": lambda project: edits.contracts.change_contract(
        project, "zzz", {RATE_FIELD: Decimal(2)}
    ),
    **{
        f"terms {terms}": lambda project, terms=terms: edits.contracts.change_contract(project, "k1", terms)
        for terms in (
            {"milli_gpus": 0},
            {"milli_gpus": 10**400},
            {"end_s": -(10**10)},
            {"notice_days": -1},
            {"notice_days": 40_000},
        )
    },
    **{
        f"rate of {rate}": lambda project, rate=rate: edits.contracts.change_contract(
            edits.contracts.add_contracts(project, [UNRATED]), "k9", {RATE_FIELD: Decimal(rate)}
        )
        for rate in ("0", "-1", "10001")
    },
    "unknown plan": lambda project: edits.workloads.move_workloads(project, "Plan Z", KEYS, Pool.BURST),
    "unknown workload": lambda project: edits.workloads.move_workloads(
        project, "Plan A", ["c/a/nobody"], Pool.BURST
    ),
    "unknown rule": lambda project: edits.class_rules.remove_rule(project, "zzz"),
    "greedy rule": lambda project: edits.class_rules.add_rule(project, replace(ROLLOUTS, pattern=".*")),
    "rule of an unknown field": lambda project: edits.class_rules.add_rule(
        project, replace(ROLLOUTS, field="cluster")
    ),
    "two rules of one id": lambda project: edits.class_rules.replace_rules(project, [ROLLOUTS, ROLLOUTS]),
    "unknown workload labelled": lambda project: edits.workloads.label_workloads(
        project, ["zzz"], Pool.BURST
    ),
    "name taken, ignoring case": lambda project: edits.plans.add_plan(project, " plan b "),
    "name of Today": lambda project: edits.plans.rename_plan(project, "Plan A", "today"),
    "no name": lambda project: edits.plans.add_plan(project, "  "),
    "unknown need": lambda project: edits.needs.set_need(project, KEYS, "colour", 1),
    "unknown need taken": lambda project: edits.needs.clear_need(project, KEYS, "colour"),
    "need out of range": lambda project: edits.needs.set_need(project, KEYS, "nodes", 0),
    "need of nobody": lambda project: edits.needs.set_need(project, ["zzz"], "nodes", 2),
    "unknown assumption": lambda project: edits.plans.set_assumption(project, None, "luck", 1.0),
    "out of range": lambda project: edits.plans.set_assumption(project, None, "lambda", 1.5),
    "not a number": lambda project: edits.plans.set_assumption(project, None, "lambda", float("nan")),
    "not whole": lambda project: edits.plans.set_assumption(project, None, "block", 1.5),
    "not a flag": lambda project: edits.plans.set_assumption(project, None, "training_checkpoints", 1.0),
    "flag for a number": lambda project: edits.plans.set_assumption(project, None, "lambda", True),
    "unset without a default": lambda project: edits.plans.set_assumption(project, None, "delta", None),
    "negative level": lambda project: edits.plans.set_hand_layers(
        project, "Plan A", Pool.BURST, None, [HandLayer(1, -1)]
    ),
    "mapping of a model that no job has": lambda project: edits.model_mappings.set_mapping(
        project, "H900", "H100", 1.6
    ),
    "mapping onto a model that no offer has": lambda project: edits.model_mappings.set_mapping(
        project, "H100", "H900", 1.6
    ),
    "mapping onto itself": lambda project: edits.model_mappings.set_mapping(project, "H100", "h100", 1.6),
    "dismissed without a reason": lambda project: edits.plans.dismiss_leak(project, "Plan A", LEAK, " ", 9),
    "a term twice": lambda project: edits.plans.set_hand_layers(
        project, "Plan A", Pool.BURST, None, [HandLayer(1, 1), HandLayer(1, 2)]
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_edit_is_refused_with_where_what_and_remedy(name: str) -> None:
    with pytest.raises(PlannerError) as refusal:
        REFUSED[name](loaded())
    assert all((refusal.value.where, refusal.value.what, refusal.value.remedy))


@pytest.mark.parametrize("ratio", [0.0, -1.0, 101.0, float("nan"), True])
def test_a_ratio_out_of_range_is_refused(ratio: float) -> None:
    newer = edits.offers.add_offers(loaded(), [replace(loaded().offers[0], offer_id="o2", gpu_model="H200")])
    with pytest.raises(PlannerError, match="out of range"):
        edits.model_mappings.set_mapping(newer, "H100", "H200", ratio)


def test_mappings_are_sorted_taken_away_and_kept_by_an_import_that_brings_no_such_model() -> None:
    newer = [replace(loaded().offers[0], offer_id=name, gpu_model=name) for name in ("H200", "B200")]
    both = edits.model_mappings.set_mapping(edits.offers.add_offers(loaded(), newer), "H100", "H200", 1.6)
    both = edits.model_mappings.set_mapping(both, "H100", "b200", 2.5)
    assert both.mappings == (ModelMapping("H100", "B200", 2.5), ModelMapping("H100", "H200", 1.6))
    assert edits.inputs.import_inputs(both, offers=loaded().offers).mappings == both.mappings
    back = edits.model_mappings.set_mapping(both, "H100", "B200", None)
    assert back.mappings == (ModelMapping("H100", "H200", 1.6),)
    assert edits.model_mappings.remove_mapping(back, back.mappings[0]).mappings == ()
    of_one = edits.model_mappings.set_mapping(back, "H100", "H200", 1.8, Pool.INFERENCE)
    assert of_one.mappings == (*back.mappings, ModelMapping("H100", "H200", 1.8, Pool.INFERENCE))
    assert edits.model_mappings.set_mapping(of_one, "H100", "H200", None).mappings == of_one.mappings[1:]
    other_case = [replace(newer[0], offer_id="o3", gpu_model="h200")]
    assert {one.gpu_model for one in edits.inputs.import_inputs(both, offers=other_case).offers} == {"H200"}


def test_accepting_a_leak_moves_what_a_plan_can_show_in_one_step_and_logs_it() -> None:
    after = edits.plans.accept_leak(loaded(), "Plan A", LEAK, LEAK_CLASSES, 9, " Ann ")
    plan = after.scenario("Plan A")
    assert plan.pools == {KEYS[2]: Pool.INFERENCE}  # of contention, inference alone
    decided = plan.decision_on("contention:c")
    assert decided is not None
    assert (decided.status, decided.owner, decided.pool, decided.workloads) == (
        LeakStatus.ACCEPTED,
        "Ann",
        Pool.INFERENCE,
        1,
    )
    assert (decided.gpu_hours, decided.usd_per_month) == (12.0, 96.0)
    (line,) = plan.decisions
    assert (line.at_s, str(line.reason)) == (9, "by Ann")
    assert str(line.text).startswith("Accept ") and "c: vllm-chat to inference" in str(line.text)


def test_a_leak_that_a_plan_cannot_show_is_noted_as_not_in_its_dollars() -> None:
    before = edits.workloads.move_workloads(loaded(), "Plan A", KEYS[:1], Pool.BURST)
    plan = edits.plans.accept_leak(before, "Plan A", TAIL, LEAK_CLASSES, 9).scenario("Plan A")
    assert plan.pools == before.scenario("Plan A").pools
    assert plan.leak_decisions[0].pool is None
    assert "not in" in str(plan.decisions[0].text)


def test_a_dismissed_leak_keeps_its_reason_and_opens_again() -> None:
    dismissed = edits.plans.dismiss_leak(loaded(), "Plan A", LEAK, " known until May ", 9)
    decided = dismissed.scenario("Plan A").decision_on("contention:c")
    assert decided is not None
    assert (decided.status, decided.reason) == (LeakStatus.DISMISSED, "known until May")
    plan = edits.plans.reopen_leak(dismissed, "Plan A", LEAK, 10).scenario("Plan A")
    assert plan.leak_decisions == ()
    assert [(str(line.text).split()[0], line.reason) for line in plan.decisions] == [
        ("Dismiss", "known until May"),
        ("Reopen", ""),
    ]


def test_the_last_decision_on_a_leak_is_the_one_that_holds() -> None:
    project = edits.plans.dismiss_leak(loaded(), "Plan A", LEAK, "known", 9)
    project = edits.plans.accept_leak(project, "Plan A", TAIL, LEAK_CLASSES, 10)
    project = edits.plans.accept_leak(project, "Plan A", LEAK, LEAK_CLASSES, 11)
    plan = project.scenario("Plan A")
    assert [(one.leak_id, one.status) for one in plan.leak_decisions] == [
        ("contention:c", LeakStatus.ACCEPTED),
        ("idle_tail:c", LeakStatus.ACCEPTED),
    ]
    assert len(plan.decisions) == 3
    assert project.scenario("Plan B").leak_decisions == ()


def test_a_leak_of_workloads_that_are_gone_is_noted() -> None:
    gone = replace(loaded(), workloads=loaded().workloads[:1])
    plan = edits.plans.accept_leak(gone, "Plan A", LEAK, LEAK_CLASSES, 9).scenario("Plan A")
    assert (plan.pools, plan.leak_decisions[0].pool) == ({}, None)


def test_steps_about_leaks_have_names() -> None:
    label = str(edits.labels.leak_label("Accept", TAIL))
    assert label.startswith("Accept idle ") and label.endswith(", c")


def test_separating_moves_all_but_the_pinned_and_leaves_the_unsure_in_review() -> None:
    moved = edits.workloads.move_workloads(loaded(), "Plan A", [KEYS[0], KEYS[2]], Pool.TRAINING)
    pinned = edits.workloads.pin_workloads(moved, "Plan A", [KEYS[2]])
    assert edits.workloads.separate_automatically(pinned, "Plan A", CLASSES).scenario("Plan A").pools == {
        KEYS[2]: Pool.TRAINING
    }


def test_separating_a_plan_that_starts_as_today_names_the_pools_that_are_sure() -> None:
    separated = edits.workloads.separate_automatically(loaded(), "Plan B", CLASSES)
    assert separated.scenario("Plan B").pools == {
        key: found.pool
        for key, found in CLASSES.items()
        if key != KEYS[1]  # in review, as it was
    }


@pytest.mark.parametrize("plan", ["Plan A", "Plan B"])
def test_an_unsure_card_that_the_planner_placed_stays_where_it_was_placed(plan: str) -> None:
    moved = edits.workloads.move_workloads(loaded(), plan, [KEYS[1]], Pool.BURST)
    separated = edits.workloads.separate_automatically(moved, plan, CLASSES)
    assert separated.scenario(plan).pools[KEYS[1]] is Pool.BURST


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


def test_an_import_keeps_labels_moves_and_plans_of_workloads_that_vanished() -> None:
    before = edits.workloads.label_workloads(
        edits.workloads.move_workloads(loaded(), "Plan A", KEYS, Pool.BURST), KEYS, Pool.TRAINING
    )
    before = edits.needs.set_need(before, KEYS, "bare_metal", False)
    before = edits.cards.set_note(before, KEYS[0], "ends in March")
    before = edits.cards.split_workload(before, "Plan B", KEYS[0], ShareSplit(300))
    jobs = edits.inputs.LoadedJobs(Window(3600, 48), empty_cube(48), (), JobFacts(count=3))
    after = edits.inputs.import_inputs(before, jobs=jobs)
    assert (after.window, after.jobs.count, after.workloads) == (Window(3600, 48), 3, ())
    assert after.labels == before.labels
    assert after.needs == before.needs
    assert set(after.needs) == set(KEYS)
    assert after.notes == {KEYS[0]: "ends in March"}
    assert after.scenarios is before.scenarios
    assert after.contracts == before.contracts


def test_rules_stay_through_an_import_and_through_edits_of_others() -> None:
    before = edits.class_rules.add_rules(loaded(), [ROLLOUTS, LONG])
    jobs = edits.inputs.LoadedJobs(before.window, before.cube, before.workloads[:1], before.jobs)
    assert edits.inputs.import_inputs(before, jobs=jobs).rules == (ROLLOUTS, LONG)
    assert edits.workloads.label_workloads(before, KEYS[:1], Pool.BURST).rules is before.rules


def test_a_rule_added_and_removed_moved_and_moved_back_leaves_the_rules_as_they_were() -> None:
    two = edits.class_rules.add_rules(loaded(), [ROLLOUTS, LONG])
    assert (
        edits.class_rules.remove_rule(
            edits.class_rules.add_rule(two, replace(ROLLOUTS, rule_id="third")), "third"
        ).rules
        == two.rules
    )
    moved = edits.class_rules.move_rule(two, "training-long", -1)
    assert moved.rules == (LONG, ROLLOUTS)
    assert edits.class_rules.move_rule(moved, "training-long", 1).rules == two.rules
    assert edits.class_rules.move_rule(two, "training-long", 9) is two
    assert edits.class_rules.move_rule(two, "burst-rollout", -1) is two


def test_a_rule_of_an_id_that_is_there_takes_its_place() -> None:
    changed = replace(ROLLOUTS, pool=Pool.TRAINING)
    after = edits.class_rules.add_rules(edits.class_rules.add_rules(loaded(), [ROLLOUTS, LONG]), [changed])
    assert after.rules == (changed, LONG)


def test_one_spelling_of_a_gpu_model_throughout() -> None:
    contracts = [
        Contract(
            contract_id="k2",
            cluster="c",
            gpu_model="h100",
            milli_gpus=1,
            rate_usd_per_gpu_hour=None,
            start_s=0,
        ),
        Contract(
            contract_id="k3",
            cluster="c",
            gpu_model="l40s",
            milli_gpus=1,
            rate_usd_per_gpu_hour=None,
            start_s=0,
        ),
    ]
    offers = [
        Offer(
            offer_id="o9",
            gpu_model="L40S",
            pricing_category=PricingCategory.STANDARD,
            term_months=0,
            rate_usd_per_gpu_hour=None,
        )
    ]
    project = edits.inputs.import_inputs(loaded(), contracts=contracts, offers=offers, adding=True)
    assert [row.gpu_model for row in project.contracts] == ["H100", "H100", "l40s"]
    assert [row.gpu_model for row in project.offers] == ["H100", "l40s"]
    none = np.zeros(0, np.int64)
    cube = replace(empty_cube(24), gpu_models=("L40s", "h100"), workload_index=none)
    assert edits.inputs.import_inputs(
        project, jobs=edits.inputs.LoadedJobs(Window(0, 24), cube, (), JobFacts())
    ).cube.gpu_models == ("l40s", "H100")


def test_contracts_and_offers_are_sorted_by_id_and_a_new_one_replaces_its_namesake() -> None:
    newer = Contract(
        contract_id="k1",
        cluster="c",
        gpu_model="H100",
        milli_gpus=16000,
        rate_usd_per_gpu_hour=None,
        start_s=0,
    )
    project = edits.contracts.add_contracts(
        loaded(),
        [
            Contract(
                contract_id="a",
                cluster="c",
                gpu_model=None,
                milli_gpus=1,
                rate_usd_per_gpu_hour=None,
                start_s=0,
            ),
            newer,
        ],
    )
    assert [row.contract_id for row in project.contracts] == ["a", "k1"]
    assert project.contracts[1] == newer


def file(kind: str, path: str) -> FileIntake:
    return FileIntake(
        path=path,
        kind=kind,
        format="",
        rows_read=1,
        rows_accepted=1,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
    )


def test_a_rate_that_is_said_stands_beside_what_the_file_says_until_the_file_states_one() -> None:
    before = edits.contracts.add_contracts(edits.money.with_exchange(loaded(), [EURO]), [UNRATED])
    said = edits.contracts.change_contract(before, "k9", {RATE_FIELD: Decimal("2.5")})
    (row,) = [one for one in said.contracts if one.contract_id == "k9"]
    assert (row.quoted_rate, filed_term(row, RATE_FIELD), row.is_rate_stated) == (Decimal("2.5"), None, True)
    assert row.rate == 2.5 * 1.25 and row.cost_per_month == 4 * 2.5 * 1.25 * 730
    again = edits.inputs.import_inputs(
        said, contracts=[UNRATED]
    )  # the same file once more: nobody is asked twice
    assert again.contracts == (row,)
    stated = edits.inputs.import_inputs(said, contracts=[replace(UNRATED, rate_usd_per_gpu_hour=Decimal(3))])
    assert stated.contracts[0].rate == 3 * 1.25 and not stated.contracts[0].is_rate_stated
    (back,) = [
        one
        for one in edits.contracts.change_contract(said, "k9", {RATE_FIELD: None}).contracts
        if one.contract_id == "k9"
    ]
    assert back == next(one for one in before.contracts if one.contract_id == "k9")
    assert " k9 to \u20ac2.5 per" in str(edits.labels.rate_label("k9", Decimal("2.5"), "EUR"))


RAMP = "2026-09-01=16;2026-12-01=48"


def test_a_ramp_that_is_typed_is_a_contract_a_day_and_stays_until_the_file_states_another() -> None:
    """Its parts are those of a file that says so; taken back, or changed from any part, it is in one piece again."""
    filed = Contract(
        contract_id="k9",
        cluster="c",
        gpu_model="H100",
        milli_gpus=48_000,
        rate_usd_per_gpu_hour=Decimal(2),
        start_s=0,
        prepaid_usd=Decimal(100),
    )
    before = edits.contracts.add_contracts(loaded(), [filed])
    said = edits.contracts.change_contract(before, "k9", {"ramp": RAMP})
    parts = [one for one in said.contracts if one.ramp_of == "k9"]
    assert [(one.gpus, one.prepaid) for one in parts] == [(16, 100), (32, None)]
    again = edits.inputs.import_inputs(said, contracts=[filed])
    assert again.contracts == tuple(parts)
    other = edits.contracts.change_contract(said, parts[1].contract_id, {"ramp": "2026-10-01=48"})
    assert [one.gpus for one in other.contracts if one.ramp_of == "k9"] == [48]
    back = edits.contracts.change_contract(said, "k9", {"ramp": None, "start_s": 0})
    assert [one for one in back.contracts if one.contract_id == "k9"] == [filed]
    stated = edits.inputs.import_inputs(
        said, contracts=parts_of_ramp(replace(filed, ramp="2026-11-01=24;2027-01-01=48"))
    )
    assert [one.gpus for one in stated.contracts] == [24, 24]
    for wrong in ("soon=48", "2026-09-01=x", "2026-09-01=16;2026-08-01=48", "2026-09-01=1e999"):
        with pytest.raises(PlannerError):
            edits.contracts.change_contract(before, "k9", {"ramp": wrong})


TERMS = st.fixed_dictionaries(
    {},
    optional={
        RATE_FIELD: st.one_of(st.none(), st.decimals("0.01", 99, places=2)),
        "milli_gpus": st.integers(1, 10**6),
        "start_s": st.integers(0, 10**6),
        "end_s": st.one_of(st.none(), st.integers(10**7, 10**8)),
        "notice_days": st.one_of(st.none(), st.integers(0, 365)),
    },
)


@given(TERMS, TERMS)
def test_terms_are_kept_beside_the_file_and_taking_them_back_gives_its_contract(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    filed = Contract(
        contract_id="k",
        cluster="c",
        gpu_model="H100",
        milli_gpus=8000,
        rate_usd_per_gpu_hour=Decimal("2.5"),
        start_s=100,
        end_s=10**9,
        notice_days=30,
    )
    after = with_terms(with_terms(filed, first), second)
    assert {name: getattr(after, name) for name in {**first, **second}} == {**first, **second}
    assert {name: filed_term(after, name) for name in CONTRACT_TERMS} == {
        name: getattr(filed, name) for name in CONTRACT_TERMS
    }
    assert with_terms(after, {name: filed_term(after, name) for name in CONTRACT_TERMS}) == filed
    assert with_known_terms(filed, after) == after


def test_what_the_file_says_anew_counts_and_what_it_repeats_leaves_the_planner_right() -> None:
    filed = Contract(
        contract_id="k",
        cluster="c",
        gpu_model="H100",
        milli_gpus=8000,
        rate_usd_per_gpu_hour=Decimal("2.5"),
        start_s=100,
        end_s=10**9,
    )
    said = with_terms(filed, {RATE_FIELD: Decimal(2), "notice_days": 60})
    later = with_known_terms(replace(filed, rate_usd_per_gpu_hour=Decimal(3)), said)
    assert (later.rate_usd_per_gpu_hour, later.notice_days) == (Decimal(3), 60)
    assert dict(later.filed) == {"notice_days": ""}
    label = edits.labels.contract_label(filed, replace(said, milli_gpus=4000))
    assert str(label).partition(": ")[2].split(", ") == ["rate", "GPUs", "notice"]


def test_the_intake_lists_what_is_in_force() -> None:
    first = [file("jobs", "a.csv"), file("contracts", "k.csv"), file("prices", "p.csv")]
    project = edits.inputs.import_inputs(loaded(), intake=first)
    jobs = edits.inputs.LoadedJobs(Window(0, 24), empty_cube(24), (), JobFacts())
    project = edits.inputs.import_inputs(project, jobs=jobs, intake=[file("jobs", "b.csv")])
    assert [row.path for row in project.intake] == ["k.csv", "p.csv", "b.csv"]
    project = edits.inputs.import_inputs(project, offers=(), intake=[file("prices", "q.csv")], adding=True)
    assert [row.path for row in project.intake] == ["k.csv", "p.csv", "b.csv", "q.csv"]


WORDS = (
    (edits.labels.move_label(loaded(), KEYS[:1], Pool.BURST), "Move agent-rollouts to burst"),
    (edits.labels.move_label(loaded(), KEYS, Pool.TRAINING), "Move 3 workloads to training"),
    (edits.labels.label_label(loaded(), KEYS[:1], Pool.BURST), "Label agent-rollouts as burst"),
    (
        edits.labels.need_label(loaded(), KEYS[:1], "memory_gb_per_gpu", 40.0),
        "Set memory per GPU of agent-rollouts to 40 GB",
    ),
    (
        edits.labels.need_label(loaded(), KEYS[:1], "kv_cache_gb", 4.5),
        "Set KV cache of agent-rollouts to 4.5 GB",
    ),
    (edits.labels.need_label(loaded(), KEYS[:2], "bare_metal", False), "Set bare metal of 2 workloads to no"),
    (
        edits.labels.need_label(loaded(), KEYS[:1], "interconnect", "roce"),
        "Set interconnect of agent-rollouts to roce",
    ),
    (edits.labels.need_label(loaded(), KEYS[:1], "nodes", None), "Reset nodes of agent-rollouts"),
    (edits.labels.label_label(loaded(), KEYS[:1], None), "Remove label of agent-rollouts"),
    (edits.labels.pin_label(loaded(), ["gone/a/b"]), "Pin gone/a/b"),
    (edits.labels.unpin_label(loaded(), KEYS[2:]), "Unpin vllm-chat"),
    (edits.labels.merge_cards_label(" Chat  tier ", 3), "Merge 3 cards into Chat tier"),
    (edits.labels.take_apart_label("Chat tier"), "Take Chat tier apart"),
    (edits.labels.SEPARATE_LABEL, "Separate automatically"),
    (edits.labels.level_label(12, 10), "Set 12-month level to 10 GPUs"),
    (edits.labels.level_label(1, 1), "Set 1-month level to 1 GPU"),
    (edits.labels.advice_label(Pool.BURST), "Reset burst to the advice"),
    (edits.labels.assumption_label("lambda", 0.03), "Change attrition to 3%"),
    (edits.labels.assumption_label("wacc", 0.075), "Change cost of capital to 7.5%"),
    (edits.labels.assumption_label("horizon_months", 48), "Change planning horizon to 48 months"),
    (edits.labels.assumption_label("growth_burst", None), "Change growth, burst to not set"),
    (
        edits.labels.assumption_label("training_checkpoints", True),
        "Change training writes checkpoints to yes",
    ),
    (edits.labels.plan_label("Rename", "Plan B"), "Rename Plan B"),
    (edits.labels.import_label(["C:\\logs\\jobs.csv"]), "Import jobs.csv"),
    (edits.labels.import_label(["a", "b"]), "Import 2 files"),
    (edits.labels.add_rule_label(ROLLOUTS), "Add rule: names with “rollout” are burst"),
    (edits.labels.change_rule_label(LONG), "Change rule: queue “long” is training"),
    (edits.labels.remove_rule_label(LONG), "Remove rule: queue “long” is training"),
    (edits.labels.move_rule_label(ROLLOUTS, -1), "Move rule up: names with “rollout” are burst"),
    (edits.labels.import_rules_label(1), "Import 1 rule"),
)


@pytest.mark.parametrize(("said", "expected"), WORDS)
def test_what_undo_says(said: str, expected: str) -> None:
    assert str(said) == expected


# ---------------------------------------------------------------- the price book


def test_every_edit_of_an_offer_is_taken_back_by_the_edit_that_undoes_it() -> None:
    before = loaded()
    for field, value in (
        ("rate_usd_per_gpu_hour", Decimal("2.60")),
        ("rate_low", Decimal("1.50")),
        ("max_gpus", 16),
        ("lead_time_hours", 72.0),
        ("min_term_months", 6),
        ("as_of", "2026-10-01"),
        ("source", "a quote"),
        ("offer_id", "o9"),
    ):
        old = getattr(before.offers[0], field)
        there = edits.money.change_offer(before, "o1", field, value)
        assert getattr(there.offers[0], field) == value
        assert edits.money.change_offer(there, there.offers[0].offer_id, field, old).offers == before.offers
        assert edits.money.change_offer(before, "o1", field, old) is before
    copied = edits.money.duplicate_offer(before, "o1")
    assert [offer.offer_id for offer in copied.offers] == ["o1", "o1 copy"]
    again = edits.money.duplicate_offer(copied, "o1")
    assert [offer.offer_id for offer in again.offers] == ["o1", "o1 copy", "o1 copy 2"]
    assert edits.money.remove_offer(copied, "o1 copy").offers == before.offers
    gone = edits.money.remove_offer(before, "o1")
    assert edits.money.add_offer(gone, before.offers[0]).offers == before.offers


def test_an_offer_that_cannot_be_is_refused() -> None:
    project = edits.money.duplicate_offer(loaded(), "o1")
    for refused in (
        lambda: edits.money.change_offer(project, "o1", "offer_id", "o1 copy"),
        lambda: edits.money.change_offer(project, "o2", "max_gpus", 1),
        lambda: edits.money.change_offer(project, "o1", "max_gpus", 0),
        lambda: edits.money.add_offer(project, project.offers[0]),
        lambda: edits.money.add_offer(
            project,
            Offer(
                offer_id="o3",
                gpu_model="H100",
                pricing_category=PricingCategory.COMMITTED,
                term_months=0,
                rate_usd_per_gpu_hour=None,
            ),
        ),
        lambda: edits.money.remove_offer(project, "o2"),
        lambda: edits.money.duplicate_offer(project, "o2"),
        lambda: edits.plans.set_price_case(project, TODAY, PriceCase.LOW),
    ):
        with pytest.raises(PlannerError) as fault:
            refused()
        assert all((fault.value.where, fault.value.what, fault.value.remedy))


def test_a_price_case_is_of_one_plan_and_goes_back() -> None:
    before = loaded()
    low = edits.plans.set_price_case(before, "Plan A", PriceCase.LOW)
    assert [plan.price_case for plan in low.scenarios] == [PriceCase.LOW, PriceCase.MID]
    assert edits.plans.set_price_case(low, "Plan A", PriceCase.LOW) is low
    assert edits.plans.set_price_case(low, "Plan A", PriceCase.MID).scenarios == before.scenarios


def test_steps_about_offers_have_names() -> None:
    assert " low rate of o1 to $2.10 " in str(edits.labels.offer_label("o1", "rate_low", Decimal("2.10")))
    assert "quote" in str(edits.labels.offer_label("o1", "rate_usd_per_gpu_hour", None))
    assert str(edits.labels.offer_label("o1", "bare_metal", True)).endswith(" of o1 to yes")
    assert str(edits.labels.offer_label("o1", "max_gpus", 1200)).endswith(" o1 to 1,200 GPUs")
    assert str(edits.labels.offers_label("Remove", "o1")) == "Remove offer o1"
    assert str(edits.labels.price_case_label(PriceCase.HIGH)) == "Count with high rates"


def test_a_rate_that_is_entered_is_of_its_day_and_the_one_before_is_kept() -> None:
    old = edits.money.change_offer(loaded(), "o1", "as_of", "2026-01-15")
    rate = old.offers[0].rate_usd_per_gpu_hour
    new = edits.money.change_offer(old, "o1", "rate_usd_per_gpu_hour", Decimal("1.90"), "2026-10-01")
    assert (new.offers[0].rate, new.offers[0].as_of) == (1.90, "2026-10-01")
    assert [(one.rate_usd_per_gpu_hour, one.as_of) for one in new.earlier_offers] == [(rate, "2026-01-15")]
    mistake = edits.money.change_offer(new, "o1", "rate_usd_per_gpu_hour", Decimal("1.95"), "2026-10-01")
    assert mistake.earlier_offers == new.earlier_offers  # of the same day: not a rate that ever was
    named = edits.money.change_offer(new, "o1", "offer_id", "o9")
    assert [one.offer_id for one in named.earlier_offers] == ["o9"]
    for other in ("source", "region"):
        assert (
            edits.money.change_offer(new, "o1", other, "x", "2026-11-01").earlier_offers == new.earlier_offers
        )
    quote = edits.money.change_offer(new, "o1", "rate_usd_per_gpu_hour", None, "2026-11-01")
    assert (quote.offers[0].as_of, quote.earlier_offers) == ("2026-10-01", new.earlier_offers)


@pytest.mark.parametrize("adding", [True, False])
def test_an_import_keeps_the_rates_that_it_takes_the_place_of(adding: bool) -> None:
    old = edits.money.change_offer(loaded(), "o1", "as_of", "2026-01-15")
    newer = replace(old.offers[0], rate_usd_per_gpu_hour=Decimal("1.80"), as_of="2026-09-01")
    oldest = replace(newer, rate_usd_per_gpu_hour=Decimal("4.00"), as_of="2025-01-01")
    after = edits.inputs.import_inputs(old, offers=[newer], earlier_offers=[oldest], adding=adding)
    assert after.offers == (newer,)
    assert after.earlier_offers == (oldest, old.offers[0])
    late = edits.inputs.import_inputs(after, offers=[replace(oldest, as_of="2026-05-01")], adding=True)
    assert late.offers == (newer,)  # an older list that joins the book changes no rate
    assert [one.as_of for one in late.earlier_offers] == ["2025-01-01", "2026-01-15", "2026-05-01"]


def test_a_quote_is_taken_as_quoted_whatever_its_remark_says() -> None:
    source = "Quote RFQ-20261001-7C1E R1; plus VAT"
    before = edits.money.change_offer(loaded(), "o1", "source", source)
    after = edits.money.take_as_quoted(before, "o1")
    (offer,) = [one for one in after.offers if one.offer_id == "o1"]
    assert offer.source == source.replace(";", " as quoted;")
    assert edits.money.take_as_quoted(after, "o1") is after
    (first,) = [one for one in before.offers if one.offer_id == "o1"]
    first = replace(first, starts="2026-12-01", term_months=1)
    days = {"R4": "2026-12-31", "R7": "2027-01-31", "R9": "2027-01-10"}
    renewing = [
        replace(first, offer_id=row, starts=day, source=source.replace("R1", row))
        for row, day in days.items()
    ]
    line = edits.money.take_as_quoted(replace(before, offers=(first, *renewing)), "R7")
    taken = {one.offer_id for one in line.offers if " as quoted" in (one.source or "")}
    assert taken == {"o1", "R4", "R7"}, "a line with what renews it, and no other row"
    with pytest.raises(PlannerError):
        edits.money.take_as_quoted(before, "nobody")


def test_a_ramp_taken_back_is_the_contract_of_the_file_again() -> None:
    filed = Contract(
        contract_id="k9",
        cluster="c",
        gpu_model="H100",
        milli_gpus=48_000,
        rate_usd_per_gpu_hour=Decimal(2),
        start_s=1_767_225_600,
    )
    before = edits.contracts.replace_contracts(loaded(), [filed])
    said = edits.contracts.change_contract(before, "k9", {"ramp": "2026-06-01=16;2026-09-01=48"})
    assert edits.contracts.change_contract(said, "k9", {"ramp": None}).contracts == (filed,)


def parts_by_id(project: Project) -> dict[str, Contract]:
    return {one.contract_id: one for one in project.contracts if one.contract_id.startswith("k9")}


def test_a_changed_ramp_keeps_what_was_said_of_its_later_parts_and_an_import_keeps_it_too() -> None:
    """By their days, else in their order; what was said of the first part alone is not said of them."""
    filed = Contract(
        contract_id="k9",
        cluster="c",
        gpu_model="H100",
        milli_gpus=48_000,
        rate_usd_per_gpu_hour=Decimal(2),
        start_s=1_767_225_600,
        end_s=1_830_297_600,
    )
    said = edits.contracts.change_contract(
        edits.contracts.replace_contracts(loaded(), [filed]), "k9", {"ramp": RAMP}
    )
    said = edits.contracts.change_contract(said, "k9", {RATE_FIELD: Decimal(9)})
    later = {RATE_FIELD: Decimal("1.5"), "notice_days": 60, "end_s": 1_820_000_000, "deposit_usd": Decimal(7)}
    said = edits.contracts.change_contract(said, "k9 from 2026-12-01", later)
    more = edits.contracts.change_contract(said, "k9", {"ramp": "2026-09-01=8;2026-12-01=40;2027-02-01=48"})
    moved = edits.contracts.change_contract(
        said, "k9 from 2026-12-01", {"ramp": "2026-09-01=8;2026-12-15=40"}
    )
    for after, day, gpus in ((more, "2026-12-01", 32), (moved, "2026-12-15", 32)):
        part = parts_by_id(after)[f"k9 from {day}"]
        assert {name: getattr(part, name) for name in later} == later and part.gpus == gpus
        assert parts_by_id(after)["k9"].rate == 9
        again = edits.inputs.import_inputs(after, contracts=[filed])
        assert again.contracts == after.contracts, "the same file once more"
    assert parts_by_id(edits.contracts.change_contract(said, "k9", {"ramp": None})) == {
        "k9": with_terms(filed, {RATE_FIELD: Decimal(9)})
    }
    both = edits.contracts.change_contract(
        said, "k9 from 2026-12-01", {"ramp": "2026-09-01=8;2026-12-01=40", "sla_percent": 99.0}
    )
    assert [one.sla_percent for one in parts_by_id(both).values()] == [None, 99.0]


def test_a_ramp_of_the_file_taken_back_holds_all_its_gpus_and_one_added_takes_its_place() -> None:
    filed = parts_of_ramp(
        Contract(
            contract_id="k9",
            cluster="c",
            gpu_model="H100",
            milli_gpus=48_000,
            rate_usd_per_gpu_hour=Decimal(2),
            start_s=0,
            ramp=RAMP,
        )
    )
    before = edits.contracts.replace_contracts(loaded(), filed)
    said = edits.contracts.change_contract(before, "k9", {"ramp": "2026-09-01=20;2026-12-01=48"})
    (whole,) = parts_by_id(edits.contracts.change_contract(said, "k9", {"ramp": None})).values()
    assert (whole.gpus, whole.start_s) == (48, filed[0].start_s)
    assert (
        edits.contracts.change_contract(said, "k9 from 2026-12-01", {"ramp": RAMP}).contracts
        == before.contracts
    )
    other = parts_of_ramp(replace(whole, ramp="2026-11-01=24;2027-01-01=48", filed=()))
    assert sum(one.gpus for one in parts_by_id(edits.contracts.add_contracts(before, other)).values()) == 48


@pytest.mark.parametrize(
    ("contract_id", "terms", "why"),
    [
        ("k9", {"ramp": "2026-09-01=16;2026-12-01=48000000"}, "48,000,000 GPUs exceed a contract"),
        ("k9", {"ramp": None, "milli_gpus": 10**10}, "10,000,000 GPUs exceed a contract"),
        ("k9 from 2026-12-01", {"milli_gpus": 8_000}, "its GPUs and first day come from GPUs by day"),
    ],
)
def test_gpus_that_no_contract_holds_and_those_that_a_ramp_tells_are_refused(
    contract_id: str, terms: dict[str, Any], why: str
) -> None:
    filed = parts_of_ramp(
        Contract(
            contract_id="k9",
            cluster="c",
            gpu_model="H100",
            milli_gpus=48_000,
            rate_usd_per_gpu_hour=Decimal(2),
            start_s=0,
            ramp=RAMP,
        )
    )
    with pytest.raises(PlannerError, match=why):
        edits.contracts.change_contract(
            edits.contracts.replace_contracts(loaded(), filed), contract_id, terms
        )


def test_take_or_pay_of_a_ramp_is_of_all_its_parts() -> None:
    filed = Contract(
        contract_id="k9",
        cluster="c",
        gpu_model="H100",
        milli_gpus=48_000,
        rate_usd_per_gpu_hour=Decimal(2),
        start_s=1_767_225_600,
    )
    said = edits.contracts.change_contract(
        edits.contracts.replace_contracts(loaded(), [filed]), "k9", {"ramp": "2026-06-01=16;2026-09-01=48"}
    )
    for part in said.contracts:
        after = edits.contracts.change_contract(said, part.contract_id, {"take_or_pay_percent": 80.0})
        assert [one.take_or_pay_percent for one in after.contracts] == [80.0, 80.0]


def test_what_is_prepaid_without_an_end_goes_as_far_as_its_term_wherever_it_ends() -> None:
    paid = Contract(
        contract_id="k9",
        cluster="c",
        gpu_model="H100",
        milli_gpus=8_000,
        rate_usd_per_gpu_hour=None,
        start_s=0,
        term_months=12,
        prepaid_usd=Decimal(70_080),
    )
    assert paid.prepaid_rate == paid.ending(3 * 730 * 3600).prepaid_rate == 1.0
