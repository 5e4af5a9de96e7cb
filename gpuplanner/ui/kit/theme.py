"""Palettes, type scale, text size, icons, and functions that draw text and shapes."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetrics,
    QIcon,
    QIconEngine,
    QPainter,
    QPen,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDockWidget, QMainWindow, QWidget

from gpuplanner.files.system.user_files import resource_path, rows_of
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.words.lanes import LANES, Lane

# --- Palettes: all colors of the window as data, for light, dark and high contrast ----------------

_LANES: Final = frozenset(Lane)


@dataclass(frozen=True, slots=True)
class LaneColours:
    """Colors of a pool. fill: also for lines; on_fill: text on the fill; tint: column behind a drop."""

    fill: str
    on_fill: str
    tint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """A palette. Contrast (WCAG 2): text at least 4.5; edge, focus and pools at least 3.0 on all three backgrounds."""

    name: str
    is_dark: bool
    window: str  # behind panels and columns
    surface: str  # bars, columns, formula boxes
    raised: str  # cards, inputs, docks, popovers
    text: str
    muted: str
    line: str  # hairlines; never the only sign
    edge: str  # inputs, zero lines, total rules, drop targets
    accent: str  # one primary button, links, the current tab; never data
    on_accent: str
    focus: str
    selection: str
    red: str
    amber: str
    green: str
    grid: str
    track: str  # behind a bar
    handle: str  # of a scroll bar
    lanes: dict[Lane, LaneColours]
    terms: dict[int, str]  # months -> colour; 0 is on demand
    hatch: str  # of usage-priced layers
    heat: tuple[str, ...]  # low to high

    def colour(self, role: str) -> QColor:
        """Return the color of a role; the name of a pool gives its fill."""
        return self.lane(Lane(role)) if role in _LANES else QColor(getattr(self, role))

    def lane(self, lane: Lane) -> QColor:
        """Return the fill of a pool."""
        return QColor(self.lanes[lane].fill)

    def term(self, months: int) -> QColor:
        """Return the color of a term; a term between two steps takes the lower one."""
        known = max((step for step in self.terms if step <= months), default=0)
        return QColor(self.terms[known])


_TERM_MONTHS: Final = (0, 1, 3, 6, 12, 24, 36)


def _palette(name: str) -> Palette:
    """Return a palette of the shipped table."""
    role = {row["role"]: row[name] for row in rows_of("palettes.csv")}
    lanes = {lane: LaneColours(*role.pop(lane).split()) for lane in LANES}
    terms = dict(zip(_TERM_MONTHS, role.pop("terms").split(), strict=True))
    is_dark, heat = role.pop("is_dark") == "yes", tuple(role.pop("heat").split())
    return Palette(name=name, is_dark=is_dark, lanes=lanes, terms=terms, heat=heat, **role)


LIGHT, DARK, HIGH_CONTRAST = map(_palette, ("light", "dark", "high contrast"))

PALETTES: Final = {palette.name: palette for palette in (LIGHT, DARK, HIGH_CONTRAST)}


_IN_USE: list[Palette] = [LIGHT]


def in_use() -> Palette:
    """Return the palette in use."""
    return _IN_USE[0]


def use(palette: Palette) -> None:
    """Use a palette from now on; see kit/style_sheet.py."""
    # a new object each time, so that charts detect the change
    _IN_USE[0] = replace(palette)


# --- The type scale: nine steps of the platform's font, with digits of one width ------------------

SIZES: Final = {
    "small": (8.25, 400),
    "small_strong": (8.25, 500),
    "body": (9.0, 400),
    "strong": (9.0, 500),
    "title": (9.75, 600),
    "total": (9.0, 600),
    "now": (10.5, 400),
    "figure": (15.0, 600),
    "page": (18.0, 600),
}
"""Points and weight of each step."""

_STEPS: dict[int, tuple[str, float]] = {}
_SCALE: list[float] = [1.0]
_is_for_a_pdf: ContextVar[bool] = ContextVar("_is_for_a_pdf", default=False)


@contextmanager
def glyphs_of_a_pdf() -> Iterator[None]:
    """Use fonts within this context that a PDF stores as text; see charts/kit/chart_export.py."""
    before = _is_for_a_pdf.set(True)
    try:
        yield
    finally:
        _is_for_a_pdf.reset(before)


def font(step: str) -> QFont:
    """Return the font of a step in the window's text size; digits have one width, so that columns align."""
    return _pdf_font(step) if _is_for_a_pdf.get() else _screen_font(step, _SCALE[0])


def base_font(step: str) -> QFont:
    """Return the font of a step in its usual size, for painting with `in_text_size`."""
    return _pdf_font(step) if _is_for_a_pdf.get() else _screen_font(step)


def text_scale() -> float:
    """Return the text size as a factor of the usual size."""
    return _SCALE[0]


def use_text_scale(scale: float) -> None:
    """Set the text size as a factor of the usual size; `show_text_size` applies it."""
    _SCALE[0] = scale


