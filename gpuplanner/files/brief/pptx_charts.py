"""The charts of a brief as native charts of a presentation, which a reader may open and change."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

import numpy as np

from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.figure_words import gpus, quarters, whole
from gpuplanner.domain.commitment.plan.highest_hours import busiest_first
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.words.term_names import term_name
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.brief.column_widths import width_in_points
from gpuplanner.files.brief.paper_colours import (
    EDGE,
    EXISTING,
    GRID,
    MUTED,
    POOLS,
    RED,
    TERMS,
    TEXT,
    term_colour,
)
from gpuplanner.files.brief.pptx_shapes import (
    FAMILY,
    add_frame,
    add_line,
    cut,
    describe,
    fill,
    rgb,
    set_font,
)

POINTS_OF_CURVE: Final = 51
CHART_POINTS: Final = 12
"""Of all words in a chart."""
SHORT_LOG_DAYS: Final = 45
"""Up to so many days of a log have a label every week, more one every month."""
PERCENT_APART: Final = 20
ROOM_FOR_WORDS: Final = 0.25
"""Of the highest bar: where the text of a bar stands, above it."""
BAR_COLOURS: Final = {"start": EXISTING, "step": "#BABBBE", "scaled": "#E8E9E9", "result": "#3A3E45"}


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
        data.categories = list(chart.months)
        for line in chart.lines:
            data.add_series(line.name, line.usd, "#,##0")
        colours = [TEXT if line.is_main else EDGE for line in chart.lines]
    elif isinstance(chart, pages.BridgeChart):
        kind = XL_CHART_TYPE.COLUMN_STACKED
        colours = _bridge_data(data, chart)
    elif isinstance(chart, pages.DemandChart):
        days = len(chart.series[0][1]) if chart.series else 0
        data.categories = range(days) if chart.start_s is None else _dates(chart.start_s, days)
        for pool, gpus in chart.series:
            data.add_series(pool.capitalize(), [float(value) for value in gpus], "#,##0")
        colours = [POOLS[pool] for pool, _ in chart.series]
    else:
        colours = _duration_data(data, chart.plan)
    frame = slide.shapes.add_chart(kind, *place, data)
    describe(frame, chart_words(chart))
    made = frame.chart
    _look(made, colours, is_line=isinstance(chart, pages.MonthsChart))
    if isinstance(chart, pages.BridgeChart):
        _look_of_bridge(made, chart)
    elif isinstance(chart, pages.DemandChart):
        days = len(made.plots[0].categories)
        if chart.start_s is None:
            _along_days(made, '"day "0', 30 if days > SHORT_LOG_DAYS else 7, "days")
        else:
            _along_days(made, "d mmm", *((1, "months") if days > SHORT_LOG_DAYS else (7, "days")))
    elif isinstance(chart, pages.DurationChart):
        _along_days(made, '0"%"', PERCENT_APART, "days")
    _with_lawful_ids(made)


def _dates(start_s: int, days: int) -> list[date]:
    """So many days of the calendar, UTC, from that of an instant on; start_s: epoch seconds."""
    return [datetime.fromtimestamp(start_s + day * DAY_S, UTC).date() for day in range(days)]


def chart_words(chart: pages.Chart) -> str:
    """A chart in words, for who does not see it: what it shows, and its amounts."""
    if isinstance(chart, pages.BridgeChart):
        said = "; ".join(f"{bar.name} {bar.note}".strip() + f" {bar.text}" for bar in chart.bars)
        return f"{chart.title}. Bars: {said}."
    if isinstance(chart, pages.MonthsChart):
        ends = "; ".join(
            f"{line.name} from {whole(line.usd[0])} to {whole(line.usd[-1])}"
            for line in chart.lines
            if line.usd
        )
        return f"{chart.title}. Lines from {chart.months[0]} to {chart.months[-1]}: {ends}."
    if isinstance(chart, pages.DemandChart):
        means = "; ".join(
            f"{pool.capitalize()} {gpus(float(values.mean()))} GPUs on average"
            for pool, values in chart.series
            if len(values)
        )
        return f"{chart.title}. Areas: {means}."
    if isinstance(chart, pages.TimelineChart):
        return f"{chart.title}. Bars: {'; '.join(_row_words(row) for row in chart.rows)}."
    plan = chart.plan
    return f"{chart.title}. Mean {gpus(plan.mean_gpus)} GPUs, highest {gpus(plan.peak_gpus)}."


def _row_words(row: pages.TimeRow) -> str:
    """A line of the timeline in words."""
    if row.order_by_s is None:
        return row.name
    return f"{row.name}, {'overdue' if row.is_overdue else f'by {day(row.order_by_s)}'}"


def _bridge_data(data: Any, chart: pages.BridgeChart) -> list[str]:
    """Bars that float: what lies under each is a series without a fill, and so is the room for words above it.

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
    reach = max(map(abs, (*under, *(usd for usd in (*above, *below) if usd is not None))), default=1.0)
    data.categories = [f"{bar.name} {bar.note}".strip() for bar in chart.bars]
    data.add_series("Held up by", under)
    data.add_series(chart.unit, above, "#,##0")
    data.add_series(f"{chart.unit}, below 0", below, "#,##0")
    data.add_series("Room for words", [ROOM_FOR_WORDS * reach] * len(chart.bars))
    return ["", EXISTING, EXISTING, ""]


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
        frame.text = bar.text
        frame.word_wrap = False
        for run in frame.paragraphs[0].runs:
            run.font.size, run.font.bold = Pt(CHART_POINTS), True
            run.font.color.rgb = rgb(TEXT)
        label.position = XL_LABEL_POSITION.INSIDE_BASE
    if any(usd is not None for usd in plot.series[2].values):
        made.value_axis.minimum_scale = None
        made.category_axis.tick_label_position = XL_TICK_LABEL_POSITION.LOW


