"""Texts, money, digits and colors for charts and the window, in the user's language."""

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
from gpuplanner.files.system.user_files import resource_path
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- The user's locale: digits and days in charts and in the window -------------------------------

_EPOCH: Final = QDate(1970, 1, 1)


_DAYS: Final[list[QLocale | None]] = [None]
"""The locale of month names where it differs from that of figures; [None]: the same."""


def use_locale(chosen: QLocale | None = None, days: QLocale | None = None) -> None:
    """Set the locale of figures. chosen: None is the system's. days: the locale of month names; None: the same."""
    QLocale.setDefault(QLocale.system() if chosen is None else chosen)
    _DAYS[0] = days
    locale.cache_clear()
    grouped.cache_clear()


@lru_cache(maxsize=1)
def locale() -> QLocale:
    """Return the user's locale; English (United States) where the system names none ("C")."""
    system = QLocale()
    if system.language() == QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
    return system


def day_locale() -> QLocale:
    """Return the locale of the language, which names months, whatever the locale of figures."""
    return _DAYS[0] or locale()


@lru_cache(maxsize=20_000)  # a repaint asks for hundreds of figures, and few have changed
def grouped(value: float, decimals: int = 0) -> str:
    """Format a number with thousands separators and `decimals` places, in the user's locale."""
    return locale().toString(float(value), "f", decimals)


