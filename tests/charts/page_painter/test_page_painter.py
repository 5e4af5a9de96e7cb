"""The brief as PDF: a page a step, on both papers, nothing cut, whole or not at all."""

import re
import zlib
from dataclasses import replace

import pytest
from PySide6.QtCore import QBuffer, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from gpuplanner.charts.page_painter import brief_pdf, page_layout, page_look, text_and_tables
from gpuplanner.charts.page_painter.brief_pdf import (
    Paper,
    paint_brief_pdf,
    pdf_steps,
    write_pdf_without_window,
)
from gpuplanner.charts.page_painter.page_layout import draw_page
from gpuplanner.charts.page_painter.page_look import PAPER, SIGNED
from gpuplanner.charts.page_painter.text_and_tables import balanced, lines_of
from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.pages import MORE, TableBlock
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.brief.sheets import EXISTING, POOLS
from tests.charts.pdf_letters import letters_of_fonts
from tests.files.workbook.evaluations import evaluation_of, two_clusters_evaluated, two_clusters_with_layers
from tests.some_of import one_in

PAGE = QRectF(0, 0, 1122, 794)


@pytest.fixture(scope="module")
def brief():
    return brief_of(two_clusters_evaluated(), 1_790_812_800, "1.2.3")


@pytest.mark.parametrize(("paper", "size"), [(Paper.A4, (842, 595)), (Paper.LETTER, (792, 612))])
def test_a_sheet_a_page_of_vectors_across(qapp: QApplication, brief, tmp_path, paper, size):
    shares = []
    write_pdf_without_window(brief, tmp_path / "brief.pdf", paper, lambda share, _: shares.append(share))
    text = (tmp_path / "brief.pdf").read_bytes()
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", text)
    assert {(round(float(wide)), round(float(high))) for wide, high in boxes} == {size}
    count = len(brief.pages)
    assert count <= len(boxes) <= brief.most and (len(shares), shares[-1]) == (count + len(boxes), 1.0)
    assert b"/Subtype /Image" not in text
    assert b"/FontFile2" in text
    assert len([one for one in re.findall(rb"stream\r?\n(.*?)endstream", text, re.S) if _drawn(one)]) >= 6


def test_no_unit_of_a_large_figure_is_cut(qapp: QApplication, brief):
    look, units = (
        page_look.Look(
            ground="#000000",
            text="#000000",
            muted="#000000",
            grid="#000000",
            edge="#000000",
            accent="#000000",
            red="#000000",
            amber="#000000",
            amber_ground="#000000",
            hatch="#000000",
            existing="#000000",
            pools={},
            terms={},
        ),
        ("$ über ganze Laufzeiten", "$", "$", "$"),
    )
    figures = tuple(
        replace(brief.pages[0].figures[0], title="To pay", text="$0", unit=unit) for unit in units
    )
    (first, *_) = page_layout.measure_figure_widths(figures, 480, look)
    assert first >= QFontMetricsF(look.font("small")).horizontalAdvance(units[0]) + 20


