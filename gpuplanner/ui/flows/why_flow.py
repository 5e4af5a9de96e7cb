"""Asking why of the headline, and of whatever has the keyboard."""

from PySide6.QtWidgets import QApplication

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.ui.audit.page import AuditPage
from gpuplanner.ui.audit.questions import AuditQuestions
from gpuplanner.ui.flows.why_everywhere import WhyEverywhere
from gpuplanner.ui.frame.headline import Headline
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.why.plan_answers import why


class WhyFlow:
    """Finds who answers for a figure."""

    def __init__(
        self,
        session: Session,
        headline: Headline,
        audit: AuditPage,
        questions: AuditQuestions,
        everywhere: WhyEverywhere,
    ) -> None:
        self._session, self._headline, self._audit = session, headline, audit
        self._questions, self._everywhere = questions, everywhere

    def ask(self, figure_id: str) -> None:
        """Why a figure of the headline is what it is: of Today from its audit, of a plan from its advice."""
        shown, button = self._session.view_state, self._headline.button_of(figure_id)
        if shown is None or button is None:
            return
        if shown.is_today:
            self._questions.ask(figure(figure_id), button)
        else:
            self._questions.show(why(figure_id, shown), button)

    def ask_of_focus(self) -> None:
        """Why of the figure that has the keyboard; where none has it, of the headline's first."""
        window, focused = self._session.window, QApplication.focusWidget()
        is_of_window = focused is not None and window is not None and window.isAncestorOf(focused)
        if focused is not None and not is_of_window and hasattr(focused, "ask_why"):
            focused.ask_why()  # in a sheet or a dialog
            return
        if focused is not None and (
            (self._audit.isVisible() and self._audit.ask_why_of(focused))
            or self._everywhere.ask_why_of(focused)
        ):
            return
        buttons = self._headline.buttons
        button = next((button for button in buttons if button is focused), buttons[0])
        if button.isVisible():
            button.click()
