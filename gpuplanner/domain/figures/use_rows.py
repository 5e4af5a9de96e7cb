"""Figures of the use of a window by one class, cluster, contract, GPU model or team: asked for, used, and what it cost.

Source of all formulas: docs/formulas.md, Classes; docs/formulas.md, Utilization and stranded spend.
"""

from dataclasses import replace
from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import CLUSTER, cost_per_month
from gpuplanner.domain.figures.costs.unit_costs import RUN, mean_gpus
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.operations import Operand
from gpuplanner.domain.figures.operations import share as share_of
from gpuplanner.domain.figures.units import COUNT, GPU_HOURS, HOURS, MONEY_PER_MONTH, SHARE
from gpuplanner.domain.figures.use import (
    A_MONTH_IS,
    CONTRACT,
    below_40_percent,
    break_even_utilization,
    utilization,
)
from gpuplanner.domain.message import worded

ASKED: Final = replace(GPU_HOURS, label="GPU-h", short="")
A_MONTH: Final = replace(MONEY_PER_MONTH, short="")
"""$ per month where the short title says so."""
SHORT_MONTH: Final = worded("$ per\nmonth")


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


def gpu_hours(used_gpu_hours: Operand, overflow_gpu_hours: Operand) -> Operand:
    """GPU-hours that its jobs asked for: those that contracts served, and those that none had room for."""
    return used_gpu_hours + overflow_gpu_hours


def _of_view(one: Figure, why: str = "") -> Figure:
    """A figure that can be asked about in a view: its id says which view, and which row of it."""
    return replace(one, why=why, is_of_hours=bool(why))


USE: Final = Subject(
    "use",
    (
        _of_view(CONTRACT["used_gpu_hours"]),
        Figure(
            "overflow_gpu_hours",
            CLUSTER["overflow_gpu_hours"].title,
            GPU_HOURS,
            phrase=worded("GPU-h that no contract had room for"),
        ),
        Figure("gpu_hours", worded("Asked for"), ASKED, gpu_hours, short="GPU-h", phrase=worded("its GPU-h")),
        replace(CLASS["all_gpu_hours"], why=""),
        replace(CLASS["share"], formula=share, why="", note=""),
        Figure("hours", titles.HOURS_OF_THE_WINDOW, HOURS, phrase=worded("hours of the window")),
        replace(RUN["mean_gpus"], formula=mean_gpus, why=""),
        _of_view(replace(CLUSTER["paid_gpu_hours"], unknown="")),
        Figure(
            "utilization",
            CONTRACT["utilization"].title,
            CONTRACT["utilization"].unit,
            utilization,
            why="use_utilization",
            is_of_hours=True,
            unknown=worded("Unknown: no GPUs are paid for here. Import the contract."),
            glossary=CONTRACT["utilization"].glossary,
            note=worded("It is allocation, not activity."),
        ),
        replace(CONTRACT["below_40_percent"], formula=below_40_percent),
        CONTRACT["committed_rate"],
        CONTRACT["on_demand_rate"],
        Figure(
            "break_even_utilization",
            CONTRACT["break_even_utilization"].title,
            CONTRACT["break_even_utilization"].unit,
            break_even_utilization,
            short=CONTRACT["break_even_utilization"].short,
            phrase=CONTRACT["break_even_utilization"].phrase,
            why="use_break_even",
            is_of_hours=True,
            unknown=worded("Unknown: no on-demand price to compare with. Import prices."),
            glossary=CONTRACT["break_even_utilization"].glossary,
            note=worded(
                "Used less than this, the GPUs would be cheaper by the hour. Rates of several contracts are means by "
                "GPU-hours paid."
            ),
        ),
        Figure(
            "activity",
            CLUSTER["activity"].title,
            CLUSTER["activity"].unit,
            phrase=CLUSTER["activity"].phrase,
            why="use_activity",
            is_of_hours=True,
            unknown=worded(
                "Unknown: not every GPU job here has an activity figure. Import DCGM data, or a log that has it."
            ),
            glossary=CLUSTER["activity"].glossary,
        ),
        CLUSTER["paid_in_window"],
        CONTRACT["months"],
        Figure(
            "cost_per_month",
            CONTRACT["paid_per_month"].title,
            A_MONTH,
            cost_per_month,
            short=SHORT_MONTH,
            why="use_usd",
            is_of_hours=True,
            unknown=CONTRACT["paid_per_month"].unknown,
            note=A_MONTH_IS,
            json="usd_per_month",
        ),
    ),
)
"""What one cluster, contract or GPU model was paid for and used, or all of them."""

TEAM: Final = Subject(
    "team",
    (
        _of_view(replace(USE["gpu_hours"], formula=None), "use_hours"),
        USE["all_gpu_hours"],
        _of_view(USE["share"], "use_share"),
        USE["hours"],
        _of_view(USE["mean_gpus"], "use_mean"),
        USE["activity"],
        Figure(
            "cost_per_month",
            CLASS["cost_per_month"].title,
            A_MONTH,
            short=SHORT_MONTH,
            why="use_usd",
            is_of_hours=True,
            unknown=worded("Unknown: some of its cost needs a rate that nobody states. Import prices."),
            json="usd_per_month",
        ),
    ),
)
"""A team, which has no GPUs of its own: what its workloads asked for, served or not."""
