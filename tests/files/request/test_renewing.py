"""A term that renews is one line of a request, and its answer is a quote for each of its terms."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from gpuplanner.domain.award.award import award_of
from gpuplanner.domain.award.qualifying import Conditions, quotes_among
from gpuplanner.domain.commitment.asked_rows import AskedRow, asked_rows, rows_quoted_for
from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.intake import sent_in
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.request.request import Terms, request_of
from gpuplanner.files.request.request_file import request_bytes
from gpuplanner.files.request.request_form import Renewal, make_key, renewals_of
from gpuplanner.files.system.resources import read_tables
from tests.domain.commitment.test_asked_rows import BEGIN_S, listed, order
from tests.files.request.answered_files import REFERENCE, asked, read_row, sheet_of, write_xlsx
from tests.files.request.test_request_files import table_of
from tests.files.request.test_round_trip import fill
from tests.files.workbook.evaluations import two_clusters_evaluated

RENEWALS = (Renewal("R2", "2026-12-31"), Renewal("R5", "2027-01-30"))
KEY = make_key(REFERENCE, "R1", ("H100", "64", "1 month"), RENEWALS)


def test_a_key_keeps_what_renews_its_row() -> None:
    assert renewals_of(KEY) == renewals_of(KEY.lower()) == RENEWALS
    assert renewals_of(make_key(REFERENCE, "R1", ("H100",))) == renewals_of("R1") == ()


def answered(tmp_path: Path, until: object = datetime(2027, 2, 28), **cells: object) -> PricesRead:
    """What becomes of a line of three terms that a vendor answered."""
    return read_row(tmp_path, key=KEY, term="1 month", until=until, **cells)  # type: ignore[arg-type]


def starts_of(read: PricesRead) -> dict[str, str | None]:
    return {found.row: one.starts for one in read.offers if (found := answered_row(one)) is not None}


def test_an_answer_is_a_quote_for_each_of_its_terms(tmp_path: Path) -> None:
    read = answered(tmp_path, rate=2.5, remark="two sites", sla=99.5)
    assert starts_of(read) == {"R1": "2026-12-01", "R2": "2026-12-31", "R5": "2027-01-30"}
    first, *others = read.offers
    for one in others:
        alike = replace(one, offer_id=first.offer_id, starts=first.starts, source=first.source)
        assert alike == first and (one.source or "").endswith("; two sites")
    assert len({one.offer_id for one in read.offers}) == 3
    (file,) = read.intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_ignored) == (3, 3, 0, 0)
    assert [(one.name, one.answer, one.start) for one in sent_in(file)] == [
        ("R1", "quoted", "2026-12-01"), ("R2", "quoted", "2026-12-31"), ("R5", "quoted", "2027-01-30"),
    ]  # fmt: skip


def test_a_later_start_is_kept_and_what_it_comes_after_is_not_moved(tmp_path: Path) -> None:
    read = answered(tmp_path, rate=2.5, earliest=datetime(2027, 1, 10))
    assert starts_of(read) == {"R1": "2027-01-10", "R2": "2027-01-10", "R5": "2027-01-30"}
    found = answered_row(read.offers[1])
    assert found is not None and found.asked_for == "2026-12-31"


@pytest.mark.parametrize(
    ("until", "quoted"), [(datetime(2027, 1, 29), 1), ("no", 0), (None, 0), (datetime(2027, 3, 31), 2)]
)
def test_a_vendor_that_says_an_earlier_day_answers_what_is_over_by_then(
    tmp_path: Path, until: object, quoted: int
) -> None:
    read = answered(tmp_path, until, rate=2.5)
    (file,) = read.intake
    assert len(read.offers) == 1 + quoted == file.rows_accepted == 3 - file.rows_ignored
    said = [str(one.message) for one in file.issues if one.code == "request_changed"]
    assert any(f"quoted for {quoted} of the requested renewals" in text for text in said) == (quoted < 2)


def test_of_a_line_without_an_answer_or_one_that_cannot_be_read_all_terms_count(tmp_path: Path) -> None:
    for cells, name in (({"bid": "no bid"}, "rows_ignored"), ({"rate": "best"}, "rows_rejected")):
        (file,) = answered(tmp_path, **cells).intake
        assert file.rows_read == getattr(file, name) == 3 == len(sent_in(file))
    row = {**asked("R1", rate=2.5), "key": KEY, "term": "1 month", "until": datetime(2027, 2, 28)}
    (file,) = import_prices([str(write_xlsx(tmp_path / "twice.xlsx", {"Q": sheet_of([row, row])}))]).intake
    assert (file.rows_read, file.rows_accepted, file.rows_duplicate) == (6, 3, 3)


MONTHS = tuple(order(term_months=1, start_s=BEGIN_S + month * MONTH_S) for month in range(3))
"""An order of a month and those that renew it."""


def request_for(folder: Path) -> tuple[Path, tuple[AskedRow, ...]]:
    """A request for three months in a row and for a year, and its rows."""
    plan = two_clusters_evaluated()
    rows = asked_rows(listed(MONTHS, order(gpu_model="A100", offer_gpu_model="A100")), {}, {}, BEGIN_S)
    request = replace(request_of(plan, read_tables(), BEGIN_S, Terms(buyer="ACME")), rows=rows)
    path = folder / "request.xlsx"
    path.write_bytes(request_bytes(request, "Vela"))
    return path, rows


def test_a_file_says_until_when_a_term_is_wanted(tmp_path: Path) -> None:
    path, _ = request_for(tmp_path)
    lines = table_of(path)
    assert [(line["request"], line["until"]) for line in lines] == [
        ("O1", datetime(2026, 12, 31)), ("O2", "None"),
    ]  # fmt: skip
    starts = [(one.name, one.start) for one in renewals_of(lines[0]["key"])]
    assert starts == [("O1", "2026-10-31"), ("O1", "2026-11-30")]


@pytest.mark.long
def test_its_answer_is_quotes_of_its_order_of_which_the_first_is_awarded_for_all(tmp_path: Path) -> None:
    path, rows = request_for(tmp_path)
    read = import_prices([str(fill(path, {"O1": {"rate": 2.0}, "O2": {"rate": 1.5}}))])
    assert [(found.row, one.starts) for one in read.offers if (found := answered_row(one))] == [
        ("O1", "2026-10-01"), ("O1", "2026-10-31"), ("O1", "2026-11-30"), ("O2", "2026-10-01"),
    ]  # fmt: skip
    assert len({one.offer_id for one in read.offers}) == 4
    calendar = Calendar(begin_s=BEGIN_S)
    assert [rows_quoted_for(one, rows, calendar) for one in read.offers] == [(0,), (0,), (0,), (1,)]
    assert [one.starts for one in quotes_among(read.offers)] == ["2026-10-01"] * 2
    conditions = Conditions(order_day_s=BEGIN_S, mappings=())
    award = award_of(rows, quotes_among(read.offers), conditions)
    assert award is not None
    hours = 3 * 730
    paid = {line.row.name: (line.term_hours, line.liability) for line in award.awarded}
    assert paid["O1"] == (hours, rows[0].gpus * hours * 2.0)
