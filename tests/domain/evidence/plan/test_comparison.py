"""Answers about plans side by side."""

from dataclasses import replace

import pytest

from gpuplanner.domain.evidence.plan.comparison import OF_COMPARISON, POINTS, POINTS_COLUMN, less_first
from gpuplanner.domain.evidence.trace import figure
from tests.domain import worlds


@pytest.mark.parametrize(
    ("kind", "unit", "said_as", "column"),
    [
        ("plan_usd::", "usd", "per month", ""),
        ("plan_utilization::", "exact", str(POINTS), str(POINTS_COLUMN)),
        ("plan_lock_in::", "exact", "$-weighted months", "$-weighted months"),
        ("plan_longest::", "exact", "months", "Months"),
    ],
)
def test_a_difference_has_the_unit_of_its_figure_and_shares_differ_in_points(
    kind: str, unit: str, said_as: str, column: str
) -> None:
    trace = OF_COMPARISON.answer(worlds.compared(), less_first(1, kind))
    assert (trace.unit, str(trace.said_as)) == (unit, said_as)
    if column:
        assert [str(shown.title) for shown in trace.columns] == [column]
    else:
        assert [shown.unit for shown in trace.columns] == ["usd"]
    values = [row.values[0] for row in trace.rows]
    assert all(isinstance(value, int | float) for value in values)
    assert trace.value == pytest.approx(sum(value for value in values if isinstance(value, int | float)))


def test_a_difference_is_unknown_where_either_figure_is() -> None:
    compared = worlds.compared()
    first, other = compared.sides
    assert other.plan.advice is not None
    totals = replace(other.plan.advice.totals, lock_in_months=None)
    unknown = replace(other, plan=replace(other.plan, advice=replace(other.plan.advice, totals=totals)))
    for sides in ((first, unknown), (unknown, first)):
        trace = OF_COMPARISON.answer(replace(compared, sides=sides), less_first(1, "plan_lock_in::"))
        assert trace.value is None


def test_a_side_is_one_of_the_plans() -> None:
    compared = worlds.compared()
    assert [compared.side(scope).plan.scenario for scope in ("0", "1")] == ["Plan A", "Q"]
    for scope in ("2", "-1", "", "x"):
        with pytest.raises(KeyError):
            compared.side(scope)


def test_workloads_that_move_are_listed_by_their_hours() -> None:
    compared = worlds.compared()
    (steps,) = compared.ways
    moved = replace(
        steps[1], hours={"a": 5.0, "b": 50.0, "c": 20.0}, names={name: name.upper() for name in "abc"}
    )
    trace = OF_COMPARISON.answer(
        replace(compared, ways=((steps[0], moved),)), figure("moved_hours", "1", "1")
    )
    assert trace.value == 75.0
    assert [(row.name, row.values) for row in trace.rows] == [("B", (50.0,)), ("C", (20.0,)), ("A", (5.0,))]
