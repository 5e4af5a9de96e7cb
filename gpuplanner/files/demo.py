"""The demo: a made-up company's six months, with every situation that makes planning worth doing."""

import csv
import io
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import accumulate, chain
from pathlib import Path
from random import Random
from typing import Final

from gpuplanner.domain.edits.inputs import set_served_model, set_week
from gpuplanner.domain.edits.plans import add_decision, add_plan
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.places import NO_PLACES, WeekRates
from gpuplanner.domain.model.plan_inputs import AS_TODAY, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S, instant_s, iso_day, iso_utc
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.lists import place_tables, served_models, traffic_tables
from gpuplanner.files.project.project_backups import Expected, keep_present, stamp_of
from gpuplanner.files.system import engine, process, resources
from gpuplanner.files.system.output_file import Output, output_folder, write_output
from gpuplanner.files.tables.delimited import write_rows
from gpuplanner.files.values.numbers import phrases
from gpuplanner.lazy_dataclass import dataclass, replace

# --- The days of the demo: six months of log that end on a day one chooses, and all that is counted from there

EPOCH: Final = date(1970, 1, 1)
DAYS: Final = 183
"""Six months of 730 h, and half a day."""
QUARTER_DAYS: Final = 90
"""Counts in resources/demo/workloads.csv are of a quarter, as a window is by default."""
GOLDEN_DAY: Final = date(2026, 9, 30)
"""The last day of the demo in tests and pictures."""


