"""Other prices: signing short, as advised and long on each path, and the plan at low, mid and high."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import PathCost, PathRow
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.commitment.recursion.allocation import PolicyPiece, RowToPlan, policy_of, policy_pieces
from gpuplanner.domain.commitment.recursion.rates import PATH_DELTAS, Levels, named_paths
from gpuplanner.domain.commitment.recursion.slice_policy import (
    IMPOSSIBLE_USD,
    NOBODY,
    Policy,
    policy_after_usd,
)
from gpuplanner.domain.commitment.recursion.ways import Ways
from gpuplanner.domain.commitment.result import Advice, Layer
from gpuplanner.domain.figures.plan import PATH
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import terms_words, usd_in_month
from gpuplanner.domain.model.book.offer import PRICE_CASES, PriceCase, without_own_rate
from gpuplanner.domain.model.plan_inputs import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S

# --- Price paths: what signing short, as advised and long comes to where prices fall, are cut, stay or rise

SHORT_MONTHS: Final = 12
"""Shorter-only signs no longer term, now or later."""
WAITS: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class _Fixed:
    """What neighbouring slices sign in month 0 in each of the three ways: columns of terms, WAITS; (slices,)."""

    piece: PolicyPiece
    shorter: Ints
    advice: Ints
    longer: Ints


def price_paths(ground: Ground, planned: Planned) -> tuple[PathCost, ...]:
    """The four paths, in the order of PATH_DELTAS.

    Expected $ from month 0 to the horizon, discounted, with what existing contracts are paid whatever is signed. What
    each way signs in month 0 it signs without knowing the path; what follows is planned knowing it. An offer with a
    maximum is open to the slices that it is open to in the plan. Unknown where a rate is missing, or where a limit
    leaves demand to nobody.
    Law: a path that is the plan's own has no regret. Source: docs/formulas.md, Price paths.
    """
    rows = [one for one in planned.rows if one.row.slices]
    fixed = [None if _is_unknown(one) else _fixed(one) for one in rows]
    paid = _contracts_usd(ground)
    answer = []
    for name, path in named_paths(ground.assumptions.horizon_months).items():
        found = tuple(_costs(one, pieces, path) for one, pieces in zip(rows, fixed, strict=True))
        shorter, advice, longer, best = (
            known_sum([paid, *(getattr(row, way) for row in found)])
            for way in ("shorter_only_usd", "advice_usd", "longer_only_usd", "best_usd")
        )
        regret = PATH.row({"expected": advice, "least_expected": best})["regret"]
        answer.append(PathCost(name, PATH_DELTAS[name], shorter, advice, longer, regret, paid, found, best))
    return tuple(answer)


def _contracts_usd(ground: Ground) -> float | None:
    """What existing contracts are paid to the horizon, discounted."""
    contracts, beta = ground.plan.contracts, (1 + ground.assumptions.wacc) ** (-1 / 12)
    months = range(ground.assumptions.horizon_months)
    monthly = [usd_in_month(contracts, ground.window, month) for month in months]
    return known_sum([None if usd is None else beta**month * usd for month, usd in enumerate(monthly)])


def _is_unknown(one: PlannedRow) -> bool:
    """Whether a rate is missing of what is signed now, or a limit leaves slices to nobody."""
    row = one.row
    if (one.signed.now == NOBODY).any():
        return True
    if row.use is None:
        return False
    months = row.market.horizon_months
    busy = row.busy.shares[row.busy.state_of_month[:months]].max(axis=1) > 0
    return bool((np.isnan(row.use.rate[:months]) & busy).any())


def _fixed(one: PlannedRow) -> list[_Fixed]:
    """Month 0 of the three ways, as the plan's own prices have it."""
    row, answer = one.row, list[_Fixed]()
    for piece in policy_pieces(row, row.market.horizon_months, one.left_of_offers):
        here = slice(piece.begin, piece.begin + piece.keep)
        advice = _columns(piece.ways, one.signed.now[here])
        short = _without_long(piece.ways)
        shorter = advice if short is None else policy_of(row, piece.begin, short, piece.keep).choice[0]
        answer.append(_Fixed(piece, shorter, advice, _longest(row, piece, advice)))
    return answer


