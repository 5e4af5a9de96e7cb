"""Every speed figure in one go, beside what a user would use instead: python3 packaging/dev.py bench

    --only NAME    one job (its names: --help); what is not measured anew stays as it was
    --quick        the smallest sizes, under 2 minutes; prints, writes nothing
    --rows N       the largest log (1,000,000), --long: 30 million rows
    --rounds N     how often each is measured (3)

Each job is a process of its own, in which ours and the other are measured by turns, in processor time: what else the
machine does matters little. Asserts nothing of time. Writes docs/benchmarks.md after each job, and what it measured to
.benchmarks.json, so that a run that is stopped leaves what it has, and --only measures one job anew.
"""

import argparse
import json
import math
import os
import pickle
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.benchmarks.fixed_loop import LOOP_MS

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "benchmarks.md"
STORE: Final = ROOT / ".benchmarks.json"
ROWS, LONG_ROWS, ROUNDS, SECOND_MS = 1_000_000, 30_000_000, 3, 1000.0


@dataclass(frozen=True)
class Sample:
    """Ours and the other in ms of processor time; most memory of each in MB, where it was measured."""

    ours_ms: float
    other_ms: float
    ours_mb: float = math.nan
    other_mb: float = math.nan


Found = Iterator[tuple[str, Sample]]
"""What was measured, by name: a job may measure several things."""

OF: Final[Mapping[str, Callable[[Sample], float]]] = {
    "ms": lambda one: one.ours_ms,
    "of it": lambda one: one.ours_ms / one.other_ms,
    "times as fast": lambda one: one.other_ms / one.ours_ms,
    "MB": lambda one: one.ours_mb,
    "of its memory": lambda one: one.ours_mb / one.other_mb,
}
"""What a bar is of."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A row of the table of bars. A bar of `times as fast` is a least, any other a most; None: only measured."""

    job: str
    name: str
    what: str
    other: str
    of: str
    limit: float | None
    reason: str = ""

    def is_kept(self, value: float) -> bool:
        """Whether what was measured is within the bar."""
        return self.limit is None or (
            value >= self.limit if self.of == "times as fast" else value <= self.limit
        )


# --- Jobs: each runs in a process of its own, and imports what it measures ----------------------


def drag(rounds: int, workloads: int, hours: int) -> Found:
    """A card moved and the figures told."""
    from tests.benchmarks.bench_drag import made_project, median_ms, works

    move, groupby, _ = works(made_project(workloads, hours))
    for number in range(rounds):  # no card is moved twice: an edit that changes nothing takes no time
        yield "drag", Sample(median_ms(lambda n, k=number: move(n + 31 * k), 30), median_ms(groupby, 2))  # type: ignore[misc]


def advice(rounds: int, workloads: int, hours: int, growth_percent: int) -> Found:
    """Advice after a drag, and the first."""
    from tests.benchmarks.bench_advice import drag_ms
    from tests.benchmarks.fixed_loop import loop_ms

    for _ in range(rounds):
        fixed_ms = loop_ms()
        first_ms, later_ms, outlook_ms = drag_ms(hours, workloads, growth_percent / 100)
        for name, taken_ms in (("advice", later_ms), ("first advice", first_ms), ("outlook", outlook_ms)):
            yield name, Sample(taken_ms, fixed_ms)


def recursion(rounds: int) -> Found:
    """The policy recursion beside the fixed loop, and beside linear programs."""
    from tests.benchmarks.bench_advice import program_ms, recursion_ms
    from tests.benchmarks.fixed_loop import loop_ms

    for _ in range(rounds):
        yield "recursion", Sample(recursion_ms(), loop_ms())
        yield "programs", Sample(*program_ms(64))


def repaint(rounds: int, workloads: int, hours: int, drops: int) -> Found:
    """A drop to its repaint in the window, by the benchmark of the window."""
    for _ in range(rounds):
        command = [
            sys.executable,
            str(ROOT / "tests/benchmarks/bench_window.py"),
            "--only",
            "sight",
            *f"--workloads {workloads} --hours {hours} --drops {drops}".split(),
        ]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        p99, loop = (re.search(words, said) for words in (r"p99 ([\d.]+) ms", r"numpy loop ([\d.]+) ms"))
        assert p99 is not None and loop is not None, said
        yield "repaint", Sample(float(p99[1]), float(loop[1]))


