"""The tables of the panel Cost: runs, models, endpoints, experiments, what changed, and who pays."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.app.past.costing import Costs
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.audit.cost_result import ChargeBy, ClusterVariance, shared_words
from gpuplanner.domain.audit.variance import NO_CONTRACTS
from gpuplanner.domain.commitment.result import PlanEnergy
from gpuplanner.domain.figures.changes import CELLS
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.reports import use
from gpuplanner.domain.reports.cash import READ_WITH_PLAN
from gpuplanner.domain.reports.changes import CHANGES
from gpuplanner.domain.reports.costs import (
    BUSINESS_COSTS,
    CHARGES,
    ENDPOINTS,
    EXPERIMENTS,
    MODELS,
    RETRAININGS,
    RUNS,
    RUNS_LISTED,
    report_of,
)
from gpuplanner.domain.reports.mix import OF_PAST, QUARTER
from gpuplanner.domain.reports.report import Medium, Report
from gpuplanner.domain.reports.series import MONTHS, NO_ROWS
from gpuplanner.domain.reports.training import OF_PAST_RUNS
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.state.waterfall_steps import Amount, whole_amounts
from gpuplanner.ui.tables.cells import Column, Row
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.waterfall import StepKind

KINDS: Final[tuple["StepKind", ...]] = ("start", "step", "step", "step", "result")
"""What the cells of a row of What changed are as bars."""
MOST_WHYS: Final = 3
"""Rows whose reason is said over the table; each has it as its tip."""
BUSINESS_VIEW: Final = "business"
TOTAL_KEY: Final = "\0total"
_EMPTY, _ALSO = words_table("cost_empty"), words_table("cost_also")
"""What a table says without rows, and other words that people look for it by, by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostView:
    """One table: its name in the chooser, its report, what it says on top, and its rows."""

    name: str
    report: Callable[[Costs], Report]
    title: Text
    caption: Callable[[Costs], str]
    rows: Callable[[Costs], Sequence[Row]]
    empty: Text

    by: ChargeBy | None = None
    also: Text = ""

    def columns(self, costs: Costs) -> tuple[Column, ...]:
        """Its columns, as the window heads them."""
        return table_columns(self.report(costs))


def time_text(at_s: int) -> str:
    """16 Aug, 04:00."""
    time = f"{datetime.fromtimestamp(at_s, UTC):%H:%M}"
    return tr("{first}, {second}", first=numbers.short_date(at_s), second=time)


def _runs_caption(costs: Costs) -> str:
    hours = costs.unit.run_gap_hours
    usd = known_sum([run.cost for run in costs.unit.runs])
    runs = numbers.counted(len(costs.unit.runs), "run")
    words = tr("{runs}, {usd} in the lookback period", runs=runs, usd=numbers.dollars(usd))
    words = tr("{said}; a gap over {hours} h ends a run", said=words, hours=numbers.significant(hours))
    if len(costs.unit.runs) <= RUNS_LISTED:
        return words
    return tr("{said}; the {count} most expensive are listed", said=words, count=numbers.whole(RUNS_LISTED))


def _models_caption(costs: Costs) -> str:
    usd = known_sum([row.cost_per_month for row in costs.unit.models])
    named = sum(row.model is not None for row in costs.unit.models)
    models, per_month = numbers.counted(named, "model"), numbers.dollars(usd)
    return tr("{models}; all workloads together {usd} per month", models=models, usd=per_month)


def _endpoints_caption(costs: Costs) -> str:
    usd = known_sum([row.cost_per_month for row in costs.unit.endpoints])
    premium = numbers.dollars(costs.unit.premium_per_month)
    count = numbers.counted(len(costs.unit.endpoints), "endpoint")
    words = tr("{endpoints}, {usd} per month", endpoints=count, usd=numbers.dollars(usd))
    return tr("{said}; consolidation premium {premium}", said=words, premium=premium)


def _experiments_caption(costs: Costs) -> str:
    usd = known_sum([row.cost_per_month for row in costs.unit.experiments])
    count = numbers.counted(len(costs.unit.experiments), "experiment")
    return tr("{experiments}, {usd} per month", experiments=count, usd=numbers.dollars(usd))


