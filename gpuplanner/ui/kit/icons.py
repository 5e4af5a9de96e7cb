"""Icons: our own 16 px line drawings, tinted from the palette, sharp on any screen."""

from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from gpuplanner.files.system.user_files import resource_path
from gpuplanner.ui.kit.palettes import in_use


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
