"""The outlook: what a month and a year may cost, coverage, separation, checkpoints, and what terms hang on."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment import outlook_result
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand
from gpuplanner.domain.commitment.demand.slicing import weighted_mean
from gpuplanner.domain.commitment.demand.streams import Row
from gpuplanner.domain.commitment.demand.volatility import Volatility, in_force
from gpuplanner.domain.commitment.plan import row_plans, totals, twelve_months
from gpuplanner.domain.commitment.plan.advice import pool_plans
from gpuplanner.domain.commitment.plan.comparison import more_words, savings_offered, savings_steps
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of, with_monthly
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.commitment.recursion.allocation import policy_of
from gpuplanner.domain.commitment.recursion.rates import (
    OF_LENGTH,
    Barrier,
    barrier_of,
    best_interval_h,
    class_at,
    lost_share,
    named_paths,
    over,
    spot_inputs,
    with_checkpoint_of,
    with_nodes_of,
)
from gpuplanner.domain.commitment.result import Advice, PoolPlan
from gpuplanner.domain.commitment.uncertainty import levels
from gpuplanner.domain.commitment.uncertainty.flips import price_paths, terms_hang_on_prices
from gpuplanner.domain.commitment.uncertainty.limit_costs import growth_checks, limit_checks, limit_costs
from gpuplanner.domain.figures.card import SPOT
from gpuplanner.domain.fit.rules import cheapest
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import HALF_A_CENT, known_sum
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import RANGE_WEEKS, WEEK_HOURS, Workload
from gpuplanner.domain.model.intake import node_times
from gpuplanner.domain.model.plan_inputs import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Coverage: what share of all GPU-hours is committed, and what another share would cost a month


class _Step(NamedTuple):
    """One slice to commit, or to let go: GPU-hours a month per hour that it covers, and $ a month it adds."""

    gpus: float
    covered: float
    usd: float


def coverage_of(ground: Ground, planned: row_plans.Planned) -> outlook_result.Coverage:
    """Commit open slices, or let committed ones go, until the target is met; what costs least per GPU-hour first.

    A slice committed beyond the plan takes the shortest term that its row commits to (else the shortest on offer);
    one that is let go is paid by use. Source: docs/formulas/layers.md, Coverage.
    """
    target = ground.assumptions.target_coverage
    total = served = bought = 0.0
    for row in planned.rows:
        weights = ground.weights_of((row.row.pool, row.row.gpu_model))
        demand = weighted_mean(row.demand_gpus, weights)
        total += demand
        served += demand - weighted_mean(row.residual_gpus, weights)
        bought += sum(step.covered for step in _committed(row))
    if total <= 0:
        return outlook_result.Coverage(
            now=None, plan=None, target=target, reached=None, extra_gpus=0.0, extra_usd_per_month=None
        )
    plan = (served + bought) / total
    is_short = plan < target
    steps = [step for row in planned.rows for step in (_open(row) if is_short else _committed(row))]
    share, gpus, usd = plan, 0.0, 0.0
    for step in sorted(steps, key=lambda step: (step.usd / step.covered, step.gpus)):
        change = step.covered / total
        if is_short:
            if share >= target:
                break
            share, gpus = share + change, gpus + step.gpus
        elif share - change >= target:
            share, gpus = share - change, gpus - step.gpus
        else:
            continue
        usd += step.usd
    is_reached = share >= target
    return outlook_result.Coverage(
        now=served / total,
        plan=plan,
        target=target,
        reached=share if is_reached else None,
        extra_gpus=gpus,
        extra_usd_per_month=usd if is_reached else None,
    )


def _open(planned: row_plans.PlannedRow) -> list[_Step]:
    """The slices of a row that are paid by use and that a commitment could take in month 0."""
    row, flex, offer = planned.row, planned.row.flex.rate, _marginal_offer(planned)
    if offer is None or flex is None or not row.slices:
        return []
    busy, terms, widths = row.busy.today(0), planned.term_now, row.slicing.widths
    return [
        _Step(width, width * share, HOURS_PER_MONTH * width * ((offer.spread_rate or 0.0) - share * flex))
        for share, term, width in zip(busy.tolist(), terms.tolist(), widths.tolist(), strict=True)
        if term == 0 and share > 0
    ]


def _committed(planned: row_plans.PlannedRow) -> list[_Step]:
    """The slices of a row that the plan commits, each as it would be paid by use."""
    row = planned.row
    if not row.slices:
        return []
    flex, answer = row.flex.rate or 0.0, []
    columns = (row.busy.today(0), planned.term_now, planned.signed.now, row.slicing.widths)
    for share, term, place, width in zip(*(column.tolist() for column in columns), strict=True):
        if term > 0 and share > 0:
            paid = row.offers[place].spread_rate or 0.0 if place >= 0 else 0.0
            answer.append(_Step(width, width * share, HOURS_PER_MONTH * width * (share * flex - paid)))
    return answer


def _marginal_offer(row: row_plans.PlannedRow) -> Offer | None:
    """The cheapest offer of the shortest term that the row commits to in month 0, else of the shortest on offer."""
    calendar = row.row.calendar
    now = [o for o in row.row.offers if not o.term_days and calendar.is_open_in(o, 0)]  # cheapest first
    taken = row.term_now
    terms = [int(term) for term in taken[taken > 0]] or [offer.term_months for offer in now]
    shortest = min(terms, default=0)
    return next((offer for offer in now if offer.term_months == shortest), None)


# --- The cost of separation: what the plan costs beyond one in which all workloads of a model share one pool


def joint_demand(model: ModelDemand, largest: Sequence[Row]) -> ModelDemand:
    """The same demand as one row, and one for all that the same alone may serve: it still grows pool by pool.

    largest: (pool, name) of the joint rows, the pool being that of most GPU time; every name of the model's
    rows must be one.
    """
    place = {name: number for number, (_, name) in enumerate(largest)}
    joined = [place[name] for _, name in model.rows]
    return replace(
        model.with_streams(lambda _, stream: replace(stream, row=joined[stream.row])), rows=tuple(largest)
    )


def separation_of(ground: Ground, cache: AdviceCache) -> outlook_result.Separation:
    """The plan with its pools and the plan with one row a model, all its workloads together (and one for all that the
    same alone may serve), named by the pool with most GPU time of it: side by side over the twelve months.

    In the joint plan offers are eligible for all its pools; each workload keeps the usage price it may use and its
    demand the growth of its pool; no pins; the split stays. Source: docs/formulas/uncertainty.md, Cost of separation.
    """
    assumptions, models = ground.assumptions, list[ModelDemand]()
    apart, joint = dict[Row, row_plans.Wish](), dict[Row, row_plans.Wish]()
    on_demand = {run.row: ground.prices[run.row].on_demand for run in ground.runs}
    for model in ground.plan.models:
        named = {name: [row for row in model.rows if row[1] == name] for _, name in model.rows}
        largest = tuple(
            max(rows, key=lambda row: float(ground.plan.users[row].sum())) for rows in named.values()
        )
        pooled = cache.recall("joint", largest, (model,), partial(joint_demand, model, largest))
        models.append(pooled)
        for place, (pool, rows) in enumerate(zip(largest, named.values(), strict=True)):
            measured = row_plans.measured_volatility(ground, pooled, place, POOLS, cache)
            of_no_pool = assumptions.churn_of(None, 0.0), in_force(assumptions, None, measured)
            apart |= {row: row_plans.wish_of(ground, (row,), *of_no_pool) for row in rows}
            open_to = [{offer.offer_id for offer in ground.eligible[row]} for row in rows]
            shared = tuple(  # at the rate of the row: a mapped model's is for the work of one GPU of the row's model
                offer for offer in ground.eligible[rows[0]] if all(offer.offer_id in ids for ids in open_to)
            )
            joint[pool] = row_plans.wish_of(ground, rows, *of_no_pool, shared)
            on_demand[pool] = cheapest(shared, PricingCategory.STANDARD)
    ground = with_monthly(ground, models, cache)
    names = {name for _, name in ground.monthly}
    ground = replace(ground, monthly=frozenset(row for row in apart if row[1] in names))
    separate = row_plans.plan_models(ground, ground.plan.models, apart, False, cache)
    together = row_plans.plan_models(ground, models, joint, False, cache)
    pools = pool_plans(ground, together, on_demand)
    return outlook_result.Separation(
        tuple(month.plan_usd for month in twelve_months.comparison_of(ground, separate)),
        tuple(month.plan_usd for month in twelve_months.comparison_of(ground, together)),
        pools,
        totals.idle_existing(ground, pools),
    )


# --- Checkpoints on spot: the best time between them for each workload that may use spot, and what it would save


def choose_cheaper_use(on_demand: float | None, spot: float, lost: float) -> tuple[float | None, bool]:
    """The cheaper of on demand (None: nobody offers it) and spot at a lost share, $ per GPU-hour, and whether that is
    spot; None where neither can be had."""
    effective = None if lost >= 1 else spot / (1 - lost)
    is_spot = effective is not None and (on_demand is None or effective < on_demand)
    return effective if is_spot else on_demand, is_spot


def spot_advice(ground: Ground, pools: Sequence[PoolPlan]) -> tuple[outlook_result.SpotAdvice, ...]:
    """One for each workload and row whose pool lets it use spot, where spot is on offer, and for training that only its
    length keeps off; sorted by key and model.

    saves_usd_per_month: month 0 with the layers held: its share, by GPU time, of the GPU-hours that its row pays by
    use, times what its rate by use falls. Law: the row's usage $ with every workload at its best interval are less by
    the sum of them. Source: Young 1974 for the interval; docs/formulas/spot.md.
    """
    times = node_times(ground.project.intake)
    plans: dict[Row, PoolPlan] = {(plan.pool, plan.gpu_model): plan for plan in pools}
    answer = []
    for row in ground.rows:
        price, users, plan = ground.prices[row], ground.plan.users[row], plans.get(row)
        if not price.spots or plan is None:
            continue
        by_use = sum(layer.busy_gpus for layer in plan.layers if layer.term_months == 0)
        total = float(users.sum())
        for place in (users > 0).nonzero()[0].tolist():
            workload = ground.project.workloads[place]
            barrier = barrier_of(ground.assumptions, workload, row[0], class_at(ground.classes, place))
            if barrier is None or (row[0] is Pool.TRAINING and barrier in OF_LENGTH):
                gpus = by_use * float(users[place]) / total
                spot = price.spot_of(place)
                assert spot is not None and spot.rate is not None
                rates = None if price.on_demand is None else price.on_demand.rate, spot.rate
                own = with_nodes_of(ground.assumptions, spot, times)
                own = with_checkpoint_of(own, workload, class_at(ground.classes, place), ground.project.needs)
                answer.append(advise_spot(own, workload, row, rates, gpus, barrier))
    return tuple(sorted(answer, key=lambda advice: (advice.key, advice.gpu_model or "")))


def best_way(assumptions: Assumptions, nodes: int, longest_job_s: float) -> tuple[float, bool]:
    """The least share of work that is lost, and whether it takes checkpoints.

    Writing them pays where the best interval is shorter than half of the longest job.
    """
    best_h, longest_h = best_interval_h(assumptions, nodes), longest_job_s / 3600
    takes_checkpoints = best_h < longest_h / 2
    inputs = spot_inputs(assumptions, nodes, longest_job_s) | {"interval_hours": best_h}
    if not best_h:  # checkpoints that take no time are written all the time, and only restarts are lost
        return float(SPOT.value("lost_without_checkpoints", inputs | {"longest_hours": 0.0})), True
    key = "lost_with_checkpoints" if takes_checkpoints else "lost_without_checkpoints"
    return float(SPOT.value(key, inputs)), takes_checkpoints


def advise_spot(
    assumptions: Assumptions,
    workload: Workload,
    row: Row,
    rates: tuple[float | None, float],
    gpus_by_use: float,
    barrier: Barrier | None = None,
) -> outlook_result.SpotAdvice:
    """Return the spot advice for one workload, now and at the best checkpoint interval.

    rates: on demand and of spot, as of `choose_cheaper_use`; gpus_by_use: its GPUs, on average, that are paid by use.
    barrier: what keeps it on demand now.
    """
    nodes, longest_s = workload.max_nodes or 1, workload.longest_job_s
    lost = lost_share(assumptions, nodes, longest_s)
    best, takes_checkpoints = best_way(assumptions, nodes, longest_s)
    (now, on_spot), (then, on_spot_at_best) = (
        choose_cheaper_use(*rates, 1.0 if barrier else lost),
        choose_cheaper_use(*rates, best),
    )
    gpus, longest_h = workload.max_milli_gpus / 1000, longest_s / 3600
    run_hours = longest_h / (1 - best) if best < 1 else None
    saved = None if now is None or then is None else HOURS_PER_MONTH * gpus_by_use * (now - then)
    pool, gpu_model = row
    return outlook_result.SpotAdvice(
        key=workload.key,
        pool=pool,
        gpu_model=gpu_model,
        nodes=nodes,
        longest_job_hours=longest_h,
        interval_hours=assumptions.spot_interval_hours,
        lost_share=lost,
        best_interval_hours=best_interval_h(assumptions, nodes) if takes_checkpoints else None,
        best_lost_share=best,
        on_spot=on_spot,
        on_spot_at_best=on_spot_at_best,
        saves_usd_per_month=saved,
        node_hours=assumptions.spot_node_mtbf_hours,
        barrier=barrier,
        run_hours=run_hours,
        run_usd=None if run_hours is None else gpus * run_hours * rates[1],
        run_usd_on_demand=None if rates[0] is None else gpus * longest_h * rates[0],
    )


# --- Sizes beside the advice: a unit of the shortest term less and more, a quarter less and more; and their regret

QUARTER: Final = 0.25
SIGMAS: Final = (0.5, 1.0, 2.0)
CHURNS: Final = (0.0, 1.0, 2.0)
LONGEST_PATH_MONTHS: Final = 120


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Size:
    """Another size of one row's shortest term. sign: 1 where more is signed, -1 where less.

    share: 1 for the slices that change, (slices,); month_usd: what they cost a month when signed; expected_usd: what
    the size is expected to cost more than the advice in all, with the policy from month 1 on, discounted.
    """

    name: str
    row: PlannedRow
    sign: int
    share: Floats
    term_months: int
    month_usd: float
    expected_usd: float


def sizes_beside(
    rows: Sequence[PlannedRow], values: Sequence[outlook_result.LevelValues]
) -> tuple[Size, ...]:
    """Less and more of the shortest term, in the row that signs most of it (else pays most by use).

    values: what slices are expected to cost; where the row has none, sizes are expected to cost what month 0 says.
    Empty where no row has slices.
    """
    signed = [row for row in rows if (row.term_now > 0).any()]
    if not any(row.row.slices for row in rows):
        return ()
    if signed:
        shortest = min(int(row.term_now[row.term_now > 0].min()) for row in signed)
        chosen = max(signed, key=lambda row: row.row.gpus(row.term_now == shortest))
    else:
        chosen = max(rows, key=lambda row: float(row.residual_gpus.mean()) * (row.row.flex.rate or 0.0))
    own = levels.values_of_row(chosen.row, values)
    return (*_less(chosen, own), *list_waiting_sizes(chosen, own))


def _less(planned: PlannedRow, values: outlook_result.LevelValues | None) -> list[Size]:
    """The highest slices of the shortest term let go; none where nothing is signed now."""
    row, term, place = planned.row, planned.term_now, planned.signed.now
    if not (term > 0).any():
        return []
    shortest = int(term[term > 0].min())
    own = np.flatnonzero((term == shortest) & (place >= 0))
    if not len(own):
        return []
    offer = row.offers[int(place[own[-1]])]
    return _both(planned, "less", -1, own[::-1], offer, float(row.slicing.widths[own].sum()), values)


def list_waiting_sizes(planned: PlannedRow, values: outlook_result.LevelValues | None) -> list[Size]:
    """Slices that wait signed, lowest first, to the shortest term that can begin now; none where nothing is
    on offer.
    """
    row, term = planned.row, planned.term_now
    waiting = np.flatnonzero((term == 0) & (row.busy.today(0) > 0))
    open_now = [
        offer
        for offer in row.offers
        if row.calendar.is_open_in(offer, 0) and offer.spread_rate and not offer.term_days
    ]
    if not open_now:
        return []
    offer = min(open_now, key=lambda offer: (offer.term_months, offer.spread_rate, offer.offer_id))
    layer = row.gpus((term > 0) & (term == term[term > 0].min())) if (term > 0).any() else 0.0
    return _both(planned, "more", 1, waiting, offer, layer, values)


def _both(
    row: PlannedRow,
    word: str,
    sign: int,
    slices: Ints,
    offer: Offer,
    layer_gpus: float,
    values: outlook_result.LevelValues | None,
) -> list[Size]:
    """A unit and, where it is another size, a quarter; slices in the order in which they change."""
    if not len(slices):
        return []
    widths = row.row.slicing.widths[slices]
    unit = max(1.0, float(offer.unit_gpus or 1))
    sizes, names = [], dict[int, str]()
    for name, gpus in (("one", unit), ("quarter", QUARTER * layer_gpus)):
        count = min(int(np.searchsorted(np.cumsum(widths), gpus - 1e-9)) + 1, len(slices))
        names.setdefault(count, name)
    for count, name in names.items():
        share = np.zeros(row.row.slices)
        share[slices[:count]] = 1.0
        rate = offer.spread_rate or 0.0
        month_usd = HOURS_PER_MONTH * rate * float(widths[:count].sum())
        by_use = HOURS_PER_MONTH * (row.row.flex.rate or 0.0) * widths[:count]
        expected = month_usd - float(by_use @ row.row.busy.today(0)[slices[:count]])
        if values is not None and offer.term_months in values.after_usd:
            term = offer.term_months
            beyond = values.extra_usd[term] + values.after_usd[term] - values.wait_usd
            expected += month_usd * (values.paid_months[term] - 1) + float(share @ beyond)
        if sign * expected < -1e-9 * month_usd and row.row.hand is None:
            continue  # the advice would have it, but what it is limited by closes it: it is no size beside it
        sizes.append(
            Size(
                name=f"{name}_{word}",
                row=row,
                sign=sign,
                share=share,
                term_months=offer.term_months,
                month_usd=month_usd,
                expected_usd=sign * expected,
            )
        )
    return sizes


def regrets_of(
    sizes: Sequence[Size],
    costs: levels.UseCosts,
    drawn: levels.Draws,
    variance: float,
    assumptions: Assumptions,
) -> tuple[float, float]:
    """P50 and P90 of what the best size would have saved, $ a month over its term, against the advice.

    Of each draw: volatility times 0.5, 1 or 2, one of four paths of prices, churn times 0, 1 or 2, evenly. A GPU
    that is signed is paid for its term; by use it costs what the draw says, at the path's prices, while demand
    lasts.
    """
    best = np.zeros(len(drawn.level))
    number = np.arange(len(drawn.level))
    sigma, path, churn = number % 3, number // 3 % 4, number // 12 % 3
    variances = variance * np.array(SIGMAS)[sigma] ** 2
    level = np.exp(np.sqrt(variances) * drawn.level - variances / 2)
    paths = [over(path, LONGEST_PATH_MONTHS) for path in named_paths(LONGEST_PATH_MONTHS).values()]
    discount = (1 + assumptions.wacc) ** (-1 / 12)
    for size in sizes:
        use = costs.of_slices(size.row, 0, size.share).at(level, drawn.weeks[:, 0])
        month = np.arange(size.term_months)
        own = size.row.row.market.churn
        stays = [(discount * (1 - min(own * factor, 1.0))) ** month for factor in CHURNS]
        lasts = np.array([[float(kept @ prices[: len(month)]) for kept in stays] for prices in paths])
        paid = float((discount**month).sum())
        more = size.sign * (size.month_usd - use * lasts[path, churn] / paid)
        best = np.minimum(best, more)
    middle, high = np.percentile(np.abs(best), (50, 90)).tolist()
    return middle, high


# --- Uncertainty: what next month and the next year may cost with the advice held, and what being wrong costs

SPREAD: Final = np.linspace(-3.0, 3.0, 13)
"""Levels at which use is priced, in standard deviations of the year's level; between them it is linear."""
HOURS_A_YEAR: Final = COMPARED_MONTHS * HOURS_PER_MONTH
UNKNOWN: Final = outlook_result.Uncertainty(resamples=levels.RESAMPLES, seed=levels.SEED)


