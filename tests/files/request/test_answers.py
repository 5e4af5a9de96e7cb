"""Answered requests: known by their keys in any shape, each row ends once, each cell that is not read is named."""

import datetime
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from gpuplanner.domain.edits.inputs import import_inputs
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.book.remark import undecided
from gpuplanner.domain.model.intake import FileIntake, sent_in, unread_answers
from gpuplanner.domain.model.project import Project
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.importing.recognise import glance, recognise
from gpuplanner.files.importing.table_preview import preview_table
from gpuplanner.files.request.request_form import FEES, OLD_QUESTION_HEADINGS, SOONEST, asked_by, make_key
from tests.files.open_document_files import Value, write_ods
from tests.files.request.answered_files import (
    ASKED,
    DAY,
    HEAD_VALUES,
    HEADING,
    LABEL,
    REFERENCE,
    TITLE,
    asked,
    read_row,
    sheet_of,
    write_text,
    write_xlsx,
)
from tests.oracle.projects import Case
from tests.some_of import some_of

# --- Answered requests: known by their keys in any shape, each row ends once, each cell that is not read
# is named

ANSWER: Mapping[str, Value] = {
    "bid": "bid",
    "rate": 1.95,
    "most": 48,
    "least": 8,
    "lead": 14,
    "upfront": 1250,
    "sla": 99.95,
    "valid_until": DAY(2026, 11, 20),
    "earliest": DAY(2026, 12, 15),
    "egress": 0.02,
    "remark": "two sites",
}
ROWS = [
    asked("R1", **ANSWER),
    asked("R2", term="36 months", rate=1.5),
    asked("R3"),
    asked("R4", bid="no bid", remark="none in stock"),
    asked("R5", rate="TBD", lead=7),
]


def ends_of(file: FileIntake) -> tuple[int, ...]:
    return (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)


def said(file: FileIntake) -> dict[str, str]:
    return {issue.code: str(issue.message) for issue in file.issues}


def by_row(offers: tuple[Offer, ...]) -> dict[str, Offer]:
    return {row.row: offer for offer in offers if (row := answered_row(offer)) is not None}


def test_every_answered_row_is_an_offer_with_all_that_was_quoted(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "answer.xlsx", {TITLE: sheet_of(ROWS)})
    assert (recognise(str(path)).kind, recognise(str(path)).format) == ("prices", "workbook")
    assert glance(str(path)).format == "workbook"
    read = import_prices([str(path)])
    (file,) = read.intake
    assert ends_of(file) == (5, 3, 0, 0, 2)
    offers = by_row(read.offers)
    assert sorted(offers) == ["R1", "R2", "R5"]
    full = offers["R1"]
    assert (full.provider, full.gpu_model, full.term_months) == ("Northlight", "H100", 12)
    assert (full.rate_usd_per_gpu_hour, full.upfront_usd) == (Decimal("1.95"), Decimal(1250))
    assert (full.min_gpus, full.max_gpus, full.lead_time_hours) == (8, 48, 336.0)
    assert (full.sla_percent, full.egress_usd_per_gb) == (99.95, Decimal("0.02"))
    assert (full.as_of, full.starts, full.valid_until) == ("2026-10-05", "2026-12-15", "2026-11-20")
    assert (full.gpu_memory_gb, full.bare_metal, full.interconnect) == (80.0, True, "infiniband")
    assert (full.region, full.currency, full.source) == (
        None,
        "USD",
        f"Quote {REFERENCE} R1 for 2026-12-01; two sites",
    )
    plain = offers["R2"]
    assert (plain.term_months, plain.max_gpus, plain.min_gpus, plain.upfront_usd) == (36, 64, None, None)
    assert (plain.starts, plain.valid_until, plain.sla_percent) == ("2026-12-01", "2026-11-30", None)
    assert (offers["R5"].rate, offers["R5"].lead_time_hours) == (None, 168.0)
    assert set(said(file)) == {"no_quote", "quote_needed"}
    assert "“no bid”, “none" in said(file)["no_quote"] and "R4" in said(file)["no_quote"]
    assert "N18 contains “TBD”" in said(file)["quote_needed"]
    assert preview_table(str(path), "prices", None).counts == ends_of(file)
    (checked,) = check_file(str(path))
    facts = dict(checked.facts)
    assert (facts["references"], facts["vendors"], facts["sheets"]) == ([REFERENCE], ["Northlight"], [TITLE])
    sent = sent_in(checked)
    assert [(one.name, one.term_months, one.answer) for one in sent] == [
        ("R1", 12, "quoted"), ("R2", 36, "quoted"), ("R3", 12, "none"), ("R4", 12, "no bid"), ("R5", 12, "quoted"),
    ]  # fmt: skip
    assert {(one.start, one.quoted_on, one.interconnect) for one in sent} == {
        ("2026-12-01", "2026-10-05", "infiniband")
    }


