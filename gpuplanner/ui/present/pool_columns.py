"""Pools side by side: a heading, then as many workloads as there is room for, the most expensive first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuplanner.ui.kit.drawing import LEFT, RIGHT, draw_icon, draw_text, fitting
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.present.large_type import large
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane
from gpuplanner.ui.words.translation import tr

GAP: Final = 32
BAR_PX: Final = 6


@dataclass(frozen=True, slots=True)
class WorkloadLine:
    """One workload: its name, its amount as it is said, and its share of the column's largest (0..1)."""

    name: str
    amount: str
    share: float


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """One pool: its $ a month as they are said, a line of facts, its workloads, most expensive first."""

    lane: Lane
    amount: str
    facts: tuple[str, ...]  # the same at several lengths, longest first
    lines: tuple[WorkloadLine, ...]


class PoolColumns(QWidget):
    """Told its columns."""

    def __init__(self, columns: Sequence[ColumnFacts], palette: Palette) -> None:
        super().__init__()
        self._columns, self._palette = tuple(columns), palette
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Pools"))
        self.setAccessibleDescription(" ".join(_in_words(column) for column in columns))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The columns side by side in equal widths."""
        painter = QPainter(self)
        count = max(1, len(self._columns))
        width = (self.width() - GAP * (count - 1)) // count
        for at, column in enumerate(self._columns):
            self._paint_column(painter, QRect(at * (width + GAP), 0, width, self.height()), column)

    def _paint_column(self, painter: QPainter, place: QRect, column: ColumnFacts) -> None:
        """A column: heading, facts, as many workloads as there is room for, and how many more there are."""
        palette, colour = self._palette, self._palette.lane(column.lane)
        title, small, body, strong = large("title"), large("small"), large("body"), large("strong")
        heading, line = QFontMetrics(title).height(), QFontMetrics(body).height()
        small_line = QFontMetrics(small).height()
        head = QRect(place.left(), place.top(), place.width(), heading)
        amount = draw_text(painter, head, column.amount, title, palette.text, RIGHT)
        draw_icon(painter, column.lane.icon, colour, head.left(), head.center().y() - 11, 24)
        draw_text(painter, head.adjusted(34, 0, -amount - 12, 0), column.lane.title, title, palette.text)
        top = head.bottom() + 4
        painter.fillRect(QRect(place.left(), top, place.width(), 3), colour)
        facts = QRect(place.left(), top + 9, place.width(), small_line)
        draw_text(painter, facts, fitting(column.facts, small, place.width()), small, palette.muted)
        top = facts.bottom() + 16
        row = line + BAR_PX + 16
        room = max(0, (place.bottom() - top - small_line) // row)
        shown = column.lines[:room]
        for workload in shown:
            words = QRect(place.left(), top, place.width(), line)
            used = draw_text(painter, words, workload.amount, body, palette.text, RIGHT)
            name = words.adjusted(0, 0, -used - 12, 0)
            draw_text(painter, name, workload.name, strong, palette.text, LEFT, Qt.TextElideMode.ElideMiddle)
            bar = QRect(place.left(), words.bottom() + 3, place.width(), BAR_PX)
            painter.fillRect(bar, palette.colour("track"))
            bar.setWidth(max(1, round(workload.share * place.width())))
            painter.fillRect(bar, colour)
            top += row
        others = len(column.lines) - len(shown)
        if others or not column.lines:
            text = tr("and {others} more", others=numbers.whole(others)) if others else tr("No workload")
            draw_text(
                painter, QRect(place.left(), top, place.width(), small_line), text, small, palette.muted
            )


def _in_words(column: ColumnFacts) -> str:
    """A column in a sentence for screen readers, with its first five workloads."""
    first = ", ".join(f"{line.name} {line.amount}" for line in column.lines[:5])
    lane, amount, fact = column.lane.title, column.amount, column.facts[0]
    if not first:
        return tr("{lane}: {amount} per month, {fact}.", lane=lane, amount=amount, fact=fact)
    return tr(
        "{lane}: {amount} per month, {fact}: {first}.", lane=lane, amount=amount, fact=fact, first=first
    )
