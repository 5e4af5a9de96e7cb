"""The line under the menus that reports news of the project's file."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from gpuplanner.charts.kit.translation import tr
from gpuplanner.ui.kit.layout import TOP, column, named, placed, row, share
from gpuplanner.ui.kit.page_parts import Drawing, label, muted_label, named_button
from gpuplanner.ui.words.file_words import FileNotice

ICON_PX = 16


class FileNoticeBar(QFrame):
    """Told a notice, or none; emits that the other version is to be opened, or the log of a plan."""

    open_asked = Signal()
    save_asked = Signal()
    log_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, tr("Notice of the file"), look="head")
        self.notice: FileNotice | None = None
        self._dismissed: FileNotice | None = None
        self._icon = Drawing("triangle", "amber", ICON_PX)
        self._title = label(step="strong", is_wrapped=True)
        self._sentence = muted_label()
        theirs = tr("Open the newer version")
        self.open_theirs = named_button(tr("Open theirs"), theirs, self.open_asked, is_link=True)
        yours = tr("Save yours, then decide on theirs")
        self.save = named_button(tr("Save\u2026"), yours, self.save_asked, is_link=True)
        log = tr("Open History with the plan's log")
        self.log = named_button(tr("Show log"), log, self.log_asked, is_link=True)
        self.hide_it = named_button(tr("Hide"), tr("Dismiss this notice"), self._dismiss, is_link=True)
        words = share(column(self._title, self._sentence, spacing=1))
        links = (self.open_theirs, self.save, self.log, self.hide_it)
        row(placed(self._icon, TOP), words, *links, on=self, margins=(14, 6, 12, 6), spacing=10)
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
            self.log.setVisible(notice.is_in_log)
            self.setAccessibleDescription(f"{notice.title}. {notice.sentence}")
        self.setVisible(notice is not None and notice != self._dismissed)

    def _dismiss(self) -> None:
        """Hides this notice until there is another."""
        self._dismissed = self.notice
        self.hide()
