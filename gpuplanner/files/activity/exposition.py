"""Scrapes of an exporter in Prometheus' text form, one after the other: what dcgm-exporter shows."""

import re
from collections.abc import Iterator
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.activity.clock import Clock, epoch_s
from gpuplanner.files.activity.labels import Held, held_by, read_selector
from gpuplanner.files.activity.metrics import METRICS, is_unmeasured, metric_key, milli_percent
from gpuplanner.files.activity.reading import ActivityDialect, Reading, Sample, no_share
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import RowError

_SAMPLE: Final = re.compile(
    r'^(?P<name>[A-Za-z_:][\w:]*)\s*(?P<labels>\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})?\s+'
    r"(?P<value>[^\s{}]+)(?:\s+(?P<time>-?\d+(?:\.\d+)?))?\s*(?:#.*)?$"
)
_TIME_LINE: Final = re.compile(
    r"^#*\s*(?:(?:scraped?(?: at)?|time(?:stamp)?|date)\s*[:=]?\s*)?"
    r"(?P<time>\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?"
    r"|\d{10}(?:\.\d+|\d{3})?)\s*$",
    re.I,
)
_NO_TIME: Final = RowError(
    "bad_time",
    worded("the scrape has no time"),
    worded("write its time on a line before each scrape, or export a range"),
)
_NO_SAMPLE: Final = RowError(
    "bad_number", worded("the line is no sample"), worded('write `name{label="value"} number`')
)


def sniff_dcgm(head: str) -> float:
    """How surely a beginning is scrapes of dcgm-exporter."""
    return 0.97 if _sample_share(head) > 0.5 and "dcgm_" in head.casefold() else 0.0


def sniff_other(head: str) -> float:
    """How surely a beginning is scrapes of another exporter."""
    return 0.9 if _sample_share(head) > 0.5 and "dcgm_" not in head.casefold() else 0.0


def _sample_share(head: str) -> float:
    """Of the lines that are no comment, those that are samples with labels or of a known metric."""
    lines = [line for line in head.splitlines()[:500] if line.strip() and not line.startswith("#")]
    if not lines:
        has_help = re.search(r"^# (HELP|TYPE) \w", head, re.M) is not None
        return 1.0 if has_help else 0.0
    samples = times = 0
    for line in lines:
        found = _SAMPLE.match(line)
        if found and (found["labels"] or metric_key(found["name"]) in METRICS):
            samples += 1
        elif _TIME_LINE.match(line):
            times += 1
    return (samples + times) / len(lines) if samples else 0.0


def readings(source: Source, timezone: str | None) -> Iterator[Reading]:
    """Every sample line; a line that is a time says when the scrape after it was taken.

    timezone: of scrape times that state none. A sample may carry its own time in ms, as the text form of
    Prometheus allows.
    """
    clock = Clock(timezone)
    scraped_s: int | None = None
    is_naive = False
    known: dict[str, Held] = {}
    with source.text_lines() as lines:
        for row, raw in enumerate(lines, 1):
            line = raw.strip()
            if not line:
                continue
            if found := _TIME_LINE.match(line):
                scraped_s, is_naive = clock.read(found["time"])
                continue
            if line.startswith("#"):
                continue
            sample = _SAMPLE.match(line)
            if sample is None:
                yield Reading(row, fault=_NO_SAMPLE, text=line)
                continue
            metric = METRICS.get(metric_key(sample["name"]))
            if metric is None or is_unmeasured(sample["value"]):
                yield Reading(row)
                continue
            labels = sample["labels"] or ""
            if labels not in known:
                parsed = read_selector(f"x{labels}")
                known[labels] = held_by(parsed[1]) if parsed else Held()
            held = known[labels]
            value = milli_percent(sample["value"], metric)
            if value is None:
                yield Reading(row, fault=no_share(sample["value"]), text=line)
                continue
            at_s = epoch_s(float(sample["time"])) if sample["time"] else scraped_s
            found_at = Sample(
                at_s,
                held.host,
                held.gpu,
                value,
                sample["name"],
                held.job_id,
                held.pod,
                held.gpu_model,
                is_naive=is_naive and not sample["time"],
            )
            if at_s is None:
                yield Reading(row, (found_at,), _NO_TIME, line)
            else:
                yield Reading(row, (found_at,))


DCGM: Final = ActivityDialect("dcgm", worded("it reads like scrapes of dcgm-exporter"), sniff_dcgm, readings)
OTHER: Final = ActivityDialect(
    "prometheus", worded("it reads like scrapes of an exporter"), sniff_other, readings
)
