"""The audit page of Today: its cards on one page that scrolls."""

from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QScrollArea, QWidget

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.queue.rows import WaitsBy
from gpuplanner.ui.audit.bridge_card import BridgeCard
from gpuplanner.ui.audit.classes_card import ClassesCard
from gpuplanner.ui.audit.clusters import ClustersCard, HoursCard
from gpuplanner.ui.audit.contracts_card import ContractsCard
from gpuplanner.ui.audit.fit_card import FitCard
from gpuplanner.ui.audit.leaks_card import LeaksCard
from gpuplanner.ui.audit.quarter_card import QuarterCard
from gpuplanner.ui.audit.waits_card import WaitsCard
from gpuplanner.ui.audit.worth_card import WorthCard
from gpuplanner.ui.kit.layout import STRETCH, column, grid
from gpuplanner.ui.kit.page_parts import muted_label, passing_menu, scrolled
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.figure_table import FigureTable

TWO_COLUMNS_FROM: Final = 1080
"""Width of the page, in pixels, from which cards stand side by side; of the twelve parts below."""

PLACES: Final = (  # card, first part and parts of twelve in its row; a new row begins where the first is 0
    ("clusters", 0, 12),
    ("quarter", 0, 12),
    ("bridge", 0, 7),
    ("hours", 7, 5),
    ("leaks", 0, 12),
    ("classes", 0, 6),
    ("contracts", 6, 6),
    ("waits", 0, 12),
    ("fit", 0, 6),
    ("worth", 6, 6),
)

OF_CONTRACTS_ALONE: Final = "clusters"
"""The card that says something where there are contracts and no job log."""


class AuditPage(QScrollArea):
    """Told what is shown; drawn again only where the audit, or what was decided about it, is another one."""

    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)
    import_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.clusters = ClustersCard()
        self.quarter = QuarterCard()
        self.bridge = BridgeCard(self.import_asked.emit)
        self.hours = HoursCard()
        self.leaks = LeaksCard()
        self.classes = ClassesCard()
        self.contracts = ContractsCard()
        self.waits = WaitsCard()
        self.fit = FitCard()
        self.worth = WorthCard()
        self.cards: dict[str, Any] = {name: getattr(self, name) for name, *_ in PLACES}
        self._page = QWidget()
        self._page.setObjectName("page")
        self._grid = grid(spacing=(8, 8), shares=[1] * 12)
        self.working = muted_label()
        column(self.working, self._grid, STRETCH, on=self._page, margins=(9, 0, 9, 9))
        scrolled(self._page, tr("Audit"), on=self)
        self.columns = 0
        self._shown: ViewState | None = None
        self._known: tuple[Any, ...] = ()
        self._fit_shown: object = None
        self._arrange(2)
        for table in (*self.findChildren(FigureTable), self.bridge.table, self.hours.table):
            table.pass_on(self.figure_opened)
        self.show_waiting()

    def show_waiting(self) -> None:
        """Of another project: no card of the one before, and that they are worked out."""
        self._known = ()
        self.working.setText(tr("Calculating costs"))
        self.working.show()
        for card in self.cards.values():
            card.frame.hide()

    def _make_charts(self) -> None:
        """The charts, when something is shown first: nothing of them is needed to open a window."""
        if self.bridge.seen.plot is not None:
            return
        plot = self.bridge.chart
        plot.step_opened.connect(
            lambda figure_id: self.figure_opened.emit(figure_id, plot, plot.place_of_current())
        )
        self.hours.chart.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click or Enter on an hour of the week asks about it; its own keys go from cell to cell."""
        if (heat := self.hours.seen.plot) is None or watched is not heat:
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
        if widget is self.hours.seen.plot:
            if figure_id := self.hours.figure_of_current():
                self.figure_opened.emit(figure_id, widget, self.hours.place_of_current())
            return True
        if self.isAncestorOf(widget) and isinstance(widget, FigureTable):
            widget.ask_why()
            return True
        if widget is self.bridge.seen.plot:
            self.bridge.chart.ask_why()
            return True
        return False

    def show_state(self, shown: ViewState) -> None:
        """Show an audit."""
        project = shown.evaluation.project
        decided = tuple(plan.leak_decisions for plan in project.scenarios)
        audit = shown.evaluation.audit
        known = (audit, project.cube, project.contracts, project.assumptions, decided)
        self._shown = shown
        pairs = zip(known[:-1], self._known[:-1], strict=True)
        is_same = bool(self._known) and all(new is old for new, old in pairs)
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
        self.working.hide()
        for name, card in self.cards.items():
            card.show_state(shown)
            # without a log the others would say of use that there was none
            card.frame.setVisible(name == OF_CONTRACTS_ALONE or shown.evaluation.project.has_log)
        self.waits.show_waits(())  # they come a moment after the audit

    def show_waits(self, rows: tuple[WaitsBy, ...] | None) -> None:
        """The log's own waits; None where nobody knows them: then the card is not there."""
        self.waits.show_waits(rows or ())

    def recolour(self) -> None:
        """Other colours from now on."""
        for card in (self.bridge, self.hours):
            if card.seen.plot is not None:
                card.seen.ready()

    def figure_ids(self) -> list[str]:
        """Every figure of the page that can be asked about."""
        twins = (self.bridge.table, self.hours.table)
        tables = [table for table in self.findChildren(FigureTable) if table not in twins]
        found = [figure_id for table in tables for figure_id in table.figure_ids()] + self.hours.figure_ids()
        if self._shown is None or not self._shown.evaluation.project.has_spend:
            return found  # there is no bridge
        steps = self.bridge.chart.steps
        return found + [step.figure_id for step in steps if step.amount is not None]

    def as_text(self) -> str:
        """All tables of the page as text, for a mail or a note."""
        return "\n\n".join(f"{card.frame.title}\n{card.as_text()}" for card in self.cards.values()) + "\n"

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
            self._arrange(2 if self.viewport().width() >= text_px(TWO_COLUMNS_FROM) else 1)

    def _arrange(self, columns: int) -> None:
        """Puts the cards in one column or two; the wide tables also drop columns for one."""
        if columns == self.columns:
            return
        self.columns = columns
        line = -1
        for name, first, parts in PLACES:
            at, wide = (first, parts) if columns == 2 else (0, 12)
            line += at == 0
            self._grid.addWidget(self.cards[name].frame, line, at, 1, wide)
        for card in (self.clusters, self.leaks):
            card.is_narrow = columns == 1
            if self._shown is not None:
                card.show_state(self._shown)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copy a table, all of them, or the page as a picture."""
        self.copy_menu(self._page.mapFrom(self, event.pos())).exec(event.globalPos())

    def copy_menu(self, at: QPoint) -> QMenu:
        """The menu for a place of the page."""
        menu = passing_menu(self)
        cards = ((card, card.frame.mapFrom(self._page, at)) for card in self.cards.values())
        if card := next((one for one, place in cards if one.frame.rect().contains(place)), None):
            frame, title = card.frame, card.frame.title
            menu.addAction(
                tr("Copy \u201c{title}\u201d as text", title=title), lambda: _to_clipboard(card.as_text())
            )
            menu.addAction(
                tr("Copy \u201c{title}\u201d as picture", title=title), lambda: _copy_picture(frame)
            )
            menu.addSeparator()
        menu.addAction(tr("Copy all tables as text"), lambda: _to_clipboard(self.as_text()))
        menu.addAction(tr("Copy page as picture"), lambda: _copy_picture(self._page))
        return menu


def _to_clipboard(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def _copy_picture(widget: QWidget) -> None:
    QGuiApplication.clipboard().setPixmap(widget.grab())
