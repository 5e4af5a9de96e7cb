"""Egress to users beside tokens, and its rate per GB: two typed amounts."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit.layout import RIGHT, STRETCH, named, row
from gpuplanner.ui.kit.page_parts import muted_label
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.words import numbers

MEDIA: Final = "media_gb_per_month"
RATE: Final = "egress_usd_per_gb"


class EgressAmounts(QWidget):
    """Told the assumptions; emits what was typed for one of them."""

    amount_typed = Signal(str, str)  # name of the assumption, text

    def __init__(self) -> None:
        super().__init__()
        self.media, self.rate = _line(MEDIA), _line(RATE)
        media = muted_label(tr("Media, GB per month"), is_wrapped=False, of=self.media)
        rate = muted_label(tr("at $ per GB"), is_wrapped=False, of=self.rate)
        row(media, self.media, rate, self.rate, STRETCH, on=self, spacing=6)
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
            self.amount_typed.emit(name, numbers.plain_number(line.text()))


def _line(name: str) -> QLineEdit:
    is_media = name == MEDIA
    line = QLineEdit(alignment=RIGHT, placeholderText=tr("not set") if is_media else "")
    line.setFixedWidth(text_px(92 if is_media else 60))
    if is_media:
        tip = tr("Images, audio, video; GB per month; empty: unknown (Enter)")
        return named(line, tr("Media sent, GB per month"), tip)
    tip = tr(long_text("egress_rates", low=numbers.significant(0.08), high=numbers.significant(0.12)))
    return named(line, tr("Egress price, $ per GB"), tip)
