"""Merged cards: nothing is gained or lost, what is done to one is done to all, and taking apart leaves a plain move."""

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.merged_cards import LONGEST_NAME, merge_of, with_those_merged
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import read_tables
from tests.app.test_random_walk import loaded

KEYS = tuple(workload.key for workload in loaded().workloads)


@pytest.fixture(scope="module")
def project() -> Project:
    return loaded()


def plan_of(project: Project) -> Scenario:
    return project.scenarios[0]


def merged(project: Project, keys=KEYS[:3], name: str = "Three", pool: Pool = Pool.BURST) -> Project:
    return edits.cards.merge_cards(project, plan_of(project).name, keys, name, pool)


def test_merging_is_a_move_and_taking_apart_leaves_it(project: Project) -> None:
    name = plan_of(project).name
    moved = edits.workloads.move_workloads(project, name, KEYS[:3], Pool.BURST)
    apart = edits.cards.take_apart(merged(project), name, KEYS[1:2])
    assert apart.scenarios == moved.scenarios and edits.plans.say_the_same(apart, moved)
    assert plan_of(merged(project)).merges == {"Three": KEYS[:3]}


@pytest.mark.long
def test_hours_and_dollars_are_those_of_the_same_move(project: Project) -> None:
    name, tables = plan_of(project).name, read_tables()
    moved = evaluate(edits.workloads.move_workloads(project, name, KEYS[:3], Pool.BURST), name, tables)
    one = evaluate(merged(project), name, tables)
    assert one.figures.cards == moved.figures.cards and one.figures.pools == moved.figures.pools
    assert one.advice is not None and moved.advice is not None
    assert one.advice.totals == moved.advice.totals and one.advice.workload_usd == moved.advice.workload_usd
    whole = sum(workload.milli_gpu_seconds for workload in project.workloads)
    assert sum(pool.milli_gpu_seconds for pool in one.figures.pools.values()) == whole


def test_what_is_done_to_one_is_done_to_all(project: Project) -> None:
    name, both = plan_of(project).name, merged(project)
    after = edits.workloads.move_workloads(both, name, KEYS[:1], Pool.INFERENCE)
    assert {plan_of(after).pools[key] for key in KEYS[:3]} == {Pool.INFERENCE}
    pinned = edits.workloads.pin_workloads(both, name, KEYS[1:2])
    assert plan_of(pinned).pinned == frozenset(KEYS[:3])
    assert edits.workloads.unpin_workloads(pinned, name, KEYS[2:3]).scenarios == both.scenarios
    assert edits.cards.whole_keys(plan_of(both), KEYS[:1]) == KEYS[:3]
    classes = {row.key: row.classification for row in evaluate(both, name, read_tables()).audit.workloads}
    apart = edits.workloads.separate_automatically(both, name, classes)
    assert {plan_of(apart).pools.get(key) for key in KEYS[:3]} == {Pool.BURST}  # the planner decided


def test_merged_with_merged_is_one_card_of_all(project: Project) -> None:
    both = merged(merged(project, KEYS[:2], "Two"), KEYS[1:4], "Four")
    assert plan_of(both).merges == {"Four": KEYS[:4]}
    assert (
        merge_of(KEYS[0], plan_of(both).merges) == "Four" and merge_of(KEYS[5], plan_of(both).merges) is None
    )
    assert with_those_merged((KEYS[5], KEYS[0]), plan_of(both).merges) == (KEYS[5], *KEYS[:4])


def test_parts_may_be_merged_and_leave_when_they_are_whole_again(project: Project) -> None:
    name = plan_of(project).name
    divided = edits.cards.split_workload(project, name, KEYS[0], ShareSplit(300))
    part = f"{KEYS[0]}#2"
    both = edits.cards.merge_cards(divided, name, (part, KEYS[4]), "Night work", Pool.BURST)
    assert plan_of(both).merges == {"Night work": (part, KEYS[4])}
    whole = edits.cards.merge_parts(both, name, (part,))
    assert plan_of(whole).merges == {} and plan_of(whole).splits == {}
    with pytest.raises(PlannerError, match="merged into"):
        edits.cards.split_workload(both, name, KEYS[4], ShareSplit(300))


@pytest.mark.parametrize("called", ["", "  ", "x" * (LONGEST_NAME + 1), "Taken"])
def test_a_name_that_is_none_or_taken_is_refused(project: Project, called: str) -> None:
    taken = merged(project, KEYS[3:5], "Taken")
    with pytest.raises(PlannerError):
        merged(taken, KEYS[:2], called)


def test_one_card_is_not_merged(project: Project) -> None:
    with pytest.raises(PlannerError, match="cards"):
        merged(project, KEYS[:1])
    with pytest.raises(PlannerError, match="no such workload"):
        merged(project, (KEYS[0], "gone/a/b"))


def test_merged_cards_stay_through_an_import(project: Project) -> None:
    both = merged(project)
    after = edits.inputs.import_inputs(both, contracts=())
    assert plan_of(after).merges == plan_of(both).merges
