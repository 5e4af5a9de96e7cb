"""Unit costs: what each training run, model, experiment, endpoint, order and user cost."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit import cost_result, result, use_leaks
from gpuplanner.domain.audit.energy import EnergyRow
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.spend.on_demand_rates import eligible_rates
from gpuplanner.domain.audit.spend.total_spend import eligible_usd_by_hour
from gpuplanner.domain.audit.spend.workload_spend import usd_per_unit
from gpuplanner.domain.audit.utilization.demand_groups import group_of_row
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.model_names import model_in_name
from gpuplanner.domain.figures.figure import (
    MILLI_GPU_SECONDS_PER_GPU_HOUR,
    by_row,
    fields_of,
    floats,
    optional,
)
from gpuplanner.domain.figures.unit_costs import (
    BUSINESS,
    ENDPOINT,
    EXPERIMENT,
    MODEL_PART,
    RETRAINING,
    RUN,
    TRAFFIC,
)
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.places import NOTHING_CHOSEN, Traffic
from gpuplanner.domain.model.project import BusinessFigure, Project, month_bounds, month_of
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, HOURS_OF_WEEK, HOURS_PER_MONTH, Window, week_hour_of
from gpuplanner.domain.serving.load import load_of_week
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- The order of lists of costs: most expensive first, what nobody knows last, then by name -----

Item = TypeVar("Item")


def most_expensive_first(
    items: Iterable[Item], usd_and_name: Callable[[Item], tuple[float | None, str]]
) -> tuple[Item, ...]:
    """The items by what `usd_and_name` says of each.

    usd_and_name: $ (None: unknown) and a name that tells ties apart.

    >>> most_expensive_first([(None, "a"), (1.0, "b"), (2.0, "c")], lambda one: one)
    ((2.0, 'c'), (1.0, 'b'), (None, 'a'))
    """

    def order(item: Item) -> tuple[bool, float, str]:
        usd, name = usd_and_name(item)
        return usd is None, -(usd or 0.0), name

    return tuple(sorted(items, key=order))


# --- Costed hours: what some workloads' GPU time cost in each hour, in blocks that fit the processor's caches

ENTRIES_AT_ONCE = 500_000
"""A block ends with the workload that reaches it."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CostedHours:
    """Entries of whole workloads, by workload, then hour; one for each GPU model.

    Shapes: workload (workloads,), and starts, the place of its first entry; the others (entries,).
    value: the milli-GPU-seconds times what one is worth in its group and hour.
    """

    workload: Ints
    starts: Ints
    hour: Ints
    milli_gpu_seconds: Ints
    value: Floats


def costed_hours(
    cube: Cube, group_of_row: Ints, worth: Floats, chosen: npt.NDArray[np.bool_]
) -> Iterator[CostedHours]:
    """The entries of the chosen workloads. Shapes: group_of_row (rows,), worth (groups, hours), chosen (workloads,).

    Laws: every entry of a chosen workload comes once; a workload is never in two blocks.
    """
    rows = np.flatnonzero(chosen[cube.workload_index])
    sizes = (cube.offsets[1:] - cube.offsets[:-1])[rows]
    flat = worth.ravel()
    for block in _blocks(cube.workload_index[rows], sizes):
        of, count = rows[block], sizes[block]
        begins = np.cumsum(count) - count
        at: slice | Ints = slice(int(cube.offsets[of[0]]), int(cube.offsets[of[-1] + 1]))
        if of[-1] - of[0] >= len(of):  # rows of others lie between
            at = np.arange(int(count.sum())) + np.repeat(cube.offsets[of] - begins, count)
        hour, amount = cube.hour[at], cube.milli_gpu_seconds[at]
        value = np.take(flat, np.repeat(group_of_row[of] * cube.hours, count) + hour)
        value *= amount
        workload, first = np.unique(cube.workload_index[of], return_index=True)
        if len(workload) < len(of):  # several GPU models: their hours run side by side
            order = np.argsort(np.repeat(cube.workload_index[of] * cube.hours, count) + hour, kind="stable")
            hour, amount, value = hour[order], amount[order], value[order]
        yield CostedHours(
            workload=workload, starts=begins[first], hour=hour, milli_gpu_seconds=amount, value=value
        )


