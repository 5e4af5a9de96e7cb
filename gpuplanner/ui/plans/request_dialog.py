"""Asks what stands above requests for quote: who asks, by when to reply, on what terms."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QLineEdit, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.request.terms import UNSAID, reply_by_s, terms_of
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.dialogs import cancel_button, dialog_column, foot, primary_button, tell_whether
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import tr

LINES: Final[Mapping[str, Message]] = {
    "buyer": worded("Buyer"),
    "questions": worded("Questions to"),
    "payment": worded("Payment terms"),
    "validity": worded("Validity of quotes"),
    "sla": worded("SLA asked for"),
    "delivery": worded("Delivery"),
}
"""What is asked as a text, by its name in the terms."""


class RequestDialog(QDialog):
    """Told what was said last time, by name, and the first day on which something is to be ordered.

    Emits the texts that were entered, and the terms that they make.
    """

    terms_chosen = Signal(object, object)  # dict[str, str], Terms

    def __init__(
        self,
        said: Mapping[str, str],
        today_s: int,
        order_day_s: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._order_day_s = order_day_s
        self.setWindowTitle(tr("Requests for quote"))
        self.setAccessibleName(tr("Requests for quote"))
        self.setMinimumWidth(560)
        title = PlainLabel(tr("Requests for quote"))
        title.setFont(font("title"))
        lines = QGridLayout()
        lines.setHorizontalSpacing(8)
        self.lines: dict[str, QLineEdit] = {}
        for name, label in LINES.items():
            line = self.lines[name] = QLineEdit(said.get(name, ""))
            line.setAccessibleName(tr(label))
            line.setPlaceholderText(getattr(UNSAID, name))
            lines.addWidget(PlainLabel(tr(label)), len(self.lines), 0)
            lines.addWidget(line, len(self.lines), 1)
        self.reply_by = DayField(tr("Reply by"), tr("Last day for a reply, UTC"), today_s - today_s % DAY_S)
        self.reply_by.show_day(reply_by_s(UNSAID, today_s, order_day_s))
        self.reply_by.changed.connect(self._check)
        lines.addWidget(PlainLabel(tr("Reply by")), len(self.lines) + 1, 0)
        lines.addWidget(self.reply_by, len(self.lines) + 1, 1)
        self.note = PlainLabel()
        self.note.setWordWrap(True)
        self.note.setMinimumHeight(3 * self.note.fontMetrics().lineSpacing() + 4)
        self.choose = primary_button(tr("Choose a folder"), self._go_on)
        layout = dialog_column(self, title)
        layout.addLayout(lines)
        layout.addWidget(self.note)
        layout.addStretch()
        layout.addLayout(foot(cancel_button(self, tr("Write nothing (Esc)")), self.choose))
        self._check()

    def _check(self) -> None:
        """The button waits for a day that can be."""
        note = tr(
            "A file for each vendor that sells what the plan orders, and one for any other. Nothing of your own "
            "costs is in them. A line that is left empty says what it shows."
        )
        day_s = self.reply_by.day_s
        if self._order_day_s is not None and day_s is not None and day_s >= self._order_day_s:
            at_once = tr("The plan orders before that day: such rows are asked for at once.")
            note = f"{note} {at_once}"
        tell_whether(
            self.note,
            self.choose,
            self.reply_by.refusal,
            note,
            tr("Then the files are written there (Enter)"),
        )

    def _go_on(self) -> None:
        said = {name: line.text().strip() for name, line in self.lines.items()}
        day_s = self.reply_by.day_s
        day = {} if day_s is None else {"reply_by": iso_utc(day_s)[:10]}
        self.accept()
        self.terms_chosen.emit(said, terms_of(said | day))
