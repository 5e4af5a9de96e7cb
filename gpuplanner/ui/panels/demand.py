"""Demand: mean GPUs in use over the window, stacked by pool."""

from datetime import UTC, datetime
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.ui import numbers
from gpuplanner.ui.chart_colours import chart_colours
from gpuplanner.ui.lanes import lane_of
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.type_scale import font

STEPS_H: Final = (1, 2, 3, 6, 12, 24, 168)
MOST_STEPS: Final = 800


class DemandPanel(QWidget):
    """Told what is shown."""

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Demand")
        self._palette = palette
        self._shown: Shown | None = None
        self._chart: Any = None  # charts are imported when the first one is shown
        self._heading = QLabel()
        self._heading.setProperty("role", "muted")
        self._heading.setFont(font("small"))
        self._facts = QLabel()
        self._facts.setProperty("role", "muted")
        self._facts.setFont(font("small"))
        self._facts.setWordWrap(True)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(14, 12, 12, 10)
        self._layout.setSpacing(4)
        self._layout.addWidget(self._heading)
        self._layout.addWidget(self._facts)
        self._layout.addStretch(1)

    def show_shown(self, shown: Shown) -> None:
        """Show each pool's demand; drawn when the panel is seen."""
        self._shown = shown
        if self.isVisible():
            self._draw()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        if self._chart is not None:
            self._layout.removeWidget(self._chart)
            self._chart.deleteLater()
            self._chart = None
        if self.isVisible():
            self._draw()

    def showEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        super().showEvent(event)
        self._draw()

    def _draw(self) -> None:
        shown = self._shown
        if shown is None:
            return
        from gpuplanner.charts.stacked_demand import DemandSeries, StackedDemandChart

        if self._chart is None:
            self._chart = StackedDemandChart(chart_colours(self._palette))
            self._chart.setMinimumHeight(140)
            self._layout.insertWidget(1, self._chart, 10)
        window = shown.evaluation.project.window
        step_h = next((step for step in STEPS_H if window.hours / step <= MOST_STEPS), STEPS_H[-1])
        hourly = shown.evaluation.figures.hourly
        series = []
        for pool in POOLS:
            lane = lane_of(pool)
            gpus = means(np.asarray(hourly[pool], dtype=np.int64), step_h)
            series.append(DemandSeries(lane.title, self._palette.lanes[lane].fill, gpus))
        self._chart.show_series(series, day_ticks(window, step_h), lambda at: _when(window, at, step_h))
        span = (
            "hour"
            if step_h == 1
            else "day"
            if step_h == 24
            else "week"
            if step_h == 168
            else f"{step_h} hours"
        )
        self._heading.setText(f"Mean GPUs in each {span}, UTC")
        parts = [
            f"{one.name} {numbers.one_decimal(float(one.gpus.mean()) if len(one.gpus) else 0.0)}"
            for one in series
        ]
        self._facts.setText("Mean of the window: " + " \u00b7 ".join(parts) + " GPUs")


def means(milli_gpu_seconds: npt.NDArray[np.int64], step_h: int) -> npt.NDArray[np.float64]:
    """Mean GPUs of each step of `step_h` hours; the last step may be shorter."""
    starts = np.arange(0, len(milli_gpu_seconds), step_h)
    if not len(starts):
        return np.zeros(0)
    sums = np.add.reduceat(milli_gpu_seconds, starts)
    lengths = np.minimum(step_h, len(milli_gpu_seconds) - starts)
    return np.asarray(sums / (lengths * MILLI_GPU_SECONDS_PER_GPU_HOUR), dtype=np.float64)


def day_ticks(window: Window, step_h: int) -> list[tuple[float, str]]:
    """Four to six midnights, evenly apart in whole days."""
    days = max(1, window.hours // 24)
    every = max(1, -(-days // 5))
    first = -(-window.start_s // DAY_S) * DAY_S
    seconds = range(first, window.end_s, every * DAY_S)
    return [((at - window.start_s) / HOUR_S / step_h, numbers.short_date(at)) for at in seconds]


def _when(window: Window, step: int, step_h: int) -> str:
    at = window.start_s + step * step_h * HOUR_S
    return f"{numbers.date(at)}, {datetime.fromtimestamp(at, UTC):%H:%M} UTC"
