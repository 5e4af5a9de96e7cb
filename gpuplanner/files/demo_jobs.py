"""Demo jobs: the runs of each made-up workload, from its row of resources/demo/workloads.csv. Seeded, no clock."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

HOUR: Final = 3600
DAY: Final = 24 * HOUR
START_S: Final = 1_783_036_800  # 2026-07-03T00:00:00Z, a Friday
DAYS: Final = 90
END_S: Final = START_S + DAYS * DAY
SEED: Final = "gpuplanner demo 1"

CAMPAIGNS: Final = (
    (1.2, 8.6), (11.3, 19.4), (21.6, 30.7), (34.2, 41.5), (44.1, 54.3), (57.4, 65.8), (69.2, 77.6), (80.3, 88.4),
)  # fmt: skip
"""When the training cluster trains, in days from the start; between them it waits, and is paid for."""
WHOLE_QUARTER: Final = ((0.0, 90.0),)
WHOLE: Final = "whole"
"""In the column `when`: one campaign, the whole quarter."""

FAILURES: Final = ("FAILED", "FAILED", "OUT_OF_MEMORY", "TIMEOUT", "NODE_FAIL")

Span = tuple[int, int]
Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Run:
    """One job of a workload: epoch seconds UTC, its final state, its activity in percent (None: not measured)."""

    start_s: int
    end_s: int
    state: str
    activity_percent: float | None


def runs_of(row: Row) -> list[Run]:
    """All runs of one row, by start. The same row gives the same runs, whatever else is in the table."""
    chance = Random(f"{SEED}/{row['cluster']}/{row['user']}/{row['name']}")
    return [
        _finish(span, row, chance)
        for span in sorted(PATTERNS[row["pattern"]](row, chance))
        if span[0] < END_S
    ]


def _finish(span: Span, row: Row, chance: Random) -> Run:
    start_s, end_s = span
    state = "COMPLETED"
    if chance.random() * 100 < float(row["failed_percent"] or 0):
        state = chance.choice(FAILURES)
        end_s = start_s + max(60, int((end_s - start_s) * chance.uniform(0.2, 0.9)))
    if end_s >= END_S:
        state, end_s = "RUNNING", END_S
    activity = None
    if row["activity"]:
        activity = round(min(max(float(row["activity"]) + chance.uniform(-5, 5), 0.5), 99.0), 1)
    return Run(start_s, end_s, state, activity)


def _around(hours: float, chance: Random) -> int:
    """A duration in seconds, between roughly half and twice the typical one."""
    return max(120, int(hours * HOUR * math.exp(chance.uniform(-0.55, 0.55))))


def _pretrain(row: Row, chance: Random) -> Iterator[Span]:
    """Whole campaigns, one segment after the other with a short restart between them."""
    is_whole = row["when"] == WHOLE
    for from_day, to_day in (
        WHOLE_QUARTER if is_whole else [CAMPAIGNS[int(number) - 1] for number in row["when"].split()]
    ):
        begin, end = int(START_S + from_day * DAY), int(START_S + to_day * DAY)
        now = begin
        while now < end:
            stop = min(now + _around(float(row["hours"]), chance), end)
            yield now, stop
            now = stop + chance.randint(5, 25) * 60


def _finetune(row: Row, chance: Random) -> Iterator[Span]:
    """Runs whenever the queue lets them; on the training cluster only while a campaign is on."""
    spans = CAMPAIGNS if row["cluster"] == "atlas" and row["when"] != WHOLE else ((0.3, DAYS - 0.3),)
    lengths = [end - begin for begin, end in spans]
    for _ in range(int(row["a"])):
        begin, end = chance.choices(spans, weights=lengths)[0]
        length = _around(float(row["hours"]), chance)
        start = int(START_S + chance.uniform(begin, end) * DAY)
        last = int(START_S + end * DAY) - length - HOUR // 2
        yield min(start, last), min(start, last) + length


def _flat(row: Row, chance: Random) -> Iterator[Span]:
    """Replicas held day and night, restarted now and then; the first ones run since before the window."""
    for replica in range(int(row["a"])):
        now = START_S - chance.randint(3, 12) * DAY + replica * 611
        while now < END_S:
            stop = now + _around(float(row["hours"]), chance)
            yield now, stop
            now = stop + chance.randint(20, 90)


def _wave(row: Row, chance: Random) -> Iterator[Span]:
    """Replicas that follow the traffic: replica n is up whenever the load of the hour asks for it."""
    base, peak = int(row["a"]), int(row["b"])
    hours = DAYS * 24
    wanted = [base + (peak - base) * traffic(hour) * (0.94 + 0.12 * hour / hours) for hour in range(hours)]
    for replica in range(peak + 1):
        since: int | None = None
        for hour in range(hours):
            now = START_S + hour * HOUR + chance.randint(0, 900)
            is_up = replica < base or wanted[hour] > replica + chance.uniform(0.35, 0.65)
            if since is None and is_up:
                since = now
            elif since is not None and (not is_up or now - since > 200 * HOUR):
                yield since, now
                since = now + 30 if is_up else None
        if since is not None:
            yield since, END_S


def traffic(hour: int) -> float:
    """Share of the peak in an hour of the window: low at night, high in the afternoon, quieter at weekends."""
    wave = 0.5 - 0.5 * math.cos(2 * math.pi * (hour % 24 - 4) / 24)
    return math.pow(wave, 1.3) * (1.0 if _weekday(hour // 24) < 5 else 0.62)


def _weekday(day: int) -> int:
    """0 is Monday; the window begins on a Friday."""
    return (day + 4) % 7


def _sweep(row: Row, chance: Random) -> Iterator[Span]:
    """A few times in the quarter, many short trials at once, then nothing."""
    for _ in range(int(row["a"])):
        begin = START_S + chance.randint(0, DAYS - 2) * DAY + int(chance.triangular(8, 22, 17) * HOUR)
        for trial in range(int(row["b"])):
            start = begin + trial * 170 + chance.randint(0, 400)
            yield start, start + _around(float(row["hours"]), chance)


def _nightly(row: Row, chance: Random) -> Iterator[Span]:
    """Every day at the same hour."""
    for day in range(DAYS):
        for _ in range(int(row["a"])):
            start = START_S + day * DAY + int(row["when"]) * HOUR + chance.randint(0, 1500)
            yield start, start + _around(float(row["hours"]), chance)


def _weekly(row: Row, chance: Random) -> Iterator[Span]:
    """On some weekdays (0 is Monday) at some hour."""
    slots = sorted(
        (int(weekday), int(hour)) for weekday, hour in (slot.split(":") for slot in row["when"].split())
    )
    for day in range(DAYS):
        for weekday, hour in slots:
            if _weekday(day) == weekday:
                for _ in range(int(row["a"])):
                    start = START_S + day * DAY + hour * HOUR + chance.randint(0, 1800)
                    yield start, start + _around(float(row["hours"]), chance)


def _notebook(row: Row, chance: Random) -> Iterator[Span]:
    """Sessions on working days, some of them forgotten until the next morning."""
    for day in range(DAYS):
        if _weekday(day) < 5:
            for _ in range(int(row["a"])):
                start = START_S + day * DAY + int(chance.triangular(7, 17, 9) * HOUR)
                forgotten = 14 * HOUR if chance.random() < 0.04 else 0
                yield start, start + _around(float(row["hours"]), chance) + forgotten


def _held(row: Row, chance: Random) -> Iterator[Span]:
    """Opened once and not closed until somebody noticed."""
    first, last = (int(day) for day in row["when"].split())
    yield (
        START_S + first * DAY + chance.randint(8, 11) * HOUR,
        START_S + last * DAY + chance.randint(9, 16) * HOUR,
    )


def _rare(row: Row, chance: Random) -> Iterator[Span]:
    """A handful of runs, spread over the quarter."""
    count = int(row["a"])
    for number in range(count):
        day = int((number + 0.5) * DAYS / count)
        start = START_S + day * DAY + chance.randint(9, 16) * HOUR + chance.randint(0, 3000)
        yield start, start + _around(float(row["hours"]), chance)


def _odd(row: Row, chance: Random) -> Iterator[Span]:
    """Any time, any length: nothing in the shape says what it is."""
    for _ in range(int(row["a"])):
        start = START_S + chance.randint(0, (DAYS - 1) * DAY)
        yield start, start + int(_around(float(row["hours"]), chance) * chance.uniform(0.7, 1.5))


PATTERNS: Final[Mapping[str, Callable[[Row, Random], Iterator[Span]]]] = {
    "pretrain": _pretrain,
    "finetune": _finetune,
    "flat": _flat,
    "wave": _wave,
    "sweep": _sweep,
    "nightly": _nightly,
    "weekly": _weekly,
    "notebook": _notebook,
    "held": _held,
    "rare": _rare,
    "odd": _odd,
}
"""One way of using GPUs each; a new one is a function here and rows in the table."""