def _blocks(workload: Ints, sizes: Ints) -> Iterator[slice]:
    """Slices of rows that hold whole workloads and not many more than ENTRIES_AT_ONCE entries."""
    begin, ends = 0, np.cumsum(sizes)
    while begin < len(sizes):
        before = int(ends[begin - 1]) if begin else 0
        last = min(int(np.searchsorted(ends, before + ENTRIES_AT_ONCE)), len(sizes) - 1)
        stop = int(np.searchsorted(workload, workload[last], side="right"))
        yield slice(begin, stop)
        begin = stop


# --- Endpoints: what each inference workload cost, by hour of day and weekday, idle and busy, and for its tokens

HOURS_OF_DAY: Final = 24


def endpoint_costs(
    project: Project, block: CostedHours, premiums: Mapping[int, cost_result.PremiumCost]
) -> Iterator[cost_result.EndpointCost]:
    """The endpoints of a block; block.value: $. premiums: by place of the workload.

    Source: docs/formulas/unit-costs.md.
    """
    if not len(block.hour):
        return
    window = project.window
    starts, stops = block.starts, np.append(block.starts[1:], len(block.hour))
    week_hour = (week_hour_of(window.start_s) + block.hour) % HOURS_OF_WEEK
    number = np.repeat(np.arange(len(starts)), stops - starts)
    slot = number * HOURS_OF_WEEK + week_hour
    sums = np.bincount(slot, weights=block.value, minlength=len(starts) * HOURS_OF_WEEK)
    weekly = sums.reshape(len(starts), HOURS_OF_WEEK) / window.months
    places = block.workload.tolist()
    workloads = [project.workloads[place] for place in places]
    spans = [slice(start, stop) for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)]
    cost_per_month = floats([block.value[span].sum() / window.months for span in spans])
    activity = floats([workload.activity for workload in workloads])
    figures = ENDPOINT.worked_out({"cost_per_month": cost_per_month, "activity": activity})
    tokens = _token_costs(project, block, dict(zip((w.key for w in workloads), spans, strict=True)))
    for place, workload, week, row in zip(places, workloads, weekly, by_row(figures), strict=True):
        by_weekday = week.reshape(7, HOURS_OF_DAY)
        yield cost_result.EndpointCost(
            **_who(workload),
            gpu_hours=workload.gpu_hours,
            **fields_of(cost_result.EndpointCost, row),
            by_hour_per_month=tuple(optional(by_weekday.sum(axis=0))),
            by_weekday_per_month=tuple(tuple(optional(day)) for day in by_weekday),
            tokens=tokens.get(workload.key),
            premium=premiums[place],
        )


def _token_costs(
    project: Project, block: CostedHours, spans: Mapping[str, slice]
) -> dict[str, cost_result.TokenCost]:
    """Tokens and cost of the time that traffic and window share, by key; no row where they share none.

    Without a list of requests those of a week that the endpoint was sized for count, in every week of the window.
    An hour that is shared in part counts with that part of its cost; tokens of an hour cut by the window's edge
    cannot occur: the window is of whole hours.
    """
    window = project.window
    costs = []
    for key, span in spans.items():
        traffic = project.traffic.get(key) or _traffic_of_a_week(project, key)
        if traffic is None:
            continue
        start_s, end_s = max(traffic.start_s, window.start_s), min(traffic.end_s, window.end_s)
        if end_s <= start_s:
            continue
        begin = window.start_s + block.hour[span] * HOUR_S
        shared_s = np.clip(np.minimum(begin + HOUR_S, end_s) - np.maximum(begin, start_s), 0, None)
        inside = shared_s > 0
        cost = float((block.value[span][inside] * shared_s[inside] / HOUR_S).sum())
        within = [row for row in traffic.hours if window.start_s <= row[0] < window.end_s]
        context, generated = (sum(row[at] for row in within) for at in (1, 2))
        costs.append((key, start_s, end_s, context, generated, cost))
    figures = TRAFFIC.worked_out(
        {
            "cost": floats([cost for *_, cost in costs]),
            "context_tokens": floats([context for _, _, _, context, _, _ in costs]),
            "generated_tokens": floats([generated for *_, generated, _ in costs]),
        }
    )
    return {
        key: cost_result.TokenCost(
            start_s=start_s,
            end_s=end_s,
            is_assumed=key not in project.traffic,
            **fields_of(cost_result.TokenCost, row)
            | {"context_tokens": context, "generated_tokens": generated, "tokens": round(row["tokens"] or 0)},
        )
        for (key, start_s, end_s, context, generated, _), row in zip(costs, by_row(figures), strict=True)
    }


