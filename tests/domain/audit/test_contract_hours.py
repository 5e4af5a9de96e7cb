"""Hours of contracts: beside the log, served demand, take or pay, and training that ran in contended hours.

Contended: atlas holds 4 H100, six hours of demand, GPUs of `llm`, which trains, and of `chat`, which serves:
hour    0  1  2  3  4  5
llm     4  4  0  3  5  2
chat    0  1  5  1  0  2.5
Above 4 in hours 1, 2, 4 and 5, by 1, 1, 1 and 0.5 GPU; both ran in 1 and 5 of them.
"""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.audit.utilization import (
    ClusterHours,
    ContractsApart,
    any_ran,
    contended_gpu_hours,
    contention_by_cluster,
    contracts_apart,
    dispatch,
    dispatch_window,
    held_contracts,
    paid_contracts,
    part_of,
    per_unit_of_demand,
    run_seconds_by_hour,
    served_by_model,
    served_share,
    shares_of_contracts,
)
from gpuplanner.domain.model.plan_inputs import PlannedWork, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, Window
from tests.domain.audit.conftest import GPU_HOUR, START_S, Entry, make_contract, make_project, make_workload

TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST
TWO_DAYS = Window(START_S, 48)
LLM, CHAT = (4, 4, 0, 3, 5, 2), (0, 1, 5, 1, 0, 2.5)


def held(start_d: float, end_d: float | None, gpus: float = 1, name: str = "k", **more: object):  # type: ignore[no-untyped-def]
    """A contract by the days from the beginning of the log at which it starts and ends."""
    end_s = None if end_d is None else START_S + round(end_d * DAY_S)
    return make_contract(name, gpus, "2", start_s=START_S + round(start_d * DAY_S), end_s=end_s, **more)


# --- Contracts beside the log


@pytest.mark.parametrize(
    ("spans", "days"),
    [
        ([], None),
        ([(-3, 0)], (-3, 0)),
        ([(-3, 0.01)], None),
        ([(2, 5)], (2, 5)),
        ([(1.99, 5)], None),
        ([(-9, -3), (4, 7), (3, 5)], (-9, 7)),
        ([(-9, -3), (4, None)], (-9, None)),
        ([(-9, -3), (0, 1)], None),
        ([(-9, None)], None),
    ],
)
def test_contracts_lie_apart_where_none_runs_in_the_log(
    spans: list[tuple[float, float | None]], days: tuple[float, float | None] | None
) -> None:
    contracts = [held(*span) for span in spans]
    apart = contracts_apart(iter(contracts), TWO_DAYS)
    assert any_ran(contracts, TWO_DAYS) == (bool(contracts) and apart is None)
    if days is None:
        assert apart is None
    else:
        assert apart is not None and apart.contracts == tuple(contracts)
        begin_d, end_d = days
        assert apart.begin_s == START_S + begin_d * DAY_S
        assert apart.end_s == (None if end_d is None else START_S + end_d * DAY_S)


@pytest.mark.parametrize(
    ("at_s", "runs"), [(-1, False), (0, True), (DAY_S - 1, True), (DAY_S, False), (3 * DAY_S, True)]
)
def test_one_runs_from_its_first_second_to_the_one_before_its_end(at_s: int, *, runs: bool) -> None:
    apart = ContractsApart(START_S, None, (held(0, 1), held(2, None)))
    assert apart.runs_at(START_S + at_s) is runs


@pytest.mark.parametrize(
    ("spans", "today_d", "day"),
    [
        ([(5, None, 4)], 7.5, 7),  # one runs today, from midnight
        ([(5, None, 4)], 3, 5),
        ([(5, None, 4)], 4.9, 5),  # it does not run at midnight
        ([(2, None, 1), (5, None, 8)], 2.5, 5),  # today is the log's end, no day after it
        ([(2, None, 1), (5, None, 8)], 3.5, 3),
        ([(5.25, None, 4)], 3, 6),  # not a whole day at first
        ([(2, 3, 4)], 9, 2),
        ([(-5, -1, 4)], 9, None),
        ([(5.25, 5.75, 4)], 3, None),  # over before a whole day begins
        ([(3, 4, 2), (6, None, 1)], 2, 3),
        ([(3, 4, 1), (6, None, 2)], 2, 6),
        ([(6, None, 2), (3, 4, 2)], 2, 3),  # as many: the earlier
        ([(3, 8, 1.5), (6, 7, 0.5), (9, None, 1.75)], 2, 6),  # 1.5 and 0.5 GPUs run together
    ],
)
def test_a_plan_begins_today_or_on_the_day_of_most_gpus(
    spans: list[tuple[float, float | None, float]], today_d: float, day: int | None
) -> None:
    """After a log of two days."""
    apart = ContractsApart(START_S, None, tuple(held(*span) for span in spans))
    begin_s = apart.day_to_plan_from_s(TWO_DAYS, START_S + round(today_d * DAY_S))
    assert begin_s == (None if day is None else START_S + day * DAY_S)


