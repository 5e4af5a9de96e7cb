"""A small project with a real engine behind it: two plans, four workloads on one cluster, 30 days."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from gpuplanner.app.background import close_all
from gpuplanner.app.document import Document
from gpuplanner.app.evaluating.evaluation_steps import steps_of
from gpuplanner.app.evaluating.evaluator import Evaluator
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.window.main_window import MainWindow
from tests.app.evaluating.test_evaluator_steps import NAMES, loaded
from tests.read_once import OncePerPlan
from tests.ui.conftest import activate

NOW_S = 1_790_000_000
KEYS = tuple(f"c/o/{name}" for name in NAMES)
_AS_SHIPPED = steps_of(read_tables())
_STEPS = replace(
    _AS_SHIPPED, advise=OncePerPlan(_AS_SHIPPED.advise), outlook=OncePerPlan(_AS_SHIPPED.outlook)
)
CLASSES = dict(zip(KEYS, (Pool.BURST, Pool.BURST, Pool.TRAINING, Pool.INFERENCE), strict=True))


def plans_project() -> Project:
    """Plan A as the classes are; Plan B with a move, an assumption and a level set by hand."""
    second = Scenario(
        name="Plan B",
        pools={KEYS[0]: Pool.INFERENCE},
        assumptions={"lambda": 0.03},
        hand_layers={(Pool.TRAINING, "H100"): (HandLayer(12, 1),)},
    )
    return replace(loaded(), labels=CLASSES, scenarios=(Scenario(name="Plan A"), second), title="small")


def many_plans(project: Project, count: int) -> Project:
    """The project with so many plans, all like the first."""
    plans = tuple(replace(project.scenarios[0], name=f"Plan {number:02d} of many") for number in range(count))
    return replace(project, scenarios=plans)


def plans_window(project: Project) -> MainWindow:
    """A window with a real document and a real evaluator; close() them with `close_window`."""
    document, evaluator = Document(project), Evaluator(_STEPS)
    window = MainWindow(document, evaluator, now_s=NOW_S)
    window.resize(1440, 900)
    window.show_project(project)
    window.show()
    return window


def wait_until(is_so: Callable[[], bool], seconds: float = 60.0) -> None:
    """Let events run until something is so; outside of a test's own loop, for windows that a whole module shares."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "it never came to be so"
        QApplication.processEvents()
        time.sleep(0.002)
    QApplication.processEvents()


def settle(window: MainWindow) -> None:
    """Wait until the newest project is evaluated in full."""

    def is_settled() -> bool:
        evaluation = window.session.evaluator.evaluation
        return (
            evaluation is not None
            and evaluation.outlook is not None
            and bool(window.session.evaluator.is_settled)
        )

    wait_until(is_settled)


def begin_again(window: MainWindow, project: Project) -> None:
    """The window as it was when it was opened with a project: nothing to undo, the first plan, nothing compared."""
    window.plans.compare.leave()
    window.session.document.load(project)
    window.choose_scenario(project.scenarios[0].name)
    settle(window)


def close_window(window: MainWindow) -> None:
    """Wait for every thread, and let go of the window."""
    window.session.evaluator.close()
    close_all(window)
    window.close()


def shared_window(project: Project) -> Iterator[MainWindow]:
    """One window for all tests of a module: making it takes longer than what is asked of it."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_palette(application, LIGHT)
    made = plans_window(project)
    yield made
    close_window(made)
    delete(made)


def opened_again(window: MainWindow, project: Project) -> MainWindow:
    """The shared window at its usual size, as it was when it was opened, and with the keyboard."""
    window.resize(1440, 900)
    begin_again(window, project)
    activate(window)
    return window
