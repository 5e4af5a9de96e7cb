"""What answers would say elsewhere: their sentences in the pseudo-language, with the numbers of a German planner."""

from collections.abc import Iterator

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import Message
from gpuplanner.ui.window.language_choice import locale_of
from gpuplanner.ui.words import numbers
from tests.ui.pseudo import Pseudo


def pseudo_words(values: object) -> str:
    """A line for every sentence of the values that a translator is asked for, in the order of the English."""
    application = QApplication.instance() or QApplication(["golden"])
    found = {str(text): text for text in _sentences(values)}
    translator, before = Pseudo(), QLocale()
    application.installTranslator(translator)
    numbers.use_locale(locale_of("german"))
    try:
        return "\n".join(tr(found[english]).replace("\n", " ") for english in sorted(found))
    finally:
        numbers.use_locale(before)
        application.removeTranslator(translator)


def _sentences(value: object) -> Iterator[Message]:
    if isinstance(value, Message):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _sentences(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _sentences(one)