def uncertainty_of(
    ground: Ground, planned: Planned, advice: Advice, values: Sequence[outlook_result.LevelValues] = ()
) -> outlook_result.Uncertainty:
    """The band of the plan's month and year, how past bands did, and the cost of being wrong.

    values: what slices are expected to cost over the horizon; of sizes beside the advice. Unknown where $ are unknown
    or the log is under two weeks. Source: docs/formulas/uncertainty.md.
    """
    plan_usd, hours = advice.totals.plan, ground.window.hours
    rows = [row for row in planned.rows if row.row.flex.rate is not None]
    missing = ground.missing
    if plan_usd is None or len(ground.known(np.zeros(hours))) // WEEK_HOURS < RANGE_WEEKS:
        return UNKNOWN
    half_life = ground.assumptions.recency_half_life_days
    # all demand as one, by what it costs by use: it moves less than a pool alone
    hourly = sum((row.demand_gpus * (row.row.flex.rate or 0.0) for row in rows), np.zeros(hours))
    by_hand = average_set_volatility(rows)
    past = levels.past_of(hourly, half_life, by_hand, missing, ground.project.window.end_s)
    drawn = levels.draws_of(past.week_weights, past.volatility.is_set, COMPARED_MONTHS)
    year, assumed = past.variance(COMPARED_MONTHS), ground.assumptions
    planned_growth = [assumed.of_pool("growth", row.row.pool) for row in rows]
    moves = levels.moves_of(ground.known(hourly), past.volatility.noise, assumed.growth_fade, planned_growth)
    year_levels = drawn.levels(year)
    top = max((float(np.percentile(year_levels * move.max(axis=1), 99)) for move in moves), default=1.0)
    spread = max(np.sqrt(year), np.log(top) / SPREAD[-1], 1e-6)
    reached = np.concatenate(([0.0], np.unique(np.exp(SPREAD * spread))))
    costs = levels.UseCosts(ground, rows, reached, COMPARED_MONTHS)
    monthly = [costs.of_layers(row) for row in rows]
    by_use = [row.listed.use_usd(0) or 0.0 for row in rows]
    fixed_usd = plan_usd - sum(by_use)
    present = compute_present_shares(ground, rows)

    def month_usd(
        level: Floats, weeks: Ints, present_at: Sequence[Floats | float] = (1.0,) * len(rows)
    ) -> Floats:
        usd = np.full(len(level), fixed_usd)
        for cost, share in zip(monthly, present_at, strict=True):
            usd += cost.at(level * share, weeks)
        return usd

    logged_to_s = ground.project.window.end_s
    tested = levels.measured_on(hourly, half_life, by_hand, month_usd, missing, logged_to_s)
    level, weeks = drawn.levels(past.variance(1)), len(past.week_weights)
    month = month_usd(level, drawn.weeks[:, 0], [row[0] for row in present])
    as_drawn = levels.band_of(month, level, weeks, month_usd)
    band = as_drawn.wider(tested.factor)
    drawn_year = _year(advice, costs, drawn, year_levels, moves, present, weeks)
    # misses of months say nothing of how far a year is too wide
    year_band = None if drawn_year is None else drawn_year.wider(max(tested.factor, 1.0))
    sizes = sizes_beside(rows, values)

    def use_of(size: Size) -> Floats:
        present_at = present[rows.index(size.row)][0]
        return costs.of_slices(size.row, 0, size.share).at(level * present_at, drawn.weeks[:, 0])

    regret_p50, regret_p90 = regrets_of(sizes, costs, drawn, past.variance(1), ground.assumptions)
    return outlook_result.Uncertainty(
        p10_usd_per_month=band.low,
        p50_usd_per_month=band.middle,
        p90_usd_per_month=band.high,
        regret_p50_usd_per_month=regret_p50,
        regret_p90_usd_per_month=regret_p90,
        year_p10_usd=None if year_band is None else year_band.low,
        year_p90_usd=None if year_band is None else year_band.high,
        coverage=tested.coverage,
        coverage_folds=tested.folds,
        resamples=levels.RESAMPLES,
        seed=levels.SEED,
        sizes=compute_size_bands(month, as_drawn, sizes, use_of, tested.factor),
        if_pattern_continues=hours < HOURS_A_YEAR,
    )


