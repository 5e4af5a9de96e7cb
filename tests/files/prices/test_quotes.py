"""Quotes as vendors send them: what stands above and below their rows belongs to the offers, or is asked about."""

from pathlib import Path

import pytest

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.remark import undecided
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.tables.column_mapping import DIFFERS

QUOTE = """Corvid Cloud, Inc.,,,,,
Quotation C-17,,,Date:,2026-11-20,
Prepared for: Acme Robotics,,,Valid until:,2026-12-15,
,,,,,
Part number,Description,Nodes,GPUs per node,Term (months),Price per GPU-hour (USD)
CC-H100-12,"HGX H100 80GB node, InfiniBand",6,8,12,$2.20
CC-A100-12,"HGX A100 80GB node, RoCE",4,8,12,$1.15
CC-H100-OD,"H100 on demand, no commitment",6,8,On demand,$2.95
,Setup fee (one-time),,,,"$12,000.00"
Deposit of one month. Delivery 6 weeks ARO. Minimum order 4 nodes. Prices exclude sales tax.,,,,,
"""


def _read(folder: Path, text: str, words: str | None = None) -> PricesRead:
    path = folder / "quote.csv"
    path.write_text(text)
    return import_prices([str(path)], {str(path): DIFFERS + words} if words else None)


def _said(read: PricesRead) -> dict[str, str]:
    return {issue.code: str(issue.message) for issue in read.intake[0].issues}


def test_titles_and_remarks_are_terms_of_every_offer(tmp_path: Path) -> None:
    offers = _read(tmp_path, QUOTE).offers
    assert {
        (o.gpu_model, o.term_months, float(o.rate_usd_per_gpu_hour or 0), o.max_gpus) for o in offers
    } == {("H100", 12, 2.2, 48), ("A100 80GB", 12, 1.15, 32), ("H100", 0, 2.95, None)}
    (terms,) = {
        (o.provider, o.as_of, o.valid_until, o.lead_time_hours, o.min_gpus, undecided(o)) for o in offers
    }
    assert terms == ("Corvid Cloud, Inc.", "2026-11-20", "2026-12-15", 6 * 168, 32, None)


def test_a_fee_is_money_of_the_offers_and_what_no_field_holds_is_said(tmp_path: Path) -> None:
    read = _read(tmp_path, QUOTE)
    assert {(o.gpu_model, float(o.setup_usd or 0)) for o in read.offers} == {
        ("H100", 250),
        ("A100 80GB", 375),
    }
    said = _said(read)
    assert "“Setup fee (one-time) $12,000.00” / 48 GPUs = 250.00" in said["computed"]
    assert "Deposit of one month." in said["left_out"]
    assert "not_a_row" not in said


def test_what_titles_say_is_a_part_of_the_mapping(tmp_path: Path) -> None:
    path = tmp_path / "quote.csv"
    path.write_text(QUOTE)
    (file,) = check_file(str(path))
    facts: dict[str, object] = dict(file.facts)
    assert '"provider==Corvid Cloud, Inc."' in str(facts["mapping"])
    assert "valid_until==2026-12-15" in str(facts["mapping"])
    again = _read(tmp_path, QUOTE, "provider==Vela,gpu_model=Part number")
    assert {o.provider for o in again.offers} == {"Vela"}
    assert {o.gpu_model for o in again.offers} == {"H100", "A100"}


ROW = "GPU,GPUs,Term (months),Price per GPU-hour\nH100 SXM,64,12,2.2\n"


