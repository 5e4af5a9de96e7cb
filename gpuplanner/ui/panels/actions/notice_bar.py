"""A notice above a list: what is so, in a few words and a sentence, and buttons for what mends it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.state.plan_notice import PlanNotice
from gpuplanner.ui.words.commands import with_keys
from gpuplanner.ui.words.translation import spoken, tr

ICON_PX = 16


class NoticeBar(QWidget):
    """Told a notice, or none; emits which of its remedies is wanted."""

    plan_from_wanted = Signal(object)  # epoch seconds of the day
    plan_from_asked = Signal()  # to choose a day
    import_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Notice"))
        self._notice: PlanNotice | None = None
        self._icon, self._title = PlainLabel(), PlainLabel()
        self._title.setFont(font("strong"))
        self._title.setWordWrap(True)
        self._sentence = muted_label()
        self.plan = QPushButton(tr("Plan from today"))
        self.plan.setAccessibleName(self.plan.text())
        set_tip(self.plan, tr("All plans begin on that day; one undo step"))
        self.plan.clicked.connect(self._want_day)
        self.other = self._link(tr("Another day"), tr("Choose the day that plans begin"))
        self.other.clicked.connect(self.plan_from_asked)
        self.bring = self._link(
            tr("Import files"), with_keys(tr("Import a log or contracts of another time"), "import")
        )
        self.bring.clicked.connect(self.import_asked)
        row = QHBoxLayout()
        row.setSpacing(12)
        for button in (self.plan, self.other, self.bring):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._title)
        words.addWidget(self._sentence)
        words.addSpacing(2)
        words.addLayout(row)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 8, 12, 6)
        layout.setSpacing(10)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
        self.show_palette(palette)
        self.hide()

    @staticmethod
    def _link(words: str, tip: str) -> QPushButton:
        made = QPushButton(words)
        made.setProperty("link", True)
        made.setAccessibleName(words)
        set_tip(made, tip)
        return made

    @property
    def notice(self) -> PlanNotice | None:
        """What it says."""
        return self._notice

    def show_notice(self, notice: PlanNotice | None) -> None:
        """Say this, or nothing."""
        if notice == self._notice:
            return
        self._notice = notice
        if notice is not None:
            self._title.setText(spoken(notice.title))
            self._sentence.setText(spoken(notice.sentence))
            self.plan.setText(notice.day)
            self.plan.setAccessibleName(notice.day)
            self.plan.setVisible(notice.plan_from_s is not None)
            self.other.setVisible(notice.plan_from_s is not None)
            self.bring.setVisible(notice.is_apart)
            self.setAccessibleDescription(f"{notice.title}. {notice.sentence}")
        self.setVisible(notice is not None)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._icon.setPixmap(icon("triangle", palette.amber).pixmap(ICON_PX, ICON_PX))

    def _want_day(self) -> None:
        if self._notice is not None:
            self.plan_from_wanted.emit(self._notice.plan_from_s)
