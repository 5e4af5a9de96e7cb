"""Edits: a no-op is the same object, A -> B -> A gives the same figures, Today is read-only, nothing is forgotten."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain import edits
from gpuplanner.domain.model.book.contract import RATE_FIELD, Contract
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import TODAY, HandLayer, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from tests.domain.edits.loaded_project import (
    CLASSES,
    KEYS,
    LEAK,
    LEAK_CLASSES,
    LONG,
    ROLLOUTS,
    UNRATED,
    loaded,
)

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
