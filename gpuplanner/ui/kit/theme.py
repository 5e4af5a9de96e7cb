"""How everything looks: palettes, type scale and its size, icons, and the drawing of text and shapes."""

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

from gpuplanner.files.system.process import resource_path, rows_of
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.words.glossary import LANES, Lane

# --- Palettes: every colour of the window as data, for light, dark and high contrast -------------

_LANES: Final = frozenset(Lane)


@dataclass(frozen=True, slots=True)
class LaneColours:
    """One pool: fill and line are one colour; tint is the column behind a drop; text is what is written on the fill."""

    fill: str
    on_fill: str
    tint: str


@dataclass(frozen=True, slots=True)
class Palette:
    """One look. Contrast (WCAG 2): text roles 4.5 and more, edge, focus and pools 3.0 and more on all three grounds."""

    name: str
    is_dark: bool
    window: str  # behind panels and columns
    surface: str  # bars, columns, formula boxes
    raised: str  # cards, inputs, docks, popovers
    text: str
    muted: str
    line: str  # hairlines; never the only sign of anything
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
    hatch: str  # the hatching of usage-priced layers
    heat: tuple[str, ...]  # low to high

    def colour(self, role: str) -> QColor:
        """A role as a colour; the name of a pool is its fill."""
        return self.lane(Lane(role)) if role in _LANES else QColor(getattr(self, role))

    def lane(self, lane: Lane) -> QColor:
        """The fill of a pool."""
        return QColor(self.lanes[lane].fill)

    def term(self, months: int) -> QColor:
        """The ramp by commitment; a term between two steps takes the one below it."""
        known = max((step for step in self.terms if step <= months), default=0)
        return QColor(self.terms[known])


_TERM_MONTHS: Final = (0, 1, 3, 6, 12, 24, 36)


def _palette(name: str) -> Palette:
    """One of the table that ships."""
    role = {row["role"]: row[name] for row in rows_of("palettes.csv")}
    lanes = {lane: LaneColours(*role.pop(lane).split()) for lane in LANES}
    terms = dict(zip(_TERM_MONTHS, role.pop("terms").split(), strict=True))
    is_dark, heat = role.pop("is_dark") == "yes", tuple(role.pop("heat").split())
    return Palette(name, is_dark, lanes=lanes, terms=terms, heat=heat, **role)


LIGHT, DARK, HIGH_CONTRAST = map(_palette, ("light", "dark", "high contrast"))

PALETTES: Final = {palette.name: palette for palette in (LIGHT, DARK, HIGH_CONTRAST)}


_IN_USE: list[Palette] = [LIGHT]


def in_use() -> Palette:
    """The palette that the window is drawn in now."""
    return _IN_USE[0]


def use(palette: Palette) -> None:
    """Let what is drawn from now on be in this palette; see kit/style_sheet.py."""
    # another object, also of the same: so charts know that they were drawn before
    _IN_USE[0] = replace(palette)


# --- The type scale: six sizes of the platform's own font, with figures of one width -------------

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
"""Step -> points and weight."""

_STEPS: dict[int, tuple[str, float]] = {}
_SCALE: list[float] = [1.0]
_is_for_a_pdf: ContextVar[bool] = ContextVar("_is_for_a_pdf", default=False)


@contextmanager
def glyphs_of_a_pdf() -> Iterator[None]:
    """While it lasts, fonts of the scale are those that a PDF can say in letters; see charts/kit/chart_export.py."""
    before = _is_for_a_pdf.set(True)
    try:
        yield
    finally:
        _is_for_a_pdf.reset(before)


def font(step: str) -> QFont:
    """One step of the scale in the text size of the window; digits share one width so that columns line up."""
    return _pdf_font(step) if _is_for_a_pdf.get() else _screen_font(step, _SCALE[0])


def base_font(step: str) -> QFont:
    """One step of the scale in its usual size: for what is painted `in_text_size`."""
    return _pdf_font(step) if _is_for_a_pdf.get() else _screen_font(step)


def text_scale() -> float:
    """How large text is beside its usual size."""
    return _SCALE[0]


def use_text_scale(scale: float) -> None:
    """Let text be as large from now on; `show_text_size` shows it."""
    _SCALE[0] = scale


def text_px(pixels: float) -> int:
    """So many pixels of text in its usual size, in the text size of the window."""
    return round(pixels * _SCALE[0])


