"""Twelve months of the plan and of doing nothing: what each costs, and what nobody serves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.audit.spend import UNKNOWN_MODEL
from gpuplanner.domain.commitment import busy
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.commitment.plan.runs import PlannedRun, runs_of
from gpuplanner.domain.commitment.recursion.rates import over
from gpuplanner.domain.commitment.result import ComparisonMonth, Unserved
from gpuplanner.domain.commitment.slicing import weighted_mean
from gpuplanner.domain.commitment.streams import Flow, ModelDemand, Row
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.fit.rules import eligible_offers, need_of
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import HALF_A_CENT, NO_PARTS, PartSum, known_sum, part_sum
from gpuplanner.domain.model.book import only
from gpuplanner.domain.model.book.contract import month_start_s, parts_in_month, usd_in_month
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool, PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH

# --- Twelve months with nothing signed: what contracts cost, and what they leave over on demand


@dataclass(frozen=True, slots=True)
class NothingMonth:
    """One month with nothing signed.

    usd: contracts for the hours that they run and, of what they leave over, the cheapest eligible on-demand rate, in $
    of that month (None: a rate is missing); use_usd: what they leave over alone; unserved_gpu_hours: demand that no
    offer may serve, in no $. parts: usd by contract, pool and GPU model, and run, each known or not.
    Source: docs/formulas.md, Comparison.
    """

    usd: float | None
    unserved_gpu_hours: float = 0.0
    use_usd: float | None = None
    parts: PartSum = NO_PARTS


class _OfRow(Protocol):
    @property
    def pool(self) -> Pool: ...
    @property
    def gpu_model(self) -> str | None: ...


def part_name(of: _OfRow) -> Message:
    """A pool and GPU model as a part of a sum is called: training H100."""
    return worded("{pool} {gpu_model}", pool=of.pool.value, gpu_model=of.gpu_model or UNKNOWN_MODEL)


@dataclass(frozen=True, slots=True, eq=False)
class _Open:
    """What one pool and model would rent: its offers on demand, cheapest first, and what is left over in each state.

    rates: $ per GPU-hour of each offer at prices of today, (offers,); levels: of each offer and month those of its
    parts, as shares of today's.
    """

    pool: Pool
    gpu_model: str | None
    offers: tuple[Offer, ...]
    ratios: dict[str, float]
    months: tuple[busy.Month, ...]
    left: dict[busy.MonthState, Floats]
    rates: Floats
    levels: list[list[list[float]]]

    def rate(self, offer: int, month: int, part: int) -> float:
        """$ per GPU-hour of an offer in a part of a month."""
        return float(self.rates[offer]) * self.levels[offer][month][part]


def nothing_by_month(ground: Ground) -> tuple[NothingMonth, ...]:
    """Months 0..11: every contract row for the hours that it runs, whatever its category, and what they leave over at
    the cheapest on-demand rate eligible for its pool and model; an offer serves, hour by hour, at most its own GPUs.
    Runs are paid by use, but for what contracts have idle for them."""
    rows = _open_rows(ground)
    runs = _runs_by_use(ground)
    contracts = ground.nothing.contracts
    answer = []
    for month in range(COMPARED_MONTHS):
        paid = usd_in_month(contracts, ground.window, month)
        rented, unserved = _rented(rows, month, ground)
        hour_usd = known_sum(usd for _, usd in rented)
        usd = None if hour_usd is None else HOURS_PER_MONTH * hour_usd
        of_runs = [(part_name(run.row), run.listed.use_usd(month)) for run in runs]
        usd = known_sum([usd, *(run_usd for _, run_usd in of_runs)])
        unserved_h = HOURS_PER_MONTH * unserved + sum(run.listed.unserved_in(month) for run in runs)
        by_use = [(name, None if hour is None else HOURS_PER_MONTH * hour) for name, hour in rented]
        parts = part_sum([*parts_in_month(contracts, ground.window, month), *by_use, *of_runs])
        answer.append(NothingMonth(known_sum([paid, usd]), unserved_h, usd, parts))
    return tuple(answer)


def _runs_by_use(ground: Ground) -> tuple[PlannedRun, ...]:
    """The runs with nothing signed, on demand: what contracts, rows on demand too, leave idle for them is no use."""
    bare = replace(
        ground,
        plan=replace(ground.plan, contracts=ground.nothing.contracts),
        eligible={
            row: tuple(one for one in offers if one.pricing_category == PricingCategory.STANDARD)
            for row, offers in ground.eligible.items()
        },
    )
    return runs_of(bare, {}, ())


def _open_rows(ground: Ground) -> list[_Open]:
    """In serving order: inference, training, burst, then by model."""
    window, project = ground.window, ground.project
    many = np.array([(workload.max_nodes or 1) > 1 for workload in project.workloads], dtype=np.bool_)
    rows = []
    for model in ground.nothing.models:
        months = busy.months_of(model, ground.nothing.contracts, window, ground.outlined, COMPARED_MONTHS)
        left = {state: busy.residual_at(model, state, window.hours) for state in busy.states_in(months)}
        for place, (pool, name) in enumerate(model.rows):
            several = bool((many & (ground.nothing.users[pool, name] > 0)).any())
            need = need_of(pool, name, several)
            eligible = eligible_offers(project.offers, need, project.mappings)
            priced = [o for o in eligible if o.pricing_category == PricingCategory.STANDARD and o.rate]
            offers = tuple(sorted(priced, key=lambda offer: (offer.rate or 0.0, offer.offer_id)))
            mine = {state: hourly[place] / MILLI_GPU_SECONDS_PER_GPU_HOUR for state, hourly in left.items()}
            ratios = only.ratios_of(project.offers, model.gpu_model, project.mappings)
            rates = np.array([o.rate or 0.0 for o in offers], dtype=np.float64)
            levels = [[_levels(ground, offer, month) for month in range(COMPARED_MONTHS)] for offer in offers]
            rows.append(_Open(pool, name, offers, ratios, tuple(months), mine, rates, levels))
    return sorted(rows, key=lambda row: (SERVING_ORDER.index(row.pool), row.gpu_model or ""))


def _levels(ground: Ground, offer: Offer, month: int) -> list[float]:
    """Prices of an offer in the parts of a month, as shares of today's."""
    path = float(over(ground.levels.path, month + 1)[month])
    spans = busy.spans_of_months(ground.outlined.moments, ground.window, month + 1)[month]
    return [path * ground.levels.dated_at(offer.gpu_model, from_s) for from_s, _ in spans]


