"""The head of a comparison: its plans, their differences, progress and Cancel."""

from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.layout import named, row, share
from gpuplanner.ui.kit.type_scale import text_px

PATIENCE_MS = 300
NO_THIRD: Final = worded("No third plan")


class CompareHead(QWidget):
    """Told the names of all plans and which are compared; says when others are chosen."""

    chosen = Signal(object)  # tuple of names, two or three
    cancel_asked = Signal()
    leave_asked = Signal()

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Plans compared"))
        held_against = tr("Baseline plan")
        self.first = page_parts.choice_of(tr("First plan"), held_against, ())
        self.second = page_parts.choice_of(tr("Second plan"), tr("Compared plan"), ())
        self.third = page_parts.choice_of(tr("Third plan"), tr("A third plan, or none"), ())
        for combo in (self.first, self.second, self.third):
            combo.setMinimumWidth(text_px(150))
            combo.setMaximumWidth(text_px(240))
            combo.activated.connect(self._choose)
        self.said = page_parts.ElidedLabel(role="muted")
        self.said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.said.setMinimumWidth(40)
        self.said.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.bar = named(QProgressBar(textVisible=False), tr("Progress"))
        self.bar.setFixedWidth(text_px(96))
        self.cancel = page_parts.named_button(
            tr("Cancel"), tr("Stop; results so far stay"), self.cancel_asked, called=tr("Cancel")
        )
        self.leave = page_parts.named_button(
            tr("Back to the plan"), tr("Leave the comparison (Esc)"), self.leave_asked
        )
        self._and = page_parts.muted_label(tr("and"))
        beside = page_parts.muted_label(tr("compared with"))  # what differs is the second less the first
        plans = (self.first, beside, self.second, self._and, self.third)
        work = (self.bar, self.cancel, self.leave)
        row(*plans, share(self.said), *work, on=self, margins=(9, 6, 9, 6), spacing=8)
        self._late = QTimer(self, singleShot=True, interval=PATIENCE_MS)
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
        names = [combo.currentText() for combo in (self.first, self.second, self.third)]
        kept = [name for name in names if name and name != tr(NO_THIRD)]
        if len(set(kept)) >= 2:
            self.chosen.emit(tuple(dict.fromkeys(kept)))
