"""The cards of one column as a list model: the evaluation's own values, headings of groups, and one open slot."""

from collections.abc import Callable, Mapping, Sequence
from itertools import compress, count, islice
from operator import attrgetter, eq, is_, is_not
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Qt
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.plain_text import tip_text
from gpuplanner.charts.kit.translation import speak, tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Message, Text
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.cards.card_dates import UNDATED, CardDates, Dates
from gpuplanner.ui.cards.column_rows import BoardRow, GroupHeading, row_id
from gpuplanner.ui.cards.marks import Mark, read_out, tool_tip
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane

CARD_ROLE: Final = Qt.ItemDataRole.UserRole + 1
FACE_ROLE: Final = Qt.ItemDataRole.UserRole + 2
SLOT_ROLE: Final = Qt.ItemDataRole.UserRole + 3

HEADING_ROLE: Final = Qt.ItemDataRole.UserRole + 4

_Index = QModelIndex | QPersistentModelIndex
_KEY: Final = attrgetter("key")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A dashed place among the cards: where a drop would land, or where a card was taken from."""

    title: str
    change: str = ""
    is_saving: bool = False
    details: tuple[tuple[Lane, str], ...] = ()  # the change of each pool, the target's first
    beside: str = ""  # the change of another month, in place of the pools
    is_refused: bool = False
    is_source: bool = False

    def __post_init__(self) -> None:
        speak(self, "title")


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """What a card shows beside its own values: $ a month, its bar as a share of the column's largest, its marks."""

    usd: float | None
    bar: float
    marks: tuple[Mark, ...]
    is_settling: bool
    apart: Text = ""  # what tells it from another card of its name
    ends: tuple[str, ...] = ()  # of its name, where the whole has no room: what tells it from other names
    dates: CardDates = UNDATED  # when it is there in the plan


@dataclass(frozen=True, slots=True)
class RowChange:
    """Rows are others now. row: the one card that came or went, where that is all; Qt knows of it then."""

    row: int | None = None


Look = tuple[Slot | None, BoardRow | None, Face | None]
"""What is drawn in a row: a slot (open, or in place of a card that is taken away), else a heading or a card."""


class _OpenSlot(NamedTuple):
    """The slot that is open, and the row that it stands in."""

    row: int
    slot: Slot


