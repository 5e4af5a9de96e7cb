"""Laws and known answers of the audit: conservation, the paid identity, stranded spend, the 40% flag."""

import math
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.audit.audit import audit, audit_in_parts, without_contracts, without_log
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.spend.stranded import NOTHING_KNOWN
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.demand.pools import NOT_LOGGED
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, months_on
from gpuplanner.domain.reports.report import Column
from tests.domain.audit.conftest import GPU_HOUR, classified, make_contract, make_project, make_workload

TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST
MONTH_H = 730

# --- Laws and known answers of the audit: conservation, the paid identity, stranded spend, the 40% flag

HOURS = 12
CLUSTERS = ("atlas", "borealis")
START_S = int(datetime(2026, 7, 1, tzinfo=UTC).timestamp())

entries = st.lists(
    st.tuples(
        st.integers(0, 4), st.integers(-1, 1), st.integers(0, HOURS - 1), st.integers(1, 20 * GPU_HOUR)
    ),
    max_size=40,
)
contracts = st.lists(
    st.tuples(
        st.sampled_from(CLUSTERS),
        st.sampled_from(("H100", "A100")),
        st.integers(1, 20_000),
        st.integers(1, 900),
        st.integers(-4000, 30_000),
        st.integers(1, 60_000),
        st.sampled_from((None, PricingCategory.COMMITTED, PricingCategory.STANDARD)),
    ),
    max_size=5,
)
pools_of_five = st.tuples(*[st.sampled_from(POOLS)] * 5)
same_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def build(world: Any, rows: list[Any], terms: list[Any], activity: float | None = 0.5) -> Any:
    workloads = [
        world.workload(f"w{n}", CLUSTERS[n % 2], activity=activity, max_nodes=1 + n % 2) for n in range(5)
    ]
    held = [
        world.contract(
            f"k{n}",
            milli_gpus / 1000,
            str(Decimal(cents) / 100),
            cluster=cluster,
            gpu_model=model,
            start_s=START_S + begin,
            end_s=START_S + begin + length,
            pricing_category=category,
        )
        for n, (cluster, model, milli_gpus, cents, begin, length, category) in enumerate(terms)
    ]
    offers = [world.offer("h", "6.88"), world.offer("a", "3.10", gpu_model="A100")]
    return world.project(HOURS, workloads, rows, held, offers)


@same_world
@given(rows=entries, terms=contracts, pools=pools_of_five)
def test_gpu_time_is_the_same_over_workloads_classes_and_hours(
    world: Any, rows: Any, terms: Any, pools: Any
) -> None:
    project = build(world, rows, terms)
    clusters = dispatch_window(project, pools)
    total = sum(amount for _, _, _, amount in rows)
    assert sum(workload.milli_gpu_seconds for workload in project.workloads) == total
    assert sum(int(hours.demand.sum()) for hours in clusters) == total
    answer = audit(project, world.classified(*pools))
    assert math.isclose(sum(share.gpu_hours for share in answer.classes.values()), total / GPU_HOUR)
    used = sum(cluster.used_gpu_hours + cluster.overflow_gpu_hours for cluster in answer.clusters)
    assert math.isclose(used, total / GPU_HOUR, abs_tol=1e-9)


@same_world
@given(rows=entries, terms=contracts, pools=pools_of_five)
def test_dispatch_serves_no_more_than_there_is_and_known_models_only_by_their_own(
    world: Any, rows: Any, terms: Any, pools: Any
) -> None:
    for hours in dispatch_window(build(world, rows, terms), pools):
        assert (hours.served >= 0).all()
        assert (hours.served <= hours.capacity).all()
        assert (hours.served.sum(axis=0) == hours.served_demand.sum(axis=0)).all()
        assert (hours.overflow >= 0).all()
        for number, model in enumerate(hours.models):
            own = [place for place, one in enumerate(hours.contracts) if model in (None, one.gpu_model)]
            spare = (hours.capacity - hours.served)[own].sum(axis=0)
            assert ((hours.overflow[number] == 0) | (spare == 0)).all()


