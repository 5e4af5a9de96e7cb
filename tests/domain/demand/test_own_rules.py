"""The planner's own rules: where they look, which one decides, what stands above and below them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.classification import classify
from gpuplanner.domain.demand.own_rules import check_rule, deciding_hits, rule_hits
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.cube import empty_cube
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.files.system.resources import read_tables

TABLES = read_tables()


def named(name: str, queue: str = "", owner: str = "o", label: Pool | None = None) -> Workload:
    return Workload(f"c/{owner}/{name}", name, "c", owner, label, queue=queue, sample_name=name)


def rule(pattern: str, pool: Pool = Pool.BURST, field: str = "name", rule_id: str = "") -> ClassRule:
    return ClassRule(rule_id or pattern, field, pattern, pool, "", 0.97, "")


def found(workload: Workload, *rules: ClassRule, label: Pool | None = None) -> Classification:
    labels = {} if label is None else {workload.key: label}
    return classify([workload], empty_cube(24), labels, TABLES, rules)[0]


@pytest.mark.parametrize(
    ("name", "matches"),
    [
        ("agent-rollouts", True),
        ("AgentRollouts.2026-01-05", True),
        ("rollout_7", True),
        ("rolloutserver", False),
        ("unrollout", False),
        ("", False),
    ],
)
def test_a_rule_matches_whole_words_of_a_name(name: str, matches: bool) -> None:
    assert (deciding_hits([named(name)], [rule("rollouts?")])[0] is not None) is matches


def test_words_of_a_phrase_follow_each_other_and_a_star_takes_any_ending() -> None:
    names = [named(name) for name in ("agent-eval-rollout", "agent-rollout", "agent-rolling", "roll")]
    assert [hit is not None for hit in deciding_hits(names, [rule("agent roll*")])] == [
        False,
        True,
        True,
        False,
    ]


def test_queues_and_owners_are_told_apart_by_their_digits() -> None:
    workloads = [named("x", queue="gpu1"), named("x", queue="gpu2"), named("x", queue="long", owner="u17")]
    assert [bool(hit) for hit in deciding_hits(workloads, [rule("gpu1", field="queue")])] == [
        True,
        False,
        False,
    ]
    assert [bool(hit) for hit in deciding_hits(workloads, [rule("u17", field="owner")])] == [
        False,
        False,
        True,
    ]


def test_the_order_is_label_of_the_planner_label_of_the_import_own_rules_shipped_rules() -> None:
    own = rule("vllm", Pool.BURST)
    plain, labelled = named("vllm-chat"), named("vllm-chat", label=Pool.TRAINING)
    assert found(plain).source == "rule"
    by_rule = found(plain, own)
    assert (by_rule.pool, by_rule.source, by_rule.runner_up) == (Pool.BURST, "own_rule", Pool.INFERENCE)
    assert by_rule.is_settled
    assert by_rule.confidence >= 0.95
    assert str(by_rule.reasons[0]) == "your rule: the name says “vllm”"
    assert len(by_rule.reasons) == 3
    assert (found(labelled, own).pool, found(labelled, own).source) == (Pool.TRAINING, "label")
    by_planner = found(labelled, own, label=Pool.INFERENCE)
    assert (by_planner.pool, by_planner.source) == (Pool.INFERENCE, "override")


def test_the_first_rule_that_matches_decides_wherever_it_looks() -> None:
    workload = named("agent-rollouts", queue="long")
    by_queue, by_name = rule("long", Pool.TRAINING, "queue"), rule("rollouts", Pool.BURST)
    assert found(workload, by_queue, by_name).pool is Pool.TRAINING
    assert found(workload, by_name, by_queue).pool is Pool.BURST


def test_a_reason_and_a_subtype_of_the_planner_s_own_are_said_braces_and_all() -> None:
    own = replace(rule("rollouts?"), reason="{word}: {who} {0} said so", subtype="rl rollouts")
    answer = found(named("agent-rollouts"), own)
    assert str(answer.reasons[0]) == "your rule: rollouts: {who} {0} said so"
    assert answer.subtype == "rl rollouts"


@given(
    st.lists(
        st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map("x-".join), min_size=1, max_size=6
    ),
    st.permutations(["ax bx", "bx", "bx cx", "cx*", "ax", "dx|ax bx"]),
)
def test_looking_up_phrases_is_as_searching_for_each(names: list[str], patterns: list[str]) -> None:
    """A law: the index answers as trying every rule by itself does."""
    workloads = [named(name + "x") for name in names]
    rules = [rule(pattern.replace("cx*", "cxx*"), rule_id=str(at)) for at, pattern in enumerate(patterns)]
    together = rule_hits(workloads, rules)
    for at, workload in enumerate(workloads):
        alone = [one for one in rules if deciding_hits([workload], [one])[0] is not None]
        assert [hit.rule for hit in together[at]] == alone


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (rule("rollout", rule_id=" "), "missing_column"),
        (rule("rollout", field="cluster"), "bad_rule"),
        (rule(".*"), "bad_pattern"),
        (replace(rule("rollout"), confidence=0.6), "bad_number"),
        (replace(rule("rollout"), confidence=float("nan")), "bad_number"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(wrong: ClassRule, code: str) -> None:
    with pytest.raises(PlannerError) as refused:
        check_rule(wrong)
    assert refused.value.code == code