def text_px(pixels: float) -> int:
    """Scale pixels of the usual text size to the text size in use."""
    return round(pixels * _SCALE[0])


def in_text_size(painter: QPainter, rect: QRect) -> QRect:
    """Scale a painter so that `rect` can be painted in the usual text size. Returns the rectangle in that size.

    This changes the painter unless the text size is usual; save it first to continue painting.
    """
    if (scale := _SCALE[0]) == 1.0:
        return rect
    painter.translate(rect.topLeft())
    painter.scale(scale, scale)
    return QRect(0, 0, round(rect.width() / scale), round(rect.height() / scale))


@cache
def _pdf_font(step: str) -> QFont:
    """Return the font of a step that stays text in a PDF."""
    from gpuplanner.charts.kit.chart_export import as_text_in_a_pdf

    return as_text_in_a_pdf(_screen_font(step))


@cache
def _screen_font(step: str, scale: float = 1.0) -> QFont:
    """Return the platform's font of a step with digits of one width; cached."""
    points, weight = SIZES[step]
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    made.setPointSizeF(points * scale)
    made.setWeight(QFont.Weight(weight))
    made.setFeature(QFont.Tag("tnum"), 1)
    _STEPS[id(made)] = step, scale  # the cache keeps the font alive, so that its id stays unique
    return made


def width_of(text: str, of: QFont) -> int:
    """Return a text's width in device-independent pixels, rounded up; cached for the fonts of the scale."""
    step = _STEPS.get(id(of))
    return QFontMetrics(of).horizontalAdvance(text) if step is None else _width(text, *step)


@lru_cache(maxsize=50_000)
def _width(text: str, step: str, scale: float) -> int:
    """Return a text's width in pixels; cached by text and size."""
    return _metrics(step, scale).horizontalAdvance(text)


@cache
def _metrics(step: str, scale: float) -> QFontMetrics:
    """Return the metrics of a step's font; cached."""
    return QFontMetrics(_screen_font(step, scale))


# --- Icons: our own 16 px line drawings, tinted from the palette, sharp on any screen -------------


def icon_path(name: str) -> Path:
    """Return the file of an icon. Errors: ValueError for an unknown name, a programming error."""
    path = resource_path(f"icons/{name}.svg")
    if not path.is_file():
        raise ValueError(f"icons: no drawing named {name!r}; add resources/icons/{name}.svg")
    return path


@cache
def _drawing(name: str) -> str:
    """Return the SVG text of an icon."""
    return icon_path(name).read_text(encoding="utf-8")


@lru_cache(maxsize=2048)
def pixmap(name: str, colour: str, size: int = 16, ratio: float = 1.0) -> QPixmap:
    """Return an icon in one color. size: device-independent pixels; ratio: screen pixels per such pixel."""
    side = max(1, round(size * ratio))  # a button without space has size 0
    image = QPixmap(QSize(side, side))
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    drawing = _drawing(name).replace("currentColor", colour)
    if size > 16:  # lines are 1.5 px wide at every size
        drawing = drawing.replace('stroke-width="1.5"', f'stroke-width="{1.5 * 16 / size:.3f}"')
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(image.rect()))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


class _LineIcon(QIconEngine):
    """An icon drawn in any size and pixel ratio, in a color or a role of the palette in use."""

    def __init__(self, name: str, colour: str, disabled: str) -> None:
        super().__init__()
        self._name, self._colour, self._disabled = name, colour, disabled

    def clone(self) -> QIconEngine:
        """Return a copy; Qt calls this when icons are passed on."""
        return _LineIcon(self._name, self._colour, self._disabled)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw the icon as a square at the screen's resolution."""
        ratio = painter.device().devicePixelRatio() if painter.device() else 1.0
        painter.drawPixmap(rect.topLeft(), self._pixmap(min(rect.width(), rect.height()), mode, ratio))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return the icon with one pixel per point."""
        return self._pixmap(min(size.width(), size.height()), mode, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        """Return the icon for a scaled screen. size: device-independent pixels."""
        return self._pixmap(min(size.width(), size.height()), mode, scale)

    def _pixmap(self, size: int, mode: QIcon.Mode, ratio: float) -> QPixmap:
        """Return the icon in its color, or in the color for disabled controls."""
        colour = self._disabled if mode == QIcon.Mode.Disabled else self._colour
        tint = colour if colour.startswith("#") else in_use().colour(colour).name()
        return pixmap(self._name, tint, size, ratio)


def icon(name: str, colour: QColor | str, disabled: str = "") -> QIcon:
    """Return an icon for buttons and menus.

    colour: a color, or a role of the palette in use at drawing time. disabled: role for disabled controls.
    """
    tint = colour.name() if isinstance(colour, QColor) else colour
    return QIcon(_LineIcon(name, tint, disabled or tint))


# --- Text and shapes, as every painted view draws them --------------------------------------------

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
text_width = width_of
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SINGLE_LINE = int(Qt.TextFlag.TextSingleLine.value)
_LEFT, _RIGHT = int(LEFT.value) | _SINGLE_LINE, int(RIGHT.value) | _SINGLE_LINE
"""Flags combined once, because a frame draws hundreds of texts and combining flags is slow."""


@lru_cache(maxsize=512)
def _named(colour: str) -> QColor:
    """Return a color by name; cached, because painting uses it thousands of times."""
    return QColor(colour)


def draw_text(
    painter: QPainter,
    rect: QRect,
    text: str,
    font: QFont,
    colour: QColor | str,
    align: Qt.AlignmentFlag = LEFT,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> int:
    """Draw one line of text in a rectangle, elided if too long. Returns the width drawn, in pixels."""
    painter.setFont(font)
    painter.setPen(_named(colour) if isinstance(colour, str) else colour)
    if (width := text_width(text, font)) > rect.width():
        text = QFontMetrics(font).elidedText(text, elide, rect.width())
        width = text_width(text, font)
    if align is LEFT:
        flags = _LEFT
    elif align is RIGHT:
        flags = _RIGHT
    else:
        flags = int(align.value) | _SINGLE_LINE
    painter.drawText(rect, flags, text)
    return width


def draw_icon(
    painter: QPainter, name: str, colour: QColor | str, left: int, top: int, size: int = 16
) -> None:
    """Draw an icon at a position in pixels, at the screen's resolution."""
    ratio = painter.device().devicePixelRatioF()
    painter.drawPixmap(QPointF(left, top), pixmap(name, QColor(colour).name(), size, ratio))


