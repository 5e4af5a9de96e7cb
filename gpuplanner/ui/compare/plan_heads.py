"""Names of compared plans over their columns."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.app.plans.comparing import Comparison
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.plan_names import short_names

DIFFERENCE: Final = worded("Difference")


def shorts(comparison: Comparison) -> tuple[str, ...]:
    """Short names of the compared plans, none of which another plan of the project could be called."""
    among = [plan.name for plan in comparison.project.scenarios]
    return short_names([side.scenario.name for side in comparison.sides], among)


def heading(name: str) -> Message:
    """The name of a plan over a column: from the data, no word for a translator."""
    return joined((name,))


def less(names: Sequence[str], at: int) -> Message:
    """B - A with a true minus for Plan B and Plan A; else that it is the difference, and of which plan of three."""
    if (letters := _letters(names[at], names[0])) is not None:
        return joined((letters[0], f" {numbers.MINUS} ", letters[1]))
    return DIFFERENCE if len(names) == 2 else joined((DIFFERENCE, names[at]), "\n")


def against(other: str, first: str) -> str:
    """B against A; of plans with other names these."""
    plan, than = _letters(other, first) or (other, first)
    return tr("{plan} against {first}", plan=plan, first=than)


def _letters(other: str, first: str) -> tuple[str, str] | None:
    """The letters of two plans with their usual names, Plan B and Plan A; None where one has another name."""
    plan, than = other.removeprefix("Plan "), first.removeprefix("Plan ")
    return (plan, than) if len(plan) == len(than) == 1 else None
