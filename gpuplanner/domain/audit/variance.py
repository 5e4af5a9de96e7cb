"""Variance: what changed between two periods, as volume + efficiency + price, adding up exactly."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit import cost_result
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.spend.overflow import overflow_usd
from gpuplanner.domain.audit.spend.pricing import priced
from gpuplanner.domain.audit.unit_costs.cost_lists import most_expensive_first
from gpuplanner.domain.audit.unit_costs.costed_hours import costed_hours
from gpuplanner.domain.audit.utilization.demand_groups import group_of_row, served_share
from gpuplanner.domain.figures.changes import CHANGE, CONTRACT_CHANGE, PERIOD, WORKLOAD_CHANGE
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, by_row, floats, optional
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, Window, iso_utc
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Periods: which two stretches of the window are compared -------------------------------------


def halves(window: Window) -> tuple[cost_result.Period, cost_result.Period]:
    """The two halves, equally long; an odd hour in the middle is in neither. One hour is compared with itself.

    >>> halves(Window(0, 5))
    (Period(first=0, last=2), Period(first=3, last=5))
    """
    half = max(window.hours // 2, 1)
    return cost_result.Period(0, half), cost_result.Period(window.hours - half, window.hours)


def month_periods(window: Window) -> tuple[tuple[int, cost_result.Period], ...]:
    """The calendar months of the window, cut to it: epoch seconds of each month's first day, and its hours. UTC.

    Months of the calendar differ in length; amounts of them are compared per month of 730 h.
    """
    day = datetime.fromtimestamp(window.start_s, UTC)
    year, month = day.year, day.month
    periods = []
    while (first_s := _month_s(year, month)) < window.end_s:
        year, month = year + month // 12, month % 12 + 1
        periods.append((first_s, period_between(window, first_s, _month_s(year, month))))
    return tuple(periods)


def _month_s(year: int, month: int) -> int:
    """Epoch seconds of a month's first moment, UTC."""
    return int(datetime(year, month, 1, tzinfo=UTC).timestamp())


