"""Unit costs add up: runs to workloads, workloads to classes, models to everything; and crafted cents, by hand."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.audit import unit_costs
from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.cost_result import RunCost
from gpuplanner.domain.audit.unit_costs import (
    NO_HOUR,
    NO_WORKLOAD,
    PlanMonth,
    business_costs,
    cost_growth,
    costed_hours,
    model_costs,
    past_of,
    retraining_of,
    spend_by_hour,
)
from gpuplanner.domain.audit.unit_costs import unit_costs as costs_of_past
from gpuplanner.domain.edits.money import add_business
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import ServingChoice, Traffic, WeekRates
from gpuplanner.domain.model.project import BusinessFigure, Project, month_bounds
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from tests.domain.audit.conftest import GPU_HOUR, make_project, make_workload
from tests.oracle.projects import random_case
from tests.some_of import some_of

# --- Unit costs add up: runs to workloads, workloads to classes, models to everything; and crafted cents,
# by hand

START_S = 1_782_864_000  # 2026-07-01T00:00:00Z, a Wednesday


def costs_of(project, classifications):
    answer = audit(project, classifications)
    return answer, costs_of_past(past_of(project, answer))


def cents(usd):
    return None if usd is None else pytest.approx(usd, abs=0.004)


@pytest.fixture(params=[3, 500_000])
def block_size(request, monkeypatch):
    """Blocks of a few entries and of all: no workload may be cut in two."""
    monkeypatch.setattr(unit_costs, "ENTRIES_AT_ONCE", request.param)


@pytest.mark.usefixtures("block_size")
@pytest.mark.parametrize("seed", some_of(range(12), quick=4))
def test_every_sum_is_that_of_the_audit(seed):
    case = random_case(seed)
    project = case.project
    answer, costs = costs_of(project, case.classifications)
    months = project.window.months
    usd = {row.key: row.usd_per_month for row in answer.workloads}
    classes = {row.key: row.classification.pool for row in answer.workloads}
    hours = {workload.key: workload.gpu_hours for workload in project.workloads}

    of_runs: dict[str, list] = {}
    for run in costs.runs:
        of_runs.setdefault(run.key, []).append(run)
    assert set(of_runs) == {key for key in classes if classes[key] is Pool.TRAINING and hours[key]}
    for key, runs in of_runs.items():
        assert sum(run.gpu_hours for run in runs) == pytest.approx(hours[key])
        known = [run.cost for run in runs]
        if usd[key] is None:
            assert None in known
        else:
            assert sum(known) / months == cents(usd[key])

    assert {row.key for row in costs.endpoints} == {
        key for key in classes if classes[key] is Pool.INFERENCE and hours[key]
    }
    for row in costs.endpoints:
        assert row.cost_per_month == cents(usd[row.key])
        if row.cost_per_month is not None:
            assert sum(row.by_hour_per_month) == cents(row.cost_per_month)
            assert sum(map(sum, row.by_weekday_per_month)) == cents(row.cost_per_month)

    parts = [part for model in costs.models for part in model.parts]
    assert sum(part.gpu_hours for part in parts) == pytest.approx(sum(hours.values()))
    for key, whole in usd.items():
        own = [part.cost_per_month for part in parts if part.key == key]
        if hours[key]:
            assert (None in own) == (whole is None)
            assert whole is None or sum(own) == cents(whole)
    for model in costs.models:
        if model.cost_per_month is not None:
            assert model.cost_per_month == cents(sum(part.cost_per_month for part in model.parts))

    premiums = [row.premium.premium_per_month for row in costs.endpoints]
    assert costs.premium_per_month == answer.premium.usd_per_month
    assert costs.premium_per_month == (None if None in premiums else cents(sum(premiums)))


def entries(workload, spans, gpus=1, model=0):
    return [
        (workload, model, hour, int(gpus * GPU_HOUR)) for first, last in spans for hour in range(first, last)
    ]


def test_a_run_ends_where_the_gap_is_longer_than_the_assumption_and_not_where_it_is_as_long(world):
    project = world.project(
        200,
        [world.workload("sft")],
        entries(0, [(0, 4), (28, 30), (55, 60)], gpus=2),  # gaps of 24 h and of 25 h
        [world.contract("k", 4, "2.50")],
    )
    _, costs = costs_of(project, world.classified(Pool.TRAINING))
    found = [
        ((run.start_s - START_S) // 3600, (run.end_s - START_S) // 3600, run.cost, run.mean_gpus)
        for run in costs.runs
    ]
    assert found == [
        (0, 30, pytest.approx(6 * 2 * 2.5), pytest.approx(12 / 30)),
        (55, 60, pytest.approx(5 * 2 * 2.5), pytest.approx(2)),
    ]
    longer = replace(project, assumptions=replace(project.assumptions, run_gap_hours=25))
    assert len(costs_of(longer, world.classified(Pool.TRAINING))[1].runs) == 1


def test_a_run_on_two_gpu_models_is_one_run(world):
    project = world.project(
        10,
        [world.workload("sft")],
        entries(0, [(0, 6)], model=0) + entries(0, [(3, 9)], model=1),
        [world.contract("k", 4, "2"), world.contract("a", 4, "1", gpu_model="A100")],
    )
    _, costs = costs_of(project, world.classified(Pool.TRAINING))
    (run,) = costs.runs
    assert (run.gpu_hours, run.cost) == (pytest.approx(12), pytest.approx(6 * 2 + 6 * 1))
    assert (run.end_s - run.start_s) // 3600 == 9


def test_one_run_without_a_rate_leaves_the_others_known(world):
    """Overflow has no on-demand rate: only the run that overflowed is unknown, and the workload with it."""
    project = world.project(
        100,
        [world.workload("sft")],
        entries(0, [(0, 4)], gpus=1) + entries(0, [(50, 52)], gpus=3),
        [world.contract("k", 2, "2")],
    )
    answer, costs = costs_of(project, world.classified(Pool.TRAINING))
    assert answer.workloads[0].usd_per_month is None
    assert [run.cost for run in costs.runs] == [pytest.approx(8), None]


def test_models_of_the_log_of_a_name_and_of_nobody_share_out_a_workload(world):
    project = world.project(
        730,
        [
            world.workload("sft", model_time=(("aurora-l", 30 * GPU_HOUR), ("aurora-s", 10 * GPU_HOUR))),
            world.workload("llama-b-chat", sample_name="Llama3_70B-chat run 12"),
            world.workload("thing"),
        ],
        entries(0, [(0, 50)]) + entries(1, [(0, 10)]) + entries(2, [(0, 20)]),
        [world.contract("k", 3, "2")],
    )
    _, costs = costs_of(project, world.classified(Pool.TRAINING, Pool.INFERENCE, Pool.BURST))
    found = {(row.model, row.source): row.cost_per_month for row in costs.models}
    assert found == {
        ("aurora-l", "log"): pytest.approx(60),
        ("aurora-s", "log"): pytest.approx(20),
        (None, "unknown"): pytest.approx(60),  # 10 h of sft and 20 h of thing
        ("llama-70b", "name"): pytest.approx(20),
    }


def test_an_endpoint_by_hour_and_weekday(world):
    project = world.project(
        730,
        [world.workload("chat", activity=0.25)],
        entries(0, [(0, 2), (24 * 7, 24 * 7 + 1)], gpus=1),  # Wednesday 0 and 1 o'clock, Wednesday after 0
        [world.contract("k", 1, "3")],
    )
    _, costs = costs_of(project, world.classified(Pool.INFERENCE))
    (row,) = costs.endpoints
    assert row.cost_per_month == pytest.approx(9)
    assert row.by_hour_per_month == (pytest.approx(6), pytest.approx(3), *[0.0] * 22)
    assert row.by_weekday_per_month[2][:2] == (pytest.approx(6), pytest.approx(3))
    assert (row.active_per_month, row.inactive_per_month) == (pytest.approx(2.25), pytest.approx(6.75))
    assert row.tokens is None


def chat_with(world, traffic, hours=730):
    project = world.project(
        hours, [world.workload("chat")], entries(0, [(0, 100)], gpus=2), [world.contract("k", 2, "3")]
    )
    project = replace(project, traffic={} if traffic is None else {project.workloads[0].key: traffic})
    (row,) = costs_of(project, world.classified(Pool.INFERENCE))[1].endpoints
    return row.tokens


def test_tokens_are_priced_over_the_time_that_is_shared(world):
    """Half an hour, then a whole one: 1.5 h at 6 $ are 9 $ for 3 million tokens, of which a third were generated."""
    start = START_S + 10 * 3600 + 1800
    hours = ((START_S + 10 * 3600, 500_000, 250_000), (START_S + 11 * 3600, 1_500_000, 750_000))
    tokens = chat_with(world, Traffic(start_s=start, end_s=start + 5400, hours=hours))
    assert tokens.cost == pytest.approx(9)
    assert tokens.cost_per_million_tokens == pytest.approx(3)
    assert tokens.cost_per_million_generated_tokens == pytest.approx(9)


def test_traffic_before_the_window_counts_nothing_there(world):
    hours = ((START_S - 3600, 999, 999), (START_S, 1_000_000, 0))
    tokens = chat_with(world, Traffic(start_s=START_S - 3600, end_s=START_S + 3600, hours=hours))
    assert (tokens.tokens, tokens.cost) == (1_000_000, pytest.approx(6))
    assert tokens.cost_per_million_generated_tokens is None


def test_traffic_of_another_time_says_nothing(world):
    for end_s in (START_S - 3600, START_S):
        assert (
            chat_with(world, Traffic(start_s=START_S - 7200, end_s=end_s, hours=((START_S - 7200, 5, 5),)))
            is None
        )
    end_s = START_S + 730 * 3600
    assert chat_with(world, Traffic(start_s=end_s, end_s=end_s + 3600, hours=((end_s, 5, 5),))) is None


def test_a_sweep_is_an_experiment_and_a_service_of_that_name_is_not(world):
    project = world.project(
        730,
        [world.workload("lr-sweep"), world.workload("sweep-serve"), world.workload("ablation-sft")],
        entries(0, [(0, 10)]) + entries(1, [(0, 10)]) + entries(2, [(0, 5)]),
        [world.contract("k", 3, "2")],
    )
    _, costs = costs_of(project, world.classified(Pool.BURST, Pool.INFERENCE, Pool.TRAINING))
    assert [(row.name, row.cost_in_window, row.cost_per_job) for row in costs.experiments] == [
        ("lr-sweep", pytest.approx(20), pytest.approx(20)),
        ("ablation-sft", pytest.approx(10), pytest.approx(10)),
    ]


@given(st.lists(st.integers(0, 299), min_size=1, max_size=60, unique=True), st.integers(0, 40))
def test_runs_cover_every_hour_once_and_lie_apart(hours, gap):
    from tests.domain.audit.conftest import classified, make_contract, make_project, make_workload

    project = make_project(
        300, [make_workload("sft")], [(0, 0, hour, GPU_HOUR) for hour in hours], [make_contract("k", 1, "2")]
    )
    project = replace(project, assumptions=replace(project.assumptions, run_gap_hours=gap))
    _, costs = costs_of(project, classified(Pool.TRAINING))
    runs = sorted(
        ((run.start_s - START_S) // 3600, (run.end_s - START_S) // 3600, run.gpu_hours) for run in costs.runs
    )
    for first, last, gpu_hours in runs:
        assert gpu_hours == pytest.approx(sum(first <= hour < last for hour in hours))
    assert sum(run[2] for run in runs) == pytest.approx(len(hours))
    assert all(later[0] - run[1] > gap for run, later in pairwise(runs))


def chat_sized_for(world, rates, listed=None, stated=()):
    """What 730 h of an endpoint at 6 $ an hour say of its tokens, sized for a week of such rates, 3 and 1 tokens."""
    project = world.project(
        730, [world.workload("chat")], entries(0, [(0, 730)], gpus=2), [world.contract("k", 2, "3")]
    )
    key = project.workloads[0].key
    assumptions = replace(project.assumptions, serving_context_tokens=3, serving_generated_tokens=1)
    project = replace(
        project,
        assumptions=assumptions,
        serving={key: ServingChoice(week=WeekRates(rates), rates=stated)},
        traffic={} if listed is None else {key: listed},
    )
    (row,) = costs_of(project, world.classified(Pool.INFERENCE))[1].endpoints
    return row.tokens


def test_without_a_list_the_week_that_it_was_sized_for_says_its_tokens(world):
    """730 h at 1 request a second are 2,628,000 requests of 4 tokens; 4380 $ for 10.512 million."""
    tokens = chat_sized_for(world, (1.0,) * 168)
    assert (tokens.context_tokens, tokens.generated_tokens) == (3 * 2_628_000, 2_628_000)
    assert tokens.is_assumed
    assert tokens.cost == pytest.approx(4380)
    assert tokens.cost_per_million_tokens == pytest.approx(4380 / 10.512)


def test_a_week_with_an_hour_left_open_says_nothing_and_a_list_goes_before_a_week(world):
    assert chat_sized_for(world, (None, *(1.0,) * 167)) is None
    assert chat_sized_for(world, (1.0,) * 168, stated=(("L4", 1200.0),)) is None  # no language model
    listed = chat_sized_for(
        world, (1.0,) * 168, Traffic(start_s=START_S, end_s=START_S + 3600, hours=((START_S, 1_000_000, 0),))
    )
    assert not listed.is_assumed
    assert listed.cost_per_million_tokens == pytest.approx(6)


# --- What one order costs, by month of a log and in month 12 of a plan; and how often training is run
# again

AUGUST, SEPTEMBER = month_bounds("2026-08")
LAST_HALF_H = 31 * 24 // 2


def project_of(*figures: BusinessFigure) -> Project:
    """The second half of August and all of September; $1 an hour in August, $2 in September."""
    hours = LAST_HALF_H + 30 * 24
    window = Window(SEPTEMBER - LAST_HALF_H * HOUR_S, hours)
    return add_business(Project(window=window, cube=empty_cube(hours)), figures)


USD = {"": np.array([1.0] * LAST_HALF_H + [2.0] * (30 * 24))}


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
    return RunCost(
        key=key,
        name="tune",
        cluster="a",
        owner="",
        start_s=start_s,
        end_s=start_s + HOUR_S,
        gpu_hours=1.0,
        cost=cost,
        mean_gpus=1.0,
        mean_rate=cost,
    )


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


def test_what_costs_nothing_comes_before_what_nobody_knows() -> None:
    items = [(None, "a"), (0.0, "c"), (0.5, "b"), (0.0, "b"), (2.0, "z")]
    ordered = unit_costs.most_expensive_first(items, lambda item: item)
    assert ordered == ((2.0, "z"), (0.5, "b"), (0.0, "b"), (0.0, "c"), (None, "a"))


def test_models_share_a_workload_by_gpu_time_and_are_listed_by_cost() -> None:
    """a: 3 of its 4 GPU-h are llama's, 1 of no model; b: 2 are Llama's. $8 and $5."""
    works = [
        make_workload("a", model_time=(("llama", 3 * GPU_HOUR),), milli_gpu_seconds=4 * GPU_HOUR),
        make_workload("b", model_time=(("Llama", 2 * GPU_HOUR),), milli_gpu_seconds=2 * GPU_HOUR),
        make_workload("c"),
    ]
    project = make_project(1, [], [])
    project = replace(project, workloads=tuple(works))
    rows = model_costs(project, [8.0, 5.0, 1.0])
    assert [(row.model, row.source, row.gpu_hours, row.cost_per_month) for row in rows] == [
        ("llama", "log", 5.0, pytest.approx(11.0)),
        (None, "unknown", 1.0, pytest.approx(2.0)),
    ]
    assert [part.key for part in rows[0].parts] == [works[0].key, works[1].key]
    assert model_costs(project, [None, 5.0, 1.0])[0].cost_per_month is None


def test_costed_hours_of_several_models_run_side_by_side() -> None:
    """a ran on two models in hours 0 to 2, b on one, and between them is one that is not chosen."""
    works = [make_workload(name) for name in ("a", "x", "b")]
    entries = [(0, 0, 0, 10), (0, 0, 2, 30), (0, 1, 0, 5), (0, 1, 1, 20), (1, 0, 0, 99), (2, 0, 1, 40)]
    cube = make_project(3, works, entries).cube
    worth = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    groups = np.array([0, 1, 0, 1])
    (block,) = costed_hours(cube, groups, worth, np.array([True, False, True]))
    assert block.workload.tolist() == [0, 2] and block.starts.tolist() == [0, 4]
    assert block.hour.tolist() == [0, 0, 1, 2, 1]
    assert block.milli_gpu_seconds.tolist() == [10, 5, 20, 30, 40]
    assert block.value.tolist() == [10.0, 20.0, 100.0, 90.0, 200.0]
    (alone,) = costed_hours(cube, groups, worth, np.array([False, False, True]))
    assert (alone.workload.tolist(), alone.value.tolist()) == ([2], [200.0])


@pytest.mark.parametrize(
    ("before", "after", "growth"),
    [(4.0, 5.0, 0.25), (4.0, 0.0, -1.0), (0.0, 5.0, None), (None, 5.0, None), (4.0, None, None)],
)
def test_growth_is_of_what_is_known(before: float | None, after: float | None, growth: float | None) -> None:
    costs: list[Any] = [SimpleNamespace(cost_each=usd) for usd in (before, after)]
    assert cost_growth(*costs) == growth