def _columns(ways: Ways, places: Ints) -> Ints:
    """The column of what each slice signs in month 0; one of the same term where its offer is not there."""
    columns = {
        int(place): column for column, place in enumerate(ways.place.tolist()) if ways.is_open[0, column]
    }
    found = [WAITS if place < 0 else columns.get(place, WAITS) for place in places.tolist()]
    return np.array(found, dtype=np.int64)


def _without_long(ways: Ways) -> Ways | None:
    """The ways without terms over a year; None where there is none."""
    long = ways.length_s > SHORT_MONTHS * MONTH_S
    return replace(ways, is_open=ways.is_open & ~long[None, :]) if long.any() else None


def _longest(row: RowToPlan, piece: PolicyPiece, advice: Ints) -> Ints:
    """What is signed, at the longest term that each slice may sign in month 0, the cheapest of it."""
    ways = piece.ways
    is_open = np.repeat(ways.is_open[0][:, None], len(advice), axis=1)
    if row.lived is not None and ways.count:
        is_open &= ~row.lived.closed(ways.length_s, piece.begin)[0][:, : len(advice)]
    length = np.where(is_open, ways.length_s[:, None], -1)
    longest = (
        length.argmax(axis=0) if ways.count else np.full(len(advice), WAITS)
    )  # the first of them is the cheapest
    own = np.append(ways.length_s, 0)[advice]
    is_longer = length.max(axis=0, initial=-1) > own
    return np.where(advice == WAITS, WAITS, np.where(is_longer, longest, advice))


