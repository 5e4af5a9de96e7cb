"""Workloads and planned work as edits leave them: on two workloads of a team, and work that no log has."""

from dataclasses import replace

import pytest

from gpuplanner.domain.edits import workloads
from gpuplanner.domain.model.book.only import ANYBODY, Only
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.changes import DemandChange
from gpuplanner.domain.model.plan.scenario import LeakDecision, LeakStatus
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from tests.domain.edits.refusals import refused
from tests.domain.edits.two_workloads import NEW, PLAN, PLAN_S, SERVES, TRAINS, project


def test_planned_work_moves_in_itself_and_a_workload_in_the_plan() -> None:
    of = project(NEW, replace(NEW, name="other"))
    (plan,) = workloads.move_workloads(of, PLAN, (NEW.key, TRAINS), Pool.BURST).scenarios
    assert {work.name: work.pool for work in plan.planned} == {"new": Pool.BURST, "other": Pool.TRAINING}
    assert plan.pools == {TRAINS: Pool.BURST}
    assert workloads.move_workloads(of, PLAN, (NEW.key,), Pool.BURST).scenarios[0].pools == {}
    assert refused(workloads.move_workloads, of, PLAN, ("x",), Pool.BURST)


def test_a_team_or_a_pool_is_meant_by_its_mark() -> None:
    of = project(NEW)
    plan, pools = of.scenarios[0], {TRAINS: Pool.TRAINING, SERVES: Pool.INFERENCE}

    def meant(text: str) -> tuple[str, ...]:
        return workloads.keys_meant(of, plan, text, lambda: pools)

    assert meant(TRAINS) == (TRAINS,) and meant("x") == ("x",) and meant(NEW.key) == (NEW.key,)
    assert meant("team:ops") == meant("team:OPS") == (NEW.key,) and meant("pool:Inference") == (SERVES,)
    assert refused(meant, "team:x") and refused(meant, "pool:x")
    assert workloads.team_meant(of, plan, "team: ops ") == "ops"
    assert workloads.team_meant(of, plan, TRAINS) is workloads.team_meant(of, plan, "pool:x") is None
    marked = replace(NEW, cluster="team:", team="", name="x")
    both = project(marked)
    assert workloads.team_meant(both, both.scenarios[0], marked.key) is None


@pytest.mark.parametrize(
    ("begins", "ends", "length", "left"),
    [
        (None, None, None, Spell(None, PLAN_S + DAY_S)),
        (None, PLAN_S + DAY_S, None, Spell(None, PLAN_S + DAY_S)),
        (None, PLAN_S, None, Spell(None, PLAN_S)),
        (PLAN_S + DAY_S, None, None, None),  # it would begin later
        (PLAN_S, None, 24, Spell(PLAN_S, None)),  # it is over by then
        (PLAN_S, None, 25, None),
    ],
)
def test_a_team_that_stops_leaves_what_is_over_by_then(
    begins: int | None, ends: int | None, length: int | None, left: Spell | None
) -> None:
    work = replace(NEW, begins_s=begins, ends_s=ends, length_hours=length)
    stopped = workloads.stop_team(project(work), PLAN, "ops", PLAN_S + DAY_S).scenarios[0].planned
    assert [Spell(item.begins_s, item.ends_s) for item in stopped] == ([] if left is None else [left])


def test_workloads_of_the_log_stop_with_their_team() -> None:
    of = project(spells={TRAINS: Spell(PLAN_S + DAY_S, None), SERVES: Spell(None, PLAN_S)})
    (plan,) = workloads.stop_team(of, PLAN, "team").scenarios
    assert plan.spells == {TRAINS: Spell(None, PLAN_S), SERVES: Spell(None, PLAN_S)}
    (later,) = workloads.stop_team(project(), PLAN, "team", PLAN_S + DAY_S).scenarios
    assert later.spells == dict.fromkeys((TRAINS, SERVES), Spell(None, PLAN_S + DAY_S))
    assert refused(workloads.stop_team, of, PLAN, "x")


