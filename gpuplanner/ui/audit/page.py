"""The audit page of Today, which scrolls and answers why of every figure, with the data-quality card."""

from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QWidget

from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.intake import ACTIVITY, GAP_RULE, SERIOUS_BELOW, DataQuality, Gap, quality_gaps
from gpuplanner.domain.queue.rows import WaitsBy
from gpuplanner.files.system.resources import words_table
from gpuplanner.ui.audit.cards import ClassesCard, FitCard, WaitsCard
from gpuplanner.ui.audit.clusters import ClustersCard, HoursCard
from gpuplanner.ui.audit.spend_cards import BridgeCard, ContractsCard, LeaksCard, QuarterCard, WorthCard
from gpuplanner.ui.kit.layout import STRETCH, column, grid, named, row
from gpuplanner.ui.kit.page_parts import heading_label, muted_label, passing_menu, scrolled
from gpuplanner.ui.kit.theme import text_px
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Filled, Row, asked, filled_row, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers

# --- The audit page of Today: one page for the review meeting, which scrolls; every figure of it answers why

TWO_COLUMNS_FROM: Final = 1080
"""Width of the page, in pixels, from which cards stand side by side; of the twelve parts below."""

PLACES: Final = (  # card, first part and parts of twelve in its row; a new row begins where the first is 0
    ("clusters", 0, 12),
    ("quarter", 0, 12),
    ("bridge", 0, 7),
    ("hours", 7, 5),
    ("leaks", 0, 12),
    ("classes", 0, 6),
    ("contracts", 6, 6),
    ("waits", 0, 12),
    ("fit", 0, 6),
    ("worth", 6, 6),
)

OF_CONTRACTS_ALONE: Final = "clusters"
"""The card that says something where there are contracts and no job log."""


