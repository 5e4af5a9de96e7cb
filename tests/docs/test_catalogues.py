"""The languages that are shipped: every text has words, with the places of the English, and the window finds them."""

import re
import string

import pytest
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from docs.list_texts import CATALOGUES, COMPILED, plurals, texts, translated_in
from gpuplanner.app.settings import LANGUAGES
from gpuplanner.charts.kit.translation import CONTEXT
from gpuplanner.ui.window.language_choice import LOCALES

SHIPPED = {name: QLocale(*of).name()[:2] for name, of in LOCALES.items() if name != "english"}
"""language of the settings -> its code."""
MOST_NEW = 0.03
"""Share of texts that may wait for words between two releases: they are shown in English."""


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_every_language_of_the_settings_is_shipped() -> None:
    assert set(LANGUAGES) == {"system", "english", *SHIPPED}
    assert {one.stem for one in CATALOGUES.glob("gpuplanner_*.ts")} == {
        f"gpuplanner_{code}" for code in SHIPPED.values()
    }


@pytest.mark.long
@pytest.mark.parametrize("code", SHIPPED.values())
def test_a_catalogue_has_words_for_the_texts_with_their_places_and_none_that_are_gone(code: str) -> None:
    translated, listed, many = translated_in(CATALOGUES / f"gpuplanner_{code}.ts"), texts(), set(plurals())
    assert len([text for text in listed if text not in translated]) <= MOST_NEW * len(listed)
    for text in listed:
        for form in translated.get(text, ()):
            assert places(form) <= places(text) and (text in many or places(form) == places(text)), form
            assert form.count("\n") == text.count("\n") and form.count("<") == text.count("<"), form
            assert re.match(r"\s", text[:1] or "-") is None or form[:1].isspace(), form


@pytest.mark.long
@pytest.mark.parametrize("code", SHIPPED.values())
def test_a_release_has_all_of_them(code: str) -> None:
    translated = translated_in(CATALOGUES / f"gpuplanner_{code}.ts")
    assert [text for text in texts() if text not in translated] == []


@pytest.mark.parametrize("code", SHIPPED.values())
def test_the_window_finds_what_the_catalogue_has(qapp: QApplication, code: str) -> None:
    translator = QTranslator()
    assert translator.load(QLocale(code), "gpuplanner", "_", str(COMPILED))
    for text, forms in translated_in(CATALOGUES / f"gpuplanner_{code}.ts").items():
        found = [
            translator.translate(CONTEXT, text, "", count) for count in ((1, 2) if len(forms) > 1 else (-1,))
        ]
        assert found == list(forms), text
