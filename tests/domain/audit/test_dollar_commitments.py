"""Commitments in dollars per hour, known answer 57 in the past: overflow that they cover, and the idle rest."""

from decimal import Decimal

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import (
    GPU_HOUR,
    classified,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)

TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST


def in_dollars(usd: float, off: str, **more: object) -> Contract:
    terms = {"commitment_usd_per_hour": Decimal(str(usd)), "discount_percent": off}
    return make_contract("sp", 1, str(usd), cluster="", gpu_model="$/h any", **(terms | more))


def used_by(gpus: dict[tuple[str, int], float], contracts: list[Contract], offers: list[Offer]) -> Audit:
    """The audit of ten hours. gpus: by cluster and place of the model."""
    work = [make_workload(f"w{at}", cluster) for at, (cluster, _) in enumerate(gpus)]
    entries = [
        (at, m, h, round(n * GPU_HOUR)) for at, ((_, m), n) in enumerate(gpus.items()) for h in range(10)
    ]
    return audit(make_project(10, work, entries, contracts, offers), classified(*[INFERENCE] * len(work)))


def test_dollars_cover_overflow_on_all_clusters_and_the_rest_is_idle() -> None:
    result = used_by({("c1", 0): 12, ("c2", 0): 8}, [in_dollars(100, "H100=40")], [make_offer("od", "6.88")])
    (row,) = result.contracts
    assert row.utilization == pytest.approx(0.8256, abs=1e-6)
    assert (row.inputs.covered_gpu_hours, row.inputs.coverage) == (pytest.approx(200), 1.0)
    assert row.unused_per_month == pytest.approx(17.44 * 730, abs=0.01)
    assert result.spend == pytest.approx(73_000, abs=0.01)
    assert sum(cluster.paid_gpu_hours for cluster in result.clusters) == pytest.approx(1000 / 4.128, abs=0.01)
    assert [cluster.figures["overflow_gpu_hours"] for cluster in result.clusters] == [0, 0]
    assert known_sum(row.usd_per_month for row in result.workloads) == pytest.approx(82.56 * 730, abs=0.01)


def test_dollars_cover_what_contracts_leave_and_the_largest_discount_first() -> None:
    offers = [make_offer("od", "6.88"), make_offer("a", "3.00", gpu_model="A100", provider="AWS"),
              make_offer("b", "2.00", gpu_model="A100", provider="other")]  # fmt: skip
    held = make_contract("k", 5, "2.00", cluster="c1")
    plan = in_dollars(30, "H100=40;*=20", provider="aws")
    result = used_by({("c1", 0): 9, ("c2", 1): 10}, [held, plan], offers)
    row = next(row for row in result.contracts if row.contract_id == "sp")
    left = 10 - (30 - 4 * 6.88 * 0.6) / (3.00 * 0.8)  # A100 at the rate of its own provider
    assert row.utilization == pytest.approx(1, abs=1e-6)
    assert row.inputs.coverage == pytest.approx(1 - left * 3 / (4 * 6.88 + 10 * 3), abs=1e-6)
    assert result.spend == pytest.approx((5 * 2 + 30 + left * 2) * 730, abs=0.01)


def test_what_dollars_cover_is_unknown_without_a_rate_or_a_discount() -> None:
    for off, offers in (("H100=40", []), ("", [make_offer("od", "6.88")])):
        result = used_by({("c1", 0): 12}, [in_dollars(100, off)], offers)
        (row,) = result.contracts
        assert (row.utilization, row.unused_per_month, row.inputs.coverage) == (None, None, None)
        assert result.unused_per_month is None and result.effective_utilization is None
        assert result.clusters[0].figures["paid_in_window"] == pytest.approx(1000)


def test_a_discount_off_the_rate_of_another_provider_is_told() -> None:
    for provider, subjects in (("AWS", ["sp"]), ("Vela", [])):
        offers = [make_offer("od", "6.88", provider="vela")]
        result = used_by({("c1", 0): 12}, [in_dollars(100, "H100=40", provider=provider)], offers)
        assert [str(check.subject) for check in result.checks if check.code == "quote_needed"] == subjects
