"""Figures of a window as a whole: how much of what is paid was used, what it cost a month, what of that was unused.

Source of all formulas: docs/formulas.md, Today's money.
"""

from typing import Final

from gpuplanner.domain.figures.clusters import CLUSTER, unallocated_per_month
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.operations import Operand
from gpuplanner.domain.figures.units import GPU_HOURS, MONEY, MONEY_PER_MONTH, MONTHS, SHARE
from gpuplanner.domain.figures.use import CONTRACT, utilization
from gpuplanner.domain.message import worded


def spend(spent_in_window: Operand, months: Operand) -> Operand:
    """What is paid, and what overflowed at on-demand rates, per month of 730 h."""
    return spent_in_window / months


WINDOW: Final = Subject(
    "window",
    (
        Figure(
            "paid_gpu_hours",
            CONTRACT["paid_gpu_hours"].title,
            GPU_HOURS,
            phrase=CONTRACT["paid_gpu_hours"].phrase,
        ),
        Figure(
            "used_gpu_hours",
            CONTRACT["used_gpu_hours"].title,
            GPU_HOURS,
            phrase=CONTRACT["used_gpu_hours"].phrase,
        ),
        Figure(
            "effective_utilization",
            worded("Effective utilization"),
            SHARE,
            utilization,
            why="utilization",
            is_of_hours=True,
            is_better="up",
            glossary=CONTRACT["utilization"].glossary,
            json="effective_utilization_now",
        ),
        Figure("spent_in_window", CLUSTER["spent_in_window"].title, MONEY),
        Figure("unallocated_in_window", CLUSTER["unallocated_in_window"].title, MONEY),
        Figure("months", CONTRACT["months"].title, MONTHS, phrase=CONTRACT["months"].phrase),
        Figure(
            "spend",
            CLUSTER["spent_in_window"].title,
            MONEY_PER_MONTH,
            spend,
            why="spend",
            is_better="down",
            json="current_usd_per_month",
        ),
        Figure(
            "unused_per_month",
            CONTRACT["unused_per_month"].title,
            MONEY_PER_MONTH,
            unallocated_per_month,
            why="contracts_unused",
            is_better="down",
            json="unused_now_usd_per_month",
        ),
    ),
)
"""All clusters over the window."""
