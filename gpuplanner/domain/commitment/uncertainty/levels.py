"""Other levels for one pool and model: month 0 as it would be, their cost to the horizon, screening."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import gcd, inf
from operator import attrgetter
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelCost, LevelValues
from gpuplanner.domain.commitment.plan.layers import committed_layer, of_offer
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.commitment.recursion.allocation import PolicyPiece, RowToPlan, policy_pieces
from gpuplanner.domain.commitment.recursion.rates import SHORT_WINDOW_TERM_MONTHS
from gpuplanner.domain.commitment.recursion.slice_policy import paid_months, policy_after_usd
from gpuplanner.domain.commitment.slicing import Slicing, busy_shares
from gpuplanner.domain.commitment.uncertainty.bands import RESAMPLES, SEED
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ROUNDING
from gpuplanner.domain.model.cube import RANGE_WEEKS, SHORT_WINDOW_HOURS, WEEK_HOURS
from gpuplanner.domain.model.plan_inputs import HandLayer
from gpuplanner.domain.model.window import HOURS_PER_MONTH

# --- Other levels for one pool and model: its month 0 as it would be, from the hourly curve alone, within a frame


@dataclass(frozen=True, slots=True, eq=False)
class LevelGround:
    """What the levels of one row stand on, worked out once when one is taken hold of.

    unit: GPUs a slice; those above the even ones are left out. busy: u_k of month 0, (slices,). above: mean slices in
    use over each level in every resample of weeks, (resamples, slices + 1); None for a log under two weeks. taken:
    GPUs that other rows have of an offer, of its own model.
    """

    plan: result.PoolPlan
    unit: int
    busy: Floats
    above: Floats | None
    taken: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Part:
    """GPUs of one term from one offer; None where nobody offers it."""

    gpus: int
    offer: Offer | None = None

    @property
    def rate(self) -> float | None:
        """$ per GPU-hour, what is paid upfront spread over the term."""
        return None if self.offer is None else self.offer.spread_rate


def level_ground(
    plan: result.PoolPlan,
    weights: Floats | None,
    taken: Mapping[str, float],
    levels: Sequence[HandLayer] = (),
) -> LevelGround:
    """The ground of a row for levels in whole blocks, or in the blocks of `levels` where those are finer.

    weights: of the hours, as in the advice (None: all alike), shape (hours,).
    """
    unit = gcd(plan.block, *(level.gpus for level in levels))
    slices = max(plan.slicing.even * plan.block // unit, sum(level.gpus for level in levels) // unit, 1)
    in_units = plan.demand.residual_gpus / unit
    busy = busy_shares(in_units[None], slices, weights)[0]
    if weights is not None:
        in_units = in_units[weights > 0]  # what is missing in the log weighs nothing
    weeks, above = len(in_units) // WEEK_HOURS, None
    if weeks >= RANGE_WEEKS:
        by_week = busy_shares(in_units[-weeks * WEEK_HOURS :].reshape(weeks, WEEK_HOURS), slices, None)
        weekly_above = np.zeros((weeks, slices + 1))
        weekly_above[:, :-1] = np.cumsum(by_week[:, ::-1], axis=1)[:, ::-1]
        drawn = np.random.default_rng(SEED).integers(0, weeks, size=(RESAMPLES, weeks))
        times = np.stack([(drawn == week).sum(axis=1) for week in range(weeks)], axis=1)
        above = np.asarray(times @ weekly_above / weeks, dtype=np.float64)
    return LevelGround(plan, unit, busy, above, taken)


def plan_at(ground: LevelGround, levels: Sequence[HandLayer]) -> result.PoolPlan:
    """The row with these levels from the bottom, longest first, and the rest paid by use.

    Law: layers and $ a month are those of the advice with the same levels set by hand, as long as no other row is
    left with less of an offer that has a maximum. Levels are whole numbers of the ground's unit.
    """
    plan, unit = ground.plan, ground.unit
    size = sum(level.gpus for level in levels) // unit
    busy = np.concatenate((ground.busy, np.zeros(max(0, size - len(ground.busy)))))
    layers = [layer for layer in plan.layers if layer.existing]
    runs: list[result.SliceRun] = []
    at = 0
    for level in sorted(levels, key=lambda level: -level.term_months):
        for part in _parts(ground, level):
            end = at + part.gpus // unit
            gpus, used = float(part.gpus), float(busy[at:end].mean())
            layers.append(
                committed_layer(level.term_months, gpus, part.offer, plan.supply.ratios, gpus * used)
            )
            runs.append(result.SliceRun(at + 1, end, level.term_months, part.rate))
            at = end
    usage = _by_use(ground, busy, at)
    if usage is not None:
        layers.append(usage)
    if at < len(busy):
        runs.append(result.SliceRun(at + 1, len(busy), 0, plan.flex.rate))
    found = result.with_figures(layers, plan.supply.on_demand_rate)
    return replace(
        plan,
        slicing=Slicing(unit, len(busy)),
        layers=found,
        runs=tuple(runs),
        cost_per_month=known_sum([layer.cost_per_month for layer in found]),
        by_hand=replace(plan.by_hand, is_set=True),
    )


def regret_p90_usd(ground: LevelGround, levels: Sequence[HandLayer], term_months: int) -> float | None:
    """What the best size of one layer would have saved a month, the others held: P90 over resampled weeks.

    Only month 0 counts: a shorter term that leaves a choice open later is no reason here. None where a rate is
    missing or the log is under two weeks. Source: block bootstrap of whole weeks (Künsch 1989).
    """
    flex, above = ground.plan.flex.rate, ground.above
    own = next((level.gpus for level in levels if level.term_months == term_months), 0)
    part = _parts(ground, HandLayer(term_months, max(own, ground.unit)))[-1]
    if above is None or flex is None or part.rate is None:
        return None
    others = sum(level.gpus for level in levels if level.term_months != term_months) // ground.unit
    mine = own // ground.unit
    most = max(above.shape[1] - 1 - others, mine)
    places = np.minimum(others + np.arange(most + 1), above.shape[1] - 1)
    month = HOURS_PER_MONTH * ground.unit
    costs = month * (part.rate * np.arange(most + 1) + flex * above[:, places])
    return float(np.percentile(costs[:, mine] - costs.min(axis=1), 90))


def set_levels(plan: result.PoolPlan) -> tuple[HandLayer, ...]:
    """The committed levels of a row as whole GPUs, longest term first.

    GPUs are rounded to whole ones; offers of one term are added up, existing contracts left out.
    """
    sizes: dict[int, float] = {}
    for layer in plan.layers:
        if not layer.existing and layer.term_months:
            sizes[layer.term_months] = sizes.get(layer.term_months, 0.0) + layer.gpus
    return tuple(HandLayer(term, round(sizes[term])) for term in sorted(sizes, reverse=True))


def _parts(ground: LevelGround, level: HandLayer) -> list[_Part]:
    """One level by offer: the cheapest that can start now, the next best where its maximum is reached; what is sold by
    the month before what is sold by as many days."""
    plan, left, parts = ground.plan, level.gpus, list[_Part]()
    for offer in sorted(
        plan.supply.offers, key=lambda one: bool(one.term_days)
    ):  # of each kind the cheapest first
        is_open = offer.offer_id in plan.supply.open_now
        if offer.term_months != level.term_months or not left or not is_open:
            continue
        room = inf
        if offer.max_gpus is not None:
            own_room = max(0.0, offer.max_gpus - ground.taken.get(offer.offer_id, 0.0))
            ratio = plan.supply.ratios.get(offer.offer_id)
            room = own_room if ratio is None else own_room * ratio + ROUNDING
        gpus = left if room >= left else int(room // ground.unit) * ground.unit
        if gpus:
            parts.append(_Part(gpus, offer))
            left -= gpus
    if left:
        parts.append(_Part(left))
    return parts


def _by_use(ground: LevelGround, busy: Floats, at: int) -> result.Layer | None:
    """What is above the levels, paid by use; None where nothing is."""
    plan, waiting = ground.plan, busy[at:][busy[at:] > 0]
    if not len(waiting):
        return None
    gpus, busy_gpus = float(ground.unit * len(waiting)), ground.unit * float(waiting.sum())
    flex = plan.flex
    layer = result.Layer(
        False, flex.category, 0, flex.offer_id, gpus, busy_gpus, flex.rate, spot_share=flex.spot_share
    )
    return of_offer(layer, flex.gpu_model, plan.supply.ratios)


# --- What levels set by hand are expected to cost over the whole horizon, beside the advice for the same slices


VALUED_BY: Final = ("offers", "calendar", "flex", "market", "prices", "slicing")
"""What the values of a row stand on, beside how busy it is."""


def level_values(planned: Planned, hours: int, cache: AdviceCache) -> tuple[LevelValues, ...]:
    """Of every row with a price by use. hours: of the log; a short one has advice for terms up to a month alone.

    Rows without slices and rows with limited use are left out: of them nothing is expected.
    Source: docs/formulas.md, Levels tried out.
    """
    return tuple(
        cache.recall(
            "level values",
            (*attrgetter(*VALUED_BY)(one.row), tuple(one.left_of_offers.items()), hours),
            (one.row.busy, one.row.lived),
            partial(_values, one, hours),
        )
        for one in planned.rows
        if one.row.flex.rate is not None and one.row.use is None and one.row.slices
    )


def cost_of_levels(plan: result.PoolPlan, values: LevelValues) -> CostOfLevels | None:
    """A row's levels against the advice: as set in month 0, then the advice wherever a commitment ends.

    None where a rate is missing, or where the values are of other blocks of GPUs than the levels.
    Laws: 0 for the levels of the advice; never below 0 where the advice may sign the same terms.
    Offers of mapped models count at their rate for the work, not rounded up to whole GPUs.
    """
    bought = max((run.last_slice for run in plan.runs if run.term_months), default=0)
    slicing = plan.slicing
    is_wider = values.slicing.grown > 0 and bought > values.slicing.even
    if slicing.block != values.slicing.block or is_wider:
        return None
    if any(run.rate_usd_per_gpu_hour is None for run in plan.runs):
        return None
    levels: dict[int, list[float]] = {}
    for run in plan.runs:
        begin, end, term = run.first_slice - 1, run.last_slice, run.term_months
        rate, gpus = run.rate_usd_per_gpu_hour or 0.0, slicing.gpus(run.first_slice, run.last_slice)
        if not term:
            month_0 = _sum(values.by_use_usd, begin, end)
            whole = month_0 + _sum(values.wait_usd, begin, end)
        elif term in values.after_usd:
            month_0 = HOURS_PER_MONTH * rate * gpus
            beyond = _sum(values.extra_usd[term], begin, end) + _sum(values.after_usd[term], begin, end)
            whole = month_0 * values.paid_months[term] + beyond
        else:
            return None
        sums = levels.setdefault(term, [0.0, 0.0, 0.0])
        sums[0] += gpus
        sums[1] += month_0 - _sum(values.advised_month_usd, begin, end)
        sums[2] += whole - _sum(values.advised_usd, begin, end)
    rows = tuple(LevelCost(term, *levels[term]) for term in sorted(levels, reverse=True))
    month_0_usd, usd = sum(row.month_0_usd for row in rows), sum(row.usd for row in rows)
    return CostOfLevels(values.horizon_months, month_0_usd, usd, rows)


def cost_of_row(plan: result.PoolPlan, values: Sequence[LevelValues]) -> CostOfLevels | None:
    """The same, with the values of the row among those of a plan; None where they are not there.

    None, too, where `cost_of_levels` is.
    """
    mine = values_of_row(plan, values)
    return None if mine is None else cost_of_levels(plan, mine)


def values_of_row(plan: result.PoolPlan | RowToPlan, values: Sequence[LevelValues]) -> LevelValues | None:
    """The values of one row among those of a plan; None where its prices are not known.

    At most one is the row's own.
    """
    key = (plan.pool, plan.gpu_model)
    return next((one for one in values if (one.pool, one.gpu_model) == key), None)


def _sum(amounts: Floats, begin: int, end: int) -> float:
    """Slices above the highest demand have none: they cost nothing by use, and later nothing at all."""
    return float(amounts[begin:end].sum())


def _values(one: PlannedRow, hours: int) -> LevelValues:
    """What each slice costs: by use, waiting, with every term signed now, and as advised. $ of today,
    (slices,) each; pieces of slices that find the same offers open are solved together.
    """
    row, market, flex = one.row, one.row.market, one.row.flex.rate or 0.0
    terms = sorted(
        {offer.term_months for offer in row.offers} | {level.term_months for level in row.hand or ()}
    )
    month = HOURS_PER_MONTH * row.slicing.widths
    by_use = np.asarray(row.busy.today(0) * month * flex, dtype=np.float64)
    wait, advised, advised_month = (np.zeros(row.slices) for _ in range(3))
    after = {term: np.zeros(row.slices) for term in terms}
    extra = {term: np.zeros(row.slices) for term in terms}
    for piece in policy_pieces(_as_advised(row, hours), market.horizon_months, one.left_of_offers):
        here, kept = slice(piece.begin, piece.begin + piece.keep), slice(piece.keep)
        policy, ways = piece.policy, piece.ways
        today = policy.value.shape[0] // 2
        wait[here] = policy_after_usd(policy, market, 1)[kept]
        for term in terms:
            column = ways.of_term(term)
            late = float(ways.late[0, column]) if column >= 0 else 0.0
            after[term][here] = policy_after_usd(policy, market, late + term)[kept]
            extra[term][here] = _extra_usd(piece, row, term)[kept]
        advised[here] = policy.value[today][kept]
        choice = policy.choice[0][kept]
        signed = np.append(ways.spread[0], np.nan)[choice]  # -1, to wait, is the last
        advised_month[here] = np.where(choice >= 0, month[here] * signed, by_use[here])
    return LevelValues(
        row.pool,
        row.gpu_model,
        row.slicing,
        market.horizon_months,
        market.churn,
        market.use_prices,
        {term: paid_months(market, term) for term in terms},
        extra,
        after,
        by_use,
        wait,
        advised,
        advised_month,
    )


def _extra_usd(piece: PolicyPiece, row: RowToPlan, term: int) -> Floats:
    """$ of a term signed in month 0 beside its spread rate in every month, (slices from the piece's first on,):
    days paid by use, and an upfront payment that is not spread; 0 where nobody offers it."""
    ways, widths = piece.ways, row.slicing.widths[piece.begin :]
    column = ways.of_term(term)
    if column < 0:
        return np.zeros(len(widths))
    spread = HOURS_PER_MONTH * float(ways.spread[0, column]) * paid_months(row.market, term) * widths
    return np.asarray(piece.policy.signed_usd[column] - spread, dtype=np.float64)


def _as_advised(row: RowToPlan, hours: int) -> RowToPlan:
    """The row with the offers that the advice may sign: levels set by hand may take longer terms on a short log."""
    if hours > SHORT_WINDOW_HOURS:
        return row
    return replace(
        row, offers=tuple(one for one in row.offers if one.term_months <= SHORT_WINDOW_TERM_MONTHS)
    )


# --- The screening curve: what one GPU costs a month at each utilization, by use and by term, and where they cross


@dataclass(frozen=True, slots=True)
class Screening:
    """One GPU of a row for a month: by_use_usd where it is busy all the time, and every term, longest first.

    Units: $ a month of 730 h, of one GPU. Terms have all their figures, with what is paid upfront, spread over the
    term. compared_per_month stands above one_gpu_per_month: in the months of a term the price of paying by use falls
    and demand may end, so that a commitment has to be cheaper by as much. break_even: the utilization where the two
    cross (may be over 1: never worth it).
    """

    by_use_usd: float
    terms: tuple[result.BreakEven, ...]

    def is_cheapest(self, term: result.BreakEven) -> bool:
        """Whether its break-even is the lowest of all terms, so that it bounds the envelope."""
        return term.break_even == min(one.break_even for one in self.terms if one.break_even is not None)


def screening_of(plan: result.PoolPlan) -> Screening | None:
    """The screening curve of a row; None where nobody offers GPUs paid by use.

    Law: what a term is compared at is what paying by use costs at its break-even, so that the lines cross at the
    break-evens of the plan. A rule of thumb, as they are. Source: docs/formulas.md, Screening curve.
    """
    if not plan.flex.rate:
        return None
    known = (
        one
        for one in plan.break_even
        if None not in (one.rate, one.one_gpu_per_month, one.compared_per_month, one.break_even)
    )
    longest_first = sorted(known, key=lambda one: -one.term_months)
    return Screening(result.by_use_gpu_per_month(plan.flex.rate), tuple(longest_first))