def log(rounds: int, rows: int) -> Found:
    """A log read: cube and whole import beside one scan of the same file, and beside pandas."""
    from tests.benchmarks.bench_import import measured, write_log

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write_log(folder, rows)
        (folder / "rows").write_text(str(rows))
        csv, parquet = folder / "log.csv", folder / "log.parquet"
        for _ in range(rounds):
            scan = measured("scan", csv)
            took = {
                name: measured(work, path)
                for name, work, path in (
                    ("cube", "cube", csv),
                    ("import", "whole", csv),
                    ("import parquet", "whole", parquet),
                    ("pandas", "pandas", csv),
                )
            }
            again = measured("scan", csv)
            scan_ms = SECOND_MS * (scan["cpu_seconds"] + again["cpu_seconds"]) / 2
            ms = {name: SECOND_MS * one["cpu_seconds"] for name, one in took.items()}
            of_pandas = rows / took["pandas"]["rows"]  # of a long log it reads the first 2 million rows
            for name in ("cube", "import"):
                yield name, Sample(ms[name], scan_ms, took[name]["peak_mb"], scan["peak_mb"])
            yield "import parquet", Sample(ms["import parquet"], ms["import"])
            of_rows = took["import"]["peak_mb"], took["pandas"]["peak_mb"]
            yield "import, pandas", Sample(ms["import"], ms["pandas"] * of_pandas, *of_rows)


def workbook(rounds: int, workloads: int, hours: int) -> Found:
    """The workbook written, and its cells by openpyxl."""
    from tests.benchmarks.bench_workbook import MB, both, made_evaluation

    evaluation = made_evaluation(workloads, hours)
    for _ in range(rounds):
        ours, other, *_ = both(evaluation)
        yield "workbook", Sample(SECOND_MS * ours[1], SECOND_MS * other[1], ours[2] / MB, other[2] / MB)


def project(rounds: int, workloads: int, hours: int) -> Found:
    """A project saved and opened beside the pickle of the same value, packed as well."""
    import zlib

    from gpuplanner.files.project.project_file import open_project, save_project
    from tests.benchmarks.bench_drag import made_project, median_ms

    made = made_project(workloads, hours)
    with tempfile.TemporaryDirectory() as folder:
        path, packed = Path(folder) / "a.gpuplan", Path(folder) / "a.pickle"
        for _ in range(rounds):
            pickled_ms = median_ms(lambda _: packed.write_bytes(zlib.compress(pickle.dumps(made), 1)), 1)
            yield "save", Sample(median_ms(lambda _: save_project(made, path), 1), pickled_ms)
            loaded_ms = median_ms(lambda _: pickle.loads(zlib.decompress(packed.read_bytes())), 1)
            yield "open", Sample(median_ms(lambda _: open_project(path), 1), loaded_ms)


FIRST_PAINT: Final = """
import os, sys, time
if sys.argv[-1] == "ours":
    import gpuplanner.ui
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget
class First(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), Qt.EventPriority.HighEventPriority.value)
        return False
    def event(self, event):
        print(time.process_time(), flush=True)
        os._exit(0)
first, loop = First(), QApplication.exec
def begin(*_):
    for one in QApplication.topLevelWidgets():
        one.installEventFilter(first)
    return loop()
QApplication.exec = begin
if sys.argv.pop() == "empty":
    application, window = QApplication([]), QWidget()
    window.resize(1440, 900)
    window.show()
    begin()
from gpuplanner.__main__ import main
main()
"""


def start(rounds: int) -> Found:
    """Process start to the first paint of the welcome page, and of an empty window."""

    def once(which: str) -> float:
        names = ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "PYTHONPYCACHEPREFIX")
        environment = {**os.environ, **dict.fromkeys(names, folder), "PYTHONDONTWRITEBYTECODE": ""}
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        command = [sys.executable, "-c", FIRST_PAINT, which]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return SECOND_MS * float(done.stdout.split()[-1])

    with tempfile.TemporaryDirectory() as folder:
        for which in ("ours", "empty"):  # what is compiled at the first start is no part of it
            once(which)
        for _ in range(rounds):
            yield "start", Sample(once("ours"), once("empty"))