@same_world
@given(rows=entries, terms=contracts, pools=pools_of_five)
def test_paid_is_useful_allocated_idle_and_unallocated_to_the_cent(
    world: Any, rows: Any, terms: Any, pools: Any
) -> None:
    answer = audit(build(world, rows, terms), world.classified(*pools))
    paid = 0.0
    for cluster in answer.clusters:
        assert cluster.paid_in_window is not None
        assert cluster.allocated_in_window is not None
        assert cluster.unallocated_in_window is not None
        paid += cluster.paid_in_window
        assert cluster.paid_in_window == pytest.approx(
            cluster.allocated_in_window + cluster.unallocated_in_window, abs=1e-6
        )
        if cluster.activity is None:
            assert cluster.useful_in_window is None
            assert cluster.allocated_idle_in_window is None
        else:
            assert cluster.useful_in_window is not None
            assert cluster.allocated_idle_in_window is not None
            parts = (
                cluster.useful_in_window + cluster.allocated_idle_in_window + cluster.unallocated_in_window
            )
            assert cluster.paid_in_window == pytest.approx(parts, abs=1e-6)
    expected = sum(
        Decimal(gpus)
        / 1000
        * Decimal(cents)
        / 100
        * max(0, min(begin + length, HOURS * 3600) - max(begin, 0))
        / 3600
        for _, _, gpus, cents, begin, length, _ in terms
    )
    assert paid == pytest.approx(float(expected), abs=1e-6)


@same_world
@given(rows=entries, terms=contracts, pools=pools_of_five)
def test_cards_and_what_nobody_used_add_up_to_what_was_spent(
    world: Any, rows: Any, terms: Any, pools: Any
) -> None:
    answer = audit(build(world, rows, terms), world.classified(*pools))
    cards = sum(workload.usd_per_month or 0.0 for workload in answer.workloads) * HOURS / 730
    spent = sum(
        (cluster.allocated_in_window or 0.0) + (cluster.overflow_in_window or 0.0)
        for cluster in answer.clusters
    )
    assert cards == pytest.approx(spent, abs=1e-6)
    unused = answer.unused_per_month
    assert unused is not None
    assert answer.spend == pytest.approx(cards * 730 / HOURS + unused, rel=1e-9, abs=1e-6)


def stranded_world(world: Any, used_gpus: float, gpus: float = 100, rate: str = "1") -> Any:
    """A month of one cluster at a steady share of its GPUs, nothing of it training."""
    amount = round(used_gpus * GPU_HOUR)
    rows = [(0, 0, hour, amount) for hour in range(730)]
    return world.project(730, [world.workload("batch")], rows, [world.contract("k", gpus, rate)])


def test_a_hundred_thousand_at_twenty_percent_strands_eighty_thousand(world: Any) -> None:
    project = stranded_world(world, 20, rate=str(Decimal(100_000) / 73_000))
    cluster = audit(project, world.classified(Pool.BURST)).clusters[0]
    assert cluster.cost_per_month == pytest.approx(100_000)
    assert cluster.stranded_audit == pytest.approx(80_000)
    assert cluster.stranded_metered == pytest.approx(80_000)


@pytest.mark.parametrize(("used", "flagged"), [(40, False), (39.999, True), (40.001, False)])
def test_exactly_forty_percent_is_not_flagged(world: Any, used: float, flagged: bool) -> None:
    answer = audit(stranded_world(world, used), world.classified(Pool.BURST))
    assert answer.clusters[0].below_40_percent is flagged
    assert answer.contracts[0].below_40_percent is flagged


