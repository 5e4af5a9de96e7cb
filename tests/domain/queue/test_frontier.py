"""Sizes by hand: replays on so many GPUs with nodes, their $, the least for a target, and what is marked."""

import math
from dataclasses import replace
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.frontier import (
    AsToday,
    FrontierPoint,
    Gap,
    OfModel,
    OnSizes,
    TargetFound,
    better_than,
    calibrated_sizes,
    gpus_in,
)
from gpuplanner.domain.queue.ground import Queueing
from gpuplanner.domain.queue.replay import replay
from gpuplanner.domain.queue.rows import Replayed, by_model
from gpuplanner.domain.queue.sets import GpuSet
from gpuplanner.domain.queue.waits import Range, Target, Waits, waits_of
from tests.domain import worlds
from tests.domain.commitment.conftest import contract
from tests.domain.queue.queued_jobs import BURSTS, SERVES, TRAINS, Row, queued

NO_WAITS = Waits(0, None, None, None, None, None)


def sizes_of(of: Queueing, pool: Pool, *, is_together: bool = False) -> OnSizes:
    """The jobs of a pool on other sizes, as of today."""
    today = Replayed(of, of.today, lambda: False)
    row = next(row for row in by_model(today) if row.pool is pool)
    return OnSizes(today, today, row, lambda: False, is_together=is_together)


def crowd(seed: int) -> list[Row]:
    """Sixty jobs of three pools, some on two nodes, some of slices."""
    draw = Random(seed)
    gpus = draw.choice([(1, 2, 4), (1, 2, 8), (0.143, 0.5, 1)])
    rows = []
    for _ in range(60):
        begin = draw.randint(0, 60)
        nodes = draw.choice([1, 1, 2]) if gpus[0] == 1 else 1
        kind = draw.choice([TRAINS, SERVES, BURSTS])
        length, planned_h = draw.randint(1, 12), draw.choice([0, 0, 5])
        rows.append(Row(kind, max(nodes, draw.choice(gpus)), begin, begin, begin + length, nodes, planned_h))
    return rows


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("is_together", [False, True])
def test_a_size_is_a_replay_on_as_many_gpus(seed: int, *, is_together: bool) -> None:
    """However jobs lie where nobody waits: that only makes it faster."""
    of = queued(crowd(seed))
    sizes = sizes_of(of, Pool.TRAINING, is_together=is_together)
    model = np.array([("H100", "H100", "A100")[kind] == "H100" for kind in of.log.kind])
    stands = model if is_together else of.log.kind == TRAINS
    at = of.order[stands[of.order]]
    kept = zip(of.jobs(of.today), stands[of.order], strict=True)
    jobs = [job._replace(sets=(0,)) for job, is_kept in kept if is_kept]
    node = of.node_milli_gpus(at)
    own = of.log.kind[at] == TRAINS
    for gpus in (8, 9, 12, 20, 60):
        answer = replay(jobs, [GpuSet(((int(of.log.eligible_s[at].min()), gpus * 1000),), node)], of.rooms)
        start_s = np.array(answer.start_s)
        expected = waits_of((start_s - of.log.eligible_s[at])[own & (start_s >= 0)])
        point = sizes.at(gpus)
        assert (point.waits, point.never) == (expected, int((own & (start_s < 0)).sum()))
        assert (point.gpus, point.hours, point.is_together) == (gpus, worlds.HOURS, is_together)


def test_a_size_is_given_up_only_where_a_pool_surely_waits_longer() -> None:
    longer = 0
    for seed, gpus, other in product(range(6), (8, 9, 12, 20), (8, 9, 12, 20)):
        of = queued(crowd(seed))
        than, whole = (sizes_of(of, Pool.TRAINING, is_together=True).every(many) for many in (other, gpus))
        of.known.clear()  # else what is known is told
        points = sizes_of(of, Pool.TRAINING, is_together=True).every(gpus, than)
        waited = [
            (a.waits.p90_h or 0.0, math.inf if b.waits.p90_h is None else b.waits.p90_h)
            for a, b in zip(whole, than, strict=True)
        ]
        is_longer = any(own > known for own, known in waited)
        longer += is_longer
        assert points == whole or (points == () and is_longer)
        assert points == () or not is_longer or any(point.never for point in whole)
    assert longer


