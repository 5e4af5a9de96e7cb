"""Under the slot while a card hovers: the change of utilization, and what the rules say; the mouse goes through it."""

from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gpuplanner.domain.message import Text
from gpuplanner.ui.board.hover_change import HoverChange
from gpuplanner.ui.kit.drawing import draw_box, draw_icon, draw_text
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font, width_of
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

LINE, PAD, MOST_WARNINGS = 17, 8, 4
_WRAPPED: Final = 4
"""A warning takes at most so many lines; its rest is in the side sheet."""


class HoverNote(QWidget):
    """Told a change and where its slot is."""

    def __init__(self, palette: Palette, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(tr("What a drop changes"))
        self._palette = palette
        self._lines: tuple[tuple[str, str, str], ...] = ()  # icon, role, text
        self.hide()

    @property
    def text(self) -> str:
        """All that it says."""
        return "\n".join(text for _, _, text in self._lines)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.update()

    def show_change(self, change: HoverChange, under: QPoint, width: int) -> None:
        """Say it under a place; above it where there is no room. Nothing to say: nothing is shown."""
        lines = [("", "text", said) for said in (utilization_words(change),) if said]
        room = width - 2 * PAD - 20
        for warning in change.warnings[:MOST_WARNINGS]:
            first, *more = _wrapped(warning.text, room)
            if len(more) >= _WRAPPED:
                more = [*more[: _WRAPPED - 2], f"{more[_WRAPPED - 2]} \u2026"]
            lines += [(warning.icon, warning.role, first), *(("", "muted", rest) for rest in more)]
        self._lines = tuple(lines)
        self.setAccessibleDescription(spoken(self.text))
        height = LINE * len(lines) + 2 * PAD - 4
        top, parent = under.y() + 2, self.parentWidget()
        if parent is not None and top + height > parent.height():
            top = max(0, under.y() - 52 - height)
        self.setGeometry(QRect(under.x(), top, width, height))
        self.setVisible(bool(lines))
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The lines in their box, icons in a column of their own if any line has one."""
        painter, palette = QPainter(self), self._palette
        draw_box(painter, self.rect(), palette.raised, palette.edge, 4)
        has_icons = any(drawn for drawn, _, _ in self._lines)
        for place, (drawn, role, text) in enumerate(self._lines):
            top = PAD - 2 + LINE * place
            if drawn:
                draw_icon(painter, drawn, palette.colour(role), PAD, top + 2, 14)
            left = PAD + (20 if has_icons and place else 0)
            rect = QRect(left, top, self.width() - left - PAD, LINE)
            draw_text(painter, rect, text, font("small"), palette.muted if role == "muted" else palette.text)


def utilization_words(change: HoverChange) -> str:
    """Utilization 71.2% to 73.0%, +1.8 pt; empty where either is unknown."""
    before, after = change.utilization
    if before is None or after is None:
        return ""
    points = round(100 * after, 1) - round(100 * before, 1)
    sign = "+" if points > 0.05 else numbers.MINUS if points < -0.05 else "\u00b1"
    return tr(
        "Utilization {after}, {sign}{points} pt",
        after=numbers.percent(after),
        sign=sign,
        points=numbers.one_decimal(abs(points)),
    )


def _wrapped(text: Text, room: int) -> list[str]:
    """Words in lines of a width; a word that is too long is elided when it is drawn."""
    lines = [""]
    for word in str(text).split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, font("small")) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