def test_stranded_looks_only_at_hours_in_which_nothing_classed_training_runs(world: Any) -> None:
    rows = [(0, 0, 0, 8 * GPU_HOUR), (0, 0, 1, 8 * GPU_HOUR), (1, 0, 1, GPU_HOUR), (1, 0, 2, 2 * GPU_HOUR)]
    workloads = [world.workload("llama-pretrain"), world.workload("vllm-chat")]
    project = world.project(4, workloads, rows, [world.contract("k", 10, "2")])
    cluster = audit(project, world.classified(Pool.TRAINING, Pool.INFERENCE)).clusters[0]
    assert (cluster.training_hours, cluster.non_training_hours) == (2, 2)
    assert cluster.non_training_utilization == pytest.approx(2 / 20)
    assert cluster.stranded_audit == pytest.approx(0.9 * 10 * 2 * 730)
    assert cluster.stranded_metered == pytest.approx(18 * 2 * 730 / 4)


def test_without_a_non_training_hour_audit_is_unknown_and_metered_nothing(world: Any) -> None:
    rows = [(0, 0, hour, GPU_HOUR) for hour in range(4)]
    project = world.project(4, [world.workload("sft")], rows, [world.contract("k", 10, "2")])
    cluster = audit(project, world.classified(Pool.TRAINING)).clusters[0]
    assert cluster.non_training_utilization is None
    assert cluster.stranded_audit is None
    assert cluster.stranded_metered == 0


@pytest.mark.parametrize(
    ("hours", "idle", "known", "metered"),
    [
        (2160, 1, False, 28.12),
        (2160, 145, False, 4_077.19),
        (2160, 2160, True, 60_736.00),
        (168, 100, True, 36_152.38),
        (168, 84, True, 30_368.00),
        (168, 83, False, 30_006.48),
        (3360, 168, True, 3_036.80),
        (3361, 168, False, 3_035.90),
    ],
)
def test_53_too_few_hours_without_training_leave_the_audit_unknown_and_metered_known(
    world: Any, hours: int, idle: int, known: bool, metered: float
) -> None:
    """32 GPUs at $2.60, idle where nothing trains: a week or half of the log, and a 20th of it, are enough."""
    rows = [(0, 0, hour, GPU_HOUR) for hour in range(hours - idle)]
    project = world.project(hours, [world.workload("sft")], rows, [world.contract("k", 32, "2.60")])
    (cluster,) = audit(project, world.classified(Pool.TRAINING)).clusters
    assert cluster.non_training_hours == idle
    assert (cluster.stranded_audit is not None, cluster.non_training_utilization is not None) == (
        known,
        known,
    )
    assert cluster.stranded_metered == pytest.approx(metered, abs=0.005)


def test_merit_order_leaves_the_dear_and_the_on_demand_contract_idle(world: Any) -> None:
    held = [
        world.contract("a-on-demand", 4, "1", pricing_category=PricingCategory.STANDARD),
        world.contract("b-dear", 4, "3"),
        world.contract("c-cheap", 4, "2", pricing_category=PricingCategory.COMMITTED),
        world.contract("d-unknown", 4, None),
    ]
    project = world.project(1, [world.workload("w")], [(0, 0, 0, 6 * GPU_HOUR)], held)
    used = {
        row.contract_id: row.used_gpu_hours for row in audit(project, world.classified(Pool.BURST)).contracts
    }
    assert used == {"a-on-demand": 0, "b-dear": 2, "c-cheap": 4, "d-unknown": 0}


def test_a_missing_rate_makes_only_what_needs_it_unknown(world: Any) -> None:
    held = [
        world.contract("a", 4, "2"),
        world.contract("b", 4, None),
        world.contract("c", 4, "2", cluster="cedar"),
    ]
    project = world.project(1, [world.workload("w")], [(0, 0, 0, 3 * GPU_HOUR)], held)
    answer = audit(project, world.classified(Pool.BURST))
    atlas, cedar = answer.clusters
    assert (atlas.paid_in_window, atlas.unallocated_in_window, atlas.allocated_in_window) == (None, None, 6.0)
    assert atlas.stranded_audit is None
    assert cedar.paid_in_window == 8.0
    assert answer.workloads[0].usd_per_month == pytest.approx(6 * 730)
    assert answer.spend is None
    assert answer.unused_per_month is None