def test_a_size_costs_its_gpus_and_what_it_sends_out() -> None:
    """Serving goes out at once where it has no room: on 1 GPU the second of two of an hour goes out, 2 GPU-h at $4.

    730 hours are a month: 1 GPU x 730 h at the mean rate of its contracts, and $8.
    """
    rows = [Row(SERVES, 1, 5, 5, 7), Row(SERVES, 2, 6, 6, 7), Row(SERVES, 1, -3, -3, -2)]
    sizes = sizes_of(queued(rows), Pool.INFERENCE)
    assert sizes.rate == pytest.approx(5 / 3)  # 3 of K2 by hand, as the plan's advice has them
    point = sizes.at(1)
    assert (point.sent_out, point.sent_out_usd, point.never) == (1, 8.0, 0)
    assert point.usd_per_month == pytest.approx(730 * 5 / 3 + 8.0)
    assert sizes.at(3).usd_per_month == pytest.approx(3 * 730 * 5 / 3) and sizes.at(3).sent_out == 0
    assert (sizes.largest, sizes.most_at_once, sizes.unit) == (2.0, 3.0, 1)
    assert sizes.mean_gpus == pytest.approx((2 + 2) / 730)
    asked = sizes.target(Target(Pool.INFERENCE, 1.0, is_of_all=True))
    assert asked.found is not None and asked.found.gpus == 3
    assert (asked.asked.gpu_model, asked.plan, asked.is_plan_shared) == ("H100", None, False)


def test_a_mean_is_no_more_than_the_slices_lie_on() -> None:
    sizes = sizes_of(queued([Row(TRAINS, 0.143, 0, 0, 730) for _ in range(7)]), Pool.TRAINING)
    assert (sizes.mean_gpus, sizes.most_at_once, sizes.largest) == (0.994, 0.994, 0.142)


@pytest.mark.parametrize(("p90_h", "gpus"), [(0.0, 8), (7.9, 8), (8.0, 4), (9.0, 4), (99.0, 4)])
def test_a_target_has_the_fewest_gpus_that_keep_p90(p90_h: float, gpus: int) -> None:
    """Two of 4 GPUs and 10 h, the second 2 h later: on 4 GPUs it waits 8 h."""
    sizes = sizes_of(queued([Row(TRAINS, 4, 0, 0, 10), Row(TRAINS, 4, 2, 2, 12)]), Pool.TRAINING)
    answer = sizes.target(Target(Pool.TRAINING, p90_h))
    assert answer.found is not None and answer.found.gpus == gpus


def test_together_nodes_are_whole_and_what_all_send_out_counts() -> None:
    """Nodes of 4 for training; serving goes out while training has all: 1 GPU-h at $4 is in both points."""
    rows = [Row(TRAINS, 4, 0, 0, 10), Row(SERVES, 1, 2, 2, 3), Row(BURSTS, 1, 2, 2, 3)]
    of = queued(rows)
    sizes = sizes_of(of, Pool.TRAINING, is_together=True)
    assert (sizes.pools, sizes.is_together, sizes.unit) == ((Pool.INFERENCE, Pool.TRAINING), True, 4)
    point, serving = sizes.at(4), sizes_of(of, Pool.INFERENCE, is_together=True).at(4)
    assert (point.sent_out, point.sent_out_usd, point.is_together) == (0, 4.0, True)
    assert (serving.sent_out, serving.sent_out_usd) == (1, 4.0)
    assert not sizes_of(of, Pool.BURST, is_together=True).is_together
    assert sizes_of(of, Pool.TRAINING).unit == 1


