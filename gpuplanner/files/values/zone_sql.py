"""Zones as SQL: what the zone texts of one log make of its times, column-wise."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from gpuplanner.files.values.times import ClockSpan, Zone, clock_spans, read_zone

_UNKNOWN_NAMES_AT_MOST: Final = 1000  # of more, garbage after times, the rest is plainly bad_time


class Zones:
    """What the zone texts of one file mean, as SQL over a column of texts and one of clock seconds."""

    def __init__(self, clocks: Mapping[str, tuple[int, int]], timezone: str | None) -> None:
        """clocks: the first and last clock second of each zone text; timezone: of times that state none."""
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
        """Whether every zone keeps one offset, at all times of the file.

        Then one subtraction does for all rows; else each time needs a search among spans.
        """
        return all(len(spans) == 1 for spans in self._spans.values())

    def figure(self, rest: str, clock_s: str, of_span: Callable[[ClockSpan], int]) -> str:
        """SQL for one figure of the span that each time falls in; null where the zone is at fault.

        rest: SQL of the text behind a time; clock_s: SQL of its clock in seconds; of_span: the figure
        wanted of a span.
        """
        return _case(
            rest, [(text, _search(spans, clock_s, of_span)) for text, spans in self._spans.items()], "null"
        )

    def fault(self, rest: str) -> str:
        """SQL for the code of a zone that does not exist, else null."""
        return _case(rest, [(text, "'unknown_timezone'") for text in self._unknown], "null")

    def is_naive(self, rest: str) -> str:
        """SQL: whether a time says nothing of its zone."""
        return _case(rest, [(text, "true") for text in self._naive], "false")


def zone_spans(zone: Zone, clocks: tuple[int, int], timezone: str | None) -> Sequence[ClockSpan]:
    """The spans of a zone that is not at fault.

    Clocks: the first and last of its times; timezone: of naive ones.

    clocks are seconds since 1970 as the clock showed them. A fixed offset is one span without begin.
    """
    name = zone.name or (timezone if zone.is_naive else None)
    if name is not None:
        return clock_spans(name, *clocks)
    offset_s = zone.offset_s or 0
    return (ClockSpan(-(2**62), offset_s, offset_s),)


def _search(spans: Sequence[ClockSpan], clock_s: str, of_span: Callable[[ClockSpan], int]) -> str:
    """A search by halves through the spans."""
    if len({of_span(span) for span in spans}) == 1:
        return str(of_span(spans[0]))
    middle = len(spans) // 2
    low, high = (_search(half, clock_s, of_span) for half in (spans[:middle], spans[middle:]))
    return f"case when {clock_s} < {spans[middle].clock_s} then {low} else {high} end"


def _case(text: str, branches: Iterable[tuple[str, str]], otherwise: str) -> str:
    """SQL of a choice by text; the other case alone where there is nothing to choose."""
    whens = " ".join(
        "when '{}' then {}".format(value.replace("'", "''"), result) for value, result in branches
    )
    return f"case {text} {whens} else {otherwise} end" if whens else otherwise
