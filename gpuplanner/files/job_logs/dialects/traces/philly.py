"""Traces of deep-learning clusters: Philly's job log in JSON, and tables of start and duration like it."""

import csv
from collections.abc import Iterator, Mapping
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.dialects.traces.map_remedy import MAP_THEM
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_paths, json_records, objects_in, text_of
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables import delimited
from gpuplanner.files.values.unit_words import UNIT_OF_WORD
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_re import lazy_re

PHILLY_FIELDS: Final = phrases("job_id|account|user|queue|gpus|nodes|start|end|state|hosts|submit")

HEADINGS: Final = dialect.headings_of("philly")
"""Column names of such tables, the best first; a duration may end in its unit."""

_UNITS: Final = {"": "s"} | {word: unit for word, unit in UNIT_OF_WORD.items() if unit in ("s", "min", "h")}
_NUMBER: Final = lazy_re(r"^\d{1,16}(?:\.\d+)?$")
_MILLISECONDS_FROM: Final = 10**11
_SAMPLE: Final = 50

_PHILLY_STATES: Final = {"PASS": "COMPLETED", "KILLED": "CANCELLED"}

_OWN_HEADINGS: Final = (frozenset({"vc"}), frozenset({"virtual_cluster"}), frozenset({"gpu_num", "node_num"}))
_OWN_STATES: Final = frozenset({"pass", "killed", "failed"})
"""What only such traces say; any other table of start and duration is mapped."""


def sniff_philly(head: str) -> float:
    """How sure it is that a text begins such a trace, 0..1.

    1 for jobs in JSON with vc and attempts; a table is surely one only if its columns are named so.
    """
    paths = json_paths(head)
    if paths:
        for prefix in ("item.", ""):
            if f"{prefix}attempts" in paths and f"{prefix}vc" in paths:
                return 1.0
        return 0.0
    delimiter, columns = delimited.header_columns(head)
    if not {"gpus", "start", "elapsed"} <= _located(columns).keys():
        return 0.0
    return 0.9 if _is_own(head, delimiter, columns) else 0.3


def philly_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Each attempt of a job is a run of its own. Errors: PlannerError truncated_file, file_unreadable.

    A table needs GPUs, start and duration: PlannerError missing_column otherwise.
    """
    if json_paths(source.head):
        return dialect.table_of_texts(engine, source, table, PHILLY_FIELDS, _json_runs(source))
    delimiter, columns = delimited.header_columns(source.head)
    located = _located(columns)
    missing = [field for field in ("gpus", "start", "elapsed") if field not in located]
    if missing:
        names = [name.replace("elapsed", "duration") for name in missing]
        raise delimited.no_column(source.path, names, MAP_THEM)
    raw = load_raw(engine, source, table, columns, delimiter=delimiter)
    fields = {field: f"c{index}" for field, (index, _) in located.items()}
    state = fields.get("state", "''")
    fields["state"] = (
        f"case upper(trim({state})) when 'PASS' then 'COMPLETED' when 'KILLED' then 'CANCELLED' else {state} end"
    )
    samples = _samples(source.head, delimiter)
    return dialect.JobTable(
        raw=raw,
        fields=fields,
        start_unit=_clock_unit(samples, located, "start"),
        end_unit=_clock_unit(samples, located, "end"),
        elapsed_unit=located["elapsed"][1],
        queue_units={"submit": unit} if (unit := _clock_unit(samples, located, "submit")) else {},
        end_is_elapsed="end" not in located,
    )


def _json_runs(source: Source) -> Iterator[tuple[int, dialect.JobTexts]]:
    """Each attempt of each job as a row of its own, numbered through from 1."""
    row = 0
    for _, value in json_records(source):
        for texts in run_texts(value):
            row += 1
            yield row, texts


def run_texts(value: object) -> list[dialect.JobTexts]:
    """The runs of a job. What was tried again ended as requeued; a job that was never placed, as cancelled.

    Attempts in the order of the file; the virtual cluster (vc) is both account and queue.
    """
    if not isinstance(value, dict):
        return [{dialect.RAW: text_of(value)}]
    status = text_of(value.get("status")).upper()
    state = _PHILLY_STATES.get(status, status)
    of_job = {
        "job_id": text_of(value.get("jobid")),
        "account": text_of(value.get("vc")),
        "user": text_of(value.get("user")),
        "queue": text_of(value.get("vc")),
        "submit": _time(value.get("submitted_time")),
    }
    attempts = objects_in(value, "attempts")
    if not attempts:
        return [{**of_job, "state": state if state in ("PENDING", "RUNNING") else "CANCELLED"}]
    last = len(attempts) - 1
    return [
        {**of_job, **_attempt(attempt), "state": _state_of(attempt, state, is_last=number == last)}
        for number, attempt in enumerate(attempts)
    ]


def _state_of(attempt: Mapping[str, object], state: str, *, is_last: bool) -> str:
    """How an attempt ended: the job's state belongs to the last one, those before it were requeued."""
    if _time(attempt.get("start_time")) == "":
        return "CANCELLED"  # it was placed and never began
    return state if is_last else "REQUEUED"


