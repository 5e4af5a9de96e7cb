"""Rows of a sized endpoint: their offers, and which row is drawn, advised, next and nearest."""

from dataclasses import replace
from decimal import Decimal
from math import inf, isclose
from types import SimpleNamespace

import pytest

from gpuplanner.domain.fit.api_offers import api_offer
from gpuplanner.domain.fit.best_rows import best_row, nearest_row, runner_up
from gpuplanner.domain.fit.serving_costs import ServingCost, cost_rows, cost_sort_key, terms_of_offers
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import NO_PLACES, ServedModel, ServingChoice
from gpuplanner.domain.serving.replicas import ServingTerms
from gpuplanner.domain.serving.sizing import SizedRow
from tests.domain.fit.stated_endpoint import (
    LOAD,
    NEAR_AND_FAR,
    PRICED,
    ROW,
    A,
    B,
    cost,
    offer,
    sizing,
    unpriced,
)

# --- Rows with their offers


def costs(rows: tuple[SizedRow, ...], *offers: Offer, term: int = 0) -> tuple[ServingCost, ...]:
    return cost_rows(rows, LOAD, offers, term)


def test_a_row_has_offers_of_its_model_and_memory() -> None:
    """Three replicas of two GPUs: 6 x 730 = 4,380 GPU-hours, of which 3,000 are asked for; 1,250,000,000 tokens."""
    row = replace(ROW, gpu_memory_gb=80.0, gpu_hours_per_month_autoscaled=3000.0)
    small, large = (
        offer("small", "1", gpu_memory_gb=79.0),
        offer("large", "2", gpu_memory_gb=80.0, model="h100"),
    )
    other = offer("other", "0.5", model="A100")
    (result,) = costs((row,), small, other, large)
    assert result.offer is result.on_demand is large and result.rate == 2 and result.upfront == 0
    assert (result.gpus_peak, result.gpu_hours_per_month_flat) == (6, 4380)
    assert (result.cost_per_month, result.needed_per_month, result.autoscaled_per_month) == (8760, 6000, 6000)
    assert (result.peak_provisioning_gpu_hours, result.peak_provisioning_per_month) == (1380, 2760)
    assert isclose(result.cost_per_million_tokens or 0, 8760 / 1250)
    (free,) = costs((replace(row, gpu_memory_gb=None),), small, large)
    assert free.offer is small  # nobody knows the least
    (unstated,) = costs((row,), offer("unstated", "1"))
    assert unstated.offer is not None  # the model's memory
    two = costs((row, replace(row, gpu_memory_gb=None, precision="FP8")), small, large)
    assert [each.offer for each in two] == [large, small]
    for fits in (False, None):
        (unfit,) = costs((replace(row, fits=fits),), large)
        assert unfit.offer is unfit.on_demand is unfit.rate is unfit.upfront is unfit.cost_per_month is None
    assert costs((), large) == ()


def test_a_term_has_its_own_offers_and_their_upfront_payment() -> None:
    """$1 and $8,760 over 8,760 hours are $2 an hour; six GPUs pay 6 x 8,760 at first."""
    by_hour, year = offer("hour", "3"), offer("year", "1", 12, upfront_usd=Decimal(8760))
    dear, long = offer("dear", "2.5", 12), offer("long", "0.5", 36)
    (result,) = costs((ROW,), by_hour, dear, long, year, term=12)
    assert result.offer is year and result.on_demand is by_hour
    assert result.rate == pytest.approx(2.0) and result.upfront == 52_560
    (missing,) = costs((ROW,), by_hour, long, term=12)
    assert missing.offer is missing.rate is missing.upfront is None and missing.on_demand is by_hour
    assert terms_of_offers((long, year, dear, offer("quote", None, 6))) == (0, 12, 36)
    assert terms_of_offers(()) == (0,)


def test_rows_without_dollars_or_gpus_are_ordered_by_them() -> None:
    """A row that costs nothing, for nobody asks for it, is before one of half a dollar; no GPU before one."""
    none, half = cost("H100", "BF16", 0.0, 0), cost("A100", "BF16", 0.5)
    assert best_row((half, none)) is none
    single = cost("A100", "BF16", 0.0, 1)
    assert best_row((single, none)) is none
    second = runner_up((single, none))
    assert second is not None and second.cost is single
    assert [str(second.why.values[name]) for name in ("usd", "gpus", "rate")] == ["$0", "1", "$2.50"]  # type: ignore[union-attr]
    third = runner_up((none, replace(half, cost_per_month=0.0, gpus_peak=0, inputs={"rate": None})))
    assert third is not None and third.cost is none
    assert str(third.why.values["gpus"]) == "0"  # type: ignore[union-attr]
    unpriced = runner_up((none, replace(single, inputs={"rate": None})))
    assert unpriced is not None and str(unpriced.why.values["rate"]) == "$0.00"  # type: ignore[union-attr]
    strange = cost("A100", "stated", 1.0)
    assert (
        best_row((strange, cost("L4", "INT4", 9.0))) is not strange
    )  # a precision that nobody knows is last
    third_width = cost("B200", "FP8", 1.0)
    narrow = runner_up((cost("A100", "BF16", 5.0), third_width, cost("L4", "INT4", 0.5)))
    assert narrow is not None and narrow.cost is third_width


