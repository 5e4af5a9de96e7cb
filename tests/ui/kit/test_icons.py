"""Icons are as sharp as their screen."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from gpuplanner.ui.kit.icons import icon


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_a_button_on_a_scaled_screen_gets_an_icon_of_its_pixels(qapp: QApplication, ratio: float) -> None:
    made = icon("undo", "#000000").pixmap(QSize(16, 16), ratio)
    assert (made.width(), made.devicePixelRatio()) == (16 * ratio, ratio)
