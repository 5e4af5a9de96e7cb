import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.demand.residual import Flow, ModelDemand, Site, Stream, leftover, prepared
from gpuplanner.domain.commitment.demand.scratch import Scratch
from gpuplanner.domain.model.pool import SERVING_ORDER, Pool

HOURS = 5
AMOUNTS = st.lists(st.integers(0, 9).map(float), min_size=HOURS, max_size=HOURS)


def by_the_hour(
    sites: list[list[tuple[int, list[float]]]],
    capacities: list[tuple[list[float], float]],
    factors: list[float],
) -> np.ndarray:
    """The same, one hour and one stream after the other."""
    left = np.zeros((3, HOURS))
    for streams, (pinned, free) in zip(sites, capacities, strict=True):
        for hour in range(HOURS):
            own, common = list(pinned), free
            for row, amounts in streams:
                wanted = amounts[hour] * factors[row]
                by_pin = min(wanted, own[row])
                own[row] -= by_pin
                by_free = min(wanted - by_pin, common)
                common -= by_free
                left[row, hour] += wanted - by_pin - by_free
    return left


SITES = st.lists(
    st.tuples(
        st.lists(st.tuples(st.integers(0, 2), AMOUNTS), min_size=1, max_size=6),
        st.tuples(
            st.lists(st.sampled_from([0.0, 0.0, 3.0, 7.0]), min_size=3, max_size=3),
            st.sampled_from([0.0, 4.0, 11.0]),
        ),
    ),
    min_size=1,
    max_size=3,
)


@given(SITES, st.lists(st.floats(0.2, 3), min_size=6, max_size=6))
def test_what_is_left_over_is_what_an_hourly_dispatch_leaves(sites: list, factors: list[float]) -> None:
    streams = [[(row, amounts) for row, amounts in of_site] for of_site, _ in sites]
    model = ModelDemand(
        "H100",
        tuple((pool, "H100") for pool in SERVING_ORDER),
        tuple(
            Site(
                str(number),
                tuple(Stream(row, SERVING_ORDER[row], np.array(amounts)) for row, amounts in of_site),
            )
            for number, of_site in enumerate(streams)
        ),
    )
    capacities = [
        (*(((row,), pin) for row, pin in enumerate(pinned)), (tuple(range(len(SERVING_ORDER))), free))
        for _, (pinned, free) in sites
    ]
    by_level = {pool: np.array(factors[row * 2 : row * 2 + 2]) for row, pool in enumerate(SERVING_ORDER)}
    of_flows = {Flow(pool, 0, row): by_level[pool] for row, pool in enumerate(SERVING_ORDER)}
    left = leftover(prepared(model, capacities, HOURS, 1.0), of_flows, Scratch())
    for level in range(2):
        expected = by_the_hour(
            streams, [c for _, c in sites], [by_level[pool][level] for pool in SERVING_ORDER]
        )
        assert left[:, level] == pytest.approx(expected, abs=1e-12)


def test_rows_of_one_site_alone_are_merged_without_a_difference() -> None:
    amounts = np.array([4.0, 9.0, 1.0])
    streams = tuple(Stream(0, pool, amounts) for pool in (Pool.TRAINING, Pool.BURST, Pool.TRAINING))
    model = ModelDemand("H100", ((Pool.TRAINING, "H100"),), (Site("c", streams),))
    factors = {
        Flow(Pool.TRAINING, 0, 0): np.array([1.0, 2.0]),
        Flow(Pool.BURST, 0, 0): np.array([1.0, 0.5]),
    }
    left = leftover(prepared(model, [(((0,), 2.0), ((0,), 6.0))], 3, 1.0), factors, Scratch())
    assert left[0].tolist() == [[4.0, 19.0, 0.0], [10.0, 32.5, 0.0]]
