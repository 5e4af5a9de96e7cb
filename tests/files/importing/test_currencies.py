"""Money in another currency is kept as it is quoted, never taken for dollars: by a column, a heading or a cell."""

from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.importing.import_tables import import_contracts, import_prices
from tests.files.job_logs.row_ends import codes

DOLLARS = ["", "USD", "usd", "US$", "$"]
OTHERS = {"EUR": "EUR", "€": "EUR", "GBP": "GBP", "A$": "AUD", "CHF": "CHF", "euros": "EUR"}
UNKNOWN = ["MX$", "PTS"]

OWN = "offer_id,provider,gpu_model,pricing_category,"
OWN += "rate_usd_per_gpu_hour,rate_low,rate_high,upfront_usd,egress_usd_per_gb,currency"
MAPPED = "Provider,GPU,Price per GPU hour,Rate low,Rate high,Upfront USD,Egress,Currency"
OWN_CONTRACTS = "contract_id,gpu_model,gpus,start,rate_usd_per_gpu_hour,egress_usd_per_gb,currency"
MAPPED_CONTRACTS = "Contract,GPU,GPUs,Start,Price per GPU hour,Egress,Currency"


def _money(offer: Offer) -> list[Decimal | None]:
    rates = [offer.rate_usd_per_gpu_hour, offer.rate_low, offer.rate_high]
    return [*rates, offer.upfront_usd, offer.egress_usd_per_gb]


def _prices(folder: Path, text: str) -> tuple[tuple[Offer, ...], dict[str, str]]:
    path = folder / "prices.csv"
    path.write_text(text, encoding="utf-8")
    read = import_prices([str(path)])
    return read.offers, {issue.code: str(issue.message) for issue in read.intake[0].issues}


@pytest.mark.parametrize("start", [f"{OWN}\na,X,H100,STANDARD,", f"{MAPPED}\nX,H100,"], ids=["own", "mapped"])
def test_the_column_says_what_all_money_of_an_offer_is_in(tmp_path: Path, start: str) -> None:
    for currency in DOLLARS:
        (offer,), issues = _prices(tmp_path, f"{start}2.5,2,3,900,0.05,{currency}\n")
        assert _money(offer) == [Decimal(text) for text in ("2.5", "2", "3", "900", "0.05")], currency
        assert not {"other_currency", "unknown_column"} & set(issues), currency
    for currency, code in OTHERS.items():
        (offer,), issues = _prices(tmp_path, f"{start}2.5,2,3,900,0.05,{currency}\n")
        assert _money(offer) == [Decimal(text) for text in ("2.5", "2", "3", "900", "0.05")], currency
        assert offer.currency == code
        assert {offer.exchange, offer.rate, offer.low, offer.egress} == {None}
        assert not {"quote_needed", "unknown_column"} & set(issues)
        assert f"2.5 in {code}" in issues["other_currency"]
    for currency in UNKNOWN:
        (offer,), issues = _prices(tmp_path, f"{start}2.5,2,3,900,0.05,{currency}\n")
        assert offer.rate_usd_per_gpu_hour is None and offer.rate is None, currency
        assert {"other_currency", "quote_needed"} <= set(issues) and "unknown_column" not in issues
        assert f"2.5 in {currency}" in issues["other_currency"]


@pytest.mark.parametrize("header", [OWN_CONTRACTS, MAPPED_CONTRACTS])
def test_the_column_says_what_all_money_of_a_contract_is_in(tmp_path: Path, header: str) -> None:
    path = tmp_path / "contracts.csv"
    currencies = enumerate([*DOLLARS, *OTHERS, *UNKNOWN])
    rows = [f"C{at:02},H100,8,2026-01-01,2,0.05,{currency}\n" for at, currency in currencies]
    path.write_text(f"{header}\n{''.join(rows)}", encoding="utf-8")
    read = import_contracts([str(path)])
    quoted = [contract.rate_usd_per_gpu_hour for contract in read.contracts]
    assert quoted == [Decimal(2)] * (len(DOLLARS) + len(OTHERS)) + [None] * len(UNKNOWN)
    assert [c.rate for c in read.contracts] == [2.0] * len(DOLLARS) + [None] * len([*OTHERS, *UNKNOWN])
    assert [c.currency for c in read.contracts][len(DOLLARS) : -len(UNKNOWN)] == list(OTHERS.values())
    found = codes(read.intake[0])
    assert (found["other_currency"], found["quote_needed"]) == (len([*OTHERS, *UNKNOWN]), len(UNKNOWN))
    assert read.intake[0].rows_accepted == len(rows)