def _duration_data(data: Any, plan: PoolPlan) -> list[str]:
    """GPUs in use at each share of the hours, busiest first, by the layer that serves them."""
    at = np.linspace(0.0, 1.0, POINTS_OF_CURVE)
    hours = len(plan.residual_gpus)
    residual = busiest_first(plan)
    gpus = residual[np.minimum(hours - 1, (at * hours).astype(np.int64))] if hours else np.zeros(len(at))
    data.categories = [round(100 * share) for share in at]
    colours, below = [], 0.0
    for layer in plan.layers:
        if layer.existing and layer.gpus:
            data.add_series("Existing", [float(layer.gpus)] * len(at), "0.0")
            colours.append(EXISTING)
    sizes: dict[int, float] = {}
    for layer in plan.layers:
        if not layer.existing and layer.term_months and layer.gpus:
            sizes[layer.term_months] = sizes.get(layer.term_months, 0.0) + layer.gpus
    for months in sorted(sizes, reverse=True):
        busy = np.clip(gpus - below, 0.0, sizes[months])
        data.add_series(str(term_name(plan, months)), [float(value) for value in busy], "0.0")
        colours.append(term_colour(months))
        below += sizes[months]
    data.add_series("Paid by use", [float(value) for value in np.maximum(gpus - below, 0.0)], "0.0")
    return [*colours, TERMS[0]]


def _look(made: Any, colours: Sequence[str], *, is_line: bool) -> None:
    """Thin grid, small muted labels, a legend at the foot."""
    from pptx.enum.chart import XL_LEGEND_POSITION, XL_MARKER_STYLE, XL_TICK_MARK
    from pptx.util import Pt

    made.font.name, made.font.size = FAMILY, Pt(CHART_POINTS)
    made.font.color.rgb = rgb(MUTED)
    made.has_title = False
    made.has_legend = True
    made.legend.position = XL_LEGEND_POSITION.BOTTOM
    made.legend.include_in_layout = False
    made.value_axis.major_gridlines.format.line.color.rgb = rgb(GRID)
    made.value_axis.format.line.fill.background()
    made.value_axis.minimum_scale = 0
    made.value_axis.tick_labels.number_format = "#,##0"
    made.value_axis.tick_labels.number_format_is_linked = False
    made.category_axis.format.line.color.rgb = rgb(EDGE)
    made.category_axis.major_tick_mark = XL_TICK_MARK.NONE
    made.category_axis.tick_labels.font.size = Pt(CHART_POINTS)
    made.category_axis._element.txPr.bodyPr.set("rot", "0")  # never aslant
    for series, colour in zip(made.plots[0].series, colours, strict=True):
        if is_line:
            series.smooth = False
            series.format.line.color.rgb = rgb(colour)
            series.format.line.width = Pt(2.25 if colour == TEXT else 1.5)
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
        for one in axis.findall(qn(name)):
            axis.remove(one)
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
        for one in made._chartSpace.iter(qn(name)):
            one.set("val", str(abs(int(one.get("val")))))