def test_a_log_that_ends_at_six_is_followed_by_the_next_day() -> None:
    apart = ContractsApart(START_S, None, (held(1.25, None),))
    assert apart.day_to_plan_from_s(Window(START_S, 30), START_S) == START_S + 2 * DAY_S


# --- Contracts in hours


@pytest.mark.parametrize(
    ("start_s", "end_s", "seconds"),
    [
        (-9, None, [3600, 3600, 3600]),
        (600, None, [3000, 3600, 3600]),
        (3600, 7200, [0, 3600, 0]),
        (3000, 3900, [600, 300, 0]),
        (4000, 4100, [0, 100, 0]),
        (-9, 0, [0, 0, 0]),
        (10_800, None, [0, 0, 0]),
        (0, 20_000, [3600, 3600, 3600]),
    ],
)
def test_a_contract_runs_for_seconds_of_each_hour(
    start_s: int, end_s: int | None, seconds: list[int]
) -> None:
    contract = make_contract(
        "k", 1, "2", start_s=START_S + start_s, end_s=None if end_s is None else START_S + end_s
    )
    assert run_seconds_by_hour(contract, Window(START_S, 3)).tolist() == seconds


def test_demand_is_served_by_the_first_tier_that_has_room() -> None:
    demand, capacity = np.array([7, 3, 0, 1]), np.array([[4, 4, 4, 0], [2, 2, 2, 2]])
    assert dispatch(demand, capacity).tolist() == [[4, 3, 0, 0], [2, 0, 0, 1]]
    with pytest.raises(ValueError, match="dispatch"):
        dispatch(demand[:3], capacity)
    assert part_of(np.array([1, 3, 2]), np.array([4, 0, 2])).tolist() == [0.25, 0.0, 1.0]


def mixed() -> tuple[ClusterHours, ...]:
    """Two hours: 3 H100 of 2 and 1 of those; 1 A100 of 2 and none; and of unknown model 2 in each."""
    works = [make_workload("a"), make_workload("b"), make_workload("c")]
    entries = [
        (0, 0, 0, 3 * GPU_HOUR),
        (0, 0, 1, 1 * GPU_HOUR),
        (1, 1, 0, 1 * GPU_HOUR),
        (2, -1, 0, 2 * GPU_HOUR),
        (2, -1, 1, 2 * GPU_HOUR),
    ]
    contracts = [make_contract("h", 2, "2"), make_contract("a", 2, "1", gpu_model="A100")]
    return dispatch_window(make_project(2, works, entries, contracts), [TRAINING, INFERENCE, BURST])


def test_unknown_models_take_what_the_others_leave() -> None:
    """A100 first, which is cheaper: it has 1 left in the first hour and 2 in the second."""
    (hours,) = mixed()
    assert [contract.contract_id for contract in hours.contracts] == ["a", "h"]
    by_model = dict(zip(hours.models, (served_by_model(hours) / GPU_HOUR).tolist(), strict=True))
    assert by_model == {"H100": [[0, 0], [2, 1]], "A100": [[1, 0], [0, 0]], None: [[1, 2], [0, 0]]}
    shares = {model: share.tolist() for model, share in shares_of_contracts(hours).items()}
    assert shares["H100"] == [[0, 0], [pytest.approx(2 / 3), 1]]
    assert shares["A100"] == [[1, 0], [0, 0]]
    assert shares[None] == [[0.5, 1], [0, 0]]
    order = [hours.models.index(model) for model in ("H100", "A100", None)]
    assert served_share([hours])[order].tolist() == [[pytest.approx(2 / 3), 1], [1, 0], [0.5, 1]]
    assert (hours.overflow[order] / GPU_HOUR).tolist() == [[1, 0], [0, 0], [1, 0]]
    assert per_unit_of_demand([], lambda cluster: cluster.served).shape == (0, 0)


# --- Take or pay


def take_or_pay(percent: float | None, hours: int, entries: list[Entry], **more: object) -> Project:
    contract = replace(make_contract("t", 2, "2", **more), take_or_pay_percent=percent)
    bare = make_contract("u", 1, "1", gpu_model="A100")
    return make_project(hours, [make_workload("w")], entries, [contract, bare])


def test_what_is_take_or_pay_pays_its_share_or_what_is_used() -> None:
    """10 h of 2 GPUs, half to be paid; 2 of them used in 4 h are 8 of 20, in 7 h 14 of 20."""
    for ran, paid, used in ((4, 0.5, 0.4), (7, 0.7, 0.7), (0, 0.5, 0.0)):
        project = take_or_pay(50.0, 10, [(0, 0, hour, 2 * GPU_HOUR) for hour in range(ran)])
        contract, bare = paid_contracts(project)
        assert (contract.paid_share, contract.used_share) == (pytest.approx(paid), pytest.approx(used))
        assert (bare.paid_share, bare.used_share) == (1.0, 0.0)
        assert [item.contract_id for item in held_contracts(project)] == ["t", "u"]
        undated = replace(project, window=Window(0, 10))  # without a calendar
        assert paid_contracts(undated)[0].paid_share == pytest.approx(paid)
        assert paid_contracts(undated)[0].used_share == pytest.approx(used)
    whole = take_or_pay(None, 10, [])
    assert paid_contracts(whole) is whole.contracts


