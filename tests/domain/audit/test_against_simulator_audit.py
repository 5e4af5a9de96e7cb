"""The audit equals the oracle's, which goes hour by hour, on crafted and on random small projects."""

import random

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.oracle.past import simulate_past
from tests.oracle.projects import Case, random_case
from tests.some_of import some_of

CLUSTER_FIGURES = {
    "paid_gpu_hours": "capacity_gpu_hours",
    "used_gpu_hours": "used_gpu_hours",
    "utilization": "utilization",
    "activity": "activity",
    "training_hours": "training_hours",
    "non_training_hours": "non_training_hours",
    "non_training_used_gpu_hours": "non_training_used_gpu_hours",
    "non_training_paid_gpu_hours": "non_training_capacity_gpu_hours",
    "non_training_utilization": "non_training_utilization",
    "cost_per_month": "cost_usd_per_month",
    "overflow_gpu_hours": "overflow_gpu_hours",
    "overflow_in_window": "overflow_usd",
    "below_40_percent": "below_40_percent",
    "stranded_audit": "stranded_audit_usd_per_month",
    "stranded_metered": "stranded_metered_usd_per_month",
    "paid_in_window": "paid_usd",
    "useful_in_window": "useful_usd",
    "allocated_idle_in_window": "allocated_idle_usd",
    "allocated_in_window": "allocated_usd",
    "unallocated_in_window": "unallocated_usd",
}
"""Key of a figure -> what the simulator calls it."""
CONTRACT_FIGURES = (
    "paid_gpu_hours",
    "used_gpu_hours",
    "utilization",
    "below_40_percent",
    "break_even_utilization",
    "unused_per_month",
)


def close(expected):
    """Money to a tenth of a cent, ratios to nine digits; unknown only equals unknown."""
    return None if expected is None else pytest.approx(expected, rel=1e-9, abs=1e-3)


def compare(case):
    project = case.project
    answer = audit(project, case.classifications)
    expected = simulate_past(project, case.classes)
    assert sorted(row.cluster for row in answer.clusters) == sorted(expected.clusters)
    for row in answer.clusters:
        for key, name in CLUSTER_FIGURES.items():
            assert getattr(row, key) == close(getattr(expected.clusters[row.cluster], name)), (
                row.cluster,
                key,
            )
    assert sorted(row.contract_id for row in answer.contracts) == sorted(expected.contracts)
    for row in answer.contracts:
        for name in CONTRACT_FIGURES:
            assert getattr(row, name) == close(getattr(expected.contracts[row.contract_id], name)), (
                row.contract_id,
                name,
            )
    assert {row.key: row.usd_per_month for row in answer.workloads} == {
        key: close(usd) for key, usd in expected.workload_usd.items()
    }
    assert answer.spend == close(expected.current)
    assert answer.unused_per_month == close(expected.unused_now)
    assert answer.effective_utilization == close(expected.effective_utilization_now)
    assert answer.lock_in_now_months == close(expected.lock_in_now)
    return answer


@pytest.mark.parametrize("seed", some_of(range(25), quick=8))
def test_random_projects(seed):
    compare(random_case(seed))


@pytest.mark.parametrize("seed", range(100, 110))
def test_fractions_of_gpus_and_of_hours(seed):
    """Thousandths of GPUs, jobs and contracts that begin and end within an hour, missing rates and activity."""
    r = random.Random(seed)
    case = Case(60)
    for cluster in ("alpha", "beta"):
        for number in range(3):
            hourly = [r.choice([0, 0, r.randrange(4000) / 1000]) for _ in range(60)]
            case.workload(
                cluster,
                f"w{number}",
                r.choice(["training", "inference", "burst"]),
                {r.choice(["H100", "A100"]): hourly, None: hourly[::-1]},
                activity=r.choice([None, 0.3, 0.8, 0.8]),
            )
        for number in range(3):
            starts, ends = r.uniform(-0.12, -0.05), r.choice([None, r.uniform(-0.04, 0.1)])
            case.contract(
                f"{cluster}-{number}",
                cluster,
                r.choice([0.429, 1, 2]),
                r.choice([2, 2, 2.75, 2.75, None if seed % 3 == 0 else 1.9]),
                starts,
                ends,
                model=r.choice(["H100", "A100"]),
                pricing_category=r.choice([None, PricingCategory.COMMITTED, PricingCategory.STANDARD]),
                pool=r.choice([None, Pool.BURST]),
            )
    case.offers_of("H100", 5, {})
    case.offers_of("A100", 3, {})
    compare(case)


@pytest.mark.parametrize(("nodes", "rate"), [(1, 4), (2, 5)])
def test_training_on_several_nodes_overflows_to_bare_metal_on_infiniband(nodes, rate):
    case = Case(200)
    case.workload("a", "run", "training", 3, max_nodes=nodes)
    case.contract("k", "a", 1, 2)
    case.offer("near", 0, 5, bare_metal=True, interconnect="infiniband")
    case.offer("virtual", 0, 4, bare_metal=False, interconnect="ethernet")
    answer = compare(case)
    assert answer.spend == pytest.approx(730 * (2 + 2 * rate))
    assert answer.clusters[0].overflow_in_window == pytest.approx(
        200 * 2 * 4
    )  # beside it: the model's cheapest


def test_a_cluster_without_contracts_overflows_in_full():
    case = Case(200)
    case.workload("a", "run", "training", 2)
    case.offers_of("H100", 5, {})
    answer = compare(case)
    assert answer.spend == pytest.approx(730 * 2 * 5)
    assert answer.clusters[0].utilization is None
    assert not answer.clusters[0].below_40_percent


def test_contracts_that_start_and_end_inside_the_window_count_for_the_hours_they_ran():
    case = Case(730)
    case.workload("a", "run", "training", 2)
    case.contract("old", "a", 2, 3, starts=-2, ends=-0.5)
    case.contract("new", "a", 2, 2, starts=-0.5)
    case.offers_of("H100", 5, {})
    answer = compare(case)
    assert answer.spend == pytest.approx(365 * 2 * 3 + 365 * 2 * 2)


def test_an_idle_cluster_strands_all_it_costs():
    case = Case(200)
    case.workload("b", "chat", "inference", 1)
    case.contract("k", "a", 4, 2)
    case.offers_of("H100", 5, {})
    answer = audit(case.project, case.classifications)
    idle = next(row for row in answer.clusters if row.cluster == "a")
    assert idle.stranded_audit == pytest.approx(730 * 8)
    assert idle.stranded_metered == pytest.approx(730 * 8)


def test_a_cluster_that_always_trains_has_no_non_training_hours():
    case = Case(200)
    case.workload("a", "run", "training", 1)
    case.contract("k", "a", 4, 2)
    case.offers_of("H100", 5, {})
    (cluster,) = compare(case).clusters
    assert cluster.non_training_utilization is None
    assert cluster.stranded_audit is None
    assert cluster.stranded_metered == 0


def test_a_missing_rate_is_unknown_and_never_free():
    case = Case(200)
    case.workload("a", "run", "training", 6)
    case.contract("k1", "a", 4, 2)
    case.contract("k2", "a", 4, None)
    answer = compare(case)
    assert answer.spend is None
    assert answer.unused_per_month is None
