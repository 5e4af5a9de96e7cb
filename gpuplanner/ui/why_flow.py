"""Asking why of the headline, and of whatever has the keyboard."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from gpuplanner.ui.why_audit import FIGURES_OF_TODAY
from gpuplanner.ui.why_plan import why

if TYPE_CHECKING:
    from gpuplanner.ui.main_window import MainWindow


class WhyFlow:
    """Finds who answers for a figure of one main window."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window

    def ask(self, figure_id: str) -> None:
        """Why a figure of the headline is what it is: of Today from its audit, of a plan from its advice."""
        window, button = self._window, self._window.headline.button_of(figure_id)
        if window.shown is None or button is None:
            return
        if window.shown.is_today:
            window.questions.ask(FIGURES_OF_TODAY[figure_id], button)
        else:
            window.questions.show(why(figure_id, window.shown), button)

    def ask_of_focus(self) -> None:
        """Why of the figure that has the keyboard; where none has it, of the headline's first."""
        window, focused = self._window, QApplication.focusWidget()
        if focused is not None and not window.isAncestorOf(focused) and hasattr(focused, "ask_why"):
            focused.ask_why()  # in a sheet or a dialog
            return
        if focused is not None and (
            (window.audit.isVisible() and window.audit.ask_why_of(focused))
            or window.why_everywhere.ask_why_of(focused)
        ):
            return
        buttons = window.headline.buttons
        button = next((button for button in buttons if button is focused), buttons[0])
        if button.isVisible():
            button.click()
