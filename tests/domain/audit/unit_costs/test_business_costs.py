"""What one order costs, by month of a log and in month 12 of a plan."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.business_costs import (
    NO_HOUR,
    NO_WORKLOAD,
    PlanMonth,
    business_costs,
    cost_growth,
    spend_by_hour,
)
from gpuplanner.domain.edits.money import add_business
from gpuplanner.domain.model.business_figures import BusinessFigure
from gpuplanner.domain.model.calendar_months import month_bounds
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from tests.domain.audit.conftest import GPU_HOUR

# again

AUGUST, SEPTEMBER = month_bounds("2026-08")
LAST_HALF_H = 31 * 24 // 2
USD = {"": np.array([1.0] * LAST_HALF_H + [2.0] * (30 * 24))}


def project_of(*figures: BusinessFigure) -> Project:
    """The second half of August and all of September; $1 an hour in August, $2 in September."""
    hours = LAST_HALF_H + 30 * 24
    window = Window(SEPTEMBER - LAST_HALF_H * HOUR_S, hours)
    return add_business(Project(window=window, cube=empty_cube(hours)), figures)


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
    assert all(row.cost_each is None and str(row.unknown) for row in business_costs(project, {"": None}))


def test_a_figure_of_a_workload_stands_beside_its_cost_and_says_by_how_much_one_costs_more() -> None:
    """An endpoint from $10,000 to $14,000 a month, its orders from 1,000 to 1,100: $10.00 each, then $12.73."""
    project = Project(window=Window(month_bounds("2026-07")[0], 62 * 24), cube=empty_cube(62 * 24))
    given = [BusinessFigure("orders", f"2026-0{at}", value, "chat") for at, value in ((7, 1_000), (8, 1_100))]
    usd = np.repeat([10_000 / 744, 14_000 / 744], 744)
    july, august = business_costs(add_business(project, given), {"": None, "chat": usd}, PlanMonth(0, 1.0))
    assert (july.key, july.cost_each, july.each_growth) == ("chat", pytest.approx(10), None)
    assert august.cost_each == pytest.approx(12.7273, abs=1e-4)
    assert august.each_growth == pytest.approx(0.27273, abs=1e-5)
    (row, _) = business_costs(add_business(project, given), {"": usd})
    assert row.cost_each is None and row.unknown == NO_WORKLOAD


def test_what_a_workload_costs_by_hour_is_found_by_its_key_its_name_or_a_model_that_it_serves(world):
    """2 of 10 GPUs at $3 serve for ten hours, a quarter of the time one model."""
    rows = [(place, 0, hour, gpus * GPU_HOUR) for place, gpus in enumerate((8, 2)) for hour in range(10)]
    spent = 20 * GPU_HOUR
    chat = replace(world.workload("chat"), milli_gpu_seconds=spent, model_time=(("llama", spent // 4),))
    project = world.project(10, [world.workload("sft"), chat], rows, [world.contract("k", 10, "3")])
    figures = [BusinessFigure("orders", "2026-08", 1.0, key) for key in (chat.name, chat.key, "llama")]
    project = add_business(project, figures)
    found = spend_by_hour(past_of(project, audit(project, world.classified(Pool.TRAINING, Pool.INFERENCE))))
    assert {len(usd) for usd in found.values()} == {10} and found[""].sum() == 300
    assert [found[one.key].sum() for one in figures] == pytest.approx([60, 60, 15])


def test_what_a_model_costs_by_hour_is_of_all_workloads_that_serve_it_and_of_no_others(world):
    """At $3 chat serves llama a quarter of its time on 2 GPUs, bots half of it on 4; sft has a figure of its own."""
    held = {"chat": 2, "bots": 4, "sft": 4}
    rows = [
        (place, 0, hour, gpus * GPU_HOUR) for place, gpus in enumerate(held.values()) for hour in range(10)
    ]
    workloads = [
        replace(
            world.workload(name),
            milli_gpu_seconds=10 * held[name] * GPU_HOUR,
            model_time=(("llama", 10 * held[name] * GPU_HOUR * quarters // 4),) if quarters else (),
        )
        for name, quarters in (("chat", 1), ("bots", 2), ("sft", 0))
    ]
    project = world.project(10, workloads, rows, [world.contract("k", 10, "3")])
    project = add_business(
        project, [BusinessFigure("orders", "2026-08", 1.0, key) for key in ("llama", "sft")]
    )
    pools = (Pool.INFERENCE, Pool.INFERENCE, Pool.TRAINING)
    spend = spend_by_hour(past_of(project, audit(project, world.classified(*pools))))
    assert {name: pytest.approx(usd.sum()) for name, usd in spend.items()} == {
        "": 300,
        "llama": 60 / 4 + 120 / 2,
        "sft": 120,
    }


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


@pytest.mark.parametrize(
    ("before", "after", "growth"),
    [(4.0, 5.0, 0.25), (4.0, 0.0, -1.0), (0.0, 5.0, None), (None, 5.0, None), (4.0, None, None)],
)
def test_growth_is_of_what_is_known(before: float | None, after: float | None, growth: float | None) -> None:
    costs: list[Any] = [SimpleNamespace(cost_each=usd) for usd in (before, after)]
    assert cost_growth(*costs) == growth
