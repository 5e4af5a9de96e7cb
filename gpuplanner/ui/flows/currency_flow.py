"""Currency: asks what amounts are in and at which rates of exchange, and makes it one step of Undo."""

from collections.abc import Callable

from gpuplanner.domain import edits
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.session.session import Session


def choose_currency(session: Session) -> None:
    """Ask, and edit where something else is chosen."""
    from gpuplanner.ui.plans.currency_dialog import CurrencyDialog

    dialog = CurrencyDialog(session.document.project, session.time_s(), session.window)

    def change(edit: Callable[[Project], Project]) -> None:
        session.gestures.edit(edits.currency_label(dialog.code.currentText()), edit)

    dialog.money_chosen.connect(change)
    dialog.exec()
