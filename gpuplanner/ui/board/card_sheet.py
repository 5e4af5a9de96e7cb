"""The side sheet: what is known of the selected cards, their last jobs; why a workload is taken for what it is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QMenu, QPlainTextEdit, QPushButton, QToolButton, QWidget

from gpuplanner.app.background import Background
from gpuplanner.app.document import Document
from gpuplanner.app.past.job_pages import kept_rows, reader_in
from gpuplanner.charts.kit.plain_text import on_button, set_tip, spoken, tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.board.toolbar import menu_button
from gpuplanner.ui.cards.board_view import CardFacts
from gpuplanner.ui.cards.details import Details, Line, Section, details_of
from gpuplanner.ui.kit.layout import (
    RIGHT,
    STRETCH,
    TOP,
    Share,
    across,
    add,
    box,
    column,
    emptied,
    grid,
    named,
    placed,
    row,
    share,
)
from gpuplanner.ui.kit.page_parts import Drawing, label, muted_label, named_button, scrolled, tool_button
from gpuplanner.ui.kit.theme import icon, text_px
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import ACCEPT, keys_of, with_keys
from gpuplanner.ui.words.dated_words import DATE_VERBS, date_command
from gpuplanner.ui.words.glossary import lane_of

# --- The side sheet: what is known of the selected cards, beside the columns; it follows the selection

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
        self._details: Details | None = None
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


# --- The last jobs of the workload in the side sheet, read in a thread from the rows that the import kept

SHOWN: Final = 5
HOUR_S: Final = 3600


class RecentJobs(QObject):
    """Told the sheet and where rows are kept; the newest question is answered, and without rows none."""

    def __init__(
        self, sheet: CardSheet, document: Document, rows: Path, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._sheet, self._document, self._rows = sheet, document, rows
        self._background = Background(lambda error: None, parent=self)  # the list of jobs says what is amiss
        sheet.workload_shown.connect(self._ask)

    def _ask(self, key: str) -> None:
        """Reads the latest jobs of a workload in a thread; nothing where no rows are kept."""
        project = self._document.project
        path, window = kept_rows(self._rows, project.jobs.rows_sha256), project.window
        self._background.cancel()
        if project.jobs.rows_sha256 and path.exists():
            self._background.run(
                lambda: reader_in(None, project.same)(path, (key,), window, "latest", 0).rows[:SHOWN],
                lambda rows: self._sheet.show_recent(key, tuple(map(job_line, rows))),
            )


def job_line(row: Any) -> Line:
    """12 Sep 2026, 8 GPUs, 4.2 h; how it ended at the right."""
    lasted = (
        tr("runs on") if row.end_s is None else f"{numbers.one_decimal((row.end_s - row.start_s) / HOUR_S)} h"
    )
    gpus = f"{numbers.gpus(row.milli_gpus / 1000)} {'GPU' if row.milli_gpus == 1000 else 'GPUs'}"
    words = tr("{start_s}, {gpus}, {lasted}", start_s=numbers.date(row.start_s), gpus=gpus, lasted=lasted)
    return Line(text=words, figure=(row.state or "").capitalize())


# --- Under the cards of Review: what a key says a workload is, as buttons, and why it is asked ---

DECISION_KEYS: Final = {Qt.Key.Key_T: Pool.TRAINING, Qt.Key.Key_I: Pool.INFERENCE, Qt.Key.Key_B: Pool.BURST}
"""In Review a key says what a workload is."""


def key_of_pool(pool: Pool) -> str:
    """The letter of a pool."""
    return pool.value[0].upper()


def decision_name(pool: Pool) -> str:
    """Training (T)."""
    return tr("{name} ({note})", name=lane_of(pool).title, note=key_of_pool(pool))


def decision_tip(pool: Pool) -> str:
    """What a decision does, and what dragging does."""
    return tr(long_text("label_cards", pool=pool, pool_2=key_of_pool(pool)))


LEAST_PX: Final = 34
"""So narrow may the button of a pool be."""


class ReviewFoot(QFrame):
    """Three decisions and a question; told nothing but colours."""

    decided = Signal(object)  # Pool
    why_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("What is it?"), look="foot")
        self.buttons = {pool: self._decision(pool) for pool in POOLS}
        why = tr("Reasons and other possible classes (Enter)")
        self.why = self._button("?", tr("Why?"), why)
        self.why.setMinimumWidth(self.why.sizeHint().width())  # where it is narrow the pools give way
        self.why.clicked.connect(self.why_asked)
        row(*self.buttons.values(), STRETCH, self.why, on=self, margins=(6, 6, 6, 6), spacing=3)

    def _decision(self, pool: Pool) -> QToolButton:
        """The button of a pool: its icon and its letter."""
        button = self._button(key_of_pool(pool), decision_name(pool), decision_tip(pool))
        button.setIcon(icon(lane_of(pool).icon, lane_of(pool)))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setMinimumWidth(LEAST_PX)
        button.clicked.connect(lambda: self.decided.emit(pool))
        return button

    def _button(self, text: str, name: str, tip: str) -> QToolButton:
        """A framed button that leaves the keyboard with the cards when it is clicked."""
        button = named(tool_button(name, tip, px=14), step="body")
        button.setText(text)
        button.setProperty("framed", True)
        button.setProperty("dense", True)
        return button


# --- Why a workload is taken for what it is: three reasons and the runner-up, beside its card, with the decisions

REVIEW_WIDTH = 388
MARGIN = 8


class ReviewWhy(QFrame):
    """Told a card and where it is; T, I and B decide here too. Gives the keyboard back when closed."""

    decided = Signal(object)  # Pool
    rule_asked = Signal()
    jobs_asked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        named(self, tr("Why this class?"), look="popover")
        self._origin: QWidget | None = None
        self.setFixedWidth(text_px(REVIEW_WIDTH))
        self._name, self._where = label(step="title"), label(step="small", role="muted")
        self._icon = Drawing()
        self._found, self._other = label(step="strong"), label(step="body", role="muted")
        self._reasons = [label(step="body", is_wrapped=True) for _ in range(3)]
        self._close = tool_button(tr("Close"), tr("Close (Esc)"), self.close, drawing="close")
        found = row(self._icon, self._found, self._other, STRETCH, spacing=6)
        reasons = column(found, *self._reasons, margins=(12, 8, 12, 8), spacing=4)
        names = row(share(column(self._name, self._where, spacing=2)), placed(self._close, TOP))
        body = column(names, box("box", reasons, QFrame()), margins=(16, 12, 16, 12), spacing=10)
        column(body, self._foot(), on=self, margins=1, spacing=0)

    def _foot(self) -> QFrame:
        """The decisions as buttons, each with its key, and the ways on to a rule and to the jobs."""
        self._decisions = {
            pool: named_button(
                key_of_pool(pool),
                decision_tip(pool),
                lambda _=False, pool=pool: self._decide(pool),
                called=decision_name(pool),
                drawn=icon(lane_of(pool).icon, lane_of(pool)),
            )
            for pool in POOLS
        }
        words, tip = tr("Make a rule\u2026"), with_keys(tr("Rule for all names like this"), "make_rule")
        called = words.rstrip("\u2026")
        rule = named_button(words, tip, lambda: self._ask(self.rule_asked), called=called)
        tip = with_keys(tr("Jobs of the card"), "jobs")
        jobs = named_button(tr("Show jobs"), tip, lambda: self._ask(self.jobs_asked))
        foot = row(*self._decisions.values(), STRETCH, rule, jobs, margins=(12, 8, 12, 8), spacing=6)
        return box("popover_foot", foot, QFrame())

    def show_card(
        self, card: CardFigures, usd: float | None, origin: QWidget, place: QRect, more: int = 0
    ) -> None:
        """Open beside a card; place: its rectangle in `origin`; more: other cards that are selected with it."""
        self._origin = origin
        found = card.classification
        lane = lane_of(found.pool)
        self._name.setText(
            tr("{name} and {names} more", name=card.name, names=numbers.whole(more)) if more else card.name
        )
        self._where.setText(
            tr(
                "{cluster} \u00b7 {owner} \u00b7 {usd} and {gpu_hours_per_month} GPU-h per month",
                cluster=card.cluster,
                owner=card.owner or tr("no owner"),
                usd=numbers.dollars(usd),
                gpu_hours_per_month=numbers.whole(card.gpu_hours_per_month),
            )
        )
        self._icon.show_drawing(lane.icon, lane)
        sure = numbers.whole_percent(found.confidence)
        self._found.setText(f"{lane.title}{'?' if card.in_review else ''} {sure}")
        other = tr(found.subtype)
        if found.runner_up is not None:
            other = tr("{subtype}, else {runner_up}", subtype=other, runner_up=found.runner_up)
        self._other.setText(other)
        for line, reason in zip(self._reasons, (*found.reasons, "", "", ""), strict=False):
            line.setText(f"\u2022 {spoken(reason)}")
            line.setVisible(bool(reason))
        self.adjustSize()
        corner = origin.mapToGlobal(QPoint(place.left(), place.bottom() + 4))
        window, screen = origin.window(), origin.screen().availableGeometry()
        right = window.mapToGlobal(QPoint(window.width() - self.width() - MARGIN, 0)).x()
        lowest = screen.bottom() - MARGIN - self.height()
        self.move(max(screen.left(), min(corner.x(), right)), min(corner.y(), lowest))
        self.show()
        self._decisions[found.pool].setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key of a class decides; Return presses the button that has the keyboard."""
        if (pool := DECISION_KEYS.get(Qt.Key(event.key()))) is not None and not event.modifiers():
            self._decide(pool)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.focusWidget()
            if isinstance(focused, QPushButton | QToolButton):
                focused.click()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Gives the keyboard back to whoever asked."""
        super().hideEvent(event)
        if self._origin is not None:
            self._origin.setFocus(Qt.FocusReason.PopupFocusReason)

    def _decide(self, pool: object) -> None:
        """Closes and says which class it is."""
        self.close()
        self.decided.emit(pool)

    def _ask(self, asked: SignalInstance) -> None:
        """Closes and passes a question on."""
        self.close()
        asked.emit()


# --- After a decision: a bar that says what was done and offers to make it a rule. It asks nothing and takes no key


class RuleOffer(QFrame):
    """Told two sentences; hidden until then."""

    taken = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Offer"), look="foot")
        self._done = label(role="muted")
        tip = with_keys(tr("Preview the change"), "make_rule")
        self.take = named_button("", tip, self.taken, called=tr("Make this a rule"), is_link=True)
        self.take.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        closes = tr("Close; also under Edit, Make a rule")
        self.dismiss = tool_button(tr("Close"), closes, self.hide, 14, drawing="close")
        row(self._done, self.take, STRETCH, self.dismiss, on=self, margins=(12, 3, 9, 3), spacing=8)
        self.hide()

    @property
    def text(self) -> str:
        """All that it says."""
        return f"{self._done.text()} {self.take.text()}"

    def show_offer(self, done: str, offer: str) -> None:
        """What was done, and what may follow from it."""
        self._done.setText(spoken(done))
        self.take.setText(on_button(offer))
        self.take.setAccessibleName(f"{done} {offer}")
        self.show()
