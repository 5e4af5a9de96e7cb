"""The card of classes: workloads, jobs, GPU-hours, share and $ per month of each."""

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.audit.result import Audit, ClassShare
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports.clusters import CLASSES
from gpuplanner.ui.audit.cards import TablesCard
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.layout import STRETCH, add
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import Named, table_columns, table_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of


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