class AuditPage(QScrollArea):
    """Told what is shown; drawn again only where the audit, or what was decided about it, is another one."""

    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)
    import_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.clusters = ClustersCard()
        self.quarter = QuarterCard()
        self.bridge = BridgeCard(self.import_asked.emit)
        self.hours = HoursCard()
        self.leaks = LeaksCard()
        self.classes = ClassesCard()
        self.contracts = ContractsCard()
        self.waits = WaitsCard()
        self.fit = FitCard()
        self.worth = WorthCard()
        self.cards: dict[str, Any] = {name: getattr(self, name) for name, *_ in PLACES}
        self._page = QWidget()
        self._page.setObjectName("page")
        self._grid = grid(spacing=(8, 8), shares=[1] * 12)
        self.working = muted_label()
        column(self.working, self._grid, STRETCH, on=self._page, margins=(9, 0, 9, 9))
        scrolled(self._page, tr("Audit"), on=self)
        self.columns = 0
        self._shown: ViewState | None = None
        self._known: tuple[Any, ...] = ()
        self._fit_shown: object = None
        self._arrange(2)
        for table in (*self.findChildren(FigureTable), self.bridge.table, self.hours.table):
            table.pass_on(self.figure_opened)
        self.show_waiting()

    def show_waiting(self) -> None:
        """Of another project: no card of the one before, and that they are worked out."""
        self._known = ()
        self.working.setText(tr("Calculating costs"))
        self.working.show()
        for card in self.cards.values():
            card.frame.hide()

    def _make_charts(self) -> None:
        """The charts, when something is shown first: nothing of them is needed to open a window."""
        if self.bridge.seen.plot is not None:
            return
        plot = self.bridge.chart
        plot.step_opened.connect(
            lambda figure_id: self.figure_opened.emit(figure_id, plot, plot.place_of_current())
        )
        self.hours.chart.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click or Enter on an hour of the week asks about it; its own keys go from cell to cell."""
        if (heat := self.hours.seen.plot) is None or watched is not heat:
            return super().eventFilter(watched, event)
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease:
            if heat.cell_under(event.position().toPoint()) is not None:
                self.ask_why_of(heat)
        elif (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ):
            return self.ask_why_of(heat)
        return super().eventFilter(watched, event)

    def ask_why_of(self, widget: QWidget) -> bool:
        """Ask about the figure that the keyboard stands on in a widget; whether it is one of the page's."""
        if widget is self.hours.seen.plot:
            if figure_id := self.hours.figure_of_current():
                self.figure_opened.emit(figure_id, widget, self.hours.place_of_current())
            return True
        if self.isAncestorOf(widget) and isinstance(widget, FigureTable):
            widget.ask_why()
            return True
        if widget is self.bridge.seen.plot:
            self.bridge.chart.ask_why()
            return True
        return False

    def show_state(self, shown: ViewState) -> None:
        """Show an audit."""
        project = shown.evaluation.project
        decided = tuple(plan.leak_decisions for plan in project.scenarios)
        audit = shown.evaluation.audit
        known = (audit, project.cube, project.contracts, project.assumptions, decided)
        self._shown = shown
        pairs = zip(known[:-1], self._known[:-1], strict=True)
        is_same = bool(self._known) and all(new is old for new, old in pairs)
        if is_same and known[-1] == self._known[-1]:
            if shown.fit is not self._fit_shown:  # it settles a moment after the audit
                self._fit_shown = shown.fit
                self.fit.show_state(shown)
            return
        is_other_log = not self._known or project.cube is not self._known[1]
        self._fit_shown = shown.fit
        self._known = known
        self._draw(shown)
        if is_other_log:  # its page is read from the top, wherever the one before was left
            self.verticalScrollBar().setValue(0)

    def _draw(self, shown: ViewState) -> None:
        """Shows the state in every card; without a log only the cards of contracts."""
        self._make_charts()
        self.working.hide()
        for name, card in self.cards.items():
            card.show_state(shown)
            # without a log the others would say of use that there was none
            card.frame.setVisible(name == OF_CONTRACTS_ALONE or shown.evaluation.project.has_log)
        self.waits.show_waits(())  # they come a moment after the audit

    def show_waits(self, rows: tuple[WaitsBy, ...] | None) -> None:
        """The log's own waits; None where nobody knows them: then the card is not there."""
        self.waits.show_waits(rows or ())

    def recolour(self) -> None:
        """Other colours from now on."""
        for card in (self.bridge, self.hours):
            if card.seen.plot is not None:
                card.seen.ready()

    def figure_ids(self) -> list[str]:
        """Every figure of the page that can be asked about."""
        twins = (self.bridge.table, self.hours.table)
        tables = [table for table in self.findChildren(FigureTable) if table not in twins]
        found = [figure_id for table in tables for figure_id in table.figure_ids()] + self.hours.figure_ids()
        if self._shown is None or not self._shown.evaluation.project.contracts:
            return found  # there is no bridge
        steps = self.bridge.chart.steps
        return found + [step.figure_id for step in steps if step.amount is not None]

    def as_text(self) -> str:
        """All tables of the page as text, for a mail or a note."""
        return "\n\n".join(f"{card.frame.title}\n{card.as_text()}" for card in self.cards.values()) + "\n"

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def showEvent(self, event: QShowEvent) -> None:
        """Arranges the cards once the page has its size."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._fit_columns)  # by then it has its size

    def _fit_columns(self) -> None:
        """Two columns of cards where there is room, else one."""
        if self.isVisible():  # what is not seen yet has no size of its own
            self._arrange(2 if self.viewport().width() >= text_px(TWO_COLUMNS_FROM) else 1)

    def _arrange(self, columns: int) -> None:
        """Puts the cards in one column or two; the wide tables also drop columns for one."""
        if columns == self.columns:
            return
        self.columns = columns
        line = -1
        for name, first, parts in PLACES:
            at, wide = (first, parts) if columns == 2 else (0, 12)
            line += at == 0
            self._grid.addWidget(self.cards[name].frame, line, at, 1, wide)
        for card in (self.clusters, self.leaks):
            card.is_narrow = columns == 1
            if self._shown is not None:
                card.show_state(self._shown)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copy a table, all of them, or the page as a picture."""
        self.copy_menu(self._page.mapFrom(self, event.pos())).exec(event.globalPos())

    def copy_menu(self, at: QPoint) -> QMenu:
        """The menu for a place of the page."""
        menu = passing_menu(self)
        cards = ((card, card.frame.mapFrom(self._page, at)) for card in self.cards.values())
        if card := next((one for one, place in cards if one.frame.rect().contains(place)), None):
            frame, title = card.frame, card.frame.title
            menu.addAction(
                tr("Copy \u201c{title}\u201d as text", title=title), lambda: _to_clipboard(card.as_text())
            )
            menu.addAction(
                tr("Copy \u201c{title}\u201d as picture", title=title), lambda: _copy_picture(frame)
            )
            menu.addSeparator()
        menu.addAction(tr("Copy all tables as text"), lambda: _to_clipboard(self.as_text()))
        menu.addAction(tr("Copy page as picture"), lambda: _copy_picture(self._page))
        return menu