def test_a_frontier_has_today_beside_the_sizes_and_what_the_log_waited() -> None:
    """Five jobs of 4 GPUs and 10 h, hour by hour, on 8 GPUs: 0, 0, 8, 8 and 16 h; in the log the last waited 20 h.

    The log had 20 h where 16 are replayed: on 4 GPUs P90 is 36 h, by the difference 40 h."""
    rows = [Row(TRAINS, 4, at, at + (20 if at == 4 else 0), at + (30 if at == 4 else 10)) for at in range(5)]
    of = queued(rows, [contract("a", 8, 2.0, None, worlds.HOURS)])
    points = sizes_of(of, Pool.TRAINING).frontier(3, None)
    assert [(point.gpus, point.waits.p90_h) for point in points] == [
        (4, 36.0),
        (8, 16.0),
        (12, 7.0),
        (20, 0.0),
    ]
    assert [point.marks for point in points] == [(), ("today",), ("knee",), ()]
    assert {point.today for point in points} == {(8, False, 20.0, 16.0)}
    assert {point.bend for point in points} == {(12, 12)}
    assert [point.corrected for point in points] == [point.likely for point in points]
    far = [replace(point, today=point.today._replace(replayed_h=41.0)) for point in points]
    assert {point.corrected for point in far} == {
        None
    }  # more than twice the log's wait: that corrects nothing
    assert [point.likely.low_h for point in points][:2] == [40.0, 20.0]
    assert sizes_of(of, Pool.TRAINING).frontier(0, None) == []
    other = queued([row._replace(is_known=False) for row in rows], of.evaluation.project.contracts)
    assert {point.likely for point in sizes_of(other, Pool.TRAINING).frontier(2, None)} == {None}


def test_a_target_is_marked_on_its_size_with_its_hours() -> None:
    rows = [Row(TRAINS, 4, at, at, at + 10) for at in range(5)]
    of = queued(
        rows,
        [contract("a", 8, 2.0, None, worlds.HOURS), contract("b", 8, 2.0, None, worlds.HOURS, cluster="c2")],
    )
    sizes = sizes_of(of, Pool.TRAINING)
    target = sizes.target(Target(Pool.TRAINING, 16.0))
    points = sizes.frontier(2, target)
    assert [(point.gpus, point.marks, point.target_h) for point in points] == [
        (4, (), None), (8, ("today", "target"), 16.0), (20, (), None)
    ]  # fmt: skip
    assert points[0].today == (16, False, 0.0, 16.0)
    for_all = sizes.target(Target(Pool.TRAINING, 16.0, is_of_all=True))
    assert [point.target_h for point in sizes.frontier(2, for_all)] == [None] * 3


def test_gpus_of_today_are_shared_where_another_pool_may_use_them() -> None:
    held = [
        contract("a", 8, 2.0, None, worlds.HOURS),
        contract("b", 4, 2.0, None, worlds.HOURS, cluster="c2"),
    ]
    rows = [Row(TRAINS, 4, 0, 0, 10), Row(SERVES, 1, 2, 2, 3)]
    assert not sizes_of(queued(rows, held), Pool.TRAINING).frontier(1, None)[0].today.is_shared
    of = queued(rows, held)
    kinds = tuple(kind._replace(cluster="c1") for kind in of.log.kinds)
    shared = Queueing(of.evaluation, replace(of.log, kinds=kinds))
    assert sizes_of(shared, Pool.TRAINING).frontier(1, None)[0].today.is_shared
    assert not sizes_of(shared, Pool.TRAINING, is_together=True).frontier(1, None)[0].today.is_shared
    assert gpus_in([GpuSet(((0, 9000), (5, 2500))), GpuSet(((0, 1100),))]) == 4


@pytest.mark.parametrize(
    ("target_h", "low_h", "is_missed"),
    [(4.0, 4.1, True), (4.0, 4.0, False), (None, 9.0, False), (4.0, None, False)],
)
def test_a_target_is_missed_where_the_log_expects_more(
    target_h: float | None, low_h: float | None, *, is_missed: bool
) -> None:
    likely = None if low_h is None else Range(low_h, 99.0)
    point = FrontierPoint(Pool.TRAINING, "H100", 4, None, NO_WAITS, 0, likely, target_h=target_h)
    assert point.is_missed is is_missed