def test_overflow_without_any_on_demand_offer_is_unknown_never_free(world: Any) -> None:
    rows = [(0, 0, 0, 3 * GPU_HOUR), (1, 0, 1, GPU_HOUR)]
    project = world.project(
        2, [world.workload("big"), world.workload("small")], rows, [world.contract("k", 2, "2")]
    )
    answer = audit(project, world.classified(Pool.BURST, Pool.BURST))
    assert answer.clusters[0].overflow_gpu_hours == 1
    assert answer.clusters[0].overflow_in_window is None
    assert [workload.usd_per_month for workload in answer.workloads] == [None, pytest.approx(2 * 730 / 2)]
    assert answer.spend is None


def test_current_prices_overflow_by_class_at_offers_that_fit(world: Any) -> None:
    offers = [
        world.offer("cheap-ethernet", "4", interconnect="ethernet", bare_metal=True, gpu_memory_gb=80),
        world.offer("dear-infiniband", "7", interconnect="infiniband", bare_metal=True, gpu_memory_gb=80),
    ]
    workloads = [world.workload("pretrain", max_nodes=4), world.workload("sweep")]
    rows = [(0, 0, 0, 3 * GPU_HOUR), (1, 0, 0, GPU_HOUR)]
    project = world.project(1, workloads, rows, [world.contract("k", 2, "2")], offers)
    answer = audit(project, world.classified(Pool.TRAINING, Pool.BURST))
    assert answer.spend == pytest.approx(730 * (4 + 1.5 * 7 + 0.5 * 4))
    assert answer.clusters[0].overflow_in_window == pytest.approx(2 * 4)


def test_break_even_is_measured_against_offers_for_the_contracts_pool(world: Any) -> None:
    offers = [
        world.offer("aws", "6.88", interconnect="infiniband", bare_metal=True, gpu_memory_gb=80),
        world.offer("thin", "5", interconnect="ethernet", gpu_memory_gb=80),
    ]
    held = [
        world.contract("trains", 4, "2.75"),
        world.contract("serves", 4, "2.75", pool=Pool.INFERENCE),
        world.contract("rented", 4, "6.88", pricing_category=PricingCategory.STANDARD),
    ]
    workloads = [world.workload("pretrain", max_nodes=4)]
    project = world.project(1, workloads, [(0, 0, 0, GPU_HOUR)], held, offers)
    rows = {row.contract_id: row for row in audit(project, world.classified(Pool.TRAINING)).contracts}
    assert rows["trains"].break_even_utilization == pytest.approx(0.3997, abs=1e-4)
    assert rows["serves"].break_even_utilization == pytest.approx(0.55)
    assert rows["rented"].break_even_utilization is None


def test_activity_is_shown_only_where_every_gpu_job_has_it(world: Any) -> None:
    workloads = [
        world.workload("a", activity=0.2),
        world.workload("b", activity=0.8),
        world.workload("c", "cedar", activity=0.5),
        world.workload("d", "cedar"),
    ]
    rows = [(0, 0, 0, GPU_HOUR), (1, 0, 0, 3 * GPU_HOUR), (2, 0, 0, GPU_HOUR), (3, 0, 0, GPU_HOUR)]
    held = [world.contract("k", 8, "1"), world.contract("l", 8, "1", cluster="cedar")]
    project = world.project(1, workloads, rows, held)
    atlas, cedar = audit(project, world.classified(*[Pool.BURST] * 4)).clusters
    assert atlas.activity == pytest.approx(0.65)
    assert (atlas.useful_in_window, atlas.allocated_idle_in_window) == (
        pytest.approx(2.6),
        pytest.approx(1.4),
    )
    assert (cedar.activity, cedar.useful_in_window, cedar.allocated_idle_in_window) == (None, None, None)


