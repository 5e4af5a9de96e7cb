"""The plan against what came: planned, what moved it, what was paid, what is left of contracts, and why."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, product
from math import inf
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.unit_costs.cost_lists import most_expensive_first
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.audit.utilization.paid_contracts import paid_contracts
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import stopped, with_ends
from gpuplanner.domain.evaluation import Evaluation, advise_plan, audit_project, evaluate_audit
from gpuplanner.domain.figures.changes import BURN_DOWN, TRACK, TRACK_QUARTER, TRACK_WORKLOAD
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, by_row, floats, optional
from gpuplanner.domain.figures.typed import amount, day
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.amounts import grouped, known_sum, summed
from gpuplanner.domain.model.book.billed_part import BilledPart
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import Row, gpu_model_of
from gpuplanner.domain.model.book.renewal import has_notice_passed, with_renewal
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.domain.model.tables import Pool, Tables
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.track import holdings
from gpuplanner.domain.track.came import Came, LaterRates, PlanRates, Rates, came_in
from gpuplanner.domain.track.expected import (
    CostPlace,
    HourByHour,
    LoadCurve,
    Parts,
    add_to,
    by_place,
    expected,
    hindsight_usd,
    in_order,
    left_over,
    made_again,
    of_quarter,
    place_of,
    with_level,
)
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- The bill: what the audit of the later log says was paid and ran over, by pool and model -----


def bill(
    later: Project,
    audit: Audit,
    came: Came,
    left: Mapping[tuple[Row, holdings.Span], float],
    spans: Sequence[holdings.Span],
    rates: Rates,
) -> Parts:
    """Paid, contract by contract, billed use, and the audit's overflow at rates of use; $ of the window, None unknown.

    left: what the contracts leave over, by row and span, as `left_over` has it: the audit knows no pools, so its
    overflow and billed use are parted among those of a model as this is. Source: docs/formulas/backtest.md, Track.
    """
    contracts = {contract.contract_id: contract for contract in later.contracts}
    parts: Parts = {}
    for row in audit.contracts:
        contract = contracts[row.contract_id]
        if row.paid_gpu_hours:
            ran = [span.hours * span.share_of(contract.start_s, contract.end_s) for span in spans]
            for span, hours in zip(spans, ran, strict=True):
                share = hours / sum(ran)
                add_to(
                    parts,
                    span,
                    CostPlace(contract.pool, contract.gpu_model),
                    row.figures["paid_in_window"],
                    share,
                )
    is_known = all(cluster.overflow_gpu_hours is not None for cluster in audit.clusters)
    clusters = dispatch_window(later, [workload.classification.pool for workload in audit.workloads])
    for span in spans:
        first = (span.start_s - later.window.start_s) // HOUR_S
        inside = slice(first, first + (span.end_s - span.start_s) // HOUR_S)
        for model, gpu_hours in overflow_by_model(clusters, inside).items():
            for row_of, share in overflow_shares(model, came, left, span).items():
                rate = rates.of_use(row_of, span) if is_known else None
                add_to(parts, span, place_of(row_of), rate, gpu_hours * share)
        for part, gpu_hours in billed_in(clusters, inside):
            for row_of, share in overflow_shares(part.gpu_model, came, left, span).items():
                add_to(parts, span, place_of(row_of), part.rate, gpu_hours * share)
    return parts


def billed_in(clusters: Sequence[ClusterHours], inside: slice) -> Iterator[tuple[BilledPart, float]]:
    """Yield the use that bills state in some hours, with its GPU-hours."""
    for hours in clusters:
        for row, spent in zip(hours.contracts, hours.capacity[:, inside].sum(axis=1).tolist(), strict=True):
            if isinstance(row, BilledPart) and spent:
                yield row, spent / MILLI_GPU_SECONDS_PER_GPU_HOUR


def overflow_by_model(clusters: Sequence[ClusterHours], inside: slice) -> dict[str | None, float]:
    """GPU-hours that no contract served in some hours, by GPU model; None: unknown."""
    lost = (
        (model, amount / MILLI_GPU_SECONDS_PER_GPU_HOUR)
        for hours in clusters
        for model, amount in zip(hours.models, hours.overflow[:, inside].sum(axis=1).tolist(), strict=True)
        if amount
    )
    return summed(lost)


def overflow_shares(
    model: str | None, came: Came, left: Mapping[tuple[Row, holdings.Span], float], span: holdings.Span
) -> dict[Row, float]:
    """How the overflow of a model is parted among rows: as contracts leave it over, else as it came; adds up to 1."""
    unknown = {
        row: came.unserved_unknown.get((row, span), 0) / MILLI_GPU_SECONDS_PER_GPU_HOUR for row in came.rows
    }
    if model is None:
        by_row = unknown
    else:
        rows = [row for row in came.rows if gpu_model_of(row.name) == model]
        by_row = {row: max(left[row, span] - unknown[row], 0.0) for row in rows}
        if not sum(by_row.values()) > 0:
            by_row = {row: came.gpu_hours(row) for row in rows}
    if not sum(by_row.values()) > 0:
        by_row = {row: came.gpu_hours(row) for row in came.rows}
    whole = sum(by_row.values())
    return {row: amount / whole for row, amount in by_row.items() if amount > 0}


# --- Burn-down: of each contract what it commits over its life, what was used of it, and what is left to pay


@dataclass(frozen=True, slots=True)
class BurnDown:
    """One contract at the end of what was logged; figures by the keys of BURN_DOWN, with what they were worked out
    from; None is unknown.

    used_gpu_hours: in the hours logged, of the plan's log and of the later one. A contract without an end commits to
    nothing over its life. runs_out_s: epoch seconds. used_in: GPU-hours used in the plan's log and in the later one, of
    those that have it.
    """

    contract_id: str
    figures: Mapping[str, float | None] = field(hash=False)
    runs_out_s: int | None
    used_in: tuple[tuple[int, float | None], ...]


def burn_downs(contracts: Sequence[Contract], audits: Sequence[Audit], now_s: int) -> tuple[BurnDown, ...]:
    """Of contracts, sorted by id. audits: of windows that follow each other; now_s: when the last one ends.

    Source: docs/formulas/backtest.md, Track.
    """
    listed = sorted(contracts, key=lambda contract: contract.contract_id)
    used_in = _used(audits)
    rows: list[dict[str, float | None]] = [
        {
            "gpus": contract.gpus,
            "rate": contract.rate,
            "life_hours": _hours(contract.start_s, contract.end_s),
            "left_hours": _hours(max(now_s, contract.start_s), contract.end_s),
            "used_gpu_hours": known_sum(used for _, used in used_in.get(contract.contract_id, ())),
        }
        for contract in listed
    ]
    given = {key: floats([row[key] for row in rows]) for key in BURN_INPUTS}
    return tuple(
        BurnDown(contract.contract_id, row, contract.end_s, tuple(used_in.get(contract.contract_id, ())))
        for contract, row in zip(listed, by_row(BURN_DOWN.worked_out(given)), strict=True)
    )


BURN_INPUTS: Final = ("gpus", "rate", "life_hours", "left_hours", "used_gpu_hours")


def _used(audits: Sequence[Audit]) -> Mapping[str, list[tuple[int, float | None]]]:
    """GPU-hours used of each contract by id, with the place of each audit that has it."""
    rows = ((place, row) for place, audit in enumerate(audits) for row in audit.contracts)
    return grouped((row.contract_id, (place, row.used_gpu_hours)) for place, row in rows)


def _hours(start_s: int, end_s: int | None) -> float | None:
    """Between two instants, none below 0; None without an end."""
    return None if end_s is None else max(end_s - start_s, 0) / HOUR_S


# --- The plan against what came: planned, what moved it by pool and GPU model, and what was paid; to the cent

WHAT: Final = ("demand", "mix", "decision", "price", "rest")
"""What may have moved the cost of a plan, in the order in which it is told."""
DECIDED: Final = 1 + WHAT.index("decision")
"""The first step that is of what was signed, not of the plan's orders."""
_ROUNDING: Final = 1e-12
"""Of the $ that a difference is of: less is a digit of rounding, and nothing moved."""

IsCancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
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
    by_workload: tuple["WorkloadTrack", ...] = ()

    def moved(self, cause: str) -> float | None:
        """$ of one cause in all pools and models. Law: planned and the five of them add up to actual."""
        return known_sum(row.usd for row in self.rows if row.what == cause)


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
    that were given, else the plan's. has_contracts, has_prices: given or not. Source: docs/formulas/backtest.md, Track.
    """
    plan = holdings.saved_plan(evaluation)
    if has_contracts:
        later = replace(later, contracts=tuple(_kept(later, plan)))
    given = holdings.Holdings(paid_contracts(later)) if has_contracts else None
    held = given or plan.holdings
    dated = [at for schedule in plan.ground.outlined.schedules for at in schedule.moments]
    moments = chain(plan.holdings.moments, held.moments, dated)
    to_the_second = holdings.spans_of(later.window, plan.window, moments)
    by_hours = holdings.whole_hours(later.window, to_the_second, plan.window)
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
    quarters = holdings.quarters_of(later.window)
    unknown = dict.fromkeys(product(quarters, find_unpriced_places(plan, to_the_second)))
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
    actual = known_sum(steps[-1].values())
    hindsight = hindsight_usd(later, plan, as_it_came, held.contracts, after)
    if hindsight is not None and actual is not None:
        hindsight = min(hindsight, actual)  # it may also do what was done
    by_workload = _by_workload(came, as_planned, planned_hours, by_place(steps[0]))
    return Track(
        plan=evaluation.scenario,
        window=later.window,
        planned=known_sum(steps[0].values()),
        actual=actual,
        rows=compare_steps([by_place(parts) for parts in steps]),
        advice_now=advised.totals.plan,
        hindsight=hindsight,
        contracts=burn_downs(
            _with_ends(later, plan, has_contracts), (evaluation.audit, audit), later.window.end_s
        ),
        quarters=tuple(compare_quarter(steps, later.window, start_s) for start_s in quarters),
        notes=(*notes, *note_missing_facts(by_workload, as_planned, before, later.contracts)),
        by_workload=by_workload,
    )


def _kept(later: Project, plan: holdings.SavedPlan) -> Iterator[Contract]:
    """Contracts as they are given; one that the plan knows and that had renewed by its notice has the plan's end."""
    project, scenario = plan.evaluation.project, plan.ground.scenario
    planned = {contract.contract_id: contract for contract in with_ends(project, scenario)}
    begin_s, log_end_s = project.plan_window.end_s, project.window.end_s
    for contract in later.contracts:
        is_over = contract.end_s is not None and contract.end_s < later.window.end_s
        has_renewed = is_over and has_notice_passed(contract, begin_s, log_end_s)
        if (
            has_renewed
            and contract.contract_id in planned
            and contract.contract_id not in scenario.notice_given
        ):
            known = planned[contract.contract_id]
            yield replace(contract, end_s=known.end_s, bound_until_s=known.bound_until_s)
        else:
            yield contract


