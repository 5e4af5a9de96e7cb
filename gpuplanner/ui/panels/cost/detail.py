"""What stands behind one row of the panel Cost, in words, as a table of parts, and the way to its jobs."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.app.past.costing import Costs
from gpuplanner.charts.kit.chart_colours import mixed
from gpuplanner.charts.kit.translation import sentence, speak, spoken, tr
from gpuplanner.domain.audit.chargeback import Charge
from gpuplanner.domain.audit.cost_result import ChargeBy, ClusterVariance, EndpointCost, PeriodCost, Variance
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.changes import CELLS, CHANGE
from gpuplanner.domain.figures.unit_costs import RETRAINING
from gpuplanner.domain.message import worded
from gpuplanner.domain.reports.changes import CONTRACT_PARTS, PARTS_SHOWN, WORKLOAD_PARTS
from gpuplanner.domain.reports.costs import MODEL_PARTS
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.layout import STRETCH, box, column, row, share
from gpuplanner.ui.kit.page_parts import label, muted_label, named_button, scrolled
from gpuplanner.ui.kit.palettes import Palette, in_use
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.cost.rows import TOTAL_KEY, cluster_named, time_text
from gpuplanner.ui.state.waterfall_steps import Amount, steps_of
from gpuplanner.ui.tables.cells import Cell, Column, Row, asked, written
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.tables.seen_chart import SeenChart, new_waterfall, waterfall_sheet
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane

if TYPE_CHECKING:
    from gpuplanner.charts.plots.hour_bars import HourBars
    from gpuplanner.charts.plots.waterfall import StepKind, WaterfallPlot


# --- What stands behind one row of the panel Cost, in words and as a table of parts --------------

WORKLOADS, CONTRACTS = "workload", "contract"


@dataclass(frozen=True, slots=True)
class Parts:
    """A table of parts; opens says what a row's key is of."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    opens: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """What is said of a row. jobs: key, start and end of its job rows; endpoint: to be drawn."""

    title: str
    lines: tuple[str, ...]
    jobs: tuple[str, int | None, int | None] | None = None
    parts: tuple[Parts, ...] = ()
    endpoint: EndpointCost | None = None
    steps: tuple[Amount, ...] = ()  # of a waterfall

    def __post_init__(self) -> None:
        speak(self, "title")


def detail_of(view: str, key: str, costs: Costs) -> Detail | None:
    """What stands behind a row; None where it is not there any more."""
    answers: dict[str, Callable[[str, Costs], Detail | None]] = {
        "runs": _run,
        "models": _model,
        "endpoints": _endpoint,
        "experiments": _experiment,
        "changes": _change,
        "retraining": _retraining,
        **{f"charges_{by}": partial(_charge, by) for by in ChargeBy},
    }
    # Nothing stands behind a row that Why does not say.
    return answers[view](key, costs) if view in answers else None


def charge_of(by: ChargeBy, key: str | None, costs: Costs) -> Charge | None:
    """The row of who pays that has a key; None where there is none any more."""
    charges = costs.charges[by]
    return next((row for row in (*charges.rows, charges.whole) if row.subject == key), None)


def _charge(by: ChargeBy, key: str, costs: Costs) -> Detail | None:
    if (row := charge_of(by, key, costs)) is None:
        return None
    words = tr(
        "{gpu_hours} GPU-h in the lookback period: {direct} served, {idle} idle, {overflow} overflow",
        gpu_hours=numbers.whole(row.gpu_hours),
        direct=numbers.dollars(row.direct_in_window),
        idle=numbers.dollars(row.idle_in_window),
        overflow=numbers.dollars(row.overflow_in_window),
    )
    is_workload = by in (ChargeBy.WORKLOAD, ChargeBy.ENDPOINT) and row.name is not None
    jobs = (row.name, None, None) if is_workload and row.name is not None else None
    return Detail(title=spoken(row.called), lines=(words, *_budget_lines(row)), jobs=jobs)