@dataclass(frozen=True, slots=True)
class DemoDays:
    """A log of whole days UTC: from start_s to end_s, epoch seconds, end_s the midnight after the last day logged."""

    start_s: int
    end_s: int

    def weekday(self, day: int) -> int:
        """0 is Monday; day 0 is the first of the log."""
        return (self.start_s // DAY_S + day + 3) % 7

    def date(self, from_end: int) -> str:
        """The ISO date so many days after the log's end: 0 is the first day that is not logged."""
        return iso_day(self.end_s + from_end * DAY_S)


def ending(last: date) -> DemoDays:
    """A log whose last day is this one."""
    end_s = (last.toordinal() + 1 - EPOCH.toordinal()) * DAY_S
    return DemoDays(end_s - DAYS * DAY_S, end_s)


def ending_yesterday(now_s: int) -> DemoDays:
    """A log that ends with the last whole day."""
    return ending(date.fromordinal(EPOCH.toordinal() + now_s // DAY_S - 1))


# --- Demo jobs: the runs of each made-up workload, from its row of resources/demo/workloads.csv. Seeded, no clock

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


# --- When each demo job was submitted: it waits while its cluster is full, and no longer than its patience

STEP_S: Final = 300
"""How finely a cluster is looked at."""
STEPS: Final = DAYS * DAY_S // STEP_S
PATIENCE_S: Final = {"batch": 8 * HOUR, "short": 2 * HOUR, "etl": HOUR, "interactive": HOUR // 3, "serve": 0}
"""How long work of a queue waits for the cluster's own GPUs before it is sent to rented ones."""
RESTART_S: Final = HOUR // 2
"""A segment of a campaign that starts this soon after the one before was queued behind it."""
LIMITS_H: Final = (1, 2, 4, 8, 12, 24, 48, 72, 120, 240)
"""Time limits that people ask for."""
WITHOUT_LIMIT: Final = ("serve", "interactive")

Place = tuple[str, str]  # cluster, GPU model
Job = tuple[Row, Run]


@dataclass(frozen=True, slots=True)
class Queued:
    """When a job was put into the queue; epoch seconds UTC.

    eligible_s: when nothing but GPUs was missing any more, None where that was so from the beginning. time_limit: as
    [D-]HH:MM:SS, empty where it has none.
    """

    submit_s: int
    eligible_s: int | None
    time_limit: str


def queued(jobs: Sequence[Job], contracts: Iterable[Mapping[str, str]], days: DemoDays) -> list[Queued]:
    """The queue of each job, in their order, which is by start. contracts: rows of contracts.csv with their dates."""
    free, chance = _free_gpus(jobs, contracts, days), Random(f"{SEED}/queue")
    last: dict[int, tuple[int, Run]] = {}  # of each row: when its chain was submitted, and its last run
    answer = []
    for row, run in jobs:
        chain, before = last.get(id(row), (run.start_s, None))
        limit = _time_limit(row, run, chance)
        if row["pattern"] == "pretrain" and before and 0 <= run.start_s - before.end_s <= RESTART_S:
            last[id(row)] = (chain, run)
            answer.append(Queued(chain, before.end_s, limit))
            continue
        waited_s = _waited_s(
            free.get((row["cluster"], row["gpu_model"]), []), row, run.start_s - days.start_s
        )
        if waited_s:
            waited_s = int(waited_s * chance.uniform(0.3, 1.0))
        submit_s = max(run.start_s - waited_s - chance.randint(2, 40), days.start_s)
        last[id(row)] = (submit_s, run)
        answer.append(Queued(submit_s, None, limit))
    return answer


def _free_gpus(
    jobs: Iterable[Job], contracts: Iterable[Mapping[str, str]], days: DemoDays
) -> dict[Place, list[int]]:
    """GPUs free in each step of the log on each cluster and model; below 0 where more run than it has."""
    changes: defaultdict[Place, list[int]] = defaultdict(lambda: [0] * (STEPS + 1))

    def add(place: Place, gpus: int, begin_s: int, end_s: int) -> None:
        """Adds GPUs at a place from one instant to another, in steps of the days.

        What lies outside them is cut off.
        """
        steps = changes[place]
        begin, end = (min(max((at_s - days.start_s) // STEP_S, 0), STEPS) for at_s in (begin_s, end_s))
        steps[begin] += gpus
        steps[end] -= gpus

    for row, run in jobs:
        add((row["cluster"], row["gpu_model"]), -int(row["gpus"]), run.start_s, run.end_s)
    for contract in contracts:
        end_s = instant_s(contract["end"]) if contract["end"] else days.end_s
        place = (contract["cluster"], contract["gpu_model"])
        add(place, int(contract["gpus"]), instant_s(contract["start"]), end_s)
    return {place: list(accumulate(steps)) for place, steps in changes.items()}


def _waited_s(free: Sequence[int], row: Row, start_s: int) -> int:
    """How long before its start, in seconds from the start of the log, there was no room for a job."""
    step, patience, gpus = start_s // STEP_S - 1, PATIENCE_S[row["queue"]] // STEP_S, int(row["gpus"])
    steps = 0
    while steps < patience and 0 <= step - steps < len(free) and free[step - steps] < gpus:
        steps += 1
    return steps * STEP_S


def _time_limit(row: Row, run: Run, chance: Random) -> str:
    """The limit a job asked for, as Slurm writes it: the next usual one above its length.

    Empty in queues without one.
    """
    if row["queue"] in WITHOUT_LIMIT:
        return ""
    length_h = (run.end_s - run.start_s) / HOUR
    asked_h = length_h if run.state == "TIMEOUT" else length_h * chance.uniform(1.2, 2.5)
    hours = next((limit for limit in LIMITS_H if limit >= asked_h), LIMITS_H[-1])
    return f"{hours // 24}-{hours % 24:02d}:00:00"


# --- The demo inputs: a made-up company's six months, with every situation that makes capacity planning worth doing

JOB_COLUMNS: Final = phrases(
    "job_id|cluster|name|account|user|queue|gpu_model|gpus|nodes|submit|eligible|start|end|time_limit"
    "|state|gpu_activity_percent|class|model"
)
DATED: Final = ("contracts.csv", "prices.csv")
"""Tables whose days count from the log's end; in resources/demo they are numbers of days."""
DAY_COLUMNS: Final = ("start", "end", "starts", "ends", "valid_until", "as_of")
UNDATED: Final = ("users.csv", "sites.csv", "traffic.csv")
DEMO_FILES: Final = ("jobs.csv", *DATED, *UNDATED)

Table = list[dict[str, str]]


def write_demo(folder: Path, days: DemoDays, *, is_folder_ours: bool = False) -> list[Path]:
    """Write jobs.csv, contracts.csv, prices.csv, users.csv, sites.csv and traffic.csv; for a day the same bytes.

    folder is made where missing; other files of these names in it are kept beside them (project_backups.py), unless
    is_folder_ours: then they are the demo of another day. Errors: PlannerError file_unreadable.
    """
    output_folder(folder)  # first: to make the rows takes seconds
    contracts = _dated("contracts.csv", days)
    contents = {
        "jobs.csv": _csv(chain((JOB_COLUMNS,), demo_jobs(read_table("workloads.csv"), contracts, days))),
        "contracts.csv": _csv(_with_heading(contracts)),
        "prices.csv": _csv(_with_heading(_dated("prices.csv", days))),
    }
    for name in UNDATED:
        contents[name] = process.resource_path(f"demo/{name}").read_bytes()
    for name, content in contents.items():
        write_output(folder / name, content, keep=_keep_nothing if is_folder_ours else _keep_theirs)
    return [folder / name for name in contents]


def _keep_theirs(out: Output) -> None:
    """Somebody's own file of a name of ours is theirs."""
    keep_present(out, 0, Expected(is_any_replaced=True), stamp_of(out.part))


def _keep_nothing(out: Output) -> None:
    """What is there was ours."""


def demo_jobs(
    workloads: Iterable[Mapping[str, str]], contracts: Table, days: DemoDays
) -> Iterator[tuple[str, ...]]:
    """One row of jobs.csv per run, in the order in which jobs started; ids count up from 100001."""
    jobs = [(row, run) for row in workloads for run in runs_of(row, days)]
    jobs.sort(
        key=lambda job: (job[1].start_s, job[1].end_s, job[0]["cluster"], job[0]["name"], job[0]["user"])
    )
    for number, ((row, run), queue) in enumerate(
        zip(jobs, queued(jobs, contracts, days), strict=True), start=100_001
    ):
        activity = "" if run.activity_percent is None else f"{run.activity_percent:.1f}"
        eligible = "" if queue.eligible_s is None else iso_utc(queue.eligible_s)
        yield (
            str(number),
            row["cluster"],
            row["name"],
            row["account"],
            row["user"],
            row["queue"],
            row["gpu_model"],
            row["gpus"],
            row["nodes"],
            iso_utc(queue.submit_s),
            eligible,
            iso_utc(run.start_s),
            iso_utc(run.end_s),
            queue.time_limit,
            run.state,
            activity,
            "",
            row["model"],
        )


def read_table(name: str) -> Table:
    """A table of the demo's resources, a dict for each row."""
    with process.resource_path(f"demo/{name}").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _dated(name: str, days: DemoDays) -> Table:
    """A table of resources/demo with its numbers of days, counted from the log's end, as dates."""
    return [
        {key: days.date(int(cell)) if cell and key in DAY_COLUMNS else cell for key, cell in row.items()}
        for row in read_table(name)
    ]


def _with_heading(table: Table) -> Iterator[tuple[str, ...]]:
    """The heading as the first row, then the values of each row in its order."""
    yield tuple(table[0])
    yield from (tuple(row.values()) for row in table)


def _csv(rows: Iterable[tuple[str, ...]]) -> bytes:
    """Rows as the bytes of a CSV file in UTF-8, the same on every system."""
    written = io.StringIO()
    write_rows(written, rows, "\n")
    return written.getvalue().encode()


# --- The demo as a project: its inputs written to a folder, read like any others, with two plans

PLANS: Final = ("Plan A \u00b7 Separate", "Plan B \u00b7 New terms only")
NOTE: Final = (
    worded("Same pools as today, new terms"),
    worded("Savings from orders alone. Plan A also separates pools."),
)
"""Of the second plan: what it is, and what for."""
SERVED_ENDPOINT: Final = "atlas/chat/vllm-chat-prod"
SERVED_MODEL: Final = "Llama 3.1 70B"
INPUTS: Final = ("jobs.csv", "contracts.csv", "prices.csv")


def make_demo(
    folder: Path,
    days: DemoDays,
    on_progress: engine.Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
    *,
    rows_dir: Path | None = None,
    is_folder_ours: bool = False,
) -> Project:
    """Write the demo's inputs into `folder` (made where missing) and read them: for a day the same project every time.

    It takes seconds. rows_dir: where its job rows are kept for drill-down. is_folder_ours: as for write_demo.
    Errors: PlannerError where the folder cannot be written; Cancelled.
    """

    def tell(fraction: float, text: Text) -> None:
        """Reports how far the demo is, 0 to 1, if somebody asked for it."""
        if on_progress is not None:
            on_progress(fraction, text)

    tell(0.05, "writing the demo's log")
    write_demo(folder, days, is_folder_ours=is_folder_ours)
    read = read_inputs(
        *([str(folder / name)] for name in INPUTS),
        rows_dir=rows_dir,
        on_progress=lambda fraction, text: tell(0.3 + 0.7 * fraction, text),
        is_cancelled=is_cancelled,
    )
    places = place_tables.import_places([str(folder / "users.csv")], [str(folder / "sites.csv")])
    project = replace(
        read.project(),
        scenarios=(Scenario(name=PLANS[0]),),
        title="Demo",
        places=places.over(NO_PLACES),
        intake=(*read.intake, *places.intake),
    )
    both = add_plan(_with_sizing(project, folder), PLANS[1], start=AS_TODAY)
    return add_decision(both, PLANS[1], project.window.end_s, *NOTE)


def _with_sizing(project: Project, folder: Path) -> Project:
    """With the model and the requests of one endpoint, so that there is something to size."""
    model = served_models.model_named(SERVED_MODEL, resources.read_served_models())
    week, intake = traffic_tables.read_load(str(folder / "traffic.csv"))
    assert isinstance(week, WeekRates)
    sized = set_week(set_served_model(project, SERVED_ENDPOINT, model), SERVED_ENDPOINT, week)
    return replace(sized, intake=(*project.intake, intake))
