"""Fields to type in: a day, a number, a line whose Escape takes back what was typed; terms of contracts."""

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Final

from PySide6.QtCore import QDate, QLocale, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QDoubleSpinBox, QLineEdit, QToolButton, QWidgetAction

from gpuplanner.charts.kit.plain_text import day_locale, set_tip, tr
from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.book.contract import CONTRACT_TERMS, LARGEST_TERM, TEXT_TERMS, Term, is_money
from gpuplanner.domain.model.book.price_book import OFFER_FIELDS
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_re import lazy_re
from gpuplanner.ui.kit.layout import named
from gpuplanner.ui.kit.page_parts import passing_menu
from gpuplanner.ui.kit.theme import icon
from gpuplanner.ui.words import numbers

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
    date = locale.toDate(text, FORMAT)
    if date.isValid():
        return date
    if match := _ISO.fullmatch(text):
        return _valid(*map(int, match.groups()))
    if match := _NUMBERS.fullmatch(text):
        # A day in numbers in the language's own order; with other signs only if it can be but one day
        former, other, year = int(match[1]), int(match[3]), int(match[4])
        day_first, month_first = _valid(year, other, former), _valid(year, former, other)
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
        if month := _month(bare, locale):
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
    by_month = [{name(month).casefold().rstrip(".") for name in names} for month in range(1, 13)]
    exact = [at for at, known in enumerate(by_month, 1) if sought in known]
    begun = [at for at, known in enumerate(by_month, 1) if any(name.startswith(sought) for name in known)]
    months = exact or (begun if len(sought) >= 3 and sought.isalpha() else [])
    return months[0] if len(months) == 1 else 0


def _valid(year: int, month: int, day: int) -> QDate | None:
    """A day, or None where the calendar has none."""
    date = QDate(year, month, day)
    return date if date.isValid() else None


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
        set_tip(self._open, tr("Calendar (Alt+Down)"))
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
        menu = passing_menu(self)
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
        if (day := read_typed_day(text, self._first, self._day)) is None:
            self.refusal = tr(
                "“{text}” is not a day. Example: {example}.",
                text=text.strip(),
                example=self._words(self._day),
            )
        elif day < self._first:
            self.refusal = tr("Earliest day: {day}.", day=self._words(self._first))
        elif day > self._last:
            self.refusal = tr("Latest day: {day}.", day=self._words(self._last))
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


# --- A line to type in whose Escape takes back what was typed -------------------------------------


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


# --- Terms of contracts as they are typed and shown: rates, GPUs, days, texts ----------------------

PER_UNIT: Final = {"milli_gpus": 1000}
_TIPS: Final = words_table("term_tip")
_OFFERED: Final = [field for field in OFFER_FIELDS if isinstance(field.title, Message)]
TERM_TITLES: Final[Mapping[str, tuple[Text, Message]]] = {
    **{field.name: (field.title, Message(f"{field.unit}")) for field in _OFFERED},
    **{name: (title, _TIPS[name]) for name, title in words_table("term_title").items()},
}
"""Of each term of a contract or an offer its title and its tip; the currency is its own."""
_OF_OFFERS: Final = {field.name: field.kind for field in _OFFERED if field.name not in CONTRACT_TERMS}


def term_words(name: str, value: Term) -> str:
    """A term as its field shows it; a dash for none. The last day is shown, the stored end is exclusive."""
    if value is None:
        return numbers.UNKNOWN
    if isinstance(value, str):
        return value
    if name.endswith("_s"):
        return numbers.date(int(value) - (name == "end_s"))
    if is_money(name):
        return f"{value:f}" if isinstance(value, Decimal) and value != round(value, 2) else f"{value:.2f}"
    return numbers.significant(float(value) / PER_UNIT.get(name, 1), 10)


def typed_term(name: str, text: str) -> Term:
    """A term as it is typed, in the locale; None for none. Errors: PlannerError for anything else."""
    kind = _OF_OFFERS.get(name, "")
    if name in TEXT_TERMS or kind == "text":
        return text.strip() or (None if name == "ramp" else "")
    if name.endswith("_s") or kind == "instant":
        day = read_typed_day(text, EPOCH, EPOCH) if text.strip() else None
        if text.strip() and day is None:
            fault = worded("“{text}” is not a day", text=f"{text!r:.40}")
            raise refusal(TERM_TITLES[name][0], fault, worded("enter one, such as 31 May 2027"))
        if kind and day is not None:
            return day.toString(Qt.DateFormat.ISODate)
        return None if day is None else (EPOCH.daysTo(day) + (name == "end_s")) * DAY_S
    if (number := typed_number(name, text)) is None or is_money(name):
        return number
    return float(number) if name.endswith(("_percent", "_hours")) else int(number)


def typed_number(name: str, text: str) -> Decimal | None:
    """A number as it is typed, in the locale; None for none. Errors: PlannerError for anything else."""
    plain = numbers.plain_amount(text).strip()
    try:
        number = Decimal(plain) if plain else None
        is_too_large = number is not None and abs(number) > LARGEST_TERM
    except InvalidOperation:
        fault = worded("“{text}” is not a number", text=f"{text!r:.40}")
        raise refusal(TERM_TITLES[name][0], fault, worded("enter one, such as 64")) from None
    if is_too_large:
        fault = worded("{value} is not allowed", value=plain[:40])
        most = significant(LARGEST_TERM)
        raise refusal(TERM_TITLES[name][0], fault, worded("enter 0 to {most}", most=most))
    return None if number is None else number * PER_UNIT.get(name, 1)
