"""What jobs may run on: contracts by their dates, months of a plan in the mean, outlets and their rates."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.queue_limits import Limit
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.queue.ground import Fewest, NamedSets, Outlets, Queueing, mean_rate
from gpuplanner.domain.queue.logged import JobKind
from gpuplanner.domain.queue.rows import replayed
from gpuplanner.domain.queue.sentences import trust_words
from gpuplanner.domain.queue.sets import GpuSet
from gpuplanner.domain.queue.waiting import waiting_of
from tests.domain import worlds
from tests.domain.commitment.conftest import START_S, contract, offer
from tests.domain.queue.queued_jobs import BURSTS, KINDS, SERVES, TRAINS, H, Row, queued

WINDOW_H = worlds.HOURS
RUN = Row(kind=TRAINS, gpus=1, eligible_h=0, start_h=0, end_h=10)


@pytest.mark.parametrize(
    ("parts", "rate"),
    [
        ([(1.0, 2.0), (3.0, 4.0)], 3.5),
        ([(2.0, 1.0), (0.0, None)], 1.0),
        ([(2.0, 1.0), (1.0, None)], None),
        ([(2.0, 0.0)], 0.0),
        ([(0.0, 1.0)], None),
        ([], None),
    ],
)
def test_a_mean_rate_is_weighed_by_gpus(parts: list[tuple[float, float | None]], rate: float | None) -> None:
    assert mean_rate(parts) == rate


def sets_of(named: NamedSets) -> dict[object, tuple[tuple[tuple[int, int], ...], float | None]]:
    """Changes in hours of the lookback period (0 stays 0), and the rate, by name."""
    return {
        name: (tuple(((at_s - START_S) // H if at_s else 0, milli) for at_s, milli in gpu_set.changes), rate)
        for name, gpu_set, rate in zip(named.names, named.sets, named.rates, strict=True)
    }


def test_contracts_of_today_stand_by_their_dates() -> None:
    """Of (4 x $2 + 2 x $5 + 1 x $3) over 7 GPUs; who begins as the log does is there from 0 on."""
    began, soon = START_S - 5 * H, START_S + 700 * H
    held = [
        contract("a", 4, 2.0, None, WINDOW_H),
        contract("b", 2, 5.0, None, WINDOW_H, start_s=START_S + 100 * H, end_s=START_S + 200 * H),
        contract("c", 1, 3.0, None, WINDOW_H, start_s=began, end_s=START_S + WINDOW_H * H),
        contract("d", 9, 1.0, None, WINDOW_H, start_s=START_S + WINDOW_H * H),  # not yet
        contract("e", 3, 1.0, None, WINDOW_H, pool=Pool.TRAINING, start_s=soon),
        contract("f", 5, 9.0, None, WINDOW_H),  # taken away
        contract("g", 2, None, None, WINDOW_H, cluster="c2", gpu_model=None),
    ]
    serves = Row(kind=SERVES, gpus=1, eligible_h=0, start_h=0, end_h=1)
    today = queued([RUN, serves, RUN._replace(eligible_h=-5)], held, without="f").today
    assert sets_of(today) == {
        ("c1", "H100", None): (((0, 5000), (100, 7000), (200, 5000)), pytest.approx(21 / 7)),
        ("c1", "H100", Pool.TRAINING): (((700, 3000),), 1.0),
        ("c2", "H100", None): (((0, 2000),), None),
    }
    first, *_ = queued([RUN, RUN._replace(eligible_h=-6)], held, without="f").today.sets
    assert first.changes[:2] == ((0, 4000), (began, 5000))


def test_a_cluster_without_contracts_has_what_was_busy() -> None:
    """Two GPUs for 10 h, one of them for 2,000 h: two are busy for 0.5% of the time."""
    rows = [
        Row(kind=TRAINS, gpus=1, eligible_h=0, start_h=0, end_h=2000),
        Row(kind=TRAINS, gpus=1, eligible_h=5, start_h=5, end_h=15),
        Row(kind=SERVES, gpus=1, eligible_h=0, start_h=0, end_h=1),
    ]
    today = queued(rows, [contract("a", 4, 2.0, None, WINDOW_H, cluster="c2")]).today
    assert sets_of(today) == {
        ("c2", "H100", None): (((0, 4000),), 2.0),
        ("c1", "H100", None): (((0, 1000),), None),
    }


def test_what_was_busy_for_a_hundredth_of_the_time_is_there() -> None:
    """One GPU for 500 h and then two for as long, three for 5 h: less than 1% of 1,000 h."""
    rows = [
        Row(kind=TRAINS, gpus=1, eligible_h=0, start_h=0, end_h=1000),
        Row(kind=TRAINS, gpus=1, eligible_h=500, start_h=500, end_h=1000),
        Row(kind=TRAINS, gpus=1, eligible_h=600, start_h=600, end_h=605),
    ]
    assert queued(rows).today.sets[0].changes == ((0, 2000),)


def test_jobs_use_what_is_of_their_pool_first() -> None:
    names = (
        ("c1", "H100", None),
        (None, "H100", Pool.TRAINING),
        ("c1", "H100", Pool.TRAINING),
        ("c1", "H100", Pool.BURST),
        ("c2", "H100", None),
    )
    named = NamedSets(names, tuple(GpuSet(()) for _ in names), (None,) * 5)
    assert named.open_to("c1", "H100", Pool.TRAINING) == (2, 1, 0)
    assert named.open_to("c2", "H100", Pool.BURST) == (4,)
    assert named.open_to("c1", None, Pool.TRAINING) == ()


@pytest.mark.parametrize(
    ("jobs", "milli"),
    [
        ([(1, 1)], None),
        ([(4, 4)], None),  # a GPU on each node
        ([(4, 0)], None),
        ([(8, 2), (1, 1)], 4000),
        ([(8, 2), (1, 0)], None),
        ([(7, 2)], 3500),
        ([(0.5, 1)], 1000),  # a whole GPU at least
        ([(1, 1), (2, 1), (3, 1)], 3000),
    ],
)
def test_a_node_holds_the_most_that_a_job_has_on_one(
    jobs: list[tuple[float, int]], milli: int | None
) -> None:
    of = queued([RUN._replace(gpus=gpus, nodes=nodes) for gpus, nodes in jobs])
    assert of.node_milli_gpus(np.arange(len(jobs))) == milli


def test_a_set_has_the_nodes_of_the_jobs_of_its_cluster_and_model() -> None:
    rows = [
        RUN._replace(gpus=8),
        Row(kind=SERVES, gpus=4, eligible_h=0, start_h=0, end_h=1),
        Row(kind=BURSTS, gpus=2, eligible_h=0, start_h=0, end_h=1),
    ]
    held = [
        contract("a", 8, 2.0, None, WINDOW_H),
        contract("b", 8, 2.0, None, WINDOW_H, cluster="c2"),
        contract("c", 8, 2.0, None, WINDOW_H, gpu_model="A100"),
    ]
    today = queued(rows, held).today
    nodes = {(name[0], name[1]): of.node_milli_gpus for name, of in zip(today.names, today.sets, strict=True)}
    assert nodes == {("c1", "H100"): 8000, ("c2", "H100"): 4000, ("c1", "A100"): 2000}


def test_jobs_stand_by_pool_and_time_with_their_patience_and_outlets() -> None:
    """Serving comes first; it goes out at once, bursts after 24 h, and training waits for ever."""
    rows = [
        Row(kind=BURSTS, gpus=2, eligible_h=5, start_h=7, end_h=10),
        Row(kind=TRAINS, gpus=8, eligible_h=3, start_h=4, end_h=6, nodes=2, planned_h=1),
        Row(kind=SERVES, gpus=0.143, eligible_h=9, start_h=9, end_h=10, nodes=0),
        Row(kind=TRAINS, gpus=1, eligible_h=2, start_h=2, end_h=3),
    ]
    held = [contract("a", 8, 2.0, None, WINDOW_H), contract("b", 2, 1.0, None, WINDOW_H, gpu_model="A100")]
    of = queued(rows, held)
    assert of.order.tolist() == [2, 3, 1, 0] and of.rank.tolist() == [2, 1, 0, 1]
    assert [offer.offer_id for offer in of.offers] == ["a-od", "a-spot", "od"]
    jobs = of.jobs(of.today)
    brief = [
        (job.pool, (job.eligible_s - START_S) // H, job.length_s // H, job.planned_s // H, job.milli_gpus)
        for job in jobs
    ]
    assert brief == [(0, 9, 1, 1, 142), (1, 2, 1, 1, 1000), (1, 3, 2, 3, 8000), (2, 5, 3, 3, 2000)]
    assert [(job.sets, job.outlets[-1:], job.patience_s, job.nodes) for job in jobs] == [
        ((2,), (2,), 0, 1),  # c2 has no contract: what was busy there
        ((0,), (2,), None, 1),
        ((0,), (2,), None, 2),
        ((1,), (0,), 24 * H, 1),
    ]
    alone = of.jobs(NamedSets((), (GpuSet(()),), (None,)), np.array([1, 0]))
    assert [(job.pool, job.sets) for job in alone] == [(1, (0,)), (2, (0,))]
    assert queued(rows, patience_training_hours=1.5).patience_s(Pool.TRAINING) == 5400
    assert of.patience_s(Pool.TRAINING) is None and of.patience_s(Pool.INFERENCE) == 0


def test_a_spot_offer_costs_what_its_work_loses_too() -> None:
    """At $0.80 of which a fifth is lost, an hour of work costs $1; who may not run there, or loses all, has no rate."""
    of = queued([Row(kind=BURSTS, gpus=1, eligible_h=0, start_h=0, end_h=1)])
    spot = next(item for item in of.offers if item.pricing_category is PricingCategory.DYNAMIC)
    plain = next(item for item in of.offers if item.offer_id == "a-od")
    lost, allowed = [0.0, 1.0, 0.2], {Pool.BURST: [True, True, True], Pool.TRAINING: [False] * 3}
    of.__dict__["spot"] = SimpleNamespace(allowed=allowed, lost_with=lambda _: lost)
    assert [of.price_work(spot, Pool.BURST, at) for at in range(3)] == [0.8, None, pytest.approx(1.0)]
    assert of.price_work(spot, Pool.TRAINING, 2) is None and of.price_work(spot, Pool.BURST, None) is None
    assert of.price_work(plain, Pool.TRAINING, None) == 2.0
    assert of.outlets[BURSTS] == Outlets((1, 0), (pytest.approx(1.0), 2.0))
    unpriced = replace(spot, rate_usd_per_gpu_hour=None)
    assert of.price_work(unpriced, Pool.BURST, 2) is None


def test_outlets_have_room_for_so_many_gpus() -> None:
    of = queued([RUN])
    limited = tuple(replace(item, max_gpus=1.5) if item.offer_id == "od" else item for item in of.offers)
    of.__dict__["offers"] = limited
    assert of.rooms == (None, None, 1500)


def test_work_on_several_nodes_goes_out_where_nodes_are_joined() -> None:
    slow = offer("s", 0, 1.0, interconnect="ethernet")
    of = queued([RUN])
    wide = replace(of.evaluation.project.workloads[TRAINS], max_nodes=2)
    for max_nodes, places in ((1, (0,)), (None, (0,)), (2, ())):
        works = (replace(wide, max_nodes=max_nodes), *of.evaluation.project.workloads[1:])
        project = replace(of.evaluation.project, workloads=works, offers=(slow,))
        result = Queueing(replace(of.evaluation, project=project), of.log)
        assert result.outlets[TRAINS].places == places


def test_a_kind_without_a_workload_stands_in_its_label_or_the_pool_that_its_cluster_has_most_of() -> None:
    """On c1 training has 8 GPUs all the time and bursts 1.5 of them; c9 has no workload: the first pool of all."""
    kinds = (
        *KINDS,
        JobKind(None, "c1", "x", "H100"),
        JobKind(place=None, cluster="c2", team="x", gpu_model="H100", label=Pool.BURST),
        JobKind(None, "c9", "x", "H100"),
    )
    of = queued([RUN], kinds=kinds)
    trains, serves, bursts = Pool.TRAINING, Pool.INFERENCE, Pool.BURST
    assert of.pools == (trains, serves, bursts, trains, bursts, serves)


# --- A plan


def test_a_plan_has_its_contracts_and_orders_of_the_first_month_in_the_mean() -> None:
    """4 GPUs of y1 are there from hour 240 of 730 on: 4,000 x 490 / 730. Half a month of 8 is 4 GPUs."""
    assert sets_of(worlds.queueing().plan) == {
        ("c1", "H100", None): (((0, 4000),), 2.0),
        ("c2", "H100", None): (((0, 8000),), 1.5),
        ("c1", "A100", None): (((0, 5000),), 1.0),
        (None, "H100", Pool.TRAINING): (((0, 2685),), 2.5),
    }
    of = worlds.queueing().evaluation
    ended = [
        replace(item, end_s=worlds.PLAN_S + 365 * H) if item.contract_id == "K2" else item
        for item in of.project.contracts
    ]
    orders = (
        replace(of.advice.orders[0], start_s=worlds.PLAN_S - 9 * H, end_s=worlds.PLAN_S + 365 * H),
        replace(of.advice.orders[1], row=1, run="planned"),
        replace(of.advice.orders[2], start_s=worlds.PLAN_S + 730 * H),
    )
    changed = replace(
        of, project=replace(of.project, contracts=tuple(ended)), advice=replace(of.advice, orders=orders)
    )
    assert sets_of(Queueing(changed, worlds.queueing().log).plan) == {
        ("c1", "H100", None): (((0, 4000),), 2.0),
        ("c2", "H100", None): (((0, 4000),), 1.5),
        ("c1", "A100", None): (((0, 5000),), 1.0),
        (None, "H100", Pool.INFERENCE): (((0, 1000),), 2.5),
    }
    without = Queueing(changed, worlds.queueing().log, "K2")
    assert ("c2", "H100", None) not in without.plan.names
    assert Queueing(replace(changed, scenario="Today"), without.log).plan is None
    assert Queueing(replace(changed, project=replace(of.project, offers=())), without.log).plan is None


@pytest.mark.parametrize(
    ("months", "node", "result"),
    [
        ([100, 98], None, (1, 98, 100)),
        ([100, 99], None, None),  # less than 2%
        ([10, 9], None, (1, 9, 10)),
        ([10.4, 9.6], None, None),  # 10 and 10
        ([10, 9], 2, (1, 9, 10)),
        ([10, 9], 4, None),  # less than half a node
        ([10, 8], 4, (1, 8, 10)),
        ([10, 12], None, None),
        ([10, 9, 7, 7], None, (2, 7, 10)),
    ],
)
def test_the_month_with_fewest_gpus_counts_where_it_has_much_less(
    monkeypatch: pytest.MonkeyPatch,
    months: list[float],
    node: int | None,
    result: tuple[int, int, int] | None,
) -> None:
    name = ("c1", "H100", None)
    of = Queueing(worlds.plan(), worlds.queueing().log)
    of.__dict__["plan"] = NamedSets((name,), (GpuSet((), None if node is None else node * 1000),), (None,))
    held: Any = lambda _, month: {name: [(0, round(1000 * months[month]) - 500, None), (0, 500, None)]}  # noqa: E731
    monkeypatch.setattr(Queueing, "_held_in", held)
    advice = replace(of.evaluation.advice, comparison=of.evaluation.advice.comparison[: len(months)])
    of.evaluation = replace(of.evaluation, advice=advice)
    expected = result and Fewest(worlds.PLAN_S + result[0] * 730 * H, *result[1:])
    assert of.fewest == expected
    of.__dict__.pop("fewest")
    of.evaluation = replace(of.evaluation, advice=replace(advice, comparison=()))
    assert of.fewest is None


def test_a_plan_that_grows_or_has_work_of_its_own_shows_in_no_replay() -> None:
    log, of = worlds.queueing().log, worlds.plan()
    assert not Queueing(of, log).is_changed
    grown = replace(of.project, assumptions=replace(of.project.assumptions, growth=0.05))
    assert Queueing(replace(of, project=grown), log).is_changed
    assert not Queueing(replace(of, project=grown, scenario="Today"), log).is_changed
    run = PlannedWork(
        name="again",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=4.0,
        cluster="c1",
        length_hours=5,
        every_hours=100,
    )
    planned = worlds.evaluated(worlds.plan_project(scenario=Scenario(name="Plan A", planned=(run,))))
    assert Queueing(planned, log).is_changed


def test_what_is_worked_out_is_kept_unless_it_was_cancelled() -> None:
    of, calls = queued([RUN]), list[str]()

    def work(_: object) -> int:
        calls.append("work")
        return len(calls)

    assert of.once("a", work, lambda: True) == 1
    assert of.once("a", work, lambda: False) == of.once("a", work, lambda: False) == 2
    assert of.once("b", work, lambda: False) == 3


def test_today_of_a_plan_that_moves_nothing_is_the_plan_itself() -> None:
    of = worlds.queueing()
    assert of.of_today is of
    moved = worlds.divided()
    other = Queueing(moved, of.log)
    by_class = tuple(row.classification.pool for row in moved.audit.workloads)
    assert (other.of_today is other) == (moved.figures.whole_pools == by_class)
    sold = replace(of.evaluation.project, offers=of.evaluation.project.offers[1:])
    today = replace(of.evaluation, scenario="Today")
    as_is = Queueing(today, of.log)
    assert as_is.of_today is as_is
    assert len(Queueing(replace(today, project=sold), of.log).offers) < len(of.offers)


# --- Limits and fair share: whose jobs a limit stops, and who of two accounts is asked first

OWNED = tuple(
    JobKind(0, "c1", account, "H100", user=user, account=account, qos=qos, partition="gpu")
    for user, account, qos in (("ann", "ml", "high"), ("bob", "ml", "low"), ("cat", "ops", ""))
)


def ruled(*limits: Limit, is_fair: bool = False, rows: Sequence[Row] = ()) -> Queueing:
    """Three jobs of 4 GPUs and 10 h at 0:00 on 12 GPUs, of ann, bob and cat, unless other rows are given."""
    jobs = rows or [Row(kind=at, gpus=4, eligible_h=0, start_h=0, end_h=10) for at in range(3)]
    of = queued(jobs, [contract("a", 12, 2.0, None, WINDOW_H)], OWNED)
    project = replace(of.evaluation.project, queue_limits=limits, is_fair_share=is_fair)
    return Queueing(replace(of.evaluation, project=project), of.log)


def waited(of: Queueing) -> list[int]:
    """Hours that each job waits on the GPUs of today, -1: it never starts."""
    starts = replayed(of, of.today).start_s
    return [
        int(at - own) // 3600 if at >= 0 else -1 for at, own in zip(starts, of.log.eligible_s, strict=True)
    ]


@pytest.mark.parametrize(
    ("limit", "waits"),
    [
        (Limit(account="ml", max_gpus=4), [0, 10, 0]),
        (Limit(account="ml", max_gpus=8), [0, 0, 0]),
        (Limit(account="ml", gpu_model="A100", max_gpus=4), [0, 0, 0]),
        (Limit(account="ml", gpu_model="H100", max_gpus=4), [0, 10, 0]),
        (Limit(partition="gpu", max_gpus=4), [0, 10, 20]),
        (Limit(user="*", partition="gpu", max_gpus=4), [0, 0, 0]),
        (Limit(account="*", partition="gpu", max_gpus=4), [0, 10, 0]),
        (Limit(qos="low", max_gpus=3), [0, -1, 0]),
        (Limit(user="ann", account="ops", max_gpus=1), [0, 0, 0]),
        (Limit(account="ml", max_gpus=0), [-1, -1, 0]),
        (Limit(account="ml", shares=1), [0, 0, 0]),
    ],
    ids=lambda value: str(value) if isinstance(value, list) else None,
)
def test_a_limit_stops_whom_it_names(limit: Limit, waits: list[int]) -> None:
    assert waited(ruled(limit)) == waits


def test_the_known_answer_of_a_user_with_four_gpus() -> None:
    """ann may hold 4 of 12 GPUs: of two jobs of hers and one of bob the second waits 10 h; without, nobody waits."""
    rows = [
        Row(kind=0, gpus=4, eligible_h=0, start_h=0, end_h=10),
        Row(kind=0, gpus=4, eligible_h=0, start_h=10, end_h=20),
        Row(kind=1, gpus=4, eligible_h=0, start_h=0, end_h=10),
    ]
    assert waited(ruled(Limit(user="ann", max_gpus=4), rows=rows)) == [0, 10, 0]
    assert waited(ruled(rows=rows)) == [0, 0, 0]


def test_a_limit_that_no_job_has_is_told_and_one_that_is_only_a_share_is_not() -> None:
    zoe, share = Limit(user="zoe", max_gpus=4), Limit(account="none", shares=2)
    of = ruled(Limit(user="ann", max_gpus=4), zoe, share)
    assert of.schedule.unmatched == (zoe,)
    told = " ".join(map(str, trust_words(waiting_of(of, 0))))
    assert "zoe" in told and "ann" not in told and "none" not in told


def test_fair_share_asks_the_account_that_used_least_for_its_share() -> None:
    """ml has 12 GPUs for 2 h; then ml and ops each want all of them. With 100 shares ml has used less for its share."""
    rows = [
        Row(kind=0, gpus=12, eligible_h=0, start_h=0, end_h=2),
        Row(kind=0, gpus=12, eligible_h=0.5, start_h=2, end_h=3),
        Row(kind=2, gpus=12, eligible_h=1, start_h=3, end_h=4),
    ]
    assert waited(ruled(rows=rows)) == [0, 1, 2]
    assert waited(ruled(rows=rows, is_fair=True)) == [0, 2, 1]
    assert waited(ruled(Limit(account="ml", shares=100), rows=rows, is_fair=True)) == [
        0,
        2,
        1,
    ]  # ops used nothing
    both = [*rows, Row(kind=2, gpus=12, eligible_h=2, start_h=4, end_h=5)]  # after 2 h of ml and 1 h of ops
    assert waited(ruled(rows=both, is_fair=True))[1::2] == [3, 1]
    assert waited(ruled(Limit(account="ml", shares=100), rows=both, is_fair=True))[1::2] == [2, 2]
