"""What charts are told: words in the planner's language, money and digits, and colours."""

import re
from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QDate, QEvent, QLocale, QPoint, QSize, Qt, QTranslator
from PySide6.QtGui import QAction, QColor, QFont, QResizeEvent
from PySide6.QtGui import Qt as TextQt
from PySide6.QtWidgets import QLabel, QMenu, QTextBrowser, QToolTip, QWidget

from gpuplanner.domain.figures.typed import Written
from gpuplanner.domain.figures.writing import UNKNOWN, Writer
from gpuplanner.domain.message import BEGIN, CAPITAL, LOWERED, NO_WORDS, Message, Part, Text, worded_count
from gpuplanner.domain.model.book.exchange import USD, before_amount, in_money
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.system.process import resource_path
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- The planner's locale, and how it writes digits and days: in charts and in the window --------

_EPOCH: Final = QDate(1970, 1, 1)


_DAYS: Final[list[QLocale | None]] = [None]
"""What names months where figures are written otherwise."""


def use_locale(chosen: QLocale | None = None, days: QLocale | None = None) -> None:
    """Write figures as this locale does from now on; None: as the system's does. days: names months; None: as it."""
    QLocale.setDefault(QLocale.system() if chosen is None else chosen)
    _DAYS[0] = days
    locale.cache_clear()
    grouped.cache_clear()


@lru_cache(maxsize=1)
def locale() -> QLocale:
    """The planner's locale; where the system names none ("C"), figures are grouped as in English."""
    system = QLocale()
    if system.language() == QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
    return system


def day_locale() -> QLocale:
    """The language's, which names months as its sentences do, whatever figures are written like."""
    return _DAYS[0] or locale()


@lru_cache(maxsize=20_000)  # a repaint asks for hundreds of figures, and most of them have not changed
def grouped(value: float, decimals: int = 0) -> str:
    """1,234 or 1.234: with so many decimals, in the locale's signs for thousands and decimals."""
    return locale().toString(float(value), "f", decimals)


