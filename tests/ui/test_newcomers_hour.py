"""The main line of a newcomer's hour with a real mouse and keyboard: from files to a workbook, in a small window."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from openpyxl import load_workbook
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QWidget

from gpuplanner.domain.model.project import Project
from gpuplanner.files.project.project_file import open_project
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.words.lanes import Lane
from tests.ui.real_screen import (
    RunningApplication,
    Screen,
    application_on,
    needs_x11,
    wait_for,
    window_of_this_process,
)

SIZE = (1280, 720)
QUESTION = "inference x2 by 2027-03"


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where things stand in a window of that size: found in this process, used by the real mouse; in pixels."""

    card: QPoint
    key: str
    burst: QPoint
    headline: QRect
    question: QPoint


def places_in_window(path: Path, folder: Path) -> Places:
    with window_of_this_process(path, folder, SIZE) as window:
        columns = window.board.columns
        view, target = columns[Lane.INFERENCE].cards, columns[Lane.BURST]
        at = 1  # the dearest one has GPUs of its own model, which cost the same in any pool
        card = view.viewport().mapTo(window, view.visualRect(view.model().index(at)).center())
        key, burst = columns[Lane.INFERENCE].model.cards[at].key, middle_of(target, window)
        headline = QRect(window.headline.mapTo(window, QPoint(0, 0)), window.headline.size())
        window.actions_by_id["what_if"].trigger()
        QApplication.processEvents()
        question = middle_of(window.plans.question_flow.field, window)
        return Places(card=card, key=key, burst=burst, headline=headline, question=question)


def middle_of(widget: QWidget, window: QWidget) -> QPoint:
    return widget.mapTo(window, widget.rect().center())


def in_file_dialog(running: RunningApplication, key: str, title: str, typed: str) -> None:
    """A key opens a file dialog; what is typed there is chosen with Enter."""
    chooser = running.opened_by(key, title, again_after_s=2)
    screen = running.screen
    screen.do("windowfocus", chooser, "sleep", 0.5, "key", "ctrl+a", "type", "--delay", 5, typed)
    screen.do("key", "Return")


def import_files(running: RunningApplication, files: list[Path]) -> None:
    """As a newcomer does: choose all of them at once, and agree to what is shown."""
    in_file_dialog(running, "ctrl+i", "Import files", " ".join(f'"{file}"' for file in files))
    running.screen.do("windowfocus", running.shown("^Import$"))

    def is_taken_in() -> bool:
        running.screen.do("key", "Return", "sleep", 0.5)
        return not running.visible("^Import$")

    wait_for("the files to be taken in", is_taken_in)
    wait_for("a changed project", lambda: running.is_changed)


def settled(running: RunningApplication, place: QRect) -> bytes:
    """What is seen at a place once it stays the same for a second."""
    seen: list[bytes] = []

    def is_still() -> bool:
        seen.append(running.screen.seen(place))
        return len(seen) > 10 and len(set(seen[-10:])) == 1

    wait_for("a window that settles", is_still)
    return seen[-1]


def by_palette(running: RunningApplication, words: str) -> None:
    """A command by its words."""
    running.press("ctrl+k")
    running.screen.do("sleep", 0.5, "type", "--delay", 20, words)
    running.screen.do("sleep", 0.3, "key", "Return")


def there_and_back(running: RunningApplication, place: QRect) -> None:
    """Compare, until its page stands there, and Escape."""
    alone = settled(running, place)
    running.press("ctrl+shift+c")
    wait_for("another page", lambda: running.screen.seen(place) != alone)
    compared = settled(running, place)
    running.press("Escape")
    wait_for("no comparison", lambda: running.screen.seen(place) != compared)


def saved(running: RunningApplication) -> Project:
    running.save()
    return open_project(running.path)


@pytest.mark.long
@needs_x11
def test_from_files_to_a_workbook(
    screen: Screen, qapp: QApplication, demo_path: Path, tmp_path: Path
) -> None:
    path, workbook = tmp_path / "first.gpuplan", tmp_path / "first.xlsx"
    with application_on(screen, path, SIZE, is_there=False) as running:
        inputs = demo_path.parent / "inputs"
        import_files(running, [inputs / name for name in ("jobs.csv", "contracts.csv", "prices.csv")])
        in_file_dialog(running, "ctrl+s", "Save", str(path))
        wait_for("the saved file", path.exists)
        wait_for("a saved project", lambda: not running.is_changed)
        (plan,) = open_project(path).scenarios
        places = places_in_window(path, tmp_path)
        settled(running, places.headline)
        running.press("Escape")  # the tour

        # a card is dragged, and Undo takes it back, on file and to the eye
        before = settled(running, places.headline)
        running.until_changed(lambda: screen.drag(places.card, places.burst))
        assert settled(running, places.headline) != before
        assert saved(running).scenario(plan.name).pools[places.key].value == "burst"
        running.undo_and_save()
        assert places.key not in open_project(path).scenario(plan.name).pools
        assert settled(running, places.headline) == before

        # a question is asked beside the plan, and kept
        running.press("ctrl+shift+i")
        looked = settled(running, places.headline)
        place = places.question
        screen.do(
            "mousemove", place.x(), place.y(), "click", 1, "sleep", 0.3, "type", "--delay", 20, QUESTION
        )
        screen.do("key", "Return")
        wait_for("a question", lambda: running.is_changed)
        assert settled(running, places.headline) != looked
        asked = saved(running).scenarios[1]
        assert asked.scratch_of == plan.name and len(asked.changes) == 1
        by_palette(running, "Keep the question")
        wait_for("a kept question", lambda: running.is_changed)
        kept = saved(running).scenarios[1]
        assert not kept.scratch_of and kept.changes == asked.changes
        untouched = open_project(path).scenario(plan.name)
        assert replace(untouched, decision_numbers={}, order_numbers={}) == plan

        # both side by side, and back to the same picture
        pages = [settled(running, places.headline)]

        def is_as_before() -> bool:
            """Again where what is worked out late came in between, such as how long Burst waits."""
            there_and_back(running, places.headline)
            pages.append(settled(running, places.headline))
            return pages[-1] == pages[-2]

        wait_for("the page before", is_as_before)

        # and to those who sign
        in_file_dialog(running, "ctrl+e", "Export workbook", str(workbook))
        wait_for("the workbook", workbook.exists)
        book = load_workbook(workbook, read_only=True)
        assert {"Decisions", "Orders", "Contracts", "Check list"} <= set(book.sheetnames)
        book.close()
        screen.do("windowfocus", running.shown("^Workbook exported"), "key", "Escape")
