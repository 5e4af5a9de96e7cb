"""Recommendations: what to sign, by when, what else to decide; and History: every step, why, and decisions."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QRect, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.words.plan_costs import all_on_demand, by_the_hour
from gpuplanner.domain.commitment.words.spot import spot_sentences, spot_summary, worth_saying
from gpuplanner.domain.evidence.plan.layers import part_of, row_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.cube import Support, cannot_support, days_words, log_support, short_advice_words
from gpuplanner.domain.model.plan.scenario import Decision
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import name_apart
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.layout import STRETCH, TOP, column, named, placed, row, share
from gpuplanner.ui.kit.page_parts import Drawing, heading_label, label, muted_label, named_button
from gpuplanner.ui.panels.actions.checks import check_rows
from gpuplanner.ui.panels.actions.recommended_rows import decision_row, sign_later, sign_now, stop_rows
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state import commitment_words, plan_notice
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.row_list import ListRow, RowList
from gpuplanner.ui.words import commands, dated_words, numbers

# --- A notice above a list: what is so, in a few words and a sentence, and buttons for what mends it

ICON_PX = 16


class NoticeBar(QWidget):
    """Told a notice, or none; emits which of its remedies is wanted."""

    plan_from_wanted = Signal(object)  # epoch seconds of the day
    plan_from_asked = Signal()  # to choose a day
    import_asked = Signal()

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Notice"))
        self.notice: plan_notice.PlanNotice | None = None  # what it says
        self._title = label(step="strong", is_wrapped=True)
        self._sentence = muted_label()
        begin = tr("For all plans; one undo step")
        self.plan = named_button(tr("Plan from today"), begin, self._want_day)
        choose = tr("Start date of plans")
        self.other = named_button(tr("Another day"), choose, self.plan_from_asked, is_link=True)
        bring = commands.with_keys(tr("Import files of another period"), "import")
        self.bring = named_button(tr("Import files"), bring, self.import_asked, is_link=True)
        buttons = row(self.plan, self.other, self.bring, STRETCH, spacing=12)
        words = column(self._title, self._sentence, 2, buttons, spacing=2)
        drawing = placed(Drawing("triangle", "amber", ICON_PX), TOP)
        row(drawing, share(words), on=self, margins=(14, 8, 12, 6), spacing=10)
        self.hide()

    def show_notice(self, notice: plan_notice.PlanNotice | None) -> None:
        """Say this, or nothing."""
        if notice == self.notice:
            return
        self.notice = notice
        if notice is not None:
            self._title.setText(spoken(notice.title))
            self._sentence.setText(spoken(notice.sentence))
            self.plan.setText(notice.day)
            self.plan.setAccessibleName(notice.day)
            self.plan.setVisible(notice.plan_from_s is not None)
            self.other.setVisible(notice.plan_from_s is not None)
            self.bring.setVisible(notice.is_apart)
            self.setAccessibleDescription(f"{notice.title}. {notice.sentence}")
        self.setVisible(notice is not None)

    def _want_day(self) -> None:
        if self.notice is not None:
            self.plan_from_wanted.emit(self.notice.plan_from_s)


# --- Recommendations: what to sign, once each and by when; what becomes of contracts; what else to decide

NO_PLAN = worded("Import prices to see recommendations.")
OPENS = {"demand": "demand", "price": "", "share": ""}
"""By what a line of a plan is of, what its row opens; the card of its workload where it is not here."""
SETTLING = worded("Working out the plan.")
OF_A_PLAN = worded("Open a plan to see this.")


class RecommendationsPanel(Panel):
    """Told what is shown; emits what a row is about. now_s: the day it is; None: the window's end."""

    about = About(name="recommendations", title=worded("Recommendations"), is_counted=True)

    plan_from_asked = Signal()
    plan_from_wanted = Signal(object)  # epoch seconds of the day that all plans are to begin
    demand_asked = Signal()
    decision_asked = Signal(str)  # decision_id

    def build(self) -> None:
        self._listed: tuple[ViewState, list[ListRow]] | None = None  # what was counted last
        self.list = RowList(tr("Recommendations"))
        self.list.empty_text = SETTLING
        self.list.row_opened.connect(self._open)
        self.notice = NoticeBar()
        self.notice.plan_from_asked.connect(self.plan_from_asked)
        self.notice.plan_from_wanted.connect(self.plan_from_wanted)
        self.notice.import_asked.connect(self.import_asked)
        self.fill(self.notice, self.list)

    def count(self, shown: ViewState) -> int:
        """How many recommendations there are: what signing binds is none."""
        bind = figure("orders_bind")
        return sum(not row.is_heading and row.figure_id != bind for row in self._rows_of(shown))

    def _rows_of(self, shown: ViewState) -> list[ListRow]:
        if self._listed is None or self._listed[0] is not shown:
            self._listed = shown, recommendation_rows(shown, self._now_s)
        return self._listed[1]

    def draw(self, shown: ViewState) -> None:
        """Show the recommendations."""
        rows = self._rows_of(shown)
        project = shown.evaluation.project
        today_s = seen_in(project, self._now_s).written_s
        has_plan = bool(rows) and not shown.is_today
        self.notice.show_notice(plan_notice.plan_notice(project, today_s) if has_plan else None)
        has_prices = bool(shown.evaluation.project.offers)
        if has_prices:
            self.list.empty_text = OF_A_PLAN if shown.is_today else SETTLING
        else:
            self.list.empty_text = NO_PLAN
        self.list.show_rows(rows)

    def _open(self, kind: str, key: str) -> None:
        if kind == "layers":
            pool, model = key.split("\t", 1)
            self.layers_asked.emit(Pool(pool), model or None)
        else:
            asks: SignalInstance = getattr(self, f"{kind}_asked")
            asks.emit(*(() if kind in ("demand", "plan_from") else (key,)))  # of the whole plan: no key


