"""The page Decisions of a plan: what to decide by when, and why; with all else that a plan says of what to do."""

from typing import Final

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QFrame, QMenu, QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.brief.approval import approval_of, ask
from gpuplanner.domain.commitment.next_decision import OPEN, NextDecision
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.decisions.actions import menu_of
from gpuplanner.ui.decisions.decision_list import DecisionList
from gpuplanner.ui.decisions.detail import DecisionPane, detail_of
from gpuplanner.ui.decisions.notice import NoticeBar
from gpuplanner.ui.decisions.page_rows import decisions_of, page_rows
from gpuplanner.ui.decisions.timeline import DecisionTimeline
from gpuplanner.ui.kit.layout import column, named, share
from gpuplanner.ui.kit.page_parts import heading_label
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state import plan_notice
from gpuplanner.ui.state.view_state import ViewState

NO_PLAN: Final = worded("Import prices to see decisions.")
SETTLING: Final = worded("Working out the plan.")
OF_A_PLAN: Final = worded("Open a plan to see this.")
BESIDE_FROM: Final = 760
"""Width from which the chosen decision stands beside the list, in the usual text size; below it, under it."""


class DecisionsPage(Panel):
    """Told what is shown; says what is to be done with a decision, and what another row is about."""

    about = About(name="decisions", title=worded("Decisions"))

    asked = Signal(str, object)  # one of ACTIONS, NextDecision
    order_asked = Signal(object)  # ListedOrder to place at list price, or to wait for a quote of again
    plan_from_asked = Signal()
    plan_from_wanted = Signal(object)  # epoch seconds of the day that all plans are to begin
    demand_asked = Signal()

    def build(self) -> None:
        self._decisions: tuple[NextDecision, ...] = ()
        self._today_s = 0
        self.list = DecisionList(tr("Decisions"), self._menu_of)
        self.list.row_opened.connect(self._open)
        self.list.decision_chosen.connect(self._look_at)
        self.notice = NoticeBar()
        self.notice.plan_from_asked.connect(self.plan_from_asked)
        self.notice.plan_from_wanted.connect(self.plan_from_wanted)
        self.notice.import_asked.connect(self.import_asked)
        self.timeline = DecisionTimeline()
        self.timeline.decision_chosen.connect(self.list.choose)
        self.detail = DecisionPane()
        self.detail.asked.connect(self.asked)
        self.detail.order_asked.connect(self.order_asked)
        self.detail.row_opened.connect(self._open)
        months = named(QFrame(), tr("Next 12 months"), look="card")
        column(
            heading_label(tr("Next 12 months")), self.timeline, on=months, margins=(14, 6, 8, 4), spacing=2
        )
        self.months = months
        left = QWidget()
        column(self.notice, months, share(self.list), on=left, margins=(0, 0, 0, 0), spacing=6)
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._sides.setContentsMargins(9, 4, 9, 9)
        self._sides.setSpacing(10)
        self._sides.addWidget(left, 64)
        self._sides.addWidget(self.detail, 36)
        self.setObjectName("page")
        self._fit()

    def draw(self, shown: ViewState) -> None:
        """Show the decisions of a plan."""
        project = shown.evaluation.project
        seen = seen_in(project, self._now_s)
        self._today_s, self._decisions = seen.written_s, decisions_of(shown, seen.written_s)
        rows = page_rows(shown, self._decisions, self._now_s)
        has_plan = bool(rows) and not shown.is_today
        self.notice.show_notice(plan_notice.plan_notice(project, seen.written_s) if has_plan else None)
        self.timeline.show_decisions(self._decisions, seen.begins_s, seen.written_s)
        self.months.setVisible(seen.is_dated and bool(self.timeline.days))
        if project.offers:
            self.list.empty_text = OF_A_PLAN if shown.is_today else SETTLING
        else:
            self.list.empty_text = NO_PLAN
        if shown.is_outlook_settling and self.detail.isAncestorOf(QApplication.focusWidget() or self):
            self.list.setFocus()  # or the keyboard would leave the page with the button that is disabled
        self.detail.set_settling(is_settling=shown.is_outlook_settling)
        self.list.set_settling(is_settling=shown.is_outlook_settling)
        self.list.show_rows(rows)

    def show_calculating(self) -> None:
        """Show nothing of the plan before: no figure of one stands under the name of another."""
        self.list.show_rows(())
        self.timeline.show_decisions((), 0, 0)
        self.notice.show_notice(None)

    def choose(self, decision_id: str) -> None:
        """Look at one decision."""
        self.list.choose(decision_id)

    def count(self, shown: ViewState) -> int:
        """How many decisions are open."""
        today_s = seen_in(shown.evaluation.project, self._now_s).written_s
        return sum(decision.state == OPEN for decision in decisions_of(shown, today_s))

    def ask_words(self, shown: ViewState) -> str:
        """Approve $3,537,280 by 30 Nov 2026: what the brief asks for; empty before it is known."""
        project = shown.evaluation.project
        if shown.advice is None or shown.is_today or shown.is_calculating or not project.offers:
            return ""
        return spoken(ask(approval_of(shown.advice, seen_in(project, self._now_s))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.is_built:
            self._fit()

    def _fit(self) -> None:
        """Put the chosen decision beside the list where there is room, otherwise under it."""
        is_beside = self.width() >= text_px(BESIDE_FROM)
        direction = QBoxLayout.Direction
        self._sides.setDirection(direction.LeftToRight if is_beside else direction.TopToBottom)

    def _look_at(self, decision: NextDecision | None) -> None:
        """Show a decision beside the list."""
        shown = self._shown
        if decision is None or shown is None:
            self.detail.show_detail(None, self._today_s)
            return
        seen = seen_in(shown.evaluation.project, self._now_s)
        self.detail.show_detail(detail_of(decision, shown, seen), self._today_s)

    def _menu_of(self, decision: NextDecision) -> QMenu:
        """What can be done with a decision of the list."""
        return menu_of(decision, self._today_s, self.asked.emit, self.list)

    def _open(self, kind: str, key: str) -> None:
        """Look at a decision, or open what another row is about."""
        if kind == "decision":
            self.list.choose(key)
        elif kind == "layers":
            pool, model = key.split("\t", 1)
            self.layers_asked.emit(Pool(pool), model or None)
        else:
            asks: SignalInstance = getattr(self, f"{kind}_asked")
            asks.emit(*(() if kind in ("demand", "plan_from") else (key,)))  # of the whole plan: no key
