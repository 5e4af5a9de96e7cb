"""Twelve months of the plan and of doing nothing: what each costs, and what nobody serves."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.leak_claims import listed
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.audit.spend.total_spend import UNKNOWN_MODEL
from gpuplanner.domain.audit.utilization.cluster_hours import part_of
from gpuplanner.domain.commitment import busy
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.slicing import weighted_mean
from gpuplanner.domain.commitment.demand.streams import several_nodes
from gpuplanner.domain.commitment.plan.cards import by_workload, pot_of
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of, needed_by
from gpuplanner.domain.commitment.plan.layers import flexes_in
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS, RowList
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow, plan_of
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, in_turn
from gpuplanner.domain.commitment.result import ComparisonMonth, Order, PoolPlan, Side, Unserved
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import day, plan_month, whole
from gpuplanner.domain.fit.rules import eligible_offers, need_of
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import HALF_A_CENT, in_all, known_sum, part_sum, summed
from gpuplanner.domain.model.book import only
from gpuplanner.domain.model.book.contract import (
    Contract,
    gpus_in_month,
    in_month,
    month_start_s,
    usd_in_month,
)
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S, Window, has_calendar
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Twelve months with nothing signed: what contracts cost, and what they leave over on demand


def part_name(of: "_Open | Order | PoolPlan | RowToPlan") -> Message:
    """A pool and GPU model as a part of a sum is called: training H100."""
    return worded("{pool} {model}", pool=of.pool.value, model=of.gpu_model or UNKNOWN_MODEL)


def parts_in_month(
    contracts: Iterable[Contract], window: Window, month: int
) -> list[tuple[Text, float | None]]:
    """What each contract that runs in a month costs in it, by its contract_id, as `usd_in_month`; in given order."""
    return [(c.part_name, usd_in_month((c,), window, month)) for c in in_month(contracts, window, month)]


def _unpriced(
    parts: Iterable[tuple[Text, float | None]],
    contracts: Iterable[Contract],
    window: Window,
    month: int,
    by_use: Iterable[tuple[Text, float]],
) -> frozenset[tuple[Text, float]]:
    """What has no rate in a month, with its GPU-hours. parts: of contracts; by_use: of what nobody sells by use."""
    lacks, held = {name for name, usd in parts if usd is None}, list[tuple[Text, float]]()
    for contract in in_month(contracts, window, month) if lacks else ():
        if contract.part_name in lacks:
            held.append((contract.part_name, HOURS_PER_MONTH * gpus_in_month((contract,), window, month)))
    # messages are slow keys, and most of what is rented has a price
    unsold = [(name, hours) for name, hours in by_use if hours]
    return frozenset((name, round(hours, 3)) for name, hours in summed([*held, *unsold]).items() if hours)


def side_by_side(
    first: Sequence[Side], second: Sequence[Side]
) -> tuple[float | None, float | None, tuple[Text, ...]]:
    """$ of months of two ways, and what has no rate: it cancels out where it is the same in each month of both.

    None where it is not, or nothing else is known; then what lacks on one side alone.
    Source: docs/formulas/totals.md, Comparison.
    """
    sums = [in_all(known for known, _ in side) for side in (first, second)]
    lacks = dict.fromkeys(name for known, _ in (*first, *second) for name in known.missing)
    apart = {
        name
        for (_, unpriced), (_, unpriced_beside) in zip(first, second, strict=True)
        for name, _ in unpriced ^ unpriced_beside
    }
    named = {name for _, unpriced in (*first, *second) for name, _ in unpriced}
    if apart or named != lacks.keys() or (lacks and not any(known.known for known in sums)):
        return None, None, tuple(name for name in lacks if name and (name in apart or not apart))
    return sums[0].known, sums[1].known, tuple(lacks)


def in_both(parts: Sequence[Text]) -> Text:
    """What has no rate in both of two ways, as a note."""
    return worded("In both plans, without a price: {parts}", parts=listed(parts)) if parts else ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Open:
    """What one pool and model would rent: its offers on demand, cheapest first, and what is left over in each state."""

    pool: Pool
    gpu_model: str | None
    offers: tuple[Offer, ...]
    ratios: dict[str, float]
    months: Sequence[Sequence[tuple[float, Any]]]
    left: Mapping[Any, Floats]


def nothing_by_month(ground: Ground) -> tuple[ComparisonMonth, ...]:
    """Months 0..11 with nothing signed, nothing of the plan in them yet.

    Every contract row for the hours that it runs, whatever its category, and what they leave over at the cheapest
    on-demand rate eligible for its pool and model; an offer serves, hour by hour, at most its own GPUs. Runs are paid
    by use, but for what contracts have idle for them. Source: docs/formulas/totals.md, Comparison.
    """
    ground = cut_at_runs(ground)
    rows = _open_rows(ground)
    contracts = ground.nothing.contracts
    answer = []
    for month in range(COMPARED_MONTHS):
        paid = usd_in_month(contracts, ground.window, month)
        parts = parts_in_month(contracts, ground.window, month)
        rented, unserved, unsold = _rented(rows, month, ground)
        hour_usd = known_sum(usd for _, usd in rented)
        usd = None if hour_usd is None else HOURS_PER_MONTH * hour_usd
        by_use = [(name, None if part is None else HOURS_PER_MONTH * part) for name, part in rented]
        answer.append(
            ComparisonMonth(
                month=month,
                start_s=month_start_s(ground.window, month),
                do_nothing_usd=known_sum([paid, usd]),
                do_nothing_unserved_gpu_hours=HOURS_PER_MONTH * unserved,
                do_nothing_use_usd=usd,
                nothing_parts=part_sum([*parts, *by_use]),
                nothing_unpriced=_unpriced(parts, contracts, ground.window, month, unsold),
            )
        )
    return tuple(answer)


def cut_at_runs(ground: Ground) -> Ground:
    """The ground with its months cut wherever a piece of a run begins or ends."""
    begin_s = ground.window.end_s
    edges = {begin_s + at for run in ground.runs for piece in run.pieces for at in piece}
    moments = tuple(sorted({*ground.outlined.moments, *edges}))
    return replace(ground, outlined=replace(ground.outlined, moments=moments)) if edges else ground


def _open_rows(ground: Ground) -> list[_Open]:
    """In serving order: inference, training, burst, then by model; runs before what the log has of their row."""
    window, project = ground.window, ground.project
    several = several_nodes(project.workloads, ground.nothing.users)
    rows = []
    for model in ground.nothing.models:
        months = busy.months_of(model, ground.nothing.contracts, window, ground.outlined, COMPARED_MONTHS)
        left = {state: busy.residual_at(model, state, window.hours) for state in busy.states_in(months)}
        for place, row in enumerate(model.rows):
            own = {state: hourly[place] / MILLI_GPU_SECONDS_PER_GPU_HOUR for state, hourly in left.items()}
            rows.append(_open_row(ground, row, several[row], months, own))
    return sorted((*_open_runs(ground), *rows), key=lambda row: in_turn(Row(row.pool, row.gpu_model)))


def _open_runs(ground: Ground) -> Iterator[_Open]:
    """Each run as a row of so many GPUs in all hours, in the parts in which it is there."""
    spans = busy.spans_of_months(ground.outlined.moments, ground.window, COMPARED_MONTHS)
    begin_s, hours = ground.window.end_s, ground.window.hours
    for run, needed in needed_by(ground.runs, ground.nothing, ground.window).items():
        gpus_from = dict.fromkeys((0, *(to_s for _, to_s, _ in needed)), 0.0)
        gpus_from |= {from_s: gpus for from_s, _, gpus in needed}
        edges = sorted(gpus_from)
        months = [
            [
                ((to_s - from_s) / MONTH_S, gpus_from[edges[bisect_right(edges, from_s - begin_s) - 1]])
                for from_s, to_s in of_month
            ]
            for of_month in spans
        ]
        left = {gpus: np.full(hours, gpus) for of_month in months for _, gpus in of_month}
        yield _open_row(ground, run.row, False, months, left)


def _open_row(
    ground: Ground,
    row: Row,
    several_nodes: bool,
    months: Sequence[Sequence[tuple[float, Any]]],
    left: Mapping[Any, Floats],
) -> _Open:
    """What somebody would rent, with the offers on demand that are open to it."""
    offers = ground.project.offers
    eligible = eligible_offers(offers, need_of(*row, several_nodes), ground.project.mappings)
    priced = [o for o in eligible if o.pricing_category == PricingCategory.STANDARD and o.rate]
    priced.sort(key=lambda offer: (offer.rate or 0.0, offer.offer_id))
    ratios = only.ratios_of(offers, row.name, ground.project.mappings, row.pool)
    pool, gpu_model = row
    return _Open(
        pool=pool, gpu_model=gpu_model, offers=tuple(priced), ratios=ratios, months=months, left=left
    )


def _rented(
    rows: Sequence[_Open], month: int, ground: Ground
) -> tuple[list[tuple[Text, float | None]], float, list[tuple[Text, float]]]:
    """$ by pool and GPU model, and unserved GPU-hours, of an hour on average at prices of the month; $ None: no offer;
    then GPU-hours of the month that nobody sells.

    A month in which something begins or ends is several parts, each with its share of the month.
    """
    usd: list[tuple[Text, float | None]] = []
    unsold: list[tuple[Text, float]] = []
    unserved, path = 0.0, ground.levels.path[month]
    spans = busy.spans_of_months(ground.outlined.moments, ground.window, month + 1)[month]
    for part, (from_s, _) in enumerate(spans if rows else ()):
        room: dict[str, Floats] = {}
        for row in rows:
            share, state = row.months[month][part]
            prices = [
                path * ground.levels.dated_at(o.gpu_model, from_s) * (o.rate or 0.0) for o in row.offers
            ]
            weights = ground.weights_of(Row(row.pool, row.gpu_model))
            paid, left = _hour_by_hour(row, row.left[state], room, weights, prices)
            is_unknown = not (row.offers or ground.is_never_sold_by_use(Row(row.pool, row.gpu_model)))
            usd.append((part_name(row), None if is_unknown and left else share * paid))
            unserved += 0.0 if is_unknown else share * left
            unsold.append((part_name(row), HOURS_PER_MONTH * share * left if is_unknown else 0.0))
    return usd, unserved, unsold


def _hour_by_hour(
    row: _Open, amount: Floats, room: dict[str, Floats], weights: Floats | None, prices: Sequence[float]
) -> tuple[float, float]:
    """$ and GPU-hours that nobody serves, of an hour on average; what is taken is taken off `room`, (hours,). prices:
    of the row's offers, $ per GPU-hour."""
    usd = 0.0
    for offer, price in zip(row.offers, prices, strict=True):
        ratio, taken = row.ratios.get(offer.offer_id, 1.0), amount
        if offer.max_gpus is not None:
            left = room.setdefault(offer.offer_id, np.full(len(amount), float(offer.max_gpus)))
            taken = np.minimum(amount, left * ratio)
            left -= taken / ratio
        usd += weighted_mean(taken, weights) * price
        if offer.max_gpus is None:
            return usd, 0.0
        amount = amount - taken
    return usd, weighted_mean(amount, weights)


