"""View > Number format: how figures are written and read, remembered, and changed at once in the whole window."""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QLocale, QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QApplication

from gpuplanner.app.settings import Settings
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words import numbers

LOCALES: Final = {
    "english": (QLocale.Language.English, QLocale.Country.UnitedStates),
    "german": (QLocale.Language.German, QLocale.Country.Germany),
    "french": (QLocale.Language.French, QLocale.Country.France),
}
"""Beside "system": the forms of numbers that a planner may choose by name."""


ShowAgain = Callable[[Evaluation | None], None]
"""Draws the whole window again, with these figures; None where it shows none."""


def locale_of(name: str) -> QLocale:
    """The locale of a setting; what is no name here is as this computer has it."""
    return QLocale(*LOCALES[name]) if name in LOCALES else QLocale.system()


class NumberFormat(QObject):
    """Connects the actions of the menu with the settings."""

    def __init__(
        self,
        session: Session,
        by_id: Mapping[str, QAction],
        settings: Settings,
        show_again: ShowAgain,
    ) -> None:
        super().__init__(session.window)
        self._session, self._by_id, self._settings, self._show_again = session, by_id, settings, show_again
        session.asks.number_format_asked.connect(self.choose)
        group = QActionGroup(self)
        for name in ("system", *LOCALES):
            action = by_id[f"numbers_{name}"]
            group.addAction(action)
            action.setChecked(name == settings.number_format)

    def choose(self, name: str) -> None:
        """Write figures so from now on, in every window that is open."""
        self._settings.number_format = name
        self._by_id[f"numbers_{name}"].setChecked(True)
        show_in_locale(self._session, locale_of(name), self._show_again)


def show_in_locale(session: Session, locale: QLocale, show_again: ShowAgain) -> None:
    """Every figure of the window again, in another locale."""
    numbers.use_locale(locale)
    for one in QApplication.topLevelWidgets():
        one.setLocale(QLocale())  # spin boxes read and write in that of their window
    evaluation = session.evaluator.evaluation if session.has_workspace else None
    show_again(None if evaluation is None else _as_new(evaluation))


def _as_new(evaluation: Evaluation) -> Evaluation:
    """The same figures in other objects: views leave alone what they have shown already, and know it by identity."""
    project = replace(evaluation.project, places=copy(evaluation.project.places))
    fit = None if evaluation.fit is None else tuple(map(copy, evaluation.fit))
    return replace(evaluation, project=project, audit=copy(evaluation.audit), fit=fit)