def test_what_a_page_holds_ends_above_its_foot(qapp: QApplication, brief, monkeypatch):
    """Also where many orders are to be signed: none of it stands on the foot or beside the sheet."""
    places = []
    monkeypatch.setattr(
        page_layout, "_block", lambda painter, place, block, look: places.append((place, block.title))
    )
    found = next(page for page in brief.pages if page.key == "sign")
    (listed,) = found.rows[-1]
    longest = replace(found, rows=((replace(listed, rows=listed.rows[:1] * 40),),))
    image = QImage(1122, 794, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    for page in (*brief.pages, longest):
        for part in page_layout.parts_of(page, PAGE, look_of(page)):
            draw_page(painter, PAGE, brief, part, "1 / 9", look_of(page))
    painter.end()
    assert len(places) > 15
    assert [title for place, title in places if place.bottom() > PAGE.bottom() - 1.3 * SIGNED.margin] == []


def test_what_has_no_room_on_a_sheet_comes_on_one_more(qapp: QApplication, brief, monkeypatch):
    """Titles and sentences that were added pushed the last table of the first page over its foot and off the sheet."""
    places = []
    monkeypatch.setattr(page_layout, "_block", lambda painter, place, block, look: places.append(place))
    held = QBuffer()
    held.open(QBuffer.OpenModeFlag.WriteOnly)
    page = brief.pages[0]
    long = replace(brief, pages=(replace(page, rows=page.rows * 3), brief.pages[1]))
    done = list(paint_brief_pdf(long, held))
    assert len(done) > len(long.pages) + 2  # a step a page, and one a sheet
    assert len(places) >= sum(map(len, (*page.rows * 3, *brief.pages[1].rows)))
    assert max(place.bottom() for place in places) <= PAGE.bottom() - 1.3 * SIGNED.margin


def test_a_brief_takes_no_more_sheets_than_it_may(qapp: QApplication, brief, monkeypatch):
    """What has no room then is in the workbook, which the head of its page says; pages to sign are whole."""
    heads = []
    monkeypatch.setattr(page_layout, "_block", lambda *_: None)
    monkeypatch.setattr(
        page_layout, "_head_and_foot", lambda painter, inside, brief, page, *_: heads.append(str(page.kicker))
    )
    signed, year = brief.pages[0], next(page for page in brief.pages if page.key == "year")
    for page in (year, signed):
        heads.clear()
        long = replace(brief, pages=(replace(page, rows=page.rows * 9), brief.pages[1]), most=3)
        held = QBuffer()
        held.open(QBuffer.OpenModeFlag.WriteOnly)
        list(paint_brief_pdf(long, held))
        assert [head.endswith(MORE) for head in heads[:2]] == [page is year, False]
        assert len(heads) == 3 if page is year else len(heads) > 3
    least = [points * SIGNED.least * brief_pdf.DOTS_PER_INCH / 72 for points, _ in page_look.POINTS.values()]
    assert min(map(round, least)) * 72 / brief_pdf.DOTS_PER_INCH >= 7  # fonts are of whole pixels


def test_a_step_of_the_pdf_is_of_one_page(qapp: QApplication, brief, monkeypatch):
    """All pages found their sheets in the first step: half a second in which the window took no click."""
    found = []
    parts_of = page_layout.parts_of
    monkeypatch.setattr(brief_pdf, "parts_of", lambda *of: found.append(of) or parts_of(*of))
    held = QBuffer()
    held.open(QBuffer.OpenModeFlag.WriteOnly)
    steps = paint_brief_pdf(brief, held)
    shares = [next(steps)]
    assert len(found) == 1
    shares += steps
    assert len(found) == len(brief.pages) and shares == sorted(set(shares)) and shares[-1] == 1


def test_every_glyph_is_a_letter_that_can_be_copied(qapp: QApplication, brief, tmp_path):
    """Figures of the strip and of a table, with sign, comma and dash: what a reader copies, searches or hears."""
    write_pdf_without_window(brief, tmp_path / "brief.pdf", Paper.A4)
    fonts = letters_of_fonts((tmp_path / "brief.pdf").read_bytes())
    assert fonts and not any("\0" in letters for letters in fonts)
    known = {letter for letters in fonts for letter in letters}
    layers = next(block for row in brief.pages[3].rows for block in row if isinstance(block, TableBlock))
    cells = [cell for row in (*layers.rows, layers.total) for cell in row]
    for text in (*(figure.text + figure.note for figure in brief.pages[0].figures), *cells, brief.foot):
        assert set(text.replace(" ", "")) <= known, text
    assert "\ufb01" not in known  # no ligature for "fi"


def _drawn(stream):
    try:
        return b" re" in zlib.decompress(stream.strip(b"\r\n")) or True
    except zlib.error:
        return False


def look_of(page):
    return SIGNED if page.is_whole else PAPER


def painted(brief, place):
    """The first sheet of a page."""
    image = QImage(int(PAGE.width()), int(PAGE.height()), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    page = brief.pages[place]
    (part, *_) = page_layout.parts_of(page, PAGE, look_of(page))
    draw_page(painter, PAGE, brief, part, f"{place + 1} / 9", look_of(page))
    painter.end()
    return image


def colours_in(image, left=0, top=0):
    return {
        image.pixelColor(x, y).name()
        for x in range(left, image.width(), 2)
        for y in range(top, image.height(), 2)
    }


@pytest.mark.parametrize("place", range(8))
def test_margins_stay_empty(qapp: QApplication, brief, place):
    image = painted(brief, place)
    inner = SIGNED.margin * 0.8 - 6
    for x in range(0, image.width(), 3):
        for y in [*range(0, int(inner), 3), *range(image.height() - int(inner), image.height(), 3)]:
            assert image.pixelColor(x, y) == QColor("#ffffff"), (x, y)
    for y in range(0, image.height(), 3):
        for x in [*range(0, int(inner), 3), *range(image.width() - int(inner), image.width(), 3)]:
            assert image.pixelColor(x, y) == QColor("#ffffff"), (x, y)


@pytest.mark.long
def test_charts_are_drawn_in_their_colours(qapp: QApplication, brief):
    keys = [page.key for page in brief.pages]
    assert {colour.lower() for colour in POOLS.values()} <= colours_in(painted(brief, keys.index("today")))
    assert EXISTING.lower() in colours_in(painted(brief, keys.index("plan")))


@pytest.mark.parametrize("place", one_in(8, range(8)))
@pytest.mark.parametrize("suffix", ["", "-framework-agreement-2026-amendment-no-14"])
def test_no_word_is_cut_on_any_page(qapp: QApplication, monkeypatch, place, suffix):
    """Every text that is written has room, also where contracts have long names; and every cell is whole."""
    case = two_clusters_with_layers()
    case.contracts = [replace(one, contract_id=f"{one.contract_id}{suffix}") for one in case.contracts]
    brief = brief_of(evaluation_of(case), 1_790_812_800, "1.2.3")
    written = []

    def record(painter, room, text, font, colour, side=None):
        words = str(text)
        written.append((words, QFontMetricsF(font).horizontalAdvance(words) - room.width(), room.bottom()))

    for module in (text_and_tables, page_layout):
        monkeypatch.setattr(module, "write", record)
    painted(brief, place)
    assert [one for one in written if one[1] > 1] == []
    assert max(bottom for _, _, bottom in written) <= PAGE.height()
    together = "".join(text for text, _, _ in written).replace(" ", "")
    (part, *_) = page_layout.parts_of(brief.pages[place], PAGE, look_of(brief.pages[place]))
    tables = [block for row in part.rows for block in row if isinstance(block, TableBlock)]
    pieces = {piece for text, _, _ in written for piece in text.split(" ")}
    cells = {str(cell) for table in tables for row in table.rows for cell in row}
    for cell in (cell for cell in cells if " " not in cell):
        assert cell in pieces or cell in together, cell


def test_closing_before_the_end_leaves_what_was_there(qapp: QApplication, brief, tmp_path):
    path = tmp_path / "brief.pdf"
    path.write_bytes(b"the last one")
    steps = pdf_steps(brief, path)
    assert 0 < next(steps) < 1
    steps.close()
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"the last one", [path])


def test_a_place_that_cannot_be_written_is_said(qapp: QApplication, brief, tmp_path):
    with pytest.raises(PlannerError, match="file_unreadable"):
        list(pdf_steps(brief, tmp_path / "nowhere" / "brief.pdf"))


def test_a_title_breaks_into_lines_of_one_length(qapp: QApplication):
    font = PAPER.font("title")
    title = "The plan costs $469,396 per month, $203,586 less than doing nothing and $203,142 less than today"
    lines, even = lines_of(title, font, 900), balanced(title, font, 900)
    assert " ".join(lines) == " ".join(even) == title
    assert len(lines) == len(even) == 2
    assert abs(len(even[0]) - len(even[1])) <= abs(len(lines[0]) - len(lines[1]))


def test_a_page_is_parted_before_its_type_is_smaller_than_9_points() -> None:
    assert min(points for points, _ in page_look.POINTS.values()) * page_look.PAPER.least >= 9.0