def test_each_calendar_month_pays_for_itself() -> None:
    """July and August have 744 h each. July is used for 558 h, which it pays; August pays its half, 372 h."""
    entries = [(0, 0, hour, 2 * GPU_HOUR) for hour in range(558)]
    contract, _ = paid_contracts(take_or_pay(50.0, 1488, entries))
    assert contract.used_share == pytest.approx(558 / 1488)
    assert contract.paid_share == pytest.approx((558 + 372) / 1488)


def test_planned_work_has_used_nothing_yet() -> None:
    project = take_or_pay(50.0, 10, [(0, 0, hour, 2 * GPU_HOUR) for hour in range(8)])
    (work,) = project.workloads
    plan = Scenario(
        name="A",
        planned=(PlannedWork(name=work.name, pool=TRAINING, gpu_model="H100", gpus=1.0, cluster="atlas"),),
    )
    planned = replace(project, scenarios=(plan,))
    assert paid_contracts(planned)[0].paid_share == pytest.approx(0.8)  # another key: it is of the log
    same = replace(work, key=plan.planned[0].key)
    logged, unlogged = (replace(planned, workloads=(replace(same, jobs=jobs),)) for jobs in (1, 0))
    assert paid_contracts(logged)[0].paid_share == pytest.approx(0.8)
    assert paid_contracts(unlogged)[0].paid_share == pytest.approx(0.5)
    unnamed = replace(unlogged, workloads=(replace(work, jobs=0),))
    assert paid_contracts(unnamed)[0].paid_share == pytest.approx(0.8)


# --- Contention


def contended() -> tuple[Project, list[Pool]]:
    """The cluster of the module's text; and training of which atlas has no GPU, which is far away, or which is alone.

    `free` ran 3 A100 in hour 1, which atlas lacks, `away` 1 H100 in hour 1 on bora, `early` 1 B200 in hour 0, and of
    a burst 2 A100 ran in hour 5.
    """
    works = [make_workload(name) for name in ("free", "llm", "chat", "early", "burst")]
    works.append(make_workload("away", "bora"))
    entries = [
        *((1, 0, hour, round(gpus * GPU_HOUR)) for hour, gpus in enumerate(LLM)),
        *((2, 0, hour, round(gpus * GPU_HOUR)) for hour, gpus in enumerate(CHAT)),
        (0, 1, 1, 3 * GPU_HOUR),
        (3, 2, 0, 1 * GPU_HOUR),
        (4, 1, 5, 2 * GPU_HOUR),
        (5, 0, 1, 1 * GPU_HOUR),
    ]
    contracts = [make_contract("k", 4, "2"), make_contract("b", 1, "2", cluster="bora")]
    project = make_project(6, works, entries, contracts, models=("H100", "A100", "B200"))
    return project, [TRAINING, TRAINING, INFERENCE, TRAINING, BURST, TRAINING]


def test_training_that_ran_in_contended_hours_beside_inference() -> None:
    project, classes = contended()
    contention = contention_by_cluster(project, classes, dispatch_window(project, classes))
    atlas, bora = contention["atlas"], contention["bora"]
    assert atlas.hours.tolist() == [False, True, True, False, True, True]
    assert atlas.beside_inference.tolist() == [False, True, False, False, False, True]
    assert (atlas.contention_hours, atlas.beside_inference_hours) == (4, 2)
    assert atlas.overflow_gpu_hours == pytest.approx(3.5)
    assert atlas.shared_training == ("atlas/team/free", "atlas/team/llm")
    assert (bora.contention_hours, bora.overflow_gpu_hours, bora.shared_training) == (0, 0.0, ())
    assert contended_gpu_hours(project, classes, contention) == (3.0, 6.0, 0.0, 0.0, 0.0, 0.0)
    assert contended_gpu_hours(project, classes, {"bora": bora}) == (0.0,) * 6
    assert contended_gpu_hours(project, classes, {}) == (0.0,) * 6


def test_training_of_two_models_counts_with_both_and_is_named_once() -> None:
    """8 H100 and 2 A100 in the one hour, beside 1 H100 that serves, where 4 H100 are held."""
    entries = [(0, 0, 0, 8 * GPU_HOUR), (0, 1, 0, 2 * GPU_HOUR), (1, 0, 0, GPU_HOUR)]
    works = [make_workload("llm"), make_workload("chat")]
    project = make_project(1, works, entries, [make_contract("k", 4, "2")])
    classes = [TRAINING, INFERENCE]
    contention = contention_by_cluster(project, classes, dispatch_window(project, classes))
    assert contention["atlas"].shared_training == ("atlas/team/llm",)
    assert contended_gpu_hours(project, classes, contention) == (10.0, 0.0)
