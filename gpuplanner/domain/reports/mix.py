"""What a fleet's spend is for, as reports: beside published figures, on top of GPUs, by cluster, by GPU model.

All are about a `Past`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from gpuplanner.domain.audit import mix
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, explained
from gpuplanner.domain.evidence.audit_evidence import scope_words
from gpuplanner.domain.evidence.unit_costs import OF_PAYERS
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
from gpuplanner.domain.figures.typed import percent, whole
from gpuplanner.domain.figures.window import CLASS, SERIES, USE
from gpuplanner.domain.figures.writing import RATE, SHARE, TIMES
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.only import ratio_between
from gpuplanner.domain.model.tables import POOL_TITLES, POOLS, Pool
from gpuplanner.domain.model.window import DAYS
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.costs import HELD_WHY, OF_HELD
from gpuplanner.domain.reports.training import OF_PAST_RUNS, TAIL
from gpuplanner.lazy_dataclass import replace

Rates = Callable[[Past], Sequence[mix.ModelRate]]
HELD: Final = ("gpu_hours", "cost_per_month")
HIDDEN_SHARE: Final = "hidden_share"
READ: Final = report.WINDOW | report.TERMINAL | report.SHEET


def _range(row: mix.Published) -> Text:
    """From and to as it is published; one where both are the same."""
    ends = [percent(row.low), percent(row.high)][: 1 + (row.low != row.high)]
    return joined(ends, " \u2013 ")


PUBLIC: Final = report.Report(
    worded("Published figures beside this fleet's"),
    mix.published_beside,
    note=worded("80:20 is inference of four times what training costs, in $."),
).with_columns(
    report.named("figure", "key"),
    report.Column(key="title", title=worded("Figure"), media=READ | report.BRIEF, form="name"),
    *map(report.named, ("low", "high")),
    report.Column(key="published", title=worded("Published"), media=READ | report.BRIEF, value=_range),
    *(report.Column(PUBLISHED[key]) for key in ("own", "at_long_run", "to_long_run")),
    report.Column(key="source", title=worded("Source")),
)


HIDDEN: Final = report.Report(
    worded("On top of GPUs, by bill"),
    mix.billed,
    lambda row: "",
    note=worded(
        "Others put it at 20 to 40%. Services that are none of these are named and count in neither."
    ),
).with_columns(
    *(report.Column(BILL[f"{kind}_billed"]) for kind in KINDS),
    report.Column(BILL["hidden_share"]),
    report.named("left_out", lambda row: list(row.left_out)),
    report.text("none", worded("None of these"), lambda row: ", ".join(row.left_out), READ),
)


def _inside(pool: Pool) -> report.Column:
    return report.inside(
        str(pool),
        report.fields("gpu_hours", report.named("usd_per_month", "cost_per_month")),
        lambda classes: classes[pool],
    )


def _of_class(pool: Pool, key: str) -> report.Column:
    """What a class asked of a cluster, or what that costs."""
    title = joined((POOL_TITLES[pool], CLASS[key].title), ", ")
    kind = f"cluster_{CLASS[key].why}"
    figure = replace(CLASS[key], key=f"{pool}_{key}", title=title, short="", why=kind, why_scope=str(pool))
    return report.Column(figure, media=READ, value=lambda row: getattr(row.classes[pool], key))


def _all_three(row: mix.ClusterMix) -> Text:
    return worded("all three") if row.holds_all_three else ""


OF_CLUSTER: Final = report.fields(
    report.inside("classes", report.fields(*map(_inside, POOLS))), "holds_all_three"
)
CLUSTER_CLASSES: Final = report.Report(
    worded("Clusters by class"), mix.cluster_mixes, lambda row: row.cluster
).with_columns(
    report.Column(key="cluster", title=worded("Cluster"), media=READ, form="name"),
    *(_of_class(pool, key) for pool in POOLS for key in HELD),
    report.Column(key="all", title=worded("Holds all three"), media=READ, value=_all_three),
)


DOCUMENTED: Final = ("runs", "median_usd", "median_hours")


def _ends(name: str, row: mix.RunKind) -> list[float | None] | None:
    """P10 and P90; None where they are unknown."""
    ends = [row.figures[f"{end}_{name}"] for end in ("low", "high")]
    return None if None in ends else ends


def _class_or_name(row: mix.Day) -> Text:
    return POOL_TITLES[Pool(row.name)] if row.by == "class" else row.name


def _share_of(hour: int, row: mix.Day) -> float | None:
    return row.hours[hour]


MODELS_NOTE: Final = worded(
    "Offers at their cheapest; the ratio is the work of one GPU of the other model, of H100 where none is named."
)


def _models(title: Text, rows: Rates, *figures: report.Column) -> report.Report:
    """GPU models at the ratios that the planner states."""
    return report.Report(
        title, rows, lambda row: f"{row.gpu_model}\t{row.against}", note=MODELS_NOTE
    ).with_columns(
        report.Column(key="gpu_model", title=worded("GPU model"), form="name"),
        *figures,
        report.Column(EQUIVALENT["ratio"]),
        report.Column(key="source", title=worded("Ratio")),
    )


H100S: Final = _models(
    worded("GPU models in H100s"),
    mix.h100_equivalents,
    *(report.Column(EQUIVALENT[key], media=READ) for key in ("gpu_hours", "rate")),
    *(report.Column(EQUIVALENT[key]) for key in ("h100_gpu_hours", "h100_rate")),
)
PREMIUMS: Final = _models(
    worded("Premium of newer GPU models"),
    mix.model_premiums,
    report.Column(key="against", title=worded("Against")),
    *(report.Column(MODEL_PREMIUM[key]) for key in ("gpu_hours", "premium")),
    *(report.Column(MODEL_PREMIUM[key], media=READ) for key in ("rate", "against_rate")),
)
RUN_KINDS: Final = report.Report(
    worded("Training runs by kind of model"),
    mix.runs_by_kind,
    lambda row: row.kind,
    note=worded("P10 and P90: a tenth of the runs lie below, a tenth above."),
).with_columns(
    report.named("kind", lambda row: row.kind or None),
    report.text("", worded("Model"), lambda row: row.kind or worded("unknown model"), READ, "name"),
    *(
        report.Column(one, media=READ | (report.DOCUMENT_ALONE if one.key in DOCUMENTED else frozenset()))
        for one in RUN_KIND.figures
    ),
    *(report.named(f"spread_{name}", partial(_ends, name)) for name in ("usd", "hours")),
)
GAPS: Final = report.Report(
    worded("Rates of two GPU models by month"),
    mix.price_gaps,
    lambda row: f"{row.gpu_model}\t{row.against}\t{row.month}",
    note=worded("Each at its cheapest rate that says its day, spot left out; a rate holds until the next."),
).with_columns(
    report.text("month", worded("Month"), form="name"),
    report.text("gpu_model", worded("GPU model")),
    report.text("against", worded("Against")),
    report.Column(GAP["gap"]),
    report.text("source", worded("Source")),
)
WEEKS: Final = report.Report(
    worded("Use by hour of the week, UTC"),
    mix.weeks,
    lambda row: f"{row.by}\t{row.name}",
    media=report.DOCUMENT_ALONE,
).with_columns(*map(report.named, ("by", "name")), report.named("utilization", "by_hour"))
WEEK_DAYS: Final = report.Report(
    worded("Use by hour of the week, UTC"),
    mix.days,
    lambda row: f"{row.by}\t{row.name}\t{row.day}",
    note=worded("Of the GPU-hours that its clusters are paid for; over 100% some of it overflowed."),
    media=READ,
).with_columns(
    report.text("name", worded("Class or endpoint"), _class_or_name, READ, "name"),
    report.text("day", worded("Day"), lambda row: DAYS[row.day], READ),
    *(
        report.Column(one, media=READ, value=partial(_share_of, hour))
        for hour, one in enumerate(WEEK.figures)
    ),
)
LISTED: Final = OF_HELD | {
    "published_figures": PUBLIC,
    "h100_equivalents": H100S,
    "model_premiums": PREMIUMS,
    "price_gaps": GAPS,
    "runs_by_kind": RUN_KINDS,
    "hours_of_week_by": WEEKS,
}
"""Of which documents have rows."""
OF_PAST: Final = LISTED | {
    HIDDEN_SHARE: HIDDEN,
    "cluster_classes": CLUSTER_CLASSES,
    "hours_of_week_by": WEEK_DAYS,
}
"""Reports about a past, by their names in documents: each in window, terminal, documents and workbook."""

# --- Why: answers about these figures of a past

WHY: Final = Answers[Past](HELD_WHY)
UNKNOWN_MODEL: Final = worded("unknown model")
PAID_WORDS: Final = worded(
    "\u03a3 over its contracts of GPU-hours paid for; rate = their $ \u00f7 these GPU-hours"
)


@WHY.explains(PUBLISHED, "at_long_run", "to_long_run")
def beside_published(past: Past, scope: str, key: str) -> Inputs:
    """What inference would cost at the published split."""
    row = _row(PUBLIC, past, key)
    opens = {f"{pool}_per_month": trace.figure(CLASS["cost_per_month"].why, pool) for pool in POOLS}
    return Inputs(row.figures, key, row.title, opens=opens)


@WHY.gives(PUBLISHED["own"].why)
def own(past: Past, scope: str, key: str) -> trace.Trace:
    """What a figure that others publish is here: of $ by class, of use by workload, of bills by kind."""
    row = _row(PUBLIC, past, key)
    if key == mix.ACTIVITY:
        return trace.read(
            row.title, row.own, SHARE, worded("the activity of its workloads, by their GPU time")
        )
    if key == HIDDEN_SHARE:
        return replace(explained(BILL, HIDDEN_SHARE, all_bills(past, "", "")), title=row.title)
    classes = POOLS if key == mix.INFERENCE_SHARE else (Pool.INFERENCE, Pool.TRAINING)
    usd = {pool: mix.held_by(past, mix.members_of(past, pool)).cost_per_month for pool in classes}
    inputs = {"class_usd": usd[Pool.INFERENCE], "classes_usd": known_sum(usd.values())}
    return replace(explained(SERIES, "usd_share", Inputs(inputs, key)), title=row.title)


def _row(of: report.Report, past: Past, key: str) -> Any:
    return next(row for row in of.rows(past) if of.key(row) == key)


@WHY.explains(BILL, HIDDEN_SHARE)
def all_bills(past: Past, scope: str, subject: str) -> Inputs:
    """What all bills say by kind."""
    return Inputs(_row(HIDDEN, past, "").figures, "", worded("all bills"))


@WHY.gives_each({BILL[f"{kind}_billed"].why: BILL[f"{kind}_billed"] for kind in KINDS})
def of_bills(one: Figure, past: Past, scope: str, subject: str) -> trace.Trace:
    """$ of one kind of charge on all bills."""
    source = worded("the bills of the project, at the rates of exchange that are stated")
    return trace.read(one.title, _row(HIDDEN, past, "").figures[one.key], one.unit, source)


@WHY.gives_each({f"cluster_{CLASS[key].why}": at for at, key in enumerate(HELD)})
def of_cluster(column: int, past: Past, pool: str, cluster: str) -> trace.Trace:
    """What a class asked of a cluster, or what that costs a month, by workload."""
    one, places = CLASS[HELD[column]], past.members(cluster, Pool(pool))
    workloads = [(past.project.workloads[at], mix.held_by(past, [at])) for at in places]
    rows = [trace.TraceRow(of.name, held, trace.figure("workload_cost", of.key)) for of, held in workloads]
    words = worded("{figure} = \u03a3 over the workloads of the class on this cluster", figure=one.title)
    name = joined((POOL_TITLES[Pool(pool)], cluster), ", ")
    columns, value = [trace.column_of(CLASS[key]) for key in HELD], mix.held_by(past, places)[column]
    return trace.summed(trace.titled(one, name), value, one.unit, words, rows, columns, column)


def _of_models(of: report.Report, past: Past, scope: str, subject: str) -> Inputs:
    """The figures of a GPU model beside another."""
    row = _row(of, past, subject)
    return Inputs(row.figures, subject, row.gpu_model or UNKNOWN_MODEL)


WHY.explains(EQUIVALENT, "h100_gpu_hours", "h100_rate")(partial(_of_models, H100S))
WHY.explains(MODEL_PREMIUM, "premium")(partial(_of_models, PREMIUMS))


@WHY.gives_each({MODEL_PREMIUM[key].why: key for key in ("gpu_hours", "rate", "against_rate")})
def of_model(key: str, past: Past, scope: str, subject: str) -> trace.Trace:
    """What is paid for a GPU model and at what rate, by contract; its cheapest offer where that counts."""
    model = subject.split("\t")[key == "against_rate"]
    one = MODEL_PREMIUM["gpu_hours" if key == "gpu_hours" else "rate"]
    paid, offered = mix.paid_models(past).get(model), mix.offered_models(past)
    title = trace.titled(one, model or UNKNOWN_MODEL)
    if key != "gpu_hours" and model in offered and (key == "against_rate" or paid is None):
        return trace.read(title, offered[model], RATE, worded("its cheapest offer, spot left out"))
    rows = [
        trace.TraceRow(of.contract_id, (hours, of.rate, None if of.rate is None else hours * of.rate))
        for of, hours in mix.contracts_of(past, model)
    ]
    value = paid[one.key] if paid else 0.0
    arrival = trace.Adds(0) if key == "gpu_hours" else trace.Divides(2, 0)
    return trace.listed(title, value, one.unit, PAID_WORDS, rows, OF_PAYERS, arrival)


@WHY.gives(EQUIVALENT["ratio"].why)
def of_ratio(past: Past, scope: str, subject: str) -> trace.Trace:
    """The ratio of two models: as the planner states it."""
    model, against = subject.split("\t")
    title = worded("Work of one {against} in {model}", against=against, model=model or UNKNOWN_MODEL)
    ratio = ratio_between(past.project.mappings, model, against)
    return trace.read(
        title, ratio, TIMES, worded("as it is stated, or one over the ratio the other way round")
    )


@WHY.gives_each({one.why: one for one in RUN_KIND.figures})
def of_kind(one: Figure, past: Past, scope: str, kind: str) -> trace.Trace:
    """How many runs a kind has; the run or, of a median, the two whose cost or length it is."""
    runs, field = mix.runs_of_kinds(past)[kind], "cost" if one.key.endswith("usd") else "hours"
    title, value = trace.titled(one, kind or UNKNOWN_MODEL), mix.spread(runs)[one.key]
    if one.key == "runs":
        return trace.read(title, value, one.unit, worded("the training runs of the log whose kind this is"))
    runs.sort(key=lambda run: getattr(run, field))
    found = runs[(len(runs) - 1) // 2 : len(runs) // 2 + 1]
    if not one.key.startswith("median"):
        found = [next(run for run in runs if getattr(run, field) == value)]
    rows = [trace.TraceRow(run.name, (getattr(run, field) / len(found),)) for run in found]
    words = worded(
        "Of {runs} runs in order the one that stands there; of two their mean", runs=whole(len(runs))
    )
    return trace.summed(title, value, one.unit, words, rows)


@WHY.explains(GAP, "gap")
def of_gap(past: Past, scope: str, subject: str) -> Inputs:
    """What one model costs more than another in a month."""
    row = _row(GAPS, past, subject)
    labels = {"rate": row.gpu_model, "against_rate": row.against}
    return Inputs(
        row.figures, subject, joined((row.gpu_model, row.month), ", "), labels=labels, note=row.source
    )


@WHY.gives_each({one.why: hour for hour, one in enumerate(WEEK.figures)})
def of_week(hour: int, past: Past, scope: str, subject: str) -> trace.Trace:
    """Use of an hour of the week: what was asked for over what its clusters were paid for."""
    by, name, day = subject.split("\t")
    hours, at = _row(WEEKS, past, f"{by}\t{name}").hours, (int(day), hour)
    values = {"used_gpu_hours": int(hours.used[at]), "paid_gpu_hours": int(hours.capacity[at])}
    title: Text = POOL_TITLES[Pool(name)] if by == "class" else name
    words = joined((" ", scope_words(f"hour-{day}-{hour}")))
    return explained(USE, "utilization", Inputs(values, subject, title, scope_words=words))


RUN_FROM: Final = {
    "gpus": worded("its job"),
    "hours": worded("its job, from start to end"),
    "idle_hours": worded("the hours behind it in which its GPUs stood idle"),
    "contended_hours": worded(
        "its GPU time in hours with more demand for its GPU model than GPUs \u00f7 its GPUs"
    ),
    "usual_hours": worded(
        "the median of runs of the workload on as many GPUs that completed outside such hours"
    ),
    "gpu_hours": worded("what its contracts were paid for in these hours and idled"),
    "committed_share": worded("its GPU-hours, hour by hour, by the contracts that served them"),
}


@WHY.gives_each({one.why: one for one in (*PAST_RUN.figures, *TAIL)})
def of_run(one: Figure, past: Past, of: str, subject: str) -> trace.Trace:
    """A figure of a training run of the log. of: the report that it is in."""
    row = _row(OF_PAST_RUNS[of], past, subject)
    name = row.workload.name or row.workload.cluster
    if one.formula is not None:
        opens = {key: trace.figure(PAST_RUN[key].why, subject, of) for key in ("hours", "usual_hours")}
        inputs = Inputs(row.figures, subject, name, opens=opens)
        return explained(LEAK if one in TAIL else PAST_RUN, one.key, inputs)
    return trace.read(trace.titled(one, name), row.figures[one.key], one.unit, RUN_FROM[one.key])
