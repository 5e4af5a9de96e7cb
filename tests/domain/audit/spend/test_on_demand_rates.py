"""On-demand rates: of which model untyped demand is, and the cheapest offer."""

from gpuplanner.domain.audit.spend.on_demand_rates import (
    eligible_rates,
    on_demand_rate_of_model,
    stand_in_models,
)
from gpuplanner.domain.audit.utilization.cluster_hours import model_of_cluster
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import GPU_HOUR, make_contract, make_offer, make_project, make_workload

TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST


def test_untyped_demand_counts_with_the_model_of_most_gpus_then_of_the_lowest_id(world) -> None:  # type: ignore[no-untyped-def]
    few, many = world.contract("a", 8, "2", gpu_model="A100"), world.contract("c", 16, "2")
    as_many = world.contract("b", 16, "2", gpu_model="B200")
    assert model_of_cluster([few, many]) == "H100"
    assert model_of_cluster([many, as_many, few]) == "B200"
    assert model_of_cluster([]) is None


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
