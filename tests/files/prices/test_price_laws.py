"""What is no rate: statistics, savings, reports, prices of cards; and places in headings. Values by hand."""

from decimal import Decimal
from pathlib import Path

import pytest

from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.tables.column_mapping import DIFFERS


def _read(folder: Path, text: str, words: str | None = None) -> PricesRead:
    path = folder / ("list.json" if text[:1] in "[{" else "list.csv")
    path.write_text(text)
    return import_prices([str(path)], {str(path): DIFFERS + words} if words else None)


def _rates(read: PricesRead) -> dict[str, float | None]:
    return {offer.offer_id: offer.rate for offer in read.offers}


@pytest.mark.parametrize("other", ["dispersion", "score", "rank", "count", "volatility", "spread", "zz"])
def test_beside_a_model_only_its_price_is_one(tmp_path: Path, other: str) -> None:
    text = f"date,H100_median,H100_{other},A100_median,A100_{other}\n2026-06-19,2.1,1.3,1.2,1.1\n"
    assert _rates(_read(tmp_path, text)) == {"H100, on demand": 2.1, "A100, on demand": 1.2}
    text = f"date,H100_{other},H100,A100_{other},A100\n2026-06-19,1.3,2.1,1.1,1.2\n"
    assert _rates(_read(tmp_path, text)) == {"H100, on demand": 2.1, "A100, on demand": 1.2}


@pytest.mark.parametrize(
    ("east", "west", "places"),
    [
        ("Price_US_East1", "Price_US_West2", {"US East1", "US West2"}),
        ("us-east-1", "eu-west-1", {"us east 1", "eu west 1"}),
        ("$/GPU-h Frankfurt", "$/GPU-h Oslo", {"Frankfurt", "Oslo"}),
        ("Europe ($/h)", "Asia ($/h)", {"Europe", "Asia"}),
    ],
)
def test_regions_in_columns_are_offers_of_their_own(
    tmp_path: Path, east: str, west: str, places: set[str]
) -> None:
    read = _read(tmp_path, f"Provider,GPU,{east},{west}\nA,H100,2.50,1.90\nB,H100,2.40,\n")
    assert sorted((offer.provider, offer.rate) for offer in read.offers) == [
        ("A", 1.9),
        ("A", 2.5),
        ("B", 2.4),
    ]
    assert {offer.region for offer in read.offers} == places


def test_terms_and_regions_side_by_side(tmp_path: Path) -> None:
    text = "GPU,Frankfurt 12 months ($/GPU-h),Frankfurt 36 months ($/GPU-h),Oslo 12 months ($/GPU-h)\nH100,2.5,2,2.2\n"
    read = _read(tmp_path, text)
    assert {(offer.region, offer.term_months, offer.rate) for offer in read.offers} == {
        ("Frankfurt", 12, 2.5),
        ("Frankfurt", 36, 2.0),
        ("Oslo", 12, 2.2),
    }


@pytest.mark.parametrize(
    "heading",
    [
        "Estimated monthly savings",
        "Reserved Hours",
        "On-demand hours",
        "Coverage %",
        "Annual spend (USD)",
        "Price per 1M tokens",
        "input_price_per_1m",
        "Cost per million requests",
        "Utilization rate",
        "interruption_rate_pct",
        "Eviction rate",
        "Price change %",
        "Used price",
        "Retail price (USD)",
        "MSRP",
    ],
)
def test_the_unit_of_a_heading_binds(tmp_path: Path, heading: str) -> None:
    assert not _read(tmp_path, f"Provider,GPU,{heading}\nA,H100,2.1\nB,A100,1.2\n").offers
    read = _read(tmp_path, f"Provider,GPU,{heading},USD per GPU-hour\nA,H100,7,2.1\nB,A100,8,1.2\n")
    assert {offer.rate for offer in read.offers} == {2.1, 1.2}


@pytest.mark.parametrize(
    "heading",
    [
        "Savings plan 1 yr ($/GPU-h)",
        "Price after discount",
        "Price incl. 19% VAT",
        "On demand ($/GPU-hour)",
        "Hourly rate",
    ],
)
def test_rates_with_such_words_stay_rates(tmp_path: Path, heading: str) -> None:
    assert {offer.rate for offer in _read(tmp_path, f"Provider,GPU,{heading}\nA,H100,2.1\n").offers} == {2.1}


REPORTS = {
    "coverage": (
        '{"Groups": [{"instanceType": "p5.48xlarge", "Coverage": {"OnDemandHours": 7, "TotalRunningHours": 9}}]}'
    ),
    "recommendations": (
        "instance type,recommended count,lookback period,recurring monthly cost\np5.48xlarge,3,30,44475\n"
    ),
    "alerts": "provider,gpu,price_per_hour,severity,recommendation\nA,H100,0.9,high,check\nB,A100,1.3,low,ignore\n",
    "forecast": "gpu,price_per_hour,forecast,anomaly\nH100,2.1,2.2,no\nA100,1.1,1.2,yes\n",
}


@pytest.mark.parametrize("text", REPORTS.values(), ids=REPORTS)
def test_reports_about_prices_are_refused_by_name(tmp_path: Path, text: str) -> None:
    read = _read(tmp_path, text)
    assert not read.offers
    assert "not a price list" in str(read.refused[0])


CARDS = "gpu_model,price_usd\nRTX 5090,3799.99\nRX 7900 XTX,1219.99\nH100,29000\n"


def test_prices_of_cards_are_asked_and_read_as_owned(tmp_path: Path) -> None:
    (fault,) = _read(tmp_path, CARDS).refused
    assert (fault.code, "capex_usd_per_gpu=price_usd" in str(fault)) == ("odd_rate", True)
    owned = _read(tmp_path, CARDS, "capex_usd_per_gpu=price_usd,life_months==60").offers
    assert {offer.pricing_category for offer in owned} == {PricingCategory.OWNED}
    assert {offer.capex_usd_per_gpu for offer in owned} == {
        Decimal("3799.99"),
        Decimal("1219.99"),
        Decimal(29000),
    }


@pytest.mark.parametrize("factor", [730, 24, 0.01])
def test_most_rates_far_from_the_market_are_a_question_and_a_stated_unit_answers(
    tmp_path: Path, factor: float
) -> None:
    rows = "".join(
        f"P{at},{gpu},{rate * factor:g}\n" for at, (gpu, rate) in enumerate((("H100", 2.5), ("A100", 1.3)))
    )
    text = f"Provider,GPU,Price\n{rows}"
    assert _read(tmp_path, text).refused[0].code == "odd_rate"
    assert len(_read(tmp_path, text, "rate_usd_per_gpu_hour=Price:gpu_hour").offers) == 2


def test_a_single_odd_rate_among_others_is_told_as_before(tmp_path: Path) -> None:
    rows = "".join(f"P{at},H100,{2 + at / 10:g}\n" for at in range(5))
    read = _read(tmp_path, f"Provider,GPU,USD per GPU-hour\n{rows}Q,H100,90\n")
    assert len(read.offers) == 6
    assert {issue.code: issue.count for issue in read.intake[0].issues}["odd_rate"] == 1