# --- The row that is drawn, and rows by name


def test_the_row_that_the_planner_chose_is_drawn_before_the_cheapest() -> None:
    cheap, chosen = cost("A100", "BF16", 1.0), cost("H100", "FP8", 9.0)
    rows = (cheap, chosen)
    assert sizing(*rows).drawn is cheap
    of = sizing(*rows, choice=ServingChoice(gpu_model="h100", precision="FP8", tensor_parallel=4))
    assert of.drawn is chosen and of.row("H100", "FP8", 4) is chosen
    for model, precision, parallel in (("H100", "BF16", 4), ("H100", "FP8", 8), ("L4", "FP8", 4)):
        other = ServingChoice(gpu_model=model, precision=precision, tensor_parallel=parallel)
        assert sizing(*rows, choice=other).drawn is cheap
        assert of.row(model, precision, parallel) is None
    assert of.of_key(chosen.row.key) is chosen and of.of_key("H100\tFP8\t8") is None


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (unpriced("H100", 8), unpriced("A100", 2, is_unstable=True)),
        (unpriced("H100", 8, 1.1), unpriced("A100", 2, 1.5)),
        (unpriced("H100", 8), unpriced("A100", 2, 1.5)),  # no target is no miss
        (unpriced("H100", 2, 0.9), unpriced("A100", 8, 0.2)),  # both keep the targets: fewer GPUs
        (unpriced("H100", 0, 1.2), unpriced("A100", 1, 1.2)),
        (unpriced("A100", 8), unpriced("H100", 8)),
        (unpriced("H100", 8, 9.0), unpriced("A100", None)),
    ],
)
def test_without_prices_the_row_that_misses_least_is_drawn(first: ServingCost, later: ServingCost) -> None:
    assert sizing(later, first).drawn is sizing(first, later).drawn is first


def test_the_cheapest_row_of_a_model_is_in_the_precision_that_is_drawn() -> None:
    drawn, dear, cheap = cost("A100", "BF16", 1.0), cost("H100", "BF16", 9.0), cost("H100", "BF16", 8.0)
    narrow = cost("H100", "FP8", 2.0)
    few, many = unpriced("L4", 0), unpriced("L4", 1)
    priced_last = (unpriced("L40S", 1), cost("L40S", "BF16", 99.0))
    of = sizing(drawn, dear, cheap, narrow, many, few, unpriced("B200", None), *priced_last)
    assert of.drawn is drawn and of.cheapest_on("h100") is cheap and of.cheapest_on("L4") is few
    assert of.cheapest_on("B200") is of.cheapest_on("T4") is None
    assert of.cheapest_on("L40S").cost_per_month == 99.0  # type: ignore[union-attr]
    assert sizing().drawn is sizing().cheapest_on("H100") is None
    assert sizing(unpriced("H100", None)).cheapest_on("H100") is None


def test_an_endpoint_of_stated_rates_has_no_model_and_no_api() -> None:
    model = ServedModel(name="m", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128)
    priced = replace(cost("H100", "BF16", 1.0), row=ROW, inputs={"rate": 0.25})
    of = sizing(
        priced,
        choice=ServingChoice(model=model),
        assumptions=PRICED,
        terms=ServingTerms(spare=0),
        places=NO_PLACES,
    )
    assert of.model is model and of.api(priced) == api_offer(LOAD, ROW, PRICED, 0.25, 0)
    rated = replace(of, choice=ServingChoice(model=model, rates=(("H100", 1.0),)))
    assert rated.model is rated.api(priced) is None
    assert of.regional(priced) is None
    placed = replace(of, places=NEAR_AND_FAR).regional(replace(priced, row=replace(ROW, prefill_ms=10.0)))
    assert placed is not None and [region.site_id for region in placed.regions] == ["far"]


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


def test_rows_stand_by_their_dollars_and_the_unknown_last() -> None:
    rows = [
        SimpleNamespace(cost_per_month=usd, gpus_peak=gpus)
        for usd, gpus in ((None, 1), (5.0, 2), (5.0, None), (4.0, 9))
    ]
    assert [cost_sort_key(row) for row in sorted(rows, key=cost_sort_key)] == [
        (4.0, 9),
        (5.0, 0),
        (5.0, 2),
        (inf, 1),
    ]  # type: ignore[arg-type]
