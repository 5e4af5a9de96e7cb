"""Laws of days in contracts: a sheet whose meaning is known is read back, or what is open in it is asked once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.window import months_after
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_contracts
from tests.some_of import examples

WRITTEN = ("%Y-%m-%d", "%d.%m.%Y", "%d %b %Y", "%B %d, %Y", "%Y/%m/%d")
LAST_DAYS = ("Last day", "Through", "Thru", "Valid through", "End date (inclusive)", "letzter Tag")
DAYS_AFTER = ("Renewal date", "Renews on", "End (exclusive)")
OPEN = ("End", "End date", "Expires", "Vertragsende")
LENGTHS = ("{months} months", "{months} mo", "{months}", "{months} Monate")
NOTICES = {
    "Notice": ("{count} {unit}",),
    "Notice (mo)": ("{count}", "{count} {unit}"),
    "Notice period (days)": ("{count}", "{count} {unit}"),
    "Kündigungsfrist": ("{count} {german}",),
}
UNITS = {"days": ("days", "Tage"), "weeks": ("weeks", "Wochen"), "months": ("months", "Monate")}


@dataclass(frozen=True)
class Row:
    """A contract as it is meant. end: exclusive."""

    start: date
    end: date
    months: int | None = None


def _after(day: date, months: int) -> date:
    return date.fromisoformat(str(months_after(day.isoformat(), months))[:10])


@st.composite
def rows(draw: st.DrawFn, *, all_of_months: bool = False) -> Row:
    """A contract of whole months, or of a number of days that nothing tells."""
    start = draw(st.dates(date(2024, 1, 1), date(2027, 12, 31)))
    if all_of_months or draw(st.booleans()):
        months = draw(st.integers(1, 48))
        return Row(start, _after(start, months), months)
    return Row(start, start + timedelta(days=draw(st.integers(2, 900))))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sheets") / "register.csv"


def _write(path: Path, headings: Sequence[str], table: Sequence[Sequence[str]]) -> None:
    lines = (";".join(cells) for cells in (("PO", "Vendor", "GPU", "GPUs", "$/GPU-hr", *headings), *table))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _read(path: Path, said: str = "") -> tuple[list[date], list[int | None], set[str]]:
    """The ends and notices, in file order, and the codes of what was said."""
    found = import_contracts([str(path)], {str(path): f"+{said}"} if said else None)
    ordered = sorted(found.contracts, key=lambda one: int(one.contract_id))
    ends = [datetime.fromtimestamp(one.end_s or 0, UTC).date() for one in ordered]
    assert all((one.end_s or 0) % 86400 == 0 for one in ordered)
    return ends, [one.notice_days for one in ordered], {issue.code for issue in found.intake[0].issues}


def _lines(meant: Sequence[Row], form: str, *, are_last: Sequence[bool]) -> list[list[str]]:
    return [
        [str(at), "Acme", "H100", "8", "2.10", row.start.strftime(form), _written(row, form, is_last=is_last)]
        for at, (row, is_last) in enumerate(zip(meant, are_last, strict=True))
    ]


def _written(row: Row, form: str, *, is_last: bool) -> str:
    return (row.end - timedelta(days=is_last)).strftime(form)


SOME = settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
SHEETS = st.lists(rows(), min_size=1, max_size=6)


@SOME
@given(meant=SHEETS, form=st.sampled_from(WRITTEN), heading=st.sampled_from((*LAST_DAYS, *DAYS_AFTER)))
def test_a_heading_that_says_it_decides(path: Path, meant: list[Row], form: str, heading: str) -> None:
    _write(path, ("Start", heading), _lines(meant, form, are_last=[heading in LAST_DAYS] * len(meant)))
    ends, _, codes = _read(path)
    assert ends == [row.end for row in meant]
    assert "undecided" not in codes


@SOME
@given(
    meant=st.lists(rows(all_of_months=True), min_size=1, max_size=6),
    form=st.sampled_from(WRITTEN),
    heading=st.sampled_from(OPEN),
    length=st.sampled_from(LENGTHS),
    data=st.data(),
)
def test_a_stated_term_decides_row_by_row(
    path: Path, meant: list[Row], form: str, heading: str, length: str, data: st.DataObject
) -> None:
    are_last = data.draw(st.lists(st.booleans(), min_size=len(meant), max_size=len(meant)))
    lines = _lines(meant, form, are_last=are_last)
    _write(
        path,
        ("Start", heading, "Term (months)"),
        [[*line, length.format(months=row.months)] for line, row in zip(lines, meant, strict=True)],
    )
    ends, _, codes = _read(path)
    assert ends == [row.end for row in meant]
    assert "undecided" not in codes


@pytest.mark.long
@SOME
@given(meant=SHEETS, form=st.sampled_from(WRITTEN), heading=st.sampled_from(OPEN), is_last=st.booleans())
def test_all_rows_are_read_as_those_that_say_something_or_it_is_asked_once(
    path: Path, meant: list[Row], form: str, heading: str, is_last: bool
) -> None:
    lines = _lines(meant, form, are_last=[is_last] * len(meant))
    _write(path, ("Start", heading), lines)
    ends, _, codes = _read(path)
    (file,) = check_file(str(path))
    asked = dict(file.facts).get("undecided", [])
    assert ("undecided" in codes) == (asked == ["end"])
    if "undecided" in codes:
        (issue,) = [issue for issue in file.issues if issue.code == "undecided"]
        assert f"end={heading}:exclusive" in str(issue.message)
        assert ends == [row.end + timedelta(days=not is_last) for row in meant]
        how = "last_day" if is_last else "exclusive"
        ends, _, codes = _read(path, f"end={heading}:{how}")
    if "undecided" not in codes and any(row.months and 2 < row.start.day < 28 for row in meant):
        assert ends == [row.end for row in meant]


@SOME
@given(
    meant=rows(),
    heading=st.sampled_from(sorted(NOTICES)),
    unit=st.sampled_from(sorted(UNITS)),
    count=st.integers(1, 13),
    data=st.data(),
)
def test_a_notice_is_as_many_days_as_it_makes_back_from_the_end(
    path: Path, meant: Row, heading: str, unit: str, count: int, data: st.DataObject
) -> None:
    form = data.draw(st.sampled_from(NOTICES[heading]))
    if form == "{count}":
        unit = "months" if "mo" in heading else "days"
    named, german = UNITS[unit]
    cell = form.format(count=count, unit=named, german=german)
    _write(path, ("Start", "Last day", heading), [[*_lines([meant], "%Y-%m-%d", are_last=[True])[0], cell]])
    (end,), (days,), codes = _read(path)
    back = {"days": timedelta(days=count), "weeks": timedelta(weeks=count)}
    last = _after(end, -count) if unit == "months" else end - back[unit]
    assert days == (end - last).days
    assert "undecided" not in codes


@SOME
@given(meant=SHEETS, form=st.sampled_from(WRITTEN))
def test_ends_of_our_own_table_are_exclusive_whatever_they_look_like(
    path: Path, meant: list[Row], form: str
) -> None:
    cells = (f"{at},8,2,{row.start.isoformat()},{row.end.isoformat()}" for at, row in enumerate(meant))
    path.write_text(
        "contract_id,gpus,rate_usd_per_gpu_hour,start,end\n" + "\n".join(cells) + "\n", encoding="utf-8"
    )
    ends, _, codes = _read(path)
    assert ends == [row.end for row in meant]
    assert "undecided" not in codes
