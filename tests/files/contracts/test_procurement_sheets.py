"""Contracts as procurement and finance keep them: notices, terms, ends, lines of one order, rates of nodes."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from gpuplanner.cli.file_results import NOTHING_TO_DO_EXIT, asked_lines, status_of
from gpuplanner.domain.model.book.contract import Contract, line_of
from gpuplanner.domain.model.book.renewal import notice_by_s
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.window import iso_day
from gpuplanner.files.contracts import contract_tables
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import ContractsRead, import_contracts, import_prices
from gpuplanner.files.importing.log_choices import ReadOptions
from tests.some_of import one_in

Read = Callable[..., tuple[FileIntake, tuple[Contract, ...]]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads a sheet as contracts; `said` is what --map says of it."""

    def read_sheet(text: str, said: str = "") -> tuple[FileIntake, tuple[Contract, ...]]:
        path = tmp_path / "sheet.csv"
        path.write_text(text, encoding="utf-8")
        found = import_contracts([str(path)], {str(path): f"+{said}"} if said else None)
        return found.intake[0], found.contracts

    return read_sheet


def _day(seconds: int | None) -> str:
    """A day; of any other instant its hour too."""
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"


def _ends(contracts: tuple[Contract, ...]) -> list[str]:
    return [_day(contract.end_s) for contract in contracts]


def _said(file: FileIntake, code: str) -> str:
    return next((str(issue.message) for issue in file.issues if issue.code == code), "")


NOTICES = "Agreement,Vendor,GPU,GPUs,$/GPU-hr,Start,End date,{heading}\n"


@pytest.mark.parametrize(
    ("heading", "cell", "end", "days"),
    [
        # 1 November 2026 to 1 February 2027: 30 + 31 + 31
        ("Notice", "3 months", "2027-02-01", 92),
        ("Notice", "three months", "2027-02-01", 92),
        ("Notice (mo)", "3", "2027-02-01", 92),
        ("Notice months", "3", "2027-02-01", 92),
        ("Notice (mo)", "90 days", "2027-02-01", 90),  # the cell wins
        ("Notice (days)", "2 months", "2027-02-01", 62),  # 1 December 2026: 31 + 31
        ("Notice period in weeks", "6", "2027-02-01", 42),
        ("Notice (years)", "1", "2027-02-01", 365),
        ("Kündigungsfrist", "3 Monate", "2027-02-01", 92),
        ("Kündigungsfrist in Tagen", "30", "2027-02-01", 30),
        ("Notice", "none", "2027-02-01", 0),
        ("Notice", "60", "2027-02-01", 60),
        ("Notice", "3 months", "", 93),  # 31 a month without an end
        ("Notice", "30 business days", "2027-02-01", None),
        ("Notice", "T+30", "2027-02-01", 30),
        ("Notice", "60 calendar days", "2027-02-01", 60),
        ("Notice", "60 days before the end of the term", "2027-02-01", 60),
        ("Notice", "60 days before quarter end", "2027-02-01", None),
        ("Notice", "3 Monate zum Ende eines Jahres", "2027-02-01", None),
        ("Notice", "available", "2027-02-01", None),  # of a lead, not of a notice
        ("Cancel by", "2026-11-01", "2027-02-01", 91),  # before the last day, 31 January
        ("Notice deadline", "11/16/2026", "2027-02-01", 76),  # 14 + 31 + 31
        ("Cancel by", "2027-03-01", "2027-02-01", None),
    ],
)
def test_a_notice_is_days_back_from_the_end(
    read: Read, heading: str, cell: str, end: str, days: int | None
) -> None:
    file, (contract,) = read(
        NOTICES.format(heading=heading) + f"A1,Acme,H100,64,2.10,2026-02-01,{end},{cell}\n"
    )
    assert contract.notice_days == days
    assert ("notice_unknown" in {issue.code for issue in file.issues}) == (days is None)
    assert contract.notice_written == (None if days is not None else cell)
    assert not _said(file, "undecided")


@pytest.mark.parametrize("last_day", ["2026-11-01", "2027-01-30"])
def test_the_last_day_for_notice_is_the_one_that_the_sheet_says(read: Read, last_day: str) -> None:
    heading = NOTICES.format(heading="Cancel by")
    _, (contract,) = read(f"{heading}A1,Acme,H100,64,2.10,2026-02-01,2027-02-01,{last_day}\n")
    assert _day(notice_by_s(contract, contract.end_s)) == last_day


def test_small_notices_without_a_unit_are_months_and_asked_about(read: Read) -> None:
    rows = "A1,Acme,H100,64,2.10,2026-02-01,2027-02-01,3\nA2,Acme,H100,8,2.10,2026-02-01,2027-02-01,none\n"
    file, contracts = read(NOTICES.format(heading="Notice") + rows)
    assert [contract.notice_days for contract in contracts] == [92, 0]
    assert "--map notice_days=Notice:days" in _said(file, "undecided")
    file, contracts = read(NOTICES.format(heading="Notice") + rows, "notice_days=Notice:days")
    assert [contract.notice_days for contract in contracts] == [3, 0]
    assert not _said(file, "undecided")


def test_whether_it_renews_is_by_its_own_term_or_not_at_all_and_a_lead_is_of_no_contract(read: Read) -> None:
    heading = (
        "Agreement,GPU type,Qty,Rate,Start,End,Term (months),Notice (days),Auto-renewal,Lead time (days)\n"
    )
    row = "{},H100,8,2.50,2026-01-01,{}-01-01,{},90,{},45\n"
    said = (
        ("A", 2027, "12", "Yes"),
        ("B", 2027, "12", "No"),
        ("C", 2027, "", "auto"),
        ("D", 2028, "24", "Yes (3 mo)"),
    )
    file, contracts = read(heading + "".join(row.format(*one) for one in said))
    assert {one.contract_id: one.renews_months for one in contracts} == {"A": 12, "B": 0, "C": 12, "D": 3}
    assert not _said(file, "column_unread")


@pytest.mark.parametrize(
    "whether", ["Auto-Renewal,Renewal Term (months)", "Renews automatically,Renewal period"]
)
@pytest.mark.parametrize("turn", [1, -1])
def test_whether_it_renews_and_by_which_term_may_be_two_columns(read: Read, whether: str, turn: int) -> None:
    """No is 0 whatever the term, Yes is the term, else its own; whoever may renew has none that is known."""
    heads = ",".join(whether.split(",")[::turn])
    said = {
        "A": ("No", ""), "B": ("Yes", "6"), "C": ("No", "12"), "D": ("Yes", ""), "E": ("Yes", "n/a"),
        "F": ("", "3"), "G": ("Optional", "12"), "H": ("", ""), "I": ("Yes", "0"), "J": ("No", "0"),
    }  # fmt: skip
    rows = [
        f"{name},H100,8,2.50,2026-01-01,2028-01-01,{','.join(cells[::turn])}" for name, cells in said.items()
    ]
    file, contracts = read("\n".join((f"Agreement,GPU type,Qty,Rate,Start,End,{heads}", *rows, "")))
    months = {one.contract_id: one.renews_months for one in contracts}
    assert months == {
        "A": 0, "B": 6, "C": 0, "D": 24, "E": 24, "F": 3, "G": None, "H": None, "I": 0, "J": 0
    }  # fmt: skip
    assert re.search("“12”.*“No”|“No”.*“12”", _said(file, "undecided"))
    assert _said(file, "undecided").count("renews by “") == 2
    assert "G “Optional”: renewal unclear" in _said(file, "undecided")
    assert not _said(file, "unknown_column") + _said(file, "column_unread")


def test_one_notice_of_weeks_makes_all_bare_numbers_days(read: Read) -> None:
    rows = "A1,Acme,H100,64,2.10,2026-02-01,2027-02-01,30\nA2,Acme,H100,8,2.10,2026-02-01,2027-02-01,7\n"
    _, contracts = read(NOTICES.format(heading="Notice") + rows)
    assert [contract.notice_days for contract in contracts] == [30, 7]


def test_our_own_notice_may_say_months(read: Read) -> None:
    _, (contract,) = read("contract_id,gpus,start,end,notice_days\nA1,8,2026-02-01,2027-02-01,3 months\n")
    assert contract.notice_days == 92


@pytest.mark.parametrize(
    ("heading", "cell", "months"),
    [
        ("Minimum term", "1 year", 12),
        ("Minimum term (years)", "2", 24),
        ("Min term months", "6", 6),
        ("Minimum term", "6", 6),
    ],
)
def test_a_minimum_term_is_months(read: Read, heading: str, cell: str, months: int) -> None:
    _, (contract,) = read(
        NOTICES.format(heading=heading) + f"A1,Acme,H100,64,2.10,2026-02-01,2029-02-01,{cell}\n"
    )
    assert contract.min_term_months == months


ENDS = "Agreement,Vendor,GPU,GPUs,$/GPU-hr,Start,{heading}\n"


@pytest.mark.parametrize(
    ("heading", "rows", "ends"),
    [
        # the next day is a first of the month: last days, and all rows are read so
        ("End", (("2026-02-01", "2027-01-31"), ("2026-02-10", "2027-06-17")), ["2027-02-01", "2027-06-18"]),
        # the end is an anniversary of the start
        ("End", (("2026-02-10", "2027-02-10"), ("2026-02-10", "2027-06-17")), ["2027-02-10", "2027-06-17"]),
        # the next day is the anniversary of a 31st: the last of April
        ("End", (("2026-01-31", "2027-04-29"),), ["2027-04-30"]),
        # the next day is the anniversary
        ("End", (("2026-02-10", "2027-02-09"),), ["2027-02-10"]),
        # headings decide before rows do
        ("Last day", (("2026-02-01", "2027-02-01"),), ["2027-02-02"]),
        ("Through", (("2026-02-01", "2027-02-01"),), ["2027-02-02"]),
        ("Renewal date", (("2026-02-01", "2027-01-31"),), ["2027-01-31"]),
        # one day
        ("End", (("2026-02-10", "2026-02-10"), ("2026-02-10", "2027-02-10")), ["2026-02-11", "2027-02-10"]),
        # a time of day is an instant; 23:59 is the end of its day
        ("End", (("2026-02-01", "2027-01-31T12:00:00Z"),), ["2027-01-31"]),
        ("End", (("2026-02-01", "2027-01-31 23:59:59"),), ["2027-02-01"]),
        ("End", (("2026-02-01", "9999-12-31"),), [""]),
        ("End", (("2026-02-01", "Dec 2026"),), ["2027-01-01"]),
    ],
)
def test_what_an_end_means_is_told_by_its_heading_and_its_rows(
    read: Read, heading: str, rows: tuple[tuple[str, str], ...], ends: list[str]
) -> None:
    lines = (f"A{at},Acme,H100,64,2.10,{start},{end}\n" for at, (start, end) in enumerate(rows))
    file, contracts = read(ENDS.format(heading=heading) + "".join(lines))
    assert _ends(contracts) == ends
    assert not _said(file, "undecided")


@pytest.mark.parametrize(
    ("rows", "ends"),
    [
        ((("2026-02-10", "2027-06-17"),), ["2027-06-18"]),  # nothing tells
        (
            (("2026-02-10", "2027-02-09"), ("2026-02-10", "2027-03-01")),
            ["2027-02-10", "2027-03-02"],
        ),  # they differ
        ((("2026-01-30", "2027-02-28"),), ["2027-03-01"]),
        ((("2026-03-31", "2027-03-31"),), ["2027-04-01"]),  # both: an anniversary, and the next is a first
    ],
)
def test_ends_that_are_open_are_last_days_and_asked_about(
    read: Read, rows: tuple[tuple[str, str], ...], ends: list[str]
) -> None:
    lines = "".join(f"A{at},Acme,H100,64,2.10,{start},{end}\n" for at, (start, end) in enumerate(rows))
    file, contracts = read(ENDS.format(heading="End") + lines)
    assert _ends(contracts) == ends
    assert "--map end=End:exclusive" in _said(file, "undecided")
    file, contracts = read(ENDS.format(heading="End") + lines, "end=End:exclusive")
    assert _ends(contracts) == [end for _, end in rows]
    assert not _said(file, "undecided")