@pytest.mark.parametrize(
    ("above", "below", "field", "value"),
    [
        ("Angebot 7\nGültig bis: 15.12.2026\n", "", "valid_until", "2026-12-15"),
        ("Devis 7\nValable jusqu'au 15/12/2026\n", "", "valid_until", "2026-12-15"),
        ("Quote 7\nOffer valid through Dec 15, 2026\n", "", "valid_until", "2026-12-15"),
        ("Quote 7\nQuote date: 1 Dec 2026\nValid for 30 days\n", "", "valid_until", "2026-12-31"),
        ('Quote 7\n"Corvid Cloud, Inc."\n', "", "provider", "Corvid Cloud, Inc."),
        ("Quote 7\nSeller: Granite Systems\n", "", "provider", "Granite Systems"),
        ("Quote 7\nTo: Acme Inc.\nVela GmbH\n", "", "provider", "Vela GmbH"),
        ("Vela Ltd — Quotation 7 — 12 Nov 2026\n", "", "as_of", "2026-11-12"),
        ("Quote 7\nCurrency: EUR\n", "", "currency", "EUR"),
        ("", "Lead time 8-10 weeks,,,\n", "lead_time_hours", 1680),
        ("", "Lieferzeit: 10 Wochen,,,\n", "lead_time_hours", 1680),
        ("", "Delivery within 30 business days.,,,\n", "lead_time_hours", 1008),
        ("", "MOQ: 32 GPUs,,,\n", "min_gpus", 32),
        ("", "Mindestabnahme 2 Knoten,,,\n", "min_gpus", 16),
        ("", "NRC: $350 per GPU,,,\n", "setup_usd", 350),
        ("", "Setup fee per node,,,$800\n", "setup_usd", 100),
        ("", "Installation (one time),1,,6400\n", "setup_usd", 100),
        ("", "Managed support fee (monthly),,,6400\n", "setup_usd", None),
        ("", "Setup fee,,,waived\n", "setup_usd", None),
    ],
)
def test_a_term_is_read_wherever_and_however_it_stands(
    tmp_path: Path, above: str, below: str, field: str, value: object
) -> None:
    (offer,) = _read(tmp_path, above + ROW + below).offers
    assert getattr(offer, field) == value


def test_a_day_that_may_be_two_is_asked_about(tmp_path: Path) -> None:
    read = _read(tmp_path, "Quote 7\nValid until: 11/12/2026\n" + ROW)
    assert read.offers[0].valid_until is None
    assert "Valid until: 11/12/2026" in _said(read)["undecided"]


@pytest.mark.parametrize(
    ("heading", "cell", "usd"),
    [
        *(("NRC ($)", "6400", 100), ("Setup ($/node)", "800", 100), ("One-time fee", "$50 per GPU", 50)),
        *(("Setup fee per order", "6400", 100), ("Setup fee (whole order)", "6400", 100)),
    ],
)
def test_a_column_of_fees_is_divided_by_what_it_is_for(
    tmp_path: Path, heading: str, cell: str, usd: float
) -> None:
    text = f"GPU,GPUs,Term (months),Price per GPU-hour,{heading}\nH100 SXM,64,12,2.2,{cell}\n"
    assert _read(tmp_path, text).offers[0].setup_usd == usd


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("Model,Nodes,Term (months),Price per GPU-hour (USD)\nH100,6,12,2.2\n", 8),
        ("Item,Term (months),Price per node-hour (USD)\n4x A100 80GB node,12,4.8\n", 4),
        ("Model,Term (months),Minimum order,Price per GPU-hour\nH100,12,2 nodes,2.2\n", 8),
        ("Model,Max GPUs,Term (months),Price per GPU-hour (USD)\nH100,64,12,2.2\n", None),
    ],
)
def test_what_is_quoted_in_nodes_is_sold_in_whole_nodes(tmp_path: Path, text: str, unit: int | None) -> None:
    (offer,) = _read(tmp_path, f"Quote 7\n{text}").offers
    assert offer.unit_gpus == unit


def test_a_fee_of_the_order_is_not_of_the_gpus_in_the_name_of_a_node(tmp_path: Path) -> None:
    """Nobody says how many nodes are offered: the fee stays open and is not $800 a GPU."""
    text = "Quote 7\nItem,Term (months),Price per node-hour (USD)\n8x H100 node,12,17.6\nSetup fee,,6400\n"
    (offer,) = _read(tmp_path, text).offers
    assert (offer.rate, offer.setup_usd) == (2.2, None) and "fee" in str(undecided(offer))