def _rented(
    rows: Sequence[_Open], month: int, ground: Ground
) -> tuple[list[tuple[Text, float | None]], float]:
    """$ by pool and GPU model, and unserved GPU-hours, of an hour on average at prices of the month; $ None: no offer.

    A month in which something begins or ends is several parts, each with its share of the month.
    """
    usd: list[tuple[Text, float | None]] = []
    unserved = 0.0
    for part in range(len(rows[0].months[month]) if rows else 0):
        room: dict[str, Floats] = {}
        for row in rows:
            share, state = row.months[month][part]
            amount, name = row.left[state], part_name(row)
            if not row.offers and only.only_of(row.gpu_model) != only.ANYBODY:
                unserved += share * weighted_mean(amount, ground.weights)
            elif not row.offers:
                usd.append((name, None if weighted_mean(amount, ground.weights) else 0.0))
            elif row.offers[0].max_gpus is None:
                hour_usd = share * weighted_mean(amount, ground.weights) * row.rate(0, month, part)
                usd.append((name, hour_usd))
            else:
                rates = [row.rate(at, month, part) for at in range(len(row.offers))]
                paid, left = _hour_by_hour(row, amount, room, ground.weights, rates)
                usd.append((name, share * paid))
                unserved += share * left
    return usd, unserved


def _hour_by_hour(
    row: _Open, amount: Floats, room: dict[str, Floats], weights: Floats | None, rates: Sequence[float]
) -> tuple[float, float]:
    """$ and GPU-hours that nobody serves, of an hour on average; what is taken is taken off `room`, (hours,)."""
    usd = 0.0
    for place, offer in enumerate(row.offers):
        ratio, taken = row.ratios.get(offer.offer_id, 1.0), amount
        if offer.max_gpus is not None:
            left = room.setdefault(offer.offer_id, np.full(len(amount), float(offer.max_gpus)))
            taken = np.minimum(amount, left * ratio)
            left -= taken / ratio
        usd += weighted_mean(taken, weights) * rates[place]
        amount = amount - taken
    return usd, weighted_mean(amount, weights)


# --- Twelve months: what doing nothing and the plan cost in each, along today's level of demand


