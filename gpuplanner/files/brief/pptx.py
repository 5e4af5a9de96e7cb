"""The brief as a presentation: native shapes, tables and charts on slides read from the back of a room."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np

from gpuplanner.domain.brief import pages
from gpuplanner.domain.commitment.plan.layers import busiest_first, held_terms
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.words.terms import term_name
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.errors import Cancelled
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.domain.reports.plan_layers import EXISTING_SHORTLY
from gpuplanner.files.brief import sheets
from gpuplanner.files.system.output_file import place_of, write_output
from gpuplanner.files.workbook.kit.looks import safe_text

# --- What stands on a slide: text, lines, filled boxes, and native charts, which a reader may open and change

LONGEST_DESCRIPTION: Final = 1000
_DECORATIVE: Final = (
    '<a:extLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
    '<a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}">'
    '<adec:decorative xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/>'
    "</a:ext></a:extLst>"
)


def rgb(colour: str) -> Any:
    """A colour of the form #RRGGBB."""
    from pptx.dml.color import RGBColor

    return RGBColor.from_string(colour[1:])  # type: ignore[no-untyped-call]


def add_frame(slide: Any, place: Sequence[Any]) -> Any:
    """An empty text frame without margins; place: left, top, width, height."""
    frame = slide.shapes.add_textbox(*place).text_frame
    frame.word_wrap = True
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    return frame


def set_font(font: Any, points: float, colour: str, *, is_bold: bool = False) -> None:
    """Size, colour and weight."""
    from pptx.util import Pt

    font.name, font.size, font.bold = sheets.FAMILY, Pt(points), is_bold
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
    _named(shape).set("descr", sheets.cut(words, LONGEST_DESCRIPTION))


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


# ---------------------------------------------------------------- charts

POINTS_OF_CURVE: Final = 51
CHART_POINTS: Final = 12
"""Of all words in a chart."""
PERCENT_APART: Final = 20
ROOM_FOR_WORDS: Final = 0.25
"""Of the highest bar: where the text of a bar stands, above it."""
BAR_COLOURS: Final = {"start": sheets.EXISTING, "step": "#BABBBE", "scaled": "#E8E9E9", "result": "#3A3E45"}


def add_chart(slide: Any, chart: pages.Chart, place: Sequence[Any]) -> None:
    """Draw a chart of the brief at a place: left, top, width, height."""
    if isinstance(chart, pages.TimelineChart):
        _timeline(slide, chart, place)
        return
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE

    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    kind = XL_CHART_TYPE.AREA_STACKED
    colours: list[str]
    if isinstance(chart, pages.MonthsChart):
        kind = XL_CHART_TYPE.LINE
        data.categories = [str(month) for month in chart.months]
        for line in chart.lines:
            data.add_series(str(line.name), line.usd, "#,##0")
        colours = [sheets.TEXT if line.is_main else sheets.EDGE for line in chart.lines]
    elif isinstance(chart, pages.BridgeChart):
        kind = XL_CHART_TYPE.COLUMN_STACKED
        colours = add_bridge_series(data, chart)
    elif isinstance(chart, pages.DemandChart):
        days = len(chart.series[0][1]) if chart.series else 0
        data.categories = range(days) if chart.start_s is None else _dates(chart.start_s, days)
        for pool, gpus in chart.series:
            data.add_series(str(POOL_TITLES[pool]), [float(value) for value in gpus], "#,##0")
        colours = [sheets.POOLS[pool] for pool, _ in chart.series]
    else:
        colours = _duration_data(data, chart.plan)
    frame = slide.shapes.add_chart(kind, *place, data)
    describe(frame, str(pages.block_words(chart)))
    made = frame.chart
    _look(made, colours, is_line=isinstance(chart, pages.MonthsChart))
    if isinstance(chart, pages.BridgeChart):
        _look_of_bridge(made, chart)
    elif isinstance(chart, pages.DemandChart):
        days = len(made.plots[0].categories)
        if chart.start_s is None:
            _along_days(made, '"day "0', 30 if days > sheets.SHORT_LOG_DAYS else 7, "days")
        else:
            _along_days(made, "d mmm", *((1, "months") if days > sheets.SHORT_LOG_DAYS else (7, "days")))
    elif isinstance(chart, pages.DurationChart):
        _along_days(made, '0"%"', PERCENT_APART, "days")
    _with_lawful_ids(made)


