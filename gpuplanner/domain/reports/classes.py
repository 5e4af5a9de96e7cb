"""The classes of a window: how many workloads are of each, what they asked for, and what that cost."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.audit.result import Audit, ClassShare
from gpuplanner.domain.figures.typed import decimals
from gpuplanner.domain.figures.use_rows import CLASS
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import POOL_TITLES, POOLS
from gpuplanner.domain.reports.report import EVERYWHERE, WINDOW, Column, Medium, Report

READ: Final = frozenset((Medium.WINDOW, Medium.TERMINAL))


@dataclass(frozen=True, slots=True)
class ClassesTotal:
    """All classes in one row; cost_per_month in $, None where a part of it is unknown."""

    pool: Text
    workloads: int
    jobs: int
    gpu_hours: float
    cost_per_month: float | None


def classes_total(audit: Audit) -> ClassesTotal:
    """The row under all classes.

    GPU-hours are of the window, $ a month.
    """
    rows = _rows(audit)
    return ClassesTotal(
        worded("All classes"),
        sum(row.workloads for row in rows),
        sum(row.jobs for row in rows),
        sum(row.gpu_hours for row in rows),
        known_sum(row.cost_per_month for row in rows),
    )


def _rows(audit: Audit) -> list[ClassShare]:
    """Classes that have workloads, in the order of POOLS."""
    return [audit.classes[pool] for pool in POOLS if pool in audit.classes]


def _by_pool(row: ClassShare) -> str:
    return row.pool.value


def _called(row: ClassShare) -> Message:
    """The name of a class as a heading has it."""
    return POOL_TITLES[row.pool]


def _exact(row: ClassShare) -> Message:
    """GPU-hours to a tenth, behind a share."""
    return worded("{gpu_hours} GPU-h", gpu_hours=decimals(row.gpu_hours))


CLASSES: Final = Report(
    title=worded("Classes"),
    one="class",
    many="classes",
    rows=_rows,
    key=_by_pool,
    columns=(
        Column(key="pool", title=worded("Class"), media=READ, form="name", value=_called),
        Column(CLASS["workloads"]),
        Column(CLASS["jobs"]),
        Column(CLASS["gpu_hours"], media=WINDOW, adds_up=True, is_in_full=True, tip=_exact),
        Column(CLASS["gpu_hours"], media=EVERYWHERE - WINDOW),
        Column(CLASS["share"], media=WINDOW, form="part"),
        Column(CLASS["share"], adds_up=True),
        Column(CLASS["cost_per_month"], media=WINDOW),
    ),
    total=classes_total,
    total_media=WINDOW,
    total_why={
        "workloads": "workloads_of_all",
        "jobs": "jobs_of_all",
        "gpu_hours": "classes",
        "cost_per_month": "workloads_cost",
    },
    media=EVERYWHERE - {Medium.BRIEF},
)
