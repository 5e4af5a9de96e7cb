"""Contracts: what is paid for, how much of it was used, when it ends and what the plan does with it."""

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import by_count, spoken, tr
from gpuplanner.domain.audit.result import ContractAudit
from gpuplanner.domain.audit.utilization.paid_contracts import paid_contracts
from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.commitment.words.verdicts import change_words, decide_by_s
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.typed import plan_month
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.amounts import part_sum
from gpuplanner.domain.model.book.contract import CONTRACT_TERMS, Contract, in_force
from gpuplanner.domain.model.book.exchange import as_quoted
from gpuplanner.domain.model.book.renewal import has_notice_passed
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.files.contracts.contract_words import contract_parts, sentence_of
from gpuplanner.files.system.resources import long_text, views_of, words_table
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.layout import SMALL, column, share, stacked
from gpuplanner.ui.kit.page_parts import muted_label, scrolled, tool_button
from gpuplanner.ui.kit.palettes import Palette, in_use
from gpuplanner.ui.kit.tabs import view_tabs
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.panel import About, Panel, PanelView
from gpuplanner.ui.panels.today import contract_dates
from gpuplanner.ui.state.commitment_words import sla_words
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.row_list import ListRow, RowList
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import TABLE, keys_of

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.timeline import TimelineChart

NO_CONTRACTS: Final = worded("Import contracts to see spend: {shortcut}", shortcut=keys_of("import"))


VIEWS: Final = views_of("contracts")
LEGEND: Final = joined(words_table("timeline_legend").values(), numbers.MIDDOT)
ASKS_NOTICE: Final = worded("Enter or click: record a notice")
OPENS: Final = worded("Enter or click: rate, GPUs, dates and notice")
EDITOR: Final = "editor"
"""The kind of a row that opens the editor of its contract."""
LEGEND_FROM: Final = 340
"""Pixels of height from which the timeline has its legend under it."""
WIDE_FROM: Final = 700
"""Pixels from which the timeline names quarters."""


