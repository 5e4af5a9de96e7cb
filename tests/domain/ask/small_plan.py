"""The small plan (`worlds.plan`) with other parts, and the numbers of what is asked of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gpuplanner.domain.ask import answers
from gpuplanner.domain.ask.changes import Question
from gpuplanner.domain.ask.numbers import Number
from gpuplanner.domain.evaluation import Evaluation
from tests.domain import worlds

PLAN_S = worlds.PLAN_S


def values_of(numbers: Sequence[Number]) -> list[float | None]:
    """Return the values of numbers, None for an unknown one."""
    return [number.value for number in numbers]


def numbers_of(
    form: str, evaluation: Evaluation, values: Mapping[str, Any] | None = None, read: object = None
) -> list[Number]:
    """Return all numbers of a question. read: what is read for it, such as the queue of the log."""
    return list(answers.list_numbers(Question(form, values or {}), evaluation, read))


def with_advice(**changes: Any) -> Evaluation:
    """Return the plan with other parts of its advice."""
    plan = worlds.plan()
    return replace(plan, advice=replace(plan.advice, **changes))


def with_project(**changes: Any) -> Evaluation:
    """Return the plan with other parts of its project."""
    plan = worlds.plan()
    return replace(plan, project=replace(plan.project, **changes))