SHAPES: dict[str, Callable[[Path], Path]] = {
    "ods": lambda folder: write_ods(folder / "answer.ods", {"Blatt 1": sheet_of(ROWS)}),
    "csv": lambda folder: write_text(folder / "quote.csv", sheet_of(ROWS)),
    "semicolons": lambda folder: write_text(folder / "quote.txt", sheet_of(ROWS), ";"),
    "tabs": lambda folder: write_text(folder / "quote.tsv", sheet_of(ROWS), "\t"),
    "renamed tab between others": lambda folder: write_xlsx(
        folder / "a.xlsx",
        {
            "Terms": [["Our terms apply", "Section 1"]],
            "Angebot": sheet_of(ROWS),
            "Contact": [["Vendor desk", "x"]],
        },
    ),
    "lines on another tab": lambda folder: write_xlsx(
        folder / "a.xlsx", {"Cover": sheet_of(ROWS)[:-6], "Rates": sheet_of(ROWS, head={})}
    ),
    "rows sorted with the headings": lambda folder: write_xlsx(
        folder / "a.xlsx", {TITLE: [*sheet_of(ROWS)[-5:-2], *sheet_of(ROWS)[:-5], *sheet_of(ROWS)[-2:]]}
    ),
    "columns in another order": lambda folder: write_xlsx(
        folder / "a.xlsx", {TITLE: sheet_of(ROWS, tuple(reversed(HEADING)))}
    ),
    "rows in between and below": lambda folder: write_xlsx(
        folder / "a.xlsx",
        {TITLE: [*sheet_of(ROWS)[:-3], [None], ["All prices without tax"], *sheet_of(ROWS)[-3:], ["Signed"]]},
    ),
    "without the hidden key": lambda folder: write_xlsx(
        folder / "a.xlsx", {TITLE: sheet_of(ROWS, tuple(key for key in HEADING if key != "key"))}
    ),
}


@pytest.mark.parametrize("shape", some_of(SHAPES, quick=5))
def test_in_any_shape_it_is_the_same_answer(shape: str, tmp_path: Path) -> None:
    usual = import_prices([str(write_xlsx(tmp_path / "usual.xlsx", {TITLE: sheet_of(ROWS)}))])
    path = SHAPES[shape](tmp_path)
    assert recognise(str(path)).format == "workbook"
    read, words = import_prices([str(path)]), "; All prices without tax; Signed"
    plain = [replace(one, source=(one.source or "").removesuffix(words)) for one in read.offers]
    assert tuple(plain) == usual.offers and (plain != list(read.offers)) == ("below" in shape)
    assert ("“Terms”" in said(read.intake[0]).get("other_sheets", "")) == ("others" in shape)
    assert ends_of(read.intake[0]) == ends_of(usual.intake[0])


@pytest.mark.parametrize(
    ("cells", "expected"),
    some_of(
        [
            ({"rate": "2.10 USD/h"}, {"rate_usd_per_gpu_hour": Decimal("2.10"), "currency": "USD"}),
            (
                {"rate": "€2.10"},
                {"rate_usd_per_gpu_hour": Decimal("2.10"), "currency": "EUR", "exchange": None},
            ),
            ({"rate": "$ 2,10 / GPU-h"}, {"rate_usd_per_gpu_hour": Decimal("2.10")}),
            ({"rate": "1,760 per GPU-month"}, {"rate_usd_per_gpu_hour": Decimal("2.410959")}),
            ({"rate": "2.1-2.4"}, {"rate": None, "rate_low": Decimal("2.1"), "rate_high": Decimal("2.4")}),
            ({"rate": "on request"}, {"rate": None}),
            ({"rate": 0}, {"rate": None}),
            ({"rate": 2, "upfront": "12.5k"}, {"upfront_usd": Decimal(12500)}),
            ({"rate": 2, "sla": 0.999}, {"sla_percent": 99.9}),
            ({"rate": 2, "sla": "99,9"}, {"sla_percent": 99.9}),
            ({"rate": 2, "sla": "≥ 99.95 %"}, {"sla_percent": 99.95}),
            ({"rate": "TBD, after our audit"}, {"rate": None}),
            ({"rate": 2, "lead": "2 weeks"}, {"lead_time_hours": 336.0}),
            ({"rate": 2, "lead": "2-3 weeks"}, {"lead_time_hours": 504.0}),
            ({"rate": 2, "valid_until": "30 days"}, {"valid_until": "2026-11-04"}),
            (
                {"rate": 2, "valid_until": "valid for 2 months from date of quote"},
                {"valid_until": "2026-12-05"},
            ),
            ({"rate": 2, "remark": "8 GPUs per node; price firm"}, {"rate": 2.0}),
            ({"rate": "2.10 dollars"}, {"rate_usd_per_gpu_hour": Decimal("2.10"), "currency": "USD"}),
            ({"rate": 2, "earliest": "1 Jan 2027"}, {"starts": "2027-01-01"}),
            ({"rate": 2, "earliest": "15/01/2027"}, {"starts": "2027-01-15"}),
            ({"rate": 2, "earliest": "as requested"}, {"starts": "2026-12-01"}),
            ({"rate": 2, "most": "32 GPUs", "least": "none"}, {"max_gpus": 32, "min_gpus": None}),
            ({"rate": 2, "most": "no limit"}, {"max_gpus": 64}),
            ({"rate": 2, "bid": "yes"}, {"rate": 2.0}),
            ({"rate": 2, "term": "30 days"}, {"term_days": 30, "term_months": 1}),
            (
                {"rate": 2, "delivery": "eu-north", "bare_metal": "any", "memory": "any"},
                {"region": "eu-north", "bare_metal": None},
            ),
        ],
        quick=13,
    ),
)
def test_what_is_written_in_other_ways_is_read_rightly(
    cells: dict[str, Value], expected: dict[str, object], tmp_path: Path
) -> None:
    (offer,) = read_row(tmp_path, **cells).offers
    assert {name: getattr(offer, name) for name in expected} == expected