def _budget_lines(row: Charge) -> tuple[str, ...]:
    """What a budget has left over the window; nothing without one."""
    if row.budget_in_window is None:
        return ()
    if (left := row.left_in_window) is None:
        return (tr("Budget for the period {budget}.", budget=numbers.dollars(row.budget_in_window)),)
    words = tr("Budget for the period {budget}: {left} over.", **_budget(row, -left))
    if left >= 0:
        words = tr("Budget for the period {budget}: {left} left.", **_budget(row, left))
    return (words,)


def _budget(row: Charge, left: float) -> dict[str, str]:
    return {"budget": numbers.dollars(row.budget_in_window), "left": numbers.dollars(left)}


def _retraining(key: str, costs: Costs) -> Detail | None:
    """The gaps between the starts of a workload's runs, and the way to its jobs."""
    if (row := next((row for row in costs.retraining if row.key == key), None)) is None:
        return None
    gaps = ", ".join(numbers.one_decimal(gap) for gap in row.gaps_days)
    words = spoken(RETRAINING["days_between"].unknown)
    if gaps:
        words = tr("Days from start to start: {gaps}", gaps=gaps)
    return Detail(title=row.name, lines=(words,), jobs=(row.key, None, None))


def _run(key: str, costs: Costs) -> Detail | None:
    if (run := next((run for run in costs.unit.runs if run.subject == key), None)) is None:
        return None
    lines = (
        tr(
            "{start_s} to {end_s} UTC, {hours}, on {cluster}",
            start_s=time_text(run.start_s),
            end_s=time_text(run.end_s),
            hours=numbers.counted(run.hours, "hour"),
            cluster=run.cluster,
        ),
        tr(
            "{mean_gpus} GPUs on average, {gpu_hours} GPU-h, {usd}: {rate} per GPU-h",
            mean_gpus=numbers.gpus(run.mean_gpus),
            gpu_hours=numbers.whole(run.gpu_hours),
            usd=numbers.cents(run.cost),
            rate=numbers.cents(run.mean_rate),
        ),
    )
    return Detail(title=run.name, lines=lines, jobs=(run.key, run.start_s, run.end_s))


def _model(key: str, costs: Costs) -> Detail | None:
    if (model := next((row for row in costs.unit.models if row.subject == key), None)) is None:
        return None
    words = {
        "log": tr("From the log's column model."),
        "name": tr("From job names; a column model would be certain."),
        "unknown": tr("Model unknown: not in log or job names."),
    }[model.source]
    rows = []
    for part in model.parts[:PARTS_SHOWN]:
        of, usd = f"{model.subject}\t{part.key}", part.cost_per_month
        hours = written(numbers.whole, part.gpu_hours, figure_id=figure("part_hours", of))
        money = written(numbers.whole, usd, is_strong=True, figure_id=asked(usd, "part_usd", of))
        rows.append(Row((Cell(text=part.key, tip=part.key), hours, money), key=part.key))
    parts = Parts(table_columns(MODEL_PARTS), tuple(rows), WORKLOADS)
    return Detail(title=model.model or tr("Unknown model"), lines=(words,), parts=(parts,))


def _endpoint(key: str, costs: Costs) -> Detail | None:
    if (row := next((row for row in costs.unit.endpoints if row.key == key), None)) is None:
        return None
    premium = row.premium
    if row.active_per_month is None:
        use = tr("Activity is unknown: it is not in the log.")
    else:
        use = tr(
            "By activity: {busy_usd_per_month} active, {idle_usd_per_month} inactive per month",
            busy_usd_per_month=numbers.dollars(row.active_per_month),
            idle_usd_per_month=numbers.dollars(row.inactive_per_month),
        )
    if premium.offer_rate is None:
        rate = tr(
            "Paid {usd_per_gpu_hour} per GPU-h at {utilization} utilization; no offer of the "
            "same or a shorter term fits.",
            usd_per_gpu_hour=numbers.cents(premium.paid_rate),
            utilization=_share(premium.paid_utilization),
        )
    else:
        rate = tr(
            "Paid {usd_per_gpu_hour} per GPU-h at {utilization} utilization. Cheapest offer at "
            "equal terms: {offer_id}, {offer_usd_per_gpu_hour} at {offer_utilization} utilization",
            usd_per_gpu_hour=numbers.cents(premium.paid_rate),
            utilization=_share(premium.paid_utilization),
            offer_id=premium.offer_id,
            offer_usd_per_gpu_hour=numbers.cents(premium.offer_rate),
            offer_utilization=_share(premium.offer_utilization),
        )
    return Detail(title=row.name, lines=(use, rate, _tokens(row)), jobs=(row.key, None, None), endpoint=row)


