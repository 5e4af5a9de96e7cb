"""One column of the board: its cards, and whether a drop may land on them."""

import json
from collections.abc import Callable
from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.plain_text import MarkupLabel
from gpuplanner.charts.kit.translation import tr
from gpuplanner.ui.board.column_heading import ColumnHeading, least_width
from gpuplanner.ui.board.hover_change import HoverChange
from gpuplanner.ui.board.hover_note import HoverNote
from gpuplanner.ui.board.review import DECISION_KEYS, ReviewFoot
from gpuplanner.ui.cards.card_list import DRAG_HOT_SPOT, DRAG_WIDTH, WORKLOADS_MIME, CardView
from gpuplanner.ui.cards.delegate import CARD_HEIGHT, BoardDelegate, row_px
from gpuplanner.ui.cards.model import CardModel, Slot
from gpuplanner.ui.kit import drawing, palettes, type_scale
from gpuplanner.ui.kit.layout import column, named, share
from gpuplanner.ui.words import plan_changes
from gpuplanner.ui.words.lanes import Lane

BELOW_CARDS: Final = 4
"""Pixels from the last card to the end of the column."""


class PoolColumn(QtWidgets.QFrame):
    """One pool as a column of workload cards."""

    workloads_dropped = QtCore.Signal(tuple, object)  # keys, Pool
    hover_begun = QtCore.Signal(tuple, object)  # keys, Pool
    hover_ended = QtCore.Signal()
    empty_action_asked = QtCore.Signal()

    def __init__(self, lane: Lane) -> None:
        super().__init__()
        self.lane = lane
        self._is_target = False
        self._hovering: tuple[str, ...] = ()
        self._slot: Slot | None = None
        self._change: HoverChange | None = None
        self.refusal: Callable[[tuple[str, ...], Lane], str] = lambda keys, to: ""
        self.place_of: Callable[[tuple[str, ...], Lane], int] = lambda keys, to: 0
        self.setMinimumWidth(least_width(lane))
        self.setAcceptDrops(True)
        self.setAccessibleName(tr("{title} pool", title=lane.title) if lane.pool else tr("Review queue"))
        self.heading = ColumnHeading(lane)
        self.model = CardModel(self)
        self.delegate = BoardDelegate(self)
        self.cards = CardView(lane.title, self.model, self.delegate)
        self._empty = named(MarkupLabel(), role="muted")
        self._empty.setWordWrap(True)
        self._empty.setAlignment(QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignTop)
        self._empty.setContentsMargins(9, 6, 9, 0)
        self._empty.linkActivated.connect(lambda _: self.empty_action_asked.emit())
        self._empty.hide()
        self.foot = ReviewFoot() if lane is Lane.REVIEW else None
        self._rows = column(
            *(self.heading, self._empty, share(self.cards), self.foot, share(None, 0)),
            on=self,
            margins=(1, 3, 1, 1),
            spacing=0,
        )
        for changed in (self.model.rowsInserted, self.model.rowsRemoved, self.model.modelReset):
            changed.connect(self._fit_cards)
        if self.foot is not None:
            self.cards.decision_keys = DECISION_KEYS
        self.note = HoverNote(self)
        self.recolour()

    def sizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(240, 500)

    def _fit_cards(self, *_: object) -> None:
        """Let the column end with its last card, or with the last that it has room for in full."""
        cards = min(max(1, self.model.rowCount()), self._room_in_cards)
        high = cards * row_px() + BELOW_CARDS
        if high != self.cards.maximumHeight():
            self.cards.setMaximumHeight(high)
            self._rows.activate()  # before it is painted: the ground below follows its end
            self.update()

    @property
    def _room_in_cards(self) -> int:
        """How many whole cards there is room for between heading and foot, at least one."""
        around = [self.heading.height(), 2 * BELOW_CARDS]
        around += [
            part.sizeHint().height() for part in (self._empty, self.foot) if part and not part.isHidden()
        ]
        return max(1, (self.height() - sum(around)) // row_px())

    @property
    def end(self) -> int:
        """The lowest pixel of what the column shows; below it is the ground of the board."""
        parts = (part for part in (self._empty, self.cards, self.foot) if part is not None)
        lowest = max(part.geometry().bottom() for part in parts if not part.isHidden())
        return min(self.rect().bottom(), lowest + BELOW_CARDS)

    def recolour(self) -> None:
        """The cards are drawn on what `paintEvent` lays under them."""
        palette = palettes.in_use()
        ground = palette.lanes[self.lane].tint if self._is_target else palette.surface
        self.delegate.ground = ground
        self.cards.show_ground(ground)
        self.heading.show_ground(ground)
        self._fit_cards()  # text may have another size

    def show_empty(self, text: str) -> None:
        """One sentence in place of cards; empty text where there are some. May hold one link."""
        if text == self._empty.text() and self._empty.isHidden() is not bool(text):
            return
        self._empty.show_text(text)
        if self.foot is not None:
            self.foot.setVisible(not text)  # nothing to decide, nothing to press
        self._fit_cards()

    def show_change(self, slot: Slot, change: HoverChange | None = None) -> None:
        """Say in the open slot what a drop here would change, and under it what else is to be known."""
        if (row := self.model.slot_row) is not None:
            self._slot, self._change = slot, change or self._change
            self.model.open_slot(row, slot)
            self._place_note(row)

    def _place_note(self, row: int) -> None:
        """Puts what a drop would change under the open slot."""
        if self._change is not None:
            view = self.cards.viewport()
            corner = view.mapTo(self, self.cards.visualRect(self.model.index(row)).bottomLeft())
            self.note.show_change(self._change, corner, view.width())

    def _keep_slot_clear(self, mouse: QtCore.QPoint) -> None:
        """Move the slot out from under the picture of the card that hangs at the mouse: what it says is to be read."""
        if (row := self.model.slot_row) is None or self._slot is None:
            return
        to_column = self.cards.viewport().mapTo(self, QtCore.QPoint(0, 0))
        said = self.cards.visualRect(self.model.index(row)).translated(to_column)
        if not self.note.isHidden():
            said = said.united(self.note.geometry())
        held = QtCore.QRect(mouse - DRAG_HOT_SPOT, QtCore.QSize(DRAG_WIDTH, type_scale.text_px(CARD_HEIGHT)))
        if not said.intersects(held):
            return
        step, top = row_px(), self.cards.verticalScrollBar().value() - to_column.y()
        above = (held.top() - said.height() + top) // step
        below = -(-(held.bottom() + 1 + top) // step)
        wanted = above if above >= self._first_visible() else below
        if (wanted := min(max(wanted, self._first_visible()), self._last_visible())) != row:
            self.model.open_slot(wanted, self._slot)
            self._place_note(wanted)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """The column on its ground with the coloured edge on top, tinted while it is the target."""
        painter, palette = QtGui.QPainter(self), palettes.in_use()
        colours = palette.lanes[self.lane]
        fill = colours.tint if self._is_target else palette.surface
        border = colours.fill if self._is_target else palette.line
        whole = QtCore.QRect(0, 0, self.width(), self.end + 1)
        drawing.draw_box(painter, whole, fill, border, 4, 1)
        painter.setClipRect(QtCore.QRect(0, 0, self.width(), 3))
        drawing.draw_box(painter, QtCore.QRect(0, 0, self.width(), 12), colours.fill, None, 4)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_cards()
        self.cards.viewport().update()

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:
        """Takes the keys out of the drag and asks what dropping them would change."""
        if event.mimeData().hasFormat(WORKLOADS_MIME):
            self._hovering = tuple(json.loads(bytes(event.mimeData().data(WORKLOADS_MIME).data()).decode()))
            self.begin_hover(self._hovering)
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QtGui.QDragMoveEvent) -> None:
        """Keeps the slot under the mouse; says no where the drop is refused."""
        self._keep_slot_clear(event.position().toPoint())
        if self._hovering and not self.refusal(self._hovering, self.lane):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QtGui.QDragLeaveEvent) -> None:
        self.end_hover()

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        """Says which workloads were dropped into which pool; the column itself moves nothing."""
        keys = self._hovering
        self.end_hover()
        if keys and self.lane.pool is not None and not self.refusal(keys, self.lane):
            event.acceptProposedAction()
            self.workloads_dropped.emit(keys, self.lane.pool)

    def begin_hover(self, keys: tuple[str, ...]) -> None:
        """Show this column as the target of these cards."""
        reason = self.refusal(keys, self.lane)
        here = {card.key for card in self.model.cards}
        if not reason and set(keys) <= here and self.lane.pool is not None:
            return
        self._is_target = True
        self.recolour()
        row = min(max(self.place_of(keys, self.lane), self._first_visible()), self._last_visible())
        title = reason or tr("Whole plan")
        change = "" if reason else plan_changes.PENDING
        self._slot, self._change = Slot(title=title, change=change, is_refused=bool(reason)), None
        self.model.open_slot(row, self._slot)

        self.update()
        if not reason:
            self.hover_begun.emit(keys, self.lane.pool)

    def end_hover(self) -> None:
        """Back to what it was."""
        self._hovering = ()
        self.model.close_slot()
        self.note.hide()
        if self._is_target:
            self._is_target = False
            self.recolour()
            self.update()
            self.hover_ended.emit()

    def _first_visible(self) -> int:
        """The first row that is wholly in sight."""
        return -(-self.cards.verticalScrollBar().value() // row_px())

    def _last_visible(self) -> int:
        """The last row that is wholly in sight."""
        first = self.cards.verticalScrollBar().value() // row_px()
        return min(len(self.model.rows), first + self._room_in_cards - 1)
