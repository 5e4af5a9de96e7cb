"""What one order costs, by month of a log and in month 12 of a plan; and how often training is run again."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.audit.cost_result import RunCost
from gpuplanner.domain.audit.costs.business import NO_HOUR, PlanMonth, business_costs
from gpuplanner.domain.audit.costs.retraining import retraining_of
from gpuplanner.domain.edits import add_business
from gpuplanner.domain.model.business import BusinessFigure, month_bounds
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.cube import empty_cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window

AUGUST, SEPTEMBER = month_bounds("2026-08")
LAST_HALF_H = 31 * 24 // 2


def project_of(*figures: BusinessFigure) -> Project:
    """The second half of August and all of September; $1 an hour in August, $2 in September."""
    hours = LAST_HALF_H + 30 * 24
    window = Window(SEPTEMBER - LAST_HALF_H * HOUR_S, hours)
    return add_business(Project(window, empty_cube(hours)), figures)


USD = np.array([1.0] * LAST_HALF_H + [2.0] * (30 * 24))


def test_months_of_the_log_by_hand() -> None:
    project = project_of(
        BusinessFigure("orders", "2026-07", 10.0),
        BusinessFigure("orders", "2026-08", 1_000.0),
        BusinessFigure("orders", "2026-09", 720.0),
    )
    july, august, september = business_costs(project, USD)
    assert (july.business_cost, july.cost_each, july.unknown) == (None, None, NO_HOUR)
    assert (august.counted_share, august.business_cost) == (0.5, LAST_HALF_H)
    assert august.cost_each == pytest.approx(LAST_HALF_H / 500)
    assert september.cost_each == pytest.approx(2.0)
    assert all(row.cost_each is None and str(row.unknown) for row in business_costs(project, None))


def test_month_12_takes_its_own_count_or_the_last_one() -> None:
    start_s = month_bounds("2027-08")[0] + DAY_S
    given = (BusinessFigure("orders", "2026-09", 720.0), BusinessFigure("orders", "2026-08", 9.0))
    held = business_costs(project_of(*given), USD, PlanMonth(start_s, 1_460.0))[-1]
    assert (held.month, held.held_from, held.is_planned) == ("2027-08", "2026-09", True)
    assert held.cost_each == pytest.approx(1_460 / (720 * 730 / 720))
    expected = BusinessFigure("orders", "2027-08", 744.0)
    own = business_costs(project_of(*given, expected), USD, PlanMonth(start_s, 1_460.0))[-1]
    assert own.held_from == "2027-08" and own.cost_each == pytest.approx(1_460 / 730)
    assert business_costs(project_of(*given), USD, PlanMonth(start_s, None))[-1].cost_each is None


def test_month_12_says_what_its_spend_has_not() -> None:
    given = project_of(BusinessFigure("orders", "2026-08", 9.0))
    *log, planned = business_costs(given, USD, PlanMonth(month_bounds("2027-08")[0], 1_460.0, 73.0))
    assert [row.unserved for row in log] == [None] and planned.unserved == 73.0
    assert planned.business_cost == 1_460.0


@pytest.mark.parametrize(
    "wrong",
    [
        BusinessFigure(" ", "2026-08", 1.0),
        BusinessFigure("orders", "2026-13", 1.0),
        BusinessFigure("orders", "2026-08", 0.0),
        BusinessFigure("orders", "2026-08", float("nan")),
    ],
)
def test_what_is_no_figure_is_refused(wrong: BusinessFigure) -> None:
    with pytest.raises(PlannerError):
        project_of(wrong)


def run(start_days: float, cost: float | None = 10.0, key: str = "a//tune") -> RunCost:
    start_s = round(start_days * DAY_S)
    return RunCost(key, "tune", "a", "", start_s, start_s + HOUR_S, 1.0, cost, 1.0, cost)


def test_days_between_starts_are_the_middle_of_the_gaps() -> None:
    window = Window(0, 40 * 24)
    runs = [run(0), run(8), run(1), run(29), run(3), run(5, None, "a//other")]
    mine, other = retraining_of(runs, window)
    assert (mine.gaps_days, mine.days_between) == (
        (2.0, 5.0, 21.0),
        5.0,
    )  # that on as the window began is none
    assert (mine.runs, mine.runs_cost, mine.cost_per_run) == (5, 50.0, 10.0)
    assert (other.days_between, other.cost_per_run) == (None, None)
    assert replace(other, key="") != other