def _dates(start_s: int, days: int) -> list[date]:
    """So many days of the calendar, UTC, from that of an instant on; start_s: epoch seconds."""
    return [datetime.fromtimestamp(start_s + day * DAY_S, UTC).date() for day in range(days)]


def add_bridge_series(data: Any, chart: pages.BridgeChart) -> list[str]:
    """Add the bars of a bridge as stacked series, and return the color of each series.

    Two series have no fill: the space under each bar, and the space for the words above.

    Stacked bars grow from zero to both sides, so what is below zero is a series of its own.
    """
    under: list[float] = []
    above: list[float | None] = []
    below: list[float | None] = []
    level = 0.0
    for bar in chart.bars:
        begin = 0.0 if bar.kind in ("start", "result") else level
        level = begin + (bar.usd or 0.0)
        low, high = sorted((begin, level))
        is_known = bar.usd is not None
        under.append(low if low > 0 else min(high, 0.0))
        above.append(high - max(low, 0.0) if is_known and high > 0 else None)
        below.append(low - min(high, 0.0) if is_known and low < 0 else None)
    reach = max(map(abs, (1.0, *under, *(usd for usd in (*above, *below) if usd is not None))))
    data.categories = [str(pages.bar_name(bar)) for bar in chart.bars]
    data.add_series("Held up by", under)
    data.add_series(str(chart.unit), above, "#,##0")
    data.add_series(f"{chart.unit}, below 0", below, "#,##0")
    data.add_series("Room for words", [ROOM_FOR_WORDS * reach] * len(chart.bars))
    return ["", sheets.EXISTING, sheets.EXISTING, ""]


def _look_of_bridge(made: Any, chart: pages.BridgeChart) -> None:
    """Colours each bar of a bridge by its kind and writes its text above it."""
    from pptx.enum.chart import XL_LABEL_POSITION, XL_TICK_LABEL_POSITION
    from pptx.util import Pt

    made.has_legend = False
    plot = made.plots[0]
    plot.gap_width = 70
    for place, bar in enumerate(chart.bars):
        for series in (plot.series[1], plot.series[2]):
            filling = series.points[place].format.fill
            filling.solid()
            filling.fore_color.rgb = rgb(BAR_COLOURS[bar.kind])
        label = plot.series[3].points[place].data_label
        frame = label.text_frame
        frame.text = str(bar.text)
        frame.word_wrap = False
        for run in frame.paragraphs[0].runs:
            run.font.size, run.font.bold = Pt(CHART_POINTS), True
            run.font.color.rgb = rgb(sheets.TEXT)
        label.position = XL_LABEL_POSITION.INSIDE_BASE
    if any(usd is not None for usd in plot.series[2].values):
        made.value_axis.minimum_scale = None
        made.category_axis.tick_label_position = XL_TICK_LABEL_POSITION.LOW


def _duration_data(data: Any, plan: PoolPlan) -> list[str]:
    """GPUs in use at each share of the hours, busiest first, by the layer that serves them."""
    at = np.linspace(0.0, 1.0, POINTS_OF_CURVE)
    residual, runs = busiest_first(plan), plan.apart
    hours = len(residual)
    gpus = residual[np.minimum(hours - 1, (at * hours).astype(np.int64))] if hours else np.zeros(len(at))
    data.categories = [round(100 * share) for share in at]
    colours, below = [], 0.0
    for layer in plan.layers:
        if layer.existing and layer.gpus:
            data.add_series(str(EXISTING_SHORTLY), [float(layer.gpus)] * len(at), "0.0")
            colours.append(sheets.EXISTING)
    if runs is not None and runs.gpus:
        data.add_series("Planned runs", [runs.gpus] * len(at), "0.0")
        colours.append(sheets.TERMS[0])
    for months, (size, _) in held_terms(plan).items():
        busy = np.clip(gpus - below, 0.0, size)
        data.add_series(str(term_name(plan, months)), [float(value) for value in busy], "0.0")
        colours.append(sheets.term_colour(months))
        below += size
    data.add_series(str(titles.ON_DEMAND), [float(value) for value in np.maximum(gpus - below, 0.0)], "0.0")
    return [*colours, sheets.TERMS[0]]


