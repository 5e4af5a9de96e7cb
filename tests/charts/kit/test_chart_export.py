"""Pictures of charts to hand on: title, unit, source and figures are in them, whatever part is seen."""

import re

import pytest
from defusedxml.ElementTree import fromstring
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from gpuplanner.charts.kit.chart_export import WRITERS, ChartSheet, ChartTable, as_image
from tests.charts.chart_world import COLOURS, demand

BLUE = QColor("#1F58AE")


@pytest.fixture
def sheet(qapp: object) -> ChartSheet:
    table = ChartTable(("Hour", "Low"), (("0", "2.0"), ("1", "2.0")))
    made = ChartSheet(
        title="A & B",
        unit="GPUs",
        source="Source: jobs.csv",
        make=demand,
        table=lambda: table,
        colours=COLOURS,
        title_font=QFont(),
    )
    return made


def has_bars(image: QImage) -> bool:
    """Whether the pool that lies below is where it has to be: in the middle of the width, low in the plot."""
    wanted = image.pixelColor(image.width() // 2, round(0.86 * (image.height() - 60 * image.height() // 516)))
    near = (wanted.red() - BLUE.red(), wanted.green() - BLUE.green(), wanted.blue() - BLUE.blue())
    return max(abs(part) for part in near) < 24


def test_a_png_is_twice_as_fine_as_the_screen_and_shows_the_chart(sheet: ChartSheet) -> None:
    image = QImage.fromData(WRITERS[".png"](sheet))
    assert image.width() == 2 * sheet.size.width() and image.height() == 2 * sheet.size.height()
    assert has_bars(image)


def test_an_svg_has_its_words_as_text_and_is_drawn_as_the_png_is(sheet: ChartSheet) -> None:
    written = WRITERS[".svg"](sheet)
    texts = ["".join(node.itertext()).strip() for node in fromstring(written.decode()).iter()]
    for words in ("A & B", "GPUs", "Source: jobs.csv", "Low", "High"):
        assert words in texts
    image = QImage(sheet.size, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff00ff"))
    painter = QPainter(image)
    QSvgRenderer(QByteArray(written)).render(painter)
    painter.end()
    assert has_bars(image)
    assert image.pixelColor(3, 3) == QColor(COLOURS.raised)


def test_a_pdf_is_one_page_as_large_as_the_picture(sheet: ChartSheet) -> None:
    written = WRITERS[".pdf"](sheet)
    assert written.startswith(b"%PDF") and written.count(b"/Type /Page\n") == 1
    box = [float(number) for number in re.findall(rb"/MediaBox \[([^\]]+)\]", written)[0].split()]
    assert box == pytest.approx([0, 0, 0.75 * sheet.size.width(), 0.75 * sheet.size.height()], abs=0.5)


def test_the_picture_on_the_clipboard_is_that_of_the_file(sheet: ChartSheet) -> None:
    assert has_bars(as_image(sheet))


def test_the_table_is_tab_separated(sheet: ChartSheet) -> None:
    assert sheet.table().as_text() == "Hour\tLow\n0\t2.0\n1\t2.0"
