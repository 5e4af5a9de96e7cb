"""Who may serve a workload, and GPU models that are mapped to others."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.model.book.only import (
    ANYBODY,
    ModelMapping,
    Only,
    Sellers,
    at_ratio,
    both_of,
    check_mapping,
    check_only,
    countries_of,
    gpu_model_of,
    limited_name,
    may_serve,
    named_words,
    only_of,
    paid_gpus,
    ratio_between,
    ratio_for,
    ratios_of,
    seller_of,
    sellers_of,
    where_words,
    who_meant,
    who_words,
    whole_gpus,
)
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import contract, offer
from tests.domain.model.refusals import result_of

ADA, BARE = offer("y", 12, 2.0, provider=" Ada ", region="eu"), offer("b", 12, 2.0)
MAPPINGS = (
    ModelMapping("A100", "H100", 2.0),
    ModelMapping("A100", "H100", 3.0, Pool.TRAINING),
    ModelMapping("L4", "H100", 8.0, Pool.BURST),
    ModelMapping("T4", "L4", 2.0, Pool.BURST),
    ModelMapping("T4", "L4", 3.0, Pool.TRAINING),
)


# --- Who may serve


@pytest.mark.parametrize(
    ("only", "row", "is_allowed"),
    [
        (ANYBODY, BARE, True),
        (Only("ada"), ADA, True),
        (Only("ada"), BARE, False),
        (Only("bo"), ADA, False),
        (Only(region="EU"), ADA, True),
        (Only("ada", "us"), ADA, False),
        (Only(not_provider="ADA"), ADA, False),
        (Only(not_provider="bo"), ADA, True),
        (Only(not_provider="ada"), BARE, True),
        (Only(country="DE"), replace(BARE, country="DE"), True),
        (Only(country="DE;FR"), replace(BARE, country="FR"), True),
        (Only(country="DE"), replace(BARE, country="DE;FR"), False),  # it may run in either
        (Only(country="DE"), BARE, False),
    ],
)
def test_who_may_serve_matches_without_case(only: Only, row: Any, *, is_allowed: bool) -> None:
    assert only.allows(row) is is_allowed


def test_limits_are_written_and_read_back() -> None:
    limits = (
        Only("Ada"), Only("Ada", "eu"), Only(region="eu"), Only(not_provider="Ada"), Only(country="DE;FR"),
        Only(region="eu", not_provider="Ada", country="DE"), Only("Ada", country="DE"), ANYBODY,
    )  # fmt: skip
    for only in limits:
        name = limited_name("H100", only)
        assert (gpu_model_of(name), only_of(name)) == ("H100", only)
        unknown = limited_name(None, only)
        assert gpu_model_of(unknown) is None and only_of(unknown) == only
    assert [str(only) for only in limits[:4]] == ["Ada", "Ada [eu]", "[eu]", "not Ada"]
    assert only_of(None) == only_of("H100") == ANYBODY
    assert len({str(who_words(only)) for only in limits}) == len(limits)
    assert (
        str(named_words(Only("Ada"))) == "Ada"
        and where_words(Only(region="eu", country="DE;FR")) == "eu, DE, FR"
    )
    assert str(named_words(Only(country="DE"))) == "DE" and "eu" in str(named_words(Only(region="eu")))
    assert str(named_words(Only(region="eu"))) != "eu"


def test_both_limits_hold_and_of_two_providers_the_later() -> None:
    assert both_of(Only("a", "eu"), Only(not_provider="b")) == Only("", "eu", "b")
    assert both_of(Only("a", "eu"), Only(region="us", country="DE")) == Only("a", "us", "", "DE")
    assert both_of(Only(country="FR"), Only("b")) == Only("b", country="FR")
    assert who_meant("not:provider:Ada") == Only(not_provider="Ada") and who_meant("provider: ") is None
    assert who_meant("country:FR; DE;FR") == Only(country="DE;FR")


@pytest.mark.parametrize(
    ("only", "is_right"),
    [
        (Only("Ada"), True),
        (Only(" Ada"), False),
        (Only("A[b"), False),
        (Only(region="a @ b"), False),
        (Only("not Ada"), False),
        (Only("Ada", not_provider="Bo"), False),
        (Only(country="{DE}"), False),
        (Only("Ada", "eu", country="DE"), True),
    ],
)
def test_a_limit_has_names_that_can_be_told_apart(only: Only, *, is_right: bool) -> None:
    assert (result_of(check_only, "key", only) is only) is is_right


def test_sellers_are_what_offers_and_contracts_name() -> None:
    held = contract("k", 1, 1.0, None, 10, provider="Bo", region="us", country="FR")
    both = sellers_of((ADA, BARE), (held,))
    assert both.providers == ("Ada", "Bo") and both.regions == ("eu", "us") and len(both.countries) == 1
    assert both.spelled(Only(" ADA", "EU", country="FR;DE")) == Only("Ada", "eu", country="DE;FR")
    assert both.spelled(Only("Eve")) == Only("Eve")
    known = Sellers(("Ada Metal", "Bo"), ("eu",))
    for only, problems, near in (
        (Only("ada metal"), 0, ""),
        (Only("ada"), 1, "Ada Metal"),
        (Only(not_provider="xyz", region="mars"), 2, ""),
        (ANYBODY, 0, ""),
    ):
        texts = [str(text) for text in known.unknown(only)]
        assert len(texts) == problems and near in " ".join(texts)
    assert seller_of("y", "H100", {"y": ADA}) is ADA
    assert seller_of("z", "H100 @ Bo", {"y": ADA}) == Only("Bo")
    assert countries_of(BARE) == frozenset()


# --- Mapped models


@pytest.mark.parametrize(
    ("model", "other", "pool", "ratio"),
    [
        ("A100", "H100", None, 2.0),
        ("A100", "H100", Pool.TRAINING, 3.0),
        ("A100", "H100", Pool.BURST, 2.0),
        ("A100 @ Ada", "H100", Pool.TRAINING, 3.0),
        ("H100", "A100", None, None),
        ("L4", "H100", None, None),
        ("L4", "H100", Pool.BURST, 8.0),
        ("H100", "H100", None, 1.0),
        (None, "H100", None, 1.0),
        (None, "H100 MIG 1g.10gb", None, None),
    ],
)
def test_a_ratio_is_that_of_the_pool_else_of_all(
    model: str | None, other: str, pool: Pool | None, ratio: float | None
) -> None:
    assert ratio_for(MAPPINGS, model, other, pool) == ratio


def test_a_ratio_between_two_models_is_read_both_ways() -> None:
    assert ratio_between(MAPPINGS, "A100", "H100") == 2.0 and ratio_between(MAPPINGS, "H100", "A100") == 0.5
    assert ratio_between(MAPPINGS, "L4", "H100") == 8.0 and ratio_between(MAPPINGS, "H100", "L4") == 0.125
    assert ratio_between(MAPPINGS, "T4", "L4") is None and ratio_between(MAPPINGS, "T4", "H100") is None
    assert may_serve(MAPPINGS, "L4", "H100") and not may_serve(MAPPINGS, "H100", "L4")


def test_offers_of_other_models_are_worth_their_ratio() -> None:
    h100, a100, l4 = (offer(name, 0, 4.0, gpu_model=name.upper()) for name in ("h100", "a100", "l4"))
    offers = (h100, a100, l4)
    assert ratios_of(offers, "A100", MAPPINGS, Pool.TRAINING) == {"h100": 3.0}
    assert ratios_of(offers, "L4 @ Ada", MAPPINGS, Pool.BURST) == {"h100": 8.0}
    assert ratios_of(offers, None, MAPPINGS, Pool.BURST) == ratios_of(offers, "A100", (), Pool.BURST) == {}
    dear = replace(h100, upfront_usd=Decimal(10))
    assert at_ratio(dear, 1) is dear
    mapped = at_ratio(dear, 2.0)
    assert (mapped.rate_usd_per_gpu_hour, mapped.upfront_usd) == (Decimal(2), Decimal(5))
    assert at_ratio(h100, 2.0).upfront_usd is None
    unpriced = replace(h100, rate_usd_per_gpu_hour=None)
    assert at_ratio(unpriced, 2.0) is unpriced


@pytest.mark.parametrize(
    ("gpus", "ratio", "unit", "whole", "paid"),
    [
        (10.0, 1.6, 1, 7.0, 11.2),
        (10.0, 1.6, 4, 8.0, 12.8),
        (8.0, 1.6, 1, 5.0, 8.0),
        (3.0, 0.5, 1, 6.0, 3.0),
        (3.0, 0.5, 4, 8.0, 4.0),
    ],
)
def test_whole_units_do_the_work(gpus: float, ratio: float, unit: int, whole: float, paid: float) -> None:
    assert whole_gpus(gpus, ratio, unit) == whole
    assert paid_gpus(gpus, ratio, unit) == pytest.approx(paid)
    assert paid_gpus(2.5, None, None) == 2.5 and paid_gpus(2.5, None, 2) == 4.0 and paid_gpus(2.5, 2.0) == 4.0


@pytest.mark.parametrize(
    ("mapping", "is_right"),
    [
        (ModelMapping("A", "B", 1.5), True),
        (ModelMapping("A", "B", 0.01), True),
        (ModelMapping("A", "B", 100.0), True),
        (ModelMapping("A", "B", 0.009), False),
        (ModelMapping("A", "B", 101.0), False),
        (ModelMapping("A", "B", True), False),
        (ModelMapping("A", "a", 1.5), False),
        (ModelMapping("", "B", 1.5), False),
        (ModelMapping("A", "", 1.5), False),
    ],
)
def test_a_mapping_is_of_two_models_and_a_ratio(mapping: ModelMapping, *, is_right: bool) -> None:
    assert (result_of(check_mapping, mapping) is mapping) is is_right


def sorted_keys(mappings: Sequence[ModelMapping]) -> list[tuple[str, str, str]]:
    return sorted(mapping.key for mapping in mappings)


def test_mappings_are_in_order_of_models_and_pool() -> None:
    assert sorted_keys(MAPPINGS[:2]) == [("A100", "H100", ""), ("A100", "H100", "training")]