class CardModel(QStringListModel):
    """Cards, and headings of their groups, in the order they are shown, with at most one open slot among them.

    Qt's own list of (empty) strings has a place for each row, so that Qt, which asks for the number of rows thousands
    of times in a frame, need not call back into Python: each call would wait for workers that hold the interpreter.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: Sequence[BoardRow] = ()  # cards and headings, top to bottom, without slots
        self._cards: Sequence[CardFigures] | None = ()
        self._places: Mapping[str, int] | None = {}
        self._usd: Mapping[str, float | None] = {}
        self._marks: Mapping[str, tuple[Mark, ...]] = {}
        self._apart: Mapping[str, Text] = {}
        self._ends: Mapping[str, tuple[str, ...]] = {}
        self._dates: Dates = {}
        self._is_settling = False
        self._faces: dict[str, Face] = {}
        self._largest = 0.0
        self._moving: frozenset[str] = frozenset()
        self._leaving: Mapping[str, str] = {}
        self._slot: _OpenSlot | None = None

    @property
    def cards(self) -> Sequence[CardFigures]:
        """The cards, top to bottom, without slots and headings."""
        if self._cards is None:
            self._cards = [row for row in self.rows if isinstance(row, CardFigures)]
        return self._cards

    def row_of(self, key: str | None) -> int | None:
        """The row of a card, with the slot counted; None where it is not shown."""
        if self._places is None:
            ids = map(_KEY if self._cards is self.rows else row_id, self.rows)
            self._places = dict(zip(ids, range(len(self.rows)), strict=True))
        place = None if key is None else self._places.get(key)
        return place if place is None or self._slot is None else place + (place >= self._slot.row)

    def show_cards(
        self,
        rows: Sequence[BoardRow],
        usd: Mapping[str, float | None],
        marks: Mapping[str, tuple[Mark, ...]],
        largest: float,
        is_settling: bool,
        apart: Mapping[str, Message] | None = None,
        ends: Mapping[str, tuple[str, ...]] | None = None,
        dates: Dates | None = None,
        *,
        has_headings: bool = True,
    ) -> RowChange | None:
        """Show these rows; `largest` is the GPU-hours that fill a bar. Returns what changed, None where all are there.

        apart: by key, what tells a card from another of its name. ends: by name, see `telling_ends`. has_headings:
        False where every row is known to be a card, so that thousands need not be asked.
        """
        self.close_slot()
        self._ends = ends or {}
        dates = {} if dates is None else dates
        before = self.rows
        is_as_long = len(rows) == len(before)
        is_untouched = rows is before or (is_as_long and all(map(is_, rows, before)))
        same = is_untouched or (is_as_long and all(map(eq, map(row_id, rows), map(row_id, before))))
        is_all_as_it_was = (
            is_untouched
            and usd is self._usd
            and marks is self._marks
            and apart is self._apart
            and dates is self._dates
            and (largest, is_settling) == (self._largest, self._is_settling)
        )
        self.rows, self._usd, self._marks, self._dates = rows, usd, marks, dates
        self._cards = None if has_headings else rows  # type: ignore[assignment]  # no headings: all are cards
        if not same:
            self._places = None
        if not is_all_as_it_was:
            self._faces = {}
        self._largest, self._is_settling, self._apart = largest, is_settling, apart or {}
        if not is_as_long:
            row = self._resize(before, rows)
            return RowChange(None if has_headings else row)
        if rows and not is_all_as_it_was:
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
        return None if same else RowChange()

    def _resize(self, before: Sequence[BoardRow], rows: Sequence[BoardRow]) -> int | None:
        """As many places as there are rows. One that came or went is told as that: what is selected stays selected.

        Returns its row; None where there was more than that.
        """
        more = len(rows) - len(before)
        fewer, longer = (before, rows) if more > 0 else (rows, before)
        at = next(compress(count(), map(is_not, fewer, longer)), len(fewer))
        if abs(more) != 1 or not all(map(is_, islice(fewer, at, None), islice(longer, at + 1, None))):
            self.setStringList([""] * len(rows))
            return None
        if more > 0:
            self.insertRows(at, 1)
        else:
            self.removeRows(at, 1)
        if rows:
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
        return at

    def show_moving(self, keys: frozenset[str]) -> None:
        """Show the cards of these keys as taken away."""
        self._moving = keys
        if self.rows:
            self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))

    def show_leaving(self, said: Mapping[str, str]) -> None:
        """Show cards that were decided as taken away until their figures are there; said: key -> words."""
        if said or self._leaving:
            self._leaving = said
            if self.rows:
                self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))

    def open_slot(self, row: int, slot: Slot) -> None:
        """Open the slot before a row, or change what it says."""
        if self._slot is not None and self._slot.row == row:
            self._slot = _OpenSlot(row=row, slot=slot)
            self.dataChanged.emit(self.index(row), self.index(row))
            return
        self.close_slot()
        self._slot = _OpenSlot(row=row, slot=slot)
        self.insertRows(row, 1)

    def close_slot(self) -> None:
        """Take the slot away."""
        if self._slot is not None:
            self.removeRows(self._slot.row, 1)
            self._slot = None

    @property
    def slot_row(self) -> int | None:
        """Where the slot is open."""
        return None if self._slot is None else self._slot.row

    def row_at(self, row: int) -> BoardRow | None:
        """The card or heading of a row; None for the slot."""
        if self._slot is not None:
            if row == self._slot.row:
                return None
            row -= row > self._slot.row
        return self.rows[row] if 0 <= row < len(self.rows) else None

    def card_at(self, row: int) -> CardFigures | None:
        """The card of a row; None for the slot and for headings."""
        found = self.row_at(row)
        return found if isinstance(found, CardFigures) else None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Cards can be selected and dragged; headings and slots only be there."""
        if self.card_at(index.row()) is None:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What Qt asks of a row: of a card, a heading or the open slot, by role."""
        card = self.row_at(index.row())
        if isinstance(card, GroupHeading):
            heading = _OF_HEADING.get(role)
            return None if heading is None else heading(card)
        if card is None:
            slot = None if self._slot is None else self._slot.slot
            if role == SLOT_ROLE:
                return slot
            return slot.title if slot is not None and role == Qt.ItemDataRole.DisplayRole else None
        teller = _TOLD.get(role)
        return None if teller is None else teller(self, card)

    def look_of(self, row: int) -> Look:
        """What is drawn in a row, as the roles of `data` say it, without a way through Qt for each."""
        if (entry := self.row_at(row)) is None:
            return (None if self._slot is None else self._slot.slot), None, None
        if isinstance(entry, GroupHeading):
            return None, entry, None
        taken = self._source(entry) if self._moving or self._leaving else None
        return taken, entry, self._face(entry)

    def _face(self, card: CardFigures) -> Face:
        """Made when a card is first painted, for thousands are never seen; kept until one of its values changes."""
        if (face := self._faces.get(card.key)) is not None:
            return face
        bar = card.gpu_hours_per_month / self._largest if self._largest > 0 else 0.0
        made = self._faces[card.key] = Face(
            usd=self._usd.get(card.key),
            bar=bar,
            marks=self._marks.get(card.key, ()),
            is_settling=self._is_settling,
            apart=self._apart.get(card.key, ""),
            ends=self._ends.get(card.name, ()),
            dates=self._dates.get(card.key, UNDATED),
        )
        return made

    def _source(self, card: CardFigures) -> Slot | None:
        """The slot that a card leaves behind while it is dragged or moves; None if it stays."""
        if card.key in self._leaving:
            return Slot(title=self._leaving[card.key], is_source=True)
        return (
            Slot(title=tr("Moving {card}", card=card.name), is_source=True)
            if card.key in self._moving
            else None
        )

    def _tip(self, card: CardFigures) -> str:
        return tool_tip(
            card, self._usd.get(card.key), self._marks.get(card.key, ()), self._is_settling, self._when(card)
        )

    def _spoken(self, card: CardFigures) -> str:
        return read_out(card, self._usd.get(card.key), self._marks.get(card.key, ()), self._when(card))

    def _when(self, card: CardFigures) -> str:
        """The first of what a card says of time; empty if it says nothing."""
        return next(iter(self._dates.get(card.key, UNDATED).texts), "")


_TOLD: Final[dict[int, Callable[[CardModel, CardFigures], Any]]] = {
    CARD_ROLE: lambda model, card: card,
    FACE_ROLE: CardModel._face,
    SLOT_ROLE: CardModel._source,
    Qt.ItemDataRole.DisplayRole: lambda model, card: card.name,
    Qt.ItemDataRole.ToolTipRole: CardModel._tip,
    Qt.ItemDataRole.AccessibleTextRole: CardModel._spoken,
}
"""What a card answers, by role."""


def _spoken_heading(heading: GroupHeading) -> str:
    """The accessible name of a heading: group, cards, $ a month, GPU-hours, whether it is folded."""
    values = {
        "title": heading.title,
        "workloads": numbers.counted(heading.cards, "workload"),
        "whole_usd_per_month": numbers.dollars(heading.whole_usd_per_month),
        "gpu_hours_per_month": numbers.whole(heading.gpu_hours_per_month),
    }
    if heading.is_folded:
        return tr(long_text("group_folded", **values))
    return tr(long_text("group_unfolded", **values))


_OF_HEADING: Final[dict[int, Callable[[GroupHeading], Any]]] = {
    HEADING_ROLE: lambda heading: heading,
    Qt.ItemDataRole.DisplayRole: lambda heading: heading.title,
    Qt.ItemDataRole.ToolTipRole: lambda heading: tip_text(
        tr(
            "{title}: {usd_per_month} and {gpu_hours_per_month} GPU-h per month.\nEnter or click: "
            "fold or unfold. Ctrl+click: select its cards.",
            title=heading.title,
            usd_per_month=numbers.cents(heading.usd_per_month),
            gpu_hours_per_month=numbers.one_decimal(heading.gpu_hours_per_month),
        )
    ),
    Qt.ItemDataRole.AccessibleTextRole: _spoken_heading,
}
"""What the heading of a group answers, by role."""
