"""The charts of a brief as native charts of a presentation, which a reader may open and change."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np

from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.figure_words import counted, quarters
from gpuplanner.domain.commitment.plan.highest_hours import busiest_first
from gpuplanner.domain.commitment.result import PoolPlan
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
from gpuplanner.files.brief.pptx_shapes import FAMILY, add_frame, add_line, cut, fill, rgb, set_font

POINTS_OF_CURVE: Final = 51
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
        dates = (datetime.fromtimestamp(chart.start_s + day * DAY_S, UTC) for day in range(days))
        data.categories = [f"{date.day} {date:%b}" for date in dates]
        for pool, gpus in chart.series:
            data.add_series(pool.capitalize(), [float(value) for value in gpus], "#,##0")
        colours = [POOLS[pool] for pool, _ in chart.series]
    else:
        colours = _duration_data(data, chart.plan)
    made = slide.shapes.add_chart(kind, *place, data).chart
    _look(made, colours, is_line=isinstance(chart, pages.MonthsChart))
    if kind is XL_CHART_TYPE.AREA_STACKED:
        _space_labels(made, len(made.plots[0].categories))
    if isinstance(chart, pages.BridgeChart):
        _look_of_bridge(made, chart)


def _bridge_data(data: Any, chart: pages.BridgeChart) -> list[str]:
    """Bars that float: what lies under each is a series without a fill."""
    under: list[float] = []
    over: list[float | None] = []
    level = 0.0
    for bar in chart.bars:
        if bar.usd is None:
            under.append(0.0)
            over.append(None)
            continue
        begin = 0.0 if bar.kind in ("start", "result") else level
        level = begin + bar.usd
        under.append(min(begin, level))
        over.append(abs(bar.usd))
    data.categories = [f"{bar.name} {bar.note}" for bar in chart.bars]
    data.add_series("Under", under)
    data.add_series(chart.unit, over, "#,##0")
    return ["", EXISTING]


def _look_of_bridge(made: Any, chart: pages.BridgeChart) -> None:
    """Colours each bar of a bridge by its kind and writes its text into it.

    The series below holds it up unseen.
    """
    from pptx.enum.chart import XL_LABEL_POSITION
    from pptx.util import Pt

    made.has_legend = False
    plot = made.plots[0]
    plot.gap_width = 70
    for place, bar in enumerate(chart.bars):
        point = plot.series[1].points[place]
        point.format.fill.solid()
        point.format.fill.fore_color.rgb = rgb(BAR_COLOURS[bar.kind])
        frame = point.data_label.text_frame
        frame.text = bar.text
        frame.word_wrap = False
        run = frame.paragraphs[0].runs[0] if frame.paragraphs[0].runs else None
        if run is not None:
            run.font.size, run.font.bold = Pt(10), True
            dark = bar.kind == "result"
            run.font.color.rgb = rgb("#FFFFFF" if dark else TEXT)
        point.data_label.position = XL_LABEL_POSITION.CENTER


def _duration_data(data: Any, plan: PoolPlan) -> list[str]:
    """GPUs in use at each share of the hours, busiest first, by the layer that serves them."""
    at = np.linspace(0.0, 1.0, POINTS_OF_CURVE)
    hours = len(plan.residual_gpus)
    residual = busiest_first(plan)
    gpus = residual[np.minimum(hours - 1, (at * hours).astype(np.int64))] if hours else np.zeros(len(at))
    data.categories = [f"{share:.0%}" for share in at]
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
        data.add_series(counted(months, "month"), [float(value) for value in busy], "0.0")
        colours.append(term_colour(months))
        below += sizes[months]
    data.add_series("Paid by use", [float(value) for value in np.maximum(gpus - below, 0.0)], "0.0")
    return [*colours, TERMS[0]]


def _look(made: Any, colours: Sequence[str], *, is_line: bool) -> None:
    """Thin grid, small muted labels, a legend at the foot."""
    from pptx.enum.chart import XL_LEGEND_POSITION, XL_MARKER_STYLE, XL_TICK_MARK
    from pptx.util import Pt

    made.font.name, made.font.size = FAMILY, Pt(10)
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


def _space_labels(made: Any, count: int) -> None:
    """Some ten labels along the axis, not all of them aslant; the library has no word for it."""
    from pptx.oxml.ns import qn

    axis = made.category_axis._element
    skip = axis.makeelement(qn("c:tickLblSkip"), {"val": str(max(1, round(count / 10)))})
    last = axis.find(qn("c:noMultiLvlLbl"))
    if last is None:
        axis.append(skip)
    else:
        last.addprevious(skip)


NAME_POINTS: Final = 10
WIDEST_NAMES_IN: Final = 3.6
LONGEST_NAME: Final = 56
"""Characters of a name that have room there."""


def _timeline(slide: Any, chart: pages.TimelineChart, place: Sequence[Any]) -> None:
    """Bars and marks as shapes: a presentation has no chart of this kind."""
    from pptx.enum.shapes import MSO_SHAPE
    from pptx.util import Emu, Inches

    left, top, width, height = place
    longest = max((width_in_points(row.name, NAME_POINTS) for row in chart.rows), default=0.0) / 72
    names, head = Inches(min(WIDEST_NAMES_IN, max(1.2, longest + 0.1))), Inches(0.3)
    row_height = (height - head) // max(1, len(chart.rows))
    row_height = min(row_height, Inches(0.32))
    foot = top + head + row_height * len(chart.rows)

    def x_of(at_s: int) -> Any:
        """Where an instant in UTC seconds stands on the slide.

        What lies outside the chart's span stands at its edge.
        """
        share = min(1.0, max(0.0, (at_s - chart.begin_s) / (chart.end_s - chart.begin_s)))
        return Emu(round(left + names + share * (width - names)))

    for at_s, words in quarters(chart.begin_s, chart.end_s):
        add_line(slide, (x_of(at_s), top + head), (x_of(at_s), foot), GRID, 0.75)
        _label(slide, words, (x_of(at_s) - Inches(0.35), top, Inches(0.7), head), 9, MUTED, is_centred=True)
    for number, row in enumerate(chart.rows):
        begin = top + head + row_height * number
        _label(slide, row.name, (left, begin, names, row_height), NAME_POINTS, TEXT)
        for span in row.spans:
            last = chart.end_s if span.end_s is None else span.end_s
            if last <= chart.begin_s or span.start_s >= chart.end_s:
                continue
            colour = TERMS[0] if span.is_by_use else term_colour(span.term_months)
            bar = slide.shapes.add_shape(
                MSO_SHAPE.RECTANGLE,
                x_of(span.start_s),
                begin + row_height // 4,
                max(Emu(9525), x_of(last) - x_of(span.start_s)),
                row_height // 2,
            )
            fill(bar, "#FFFFFF" if span.is_planned else colour, colour if span.is_planned else EDGE)
        if row.order_by_s is not None and row.order_by_s <= chart.end_s:
            size = Inches(0.16)
            mark = slide.shapes.add_shape(
                MSO_SHAPE.DIAMOND,
                x_of(row.order_by_s) - size // 2,
                begin + (row_height - size) // 2,
                size,
                size,
            )
            is_late = row.order_by_s // DAY_S < chart.written_s // DAY_S  # what is due today is not late
            fill(mark, RED if is_late else TEXT, "#FFFFFF")
    if chart.begin_s <= chart.written_s <= chart.end_s:
        x = x_of(chart.written_s)
        add_line(slide, (x, top + head), (x, foot), TEXT, 1.25)
        wide = Inches(1.0)
        _label(slide, "Written", (x - wide // 2, foot, wide, Inches(0.18)), 8, TEXT, is_centred=True)


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
