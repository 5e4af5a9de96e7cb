"""Pools: sums are exact, moves are reversible to the bit, and every scenario knows where its workloads stand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.pools import (
    NOT_LOGGED,
    is_in_review,
    move_hours,
    moved_keys,
    newsvendor_units,
    part_amounts,
    parted,
    planned_amounts,
    pool_hours,
    pools_in,
    pools_today,
    stands_on_board,
)
from gpuplanner.domain.edits.cards import split_workload
from gpuplanner.domain.edits.dates import (
    begin_workloads,
    bring_back,
    change_demand,
    change_planned,
    date_workloads,
    drop_planned,
    end_workloads,
    plan_work,
    stop_workloads,
)
from gpuplanner.domain.edits.workloads import move_workloads
from gpuplanner.domain.evaluation import evaluate, evaluate_figures
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.changes import DemandChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import AS_TODAY, TODAY, Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, Window
from gpuplanner.files.system.resources import read_tables
from tests.domain.commitment.conftest import START_S, Load, case, contract, offer

# --- Pools: sums are exact, moves are reversible to the bit, and every scenario knows where its workloads
# stand

HOURS = 9
entries = st.lists(
    st.tuples(st.integers(0, 5), st.integers(-1, 1), st.integers(0, HOURS - 1), st.integers(0, 10**13)),
    max_size=50,
)
pools_of_six = st.tuples(*[st.sampled_from(POOLS)] * 6)


def cube_of(rows: list[tuple[int, int, int, int]]) -> object:
    return cube_from_entries(HOURS, ("H100", "A100"), *np.array(rows, dtype=np.int64).reshape(-1, 4).T)


@given(rows=entries, pools=pools_of_six)
def test_gpu_time_is_the_same_over_pools_and_hours(
    rows: list[tuple[int, int, int, int]], pools: tuple[Pool, ...]
) -> None:
    hours = pool_hours(cube_of(rows), pools)
    assert sum(int(of_pool.sum()) for of_pool in hours.values()) == sum(amount for *_, amount in rows)
    for pool in POOLS:
        expected = [sum(a for w, _, h, a in rows if pools[w] is pool and h == hour) for hour in range(HOURS)]
        assert hours[pool].dtype == np.int64
        assert hours[pool].tolist() == expected


@given(rows=entries, pools=pools_of_six, index=st.integers(0, 5), target=st.sampled_from(POOLS))
def test_a_move_equals_a_fresh_sum_and_moving_back_gives_the_same_bits(
    rows: list[tuple[int, int, int, int]], pools: tuple[Pool, ...], index: int, target: Pool
) -> None:
    cube = cube_of(rows)
    before = pool_hours(cube, pools)
    after = move_hours(before, cube, index, pools[index], target)
    fresh = pool_hours(cube, (*pools[:index], target, *pools[index + 1 :]))
    back = move_hours(after, cube, index, target, pools[index])
    for pool in POOLS:
        assert after[pool].tobytes() == fresh[pool].tobytes()
        assert back[pool].tobytes() == before[pool].tobytes()


def two_clusters() -> tuple[Project, tuple[Classification, ...]]:
    facts = (("a", "vllm", 5), ("a", "sft", 9), ("b", "sft", 9), ("b", "vllm", 1))
    workloads = tuple(
        Workload(key=f"{cluster}/o/{name}", name=name, cluster=cluster, owner="o", milli_gpu_seconds=spent)
        for cluster, name, spent in facts
    )
    classes = tuple(
        Classification(
            pool=Pool.INFERENCE if name == "vllm" else Pool.TRAINING,
            subtype="",
            confidence=0.5,
            reasons=(),
            runner_up=None,
            source="rule",
        )
        for _, name, _ in facts
    )
    pinned = Contract(
        contract_id="k",
        cluster="b",
        gpu_model="H100",
        milli_gpus=1000,
        rate_usd_per_gpu_hour=None,
        start_s=0,
        pool=Pool.BURST,
    )
    return Project(
        window=Window(0, HOURS), cube=cube_of([]), workloads=workloads, contracts=(pinned,)
    ), classes


def test_today_is_the_contracts_pool_or_the_class_with_most_gpu_time() -> None:
    project, classes = two_clusters()
    assert pools_today(project, classes) == (Pool.TRAINING, Pool.TRAINING, Pool.BURST, Pool.BURST)
    assert pools_in(project, Scenario(name=TODAY, start=AS_TODAY), classes) == pools_today(project, classes)


def test_a_plan_starts_separated_or_as_today_and_a_drop_wins() -> None:
    project, classes = two_clusters()
    best = tuple(one.pool for one in classes)
    assert pools_in(project, Scenario(name="Plan"), classes) == best
    dropped = Scenario(name="Plan", start=AS_TODAY, pools={"a/o/vllm": Pool.BURST})
    assert pools_in(project, dropped, classes) == (Pool.BURST, *pools_today(project, classes)[1:])


def test_a_drop_or_a_label_takes_a_card_out_of_review() -> None:
    unsure = Classification(
        pool=Pool.BURST, subtype="", confidence=0.59, reasons=(), runner_up=None, source="score"
    )
    assert is_in_review("k", unsure, Scenario(name="Plan"), 0.60)
    assert not is_in_review("k", replace(unsure, confidence=0.60), Scenario(name="Plan"), 0.60)
    assert not is_in_review("k", unsure, Scenario(name="Plan", pools={"k": Pool.BURST}), 0.60)
    assert not is_in_review("k", replace(unsure, source="label"), Scenario(name="Plan"), 0.60)


def test_moved_keys_are_those_whose_stated_pool_differs() -> None:
    before = Scenario(name="Plan", pools={"a": Pool.BURST, "b": Pool.BURST})
    after = Scenario(name="Plan", pools={"a": Pool.TRAINING, "b": Pool.BURST, "c": Pool.BURST})
    assert moved_keys(before, after) == {"a", "c"}
    assert moved_keys(before, before) == frozenset()


# --- Planned work beside a log: exact, on the log's hours of the week, in the plan and not in the past

OFFERS = [offer("od", 0, 6.0), offer("c12", 12, 3.0), offer("odA", 0, 2.0, gpu_model="A100")]
WORK = PlannedWork(name="next", pool=Pool.TRAINING, gpu_model="H100", gpus=8.0, cluster="c1", team="lab")
PLAN = "Plan A"


def project(**assumptions: Any) -> Any:
    loads = [
        Load(pool=Pool.INFERENCE, gpus=[10.0] * 400),
        Load(pool=Pool.BURST, gpus=[2.0] * 400, model=None),
    ]
    return case(loads, [contract("k1", 6, 2.0, 40, 400)], OFFERS, sigma=0.0, delta=0.0, **assumptions).project


def test_it_is_laid_on_the_hours_of_the_week() -> None:
    monday_s = 1_767_571_200  # 5 January 2026
    work = replace(WORK, hours=(0, 25))
    amounts = planned_amounts(work, Window(monday_s + 3600, 400))
    assert np.flatnonzero(amounts).tolist() == [24, 167, 192, 335, 360] and set(amounts.tolist()) == {
        0,
        8 * 3_600_000,
    }


def test_it_stands_beside_the_log_and_changes_nothing_of_it() -> None:
    before = project()
    other = replace(WORK, name="a-first", gpu_model="a100", cluster="")
    new = replace(WORK, name="new", gpu_model="GB300")
    after = plan_work(before, PLAN, (WORK, other, new))
    board = stands_on_board(after, after.scenarios[0])
    assert board is not None and [w.key for w in board.workloads] == sorted(w.key for w in board.workloads)
    assert sum(place == NOT_LOGGED for place in board.whole) == 3
    cube = board.cube
    assert cube.total == before.cube.total + 3 * 8 * 3_600_000 * 400
    assert (np.diff(cube.workload_index) >= 0).all() and "GB300" in cube.gpu_models
    for at, place in enumerate(board.whole):
        if place != NOT_LOGGED:
            assert (cube.hourly_of(at) == before.cube.hourly_of(place)).all()
    assert after.cube is before.cube and stands_on_board(before, before.scenarios[0]) is None


def test_it_is_in_the_plan_and_doing_nothing_and_not_in_the_past() -> None:
    tables = read_tables()
    before = evaluate(project(), PLAN, tables)
    after = evaluate(plan_work(project(), PLAN, (replace(WORK, cluster=""),)), PLAN, tables)
    assert before.totals is not None and after.totals is not None
    assert after.totals.today == before.totals.today
    assert after.audit.classes == before.audit.classes
    more = 730 * 8 * 6.0
    nothing = [one.totals.do_nothing for one in (before, after)]  # type: ignore[union-attr]
    assert nothing[1] - nothing[0] == pytest.approx(more)
    equivalent = [one.totals.on_demand_equivalent for one in (before, after)]  # type: ignore[union-attr]
    assert equivalent[1] - equivalent[0] == pytest.approx(more)
    card = next(card for card in after.figures.cards if card.key == "/lab/next")
    assert (card.pool, card.classification.pool, card.in_review) == (Pool.TRAINING, Pool.TRAINING, False)
    assert card.gpu_hours_per_month == pytest.approx(8 * 730)


def test_neither_growth_nor_factors_touch_it() -> None:
    tables = read_tables()
    only = [
        evaluate(
            plan_work(project(growth=growth, demand=demand), PLAN, (replace(WORK, cluster=""),)), PLAN, tables
        )
        for growth, demand in ((0.0, 1.0), (0.1, 1.0), (0.0, 3.0))
    ]
    for one in only:
        assert one.advice is not None
        (training,) = [row for row in one.advice.pools if row.pool is Pool.TRAINING]
        assert training.demand.mean_gpus == 8.0 and training.layers[0].gpus == 8.0
        column = one.figures.pools[Pool.TRAINING]
        assert column.gpu_hours_per_month == pytest.approx(8 * 730)
    late = only[1].advice.comparison[11].plan_usd - only[0].advice.comparison[11].plan_usd  # type: ignore[union-attr,operator]
    assert late > 0  # the log's own demand grows


def test_figures_after_an_edit_are_fresh_ones() -> None:
    tables = read_tables()
    first = evaluate(project(), PLAN, tables)
    planned = plan_work(first.project, PLAN, (WORK,))
    quick = evaluate_figures(planned, PLAN, first.audit, first.figures)
    fresh = evaluate_figures(planned, PLAN, first.audit)
    assert quick.cards == fresh.cards and quick.pools == fresh.pools
    gone = evaluate_figures(drop_planned(planned, PLAN, (WORK.key,)), PLAN, first.audit, quick)
    assert gone.cards == first.figures.cards


def test_edits_of_dates() -> None:
    before = project()
    key, end_s = before.workloads[0].key, before.window.end_s
    dated = date_workloads(before, PLAN, (key,), None, end_s + 86_400)
    assert dated.scenarios[0].spells == {key: Spell(None, end_s + 86_400)}
    assert date_workloads(dated, PLAN, (key,), None, end_s + 86_400) is dated
    assert date_workloads(dated, PLAN, (key,), None, None).scenarios[0].spells == {}
    assert stop_workloads(before, PLAN, (key,)).scenarios[0].spells == {key: Spell(None, end_s)}
    planned = plan_work(before, PLAN, (WORK,))
    moved = date_workloads(planned, PLAN, (WORK.key,), end_s, None)
    assert moved.scenarios[0].planned[0].begins_s == end_s and not moved.scenarios[0].spells
    assert plan_work(planned, PLAN, (WORK,)) is planned
    change = DemandChange(target="all", keys=(), factor=2.0, from_s=end_s)
    assert change_demand(before, PLAN, (change,)).scenarios[0].changes == (change,)
    assert end_s > START_S


def test_each_date_is_set_beside_the_other() -> None:
    before = project()
    key, other = (one.key for one in before.workloads[:2])
    end_s = before.window.end_s
    ended = end_workloads(
        date_workloads(before, PLAN, (key,), end_s, None), PLAN, (key, other), end_s + DAY_S
    )
    assert ended.scenarios[0].spells == {key: Spell(end_s, end_s + DAY_S), other: Spell(None, end_s + DAY_S)}
    begun = begin_workloads(ended, PLAN, (other,), end_s + 3600)
    assert begun.scenarios[0].spells[other] == Spell(end_s + 3600, end_s + DAY_S)
    back = bring_back(begun, PLAN, (key, other))
    assert set(back.scenarios[0].spells.values()) == {Spell(end_s, None)}
    with pytest.raises(PlannerError):
        begin_workloads(ended, PLAN, (other,), end_s + DAY_S)


def test_planned_work_is_moved_by_its_pool_and_changed_in_place() -> None:
    before = plan_work(project(), PLAN, (WORK,))
    moved = move_workloads(before, PLAN, (WORK.key, before.workloads[0].key), Pool.BURST)
    plan = moved.scenarios[0]
    assert plan.planned == (replace(WORK, pool=Pool.BURST),) and plan.pools == {
        before.workloads[0].key: Pool.BURST
    }
    assert move_workloads(moved, PLAN, (WORK.key,), Pool.BURST) is moved
    assert move_workloads(moved, PLAN, (WORK.key,), WORK.pool).scenarios[0].planned == (WORK,)
    other = replace(WORK, name="other", gpus=3.0)
    assert change_planned(before, PLAN, WORK.key, other).scenarios[0].planned == (other,)
    both = plan_work(before, PLAN, (other,))
    with pytest.raises(PlannerError):
        change_planned(both, PLAN, WORK.key, other)
    of_length = plan_work(before, PLAN, (replace(WORK, length_hours=9),))
    with pytest.raises(PlannerError):
        end_workloads(of_length, PLAN, (WORK.key,), before.window.end_s + DAY_S)


def test_a_divided_workload_has_the_dates_and_steps_of_the_whole() -> None:
    before = project()
    key = before.workloads[0].key
    split = split_workload(before, PLAN, key, ShareSplit(400))
    change = DemandChange(target=key, keys=(key,), factor=3.0, from_s=before.window.end_s)
    dated = [
        change_demand(end_workloads(of, PLAN, (key,), of.window.end_s + 40 * DAY_S), PLAN, (change,))
        for of in (before, split)
    ]
    whole, parts = (evaluate(of, PLAN, read_tables()).advice for of in dated)
    assert whole is not None and parts is not None
    assert parts.comparison[3].plan_usd == pytest.approx(whole.comparison[3].plan_usd)
    undated = evaluate(before, PLAN, read_tables()).advice
    assert undated is not None and undated.comparison[3].plan_usd != pytest.approx(
        whole.comparison[3].plan_usd
    )


@pytest.mark.parametrize(
    "edit",
    [
        lambda of: date_workloads(of, PLAN, ("no/such/one",), None, 0),
        lambda of: date_workloads(of, PLAN, (of.workloads[0].key,), 10, 10),
        lambda of: date_workloads(of, "Today", (of.workloads[0].key,), None, 10),
        lambda of: plan_work(of, PLAN, (replace(WORK, gpus=0.0),)),
        lambda of: plan_work(of, PLAN, (replace(WORK, hours=()),)),
        lambda of: plan_work(of, PLAN, (replace(WORK, name="load-000", team="team"),)),
        lambda of: change_demand(
            of, PLAN, (DemandChange(target="x", keys=("no/such/one",), factor=2.0, from_s=0),)
        ),
        lambda of: change_demand(of, PLAN, (DemandChange(target="all", keys=(), factor=-1.0, from_s=0),)),
    ],
)
def test_what_cannot_be_is_refused(edit: Any) -> None:
    with pytest.raises(PlannerError):
        edit(project())


# --- The newsvendor level is the best of all whole levels ----------------------------------------

held = st.lists(st.floats(0, 9), min_size=1, max_size=40)


def cost(level: int, demand: np.ndarray, ratio: float) -> float:
    """Per hour, in rates paid by use: what is committed, used or not, and what is over it."""
    return ratio * level + float(np.maximum(demand - level, 0.0).mean())


@given(held, st.floats(0.01, 1.2))
def test_no_whole_level_costs_less(demand: list[float], ratio: float) -> None:
    hourly = np.array(demand)
    level = newsvendor_units(hourly, ratio)
    assert cost(level, hourly, ratio) == pytest.approx(min(cost(one, hourly, ratio) for one in range(12)))


@given(held, st.integers(0, 30), st.floats(0.01, 1.2))
def test_hours_without_demand_may_be_left_out(demand: list[float], empty: int, ratio: float) -> None:
    hours = len(demand) + empty
    padded = np.concatenate([np.array(demand), np.zeros(empty)])
    assert newsvendor_units(np.array(demand), ratio, hours) == newsvendor_units(padded, ratio)


def test_nothing_is_worth_committing_to_without_demand() -> None:
    assert newsvendor_units(np.zeros(0), 0.5, 10) == 0
    assert newsvendor_units(np.zeros(5), 0.0) == 0


def test_today_takes_no_drop() -> None:
    project, classes = two_clusters()
    today = Scenario(name=TODAY, start=AS_TODAY, pools={"a/o/vllm": Pool.BURST})
    assert pools_in(project, today, classes) == pools_today(project, classes)


def test_parts_have_their_share_of_peak_and_time_and_the_first_has_the_jobs() -> None:
    """40% of a peak of 10.001 GPUs, rounded up, and of 1,000 + 5 milli-GPU-seconds, the running sum rounded down."""
    work = Workload(
        key="a/t/x",
        name="x",
        cluster="a",
        owner="t",
        jobs=3,
        gpu_jobs=2,
        milli_gpu_seconds=1005,
        peak_milli_gpus=10_001,
    )
    project = Project(
        window=Window(0, HOURS), cube=cube_of([(0, 0, 0, 1000), (0, 0, 1, 5)]), workloads=(work,)
    )
    parts = parted(project, {work.key: ShareSplit(400)})
    assert parts is not None
    facts = [
        (part.milli_gpu_seconds, part.peak_milli_gpus, part.jobs, part.gpu_jobs) for part in parts.workloads
    ]
    assert facts == [(603, 6001, 3, 2), (402, 4001, 0, 0)]
    assert part_amounts(project, {}, work.key, ShareSplit(400)) == (603, 402)
