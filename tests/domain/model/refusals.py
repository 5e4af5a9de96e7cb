"""The result of a call, or the code of its error; whether a check passes."""

from typing import Any

from gpuplanner.domain.model.errors import PlannerError


def result_of(do: Any, *given: Any) -> Any:
    """What comes of it, or the error's code."""
    try:
        return do(*given)
    except PlannerError as error:
        return error.code


def is_right(check: Any, *given: Any) -> bool:
    try:
        check(*given)
    except PlannerError:
        return False
    return True
