"""Classes of the audit: workloads, jobs, GPU-hours, share and $ a month of each."""

from typing import Final

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.figures.classes import CLASS
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Bar, Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import tr

COLUMNS: Final = (
    Column("Class", False),
    *(Column(CLASS[key].heading("\n")) for key in ("workloads", "jobs", "gpu_hours")),
    Column("", False, 92),
    *(Column(CLASS[key].heading("\n", is_short=True)) for key in ("share", "cost_per_month")),
)
NO_COST: Final = CLASS["cost_per_month"].unknown


class ClassesCard:
    """Told what is shown."""

    def __init__(self, palette: Palette) -> None:
        self.frame = CardFrame(tr("Classes"), tr("what the workloads are"))
        self.frame.note(tr("Allocated to jobs and overflow; idle GPUs are nobody's"))
        self.table = FigureTable(tr("Classes"), palette)
        self.frame.body.addWidget(self.table)
        self.frame.body.addStretch(1)
        self._palette = palette

    def show_state(self, shown: ViewState) -> None:
        """Show the classes of an audit."""
        evaluation = shown.evaluation
        self.frame.say(in_review(evaluation.project, evaluation.audit) or tr("what the workloads are"))
        self.table.show_rows(COLUMNS, class_rows(evaluation.audit, self._palette))
        self.table.fit_height()

    def as_text(self) -> str:
        """Its rows as text."""
        return self.table.as_text()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
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


def class_rows(audit: Audit, palette: Palette) -> tuple[Row, ...]:
    """One row a class, and their sum; shares and dollars add up as they are written."""
    known = [pool for pool in POOLS if pool in audit.classes]
    usd = {pool: audit.classes[pool].cost_per_month for pool in known}
    dollars = largest_remainder(list(usd.values()))
    tenths = largest_remainder(
        [
            None if audit.classes[pool].share is None else 1000 * (audit.classes[pool].share or 0)
            for pool in known
        ]
    )
    hours = largest_remainder([audit.classes[pool].gpu_hours for pool in known])
    rows = []
    for pool, share, spent, whole in zip(known, tenths, hours, dollars, strict=True):
        of = audit.classes[pool]
        lane = lane_of(pool)
        money = numbers.whole(None if whole is None else float(whole))
        rows.append(
            Row(
                (
                    Cell(lane.title, is_strong=True, icon=lane.icon, icon_role=f"lane:{lane}"),
                    Cell(numbers.whole(of.workloads), figure_id=figure("class_workloads", pool)),
                    Cell(numbers.whole(of.jobs), figure_id=figure("class_jobs", pool)),
                    Cell(
                        numbers.whole(None if spent is None else float(spent)),
                        tip=tr("{gpu_hours} GPU-h", gpu_hours=numbers.one_decimal(of.gpu_hours)),
                        figure_id=figure("class_gpu_hours", pool),
                    ),
                    Cell(bar=Bar(of.share, f"lane:{lane}") if of.share is not None else None),
                    Cell(
                        numbers.percent(None if share is None else share / 1000),
                        figure_id=figure("class_share", pool) if of.share is not None else "",
                    ),
                    Cell(
                        money,
                        is_strong=True,
                        tip=NO_COST if usd[pool] is None else numbers.cents(usd[pool]),
                        figure_id=figure("class_cost", pool) if usd[pool] is not None else "",
                    ),
                )
            )
        )
    total = known_sum(usd.values())
    spent_in_all = sum(share.gpu_hours for share in audit.classes.values())
    rows.append(
        Row(
            (
                Cell(tr("All classes")),
                Cell(
                    numbers.whole(sum(share.workloads for share in audit.classes.values())),
                    figure_id=figure("workloads_of_all"),
                ),
                Cell(
                    numbers.whole(sum(share.jobs for share in audit.classes.values())),
                    figure_id=figure("jobs_of_all"),
                ),
                Cell(numbers.whole(spent_in_all), figure_id=figure("classes")),
                Cell(),
                Cell(),
                Cell(
                    numbers.whole(total),
                    tip=NO_COST if total is None else "",
                    figure_id=figure("workloads_cost") if total is not None else "",
                ),
            ),
            is_total=True,
        )
    )
    return tuple(rows)