def average_set_volatility(rows: Sequence[PlannedRow]) -> Volatility | None:
    """The planner's volatility, where every pool has one set: their mean by what demand costs by use."""
    if not rows or not all(row.volatility.is_set for row in rows):
        return None
    usd = np.array([float(row.demand_gpus.sum()) * (row.row.flex.rate or 0.0) for row in rows])
    shares = usd / usd.sum() if usd.sum() > 0 else np.full(len(rows), 1 / len(rows))
    sigma = float(shares @ np.array([row.volatility.sigma for row in rows]))
    noise = float(shares @ np.array([row.volatility.noise for row in rows]))
    return Volatility(sigma=sigma, noise=noise, changes=0, is_set=True)


def compute_present_shares(ground: Ground, rows: Sequence[PlannedRow]) -> list[Floats]:
    """Share of a row's demand that is still there in each month, (months, draws), by GPU time of its workloads.

    A workload ends in a month with chance lambda and is then absent for half of it: lambda / 2 of the first month.
    """
    uniform = np.random.default_rng(levels.SEED + 1).random((levels.RESAMPLES, len(ground.project.workloads)))
    answer = []
    for planned in rows:
        row, months = planned.row, COMPARED_MONTHS
        users = ground.plan.users[row.pool, row.gpu_model]
        churn = row.market.churn
        places = np.flatnonzero(users > 0)
        gone = np.zeros((months, levels.RESAMPLES))
        if churn > 0 and len(places):
            share, drawn = users[places] / users[places].sum(), uniform[:, places]
            gone[0] = (drawn < churn / 2) @ share
            for month in range(1, months):
                ended = 1 - (1 - churn) ** month
                gone[month] = (drawn < ended + (1 - churn) ** month * churn / 2) @ share
        answer.append(1 - gone)
    return answer