def test_values_go_over_to_what_workloads_have_become() -> None:
    """a was one with b: where both had the same the new key has it, with that of its parts."""
    former = {"n": ("a", "b")}
    carried = workloads.carry_values
    assert carried({"a": 1, "b": 1}, former) == {"a": 1, "b": 1, "n": 1}
    assert carried({"a": 1, "b": 2}, former) == {"a": 1, "b": 2}
    assert carried({"a": 1}, former) == {"a": 1, "n": 1}
    assert carried({"a": 1, "b": 1, "n": 3}, former)["n"] == 3
    assert carried({"a": 1, "a#1": 2, "b": 1, "b#1": 2}, former)["n#1"] == 2
    assert "n" not in carried({"x": 1}, former)
    assert workloads.add_successor_keys(("b", "x"), {"b": ("n", "a")}) == ("a", "b", "n", "x")
    merges = {"m": ("a", "c"), "o": ("b", "d")}
    assert workloads.carry_merges(merges, {"a": ("n",), "b": ("n", "p")}) == {
        "m": ("a", "c", "n"),
        "o": ("b", "d", "p"),
    }
    assert workloads.carry_merges(merges, {"a": ("c",)}) is merges


def test_all_that_was_decided_goes_over_to_what_a_workload_has_become() -> None:
    """What a plan has of TRAINS, in each of its parts, it has of SERVES too, and the decisions stay."""
    leak = LeakDecision(leak_id=f"idle_tail:{TRAINS}", status=LeakStatus.ACCEPTED, at_s=9)
    of = project(
        pools={f"{TRAINS}#2": Pool.BURST},
        pinned=frozenset({TRAINS}),
        splits={TRAINS: ShareSplit(300)},
        spells={TRAINS: Spell(None, PLAN_S)},
        only={TRAINS: Only("Ada")},
        changes=(
            DemandChange(of="x", keys=(TRAINS,), factor=2.0, from_s=0),
            DemandChange(of="y", keys=("z",), factor=2.0, from_s=0),
        ),
        leak_decisions=(leak,),
    )
    of = replace(of, labels={TRAINS: Pool.BURST}, notes={TRAINS: "n"})
    assert workloads.decided_keys(of) == {TRAINS, "z"}
    merged = replace(of, scenarios=(replace(of.scenarios[0], merges={"m": ("q", "r")}),))
    assert workloads.decided_keys(merged) == {TRAINS, "z", "q", "r"}
    assert workloads.carry_over(of, {}) is of
    after = workloads.carry_over(of, {SERVES: (TRAINS,)})
    (plan,) = after.scenarios
    assert after.labels == dict.fromkeys((TRAINS, SERVES), Pool.BURST)
    assert after.notes == dict.fromkeys((TRAINS, SERVES), "n")
    assert plan.pools == dict.fromkeys((f"{TRAINS}#2", f"{SERVES}#2"), Pool.BURST)
    assert plan.pinned == {TRAINS, SERVES} and set(plan.splits) == {TRAINS, SERVES}
    assert set(plan.spells) == {TRAINS, SERVES} and set(plan.only) == {TRAINS, SERVES}
    assert [change.keys for change in plan.changes] == [(TRAINS, SERVES), ("z",)]
    assert plan.leak_decisions == (leak, replace(leak, leak_id=f"idle_tail:{SERVES}"))
    assert workloads.carry_over(after, {SERVES: (TRAINS,)}) == after
    assert workloads.carry_over(of, {SERVES: ("z",)}).scenarios[0].pinned == {TRAINS}


def test_a_workload_is_divided_and_made_whole_again() -> None:
    """Its pool and pin go to both parts, the second of which may stand elsewhere."""
    first, second = f"{TRAINS}#1", f"{TRAINS}#2"
    bare = workloads.split_workload(project(), PLAN, TRAINS, ShareSplit(300)).scenarios[0]
    assert (bare.pools, bare.pinned, bare.splits) == ({}, frozenset(), {TRAINS: ShareSplit(300)})
    of = project(pools={TRAINS: Pool.BURST}, pinned=frozenset({TRAINS}))
    parted = workloads.split_workload(of, PLAN, TRAINS, ShareSplit(300), Pool.INFERENCE)
    (plan,) = parted.scenarios
    assert plan.pools == {TRAINS: Pool.BURST, first: Pool.BURST, second: Pool.INFERENCE}
    assert plan.pinned == {TRAINS, first, second}
    assert refused(workloads.split_workload, parted, PLAN, TRAINS, ShareSplit(300))
    twice = workloads.split_workload(parted, PLAN, second, ShareSplit(500))
    assert set(twice.scenarios[0].splits) == {TRAINS, second}
    for keys in ((TRAINS,), (first,), (first, second), (TRAINS, f"{second}#1")):
        assert workloads.merge_parts(twice, PLAN, keys).scenarios == of.scenarios
    assert workloads.merge_parts(twice, PLAN, (f"{second}#1",)).scenarios == parted.scenarios
    assert workloads.merge_parts(twice, PLAN, (SERVES,)) is twice
    merged = workloads.merge_cards(project(), PLAN, (TRAINS, SERVES), "m", Pool.BURST)
    assert refused(workloads.split_workload, merged, PLAN, TRAINS, ShareSplit(300))