def _to_clipboard(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def _copy_picture(widget: QWidget) -> None:
    QGuiApplication.clipboard().setPixmap(widget.grab())


# --- The data-quality card: what of the log is there, what is missing, and what in it looks wrong

COVERAGE: Final = words_table("coverage")
"""Shares of a log by field, and what each says."""
ROOM_FROM = 640
"""Height of the window, in pixels, from which there is room beside the board."""

GAPS_NAMED = 5
VALUES_NAMED = 6
GAPS_TOLD = 2
"""Fields that are named in the card; its tool tip has them all."""


class DataQualityCard(QFrame):
    """One row of figures about the log, with its findings named first; hidden where no log is loaded, or no room."""

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Data quality"), look="card")
        self._has_figures, self._has_room = False, True
        self.table = FigureTable(tr("Data quality"))
        self.remedy = muted_label()
        self.remedy.setContentsMargins(22, 0, 0, 2)
        column(self.table, self.remedy, on=self, margins=(14, 4, 14, 6))
        head = QWidget(self)  # beside the headings of the table: no line of its own
        span = muted_label(tr("Whole log"), is_wrapped=False)
        row(heading_label(tr("Data quality")), span, on=head, spacing=8)
        head.move(15, 8)
        head.adjustSize()

    def show_evaluation(self, evaluation: Evaluation) -> None:
        """Show the quality of the project's log."""
        quality = evaluation.project.jobs.quality
        self._has_figures = quality is not None
        if quality is not None:
            self.table.show_whole(COLUMNS, (quality_row(quality),))
            gaps = [gap for gap in quality_gaps(quality) if _is_serious(gap)]
            self.remedy.show_text("\n".join(map(gap_sentence, gaps[:GAPS_TOLD])))
        self.setVisible(self._has_figures and self._has_room)

    def show_in(self, window_height: int) -> None:
        """Make room for the cards where the window is low: the board comes first."""
        self._has_room = window_height >= ROOM_FROM
        self.setVisible(self._has_figures and self._has_room)


def quality_row(quality: DataQuality) -> Row:
    """The figures; every tool tip says what the figure is, and what would better it."""
    return filled_row(COLUMNS, quality)


def _jobs(quality: DataQuality) -> Cell:
    tip = tr("All imported jobs, CPU jobs included")
    return written(numbers.whole, quality.jobs, tip=tip, figure_id=figure("quality_jobs"))


def _hours(quality: DataQuality) -> Cell:
    tip = tr("Share of hours with a running job, first to last event")
    return _share(quality.shares["time_coverage"], tip, "quality_hours")


def _gap_hours(quality: DataQuality) -> Cell:
    tip = tr("A gap is: {gap_rule}.", gap_rule=GAP_RULE)
    return written(numbers.whole, quality.gap_hours, tip=tip, figure_id=figure("quality_gaps"))


def _covered(quality: DataQuality, field: str) -> Cell:
    return _share(quality.shares[field], COVERAGE[field], "quality_share", field)


def _verdict(quality: DataQuality) -> Cell:
    """What looks wrong, else what is not known, else that all is there; its tool tip says what to do about it."""
    found, gaps = findings(quality), quality_gaps(quality)
    tip = "\n".join(filter(None, (_tip(quality), *map(gap_sentence, gaps))))
    if found:
        return Cell(text=numbers.capital("; ".join(found)), icon="triangle", icon_role="amber", tip=tip)
    if gaps:
        text = "; ".join(map(gap_words, gaps[:GAPS_TOLD]))
        icon = ("triangle", "amber") if _is_serious(gaps[0]) else ("info", "muted")
        return Cell(text=text, icon=icon[0], icon_role=icon[1], tip=tip)
    text = tr("No gap, nothing missing")
    return Cell(text=text, icon="tick", icon_role="green", tip=tr("A gap is: {gap_rule}.", gap_rule=GAP_RULE))


def _is_serious(gap: Gap) -> bool:
    """Whether so much is missing that figures suffer; activity is seldom there and is no fault of the log."""
    return gap.share < SERIOUS_BELOW and gap.field != ACTIVITY


def gap_words(gap: Gap) -> str:
    """What is not known, in a few words."""
    field = spoken(gap.field)
    if not gap.share:
        return tr("{field}: not in the log", field=field)
    return tr("{field} known of {share}", field=field, share=numbers.percent(gap.share))


def gap_sentence(gap: Gap) -> str:
    """The same with what it means and what to do."""
    of = tr("of GPU-hours") if gap.is_of_gpu_time else tr("of jobs")
    return tr(
        "{words} {of}: {means}. To do: {remedy}.",
        words=gap_words(gap),
        of=of,
        means=spoken(gap.means),
        remedy=spoken(gap.remedy),
    )


def _share(share: float | None, tip: Text, kind: str, field: str = "") -> Cell:
    """A share in percent that answers why; a dash for unknown, which has nothing to answer."""
    return written(numbers.percent, share, tip=tip, figure_id=asked(share, kind, field))


COLUMNS: Final[tuple[Filled[DataQuality], ...]] = (
    Filled(title="", is_figure=False, cell=_verdict),  # under the title
    Filled(title="Jobs", cell=_jobs),
    Filled(title="Hours\nwith jobs", cell=_hours),
    Filled(title="In gaps\nhours", cell=_gap_hours),
    Filled(title="Jobs\nwith id", cell=lambda of: _covered(of, "id_coverage")),
    Filled(title="With\nname", cell=lambda of: _covered(of, "name_coverage")),
    Filled(title="With\nuser", cell=lambda of: _covered(of, "user_coverage")),
    Filled(title="GPU-hours\nwith model", cell=lambda of: _covered(of, "gpu_model_coverage")),
    Filled(title="GPU-hours\nwith activity", cell=lambda of: _covered(of, "activity_coverage")),
    Filled(title="Times\nwithout zone", cell=lambda of: _covered(of, "naive_time_share")),
    Filled(title="Zero-length\njobs", cell=lambda of: _covered(of, "zero_length_share")),
)


def findings(quality: DataQuality) -> list[str]:
    """What looks wrong, in a few words each."""
    found = []
    if quality.gaps:
        longest = quality.gaps[0]
        when = numbers.span(longest.start_s, longest.end_s)
        count = tr("{gaps} gaps, the longest", gaps=len(quality.gaps)) if len(quality.gaps) > 1 else tr("Gap")
        longest_h = numbers.whole(longest.hours)
        found.append(tr("{count} of {hours} h, {when}", count=count, hours=longest_h, when=when))
    if len(quality.suspicious) == 1:
        found.append(tr("suspicious value {value}", value=quality.suspicious[0].value))
    elif quality.suspicious:
        found.append(tr("{suspicious} suspicious values", suspicious=len(quality.suspicious)))
    if quality.long_running:
        found.append(tr("{jobs} running over 60 days", jobs=numbers.counted(quality.long_running, "job")))
    if quality.clock_skew:
        found.append(tr("{ends} just before the start", ends=numbers.counted(quality.clock_skew, "end")))
    return found


def _tip(quality: DataQuality) -> str:
    """Every finding in full, a line each."""
    lines = [
        tr(
            "Gap: {gap}, {hours} h",
            gap=tr("{start_s} to {end_s}", start_s=numbers.date(gap.start_s), end_s=numbers.date(gap.end_s)),
            hours=numbers.whole(gap.hours),
        )
        for gap in quality.gaps[:GAPS_NAMED]
    ]
    if quality.gaps:
        lines.append(tr("A gap is: {gap_rule}.", gap_rule=GAP_RULE))
    lines += [
        tr(
            "{field}: {value}, {times}",
            field=numbers.capital(value.field),
            value=value.value,
            times=numbers.counted(value.count, "time"),
        )
        for value in quality.suspicious[:VALUES_NAMED]
    ]
    if quality.long_running:
        lines.append(tr("Jobs running over two months; the scheduler probably lost them."))
    if quality.clock_skew:
        lines.append(tr("Rows that end just before they start: node clocks differ."))
    return "\n".join(lines)
