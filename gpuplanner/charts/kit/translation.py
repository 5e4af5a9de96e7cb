"""Translation of the window's texts, with the money and digits of the user."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from gpuplanner.charts.kit.user_locale import day, grouped
from gpuplanner.domain.figures.typed import Written
from gpuplanner.domain.figures.writing import Writer
from gpuplanner.domain.message import BEGIN, CAPITAL, LOWERED, Message, Part, Text, worded_count
from gpuplanner.domain.model.book.exchange import USD, before_amount, in_money
from gpuplanner.files.system.user_files import resource_path

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
    return _rendered(text if isinstance(text, Message) else Message(text, values), _translation_of)


def by_count(count: float, single: str, many: str, /, **values: Part) -> str:
    """Translate a text by number: `single` or `many` in English; other languages use their own forms, found by `many`.

    `by_count(jobs, "{count} job waits", "{count} jobs wait", count=numbers.whole(jobs))`.
    """
    return _rendered(worded_count(count, single, many, **values), _translation_of)


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


def speak(shown: object, *names: str) -> None:
    """Translate fields of a frozen value that a view shows; for use in its `__post_init__`.

    names: fields. Plain text is kept. A `Written` becomes text, because Qt aborts when a model returns a value that is
    no text.
    """
    for name in names:
        text = getattr(shown, name)
        if type(text) is Message:
            object.__setattr__(shown, name, tr(text))
        elif isinstance(text, Written):
            object.__setattr__(shown, name, text.by(WRITE))


WRITE: Final = Writer(
    digits=grouped, money=lambda: before_amount(currency()), say=tr, no_change="\u00b1", day=day
)
"""Number format of charts and the window, also for figures in messages."""

_Find = Callable[[Message], str]
"""A function that returns the template of a message in a language."""


def _translation_of(text: Message) -> str:
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
    blanks = [place for place, letter in enumerate(text) if letter == " "]
    place = min(blanks, key=lambda blank: abs(blank - share * len(text)), default=len(text))
    return "\n".join(filter(None, (text[:place], text[place + 1 :])))


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
    template = in_money(find(text), _MONEY[0])
    if not text.values:
        return template
    words = {name: _value(value, find) for name, value in text.values.items()}
    try:
        return template.format(**words)
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
