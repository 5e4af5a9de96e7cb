"""The middle of the window: the welcome page, Today as audit or board, a plan's board; other pages stand on top."""

from typing import Final

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from gpuplanner.ui.audit.data_quality_card import DataQualityCard
from gpuplanner.ui.audit.page import AuditPage
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.frame.file_notice_bar import FileNoticeBar
from gpuplanner.ui.frame.welcome import WelcomePage
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.window.today_page import AUDIT, TodaySwitch

BESIDE_BOARD_PX: Final = 9


class Middle(QWidget):
    """Told which of its pages is seen; pages: the stack that a comparison is shown in too."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self.file_notice = FileNoticeBar(palette)
        self.welcome = WelcomePage(palette)
        self.board = Board(palette)
        self.audit = AuditPage(palette)
        self.today_switch = TodaySwitch(palette)
        self.data_quality = DataQualityCard(palette)
        self._above_board = QWidget()
        above = QVBoxLayout(self._above_board)
        above.setContentsMargins(BESIDE_BOARD_PX, 0, BESIDE_BOARD_PX, 0)
        above.addWidget(self.data_quality)
        on_board = QWidget()
        _stacked(on_board, self._above_board, self.board)
        self._views = QStackedWidget()  # of Today; a plan has the board alone
        self._views.addWidget(self.audit)
        self._views.addWidget(on_board)
        workspace = QWidget()
        workspace.setObjectName("page")
        _stacked(workspace, self.today_switch, self._views)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.welcome)
        self.pages.addWidget(workspace)
        _stacked(self, self.file_notice, self.pages)

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
        first = self.today_switch.buttons[AUDIT] if self.is_audit else self.board.search
        first.setFocus()


def _stacked(whole: QWidget, *parts: QWidget) -> None:
    """Lays parts out below each other from edge to edge, the last with the room that is left."""
    layout = QVBoxLayout(whole)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for part in parts:
        layout.addWidget(part, int(part is parts[-1]))
