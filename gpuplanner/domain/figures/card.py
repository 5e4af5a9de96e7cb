"""Figures of one workload as it stands on the board: GPU-hours, its cost, and what spot costs its work."""

from typing import Final

from gpuplanner.domain.figures import layer, titles, unit_costs, writing
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, if_any, phrased, share
from gpuplanner.domain.message import worded
from gpuplanner.lazy_dataclass import replace

# --- Figures of one workload as it stands on the board: its GPU-hours, and what it costs today and in a plan
# Sources of the formulas: docs/formulas/basics.md, Demand; docs/formulas/totals.md.


CARD: Final = Subject(
    "card",
    (
        Figure(
            key="gpu_hours",
            title=titles.GPU_HOURS_IN_THE_WINDOW,
            unit=writing.GPU_HOURS,
            phrase=titles.GPU_HOURS_IN_THE_WINDOW,
        ),
        phrased("times", worded("the pool's planned ÷ logged demand"), writing.TIMES),
        unit_costs.MONTHS_OF_WINDOW,
        layer.HOURS_OF_MONTH,
        Figure(
            key="cost_in_window",
            title=titles.COST_IN_THE_WINDOW,
            unit=writing.MONEY,
            phrase=worded("lookback cost"),
        ),
        phrased("today", worded("cost today"), writing.MONEY_PER_MONTH),
        phrased("in_plan", worded("cost in the plan"), writing.MONEY_PER_MONTH, why="card_usd"),
    ),
)
"""A workload, or a part of one, where it stands."""


@CARD.figure(
    titles.GPU_HOURS, writing.GPU_HOURS_PER_MONTH, phrase=worded("GPU-hours per month"), why="card_hours"
)
def gpu_hours_per_month(gpu_hours: Operand, times: Operand, months: Operand) -> Operand:
    """GPU-hours per month, times the demand factor of the pool.

    times: factor of demand of the pool; months: of 730 h in the window.
    """
    return gpu_hours * times / months


@CARD.figure(titles.MEAN_GPUS, writing.GPUS)
def mean_gpus(gpu_hours_per_month: Operand, month_hours: Operand) -> Operand:
    """Mean GPUs in use over a month."""
    return gpu_hours_per_month / month_hours


@CARD.figure(titles.COST, writing.MONEY_PER_MONTH, why="workload_cost")
def cost_today(cost_in_window: Operand, months: Operand) -> Operand:
    """Cost per month; the cost of each hour is shared by GPU time."""
    return cost_in_window / months


@CARD.figure(worded("Change"), writing.MONEY_PER_MONTH, why="card_change")
def change_per_month(in_plan: Operand, today: Operand) -> Operand:
    """Cost in the plan less cost today, both in whole dollars.

    Above 0 the plan costs more.
    """
    return in_plan - today


CARD_PART: Final = Subject(
    "card_part",
    (
        Figure(key="gpu_time", title=titles.GPU_HOURS, unit=writing.GPU_TIME, phrase=worded("its GPU-hours")),
        phrased("all_gpu_time", worded("all GPU-hours"), writing.GPU_TIME),
        Figure(
            key="all_cost_per_month",
            title=worded("Total cost"),
            unit=writing.MONEY_PER_MONTH,
            phrase=worded("total cost"),
        ),
    ),
)
"""A card of a divided workload: its part of what the workload costs today."""


@CARD_PART.figure(titles.COST, writing.MONEY_PER_MONTH, note=worded("Shared by lookback GPU-hours."))
def cost_per_month(gpu_time: Operand, all_gpu_time: Operand, all_cost_per_month: Operand) -> Operand:
    """Return the card's part of the workload's cost, shared by GPU time."""
    return if_any(gpu_time, share(gpu_time, all_gpu_time) * all_cost_per_month)


# --- Figures of spot: the share of a workload's work that interruptions cost ---------------------
# Source of the formulas: docs/formulas/spot.md (first-order checkpoint model, Young 1974, Daly 2006).

OF_ITS_WORK: Final = replace(writing.SHARE, per=worded("of its work"))
A_NOTE: Final = worded("Assumed interruptions per spot node. Young 1974, Daly 2006.")


SPOT: Final = Subject(
    "spot",
    (
        phrased("node_hours", worded("hours between node interruptions"), writing.HOURS),
        phrased("nodes", worded("nodes of widest job"), writing.COUNT, why="card_nodes"),
        phrased("checkpoint_hours", worded("hours to write a checkpoint"), writing.HOURS),
        phrased("interval_hours", worded("hours between checkpoints"), writing.HOURS),
        phrased("restart_hours", worded("hours to restart"), writing.HOURS),
        phrased("longest_hours", worded("hours of longest job"), writing.HOURS, why="card_longest"),
    ),
)
"""A workload on spot, that writes checkpoints or is over before the first."""


@SPOT.figure(worded("Hours between interruptions"), writing.HOURS)
def between_hours(node_hours: Operand, nodes: Operand) -> Operand:
    """Hours between interruptions of a job with this number of nodes."""
    return node_hours / nodes


@SPOT.figure(titles.LOST_ON_SPOT, OF_ITS_WORK, why="card_lost", is_better="down", note=A_NOTE)
def lost_with_checkpoints(
    checkpoint_hours: Operand, interval_hours: Operand, restart_hours: Operand, between_hours: Operand
) -> Operand:
    """Share of the work lost to checkpoints, repeated work and restarts; from 1 on the job cannot finish."""
    return checkpoint_hours / interval_hours + (interval_hours / 2 + restart_hours) / between_hours


@SPOT.figure(titles.LOST_ON_SPOT, OF_ITS_WORK, why="card_lost", is_better="down", note=A_NOTE)
def lost_without_checkpoints(
    longest_hours: Operand, restart_hours: Operand, between_hours: Operand
) -> Operand:
    """The same without checkpoints: half of the longest job is repeated."""
    return (longest_hours / 2 + restart_hours) / between_hours