def test_a_stated_term_decides_for_its_row(read: Read) -> None:
    rows = "A,H100,8,2,2026-03-31,2027-03-31,12\nB,H100,8,2,2026-03-31,2027-03-30,12\n"
    text = "Agreement,GPU,GPUs,$/GPU-hr,Start,End,Term\n" + rows
    file, contracts = read(text)
    assert _ends(contracts) == ["2027-03-31", "2027-03-31"]
    assert not _said(file, "undecided")


def test_our_own_ends_are_exclusive(read: Read) -> None:
    _, (contract,) = read("contract_id,gpus,start,end,price per GPU-hour\nA1,8,2026-02-10,2027-06-17,2\n")
    assert _ends((contract,)) == ["2027-06-17"]


def test_days_of_a_workbook_are_days(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["PO #", "Vendor", "GPU", "GPUs", "$/GPU-hr", "Start", "End"])
    sheet.append(["4500012", "Acme", "H100", 64, 2.1, datetime(2026, 2, 1), datetime(2027, 1, 31)])
    book.save(tmp_path / "sheet.xlsx")
    (contract,) = import_contracts([str(tmp_path / "sheet.xlsx")]).contracts
    assert (contract.contract_id, _day(contract.end_s)) == ("4500012", "2027-02-01")


@pytest.mark.parametrize("heading", ["PO", "PO #", "Purchase order", "Bestellnummer"])
def test_a_contracts_own_name_counts_before_its_purchase_order_which_is_kept(
    read: Read, heading: str
) -> None:
    lines = ("Vendor,GPU,GPUs,$/GPU-hr,Start,End\n", "Acme,H100,8,2,2026-02-01,2027-02-01\n")
    file, (contract,) = read(f"{heading},Contract,{lines[0]}4500012,A-1,{lines[1]}")
    assert (contract.contract_id, contract.purchase_order) == ("A-1", "4500012")
    assert not _said(file, "unknown_column") + _said(file, "column_unread")
    _, (alone,) = read(f"{heading},{lines[0]}4500012,{lines[1]}")
    assert (alone.contract_id, alone.purchase_order) == ("4500012", None)


@pytest.mark.parametrize("heading", ["PO", "PO #", "Order form", "Purchase order", "Agreement"])
def test_lines_of_one_order_are_told_apart(read: Read, heading: str) -> None:
    lines = ("A1,Acme,H100,64,2.10", "A1,Acme,H200,32,2.60", "A1,Acme,H200,32,2.60", "B7,Acme,L40S,8,0.80")
    text = f"{heading},Vendor,GPU,GPUs,$/GPU-hr,Start,End\n" + "".join(
        f"{line},2026-02-01,2027-02-01\n" for line in lines
    )
    file, contracts = read(text)
    assert [(one.contract_id, one.gpus) for one in contracts] == [("A1", 64), ("A1 (2)", 32), ("B7", 8)]
    assert (file.rows_accepted, file.rows_duplicate) == (3, 1)
    assert "A1 (2)" in _said(file, "computed")


