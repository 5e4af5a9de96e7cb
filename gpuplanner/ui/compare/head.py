"""The head of a comparison: which plans, how they differ as worlds, and a progress with a way to stop it."""

from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QProgressBar, QPushButton, QSizePolicy, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit.labels import ElidedLabel, muted_label
from gpuplanner.ui.words.translation import spoken, tr

PATIENCE_MS = 300
NO_THIRD: Final = worded("No third plan")


class CompareHead(QWidget):
    """Told the names of all plans and which are compared; says when others are chosen."""

    chosen = Signal(object)  # tuple of names, two or three
    cancel_asked = Signal()
    leave_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Plans compared"))
        self.first, self.second, self.third = QComboBox(), QComboBox(), QComboBox()
        for combo, name in (
            (self.first, tr("First plan")),
            (self.second, tr("Second plan")),
            (self.third, tr("Third plan")),
        ):
            combo.setAccessibleName(name)
            combo.setMinimumWidth(150)
            combo.setMaximumWidth(240)
            combo.activated.connect(self._choose)
        set_tip(self.first, tr("The plan that the others are held against"))
        set_tip(self.second, tr("The plan beside it"))
        set_tip(self.third, tr("One more plan beside the two, or none"))
        self.said = ElidedLabel(role="muted")
        self.said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.said.setMinimumWidth(40)
        self.said.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(96)
        self.bar.setAccessibleName(tr("Progress of the comparison"))
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.setAccessibleName(tr("Cancel the comparison"))
        set_tip(self.cancel, tr("Stop working it out; what is known stays"))
        self.cancel.clicked.connect(lambda _=False: self.cancel_asked.emit())
        self.leave = QPushButton(tr("Back to the plan"))
        self.leave.setAccessibleName(tr("Back to the plan"))
        set_tip(self.leave, tr("Leave the comparison (Esc)"))
        self.leave.clicked.connect(lambda _=False: self.leave_asked.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(9, 6, 9, 6)
        row.setSpacing(8)
        row.addWidget(self.first)
        row.addWidget(muted_label(tr("and beside it")))  # what differs is the second less the first
        row.addWidget(self.second)
        self._and = muted_label(tr("and"))
        row.addWidget(self._and)
        row.addWidget(self.third)
        row.addWidget(self.said, 1)
        row.addWidget(self.bar)
        row.addWidget(self.cancel)
        row.addWidget(self.leave)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(PATIENCE_MS)
        self._late.timeout.connect(lambda: self._show_bar(True))
        self._show_bar(False)

    def show_names(self, names: tuple[str, ...], compared: tuple[str, ...]) -> None:
        """Show which of these plans are compared."""
        for combo, at in ((self.first, 0), (self.second, 1), (self.third, 2)):
            others = [name for place, name in enumerate(compared) if place != at]
            listed = [name for name in names if name not in others]
            if combo is self.third:
                listed = [tr(NO_THIRD), *listed]
            combo.clear()
            combo.addItems(listed)
            combo.setCurrentText(compared[at] if at < len(compared) else tr(NO_THIRD))
        for widget in (self.third, self._and):
            widget.setVisible(len(names) > 2)

    def say(self, words: str) -> None:
        """What is the same and what is not; cut where there is no room, whole in the tool tip."""
        self.said.setText(words)

    def show_progress(self, fraction: float, text: str) -> None:
        """How far the work is; shown once it takes longer than a moment."""
        self.bar.setRange(0, 100)
        self.bar.setValue(round(100 * fraction))
        set_tip(self.bar, spoken(text))
        if not self.bar.isVisible() and not self._late.isActive():
            self._late.start()

    def end_progress(self) -> None:
        """Nothing more is awaited."""
        self._late.stop()
        self._show_bar(False)

    def _show_bar(self, is_visible: bool) -> None:
        self.bar.setVisible(is_visible)
        self.cancel.setVisible(is_visible)

    def _choose(self, _at: int) -> None:
        """Says which plans were chosen, each once; not while two are the same."""
        names = [self.first.currentText(), self.second.currentText(), self.third.currentText()]
        kept = [name for name in names if name and name != tr(NO_THIRD)]
        if len(set(kept)) >= 2:
            self.chosen.emit(tuple(dict.fromkeys(kept)))
