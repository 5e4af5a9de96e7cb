"""The brief as a presentation: native tables and charts on slides that are read from the back of a room."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from gpuplanner.domain.brief import pages
from gpuplanner.domain.message import Text
from gpuplanner.files.brief.pptx_shapes import (
    add_chart,
    add_frame,
    add_line,
    cut,
    decorate,
    describe,
    set_font,
    underline,
)
from gpuplanner.files.brief.sheets import (
    ACCENT,
    CELL_PAD_IN,
    EDGE,
    GAP_IN,
    GRID,
    HEAD_IN,
    HEIGHT_IN,
    INSIDE_IN,
    LEAST_POINTS,
    LONGEST_CELL,
    MARGIN_IN,
    MUTED,
    TEXT,
    WIDTH_IN,
    Sheet,
    column_widths_of,
    figures_in,
    note_height,
    row_heights,
    sheets_of,
    table_points,
    title_height,
    title_width,
    widths_of,
)
from gpuplanner.files.system.engine import Cancelled
from gpuplanner.files.system.output_file import write_output
from gpuplanner.files.system.output_place import place_of
from gpuplanner.files.workbook.kit.looks import safe_text

LONGEST_LINE: Final = 400
FIGURE_POINTS: Final = 26

OnProgress = Callable[[float, Text], None]


def write_brief_pptx(
    brief: pages.Brief,
    path: Path,
    on_progress: OnProgress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> None:
    """Write the brief, whole or not at all.

    Errors: Cancelled where is_cancelled() turned true; PlannerError where the file cannot be written or is open.
    """
    place_of(path)  # what cannot be written is said before it is drawn
    deck = empty_deck(WIDTH_IN, HEIGHT_IN)
    told = deck.core_properties
    told.title, told.author, told.last_modified_by = safe_text(brief.title)[:255], "gpuplanner", "gpuplanner"
    told.comments, told.language, told.revision = "", "en", 1
    told.created = told.modified = datetime.fromtimestamp(brief.written_s, UTC).replace(tzinfo=None)
    sheets = sheets_of(brief)
    for number, sheet in enumerate(sheets, start=1):
        if is_cancelled is not None and is_cancelled():
            raise Cancelled
        _slide(deck.slides.add_slide(deck.slide_layouts[0]), brief, sheet, f"{number} / {len(sheets)}")
        if on_progress is not None:
            on_progress(number / len(sheets), "Writing the brief")
    held = BytesIO()  # an archive that is packed into a file would fail again, later, where its disk is full
    deck.save(held)
    write_output(path, held.getvalue())


def _slide(slide: Any, brief: pages.Brief, sheet: Sheet, count: str) -> None:
    """Title, kicker, head and rule, the figures and blocks, and the foot; count: which slide of how many."""
    height = title_height(sheet.title, sheet.title_points)
    _title(slide, sheet, height)
    half, foot = INSIDE_IN / 2, HEIGHT_IN - 0.45
    _text(slide, sheet.kicker.upper(), (MARGIN_IN, 0.28, half, 0.25), LEAST_POINTS, ACCENT, is_bold=True)
    _text(slide, str(brief.head), (MARGIN_IN + half, 0.28, half, 0.25), LEAST_POINTS, MUTED, is_right=True)
    begin, end = (
        _inches((MARGIN_IN, 0.6 + height + 0.08)),
        _inches((WIDTH_IN - MARGIN_IN, 0.6 + height + 0.08)),
    )
    decorate(add_line(slide, (begin[0], begin[1]), (end[0], end[1]), GRID, 1))
    if sheet.figures:
        _figures(slide, sheet.figures, 0.6 + height + 0.08 + GAP_IN)
    top = sheet.top_in
    for row, high in zip(sheet.rows, sheet.heights, strict=True):
        left = MARGIN_IN
        for block, width in zip(row, widths_of(row), strict=True):
            _block(slide, block, (left, top, width, high), sheet.points)
            left += width + GAP_IN
        top += high + GAP_IN
    wide = INSIDE_IN * 0.9
    _text(slide, str(brief.foot), (MARGIN_IN, foot, wide, 0.25), LEAST_POINTS, MUTED)
    place = (MARGIN_IN + wide, foot, INSIDE_IN - wide, 0.25)
    _text(slide, count, place, LEAST_POINTS, MUTED, is_right=True)


def _title(slide: Any, sheet: Sheet, height: float) -> None:
    """The title in its placeholder, so that outlines and readers aloud find it."""
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN

    shape = slide.shapes.title
    shape.left, shape.top, shape.width, shape.height = _inches(
        (MARGIN_IN, 0.6, title_width(sheet.title, sheet.title_points), height)
    )
    frame = shape.text_frame
    frame.text = cut(sheet.title, LONGEST_LINE)
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    frame.paragraphs[0].alignment = PP_ALIGN.LEFT
    set_font(frame.paragraphs[0].font, sheet.title_points, TEXT, is_bold=True)


def _figures(slide: Any, figures: Sequence[pages.LargeFigure], top: float) -> None:
    """The large figures side by side in equal shares of the width.

    Title, unit, figure and note under each other.
    """
    width = INSIDE_IN / len(figures)
    for place, figure in enumerate(figures):
        left, inner = MARGIN_IN + place * width, width - 0.15
        _text(slide, str(figure.title), (left, top, inner, 0.22), LEAST_POINTS, TEXT, is_bold=True)
        _text(slide, str(figure.unit), (left, top + 0.21, inner, 0.2), LEAST_POINTS, MUTED)
        _text(slide, str(figure.text), (left, top + 0.41, inner, 0.44), FIGURE_POINTS, TEXT, is_bold=True)
        _text(
            slide,
            str(figure.note),
            (left, top + 0.86, inner, figures_in(figures) - 0.95),
            LEAST_POINTS,
            MUTED,
        )


def _block(slide: Any, block: pages.Block, place: tuple[float, float, float, float], points: float) -> None:
    """One block at its place (left, top, width, height in inches): its title, then its text, table or chart."""
    left, top, width, height = place
    head = HEAD_IN if block.title else 0.0
    if block.title:
        _text(slide, str(block.title), (left, top, width, 0.26), points, TEXT, is_bold=True)
    if isinstance(block, pages.TextBlock):
        _paragraphs(
            slide, [str(one) for one in block.sentences], (left, top + head, width, height - head), points
        )
    elif isinstance(block, pages.TableBlock):
        _table(slide, block, (left, top + head, width), table_points(points))
    else:
        add_chart(slide, block, _inches((left, top + head, width, height - head)))


def _table(slide: Any, block: pages.TableBlock, place: tuple[float, float, float], points: float) -> None:
    """A native table at its place (left, top, width in inches), first row and total in bold.

    Its height is that of its rows.
    """
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Inches

    left, top, width = place
    heights = row_heights(block, width, points)
    rows = [tuple(column.heading for column in block.columns), *block.rows]
    if block.total:
        rows.append(block.total)
    frame = slide.shapes.add_table(
        len(rows), len(block.columns), Inches(left), Inches(top), Inches(width), Inches(sum(heights))
    )
    describe(frame, f"Table: {block.title or 'rows'}; {len(block.rows)} rows.")
    table = frame.table
    table.horz_banding = False
    frame._element.graphic.graphicData.tbl[0][-1].text = NO_STYLE
    for at, room in enumerate(column_widths_of(block, width, points)):
        table.columns[at].width = Inches(room)
    for number, (row, high) in enumerate(zip(rows, heights, strict=True)):
        table.rows[number].height = Inches(high)
        is_strong = number == 0 or (bool(block.total) and number == len(rows) - 1)
        for at, (text, column) in enumerate(zip(row, block.columns, strict=True)):
            cell = table.cell(number, at)
            cell.margin_left = cell.margin_right = Inches(CELL_PAD_IN)
            cell.margin_top = cell.margin_bottom = Inches(0.015)
            cell.vertical_anchor = MSO_ANCHOR.BOTTOM if number == 0 else MSO_ANCHOR.MIDDLE
            cell.text = cut(str(text), LONGEST_CELL)
            paragraph = cell.text_frame.paragraphs[0]
            paragraph.alignment = PP_ALIGN.RIGHT if column.is_number else PP_ALIGN.LEFT
            set_font(paragraph.font, points, MUTED if number == 0 else TEXT, is_bold=is_strong)
            is_last_but_total = bool(block.total) and number == len(rows) - 2
            underline(cell, EDGE if number == 0 or is_last_but_total else GRID)
    if block.note:
        place_of_note = (left, top + sum(heights) + 0.04, width, note_height(block.note, width))
        _text(slide, str(block.note), place_of_note, LEAST_POINTS, MUTED)


NO_STYLE: Final = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"
"""The table style that draws nothing."""


def _paragraphs(
    slide: Any, sentences: Sequence[str], place: tuple[float, float, float, float], points: float
) -> None:
    """Sentences as paragraphs of one frame, six points between them."""
    from pptx.util import Pt

    frame = add_frame(slide, _inches(place))
    for number, sentence in enumerate(sentences):
        paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        paragraph.text = safe_text(sentence)
        paragraph.space_after = Pt(6)
        set_font(paragraph.font, points, TEXT)


def _text(
    slide: Any,
    text: str,
    place: tuple[float, float, float, float],
    points: float,
    colour: str,
    *,
    is_bold: bool = False,
    is_right: bool = False,
) -> None:
    """One text in a frame of its own, none where it is empty; `place` is left, top, width and height in inches."""
    from pptx.enum.text import PP_ALIGN

    if not text:
        return
    frame = add_frame(slide, _inches(place))
    frame.text = cut(text, LONGEST_LINE)
    paragraph = frame.paragraphs[0]
    if is_right:
        paragraph.alignment = PP_ALIGN.RIGHT
    set_font(paragraph.font, points, colour, is_bold=is_bold)


def _inches(place: Sequence[float]) -> list[Any]:
    """Lengths in inches as the library's own unit; it is imported only when a presentation is written."""
    from pptx.util import Inches

    return [Inches(each) for each in place]


