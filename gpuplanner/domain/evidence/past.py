"""Answers about what a fleet spends for: beside published figures, by cluster, model and run; GPUs that are held."""

from functools import partial
from typing import Any, Final

from gpuplanner.domain.audit import mix, model_rates
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.evidence import audit_evidence, trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, explained
from gpuplanner.domain.evidence.costs.payers import OF_PAYERS
from gpuplanner.domain.evidence.trace import Trace, TraceRow, column_of, read, summed, titled
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.figures.mix import (
    BILL,
    EQUIVALENT,
    GAP,
    KINDS,
    MODEL_PREMIUM,
    PUBLISHED,
    RUN_KIND,
    WEEK,
)
from gpuplanner.domain.figures.training import PAST_RUN
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.use import HELD
from gpuplanner.domain.figures.window import CLASS, SERIES, USE
from gpuplanner.domain.figures.writing import RATE, SHARE, TIMES
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.only import ratio_between
from gpuplanner.domain.model.cube import CALLED_NOBODY
from gpuplanner.domain.model.tables import POOL_TITLES, POOLS, Pool
from gpuplanner.domain.reports import mix as tables
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.training import OF_PAST_RUNS, TAIL
from gpuplanner.lazy_dataclass import replace

WHY: Final = Answers[Past]()
UNKNOWN_MODEL: Final = worded("unknown model")
PAID_WORDS: Final = worded("Σ over its contracts (paid GPU-hours); rate = $ ÷ these")


@WHY.explains(PUBLISHED, "at_long_run", "to_long_run")
def beside_published(past: Past, scope: str, key: str) -> Inputs:
    """What inference would cost at the published split."""
    row = _row(tables.PUBLIC, past, key)
    opens = {f"{pool}_per_month": trace.figure(CLASS["cost_per_month"].why, pool) for pool in POOLS}
    return Inputs(values=row.figures, name=key, title=row.title, opens=opens)


@WHY.gives(PUBLISHED["own"].why)
def own(past: Past, scope: str, key: str) -> trace.Trace:
    """What a figure that others publish is here: of $ by class, of use by workload, of bills by kind."""
    row = _row(tables.PUBLIC, past, key)
    if key == mix.ACTIVITY:
        return trace.read(
            row.title, row.own, SHARE, worded("GPU activity of workloads, weighted by GPU time")
        )
    if key == tables.HIDDEN_SHARE:
        return replace(explained(BILL, tables.HIDDEN_SHARE, all_bills(past, "", "")), title=row.title)
    classes = POOLS if key == mix.INFERENCE_SHARE else (Pool.INFERENCE, Pool.TRAINING)
    usd = {pool: mix.held_by(past, mix.members_of(past, pool)).cost_per_month for pool in classes}
    inputs = {"class_usd": usd[Pool.INFERENCE], "classes_usd": known_sum(usd.values())}
    return replace(explained(SERIES, "usd_share", Inputs(values=inputs, name=key)), title=row.title)


def _row(of: report.Report, past: Past, key: str) -> Any:
    return next(row for row in of.rows(past) if of.key(row) == key)


@WHY.explains(BILL, tables.HIDDEN_SHARE)
def all_bills(past: Past, scope: str, subject: str) -> Inputs:
    """What all bills say by kind."""
    return Inputs(values=_row(tables.HIDDEN, past, "").figures, name="", title=worded("all bills"))


@WHY.gives_each({BILL[f"{kind}_billed"].why: BILL[f"{kind}_billed"] for kind in KINDS})
def of_bills(asked: Figure, past: Past, scope: str, subject: str) -> trace.Trace:
    """$ of one kind of charge on all bills."""
    source = worded("the project's bills, at the stated exchange rates")
    return trace.read(asked.title, _row(tables.HIDDEN, past, "").figures[asked.key], asked.unit, source)