# --- Twelve months: what doing nothing and the plan cost in each, along today's level of demand


def planned_months(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    classes: tuple[Classification, ...],
    cache: AdviceCache,
) -> tuple[Ground, Planned, tuple[ComparisonMonth, ...]]:
    """A scenario planned with its twelve months, as far as what it costs and serves. Arguments as of `ground_of`."""
    ground = ground_of(project, scenario, pools, cache, classes)
    planned = plan_of(ground, cache)
    return ground, planned, comparison_of(ground, planned)


def comparison_of(
    ground: Ground, planned: Planned, nothing: Sequence[ComparisonMonth] = ()
) -> tuple[ComparisonMonth, ...]:
    """Months 0..11 of the plan, sums over one list, beside those of doing nothing where they are given.

    Source: docs/formulas/totals.md, Comparison.
    """
    bought: list[tuple[Text, RowList]] = [(part_name(piece.row), piece.listed) for piece in planned.bought]
    starts = (month_start_s(ground.window, month) for month in range(COMPARED_MONTHS))
    answer = []
    for base in nothing or [
        ComparisonMonth(month=month, start_s=start_s, do_nothing_usd=None)
        for month, start_s in enumerate(starts)
    ]:
        at = base.month
        orders = [(name, listed.orders_usd(at)) for name, listed in bought]
        use = [(name, listed.use_usd(at)) for name, listed in bought]
        contracts = parts_in_month(ground.plan.contracts, ground.window, at)
        dollars = usd_in_month(ground.ordered_dollars, ground.window, at)
        held = [row for row in ground.plan.contracts if row not in ground.ordered_dollars]
        answer.append(
            replace(
                base,
                contracts_usd=usd_in_month(held, ground.window, at),
                orders_usd=known_sum([dollars, *(usd for _, usd in orders)]),
                use_usd=known_sum(usd for _, usd in use),
                unserved_gpu_hours=sum(listed.unserved_in(at) for _, listed in bought),
                plan_parts=part_sum([*contracts, *orders, *use]),
                use_parts=part_sum(use),
                plan_unpriced=_unpriced(
                    contracts,
                    ground.plan.contracts,
                    ground.window,
                    at,
                    [(name, listed.unpriced_in(at)) for name, listed in bought],
                ),
                use_hours=tuple(
                    (only.gpu_model_of(plan.row.gpu_model), flex.blended or (flex.offer_id or "",), hours)
                    for plan in planned.bought
                    for flex, hours in flexes_in(plan.row, plan.listed, at)
                ),
            )
        )
    return tuple(answer)