def _traffic_of_a_week(project: Project, key: str) -> Traffic | None:
    """What an endpoint was asked in the window if each week was that of its sizing, at the tokens that are assumed.

    None without such a week, or where it leaves an hour open.
    """
    choice = project.serving.get(key, NOTHING_CHOSEN)
    week = None if choice.rates else choice.week  # what is no language model has no tokens
    if week is None:
        return None
    window, assumptions = project.window, project.assumptions
    load = load_of_week(week, assumptions.serving_context_tokens, assumptions.serving_generated_tokens)
    each = (0.0, 0.0) if load is None else (load.context_tokens, load.generated_tokens)
    hours = []
    for at_s in range(window.start_s, window.end_s, HOUR_S):
        rate = week.rates_per_s[week_hour_of(at_s)]
        if rate is None:
            return None
        context, generated = (round(rate * HOUR_S * tokens) for tokens in each)
        hours.append((at_s, context, generated))
    return Traffic(start_s=window.start_s, end_s=window.end_s, hours=tuple(hours), source=week.source)


# --- Unit costs: what each training run, model, experiment and endpoint cost, from the audit's own hourly shares


# Training runs: the stretches of a training workload without a long gap, and what each of them cost.
def run_costs(
    project: Project, block: CostedHours, energy: Sequence[EnergyRow]
) -> Iterator[cost_result.RunCost]:
    """The runs of a block's workloads, in their order, then by time. block.value: $. energy: of all workloads, empty
    where the audit has none.

    A run ends where the workload has no GPU time for more hours than the assumption says; it begins and ends
    with the whole hours of its GPU time. Source: docs/formulas/unit-costs.md.
    """
    if not len(block.hour):
        return
    idle = np.diff(block.hour, prepend=0) - 1
    is_new = idle > project.assumptions.run_gap_hours
    is_new[block.starts] = True
    starts = np.flatnonzero(is_new)
    workload = block.workload[np.searchsorted(block.starts, starts, side="right") - 1]
    last = np.append(starts[1:], len(block.hour)) - 1
    spent = np.add.reduceat(block.milli_gpu_seconds, starts)
    drew = [energy[place] if energy else None for place in workload.tolist()]
    taken = {
        "workload_kwh_per_month": floats([row and row.kwh_per_month for row in drew]),
        "workload_kg_per_month": floats([row and row.kg_co2_per_month for row in drew]),
        "workload_gpu_hours": floats([project.workloads[place].gpu_hours for place in workload.tolist()]),
        "months": np.full(len(starts), project.window.months),
    }
    figures = RUN.worked_out(
        {
            "gpu_hours": spent / MILLI_GPU_SECONDS_PER_GPU_HOUR,
            "hours": (block.hour[last] + 1 - block.hour[starts]).astype(np.float64),
            "cost": np.add.reduceat(block.value, starts),
            **taken,
        }
    )
    for place, of_energy, first_hour, last_hour, row in zip(
        workload.tolist(),
        by_row(taken),
        block.hour[starts].tolist(),
        block.hour[last].tolist(),
        by_row(figures),
        strict=True,
    ):
        yield cost_result.RunCost(
            **_who(project.workloads[place]),
            start_s=project.window.start_s + first_hour * HOUR_S,
            end_s=project.window.start_s + (last_hour + 1) * HOUR_S,
            energy=of_energy,
            **fields_of(cost_result.RunCost, row),
        )


