"""The side sheet: what is known of the selected cards, beside the columns; it follows the selection."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import worded
from gpuplanner.ui.board.toolbar import menu_button
from gpuplanner.ui.cards.details import Details, Line, Section, details_of
from gpuplanner.ui.cards.facets import CardFacts
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words.commands import ACCEPT, keys_of, with_keys
from gpuplanner.ui.words.date_verbs import DATE_VERBS, date_command
from gpuplanner.ui.words.translation import spoken, tr

WIDTH: Final = 296
NOTHING: Final = worded("Select a card to see what is known of it.")


class CardSheet(QFrame):
    """Told cards; says what was written of them and what else is wanted. Hidden until it is asked for."""

    note_written = Signal(str, str)  # key of the workload, text
    jobs_asked = Signal()
    split_asked = Signal()
    merge_asked = Signal()
    apart_asked = Signal()
    dates_asked = Signal(str)  # one of DATE_VERBS
    planned_asked = Signal()
    planned_dropped = Signal()
    figure_asked = Signal(str, object)  # figure id, the widget that shows it
    workload_shown = Signal(str)  # key of the one workload that is looked at

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self.setAccessibleName(tr("Card details"))
        self.setFixedWidth(WIDTH)
        self._palette = palette
        self._details: Details | None = None
        self._recent: tuple[str, tuple[Line, ...]] = ("", ())
        self._is_read_only = True
        self.title, self._under = _label("title"), _label("small", "muted")
        self.close_button = QToolButton()
        self.close_button.setAccessibleName(tr("Close the details"))
        set_tip(self.close_button, tr("Close (Esc, {shortcut})", shortcut=keys_of("details")))
        self.close_button.setIconSize(QSize(16, 16))
        self.close_button.clicked.connect(self.hide)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self._under)
        head = QHBoxLayout()
        head.addLayout(words, 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self.jobs = _button(tr("Jobs"), with_keys(tr("The jobs behind the card"), "jobs"), self.jobs_asked)
        self.split = _button(
            tr("Split\u2026"),
            with_keys(tr("Divide the card by share or by time, in this plan"), "split"),
            self.split_asked,
        )
        self.merge = _button(
            tr("Merge"),
            with_keys(tr("Make the parts one card again, where the whole stood"), "merge"),
            self.merge_asked,
        )
        self.apart = _button(
            tr("Take apart"),
            with_keys(tr("Make single cards of it again, where it stands"), "take_apart"),
            self.apart_asked,
        )
        self.dates = menu_button(tr("Dates"), tr("When it is there in this plan"))
        self.dates.setProperty("dense", True)
        menu = QMenu(self.dates)
        menu.setToolTipsVisible(True)
        for name in DATE_VERBS:
            command = date_command(name)
            action = menu.addAction(tr(command.name))
            action.triggered.connect(lambda _=False, name=name: self.dates_asked.emit(name))
            set_tip(action, with_keys(tr(command.tip), command.command_id))
        self.dates.setMenu(menu)
        self.change = _button(tr("Change\u2026"), tr("Change what is planned"), self.planned_asked)
        self.drop = _button(
            tr("Remove"),
            tr("Take it out of this plan; one undo step"),
            self.planned_dropped,
        )
        verbs = QHBoxLayout()
        verbs.setSpacing(6)
        for button in (self.change, self.jobs, self.split, self.merge, self.apart, self.dates, self.drop):
            verbs.addWidget(button)
        verbs.addStretch(1)
        self._body = QWidget()
        self._rows = QVBoxLayout(self._body)
        self._rows.setContentsMargins(0, 0, 8, 0)
        self._rows.setSpacing(12)
        self._make_note()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 6, 12)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addLayout(verbs)
        layout.addWidget(_scrolled(self._body), 1)
        layout.addWidget(self._note_title)
        layout.addWidget(self.note)
        self.show_palette(palette)
        self._draw()
        self.hide()

    def _make_note(self) -> None:
        """Makes the field of the note, which is saved when it is left."""
        self._note_title = _label("strong")
        self._note_title.setText(tr("Note"))
        self.note = QPlainTextEdit()
        self.note.setObjectName("note")
        self.note.setAccessibleName(tr("Note"))
        set_tip(
            self.note,
            tr(
                "Kept with the project, in every plan, and written into the workbook ({keys} saves)",
                keys=ACCEPT,
            ),
        )
        self.note.setPlaceholderText(tr("What to know about this workload"))
        self.note.setFixedHeight(72)
        self.note.setTabChangesFocus(True)
        self.note.installEventFilter(self)
        self._note_title.setBuddy(self.note)

    def show_cards(self, cards: Sequence[CardFigures], shown: ViewState, facts: CardFacts) -> None:
        """Say what is known of these cards; of none, what to do."""
        details = details_of(cards, shown, facts)
        self._is_read_only = shown.is_today
        if details is not None and self._details is not None and details == self._details:
            return
        self._write_note()
        self._details = details
        self._draw()
        if details is not None and details.note_key and details.note_key != self._recent[0]:
            self._recent = details.note_key, ()
            self.workload_shown.emit(details.note_key)

    def show_recent(self, key: str, lines: tuple[Line, ...]) -> None:
        """The last jobs of a workload; what is looked at no more is dropped."""
        if key == self._recent[0]:
            self._recent = key, lines
            self._draw()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.close_button.setIcon(icon("close", palette.muted))
        self.split.setIcon(icon("split", palette.text, palette.edge))
        self.merge.setIcon(icon("merge", palette.text, palette.edge))
        self.jobs.setIcon(icon("job_log", palette.text, palette.edge))
        self._draw()

    def write_note(self) -> None:
        """Put the cursor into the note."""
        self.note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A note is kept once it is left, or with Ctrl+Enter; Esc leaves it as it was."""
        if watched is self.note and event.type() == QEvent.Type.FocusOut:
            self._write_note()
        if watched is self.note and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._write_note()
                return True
            if event.key() == Qt.Key.Key_Escape and self._details is not None:
                self.note.setPlainText(self._details.note)
        return super().eventFilter(watched, event)

    def _write_note(self) -> None:
        """Says what the note is now, if it is another one."""
        details, text = self._details, self.note.toPlainText().strip()
        if details is not None and details.note_key and text != details.note:
            self.note_written.emit(details.note_key, text)

    def _draw(self) -> None:
        """Shows the details anew, with only those buttons that fit what is selected."""
        details = self._details
        self.title.setText(tr("Card details") if details is None else spoken(details.title))
        self._under.setText(tr(NOTHING) if details is None else spoken(details.under))
        has_one = details is not None and bool(details.note_key)
        is_planned = details is not None and details.is_planned
        for button in (self.jobs, self.split):
            button.setVisible(has_one)
        for button in (self.change, self.drop):
            button.setVisible(is_planned)
        self.dates.setVisible((has_one or is_planned) and not self._is_read_only)
        self.split.setEnabled(not self._is_read_only)
        self.merge.setVisible(details is not None and details.is_part)
        self.apart.setVisible(details is not None and details.is_merged)
        for widget in (self._note_title, self.note):
            widget.setVisible(has_one)
        if details is not None and has_one and self.note.toPlainText().strip() != details.note:
            self.note.setPlainText(details.note)
        while (item := self._rows.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        sections = () if details is None else details.sections
        if details is not None and details.note_key == self._recent[0] and self._recent[1]:
            sections = (*sections, Section(tr("Last jobs"), self._recent[1]))
        for section in sections:
            self._rows.addWidget(self._section(section))
        self._rows.addStretch(1)

    def _section(self, section: Section) -> QWidget:
        """A section as a heading over lines of text and figure."""
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        heading = _label("small", "muted")
        heading.setText(spoken(section.title))
        grid.addWidget(heading, 0, 0, 1, 3)
        for row, line in enumerate(section.lines, 1):
            self._add_line(grid, row, line)
        return box

    def _add_line(self, grid: QGridLayout, row: int, line: Line) -> None:
        """Adds a line: icon, text and figure; a text without a figure has its room too."""
        text = _label("body", "" if line.icon or line.role == "text" else line.role)
        text.setText(spoken(line.text))
        text.setWordWrap(True)
        if line.icon:
            picture = PlainLabel()
            picture.setPixmap(icon(line.icon, self._palette.colour(line.role)).pixmap(14, 14))
            grid.addWidget(picture, row, 0, Qt.AlignmentFlag.AlignTop)
        first, last = (
            (1 if line.icon else 0),
            (2 if line.figure else 3),
        )  # a sentence has the room of figures too
        grid.addWidget(text, row, first, 1, last - first)
        if line.figure:
            figure = _label("strong") if not line.figure_id else self._asked(line)
            figure.setText(line.figure)
            grid.addWidget(figure, row, 2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)

    def _asked(self, line: Line) -> QLabel | QToolButton:
        """A figure that answers: by a click, or by Tab and Enter."""
        button = QToolButton()
        button.setObjectName("figure")
        button.setFont(font("strong"))
        button.setAccessibleName(tr("{value}: {figure}", value=line.text, figure=line.figure))
        set_tip(button, tr("Why this number? (F1 on the card)"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda: self.figure_asked.emit(line.figure_id, button))
        return button


def _scrolled(body: QWidget) -> QScrollArea:
    """An area that scrolls up and down only, on the sheet's own ground."""
    area = QScrollArea()
    area.setWidget(body)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(tr("What is known of the card"))
    area.viewport().setAutoFillBackground(False)
    body.setAutoFillBackground(False)
    return area


def _label(step: str, role: str = "") -> QLabel:
    label = PlainLabel()
    label.setFont(font(step))
    label.setWordWrap(step != "strong")
    if role:
        label.setProperty("role", role)
    return label


def _button(text: str, tip: str, asked: object) -> QPushButton:
    """A dense button; its name for screen readers goes without the dots."""
    button = QPushButton(spoken(text))
    button.setAccessibleName(text.rstrip("\u2026"))
    set_tip(button, spoken(tip))
    button.setProperty("dense", True)
    button.clicked.connect(asked)
    return button