BAD: dict[str, tuple[dict[str, Value], str, str, str]] = {
    "amount of a month": ({"rate": "1,760 per month"}, "undecided", "N14", "perhaps for all GPUs"),
    "amount of a node": ({"rate": "16.80 per node-hour"}, "undecided", "N14", "with an unknown GPU count"),
    "two numbers in one": ({"rate": "1,760"}, "undecided", "N14", " or 1,760"),
    "two currencies": ({"rate": "2.10 USD or EUR"}, "bad_number", "N14", "not an amount with a unit"),
    "an error": ({"rate": "#REF!"}, "bad_number", "N14", "not an amount with a unit"),
    "a month's amount as a number": ({"rate": 1424}, "undecided", "N14", "implausible for one GPU-hour"),
    "below zero": ({"rate": -2}, "bad_number", "N14", "not an amount"),
    "words": ({"rate": "best price"}, "bad_number", "N14", "not an amount with a unit"),
    "with a condition": ({"rate": "2.10 from 128 GPUs"}, "bad_number", "N14", "not an amount with a unit"),
    "thousands without a time": ({"rate": "1.7k"}, "undecided", "N14", "the period is missing"),
    "bid and no rate": ({"bid": "bid", "rate": "n/a"}, "undecided", "N14", "the row is a bid"),
    "no bid and a rate": ({"bid": "no bid", "rate": 2}, "undecided", "M14", "the row is filled in"),
    "neither": ({"bid": "maybe", "rate": 2}, "undecided", "M14", "neither bid nor no bid"),
    "parts of a GPU": ({"rate": 2, "most": 7.5}, "bad_number", "O14", "not a whole number"),
    "nodes": ({"rate": 2, "most": "4 nodes"}, "bad_number", "O14", "a number of GPUs"),
    "none at most": ({"rate": 2, "most": 0}, "bad_number", "O14", "no GPUs"),
    "least above most": ({"rate": 2, "most": 8, "least": 16}, "bad_number", "O14", "less than the minimum"),
    "lead in words": ({"rate": 2, "lead": "soon"}, "bad_number", "Q14", "not a number of days"),
    "a rate of a node by the remark": (
        {"rate": 16.8, "remark": "Rate per node of 8"},
        "undecided",
        "W14",
        "may not be per GPU-hour",
    ),
    "a rate of a month by the remark": (
        {"rate": 16.8, "remark": "prices are per GPU-month"},
        "undecided",
        "W14",
        "may not be per GPU-hour",
    ),
    "upfront that may be a share": ({"rate": 2, "upfront": 0.1}, "undecided", "R14", "perhaps a share"),
    "upfront in percent": ({"rate": 2, "upfront": "10%"}, "bad_number", "R14", "not an amount with a unit"),
    "upfront elsewhere": ({"rate": "€2", "upfront": "$500"}, "undecided", "R14", "in USD"),
    "two days": ({"rate": 2, "earliest": "01/12/2026"}, "undecided", "U14", "ambiguous"),
    "a month": ({"rate": 2, "earliest": "Jan 2027"}, "bad_time", "U14", "a period"),
    "a day that is none": ({"rate": 2, "valid_until": "31 Feb 2027"}, "bad_time", "T14", "not a day"),
    "over before it was quoted": (
        {"rate": 2, "valid_until": "2025-12-31"},
        "end_before_start",
        "T14",
        "2026-10-05",
    ),
    "a term in words": ({"rate": 2, "term": "flexible"}, "bad_number", "F14", "not a term"),
    "rows mixed up": ({"rate": 2, "request": "R7"}, "undecided", "A14", "two rows are mixed up"),
}


@pytest.mark.parametrize("name", some_of(BAD, quick=14))
def test_a_cell_that_cannot_be_read_is_listed_with_its_address(name: str, tmp_path: Path) -> None:
    cells, code, address, why = BAD[name]
    read = read_row(tmp_path, **cells)
    (file,) = read.intake
    assert read.offers == () and ends_of(file) == (1, 0, 1, 0, 0)
    (rejected,) = file.rejected
    message = str(rejected.message)
    assert (rejected.code, rejected.row) == (code, 14)
    assert message.startswith(f"'{TITLE}'!{address} contains “") and why in message and "; " in message
    assert f"'{TITLE}'!{address}" in said(file)[code]