def _year(
    advice: Advice,
    costs: levels.UseCosts,
    drawn: levels.Draws,
    level: Floats,
    moves: Sequence[Floats],
    present: Sequence[Floats],
    weeks: int,
) -> levels.Band | None:
    """The next twelve months together, each of its own weeks, at one level; None where a rate is missing.

    moves: of each row the factors of demand that growth and steps come to, (draws, months).
    """
    months = advice.comparison[:COMPARED_MONTHS]
    whole = known_sum(month.plan_usd for month in months)
    by_use = known_sum(row.listed.use_usd(month.month) for row in costs.rows for month in months)
    if whole is None or by_use is None:
        return None
    fixed_usd = whole - by_use
    priced = [
        (
            month.month,
            at,
            over(row.row.market.use_prices, COMPARED_MONTHS)[month.month],
            costs.by_use(row, month.month),
        )
        for at, row in enumerate(costs.rows)
        for month in months
    ]
    total = np.full(levels.RESAMPLES, fixed_usd)
    for number, at, price, cost in priced:
        moved = level * moves[at][:, number]
        total += price * cost.at(moved * present[at][number], drawn.weeks[:, number])

    def all_there_usd(level: Floats, weeks: Ints) -> Floats:
        return np.asarray(fixed_usd + sum(price * cost.at(level, weeks) for _, _, price, cost in priced))

    mean = np.mean([move.mean(axis=1) for move in moves], axis=0) if moves else 1.0
    return levels.band_of(total, level * mean, weeks, all_there_usd)


