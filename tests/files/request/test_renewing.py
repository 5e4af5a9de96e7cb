"""A term that renews is one line of a request, and its answer is a quote for each of its terms."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given

from gpuplanner.domain.commitment.asked_rows import AskedRow, asked_rows, rows_quoted_for, runs_of
from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.intake import sent_in
from gpuplanner.domain.model.window import DAY_S, MONTH_S, iso_utc
from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.request.request import UNSAID, request_of
from gpuplanner.files.request.request_file import request_bytes
from gpuplanner.files.request.request_form import Renewal, make_key, renewals_of
from gpuplanner.files.system.resources import read_tables
from tests.domain.commitment.test_asked_rows import BEGIN_S, ORDERS, order
from tests.files.request.answered_files import REFERENCE, asked, read_row, sheet_of, write_xlsx
from tests.files.request.test_request_files import table_of
from tests.files.workbook.evaluations import two_clusters_evaluated

RENEWALS = (Renewal("R2", "2026-12-31"), Renewal("R5", "2027-01-30"))
KEY = make_key(REFERENCE, "R1", ("H100", "64", "1 month"), RENEWALS)


def months(count: int, **values: object) -> list[Order]:
    """An order of a month and those that renew it."""
    return [
        order(
            term_months=1, start_s=BEGIN_S + month * MONTH_S, reason="follows" if month else "now", **values
        )
        for month in range(count)
    ]


def day_of(at_s: int | None) -> str:
    return "" if at_s is None else iso_utc(at_s)[:10]


@given(ORDERS)
def test_laws_of_runs(orders: list[Order]) -> None:
    rows = asked_rows(orders, {}, {"H100": 8}, BEGIN_S)
    runs = runs_of(rows)
    assert sorted(id(row) for run in runs for row in run.rows) == sorted(map(id, rows))
    for run in runs:
        assert (
            len({(row.is_option, row.gpu_model, row.gpus, row.term_words, row.only) for row in run.rows}) == 1
        )
        for earlier, later in zip(run.rows, run.rows[1:], strict=False):
            away_s = later.start_s - earlier.start_s - (earlier.orders[0].end_s - earlier.orders[0].start_s)
            assert abs(away_s) <= DAY_S
        assert (run.until_s is None) == (len(run.rows) == 1 and run.first.term_days != 10)


def test_what_renews_is_one_line_until_its_last_day_and_what_is_more_is_another() -> None:
    other = order(12.0, term_months=1, start_s=BEGIN_S + 3 * MONTH_S, reason="growth")
    other = replace(other, gpu_model="A100", offer_gpu_model="A100")
    rows = asked_rows([*months(12, gpus=8.0), other], {}, {}, BEGIN_S)
    assert [(run.first.name, len(run.rows), day_of(run.until_s)) for run in runs_of(rows)] == [
        ("R1", 12, "2027-09-30"),
        ("R4", 1, ""),
    ]
    days = runs_of(asked_rows([replace(one, term_days=30) for one in months(3)], {}, {}, BEGIN_S))
    assert [(len(run.rows), day_of(run.until_s)) for run in days] == [(3, "2026-12-31")]  # 3 x 730 h
    (week,) = runs_of(
        asked_rows([order(term_days=7)], {}, {}, BEGIN_S)
    )  # held for 730 h, to 31 October at 10
    assert (len(week.rows), week.first.term_days, day_of(week.until_s)) == (1, 7, "2026-10-31")
    more = [*months(2), *(replace(one, gpus=9.0, offer_gpus=9.0) for one in months(4)[2:])]
    assert [len(run.rows) for run in runs_of(asked_rows(more, {}, {}, BEGIN_S))] == [2, 2]


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


def test_each_is_for_the_row_that_it_is_named_after(tmp_path: Path) -> None:
    rows: tuple[AskedRow, ...] = asked_rows(months(3, gpus=64.0, offer_gpus=64.0), {}, {}, BEGIN_S)
    first, *more = runs_of(rows)[0].rows
    key = make_key(REFERENCE, "R1", (), [Renewal(row.name, day_of(row.start_s)) for row in more])
    start, until = (
        datetime.fromisoformat(day_of(at_s)) for at_s in (first.start_s, runs_of(rows)[0].until_s)
    )
    read = read_row(tmp_path, key=key, term="1 month", start=start, until=until, rate=2, memory="any",
                    interconnect="any", bare_metal="any")  # fmt: skip
    for place, one in enumerate(read.offers):
        assert place in (rows_quoted_for(one, rows, Calendar(begin_s=BEGIN_S)) or ())


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


def test_a_file_says_until_when_a_term_is_wanted(tmp_path: Path) -> None:
    request = request_of(two_clusters_evaluated(), read_tables(), BEGIN_S, UNSAID)
    rows = asked_rows(
        [*months(3, gpus=8.0), order(8.0, gpu_model="A100", offer_gpu_model="A100")], {}, {}, BEGIN_S
    )
    path = tmp_path / "request.xlsx"
    path.write_bytes(request_bytes(replace(request, rows=rows), None))
    lines = table_of(path)
    assert [(line["request"], line["until"]) for line in lines] == [
        ("R1", "no"), ("R2", datetime(2026, 12, 31)),
    ]  # fmt: skip
    assert [one.name for one in renewals_of(lines[1]["key"])] == ["R3", "R4"]
