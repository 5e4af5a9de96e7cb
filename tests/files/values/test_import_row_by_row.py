"""Whole imports beside a plain reading of the same rows, one by one: the fates, the issues, the workloads, the cube.

The texts of single values are read by the same small functions (tested by themselves); everything else is written
twice.
"""

import csv
import io
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from gpuplanner.domain.model.intake import FAILED_STATES
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.importing.windowed_jobs import JobsRead
from gpuplanner.files.job_logs.judging import row_marks
from gpuplanner.files.job_logs.reduce import busy_jobs
from gpuplanner.files.job_logs.reduce import busy_jobs as peaks
from gpuplanner.files.job_logs.reduce.names import fold_name, workload_key
from gpuplanner.files.sources import raw_table
from gpuplanner.files.values.gpu_counts import read_gpu_count
from gpuplanner.files.values.job_states import finality, read_state
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.files.values.times import (
    EARLIEST_S,
    LATEST_S,
    MISSING_TEXTS,
    ClockSpan,
    clock_spans,
    read_time,
    read_zone,
    span_of,
)
from tests.some_of import one_in, some_of

HEADER = (
    "job_id",
    "cluster",
    "name",
    "account",
    "user",
    "queue",
    "gpu_model",
    "gpus",
    "nodes",
    "start",
    "end",
    "state",
    "gpu_activity_percent",
    "class",
    "model",
)

CHOICES: dict[str, tuple[str, ...]] = {
    "job_id": ("1", "2", "3", " 3", "4", "5_1", "", "007"),
    "cluster": ("a", "b", ""),
    "name": ("train-1", "train-2", " eval", "a,b", 'say "hi"', "two\nlines", "træn", "", "x" * 30),
    "account": ("acct", "", "acct "),
    "user": ("ann", "bob", ""),
    "queue": ("short", "long", ""),
    "gpu_model": ("A100", "H100 ", "", "a100"),
    "gpus": ("1", "2", "0", "0.5", "8", "", "-1", "many", "1e3"),
    "nodes": ("1", "2", "", "x", "1.5"),
    "state": ("COMPLETED", "FAILED", "TIMEOUT", "R", "RUNNING", "PENDING", "CANCELLED by 7", "", "odd"),
    "gpu_activity_percent": ("50", "12.5%", "", "101", "?"),
    "class": ("training", "Burst", "", "sport"),
    "model": ("llama", ""),
}
ZONES = ("Z", "+00:00", "", "-05:30", " Europe/Oslo", ".25Z", "Z ", " Nowhere/Else", "[Europe/Oslo]", "?")
DAYS = ("2026-03-29", "2025-10-26", "2026-01-05")  # Oslo's clock skips an hour, repeats one, does neither
ODD_TIMES = (
    "",
    "Unknown",
    "n/a",
    "2026-03-29",
    "20260105T101500Z",
    "soon",
    "2026-13-01T00:00:00Z",
    "1776-07-04T00:00:00Z",
)


def made_log(chance: random.Random, rows: int, zones: tuple[str, ...]) -> list[dict[str, str]]:
    """Records with every kind of fault, and whole ones told again."""
    log: list[dict[str, str]] = []
    for _ in range(rows):
        if log and chance.random() < 0.15:
            again = dict(chance.choice(log))
            if chance.random() < 0.6:
                field = chance.choice(("end", "state", "name"))
                again[field] = _time(chance, zones) if field == "end" else chance.choice(CHOICES[field])
            log.append(again)
            continue
        few = {field: texts[: chance.choice((2, len(texts)))] for field, texts in CHOICES.items()}
        record = {field: chance.choice(texts) for field, texts in few.items()}
        record["start"], record["end"] = _time(chance, zones), _time(chance, zones)
        log.append(record)
    return log


def _time(chance: random.Random, zones: tuple[str, ...]) -> str:
    if chance.random() < 0.12:
        return chance.choice(ODD_TIMES)
    clock = f"{chance.randrange(5):02d}:{chance.choice((0, 0, 30, 59)):02d}:{chance.choice((0, 0, 7)):02d}"
    return f"{chance.choice(DAYS)}{chance.choice('TT ')}{clock}{chance.choice(zones)}"


@dataclass(kw_only=True)
class Row:
    """What one record says, read by hand."""

    file: int
    line: int
    code: str | None
    fate: str
    cluster: str
    job_id: str | None
    start: int
    end: int | None
    milli: int
    running: bool
    final: int
    state: str
    model: str | None
    key: str
    queue: str
    nodes: int | None
    activity: int | None
    said: tuple[object, ...]
    notes: set[str]

    @property
    def merit(self) -> tuple[object, ...]:
        end = float("inf") if self.end is None else -self.end
        return (self.running, end, -self.final, self.file, self.line)


