"""Parts of a workload: they add up to it hour by hour, and merging them is the plan as it was, to the bit."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain import edits
from gpuplanner.domain.demand.pools import parted
from gpuplanner.domain.evaluation import Figures, advise_plan, audit_project, evaluate_figures, known_in
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import TODAY, Scenario
from gpuplanner.domain.model.plan.splits import (
    ShareSplit,
    Split,
    TimeSplit,
    WeekSplit,
    check_split,
    leaf_keys,
    part_key,
    part_words,
)
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.files.system.resources import read_tables

KEYS = ("c/a/agent", "c/a/agent!x", "c/b/train", "d/a/vllm")
HOURS = 200
MONDAY_S = 4 * DAY_S  # 5 January 1970


def project_of(amounts: np.ndarray, start_s: int = MONDAY_S) -> Project:
    """amounts: milli-GPU-seconds by workload, model (H100 or unknown) and hour; shape (4, 2, hours)."""
    workload, model, hour = np.nonzero(amounts)
    cube = cube_from_entries(
        amounts.shape[2], ("H100",), workload, model - 1, hour, amounts[workload, model, hour]
    )
    return Project(
        window=Window(start_s, amounts.shape[2]),
        cube=cube,
        workloads=tuple(
            Workload(
                key=key,
                name=key.rsplit("/", 1)[1],
                cluster=key[0],
                owner=key.split("/")[1],
                jobs=3,
                gpu_jobs=3,
                milli_gpu_seconds=int(amounts[at].sum()),
                peak_milli_gpus=9000,
            )
            for at, key in enumerate(KEYS)
        ),
        contracts=(
            Contract(
                contract_id="k1",
                cluster="c",
                gpu_model="H100",
                milli_gpus=8000,
                rate_usd_per_gpu_hour=Decimal("2.75"),
                start_s=0,
            ),
        ),
        offers=(
            Offer(
                offer_id="o1",
                gpu_model="H100",
                pricing_category=PricingCategory.COMMITTED,
                term_months=12,
                rate_usd_per_gpu_hour=Decimal("2.10"),
            ),
            Offer(
                offer_id="o2",
                gpu_model="H100",
                pricing_category=PricingCategory.STANDARD,
                term_months=0,
                rate_usd_per_gpu_hour=Decimal("6.88"),
            ),
            Offer(
                offer_id="o3",
                gpu_model="H100",
                pricing_category=PricingCategory.DYNAMIC,
                term_months=0,
                rate_usd_per_gpu_hour=Decimal("1.90"),
            ),
        ),
        scenarios=(Scenario(name="Plan A"), Scenario(name="Plan B")),
    )


def made(seed: int = 1) -> Project:
    random = np.random.default_rng(seed)
    amounts = random.integers(0, 9_000_000, size=(4, 2, HOURS)) * (random.random((4, 2, HOURS)) < 0.6)
    return project_of(amounts)


OFFICE_HOURS = WeekSplit(tuple(24 * day + hour for day in range(5) for hour in range(8, 18)))
SPLITS: tuple[Split, ...] = (
    ShareSplit(300),
    ShareSplit(1),
    TimeSplit(MONDAY_S + 77 * HOUR_S),
    TimeSplit(0),
    WeekSplit(tuple(range(8, 18))),
    WeekSplit((167,)),
)


def sums(project: Project, of: tuple[int, ...]) -> np.ndarray:
    """Milli-GPU-seconds by workload, model and hour; `of`: the workload that each of the project's counts with."""
    cube = project.cube
    made = np.zeros((len(KEYS), len(cube.gpu_models) + 1, cube.hours), dtype=np.int64)
    row = cube.entry_row
    whole = np.array(of)[cube.workload_index[row]]
    np.add.at(made, (whole, cube.model_index[row], cube.hour), cube.milli_gpu_seconds)
    return made


@pytest.mark.parametrize("split", SPLITS)
def test_parts_add_up_to_the_whole_in_every_hour_and_model(split: Split) -> None:
    project = made()
    parts = parted(project, {KEYS[0]: split, KEYS[3]: split})
    assert parts is not None
    assert [workload.key for workload in parts.workloads] == sorted(w.key for w in parts.workloads)
    assert len(parts.workloads) == len(KEYS) + 2
    standing = parts.put_in(project)
    assert (sums(standing, parts.whole) == sums(project, tuple(range(len(KEYS))))).all()
    of_rows = np.zeros(len(parts.workloads), dtype=np.int64)
    np.add.at(of_rows, parts.cube.workload_index, parts.cube.row_totals)
    assert of_rows.tolist() == [workload.milli_gpu_seconds for workload in parts.workloads]
    assert sum(workload.jobs for workload in parts.workloads) == sum(w.jobs for w in project.workloads)
    assert (parts.cube.milli_gpu_seconds > 0).all()
    order = list(zip(parts.cube.workload_index.tolist(), parts.cube.model_index.tolist(), strict=True))
    assert order == sorted(set(order))