@pytest.mark.parametrize(("usd", "beside", "more"), [(5.0, 3.0, 2.0), (None, 3.0, None), (5.0, None, None)])
def test_a_size_costs_more_or_less_than_the_plan(
    usd: float | None, beside: float | None, more: float | None
) -> None:
    size, plan = (FrontierPoint(Pool.TRAINING, "H100", 4, cost, NO_WAITS, 0) for cost in (usd, beside))
    asked = Target(Pool.TRAINING, 1.0)
    assert TargetFound(asked, size, plan).difference_usd_per_month == more
    assert TargetFound(asked, None, plan).difference_usd_per_month is None
    assert TargetFound(asked, size, None).difference_usd_per_month is None


def layer(gpus: float, rate: float | None, *, existing: bool = False, is_new: bool = False) -> Any:
    return SimpleNamespace(gpus=gpus, rate=rate, existing=existing, is_new=is_new)


@pytest.mark.parametrize(
    ("layers", "offers", "unit", "rate"),
    [
        ([layer(3, 1.0, existing=True), layer(1, 3.0, is_new=True), layer(9, 9.0)], [(2.0, 4)], 4, 1.5),
        ([layer(3, 1.0, existing=True), layer(1, None, is_new=True)], [(2.0, 4)], 4, 1.0),
        ([layer(3, None, existing=True)], [(2.0, 4)], 4, None),
        ([], [(2.0, None)], 1, 2.0),
        ([], [(3.0, 8), (2.0, 2)], 8, 3.0),  # the first of a pool is its cheapest
        ([], [], 1, None),
    ],
)
def test_a_rate_is_the_mean_of_contracts_and_commitments_else_of_the_cheapest_offer(
    monkeypatch: pytest.MonkeyPatch,
    layers: list[Any],
    offers: list[tuple[float, int | None]],
    unit: int,
    rate: float | None,
) -> None:
    of = queued([Row(TRAINS, 4, 0, 0, 10), Row(SERVES, 1, 2, 2, 3)])
    sold = tuple(SimpleNamespace(spread_rate=usd, unit_gpus=gpus) for usd, gpus in offers)
    row = SimpleNamespace(
        pool=Pool.TRAINING, gpu_model="H100", layers=layers, supply=SimpleNamespace(offers=sold)
    )
    other = SimpleNamespace(
        pool=Pool.BURST, gpu_model="A100", layers=[layer(5, 9.0, existing=True)], supply=row.supply
    )
    of.evaluation = replace(of.evaluation, advice=replace(of.evaluation.advice, pools=(row, other)))
    sizes = sizes_of(of, Pool.TRAINING)
    assert (sizes.unit, sizes.rate) == (unit, rate)
    together = sizes_of(of, Pool.TRAINING, is_together=True)
    assert together.unit == {1: 4, 4: 4, 8: 8}[unit]


def test_a_target_stands_beside_the_plan_and_who_shares_it() -> None:
    """In the plan (`worlds.queueing`) orders of training are of it alone, K1 and K2 of whoever runs there."""
    of = worlds.queueing()
    plan = Replayed(of, of.plan, lambda: False)
    for pool, is_shared in ((Pool.TRAINING, False), (Pool.BURST, False)):
        row = next(row for row in by_model(plan) if row.pool is pool)
        sizes = OnSizes(plan, plan, row, lambda: False, is_together=False)
        answer = sizes.target(Target(pool, 99.0))
        assert answer.plan is not None and answer.is_plan_shared is is_shared
    kinds = tuple(kind._replace(cluster="c1") for kind in of.log.kinds)
    alike = Queueing(of.evaluation, replace(of.log, kinds=kinds))
    both = Replayed(alike, alike.plan, lambda: False)
    row = next(row for row in by_model(both) if row.pool is Pool.INFERENCE)
    answer = OnSizes(both, both, row, lambda: False, is_together=False).target(Target(Pool.INFERENCE, 99.0))
    assert answer.is_plan_shared and answer.plan is not None and answer.plan.is_shared


