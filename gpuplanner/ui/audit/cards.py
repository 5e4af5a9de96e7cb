"""Cards of the audit: what they share, classes of workloads, waits of the log, and hardware fit."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.charts.kit.plain_text import sentence, tr
from gpuplanner.domain.audit.result import Audit, ClassShare
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.evidence.workloads import SCOPES
from gpuplanner.domain.figures.waiting import WITH_ROOM
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import PoolFit, WorkloadFit, pool_fits
from gpuplanner.domain.message import Text, lowered, worded
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.queue.rows import WaitsBy
from gpuplanner.domain.reports.clusters import CLASSES
from gpuplanner.domain.reports.waiting import BY_TITLES, LOG_WAITS
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.layout import STRETCH, add, row
from gpuplanner.ui.kit.page_parts import CardFrame, choice_of, muted_label
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Filled, Row, filled_rows, written
from gpuplanner.ui.tables.figure_table import SLACK, FigureTable, LimitedTable
from gpuplanner.ui.tables.report_table import Named, table_columns, table_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of

# --- What cards of the audit share: tables in a frame, and dollars that say what they lack -------

NO_RATE: Final = worded("Unknown: a rate is missing. Import contracts and prices.")


class TablesCard:
    """A frame with tables in it, in the order in which they are read."""

    def __init__(self, frame: CardFrame, *tables: FigureTable | LimitedTable) -> None:
        self.frame, self._tables = frame, tables

    def as_text(self) -> Text:
        """Its rows as text."""
        return "\n".join(table.as_text() for table in self._tables)


def usd_cell(usd: float | None, figure_id: str, *, is_strong: bool = False) -> Cell:
    """Whole dollars a month, with the cents in the tip; of unknown ones what is missing."""
    tip = NO_RATE if usd is None else numbers.cents(usd)
    asked = "" if usd is None else figure_id
    return written(numbers.whole, usd, is_strong=is_strong, tip=tip, figure_id=asked)


# --- Classes of the audit: workloads, jobs, GPU-hours, share and $ a month of each ---------------


class ClassesCard(TablesCard):
    """Told what is shown."""

    def __init__(self) -> None:
        self.table = FigureTable(tr(CLASSES.title))
        super().__init__(CardFrame(tr(CLASSES.title), tr("classes of the workloads")), self.table)
        self.frame.note(tr("Allocated and overflow; idle GPUs have no workload"))
        add(self.frame.body, self.table, STRETCH)

    def show_state(self, shown: ViewState) -> None:
        """Show the classes of an audit."""
        evaluation = shown.evaluation
        self.frame.say(in_review(evaluation.project, evaluation.audit) or tr("classes of the workloads"))
        self.table.show_whole(table_columns(CLASSES), table_rows(CLASSES, evaluation.audit, named=_named))


def in_review(project: Project, audit: Audit) -> str:
    """How many workloads nobody is sure of yet, and how much of the GPU-hours; empty where there are none."""
    below = project.assumptions.review_below
    unsure = [
        workload.milli_gpu_seconds
        for workload, row in zip(project.workloads, audit.workloads, strict=True)
        if row.classification.confidence < below and not row.classification.is_settled and workload.gpu_jobs
    ]
    every = sum(workload.milli_gpu_seconds for workload in project.workloads)
    if not unsure or not every:
        return ""
    count, share = numbers.counted(len(unsure), "workload"), numbers.percent(sum(unsure) / every)
    return tr("{workloads} in review, {unsure} of GPU-h", workloads=count, unsure=share)


def _named(row: ClassShare) -> Named:
    """The class with the icon and colour of its column on the board."""
    lane = lane_of(row.pool)
    return Named(lane.title, lane.icon, f"lane:{lane}")


# --- How long jobs waited: of pools, teams, GPU models, sizes or hours of the week, who waited most first

MOST_NAMES: Final = 8
OF_ONE_KIND: Final = replace(LOG_WAITS, columns=tuple(one for one in LOG_WAITS.columns if one.name != "by"))


class WaitsCard(TablesCard):
    """Told the log's own waits; hidden where there are none."""

    def __init__(self) -> None:
        self.limited = LimitedTable(LOG_WAITS.title)
        frame = CardFrame(tr(LOG_WAITS.title), tr("of jobs submitted in the lookback period"))
        super().__init__(frame, self.limited)
        self.waits: tuple[WaitsBy, ...] = ()
        choices = ((title, by) for by, title in BY_TITLES.items())
        self.by = choice_of(tr("By"), worded("Grouping of waits"), choices, lambda _: self._list())
        add(frame.body, row(self.by, STRETCH), self.limited, STRETCH)
        frame.hide()

    def show_state(self, shown: ViewState) -> None:
        """They are not of the audit: `show_waits` is told of them."""

    def show_waits(self, rows: tuple[WaitsBy, ...]) -> None:
        """Show them."""
        self.waits = rows
        self.frame.setVisible(bool(rows))
        with_room = next((row.waited_with_room for row in rows if row.waited_with_room is not None), None)
        self.frame.note(
            "" if with_room is None else worded("With GPUs free: {what}", what=lowered(WITH_ROOM))
        )
        self._list()

    def _list(self) -> None:
        """The names of what is chosen."""
        waits = [row for row in self.waits if row.by == self.by.currentData()]
        waits.sort(key=lambda row: 0.0 if row.by == "month" else -row.waited_gpu_hours)
        self.limited.show_rows(
            table_columns(OF_ONE_KIND), table_rows(OF_ONE_KIND, waits), MOST_NAMES, tr("more")
        )


