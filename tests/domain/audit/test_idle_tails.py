"""Idle tails: edges of jobs, GPUs that idle between two instants, and the training that ended.

Seconds count from the beginning of the log; GPU time is in milli-GPU-seconds. Runs are added to the past of
`past_runs.py`.
"""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.idle_leaks import (
    UNKNOWN_S,
    Edge,
    Edges,
    build_ended_training_finder,
    demand_by_edges,
    demand_of_jobs,
    find_stretches,
    idle_between,
    idle_part,
    idle_tail_rows,
    idle_tails,
    known_training_stops,
    next_job_start_s,
    paid_between,
    tails_of_idle_gaps,
)
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.model.cube import IdleGap, RunningJobs
from gpuplanner.domain.model.tables import POOLS, Pool
from tests.domain import worlds
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    classified,
    make_contract,
    make_project,
    make_workload,
)
from tests.domain.audit.past_runs import SFT, past_with, run
from tests.domain.audit.test_idle_leaks import Job, idle_minutes, leak_of, project_of

H = 3600
TRAINING, INFERENCE, BURST = range(len(POOLS))
FULL = 2000 * H  # an hour of two GPUs
World: Any = SimpleNamespace(
    project=make_project, workload=make_workload, contract=make_contract, classified=classified
)


# --- Edges


@pytest.mark.parametrize(
    ("edge", "begin_s", "end_s", "amount"),
    [
        (
            Edge(hour=1, begin_s=4200, end_s=9000, model=0, pool=0, amount=3000),
            3600,
            7200,
            3000,
        ),  # ran for 3,000 s of its hour
        (Edge(hour=1, begin_s=4200, end_s=9000, model=0, pool=0, amount=3000), 3600, 4200, 0),
        (Edge(hour=1, begin_s=4200, end_s=9000, model=0, pool=0, amount=3000), 4000, 4800, 600),
        (Edge(hour=1, begin_s=4200, end_s=9000, model=0, pool=0, amount=6000), 5000, 5100, 200),
        (Edge(hour=1, begin_s=100, end_s=4800, model=0, pool=0, amount=1200), 3600, 4200, 600),  # for 1,200 s
        (Edge(hour=1, begin_s=100, end_s=4800, model=0, pool=0, amount=2400), 4500, 7200, 600),
        (Edge(hour=1, begin_s=100, end_s=4800, model=0, pool=0, amount=1200), 4800, 7200, 0),
        (Edge(hour=1, begin_s=3700, end_s=3701, model=0, pool=0, amount=80), 3600, 7200, 80),
        (
            Edge(hour=1, begin_s=7200, end_s=9000, model=0, pool=0, amount=500),
            7200,
            8000,
            0,
        ),  # not in its hour
        (Edge(hour=1, begin_s=8000, end_s=9000, model=0, pool=0, amount=500), 8000, 9000, 0),
    ],
)
def test_an_edge_is_spread_over_its_time_in_its_hour(
    edge: Edge, begin_s: int, end_s: int, amount: float
) -> None:
    assert edge.inside(begin_s, end_s) == pytest.approx(amount)


def test_edges_are_looked_up_by_their_hour() -> None:
    edges = [
        Edge(hour=hour, begin_s=hour, end_s=9, model=0, pool=1, amount=10 + hour) for hour in (0, 1, 1, 3)
    ]
    columns = np.array([[getattr(edge, name) for edge in edges] for name in Edge.__slots__])
    together = Edges(columns)
    assert [together.at(hour) for hour in range(5)] == [edges[:1], edges[1:3], [], edges[3:], []]


