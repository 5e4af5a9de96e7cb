"""The brief as a Word document: headings, paragraphs and native tables, to be commented on; charts in words."""

from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from gpuplanner.domain.brief import pages
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.errors import Cancelled
from gpuplanner.files.brief import sheets
from gpuplanner.files.system.output_file import place_of, write_output
from gpuplanner.files.workbook.kit.looks import safe_text

PAPERS_IN: Final = {"a4": (11.693, 8.268), "letter": (11.0, 8.5)}
"""Width and height of a sheet, always across."""
MARGIN_IN: Final = 0.55
PAD_IN: Final = 0.05
"""At both sides of a cell."""
BODY_POINTS: Final = 8.5
TABLE_POINTS: Final = (8.5, 8.0, 7.5, 7.0)
"""The largest at which a table has room for its words and numbers; else the last."""
SIGNED_POINTS: Final = (7.0,)
"""The same on pages that are signed: what belongs together stands on one sheet."""
TABLE_LINE: Final = 1.3
TITLE_POINTS: Final = 15.0
FIGURE_POINTS: Final = 14.0
FORM_IN: Final = 0.24

NOT_OURS: Final = ("/thumbnail", "/stylesWithEffects")
"""Parts of the library's template that do not belong to this document."""

OnProgress = Callable[[float, Text], None]


def write_brief_docx(
    brief: pages.Brief,
    path: Path,
    on_progress: OnProgress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
    paper: str = "a4",
) -> None:
    """Write the brief, whole or not at all.

    paper: of PAPERS_IN. Errors: Cancelled where is_cancelled() turned true; PlannerError where the file cannot be
    written or is open.
    """
    place_of(path)  # what cannot be written is said before it is made
    document, width_in = _empty_document(brief, paper)
    for number, page in enumerate(brief.pages, start=1):
        if is_cancelled is not None and is_cancelled():
            raise Cancelled
        _page(document, page, width_in, is_first=number == 1)
        if on_progress is not None:
            on_progress(number / len(brief.pages), "Writing the brief")
    held = BytesIO()  # an archive that is packed into a file would fail again, later, where its disk is full
    document.save(held)
    write_output(path, held.getvalue())


def _empty_document(brief: pages.Brief, paper: str) -> tuple[Any, float]:
    """Return a document with its paper, head, foot and properties, and the inches between its margins."""
    from docx import Document
    from docx.enum.section import WD_ORIENT
    from docx.shared import Inches, Pt

    document: Any = Document()
    sheets.set_properties(document.core_properties, brief)
    for part in (document.part.package, document.part):
        for key, relation in list(part.rels.items()):
            if relation.reltype.endswith(NOT_OURS):
                del part.rels[key]
    section = document.sections[0]
    width_in, height_in = PAPERS_IN[paper]
    section.orientation = WD_ORIENT.LANDSCAPE
    section.page_width, section.page_height = Inches(width_in), Inches(height_in)
    section.left_margin = section.right_margin = Inches(MARGIN_IN)
    section.top_margin = section.bottom_margin = Inches(0.5)
    section.header_distance = section.footer_distance = Inches(0.25)
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = sheets.FAMILY, Pt(BODY_POINTS)
    normal.paragraph_format.space_after = Pt(1)
    for style, points in (("Heading 1", TITLE_POINTS), ("Heading 2", 10.0)):
        _set_heading(document.styles[style], points)
    _write(section.header.paragraphs[0], str(brief.head), BODY_POINTS, sheets.MUTED)
    foot = section.footer.paragraphs[0]
    _write(foot, f"{brief.foot} \u00b7 ", BODY_POINTS, sheets.MUTED)
    _add_page_number(foot)
    return document, width_in - 2 * MARGIN_IN


def _set_heading(style: Any, points: float) -> None:
    """Set the font of a heading, which the library's template has in a theme's font and blue."""
    from docx.oxml.ns import qn
    from docx.shared import Pt

    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for name in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{name}"), None)
    style.font.name, style.font.size, style.font.bold = sheets.FAMILY, Pt(points), True
    style.font.color.rgb = _rgb(sheets.TEXT)
    style.paragraph_format.space_before, style.paragraph_format.space_after = Pt(4), Pt(1)


