"""Dialogs: what they share, errors, questions, progress; and fields to type in: a day, a number, a line."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from PySide6.QtCore import QDate, QEvent, QLocale, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QShowEvent,
    QTextCharFormat,
)
from PySide6.QtWidgets import (
    QApplication,
    QCalendarWidget,
    QDialog,
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
    QWidgetAction,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, day_locale, sentence, set_tip, spoken, tr
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.lazy_re import lazy_re
from gpuplanner.ui.kit.layout import STRETCH, Part, add, column, named, row
from gpuplanner.ui.kit.page_parts import heading_label, label, named_button, retell
from gpuplanner.ui.kit.theme import icon, text_px, text_scale
from gpuplanner.ui.words import numbers

# --- What dialogs share: a size within the screen, a title with a note, a way back, and the one button that goes on

FRAME_PX: Final = 36
"""What a window manager may put above a dialog's content, and what of the window beside it is seen."""
LOWEST_PX: Final = 420
"""A dialog of rows that is lower than this shows too few of them."""


def resize_within_screen(dialog: QWidget, width: int, height: int) -> None:
    """Give a dialog this size, or what the screen of its parent has room for."""
    room = (dialog.parentWidget() or dialog).screen().availableGeometry()
    most = room.width() - FRAME_PX, room.height() - FRAME_PX
    dialog.resize(min(text_px(width), most[0]), min(text_px(height), most[1]))


def stand_below(dialog: QWidget, widget: QWidget) -> None:
    """Stand under a widget of the parent, lower if need be; in the middle where there is no room for that."""
    window = widget.window()
    room = widget.screen().availableGeometry()
    top = widget.mapToGlobal(QPoint(0, widget.height())).y()
    height = min(window.geometry().bottom(), room.bottom()) - top - FRAME_PX
    if height >= LOWEST_PX:
        dialog.resize(dialog.width(), min(dialog.height(), height))
        middle = window.geometry().center().x() - dialog.width() // 2
        dialog.move(max(room.left(), middle), top)


def titled(dialog: QDialog, title: Text, least_px: int = 0) -> str:
    """What a dialog is called, in its frame and to who listens: these words, spoken. least_px: its width at least."""
    said = spoken(title)
    dialog.setWindowTitle(said)
    dialog.setAccessibleName(said)
    dialog.setMinimumWidth(least_px)
    return said


def title_and_note(title: str, note: str) -> tuple[PlainLabel, PlainLabel]:
    """What a dialog is about, and under it, muted, what it does."""
    return heading_label(title), label(note, role="muted", is_wrapped=True)


def dialog_column(dialog: QDialog, *parts: Part) -> QVBoxLayout:
    """What a dialog holds, from the top down, with the margins of all of them; more can be added to it."""
    made = column(*parts, on=dialog, margins=(20, 18, 20, 16), spacing=8)
    for widget in (dialog, *dialog.findChildren(QWidget)) if text_scale() != 1 else ():
        widget.setMinimumWidth(text_px(widget.minimumWidth()))
    return made


def note_label(lines: int, role: str = "") -> PlainLabel:
    """Words that change, with room for so many lines of them: nothing moves when they do."""
    made = label(role=role, is_wrapped=True)
    made.setMinimumHeight(lines * made.fontMetrics().lineSpacing() + 4)
    return made


