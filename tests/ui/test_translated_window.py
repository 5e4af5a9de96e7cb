"""The whole window in a language that is none: every word that is shown came from the translator, figures and all.

The translator of `pseudo.py` writes each template in wide letters and leaves its places open. What is left in plain
letters afterwards did not go through it: it has to be a name from the data, a key of the keyboard or a unit.
"""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QSettings
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from docs.list_texts import texts, unlisted
from gpuplanner.app.document import Document
from gpuplanner.app.settings import Settings
from gpuplanner.domain import edits
from gpuplanner.domain.model.intake import Issue
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.files.demo.demo_project import PLANS
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.resources import read_served_models
from gpuplanner.ui.cards.details import details_of
from gpuplanner.ui.cards.facets import CardFacts
from gpuplanner.ui.frame.panel_docks import PANELS
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette, begin_palette
from gpuplanner.ui.plans.currency_dialog import COMMON
from gpuplanner.ui.plans.planned_dialog import PRESETS
from gpuplanner.ui.present.presenter import Presenter
from gpuplanner.ui.window.application import build, settle
from gpuplanner.ui.window.main_window import MainWindow
from tests.some_of import one_in
from tests.ui.fake_app import FakeEvaluator
from tests.ui.pseudo import Pseudo, pseudo
from tests.ui.real_screen import NOW_S
from tests.ui.sample_world import evaluation_of, sample_project
from tests.ui.test_access_of_dialogs import DIALOGS, PLAN, PROJECT
from tests.ui.visible_texts import visible_texts

WORD = re.compile(r"[A-Za-z]{2,}")
MONTHS = {
    QLocale(QLocale.Language.English).monthName(at, QLocale.FormatType.ShortFormat) for at in range(1, 13)
}
KEYS = frozenset(
    (
        "Ctrl", "Alt", "Shift", "Enter", "Esc", "Del", "Delete", "Insert", "Return", "Home", "End", "Tab", "Space",
        "Up", "Down", "Left", "Right", "PgUp", "PgDown",
    )
)  # fmt: skip
UNITS = frozenset(("GB", "Gb", "kW", "kWh", "ms", "UTC"))
NAMES = frozenset(
    (
        "gpuplanner", "gpuplan", "InfiniBand", "NVLink", "nvlink", "nvswitch", "infiniband", "roce", "ethernet",
        "RoCE", "Ethernet", "BF", "FP", "INT", "NVFP", "MI", "CO", "Scroll",
    )
)  # fmt: skip
"""Of the product, of networks, of GPUs and of numbers as they keep them; CO2; and of a button of Qt's own."""
TOLD_BY_TESTS = frozenset(
    ("ann", "jobs", "csv", "CSV", "Exporting", "Title", "sentence", "Do", "it", "Foo", "en", "main", "PCIe")
)
"""Words of the dialogs' own test: a file, a title, a leak's remedy, names to match."""
HOURS_AS_WRITTEN = frozenset(word for text in PRESETS for word in WORD.findall(text))
"""Hours of the week as a table of planned work writes them."""
OF_THE_WORKBOOK = re.compile(rf"(?<={pseudo('sheet')[1:-1]} )\w+")
"""Names of its sheets are in English in every language."""
LEFT_ALONE = MONTHS | KEYS | UNITS | NAMES | HOURS_AS_WRITTEN | frozenset(COMMON)


def texts_in(value: object) -> Iterator[str]:
    """All texts that data may hold; words of the model (enumerations, issues) are not among them."""
    if isinstance(value, Enum | Issue):
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from texts_in(key)
            yield from texts_in(one)
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from texts_in(one)
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts_in(getattr(value, field.name))


@cache
def our_words() -> frozenset[str]:
    """The words of our own sentences: one of these in a text is excused by the data only as a part of a whole name."""
    return frozenset(word for text in texts() for word in WORD.findall(re.sub(r"\{[^{}]*\}", " ", text)))


