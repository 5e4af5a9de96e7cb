"""The charts of a brief: each kind as the chart of the window that shows the same, in the colours of paper."""

from datetime import UTC, datetime
from typing import Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.brief.brief_look import print_colours
from gpuplanner.charts.plots.load_duration import LayerBand, LoadDuration, LoadDurationChart
from gpuplanner.charts.plots.month_lines import MonthLine, MonthLinesChart
from gpuplanner.charts.plots.stacked_demand import DemandSeries, StackedDemandChart
from gpuplanner.charts.plots.timeline import Mark, Span, TimelineChart, TimelineRow
from gpuplanner.charts.plots.waterfall import Step, WaterfallPlot
from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.figure_words import day_of_log, gpus, quarters
from gpuplanner.domain.commitment.plan.highest_hours import busiest_first
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.words.term_names import term_name
from gpuplanner.domain.figures import titles
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.brief.paper_colours import EXISTING, HATCH, POOLS, RED, TERMS, term_colour

HOURS_PER_DAY: Final = 24
NAMES_GAP: Final = 24
"""Pixels beside the names of lines."""


def widget_of(chart: pages.Chart) -> QWidget:
    """The chart as a widget that is never shown, to be painted on a page."""
    made = _made(chart)
    made.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return made


def _made(chart: pages.Chart) -> QWidget:
    if isinstance(chart, pages.BridgeChart):
        return _bridge(chart)
    if isinstance(chart, pages.DurationChart):
        return _duration(chart)
    if isinstance(chart, pages.MonthsChart):
        return _months(chart)
    if isinstance(chart, pages.DemandChart):
        return _demand(chart)
    return _timeline(chart)


def _bridge(chart: pages.BridgeChart) -> QWidget:
    plot = WaterfallPlot(chart.title, print_colours())
    plot.show_steps([Step(bar.name, bar.note, bar.usd, bar.kind, bar.text) for bar in chart.bars])
    return plot


def _months(chart: pages.MonthsChart) -> QWidget:
    colours = print_colours()
    plot = MonthLinesChart(colours)
    strong = QFontMetricsF(colours.strong)
    plot.names_axis.setWidth(NAMES_GAP + max(strong.horizontalAdvance(line.name) for line in chart.lines))
    dash = Qt.PenStyle.DashLine
    lines = [
        MonthLine(line.name, line.usd, line.is_main, Qt.PenStyle.SolidLine if line.is_main else dash)
        for line in chart.lines
    ]
    plot.show_lines(lines, chart.months)
    return plot


def _demand(chart: pages.DemandChart) -> QWidget:
    """Days as hours, for the chart knows hours; ticks at months, of a short log also at weeks."""
    plot = StackedDemandChart(print_colours())
    series = [
        DemandSeries(pool.capitalize(), POOLS[pool], np.repeat(values, HOURS_PER_DAY))
        for pool, values in chart.series
    ]
    days = len(chart.series[0][1]) if chart.series else 0
    ticks = [
        (float(day * HOURS_PER_DAY), day_of_log(chart.start_s, day))
        for day in range(days)
        if _has_tick(chart.start_s, day, days)
    ]
    plot.show_series(series, lambda low, high: ticks, lambda hour, hours: "")
    return plot


def _has_tick(start_s: int | None, day: int, days: int) -> bool:
    """Whether a day of the log has a name under it: firsts of months, of a short log also of weeks."""
    if start_s is None:
        return day % (30 if days > 45 else 7) == 0
    at = datetime.fromtimestamp(start_s + day * DAY_S, UTC)
    return at.day == 1 or (days <= 45 and at.day in (8, 15, 22))


def _duration(chart: pages.DurationChart) -> QWidget:
    plot = LoadDurationChart(print_colours())
    plot.show_curve(curve_of(chart.plan))
    return plot


def curve_of(plan: PoolPlan) -> LoadDuration:
    """A row's load duration curve over its layers, as the window draws it.

    Existing layers at the bottom, then terms, the longest first, then what is paid by use.
    """
    bands, at = [], 0.0
    for layer in plan.layers:
        if layer.existing and layer.gpus:
            bands.append(LayerBand(at, at + layer.gpus, EXISTING, "Existing"))
            at += layer.gpus
    base = at
    sizes: dict[int, float] = {}
    for layer in plan.layers:
        if not layer.existing and layer.term_months and layer.gpus:
            sizes[layer.term_months] = sizes.get(layer.term_months, 0.0) + layer.gpus
    for months in sorted(sizes, reverse=True):
        name = str(term_name(plan, months))
        bands.append(LayerBand(at, at + sizes[months], term_colour(months), name, is_paid_idle=True))
        at += sizes[months]
    residual = busiest_first(plan)
    for layer in plan.layers:
        if not layer.existing and not layer.term_months and layer.busy_gpus > 0:
            is_spot = layer.pricing_category is PricingCategory.DYNAMIC
            high = base + max(float(residual[0]), at - base)
            name, pattern = ("Spot", "dotted") if is_spot else (str(titles.ON_DEMAND), "hatched")
            bands.append(LayerBand(at, high, TERMS[0], name, f"above {gpus(at)}", pattern, HATCH))
    return LoadDuration(base + residual, tuple(bands), POOLS[plan.pool], (), plan.block)


def _timeline(chart: pages.TimelineChart) -> QWidget:
    plot = TimelineChart(chart.title, print_colours(), RED)
    rows = [_row(row) for row in chart.rows]
    today: tuple[int, str] = (chart.written_s, "Written")
    plot.show_rows(rows, chart.begin_s, chart.end_s, quarters(chart.begin_s, chart.end_s), today)
    return plot


def _row(row: pages.TimeRow) -> TimelineRow:
    """A line of the timeline with its mark, which says by its colour and a sign what is overdue."""
    spans = tuple(
        Span(
            span.start_s,
            span.end_s,
            term_colour(0 if span.is_by_use else span.term_months),
            span.is_planned,
            span.is_by_use,
        )
        for span in row.spans
    )
    by_s = row.order_by_s
    marks = () if by_s is None else (Mark(by_s, True, row.is_overdue),)
    return TimelineRow(row.name, row.name, spans, marks, row.name)


def is_plot(widget: QWidget) -> bool:
    """Whether it is a plot of pyqtgraph, which paints its scene, not itself."""
    return isinstance(widget, LoadDurationChart | MonthLinesChart | StackedDemandChart)
