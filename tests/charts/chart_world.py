"""Charts with a few figures written by hand, for tests of what all charts can do."""

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFont, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.chart_colours import ChartColours
from gpuplanner.charts.plots.demand_over_time import DemandEvent, DemandSeries, StackedDemandChart

COLOURS = ChartColours(
    raised="#ffffff",
    text="#111111",
    muted="#666666",
    grid="#eeeeee",
    edge="#999999",
    small=QFont(),
    strong=QFont(),
    focus="#0000ff",
)
HOURS = 48
LOW = np.full(HOURS, 2.0)
HIGH = np.concatenate([np.full(24, 1.0), np.full(24, 5.0)])
EVENTS = (
    DemandEvent(kind="end", hour=12.0, what="atlas ends", value="-8 H100"),
    DemandEvent(kind="gap", hour=20.0, what="Gap in the log", value="4 hours", until=24.0),
    DemandEvent(kind="log_end", hour=48.0, what="The log ends"),
    DemandEvent(kind="start", hour=54.0, what="The plan starts", value="+8 H100"),
)


def demand(qtbot: QtBot | None = None, events: tuple[DemandEvent, ...] = ()) -> StackedDemandChart:
    """Two pools over two days; the axis reaches 12 hours beyond them where there are events."""
    chart = StackedDemandChart(COLOURS)
    series = (DemandSeries("Low", "#1F58AE", LOW), DemandSeries("High", "#0F9484", HIGH))
    chart.resize(600, 300)
    chart.show_series(
        series,
        lambda low, high: [(low, "from"), (high, "to")],
        lambda hour, step_h: f"hour {hour}",
        events,
        60 if events else 0,
    )
    if qtbot is not None:
        qtbot.addWidget(chart)
        chart.show()
        qtbot.waitExposed(chart)
        QApplication.processEvents()
    return chart


def mouse(widget: QWidget, kind: QEvent.Type, at: QPoint, held: bool = True) -> None:
    """One event of the left button."""
    left = Qt.MouseButton.LeftButton
    buttons = left if held else Qt.MouseButton.NoButton
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else left
    place = QPointF(widget.mapToGlobal(at))
    event = QMouseEvent(kind, QPointF(at), place, button, buttons, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, event)
