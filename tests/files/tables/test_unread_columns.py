"""Columns that were not read: left out in silence, told, or a question that a file waits for."""

from pathlib import Path

import pytest

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.import_tables import import_contracts, import_prices, read_price_source
from gpuplanner.files.tables.column_mapping import (
    ColumnMapping,
    mapping_text,
    parse_table_mapping,
    parted_map,
    without_not_needed,
)
from gpuplanner.files.tables.unread_columns import ReadTable, Verdict, unread_columns
from tests.files.tables.table_texts import text_source

OFFERS = ("H100", "2.49"), ("A100", "1.20"), ("L40S", "0.80")
READ = {"GPU": "gpu_model", "Rate": "rate_usd_per_gpu_hour"}


def verdict(heading: str, *cells: str, is_wide: bool = False, **fields: tuple[str, ...]) -> Verdict:
    """Return the verdict of a column beside a model and a rate. fields: more columns that were read."""
    rows = [
        [*offer, cell, *(more[at] for more in fields.values())]
        for at, (offer, cell) in enumerate(zip(OFFERS, cells, strict=False))
    ]
    headings = ("GPU", "Rate", heading, *fields)
    table = ReadTable(
        headings=headings, rows=rows, fields={**READ, **{name: name for name in fields}}, is_wide=is_wide
    )
    (column,) = unread_columns(table)
    return column.verdict


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("Surcharge %", ("10", "10", "10")),
        ("Volume (GPUs)", ("1-63", "64-255", "256+")),
        ("Band", ("a", "b", "c")),
        ("Support", ("basic", "premium", "basic")),
        ("MonthlyFee", ("10", "20", "30")),
        ("GPU", ("H100", "A100", "L40S")),
        ("Expires", ("2026-01-01", "2026-02-01", "2026-05-01")),
        ("Gültigkeit", ("2026-01-01", "2026-02-01", "2026-05-01")),
        ("Storage cost", ("10", "20", "30")),
    ],
)
def test_a_column_that_may_change_the_result_is_a_question(heading: str, cells: tuple[str, ...]) -> None:
    name = f"{heading} " if heading == "GPU" else heading
    assert verdict(name, *cells) is Verdict.ASKED


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("Surcharge %", ("", "-", "")),
        ("Spot", ("no", "false", "0")),
        ("Color", ("red", "red", "red")),
        ("vCPUs", ("8", "16", "24")),
        ("GPU RAM (GB)", ("80", "40", "48")),
        ("Last updated", ("2026-01-01", "2026-02-01", "2026-05-01")),
        ("Node name", ("n1", "n2", "n3")),
        ("Data sheet", ("https://a.b/1", "https://a.b/2", "https://a.b/3")),
        ("Rate text", ("2.49", "1.20", "0.80")),
        ("Monthly", ("1817.70", "876", "584")),
        ("Old rate", ("3", "2", "1")),
        ("Rank by rate", ("1", "2", "3")),
    ],
)
def test_a_column_that_changes_nothing_is_left_out_in_silence(heading: str, cells: tuple[str, ...]) -> None:
    if heading == "Old rate":
        assert verdict(heading, *cells) is Verdict.TOLD
    else:
        assert verdict(heading, *cells) is Verdict.SILENT


def test_days_are_silent_beside_days_that_are_read_within_a_month_and_vary() -> None:
    near, far = ("2026-01-03", "2026-02-03", "2026-03-03"), ("2025-01-01", "2026-02-03", "2026-03-03")
    read = ("2026-01-01", "2026-02-01", "2026-03-01")
    assert verdict("Signed", *near, as_of=read) is Verdict.SILENT
    assert verdict("Signed", *far, as_of=read) is Verdict.TOLD
    assert verdict("Signed", *near, as_of=(read[0],) * 3) is Verdict.ASKED


