"""Who pays for which hour: a workload pays for the GPU model that it ran on, by hand."""

from dataclasses import astuple, fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.chargeback import charged
from gpuplanner.domain.audit.cost_result import Period
from gpuplanner.domain.audit.spend import (
    NOTHING_KNOWN,
    StrandedBridge,
    model_of_cluster,
    overflow_at_eligible_rates,
    overflow_by_model,
    overflow_usd,
    total_bridge,
)
from gpuplanner.domain.audit.unit_costs import past_of
from gpuplanner.domain.audit.variance import used_gpu_hours
from gpuplanner.domain.model.amounts import PartSum, unexchanged
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.reports.clusters import CLUSTERS
from gpuplanner.domain.reports.report import Medium

# --- Who pays for which hour: a workload pays for the GPU model that it ran on, by hand ----------

HOURS_IN_MONTH = 730
GPU_HOUR = 3_600_000
H100, A100, UNKNOWN = 0, 1, -1


@pytest.fixture
def past(world):
    """One hour of four workloads on a cluster of two GPU models: 2 H100 at $2, 1 A100 at $1.

    Two ran on H100s and left one of three GPU-hours over; one half an A100, and one nobody knows on what.
    """
    workloads = [world.workload(name) for name in ("train", "tune", "serve", "guess")]
    entries = [
        (0, H100, 0, 2 * GPU_HOUR),
        (1, H100, 0, 1 * GPU_HOUR),
        (2, A100, 0, GPU_HOUR // 2),
        (3, UNKNOWN, 0, 1 * GPU_HOUR),
    ]
    contracts = [world.contract("new", 2, "2"), world.contract("old", 1, "1", gpu_model="A100")]
    offers = [world.offer("rent", "5"), world.offer("rent-old", "3", gpu_model="A100")]
    project = world.project(1, workloads, entries, contracts, offers)
    return past_of(project, audit(project, world.classified(*[Pool.TRAINING] * 4)))


def test_a_workload_pays_for_the_model_it_ran_on(past):
    """H100: (2 x $2 + 1 x $5) / 3 a GPU-hour; A100: $1; unknown: half an A100 is left, half is rented as the H100."""
    assert [usd / HOURS_IN_MONTH for usd in past.workload_usd_per_month] == pytest.approx(
        [6.0, 3.0, 0.5, 3.0]
    )


def test_what_served_and_what_overflowed_are_of_the_model_too(past):
    rows = charged(past, audit(past.project, past.classifications)).workloads
    assert [row.direct for row in rows] == pytest.approx([8 / 3, 4 / 3, 0.5, 0.5])
    assert [row.overflow for row in rows] == pytest.approx([10 / 3, 5 / 3, 0.0, 2.5])


def test_hours_served_are_counted_where_they_were_served(past):
    used = used_gpu_hours(past, [Period(0, 1)])
    assert np.allclose(used, [[4 / 3, 2 / 3, 0.5, 0.5]])


def test_untyped_demand_counts_with_the_model_of_most_gpus_then_of_the_lowest_id(world) -> None:  # type: ignore[no-untyped-def]
    few, many = world.contract("a", 8, "2", gpu_model="A100"), world.contract("c", 16, "2")
    as_many = world.contract("b", 16, "2", gpu_model="B200")
    assert model_of_cluster([few, many]) == "H100"
    assert model_of_cluster([many, as_many, few]) == "B200"
    assert model_of_cluster([]) is None


# --- The bridge from the bill to stranded spend adds up, per cluster and in total, to the cent; unknown
# stays unknown

CENT = 0.005
TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST

amounts = st.none() | st.floats(0, 1e9)


def adds_up(bridge):
    """Both laws, where everything is known."""
    paid, served, idle, metered, scaled, audited = astuple(bridge)
    return paid - served - idle == pytest.approx(metered, abs=CENT) and metered + scaled == pytest.approx(
        audited, abs=CENT
    )


@given(st.lists(st.tuples(*[amounts] * 6), max_size=4))
def test_a_total_is_the_sum_or_unknown(rows):
    names = [part.name for part in fields(StrandedBridge)]
    bridges = [StrandedBridge(**dict(zip(names, row, strict=True))) for row in rows]
    total = astuple(total_bridge(bridges))
    for place, of_all in enumerate(total):
        each = [astuple(bridge)[place] for bridge in bridges]
        assert of_all == (None if None in each else pytest.approx(sum(each)))


def test_a_hundred_thousand_at_a_fifth(world):
    """$100,000 a month, 20% used in hours without training: audit strands $80,000."""
    hours = 10
    rate = 100_000 / 730 / 100
    rows = [(0, 0, hour, 20 * GPU_HOUR) for hour in range(hours)]
    project = world.project(hours, [world.workload("serve")], rows, [world.contract("k", 100, repr(rate))])
    bridge = audit(project, world.classified(INFERENCE)).bridge
    assert astuple(bridge) == pytest.approx((100_000, 20_000, 0, 80_000, 0, 80_000), abs=CENT)


def test_every_part_in_cents(world):
    """10 GPUs at $2: 4 h trained on 8 of them, 6 h served on 3. What idles in trained hours is not metered."""
    rows = [(0, 0, hour, 8 * GPU_HOUR) for hour in range(4)]
    rows += [(1, 0, hour, 3 * GPU_HOUR) for hour in range(4, 10)]
    project = world.project(
        10, [world.workload("llm"), world.workload("chat")], rows, [world.contract("k", 10, "2.00")]
    )
    answer = audit(project, world.classified(TRAINING, INFERENCE))
    a_month = 730 / 10 * 2  # $ a month for one GPU-hour of the window
    expected = [100, 32 + 18, 8, 42, 70 - 42, 70]  # GPU-hours; audit: 70% of 100 is idle where nothing trains
    assert astuple(answer.bridge) == pytest.approx([each * a_month for each in expected], abs=CENT)
    assert total_bridge(answer.clusters) == answer.bridge


def test_a_missing_rate_leaves_its_own_cluster_and_the_total_unknown(world):
    rows = [(0, 0, 0, GPU_HOUR), (1, 0, 0, GPU_HOUR)]
    workloads = [world.workload("a", "atlas"), world.workload("b", "borealis")]
    contracts = [world.contract("k", 2, None), world.contract("m", 2, "3.00", cluster="borealis")]
    answer = audit(world.project(2, workloads, rows, contracts), world.classified(BURST, BURST))
    atlas, borealis = answer.clusters
    assert total_bridge([atlas]) == NOTHING_KNOWN
    assert answer.bridge == NOTHING_KNOWN
    assert adds_up(total_bridge([borealis]))


def test_training_in_every_hour_leaves_the_audit_unknown_and_metered_nought(world):
    rows = [(0, 0, hour, GPU_HOUR) for hour in range(3)]
    project = world.project(3, [world.workload("llm")], rows, [world.contract("k", 2, "1.00")])
    bridge = audit(project, world.classified(TRAINING)).bridge
    assert bridge.stranded_metered == 0
    assert bridge.idle_while_training == pytest.approx(730)
    assert (bridge.scaled_to_all_hours, bridge.stranded_audit) == (None, None)


def test_overflow_is_priced_by_the_mappings_of_the_pool_that_it_is_of(world):
    """2 GPU-hours each of inference and training beyond no contract; an H200 at $4 does 1.6 H100 of inference."""
    rows = [(0, 0, 0, 2 * GPU_HOUR), (1, 0, 0, 2 * GPU_HOUR)]
    jobs = [world.workload("chat"), world.workload("train")]
    offers = (world.offer("own", "6.88"), replace(world.offer("new", "4"), gpu_model="H200"))
    project = replace(
        world.project(1, jobs, rows, offers=offers),
        mappings=(ModelMapping("H100", "H200", 1.6, Pool.INFERENCE),),
    )
    past = past_of(project, audit(project, world.classified(Pool.INFERENCE, Pool.TRAINING)))
    assert overflow_usd(past.clusters[0], project) == pytest.approx(2 * 2.5 + 2 * 6.88)
    unpriced = replace(project, offers=offers[1:])
    assert overflow_usd(past.clusters[0], unpriced) is None, "training may not use it"
    only = past_of(project, audit(project, world.classified(Pool.INFERENCE, Pool.INFERENCE)))
    assert overflow_usd(only.clusters[0], unpriced) == pytest.approx(4 * 2.5)


def test_a_cluster_costs_at_least_what_its_contracts_with_a_rate_are_paid(world):
    """2 GPUs at $3 beside some without a rate, and some in a currency whose rate nobody states."""
    abroad = replace(world.contract("m", 2, "3.00"), currency="EUR", exchange=None)
    contracts = [world.contract("k", 2, None), world.contract("l", 2, "3.00"), abroad]
    project = world.project(2, [world.workload("a")], [(0, 0, 0, GPU_HOUR)], contracts)
    (cluster,) = (answer := audit(project, world.classified(BURST))).clusters
    assert (
        cluster.inputs.paid_parts
        == PartSum(pytest.approx(6 * 730), 3, ("k", unexchanged("m")))
        == answer.paid_parts
    )
    (cost,) = (one for one in CLUSTERS.columns_in(Medium.TERMINAL) if one.name == "cost_per_month")
    assert cost.unknown_of(cluster).known.is_at_least


def test_overflow_by_model_and_by_cluster_is_the_same_money(world):
    """Several nodes cannot run over Ethernet: what they lack is rented at $5, also where a GPU model is asked about."""
    workloads = [world.workload("train", max_nodes=2), world.workload("tune")]
    entries = [(0, H100, 0, 2 * GPU_HOUR), (1, A100, 0, GPU_HOUR)]
    offers = [
        world.offer("slow", "3", interconnect="ethernet"),
        world.offer("fast", "5", interconnect="infiniband", bare_metal=True),
        world.offer("rent-old", "2", gpu_model="A100"),
    ]
    project = world.project(1, workloads, entries, [world.contract("new", 1, "2")], offers)
    past = past_of(project, audit(project, world.classified(Pool.TRAINING, Pool.TRAINING)))
    found = overflow_by_model(past.clusters, past.rates)
    assert found == {"H100": pytest.approx(5.0), "A100": pytest.approx(2.0)}
    assert sum(found.values()) == pytest.approx(overflow_at_eligible_rates(past.clusters[0], past.rates))
    unsold = replace(past.rates, offers=past.rates.offers[:1])
    assert overflow_by_model(past.clusters, unsold) == {"H100": None, "A100": None}


def test_what_is_known_of_spend_holds_the_overflow_beside_a_contract_without_a_rate(world):
    """3 H100 run in the one hour and 2 are held, at no known rate: one at $5 is known, in a month of 730 h."""
    entries = [(0, H100, 0, 3 * GPU_HOUR)]
    contracts, offers = [world.contract("new", 2, None)], [world.offer("rent", "5")]
    project = world.project(1, [world.workload("train")], entries, contracts, offers)
    answer = audit(project, world.classified(Pool.TRAINING))
    assert answer.spend is None
    assert (answer.spend_parts.known, answer.spend_parts.parts) == (pytest.approx(5 * HOURS_IN_MONTH), 2)
