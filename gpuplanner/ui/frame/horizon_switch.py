"""The switch next to the headline: next month, month 12, or twelve months in all."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.commitment.words.horizons import HORIZON_MEANINGS, HORIZON_NAMES
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit import type_scale
from gpuplanner.ui.kit.layout import column, named
from gpuplanner.ui.kit.page_parts import press_beside
from gpuplanner.ui.kit.type_scale import font, text_px

WIDTH: Final = 86
SHORT: Final = {Horizon.TWELVE_MONTHS: worded("12 months")}
"""What they are called where there is little room."""


class HorizonSwitch(QWidget):
    """Three buttons, one of which is down; arrow keys go from one to the other."""

    horizon_chosen = Signal(object)  # Horizon

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Headline horizon"))
        self._group = QButtonGroup(self)
        self.buttons: dict[Horizon, QToolButton] = {}
        for horizon, name in HORIZON_NAMES.items():
            called, tip = tr("Headline, {horizon}", horizon=name), HORIZON_MEANINGS[horizon]
            button = self.buttons[horizon] = named(QToolButton(), called, tip, step="small")
            button.setText(spoken(SHORT.get(horizon, name)))
            button.setProperty("horizon", True)
            button.setCheckable(True)
            button.setMinimumWidth(
                max(text_px(WIDTH), type_scale.text_width(button.text(), font("total")) + 8)
            )
            button.clicked.connect(lambda _=False, horizon=horizon: self.horizon_chosen.emit(horizon))
            self._group.addButton(button)
        column(*self.buttons.values(), on=self, margins=(6, 2, 4, 3), spacing=0)

    def show_horizon(self, horizon: Horizon | None) -> None:
        """Which one is down; None: none of them, as the slider of the year stands at another month."""
        self._group.setExclusive(horizon is not None)
        for one, button in self.buttons.items():
            button.setChecked(one is horizon)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down choose the one beside."""
        if not press_beside([*self.buttons.values()], event, Qt.Key.Key_Up, Qt.Key.Key_Down):
            super().keyPressEvent(event)
