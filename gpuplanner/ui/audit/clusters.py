"""Clusters of the audit: utilization beside its marks, what is stranded, and the hours of the week."""

from collections.abc import Iterable
from math import isnan
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.audit.result import Audit, ClusterAudit
from gpuplanner.domain.audit.spend.stranded import why_readings_differ
from gpuplanner.domain.audit.use_by import HoursOfWeek
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import CLUSTER, TOO_FEW
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum, lacking_sentences, largest_remainder
from gpuplanner.domain.model.book.contract import Contract, mean_gpus
from gpuplanner.domain.model.window import DAYS, Window
from gpuplanner.domain.reports.clusters import CLUSTERS, MONEY, money_sums
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.audit.cards import TablesCard
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.drawing import draw_text
from gpuplanner.ui.kit.layout import TOP, add, placed, share
from gpuplanner.ui.kit.page_parts import muted_label
from gpuplanner.ui.kit.palettes import Palette, in_use
from gpuplanner.ui.kit.type_scale import base_font, in_text_size, text_px, text_width
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.cells import Bar, Cell, Column, Row, asked, written
from gpuplanner.ui.tables.chart_palette import heat_colours, recolour_heat
from gpuplanner.ui.tables.chart_twins import ChartCard
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.limited_table import LimitedTable
from gpuplanner.ui.tables.report_table import table_columns
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.contract_use import no_job_of, why_unknown

if TYPE_CHECKING:
    from gpuplanner.charts.plots.heatmap import Heatmap


# --- Clusters of the audit: GPUs, utilization beside its marks, hours without training, cost and stranded spend


def columns(*, is_narrow: bool) -> tuple[Column, ...]:
    """The columns of the report; where the page is narrow, who is paid is in the tip of the name."""
    looks = {"gpus": {"is_figure": True}}  # how many of each model, at the right as numbers are
    return table_columns(CLUSTERS, looks, left_out="paid_to" if is_narrow else "", are_bars_short=is_narrow)


BY_USE: Final = worded("No break-even: a contract here is on demand.")

STRANDED: Final = frozenset(("stranded_metered", "stranded_audit"))
SHOWN: Final = 12
"""Clusters at most before the rest is asked for; then those with most metered stranded spend come first."""


class ClustersCard(TablesCard):
    """The clusters table of today with its heading and the key to its marks."""

    def __init__(self) -> None:
        self.limited = LimitedTable(tr("Clusters today"))
        super().__init__(CardFrame(tr("Clusters")), self.limited)
        self.is_narrow = False
        self.key = MarksKey()
        add(self.frame.head, self.key)
        add(self.frame.body, self.limited)

    @property
    def table(self) -> FigureTable:
        """The table of clusters."""
        return self.limited.table

    def show_state(self, shown: ViewState) -> None:
        """Show the clusters of an audit."""
        evaluation = shown.evaluation
        window = evaluation.project.window
        self.frame.say(numbers.span(window.start_s, window.end_s))
        rows = cluster_rows(evaluation.audit, evaluation.project.contracts, window)
        if self.is_narrow:
            rows = tuple(replace(row, cells=(*row.cells[:1], *row.cells[2:])) for row in rows)
        self.limited.show_rows(columns(is_narrow=self.is_narrow), rows, SHOWN, tr("more clusters"))