def day(at_s: int | None, form: str = "d MMM yyyy") -> str:
    """Format a UTC day, as 29 Nov 2026, with month names of the language; a dash for None. at_s: epoch seconds."""
    return UNKNOWN if at_s is None else day_locale().toString(_EPOCH.addDays(at_s // DAY_S), form)


def day_in(text: str) -> int | None:
    """Parse a day in the format of `day`. Returns the Julian day; None for other text."""
    date = day_locale().toDate(text, "d MMM yyyy")
    return date.toJulianDay() if date.isValid() else None


_PLAIN: Final = Writer(digits=grouped)


def short(value: float) -> str:
    """Format a tick value with at most six significant digits: 2.5 or 2,5.

    value: in the unit of the axis.
    """
    return _PLAIN.significant(value, 6)


# --- Texts of the window: translated, with money and digits of the user; plain, or sentences with places for figures

CONTEXT: Final = "gpuplanner"
"""The single context of all .ts files: an English text has one meaning throughout the window."""


_MONEY: Final = [USD]
"""ISO code of the currency that replaces `$` in texts."""


def use_currency(code: str) -> bool:
    """Set the currency of money in texts. Returns whether it changed; callers then send LanguageChange to widgets."""
    is_other = code != _MONEY[0]
    _MONEY[0] = code
    return is_other


def currency() -> str:
    """Return the ISO code of the currency in use."""
    return _MONEY[0]


def load_language(application: QCoreApplication, locale: QLocale, folder: Path | None = None) -> bool:
    """Load the translation for a locale: gpuplanner_<language>.qm in `folder`, by default resources/translations.

    Call it before the first widget, because widgets take their texts when made. Returns whether the file exists.
    """
    folder = folder or resource_path("translations")
    translator = QTranslator(application)
    if not translator.load(locale, "gpuplanner", "_", str(folder)):
        return False
    return application.installTranslator(translator)


def tr(text: Text, /, **values: object) -> str:
    """Translate a text and fill its places; English without a translation.

    text: a sentence with places, as in `tr("{gpus} GPUs until {date}", gpus=numbers.gpus(64),
    date=numbers.date(end_s))`;
    translators may reorder the places. A `Message` brings its own values. values: formatted in the user's locale;
    messages among them are translated.
    """
    return _rendered(text if isinstance(text, Message) else Message(text, values), _found)


def by_count(count: float, single: str, many: str, /, **values: Part) -> str:
    """Translate a text by number: `single` or `many` in English; other languages use their own forms, found by `many`.

    `by_count(jobs, "{count} job waits", "{count} jobs wait", count=numbers.whole(jobs))`.
    """
    return _rendered(worded_count(count, single, many, **values), _found)


def spoken(text: Text) -> str:
    """Translate a `Message` or an enum member; other text, such as a name from data, is returned unchanged."""
    if isinstance(text, Message):
        return tr(text)
    return tr(text.value) if isinstance(text, StrEnum) else text


def capital(text: str) -> str:
    """Return a note with a capital first letter, unless a name comes first (`vela-h100: ...`)."""
    return text if text.split(" ", 1)[0].endswith(":") else text[:1].upper() + text[1:]


def sentence(text: Text) -> str:
    """Return a note as a sentence in the user's language and number format."""
    return capital(spoken(text))


def speak(of: object, *names: str) -> None:
    """Translate fields of a frozen value that a view shows; for use in its `__post_init__`.

    names: fields. Plain text is kept. A `Written` becomes text, because Qt aborts when a model returns a value that is
    no text.
    """
    for name in names:
        text = getattr(of, name)
        if type(text) is Message:
            object.__setattr__(of, name, tr(text))
        elif isinstance(text, Written):
            object.__setattr__(of, name, text.by(WRITE))


WRITE: Final = Writer(
    digits=grouped, money=lambda: before_amount(currency()), say=tr, no_change="\u00b1", day=day
)
"""Number format of charts and the window, also for figures in messages."""


_Find = Callable[[Message], str]
"""A function that returns the template of a message in a language."""


def _found(text: Message) -> str:
    """Return the translated template, or the English one without a translation."""
    if not text.template or text.template.startswith(BEGIN):
        return text.template  # for an empty text Qt returns the head of its file
    if text.number is None:
        return _translated(text.template)
    translated = QCoreApplication.translate(CONTEXT, text.template, None, text.number)
    return _english(text) if translated == text.template else translated


def shorter_forms(text: str) -> tuple[str, str]:
    """Return the forms under which the catalogue may have a text: on one line without its last dots, then in lower
    case too.

    >>> shorter_forms("Open project…"), shorter_forms("Months\\nleft")
    (('Open project', 'open project'), ('Months left', 'months left'))
    """
    bare = text.rstrip("….").replace("\n", " ")
    return bare, bare[:1].lower() + bare[1:]


def _translated(text: str) -> str:
    """Return the translation of a text, or of a shorter form with the first letter, lines and dots of the text."""
    for form in filter(None, dict.fromkeys((text, *shorter_forms(text)))):
        translation = QCoreApplication.translate(CONTEXT, form)
        if translation != form:
            begun = translation[:1].upper() if form != text and text[:1].isupper() else translation[:1]
            words = begun + translation[1:] + text[len(form) :]
            return (
                words if "\n" not in text or "\n" in words else _broken(words, text.index("\n") / len(text))
            )
    return text


def _broken(text: str, share: float) -> str:
    """Return a text on two lines, broken at the blank nearest to a share of its length."""
    blanks = [at for at, letter in enumerate(text) if letter == " "]
    at = min(blanks, key=lambda blank: abs(blank - share * len(text)), default=len(text))
    return "\n".join(filter(None, (text[:at], text[at + 1 :])))


def _english(text: Message) -> str:
    """Return the English template for the message's number."""
    return text.one or text.template


def _rendered(text: Message, find: _Find) -> str:
    """Return a message with its places filled in the window's number format. find: returns the template."""
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
    except (KeyError, IndexError, ValueError):  # a mistake in a translation must not hide the text
        return in_money(_english(text), _MONEY[0]).format(**words)


def _value(value: object, find: _Find) -> object:
    """Render the value of a place: a message, a number or an enum member; other values are unchanged."""
    if isinstance(value, Message):
        return _rendered(value, find)
    if isinstance(value, Written):
        return value.by(WRITE)
    return find(Message(value.value)) if isinstance(value, StrEnum) else value


_LANGUAGE: Final = Message("Language")
"""Only in English it is called this."""


def _lowered(text: object, find: _Find) -> str:
    """Lower the first letter of a text in English; other languages keep their case, of words that are the same too."""
    words = str(_value(text, find))
    is_english = find(_LANGUAGE) == _LANGUAGE.template and words == str(_value(text, _english))
    is_small = is_english and not words[:2].isupper()
    return words[:1].lower() + words[1:] if is_small else words


# --- Names from data on the screen: labels, tool tips and buttons show them as plain text, never as markup
# Qt renders text that resembles HTML, loads the pictures in it, and underlines the letter after an
# ampersand. Names come from logs, so every label and tool tip is made here: plain unless it is `Markup`.

AS_WRITTEN: Final = "white-space:pre-wrap"
LONGEST_ON_BUTTON: Final = 120
_MARKED: Final = lazy_re("&(.)", re.DOTALL)


class Markup(str):
    """HTML from our own code; parts from data are escaped first (`escaped`)."""

    __slots__ = ()


class PlainLabel(QLabel):
    """A label that shows its text without markup; a `Message` follows the currency."""

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
        """Show a text; an empty text hides the label."""
        self.setText(text)
        self.setVisible(bool(spoken(text)))

    def changeEvent(self, event: QEvent) -> None:
        """Rewrite the text when the currency changes."""
        if event.type() == QEvent.Type.LanguageChange and self._words:
            self.setText(self._words)
        super().changeEvent(event)

    def minimumSizeHint(self) -> QSize:
        """Return a size that shows all wrapped lines; Qt's own hint cuts long texts."""
        least = super().minimumSizeHint()
        lines_px = self.heightForWidth(self.width()) if self.wordWrap() and self.isVisible() else 0
        return QSize(least.width(), max(least.height(), lines_px))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.wordWrap() and event.size().width() != event.oldSize().width():
            self.updateGeometry()


class MarkupLabel(PlainLabel):
    """A label that also renders `Markup`, for links and bold words; any other text is plain."""

    def setText(self, text: Text) -> None:
        """Set the text; only `Markup` is rendered as HTML."""
        self.setTextFormat(Qt.TextFormat.RichText if isinstance(text, Markup) else Qt.TextFormat.PlainText)
        super().setText(text)


def document_page() -> QTextBrowser:
    """Return a view for our own documents; the caller handles its links."""
    return QTextBrowser(openLinks=False)


def show_document(page: QTextBrowser, markdown: str) -> None:
    """Show a Markdown page of our own documentation, without pictures and comments."""
    policy = Qt.ScrollBarPolicy  # Qt makes tables a pixel too wide; only code may scroll sideways
    page.setHorizontalScrollBarPolicy(
        policy.ScrollBarAsNeeded if "```" in markdown else policy.ScrollBarAlwaysOff
    )
    page.setMarkdown(re.sub(r"!\[[^\]]*\]\([^)]*\)|<!--.*?-->", "", markdown, flags=re.DOTALL))


def show_heading(page: QTextBrowser, anchor: str) -> None:
    """Scroll to the heading with this anchor, or to the top without one."""
    document = page.document()
    block, top = document.begin(), 0.0
    while block.isValid():
        if block.blockFormat().headingLevel() and anchor_of(block.text()) == anchor:
            top = document.documentLayout().blockBoundingRect(block).top()
            break
        block = block.next()
    page.verticalScrollBar().setValue(int(top))


def anchor_of(heading: str) -> str:
    """Return the link anchor of a heading.

    >>> anchor_of("Set limits, and see what each costs")
    'set-limits-and-see-what-each-costs'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def escaped(text: str) -> str:
    """Escape a text for `Markup`, also within quotes; line ends become <br>.

    >>> escaped("<b>A & B")
    '&lt;b&gt;A &amp; B'
    """
    return escape(text).replace("\n", "<br>")


def tip_text(text: str) -> str:
    """Return a tool tip that Qt shows literally; `Markup` is unchanged. For a model's tool tip role.

    >>> tip_text("one-gpu"), tip_text("<b>x")
    ('one-gpu', "<p style='white-space:pre-wrap'>&lt;b&gt;x</p>")
    """
    if isinstance(text, Markup) or not TextQt.mightBeRichText(text):
        return text
    return Markup(f"<p style='{AS_WRITTEN}'>{escaped(text)}</p>")


def set_tip(of: QWidget | QAction, text: str) -> None:
    """Set the tool tip of a widget or an action.

    text: plain unless it is `Markup`; empty removes the tool tip.
    """
    of.setToolTip(tip_text(text))


def show_tip_at(place: QPoint, text: str, over: QWidget, tip: str = "") -> None:
    """Show a tool tip now at a screen position.

    place: screen pixels. text: as for `set_tip`. tip: a finished tool tip to show below.
    """
    QToolTip.showText(place, "<br>".join(filter(None, (tip_text(text), tip))), over)


def on_button(name: str) -> str:
    r"""Return a name for a button or a menu: one line of at most 120 characters, with visible ampersands.

    Qt reads a single ampersand as a mnemonic and a tab as the start of a shortcut.

    >>> on_button("R&D\tx")
    'R&&D x'
    """
    line = "".join(letter if letter.isprintable() else " " for letter in name)
    shown = line if len(line) <= LONGEST_ON_BUTTON else f"{line[:LONGEST_ON_BUTTON]}\u2026"
    return shown.replace("&", "&&")


def off_button(text: str) -> str:
    """Return the visible words of a button or a menu entry: the reverse of `on_button`.

    >>> off_button("&Open R&&D")
    'Open R&D'
    """
    return _MARKED.sub(r"\1", text)


def add_named(menu: QMenu, name: str, does: Callable[..., object] | None = None) -> QAction:
    """Add a menu entry with a name from data, and return it.

    does: callback without arguments.
    """
    action = menu.addAction(on_button(name))
    set_tip(action, name)
    if does is not None:
        action.triggered.connect(lambda _=False: does())
    return action


# --- Colors for charts, which do not read the palette ---------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartColours:
    """Colors and fonts of a chart, which does not read the palette.

    Colors as #rrggbb: raised surface, text, muted text, grid, edges. small, strong: fonts of muted text and of names.
    """

    raised: str
    text: str
    muted: str
    grid: str
    edge: str
    small: QFont
    strong: QFont
    focus: str = ""  # focus ring


def mixed(over: QColor, under: QColor, share: float) -> QColor:
    """Blend `over` at a share of 0..1 with `under`. Returns one opaque color.

    >>> mixed(QColor("#ffffff"), QColor("#000000"), 0.0).name()
    '#000000'
    """
    pairs = ((over.redF(), under.redF()), (over.greenF(), under.greenF()), (over.blueF(), under.blueF()))
    return QColor.fromRgbF(*(share * top + (1 - share) * bottom for top, bottom in pairs))