@given(st.lists(st.integers(0, 2**40), min_size=1, max_size=30), st.integers(1, 999), st.integers(1, 999))
def test_a_share_is_the_share_of_the_row_rounded_down(amounts: list[int], permille: int, again: int) -> None:
    grid = np.zeros((4, 2, len(amounts)), dtype=np.int64)
    grid[0, 1] = amounts
    project = project_of(grid)
    splits = {KEYS[0]: ShareSplit(permille), f"{KEYS[0]}#2": ShareSplit(again)}
    parts = parted(project, splits)
    assert parts is not None
    spent = {workload.key: workload.milli_gpu_seconds for workload in parts.workloads}
    second = sum(amounts) * permille // 1000
    assert spent[f"{KEYS[0]}#1"] == sum(amounts) - second
    assert spent[f"{KEYS[0]}#2#1"] + spent[f"{KEYS[0]}#2#2"] == second
    assert (sums(parts.put_in(project), parts.whole)[0] == sums(project, (0, 1, 2, 3))[0]).all()


def test_hours_of_the_week_are_counted_from_monday_whenever_the_window_begins() -> None:
    grid = np.zeros((4, 2, 48), dtype=np.int64)
    grid[0, 1] = 1
    sunday_noon = project_of(grid, MONDAY_S - 12 * HOUR_S)
    parts = parted(sunday_noon, {KEYS[0]: WeekSplit((0, 1, 24))})
    assert parts is not None
    row = parts.cube.offsets[1]
    assert parts.workloads[2].key == f"{KEYS[0]}#2"
    assert parts.cube.hour[row : parts.cube.offsets[2]].tolist() == [12, 13, 36]


def figures(project: Project, scenario: str = "Plan A") -> Figures:
    return evaluate_figures(project, scenario, audit_project(project, read_tables()))


@pytest.mark.parametrize("split", SPLITS)
def test_split_move_and_merge_is_the_plan_as_it_was(split: Split) -> None:
    before = edits.workloads.move_workloads(made(), "Plan A", KEYS[:1], Pool.TRAINING)
    after = edits.cards.split_workload(before, "Plan A", KEYS[0], split, Pool.BURST)
    again = edits.cards.split_workload(after, "Plan A", f"{KEYS[0]}#1", ShareSplit(500))
    moved = edits.workloads.move_workloads(again, "Plan A", (f"{KEYS[0]}#1#2",), Pool.INFERENCE)
    pinned = edits.workloads.pin_workloads(moved, "Plan A", KEYS[:1])
    merged = edits.cards.merge_parts(pinned, "Plan A", (f"{KEYS[0]}#2",))
    assert merged.scenarios == before.scenarios
    assert edits.cards.merge_parts(again, "Plan A", (f"{KEYS[0]}#1#1",)).scenarios == after.scenarios
    one, other = figures(before), figures(merged)
    assert one.cards == other.cards
    for pool in POOLS:
        assert (one.hourly[pool] == other.hourly[pool]).all()
    assert advise_plan(before, one).totals == advise_plan(merged, other).totals


@pytest.mark.parametrize("split", SPLITS)
def test_pools_and_money_of_a_plan_with_parts_add_up(split: Split) -> None:
    project = edits.cards.split_workload(made(), "Plan A", KEYS[0], split, Pool.BURST)
    shown = figures(project)
    assert sum(int(shown.hourly[pool].sum()) for pool in POOLS) == project.cube.total
    assert sum(shown.pools[pool].milli_gpu_seconds for pool in POOLS) == project.cube.total
    advice = advise_plan(project, shown)
    plan_usd = advice.totals.plan
    idle = sum(row.cost_per_month or 0.0 for row in advice.idle_existing)
    spent = [advice.workload_usd[card.key] for card in shown.cards]
    assert plan_usd is not None
    assert sum(usd for usd in spent if usd is not None) + idle == pytest.approx(plan_usd)


def test_parts_that_stand_where_the_whole_stood_change_no_figure_of_the_plan() -> None:
    project = edits.workloads.move_workloads(made(), "Plan A", KEYS, Pool.TRAINING)
    apart = edits.cards.split_workload(project, "Plan A", KEYS[0], ShareSplit(300))
    one, other = figures(project), figures(apart)
    for pool in POOLS:
        assert (one.hourly[pool] == other.hourly[pool]).all()
    assert advise_plan(project, one).totals == advise_plan(apart, other).totals