def test_a_knee_is_of_dollars_where_a_rate_is_known_and_else_of_gpus() -> None:
    """On 1 GPU serving waits long and sends out at $4; on more it does neither: the knee is where both end.

    Five jobs of 4 GPUs on 4, 12 and 20: 36, 7 and 0 h. By GPUs 12 lies 11 h of 36 under the line; the same by $ of a
    rate alone.
    """
    rows = [Row(TRAINS, 4, at, at, at + 10) for at in range(5)]
    of = queued(rows)
    marks = []
    for pools in (of.evaluation.advice.pools, ()):
        of.evaluation = replace(of.evaluation, advice=replace(of.evaluation.advice, pools=pools))
        other = Queueing(of.evaluation, of.log)
        points = sizes_of(other, Pool.TRAINING).frontier(3, None)
        assert {point.usd_per_month is None for point in points} == {not pools}
        marks.append([point.gpus for point in points if "knee" in point.marks])
    assert marks == [[12], [12]]


def test_units_and_rates_are_of_the_cheapest_offer_of_all_pools_that_stand_there() -> None:
    """One without a rate is the cheapest of nothing."""
    of = queued([Row(TRAINS, 4, 0, 0, 10), Row(SERVES, 1, 2, 2, 3)])
    rows = [
        SimpleNamespace(
            pool=pool, gpu_model="H100", layers=[],
            supply=SimpleNamespace(offers=(SimpleNamespace(spread_rate=usd, unit_gpus=unit),)),
        )
        for pool, usd, unit in ((Pool.TRAINING, 3.0, 8), (Pool.INFERENCE, None, 16))
    ]  # fmt: skip
    of.evaluation = replace(of.evaluation, advice=replace(of.evaluation.advice, pools=tuple(rows)))
    for pool in (Pool.TRAINING, Pool.INFERENCE):
        sizes = sizes_of(of, pool, is_together=True)
        assert (sizes.unit, sizes.rate) == (8, 3.0)


@pytest.mark.parametrize(
    ("log_h", "replayed_h", "is_long"),
    [(3.2, 55.6, True), (9.0, 0.5, True), (1.0, 2.0, False), (1.0, 2.1, True), (0.1, 1.0, False),
     (5.0, None, True), (None, 9.0, False)],
)  # fmt: skip
def test_waits_that_differ_by_a_factor_of_two_and_an_hour_are_a_gap(
    log_h: float | None, replayed_h: float | None, *, is_long: bool
) -> None:
    gap = Gap(Pool.TRAINING, log_h, replayed_h, 0.0)
    assert gap.is_long is is_long
    assert gap.is_longer is (is_long and replayed_h != 0.5)
    assert [gap._replace(out_share=share).is_longer for share in (0.05, 0.051)] == [gap.is_longer, True]


def test_the_capacity_at_which_the_replay_agrees_is_the_smallest_on_which_nobody_waits_longer() -> None:
    """Two jobs of 1 GPU for 10 h came together and started together on 1 contracted GPU.

    The replay makes the second wait 10 h, which the log did not: 2 GPUs agree, and 10 GPU-h were over the contract.
    """
    rows = [Row(TRAINS, 1, 1, 1, 11), Row(TRAINS, 1, 1, 1, 11)]
    of = sizes_of(queued(rows, [contract("K", 1, 2.0, None, worlds.HOURS)]), Pool.TRAINING).of_model(2)
    assert of.gaps == (Gap(Pool.TRAINING, 0.0, 10.0, 0.0, 20.0),)
    assert (of.today_gpus, of.over_gpu_hours) == (1, 10.0)
    assert [(point.gpus, point.waits.p90_h) for point in of.agreed] == [(2, 0.0)]
    calm = sizes_of(queued(rows, [contract("K", 2, 2.0, None, worlds.HOURS)]), Pool.TRAINING).of_model(2)
    assert (calm.gaps, calm.agreed, calm.over_gpu_hours) == ((), (), 0.0)


