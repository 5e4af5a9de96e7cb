"""Words: the longest phrase wins, hashes hold no words, and pods and schedules are known by how they are written."""

import pytest

from gpuplanner.domain.demand.words import WordHit, folded, name_words, word_hits
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.files.system.resources import read_tables

RULES = read_tables().class_rules


def rule(rule_id: str, pattern: str, field: str = "name", confidence: float = 0.9) -> ClassRule:
    return ClassRule(rule_id, field, pattern, Pool.BURST, "", confidence, "“{word}”")


def hits(name: str, *rules: ClassRule, queue: str = "", owner: str = "") -> list[tuple[str, str]]:
    workload = Workload("k", name, "c", owner, queue=queue, sample_name=name)
    return [(hit.rule.rule_id, hit.word) for hit in word_hits([workload], rules)[0]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("speech2text-Streaming_gw", "speech text streaming gw"),
        ("chat-7d9f8c6b5-x2k4q", "chat"),
        ("run_a1b9f03e77", "run"),
        ("38cae22f3a", ""),
        ("cafe-facade", "cafe facade"),
        ("w2v-x264", "w v x"),
        ("trainLlama3", "train llama"),
    ],
)
def test_a_name_is_taken_apart_into_words_and_codes_are_none(text: str, words: str) -> None:
    assert folded(text) == words


def test_the_longest_phrase_takes_its_words_whatever_the_order_of_the_table() -> None:
    short, long = rule("short", "batch|inference"), rule("long", "batch inference")
    assert hits("batch-inference-7", short, long) == hits("batch-inference-7", long, short)
    assert hits("batch-inference-7", short, long) == [("long", "batch inference")]
    assert hits("inference-batch", short, long) == [("short", "inference")]
    assert hits("batch-of-inference", short, long) == [("short", "batch")]


def test_each_text_is_looked_at_by_its_own_rules_and_the_surest_comes_first() -> None:
    rules = (rule("n", "a1pha|alpha"), rule("q", "alpha", "queue", 0.8), rule("o", "alpha", "owner", 0.95))
    assert hits("alpha", *rules) == [("n", "alpha")]
    assert hits("alpha", *rules, queue="Alpha", owner="alpha-team") == [
        ("o", "alpha"),
        ("n", "alpha"),
        ("q", "alpha"),
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ranker-7d9f8c6b5-x2k4q", ["inference-pod"]),
        ("import-28391040-x2k4q", ["burst-cron-pod"]),
        ("ranker-20260105-run12", []),
        ("ranker-llama13b-a100x", []),
        ("ranker-0", []),
    ],
)
def test_pods_of_deployments_and_of_schedules_are_told_by_their_names(name: str, expected: list[str]) -> None:
    workload = Workload("k", name, "c", "o", sample_name=name)
    (found,) = word_hits([workload], (), read_tables().pod_rules)
    assert [hit.rule.rule_id for hit in found] == expected


def test_words_of_a_name_are_those_of_what_it_does_and_of_what_it_is_about() -> None:
    assert name_words(["climate-train-b"], RULES) == [("climate", "train")]
    assert name_words(["train\ntrain-7"], RULES) == [("train",)]


def test_a_quality_of_service_is_a_weak_sign_among_the_reasons() -> None:
    def of(queue: str) -> tuple[WordHit, ...]:
        workload = Workload("c//pod", "pod", "c", "", sample_name="pod", queue=queue)
        return word_hits([workload], read_tables().class_rules)[0]

    found = {queue: of(queue) for queue in ("LS", "BE", "Burstable", "Guaranteed")}
    assert {queue: [hit.rule.pool for hit in hits] for queue, hits in found.items()} == {
        "LS": [Pool.INFERENCE],
        "BE": [Pool.BURST],
        "Burstable": [Pool.BURST],
        "Guaranteed": [],
    }
    assert all(
        hit.rule.confidence < 0.5 for hits in found.values() for hit in hits
    )  # alone it leaves review to people
    assert "quality of service" in str(found["LS"][0].reason)