def period_between(window: Window, start_s: int, end_s: int) -> cost_result.Period:
    """The whole hours of the window between two times. Errors: PlannerError where there are none.

    start_s, end_s: epoch seconds; hours that lie in it only in part are left out.

    >>> period_between(Window(0, 48), 1800, 3 * 3600)
    Period(first=1, last=3)
    """
    first = max(-(-(start_s - window.start_s) // HOUR_S), 0)
    last = min((end_s - window.start_s) // HOUR_S, window.hours)
    if last <= first:
        raise refusal(
            f"{iso_utc(start_s)} to {iso_utc(end_s)}",
            worded(
                "it has no whole hour in the lookback period, {start} to {end}",
                start=iso_utc(window.start_s),
                end=iso_utc(window.end_s),
            ),
            worded("choose part of the lookback period, or extend it"),
        )
    return cost_result.Period(first, last)


# --- Variance: what changed between two periods, as volume + efficiency + price, by cluster, adding up exactly
# cost = used GPU-hours x inefficiency (paid / used) x price ($ per paid GPU-hour), so from period 0 to period 1
# change = dV E0 P0 + V1 dE P0 + V1 E1 dP. Source: docs/formulas/variance.md.


# Used hours: what contracts served of each workload in a part of the window.
def used_gpu_hours(past: Past, periods: Sequence[cost_result.Period]) -> Floats:
    """GPU-hours of each workload that contracts served in each period; shape (periods, workloads).

    Its share, by GPU time, of what contracts served of its GPU model on its cluster in each hour. Law: they add up to
    what was served.
    """
    cube = past.project.cube
    share = served_share(past.clusters)
    used = np.zeros((len(periods), len(past.project.workloads)))
    everyone = np.ones(len(past.project.workloads), dtype=np.bool_)
    of_row = group_of_row(past.project, past.clusters)
    for block in costed_hours(cube, of_row, share, everyone):
        sums = np.concatenate(([0.0], np.cumsum(block.value)))
        ends = np.append(block.starts[1:], len(block.hour))
        # hours ascend within a workload, so those of a period lie together
        lines = np.arange(len(block.starts)) * cube.hours
        slots = np.repeat(lines, ends - block.starts) + block.hour
        for number, period in enumerate(periods):
            first, last = (np.searchsorted(slots, lines + hour) for hour in (period.first, period.last))
            used[number, block.workload] = sums[last] - sums[first]
    return used / MILLI_GPU_SECONDS_PER_GPU_HOUR


NEW: Final = worded("no cost in the first period: all change is volume, at second-period rates")
ENDED: Final = worded("no cost in the second period: all change is volume, at first-period rates")
NEVER_USED: Final = worded("no use in the paid period: all change is efficiency")
UNUSED_BEFORE: Final = worded(
    "no use in the first period: volume is today's hours at the old price, efficiency the change in idle hours"
)
UNUSED_AFTER: Final = worded("no use in the second period: volume is all earlier use")
NO_RATE: Final = worded("a contract has no rate: ask for a quote")
NO_CONTRACTS: Final = worded("no contracts: paid cost is unknown; overflow is separate")
NOTHING_PAID: Final = worded("no contract runs in either period; overflow is separate")

NOTHING_GPU_HOURS: Final = 1e-6
"""Under this a workload's change is what floating point leaves over."""


PARTS: Final = ("change_per_month", "volume_per_month", "efficiency_per_month", "price_per_month")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """By what a cluster's change is told apart: the rates and the growth that its formulas take, None: unknown.

    used_rate: $ per GPU-hour used; idle_rate: $ per idle one; idle_scale: of the idle hours before; price_before: $ per
    GPU-hour paid. note: what could not be told apart.
    """

    used_rate: float | None
    idle_rate: float | None
    idle_scale: float | None
    price_before: float | None
    note: Text = ""


Row = dict[str, Any]
"""Values by the keys of figures."""


def variance(past: Past, before: cost_result.Period, after: cost_result.Period) -> cost_result.Variance:
    """What each cluster was paid in two periods and why it differs; amounts per month, so lengths may differ.

    Without contracts or bills nothing is known of what is paid. Laws: volume + efficiency + price = change, of each
    cluster and in total; a cluster's workloads add up to its volume, its contracts to its price and efficiency.
    Overflow is beside, as in the audit.
    """
    costs = [_period_costs(past, period) for period in (before, after)]
    rates = [chosen(*of_both) for of_both in zip(*costs, strict=True)]
    if not past.project.has_spend:
        rates = [replace(rate, note=NO_CONTRACTS) for rate in rates]
    changes = cluster_changes(costs[0], costs[1], rates)
    workloads = _workloads(past, before, after, rates)
    contracts = _contracts(past, before, after, costs, rates)
    clusters = tuple(
        cost_result.ClusterVariance(
            cluster=hours.cluster,
            before=costs[0][at],
            after=costs[1][at],
            **changes[at],
            workloads=workloads[at],
            contracts=contracts[at],
            note=rates[at].note,
        )
        for at, hours in enumerate(past.clusters)
    )
    totals = {
        key: known_sum(getattr(row, key) for row in clusters) for key in ("cost_before", "cost_after", *PARTS)
    }
    mix = CHANGE.worked_out(
        {
            "volume_per_month": floats([totals["volume_per_month"]]),
            "used_before": floats([sum(row.before.used_per_month for row in clusters)]),
            "used_after": floats([sum(row.after.used_per_month for row in clusters)]),
            "cost_before": floats([totals["cost_before"]]),
        },
        ("mix_per_month",),
    )
    return cost_result.Variance(
        before=before,
        after=after,
        clusters=clusters,
        **totals,
        mix_per_month=optional(mix["mix_per_month"])[0],
    )


def cluster_changes(
    before: Sequence[cost_result.PeriodCost], after: Sequence[cost_result.PeriodCost], rates: Sequence[Chosen]
) -> list[Row]:
    """The figures of PARTS of each cluster. Law: volume + efficiency + price = change, whatever is zero.

    before, after, rates: of the same clusters, in order. Source: docs/formulas/variance.md.
    """
    of_periods = {
        f"{of}_{when}": floats([getattr(cost, f"{of}_per_month") for cost in costs])
        for when, costs in (("before", before), ("after", after))
        for of in ("cost", "used", "paid", "idle")
    }
    of_rates = {
        key: floats([getattr(rate, key) for rate in rates])
        for key in ("used_rate", "idle_rate", "idle_scale", "price_before")
    }
    columns = CHANGE.worked_out(of_periods | of_rates, PARTS)
    return by_row({key: columns[key] for key in PARTS})


def chosen(before: cost_result.PeriodCost, after: cost_result.PeriodCost) -> Chosen:
    """The rates by which a cluster's change is told apart; those of the other period where one has none.

    Where a rate is missing all are unknown; where one side paid nothing all of the change is volume or
    efficiency.
    """
    if before.cost_per_month is None or after.cost_per_month is None:
        return Chosen(used_rate=None, idle_rate=None, idle_scale=None, price_before=None, note=NO_RATE)
    if not before.paid_per_month and not after.paid_per_month:
        return Chosen(used_rate=0.0, idle_rate=0.0, idle_scale=0.0, price_before=0.0, note=NOTHING_PAID)
    if not before.paid_per_month or not after.paid_per_month:
        only = after if not before.paid_per_month else before
        price = only.rate or 0.0
        if not only.used_per_month:
            return Chosen(used_rate=0.0, idle_rate=price, idle_scale=1.0, price_before=price, note=NEVER_USED)
        return Chosen(
            used_rate=only.cost_of_used,
            idle_rate=0.0,
            idle_scale=0.0,
            price_before=price,
            note=NEW if only is after else ENDED,
        )
    price = before.rate or 0.0
    if not before.used_per_month:
        return Chosen(
            used_rate=price, idle_rate=price, idle_scale=1.0, price_before=price, note=UNUSED_BEFORE
        )
    note = "" if after.used_per_month else UNUSED_AFTER
    return Chosen(
        used_rate=before.cost_of_used,
        idle_rate=price,
        idle_scale=after.used_per_month / before.used_per_month,
        price_before=price,
        note=note,
    )


def _workloads(
    past: Past, before: cost_result.Period, after: cost_result.Period, rates: Sequence[Chosen]
) -> list[tuple[cost_result.VolumePart, ...]]:
    """Each cluster's workloads that contracts served more or less of, largest first."""
    served = used_gpu_hours(past, (before, after))
    places = [(at, place) for at, hours in enumerate(past.clusters) for place in past.members(hours.cluster)]
    used = [
        PERIOD.worked_out(
            {
                "used_gpu_hours": served[number, [place for _, place in places]],
                "hours": np.full(len(places), float(period.hours)),
                "hours_per_month": np.full(len(places), float(HOURS_PER_MONTH)),
            },
            ("used_per_month",),
        )["used_per_month"]
        for number, period in enumerate((before, after))
    ]
    columns = WORKLOAD_CHANGE.worked_out(
        {
            "used_before": used[0],
            "used_after": used[1],
            "used_rate": floats([rates[at].used_rate for at, _ in places]),
        }
    )
    parts: list[list[cost_result.VolumePart]] = [[] for _ in rates]
    for (at, place), row in zip(places, _rows(columns), strict=True):
        if abs(row["gpu_hours_per_month"] or 0.0) > NOTHING_GPU_HOURS:
            cluster, key = past.clusters[at].cluster, past.project.workloads[place].key
            parts[at].append(cost_result.VolumePart(cluster=cluster, key=key, **row))
    return [most_expensive_first(of, lambda part: (abs(part.gpu_hours_per_month), part.key)) for of in parts]


def _contracts(
    past: Past,
    before: cost_result.Period,
    after: cost_result.Period,
    costs: Sequence[Sequence[cost_result.PeriodCost]],
    rates: Sequence[Chosen],
) -> list[tuple[cost_result.ContractPart, ...]]:
    """Each cluster's contracts with their parts of price and efficiency, largest first."""
    contracts = [(at, contract) for at, hours in enumerate(past.clusters) for contract in hours.contracts]

    def price_before(at: int, contract: Contract) -> float | None:
        """Return the price of the first period; the contract's own rate where a cluster has no two periods."""
        price = rates[at].price_before
        if price is None:
            return None
        return price if has_both[at] else contract.rate or 0.0

    first, second = (_contract_rows(past, period) for period in (before, after))
    growth = [
        now.paid_per_month / then.paid_per_month if then.paid_per_month else 0.0
        for then, now in zip(*costs, strict=True)
    ]
    # where nothing is paid for in one of the periods there is no rate to compare with: all of it is volume
    has_both = [bool(then.paid_per_month and now.paid_per_month) for then, now in zip(*costs, strict=True)]
    columns = CONTRACT_CHANGE.worked_out(
        {
            "paid_before": floats([row["paid_per_month"] for row in first]),
            "paid_after": floats([row["paid_per_month"] for row in second]),
            "idle_before": floats([row["idle_per_month"] for row in first]),
            "idle_after": floats([row["idle_per_month"] for row in second]),
            "paid_growth": floats([growth[at] for at, _ in contracts]),
            "idle_scale": floats([rates[at].idle_scale for at, _ in contracts]),
            "idle_rate": floats([rates[at].idle_rate for at, _ in contracts]),
            "own_rate": floats([contract.rate or 0.0 for _, contract in contracts]),
            "price_before": floats([price_before(at, contract) for at, contract in contracts]),
        }
    )
    parts: list[list[cost_result.ContractPart]] = [[] for _ in rates]
    for (at, contract), row in zip(contracts, _rows(columns), strict=True):
        if row["paid_before"] or row["paid_after"]:
            parts[at].append(cost_result.ContractPart(contract_id=contract.contract_id, **row))
    return [most_expensive_first(of, change_sort_key) for of in parts]


def _rows(columns: Mapping[str, Floats]) -> list[Row]:
    """Values by key, one mapping a row."""
    return [*by_row(columns)]


def change_sort_key(part: cost_result.ContractPart) -> tuple[float, str]:
    """By how much of the change, in whatever direction; then by id."""
    return abs(part.price_per_month or 0.0) + abs(part.efficiency_per_month or 0.0), part.contract_id


def _contract_rows(past: Past, period: cost_result.Period) -> list[Row]:
    """The figures of PERIOD per month, of every contract of every cluster."""
    span = slice(period.first, period.last)
    return _figures(
        period,
        [amount for hours in past.clusters for amount in hours.served[:, span].sum(axis=1).tolist()],
        [amount for hours in past.clusters for amount in hours.capacity[:, span].sum(axis=1).tolist()],
        (),
    )


def _period_costs(past: Past, period: cost_result.Period) -> list[cost_result.PeriodCost]:
    """Each cluster in a period."""
    span = slice(period.first, period.last)
    paid = [hours.capacity[:, span].sum(axis=1) for hours in past.clusters]
    rows = _figures(
        period,
        [int(hours.served[:, span].sum()) for hours in past.clusters],
        [int(amount.sum()) for amount in paid],
        [
            priced(amount, [contract.rate for contract in hours.contracts])
            for hours, amount in zip(past.clusters, paid, strict=True)
        ],
    )
    if not past.project.has_spend:
        unknown = dict.fromkeys(("used_gpu_hours", "paid_gpu_hours", "paid_cost", "cost_per_month"))
        rows = [{**row, **unknown} for row in rows]
    return [
        cost_result.PeriodCost(**row, overflow_cost=overflow_usd(hours, past.project, span))
        for hours, row in zip(past.clusters, rows, strict=True)
    ]


def _figures(
    period: cost_result.Period, used: Sequence[int], paid: Sequence[int], cost: Sequence[float | None]
) -> list[Row]:
    """The figures of PERIOD; used, paid: milli-GPU-seconds; without cost only those that need none."""
    given: dict[str, Floats] = {
        "used_gpu_hours": np.array(used, dtype=np.int64) / MILLI_GPU_SECONDS_PER_GPU_HOUR,
        "paid_gpu_hours": np.array(paid, dtype=np.int64) / MILLI_GPU_SECONDS_PER_GPU_HOUR,
        "hours": np.full(len(used), float(period.hours)),
        "hours_per_month": np.full(len(used), float(HOURS_PER_MONTH)),
    }
    keys = ("used_per_month", "paid_per_month", "idle_per_month")
    columns = PERIOD.worked_out(
        given | {"paid_cost": floats(cost)} if len(cost) else given, () if len(cost) else keys
    )
    return by_row({key: column for key, column in columns.items() if key not in ("hours", "hours_per_month")})
