"""The list of decisions: a day, what to do and with whom, what it saves, and what it commits."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QMenu, QStyle, QStyleOptionViewItem

from gpuplanner.charts.kit.translation import speak, spoken
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.message import Text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.decisions.actions import ACTIONS, WHY
from gpuplanner.ui.kit import drawing, palettes, type_scale
from gpuplanner.ui.kit.page_parts import soon
from gpuplanner.ui.tables.row_list import CHEVRON_PX, ListRow, RowDelegate, RowList
from gpuplanner.ui.words import numbers

TALL_PX: Final = 60
"""Height of a decision of now, in the usual text size."""
LOW_PX: Final = 40
"""The same of the others."""
DAY_PX: Final = 86
AMOUNT_PX: Final = 84
GAP_PX: Final = 36
"""Widths of the columns of days and amounts, and between the two amounts, in the usual text size."""
RIGHT_PX: Final = 12 + CHEVRON_PX
"""Between the amounts and the right edge: as in the other rows, which may have a chevron there."""
STRIPE_PX: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRow(ListRow):
    """A decision in the list. day, day_role: its chip, and the colour of it; "" where it has no day.

    number: D1, with the day where the chip does not name it. commits: $ that it commits; shortly: its title where
    there is less room. is_tall: of now.
    """

    decision: NextDecision
    day: str = ""
    day_role: str = "muted"
    number: str
    commits: str = ""
    shortly: Text = ""
    is_tall: bool = False

    def __post_init__(self) -> None:
        ListRow.__post_init__(self)
        speak(self, "shortly")


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionHeading(ListRow):
    """A heading of decisions. aside: said beside it; columns: titles of their two amounts."""

    aside: str = ""
    columns: tuple[str, str]


class _DecisionDelegate(RowDelegate):
    """Draws decisions, and headings over their columns; other rows as any list does."""

    def __init__(self, owner: "DecisionList") -> None:
        super().__init__(owner)
        self._list = owner

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row = index.data(Qt.ItemDataRole.UserRole)
        if isinstance(row, DecisionRow):
            return QSize(100, type_scale.text_px(TALL_PX if row.is_tall else LOW_PX))
        return super().sizeHint(option, index)

    def paint_row(
        self,
        painter: QPainter,
        rect: QRect,
        state: QStyle.StateFlag,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row = index.data(Qt.ItemDataRole.UserRole)
        if isinstance(row, DecisionRow):
            _paint_decision(painter, rect, state, row, is_settling=self._list.is_settling)
        elif isinstance(row, DecisionHeading):
            _paint_heading(painter, rect, row)
        else:
            super().paint_row(painter, rect, state, index)


def _paint_heading(painter: QPainter, rect: QRect, row: DecisionHeading) -> None:
    """Draw a title with what is said beside it, and the names of the columns."""
    palette = palettes.in_use()
    title, small = type_scale.base_font("title"), type_scale.base_font("small")
    place = QRect(rect.left() + 14, rect.top() + 4, rect.width() - 3 * AMOUNT_PX, 20)
    drawn = drawing.draw_text(painter, place, str(row.title), title, palette.text)
    beside = place.adjusted(drawn + 8, 1, 0, 1)
    drawing.draw_text(painter, beside, row.aside, small, palette.muted)
    for right, words in zip(_amount_edges(rect), row.columns, strict=True):
        width = type_scale.text_width(words, small) + 2
        column = QRect(right - width, rect.top() + 5, width, 20)
        drawing.draw_text(painter, column, words, small, palette.muted, drawing.RIGHT)


def _amount_edges(rect: QRect) -> tuple[int, int]:
    """Right edges of the two columns of amounts in a row: what is saved, and what is committed."""
    right = rect.right() - RIGHT_PX
    return right - AMOUNT_PX - GAP_PX, right


def _paint_decision(
    painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: DecisionRow, *, is_settling: bool
) -> None:
    """Draw a decision: its day over its number, its title over its note, and its amounts.

    is_settling: it is of the plan before an edit, and muted until the new one is known.
    """
    palette = palettes.in_use()
    small, total = type_scale.base_font("small"), type_scale.base_font("total")
    place = rect.adjusted(8, 0, -8, -4 if row.is_tall else 0)
    is_selected = bool(state & QStyle.StateFlag.State_Selected)
    ground = "surface" if state & QStyle.StateFlag.State_MouseOver else "raised"
    if is_selected:
        ground = "selection"
    if row.is_tall:
        edge = palette.accent if is_selected else palette.line
        drawing.draw_box(painter, place, palette.colour(ground), edge, 4)
    else:
        painter.fillRect(place, palette.colour(ground))
        painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), palette.colour("line"))
    if row.day_role == "red":
        stripe = QRect(place.left(), place.top(), STRIPE_PX, place.height())
        painter.fillRect(stripe, palette.colour("red"))
    first, second = place.top() + (8 if row.is_tall else 3), place.top() + (29 if row.is_tall else 19)
    day = QRect(place.left() + 12, first, DAY_PX, 17)
    drawing.draw_text(painter, day, row.day, small, palette.colour(row.day_role))
    number = QRect(place.left() + 12, second, DAY_PX, 17)
    drawing.draw_text(painter, number, row.number, small, palette.muted)
    saved_right, right = _amount_edges(rect)
    commits = QRect(right - AMOUNT_PX, first, AMOUNT_PX, 17)
    saves = QRect(saved_right - AMOUNT_PX, first, AMOUNT_PX, 17)
    strong = type_scale.base_font("strong")
    ink = palette.muted if is_settling else palette.text
    is_saving = row.decision.kind != "question" and (row.decision.usd_12_months or 0.0) > 0
    drawing.draw_text(painter, commits, row.commits, strong, ink, drawing.RIGHT)
    saved_ink = palette.green if is_saving and not is_settling else ink
    drawing.draw_text(painter, saves, row.amount, strong, saved_ink, drawing.RIGHT)
    left = place.left() + 12 + DAY_PX
    room = saves.left() - 8 - left
    words = drawing.fitting((str(row.title), str(row.shortly or row.title)), total, room)
    drawing.draw_text(painter, QRect(left, first, room, 17), words, total, ink)
    note = QRect(left, second, right - left, 17)
    drawing.draw_text(painter, note, str(row.note), small, palette.muted)
    if state & QStyle.StateFlag.State_HasFocus:
        drawing.draw_box(painter, rect.adjusted(2, 1, -2, -1), None, palette.focus, 4, 2)


class DecisionList(RowList):
    """Told the rows of the page; says which decision is looked at, and makes the menu of it."""

    decision_chosen = Signal(object)  # NextDecision, or None

    def __init__(self, name: str, menu_of_decision: Callable[[NextDecision], QMenu]) -> None:
        super().__init__(name)
        self._menu_of_decision = menu_of_decision
        self._wanted = ""
        self.is_settling = False  # its rows are of the plan before an edit
        self._told = soon(self, self._tell)
        self.setItemDelegate(_DecisionDelegate(self))
        self.selectionModel().currentChanged.connect(lambda *_: self._told.start())

    @property
    def chevron_px(self) -> int:
        """Room for a chevron whether or not a row has one: amounts of all rows stand below each other."""
        return CHEVRON_PX

    def show_rows(self, rows: Sequence[ListRow]) -> None:
        """Show these rows; the decision that is looked at stays so, or is the first."""
        super().show_rows(rows)
        keys = [row.key for row in rows if isinstance(row, DecisionRow)]
        wanted = self._wanted if self._wanted in keys else next(iter(keys), "")
        self.choose(wanted)
        self._tell()

    def set_settling(self, *, is_settling: bool) -> None:
        """Draw the rows muted while another plan is worked out."""
        if is_settling != self.is_settling:
            self.is_settling = is_settling
            self.viewport().update()

    def choose(self, key: str) -> None:
        """Look at the decision of an id."""
        for place, row in enumerate(self.rows):
            if isinstance(row, DecisionRow) and row.key == key:
                self._wanted = key
                index = self.model().index(place, 0)
                if self.currentIndex() != index or not self.selectionModel().isSelected(index):
                    self.setCurrentIndex(index)
                self.scrollTo(index)

    def _tell(self) -> None:
        """Say which decision is looked at; a row that is none leaves the one before."""
        place = self.currentIndex().row()
        current = self.rows[place] if 0 <= place < len(self.rows) else None
        if isinstance(current, DecisionRow):
            self._wanted = current.key
            self.decision_chosen.emit(current.decision)
        elif not any(isinstance(row, DecisionRow) for row in self.rows):
            self.decision_chosen.emit(None)

    def amount_rect(self, index: QModelIndex) -> QRect:
        """Where the amount of a row stands, in pixels of the list."""
        row, rect = self.rows[index.row()], self.visualRect(index)
        if not isinstance(row, DecisionRow):
            return super().amount_rect(index)
        right = rect.right() - type_scale.text_px(RIGHT_PX + AMOUNT_PX + GAP_PX)
        width = type_scale.text_px(type_scale.text_width(row.amount, type_scale.base_font("strong")))
        place = QRect(right - width, rect.top(), width, type_scale.text_px(TALL_PX // 2))
        return place.translated(self.viewport().pos())

    def menu(self, index: QModelIndex) -> QMenu:
        """What a row offers; of a decision first what can be done with it."""
        menu = super().menu(index)
        row = self.rows[index.row()] if index.isValid() else None
        if isinstance(row, DecisionRow) and (row.decision.can_reopen or not row.decision.is_done):
            first = menu.actions()[0]  # to copy the row, at least
            of_decision = self._menu_of_decision(row.decision)
            of_decision.setParent(menu)
            for action in of_decision.actions():
                if action.text() != spoken(ACTIONS[WHY]):  # the menu of a row has it
                    menu.insertAction(first, action)
            menu.insertSeparator(first)
        return menu


def amount_words(usd: float | None) -> str:
    """Whole dollars of a column; a dash where they are unknown."""
    return numbers.UNKNOWN if usd is None else numbers.whole(usd)
