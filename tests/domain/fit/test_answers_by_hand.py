"""Rows of a sized endpoint and quotes beside needs, by hand: which is advised, which is next, and what holds."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.fit.endpoint_sizing import ServingCost, best_row, nearest_row, runner_up
from gpuplanner.domain.fit.needs import AskedNeeds, holds_as_quoted, is_quoted_with
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.serving.sizing import SizedRow

FREE = dict.fromkeys(
    (
        "gpu_hours_per_month_flat",
        "peak_provisioning_gpu_hours",
        "needed_per_month",
        "autoscaled_per_month",
        "peak_provisioning_per_month",
        "cost_per_million_tokens",
    )
)


def cost(model: str, precision: str, usd: float | None, gpus: int = 8, **facts: Any) -> ServingCost:
    row = SizedRow(gpu_model=model, precision=precision, tensor_parallel=4, fits=True, **facts)
    return ServingCost(
        row=row, offer=None, on_demand=None, inputs={"rate": 2.5}, gpus_peak=gpus, cost_per_month=usd, **FREE
    )


A, B = cost("H100", "BF16", 100.0), cost("A100", "BF16", 120.0)
NARROW = cost("H100", "FP8", 50.0)


def test_the_advised_row_is_the_cheapest_of_the_widest_precision() -> None:
    assert best_row((NARROW, B, A)) is A and best_row((NARROW,)) is NARROW and best_row(()) is None
    twin = cost("A100", "BF16", 100.0, 6)
    assert best_row((A, twin)) is twin  # fewer GPUs
    assumed = replace(twin, row=replace(twin.row, is_assumed=True))
    assert best_row((A, assumed)) is A  # at equal cost a measured GPU comes first
    cheaper = replace(assumed, cost_per_month=(A.cost_per_month or 0) - 1)
    assert best_row((A, cheaper)) is cheaper
    first = cost("B200", "BF16", 100.0, 6)
    assert best_row((first, twin)) is twin  # by its name
    for unfit in (
        cost("L4", "BF16", 1.0, is_unstable=True),
        cost("L4", "BF16", 1.0, meets_target=False),
        cost("L4", "BF16", None),
    ):
        assert best_row((unfit, A)) is A
    assert best_row((cost("L4", "BF16", 1.0, meets_target=True), A)) is not A


def test_the_next_row_is_of_another_model_in_the_same_precision() -> None:
    same_model = cost("H100", "BF16", 110.0)
    beside = runner_up((A, same_model, B, NARROW))
    assert beside is not None and beside.cost is B and "$20" in str(beside.why) and "8" in str(beside.why)
    shape = runner_up((A, same_model, NARROW))
    assert shape is not None and shape.cost is same_model and "$10" in str(shape.why)
    narrow = runner_up((A, NARROW))
    assert (
        narrow is not None and narrow.cost is NARROW and "$50" in str(narrow.why) and "FP8" in str(narrow.why)
    )
    equal = runner_up((A, cost("A100", "BF16", 100.0)))
    assert equal is not None and "$0" in str(equal.why) and "$2.50" in str(equal.why)
    assert runner_up((A,)) is runner_up(()) is None


def test_of_rows_that_miss_a_target_the_one_that_misses_least_is_nearest() -> None:
    near = cost("H100", "BF16", 9.0, missed_by=1.2, meets_target=False, why="late")
    far = cost("A100", "BF16", 1.0, missed_by=1.5, meets_target=False)
    result = nearest_row((far, near, A))
    assert result is not None and result.cost is near and result.why == "late"
    assert nearest_row((far, near, cost("L4", "BF16", 1.0, missed_by=0.9, meets_target=True))) is None
    assert nearest_row((A,)) is None
    tied = cost("A100", "BF16", 1.0, missed_by=1.2, meets_target=False)
    assert nearest_row((near, tied)).cost is tied  # type: ignore[union-attr]


QUOTE = Offer(
    offer_id="q",
    gpu_model="H100",
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    rate_usd_per_gpu_hour=Decimal(2),
    source="Quote RFQ-1 R1 at 99.5%",
    gpu_memory_gb=80.0,
    bare_metal=True,
    interconnect="roce",
)


@pytest.mark.parametrize(
    ("changes", "holds"),
    [
        ({}, True),
        ({"sla_percent": 99.5}, True),
        ({"sla_percent": 99.4}, False),
        ({"source": "Quote RFQ-1 R1 option"}, False),
        ({"source": "Quote RFQ-1 R1; plus VAT"}, False),
        ({"source": "Quote RFQ-1 R1; two sites"}, True),
        ({"source": None, "sla_percent": 1.0}, True),
    ],
)
def test_a_quote_holds_with_its_sla_and_without_an_open_remark(
    changes: dict[str, Any], *, holds: bool
) -> None:
    assert holds_as_quoted(replace(QUOTE, **changes)) is holds


@pytest.mark.parametrize(
    ("needs", "is_enough"),
    [
        (AskedNeeds(), True),
        (AskedNeeds("ethernet"), True),
        (AskedNeeds("infiniband"), False),
        (AskedNeeds(bare_metal=True), True),
        (AskedNeeds(memory_gb=80.0), True),
        (AskedNeeds(memory_gb=81.0), False),
    ],
)
def test_a_quote_is_no_less_than_what_is_needed(needs: AskedNeeds, *, is_enough: bool) -> None:
    assert is_quoted_with(QUOTE, needs) is is_enough
    assert is_quoted_with(replace(QUOTE, source=None), needs)
    bare = replace(QUOTE, bare_metal=None, gpu_memory_gb=None, interconnect=None)
    assert is_quoted_with(bare, AskedNeeds()) and not is_quoted_with(bare, AskedNeeds(bare_metal=True))
    assert not is_quoted_with(bare, AskedNeeds(memory_gb=1.0)) and not is_quoted_with(
        bare, AskedNeeds("ethernet")
    )


def test_what_serves_both_has_the_greater_of_each_need() -> None:
    both = AskedNeeds("roce", False, 40.0).beside(AskedNeeds("infiniband", True, None))
    assert both == AskedNeeds("infiniband", True, 40.0)
    assert AskedNeeds().beside(AskedNeeds()) == AskedNeeds()
    assert AskedNeeds("roce", memory_gb=10.0).beside(AskedNeeds(None, memory_gb=20.0)) == AskedNeeds(
        "roce", False, 20.0
    )
