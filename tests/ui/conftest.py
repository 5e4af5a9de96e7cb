"""A main window on the sample world, for the tests of the views; a real screen and the demo for those of the mouse."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
from PySide6.QtCore import QModelIndex, QSettings
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from gpuplanner.app.document import Document
from gpuplanner.app.settings import Settings
from gpuplanner.files.project.project_file import save_project
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.flows.project_flow import ProjectFlow, new_project
from gpuplanner.ui.kit.palettes import LIGHT, in_use, use
from gpuplanner.ui.kit.style_sheet import IN_USE, apply_palette, begin_palette
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.window import application
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.fake_app import FakeEvaluator
from tests.ui.real_screen import NOW_S, Screen, own_screen
from tests.ui.sample_world import evaluation_of, sample_project

FIRST_LAYOUT: Final = "first layout"
Made = TypeVar("Made")


def activate(widget: QWidget) -> None:
    """Make a window the active one, whatever another test left open."""
    widget.activateWindow()
    QApplication.processEvents()


def shown_window(application: QApplication) -> Iterator[MainWindow]:
    """A window that shows the first plan of the sample."""
    begin_palette(application, LIGHT)
    project = sample_project()
    made = MainWindow(Document(project), FakeEvaluator(evaluation_of))
    made.session.evaluator.evaluated.connect(
        lambda _: made.docks.show_waiting()
    )  # no test waits for a panel's turn
    made.resize(1440, 900)
    apply_palette(application, LIGHT)
    made.show_project(project)
    made.show_title("northwind-q3.gpuplan", True)
    made.show()
    activate(made)
    yield made
    made.why.hide()
    made.close()
    delete(made)  # now: every palette styles all the windows that there are


@pytest.fixture(autouse=True)
def light_again() -> Iterator[None]:
    """What a test drew in other colours without a window is over with it; `open_again` sees to those of a window."""
    yield
    application = QApplication.instance()
    if in_use() != LIGHT and (application is None or application.property(IN_USE) != in_use().name):
        use(LIGHT)


class WorkerWindows:
    """The windows that the tests of a worker share: to make one takes longer than what most tests ask of it."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Iterator[Any], Any]] = {}

    def kept(self, name: str, make: Callable[[], Iterator[Made]]) -> Made:
        """What was made under a name, or is made now. make: yields it once, then ends it."""
        if name not in self._kept:
            maker = make()
            self._kept[name] = maker, next(maker)
        made: Made = self._kept[name][1]
        return made

    def shown(self, name: str, make: Callable[[], Iterator[MainWindow]]) -> MainWindow:
        """A window with its panels where they were when it was made."""
        window = self.kept(name, make)
        window.docks.leave_maximised()
        if window.property(FIRST_LAYOUT) is None:
            window.setProperty(FIRST_LAYOUT, window.saveState())
        window.restoreState(window.property(FIRST_LAYOUT))
        window.showNormal()
        return window

    def end(self) -> None:
        """Let all of them go; who asks for one gets a new one."""
        for maker, _ in self._kept.values():
            next(maker, None)
        self._kept = {}


@pytest.fixture(scope="session")
def worker_windows(qapp: QApplication) -> Iterator[WorkerWindows]:
    """Those of this worker. Take `window` or `planner`."""
    windows = WorkerWindows()
    yield windows
    windows.end()


@pytest.fixture(scope="module")
def no_worker_window(worker_windows: WorkerWindows) -> None:
    """For tests that style the whole application: with a main window they would take thirty times as long."""
    worker_windows.end()


@pytest.fixture(scope="module")
def module_window(worker_windows: WorkerWindows, qapp: QApplication) -> Iterator[MainWindow]:
    """One window with its panels where they were, for the tests of a file. Take `window`."""
    window = worker_windows.shown("sample", lambda: shown_window(qapp))
    yield window
    window.docks.leave_maximised()
    close_dialogs(window)


def close_dialogs(window: MainWindow) -> None:
    """One that waits for an answer would keep the tests of other files from theirs."""
    for dialog in window.findChildren(QDialog):
        dialog.close()


@pytest.fixture
def window(module_window: MainWindow, qtbot: QtBot, qapp: QApplication) -> Iterator[MainWindow]:
    """The window as it was when it was made: the first plan, nothing selected, filtered, asked or to be undone."""
    open_again(module_window)
    yield module_window
    module_window.why.hide()


@pytest.fixture
def window_of_panels(window: MainWindow) -> Iterator[MainWindow]:
    """The window for tests that open, close and raise panels: those are open and in front afterwards that were."""
    in_front = [
        about.name for about, _ in window.docks.openers_by_kind() if panel_of(window, about).isVisible()
    ]
    was_open = [opener.isChecked() for opener in window.docks.openers()]
    yield window
    window.docks.leave_maximised()
    for (about, opener), is_open in zip(window.docks.openers_by_kind(), was_open, strict=True):
        if opener.isChecked() and not is_open:
            window.docks.close_panel(about.name)
        elif is_open and not opener.isChecked():
            opener.trigger()
    for name in in_front:
        window.docks.raise_panel(name)


