"""GPUs that models are served on: by the table, by memory and by the name of an offer."""

from dataclasses import replace

import pytest

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.serving.serving_gpus import ServingGpu
from tests.domain.serving.served_gpus import CHIP, gpus


def sold(name: str, memory_gb: float | None = None) -> Offer:
    return Offer(
        offer_id=name,
        gpu_model=name,
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=None,
        gpu_memory_gb=memory_gb,
    )


def test_gpus_are_those_of_the_table_with_the_chip_of_their_own_or_the_nearest() -> None:
    found = gpus()
    assert list(found) == ["A1", "New", "Z9"]
    assert found["A1"] == ServingGpu(
        name="A1", memory_gb=100.0, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP
    )
    assert found["New"].chip == replace(CHIP, gpu_model="New", is_measured=False, tflops={})
    assert found["Z9"] == ServingGpu(
        name="Z9", memory_gb=48.0, bandwidth_tb_per_s=None, tflops=50.0, chip=None
    )


@pytest.mark.parametrize(
    ("stated", "memory_gb"), [(90.0, 90.0), (89.9, 100.0), (100.0, 100.0), (100.1, 100.0), (None, 100.0)]
)
def test_a_card_sold_with_up_to_a_tenth_less_is_the_same(stated: float | None, memory_gb: float) -> None:
    assert gpus(sold("a1", stated))["A1"].memory_gb == memory_gb
    assert gpus(sold("a1", stated), sold("A1", 95.0))["A1"].memory_gb == min(
        memory_gb, 95.0 if memory_gb >= 95 else 90.0
    )


def test_a_name_of_an_offer_has_the_facts_of_its_family_unless_its_memory_is_another() -> None:
    named = gpus(
        sold("Nvidia A1", 95.0),
        sold("A1 80GB", 100.0),
        sold("A1 92 GB"),
        sold("A1 PCIe"),
        sold("X", 7.0),
        sold("old"),
    )
    assert named["Nvidia A1"] == ServingGpu(
        name="Nvidia A1", memory_gb=95.0, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP
    )
    assert named["A1 80GB"] == ServingGpu(
        name="A1 80GB", memory_gb=80.0, bandwidth_tb_per_s=None, tflops=None
    )
    assert named["A1 92 GB"].memory_gb == 92.0 and named["A1 92 GB"].chip == CHIP
    assert named["A1 PCIe"].memory_gb == 100.0 and named["A1 PCIe"].tflops == 300.0
    assert named["X"] == ServingGpu(name="X", memory_gb=7.0, bandwidth_tb_per_s=None, tflops=None)
    assert named["old"].memory_gb == 16.0 and named["old"].chip is not None
    assert gpus(sold("Nvidia A1", 120.0))["Nvidia A1"] == ServingGpu(
        name="Nvidia A1", memory_gb=120.0, bandwidth_tb_per_s=None, tflops=None
    )
    assert gpus(sold("Nvidia A1", 100.0))["Nvidia A1"].bandwidth_tb_per_s == 2.0