# --- What nobody serves: GPU-hours of the twelve months by workload, theirs whose GPU time was there in an hour

_NOT_THERE = -1


def groups_of(ground: Ground) -> Ints:
    """The group of each workload, (workloads,); -1 for who is over before the plan begins."""
    number = {schedule: place for place, schedule in enumerate(ground.outlined.schedules)}
    return np.array([number.get(schedule, _NOT_THERE) for schedule in ground.schedules], dtype=np.int64)


LEAST_GPU_HOURS: Final = 1e-6
OFFERS_ARE_TAKEN: Final = worded("no on-demand offer has GPUs left")
NOBODY_MAY: Final = worded("no order covers these hours, and no on-demand offer may serve them")
OVER_BUDGET: Final = worded("over the budget")
NO_SAVINGS: Final = worded("savings unknown, as they would compare different work")


def unserved_of(ground: Ground, planned: Planned) -> tuple[Unserved, ...]:
    """By pool, model and workload, in proportion to the GPU time of each hour in which a slice is served by nobody.

    usd_per_month: of what a budget gave up, what it cost in the plan without the budget, by month; None for the rest.
    """
    answer = []
    months = range(min(COMPARED_MONTHS, ground.assumptions.horizon_months))
    for planned_row in planned.rows:
        row, parts = planned_row.row, planned_row.listed.parts_of(months[-1]).stop
        if planned_row.listed.unserved[:parts].sum() <= LEAST_GPU_HOURS:
            continue
        hours = _by_workload(ground, planned_row, planned_row.listed.unserved[:parts])
        usd, reason = None, _reason(row)
        if planned_row.lost_usd is not None and planned_row.lost_usd.any():
            usd, reason = _by_workload(ground, planned_row, planned_row.lost_usd[:parts]), OVER_BUDGET
        for place in np.flatnonzero(hours > LEAST_GPU_HOURS).tolist():
            key = ground.project.workloads[place].key
            own_usd = None if usd is None else float(usd[place]) / COMPARED_MONTHS
            answer.append(
                Unserved(
                    pool=row.pool,
                    gpu_model=row.gpu_model,
                    key=key,
                    gpu_hours=float(hours[place]),
                    usd_per_month=own_usd,
                    reason=reason,
                )
            )
    for run in ground.runs:
        layers = [piece for piece in planned.runs if piece.key == run.key]
        gpu_hours = sum(piece.listed.unserved_in(month) for piece in layers for month in months)
        if gpu_hours > LEAST_GPU_HOURS:
            lost = [
                piece.lost_usd[: piece.listed.parts_of(months[-1]).stop].sum()
                for piece in layers
                if piece.lost_usd is not None
            ]
            own_usd = float(sum(lost)) / COMPARED_MONTHS or None
            reason = OVER_BUDGET if own_usd else _reason(layers[0].row)
            pool, gpu_model = run.row
            answer.append(
                Unserved(
                    pool=pool,
                    gpu_model=gpu_model,
                    key=run.key,
                    gpu_hours=gpu_hours,
                    usd_per_month=own_usd,
                    reason=reason,
                )
            )
    return tuple(sorted(answer, key=lambda unserved: (unserved.pool, unserved.gpu_model or "", unserved.key)))


