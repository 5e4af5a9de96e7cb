"""How long the window keeps its event loop: a drop to its repaint, and the longest stop while other work goes on.

Run: python tests/benchmarks/bench_window.py [--workloads 5000] [--hours 8760] [--rows 1000000] [--drops 200]
     [--only theme away sight storm saving export import]
The window is drawn in memory. A drop: the edit, the figures and the repaint, on the window's thread, until the cards
of the columns are painted; what the loop does after that (panels, advice) is told beside it, by its longest turn. Once
for cards that are out of sight, once for cards that were scrolled to and selected, as under a mouse. A stop: the time
between two ticks of a timer while the log is imported through the dialog, evaluated, saved, exported, and while edits
come one after the other. Beside each the processor time of the window's thread alone, and that of all our threads: a
stop in which we did nothing was another program's. Beside a drop a fixed numpy loop. Asserts nothing of time.

Each drop waits until all that it began is told, some four seconds: 60 of them, twice, are eight minutes. --only
measures some parts: drops away from what is seen, drops in sight, and the stops.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSettings, Qt, QTimer
from PySide6.QtWidgets import QApplication

from gpuplanner.app.settings import Settings
from gpuplanner.app.tidying import Tidying
from gpuplanner.domain import edits
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.ui.flows.exports.export_flow import ExportFlow
from gpuplanner.ui.importing.import_dialog import ImportDialog
from gpuplanner.ui.kit.palettes import DARK, LIGHT
from gpuplanner.ui.kit.small_dialogs import Question
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.window.application import build
from gpuplanner.ui.window.load_soon import WANTED, LoadSoon
from tests.benchmarks.bench_drag import made_project
from tests.benchmarks.bench_import import write_log
from tests.benchmarks.fixed_loop import loop_ms

TICK_MS: Final = 5
FRAME_MS: Final = 16.0
STOP_MS: Final = 100.0
STORM: Final = 300
REST_S: Final = 0.15
"""How long the panels' turns take once everything is worked out, and more."""
SHOWN_S: Final = 0.03
"""How long a card that was scrolled to and selected takes to be painted, and more."""
PARTS: Final = ("theme", "away", "sight", "storm", "saving", "export", "import")


class Probe:
    """Ticks in the window's event loop, and keeps the longest time between two ticks: by the clock, of work, of all."""

    def __init__(self) -> None:
        self._timer = QTimer()
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._last = (0.0, 0.0, 0.0)
        self._longest_ms = (0.0, 0.0, 0.0)

    def _tick(self) -> None:
        now = _clocks()
        spent_ms = (1000 * (after - before) for after, before in zip(now, self._last, strict=True))
        longest = [max(pair) for pair in zip(self._longest_ms, spent_ms, strict=True)]
        self._longest_ms = (longest[0], longest[1], longest[2])
        self._last = now

    @contextmanager
    def watching(self, what: str) -> Iterator[None]:
        """Print the longest stop while the block runs the event loop."""
        begun = time.perf_counter()
        self.begin()
        yield
        stop_ms, work_ms, ours_ms = self.end()
        print(
            f"{what:44s}{time.perf_counter() - begun:8.1f} s   longest stop {stop_ms:7.1f} ms, of work "
            f"{work_ms:7.1f} ms, of all our threads {ours_ms:7.1f} ms; {work_ms / STOP_MS:5.2f} of {STOP_MS:.0f} ms",
            flush=True,
        )

    def begin(self) -> None:
        """Watch from now on."""
        self._longest_ms, self._last = (0.0, 0.0, 0.0), _clocks()
        self._timer.start()

    def end(self) -> tuple[float, float, float]:
        """The longest time between two ticks since it began: by the clock, of work of this thread, of all."""
        self._tick()
        self._timer.stop()
        return self._longest_ms


def _clocks() -> tuple[float, float, float]:
    """Seconds by the clock, of this thread's work, and of all our threads' work."""
    return time.perf_counter(), time.thread_time(), time.process_time()


def run_until(application: QApplication, is_done: Callable[[], bool], limit_s: float = 900.0) -> None:
    """Run the event loop until something is so."""
    end = time.perf_counter() + limit_s
    while not is_done():
        application.processEvents()
        time.sleep(0.0005)
        if time.perf_counter() > end:
            raise TimeoutError


