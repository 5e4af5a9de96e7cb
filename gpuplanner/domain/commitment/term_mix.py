"""How work is bought: the term that matches the length of each workload, and each class by spot, reserved, on demand.

Both have the lookback period beside month 0 of a plan. $ and GPU-hours are per month of 730 h. None is unknown.
Source: docs/formulas/orders.md, Terms and mix.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.spend.overflow import overflow_rate
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.dispatch import shares_of_contracts
from gpuplanner.domain.audit.utilization.paid_contracts import held_contracts
from gpuplanner.domain.commitment.counted import ENDED_HOURS
from gpuplanner.domain.commitment.plan import comparison
from gpuplanner.domain.commitment.plan.layers import mean_paid_gpus
from gpuplanner.domain.commitment.result import Advice, IdleExisting, Layer, PoolPlan
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.book.renewal import remaining_months
from gpuplanner.domain.model.cube import DAY_HOURS, DAYS_PER_TERM_MONTH, ENOUGH_DAYS
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import NO_SPELL
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S

# --- The term that matches each workload: how long it was there, how long its jobs run, how long its capacity is bound


class TermMatch(NamedTuple):
    """One workload of the log; usd_per_month: today.

    present_days: from its first hour in the window to its last. committed_months_left: of the contracts under it that
    still run when the plan begins, the mean by the GPU time that they served; 0 without one.
    matching_term_months: the longest term on offer that its length supports; 0: on demand.
    """

    key: str
    name: str
    usd_per_month: float | None
    present_days: float
    median_run_hours: float | None
    committed_months_left: float | None
    matching_term_months: int | None


def term_matches(
    past: Past, asked: frozenset[str], advice: Advice, plan: Scenario, pools: Mapping[str, Pool]
) -> list[TermMatch]:
    """Every workload that had GPU time, the most expensive first, unknown last; ties by key.

    asked: ids of contracts whose use is unknown. pools: where the plan has each workload, by key.
    """
    project, rows = past.project, []
    for place, left in enumerate(_months_left(past, asked)):
        workload, (ran, _) = project.workloads[place], project.cube.hours_of(place)
        if not len(ran):
            continue
        spent = {model: int(each.sum()) for model, _, each in project.cube.by_model_of(place)}
        model = max(spent, key=lambda name: (spent[name], name or ""))
        alike = [
            row
            for row in advice.pools
            if row.pool is pools.get(workload.key) and model in (None, gpu_model_of(row.gpu_model))
        ]
        ends_s = plan.spells.get(workload.key, NO_SPELL).ends_s
        to_end = None if ends_s is None else (ends_s - project.plan_window.end_s) / MONTH_S
        rows.append(
            TermMatch(
                key=workload.key,
                name=workload.name,
                usd_per_month=past.workload_usd_per_month[place],
                present_days=int(ran[-1] + 1 - ran[0]) / DAY_HOURS,
                median_run_hours=workload.median_job_s / HOUR_S if workload.median_job_s else None,
                committed_months_left=left,
                matching_term_months=matching_term(alike, ran, project.window.hours, to_end),
            )
        )
    return sorted(rows, key=lambda row: (row.usd_per_month is None, -(row.usd_per_month or 0.0), row.key))


def matching_term(
    rows: Iterable[PoolPlan], ran: Ints, window_hours: int, months_to_end: float | None = None
) -> int | None:
    """Months of the longest term on offer that matches work; 0: on demand, None: nobody offers its pool and model.

    rows: of the plan, of its pool and model. ran: hours of the window with GPU time, ascending, one at least. A term of
    T > 1 months needs min(10 T, 45) days with GPU time, and each term a busy share of at least its break-even.
    months_to_end: to a stated end. Work that has not run for 28 days has ended.
    """
    if window_hours - 1 - ran[-1] > ENDED_HOURS:
        return 0
    days, busy = 1 + np.count_nonzero(np.diff(ran // DAY_HOURS)), len(ran) / (window_hours - int(ran[0]))
    open_rows = [row for row in rows if row.break_even or row.supply.on_demand_rate is not None]
    terms = (
        term.term_months
        for row in open_rows
        for term in row.break_even
        if (term.term_months <= 1 or days >= min(DAYS_PER_TERM_MONTH * term.term_months, ENOUGH_DAYS))
        and (months_to_end is None or term.term_months <= months_to_end)
        and (term.break_even is None or busy >= term.break_even)
    )
    return max(terms, default=0) if open_rows else None


def _months_left(past: Past, asked: frozenset[str]) -> list[float | None]:
    """Months that the contracts under each workload still bind; None where one of its cluster is asked about."""
    held = held_contracts(past.project)
    unknown = {c.cluster for c in held if c.contract_id in asked or c.is_notice_unknown}
    left = {c.contract_id: remaining_months(c, past.project.plan_window) * c.is_committed for c in held}
    bound, served = {}, {}
    for hours in past.clusters:
        ids = (row.whole_id if row.is_dollars else row.contract_id for row in hours.contracts)
        months = np.array([max(left.get(name, 0.0), 0.0) for name in ids])
        for model, shares in shares_of_contracts(hours).items():
            bound[hours.cluster, model], served[hours.cluster, model] = months @ shares, (months > 0) @ shares
    rows = zip(past.project.workloads, *past.shared(bound, served), strict=True)
    means: list[float | None] = []
    for workload, months, gpu_hours in rows:
        if workload.cluster in unknown:
            means.append(None)
        else:
            means.append(months / gpu_hours if gpu_hours else 0.0)
    return means


# --- Each class by how it is paid, in GPU-hours and $: as the lookback period was served, and month 0 of the plan

CATEGORIES: Final = ("spot", "reserved", "on_demand")
SPOT, RESERVED, ON_DEMAND = CATEGORIES
_OF_PLAN: Final = {
    comparison.EXISTING: RESERVED,
    comparison.COMMITTED: RESERVED,
    comparison.ON_DEMAND: ON_DEMAND,
    comparison.SPOT: SPOT,
}
Key = tuple[Pool | None, str]
Paid = tuple[float | None, float | None]
"""GPU-hours that are paid, and their $."""


class MixRow(NamedTuple):
    """A class and a category; pool None: what contracts are paid and serve nobody."""

    pool: Pool | None
    category: str
    gpu_hours_now: float | None
    usd_now: float | None
    gpu_hours_plan: float | None
    usd_plan: float | None


def mix_rows(past: Past, asked: frozenset[str], advice: Advice) -> list[MixRow]:
    """Every class by every category, then idle contracts; a plan has its work by pool. asked: as of `term_matches`.

    Laws: usd_now adds up to the audit's spend and usd_plan to the plan's cost.
    """
    of_clusters = (part for hours in past.clusters for part in parts_now(past, hours, asked))
    now = _summed((key, paid) for key, _, paid in of_clusters)
    plan = _summed((key, paid) for key, _, paid in parts_planned(advice))
    keys: list[Key] = [(pool, category) for pool in POOLS for category in CATEGORIES]
    keys += [(None, category) for category in CATEGORIES if (None, category) in now | plan]
    return [MixRow(*key, *now.get(key, (0.0, 0.0)), *plan.get(key, (0.0, 0.0))) for key in keys]


def _summed(amounts: Iterable[tuple[Key, Paid]]) -> dict[Key, Paid]:
    """Amounts by key; unknown where one of the parts is."""
    parts = {key: tuple(zip(*paid, strict=True)) for key, paid in grouped(amounts).items()}
    return {key: (known_sum(gpu_hours), known_sum(usd)) for key, (gpu_hours, usd) in parts.items()}


def _category(contract: Contract) -> str:
    is_spot = contract.pricing_category is PricingCategory.DYNAMIC
    if contract.is_committed:
        return RESERVED
    if is_spot:
        return SPOT
    return ON_DEMAND


def parts_now(past: Past, hours: ClusterHours, asked: frozenset[str]) -> Iterator[tuple[Key, str, Paid]]:
    """What contracts of a cluster served of each class, what overflowed, and what served nobody; by whom."""
    is_known = asked.isdisjoint(contract.contract_id for contract in hours.contracts)

    def paid(spent: float, rate: float | None) -> Paid:
        gpu_hours = spent / MILLI_GPU_SECONDS_PER_GPU_HOUR / past.project.window.months
        usd = gpu_hours and (None if rate is None else gpu_hours * rate)
        return (gpu_hours, usd) if is_known or not spent else (None, None)

    shares = shares_of_contracts(hours)
    for model, by_class in zip(hours.models, hours.demand, strict=True):
        beyond = overflow_rate(hours, model, past.project)
        for pool, demand in zip(POOLS, by_class, strict=True):
            overflow = (1 - shares[model].sum(axis=0)) @ demand
            for contract, spent in zip(hours.contracts, (shares[model] @ demand).tolist(), strict=True):
                yield (pool, _category(contract)), contract.contract_id, paid(spent, contract.full_rate)
            yield (pool, ON_DEMAND), hours.cluster, paid(round(float(overflow)), beyond)
    idle = (hours.capacity - hours.served).sum(axis=1).tolist()
    for contract, spent in zip(hours.contracts, idle, strict=True):
        yield (None, _category(contract)), contract.contract_id, paid(spent, contract.idle_rate)


def parts_planned(advice: Advice) -> Iterator[tuple[Key, tuple[PoolPlan, Layer] | IdleExisting, Paid]]:
    """The layers of month 0, and contracts that stand idle in it."""
    for row in advice.pools:
        for layer in row.layers:
            for kind, paid in _parts(layer).items():
                yield (row.pool, _OF_PLAN[kind]), (row, layer), paid
    for idle in advice.idle_existing:
        yield (None, RESERVED), idle, (idle.gpus * HOURS_PER_MONTH, idle.cost_per_month)


def _parts(layer: Layer) -> dict[str, Paid]:
    """A layer by its ways to pay; of a blend the rest of its $, after on-demand hours at their rate, is spot's."""
    paid, usd, kinds = (
        mean_paid_gpus([layer]) * HOURS_PER_MONTH,
        layer.cost_per_month,
        comparison.kinds_of(layer),
    )
    if len(kinds) == 1:
        return dict.fromkeys(kinds, (paid, usd))
    on_demand, rate = paid * kinds[comparison.ON_DEMAND], layer.on_demand_rate
    at_rate = None if usd is None or rate is None else min(usd, on_demand * rate)
    spot = None if usd is None or at_rate is None else usd - at_rate
    return {comparison.ON_DEMAND: (on_demand, at_rate), comparison.SPOT: (paid - on_demand, spot)}
