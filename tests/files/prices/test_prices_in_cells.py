"""What a cell of money or of a count says itself: months, nodes, a currency; and prices under other names."""

from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest
from openpyxl import Workbook

from gpuplanner.domain.model.book.quote_source import remark_on
from gpuplanner.domain.model.book.remark import undecided
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import ContractsRead, import_contracts, import_prices
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.prices.other_price_lists import ListCounts, is_mismatch

MIXED = """contract,gpu,quantity,rate,start,term
A,H100,64,$2.75/hr,2025-01-01,36 mo
B,H100,32,"$1,460/mo",Jan 1 2025,1 year
C,A100,16,$1.25 per GPU-hour,2025-01-01,3yr
D,B200,8,$98.32 per node-hour,2025-02-01,24
E,B200,8 nodes,$3,2025-02-01,24
"""
NODES = """Supplier\tPO\tAccelerator\tNodes\tGPUs per node\tHourly price per node (USD)\tCommencement\tExpiry
Alpha\tPO1\tH100\t16\t8\t22.00\t2025-01-01\t2026-12-31
"""


def _read(folder: Path, text: str | bytes, name: str = "table.csv") -> ContractsRead:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return import_contracts([str(path)])


def test_a_cell_says_itself_what_its_price_is_of(tmp_path: Path) -> None:
    read = _read(tmp_path, MIXED)
    (file,) = read.intake
    rates = {"A": 2.75, "B": 2.0, "C": 1.25, "D": 12.29, "E": 3.0}
    assert {c.contract_id: c.rate for c in read.contracts} == rates
    said = {issue.code: issue.message for issue in file.issues}
    assert "98.32 / (8 GPUs" in str(said["computed"]) and "12.29" in str(said["computed"])
    assert read.contracts[4].gpus == 64 and not file.rejected


@pytest.mark.parametrize(
    ("heading", "cell"),
    [("Min commitment", "2 nodes"), ("Min. qty", "2 racks"), ("Min order", "3 pods"), ("MOQ", "1 SU")],
)
def test_a_least_quantity_of_who_knows_how_many_gpus_is_unknown_and_says_so(
    tmp_path: Path, heading: str, cell: str
) -> None:
    """No node of L40S is usual, and no rack of anything."""
    path = tmp_path / "list.csv"
    path.write_text(f"Vendor,GPU,Term,Price per GPU hour,{heading}\nVela,L40S,12 months,0.89,{cell}\n")
    read = import_prices([str(path)])
    assert [(one.min_gpus, one.rate, one.term_months) for one in read.offers] == [(None, 0.89, 12)]
    said = {issue.code: str(issue.message) for issue in read.intake[0].issues}
    assert cell in said["bad_number"]


@pytest.mark.parametrize(
    ("item", "rate"),
    [
        ("8x H100 SXM5 node / month", 2.9),
        ("8 x H100 per hour", 2117),
        ("H100 SXM, monthly", 23.2),
        ("8x H100", 2117),
    ],
)
def test_an_item_may_end_in_what_its_price_is_for(tmp_path: Path, item: str, rate: float) -> None:
    """$16,936 / (730 h x 8) = 2.9; the H200 beside it is of an hour."""
    path = tmp_path / "quote.csv"
    path.write_text(
        f'Vendor,Configuration,Price,Term\nVela,"{item}",$16936.00,12 months\nVela,H200,$3.00,12 months\n'
    )
    offers = {one.gpu_model[:4]: one.rate for one in import_prices([str(path)]).offers}
    assert offers == {"H100": rate, "H200": 3.0}


def test_a_heading_that_says_what_prices_are_for_counts_before_the_item(tmp_path: Path) -> None:
    path = tmp_path / "quote.csv"
    path.write_text('Vendor,GPU,$ per GPU-hour,Term\nVela,"H100 SXM, monthly",2.90,12 months\n')
    assert [(one.gpu_model, one.rate) for one in import_prices([str(path)]).offers] == [("H100 SXM", 2.9)]


@pytest.mark.parametrize(("cell", "rate"), [("$1,825/mo", 2.5), ("$21,900 per year", 2.5), ("2,750", 2.75)])
def test_thousands_are_told_by_what_a_cell_is_of(tmp_path: Path, cell: str, rate: float) -> None:
    read = _read(tmp_path, f'Contract,GPU,GPUs,$ per GPU-hour,Start\nA,H100,64,"{cell}",2025-01-01\n')
    assert [contract.rate for contract in read.contracts] == [rate]


