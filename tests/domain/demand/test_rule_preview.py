"""The preview of other rules: it says what applying them does, it adds up, and it names what it leaves alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain import edits
from gpuplanner.domain.demand.classification import Classification, classify
from gpuplanner.domain.demand.own_rules import deciding_hits
from gpuplanner.domain.demand.rule_preview import (
    IMPORTED,
    LABELLED,
    LeftAlone,
    RuleAmount,
    RulePreview,
    expense_sort_key,
    matched_words,
    propose_rules,
    rule_amounts,
    rule_id_for,
    rule_preview,
    rule_words,
)
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, ClassRule, Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import read_tables

# --- The preview of other rules: it says what applying them does, it adds up, and it names what it leaves
# alone

TABLES = read_tables()
NAMES = ("agent-rollouts", "judge-rollout", "rollout-sweep", "train-llm", "vllm-chat")
HOURS = 730
USD = {f"c/o/{name}": 100.0 * (at + 1) for at, name in enumerate(NAMES)}


def rule(pattern: str, pool: Pool, rule_id: str = "") -> ClassRule:
    return ClassRule(
        rule_id=rule_id or pattern,
        field="name",
        pattern=pattern,
        pool=pool,
        subtype="",
        confidence=0.97,
        reason="",
    )


def loaded(*rules: ClassRule, labels: dict[str, Pool] | None = None) -> Project:
    index = np.arange(len(NAMES))
    amounts = 3_600_000 * (index + 1)
    return Project(
        window=Window(0, HOURS),
        cube=cube_from_entries(HOURS, ("H100",), index, np.zeros_like(index), index, amounts),
        workloads=tuple(
            Workload(
                key=f"c/o/{name}",
                name=name,
                cluster="c",
                owner="o",
                label=Pool.INFERENCE if name == "judge-rollout" else None,
                milli_gpu_seconds=int(amounts[at]),
            )
            for at, name in enumerate(NAMES)
        ),
        rules=rules,
        labels=labels or {},
    )


def preview(project: Project, *rules: ClassRule) -> RulePreview:
    now = classify(project.workloads, project.cube, project.labels, TABLES, project.rules)
    return rule_preview(project, rules, TABLES, now, USD)


def test_what_changes_dearest_first_with_hours_and_money_and_what_is_left_and_why() -> None:
    project = loaded(labels={"c/o/rollout-sweep": Pool.BURST})
    made = preview(project, rule("rollouts?", Pool.TRAINING))
    (effect,) = made.effects
    assert effect.name == "agent-rollouts"
    assert effect.after.pool is Pool.TRAINING
    assert effect.was_in_review
    assert (effect.gpu_hours_per_month, effect.usd_per_month) == (pytest.approx(1.0), 100.0)
    assert [(one.name, str(one.why), one.pool) for one in made.left] == [
        ("rollout-sweep", str(LABELLED), Pool.BURST),
        ("judge-rollout", str(IMPORTED), Pool.INFERENCE),
    ]
    assert (made.decided[0].matched, made.decided[0].workloads, made.decided[0].usd_per_month) == (
        3,
        1,
        100.0,
    )


def test_a_rule_that_says_the_same_makes_sure_and_changes_no_class() -> None:
    made = preview(loaded(), rule("llm", Pool.TRAINING))
    assert [(one.name, one.changes_class) for one in made.effects] == [("train-llm", False)]
    assert made.classes_before == made.classes_after


def test_an_earlier_rule_is_named_where_it_decides_first() -> None:
    first = rule("agent", Pool.BURST, "agents")
    made = preview(loaded(first), first, rule("rollouts", Pool.TRAINING))
    assert made.effects == ()
    assert ["“agents”" in str(one.why) for one in made.left] == [True]


def test_taking_a_rule_away_shows_what_becomes_of_its_workloads() -> None:
    own = rule("vllm", Pool.BURST)
    made = preview(loaded(own))
    assert [(one.name, one.before.pool, one.after.pool) for one in made.effects] == [
        ("vllm-chat", Pool.BURST, Pool.INFERENCE)
    ]
    assert made.left == ()


def test_an_unknown_cost_stays_unknown() -> None:
    project = loaded()
    now = classify(project.workloads, project.cube, project.labels, TABLES)
    made = rule_preview(project, [rule("rollouts", Pool.BURST)], TABLES, now, {})
    assert made.effects[0].usd_per_month is None
    assert made.decided[0].usd_per_month is None
    assert all(made.classes_after[pool].usd_per_month in (None, 0.0) for pool in POOLS)


PATTERNS = st.lists(
    st.tuples(st.sampled_from(["rollouts?", "agent", "train", "chat", "sweep|llm"]), st.sampled_from(POOLS)),
    max_size=4,
    unique_by=lambda pair: pair[0],
)


@given(PATTERNS, PATTERNS)
def test_the_preview_is_what_applying_does_and_both_sides_add_up(
    before: list[tuple[str, Pool]], after: list[tuple[str, Pool]]
) -> None:
    project = loaded(*(rule(*one) for one in before))
    rules = tuple(rule(*one) for one in after)
    made = preview(project, *rules)
    applied = edits.class_rules.replace_rules(project, rules)
    now = classify(project.workloads, project.cube, project.labels, TABLES, project.rules)
    then = classify(project.workloads, project.cube, project.labels, TABLES, applied.rules)
    changed = {w.key for w, a, b in zip(project.workloads, now, then, strict=True) if a.pool is not b.pool}
    assert {one.key for one in made.effects if one.changes_class} == changed
    for amounts in (made.classes_before, made.classes_after):
        assert sum(one.workloads for one in amounts.values()) == len(NAMES)
        assert sum(one.gpu_hours_per_month for one in amounts.values()) == pytest.approx(15)
        assert sum(one.usd_per_month or 0 for one in amounts.values()) == pytest.approx(1500)
    assert made.decided == rule_amounts(applied, then, USD)
    if not before:  # else a change of order may change what a new rule leaves alone
        assert {one.key for one in made.left}.isdisjoint(changed)


def test_the_same_rules_change_nothing() -> None:
    own = (rule("rollouts", Pool.BURST), rule("chat", Pool.TRAINING))
    made = preview(loaded(*own), *own)
    assert (made.effects, made.left) == ((), ())
    assert made.classes_before == made.classes_after
    assert preview(replace(loaded(*own), rules=()), *own).effects


# --- From a correction to a rule: telling words first, nothing sure against it, ids and words that people
# can read


def named(name: str, queue: str = "", owner: str = "") -> Workload:
    return Workload(
        key=f"c/{owner}/{name}", name=name, cluster="c", owner=owner, queue=queue, sample_name=name
    )


WORKLOADS = (
    named("agent-rollouts", "long", "ann"),
    named("agent-serve", "long", "ann"),
    named("judge-rollout", "short", "bob"),
    named("llama-b", "short", "bob"),
    named("run", "long", "ann"),
)
SURE = tuple(
    Classification(
        pool=pool, subtype="serving", confidence=confidence, reasons=(), runner_up=None, source="rule"
    )
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
    bare = (Workload(key="c//7", name="7", cluster="c", owner=""),)
    assert propose_rules(bare, ["c//7"], Pool.BURST) == ()


def test_ids_are_free_and_tell_what_the_rule_does() -> None:
    taken = (
        ClassRule(
            rule_id="burst-rollout",
            field="name",
            pattern="x",
            pool=Pool.BURST,
            subtype="",
            confidence=0.97,
            reason="",
        ),
    )
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
    assert (
        str(
            rule_words(
                ClassRule(
                    rule_id="r",
                    field=field,
                    pattern="rollouts?",
                    pool=Pool.BURST,
                    subtype="",
                    confidence=0.97,
                    reason="",
                )
            )
        )
        == said
    )


def test_an_id_that_is_taken_gets_the_next_number_and_none_twice() -> None:
    taken: set[str] = set()
    for number in range(40):
        found = rule_id_for(Pool.BURST, "rollouts?", taken)
        assert found == ("burst-rollout" if number == 0 else f"burst-rollout-{number + 1}")
        taken.add(found)
    assert rule_id_for(Pool.BURST, "rollouts?", taken - {"burst-rollout-7"}) not in taken - {
        "burst-rollout-7"
    }


def test_rows_stand_by_their_cost_then_their_hours_then_their_keys() -> None:
    """An unknown cost is as none."""
    rows = [
        LeftAlone(key=key, name=key, pool=Pool.BURST, why=LABELLED, gpu_hours_per_month=hours, usd_per_month=usd)
        for key, hours, usd in (
            ("a", 1.0, None), ("b", 2.0, 0.0), ("d", 9.0, 5.0), ("c", 9.0, 5.0), ("e", 0.0, 6.0), ("f", 9.5, 0.5)
        )
    ]  # fmt: skip
    assert [row.key for row in sorted(rows, key=expense_sort_key)] == ["e", "c", "d", "f", "b", "a"]


def test_what_a_rule_is_about_is_said_with_its_field_but_of_names() -> None:
    said = {
        field: str(
            matched_words(
                ClassRule(
                    rule_id="r",
                    field=field,
                    pattern="rollouts?",
                    pool=Pool.BURST,
                    subtype="",
                    confidence=0.97,
                    reason="",
                )
            )
        )
        for field in ("name", "queue", "owner")
    }
    assert said["queue"] == "queue \u201crollout\u201d" and said["owner"] == "owner \u201crollout\u201d"
    assert said["name"].startswith("names") and "rollout" in said["name"]


def test_rules_decide_workloads_that_no_rule_before_them_does() -> None:
    """The first rule matches three, one of them labelled by the import; the second matches one of them and another."""
    first, second = rule("rollouts?", Pool.TRAINING), rule("agent|train", Pool.BURST)
    made = preview(loaded(), first, second)
    assert made.decided == (
        RuleAmount(
            rule_id="rollouts?",
            matched=3,
            workloads=2,
            gpu_hours_per_month=pytest.approx(1 + 3),
            usd_per_month=400.0,
        ),
        RuleAmount(
            rule_id="agent|train",
            matched=2,
            workloads=1,
            gpu_hours_per_month=pytest.approx(4),
            usd_per_month=400.0,
        ),
    )
    assert [(row.name, row.gpu_hours_per_month) for row in made.left] == [("judge-rollout", pytest.approx(2))]
    assert [row.name for row in made.effects] == ["train-llm", "rollout-sweep", "agent-rollouts"]
    amount = made.classes_after[Pool.TRAINING]
    assert (amount.workloads, amount.gpu_hours_per_month, amount.usd_per_month) == (
        2,
        pytest.approx(4),
        400.0,
    )


@pytest.mark.parametrize(
    ("confidence", "source", "was"),
    [(0.59, "score", True), (0.60, "score", False), (0.59, "label", False), (0.59, "override", False)],
)
def test_what_was_in_review_is_less_sure_than_the_limit(confidence: float, source: str, *, was: bool) -> None:
    project = loaded()
    now = tuple(
        Classification(
            pool=Pool.INFERENCE, subtype="", confidence=confidence, reasons=(), runner_up=None, source=source
        )
        for _ in NAMES
    )
    made = rule_preview(project, [rule("agent", Pool.BURST)], TABLES, now, USD)
    effect = next(row for row in made.effects if row.name == "agent-rollouts")
    assert effect.was_in_review is was and effect.changes_class


@pytest.mark.parametrize(("confidence", "against"), [(0.84, 0), (0.85, 1)])
def test_what_is_surely_of_another_class_speaks_against_a_word(confidence: float, against: int) -> None:
    classes = [
        Classification(
            pool=Pool.INFERENCE, subtype="", confidence=confidence, reasons=(), runner_up=None, source="rule"
        )
        for _ in WORKLOADS
    ]
    (own, *_) = propose_rules(WORKLOADS, [WORKLOADS[1].key], Pool.BURST, classifications=classes)
    assert (own.others, own.against) == ((0, 0) if own.rule.pattern == "serves?" else (1, against))
    by_pattern = {
        row.rule.pattern: row
        for row in propose_rules(WORKLOADS, [WORKLOADS[1].key], Pool.BURST, classifications=classes)
    }
    assert (by_pattern["agents?"].others, by_pattern["agents?"].against) == (1, against)
    same = propose_rules(WORKLOADS, [WORKLOADS[1].key], Pool.INFERENCE, classifications=classes)
    assert {row.against for row in same} == {0}


def test_proposals_are_of_the_first_three_that_were_corrected_and_twelve_at_most() -> None:
    works = [
        named(f"{word} {word}b {word}c", f"q{word}", f"o{word}") for word in ("abc", "def", "ghi", "jkl")
    ]
    rows = propose_rules(works, [work.key for work in works], Pool.BURST)
    assert len(rows) == 12 and {row.rule.field for row in rows} == {"name"}
    assert not any("jkl" in row.rule.pattern for row in rows)
    one = propose_rules(works, [works[3].key], Pool.BURST)
    assert [row.rule.field for row in one] == ["name"] * 6 + ["queue", "owner"]
    # words alike: the longer first, then phrases by their words
    assert [len(row.rule.pattern.split()) for row in one[:6]] == [1, 1, 1, 2, 2, 3]


def test_words_of_a_job_are_proposed_beside_those_of_its_workload() -> None:
    """Words of fewer than three letters, and those that all names have, tell nothing."""
    work = Workload(
        key="c/o/x", name="sweep of llama", cluster="c", owner="o", sample_name="sweep-7 ab rollout"
    )
    patterns = [row.rule.pattern for row in propose_rules([work], ["c/o/x"], Pool.BURST)]
    assert {"sweeps?", "rollouts?"} <= set(patterns)
    assert not {"of", "llamas?", "ab"} & set(patterns)
    single = Workload(key="c/o/x", name="sweep", cluster="c", owner="o", sample_name="")
    assert [row.rule.pattern for row in propose_rules([single], ["c/o/x"], Pool.BURST)] == ["sweeps?", "o"][
        :1
    ]


def test_ids_have_four_words_and_sixty_signs() -> None:
    long = "abcdefghijklmnop " * 5
    made = rule_id_for(Pool.BURST, long, ())
    assert made == "-".join(["burst", *["abcdefghijklmnop"] * 4])[:60] and len(made) == 60
    assert rule_id_for(Pool.BURST, long, {made}) == f"{made}-2"