# --- Hardware fit on the audit page: lights of the workloads by class, and the most expensive that do not fit well

ICONS: Final = {"red": ("octagon", "red"), "amber": ("triangle", "amber"), "green": ("tick", "green")}


def _pool_cell(fit: PoolFit) -> Cell:
    lane = lane_of(fit.pool)
    return Cell(text=lane.title, is_strong=True, icon=lane.icon, icon_role=f"lane:{lane}")


def _count_cell(fit: PoolFit, scope: str) -> Cell:
    """How many workloads of a class have a light."""
    count = fit.workloads.get(SCOPES[scope], 0)
    icon, role = ICONS.get(scope, ("", "muted"))
    text_role, figure_id = "text" if count else "muted", figure("fit", fit.pool, scope)
    look = {"icon": icon if count else "", "icon_role": role}
    return written(numbers.whole, count, text_role, figure_id=figure_id, **look)


def _red_cost_cell(fit: PoolFit) -> Cell:
    """What those of a class cost that do not fit."""
    return usd_cell(fit.usd_per_month[Light.RED], figure("fit_cost", fit.pool, "red"), is_strong=True)


CLASS_COLUMNS: Final[tuple[Filled[PoolFit], ...]] = (
    Filled(title="Workloads", is_figure=False, cell=_pool_cell),
    Filled(title="Does\nnot fit", cell=lambda fit: _count_cell(fit, "red")),
    Filled(title="Fits at\na cost", cell=lambda fit: _count_cell(fit, "amber")),
    Filled(title="\nFits", cell=lambda fit: _count_cell(fit, "green")),
    Filled(title="Not\nknown", cell=lambda fit: _count_cell(fit, "unknown")),
    Filled(title="Does not fit\n$ per month", cell=_red_cost_cell),
)
Unfit = tuple[WorkloadFit, Workload, float | None]
"""A workload that does not fit well, and what it costs, $ per month."""
MOST_EXPENSIVE_COLUMNS: Final[tuple[Filled[Unfit], ...]] = (
    Filled(title="Most expensive first", is_figure=False, width=190, cell=lambda fit: _unfit_cell(*fit)),
    Filled(title="Why", is_figure=False, is_cut_at_end=True, cell=lambda fit: _why_cell(fit[0])),
    Filled(title="\n$ per month", cell=lambda fit: usd_cell(fit[2], figure("workload_cost", fit[1].key))),
)
MOST: Final = 5


class FitCard(TablesCard):
    """Told what is shown; the fit settles a moment after the audit."""

    def __init__(self) -> None:
        self.said = muted_label(tr("Calculating…"), is_wrapped=False)
        self.table = FigureTable(tr("Hardware fit by class"))
        self.expensive = LimitedTable(tr("Most expensive poor fits"))
        frame = CardFrame(tr("Hardware fit"), tr("on their hardware"))
        super().__init__(frame, self.table, self.expensive)
        add(frame.body, self.said, self.table, 6, self.expensive, STRETCH)

    def show_state(self, shown: ViewState) -> None:
        """Show the lights of every workload."""
        fit = shown.fit
        self.said.setVisible(fit is None)
        self.table.setVisible(fit is not None)
        self.expensive.setVisible(bool(fit))
        if fit is None:
            return
        usd = {row.key: row.usd_per_month for row in shown.evaluation.audit.workloads}
        self.table.show_whole(CLASS_COLUMNS, filled_rows(CLASS_COLUMNS, pool_fits(fit, usd)))
        unfit = most_expensive(shown.evaluation, fit)

        def rows(most: int | None = None) -> list[Row]:
            """Rows of the first ones, or of all."""
            return filled_rows(MOST_EXPENSIVE_COLUMNS, unfit[:most])

        self.expensive.setVisible(bool(unfit))
        self.expensive.show_rows(
            MOST_EXPENSIVE_COLUMNS, rows(MOST + SLACK), MOST, tr("more workloads"), len(unfit), rows
        )


def most_expensive(evaluation: Evaluation, fit: tuple[WorkloadFit, ...]) -> Sequence[Unfit]:
    """Workloads that do not fit, then those that fit at a cost; the most expensive of each first."""
    project, audit = evaluation.project, evaluation.audit
    unfit = [
        (row, project.workloads[place], audit.workloads[place].usd_per_month)
        for place, row in enumerate(fit)
        if row.light in (Light.RED, Light.AMBER)
    ]
    unfit.sort(key=lambda row: (row[0].light is not Light.RED, row[2] is None, -(row[2] or 0.0), row[1].key))
    return unfit


def _unfit_cell(fit: WorkloadFit, workload: Workload, _usd: float | None) -> Cell:
    icon, role = ICONS["red" if fit.light is Light.RED else "amber"]
    return Cell(text=workload.name, is_strong=True, icon=icon, icon_role=role, tip=workload.name)


def _why_cell(fit: WorkloadFit) -> Cell:
    why = sentence(fit.reasons)
    return Cell(text=why, role="muted", tip=why)