def _add_page_number(paragraph: Any) -> None:
    """Add the field of the page number to a paragraph."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    run = paragraph.add_run()
    for kind, text in (("begin", ""), ("", "PAGE"), ("end", "")):
        element = OxmlElement("w:fldChar" if kind else "w:instrText")
        if kind:
            element.set(qn("w:fldCharType"), kind)
        else:
            element.text = text
        run._r.append(element)


def _page(document: Any, page: pages.Page, width_in: float, *, is_first: bool) -> None:
    """Write a page of the brief: its title, figures and blocks under each other, from a new sheet on."""
    title = document.add_heading(safe_text(page.title), level=1)
    title.paragraph_format.page_break_before = not is_first
    if page.figures:
        _figures(document, page.figures, width_in)
    sizes = SIGNED_POINTS if page.is_whole else TABLE_POINTS
    for row in page.rows:
        for block in row:
            _block(document, block, width_in, sizes)


def _figures(document: Any, figures: Sequence[pages.LargeFigure], width_in: float) -> None:
    """Write the large figures side by side: title, unit, figure and note under each other."""
    table = document.add_table(rows=1, cols=len(figures))
    _set_widths(table, [width_in / len(figures)] * len(figures))
    for cell, figure in zip(table.rows[0].cells, figures, strict=True):
        lines = (
            (figure.title, BODY_POINTS, sheets.TEXT, True),
            (figure.unit, BODY_POINTS, sheets.MUTED, False),
            (figure.text, FIGURE_POINTS, sheets.TEXT, True),
            (figure.note, BODY_POINTS, sheets.MUTED, False),
        )
        for number, (text, points, colour, is_bold) in enumerate(lines):
            paragraph = cell.paragraphs[0] if number == 0 else cell.add_paragraph()
            _write(paragraph, str(text), points, colour, is_bold=is_bold)


def _block(document: Any, block: pages.Block, width_in: float, sizes: Sequence[float]) -> None:
    """Write a block with its title; a chart in words. sizes: of a table's type, points."""
    if block.title and not sheets.is_chart(block):  # its words begin with its title
        document.add_heading(safe_text(block.title), level=2)
    if isinstance(block, pages.TableBlock):
        _table(document, block, width_in, sizes)
    elif isinstance(block, pages.TextBlock):
        for sentence in block.sentences:
            paragraph = document.add_paragraph()
            _write(paragraph, str(sentence), BODY_POINTS, sheets.AMBER if block.is_warning else sheets.TEXT)
            if block.is_warning:
                _shade(paragraph._p.get_or_add_pPr(), sheets.AMBER_GROUND)
    else:
        _write(document.add_paragraph(), str(pages.block_words(block)), BODY_POINTS, sheets.TEXT)


def _table(document: Any, block: pages.TableBlock, width_in: float, sizes: Sequence[float]) -> None:
    """Write a native table: headings on each sheet, sums in bold, urgent days in red, its note under it.

    A form stays on one sheet.
    """
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Inches, Pt

    points = _points_of(block, width_in, sizes)
    rows = [
        tuple(column.heading for column in block.columns),
        *block.rows,
        *((block.total,) if block.total else ()),
    ]
    table = document.add_table(rows=len(rows), cols=len(block.columns))
    _set_widths(table, sheets.column_widths(block, width_in, 2 * PAD_IN, _measure(points)))
    last = len(rows) - 1
    for number, (row, texts) in enumerate(zip(table.rows, rows, strict=True)):
        is_total = bool(block.total) and number == last
        is_strong = number == 0 or is_total or number - 1 in block.subtotals
        is_ruled = number == 0 or block.is_form or (bool(block.total) and number == last - 1)
        if block.is_form and number:
            row.height = Inches(FORM_IN)
        _keep_row(row, is_heading=number == 0)
        for place, (cell, text, column) in enumerate(zip(row.cells, texts, block.columns, strict=True)):
            colour = sheets.MUTED if number == 0 else sheets.TEXT
            if number - 1 in block.urgent and place == block.day_column:
                colour = sheets.RED
            paragraph = cell.paragraphs[0]
            paragraph.paragraph_format.space_after = 0
            paragraph.paragraph_format.line_spacing = Pt(points * TABLE_LINE)  # of empty cells too
            paragraph.paragraph_format.keep_with_next = block.is_form and number < last
            if column.is_number:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
            _write(paragraph, sheets.cut(str(text), sheets.LONGEST_CELL), points, colour, is_bold=is_strong)
            _underline(cell, sheets.EDGE if is_ruled else sheets.GRID)
    if block.note:
        _write(document.add_paragraph(), str(block.note), BODY_POINTS, sheets.MUTED)