def _reason(row: RowToPlan) -> Message:
    """Why nobody serves GPU-hours of a row, without a budget."""
    return NOBODY_MAY if row.flex.rate is None else OFFERS_ARE_TAKEN


def _by_workload(ground: Ground, planned: PlannedRow, amounts: Floats) -> Floats:
    """Amounts of slices in parts of the months, (parts, slices), by workload, (workloads,): each in proportion to the
    GPU time of the hours in which its slice is busy. Law: as much in all."""
    row, listed = planned.row, planned.listed
    hours, name = ground.window.hours, Row(row.pool, row.gpu_model)
    model = next(model for model in ground.plan.models if name in model.rows)
    place = model.rows.index(name)
    pieces = busy.months_of(model, ground.below_slices, ground.window, ground.outlined, COMPARED_MONTHS)
    weights = ground.weights_of(name)
    weights = np.full(hours, 1 / hours) if weights is None else weights
    streams = [s for site in model.sites for s in site.streams if s.row == place]
    missed_by = {id(stream): np.zeros((1, hours)) for stream in streams}
    states = [state for month in pieces for _, state in month]
    for amount, of_busy, state in zip(amounts, listed.busy, states, strict=False):
        # what an hour misses in which a slice is busy all through
        width = np.divide(amount, of_busy, out=np.zeros(len(amount)), where=of_busy > 0)
        if not width.any():
            continue
        left = busy.residual_at(model, state, hours)[place] / MILLI_GPU_SECONDS_PER_GPU_HOUR
        missed = weights * np.interp(left, row.slicing.edges, np.concatenate(([0.0], np.cumsum(width))))
        share, factors = part_of(missed, busy.demand_at(model, place, state, hours)), dict(state.factors)
        for stream in streams:
            missed_by[id(stream)] += share * stream.demand * factors[stream.flow]
    # untyped demand that is split is of one pot in the rows of all models, so all of it is the whole of a share
    nothing = np.zeros((1, hours))
    shared = [
        (pot_of(other.rows[stream.row], site.cluster, stream), stream, missed_by.get(id(stream), nothing))
        for other in ground.plan.models
        for site in other.sites
        for stream in site.streams
    ]
    return np.asarray(by_workload(ground, shared)[0])