def in_text_size(painter: QPainter, rect: QRect) -> QRect:
    """Let a rectangle be painted as if text had its usual size; returns it as it then is.

    The painter is another afterwards unless text has its usual size: whoever goes on with it keeps it before.
    """
    if (scale := _SCALE[0]) == 1.0:
        return rect
    painter.translate(rect.topLeft())
    painter.scale(scale, scale)
    return QRect(0, 0, round(rect.width() / scale), round(rect.height() / scale))


@cache
def _pdf_font(step: str) -> QFont:
    """The font of a size whose text stays text in a PDF."""
    from gpuplanner.charts.kit.chart_export import as_text_in_a_pdf

    return as_text_in_a_pdf(_screen_font(step))


@cache
def _screen_font(step: str, scale: float = 1.0) -> QFont:
    """The platform's font in a size, with figures of one width; made once."""
    points, weight = SIZES[step]
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    made.setPointSizeF(points * scale)
    made.setWeight(QFont.Weight(weight))
    made.setFeature(QFont.Tag("tnum"), 1)
    _STEPS[id(made)] = step, scale  # the cache keeps it alive, so that its id stays its own
    return made


def width_of(text: str, of: QFont) -> int:
    """Width in device-independent pixels, rounded up; remembered for the fonts of the scale."""
    step = _STEPS.get(id(of))
    return QFontMetrics(of).horizontalAdvance(text) if step is None else _width(text, *step)


@lru_cache(maxsize=50_000)
def _width(text: str, step: str, scale: float) -> int:
    """A text's width in pixels, measured once for each text and size."""
    return _metrics(step, scale).horizontalAdvance(text)


@cache
def _metrics(step: str, scale: float) -> QFontMetrics:
    """The measures of a size's font, made once."""
    return QFontMetrics(_screen_font(step, scale))


# --- Icons: our own 16 px line drawings, tinted from the palette and rendered for any screen -----


def icon_path(name: str) -> Path:
    """The file of a drawing. Errors: ValueError where there is none.

    The programmer's mistake, so it is raised where the icon is asked for, not drawn as nothing.
    """
    path = resource_path(f"icons/{name}.svg")
    if not path.is_file():
        raise ValueError(f"icons: no drawing named {name!r}; add resources/icons/{name}.svg")
    return path


@cache
def _drawing(name: str) -> str:
    """The drawing of an icon as SVG text."""
    return icon_path(name).read_text(encoding="utf-8")