def audit(rounds: int, workloads: int, hours: int) -> Found:
    """The audit beside a loop over clusters and hours."""
    from gpuplanner.domain.audit import audit as room
    from gpuplanner.domain.demand.classification import classify
    from gpuplanner.files.system.resources import read_tables
    from tests.benchmarks.bench_audit import made_project, median_ms, reference, with_teams

    made = with_teams(made_project(workloads, hours))
    classified = classify(made.workloads, made.cube, made.labels, read_tables())
    for _ in range(rounds):
        ours = median_ms(lambda: room.audit(made, classified))
        yield "audit", Sample(ours[1], median_ms(lambda: reference(made))[1])


def frontier(rounds: int) -> Found:
    """The sizes of the demo, once its log is replayed on today and on the plan."""
    from tests.benchmarks.bench_queue import frontier_ms
    from tests.benchmarks.fixed_loop import loop_ms

    with tempfile.TemporaryDirectory() as folder:
        once = frontier_ms(Path(folder))
        for _ in range(rounds):
            yield "frontier", Sample(once(), loop_ms())


def queue(rounds: int, jobs: int) -> Found:
    """A log imported and replayed on today and on the plan, in a process of its own."""
    from tests.benchmarks.bench_queue import write_queue
    from tests.benchmarks.fixed_loop import loop_ms

    def once() -> Sample:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        command = [sys.executable, str(ROOT / "tests/benchmarks/bench_queue.py"), folder, "--sizes", "0"]
        said = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
        found = json.loads(said)
        return Sample(found["ms"], loop_ms(), found["mb"])

    for name in ("queue", "plain queue"):
        with tempfile.TemporaryDirectory() as folder:
            write_queue(Path(folder), 100)
            once()  # what is compiled at the first start is no part of it
            write_queue(Path(folder), jobs, is_plain=name != "queue")
            for _ in range(rounds):
                yield name, once()