def test_all_bad_cells_of_a_file_are_listed_and_those_that_only_tell_leave_the_row(tmp_path: Path) -> None:
    rows = [asked(f"R{number}", rate=f"about {number}", lead="soon", sla="high") for number in range(1, 31)]
    rows.append(asked("R31", rate=2, sla="high", egress="5%"))
    read = import_prices(
        [
            str(
                write_xlsx(
                    tmp_path / "a.xlsx", {"Q": sheet_of(rows, head=HEAD_VALUES | {"quoted_on": "5/6/2026"})}
                )
            )
        ]
    )
    (file,) = read.intake
    assert ends_of(file) == (31, 1, 30, 0, 0)
    for number in range(14, 44):
        assert f"Q!N{number} contains" in said(file)["bad_number"]
    (offer,) = read.offers
    assert (offer.sla_percent, offer.egress_usd_per_gb, offer.as_of) == (None, None, None)
    assert all(f"Q!{at}" in said(file)["bad_number"] for at in ("S44", "V44"))
    assert "Q!G4 contains “5/6/2026”" in said(file)["undecided"]
    assert {(row.code, row.row) for row in file.noted} >= {("bad_number", 44), ("undecided", 44)}
    assert "Q!N14" in str(file.rejected[0].message) and "Q!Q14" in str(file.rejected[0].message)


def test_addresses_in_a_text_file_are_line_and_column(tmp_path: Path) -> None:
    path = write_text(tmp_path / "a.csv", sheet_of([asked("R1", rate="best price")]))
    (file,) = import_prices([str(path)]).intake
    assert str(file.rejected[0].message).startswith("14:14 contains “best price”")


def test_a_text_file_is_read_as_its_program_writes_numbers(tmp_path: Path) -> None:
    for name, sign, rate in (("a.csv", ",", "1.995"), ("b.csv", ";", "1,995")):
        path = write_text(tmp_path / name, sheet_of([asked("R1", rate=1.995), asked("R2", rate=2.25)]), sign)
        assert rate in path.read_text(encoding="utf-8")
        rates = [offer.rate for offer in import_prices([str(path)]).offers]
        assert rates == [1.995, 2.25]


@pytest.mark.long
def test_without_a_vendor_or_a_currency_rows_are_asked_about(tmp_path: Path) -> None:
    without = {key: value for key, value in HEAD_VALUES.items() if key not in ("vendor", "currency")}
    (nobody,) = read_row(tmp_path, head=without, rate=2).intake
    assert nobody.rejected[0].code == "missing_column" and "Vendor" in str(nobody.rejected[0].message)
    (empty,) = read_row(tmp_path, head=HEAD_VALUES | {"vendor": None}, rate=2).intake
    assert f"'{TITLE}'!E3: " in str(empty.rejected[0].message)
    (unknown,) = read_row(tmp_path, head=without | {"vendor": "N"}, rate=2).intake
    assert unknown.rejected[0].code == "undecided" and "currency" in str(unknown.rejected[0].message)
    (offer,) = read_row(tmp_path, head=HEAD_VALUES | {"currency": "Euro"}, rate=2).offers
    assert (offer.currency, offer.rate) == ("EUR", None)
    for text in ("dollars", "US Dollars"):
        (offer,) = read_row(tmp_path, head=HEAD_VALUES | {"currency": text}, rate=2).offers
        assert (offer.currency, offer.rate) == ("USD", 2.0)


def test_what_is_taken_from_a_length_or_a_range_is_said(tmp_path: Path) -> None:
    read = read_row(tmp_path, head=HEAD_VALUES | {"valid_until": "30 days"}, rate=2, lead="2-3 weeks")
    (offer,) = read.offers
    assert (offer.valid_until, offer.lead_time_hours) == ("2026-11-04", 504.0)
    words = said(read.intake[0])["computed"]
    assert re.search(r"“30 days”: [^;“]* 2026-11-04", words)
    assert re.search(r"“2-3 weeks”: [^;“]* 21 days", words)
    head = HEAD_VALUES | {"valid_until": "30 days", "quoted_on": None}
    (undated,) = read_row(tmp_path, head=head, rate=2).intake
    assert undated.rows_accepted == 1 and "30 days" in str(undated.noted[0].message)


def test_a_heading_that_names_another_currency_than_the_line_is_asked_about(tmp_path: Path) -> None:
    rows = sheet_of([asked("R1", rate=2)])
    heads = [f"{HEADING['rate']} (EUR)" if cell == HEADING["rate"] else cell for cell in rows[-2]]
    read = import_prices([str(write_xlsx(tmp_path / "a.xlsx", {TITLE: [*rows[:-2], heads, rows[-1]]}))])
    assert read.intake[0].rejected[0].code == "undecided"


def test_how_long_a_quote_holds_where_no_day_is_told(tmp_path: Path) -> None:
    head = {key: value for key, value in HEAD_VALUES.items() if key != "valid_until"}
    as_asked = read_row(tmp_path, head=head, rate=2)
    assert as_asked.offers[0].valid_until == "2026-11-13"
    assert "R1 is valid until 2026-11-13" in said(as_asked.intake[0])["computed"]
    until_start = read_row(tmp_path, head=head | {"validity": "as usual"}, rate=2)
    assert until_start.offers[0].valid_until == "2026-12-01"
    assert "2026-12-01" in said(until_start.intake[0])["computed"]