def _share(utilization: float | None) -> str:
    return numbers.UNKNOWN if utilization is None else numbers.whole_percent(utilization)


def _tokens(row: EndpointCost) -> str:
    if (tokens := row.tokens) is None:
        return tr("Unknown without traffic: $ per 1M tokens.")
    if tokens.is_assumed:
        return tr(
            "{usd_per_million_tokens} per 1M tokens, {usd_per_million_generated_tokens} per 1M generated, with "
            "the sizing's weekly traffic and assumed tokens per request",
            usd_per_million_tokens=numbers.cents(tokens.cost_per_million_tokens),
            usd_per_million_generated_tokens=numbers.cents(tokens.cost_per_million_generated_tokens),
        )
    return tr(
        "{usd_per_million_tokens} per 1M tokens, {usd_per_million_generated_tokens} per 1M "
        "generated, for {start_s} – {end_s} UTC only, covered by traffic and log",
        usd_per_million_tokens=numbers.cents(tokens.cost_per_million_tokens),
        usd_per_million_generated_tokens=numbers.cents(tokens.cost_per_million_generated_tokens),
        start_s=time_text(tokens.start_s),
        end_s=time_text(tokens.end_s),
    )


def _experiment(key: str, costs: Costs) -> Detail | None:
    if (row := next((row for row in costs.unit.experiments if row.key == key), None)) is None:
        return None
    when = (
        ""
        if row.start_s is None or row.end_s is None
        else tr("{start_s}, on {cluster}", start_s=numbers.span(row.start_s, row.end_s), cluster=row.cluster)
    )
    words = tr(
        "{jobs}, {gpu_hours} GPU-h, {usd} in the lookback period: {usd_per_job} per job",
        jobs=numbers.counted(row.jobs, "job"),
        gpu_hours=numbers.whole(row.gpu_hours),
        usd=numbers.cents(row.cost_in_window),
        usd_per_job=numbers.cents(row.cost_per_job),
    )
    return Detail(title=row.name, lines=(when, words), jobs=(row.key, None, None))


def _change(key: str, costs: Costs) -> Detail | None:
    if (cluster := cluster_named(costs, key)) is not None:
        lines, parts = _change_lines(cluster), _change_parts((cluster,))
        return Detail(title=cluster.cluster, lines=lines, parts=parts, steps=_steps(cluster))
    if key != TOTAL_KEY:
        return None
    mix = costs.variance.mix_per_month
    note = tr("Each total is the sum over clusters.")
    if mix is not None and len(costs.variance.clusters) > 1:
        mixed = tr("Of the volume, {mix} moved to other clusters.", mix=numbers.dollar_change(mix))
        note = f"{note} {mixed}"
    moved = costs.variance
    return Detail(
        title=tr("All clusters"), lines=(note,), parts=_change_parts(moved.clusters), steps=_steps(moved)
    )


def _steps(row: ClusterVariance | Variance) -> tuple[Amount, ...]:
    """From the first period to the second, $ per month."""
    roles: dict[str, StepKind] = {CELLS[0]: "start", CELLS[-1]: "result"}
    return tuple(
        Amount(
            name=spoken(CHANGE[key].title),
            note="",
            usd=getattr(row, key),
            kind=roles.get(key, "step"),
            tip=spoken(CHANGE[key].glossary),
        )
        for key in CELLS
    )


