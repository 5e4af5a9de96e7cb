"""What levels set by hand are expected to cost over the whole horizon, beside the advice for the same slices."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelCost, LevelValues
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.commitment.recursion.allocation import PolicyPiece, RowToPlan, policy_pieces
from gpuplanner.domain.commitment.recursion.held import paid_months, policy_after_usd
from gpuplanner.domain.commitment.recursion.rates import SHORT_WINDOW_TERM_MONTHS
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.model.log.log_length import SHORT_WINDOW_HOURS
from gpuplanner.domain.model.window import HOURS_PER_MONTH


def level_values(planned: Planned, hours: int, cache: AdviceCache) -> tuple[LevelValues, ...]:
    """Of every row with a price by use. hours: of the log; a short one has advice for terms up to a month alone.

    Rows without slices and rows with limited use are left out: of them nothing is expected.
    Source: docs/formulas.md, Levels tried out.
    """
    return tuple(
        cache.recall(
            "level values",
            (
                one.row.offers,
                one.row.calendar,
                one.row.flex,
                one.row.market,
                one.row.prices,
                one.row.slicing,
                tuple(one.left_of_offers.items()),
                hours,
            ),
            (one.row.busy, one.row.lived),
            partial(_values, one, hours),
        )
        for one in planned.rows
        if one.row.flex.rate is not None and one.row.use is None and one.row.slices
    )


def cost_of_levels(plan: PoolPlan, values: LevelValues) -> CostOfLevels | None:
    """A row's levels against the advice: as set in month 0, then the advice wherever a commitment ends.

    None where a rate is missing, or where the values are of other blocks of GPUs than the levels.
    Laws: 0 for the levels of the advice; never below 0 where the advice may sign the same terms.
    Offers of mapped models count at their rate for the work, not rounded up to whole GPUs.
    """
    bought = max((run.last_slice for run in plan.runs if run.term_months), default=0)
    others = plan.slicing.block != values.slicing.block or (
        values.slicing.grown and bought > values.slicing.even
    )
    if others or any(run.rate_usd_per_gpu_hour is None for run in plan.runs):
        return None
    slicing = plan.slicing
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
    return CostOfLevels(
        values.horizon_months, sum(row.month_0_usd for row in rows), sum(row.usd for row in rows), rows
    )


def cost_of_row(plan: PoolPlan, values: Sequence[LevelValues]) -> CostOfLevels | None:
    """The same, with the values of the row among those of a plan; None where they are not there.

    None, too, where `cost_of_levels` is.
    """
    mine = values_of_row(plan, values)
    return None if mine is None else cost_of_levels(plan, mine)


def values_of_row(plan: PoolPlan, values: Sequence[LevelValues]) -> LevelValues | None:
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
        policy, rates = piece.policy, piece.rates
        today = policy.value.shape[0] // 2
        wait[here] = policy_after_usd(policy, market, 1)[kept]
        for term in terms:
            after[term][here] = policy_after_usd(policy, market, term)[kept]
            extra[term][here] = _extra_usd(piece, row, term)[kept]
        advised[here] = policy.value[today][kept]
        choice = policy.choice[0][kept]
        now = [row.offers[place].spread_rate if place >= 0 else np.nan for place in rates.offer[0].tolist()]
        signed = np.array([*now, np.nan], dtype=np.float64)[choice]  # -1, to wait, is the last
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
    rates, widths = piece.rates, row.slicing.widths[piece.begin :]
    column = rates.column_of(term)
    if column < 0 or rates.offer[0, column] < 0:
        return np.zeros(len(widths))
    rate = row.offers[int(rates.offer[0, column])].spread_rate or 0.0
    spread = HOURS_PER_MONTH * rate * paid_months(row.market, term) * widths
    return np.asarray(piece.policy.signed_usd[column] - spread, dtype=np.float64)


def _as_advised(row: RowToPlan, hours: int) -> RowToPlan:
    """The row with the offers that the advice may sign: levels set by hand may take longer terms on a short log."""
    if hours > SHORT_WINDOW_HOURS:
        return row
    return replace(
        row, offers=tuple(one for one in row.offers if one.term_months <= SHORT_WINDOW_TERM_MONTHS)
    )