def compute_size_bands(
    month: Floats, band: levels.Band, sizes: Sequence[Size], use_of: Callable[[Size], Floats], factor: float
) -> tuple[outlook_result.SizeBand, ...]:
    """The month's cost with each size beside the advice, and all that the size is expected to cost more.

    Their middles lie as far apart as the advice expects, so that no size beats throughout what the advice minimises.
    use_of: what its slices cost by use, (draws,).
    """
    if not sizes:
        return ()
    answer = [_size_band("advice", band, factor)]
    for size in sizes:
        usd = month - size.sign * use_of(size)
        moved = float(np.median(month)) + size.expected_usd - float(np.median(usd))
        low, middle, high = (moved + np.percentile(usd, (10, 50, 90))).tolist()
        reach = middle - band.middle
        beside = levels.Band(
            low=low, middle=middle, high=high, least=band.least + reach, most=band.most + reach
        )
        answer.append(_size_band(size.name, beside, factor))
    return tuple(answer)


def _size_band(name: str, as_drawn: levels.Band, factor: float) -> outlook_result.SizeBand:
    """The band of a size, widened by what past bands missed."""
    band = as_drawn.wider(factor)
    return outlook_result.SizeBand(name, band.low, band.middle, band.high)


# --- The outlook: how sure the plan's cost is, what it and its terms hang on, and where savings come from


