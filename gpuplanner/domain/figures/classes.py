"""Figures of a class of workloads: what is of it, how much GPU time it asked for, and what that cost.

Source: docs/formulas.md, Classes.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.operations import Operand
from gpuplanner.domain.figures.operations import share as share_of
from gpuplanner.domain.figures.units import COUNT, GPU_HOURS, MONEY_PER_MONTH, SHARE
from gpuplanner.domain.message import worded


def share(gpu_hours: Operand, all_gpu_hours: Operand) -> Operand:
    """GPU-hours of a class over those of all, 0..1; unknown without any."""
    return share_of(gpu_hours, all_gpu_hours)


CLASS: Final = Subject(
    "class",
    (
        Figure("workloads", worded("Workloads"), COUNT, why="class_workloads"),
        Figure("jobs", worded("Jobs"), COUNT, why="class_jobs"),
        Figure(
            "gpu_hours",
            worded("Demand"),
            GPU_HOURS,
            phrase=worded("GPU-hours of the class"),
            why="class_gpu_hours",
        ),
        Figure(
            "all_gpu_hours", worded("Demand of all"), GPU_HOURS, phrase=worded("all GPU-hours in the window")
        ),
        Figure(
            "share",
            worded("Share of GPU-hours"),
            SHARE,
            share,
            short=worded("Share"),
            why="class_share",
            note=worded(
                "A class is what a workload is; moving a card changes where it runs, not what it is."
            ),
        ),
        Figure(
            "cost_per_month",
            titles.COST,
            MONEY_PER_MONTH,
            why="class_cost",
            is_better="down",
            unknown=worded("Unknown: a rate is missing. Import contracts and prices."),
        ),
    ),
)
"""Training, inference or burst: the workloads that are taken for it, over the window."""
