"""The middle of the window: welcome page, Today as audit or board, a plan's board; and empty panels."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QStackedWidget, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain.message import lowered, worded
from gpuplanner.domain.model.project import Project
from gpuplanner.files.system.resources import views_of
from gpuplanner.ui.frame.welcome import WelcomePage
from gpuplanner.ui.kit.layout import STRETCH, box, column, named, row, share
from gpuplanner.ui.kit.page_parts import label, muted_label, named_button, press_beside
from gpuplanner.ui.kit.theme import text_px
from gpuplanner.ui.words.commands import with_keys

if TYPE_CHECKING:
    from gpuplanner.ui.flows.session import Session
    from gpuplanner.ui.panels.panel import Need, Panel

# --- Today's page: the audit, or the board where each workload stands where it ran; a switch chooses between them

AUDIT: Final = "audit"
BOARD: Final = "board"
VIEWS, COSTS = views_of("today"), views_of("past_costs")
"""Views of the panel Cost that belong to an audit, and the links that open them."""

HEIGHT: Final = 38


class TodaySwitch(QWidget):
    """Two tabs, and links to what the panel Cost says of the same past; arrow keys go from one tab to the other."""

    view_chosen = Signal(str)
    costs_asked = Signal(str)  # a view of the panel Cost

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Today as"))
        self.setFixedHeight(text_px(HEIGHT))
        group = QButtonGroup(self)
        self.buttons: dict[str, QToolButton] = {}
        for name, title, tip in VIEWS:
            called = tr("Today as {title}", title=lowered(title))
            button = self.buttons[name] = named(QToolButton(), called, tip)
            button.setText(spoken(title))
            button.setProperty("tab", True)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _=False, name=name: self.view_chosen.emit(name))
            group.addButton(button)
        emit = self.costs_asked.emit
        self.links = {  # Enter presses them, too, as it does in a dialog
            name: named_button(
                title, tip, lambda _=False, name=name: emit(name), is_link=True, takes_enter=True
            )
            for name, title, tip in COSTS
        }
        views, links = self.buttons.values(), self.links.values()
        row(*views, STRETCH, *links, on=self, margins=(9, 0, 9, 0), spacing=4)
        self.show_view(AUDIT)

    def show_view(self, name: str) -> None:
        """Mark the view that is shown."""
        self.buttons[name].setChecked(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right choose the view beside."""
        if not press_beside([*self.buttons.values()], event, Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)


# --- The middle of the window: the welcome page, Today as audit or board, a plan's board; other pages stand on top

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


# --- What stands in a panel while the project lacks what it shows: what is missing, and a button for what to do

TITLES: Final = {
    "workloads": (worded("No jobs yet"), worded("Import a job log")),
    "offers": (worded("No prices yet"), worded("Import prices")),
}
OTHERS: Final = {
    "workloads": ("demo", worded("Open the demo"), worded("Three clusters, six months of jobs and a plan")),
    "offers": (
        "public_prices",
        worded("Use public prices"),
        worded("Public rates shipped with gpuplanner, not quotes"),
    ),
}
"""What else gets one going, beside the button: a command, its words and its tip."""


class EmptyPanels(QObject):
    """Covers a panel, and takes its controls out of reach, while something lacks.

    by_id: the actions of the menus.
    """

    def __init__(self, session: "Session", panels: "Sequence[Panel]", by_id: Mapping[str, QAction]) -> None:
        super().__init__(session.window)
        self._panels, self._by_id = panels, by_id
        self._covers: dict[tuple[Panel, Need], QWidget] = {}
        self._lacking: list[Need | None] = []
        session.document.changed.connect(self.show_project)

    def show_project(self, project: Project) -> None:
        """Cover what lacks something, and uncover what does not."""
        lacking = [
            next((need for need in panel.about.needs if not getattr(project, need.field)), None)
            for panel in self._panels
        ]
        if lacking == self._lacking:
            return
        self._lacking = lacking
        for panel, missing in zip(self._panels, lacking, strict=True):
            if missing is not None and (panel, missing) not in self._covers:
                self._covers[panel, missing] = self._cover(missing, panel)
            for need in panel.about.needs:
                if (panel, need) in self._covers:
                    self._covers[panel, need].setVisible(need is missing)
            self._turn_controls(panel, is_covered=missing is not None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A cover is as large as its panel, and above what the panel makes later."""
        if isinstance(watched, QWidget) and event.type() in (QEvent.Type.Resize, QEvent.Type.ChildPolished):
            for cover in self._covers_on(watched):
                cover.setGeometry(watched.rect())
                if not cover.isHidden():
                    self._turn_controls(watched, is_covered=True)
        return super().eventFilter(watched, event)

    def _covers_on(self, panel: QWidget) -> list[QWidget]:
        """The covers that lie on a panel."""
        return [cover for cover in self._covers.values() if cover.parentWidget() is panel]

    def _turn_controls(self, panel: QWidget, *, is_covered: bool) -> None:
        """What a cover lies on cannot be reached by Tab either."""
        if not (covers := self._covers_on(panel)):
            return
        for child in panel.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if child not in covers and child.isEnabled() is is_covered:
                child.setEnabled(not is_covered)
        for cover in covers:
            cover.raise_()

    def _cover(self, need: "Need", panel: QWidget) -> QWidget:
        """A cover that says what lacks, with the button to bring it."""
        title, button = TITLES[need.field]
        cover = named(QWidget(panel), tr("{first}. {second}", first=title, second=need.sentence))
        cover.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        bring = named_button(button, with_keys(spoken(button), "import"), self._by_id["import"].trigger)
        other, words, tip = OTHERS[need.field]
        link = named_button(words, with_keys(spoken(tip), other), self._by_id[other].trigger, is_link=True)
        head, foot = label(title, step="strong"), row(bring, link, STRETCH, spacing=12)
        parts = (head, muted_label(need.sentence), 4, foot, STRETCH)
        lines = column(*parts, margins=(14, 16, 12, 10), spacing=4)
        box("panel", lines, cover).setGeometry(panel.rect())
        panel.installEventFilter(self)
        return cover