@pytest.mark.parametrize(
    ("hours", "amounts", "begins", "ends"),
    [
        # 1,200 s before 3:00 and 1,800 s after 4:00
        ((2, 3, 4), (FULL // 3, FULL, FULL // 2), [(2, 9600, 16_200)], [(4, 9600, 16_200)]),
        ((9, 10), (FULL, FULL), [(9, 32_400, 39_600)], [(10, 32_400, 39_600)]),
        ((7,), (FULL // 2,), [(7, 25_199, UNKNOWN_S)], []),
        ((7, 9), (FULL, FULL), [(7, 25_199, UNKNOWN_S), (9, 32_399, UNKNOWN_S)], []),
        # more than one job of that size ran at first; half a milli-GPU-second at last is a second
        ((2, 3, 4), (FULL + 1, FULL, 1), [(2, 7199, 14_401)], [(4, 7199, 14_401)]),
        ((2, 3, 4), (2001, FULL, FULL + 1), [(2, 10_799, UNKNOWN_S)], [(4, 10_799, UNKNOWN_S)]),
        ((2, 3, 4), (2000, FULL - 1, 2000), [(2, 7199, UNKNOWN_S)], [(4, 7199, UNKNOWN_S)]),
        ((2, 3), (2000, FULL), [(2, 10_799, UNKNOWN_S)], [(3, 10_799, UNKNOWN_S)]),
        ((2, 3), (FULL, 2000), [(2, 7199, 10_801)], [(3, 7199, 10_801)]),
        (
            (0, 1, 5, 6, 7),
            (FULL, FULL, 4000, FULL, 6000),
            [(0, 0, 7200), (5, 21_598, 25_203)],
            [(1, 0, 7200), (7, 21_598, 25_203)],
        ),
    ],
)
def test_stretches_of_one_job_at_a_time_begin_and_end_to_the_second(
    hours: tuple[int, ...],
    amounts: tuple[int, ...],
    begins: list[tuple[int, int, int]],
    ends: list[tuple[int, int, int]],
) -> None:
    """Of two GPUs."""
    columns = find_stretches(np.array(hours), np.array(amounts), 2000)
    by_hour = dict(zip(hours, amounts, strict=True))
    expected = [(hour, begin, end, 0, 0, by_hour[hour]) for hour, begin, end in (*begins, *ends)]
    assert [tuple(column) for column in columns.T.tolist()] == expected


@pytest.mark.parametrize(
    ("edges", "trained", "stops"),
    [
        ([(0, 8000, 10), (9000, 20_000, 20)], 30, [8000]),
        ([(0, 8000, 10), (9000, 20_000, 20)], 31, []),
        ([(0, 8000, 10), (8000, 20_000, 20)], 30, [8000]),
        ([(0, 8000, 10), (7999, 20_000, 20)], 30, []),
        ([(0, 10_800, 10)], 10, [10_800]),
        ([(0, 10_801, 10)], 10, []),
        ([(0, 8000, 10), (8500, 9000, 5), (9500, 20_000, 20)], 35, [8000, 9000]),
        ([(0, 8000, 10), (7500, 9000, 5)], 15, [9000]),
    ],
)
def test_training_stops_where_all_of_the_hour_is_over_or_did_not_begin(
    edges: list[tuple[int, int, int]], trained: int, stops: list[int]
) -> None:
    """In the third hour, which ends at 10,800 s; a service ended in it, too."""
    own = [
        Edge(hour=2, begin_s=begin, end_s=end, model=0, pool=TRAINING, amount=amount)
        for begin, end, amount in edges
    ]
    assert (
        known_training_stops(
            [Edge(hour=2, begin_s=0, end_s=8500, model=0, pool=INFERENCE, amount=7), *own], trained
        )
        == stops
    )


@pytest.mark.parametrize(
    ("begin_s", "end_s"),
    [
        (3600, 3600),
        (3601, 5000),
        (5000, 5000),
        (5001, 9000),
        (9001, 14_400),
        (14_400, 14_400),
        (14_401, 21_600),
    ],
)
def test_a_wait_ends_at_the_next_start_or_blocked_hour_or_with_the_log(begin_s: int, end_s: int) -> None:
    """Of six hours the second and the fifth are blocked, and jobs began at 5,000 s and 9,000 s."""
    assert next_job_start_s(begin_s, np.array([5000, 9000]), np.array([1, 4]), 6) == end_s


# --- What idled between two instants


def cluster(*, models: int = 1) -> ClusterHours:
    """Four hours of 4 H100, of which one is used, and of 2 A100, which are idle or wholly used (models: 2)."""
    works = [make_workload("w"), make_workload("x")]
    entries = [(0, 0, hour, GPU_HOUR) for hour in range(4)]
    entries += [(1, 1, hour, 2 * GPU_HOUR) for hour in range(4) if models > 1]
    contracts = [make_contract("h", 4, "2"), make_contract("a", 2, "1", gpu_model="A100")]
    (hours,) = dispatch_window(make_project(4, works, entries, contracts), [Pool.TRAINING, Pool.BURST])
    return hours


@pytest.mark.parametrize(
    ("begin_s", "end_s", "asked"),
    [
        (1800, 9000, [(1800, 3600), (7200, 9000)]),
        (4000, 5000, [(4000, 5000)]),
        (3600, 7200, []),
        (3600, 10_800, []),
        (3000, 7200, [(3000, 3600)]),
        (3600, 7300, [(7200, 7300)]),
        (3500, 3700, [(3500, 3600), (3600, 3700)]),
        (0, 14_400, []),
    ],
)
def test_whole_hours_idle_as_they_were_served_and_pieces_as_they_are_asked_for(
    begin_s: int, end_s: int, asked: list[tuple[int, int]]
) -> None:
    """3 of 4 H100 are idle all the time, and of the A100 none."""
    hours = cluster(models=2)
    used = {"H100": 1000.0, "A100": 2000.0}
    pieces = []

    def demand_in(begin: int, end: int) -> np.ndarray:
        pieces.append((begin, end))
        return np.array([used[str(model)] * (end - begin) for model in hours.models])

    idle = idle_between(hours, begin_s, end_s, START_S, demand_in)
    by_contract = dict(zip([item.contract_id for item in hours.contracts], idle.tolist(), strict=True))
    assert by_contract == {"h": 3000.0 * (end_s - begin_s), "a": 0.0}
    assert pieces == asked


def test_no_more_is_idle_than_a_contract_is_paid_for() -> None:
    """Of 600 s the H100 run for 200 s, and 3 of 4 are asked for in all of them."""
    hours = cluster()
    short = [
        replace(item, start_s=START_S + 4000, end_s=START_S + 4200) if item.contract_id == "h" else item
        for item in hours.contracts
    ]
    parted = replace(hours, contracts=tuple(short))
    idle = idle_between(parted, 3900, 4500, START_S, lambda begin, end: np.array([500.0 * (end - begin)]))
    held = {item.contract_id: amount for item, amount in zip(short, idle.tolist(), strict=True)}
    assert held == {"h": 200 * 4000 - 600 * 500, "a": 600 * 2000}


def test_demand_between_two_instants_is_even_beside_what_is_known() -> None:
    """H100: 1 GPU-h in the second hour, of which 1,200,000 in its first 1,200 s; a third of the rest, half of that."""
    hours = cluster(models=2)
    h100, a100 = (hours.models.index(model) for model in ("H100", "A100"))
    edges = Edges(np.array([[1], [0], [4800], [h100], [TRAINING], [1_200_000]]))
    demand = demand_by_edges(hours, edges, 4200, 5400)
    assert demand[h100] == pytest.approx(2_400_000 / 3 + 600_000)
    assert demand[a100] == pytest.approx(2 * GPU_HOUR / 3)
    bare = demand_by_edges(hours, edges, 7200, 7300)
    assert bare[h100] == pytest.approx(100 * 1000)


@pytest.mark.parametrize(
    ("begin_s", "end_s", "seconds"),
    [
        (0, 1000, 0),
        (0, 1500, 500),
        (2000, 3000, 1000),
        (4500, 6000, 500),
        (5000, 7000, 0),
        (6000, 7000, 0),
        (0, 9000, 4000),
    ],
)
def test_a_contract_is_paid_for_while_it_runs(begin_s: int, end_s: int, seconds: int) -> None:
    contract = make_contract("k", 2, "1", start_s=START_S + 1000, end_s=START_S + 5000)
    assert paid_between(contract, begin_s, end_s, START_S) == 2000 * seconds
    endless = replace(contract, end_s=None)
    assert paid_between(endless, begin_s, end_s, START_S) == 2000 * max(0, end_s - max(begin_s, 1000))


def test_jobs_of_a_gap_run_until_they_end() -> None:
    hours: Any = SimpleNamespace(models=("H100", "A100", None))
    running = (
        RunningJobs(0, "h100", 1000, 500),
        RunningJobs(0, "H100", 500, 100),
        RunningJobs(1, None, 2000, 300),
        RunningJobs(2, "A100", 4000, 200),
        RunningJobs(2, "a100", 3000, 201),
    )
    assert demand_of_jobs(hours, running, 200, 400).tolist() == [200_000, 3000, 200_000]


# --- Tails of gaps that are known


@pytest.mark.parametrize(
    ("running", "end_s", "tail"),
    [
        ([(0, 4, 3600)], 7200, (3600, 7200)),
        ([(0, 4, 3600), (0, 2, 4000)], 7200, (4000, 7200)),
        ([(1, 4, 3600)], 7200, None),  # no training ended
        ([], 7200, None),
        ([(0, 4, 5400)], 7200, None),  # half an hour is no longer than half an hour
        ([(0, 4, 5399)], 7200, (5399, 7200)),
        ([(0, 4, 3600), (1, 4, 9000)], 7200, None),  # it is used by the service
    ],
)
def test_a_gap_is_a_tail_after_the_last_training_where_something_is_idle(
    running: list[tuple[int, int, int]], end_s: int, tail: tuple[int, int] | None
) -> None:
    """4 GPUs in an hour that training ended before; the log has no demand of its own in the second hour."""
    works = [make_workload("llm"), make_workload("chat")]
    entries = [(0, 0, 0, 4 * GPU_HOUR), (1, 0, 1, 4 * GPU_HOUR if running[-1:] == [(1, 4, 9000)] else 0)]
    project = make_project(2, works, entries, [make_contract("k", 4, "2")])
    classes = classified(Pool.TRAINING, Pool.INFERENCE)
    (hours,) = dispatch_window(project, [item.pool for item in classes])
    gap = IdleGap("atlas", end_s, tuple(RunningJobs(at, "H100", 1000 * n, until) for at, n, until in running))
    past: Any = SimpleNamespace(
        project=project, classifications=classes, idle_gaps_longer_than=lambda _: {"atlas": [gap]}
    )
    tails = tails_of_idle_gaps(past, hours, 1800)
    assert tails is not None
    assert [(item.begin_s, item.end_s) for item in tails] == ([] if tail is None else [tail])
    if tail is not None:
        assert tails[0].idle.tolist() == [4000.0 * (tail[1] - tail[0])]
    past.idle_gaps_longer_than = lambda _: {}
    assert tails_of_idle_gaps(past, hours, 1800) == []
    past.idle_gaps_longer_than = lambda _: None
    assert tails_of_idle_gaps(past, hours, 1800) is None


def test_tails_of_a_cluster_are_one_leak() -> None:
    """180 GPU-h in each of two tails (`past_runs.py`), all of k1; bora trains nothing."""
    (claim,) = idle_tails(worlds.past().past)
    assert claim.cluster == "atlas" and claim.contract_id is None
    assert [(part.origin, part.gpu_hours, part.rate) for part in claim.parts] == [
        (("contract", "k1"), 360.0, 2.0)
    ]


@pytest.mark.parametrize(
    ("jobs", "names", "gpus", "idle"),
    [
        # a service that began at 2:30 goes on: training ends at 3:20, and 6 of 8 GPUs are idle until 10:00
        ([(Pool.TRAINING, 2, 0, 200), (Pool.INFERENCE, 2, 150, 600)], [0, 1], 8, 6 * 400),
        # from 2:00 on other training runs, less of it than before
        (
            [(Pool.TRAINING, 8, 0, 110), (Pool.TRAINING, 1, 0, 60), (Pool.TRAINING, 1, 120, 600)],
            [0, 1, 1],
            9,
            0,
        ),
        # a service goes on in the fourth hour, after another that lasted for 20 minutes of the third
        (
            [
                (Pool.TRAINING, 4, 0, 175),
                (Pool.INFERENCE, 4, 150, 170),
                (Pool.INFERENCE, 2, 0, 60),
                (Pool.INFERENCE, 2, 180, 600),
            ],
            [0, 1, 2, 2],
            10,
            0,
        ),
    ],
)
def test_a_tail_lasts_until_work_of_unknown_beginning(
    jobs: list[Job], names: list[int], gpus: int, idle: int
) -> None:
    project, classes = project_of(World, jobs, gpus, names)
    assert idle_minutes(leak_of(project, classes)) == pytest.approx(idle)


def test_work_whose_first_second_is_not_known_fills_its_hours() -> None:
    """Training ends after 20 minutes; 2 of 8 GPUs are used by burst work in all ten hours."""
    jobs = [(Pool.TRAINING, 2, 0, 20), (Pool.BURST, 2, 0, 600)]
    project, classes = project_of(World, jobs, 8, [0, 1])
    run_whole, burst = project.workloads
    untimed = replace(burst, first_start_s=None, last_end_s=None)
    found = leak_of(replace(project, workloads=(run_whole, untimed)), classes)
    assert idle_minutes(found) == pytest.approx(6 * 580, rel=1e-9)


def test_what_idles_costs_the_rate_of_its_contract() -> None:
    part = idle_part(make_contract("k", 2, "3"), 5.5 * GPU_HOUR)
    assert (part.origin, part.gpu_hours, part.rate, part.paid) == (("contract", "k"), 5.5, 3.0, 16.5)
    unknown = idle_part(make_contract("k", 2, None), GPU_HOUR)
    assert (unknown.rate, unknown.paid, replace(unknown, gpu_hours=0.0).paid) == (None, None, 0.0)


def test_a_tail_is_of_what_trained_most_in_the_hour_before() -> None:
    """Hour 2: 1 GPU of a, 5 of b, 9 of c, which serves; hour 3: 4 of each that trains; hour 5: none."""
    works = [make_workload(name) for name in ("a", "b", "c")]
    entries = [
        (0, 0, 2, GPU_HOUR),
        (1, 0, 2, 5 * GPU_HOUR),
        (2, 0, 2, 9 * GPU_HOUR),
        (0, 0, 3, 4 * GPU_HOUR),
        (1, 0, 3, 4 * GPU_HOUR),
    ]
    past = replace(
        worlds.past().past,
        project=make_project(8, works, entries),
        classifications=classified(Pool.TRAINING, Pool.TRAINING, Pool.INFERENCE),
    )
    ended = build_ended_training_finder(past)

    def name(at_s: int, of_cluster: str = "atlas") -> str:
        workload, job = ended(of_cluster, START_S + at_s)
        assert job == "" and workload.cluster == of_cluster
        return workload.name

    assert name(3 * H) == name(2 * H + 1) == "b"
    assert name(3 * H + 1) == name(4 * H) == "a"  # of as many the first
    assert name(6 * H) == name(3 * H, "bora") == ""


def test_a_tail_is_of_the_largest_run_that_ended_then() -> None:
    """From 30 to 60 and from 70 to the end 6 of 8 H100 stand idle: 180 GPU-h at $2 each, a month of 730 of 100 h."""
    first, second = idle_tail_rows(worlds.past().past)
    for row, hour in ((first, 30), (second, 70)):
        assert (row.workload.key, row.run, row.start_s) == (SFT, "", START_S + hour * H)
        assert (row.figures["idle_hours"], row.figures["gpu_hours"]) == (30.0, 180.0)
        assert row.figures["leaked_in_window"] == 360.0
        assert row.figures["leaked_per_month"] == pytest.approx(360 * 7.3)
    past = past_with(
        run("small", 20, 30, 1), run("large", 10, 30, 3), run("as large", 11, 30, 3), run("other", 60, 69, 8)
    )
    assert [row.run for row in idle_tail_rows(past)] == ["large", ""]
