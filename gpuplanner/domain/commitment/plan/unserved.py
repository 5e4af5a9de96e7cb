"""What nobody serves: GPU-hours of the twelve months by workload, theirs whose GPU time was there in an hour."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.demand.busy import months_of, residual_at
from gpuplanner.domain.commitment.demand.flows import schedules_of
from gpuplanner.domain.commitment.demand.residual import Flow, ModelDemand
from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.commitment.plan.doing_nothing import NothingMonth
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS, PlannedRow
from gpuplanner.domain.commitment.plan.twelve_months import unserved_in, unserved_share
from gpuplanner.domain.commitment.result import ComparisonMonth, Unserved
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.only import ANYBODY, gpu_model_of, limited_name, only_of

_NOT_THERE = -1


@dataclass(frozen=True, slots=True, eq=False)
class RowEntries:
    """GPU time of a row's workloads, sparse. Shapes: all (entries,); gpus: mean GPUs of a workload in an hour.

    workload: place in Project.workloads; group: of `Outlined.schedules`.
    """

    workload: Ints
    group: Ints
    hour: Ints
    gpus: Floats


def row_entries(ground: Ground, row: Row) -> RowEntries:
    """What the workloads of a row have logged or are planned with, demand of unknown model by its share of the hour.

    Law: over the workloads of a group, the demand of its streams in the row.
    """
    project, (pool, name) = ground.project, row
    model = next(one for one in ground.plan.models if row in one.rows)
    cube, workloads = project.cube, project.workloads
    groups = _groups(ground)
    planned = np.array([one.is_planned for one in ground.outlined.schedules], dtype=np.bool_)
    times = np.where(planned, 1.0, ground.assumptions.demand_of(pool)) / MILLI_GPU_SECONDS_PER_GPU_HOUR
    in_pool = np.array([one is pool for one in ground.pools], dtype=np.bool_) & (groups != _NOT_THERE)
    number = {known: place for place, known in enumerate(cube.gpu_models)}
    entry_workload = cube.workload_index[cube.entry_row]
    amounts = cube.milli_gpu_seconds * times[groups[entry_workload]]
    stated = _NOT_THERE - 1 if gpu_model_of(name) is None else number.get(name or "", _NOT_THERE - 1)
    is_of = cube.model_index[cube.entry_row] == stated
    unknown = limited_name(None, only_of(name))
    place = _NOT_THERE if unknown is None else number.get(unknown, _NOT_THERE - 1)
    is_known, is_unknown = (
        in_pool[entry_workload] & which for which in (is_of, cube.model_index[cube.entry_row] == place)
    )
    clusters = np.array([workload.cluster for workload in workloads], dtype=object)[entry_workload]
    for cluster in sorted(set(clusters[is_unknown].tolist())):
        for group in range(len(ground.outlined.schedules)):
            here = is_unknown & (clusters == cluster) & (groups[entry_workload] == group)
            if not here.any():
                continue
            whole = np.bincount(cube.hour[here], weights=amounts[here], minlength=cube.hours)
            known = is_known & (clusters == cluster) & (groups[entry_workload] == group)
            own = np.bincount(cube.hour[known], weights=amounts[known], minlength=cube.hours)
            part = np.maximum(_streams(model, cluster, row, group, cube.hours) - own, 0.0)
            share = np.divide(part, whole, out=np.zeros(cube.hours), where=whole > 0)
            amounts[here] *= share[cube.hour[here]]
    kept = (is_known | is_unknown) & (amounts > 0)
    return RowEntries(entry_workload[kept], groups[entry_workload][kept], cube.hour[kept], amounts[kept])


def _groups(ground: Ground) -> Ints:
    """The group of each workload, (workloads,); -1 for who is over before the plan begins."""
    schedules = schedules_of(ground.project.workloads, ground.scenario, ground.window.end_s)
    number = {schedule: place for place, schedule in enumerate(ground.outlined.schedules)}
    return np.array([number.get(schedule, _NOT_THERE) for schedule in schedules], dtype=np.int64)


def _streams(model: ModelDemand, cluster: str, row: Row, group: int, hours: int) -> Floats:
    """Demand of a row and group on a cluster, mean GPUs, (hours,)."""
    total, place = np.zeros(hours), model.rows.index(row)
    for site in model.sites:
        for stream in site.streams:
            if (site.cluster, stream.row, stream.group) == (cluster, place, group):
                total += stream.demand
    return total / MILLI_GPU_SECONDS_PER_GPU_HOUR


LEAST_GPU_HOURS: Final = 1e-6
OFFERS_ARE_TAKEN: Final = worded("no offer by use has GPUs left")
NOBODY_MAY: Final = worded("nobody who may serve it sells GPUs by use")
OVER_BUDGET: Final = worded("over the budget")


def unserved_of(ground: Ground, rows: Sequence[PlannedRow]) -> tuple[Unserved, ...]:
    """By pool, model and workload, in proportion to the GPU time of each hour in which a slice is served by nobody.

    usd_per_month: of what a budget gave up, what it cost in the plan without the budget, by month; None for the rest.
    """
    answer = []
    for planned in rows:
        row = planned.row
        months = range(min(COMPARED_MONTHS, row.market.horizon_months))
        lost = {month: unserved_in(planned, month) for month in months}
        if sum(lost.values()) <= LEAST_GPU_HOURS:
            continue
        given = planned.given_up
        is_given_up = given is not None and bool(given.slices.any())
        shares = _shares(ground, planned, [month for month in months if lost[month] > 0])
        hours: Floats = np.sum([lost[month] * share for month, share in shares.items()], axis=0)
        usd = None
        if given is not None and is_given_up:  # what cost in a month without use is theirs who lost most
            whole = hours / hours.sum()
            usd = np.sum([given.usd[month] * shares.get(month, whole) for month in months], axis=0)
        reason = OVER_BUDGET if is_given_up else NOBODY_MAY if row.flex.rate is None else OFFERS_ARE_TAKEN
        for place in np.flatnonzero(hours > LEAST_GPU_HOURS).tolist():
            key = ground.project.workloads[place].key
            own_usd = None if usd is None else float(usd[place]) / COMPARED_MONTHS
            answer.append(Unserved(row.pool, row.gpu_model, key, float(hours[place]), own_usd, reason))
    return tuple(sorted(answer, key=lambda one: (one.pool, one.gpu_model or "", one.key)))


def _shares(ground: Ground, planned: PlannedRow, months: Sequence[int]) -> dict[int, Floats]:
    """Of some months the share of each workload in what nobody serves, (workloads,), adding up to 1."""
    row, hours, count = planned.row, ground.window.hours, len(ground.project.workloads)
    name = (row.pool, row.gpu_model)
    model = next(one for one in ground.plan.models if name in one.rows)
    place, entries = model.rows.index(name), row_entries(ground, name)
    pieces = months_of(model, ground.plan.contracts, ground.window, ground.outlined, COMPARED_MONTHS)
    weights = np.ones(hours) if ground.weights is None else ground.weights
    answer = {}
    for month in months:
        gpus = np.concatenate(([0.0], np.cumsum(row.slicing.widths * unserved_share(planned, month))))
        total = np.zeros(count)
        for share, state in pieces[month]:
            left = residual_at(model, state, hours)[place] / MILLI_GPU_SECONDS_PER_GPU_HOUR
            missed = np.interp(left, row.slicing.edges, gpus)
            factors = dict(state.factors)
            there = np.array(
                [factors.get(Flow(row.pool, group, place), 0.0) for group in entries.group.tolist()]
            )
            there = there * entries.gpus
            whole = np.bincount(entries.hour, weights=there, minlength=hours)
            lost = np.divide(share * weights * missed, whole, out=np.zeros(hours), where=whole > 0)
            total += np.bincount(entries.workload, weights=there * lost[entries.hour], minlength=count)
        answer[month] = total / total.sum()
    return answer


def leaves_more_unserved(
    comparison: Sequence[ComparisonMonth], anybody: Sequence[NothingMonth], horizon_months: int
) -> bool:
    """Whether the plan leaves GPU-hours unserved in a month in which doing nothing serves them where anybody may: no
    figure of savings then compares like with like. Past the horizon nothing is signed: those months do not count.

    anybody: doing nothing without limits of who may serve (nothing_where_anybody_serves)."""
    return any(
        row.unserved_gpu_hours > nothing.unserved_gpu_hours + LEAST_GPU_HOURS
        for row, nothing in zip(comparison[:horizon_months], anybody, strict=False)
    )


def unserved_checks(unserved: Sequence[Unserved], has_no_savings: bool) -> Iterator[Check]:
    """One for each row with GPU-hours that nobody serves; of what a budget gave up one in all, which names the rows.

    has_no_savings: doing nothing, or others than may serve, would serve these GPU-hours, and the check says
    so.
    """
    hours: dict[tuple[str, str], float] = {}
    reasons: dict[tuple[str, str], Message] = {}
    for one in unserved:
        key = (one.pool, one.gpu_model or "unknown model")
        reasons[key] = one.reason
        hours[key] = hours.get(key, 0.0) + one.gpu_hours
    over = {key: amount for key, amount in sorted(hours.items()) if reasons[key] == OVER_BUDGET}
    is_one = len(over) > 1
    if is_one:
        rows = (joined((f"{pool} {model}", whole(amount)), " ") for (pool, model), amount in over.items())
        text = worded(
            "{amount} GPU-hours of twelve months are served by nobody: {reason} ({rows})",
            amount=whole(sum(over.values())),
            reason=OVER_BUDGET,
            rows=joined(rows, ", "),
        )
        limited = any(only_of(model) != ANYBODY for _, model in over)
        yield Check("unserved", "red", worded("the plan"), text + _without_savings(limited, has_no_savings))
    for (pool, model), amount in sorted(hours.items()):
        if is_one and (pool, model) in over:
            continue
        text = worded(
            "{amount} GPU-hours of twelve months are served by nobody: {reason}",
            amount=whole(amount),
            reason=reasons[pool, model],
        )
        ending = _without_savings(only_of(model) != ANYBODY, has_no_savings)
        yield Check("unserved", "red", f"{pool} {model}", text + ending)


def _without_savings(is_limited: bool, has_no_savings: bool) -> Text:
    """Why no savings are known beside what nobody serves; nothing where they are."""
    if not has_no_savings:
        return ""
    return (
        worded("; today's contracts or other offers could serve them, so savings are not known")
        if is_limited
        else worded("; doing nothing would serve them, so savings are not known")
    )


def budget_check(ground: Ground, comparison: Sequence[ComparisonMonth]) -> Iterator[Check]:
    """The months that cost more than the budget although nothing is left to give up.

    Red, at the worst of those months; none without a budget. Months past the horizon do not count.
    """
    budget = ground.assumptions.budget_usd_per_month
    if budget is None:
        return
    planned = comparison[: ground.assumptions.horizon_months]
    over = [row for row in planned if row.plan_usd is not None and row.plan_usd > budget + 0.005]
    if over:
        worst = max(over, key=lambda row: row.plan_usd or 0.0)
        text = worded(
            "month {month} costs ${usd}, ${contracts} of it for contracts that run on: the budget is ${budget}",
            month=whole(worst.month),
            usd=whole(worst.plan_usd),
            contracts=whole(worst.contracts_usd or 0),
            budget=whole(budget),
        )
        yield Check("over_budget", "red", "plan", text)
