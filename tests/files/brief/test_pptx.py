"""The brief as a presentation: a slide a page, native charts and tables, hostile names harmless."""

import re
import zipfile
from dataclasses import replace
from datetime import datetime

import pytest
from lxml import etree
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE, MSO_SHAPE_TYPE

from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.pages import MORE, Bar, BridgeChart, TableBlock, TextBlock
from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.files.brief.pptx import add_bridge_series, write_brief_pptx
from gpuplanner.files.brief.sheets import (
    ACCENT,
    EDGE,
    GRID,
    GROUND,
    HATCH,
    MUTED,
    POOLS,
    RED,
    TERMS,
    TEXT,
    sheets_of,
)
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.words.lanes import Lane
from tests.files.workbook.evaluations import evaluation_of, two_clusters_evaluated, two_clusters_with_layers
from tests.oracle.crafted import daily
from tests.oracle.projects import Case
from tests.some_of import some_of

EMU = 914_400
"""Of the library, an inch."""
WRITTEN_S = 1_767_916_800
"""The day that the plan of the project begins."""


@pytest.fixture(scope="module")
def brief():
    return brief_of(two_clusters_evaluated(), WRITTEN_S, "1.2.3")


@pytest.fixture(scope="module")
def shares():
    """What was told of how far the deck is, in order."""
    return []


@pytest.fixture(scope="module")
def path(brief, shares, tmp_path_factory):
    """The brief as it is written, once for all that read it."""
    path = tmp_path_factory.mktemp("deck") / "brief.pptx"
    write_brief_pptx(brief, path, lambda share, _: shares.append(share))
    return path


@pytest.fixture(scope="module")
def deck(path):
    """The same, read; nobody changes it."""
    return Presentation(str(path))


def shapes_of(shapes):
    """All of them, those in groups too."""
    for shape in shapes:
        yield shape
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from shapes_of(shape.shapes)


def texts_of(deck):
    for slide in deck.slides:
        for shape in shapes_of(slide.shapes):
            if shape.has_text_frame:
                yield shape.text_frame.text
            if getattr(shape, "has_table", False):
                yield from (cell.text for row in shape.table.rows for cell in row.cells)


def test_every_page_is_on_slides_with_native_charts_and_tables(brief, deck, shares):
    assert len(deck.slides) == len(sheets_of(brief)) >= len(brief.pages) <= 10
    texts = set(texts_of(deck))
    for page in brief.pages:
        assert any(text.startswith(page.title) for text in texts)
        assert any(text.startswith(page.kicker.upper()) for text in texts)
        assert {figure.text for figure in page.figures} <= texts
        (block, *_) = page.rows[0]
        if isinstance(block, TableBlock):
            assert {str(cell) for cell in block.rows[0]} <= texts
    whole = [block for page in brief.pages if page.is_whole for row in page.rows for block in row]
    tables = [block for block in whole if isinstance(block, TableBlock)]
    assert {str(cell) for block in tables for row in (*block.rows, block.total) for cell in row} <= texts
    charts = [shape.chart for slide in deck.slides for shape in slide.shapes if shape.has_chart]
    (savings,) = [page for page in brief.pages if page.key == "savings"]
    names = savings.rows[0][-1].months
    months = next(chart for chart in charts if len(chart.plots[0].categories) == len(names))
    line = next(row for row in savings.rows[0][-1].lines if row.is_main)
    assert tuple(next(s for s in months.series if s.name == "Plan").values) == pytest.approx(line.usd)
    assert shares == sorted(shares) and shares[-1] == 1.0


def test_a_slide_that_has_no_room_for_all_of_its_page_says_where_the_rest_is(brief):
    lacks = []
    parted = replace(brief, pages=tuple(page for page in brief.pages if not page.is_whole))
    for page, sheet in zip(parted.pages, sheets_of(parted), strict=True):
        assert sheet.title == page.title
        shown = [cell for row in sheet.rows for block in row for cell in getattr(block, "rows", ())]
        whole = [cell for row in page.rows for block in row for cell in getattr(block, "rows", ())]
        assert sheet.rows and set(shown) <= set(whole)
        lacks.append(len(shown) < len(whole))
        assert sheet.kicker == page.kicker + MORE or not lacks[-1]
    assert any(lacks)


