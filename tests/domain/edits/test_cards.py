"""Cards of a plan: divided, merged, made whole again, and notes on them."""

from gpuplanner.domain.edits import cards
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.tables import Pool
from tests.domain.edits.refusals import refused
from tests.domain.edits.two_workloads import PLAN, SERVES, TRAINS, project


def test_a_workload_is_divided_and_made_whole_again() -> None:
    """Its pool and pin go to both parts, the second of which may stand elsewhere."""
    first, second = f"{TRAINS}#1", f"{TRAINS}#2"
    bare = cards.split_workload(project(), PLAN, TRAINS, ShareSplit(300)).scenarios[0]
    assert (bare.pools, bare.pinned, bare.splits) == ({}, frozenset(), {TRAINS: ShareSplit(300)})
    of = project(pools={TRAINS: Pool.BURST}, pinned=frozenset({TRAINS}))
    parted = cards.split_workload(of, PLAN, TRAINS, ShareSplit(300), Pool.INFERENCE)
    (plan,) = parted.scenarios
    assert plan.pools == {TRAINS: Pool.BURST, first: Pool.BURST, second: Pool.INFERENCE}
    assert plan.pinned == {TRAINS, first, second}
    assert refused(cards.split_workload, parted, PLAN, TRAINS, ShareSplit(300))
    twice = cards.split_workload(parted, PLAN, second, ShareSplit(500))
    assert set(twice.scenarios[0].splits) == {TRAINS, second}
    for keys in ((TRAINS,), (first,), (first, second), (TRAINS, f"{second}#1")):
        assert cards.merge_parts(twice, PLAN, keys).scenarios == of.scenarios
    assert cards.merge_parts(twice, PLAN, (f"{second}#1",)).scenarios == parted.scenarios
    assert cards.merge_parts(twice, PLAN, (SERVES,)) is twice
    merged = cards.merge_cards(project(), PLAN, (TRAINS, SERVES), "m", Pool.BURST)
    assert refused(cards.split_workload, merged, PLAN, TRAINS, ShareSplit(300))


def test_cards_are_merged_under_a_name_and_taken_apart() -> None:
    of = project(pinned=frozenset({TRAINS}))
    merged = cards.merge_cards(of, PLAN, (SERVES, TRAINS), " a  b ", Pool.BURST)
    (plan,) = merged.scenarios
    assert plan.merges == {"a b": (TRAINS, SERVES)} and plan.pinned == {TRAINS, SERVES}
    assert plan.pools == dict.fromkeys((TRAINS, SERVES), Pool.BURST)
    assert cards.merge_cards(project(), PLAN, (SERVES, TRAINS), "m", Pool.BURST).scenarios[0].pinned == set()
    assert refused(cards.merge_cards, of, PLAN, (TRAINS,), "m", Pool.BURST)
    (again,) = cards.merge_cards(merged, PLAN, (TRAINS,), "c", Pool.TRAINING).scenarios
    assert again.merges == {"c": (TRAINS, SERVES)}
    apart = cards.take_apart(merged, PLAN, (SERVES,)).scenarios[0]
    assert apart.merges == {} and apart.pools == plan.pools
    assert cards.whole_keys(plan, (TRAINS,)) == (TRAINS, SERVES)


def test_a_note_is_as_long_as_it_may_be() -> None:
    longest = cards.set_note(project(), TRAINS, f" {'x' * 2_000} ")
    assert longest.notes == {TRAINS: "x" * 2_000}
    assert refused(cards.set_note, project(), TRAINS, "x" * 2_001)
    assert refused(cards.set_note, project(), "x", "y")
    assert cards.set_note(longest, TRAINS, " ").notes == {}