JOBS: Final[Mapping[str, Callable[..., Found]]] = {
    "recursion": recursion,
    "advice": advice,
    "advice over a year": advice,
    "audit": audit,
    "project": project,
    "start": start,
    "log": log,
    "drag": drag,
    "repaint": repaint,
    "workbook": workbook,
    "frontier": frontier,
    "queue": queue,
    "a long queue": queue,
}
"""The quick ones first."""
SIZES: Final[Mapping[str, tuple[int, ...]]] = {
    "start": (),
    "drag": (20_000, 8760),
    "repaint": (5000, 8760, 60),
    "advice": (5000, 2160, 0),
    "advice over a year": (600, 8760, 1),
    "recursion": (),
    "audit": (5000, 8760),
    "project": (5000, 8760),
    "log": (ROWS,),
    "workbook": (50_000, 2160),
    "frontier": (),
    "queue": (100_000,),
    "a long queue": (ROWS,),
}
"""Of each job as its bar has it; hours after workloads. The log's is the option's."""
QUICK: Final[Mapping[str, tuple[int, ...]]] = {
    **SIZES,
    "drag": (500, 730),
    "repaint": (200, 730, 5),
    "advice": (100, 730, 0),
    "advice over a year": (100, 730, 1),
    "audit": (200, 730),
    "project": (200, 730),
    "log": (10_000,),
    "workbook": (200, 730),
    "queue": (2000,),
    "a long queue": (5000,),
}
LOOP = "a fixed numpy loop"
"""What the bars in ms beside it were set by, and what it took at most where they were."""
BARS: Final = (
    Bar(
        job="start",
        name="start",
        what="start to the first paint of the welcome page",
        other="an empty Qt window",
        of="of it",
        limit=3.5,
    ),
    Bar(
        job="drag",
        name="drag",
        what="a card moved: move and figures",
        other="pandas groupby",
        of="ms",
        limit=8.0,
    ),
    Bar(
        job="drag",
        name="drag",
        what="a card moved: move and figures",
        other="pandas groupby",
        of="times as fast",
        limit=100.0,
    ),
    Bar(
        job="repaint",
        name="repaint",
        what="a drop to its repaint, p99, card in sight",
        other=LOOP,
        of="ms",
        limit=16.0,
        reason="many small parts in Python, half of them painting (decision 13)",
    ),
    Bar(
        job="advice",
        name="advice",
        what="advice after a drag, growth 0",
        other=LOOP,
        of="ms",
        limit=100.0,
        reason="a sixth is the recursion, another the list of orders, the rest many small parts",
    ),
    Bar(
        job="advice over a year",
        name="advice",
        what="advice after a drag, growth 1% a month",
        other=LOOP,
        of="ms",
        limit=300.0,
        reason="sorting a year of hours by slice, `busy_shares`",
    ),
    Bar(
        job="recursion",
        name="recursion",
        what="the recursion, 512 slices x 60 months x 21 levels x 6 terms",
        other=LOOP,
        of="ms",
        limit=40.0,
    ),
    Bar(
        job="recursion",
        name="programs",
        what="the recursion without volatility, 64 slices",
        other="HiGHS",
        of="times as fast",
        limit=100.0,
        reason="a numpy call per month and term, and seven per month; a compiled kernel reaches 250 (decision 2)",
    ),
    Bar(
        job="audit",
        name="audit",
        what="the audit",
        other="a loop over clusters and hours",
        of="of it",
        limit=None,
    ),
    Bar(job="project", name="open", what="a project opened", other="pickle and zlib", of="ms", limit=1000.0),
    Bar(job="project", name="save", what="a project saved", other="pickle and zlib", of="ms", limit=1000.0),
    Bar(
        job="log",
        name="cube",
        what="a CSV log to the cube, repeats dropped",
        other="a DuckDB scan",
        of="of it",
        limit=3.5,
        reason="some 0.7 s do not grow with rows, and the bar is of 10,000,000",
    ),
    Bar(
        job="log",
        name="import",
        what="the whole import of a CSV log",
        other="a DuckDB scan",
        of="of it",
        limit=8.0,
        reason="some 1.3 s do not grow with rows, and the bar is of 10,000,000",
    ),
    Bar(
        job="log",
        name="import",
        what="the whole import of a CSV log",
        other="a DuckDB scan",
        of="MB",
        limit=1500.0,
    ),
    Bar(
        job="log",
        name="import parquet",
        what="the same log as Parquet",
        other="the import of the CSV",
        of="of it",
        limit=1.0,
    ),
    Bar(
        job="log",
        name="import, pandas",
        what="the whole import of a CSV log",
        other="pandas, the demand alone",
        of="of it",
        limit=None,
    ),
    Bar(
        job="workbook",
        name="workbook",
        what="the workbook",
        other="openpyxl, the same cells",
        of="of it",
        limit=0.75,
        reason="90 styled cells per workload, one in five a formula with its value; the other writes plain cells",
    ),
    Bar(
        job="workbook",
        name="workbook",
        what="the workbook",
        other="openpyxl, the same cells",
        of="of its memory",
        limit=0.3,
        reason="while the plan's demand is summed, a copy of the log's hours is held",
    ),
    Bar(
        job="frontier",
        name="frontier",
        what="waits on 12 sizes of each pool and model of the demo",
        other=LOOP,
        of="ms",
        limit=3000.0,
    ),
    Bar(
        job="queue",
        name="queue",
        what="a log imported and replayed, a third of the jobs waits",
        other=LOOP,
        of="ms",
        limit=2000.0,
        reason="1.1 s do not grow with jobs, 0.6 s are reading them, 1.1 s are two replays (decision 2)",
    ),
    Bar(
        job="queue",
        name="plain queue",
        what="a log of M/M/c imported and replayed",
        other=LOOP,
        of="ms",
        limit=2000.0,
    ),
    Bar(
        job="a long queue",
        name="queue",
        what="a long log imported and replayed",
        other=LOOP,
        of="ms",
        limit=60_000.0,
    ),
    Bar(
        job="a long queue",
        name="queue",
        what="a long log imported and replayed",
        other=LOOP,
        of="MB",
        limit=1500.0,
    ),
)
WORKLOADS, MONTHS = (100, 1000, 5000, 20_000, 50_000), (1, 3, 6, 12, 24)
GROWTH: Final[Mapping[str, tuple[str, Sequence[tuple[int, ...]]]]] = {
    "rows": ("log", [*((10**power,) for power in range(4, 8)), (LONG_ROWS,)]),
    "workloads, a card moved": ("drag", [(count, 730) for count in WORKLOADS]),
    "workloads, a project": ("project", [(count, 730) for count in WORKLOADS]),
    "workloads, the workbook": ("workbook", [(count, 730) for count in WORKLOADS[:-1]]),
    "months, a card moved": ("drag", [(1000, 730 * count) for count in MONTHS]),
    "months, advice": ("advice", [(600, 730 * count, 1) for count in MONTHS]),
}
"""How cost grows with what: the job and its sizes."""