def test_a_row_that_was_changed_is_said_and_taken_as_it_is(tmp_path: Path) -> None:
    row = {**asked("R1", rate=2), "gpus": 32, "term": "24 months"}
    read = import_prices(
        [str(write_xlsx(tmp_path / "a.xlsx", {TITLE: sheet_of([row, asked("R2", rate=2)])}))]
    )
    assert [(offer.term_months, offer.max_gpus) for offer in read.offers] == [(24, 32), (12, 64)]
    assert "R1 is H100, 32, 24 months" in said(read.intake[0])["request_changed"]
    assert next(i.count for i in read.intake[0].issues if i.code == "request_changed") == 1


def test_an_answer_to_an_older_request_is_said_and_taken(tmp_path: Path) -> None:
    rows = sheet_of([asked("R1", "RFQ-20260101-AAAA", rate=2)])
    read = import_prices([str(write_xlsx(tmp_path / "a.xlsx", {TITLE: rows}))])
    found = answered_row(read.offers[0])
    assert found is not None and (found.reference, found.row) == ("RFQ-20260101-AAAA", "R1")
    assert f"R1 answers RFQ-20260101-AAAA, not {REFERENCE}" in said(read.intake[0])["other_request"]


def test_rows_that_are_answered_twice_or_without_a_key(tmp_path: Path) -> None:
    alike = asked("R1", rate=2)
    own = {**ASKED, "rate": 1.5, "request": "R9"}
    rows = sheet_of([alike, alike, asked("R1", rate=1.8, lead=60), own, {"gpu_model": "Total", "gpus": 192}])
    read = import_prices([str(write_xlsx(tmp_path / "a.xlsx", {TITLE: rows}))])
    (file,) = read.intake
    assert ends_of(file) == (5, 2, 1, 1, 1)
    assert sorted(offer.rate or 0.0 for offer in read.offers) == [1.8, 2.0]
    assert "R1: several answers" in said(file)["undecided"]


def test_answers_on_two_tabs_are_all_read(tmp_path: Path) -> None:
    sheets = {"A": sheet_of([asked("R1", rate=2)]), "B": sheet_of([asked("R2", rate="soon")])}
    read = import_prices([str(write_xlsx(tmp_path / "a.xlsx", sheets))])
    assert ends_of(read.intake[0]) == (2, 1, 1, 0, 0)
    assert str(read.intake[0].rejected[0].message).startswith("B!N14 contains")


def test_columns_that_were_added_left_out_or_renamed(tmp_path: Path) -> None:
    more = (*HEADING, "Our SKU")
    added = import_prices(
        [
            str(
                write_xlsx(
                    tmp_path / "a.xlsx", {"Q": sheet_of([asked("R1", rate=2, **{"Our SKU": "x1"})], more)}
                )
            )
        ]
    )
    assert added.offers[0].rate == 2.0
    assert "“Our SKU” at Q!AA14" in said(added.intake[0])["unknown_column"]
    fewer = tuple(key for key in HEADING if key not in ("egress", "least"))
    left_out = import_prices(
        [str(write_xlsx(tmp_path / "b.xlsx", {"Q": sheet_of([asked("R1", rate=2)], fewer)}))]
    )
    assert left_out.offers[0].rate == 2.0
    assert all(
        name in said(left_out.intake[0])["missing_column"] for name in ("GPUs at least", "Egress per GB")
    )
    renamed = tuple("Price per GPU-month" if key == "rate" else key for key in HEADING)
    refused = import_prices(
        [
            str(
                write_xlsx(
                    tmp_path / "c.xlsx",
                    {"Q": sheet_of([asked("R1", **{"Price per GPU-month": 1460, "lead": 7})], renamed)},
                )
            )
        ]
    )
    assert refused.offers == ()
    assert "Rate per GPU-hour" in str(refused.intake[0].rejected[0].message)


def test_the_currency_and_the_percent_that_a_cell_shows_count(tmp_path: Path) -> None:
    rows = [asked("R1", rate=2.5), asked("R2", rate=2.5), asked("R3", rate=2.5, upfront=0.1, sla=0.999)]
    path = write_xlsx(tmp_path / "a.xlsx", {"Q": sheet_of(rows)})
    book = openpyxl.load_workbook(path)
    for cell, shown in (
        ("N14", "[$€-407]\\ #,##0.00"),
        ("N15", '_("$"* #,##0.00_)'),
        ("R16", "0%"),
        ("S16", "0.0%"),
    ):
        book["Q"][cell].number_format = shown
    book.save(path)
    read = import_prices([str(path)])
    assert [(offer.currency, offer.rate) for offer in read.offers] == [("EUR", None), ("USD", 2.5)]
    assert "Q!R16 contains “0.1”: " in said(read.intake[0])["bad_number"]
    assert "R1 in EUR" in said(read.intake[0])["other_currency"]


