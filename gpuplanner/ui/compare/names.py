"""How compared plans are called: over their columns, and where one is held against another."""

from gpuplanner.app.questions.comparing import Comparison
from gpuplanner.domain.message import Message, joined
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.plan_names import short_names
from gpuplanner.ui.words.translation import tr


def shorts(comparison: Comparison) -> tuple[str, ...]:
    """Short names of the compared plans, none of which another plan of the project could be called."""
    among = [plan.name for plan in comparison.project.scenarios]
    return short_names([side.scenario.name for side in comparison.sides], among)


def heading(name: str) -> Message:
    """The name of a plan over a column: from the data, no word for a translator."""
    return joined((name,))


def less(other: str, first: str) -> Message:
    """B - A with a true minus for Plan B and Plan A; else the short names."""
    return joined((_letter(other), f" {numbers.MINUS} ", _letter(first)))


def against(other: str, first: str) -> str:
    """B against A."""
    return tr("{plan} against {first}", plan=_letter(other), first=_letter(first))


def _letter(name: str) -> str:
    """The letter of a plan with its usual name, else the name."""
    return name.removeprefix("Plan ") or name