class MarksKey(QWidget):
    """What the two marks on the bars mean, written out beside them."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Solid: 40% flag. Dashed: break-even."))

    def sizeHint(self) -> QSize:
        words = tr("40% flag") + tr(titles.BREAK_EVEN)
        return QSize(text_px(text_width(words, base_font("small")) + 40), text_px(18))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, text_px(18))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The two marks of the bars, drawn as they are there, each with its name."""
        painter, at = QPainter(self), 2
        width = in_text_size(painter, self.rect()).width()
        for text, is_dashed in ((tr("40% flag"), False), (tr(titles.BREAK_EVEN), True)):
            pen = QPen(in_use().colour("text"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
            if is_dashed:
                pen.setDashPattern([1, 1])
            painter.setPen(pen)
            painter.drawLine(at, 3, at, 14)
            rect = QRect(at + 7, 0, width - at - 7, 18)
            at += 7 + draw_text(painter, rect, text, base_font("small"), in_use().muted) + 16


def cluster_rows(audit: Audit, contracts: tuple[Contract, ...], window: Window) -> tuple[Row, ...]:
    """One row a cluster, and their sum; unknown figures say what would fill them."""
    uses = audit.use.clusters if audit.use is not None else ()
    break_even = {use.name: use.break_even_utilization for use in uses}
    clusters = list(audit.clusters)
    if len(clusters) > SHOWN:
        clusters.sort(key=lambda row: -(row.stranded_metered or 0.0))
    money = [_whole(clusters, CLUSTER[key]) for key in MONEY]
    contracts_of: dict[str, list[Contract]] = {}
    for contract in contracts:
        contracts_of.setdefault(contract.cluster, []).append(contract)
    rows = []
    for cluster, *usd in zip(clusters, *money, strict=True):
        own = contracts_of.get(cluster.cluster, [])
        lacks = spoken(no_job_of((cluster.cluster,))) if cluster.cluster in audit.unlogged else ""
        rows.append(_cluster_row(cluster, own, break_even.get(cluster.cluster), usd, window, lacks))
    if len(rows) > 1:
        rows.append(_total_row(audit, contracts, window))
    return tuple(rows)


def _whole(clusters: list[ClusterAudit], spec: Figure) -> list[Cell]:
    """Whole dollars that add up to the total as it is written."""
    values: list[float | None] = [getattr(cluster, spec.key) for cluster in clusters]
    total = known_sum(values)
    whole = largest_remainder(values, total if None not in values else None)
    return [
        _figure(
            _least(cluster, spec.key) or numbers.whole(None if dollars is None else float(dollars)),
            figure(spec.why, cluster.cluster, spec.why_scope) if value is not None else "",
            _money_tip(cluster, value, spec.key),
            is_strong=spec.key != "cost_per_month",
            value=value,
        )
        for cluster, value, dollars in zip(clusters, values, whole, strict=True)
    ]


def _least(cluster: ClusterAudit, key: str) -> str:
    """What a cluster costs at least, where a contract of it has no rate."""
    known = cluster.inputs.paid_parts
    return numbers.sum_of(known, numbers.whole) if key == "cost_per_month" and known.is_at_least else ""


def _money_tip(cluster: ClusterAudit, value: float | None, name: str) -> str:
    """The amount in cents; at stranded spend also why metered is above audit, where it is."""
    if value is None:
        lacking = (
            lacking_sentences(cluster.inputs.paid_parts) if _least(cluster, name) else CLUSTER[name].unknown
        )
        return spoken(lacking)
    readings = cluster.stranded_metered, cluster.stranded_audit, cluster.unallocated_per_month
    why = spoken(why_readings_differ(*readings))
    return "\n".join(filter(None, (numbers.cents(value), why if name in STRANDED else "")))


def _figure(
    text: str, figure_id: str, tip: str = "", is_strong: bool = False, value: float | None = None
) -> Cell:
    """A figure that answers why; what is unknown has nothing to answer but its tip. value: what it is sorted by."""
    figure_id = "" if text == numbers.UNKNOWN else figure_id
    return Cell(text=text, tip=tip, is_strong=is_strong, figure_id=figure_id, value=value)


def _cluster_row(
    cluster: ClusterAudit,
    own: list[Contract],
    break_even: float | None,
    money: list[Cell],
    window: Window,
    lacks: str,
) -> Row:
    """A row of the table: a bar of utilization, amber below 40%, with the mark of break-even.

    Dashes without a contract. lacks: why nobody knows its use though it is paid; said in place of the marks.
    """
    name, used, is_paid = cluster.cluster, cluster.utilization, bool(own or cluster.paid_gpu_hours)
    paid = paid_to(own) if own or not is_paid else tr("As billed")
    flagged = cluster.below_40_percent
    why = lacks if is_paid else tr(CLUSTER["utilization"].unknown)
    bar = (
        None
        if used is None
        else Bar(share=used, role="amber" if flagged else "neutral", solid_mark=0.4, dashed_mark=break_even)
    )
    marks = tr("Below 40%") if flagged else tr("Solid: 40% flag. Dashed: break-even.")
    no_activity = tr(CLUSTER["activity"].unknown) if cluster.activity is None else ""
    while_idle = numbers.percent(cluster.non_training_utilization)
    called = tr("{title}: {value}", title=name or "Jobs that name no cluster", value=paid)
    return Row(
        (
            Cell(text=name or f"({tr('no name')})", is_strong=True, tip=called),
            Cell(text=f"{paid}{numbers.MIDDOT}{lacks}" if lacks else paid, role="muted", tip=paid),
            _figure(gpus_of(own, window), figure("gpus", name), why, value=_gpus(own, window)),
            Cell(bar=bar, tip=marks),
            written(
                numbers.percent,
                used,
                icon="triangle" if flagged else "",
                icon_role="amber",
                tip=tr(CLUSTER["below_40_percent"].glossary) if flagged else why,
                figure_id=asked(used, "utilization", name),
            ),
            _break_even(name, own, break_even),
            _figure(numbers.percent(cluster.activity), figure("activity", name), no_activity),
            _figure(
                numbers.UNKNOWN if lacks else numbers.whole(cluster.non_training_hours),
                figure("idle_hours", name),
                lacks,
            ),
            _figure(while_idle, figure("utilization", name, "idle"), why or tr(TOO_FEW)),
            *(
                cell
                if is_paid and cell.text != numbers.UNKNOWN
                else Cell(text=numbers.UNKNOWN, tip=why or cell.tip)
                for cell in money
            ),
        )
    )


def _break_even(name: str, own: list[Contract], break_even: float | None) -> Cell:
    """Of all contracts of a cluster together; "n/a" where one of them is paid by use."""
    if break_even is not None:
        alone = figure("break_even", own[0].contract_id) if len(own) == 1 else ""
        return _figure(numbers.percent(break_even), alone or figure("cluster_break_even", name))
    if any(not contract.is_committed for contract in own):
        return Cell(text=worded("n/a"), role="muted", tip=BY_USE)
    return Cell(text=numbers.UNKNOWN, tip=tr("Unknown: no on-demand price to compare. Import prices."))


def _total_row(audit: Audit, contracts: tuple[Contract, ...], window: Window) -> Row:
    """The row of all clusters; a sum with an unknown part says at least."""
    clusters = audit.clusters
    used = audit.effective_utilization
    gpus = numbers.gpus(_gpus(contracts, window)) if contracts else numbers.UNKNOWN
    sums = []
    for key, total in money_sums(audit).items():
        spec = CLUSTER[key]
        tip = tr("Contracts only; overflow is in Spend.") if spec.why == "cost" else ""
        if total.is_at_least:
            tip = spoken(lacking_sentences(total))
        text = numbers.sum_of(total, numbers.whole) if contracts or used is not None else numbers.UNKNOWN
        sums.append(_figure(text, figure(spec.why, "", spec.why_scope), tip))
    return Row(
        (
            Cell(text=numbers.counted(len(clusters), "cluster")),
            Cell(),
            _figure(gpus, figure("gpus")),
            Cell(bar=Bar(share=used, role="neutral", solid_mark=0.4) if used is not None else None),
            _figure(numbers.percent(used), figure("utilization")),
            *(Cell() for _ in range(4)),
            *sums,
        ),
        is_total=True,
    )


def paid_to(contracts: list[Contract]) -> str:
    """Vela Cloud, 12-month commitment; or how many contracts there are."""
    if not contracts:
        return tr("No contract")
    if len(contracts) > 1:
        providers = list(dict.fromkeys(contract.provider or tr("provider unknown") for contract in contracts))
        return f"{numbers.counted(len(contracts), 'contract')} \u00b7 {', '.join(providers)}"
    contract = contracts[0]
    provider = contract.provider or tr("Provider unknown")
    if not contract.is_committed:
        since = numbers.date(contract.start_s)
        return tr("{provider} \u00b7 on demand, since {start_s}", provider=provider, start_s=since)
    months = contract.term_months
    term = tr("{term_months}-month commitment", term_months=months) if months else tr("commitment")
    return f"{provider} \u00b7 {term}"


def _gpus(contracts: Iterable[Contract], window: Window) -> float:
    """GPUs of all models that were there in the window, as their mean in it."""
    return sum(mean_gpus(contract, window) for contract in contracts)


def gpus_of(contracts: list[Contract], window: Window) -> str:
    """96 H100; each model of a cluster once, of contracts that were there in the window, as their mean in it."""
    if not contracts:
        return numbers.UNKNOWN
    by_model: dict[str, float] = {}
    for contract in contracts:
        if not contract.overlaps(window.start_s, window.end_s):
            continue
        model = contract.gpu_model or tr("unknown")
        by_model[model] = by_model.get(model, 0.0) + mean_gpus(contract, window)
    return ", ".join(f"{numbers.gpus(gpus)} {model}" for model, gpus in by_model.items()) or "0"


# --- Utilization by hour and weekday on the audit page: a heatmap with a table as its twin; an hour answers why

COLUMNS: Final = (Column(title="UTC", is_figure=False), *(Column(title=day) for day in DAYS))
NO_CONTRACTS: Final = worded("Import contracts to see utilization.")
NONE_RAN: Final = worded("Utilization unknown: no contract overlaps the log. Compare dates.")
NO_HOUR: Final = worded("Unknown: no paid GPUs or log this hour.")


class HoursCard(ChartCard["Heatmap"]):
    """Told what is shown."""

    def __init__(self) -> None:
        title = tr("Utilization by hour and weekday")
        unit = tr("% of GPU-h paid")
        super().__init__(title, unit, 190, _new_heat, sheet=self._sheet, recolour=recolour_heat)
        self._shown: ViewState | None = None
        self._week: HoursOfWeek | None = None
        self.said = muted_label(tr(NO_CONTRACTS))
        add(self.frame.body, placed(self.said, TOP), share(self.twins), share(None, 0))

    def _sheet(self) -> Any:
        """The heatmap as a table to be shown large; None while there is nothing to show."""
        from gpuplanner.ui.tables.heat_tables import heat_sheet, heat_table

        use = None if self._shown is None else self._shown.evaluation.audit.use
        if self._shown is None or use is None or self._week is None:
            return None
        return heat_sheet(heat_table(use.everything), self.frame.title, source_words(self._shown))

    def show_state(self, shown: ViewState) -> None:
        """Show the week of all clusters; without contracts there is nothing to be a share of."""
        from gpuplanner.ui.tables.heat_tables import has_heat, heat_table

        self._shown, self._week = shown, None
        use = shown.evaluation.audit.use
        heat = self.chart
        if use is not None and has_heat(use.everything):
            self._week = use.everything.hours_of_week
            heat.show_heat(heat_table(use.everything))
            self.table.show_rows(COLUMNS, hour_rows(self._week))
        self.said.setText(tr(self._why_nothing()))
        self.said.setVisible(self._week is None)
        self.twins.show_both(self._week is not None)

    def figure_ids(self) -> list[str]:
        """Every hour and day that is known, as a figure."""
        return self.table.figure_ids() if self._week is not None else []

    def figure_of_current(self) -> str:
        """The figure of the cell that has the keyboard; "" where it is unknown."""
        day, hour = self.chart.current
        week = self._week
        known = week is not None and week.capacity is not None and week.capacity[day, hour]
        return cell_figure(day, hour) if known else ""

    def place_of_current(self) -> QRect:
        """Where the cell stands that has the keyboard."""
        return self.chart.cell_rect(*self.chart.current)

    def as_text(self) -> str:
        """The week as a table: a line an hour, a column a day."""
        return self.table.as_text() if self._week is not None else tr(self._why_nothing())

    def _why_nothing(self) -> Text:
        """Why there is no heatmap: no contracts, unmatched clusters, or none ran in the window."""
        if self._shown is None or not self._shown.evaluation.audit.contracts:
            return NO_CONTRACTS
        return why_unknown(self._shown.evaluation.audit) or NONE_RAN


def _new_heat(palette: Palette) -> "Heatmap":
    from gpuplanner.charts.plots.heatmap import Heatmap

    return Heatmap(heat_colours(palette))


def cell_figure(day: int, hour: int) -> str:
    """The figure of one hour of the week."""
    return figure("utilization", "", f"hour-{day}-{hour}")


def hour_rows(week: HoursOfWeek) -> tuple[Row, ...]:
    """A row an hour of the day, and the mean of each weekday over all its hours."""
    cells, means = week.utilization.tolist(), week.utilization_by_day.tolist()
    rows = [
        Row(
            (
                Cell(text=f"{hour:02d}:00"),
                *(_share(cells[day][hour], cell_figure(day, hour)) for day in range(7)),
            )
        )
        for hour in range(24)
    ]
    total = (_share(means[day], figure("utilization", "", f"day-{day}")) for day in range(7))
    return (*rows, Row((Cell(text=tr("Mean")), *total), is_total=True))


def _share(share: float, figure_id: str) -> Cell:
    """A share of an hour in percent; a dash where nothing was paid for in it."""
    if isnan(share):  # nothing was paid for
        return Cell(text=numbers.UNKNOWN, tip=NO_HOUR)
    return written(numbers.percent, share, figure_id=figure_id)
