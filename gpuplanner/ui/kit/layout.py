"""Layouts in one expression: rows, columns and grids of widgets with gaps and stretches; named boxes.

`column(heading, row(name, STRETCH, button), 8, table, on=self, margins=SMALL)` reads as on the screen, from top to
bottom and from left to right, and Tab follows the same order. A part is a widget, a layout, a gap in pixels, a `share`
of the free space, or None (left out).
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

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.message import Text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.type_scale import font

_Widget = TypeVar("_Widget", bound=QWidget)
_Box = TypeVar("_Box", bound=QBoxLayout)

Margins = int | tuple[int, int, int, int]
"""Margins in pixels: one for all sides, or left, top, right, bottom."""
SMALL: Final = (14, 4, 12, 6)
"""Margins in a panel, aligned with the text of its tables."""
TOP: Final = Qt.AlignmentFlag.AlignTop
LEFT: Final = Qt.AlignmentFlag.AlignLeft
RIGHT: Final = Qt.AlignmentFlag.AlignRight
NOWHERE: Final = Qt.AlignmentFlag(0)


@dataclass(frozen=True, slots=True)
class Share:
    """A part with its stretch factor, its alignment, and the number of grid cells it spans."""

    of: "QWidget | QLayout | None" = None
    share: int = 0
    place: Qt.AlignmentFlag = NOWHERE
    cells: int = 1


Part = QWidget | QLayout | Share | int | None
STRETCH: Final = Share(share=1)
"""Empty space."""


def share(of: QWidget | QLayout | None, by: int = 1) -> Share:
    """Return a part with a stretch factor; None: empty space."""
    return Share(of, by)


def placed(of: QWidget | QLayout, place: Qt.AlignmentFlag) -> Share:
    """Return a part in its smallest size, aligned to one side of its space."""
    return Share(of, place=place)


def across(of: QWidget | QLayout, cells: int) -> Share:
    """Return a part that spans `cells` cells of a grid row."""
    return Share(of, cells=cells)


def row(
    *parts: Part, on: QWidget | None = None, margins: Margins = 0, spacing: int | None = None
) -> QHBoxLayout:
    """Return a row of parts. on: widget that gets the layout. margins, spacing: pixels; spacing None: inherited."""
    return _laid(QHBoxLayout() if on is None else QHBoxLayout(on), parts, margins, spacing)


def column(
    *parts: Part, on: QWidget | None = None, margins: Margins = 0, spacing: int | None = None
) -> QVBoxLayout:
    """Return a column of parts. Parameters as for `row`."""
    return _laid(QVBoxLayout() if on is None else QVBoxLayout(on), parts, margins, spacing)


def _laid(layout: _Box, parts: Sequence[Part], margins: Margins, spacing: int | None) -> _Box:
    """Set margins and spacing of a layout and add its parts."""
    _space(layout, margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    return add(layout, *parts)


def add(layout: _Box, *parts: Part) -> _Box:
    """Append parts to a row or column. Returns the layout."""
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
    """Return a grid of rows of cells; None leaves a cell empty.

    spacing: horizontal and vertical pixels. shares: stretch factors by column.
    """
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
    """Set the margins of a layout."""
    layout.setContentsMargins(*(margins if isinstance(margins, tuple) else (margins,) * 4))


def box(look: str, layout: QLayout, on: _Widget) -> _Widget:
    """Put a layout into a widget. look: its name in the style sheet."""
    on.setObjectName(look)
    on.setLayout(layout)
    return on


def stacked(*pages: QWidget) -> QStackedWidget:
    """Return a stack of pages that shows the first."""
    made = QStackedWidget()
    for page in pages:
        made.addWidget(page)
    return made


def emptied(layout: QLayout) -> None:
    """Remove everything from a layout and its nested layouts."""
    while (item := layout.takeAt(0)) is not None:
        if (inside := item.layout()) is not None:
            emptied(inside)
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


class _WheelOfPage(QObject):
    """Event filter that leaves the wheel to the scrolling page, unless the field has the keyboard focus."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel or not isinstance(watched, QWidget) or watched.hasFocus():
            return False
        event.ignore()
        return True


def ground(on: _Widget, look: str) -> _Widget:
    """Let the style sheet draw a widget's background. look: its name there."""
    on.setObjectName(look)
    on.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return on


def named(
    of: _Widget, name: Text = "", tip: Text = "", *, role: str = "", step: str = "", look: str = ""
) -> _Widget:
    """Set a widget's accessible name, tool tip, style sheet role and font. Returns the widget.

    name: also of a combo box's list and of a line edit. look: object name in the style sheet. step: in the type scale.
    The wheel changes a field only with keyboard focus, and does not give it the focus.
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
            if isinstance(of, QAbstractSpinBox):  # the style sheet's padding does not apply inside
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
