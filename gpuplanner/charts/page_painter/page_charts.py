"""Charts of the window on a page."""

from datetime import UTC, datetime

import numpy as np
from PySide6.QtCore import QPoint, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QGraphicsView, QWidget

from gpuplanner.charts.page_painter.page_look import HOURS_PER_DAY, NAMES_GAP, Look
from gpuplanner.charts.plots.demand_over_time import DemandSeries, StackedDemandChart
from gpuplanner.charts.plots.load_duration import CurveLook, LoadDurationChart, curve_of
from gpuplanner.charts.plots.month_lines import MonthLine, MonthLinesChart
from gpuplanner.charts.plots.timeline import Mark, Span, TimelineChart, TimelineRow
from gpuplanner.charts.plots.waterfall import Step, WaterfallPlot
from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.pages import day_of_log, quarters
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.brief import sheets


def draw_chart(painter: QPainter, place: QRectF, chart: pages.Chart, look: Look) -> None:
    """The window's own chart, painted as vectors."""
    widget = widget_of(chart, look)
    painter.save()
    try:
        widget.resize(round(place.width()), round(place.height()))
        widget.show()  # it lays itself out; nothing comes to the screen
        if isinstance(widget, LoadDurationChart | MonthLinesChart | StackedDemandChart):
            assert isinstance(widget, QGraphicsView)  # a plot paints its scene, not itself
            target = QRectF(place.topLeft(), QSizeF(widget.viewport().size()))
            widget.scene().prepareForPaint()  # type: ignore[attr-defined] # pyqtgraph's own scene
            aspect = Qt.AspectRatioMode.IgnoreAspectRatio
            QGraphicsView.render(widget, painter, target, widget.viewport().rect(), aspect)
        else:
            painter.translate(place.topLeft())
            QWidget.render(widget, painter, QPoint(0, 0))
    finally:
        painter.restore()
        widget.hide()
        widget.deleteLater()


def widget_of(chart: pages.Chart, look: Look) -> QWidget:
    """The chart of the window that shows the same, as a widget that is never shown, to be painted on a page."""
    made = _made(chart, look)
    made.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return made


def _made(chart: pages.Chart, look: Look) -> QWidget:
    if isinstance(chart, pages.BridgeChart):
        plot = WaterfallPlot(str(chart.title), look.chart_colours, is_wrapped=True)
        plot.show_steps(
            [
                Step(
                    name=str(bar.name), note=str(bar.note), amount=bar.usd, kind=bar.kind, label=str(bar.text)
                )
                for bar in chart.bars
            ]
        )
        return plot
    if isinstance(chart, pages.DurationChart):
        curve = LoadDurationChart(look.chart_colours)
        curve.show_curve(curve_of(chart.plan, _curve_look(chart.plan, look), can_move=False))
        return curve
    if isinstance(chart, pages.MonthsChart):
        return _months(chart, look)
    return _demand(chart, look) if isinstance(chart, pages.DemandChart) else _timeline(chart, look)


def _months(chart: pages.MonthsChart, look: Look) -> QWidget:
    colours = look.chart_colours
    plot = MonthLinesChart(colours)
    strong = QFontMetricsF(colours.strong)
    plot.names_axis.setWidth(
        NAMES_GAP + max(strong.horizontalAdvance(str(line.name)) for line in chart.lines)
    )
    solid, dash = Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine
    lines = [
        MonthLine(str(line.name), line.usd, line.is_main, solid if line.is_main else dash)
        for line in chart.lines
    ]
    plot.show_lines(lines, tuple(map(str, chart.months)), chart.at)
    return plot


def _demand(chart: pages.DemandChart, look: Look) -> QWidget:
    """Days as hours, for the chart knows hours; ticks at months, of a short log also at weeks."""
    plot = StackedDemandChart(look.chart_colours)
    series = [
        DemandSeries(look.say(POOL_TITLES[pool]), look.pools[pool], np.repeat(values, HOURS_PER_DAY))
        for pool, values in chart.series
    ]
    days = len(chart.series[0][1]) if chart.series else 0
    ticks = [
        (float(day * HOURS_PER_DAY), look.say(day_of_log(chart.start_s, day)))
        for day in range(days)
        if _has_tick(chart.start_s, day, days)
    ]
    plot.show_series(series, lambda low, high: ticks, lambda hour, hours: "")
    return plot


def _has_tick(start_s: int | None, day: int, days: int) -> bool:
    """Whether a day of the log has a name under it: firsts of months, of a short log also of weeks."""
    if start_s is None:
        return day % (30 if days > sheets.SHORT_LOG_DAYS else 7) == 0
    at = datetime.fromtimestamp(start_s + day * DAY_S, UTC)
    return at.day == 1 or (days <= sheets.SHORT_LOG_DAYS and at.day in (8, 15, 22))


def _curve_look(plan: PoolPlan, look: Look) -> CurveLook:
    """What the load duration curve of a row is drawn with."""
    line = look.pools[plan.pool]
    return CurveLook(
        existing=look.existing,
        term=look.term,
        by_use=look.terms[0],
        hatch=look.hatch,
        unserved=look.red,
        ground=look.ground,
        line=line,
        say=look.say,
    )


def _timeline(chart: pages.TimelineChart, look: Look) -> QWidget:
    plot = TimelineChart(str(chart.title), look.chart_colours, look.red)
    ticks = [(at_s, look.say(words)) for at_s, words in quarters(chart.begin_s, chart.end_s)]
    today = (chart.written_s, look.say(worded("Written")))
    rows = [_timeline_row(row, look) for row in chart.rows]
    plot.show_rows(rows, chart.begin_s, chart.end_s, ticks, today)
    return plot


def _timeline_row(row: pages.TimeRow, look: Look) -> TimelineRow:
    """A line of the timeline with its mark, which says by its colour and a sign what is overdue."""
    spans = tuple(
        Span(
            start_s=span.start_s,
            end_s=span.end_s,
            colour=look.term(0 if span.is_by_use else span.term_months),
            is_pale=span.is_planned,
            is_hatched=span.is_by_use,
        )
        for span in row.spans
    )
    by_s, name = row.order_by_s, str(row.name)
    marks = () if by_s is None else (Mark(by_s, True, row.is_overdue),)
    return TimelineRow(key=name, name=name, spans=spans, marks=marks, tip=name)