def _look(made: Any, colours: Sequence[str], *, is_line: bool) -> None:
    """Thin grid, small muted labels, a legend at the foot."""
    from pptx.enum.chart import XL_LEGEND_POSITION, XL_MARKER_STYLE, XL_TICK_MARK
    from pptx.util import Pt

    made.font.name, made.font.size = sheets.FAMILY, Pt(CHART_POINTS)
    made.font.color.rgb = rgb(sheets.MUTED)
    made.has_title = False
    made.has_legend = True
    made.legend.position = XL_LEGEND_POSITION.BOTTOM
    made.legend.include_in_layout = False
    made.value_axis.major_gridlines.format.line.color.rgb = rgb(sheets.GRID)
    made.value_axis.format.line.fill.background()
    made.value_axis.minimum_scale = 0
    made.value_axis.tick_labels.number_format = "#,##0"
    made.value_axis.tick_labels.number_format_is_linked = False
    made.category_axis.format.line.color.rgb = rgb(sheets.EDGE)
    made.category_axis.major_tick_mark = XL_TICK_MARK.NONE
    made.category_axis.tick_labels.font.size = Pt(CHART_POINTS)
    made.category_axis._element.txPr.bodyPr.set("rot", "0")  # never aslant
    for series, colour in zip(made.plots[0].series, colours, strict=True):
        if is_line:
            series.smooth = False
            series.format.line.color.rgb = rgb(colour)
            series.format.line.width = Pt(2.25 if colour == sheets.TEXT else 1.5)
            series.marker.style = XL_MARKER_STYLE.NONE
        elif colour:
            series.format.fill.solid()
            series.format.fill.fore_color.rgb = rgb(colour)
        else:
            series.format.fill.background()


def _along_days(made: Any, written: str, every: int, unit: str) -> None:
    """Makes of the axis under an area one of days, whose labels stand so far apart that none is aslant.

    every: days or months from label to label; unit: of it; written: the format of a label. The library makes such axes
    of dates alone, and knows no word for the distance.
    """
    from pptx.oxml.ns import qn

    for cached in made._chartSpace.xpath("//c:cat//c:formatCode"):
        cached.text = "d"  # what has no format of a date is told by no program along such an axis
    axis = made.category_axis._element
    axis.tag = qn("c:dateAx")
    for name in ("c:lblAlgn", "c:noMultiLvlLbl", "c:baseTimeUnit"):
        for axis_part in axis.findall(qn(name)):
            axis.remove(axis_part)
    form = axis.find(qn("c:numFmt"))
    form.set("formatCode", written)
    form.set("sourceLinked", "0")
    axis.find(qn("c:auto")).set("val", "0")
    for name, value in (("baseTimeUnit", "days"), ("majorUnit", str(every)), ("majorTimeUnit", unit)):
        axis.append(axis.makeelement(qn(f"c:{name}"), {"val": value}))


def _with_lawful_ids(made: Any) -> None:
    """Numbers of axes may not be below zero; those of the library are."""
    from pptx.oxml.ns import qn

    for name in ("c:axId", "c:crossAx"):
        for element in made._chartSpace.iter(qn(name)):
            element.set("val", str(abs(int(element.get("val")))))


NAME_POINTS: Final = 12
WIDEST_NAMES_IN: Final = 4.2
LONGEST_NAME: Final = 56
"""Characters of a name that have room there."""


def _name_in_room(row: pages.TimeRow) -> str:
    """The name of a line; that it is overdue is not told by a colour alone."""
    return f"{row.name}, overdue" if row.is_overdue else str(row.name)


