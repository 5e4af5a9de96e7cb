"""Progress of long work: seen after 300 ms, always with a Cancel that works."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QPushButton, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.dialogs import dialog_column
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import sentence, spoken, tr

DELAY_MS = 300


class ProgressDialog(QDialog):
    """Told how far the work is; emits cancelled."""

    cancelled = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(spoken(title))
        self.setAccessibleName(spoken(title))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setMinimumWidth(420)
        heading = PlainLabel(spoken(title))
        heading.setFont(font("title"))
        self._text = PlainLabel(tr("Starting"))
        self._text.setProperty("role", "muted")
        self._bar = QProgressBar()
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(tr("Progress"))
        cancel = QPushButton(tr("Cancel"))
        cancel.setAccessibleName(tr("Cancel"))
        cancel.setAutoDefault(False)  # Enter that was meant for the window before this one stops no work
        set_tip(cancel, tr("Stop; nothing that is loaded changes (Esc)"))
        cancel.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(cancel)
        layout = dialog_column(self, heading, self._text, self._bar)
        layout.addSpacing(4)
        layout.addLayout(row)
        self._is_over = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.show)

    def begin(self) -> None:
        """Count the 300 ms from now.

        Work that is done sooner shows no dialog at all.
        """
        self._is_over = False
        self._timer.start(DELAY_MS)

    def show_progress(self, fraction: float, text: Text) -> None:
        """Share done 0..1, and what is being done."""
        self._bar.setValue(round(1000 * fraction))
        self._text.setText(sentence(text))

    def end(self) -> None:
        """The work is over."""
        self._is_over = True
        self._timer.stop()
        self.hide()

    def reject(self) -> None:
        """Cancels once, however it is closed: by button, key or frame."""
        was_over, self._is_over = self._is_over, True
        self._timer.stop()
        self.hide()
        if not was_over:
            self.cancelled.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing the frame is cancelling."""
        self.reject()
        event.accept()
