"""Other prices and what terms hang on: price paths, cases, and at which growth, fall or churn terms are others."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.result import Audit, Check
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.streams import Row
from gpuplanner.domain.commitment.outlook_result import PathCost, PathRow
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow, plan_of, plan_with
from gpuplanner.domain.commitment.recursion.allocation import (
    PolicyPiece,
    RowToPlan,
    policy_of,
    policy_pieces,
    whole_usd,
)
from gpuplanner.domain.commitment.recursion.rates import PATH_DELTAS, Levels, named_paths
from gpuplanner.domain.commitment.recursion.slice_policy import (
    IMPOSSIBLE_USD,
    NOBODY,
    Policy,
    policy_after_usd,
)
from gpuplanner.domain.commitment.recursion.ways import Ways
from gpuplanner.domain.commitment.result import Advice, Layer
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.figures.plan import PATH
from gpuplanner.domain.figures.typed import Written, percent, significant
from gpuplanner.domain.message import Message, Part, joined, worded, worded_count
from gpuplanner.domain.model.amounts import grouped, known_sum, summed
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, Assumptions, AssumptionValue
from gpuplanner.domain.model.book.contract import term_adjective, term_words, terms_words, usd_in_month
from gpuplanner.domain.model.book.offer import PRICE_CASES, PriceCase, without_own_rate
from gpuplanner.domain.model.plan_inputs import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOL_TITLES, POOLS, Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- Flip points: at which growth, volatility, price fall or churn the largest layer of a pool becomes another

PROBES: Final[dict[str, tuple[float, ...]]] = {
    "delta": (-0.02, -0.01, 0.0, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12),
    "lambda": (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2),
    "growth": (-0.1, -0.05, -0.02, 0.0, 0.02, 0.05, 0.1),
    "sigma": (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4),
}
"""Where each assumption is tried, by --set name: a planner's range, not every value that is possible."""
HALVINGS: Final = 5
"""How often the gap between two probes is halved: the flip is known to a thirtieth of it."""

NAMES: Final = {
    "delta": worded("a price decline"),
    "lambda": worded("an attrition"),
    "growth": worded("a growth"),
    "sigma": worded("a volatility"),
}

CHURN_BY_POOL: Final = worded("attrition by pool")

IsCancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Largest:
    """The committed term with most GPUs of a row, in months, 0 for none, and those GPUs; days where all are sold so."""

    term: int
    gpus: float
    days: int | None = None

    @property
    def adjective(self) -> Message:
        """12-month, or 90-day."""
        return term_adjective(self.term, self.days)

    @property
    def counted_gpus(self) -> Message:
        """GPUs with their noun, as a sentence has them."""
        return worded_count(self.gpus, "{count} GPU", "{count} GPUs", count=significant(self.gpus))


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipPoint:
    """Where the largest committed layer of a pool and model gives way, on one side of the assumption's value.

    at: the first value (ratio) at which another term has most GPUs. today: the layer at the value in force; there: the
    one that takes its place.
    """

    assumption: str
    pool: Pool
    gpu_model: str | None
    value: float
    at: float
    today: Largest
    there: Largest


