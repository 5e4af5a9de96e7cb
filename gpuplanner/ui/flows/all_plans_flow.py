"""Settings of all plans, each asked in a dialog and one step of Undo: start date and currency."""

from collections.abc import Callable
from functools import partial

from gpuplanner.domain.edits import labels, plans
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.decisions.page import DecisionsPage
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.frame.status_line import StatusLine
from gpuplanner.ui.kit.dialogs import exec_once


def connect_plan_from(session: Session, page: DecisionsPage, foot: StatusLine) -> None:
    """What is said of the time of a plan, above its decisions and at the foot, and what mends it."""
    for asks in (page.plan_from_asked, foot.plan_from_asked):
        asks.connect(partial(choose_plan_from, session))
    foot.import_asked.connect(session.asks.import_asked)
    page.plan_from_wanted.connect(partial(plan_from_day, session))


def choose_plan_from(session: Session) -> None:
    """Ask, and edit where another day is chosen."""
    from gpuplanner.ui.plans.plan_from_dialog import PlanFromDialog

    dialog = PlanFromDialog(session.document.project, session.time_s(), session.window)
    dialog.day_chosen.connect(partial(plan_from_day, session))
    exec_once(dialog)


def plan_from_day(session: Session, at_s: int | None) -> None:
    """All plans begin on a day, epoch seconds, or where the log ends; one step of Undo."""
    session.gestures.edit(labels.plan_from_label(at_s), lambda project: plans.set_plan_from(project, at_s))


def choose_currency(session: Session) -> None:
    """Ask, and edit where something else is chosen."""
    from gpuplanner.ui.plans.currency_dialog import CurrencyDialog

    dialog = CurrencyDialog(session.document.project, session.time_s(), session.window)

    def change(edit: Callable[[Project], Project]) -> None:
        session.gestures.edit(labels.currency_label(dialog.code.currentText()), edit)

    dialog.money_chosen.connect(change)
    exec_once(dialog)
