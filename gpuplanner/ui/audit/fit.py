"""Hardware fit on the audit page: lights of the workloads by class, and the most expensive that do not fit well."""

from typing import Final

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.evidence.trace_fit import SCOPES
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.fit.pool_fit import PoolFit, pool_fits
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.limited_table import SLACK, LimitedTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import sentence, tr

COLUMNS: Final = (
    Column("Workloads", False),
    Column("Does\nnot fit"),
    Column("Fits at\na cost"),
    Column("\nFits"),
    Column("Not\nknown"),
    Column("Does not fit\n$ per month"),
)
ICONS: Final = {"red": ("octagon", "red"), "amber": ("triangle", "amber"), "green": ("tick", "green")}
MOST_EXPENSIVE_COLUMNS: Final = (
    Column("Most expensive first", False, 190),
    Column("Why", False, is_cut_at_end=True),
    Column("\n$ per month"),
)
SETTLING: Final = worded("Working out which hardware fits.")
NO_RATE: Final = worded("Unknown: a rate is missing. Import contracts and prices.")
MOST: Final = 5


class FitCard:
    """Told what is shown; the fit settles a moment after the audit."""

    def __init__(self, palette: Palette) -> None:
        self.frame = CardFrame(tr("Hardware fit"), tr("on what they ran on"))
        self.said = muted_label(tr(SETTLING), is_wrapped=False)
        self.table = FigureTable(tr("Hardware fit by class"), palette)
        self.expensive = LimitedTable(tr("Most expensive that do not fit well"), palette)
        self.frame.body.addWidget(self.said)
        self.frame.body.addWidget(self.table)
        self.frame.body.addSpacing(6)
        self.frame.body.addWidget(self.expensive)
        self.frame.body.addStretch(1)

    def show_state(self, shown: ViewState) -> None:
        """Show the lights of every workload."""
        fit = shown.fit
        self.said.setVisible(fit is None)
        self.table.setVisible(fit is not None)
        self.expensive.setVisible(bool(fit))
        if fit is None:
            return
        usd = {row.key: row.usd_per_month for row in shown.evaluation.audit.workloads}
        self.table.show_rows(COLUMNS, light_rows(pool_fits(fit, usd)))
        self.table.fit_height()
        evaluation = shown.evaluation
        rows = most_expensive_rows(evaluation, fit, MOST + SLACK)
        count = sum(one.light in (Light.RED, Light.AMBER) for one in fit)
        self.expensive.setVisible(bool(rows))
        self.expensive.show_rows(
            MOST_EXPENSIVE_COLUMNS,
            rows,
            MOST,
            tr("more workloads"),
            count,
            lambda: most_expensive_rows(evaluation, fit),
        )

    def as_text(self) -> str:
        """Its rows as text."""
        return f"{self.table.as_text()}\n{self.expensive.as_text()}"

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.table.show_palette(palette)
        self.expensive.show_palette(palette)


def light_rows(pools: tuple[PoolFit, ...]) -> tuple[Row, ...]:
    """How many workloads of each class have each light, and what those cost that do not fit."""
    rows = []
    for one in pools:
        lane = lane_of(one.pool)
        cells = [Cell(lane.title, is_strong=True, icon=lane.icon, icon_role=f"lane:{lane}")]
        for scope, light in SCOPES.items():
            count = one.workloads.get(light, 0)
            icon, role = ICONS.get(scope, ("", "muted"))
            cells.append(
                Cell(
                    numbers.whole(count),
                    "text" if count else "muted",
                    icon=icon if count else "",
                    icon_role=role,
                    figure_id=figure("fit", one.pool, scope),
                )
            )
        usd = one.usd_per_month[Light.RED]
        cost = figure("fit_cost", one.pool, "red") if usd is not None else ""
        tip = NO_RATE if usd is None else numbers.cents(usd)
        rows.append(Row((*cells, Cell(numbers.whole(usd), is_strong=True, tip=tip, figure_id=cost))))
    return tuple(rows)


def most_expensive_rows(
    evaluation: Evaluation, fit: tuple[WorkloadFit, ...], most: int | None = None
) -> tuple[Row, ...]:
    """Workloads that do not fit, then those that fit at a cost; the most expensive of each first, at most so many."""
    project, audit = evaluation.project, evaluation.audit
    found = [
        (one, project.workloads[place], audit.workloads[place].usd_per_month)
        for place, one in enumerate(fit)
        if one.light in (Light.RED, Light.AMBER)
    ]
    found.sort(key=lambda row: (row[0].light is not Light.RED, row[2] is None, -(row[2] or 0.0), row[1].key))
    rows = []
    for one, workload, usd in found[:most]:
        icon, role = ICONS["red" if one.light is Light.RED else "amber"]
        why = one.reasons
        rows.append(
            Row(
                (
                    Cell(workload.name, is_strong=True, icon=icon, icon_role=role, tip=workload.name),
                    Cell(sentence(why), "muted", tip=sentence(why)),
                    Cell(
                        numbers.whole(usd),
                        tip=NO_RATE if usd is None else numbers.cents(usd),
                        figure_id=figure("workload_cost", workload.key) if usd is not None else "",
                    ),
                )
            )
        )
    return tuple(rows)