@dataclass(frozen=True, slots=True)
class MonthParts:
    """One month of the plan at today's level of demand, in $ of that month (None: a rate is missing).

    contracts_usd: committed contracts for the hours that they run, used or not; orders_usd: those that run in it, at
    the rate of the month of their start, what is paid upfront spread over their hours; use_usd: the rest, by use.
    unserved_gpu_hours: demand that no offer may serve; it is in no $. Source: docs/formulas.md, Comparison.
    """

    contracts_usd: float | None
    orders_usd: float | None
    use_usd: float | None
    unserved_gpu_hours: float = 0.0

    @property
    def plan_usd(self) -> float | None:
        """All of it. Law: every dollar of a month is a contract, an order, or use.

        None where one of the three is unknown. Units: $ of that month.
        """
        return known_sum([self.contracts_usd, self.orders_usd, self.use_usd])


def plan_parts(ground: Ground, planned: Planned) -> tuple[MonthParts, ...]:
    """The twelve months of the plan along today's level of demand: sums over one list.

    Source: docs/formulas.md, Comparison.
    """
    lists = [*(one.listed for one in planned.rows), *(run.listed for run in planned.runs)]
    return tuple(
        MonthParts(
            ground.contracts_usd(month),
            known_sum([one.orders_usd(month) for one in lists]),
            known_sum([one.use_usd(month) for one in lists]),
            sum(one.unserved_in(month) for one in lists),
        )
        for month in range(COMPARED_MONTHS)
    )


def parts_of_month_0(ground: Ground, planned: Planned) -> PartSum:
    """What month 0 of the plan costs, $, by contract and by pool and GPU model, each known or not.

    Law: where all are known they come to `plan_usd` of its parts.
    """
    rows: list[PlannedRow | PlannedRun] = [*planned.rows, *planned.runs]
    bought = [
        (part_name(one.row), usd) for one in rows for usd in (one.listed.orders_usd(0), one.listed.use_usd(0))
    ]
    return part_sum([*parts_in_month(ground.plan.contracts, ground.window, 0), *bought])


def comparison_of(
    ground: Ground, planned: Planned, nothing: Sequence[NothingMonth]
) -> tuple[ComparisonMonth, ...]:
    """Months 0..11 side by side.

    nothing: the same twelve months with nothing signed. Source: docs/formulas.md, Comparison.
    """
    answer = []
    for month, parts in enumerate(plan_parts(ground, planned)):
        answer.append(
            ComparisonMonth(
                month,
                month_start_s(ground.window, month),
                nothing[month].usd,
                parts.plan_usd,
                parts.contracts_usd,
                parts.orders_usd,
                parts.use_usd,
                parts.unserved_gpu_hours,
                nothing[month].unserved_gpu_hours,
                nothing[month].use_usd,
            )
        )
    return tuple(answer)


# --- What nobody serves: GPU-hours of the twelve months by workload, theirs whose GPU time was there in an hour

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
    stated = _NOT_THERE - 1 if only.gpu_model_of(name) is None else number.get(name or "", _NOT_THERE - 1)
    is_of = cube.model_index[cube.entry_row] == stated
    unknown = only.limited_name(None, only.only_of(name))
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
    schedules = busy.schedules_of(ground.project.workloads, ground.scenario, ground.window.end_s)
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
NO_SAVINGS: Final = worded("; savings are not known, since they would compare different work")


def unserved_of(ground: Ground, planned: Planned) -> tuple[Unserved, ...]:
    """By pool, model and workload, in proportion to the GPU time of each hour in which a slice is served by nobody.

    usd_per_month: of what a budget gave up, what it cost in the plan without the budget, by month; None for the rest.
    """
    answer = []
    months = range(min(COMPARED_MONTHS, ground.assumptions.horizon_months))
    for one in planned.rows:
        row = one.row
        lost = {month: one.listed.unserved_in(month) for month in months}
        if sum(lost.values()) <= LEAST_GPU_HOURS:
            continue
        shares = _shares(ground, one, [month for month in months if lost[month] > 0])
        hours: Floats = np.sum([lost[month] * share for month, share in shares.items()], axis=0)
        usd, reason = None, NOBODY_MAY if row.flex.rate is None else OFFERS_ARE_TAKEN
        if (
            one.lost_usd is not None and one.lost_usd.any()
        ):  # what cost in a month without use is theirs who lost most
            whole = hours / hours.sum()
            usd = np.sum([one.lost_usd[month] * shares.get(month, whole) for month in months], axis=0)
            reason = OVER_BUDGET
        for place in np.flatnonzero(hours > LEAST_GPU_HOURS).tolist():
            key = ground.project.workloads[place].key
            own_usd = None if usd is None else float(usd[place]) / COMPARED_MONTHS
            answer.append(Unserved(row.pool, row.gpu_model, key, float(hours[place]), own_usd, reason))
    for run in planned.runs:
        gpu_hours = sum(run.listed.unserved_in(month) for month in months)
        if gpu_hours > LEAST_GPU_HOURS:
            lost_usd = None if run.lost_usd is None else float(run.lost_usd.sum()) / COMPARED_MONTHS
            reason = OVER_BUDGET if lost_usd else NOBODY_MAY
            answer.append(
                Unserved(run.row.pool, run.row.gpu_model, run.key, gpu_hours, lost_usd or None, reason)
            )
    return tuple(sorted(answer, key=lambda one: (one.pool, one.gpu_model or "", one.key)))