def open_once(dialog: QDialog) -> None:
    """Open a dialog that goes when it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def tell_whether(
    note: PlainLabel, button: QPushButton, why: str, words: str, tip: str, first: str = ""
) -> None:
    """Say what the fields of a dialog mean, or in red why that cannot be; then the button waits, with the same tip.

    first: what is to be entered before anything is called wrong, said in place of why; empty where something is.
    """
    is_wrong = bool(why) and not first
    retell(note, (first or why) if why else words, "red" if is_wrong else "muted")
    button.setEnabled(not why)
    set_tip(button, why or tip)


def primary_button(text: str, pressed: Callable[[], object]) -> QPushButton:
    """The one that goes on, which Enter presses too."""
    button = named(QPushButton(text), text, step="strong")
    button.setProperty("primary", True)
    button.setDefault(True)
    button.clicked.connect(pressed)
    return button


def cancel_button(dialog: QDialog, tip: str) -> QPushButton:
    """Leaves the dialog as Esc does; never the button that Enter presses. tip: what stays as it is."""
    return named_button(tr("Cancel"), tip, dialog.reject)


def close_button(dialog: QDialog) -> QPushButton:
    """Leaves a dialog whose changes are done as they are made."""
    return named_button(tr("Close"), tr("Close (Esc)"), dialog.accept)


def foot(*buttons: Part) -> QHBoxLayout:
    """The buttons side by side at the right."""
    return row(STRETCH, *buttons, spacing=8)


def takes_enter(dialog: QDialog, event: QKeyEvent) -> bool:
    """Whether a key was Enter: in a dialog of fields it takes a value or presses a button, and does not close it."""
    if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return False
    if isinstance(focused := dialog.focusWidget(), QPushButton | QToolButton):
        focused.click()
    return True


class AnsweringDialog(QDialog):
    """A dialog that knows why its figures are what they are."""

    # figure id, the widget it stands in, and where (QRect; None: all of it)
    figure_opened = Signal(str, object, object)

    def trace(self, figure_id: str) -> Trace:
        """The answer for one of its figures. Errors: KeyError where it is none of its own."""
        raise KeyError(figure_id)


# --- Small dialogs: an error with its remedy, a question with named answers, one line of text ----


class Question(QDialog):
    """A title, a sentence and buttons that begin with verbs; `answer` is the one pressed, empty for Esc."""

    def __init__(
        self, parent: QWidget | None, title: Text, text: Text, answers: tuple[Text, ...], note: str = ""
    ) -> None:
        super().__init__(parent)
        self.answer: Text = ""
        heading = label(titled(self, title, 420), step="title", is_wrapped=True)
        body = label(spoken(text), is_wrapped=True)
        body.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.layout_ = dialog_column(self, heading, body)
        remedy = label(spoken(note), role="muted", is_wrapped=True) if note else None
        self.row = foot()
        for number, name in enumerate(answers):
            button = named(QPushButton(tr(name)), tr(name), step="strong")
            is_last = number == len(answers) - 1
            button.setProperty("primary", is_last)
            button.setDefault(is_last)
            button.clicked.connect(lambda _=False, name=name: self._answer(name))
            self.row.addWidget(button)
        add(self.layout_, remedy, 8, self.row)
        button.setFocus()  # the last one: Enter and Space both give the answer that loses nothing

    def showEvent(self, event: QShowEvent) -> None:
        """As high as its words at the width it has: labels that wrap ask for more before they know their width."""
        super().showEvent(event)
        self.resize(self.width(), self.layout_.totalHeightForWidth(self.width()))

    def _answer(self, name: Text) -> None:
        """Closes with the answer of a button."""
        self.answer = name
        self.accept()


def ask(parent: QWidget | None, title: str, text: str, answers: tuple[Text, ...]) -> Text:
    """The answer that was chosen, or an empty text.

    Waits for it; empty where the dialog was closed.
    """
    dialog = Question(parent, title, text, answers)
    dialog.exec()
    return dialog.answer


def ask_text(parent: QWidget | None, title: str, words: str, value: str, verb: str) -> str:
    """One line of text, or an empty one where the planner thought better of it. words: what is asked for."""
    dialog = Question(parent, title, words, ("Cancel", verb))
    field = named(QLineEdit(value), words)
    field.selectAll()
    dialog.layout_.insertWidget(2, field)
    field.setFocus()
    dialog.exec()
    return field.text().strip() if dialog.answer == verb else ""


def show_error(parent: QWidget | None, error: Exception) -> None:
    """Where, what, remedy."""
    if isinstance(error, PlannerError):
        Question(
            parent, error.where, f"{sentence(error.what)}.", ("Close",), f"{sentence(error.remedy)}."
        ).exec()
    else:
        text = tr("Something in gpuplanner failed. Nothing that was loaded is lost.")
        Question(
            parent,
            tr("This did not work"),
            text,
            ("Close",),
            tr("{name}: {error}", name=type(error).__name__, error=error),
        ).exec()


@contextmanager
def errors_in_dialog(parent: QWidget | None) -> Iterator[None]:
    """What is refused inside is said over the parent, and nothing after it is done."""
    try:
        yield
    except PlannerError as error:
        show_error(parent, error)


# --- Progress of long work: seen after 300 ms, always with a Cancel that works -------------------

DELAY_MS = 300


class ProgressDialog(QDialog):
    """Told how far the work is; emits cancelled."""

    cancelled = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        heading = heading_label(titled(self, title, 420))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._text = label(tr("Starting"), role="muted")
        self._bar = named(QProgressBar(maximum=1000, textVisible=False), tr("Progress"))
        # Enter that was meant for the window before this one stops no work
        cancel = cancel_button(self, tr("Stop; nothing that is loaded changes (Esc)"))
        dialog_column(self, heading, self._text, self._bar, 4, foot(cancel))
        self._is_over = False
        self._timer = QTimer(self, singleShot=True)
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


# --- A day as people type it, read as a whole: one day, or none where it could be two ------------

FORMAT: Final = "d MMM yyyy"
"""As days are shown everywhere."""
_ISO: Final = lazy_re(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NUMBERS: Final = lazy_re(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")
_YEARS_ON: Final = 8
"""How far a day without a year is looked for: 29 February comes within these."""


def read_day(text: str, locale: QLocale, first: QDate, shown: QDate) -> QDate | None:
    """The day of `31 May 2027`, `31 May`, `May 31, 2027`, `2027-05-31`, `31.5.2027`; None where it is not one day.

    Without a year: the year of the day that is shown, or the next in which it is not before the first one. Figures
    alone are read as the locale writes them; with another separator than the locale's only where one order makes a day.
    """
    text = " ".join(text.split())
    found = locale.toDate(text, FORMAT)
    if found.isValid():
        return found
    if match := _ISO.fullmatch(text):
        return _valid(*map(int, match.groups()))
    if match := _NUMBERS.fullmatch(text):
        # A day in numbers in the language's own order; with other signs only if it can be but one day
        one, other, year = int(match[1]), int(match[3]), int(match[4])
        day_first, month_first = _valid(year, other, one), _valid(year, one, other)
        short = locale.dateFormat(QLocale.FormatType.ShortFormat)
        if match[2] in short and "d" in short and "M" in short:
            return day_first if short.index("d") < short.index("M") else month_first
        both = {day.toJulianDay(): day for day in (day_first, month_first) if day is not None}
        return next(iter(both.values())) if len(both) == 1 else None
    return _from_words(text, locale, first, shown)


def read_typed_day(text: str, first: QDate, shown: QDate) -> QDate | None:
    """`read_day` as the language writes days, else as figures are written."""
    by_language = read_day(text, day_locale(), first, shown)
    return by_language or read_day(text, numbers.locale(), first, shown)


def _from_words(text: str, locale: QLocale, first: QDate, shown: QDate) -> QDate | None:
    """A day with the month as a word; without a year the first such day that may be chosen.

    None if parts are left.
    """
    months, figures = [], []
    for part in text.replace(",", " ").split():
        bare = part.rstrip(".")
        month = _month(bare, locale)
        if month:
            months.append(month)
        elif bare.isdecimal():
            figures.append(bare)
        else:
            return None
    days = [int(figure) for figure in figures if len(figure) <= 2]
    years = [int(figure) for figure in figures if len(figure) == 4]
    if (len(months), len(days)) != (1, 1) or len(years) > 1 or len(figures) != 1 + len(years):
        return None
    if years:
        return _valid(years[0], months[0], days[0])
    later = (_valid(shown.year() + more, months[0], days[0]) for more in range(_YEARS_ON + 1))
    return next((day for day in later if day is not None and day >= first), None)


def _month(word: str, locale: QLocale) -> int:
    """1 to 12 of a month's name, short or long, or of so much of it that no other month begins so; else 0."""
    sought = word.casefold()
    short, long = QLocale.FormatType.ShortFormat, QLocale.FormatType.LongFormat
    names: list[Callable[[int], str]] = [
        lambda month: locale.monthName(month, short),
        lambda month: locale.standaloneMonthName(month, short),
        lambda month: locale.monthName(month, long),
        lambda month: locale.standaloneMonthName(month, long),
    ]
    told = [{name(month).casefold().rstrip(".") for name in names} for month in range(1, 13)]
    exact = [at for at, known in enumerate(told, 1) if sought in known]
    begun = [at for at, known in enumerate(told, 1) if any(name.startswith(sought) for name in known)]
    found = exact or (begun if len(sought) >= 3 and sought.isalpha() else [])
    return found[0] if len(found) == 1 else 0