def test_lines_of_an_order_are_told_apart_in_one_pass(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each was held against all before it. A file's own `A1 (2)` keeps its name, and goes on from its other lines."""
    asked: list[str] = []

    def counted(one: Contract, at_s: int | None) -> tuple[object, ...]:
        asked.append(one.contract_id)
        return line_of(one, at_s)

    monkeypatch.setattr(contract_tables, "line_of", counted)
    ends = [f"2027-{month:02}-01" for month in range(1, 10)]
    lines = "".join(f"A1,Acme,H100,8,2,2026-02-01,{end}\n" for end in ends)
    own = "A1 (2),Acme,H100,32,2,2027-09-01,2028-01-01\n"
    file, contracts = read(f"PO,Vendor,GPU,GPUs,$/GPU-hr,Start,End\n{own}{lines}{lines}")
    assert {one.contract_id for one in contracts} == {"A1", *(f"A1 ({at})" for at in range(2, 11))}
    assert len(asked) == 2 * len(contracts) and file.rows_duplicate == len(ends)
    file, _ = read(f"PO,Vendor,GPU,GPUs,$/GPU-hr,Start,End\n{own}A1,Acme,H100,8,2,2026-02-01,{ends[-1]}\n")
    assert "A1 (2)" in _said(file, "computed")
    steps = [f"A1,Acme,H100,{gpus},2,2026-02-01,2027-02-01\n" for gpus in (8, 4)]
    for of in ([*steps, own.replace("A1 (2)", "A1").replace("2027-09", "2027-02")], steps):
        file, contracts = read("PO,Vendor,GPU,GPUs,$/GPU-hr,Start,End\n" + "".join(of))
        told = [
            one.contract_id
            for one in contracts
            if f" continues {one.contract_id}:" in _said(file, "computed")
        ]
        assert told == [one.contract_id for one in contracts if one.renews_months == 0]


@pytest.mark.parametrize("turn", [1, -1])
def test_a_line_that_another_line_of_its_contract_goes_on_from_does_not_renew(read: Read, turn: int) -> None:
    """A ramp of three rows: its steps are signed, and the last alone has a notice to give."""
    lines = ["A1,Acme,H100,32,2,2026-01-01,2026-03-31", "A1,Acme,H100,64,2,2026-04-01,2026-06-30",
             "A1,Acme,H100,96,2,2026-07-01,2026-12-31"][::turn]  # fmt: skip
    other = "A1,Acme,H200,8,3,2027-01-01,2027-03-31"  # of other GPUs: no step
    text = "PO,Vendor,GPU,GPUs,$/GPU-hr,Start,Last day,Notice,Auto-renewal\n"
    file, contracts = read(text + "".join(f"{line},3 months,12 months\n" for line in (*lines, other)))
    assert [one.contract_id for one in contracts] == ["A1", "A1 (2)", "A1 (3)", "A1 (4)"]
    renews = {one.gpus: one.renews_months for one in contracts}
    assert renews == {32: 0, 64: 0, 96: 12, 8: 12}
    assert sum("a contract step, not a renewal" in str(one.message) for one in file.issues) == 1


@pytest.mark.parametrize(
    ("columns", "cells", "gpus", "rate"),
    [
        # $3,400 / 24 h / 8 GPUs
        ("GPUs,$/node/day", '8,"$3,400"', 8, "17.708333"),
        ("GPUs,Rate,Rate unit", '8,"$3,400",per node per day', 8, "17.708333"),
        ("Nodes,Price per node-hour", "4,20", 32, "2.5"),
        ("Nodes,GPUs per node,Price per node-hour", "4,4,20", 16, "5"),  # the row before the usual
        ("GPUs,Price per 4-GPU node hour", "16,20", 16, "5"),  # the heading before the usual
    ],
)
def test_a_rate_of_a_node_is_divided_by_its_gpus(
    read: Read, columns: str, cells: str, gpus: int, rate: str
) -> None:
    file, (contract,) = read(f"PO,GPU,{columns},Start,End\nA1,H100,{cells},2026-02-01,2027-02-01\n")
    assert (contract.gpus, str(contract.rate_usd_per_gpu_hour)) == (gpus, rate)
    assert _said(file, "computed")


def test_nodes_of_a_model_that_nobody_knows_say_what_is_missing(read: Read) -> None:
    file, contracts = read(
        "PO,GPU model,Nodes,$/node/day,Start,End\nA1,Zorro 9,4,100,2026-02-01,2027-02-01\n"
    )
    assert contracts == ()
    assert "gpus_per_node" in _said(file, "bad_number")


@pytest.mark.parametrize("heading", ["Valid thru", "Expires", "valid_until"])
def test_a_quote_is_valid_until_a_day(tmp_path: Path, heading: str) -> None:
    path = tmp_path / "quotes.csv"
    path.write_text(
        f"Vendor,GPU,$/GPU-hr,Term,As of,{heading}\nAcme,H100,2.10,12 months,03/11/2026,31/12/2026\n",
        encoding="utf-8",
    )
    (offer,) = import_prices([str(path)]).offers  # the 31 settles the day of the other too
    assert (str(offer.valid_until), offer.as_of) == ("2026-12-31", "2026-11-03")


def test_check_takes_what_the_map_says_of_contracts(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(
        ENDS.format(heading="End") + "A1,Acme,H100,64,2.10,2026-02-10,2027-06-17\n", encoding="utf-8"
    )
    (file,) = check_file(str(path))
    assert dict(file.facts)["last_end"] == "2027-06-18T00:00:00Z"
    (file,) = check_file(str(path), ReadOptions(mapping="end=End:exclusive"))
    assert (file.kind, dict(file.facts)["last_end"]) == ("contracts", "2027-06-17T00:00:00Z")


def test_what_fits_nothing_is_told_what_it_is_nearest_to(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(
        "Order form,Vendor,GPU model,How many,Begins on\nA1,Acme,H100,8,2026-02-01\n", encoding="utf-8"
    )
    (file,) = check_file(str(path))
    said = _said(file, "not_a_job_log")
    assert "--contracts and --map contracts.gpus=COLUMN" in said
    how = {str(path): "+gpus=How many,start=Begins on"}
    (contract,) = import_contracts([str(path)], how).contracts
    assert (contract.contract_id, contract.gpus, _day(contract.start_s)) == ("A1", 8, "2026-02-01")


REGISTERS = {
    # heading and one row: GPUs, $ per GPU-hour, day after the last one
    "the price that is paid, not that of the list": (
        "Contract,Vendor,GPU,GPUs,List price,Discount,Net price per GPU-hour,Start,End",
        "A,Acme,H100,64,3.00,30%,2.10,2026-02-01,2027-01-31",
        (64, "2.10", "2027-02-01"),
    ),
    "a value of a year": (
        "Contract,Vendor,GPU,GPUs,Annual value (USD),Start,End",
        'A,Acme,H100,64,"1,177,344",2026-02-01,2027-01-31',
        (64, "2.1", "2027-02-01"),
    ),
    "sets of nodes and a unit in a column": (
        "Contract #,Vendor,Resource,Units,Rate,Rate basis,Commencement,Expiration",
        'A,Acme,8xH100 node,8,"$19,200",per node / month,"Feb 1, 2026","Jan 31, 2027"',
        (64, "3.287671", "2027-02-01"),
    ),
    "machines of a cloud, counted, at a price by the hour of one": (
        "ID,Cloud,Instance,Count,Hourly (USD),From,To,Type",
        "A,AWS,p5.48xlarge,4,55.04,2026-02-01,2027-02-01,1yr no upfront",
        (32, "6.88", "2027-02-01"),
    ),
    "years first, with strokes": (
        "Contract,Vendor,GPU,GPUs,$/GPU-hr,Start,End",
        "A,Acme,H100,64,2.10,2026/02/01,2027/01/31",
        (64, "2.10", "2027-02-01"),
    ),
    "a commitment that says how long it renews for": (
        "Ref,Vendor,GPU type,# GPUs,Total monthly ($),Commit start,Commit end,Auto renewal,Renews",
        "R1,Acme,H200,128,229000,1 Jan 2026,31 Dec 2027,yes,12 months",
        (128, "2.450771", "2028-01-01"),
    ),
    "no end, in words": (
        "Contract,Vendor,GPU,GPUs,$/GPU-hr,Start,End",
        "A,Acme,H100,64,2.10,2026-02-01,month-to-month",
        (64, "2.10", ""),
    ),
    "neither vendor nor number, under headings of one's own": (
        "Vendor / contract,GPU,GPUs,USD/GPU-hr,Start,End,Monthly cost",
        "CW-1,H100,64,2.10,2026-02-01,2027-01-31,98112",
        (64, "2.10", "2027-02-01"),
    ),
    "an end that is mostly open": (
        "| cluster | provider | type | gpus | $/gpu/h | from | until |\n|---|---|---|---:|---:|---|---|",
        "| prod | Acme | H100 | 64 | 2.10 | Feb 2026 | evergreen |",
        (64, "2.10", ""),
    ),
    "months of a term under their own heading": (
        "PO,Vendor,GPUs,Price/GPU/hr,Start,Months",
        "A,Acme,64x H100,2.10,2026-02-01,12",
        (64, "2.10", "2027-02-01"),
    ),
    "machines of a cloud, counted, at a price of each": (
        "PO,Vendor,Description,Qty,Unit price (USD/hr),Start,End",
        "A,Oracle,BM.GPU.H100.8,4,80.00,2026-02-01,2027-01-31",
        (32, "10", "2027-02-01"),
    ),
    "German, as finance keeps it": (
        "Vertrag;Lieferant;Karten;Anzahl;Monatspreis netto;Laufzeit von;Laufzeit bis;Frist",
        "A;Rhein;H100;32;49.056,00;01.02.2026;31.01.2027;drei Monate",
        (32, "2.1", "2027-02-01"),
    ),
}


@pytest.mark.parametrize("name", REGISTERS)
def test_a_register_is_read_as_it_is_meant(read: Read, name: str) -> None:
    heading, row, (gpus, rate, end) = REGISTERS[name]
    _, (contract,) = read(f"{heading}\n{row}\n")
    assert (contract.gpus, str(contract.rate_usd_per_gpu_hour)) == (gpus, rate)
    assert _ends((contract,)) == [end]


def test_what_binds_nobody_is_left_out_and_what_ended_is_said(read: Read) -> None:
    rows = ("A,64,Active", "B,32,Draft", "C,16,not exercised", "D,8,Terminated 2026-06-30", "E,8,Expired",
            "F,4,LOI signed")  # fmt: skip
    text = "Contract,GPUs,Status,Vendor,GPU,$/GPU-hr,Start,End\n" + "".join(
        f"{row},Acme,H100,2.10,2026-02-01,2027-01-31\n" for row in rows
    )
    file, contracts = read(text)
    assert [one.contract_id for one in contracts] == ["A", "D", "E", "F"]
    assert file.rows_ignored == 2
    assert all(said in _said(file, "left_out") for said in ("B is Draft", "C is not exercised"))
    ended = ("D is Terminated 2026-06-30", "E is Expired", "F is LOI signed")
    assert all(said in _said(file, "undecided") for said in ended)
    assert [line.split(": ")[1] for line in asked_lines([file])] == ["left_out", "undecided"]


def test_lines_of_an_order_that_are_no_gpus_are_left_out(read: Read) -> None:
    """250 TB of storage are not 250 GPUs, and a credit is no contract."""
    file, contracts = read(
        "Order,Vendor,Product,Qty,Unit,Unit price,Start,End\n"
        'OF-1,Acme,H100 SXM reserved,64,GPU,"$2.40",2026-01-01,2026-12-31\n'
        'OF-1,Acme,Premium support,1,month,"$9,500.00",2026-01-01,2026-12-31\n'
        'OF-1,Acme,Object storage (TB),250,TB,"$21.00",2026-01-01,2026-12-31\n'
        'OF-1,Acme,Goodwill,1,ea,"($12,000.00)",2026-01-01,2026-12-31\n'
    )
    (contract,) = contracts
    assert (contract.gpus, contract.rate, contract.gpu_model) == (64, 2.4, "H100 SXM")
    assert file.rows_ignored == 3
    assert all(
        item in _said(file, "left_out") for item in ("Premium support", "Object storage", "-$12,000.00")
    )


@pytest.mark.parametrize("heading", ["GPU model", "Item"])
@pytest.mark.parametrize(
    "item",
    [
        "Blackwell training pod",
        "GPU server with support",
        "NVL72 rack",
        "Grace Hopper software dev",
        "L40S + switch",
    ],
)
def test_what_may_be_of_gpus_is_never_left_out(read: Read, heading: str, item: str) -> None:
    """What may be of other goods is asked about, under whatever heading."""
    file, contracts = read(
        f"ID,Provider,{heading},GPUs,Start,End,Rate USD/GPU-h\n"
        f"A,Acme,H100,64,2026-01-01,2026-12-31,2.10\nB,Acme,{item},32,2026-01-01,2026-12-31,2.20\n"
    )
    assert [(one.contract_id, one.gpus, one.rate) for one in contracts] == [("A", 64, 2.1), ("B", 32, 2.2)]
    assert item in _said(file, "undecided")


def test_an_instance_of_known_gpus_is_clear_and_one_without_is_left_out(read: Read) -> None:
    file, (contract,) = read(
        "Reservation,Cloud,Instance type,Count,Price per GPU-hour,Start,End\n"
        "A,AWS,p5.48xlarge,8,6.88,2026-03-01,2027-03-01\nB,AWS,m7i.4xlarge,20,0.8,2026-03-01,2027-03-01\n"
    )
    assert (contract.gpus, contract.gpu_model) == (64, "H100")
    assert "“m7i.4xlarge” is not a GPU (0.8)" in _said(file, "left_out")


def test_what_is_no_gpu_is_left_out_with_its_money(read: Read) -> None:
    """Colocation of a leased rack fell away without its amount: what is paid looked 3% lower."""
    file, _ = read(
        "Contract,Vendor,Description,Quantity,Unit,Price,Currency,Per,Start,End\n"
        "K,Vela,H100 SXM,8,GPUs,2.5,USD,GPU/hour,2026-01-01,2026-12-31\n"
        "C,Data,Colocation and power rack R07,1,rack,11400,EUR,month,2026-01-01,2026-12-31\n"
    )
    said = _said(file, "left_out")
    assert "“Colocation and power rack R07”" in said and "11400 EUR" in said


@pytest.mark.parametrize(
    "item", ["Managed Kubernetes", "InfiniBand fabric for H100", "Network for 8 H100 nodes"]
)
def test_what_is_for_gpus_is_none(read: Read, item: str) -> None:
    file, (contract,) = read(
        "Order,Vendor,Item,Qty,Monthly cost,Start,End\n"
        "A,Acme,H100 SXM with InfiniBand,64,150000,2026-01-01,2026-12-31\n"
        f"B,Acme,{item},1,9000,2026-01-01,2026-12-31\n"
    )
    assert (contract.gpu_model, contract.gpus) == ("H100 SXM", 64)
    assert f"“{item}” is not a GPU (9000)" in _said(file, "left_out")


def test_nodes_that_only_the_item_names_are_counted_as_nodes(read: Read) -> None:
    """4 nodes of 8 at $3.10 per GPU-hour; under a heading of models `H200 node` may be how one is sold."""
    sheet = "{item},Qty,$/GPU-hr,Start,End,Vendor\nH200 nodes,4,$3.10,2026-01-01,2026-12-31,Vela\n"
    file, (contract,) = read(sheet.format(item="Item"))
    assert (contract.gpu_model, contract.gpus, contract.rate) == ("H200", 32, 3.1)
    assert "4 nodes of 8 GPUs" in _said(file, "computed") and "32 GPUs" in _said(file, "computed")
    assert read(sheet.format(item="GPU model"))[1][0].gpus == 4


@pytest.mark.parametrize(
    ("item", "model", "gpus"),
    [
        ("L40S 48GB, 4 nodes x 8", "L40S", 32),  # it was rejected: a node of L40S has no usual count
        ("L40S, 4 nodes × 6", "L40S", 24),
        ("Rack R07, HGX H200 141GB, 4 nodes x 8 GPU", "H200 SXM", 32),  # it was a model of its own
        ("H100 80GB p5.48xlarge nodes", "H100", 32),
        ("A100 or H100, 4 nodes x 8", "A100 or H100, 4 x 8", 32),  # never a guess between two
        ("H100, 4 nodes x 12 months", "H100", 32),  # months are no GPUs of a node
        ("H100, Hillsboro OR, 4 nodes x 8", "H100", 32),  # a state is no choice
    ],
)
def test_an_item_says_the_gpus_of_a_node_and_the_one_model_among_its_words(
    read: Read, item: str, model: str, gpus: int
) -> None:
    _, (contract,) = read(
        f'Contract,Vendor,Description,Quantity,Unit,Price,Per,Start,End\nK,Vela,"{item}",4,nodes,5200,node/month,'
        "2026-01-01,2026-12-31\n"
    )
    assert (contract.gpu_model, contract.gpus) == (model, gpus)


@pytest.mark.parametrize("heading", ["Line", "Ligne 2", "Quoi", "Position"])
def test_a_column_whose_cells_name_gpus_is_what_was_ordered_whatever_its_heading(
    read: Read, heading: str
) -> None:
    """Else storage and onboarding would count as GPUs at $25,000 an hour."""
    file, (contract,) = read(
        f"Order Form,Vendor,{heading},Qty,UoM,Unit Price,Term Start,Term End\n"
        'OF-9,Vela,H100 SXM5 compute,512,GPU-month,"$1,679.00",2026-02-01,2027-01-31\n'
        'OF-9,Vela,Shared storage 500TB,1,month,"$9,000",2026-02-01,2027-01-31\n'
        'OF-9,Vela,One-time onboarding,1,each,"$25,000",2026-02-01,2027-01-31\n'
    )
    assert (contract.gpu_model, contract.gpus, contract.rate) == ("H100 SXM", 512, 2.3)
    assert file.rows_ignored == 2 and "One-time onboarding" in _said(file, "left_out")


def test_a_lease_of_systems_is_of_their_gpus(read: Read) -> None:
    """Units count the systems; the monthly lease is of all of them: 96,000 / (730 x 32)."""
    file, (contract,) = read(
        "Lease,Lessor,Asset,Units,Monthly lease,Lease start,Lease end\n"
        'L1,Leaseco,DGX H100,4,"$96,000",2025-07-01,2028-06-30\n'
    )
    assert (contract.contract_id, contract.provider, contract.gpus) == ("L1", "Leaseco", 32)
    assert contract.rate == pytest.approx(96_000 / (730 * 32), abs=1e-6)
    assert "4 nodes of 8 GPUs" in _said(file, "computed")


@pytest.mark.parametrize(
    ("item", "quantity", "is_read"),
    [("H100 GPU-hours", "50,000", False), ("H100 SXM", "50,000", True), ("H100 GPU hours", "64", True)],
)
def test_a_quantity_of_gpu_hours_is_no_number_of_gpus(
    read: Read, item: str, quantity: str, is_read: bool
) -> None:
    file, contracts = read(
        "Item,Quantity,Unit,Unit price,Start,End,Vendor\n"
        f'{item},"{quantity}",GPU-hour,$2.10,2026-01-01,2026-12-31,Vela\n'
    )
    assert (len(contracts) == 1, not _said(file, "bad_number")) == (is_read, is_read)
    assert ("“50000 GPU-hour”" in _said(file, "undecided")) is (is_read and quantity != "64")


@pytest.mark.parametrize(
    ("item", "counted", "is_kept", "code"),
    [
        ("Storage 100 TB", "Qty", False, "left_out"),
        ("Zeta 900", "Qty", True, "undecided"),
        ("Zeta 900", "GPUs", True, ""),
        ("Reserved capacity incl. support", "GPUs", True, "undecided"),
    ],
)
def test_an_item_of_no_known_model_is_left_out_or_said_to_count(
    read: Read, item: str, counted: str, is_kept: bool, code: str
) -> None:
    """Where no cell of the column names a model, it is read as none; what it may be of is told all the same."""
    file, contracts = read(
        f"Vendor,Item,{counted},Monthly price,Start,End\nA,{item},64,9000,2026-01-01,2027-01-01\n"
    )
    assert len(contracts) == is_kept
    told = {issue.code for issue in file.issues} & {"left_out", "undecided"}
    assert told == ({code} if code else set()) and (not code or item in _said(file, code))
    assert status_of(ContractsRead((), (file,))) == (not is_kept)


@pytest.mark.parametrize(
    ("price", "off", "is_said"), [("List", "35%", True), ("Net", "35%", False), ("List", "0.0%", False)]
)
def test_a_discount_that_is_not_taken_off_is_said(read: Read, price: str, off: str, is_said: bool) -> None:
    heading = f"Vendor,GPU model,GPUs,{price} price per GPU-hour,Discount,Start"
    file, (one,) = read(f"{heading}\nA,H100,8,4.00,{off},2026-01-01\n")
    assert one.rate == 4
    assert ("“Discount”" in _said(file, "undecided")) == is_said


def test_models_under_their_own_heading_stay_as_they_stand(read: Read) -> None:
    _, contracts = read(
        "ID,Provider,GPU model,GPUs,Start,End,Rate USD/GPU-h\nA,Acme,H100 SXM,64,2026-01-01,2026-12-31,2.10\n"
        "B,Acme,unknown (training),32,2026-01-01,2026-12-31,2.20\nC,Acme,various (colo),8,2026-01-01,2026-12-31,1\n"
    )
    assert [one.gpu_model for one in contracts] == ["H100 SXM", "unknown (training)", "various (colo)"]


@pytest.mark.parametrize(
    ("item", "unit", "is_held"),
    [
        ("Storage for H100 cluster", "TB", False),
        ("H100 installation fee", "ea", False),
        ("Goodwill", "lot", False),
        ("Premium support", "month", False),
        ("H100 seats", "seat", False),
        ("H100 SXM reserved", "ea", True),
        ("H100 reserved", "month", True),
        ("GPU server - training", "GPU", True),
        ("Storage bundle", "GPU", True),
    ],
)
def test_a_unit_counts_before_what_the_item_names(read: Read, item: str, unit: str, is_held: bool) -> None:
    file, contracts = read(
        "Order,Vendor,Product,Qty,Unit,Unit price,Start,End\nOF-1,Acme,H100 SXM,64,GPU,2.40,2026-01-01,2026-12-31\n"
        f"OF-2,Acme,{item},250,{unit},21.00,2026-01-01,2026-12-31\n"
    )
    assert [one.contract_id for one in contracts] == ["OF-1", "OF-2"][: 1 + is_held]
    assert (item in _said(file, "left_out")) is not is_held


def test_all_rows_that_are_left_out_are_told_and_a_file_of_them_is_of_no_use(read: Read) -> None:
    head = "ID,Provider,Item,GPUs,Start,End,Rate USD/GPU-h\n"
    rows = "".join(f"S{at},Acme,Storage lot {at},8,2026-01-01,2026-12-31,2.10\n" for at in range(12))
    file, _ = read(f"{head}A,Acme,H100,8,2026-01-01,2026-12-31,2.10\n{rows}")
    (line,) = asked_lines([file])
    assert all(f"Storage lot {at}”" in line for at in range(12))
    assert status_of(_Files((file,))) == 0
    assert status_of(_Files((replace(file, rows_accepted=0),))) == NOTHING_TO_DO_EXIT


@dataclass(frozen=True)
class _Files:
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...] = ()


@pytest.mark.parametrize(
    ("end", "kind"),
    [("2026-09-01 04:10", "unknown"), ("2027-02-28", "contracts"), ("2026-09-29", "contracts")],
)
def test_runs_of_hours_are_no_contracts(tmp_path: Path, end: str, kind: str) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(
        f"GPU type,GPUs,Start,End,$/GPU-hr\nH100,8,2026-09-01 00:10,{end},2.10\n", encoding="utf-8"
    )
    (file,) = check_file(str(path))
    assert file.kind == kind


@pytest.mark.parametrize(("months", "is_asked"), [("36", True), ("1", True), ("12", False), ("13", False)])
def test_a_term_that_is_not_the_rows_span_is_asked_about(read: Read, months: str, is_asked: bool) -> None:
    file, (contract,) = read(
        "ID,Provider,GPU model,GPUs,Start,End,Rate USD/GPU-h,Months\n"
        f"A,Acme,H100,64,2026-01-01,2026-12-31,2.10,{months}\n"
    )
    assert _ends((contract,)) == ["2027-01-01"]
    asked = _said(file, "undecided")
    assert (f"{months} months" in asked and "2026-12-31" in asked) == is_asked


def test_a_contract_from_month_to_month_has_no_term_and_does_not_end(read: Read) -> None:
    file, (contract,) = read(
        "PO,Vendor,GPU,GPUs,$/GPU-hr,Start,End,Term,Notice\nA,Acme,H100,8,2,2026-02-01,n/a,Mo. to mo.,n/a\n"
    )
    assert (contract.term_months, contract.end_s, contract.notice_days) == (None, None, None)
    assert not _said(file, "bad_number")


def test_a_row_whose_unit_is_told_is_not_asked_about(read: Read) -> None:
    rows = 'A,H100,64,2.10,per GPU per hour\nB,H200,8,"$3,400",per node per day\n'
    text = "PO,GPU,Count,Rate,Unit,Start,Last day\n" + rows.replace("\n", ",2026-02-01,2027-01-31\n")
    file, contracts = read(text)
    assert [str(one.rate_usd_per_gpu_hour) for one in contracts] == ["2.10", "17.708333"]
    assert not _said(file, "undecided")


def test_a_unit_price_is_of_one_gpu_for_the_time_that_its_row_says(read: Read) -> None:
    """64 GPUs at $1,788.50 a month each: 2.45 an hour; a node of eight at 28.00: 3.50."""
    head = "PO,Vendor,Description,Qty,Unit,Unit price,Start,End\n"
    days = "2026-01-01,2026-12-31\n"
    lines = {
        "H100 SXM": ("64,month,1788.5", 2.45),
        "H200 SXM": ("8,GPU-hour,3.20", 3.2),
        "B200 node": ("2,node,28.00", 3.5),
        "A100 80GB": ("16,GPU/month,1095", 1.5),
        "L40S": ("4,year,8760", 1.0),
    }
    rows = [f"P,V,{item},{line},{days}" for item, (line, _) in lines.items()]
    _, contracts = read(head + "".join(rows))
    assert [float(one.rate_usd_per_gpu_hour or 0) for one in contracts] == [
        rate for _, rate in lines.values()
    ]
    assert [one.milli_gpus // 1000 for one in contracts] == [64, 8, 16, 16, 4]  # two nodes of eight


@pytest.mark.parametrize("heading", ["service", "Leistung", "What"])
def test_services_are_what_is_ordered(read: Read, heading: str) -> None:
    file, (contract,) = read(
        f"ID,Provider,{heading},GPUs,Rate,Start,End\nA,Acme,H100 SXM,64,2.10,2026-01-01,2027-01-01\n"
        "B,Acme,Enterprise Support,1,15000,2026-01-01,2027-01-01\n"
    )
    assert contract.contract_id == "A" and "Enterprise Support" in _said(file, "left_out")


def test_a_year_of_what_goes_with_gpus_is_none_of_them(read: Read) -> None:
    head = "PO,Vendor,Description,Qty,Unit,Unit price,Start,End\n"
    days = "2026-01-01,2026-12-31\n"
    of_gpus = [f"P,V,H100,{gpus},GPU,2.45,{days}" for gpus in (8, 16, 64)]
    file, contracts = read(head + "".join(of_gpus) + f"P,V,Support for H100 cluster,1,year,50000,{days}")
    assert [one.milli_gpus // 1000 for one in contracts] == [8, 16, 64]
    assert "Support for H100 cluster" in _said(file, "left_out")
    _, (contract,) = read(f'{head}P,V,"B200 node, 8x, with storage option",2,node,28.00,{days}')
    assert (contract.gpu_model, contract.milli_gpus, contract.rate_usd_per_gpu_hour) == (
        "B200",
        16_000,
        Decimal("3.5"),
    )


def test_a_register_without_a_start_is_no_price_list_and_takes_a_constant(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(
        "Vendor,GPU,Qty,Rate per GPU-hour,Expires,PO\nAcme,H100,64,2.10,2026-12-31,PO-1\n", encoding="utf-8"
    )
    (file,) = check_file(str(path))
    assert file.kind == "unknown"
    assert "--contracts and --map contracts.start=COLUMN" in _said(file, "not_a_job_log")
    (file,) = check_file(str(path), ReadOptions(mapping="contracts.start==2026-01-01"))
    facts = dict(file.facts)
    assert (file.kind, facts["gpus"], facts["first_start"]) == ("contracts", 64, "2026-01-01T00:00:00Z")


def test_a_partition_is_the_cluster_of_a_contract(read: Read) -> None:
    _, (contract,) = read(
        "PO,partition,GPU,GPUs,$/GPU-hr,Start,Through\nA,gpu-a,H100,8,2,2026-02-01,2027-01-31\n"
    )
    assert contract.cluster == "gpu-a"


def test_servers_of_eight_gpus_are_counted_by_their_servers(read: Read) -> None:
    """16 servers of 8: 128 GPUs; $13,500 a month each: 13,500 / (730 x 8) = 2.311644; 3 years by the heading."""
    _, (contract,) = read(
        "PO,Vendor,Cluster,Server,Servers,$/server/mo,Start,Term (yrs)\nS-1,E,a,8x H100 SXM5,16,13500,2026-02-01,3\n"
    )
    assert (contract.milli_gpus, float(contract.rate_usd_per_gpu_hour or 0)) == (128_000, 2.311644)
    assert (contract.gpu_model, _day(contract.end_s)) == ("H100 SXM", "2029-02-01")


def test_a_cell_that_is_no_number_is_named(read: Read) -> None:
    file, (contract,) = read(
        "PO,Vendor,Cluster,GPU,GPUs,Hourly rate,Start,End,Notice\nT-1,L,a,H100,64,see PO,2026-02-01,2027-01-31,none\n"
    )
    assert contract.rate_usd_per_gpu_hour is None
    assert "row 2: " in _said(file, "bad_number") and "see PO" in _said(file, "bad_number")


@pytest.mark.parametrize(
    ("heading", "cell"),
    [
        ("Monthly cost ($k)", "100"),
        ("Monthly cost (k$)", "$100"),
        ("Monthly cost (USD k)", "100.0 USD"),
        ("Monthly cost ($k)", "100k"),  # the cell has its k
        ("Monthly cost in thousands", "100"),
        ("Monthly cost ($)", "100,000"),
        ("Monthly cost", "$100k"),
    ],
)
def test_amounts_under_a_heading_of_thousands_are_a_thousand_times_as_much(
    read: Read, heading: str, cell: str
) -> None:
    sheet = f'Vendor,GPU,GPUs,Start,End,{heading}\nVela,H100,64,2026-01-01,2026-12-31,"{cell}"\n'
    file, (contract,) = read(sheet)
    assert contract.rate_usd_per_gpu_hour is not None
    assert float(contract.rate_usd_per_gpu_hour) * 64 * 730 == pytest.approx(100_000)
    assert "100,000" in _said(file, "computed")  # what was made of it is told


def test_an_instance_type_in_the_column_of_models_is_its_model(read: Read) -> None:
    file, (contract,) = read(
        "Vendor,Instance,GPU,Nodes,Start,Term (months),Monthly cost\n"
        "Orcl,BM.GPU.H100.8,BM.GPU.H100.8,1,2026-01-01,1,$30k\n"
    )
    assert (contract.gpu_model, contract.milli_gpus) == ("H100", 8000)
    assert "1 node of 8 GPUs" in _said(file, "computed") and "1 month" in _said(file, "computed")


def test_a_sheet_that_lies_on_its_side_is_read_as_the_one_that_stands(read: Read, tmp_path: Path) -> None:
    rows = ["Vendor,Vela,Orrin", "GPU,H100,A100", "GPUs,64,32", "Start,2026-01-01,2026-02-01", "Rate,2.5,1.8"]
    standing = read("\n".join(map(",".join, zip(*(row.split(",") for row in rows), strict=True))))[1]
    for text in (rows, ["Field,A,B", *rows]):
        assert read("\n".join(text))[1] == standing != ()
    assert check_file(str(tmp_path / "sheet.csv"))[0].rows_accepted == 2


@pytest.mark.parametrize(
    ("heading", "rate"), [("(8x)", 3.0), ("(8 x)", 3.0), ("(1x)", 16.0), ("(8x H100 node)", 3.0)]
)
def test_a_price_of_so_many_gpus_in_its_heading_is_divided_by_them(
    tmp_path: Path, heading: str, rate: float
) -> None:
    path = tmp_path / "prices.csv"
    price = 24 if rate == 3 else 16
    rows = f"Vela,H100,{price},T+30\nOrrin,H100,{price},4-6 wks\n"
    path.write_text(f"Provider,GPU,Price/hr {heading},Lead time\n{rows}")
    offers = import_prices([str(path)]).offers
    assert [float(one.rate_usd_per_gpu_hour or 0) for one in offers] == [rate, rate]
    assert sorted(one.lead_time_hours for one in offers) == [720, 1008]


NODES_IN_JSON = {
    "objects": '[{"name": "n1", "gpus": [{"model": "H100"}, {"model": "H100"}]}]',
    "names": '{"nodes": [{"name": "n1", "gpus": ["H100", "H100"]}]}',
    "places": '{"hostname": "n1", "gpus": [0, 1], "gpu_model": "H100"}\n',
    "counted": '[{"node": "n1", "gpus": {"model": "H100", "count": 2}}]',
    "by model": '[{"serverName": "n1", "gpus": {"H100": 2, "A100": 0}}, {"serverName": "n2", "gpus": {}}]',
    "by their numbers": '[{"hostname": "n1", "gpu_model": "H100", "gpus": ["GPU-4f1c9a3e-1", "GPU-b2107e5d-2"]}]',
    "in use": '[{"name": "n1", "gpu_model": "H100", "gpus": {"total": 2, "used": 1}}]',
    "with a limit of power": json.dumps(
        [{"hostname": "n1", "gpus": [{"model": "H100", "power": {"limit": 700}}] * 2}]
    ),
    "may be used": '[{"hostname": "n1", "gpu_model": "H100", "gpus": {"capacity": 2, "allocatable": 1}}]',
    "a number": '{"cluster": "a", "servers": [{"name": "n1", "gpus": 2, "gpuModel": "H100"}]}',
    "gone": '[{"host": "n1", "gpus": ["H100", "H100"]}, {"host": "n2", "status": "Retired", "gpus": ["A100"]}]',
}


@pytest.mark.parametrize("text", NODES_IN_JSON.values(), ids=NODES_IN_JSON)
def test_nodes_in_json_are_capacity_however_their_gpus_are_written(tmp_path: Path, text: str) -> None:
    path = tmp_path / "nodes.json"
    path.write_text(text)
    (file,) = check_file(str(path))
    assert (file.kind, file.format, dict(file.facts)["gpus_by_model"]) == ("nodes", "inventory", {"H100": 2})
    (contract,) = import_contracts([str(path)]).contracts
    assert (contract.gpus, contract.gpu_model, contract.cluster) == (
        2,
        "H100",
        "a" if "cluster" in text else "",
    )


@pytest.mark.parametrize(
    "text",
    [
        '[{"name": "p5.48xlarge", "gpus": 8, "gpu_model": "H100"}]',  # no machine of one's own
        '[{"name": "run", "gpus": ["H100"], "start": "2026-01-01", "end": "2026-01-02", "user": "ann"}]',
        '[{"name": "8x", "gpus": {"H100": 8}, "price_per_hour": 24}]',
        '[{"name": "team", "gpus": 16}]',
        '[{"name": "8xH100", "gpus": {"model": "H100", "count": 8}, "onDemand": 16.8}]',
        '[{"name": "quote", "gpus": {"model": "H100", "count": 64}, "amount": 2.1, "term_months": 12}]',
        '{"requests": [{"server": "llm", "gpu": "H100", "tokens": 1000}]}',
        '[{"hostname": "n1", "gpu": 0, "model": "H100", "power_w": 500}, {"hostname": "n1", "gpu": 1}]',
        '[{"server": "n1", "gpu": "GPU-3", "error": "XID 79"}]',
    ],
)
def test_json_of_other_things_with_gpus_is_no_list_of_nodes(tmp_path: Path, text: str) -> None:
    path = tmp_path / "some.json"
    path.write_text(text)
    assert check_file(str(path))[0].kind != "nodes"


ON_ITS_SIDE = """GPU contracts FY26,,
Supplier,CoreWeave,Lambda
GPU Model,H100 SXM,A100
No. of GPUs,64,32
Price per GPU hour,$2.45,$1.30
Start date,1 Jan 2026,1 Feb 2026
End date,31 Dec 2026,31 Jan 2027
"""


@pytest.mark.parametrize("as_workbook", [False, True])
def test_a_sheet_whose_headings_stand_in_its_first_column_is_read_as_if_turned(
    tmp_path: Path, as_workbook: bool
) -> None:
    path = tmp_path / ("sheet.xlsx" if as_workbook else "sheet.csv")
    lines = [line.split(",") for line in ON_ITS_SIDE.splitlines()]
    if as_workbook:
        book = openpyxl.Workbook()
        for line in lines:
            book.active.append(line)
        book.save(path)
    else:
        path.write_text(ON_ITS_SIDE)
    read = import_contracts([str(path)])
    assert [(one.provider, one.gpus, one.rate) for one in read.contracts] == [
        ("CoreWeave", 64, 2.45),
        ("Lambda", 32, 1.3),
    ]
    (file,) = check_file(str(path))
    assert (file.kind, file.rows_accepted) == ("contracts", 2)


TOTALS = """Contract,Vendor,GPU,GPUs,Start,End,{heading}
A,CoreWeave,H100,64,2026-01-01,2026-12-31,"{total}"
B,Lambda,A100,32,2026-04-01,,"378,432"
"""


@pytest.mark.parametrize("heading", ["Total contract value", "TCV ($)", "Contract value", "Gesamtwert"])
def test_the_value_of_a_contract_gives_its_rate(read: Read, heading: str) -> None:
    # 1,373,568 / (8,760 h x 64 GPUs)
    file, (first, second) = read(TOTALS.format(heading=heading, total="$1,373,568"))
    assert (first.rate_usd_per_gpu_hour, second.rate_usd_per_gpu_hour) == (Decimal("2.45"), None)
    assert "1,373,568 / (8760 h x 64 GPUs) = 2.45" in _said(file, "computed")
    assert "378,432" in _said(file, "undecided")


@pytest.mark.parametrize(
    ("heading", "total"),
    [("TCV ($M)", "1.373568"), ("Contract value (USD thousands)", "1373.568"), ("TCV (k$)", "1373.568")],
)
def test_a_value_in_thousands_or_millions_is_one(read: Read, heading: str, total: str) -> None:
    assert read(TOTALS.format(heading=heading, total=total))[1][0].rate_usd_per_gpu_hour == Decimal("2.45")


@pytest.mark.parametrize(
    ("total", "rate"),
    [("$1.373568m", "2.45"), ("$1.373568MM", "2.45"), ("$1,373,568 / year", None), ("1,373,568 p.a.", None)],
)
def test_a_value_for_a_year_is_none_of_a_contract_and_one_in_m_is_in_millions(
    read: Read, total: str, rate: str | None
) -> None:
    file, (first, _) = read(TOTALS.format(heading="TCV", total=total))
    assert first.rate_usd_per_gpu_hour == (rate and Decimal(rate))
    assert ("covers a period, not the whole contract" in _said(file, "undecided")) == (rate is None)


def test_a_stated_rate_counts_before_the_value_of_the_contract(read: Read) -> None:
    """8 GPUs for 8,760 h: 2.50 are 175,200; 200,000 are 2.8539, which is said."""
    text = "Vendor,GPU,GPUs,Start,End,TCV,$/GPU-hr\nA,H100,8,2026-01-01,2026-12-31,{total},2.50\n"
    file, contracts = read(text.format(total=200000))
    assert [one.rate for one in contracts] == [2.5]
    assert all(number in _said(file, "undecided") for number in ("200,000", "2.8539", "2.50"))
    for alike in (175200, "175,680", "$200,000 p.a."):  # a leap year's, and one of a time
        assert not _said(read(text.format(total=f'"{alike}"'))[0], "undecided")
    ramp = "Vendor,GPU,GPUs,Start,End,TCV,$/GPU-hr,Ramp\n"
    ramp += "A,H100,64,2026-01-01,2027-01-01,739469,2.10,2026-01-01=16;2026-07-01=64\n"
    assert not {issue.code for issue in read(ramp)[0].issues}  # which is what its GPUs come to


def test_a_value_in_another_currency_is_no_rate(read: Read) -> None:
    file, contracts = read(TOTALS.format(heading="TCV (EUR)", total="€1,373,568"))
    assert [one.rate for one in contracts] == [None, None]
    assert "EUR" in _said(file, "other_currency")


def test_capacity_counts_gpus(read: Read) -> None:
    text = "Provider,GPU,Capacity,Start,End,Rate ($/GPU-hr)\nA,H100,64 GPUs,2026-01-01,2026-12-31,2.45\n"
    assert [one.gpus for one in read(text)[1]] == [64]


@pytest.mark.parametrize("capacity", ["20 MW", "3 PB", "400 Gbps"])
def test_capacity_of_anything_else_counts_none(read: Read, capacity: str) -> None:
    text = f"Provider,GPU,Capacity,Start,End,Rate ($/GPU-hr)\nA,H100,{capacity},2026-01-01,2026-12-31,2.45\n"
    file, contracts = read(text)
    assert not contracts
    assert "gpus" in _said(file, "missing_column")


@pytest.mark.parametrize("item", ["Support for H100", "Software licenses for 8x H100", "Wartung für H100"])
def test_goods_for_gpus_are_none(read: Read, item: str) -> None:
    text = f"""Vendor,Item,GPUs,Start,End,Price
A,H100 SXM reserved,32,2026-01-01,2026-12-31,2.45
A,{item},1,2026-01-01,2026-12-31,"50,000"
"""
    file, contracts = read(text)
    assert [one.gpu_model for one in contracts] == ["H100 SXM"]
    assert item in _said(file, "left_out")


def test_training_for_a_model_may_be_of_gpus(read: Read) -> None:
    text = "Vendor,Item,GPUs,Start,End,$/GPU-hr\nA,Training capacity for LLM H100,32,2026-01-01,2026-12-31,2.45\n"
    assert [one.gpus for one in read(text)[1]] == [32]


def test_a_unit_price_of_sets_is_of_one_of_them(read: Read) -> None:
    text = """Contract,Vendor,Description,Qty,Start,End,Unit price,Unit
C-1,A,8x H100 node,4,2026-01-01,2026-12-31,19.60,per hour
"""
    assert [(one.gpus, one.rate) for one in read(text)[1]] == [(32, 2.45)]


def test_reservations_of_instances_are_contracts(read: Read) -> None:
    text = """reservation_id,instance_type,instance_count,start_date,end_date,upfront_fee
cr-1,p5.48xlarge,4,2026-06-01T11:30:00Z,2026-12-01T11:30:00Z,"672,345.60"
"""
    _, (one,) = read(text)
    assert (one.contract_id, one.gpu_model, one.gpus, one.quoted_rate) == ("cr-1", "H100", 32, None)
    assert one.prepaid_usd == Decimal("672345.60")


def test_contracts_as_json_are_no_jobs(tmp_path: Path) -> None:
    path = tmp_path / "contracts.json"
    path.write_text(
        '{"contracts":[{"id":"c-1","provider":"A","gpu":{"model":"H100","count":64},'
        '"term":{"start":"2026-01-01","end":"2027-01-01"},'
        '"price":{"amount":2.45,"currency":"USD","unit":"gpu_hour"}}]}',
        encoding="utf-8",
    )
    (one,) = import_contracts([str(path)]).contracts
    assert (one.contract_id, one.provider, one.gpu_model, one.gpus, one.rate) == (
        "c-1",
        "A",
        "H100",
        64,
        2.45,
    )
    assert (_day(one.start_s), _day(one.end_s)) == ("2026-01-01", "2027-01-01")


LINES = """PO Number,Line,Item,Qty,Unit,Unit cost,Extended cost,Service from,Service to
PO-1,10,H200 SXM reserved instance (8-GPU),4,node-month,"13,432.00","53,728.00",2026-05-01,2029-04-30
PO-1,20,Premium support,1,month,"2,000.00","2,000.00",2026-05-01,2029-04-30
"""


def test_a_unit_cost_is_the_price_of_a_line_and_its_extended_cost_is_none(read: Read) -> None:
    """13,432 / (730 h x 8 GPUs) = 2.30."""
    file, (line,) = read(LINES)
    assert (line.gpus, line.rate, _ends((line,))) == (32, 2.3, ["2029-05-01"])
    assert "Premium support" in _said(file, "left_out")
    assert [(one.quantity, one.agrees) for one in file.reconciliation] == [("usd_per_month", True)]
    no_rate = read(LINES.replace("Unit cost", "Colour"))[1]
    assert [one.rate for one in no_rate] == [None]


def test_a_fiscal_register_with_months_by_name_and_a_year_s_commitment_is_one_of_contracts(
    read: Read,
) -> None:
    text = (
        "Vendor,Contract,GPU,# GPUs,Annual Commitment (USD k),FY start,Contract term,Committed until\n"
        'Vela,V-7,H100,64,"1,373.568",January 2026,1 year,December 2026\n'
        "Orrin,O-3,A100,32,378.432,Mar-26,1 year,Feb-27\n"
    )
    contracts = read(text)[1]
    assert [(one.contract_id, one.rate) for one in contracts] == [("O-3", 1.35), ("V-7", 2.45)]
    assert _ends(contracts) == ["2027-03-01", "2027-01-01"]


def test_a_french_register_has_its_months_and_its_renewal(read: Read) -> None:
    text = (
        "N° de contrat;Fournisseur;Modèle GPU;Nombre de GPU;Tarif ($/GPU/h);Date de début;Date de fin;"
        "Préavis;Reconduction tacite\n"
        "C-01;Vela;H100;40;2,49;1er mars 2026;28 févr. 2027;3 mois;Oui\n"
        "C-02;Orrin;L40S;24;1,10;15 janv. 2026;14 janv. 2027;30 jours;Non\n"
    )
    contracts = read(text)[1]
    assert [(one.rate, one.renews_months, one.notice_days) for one in contracts] == [
        (2.49, 12, 90),
        (1.1, 0, 30),
    ]
    assert _ends(contracts) == ["2027-03-01", "2027-01-15"]


def test_a_unit_of_a_lease_is_the_machine_that_its_line_counts(read: Read) -> None:
    """42,000 / (730 h x 8 GPUs) and 9,800 / (730 h x 4 GPUs); of all 32 it was 1.80, without a word."""
    text = (
        "Lessor,Lease #,Equipment,Qty,Monthly rent per unit,Lease start,Lease end\n"
        'Mitsui,L-1,NVIDIA DGX H100,4,"42,000",2025-07-01,2028-06-30\n'
        'Mitsui,L-2,H100 PCIe server (4 GPU),6,"9,800",2025-09-01,2028-08-31\n'
    )
    found = [(one.gpus, round(one.rate or 0, 4)) for one in read(text)[1]]
    assert found == [(32, 7.1918), (24, 3.3562)]


def test_a_column_of_currencies_may_say_what_a_price_is_for(read: Read) -> None:
    text = (
        "Vendor,GPU,Qty,Rate,Currency,Start,End\n"
        "A,H100,64,2.45,USD/GPU/hr,2026-03-01,2027-02-28\n"
        "B,H100,64,1788.50,USD/GPU/month,2026-03-01,2027-02-28\n"
        "C,H100,64,2.45,EUR / GPU-hour,2026-03-01,2027-02-28\n"
    )
    assert [(one.rate, one.currency) for one in read(text)[1]] == [
        (2.45, "USD"),
        (2.45, "USD"),
        (None, "EUR"),
    ]


def test_a_rate_of_the_first_year_is_none_by_the_year(read: Read) -> None:
    text = "Vendor,Contract,GPU,GPUs,Year 1 rate,Year 2 rate,Start,End\nV,R,H100,64,2.60,2.30,2026-01-01,2027-12-31\n"
    file, (contract,) = read(text)
    assert contract.rate == 2.6 and "Year 2 rate" in _said(file, "column_unread")
    per_year = "Vendor,GPU,GPUs,Rate per GPU-year,Start,End\nV,H100,8,17520,2026-01-01,2026-12-31\n"
    assert [one.rate for one in read(per_year)[1]] == [2.0]


def test_what_a_contract_promises_and_what_leaving_it_costs_is_read(read: Read) -> None:
    text = (
        "Contract ID,Provider,GPU Model,GPUs,Rate/GPU-hr,Start,End,Early termination fee,SLA,Security deposit\n"
        'T,V,H100,128,$2.20,2026-01-01,2027-12-31,"$250,000",99.9%,"$100,000"\n'
    )
    (one,) = read(text)[1]
    assert (one.cancel_fee_usd, one.sla_percent, one.deposit_usd) == (250_000, 99.9, 100_000)


def test_the_one_model_that_a_line_names_is_its_model_wherever_it_stands(read: Read) -> None:
    lines = {
        "Reserved capacity, H100 SXM, 12 mo": "H100 SXM",
        "L40S on-demand block": "L40S",
        "Cloud GPU – NVIDIA H200 (141GB) – 24 months": "H200",
        "H100 or A100, as available": "H100 or A100, as available",  # of which: asked
    }
    text = "Vendor,PO,Description,GPU Count,Rate ($/GPU-hr),Start,End\n"
    for name in lines:
        text += f'Vela,P,"{name}",16,2.45,2026-01-01,2026-12-31\n'
    assert sorted(str(one.gpu_model) for one in read(text)[1]) == sorted(lines.values())


@pytest.mark.parametrize(
    ("cell", "months"),
    [
        ("Yes - month to month", 1),
        ("annually", 12),
        ("quarterly", 3),
        ("No", 0),
        ("12 mo", 12),
        ("Yes, price reviewed annually", 24),  # its own term
        ("monthly billing", None),
    ],
)
def test_what_renews_from_month_to_month_does_not_renew_by_its_term(
    read: Read, cell: str, months: int | None
) -> None:
    text = "Vendor,GPU,GPUs,Rate ($/GPU-hr),Start,End,Evergreen,Renewal notice\n"
    (one,) = read(f'{text}V,H100,8,2.45,2026-01-01,2027-12-31,"{cell}",60 days\n')[1]
    assert (one.renews_months, one.notice_days) == (months, 60)


def test_a_column_of_currencies_by_a_short_name_is_one(read: Read) -> None:
    text = "Contract,Provider,Model,Total GPU,Unit price,Unit,Curr.,Valid from,Valid to\n"
    (one,) = read(f'{text}R1,V,H100,64,"1.788,50",GPU/Monat,EUR,01.01.2026,31.12.2026\n')[1]
    assert (one.gpus, one.quoted_rate, one.currency) == (64, Decimal("2.45"), "EUR")


def test_a_german_order_has_its_single_price_for_the_unit_of_each_line(read: Read) -> None:
    """14,308 a month of a server of eight, 693.50 of a GPU; the price and the article were not read."""
    text = (
        "Rahmenvertrag;Lieferant;Artikel;Menge;ME;Einzelpreis;Währung;Gültig von;Gültig bis\n"
        "R1;Vela;H100 80GB GPU-Server (8 GPU);4;Server/Monat;14.308,00;EUR;01.03.2026;28.02.2027\n"
        "R2;Orrin;L40S GPU;16;GPU/Monat;693,50;EUR;01.04.2026;31.03.2027\n"
    )
    found = [(one.gpu_model, one.gpus, one.quoted_rate) for one in read(text)[1]]
    assert found == [("H100", 32, Decimal("2.45")), ("L40S", 16, Decimal("0.95"))]


def test_a_price_whose_unit_is_a_gpu_is_of_one_and_not_of_the_line(read: Read) -> None:
    """1.35 for 32 was 0.042 of each."""
    text = "Vendor,Contract,GPU,Qty,Unit of measure,Price,Start,End\n"
    (one,) = read(f"{text}O,C,A100 80GB,32,GPU,1.35,2026-01-01,2026-12-31\n")[1]
    assert one.rate == 1.35


def test_an_initial_term_ends_a_contract_and_a_notice_to_cancel_is_one(read: Read) -> None:
    text = "Contract #,Vendor,GPU,GPUs,$/GPU/hr,Contract Start Date,Initial Term,Renewal,Notice to cancel\n"
    (one,) = read(f"{text}18,V,H100,128,2.19,2026-01-15,24 months,12 mo auto,90\n")[1]
    assert (_ends((one,)), one.notice_days, one.renews_months) == (["2028-01-15"], 90, 12)


def test_a_list_of_models_of_a_provider_is_told_that_its_price_is_lacking(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text("Provider,GPU model,Monthly\nVela,H100 SXM,2182.70\n")
    said = _said(check_file(str(path))[0], "not_a_job_log")
    assert all(name in said for name in ("provider", "gpu_model", "rate_usd_per_gpu_hour"))
    mapped = import_prices([str(path)], {str(path): "+rate_usd_per_gpu_hour=Monthly:month"})
    assert [one.rate for one in mapped.offers] == [2.99]


def test_a_vendor_over_several_rows_is_that_of_each_which_is_said(read: Read) -> None:
    text = (
        "Vendor,Contract,GPU,GPUs,$/GPU-hr,Start,End,Pricing\n"
        "Vela,A,H100,64,2.45,2026-01-01,2026-12-31,reserved\n"
        ",B,A100,32,1.35,2026-01-01,2026-12-31,reserved\n"
        "Orrin,C,H100,8,2.45,2026-01-01,2026-12-31,reserved\n"
        ",D,H100,8,,2026-01-01,2026-12-31,owned\n"
        "Total,,,112,,,,\n"
    )
    file, contracts = read(text)
    assert [one.provider for one in contracts] == ["Vela", "Vela", "Orrin", None]
    assert "Vela" in _said(file, "undecided") and "Orrin" not in _said(file, "undecided")
    draft = (
        "Vendor,GPU,GPUs,$/GPU-hr,Start,Status\nA,H100,8,2,2026-01-01,active\nB,H100,8,2,2026-01-01,draft\n"
    )
    assert [one.provider for one in read(f"{draft},A100,8,1,2026-01-01,active\n")[1]] == ["A", "B"]
    nobody = text.replace("Vela,", ",").replace("Orrin,", ",")
    assert {one.provider for one in read(nobody)[1]} == {None}


TERMS = "Agreement,Vendor,GPU,GPUs,$/GPU-hr,Start,End date,{heading}\nA,V,H100,48,2.70,2026-01-01,2029-01-01,{cell}\n"


@pytest.mark.parametrize(
    ("heading", "cell", "field", "value"),
    one_in(
        4,
        [
            ("Egress ($/TB)", "50", "egress_usd_per_gb", "0.05"),
            ("Data transfer", "$50/TB", "egress_usd_per_gb", "0.05"),
            ("Egress", "free", "egress_usd_per_gb", "0"),
            ("Egress", "10 TB", "egress_usd_per_gb", None),
            ("Egress ($/month)", "500", "egress_usd_per_gb", None),
            ("Storage fee ($/GPU/month)", "73", "storage_usd_per_gpu_month", "73"),
            ("Storage ($/GPU/hour)", "0.10", "storage_usd_per_gpu_month", "73"),
            ("Speicher pro GPU und Jahr", "876", "storage_usd_per_gpu_month", "73"),
            ("Storage ($/TB/month)", "20", "storage_usd_per_gpu_month", None),
            ("Storage", "73", "storage_usd_per_gpu_month", None),  # of a GPU or of all
            ("Storage", "$73/GPU/mo", "storage_usd_per_gpu_month", "73"),
            ("Network ($/GPU/month)", "36.50", "network_usd_per_gpu_month", "36.5"),
            ("Network", "InfiniBand", "interconnect", "infiniband"),
            ("Managed ops staff ($/GPU/month)", "40", "staff_usd_per_gpu_month", "40"),
            ("Support", "10%", "support_percent", "10"),
            ("Support in %", "$40", "support_percent", None),
            ("Support ($/GPU/month)", "40", "support_percent", None),
            ("Take-or-pay", "0.8", "take_or_pay_percent", "80"),
            ("Abnahmeverpflichtung %", "75", "take_or_pay_percent", "75"),
            ("SLA", "0.999", "sla_percent", "99.9"),
            ("Uptime SLA", "99.9%", "sla_percent", "99.9"),
            ("Prepaid ($k)", "876", "prepaid_usd", "876000"),
            ("Prepaid", "100%", "prepaid_usd", None),
            ("Prepaid ($/GPU)", "500", "prepaid_usd", None),
            ("Security deposit", "50000", "deposit_usd", "50000"),
            ("Deposit (%)", "10", "deposit_usd", None),
            ("Kaution", "2 Monate", "deposit_usd", None),
            ("Early termination fee", "250000", "cancel_fee_usd", "250000"),
            ("Cancellation fee", "3 months", "cancel_fee_usd", None),
            ("Ramp", "none", "ramp", None),
        ],
    ),
)
def test_what_is_paid_beside_a_rate_is_read_in_its_own_unit_or_not_at_all(
    read: Read, heading: str, cell: str, field: str, value: str | None
) -> None:
    """A share is none of $, an amount a month none for all, and no price of these is the rate."""
    file, (contract,) = read(TERMS.format(heading=heading, cell=cell))
    found = getattr(contract, field)
    assert (found if found is None or field == "interconnect" else float(found)) == (
        value if value is None or field == "interconnect" else pytest.approx(float(value))
    )
    assert contract.rate_usd_per_gpu_hour == Decimal("2.70")
    said = {issue.code for issue in file.issues} & {"bad_number", "column_unread", "unknown_column"}
    assert bool(said) == (value is None and field != "ramp")


@pytest.mark.parametrize(
    "fee", ["Setup fee ($/GPU)", "One-time set-up (USD per GPU)", "Disk storage surcharge ($/GPU/h)"]
)
def test_a_fee_before_the_price_is_not_taken_for_it(read: Read, fee: str) -> None:
    price = "Price per GPU and month incl. support"
    table = f"Agreement,GPU,GPUs,Storage ($/GPU/month),{fee},{price},Start,End date\n"
    _, (contract,) = read(table + "A,H100,48,73,500,1971,2026-01-01,2029-01-01\n")
    assert contract.rate_usd_per_gpu_hour == Decimal("2.70")
    assert contract.storage_usd_per_gpu_month == 73


@pytest.mark.parametrize(
    ("heading", "cell", "field", "value"),
    [
        ("Take or pay", "1", "take_or_pay_percent", 100),  # beside 0.8
        ("SLA", "1", "sla_percent", 100),
        ("Support (%)", "1", "support_percent", 1),
        ("Mindestabnahme", "64", "take_or_pay_percent", None),  # GPUs, or percent
        ("Mindestabnahme", "80%", "take_or_pay_percent", 80),
        ("Disponibilité", "4 semaines", "sla_percent", None),
        ("Verfügbarkeit", "99,9%", "sla_percent", 99.9),
        ("Prepayment", "30 days", "prepaid_usd", None),
        ("Kaution", "4 Wochen", "deposit_usd", None),
        ("Deposit", "$1.2m", "deposit_usd", None),
        ("Deposit", "50,000 one-time, refundable", "deposit_usd", 50_000),
        ("Outbound", "10 Gbps", "egress_usd_per_gb", None),
    ],
)
def test_what_an_amount_is_of_is_never_guessed(
    read: Read, heading: str, cell: str, field: str, value: float | None
) -> None:
    file, (contract,) = read(TERMS.format(heading=heading, cell=f'"{cell}"'))
    found = getattr(contract, field)
    assert (found if found is None else float(found)) == value
    assert value is not None or {issue.code for issue in file.issues} & {
        "bad_number",
        "column_unread",
        "unknown_column",
    }


@pytest.mark.parametrize("item", ["Power for the H100 hall", "Kubernetes on H100", "Strom für H100"])
def test_what_is_for_a_model_is_none_of_it(read: Read, item: str) -> None:
    text = f"Vendor,PO,Description,GPU Count,Rate ($/GPU-hr),Start,End\nV,P,{item},16,2.45,2026-01-01,2026-12-31\n"
    assert "H100" not in {one.gpu_model for one in read(text)[1]}


def test_a_ramp_that_cannot_be_read_says_how_to_write_it(read: Read) -> None:
    file, contracts = read(TERMS.format(heading="Ramp schedule", cell="16 then 48"))
    assert not contracts and "2026-09-01=16;2026-12-01=48" in _said(file, "bad_time")


def test_a_price_list_with_what_comes_beside_its_rates(tmp_path: Path) -> None:
    """GPU names the model, whatever a SKU says; set-up is once, and no price of a GPU."""
    path = tmp_path / "list.csv"
    path.write_text(
        "SKU,Provider,GPU,Billing,Commitment (months),NRC per GPU,$/GPU-hr,Egress fee per TB,"
        "Premium support (% of spend),Block storage $/GPU-mo,Max lead time (days)\n"
        "cw-h100-12,C,H100,Reserved,12,876,2.80,50,10%,included,42\ncw-h100,C,H100,On-Demand,,,6.88,free,,,\n",
        encoding="utf-8",
    )
    found = import_prices([str(path)])
    (reserved, by_use) = sorted(found.offers, key=lambda one: one.rate or 0.0)
    assert [one.gpu_model for one in (reserved, by_use)] == ["H100", "H100"]
    assert (reserved.setup_usd, reserved.egress_usd_per_gb) == (876, Decimal("0.05"))
    assert (reserved.support_percent, reserved.storage_usd_per_gpu_month) == (10, 0)
    assert reserved.rate_usd_per_gpu_hour == Decimal("2.80") and reserved.lead_time_high_hours == 42 * 24
    assert (by_use.rate_usd_per_gpu_hour, by_use.egress_usd_per_gb) == (Decimal("6.88"), 0)


def test_a_share_that_a_sheet_shows_as_a_percentage_is_read_as_one(tmp_path: Path) -> None:
    """A cell of a sheet that shows 5% holds 0.05, whatever its heading says; 0.5% in words is what it says."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Agreement", "GPU", "GPUs", "$/GPU-hr", "Start", "Support %", "Take-or-pay %", "SLA (%)"])
    sheet.append(["A", "H100", 48, 2.7, "2026-01-01", 0.05, 0.8, 0.999])
    sheet.append(["B", "H100", 48, 2.7, "2026-01-01", "0.5%", "80%", 99.9])
    for cell in ("F2", "G2", "H2"):
        sheet[cell].number_format = "0.0%"
    book.save(tmp_path / "book.xlsx")
    found = import_contracts([str(tmp_path / "book.xlsx")])
    shares = [(one.support_percent, one.take_or_pay_percent, one.sla_percent) for one in found.contracts]
    assert shares == [pytest.approx((5, 80, 99.9)), pytest.approx((0.5, 80, 99.9))]
    assert "0.05 is 5%" in _said(found.intake[0], "computed")


BY_BASIS = """PO No.,Vendor,Description,Qty,Unit,Unit price (USD),Price basis,Start,End,Term (months)
P1,V,H100 SXM reserved,192,GPU,2.49,per GPU-hour,2026-02-01,2027-01-31,12
P2,V,8x H100 server,8,node,"15,200.00",per node per month,2026-01-15,2028-01-14,24
P3,V,8x H100 server,64,GPU,"1,900.00",per GPU per month,2026-01-15,2028-01-14,24
P4,V,"p5.48xlarge 1yr reserved, no upfront",4,instance,31.46,per instance-hour,2026-01-15,2028-01-14,24
"""


def test_a_basis_by_row_counts_before_the_unit_of_what_is_ordered(read: Read) -> None:
    """15,200 a node and month was $1,900 an hour, 64 GPUs in servers of 8 were 512, the instance had no GPUs."""
    contracts = sorted(read(BY_BASIS)[1], key=lambda one: one.contract_id)
    assert [one.gpus for one in contracts] == [192, 64, 64, 32]
    assert [round(one.rate or 0, 4) for one in contracts] == [2.49, 2.6027, 2.6027, 3.9325]
    assert contracts[3].gpu_model == "H100"


def test_gpus_per_unit_of_a_price_list_are_those_of_its_machines(tmp_path: Path) -> None:
    """A p5.48xlarge at 55.04 was an H100 at 55.04."""
    path = tmp_path / "list.csv"
    path.write_text(
        "Vendor;SKU;GPU;GPUs per unit;Price USD;Per;Term\nA;p5.48xlarge;H100 80GB;8;55.04;hour;on-demand\n"
        "L;1x H100;H100 80GB;1;3.29;hour;on-demand\n",
        encoding="utf-8",
    )
    assert sorted(one.rate or 0 for one in import_prices([str(path)]).offers) == [3.29, 6.88]


RAMPED = "Vendor,GPU,GPUs,Start,End,TCV,Ramp{rate}\n"
RAMPED += "A,H100,64,2026-01-01,2027-01-01,739469,2026-01-01=16;2026-07-01=64{cell}\n"


def test_the_value_of_a_ramp_is_spread_over_the_gpu_hours_that_it_holds(read: Read) -> None:
    """16 x 4,344 h and 64 x 4,416 h are 352,128 GPU-h: 739,469 are $2.10; over 64 all the time they would be 1.319."""
    file, contracts = read(RAMPED.format(rate="", cell=""))
    assert [round(one.rate or 0, 4) for one in contracts] == [2.1, 2.1]
    assert "739,469 / (352,128 GPU-h) = 2.1" in _said(file, "computed")
    other = read(RAMPED.format(rate=",$/GPU-hr", cell=",1.32"))[0]
    assert all(number in _said(other, "undecided") for number in ("739,469", "2.1000", "1.32"))


@pytest.mark.parametrize("headings", ["Initial term,Term", "Term,Initial term"])
def test_two_columns_of_terms_that_differ_are_said(read: Read, headings: str) -> None:
    text = f"PO,Vendor,GPU,GPUs,$/GPU-hr,Start,{headings}\n" + "A,V,H100,8,2,2026-01-01,{},{}\n"
    read_first, other = headings.split(",")
    file, contracts = read(text.format("24 months", "36 months"))
    assert [one.term_months for one in contracts] == [24], read_first
    assert f"24 months, but “{other}” has 36" in _said(file, "undecided")
    assert not _said(read(text.format("2 years", "24 months"))[0], "undecided")


DATED = "Contract,Vendor,GPU,Qty,$/GPU/hr,Start,End\n"


def test_a_month_and_two_digits_are_no_year_beside_days_without_one(read: Read) -> None:
    """`Dec-31` was December 2031, and a sheet of such starts a price list."""
    file, contracts = read(f"{DATED}A,V,H100,8,2,2026-01-01,Dec-31\nB,V,H100,8,2,15-Feb,Jan-27\n")
    assert (contracts, [row.code for row in file.rejected]) == ((), ["bad_time", "bad_time"])
    assert file.kind == "contracts"


def test_a_day_without_a_year_leaves_the_others_in_their_order(read: Read) -> None:
    """Of a sheet with the day first 03/02 was the 2nd of March."""
    rows = "A,V,H100,8,2,03/02/2026,31/12/2026\nB,V,H100,8,2,15/02/2026,1-Jan\n"
    assert [iso_day(one.start_s) for one in read(DATED + rows)[1]] == ["2026-02-03"]
    rows = "A,V,H100,8,2,03/02/2026,31/12/2026\nB,V,H100,8,2,4-Feb,31/12/2026\n"
    assert [iso_day(one.start_s) for one in read(DATED + rows)[1]] == ["2026-02-03"]


@pytest.mark.parametrize(
    ("ends", "is_asked"),
    [(("Dec-31", "Jan-27"), True), (("Dec-27", "Jan-28"), False), (("Feb-28", ""), True)],
)
def test_a_months_last_day_may_be_a_year(read: Read, ends: tuple[str, str], is_asked: bool) -> None:
    rows = (f"C{at},V,H100,8,2,Jan-26,{end}\n" for at, end in enumerate(ends))
    file, contracts = read(DATED + "".join(rows))
    assert len(contracts) == 2
    assert (_said(file, "undecided") != "") == is_asked


@pytest.mark.parametrize("cell", ["3 Jahre gewünscht", "12 months (optional)", "1 an souhaité"])
def test_a_renewal_that_is_wished_for_is_none_that_is_agreed(read: Read, cell: str) -> None:
    text = f"PO,Vendor,GPU,GPUs,$/GPU-hr,Start,End,Renewal term\nA,V,H100,8,2,2026-01-01,2026-12-31,{cell}\n"
    file, contracts = read(text)
    assert [one.renews_months for one in contracts] == [None]
    assert f"“{cell}”: renewal unclear" in _said(file, "undecided")


RENEWING = "PO,Vendor,GPU,GPUs,$/GPU-hr,Start,End,{heading}\nA,V,H100,8,2,2026-01-01,2026-12-31,{cell}\n"


@pytest.mark.parametrize("heading", ["Auto-renewal", "renews_months", "Renewal"])
@pytest.mark.parametrize(
    "cell",
    [
        "not automatic",
        "no auto-renewal",
        "nicht automatisch",
        "pas automatique",
        "läuft aus",
        "expires",
        "durée ferme",
    ],
)
def test_words_that_say_so_are_no_renewal(read: Read, heading: str, cell: str) -> None:
    file, (contract,) = read(RENEWING.format(heading=heading, cell=cell))
    assert contract.renews_months == 0 and not _said(file, "bad_number")


@pytest.mark.parametrize("heading", ["Auto-renewal", "renews_months", "Renewal"])
@pytest.mark.parametrize(
    "cell",
    [
        *(
            "tbd",
            "at customer's option",
            "by mutual agreement",
            "on request",
            "?",
            "12 months by mutual agreement",
        ),
        *("nach Vereinbarung", "auf Anfrage", "Option des Kunden", "sur demande", "d'un commun accord"),
    ],
)
def test_a_renewal_that_is_left_open_is_unknown(read: Read, heading: str, cell: str) -> None:
    file, (contract,) = read(RENEWING.format(heading=heading, cell=cell))
    assert contract.renews_months is None and not _said(file, "bad_number")
    assert f"“{cell}”: renewal unclear" in _said(file, "undecided")


@pytest.mark.parametrize(
    ("cell", "days"),
    [
        *(("no notice required", 0), ("ohne Frist", 0), ("keine Kündigungsfrist", 0), ("sans préavis", 0)),
        *(("by mutual agreement", None), ("at customer's option", None), ("nach Vereinbarung", None)),
    ],
)
def test_a_notice_in_words_is_none_or_unknown(read: Read, cell: str, days: int | None) -> None:
    file, (contract,) = read(RENEWING.format(heading="Notice", cell=cell))
    assert contract.notice_days == days and (cell in _said(file, "notice_unknown")) == (days is None)


@pytest.mark.parametrize("cell", ["-", "–"])
def test_a_dash_of_a_notice_is_not_that_of_the_row_above(read: Read, cell: str) -> None:
    rows = RENEWING.format(heading="Notice", cell="90 days") + f"B,V,H100,8,2,2026-01-01,2026-12-31,{cell}\n"
    assert [contract.notice_days for contract in read(rows)[1]] == [90, None]


COUNTED = (
    "Agreement,Vendor,GPU,{heading},Unit,$/GPU-hr,Start,End\n"
    "A1,Vela,{model},{count},{unit},2.10,2026-01-01,2026-12-31\n"
)


@pytest.mark.parametrize(
    ("count", "unit"),
    [
        *(
            (count, "")
            for count in ("2 racks", "3 pods", "1 SU", "2 systems", "3 HGX", "1 SuperPOD", "6 boards")
        ),
        *((count, "") for count in ("84120 GPU-hours", "12 months", "4 instances")),
        *(("2", unit) for unit in ("rack", "Pods", "scalable unit", "SU")),
    ],
)
def test_what_has_who_knows_how_many_gpus_is_refused_with_what_is_wanted(
    read: Read, count: str, unit: str
) -> None:
    file, contracts = read(COUNTED.format(heading="Quantity", model="H100", count=count, unit=unit))
    assert not contracts
    (row,) = file.rejected
    said = f"{count} {unit}".strip()
    assert row.code == "bad_number" and said in str(row.message)


@pytest.mark.parametrize("heading", ["GPUs", "Quantity", "Ordered"])
@pytest.mark.parametrize(
    ("count", "model", "gpus"),
    [("4 nodes", "H100", 32), ("2 DGX", "H100", 16), ("3 Knoten", "GB200", 12), ("64 GPUs", "H100", 64)],
)
def test_nodes_in_the_cell_of_the_count_are_of_the_usual_node(
    read: Read, heading: str, count: str, model: str, gpus: int
) -> None:
    file, contracts = read(COUNTED.format(heading=heading, model=model, count=count, unit=""))
    assert [(one.gpus, one.rate) for one in contracts] == [(gpus, 2.1)]
    assert ("(typical" in _said(file, "computed")) == ("GPUs" not in count)


def test_nodes_in_the_cell_of_a_model_without_a_usual_node_ask_for_their_gpus(read: Read) -> None:
    file, contracts = read(COUNTED.format(heading="Quantity", model="L40S", count="4 servers", unit=""))
    assert not contracts and "add a column gpus_per_node" in str(file.rejected[0].message)


@pytest.mark.parametrize(
    ("count", "is_said"), [("64+", True), ("up to 64", True), ("64", False), ("64 units", False)]
)
def test_an_open_count_is_said(read: Read, count: str, is_said: bool) -> None:
    file, contracts = read(COUNTED.format(heading="Quantity", model="H100", count=count, unit=""))
    assert [one.gpus for one in contracts] == [64]
    assert (f"gpus is {count}, read as 64" in _said(file, "undecided")) == is_said


def test_each_of_an_order_s_line_of_nodes_is_a_node(read: Read) -> None:
    sheet = "PO Number,Vendor,Description,UOM,Qty,$/GPU-hr,Service Start,Service End\n"
    row = '4500,Vela,"{item}",EA,4,2.10,2026-03-01,2027-02-28\n'
    for item, gpus in (("HGX H100 8-GPU node, 12 mo", 32), ("H100 SXM, 12 mo", 4)):
        assert [one.gpus for one in read(sheet + row.format(item=item))[1]] == [gpus]


def test_a_sheet_with_headings_of_deliveries_is_one_of_contracts(tmp_path: Path) -> None:
    """Its prices were read as a list of offers on demand."""
    path = tmp_path / "register.csv"
    path.write_text(
        "Counterparty;Order form;Accelerator;Ordered;Delivered from;Contract end;Price/GPU/h\n"
        "Vela;OF-1;H200;128 GPUs;01.03.2026;28.02.2028;2,35\n"
    )
    assert [file.kind for file in check_file(str(path))] == ["contracts"]
    (one,) = import_contracts([str(path)]).contracts
    assert (one.contract_id, one.provider, one.gpus, one.rate) == ("OF-1", "Vela", 128, 2.35)


def test_a_list_of_subscriptions_is_no_price_list(tmp_path: Path) -> None:
    path = tmp_path / "saas.csv"
    path.write_text(
        "Vendor,Service,Seats,Annual cost,Renewal date\nVela,H100 reserved (64 GPUs),64,1177344,2027-02-01\n"
        "Git,Enterprise,120,30240,2026-12-01\n"
    )
    assert [file.kind for file in check_file(str(path))] == ["unknown"]


def test_leases_by_their_first_and_last_payment(read: Read) -> None:
    """4 DGX of 8 at $38,000 a month: a rate of one is 38,000 / (730 h x 8)."""
    sheet = "Lease no.,Lessor,Equipment,Qty,First payment,Last payment\nL1,Vela,DGX H100,4,2025-03-01,2028-02-29\n"
    assert [(one.contract_id, one.gpus, _day(one.end_s)) for one in read(sheet)[1]] == [
        ("L1", 32, "2028-03-01")
    ]


# ---------------------------------------------------------------- several rates of a row; what is paid once

RATES = "Contract,Vendor,GPU,GPUs,Start,End,{headings}\nA1,X,H100,16,2026-01-01,2028-01-01,{cells}\n"


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("Old rate ($/GPU-h)", "New rate ($/GPU-h)"),
        ("Prior rate", "Current rate"),
        ("Original rate", "Amended rate"),
        ("Previous price", "Renewed price"),
        ("Alter Preis je GPU-Stunde", "Neuer Preis je GPU-Stunde"),
        ("Ancien tarif", "Nouveau tarif"),
    ],
)
def test_a_rate_of_before_is_not_the_rate(read: Read, before: str, now: str) -> None:
    for headings, cells in ((f"{before},{now}", "2.99,2.49"), (f"{now},{before}", "2.49,2.99")):
        _, (contract,) = read(RATES.format(headings=headings, cells=cells))
        assert contract.rate_usd_per_gpu_hour == Decimal("2.49")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Rate Y1", "Rate Y2"),
        ("Year 1 rate ($/GPU-h)", "Year 2 rate ($/GPU-h)"),
        ("Rate 2026", "Rate 2027"),
        ("Preis Jahr 1", "Preis Jahr 2"),
        ("Rate", "Step-up rate"),
        ("Rate before renegotiation", "Rate after renegotiation"),
    ],
)
def test_a_step_of_a_rate_that_is_not_read_is_said(read: Read, first: str, second: str) -> None:
    file, (contract,) = read(RATES.format(headings=f"{first},{second}", cells="2.49,2.19"))
    assert contract.rate_usd_per_gpu_hour == Decimal("2.49")
    assert f"“{second}” is a rate and is not read" in _said(file, "undecided")
    file, _ = read(RATES.format(headings=f"{first},{second}", cells="2.49,"))
    assert not _said(file, "undecided")


@pytest.mark.parametrize(
    "heading",
    [
        "All upfront payment",
        "Partial upfront",
        "Paid at signing",
        "Amount due at contract start",
        "Installation charge",
        "Installationsgebühr",
        "Zahlung bei Unterschrift",
        "Anzahlung bei Vertragsabschluss",
        "Frais d'installation",
        "Payé à la signature",
    ],
)
def test_what_is_paid_once_is_prepaid(read: Read, heading: str) -> None:
    _, (contract,) = read(RATES.format(headings=f"Rate per GPU-hour ($),{heading}", cells="2.00,280320"))
    assert contract.prepaid_usd == 280320


def test_a_first_years_cost_beside_a_fee_is_asked_about(read: Read) -> None:
    """It may hold the fee, which would count twice."""
    file, (contract,) = read(RATES.format(headings="Setup fee,First-year cost ($)", cells="10000,290320"))
    assert contract.prepaid_usd == 10000
    assert "“Setup fee” was not subtracted from “First-year cost ($)”" in _said(file, "undecided")


@pytest.mark.parametrize(
    ("heading", "cell"),
    [("Monthly", "29083.2"), ("Per month", "29083.2"), ("Monatlich", "29083.2"), ("Annual", "348998.4")],
)
def test_a_lone_period_is_the_price(read: Read, heading: str, cell: str) -> None:
    _, (contract,) = read(RATES.format(headings=heading, cells=cell))
    assert contract.rate == pytest.approx(2.49)


def test_a_comma_of_a_months_sum_that_cannot_be_one_of_decimals_is_not_asked_about(read: Read) -> None:
    file, (contract,) = read(RATES.format(headings="MRC", cells='"$29,083"'))
    assert contract.rate == pytest.approx(2.49, abs=0.001) and not _said(file, "undecided")


@pytest.mark.parametrize("title", ["Contracts (in kUSD)", "Amounts in thousands"])
def test_a_title_says_that_sums_are_thousands(read: Read, title: str) -> None:
    text = RATES.format(headings="Monthly charge,Annual cost", cells="29.083,349.0")
    file, (contract,) = read(f"{title}\n{text}")
    assert contract.rate == pytest.approx(2.49, abs=0.001)
    assert all(figure.agrees for figure in file.reconciliation) and len(file.reconciliation) == 1
    _, (contract,) = read(f"{title}\n{RATES.format(headings='Rate per GPU-hour ($)', cells='2.49')}")
    assert contract.rate == 2.49  # a rate is none of a sum
