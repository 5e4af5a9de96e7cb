"""Titles that several figures have, each as one literal: what is called the same is written the same everywhere."""

from typing import Final

from gpuplanner.domain.model.worded import worded

ACTIVITY: Final = worded("Activity")
ALLOCATED: Final = worded("Allocated")
BREAK_EVEN: Final = worded("Break-even")
COMMITTED: Final = worded("Committed")
COST: Final = worded("Cost")
COST_IN_THE_WINDOW: Final = worded("Cost in the window")
COST_OF_SEPARATION: Final = worded("Cost of separation")
COST_TODAY: Final = worded("Cost today")
GPU_HOURS: Final = "GPU-hours"
GPU_HOURS_IN_THE_WINDOW: Final = worded("GPU-hours in the window")
HOURS_IN_A_MONTH: Final = worded("Hours in a month")
HOURS_IT_RAN: Final = worded("Hours it ran")
HOURS_PAID: Final = worded("Hours of a month that are paid")
HOURS_OF_THE_WINDOW: Final = worded("Hours of the window")
IDLE: Final = worded("Idle")
MEAN_GPUS: Final = worded("Mean GPUs")
MONTHS_OF_THE_WINDOW: Final = worded("Months of the window")
ON_DEMAND: Final = worded("On demand")
OVERFLOW: Final = worded("Overflow")
PAID: Final = worded("Paid")
PREMIUM: Final = worded("Premium")
RATE: Final = worded("Rate")
SPREAD_RATE: Final = worded("Rate with what is paid upfront")
SPEND: Final = worded("Spend")
THE_PLAN: Final = worded("The plan")
TOKENS: Final = worded("Tokens")
UNDER_40: Final = worded("Under 40%")
UNUSED: Final = worded("Unused")
USED: Final = worded("Used")
UTILIZATION: Final = worded("Utilization")
