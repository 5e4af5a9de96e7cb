"""The panel Demand: mean GPUs in use over the window, stacked by pool."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Signal

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.ui.kit.layout import STRETCH, column
from gpuplanner.ui.kit.page_parts import muted_label
from gpuplanner.ui.kit.palettes import Palette, in_use
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.panel import About, Need, Panel
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of

if TYPE_CHECKING:
    from gpuplanner.charts.plots.demand_over_time import StackedDemandChart
from gpuplanner.ui.panels.today.demand_events import event_words, events_of

STEP_WORDS: Final = {1: worded("hour"), 24: worded("day"), 168: worded("week")}


class DemandPanel(Panel):
    """Told what is shown; says which of its figures is asked about."""

    about = About(
        name="demand",
        title=worded("Demand"),
        beside="duration",
        needs=(Need("workloads", worded("Import a job log to see this.")),),
    )

    figure_asked = Signal(str)

    def build(self) -> None:
        self._chart = SeenChart(_new_chart, self._put, self._sheet)
        self.heading = muted_label(is_wrapped=False)
        self.facts = FactsLabel()
        self.facts.setWordWrap(True)
        self.facts.figure_asked.connect(self.figure_asked)
        around = (14, 12, 12, 10)
        self._layout = column(self.heading, self.facts, STRETCH, on=self, margins=around, spacing=4)

    def draw(self, shown: ViewState) -> None:
        """Show each pool's demand."""
        self._tell(self._chart.ready(), in_use())
        self._chart.menu.refresh()
        means = [
            (
                figure("demand_mean", pool.value),
                f"{lane_of(pool).title} {numbers.one_decimal(float(gpus.mean()) if len(gpus) else 0.0)}",
            )
            for pool, gpus in pool_gpus(shown).items()
        ]
        marks = event_words(shown)
        after = f" {tr('GPUs')}" + (f"\n{marks}" if marks else "")
        self.facts.show_facts(means, f"{tr('Mean of the lookback period')}: ", after=after)

    def _show_step(self, step_h: int) -> None:
        step_words = STEP_WORDS.get(step_h, tr("{step_h} hours", step_h=step_h))
        self.heading.setText(tr("Mean GPUs in each {step_h}, UTC", step_h=step_words))

    def _put(self, chart: "StackedDemandChart") -> None:
        chart.setMinimumHeight(text_px(140))
        chart.step_shown.connect(self._show_step)
        self._layout.insertWidget(1, chart, 10)

    def _tell(self, chart: "StackedDemandChart", palette: Palette) -> None:
        from gpuplanner.charts.plots.demand_over_time import DemandSeries

        if (shown := self._shown) is None:
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
        if (shown := self._shown) is None:
            return None

        titles = tuple(lane_of(pool).title for pool in POOLS)
        marks = event_words(shown)
        return sheet_of(
            tr("Demand over time, stacked by pool"),
            ". ".join(filter(None, (f"{self.heading.text()}", marks))),
            source_words(shown),
            self._chart.drawn(self._tell),
            (tr("From, UTC"), *titles, tr("All pools")),
            lambda: self._rows(shown, self._chart.ready().step_h),
        )

    def _rows(self, shown: ViewState, step_h: int) -> list[tuple[str, ...]]:
        """The steps that are drawn, then the events."""
        from gpuplanner.charts.plots.demand_over_time import means

        window = shown.evaluation.project.window
        of_pools = [means(gpus, step_h) for gpus in pool_gpus(shown).values()]
        rows = []
        for at, values in enumerate(zip(*of_pools, strict=True)):
            words = (numbers.one_decimal(float(gpus)) for gpus in (*values, sum(values)))
            rows.append((time_words(window, at * step_h, 1), *words))
        for event in events_of(shown)[0]:
            place = time_words(window, int(event.hour), 1)
            title = tr("{title}: {value}", title=place, value=event.what)
            rows.append((title, event.value, *("",) * len(of_pools)))
        return rows


def pool_gpus(shown: ViewState) -> dict[Pool, npt.NDArray[np.float64]]:
    """Mean GPUs in each hour, by pool, from the bottom of the stack up."""
    hourly = shown.evaluation.figures.hourly
    return {pool: np.asarray(hourly[pool], dtype=np.int64) / MILLI_GPU_SECONDS_PER_GPU_HOUR for pool in POOLS}


def time_ticks(window: Window, low: float, high: float) -> list[tuple[float, str]]:
    """Four to six midnights between two hours, evenly apart; hours of the day where less than two days are seen."""
    first_s, last_s = window.start_s + low * HOUR_S, window.start_s + high * HOUR_S
    if high - low < 48:
        if high - low <= 15:
            every = 3
        elif high - low <= 30:
            every = 6
        else:
            every = 12
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
    date, time = numbers.date(at), f"{datetime.fromtimestamp(at, UTC):%H:%M}"
    when = tr("{date}, {time} UTC", date=date, time=time)
    if step_h <= 1:
        return when
    length = STEP_WORDS.get(step_h, tr("{step_h} hours", step_h=step_h))
    return tr("{first}, {second}", first=when, second=length)


def _new_chart(palette: Palette) -> "StackedDemandChart":
    from gpuplanner.charts.plots.demand_over_time import StackedDemandChart

    return StackedDemandChart(chart_colours(palette))
