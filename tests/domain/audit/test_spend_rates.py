"""Rates and sums of spend: what GPU time costs, what overflow costs, and sums of which a part is unknown."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.spend import (
    StrandedBridge,
    cluster_inputs,
    contract_amounts,
    contract_inputs,
    current_parts,
    eligible_rates,
    eligible_usd_by_hour,
    lock_in_now_months,
    on_demand_rate_of_model,
    overflow_rate,
    overflow_usd,
    priced,
    stand_in_models,
    total_bridge,
    usd_by_hour,
    why_readings_differ,
    workload_usd_of,
)
from gpuplanner.domain.audit.utilization import dispatch_window
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)

TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST
MONTH_H = 730
H = 3600
CLASSES = [TRAINING, INFERENCE]


@pytest.mark.parametrize(
    ("spent", "rates", "usd"),
    [
        ([], [], 0.0),
        ([GPU_HOUR, GPU_HOUR // 2], [2.0, 4.0], 4.0),
        ([GPU_HOUR, 0], [2.0, None], 2.0),
        ([GPU_HOUR, 1], [2.0, None], None),
    ],
)
def test_gpu_time_is_priced_where_all_of_it_has_a_rate(
    spent: list[int], rates: list[float | None], usd: float | None
) -> None:
    assert priced(np.array(spent, dtype=np.int64), rates) == usd


@pytest.mark.parametrize(
    ("metered", "reading", "idle", "word"),
    [
        (5.0, 10.0, 9.5, ""),
        (5.0, 10.0, 9.4, "exceeds idle cost"),
        (5.0, 10.0, None, ""),
        (10.5, 10.0, 99.0, "cost more"),
        (10.4, 10.0, 99.0, ""),
        (10.5, 10.0, 9.0, "exceeds idle cost"),
        (None, 10.0, 99.0, ""),
        (10.5, None, 1.0, ""),
    ],
)
def test_readings_differ_by_half_a_dollar_or_more(
    metered: float | None, reading: float | None, idle: float | None, word: str
) -> None:
    text = str(why_readings_differ(metered, reading, idle))
    assert (word in text) if word else text == ""


def test_dollars_of_the_window_are_a_month_of_730_hours() -> None:
    usd = workload_usd_of(np.array([10.0, np.nan, 0.0]), Window(START_S, 146))
    assert usd == [pytest.approx(50.0), None, 0.0]
    bridge = StrandedBridge(
        cost_per_month=1.0,
        allocated_per_month=2.0,
        idle_while_training=3.0,
        stranded_metered=4.0,
        scaled_to_all_hours=5.0,
        stranded_audit=6.0,
    )
    assert total_bridge([]) == StrandedBridge(
        **dict.fromkeys((part.name for part in fields(StrandedBridge)), 0)
    )
    unknown = total_bridge([bridge, bridge, replace(bridge, scaled_to_all_hours=None)])
    assert unknown == StrandedBridge(
        cost_per_month=3.0,
        allocated_per_month=6.0,
        idle_while_training=9.0,
        stranded_metered=12.0,
        scaled_to_all_hours=None,
        stranded_audit=18.0,
    )


def test_demand_of_no_model_stands_in_the_largest_contracts_of_its_cluster() -> None:
    contracts = [
        make_contract("a", 4, "1", gpu_model="A100"),
        make_contract("b", 8, "1"),
        make_contract("c", 1, "1", cluster="bora", gpu_model=None),
    ]
    works = [
        make_workload("w", max_nodes=2),
        make_workload("x"),
        make_workload("y", "cora", max_nodes=2),
        make_workload("z", max_nodes=1),
    ]
    entries = [(at, model, 0, GPU_HOUR) for at, model in ((0, -1), (0, 1), (1, 0), (2, -1), (3, 0))]
    project = make_project(1, works, entries, contracts)
    assert stand_in_models(project) == {"atlas": "H100", "bora": None}
    rates = eligible_rates(project, [TRAINING, BURST, INFERENCE, BURST])
    assert rates.several_nodes == {(TRAINING, "H100"), (TRAINING, "A100"), (INFERENCE, None)}


def test_on_demand_is_the_cheapest_by_use_at_what_a_mapped_model_does() -> None:
    """A B200 at $6 does the work of 2 H100, for inference of 3."""
    offers = [
        make_offer("a", "5"),
        make_offer("b", "4"),
        make_offer("c", "1", pricing_category="COMMITTED", term_months=12),
        make_offer("d", "0.5", pricing_category="DYNAMIC"),
        make_offer("e", "6", gpu_model="B200"),
        make_offer("f", None),
    ]
    mappings = (ModelMapping("H100", "B200", 2.0), ModelMapping("H100", "B200", 3.0, INFERENCE))
    assert on_demand_rate_of_model(offers, "H100") == 4.0
    assert on_demand_rate_of_model(offers, "H100", mappings) == 3.0
    assert on_demand_rate_of_model(offers, "H100", mappings, INFERENCE) == 2.0
    assert on_demand_rate_of_model(offers, None) == 4.0
    assert on_demand_rate_of_model(offers, "A100", mappings) is None


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


def test_spend_of_hours_is_what_is_paid_and_what_overflows() -> None:
    """$8 for 4 H100, and 2 on demand at $6; the second hour has no demand."""
    project = replace(wanting(), window=Window(START_S, 2))
    project = replace(project, cube=replace(project.cube, hours=2))
    clusters = dispatch_window(project, CLASSES)
    rates = eligible_rates(project, CLASSES)
    by_hour = eligible_usd_by_hour(clusters, rates)
    assert by_hour is not None and by_hour.tolist() == [20.0, 8.0]
    assert eligible_usd_by_hour([], rates) is None
    unsold = replace(rates, offers=rates.offers[1:])
    assert eligible_usd_by_hour(clusters, unsold) is None
    unrated = replace(project, contracts=(make_contract("k", 4, None),))
    assert eligible_usd_by_hour(dispatch_window(unrated, CLASSES), rates) is None


def test_parts_of_spend_are_named_where_the_sum_is_unknown() -> None:
    """4 H100 at $2 and 2 on demand at $6 are $20 in the one hour; l, without a rate, is held for it, and m is over."""
    project = wanting()
    rates = eligible_rates(project, CLASSES)
    assert current_parts(project, dispatch_window(project, CLASSES), rates, 5.0, []).parts == 0
    more = (
        *project.contracts,
        make_contract("l", 1, None, gpu_model="A100"),
        make_contract("m", 1, None, gpu_model="A100", end_s=START_S),
    )
    unrated = replace(project, contracts=more)
    clusters = dispatch_window(unrated, CLASSES)
    parts = current_parts(unrated, clusters, rates, None, [])
    assert (parts.known, parts.parts, parts.missing) == (pytest.approx(20.0 * MONTH_H), 3, ("l",))
    unmatched = current_parts(unrated, clusters, rates, None, ["atlas"])
    assert unmatched.known == pytest.approx(8.0 * MONTH_H)
    assert [str(name) for name in unmatched.missing] == ["l", "H100"]


def test_what_is_bound_is_weighted_by_the_dollars_of_the_first_month() -> None:
    """k: 4 GPUs at $2 for 730 h more, one month; l: 1 GPU at $2 for three; by use: none. (4 x 1 + 1 x 3) / 5."""
    end_s = START_S + 10 * H

    def held(name: str, gpus: float, months: int, **more: Any) -> Any:
        facts = {"pricing_category": "COMMITTED", "term_months": 12} | more
        return make_contract(name, gpus, "2", end_s=end_s + months * MONTH_H * H, **facts)

    contracts = [
        held("k", 4, 1),
        held("l", 1, 3),
        held("m", 9, 9, pricing_category="STANDARD", term_months=0),
    ]
    project = make_project(10, [], [], contracts)
    assert lock_in_now_months(project) == pytest.approx(7 / 5)
    assert lock_in_now_months(replace(project, contracts=project.contracts[2:])) is None
    unrated = replace(project.contracts[0], rate_usd_per_gpu_hour=None)
    assert lock_in_now_months(replace(project, contracts=(unrated, project.contracts[1]))) is None


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


def test_gpu_time_costs_its_rate_or_is_unknown() -> None:
    amount = np.array([[3_600_000, 0], [7_200_000, 0]])
    assert usd_by_hour(amount, [2.0, 3.0]).tolist() == [8.0, 0.0]
    unknown = usd_by_hour(amount, [2.0, None]).tolist()
    assert np.isnan(unknown[0]) and unknown[1] == 0.0
