"""Fit of pools: counts add up to the workloads, dollars to what they cost."""

from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.fit.fit_rows import FitRow, Sharing
from gpuplanner.domain.fit.pool_fit import pool_fits
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.model.tables import POOLS

LIGHTS = st.sampled_from([*Light, None])
WORKLOAD = st.tuples(st.sampled_from(POOLS), LIGHTS, st.one_of(st.none(), st.integers(0, 1000)))


def fit_of(number, pool, light):
    row = FitRow(
        need="term",
        light=light,
        has=None,
        needs=None,
        source="log",
        source_words="",
        has_source="",
        reason="",
    )
    return WorkloadFit(
        key=str(number),
        pool=pool,
        gpu_model=None,
        light=light,
        rows=(row,),
        needs={},
        hardware=(),
        sharing=Sharing(),
        active_hours=1.0,
    )


@given(st.lists(WORKLOAD, max_size=12))
def test_every_workload_is_counted_once_and_dollars_add_up(workloads):
    fits = [fit_of(number, pool, light) for number, (pool, light, _) in enumerate(workloads)]
    usd = {str(number): cost for number, (_, _, cost) in enumerate(workloads)}
    found = pool_fits(fits, usd)
    assert [one.pool for one in found] == [
        pool for pool in POOLS if any(pool is each[0] for each in workloads)
    ]
    for one in found:
        own = [(light, cost) for pool, light, cost in workloads if pool is one.pool]
        assert sum(one.workloads.values()) == len(own)
        assert sum(one.by_need["term"].values()) == len(own)
        for light in (*Light, None):
            costs = [cost for each, cost in own if each is light]
            assert one.workloads.get(light, 0) == len(costs)
            assert one.usd_per_month[light] == (None if None in costs else sum(costs))
        assert one.light == max((light for light, _ in own if light is not None), default=None)
