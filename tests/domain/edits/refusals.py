"""Whether an edit is refused, for tests of the edits."""

from typing import Any

from gpuplanner.domain.model.errors import PlannerError


def refused(do: Any, *given: Any, **named: Any) -> bool:
    """Whether a call of an edit ends in a PlannerError. do: the edit, called with the rest."""
    try:
        do(*given, **named)
    except PlannerError:
        return True
    return False
