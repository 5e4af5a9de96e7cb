"""When GPUs are used: demand over the window stacked by pool, and utilization of what is paid for."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QSizePolicy

from gpuplanner.charts.kit.plain_text import by_count, sentence, set_tip, spoken, tr
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.use_by import CLUSTERS, TEAMS, WHOLE, Use
from gpuplanner.domain.audit.utilization import Contention
from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.evidence.inputs import week_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.titles import NOT_STATED
from gpuplanner.domain.message import Text, lowered, worded
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.domain.reports.report import Medium
from gpuplanner.domain.reports.use import USES, name_of
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit.layout import STRETCH, add, column, row
from gpuplanner.ui.kit.page_parts import choice_of, label, muted_label, named_button
from gpuplanner.ui.kit.theme import Palette, in_use, text_px
from gpuplanner.ui.panels.panel import About, Need, Panel
from gpuplanner.ui.panels.today.contract_dates import sorted_contracts
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows, written
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours, heat_colours, recolour_heat
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.tables.row_list import FactsLabel
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import TABLE
from gpuplanner.ui.words.glossary import lane_of

if TYPE_CHECKING:
    from gpuplanner.charts.plots.demand_over_time import DemandEvent, StackedDemandChart
    from gpuplanner.charts.plots.heatmap import Heatmap


# --- What is marked over demand: contracts that end, commitments the plan starts, gaps of the log, where the log ends

AFTER_SHARE = 1 / 3
"""How far the axis reaches beyond the log, as a share of it, where something happens there."""


def events_of(shown: ViewState) -> "tuple[tuple[DemandEvent, ...], int, int]":
    """Events in sight, the hours that the axis reaches, and how many events lie beyond it."""
    from gpuplanner.charts.plots.demand_over_time import DemandEvent

    window = shown.evaluation.project.window
    found = [*_ends(shown, window), *_starts(shown, window)]
    reach = window.hours + round(AFTER_SHARE * window.hours)
    hours = reach if any(window.hours <= event.hour <= reach for event in found) else window.hours
    seen = [event for event in found if 0 <= event.hour <= hours]
    beyond = sum(event.hour > hours for event in found)
    after = (
        [DemandEvent(kind="log_end", hour=float(window.hours), what=tr("The log ends"))]
        if hours > window.hours
        else []
    )
    return (*_gaps(shown, window), *after, *sorted(seen, key=lambda event: event.hour)), hours, beyond


def _ends(shown: ViewState, window: Window) -> "list[DemandEvent]":
    from gpuplanner.charts.plots.demand_over_time import DemandEvent

    return [
        DemandEvent(
            kind="end",
            hour=(contract.end_s - window.start_s) / HOUR_S,
            what=tr("{contract_id} ends", contract_id=contract.contract_id),
            value=f"\u2212{numbers.gpus(contract.gpus)} {contract.gpu_model or 'GPUs'}",
        )
        for contract in sorted_contracts(shown)
        if contract.end_s is not None
    ]


def _starts(shown: ViewState, window: Window) -> "list[DemandEvent]":
    """Commitments of the plan, one mark a day."""
    from gpuplanner.charts.plots.demand_over_time import DemandEvent

    by_day: dict[int, dict[str, float]] = {}
    for order in () if shown.advice is None or shown.is_today else asked_for(shown.advice.orders):
        models = by_day.setdefault(order.start_s, {})
        name = order.gpu_model or "GPUs"
        models[name] = models.get(name, 0.0) + order.gpus
    return [
        DemandEvent(
            kind="start",
            hour=(start_s - window.start_s) / HOUR_S,
            what=tr("The plan starts"),
            value=", ".join(f"+{numbers.gpus(gpus)} {name}" for name, gpus in sorted(models.items())),
        )
        for start_s, models in sorted(by_day.items())
    ]


def _gaps(shown: ViewState, window: Window) -> "list[DemandEvent]":
    """Where the log says nothing, inside the window."""
    from gpuplanner.charts.plots.demand_over_time import DemandEvent

    quality = shown.evaluation.project.jobs.quality
    return [
        DemandEvent(
            kind="gap",
            hour=max(0.0, (gap.start_s - window.start_s) / HOUR_S),
            what=tr("Gap in the log"),
            value=numbers.counted(gap.hours, "hour"),
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
        f"\u25c7 {tr('a contract ends')}" if "end" in kinds else "",
        tr("▲ a commitment starts") if "start" in kinds else "",
        tr("hatched: gap in the log") if "gap" in kinds else "",
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
        name="demand",
        title=worded("Demand"),
        beside="duration",
        needs=(Need("workloads", worded("Import a job log to see this.")),),
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
        after = f" {tr('GPUs')}" + (f"\n{marks}" if marks else "")
        self.facts.show_facts(means, f"{tr('Mean of the lookback period')}: ", after=after)

    def _show_step(self, step_h: int) -> None:
        step_words = STEP_WORDS.get(step_h, tr("{step_h} hours", step_h=step_h))
        self._heading.setText(tr("Mean GPUs in each {step_h}, UTC", step_h=step_words))

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
            ". ".join(filter(None, (f"{self._heading.text()}", marks))),
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


# --- What the Utilization panel says beside its reports: contended hours, and why a map of the week is empty

Contended = tuple[str, Contention]
"""A cluster that was asked for more than it had, and how."""


def contention_table(
    contention: Mapping[str, Contention], names: Mapping[str, Text]
) -> tuple[Sequence[Column], list[Row]]:
    """The columns, and one row for each cluster that was asked for more than it had. names: of workloads, by key."""

    def hours(of: Contended, amount: float, scope: str, tip: str = "") -> Cell:
        return written(numbers.whole, amount, tip=tip, figure_id=figure("contended", of[0], scope))

    def shared(of: Contended) -> str:
        return _shared_tip([names.get(key, key) for key in of[1].shared_training])

    columns: tuple[Filled[Contended], ...] = (
        Filled(
            title=titles.CONTENDED_HOURS,
            is_figure=False,
            cell=lambda of: Cell(text=of[0] or NOT_STATED, is_strong=True),
        ),
        Filled(title="Hours", cell=lambda of: hours(of, of[1].contention_hours, "hours")),
        Filled(title="GPU-h\nbeyond", cell=lambda of: hours(of, of[1].overflow_gpu_hours, "beyond")),
        Filled(
            title="Training with\ninference, h",
            cell=lambda of: hours(of, of[1].beside_inference_hours, "beside", shared(of)),
        ),
    )
    found = [(cluster, one) for cluster, one in contention.items() if one.contention_hours]
    return columns, filled_rows(columns, found, lambda of: of[0])


def why_no_map(row: Use) -> str:
    """One sentence for a map that has nothing known in it."""
    if row.hours_of_week.capacity is not None and not row.paid_gpu_hours:
        name = numbers.capital(spoken(name_of(row)))
        return tr(long_text("contract_missing", name=name))
    return ""


def _shared_tip(names: Sequence[Text]) -> str:
    if not names:
        return tr("Training and inference never ran together.")
    shown = ", ".join(map(str, names[:6]))
    if len(names) > 6:
        shown = tr("{names} and {more} more", names=shown, more=len(names) - 6)
    return tr("Training that ran then: {shown}", shown=shown)


# --- Utilization: when GPUs that are paid for are used, by cluster, contract, GPU model or team

MAP_ROW: Final = 18
SHOW_FIGURES, SHOW_COLOURS = worded("Show figures"), worded("Show colors")


class UtilizationPanel(Panel):
    """Told what is shown. The row that is chosen in the table is the one whose week the map shows."""

    about = About(
        name="utilization",
        title=titles.UTILIZATION,
        beside="duration",
        needs=(Need("workloads", worded("Import a job log to see this.")),),
    )

    def build(self) -> None:
        self._drawn: Audit | None = None
        self._chosen = dict.fromkeys(USES, WHOLE)
        titled = [(report.title, name) for name, report in USES.items()]
        tip = tr("By cluster, contract, GPU model or team")
        self.view = choice_of(tr("Utilization by"), tip, titled)
        self.view.view().setAccessibleName(tr(titles.UTILIZATION))
        tip = tr("Show the week as figures or colors ({keys})", keys=TABLE)
        self.figures = named_button(SHOW_FIGURES, tip)
        self.figures.setCheckable(True)
        self._heading = label(step="strong")
        self._unit = muted_label(is_wrapped=False)
        self._note = label(role="muted", is_wrapped=True)
        self._marks = muted_label(worded("Solid: 40% flag. Dashed: break-even."), is_wrapped=False)
        for words in (self._heading, self._marks):
            words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.week = FigureTable(tr("Week in figures"))
        self.week.row_height = 20
        self.table = FigureTable(tr(titles.UTILIZATION))
        self.table.asks_by_click = False
        self.contended = FigureTable(tr(titles.CONTENDED_HOURS))
        self._head = row(self.view, STRETCH, self.figures, spacing=8)
        self.heatmap = SeenChart(
            new=_new_map,
            put=self._put,
            sheet=self._sheet,
            head=self._head,
            turn=self.figures.toggle,
            recolour=recolour_heat,
        )
        tables = self.scrolled(titles.UTILIZATION, (14, 4, 12, 8), 4)
        add(tables, self.week, self.table, self._marks, 8, self.contended, STRETCH)
        parts = (self._head, 4, self._heading, self._unit, self._note)
        self._above = column(*parts, margins=(14, 10, 12, 4), spacing=4)
        self.fill(self._above, self.scroll_area)
        self.view.currentIndexChanged.connect(lambda _: self._draw_uses())
        self.figures.toggled.connect(self._show_as)
        shortcut = QShortcut(QKeySequence(TABLE), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.figures.toggle)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._choose(now.row()))

    def draw(self, shown: ViewState) -> None:
        """Show the past of an evaluation; it does not move when cards do."""
        if self._drawn is not shown.evaluation.audit:
            self._draw_uses()
        elif self.heatmap.plot is not None:
            self.heatmap.ready()  # in the colours in use

    def choose(self, view: str, name: str | None = None) -> None:
        """Show one view and, of it, the row of that name; all of them where it is None."""
        self.view.setCurrentIndex(self.view.findData(view))
        self._select(WHOLE if name is None else name)

    # Inside

    def _row(self) -> Use | None:
        """The chosen row, or all of them; None where nothing was used."""
        use = None if self._shown is None else self._shown.evaluation.audit.use
        if use is None:
            return None
        view = self.view.currentData()
        rows = USES[view].rows_in(Medium.WINDOW, use)
        return next((row for row in rows if row.subject == self._chosen[view]), use.everything)

    def _draw_uses(self) -> None:
        shown, view = self._shown, self.view.currentData()
        if shown is None:
            return
        audit = shown.evaluation.audit
        self._drawn = audit
        rows = () if audit.use is None else table_rows(USES[view], audit.use, are_opened=True)
        for widget in (self.figures, self._heading, self._unit):
            widget.setVisible(bool(rows))
        columns, contended = contention_table(audit.contention, told_apart(shown.cards))
        self.contended.show_all(columns, contended if view == CLUSTERS else ())
        chosen = self._chosen[view]
        self.table.show_all(table_columns(USES[view], are_bars_short=True), rows)
        self._marks.setVisible(bool(rows) and view != TEAMS)
        if rows:
            self._select(chosen)
        else:
            self._note.setText(tr("Import a job log to see this."))
            self._note.show()
            self.week.hide()
            self.heatmap.show(False)

    def _select(self, key: str) -> None:
        """Choose the row of a key, of all where it is gone, of the only one where there is no sum."""
        model = self.table.model()
        if not (keys := [self.table.row_at(row).key for row in range(model.rowCount())]):
            return
        if key in keys:
            place = keys.index(key)
        elif WHOLE in keys:
            place = keys.index(WHOLE)
        else:
            place = 0
        self.table.setCurrentIndex(model.index(place, 0))
        self._choose(place)

    def _choose(self, place: int) -> None:
        if 0 <= place < self.table.model().rowCount():
            self._chosen[self.view.currentData()] = self.table.row_at(place).key
            top = self.table.horizontalHeader().height() + place * self.table.row_height
            if self.table.hasFocus():
                self.scroll_area.ensureVisible(0, self.table.y() + top + self.table.row_height // 2, 0, 40)
            self._show_chosen()

    def _sheet(self) -> Any:
        from gpuplanner.ui.tables.heat_tables import heat_sheet, heat_table

        shown, row = self._shown, self._row()
        if shown is None or row is None:
            return None
        return heat_sheet(heat_table(row), self._heading.text(), source_words(shown))

    def _put(self, week_map: "Heatmap") -> None:
        week_map.setMaximumHeight(week_map.height_with_rows(MAP_ROW))
        self._above.addWidget(week_map)

    def _show_as(self, as_figures: bool) -> None:
        words = SHOW_COLOURS if as_figures else SHOW_FIGURES
        self.figures.setText(spoken(words))
        self.figures.setAccessibleName(spoken(words))
        self._show_chosen()

    def _show_chosen(self) -> None:
        """The week of the chosen row, in colours or in figures."""
        if (row := self._row()) is None or not self.isVisible():
            return
        from gpuplanner.charts.plots.heatmap import HOURS
        from gpuplanner.domain.model.window import DAYS
        from gpuplanner.ui.tables.heat_tables import heat_table

        table = heat_table(row)
        week_map = self.heatmap.ready()
        name = tr("All") if row.is_all else name_of(row)
        self._heading.setText(tr("{title}: {value}", title=name, value=lowered(table.title)))
        set_tip(self._heading, self._heading.text())
        self._unit.setText(spoken(table.unit))
        why = why_no_map(row)
        self._note.show_text(why)
        week_map.setVisible(not why and not self.figures.isChecked())
        week_map.show_heat(table)
        self.week.setVisible(not why and self.figures.isChecked())
        columns = (Column(title="UTC", is_figure=False), *(Column(title=day) for day in DAYS))
        view = self.view.currentData()

        def cell(value: float, day: int, hour: int | None = None) -> Cell:
            text = table.figure(value).removesuffix("%")  # the heading has the unit
            subject = week_subject(row, day, hour)
            is_known = any(sign.isdigit() for sign in text)
            return Cell(text=text, figure_id=figure("use_week", subject, view) if is_known else "")

        rows = [
            Row(
                (
                    Cell(text=f"{hour:02d}", role="muted"),
                    *(cell(table.values[day, hour], day, hour) for day in range(len(DAYS))),
                )
            )
            for hour in range(HOURS)
        ]
        means = (Cell(text=table.mean_title), *(cell(mean, day) for day, mean in enumerate(table.row_means)))
        self.week.show_whole(columns, (*rows, Row(means, is_total=True)))


def _new_map(palette: Palette) -> "Heatmap":
    from gpuplanner.charts.plots.heatmap import Heatmap

    return Heatmap(heat_colours(palette))
