"""View > Number format: how figures are written and read, remembered, and changed at once in the whole window."""

from copy import copy
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QLocale, QObject
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QApplication

from gpuplanner.app.settings import Settings
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.ui import numbers
from gpuplanner.ui.main_window import MainWindow

LOCALES: Final = {
    "english": (QLocale.Language.English, QLocale.Country.UnitedStates),
    "german": (QLocale.Language.German, QLocale.Country.Germany),
    "french": (QLocale.Language.French, QLocale.Country.France),
}
"""Beside "system": the forms of numbers that a planner may choose by name."""


def locale_of(name: str) -> QLocale:
    """The locale of a setting; what is no name here is as this computer has it."""
    return QLocale(*LOCALES[name]) if name in LOCALES else QLocale.system()


class NumberFormat(QObject):
    """Connects the actions of the menu with the settings and the window."""

    def __init__(self, window: MainWindow, settings: Settings) -> None:
        super().__init__(window)
        self._window, self._settings = window, settings
        group = QActionGroup(self)
        for name in ("system", *LOCALES):
            action = window.actions_by_id[f"numbers_{name}"]
            group.addAction(action)
            action.setChecked(name == settings.number_format)
            action.triggered.connect(lambda _=False, name=name: self.choose(name))

    def choose(self, name: str) -> None:
        """Write figures so from now on, in every window that is open."""
        self._settings.number_format = name
        self._window.actions_by_id[f"numbers_{name}"].setChecked(True)
        show_in_locale(self._window, locale_of(name))


def show_in_locale(window: MainWindow, locale: QLocale) -> None:
    """Every figure of the window again, in another locale."""
    numbers.use_locale(locale)
    for one in QApplication.topLevelWidgets():
        one.setLocale(QLocale())  # spin boxes read and write in that of their window
    evaluation = window.evaluator.evaluation
    if window.has_workspace and evaluation is not None:
        window.show_evaluation(_as_new(evaluation))
        window.docks.show_waiting()
    window.show_palette(window.palette_in_use)  # what is painted, and charts


def _as_new(evaluation: Evaluation) -> Evaluation:
    """The same figures in other objects: views leave alone what they have shown already, and know it by identity."""
    project = replace(evaluation.project, places=copy(evaluation.project.places))
    fit = None if evaluation.fit is None else tuple(map(copy, evaluation.fit))
    return replace(evaluation, project=project, audit=copy(evaluation.audit), fit=fit)
