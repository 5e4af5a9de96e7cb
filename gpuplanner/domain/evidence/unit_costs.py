"""Answers about what single things cost and who pays: runs, endpoints, teams and budgets, and two periods."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.audit import cost_result, energy, leak_claims
from gpuplanner.domain.audit.chargeback import NOBODYS, Charge, Charged, ChargePart, charges
from gpuplanner.domain.audit.spend.overflow import overflow_rate
from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost
from gpuplanner.domain.audit.unit_costs.retraining import Retraining, retraining_of
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.dispatch import served_by_model
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.evidence.trace import (
    JOBS,
    Trace,
    TraceColumn,
    TraceRow,
    column_of,
    figure,
    read,
    summed,
    titled,
)
from gpuplanner.domain.figures.changes import CHANGE, CONTRACT_CHANGE, PERIOD, WORKLOAD_CHANGE
from gpuplanner.domain.figures.chargeback import CHARGE, IDLE_SHARE
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, Figure, Subject
from gpuplanner.domain.figures.typed import amount, day, decimals, whole
from gpuplanner.domain.figures.unit_costs import (
    BUSINESS,
    ENDPOINT,
    EQUAL_TERMS,
    EXPERIMENT,
    MODEL_COST,
    MODEL_PART,
    PREMIUM,
    RETRAINING,
    RUN,
    TRAFFIC,
)
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, LONG_DAYS
from gpuplanner.lazy_dataclass import dataclass

# --- Answers about what single things cost: runs, models, endpoints with their tokens and premium, experiments

LOG: Final = worded("the job log")
ASSUMED_TOKENS: Final = worded("Assumes its sizing's traffic and tokens every week. A request log is better.")
WINDOW_DOLLARS: Final = TraceColumn("$", "usd")
OF_PAYERS: Final = (column_of(RUN["gpu_hours"]), column_of(EQUAL_TERMS["rate"]), WINDOW_DOLLARS)
"""Columns of who paid for a workload."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CostEvidence:
    """What the panel Cost stands on: the costs, who is charged what, and the past that they were worked out from."""

    unit: cost_result.UnitCosts
    variance: cost_result.Variance
    past: leak_claims.Past
    charged: Charged
    business: tuple[BusinessCost, ...] = ()

    @property
    def months(self) -> float:
        """Months of 730 h in the window."""
        return self.past.project.window.months

    def place_of(self, key: str) -> int:
        """The place of a workload in the project. Errors: StopIteration."""
        workloads = self.past.project.workloads
        return next(place for place, workload in enumerate(workloads) if workload.key == key)


WHY: Final = Answers[CostEvidence]()


def _of_log(asked: Figure, name: Text, value: float | None, key: str) -> Trace:
    """A figure that is read off the jobs of a workload."""
    opens = figure(JOBS, key)
    return read(titled(asked, name), value, asked.unit.key, LOG, opens=opens)


# Training runs


def _run(evidence: CostEvidence, subject: str) -> cost_result.RunCost:
    return next(run for run in evidence.unit.runs if run.subject == subject)


