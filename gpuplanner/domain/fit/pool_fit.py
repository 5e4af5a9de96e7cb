"""Hardware fit of pools: workloads of each light, row by row, and what they cost."""

from collections.abc import Mapping, Sequence

from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.lazy_dataclass import dataclass

Counts = Mapping[Light | None, int]
"""How many workloads have each light; None: unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolFit:
    """One class on what it runs on today. light: the worst of its workloads; None where none has one.

    by_need: of each row of the table; usd_per_month: what the workloads of each light cost, None where one's cost is
    unknown. Law: the counts add up to the workloads of the class.
    """

    pool: Pool
    light: Light | None
    workloads: Counts
    by_need: Mapping[str, Counts]
    usd_per_month: Mapping[Light | None, float | None]


def pool_fits(fits: Sequence[WorkloadFit], usd_per_month: Mapping[str, float | None]) -> tuple[PoolFit, ...]:
    """The classes that have workloads, in the order of POOLS. usd_per_month: of each workload today, by key.

    Units: $ a month. Classes without workloads are left out. Source: docs/formulas/hardware-fit.md.
    """
    return tuple(
        _pool_fit(pool, own, usd_per_month)
        for pool in POOLS
        if (own := [fit for fit in fits if fit.pool is pool])
    )


def _pool_fit(pool: Pool, fits: Sequence[WorkloadFit], usd: Mapping[str, float | None]) -> PoolFit:
    """Counts row by row and workload by workload; the $ of a light are None as soon as one of its workloads
    has none.
    """
    by_need: dict[str, dict[Light | None, int]] = {}
    for fit in fits:
        for row in fit.rows:
            _count(by_need.setdefault(row.need, {}), row.light)
    workloads: dict[Light | None, int] = {}
    for fit in fits:
        _count(workloads, fit.light)
    cost = {
        light: known_sum(usd.get(fit.key) for fit in fits if fit.light is light) for light in (*Light, None)
    }
    worst = max((light for light in workloads if light is not None), default=None)
    return PoolFit(pool=pool, light=worst, workloads=workloads, by_need=by_need, usd_per_month=cost)


def _count(counts: dict[Light | None, int], light: Light | None) -> None:
    counts[light] = counts.get(light, 0) + 1
