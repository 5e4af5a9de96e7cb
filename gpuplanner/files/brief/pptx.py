"""The brief as a presentation: a slide a page, with native tables and charts; the same value as the PDF."""

from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from gpuplanner.domain.brief import pages
from gpuplanner.domain.message import Text
from gpuplanner.files.brief.column_widths import (
    LONGEST_CELL,
    broken,
    column_widths,
    table_widths,
    width_in_points,
)
from gpuplanner.files.brief.paper_colours import ACCENT, EDGE, GRID, MUTED, TEXT
from gpuplanner.files.brief.pptx_charts import add_chart
from gpuplanner.files.brief.pptx_shapes import add_frame, add_line, cut, set_font, underline
from gpuplanner.files.system.engine import Cancelled
from gpuplanner.files.system.output_file import write_output
from gpuplanner.files.system.output_place import place_of
from gpuplanner.files.workbook.kit.safe_text import safe_text

WIDTH_IN: Final = 13.333
HEIGHT_IN: Final = 7.5
MARGIN_IN: Final = 0.5
GAP_IN: Final = 0.22
LEAST_CHART_IN: Final = 1.75
TITLE_POINTS: Final = (20, 19, 18)
"""The largest at which a title takes one line; else the first."""
LONGEST_LINE: Final = 400
CELL_PAD_IN: Final = 0.05
TABLE_POINTS: Final = 9.0
"""Of the tables that stand beside each other, when their widths are divided."""

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
    from pptx import Presentation
    from pptx.util import Inches

    place_of(path)  # what cannot be written is said before it is drawn
    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(WIDTH_IN), Inches(HEIGHT_IN)
    deck.core_properties.title = safe_text(brief.title)[:255]
    deck.core_properties.author = "gpuplanner"
    for number, page in enumerate(brief.pages, start=1):
        if is_cancelled is not None and is_cancelled():
            raise Cancelled
        _slide(deck.slides.add_slide(deck.slide_layouts[6]), brief, page, number)
        if on_progress is not None:
            on_progress(number / len(brief.pages), "Writing the brief")
    held = BytesIO()  # an archive that is packed into a file would fail again, later, where its disk is full
    deck.save(held)
    write_output(path, held.getvalue())


def _slide(slide: Any, brief: pages.Brief, page: pages.Page, number: int) -> None:
    """One page on a slide: kicker, head, title and rule, the foot, and the blocks in between."""
    inside = WIDTH_IN - 2 * MARGIN_IN
    _text(slide, page.kicker.upper(), (MARGIN_IN, 0.3, inside / 2, 0.25), 11, ACCENT, is_bold=True)
    _text(slide, brief.head, (MARGIN_IN + inside / 2, 0.3, inside / 2, 0.25), 10, MUTED, is_right=True)
    size_of_title = next(
        (size for size in TITLE_POINTS if _lines(page.title, inside, size, is_bold=True) == 1),
        TITLE_POINTS[0],
    )
    lines = _lines(page.title, inside, size_of_title, is_bold=True)
    _text(slide, page.title, (MARGIN_IN, 0.55, inside, 0.38 * lines), size_of_title, TEXT, is_bold=True)
    top = 0.62 + 0.38 * lines
    _rule(slide, top)
    _text(slide, brief.foot, (MARGIN_IN, HEIGHT_IN - 0.42, inside * 0.85, 0.25), 9, MUTED)
    count = f"{number} / {len(brief.pages)}"
    _text(
        slide,
        count,
        (MARGIN_IN + inside * 0.85, HEIGHT_IN - 0.42, inside * 0.15, 0.25),
        9,
        MUTED,
        is_right=True,
    )
    top += GAP_IN
    if page.figures:
        _figures(slide, page.figures, top, inside)
        top += 1.15
    bottom = HEIGHT_IN - 0.6
    points, heights = _fitted(page, inside, bottom - top)
    for row, height in zip(page.rows, heights, strict=True):
        left = MARGIN_IN
        for block, width in zip(row, _widths(row, inside), strict=True):
            _block(slide, block, (left, top, width, height), points)
            left += width + GAP_IN
        top += height + GAP_IN


def _figures(slide: Any, figures: Sequence[pages.LargeFigure], top: float, inside: float) -> None:
    """The large figures side by side in equal shares of the width.

    Title, unit, figure and note under each other.
    """
    width = inside / len(figures)
    for place, figure in enumerate(figures):
        left = MARGIN_IN + place * width
        points = 10 if len(str(figure.title)) <= 26 else 9  # on one line, above its unit
        _text(slide, str(figure.title), (left, top, width - 0.15, 0.22), points, TEXT, is_bold=True)
        _text(slide, figure.unit, (left, top + 0.2, width - 0.15, 0.2), 9, MUTED)
        _text(slide, figure.text, (left, top + 0.38, width - 0.15, 0.4), 22, TEXT, is_bold=True)
        _text(slide, figure.note, (left, top + 0.76, width - 0.15, 0.35), 9, MUTED)


def _widths(row: Sequence[pages.Block], inside: float) -> list[float]:
    """The width of each block of a row in inches: tables by what stands in them, mixed rows by their shares."""
    free = inside - GAP_IN * (len(row) - 1)
    tables = [block for block in row if isinstance(block, pages.TableBlock)]
    if len(tables) == len(row):
        measure = partial(width_in_points, points=TABLE_POINTS / 72, is_bold=True)
        return table_widths(tables, free, 2 * CELL_PAD_IN + 0.02, measure)
    shares = _shares(row)
    return [free * share / sum(shares) for share in shares]


