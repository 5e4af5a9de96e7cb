"""View > Language and View > Number format."""

from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLocale, QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QApplication

from gpuplanner.app.settings import LANGUAGES, Settings
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import worded
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.small_dialogs import ask
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.domain.evaluation import Evaluation
    from gpuplanner.ui.flows.session import Session


LOCALES: Final = {
    "english": (QLocale.Language.English, QLocale.Country.UnitedStates),
    "german": (QLocale.Language.German, QLocale.Country.Germany),
    "french": (QLocale.Language.French, QLocale.Country.France),
}
"""Beside "system": the languages, and forms of numbers, that a planner may choose by name."""


ShowAgain = Callable[["Evaluation | None"], None]
"""Draws the whole window again, with these figures; None where it shows none."""


def locale_of(name: str) -> QLocale:
    """The locale of a setting; what is no name here is as this computer has it."""
    return QLocale(*LOCALES[name]) if name in LOCALES else QLocale.system()


def numbers_of(settings: Settings) -> QLocale:
    """The locale that figures are written in: that of the language, unless another one is chosen."""
    return locale_of(settings.language if settings.number_format == "system" else settings.number_format)


class LanguageChoice(QObject):
    """Connects the actions of the two menus with the settings."""

    def __init__(
        self, session: "Session", by_id: Mapping[str, QAction], settings: Settings, show_again: ShowAgain
    ) -> None:
        super().__init__(session.window)
        self._session, self._by_id, self._settings, self._show_again = session, by_id, settings, show_again
        self._days = locale_of(settings.language)
        session.asks.number_format_asked.connect(self.choose_numbers)
        session.asks.language_asked.connect(self.choose_language)
        for menu, chosen in (("numbers", settings.number_format), ("language", settings.language)):
            group = QActionGroup(self)
            for name in LANGUAGES:
                action = by_id[f"{menu}_{name}"]
                group.addAction(action)
                action.setChecked(name == chosen)

    def choose_numbers(self, name: str) -> None:
        """Write figures so from now on, in every window that is open."""
        self._settings.number_format = name
        self._by_id[f"numbers_{name}"].setChecked(True)
        show_in_locale(self._session, numbers_of(self._settings), self._show_again, self._days)

    def choose_language(self, name: str) -> None:
        """Have the window in this language at the next start: widgets take their words when they are made."""
        is_other = name != self._settings.language
        self._settings.language = name
        self._by_id[f"language_{name}"].setChecked(True)
        if is_other:
            words = tr("The language changes at the next start.")
            ask(self._session.window, tr("Language"), words, (worded("Close"),))


def show_in_locale(
    session: "Session", locale: QLocale, again: ShowAgain, days: QLocale | None = None
) -> None:
    """Every figure of the window again, in another locale; days: names months as before."""
    numbers.use_locale(locale, days)
    for widget in QApplication.topLevelWidgets():
        widget.setLocale(QLocale())  # spin boxes read and write in that of their window
    evaluation = session.evaluator.evaluation if session.has_workspace else None
    again(None if evaluation is None else _as_new(evaluation))


def _as_new(evaluation: "Evaluation") -> "Evaluation":
    """The same figures in other objects: views leave alone what they have shown already, and know it by identity."""
    project = replace(evaluation.project, places=copy(evaluation.project.places))
    fit = None if evaluation.fit is None else tuple(map(copy, evaluation.fit))
    return replace(evaluation, project=project, audit=copy(evaluation.audit), fit=fit)
