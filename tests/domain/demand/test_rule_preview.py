"""The preview of other rules: it says what applying them does, it adds up, and it names what it leaves alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain import edits
from gpuplanner.domain.demand.classification import classify
from gpuplanner.domain.demand.rule_preview import RulePreview, rule_amounts, rule_preview
from gpuplanner.domain.model.log.cube import cube_from_entries
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import read_tables

TABLES = read_tables()
NAMES = ("agent-rollouts", "judge-rollout", "rollout-sweep", "train-llm", "vllm-chat")
HOURS = 730
USD = {f"c/o/{name}": 100.0 * (at + 1) for at, name in enumerate(NAMES)}


def rule(pattern: str, pool: Pool, rule_id: str = "") -> ClassRule:
    return ClassRule(rule_id or pattern, "name", pattern, pool, "", 0.97, "")


def loaded(*rules: ClassRule, labels: dict[str, Pool] | None = None) -> Project:
    index = np.arange(len(NAMES))
    amounts = 3_600_000 * (index + 1)
    return Project(
        window=Window(0, HOURS),
        cube=cube_from_entries(HOURS, ("H100",), index, np.zeros_like(index), index, amounts),
        workloads=tuple(
            Workload(
                f"c/o/{name}",
                name,
                "c",
                "o",
                Pool.INFERENCE if name == "judge-rollout" else None,
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
        ("rollout-sweep", "labelled by you", Pool.BURST),
        ("judge-rollout", "labelled in the import", Pool.INFERENCE),
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
    assert [str(one.why) for one in made.left] == ["decided by “agents”, which stands before it"]


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
    applied = edits.replace_rules(project, rules)
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