def _trim(text: str) -> str | None:
    return text.strip(" \t\r\n") or None


def _span(text: str | None, timezone: str | None) -> tuple[str | None, int | None, ClockSpan | None, bool]:
    """The fault of its zone, its clock, where that falls in, and whether it is naive."""
    local = read_time(text) if text else None
    if local is None:
        return None, None, None, False
    zone = read_zone(local.zone_text)
    if zone.fault:
        return ("unknown_timezone" if zone.fault == "unknown_timezone" else None), local.clock_s, None, False
    name = zone.name or (timezone if zone.is_naive else None)
    if name:
        return (
            None,
            local.clock_s,
            span_of(clock_spans(name, local.clock_s, local.clock_s), local.clock_s),
            zone.is_naive,
        )
    offset = zone.offset_s or 0
    return None, local.clock_s, ClockSpan(0, offset, offset), zone.is_naive


def read_by_hand(log: list[dict[str, str]], file: int, lines: list[int], timezone: str | None) -> list[Row]:
    """Every record of a file with its fate, before repeats are looked for."""
    rows = []
    times = [_missing(record[field]) for record in log for field in ("start", "end")]
    read = [local for text in times if text and (local := read_time(text))]
    has_zoned = any(not read_zone(local.zone_text).is_naive for local in read)
    for line, record in zip(lines, log, strict=True):
        text = {field: _trim(value) for field, value in record.items()}
        start_text, end_text = _missing(record["start"]), _missing(record["end"])
        start_fault, start_clock, start_span, start_naive = _span(start_text, timezone)
        end_fault, end_clock, end_span, end_naive = _span(end_text, timezone)
        state = read_state(text["state"]) if text["state"] else ""
        start = end = None
        if start_clock is not None and start_span is not None:
            start = start_clock - start_span.earlier_offset_s
        if end_clock is not None and end_span is not None:
            end = end_clock - end_span.earlier_offset_s
            late = end_clock - end_span.later_offset_s
            if start is not None and end < start <= late:
                end = late
        gpus = read_gpu_count(text["gpus"] or "")
        is_running = end_text is None and state == "RUNNING"

        code = _judge(state, start_text, end_text, start_fault or end_fault, start, end)
        code = gpus.fault if code is None else code
        fate = (
            "accepted" if code is None else "ignored" if code in ("pending", "never_started") else "rejected"
        )
        label = (text["class"] or "").lower() or None
        nodes, activity = _nodes(text["nodes"]), _activity(text["gpu_activity_percent"])
        known = label if label in ("training", "inference", "burst") else None
        notes = {
            "no_gpus": gpus.milli_gpus == 0,
            "zero_length": end == start,
            "unknown_gpu_model": gpus.milli_gpus > 0 and text["gpu_model"] is None,
            "running": is_running,
            "ambiguous_local_time": any(
                span is not None and span.is_repeated for span in (start_span, end_span)
            ),
            "nonexistent_local_time": any(
                span is not None and span.is_skipped for span in (start_span, end_span)
            ),
            "mixed_timezones": has_zoned and (start_naive or end_naive),
            "naive_time_assumed_utc": timezone is None and (start_naive or end_naive),
            "bad_number": (text["nodes"] is not None and nodes is None)
            or (text["gpu_activity_percent"] is not None and activity is None),
            "unknown_class": label is not None and known is None,
            "unknown_state": state == "ODD",
        }
        owner = text["account"] or text["user"] or ""
        key = workload_key(text["cluster"] or "", owner, fold_name(text["name"] or ""), known)
        said = tuple(
            [text[field] for field in ("cluster", "name", "account", "user", "queue", "gpu_model", "model")]
            + [gpus.milli_gpus, nodes, start, end, is_running, state, activity, known]
        )
        rows.append(
            Row(
                file=file,
                line=line,
                code=code,
                fate=fate,
                cluster=text["cluster"] or "",
                job_id=text["job_id"],
                start=start or 0,
                end=end,
                milli=gpus.milli_gpus,
                running=is_running,
                final=finality(state),
                state=state,
                model=text["gpu_model"],
                key=key,
                queue=text["queue"] or "",
                nodes=nodes,
                activity=activity,
                said=said,
                notes={note for note, holds in notes.items() if holds},
            )
        )
    return rows


def _judge(
    state: str,
    start_text: str | None,
    end_text: str | None,
    fault: str | None,
    start: int | None,
    end: int | None,
) -> str | None:
    if state == "PENDING":
        return "pending"
    if state == "CANCELLED" and start_text is None:
        return "never_started"
    if fault:
        return fault
    if start is None or not EARLIEST_S <= start < LATEST_S:
        return "bad_time"
    if end_text is None and state != "RUNNING":
        return "bad_time"
    if end_text is not None and (end is None or not EARLIEST_S <= end < LATEST_S):
        return "bad_time"
    return "end_before_start" if end is not None and end < start else None


