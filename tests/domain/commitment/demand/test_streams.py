import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.demand.streams import moved_streams, streams_of
from gpuplanner.domain.model.log.cube import cube_from_entries
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool

WORKLOADS = tuple(Workload(f"{c}/t/{n}", str(n), c, "t") for c in ("a", "b") for n in range(6))
POOLS_OF_ALL = st.lists(st.sampled_from(list(Pool)), min_size=12, max_size=12).map(tuple)
HOURS = 8


def cube_of_all():  # type: ignore[no-untyped-def]
    random = np.random.default_rng(0)
    workload, model, hour = (
        random.integers(0, 12, 60),
        random.integers(-1, 2, 60),
        random.integers(0, HOURS, 60),
    )
    return cube_from_entries(HOURS, ("A", "B"), workload, model, hour, random.integers(1, 10**15, 60))


@given(POOLS_OF_ALL, st.lists(POOLS_OF_ALL, max_size=3))
def test_moving_gives_the_same_integers_as_summing_afresh(start: tuple, moves: list[tuple]) -> None:
    cube = cube_of_all()
    streams = streams_of(cube, WORKLOADS, start)
    for pools in [*moves, start]:
        few = tuple(
            new if place < 3 else old
            for place, (old, new) in enumerate(zip(streams.pools, pools, strict=True))
        )
        streams = moved_streams(streams, few)
        afresh = streams_of(cube, WORKLOADS, few)
        assert streams.cells.keys() == afresh.cells.keys()
        assert all((streams.cells[key] == afresh.cells[key]).all() for key in afresh.cells)
    assert sum(int(amounts.sum()) for amounts in streams.cells.values()) == cube.total


def test_what_does_not_move_stays_the_same_object() -> None:
    cube = cube_of_all()
    before = streams_of(cube, WORKLOADS, (Pool.TRAINING,) * 12)
    after = moved_streams(before, (Pool.BURST, *(Pool.TRAINING,) * 11))
    assert moved_streams(after, after.pools) is after
    kept = [key for key in after.cells if after.cells[key] is before.cells.get(key)]
    assert {cluster for _, cluster, _ in kept} == {"b"}
