"""Measured latency in the output of ping and curl: rows that the lines of `place --show measure` append to a file."""

from decimal import Decimal, InvalidOperation

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.places import MeasuredTransit
from gpuplanner.domain.serving.measuring import DIVIDER, MARK
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table
from gpuplanner.lazy_re import lazy_re

_OF_PING = lazy_re(r"=\s*[\d.,]+/([\d.,]+)/[\d.,]+")
"""The mean of a summary of ping: `rtt min/avg/max/mdev = 11.1/12.5/14.0/0.7 ms`."""
_OF_CURL = lazy_re(r"([\d.,]+) ([\d.,]+)")
"""Seconds until the name was known, and until the connection was there."""
_MOST_MS = 10**6


def are_latency_rows(head: str) -> bool:
    """Whether a text begins with a row of output."""
    return head.lstrip().startswith(f"{MARK}{DIVIDER}")


def latency_rows(source: Source) -> small_table.Rows:
    """Each row of output: the city it was run in, its country if stated, the site, and what ping or curl said."""
    with source.rows(DIVIDER) as opened:
        for line, cells in opened:
            text = DIVIDER.join(cells)
            if not text.strip():
                continue
            _, city, *country, site_id, result = cells if len(cells) in (4, 5) else ("", "", "", "")
            texts = {"city": city, "country": "".join(country), "site_id": site_id, "result": result}
            yield line, small_table.Row(texts=texts), text


def read_latency(row: small_table.Row) -> tuple[MeasuredTransit, ...]:
    """A row as a one-way latency: half of the round trip, which is noted. Errors: RowError without an answer."""
    city, site_id = row.required("city"), row.required("site_id")
    both = round_trip_ms(row.text("result") or "")
    if both is None or not 0 <= both <= _MOST_MS:
        raise small_table.RowError("bad_number", worded("{site_id} did not answer", site_id=site_id))
    row.say("computed", worded("one way: half of {both} ms", both=exact(both)))
    return (MeasuredTransit(city, site_id, both / 2, row.text("country") or ""),)


def round_trip_ms(result: str) -> Decimal | None:
    """Return the round trip in the output of ping or curl, in ms; None without an answer.

    >>> round_trip_ms("rtt min/avg/max/mdev = 11.1/12.5/14.0/0.7 ms"), round_trip_ms("0.004 0.0165")
    (Decimal('12.5'), Decimal('12.5'))
    >>> round_trip_ms(""), round_trip_ms("0.000000 0.000000")
    (None, None)
    """
    try:
        if of_ping := _OF_PING.search(result):
            return _decimal(of_ping[1])
        if of_curl := _OF_CURL.fullmatch(result.strip()):
            ms = ((_decimal(of_curl[2]) - _decimal(of_curl[1])) * 1000).normalize()
            return ms if ms > 0 else None
    except InvalidOperation:  # digits and points that are no number
        return None
    return None


def _decimal(text: str) -> Decimal:
    """Return a number written with a point or a comma."""
    return Decimal(text.replace(",", "."))
