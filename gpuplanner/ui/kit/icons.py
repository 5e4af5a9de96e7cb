"""Icons: our own 16 px line drawings, tinted from the palette and rendered for any screen."""

from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from gpuplanner.files.system.resources import resource_path


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
    renderer = QSvgRenderer(QByteArray(drawing.encode()))
    renderer.render(painter, QRectF(image.rect()))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


class _LineIcon(QIconEngine):
    """Draws a tinted icon at whatever size and ratio is asked, muted when disabled."""

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
        return pixmap(self._name, colour, size, ratio)


def icon(name: str, colour: QColor | str, disabled: QColor | str | None = None) -> QIcon:
    """A drawing as an icon for buttons and menus."""
    tint = QColor(colour).name()
    return QIcon(_LineIcon(name, tint, QColor(disabled).name() if disabled is not None else tint))
