"""The card of hardware fit: workloads by class, and the most expensive that do not fit."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.charts.kit.translation import sentence, tr
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.evidence.workloads import SCOPES
from gpuplanner.domain.fit.pool_fit import PoolFit, pool_fits
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.model.cube import Workload
from gpuplanner.ui.audit.cards import TablesCard, usd_cell
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.layout import STRETCH, add
from gpuplanner.ui.kit.page_parts import muted_label
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Filled, Row, filled_rows, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.limited_table import SLACK, LimitedTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of

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


class Unfit(NamedTuple):
    """A workload that does not fit well, and what it costs, $ per month."""

    fit: WorkloadFit
    workload: Workload
    usd_per_month: float | None


def _unfit_usd_cell(unfit: Unfit) -> Cell:
    """What it costs."""
    return usd_cell(unfit.usd_per_month, figure("workload_cost", unfit.workload.key))


MOST_EXPENSIVE_COLUMNS: Final[tuple[Filled[Unfit], ...]] = (
    Filled(
        title="Most expensive first",
        is_figure=False,
        width=190,
        cell=lambda unfit: _unfit_cell(unfit.fit, unfit.workload),
    ),
    Filled(title="Why", is_figure=False, is_cut_at_end=True, cell=lambda unfit: _why_cell(unfit.fit)),
    Filled(title="\n$ per month", cell=_unfit_usd_cell),
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
        Unfit(row, project.workloads[place], audit.workloads[place].usd_per_month)
        for place, row in enumerate(fit)
        if row.light in (Light.RED, Light.AMBER)
    ]
    unfit.sort(key=_most_expensive_first)
    return unfit


def _most_expensive_first(unfit: Unfit) -> tuple[bool, bool, float, str]:
    """What does not fit comes before what fits at a cost, unknown costs last."""
    usd = unfit.usd_per_month
    return unfit.fit.light is not Light.RED, usd is None, -(usd or 0.0), unfit.workload.key


def _unfit_cell(fit: WorkloadFit, workload: Workload) -> Cell:
    icon, role = ICONS["red" if fit.light is Light.RED else "amber"]
    return Cell(text=workload.name, is_strong=True, icon=icon, icon_role=role, tip=workload.name)


def _why_cell(fit: WorkloadFit) -> Cell:
    why = sentence(fit.reasons)
    return Cell(text=why, role="muted", tip=why)
