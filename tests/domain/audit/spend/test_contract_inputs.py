"""Inputs of contracts and clusters are of the hours that are asked for."""

from dataclasses import replace

import numpy as np

from gpuplanner.domain.audit.spend.cluster_inputs import cluster_inputs
from gpuplanner.domain.audit.spend.contract_inputs import contract_amounts, contract_inputs
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import GPU_HOUR, make_contract, make_offer, make_project, make_workload

TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST
H = 3600
CLASSES = [TRAINING, INFERENCE]


def test_what_goes_into_contracts_and_clusters_is_of_the_hours_asked_for() -> None:
    """Three hours of 4 H100 at $2, of which training uses 3 in the first and inference 1 in the second."""
    works = [make_workload("llm"), make_workload("chat")]
    entries = [(0, 0, 0, 3 * GPU_HOUR), (1, 0, 1, GPU_HOUR)]
    project = make_project(3, works, entries, [make_contract("k", 4, "2")])
    (hours,) = dispatch_window(project, CLASSES)
    inside = np.array([True, True, False])
    amounts = contract_amounts(hours, inside, 2.0)
    assert amounts["paid_per_month"] == [8.0] and amounts["unused_per_month"] == [4.0]
    assert (amounts["allocated_in_window"], amounts["unused_in_window"]) == ([8.0], [8.0])
    inputs = cluster_inputs(hours, inside, 2.0, 0.5, 1.0, 3.0, is_use_known=True, is_demand_known=True)
    counts = [inputs.paid, inputs.used, inputs.non_training_paid, inputs.non_training_used]
    assert counts == [count * GPU_HOUR for count in (8, 4, 4, 1)]
    assert (inputs.training_hours, inputs.non_training_hours, inputs.overflow) == (1, 1, 0)
    assert (inputs.unallocated_in_window, inputs.non_training_unallocated_in_window) == (8.0, 6.0)
    assert (inputs.overflow_in_window, inputs.eligible_overflow_in_window) == (1.0, 3.0)
    unused = cluster_inputs(hours, inside, 2.0, 0.5, 1.0, 3.0, is_use_known=False, is_demand_known=True)
    assert (unused.used, unused.non_training_used, unused.allocated_in_window) == (None, None, None)
    assert (unused.paid_in_window, unused.overflow, unused.overflow_in_window) == (16.0, 0, 1.0)
    unasked = cluster_inputs(hours, inside, 2.0, 0.5, 1.0, 3.0, is_use_known=True, is_demand_known=False)
    assert (unasked.overflow, unasked.overflow_in_window, unasked.eligible_overflow_in_window) == (None,) * 3
    offer = make_offer("o", "5")
    (row,) = contract_inputs(hours, project.window, {"k": offer}, [])
    assert (row.run_s, row.paid, row.used) == (3 * H, 12 * GPU_HOUR, 4 * GPU_HOUR)
    assert (row.on_demand_rate, row.committed_rate) == (5.0, 2.0 if row.contract.is_committed else None)
    (unknown,) = contract_inputs(hours, project.window, {"k": None}, ["k"])
    assert (unknown.used, unknown.on_demand_rate) == (None, None)
    assert replace(row, on_demand=make_offer("z", "0")).on_demand_rate is None