def flip_points(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    cache: AdviceCache | None = None,
    is_cancelled: IsCancelled = lambda: False,
    classes: tuple[Classification, ...] = (),
) -> tuple[FlipPoint, ...]:
    """The nearest flip above and below the value in force, for each assumption, pool and model; nearest first.

    An assumption that a pool has a value of its own for is moved for all pools alike, so those pools stay as they are.
    Rows set by hand do not flip. classes: what the workloads were taken for; empty where nobody said.
    Source: docs/formulas/uncertainty.md, Flip points.
    """
    cache = AdviceCache() if cache is None else cache
    planned = plan_of(ground_of(project, scenario, pools, cache, classes), cache)
    today = find_largest_layers(planned)
    known: dict[tuple[str, float], dict[Row, Largest]] = {}

    def largest(name: str, row: Row, value: float) -> Largest:
        """Of a row at a value; as today where it has none there."""
        if (name, value) not in known:
            layers_at = plan_with(project, scenario, pools, classes, {name: value}, cache)
            known[name, value] = find_largest_layers(layers_at)
        return known[name, value].get(row, today[row])

    points: list[FlipPoint] = []
    for name, probes in PROBES.items():
        for row, now in _in_force(project.assumptions_in(scenario), name, planned).items():
            above = sorted(probe for probe in probes if probe - now > 1e-12)
            below = sorted((probe for probe in probes if now - probe > 1e-12), reverse=True)
            for steps in (below, above) if row in today else ():
                flip = find_flip(today[row].term, now, steps, partial(largest, name, row), is_cancelled)
                if flip is not None:
                    pool, gpu_model = row
                    points.append(
                        FlipPoint(
                            assumption=name,
                            pool=pool,
                            gpu_model=gpu_model,
                            value=now,
                            at=flip[0],
                            today=today[row],
                            there=flip[1],
                        )
                    )
    return tuple(
        sorted(points, key=lambda point: (point.assumption, abs(point.at - point.value), point.pool))
    )


def _in_force(assumptions: Assumptions, name: str, planned: Planned) -> dict[Row, float]:
    """The value of each row: everybody's, or of a volatility that nobody set the one that its log shows."""
    own = getattr(assumptions, SPEC_BY_NAME[name].field)
    return {
        (row.row.pool, row.row.gpu_model): float(row.volatility.sigma if own is None else own)
        for row in planned.rows
    }


def flip_sentence(point: FlipPoint, *, is_named: bool = True) -> Message:
    """Inference, H100: at a price fall of 3.1% a month the largest layer is 3-month (14 GPUs), not 12-month (17).

    is_named: whether pool and GPU model come first; where they stand beside it, the sentence begins with "At".
    """
    name = worded(
        "{words}, {model}", words=POOL_TITLES[point.pool], model=point.gpu_model or worded("unknown model")
    )
    given: dict[str, Part] = {"names": NAMES[point.assumption], "point": share_words(point)}
    begin = (
        worded("{name}: at {names} of {point} per month", name=name, **given)
        if is_named
        else worded("At {names} of {point} per month", **given)
    )
    own, other = point.today.adjective, point.there.adjective
    own_gpus, other_gpus = point.today.counted_gpus, point.there.counted_gpus
    if not point.today.term:
        return worded(
            "{begin} a {to_term} layer of {to_gpus} becomes worth it",
            begin=begin,
            to_term=other,
            to_gpus=other_gpus,
        )
    if not point.there.term:
        layer_words = worded("the {from_term} layer of {from_gpus}", from_term=own, from_gpus=own_gpus)
        return worded("{begin} {there} is no longer worth it", begin=begin, there=layer_words)
    after = worded("the largest layer is {to_term} ({to_gpus})", to_term=other, to_gpus=other_gpus)
    return worded(
        "{begin} {after}, not {from_term} ({from_gpus})",
        begin=begin,
        after=after,
        from_term=own,
        from_gpus=significant(point.today.gpus),
    )


def share_words(point: FlipPoint) -> Written:
    """The value with a decimal, or with as many as tell it from the one in force."""
    for places in (1, 2):
        if str(percent(point.at, places)) != str(percent(point.value, places)):
            return percent(point.at, places)
    return percent(point.at, 3)


def find_flip(
    term: int,
    now: float,
    steps: Sequence[float],
    largest: Callable[[float], Largest],
    is_cancelled: IsCancelled,
) -> tuple[float, Largest] | None:
    """The value nearest to the one in force, going outwards, at which the largest layer is of another term, and that
    layer; None where there is none."""
    inside = now
    for step in steps:
        if is_cancelled():
            return None
        if largest(step).term != term:
            outside = step
            for _ in range(HALVINGS):
                middle = (inside + outside) / 2
                inside, outside = (middle, outside) if largest(middle).term == term else (inside, middle)
            return outside, largest(outside)
        inside = step
    return None


