"""The audit page of Today: one page for the review meeting, which scrolls; every figure of it answers why."""

from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QMenu, QScrollArea, QVBoxLayout, QWidget

from gpuplanner.ui.audit.bridge import BridgeCard
from gpuplanner.ui.audit.classes import ClassesCard
from gpuplanner.ui.audit.clusters import ClustersCard
from gpuplanner.ui.audit.contracts import ContractsCard
from gpuplanner.ui.audit.fit import FitCard
from gpuplanner.ui.audit.hours import HoursCard
from gpuplanner.ui.audit.leaks import LeaksCard
from gpuplanner.ui.audit.worth import WorthCard
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.translation import tr

TWO_COLUMNS_FROM: Final = 1080
"""Width of the page, in pixels, from which cards stand side by side; of the twelve parts below."""

PLACES: Final = (  # card, first part and parts of twelve in its row; a new row begins where the first is 0
    ("clusters", 0, 12),
    ("bridge", 0, 7),
    ("hours", 7, 5),
    ("leaks", 0, 12),
    ("classes", 0, 6),
    ("contracts", 6, 6),
    ("fit", 0, 6),
    ("worth", 6, 6),
)

OF_CONTRACTS_ALONE: Final = "clusters"
"""The card that says something where there are contracts and no job log."""


