"""Figures of money that leaves: what is owed if everything stops, what is paid when, what a payment up front is worth.

Source of all formulas: docs/formulas/cash.md.
"""

from typing import Final

from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, phrased, share
from gpuplanner.domain.message import worded


def owed(gpus: Operand, rate: Operand, hours_left: Operand) -> Operand:
    """Remaining commitment of a contract if all work stops."""
    return gpus * rate * hours_left


OWED: Final = Subject(
    "owed",
    (
        Figure(key="gpus", title="GPUs", unit=writing.GPUS, why="owed_gpus"),
        phrased("rate", worded("rate"), writing.RATE, json="rate_usd_per_gpu_hour", why="owed_rate"),
        phrased("hours_left", worded("hours to its end"), writing.HOURS, why="owed_hours"),
        Figure(
            key="owed",
            title=worded("Remaining commitment if everything stops"),
            unit=writing.MONEY_IN_ALL,
            formula=owed,
            short=titles.REMAINING_COMMITMENT,
            is_better="down",
            unknown=worded("Unknown: a contract has no rate. Enter it in Contracts."),
            json="usd",
            why="owed",
        ),
    ),
)
"""A contract in force."""


def cash(at_once: Operand, by_hour: Operand) -> Operand:
    """Payments of a quarter: on single days, and by the hour."""
    return at_once + by_hour


CASH: Final = Subject(
    "cash",
    (
        Figure(key="at_once", title=worded("On single days"), unit=writing.MONEY_OF_SPAN, why="cash_at_once"),
        Figure(key="by_hour", title=worded("Hour by hour"), unit=writing.MONEY_OF_SPAN, why="cash_by_hour"),
        Figure(
            key="cash",
            title=worded("Cash"),
            unit=writing.MONEY_OF_SPAN,
            formula=cash,
            is_better="down",
            unknown=worded("A plan rate is missing: see Contracts and Prices"),
            json="usd",
            why="cash",
        ),
    ),
)
"""A quarter of the fiscal year, as far as the plan's twelve months have it."""


def least_discount(paid_up_front: Operand, worth_today: Operand) -> Operand:
    """Discount at which full upfront payment pays off."""
    return 1 - share(worth_today, paid_up_front)


UP_FRONT: Final = Subject(
    "up_front",
    (
        Figure(key="paid_up_front", title=worded("Paid at order"), unit=writing.MONEY_IN_ALL),
        Figure(key="worth_today", title=worded("Present value, paid monthly"), unit=writing.MONEY_IN_ALL),
        Figure(
            key="least_discount",
            title=worded("Pays off from a discount of"),
            unit=writing.SHARE,
            formula=least_discount,
        ),
    ),
)
"""Orders of one term, paid up front in place of month by month."""