@WHY.explains(RUN, "mean_gpus")
def run_gpus(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """Mean GPUs of a run over its hours."""
    run = _run(evidence, subject)
    return Inputs(values={"gpu_hours": run.gpu_hours, "hours": run.hours}, name=subject, title=run.name)


@WHY.gives("run_hours")
def run_hours(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of a run."""
    run = _run(evidence, subject)
    return _of_log(RUN["gpu_hours"], run.name, run.gpu_hours, run.key)


@WHY.explains(RUN, "run_kwh", "run_kg_co2")
def run_energy(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """The kWh and the CO2 of a run."""
    run = _run(evidence, subject)
    workload = f"{energy.WORKLOAD}\t{run.key}"
    opens = {
        "workload_kwh_per_month": figure("energy_kwh", workload),
        "workload_kg_per_month": figure("energy_co2", workload),
    }
    return Inputs(
        values={**run.energy, "gpu_hours": run.gpu_hours}, name=subject, title=run.name, opens=opens
    )


@WHY.sums_of(
    RUN["cost"],
    worded("Cost = Σ over its cluster's contracts (served GPU-hours × rate)"),
    OF_PAYERS,
    2,
    note=worded("Hourly, workloads share contracts by GPU model and time, without idle GPUs."),
)
def run_usd(evidence: CostEvidence, scope: str, subject: str) -> Listed:
    """$ of a whole run, by the contracts that served it."""
    run, start_s = _run(evidence, subject), evidence.past.project.window.start_s
    span = range((run.start_s - start_s) // HOUR_S, (run.end_s - start_s) // HOUR_S)
    rows = [
        row for payers in (served_by, overflowed_to) for row in payers(evidence, run.key, run.cluster, span)
    ]
    return Listed(value=run.cost, rows=rows, name=run.name)


def served_by(evidence: CostEvidence, key: str, cluster: str, span: range) -> Iterator[TraceRow]:
    """Who served a workload in some hours: GPU-hours, rate and $ of each contract."""
    hours = _cluster(evidence, cluster)
    payers = [
        (contract.contract_id, contract.full_rate, served)
        for contract, served in zip(hours.contracts, served_by_model(hours).swapaxes(0, 1), strict=True)
    ]
    return _paid(evidence, key, hours, payers, span)


def overflowed_to(evidence: CostEvidence, key: str, cluster: str, span: range) -> Iterator[TraceRow]:
    """What of a workload overflowed in some hours: GPU-hours, rate and $ by GPU model."""
    hours = _cluster(evidence, cluster)
    payers = []
    for number, model in enumerate(hours.models):
        overflow = np.zeros_like(hours.served_demand)
        overflow[number] = hours.overflow[number]
        name = worded("{model} on demand", model=model or worded("unknown model"))
        payers.append((name, overflow_rate(hours, model, evidence.past.project), overflow))
    return _paid(evidence, key, hours, payers, span)


def _cluster(evidence: CostEvidence, cluster: str) -> ClusterHours:
    return next(hours for hours in evidence.past.clusters if hours.cluster == cluster)


def _paid(
    evidence: CostEvidence,
    key: str,
    hours: ClusterHours,
    payers: Sequence[tuple[Text, float | None, Ints]],
    span: range,
) -> Iterator[TraceRow]:
    """A workload's part, by GPU time of its GPU model in each hour, of what each payer paid for.

    payers: name, rate, and what it served of each model of the cluster, shape (models, hours).
    """
    each = [0.0] * len(payers)
    demand = hours.demand.sum(axis=1)
    for model, at, spent in evidence.past.project.cube.by_model_of(evidence.place_of(key)):
        number = hours.models.index(model)
        inside = (at >= span.start) & (at < span.stop)
        when = at[inside]
        part = spent[inside] / demand[number, when] / MILLI_GPU_SECONDS_PER_GPU_HOUR
        for place, (*_, served) in enumerate(payers):
            each[place] += float((served[number, when] * part).sum())
    for (name, rate, _), gpu_hours in zip(payers, each, strict=True):
        if gpu_hours:
            yield TraceRow(name, (gpu_hours, rate, None if rate is None else gpu_hours * rate))


# Models

OF_MODEL: Final = {
    MODEL_COST[key].why: MODEL_COST[key] for key in ("workloads", "gpu_hours", "cost_per_month")
}


def _model(evidence: CostEvidence, subject: str) -> cost_result.ModelCost:
    return next(row for row in evidence.unit.models if row.subject == subject)


@WHY.gives_each(OF_MODEL)
def of_model(asked: Figure, evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A figure of a model: the sum over its workloads."""
    model, figures = _model(evidence, subject), list(OF_MODEL.values())
    rows = []
    for part in model.parts:
        opens = figure(MODEL_PART["cost_per_month"].why, f"{subject}\t{part.key}")
        rows.append(TraceRow(part.key, (1, part.gpu_hours, part.cost_per_month), opens))
    return summed(
        titled(asked, model.model or worded("unknown model")),
        getattr(model, asked.key),
        asked.unit,
        worded("{name} = Σ over this model's workloads", name=asked.title),
        rows,
        [column_of(other) for other in figures],
        figures.index(asked),
    )


def _part(evidence: CostEvidence, subject: str) -> cost_result.ModelPart:
    """What one workload spent on a model. subject: source, model and key, with tabs between."""
    source, model, key = subject.split("\t", 2)
    return next(part for part in _model(evidence, f"{source}\t{model}").parts if part.key == key)


@WHY.gives("part_hours")
def part_hours(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of a workload."""
    part = _part(evidence, subject)
    return _of_log(MODEL_PART["gpu_hours"], part.key, part.gpu_hours, part.key)


@WHY.explains(MODEL_PART, "cost_per_month")
def part_usd(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """$ a month of a workload on a model: its cost, shared out by GPU time."""
    part = _part(evidence, subject)
    keys = ("gpu_hours", "workload_gpu_hours", "workload_cost_per_month")
    opens = {
        "workload_gpu_hours": figure(JOBS, part.key),
        "workload_cost_per_month": figure("workload_cost", part.key),
    }
    return Inputs(values={key: getattr(part, key) for key in keys}, name=subject, title=part.key, opens=opens)


# Endpoints


def _endpoint(evidence: CostEvidence, key: str) -> cost_result.EndpointCost:
    return next(row for row in evidence.unit.endpoints if row.key == key)


@WHY.sums_of(ENDPOINT["cost_per_month"], worded("Cost = Σ over hours of the week (GPU-hours × rate)"))
def endpoint_usd(evidence: CostEvidence, scope: str, key: str) -> Listed:
    """$ a month of an endpoint, by day of the week."""
    row = _endpoint(evidence, key)
    days = zip(LONG_DAYS, row.by_weekday_per_month, strict=True)
    return Listed(
        value=row.cost_per_month,
        rows=[TraceRow(day, (known_sum(week),)) for day, week in days],
        name=row.name,
    )


@WHY.explains(ENDPOINT, "inactive_per_month")
def endpoint_idle(evidence: CostEvidence, scope: str, key: str) -> Inputs:
    """$ a month of an endpoint while it had nothing to do."""
    row = _endpoint(evidence, key)
    values = {"cost_per_month": row.cost_per_month, "activity": row.activity}
    note = "" if row.inactive_per_month is not None else ENDPOINT["inactive_per_month"].unknown
    return Inputs(values=values, name=key, title=row.name, note=note)


@WHY.explains(TRAFFIC, "cost_per_million_tokens")
def endpoint_tokens(evidence: CostEvidence, scope: str, key: str) -> Inputs:
    """$ for a million tokens, in the time that traffic and window share."""
    row = _endpoint(evidence, key)
    keys = ("cost", "context_tokens", "generated_tokens")
    values = {name: None if row.tokens is None else getattr(row.tokens, name) for name in keys}
    note: Text = ASSUMED_TOKENS if row.tokens is not None and row.tokens.is_assumed else ""
    if row.tokens is None:
        note = worded("Traffic is unknown. Import it.")
    return Inputs(values=values, name=key, title=row.name, note=note)


@WHY.explains(PREMIUM, "premium_per_month")
def endpoint_premium(evidence: CostEvidence, scope: str, key: str) -> Inputs:
    """$ a month above the cheapest offer that fits, at equal terms."""
    row = _endpoint(evidence, key)
    premium = row.premium
    values = {
        "paid_in_window": premium.paid_in_window,
        "offer_in_window": premium.offer_in_window,
        "months": evidence.months,
    }
    offer = worded("the same at {offer}", offer=premium.offer_id or worded("no offer"))
    note = worded(
        "The cheapest fitting offer of equal or shorter term, without lead time. Per used GPU-hour: paid "
        "{paid}, offer {asks}.",
        paid=_usd(premium.paid_per_used),
        asks=_usd(premium.offer_per_used),
    )
    return Inputs(values=values, name=key, title=row.name, labels={"offer_in_window": offer}, note=note)


@WHY.gives_each({PREMIUM[key].why: PREMIUM[key] for key in ("paid_in_window", "offer_in_window")})
def of_premium(asked: Figure, evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """One side of a premium: GPU-hours at a rate and a utilization, by who served or would serve them."""
    row, is_paid, rows = _endpoint(evidence, subject), asked.key == "paid_in_window", []
    for part in evidence.past.equal_terms.get(evidence.place_of(subject), ()):
        if is_paid:
            values = (part.rate, part.utilization, part.paid_usd)
        else:
            values = (part.offer_rate, part.offer_utilization, part.offer_usd)
        rows.append(TraceRow(_part_name(part, is_paid), (part.gpu_hours, *values)))
    terms = (column_of(EQUAL_TERMS[name]) for name in ("served_gpu_hours", "rate", "utilization"))
    return summed(
        titled(asked, row.name),
        getattr(row.premium, asked.key),
        asked.unit.key,
        worded("{name} = Σ (GPU-hours × rate ÷ utilization)", name=asked.title),
        rows,
        (*terms, WINDOW_DOLLARS),
        3,
        said_as=worded("in the lookback period"),
    )


def _part_name(part: leak_claims.EqualTerms, is_paid: bool) -> Message:
    """GPU model and, at equal terms, the offer."""
    offer = None if is_paid or part.offer is None else part.offer.offer_id
    return joined((part.gpu_model or worded("unknown model"), *((", ", offer) if offer else ())))


def _usd(value: float | None) -> Text:
    return worded("an unknown rate") if value is None else joined((amount(value, 4),))


# Experiments


def _experiment(evidence: CostEvidence, key: str) -> cost_result.ExperimentCost:
    return next(row for row in evidence.unit.experiments if row.key == key)


@WHY.gives("experiment_jobs")
def experiment_jobs(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """How many jobs an experiment had."""
    row = _experiment(evidence, key)
    return _of_log(EXPERIMENT["jobs"], row.name, row.jobs, key)


@WHY.explains(EXPERIMENT, "cost_per_job")
def experiment_job_usd(evidence: CostEvidence, scope: str, key: str) -> Inputs:
    """$ for one job of an experiment."""
    row = _experiment(evidence, key)
    values = {"jobs": row.jobs, "cost_per_month": row.cost_per_month, "months": evidence.months}
    return Inputs(values=values, name=key, title=row.name)


@WHY.sums_of(EXPERIMENT["cost_per_month"], worded("Cost = Σ over the workload's trials"))
def experiment_usd(evidence: CostEvidence, scope: str, key: str) -> Listed:
    """$ a month of an experiment: of the workload that its trials are."""
    row = _experiment(evidence, key)
    of_workload = TraceRow(row.name, (row.cost_per_month,), figure("workload_cost", key))
    return Listed(value=row.cost_per_month, rows=(of_workload,), name=row.name)


# --- Answers about who pays and why it changed: teams and budgets, the business, runs again, and two periods

IN_THE_WINDOW: Final = worded("in the lookback period")
_PAYERS: Final = {"direct_in_window": served_by, "overflow_in_window": overflowed_to}
_OF_ROW: Final = ("direct_in_window", "idle_in_window", "overflow_in_window", "budget_per_month")


def _row(evidence: CostEvidence, scope: str, subject: str) -> Charge:
    """The row of a figure id. Errors: ValueError, StopIteration where there is none."""
    return charges(evidence.past.project, evidence.charged, cost_result.ChargeBy(scope)).row(subject)


@WHY.gives_each(
    {CHARGE[key].why: CHARGE[key] for key in ("direct_in_window", "idle_in_window", "overflow_in_window")}
)
def of_charge(asked: Figure, evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A sum over the workloads of a row; of one workload by the contracts that served it, or the GPU models of its
    overflow; of the idle GPUs of a team by cluster.
    """
    row, is_idle = _row(evidence, scope, subject), asked.key == "idle_in_window"
    words, columns = worded("{name} = \u03a3 over its workloads", name=asked.title), [WINDOW_DOLLARS]
    note: Text = joined((cost_result.shared_words(evidence.charged.rule), ".")) if is_idle else ""
    rows: list[TraceRow] = []
    if row.by is cost_result.ChargeBy.TEAM and is_idle and not row.is_all:
        rows = list(_shares(evidence, NOBODYS if row.is_nobodys else row.name or NOBODYS))
        words = worded("Shared idle = Σ (idle cost × weight) ÷ Σ weights")
        keys = ("shared_in_window", "held_gpu_hours", "all_held_gpu_hours")
        columns = [*(column_of(IDLE_SHARE[key]) for key in keys), WINDOW_DOLLARS]
    elif row.by is cost_result.ChargeBy.WORKLOAD and not is_idle and row.name is not None:
        (part,), span = row.parts, range(evidence.past.project.window.hours)
        rows = list(_PAYERS[asked.key](evidence, part.key, part.cluster, span))
        words, columns = worded("{name} = Σ (GPU-hours × rate)", name=asked.title), [*OF_PAYERS]
        note = worded("Hourly, a cluster's workloads of a GPU model share its contracts by GPU time.")
    else:
        for part in row.parts:
            opens = _opened(row, part, asked.why)
            rows.append(TraceRow(part.key or _unborne(part), (getattr(part, asked.key),), opens))
    title, value, at = titled(asked, row.called), getattr(row, asked.key), len(columns) - 1
    return summed(title, value, asked.unit.key, words, rows, columns, at, said_as=IN_THE_WINDOW, note=note)


def _unborne(part: ChargePart) -> Message:
    return worded("Idle GPUs of {cluster}", cluster=part.cluster or worded("no cluster"))


def _opened(row: Charge, part: ChargePart, why: str) -> str:
    """The same figure of the workload alone; nothing where the row is that workload."""
    if not part.key or (row.by is cost_result.ChargeBy.WORKLOAD and not row.is_all):
        return ""
    return figure(why, f"={part.key}", cost_result.ChargeBy.WORKLOAD)


def _shares(evidence: CostEvidence, team: str) -> Iterator[TraceRow]:
    """A row for each cluster that a team bears idle GPUs of, and for its own contracts there."""
    for row in evidence.charged.shares:
        if row.team == team:
            # of an owner, or of a cluster without jobs: all of it
            is_whole, amounts = row.held == row.all_held == 1, (row.held, row.all_held)
            held = [None if is_whole else amount / MILLI_GPU_SECONDS_PER_GPU_HOUR for amount in amounts]
            name = (
                row.cluster or worded("no cluster")
                if row.owner is None
                else worded("{cluster}, its own contracts", cluster=row.cluster)
            )
            yield TraceRow(name, (row.shared_in_window, *held, row.idle_in_window))


@WHY.sums_of(
    CHARGE["gpu_hours"],
    worded("{name} = \u03a3 over its workloads", name=CHARGE["gpu_hours"].title),
    (column_of(CHARGE["gpu_hours"]),),
    said_as=IN_THE_WINDOW,
)
def charge_hours(evidence: CostEvidence, scope: str, subject: str) -> Listed:
    """GPU-hours of a row: of its workloads, whose jobs a log lists."""
    row = _row(evidence, scope, subject)
    rows = [TraceRow(part.key, (part.gpu_hours,), figure(JOBS, part.key)) for part in row.parts if part.key]
    return Listed(value=row.gpu_hours, rows=rows, name=row.called)


@WHY.explains(CHARGE, "total_in_window", "budget_in_window", "left_in_window")
def charge_row(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """What figures of a row are worked out from that stand on others of it."""
    row = _row(evidence, scope, subject)
    values = {**{name: getattr(row, name) for name in _OF_ROW}, "months": evidence.months}
    return Inputs(values=values, name=subject, title=row.called, scope=scope)


# Spend beside the business


def _business(evidence: CostEvidence, subject: str) -> BusinessCost:
    return next(row for row in evidence.business if row.subject == subject)


def _month_of(row: BusinessCost) -> Message:
    return worded("{name}, {month}", name=row.name, month=row.month)


@WHY.gives("business_usd")
def business_usd(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """What was spent in the hours of a month that the window has; of month 12 what the plan costs in it."""
    row = _business(evidence, subject)
    if row.is_planned:
        source: Text = worded("the plan's cost in month 12, see Today to plan")
    else:
        source = worded(
            "the audit: {hours} hours of the month, contracts and overflow", hours=whole(row.hours)
        )
    return read(_month_of(row), row.business_cost, "usd", source, words=BUSINESS["business_cost"].title)


@WHY.gives("business_unserved")
def business_unserved(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of month 12 that the plan serves nobody with."""
    row = _business(evidence, subject)
    source = worded("plan month 12: unserved demand, in no amount of the plan")
    note = worded("Checks gives the reason. The spend excludes serving them.")
    words = BUSINESS["unserved"].title
    return read(_month_of(row), row.unserved, "gpu_hours", source, words=words, note=note)


@WHY.explains(BUSINESS, "cost_each")
def business_each(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """Spend over the count of the same hours."""
    row = _business(evidence, subject)
    values = {"value": row.value, "counted_share": row.counted_share, "business_cost": row.business_cost}
    return Inputs(values=values, name=subject, title=_month_of(row), note=_held(row))


def _held(row: BusinessCost) -> Text:
    if not row.is_planned:
        return worded("The count is spread evenly over the month.")
    if row.held_from == row.month:
        return worded("Month 12 of the plan (730 h), at its count.")
    return worded("Month 12 of the plan (730 h), at the count of {month}.", month=row.held_from)


# Workloads that are run again

MOST_GAPS = 24
"""Gaps that are named one by one."""


def _retraining(evidence: CostEvidence, key: str) -> Retraining:
    rows = retraining_of(evidence.unit.runs, evidence.past.project.window)
    return next(row for row in rows if row.key == key)


@WHY.gives("retrain_runs")
def retrain_runs(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """A workload's runs, each with its GPU-hours and what it cost."""
    row, cost = _retraining(evidence, key), RUN["cost"]
    runs = sorted((run for run in evidence.unit.runs if run.key == key), key=lambda run: run.start_s)
    rows = []
    for run in runs:
        opens = figure(cost.why, run.subject)
        rows.append(TraceRow(joined((day(run.start_s),)), (1, run.gpu_hours, run.cost), opens))
    hours = decimals(evidence.unit.run_gap_hours, 0)
    words = worded("Its runs, each ended by {hours} h without GPU time", hours=hours)
    shown = (RETRAINING["runs"], RUN["gpu_hours"], cost)
    columns = [TraceColumn(asked.short or asked.title, asked.unit.key) for asked in shown]
    return summed(worded("Runs of {name}", name=row.name), row.runs, "count", words, rows, columns)


@WHY.gives("retrain_days")
def retrain_days(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """The middle of the gaps between the starts of a workload's runs."""
    row = _retraining(evidence, key)
    named = joined([ENGLISH.one_decimal(gap) for gap in sorted(row.gaps_days)[:MOST_GAPS]], ", ")
    count = len(row.gaps_days)
    note = (
        worded("Gaps in days, shortest first: {gaps}.", gaps=named)
        if count
        else RETRAINING["days_between"].unknown
    )
    more = worded("And {count} longer ones.", count=whole(count - MOST_GAPS)) if count > MOST_GAPS else ""
    return read(
        worded("Days between starts of {name}", name=row.name),
        row.days_between,
        "decimal",
        worded(
            "{count} gaps between starts; a run ends after {hours} h without GPU time",
            count=whole(count),
            hours=decimals(evidence.unit.run_gap_hours, 0),
        ),
        words=worded("Half the gaps between starts are shorter."),
        note=joined(filter(None, (note, more)), " "),
    )


@WHY.explains(RETRAINING, "cost_per_run")
def retrain_row(evidence: CostEvidence, scope: str, workload: str) -> Inputs:
    """What figures of a workload's runs are worked out from."""
    row = _retraining(evidence, workload)
    values = {"runs": row.runs, "runs_cost": row.runs_cost, "days_between": row.days_between}
    return Inputs(values=values, name=workload, title=row.name)


# What changed between two periods

CHANGE_WORDS = {
    "volume": worded("Volume = Σ over workloads (added GPU-hours × earlier cost per used GPU-hour)"),
    "efficiency": worded("Efficiency = later use × change in (paid ÷ used) × earlier rate, per contract"),
    "price": worded("Price = later paid GPU-hours × rate change, per contract"),
}


def _of(subject: Subject, scope: str) -> Figure:
    """The figure of a subject that a scope asks for. Errors: StopIteration."""
    return next(asked for asked in subject.figures if asked.why and asked.why_scope == scope)


@WHY.gives("changed")
def changed(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A cell of what changed. scope: before, volume, efficiency, price or after; subject: a cluster ("": all)."""
    variance, asked = evidence.variance, _of(CHANGE, scope)
    if not subject:
        rows = [
            TraceRow(row.cluster, (getattr(row, asked.key),), figure("changed", row.cluster, scope))
            for row in variance.clusters
        ]
        title = worded("{scope}, all clusters", scope=asked.title)
        words = worded("{scope} = \u03a3 over clusters", scope=asked.title)
        return summed(title, getattr(variance, asked.key), asked.unit, words, rows)
    cluster = next(row for row in variance.clusters if row.cluster == subject)
    if scope in ("before", "after"):
        return _period(evidence, cluster, scope)
    title = worded("{words}, {subject}", words=asked.title, subject=subject)
    value, words = getattr(cluster, asked.key), CHANGE_WORDS[scope]
    if scope == "volume":
        rows = []
        for part in cluster.workloads:
            opens = figure("volume_usd", part.key, subject)
            rows.append(TraceRow(part.key, (part.gpu_hours_per_month, part.volume_per_month), opens))
        heading = WORKLOAD_CHANGE["volume_per_month"].heading("\n", is_short=True)
        columns = (column_of(WORKLOAD_CHANGE["gpu_hours_per_month"]), TraceColumn(heading, asked.unit.key))
        return summed(title, value, asked.unit, words, rows, columns, 1, note=cluster.note)
    rows = [
        TraceRow(of.contract_id, (getattr(of, asked.key),), figure("contract_change", of.contract_id, scope))
        for of in cluster.contracts
    ]
    return summed(title, value, asked.unit, words, rows, note=cluster.note)


def _period(evidence: CostEvidence, cluster: cost_result.ClusterVariance, scope: str) -> Trace:
    """What a cluster was paid a month in one of the two periods. scope: before or after."""
    is_before, variance = scope == "before", evidence.variance
    cost, period = (cluster.before, variance.before) if is_before else (cluster.after, variance.after)
    values = {
        "paid_cost": cost.paid_cost,
        "hours": float(period.hours),
        "hours_per_month": float(HOURS_PER_MONTH),
    }
    words = worded(" before") if is_before else worded(" after")
    row = Inputs(values=values, name=cluster.cluster, scope=scope, scope_words=words)
    return explained(PERIOD, "cost_per_month", row)


@WHY.explains(WORKLOAD_CHANGE, "gpu_hours_per_month", "volume_per_month")
def volume_part(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """A workload's part of the volume. scope: its cluster. Errors: StopIteration where it has none."""
    clusters = [row for row in evidence.variance.clusters if row.cluster == scope]
    part = next(part for row in clusters for part in row.workloads if part.key == subject)
    names = ("used_before", "used_after", "used_rate")
    opens = dict.fromkeys(names[:2], figure(JOBS, part.key))
    return Inputs(
        values={name: getattr(part, name) for name in names}, name=part.key, scope=scope, opens=opens
    )


@WHY.gives("contract_change")
def contract_change(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A contract's part of what changed. scope: idle, efficiency or price."""
    part = next(
        part for row in evidence.variance.clusters for part in row.contracts if part.contract_id == subject
    )
    asked = _of(CONTRACT_CHANGE, scope)
    values = {name: getattr(part, name) for name in asked.parameters}
    return explained(CONTRACT_CHANGE, asked.key, Inputs(values=values, name=subject))