def test_a_page_to_sign_is_whole_on_as_many_slides_as_it_takes(brief):
    """Sentences in front of the tables, as many as a request makes, pushed the last lines off the slide."""
    (first, *_) = brief.pages
    more = TextBlock("More", ("word " * 22,) * 40)
    for page in (first, replace(first, rows=((more,), *first.rows))):
        slides = sheets_of(replace(brief, pages=(page,)))
        rows = [
            cells
            for slide in slides
            for row in slide.rows
            for block in row
            for cells in getattr(block, "rows", ())
        ]
        assert rows == [cells for row in page.rows for block in row for cells in getattr(block, "rows", ())]
        said = [
            text
            for slide in slides
            for row in slide.rows
            for block in row
            for text in getattr(block, "sentences", ())
        ]
        assert said == [
            text for row in page.rows for block in row for text in getattr(block, "sentences", ())
        ]


def test_everything_stands_on_its_slide_and_nothing_on_another(deck):
    for slide in deck.slides:
        places = []
        for shape in slide.shapes:
            assert shape.left >= 0 and shape.left + shape.width <= deck.slide_width
            assert shape.top >= 0 and shape.top + shape.height <= deck.slide_height
            places.append((shape.left, shape.top, shape.left + shape.width, shape.top + shape.height))
        for at, (left, top, right, bottom) in enumerate(places):
            for other in places[at + 1 :]:
                wide = min(right, other[2]) - max(left, other[0])
                high = min(bottom, other[3]) - max(top, other[1])
                assert min(wide, high) <= 0.06 * EMU, (slide.shapes[at].name, wide / EMU, high / EMU)


def test_titles_are_titles_and_each_slide_has_its_own(brief, deck):
    titles = [slide.shapes.title.text_frame.text for slide in deck.slides]
    assert len(set(titles)) == len(titles) and all(titles)
    starts = [next(page.title for page in brief.pages if title.startswith(page.title)) for title in titles]
    assert list(dict.fromkeys(starts)) == [page.title for page in brief.pages]


@pytest.mark.long
def test_no_type_is_too_small_for_a_room_or_for_a_table_where_it_is_signed(brief, path):
    with zipfile.ZipFile(path) as parts:
        read = [name for name in parts.namelist() if re.match(r"ppt/(slides|charts)/[a-z]+\d+\.xml", name)]
        found = {name: re.findall(rb'\bsz="(\d+)"', parts.read(name)) for name in read}
    signed = len(sheets_of(replace(brief, pages=tuple(page for page in brief.pages if page.is_whole))))
    at_a_table = {f"ppt/slides/slide{number}.xml" for number in range(1, signed + 1)}
    for name, sizes in found.items():
        assert all(int(size) >= (900 if name in at_a_table else 1200) for size in sizes), name
    assert len(read) > 12


def test_whatever_is_no_text_is_described(deck):
    described = 0
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape.has_text_frame:
                continue
            element = shape._element.xpath("./*/p:cNvPr")[0]
            assert element.get("descr") or b"decorative" in etree.tostring(element), shape.name
            described += bool(element.get("descr"))
    assert described > 12


@pytest.mark.long
def test_nothing_of_the_template_is_told(deck, path):
    told = deck.core_properties
    assert (told.author, told.last_modified_by, told.comments) == ("gpuplanner", "gpuplanner", "")
    assert told.created == told.modified == datetime(2026, 1, 9)  # it has no zone
    with zipfile.ZipFile(path) as parts:
        names = parts.namelist()
        everything = b"".join(map(parts.read, names))
    assert not [name for name in names if "printer" in name or "thumbnail" in name]
    for word in (b"Macintosh", b"python-pptx", b"Steve", b"screen4x3", b"/home/", b"/tmp/", b"C:\\"):
        assert word not in everything, word


@pytest.mark.long
def test_no_word_is_cut_and_nothing_stands_on_the_foot_where_names_are_long(tmp_path):
    case = two_clusters_with_layers()
    suffix = "-framework-agreement-2026-amendment-no-14"
    case.contracts = [replace(one, contract_id=f"{one.contract_id}{suffix}") for one in case.contracts]
    brief = brief_of(evaluation_of(case), WRITTEN_S, "1.2.3")
    write_brief_pptx(brief, tmp_path / "brief.pptx")
    deck = Presentation(str(tmp_path / "brief.pptx"))
    assert not [text for text in texts_of(deck) if text.endswith("\u2026")]
    assert any(text.endswith(suffix) for text in texts_of(deck))
    counts = {f"{number} / {len(deck.slides)}" for number in range(1, len(deck.slides) + 1)}
    for slide in deck.slides:
        foot = next(
            shape for shape in slide.shapes if shape.has_text_frame and shape.text_frame.text == brief.foot
        )
        below = [shape for shape in slide.shapes if shape.top + shape.height > foot.top]
        assert {shape.text_frame.text for shape in below if shape.has_text_frame} <= {brief.foot, *counts}
        assert all(shape.has_text_frame for shape in below)