def at(gpus: int, usd: float | None, p90_h: float | None, never: int = 0) -> FrontierPoint:
    wait = Waits(10, 0.0, 0.0, 0.0, p90_h, p90_h)
    return FrontierPoint(Pool.BURST, "H100", gpus, usd, wait, never)


@pytest.mark.parametrize(
    ("sizes", "better"),
    [
        ([(180, 380.0, 1.0, 0), (176, 377.0, 2.5, 0)], 176),
        (
            [(180, 380.0, 1.0, 0), (176, 377.0, 21.0, 0), (172, 370.0, 2.5, 0)],
            180,
        ),  # fewer GPUs are not asked
        ([(180, 399.5, 1.0, 0), (176, 377.0, 2.5, 0)], 176),
        ([(176, 377.0, 21.0, 0)], None),  # waits longer
        ([(176, 377.0, 20.9, 0)], None),  # waits as long
        ([(176, 399.0, 2.5, 0)], None),  # costs as much
        ([(176, None, 2.5, 0)], None),  # nobody knows its cost
        ([(176, 377.0, 2.5, 1)], None),  # a job never starts
    ],
)
def test_a_size_is_better_than_a_plan_if_it_costs_less_and_waits_less(
    sizes: list[tuple[int, float | None, float, int]], better: int | None
) -> None:
    found = better_than((at(147, 399.0, 20.9),), [(at(*one),) for one in sizes])
    assert [point.gpus for point in found] == ([] if better is None else [better])


@pytest.mark.parametrize(
    ("usd", "p90_h", "better"),
    [(4_380.0, 5.0, [2]), (2_920.0, 12.0, [1]), (2_920.0, 5.0, []), (None, 5.0, [])],
)
def test_only_sizes_that_may_cost_less_than_the_plan_are_replayed(
    usd: float | None, p90_h: float, better: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At $2 a GPU costs $1,460 per month; the second of two jobs waits 10 h on 1 GPU and not on 2."""
    rows = [Row(TRAINS, 1, 1, 1, 11), Row(TRAINS, 1, 1, 1, 11)]
    of = queued(rows, [contract("K", 1, 2.0, None, worlds.HOURS)])
    sizes, plan, asked = sizes_of(of, Pool.TRAINING), at(3, usd, p90_h), list[int]()
    every = sizes.every
    monkeypatch.setattr(OnSizes, "plan_of", lambda *_: plan)
    monkeypatch.setattr(sizes, "every", lambda gpus, **than: (asked.append(gpus), every(gpus, **than))[1])
    sizes.rate = 2.0
    found = sizes.better(2)
    assert ([point.gpus for point in found[1]], found[0]) == (better, (plan,))
    assert asked == {4_380.0: [2, 1], 2_920.0: [1], None: []}[usd]


def test_sizes_drawn_from_the_capacity_that_agrees_have_the_logs_wait_in_their_range() -> None:
    today = AsToday(8, p90_h=4.0)
    points = tuple(replace(at(gpus, 1.0, p90_h), today=today) for gpus, p90_h in ((8, 9.0), (12, 1.0)))
    agreed = replace(at(10, 1.0, 3.0), today=today)
    found = calibrated_sizes(points, [OfModel("H100", (), (agreed,), 8, 0.0)])
    assert [(p.gpus, p.marks) for p in found] == [(8, ()), (10, ("agreed",)), (12, ())]
    assert [p.likely for p in found] == [Range(9.0, 10.0), Range(3.0, 4.0), Range(1.0, 2.0)]
    assert calibrated_sizes(points, [OfModel("A100", (), (), 8, 0.0)]) == points
