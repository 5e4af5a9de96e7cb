"""Traces of what single things cost: runs, models, endpoints with their tokens and premium, experiments."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.audit.cost_result import (
    EndpointCost,
    ExperimentCost,
    ModelCost,
    ModelPart,
    RunCost,
    UnitCosts,
    Variance,
)
from gpuplanner.domain.audit.costs.business import BusinessCost
from gpuplanner.domain.audit.costs.chargeback import Charged
from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import JOBS, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import column_of, read, summed
from gpuplanner.domain.audit.leaks.equal_terms import EqualTerms
from gpuplanner.domain.audit.leaks.leak_claims import Past
from gpuplanner.domain.audit.money.spend import overflow_rate
from gpuplanner.domain.audit.use.energy_rows import WORKLOAD
from gpuplanner.domain.audit.use.utilization import ClusterHours, served_by_model
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.costs.unit_costs import (
    ENDPOINT,
    EQUAL_TERMS,
    EXPERIMENT,
    MODEL_COST,
    MODEL_PART,
    PREMIUM,
    RUN,
    TRAFFIC,
)
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.weekdays import LONG_DAYS
from gpuplanner.domain.model.window import HOUR_S

LOG: Final = worded("the job log")
ASSUMED_TOKENS: Final = worded(
    "Every week of the window is taken to ask what the week of its sizing does, at the tokens of a request that are "
    "assumed. A list of its requests would say them."
)
WINDOW_DOLLARS: Final = TraceColumn("$", "usd")


@dataclass(frozen=True, slots=True, eq=False)
class CostEvidence:
    """What the panel Cost stands on: the costs, who is charged what, and the past that they were worked out from."""

    unit: UnitCosts
    variance: Variance
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


def _title(one: Figure, name: Text) -> Message:
    return worded("{what} of {name}", what=one.title, name=name)


# Training runs


def _run(evidence: CostEvidence, subject: str) -> RunCost:
    return next(run for run in evidence.unit.runs if run.subject == subject)


def run_gpus(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """Mean GPUs of a run over its hours."""
    run = _run(evidence, subject)
    return explained(
        RUN, "mean_gpus", Inputs({"gpu_hours": run.gpu_hours, "hours": run.hours}, subject, run.name)
    )


def run_hours(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of a run."""
    run, one = _run(evidence, subject), RUN["gpu_hours"]
    jobs = figure(JOBS, run.key)
    return read(figure(one.why, subject), _title(one, run.name), run.gpu_hours, one.unit.key, LOG, opens=jobs)


def of_run_energy(key: str) -> Callable[[CostEvidence, str, str], Trace]:
    """The answer for the kWh or the CO2 of a run."""

    def answer(evidence: CostEvidence, scope: str, subject: str) -> Trace:
        run = _run(evidence, subject)
        workload = f"{WORKLOAD}\t{run.key}"
        opens = {
            "workload_kwh_per_month": figure("energy_kwh", workload),
            "workload_kg_per_month": figure("energy_co2", workload),
        }
        values = {**run.energy, "gpu_hours": run.gpu_hours}
        return explained(RUN, key, Inputs(values, subject, run.name, opens=opens))

    return answer