def _shares(ground: Ground, planned: PlannedRow, months: Sequence[int]) -> dict[int, Floats]:
    """Of some months the share of each workload in what nobody serves, (workloads,), adding up to 1."""
    row, listed, hours, count = (
        planned.row,
        planned.listed,
        ground.window.hours,
        len(ground.project.workloads),
    )
    name = (row.pool, row.gpu_model)
    model = next(one for one in ground.plan.models if name in one.rows)
    place, entries = model.rows.index(name), row_entries(ground, name)
    pieces = busy.months_of(model, ground.plan.contracts, ground.window, ground.outlined, COMPARED_MONTHS)
    weights = np.ones(hours) if ground.weights is None else ground.weights
    answer = {}
    for month in months:
        total = np.zeros(count)
        first = listed.parts_of(month).start
        for number, (_, state) in enumerate(pieces[month]):
            lost = listed.unserved[first + number]
            of_busy = listed.busy[first + number]
            width = np.divide(
                lost, of_busy, out=np.zeros(len(lost)), where=of_busy > 0
            )  # GPUs x hours a busy hour
            if not width.any():
                continue
            left = busy.residual_at(model, state, hours)[place] / MILLI_GPU_SECONDS_PER_GPU_HOUR
            missed = np.interp(left, row.slicing.edges, np.concatenate(([0.0], np.cumsum(width))))
            factors = dict(state.factors)
            there = np.array(
                [factors.get(Flow(row.pool, group, place), 0.0) for group in entries.group.tolist()]
            )
            there = there * entries.gpus
            whole = np.bincount(entries.hour, weights=there, minlength=hours)
            each = np.divide(weights * missed, whole, out=np.zeros(hours), where=whole > 0)
            total += np.bincount(entries.workload, weights=there * each[entries.hour], minlength=count)
        answer[month] = total / total.sum() if total.any() else total
    return answer


def leaves_unserved(comparison: Sequence[ComparisonMonth], horizon_months: int) -> bool:
    """Whether the plan or doing nothing leaves GPU-hours unserved in a month: no figure that holds one against another
    then compares like with like. Past the horizon nothing is signed: those months do not count."""
    return any(
        max(row.unserved_gpu_hours, row.do_nothing_unserved_gpu_hours) > LEAST_GPU_HOURS
        for row in comparison[:horizon_months]
    )


def unserved_checks(unserved: Sequence[Unserved]) -> Iterator[Check]:
    """One for each row with GPU-hours that nobody serves; of what a budget gave up one in all, which names the rows."""
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
        yield Check("unserved", "red", worded("the plan"), text + NO_SAVINGS)
    for (pool, model), amount in sorted(hours.items()):
        if is_one and (pool, model) in over:
            continue
        text = worded(
            "{amount} GPU-hours of twelve months are served by nobody: {reason}",
            amount=whole(amount),
            reason=reasons[pool, model],
        )
        yield Check("unserved", "red", f"{pool} {model}", text + NO_SAVINGS)


def budget_check(ground: Ground, comparison: Sequence[ComparisonMonth]) -> Iterator[Check]:
    """The months that cost more than the budget although nothing is left to give up.

    Red, at the worst of those months; none without a budget. Months past the horizon do not count.
    """
    budget = ground.assumptions.budget_usd_per_month
    if budget is None:
        return
    planned = comparison[: ground.assumptions.horizon_months]
    over = [row for row in planned if row.plan_usd is not None and row.plan_usd > budget + HALF_A_CENT]
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