def find_largest_layers(planned: Planned) -> dict[Row, Largest]:
    """The committed term with most GPUs in month 0 of every advised row (ties: the longer)."""
    answer = {}
    for planned_row in planned.rows:
        row = planned_row.row
        if row.hand is not None or not row.slices:
            continue
        terms, widths = planned_row.term_now.tolist(), row.slicing.widths.tolist()
        gpus = summed(((0, 0.0), *((term, width) for term, width in zip(terms, widths, strict=True) if term)))
        best = max(gpus, key=lambda term: (gpus[term], term))
        sold_as = {
            row.offers[place].term_days if place >= 0 else None
            for term, place in zip(terms, planned_row.signed.now.tolist(), strict=True)
            if term == best
        }
        days = sold_as.pop() if len(sold_as) == 1 and best else None
        answer[row.pool, row.gpu_model] = Largest(best, gpus[best], days)
    return answer


# --- What the terms hang on: whether the mix of terms signed now changes with the price fall or the churn assumed

POINT: Final = 0.01
CHANGED_SHARE: Final = 0.25
"""Of the larger sum signed: a mix of terms that moves more than this is another one."""
HUNDREDTH_USD: Final = 0.01

Term = tuple[int, int | None]
"""A term as an offer has it: months, and days where it is sold by the day."""
Signed = Mapping[Term, tuple[float, float]]
"""What is signed in month 0 by term: GPUs, and $ in all (liability)."""


def signed_now(planned: Planned) -> Signed:
    """Of all rows together, by term; whole units as they are bought.

    Upfront payments are in the $. What is set by hand to a term that nobody offers is left out.
    """
    signed: dict[Term, tuple[float, float]] = {}
    for row in planned.rows:
        for listed in row.listed.orders:
            if listed.start_s >= MONTH_S or listed.rate is None:
                continue
            offer, gpus = row.row.offers[listed.place], listed.paid_gpus
            usd = gpus * (listed.hours * listed.rate + listed.upfront)
            key = (offer.term_months, offer.term_days)
            before = signed.get(key, (0.0, 0.0))
            signed[key] = (before[0] + gpus, before[1] + usd)
    return signed


def is_another_mix(here: Signed, then: Signed) -> bool:
    """Whether half the sum over terms of what differs is over a quarter of the larger sum signed.

    Half, since what leaves one term shows again in another.

    >>> is_another_mix({(12, None): (1, 100.0)}, {(36, None): (1, 100.0)}), is_another_mix({}, {})
    (True, False)
    """
    terms = dict.fromkeys((*here, *then))  # no set: what is close to the edge hangs on the order of a sum
    usd = [(here.get(term, (0.0, 0.0))[1], then.get(term, (0.0, 0.0))[1]) for term in terms]
    larger = max(sum(usd_here for usd_here, _ in usd), sum(other for _, other in usd))
    changed = sum(abs(usd_here - other) for usd_here, other in usd) / 2
    return changed > CHANGED_SHARE * larger + HUNDREDTH_USD


def cases_of(assumptions: Assumptions) -> list[tuple[str, float, dict[str, AssumptionValue]]]:
    """What is tried: (name of the assumption, its value there, what is set); churn of every pool moves by a point.

    Values in force are left out, and none goes over the bound of its assumption.
    """
    delta, high = assumptions.delta, SPEC_BY_NAME["delta"].high
    no_churn = dict.fromkeys(("lambda", *(f"lambda_{pool}" for pool in Pool)), 0.0)
    cases: list[tuple[str, float, dict[str, AssumptionValue]]] = [
        ("delta", value, {"delta": value}) for value in (0.0, min(delta + POINT, high)) if value != delta
    ]
    if assumptions != assumptions.with_values(no_churn):
        cases.append(("lambda", 0.0, {**no_churn}))
    return [*cases, ("lambda_more", POINT, {"lambda_more": POINT})]


