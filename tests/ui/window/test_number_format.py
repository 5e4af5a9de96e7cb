"""The window in other locales: no figure is left as English writes it, and the choice applies at once."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QDate, QLocale, QSettings
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gpuplanner.app.settings import LANGUAGES, Settings
from gpuplanner.charts.kit.user_locale import day_in
from gpuplanner.domain.model.window import instant_s
from gpuplanner.ui.kit.typed_days import read_typed_day
from gpuplanner.ui.present.presenter import Presenter
from gpuplanner.ui.window import language_choice
from gpuplanner.ui.window.language_choice import LOCALES, LanguageChoice, numbers_of, show_in_locale
from gpuplanner.ui.window.language_choice import locale_of as locale_named
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.some_of import one_in, some_of
from tests.ui.visible_texts import visible_texts

ENGLISH_GROUPS = re.compile(r"\d,\d{3}(?!\d)")
ENGLISH_PART = re.compile(r"(?<![\w.-])\d+\.\d{1,2}(?![\d.])")


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = QLocale()
    numbers.use_locale(locale_named("english"))
    yield
    numbers.use_locale(before)


def in_english(window: QWidget) -> list[tuple[str, str]]:
    return [
        (where, text)
        for where, text in visible_texts(window)
        if ENGLISH_GROUPS.search(text) or ENGLISH_PART.search(text)
    ]


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(2, ["german", "french"]))
@pytest.mark.parametrize("scenario", some_of(["Today", ""], quick=1))
def test_no_figure_is_left_in_english(window: MainWindow, qtbot: QtBot, name: str, scenario: str) -> None:
    window.choose_scenario(scenario or window.session.scenario)
    window.docks.raise_panel("prices")  # drawn before: it is not to stay as it was
    presenter = Presenter(window)
    presenter.show_state(window.session.view_state, window.session.time_s())
    presenter.show()
    assert in_english(window) and (scenario or in_english(presenter))
    show_in_locale(window.session, locale_named(name), window.show_again)
    qtbot.waitUntil(lambda: not in_english(window))  # costs are worked out in a thread
    for panel in window.docks.all_panels():
        window.docks.raise_panel(panel.about.name)
        qtbot.waitUntil(lambda seen=panel: not in_english(seen))
    show_in_locale(window.session, locale_named("english"), window.show_again)
    assert in_english(window) and (scenario or in_english(presenter))
    delete(presenter)


@pytest.mark.long
def test_the_choice_is_remembered_and_checked(new_window: MainWindow, tmp_path: Path) -> None:
    settings = Settings(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))
    assert settings.number_format == "system"
    chooser = LanguageChoice(new_window.session, new_window.actions_by_id, settings, new_window.show_again)
    chooser.choose_numbers("german")
    assert settings.number_format == "german"
    assert new_window.actions_by_id["numbers_german"].isChecked()
    assert new_window.headline.buttons[0].figure is not None
    assert new_window.headline.buttons[0].figure.now == "$612.032"


def test_every_format_of_the_settings_has_an_action(window: MainWindow) -> None:
    assert set(LANGUAGES) == {"system", *LOCALES}
    assert all({f"numbers_{name}", f"language_{name}"} <= set(window.actions_by_id) for name in LANGUAGES)


@pytest.mark.long
def test_another_language_is_for_the_next_start_and_figures_follow_it_unless_they_are_chosen(
    new_window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(language_choice, "ask", lambda _, title, text, answers: asked.append(text))
    settings = Settings(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))
    chooser = LanguageChoice(new_window.session, new_window.actions_by_id, settings, new_window.show_again)
    chooser.choose_language("french")
    chooser.choose_language("french")
    assert settings.language == "french" and len(asked) == 1
    assert new_window.actions_by_id["language_french"].isChecked()
    assert numbers_of(settings).language() == QLocale.Language.French
    settings.number_format = "english"
    assert numbers_of(settings).language() == QLocale.Language.English


@pytest.mark.long
def test_months_are_named_in_the_language_whatever_numbers_are_written_like(
    new_window: MainWindow, tmp_path: Path
) -> None:
    settings = Settings(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))
    settings.language = "french"
    chooser = LanguageChoice(new_window.session, new_window.actions_by_id, settings, new_window.show_again)
    chooser.choose_numbers("german")
    first, text = QDate(2026, 1, 1), numbers.date(instant_s("2026-12-01"))
    assert (numbers.whole(1234), text) == ("1.234", "1 d\u00e9c. 2026")
    assert day_in(text) is not None and day_in("1 Dez. 2026") is None
    for typed in (text, "1 Dez. 2026", "1.12.2026", "1/12/2026"):
        assert read_typed_day(typed, first, first) == QDate(2026, 12, 1)
    assert new_window.headline is not None


@pytest.mark.long
def test_levels_are_typed_in_the_locale(new_window: MainWindow) -> None:
    show_in_locale(new_window.session, locale_named("german"), new_window.show_again)
    assert new_window.docks.duration.table.spins[12].locale() == locale_named("german")
