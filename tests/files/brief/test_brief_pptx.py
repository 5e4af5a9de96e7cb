"""The brief as a presentation: a slide a page, native charts and tables, hostile names harmless."""

import zipfile
from dataclasses import replace

import pytest
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE, MSO_SHAPE_TYPE

from gpuplanner.domain.brief.story import brief_of
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.brief.paper_colours import (
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
)
from gpuplanner.files.brief.pptx import write_brief_pptx
from gpuplanner.files.system.engine import Cancelled
from gpuplanner.ui.kit.theme import LIGHT
from gpuplanner.ui.words.lanes import Lane
from tests.files.workbook.evaluations import evaluation_of, two_clusters_with_layers
from tests.oracle.crafted import daily
from tests.oracle.projects import Case


@pytest.fixture(scope="module")
def brief():
    return brief_of(evaluation_of(two_clusters_with_layers()), 0, "1.2.3")


def texts_of(deck):
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape.has_text_frame:
                yield shape.text_frame.text
            if shape.has_table:
                yield from (cell.text for row in shape.table.rows for cell in row.cells)


def test_a_slide_a_page_with_native_charts_and_tables(brief, tmp_path):
    shares = []
    write_brief_pptx(brief, tmp_path / "brief.pptx", lambda share, _: shares.append(share))
    deck = Presentation(str(tmp_path / "brief.pptx"))
    assert len(deck.slides) == len(brief.pages) == 6
    for page, slide in zip(brief.pages, deck.slides, strict=True):
        words = {shape.text_frame.text for shape in slide.shapes if shape.has_text_frame}
        assert {page.title, page.kicker.upper()} <= words
        assert {figure.text for figure in page.figures} <= words
    charts = [shape.chart for slide in deck.slides for shape in slide.shapes if shape.has_chart]
    assert len(charts) == 5
    months = next(chart for chart in charts if len(chart.plots[0].categories) == 12)
    line = next(row for row in brief.pages[0].rows[0][1].lines if row.is_main)
    assert tuple(next(s for s in months.series if s.name == "Plan").values) == pytest.approx(line.usd)
    assert shares == sorted(shares) and shares[-1] == 1.0


def test_everything_stands_on_its_slide(brief, tmp_path):
    write_brief_pptx(brief, tmp_path / "brief.pptx")
    deck = Presentation(str(tmp_path / "brief.pptx"))
    for slide in deck.slides:
        for shape in slide.shapes:
            assert shape.left >= 0 and shape.left + shape.width <= deck.slide_width
            assert shape.top >= 0 and shape.top + shape.height <= deck.slide_height


def test_no_word_is_cut_and_nothing_stands_on_the_foot_where_names_are_long(tmp_path):
    case = two_clusters_with_layers()
    suffix = "-framework-agreement-2026-amendment-no-14"
    case.contracts = [replace(one, contract_id=f"{one.contract_id}{suffix}") for one in case.contracts]
    brief = brief_of(evaluation_of(case), 0, "1.2.3")
    write_brief_pptx(brief, tmp_path / "brief.pptx")
    deck = Presentation(str(tmp_path / "brief.pptx"))
    assert not [text for text in texts_of(deck) if text.endswith("\u2026")]
    assert any(text.endswith(suffix) for text in texts_of(deck))
    for slide in deck.slides:
        foot = next(
            shape for shape in slide.shapes if shape.has_text_frame and shape.text_frame.text == brief.foot
        )
        above = [shape for shape in slide.shapes if shape.top + shape.height > foot.top]
        assert {shape.text_frame.text for shape in above} <= {brief.foot, *(f"{n} / 6" for n in range(1, 7))}


@pytest.mark.parametrize(("days", "is_late"), [(0, False), (1, True)])
def test_what_is_due_on_the_day_of_the_brief_is_not_late(tmp_path, days, is_late):
    """In the PDF neither: see test_brief.py and the timeline of the window."""
    evaluation = evaluation_of(two_clusters_with_layers())
    due_s = evaluation.project.plan_window.end_s
    brief = brief_of(evaluation, due_s + days * 86_400 + 3_600, "1.2.3")
    write_brief_pptx(brief, tmp_path / "brief.pptx")
    slide = Presentation(str(tmp_path / "brief.pptx")).slides[5]
    fills = {
        str(shape.fill.fore_color.rgb)
        for shape in slide.shapes
        if shape.shape_type == MSO_SHAPE_TYPE.AUTO_SHAPE and shape.auto_shape_type == MSO_SHAPE.DIAMOND
    }
    assert (RED[1:] in fills) is is_late
    assert "Written" in {shape.text_frame.text for shape in slide.shapes if shape.has_text_frame}


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
    with pytest.raises(PlannerError, match="another program has it open"):
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
