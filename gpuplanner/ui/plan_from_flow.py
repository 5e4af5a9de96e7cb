"""Plan from: asks for the day that plans begin and makes it one step of Undo; its words wherever it is shown."""

from functools import partial
from typing import TYPE_CHECKING

from gpuplanner.domain import edits
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui import numbers
from gpuplanner.ui.said import said

if TYPE_CHECKING:
    from gpuplanner.ui.main_window import MainWindow


def connect_plan_from(window: "MainWindow") -> None:
    """What is said of the time of a plan, above the actions and at the foot, and what mends it."""
    actions, foot = window.docks.recommendations, window.status
    for asks in (actions.plan_from_asked, foot.plan_from_asked):
        asks.connect(partial(choose_plan_from, window))
    for asks in (actions.import_asked, foot.import_asked):
        asks.connect(window.import_asked)
    actions.plan_from_wanted.connect(partial(plan_from_day, window))


def choose_plan_from(window: "MainWindow") -> None:
    """Ask, and edit where another day is chosen."""
    from gpuplanner.ui.plan_from_dialog import PlanFromDialog

    dialog = PlanFromDialog(window.document.project, window.time_s(), window)
    dialog.day_chosen.connect(partial(plan_from_day, window))
    dialog.exec()


def plan_from_day(window: "MainWindow", at_s: int | None) -> None:
    """All plans begin on a day, epoch seconds, or where the log ends; one step of Undo."""
    window.gestures.edit(edits.plan_from_label(at_s), lambda project: edits.set_plan_from(project, at_s))


def plan_from_words(project: Project) -> str:
    """21 Nov 2026, or the end of the log."""
    begins = project.plan_window
    return said("end of the log") if begins is project.window else numbers.date(begins.end_s)


def days_after_log(project: Project) -> int:
    """Whole days from the end of the log to the beginning of plans."""
    return (project.plan_window.end_s - project.window.end_s) // DAY_S