def recommendation_rows(shown: ViewState, now_s: int | None = None) -> list[ListRow]:
    """What to sign now and later, each commitment once; then what becomes of contracts; then what else there is."""
    if (advice := shown.advice) is None or shown.is_today:
        return []
    unknown = _nothing_known(shown)
    if shown.is_calculating and not unknown:
        return []
    window = shown.evaluation.project.window
    seen = seen_in(shown.evaluation.project, now_s)
    today_s = seen.written_s
    due, rows_by_day = seen.to_approve(advice.orders), commitment_words.rows_left(advice.orders, seen)
    now = [row for row in rows_by_day if not set(due).isdisjoint(row)]
    others_by_day = [row for row in rows_by_day if row not in now]
    again = [row for row in others_by_day if row[0].reason == "follows"]
    later_rows = [row for row in others_by_day if row not in again]
    later = [order for row in later_rows for order in row]
    signs = unknown or sign_now(now, due, seen, advice, shown.offers)
    decisions = shown.outlook.next_decisions if shown.outlook else ()
    better = [check for check in shown.evaluation.waits if check.code == "better_size"]
    rows = [row for row in check_rows(tuple(better), {}) if not row.is_heading]
    rows = [*_section(tr("Before you commit"), "", rows), *_decided(decisions, today_s), *signs]
    rows += _section(tr("To end"), tr("$ per month"), stop_rows(shown, advice))
    for words in filter(None, (by_the_hour(advice, shown.offers), all_on_demand(advice.totals))):
        parts: Mapping[str, Any] = words.values  # as one title it has no room
        rows.append(
            ListRow(title=spoken(parts["name"]), note=numbers.capital(spoken(parts["cost"])), icon="price")
        )
    later_words = tr("Commit later: {later}", later=commitment_words.gpus_in(later))
    if any(order.is_bought for order in later):
        later_words = tr("Order later: {later}", later=commitment_words.gpus_in(later))
    rows += _section(later_words, "", sign_later(later_rows, seen, advice, shown.offers))
    gpus_again = commitment_words.gpus_in(order for row in again for order in row)
    again_words = tr("Reorder when these end: {again}", again=gpus_again)
    rows += _section(again_words, "", sign_later(again, seen, advice, shown.offers))
    others = [*_spot(advice), *_checkpoints(shown), *list_review_rows(shown)]
    others += [
        ListRow(
            title=tr("{plan}: read this.", plan=commitment_words.pool_title(plan)),
            note=numbers.capital(spoken(plan.note)),
            icon="info",
        )
        for plan in advice.pools
        if plan.note and not unknown
    ]
    if shown.evaluation.project.has_log:
        others += _short_log(window.hours)
    others += _plan_from(shown.evaluation.project, today_s)
    rows += _section(tr("More"), tr("$ per month"), others)
    rows += _section(tr("Dates and planned work"), "", _dated(shown))
    return rows if any(not row.is_heading for row in rows) else []