def terms_hang_on_prices(
    assumptions: Assumptions, planned: Planned, plan_with: Callable[[Mapping[str, AssumptionValue]], Planned]
) -> tuple[Check, ...]:
    """One amber check where the mix of terms is another at a price fall or a churn of 0 or a point more; else none.

    plan_with: the plan with some assumptions set. Source: docs/formulas/uncertainty.md, Price paths.
    """
    here, churn = signed_now(planned), assumptions.lambda_
    cases = []
    for name, value, values in cases_of(assumptions):
        signed = signed_now(plan_with(values))
        if is_another_mix(here, signed):
            cases.append(worded("{case}: {mix}", case=_case(name, value), mix=_mix(signed)))
    if not cases:
        return ()
    text = worded(
        "first-month orders depend on prices and demand. As assumed ({fall} monthly price decline, {churn}): "
        "{mix}; {others}",
        fall=_percent(assumptions.delta),
        churn=CHURN_BY_POOL if churn is None else worded("{churn} attrition", churn=_percent(churn)),
        mix=_mix(here),
        others=joined(cases, "; "),
    )
    return (Check(code="terms_hang_on_prices", severity="amber", subject=worded("the plan"), message=text),)


def _case(name: str, value: float) -> Message:
    """A case as the sentence has it."""
    if name == "delta":
        if not value:
            return worded("if prices stay the same")
        return worded("if they fall by {value} per month", value=_percent(value))
    if not value:
        return worded("if no demand ends")
    return worded("at {value} more attrition per month", value=_percent(value))


def _mix(signed: Signed) -> Message:
    """17 GPUs for 36 months, 20 for 12; nothing."""
    terms = sorted(signed, key=lambda term: (-term[0], -(term[1] or 0)))
    parts = [_layer(months, days, signed[months, days][0]) for months, days in terms]
    return joined(parts, ", ") if parts else worded("nothing for a term")


def _layer(months: int, days: int | None, gpus: float) -> Message:
    """GPUs of one term, in months or days."""
    written, term = significant(gpus, 10), term_words(months, days)
    return worded_count(gpus, "{gpus} GPU for {term}", "{gpus} GPUs for {term}", gpus=written, term=term)


def _percent(value: float) -> Message:
    """A ratio as a percentage, without needless zeros."""
    return joined((significant(100 * value, 10), "%"))


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


def price_paths(ground: Ground, planned: Planned, cache: AdviceCache) -> tuple[PathCost, ...]:
    """The four paths, in the order of PATH_DELTAS. cache: asked between them whether they are still wanted.

    Expected $ from month 0 to the horizon, discounted, with what existing contracts are paid whatever is signed. What
    each way signs in month 0 it signs without knowing the path; what follows is planned knowing it. An offer with a
    maximum is open to the slices that it is open to in the plan. Unknown where a rate is missing, or where a limit
    leaves demand to nobody.
    Law: a path that is the plan's own has no regret. Source: docs/formulas/uncertainty.md, Price paths.
    """
    rows = [row for row in planned.rows if row.row.slices]
    fixed = [None if is_unknown(row) else _fixed(row) for row in rows]
    paid = _contracts_usd(ground)
    answer = []
    for name, path in named_paths(ground.assumptions.horizon_months).items():
        cache.ask()
        costs = tuple(_costs(row, pieces, path) for row, pieces in zip(rows, fixed, strict=True))
        shorter, advice, longer, best = (
            known_sum([paid, *(getattr(row, field) for row in costs)])
            for field in ("shorter_only_usd", "advice_usd", "longer_only_usd", "best_usd")
        )
        regret = PATH.row({"expected": advice, "least_expected": best})["regret"]
        answer.append(
            PathCost(
                path=name,
                delta=PATH_DELTAS[name],
                shorter_only_usd=shorter,
                advice_usd=advice,
                longer_only_usd=longer,
                regret_usd=regret,
                contracts_usd=paid,
                rows=costs,
                best_usd=best,
            )
        )
    return tuple(answer)


def _contracts_usd(ground: Ground) -> float | None:
    """What existing contracts are paid to the horizon, discounted."""
    contracts, beta = ground.plan.contracts, (1 + ground.assumptions.wacc) ** (-1 / 12)
    months = range(ground.assumptions.horizon_months)
    monthly = [usd_in_month(contracts, ground.window, month) for month in months]
    return known_sum([None if usd is None else beta**month * usd for month, usd in enumerate(monthly)])