def _attempt(attempt: Mapping[str, object]) -> dialect.JobTexts:
    """One attempt as texts: GPUs counted over the devices of all its places, with their addresses as hosts."""
    places = objects_in(attempt, "detail")
    devices = [place.get("gpus") for place in places]
    count = sum(len(each) for each in devices if isinstance(each, list))
    return {
        "gpus": str(count) if count else "",
        "nodes": str(len(places)) if places else "",
        "start": _time(attempt.get("start_time")),
        "end": _time(attempt.get("end_time")),
        "hosts": ",".join(text_of(place.get("ip")) for place in places),
    }


def _time(value: object) -> str:
    """A time as text; `None` and `null`, as Python and JSON write them, are empty."""
    text = text_of(value)
    return "" if text.lower() in ("none", "null") else text


def _is_own(head: str, delimiter: str, columns: tuple[str, ...]) -> bool:
    """Whether a table has the headings of such traces, or the states of Philly."""
    plain = _plain(columns)
    if any(own <= set(plain) for own in _OWN_HEADINGS):
        return True
    if "status" not in plain:
        return False
    index = plain.index("status")
    states = {row[index].strip().casefold() for row in _samples(head, delimiter) if index < len(row)}
    return "pass" in states and states <= _OWN_STATES


def _plain(columns: tuple[str, ...]) -> list[str]:
    """Headings in small letters with `_` for all else, so that spellings of one name are equal."""
    return [lazy_re(r"[^a-z]+").sub("_", name.casefold()).strip("_") for name in columns]


def _located(columns: tuple[str, ...]) -> dict[str, tuple[int, str]]:
    """Index and unit of the column of each field."""
    plain = _plain(columns)
    found: dict[str, tuple[int, str]] = {}
    for field, names in HEADINGS.items():
        for name in names:
            if name in plain:
                found[field] = (plain.index(name), "s")
                break
            if field == "elapsed":
                ended = [
                    each for each in plain if each.startswith(f"{name}_") and each[len(name) + 1 :] in _UNITS
                ]
                if ended:
                    found[field] = (plain.index(ended[0]), _UNITS[ended[0][len(name) + 1 :]])
                    break
    return found


def _samples(head: str, delimiter: str) -> list[list[str]]:
    """The first rows below the heading, split at the delimiter."""
    lines = [line for line in head.splitlines() if line.strip()][1 : 1 + _SAMPLE]
    return list(csv.reader(lines, delimiter=delimiter))


def _clock_unit(samples: list[list[str]], located: Mapping[str, tuple[int, str]], field: str) -> str | None:
    """Plain numbers are seconds since 1970 or since the beginning of the trace; long ones are milliseconds."""
    if field not in located:
        return None
    index = located[field][0]
    texts = [row[index].strip() for row in samples if index < len(row) and row[index].strip()]
    if not texts or not all(_NUMBER.match(text) for text in texts):
        return None
    return "epoch_ms" if max(float(text) for text in texts) >= _MILLISECONDS_FROM else "epoch_s"


PHILLY: Final = dialect.Dialect(
    format="philly", title=worded("deep-learning cluster trace"), sniff=sniff_philly, rows=philly_rows
)
