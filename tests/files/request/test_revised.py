"""A vendor that answers a row twice: what it quoted last counts, and what does not is said with both files."""

import datetime
from pathlib import Path

import pytest

from gpuplanner.domain.edits import import_inputs
from gpuplanner.domain.model.project import Project
from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from tests.files.open_document_files import Value
from tests.files.request.answered_files import HEAD_VALUES, TITLE, asked, sheet_of, write_xlsx
from tests.oracle.projects import Case
from tests.some_of import some_of


def answer(folder: Path, name: str, day: int | None, vendor: str = "Northlight", **cells: Value) -> str:
    """A file of one row, quoted on a day of October 2026."""
    quoted_on = None if day is None else datetime.datetime(2026, 10, day)
    head = {**HEAD_VALUES, "quoted_on": quoted_on, "vendor": vendor}
    return str(write_xlsx(folder / name, {TITLE: sheet_of([asked("R1", **cells)], head=head)}))


def said(read: PricesRead) -> dict[str, list[str]]:
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
    (words,) = said(read)[code]
    assert "R1 of" in words and "a.xlsx" in words and "b.xlsx" in words and "2.5 USD" in words
    assert [file.rows_duplicate for file in read.intake] == ([1, 0] if rate == "2.4" else [0, 1])


def test_a_later_no_bid_takes_a_quote_back_and_an_earlier_one_does_not(tmp_path: Path) -> None:
    quote = answer(tmp_path, "quote.xlsx", 5, rate=2.5)
    back = import_prices([quote, answer(tmp_path, "back.xlsx", 9, bid="no bid")])
    assert not back.offers and "no bid in back.xlsx, quoted on 2026-10-09" in said(back)["quote_revised"][0]
    before = import_prices([answer(tmp_path, "before.xlsx", 2, bid="no bid"), quote])
    assert len(before.offers) == 1 and not said(before)


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
    assert (len(same.offers), same.intake[1].rows_duplicate, said(same)) == (1, 1, {})
    other = import_prices([first, answer(tmp_path, "c.xlsx", 9, "Vela", rate=2.5)])
    assert (len(other.offers), said(other)) == (2, {})


def test_what_does_not_count_stays_as_an_earlier_rate(tmp_path: Path) -> None:
    read = import_prices([answer(tmp_path, "a.xlsx", 5, rate=2.5), answer(tmp_path, "b.xlsx", 9, rate=2.4)])
    assert [(str(one.rate_usd_per_gpu_hour), one.as_of) for one in read.earlier_offers] == [
        ("2.5", "2026-10-05")
    ]