def _who(workload: Workload) -> dict[str, Any]:
    """What tells whose cost it is: fields of runs, endpoints and experiments."""
    return {field: getattr(workload, field) for field in ("key", "name", "cluster", "owner")}


# Models: what each cost, by the model that jobs name, else by a known word in their name, else unknown.
FROM_LOG, FROM_NAME, UNKNOWN = "log", "name", "unknown"


def model_costs(project: Project, costs: Sequence[float | None]) -> tuple[cost_result.ModelCost, ...]:
    """One row a model; a workload that serves several is shared out by their GPU time. costs: per month, by workload.

    Laws: the rows add up to all workloads' cost and GPU-hours. Models are told apart without regard to case.
    """
    shares = [
        (workload, cost, *share)
        for workload, cost in zip(project.workloads, costs, strict=True)
        for share in model_shares(workload)
    ]
    figures = MODEL_PART.worked_out(
        {
            "gpu_hours": floats([spent / MILLI_GPU_SECONDS_PER_GPU_HOUR for *_, spent in shares]),
            "workload_gpu_hours": floats([workload.gpu_hours for workload, *_ in shares]),
            "workload_cost_per_month": floats([cost for _, cost, *_ in shares]),
        }
    )
    parts: dict[tuple[str, str], list[cost_result.ModelPart]] = {}
    spelling: dict[tuple[str, str], tuple[int, str]] = {}
    for (workload, _, model, source, spent), row in zip(shares, by_row(figures), strict=True):
        place = (source, model.casefold())
        part = cost_result.ModelPart(key=workload.key, **fields_of(cost_result.ModelPart, row))
        parts.setdefault(place, []).append(part)
        spelling[place] = max(spelling.get(place, (0, model)), (spent, model))
    return most_expensive_first(
        [
            cost_result.ModelCost(
                model=spelling[place][1] or None,
                source=place[0],
                gpu_hours=sum(part.gpu_hours for part in of_model),
                cost_per_month=known_sum([part.cost_per_month for part in of_model]),
                parts=most_expensive_first(of_model, lambda part: (part.cost_per_month, part.key)),
            )
            for place, of_model in parts.items()
        ],
        lambda row: (row.cost_per_month, row.model or "\U0010ffff"),
    )


def model_shares(workload: Workload) -> Iterator[tuple[str, str, int]]:
    """Model, source and milli-GPU-seconds; they add up to the workload's."""
    if not workload.milli_gpu_seconds:
        return
    rest = workload.milli_gpu_seconds
    for model, spent in workload.model_time:
        rest -= spent
        yield model, FROM_LOG, spent
    if rest > 0:
        named = model_in_name(workload.sample_name or workload.name)
        yield named or "", FROM_NAME if named else UNKNOWN, rest


EXPERIMENT_SUBTYPES: Final = ("sweep", "hyperparameter search")
_EXPERIMENT_WORDS: Final = lazy_re(
    r"(?<![a-z])(?:sweeps?|hpo|optuna|hyper-?opt|hyper-?param\w*|ray-?tune|grid-?search|ablations?|trials?)(?![a-z])"
)


def past_of(project: Project, audit: result.Audit) -> Past:
    """What the audit looked at, from its answer: classes and $ are the audit's, the serving is done again."""
    classes = [row.classification.pool for row in audit.workloads]
    return Past(
        project=project,
        classifications=tuple(row.classification for row in audit.workloads),
        clusters=dispatch_window(project, classes),
        workload_usd_per_month=tuple(row.usd_per_month for row in audit.workloads),
        rates=eligible_rates(project, classes),
        workload_energy=audit.energy.workloads,
    )