NAME_POINTS: Final = 12
WIDEST_NAMES_IN: Final = 4.2
LONGEST_NAME: Final = 56
"""Characters of a name that have room there."""


def _name_in_room(row: pages.TimeRow) -> str:
    """The name of a line; that it is overdue is not told by a colour alone."""
    return f"{row.name}, overdue" if row.is_overdue else row.name


def _timeline(slide: Any, chart: pages.TimelineChart, place: Sequence[Any]) -> None:
    """Bars and marks as shapes: a presentation has no chart of this kind."""
    from pptx.enum.shapes import MSO_SHAPE
    from pptx.util import Emu, Inches

    bars = slide.shapes.add_group_shape()
    describe(bars, chart_words(chart))
    left, top, width, height = place
    longest = max((width_in_points(_name_in_room(row), NAME_POINTS) for row in chart.rows), default=0.0) / 72
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

    for at_s, words in quarters(chart.begin_s, chart.end_s):
        add_line(bars, (x_of(at_s), top + head), (x_of(at_s), foot), GRID, 0.75)
        _label(
            bars,
            words,
            (x_of(at_s) - Inches(0.35), top, Inches(0.7), head),
            CHART_POINTS,
            MUTED,
            is_centred=True,
        )
    for number, row in enumerate(chart.rows):
        begin = top + head + row_height * number
        _label(bars, _name_in_room(row), (left, begin, names, row_height), NAME_POINTS, TEXT)
        for span in row.spans:
            last = chart.end_s if span.end_s is None else span.end_s
            if last <= chart.begin_s or span.start_s >= chart.end_s:
                continue
            colour = TERMS[0] if span.is_by_use else term_colour(span.term_months)
            bar = bars.shapes.add_shape(
                MSO_SHAPE.RECTANGLE,
                x_of(span.start_s),
                begin + row_height // 4,
                max(Emu(9525), x_of(last) - x_of(span.start_s)),
                row_height // 2,
            )
            fill(bar, "#FFFFFF" if span.is_planned else colour, colour if span.is_planned else EDGE)
        if row.order_by_s is not None and row.order_by_s <= chart.end_s:
            size = Inches(0.16)
            mark = bars.shapes.add_shape(
                MSO_SHAPE.DIAMOND,
                x_of(row.order_by_s) - size // 2,
                begin + (row_height - size) // 2,
                size,
                size,
            )
            fill(mark, RED if row.is_overdue else TEXT, "#FFFFFF")
    if chart.begin_s <= chart.written_s <= chart.end_s:
        x = x_of(chart.written_s)
        add_line(bars, (x, top + head), (x, foot), TEXT, 1.25)
        wide = Inches(1.0)
        _label(
            bars, "Written", (x - wide // 2, foot, wide, Inches(0.22)), CHART_POINTS, TEXT, is_centred=True
        )


def _label(
    slide: Any, words: str, place: Sequence[Any], points: float, colour: str, *, is_centred: bool = False
) -> None:
    """A name beside or within a chart, in the middle of its height."""
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN

    frame = add_frame(slide, place)
    frame.vertical_anchor = MSO_ANCHOR.MIDDLE
    frame.text = cut(words, LONGEST_NAME)
    paragraph = frame.paragraphs[0]
    paragraph.alignment = PP_ALIGN.CENTER if is_centred else PP_ALIGN.LEFT
    set_font(paragraph.font, points, colour)