@WHY.gives_each({f"cluster_{CLASS[key].why}": at for at, key in enumerate(tables.HELD)})
def of_cluster(column: int, past: Past, pool: str, cluster: str) -> trace.Trace:
    """What a class asked of a cluster, or what that costs a month, by workload."""
    asked, places = CLASS[tables.HELD[column]], past.members(cluster, Pool(pool))
    workloads = [(past.project.workloads[at], mix.held_by(past, [at])) for at in places]
    rows = [trace.TraceRow(of.name, held, trace.figure("workload_cost", of.key)) for of, held in workloads]
    words = worded("{figure} = Σ over the class's workloads on this cluster", figure=asked.title)
    name = joined((POOL_TITLES[Pool(pool)], cluster), ", ")
    columns, value = [trace.column_of(CLASS[key]) for key in tables.HELD], mix.held_by(past, places)[column]
    return trace.summed(trace.titled(asked, name), value, asked.unit, words, rows, columns, column)


def _of_models(of: report.Report, past: Past, scope: str, subject: str) -> Inputs:
    """The figures of a GPU model beside another."""
    row = _row(of, past, subject)
    return Inputs(values=row.figures, name=subject, title=row.gpu_model or UNKNOWN_MODEL)


WHY.explains(EQUIVALENT, "h100_gpu_hours", "h100_rate")(partial(_of_models, tables.H100S))
WHY.explains(MODEL_PREMIUM, "premium")(partial(_of_models, tables.PREMIUMS))


@WHY.gives_each({MODEL_PREMIUM[key].why: key for key in ("gpu_hours", "rate", "against_rate")})
def of_model(key: str, past: Past, scope: str, subject: str) -> trace.Trace:
    """What is paid for a GPU model and at what rate, by contract; its cheapest offer where that counts."""
    model = subject.split("\t")[key == "against_rate"]
    asked = MODEL_PREMIUM["gpu_hours" if key == "gpu_hours" else "rate"]
    paid, offered = model_rates.paid_models(past).get(model), model_rates.offered_models(past)
    title = trace.titled(asked, model or UNKNOWN_MODEL)
    if key != "gpu_hours" and model in offered and (key == "against_rate" or paid is None):
        return trace.read(title, offered[model], RATE, worded("its cheapest offer, without spot"))
    rows = [
        trace.TraceRow(of.contract_id, (hours, of.rate, None if of.rate is None else hours * of.rate))
        for of, hours in model_rates.contracts_of(past, model)
    ]
    value = paid[asked.key] if paid else 0.0
    arrival = trace.Adds(0) if key == "gpu_hours" else trace.Divides(2, 0)
    return trace.listed(title, value, asked.unit, PAID_WORDS, rows, OF_PAYERS, arrival)


@WHY.gives(EQUIVALENT["ratio"].why)
def of_ratio(past: Past, scope: str, subject: str) -> trace.Trace:
    """The ratio of two models: as the planner states it."""
    model, against = subject.split("\t")
    title = worded("Work of one {against} in {model}", against=against, model=model or UNKNOWN_MODEL)
    ratio = ratio_between(past.project.mappings, model, against)
    return trace.read(title, ratio, TIMES, worded("as entered, or 1 ÷ its inverse"))