class Names:
    """What the data calls its things: whole names, and the words in them that we do not use ourselves."""

    def __init__(self, *values: object) -> None:
        self._values = values
        found = {text.strip() for text in texts_in(values)}
        found |= {part for text in found for part in re.split(r"[/@\t]| \u00b7 ", text)}
        whole = sorted((text for text in found if WORD.search(text)), key=len, reverse=True)
        self._whole = re.compile("|".join(rf"(?<!\w){re.escape(text)}(?!\w)" for text in whole) or "(?!)")
        self._listed = "\n" + "\n".join(whole)
        self._words = {word for text in whole for word in WORD.findall(text)} - our_words()

    def __or__(self, more: object) -> "Names":
        return Names(*self._values, more)

    def taken_out_of(self, text: str) -> str:
        """A text without the names in it, whole or cut at their end."""
        cut = re.compile(r"(?<!\w)([\w-]+)\u2026")
        return cut.sub(
            lambda end: " " if f"\n{end[1]}" in self._listed else end[0], self._whole.sub(" ", text)
        )

    def has(self, word: str) -> bool:
        """Whether a word is of a name, and none of ours."""
        return word in self._words


def in_english(text: str, names: Names) -> list[str]:
    """Words of a text that neither a translator wrote nor the data."""
    plain = unescape(re.sub(r"<[^>]*>", " ", text))
    # Options and what a file's SHA-256 begins with, whole: a name of the data may be a part of them
    plain = re.sub(r"--set \w+=VALUE|(?<=-256 )[0-9a-f]{12}\b", " ", plain)
    plain = re.sub(r"[\w.-]*/[\w./-]*|demo\.gpuplan", " ", names.taken_out_of(plain))  # paths, the file
    plain = re.sub(r"\u201c[^\u201d]{1,24}\u201d", " ", plain)  # a part of a name, in quotes
    plain = OF_THE_WORKBOOK.sub(" ", plain)
    return [word for word in WORD.findall(plain) if not names.has(word) and word not in LEFT_ALONE]


def left(root: QWidget, names: Names) -> str:
    """Texts of a widget and those in it that have such words, a line each; "" of a window that has none."""
    return "\n".join(sorted({text for _, text in visible_texts(root) if in_english(text, names)}))


def none_is_left(found: str) -> None:
    if found:
        pytest.fail(f"not translated:\n{found}")


