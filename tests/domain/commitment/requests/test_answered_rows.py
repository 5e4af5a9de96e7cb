"""A quote is for the row that it names, else for the first of its like that it is there for."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.requests.answered_rows import is_of_term, row_quoted_for
from gpuplanner.domain.commitment.requests.numbered_rows import as_numbered
from gpuplanner.domain.fit.asked_needs import AskedNeeds
from gpuplanner.domain.model.log.sent_rows import NO_BID, UNANSWERED, SentRow
from gpuplanner.domain.model.window import iso_day
from tests.domain.award.conftest import quote, row

ROWS = [row(), row("R2", days=60), row("R3", days=90, term_months=24)]


@pytest.mark.parametrize(
    ("source", "starts", "place"),
    [
        ("Quote RFQ-1 R1", None, 0),
        ("Quote RFQ-1 R2; by rail", None, 1),
        ("Quote RFQ-1 R3", None, 0),  # of another term: the first of its own
        ("Quote RFQ-1 R9", iso_day(ROWS[1].start_s), 1),
        ("Quote RFQ-1 R9", iso_day(ROWS[2].start_s), 1),  # too late for all: the last of its like
        ("a price list", None, None),
    ],
)
def test_which_row(source: str, starts: str | None, place: int | None) -> None:
    assert row_quoted_for(quote("a", 2.0, source=source, starts=starts), ROWS) == place


def test_no_row_of_its_like() -> None:
    assert row_quoted_for(quote("a", 2.0, 36, source="Quote RFQ-1 R1"), ROWS) is None


def test_a_term_in_days_is_none_in_months() -> None:
    days = row(term_months=0, term_days=365)
    assert is_of_term(quote("a", 2.0, term_days=365), days) and not is_of_term(quote("a", 2.0), days)
    assert is_of_term(quote("a", 2.0), row()) and not is_of_term(quote("a", 2.0, term_days=365), row())


def test_rows_keep_the_numbers_that_vendors_know_them_by() -> None:
    """The plan is made again with the answers: R2 is ordered no more, R3 has moved up, and one is new."""
    now = [row("R1"), row("R2", days=90, term_months=24), row("R3", days=90)]
    source = "Quote RFQ-20261001-AAAA {}"
    answers = [
        quote("a", 2.0, source=source.format("R1"), starts=iso_day(now[0].start_s)),
        quote("b", 2.0, 24, source=source.format("R3"), starts=iso_day(now[1].start_s)),
        quote(
            "c", 2.0, 24, source="Quote RFQ-20260901-BBBB R9", starts=iso_day(now[1].start_s)
        ),  # an older request
    ]
    named = as_numbered(now, answers)
    assert [one.name for one in named] == ["R1", "R3", "R4"]  # not R3 twice
    assert [replace(one, name="") for one in named] == [replace(one, name="") for one in now]
    assert as_numbered(now, ()) == tuple(now)


@pytest.mark.parametrize(
    ("days", "name"),
    [
        (("2026-10-05", "2026-10-02"), "R7"),
        (("2026-10-02", "2026-10-05"), "R9"),
        ((None, "2026-10-02"), "R9"),
        ((None, None), "R9"),  # by reference
    ],
)
def test_of_requests_of_one_day_the_one_quoted_on_last_is_the_newest(
    days: tuple[str | None, str | None], name: str
) -> None:
    answers = [
        quote(f"a{number}", 2.0, source=source, as_of=day, starts=iso_day(row().start_s))
        for number, (day, source) in enumerate(
            zip(days, ("Quote RFQ-20261001-AAAA R7", "Quote RFQ-20261001-BBBB R9"), strict=True)
        )
    ]
    assert [one.name for one in as_numbered([row()], answers)] == [name]
    assert [one.name for one in as_numbered([row()], answers[::-1])] == [name]


def test_a_quote_is_not_counted_on_for_what_it_was_not_asked_for() -> None:
    fast = row(needs=AskedNeeds("infiniband", True, 80.0))
    source = "Quote RFQ-20261001-AAAA R1"
    plain = quote("a", 2.0, source=source, interconnect=None, bare_metal=None, gpu_memory_gb=None)
    assert row_quoted_for(plain, [fast]) is None and row_quoted_for(plain, [row()]) == 0
    asked = quote("a", 2.0, source=source, interconnect="infiniband", bare_metal=True, gpu_memory_gb=80.0)
    assert row_quoted_for(asked, [fast]) == 0 and row_quoted_for(asked, [row()]) == 0


def sent(number: int, days: int, term: int = 12, **values: object) -> SentRow:
    """A row of a request that starts in so many days."""
    start = iso_day(row(days=days).start_s)
    base = SentRow(
        "RFQ-20261001-AAAA",
        f"R{number}",
        "H100",
        term,
        0,
        start,
        False,
        "",
        None,
        "Vela",
        None,
        UNANSWERED,
        number,
    )
    return replace(base, **values)  # type: ignore[arg-type]


def test_rows_that_nobody_answered_keep_their_numbers_too() -> None:
    """R1 and R2 are ordered no more; one row is new, between others."""
    request = [sent(1, 0), sent(2, 30, 24), sent(3, 60), sent(4, 90, 24), sent(5, 90), sent(6, 200)]
    now = [row("R1", days=62), row("R2", days=70, term_months=36), row("R3", days=90, term_months=24),
           row("R4", days=90), row("R5", days=120)]  # fmt: skip
    assert [one.name for one in as_numbered(now, (), sent=request)] == ["R3", "R7", "R4", "R5", "R8"]
    answer = quote("a", 2.0, 24, source="Quote RFQ-20261001-AAAA R4", starts=iso_day(now[2].start_s))
    assert [one.name for one in as_numbered(now, [answer], sent=request)] == ["R3", "R7", "R4", "R5", "R8"]
    newer = [replace(one, reference="RFQ-20261101-BBBB", name=f"R{one.number + 10}") for one in request]
    assert as_numbered(now, [answer], sent=(*request, *newer))[0].name == "R13"


def test_rows_of_one_day_are_told_apart_by_what_they_need() -> None:
    fast = AskedNeeds("infiniband", True, 80.0)
    request = [sent(1, 30), sent(2, 30, interconnect="infiniband", answer=NO_BID), sent(3, 30, region="eu")]
    assert [one.name for one in as_numbered([row(needs=fast)], (), sent=request)] == ["R2"]
    assert [one.name for one in as_numbered([row()], (), sent=request)] == ["R1"]
