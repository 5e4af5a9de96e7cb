"""Demo jobs: the runs of each made-up workload, from its row of resources/demo/workloads.csv."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Final

from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.demo.days import DAYS, QUARTER_DAYS, DemoDays
from gpuplanner.lazy_dataclass import dataclass

HOUR: Final = 3600
SEED: Final = "gpuplanner demo 1"

CAMPAIGNS: Final = (
    (1.2, 8.7),
    (11.4, 19.8),
    (22.0, 30.9),
    (34.6, 42.3),
    (44.9, 54.1),
    (57.8, 66.0),
    (69.3, 77.9),
    (80.6, 89.0),
    (94.2, 101.6),
    (104.3, 112.4),
    (114.6, 123.7),
    (127.2, 134.5),
    (137.1, 147.3),
    (150.4, 158.8),
    (162.2, 170.6),
    (173.3, 181.4),
)
"""When the training cluster trains, in days from the start; between them it waits, and is paid for."""
TRAFFIC_BY_WEEK: Final = (
    0.84,
    0.83,
    0.85,
    0.77,
    0.76,
    0.71,
    0.75,
    0.77,
    0.79,
    0.84,
    0.81,
    0.88,
    0.86,
    0.82,
    0.79,
    0.87,
    0.81,
    0.88,
    0.97,
    1.09,
    1.12,
    1.11,
    1.13,
    1.15,
    1.10,
    1.09,
    1.02,
)
"""How much is asked of all services in each week of the log: more over the months, and never as smoothly as hoped."""
WHOLE_LOG: Final = ((0.0, float(DAYS)),)
WHOLE: Final = "whole"
"""In the column `when`: one campaign, the whole log."""

FAILURES: Final = ("FAILED", "FAILED", "OUT_OF_MEMORY", "TIMEOUT", "NODE_FAIL")

Span = tuple[int, int]
Row = Mapping[str, str]
Pattern = Callable[[Row, Random, DemoDays], Iterator[Span]]


@dataclass(frozen=True, slots=True)
class Run:
    """One job of a workload: epoch seconds UTC, its final state, its activity in percent (None: not measured)."""

    start_s: int
    end_s: int
    state: str
    activity_percent: float | None


def runs_of(row: Row, days: DemoDays) -> list[Run]:
    """All runs of one row, by start. The same row and days give the same runs, whatever else is in the table."""
    chance = Random(f"{SEED}/{row['cluster']}/{row['user']}/{row['name']}")
    return [
        _finish(span, row, chance, days.end_s)
        for span in sorted(PATTERNS[row["pattern"]](row, chance, days))
        if span[0] < days.end_s
    ]


def _finish(span: Span, row: Row, chance: Random, log_end_s: int) -> Run:
    """A run from its span: by chance it fails early; what outlasts the log is running at its end."""
    start_s, end_s = span
    state = "COMPLETED"
    if chance.random() * 100 < float(row["failed_percent"] or 0):
        state = chance.choice(FAILURES)
        end_s = start_s + max(60, int((end_s - start_s) * chance.uniform(0.2, 0.9)))
    if end_s >= log_end_s:
        state, end_s = "RUNNING", log_end_s
    activity = None
    if row["activity"]:
        activity = round(min(max(float(row["activity"]) + chance.uniform(-5, 5), 0.5), 99.0), 1)
    return Run(start_s, end_s, state, activity)


def _around(hours: float, chance: Random) -> int:
    """A duration in seconds, between roughly half and twice the typical one."""
    return max(120, int(hours * HOUR * math.exp(chance.uniform(-0.55, 0.55))))


def _count(row: Row) -> int:
    """How often in the log, from how often in a quarter."""
    return round(int(row["a"]) * DAYS / QUARTER_DAYS)


def _pretrain(row: Row, chance: Random, days: DemoDays) -> Iterator[Span]:
    """Whole campaigns, one segment after the other with a short restart between them."""
    is_whole = row["when"] == WHOLE
    for from_day, to_day in (
        WHOLE_LOG if is_whole else [CAMPAIGNS[int(number) - 1] for number in row["when"].split()]
    ):
        begin, end = int(days.start_s + from_day * DAY_S), int(days.start_s + to_day * DAY_S)
        now = begin
        while now < end:
            stop = min(now + _around(float(row["hours"]), chance), end)
            yield now, stop
            now = stop + chance.randint(5, 25) * 60


def _finetune(row: Row, chance: Random, days: DemoDays) -> Iterator[Span]:
    """Runs whenever the queue lets them; on the training cluster only while a campaign is on."""
    spans = CAMPAIGNS if row["cluster"] == "atlas" and row["when"] != WHOLE else ((0.3, DAYS - 0.3),)
    lengths = [end - begin for begin, end in spans]
    for _ in range(_count(row)):
        begin, end = chance.choices(spans, weights=lengths)[0]
        length = _around(float(row["hours"]), chance)
        start = int(days.start_s + chance.uniform(begin, end) * DAY_S)
        last = int(days.start_s + end * DAY_S) - length - HOUR // 2
        yield min(start, last), min(start, last) + length


def _flat(row: Row, chance: Random, days: DemoDays) -> Iterator[Span]:
    """Replicas held day and night, restarted now and then."""
    for replica in range(int(row["a"])):
        now = days.start_s + replica * 611
        is_first = True
        while now < days.end_s:
            length = _around(float(row["hours"]), chance)
            stop = now + (int(length * chance.uniform(0.1, 1.0)) if is_first else length)
            yield now, stop
            now, is_first = stop + chance.randint(20, 90), False


def _wave(row: Row, chance: Random, days: DemoDays) -> Iterator[Span]:
    """Replicas that follow the traffic, from the day in `when` on: the n-th is up when the load asks for it."""
    base, peak = int(row["a"]), int(row["b"])
    hours, first = DAYS * 24, int(row["when"] or 0) * 24
    wanted = [base + (peak - base) * share for share in traffic(days)]
    for replica in range(peak + 1):
        since: int | None = None
        for hour in range(first, hours):
            now = days.start_s + hour * HOUR + chance.randint(0, 900)
            is_up = replica < base or wanted[hour] > replica + chance.uniform(0.35, 0.65)
            if since is None and is_up:
                since = now
            elif since is not None and (not is_up or now - since > 200 * HOUR):
                yield since, now
                since = now + 30 if is_up else None
        if since is not None:
            yield since, days.end_s


@cache
def traffic(days: DemoDays) -> tuple[float, ...]:
    """Requests of each hour of the log: few at night, many in the afternoon, fewer at weekends; 1 is a usual peak."""
    answer = []
    for hour in range(DAYS * 24):
        wave = 0.5 - 0.5 * math.cos(2 * math.pi * (hour % 24 - 4) / 24)
        weekend = 1.0 if days.weekday(hour // 24) < 5 else 0.62
        answer.append(math.pow(wave, 1.3) * TRAFFIC_BY_WEEK[hour // (7 * 24)] * weekend)
    return tuple(answer)


def _sweep(row: Row, chance: Random, days: DemoDays) -> Iterator[Span]:
    """A few times in the quarter, many short trials at once, then nothing."""
    for _ in range(_count(row)):
        begin = days.start_s + chance.randint(0, DAYS - 2) * DAY_S + int(chance.triangular(8, 22, 17) * HOUR)
        for trial in range(int(row["b"])):
            start = begin + trial * 170 + chance.randint(0, 400)
            yield start, start + _around(float(row["hours"]), chance)


def _nightly(row: Row, chance: Random, days: DemoDays) -> Iterator[Span]:
    """Every day at the same hour."""
    for day in range(DAYS):
        for _ in range(int(row["a"])):
            start = days.start_s + day * DAY_S + int(row["when"]) * HOUR + chance.randint(0, 1500)
            yield start, start + _around(float(row["hours"]), chance)


def _weekly(row: Row, chance: Random, days: DemoDays) -> Iterator[Span]:
    """On some weekdays (0 is Monday) at some hour."""
    slots = sorted(
        (int(weekday), int(hour)) for weekday, hour in (slot.split(":") for slot in row["when"].split())
    )
    for day in range(DAYS):
        for weekday, hour in slots:
            if days.weekday(day) == weekday:
                for _ in range(int(row["a"])):
                    start = days.start_s + day * DAY_S + hour * HOUR + chance.randint(0, 1800)
                    yield start, start + _around(float(row["hours"]), chance)


def _notebook(row: Row, chance: Random, days: DemoDays) -> Iterator[Span]:
    """Sessions on working days, some of them forgotten until the next morning."""
    for day in range(DAYS):
        if days.weekday(day) < 5:
            for _ in range(int(row["a"])):
                start = days.start_s + day * DAY_S + int(chance.triangular(7, 17, 9) * HOUR)
                forgotten = 14 * HOUR if chance.random() < 0.04 else 0
                yield start, start + _around(float(row["hours"]), chance) + forgotten


def _held(row: Row, chance: Random, days: DemoDays) -> Iterator[Span]:
    """Opened once and not closed until somebody noticed."""
    first, last = (int(day) for day in row["when"].split())
    yield (
        days.start_s + first * DAY_S + chance.randint(8, 11) * HOUR,
        days.start_s + last * DAY_S + chance.randint(9, 16) * HOUR,
    )


def _odd(row: Row, chance: Random, days: DemoDays) -> Iterator[Span]:
    """Any time, any length: nothing in the shape says what it is."""
    for _ in range(_count(row)):
        start = days.start_s + chance.randint(0, (DAYS - 1) * DAY_S)
        yield start, start + int(_around(float(row["hours"]), chance) * chance.uniform(0.7, 1.5))


PATTERNS: Final[Mapping[str, Pattern]] = {
    "pretrain": _pretrain,
    "finetune": _finetune,
    "flat": _flat,
    "wave": _wave,
    "sweep": _sweep,
    "nightly": _nightly,
    "weekly": _weekly,
    "notebook": _notebook,
    "held": _held,
    "odd": _odd,
}
"""One way of using GPUs each; a new one is a function here and rows in the table."""
