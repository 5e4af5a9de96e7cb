"""Handle on a layer's edge: dragged with the mouse or moved with the arrow keys, in whole blocks of GPUs."""

from PySide6 import QtGui
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.chart_colours import ChartColours
from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import by_count, tr
from gpuplanner.charts.kit.user_locale import grouped

DRAWN, HIT = 10, 24
BIG_STEP = 8


class LayerHandle(QWidget):
    """Told its level, its block and how many GPUs a pixel is; says what level the hand or the keys ask for."""

    dragged = Signal(int)  # the level under the hand, in GPUs
    dropped = Signal(int)
    cancelled = Signal()
    stepped = Signal(int)  # blocks to add
    let_go = Signal()  # of a key: what follows is another gesture
    focused = Signal(bool)

    def __init__(self, name: str, colours: ChartColours, parent: QWidget) -> None:
        """name: of the layer; parent: the chart, which places it."""
        super().__init__(parent)
        self._name, self.colours = name, colours
        self.level, self._block, self._most = 0, 1, 0
        self.gpus_per_pixel = 1.0
        # where, which level, GPUs a pixel: as when taken hold of
        self._grip: tuple[float, int, float] | None = None
        self._asked = 0
        self._has_ring = False
        self.setFixedSize(HIT, HIT)
        self.setCursor(Qt.CursorShape.SizeVerCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleDescription(tr("Layer's top edge. Up, Down: one block; Shift: 8; Esc: cancel"))

    @property
    def is_held(self) -> bool:
        """Whether the mouse has hold of it."""
        return self._grip is not None

    def show_level(self, level: int, block: int, most: int) -> None:
        """GPUs of the layer, GPUs a step, and the most that the chart has room for.

        Units: GPUs. Name and tool tip are said anew only where they changed.
        """
        self.level, self._block, self._most = level, block, most
        said = by_count(
            level, "{name}: {gpus} GPU", "{name}: {gpus} GPUs", name=self._name, gpus=grouped(level)
        )
        if said != self.accessibleName():
            self.setAccessibleName(said)
            set_tip(self, tr("{said}. Drag, or press Up and Down (Shift: 8).", said=said))

    def show_ring(self, has_ring: bool) -> None:
        """The ring of its twin, the box in the table.

        has_ring: whether that has the keyboard.
        """
        self._has_ring = has_ring
        self.update()

    # What the hand does

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """The scale is that of now: it stands still while the hand holds it."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._grip = (event.globalPosition().y(), self.level, self.gpus_per_pixel)
            self._asked = self.level
            self.update()

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Whole blocks from the level it had; told only where that is another level."""
        if self._grip is None:
            return
        begin, level, gpus_per_pixel = self._grip
        moved = (begin - event.globalPosition().y()) * gpus_per_pixel
        asked = level + round(moved / self._block) * self._block
        asked = max(level % self._block, min(asked, max(self._most, level)))
        if asked != self._asked:
            self._asked = asked
            self.dragged.emit(asked)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._grip is not None and event.button() is Qt.MouseButton.LeftButton:
            self._grip = None
            self.update()
            self.dropped.emit(self._asked)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Up and Down by a block, with Shift by eight; Escape lets go of a drag. Other keys are for whoever
        stands above.
        """
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
        if event.key() == Qt.Key.Key_Escape and self._grip is not None:
            self._grip = None
            self.update()
            self.cancelled.emit()
        elif event.key() in steps and self._grip is None:
            is_big = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.stepped.emit(steps[Qt.Key(event.key())] * (BIG_STEP if is_big else 1))
        elif event.key() not in steps:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QtGui.QKeyEvent) -> None:
        if not event.isAutoRepeat():
            self.let_go.emit()
        super().keyReleaseEvent(event)

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)
        self.update()

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit(False)
        self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """A small box with two lines; a ring where it or its twin has the keyboard."""
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        inset = (HIT - DRAWN) / 2
        box = QRectF(inset + 0.5, inset + 0.5, DRAWN - 1, DRAWN - 1)
        is_focused = self.hasFocus() or self._has_ring or self.is_held
        edge = QtGui.QPen(
            QtGui.QColor(self.colours.focus if is_focused else self.colours.text), 2 if is_focused else 1
        )
        painter.setPen(edge)
        painter.setBrush(QtGui.QColor(self.colours.raised))
        painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1) if is_focused else box, 3, 3)
        painter.setPen(QtGui.QPen(QtGui.QColor(self.colours.text), 1))
        for height in (HIT / 2 - 1.5, HIT / 2 + 1.5):
            painter.drawLine(QPointF(HIT / 2 - 2, height), QPointF(HIT / 2 + 2, height))
