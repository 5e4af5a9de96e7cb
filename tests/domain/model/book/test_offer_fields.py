"""Fields of an offer: any allowed value, then the old one, gives the old offer; what cannot be is refused."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gpuplanner.domain.model.book.offer_fields import (
    LONGEST_TEXT,
    OFFER_FIELD_BY_NAME,
    OFFER_FIELDS,
    check_offer,
    parse_offer_value,
    with_value,
)
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import PricingCategory
from tests.domain.model.book.stated_offers import OFFER, YEAR, changed

FOLLOWED = ("pricing_category", "term_days")
"""Fields that another follows: the term."""
VALUES = {
    "text": st.text("abc =-1", min_size=1, max_size=9).filter(lambda text: text == text.strip()),
    "money": st.decimals(Decimal("0.01"), 1000, places=4),
    "integer": st.integers(1, 120),
    "flag": st.booleans(),
    "interconnect": st.sampled_from(("ethernet", "roce", "nvlink")),
    "date": st.dates().map(lambda day: day.isoformat()),
    "instant": st.sampled_from(("2026-10-01", "2026-10-01T11:30:00Z")),
}


@given(st.data())
def test_a_value_and_the_old_one_again_give_the_old_offer(data: st.DataObject) -> None:
    spec = data.draw(st.sampled_from([spec for spec in OFFER_FIELDS if spec.name not in FOLLOWED]))
    value = data.draw(
        st.floats(spec.low or 0, min(spec.high, 100)) if spec.kind == "number" else VALUES[spec.kind]
    )
    try:
        changed = with_value(OFFER, spec.name, value)
    except PlannerError as fault:
        assume(not str(fault.what).startswith("low / mid / high"))
        raise
    assert getattr(changed, spec.name) == value
    assert with_value(changed, spec.name, getattr(OFFER, spec.name)) == OFFER
    assert check_offer(OFFER) is OFFER


def test_what_a_planner_types_is_what_the_offer_gets() -> None:
    typed = {
        "rate_usd_per_gpu_hour": ("$2.80", Decimal("2.80")),
        "max_gpus": ("1,024", 1024),
        "lead_time_hours": ("36.5", 36.5),
        "bare_metal": ("Yes", True),
        "interconnect": ("RoCE 400", "roce_400"),
        "as_of": (" 2026-10-01 ", "2026-10-01"),
        "starts": ("2026-10-01T11:30Z", "2026-10-01T11:30Z"),
        "upfront_usd": ("1,500", Decimal("1500")),
        "provider": ("", None),
        "pricing_category": ("on demand", "STANDARD"),
        "term_months": ("0", 0),
    }
    for name, (text, value) in typed.items():
        assert parse_offer_value(name, text) == value


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("rate_usd_per_gpu_hour", Decimal("-1"), "is not allowed"),
        ("rate_usd_per_gpu_hour", Decimal("nan"), "is not allowed"),
        ("rate_usd_per_gpu_hour", Decimal("3.51"), "low / mid / high would be 2.00 / 3.51 / 3.50"),
        ("rate_low", Decimal("2.76"), "low / mid / high would be 2.76 / 2.75 / 3.50"),
        ("max_gpus", 0, "is not allowed"),
        ("max_gpus", 1.5, "is not allowed"),
        ("term_months", 0, "a commitment has no term"),
        ("gpu_model", None, "it is empty"),
        ("as_of", "2026-02-30", "is not allowed"),
        ("as_of", "1.10.2026", "is not allowed"),
        ("starts", "soon", "is not allowed"),
        ("unit_gpus", 0, "is not allowed"),
        ("interconnect", "string", "is not allowed"),
        ("pricing_category", "MIXED", "is not allowed"),
        ("source", "x" * 301, "too long"),
        ("nothing", 1, "no such field"),
    ],
)
def test_what_an_offer_cannot_be_is_refused_with_a_remedy(name: str, value: object, what: str) -> None:
    with pytest.raises(PlannerError) as fault:
        with_value(OFFER, name, value)  # type: ignore[arg-type]
    assert what in str(fault.value.what)
    assert fault.value.remedy
    if name != "nothing":
        assert fault.value.where.startswith("bm-12, ")


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("max_gpus", 0, "1 to 10,000,000"),
        ("rate_usd_per_gpu_hour", Decimal(-1), "0 to 10,000"),
        ("as_of", "soon", "2026-10-01"),
        ("starts", "soon", "T11:30:00Z"),
        ("pricing_category", "MIXED", "spot"),
    ],
)
def test_a_refused_value_is_told_what_may_be_entered(name: str, value: object, remedy: str) -> None:
    with pytest.raises(PlannerError) as fault:
        with_value(OFFER, name, value)  # type: ignore[arg-type]
    assert remedy in str(fault.value.remedy)


@pytest.mark.parametrize("text", ["2,75", "two", "1e9", "-1", "2.75 EUR"])
def test_a_number_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(PlannerError, match="not a number"):
        parse_offer_value("rate_usd_per_gpu_hour", text)


def test_a_rate_of_zero_is_a_quote_to_ask_for() -> None:
    assert with_value(OFFER, "rate_usd_per_gpu_hour", Decimal(0)).rate_usd_per_gpu_hour is None
    assert with_value(OFFER, "rate_low", Decimal("0.00")).rate_low is None


def test_only_a_commitment_has_a_term() -> None:
    on_demand = with_value(OFFER, "pricing_category", "STANDARD")
    assert on_demand.term_months == 0
    assert with_value(replace(on_demand, min_term_months=6), "pricing_category", "COMMITTED").term_months == 6
    with pytest.raises(PlannerError, match="no term"):
        with_value(on_demand, "term_months", 12)


def test_a_term_in_days_sets_its_months_and_the_other_way_round() -> None:
    days = with_value(OFFER, "term_days", 40)
    assert (days.term_days, days.term_months, days.term_hours) == (40, 2, 960.0)
    months = with_value(days, "term_months", 6)
    assert (months.term_days, months.term_months, months.term_hours) == (None, 6, 4380.0)
    assert with_value(days, "pricing_category", "STANDARD").term_days is None


@pytest.mark.parametrize(
    ("name", "value", "result"),
    [
        ("rate_usd_per_gpu_hour", Decimal(3), Decimal(3)),
        ("rate_usd_per_gpu_hour", Decimal(0), None),
        ("rate_usd_per_gpu_hour", Decimal(10_000), Decimal(10_000)),
        ("rate_usd_per_gpu_hour", Decimal(10_001), "usage"),
        ("rate_usd_per_gpu_hour", Decimal(-1), "usage"),
        ("rate_usd_per_gpu_hour", 3.0, "usage"),
        ("rate_usd_per_gpu_hour", Decimal("NaN"), "usage"),
        ("max_gpus", 1, 1),
        ("max_gpus", 0, "usage"),
        ("max_gpus", 1.5, "usage"),
        ("max_gpus", None, None),
        ("max_gpus", True, "usage"),
        ("sla_percent", 100, 100.0),
        ("sla_percent", 100.5, "usage"),
        ("lead_time_hours", None, "usage"),
        ("lead_time_hours", 5, 5.0),
        ("offer_id", "", "usage"),
        ("offer_id", "z", "z"),
        ("provider", "", None),
        ("provider", "x" * LONGEST_TEXT, "x" * LONGEST_TEXT),
        ("provider", "x" * (LONGEST_TEXT + 1), "usage"),
        ("provider", 5, "usage"),
        ("bare_metal", True, True),
        ("bare_metal", 1, "usage"),
        ("interconnect", "roce", "roce"),
        ("interconnect", "wifi", "usage"),
        ("as_of", "2026-02-28", "2026-02-28"),
        ("as_of", "2026-02-30", "usage"),
        ("as_of", "", None),
        ("valid_until", "2026-02-28T00:00:00Z", "2026-02-28"),
        ("valid_until", "soon", "usage"),
        ("valid_until", "", None),
        ("pricing_category", "MIXED", "usage"),
        ("pricing_category", None, "usage"),
        ("term_months", 0, "usage"),
        ("term_months", 120, 120),
        ("term_months", 121, "usage"),
        ("nothing", 1, "usage"),
        ("rate_low", Decimal("2.5"), Decimal("2.5")),
        ("rate_low", Decimal("2.6"), "usage"),
        ("rate_high", Decimal("2.5"), Decimal("2.5")),
        ("rate_high", Decimal("2.4"), "usage"),
    ],
)
def test_a_field_of_an_offer_has_a_value_of_its_kind(name: str, value: Any, result: Any) -> None:
    assert changed(YEAR, name, value) == result


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("rate_usd_per_gpu_hour", "$2.75", Decimal("2.75")),
        ("rate_usd_per_gpu_hour", " 1,234.5 ", Decimal("1234.5")),
        ("rate_usd_per_gpu_hour", "quote needed", None),
        ("rate_usd_per_gpu_hour", "x", "usage"),
        ("max_gpus", "64", 64),
        ("sla_percent", "99.95", 99.95),
        ("sla_percent", "99.0", 99),
        ("bare_metal", "Yes", True),
        ("bare_metal", "no", False),
        ("bare_metal", "perhaps", "perhaps"),
        ("pricing_category", "on demand", "STANDARD"),
        ("pricing_category", "committed", "COMMITTED"),
        ("interconnect", "RoCE 400", "roce_400"),
        ("provider", "  Ada  Metal ", "Ada Metal"),
        ("provider", "", None),
        ("as_of", "", None),
        ("max_gpus", "unknown", None),
    ],
)
def test_a_field_is_typed(name: str, text: str, value: Any) -> None:
    try:
        result: Any = parse_offer_value(name, text)
    except PlannerError as error:
        result = error.code
    assert result == value


def test_a_value_is_written_by_its_kind() -> None:
    words = {
        name: str(OFFER_FIELD_BY_NAME[name].value_words(value))
        for name, value in (
            ("rate_usd_per_gpu_hour", Decimal("2.75")), ("max_gpus", 8), ("provider", "Ada"), ("term_months", 12)
        )
    }  # fmt: skip
    assert words["rate_usd_per_gpu_hour"].startswith("$2.75") and words["max_gpus"].startswith("8 ")
    assert words["provider"] == "Ada" and words["term_months"].startswith("12 ")
    rate, flag = OFFER_FIELD_BY_NAME["rate_usd_per_gpu_hour"], OFFER_FIELD_BY_NAME["bare_metal"]
    assert rate.value_words(None) != OFFER_FIELD_BY_NAME["max_gpus"].value_words(None)
    assert flag.value_words(True) != flag.value_words(False)
    assert "CHF" in str(rate.value_words(Decimal(1), "CHF"))
    category = OFFER_FIELD_BY_NAME["pricing_category"]
    kinds = {
        kind: str(category.value_words(kind)) for kind in PricingCategory if kind is not PricingCategory.MIXED
    }
    assert len(set(kinds.values())) == 4 and kinds[PricingCategory.OWNED] == "owned"
    assert {
        str(OFFER_FIELD_BY_NAME[name].value_words(None)) for name in ("max_gpus", "bare_metal", "region")
    } == {"unknown"}
    assert str(OFFER_FIELD_BY_NAME["sla_percent"].value_words(99.123456789)).startswith("99.12345679 ")