def is_unknown(planned: PlannedRow) -> bool:
    """Whether a rate is missing of what is signed now, or a limit leaves slices to nobody."""
    row = planned.row
    if (planned.signed.now == NOBODY).any():
        return True
    if row.use is None:
        return False
    months = row.market.horizon_months
    busy = row.busy.shares[row.busy.state_of_month[:months]].max(axis=1) > 0
    return bool((np.isnan(row.use.rate[:months]) & busy).any())


def _fixed(planned: PlannedRow) -> list[_Fixed]:
    """Month 0 of the three ways, as the plan's own prices have it."""
    row, answer, now = planned.row, list[_Fixed](), planned.signed.now.copy()
    for whole in row.whole:
        if whole.spans[0][0] < MONTH_S:
            now[whole.slices] = WAITS  # it is bought in each of the three
    for piece in policy_pieces(row, row.market.horizon_months, planned.left_of_offers):
        here = slice(piece.begin, piece.begin + piece.keep)
        advice = find_columns(piece.ways, now[here])
        short = drop_long_terms(piece.ways)
        shorter = advice if short is None else policy_of(row, piece.begin, short, piece.keep).choice[0]
        answer.append(_Fixed(piece, shorter, advice, choose_longest_terms(row, piece, advice)))
    return answer


def find_columns(ways: Ways, places: Ints) -> Ints:
    """The column of what each slice signs in month 0; one of the same term where its offer is not there."""
    columns = {
        int(place): column for column, place in enumerate(ways.place.tolist()) if ways.is_open[0, column]
    }
    numbers = [WAITS if place < 0 else columns.get(place, WAITS) for place in places.tolist()]
    return np.array(numbers, dtype=np.int64)


def drop_long_terms(ways: Ways) -> Ways | None:
    """The ways without terms over a year; None where there is none."""
    long = ways.length_s > SHORT_MONTHS * MONTH_S
    return replace(ways, is_open=ways.is_open & ~long[None, :]) if long.any() else None


def choose_longest_terms(row: RowToPlan, piece: PolicyPiece, advice: Ints) -> Ints:
    """What is signed, at the longest term that each slice may sign in month 0, the cheapest of it."""
    ways = piece.ways
    is_open = np.repeat(ways.is_open[0][:, None], len(advice), axis=1)
    if row.lived is not None and ways.count:
        is_open &= ~row.lived.closed(ways.length_s, piece.begin)[0][:, : len(advice)]
    length = np.where(is_open, ways.length_s[:, None], -1)
    # the first of the longest is the cheapest
    longest = length.argmax(axis=0) if ways.count else np.full(len(advice), WAITS)
    own = np.append(ways.length_s, 0)[advice]
    is_longer = length.max(axis=0, initial=-1) > own
    return np.where(advice == WAITS, WAITS, np.where(is_longer, longest, advice))


