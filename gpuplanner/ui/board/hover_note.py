"""The note under a hovering card: change of utilization, and warnings of rules."""

from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Text
from gpuplanner.ui.board.hover_change import HoverChange
from gpuplanner.ui.kit import drawing, palettes, type_scale
from gpuplanner.ui.words import numbers

LINE, PAD, MOST_WARNINGS = 17, 8, 4
_WRAPPED: Final = 4
"""A warning takes at most so many lines; its rest is in the side sheet."""


class HoverNote(QtWidgets.QWidget):
    """Told a change and where its slot is."""

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent, accessibleName=tr("Effect of a drop"))
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._lines: tuple[tuple[str, str, str], ...] = ()  # icon, role, text
        self.hide()

    @property
    def text(self) -> str:
        """All that it says."""
        return "\n".join(text for _, _, text in self._lines)

    def show_change(self, change: HoverChange, under: QtCore.QPoint, width: int) -> None:
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
        self.setGeometry(QtCore.QRect(under.x(), top, width, height))
        self.setVisible(bool(lines))
        self.raise_()
        self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """The lines in their box, icons in a column of their own if any line has one."""
        painter, palette = QtGui.QPainter(self), palettes.in_use()
        drawing.draw_box(painter, self.rect(), palette.raised, palette.edge, 4)
        has_icons = any(drawn for drawn, _, _ in self._lines)
        for place, (drawn, role, text) in enumerate(self._lines):
            top = PAD - 2 + LINE * place
            if drawn:
                drawing.draw_icon(painter, drawn, palette.colour(role), PAD, top + 2, 14)
            left = PAD + (20 if has_icons and place else 0)
            rect = QtCore.QRect(left, top, self.width() - left - PAD, LINE)
            colour = palette.muted if role == "muted" else palette.text
            drawing.draw_text(painter, rect, text, type_scale.base_font("small"), colour)


def utilization_words(change: HoverChange) -> str:
    """Utilization 71.2% to 73.0%, +1.8 pt; empty where either is unknown."""
    before, after = change.utilization
    if before is None or after is None:
        return ""
    points = round(100 * after, 1) - round(100 * before, 1)
    if points > 0.05:
        sign = "+"
    elif points < -0.05:
        sign = numbers.MINUS
    else:
        sign = "\u00b1"
    moved, now = numbers.one_decimal(abs(points)), numbers.percent(after)
    return tr("Utilization {after}, {sign}{points} pt", after=now, sign=sign, points=moved)


def _wrapped(text: Text, room: int) -> list[str]:
    """Words in lines of a width; a word that is too long is elided when it is drawn."""
    lines = [""]
    for word in str(text).split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and type_scale.width_of(longer, type_scale.base_font("small")) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