class AuditPage(QScrollArea):
    """Told what is shown; drawn again only where the audit, or what was decided about it, is another one."""

    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)
    leak_opened = Signal(str)  # leak_id
    import_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Audit"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clusters = ClustersCard(palette)
        self.bridge = BridgeCard(palette, self.import_asked.emit)
        self.hours = HoursCard(palette)
        self.leaks = LeaksCard(palette)
        self.classes = ClassesCard(palette)
        self.contracts = ContractsCard(palette)
        self.fit = FitCard(palette)
        self.worth = WorthCard(palette)
        self._cards: dict[str, Any] = {
            "clusters": self.clusters,
            "bridge": self.bridge,
            "hours": self.hours,
            "leaks": self.leaks,
            "classes": self.classes,
            "contracts": self.contracts,
            "fit": self.fit,
            "worth": self.worth,
        }
        self._page = QWidget()
        self._page.setObjectName("page")
        self._grid = QGridLayout()
        self._grid.setSpacing(8)
        for part in range(12):
            self._grid.setColumnStretch(part, 1)
            self._grid.setColumnMinimumWidth(part, 0)
        layout = QVBoxLayout(self._page)
        layout.setContentsMargins(9, 0, 9, 9)
        layout.addLayout(self._grid)
        layout.addStretch(1)
        self.setWidget(self._page)
        self._columns = 0
        self._shown: ViewState | None = None
        self._known: tuple[Any, ...] = ()
        self._fit_shown: object = None
        self._arrange(2)
        self._tables = (*self.findChildren(FigureTable), self.bridge.table, self.hours.table)
        self._connect()

    def _connect(self) -> None:
        for table in self._tables:
            table.figure_opened.connect(
                lambda figure_id, place, table=table: self.figure_opened.emit(figure_id, table, place)
            )
        self.leaks.limited.table.row_opened.connect(self.leak_opened)

    def _make_charts(self) -> None:
        """The charts, when something is shown first: nothing of them is needed to open a window."""
        if self.bridge.plot is not None:
            return
        plot = self.bridge.make_plot()
        plot.step_opened.connect(
            lambda figure_id: self.figure_opened.emit(figure_id, plot, plot.place_of_current())
        )
        self.hours.make_heat().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click or Enter on an hour of the week asks about it; its own keys go from cell to cell."""
        heat = self.hours.heat
        if heat is None or watched is not heat:
            return super().eventFilter(watched, event)
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease:
            if heat.cell_under(event.position().toPoint()) is not None:
                self.ask_why_of(heat)
        elif (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ):
            return self.ask_why_of(heat)
        return super().eventFilter(watched, event)

    def ask_why_of(self, widget: QWidget) -> bool:
        """Ask about the figure that the keyboard stands on in a widget; whether it is one of the page's."""
        if widget is self.hours.heat:
            figure_id = self.hours.figure_of_current()
            if figure_id:
                self.figure_opened.emit(figure_id, widget, self.hours.place_of_current())
            return True
        if self.isAncestorOf(widget) and isinstance(widget, FigureTable):
            widget.ask_why()
            return True
        plot = self.bridge.plot
        if plot is not None and widget is plot:
            plot.ask_why()
            return True
        return False

    def show_state(self, shown: ViewState) -> None:
        """Show an audit."""
        project = shown.evaluation.project
        decided = tuple(plan.leak_decisions for plan in project.scenarios)
        audit = shown.evaluation.audit
        known = (audit, project.cube, project.contracts, project.assumptions, decided)
        self._shown = shown
        is_same = bool(self._known) and all(
            new is old for new, old in zip(known[:-1], self._known[:-1], strict=True)
        )
        if is_same and known[-1] == self._known[-1]:
            if shown.fit is not self._fit_shown:  # it settles a moment after the audit
                self._fit_shown = shown.fit
                self.fit.show_state(shown)
            return
        is_other_log = not self._known or project.cube is not self._known[1]
        self._fit_shown = shown.fit
        self._known = known
        self._draw(shown)
        if is_other_log:  # its page is read from the top, wherever the one before was left
            self.verticalScrollBar().setValue(0)

    def _draw(self, shown: ViewState) -> None:
        """Shows the state in every card; without a log only the cards of contracts."""
        self._make_charts()
        for name, card in self._cards.items():
            card.show_state(shown)
            if name != OF_CONTRACTS_ALONE:  # the others would say of use that there was none
                card.frame.setVisible(shown.evaluation.project.has_log)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        for card in self._cards.values():
            card.show_palette(palette)

    def figure_ids(self) -> list[str]:
        """Every figure of the page that can be asked about."""
        twins = (self.bridge.table, self.hours.table)
        tables = [table for table in self.findChildren(FigureTable) if table not in twins]
        found = [figure_id for table in tables for figure_id in table.figure_ids()] + self.hours.figure_ids()
        if self._shown is None or not self._shown.evaluation.project.contracts:
            return found  # there is no bridge
        return found + [step.figure_id for step in self.bridge.make_plot().steps if step.amount is not None]

    def as_text(self) -> str:
        """All tables of the page as text, for a mail or a note."""
        parts = []
        for card in self._cards.values():
            text = card.as_text()
            parts.append(f"{card.frame.title}\n{text}")
        return "\n\n".join(parts) + "\n"

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def showEvent(self, event: QShowEvent) -> None:
        """Arranges the cards once the page has its size."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._fit_columns)  # by then it has its size

    def _fit_columns(self) -> None:
        """Two columns of cards where there is room, else one."""
        if self.isVisible():  # what is not seen yet has no size of its own
            self._arrange(2 if self.viewport().width() >= TWO_COLUMNS_FROM else 1)

    def _arrange(self, columns: int) -> None:
        """Puts the cards in one column or two; the wide tables also drop columns for one."""
        if columns == self._columns:
            return
        self._columns = columns
        row = -1
        for name, first, parts in PLACES:
            if columns == 1 or first == 0:
                row += 1
            place = (first, parts) if columns == 2 else (0, 12)
            self._grid.addWidget(self._cards[name].frame, row, place[0], 1, place[1])
        for card in (self.clusters, self.leaks):
            card.is_narrow = columns == 1
            if self._shown is not None:
                card.show_state(self._shown)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copy a table, all of them, or the page as a picture."""
        self.copy_menu(self.mapTo(self._page, event.pos())).exec(event.globalPos())

    def copy_menu(self, at: QPoint) -> QMenu:
        """The menu for a place of the page."""
        menu = QMenu(self)
        card = next(
            (one for one in self._cards.values() if _place_in(one.frame, self._page).contains(at)), None
        )
        if card is not None:
            menu.addAction(
                tr("Copy \u201c{title}\u201d as text", title=card.frame.title),
                lambda: _to_clipboard(card.as_text()),
            )
            menu.addAction(
                tr("Copy \u201c{title}\u201d as picture", title=card.frame.title),
                lambda: _copy_picture(card.frame),
            )
            menu.addSeparator()
        menu.addAction(tr("Copy all tables as text"), lambda: _to_clipboard(self.as_text()))
        menu.addAction(tr("Copy page as picture"), lambda: _copy_picture(self._page))
        return menu


def _place_in(frame: QWidget, page: QWidget) -> QRect:
    """Where a card is on the page."""
    return QRect(frame.mapTo(page, QPoint(0, 0)), frame.size())


def _to_clipboard(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def _copy_picture(widget: QWidget) -> None:
    QGuiApplication.clipboard().setPixmap(widget.grab())
