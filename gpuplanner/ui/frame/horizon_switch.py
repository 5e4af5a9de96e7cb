"""The switch beside the headline: next month, month 12, or twelve months in all."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QToolButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.commitment.comparison.horizons import Horizon
from gpuplanner.domain.commitment.words.horizon_words import HORIZON_MEANINGS, HORIZON_NAMES
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import spoken, tr

WIDTH: Final = 96
SHORT: Final = {Horizon.TWELVE_MONTHS: worded("12 months")}
"""What they are called where there is little room."""


class HorizonSwitch(QWidget):
    """Three buttons, one of which is down; arrow keys go from one to the other."""

    horizon_chosen = Signal(object)  # Horizon

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Horizon of the headline"))
        self.setFixedWidth(WIDTH)
        group = QButtonGroup(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 2, 4, 3)
        layout.setSpacing(0)
        self.buttons: dict[Horizon, QToolButton] = {}
        for horizon, name in HORIZON_NAMES.items():
            button = QToolButton()
            button.setText(spoken(SHORT.get(horizon, name)))
            button.setProperty("horizon", True)
            button.setCheckable(True)
            button.setFont(font("small"))
            button.setFixedWidth(WIDTH - 10)
            button.setAccessibleName(tr("Headline of {horizon}", horizon=name))
            set_tip(button, spoken(HORIZON_MEANINGS[horizon]))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, horizon=horizon: self.horizon_chosen.emit(horizon))
            group.addButton(button)
            layout.addWidget(button)
            self.buttons[horizon] = button

    def show_horizon(self, horizon: Horizon) -> None:
        """Which one is down."""
        self.buttons[horizon].setChecked(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down choose the one beside."""
        order = list(self.buttons)
        here = next((at for at, horizon in enumerate(order) if self.buttons[horizon].hasFocus()), None)
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if here is None or step is None or not 0 <= here + step < len(order):
            super().keyPressEvent(event)
            return
        chosen = self.buttons[order[here + step]]
        chosen.setFocus(Qt.FocusReason.OtherFocusReason)
        chosen.click()