def runs_of(past: Past, worth: Floats | None = None) -> list[cost_result.RunCost]:
    """The runs of all training workloads. worth: as `usd_per_unit` has it, where it is known already."""
    project = past.project
    worth = usd_per_unit(project, past.clusters) if worth is None else worth
    trains = np.array([c.pool is Pool.TRAINING for c in past.classifications], dtype=np.bool_)
    blocks = costed_hours(project.cube, group_of_row(project, past.clusters), worth, trains)
    return [run for block in blocks for run in run_costs(project, block, past.workload_energy)]


def unit_costs(past: Past) -> cost_result.UnitCosts:
    """All unit costs. Laws: a workload's runs add up to it, and it to its class; models add up to all workloads.

    Source: docs/formulas/unit-costs.md.
    """
    project = past.project
    pools = [classification.pool for classification in past.classifications]
    worth, of_row = usd_per_unit(project, past.clusters), group_of_row(project, past.clusters)
    runs = runs_of(past, worth)
    endpoints: list[cost_result.EndpointCost] = []
    serves = np.array([pool is Pool.INFERENCE for pool in pools], dtype=np.bool_)
    premiums = use_leaks.premium_costs(past)
    for block in costed_hours(project.cube, of_row, worth, serves):
        endpoints += endpoint_costs(project, block, premiums)
    return cost_result.UnitCosts(
        run_gap_hours=project.assumptions.run_gap_hours,
        runs=most_expensive_first(runs, lambda run: (run.cost, f"{run.key} {run.start_s:012}")),
        models=model_costs(project, past.workload_usd_per_month),
        endpoints=most_expensive_first(endpoints, lambda endpoint: (endpoint.cost_per_month, endpoint.key)),
        experiments=_experiments(project, past.classifications, past.workload_usd_per_month),
        premium=use_leaks.premium_of(past),
    )


def is_experiment(name: str, classification: Classification) -> bool:
    """A sweep or a search, by its subtype or by a word in its name; never what serves.

    name: of the workload; whole words alone count.
    """
    if classification.pool is Pool.INFERENCE:
        return False
    return str(classification.subtype) in EXPERIMENT_SUBTYPES or _EXPERIMENT_WORDS.search(name) is not None


def _experiments(
    project: Project, classifications: Sequence[Classification], costs: Sequence[float | None]
) -> tuple[cost_result.ExperimentCost, ...]:
    """Sweeps and searches that ran on GPUs, most expensive first."""
    experiments = [
        (workload, cost)
        for workload, classification, cost in zip(project.workloads, classifications, costs, strict=True)
        if workload.milli_gpu_seconds and is_experiment(workload.name, classification)
    ]
    figures = EXPERIMENT.worked_out(
        {
            "jobs": floats([workload.gpu_jobs for workload, _ in experiments]),
            "cost_per_month": floats([cost for _, cost in experiments]),
            "months": np.full(len(experiments), project.window.months),
        }
    )
    rows = [
        cost_result.ExperimentCost(
            **_who(workload),
            start_s=workload.first_start_s,
            end_s=workload.last_end_s,
            gpu_hours=workload.gpu_hours,
            **fields_of(cost_result.ExperimentCost, row) | {"jobs": workload.gpu_jobs},
        )
        for (workload, _), row in zip(experiments, by_row(figures), strict=True)
    ]
    return most_expensive_first(rows, lambda cost: (cost.cost_per_month, cost.key))


# --- How often training workloads are run again: the middle of the gaps between the starts of their runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Retraining:
    """One training workload. gaps_days: between starts in the window, in their order; days_between: the middle of them.

    A run that was on as the window began has no known start. Money: $ of the window; None: unknown.
    """

    key: str
    name: str
    cluster: str
    gaps_days: tuple[float, ...]
    runs: float
    days_between: float | None
    runs_cost: float | None
    cost_per_run: float | None


