"""What next month and year may cost with the advice held; other sizes beside it, and their regret."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.outlook_result import LevelValues, SizeBand, Uncertainty
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.commitment.recursion.rates import named_paths, over
from gpuplanner.domain.commitment.result import Advice, Volatility
from gpuplanner.domain.commitment.uncertainty import levels
from gpuplanner.domain.commitment.uncertainty.levels import values_of_row
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import RANGE_WEEKS, WEEK_HOURS
from gpuplanner.domain.model.window import HOURS_PER_MONTH

# --- Sizes beside the advice: a unit of the shortest term less and more, a quarter less and more; and their regret

QUARTER: Final = 0.25
SIGMAS: Final = (0.5, 1.0, 2.0)
CHURNS: Final = (0.0, 1.0, 2.0)
LONGEST_PATH_MONTHS: Final = 120


@dataclass(frozen=True, slots=True, eq=False)
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


def sizes_beside(rows: Sequence[PlannedRow], values: Sequence[LevelValues]) -> tuple[Size, ...]:
    """Less and more of the shortest term, in the row that signs most of it (else pays most by use).

    values: what slices are expected to cost; where the row has none, sizes are expected to cost what month 0 says.
    Empty where no row has slices.
    """
    signed = [one for one in rows if (one.term_now > 0).any()]
    if not any(one.row.slices for one in rows):
        return ()
    if signed:
        shortest = min(int(one.term_now[one.term_now > 0].min()) for one in signed)
        chosen = max(signed, key=lambda one: one.row.gpus(one.term_now == shortest))
    else:
        chosen = max(rows, key=lambda one: float(one.residual_gpus.mean()) * (one.row.flex.rate or 0.0))
    mine = values_of_row(chosen.row, values)
    return (*_less(chosen, mine), *_more(chosen, mine))


def _less(one: PlannedRow, values: LevelValues | None) -> list[Size]:
    """The highest slices of the shortest term let go; none where nothing is signed now."""
    row, term, place = one.row, one.term_now, one.signed.now
    if not (term > 0).any():
        return []
    shortest = int(term[term > 0].min())
    mine = np.flatnonzero((term == shortest) & (place >= 0))
    if not len(mine):
        return []
    offer = row.offers[int(place[mine[-1]])]
    return _both(one, "less", -1, mine[::-1], offer, float(row.slicing.widths[mine].sum()), values)


def _more(one: PlannedRow, values: LevelValues | None) -> list[Size]:
    """Slices that wait signed, lowest first, to the shortest term that can begin now; none where nothing is
    on offer.
    """
    row, term = one.row, one.term_now
    waiting = np.flatnonzero((term == 0) & (row.busy.today(0) > 0))
    open_now = [
        offer
        for offer in row.offers
        if row.calendar.is_open_in(offer, 0) and offer.spread_rate and not offer.term_days
    ]
    if not open_now:
        return []
    offer = min(open_now, key=lambda one: (one.term_months, one.spread_rate, one.offer_id))
    layer = row.gpus((term > 0) & (term == term[term > 0].min())) if (term > 0).any() else 0.0
    return _both(one, "more", 1, waiting, offer, layer, values)


def _both(
    one: PlannedRow,
    word: str,
    sign: int,
    slices: Ints,
    offer: Offer,
    layer_gpus: float,
    values: LevelValues | None,
) -> list[Size]:
    """A unit and, where it is another size, a quarter; slices in the order in which they change."""
    if not len(slices):
        return []
    widths = one.row.slicing.widths[slices]
    unit = max(1.0, float(offer.unit_gpus or 1))
    found, names = [], dict[int, str]()
    for name, gpus in (("one", unit), ("quarter", QUARTER * layer_gpus)):
        count = min(int(np.searchsorted(np.cumsum(widths), gpus - 1e-9)) + 1, len(slices))
        names.setdefault(count, name)
    for count, name in names.items():
        share = np.zeros(one.row.slices)
        share[slices[:count]] = 1.0
        rate = offer.spread_rate or 0.0
        month_usd = HOURS_PER_MONTH * rate * float(widths[:count].sum())
        by_use = HOURS_PER_MONTH * (one.row.flex.rate or 0.0) * widths[:count]
        expected = month_usd - float(by_use @ one.row.busy.today(0)[slices[:count]])
        if values is not None and offer.term_months in values.after_usd:
            term = offer.term_months
            beyond = values.extra_usd[term] + values.after_usd[term] - values.wait_usd
            expected += month_usd * (values.paid_months[term] - 1) + float(share @ beyond)
        if sign * expected < -1e-9 * month_usd and one.row.hand is None:
            continue  # the advice would have it, but what it is limited by closes it: it is no size beside it
        found.append(Size(f"{name}_{word}", one, sign, share, offer.term_months, month_usd, sign * expected))
    return found


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
UNKNOWN: Final = Uncertainty(resamples=levels.RESAMPLES, seed=levels.SEED)


def uncertainty_of(
    ground: Ground, planned: Planned, advice: Advice, values: Sequence[LevelValues] = ()
) -> Uncertainty:
    """The band of the plan's month and year, how past bands did, and the cost of being wrong.

    values: what slices are expected to cost over the horizon; of sizes beside the advice. Unknown where $ are unknown
    or the log is under two weeks. Source: docs/formulas.md, Uncertainty and cost of separation.
    """
    plan_usd, hours = advice.totals.plan, ground.window.hours
    rows = [one for one in planned.rows if one.row.flex.rate is not None]
    missing = ground.missing
    if plan_usd is None or len(ground.known(np.zeros(hours))) // WEEK_HOURS < RANGE_WEEKS:
        return UNKNOWN
    half_life = ground.assumptions.recency_half_life_days
    hourly, by_hand = _demand_usd(rows, hours), _set_by_hand(rows)
    past = levels.past_of(hourly, half_life, by_hand, missing)
    drawn = levels.draws_of(past.week_weights, past.volatility.is_set, COMPARED_MONTHS)
    year = past.variance(COMPARED_MONTHS)
    reached = np.concatenate(([0.0], np.unique(np.exp(SPREAD * np.sqrt(max(year, 1e-12))))))
    costs = levels.UseCosts(ground, rows, reached, COMPARED_MONTHS)
    monthly = [costs.of_layers(one) for one in rows]
    by_use = [one.listed.use_usd(0) or 0.0 for one in rows]
    fixed_usd = plan_usd - sum(by_use)
    present = _present(ground, rows)

    def month_usd(level: Floats, weeks: Ints, there: Sequence[Floats | float] = (1.0,) * len(rows)) -> Floats:
        usd = np.full(len(level), fixed_usd)
        for cost, share in zip(monthly, there, strict=True):
            usd += cost.at(level * share, weeks)
        return usd

    tested = levels.measured_on(hourly, half_life, by_hand, month_usd, missing)
    level, weeks = drawn.levels(past.variance(1)), len(past.week_weights)
    month = month_usd(level, drawn.weeks[:, 0], [row[0] for row in present])
    as_drawn = levels.band_of(month, level, weeks, month_usd)
    band = as_drawn.wider(tested.factor)
    drawn_year = _year(advice, costs, drawn, drawn.levels(year), present, weeks)
    year_band = None if drawn_year is None else drawn_year.wider(tested.factor)
    sizes = sizes_beside(rows, values)

    def use_of(size: Size) -> Floats:
        there = present[rows.index(size.row)][0]
        return costs.of_slices(size.row, 0, size.share).at(level * there, drawn.weeks[:, 0])

    regrets = regrets_of(sizes, costs, drawn, past.variance(1), ground.assumptions)
    return Uncertainty(
        band.low,
        band.middle,
        band.high,
        regrets[0],
        regrets[1],
        None if year_band is None else year_band.low,
        None if year_band is None else year_band.high,
        tested.coverage,
        tested.folds,
        levels.RESAMPLES,
        levels.SEED,
        _size_bands(month, as_drawn, sizes, use_of, tested.factor),
    )


def _demand_usd(rows: Sequence[PlannedRow], hours: int) -> Floats:
    """All demand of a plan as one: GPUs x what they cost by use, (hours,). It moves less than a pool alone."""
    total = np.zeros(hours)
    for one in rows:
        total += one.demand_gpus * (one.row.flex.rate or 0.0)
    return total


def _set_by_hand(rows: Sequence[PlannedRow]) -> Volatility | None:
    """The planner's volatility, where every pool has one set: their mean by what demand costs by use."""
    if not rows or not all(one.volatility.is_set for one in rows):
        return None
    usd = np.array([float(one.demand_gpus.sum()) * (one.row.flex.rate or 0.0) for one in rows])
    shares = usd / usd.sum() if usd.sum() > 0 else np.full(len(rows), 1 / len(rows))
    sigma = float(shares @ np.array([one.volatility.sigma for one in rows]))
    noise = float(shares @ np.array([one.volatility.noise for one in rows]))
    return Volatility(sigma, noise, 0, True)