def test_headings_that_are_repeated_are_no_rows(tmp_path: Path) -> None:
    rows = sheet_of([asked("R1", rate=2)])
    read = import_prices([str(write_xlsx(tmp_path / "a.xlsx", {"Q": [*rows, rows[-2]]}))])
    assert ends_of(read.intake[0]) == (1, 1, 0, 0, 0)


def test_a_request_that_nobody_filled_in_has_no_offers(tmp_path: Path) -> None:
    rows = sheet_of([asked("R1"), asked("R2")])
    read = import_prices([str(write_xlsx(tmp_path / "a.xlsx", {TITLE: rows}))])
    assert read.offers == () and ends_of(read.intake[0]) == (2, 0, 0, 0, 2)


def test_other_files_are_no_answers(tmp_path: Path) -> None:
    key = make_key(REFERENCE, "R1")
    assert (
        recognise(str(write_xlsx(tmp_path / "a.xlsx", {"A": [[key, "x"], ["y", "z"]]}))).format != "workbook"
    )
    damaged = tmp_path / "b.xlsx"
    damaged.write_bytes((tmp_path / "a.xlsx").read_bytes()[:-200])
    with pytest.raises(Exception, match="truncated_file"):
        recognise(str(damaged))
    assert set(LABEL.values()) >= {"Vendor", "Currency"}


# --- A vendor that answers a row twice: what it quoted last counts, and what does not is said with both
# files


def answer(folder: Path, name: str, day: int | None, vendor: str = "Northlight", **cells: Value) -> str:
    """A file of one row, quoted on a day of October 2026."""
    quoted_on = None if day is None else datetime.datetime(2026, 10, day)
    head = {**HEAD_VALUES, "quoted_on": quoted_on, "vendor": vendor}
    return str(write_xlsx(folder / name, {TITLE: sheet_of([asked("R1", **cells)], head=head)}))


def said_of_revised(read: PricesRead) -> dict[str, list[str]]:
    """What is said of answers that do not count, by code."""
    found: dict[str, list[str]] = {}
    for file in read.intake:
        ends = file.rows_accepted + file.rows_rejected + file.rows_duplicate + file.rows_ignored
        assert ends == file.rows_read
        for row in file.noted:
            if row.code in ("quote_revised", "answered_twice"):
                assert row.code in {issue.code for issue in file.issues}
                found.setdefault(row.code, []).append(str(row.message))
    return found


@pytest.mark.parametrize(
    ("days", "vendors", "rate", "code"),
    some_of(
        [
            ((5, 9), ("Northlight", "Northlight"), "2.4", "quote_revised"),
            ((9, 5), ("Northlight", "Northlight"), "2.5", "quote_revised"),
            ((5, 9), ("Northlight", "NORTHLIGHT "), "2.4", "quote_revised"),
            ((5, 5), ("Northlight", "Northlight"), "2.4", "answered_twice"),
            ((5, None), ("Northlight", "Northlight"), "2.4", "answered_twice"),
            ((None, None), ("Northlight", "Northlight"), "2.4", "answered_twice"),
        ],
        quick=2,
    ),
)
def test_which_counts(
    tmp_path: Path, days: tuple[int | None, ...], vendors: tuple[str, str], rate: str, code: str
) -> None:
    paths = [
        answer(tmp_path, name, day, vendor, rate=rate)
        for name, day, vendor, rate in zip(("a.xlsx", "b.xlsx"), days, vendors, (2.5, 2.4), strict=True)
    ]
    read = import_prices(paths)
    assert [str(offer.rate_usd_per_gpu_hour) for offer in read.offers] == [rate]
    (words,) = said_of_revised(read)[code]
    assert "R1 of" in words and "a.xlsx" in words and "b.xlsx" in words and "2.5 USD" in words
    assert [file.rows_duplicate for file in read.intake] == ([1, 0] if rate == "2.4" else [0, 1])


def test_a_later_no_bid_takes_a_quote_back_and_an_earlier_one_does_not(tmp_path: Path) -> None:
    quote = answer(tmp_path, "quote.xlsx", 5, rate=2.5)
    back = import_prices([quote, answer(tmp_path, "back.xlsx", 9, bid="no bid")])
    assert not back.offers and "no bid in back.xlsx, " in said_of_revised(back)["quote_revised"][0]
    before = import_prices([answer(tmp_path, "before.xlsx", 2, bid="no bid"), quote])
    assert len(before.offers) == 1 and not said_of_revised(before)


def test_a_later_no_bid_takes_back_the_quote_of_an_earlier_import(tmp_path: Path) -> None:
    """Whichever of both files is read first: the one quoted on last counts, and the rate stays among earlier ones."""
    quote = import_prices([answer(tmp_path, "quote.xlsx", 5, rate=2.5)])
    later = import_prices([answer(tmp_path, "later.xlsx", 9, bid="no bid")])
    before = import_prices([answer(tmp_path, "before.xlsx", 2, bid="no bid")])
    case = Case(24)
    case.workload("alpha", "chat", "inference", [1.0] * 24)

    def book(*reads: PricesRead) -> Project:
        project = case.project
        for read in reads:
            project = import_inputs(
                project,
                offers=read.offers,
                intake=read.intake,
                earlier_offers=read.earlier_offers,
                adding=True,
            )
        return project

    assert len(book(quote).offers) == len(book(quote, before).offers) == len(book(before, quote).offers) == 1
    for gone in (book(quote, later), book(later, quote)):
        assert gone.offers == ()
        assert [str(one.rate_usd_per_gpu_hour) for one in gone.earlier_offers] == ["2.5"]