def _shares(row: Sequence[pages.Block]) -> list[float]:
    """Of blocks that are not all tables."""
    return [
        0.8
        if isinstance(block, pages.TextBlock)
        else 2.2
        if isinstance(block, pages.BridgeChart)
        else max(0.8, sum(column.share for column in block.columns) / 6)
        if isinstance(block, pages.TableBlock)
        else 1.0
        for block in row
    ]


def _fitted(page: pages.Page, inside: float, room: float) -> tuple[float, list[float]]:
    """The largest type that fits, and the heights of the rows: charts take what the rest leaves."""
    for points in (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0):
        naturals = [
            max(
                _natural(block, width, points) for block, width in zip(row, _widths(row, inside), strict=True)
            )
            for row in page.rows
        ]
        spare = room - sum(naturals) - GAP_IN * (len(naturals) - 1)
        if spare >= 0:
            break
    grows = [any(_is_chart(block) for block in row) for row in page.rows]
    share = max(0.0, spare) / max(1, sum(grows))
    return points, [natural + (share if grow else 0.0) for natural, grow in zip(naturals, grows, strict=True)]


def _is_chart(block: pages.Block) -> bool:
    """Whether a block is drawn as a chart: it is neither table nor text."""
    return not isinstance(block, pages.TableBlock | pages.TextBlock)


def _natural(block: pages.Block, width: float, points: float) -> float:
    """Inches; text is measured by the mean width of a letter, which is half its size."""
    if isinstance(block, pages.TextBlock):
        lines = sum(_lines(str(sentence), width, points) for sentence in block.sentences)
        return 0.3 * bool(block.title) + lines * points * 1.25 / 72 + 0.12 * len(block.sentences)
    if isinstance(block, pages.TableBlock):
        return 0.3 * bool(block.title) + sum(_row_heights(block, width, points)) + 0.25 * bool(block.note)
    if isinstance(block, pages.TimelineChart):
        return 0.45 + 0.2 * len(block.rows)
    return LEAST_CHART_IN


def _lines(text: str, width: float, points: float, *, is_bold: bool = False) -> int:
    """On how many lines a text breaks in so many inches, at so many points."""
    return len(broken(text, width * 72, lambda part: width_in_points(part, points, is_bold=is_bold)))


def _column_widths(table: pages.TableBlock, width: float, points: float) -> list[float]:
    """Inches of each column."""
    return column_widths(
        table,
        width,
        2 * CELL_PAD_IN + 0.02,
        lambda part: width_in_points(part, points - 1, is_bold=True) / 72,
    )


def _row_heights(table: pages.TableBlock, width: float, points: float) -> list[float]:
    """Of the headings, the rows and the total."""
    rows = [tuple(column.heading for column in table.columns), *table.rows]
    if table.total:
        rows.append(table.total)
    widths = _column_widths(table, width, points)
    return [
        max(
            _lines(str(cell)[:LONGEST_CELL], room - 2 * CELL_PAD_IN, points - 1, is_bold=place == 0)
            if place == 0 or not column.is_number
            else 1
            for cell, column, room in zip(row, table.columns, widths, strict=True)
        )
        * (points - 1)
        * 1.2
        / 72
        + 0.04
        for place, row in enumerate(rows)
    ]


def _block(slide: Any, block: pages.Block, place: tuple[float, float, float, float], points: float) -> None:
    """One block at its place (left, top, width, height in inches): its title, then its text, table or chart."""
    left, top, width, height = place
    head = 0.0
    if block.title:
        _text(slide, str(block.title), (left, top, width, 0.26), points + 1, TEXT, is_bold=True)
        head = 0.3
    if isinstance(block, pages.TextBlock):
        _paragraphs(
            slide, [str(one) for one in block.sentences], (left, top + head, width, height - head), points
        )
    elif isinstance(block, pages.TableBlock):
        _table(slide, block, (left, top + head, width), points)
    else:
        add_chart(slide, block, _inches((left, top + head, width, height - head)))


def _table(slide: Any, block: pages.TableBlock, place: tuple[float, float, float], points: float) -> None:
    """A native table at its place (left, top, width in inches), first row and total in bold.

    Its height is that of its rows.
    """
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Inches

    left, top, width = place
    heights = _row_heights(block, width, points)
    rows = [tuple(column.heading for column in block.columns), *block.rows]
    if block.total:
        rows.append(block.total)
    frame = slide.shapes.add_table(
        len(rows), len(block.columns), Inches(left), Inches(top), Inches(width), Inches(sum(heights))
    )
    table = frame.table
    table.first_row = table.horz_banding = False
    frame._element.graphic.graphicData.tbl[0][-1].text = NO_STYLE
    for at, room in enumerate(_column_widths(block, width, points)):
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
            set_font(paragraph.font, points - 1, MUTED if number == 0 else TEXT, is_bold=is_strong)
            is_last_but_total = bool(block.total) and number == len(rows) - 2
            underline(cell, EDGE if number == 0 or is_last_but_total else GRID)
    if block.note:
        _text(slide, str(block.note), (left, top + sum(heights) + 0.03, width, 0.22), points - 2, MUTED)


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
    """One line of text in a frame of its own; `place` is left, top, width and height in inches."""
    from pptx.enum.text import PP_ALIGN

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


def _rule(slide: Any, top: float) -> None:
    """The thin line under the title, from margin to margin."""
    begin, end = _inches((MARGIN_IN, top)), _inches((WIDTH_IN - MARGIN_IN, top))
    add_line(slide, (begin[0], begin[1]), (end[0], end[1]), GRID, 1)