def test_nodes_and_their_gpus_stand_for_gpus(tmp_path: Path) -> None:
    read = _read(tmp_path, NODES, "orders.tsv")
    (contract,) = read.contracts
    assert (contract.gpus, contract.rate, contract.contract_id) == (128.0, 2.75, "PO1")
    assert recognise(str(tmp_path / "orders.tsv")).kind == "contracts"
    words = str(dict(read.intake[0].facts)["mapping"])
    path = str(tmp_path / "orders.tsv")
    again = import_contracts([path], {path: words})
    assert again.contracts == read.contracts


@pytest.mark.parametrize(
    ("heading", "cell", "rate"),
    [("monthly cost (USD)", "116800", 2.5), ("monthly price", "1460", 2.0), ("price", "$2.50/hr", 2.5)],
)
def test_a_price_beside_our_own_columns_is_read(tmp_path: Path, heading: str, cell: str, rate: float) -> None:
    header = f"contract_id,gpu_model,gpus,{heading},start,end"
    read = _read(tmp_path, f"{header}\nC1,H100,64,{cell},2025-01-01,2026-01-01\n")
    assert [contract.rate for contract in read.contracts] == [rate]


def test_the_sign_of_the_euro_of_windows_is_no_dollar(tmp_path: Path) -> None:
    text = "Vertrag;GPU;Anzahl;Preis (€/GPU-h);Beginn\nV1;H100;64;2,45;01.01.2025\n"
    read = _read(tmp_path, text.encode("cp1252"))
    assert [contract.rate for contract in read.contracts] == [None]
    assert [(one.rate_usd_per_gpu_hour, one.currency) for one in read.contracts] == [(Decimal("2.45"), "EUR")]
    assert {issue.code for issue in read.intake[0].issues} == {"encoding", "other_currency"}


@pytest.mark.parametrize("heading", ["rate_usd_per_gpu_hour", "Rate (USD/GPU-h)"])
@pytest.mark.parametrize("foreign", ["€2.40", "2.40 EUR"])
def test_a_price_in_euro_leaves_those_beside_it_in_the_currency_of_the_heading(
    tmp_path: Path, heading: str, foreign: str
) -> None:
    header = f"contract_id,gpu_model,gpus,{heading},start"
    read = _read(tmp_path, f"{header}\nA,H100,64,2.75,2025-01-01\nB,H100,8,{foreign},2025-01-01\n")
    assert [contract.rate for contract in read.contracts] == [2.75, None]
    (said,) = (issue for issue in read.intake[0].issues if issue.code == "other_currency")
    assert (said.count, said.first_row) == (1, 3)


def test_thin_spaces_part_thousands(tmp_path: Path) -> None:
    read = _read(tmp_path, "Contract,GPU,# GPUs,Price,Start\nA,H100,1\u2009024,2.5,2025-01-01\n")
    assert [contract.gpus for contract in read.contracts] == [1024.0]


def test_headings_over_start_and_end_are_of_contracts(tmp_path: Path) -> None:
    above = "Contract,Vendor,Hardware,,Price,Term,,"
    below = "Ref #,,GPU type,# GPUs,$ / GPU-hr,Start date,End date,Length"
    path = tmp_path / "table.csv"
    path.write_text(f"{above}\n{below}\nC-1,Alpha,H100,128,$2.75/hr,2025-06-01,2028-06-01,3 yrs\n")
    assert recognise(str(path)).kind == "contracts"


MEMORY = """Provider,GPU,GPU memory (GB),GPUs,Price per hour
a,A100 SXM,80,8,14.32
b,A100 SXM,320,8,10.29
c,H100,640,8,55
d,H200,141,8,28
e,H100,500,8,55
"""


def test_memory_of_a_row_with_several_gpus_is_that_of_one_where_the_model_tells(tmp_path: Path) -> None:
    """It was left empty of each: an A100 of 40 GB was any A100. 62.5 GB of eight is no H100's: not known."""
    path = tmp_path / "prices.csv"
    path.write_text(MEMORY)
    memory = {one.provider: one.gpu_memory_gb for one in import_prices([str(path)]).offers}
    assert memory == {"a": 80, "b": 40, "c": 80, "d": 141, "e": None}