def test_lock_in_holds_a_renewal_that_can_no_longer_be_given_up(world: Any) -> None:
    """Its notice was due before plans begin: it binds for six months more, which no plan has raised."""
    end_s = START_S + 730 * 3600
    held = world.contract("held", 2, "1", end_s=end_s + 60 * DAY_S, notice_days=90, renews_months=6)
    project = world.project(730, [], [], [held])
    renewed_s = months_on(end_s + 60 * DAY_S, 6)
    assert audit(project, ()).lock_in_now_months == pytest.approx((renewed_s - end_s) / (730 * 3600))


def test_lock_in_weighs_what_is_committed_by_the_dollars_of_month_zero(world: Any) -> None:
    end_s = START_S + 730 * 3600
    held = [
        world.contract("long", 2, "1", end_s=end_s + 10 * 730 * 3600),
        world.contract("open", 2, "1", notice_days=365),
        world.contract("soon", 50, "1", end_s=end_s + 700 * 3600),
        world.contract("rented", 50, "1", pricing_category=PricingCategory.STANDARD),
        world.contract("later", 50, "1", start_s=end_s + 3600),
    ]
    project = world.project(730, [], [], held)
    answer = audit(project, ())
    usd = [2 * 730, 2 * 730, 50 * 700, 50 * 729]  # of month 0, for the hours that each runs, at $1
    months = [10, 12, 700 / 730, 0]  # a year of notice is 12; without an end or notice nothing binds
    bound = sum(one * left for one, left in zip(usd, months, strict=True))
    assert answer.lock_in_now_months == pytest.approx(bound / sum(usd))
    assert answer.effective_utilization == 0
    assert audit(world.project(730, [], []), ()).lock_in_now_months is None


def test_clusters_of_jobs_and_of_contracts_are_all_there(world: Any) -> None:
    project = world.project(
        1,
        [world.workload("w", "zeta")],
        [(0, 0, 0, GPU_HOUR)],
        [world.contract("k", 1, "1", cluster="alpha")],
    )
    answer = audit(project, world.classified(Pool.BURST))
    assert [cluster.cluster for cluster in answer.clusters] == ["alpha", "zeta"]
    zeta = answer.clusters[1]
    assert (zeta.utilization, zeta.below_40_percent, zeta.paid_in_window) == (None, False, 0)


# --- Rows of contracts and clusters keep all their figures: reports show any of them, and without a log
# none of use


@pytest.fixture
def answer(world: Any) -> Audit:
    held = [
        world.contract("a", 4, "2", pricing_category=PricingCategory.COMMITTED),
        world.contract("b", 2, "3", cluster="cedar"),
    ]
    works = [world.workload("w"), world.workload("v", cluster="cedar")]
    project = world.project(2, works, [(0, 0, 0, 3 * GPU_HOUR), (1, 0, 1, GPU_HOUR)], held)
    found: Audit = audit(project, world.classified(Pool.BURST, Pool.BURST))
    return found


def test_a_figure_with_a_field_is_that_field(answer: Audit) -> None:
    for row in (*answer.contracts, *answer.clusters):
        fields = {key: value for key, value in row.figures.items() if hasattr(row, key)}
        assert len(fields) > 5
        assert fields == {key: getattr(row, key) for key in fields}


def test_a_column_shows_a_figure_without_a_field(answer: Audit) -> None:
    a, _ = answer.contracts
    assert not hasattr(a, "committed_per_month")
    assert Column(figure=CONTRACT["committed_per_month"]).of(a) == pytest.approx(4 * 2 * 730)
    assert Column(figure=CONTRACT["idle_gpu_hours"]).of(a) == 8 - 3


def test_without_a_log_what_is_paid_is_known_and_nothing_of_use(answer: Audit) -> None:
    a, _ = without_log(answer).contracts
    assert a.figures["committed_per_month"] == pytest.approx(4 * 2 * 730)
    for key in ("idle_gpu_hours", "utilization", "unused_in_window", "allocated_per_month"):
        assert Column(figure=CONTRACT[key]).of(a) is None