@pytest.mark.long
@pytest.mark.parametrize(("days", "is_late"), some_of([(0, False), (1, True)], quick=1))
def test_what_is_due_on_the_day_of_the_brief_is_not_late(tmp_path, days, is_late):
    """In the PDF neither: see test_briefs.py and the timeline of the window."""
    evaluation = two_clusters_evaluated()
    due_s = evaluation.project.plan_window.end_s
    brief = brief_of(evaluation, due_s + days * 86_400 + 3_600, "1.2.3")
    (year,) = [page for page in brief.pages if page.key == "year"]
    brief = replace(brief, pages=(replace(year, rows=year.rows[:1]),))
    write_brief_pptx(brief, tmp_path / "brief.pptx")
    slides = Presentation(str(tmp_path / "brief.pptx")).slides
    (slide,) = slides
    fills = {
        str(shape.fill.fore_color.rgb)
        for shape in shapes_of(slide.shapes)
        if shape.shape_type == MSO_SHAPE_TYPE.AUTO_SHAPE and shape.auto_shape_type == MSO_SHAPE.DIAMOND
    }
    assert (RED[1:] in fills) is is_late
    assert "Written" in {shape.text_frame.text for shape in shapes_of(slide.shapes) if shape.has_text_frame}


@pytest.mark.long
def test_names_from_logs_are_harmless(tmp_path):
    case = Case(48)
    for number, text in enumerate(("=1+1", "a\x00b\x1b[31m", "<a:t>x</a:t>", "\ud800", "x" * 40_000)):
        case.workload(f"{text}{number}", text, "inference", daily(48, 1, 3), model=f"{text[:50]}{number}")
        case.contract(
            f"{text}k{number}", f"{text}{number}", 1, 2.0, model=f"{text[:50]}{number}", provider=text
        )
    evaluation = evaluation_of(case)
    evaluation = replace(evaluation, project=replace(evaluation.project, title="<b>&\x00"))
    write_brief_pptx(brief_of(evaluation, 0, "1"), tmp_path / "brief.pptx")
    texts = list(texts_of(Presentation(str(tmp_path / "brief.pptx"))))
    assert any("<b>&" in text for text in texts)
    assert max(map(len, texts)) <= 2000
    with zipfile.ZipFile(tmp_path / "brief.pptx") as parts:
        assert parts.testzip() is None


def test_cancelling_leaves_what_was_there(brief, tmp_path):
    path = tmp_path / "brief.pptx"
    path.write_bytes(b"the last one")
    calls = iter(range(100))
    with pytest.raises(Cancelled):
        write_brief_pptx(brief, path, is_cancelled=lambda: next(calls) >= 2)
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"the last one", [path])


def test_a_brief_that_is_open_elsewhere_is_left_alone(brief, tmp_path):
    path = tmp_path / "brief.pptx"
    path.write_bytes(b"open there")
    (tmp_path / ".~lock.brief.pptx#").write_bytes(b"")
    with pytest.raises(PlannerError, match="file_unreadable"):
        write_brief_pptx(brief, path)
    assert path.read_bytes() == b"open there"


def test_paper_has_the_colours_of_the_light_palette():
    assert (
        LIGHT.raised,
        LIGHT.text,
        LIGHT.muted,
        LIGHT.grid,
        LIGHT.edge,
        LIGHT.accent,
        LIGHT.red,
        LIGHT.hatch,
    ) == (GROUND, TEXT, MUTED, GRID, EDGE, ACCENT, RED, HATCH)
    assert LIGHT.terms == TERMS
    assert {pool.value: colour for pool, colour in POOLS.items()} == {
        lane.value: colours.fill for lane, colours in LIGHT.lanes.items() if lane is not Lane.REVIEW
    }


def test_what_is_left_of_a_sum_is_no_bar():
    """The scale holds a whole dollar: the rest of a float, written as \u00b10, filled the slide."""
    from pptx.chart.data import CategoryChartData

    data = CategoryChartData()
    add_bridge_series(
        data, BridgeChart("Savings", (Bar(name="Ending", note="", usd=4e-11, kind="step", text="\u00b10"),))
    )
    assert [*[*data][-1].values] == [0.25]
