"""Contracts and quotes by the laws of reading: ends and notices in other words, merged cells, figures held to rows."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.window import iso_day
from gpuplanner.files.importing.import_tables import import_contracts, import_prices
from gpuplanner.files.importing.stated_exchange import FACT

Read = Callable[[str], tuple[FileIntake, tuple[Contract, ...]]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_text(text: str) -> tuple[FileIntake, tuple[Contract, ...]]:
        path = tmp_path / "contracts.csv"
        path.write_text(text, encoding="utf-8")
        read = import_contracts([str(path)])
        return read.intake[0], read.contracts

    return read_text


def _codes(file: FileIntake) -> set[str]:
    return {issue.code for issue in file.issues}


def _day(at_s: int | None) -> str | None:
    return None if at_s is None else iso_day(at_s)[:10]


@pytest.mark.parametrize(
    "heading",
    [
        "Finish",
        "finish_date",
        "Ends on",
        "Contract close",
        "ContractCloseDate",
        "Termination",
        "Agreement finish date",
        "end_time",
        "Close of the lease",
    ],
)
def test_an_end_is_read_by_whatever_word_it_has(read: Read, heading: str) -> None:
    text = f"Contract,Vendor,GPU,GPUs,Start,{heading},$ per GPU-hour\nA,X,H100,8,2026-01-01,2027-01-01,2.5\n"
    file, (contract,) = read(text)
    assert _day(contract.end_s) == "2027-01-01"
    assert "unknown_column" not in _codes(file)


def test_days_under_termination_are_its_notice(read: Read) -> None:
    text = (
        "Contract,Vendor,GPU,GPUs,Start,End,Termination,Rate\nA,X,H100,8,2026-01-01,2027-01-01,60 days,2.5\n"
    )
    _, (contract,) = read(text)
    assert (_day(contract.end_s), contract.notice_days) == ("2027-01-01", 60)


def test_instants_are_starts_and_ends_of_contracts_of_machines(read: Read) -> None:
    """4 instances of 8 GPUs at 20.31 an hour each."""
    text = (
        "contract_id,instance_type,instance_count,hourly_price,start_time,end_time\n"
        "c1,p4d.24xlarge,4,20.31,2026-03-01T00:00:00Z,2027-03-01T00:00:00Z\n"
    )
    _, (contract,) = read(text)
    assert (contract.gpus, contract.gpu_model, float(contract.rate_usd_per_gpu_hour or 0)) == (
        32,
        "A100 40GB",
        2.53875,
    )


@pytest.mark.parametrize(
    ("notice", "days"),
    [
        ("month to month, 30 days", 30),
        ("monthly, cancel any time with 30 days", 30),
        ("rolling, 2 weeks", 14),
        ("monatlich kündbar, 14 Tage", 14),
        ("no exit in the first 90 days", None),
        ("30 days, or 60 days by mail", 30),
        ("12 months auto renewal, 45 days", 45),
    ],
)
def test_a_notice_is_the_days_among_its_words(read: Read, notice: str, days: int | None) -> None:
    text = (
        f'Contract,Vendor,GPU,GPUs,Start,End,Notice,Rate\nA,X,H100,8,2026-01-01,2027-01-01,"{notice}",2.5\n'
    )
    _, (contract,) = read(text)
    assert contract.notice_days == days


@pytest.mark.parametrize("heading", ["Used by (cluster)", "Where it runs (cluster)", "ClusterName"])
def test_the_cluster_is_named_in_brackets_too(read: Read, heading: str) -> None:
    text = f"Contract,Vendor,GPU,GPUs,Start,Rate,{heading}\nA,X,H100,8,2026-01-01,2.5,tern\n"
    assert read(text)[1][0].cluster == "tern"


def test_our_columns_with_a_model_under_another_heading_are_read_with_it(read: Read) -> None:
    assert read("contract_id,GPU,gpus,start\nA,H100,8,2026-01-01\n")[1][0].gpu_model == "H100"


ONE = "id,provider,gpu,gpus,rate_per_gpu_hour,start,end,{heading}\nc1,X,H100,64,1.89,2026-01-15,2027-01-15,{cell}\n"


@pytest.mark.parametrize(
    ("heading", "cell", "agrees"),
    [
        ("monthly_cost", "88300.80", True),
        ("MonthlyCostUSD", "120000", False),
        ("total_cost", "1059609.60", True),
        ("TotalCost", "9000000", False),
        ("Amount", "88300.80", True),
        ("Amount", "120.96", True),
        ("Charge (USD)", "2903.04", True),
        ("Spend", "264902.40", True),
        ("Spend", "120000", False),
        ("List price", "120000", None),
        ("Invoice date", "30", None),
    ],
)
def test_money_of_a_row_is_its_gpus_times_its_rate(
    read: Read, heading: str, cell: str, *, agrees: bool | None
) -> None:
    """64 GPUs at 1.89: 120.96 an hour, 2,903.04 a day, 88,300.80 a month, 264,902.40 a quarter, 1,059,609.60 in all."""
    file, _ = read(ONE.format(heading=heading, cell=cell))
    assert [figure.agrees for figure in file.reconciliation] == ([] if agrees is None else [agrees])
    assert ("totals_disagree" in _codes(file)) is (agrees is False)


@pytest.mark.parametrize(
    ("headings", "cells", "stated"),
    [
        ("instance_type,instance_count", "p5.48xlarge,4", 32),
        ("nodes,gpus_per_node", "3,4", 12),
        ("Servers,GPUs per server", "3,8", 24),
    ],
)
def test_nodes_times_their_gpus_are_the_gpus(read: Read, headings: str, cells: str, stated: int) -> None:
    text = f"contract_id,provider,gpu,{headings},gpus,rate,start,end\nc1,X,H100,{cells},24,1.89,2026-01-15,2027-01-15\n"
    file, _ = read(text)
    assert [(one.stated, one.read) for one in file.reconciliation] == [(stated, 24)]
    assert ("totals_disagree" in _codes(file)) is (stated != 24)


# --- Quotes

QUOTE = """NORTHWIND COMPUTE,,,Quotation,
Delivery 6 weeks after signature. Minimum order 2 nodes ({least} GPUs).,,,,
Pos,Description,{quantity},Term,USD per GPU-hour,USD per month
1,"L40S 48GB node, 4 GPU",{count},12 months,0.72,16819.20
"""


@pytest.mark.parametrize(
    ("quantity", "count"),
    [("Qty offered", "8 nodes"), ("Quantity offered", "8"), ("Offered GPUs", "32"), ("QtyQuoted", "8 nodes")],
)
def test_a_quantity_of_nodes_is_held_against_the_months_of_a_quote(
    tmp_path: Path, quantity: str, count: str
) -> None:
    """8 nodes of 4 GPUs at 0.72 are 16,819.20 a month; the least that is sold is no sum of the quote."""
    path = tmp_path / "quote.csv"
    path.write_text(QUOTE.format(quantity=quantity, count=count, least=8))
    (file,) = import_prices([str(path)]).intake
    assert [(one.quantity, one.agrees) for one in file.reconciliation] == [("usd_per_month", True)]


def _merged_book(path: Path, rows: list[list[object]], merged: tuple[str, ...]) -> Path:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    for cells in merged:
        sheet.merge_cells(cells)
    book.save(path)
    return path


TERMS = [
    ["Quote of Halden", None, None],
    ["Description", "Term", "USD per GPU-hour"],
    ["H100 80GB", "12 months", 2.05],
    [None, "24 months", 1.85],
    ["L40S 48GB", "12 months", "$0.78"],
    [None, "36 months", "$0.61"],
]


def test_a_description_merged_over_rows_is_of_all_of_them(tmp_path: Path) -> None:
    path = _merged_book(tmp_path / "quote.xlsx", TERMS, ("A1:C1", "A3:A4", "A5:A6"))
    offers = import_prices([str(path)]).offers
    assert {(o.gpu_model, o.term_months, float(o.rate_usd_per_gpu_hour or 0)) for o in offers} == {
        ("H100", 12, 2.05),
        ("H100", 24, 1.85),
        ("L40S", 12, 0.78),
        ("L40S", 36, 0.61),
    }


def test_headings_merged_over_two_rows_stay_one_heading(tmp_path: Path) -> None:
    rows = [
        ["GPU", "USD per GPU-hour", None],
        [None, "12 months", "36 months"],
        ["H100 80GB", 2.05, 1.62],
        ["L40S 48GB", 0.78, 0.61],
    ]
    path = _merged_book(tmp_path / "list.xlsx", rows, ("A1:A2", "B1:C1"))
    offers = import_prices([str(path)]).offers
    assert {(o.gpu_model, o.term_months, float(o.rate_usd_per_gpu_hour or 0)) for o in offers} == {
        ("H100", 12, 2.05),
        ("H100", 36, 1.62),
        ("L40S", 12, 0.78),
        ("L40S", 36, 0.61),
    }


EURO = """Contracts ({title})
Contract,Supplier,GPU,GPUs,{rate},Start,End
E1,X,H100,8,2,2026-01-01,2027-01-01
{below}
"""


@pytest.mark.parametrize(
    ("title", "rate", "below"),
    [
        ("plan", "EUR per GPU-hour", "1 EUR = 1.11 USD (30 Nov 2026)"),
        ("EUR/USD 1.11 as of 2026-11-30", "EUR per GPU-hour", ""),
        ("all in EUR", "Rate per GPU-hour", "Kurs: 1,11 USD per EUR, Stand 30.11.2026"),
    ],
)
def test_an_exchange_rate_of_the_sheet_is_proposed(tmp_path: Path, title: str, rate: str, below: str) -> None:
    """11,680 EUR a month: in dollars they are unknown until the rate is entered."""
    path = tmp_path / "contracts.csv"
    path.write_text(EURO.format(title=title, rate=rate, below=below), encoding="utf-8")
    read = import_contracts([str(path)])
    assert [(c.currency, c.exchange) for c in read.contracts] == [("EUR", None)]
    assert dict(read.intake[0].facts)[FACT] == {"EUR": [1.11, "2026-11-30"]}
    (issue,) = [one for one in read.intake[0].issues if one.code == "other_currency"]
    assert "EUR=1.11@2026-11-30" in str(issue.message)


SECTIONS = {
    "models": "Term,Least,$/GPU-h\nH100 80GB,,\n12 months,16,2.05\n36 months,16,1.62\nL40S 48GB,,\n12 months,8,0.78\n",
    "ways": "GPU,Memory,$/GPU-h\nOn demand,,\nH100,80 GB,2.95\nL40S,48 GB,0.98\nReserved 1 year,,\nH100,80 GB,2.05\n",
    "sellers": "GPU,Term,$/GPU-h\nCoreWeave,,\nH100,12 months,2.05\nLambda,,\nH100,12 months,2.15\n",
    "regions": "GPU,Term,$/GPU-h\neu-north-1,,\nH100,12 months,2.05\nus-east-1,,\nH100,12 months,2.15\n",
}


@pytest.mark.parametrize(
    ("name", "offers"),
    [
        ("models", {("H100", 12, 2.05), ("H100", 36, 1.62), ("L40S", 12, 0.78)}),
        ("ways", {("H100", 0, 2.95), ("L40S", 0, 0.98), ("H100", 12, 2.05)}),
        ("sellers", {("CoreWeave", 12, 2.05), ("Lambda", 12, 2.15)}),
        ("regions", {("eu-north-1", 12, 2.05), ("us-east-1", 12, 2.15)}),
    ],
)
def test_a_title_alone_in_its_row_is_of_the_rows_below(
    tmp_path: Path, name: str, offers: set[tuple[str, int, float]]
) -> None:
    path = tmp_path / "list.csv"
    path.write_text(SECTIONS[name])
    read = import_prices([str(path)]).offers
    told = [{"sellers": o.provider, "regions": o.region}.get(name, o.gpu_model) for o in read]
    rates = [float(o.rate_usd_per_gpu_hour or 0) for o in read]
    assert {(who, o.term_months, rate) for who, o, rate in zip(told, read, rates, strict=True)} == offers


def test_a_title_in_a_column_that_is_blank_below_fills_it(read: Read) -> None:
    text = "Supplier name,Contract,GPU,GPUs,Start,Rate\nHalden,,,,,\n,A1,H100,16,2026-01-01,2.05\n"
    text += "Corvid,,,,,\n,B1,L40S,8,2026-01-01,0.78\n"
    assert [(c.contract_id, c.provider) for c in read(text)[1]] == [("A1", "Halden"), ("B1", "Corvid")]


def test_a_title_over_contracts_is_their_model(read: Read) -> None:
    text = "Contract,GPUs,Start,Rate\nH100,,,\nA1,16,2026-01-01,2.05\nL40S,,,\nB1,8,2026-01-01,0.78\n"
    assert [(c.contract_id, c.gpu_model) for c in read(text)[1]] == [("A1", "H100"), ("B1", "L40S")]


def test_a_model_that_is_blank_below_is_that_of_the_row_above_and_told(tmp_path: Path) -> None:
    text = (
        "Description,Term,Least,$ per GPU-hour\nH100 80GB,12 months,16,2.05\n,24 months,16,1.85\n"
        "L40S 48GB,12 months,8,0.78\n,Setup fee,,12000\n,36 months,8,0.61\nTotal,,,5.29\n"
    )
    path = tmp_path / "quote.csv"
    path.write_text(text)
    read = import_prices([str(path)])
    assert sorted((o.gpu_model, o.term_months, float(o.rate_usd_per_gpu_hour or 0)) for o in read.offers) == [
        ("H100", 12, 2.05),
        ("H100", 24, 1.85),
        ("L40S", 12, 0.78),
        ("L40S", 36, 0.61),
    ]
    assert "undecided" in _codes(read.intake[0])
