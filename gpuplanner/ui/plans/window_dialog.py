"""Dialog: the lookback period of the loaded log."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.importing.window_choice import WindowChoice
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.page_parts import heading_label, label
from gpuplanner.ui.words import numbers


class WindowDialog(QDialog):
    """Told the window in use; emits the one that is wanted, as a request and in words."""

    window_chosen = Signal(object, object)  # WindowRequest, words
    import_asked = Signal()

    def __init__(self, window: Window, has_rows: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = dialogs.titled(self, tr("Lookback period"), 480)
        span, days = numbers.span(window.start_s, window.end_s), numbers.gpus(window.hours / 24)
        now = label(tr("Now {start_s}, {days} days, UTC.", start_s=span, days=days), role="muted")
        self.choice = WindowChoice()
        self.choice.show_window(window)
        self.choice.changed.connect(self._show_refusal)
        self.said = label(role="muted" if has_rows else "amber", is_wrapped=True)
        self._has_rows = has_rows
        verb = tr("Change the lookback period") if has_rows else tr("Import the log again")
        self.change = dialogs.primary_button(verb, self._go_on)
        last = dialogs.foot(dialogs.cancel_button(self), self.change)
        dialogs.dialog_column(self, heading_label(title), now, self.choice, self.said, 8, last)
        self.choice.setVisible(has_rows)
        self._show_refusal()

    def _show_refusal(self) -> None:
        """Says why the window cannot be so, or what changing it does."""
        refusal = self.choice.refusal
        self.change.setEnabled(not refusal)
        tip = tr("For audit, board and plans; one undo step (Enter)")
        set_tip(self.change, spoken(refusal) or tip)
        rows = tr("Days end with the last finished job. Labels, moves and plans do not change.")
        if not self._has_rows:
            rows = tr("No job rows on this computer. Import the log again.")
        self.said.setText(spoken(refusal) or spoken(rows))

    def _go_on(self) -> None:
        """Closes, then asks for the window, or for the log where no rows are kept."""
        self.accept()
        if self._has_rows:
            self.window_chosen.emit(self.choice.request, self.choice.words)
        else:
            self.import_asked.emit()