def test_the_same_twice_is_a_duplicate_and_two_vendors_are_no_revision(tmp_path: Path) -> None:
    first = answer(tmp_path, "a.xlsx", 5, rate=2.5)
    same = import_prices([first, answer(tmp_path, "b.xlsx", 5, rate=2.5)])
    assert (len(same.offers), same.intake[1].rows_duplicate, said_of_revised(same)) == (1, 1, {})
    other = import_prices([first, answer(tmp_path, "c.xlsx", 9, "Vela", rate=2.5)])
    assert (len(other.offers), said_of_revised(other)) == (2, {})


def test_what_does_not_count_stays_as_an_earlier_rate(tmp_path: Path) -> None:
    read = import_prices([answer(tmp_path, "a.xlsx", 5, rate=2.5), answer(tmp_path, "b.xlsx", 9, rate=2.4)])
    assert [(str(one.rate_usd_per_gpu_hour), one.as_of) for one in read.earlier_offers] == [
        ("2.5", "2026-10-05")
    ]


@pytest.mark.parametrize(
    ("key", "text", "code", "kept"),
    [
        ("valid_until", "end of week", "bad_time", {"valid_until": "2026-11-13"}),
        ("valid_until", DAY(2026, 9, 1), "end_before_start", {"valid_until": "2026-09-01"}),
        ("sla", "gold 12345", "bad_number", {"sla_percent": None}),
        ("quoted_on", "yesterday", "bad_time", {"as_of": None}),
        ("currency", "Pounds sterling", "undecided", {"currency": "XXX", "rate": None}),
    ],
)
def test_one_bad_word_above_the_table_asks_for_that_cell_and_keeps_the_rows(
    tmp_path, key, text, code, kept
) -> None:
    rows = sheet_of([asked("R1", rate=2.5), asked("R2", rate=2.6)], head={**HEAD_VALUES, key: text})
    read = import_prices([str(write_xlsx(tmp_path / "answer.xlsx", {TITLE: rows}))])
    (file,) = read.intake
    assert (file.rows_accepted, file.rows_rejected) == (2, 0)
    assert [{name: getattr(offer, name) for name in kept} for offer in read.offers] == [kept, kept]
    said = [one for one in file.noted if one.code == code]
    assert len(said) == 1 and "contains “" in str(said[0].message), "asked once, by its address"


def test_what_cannot_be_told_from_an_answer_is_awarded_nothing(tmp_path) -> None:
    """Several answers to one row, a firm row answered as an option, a bundle, a remark that is a formula."""
    one, other = asked("R1", rate=2.5), asked("R1", rate=1.0)
    bundle = asked("R2", rate=2.5, remark="offered together with R3")
    option = {**asked("R4", rate=1.5), "need": "option"}
    was = ("H100", "64", "12 months", "2026-12-01", "firm", "any", "InfiniBand", "80 GB", "yes")
    option["key"] = make_key(REFERENCE, "R4", was)
    sheet = sheet_of([one, other, bundle, option, asked("R5", rate=2.0, remark='=HYPERLINK("x")')])
    sheet.append(sheet_of([asked("R6", rate=2.0, remark="H100 PCIe 64 GB")])[-1])
    read = import_prices([str(write_xlsx(tmp_path / "answer.xlsx", {TITLE: sheet}))])
    said = {offer.offer_id.partition(f"{REFERENCE} ")[2]: str(undecided(offer)) for offer in read.offers}
    named = said.pop("R6")
    assert "H100 PCIe 64 GB" in named and "H100 80 GB" in named
    assert list(said) == ["R1", "R1 (2)", "R2", "R5"]
    words = [": 2", ": 2", "together", "formula without"]
    quoted = [text.split("“")[1].split("”")[0] for text in said.values()]
    assert [word for word, text in zip(words, quoted, strict=True) if not text.endswith(word)] == []
    assert "firm" in str(read.intake[0].rejected[0].message)


def test_a_vendor_that_is_asked_twice_for_the_same_has_its_gpus_once(tmp_path) -> None:
    was = ("H100", "64", "12 months", "2026-12-01", "firm", "any", "InfiniBand", "80 GB", "yes")
    paths = []
    for number, (reference, rate, day) in enumerate(
        (("RFQ-20260930-7C1E", 2.5, 5), ("RFQ-20261005-AAAA", 2.2, 9))
    ):
        row = asked("R1", reference, rate=rate) | {"key": make_key(reference, f"R{number + 1}", was)}
        row["request"] = f"R{number + 1}"
        head = {**HEAD_VALUES, "reference": reference, "quoted_on": DAY(2026, 10, day)}
        paths.append(str(write_xlsx(tmp_path / f"{number}.xlsx", {TITLE: sheet_of([row], head=head)})))
    read = import_prices(paths)
    assert [offer.rate for offer in read.offers] == [2.2]
    assert "quote_revised" in {issue.code for issue in read.intake[0].issues}


