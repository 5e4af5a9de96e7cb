"""A palette put on later looks as one that was there from the beginning, also on what was out of sight meanwhile."""

import re
from itertools import permutations

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gpuplanner.ui.kit.layout import column
from gpuplanner.ui.kit.palettes import DARK, LIGHT, PALETTES
from gpuplanner.ui.kit.style_sheet import apply_palette, begin_palette, style_sheet
from tests.some_of import one_in

pytestmark = pytest.mark.usefixtures("no_worker_window")


def controls(qtbot: QtBot) -> QWidget:
    """One of everything that the sheet gives a colour or an icon."""
    check, combo, button, muted = QCheckBox("checked"), QComboBox(), QPushButton("Export"), QLabel("muted")
    check.setChecked(True)
    combo.addItem("All")
    button.setProperty("primary", True)
    for role, label in (
        ("muted", muted),
        ("green", green := QLabel("green")),
        ("amber", amber := QLabel("amber")),
    ):
        label.setProperty("role", role)
    made = QWidget()
    made.setObjectName("page")
    column(check, combo, button, muted, green, amber, QLineEdit("text"), QSpinBox(), on=made)
    qtbot.addWidget(made)
    return made


def test_a_radio_button_that_is_not_chosen_is_seen_in_the_dark(qapp: QApplication, qtbot: QtBot) -> None:
    button = QRadioButton("For a time")
    qtbot.addWidget(button)
    apply_palette(qapp, DARK)
    shot = button.grab().toImage()
    seen = max(shot.pixelColor(x, y).lightness() for x in range(16) for y in range(shot.height()))
    apply_palette(qapp, LIGHT)
    assert seen > 0.8 * QColor(DARK.edge).lightness()  # its ring is round, and so is smoothed


def picture(widget: QWidget) -> QImage:
    """How it looks; without the keyboard, for a cursor blinks."""
    widget.show()
    if (focused := QApplication.focusWidget()) is not None:
        focused.clearFocus()
    return widget.grab().toImage()


@pytest.mark.parametrize(("before", "after"), one_in(4, permutations(PALETTES, 2)))
@pytest.mark.parametrize("is_seen", [True, False])
def test_a_palette_that_is_put_on_later_looks_as_one_from_the_beginning(
    qtbot: QtBot, qapp: QApplication, before: str, after: str, is_seen: bool
) -> None:
    begin_palette(qapp, PALETTES[after])
    apply_palette(qapp, PALETTES[after])
    expected = picture(controls(qtbot))
    begin_palette(qapp, PALETTES[before])
    apply_palette(qapp, PALETTES[before])
    switched = controls(qtbot)
    assert picture(switched) != expected
    switched.setVisible(is_seen)
    apply_palette(qapp, PALETTES[after])
    QApplication.processEvents()
    qtbot.waitUntil(lambda: picture(switched) == expected)


def test_painting_another_palette_has_a_turn_of_its_own(qtbot: QtBot, qapp: QApplication) -> None:
    """A window answers between being styled and being painted; styled it is at once."""
    apply_palette(qapp, LIGHT)
    window = controls(qtbot)
    window.show()
    apply_palette(qapp, PALETTES["dark"])
    assert not window.updatesEnabled() and qapp.palette().window().color() == PALETTES["dark"].colour(
        "window"
    )
    qtbot.waitUntil(window.updatesEnabled)
    apply_palette(qapp, LIGHT)


def test_a_window_that_somebody_else_stopped_stays_stopped(qtbot: QtBot, qapp: QApplication) -> None:
    apply_palette(qapp, LIGHT)
    stopped, window = controls(qtbot), controls(qtbot)
    stopped.setUpdatesEnabled(False)
    apply_palette(qapp, PALETTES["dark"])
    qtbot.waitUntil(window.updatesEnabled)
    assert not stopped.updatesEnabled()
    apply_palette(qapp, LIGHT)


def test_the_sheet_names_no_colour_so_that_it_is_put_on_once() -> None:
    assert not re.search(r":\s*[^;{]*#[0-9A-Fa-f]{3}", style_sheet(LIGHT))
    assert "$" not in style_sheet(LIGHT)


def test_another_palette_puts_no_other_sheet_on(qapp: QApplication) -> None:
    apply_palette(qapp, LIGHT)
    sheet = qapp.styleSheet()
    for palette in PALETTES.values():
        apply_palette(qapp, palette)
        assert qapp.styleSheet() == sheet
    apply_palette(qapp, LIGHT)
