"""What leaves for users beside tokens, and what a GB of it costs: two amounts that the planner types."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.numbers import plain_number
from gpuplanner.ui.words.translation import spoken, tr

MEDIA: Final = "media_gb_per_month"
RATE: Final = "egress_usd_per_gb"


class EgressAmounts(QWidget):
    """Told the assumptions; emits what was typed for one of them."""

    amount_typed = Signal(str, str)  # name of the assumption, text

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.media, self.rate = _line(MEDIA), _line(RATE)
        amounts = QHBoxLayout(self)
        amounts.setContentsMargins(0, 0, 0, 0)
        amounts.setSpacing(6)
        for words, line in (
            (tr("Media, GB per month"), self.media),
            (tr("at $ per GB"), self.rate),
        ):
            said = PlainLabel(spoken(words))
            said.setFont(font("small"))
            said.setProperty("role", "muted")
            said.setBuddy(line)
            amounts.addWidget(said)
            amounts.addWidget(line)
        amounts.addStretch(1)
        for name, line in ((MEDIA, self.media), (RATE, self.rate)):
            line.editingFinished.connect(lambda name=name, line=line: self._take_amount(name, line))

    def show_assumptions(self, values: Assumptions) -> None:
        """Show the amounts, but for one that is being typed."""
        for name, line in ((MEDIA, self.media), (RATE, self.rate)):
            value = getattr(values, name)
            if not line.isModified():
                line.setText("" if value is None else numbers.significant(float(value)))

    def _take_amount(self, name: str, line: QLineEdit) -> None:
        if line.isModified():
            line.setModified(False)
            self.amount_typed.emit(name, plain_number(line.text()))


def _line(name: str) -> QLineEdit:
    is_media = name == MEDIA
    line = QLineEdit()
    line.setFixedWidth(92 if is_media else 60)
    line.setAlignment(Qt.AlignmentFlag.AlignRight)
    line.setPlaceholderText(tr("not set") if is_media else "")
    line.setAccessibleName(
        tr("Media that leaves, GB per month") if is_media else tr("Egress price, $ per GB")
    )
    set_tip(
        line,
        tr("Images, audio and video that leave for users, GB per month; empty: unknown (Enter)")
        if is_media
        else tr(
            "Hyperscalers list {low} to {high} USD per GB, bare metal is usually free (Enter)",
            low=numbers.significant(0.08),
            high=numbers.significant(0.12),
        ),
    )
    return line
