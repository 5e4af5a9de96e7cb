"""Words of the window in the planner's language: menus, actions, panels and headings go through `said`."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from gpuplanner.files.resources import resource_path

CONTEXT: Final = "gpuplanner"
"""The one context of all texts in a .ts file: the same English words mean the same everywhere in the window."""


def said(text: str) -> str:
    """`text` in the language that is loaded; itself where there is none, or no words for it."""
    return QCoreApplication.translate(CONTEXT, text) if text else text


def load_language(application: QCoreApplication, locale: QLocale, folder: Path | None = None) -> bool:
    """Let `said` speak the locale's language, where resources/translations has a gpuplanner_<language>.qm of it.

    Before the first widget: words are taken when a widget is made. Returns whether there is such a file.
    """
    folder = folder or resource_path("translations")
    translator = QTranslator(application)
    if not translator.load(locale, "gpuplanner", "_", str(folder)):
        return False
    return application.installTranslator(translator)
