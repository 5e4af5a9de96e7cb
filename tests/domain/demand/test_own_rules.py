"""The planner's own rules: where they look, which one decides, what stands above and below them."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.demand.classification import Classification, classify
from gpuplanner.domain.demand.own_rules import (
    DEEPEST,
    MOST_PHRASES,
    RuleHit,
    WordHit,
    check_rule,
    deciding_hits,
    folded,
    name_words,
    pattern_of,
    pattern_words,
    phrases,
    rule_hits,
    word_hits,
)
from gpuplanner.domain.model.cube import Workload, empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.files.system.resources import read_tables

# --- The planner's own rules: where they look, which one decides, what stands above and below them

TABLES = read_tables()


def named(name: str, queue: str = "", owner: str = "o", label: Pool | None = None) -> Workload:
    return Workload(
        key=f"c/{owner}/{name}",
        name=name,
        cluster="c",
        owner=owner,
        label=label,
        queue=queue,
        sample_name=name,
    )


def rule(pattern: str, pool: Pool = Pool.BURST, field: str = "name", rule_id: str = "") -> ClassRule:
    return ClassRule(
        rule_id=rule_id or pattern,
        field=field,
        pattern=pattern,
        pool=pool,
        subtype="",
        confidence=0.97,
        reason="",
    )


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
    assert "“vllm”" in str(by_rule.reasons[0])
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
    own = replace(rule("rollouts?"), reason="{word}: {who} {0}", subtype="rl rollouts")
    answer = found(named("agent-rollouts"), own)
    assert str(answer.reasons[0]).endswith(": rollouts: {who} {0}")
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


def test_a_confidence_is_from_the_least_to_one() -> None:
    for confidence in (0.95, 1.0):
        check_rule(replace(rule("rollout"), confidence=confidence))
    for confidence in (0.949, 1.001):
        with pytest.raises(PlannerError):
            check_rule(replace(rule("rollout"), confidence=confidence))


def test_a_reason_is_the_rules_own_else_that_of_where_it_looks() -> None:
    own = replace(rule("rollout"), reason="{word} {whom}")
    assert str(RuleHit(own, "rollouts").reason).endswith(": rollouts {whom}")
    plain = str(RuleHit(rule("rollout"), "rollouts").reason)
    assert "“rollouts”" in plain and "{whom}" not in plain


# --- Patterns of the planner's own rules: what they stand for, what is refused, and that none can be slow


def of_name(pattern: str) -> set[str]:
    return set(phrases(pattern, with_digits=False))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("rollout", {"rollout"}),
        ("Agent-Rollout_v2", {"agent rollout v"}),
        ("rollout|replay", {"rollout", "replay"}),
        ("rollouts?", {"rollout", "rollouts"}),
        ("tokeni[sz]e", {"tokenise", "tokenize"}),
        ("serv(?:e|ing)", {"serve", "serving"}),
        ("serv(e|ing)", {"serve", "serving"}),
        ("pre ?train", {"pretrain", "pre train"}),
        ("roll*", {"roll*"}),
        ("agent roll*|judge", {"agent roll*", "judge"}),
        ("(llm )?judge", {"judge", "llm judge"}),
        ("träning", {"träning"}),
        ("  eval   harness ", {"eval harness"}),
    ],
)
def test_a_pattern_stands_for_its_phrases(pattern: str, expected: set[str]) -> None:
    assert of_name(pattern) == expected


def test_digits_count_in_queues_and_owners_and_only_separate_words_in_names() -> None:
    assert of_name("gpu1-long") == {"gpu long"}
    assert set(phrases("gpu1-long", with_digits=True)) == {"gpu1 long"}


@pytest.mark.parametrize(
    ("pattern", "place", "remedy"),
    [
        (".*", "position 1", "leave it out"),
        ("roll.*", "position 5", "*"),
        ("roll.*x out", "position 5", "*"),
        ("foo+", "position 4", "*"),
        ("x{3}", "position 2", "Write it out"),
        (r"\brollout", "position 1", "words match whole"),
        ("^rollout", "position 1", "anywhere"),
        ("rollout$", "position 8", "anywhere"),
        ("roll*ing", "roll*ing", "after three or more letters"),
        ("ro*", "ro*", "three or more letters"),
        ("*", "position 1", "after three or more letters"),
        ("(aa|ab)*", "aa*", "after three or more letters"),
        ("roll??", "position 6", "after the optional letter"),
        ("(roll", "position 1", "add a )"),
        ("roll)", "position 5", "open the group"),
        ("[a-z]oll", "[a-z]", "list the letters"),
        ("[roll", "position 1", "add a ]"),
        ("", "empty", "words"),
        ("123", "nothing at all", "two letters"),
        ("rollout|", "nothing at all", "two letters"),
        ("rollout|a", "“a”", "two letters"),
        ("a?b?c?", "“", "two letters"),
        ("(" * 40 + "roll" + ")" * 40, "too deep", "|"),
        ("(ab?)" * 12, f"over {MOST_PHRASES}", "shorten it"),
        ("roll" * 200, "over 400", "two rules"),
    ],
)
def test_what_is_no_pattern_is_refused_with_its_place_and_what_to_write(
    pattern: str, place: str, remedy: str
) -> None:
    with pytest.raises(PlannerError) as refused:
        phrases(pattern, with_digits=False)
    assert refused.value.code == "bad_pattern"
    assert place in str(refused.value.what)
    assert remedy in str(refused.value.remedy)


def test_groups_nest_as_deep_as_is_said() -> None:
    assert phrases("(" * DEEPEST + "roll" + ")" * DEEPEST, with_digits=False) == phrases(
        "roll", with_digits=False
    )
    with pytest.raises(PlannerError):
        phrases("(" * (DEEPEST + 1) + "roll" + ")" * (DEEPEST + 1), with_digits=False)
    beside = "(roll) " * (DEEPEST + 1)
    assert of_name(beside) == of_name(beside.replace("(", "").replace(")", ""))


@given(st.text(alphabet="ab |?()[]*.+{}^$\\-1é", max_size=60))
def test_any_text_is_a_short_list_of_phrases_or_is_refused(pattern: str) -> None:
    try:
        made = phrases(pattern, with_digits=False)
    except PlannerError:
        return  # whatever else it may be, it is said, and nothing else goes wrong
    assert 1 <= len(made) <= MOST_PHRASES
    for phrase in made:
        assert len(re.sub(r"[ *]", "", phrase)) >= 2
        assert phrase == " ".join(phrase.split())


@given(st.lists(st.sampled_from(["agent", "rollouts", "eval", "judge", "ss"]), min_size=1, max_size=3))
def test_a_pattern_made_of_words_stands_for_those_words(words: list[str]) -> None:
    text = " ".join(words)
    assert text in of_name(pattern_of(text))
    assert folded(pattern_words(pattern_of(text))) in of_name(pattern_of(text))


def test_every_shipped_rule_can_be_a_rule_of_the_planner_s_own() -> None:
    for rule in read_tables().class_rules:
        for phrase in of_name(rule.pattern):
            assert re.fullmatch(rule.pattern, phrase), rule.rule_id


def test_words_in_both_numbers_are_said_in_one() -> None:
    assert pattern_of("agent rollouts") == "agent rollouts?"
    assert pattern_words("agent rollouts?") == "agent rollout"
    assert pattern_words("serv(e|ing)s?") == "serv(e|ing)s?"
    assert pattern_of("loss") == "losss?"


# --- Words: the longest phrase wins, hashes hold no words, and pods and schedules are known by how they
# are written

RULES = read_tables().class_rules


def word_rule(rule_id: str, pattern: str, field: str = "name", confidence: float = 0.9) -> ClassRule:
    return ClassRule(
        rule_id=rule_id,
        field=field,
        pattern=pattern,
        pool=Pool.BURST,
        subtype="",
        confidence=confidence,
        reason="“{word}”",
    )


def hits(name: str, *rules: ClassRule, queue: str = "", owner: str = "") -> list[tuple[str, str]]:
    workload = Workload(key="k", name=name, cluster="c", owner=owner, queue=queue, sample_name=name)
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
    short, long = word_rule("short", "batch|inference"), word_rule("long", "batch inference")
    assert hits("batch-inference-7", short, long) == hits("batch-inference-7", long, short)
    assert hits("batch-inference-7", short, long) == [("long", "batch inference")]
    assert hits("inference-batch", short, long) == [("short", "inference")]
    assert hits("batch-of-inference", short, long) == [("short", "batch")]


def test_each_text_is_looked_at_by_its_own_rules_and_the_surest_comes_first() -> None:
    rules = (
        word_rule("n", "a1pha|alpha"),
        word_rule("q", "alpha", "queue", 0.8),
        word_rule("o", "alpha", "owner", 0.95),
    )
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
    workload = Workload(key="k", name=name, cluster="c", owner="o", sample_name=name)
    (found,) = word_hits([workload], (), read_tables().pod_rules)
    assert [hit.rule.rule_id for hit in found] == expected


def test_words_of_a_name_are_those_of_what_it_does_and_of_what_it_is_about() -> None:
    assert name_words(["climate-train-b"], RULES) == [("climate", "train")]
    assert name_words(["train\ntrain-7"], RULES) == [("train",)]


def test_a_quality_of_service_is_a_weak_sign_among_the_reasons() -> None:
    def of(queue: str) -> tuple[WordHit, ...]:
        workload = Workload(key="c//pod", name="pod", cluster="c", owner="", sample_name="pod", queue=queue)
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


@pytest.mark.parametrize(
    ("pattern", "is_read"),
    [
        ("abc[abcdefghijklmnopqrst][abcdefghijklmnopqrstuvwxy]", True),  # 20 x 25 are 500
        ("abc[abcdefghijklmnopqrst][abcdefghijklmnopqrstuvwxyz]", False),
        ("abc[abcdefghijklmnopqrst][abcdefghijklmnopqrstuvwxy]d?", False),
        ("x" * 400, True),
        ("x" * 401, False),
        ("ab*", False),
        ("abc*", True),
        ("a", False),
        ("ab", True),
        ("a|bc", False),
        ("(ab)?", False),
    ],
)
def test_a_pattern_has_five_hundred_phrases_at_most_and_each_two_letters(
    pattern: str, *, is_read: bool
) -> None:
    if is_read:
        assert len(phrases(pattern, with_digits=False)) in (1, MOST_PHRASES)
    else:
        with pytest.raises(PlannerError):
            phrases(pattern, with_digits=False)


def test_a_long_pattern_is_shown_shortened() -> None:
    for length, is_whole in ((60, True), (61, False)):
        with pytest.raises(PlannerError) as fault:
            phrases("x" * (length - 1) + "+", with_digits=False)
        assert ("..." in str(fault.value.where)) is not is_whole


def test_a_rule_is_checked_as_it_is_read_in_its_field() -> None:
    """Digits are letters of queues and owners, and separate the words of names."""
    for field, is_right in (("name", False), ("queue", True), ("owner", True)):
        own = replace(rule("a1"), field=field)
        if is_right:
            check_rule(own)
        else:
            with pytest.raises(PlannerError):
                check_rule(own)


@pytest.mark.parametrize(
    ("pattern", "place"), [("abc[d-f]", 4), ("[d-f]", 1), ("abc[de", 4), ("abc(de", 4), ("abc+", 4), ("+", 1)]
)
def test_places_of_a_pattern_are_counted_from_one(pattern: str, place: int) -> None:
    with pytest.raises(PlannerError) as fault:
        phrases(pattern, with_digits=False)
    assert f"position {place}" in str(fault.value.what)
