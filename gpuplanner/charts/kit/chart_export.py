"""A chart as a picture or a PDF to hand on: title, unit, source and date, letters that can be copied."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsView, QWidget

from gpuplanner.charts.kit.chart_colours import ChartColours
from gpuplanner.charts.kit.translation import speak
from gpuplanner.domain.message import Text
from gpuplanner.files.tables.delimited import tab_text
from gpuplanner.lazy_dataclass import dataclass

# --- A chart as a picture to hand on: with title, unit, source and date, in the colours it is made in; PNG, SVG, PDF

WIDTH: Final = 960
MARGIN: Final = 24
LINE: Final = 18
HEAD: Final = MARGIN + 26 + LINE + 6
FOOT: Final = LINE + MARGIN
TIMES: Final = 2
"""Pixels of a PNG to one of the screen: it stays sharp on a slide."""


@dataclass(frozen=True, slots=True)
class ChartTable:
    """The chart in figures, as texts; every row has a cell for each column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def as_text(self) -> str:
        """Headings and rows, tab separated, for the clipboard."""
        return tab_text((self.columns, *self.rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSheet:
    """What goes out with a chart. source: from what, of when.

    make: the same chart once more, in `colours`; table: its figures; height: of the chart alone, in pixels.
    """

    title: Text
    unit: str
    source: str
    make: Callable[[], QWidget]
    table: Callable[[], ChartTable]
    colours: ChartColours
    title_font: QtGui.QFont
    height: int = 400

    def __post_init__(self) -> None:
        """Title and unit in the planner's language, once."""
        speak(self, "title", "unit")

    @property
    def size(self) -> QSize:
        """The whole picture, in pixels of the screen."""
        return QSize(WIDTH, HEAD + self.height + FOOT)


def as_image(sheet: ChartSheet) -> QtGui.QImage:
    """The picture in dots, twice as fine as the screen.

    In the thread of the window, for it paints a widget.
    """
    image = QtGui.QImage(sheet.size * TIMES, QtGui.QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(TIMES)
    _draw_on(image, sheet)
    return image


def as_png(sheet: ChartSheet) -> bytes:
    """A PNG file.

    The bytes of the file; twice as fine as the screen.
    """
    return encoded(as_image(sheet))


def encoded(image: QtGui.QImage, kind: str = "PNG") -> bytes:
    """A picture as the bytes of a file of that kind. Errors: ValueError where it cannot be one.

    kind: PNG, JPEG or what else this system can write.
    """
    held = _opened()
    if not QtGui.QImageWriter(held, QByteArray(kind.encode())).write(image):
        raise ValueError(f"no picture can be written as {kind}")
    return bytes(held.data().data())


def kind_of_picture(path: Path) -> str:
    """The kind that a name asks for by how it ends; PNG where that says nothing.

    Case does not matter.
    """
    known = {bytes(kind.data()).decode().upper() for kind in QtGui.QImageWriter.supportedImageFormats()}
    kind = path.suffix[1:].upper()
    return kind if kind in known else "PNG"


def as_svg(sheet: ChartSheet) -> bytes:
    """An SVG file; its texts are texts.

    The bytes of the file, SVG 1.1, as large as the picture in pixels of the screen.
    """
    held = _opened()
    made = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # the smaller version knows no clipping
    made.setOutputDevice(held)
    made.setSize(sheet.size)
    made.setViewBox(QRect(QPoint(0, 0), sheet.size))
    made.setTitle(f"{sheet.title}, {sheet.unit}")
    made.setDescription(sheet.source)
    _draw_on(made, sheet)
    return bytes(held.data().data())


def as_pdf(sheet: ChartSheet) -> bytes:
    """A PDF file of one page that is as large as the picture.

    The bytes of the file; its drawing is lines and letters, not dots.
    """
    held = _opened()
    made = QtGui.QPdfWriter(held)
    dots = 96  # a unit of the page is then a pixel, and everything in it is still drawn as lines
    made.setResolution(dots)
    points = QSizeF(sheet.size) * 72 / dots
    made.setPageSize(
        QtGui.QPageSize(points, QtGui.QPageSize.Unit.Point, "", QtGui.QPageSize.SizeMatchPolicy.ExactMatch)
    )
    made.setPageMargins(made.pageLayout().margins() * 0)
    made.setTitle(f"{sheet.title}, {sheet.unit}")
    made.setCreator("gpuplanner")
    _draw_on(made, sheet)
    return bytes(held.data().data())


WRITERS: Final[dict[str, Callable[[ChartSheet], bytes]]] = {".png": as_png, ".svg": as_svg, ".pdf": as_pdf}
"""How a file's name ends -> what writes it."""


def _opened() -> QBuffer:
    held = QBuffer()
    held.open(QIODevice.OpenModeFlag.WriteOnly)
    return held


def _draw_on(device: QtGui.QImage | QSvgGenerator | QtGui.QPdfWriter, sheet: ChartSheet) -> None:
    """Title, unit, chart and source onto any device. The chart is made for it, and goes afterwards."""
    chart = sheet.make()
    chart.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    chart.resize(WIDTH - 2 * MARGIN, sheet.height)
    chart.grab()  # lays it out
    painter = QtGui.QPainter()
    if not painter.begin(device):
        raise RuntimeError("the chart: a picture in memory cannot be painted")
    painter.setRenderHint(QtGui.QPainter.RenderHint.TextAntialiasing)
    size, colours = sheet.size, sheet.colours
    painter.fillRect(QRect(QPoint(0, 0), size), QtGui.QColor(colours.raised))
    _words(painter, MARGIN - 4, 26, sheet.title, sheet.title_font, colours.text)
    _words(painter, MARGIN + 22, LINE, sheet.unit, colours.small, colours.muted)
    _words(painter, size.height() - FOOT + 6, LINE, sheet.source, colours.small, colours.muted)
    place = QRect(MARGIN, HEAD, WIDTH - 2 * MARGIN, sheet.height)
    if isinstance(chart, QGraphicsView):
        chart.render(painter, QRectF(place), chart.viewport().rect())
    else:
        painter.translate(place.topLeft())
        # without the window's own ground, which is in the colours of the window
        chart.render(painter, QPoint(0, 0), QtGui.QRegion(), QWidget.RenderFlag.DrawChildren)
    painter.end()
    chart.close()
    chart.deleteLater()


def _words(
    painter: QtGui.QPainter, top: int, height: int, text: Text, font: QtGui.QFont, colour: str
) -> None:
    """One line across the picture, cut with a mark where it is too long."""
    painter.setFont(font)
    painter.setPen(QtGui.QColor(colour))
    room = QRect(MARGIN, top, WIDTH - 2 * MARGIN, height)
    shown = QtGui.QFontMetrics(font).elidedText(str(text), Qt.TextElideMode.ElideRight, room.width())
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
    painter.drawText(room, int(flags), shown)


# --- Fonts for a PDF: glyphs that stand for letters, so that its figures are copied, searched and read aloud

SUBSTITUTING: Final = ("tnum", "calt", "liga", "clig")
"""Features that put other glyphs in the place of letters. Qt writes no letters for those: the words lose them."""


def as_text_in_a_pdf(font: QtGui.QFont) -> QtGui.QFont:
    """The same font without the features that substitute glyphs.

    font: it does not change.
    """
    made = QtGui.QFont(font)
    for feature in SUBSTITUTING:
        made.setFeature(QtGui.QFont.Tag(feature), 0)
    return made