def panel_of(window: MainWindow, about: About) -> Panel:
    """The panel that says this of itself."""
    panel: Panel = getattr(window.docks, about.name)
    return panel


@pytest.fixture(scope="module")
def shared(request: pytest.FixtureRequest, worker_windows: WorkerWindows) -> Iterator[MainWindow]:
    """One window with a real engine on the `PROJECT` of a file, for all of its tests. Take `planner`."""
    from tests.ui.plans_world import opened_again, plans_project, shared_window  # it takes what is above

    window = worker_windows.shown("planner", lambda: shared_window(plans_project()))
    yield opened_again(window, request.module.PROJECT)
    window.plans.compare.leave()
    close_dialogs(window)
    if window.actions_by_id["what_if"].isChecked():  # or what the next file edits would be a question
        window.actions_by_id["what_if"].trigger()


@pytest.fixture
def planner(request: pytest.FixtureRequest, shared: MainWindow) -> MainWindow:
    """That window as it was when it was opened."""
    from tests.ui.plans_world import opened_again

    return opened_again(shared, request.module.PROJECT)


@pytest.fixture
def new_window(qapp: QApplication) -> Iterator[MainWindow]:
    """A window that no other test has used, for what stays of one."""
    yield from shown_window(qapp)


def open_again(window: MainWindow) -> None:
    """Begin anew with the sample, as `shown_window` does."""
    project, board, evaluator = sample_project(), window.board, window.session.evaluator
    assert isinstance(evaluator, FakeEvaluator)
    evaluator.begin_again()
    if in_use() != LIGHT:
        window.show_palette(LIGHT)
    window.resize(1440, 900)
    with evaluator.whole_answers():  # a panel is drawn once, not for each step
        window.session.document.load(project)
        window.show_title("northwind-q3.gpuplan", True)
        if window.session.scenario != project.scenarios[0].name:  # else it is shown already
            window.choose_scenario(project.scenarios[0].name)
    board.look(BoardView())
    board.selection.select([])
    for column in board.columns.values():
        column.cards.setCurrentIndex(QModelIndex())
        column.cards.scrollToTop()
    if not board.sheet.isHidden():
        window.actions_by_id["details"].trigger()
    if window.headline.more.isChecked():
        window.headline.more.click()
    if (focused := window.focusWidget()) is not None:
        focused.clearFocus()  # a figure with the ring is painted whole
    activate(window)


@contextmanager
def open_application(qapp: QApplication, folder: Path) -> Iterator[ProjectFlow]:
    """A window on nothing with everything real behind it; its settings and the rows that it keeps are in a folder."""
    begin_palette(qapp, LIGHT)
    settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(application, "data_folder", lambda: folder / "data")
        window, flow, _ = application.build(settings, NOW_S)
    apply_palette(qapp, LIGHT)
    window.show()
    yield flow
    if isValid(window):
        flow.leave_quietly()
        delete(window)


@pytest.fixture(scope="module")
def module_flow(
    worker_windows: WorkerWindows, qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> ProjectFlow:
    """One application for all tests of a worker. Take `flow`."""

    def opened() -> Iterator[ProjectFlow]:
        with open_application(qapp, tmp_path_factory.mktemp("application")) as made:
            yield made

    return worker_windows.kept("application", opened)


@pytest.fixture
def flow(module_flow: ProjectFlow) -> Iterator[ProjectFlow]:
    """The application as it was when it was opened: on nothing, with nothing to undo."""
    yield module_flow
    module_flow.document.load(new_project(NOW_S))


@pytest.fixture
def new_flow(qapp: QApplication, tmp_path: Path) -> Iterator[ProjectFlow]:
    """An application that no other test has used, for what stays of one."""
    with open_application(qapp, tmp_path) as made:
        yield made


@pytest.fixture
def screen(need_tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """A screen with a mouse and a keyboard that no other test shares."""
    with own_screen(need_tool("xdotool"), need_tool("Xvfb"), tmp_path_factory.mktemp("screen")) as made:
        yield made


@pytest.fixture
def real_sample(tmp_path: Path) -> Path:
    """The sample as a file: of far fewer rows than the demo, where the figures do not matter."""
    save_project(sample_project(), tmp_path / "northwind.gpuplan")
    return tmp_path / "northwind.gpuplan"


@pytest.fixture
def real_demo(demo_path: Path, tmp_path: Path) -> Path:
    """The demo's project, a copy for one test."""
    return shutil.copyfile(demo_path, tmp_path / "demo.gpuplan")
