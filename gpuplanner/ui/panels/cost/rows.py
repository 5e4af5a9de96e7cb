"""The tables of the panel Cost: columns and rows of runs, models, endpoints, experiments and what changed."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from gpuplanner.app.questions.costing import Costs
from gpuplanner.domain.audit.cost_result import ClusterVariance, EndpointCost, ModelCost, RunCost
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.evidence.trace_costs import model_subject, run_subject
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.worded import worded
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

TOTAL_KEY: Final = "\0total"
SOURCES: Final = {"log": "", "name": worded("from the name"), "unknown": worded("named by nobody")}


@dataclass(frozen=True, slots=True)
class CostView:
    """One table: its name in the chooser, its columns, what it says on top, and its rows."""

    name: str
    title: str
    columns: tuple[Column, ...]
    caption: Callable[[Costs], str]
    rows: Callable[[Costs], list[Row]]
    empty: str


def run_key(run: RunCost) -> str:
    """What tells one run from all others."""
    return f"{run.key}\0{run.start_s}"


def model_key(model: ModelCost) -> str:
    """What tells one model's row from all others."""
    return f"{model.source}\0{model.model}"


RUNS_LISTED: Final = 500
"""A log of a year has tens of thousands of runs: nobody reads them, and their rows would hold up the window."""


def time_text(at_s: int) -> str:
    """16 Aug, 04:00."""
    return tr(
        "{date}, {time}", date=numbers.short_date(at_s), time=f"{datetime.fromtimestamp(at_s, UTC):%H:%M}"
    )


def _name(name: str, tip: str = "", note: str = "") -> Cell:
    return Cell(f"{name}{numbers.MIDDOT}{note}" if note else name, tip=tip)


def _asked(text: str, value: float | None, kind: str, subject: str, is_strong: bool = True) -> Cell:
    """A cell that can be asked about where its value is known."""
    return Cell(text, is_strong=is_strong, figure_id="" if value is None else figure(kind, subject))


def _runs_caption(costs: Costs) -> str:
    hours = costs.unit.run_gap_hours
    usd = known_sum([run.usd for run in costs.unit.runs])
    said = tr(
        "{runs}, {usd} in the window",
        runs=numbers.counted(len(costs.unit.runs), "run"),
        usd=numbers.dollars(usd),
    )
    listed = (
        tr("; the {runs_listed} dearest are listed", runs_listed=numbers.whole(RUNS_LISTED))
        if len(costs.unit.runs) > RUNS_LISTED
        else ""
    )
    return tr(
        "{said}; a gap of over {hours} h ends a run{listed}",
        said=said,
        hours=numbers.significant(hours),
        listed=listed,
    )


def _run_rows(costs: Costs) -> list[Row]:
    return [
        Row(
            (
                _name(run.name, tip=run.key),
                Cell(numbers.short_date(run.start_s), "muted"),
                Cell(numbers.gpus(run.mean_gpus), figure_id=figure("run_gpus", run_subject(run))),
                Cell(numbers.whole(run.gpu_hours), figure_id=figure("run_hours", run_subject(run))),
                _asked(numbers.whole(run.usd), run.usd, "run_usd", run_subject(run)),
            ),
            key=run_key(run),
        )
        for run in costs.unit.runs[:RUNS_LISTED]
    ]


def _models_caption(costs: Costs) -> str:
    usd = known_sum([row.usd_per_month for row in costs.unit.models])
    named = sum(row.model is not None for row in costs.unit.models)
    return tr(
        "{models}; all workloads together {usd} per month",
        models=numbers.counted(named, "model"),
        usd=numbers.dollars(usd),
    )


def _model_rows(costs: Costs) -> list[Row]:
    return [
        Row(
            (
                _name(
                    row.model or tr("Unknown model"),
                    note="" if not row.model else SOURCES[row.source],
                ),
                Cell(numbers.whole(len(row.parts)), figure_id=figure("model_workloads", model_subject(row))),
                Cell(numbers.whole(row.gpu_hours), figure_id=figure("model_hours", model_subject(row))),
                _asked(numbers.whole(row.usd_per_month), row.usd_per_month, "model_usd", model_subject(row)),
            ),
            key=model_key(row),
        )
        for row in costs.unit.models
    ]


def _endpoints_caption(costs: Costs) -> str:
    usd = known_sum([row.usd_per_month for row in costs.unit.endpoints])
    premium = numbers.dollars(costs.unit.premium_usd_per_month)
    said = tr(
        "{endpoints}, {usd} per month",
        endpoints=numbers.counted(len(costs.unit.endpoints), "endpoint"),
        usd=numbers.dollars(usd),
    )
    return tr("{said}; premium {premium}", said=said, premium=premium)


def _per_million(row: EndpointCost) -> str:
    rate = row.tokens.usd_per_million_tokens if row.tokens is not None else None
    return numbers.UNKNOWN if rate is None else numbers.rate(rate)


