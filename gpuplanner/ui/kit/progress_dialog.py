"""Progress of long work: shown after 300 ms, always with a working Cancel."""

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.translation import sentence, tr
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.dialogs import cancel_button, dialog_column, foot, titled
from gpuplanner.ui.kit.layout import named
from gpuplanner.ui.kit.page_parts import heading_label, label

DELAY_MS = 300


class ProgressDialog(QtWidgets.QDialog):
    """A dialog that shows progress, and signals a cancellation."""

    cancelled = QtCore.Signal()

    def __init__(self, title: str, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        heading = heading_label(titled(self, title, 420))
        self.setWindowModality(QtCore.Qt.WindowModality.WindowModal)
        self.text_label = label(tr("Starting"), role="muted")
        self._bar = named(QtWidgets.QProgressBar(maximum=1000, textVisible=False), tr("Progress"))
        # an Enter meant for the window before must not cancel
        cancel = cancel_button(self, tr("Stop; loaded data does not change (Esc)"))
        dialog_column(self, heading, self.text_label, self._bar, 4, foot(cancel))
        self._is_over = False
        self._timer = QtCore.QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.show)

    def begin(self) -> None:
        """Start the delay of 300 ms; shorter work shows no dialog."""
        self._is_over = False
        self._timer.start(DELAY_MS)

    def show_progress(self, fraction: float, text: Text) -> None:
        """Show the share done, 0..1, and the present step."""
        self._bar.setValue(round(1000 * fraction))
        self.text_label.setText(sentence(text))

    def end(self) -> None:
        """Finish, and remove the dialog."""
        self._is_over = True
        self._timer.stop()
        self.hide()
        self.deleteLater()

    def reject(self) -> None:
        """Cancel once, whether by button, key or frame."""
        was_over, self._is_over = self._is_over, True
        self._timer.stop()
        self.hide()
        if not was_over:
            self.cancelled.emit()

    def closeEvent(self, event: QtGui.QCloseEvent) -> None:
        """Cancel when the frame is closed."""
        self.reject()
        event.accept()