def draw_box(
    painter: QPainter,
    rect: QRect | QRectF,
    fill: QColor | str | None,
    border: QColor | str | None,
    radius: float = 4,
    width: float = 1,
    dashed: bool = False,
) -> None:
    """Draw a rounded rectangle with its border inside `rect`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(Qt.PenStyle.NoPen)
    if border is not None:
        pen = QPen(QColor(border), width)
        if dashed:
            pen.setDashPattern([3, 2.5])
    painter.setPen(pen)
    painter.setBrush(QColor(fill) if fill is not None else Qt.BrushStyle.NoBrush)
    inset = width / 2 if border is not None else 0
    painter.drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius)
    painter.restore()


def fitting(variants: tuple[str, ...], font: QFont, width: int) -> str:
    """Return the first text that fits the width in pixels; otherwise the last. variants: longest first."""
    for text in variants:
        if text_width(text, font) <= width:
            return text
    return variants[-1] if variants else ""


# --- The text size of the whole window: fonts, and sizes that depend on text, grow and shrink -----
# together


PERCENTS: Final = (80, 90, 100, 110, 125, 150, 175, 200)
_WIDEST: Final = (1 << 24) - 1
"""Qt's value for an unset maximum size."""


def next_percent(percent: int, by: int) -> int:
    """Return the text size `by` steps larger (smaller if negative); 0 gives the usual size. In percent."""
    at = PERCENTS.index(percent) if percent in PERCENTS else PERCENTS.index(100)
    return PERCENTS[max(0, min(at + by, len(PERCENTS) - 1))] if by else 100


def show_text_size(application: QApplication, percent: int) -> None:
    """Apply a text size in percent to all texts and to sizes that depend on text."""
    ratio = percent / 100 / text_scale()
    use_text_scale(percent / 100)
    if ratio == 1:
        return
    sheet, widgets = application.styleSheet(), application.allWidgets()
    own = [(each, each.font()) for each in widgets if each.testAttribute(Qt.WidgetAttribute.WA_SetFont)]
    application.setStyleSheet("")  # a style sheet would recalculate each font inside
    application.setFont(font("body"))
    for widget in widgets:
        if not isinstance(widget, QMainWindow | QDockWidget):  # these fit the screen in any text size
            resize_as_text(widget, ratio)
        if isinstance(widget, QAbstractItemView):
            widget.scheduleDelayedItemsLayout()
    application.setStyleSheet(_fitted(sheet, ratio))
    for widget, before in own:  # last, because a style sheet restores the old fonts
        after = QFont(before)
        after.setPointSizeF(before.pointSizeF() * ratio)
        widget.setFont(after)


def fit_sheet(application: QApplication) -> None:
    """Scale a new style sheet to the text size in use."""
    if text_scale() != 1:
        application.setStyleSheet(_fitted(application.styleSheet(), text_scale()))


def _fitted(sheet: str, ratio: float) -> str:
    """Return a style sheet with the heights of text fields multiplied by `ratio`."""

    def fitted(match: re.Match[str]) -> str:
        return match[0].replace(match[1], str(round(int(match[1]) * ratio)))

    return re.sub(r"(?:min|max)-height: (\d+)px", fitted, sheet)


def resize_as_text(widget: QWidget, ratio: float) -> None:
    """Multiply the minimum and maximum size of a widget by `ratio`, where set."""
    least, most = widget.minimumSize(), widget.maximumSize()
    widget.setMinimumSize(round(least.width() * ratio), round(least.height() * ratio))
    widget.setMaximumSize(
        *(_WIDEST if pixels >= _WIDEST else round(pixels * ratio) for pixels in (most.width(), most.height()))
    )