def test_cards_are_merged_under_a_name_and_taken_apart() -> None:
    of = project(pinned=frozenset({TRAINS}))
    merged = workloads.merge_cards(of, PLAN, (SERVES, TRAINS), " a  b ", Pool.BURST)
    (plan,) = merged.scenarios
    assert plan.merges == {"a b": (TRAINS, SERVES)} and plan.pinned == {TRAINS, SERVES}
    assert plan.pools == dict.fromkeys((TRAINS, SERVES), Pool.BURST)
    assert (
        workloads.merge_cards(project(), PLAN, (SERVES, TRAINS), "m", Pool.BURST).scenarios[0].pinned == set()
    )
    assert refused(workloads.merge_cards, of, PLAN, (TRAINS,), "m", Pool.BURST)
    (again,) = workloads.merge_cards(merged, PLAN, (TRAINS,), "c", Pool.TRAINING).scenarios
    assert again.merges == {"c": (TRAINS, SERVES)}
    apart = workloads.take_apart(merged, PLAN, (SERVES,)).scenarios[0]
    assert apart.merges == {} and apart.pools == plan.pools
    assert workloads.whole_keys(plan, (TRAINS,)) == (TRAINS, SERVES)


@pytest.mark.parametrize(("share", "left"), [(0.0, 0.0), (0.4, 0.4), (0.99, 0.99), (1.0, None), (None, None)])
def test_a_share_below_all_is_a_limit(share: float | None, left: float | None) -> None:
    ada, bo = Only("Ada"), Only("Bo")
    of = project(shares={ada: 0.5, bo: 0.6})
    (plan,) = workloads.limit_share(of, PLAN, Only("ada"), share).scenarios
    assert plan.shares == {bo: 0.6} | ({} if left is None else {ada: left})
    assert refused(workloads.limit_share, of, PLAN, ada, 1.1) and refused(
        workloads.limit_share, of, PLAN, ada, -0.1
    )


def test_a_limit_is_of_workloads_and_of_planned_work() -> None:
    of = project(NEW, only={TRAINS: Only("Bo")})
    (plan,) = workloads.limit_workloads(of, PLAN, (NEW.key, TRAINS), Only("ada")).scenarios
    assert plan.only == dict.fromkeys((NEW.key, TRAINS), Only("Ada"))
    assert workloads.limit_workloads(of, PLAN, (TRAINS, SERVES), ANYBODY).scenarios[0].only == {}
    assert refused(workloads.limit_workloads, of, PLAN, ("x",), Only("Ada"))


def test_a_note_is_as_long_as_it_may_be() -> None:
    longest = workloads.set_note(project(), TRAINS, f" {'x' * workloads.LONGEST_NOTE} ")
    assert longest.notes == {TRAINS: "x" * workloads.LONGEST_NOTE}
    assert refused(workloads.set_note, project(), TRAINS, "x" * (workloads.LONGEST_NOTE + 1))
    assert refused(workloads.set_note, project(), "x", "y")
    assert workloads.set_note(longest, TRAINS, " ").notes == {}


def test_a_refusal_names_the_teams_and_the_pools_that_there_are() -> None:
    of = project(replace(NEW, team=""))
    for text, known in (("team:x", "nobody, team"), ("pool:x", ", ".join(Pool))):
        with pytest.raises(PlannerError) as error:
            workloads.keys_meant(of, of.scenarios[0], text, dict)
        assert str(error.value.remedy).endswith(known)
