"""The middle of the window: welcome page, Today, a plan's decisions and board, and other pages."""

from typing import Final

from PySide6.QtWidgets import QStackedWidget, QWidget

from gpuplanner.ui.frame.welcome import WelcomePage
from gpuplanner.ui.kit.layout import box, column, share
from gpuplanner.ui.window.view_switch import AUDIT, BOARD, DECISIONS, PlanSwitch, TodaySwitch

BESIDE_BOARD_PX: Final = 9


class Middle(QWidget):
    """Told which of its pages is seen; pages: the stack that a comparison is shown in too."""

    def __init__(self, parent: QWidget) -> None:
        """The welcome page; `complete` makes what a project needs."""
        super().__init__(parent)
        self.welcome, self.pages = WelcomePage(), QStackedWidget()
        self._rows = column(share(self.pages), on=self, spacing=0)
        self.pages.addWidget(self.welcome)

    def complete(self, now_s: int | None = None) -> None:
        """Stacks first, what stands in them after: a widget takes on the style of all that it holds at each move.

        now_s: the day it is, epoch seconds; None: the end of the log's window.
        """
        from gpuplanner.ui.audit.data_quality_card import DataQualityCard
        from gpuplanner.ui.audit.page import AuditPage
        from gpuplanner.ui.board.board import Board
        from gpuplanner.ui.decisions.page import DecisionsPage
        from gpuplanner.ui.frame.file_notice import FileNoticeBar

        self.file_notice, workspace = FileNoticeBar(), QWidget()
        self._rows.insertWidget(0, self.file_notice)
        self.pages.addWidget(workspace)
        self.today_switch, self.plan_switch, self._views = TodaySwitch(), PlanSwitch(), QStackedWidget()
        tabs = column(self.today_switch, self.plan_switch, share(self._views), spacing=0)
        box("page", tabs, workspace)
        self.audit, on_board, self.decisions = AuditPage(), QWidget(), DecisionsPage(now_s)
        self._by_name = {AUDIT: self.audit, BOARD: on_board, DECISIONS: self.decisions}
        for view in self._by_name.values():
            self._views.addWidget(view)
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
        return self._views.currentWidget() is self.audit

    @property
    def view(self) -> QWidget:
        """The audit, the decisions, or what the board stands in."""
        view = self._views.currentWidget()
        assert view is not None, "all were put there"
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

    def show_view(self, name: str, *, is_today: bool) -> None:
        """Today as audit or board; a plan as decisions or board.

        The keyboard follows where what had it goes out of sight.
        """
        self.today_switch.setVisible(is_today)
        self.plan_switch.setVisible(not is_today)
        switch = self.today_switch if is_today else self.plan_switch
        switch.show_view(name)
        before = self._views.currentWidget()
        self._views.setCurrentWidget(self._by_name[name])
        if self._views.currentWidget() is not before and name != BOARD:
            switch.buttons[name].setFocus()

    def take_keyboard(self) -> None:
        """The first place of what is shown; no card has the keyboard before the planner gives it to one."""
        shown = self._views.currentWidget()
        if shown is self.audit:
            self.today_switch.buttons[AUDIT].setFocus()
        elif shown is self.decisions:
            self.plan_switch.buttons[DECISIONS].setFocus()
        else:
            self.board.search.setFocus()