def test_a_place_is_silent_beside_a_region_and_a_median_is_asked_in_wide_lists_alone() -> None:
    cells = ("Oslo", "Paris", "Rome")
    assert verdict("Data center", *cells, region=cells[::-1]) is Verdict.SILENT
    assert verdict("Data center", *cells) is Verdict.TOLD
    assert verdict("H100 median", "2", "3", "5", is_wide=True) is Verdict.ASKED
    assert verdict("H100 median", "2", "3", "5") is Verdict.TOLD


def test_a_column_that_is_not_needed_is_written_and_read_back() -> None:
    mapping = parse_table_mapping('gpus=Qty,-=Surcharge %,"-=a, b"', ("gpus",))
    assert mapping == ColumnMapping({"gpus": "Qty"}, not_needed=("Surcharge %", "a, b"))
    assert parse_table_mapping(mapping_text(mapping), ("gpus",)) == mapping
    assert without_not_needed("+-=Rank").of_fields is None
    assert parted_map("-=Rank", {"prices": ("gpu_model",)}) == {"jobs": "-=Rank", "prices": "+-=Rank"}


PRICES = "GPU,Price per GPU-hour (USD),Surcharge %\nH100,4.00,10\nA100,1.20,10\n"


def _codes(file: FileIntake) -> set[str]:
    return {issue.code for issue in file.issues} & {"column_unread", "unknown_column"}


def test_a_price_list_waits_for_its_question_until_the_column_is_not_needed(tmp_path: Path) -> None:
    """$4.00 counts once the planner has said that the surcharge does not."""
    path = tmp_path / "prices.csv"
    path.write_text(PRICES)
    asked = import_prices([str(path)], refuses_unread=True)
    assert [fault.code for fault in asked.refused] == ["column_unread"] and not asked.offers
    said = import_prices([str(path)], {str(path): "+-=Surcharge %"}, refuses_unread=True)
    assert [float(offer.rate_usd_per_gpu_hour or 0) for offer in said.offers] == [1.2, 4.0]
    assert not said.refused and not _codes(said.intake[0])
    of_project = import_prices([str(path)], refuses_unread=True, known={said.intake[0].sha256})
    assert not of_project.refused and len(of_project.offers) == 2
    assert dict(said.intake[0].facts)["mapping"].endswith("-=Surcharge %")


def test_a_column_that_is_not_needed_is_not_read_either() -> None:
    text = "GPU,Price per GPU-hour,Region\nH100,4.00,eu\nA100,1.20,us\n"
    read = [read_price_source(text_source(text, "p.csv"), words).values for words in (None, "+-=Region")]
    assert [[offer.region for offer in offers] for offers in read] == [["eu", "us"], [None, None]]


def test_contracts_wait_for_their_question(tmp_path: Path) -> None:
    path = tmp_path / "contracts.csv"
    path.write_text(
        "Vendor,GPU,GPUs,Rate per GPU-hour,Start,End,Rate Y2\nV,H100,8,2.6,2026-01-01,2027-12-31,2.3\n"
    )
    assert [fault.code for fault in import_contracts([str(path)], refuses_unread=True).refused] == [
        "column_unread"
    ]
    said = import_contracts([str(path)], {str(path): "+-=Rate Y2"}, refuses_unread=True)
    assert [contract.rate for contract in said.contracts] == [2.6]


@pytest.mark.parametrize(("heading", "monthly"), [("Humidity", 41_200), ("CUDA version", 41.2)])
def test_one_number_of_any_column_proves_the_style_of_a_file(heading: str, monthly: float) -> None:
    """41.200 is 41,200 a month beside "48,2"; a version proves nothing."""
    text = f'GPU,GPUs,Price per GPU-month,{heading}\nH100,8,41.200,"48,2"\nA100,8,10.100,"51,0"\n'
    offers = read_price_source(
        text_source(text, "p.csv"), "+rate_usd_per_gpu_hour=Price per GPU-month:gpu_month"
    ).values
    assert float(offers[0].rate_usd_per_gpu_hour or 0) * 730 == pytest.approx(monthly, rel=1e-3)
