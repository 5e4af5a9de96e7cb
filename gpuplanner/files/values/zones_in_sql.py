"""Time zones as SQL: the zone texts of a log, applied by column."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from gpuplanner.files.system.engine import sql_text
from gpuplanner.files.values.times import ClockSpan, Zone, clock_spans, read_zone

_UNKNOWN_NAMES_AT_MOST: Final = 1000  # with more, garbage after times, the rest is plainly bad_time


class Zones:
    """The zone texts of a file as SQL over a column of texts and a column of clock seconds."""

    def __init__(self, clocks: Mapping[str, tuple[int, int]], timezone: str | None) -> None:
        """Create the SQL. clocks: first and last clock second of each zone text; timezone: of times without a zone."""
        zones = {text: read_zone(text) for text in sorted(clocks)}
        self.has_zoned = any(not zone.is_naive for zone in zones.values())
        self._naive = [text for text, zone in zones.items() if zone.is_naive]
        unknown = [text for text, zone in zones.items() if zone.fault == "unknown_timezone"]
        self._unknown = unknown[:_UNKNOWN_NAMES_AT_MOST]
        self._spans = {
            text: zone_spans(zone, clocks[text], timezone) for text, zone in zones.items() if not zone.fault
        }

    @property
    def is_fixed(self) -> bool:
        """Whether every zone has one offset for all times of the file.

        One subtraction then handles all rows; otherwise each time needs a search in the spans.
        """
        return all(len(spans) == 1 for spans in self._spans.values())

    def figure(self, rest: str, clock_s: str, of_span: Callable[[ClockSpan], int]) -> str:
        """Return SQL for a figure of each time's span; null for a faulty zone.

        rest: SQL of the text after a time. clock_s: SQL of its clock in seconds. of_span: returns the figure.
        """
        return _case(
            rest, [(text, _search(spans, clock_s, of_span)) for text, spans in self._spans.items()], "null"
        )

    def fault(self, rest: str) -> str:
        """Return SQL for the code of an unknown zone, otherwise null."""
        return _case(rest, [(text, "'unknown_timezone'") for text in self._unknown], "null")

    def is_naive(self, rest: str) -> str:
        """Return SQL for whether a time states no zone."""
        return _case(rest, [(text, "true") for text in self._naive], "false")


def zone_spans(zone: Zone, clocks: tuple[int, int], timezone: str | None) -> Sequence[ClockSpan]:
    """Return the spans of a zone without a fault; a fixed offset is one span without a start.

    clocks: first and last clock time, seconds since 1970. timezone: of naive times.
    """
    name = zone.name or (timezone if zone.is_naive else None)
    if name is not None:
        return clock_spans(name, *clocks)
    offset_s = zone.offset_s or 0
    return (ClockSpan(-(2**62), offset_s, offset_s),)


def _search(spans: Sequence[ClockSpan], clock_s: str, of_span: Callable[[ClockSpan], int]) -> str:
    """Return SQL for a binary search in the spans."""
    if len({of_span(span) for span in spans}) == 1:
        return str(of_span(spans[0]))
    middle = len(spans) // 2
    low, high = (_search(half, clock_s, of_span) for half in (spans[:middle], spans[middle:]))
    return f"case when {clock_s} < {spans[middle].clock_s} then {low} else {high} end"


def _case(text: str, branches: Iterable[tuple[str, str]], otherwise: str) -> str:
    """Return SQL for a choice by text; only `otherwise` without branches."""
    whens = " ".join(f"when {sql_text(value)} then {result}" for value, result in branches)
    return f"case {text} {whens} else {otherwise} end" if whens else otherwise