def retraining_of(runs: Sequence[cost_result.RunCost], window: Window) -> tuple[Retraining, ...]:
    """A row for each workload that has runs, most expensive first. Source: docs/formulas/unit-costs.md."""
    rows = [_row(of_key, window) for of_key in grouped((run.key, run) for run in runs).values()]
    return most_expensive_first(rows, lambda row: (row.runs_cost, row.key))


def _row(runs: Sequence[cost_result.RunCost], window: Window) -> Retraining:
    starts = sorted(run.start_s for run in runs if run.start_s > window.start_s)
    gaps = tuple((after - before) / DAY_S for before, after in pairwise(starts))
    given = {
        "runs": float(len(runs)),
        "days_between": median(gaps) if gaps else None,
        "runs_cost": known_sum(run.cost for run in runs),
    }
    first = runs[0]
    figures: Mapping[str, Any] = RETRAINING.row(given)
    return Retraining(key=first.key, name=first.name, cluster=first.cluster, gaps_days=gaps, **figures)


# --- What one order or user costs: spend beside business figures, by month of the log and in the plan's month 12

NO_HOUR: Final = worded("The log has no hour of this month.")
NEEDS_RATE: Final = worded("A contract or the overflow has no rate.")
NO_WORKLOAD: Final = worded("No workload or model of the log has this key or name.")
NO_PLAN_COST: Final = worded("Plan cost in month 12 unknown.")


class PlanMonth(NamedTuple):
    """The twelfth month of a plan: its first second, what the plan costs in it (None: unknown), and GPU-hours of its
    demand that nobody serves."""

    start_s: int
    plan_usd: float | None
    unserved_gpu_hours: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BusinessCost:
    """One figure of the business in one month. Figures: domain/figures/unit_costs.py.

    month: 2026-08; held_from: of month 12 the month whose count it has, "" for a month of the log. hours: of the
    window that are counted. Money None: unknown, and then `unknown` says why. unserved: GPU-hours that the plan leaves
    to nobody, which business_cost has not; None of a month of the log. key: of the workload or model whose cost it is,
    "": all spend; each_growth: of cost_each since the month before in the list, as a ratio.
    """

    name: str
    month: str
    held_from: str
    hours: int
    value: float
    counted_share: float
    business_cost: float | None
    unserved: float | None
    counted_value: float | None
    cost_each: float | None
    unknown: Text = ""
    key: str = ""
    each_growth: float | None = None

    @property
    def is_planned(self) -> bool:
        """Whether it is of month 12 of the plan."""
        return bool(self.held_from)

    @property
    def subject(self) -> str:
        """What tells it from all others, in ids of figures."""
        return "\t".join((self.name, self.month, self.held_from, *([self.key] if self.key else [])))


Spend = Mapping[str, Floats | None]
"""$ in each hour of the window by name of a workload or model, "" of all; (hours,); None where a rate is missing."""


def spend_by_hour(past: Past) -> Spend:
    """What is paid and overflows, and what each workload or model costs that a business figure is of."""
    project = past.project
    usd_by_hour: dict[str, Any] = {"": eligible_usd_by_hour(past.clusters, past.rates)}
    of = {figure.key for figure in project.business if figure.key}
    shares = [_shares_by_name(workload) for workload in project.workloads]
    chosen = np.array([not of.isdisjoint(share) for share in shares], dtype=np.bool_)
    if chosen.any():
        worth, groups = usd_per_unit(project, past.clusters), group_of_row(project, past.clusters)
        for block in costed_hours(project.cube, groups, worth, chosen):
            stops = [*block.starts[1:].tolist(), len(block.hour)]
            for place, start, stop in zip(block.workload.tolist(), block.starts.tolist(), stops, strict=True):
                usd = np.bincount(block.hour[start:stop], block.value[start:stop], project.window.hours)
                for name in of & shares[place].keys():
                    usd_by_hour[name] = usd * shares[place][name] + usd_by_hour.get(name, 0.0)
    return {name: None if usd is None or np.isnan(usd).any() else usd for name, usd in usd_by_hour.items()}