def _with_ends(later: Project, plan: holdings.SavedPlan, has_contracts: bool) -> list[Contract]:
    """Every contract with the end that it has by the end of the window: as in the plan where none are given; one whose
    notice has passed since has renewed."""
    scenario, now_s = plan.ground.scenario, later.window.end_s
    filed = {contract.contract_id: contract.end_s for contract in plan.evaluation.project.contracts}

    def end_of(contract: Contract) -> int | None:
        """One that runs on in the plan is bound until its first end."""
        runs_on = contract.end_s is None and filed.get(contract.contract_id) is not None
        return contract.bound_until_s if runs_on else contract.end_s

    planned = {c.contract_id: c for c in with_ends(plan.evaluation.project, scenario)}
    known = {} if has_contracts else planned
    dated = (c.ending(end_of(known.get(c.contract_id, c))) for c in later.contracts)
    in_plan = {name for name, c in planned.items() if name in filed and end_of(c) != filed[name]}
    as_they_are = {*scenario.notice_given, *in_plan}  # what renewed in the plan runs out where it does there
    renewed = (c if c.contract_id in as_they_are else with_renewal(c, now_s, now_s) for c in dated)
    return [stopped(contract, scenario) for contract in renewed]


def _alone(curve: LoadCurve, key: str) -> LoadCurve:
    """Of all that is planned one run."""
    runs = tuple(run for run in curve.plan.runs if run.key == key)
    return replace(curve, models=(), plan=replace(curve.plan, runs=runs))