def _missing(text: str) -> str | None:
    found = _trim(text)
    return None if found is None or found.lower() in MISSING_TEXTS else found


def _nodes(text: str | None) -> int | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return int(number) if number == int(number) and 1 <= number <= 1e6 else None


def _activity(text: str | None) -> int | None:
    try:
        percent = float((text or "").rstrip("% "))
    except ValueError:
        return None
    return round(percent * 1000) if 0 <= percent <= 100 else None


def drop_repeats(rows: list[Row]) -> None:
    """Of the accepted rows of one run only the best keeps its fate."""
    runs = defaultdict(list)
    for row in rows:
        if row.fate == "accepted" and row.job_id is not None:
            runs[row.cluster, row.job_id, row.start].append(row)
    for run in runs.values():
        for row in sorted(run, key=lambda row: row.merit)[1:]:
            row.fate = "duplicate"


def issues_by_hand(rows: list[Row], files: int) -> list[dict[str, tuple[int, int]]]:
    """By file: count and first line of each issue, but those of the window."""
    found: list[dict[str, list[int]]] = [defaultdict(list) for _ in range(files)]
    seen = set()
    for row in rows:
        if row.code is not None:
            found[row.file][row.code].append(row.line)
        if row.fate == "accepted":
            for note in row.notes:
                found[row.file][note].append(row.line)
            if row.job_id is None:
                if row.said in seen:
                    found[row.file]["possible_duplicate"].append(row.line)
                seen.add(row.said)
    return [{code: (len(lines), min(lines)) for code, lines in by_code.items()} for by_code in found]