# --- The table ----------------------------------------------------------------------------------

Measured = Mapping[tuple[str, tuple[int, ...]], Mapping[str, Sequence[Sample]] | str]
"""By job and size: samples by name, or why there are none."""


def stored() -> dict[tuple[str, tuple[int, ...]], Mapping[str, Sequence[Sample]] | str]:
    """What runs before measured."""
    lines = json.loads(STORE.read_text(encoding="utf-8")) if STORE.exists() else []
    return {
        (job, tuple(size)): found
        if isinstance(found, str)
        else {name: [Sample(*numbers) for numbers in samples] for name, samples in found.items()}
        for job, size, found in lines
    }


def store(measured: Measured) -> None:
    """Keep it for the next run; what was kept stays whole where this one is killed."""
    from gpuplanner.files.system.output_file import write_output

    lines = [
        (
            job,
            size,
            found
            if isinstance(found, str)
            else {name: [[*vars(one).values()] for one in samples] for name, samples in found.items()},
        )
        for (job, size), found in measured.items()
    ]
    write_output(STORE, json.dumps(lines).encode())


def spread(values: Sequence[float], places: int = 2) -> str:
    """The median, with the smallest and the largest."""
    if math.isnan(sum(values)):  # the other's memory was not measured
        return "-"
    numbers = (statistics.median(values), min(values), max(values))
    middle, least, most = (f"{value:,.{places}f}" for value in numbers)
    return f"{middle} ({least} to {most})"


def bar_line(bar: Bar, size: tuple[int, ...], found: Mapping[str, Sequence[Sample]] | str | None) -> str:
    """One bar: what, how large, ours, beside what, ratio with its spread, bar, kept or why not."""
    of_bar = size if bar.job == "log" and size >= SIZES["log"] else SIZES[bar.job]
    sign = "at least" if bar.of == "times as fast" else "at most"
    limit = (
        "none"
        if bar.limit is None
        else f"{sign} {bar.limit:,g} {'times the other' if bar.of == 'of it' else bar.of}"
    )
    begin = f"| {bar.what} | {' x '.join(f'{one:,}' for one in size) or '-'} |"
    if found is None or isinstance(found, str):
        return f"{begin} | {bar.other} | | {limit} | {found or 'not measured in this run'} |"
    samples = found[bar.name]
    ours = statistics.median(one.ours_ms for one in samples)
    at_the_bar = bar.of == "ms" and bar.other == LOOP
    values = [OF["of it"](one) * LOOP_MS if at_the_bar else OF[bar.of](one) for one in samples]
    value = statistics.median(values)
    beside = {"ms": "of it", "MB": "of its memory"}.get(bar.of, bar.of)
    ratio = spread([OF[beside](one) for one in samples])
    shown = f"{value:,.0f} MB" if bar.of == "MB" else f"{ours:,.1f} ms"
    shown += f", there {value:,.1f} ms" if at_the_bar else ""
    if bar.limit is None:
        word = ""
    elif size != of_bar:
        word = "another size than the bar's"
    elif bar.is_kept(value):
        word = "kept"
    elif any(map(bar.is_kept, values)):
        word = "at the bar: its best round kept it"
    else:
        word = f"over: {bar.reason or 'reason not known'}"
    return f"{begin} {shown} | {bar.other} | {ratio} | {limit} | {word} |"