@lru_cache(maxsize=2048)
def pixmap(name: str, colour: str, size: int = 16, ratio: float = 1.0) -> QPixmap:
    """A drawing in one colour; `size` in device-independent pixels, `ratio` those of the screen to one of them."""
    side = max(1, round(size * ratio))  # a button squeezed to nothing asks for nothing
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
    """Draws a tinted icon at whatever size and ratio is asked, in a colour or a role of the palette in use."""

    def __init__(self, name: str, colour: str, disabled: str) -> None:
        super().__init__()
        self._name, self._colour, self._disabled = name, colour, disabled

    def clone(self) -> QIconEngine:
        """A copy, as Qt asks for when icons are passed on."""
        return _LineIcon(self._name, self._colour, self._disabled)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draws the icon square, as sharp as the screen is."""
        ratio = painter.device().devicePixelRatio() if painter.device() else 1.0
        painter.drawPixmap(rect.topLeft(), self._pixmap(min(rect.width(), rect.height()), mode, ratio))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The icon at one pixel a point."""
        return self._pixmap(min(size.width(), size.height()), mode, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        """The icon as sharp as a scaled screen is. size: in device-independent pixels."""
        return self._pixmap(min(size.width(), size.height()), mode, scale)

    def _pixmap(self, size: int, mode: QIcon.Mode, ratio: float) -> QPixmap:
        """The icon in its colour, or in that of what is disabled."""
        colour = self._disabled if mode == QIcon.Mode.Disabled else self._colour
        tint = colour if colour.startswith("#") else in_use().colour(colour).name()
        return pixmap(self._name, tint, size, ratio)


def icon(name: str, colour: QColor | str, disabled: str = "") -> QIcon:
    """A drawing as an icon for buttons and menus.

    colour: a colour, or a role of the palette that is in use when it is drawn; disabled: the role of what is disabled.
    """
    tint = colour.name() if isinstance(colour, QColor) else colour
    return QIcon(_LineIcon(name, tint, disabled or tint))


# --- Drawing text and shapes the way every painted view does it ----------------------------------

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
text_width = width_of
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SINGLE_LINE = int(Qt.TextFlag.TextSingleLine.value)
_LEFT, _RIGHT = int(LEFT.value) | _SINGLE_LINE, int(RIGHT.value) | _SINGLE_LINE
"""Flags put together once: hundreds of texts are drawn in a frame, and flags are slow to join."""


@lru_cache(maxsize=512)
def _named(colour: str) -> QColor:
    """A colour by name, made once: painting asks for it thousands of times."""
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
    """One line in a rectangle, elided where it does not fit; returns the width that was drawn."""
    painter.setFont(font)
    painter.setPen(_named(colour) if isinstance(colour, str) else colour)
    if (width := text_width(text, font)) > rect.width():
        text = QFontMetrics(font).elidedText(text, elide, rect.width())
        width = text_width(text, font)
    flags = _LEFT if align is LEFT else _RIGHT if align is RIGHT else int(align.value) | _SINGLE_LINE
    painter.drawText(rect, flags, text)
    return width


def draw_icon(
    painter: QPainter, name: str, colour: QColor | str, left: int, top: int, size: int = 16
) -> None:
    """An icon at a place, sharp on any screen."""
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
    """A rounded rectangle whose border lies inside `rect`."""
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
    """The first of the texts (longest first) that fits; the last where none does."""
    for text in variants:
        if text_width(text, font) <= width:
            return text
    return variants[-1] if variants else ""


# --- The text size of the whole window: fonts, and all that was made as large as a text, grow and shrink
# together


PERCENTS: Final = (80, 90, 100, 110, 125, 150, 175, 200)
_WIDEST: Final = (1 << 24) - 1
"""What Qt has for a size that nobody set."""


def next_percent(percent: int, by: int) -> int:
    """The text size so many steps larger (or, below 0, smaller); the usual one for 0."""
    at = PERCENTS.index(percent) if percent in PERCENTS else PERCENTS.index(100)
    return PERCENTS[max(0, min(at + by, len(PERCENTS) - 1))] if by else 100


def show_text_size(application: QApplication, percent: int) -> None:
    """Let all text be as large, and what has a size of its own with it."""
    ratio = percent / 100 / text_scale()
    use_text_scale(percent / 100)
    if ratio == 1:
        return
    sheet, widgets = application.styleSheet(), application.allWidgets()
    own = [(each, each.font()) for each in widgets if each.testAttribute(Qt.WidgetAttribute.WA_SetFont)]
    application.setStyleSheet("")  # under a sheet each font is worked out anew for all that is inside
    application.setFont(font("body"))
    for widget in widgets:
        if not isinstance(widget, QMainWindow | QDockWidget):  # they fit the screen in any size of text
            resize_as_text(widget, ratio)
        if isinstance(widget, QAbstractItemView):
            widget.scheduleDelayedItemsLayout()
    application.setStyleSheet(_fitted(sheet, ratio))
    for widget, before in own:  # last: a sheet gives each the font that it had
        after = QFont(before)
        after.setPointSizeF(before.pointSizeF() * ratio)
        widget.setFont(after)


def fit_sheet(application: QApplication) -> None:
    """Let a style sheet that was put on fit the text size in use."""
    if text_scale() != 1:
        application.setStyleSheet(_fitted(application.styleSheet(), text_scale()))


def _fitted(sheet: str, ratio: float) -> str:
    """A sheet in which what holds a text is so much higher."""

    def fitted(match: re.Match[str]) -> str:
        return match[0].replace(match[1], str(round(int(match[1]) * ratio)))

    return re.sub(r"(?:min|max)-height: (\d+)px", fitted, sheet)


def resize_as_text(widget: QWidget, ratio: float) -> None:
    """Make what has a least or largest size so much larger."""
    least, most = widget.minimumSize(), widget.maximumSize()
    widget.setMinimumSize(round(least.width() * ratio), round(least.height() * ratio))
    widget.setMaximumSize(
        *(_WIDEST if pixels >= _WIDEST else round(pixels * ratio) for pixels in (most.width(), most.height()))
    )
