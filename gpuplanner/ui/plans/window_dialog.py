"""Asks which past of the loaded log is to be looked at."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.kit.dialogs import cancel_button, dialog_column, foot, primary_button
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.kit.window_choice import WindowChoice
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr


class WindowDialog(QDialog):
    """Told the window in use; emits the one that is wanted, as a request and in words."""

    window_chosen = Signal(object, object)  # WindowRequest, words
    import_asked = Signal()

    def __init__(self, window: Window, has_rows: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Window of the log"))
        self.setAccessibleName(tr("Window of the log"))
        self.setMinimumWidth(480)
        title = PlainLabel(tr("Window of the log"))
        title.setFont(font("title"))
        days = numbers.gpus(window.hours / 24)
        now = PlainLabel(
            tr(
                "Now {start_s}, {days} days, UTC.",
                start_s=numbers.span(window.start_s, window.end_s),
                days=days,
            )
        )
        now.setProperty("role", "muted")
        self.choice = WindowChoice()
        self.choice.show_window(window)
        self.choice.changed.connect(self._show_refusal)
        self.said = PlainLabel()
        self.said.setWordWrap(True)
        self.said.setProperty("role", "muted" if has_rows else "amber")
        self._has_rows = has_rows
        self.change = primary_button(
            tr("Change the window") if has_rows else tr("Import the log again"), self._go_on
        )
        layout = dialog_column(self, title, now, self.choice, self.said)
        layout.addSpacing(8)
        layout.addLayout(foot(cancel_button(self, tr("Keep the window as it is (Esc)")), self.change))
        self.choice.setVisible(has_rows)
        self._show_refusal()

    def _show_refusal(self) -> None:
        """Says why the window cannot be so, or what changing it does."""
        refusal = self.choice.refusal
        self.change.setEnabled(not refusal)
        set_tip(
            self.change,
            spoken(refusal) or tr("Audit, board and plan are of that past then; one undo step (Enter)"),
        )
        rows = (
            tr("Days end with the last job that finished. Labels, moves and plans stay.")
            if self._has_rows
            else tr(
                "The job rows of this project are not kept on this machine, so its window cannot be changed "
                "without the log."
            )
        )
        self.said.setText(spoken(refusal) or spoken(rows))

    def _go_on(self) -> None:
        """Closes, then asks for the window, or for the log where no rows are kept."""
        self.accept()
        if self._has_rows:
            self.window_chosen.emit(self.choice.request, self.choice.words)
        else:
            self.import_asked.emit()
