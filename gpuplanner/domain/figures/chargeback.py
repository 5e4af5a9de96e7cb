"""Figures of who pays: what a team, workload, model or endpoint is charged, and what is left of a budget.

What its jobs cost hour by hour is an input. Source of all formulas: docs/formulas/chargeback.md.
"""

from functools import partial
from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, phrased, share
from gpuplanner.domain.figures.unit_costs import HOURS_OF_GPUS, MONTHS_OF_WINDOW, share_of_workload
from gpuplanner.domain.figures.writing import GPU_HOURS, MONEY, MONEY_PER_MONTH, SHARE
from gpuplanner.domain.message import worded

NEEDS_RATE: Final = worded("Unknown: a rate is missing. Enter it in Contracts or import prices.")


IDLE_SHARE: Final = Subject(
    "idle_share",
    (
        phrased("shared_in_window", worded("paid and idle"), MONEY),
        Figure(key="held_gpu_hours", title=worded("Its weight"), unit=GPU_HOURS, phrase=worded("its weight")),
        Figure(
            key="all_held_gpu_hours",
            title=worded("Sum of weights"),
            unit=GPU_HOURS,
            phrase=worded("sum of weights"),
        ),
    ),
)
"""What a team bears of the idle GPUs of a cluster, or of the contracts of an owner there."""


@IDLE_SHARE.figure(titles.SHARED_IDLE, MONEY)
def idle_in_window(
    shared_in_window: Operand, held_gpu_hours: Operand, all_held_gpu_hours: Operand
) -> Operand:
    """Share of the team in the idle cost of a cluster."""
    return shared_in_window * share(held_gpu_hours, all_held_gpu_hours)


OWN_IDLE: Final = Subject(
    "own_idle",
    (
        phrased("team_idle", worded("charge to its team"), MONEY),
        Figure(key="gpu_hours", title=titles.GPU_HOURS, unit=GPU_HOURS, phrase=worded("its GPU-hours")),
        Figure(
            key="team_gpu_hours",
            title=worded("Its team's GPU-hours on the cluster"),
            unit=GPU_HOURS,
            phrase=worded("its team's GPU-hours on the cluster"),
        ),
    ),
)
"""What a workload bears of what its team does."""


@OWN_IDLE.figure(titles.SHARED_IDLE, MONEY)
def own_idle(team_idle: Operand, gpu_hours: Operand, team_gpu_hours: Operand) -> Operand:
    """Share of the workload in the idle cost of its team, by GPU time."""
    return team_idle * share(gpu_hours, team_gpu_hours)


CHARGE_PART: Final = Subject(
    "charge_part",
    (
        Figure(key="gpu_hours", title=titles.GPU_HOURS, unit=GPU_HOURS),
        Figure(key="workload_gpu_hours", title=titles.GPU_HOURS_OF_THE_WORKLOAD, unit=GPU_HOURS),
        Figure(key="workload_direct", title=titles.DIRECT, unit=MONEY),
        Figure(key="workload_idle", title=titles.SHARED_IDLE, unit=MONEY),
        Figure(key="workload_overflow", title=titles.OVERFLOW, unit=MONEY),
        Figure(
            key="share_of_workload", title=worded("Workload share"), unit=SHARE, formula=share_of_workload
        ),
    ),
)
"""A workload, or the part of it that is one model's."""


@CHARGE_PART.figure(titles.DIRECT, MONEY)
def direct_in_window(workload_direct: Operand, share_of_workload: Operand) -> Operand:
    """Direct cost of a part of a workload, by GPU time."""
    return workload_direct * share_of_workload


@CHARGE_PART.figure(titles.SHARED_IDLE, MONEY, key="idle_in_window")
def part_idle(workload_idle: Operand, share_of_workload: Operand) -> Operand:
    """Idle cost of a part of a workload, by GPU time."""
    return workload_idle * share_of_workload


@CHARGE_PART.figure(titles.OVERFLOW, MONEY)
def overflow_in_window(workload_overflow: Operand, share_of_workload: Operand) -> Operand:
    """Overflow cost of a part of a workload, by GPU time."""
    return workload_overflow * share_of_workload


_served: Final = partial(Figure, unit=MONEY, is_of_hours=True, unknown=NEEDS_RATE)

CHARGE: Final = Subject(
    "charge",
    (
        Figure(
            key="gpu_hours",
            title=titles.GPU_HOURS,
            unit=HOURS_OF_GPUS,
            short=worded("GPU-h\nin the lookback period"),
            why="charge_hours",
            is_of_hours=True,
        ),
        _served(
            key="direct_in_window",
            title=titles.DIRECT,
            phrase=worded("direct"),
            why="charge_direct",
            glossary=worded("GPU time served by contracts, at their rates."),
        ),
        _served(
            key="idle_in_window",
            title=titles.SHARED_IDLE,
            phrase=worded("shared idle"),
            why="charge_idle",
            glossary=worded("Share of idle cost, by the chosen rule."),
        ),
        _served(
            key="overflow_in_window", title=titles.OVERFLOW, phrase=worded("overflow"), why="charge_overflow"
        ),
        phrased("budget_per_month", worded("budget per month"), MONEY_PER_MONTH),
        MONTHS_OF_WINDOW,
    ),
)
"""Who is charged: a team, workload, model or endpoint, over the window."""


@CHARGE.figure(
    worded("Charged"),
    MONEY,
    phrase=worded("charged"),
    why="charge_total",
    is_of_hours=True,
    unknown=NEEDS_RATE,
)
def total_in_window(
    direct_in_window: Operand, idle_in_window: Operand, overflow_in_window: Operand
) -> Operand:
    """Charge: direct cost, shared idle cost and overflow."""
    return direct_in_window + idle_in_window + overflow_in_window


@CHARGE.figure(
    worded("Budget"),
    MONEY,
    phrase=worded("budget"),
    why="charge_budget",
    is_of_hours=True,
    unknown=worded("No budget is set."),
)
def budget_in_window(budget_per_month: Operand, months: Operand) -> Operand:
    """Budget over the lookback period."""
    return budget_per_month * months


@CHARGE.figure(
    worded("Budget left"),
    MONEY,
    short=worded("Left"),
    why="charge_left",
    is_of_hours=True,
    is_better="up",
    unknown=worded("No budget, or an unknown charge."),
)
def left_in_window(budget_in_window: Operand, total_in_window: Operand) -> Operand:
    """Budget less charge; below 0 the budget is exceeded."""
    return budget_in_window - total_in_window


BUDGET_MONTH: Final = Subject(
    "budget_month",
    (
        Figure(key="plan_in_month", title=worded("Month's plan"), unit=MONEY_PER_MONTH),
        Figure(key="team_in_plan", title=worded("The team's workloads in the plan"), unit=MONEY_PER_MONTH),
        Figure(key="all_in_plan", title=worded("All workloads in the plan"), unit=MONEY_PER_MONTH),
    ),
)
"""A team in one of the twelve months of a plan."""


@BUDGET_MONTH.figure(worded("Month's charge"), MONEY_PER_MONTH)
def charged_in_month(plan_in_month: Operand, team_in_plan: Operand, all_in_plan: Operand) -> Operand:
    """Charge in a month of the plan: the share of the team in the cost of all workloads."""
    return plan_in_month * share(team_in_plan, all_in_plan)