def note_missing_facts(
    by_workload: Sequence["WorkloadTrack"], planned: LoadCurve, rates: Rates, contracts: Sequence[Contract]
) -> Iterator[Message]:
    """Runs of which nothing came under their names, and since when the use of contracts is known."""
    runs = {run.key for run in planned.plan.runs}
    for key in (row.key for row in by_workload if row.key in runs and not row.figures["came_gpu_hours"]):
        yield worded(
            "Planned run {run} did not happen. Its {usd} on demand are in Demand and Mix",
            run=key,
            usd=amount(known_sum(expected(_alone(planned, key), holdings.Holdings(()), rates).values())),
        )
    begins_s = planned.plan.evaluation.project.window.start_s
    if any(contract.is_committed and contract.start_s < begins_s for contract in contracts):
        yield worded("Contract use is known from {day}, the start of the plan's log", day=day(begins_s))


@dataclass(frozen=True, slots=True)
class WorkloadTrack:
    """GPU-hours of one workload that were planned and that came; figures by the keys of TRACK_WORKLOAD, of all of it
    and by GPU model."""

    key: str
    figures: Mapping[str, float | None] = field(hash=False)
    by_model: Mapping[str | None, Mapping[str, float | None]] = field(hash=False, default_factory=dict)


class _GpuHours(NamedTuple):
    """GPU-hours of a workload on one GPU model."""

    planned: float
    came: float


_NO_GPU_HOURS: Final = _GpuHours(planned=0.0, came=0.0)


