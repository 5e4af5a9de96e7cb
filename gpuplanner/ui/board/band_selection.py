"""The rubber band that selects cards, begun in a column or on the ground below its cards."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QRubberBand, QWidget

from gpuplanner.ui.cards.card_list import CardView


class BandSelection(QObject):
    """Watches the viewports of the columns and the ground below them; a click that draws nothing is theirs."""

    ended = Signal()

    def __init__(self, views: Sequence[CardView], over: QWidget) -> None:
        super().__init__(over)
        self._views, self._over = tuple(views), over
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, over)
        self._begun: QPoint | None = None
        self._keeps = False
        for view in self._views:
            view.viewport().installEventFilter(self)
        over.installEventFilter(self)

    @property
    def is_drawn(self) -> bool:
        """Whether a band is under the mouse."""
        return self._begun is not None and self._band.isVisible()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin, draw and end a band with the left button."""
        if not isinstance(event, QMouseEvent):
            return super().eventFilter(watched, event)
        view = next((view for view in self._views if view.viewport() is watched), None)
        if view is None and watched is not self._over:
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.MouseButtonPress and self._may_begin(view, event):
            self._begun = self._place(view, event)
            self._keeps = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if view is not None:
                view.setFocus(Qt.FocusReason.MouseFocusReason)
            is_with_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if not self._keeps and not is_with_shift:
                for other in self._views:
                    other.clearSelection()
            return view is None or not is_with_shift  # that click is the list's
        if self._begun is None:
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.MouseMove:
            here = self._place(view, event)
            if (here - self._begun).manhattanLength() >= QApplication.startDragDistance():
                self._band.setGeometry(QRect(self._begun, here).normalized())
                self._band.show()
                self._band.raise_()
                self._select(self._band.geometry())
            return True
        if event.type() == QEvent.Type.MouseButtonRelease:
            was_drawn, self._begun = self._band.isVisible(), None
            self._band.hide()
            if was_drawn:
                self.ended.emit()
            return was_drawn
        return super().eventFilter(watched, event)

    def _may_begin(self, view: CardView | None, event: QMouseEvent) -> bool:
        """Whether a band begins here: with Shift anywhere, else where no card and no heading is.

        view: None on the ground below the cards.
        """
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        place = event.position().toPoint()
        if view is None:
            part = self._over.childAt(place)
            return part is None or part.parentWidget() is self._over  # no heading, no foot
        if view.heading_at(place) is not None:
            return False
        return bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier) or not view.is_on_card(place)

    def _place(self, view: CardView | None, event: QMouseEvent) -> QPoint:
        """Where the mouse is over all columns."""
        if view is None:
            return event.position().toPoint()
        return view.viewport().mapTo(self._over, event.position().toPoint())

    def _select(self, band: QRect) -> None:
        """Selects the cards that the band meets in every column, beside those selected before if that was
        asked for.
        """
        for view in self._views:
            if not view.isVisible():
                continue
            origin = view.viewport().mapTo(self._over, QPoint(0, 0))
            inside = band.translated(-origin).intersected(view.viewport().rect())
            view.add_rows(view.rows_in(inside) if not inside.isEmpty() else (), self._keeps)
