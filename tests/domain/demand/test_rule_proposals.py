"""From a correction to a rule: telling words first, nothing sure against it, ids and words that people can read."""

import pytest

from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.own_rules import deciding_hits
from gpuplanner.domain.demand.rule_proposals import propose_rules, rule_id_for, rule_words
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.tables import ClassRule


def named(name: str, queue: str = "", owner: str = "") -> Workload:
    return Workload(f"c/{owner}/{name}", name, "c", owner, queue=queue, sample_name=name)


WORKLOADS = (
    named("agent-rollouts", "long", "ann"),
    named("agent-serve", "long", "ann"),
    named("judge-rollout", "short", "bob"),
    named("llama-b", "short", "bob"),
    named("run", "long", "ann"),
)
SURE = tuple(
    Classification(pool, "serving", confidence, (), None, "rule")
    for pool, confidence in (
        (Pool.BURST, 0.5),
        (Pool.INFERENCE, 0.95),
        (Pool.BURST, 0.4),
        (Pool.TRAINING, 0.5),
        (Pool.BURST, 0.4),
    )
)


def test_the_telling_word_comes_first_and_what_is_surely_another_class_speaks_against_a_word() -> None:
    first, *others = propose_rules(WORKLOADS, [WORKLOADS[0].key], Pool.BURST, classifications=SURE)
    assert (first.rule.pattern, first.rule.field, first.others, first.against) == ("rollouts?", "name", 1, 0)
    agent = next(one for one in others if one.rule.pattern == "agents?")
    assert (agent.others, agent.against) == (1, 1)
    assert [one.rule.field for one in others][-2:] == ["queue", "owner"]


def test_every_proposal_matches_what_was_corrected_and_counts_the_rest() -> None:
    for wanted in WORKLOADS:
        for one in propose_rules(WORKLOADS, [wanted.key], Pool.TRAINING):
            matched = [
                w for w, hit in zip(WORKLOADS, deciding_hits(WORKLOADS, [one.rule]), strict=True) if hit
            ]
            assert wanted in matched
            assert one.others == len(matched) - 1


def test_words_that_every_name_has_are_proposed_only_where_there_is_nothing_else() -> None:
    patterns = [one.rule.pattern for one in propose_rules(WORKLOADS, [WORKLOADS[3].key], Pool.BURST)]
    assert patterns[0] == "llama b"
    assert propose_rules(WORKLOADS, [WORKLOADS[4].key], Pool.BURST)[0].rule.pattern == "run"


def test_a_word_that_all_corrected_names_have_comes_before_one_of_a_single_name() -> None:
    keys = [WORKLOADS[0].key, WORKLOADS[2].key]
    assert propose_rules(WORKLOADS, keys, Pool.BURST)[0].rule.pattern == "rollouts?"


def test_nothing_is_proposed_for_what_is_not_there_or_has_no_words() -> None:
    assert propose_rules(WORKLOADS, ["gone"], Pool.BURST) == ()
    bare = (Workload("c//7", "7", "c", ""),)
    assert propose_rules(bare, ["c//7"], Pool.BURST) == ()


def test_ids_are_free_and_tell_what_the_rule_does() -> None:
    taken = (ClassRule("burst-rollout", "name", "x", Pool.BURST, "", 0.97, ""),)
    made = propose_rules(WORKLOADS, [WORKLOADS[0].key], Pool.BURST, rules=taken)[0]
    assert made.rule.rule_id == "burst-rollout-2"
    assert rule_id_for(Pool.TRAINING, "serv(e|ing)", ()) == "training-serv-e-ing"


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("name", "names with “rollout” are burst"),
        ("queue", "queue “rollout” is burst"),
        ("owner", "owner “rollout” is burst"),
    ],
)
def test_a_rule_in_words(field: str, said: str) -> None:
    assert str(rule_words(ClassRule("r", field, "rollouts?", Pool.BURST, "", 0.97, ""))) == said


def test_an_id_that_is_taken_gets_the_next_number_and_none_twice() -> None:
    taken: set[str] = set()
    for number in range(40):
        found = rule_id_for(Pool.BURST, "rollouts?", taken)
        assert found == ("burst-rollout" if number == 0 else f"burst-rollout-{number + 1}")
        taken.add(found)
    assert rule_id_for(Pool.BURST, "rollouts?", taken - {"burst-rollout-7"}) not in taken - {
        "burst-rollout-7"
    }
