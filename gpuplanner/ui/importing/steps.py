"""The steps of an import in a row: which is open, which are settled; each may be opened at any time."""

from itertools import pairwise
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.message import Message, worded
from gpuplanner.ui.kit.drawing import LEFT, draw_box, draw_icon, draw_text, text_width
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import spoken, tr

STEPS: Final = (worded("Files"), worded("Format"), worded("Columns"), worded("Issues"), worded("Import"))
FILES, FORMAT, COLUMNS, ISSUES, LAST = range(len(STEPS))
_DOT: Final = 16


class _StepButton(QAbstractButton):
    """A step by number and title: open, settled or still to come."""

    def __init__(self, number: int, title: Message, palette: Palette) -> None:
        super().__init__()
        self._number, self._palette = number, palette
        self.is_settled = False
        self.setText(spoken(title))
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(
            tr("Step {number} of {steps}: {title}", number=number, steps=len(STEPS), title=title)
        )

    def sizeHint(self) -> QSize:
        return QSize(_DOT + 8 + text_width(self.text(), font("total")) + 12, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The number in a ring, filled while it is open, a tick once it is settled, and the title."""
        painter, palette = QPainter(self), self._palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() // 2
        dot = QRect(4, middle - _DOT // 2, _DOT, _DOT)
        is_open = self.isChecked()
        role = "accent" if is_open or (self.is_settled and self.isEnabled()) else "muted"
        painter.setPen(QPen(palette.colour(role), 1.3))
        painter.setBrush(palette.colour("accent") if is_open else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(dot.adjusted(0, 0, -1, -1))
        if self.is_settled and not is_open:
            draw_icon(painter, "check", palette.colour(role), dot.left() + 2, dot.top() + 2, 12)
        else:
            painter.setFont(font("small_strong"))
            painter.setPen(palette.colour("on_accent" if is_open else "muted"))
            painter.drawText(
                dot.adjusted(0, 0, -1, -1), Qt.AlignmentFlag.AlignCenter.value, str(self._number)
            )
        place = QRect(dot.right() + 8, 0, self.width() - dot.right() - 8, self.height())
        colour = "text" if is_open or self.underMouse() else "muted"
        draw_text(
            painter, place, self.text(), font("total" if is_open else "body"), palette.colour(colour), LEFT
        )
        if self.hasFocus():
            draw_box(painter, self.rect(), None, palette.focus, 4, 2)


class StepBar(QWidget):
    """Told which step is open and which are settled; emits the one that was asked for."""

    step_asked = Signal(int)

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._palette = palette
        self.setAccessibleName(tr("Steps"))
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(30)
        for at, title in enumerate(STEPS):
            button = _StepButton(at + 1, title, palette)
            self._group.addButton(button, at)
            row.addWidget(button)
        row.addStretch(1)
        self._group.idClicked.connect(self.step_asked)

    def button(self, at: int) -> QAbstractButton:
        """The button of one step."""
        return self._group.button(at)

    def show_steps(self, at: int, settled: tuple[bool, ...], refusals: tuple[str, ...]) -> None:
        """The open step, which are settled, and why one cannot be opened (empty: it can)."""
        for number, button in enumerate(self._group.buttons()):
            assert isinstance(button, _StepButton)
            button.is_settled = settled[number]
            button.setEnabled(not refusals[number])
            said = (
                tr("open")
                if number == at
                else tr("settled")
                if settled[number]
                else tr("open it to look closer")
            )
            set_tip(
                button,
                spoken(refusals[number]) or tr("{step}: {state}", step=STEPS[number], state=said),
            )
            button.setChecked(number == at)
            button.update()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line between each step and the next."""
        painter = QPainter(self)
        painter.setPen(self._palette.colour("line"))
        buttons = self._group.buttons()
        for one, other in pairwise(buttons):
            middle = self.height() // 2
            painter.drawLine(one.geometry().right() + 2, middle, other.geometry().left() - 3, middle)
