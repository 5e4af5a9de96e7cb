"""Plan from: asks for the day that plans begin and makes it one step of Undo."""

from functools import partial
from typing import TYPE_CHECKING

from gpuplanner.domain import edits

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