def run_usd(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """$ of a whole run, by the contracts that served it."""
    run, one = _run(evidence, subject), RUN["cost"]
    return summed(
        figure(one.why, subject),
        _title(one, run.name),
        run.cost,
        one.unit.key,
        worded("Cost = \u03a3 over the contracts of its cluster of what they served of it \u00d7 their rate"),
        tuple(_payers(evidence, run)),
        said_as=one.unit.per,
        columns=(column_of(RUN["gpu_hours"]), column_of(EQUAL_TERMS["rate"]), WINDOW_DOLLARS),
        column=2,
        note=worded(
            "Hour by hour, the workloads of a GPU model on a cluster share what served it by GPU time. "
            "Idle GPUs are nobody's."
        ),
    )


def _payers(evidence: CostEvidence, run: RunCost) -> Iterator[TraceRow]:
    """Who served a run, and what of it overflowed."""
    start_s = evidence.past.project.window.start_s
    span = range((run.start_s - start_s) // HOUR_S, (run.end_s - start_s) // HOUR_S)
    for payers in (served_by, overflowed_to):
        yield from payers(evidence, run.key, run.cluster, span)


def served_by(evidence: CostEvidence, key: str, cluster: str, span: range) -> Iterator[TraceRow]:
    """Who served a workload in some hours: GPU-hours, rate and $ of each contract."""
    hours = _cluster(evidence, cluster)
    payers = [
        (contract.contract_id, contract.rate, served)
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
    return next(one for one in evidence.past.clusters if one.cluster == cluster)


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
            yield TraceRow(name, (gpu_hours, rate, None if rate is None else gpu_hours * rate))


# Models


def _model(evidence: CostEvidence, subject: str) -> ModelCost:
    return next(row for row in evidence.unit.models if row.subject == subject)


def of_model(key: str) -> Callable[[CostEvidence, str, str], Trace]:
    """What explains a figure of a model: the sum over its workloads."""
    figures = [MODEL_COST[name] for name in ("workloads", "gpu_hours", "cost_per_month")]
    one = MODEL_COST[key]

    def answer(evidence: CostEvidence, scope: str, subject: str) -> Trace:
        model = _model(evidence, subject)
        rows = tuple(
            TraceRow(
                part.key,
                (1, part.gpu_hours, part.cost_per_month),
                figure(MODEL_PART["cost_per_month"].why, f"{subject}\t{part.key}"),
            )
            for part in model.parts
        )
        return summed(
            figure(one.why, subject),
            _title(one, model.model or worded("unknown model")),
            getattr(model, key),
            one.unit.key,
            worded("{what} = \u03a3 over the workloads of this model", what=one.title),
            rows,
            columns=[column_of(other) for other in figures],
            column=figures.index(one),
            said_as=one.unit.per,
        )

    return answer


def _part(evidence: CostEvidence, subject: str) -> ModelPart:
    """What one workload spent on a model. subject: source, model and key, with tabs between."""
    source, model, key = subject.split("\t", 2)
    return next(part for part in _model(evidence, f"{source}\t{model}").parts if part.key == key)


def part_hours(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of a workload."""
    part, one = _part(evidence, subject), MODEL_PART["gpu_hours"]
    jobs = figure(JOBS, part.key)
    return read(
        figure(one.why, subject), _title(one, part.key), part.gpu_hours, one.unit.key, LOG, opens=jobs
    )


def part_usd(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """$ a month of a workload on a model: its cost, shared out by GPU time."""
    part = _part(evidence, subject)
    keys = ("gpu_hours", "workload_gpu_hours", "workload_cost_per_month")
    opens = {
        "workload_gpu_hours": figure(JOBS, part.key),
        "workload_cost_per_month": figure("workload_cost", part.key),
    }
    row = Inputs({key: getattr(part, key) for key in keys}, subject, part.key, opens=opens)
    return explained(MODEL_PART, "cost_per_month", row)


# Endpoints


def _endpoint(evidence: CostEvidence, key: str) -> EndpointCost:
    return next(row for row in evidence.unit.endpoints if row.key == key)


def endpoint_usd(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ a month of an endpoint, by day of the week."""
    row, one = _endpoint(evidence, key), ENDPOINT["cost_per_month"]
    rows = [
        TraceRow(day, (known_sum(week),))
        for day, week in zip(LONG_DAYS, row.by_weekday_per_month, strict=True)
    ]
    return summed(
        figure(one.why, key),
        _title(one, row.name),
        row.cost_per_month,
        one.unit.key,
        worded("Cost = \u03a3 over the hours of the week of GPU-hours \u00d7 rate"),
        rows,
        said_as=one.unit.per,
    )


def endpoint_idle(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ a month of an endpoint while it had nothing to do."""
    row, one = _endpoint(evidence, key), ENDPOINT["inactive_per_month"]
    values = {"cost_per_month": row.cost_per_month, "activity": row.activity}
    note = "" if row.inactive_per_month is not None else one.unknown
    return explained(ENDPOINT, one.key, Inputs(values, key, row.name), note)


def endpoint_tokens(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ for a million tokens, in the time that traffic and window share."""
    row = _endpoint(evidence, key)
    keys = ("cost", "context_tokens", "generated_tokens")
    values = {name: None if row.tokens is None else getattr(row.tokens, name) for name in keys}
    note: Text = ASSUMED_TOKENS if row.tokens is not None and row.tokens.is_assumed else ""
    if row.tokens is None:
        note = worded("No traffic of the window is known. Read it from a file.")
    return explained(TRAFFIC, "cost_per_million_tokens", Inputs(values, key, row.name), note)


def endpoint_premium(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ a month above the cheapest offer that fits, at equal terms."""
    row = _endpoint(evidence, key)
    premium = row.premium
    values = {
        "paid_in_window": premium.paid_in_window,
        "offer_in_window": premium.offer_in_window,
        "months": evidence.months,
    }
    labels = {
        "offer_in_window": worded("the same at {offer_id}", offer_id=premium.offer_id or worded("no offer"))
    }
    note = worded(
        "The cheapest offer that fits is of the same or a shorter term and a lead that has passed. "
        "Per GPU-hour that was used: paid {paid}, at the offer {asks}. Of what is paid by use nothing stands idle.",
        paid=_usd(premium.paid_per_used),
        asks=_usd(premium.offer_per_used),
    )
    return explained(PREMIUM, "premium_per_month", Inputs(values, key, row.name, labels=labels), note)


def of_premium(key: str) -> Callable[[CostEvidence, str, str], Trace]:
    """What explains one side of a premium: GPU-hours at a rate and a utilization, by who served or would serve them."""
    one = PREMIUM[key]
    is_paid = key == "paid_in_window"

    def values(part: EqualTerms) -> tuple[float | None, ...]:
        if is_paid:
            return part.gpu_hours, part.rate, part.utilization, part.paid_usd
        return part.gpu_hours, part.offer_rate, part.offer_utilization, part.offer_usd

    def answer(evidence: CostEvidence, scope: str, subject: str) -> Trace:
        row = _endpoint(evidence, subject)
        parts: Sequence[EqualTerms] = evidence.past.equal_terms.get(evidence.place_of(subject), ())
        return summed(
            figure(one.why, subject),
            _title(one, row.name),
            getattr(row.premium, key),
            one.unit.key,
            worded("{what} = \u03a3 of GPU-hours \u00d7 rate \u00f7 utilization", what=one.title),
            [TraceRow(_part_name(part, is_paid), values(part)) for part in parts],
            columns=[
                *(column_of(EQUAL_TERMS[name]) for name in ("served_gpu_hours", "rate", "utilization")),
                WINDOW_DOLLARS,
            ],
            column=3,
            said_as=worded("in the window"),
        )

    return answer


def _part_name(part: EqualTerms, is_paid: bool) -> Message:
    """GPU model and, at equal terms, the offer."""
    offer = None if is_paid or part.offer is None else part.offer.offer_id
    return joined((part.gpu_model or worded("unknown model"), *((", ", offer) if offer else ())))


def _usd(value: float | None) -> Text:
    return worded("an unknown rate") if value is None else joined((amount(value, 4),))


# Experiments


def _experiment(evidence: CostEvidence, key: str) -> ExperimentCost:
    return next(row for row in evidence.unit.experiments if row.key == key)


def experiment_jobs(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """How many jobs an experiment had."""
    row, one = _experiment(evidence, key), EXPERIMENT["jobs"]
    jobs = figure(JOBS, key)
    return read(figure(one.why, key), _title(one, row.name), row.jobs, one.unit.key, LOG, opens=jobs)


def experiment_job_usd(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ for one job of an experiment."""
    row = _experiment(evidence, key)
    values = {"jobs": row.jobs, "cost_per_month": row.cost_per_month, "months": evidence.months}
    return explained(EXPERIMENT, "cost_per_job", Inputs(values, key, row.name))


def experiment_usd(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ a month of an experiment: of the workload that its trials are."""
    row, one = _experiment(evidence, key), EXPERIMENT["cost_per_month"]
    return summed(
        figure(one.why, key),
        _title(one, row.name),
        row.cost_per_month,
        one.unit.key,
        worded("Cost = what all trials of the workload cost"),
        (TraceRow(row.name, (row.cost_per_month,), figure("workload_cost", key)),),
        said_as=one.unit.per,
    )
