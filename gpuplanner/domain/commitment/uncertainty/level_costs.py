"""Cost of levels set by hand: over the whole horizon, beside the advice for the same slices."""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelCost, LevelValues
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.commitment.recursion.allocation import PolicyPiece, RowToPlan, policy_pieces
from gpuplanner.domain.commitment.recursion.rates import SHORT_WINDOW_TERM_MONTHS
from gpuplanner.domain.commitment.recursion.slice_policy import paid_months, policy_after_usd
from gpuplanner.domain.model.cube import SHORT_WINDOW_HOURS
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import replace

VALUED_BY: Final = ("offers", "calendar", "flex", "market", "prices", "slicing")
"""What the values of a row stand on, beside how busy it is."""


def level_values(planned: Planned, hours: int, cache: AdviceCache) -> tuple[LevelValues, ...]:
    """Of every row with a price by use. hours: of the log; a short one has advice for terms up to a month alone.

    Rows without slices and rows with limited use are left out: of them nothing is expected.
    Source: docs/formulas/layers.md, Levels tried out.
    """
    return tuple(
        cache.recall(
            "level values",
            (*attrgetter(*VALUED_BY)(row.row), tuple(row.left_of_offers.items()), hours),
            (row.row.busy, row.row.lived),
            partial(_values, row, hours),
        )
        for row in planned.rows
        if row.row.flex.rate is not None and row.row.use is None and row.row.slices
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
    own = values_of_row(plan, values)
    return None if own is None else cost_of_levels(plan, own)


def values_of_row(plan: result.PoolPlan | RowToPlan, values: Sequence[LevelValues]) -> LevelValues | None:
    """The values of one row among those of a plan; None where its prices are not known.

    At most one is the row's own.
    """
    key = (plan.pool, plan.gpu_model)
    return next((value for value in values if (value.pool, value.gpu_model) == key), None)


def _sum(amounts: Floats, begin: int, end: int) -> float:
    """Slices above the highest demand have none: they cost nothing by use, and later nothing at all."""
    return float(amounts[begin:end].sum())


def _values(planned: PlannedRow, hours: int) -> LevelValues:
    """What each slice costs: by use, waiting, with every term signed now, and as advised. $ of today,
    (slices,) each; pieces of slices that find the same offers open are solved together.
    """
    row, market, flex = planned.row, planned.row.market, planned.row.flex.rate or 0.0
    terms = sorted(
        {offer.term_months for offer in row.offers} | {level.term_months for level in row.hand or ()}
    )
    month = HOURS_PER_MONTH * row.slicing.widths
    by_use = np.asarray(row.busy.today(0) * month * flex, dtype=np.float64)
    wait, advised, advised_month = (np.zeros(row.slices) for _ in range(3))
    after = {term: np.zeros(row.slices) for term in terms}
    extra = {term: np.zeros(row.slices) for term in terms}
    for piece in policy_pieces(_as_advised(row, hours), market.horizon_months, planned.left_of_offers):
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
        pool=row.pool,
        gpu_model=row.gpu_model,
        slicing=row.slicing,
        horizon_months=market.horizon_months,
        churn=market.churn,
        use_prices=market.use_prices,
        paid_months={term: paid_months(market, term) for term in terms},
        extra_usd=extra,
        after_usd=after,
        by_use_usd=by_use,
        wait_usd=wait,
        advised_usd=advised,
        advised_month_usd=advised_month,
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
        row, offers=tuple(offer for offer in row.offers if offer.term_months <= SHORT_WINDOW_TERM_MONTHS)
    )