def _points_of(block: pages.TableBlock, width_in: float, sizes: Sequence[float]) -> float:
    """Return the largest type at which no word or number of a table is cut."""
    fitting = (
        points for points in sizes if sheets.least_width(block, 2 * PAD_IN, _measure(points)) <= width_in
    )
    return next(fitting, sizes[-1])


def _measure(points: float) -> sheets.Measure:
    """Return a function that measures a text in bold, in inches."""
    return partial(sheets.width_in_points, points=points / 72, is_bold=True)


def _set_widths(table: Any, widths_in: Sequence[float]) -> None:
    """Set the width of each column, in inches, and the pad of the cells."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import Inches

    table.autofit = False
    margins = OxmlElement("w:tblCellMar")
    for side in ("left", "right"):
        edge = OxmlElement(f"w:{side}")
        edge.set(qn("w:w"), str(round(PAD_IN * 1440)))
        edge.set(qn("w:type"), "dxa")
        margins.append(edge)
    properties = table._tbl.tblPr
    look = properties.find(qn("w:tblLook"))  # the schema wants it last
    if look is None:
        properties.append(margins)
    else:
        look.addprevious(margins)
    for column, width in zip(table.columns, widths_in, strict=True):
        column.width = Inches(width)
    for row in table.rows:
        for cell, width in zip(row.cells, widths_in, strict=True):
            cell.width = Inches(width)


def _keep_row(row: Any, *, is_heading: bool) -> None:
    """Keep a row on one sheet; a heading stands on each."""
    from docx.oxml import OxmlElement

    properties = row._tr.get_or_add_trPr()
    properties.append(OxmlElement("w:cantSplit"))
    if is_heading:
        properties.append(OxmlElement("w:tblHeader"))


def _underline(cell: Any, colour: str) -> None:
    """Draw a hairline under a cell."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    borders, bottom = OxmlElement("w:tcBorders"), OxmlElement("w:bottom")
    for name, value in (("val", "single"), ("sz", "4"), ("space", "0"), ("color", colour[1:])):
        bottom.set(qn(f"w:{name}"), value)
    borders.append(bottom)
    cell._tc.get_or_add_tcPr().append(borders)


def _shade(properties: Any, colour: str) -> None:
    """Fill the ground of a paragraph."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    shading = OxmlElement("w:shd")
    for name, value in (("val", "clear"), ("color", "auto"), ("fill", colour[1:])):
        shading.set(qn(f"w:{name}"), value)
    properties.append(shading)


def _write(paragraph: Any, text: str, points: float, colour: str, *, is_bold: bool = False) -> None:
    """Add a text to a paragraph; nothing where it is empty."""
    from docx.shared import Pt

    if not text:
        return
    run = paragraph.add_run(safe_text(text))
    run.font.size, run.font.bold = Pt(points), is_bold
    run.font.color.rgb = _rgb(colour)


def _rgb(colour: str) -> Any:
    """Return a color of the form #RRGGBB as the library has it."""
    from docx.shared import RGBColor

    return RGBColor.from_string(colour[1:])
