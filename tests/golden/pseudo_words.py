"""What the answers of the command line would say in another language: their sentences in the pseudo-language."""

from collections.abc import Iterator

from PySide6.QtWidgets import QApplication

from gpuplanner.domain.message import Message
from gpuplanner.ui.words.translation import tr
from tests.ui.pseudo import Pseudo


def pseudo_words(values: object) -> str:
    """A line for every sentence of the values that a translator is asked for, in the order of the English."""
    application = QApplication.instance() or QApplication(["golden"])
    found = {str(text): text for text in _sentences(values)}
    translator = Pseudo()
    application.installTranslator(translator)
    try:
        return "\n".join(tr(found[english]).replace("\n", " ") for english in sorted(found))
    finally:
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
