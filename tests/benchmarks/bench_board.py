"""The board at scale, timed: a scroll, the keys of a search, filter, groups and selection, and a drop till painted.

Run: python tests/benchmarks/bench_board.py [CARDS [WORKLOADS HOURS]]. Scroll, search and the like are of 10,000 cards
in the real window; drops of 5,000 workloads over 8,760 hours. Times are of the window's own thread (processor time, so
that the workers beside it do not count; wall time in brackets), as median, p99 and slowest, in ms, with the share of a
16 ms frame; beside them a fixed numpy loop on the same machine and the naive way to do the same. Asserts nothing.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from bench_drag import made_project
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from gpuplanner.app.settings import Settings
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.window.application import build, palette_for
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.lanes import Lane

FRAME_MS = 16.0
WORDS = ("v", "vl", "vll", "vllm", "vllm a", "vllm at", "vllm a", "vllm", "n", "ni", "nig", "")


def timed(run: Callable[[int], object], rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Processor time of this thread, and wall time, of single runs in ms; shapes (rounds,)."""
    spent = []
    for number in range(rounds):
        begun = time.thread_time(), time.perf_counter()
        run(number)
        spent.append((time.thread_time() - begun[0], time.perf_counter() - begun[1]))
    made = 1000 * np.array(spent)
    return made[:, 0], made[:, 1]


def say(what: str, times: tuple[np.ndarray, np.ndarray], loop_ms: float) -> None:
    """One line: median, p99, slowest, share of a frame, and how many of the fixed loops fit in its median."""
    own, wall = times
    median, p99, slowest = float(np.median(own)), float(np.quantile(own, 0.99)), float(own.max())
    print(
        f"{what:34} {median:8.2f} {p99:8.2f} {slowest:8.2f}   p99 is {p99 / FRAME_MS:5.2f} of a frame"
        f"   {median / loop_ms:7.2f} x loop   (wall p99 {float(np.quantile(wall, 0.99)):.1f})"
    )


def fixed_loop_ms() -> float:
    """A million square roots, a hundred times over the same array: what this machine is worth today."""
    values = np.linspace(1, 2, 100_000)
    own, _ = timed(lambda _: [np.sqrt(values) for _ in range(10)], 30)
    return float(np.median(own))


def shown_window(project: Project, folder: Path, application: QApplication) -> MainWindow:
    """The real window with a project in it, settled."""
    settings = Settings(QSettings(str(folder / f"{id(project)}.ini"), QSettings.Format.IniFormat))
    palette = palette_for("light")
    apply_palette(application, palette)
    window, _, document = build(settings, project.window.end_s)
    window.resize(1440, 900)
    window.show()
    document.load(project)
    window.choose_scenario(project.scenarios[0].name)
    wait(window, application)
    return window


def wait(window: MainWindow, application: QApplication, quiet_s: float = 0.5) -> None:
    """Until nothing more comes."""
    still = time.monotonic()
    while time.monotonic() - still < quiet_s:
        application.processEvents()
        time.sleep(0.005)
        if not window.session.evaluator.is_settled:
            still = time.monotonic()


def naive_search(window: MainWindow, words: str) -> list[str]:
    """What a proxy model would do at every key: put the words of every card together, and look."""
    wanted = words.split()
    shown = window.board.shown
    assert shown is not None
    return [
        card.key
        for card in sorted(shown.cards, key=lambda card: -(shown.usd.get(card.key) or 0.0))
        if all(
            word in f"{card.key} {card.name} {card.owner} {card.cluster} {card.classification.pool}".lower()
            for word in wanted
        )
    ]


def look(window: MainWindow, loop_ms: float) -> None:
    """Scroll, search, filter, group and select."""
    board = window.board
    lane = max(board.columns, key=lambda one: len(board.columns[one].model.cards))
    view = board.columns[lane].cards
    bar = view.verticalScrollBar()

    def scroll(number: int) -> None:
        bar.setValue(number * 26 if number % 2 else bar.maximum() * number // 200)
        view.viewport().repaint()

    def draw() -> None:
        for column in board.columns.values():
            column.repaint()

    def key(number: int) -> None:
        board.search.setText(WORDS[number % len(WORDS)])
        draw()

    def choose(number: int) -> None:
        board.toggle_filter("cluster", "atlas")
        draw()

    def group(number: int) -> None:
        board.group_by(("cluster", "")[number % 2])
        draw()

    def select(number: int) -> None:
        view.select_keys([card.key for card in view.model().cards] if number % 2 else [])
        board.show_selection()
        draw()

    say(f"scroll, {len(view.model().cards):,} in the column", timed(scroll, 200), loop_ms)
    say("a key of the search", timed(key, 60), loop_ms)
    board.clear_filter()
    say("filter on and off", timed(choose, 40), loop_ms)
    say("group on and off", timed(group, 40), loop_ms)
    say("select a column, and nothing", timed(select, 20), loop_ms)
    say(
        "naive search and sort, unpainted",
        timed(lambda number: naive_search(window, WORDS[number % 12]), 12),
        loop_ms,
    )


def drop(window: MainWindow, application: QApplication, loop_ms: float) -> None:
    """A card moved and everything that shows it painted: the work of the window's own thread, workers beside it."""
    keys = [workload.key for workload in window.session.document.project.workloads]

    def paint() -> None:
        for column in window.board.columns.values():
            column.repaint()
        window.headline.repaint()

    def one(number: int) -> None:
        window.session.gestures.move((keys[number * 37 % len(keys)],), POOLS[number % 3])
        paint()

    def many(number: int) -> None:
        at = number * 50 % (len(keys) - 50)
        window.session.gestures.move(tuple(keys[at : at + 50]), POOLS[number % 3])
        paint()

    for what, run in (("drop of one card till painted", one), ("drop of 50 cards till painted", many)):
        owns, walls = [], []
        for number in range(40):
            own, wall = timed(lambda _, number=number, run=run: run(number), 1)
            owns.append(own[0])
            walls.append(wall[0])
            application.processEvents()
        say(what, (np.array(owns), np.array(walls)), loop_ms)
        wait(window, application)


def main() -> None:
    """Build, time, print."""
    numbers = [int(word) for word in sys.argv[1:4]]
    cards, workloads, hours = (*numbers, *(10_000, 5_000, 8_760)[len(numbers) :])
    application = QApplication.instance() or QApplication([])
    loop_ms = fixed_loop_ms()
    print(f"{'':34} {'median':>8} {'p99':>8} {'slowest':>8}   ms; fixed numpy loop {loop_ms:.2f} ms")
    with TemporaryDirectory() as folder:
        window = shown_window(made_project(cards, 720), Path(folder), application)
        print(f"{cards:,} cards in {len(Lane)} columns")
        look(window, loop_ms)
        window.session.evaluator.close()
        window.hide()
        window = shown_window(made_project(workloads, hours), Path(folder), application)
        print(f"{workloads:,} workloads x {hours:,} h")
        drop(window, application, loop_ms)
        window.session.evaluator.close()


if __name__ == "__main__":
    main()
