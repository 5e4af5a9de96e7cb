"""The steps of an import in a row: which is open, and which are settled."""

from itertools import pairwise
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Message
from gpuplanner.files.importing.reconciliation import TOTALS_DISAGREE
from gpuplanner.files.system.resources import words_table
from gpuplanner.files.tables.odd_rates import ODD_RATE
from gpuplanner.ui.kit.drawing import LEFT, draw_box, draw_icon, draw_text
from gpuplanner.ui.kit.layout import STRETCH, row
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.kit.type_scale import font, text_width

ASKED: Final = (TOTALS_DISAGREE, ODD_RATE)
"""Issues that stop an import with a question."""
STEPS: Final = tuple(words_table("import_step").values())
FILES, FORMAT, COLUMNS, ISSUES, CONTRACTS, LAST = range(len(STEPS))
_DOT: Final = 16


class _StepButton(QAbstractButton):
    """A step by number and title: open, settled or still to come."""

    def __init__(self, number: int, title: Message) -> None:
        super().__init__()
        self._number = number
        self.is_settled = False
        self.setText(spoken(title))
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        steps = len(STEPS)
        words = tr("Step {number} of {steps}: {title}", number=number, steps=steps, title=title)
        self.setAccessibleName(words)

    def sizeHint(self) -> QSize:
        return QSize(_DOT + 8 + text_width(self.text(), font("total")) + 12, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The number in a ring, filled while it is open, a tick once it is settled, and the title."""
        painter, palette = QPainter(self), in_use()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dot = QRect(4, (self.height() // 2) - _DOT // 2, _DOT, _DOT)
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
            centre = Qt.AlignmentFlag.AlignCenter.value
            painter.drawText(dot.adjusted(0, 0, -1, -1), centre, str(self._number))
        place = QRect(dot.right() + 8, 0, self.width() - dot.right() - 8, self.height())
        colour = palette.colour("text" if is_open or self.underMouse() else "muted")
        draw_text(painter, place, self.text(), font("total" if is_open else "body"), colour, LEFT)
        if self.hasFocus():
            draw_box(painter, self.rect(), None, palette.focus, 4, 2)


class StepBar(QWidget):
    """Told which step is open and which are settled; emits the one that was asked for."""

    step_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Steps"))
        self._group = QButtonGroup(self)
        for at, title in enumerate(STEPS):
            self._group.addButton(_StepButton(at + 1, title), at)
        row(*self._group.buttons(), STRETCH, on=self, spacing=30)
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
            state = tr("settled") if settled[number] else tr("open to see more")
            state = tr("{title}: {value}", title=STEPS[number], value=tr("open") if number == at else state)
            set_tip(button, spoken(refusals[number]) or state)
            button.setChecked(number == at)
            button.update()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line between each step and the next."""
        painter = QPainter(self)
        painter.setPen(in_use().colour("line"))
        for one, other in pairwise(self._group.buttons()):
            middle = self.height() // 2
            painter.drawLine(one.geometry().right() + 2, middle, other.geometry().left() - 3, middle)
