"""The catalogue of the planner's language is loaded here; what it is asked, `tr`, stands beside the charts."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from gpuplanner.charts.kit.plain_text import CONTEXT, by_count, speak, spoken, tr
from gpuplanner.domain.message import Text
from gpuplanner.files.system.resources import resource_path
from gpuplanner.ui.words.numbers import capital

__all__ = ["CONTEXT", "by_count", "load_language", "sentence", "speak", "spoken", "tr"]


def load_language(application: QCoreApplication, locale: QLocale, folder: Path | None = None) -> bool:
    """Let `tr` speak the locale's language, where resources/translations has a gpuplanner_<language>.qm of it.

    Before the first widget: words are taken when a widget is made. Returns whether there is such a file.
    """
    folder = folder or resource_path("translations")
    translator = QTranslator(application)
    if not translator.load(locale, "gpuplanner", "_", str(folder)):
        return False
    return application.installTranslator(translator)


def sentence(text: Text) -> str:
    """A note of the model as a sentence in the planner's language, with its numbers as the planner writes them."""
    return capital(spoken(text))