def _changes_caption(costs: Costs) -> str:
    if (change := costs.variance.change_per_month) is None:
        if any(row.note is NO_CONTRACTS for row in costs.variance.clusters):
            return sentence(NO_CONTRACTS)
        return tr("A contract has no rate: ask for a quote")
    return tr("{change} per month for contracts, without overflow", change=numbers.dollar_change(change))


def _energy_caption(costs: Costs) -> str:
    energy = costs.energy
    return tr(
        "{kwh} kWh per month, {peak} kW in the largest hour, including PUE",
        kwh=numbers.whole(energy.kwh_per_month),
        peak=numbers.one_decimal(energy.peak_kw),
    )


def _retraining_caption(costs: Costs) -> str:
    known = sum(row.days_between is not None for row in costs.retraining)
    workloads = numbers.counted(len(costs.retraining), "training workload")
    words = tr("{known} of {workloads} ran repeatedly", known=numbers.whole(known), workloads=workloads)
    hours = numbers.significant(costs.unit.run_gap_hours)
    return tr("{said}; a gap over {hours} h ends a run", said=words, hours=hours)


def _business_caption(costs: Costs) -> str:
    """How the counts are laid on hours, what month 12 leaves unserved, and why some of it is unknown."""
    left = next((row.unserved for row in costs.business if row.unserved), None)
    unserved = (
        tr("Month 12 leaves {gpu_hours} GPU-h unserved, not in its $.", gpu_hours=numbers.whole(left))
        if left
        else ""
    )
    whys = [
        tr("{name}, {month}: {why}", name=row.name, month=row.month, why=spoken(row.unknown))
        for row in costs.business
        if row.unknown
    ]
    return " ".join(filter(None, (unserved, spoken(BUSINESS_COSTS.note), *whys[:MOST_WHYS])))


def _plan_energy_caption(costs: Costs) -> str:
    """The plan's beside that of today."""
    plan, today = _plan_energy(costs) or PlanEnergy(), costs.energy
    return tr(
        "First month {kwh} kWh, largest hour of 12 months {peak} kW; today {kwh_now} kWh per "
        "month, {peak_now} kW",
        kwh=numbers.whole(plan.kwh_per_month),
        peak=numbers.one_decimal(plan.peak_kw),
        kwh_now=numbers.whole(today.kwh_per_month),
        peak_now=numbers.one_decimal(today.peak_kw),
    )


def _change_rows(costs: Costs) -> Sequence[Row]:
    """Clusters, and last the total, which can be opened too; each row adds up as its bars do."""
    *rows, total = table_rows(CHANGES, costs.variance, are_opened=True)
    clusters = CHANGES.rows_in(Medium.WINDOW, costs.variance)
    made = [_adding_up(row, of) for row, of in zip(rows, clusters, strict=True)]
    return [*made, _adding_up(replace(total, key=TOTAL_KEY), costs.variance)]


def _adding_up(row: Row, of: object) -> Row:
    """A row whose whole dollars come from the cost before to the cost after: rounded as its waterfall is."""
    name, *cells = row.cells
    amounts = [
        Amount(name="", note="", usd=getattr(of, key), kind=kind)
        for key, kind in zip(CELLS, KINDS, strict=True)
    ]
    written = [
        cell
        if usd is None
        else replace(cell, text=numbers.change(usd) if kind == "step" else numbers.whole(float(usd)))
        for cell, usd, kind in zip(cells, whole_amounts(amounts), KINDS, strict=True)
    ]
    return replace(row, cells=(name, *written))


def _of_report(
    name: str,
    report: Report,
    caption: Callable[[Costs], str],
    about: Callable[[Costs], Any] = lambda costs: costs.unit,
    *,
    is_opened: bool = True,
) -> CostView:
    """A table under the words of its caption, whose rows can be opened. about: what is reported on."""

    def rows(costs: Costs) -> Sequence[Row]:
        return table_rows(report, about(costs), are_opened=is_opened)

    also = _ALSO.get(name, "")
    return CostView(
        name=name,
        report=lambda costs: report,
        title=report.title,
        caption=caption,
        rows=rows,
        empty=_EMPTY.get(name, ""),
        also=also,
    )


