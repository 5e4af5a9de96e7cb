"""The price book as a file: reading what was written gives the same offers, whatever is in them."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.book.offer import Offer, months_of_days, owned_at
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.hardware_needs import INTERCONNECTS
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import iso_day
from gpuplanner.files.export.price_file import prices_text, write_price_file
from gpuplanner.files.importing.import_tables import import_prices
from tests.some_of import examples

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs", "Cf", "Co", "Cn"))
    | st.sampled_from(' ,;|"=+-@'),
    min_size=1,
    max_size=20,
).filter(lambda text: text == text.strip() and bool(text))
MONEY = st.decimals(Decimal("0.000001"), 10_000, places=6, allow_nan=False)
SHORT_MONEY = st.decimals(Decimal("0.01"), 99, places=3, allow_nan=False)
FLOATS = st.integers(0, 10**9).map(lambda number: number / 10**5)  # hours and GB as people give them


@st.composite
def an_offer(draw: st.DrawFn) -> Offer:
    category = draw(
        st.sampled_from((PricingCategory.STANDARD, PricingCategory.COMMITTED, PricingCategory.DYNAMIC))
    )
    maybe = st.none()
    is_commitment = category is PricingCategory.COMMITTED
    days = draw(maybe | st.integers(1, 700)) if is_commitment else None
    instant = maybe | st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)).map(
        lambda at: iso_day(int(at.replace(tzinfo=UTC).timestamp()))
    )
    return Offer(
        offer_id=draw(NAMES),
        gpu_model=draw(st.sampled_from(("H100", "A100", "MI300X"))),
        pricing_category=category,
        term_months=months_of_days(days) if days else draw(st.integers(1, 60)) if is_commitment else 0,
        rate_usd_per_gpu_hour=draw(maybe | MONEY | SHORT_MONEY),
        provider=draw(maybe | NAMES),
        rate_low=draw(maybe | MONEY | SHORT_MONEY),
        rate_high=draw(maybe | MONEY),
        max_gpus=draw(maybe | st.integers(1, 10_000)),
        lead_time_hours=draw(FLOATS),
        min_term_months=draw(st.integers(0, 36)),
        gpu_memory_gb=draw(maybe | FLOATS),
        bare_metal=draw(maybe | st.booleans()),
        interconnect=draw(maybe | st.sampled_from(INTERCONNECTS)),
        egress_usd_per_gb=draw(maybe | SHORT_MONEY),
        region=draw(maybe | NAMES),
        source=draw(maybe | NAMES),
        as_of=draw(maybe | st.dates().map(lambda day: day.isoformat())),
        min_gpus=draw(maybe | st.integers(1, 512)),
        unit_gpus=draw(maybe | st.sampled_from((2, 4, 8))),
        max_gpus_per_order=draw(maybe | st.integers(1, 512)),
        upfront_usd=draw(maybe | SHORT_MONEY),
        sla_percent=draw(maybe | st.sampled_from((99.0, 99.9, 99.95))),
        term_days=days,
        starts=draw(instant),
        ends=draw(instant),
        valid_until=draw(instant),
    )


@pytest.mark.long
@given(st.lists(an_offer(), min_size=1, max_size=6, unique_by=lambda offer: offer.offer_id))
@settings(max_examples=examples(10), deadline=None)
def test_reading_what_was_written_gives_the_same_offers(
    tmp_path_factory: pytest.TempPathFactory, offers: list[Offer]
) -> None:
    path = tmp_path_factory.mktemp("prices") / "prices.csv"
    write_price_file(offers, path)
    read = import_prices([str(path)])
    assert read.offers == tuple(sorted(offers, key=lambda offer: offer.offer_id))
    assert [file.rows_rejected for file in read.intake] == [0]


@given(
    st.builds(
        Offer,
        offer_id=st.just("own"),
        gpu_model=st.just("H100"),
        pricing_category=st.just(PricingCategory.OWNED),
        term_months=st.just(0),
        rate_usd_per_gpu_hour=st.none() | MONEY,  # worked out: it is not read
        capex_usd_per_gpu=st.none() | MONEY,
        life_months=st.none() | st.integers(1, 120),
        residual_share=st.none() | st.integers(0, 100).map(lambda percent: percent / 100),
        kw_per_gpu=st.none() | SHORT_MONEY.map(float),
        pue=st.none() | st.integers(100, 300).map(lambda percent: percent / 100),
        usd_per_kwh=st.none() | SHORT_MONEY,
        space_usd_per_kw_month=st.none() | MONEY,
        staff_usd_per_gpu_month=st.none() | MONEY,
    )
)
@settings(max_examples=examples(10), deadline=None)
def test_owned_gpus_come_back_at_the_same_rate(
    tmp_path_factory: pytest.TempPathFactory, offer: Offer
) -> None:
    path = tmp_path_factory.mktemp("prices") / "prices.csv"
    write_price_file([offer], path)
    read = import_prices([str(path)])
    assert owned_at(read.offers, 0.1, 1.3) == owned_at((offer,), 0.1, 1.3)
    (codes,) = [{issue.code for issue in file.issues} for file in read.intake]
    is_known = offer.capex_usd_per_gpu is not None and offer.life_months is not None
    assert ("quote_needed" in codes) is not is_known


def test_no_cell_begins_a_formula() -> None:
    offer = Offer(
        offer_id="=1+1",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=None,
        provider="@sum",
        source="'=kept",
    )
    (line,) = prices_text([offer]).splitlines()[1:]
    assert not any(cell.startswith(tuple("=+-@")) for cell in line.split(","))


def test_the_shipped_offers_come_back(tmp_path: Path) -> None:
    shipped = import_prices(["builtin"]).offers
    write_price_file(shipped, tmp_path / "prices.csv")
    assert import_prices([str(tmp_path / "prices.csv")]).offers == shipped


def test_an_upfront_payment_without_a_term_is_spread_over_nothing(tmp_path: Path) -> None:
    offer = Offer(
        offer_id="o",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal(3),
        upfront_usd=Decimal(100),
    )
    assert offer.spread_rate == 3
    write_price_file([offer], tmp_path / "prices.csv")
    assert import_prices([str(tmp_path / "prices.csv")]).offers == (offer,)


def test_a_model_is_written_as_its_list_wrote_it() -> None:
    offer = Offer(
        offer_id="o",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=None,
        gpu_model_written="NVIDIA H100 80GB HBM3",
    )
    assert "o,,NVIDIA H100 80GB HBM3,STANDARD" in prices_text([offer])


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(PlannerError) as fault:
        write_price_file([], tmp_path / "nowhere" / "prices.csv")
    assert fault.value.code == "file_unreadable"
    assert "choose another folder" in str(fault.value.remedy)
    assert not list(tmp_path.iterdir())