def day(at_s: int | None, form: str = "d MMM yyyy") -> str:
    """29 Nov 2026, in UTC, with the language's name of the month; a dash for what is unknown. at_s: epoch seconds."""
    return UNKNOWN if at_s is None else day_locale().toString(_EPOCH.addDays(at_s // DAY_S), form)


def day_in(text: str) -> int | None:
    """The day that a text is, as `day` writes it, in days; None where it is none."""
    date = day_locale().toDate(text, "d MMM yyyy")
    return date.toJulianDay() if date.isValid() else None


_PLAIN: Final = Writer(grouped)


def short(value: float) -> str:
    """2.5 or 2,5 at a tick: no zeros after the last digit that says something, six digits at most.

    value: as it stands at the tick, in the unit of the axis.
    """
    return _PLAIN.significant(value, 6)


# --- What the window says, in the planner's language, money and digits: a text, or a sentence with places for figures

CONTEXT: Final = "gpuplanner"
"""The one context of all texts in a .ts file: the same English words mean the same everywhere in the window."""


_MONEY: Final = [USD]
"""What `$` of our words stands for now: the code of one currency."""


def use_currency(code: str) -> bool:
    """Write money in this currency from now on; whether that is another one. Widgets are told by LanguageChange."""
    is_other = code != _MONEY[0]
    _MONEY[0] = code
    return is_other


def currency() -> str:
    """The code of the currency that money is written in."""
    return _MONEY[0]


def load_language(application: QCoreApplication, locale: QLocale, folder: Path | None = None) -> bool:
    """Let `tr` speak the locale's language, where resources/translations has a gpuplanner_<language>.qm of it.

    Before the first widget: words are taken when a widget is made. Returns whether there is such a file.
    """
    folder = folder or resource_path("translations")
    translator = QTranslator(application)
    if not translator.load(locale, "gpuplanner", "_", str(folder)):
        return False
    return application.installTranslator(translator)


def tr(text: Text, /, **values: object) -> str:
    """`text` in the language that is loaded, with its places filled; in English where there are no words for it.

    `tr("{gpus} GPUs until {date}", gpus=numbers.gpus(64), date=numbers.date(end_s))`: a translator sees the whole
    sentence and puts the places where another language has them. Values are written as the locale writes them; one
    that is `Message` is translated itself, and so is such a text.
    """
    return _rendered(text if isinstance(text, Message) else Message(text, values), _found)


def by_count(count: float, single: str, many: str, /, **values: Part) -> str:
    """`single` or `many` in English, and in another language the form that it has for so many, found by `many`.

    `by_count(jobs, "{count} job waits", "{count} jobs wait", count=numbers.whole(jobs))`.
    """
    return _rendered(worded_count(count, single, many, **values), _found)


def spoken(text: Text) -> str:
    """`text` in the planner's language where it is ours (`Message`, a word of the model); a name from data as it is."""
    if isinstance(text, Message):
        return tr(text)
    return tr(text.value) if isinstance(text, StrEnum) else text


def capital(text: str) -> str:
    """A note as a sentence: it begins with a capital, unless with a name (`vela-h100: ...`)."""
    return text if text.split(" ", 1)[0].endswith(":") else text[:1].upper() + text[1:]


def sentence(text: Text) -> str:
    """A note of the model as a sentence in the planner's language, with its numbers as the planner writes them."""
    return capital(spoken(text))


def speak(of: object, *names: str) -> None:
    """Put these fields of a frozen value that a view is told into the planner's language: its `__post_init__`.

    A text that is no `Message` stays; so does one that was put into words before. A value alone is written as in a
    message: Qt ends the process where a model gives it something that is no text.
    """
    for name in names:
        text = getattr(of, name)
        if type(text) is Message:
            object.__setattr__(of, name, tr(text))
        elif isinstance(text, Written):
            object.__setattr__(of, name, text.by(WRITE))


WRITE: Final = Writer(grouped, lambda: before_amount(currency()), tr, "\u00b1", day)
"""How charts and window write figures, also those in a message."""


_Find = Callable[[Message], str]
"""The template of a message in some language."""


def _found(text: Message) -> str:
    """In the language that is loaded; in English where it has no words for it."""
    if not text.template or text.template.startswith(BEGIN):
        return text.template  # asked for nothing, Qt answers with the head of its file
    if text.number is None:
        return QCoreApplication.translate(CONTEXT, text.template)
    translated = QCoreApplication.translate(CONTEXT, text.template, None, text.number)
    return _english(text) if translated == text.template else translated


def _english(text: Message) -> str:
    """The words that its number has in English."""
    return text.one or text.template


def _rendered(text: Message, find: _Find) -> str:
    """A message with its places filled, as window and charts write what stands there."""
    if text.template == LOWERED:
        return _lowered(text.values["lowered"], find)
    if text.template == CAPITAL:
        begun = str(_value(text.values["capital"], find))
        return begun[:1].upper() + begun[1:]
    found = in_money(find(text), _MONEY[0])
    if not text.values:
        return found
    words = {name: _value(value, find) for name, value in text.values.items()}
    try:
        return found.format(**words)
    except (KeyError, IndexError, ValueError):  # a slip of a translator is no reason to show nothing
        return in_money(_english(text), _MONEY[0]).format(**words)


def _value(value: object, find: _Find) -> object:
    """What stands in a message: a message itself, a number, a word of the model; what else it may be stays."""
    if isinstance(value, Message):
        return _rendered(value, find)
    if isinstance(value, Written):
        return value.by(WRITE)
    return find(Message(value.value)) if isinstance(value, StrEnum) else value


def _lowered(text: object, find: _Find) -> str:
    """Only English is known to write it small: what reads as in English in this language."""
    words = str(_value(text, find))
    is_small = words == str(_value(text, _english)) and not words[:2].isupper()
    return words[:1].lower() + words[1:] if is_small else words


# --- Words of strangers on the screen: labels, tool tips and buttons show them as they stand, as markup never
# Qt takes a text that looks like HTML for HTML, loads the pictures that it names, and underlines what stands after an
# ampersand. Names come from logs, so every label and every tool tip is made here: plain, unless it is told `Markup`.

AS_WRITTEN: Final = "white-space:pre-wrap"
LONGEST_ON_BUTTON: Final = 120
_MARKED: Final = lazy_re("&(.)", re.DOTALL)


class Markup(str):
    """HTML of ours: whatever in it is not ours is escaped by whoever makes it (`escaped`)."""

    __slots__ = ()


class PlainLabel(QLabel):
    """A label whose text is no markup, whatever stands in it; words of ours (`Message`) follow the currency."""

    def __init__(self, text: Text = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words: Message = NO_WORDS
        self.setTextFormat(Qt.TextFormat.PlainText)
        if text:
            self.setText(text)

    def setText(self, text: Text) -> None:
        self._words = text if isinstance(text, Message) else NO_WORDS
        super().setText(spoken(text))

    def show_text(self, text: Text) -> None:
        """Show these words; without any the label takes no room."""
        self.setText(text)
        self.setVisible(bool(spoken(text)))

    def changeEvent(self, event: QEvent) -> None:
        """Money is written in another currency from now on."""
        if event.type() == QEvent.Type.LanguageChange and self._words:
            self.setText(self._words)
        super().changeEvent(event)

    def minimumSizeHint(self) -> QSize:
        """Lines that are wrapped are never cut: Qt asks for less where they are many."""
        least = super().minimumSizeHint()
        lines_px = self.heightForWidth(self.width()) if self.wordWrap() and self.isVisible() else 0
        return QSize(least.width(), max(least.height(), lines_px))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.wordWrap() and event.size().width() != event.oldSize().width():
            self.updateGeometry()


class MarkupLabel(PlainLabel):
    """A label that can be told `Markup`, for links and bold words; any other text is plain here too."""

    def setText(self, text: Text) -> None:
        """text: HTML only where it is `Markup`."""
        self.setTextFormat(Qt.TextFormat.RichText if isinstance(text, Markup) else Qt.TextFormat.PlainText)
        super().setText(text)


def document_page() -> QTextBrowser:
    """What shows a page of our own documents; whoever has it follows its links."""
    return QTextBrowser(openLinks=False)


def show_document(page: QTextBrowser, markdown: str) -> None:
    """Show a page of our own documents; pictures and remarks of the text are left out."""
    policy = Qt.ScrollBarPolicy  # Qt makes tables a pixel too wide; code alone is not wrapped
    page.setHorizontalScrollBarPolicy(
        policy.ScrollBarAsNeeded if "```" in markdown else policy.ScrollBarAlwaysOff
    )
    page.setMarkdown(re.sub(r"!\[[^\]]*\]\([^)]*\)|<!--.*?-->", "", markdown, flags=re.DOTALL))


def show_heading(page: QTextBrowser, anchor: str) -> None:
    """Scroll to a heading, by the name that links have of it; to the top where there is none."""
    document = page.document()
    block, top = document.begin(), 0.0
    while block.isValid():
        if block.blockFormat().headingLevel() and anchor_of(block.text()) == anchor:
            top = document.documentLayout().blockBoundingRect(block).top()
            break
        block = block.next()
    page.verticalScrollBar().setValue(int(top))


def anchor_of(heading: str) -> str:
    """How links name a heading.

    >>> anchor_of("Set limits, and see what each costs")
    'set-limits-and-see-what-each-costs'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def escaped(text: str) -> str:
    """Words as a part of `Markup`, also between quotes; line ends stay line ends.

    >>> escaped("<b>A & B")
    '&lt;b&gt;A &amp; B'
    """
    return escape(text).replace("\n", "<br>")


def tip_text(text: str) -> str:
    """A tool tip that Qt shows letter by letter, unless it is `Markup`: what a model answers for its role.

    >>> tip_text("one-gpu"), tip_text("<b>x")
    ('one-gpu', "<p style='white-space:pre-wrap'>&lt;b&gt;x</p>")
    """
    if isinstance(text, Markup) or not TextQt.mightBeRichText(text):
        return text
    return Markup(f"<p style='{AS_WRITTEN}'>{escaped(text)}</p>")


def set_tip(of: QWidget | QAction, text: str) -> None:
    """The tool tip of a widget or an action.

    text: plain unless it is `Markup`; empty takes it away.
    """
    of.setToolTip(tip_text(text))


def show_tip_at(place: QPoint, text: str, over: QWidget, tip: str = "") -> None:
    """Show a tool tip now, at a place of the screen.

    place: in pixels of the screen; text as in `set_tip`; tip: one that was made of a text, below it.
    """
    QToolTip.showText(place, "<br>".join(filter(None, (tip_text(text), tip))), over)


def on_button(name: str) -> str:
    r"""A name as it stands on a button or in a menu: in one line, of a length to be read, its ampersands to be seen.

    Qt takes a single ampersand for a sign to underline the next letter, and a tab for the beginning of a shortcut.

    >>> on_button("R&D\tx")
    'R&&D x'
    """
    line = "".join(letter if letter.isprintable() else " " for letter in name)
    shown = line if len(line) <= LONGEST_ON_BUTTON else f"{line[:LONGEST_ON_BUTTON]}\u2026"
    return shown.replace("&", "&&")


def off_button(text: str) -> str:
    """The words that are read on a button or in a menu: what `on_button` made, or with a letter underlined.

    >>> off_button("&Open R&&D")
    'Open R&D'
    """
    return _MARKED.sub(r"\1", text)


def add_named(menu: QMenu, name: str, does: Callable[..., object] | None = None) -> QAction:
    """An entry of a menu that is called as something in the data is.

    does: called without arguments when it is chosen. Returns the entry.
    """
    action = menu.addAction(on_button(name))
    set_tip(action, name)
    if does is not None:
        action.triggered.connect(lambda _=False: does())
    return action


# --- The colours that charts are told; they know no palette


@dataclass(frozen=True, slots=True)
class ChartColours:
    """What a chart is drawn with; it knows no palette.

    Colours as #rrggbb: of what is raised from the ground, words, lesser words, grid and edges. small, strong:
    fonts of lesser words and of names.
    """

    raised: str
    text: str
    muted: str
    grid: str
    edge: str
    small: QFont
    strong: QFont
    focus: str = ""  # the keyboard's ring


def mixed(over: QColor, under: QColor, share: float) -> QColor:
    """`over` at a share of 0..1 on `under`, as one opaque colour.

    >>> mixed(QColor("#ffffff"), QColor("#000000"), 0.0).name()
    '#000000'
    """
    pairs = ((over.redF(), under.redF()), (over.greenF(), under.greenF()), (over.blueF(), under.blueF()))
    return QColor.fromRgbF(*(share * top + (1 - share) * bottom for top, bottom in pairs))
