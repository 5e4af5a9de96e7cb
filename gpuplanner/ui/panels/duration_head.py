"""The head of the panel Duration: which pool and GPU model, whose levels, and the way back to the advice."""

from dataclasses import dataclass

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton

from gpuplanner.ui.panels.duration_rows import WHAT_THE_ADVICE_MINIMISES
from gpuplanner.ui.said import said, spoken
from gpuplanner.ui.type_scale import font


@dataclass(frozen=True, slots=True)
class DurationHead:
    """The widgets of the head and the line that they stand on."""

    line: QHBoxLayout
    pool: QComboBox
    model: QComboBox
    by_hand: QLabel
    use_advice: QPushButton


def duration_head() -> DurationHead:
    """The head, without anything to choose yet."""
    pool = QComboBox()
    pool.setAccessibleName(said("Pool"))
    pool.view().setAccessibleName(said("Pools"))
    pool.setToolTip(said("Which pool to show"))
    model = QComboBox()
    model.setAccessibleName(said("GPU model"))
    model.view().setAccessibleName(said("GPU models"))
    model.setToolTip(said("Which GPU model to show"))
    by_hand = QLabel(said("Levels set by you"))
    by_hand.setProperty("role", "muted")
    by_hand.setFont(font("small"))
    by_hand.setToolTip(spoken(WHAT_THE_ADVICE_MINIMISES))
    use_advice = QPushButton(said("Use advice"))
    use_advice.setProperty("link", True)
    use_advice.setAccessibleName(said("Use advice"))
    use_advice.setToolTip(said("Let go of the levels set by you (Ctrl+Shift+A)"))
    line = QHBoxLayout()
    line.setSpacing(8)
    line.addWidget(pool)
    line.addWidget(model)
    line.addStretch(1)
    line.addWidget(by_hand)
    line.addWidget(use_advice)
    return DurationHead(line, pool, model, by_hand, use_advice)
