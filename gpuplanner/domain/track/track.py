"""The plan against what came: planned, what moved it by pool and GPU model, and what was paid; to the cent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise, product
from typing import Final

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.evaluation import Evaluation, advise_plan, audit_project, evaluate_audit
from gpuplanner.domain.figures.columns import floats, optional
from gpuplanner.domain.figures.costs.track import TRACK, TRACK_QUARTER
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.track.beside import hindsight_usd, made_again
from gpuplanner.domain.track.bill import bill
from gpuplanner.domain.track.burn_down import BurnDown, burn_downs
from gpuplanner.domain.track.came import came_in
from gpuplanner.domain.track.expected import (
    HourByHour,
    LoadCurve,
    Parts,
    Place,
    by_place,
    expected,
    in_order,
    left_over,
    of_quarter,
    place_of,
    with_level,
)
from gpuplanner.domain.track.holdings import Holdings
from gpuplanner.domain.track.rates import LaterRates, PlanRates
from gpuplanner.domain.track.saved_plan import SavedPlan, saved_plan
from gpuplanner.domain.track.spans import Span, quarter_start_s, quarters_of, spans_of, whole_hours

WHAT: Final = ("demand", "mix", "decision", "price", "rest")
"""What may have moved the cost of a plan, in the order in which it is told."""
DECIDED: Final = 1 + WHAT.index("decision")
"""The first step that is of what was signed, not of the plan's orders."""
_ROUNDING: Final = 1e-12
"""Of the $ that a difference is of: less is a digit of rounding, and nothing moved."""

IsCancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class TrackRow:
    """What one cause moved in one pool and GPU model, $ of the window; below 0 it cost less, None is unknown.

    pool: None of a contract that serves all of them. before, after: what the place costs without the cause and with it.
    """

    what: str
    pool: Pool | None
    gpu_model: str | None
    usd: float | None
    before: float | None
    after: float | None

    @property
    def key(self) -> str:
        """What tells it from other rows."""
        return f"{self.what}/{self.pool or ''}/{self.gpu_model or ''}"


@dataclass(frozen=True, slots=True)
class TrackQuarter:
    """One calendar quarter of a comparison, $ of the part of it that is compared; None is unknown.

    start_s, end_s: of that part, epoch seconds. figures: by the keys of TRACK_QUARTER. Law: planned and the causes add
    up to what came; quarters add up to the whole time.
    """

    start_s: int
    end_s: int
    figures: Mapping[str, float | None] = field(hash=False)

    @property
    def key(self) -> str:
        """What tells it from the others."""
        return str(self.start_s)


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """A plan over the time that was logged since. $ of the window but advice_now, which is a month; None is unknown.

    Law: planned + rows = actual, to the cent. advice_now: what the same plan comes to on the later log; hindsight: what
    the cheapest way to buy would have cost, knowing every hour. notes: what was left out, in words.
    """

    plan: str
    window: Window
    planned: float | None
    actual: float | None
    rows: tuple[TrackRow, ...]
    advice_now: float | None
    hindsight: float | None
    contracts: tuple[BurnDown, ...]
    quarters: tuple[TrackQuarter, ...]
    notes: tuple[Message, ...] = ()

    def moved(self, what: str) -> float | None:
        """$ of one cause in all pools and models. Law: planned and the five of them add up to actual."""
        return known_sum(row.usd for row in self.rows if row.what == what)


