"""The labelled workloads of both sets as traces of 90 days: the same jobs every time."""

import csv
import hashlib
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np

from gpuplanner.domain.model.tables import Pool
from tests.benchmarks.traces import DAYS, HOURS, Floats, Trace

LABELLED = Path(__file__).with_name("labelled_workloads.csv")
SECOND_SET = Path(__file__).with_name("labelled_workloads_two.csv")
Part = Literal["A", "B"]
Row = dict[str, str]
Random = np.random.Generator


def labelled_traces(*, held_out: bool) -> list[Trace]:
    """The part of the set that rules may be tuned on, or the part that is held out; in the order of the file."""
    with LABELLED.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if (row["held_out"] == "1") == held_out]
    return [_trace(row) for row in rows]


def second_set(part: Part | None = None) -> list[Trace]:
    """The second set, of five made-up companies: part A, that rules are tuned on; part B, held out; or all."""
    with SECOND_SET.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return [_trace(row) for row in rows if part in (None, part_of(row["id"]))]


def part_of(row_id: str) -> Part:
    """A where the SHA-256 of the id is an even number, else B."""
    return "B" if hashlib.sha256(row_id.encode()).digest()[-1] % 2 else "A"


def _trace(row: Row) -> Trace:
    random = np.random.default_rng(zlib.crc32(row["id"].encode()))
    start, length = _JOBS[row["pattern"]](row, random)
    activity = row["activity_percent"]
    return Trace(
        case=row["id"],
        name=row["name"],
        queue=row["queue"],
        owner=row["owner"],
        truth=Pool(row["label"]),
        gpus=float(row["gpus"]),
        nodes=int(row["nodes"]),
        start=start,
        length=length,
        level=_service_level(row, random) if row["pattern"] == "always_on" else None,
        activity=float(activity) / 100 if activity else None,
        failed=float(row["failed_share"]),
        difficulty=row["difficulty"],
        subtype=row["subtype"],
    )


def _count(row: Row) -> int:
    return max(1, round(float(row["jobs_per_week"]) * DAYS / 7))


def _lengths(row: Row, random: Random, count: int, spread: float) -> Floats:
    """Job lengths around the median; a lognormal spread."""
    return float(row["median_job_hours"]) * np.exp(spread * random.standard_normal(count))


def _always_on(row: Row, random: Random) -> tuple[Floats, Floats]:
    count = _count(row)
    length = _lengths(row, random, count, 0.1)
    return np.sort(random.uniform(0, max(HOURS - float(np.median(length)), 1.0), count)), length


def _service_level(row: Row, random: Random) -> Floats:
    """GPUs held by hour: jobs at once x GPUs, with the daily wave and the flatness that the row states.

    flatness f = mean² / mean of squares, so the squared spread is 1/f - 1: the wave takes what it needs of it (and no
    more than there is: the wave of a flat service is in its activity, not in what it holds), noise of days the rest.
    """
    at_once = float(row["jobs_per_week"]) * float(row["median_job_hours"]) / 168
    squared_spread = 1 / float(row["flatness"]) - 1
    wave = min(float(row["daily_wave"]), np.sqrt(2 * squared_spread))
    noise = np.sqrt(max(squared_spread - wave**2 / 2, 0))
    hours = np.arange(HOURS)
    by_day = np.repeat(random.standard_normal(DAYS), 24) * 0.6 + random.standard_normal(HOURS) * 0.8
    held = (1 + wave * np.cos(2 * np.pi * (hours - 14) / 24)) * np.clip(1 + noise * by_day, 0.05, None)
    if 0.85 <= at_once < 1:  # a single replica that is replaced, with a gap
        held[random.random(HOURS) > at_once] = 0
        at_once = 1.0
    return held * at_once * float(row["gpus"])


def _continuous(row: Row, random: Random) -> tuple[Floats, Floats]:
    """One run after another in as few lanes as hold them, with gaps between; failures cut runs short."""
    count = _count(row)
    length = _lengths(row, random, count, 0.12)
    failed = random.random(count) < float(row["failed_share"])
    length[failed] *= random.uniform(0.1, 0.8, int(failed.sum()))
    lanes = max(1, int(np.ceil(length.sum() / (0.97 * HOURS))))
    start = np.empty(count)
    for lane in range(lanes):
        mine = np.arange(lane, count, lanes)
        free = max(HOURS - length[mine].sum(), 1.0)
        gaps = random.dirichlet(np.ones(len(mine) + 1))[:-1] * free
        start[mine] = np.cumsum(gaps) + np.append(0, np.cumsum(length[mine])[:-1])
    return start, length


def _single(row: Row, random: Random) -> tuple[Floats, Floats]:
    count = _count(row)
    length = _lengths(row, random, count, 0.05)
    return np.sort(random.uniform(0, max(HOURS - length[0], 1.0), count)), length


def _nightly(row: Row, random: Random) -> tuple[Floats, Floats]:
    """Every night at about one; on working nights only where there are fewer than seven a week."""
    count = _count(row)
    nights = np.array([day for day in range(DAYS) if float(row["jobs_per_week"]) >= 7 or day % 7 < 5])
    start = nights[np.arange(count) % len(nights)] * 24 + 1 + np.abs(random.normal(0, 0.4, count))
    return start, _lengths(row, random, count, 0.1)


def _weekly(row: Row, random: Random) -> tuple[Floats, Floats]:
    count = _count(row)
    weeks = max(DAYS // 7, 1)
    start = (np.arange(count) % weeks) * 168 + 5 * 24 + 2 + random.uniform(0, 3, count)
    return start, _lengths(row, random, count, 0.1)


def _business(row: Row, random: Random) -> tuple[Floats, Floats]:
    """Working days from eight to six; what is longer than a day starts with the week."""
    count = _count(row)
    length = _lengths(row, random, count, 0.4 if float(row["median_job_hours"]) < 20 else 0.05)
    if float(row["median_job_hours"]) >= 20:
        return (np.arange(count) % 13) * 168 + 6 + random.uniform(0, 2, count), length
    days = np.array([day for day in range(DAYS) if day % 7 < 5])
    latest = max(18 - float(row["median_job_hours"]), 9.5)
    return random.choice(days, count) * 24 + random.uniform(8, latest, count), length


def _bursts(row: Row, random: Random) -> tuple[Floats, Floats]:
    """Bunches of one to four days, three to eight in the quarter."""
    count = _count(row)
    bunches = int(random.integers(3, 9))
    first = random.uniform(0, HOURS - 96, bunches)
    days = random.uniform(1, 4, bunches)
    of = random.integers(0, bunches, count)
    return first[of] + random.uniform(0, 24, count) * days[of], _lengths(row, random, count, 0.4)


def _sporadic(row: Row, random: Random) -> tuple[Floats, Floats]:
    """At any time; in working hours where the row shows a daily wave."""
    count = _count(row)
    start = random.uniform(0, HOURS, count)
    if float(row["daily_wave"]) >= 0.3:
        start = np.floor(start / 24) * 24 + random.uniform(8, 19, count)
    return start, _lengths(row, random, count, 0.4)


_JOBS: dict[str, Callable[[Row, Random], tuple[Floats, Floats]]] = {
    "always_on": _always_on,
    "continuous_runs": _continuous,
    "single_run": _single,
    "nightly": _nightly,
    "weekly": _weekly,
    "business_hours": _business,
    "burst_days": _bursts,
    "sporadic": _sporadic,
}
