"""Workloads under new keys: what was decided goes over to them."""

from dataclasses import replace

from gpuplanner.domain.edits import successors
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.plan.changes import DemandChange
from gpuplanner.domain.model.plan.scenario import LeakDecision, LeakStatus
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.tables import Pool
from tests.domain.edits.two_workloads import PLAN_S, SERVES, TRAINS, project


def test_values_go_over_to_what_workloads_have_become() -> None:
    """a was one with b: where both had the same the new key has it, with that of its parts."""
    former = {"n": ("a", "b")}
    carried = successors.carry_values
    assert carried({"a": 1, "b": 1}, former) == {"a": 1, "b": 1, "n": 1}
    assert carried({"a": 1, "b": 2}, former) == {"a": 1, "b": 2}
    assert carried({"a": 1}, former) == {"a": 1, "n": 1}
    assert carried({"a": 1, "b": 1, "n": 3}, former)["n"] == 3
    assert carried({"a": 1, "a#1": 2, "b": 1, "b#1": 2}, former)["n#1"] == 2
    assert "n" not in carried({"x": 1}, former)
    assert successors.add_successor_keys(("b", "x"), {"b": ("n", "a")}) == ("a", "b", "n", "x")
    merges = {"m": ("a", "c"), "o": ("b", "d")}
    assert successors.carry_merges(merges, {"a": ("n",), "b": ("n", "p")}) == {
        "m": ("a", "c", "n"),
        "o": ("b", "d", "p"),
    }
    assert successors.carry_merges(merges, {"a": ("c",)}) is merges


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
            DemandChange(target="x", keys=(TRAINS,), factor=2.0, from_s=0),
            DemandChange(target="y", keys=("z",), factor=2.0, from_s=0),
        ),
        leak_decisions=(leak,),
    )
    of = replace(of, labels={TRAINS: Pool.BURST}, notes={TRAINS: "n"})
    assert successors.decided_keys(of) == {TRAINS, "z"}
    merged = replace(of, scenarios=(replace(of.scenarios[0], merges={"m": ("q", "r")}),))
    assert successors.decided_keys(merged) == {TRAINS, "z", "q", "r"}
    assert successors.carry_over(of, {}) is of
    after = successors.carry_over(of, {SERVES: (TRAINS,)})
    (plan,) = after.scenarios
    assert after.labels == dict.fromkeys((TRAINS, SERVES), Pool.BURST)
    assert after.notes == dict.fromkeys((TRAINS, SERVES), "n")
    assert plan.pools == dict.fromkeys((f"{TRAINS}#2", f"{SERVES}#2"), Pool.BURST)
    assert plan.pinned == {TRAINS, SERVES} and set(plan.splits) == {TRAINS, SERVES}
    assert set(plan.spells) == {TRAINS, SERVES} and set(plan.only) == {TRAINS, SERVES}
    assert [change.keys for change in plan.changes] == [(TRAINS, SERVES), ("z",)]
    assert plan.leak_decisions == (leak, replace(leak, leak_id=f"idle_tail:{SERVES}"))
    assert successors.carry_over(after, {SERVES: (TRAINS,)}) == after
    assert successors.carry_over(of, {SERVES: ("z",)}).scenarios[0].pinned == {TRAINS}