def _valid(year: int, month: int, day: int) -> QDate | None:
    """A day, or None where the calendar has none."""
    found = QDate(year, month, day)
    return found if found.isValid() else None


# --- A field for a day, UTC, told and asked in epoch seconds: what is typed is read as a whole, or refused

EPOCH: Final = QDate(1970, 1, 1)
LATEST_DAYS: Final = 100 * 365
"""How long after the first day a day may be: a year typed wrong is refused."""
_STEPS: Final = {
    Qt.Key.Key_Up: (1, 0),
    Qt.Key.Key_Down: (-1, 0),
    Qt.Key.Key_PageUp: (0, 1),
    Qt.Key.Key_PageDown: (0, -1),
}
"""Days and months that a key goes on by."""


class WholeField(QLineEdit):
    """A field whose whole text is selected by the click that gives it the keyboard, so that typing replaces it."""

    _is_entered = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Comes before the press that brings the keyboard, but not to a window that is not in front."""
        super().focusInEvent(event)
        self._is_entered = event.reason() is Qt.FocusReason.MouseFocusReason

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self._is_entered or not self.hasFocus():
            self.selectAll()
        self._is_entered = False


class DayField(QLineEdit):
    """Days from the first that begins at or after `first_s`; a calendar opens at its right end (Alt+Down).

    `changed` comes with every key. While `refusal` is not empty, `day_s` is still the day before: whoever acts on it
    asks for the refusal first.
    """

    changed = Signal()

    def __init__(self, name: Text, tip: Text, first_s: int) -> None:
        super().__init__()
        self._first = EPOCH.addDays(-(-first_s // DAY_S))
        self._last = EPOCH.addDays(first_s // DAY_S + LATEST_DAYS)
        self._day = self._first
        self.refusal = ""  # why what is typed is no day that there may be; "" where it is one
        named(self, name, tip)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setMinimumWidth(140)
        self._open = QAction(tr("Calendar"), self)
        set_tip(self._open, tr("Choose a day in a calendar (Alt+Down)"))
        self._open.setIcon(icon("calendar", self.palette().text().color()))
        self._open.triggered.connect(self.open_calendar)
        self.addAction(self._open, QLineEdit.ActionPosition.TrailingPosition)
        self.calendar: QCalendarWidget | None = None
        self._show(self._first)
        self.textChanged.connect(self._read)
        self.editingFinished.connect(self._write)

    def show_day(self, at_s: int) -> None:
        """Show the day of a moment, or the nearest that there may be."""
        self._show(max(self._first, min(EPOCH.addDays(at_s // DAY_S), self._last)))

    @property
    def day_s(self) -> int:
        """When the day begins."""
        return EPOCH.daysTo(self._day) * DAY_S

    def open_calendar(self) -> None:
        """Choose a day in a calendar under the field."""
        menu = QMenu(self)
        menu.setAccessibleName(tr("Calendar"))
        self.calendar = calendar = QCalendarWidget(menu)
        calendar.setAccessibleName(tr("Calendar"))
        calendar.setLocale(day_locale())
        plain = QTextCharFormat()
        plain.setForeground(self.palette().text())
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            calendar.setWeekdayTextFormat(day, plain)  # red is for what is wrong
        calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        for name, drawing in {"prevmonth": "chevron_left", "nextmonth": "chevron_right"}.items():
            arrow = calendar.findChild(QToolButton, f"qt_calendar_{name}")
            if isinstance(arrow, QToolButton):  # Qt's own are black in the dark
                arrow.setIcon(icon(drawing, self.palette().text().color()))
        calendar.setDateRange(self._first, self._last)
        calendar.setSelectedDate(self._day)
        for signal in (calendar.clicked, calendar.activated):
            signal.connect(self._choose)
            signal.connect(menu.close)
        holder = QWidgetAction(menu)
        holder.setDefaultWidget(calendar)
        menu.addAction(holder)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))
        calendar.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt+Down opens the calendar; the arrows go on or back by a day, the page keys by a month."""
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        if key == Qt.Key.Key_Down and modifiers == Qt.KeyboardModifier.AltModifier:
            self.open_calendar()
        elif key in _STEPS and not modifiers & ~Qt.KeyboardModifier.KeypadModifier:
            days, months = _STEPS[key]
            self._choose(self._day.addDays(days).addMonths(months))
        else:
            super().keyPressEvent(event)

    def _show(self, day: QDate) -> None:
        """Shows a day, as the language writes it."""
        self._day = day
        self.setText(day_locale().toString(day, FORMAT))
        self.setCursorPosition(0)

    def _choose(self, day: QDate) -> None:
        """Shows a day if it may be chosen."""
        if self._first <= day <= self._last:
            self._show(day)

    def _read(self, text: str) -> None:
        """Reads what was typed, or keeps why it is no day that may be chosen."""
        day = read_typed_day(text, self._first, self._day)
        if day is None:
            self.refusal = tr(
                "\u201c{text}\u201d is not a day: write it like {example}.",
                text=text.strip(),
                example=self._words(self._day),
            )
        elif day < self._first:
            self.refusal = tr("The first day that can be chosen is {day}.", day=self._words(self._first))
        elif day > self._last:
            self.refusal = tr("The last day that can be chosen is {day}.", day=self._words(self._last))
        else:
            self._day, self.refusal = day, ""
        self.changed.emit()

    def _write(self) -> None:
        """The day that was understood, in full."""
        if not self.refusal and self.text() != self._words(self._day):
            self._show(self._day)

    def _words(self, day: QDate) -> str:
        """A day as the language writes it."""
        return day_locale().toString(day, FORMAT)