# Net present value: what signing as advised is expected to save over the horizon, against paying all by use.
def npv_usd(planned: row_plans.Planned) -> float | None:
    """Over all rows, $ of today; None where a rate is missing or layers are set by hand.

    Both sides are the expected, discounted cost of month 0 to the horizon, so churn, price fall and volatility
    are in. Law: never below 0, since paying by use is one of the policies. Source: docs/formulas/policy.md.
    """
    return known_sum([_of_row(row) for row in planned.rows])


def _of_row(planned: row_plans.PlannedRow) -> float | None:
    """Waiting less the advice, $ of today; 0 for a row without slices, None where one of them is unknown."""
    row = planned.row
    if not row.slices:
        return 0.0
    if row.flex.rate is None or row.use is not None or np.isnan(planned.signed.value_usd).any():
        return None
    waiting = policy_of(row, 0, row.ways([offer.offer_id for offer in row.offers]))
    today = waiting.value[len(waiting.value) // 2]
    return float((today - planned.signed.value_usd).sum())


def outlook(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    advice: Advice,
    cache: AdviceCache | None = None,
) -> outlook_result.Outlook:
    """The slower figures of an advice; the other arguments are those that it was worked out from."""
    cache = AdviceCache() if cache is None else cache
    ground = ground_of(project, scenario, pools, cache, advice.classes)
    # What contracts serve that are asked about decides what the rest costs, in both plans.
    separation = outlook_result.Separation() if advice.asked_models else separation_of(ground, cache)
    planned = row_plans.plan_of(ground, cache)
    values = levels.level_values(planned, project.window.hours, cache)
    limits = limit_costs(project, ground, planned, advice, cache)
    hang = terms_hang_on_prices(
        ground.assumptions,
        planned,
        lambda values: row_plans.plan_with(project, scenario, pools, advice.classes, values, cache),
    )
    return outlook_result.Outlook(
        uncertainty=uncertainty_of(ground, planned, advice, values),
        separation=separation,
        checks=(
            *check_separation(separation),
            *hang,
            *limit_checks(limits),
            *growth_checks(project, ground, planned, advice, cache),
        ),
        coverage=_coverage(coverage_of(ground, planned), advice),
        npv_usd=npv_usd(planned),
        spot=spot_advice(ground, advice.pools),
        level_values=values,
        savings_steps=savings_steps(project, ground, advice, cache),
        price_paths=price_paths(ground, planned, cache),
        limits=limits,
        savings_offered=savings_offered(project, ground, advice, cache),
    )


def _coverage(coverage: outlook_result.Coverage, advice: Advice) -> outlook_result.Coverage:
    """Where a price is missing nobody knows what the plan would commit, nor what more would cost."""
    if totals.is_priced(advice.pools):
        return coverage
    return replace(coverage, plan=None, reached=None, extra_gpus=0.0, extra_usd_per_month=None)


def check_separation(separation: outlook_result.Separation) -> tuple[Check, ...]:
    """An info where separate pools cost at least half a cent, in the first month or in the year; none where unknown."""
    cost_usd, year_usd = separation.cost_usd(), separation.cost_usd(COMPARED_MONTHS)
    if cost_usd is None or year_usd is None or max(cost_usd, year_usd) < HALF_A_CENT:
        return ()
    text = worded(
        "separate pools do not share peaks. Against one pool per model, this plan costs {cost_usd} in the "
        "first month, {year_usd} in 12 months",
        cost_usd=more_words(cost_usd),
        year_usd=more_words(year_usd),
    )
    return (
        Check(
            code="separation_costs",
            severity="info",
            subject=worded("plan"),
            message=text,
            usd_per_month=cost_usd,
        ),
    )
