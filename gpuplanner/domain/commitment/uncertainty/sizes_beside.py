"""Sizes beside the advice: a unit of the shortest term less and more, a quarter less and more; and their regret."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.outlook_result import LevelValues
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow
from gpuplanner.domain.commitment.recursion.price_levels import named_paths, over
from gpuplanner.domain.commitment.uncertainty.bands import Draws
from gpuplanner.domain.commitment.uncertainty.use_costs import UseCosts
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.model.window import HOURS_PER_MONTH

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
    signed = [one for one in rows if (one.signed.term[0] > 0).any()]
    if not any(one.row.slices for one in rows):
        return ()
    if signed:
        shortest = min(int(one.signed.term[0][one.signed.term[0] > 0].min()) for one in signed)
        chosen = max(signed, key=lambda one: one.row.gpus(one.signed.term[0] == shortest))
    else:
        chosen = max(rows, key=lambda one: float(one.residual_gpus.mean()) * (one.row.flex.rate or 0.0))
    mine = next(
        (one for one in values if (one.pool, one.gpu_model) == (chosen.row.pool, chosen.row.gpu_model)), None
    )
    return (*_less(chosen, mine), *_more(chosen, mine))


def _less(one: PlannedRow, values: LevelValues | None) -> list[Size]:
    """The highest slices of the shortest term let go; none where nothing is signed now."""
    row, term, place = one.row, one.signed.term[0], one.signed.offer[0]
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
    row, term = one.row, one.signed.term[0]
    waiting = np.flatnonzero((term == 0) & (row.busy.today(0) > 0))
    open_now = [
        offer
        for offer in row.offers
        if row.calendar.start_in(offer, 0) is not None and offer.spread_rate and not offer.term_days
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
    found = []
    counts: dict[str, int] = {}
    for name, gpus in (("one", unit), ("quarter", QUARTER * layer_gpus)):
        count = min(int(np.searchsorted(np.cumsum(widths), gpus - 1e-9)) + 1, len(slices))
        if count not in counts.values():
            counts[name] = count
    for name, count in counts.items():
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
    sizes: Sequence[Size], costs: UseCosts, drawn: Draws, variance: float, assumptions: Assumptions
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
        lasts = np.array(
            [
                [
                    float(((discount * (1 - min(own * factor, 1.0))) ** month) @ prices[: len(month)])
                    for factor in CHURNS
                ]
                for prices in paths
            ]
        )
        paid = float((discount**month).sum())
        more = size.sign * (size.month_usd - use * lasts[path, churn] / paid)
        best = np.minimum(best, more)
    middle, high = np.percentile(np.abs(best), (50, 90)).tolist()
    return middle, high
