"""The middle of the window: welcome page, Today, a plan's board, and other pages."""

from typing import Final

from PySide6.QtWidgets import QStackedWidget, QWidget

from gpuplanner.ui.frame.welcome import WelcomePage
from gpuplanner.ui.kit.layout import box, column, share
from gpuplanner.ui.window.today_switch import AUDIT, TodaySwitch

BESIDE_BOARD_PX: Final = 9


class Middle(QWidget):
    """Told which of its pages is seen; pages: the stack that a comparison is shown in too."""

    def __init__(self, parent: QWidget) -> None:
        """The welcome page; `complete` makes what a project needs."""
        super().__init__(parent)
        self.welcome, self.pages = WelcomePage(), QStackedWidget()
        self._rows = column(share(self.pages), on=self, spacing=0)
        self.pages.addWidget(self.welcome)

    def complete(self) -> None:
        """Stacks first, what stands in them after: a widget takes on the style of all that it holds at each move."""
        from gpuplanner.ui.audit.data_quality_card import DataQualityCard
        from gpuplanner.ui.audit.page import AuditPage
        from gpuplanner.ui.board.board import Board
        from gpuplanner.ui.frame.checklist import LeadBar
        from gpuplanner.ui.frame.file_notice import FileNoticeBar

        self.file_notice, self.lead, workspace = FileNoticeBar(), LeadBar(), QWidget()
        self._rows.insertWidget(0, self.file_notice)
        self._rows.insertWidget(1, self.lead)
        self.pages.addWidget(workspace)
        # of Today; a plan has the board alone
        self.today_switch, self._views = TodaySwitch(), QStackedWidget()
        box("page", column(self.today_switch, share(self._views), spacing=0), workspace)
        self.audit, on_board = AuditPage(), QWidget()
        self._views.addWidget(self.audit)
        self._views.addWidget(on_board)
        self.data_quality, self._above_board, self.board = DataQualityCard(), QWidget(), Board()
        column(self.data_quality, on=self._above_board, margins=(BESIDE_BOARD_PX, 0, BESIDE_BOARD_PX, 0))
        column(self._above_board, share(self.board), on=on_board, spacing=0)

    @property
    def is_welcome(self) -> bool:
        """Whether nothing is loaded."""
        return self.pages.currentWidget() is self.welcome

    @property
    def is_audit(self) -> bool:
        """Whether the audit is shown, or would be beneath a page on top."""
        return self._views.currentIndex() == 0

    @property
    def view(self) -> QWidget:
        """The audit, or what the board stands in."""
        view = self._views.currentWidget()
        assert view is not None, "both were put there"
        return view

    def show_welcome(self) -> None:
        """The welcome page."""
        self.pages.setCurrentWidget(self.welcome)

    def show_workspace(self) -> None:
        """Audit or board, without another page on top."""
        self.pages.setCurrentIndex(1)

    def show_what_is_known(self, *, is_today: bool) -> None:
        """How good the log is stands over the board of Today alone."""
        self._above_board.setVisible(is_today)

    def show_view(self, *, is_today: bool, is_audit: bool) -> None:
        """Today as audit or board; a plan as board. The keyboard follows where what had it goes out of sight."""
        self.today_switch.setVisible(is_today)
        was_audit = self.is_audit
        self._views.setCurrentIndex(0 if is_today and is_audit else 1)
        if self.is_audit and not was_audit:
            self.today_switch.buttons[AUDIT].setFocus()

    def take_keyboard(self) -> None:
        """The first place of what is shown; no card has the keyboard before the planner gives it to one."""
        (self.today_switch.buttons[AUDIT] if self.is_audit else self.board.search).setFocus()