def _present(ground: Ground, rows: Sequence[PlannedRow]) -> list[Floats]:
    """Share of a row's demand that is still there in each month, (months, draws), by GPU time of its workloads.

    A workload ends in a month with chance lambda and is then absent for half of it: lambda / 2 of the first month.
    """
    uniform = np.random.default_rng(levels.SEED + 1).random((levels.RESAMPLES, len(ground.project.workloads)))
    answer = []
    for one in rows:
        row, months = one.row, COMPARED_MONTHS
        users = ground.plan.users[row.pool, row.gpu_model]
        churn = ground.assumptions.of_pool("lambda", row.pool)
        there = np.flatnonzero(users > 0)
        gone = np.zeros((months, levels.RESAMPLES))
        if churn > 0 and len(there):
            share, drawn = users[there] / users[there].sum(), uniform[:, there]
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
    present: Sequence[Floats],
    weeks: int,
) -> levels.Band | None:
    """The next twelve months together, each of its own weeks, at one level; None where a rate is missing."""
    months = advice.comparison[:COMPARED_MONTHS]
    whole = known_sum(month.plan_usd for month in months)
    by_use = known_sum(one.listed.use_usd(month.month) for one in costs.rows for month in months)
    if whole is None or by_use is None:
        return None
    fixed_usd = whole - by_use
    priced = [
        (
            month.month,
            at,
            over(one.row.market.use_prices, COMPARED_MONTHS)[month.month],
            costs.by_use(one, month.month),
        )
        for at, one in enumerate(costs.rows)
        for month in months
    ]
    total = np.full(levels.RESAMPLES, fixed_usd)
    for number, at, price, cost in priced:
        total += price * cost.at(level * present[at][number], drawn.weeks[:, number])

    def all_there_usd(level: Floats, weeks: Ints) -> Floats:
        return np.asarray(fixed_usd + sum(price * cost.at(level, weeks) for _, _, price, cost in priced))

    return levels.band_of(total, level, weeks, all_there_usd)


def _size_bands(
    month: Floats, band: levels.Band, sizes: Sequence[Size], use_of: Callable[[Size], Floats], factor: float
) -> tuple[SizeBand, ...]:
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
        beside = levels.Band(low, middle, high, band.least + reach, band.most + reach)
        answer.append(_size_band(size.name, beside, factor))
    return tuple(answer)


def _size_band(name: str, as_drawn: levels.Band, factor: float) -> SizeBand:
    """The band of a size, widened by what past bands missed."""
    band = as_drawn.wider(factor)
    return SizeBand(name, band.low, band.middle, band.high)