def test_a_row_without_money_says_nothing_of_its_currency(tmp_path: Path) -> None:
    (offer,), issues = _prices(tmp_path, f"{OWN}\na,X,H100,STANDARD,,,,,0,EUR\n")
    assert offer.egress_usd_per_gb == 0 and "quote_needed" in issues and "other_currency" not in issues


def test_each_way_to_pay_of_a_row_follows_its_currency(tmp_path: Path) -> None:
    text = "Provider,GPU,On-demand,Spot,1 yr reserved,Currency\nX,H100,3,,2,EUR\nX,A100,2,1.2,,USD\n"
    offers, issues = _prices(tmp_path, text)
    euros = [(str(o.pricing_category), o.rate) for o in offers if o.gpu_model == "H100"]
    assert euros == [("COMMITTED", None), ("STANDARD", None)]
    assert sorted(o.rate or 0 for o in offers if o.gpu_model != "H100") == [1.2, 2]
    assert "3 in EUR" in issues["other_currency"] and "2 in EUR" in issues["other_currency"]


@pytest.mark.parametrize("foreign", ["€2.10", "2.10 EUR", "2,10 €"])
def test_a_cell_in_another_currency_takes_its_range_along(tmp_path: Path, foreign: str) -> None:
    rows = f'a,X,H100,STANDARD,"{foreign}",2,3,,€0.05,\nb,X,H100,STANDARD,2.5,2,3,,0.05,\n'
    (euro, dollar), _ = _prices(tmp_path, f"{OWN}\n{rows}")
    assert (euro.currency, _money(euro)) == ("EUR", [Decimal("2.10"), 2, 3, None, Decimal("0.05")])
    assert dollar.currency == "USD"
    assert _money(dollar) == [Decimal("2.5"), 2, 3, None, Decimal("0.05")]


CENTS = ["cents per GPU hour", "cents_per_gpu_hour", "US cents per GPU hour", "USD cents/GPU-hr", "¢/GPU-h"]
FOREIGN = ["EUR cents per GPU hour", "CHF per GPU hour", "Euro per GPU hour", "¥/GPU/h"]
FOREIGN += ["Preis in Euro pro GPU-Stunde"]


@pytest.mark.parametrize(
    ("heading", "rate"), [*((heading, 2.5) for heading in CENTS), *((heading, None) for heading in FOREIGN)]
)
@pytest.mark.parametrize("kind", ["contracts", "prices"])
def test_the_heading_of_a_price_says_what_it_is_in(
    tmp_path: Path, kind: str, heading: str, rate: float | None
) -> None:
    path = tmp_path / "table.csv"
    if kind == "prices":
        path.write_text(f"provider,gpu_model,{heading}\nX,H100,250\n", encoding="utf-8")
        (found,) = [offer.rate for offer in import_prices([str(path)]).offers]
    else:
        text = f"contract,gpu_model,gpus,start,{heading}\nC,H100,8,2026-01-01,250\n"
        path.write_text(text, encoding="utf-8")
        (found,) = [contract.rate for contract in import_contracts([str(path)]).contracts]
    assert found == rate


def test_a_table_of_models_over_prices_follows_the_currency_of_its_rows(tmp_path: Path) -> None:
    by_column = "Provider,H100,A100 80GB,Currency\nX,2.5,1.5,EUR\nY,2.6,,USD\n"
    by_cell = "Provider,H100 ($/h),A100 80GB ($/h)\nX,€2.5,€1.5\nY,2.6,\n"
    for text in (by_column, by_cell):
        offers, issues = _prices(tmp_path, text)
        assert [(o.provider, o.rate) for o in offers] == [("X", None), ("X", None), ("Y", 2.6)]
        assert [o.rate_usd_per_gpu_hour for o in offers[:2]] == [Decimal("1.5"), Decimal("2.5")]
        assert [o.currency for o in offers[:2]] == ["EUR", "EUR"]
        assert "other_currency" in issues and "quote_needed" not in issues


REGISTER = "Contract,Vendor,GPU,GPUs,Start,End,Rate per GPU-hour{heading}\n"
ROW = "A1,EUR Cloud,H100,32,2025-03-01,2027-03-01,2.49"


def _contracts(path: Path, text: str) -> tuple[Contract, dict[str, str]]:
    path.write_text(text, encoding="utf-8")
    read = import_contracts([str(path)])
    return read.contracts[0], {issue.code: str(issue.message) for issue in read.intake[0].issues}


