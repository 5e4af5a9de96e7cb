"""The side sheet: facts of the selected cards."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QMenu, QPlainTextEdit, QPushButton, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import worded
from gpuplanner.ui.board.toolbar import menu_button
from gpuplanner.ui.cards.details import Details, Line, Section, details_of
from gpuplanner.ui.cards.facets import CardFacts
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import (
    RIGHT,
    STRETCH,
    TOP,
    Share,
    across,
    add,
    column,
    emptied,
    grid,
    named,
    placed,
    row,
    share,
)
from gpuplanner.ui.kit.page_parts import Drawing, label, muted_label, named_button, scrolled, tool_button
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words.commands import ACCEPT, keys_of, with_keys
from gpuplanner.ui.words.date_verbs import DATE_VERBS, date_command

WIDTH: Final = 296
NOTHING: Final = worded("Select a card to see details.")


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

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Card details"), look="side")
        self.setFixedWidth(text_px(WIDTH))
        self.details: Details | None = None
        self._recent: tuple[str, tuple[Line, ...]] = ("", ())
        self._is_read_only = True
        self.title, self._under = label(step="title", is_wrapped=True), muted_label()
        closes = tr("Close (Esc, {shortcut})", shortcut=keys_of("details"))
        self.close_button = tool_button(tr("Close"), closes, self.hide, drawing="close")
        listed = with_keys(tr("Jobs of the card"), "jobs")
        self.jobs = _button(tr("Jobs"), listed, self.jobs_asked, "job_log")
        splits = tr("Divide the card by share or time, in this plan")
        self.split = _button(tr("Split\u2026"), with_keys(splits, "split"), self.split_asked, "split")
        merges = tr("Merge the parts in their original pool")
        self.merge = _button(tr("Merge"), with_keys(merges, "merge"), self.merge_asked, "merge")
        parts = tr("Split into single cards in this pool")
        self.apart = _button(tr("Take apart"), with_keys(parts, "take_apart"), self.apart_asked)
        self.dates = menu_button(tr("Dates"), tr("Dates in this plan"))
        self.dates.setProperty("dense", True)
        menu = QMenu(self.dates, toolTipsVisible=True)
        for name in DATE_VERBS:
            command = date_command(name)
            action = menu.addAction(tr(command.name))
            action.triggered.connect(lambda _=False, name=name: self.dates_asked.emit(name))
            set_tip(action, with_keys(tr(command.tip), command.command_id))
        self.dates.setMenu(menu)
        self.change = _button(tr("Change\u2026"), tr("Change planned work"), self.planned_asked)
        self.drop = _button(tr("Remove"), tr("Remove from this plan; one undo step"), self.planned_dropped)
        self._body = QWidget()
        self._rows = column(on=self._body, margins=(0, 0, 8, 0), spacing=12)
        # on the sheet's own ground
        body = scrolled(self._body, tr("Card details"), takes_tab=True, ground="surface")
        body.viewport().setAutoFillBackground(False)
        self._body.setAutoFillBackground(False)
        self._note_title = label(tr("Note"), step="strong")
        kept = tr("For all plans; also in the workbook ({keys} saves)", keys=ACCEPT)
        self.note = named(QPlainTextEdit(tabChangesFocus=True), tr("Note"), kept)
        self.note.setObjectName("note")
        self.note.setPlaceholderText(tr("Note about this workload"))
        self.note.setFixedHeight(text_px(72))
        self.note.installEventFilter(self)  # it is saved when it is left
        self._note_title.setBuddy(self.note)
        verbs = (self.change, self.jobs, self.split, self.merge, self.apart, self.dates, self.drop)
        head = row(share(column(self.title, self._under, spacing=2)), placed(self.close_button, TOP))
        inside = (head, row(*verbs, STRETCH, spacing=6), share(body), self._note_title, self.note)
        column(*inside, on=self, margins=(14, 10, 6, 12), spacing=8)
        self.hide()

    def show_cards(self, cards: Sequence[CardFigures], shown: ViewState, facts: CardFacts) -> None:
        """Say what is known of these cards; of none, what to do."""
        details = details_of(cards, shown, facts)
        self._is_read_only = shown.is_today
        if details is not None and self.details is not None and details == self.details:
            return
        self._write_note()
        self.details = details
        self._draw()
        if details is not None and details.note_key and details.note_key != self._recent[0]:
            self._recent = details.note_key, ()
            self.workload_shown.emit(details.note_key)

    def show_recent(self, key: str, lines: tuple[Line, ...]) -> None:
        """The last jobs of a workload; what is looked at no more is dropped."""
        if key == self._recent[0]:
            self._recent = key, lines
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
            if event.key() == Qt.Key.Key_Escape and self.details is not None:
                self.note.setPlainText(self.details.note)
        return super().eventFilter(watched, event)

    def _write_note(self) -> None:
        """Says what the note is now, if it is another one."""
        details, text = self.details, self.note.toPlainText().strip()
        if details is not None and details.note_key and text != details.note:
            self.note_written.emit(details.note_key, text)

    def _draw(self) -> None:
        """Shows the details anew, with only those buttons that fit what is selected."""
        details = self.details
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
        emptied(self._rows)
        sections = () if details is None else details.sections
        if details is not None and details.note_key == self._recent[0] and self._recent[1]:
            sections = (*sections, Section(tr("Last jobs"), self._recent[1]))
        add(self._rows, *map(self._section, sections), STRETCH)

    def _section(self, section: Section) -> QWidget:
        """A section as a heading over lines of text and figure."""
        made = QWidget()
        heading = across(muted_label(section.title), 3)
        grid((heading,), *map(self._line, section.lines), on=made, spacing=(6, 3), shares=(0, 1))
        return made

    def _line(self, line: Line) -> tuple[Share | None, ...]:
        """The cells of a line: icon, text and figure; a text has the room of those that are not there."""
        role = "" if line.icon or line.role == "text" else line.role
        text = label(line.text, step="body", role=role, is_wrapped=True)
        cells: list[Share | None] = [across(text, 3 - bool(line.icon) - bool(line.figure))]
        if line.icon:
            cells.insert(0, placed(Drawing(line.icon, line.role, 14), TOP))
        if line.figure:
            figure = self._asked(line) if line.figure_id else label(line.figure, step="strong")
            cells += [*(() if line.icon else (None,)), placed(figure, RIGHT | TOP)]
        return tuple(cells)

    def _asked(self, line: Line) -> QToolButton:
        """A figure that answers: by a click, or by Tab and Enter."""
        name = tr("{title}: {value}", title=line.text, value=line.figure)
        button = named(QToolButton(), name, tr("Why this number? (F1 on the card)"), step="strong")
        button.setObjectName("figure")
        button.setText(line.figure)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda: self.figure_asked.emit(line.figure_id, button))
        return button


def _button(text: str, tip: str, asked: SignalInstance, drawing: str = "") -> QPushButton:
    """A dense button; its name for screen readers goes without the dots."""
    drawn = icon(drawing, "text", "edge") if drawing else None
    button = named_button(text, tip, asked, drawn=drawn)
    button.setProperty("dense", True)
    return button
