"""Sizes beside the advice: a unit or a quarter less and more, what each costs, and its regret."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment import outlook_result
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow
from gpuplanner.domain.commitment.recursion.rates import named_paths, over
from gpuplanner.domain.commitment.uncertainty import bands, level_costs, use_costs
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass

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
    own = level_costs.values_of_row(chosen.row, values)
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
    costs: use_costs.UseCosts,
    drawn: bands.Draws,
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


def compute_size_bands(
    month: Floats, band: bands.Band, sizes: Sequence[Size], use_of: Callable[[Size], Floats], factor: float
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
        beside = bands.Band(
            low=low, middle=middle, high=high, least=band.least + reach, most=band.most + reach
        )
        answer.append(_size_band(size.name, beside, factor))
    return tuple(answer)


def _size_band(name: str, as_drawn: bands.Band, factor: float) -> outlook_result.SizeBand:
    """The band of a size, widened by what past bands missed."""
    band = as_drawn.wider(factor)
    return outlook_result.SizeBand(name, band.low, band.middle, band.high)