@pytest.mark.parametrize(
    ("title", "heading", "cell", "below", "code"),
    [
        ("GPU contracts 2026 (all amounts in EUR)\n", "", "", "", "EUR"),
        ("Preise in CNY\n", "", "", "", "CNY"),
        ("", "", "", '"All prices in GBP, excl. VAT",,,,,,\n', "GBP"),
        ("", ",Notes", ",billed in CHF", "", "CHF"),
        ("", ",Monthly charge", ',"€58,166"', "", "EUR"),
        ("", ",Monthly charge", ',"¥58,166"', "", "JPY"),
        ("", ",Monthly charge", ",58166", 'Total,,,32,,,,"£58,166"\n', "GBP"),
        ("", ",Budget code (CHF)", ",8", "", "CHF"),
        ("", ",Notes", ",nothing", "", "USD"),  # a vendor is no currency
        ("", ",Monthly charge ($)", ",58166", "", "USD"),
    ],
)
def test_rates_without_a_sign_are_in_the_one_currency_that_the_file_names(
    tmp_path: Path, title: str, heading: str, cell: str, below: str, code: str
) -> None:
    text = f"{title}{REGISTER.format(heading=heading)}{ROW}{cell}\n{below}"
    contract, issues = _contracts(tmp_path / "sheet.csv", text)
    assert (contract.currency, contract.rate_usd_per_gpu_hour) == (code, Decimal("2.49"))
    assert ("other_currency" in issues) == (code != "USD") and "undecided" not in issues


def test_of_several_currencies_nobody_knows_which_a_rate_is_in(tmp_path: Path) -> None:
    text = f"Prices in EUR\n{REGISTER.format(heading=',Deposit (GBP)')}{ROW},\n"
    contract, issues = _contracts(tmp_path / "sheet.csv", text)
    assert contract.rate_usd_per_gpu_hour is None and "may be in EUR/GBP" in issues["undecided"]
    read = import_contracts([str(tmp_path / "sheet.csv")], {str(tmp_path / "sheet.csv"): "+currency==EUR"})
    assert read.contracts[0].currency == "EUR" and read.contracts[0].rate_usd_per_gpu_hour == Decimal("2.49")


def test_the_value_of_a_contract_is_in_its_own_currency(tmp_path: Path) -> None:
    text = 'Contract,GPU,GPUs,Start,End,Total contract value\nA,H100,32,2025-03-01,2027-03-01,"€1,395,993"\n'
    contract, _ = _contracts(tmp_path / "sheet.csv", text)
    assert (contract.currency, round(contract.rate_usd_per_gpu_hour or 0, 4)) == ("EUR", Decimal("2.49"))


@pytest.mark.parametrize(
    ("shown", "code"), [("#,##0.00 [$€-407]", "EUR"), ("[$£-809]0.00", "GBP"), ("[$CHF] 0.00", "CHF")]
)
def test_the_number_format_of_a_sheet_names_its_currency(tmp_path: Path, shown: str, code: str) -> None:
    book = openpyxl.Workbook()
    for line in (REGISTER.format(heading=""), ROW):
        cells = line.strip().split(",")
        book.active.append([float(cell) if cell in ("32", "2.49") else cell for cell in cells])
    book.active["G2"].number_format = shown
    book.save(tmp_path / "sheet.xlsx")
    (contract,) = import_contracts([str(tmp_path / "sheet.xlsx")]).contracts
    assert contract.currency == code


@pytest.mark.parametrize(
    ("heading", "cell", "currency"),
    [
        ("Price (kr/GPU-hr)", "25", "SEK/NOK/DKK"),
        ("Price per GPU hour", "25 kr", "SEK/NOK/DKK"),
        ("Pris (SEK/GPU-hr)", "25 kr.", "SEK"),
        ("Price per GPU hour (NOK)", "25", "NOK"),
    ],
)
def test_kr_is_no_dollar_and_asks_which_krona(tmp_path: Path, heading: str, cell: str, currency: str) -> None:
    path = tmp_path / "list.csv"
    path.write_text(f"Provider,GPU,{heading},Term\nNordic,H100,{cell},12 months\n")
    read = import_prices([str(path)])
    assert (read.offers[0].currency, read.offers[0].exchange) == (currency, None)
    asked = [str(issue.message) for issue in read.intake[0].issues if issue.code == "undecided"]
    assert bool(asked) == ("/" in currency) and all("--map currency==SEK" in words for words in asked)
    told = import_prices([str(path)], {str(path): "+currency==DKK"}) if asked else read
    assert told.offers[0].currency == ("DKK" if asked else currency)