@pytest.mark.parametrize(
    "row",
    [
        *("HGX H100 8-GPU server,6,server,12848", "8x H100 node,6,node,12848", "H100 SXM node,6,node,12848"),
        *("DGX H100,6,ea,12848", "H100 8-way,6,ea,12848", "p5.48xlarge,6,ea,12848", "H100 Knoten,6,St,12848"),
    ],
)
def test_a_count_of_servers_is_none_of_gpus(tmp_path: Path, row: str) -> None:
    text = f"Quote 7\nDescription,Qty,Unit,Unit price (USD per month),Term\n{row},12 months\n"
    (offer,) = _read(tmp_path, text).offers
    assert (offer.rate, offer.max_gpus) == (2.2, 48)


@pytest.mark.parametrize(
    ("text", "models"),
    [
        ('"H100 on demand, no commitment",2.95', ["H100"]),
        ('"H200 SXM5 141GB reserved, InfiniBand",2.95', ["H200 SXM"]),
        ("Managed Kubernetes support,0.1\nL40S,0.9", ["L40S"]),
        ("XK-7781-12,0.1\nL40S,0.9", ["L40S"]),
    ],
)
def test_a_model_is_a_known_name_in_a_text_and_never_the_rest(
    tmp_path: Path, text: str, models: list[str]
) -> None:
    read = _read(tmp_path, f"Description,Price per GPU-hour (USD)\n{text}\n")
    assert [offer.gpu_model for offer in read.offers] == models
    file = read.intake[0]
    assert file.rows_read == file.rows_accepted + file.rows_ignored


def _rates(offers: tuple[Offer, ...]) -> dict[str, float | None]:
    return {offer.offer_id: offer.rate for offer in offers}


@pytest.mark.parametrize("note", ["Note,as of Nov 2026,as of Oct 2026", "Legend,3 years reserved,see tier 2"])
def test_a_row_of_words_is_no_offer(tmp_path: Path, note: str) -> None:
    read = _read(tmp_path, f"GPU model,Price per hour ($),Spot ($/h)\nH100,2.2,1.1\nA100,1.2,0.6\n{note}\n")
    assert {offer.gpu_model for offer in read.offers} == {"H100", "A100"}
    assert read.intake[0].rows_ignored == 1


@pytest.mark.parametrize("at", [1, 3])
def test_an_explanation_leaves_a_list_what_it_is(tmp_path: Path, at: int) -> None:
    rows = ["gpu,AWS", "H100,3.9", "A100,1.9"]
    rows.insert(at, "COLUMN GUIDE,on demand per hour")
    read = _read(tmp_path, "\n".join(rows) + "\n")
    assert _rates(read.offers) == {"AWS H100, on demand": 3.9, "AWS A100, on demand": 1.9}


def test_the_statistics_of_a_market_are_no_price_of_its_cheapest_seller(tmp_path: Path) -> None:
    heading = "gpu,min,median,max,best_deal.provider,best_deal.price\n"
    (offer,) = _read(tmp_path, f"{heading}H100,1.8,2.5,4,vela,1.9\n").offers
    assert (offer.provider, offer.rate, offer.rate_high) == ("vela", 1.9, None)
    refused = _read(tmp_path, "gpu,min,median,max,cheapest provider\nH100,1.8,2.5,4,vela\n")
    assert not refused.offers and refused.refused