def _change_lines(row: ClusterVariance) -> tuple[str, ...]:
    def of_period(which: str, cost: PeriodCost) -> str:
        ratio = numbers.UNKNOWN if cost.inefficiency is None else numbers.rate(cost.inefficiency)
        used, rate = cost.used_gpu_hours, cost.rate
        return tr(
            "{which} {used} GPU-h used \u00d7 {ratio} paid per used \u00d7 {rate}",
            which=which,
            used=numbers.whole(used),
            ratio=ratio,
            rate=numbers.cents(rate),
        )

    note = (f"{sentence(row.note)}.",) if row.note else ()
    return (of_period("Before:", row.before), of_period("After:", row.after), *note)


def _change_parts(clusters: tuple[ClusterVariance, ...]) -> tuple[Parts, ...]:
    tables = (
        Parts(table_columns(report), table_rows(report, clusters, are_opened=True), opens)
        for report, opens in ((WORKLOAD_PARTS, WORKLOADS), (CONTRACT_PARTS, CONTRACTS))
    )
    return tuple(table for table in tables if table.rows)


# --- The lower half of the panel Cost: what stands behind the chosen row, and the way to its jobs

TABLES = 2


class CostBehind(QWidget):
    """Told a detail; emits whose jobs, contract or traffic is asked for."""

    jobs_asked = Signal(str, object, object)
    contract_asked = Signal(str)
    traffic_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._detail: Detail | None = None
        self.title = label(step="total")
        self.title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        tip = tr("Job rows of this figure")
        self.jobs = named_button(tr("Show jobs"), tip, self._ask_jobs, is_link=True)
        words, tip = tr("Read traffic\u2026"), tr("This endpoint's requests from a file")
        called = words.rstrip("\u2026")
        self.traffic = named_button(words, tip, self._ask_traffic, called=called, is_link=True)
        self.source: Callable[[], str] = lambda: ""  # from what the figures of charts are
        self._head = row(share(self.title), self.traffic, self.jobs, spacing=12)
        new = partial(new_waterfall, worded("What changed, $ per month"))
        self.steps_chart = SeenChart(new, self._put_steps, self._steps_sheet, self._head)
        self.hours = SeenChart(_new_hours, self._put_hours, self._hours_sheet)
        self.lines = muted_label()
        self.drawn = muted_label(worded("$ per month by hour of the day, UTC"), is_wrapped=False)
        self.tables = [FigureTable(tr("Basis, {number}", number=number + 1)) for number in range(TABLES)]
        for number, table in enumerate(self.tables):
            table.asks_by_click = False
            table.row_opened.connect(lambda key, number=number: self._open(number, key))
        self._body = column(self.drawn, *self.tables, STRETCH, margins=(0, 2, 0, 0), spacing=6)
        self._scroll = scrolled(box("panel", self._body, QWidget()), tr("Details"))
        # words without tables stay at the top
        parts = (self._head, self.lines, share(self._scroll), share(None, 0))
        column(*parts, on=self, margins=(0, 4, 0, 0), spacing=4)
        self.show_detail(None)

    def show_detail(self, detail: Detail | None) -> None:
        """Show what stands behind a row; nothing for None."""
        self._detail = detail
        self.setVisible(detail is not None)
        if detail is None:
            return
        self.title.setText(spoken(detail.title))
        self.lines.setText("\n".join(line for line in detail.lines if line))
        self.jobs.setVisible(detail.jobs is not None)
        self.traffic.setVisible(detail.endpoint is not None)
        for number, table in enumerate(self.tables):
            table.setVisible(number < len(detail.parts))
            if number < len(detail.parts):
                table.setAccessibleName(str(detail.parts[number].columns[0].title).replace("\n", " "))
                table.show_rows(detail.parts[number].columns, detail.parts[number].rows)
                table.clearSelection()
                table.fit_height()
        self._scroll.setVisible(self.has_body)
        self._draw(detail.endpoint)
        self._draw_steps(detail.steps)

    @property
    def has_body(self) -> bool:
        """Whether there is more to see than a few lines."""
        detail = self._detail
        return detail is not None and bool(detail.parts or detail.endpoint)

    def recolour(self) -> None:
        """Other colours from now on."""
        if self._detail is not None:
            self._draw(self._detail.endpoint)
            self._draw_steps(self._detail.steps)

    # Inside

    def _draw_steps(self, steps: tuple[Amount, ...]) -> None:
        if steps:
            self.steps_chart.ready().show_steps(steps_of(steps))
        if self.steps_chart.plot is not None:
            self.steps_chart.show(bool(steps))
            self.steps_chart.menu.button.setVisible(bool(steps))
            if not steps and self.steps_chart.menu.table is not None:
                self.steps_chart.menu.table.hide()
            self.steps_chart.menu.refresh()

    def _put_steps(self, chart: "WaterfallPlot") -> None:
        chart.setFixedHeight(text_px(150))
        self._body.insertWidget(0, chart)

    def _steps_sheet(self) -> Any:
        if (detail := self._detail) is None or not detail.steps:
            return None
        title = tr("What changed: {title}", title=detail.title)
        return waterfall_sheet(self.steps_chart, title, tr("$ per month"), self.source())

    def _hours_sheet(self) -> Any:
        detail = self._detail
        endpoint = detail.endpoint if detail is not None else None
        if detail is None or endpoint is None or endpoint.cost_per_month is None:
            return None
        parts = [(name, usd) for name, _, usd in _hour_parts(endpoint, in_use())]
        return sheet_of(
            tr("{title} by hour of the day", title=detail.title),
            tr("$ per month, UTC"),
            self.source(),
            self.hours.drawn(lambda made, palette: made.show_hours(_hour_parts(endpoint, palette))),
            (tr("Hour, UTC"), *(name for name, _ in parts), tr("Every day")),
            lambda: [
                (
                    f"{hour:02d}",
                    *(numbers.whole(float(usd[hour])) for _, usd in parts),
                    numbers.whole(float(sum(usd[hour] for _, usd in parts))),
                )
                for hour in range(24)
            ],
        )

    def _draw(self, endpoint: EndpointCost | None) -> None:
        is_known = endpoint is not None and endpoint.cost_per_month is not None
        self.drawn.setVisible(is_known)
        if endpoint is not None and is_known:
            self.hours.ready().show_hours(_hour_parts(endpoint, in_use()))
            self.hours.menu.refresh()
        self.hours.show(is_known)

    def _put_hours(self, chart: "HourBars") -> None:
        chart.setFixedHeight(text_px(118))
        self._body.insertWidget(self._body.indexOf(self.drawn) + 1, chart)

    def _ask_jobs(self) -> None:
        if self._detail is not None and self._detail.jobs is not None:
            self.jobs_asked.emit(*self._detail.jobs)

    def _ask_traffic(self) -> None:
        if self._detail is not None and self._detail.endpoint is not None:
            self.traffic_asked.emit(self._detail.endpoint.key)

    def _open(self, number: int, key: str) -> None:
        if self._detail is None or number >= len(self._detail.parts):
            return
        if self._detail.parts[number].opens == CONTRACTS:
            self.contract_asked.emit(key)
        else:
            self.jobs_asked.emit(key, None, None)


def _new_hours(palette: Palette) -> "HourBars":
    from gpuplanner.charts.plots.hour_bars import HourBars

    return HourBars(chart_colours(palette), numbers.short_dollars)


def _hour_parts(endpoint: EndpointCost, palette: Palette) -> tuple[tuple[str, str, Any], ...]:
    """Weekdays and weekends: name, colour, $ a month in each hour of the day."""
    week = np.array(endpoint.by_weekday_per_month, dtype=np.float64)
    fill = palette.lane(Lane.INFERENCE)
    pale = mixed(fill, palette.colour("raised"), 0.45)
    return (
        ("Mon\u2013Fri", fill.name(), week[:5].sum(axis=0)),
        (tr("Sat, Sun"), pale.name(), week[5:].sum(axis=0)),
    )
