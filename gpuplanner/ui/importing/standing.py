"""How an import stands: in words, as steps in a row, and at its foot."""

from itertools import pairwise
from pathlib import PurePath
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QCheckBox, QFrame, QWidget

from gpuplanner.app.importing import LogAlone
from gpuplanner.charts.kit.plain_text import set_tip, spoken, tr
from gpuplanner.domain.message import Message, Text, joined
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.model.project import Project
from gpuplanner.files.importing.reconciliation import TOTALS_DISAGREE, agreement_words
from gpuplanner.files.system.resources import words_table
from gpuplanner.files.tables.price_columns import ODD_RATE
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.importing import import_state, last_page
from gpuplanner.ui.importing.background_reading import ImportReading
from gpuplanner.ui.importing.columns_page import naive_sentence
from gpuplanner.ui.importing.files import ImportFiles
from gpuplanner.ui.importing.issue_words import not_taken_words
from gpuplanner.ui.importing.questions import ImportQuestions
from gpuplanner.ui.importing.report import is_refused
from gpuplanner.ui.kit.layout import STRETCH, column, named, row
from gpuplanner.ui.kit.page_parts import label, named_button, retell
from gpuplanner.ui.kit.theme import LEFT, draw_box, draw_icon, draw_text, font, in_use, text_width

# --- The steps of an import in a row: which is open, which are settled; each may be opened at any time

ASKED: Final = (TOTALS_DISAGREE, ODD_RATE)
"""Issues that stop an import with a question."""
STEPS: Final = tuple(words_table("import_step").values())
FILES, FORMAT, COLUMNS, ISSUES, CONTRACTS, LAST = range(len(STEPS))
_DOT: Final = 16