@pytest.mark.parametrize(
    ("headings", "row", "least"),
    [
        ("GPU,GPUs per node,Price per GPU hour,Min. qty", "H100,4,2.40,4 nodes", 16),
        ("GPU,Term,Price per GPU hour,Min. qty", "H100,12 months,2.40,4 nodes", 32),  # usual nodes of 8
        ("GPU,Term,Price per GPU hour,Min. qty", "H100,12 months,2.40,4", 4),
    ],
)
def test_a_least_quantity_of_nodes_is_of_their_gpus(
    tmp_path: Path, headings: str, row: str, least: int
) -> None:
    path = tmp_path / "list.csv"
    path.write_text(f"Provider,{headings}\nV,{row}\n")
    read = import_prices([str(path)])
    assert [offer.min_gpus for offer in read.offers] == [least]
    assert "bad_number" not in {issue.code for issue in read.intake[0].issues}


def test_an_extended_price_is_of_all_gpus_of_its_row(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(
        "Provider,GPU,Qty,Term,Extended price\nV,H100,8,12 months,19.20\nV,H200,16,3 years,44.80\n"
    )
    assert sorted(offer.rate or 0 for offer in import_prices([str(path)]).offers) == [2.4, 2.8]
    path.write_text("Provider,GPU,Qty,Term,Unit price,Extended price\nV,H100,8,12 months,2.40,19.20\n")
    assert [offer.rate for offer in import_prices([str(path)]).offers] == [2.4]
    path.write_text("Provider,GPU,Term,Extended price\nV,H100,12 months,19.20\n")
    assert recognise(str(path)).kind == "unknown"  # of how many is not told


@pytest.mark.parametrize(
    ("cell", "least", "low"), [("4 nodes", 32, None), ("32", 32, None), ("1.80", None, Decimal("1.8"))]
)
def test_a_minimum_beside_a_price_is_a_least_number_of_gpus_unless_it_is_below_it(
    tmp_path: Path, cell: str, least: int | None, low: Decimal | None
) -> None:
    path = tmp_path / "quotes.csv"
    heading = "Vendor,GPU,Commitment,Price per GPU hour (USD),Minimum,Delivery"
    path.write_text(f"{heading}\nK,H100 SXM,12 months,1.98,{cell},8 weeks\n")
    (offer,) = import_prices([str(path)]).offers
    assert (offer.rate, offer.min_gpus, offer.rate_low, offer.lead_time_hours) == (1.98, least, low, 8 * 168)


QUOTATION = """Vela GPU Ltd.;;;;;;
Quotation Q-1 of 30.11.2026, your reference RFQ-20261128-320D4C;;;;;;
Valid until 31.12.2026. Prices excl. VAT;;;;;;
Description;Qty;Unit price USD;Per;Term;Min. qty;Remarks
NVIDIA H100 80GB SXM5;32;1.480,00;GPU/month;12 months;16;
One-time set-up;1;9.500,00;lump sum;;;
"""


def test_a_fee_is_no_gpu_and_makes_the_quotes_beside_it_wait(tmp_path: Path) -> None:
    path = tmp_path / "quotation.csv"
    path.write_text(QUOTATION)
    read = import_prices([str(path)])
    (one,) = read.offers
    assert (one.gpu_model, one.term_months, one.min_gpus) == ("H100 SXM", 12, 16)
    assert (one.provider, one.as_of, one.valid_until) == ("Vela GPU Ltd.", "2026-11-30", "2026-12-31")
    path.write_text(QUOTATION.replace("31.12.2026", "01/12/2026").replace("Vela GPU Ltd.", "Quotation"))
    (unclear,) = import_prices([str(path)]).offers
    assert (unclear.provider, unclear.valid_until) == (None, None), "a day of two readings is none"
    assert "fee" in str(undecided(one)) and "9.500,00" in remark_on(one)[0]
    said = {issue.code: str(issue.message) for issue in read.intake[0].issues}
    assert "“One-time set-up”" in said["left_out"]
    assert "Unit price" not in said["undecided"], "it is of a month"


def test_a_quotation_for_a_request_is_of_no_more_gpus_than_it_says(tmp_path: Path) -> None:
    path = tmp_path / "quotation.csv"
    for text, most in ((QUOTATION, 32), (QUOTATION.replace("RFQ-20261128-320D4C", "call"), None)):
        path.write_text(text)
        assert import_prices([str(path)]).offers[0].max_gpus == most


ABOVE = (
    [
        "Vela GPU Ltd.",
        "Quotation Q-1 of 30.11.2026, your reference RFQ-20261128-320D4C",
        "Valid until 31.12.2026",
    ],
    ["Vendor", "Vela GPU Ltd.", "Date:", datetime(2026, 11, 30), "Ref", "RFQ-20261128-320D4C"],
)


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_what_stands_above_a_quotation_is_read_of_a_text_as_of_a_spreadsheet(
    tmp_path: Path, ending: str
) -> None:
    """In one cell or in two, blank rows between; a day of a spreadsheet is one."""
    two = ["Valid until", datetime(2026, 12, 31), *ABOVE[1]]
    for above in ([[text] for text in ABOVE[0]], [ABOVE[1][:2], two[:2], ABOVE[1][2:4], ABOVE[1][4:]]):
        heads = ["Description", "Qty", "Unit price USD", "Per", "Term"]
        rows = [*above, [], heads, ["NVIDIA H100 80GB SXM5", 32, 1480, "GPU/month", "12 months"]]
        path = tmp_path / f"quotation.{ending}"
        if ending == "xlsx":
            book = Workbook()
            for row in rows:
                book.active.append(row)
            book.save(path)
        else:
            path.write_text("\n".join(";".join(map(str, row)) for row in rows))
        (one,) = import_prices([str(path)]).offers
        assert (one.provider, one.as_of, one.valid_until) == ("Vela GPU Ltd.", "2026-11-30", "2026-12-31")
        assert (one.max_gpus, one.interconnect, one.bare_metal) == (32, None, None)


@pytest.mark.parametrize(
    ("above", "vendor", "day"),
    [
        ("Date;30.11.2026\nSupplier;Vela GPU Ltd.\nRef;RFQ-20261128-320D4C", "Vela GPU Ltd.", "2026-11-30"),
        ("RFQ;RFQ-20261128-320D4C\nVendor: Vela GPU Ltd.", "Vela GPU Ltd.", None),
        ("To;Acme Corp.\nRef;RFQ-20261128-320D4C", None, None),
        ("Vela GPU Ltd.\nRFQ-20261128-320D4C\nStart date;01.02.2027", "Vela GPU Ltd.", None),
        ("Vela GPU Ltd.\nRFQ-20261128-320D4C\nExpiry date: 31.12.2026", "Vela GPU Ltd.", None),
        ("Vela GPU Ltd.\nRFQ-20261128-320D4C, date 30.11.2026", "Vela GPU Ltd.", "2026-11-30"),
        ("Vela GPU Ltd.\nRFQ-20261128-320D4C\nQuotation date;30.11.2026", "Vela GPU Ltd.", "2026-11-30"),
    ],
)
def test_a_label_is_no_vendor_and_a_date_of_something_else_no_day_of_the_quotation(
    tmp_path: Path, above: str, vendor: str | None, day: str | None
) -> None:
    path = tmp_path / "quotation.csv"
    path.write_text(f"{above}\n\nDescription;Qty;USD per GPU-hour;Term\nH100 80GB SXM5;32;2,1;12 months\n")
    (one,) = import_prices([str(path)]).offers
    assert (one.provider, one.as_of) == (vendor, day)


def test_the_hardware_is_not_read_of_a_vendors_name_and_each_cell_speaks_for_itself(tmp_path: Path) -> None:
    path = tmp_path / "quotation.csv"
    rows = "NDR Systems;H100;32;2,1;12 months;\nVela;H100 SXM, InfiniBand, bare metal;32;2,2;12 months;no egress fees\n"
    path.write_text(f"RFQ-20261128-320D4C\n\nVendor;Description;Qty;USD per GPU-hour;Term;Remarks\n{rows}")
    first, second = import_prices([str(path)]).offers
    assert (first.interconnect, second.interconnect, second.bare_metal) == (None, "infiniband", True)


@pytest.mark.parametrize(
    ("described", "model", "network", "is_bare"),
    [
        ("H100 80GB SXM5, InfiniBand, bare metal", "H100 SXM", "infiniband", True),
        ("H100 80GB SXM5, RoCE", "H100 SXM", "roce", None),
        ("H100 80GB SXM5 NVLink, 10 GbE uplink", "H100 SXM", None, None),  # neither is between nodes
        ("H100 80GB SXM5, no InfiniBand, bare metal optional", "H100 SXM", None, None),
        ("H200 141GB SXM (we have no H100 in single nodes)", "H200 SXM", None, None),
        ("H100 80GB SXM5, InfiniBand available on request", "H100 SXM", None, None),
        ("H100 80GB SXM5, upgradable to InfiniBand, bare metal or VM", "H100 SXM", None, None),
    ],
)
def test_a_description_says_what_the_hardware_is(
    tmp_path: Path, described: str, model: str, network: str | None, is_bare: bool | None
) -> None:
    path = tmp_path / "quotation.csv"
    path.write_text(QUOTATION.replace("H100 80GB SXM5", described))
    (one,) = import_prices([str(path)]).offers
    assert (one.gpu_model, one.interconnect, one.bare_metal) == (model, network, is_bare)


@pytest.mark.parametrize(
    ("table", "said", "waits"),
    [
        ("Vela\nPrices in EUR, excl. VAT\n\nGPU,Term,$ per GPU/h\nH100,12 months,2.3\n", "excl. VAT", False),
        ("GPU,Term,$ per GPU/h\nH100,12 months,2.3\nAll prices exclude VAT,,\n", "exclude VAT", False),
        ("GPU,Term,$ per GPU/h (without tax)\nH100,12 months,2.3\n", "without tax", False),
        ("GPU,Term,$ per GPU/h,Info\nH100,12 months,2.3,ex stock zzgl. 19% MwSt\n", "zzgl. 19% MwSt", True),
        ("Prices incl. 19% VAT\nGPU,Term,$ per GPU/h\nH100,12 months,2.3\n", "incl. 19% VAT", True),
    ],
)
def test_a_tax_that_stands_anywhere_is_noted(tmp_path: Path, table: str, said: str, waits: bool) -> None:
    """That a price is without it is no more than a note; that it comes on top, or is in it, waits."""
    path = tmp_path / "list.csv"
    path.write_text(table)
    (one,) = import_prices([str(path)]).offers
    assert remark_on(one) == (said, False)
    assert (undecided(one) is not None) is waits


def test_a_list_may_say_when_it_was_quoted(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("vendor,gpu,term_months,usd_per_gpu_hour,quoted_on\nVela,H100,12,2.45,2026-11-10\n")
    read = import_prices([str(path)])
    assert read.offers[0].as_of == "2026-11-10"
    assert not {"undated_price", "unknown_column"} & {issue.code for issue in read.intake[0].issues}


def test_a_quote_in_sentences_is_told_where_to_enter_it(tmp_path: Path) -> None:
    path = tmp_path / "mail.txt"
    path.write_text(
        "Vela GPU Ltd.    Quotation Q-1\nYour ref: RFQ-20261128-320D4C\n\nR1 H100   USD 2.03 / GPU-h\n"
    )
    ((issue,),) = (file.issues for file in check_file(str(path)))
    assert "a quote in prose" in str(issue.message) and "jobs" not in str(issue.message)


@pytest.mark.parametrize(
    ("stated", "computed", "is_another"),
    [
        (None, "3", False),
        ("3", "3", False),
        ("2.99", "3", False),
        ("3.01", "3", False),
        ("2.989", "3", True),
        ("3.011", "3", True),
        ("0", "0.02", True),
    ],
)
def test_a_stated_price_may_be_a_cent_off(stated: str | None, computed: str, is_another: bool) -> None:
    """Prices of one GPU are printed in cents, so a machine's divided by its GPUs is up to a cent beside them."""
    price = None if stated is None else Decimal(stated)
    assert is_mismatch(price, Decimal(computed)) is is_another


@pytest.mark.parametrize(
    ("rate", "low", "high", "ends"),
    [
        ("", "2", "3", (2.0, 3.0)),
        ("2.5", "2", "3", (2.0, 3.0)),
        ("", "€2", "€3", (None, None)),
        ("€2.5", "€2", "€3", (2.0, 3.0)),  # the offer is in euros
    ],
)
def test_a_range_of_a_row_without_a_rate_stands_unless_it_is_of_another_currency(
    tmp_path: Path, rate: str, low: str, high: str, ends: tuple[float | None, float | None]
) -> None:
    path = tmp_path / "list.csv"
    path.write_text(
        f"provider,gpu_model,gpus,rate_usd_per_gpu_hour,low,high\nA,H100,8,{rate},{low},{high}\nB,H100,8,4,3,5\n"
    )
    offers = {offer.provider: offer for offer in import_prices([str(path)]).offers}
    first = offers["A"]
    assert (first.rate_low, first.rate_high) == ends


def test_a_list_counts_its_rows_gaps_repeats_and_dollar_signs() -> None:
    """The third row repeats the first but for blanks; one row is too short, and one too long to be told by columns."""
    counts = ListCounts()
    counts.begin(["GPU", "Price", ""])
    rows = (["H100", "$2", "x"], ["A100", " ", ""], [" H100", "$2 ", "x"], ["L4"], ["L4", "$1", "x", "y"])
    for cells in rows:
        counts.take(cells)
    facts = dict(counts.facts(lambda model: model))
    assert {
        name: facts[name] for name in ("rows", "duplicate_rows", "empty_cells", "rows_with_dollar_sign")
    } == {"rows": 5, "duplicate_rows": 2, "empty_cells": {"Price": 2}, "rows_with_dollar_sign": 2}