class ContractsPanel(Panel):
    """Told what is shown; emits what an order that was opened is of. now_s: the day it is; None: the window's end."""

    about = About(
        name="contracts",
        title=worded("Contracts"),
        is_counted=True,
        has_months=True,
        views=tuple(PanelView(name, title, tip) for name, title, tip in VIEWS),
    )

    def build(self) -> None:
        self.list = RowList(tr("Contracts"))
        self.list.empty_text = NO_CONTRACTS
        self.list.row_opened.connect(
            lambda kind, contract_id: (self.editor_asked if kind == EDITOR else self.notice_asked).emit(
                contract_id
            )
        )
        self.twin = FigureTable(tr("Contracts over time"))
        page = QWidget()
        self.empty, self.legend = muted_label(NO_CONTRACTS), muted_label(LEGEND)
        self.scroll_area = scrolled(None)
        self._twins = stacked(self.scroll_area, self.twin)
        column(self.empty, share(self._twins), self.legend, on=page, margins=SMALL, spacing=4)
        self._views = stacked(page, self.list)
        tab_line = self._tabs()
        self.chart = SeenChart(
            new=_new_chart,
            put=self._put,
            sheet=self._sheet,
            head=tab_line,
            turn=self.turn,
            recolour=_recolour,
        )
        self.fill(tab_line, self._views, top=6, spacing=2)
        self.twin.asks_by_click = False
        self.twin.row_opened.connect(self.open_row)

    def _tabs(self) -> QHBoxLayout:
        line, self.tabs = view_tabs(self, tr("Contracts"), VIEWS, self.show_view)
        tip = tr("Show as table or as chart ({keys})", keys=TABLE)
        self.turner = tool_button(tr("Timeline: table or chart"), tip, self.turn, drawing="group")
        line.addWidget(self.turner)
        return line

    def count(self, shown: ViewState) -> int:
        """How many contracts there are."""
        return len(shown.evaluation.project.contracts)

    def show_view(self, name: str) -> None:
        """Show timeline or list."""
        self.tabs[name].setChecked(True)
        self._views.setCurrentIndex([view for view, _, _ in VIEWS].index(name))
        self.turner.setVisible(name == "timeline")
        if self.chart.plot is not None:
            self.chart.menu.button.setVisible(name == "timeline")
        if self.isVisible():
            self.redraw()

    def turn(self) -> None:
        """Show the timeline as a table, or as a chart again, and give it the keyboard."""
        self._twins.setCurrentIndex(1 - self._twins.currentIndex())
        self._show_legend()
        target = self.twin if self._twins.currentIndex() else self.chart.plot
        if target is not None:
            target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_legend(self) -> None:
        """Under the timeline where there is room; else it is the tip of the chart."""
        has_room = self.height() >= text_px(LEGEND_FROM)
        self.legend.setVisible(has_room and not self._twins.isHidden() and self._twins.currentIndex() == 0)
        set_tip(self.scroll_area, "" if has_room else self.legend.text())

    def select(self, contract_id: str) -> None:
        """Choose the row of a contract in the list and bring it into view."""
        self.show_view("list")
        self.list.setFocus()
        self.list.select(contract_id)

    def open_row(self, key: str) -> None:
        """A contract opens in the list; an order opens the layers that it is of."""
        if not key.startswith(contract_dates.ORDER_KEY):
            self.select(key)
            return
        pool, model, *_ = key.removeprefix(contract_dates.ORDER_KEY).split("\t")
        self.layers_asked.emit(Pool(pool), model or None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_legend()
        before, now, wide = event.oldSize().width(), event.size().width(), text_px(WIDE_FROM)
        if (before >= wide) != (now >= wide) and self.isVisible():
            self.redraw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_turn = event.key() == Qt.Key.Key_T and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if is_turn and self._views.currentIndex() == 0:
            self.turn()
        else:
            super().keyPressEvent(event)

    def draw(self, shown: ViewState) -> None:
        """Show the contracts in the view that is chosen."""
        self.list.show_rows(contract_rows(shown))
        today_s = self._today_s(shown)
        if VIEWS[self._views.currentIndex()][0] == "timeline":
            rows = self._tell(self.chart.ready(), in_use(), shown, today_s)
            is_wide = self.width() >= text_px(WIDE_FROM)
            self.twin.show_rows(*contract_dates.twin_table(shown, today_s, is_wide))
            self.empty.setVisible(not rows)
            self._twins.setVisible(bool(rows))
            self._show_legend()

    def _today_s(self, shown: ViewState) -> int:
        return shown.evaluation.project.window.end_s if self._now_s is None else self._now_s

    def _put(self, chart: "TimelineChart") -> None:
        chart.row_opened.connect(self.open_row)
        self.scroll_area.setWidget(chart)

    def _tell(self, chart: "TimelineChart", palette: Palette, shown: ViewState, today_s: int) -> Any:
        from gpuplanner.ui.panels.today.contract_times import MONTHS_SHOWN, timeline_rows, timeline_ticks

        window = shown.evaluation.project.plan_window  # no years of nothing before a plan that begins later
        rows = timeline_rows(shown, palette, today_s)
        is_wide = chart.width() >= text_px(WIDE_FROM)
        end_s = shown.evaluation.project.plan_window.end_s + MONTHS_SHOWN * MONTH_S
        words = tr("today") if self._now_s is not None else tr("end of the lookback period")
        ticks = timeline_ticks(window, end_s, is_wide)
        line = (today_s, words)
        if shown.month and shown.advice is not None:
            line = (shown.advice.comparison[shown.month].start_s, spoken(plan_month(shown.month)))
        chart.show_rows(rows, window.start_s, end_s, ticks, line)
        return rows

    def _sheet(self) -> Any:
        shown, chart = self._shown, self.chart.plot
        if shown is None or chart is None or not chart.rows:
            return None
        today_s = self._today_s(shown)

        def tell(made: "TimelineChart", palette: Palette) -> None:
            made.resize(WIDE_FROM + 200, 100)
            self._tell(made, palette, shown, today_s)

        columns, rows = contract_dates.twin_table(shown, today_s, True)
        return sheet_of(
            tr("Contracts over time"),
            spoken(LEGEND),
            source_words(shown),
            self.chart.drawn(tell),
            tuple(str(one.title).replace("\n", " ") for one in columns),
            lambda: [tuple(cell.text for cell in row.cells) for row in rows],
            chart.sizeHint().height(),
        )


def _recolour(plot: "TimelineChart", palette: Palette) -> None:
    plot.show_colours(chart_colours(palette))
    plot.show_late_colour(palette.red)


def _new_chart(palette: Palette) -> "TimelineChart":
    from gpuplanner.charts.plots.timeline import TimelineChart

    return TimelineChart(tr("Contracts over time"), chart_colours(palette), palette.red)


def contract_rows(shown: ViewState) -> list[ListRow]:
    """A heading with the sum, then one row a contract, in the order of their ends; at a later month of the plan those
    that have ended before it stand last, under a heading of their own."""
    contracts = sorted(
        paid_contracts(shown.evaluation.project),
        key=lambda row: (row.end_s is None, row.end_s or 0, row.contract_id),
    )
    if not contracts:
        return []
    used = {row.contract_id: row for row in shown.evaluation.audit.contracts}
    advice = None if shown.is_today else shown.advice
    verdicts = {} if advice is None else {row.contract_id: row for row in advice.verdicts}
    from_s = advice.comparison[shown.month].start_s if shown.month and advice is not None else 0
    renewed = {name: verdict.ends_s for name, verdict in verdicts.items()}
    held = [replace(one, end_s=renewed.get(one.contract_id) or one.end_s) for one in contracts]
    ended = [one for one, then in zip(contracts, held, strict=True) if 0 < (then.end_s or 0) <= from_s]
    running = [contract for contract in contracts if contract not in ended]
    rows = [
        build_contract_row(row, used.get(row.contract_id), verdicts.get(row.contract_id), shown)
        for row in (*running, *ended)
    ]
    begins_s = shown.evaluation.project.plan_window.end_s
    now = in_force(held, from_s or begins_s)
    is_known = now == in_force(contracts, begins_s) and all(one.cost_per_month is not None for one in now)
    words = _count_text(running)
    if len(now) < len(running):
        words = tr("{contracts} in force", contracts=_count_text(now))
    heading = ListRow(
        title=tr("{contracts}, by their ends", contracts=words),
        amount=_sum_text(now),
        is_heading=True,
        figure_id=figure("contracts_usd") if is_known else "",
    )
    count, month = _count_text(ended), shown.month + 1
    before = tr("{contracts}, ended before month {month}", contracts=count, month=month)
    then = [ListRow(title=before, is_heading=True)] if ended else []
    gone = [replace(row, amount="", figure_id="") for row in rows[len(running) :]]
    return [heading, *rows[: len(running)], *then, *gone]


def _end_text(contract: Contract, verdict: Verdict | None, has_passed: bool) -> str:
    """When it ends in the plan, or that it runs on. has_passed: whether its notice has."""
    ends_s = contract.end_s if verdict is None or verdict.ends_s is None else verdict.ends_s
    if ends_s is None:
        return tr("no end")
    day = numbers.date(ends_s - 1)
    if verdict is not None and verdict.verdict == "renew":
        return tr("renews after {day}", day=day)
    is_later = has_passed and ends_s != contract.end_s
    return tr("notice passed, runs on until {day}", day=day) if is_later else tr("ends {day}", day=day)


def build_contract_row(
    contract: Contract, used: ContractAudit | None, verdict: Verdict | None, shown: ViewState
) -> ListRow:
    """Return the row of a contract: name, facts and $ per month."""
    plan, project = None if shown.is_today else shown.evaluation.figures.basis.plan, shown.evaluation.project
    both_s = project.plan_window.end_s, project.window.end_s
    has_passed = plan is not None and has_notice_passed(contract, *both_s)
    is_given = plan is not None and contract.contract_id in plan.notice_given
    runs_on_s = None if verdict is None else verdict.ends_s
    flagged = used is not None and used.below_40_percent
    dates = contract_dates.dates_of(contract, verdict, shown)
    ends = _end_text(contract, verdict, has_passed)
    use = tr("{used} used", used=numbers.percent(used.utilization if used else None))
    by_s = None if verdict is None else decide_by_s(verdict, contract)
    order_by, notice_by = "" if by_s is None else numbers.date(by_s), ""
    # nothing follows it: there is no order, at most a notice to give
    if verdict is not None and not verdict.gpus:
        order_by, notice_by = "", order_by if contract.notice else ""
    terms = ", ".join(spoken(CONTRACT_TERMS[name]) for name, _ in contract.filed)
    facts = (
        f"{numbers.gpus(contract.gpus)} {contract.gpu_model or 'GPUs'}",
        ends,
        tr("notice was given") if is_given and has_passed else "",
        tr("order by {order_by}", order_by=order_by) if order_by else "",
        tr("notice by {notice_by}", notice_by=notice_by)
        if notice_by and (runs_on_s or not has_passed)
        else "",
        tr("ends early for {fee} $", fee=numbers.whole(fee)) if (fee := contract.cancel_fee) else "",
        tr("may be exchanged until {day}", day=numbers.date(contract.exchange_until_s))
        if contract.exchange_until_s
        else "",
        tr("{terms} as you entered", terms=terms) if contract.filed else "",
    )
    told_terms = {"prepaid_usd"}
    told_terms |= {"notice_days"} if contract.is_notice_unknown else set()
    told_terms |= {"renews_months"} if contract.renews_months is not None else set()
    stated = (spoken(words) for term, words in contract_parts(contract).items() if term in told_terms)
    money = contract.cost_per_month
    opens = EDITOR if contract.quoted_rate is None or not has_passed else "notice"
    return ListRow(
        title=f"{contract.contract_id}: {spoken(change_words(verdict, contract) or dates.then)}"
        if verdict is not None
        else contract.contract_id,
        note=numbers.MIDDOT.join(filter(None, facts)),
        amount=numbers.whole(money) if money is not None or as_quoted(contract) else tr("quote needed"),
        icon="triangle" if flagged else "contract",
        icon_role="amber" if flagged else "muted",
        kind=opens,
        key=contract.contract_id,
        tip="\n".join(
            filter(None, (_tip(contract, verdict), tr(OPENS) if opens == EDITOR else tr(ASKS_NOTICE)))
        ),
        more=numbers.MIDDOT.join((use, *_more_terms(contract), *stated)),
        figure_id="" if money is None else figure("contract_usd", contract.contract_id),
    )


def _count_text(contracts: list[Contract]) -> str:
    gpus, counted = sum(contract.gpus for contract in contracts), numbers.counted(len(contracts), "contract")
    return by_count(
        gpus,
        "{contracts}, {gpus} GPU",
        "{contracts}, {gpus} GPUs",
        contracts=counted,
        gpus=numbers.gpus(gpus),
    )


def _sum_text(contracts: list[Contract]) -> str:
    total = part_sum((contract.part_name, contract.cost_per_month) for contract in contracts)
    if total.written is None:
        return tr("$ per month")
    return tr("{usd} per month", usd=numbers.sum_of(total))


def _tip(contract: Contract, verdict: Verdict | None) -> str:
    parts = [
        contract.provider or tr("provider unknown"),
        tr("cluster {cluster}", cluster=contract.cluster),
        spoken(sentence_of(contract_parts(contract))),
    ]
    parts += _more_terms(contract)  # whole, where the row has no room for them
    return "\n".join(parts if verdict is None else [*parts, spoken(verdict.reason)])


def _more_terms(contract: Contract) -> list[str]:
    """What it states that most contracts do not, a line each."""
    lines = sla_words(contract)
    if contract.purchase_order is not None:
        lines.append(tr("purchase order {number}", number=contract.purchase_order))
    if (least := contract.take_or_pay_percent) is not None:
        paid = numbers.percent(contract.paid_share)
        lines.append(tr(long_text("minimum_payment", least=numbers.significant(least), paid=paid)))
    if (usd := contract.deposit) is not None:
        lines.append(tr("{usd} $ deposited", usd=numbers.whole(usd)))
    return lines
