"""What a fleet's spend is for, as reports: beside published figures, on top of GPUs, by cluster, by GPU model.

All are about a `Past`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from gpuplanner.domain.audit import mix
from gpuplanner.domain.audit.leak_claims import Past
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
from gpuplanner.domain.figures.typed import percent
from gpuplanner.domain.figures.window import CLASS
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.tables import POOL_TITLES, POOLS, Pool
from gpuplanner.domain.model.window import DAYS
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.costs import OF_HELD

Rates = Callable[[Past], Sequence[mix.ModelRate]]
HELD: Final = ("gpu_hours", "cost_per_month")
HIDDEN_SHARE: Final = "hidden_share"
READ: Final = report.WINDOW | report.TERMINAL | report.SHEET


def _range(row: mix.Published) -> Text:
    """From and to as it is published; one where both are the same."""
    ends = [percent(row.low), percent(row.high)][: 1 + (row.low != row.high)]
    return joined(ends, " \u2013 ")


PUBLIC: Final = report.Report(
    title=worded("Published figures beside this fleet's"),
    rows=mix.published_beside,
    key=lambda row: row.key,
    columns=(
        report.named("figure", "key"),
        report.Column(key="title", title=worded("Figure"), media=READ | report.BRIEF, form="name"),
        *map(report.named, ("low", "high")),
        report.Column(key="published", title=worded("Published"), media=READ | report.BRIEF, value=_range),
        *(report.Column(PUBLISHED[key]) for key in ("own", "at_long_run", "to_long_run")),
        report.Column(key="source", title=worded("Source")),
    ),
    note=worded("80:20 is inference of four times what training costs, in $."),
    adds_up=False,
)


def _none_of_these(row: mix.Billed) -> str:
    return ", ".join(row.left_out)


HIDDEN: Final = report.Report(
    title=worded("On top of GPUs, by bill"),
    rows=mix.billed,
    key=lambda row: "",
    columns=(
        *(report.Column(BILL[f"{kind}_billed"]) for kind in KINDS),
        report.Column(BILL["hidden_share"]),
        report.named("left_out", lambda row: list(row.left_out)),
        report.Column(key="none", title=worded("None of these"), media=READ, value=_none_of_these),
    ),
    note=worded(
        "Others put it at 20 to 40%. Services that are none of these are report.named and count in neither."
    ),
    adds_up=False,
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
    figure = replace(CLASS[key], key=f"{pool}_{key}", title=title, short="")
    return report.Column(figure, media=READ, value=lambda row: getattr(row.classes[pool], key))


def _all_three(row: mix.ClusterMix) -> Text:
    return worded("all three") if row.holds_all_three else ""


OF_CLUSTER: Final = report.fields(
    report.inside("classes", report.fields(*map(_inside, POOLS))), "holds_all_three"
)
CLUSTER_CLASSES: Final = report.Report(
    title=worded("Clusters by class"),
    rows=mix.cluster_mixes,
    key=lambda row: row.cluster,
    columns=(
        report.Column(key="cluster", title=worded("Cluster"), media=READ, form="name"),
        *(_of_class(pool, key) for pool in POOLS for key in HELD),
        report.Column(key="all", title=worded("Holds all three"), media=READ, value=_all_three),
    ),
    adds_up=False,
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
        title=title,
        rows=rows,
        key=lambda row: f"{row.gpu_model}\t{row.against}",
        columns=(
            report.Column(key="gpu_model", title=worded("GPU model"), form="name"),
            *figures,
            report.Column(EQUIVALENT["ratio"]),
            report.Column(key="source", title=worded("Ratio")),
        ),
        note=MODELS_NOTE,
        adds_up=False,
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
    title=worded("Training runs by kind of model"),
    rows=mix.runs_by_kind,
    key=lambda row: row.kind,
    columns=(
        report.named("kind", lambda row: row.kind or None),
        report.text("", worded("Model"), lambda row: row.kind or worded("unknown model"), READ, "name"),
        *(
            report.Column(one, media=READ | (report.DOCUMENT_ALONE if one.key in DOCUMENTED else frozenset()))
            for one in RUN_KIND.figures
        ),
        *(report.named(f"spread_{name}", partial(_ends, name)) for name in ("usd", "hours")),
    ),
    note=worded("P10 and P90: a tenth of the runs lie below, a tenth above."),
    adds_up=False,
)
GAPS: Final = report.Report(
    title=worded("Rates of two GPU models by month"),
    rows=mix.price_gaps,
    key=lambda row: f"{row.gpu_model}\t{row.against}\t{row.month}",
    columns=(
        report.text("month", worded("Month"), form="name"),
        report.text("gpu_model", worded("GPU model")),
        report.text("against", worded("Against")),
        report.Column(GAP["gap"]),
        report.text("source", worded("Source")),
    ),
    note=worded("Each at its cheapest rate that says its day, spot left out; a rate holds until the next."),
    adds_up=False,
)
WEEKS: Final = report.Report(
    title=worded("Use by hour of the week, UTC"),
    rows=mix.weeks,
    key=lambda row: f"{row.by}\t{row.name}",
    columns=(*map(report.named, ("by", "name")), report.named("utilization", "by_hour")),
    media=report.DOCUMENT_ALONE,
)
WEEK_DAYS: Final = report.Report(
    title=worded("Use by hour of the week, UTC"),
    rows=mix.days,
    key=lambda row: f"{row.by}\t{row.name}\t{row.day}",
    columns=(
        report.text("name", worded("Class or endpoint"), _class_or_name, READ, "name"),
        report.text("day", worded("Day"), lambda row: DAYS[row.day], READ),
        *(
            report.Column(one, media=READ, value=partial(_share_of, hour))
            for hour, one in enumerate(WEEK.figures)
        ),
    ),
    note=worded("Of the GPU-hours that its clusters are paid for; over 100% some of it overflowed."),
    media=READ,
    adds_up=False,
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
