"""Answers about what single things cost: runs, models, endpoints with their tokens and premium, experiments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.audit import cost_result
from gpuplanner.domain.audit.chargeback import Charged
from gpuplanner.domain.audit.energy import WORKLOAD
from gpuplanner.domain.audit.evidence import trace
from gpuplanner.domain.audit.evidence.answering import Answers, Inputs, Listed
from gpuplanner.domain.audit.leak_claims import EqualTerms, Past
from gpuplanner.domain.audit.spend import overflow_rate
from gpuplanner.domain.audit.unit_costs import BusinessCost
from gpuplanner.domain.audit.utilization import ClusterHours, served_by_model
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, Figure
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.figures.unit_costs import (
    ENDPOINT,
    EQUAL_TERMS,
    EXPERIMENT,
    MODEL_COST,
    MODEL_PART,
    PREMIUM,
    RUN,
    TRAFFIC,
)
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.window import HOUR_S, LONG_DAYS

LOG: Final = worded("the job log")
ASSUMED_TOKENS: Final = worded(
    "Every week of the window is taken to ask what the week of its sizing does, at the tokens of a request that are "
    "assumed. A list of its requests would say them."
)
WINDOW_DOLLARS: Final = trace.TraceColumn("$", "usd")
OF_PAYERS: Final = (trace.column_of(RUN["gpu_hours"]), trace.column_of(EQUAL_TERMS["rate"]), WINDOW_DOLLARS)
"""Columns of who paid for a workload."""


@dataclass(frozen=True, slots=True, eq=False)
class CostEvidence:
    """What the panel Cost stands on: the costs, who is charged what, and the past that they were worked out from."""

    unit: cost_result.UnitCosts
    variance: cost_result.Variance
    past: Past
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


def _of_log(one: Figure, name: Text, value: float | None, key: str) -> trace.Trace:
    """A figure that is read off the jobs of a workload."""
    return trace.read(trace.titled(one, name), value, one.unit.key, LOG, opens=trace.figure(trace.JOBS, key))


# Training runs


def _run(evidence: CostEvidence, subject: str) -> cost_result.RunCost:
    return next(run for run in evidence.unit.runs if run.subject == subject)


@WHY.explains(RUN, "mean_gpus")
def run_gpus(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """Mean GPUs of a run over its hours."""
    run = _run(evidence, subject)
    return Inputs({"gpu_hours": run.gpu_hours, "hours": run.hours}, subject, run.name)


@WHY.gives("run_hours")
def run_hours(evidence: CostEvidence, scope: str, subject: str) -> trace.Trace:
    """GPU-hours of a run."""
    run = _run(evidence, subject)
    return _of_log(RUN["gpu_hours"], run.name, run.gpu_hours, run.key)


@WHY.explains(RUN, "run_kwh", "run_kg_co2")
def run_energy(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """The kWh and the CO2 of a run."""
    run = _run(evidence, subject)
    workload = f"{WORKLOAD}\t{run.key}"
    opens = {
        "workload_kwh_per_month": trace.figure("energy_kwh", workload),
        "workload_kg_per_month": trace.figure("energy_co2", workload),
    }
    return Inputs({**run.energy, "gpu_hours": run.gpu_hours}, subject, run.name, opens=opens)


@WHY.sums_of(
    RUN["cost"],
    worded("Cost = \u03a3 over the contracts of its cluster of what they served of it \u00d7 their rate"),
    OF_PAYERS,
    2,
    note=worded(
        "Hour by hour, the workloads of a GPU model on a cluster share what served it by GPU time. "
        "Idle GPUs are nobody's."
    ),
)
def run_usd(evidence: CostEvidence, scope: str, subject: str) -> Listed:
    """$ of a whole run, by the contracts that served it."""
    run, start_s = _run(evidence, subject), evidence.past.project.window.start_s
    span = range((run.start_s - start_s) // HOUR_S, (run.end_s - start_s) // HOUR_S)
    rows = [
        row for payers in (served_by, overflowed_to) for row in payers(evidence, run.key, run.cluster, span)
    ]
    return Listed(run.cost, rows, run.name)


def served_by(evidence: CostEvidence, key: str, cluster: str, span: range) -> Iterator[trace.TraceRow]:
    """Who served a workload in some hours: GPU-hours, rate and $ of each contract."""
    hours = _cluster(evidence, cluster)
    payers = [
        (contract.contract_id, contract.full_rate, served)
        for contract, served in zip(hours.contracts, served_by_model(hours).swapaxes(0, 1), strict=True)
    ]
    return _paid(evidence, key, hours, payers, span)


def overflowed_to(evidence: CostEvidence, key: str, cluster: str, span: range) -> Iterator[trace.TraceRow]:
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
    return next(one for one in evidence.past.clusters if one.cluster == cluster)


def _paid(
    evidence: CostEvidence,
    key: str,
    hours: ClusterHours,
    payers: Sequence[tuple[Text, float | None, Ints]],
    span: range,
) -> Iterator[trace.TraceRow]:
    """A workload's part, by GPU time of its GPU model in each hour, of what each payer paid for.

    payers: name, rate, and what it served of each model of the cluster, shape (models, hours).
    """
    found = [0.0] * len(payers)
    demand = hours.demand.sum(axis=1)
    for model, at, spent in evidence.past.project.cube.by_model_of(evidence.place_of(key)):
        number = hours.models.index(model)
        inside = (at >= span.start) & (at < span.stop)
        when = at[inside]
        part = spent[inside] / demand[number, when] / MILLI_GPU_SECONDS_PER_GPU_HOUR
        for place, (*_, served) in enumerate(payers):
            found[place] += float((served[number, when] * part).sum())
    for (name, rate, _), gpu_hours in zip(payers, found, strict=True):
        if gpu_hours:
            yield trace.TraceRow(name, (gpu_hours, rate, None if rate is None else gpu_hours * rate))


# Models

OF_MODEL: Final = {
    MODEL_COST[key].why: MODEL_COST[key] for key in ("workloads", "gpu_hours", "cost_per_month")
}


def _model(evidence: CostEvidence, subject: str) -> cost_result.ModelCost:
    return next(row for row in evidence.unit.models if row.subject == subject)


@WHY.gives_each(OF_MODEL)
def of_model(one: Figure, evidence: CostEvidence, scope: str, subject: str) -> trace.Trace:
    """A figure of a model: the sum over its workloads."""
    model, figures = _model(evidence, subject), list(OF_MODEL.values())
    rows = []
    for part in model.parts:
        opens = trace.figure(MODEL_PART["cost_per_month"].why, f"{subject}\t{part.key}")
        rows.append(trace.TraceRow(part.key, (1, part.gpu_hours, part.cost_per_month), opens))
    return trace.summed(
        trace.titled(one, model.model or worded("unknown model")),
        getattr(model, one.key),
        one.unit,
        worded("{what} = \u03a3 over the workloads of this model", what=one.title),
        rows,
        [trace.column_of(other) for other in figures],
        figures.index(one),
    )


def _part(evidence: CostEvidence, subject: str) -> cost_result.ModelPart:
    """What one workload spent on a model. subject: source, model and key, with tabs between."""
    source, model, key = subject.split("\t", 2)
    return next(part for part in _model(evidence, f"{source}\t{model}").parts if part.key == key)


@WHY.gives("part_hours")
def part_hours(evidence: CostEvidence, scope: str, subject: str) -> trace.Trace:
    """GPU-hours of a workload."""
    part = _part(evidence, subject)
    return _of_log(MODEL_PART["gpu_hours"], part.key, part.gpu_hours, part.key)


@WHY.explains(MODEL_PART, "cost_per_month")
def part_usd(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """$ a month of a workload on a model: its cost, shared out by GPU time."""
    part = _part(evidence, subject)
    keys = ("gpu_hours", "workload_gpu_hours", "workload_cost_per_month")
    opens = {
        "workload_gpu_hours": trace.figure(trace.JOBS, part.key),
        "workload_cost_per_month": trace.figure("workload_cost", part.key),
    }
    return Inputs({key: getattr(part, key) for key in keys}, subject, part.key, opens=opens)


# Endpoints


def _endpoint(evidence: CostEvidence, key: str) -> cost_result.EndpointCost:
    return next(row for row in evidence.unit.endpoints if row.key == key)


@WHY.sums_of(
    ENDPOINT["cost_per_month"], worded("Cost = \u03a3 over the hours of the week of GPU-hours \u00d7 rate")
)
def endpoint_usd(evidence: CostEvidence, scope: str, key: str) -> Listed:
    """$ a month of an endpoint, by day of the week."""
    row = _endpoint(evidence, key)
    days = zip(LONG_DAYS, row.by_weekday_per_month, strict=True)
    return Listed(
        row.cost_per_month, [trace.TraceRow(day, (known_sum(week),)) for day, week in days], row.name
    )


@WHY.explains(ENDPOINT, "inactive_per_month")
def endpoint_idle(evidence: CostEvidence, scope: str, key: str) -> Inputs:
    """$ a month of an endpoint while it had nothing to do."""
    row = _endpoint(evidence, key)
    values = {"cost_per_month": row.cost_per_month, "activity": row.activity}
    note = "" if row.inactive_per_month is not None else ENDPOINT["inactive_per_month"].unknown
    return Inputs(values, key, row.name, note=note)


@WHY.explains(TRAFFIC, "cost_per_million_tokens")
def endpoint_tokens(evidence: CostEvidence, scope: str, key: str) -> Inputs:
    """$ for a million tokens, in the time that traffic and window share."""
    row = _endpoint(evidence, key)
    keys = ("cost", "context_tokens", "generated_tokens")
    values = {name: None if row.tokens is None else getattr(row.tokens, name) for name in keys}
    note: Text = ASSUMED_TOKENS if row.tokens is not None and row.tokens.is_assumed else ""
    if row.tokens is None:
        note = worded("No traffic of the window is known. Read it from a file.")
    return Inputs(values, key, row.name, note=note)


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
    offer = worded("the same at {offer_id}", offer_id=premium.offer_id or worded("no offer"))
    note = worded(
        "The cheapest offer that fits is of the same or a shorter term and a lead that has passed. "
        "Per GPU-hour that was used: paid {paid}, at the offer {asks}. Of what is paid by use nothing stands idle.",
        paid=_usd(premium.paid_per_used),
        asks=_usd(premium.offer_per_used),
    )
    return Inputs(values, key, row.name, labels={"offer_in_window": offer}, note=note)


@WHY.gives_each({PREMIUM[key].why: PREMIUM[key] for key in ("paid_in_window", "offer_in_window")})
def of_premium(one: Figure, evidence: CostEvidence, scope: str, subject: str) -> trace.Trace:
    """One side of a premium: GPU-hours at a rate and a utilization, by who served or would serve them."""
    row, is_paid, rows = _endpoint(evidence, subject), one.key == "paid_in_window", []
    for part in evidence.past.equal_terms.get(evidence.place_of(subject), ()):
        if is_paid:
            values = (part.rate, part.utilization, part.paid_usd)
        else:
            values = (part.offer_rate, part.offer_utilization, part.offer_usd)
        rows.append(trace.TraceRow(_part_name(part, is_paid), (part.gpu_hours, *values)))
    terms = (trace.column_of(EQUAL_TERMS[name]) for name in ("served_gpu_hours", "rate", "utilization"))
    return trace.summed(
        trace.titled(one, row.name),
        getattr(row.premium, one.key),
        one.unit.key,
        worded("{what} = \u03a3 of GPU-hours \u00d7 rate \u00f7 utilization", what=one.title),
        rows,
        (*terms, WINDOW_DOLLARS),
        3,
        said_as=worded("in the window"),
    )


def _part_name(part: EqualTerms, is_paid: bool) -> Message:
    """GPU model and, at equal terms, the offer."""
    offer = None if is_paid or part.offer is None else part.offer.offer_id
    return joined((part.gpu_model or worded("unknown model"), *((", ", offer) if offer else ())))


def _usd(value: float | None) -> Text:
    return worded("an unknown rate") if value is None else joined((amount(value, 4),))


# Experiments


def _experiment(evidence: CostEvidence, key: str) -> cost_result.ExperimentCost:
    return next(row for row in evidence.unit.experiments if row.key == key)


@WHY.gives("experiment_jobs")
def experiment_jobs(evidence: CostEvidence, scope: str, key: str) -> trace.Trace:
    """How many jobs an experiment had."""
    row = _experiment(evidence, key)
    return _of_log(EXPERIMENT["jobs"], row.name, row.jobs, key)


@WHY.explains(EXPERIMENT, "cost_per_job")
def experiment_job_usd(evidence: CostEvidence, scope: str, key: str) -> Inputs:
    """$ for one job of an experiment."""
    row = _experiment(evidence, key)
    values = {"jobs": row.jobs, "cost_per_month": row.cost_per_month, "months": evidence.months}
    return Inputs(values, key, row.name)


@WHY.sums_of(EXPERIMENT["cost_per_month"], worded("Cost = what all trials of the workload cost"))
def experiment_usd(evidence: CostEvidence, scope: str, key: str) -> Listed:
    """$ a month of an experiment: of the workload that its trials are."""
    row = _experiment(evidence, key)
    of_workload = trace.TraceRow(row.name, (row.cost_per_month,), trace.figure("workload_cost", key))
    return Listed(row.cost_per_month, (of_workload,), row.name)