def _of_energy(name: str, report: Report) -> CostView:
    made = _of_report(name, report, _energy_caption, lambda costs: costs, is_opened=False)
    return replace(made, also=_ALSO["energy"])


def _who_pays(by: ChargeBy) -> CostView:
    def report(costs: Costs) -> Report:
        return report_of(costs.charges[by])

    def caption(costs: Costs) -> str:
        found = costs.charges[by]
        usd, shared = numbers.dollars(found.whole.total_in_window), spoken(shared_words(found.rule))
        return tr("{usd} in the lookback period; {shared}", usd=usd, shared=shared)

    def rows(costs: Costs) -> Sequence[Row]:
        found = costs.charges[by]
        return table_rows(report_of(found), found, are_opened=True) if found.rows else ()

    title, empty, also = CHARGES[by].title, _EMPTY["charges"], _ALSO["charges"]
    return CostView(
        name=f"charges_{by}",
        report=report,
        title=title,
        caption=caption,
        rows=rows,
        empty=empty,
        by=by,
        also=also,
    )


def _of_note(
    name: str,
    report: Report,
    about: Callable[[Costs], Any],
    empty: Text,
    caption: Callable[[Costs], str] | None = None,
) -> CostView:
    """A table of values under its note. about: what is reported on; None: there is none."""

    def rows(costs: Costs) -> Sequence[Row]:
        found = about(costs)
        return table_rows(report, found) if found is not None and report.rows(found) else ()

    says = caption or (lambda costs: spoken(report.note))
    return CostView(
        name=name,
        report=lambda costs: report,
        title=report.title,
        caption=says,
        rows=rows,
        empty=empty,
        also=_ALSO.get(name, ""),
    )


def _plan_energy(costs: Costs) -> PlanEnergy | None:
    return costs.plan.advice.energy if costs.plan and costs.plan.advice else None


_OF_PLAN: Final = (
    _of_note("energy_of_plan", use.ENERGY_OF_PLAN, _plan_energy, _EMPTY["plan"], _plan_energy_caption),
    *(_of_note(name, of, lambda costs: costs.plan, _EMPTY["plan"]) for name, of in READ_WITH_PLAN.items()),
)
_BUSINESS: Final = _of_note(
    BUSINESS_VIEW, BUSINESS_COSTS, lambda costs: costs.business, _EMPTY[BUSINESS_VIEW], _business_caption
)
MONTHS_VIEW: Final = "months"
OF_PLAN: Final = frozenset(view.name for view in _OF_PLAN)
"""Views that move where a plan does."""
VIEWS: Final = (
    _of_report("runs", RUNS, _runs_caption),
    _of_report("models", MODELS, _models_caption),
    _of_report("endpoints", ENDPOINTS, _endpoints_caption),
    _of_report("experiments", EXPERIMENTS, _experiments_caption),
    _of_energy("energy", use.ENERGY_OF_CONTRACTS),
    _of_energy("energy_of_teams", use.ENERGY_OF_TEAMS),
    _of_energy("energy_of_workloads", use.ENERGY_OF_WORKLOADS),
    _of_report("retraining", RETRAININGS, _retraining_caption, lambda costs: costs.retraining),
    replace(_BUSINESS, title=worded("Business figures")),
    *_OF_PLAN,
    _of_note("quarter", QUARTER, lambda costs: costs.today, _EMPTY["held"]),
    *(
        _of_note(name, of, lambda costs: costs.past, _EMPTY["past_runs" if name in OF_PAST_RUNS else "held"])
        for name, of in OF_PAST.items()
    ),
    _of_note(MONTHS_VIEW, MONTHS, lambda costs: costs.by_month, NO_ROWS),
    replace(_of_report("changes", CHANGES, _changes_caption), rows=_change_rows),
    *map(_who_pays, ChargeBy),
)


def cluster_named(costs: Costs, key: str) -> ClusterVariance | None:
    """The cluster of a row; None for the total."""
    return next((row for row in costs.variance.clusters if row.cluster == key), None)