def check_window(read: JobsRead, rows: list[Row], window: Window) -> None:
    """The cube and all facts of the accepted rows in the window."""
    jobs = []
    for row in rows:
        if row.fate == "accepted":
            stop = max(window.end_s, row.start) if row.end is None else row.end
            within = stop > window.start_s or (stop == row.start and row.start >= window.start_s)
            if row.start < window.end_s and within:
                jobs.append((row, stop, max(row.start, window.start_s), min(stop, window.end_s)))
    with_demand = [job for job in jobs if job[0].milli and job[1] > job[0].start]
    demand: dict[tuple[str, str | None, int], int] = defaultdict(int)
    for row, _, begin, end in with_demand:
        for hour in range((begin - window.start_s) // HOUR_S, window.hours):
            low = window.start_s + hour * HOUR_S
            if (seconds := min(end, low + HOUR_S) - max(begin, low)) > 0:
                demand[row.key, row.model, hour] += seconds * row.milli
            if low > end:
                break
    assert read.cube is not None
    cube, found = read.cube, {}
    for place in range(len(cube.workload_index)):
        model = cube.model_index[place]
        for entry in range(cube.offsets[place], cube.offsets[place + 1]):
            key = read.workloads[cube.workload_index[place]].key
            spelled = None if model < 0 else cube.gpu_models[model]
            found[key, spelled, int(cube.hour[entry])] = int(cube.milli_gpu_seconds[entry])
    assert found == dict(demand)

    def peak(chosen: list[tuple[Row, int, int, int]]) -> int:
        instants = sorted({begin for _, _, begin, _ in chosen})
        return max(
            (sum(row.milli for row, _, begin, end in chosen if begin <= at < end) for at in instants),
            default=0,
        )

    facts = read.jobs
    cut = [
        job
        for job in with_demand
        if job[0].start < window.start_s or (job[1] > window.end_s and not job[0].running)
    ]
    spans = with_demand or jobs
    assert (facts.count, facts.gpu_jobs, facts.clipped) == (len(jobs), len(with_demand), len(cut))
    assert facts.peak_milli_gpus == peak(with_demand)
    assert facts.first_start_s == min((begin for _, _, begin, _ in spans), default=None)
    assert facts.last_end_s == max((end for _, _, _, end in spans), default=None)
    keys = sorted({job[0].key for job in with_demand})
    assert [workload.key for workload in read.workloads] == keys
    for workload in read.workloads:
        mine = [job for job in with_demand if job[0].key == workload.key]
        lengths = sorted(stop - row.start for row, stop, _, _ in mine)
        amounts = [(row, (end - begin) * row.milli) for row, _, begin, end in mine]
        by_queue: Counter[str] = Counter()
        for row, amount in amounts:
            by_queue[row.queue] += amount
        total = sum(amount for _, amount in amounts)
        assert workload.jobs == sum(job[0].key == workload.key for job in jobs)
        assert (workload.gpu_jobs, workload.milli_gpu_seconds) == (len(mine), total)
        assert workload.peak_milli_gpus == peak(mine)
        assert (workload.longest_job_s, workload.median_job_s) == (
            lengths[-1],
            lengths[(len(lengths) - 1) // 2],
        )
        sizes = sorted(row.milli for row, *_ in mine)
        assert workload.median_milli_gpus == sizes[(len(sizes) - 1) // 2]
        assert workload.max_milli_gpus == max(row.milli for row, _ in amounts)
        assert workload.max_nodes == max((row.nodes for row, _ in amounts if row.nodes), default=None)
        assert workload.failed_milli_gpu_seconds == sum(
            amount for row, amount in amounts if row.state in FAILED_STATES
        )
        assert workload.queue == min(by_queue, key=lambda queue: (-by_queue[queue], queue))
        known = all(row.activity is not None for row, _ in amounts)
        mean = sum(amount * (row.activity or 0) for row, amount in amounts) / (total * 100_000)
        assert workload.activity == (pytest.approx(mean) if known else None)


def written(log: list[dict[str, str]], end: str) -> tuple[str, list[int]]:
    """A log as CSV and the line at which each record begins."""
    text = io.StringIO()
    writer = csv.DictWriter(text, HEADER, lineterminator=end)
    writer.writeheader()
    lines = []
    for record in log:
        lines.append(text.getvalue().count("\n") + 1)
        writer.writerow(record)
    return text.getvalue(), lines


@pytest.mark.long
@pytest.mark.parametrize(
    "way",
    one_in(
        4,
        [
            "as it comes",
            "each field alone",
            "all fields together",
            "carefully",
            "engine's peaks",
            "engine's sums",
            "a workload at a time",
            "numbers not kept",
        ],
    ),
)
@pytest.mark.parametrize("seed", some_of(range(4), quick=1))
def test_imports_say_what_a_plain_reading_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, way: str
) -> None:
    if way == "each field alone":
        monkeypatch.setattr(row_marks, "_ALONE_ABOVE", -1.0)
        monkeypatch.setattr(row_marks, "_TEXT_ABOVE", 2.0)
        monkeypatch.setattr(raw_table, "_PICKED_AT_MOST", 0.0)
    elif way == "all fields together":
        monkeypatch.setattr(row_marks, "_ALONE_ABOVE", 2.0)
        monkeypatch.setattr(row_marks, "_KINDS_ABOVE", 2.0)
        monkeypatch.setattr(raw_table, "_PICKED_AT_MOST", 2.0)
    elif way == "carefully":
        monkeypatch.setattr(raw_table, "_regular", lambda *_: None)
    elif way == "engine's peaks":
        monkeypatch.setattr(peaks, "_NUMBERS_AT_MOST", 0)
    elif way == "engine's sums":
        monkeypatch.setattr(busy_jobs, "_CELLS_PER_JOB", -(2**40))
    elif way == "a workload at a time":
        monkeypatch.setattr(busy_jobs, "_CELLS_AT_ONCE", 1)
        monkeypatch.setattr(busy_jobs, "_CELLS_PER_JOB", 2**40)
    elif way == "numbers not kept":
        monkeypatch.setattr(busy_jobs, "_HELD_AT_MOST", 0)
    chance = random.Random(f"{seed} {way}")
    timezone = chance.choice((None, "Europe/Oslo"))
    encoding = chance.choice(("utf-8", "latin-1", "utf-16"))
    paths, rows = [], []
    for file in range(chance.choice((1, 3))):
        zones = ZONES[: chance.choice((2, 4, len(ZONES)))]
        log = made_log(chance, chance.choice((5, 60)), zones)
        if chance.random() < 0.6:  # nothing that spans lines: the fast way is open
            for record in log:
                record["name"] = record["name"].replace("\n", " ")
        text, lines = written(log, chance.choice(("\n", "\r\n")))
        path = tmp_path / f"{file}.csv"
        path.write_bytes(text.encode(encoding))
        paths.append(str(path))
        rows += read_by_hand(log, file, lines, timezone)
    drop_repeats(rows)
    read = import_jobs(
        paths,
        options=ReadOptions(format="own_csv", timezone=timezone),
        window_request=WindowRequest(whole_log=True),
        rows_dir=tmp_path / "rows" if seed % 2 else None,
    )
    fates = Counter((row.file, row.fate) for row in rows)
    for number, (file, issues) in enumerate(zip(read.intake, issues_by_hand(rows, len(paths)), strict=True)):
        counts = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
        assert counts == tuple(
            fates[number, fate] for fate in ("accepted", "rejected", "duplicate", "ignored")
        )
        found = {issue.code: (issue.count, issue.first_row) for issue in file.issues}
        assert {code: said for code, said in found.items() if code not in ("clipped", "encoding")} == issues
        rejected = [(row.line, row.code) for row in rows if row.file == number and row.fate == "rejected"]
        assert [(row.row, row.code) for row in file.rejected] == rejected
    if read.window is not None:
        check_window(read, rows, read.window)