@WHY.gives_each({asked.why: asked for asked in RUN_KIND.figures})
def of_kind(asked: Figure, past: Past, scope: str, kind: str) -> trace.Trace:
    """How many runs a kind has; the run or, of a median, the two whose cost or length it is."""
    runs, field = mix.runs_of_kinds(past)[kind], "cost" if asked.key.endswith("usd") else "hours"
    title, value = trace.titled(asked, kind or UNKNOWN_MODEL), mix.spread(runs)[asked.key]
    if asked.key == "runs":
        return trace.read(title, value, asked.unit, worded("the log's training runs of this kind"))
    middle = [run for run in runs if getattr(run, field) == value]
    if value is None:  # no order has the runs that it lacks
        rows = [trace.TraceRow(run.name, (None,)) for run in middle]
    else:
        runs.sort(key=lambda run: getattr(run, field))
        of_median = runs[(len(runs) - 1) // 2 : len(runs) // 2 + 1]
        middle = of_median if asked.key.startswith("median") else middle[:1]
        rows = [trace.TraceRow(run.name, (getattr(run, field) / len(middle),)) for run in middle]
    words = worded("Median of {runs} runs", runs=whole(len(runs)))
    return trace.summed(title, value, asked.unit, words, rows)


@WHY.explains(GAP, "gap")
def of_gap(past: Past, scope: str, subject: str) -> Inputs:
    """What one model costs more than another in a month."""
    row = _row(tables.GAPS, past, subject)
    labels = {"rate": row.gpu_model, "against_rate": row.against}
    return Inputs(
        values=row.figures,
        name=subject,
        title=joined((row.gpu_model, row.month), ", "),
        labels=labels,
        note=row.source,
    )


@WHY.gives_each({asked.why: hour for hour, asked in enumerate(WEEK.figures)})
def of_week(hour: int, past: Past, scope: str, subject: str) -> trace.Trace:
    """Use of an hour of the week: what was asked for over what its clusters were paid for."""
    by, name, day = subject.split("\t")
    hours, at = _row(tables.WEEKS, past, f"{by}\t{name}").hours, (int(day), hour)
    values = {"used_gpu_hours": int(hours.used[at]), "paid_gpu_hours": int(hours.capacity[at])}
    title: Text = POOL_TITLES[Pool(name)] if by == "class" else name
    words = joined((" ", audit_evidence.scope_words(f"hour-{day}-{hour}")))
    return explained(USE, "utilization", Inputs(values=values, name=subject, title=title, scope_words=words))


RUN_FROM: Final = {
    "gpus": worded("its job"),
    "hours": worded("its job, from start to end"),
    "idle_hours": worded("idle hours of its GPUs after the run"),
    "contended_hours": worded("its GPU time in hours over its model's capacity ÷ its GPUs"),
    "usual_hours": worded("median of completed runs on as many GPUs outside such hours"),
    "gpu_hours": worded("idle cost of its contracts in these hours"),
    "committed_share": worded("its GPU-hours by contract"),
}


@WHY.gives_each({asked.why: asked for asked in (*PAST_RUN.figures, *TAIL)})
def of_run(asked: Figure, past: Past, of: str, subject: str) -> trace.Trace:
    """A figure of a training run of the log. of: the report that it is in."""
    row = _row(OF_PAST_RUNS[of], past, subject)
    name = row.workload.name or row.workload.cluster
    if asked.formula is not None:
        opens = {key: trace.figure(PAST_RUN[key].why, subject, of) for key in ("hours", "usual_hours")}
        inputs = Inputs(values=row.figures, name=subject, title=name, opens=opens)
        return explained(LEAK if asked in TAIL else PAST_RUN, asked.key, inputs)
    return trace.read(trace.titled(asked, name), row.figures[asked.key], asked.unit, RUN_FROM[asked.key])


# GPUs that are held

_HELD_FROM: Final = {
    "cost_per_month": worded("monthly cost of its lookback GPU-hours"),
    "gpu_hours_per_month": worded("its jobs"),
    "activity": worded("its jobs, by their GPU time"),
}
_HELD_SUMS: Final = {
    "night_gpu_hours": worded("GPU-h = \u03a3 over its workloads"),
    "idle_nights": worded("Idle nights = Σ over workloads (night and weekend GPU-h × (1 − activity) × rate)"),
    "known_idle_nights": worded("At least = Σ over its workloads with known activity"),
}


@WHY.gives_each({asked.why: asked.key for asked in HELD.figures})
def of_held(key: str, past: Past, scope: str, subject: str) -> Trace:
    """A figure of a workload that holds GPUs, or of a team's nights."""
    asked, rows = HELD[key], mix.held_rows(past)
    if key in _HELD_SUMS:
        of = "idle_nights" if key == "known_idle_nights" else key
        of_team = [
            row for row in rows if (row.team or CALLED_NOBODY) == subject and row.figures["night_gpu_hours"]
        ]
        if key == "known_idle_nights":
            of_team = [row for row in of_team if row.figures[of] is not None]
        value = known_sum(row.figures[of] for row in of_team)
        listed, columns = [TraceRow(row.name, (row.figures[of],)) for row in of_team], (column_of(asked),)
        return summed(titled(asked, subject), value, asked.unit.key, _HELD_SUMS[key], listed, columns)
    row = next(row for row in rows if row.key == subject)
    if asked.formula is None:
        return read(titled(asked, row.name), row.figures[key], asked.unit.key, _HELD_FROM[key])
    return explained(HELD, key, Inputs(values=row.figures, name=row.key, title=row.name))