def _endpoint_rows(costs: Costs) -> list[Row]:
    return [
        Row(
            (
                _name(row.name, tip=row.key),
                _asked(
                    numbers.whole(row.idle_usd_per_month),
                    row.idle_usd_per_month,
                    "endpoint_idle",
                    row.key,
                    False,
                ),
                _asked(
                    _per_million(row),
                    None if row.tokens is None else row.tokens.usd_per_million_tokens,
                    "endpoint_tokens",
                    row.key,
                    False,
                ),
                _asked(
                    numbers.whole(row.premium.usd_per_month),
                    row.premium.usd_per_month,
                    "endpoint_premium",
                    row.key,
                    False,
                ),
                _asked(numbers.whole(row.usd_per_month), row.usd_per_month, "endpoint_usd", row.key),
            ),
            key=row.key,
        )
        for row in costs.unit.endpoints
    ]


def _experiments_caption(costs: Costs) -> str:
    usd = known_sum([row.usd_per_month for row in costs.unit.experiments])
    return tr(
        "{experiments}, {usd} per month",
        experiments=numbers.counted(len(costs.unit.experiments), "experiment"),
        usd=numbers.dollars(usd),
    )


def _experiment_rows(costs: Costs) -> list[Row]:
    return [
        Row(
            (
                _name(row.name, tip=row.key),
                Cell(numbers.whole(row.jobs), figure_id=figure("experiment_jobs", row.key)),
                _asked(
                    numbers.UNKNOWN if row.usd_per_job is None else numbers.rate(row.usd_per_job),
                    row.usd_per_job,
                    "experiment_job_usd",
                    row.key,
                    False,
                ),
                _asked(numbers.whole(row.usd_per_month), row.usd_per_month, "experiment_usd", row.key),
            ),
            key=row.key,
        )
        for row in costs.unit.experiments
    ]


def _changes_caption(costs: Costs) -> str:
    change = costs.variance.change_usd_per_month
    if change is None:
        return tr("A contract without a rate: ask for a quote")
    return tr(
        "{change} per month for contracts; what overflowed is not in it", change=numbers.dollar_change(change)
    )


def _change_cells(
    name: str, cluster: str, before: float | None, row: object, after: float | None
) -> tuple[Cell, ...]:
    def cell(text: str, usd: float | None, scope: str, is_strong: bool = False) -> Cell:
        asked = "" if usd is None else figure("changed", cluster, scope)
        return Cell(text, is_strong=is_strong, figure_id=asked)

    parts = [(part, getattr(row, f"{part}_usd_per_month")) for part in ("volume", "efficiency", "price")]
    return (
        Cell(name),
        cell(numbers.whole(before), before, "before"),
        *(cell(numbers.change(usd), usd, part) for part, usd in parts),
        cell(numbers.whole(after), after, "after", True),
    )


def _change_rows(costs: Costs) -> list[Row]:
    found = costs.variance
    rows = [
        Row(
            _change_cells(row.cluster, row.cluster, row.before.usd_per_month, row, row.after.usd_per_month),
            key=row.cluster,
        )
        for row in found.clusters
    ]
    total = _change_cells(tr("Total"), "", found.before_usd_per_month, found, found.after_usd_per_month)
    return [*rows, Row(total, is_total=True, key=TOTAL_KEY)]


VIEWS: Final = (
    CostView(
        "runs",
        worded("Training runs"),
        (
            Column("Run", False),
            Column("Start"),
            Column("Mean\nGPUs"),
            Column("GPU-h"),
            Column("$ of\nthe run"),
        ),
        _runs_caption,
        _run_rows,
        worded("No workload is classed training."),
    ),
    CostView(
        "models",
        worded("Models"),
        (Column("Model", False), Column("Workloads"), Column("GPU-h in\nthe window"), Column("$ per\nmonth")),
        _models_caption,
        _model_rows,
        worded("No workload had GPU time."),
    ),
    CostView(
        "endpoints",
        worded("Endpoints"),
        (
            Column("Endpoint", False),
            Column("Inactive, $\nper month"),
            Column("$ per 1M\ntokens"),
            Column("Premium, $\nper month"),
            Column("$ per\nmonth"),
        ),
        _endpoints_caption,
        _endpoint_rows,
        worded("No workload is classed inference."),
    ),
    CostView(
        "experiments",
        worded("Experiments"),
        (Column("Experiment", False), Column("Jobs"), Column("$ per job"), Column("$ per\nmonth")),
        _experiments_caption,
        _experiment_rows,
        worded("No workload is a sweep or a search."),
    ),
    CostView(
        "changes",
        worded("What changed"),
        (
            Column("Cluster, $\nper month", False),
            Column("Before"),
            Column("Volume"),
            Column("Efficiency"),
            Column("Price"),
            Column("After"),
        ),
        _changes_caption,
        _change_rows,
        "",
    ),
)


def cluster_named(costs: Costs, key: str) -> ClusterVariance | None:
    """The cluster of a row; None for the total."""
    return next((row for row in costs.variance.clusters if row.cluster == key), None)