def _costs(one: PlannedRow, pieces: Sequence[_Fixed] | None, path: Levels) -> PathRow:
    """Of one row on one path; unknown where nobody rents out what has to be paid by use."""
    row = one.row.on_path(path)
    unknown = PathRow(row.pool, row.gpu_model, None, None, None, None)
    if pieces is None:
        return unknown
    total = np.zeros(4)
    for fixed in pieces:
        piece = fixed.piece
        ways = _repriced(row, piece.ways)
        knowing = policy_of(row, piece.begin, ways, piece.keep)
        short = _without_long(ways)
        bound = knowing if short is None else policy_of(row, piece.begin, short, piece.keep)
        advice = _usd(row, piece, knowing, ways, fixed.advice)
        longer = _usd(row, piece, knowing, ways, fixed.longer)
        shorter = _usd(row, piece, bound, ways, fixed.shorter)
        best = np.minimum(knowing.value[knowing.value.shape[0] // 2, : piece.keep], advice)
        total += [float(usd.sum()) for usd in (shorter, advice, longer, best)]
    if not (total < IMPOSSIBLE_USD / 2).all():  # NaN is not less either
        return unknown
    return PathRow(row.pool, row.gpu_model, *total.tolist())


def _repriced(row: RowToPlan, ways: Ways) -> Ways:
    """The same offers in the same months at the prices of the row's path."""
    return replace(ways, rate=row.rates_when_signed(len(ways.rate))[ways.place].T)


def _usd(row: RowToPlan, piece: PolicyPiece, policy: Policy, ways: Ways, columns: Ints) -> Floats:
    """$ of signing these columns in month 0 and following a policy after it, (slices,)."""
    slices = np.arange(piece.keep)
    usd = np.full(piece.keep, np.nan)
    for column in np.unique(columns).tolist():
        mine = slices[columns == column]
        if column == WAITS:
            usd[mine] = (_by_use(row, piece) + policy_after_usd(policy, row.market, 1))[mine]
        else:
            bound = float(ways.late[0, column] + ways.months[column])
            usd[mine] = (policy.signed_usd[column] + policy_after_usd(policy, row.market, bound))[mine]
    return usd


def _by_use(row: RowToPlan, piece: PolicyPiece) -> Floats:
    """$ of month 0 by use, (slices,); NaN where a busy slice has nobody to rent from."""
    here = slice(piece.begin, piece.begin + piece.keep)
    busy, rate = row.busy.today(0)[here], row.use_rate(piece.begin, piece.keep)
    now = rate[0] if isinstance(rate, np.ndarray) else np.nan if rate is None else rate
    usd = HOURS_PER_MONTH * row.slicing.widths[here] * busy * now * row.market.use_prices[0]
    return np.where(busy > 0, usd, 0.0)


# --- Price sensitivity: the same plan at the low, the mid and the high rate of every offer -------

SoldAs = tuple[int, int | None]
"""A term as an offer has it: months, and days where it is sold by the day."""
LayerKey = tuple[Pool, str | None, int]
"""Pool, GPU model and term in months of new commitments."""


@dataclass(frozen=True, slots=True)
class LayerChange:
    """New commitments of one pool, GPU model and term: GPUs at mid, and in another case.

    sold_as: as its offers are sold in either, months and days of each that differs.
    """

    pool: Pool
    gpu_model: str | None
    term_months: int
    gpus_mid: float
    gpus: float
    sold_as: frozenset[SoldAs] = frozenset()

    @property
    def term(self) -> Message:
        """What the term is called: 12 months, 90 days."""
        return terms_words(self.sold_as or {(self.term_months, None)})


@dataclass(frozen=True, slots=True)
class CasePlan:
    """A plan in one price case. Money in $ a month, None: unknown.

    priced_offers: how many offers have a rate; at_mid: how many of them state none of their own for this case and
    count with their mid rate. changed_layers: those that are not as at mid, by pool, model and term.
    advice: what the figures are of.
    """

    case: PriceCase
    plan_usd_per_month: float | None
    do_nothing_usd_per_month: float | None
    savings_vs_do_nothing_usd_per_month: float | None
    priced_offers: int
    at_mid: int
    changed_layers: tuple[LayerChange, ...]
    advice: Advice | None = field(default=None, compare=False, repr=False)


def price_sensitivity(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    audit: Audit,
    cache: AdviceCache | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> tuple[CasePlan, ...]:
    """A scenario's plan in each price case, in the order low, mid, high; fewer where it is cancelled.

    pools[i] is the pool of project.workloads[i]. Each case is planned afresh: layers set by hand stay as they are.
    Source: docs/formulas.md, Price sensitivity.
    """
    cache = AdviceCache() if cache is None else cache
    advices: dict[PriceCase, Advice] = {}
    for case in PRICE_CASES:
        if is_cancelled():
            return ()
        advices[case] = advise(project, replace(scenario, price_case=case), pools, audit, cache)
    mid = advices[PriceCase.MID]
    priced = sum(offer.rate is not None for offer in project.offers)
    return tuple(
        CasePlan(
            case,
            advice.totals.plan,
            advice.totals.do_nothing,
            advice.totals.savings_vs_do_nothing,
            priced,
            len(without_own_rate(project.offers, case)),
            _changes(mid, advice),
            advice,
        )
        for case, advice in advices.items()
    )


def _new_layers(advice: Advice) -> Iterator[tuple[LayerKey, Layer]]:
    """New commitments; existing ones are in no price case."""
    for plan in advice.pools:
        for layer in plan.layers:
            if layer.is_new:
                yield (plan.pool, plan.gpu_model, layer.term_months or 0), layer


def _changes(mid: Advice, here: Advice) -> tuple[LayerChange, ...]:
    """Layers whose GPUs are not as at mid, in the order of pool, model and term."""
    at_mid, in_case, sold_as = dict[LayerKey, float](), dict[LayerKey, float](), dict[LayerKey, set[SoldAs]]()
    for advice, found in ((mid, at_mid), (here, in_case)):
        for key, layer in _new_layers(advice):
            found[key] = found.get(key, 0.0) + layer.gpus
            sold_as.setdefault(key, set()).add((key[2], layer.term_days))
    keys = sorted(sold_as, key=lambda key: (POOLS.index(key[0]), key[1] or "", key[2]))
    return tuple(
        LayerChange(*key, at_mid.get(key, 0.0), in_case.get(key, 0.0), frozenset(sold_as[key]))
        for key in keys
        if at_mid.get(key, 0.0) != in_case.get(key, 0.0)
    )
