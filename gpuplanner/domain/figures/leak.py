"""Figures of a leak and of its parts: what leaked, what it cost, and what of it the total of all leaks counts.

Source of all formulas: docs/formulas/leaks.md.
"""

from typing import Final

from gpuplanner.domain.figures.figure import Figure, Operand, Subject, if_any, least, phrased
from gpuplanner.domain.figures.unit_costs import MONTHS_OF_WINDOW
from gpuplanner.domain.figures.writing import GPU_HOURS, GPU_HOURS_PER_MONTH, MONEY, MONEY_PER_MONTH, RATE
from gpuplanner.domain.message import Message, capital, worded

COUNTED_ONCE: Final = worded("Each used or idle contract GPU-hour counts once, in this order.")
"""How the total counts every GPU-hour once, in words for the window and the book."""
NO_RATE: Final = worded("Unknown: a rate is missing. Enter it in Contracts or import prices.")

LEAK: Final = Subject(
    "leak",
    (
        Figure(key="gpu_hours", title=worded("Leaked"), unit=GPU_HOURS, phrase=worded("leaked GPU-h")),
        Figure(
            key="left_gpu_hours",
            title=worded("GPU-h not counted above"),
            unit=GPU_HOURS,
            phrase=worded("GPU-h not counted above"),
        ),
        phrased("rate", worded("rate"), RATE, unknown=NO_RATE),
        MONTHS_OF_WINDOW,
    ),
)
"""A leak, or one workload or contract behind it."""


@LEAK.figure(worded("Leaked"), MONEY)
def leaked_in_window(gpu_hours: Operand, rate: Operand) -> Operand:
    """Cost of the leaked GPU-hours, at the rate of the leak rule."""
    return gpu_hours * rate


@LEAK.figure(capital(worded("mean rate")), RATE, phrase=worded("mean rate"))
def average_rate(leaked_in_window: Operand, gpu_hours: Operand) -> Operand:
    """Mean rate of the leaked GPU-hours."""
    return leaked_in_window / gpu_hours


@LEAK.figure(worded("Leaked"), GPU_HOURS_PER_MONTH, why="leak_hours")
def gpu_hours_per_month(gpu_hours: Operand, months: Operand) -> Operand:
    """Leaked GPU-hours per month of 730 h."""
    return gpu_hours / months


@LEAK.figure(
    worded("Leaked"), MONEY_PER_MONTH, why="leak", is_better="down", unknown=NO_RATE, json="usd_per_month"
)
def leaked_per_month(leaked_in_window: Operand, months: Operand) -> Operand:
    """Cost of the leak per month."""
    return leaked_in_window / months


@LEAK.figure(
    worded("Counted"), GPU_HOURS, phrase=worded("counted GPU-h"), glossary=COUNTED_ONCE, note=COUNTED_ONCE
)
def counted_gpu_hours(gpu_hours: Operand, left_gpu_hours: Operand) -> Operand:
    """GPU-hours in the total: at most those that no leak above has counted."""
    return least(gpu_hours, left_gpu_hours)


@LEAK.figure(worded("Not yet counted"), GPU_HOURS)
def still_left_gpu_hours(left_gpu_hours: Operand, counted_gpu_hours: Operand) -> Operand:
    """GPU-hours left for the leaks below."""
    return left_gpu_hours - counted_gpu_hours


@LEAK.figure(worded("Counted"), GPU_HOURS_PER_MONTH)
def counted_gpu_hours_per_month(counted_gpu_hours: Operand, months: Operand) -> Operand:
    """Counted GPU-hours per month of 730 h."""
    return counted_gpu_hours / months


@LEAK.figure(worded("Counted"), MONEY_PER_MONTH, unknown=NO_RATE, glossary=COUNTED_ONCE, note=COUNTED_ONCE)
def counted_per_month(counted_gpu_hours: Operand, rate: Operand, months: Operand) -> Operand:
    """Cost of the counted GPU-hours per month."""
    return if_any(counted_gpu_hours, counted_gpu_hours * rate / months)


TOTALS: Final[dict[str, Message]] = {
    "leaks": worded("Leaks, each GPU-hour once"),
    "leaks_dismissed": worded("Dismissed"),
    "worth": worded("Worth acting on"),
}
"""What leaks count together: of all, of those that a plan dismissed, of the others. Kind of figure -> title.

Each in $ a month; with `_hours` behind its kind in GPU-hours a month.
"""
