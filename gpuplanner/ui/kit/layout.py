"""Layouts in one expression: rows, columns and grids of widgets with gaps and stretches; boxes and names at the making.

`column(heading, row(name, STRETCH, button), 8, table, on=self, margins=SMALL)` reads as it stands on the screen, from
the top down and from left to right, and Tab goes the same way. A part is a widget, a layout, a gap in pixels, a
`share` of the room that is left, or None: nothing.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QBoxLayout,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import set_tip, spoken
from gpuplanner.domain.message import Text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.theme import font

_Widget = TypeVar("_Widget", bound=QWidget)
_Box = TypeVar("_Box", bound=QBoxLayout)

Margins = int | tuple[int, int, int, int]
"""Pixels around a layout: the same on all sides, or left, top, right, bottom."""
SMALL: Final = (14, 4, 12, 6)
"""Around what stands in a panel, on a line with the words of its tables."""
TOP: Final = Qt.AlignmentFlag.AlignTop
LEFT: Final = Qt.AlignmentFlag.AlignLeft
RIGHT: Final = Qt.AlignmentFlag.AlignRight
NOWHERE: Final = Qt.AlignmentFlag(0)


@dataclass(frozen=True, slots=True)
class Share:
    """A part with its share of the room that is left, where it stands in its own, and over how many cells of a grid."""

    of: "QWidget | QLayout | None" = None
    share: int = 0
    place: Qt.AlignmentFlag = NOWHERE
    cells: int = 1


Part = QWidget | QLayout | Share | int | None
STRETCH: Final = Share(share=1)
"""Room that stays empty."""


def share(of: QWidget | QLayout | None, by: int = 1) -> Share:
    """A part that takes so many shares of the room that is left; None: empty room."""
    return Share(of, by)


def placed(of: QWidget | QLayout, place: Qt.AlignmentFlag) -> Share:
    """A part no larger than it has to be, at this side of its room."""
    return Share(of, place=place)


def across(of: QWidget | QLayout, cells: int) -> Share:
    """A part that stands in so many cells of a row of a grid, from its own on."""
    return Share(of, cells=cells)


def row(
    *parts: Part, on: QWidget | None = None, margins: Margins = 0, spacing: int | None = None
) -> QHBoxLayout:
    """Parts beside each other. on: whose layout it becomes; spacing: None for that of what it stands in."""
    return _laid(QHBoxLayout() if on is None else QHBoxLayout(on), parts, margins, spacing)


def column(
    *parts: Part, on: QWidget | None = None, margins: Margins = 0, spacing: int | None = None
) -> QVBoxLayout:
    """Parts below each other; else as `row`."""
    return _laid(QVBoxLayout() if on is None else QVBoxLayout(on), parts, margins, spacing)


def _laid(layout: _Box, parts: Sequence[Part], margins: Margins, spacing: int | None) -> _Box:
    """A layout with margins, spacing and its parts."""
    _space(layout, margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    return add(layout, *parts)


def add(layout: _Box, *parts: Part) -> _Box:
    """Put more parts at the end of a row or a column; the same layout."""
    for part in parts:
        if isinstance(part, int):
            layout.addSpacing(part)
        elif part is not None:
            placing = part if isinstance(part, Share) else Share(part)
            if placing.of is None:
                layout.addStretch(placing.share)
            elif isinstance(placing.of, QLayout):
                layout.addLayout(placing.of, placing.share)
            else:
                layout.addWidget(placing.of, placing.share, placing.place)
    return layout


def grid(
    *rows: Sequence[QWidget | QLayout | Share | None],
    on: QWidget | None = None,
    margins: Margins = 0,
    spacing: tuple[int, int] | None = None,
    shares: Sequence[int] = (),
) -> QGridLayout:
    """Rows of cells; None leaves one empty. spacing: beside and below each other; shares: of the room, by column."""
    layout = QGridLayout() if on is None else QGridLayout(on)
    _space(layout, margins)
    if spacing is not None:
        layout.setHorizontalSpacing(spacing[0])
        layout.setVerticalSpacing(spacing[1])
    for at, by in enumerate(shares):
        layout.setColumnStretch(at, by)
    for line, cells in enumerate(rows):
        for at, cell in enumerate(cells):
            placing = cell if isinstance(cell, Share) else Share(cell)
            if isinstance(placing.of, QLayout):
                layout.addLayout(placing.of, line, at, 1, placing.cells, placing.place)
            elif placing.of is not None:
                layout.addWidget(placing.of, line, at, 1, placing.cells, placing.place)
    return layout


def _space(layout: QLayout, margins: Margins) -> None:
    """Sets the margins of a layout."""
    layout.setContentsMargins(*(margins if isinstance(margins, tuple) else (margins,) * 4))


def box(look: str, layout: QLayout, on: _Widget) -> _Widget:
    """A widget that holds a layout. look: its name in the style sheet, which then draws its ground."""
    on.setObjectName(look)
    on.setLayout(layout)
    return on


def stacked(*pages: QWidget) -> QStackedWidget:
    """Pages of which one is shown; the first is."""
    made = QStackedWidget()
    for page in pages:
        made.addWidget(page)
    return made


def emptied(layout: QLayout) -> None:
    """Take everything out of a layout, and out of those inside it."""
    while (item := layout.takeAt(0)) is not None:
        if (inside := item.layout()) is not None:
            emptied(inside)
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


class _WheelOfPage(QObject):
    """Leaves the wheel over a field to the page that scrolls, unless the field has the keyboard."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel or not isinstance(watched, QWidget) or watched.hasFocus():
            return False
        event.ignore()
        return True


def ground(on: _Widget, look: str) -> _Widget:
    """A widget whose ground the style sheet draws. look: its name there."""
    on.setObjectName(look)
    on.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return on


def named(
    of: _Widget, name: Text = "", tip: Text = "", *, role: str = "", step: str = "", look: str = ""
) -> _Widget:
    """A widget with what it is called to who listens, its tip, its role in the style sheet and its step of the scale.

    look: its own name in the style sheet. A list that drops down is called as its field is, and so is the line that
    is typed in. The wheel turns a field only where it has the keyboard, which the wheel does not give it.
    """
    if isinstance(of, QAbstractSpinBox | QComboBox | QAbstractSlider):
        of.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        of.installEventFilter(_WheelOfPage(of))
    if name:
        of.setAccessibleName(spoken(name))
        if isinstance(of, QComboBox):
            of.view().setAccessibleName(spoken(name))
        if isinstance(of, QAbstractSpinBox | QComboBox) and (line := of.findChild(QLineEdit)) is not None:
            line.setAccessibleName(spoken(name))
            if isinstance(of, QAbstractSpinBox):  # the style sheet's padding does not reach into it
                line.setTextMargins(4, 0, 2, 0)
    if tip:
        set_tip(of, spoken(tip))
    if look:
        of.setObjectName(look)
    if role:
        of.setProperty("role", role)
    if step:
        of.setFont(font(step))
    return of
