"""Classes of the audit: workloads, jobs, GPU-hours, share and $ a month of each."""

from gpuplanner.domain.audit.result import Audit, ClassShare
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports.classes import CLASSES
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import Named, table_columns, table_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import tr


class ClassesCard:
    """Told what is shown."""

    def __init__(self, palette: Palette) -> None:
        self.frame = CardFrame(tr(CLASSES.title), tr("what the workloads are"))
        self.frame.note(tr("Allocated to jobs and overflow; idle GPUs are nobody's"))
        self.table = FigureTable(tr(CLASSES.title), palette)
        self.frame.body.addWidget(self.table)
        self.frame.body.addStretch(1)

    def show_state(self, shown: ViewState) -> None:
        """Show the classes of an audit."""
        evaluation = shown.evaluation
        self.frame.say(in_review(evaluation.project, evaluation.audit) or tr("what the workloads are"))
        self.table.show_rows(table_columns(CLASSES), class_rows(evaluation.audit))
        self.table.fit_height()

    def as_text(self) -> str:
        """Its rows as text."""
        return self.table.as_text()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.table.show_palette(palette)


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
    return tr(
        "{workloads} in review, {unsure} of GPU-h",
        workloads=numbers.counted(len(unsure), "workload"),
        unsure=numbers.percent(sum(unsure) / every),
    )


def class_rows(audit: Audit) -> tuple[Row, ...]:
    """One row a class with the icon and colour of its column on the board, and their sum."""
    return table_rows(CLASSES, audit, named=_named)


def _named(row: ClassShare) -> Named:
    """The class with the icon and colour of its column."""
    lane = lane_of(row.pool)
    return Named(lane.title, lane.icon, f"lane:{lane}")