class Painted(QObject):
    """Keeps this thread's time after each repaint with cards in it.

    The event that says so is asked for beside the repaint, at its priority, and so comes next. One that is asked for
    while a repaint is under way comes a turn later, after timers that are due by then: it tells of repaints that
    nobody foresaw.
    """

    _DONE: Final = QEvent.Type(QEvent.registerEventType())

    def __init__(self) -> None:
        super().__init__()
        self.times_s: list[float] = []
        self._is_under_way = False

    def ask(self, priority: Qt.EventPriority = Qt.EventPriority.LowEventPriority) -> None:
        """Note the time once the repaint that was asked for last is over."""
        QCoreApplication.postEvent(self, QEvent(self._DONE), priority.value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._is_under_way = True
            self.ask(Qt.EventPriority.HighEventPriority)
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() != self._DONE:
            return super().event(event)
        if self._is_under_way:
            self._is_under_way = False
            self.times_s.append(time.thread_time())
        return True


def drop_cards(
    window: Any, application: QApplication, document: Any, drops: int, *, is_in_sight: bool
) -> None:
    """Drop one card after the other; print the median and the slowest of a hundred, from drop to painted columns.

    is_in_sight: each was scrolled to and selected before.
    """
    count = len(document.project.workloads)
    painted, probe = Painted(), Probe()
    for column in window.board.columns.values():
        column.cards.viewport().installEventFilter(painted)
    spent_ms, after_ms = [], []
    at_rest(window, application)
    for number in range(drops):
        card = window.session.evaluation.figures.cards[number * 37 % count]
        key, pool = card.key, POOLS[(POOLS.index(card.pool) + 1 + number % 2) % 3]
        if is_in_sight:
            window.show_workload(key)
            run_for(application, SHOWN_S)
        painted.times_s.clear()
        begun = time.thread_time()
        window.board.workloads_moved.emit((key,), pool)  # as a column does when a card is let go
        painted.ask()
        run_until(application, lambda: bool(painted.times_s))
        spent_ms.append(1000 * (painted.times_s[0] - begun))
        probe.begin()
        at_rest(window, application)
        after_ms.append(probe.end()[:2])
    median, p99 = np.percentile(spent_ms, (50, 99))
    stops, works = zip(*after_ms, strict=True)
    fixed_ms = loop_ms()
    print(
        f"drop to repaint, {drops} cards {'selected and in sight' if is_in_sight else 'out of sight'}: median "
        f"{median:.1f} ms, p99 {p99:.1f} ms of work, {p99 / FRAME_MS:.2f} of a frame of {FRAME_MS:.0f} ms, "
        f"{sum(spent > FRAME_MS for spent in spent_ms)} of them longer, the longest {max(spent_ms):.1f} ms; a fixed "
        f"numpy loop {fixed_ms:.1f} ms, p99 is {p99 / fixed_ms:.2f} of it; longest turn after it: median "
        f"{np.median(works):.1f} ms, p99 {np.percentile(works, 99):.1f} ms of work, {np.percentile(stops, 99):.1f} ms "
        "by the clock",
        flush=True,
    )


def at_rest(window: Any, application: QApplication) -> None:
    """Run the event loop until nothing more is worked out, told or painted."""
    run_until(application, lambda: window.session.evaluator.is_settled)
    run_for(application, REST_S)


def run_for(application: QApplication, seconds: float) -> None:
    """Run the event loop for so long."""
    end = time.perf_counter() + seconds
    run_until(application, lambda: time.perf_counter() > end)


def answer_dialogs(application: QApplication) -> QTimer:
    """Take the import once it is read, and close what is told at the end of an export."""
    timer = QTimer()

    def answer() -> None:
        for widget in application.topLevelWidgets():
            if isinstance(widget, ImportDialog) and widget.isVisible() and widget.reading.answer is not None:
                widget.foot.next.click()
            elif isinstance(widget, Question) and widget.isVisible():
                widget.reject()

    timer.timeout.connect(answer)
    timer.start(50)
    return timer


def storm(window: Any, application: QApplication, document: Any, keys: list[str]) -> None:
    """Edits and undos one after the other, one an event."""
    with Probe().watching(f"a storm of {STORM} edits and undos, one an event"):
        for number in range(STORM):
            if number % 5 == 4:
                document.undo_stack.undo()
            elif number % 7 == 6:
                window.session.gestures.edit("Churn", lambda now: edits.plans.set_assumption(
                    now, window.session.scenario, "lambda", 0.01 + 0.001 * (number % 9)))  # fmt: skip  # noqa: B023
            else:
                window.session.gestures.move((keys[number * 41 % len(keys)],), POOLS[number % 3])
            application.processEvents()
        run_until(application, lambda: window.session.evaluator.is_settled)


def save(window: Any, application: QApplication, document: Any, flow: Any, folder: Path) -> None:
    """One edit, and the project is saved."""
    project = document.project
    with Probe().watching("saving"):
        document.mark_saved(project, folder / "year.gpuplan")
        window.session.gestures.move((project.workloads[0].key,), POOLS[1])
        flow.save()
        run_until(application, lambda: (folder / "year.gpuplan").exists() and not document.is_modified)


def import_log(
    window: Any, application: QApplication, document: Any, flow: Any, folder: Path, rows: int
) -> None:
    """A log is written, then read through the dialog, taken and evaluated."""
    log = folder / "log"
    log.mkdir()
    write_log(log, rows)
    at_rest(
        window, application
    )  # what waited for the loop while the log was written is no stop of the import
    document.mark_saved(document.project, folder / "year.gpuplan")
    with Probe().watching(f"importing {rows:,} rows through the dialog"):
        before = document.project.jobs
        QTimer.singleShot(0, lambda: flow.take_files([str(log / "log.csv")]))
        run_until(
            application, lambda: document.project.jobs is not before and window.session.evaluator.is_settled
        )


def change_theme(window: Any, application: QApplication, times: int = 20) -> None:
    """Dark and light in turn, the duration panel in front: the longest turn of the loop, and what each took."""
    window.docks.raise_panel("duration")
    at_rest(window, application)
    took = []
    with Probe().watching(f"changing the theme {times} times"):
        for palette in (DARK, LIGHT) * (times // 2):
            begun = time.thread_time()
            apply_palette(application, palette)
            for _ in range(2):  # painting has a turn of its own
                application.processEvents()
            took.append(1000 * (time.thread_time() - begun))
            at_rest(window, application)
    print(
        f"of work until it is painted: median {np.median(took):.1f} ms, most {max(took):.1f} ms", flush=True
    )


def main() -> None:
    """Build the window, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("workloads", 5000), ("hours", 8760), ("rows", 1_000_000), ("drops", 200)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    asked = parser.parse_args()
    application = QApplication(sys.argv[:1])
    apply_palette(application, LIGHT)
    probe = Probe()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        os.environ["XDG_DATA_HOME"] = os.environ["XDG_STATE_HOME"] = str(folder)
        settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
        window, flow, document = build(settings, 1_790_000_000)
        Tidying(window.session.evaluator, window)
        window.resize(1440, 900)
        LoadSoon(window)
        window.show()
        run_until(application, lambda: set(WANTED) <= set(sys.modules))
        project = made_project(asked.workloads, asked.hours)
        print(f"{asked.workloads:,} workloads x {asked.hours:,} h, {len(project.cube.hour):,} filled hours")
        with probe.watching("first look, advice and outlook"):
            document.load(project)
            evaluator = window.session.evaluator
            run_until(application, lambda: evaluator.evaluation is not None and evaluator.is_settled)
        window.choose_scenario(project.scenarios[0].name)
        run_until(application, lambda: window.session.evaluator.is_settled)
        if "theme" in asked.only:
            change_theme(window, application)
        for part, is_in_sight in (("away", False), ("sight", True)):
            if part in asked.only:
                drop_cards(window, application, document, asked.drops, is_in_sight=is_in_sight)
        if "storm" in asked.only:
            storm(window, application, document, [workload.key for workload in project.workloads])
        if "saving" in asked.only:
            save(window, application, document, flow, folder)
        timer = answer_dialogs(application)
        if "export" in asked.only:
            with probe.watching("exporting the workbook"):
                window.findChild(ExportFlow).export_to(folder / "plan.xlsx")
                run_until(application, lambda: (folder / "plan.xlsx").exists())
        if "import" in asked.only:
            import_log(window, application, document, flow, folder, asked.rows)
        timer.stop()
        flow.leave_quietly()


if __name__ == "__main__":
    main()
