"""Demand: mean GPUs in use over the window, stacked by pool."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.panel import About, Need, Panel
from gpuplanner.ui.panels.today.demand_events import event_words, events_of
from gpuplanner.ui.state.inputs import source_words
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.chart_colours import chart_colours
from gpuplanner.ui.tables.chart_menu import ChartMenu, sheet_of, take_out
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import tr

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.stacked_demand import StackedDemandChart

STEP_WORDS: Final = {1: worded("hour"), 24: worded("day"), 168: worded("week")}


class DemandPanel(Panel):
    """Told what is shown; says which of its figures is asked about."""

    about = About(
        "demand",
        worded("Demand"),
        beside="duration",
        needs=(Need("workloads", worded("A job log shows how many GPUs are in use, and when.")),),
    )

    figure_asked = Signal(str)

    def build(self) -> None:
        self._chart: Any = None  # charts are imported when the first one is shown
        self._heading = PlainLabel()
        self._heading.setProperty("role", "muted")
        self._heading.setFont(font("small"))
        self.facts = FactsLabel(self._palette)
        self.facts.setWordWrap(True)
        self.facts.figure_asked.connect(self.figure_asked)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(14, 12, 12, 10)
        self._layout.setSpacing(4)
        self._layout.addWidget(self._heading)
        self._layout.addWidget(self.facts)
        self._layout.addStretch(1)

    def recolour(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.facts.show_palette(palette)
        take_out(self._layout, self._chart)
        self._chart = None

    def draw(self, shown: ViewState) -> None:
        """Show each pool's demand."""
        if self._chart is None:
            self._chart = self._chart_in(self._palette)
            self._chart.setMinimumHeight(140)
            self._chart.step_shown.connect(self._show_step)
            self._layout.insertWidget(1, self._chart, 10)
            self._menu = ChartMenu(self._chart, self._palette, self._sheet)
        self._tell(self._chart, self._palette)
        self._menu.refresh()
        means = [
            (
                figure("demand_mean", pool.value),
                f"{lane_of(pool).title} {numbers.one_decimal(float(gpus.mean()) if len(gpus) else 0.0)}",
            )
            for pool, gpus in pool_gpus(shown).items()
        ]
        marks = event_words(shown)
        self.facts.show_facts(
            means, tr("Mean of the window: "), after=tr(" GPUs") + (f"\n{marks}" if marks else "")
        )

    def _show_step(self, step_h: int) -> None:
        self._heading.setText(
            tr(
                "Mean GPUs in each {step_h}, UTC",
                step_h=STEP_WORDS.get(step_h, tr("{step_h} hours", step_h=step_h)),
            )
        )

    def _chart_in(self, palette: Palette) -> "StackedDemandChart":
        from gpuplanner.charts.plots.stacked_demand import StackedDemandChart

        return StackedDemandChart(chart_colours(palette))

    def _tell(self, chart: Any, palette: Palette) -> None:
        from gpuplanner.charts.plots.stacked_demand import DemandSeries

        shown = self._shown
        if shown is None:
            return
        window = shown.evaluation.project.window
        series = [
            DemandSeries(lane_of(pool).title, palette.lanes[lane_of(pool)].fill, gpus)
            for pool, gpus in pool_gpus(shown).items()
        ]
        events, hours, _ = events_of(shown)
        chart.show_series(
            series,
            lambda low, high: time_ticks(window, low, high),
            lambda hour, step_h: time_words(window, hour, step_h),
            events,
            hours,
        )

    def _sheet(self) -> Any:
        shown = self._shown
        if shown is None:
            return None

        def make(palette: Palette) -> QWidget:
            chart = self._chart_in(palette)
            self._tell(chart, palette)
            return chart

        titles = tuple(lane_of(pool).title for pool in POOLS)
        marks = event_words(shown)
        return sheet_of(
            tr("Demand over time, stacked by pool"),
            ". ".join(filter(None, (f"{self._heading.text()}", marks))),
            source_words(shown),
            make,
            (tr("From, UTC"), *titles, tr("All pools")),
            lambda: self._rows(shown),
        )

    def _rows(self, shown: ViewState) -> list[tuple[str, ...]]:
        """The steps that are drawn, then the events."""
        from gpuplanner.charts.plots.stacked_demand import means

        window, step_h = shown.evaluation.project.window, self._chart.step_h
        of_pools = [means(gpus, step_h) for gpus in pool_gpus(shown).values()]
        rows = []
        for at, values in enumerate(zip(*of_pools, strict=True)):
            words = (numbers.one_decimal(float(gpus)) for gpus in (*values, sum(values)))
            rows.append((time_words(window, at * step_h, 1), *words))
        for event in events_of(shown)[0]:
            place = time_words(window, int(event.hour), 1)
            rows.append(
                (tr("{place}: {what}", place=place, what=event.what), event.value, *("",) * len(of_pools))
            )
        return rows


def pool_gpus(shown: ViewState) -> dict[Pool, npt.NDArray[np.float64]]:
    """Mean GPUs in each hour, by pool, from the bottom of the stack up."""
    hourly = shown.evaluation.figures.hourly
    return {pool: np.asarray(hourly[pool], dtype=np.int64) / MILLI_GPU_SECONDS_PER_GPU_HOUR for pool in POOLS}


def time_ticks(window: Window, low: float, high: float) -> list[tuple[float, str]]:
    """Four to six midnights between two hours, evenly apart; hours of the day where less than two days are seen."""
    first_s, last_s = window.start_s + low * HOUR_S, window.start_s + high * HOUR_S
    if high - low < 48:
        every = 3 if high - low <= 15 else 6 if high - low <= 30 else 12
        step = every * HOUR_S
        at_hours = range(int(-(-first_s // step) * step), int(last_s) + 1, step)
        return [
            (
                (at - window.start_s) / HOUR_S,
                f"{datetime.fromtimestamp(at, UTC):%H:%M}" if at % DAY_S else numbers.short_date(at),
            )
            for at in at_hours
        ]
    every = max(1, -(-int((high - low) // 24) // 5))
    first = int(-(-first_s // DAY_S) * DAY_S)
    return [
        ((at - window.start_s) / HOUR_S, numbers.short_date(at))
        for at in range(first, int(last_s) + 1, every * DAY_S)
    ]


def time_words(window: Window, hour: int, step_h: int) -> str:
    """3 Jul 2026, 14:00 UTC; of a step over an hour, with how long it is."""
    at = window.start_s + hour * HOUR_S
    length = (
        tr(", {step_h}", step_h=STEP_WORDS.get(step_h, tr("{step_h} hours", step_h=step_h)))
        if step_h > 1
        else ""
    )
    return tr(
        "{date}, {time} UTC{length}",
        date=numbers.date(at),
        time=f"{datetime.fromtimestamp(at, UTC):%H:%M}",
        length=length,
    )