# --- A field for a number that shows no zeros after it: 64 as 64, 12.5 as 12.5 -------------------


class PlainNumber(QDoubleSpinBox):
    """Written as every number of the window is."""

    def textFromValue(self, value: float) -> str:
        """The number in as few digits as it needs."""
        return numbers.significant(value)


# --- A line to type in whose Escape takes back what was typed; whose Undo is whose, OwnUndo decides for all fields


class TypedField(QLineEdit):
    """Told what holds; says what was typed instead when it is entered."""

    entered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        self.returnPressed.connect(self._enter)

    @property
    def is_typed(self) -> bool:
        """Whether it says something else than what holds."""
        return self.text() != self._shown

    def show_value(self, words: str) -> None:
        """What holds now; what is being typed stays."""
        is_kept = self.hasFocus() and self.is_typed
        self._shown = words
        if not is_kept:
            self.setText(words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape takes back what was typed."""
        if event.matches(QKeySequence.StandardKey.Cancel) and self.is_typed:
            self.setText(self._shown)
        else:
            super().keyPressEvent(event)

    def _enter(self) -> None:
        """Says what was typed."""
        if self.is_typed:
            self.entered.emit(self.text())


class ValueField(TypedField):
    """The value of something: said when it is left, too, and back to what holds until that holds."""

    def __init__(self) -> None:
        super().__init__()
        self.editingFinished.connect(self._enter)

    def _enter(self) -> None:
        if self.is_typed:
            text = self.text()
            self.setText(self._shown)
            self.entered.emit(text)


# --- OwnUndo: keys that a field of text takes for itself and has no use for are the window's, as everywhere else

OF_THE_WINDOW: Final = (Qt.Key.Key_D, Qt.Key.Key_E, Qt.Key.Key_K)
"""With Ctrl: on X11 a field deletes or goes to the end of its line with them, and there they duplicate a plan, export
and find a command."""


class OwnUndo(QObject):
    """Watches whichever field of text has the keyboard, and no other widget: Qt's fields take the keys of Undo and
    Redo for themselves, also where they do nothing with them, and on X11 some of the window's commands."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._field: QWidget | None = None
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._watch)

    def _watch(self, before: QWidget | None, now: QWidget | None) -> None:
        """The keyboard went from one widget to another."""
        if isinstance(before, QLineEdit | QPlainTextEdit):
            before.removeEventFilter(self)
        if isinstance(now, QLineEdit | QPlainTextEdit):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A key that would undo nothing here is left to the menus."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.modifiers() == Qt.KeyboardModifier.ControlModifier and event.key() in OF_THE_WINDOW:
                event.ignore()
                return True
            for keys, has_some in (
                (QKeySequence.StandardKey.Undo, can_undo),
                (QKeySequence.StandardKey.Redo, can_redo),
            ):
                if event.matches(keys) and not has_some(watched):
                    event.ignore()
                    return True
        return super().eventFilter(watched, event)


def can_undo(field: QObject) -> bool:
    """Whether a field has typing of its own to take back."""
    if isinstance(field, QPlainTextEdit):
        return field.document().isUndoAvailable()
    return isinstance(field, QLineEdit) and field.isUndoAvailable()


def can_redo(field: QObject) -> bool:
    """Whether a field has typing of its own to do again."""
    if isinstance(field, QPlainTextEdit):
        return field.document().isRedoAvailable()
    return isinstance(field, QLineEdit) and field.isRedoAvailable()
