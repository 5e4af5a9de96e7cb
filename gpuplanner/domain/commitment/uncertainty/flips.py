"""Flip points: at which growth, volatility, price fall or churn the largest layer of a pool becomes another."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import Planned, plan_of, plan_with
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.figures.typed import Written, percent, significant
from gpuplanner.domain.message import Message, worded, worded_count
from gpuplanner.domain.model.book.term_words import term_adjective
from gpuplanner.domain.model.pool import POOL_TITLES, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME, Assumptions
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

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
    "delta": worded("a price fall"),
    "lambda": worded("a churn"),
    "growth": worded("a growth"),
    "sigma": worded("a volatility"),
}

IsCancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class FlipPoint:
    """Where the largest committed layer of a pool and model gives way, on one side of the assumption's value.

    at: the first value (ratio) at which another term has most GPUs; from_term, to_term in months, 0: nothing is
    committed. gpus: of the layer today; to_gpus: of the one that takes its place; from_days, to_days: of a term that
    is sold by the day.
    """

    assumption: str
    pool: Pool
    gpu_model: str | None
    value: float
    at: float
    from_term: int
    from_gpus: float
    to_term: int
    to_gpus: float
    from_days: int | None = None
    to_days: int | None = None


@dataclass(frozen=True, slots=True)
class _Largest:
    """The committed term with most GPUs of a row, in months, 0 for none, and those GPUs; days where all are sold so."""

    term: int
    gpus: float
    days: int | None = None


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
    Source: docs/formulas.md, Flip points.
    """
    cache = AdviceCache() if cache is None else cache
    planned = plan_of(ground_of(project, scenario, pools, cache, classes), cache)
    today = _largest_layers(planned)
    known: dict[tuple[str, float], dict[Row, _Largest]] = {}

    def at(name: str, value: float) -> dict[Row, _Largest]:
        if (name, value) not in known:
            known[name, value] = _largest_layers(
                plan_with(project, scenario, pools, classes, {name: value}, cache)
            )
        return known[name, value]

    found: list[FlipPoint] = []
    for name, probes in PROBES.items():
        for row, now in _in_force(project.assumptions_in(scenario), name, planned).items():
            if row not in today:
                continue
            for side in (-1, 1):
                steps = sorted(
                    (probe for probe in probes if (probe - now) * side > 1e-12), key=lambda p: p * side
                )
                found += _along(name, row, today[row], now, steps, at, is_cancelled)
    return tuple(sorted(found, key=lambda one: (one.assumption, abs(one.at - one.value), one.pool)))


def _in_force(assumptions: Assumptions, name: str, planned: Planned) -> dict[Row, float]:
    """The value of each row: everybody's, or of a volatility that nobody set the one that its log shows."""
    own = getattr(assumptions, SPEC_BY_NAME[name].field)
    return {
        (one.row.pool, one.row.gpu_model): float(one.volatility.sigma if own is None else own)
        for one in planned.rows
    }


def flip_sentence(point: FlipPoint, *, is_named: bool = True) -> Message:
    """Inference, H100: at a price fall of 3.1% a month the largest layer is 3-month (14 GPUs), not 12-month (17).

    is_named: whether pool and GPU model come first; where they stand beside it, the sentence begins with "At".
    """
    name = worded(
        "{words}, {gpu_model}",
        words=POOL_TITLES[point.pool],
        gpu_model=point.gpu_model or worded("unknown model"),
    )
    begin = (
        worded(
            "{name}: at {names} of {point} per month",
            name=name,
            names=NAMES[point.assumption],
            point=share_words(point),
        )
        if is_named
        else worded(
            "At {names} of {point} per month", names=NAMES[point.assumption], point=share_words(point)
        )
    )
    if not point.from_term:
        return worded(
            "{begin} a {to_term} layer of {to_gpus} becomes worth it",
            begin=begin,
            to_term=term_adjective(point.to_term, point.to_days),
            to_gpus=_gpus(point.to_gpus),
        )
    there = worded(
        "the {from_term} layer of {from_gpus}",
        from_term=term_adjective(point.from_term, point.from_days),
        from_gpus=_gpus(point.from_gpus),
    )
    if not point.to_term:
        return worded("{begin} {there} is worth it no more", begin=begin, there=there)
    after = worded(
        "the largest layer is {to_term} ({to_gpus})",
        to_term=term_adjective(point.to_term, point.to_days),
        to_gpus=_gpus(point.to_gpus),
    )
    return worded(
        "{begin} {after}, not {from_term} ({from_gpus})",
        begin=begin,
        after=after,
        from_term=term_adjective(point.from_term, point.from_days),
        from_gpus=significant(point.from_gpus),
    )


def share_words(point: FlipPoint) -> Written:
    """The value with a decimal, or with as many as tell it from the one in force."""
    for places in (1, 2):
        if str(percent(point.at, places)) != str(percent(point.value, places)):
            return percent(point.at, places)
    return percent(point.at, 3)


def _gpus(count: float) -> Message:
    """GPUs with their noun, as a sentence has them."""
    return worded_count(count, "{count} GPU", "{count} GPUs", count=significant(count))


def _along(
    name: str,
    row: Row,
    begin: _Largest,
    now: float,
    steps: list[float],
    at: Callable[[str, float], dict[Row, _Largest]],
    is_cancelled: IsCancelled,
) -> list[FlipPoint]:
    """The first flip of a row on one side, going outwards; none or one."""
    inside = now
    for step in steps:
        if is_cancelled():
            break
        there = at(name, step)
        if row in there and there[row].term != begin.term:
            value, after = _narrowed(name, row, begin.term, inside, step, at)
            return [
                FlipPoint(
                    name,
                    *row,
                    now,
                    value,
                    begin.term,
                    begin.gpus,
                    after.term,
                    after.gpus,
                    begin.days,
                    after.days,
                )
            ]
        inside = step
    return []


def _narrowed(
    name: str,
    row: Row,
    term: int,
    inside: float,
    outside: float,
    at: Callable[[str, float], dict[Row, _Largest]],
) -> tuple[float, _Largest]:
    """The value nearest to the one in force at which the row's largest layer is another, and that layer."""
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        if at(name, middle)[row].term == term:
            inside = middle
        else:
            outside = middle
    return outside, at(name, outside)[row]


def _largest_layers(planned: Planned) -> dict[Row, _Largest]:
    """The committed term with most GPUs in month 0 of every advised row (ties: the longer)."""
    answer = {}
    for one in planned.rows:
        row = one.row
        if row.hand is not None or not row.slices:
            continue
        gpus: dict[int, float] = {0: 0.0}
        for term, width in zip(one.signed.term[0].tolist(), row.slicing.widths.tolist(), strict=True):
            if term:
                gpus[term] = gpus.get(term, 0.0) + width
        best = max(gpus, key=lambda term: (gpus[term], term))
        sold_as = {
            row.offers[place].term_days if place >= 0 else None
            for term, place in zip(one.signed.term[0].tolist(), one.signed.offer[0].tolist(), strict=True)
            if term == best
        }
        days = sold_as.pop() if len(sold_as) == 1 and best else None
        answer[row.pool, row.gpu_model] = _Largest(best, gpus[best], days)
    return answer