def _decided(decisions: Sequence[NextDecision], today_s: int) -> list[ListRow]:
    """The next decisions with what twelve months cost without each, then those that the planner left."""
    rows: dict[bool, list[ListRow]] = {False: [], True: []}
    for decision in decisions:
        rows[decision.is_left].append(decision_row(decision, today_s))
    unit = tr("$ saved in a year, each alone")
    return _section(tr("Next decisions"), unit, rows[False]) + _section(tr("Not now"), unit, rows[True])


def _nothing_known(shown: ViewState) -> list[ListRow]:
    """What stands in place of what to sign while nobody can say it: without a log, or without any price."""
    project = shown.evaluation.project
    if project.has_log and project.offers:
        return []
    title, note, icon = (
        (tr("No prices yet"), tr("Import prices to see recommendations."), "price")
        if project.has_log
        else (tr("No job log yet."), tr("Import one to see which contracts to keep."), "job_log")
    )
    heading = tr("Orders not known yet")
    return [ListRow(title=heading, is_heading=True), ListRow(title=title, note=note, icon=icon)]


def _section(title: str, unit: str, rows: list[ListRow]) -> list[ListRow]:
    return [ListRow(title=title, amount=unit, is_heading=True), *rows] if rows else []


def list_review_rows(shown: ViewState) -> list[ListRow]:
    """Return the row that asks to decide workloads in review; empty without any."""
    in_review = (card for card in shown.cards if card.in_review)
    review = sorted(in_review, key=lambda card: -(shown.usd.get(card.key) or 0.0))
    if not review:
        return []
    title = tr("Decide {review} in review.", review=numbers.whole(len(review)))
    note = tr("Costliest first: {cards}.", cards=name_apart(review[0], shown.cards))
    return [ListRow(title=title, note=note, icon="review", kind="workload", key=review[0].key)]


def _dated(shown: ViewState) -> list[ListRow]:
    """What the plan says beyond the log: planned work, workloads with dates, steps, who alone may serve."""
    plan = shown.evaluation.figures.basis.plan
    return [
        ListRow(
            title=line.title,
            note=line.note,
            icon="clock",
            kind=OPENS.get(line.of, "workload"),
            key=line.key,
            tip=tr("Open the steps of demand") if line.of == "demand" else "",
        )
        for line in dated_words.dated_lines(shown.evaluation.project, plan)
    ]


def _plan_from(project: Project, today_s: int) -> list[ListRow]:
    """From when a plan is dated, where that is not today: the row opens the choice of another day."""
    begins_s, log = project.plan_window.end_s, project.window
    if begins_s > log.end_s:
        days = numbers.counted(commitment_words.days_between(log.end_s, begins_s), "day")
        return [
            ListRow(
                title=tr("The plan starts {end_s}.", end_s=numbers.date(begins_s)),
                note=tr("{days} after the log ends; demand and prices count as of that day.", days=days),
                icon="info",
                kind="plan_from",
                tip=tr("Choose another day"),
            )
        ]
    if today_s < begins_s + DAY_S or plan_notice.plan_notice(project, today_s) is not None:
        return []  # not yet another day, or said above the list
    days = numbers.counted(commitment_words.days_between(begins_s, today_s), "day")
    return [
        ListRow(
            title=tr("The plan starts {end_s}.", end_s=numbers.date(log.end_s - 1)),
            note=tr("The log ended {days} ago. Plan from today?", days=days),
            icon="triangle",
            icon_role="amber",
            kind="plan_from",
            tip=tr("Start date of plans"),
        )
    ]


def _short_log(hours: int) -> list[ListRow]:
    """What the log is too short for; nothing where it supports all that a plan shows."""
    missing = cannot_support(hours)
    weak = [
        one.message for one in log_support(hours) if one.support is Support.WEAK and one.figure == "range"
    ]
    if not missing and not weak:
        return []
    short = short_advice_words(hours)
    is_short = bool(short)
    said = [short, tr("It gives {missing}.", missing=missing) if missing else "", *weak]
    return [
        ListRow(
            title=tr("The log has {hours}.", hours=days_words(hours)),
            note=" ".join(filter(None, map(spoken, said))),
            icon="triangle" if is_short else "info",
            icon_role="amber" if is_short else "muted",
        )
    ]


def _checkpoints(shown: ViewState) -> list[ListRow]:
    """How often to write checkpoints on spot, where that saves; it opens the workload that it saves most for."""
    advice = () if shown.outlook is None else shown.outlook.spot
    if (summary := spot_summary(advice)) is None:
        return []
    title, note, usd = summary
    most = max(worth_saying(advice), key=lambda spot: spot.saves_usd_per_month or 0.0)
    return [
        ListRow(
            title=spoken(title),
            note=spoken(note),
            amount=numbers.change(-usd),
            icon="burst",
            kind="workload",
            key=most.key,
            tip=spoken(joined(spot_sentences(most), " ")),
            more=tr("See Hardware for each workload"),
            figure_id=figure("spot_saves"),
        )
    ]


