"""The few shapes of a slide: text, lines, filled boxes; places in inches or EMU as the library takes them."""

from collections.abc import Sequence
from typing import Any, Final

from gpuplanner.files.workbook.kit.safe_text import safe_text

LONGEST_DESCRIPTION: Final = 1000
_DECORATIVE: Final = (
    '<a:extLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
    '<a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}">'
    '<adec:decorative xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/>'
    "</a:ext></a:extLst>"
)
FAMILY: Final = "Arial"
"""On every system, or with a twin of the same widths."""


def rgb(colour: str) -> Any:
    """A colour of the form #RRGGBB."""
    from pptx.dml.color import RGBColor

    return RGBColor.from_string(colour[1:])  # type: ignore[no-untyped-call]


def cut(text: str, most: int) -> str:
    """Text that a slide takes: safe, and with a mark where it was longer."""
    kept = safe_text(text)
    return kept if len(kept) <= most else f"{kept[: most - 1]}…"


def add_frame(slide: Any, place: Sequence[Any]) -> Any:
    """An empty text frame without margins; place: left, top, width, height."""
    frame = slide.shapes.add_textbox(*place).text_frame
    frame.word_wrap = True
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    return frame


def set_font(font: Any, points: float, colour: str, *, is_bold: bool = False) -> None:
    """Size, colour and weight."""
    from pptx.util import Pt

    font.name, font.size, font.bold = FAMILY, Pt(points), is_bold
    font.color.rgb = rgb(colour)


def _without_theme(shape: Any) -> None:
    """The theme's lines and boxes have shadows."""
    from pptx.oxml.ns import qn

    style = shape._element.find(qn("p:style"))
    if style is not None:
        shape._element.remove(style)


def add_line(slide: Any, begin: tuple[Any, Any], end: tuple[Any, Any], colour: str, points: float) -> Any:
    """A straight line, on a slide or in a group of shapes."""
    from pptx.enum.shapes import MSO_CONNECTOR
    from pptx.util import Pt

    line = slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, *begin, *end)
    line.line.color.rgb = rgb(colour)
    line.line.width = Pt(points)
    _without_theme(line)
    return line


def describe(shape: Any, words: str) -> None:
    """What is said of a chart, table or group by who reads it aloud."""
    _named(shape).set("descr", cut(words, LONGEST_DESCRIPTION))


def decorate(shape: Any) -> None:
    """Mark a shape as one that says nothing, so that nobody misses words for it."""
    from pptx.oxml import parse_xml

    _named(shape).append(parse_xml(_DECORATIVE))


def _named(shape: Any) -> Any:
    """The element of a shape that has its name."""
    return shape._element.xpath("./*/p:cNvPr")[0]


def fill(shape: Any, colour: str, edge: str) -> None:
    """A flat fill and a thin edge."""
    from pptx.util import Pt

    _without_theme(shape)
    shape.fill.solid()
    shape.fill.fore_color.rgb = rgb(colour)
    shape.line.color.rgb = rgb(edge)
    shape.line.width = Pt(1)


def underline(cell: Any, colour: str) -> None:
    """A hairline under a cell of a table, which the library has no word for."""
    from pptx.oxml.ns import qn

    properties = cell._tc.get_or_add_tcPr()
    line = properties.makeelement(qn("a:lnB"), {"w": "6350"})
    filling = line.makeelement(qn("a:solidFill"), {})
    filling.append(filling.makeelement(qn("a:srgbClr"), {"val": colour[1:]}))
    line.append(filling)
    properties.insert(0, line)