def _shares_by_name(workload: Workload) -> dict[str, float]:
    """What share of a workload's cost a business figure is of, by its name: its own, or of a model that it serves."""
    models = {
        model: spent / workload.milli_gpu_seconds for model, _, spent in model_shares(workload) if model
    }
    return models | dict.fromkeys((workload.key, workload.name), 1.0)


def business_costs(
    project: Project, usd_by_hour: Spend, month_12: PlanMonth | None = None
) -> tuple[BusinessCost, ...]:
    """Each figure by month, and last what it comes to in month 12 of a plan (None: no plan is looked at).

    Of a month that the window has only hours of, as much of the count is taken as these hours are of it. Month 12 has
    the count of its own month, where one is given, else that of the last month given.
    Source: docs/formulas/unit-costs.md, Cost of the business.
    """
    costs = []
    for (_, key), figures in groupby(project.business, lambda figure: (figure.name, figure.key)):
        by_month = {figure.month: figure for figure in figures}
        spent, why = usd_by_hour.get(key), NEEDS_RATE if key in usd_by_hour else NO_WORKLOAD
        listed = [_of_log(figure, project.window, spent, why) for figure in by_month.values()]
        if month_12 is not None and not key:
            listed.append(_of_plan(by_month, month_12))
        costs += listed[:1]
        costs += (
            replace(after, each_growth=cost_growth(before, after)) for before, after in pairwise(listed)
        )
    return tuple(costs)


def cost_growth(before: BusinessCost, after: BusinessCost) -> float | None:
    """By how much one costs more than a month before, as a ratio; None where either is unknown."""
    return (
        after.cost_each / before.cost_each - 1 if before.cost_each and after.cost_each is not None else None
    )


def _of_log(figure: BusinessFigure, window: Window, usd_by_hour: Floats | None, why: Text) -> BusinessCost:
    """One month beside the hours of it that the window has. why: $ are unknown, where they are."""
    begin_s, end_s = month_bounds(figure.month)
    first = max(0, (begin_s - window.start_s) // HOUR_S)
    last = min(window.hours, (end_s - window.start_s) // HOUR_S)
    hours = max(0, last - first)
    cost = None if usd_by_hour is None or not hours else float(usd_by_hour[first:last].sum())
    unknown: Text = ""
    if not hours:
        unknown = NO_HOUR
    elif usd_by_hour is None:
        unknown = why
    given = _given(figure, hours * HOUR_S / (end_s - begin_s), cost, None)
    return BusinessCost(
        name=figure.name,
        month=figure.month,
        held_from="",
        hours=hours,
        unknown=unknown,
        key=figure.key,
        **given,
    )


def _of_plan(by_month: dict[str, BusinessFigure], month_12: PlanMonth) -> BusinessCost:
    """The plan's twelfth month of 730 h beside the count that is given for it, or the last one given."""
    month = month_of(month_12.start_s)
    figure = by_month.get(month) or by_month[max(by_month)]
    begin_s, end_s = month_bounds(figure.month)
    counted = HOURS_PER_MONTH * HOUR_S / (end_s - begin_s)
    unknown = NO_PLAN_COST if month_12.plan_usd is None else ""
    given = _given(figure, counted, month_12.plan_usd, month_12.unserved_gpu_hours)
    return BusinessCost(
        name=figure.name,
        month=month,
        held_from=figure.month,
        hours=int(HOURS_PER_MONTH),
        unknown=unknown,
        **given,
    )


def _given(
    figure: BusinessFigure, share: float, cost: float | None, unserved: float | None
) -> dict[str, Any]:
    """The figures of a row."""
    inputs = {"value": figure.value, "counted_share": share, "business_cost": cost, "unserved": unserved}
    return dict(BUSINESS.row(inputs))
