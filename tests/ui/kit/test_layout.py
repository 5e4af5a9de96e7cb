"""Layouts in one expression: what stands where, with how much room, and in which order Tab goes."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QAbstractSlider,
    QApplication,
    QComboBox,
    QFrame,
    QPushButton,
    QSlider,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gpuplanner.domain.message import worded
from gpuplanner.ui.kit.layout import (
    RIGHT,
    STRETCH,
    across,
    add,
    box,
    column,
    emptied,
    grid,
    named,
    placed,
    row,
    share,
)
from gpuplanner.ui.kit.page_parts import choice_of, label, named_button
from gpuplanner.ui.kit.type_scale import font
from tests.ui.conftest import activate
from tests.ui.wheel import wheeled


def block(width: int = 30, height: int = 20) -> QWidget:
    made = QWidget()
    made.setFixedSize(width, height)
    return made


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(200, 100)
    return made


def places(page: QWidget, *parts: QWidget) -> list[tuple[int, int, int, int]]:
    page.show()
    QApplication.processEvents()
    found = [QRect(part.mapTo(page, part.rect().topLeft()), part.size()) for part in parts]
    return [(one.x(), one.y(), one.width(), one.height()) for one in found]


def test_parts_stand_as_they_are_written(page: QWidget) -> None:
    above, left, right, rest = block(), block(), block(), QWidget()
    column(above, 7, row(left, STRETCH, None, right), share(rest), on=page, margins=(4, 3, 2, 1), spacing=5)
    assert places(page, above, left, right, rest) == [
        (4, 3, 30, 20),
        (
            4,
            3 + 20 + 5 + 7,
            30,
            20,
        ),  # a gap is besides the spacing; nothing takes no room, not even a spacing
        (200 - 2 - 30, 35, 30, 20),
        (4, 60, 194, 39),
    ]


def test_room_that_is_left_goes_by_shares(page: QWidget) -> None:
    one, three = QWidget(), QWidget()
    row(share(one), share(three, 3), on=page, spacing=0)
    assert places(page, one, three) == [(0, 0, 50, 100), (50, 0, 150, 100)]


def test_a_part_can_stand_at_a_side_of_its_room(page: QWidget) -> None:
    small = block()
    column(placed(small, RIGHT), on=page, margins=10)
    assert places(page, small) == [(160, 40, 30, 20)]


def test_more_can_be_added_and_all_taken_out(page: QWidget) -> None:
    first, second, inner = block(), block(), block()
    layout = row(first, on=page, spacing=0)
    assert add(layout, second, column(inner), STRETCH) is layout
    assert places(page, first, second, inner)[1:] == [(30, 40, 30, 20), (60, 40, 30, 20)]
    emptied(layout)
    assert layout.count() == 0
    assert all(part.isHidden() for part in (first, second, inner))


def test_a_grid_has_its_cells_in_columns(page: QWidget) -> None:
    name, field, wide, last = block(), block(50), QWidget(), block()
    wide.setFixedHeight(20)
    grid(
        (name, field), (across(wide, 2),), (None, row(last, STRETCH)), on=page, spacing=(10, 5), shares=(0, 1)
    )
    found = places(page, name, field, wide, last)
    assert [(x, width) for x, _, width, _ in found] == [(0, 30), (40, 50), (0, 200), (40, 30)]
    assert found[0][1] == found[1][1] < found[2][1] < found[3][1]


def test_tab_goes_as_it_reads_whatever_was_made_first(page: QWidget) -> None:
    last, middle, first = QPushButton("last"), QPushButton("middle"), QPushButton("first")
    column(row(first, middle), last, on=page)
    seen: list[QWidget] = [page]
    for _ in range(3):
        after = seen[-1].nextInFocusChain()
        assert after is not None
        seen.append(after)
    assert seen == [page, first, middle, last]


def test_a_box_has_its_look_and_its_layout(qtbot: QtBot) -> None:
    inside = block()
    made = box("card", column(inside), QFrame())
    qtbot.addWidget(made)
    assert (made.objectName(), inside.parentWidget()) == ("card", made)


def test_names_stand_where_a_widget_is_made(qtbot: QtBot) -> None:
    made = named(QComboBox(), worded("Fit shown"), "One <b> of them", role="muted", step="title")
    qtbot.addWidget(made)
    assert made.accessibleName() == made.view().accessibleName() == "Fit shown"
    assert "&lt;b&gt;" in made.toolTip()  # plain, whatever stands in it
    assert made.property("role") == "muted" and made.font() == font("title")


def test_buttons_labels_and_choices_are_whole_in_one_call(qtbot: QtBot) -> None:
    pressed: list[int] = []
    chosen: list[int] = []
    button = named_button("Copy", "As text", lambda: pressed.append(1), called="Copy the list", is_link=True)
    choice = choice_of("Sort", "How they are sorted", (("By name", "n"), ("By rate", "r")), chosen.append)
    words = label("12 GPUs", step="small", role="muted", is_wrapped=True)
    for made in (button, choice, words):
        qtbot.addWidget(made)
    button.click()
    choice.setCurrentIndex(1)
    assert (pressed, chosen, choice.currentData()) == ([1], [1], "r")
    assert (button.text(), button.accessibleName(), button.toolTip()) == ("Copy", "Copy the list", "As text")
    assert button.property("link") and not button.autoDefault()
    assert words.wordWrap() and words.property("role") == "muted" and words.font() == font("small")


@pytest.mark.parametrize("field", [QSpinBox, QComboBox, QSlider])
def test_the_wheel_is_the_pages_until_a_field_has_the_keyboard(qtbot: QtBot, field: type[QWidget]) -> None:
    made = named(field(), "GPUs")
    qtbot.addWidget(made)
    if isinstance(made, QComboBox):
        made.addItems(["8", "7"])
    made.show()
    made.clearFocus()

    def value() -> int:
        return made.currentIndex() if isinstance(made, QComboBox) else made.value()  # type: ignore[attr-defined,no-any-return]

    down = -120 if isinstance(made, QComboBox) else 120
    before = value()
    assert not wheeled(made, down) and value() == before
    activate(made)
    made.setFocus()
    assert made.hasFocus() and wheeled(made, down) and value() > before
    assert not isinstance(made, QAbstractSlider) or made.focusPolicy() is Qt.FocusPolicy.StrongFocus