def _costs(planned: PlannedRow, pieces: Sequence[_Fixed] | None, path: Levels) -> PathRow:
    """Of one row on one path; unknown where nobody rents out what has to be paid by use."""
    row = planned.row.on_path(path)
    unknown = PathRow(
        pool=row.pool,
        gpu_model=row.gpu_model,
        shorter_only_usd=None,
        advice_usd=None,
        longer_only_usd=None,
        best_usd=None,
    )
    if pieces is None:
        return unknown
    total = np.full(4, float(whole_usd(row).sum()))  # whatever is signed beside them
    for fixed in pieces:
        piece = fixed.piece
        # the same offers in the same months at the prices of the row's path
        months, sold = len(piece.ways.rate), [row.offers[place] for place in piece.ways.place.tolist()]
        rates = [(offer.rate or 0.0) * row.prices.of_offer(offer, months) for offer in sold]
        ways = replace(piece.ways, rate=np.array(rates).reshape(len(sold), months).T)
        knowing = policy_of(row, piece.begin, ways, piece.keep)
        short = drop_long_terms(ways)
        bound = knowing if short is None else policy_of(row, piece.begin, short, piece.keep)
        advice = _usd(row, piece, knowing, ways, fixed.advice)
        longer = _usd(row, piece, knowing, ways, fixed.longer)
        shorter = _usd(row, piece, bound, ways, fixed.shorter)
        best = np.minimum(knowing.value[knowing.value.shape[0] // 2, : piece.keep], advice)
        total += [float(usd.sum()) for usd in (shorter, advice, longer, best)]
    if not (total < IMPOSSIBLE_USD / 2).all():  # NaN is not less either
        return unknown
    shorter_usd, advice_usd, longer_usd, best_usd = total.tolist()
    return PathRow(
        pool=row.pool,
        gpu_model=row.gpu_model,
        shorter_only_usd=shorter_usd,
        advice_usd=advice_usd,
        longer_only_usd=longer_usd,
        best_usd=best_usd,
    )


def _usd(row: RowToPlan, piece: PolicyPiece, policy: Policy, ways: Ways, columns: Ints) -> Floats:
    """$ of signing these columns in month 0 and following a policy after it, (slices,)."""
    slices = np.arange(piece.keep)
    usd = np.full(piece.keep, np.nan)
    for column in np.unique(columns).tolist():
        own = slices[columns == column]
        if column == WAITS:
            usd[own] = (compute_use_cost(row, piece) + policy_after_usd(policy, row.market, 1))[own]
        else:
            bound = float(ways.late[0, column] + ways.months[column])
            usd[own] = (policy.signed_usd[column] + policy_after_usd(policy, row.market, bound))[own]
    return usd


def compute_use_cost(row: RowToPlan, piece: PolicyPiece) -> Floats:
    """$ of month 0 by use, (slices,); NaN where a busy slice has nobody to rent from."""
    here = slice(piece.begin, piece.begin + piece.keep)
    busy, rate = row.left.today(0)[here], row.use_rate(piece.begin, piece.keep)
    if isinstance(rate, np.ndarray):
        now = rate[0]
    elif rate is None:
        now = np.nan
    else:
        now = rate
    usd = HOURS_PER_MONTH * row.slicing.widths[here] * busy * now * row.market.use_prices[0]
    return np.where(busy > 0, usd, 0.0)


# --- Price sensitivity: the same plan at the low, the mid and the high rate of every offer -------

LayerKey = tuple[Pool, str | None, int]
"""Pool, GPU model and term in months of new commitments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerChange:
    """New commitments of one pool, GPU model and term: GPUs at mid, and in another case.

    sold_as: as its offers are sold in either, months and days of each that differs.
    """

    pool: Pool
    gpu_model: str | None
    term_months: int
    gpus_mid: float
    gpus: float
    sold_as: frozenset[Term] = frozenset()

    @property
    def term(self) -> Message:
        """What the term is called: 12 months, 90 days."""
        return terms_words(self.sold_as or {(self.term_months, None)})


@dataclass(frozen=True, slots=True, kw_only=True)
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
    Source: docs/formulas/uncertainty.md, Price sensitivity.
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
            case=case,
            plan_usd_per_month=advice.totals.plan,
            do_nothing_usd_per_month=advice.totals.do_nothing,
            savings_vs_do_nothing_usd_per_month=advice.totals.savings_vs_do_nothing,
            priced_offers=priced,
            at_mid=len(without_own_rate(project.offers, case)),
            changed_layers=_changes(mid, advice),
            advice=advice,
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
    both = [list(_new_layers(advice)) for advice in (mid, here)]
    at_mid, in_case = (summed((key, layer.gpus) for key, layer in layers) for layers in both)
    sold_as = grouped((key, (key[2], layer.term_days)) for layers in both for key, layer in layers)
    keys = sorted(sold_as, key=lambda key: (POOLS.index(key[0]), key[1] or "", key[2]))
    return tuple(
        LayerChange(
            pool=key[0],
            gpu_model=key[1],
            term_months=key[2],
            gpus_mid=at_mid.get(key, 0.0),
            gpus=in_case.get(key, 0.0),
            sold_as=frozenset(sold_as[key]),
        )
        for key in keys
        if at_mid.get(key, 0.0) != in_case.get(key, 0.0)
    )