@pytest.mark.parametrize(
    ("price", "currency", "is_asked"),
    [("34.7", "XXX", True), ("¥34.7", "CNY", False), ("34.7元", "CNY", False), ("$4.7", "USD", False)],
)
def test_a_chinese_list_without_a_currency_is_asked_about(
    tmp_path: Path, price: str, currency: str, is_asked: bool
) -> None:
    text = f"region,gpu,price per hour\ncn-beijing,A100,{price}\n华东2,A100,{price}\n"
    read = _read(tmp_path, text)
    assert {offer.currency for offer in read.offers} == {currency}
    assert ("undecided" in _said(read)) is is_asked
    told = _read(tmp_path, text, "currency==CNY")
    assert {offer.currency for offer in told.offers} == {"CNY"} and "undecided" not in _said(told)


def test_a_list_of_machines_without_a_model_is_read_by_their_types(tmp_path: Path) -> None:
    text = "provider,instance type,count,price per hour\nAWS,p5.48xlarge,8,98.32\nAWS,m5.large,0,0.1\n"
    (offer,) = _read(tmp_path, text).offers
    assert (offer.gpu_model, offer.rate) == ("H100", 12.29)


LESS = """Vendor: NorthPeak Compute Inc
Quotation Q-88,Date: 2026-11-02
{heads},Term,Billing
H100,64,3.00,{cells},36 months,upfront
"""


@pytest.mark.parametrize(
    ("heads", "cells", "rate"),
    [
        ("GPU,Qty GPUs,List price ($/GPU-hr),Discount %", "30%", "2.1"),
        ("GPU,Qty GPUs,Price per GPU-hour,Volume discount", "0.3", "2.1"),
        ("GPU,Qty GPUs,Listenpreis ($/GPU-h),Rabatt (%)", "30", "2.1"),
        ("GPU,Qty GPUs,List price ($/GPU-hr),Discount ($)", "0.30", "3"),
        ("GPU,Qty GPUs,List price ($/GPU-hr),Discount %,Net price ($/GPU-hr)", "30%,2.10", "2.1"),
    ],
)
def test_a_discount_is_taken_off_a_list_price_alone(
    tmp_path: Path, heads: str, cells: str, rate: str
) -> None:
    path = tmp_path / "quote.csv"
    path.write_text(LESS.format(heads=heads, cells=cells))
    read = import_prices([str(path)])
    (offer,) = read.offers
    assert float(offer.rate_usd_per_gpu_hour or 0) == float(rate)
    assert offer.term_months == (36 if rate == "2.1" else 0)
    asked = " ".join(str(issue.message) for issue in read.intake[0].issues)
    assert "upfront" in (offer.source or "")
    assert ("Discount ($)" in asked) == ("Discount ($)" in heads)


@pytest.mark.parametrize(
    ("item", "heading", "rate", "asks"),
    [
        ("HGX H100", "Price per hour", "2.15", True),
        ("H100 x8", "Hourly price", "2.15", True),
        ("HGX H100", "Price per GPU-hour", "17.2", False),
        ("H100 SXM", "Price per hour", "17.2", False),
    ],
)
def test_what_is_sold_as_a_machine_asks_what_its_price_is_of(
    tmp_path: Path, item: str, heading: str, rate: str, *, asks: bool
) -> None:
    path = tmp_path / "quote.csv"
    path.write_text(f"Quotation from: Nebula Systems\nItem,Term,{heading}\n{item},36 months,17.20\n")
    read = import_prices([str(path)])
    assert [str(float(offer.rate_usd_per_gpu_hour or 0)) for offer in read.offers] == [rate]
    said = " ".join(str(issue.message) for issue in read.intake[0].issues if issue.code == "undecided")
    assert ("17.20 may be per GPU or for all 8: read as 8" in said) == asks


def test_a_price_of_a_row_s_own_term_is_not_on_demand_too(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(
        "Provider,GPU,On-demand ($/h),Monthly ($),Commitment\n"
        "X,H100,2.99,2182.70,On-demand\nX,H100,2.10,1533.00,12 months\n"
    )
    offers = import_prices([str(path)]).offers
    assert [(float(one.rate_usd_per_gpu_hour or 0), one.term_months) for one in offers] == [
        (2.99, 0),
        (2.1, 12),
    ]