def track(
    evaluation: Evaluation,
    later: Project,
    tables: Tables,
    *,
    has_contracts: bool,
    has_prices: bool,
    notes: Sequence[Message] = (),
    is_cancelled: IsCancelled = lambda: False,
) -> Track | None:
    """Hold an evaluated plan against a later log; None where it is cancelled. Errors: ValueError without advice.

    later: the plan's project with the log that came, in the window that is compared; its contracts and offers are those
    that were given, else the plan's. has_contracts, has_prices: whether they were. Source: docs/formulas.md, Track.
    """
    plan = saved_plan(evaluation)
    given = Holdings(later.contracts) if has_contracts else None
    held = given or plan.holdings
    moments = chain(plan.holdings.moments, held.moments, _moments_of_schedules(plan))
    to_the_second = spans_of(later.window, plan.window, moments)
    by_hours = whole_hours(later.window, to_the_second, plan.window)
    came = came_in(later, plan, given, by_hours, tables)
    offers = later.priced_in(plan.ground.scenario).offers if has_prices else ()
    before = PlanRates(plan, came, offers)
    after = LaterRates(before, offers if has_prices else None, later)

    as_planned = LoadCurve(plan, to_the_second, plan.ground.plan.models, {})
    planned_hours = as_planned.gpu_hours()
    times = {row: came.gpu_hours(row) / hours for row, hours in planned_hours.items() if hours > 0}
    unplanned = [row for row in came.rows if row not in times]
    models = with_level(plan.ground.plan.models, came, unplanned, plan.ground.window.hours)
    as_much = LoadCurve(plan, to_the_second, models, times)
    as_it_came = HourByHour(came, by_hours)
    if is_cancelled():
        return None
    steps = [
        expected(as_planned, plan.holdings, before),
        expected(as_much, plan.holdings, before),
        expected(as_it_came, plan.holdings, before),
        expected(as_it_came, held, before),
        expected(as_it_came, held, after),
    ]
    quarters = quarters_of(later.window)
    unknown = dict.fromkeys(product(quarters, _unpriced(plan, to_the_second)))
    steps = [
        parts if has_contracts and at >= DECIDED else {**parts, **unknown} for at, parts in enumerate(steps)
    ]
    if is_cancelled():
        return None
    made = made_again(later, plan, came, has_contracts=has_contracts, has_prices=has_prices)
    again = evaluate_audit(made, evaluation.scenario, tables)
    audit = again.audit if has_contracts else audit_project(later, tables)
    steps.append(
        bill(later, audit, came, left_over(as_it_came, held), by_hours, after) if has_contracts else steps[-1]
    )
    advised = advise_plan(made, again.figures, AdviceCache())
    if is_cancelled():
        return None
    return Track(
        evaluation.scenario,
        later.window,
        known_sum(steps[0].values()),
        known_sum(steps[-1].values()),
        _rows([by_place(parts) for parts in steps]),
        advised.totals.plan,
        hindsight_usd(later, plan, as_it_came, held.contracts, after),
        burn_downs(later.contracts, (evaluation.audit, audit), later.window.end_s),
        tuple(_quarter(steps, later.window, start_s) for start_s in quarters),
        tuple(notes),
    )


def _moments_of_schedules(plan: SavedPlan) -> list[int]:
    """When workloads of a plan begin, end or step."""
    return [at for schedule in plan.ground.outlined.schedules for at in schedule.moments]


def _unpriced(plan: SavedPlan, spans: Sequence[Span]) -> set[Place]:
    """Where what a plan costs is unknown: it holds by hand what nobody offers, or nobody has said what contracts
    serve."""
    if plan.evaluation.advice is not None and plan.evaluation.advice.asked_models:
        return {place_of(row) for row in plan.rows}
    months = sorted({span.month for span in spans})
    return {place_of(row) for row in plan.rows for month in months if plan.is_unpriced(row, month)}


def _quarter(steps: Sequence[Parts], window: Window, start_s: int) -> TrackQuarter:
    """What a quarter was planned to cost, what each cause moved in it, and what came of both."""
    usd = [of_quarter(parts, start_s) for parts in steps]
    moved = optional(TRACK.value("moved", {"before": floats(usd[:-1]), "after": floats(usd[1:])}))
    given = {"planned": usd[0], **dict(zip(WHAT, moved, strict=True))}
    end_s = min(quarter_start_s(start_s, 1), window.end_s)
    return TrackQuarter(max(start_s, window.start_s), end_s, TRACK_QUARTER.row(given, [*given, "actual"]))


def _rows(steps: Sequence[Mapping[Place, float | None]]) -> tuple[TrackRow, ...]:
    """What each step moved, place by place: rows of every cause are of the same places."""
    places = sorted({place for parts in steps for place in parts}, key=in_order)
    drafts = [
        (what, place, before.get(place, 0.0), after.get(place, 0.0))
        for what, (before, after) in zip(WHAT, pairwise(steps), strict=True)
        for place in places
    ]
    given = {
        "before": floats([before for *_, before, _ in drafts]),
        "after": floats([after for *_, after in drafts]),
    }
    found = optional(TRACK.value("moved", given))
    return tuple(
        TrackRow(what, *place, 0.0, before, before)
        if usd is not None and abs(usd) <= _ROUNDING * max(abs(before or 0.0), abs(after or 0.0))
        else TrackRow(what, *place, usd, before, after)
        for (what, place, before, after), usd in zip(drafts, found, strict=True)
    )