class _StepButton(QAbstractButton):
    """A step by number and title: open, settled or still to come."""

    def __init__(self, number: int, title: Message) -> None:
        super().__init__()
        self._number = number
        self.is_settled = False
        self.setText(spoken(title))
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        steps = len(STEPS)
        words = tr("Step {number} of {steps}: {title}", number=number, steps=steps, title=title)
        self.setAccessibleName(words)

    def sizeHint(self) -> QSize:
        return QSize(_DOT + 8 + text_width(self.text(), font("total")) + 12, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The number in a ring, filled while it is open, a tick once it is settled, and the title."""
        painter, palette = QPainter(self), in_use()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dot = QRect(4, (self.height() // 2) - _DOT // 2, _DOT, _DOT)
        is_open = self.isChecked()
        role = "accent" if is_open or (self.is_settled and self.isEnabled()) else "muted"
        painter.setPen(QPen(palette.colour(role), 1.3))
        painter.setBrush(palette.colour("accent") if is_open else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(dot.adjusted(0, 0, -1, -1))
        if self.is_settled and not is_open:
            draw_icon(painter, "check", palette.colour(role), dot.left() + 2, dot.top() + 2, 12)
        else:
            painter.setFont(font("small_strong"))
            painter.setPen(palette.colour("on_accent" if is_open else "muted"))
            centre = Qt.AlignmentFlag.AlignCenter.value
            painter.drawText(dot.adjusted(0, 0, -1, -1), centre, str(self._number))
        place = QRect(dot.right() + 8, 0, self.width() - dot.right() - 8, self.height())
        colour = palette.colour("text" if is_open or self.underMouse() else "muted")
        draw_text(painter, place, self.text(), font("total" if is_open else "body"), colour, LEFT)
        if self.hasFocus():
            draw_box(painter, self.rect(), None, palette.focus, 4, 2)


class StepBar(QWidget):
    """Told which step is open and which are settled; emits the one that was asked for."""

    step_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Steps"))
        self._group = QButtonGroup(self)
        for at, title in enumerate(STEPS):
            self._group.addButton(_StepButton(at + 1, title), at)
        row(*self._group.buttons(), STRETCH, on=self, spacing=30)
        self._group.idClicked.connect(self.step_asked)

    def button(self, at: int) -> QAbstractButton:
        """The button of one step."""
        return self._group.button(at)

    def show_steps(self, at: int, settled: tuple[bool, ...], refusals: tuple[str, ...]) -> None:
        """The open step, which are settled, and why one cannot be opened (empty: it can)."""
        for number, button in enumerate(self._group.buttons()):
            assert isinstance(button, _StepButton)
            button.is_settled = settled[number]
            button.setEnabled(not refusals[number])
            state = tr("settled") if settled[number] else tr("open to see more")
            state = tr("{title}: {value}", title=STEPS[number], value=tr("open") if number == at else state)
            set_tip(button, spoken(refusals[number]) or state)
            button.setChecked(number == at)
            button.update()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line between each step and the next."""
        painter = QPainter(self)
        painter.setPen(in_use().colour("line"))
        for one, other in pairwise(self._group.buttons()):
            middle = self.height() // 2
            painter.drawLine(one.geometry().right() + 2, middle, other.geometry().left() - 3, middle)


# --- How an import stands, in words: what it came to, what is in the way, which steps are open and which settled


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportStanding:
    """obstacle: why nothing can be read; loaded: the project; joined: it too, where the files are added to it;
    alone: each log by itself, once that is known.
    """

    files: ImportFiles
    reading: ImportReading
    obstacle: str
    loaded: Project
    joined: Project | None
    alone: tuple[LogAlone, ...]
    questions: ImportQuestions

    @property
    def summary(self) -> tuple[str, str]:
        """What has come of it so far, and its palette role."""
        if self.reading.answer is None:
            if self.reading.error:
                return self.reading.error, "red"
            if self.obstacle:
                return self.obstacle, "muted" if self.files.is_being_recognised else "amber"
            return tr("Reading"), "muted"
        request, read = self.reading.answer
        files, contracts = self.files.all, self.loaded.contracts
        words, role = import_state.sentence_of_import(request, read, files, contracts, self.joined)
        if role == "red":
            return words, role
        apart = import_state.apart_words(request, read, self.loaded, self.joined)
        noted = list(filter(None, (apart, import_state.twice_words(read, self.joined))))
        return (" ".join((words, *noted)), "amber") if noted else (words, role)

    @property
    def is_reading(self) -> bool:
        """Whether what is in the way goes by itself."""
        return self.reading.answer is None and not (self.reading.error or self.obstacle)

    @property
    def refusal(self) -> str:
        """Why nothing can be taken in now; empty where it can."""
        if self.reading.answer is not None:
            refused, asked = import_state.refusal_of(*self.reading.answer), self.asked
            if asked is None or refused:
                return refused
            return tr("First answer the question about {name}.", name=asked[0].name)
        if self.reading.error or self.obstacle:
            return self.reading.error or self.obstacle
        left = self.reading.left
        return tr("The files are being read{left}.", left=", " + left if left else "")

    @property
    def waiting(self) -> tuple[import_state.ChosenFile, str] | None:
        """The first file that cannot be read before its columns are mapped, and why."""
        return import_state.unreadable(self.files.all, self.files.previews.known)

    @property
    def asked(self) -> tuple[import_state.ChosenFile, Issue] | None:
        """The first file that disagrees with its own totals or has odd rates, which nobody has called right."""
        for file in self.files.all:
            read = self.reading.intake.get(file.path)
            for issue in read.issues if read is not None else ():
                if issue.code in ASKED and issue.code not in file.settled:
                    return file, issue
        return None

    @property
    def is_to_confirm(self) -> bool:
        """Whether contracts were read."""
        read = None if self.reading.answer is None else self.reading.answer[1]
        return read is not None and bool(read.contracts)

    @property
    def agreement(self) -> str:
        """Which files agree with the totals that they state."""
        agree = ((file.name, self.reading.intake.get(file.path)) for file in self.files.all)
        agreements = (
            (name, agreement_words(read.reconciliation)) for name, read in agree if read is not None
        )
        return " ".join(
            tr("{title}: {value}.", title=name, value=words) for name, words in agreements if words
        )

    def lines(self, *, is_telling: bool) -> list[tuple[str, Text]]:
        """What each file holds by itself. is_telling: what each log holds is still to come."""
        logs = [file.name for file in self.files.all if file.kind == "jobs"]
        together = logs[0] if len(logs) == 1 else tr("{count} job logs", count=len(logs))
        seen = ((file.name, file.path, self.files.previews.of(file.path)) for file in self.files.all)
        lines: list[tuple[str, Text]] = [
            (
                name,
                ", ".join(
                    filter(None, (spoken(preview.line), not_taken_words(self.reading.intake.get(path))))
                ),
            )
            for name, path, preview in seen
            if preview is not None and preview.line
        ]
        if logs and (self.reading.is_to_come or is_telling):
            return [(together, tr("reading\u2026")), *lines]
        loaded = {file.path for file in self.loaded_before}
        alone = (log for log in self.alone if log.path not in loaded)
        return [*((PurePath(log.path).name, last_page.line_of_log(log)) for log in alone), *lines]

    @property
    def fault(self) -> str:
        """Why the file that is looked at has no preview; empty where it has one, will have or needs none."""
        file = self.files.file
        return self.files.previews.fault(file.path) if file.kind in import_state.MAPPABLE else ""

    @property
    def lacking(self) -> str:
        """What the file that is looked at lacks before it can be read; empty where nothing."""
        file = self.files.file
        preview = self.files.previews.of(file.path)
        if file.kind not in import_state.MAPPABLE or preview is None or not preview.missing:
            return ""
        missing = joined(preview.missing, "; ")
        return tr("{name} cannot be read yet: {missing}.", name=file.name, missing=missing)

    @property
    def meaning_of_zone(self) -> str:
        """What the zone makes of a time of a log: the one that is looked at, else the first that has such times."""
        for file in (self.files.file, *self.files.all):
            preview = self.files.previews.of(file.path)
            if file.kind == "jobs" and preview is not None and preview.naive_sample is not None:
                name = f"{file.name}: " if len(self.files.all) > 1 else ""
                return name + naive_sentence(preview.naive_sample, self.files.zone_of(file))
        return ""

    @property
    def loaded_files(self) -> list[FileIntake]:
        """The files that were read with these, for what is added joins them."""
        return [file for path, file in self.reading.intake.items() if path not in self.files.paths]

    @property
    def loaded_before(self) -> list[FileIntake]:
        """The files of the project that are not imported anew."""
        return [file for file in self.loaded.intake if file.path not in self.files.paths]

    @property
    def report(self) -> tuple[FileIntake | None, str]:
        """What is known of the rows of the file that is looked at, and which rows that is of."""
        file = self.files.file
        read, preview = self.reading.intake.get(file.path), self.files.previews.of(file.path)
        return import_state.report_of(file, read, preview, is_reading=self.reading.is_to_come)

    @property
    def note_of_taking(self) -> str:
        """What the import does to what is loaded."""
        if self.loaded.is_empty:
            return tr("The import is one undo step.")
        if self.joined is not None:
            return tr("Files are added. Duplicate jobs are removed.")
        return tr("Replaces data of the same kind. Plans, moves and labels stay.")

    @property
    def settled(self) -> tuple[bool, ...]:
        """Of each step, whether nothing is left to be said there."""
        file, intake = self.files.file, self.reading.intake
        is_read = file.path in intake and not is_refused(intake[file.path])
        preview = self.files.previews.of(file.path)
        return (
            all(one.is_known or one.kind for one in self.files.all),
            bool(file.kind),
            is_read or bool(preview and file.kind in import_state.MAPPABLE and not preview.missing),
            is_read and not intake[file.path].rows_rejected,
            not self.is_to_confirm,
            self.reading.answer is not None and not self.refusal,
        )

    @property
    def closed_steps(self) -> tuple[str, ...]:
        """Of each step, why it cannot be opened; empty where it can."""
        file = self.files.file
        refusals = [""] * len(STEPS)
        if file.found is None or not file.found.kind:
            why = tr("Reading…") if file.found is None else tr("Cannot be opened")
            refusals[FORMAT] = refusals[COLUMNS] = refusals[ISSUES] = why
        elif not file.kind:
            refusals[COLUMNS] = refusals[ISSUES] = tr("Skipped: choose its kind in Format")
        if not self.questions.sentences:
            refusals[CONTRACTS] = tr("No contract or offer read")
        return tuple(refusals)

    def way_on(self, page: int) -> tuple[str, str, str]:
        """The one primary button of a step: its words, why it is closed (empty: it is not), its tip."""
        file, waiting = self.files.file, self.waiting
        if page == CONTRACTS:
            return (tr("Confirm and import"), self.refusal, tr("Import; one undo step (Enter)"))
        if page in (FILES, LAST):
            if waiting is None and self.is_to_confirm:
                return tr("Next: confirm contracts"), "", tr("How each contract was read (Enter)")
            if waiting is None:
                return tr("Import"), self.refusal, tr("Import; one undo step (Enter)")
            return tr("Next: map the columns"), "", waiting[1]
        if page == FORMAT:
            words = tr("Next: look at the columns") if file.kind else tr("Next: import")
            why = "" if file.found is not None else tr("Reading…")
            return words, why, tr("Map columns to fields (Enter)")
        if page == COLUMNS and waiting is not None and waiting[0] == file and not self.lacking:
            return tr("Read like this"), "", tr("Read the table like this (Enter)")
        if page == COLUMNS:
            return tr("Next: review issues"), self.lacking, tr("Results of the rows (Enter)")
        return tr("Next: import"), "", tr("Review the import (Enter)")


# --- The foot of an import: what holds for all files, the way on, and beside it the sentence why there is none


class ImportFoot(QFrame):
    """Told what may be done on a page; its widgets are public for whoever acts on them."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("foot")
        self.can_add = False
        self.adding = _check(tr("Add to existing data"), tr("Otherwise these files replace the data"))
        self.adding.setChecked(True)
        self.private = _check(
            tr("Replace users, jobs and accounts by pseudonyms"),
            tr("Same name, same pseudonym; names are not stored"),
        )
        self.remember = _check(tr("Remember this mapping"), tr("For tables with the same headings"))
        self.remember.setChecked(True)
        self.forget = named_button(tr("Forget it"), tr("Forget this mapping"))
        self.cancel = named_button(tr("Cancel"), tr("Change nothing (Esc)"))
        self.back = named_button(tr("Back"), tr("Previous step (Ctrl+Page up)"))
        self.next = named(named_button(tr("Import")), step="strong")
        self.next.setProperty("primary", True)
        self._why = named(label(role="amber", is_wrapped=True), tr("Why the next step is unavailable"))
        self._why.setAlignment(Qt.AlignmentFlag.AlignRight)  # beside the button it is about
        of_files = (self.adding, self.private, self.remember, self.forget)
        buttons = row(self.cancel, self.back, self.next, spacing=8)
        last = row(*of_files, STRETCH, buttons, spacing=12)
        column(self._why, last, on=self, margins=(20, 10, 20, 10), spacing=6)
        self.say("", "muted")

    def show_page(self, *, can_add: bool, can_remember: bool, is_remembered: bool, has_back: bool) -> None:
        """What the open page lets choose."""
        self.adding.setVisible(can_add and self.can_add)
        self.private.setVisible(can_add)
        self.remember.setVisible(can_remember)
        self.forget.setVisible(can_remember and is_remembered)
        self.back.setVisible(has_back)

    def show_next(self, title: str, refusal: str, tip: str, role: str) -> None:
        """The way on; refusal: why it is closed, empty where it is open; role: its colour."""
        if self.next.text() != title:
            self.next.setText(spoken(title))
            self.next.setAccessibleName(spoken(title))
        self.next.setEnabled(not refusal)
        set_tip(self.next, spoken(refusal) or spoken(tip))
        self.say(refusal, role)

    def say(self, text: str, role: str) -> None:
        """A sentence above the buttons."""
        self._why.setVisible(bool(text))
        if self._why.text() != text or self._why.property("role") != role:
            retell(self._why, text, role)

    @property
    def sentence(self) -> str:
        """The sentence above the buttons."""
        return self._why.text()


def _check(name: str, tip: str) -> QCheckBox:
    return named(QCheckBox(name), name, tip)
