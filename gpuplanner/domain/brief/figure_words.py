"""Figures as a brief writes them: whole dollars, shares, GPUs, days; a dash for what is unknown."""

from datetime import UTC, datetime
from typing import Final

DASH: Final = "\u2014"
MINUS: Final = "\u2212"
EN_DASH: Final = "\u2013"


def whole(value: float | None) -> str:
    """612,032, or a true minus before it.

    >>> whole(612032.4), whole(-3.0), whole(None)
    ('612,032', '−3', '—')
    """
    if value is None:
        return DASH
    rounded = round(value)
    return f"{MINUS if rounded < 0 else ''}{abs(rounded):,}"


def dollars(value: float | None) -> str:
    """$612,032.

    >>> dollars(612032.0), dollars(-3.0), dollars(None)
    ('$612,032', '−$3', '—')
    """
    text = whole(value)
    return text if value is None else f"{MINUS}${text[1:]}" if text.startswith(MINUS) else f"${text}"


def change(value: float | None) -> str:
    """+128,480 or a true minus.

    >>> change(12.0), change(-12.0), change(None)
    ('+12', '−12', '—')
    """
    return DASH if value is None else ("+" if round(value) > 0 else "") + whole(value)


def percent(share: float | None) -> str:
    """39.0% of a share 0..1.

    >>> percent(0.39), percent(-0.1), percent(None)
    ('39.0%', '−10.0%', '—')
    """
    if share is None:
        return DASH
    text = f"{100 * share:.1f}"
    return (MINUS + text[1:] if text.startswith("-") else text) + "%"


def one_decimal(value: float | None) -> str:
    """9.1."""
    return DASH if value is None else f"{value:,.1f}"


def gpus(value: float) -> str:
    """64 where it is whole, 4.6 where it is a mean.

    >>> gpus(64.0), gpus(4.56)
    ('64', '4.6')
    """
    return f"{round(value):,}" if abs(value - round(value)) < 1e-9 else f"{value:,.1f}"


def rate(value: float | None) -> str:
    """2.75; a missing rate is a quote to ask for."""
    return "quote needed" if value is None else f"{value:,.2f}"


def day(at_s: int) -> str:
    """3 Jul 2026 (UTC).

    at_s: epoch seconds.

    >>> day(0)
    '1 Jan 1970'
    """
    at = datetime.fromtimestamp(at_s, UTC)
    return f"{at.day} {at:%b %Y}"


def days(start_s: int, end_s: int) -> str:
    """3 Jul 2026 with a true dash and the last day; the end is exclusive.

    start_s, end_s: epoch seconds.
    """
    return f"{day(start_s)} {EN_DASH} {day(end_s - 1)}"


def counted(count: int, one: str, many: str = "") -> str:
    """1 job, 2 jobs.

    many: where it is not `one` with an s.

    >>> counted(1, "job"), counted(2, "job"), counted(2, "boundary", "boundaries")
    ('1 job', '2 jobs', '2 boundaries')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def joined(parts: list[str]) -> str:
    """A, B and C.

    >>> joined(["A", "B", "C"]), joined(["A"]), joined([])
    ('A, B and C', 'A', '')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def quarters(begin_s: int, end_s: int) -> list[tuple[int, str]]:
    """The first days of quarters, with words; the first of a year says the year.

    begin_s, end_s: epoch seconds; both ends count. Each with its own epoch seconds, UTC.
    """
    first, last = datetime.fromtimestamp(begin_s, UTC).year, datetime.fromtimestamp(end_s, UTC).year
    days = (
        datetime(year, month, 1, tzinfo=UTC) for year in range(first, last + 1) for month in (1, 4, 7, 10)
    )
    return [
        (int(day.timestamp()), str(day.year) if day.month == 1 else f"{day:%b}")
        for day in days
        if begin_s <= day.timestamp() <= end_s
    ]