def test_a_move_among_parts_gives_the_figures_that_a_fresh_look_gives() -> None:
    project = edits.cards.split_workload(made(), "Plan A", KEYS[0], WeekSplit((1, 2)), Pool.BURST)
    moved = edits.workloads.move_workloads(project, "Plan A", (f"{KEYS[0]}#1",), Pool.INFERENCE)
    audit = audit_project(project, read_tables())
    quick = evaluate_figures(moved, "Plan A", audit, evaluate_figures(project, "Plan A", audit))
    fresh = evaluate_figures(moved, "Plan A", audit)
    assert quick.cards == fresh.cards
    assert all((quick.hourly[pool] == fresh.hourly[pool]).all() for pool in POOLS)


def test_the_past_has_no_planned_work_and_a_column_no_hours_of_what_is_over() -> None:
    """Work of two days was drawn into every hour of the log, and what the plan stops still counted in its column."""
    made_now = made()
    begins_s = made_now.plan_window.end_s
    run = PlannedWork(name="run", pool=Pool.TRAINING, gpu_model="H100", gpus=8.0, length_hours=48)
    planned = edits.dates.plan_work(made_now, "Plan A", (run,))
    stopped = edits.dates.date_workloads(planned, "Plan A", KEYS[:1], None, begins_s)
    moved = edits.workloads.move_workloads(stopped, "Plan A", (KEYS[0], run.key), Pool.BURST)
    audit = audit_project(made_now, read_tables())
    previous = None
    for project in (made_now, planned, stopped, moved):
        shown = evaluate_figures(project, "Plan A", audit, previous)
        assert sum(int(shown.hourly[pool].sum()) for pool in POOLS) == made_now.cube.total
        columns = sum(column.gpu_hours_per_month for column in shown.pools.values())
        assert columns == pytest.approx(sum(card.gpu_hours_per_month for card in shown.cards))
        previous = shown
    hours = {card.key: card.gpu_hours_per_month for card in shown.cards}
    assert hours[KEYS[0]] == 0.0 and hours[run.key] == pytest.approx(8 * 48) and hours[KEYS[1]] > 0


def test_today_the_other_plan_and_the_audit_never_show_parts() -> None:
    project = edits.cards.split_workload(made(), "Plan A", KEYS[0], ShareSplit(300))
    for scenario in (TODAY, "Plan B"):
        assert [card.key for card in figures(project, scenario).cards] == list(KEYS)
    audit = audit_project(project, read_tables())
    assert [row.key for row in audit.workloads] == list(KEYS)


def test_a_log_that_is_walked_over_has_the_parts_of_the_plan() -> None:
    project = edits.cards.split_workload(made(), "Plan A", KEYS[0], TimeSplit(MONDAY_S + DAY_S), Pool.BURST)
    known = known_in(project, project.scenario("Plan A"), read_tables())
    assert len(known.pools) == len(known.classes) == len(KEYS) + 1
    assert known.project.cube.total == project.cube.total


def test_a_split_of_a_workload_that_is_gone_is_kept_and_shows_nothing() -> None:
    project = edits.cards.split_workload(made(), "Plan A", KEYS[3], ShareSplit(300), Pool.BURST)
    gone = replace(
        project,
        workloads=project.workloads[:3],
        cube=replace(
            project.cube,
            workload_index=project.cube.workload_index[:6],
            model_index=project.cube.model_index[:6],
            offsets=project.cube.offsets[:7],
            hour=project.cube.hour[: project.cube.offsets[6]],
            milli_gpu_seconds=project.cube.milli_gpu_seconds[: project.cube.offsets[6]],
        ),
    )
    assert [card.key for card in figures(gone).cards] == list(KEYS[:3])
    assert len(figures(project).cards) == 5


def test_a_workload_that_is_divided_moves_with_all_its_parts_and_is_not_separated() -> None:
    project = edits.cards.split_workload(made(), "Plan A", KEYS[0], ShareSplit(300), Pool.BURST)
    moved = edits.workloads.move_workloads(project, "Plan A", KEYS[:1], Pool.INFERENCE)
    plan = moved.scenario("Plan A")
    assert leaf_keys(KEYS[0], plan.splits) == (f"{KEYS[0]}#1", f"{KEYS[0]}#2")
    assert {plan.pools[key] for key in leaf_keys(KEYS[0], plan.splits)} == {Pool.INFERENCE}
    found = {row.key: row.classification for row in audit_project(project, read_tables()).workloads}
    separated = edits.workloads.separate_automatically(project, "Plan A", found)
    assert separated.scenario("Plan A").pools[f"{KEYS[0]}#2"] is Pool.BURST


