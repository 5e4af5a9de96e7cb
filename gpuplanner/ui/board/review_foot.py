"""Under the cards of Review: what a key says a workload is, as buttons, and why it is asked."""

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import spoken, tr

DECISION_KEYS: Final = {
    Qt.Key.Key_T: Pool.TRAINING,
    Qt.Key.Key_I: Pool.INFERENCE,
    Qt.Key.Key_B: Pool.BURST,
}
"""In Review a key says what a workload is."""


def key_of_pool(pool: Pool) -> str:
    """The letter of a pool."""
    return pool.value[0].upper()


def decision_tip(pool: Pool) -> str:
    """What a decision does, and what dragging does."""
    return tr(
        "This is {pool}: labels the selected workloads, in all plans, and goes on to the next "
        "({pool_2}). Dragging a card only sets its pool in this plan.",
        pool=pool,
        pool_2=key_of_pool(pool),
    )


LEAST_PX: Final = 34
"""So narrow may the button of a pool be."""


class ReviewFoot(QFrame):
    """Three decisions and a question; told nothing but colours."""

    decided = Signal(object)  # Pool
    why_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("foot")
        self.setAccessibleName(tr("What is it?"))
        self.buttons: dict[Pool, QToolButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 8, 6)
        row.setSpacing(4)
        for pool in POOLS:
            button = self._button(
                tr("{pool} ({pool_2})", pool=lane_of(pool).title, pool_2=key_of_pool(pool)),
                decision_tip(pool),
            )
            button.setText(key_of_pool(pool))
            button.setMinimumWidth(LEAST_PX)  # icon and letter
            button.clicked.connect(lambda _=False, pool=pool: self.decided.emit(pool))
            self.buttons[pool] = button
            row.addWidget(button)
        row.addStretch(1)
        self.why = self._button(tr("Why?"), tr("The three reasons, and what else it may be (Enter)"))
        self.why.setText(tr("Why?"))
        self.why.setMinimumWidth(self.why.sizeHint().width())  # where it is narrow the pools give way
        self.why.clicked.connect(self.why_asked)
        row.addWidget(self.why)
        self.show_palette(palette)

    def _button(self, name: str, tip: str) -> QToolButton:
        """A framed button that leaves the keyboard with the cards when it is clicked."""
        button = QToolButton()
        button.setProperty("framed", True)
        button.setProperty("dense", True)
        button.setAccessibleName(spoken(name))
        set_tip(button, spoken(tip))
        button.setFont(font("body"))
        button.setIconSize(QSize(14, 14))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard with the cards
        return button

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        for pool, button in self.buttons.items():
            lane = lane_of(pool)
            button.setIcon(icon(lane.icon, palette.lane(lane)))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