def test_a_key_says_what_was_asked_for_whatever_becomes_of_the_cells(tmp_path) -> None:
    was = ("H100", "64", "12 months", "2026-12-01", "option", "any", "InfiniBand", "80 GB", "yes", SOONEST)
    was += ("2026-10-14", "2026-10-19")
    row = asked("R1", rate=2.5, gpu_model="H200", start=DAY(2027, 1, 1), need="firm", memory="any")
    sheet = sheet_of([row | {"key": make_key(REFERENCE, "R1", was)}])
    read = import_prices([str(write_xlsx(tmp_path / "answer.xlsx", {TITLE: sheet}))])
    (sent,) = sent_in(read.intake[0])
    assert (sent.gpu_model, sent.gpus, sent.start, sent.is_option) == ("H100", 64, "2026-12-01", True)
    assert (sent.memory_gb, sent.bare_metal, sent.is_soonest) == (80.0, True, True)
    assert (sent.reply_by, sent.orders_from) == was[-2:]
    (offer,) = read.offers
    said = answered_row(offer)
    assert said is not None and said.is_option and offer.gpu_model == "H200"
    (issue,) = [one for one in read.intake[0].issues if one.code == "request_changed"]
    assert re.search(r"R1 .*H200, 64, 12 months, .*H100, 64, 12 months", str(issue.message))


def test_a_column_of_gpus_that_was_emptied_leaves_the_number_that_was_asked_for(tmp_path) -> None:
    was = ("H100", "8", "12 months", "2026-12-01", "firm", "any", "InfiniBand", "80 GB", "yes")
    row = asked("R1", rate=2.5) | {"gpus": None, "key": make_key(REFERENCE, "R1", was)}
    (offer,) = import_prices([str(write_xlsx(tmp_path / "answer.xlsx", {TITLE: sheet_of([row])}))]).offers
    assert offer.max_gpus == 8


def test_a_key_that_was_changed_by_hand_says_nothing_of_what_was_asked_for() -> None:
    was = ("H100", "64", "12 months", "2026-12-01", "firm", "any", "InfiniBand", "80 GB", "yes")
    key = make_key(REFERENCE, "R1", was)
    assert asked_by(key)["gpus"] == "64" and asked_by(key.replace("|64|", "|96|")) == {}
    named = make_key(REFERENCE, "R1", ("H100 [NVL]|b", *was[1:]))
    assert asked_by(named)["start"] == "2026-12-01", "letters that a key has none of are no change"


def test_all_that_a_vendor_says_in_words_is_the_remark_of_its_row(tmp_path) -> None:
    columns = (*HEADING, "Comment")
    heads = ["Offer of Northlight, plus VAT"]
    rows = sheet_of([asked("R1", rate=2.5, remark="two sites", Comment="new cables")], columns)
    sheet = [heads, *rows, [None, "Valid for", "the whole group"], ["Thank you!"]]
    read = import_prices([str(write_xlsx(tmp_path / "answer.xlsx", {TITLE: sheet}))])
    said = answered_row(read.offers[0])
    assert said is not None
    remarks = ("two sites", "Comment: new cables", *heads, "Thank you!", "Valid for, the whole group")
    assert said.remark == "; ".join(remarks)
    assert [one.code for one in read.intake[0].noted if "plus VAT" in str(one.message)] == ["undecided"]


@pytest.mark.parametrize("fee", ["USD 12,000 one-off per cluster", "none", "0"])
def test_a_set_up_fee_answered_where_it_is_asked_for_waits_as_one_in_a_remark_does(
    tmp_path: Path, fee: str
) -> None:
    sheet = [*sheet_of([asked("R1", rate=2.0)]), [None], list(OLD_QUESTION_HEADINGS), [FEES, fee]]
    answer = import_prices([str(write_xlsx(tmp_path / "answer.xlsx", {TITLE: sheet}))])
    (offer,) = answer.offers
    assert (undecided(offer) is not None) == (fee == "USD 12,000 one-off per cluster")
    assert answered_row(offer).remark == (f"{FEES} {fee}" if undecided(offer) else "")  # type: ignore[union-attr]


def test_an_answer_with_a_cell_that_cannot_be_read_is_told_until_one_that_can_came(tmp_path: Path) -> None:
    files = []
    for at, least in enumerate(("min. 24", 24)):
        rows = sheet_of([asked("R1", rate=2.0, least=least), asked("R2", rate=2.0)])
        files.append(str(write_xlsx(tmp_path / f"{at}.xlsx", {TITLE: rows})))
    first = import_prices(files[:1])
    assert [(one.vendor, one.name) for one in unread_answers(first.intake)] == [("Northlight", "R1")]
    assert unread_answers(import_prices(files).intake) == ()
