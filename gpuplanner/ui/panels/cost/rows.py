"""The tables of the panel Cost: columns and rows of runs, models, endpoints, experiments and what changed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from gpuplanner.app.questions.costing import Costs
from gpuplanner.domain.audit.cost_result import ClusterVariance
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.worded import worded
from gpuplanner.domain.reports.costs import ENDPOINTS, EXPERIMENTS, MODELS, RUNS, RUNS_LISTED
from gpuplanner.domain.reports.report import Report
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

TOTAL_KEY: Final = "\0total"


@dataclass(frozen=True, slots=True)
class CostView:
    """One table: its name in the chooser, its columns, what it says on top, and its rows."""

    name: str
    title: str
    columns: Callable[[], tuple[Column, ...]]
    caption: Callable[[Costs], str]
    rows: Callable[[Costs], Sequence[Row]]
    empty: str


def time_text(at_s: int) -> str:
    """16 Aug, 04:00."""
    return tr(
        "{date}, {time}", date=numbers.short_date(at_s), time=f"{datetime.fromtimestamp(at_s, UTC):%H:%M}"
    )


def _runs_caption(costs: Costs) -> str:
    hours = costs.unit.run_gap_hours
    usd = known_sum([run.cost for run in costs.unit.runs])
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


def _models_caption(costs: Costs) -> str:
    usd = known_sum([row.cost_per_month for row in costs.unit.models])
    named = sum(row.model is not None for row in costs.unit.models)
    return tr(
        "{models}; all workloads together {usd} per month",
        models=numbers.counted(named, "model"),
        usd=numbers.dollars(usd),
    )


def _endpoints_caption(costs: Costs) -> str:
    usd = known_sum([row.cost_per_month for row in costs.unit.endpoints])
    premium = numbers.dollars(costs.unit.premium_per_month)
    said = tr(
        "{endpoints}, {usd} per month",
        endpoints=numbers.counted(len(costs.unit.endpoints), "endpoint"),
        usd=numbers.dollars(usd),
    )
    return tr("{said}; premium {premium}", said=said, premium=premium)


def _experiments_caption(costs: Costs) -> str:
    usd = known_sum([row.cost_per_month for row in costs.unit.experiments])
    return tr(
        "{experiments}, {usd} per month",
        experiments=numbers.counted(len(costs.unit.experiments), "experiment"),
        usd=numbers.dollars(usd),
    )


def _changes_caption(costs: Costs) -> str:
    change = costs.variance.change_usd_per_month
    if change is None:
        return tr("A contract without a rate: ask for a quote")
    return tr(
        "{change} per month for contracts; what overflowed is not in it", change=numbers.dollar_change(change)
    )


def _change_columns() -> tuple[Column, ...]:
    parts = ("Before", "Volume", "Efficiency", "Price", "After")
    return (Column("Cluster, $\nper month", False), *(Column(part) for part in parts))


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


def _of_report(name: str, report: Report, caption: Callable[[Costs], str], empty: str) -> CostView:
    def columns() -> tuple[Column, ...]:
        return table_columns(report)

    def rows(costs: Costs) -> Sequence[Row]:
        return table_rows(report, costs.unit, are_opened=True)

    return CostView(name, report.title, columns, caption, rows, empty)


VIEWS: Final = (
    _of_report("runs", RUNS, _runs_caption, worded("No workload is classed training.")),
    _of_report("models", MODELS, _models_caption, worded("No workload had GPU time.")),
    _of_report("endpoints", ENDPOINTS, _endpoints_caption, worded("No workload is classed inference.")),
    _of_report(
        "experiments", EXPERIMENTS, _experiments_caption, worded("No workload is a sweep or a search.")
    ),
    CostView("changes", worded("What changed"), _change_columns, _changes_caption, _change_rows, ""),
)


def cluster_named(costs: Costs, key: str) -> ClusterVariance | None:
    """The cluster of a row; None for the total."""
    return next((row for row in costs.variance.clusters if row.cluster == key), None)