# ---------------------------------------------------------------- an empty deck

TITLE_ONLY: Final = 5
"""The place of that layout in the library's template."""
_APP: Final = b"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">\
<Application>gpuplanner</Application></Properties>"""


def empty_deck(width_in: float, height_in: float) -> Any:
    """A presentation of that size without a slide, whose one layout has a title.

    The template is of four to three, was written on somebody's computer and holds its printer: all three go.
    """
    from pptx import Presentation
    from pptx.util import Inches

    deck: Any = Presentation()
    wider = Inches(width_in) / deck.slide_width
    deck.slide_width, deck.slide_height = Inches(width_in), Inches(height_in)
    size = deck.part._element.sldSz
    if "type" in size.attrib:
        del size.attrib["type"]  # it names a screen of four to three
    for number, layout in reversed(list(enumerate(deck.slide_layouts))):
        if number != TITLE_ONLY:
            deck.slide_layouts.remove(layout)
    for drawn in (deck.slide_master, deck.slide_layouts[0]):
        for shape in drawn.placeholders:
            if shape._element.spPr.xfrm is not None:
                shape.left, shape.width = round(shape.left * wider), round(shape.width * wider)
    for rels in (deck.part.rels, deck.part.package._rels):
        for key in [
            key for key, rel in rels.items() if rel.reltype.endswith(("/printerSettings", "/thumbnail"))
        ]:
            rels.pop(key)
    for rel in deck.part.package._rels.values():
        if rel.reltype.endswith("/extended-properties"):
            rel.target_part._blob = _APP
    return deck