def test_without_contracts_what_ran_is_known_and_nothing_of_what_is_paid(world: Any) -> None:
    works = [world.workload("w"), world.workload("v", cluster="cedar")]
    rows = [(0, 0, 0, 3 * GPU_HOUR), (1, 0, 1, GPU_HOUR)]
    project = world.project(2, works, rows, [])
    answer = without_contracts(audit(project, world.classified(Pool.BURST, Pool.TRAINING)))
    assert [row.overflow_gpu_hours for row in answer.clusters] == [3, 1]
    assert [row.non_training_hours for row in answer.clusters] == [2, 1]
    assert sum(share.gpu_hours for share in answer.classes.values()) == 4
    of_paid = (
        *("paid_gpu_hours", "used_gpu_hours", "mean_paid_gpus", "utilization", "cost_per_month"),
        *("paid_in_window", "allocated_per_month", "unallocated_per_month", "stranded_metered"),
        *("non_training_paid_gpu_hours", "non_training_used_gpu_hours", "idle_while_training"),
    )
    for row in answer.clusters:
        assert {key: getattr(row, key) for key in of_paid} == dict.fromkeys(of_paid)
        assert row.below_40_percent is False
    assert answer.bridge == NOTHING_KNOWN and answer.unused_per_month is None
    assert answer.use is not None
    (model,) = answer.use.gpu_models
    assert (model.gpu_hours, model.overflow_gpu_hours) == (4, 4)
    assert (model.used_gpu_hours, model.paid_gpu_hours, model.cost_per_month) == (None, None, None)


def test_without_contracts_prices_tell_what_all_demand_costs_on_demand(world: Any) -> None:
    project = world.project(
        2, [world.workload("w")], [(0, 0, 0, 3 * GPU_HOUR)], [], offers=[world.offer("o", "2")]
    )
    answer = without_contracts(audit(project, world.classified(Pool.BURST)))
    assert answer.spend == pytest.approx(3 * 2 * 730 / 2)
    assert answer.clusters[0].cost_per_month is None


# --- Parts of a plan


def test_parts_share_what_their_whole_costs_today_by_gpu_time() -> None:
    """The whole costs $2 x 4 in the one hour; a part of 3 of its 4 GPU-h, the other, itself, and planned work."""
    project = make_project(1, [make_workload("w")], [(0, 0, 0, 4 * GPU_HOUR)], [make_contract("k", 4, "2")])
    (whole,) = project.workloads
    answer = audit(project, classified(TRAINING))
    parts = [replace(whole, key=f"w{amount}", milli_gpu_seconds=amount * GPU_HOUR) for amount in (3, 1)]
    planned = replace(whole, key="p", label=INFERENCE)
    unlabelled = replace(whole, key="q")
    given: Any = SimpleNamespace(
        workloads=(*parts, whole, planned, unlabelled), whole=(0, 0, 0, NOT_LOGGED, NOT_LOGGED)
    )
    rows = audit_in_parts(answer, project, given).workloads
    assert [(row.key, row.usd_per_month) for row in rows] == [
        ("w3", pytest.approx(6.0 * MONTH_H)),
        ("w1", pytest.approx(2.0 * MONTH_H)),
        (whole.key, pytest.approx(8.0 * MONTH_H)),
        ("p", 0.0),
        ("q", 0.0),
    ]
    assert [row.classification.pool for row in rows] == [TRAINING, TRAINING, TRAINING, INFERENCE, BURST]
    unknown = replace(answer, workloads=(replace(answer.workloads[0], usd_per_month=None),))
    assert [row.usd_per_month for row in audit_in_parts(unknown, project, given).workloads][:3] == [None] * 3
    still = replace(project, workloads=(replace(whole, milli_gpu_seconds=0),))
    (row,) = audit_in_parts(answer, still, SimpleNamespace(workloads=parts[:1], whole=(0,))).workloads  # type: ignore[arg-type]
    assert row.usd_per_month == pytest.approx(8.0 * MONTH_H)