def _by_key(spent: Floats, keys: Sequence[str], replaced: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    """Yield key and GPU-hours of each workload that has some. spent: GPU-hours, (workloads,), in the order of keys.

    replaced: keys of workloads that a plan ends -> the key of the work in their place.
    """
    for place in np.flatnonzero(spent).tolist():
        yield replaced.get(keys[place], keys[place]), float(spent[place])


def _by_workload(
    came: Came, curve: LoadCurve, planned_hours: Mapping[Row, float], usd: Mapping[CostPlace, float | None]
) -> tuple[WorkloadTrack, ...]:
    """Every workload of either log and every run, by how far off its GPU-hours are; workloads share what a row planned
    beside its runs by GPU time. What is planned in place of a workload is one with it.

    Their $ are at what the plan pays for a GPU-hour of their model. Source: docs/formulas/backtest.md, Track.
    """
    hours: dict[tuple[str, str | None], _GpuHours] = {}
    plan, beside = curve.plan, dict(planned_hours)
    replaced = find_replaced_workloads(plan)
    keys = tuple(workload.key for workload in plan.ground.project.workloads)
    for run in {run.key for run in plan.runs}:
        for row, planned in _alone(curve, run).gpu_hours().items():
            if planned > 0:
                beside[row] -= planned
                hours[run, gpu_model_of(row.name)] = _GpuHours(planned=planned, came=0.0)
    for row, users in plan.ground.plan.users.items():
        spent = users / MILLI_GPU_SECONDS_PER_GPU_HOUR
        scale = beside.get(row, 0.0) / float(spent.sum()) if users.any() else 1.0
        for key, gpu_hours in _by_key(spent, keys, replaced):
            place = (key, gpu_model_of(row.name))
            so_far = hours.get(place, _NO_GPU_HOURS)
            hours[place] = so_far._replace(planned=so_far.planned + gpu_hours * scale)
    for row, users in came.users.items():
        for key, gpu_hours in _by_key(users / MILLI_GPU_SECONDS_PER_GPU_HOUR, came.keys, replaced):
            place = (key, gpu_model_of(row.name))
            so_far = hours.get(place, _NO_GPU_HOURS)
            hours[place] = so_far._replace(came=so_far.came + gpu_hours)
    by_key: dict[str, dict[str | None, dict[str, float | None]]] = {}
    for (key, model), both in hours.items():
        of_model = sum(planned for row, planned in planned_hours.items() if gpu_model_of(row.name) == model)
        paid = known_sum(some for (_, of), some in usd.items() if of == model)
        rate = None if paid is None or not of_model else paid / of_model
        given = {"planned_gpu_hours": both.planned, "came_gpu_hours": both.came, "planned_rate": rate}
        by_key.setdefault(key, {})[model] = TRACK_WORKLOAD.row(given)
    added = ("planned_gpu_hours", "came_gpu_hours", "more")
    listed = [
        WorkloadTrack(key, {of: known_sum(part[of] for part in parts.values()) for of in added}, parts)
        for key, parts in by_key.items()
    ]
    return most_expensive_first(
        listed, lambda row: (None if (usd := row.figures["more"]) is None else abs(usd), row.key)
    )


def find_replaced_workloads(plan: holdings.SavedPlan) -> dict[str, str]:
    """Keys of workloads that a plan ends at once for what they need (*Plan what it needs*, which names it after them),
    and of the busy hours of that: each with the key of what stands in its place."""
    project, scenario, replaced = plan.evaluation.project, plan.ground.scenario, dict[str, str]()
    over = (
        key for key, spell in scenario.spells.items() if (spell.ends_s or inf) <= project.plan_window.end_s
    )
    names, owners = told_apart(project.workloads), {w.key: w.owner for w in project.workloads}
    for key in (key for key in over if key in names):
        works = (work for work in scenario.planned if work.length_hours is None and work.team == owners[key])
        if sized := [work.key for work in works if work.name.startswith(f"{names[key]}, ")]:
            replaced |= dict.fromkeys((key, *sized), min(sized, key=len))
    return replaced


def find_unpriced_places(plan: holdings.SavedPlan, spans: Sequence[holdings.Span]) -> set[CostPlace]:
    """Where what a plan costs is unknown: it holds by hand what nobody offers, or nobody has said what contracts
    serve."""
    if plan.evaluation.advice is not None and plan.evaluation.advice.asked_models:
        return {place_of(row) for row in plan.rows}
    months = {span.month for span in spans}
    return {place_of(row) for row, p in plan.rows.items() if any(map(p.listed.holds_unknown, months))}


def compare_quarter(steps: Sequence[Parts], window: Window, start_s: int) -> TrackQuarter:
    """What a quarter was planned to cost, what each cause moved in it, and what came of both."""
    usd = [of_quarter(parts, start_s) for parts in steps]
    moved = optional(TRACK.value("moved", {"before": floats(usd[:-1]), "after": floats(usd[1:])}))
    given = {"planned": usd[0], **dict(zip(WHAT, moved, strict=True))}
    end_s = min(holdings.quarter_start_s(start_s, 1), window.end_s)
    return TrackQuarter(max(start_s, window.start_s), end_s, TRACK_QUARTER.row(given, [*given, "actual"]))


def compare_steps(steps: Sequence[Mapping[CostPlace, float | None]]) -> tuple[TrackRow, ...]:
    """What each step moved, place by place: rows of every cause are of the same places."""
    places = sorted({place for parts in steps for place in parts}, key=in_order)
    drafts = [
        (cause, place, before.get(place, 0.0), after.get(place, 0.0))
        for cause, (before, after) in zip(WHAT, pairwise(steps), strict=True)
        for place in places
    ]
    usd_before, usd_after = floats([usd for *_, usd, _ in drafts]), floats([usd for *_, usd in drafts])
    moved = optional(TRACK.value("moved", {"before": usd_before, "after": usd_after}))
    rows = []
    for (cause, (pool, gpu_model), before, after), usd in zip(drafts, moved, strict=True):
        is_rounding = usd is not None and abs(usd) <= _ROUNDING * max(abs(before or 0.0), abs(after or 0.0))
        rows.append(
            TrackRow(
                what=cause,
                pool=pool,
                gpu_model=gpu_model,
                usd=0.0 if is_rounding else usd,
                before=before,
                after=before if is_rounding else after,
            )
        )
    return tuple(rows)