def leaves_unserved(comparison: Sequence[ComparisonMonth], horizon_months: int) -> bool:
    """Whether the plan or doing nothing leaves GPU-hours unserved in a month: no figure that holds one against another
    then compares like with like. Past the horizon nothing is signed: those months do not count."""
    months = comparison[:horizon_months]
    return is_left([max(row.unserved_gpu_hours, row.do_nothing_unserved_gpu_hours) for row in months])


def is_left(gpu_hours: Sequence[float]) -> bool:
    """Whether nobody serves some of it in a month: more than rounding."""
    return max(gpu_hours, default=0.0) > LEAST_GPU_HOURS


def unserved_checks(unserved: Sequence[Unserved]) -> Iterator[Check]:
    """One for each row with GPU-hours that nobody serves; of what a budget gave up one in all, which names the rows."""
    hours: dict[str, float] = {}
    reasons: dict[str, Message] = {}
    for left in unserved:
        row = f"{left.pool} {left.gpu_model or 'unknown model'}"
        hours[row] = hours.get(row, 0.0) + left.gpu_hours
        reasons[row] = left.reason
    over = {row: amount for row, amount in sorted(hours.items()) if reasons[row] == OVER_BUDGET}
    if len(over) > 1:
        rows = ((row, " ", whole(amount)) for row, amount in over.items())
        text = worded(
            "{amount} GPU-hours unserved in 12 months: {reason}",
            amount=whole(sum(over.values())),
            reason=joined((OVER_BUDGET, " (", joined(map(joined, rows), ", "), ")")),
        )
        yield Check(
            code="unserved",
            severity="red",
            subject=worded("the plan"),
            message=joined((text, NO_SAVINGS), "; "),
        )
        hours = {row: amount for row, amount in hours.items() if row not in over}
    for row, amount in sorted(hours.items()):
        text = worded(
            "{amount} GPU-hours unserved in 12 months: {reason}", amount=whole(amount), reason=reasons[row]
        )
        yield Check(code="unserved", severity="red", subject=row, message=joined((text, NO_SAVINGS), "; "))


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
            ("{month} costs ${usd}, of which continuing contracts ${contracts}. Budget: ${budget}"),
            month=worded("the month from {day}", day=day(worst.start_s))
            if has_calendar(worst.start_s)
            else plan_month(worst.month),
            usd=whole(worst.plan_usd),
            contracts=whole(worst.contracts_usd or 0),
            budget=whole(budget),
        )
        yield Check(code="over_budget", severity="red", subject="plan", message=text)
