"""Figures of one workload as it stands on the board: its GPU-hours, and what it costs today and in a plan.

Sources of the formulas: docs/formulas.md, Demand; docs/formulas.md, Totals.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.layer import HOURS_OF_MONTH
from gpuplanner.domain.figures.operations import Operand, if_any, share
from gpuplanner.domain.figures.units import (
    GPU_HOURS,
    GPU_HOURS_PER_MONTH,
    GPU_TIME,
    GPUS,
    MONEY,
    MONEY_PER_MONTH,
    MONTHS,
    TIMES,
)
from gpuplanner.domain.message import worded


def gpu_hours_per_month(gpu_hours: Operand, times: Operand, months: Operand) -> Operand:
    """GPU-hours of the window as often as the pool is planned with its log, per month of 730 h.

    times: factor of demand of the pool; months: of 730 h in the window.
    """
    return gpu_hours * times / months


def mean_gpus(gpu_hours_per_month: Operand, month_hours: Operand) -> Operand:
    """GPUs in use on average over a month."""
    return gpu_hours_per_month / month_hours


def cost_today(cost_in_window: Operand, months: Operand) -> Operand:
    """What its hours cost, per month of 730 h: each hour's cost is shared by GPU time. Source: Today's money."""
    return cost_in_window / months


def change_per_month(in_plan: Operand, today: Operand) -> Operand:
    """What a workload costs more in the plan than today, both in whole dollars as they are written.

    Above 0 the plan costs more.
    """
    return in_plan - today


CARD: Final = Subject(
    "card",
    (
        Figure(
            "gpu_hours",
            titles.GPU_HOURS_IN_THE_WINDOW,
            GPU_HOURS,
            phrase=titles.GPU_HOURS_IN_THE_WINDOW,
        ),
        Figure(
            "times",
            worded("How many times its log the pool is planned with"),
            TIMES,
            phrase=worded("how many times its log the pool is planned with"),
        ),
        Figure("months", titles.MONTHS_OF_THE_WINDOW, MONTHS, phrase=worded("months of 730 h in the window")),
        HOURS_OF_MONTH,
        Figure(
            "gpu_hours_per_month",
            titles.GPU_HOURS,
            GPU_HOURS_PER_MONTH,
            gpu_hours_per_month,
            phrase=worded("GPU-hours per month"),
            why="card_hours",
        ),
        Figure("mean_gpus", titles.MEAN_GPUS, GPUS, mean_gpus),
        Figure("cost_in_window", titles.COST_IN_THE_WINDOW, MONEY, phrase=worded("cost of its hours")),
        Figure("cost_today", titles.COST, MONEY_PER_MONTH, cost_today, why="workload_cost"),
        Figure("today", titles.COST_TODAY, MONEY_PER_MONTH, phrase=worded("cost today")),
        Figure(
            "in_plan",
            worded("Cost in the plan"),
            MONEY_PER_MONTH,
            phrase=worded("cost in the plan"),
            why="card_usd",
        ),
        Figure("change_per_month", worded("Change"), MONEY_PER_MONTH, change_per_month, why="card_change"),
    ),
)
"""A workload, or a part of one, where it stands."""


def cost_per_month(gpu_time: Operand, all_gpu_time: Operand, all_cost_per_month: Operand) -> Operand:
    """Its share, by GPU time, of what all of it costs; nothing where it has none, also at a price nobody knows."""
    return if_any(gpu_time, share(gpu_time, all_gpu_time) * all_cost_per_month)


CARD_PART: Final = Subject(
    "card_part",
    (
        Figure("gpu_time", titles.GPU_HOURS, GPU_TIME, phrase=worded("its GPU-hours")),
        Figure("all_gpu_time", worded("All GPU-hours"), GPU_TIME, phrase=worded("all GPU-hours")),
        Figure(
            "all_cost_per_month", worded("Cost of all"), MONEY_PER_MONTH, phrase=worded("cost of all of it")
        ),
        Figure(
            "cost_per_month",
            titles.COST,
            MONEY_PER_MONTH,
            cost_per_month,
            note=worded("It is shared by GPU time."),
        ),
    ),
)
"""What a card has in something that is shared: of a pool and GPU model in the plan, or of a divided workload today."""