def growth_lines(title: str, job: str, sizes: Sequence[tuple[int, ...]], measured: Measured) -> list[str]:
    """How one cost grows: ours and the other by size, and what ten times as much takes."""
    columns = ("benchmark", "size", "ours, ms", "other, ms", "ratio", "MB", "grows as")
    lines = [f"\n### By {title}\n", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    before: dict[str, tuple[int, float]] = {}
    place = 1 if title.startswith("months") else 0
    for size in sizes:
        found = measured.get((job, size))
        for name, samples in found.items() if isinstance(found, Mapping) else ():
            ours, other, mb = (
                statistics.median(values)
                for values in zip(*((one.ours_ms, one.other_ms, one.ours_mb) for one in samples), strict=True)
            )
            power = "-"
            if name in before:
                last, last_ms = before[name]
                power = f"n^{math.log(ours / last_ms) / math.log(size[place] / last):.2f}"
            before[name] = (size[place], ours)
            ratio = spread([OF["of it"](one) for one in samples])
            memory = "-" if math.isnan(mb) else f"{mb:,.0f}"
            lines.append(
                f"| {name} | {size[place]:,} | {ours:,.1f} | {other:,.1f} | {ratio} | {memory} | {power} |"
            )
    return lines


def page(measured: Measured, sizes: Mapping[str, tuple[int, ...]], said: str) -> str:
    """The page of docs: bars, then growth."""
    lines = [
        "# Benchmarks\n",
        "`python3 packaging/dev.py bench` writes this page. Quality of the advice: [measurements](measurements.md).\n",
        said,
        "Times are processor times. A ratio is ours over the other, or the reverse for `times as fast`. Each is the",
        "median of alternating rounds, with smallest and largest in parentheses. Sizes: workloads x hours (x drops, or",
        "growth in percent per month), or rows. Limits in ms next to a fixed numpy loop apply to a machine on which",
        f"the loop takes {LOOP_MS} ms. *There* is our time on such a machine.\n",
        "## Limits\n",
        "| benchmark | size | ours | compared with | ratio | limit | result |",
        "|---|---|---|---|---|---|---|",
        *(bar_line(bar, sizes[bar.job], measured.get((bar.job, sizes[bar.job]))) for bar in BARS),
        "\n## How cost grows\n",
        "*Grows as*: the power of the size, from the row before with the same name.",
    ]
    for title, (job, of_job) in GROWTH.items():
        if any((job, size) in measured for size in of_job):
            lines += growth_lines(title, job, of_job, measured)
    return "\n".join(lines) + "\n"


def measure(job: str, size: tuple[int, ...], rounds: int) -> Mapping[str, Sequence[Sample]] | str:
    """One job in a process of its own; where it fails, the last line of what it said."""
    words = [sys.executable, "-m", "tests.benchmarks.every", "--do", job, *map(str, (rounds, *size))]
    begun = time.monotonic()
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests/benchmarks'}"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    print(
        f"{job} {' x '.join(map(str, size))}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True
    )
    if done.returncode:
        return f"failed: {(done.stderr.strip().splitlines() or ['silently'])[-1]}"
    found: dict[str, list[Sample]] = {}
    for name, *numbers in json.loads(done.stdout.splitlines()[-1]):
        found.setdefault(name, []).append(Sample(*numbers))
    return found


def main() -> int:
    """Measure, print, write; 1 where a job failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=JOBS)
    for option in ("--quick", "--long"):
        parser.add_argument(option, action="store_true")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--do", nargs="+", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.do:
        job, *numbers = asked.do
        print(json.dumps([(name, *vars(one).values()) for name, one in JOBS[job](*map(int, numbers))]))
        return 0
    rows = asked.rows or (LONG_ROWS if asked.long else ROWS)
    rounds = asked.rounds or (1 if asked.quick else ROUNDS)
    sizes = dict(QUICK) if asked.quick else {**SIZES, "log": (rows,)}
    wanted = [(job, sizes[job]) for job in JOBS if asked.only in (None, job)]
    if not asked.quick:
        grown = [
            (job, size)
            for job, of_job in GROWTH.values()
            for size in of_job
            if job != "log" or size[0] <= rows
        ]
        wanted += [one for one in grown if one not in wanted and asked.only in (None, one[0])]
    wanted.sort(key=lambda one: one[1] if one[0] == "workbook" else ())  # the longest last, by size
    load = f", load {os.getloadavg()[0]:.1f} when it began" if hasattr(os, "getloadavg") else ""
    machine = f"{os.cpu_count()} cores{load}, Python {platform.python_version()}"
    said = f"{rounds} rounds, {time.strftime('%d %B %Y')}, {machine}."
    measured = {} if asked.quick else stored()
    for job, size in wanted:
        measured[job, size] = measure(job, size, rounds)
        if not asked.quick:
            store(measured)
            PAGE.write_text(page(measured, sizes, said), encoding="utf-8")
    print(page(measured, sizes, said))
    return 1 if any(isinstance(measured[one], str) for one in wanted) else 0


if __name__ == "__main__":
    sys.exit(main())