def _spot(advice: Advice) -> list[ListRow]:
    """What runs on spot; its amount is what that changes beside all on demand, so a saving has a minus."""
    rows = []
    for plan in advice.pools:
        for layer in plan.layers:
            if (
                layer.pricing_category not in (PricingCategory.DYNAMIC, PricingCategory.MIXED)
                or layer.spot_share <= 0
            ):
                continue
            rate = tr("{rate} per GPU-hour, lost work included", rate=numbers.cents(layer.rate))
            if layer.spot_share <= 0.9995:
                share = tr("{share} of hours on spot", share=numbers.percent(layer.spot_share))
                rate = tr("{first}, {second}", first=rate, second=share)
            called = " ".join(filter(None, (spoken(plan.pool), plan.gpu_model)))
            usd = layer.beside_on_demand
            saves = ""
            if usd is not None and usd <= -0.5:
                saves = tr("{usd} per month below on demand", usd=numbers.dollars(-usd))
            rows.append(
                ListRow(
                    title=tr("Run {workloads} on spot.", workloads=called),
                    note=f"{rate}.",
                    amount="" if usd is None else numbers.change(usd),
                    icon="burst",
                    more=saves,
                    figure_id=""
                    if usd is None
                    else figure("spot_instead", row_subject(plan, part_of(layer))),
                )
            )
    return rows


# --- History: every step of Undo by name, to go back to or on to; why it was done; and the plan's log of
# decisions