def said_in(value: object) -> Iterator[str]:
    """Every text of what a view is told, but ids and roles."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from said_in(one)
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in ("key", "note_key", "figure_id", "icon", "role", "kind"):
                yield from said_in(getattr(value, field.name))


@pytest.fixture(scope="module")
def translator(qapp: QApplication) -> Iterator[Pseudo]:
    made = Pseudo()
    qapp.installTranslator(made)
    yield made
    qapp.removeTranslator(made)


@pytest.fixture(scope="module")
def made(demo_path: Path) -> Project:
    """The demo."""
    return open_project(demo_path)


@pytest.fixture(scope="module")
def names(made: Project) -> Names:
    """Of the sample and of the demo."""
    return Names(sample_project(), read_served_models(), made)


@pytest.fixture(scope="module")
def demo(
    qapp: QApplication, translator: Pseudo, made: Project, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MainWindow]:
    """The window with the demo, worked out in full."""
    folder = tmp_path_factory.mktemp("translated")
    apply_palette(qapp, LIGHT)
    settings = Settings(QSettings(str(folder / "s.ini"), QSettings.Format.IniFormat))
    window, flow, document = build(settings, NOW_S)
    window.resize(1920, 1080)
    window.show()
    document.load(made)
    window.show_title("demo.gpuplan", True)
    show(window, qapp, PLANS[0])
    yield window
    window.why.hide()
    flow.leave_quietly()
    delete(window)


@pytest.fixture(scope="module")
def sample(qapp: QApplication, translator: Pseudo) -> Iterator[MainWindow]:
    """The window that dialogs open over."""
    begin_palette(qapp, LIGHT)
    made = MainWindow(Document(PROJECT), FakeEvaluator(evaluation_of))
    made.show_project(PROJECT)
    made.choose_scenario(PLAN)
    yield made
    made.close()
    delete(made)


def show(window: MainWindow, qapp: QApplication, scenario: str) -> None:
    errors: list[Exception] = []
    window.choose_scenario(scenario)
    settle(window, qapp, errors)
    assert errors == []


@pytest.mark.long
@pytest.mark.parametrize("panel", one_in(8, [kind.about.name for kind in PANELS]))
def test_panels(demo: MainWindow, names: Names, qtbot: QtBot, panel: str) -> None:
    demo.docks.raise_panel(panel)
    qtbot.wait(300)  # what is worked out once it is seen; what it shows until then is looked at as well
    none_is_left(left(getattr(demo.docks, panel), names))


@pytest.mark.long
def test_board_headline_bars_and_menus(demo: MainWindow, names: Names) -> None:
    none_is_left(left(demo, names))
    actions = [action for menu in demo.menus.values() for action in menu.actions()]
    found = [(one.text(), one.toolTip()) for one in actions if one.text()]
    assert [pair for pair in found if any(in_english(text, names) for text in pair)] == []


@pytest.mark.long
def test_details_of_every_card(demo: MainWindow, names: Names) -> None:
    shown, facts = demo.session.view_state, CardFacts()
    groups = [*([card] for card in shown.cards), list(shown.cards)[:3]]
    said = {text for cards in groups for text in said_in(details_of(cards, shown, facts))}
    none_is_left("\n".join(sorted(text for text in said if in_english(text, names))))


@pytest.mark.long
@pytest.mark.parametrize("scenario", [PLANS[0], TODAY])
def test_why_of_the_headline(
    demo: MainWindow, names: Names, qapp: QApplication, qtbot: QtBot, scenario: str
) -> None:
    show(demo, qapp, scenario)
    found = []
    for button in demo.headline.buttons:
        if button.isVisible() and button.figure is not None:
            demo.why.hide()
            button.click()
            qtbot.waitUntil(demo.why.isVisible)
            found.append(left(demo.why, names))
    demo.why.hide()
    none_is_left("\n".join(filter(None, [*found, left(demo, names)])))


@pytest.mark.long
def test_names_of_undo_steps(demo: MainWindow, names: Names, qtbot: QtBot) -> None:
    document, undo, redo = demo.session.document, demo.actions_by_id["undo"], demo.actions_by_id["redo"]
    done = document.undo_stack.index()
    document.edit(edits.labels.take_apart_label("x"), replace(document.project, title="x"))
    demo.docks.raise_panel("history")
    qtbot.wait(50)
    before = undo.text()
    found = left(demo.docks.history, names)
    document.jump_to(done)
    assert [text for text in (before, redo.text()) if "x" not in text or in_english(text, names)] == []
    none_is_left(found)


@pytest.mark.long
def test_comparison_of_plans(demo: MainWindow, names: Names, qapp: QApplication, qtbot: QtBot) -> None:
    show(demo, qapp, PLANS[0])
    compare = demo.plans.compare
    demo.actions_by_id["compare"].trigger()
    qtbot.waitUntil(lambda: not compare.comparing.is_busy, timeout=60_000)
    qtbot.wait(50)
    found = left(compare.page, names)
    compare.leave()
    none_is_left(found)


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(8, DIALOGS))
def test_dialogs(sample: MainWindow, qtbot: QtBot, names: Names, tmp_path: Path, name: str) -> None:
    dialog = DIALOGS[name](sample, tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.wait(50)
    none_is_left(left(dialog, names | TOLD_BY_TESTS))


@pytest.mark.long
@pytest.mark.parametrize("scenario", [PLANS[0], TODAY])
def test_scenes(demo: MainWindow, names: Names, qapp: QApplication, qtbot: QtBot, scenario: str) -> None:
    show(demo, qapp, scenario)
    presenter = Presenter()
    qtbot.addWidget(presenter)
    presenter.resize(1280, 800)
    presenter.show_state(demo.session.view_state, NOW_S)
    presenter.show()
    found = []
    for at in range(len(presenter.parts)):
        presenter.go_to(at)
        found.append(left(presenter, names))
    none_is_left("\n".join(filter(None, found)))


@pytest.mark.long
def test_the_catalogue_has_all_that_was_asked_for(demo: MainWindow, translator: Pseudo) -> None:
    asked = {
        text
        for text in translator.asked
        if WORD.search(re.sub(r"\{[^{}]*\}", "", text)) and "\u27e6" not in text
    }
    assert unlisted(asked - UNITS) == set()
