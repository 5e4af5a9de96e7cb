"""Overflow costs what its classes pay on demand, by model and by cluster."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.spend.overflow import (
    overflow_at_eligible_rates,
    overflow_by_model,
    overflow_rate,
    overflow_usd,
)
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import GPU_HOUR, make_contract, make_offer, make_project, make_workload
from tests.domain.audit.spend.conftest import A100, H100

TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST
CLASSES = [TRAINING, INFERENCE]


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


def wanting() -> Any:
    """One hour: 3 H100 of training and 3 of inference, of 4 that are held at $2; a third of each overflows."""
    works = [make_workload("llm"), make_workload("chat")]
    entries = [(0, 0, 0, 3 * GPU_HOUR), (1, 0, 0, 3 * GPU_HOUR)]
    offers = [make_offer("own", "6"), make_offer("new", "4", gpu_model="B200")]
    return make_project(1, works, entries, [make_contract("k", 4, "2")], offers)


def test_overflow_costs_the_mean_of_what_its_classes_cost() -> None:
    """For inference a B200 at $4 does the work of 2 H100, $2; training pays $6: 1 GPU-h each."""
    project = wanting()
    (hours,) = dispatch_window(project, CLASSES)
    assert overflow_rate(hours, "H100", project) == 6.0
    assert overflow_usd(hours, project) == 12.0
    parted = replace(project, mappings=(ModelMapping("H100", "B200", 2.0, INFERENCE),))
    assert overflow_rate(hours, "H100", parted) == pytest.approx((6 + 2) / 2)
    assert overflow_rate(hours, "A100", parted) is None
    assert overflow_rate(hours, "B200", parted) == 4.0  # of it nothing overflowed
    assert overflow_usd(hours, parted) == pytest.approx(8.0)
    assert overflow_usd(hours, parted, slice(0, 0)) == 0.0
    everyone = replace(project, mappings=(ModelMapping("H100", "B200", 4.0),))
    assert overflow_rate(hours, "H100", everyone) == 1.0
