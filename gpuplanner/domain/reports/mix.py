"""What a fleet's spend is for, as reports: beside published figures, on top of GPUs, by cluster, by GPU model.

All are about a `Past`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from gpuplanner.domain.audit import mix, model_rates, quarter, series
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.mix import (
    BILL,
    EQUIVALENT,
    FLAT,
    GAP,
    KINDS,
    MODEL_PREMIUM,
    PUBLISHED,
    RUN_KIND,
    WEEK,
)
from gpuplanner.domain.figures.typed import percent
from gpuplanner.domain.figures.window import CLASS
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.tables import POOL_TITLES, POOLS, Pool
from gpuplanner.domain.model.window import DAYS
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.costs import OF_HELD
from gpuplanner.lazy_dataclass import replace

Rates = Callable[[Past], Sequence[model_rates.ModelRate]]
HELD: Final = ("gpu_hours", "cost_per_month")
HIDDEN_SHARE: Final = "hidden_share"
READ: Final = report.WINDOW | report.TERMINAL | report.SHEET


def _range(row: mix.Published) -> Text:
    """From and to as it is published; one where both are the same."""
    ends = [percent(row.low), percent(row.high)][: 1 + (row.low != row.high)]
    return joined(ends, " \u2013 ")


PUBLIC: Final = report.Report(
    title=worded("Published figures compared with this fleet"),
    rows=mix.published_beside,
    note=worded("80:20: inference costs four times as much as training."),
).with_columns(
    report.named("figure", "key"),
    report.Column(key="title", title=worded("Figure"), media=READ | report.BRIEF, form="name"),
    *map(report.named, ("low", "high")),
    report.Column(key="published", title=worded("Published"), media=READ | report.BRIEF, value=_range),
    *(report.Column(figure=PUBLISHED[key]) for key in ("own", "at_long_run", "to_long_run")),
    report.Column(key="source", title=worded("Source")),
)


HIDDEN: Final = report.Report(
    title=worded("Cost beyond GPUs, by bill"),
    rows=mix.billed,
    key=lambda row: "",
    note=worded("Others report 20 to 40%. Other services are listed, not counted."),
).with_columns(
    *(report.Column(figure=BILL[f"{kind}_billed"]) for kind in KINDS),
    report.Column(figure=BILL["hidden_share"]),
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
    return report.Column(figure=figure, media=READ, value=lambda row: getattr(row.classes[pool], key))


def _all_three(row: mix.ClusterMix) -> Text:
    return worded("all three") if row.holds_all_three else ""


OF_CLUSTER: Final = report.fields(
    report.inside("classes", report.fields(*map(_inside, POOLS))), "holds_all_three"
)
CLUSTER_CLASSES: Final = report.Report(
    title=worded("Clusters by class"), rows=mix.cluster_mixes, key=lambda row: row.cluster
).with_columns(
    report.Column(key="cluster", title=worded("Cluster"), media=READ, form="name"),
    *(_of_class(pool, key) for pool in POOLS for key in HELD),
    report.Column(key="all", title=worded("Holds all three"), media=READ, value=_all_three),
)


STEP_COST: Final = replace(FLAT["usd_per_month"], why="quarter_usd")
DOCUMENTED: Final = ("runs", "median_usd", "median_hours")


def _ends(name: str, row: mix.RunKind) -> list[float | None] | None:
    """P10 and P90; None where they are unknown."""
    ends = [row.figures[f"{end}_{name}"] for end in ("low", "high")]
    return None if None in ends else ends


def write_class_or_name(row: series.Day) -> Text:
    return POOL_TITLES[Pool(row.name)] if row.by == "class" else row.name


def _share_of(hour: int, row: series.Day) -> float | None:
    return row.hours[hour]


MODELS_NOTE: Final = worded("Cheapest offers. Ratio: work of one other GPU (default H100).")


def _models(title: Text, rows: Rates, *figures: report.Column) -> report.Report:
    """GPU models at the ratios that the planner states."""
    return report.Report(
        title=title, rows=rows, key=lambda row: f"{row.gpu_model}\t{row.against}", note=MODELS_NOTE
    ).with_columns(
        report.Column(key="gpu_model", title=worded("GPU model"), form="name"),
        *figures,
        report.Column(figure=EQUIVALENT["ratio"]),
        report.Column(key="source", title=worded("Ratio")),
    )


H100S: Final = _models(
    worded("GPU models in H100s"),
    model_rates.h100_equivalents,
    *(report.Column(figure=EQUIVALENT[key], media=READ) for key in ("gpu_hours", "rate")),
    *(report.Column(figure=EQUIVALENT[key]) for key in ("h100_gpu_hours", "h100_rate")),
)
PREMIUMS: Final = _models(
    worded("Premium of newer GPU models"),
    model_rates.model_premiums,
    report.Column(key="against", title=worded("Against")),
    *(report.Column(figure=MODEL_PREMIUM[key]) for key in ("gpu_hours", "premium")),
    *(report.Column(figure=MODEL_PREMIUM[key], media=READ) for key in ("rate", "against_rate")),
)
RUN_KINDS: Final = report.Report(
    title=worded("Training runs by model kind"),
    rows=mix.runs_by_kind,
    key=lambda row: row.kind,
    note=worded("10% of runs lie below P10, 10% above P90."),
).with_columns(
    report.named("kind", lambda row: row.kind or None),
    report.text("", worded("Model"), lambda row: row.kind or worded("unknown model"), READ, "name"),
    *(
        report.Column(
            figure=figure, media=READ | (report.DOCUMENT_ALONE if figure.key in DOCUMENTED else frozenset())
        )
        for figure in RUN_KIND.figures
    ),
    *(report.named(f"spread_{name}", partial(_ends, name)) for name in ("usd", "hours")),
)
GAPS: Final = report.Report(
    title=worded("Rates of two GPU models by month"),
    rows=model_rates.price_gaps,
    key=lambda row: f"{row.gpu_model}\t{row.against}\t{row.month}",
    note=worded("Cheapest dated rates, without spot. A rate applies until the next."),
).with_columns(
    report.text("month", worded("Month"), form="name"),
    report.text("gpu_model", worded("GPU model")),
    report.text("against", worded("Against")),
    report.Column(figure=GAP["gap"]),
    report.text("source", worded("Source")),
)
WEEKS: Final = report.Report(
    title=worded("Use by hour of the week, UTC"),
    rows=series.weeks,
    key=lambda row: f"{row.by}\t{row.name}",
    media=report.DOCUMENT_ALONE,
).with_columns(*map(report.named, ("by", "name")), report.named("utilization", "by_hour"))
WEEK_DAYS: Final = report.Report(
    title=worded("Use by hour of the week, UTC"),
    rows=series.days,
    key=lambda row: f"{row.by}\t{row.name}\t{row.day}",
    note=worded("Share of its clusters' paid GPU-hours; over 100%: overflow."),
    media=READ,
).with_columns(
    report.text("name", worded("Class or endpoint"), write_class_or_name, READ, "name"),
    report.text("day", worded("Day"), lambda row: DAYS[row.day], READ),
    *(
        report.Column(figure=figure, media=READ, value=partial(_share_of, hour))
        for hour, figure in enumerate(WEEK.figures)
    ),
)


def _lacks(row: quarter.FlatRate) -> Text:
    return joined((name or worded("unknown") for name in row.lacks), ", ")


COMPARED: Final = READ | report.BRIEF
FLAT_RATES: Final = report.Report(
    title=worded("Today's work at flat rates"),
    rows=quarter.flat_rates,
    key=lambda row: row.provider,
    note=worded("Job GPU-hours at each provider's cheapest on-demand or monthly rate."),
    media=COMPARED,
).with_columns(
    report.text(
        "provider", worded("Provider"), lambda row: row.provider or titles.NOT_STATED, COMPARED, "name"
    ),
    report.text("lacks", worded("Lacks"), _lacks, COMPARED),
    *(report.Column(figure=figure, media=COMPARED) for figure in FLAT.values()),
)
STEPS: Final = (worded("Audit by class"), worded("Latency to users"), worded("Low use"), worded("Flat rates"))
STATES: Final = {
    quarter.DONE: worded("done"),
    quarter.OVER: worded("over"),
    quarter.NEEDS_FILE: worded("needs a file"),
    quarter.NEEDS_ANSWER: worded("needs an answer"),
}


def _no_cost(row: quarter.Step) -> report.Unknown:
    """Network latency has no dollars, which is not unknown."""
    return report.Unknown("", "") if row.step == quarter.LATENCY else report.Unknown("")


QUARTER: Final = report.Report(
    title=worded("This quarter"),
    rows=lambda of: quarter.quarter(of.project, of.audit),
    key=lambda row: str(row.step),
    note=worded("Stranded cost: audit estimate. Flat rates: on demand or monthly."),
).with_columns(
    *map(report.named, ("step", "state", "missing", "figure")),
    report.text("title", worded("Step"), lambda row: STEPS[row.step - 1], READ, "name"),
    report.text("shown_state", worded("State"), lambda row: STATES[row.shown_state], READ),
    report.text("amount", worded("Amount"), media=report.WINDOW | report.SHEET),
    report.Column(figure=STEP_COST, media=report.WINDOW, unknown=_no_cost),
    report.text("result", worded("Result"), media=READ),
    report.text("next_action", worded("Next action"), media=report.EVERYWHERE - report.TERMINAL),
    report.Column(figure=STEP_COST, media=report.EVERYWHERE - report.WINDOW, unknown=_no_cost),
)
"""Of an evaluation."""
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
    "flat_rates": FLAT_RATES,
}
"""Reports about a past, by their names in documents: each in window, terminal, documents and workbook."""