@pytest.mark.parametrize(
    ("key", "split"),
    [
        (KEYS[0], ShareSplit(0)),
        (KEYS[0], ShareSplit(1000)),
        (KEYS[0], TimeSplit(61)),
        (KEYS[0], WeekSplit(())),
        (KEYS[0], WeekSplit(tuple(range(168)))),
        (KEYS[0], WeekSplit((3, 2))),
        (KEYS[0], WeekSplit((168,))),
        ("c/a/nobody", ShareSplit(300)),
        (f"{KEYS[0]}#1", ShareSplit(300)),
        (KEYS[1], ShareSplit(300)),
    ],
)
def test_a_split_that_cannot_be_is_refused(key: str, split: Split) -> None:
    project = edits.cards.split_workload(made(), "Plan A", KEYS[1], ShareSplit(500))
    with pytest.raises(PlannerError):
        edits.cards.split_workload(project, "Plan A", key, split)


def test_today_is_read_only() -> None:
    with pytest.raises(PlannerError):
        edits.cards.split_workload(made(), TODAY, KEYS[0], ShareSplit(300))
    with pytest.raises(PlannerError):
        edits.cards.merge_parts(made(), TODAY, KEYS)


def test_merging_what_is_not_divided_is_no_step() -> None:
    project = made()
    assert edits.cards.merge_parts(project, "Plan A", (*KEYS, f"{KEYS[0]}#1")) is project


@pytest.mark.parametrize(
    ("split", "first", "second"),
    [
        (ShareSplit(300), "70%", "30%"),
        (ShareSplit(333), "66.7%", "33.3%"),
        (TimeSplit(MONDAY_S + 5 * HOUR_S), "before 5 Jan 1970 05:00", "from 5 Jan 1970 05:00"),
        (OFFICE_HOURS, "other hours", "Mon\u2013Fri 08\u201318"),
        (WeekSplit(tuple(range(120, 168))), "other hours", "Sat\u2013Sun"),
        (WeekSplit((0, 5)), "other hours", "2 hours of the week"),
    ],
)
def test_parts_are_named_by_what_they_are(split: Split, first: str, second: str) -> None:
    assert (str(part_words(split, 1)), str(part_words(split, 2))) == (first, second)


def test_a_note_is_kept_trimmed_and_taken_away_when_empty() -> None:
    project = made()
    noted = edits.cards.set_note(project, KEYS[0], "  ends in March\n")
    assert noted.notes == {KEYS[0]: "ends in March"}
    assert edits.cards.set_note(noted, KEYS[0], "ends in March") is noted
    assert edits.cards.set_note(noted, KEYS[0], " ").notes == {}
    for key, text in (("c/a/nobody", "x"), (KEYS[0], "x" * 2001)):
        with pytest.raises(PlannerError):
            edits.cards.set_note(project, key, text)


def test_every_workload_has_the_pool_of_its_largest_part_where_plans_are_compared() -> None:
    project = edits.cards.split_workload(made(), "Plan A", KEYS[0], ShareSplit(300), Pool.BURST)
    project = edits.workloads.move_workloads(project, "Plan A", (f"{KEYS[0]}#1",), Pool.INFERENCE)
    shown = figures(project)
    assert [card.key for card in shown.whole_cards] == [f"{KEYS[0]}#1", *KEYS[1:]]
    assert shown.whole_pools[0] is Pool.INFERENCE
    assert figures(project, "Plan B").whole_cards == figures(project, "Plan B").cards


@pytest.mark.parametrize(
    ("split", "is_one"),
    [
        (ShareSplit(0), False),
        (ShareSplit(1), True),
        (ShareSplit(999), True),
        (ShareSplit(1000), False),
        (TimeSplit(HOUR_S), True),
        (TimeSplit(HOUR_S + 1), False),
        (WeekSplit(()), False),
        (WeekSplit((0,)), True),
        (WeekSplit(tuple(range(167))), True),
        (WeekSplit(tuple(range(168))), False),
        (WeekSplit((1, 0)), False),
        (WeekSplit((1, 1)), False),
        (WeekSplit((167,)), True),
        (WeekSplit((168,)), False),
        (WeekSplit((-1, 5)), False),
    ],
)
def test_a_part_has_something_and_not_everything(split: Split, is_one: bool) -> None:
    if is_one:
        check_split(split)
        return
    with pytest.raises(PlannerError):
        check_split(split)


def test_the_peak_of_a_share_is_rounded_up_to_a_thousandth() -> None:
    """Of 10 thousandths 33.3% are 3.33, the rest 6.67; what is cut by hours may have it all."""
    whole = made()
    project = replace(
        whole, workloads=(replace(whole.workloads[0], peak_milli_gpus=10), *whole.workloads[1:])
    )
    found = parted(project, {KEYS[0]: ShareSplit(333), KEYS[2]: WeekSplit((0,))})
    assert found is not None
    peaks = {one.key: one.peak_milli_gpus for one in found.workloads}
    assert [peaks[part_key(KEYS[0], number)] for number in (1, 2)] == [7, 4]
    assert [peaks[part_key(KEYS[2], number)] for number in (1, 2)] == [9000, 9000]
