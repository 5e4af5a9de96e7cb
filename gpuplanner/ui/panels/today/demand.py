"""Demand: mean GPUs in use over the window, stacked by pool, and what is marked over it."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Signal

from gpuplanner.charts.kit.plain_text import by_count, sentence, tr
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.ui.kit.layout import STRETCH, column
from gpuplanner.ui.kit.page_parts import muted_label
from gpuplanner.ui.kit.theme import Palette, in_use
from gpuplanner.ui.panels.panel import About, Need, Panel
from gpuplanner.ui.panels.today.contract_dates import sorted_contracts
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.chart_menu import SeenChart, chart_colours, sheet_of
from gpuplanner.ui.tables.row_list import FactsLabel
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of

if TYPE_CHECKING:
    from gpuplanner.charts.plots.over_time import DemandEvent, StackedDemandChart


# --- What is marked over demand: contracts that end, commitments the plan starts, gaps of the log, where the log ends

AFTER_SHARE = 1 / 3
"""How far the axis reaches beyond the log, as a share of it, where something happens there."""


def events_of(shown: ViewState) -> "tuple[tuple[DemandEvent, ...], int, int]":
    """Events in sight, the hours that the axis reaches, and how many events lie beyond it."""
    from gpuplanner.charts.plots.over_time import DemandEvent

    window = shown.evaluation.project.window
    found = [*_ends(shown, window), *_starts(shown, window)]
    reach = window.hours + round(AFTER_SHARE * window.hours)
    hours = reach if any(window.hours <= event.hour <= reach for event in found) else window.hours
    seen = [event for event in found if 0 <= event.hour <= hours]
    beyond = sum(event.hour > hours for event in found)
    after = [DemandEvent("log_end", float(window.hours), tr("The log ends"))] if hours > window.hours else []
    return (*_gaps(shown, window), *after, *sorted(seen, key=lambda event: event.hour)), hours, beyond


def _ends(shown: ViewState, window: Window) -> "list[DemandEvent]":
    from gpuplanner.charts.plots.over_time import DemandEvent

    return [
        DemandEvent(
            "end",
            (contract.end_s - window.start_s) / HOUR_S,
            tr("{contract_id} ends", contract_id=contract.contract_id),
            f"\u2212{numbers.gpus(contract.gpus)} {contract.gpu_model or 'GPUs'}",
        )
        for contract in sorted_contracts(shown)
        if contract.end_s is not None
    ]


def _starts(shown: ViewState, window: Window) -> "list[DemandEvent]":
    """Commitments of the plan, one mark a day."""
    from gpuplanner.charts.plots.over_time import DemandEvent

    by_day: dict[int, dict[str, float]] = {}
    for order in () if shown.advice is None or shown.is_today else asked_for(shown.advice.orders):
        models = by_day.setdefault(order.start_s, {})
        name = order.gpu_model or "GPUs"
        models[name] = models.get(name, 0.0) + order.gpus
    return [
        DemandEvent(
            "start",
            (start_s - window.start_s) / HOUR_S,
            tr("The plan starts"),
            ", ".join(f"+{numbers.gpus(gpus)} {name}" for name, gpus in sorted(models.items())),
        )
        for start_s, models in sorted(by_day.items())
    ]


def _gaps(shown: ViewState, window: Window) -> "list[DemandEvent]":
    """Where the log says nothing, inside the window."""
    from gpuplanner.charts.plots.over_time import DemandEvent

    quality = shown.evaluation.project.jobs.quality
    return [
        DemandEvent(
            "gap",
            max(0.0, (gap.start_s - window.start_s) / HOUR_S),
            tr("Gap of the log"),
            numbers.counted(gap.hours, "hour"),
            until=min(float(window.hours), (gap.end_s - window.start_s) / HOUR_S),
        )
        for gap in (quality.gaps if quality is not None else ())
        if gap.end_s > window.start_s and gap.start_s < window.end_s
    ]


def event_words(shown: ViewState) -> str:
    """What the marks mean, and what lies beyond them; "" where there are none."""
    events, _, beyond = events_of(shown)
    kinds = {event.kind for event in events}
    parts = [
        tr("\u25c7 a contract ends") if "end" in kinds else "",
        tr("\u25b2 a commitment of the plan starts") if "start" in kinds else "",
        tr("hatched: a gap of the log") if "gap" in kinds else "",
        tr("{beyond} later", beyond=beyond) if beyond else "",
    ]
    told = [part for part in parts if part]
    if beyond and len(told) == 1:  # no mark is in sight that it could be told of
        told = [
            by_count(
                beyond,
                "{count} end or start of contracts later",
                "{count} ends and starts of contracts later",
                count=numbers.whole(beyond),
            )
        ]
    return sentence(numbers.MIDDOT.join(told))


# --- Demand: mean GPUs in use over the window, stacked by pool -----------------------------------

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
        self._chart = SeenChart(_new_chart, self._put, self._sheet)
        self._heading = muted_label(is_wrapped=False)
        self.facts = FactsLabel()
        self.facts.setWordWrap(True)
        self.facts.figure_asked.connect(self.figure_asked)
        around = (14, 12, 12, 10)
        self._layout = column(self._heading, self.facts, STRETCH, on=self, margins=around, spacing=4)

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

    def _put(self, chart: "StackedDemandChart") -> None:
        chart.setMinimumHeight(140)
        chart.step_shown.connect(self._show_step)
        self._layout.insertWidget(1, chart, 10)

    def _tell(self, chart: "StackedDemandChart", palette: Palette) -> None:
        from gpuplanner.charts.plots.over_time import DemandSeries

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

        titles = tuple(lane_of(pool).title for pool in POOLS)
        marks = event_words(shown)
        return sheet_of(
            tr("Demand over time, stacked by pool"),
            ". ".join(filter(None, (f"{self._heading.text()}", marks))),
            source_words(shown),
            self._chart.drawn(self._tell),
            (tr("From, UTC"), *titles, tr("All pools")),
            lambda: self._rows(shown, self._chart.ready().step_h),
        )

    def _rows(self, shown: ViewState, step_h: int) -> list[tuple[str, ...]]:
        """The steps that are drawn, then the events."""
        from gpuplanner.charts.plots.over_time import means

        window = shown.evaluation.project.window
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


def _new_chart(palette: Palette) -> "StackedDemandChart":
    from gpuplanner.charts.plots.over_time import StackedDemandChart

    return StackedDemandChart(chart_colours(palette))
