"""The quiet line under the menus that tells of the project's file, with what can be done about it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.file_words import FileNotice
from gpuplanner.ui.words.translation import tr

ICON_PX = 16


class FileNoticeBar(QFrame):
    """Told a notice, or none; emits that the other version is to be opened."""

    open_asked = Signal()
    save_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("head")
        self.setAccessibleName(tr("Notice of the file"))
        self.notice: FileNotice | None = None
        self._dismissed: FileNotice | None = None
        self._icon, self._title = PlainLabel(), PlainLabel()
        self._title.setFont(font("strong"))
        self._title.setWordWrap(True)
        self._sentence = muted_label()
        self.open_theirs = _link(tr("Open theirs"), tr("Open the version that is there now"))
        self.save = _link(tr("Save\u2026"), tr("Save yours; you are asked what becomes of the other version"))
        self.hide_it = _link(tr("Hide"), tr("Say no more of this"))
        self.open_theirs.clicked.connect(self.open_asked)
        self.save.clicked.connect(self.save_asked)
        self.hide_it.clicked.connect(self._dismiss)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._title)
        words.addWidget(self._sentence)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 6, 12, 6)
        layout.setSpacing(10)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
        for button in (self.open_theirs, self.save, self.hide_it):
            layout.addWidget(button)
        self.show_palette(palette)
        self.hide()

    def show_notice(self, notice: FileNotice | None) -> None:
        """Say this, or nothing; what was hidden by the planner stays hidden until it is something else."""
        if notice == self.notice:
            return
        self.notice = notice
        if notice is not None:
            self._title.setText(notice.title)
            self._sentence.setText(notice.sentence)
            self.open_theirs.setVisible(notice.is_changed)
            self.save.setVisible(notice.is_changed)
            self.setAccessibleDescription(f"{notice.title}. {notice.sentence}")
        self.setVisible(notice is not None and notice != self._dismissed)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._icon.setPixmap(icon("triangle", palette.amber).pixmap(ICON_PX, ICON_PX))

    def _dismiss(self) -> None:
        """Hides this notice until there is another."""
        self._dismissed = self.notice
        self.hide()


def _link(words: str, tip: str) -> QPushButton:
    made = QPushButton(words)
    made.setProperty("link", True)
    made.setAccessibleName(words)
    set_tip(made, tip)
    made.setAutoDefault(False)
    return made
