"""Rates of GPU models: what contracts pay on average, what offers ask, and gaps to the cheapest offer of a month."""

from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.audit.model_rates import contracts_of, offered_models, paid_models, price_gaps
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from tests.domain.audit.conftest import START_S, make_contract, make_offer, make_project


def test_models_are_paid_at_their_mean_rate_and_offered_at_their_cheapest() -> None:
    """Ten hours: 4 H100 at $2 and 1 at $4.50, 1 A100 of no rate, 2 of no model at $1; l is over."""
    contracts = [
        make_contract("a", 4, "2"),
        make_contract("b", 1, "4.50", cluster="bora"),
        make_contract("c", 1, None, gpu_model="A100"),
        make_contract("d", 2, "1", gpu_model=None),
        make_contract("l", 9, "9", end_s=START_S),
    ]
    offers = [
        make_offer("o", "5"),
        make_offer("p", "3", pricing_category="COMMITTED", term_months=12),
        make_offer("q", "1", pricing_category="DYNAMIC"),
        make_offer("r", None, gpu_model="B200"),
        make_offer("s", "4"),
    ]
    project = make_project(10, [], [], contracts, offers)
    past: Any = SimpleNamespace(project=project, clusters=dispatch_window(project, []))
    assert paid_models(past) == {
        "H100": {"gpu_hours": 50.0, "rate": pytest.approx((80 + 45) / 50)},
        "A100": {"gpu_hours": 10.0, "rate": None},
        "": {"gpu_hours": 20.0, "rate": pytest.approx(1.0)},
    }
    assert offered_models(past) == {"H100": 3.0}
    held = {contract.contract_id: hours for contract, hours in contracts_of(past, "H100")}
    assert held == {"a": 40.0, "b": 10.0}
    assert [contract.contract_id for contract, _ in contracts_of(past, "")] == ["d"]


def test_gaps_are_of_the_cheapest_of_each_model_that_a_month_has() -> None:
    """May: H100 $4 and A100 $2; June: H100 $3 of b, then B200 is dated for the first time."""
    offers = [
        make_offer("a", "4", as_of="2026-05-02", provider="Ada"),
        make_offer("b", "3", as_of="2026-06-02", provider="Bo"),
        make_offer("c", "2", as_of="2026-05-09", gpu_model="A100", source="list"),
        make_offer("d", "9", as_of="2026-06-09", gpu_model="B200"),
        make_offer("e", "0.1", as_of="2026-05-09", pricing_category="DYNAMIC"),
        make_offer("f", "0.1"),
    ]
    project = make_project(1, [], [], offers=offers)
    gaps = price_gaps(SimpleNamespace(project=project))  # type: ignore[arg-type]
    assert [(gap.month, gap.gpu_model, gap.against, gap.source) for gap in gaps] == [
        ("2026-05", "H100", "A100", "Ada / list"),
        ("2026-06", "H100", "A100", "Bo / list"),
    ]
    assert [(gap.figures["rate"], gap.figures["against_rate"]) for gap in gaps] == [(4.0, 2.0), (3.0, 2.0)]