def _timeline(slide: Any, chart: pages.TimelineChart, place: Sequence[Any]) -> None:
    """Bars and marks as shapes: a presentation has no chart of this kind."""
    from pptx.enum.shapes import MSO_SHAPE
    from pptx.util import Emu, Inches

    bars = slide.shapes.add_group_shape()
    describe(bars, str(pages.block_words(chart)))
    left, top, width, height = place
    longest = (
        max((sheets.width_in_points(_name_in_room(row), NAME_POINTS) for row in chart.rows), default=0.0) / 72
    )
    names, head = Inches(min(WIDEST_NAMES_IN, max(1.2, longest + 0.1))), Inches(0.3)
    row_height = (height - head - Inches(0.22)) // max(1, len(chart.rows))  # the day of writing stands below
    row_height = min(row_height, Inches(0.36))
    foot = top + head + row_height * len(chart.rows)

    def x_of(at_s: int) -> Any:
        """Where an instant in UTC seconds stands on the slide.

        What lies outside the chart's span stands at its edge.
        """
        share = min(1.0, max(0.0, (at_s - chart.begin_s) / (chart.end_s - chart.begin_s)))
        return Emu(round(left + names + share * (width - names)))

    for at_s, words in pages.quarters(chart.begin_s, chart.end_s):
        add_line(bars, (x_of(at_s), top + head), (x_of(at_s), foot), sheets.GRID, 0.75)
        _label(
            bars,
            str(words),
            (x_of(at_s) - Inches(0.35), top, Inches(0.7), head),
            CHART_POINTS,
            sheets.MUTED,
            is_centred=True,
        )
    for number, row in enumerate(chart.rows):
        begin = top + head + row_height * number
        _label(bars, _name_in_room(row), (left, begin, names, row_height), NAME_POINTS, sheets.TEXT)
        for span in row.spans:
            last = chart.end_s if span.end_s is None else span.end_s
            if last <= chart.begin_s or span.start_s >= chart.end_s:
                continue
            colour = sheets.TERMS[0] if span.is_by_use else sheets.term_colour(span.term_months)
            bar = bars.shapes.add_shape(
                MSO_SHAPE.RECTANGLE,
                x_of(span.start_s),
                begin + row_height // 4,
                max(Emu(9525), x_of(last) - x_of(span.start_s)),
                row_height // 2,
            )
            fill(bar, "#FFFFFF" if span.is_planned else colour, colour if span.is_planned else sheets.EDGE)
        if row.order_by_s is not None and row.order_by_s <= chart.end_s:
            size = Inches(0.16)
            mark = bars.shapes.add_shape(
                MSO_SHAPE.DIAMOND,
                x_of(row.order_by_s) - size // 2,
                begin + (row_height - size) // 2,
                size,
                size,
            )
            fill(mark, sheets.RED if row.is_overdue else sheets.TEXT, "#FFFFFF")
    if chart.begin_s <= chart.written_s <= chart.end_s:
        x = x_of(chart.written_s)
        add_line(bars, (x, top + head), (x, foot), sheets.TEXT, 1.25)
        wide = Inches(1.0)
        _label(
            bars,
            "Written",
            (x - wide // 2, foot, wide, Inches(0.22)),
            CHART_POINTS,
            sheets.TEXT,
            is_centred=True,
        )


def _label(
    slide: Any, words: str, place: Sequence[Any], points: float, colour: str, *, is_centred: bool = False
) -> None:
    """A name beside or within a chart, in the middle of its height."""
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN

    frame = add_frame(slide, place)
    frame.vertical_anchor = MSO_ANCHOR.MIDDLE
    frame.text = sheets.cut(words, LONGEST_NAME)
    paragraph = frame.paragraphs[0]
    paragraph.alignment = PP_ALIGN.CENTER if is_centred else PP_ALIGN.LEFT
    set_font(paragraph.font, points, colour)


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
    deck = empty_deck(sheets.WIDTH_IN, sheets.HEIGHT_IN)
    sheets.set_properties(deck.core_properties, brief)
    slides = sheets.sheets_of(brief)
    for number, sheet in enumerate(slides, start=1):
        if is_cancelled is not None and is_cancelled():
            raise Cancelled
        _slide(deck.slides.add_slide(deck.slide_layouts[0]), brief, sheet, f"{number} / {len(slides)}")
        if on_progress is not None:
            on_progress(number / len(slides), "Writing the brief")
    held = BytesIO()  # an archive that is packed into a file would fail again, later, where its disk is full
    deck.save(held)
    write_output(path, held.getvalue())


def _slide(slide: Any, brief: pages.Brief, sheet: sheets.Sheet, count: str) -> None:
    """Title, kicker, head and rule, the figures and blocks, and the foot; count: which slide of how many."""
    height = sheets.title_height(sheet.title, sheet.title_points)
    _title(slide, sheet, height)
    half, foot = sheets.INSIDE_IN / 2, sheets.HEIGHT_IN - 0.45
    _text(
        slide,
        sheet.kicker.upper(),
        (sheets.MARGIN_IN, 0.28, half, 0.25),
        sheets.LEAST_POINTS,
        sheets.ACCENT,
        is_bold=True,
    )
    _text(
        slide,
        str(brief.head),
        (sheets.MARGIN_IN + half, 0.28, half, 0.25),
        sheets.LEAST_POINTS,
        sheets.MUTED,
        is_right=True,
    )
    begin, end = (
        _inches((sheets.MARGIN_IN, 0.6 + height + 0.08)),
        _inches((sheets.WIDTH_IN - sheets.MARGIN_IN, 0.6 + height + 0.08)),
    )
    decorate(add_line(slide, (begin[0], begin[1]), (end[0], end[1]), sheets.GRID, 1))
    if sheet.figures:
        _figures(slide, sheet.figures, 0.6 + height + 0.08 + sheets.GAP_IN)
    top = sheet.top_in
    for row, high in zip(sheet.rows, sheet.heights, strict=True):
        left = sheets.MARGIN_IN
        for block, width in zip(row, sheets.widths_of(row), strict=True):
            _block(slide, block, (left, top, width, high), sheet.points)
            left += width + sheets.GAP_IN
        top += high + sheets.GAP_IN
    wide = sheets.INSIDE_IN * 0.9
    _text(slide, str(brief.foot), (sheets.MARGIN_IN, foot, wide, 0.25), sheets.LEAST_POINTS, sheets.MUTED)
    place = (sheets.MARGIN_IN + wide, foot, sheets.INSIDE_IN - wide, 0.25)
    _text(slide, count, place, sheets.LEAST_POINTS, sheets.MUTED, is_right=True)


def _title(slide: Any, sheet: sheets.Sheet, height: float) -> None:
    """The title in its placeholder, so that outlines and readers aloud find it."""
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN

    shape = slide.shapes.title
    shape.left, shape.top, shape.width, shape.height = _inches(
        (sheets.MARGIN_IN, 0.6, sheets.title_width(sheet.title, sheet.title_points), height)
    )
    frame = shape.text_frame
    frame.text = sheets.cut(sheet.title, LONGEST_LINE)
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    frame.paragraphs[0].alignment = PP_ALIGN.LEFT
    set_font(frame.paragraphs[0].font, sheet.title_points, sheets.TEXT, is_bold=True)


def _figures(slide: Any, figures: Sequence[pages.LargeFigure], top: float) -> None:
    """The large figures side by side in equal shares of the width.

    Title, unit, figure and note under each other.
    """
    width = sheets.INSIDE_IN / len(figures)
    for place, figure in enumerate(figures):
        left, inner = sheets.MARGIN_IN + place * width, width - 0.15
        _text(
            slide, str(figure.title), (left, top, inner, 0.22), sheets.LEAST_POINTS, sheets.TEXT, is_bold=True
        )
        _text(slide, str(figure.unit), (left, top + 0.21, inner, 0.2), sheets.LEAST_POINTS, sheets.MUTED)
        _text(
            slide, str(figure.text), (left, top + 0.41, inner, 0.44), FIGURE_POINTS, sheets.TEXT, is_bold=True
        )
        _text(
            slide,
            str(figure.note),
            (left, top + 0.86, inner, sheets.figures_in(figures) - 0.95),
            sheets.LEAST_POINTS,
            sheets.MUTED,
        )


def _block(slide: Any, block: pages.Block, place: tuple[float, float, float, float], points: float) -> None:
    """One block at its place (left, top, width, height in inches): its title, then its text, table or chart."""
    left, top, width, height = place
    head = sheets.HEAD_IN if block.title else 0.0
    if block.title:
        _text(slide, str(block.title), (left, top, width, 0.26), points, sheets.TEXT, is_bold=True)
    if isinstance(block, pages.TextBlock):
        _paragraphs(slide, block, (left, top + head, width, height - head), points)
    elif isinstance(block, pages.TableBlock):
        _table(slide, block, (left, top + head, width), sheets.table_points(points))
    else:
        add_chart(slide, block, _inches((left, top + head, width, height - head)))


def _table(slide: Any, block: pages.TableBlock, place: tuple[float, float, float], points: float) -> None:
    """A native table at its place (left, top, width in inches), first row and total in bold.

    Its height is that of its rows.
    """
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Inches

    left, top, width = place
    heights = sheets.row_heights(block, width, points)
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
    for at, room in enumerate(sheets.column_widths_of(block, width, points)):
        table.columns[at].width = Inches(room)
    for number, (row, high) in enumerate(zip(rows, heights, strict=True)):
        table.rows[number].height = Inches(high)
        is_strong = (
            number == 0 or number - 1 in block.subtotals or (bool(block.total) and number == len(rows) - 1)
        )
        for at, (text, column) in enumerate(zip(row, block.columns, strict=True)):
            cell = table.cell(number, at)
            cell.margin_left = cell.margin_right = Inches(sheets.CELL_PAD_IN)
            cell.margin_top = cell.margin_bottom = Inches(0.015)
            cell.vertical_anchor = MSO_ANCHOR.BOTTOM if number == 0 else MSO_ANCHOR.MIDDLE
            cell.text = sheets.cut(str(text), sheets.LONGEST_CELL)
            paragraph = cell.text_frame.paragraphs[0]
            paragraph.alignment = PP_ALIGN.RIGHT if column.is_number else PP_ALIGN.LEFT
            colour = sheets.MUTED if number == 0 else sheets.TEXT
            if number - 1 in block.urgent and at == block.day_column:
                colour = sheets.RED
            set_font(paragraph.font, points, colour, is_bold=is_strong)
            is_ruled = block.is_form or number == 0 or (bool(block.total) and number == len(rows) - 2)
            underline(cell, sheets.EDGE if is_ruled else sheets.GRID)
    if block.note:
        place_of_note = (left, top + sum(heights) + 0.04, width, sheets.note_height(block.note, width))
        _text(slide, str(block.note), place_of_note, sheets.LEAST_POINTS, sheets.MUTED)


NO_STYLE: Final = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"
"""The table style that draws nothing."""


def _paragraphs(
    slide: Any, block: pages.TextBlock, place: tuple[float, float, float, float], points: float
) -> None:
    """Sentences as paragraphs of one frame, six points between them; a warning in amber."""
    from pptx.util import Inches, Pt

    frame, colour = add_frame(slide, _inches(place)), sheets.TEXT
    if block.is_warning:
        colour = sheets.AMBER
        frame.margin_left = frame.margin_right = frame.margin_top = Inches(sheets.FRAME_IN)
        shape = slide.shapes[-1]
        shape.fill.solid()
        shape.fill.fore_color.rgb = rgb(sheets.AMBER_GROUND)
        shape.line.color.rgb = rgb(sheets.AMBER)
    for number, sentence in enumerate(block.sentences):
        paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        paragraph.text = safe_text(sentence)
        paragraph.space_after = Pt(6)
        set_font(paragraph.font, points, colour)


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
    frame.text = sheets.cut(text, LONGEST_LINE)
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