COLUMNS: Final = (
    Column(title="Step", is_figure=False),
    Column(title="UTC", is_figure=True, width=52),
    Column(title="Why", is_figure=False, width=44),
)
WHY: Final = "why:"
ASK: Final = worded("Why this decision?")
DECISIONS_OF_A_PLAN: Final = worded("Open a plan to see this.")
NOTHING_YET: Final = worded("No decisions yet. This plan's changes appear here.")


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step: its name, when it was done (epoch seconds UTC; None: before this window was open), and its reason."""

    name: Text
    at_s: int | None
    reason: Text = ""
    is_reason: bool = False  # it only gave one


class HistoryPanel(Panel):
    """Told steps and decisions; says which step is to be gone to, and what the planner gives as a reason."""

    about = About(
        name="history", title=worded("History"), beside="recommendations", letter="H", is_closed=True
    )

    step_chosen = Signal(int)  # how many steps are done then
    reason_asked = Signal(int)  # of the step of that number, from 1
    decision_chosen = Signal(int)  # number in the log, from 0
    reason_given = Signal(str)
    copy_asked = Signal()
    export_asked = Signal()
    seen = Signal()

    def build(self) -> None:
        self._steps: tuple[StepLine, ...] = ()
        self._done = 0
        self.steps = FigureTable(tr("Steps"))
        self.steps.row_opened.connect(lambda key: self.step_chosen.emit(int(key)))
        self.steps.figure_opened.connect(self._ask_why)
        self.asked_of = label(step="strong")
        self.asked_of.setMinimumWidth(0)
        tip = tr("Optional. Enter saves it.")
        self.reason = named(QLineEdit(placeholderText=tr(ASK)), ASK, tip)
        self.reason.returnPressed.connect(self._give)
        tip = tr("Save in the plan's log (Enter)")
        self.keep = named_button(tr("Keep"), tip, self._give, called=tr("Keep the reason"))
        self.heading = heading_label(tr("Decisions"))
        self.how_many = muted_label("")
        tip = tr("This plan's log as text")
        self.copy = named_button(tr("Copy"), tip, self.copy_asked, called=tr("Copy the decisions"))
        tip = tr("All plans' logs as CSV or text; the workbook has this one")
        called = tr("Export the decisions")
        self.export = named_button(tr("Export\u2026"), tip, self.export_asked, called=called)
        self.decisions = RowList(tr("Decisions"))
        self.decisions.row_opened.connect(lambda _, key: self.decision_chosen.emit(int(key)))
        column(
            share(row(self.steps, margins=(14, 4, 4, 0)), 3),
            row(share(self.asked_of), margins=(14, 8, 12, 2)),
            row(share(self.reason), self.keep, margins=(14, 0, 12, 0), spacing=8),
            row(
                *(self.heading, self.how_many, STRETCH, self.copy, self.export),
                margins=(14, 14, 12, 2),
                spacing=8,
            ),
            share(self.decisions, 2),
            on=self,
            spacing=0,
        )

    def draw(self, shown: ViewState) -> None:
        """Another state of the project is shown: who knows the steps tells them."""
        self.seen.emit()

    def show_steps(self, steps: Sequence[StepLine], done: int) -> None:
        """Show the steps, of which so many are done; those ahead are muted, the last one done is marked."""
        if tuple(steps) == self._steps and done == self._done and self.steps.model().rowCount():
            return
        self._steps, self._done = tuple(steps), done
        rows = [self._row(0, StepLine(tr("As it was opened"), None), done)]
        rows += [self._row(number, step, done) for number, step in enumerate(steps, 1)]
        self.steps.show_rows(COLUMNS, rows)
        self.steps.selectRow(done)
        self.steps.scrollTo(self.steps.model().index(done, 0))

    def _row(self, number: int, step: StepLine, done: int) -> Row:
        is_ahead, is_now = number > done, number == done
        role = "muted" if is_ahead else "text"
        tip = tr("Redo to here: click or Enter") if is_ahead else tr("Undo to here: click or Enter")
        if is_now:
            tip = tr("Current state")
        why = Cell()
        if number and not is_ahead and not step.is_reason:
            words = tr("Add a reason: click or Enter")
            if step.reason:
                words = tr("Why: {reason}", reason=step.reason)
            icon, icon_role = ("tick", "green") if step.reason else ("why", "muted")
            why = Cell(icon=icon, icon_role=icon_role, tip=words, figure_id=f"{WHY}{number}")
        drawn = "chevron_right" if is_now else ""
        name = Cell(
            text=spoken(step.name), role=role, is_strong=is_now, icon=drawn, icon_role="accent", tip=tip
        )
        return Row((name, Cell(text=numbers.clock(step.at_s), role="muted"), why), key=str(number))

    def show_decisions(self, plan: str, decisions: Sequence[Decision]) -> None:
        """Show the log of a plan, newest first; "" where no plan is shown."""
        set_tip(self.heading, tr("Decisions of {plan}", plan=plan) if plan else "")  # its name stands above
        reasons = sum(bool(decision.reason) for decision in decisions)
        count, with_reason = numbers.whole(len(decisions)), numbers.whole(reasons)
        words = tr("{decisions}, {reasons} with a reason", decisions=count, reasons=with_reason)
        self.how_many.setText(words if decisions else "")
        self.decisions.empty_text = NOTHING_YET if plan else DECISIONS_OF_A_PLAN
        self.decisions.show_rows(
            [
                ListRow(
                    title=spoken(one.text),
                    note=one.reason or tr("No reason given"),
                    amount=numbers.clock(one.at_s, with_day=True),
                    icon="tick" if one.reason else "why",
                    icon_role="green" if one.reason else "muted",
                    kind="decision",
                    key=str(number),
                    unit="UTC",
                )
                for number, one in reversed(list(enumerate(decisions)))
            ]
        )
        for button in (self.copy, self.export):
            button.setEnabled(bool(decisions))

    def show_prompt(self, what: Text, reason: Text, *, is_asked: bool = False) -> None:
        """What the reason is to be of; "" where there is nothing to give one for. Nothing waits for an answer."""
        self.asked_of.setText(spoken(what) or tr("No step needs a reason"))
        set_tip(self.asked_of, spoken(what))
        if is_asked or not self.reason.isModified():  # what is being typed stays
            self.reason.setText(str(reason))
            self.reason.setModified(False)
        self.reason.setEnabled(bool(what))
        self.keep.setEnabled(bool(what))
        if is_asked and what:
            self.reason.setFocus(Qt.FocusReason.OtherFocusReason)
            self.reason.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc in the reason lets go of what was typed."""
        if event.key() == Qt.Key.Key_Escape and self.reason.hasFocus() and self.reason.isModified():
            self.reason.setModified(False)
            self.seen.emit()
        else:
            super().keyPressEvent(event)

    def _ask_why(self, figure_id: str, _place: QRect) -> None:
        self.reason_asked.emit(int(figure_id.removeprefix(WHY)))

    def _give(self) -> None:
        if self.reason.isEnabled():
            self.reason.setModified(False)
            self.reason_given.emit(self.reason.text().strip())
