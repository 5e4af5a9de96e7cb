"""The question of an import about rates far from the market: what the price is for, or that it is right."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.model.worded import Message, Text, worded
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.labels import muted_label, named_button
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import spoken, tr
from gpuplanner.ui.words.window_words import in_window_words

RIGHT: Final = ""
"""The answer that the rates are as they should be."""

ANSWERS: Final = (
    (RIGHT, worded("It is right"), worded("Take the rates as they are")),
    ("gpu_hour", worded("A GPU and hour"), worded("Take each number as $ per GPU-hour")),
    ("gpu_month", worded("A GPU and month"), worded("Divide by 730 hours")),
    ("hour", worded("An hour, all GPUs"), worded("Divide by the GPUs of the row or of its machine")),
    ("month", worded("A month, all GPUs"), worded("Divide by 730 hours and the GPUs of the row")),
)
"""Unit of the price, its words, and what is done then."""

_ICON_PX: Final = 16


class RateQuestion(QFrame):
    """Told which file has such rates, or none; emits what its prices are for."""

    answered = Signal(str)  # a unit of prices, or RIGHT

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Rates far from the market"))
        sign = PlainLabel()
        sign.setPixmap(icon("triangle", palette.amber).pixmap(_ICON_PX, _ICON_PX))
        self._title, self._sentence = PlainLabel(), muted_label()
        self._title.setFont(font("strong"))
        self.buttons = {}
        row = QHBoxLayout()
        row.setSpacing(8)
        for unit, words, tip in ANSWERS:
            button = named_button(words, tip)
            button.clicked.connect(lambda _=False, unit=unit: self.answered.emit(unit))
            self.buttons[unit] = button
            row.addWidget(button)
        row.addStretch(1)
        words_box = QVBoxLayout()
        words_box.setSpacing(4)
        words_box.addWidget(self._title)
        words_box.addWidget(self._sentence)
        words_box.addLayout(row)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(20, 8, 20, 10)
        layout.setSpacing(10)
        layout.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words_box, 1)
        self.hide()

    def show_question(self, name: str, message: Text, unit: str = "") -> None:
        """Ask about a file; unit: in which its prices were read, empty where no other can be chosen. No name: hide."""
        self.setVisible(bool(name))
        if name:
            self._title.setText(tr("{name}: what is the price for?", name=name))
            self._sentence.setText(spoken(_rows_of(message)))
            self.setAccessibleDescription(self._sentence.text())
            for answer, button in self.buttons.items():
                button.setVisible(answer == RIGHT or bool(unit and answer != unit))


def _rows_of(message: Text) -> Text:
    """What the issue says of its rows, without what it says of all such rows."""
    if isinstance(message, Message) and message.values:
        so = next(iter(message.values.values()))
        rows = [*so.values.values()][-1] if isinstance(so, Message) and len(so.values) > 1 else None
        if isinstance(rows, Message | str):
            return spoken(rows)
    return in_window_words(message)
