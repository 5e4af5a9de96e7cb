"""Asking why of every figure of the window and of whatever has the keyboard; who answers is a table of kinds."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from gpuplanner.charts.kit.plain_text import show_tip_at
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence import past
from gpuplanner.domain.evidence.award import OF_AWARD
from gpuplanner.domain.evidence.costs import cost_answers
from gpuplanner.domain.evidence.log_months import OF_MONTHS
from gpuplanner.domain.evidence.payments import OF_PAYMENTS
from gpuplanner.domain.evidence.plan import cards, plan_answers
from gpuplanner.domain.evidence.plan.comparison import OF_COMPARISON
from gpuplanner.domain.evidence.serving import OF_SIZING
from gpuplanner.domain.evidence.term_mix import OF_TERM_MIX
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.evidence.track import OF_TRACK
from gpuplanner.domain.evidence.waits import OF_WAITS, Told
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.plan.merged_cards import merge_of
from gpuplanner.domain.model.plan.splits import bare_key
from gpuplanner.domain.reports.serving import model_words
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.audit.data_quality_card import DataQualityCard
from gpuplanner.ui.audit.page import AuditPage
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.board.column_heading import ColumnHeading
from gpuplanner.ui.cards.card_list import CardView
from gpuplanner.ui.cards.details import merges_of
from gpuplanner.ui.decisions.page import DecisionsPage
from gpuplanner.ui.flows.compare_flow import CompareFlow
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.frame.headline import Headline
from gpuplanner.ui.frame.panel_docks import PanelDocks
from gpuplanner.ui.frame.status_line import StatusLine
from gpuplanner.ui.importing.issue_words import ISSUE, TAKEN, VALIDATION
from gpuplanner.ui.state.view_state import Pairs, inputs_of
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.row_list import RowList
from gpuplanner.ui.why.audit_questions import AuditQuestions
from gpuplanner.ui.why.plan_answers import cost_evidence, plan_evidence, why
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane

_Of = TypeVar("_Of")
LAYER_KINDS = frozenset(
    (
        "layer_gpus",
        "layer_paid",
        "layer_used",
        "layer_rate",
        "layer_usd",
        "term_break_even",
        "compared",
        "one_gpu",
        "value",
    )
)
"""Figures of the panel Duration & commitment, which shows a plan on Today too."""
ASK_TIP = worded("Why these numbers? Click the amount or the GPU-hours; F1 on a card")
MONEY_FROM = 0.55
"""The right part of a column's heading is its dollars, the left part its GPU-hours."""


class WhyEverywhere(QObject):
    """Told the session, who answers, and every view with figures that are asked about."""

    def __init__(
        self,
        session: Session,
        questions: AuditQuestions,
        docks: PanelDocks,
        board: Board,
        audit: AuditPage,
        data_quality: DataQualityCard,
        status: StatusLine,
        compare: CompareFlow,
        page: DecisionsPage,
    ) -> None:
        super().__init__(session.window)
        self.session, self._questions, self._docks = session, questions, docks
        self._board, self._audit, self._compare = board, audit, compare
        self.ask_about = questions.ask
        self.views: list[FigureTable | RowList] = []
        self._hear(data_quality.table)
        self._hear(board.idle.table)
        for panel in (*docks.all_panels(), page):  # of most of them the content is made later
            panel.once_built(partial(self._hear_all, panel))
        docks.today_to_plan.figure_opened.connect(self.ask_about)
        docks.track.figure_opened.connect(self.ask_about)
        board.sheet.figure_asked.connect(self.ask_about)
        line = board.selection_line
        line.said.figure_asked.connect(lambda figure_id: self.ask_about(figure_id, line.said))
        status.figure_asked.connect(lambda figure_id: self.ask_about(figure_id, status))
        docks.demand.figure_asked.connect(lambda figure_id: self.ask_about(figure_id, docks.demand.facts))
        cost, award, track, inference = docks.cost, docks.award, docks.track, docks.inference
        costs = _known(
            lambda: cost.costs, lambda shown, which: cost_answers.WHY.answer(cost_evidence(shown), which)
        )
        questions.sources = (
            (frozenset(plan_answers.ANSWERS), self._of_plan),
            (frozenset(cost_answers.WHY), costs),
            (frozenset(OF_PAYMENTS), _known(self._current_evaluation, OF_PAYMENTS.answer)),
            (frozenset(OF_TERM_MIX), _known(self._current_evaluation, OF_TERM_MIX.answer)),
            (frozenset(past.WHY), _known(lambda: cost.costs.past if cost.costs else None, past.WHY.answer)),
            (
                frozenset(OF_MONTHS),
                _known(lambda: cost.costs.by_month if cost.costs else None, OF_MONTHS.answer),
            ),
            (frozenset(OF_WAITS), lambda which: OF_WAITS.answer(self._waits, which)),
            (frozenset(OF_SIZING), _known(lambda: inference.sizing, OF_SIZING.answer)),
            (frozenset(OF_COMPARISON), compare.trace),
            (frozenset(OF_AWARD), _known(lambda: award.award, OF_AWARD.answer)),
            (frozenset(OF_TRACK), _known(lambda: track.track, OF_TRACK.answer)),
        )
        questions.own_inputs = {
            **dict.fromkeys(OF_SIZING, self.list_sizing_inputs),
            # of an import the file stands in the rows
            **dict.fromkeys((VALIDATION, ISSUE, TAKEN), lambda: ()),  # they rest on no input of the project
        }
        self._columns = {column.heading: lane for lane, column in board.columns.items()}
        for heading in self._columns:
            heading.setCursor(Qt.CursorShape.PointingHandCursor)
            heading.installEventFilter(self)

    def _hear_all(self, panel: QWidget) -> None:
        """Answer for the figures of a panel, as far as it has content."""
        kinds: tuple[type[FigureTable | RowList], ...] = (FigureTable, RowList)
        for view in (one for kind in kinds for one in panel.findChildren(kind)):
            self._hear(view)

    def _hear(self, view: FigureTable | RowList) -> None:
        self.views.append(view)
        view.figure_opened.connect(lambda which, place: self.ask_about(which, view, place))

    def ask_why_of(self, widget: QWidget) -> bool:
        """Ask about the figure that the keyboard stands on in a widget; whether there was one to ask about."""
        if isinstance(widget, FigureTable | RowList) and widget in self.views:
            widget.ask_why()
            return bool(widget.figure_ids())
        if self._compare.ask_why_of(widget):
            return True
        if level := self._docks.duration.table.figure_of(widget):
            self.ask_about(level, widget)
            return True
        if hasattr(widget, "step_opened") and hasattr(widget, "ask_why"):  # a waterfall
            widget.ask_why()
            return True
        key = widget.current_key() if isinstance(widget, CardView) else None
        if key is not None and isinstance(widget, CardView):
            self.ask_about(self.find_card_figure(key), widget, widget.visualRect(widget.currentIndex()))
            return True
        for heading, lane in self._columns.items():  # in an empty column the column itself is asked about
            if (column := heading.parentWidget()) is not None and column.isAncestorOf(widget):
                self.ask_about(column_figure(lane, "column_usd"), heading)
                return True
        return False

    @property
    def _waits(self) -> Told:
        """As panel and audit have them."""
        return Told(self._docks.waiting.shown_waiting, self._audit.waits.waits)

    def _current_evaluation(self) -> Evaluation | None:
        """What the window shows; right after a gesture with the advice of before, as the panel Cost has it."""
        if (shown := self.session.view_state) is None:
            return None
        return shown.evaluation if shown.evaluation.advice else replace(shown.evaluation, advice=shown.advice)

    def find_card_figure(self, key: str) -> str:
        """What a card costs: today, or in the plan that is shown."""
        shown = self.session.view_state
        card = self._board.selection.card(key)
        if card is not None and shown is not None and (name := merge_of(key, merges_of(shown))) == card.name:
            return figure("merged_usd", cards.merged_subject(name, card.pool))
        is_today = shown is not None and shown.is_today and key == bare_key(key)
        return figure("workload_cost" if is_today else "card_usd", key)

    def trace(self, figure_id: str) -> Trace:
        """The answer for a figure of a plan or of costs. Errors: KeyError, StopIteration where there is none."""
        kind = figure_id.split(":", 1)[0]
        for kinds, answer in self._questions.sources:
            if kind in kinds:
                return answer(figure_id)
        raise KeyError(kind)

    def _of_plan(self, figure_id: str) -> Trace:
        """Answers for a figure of a plan, or of the layers that the Duration panel keeps in sight on Today."""
        shown = self.session.view_state
        if shown is None:  # it is being worked out anew
            raise KeyError(figure_id)
        before = self._docks.duration.view_state
        is_of_layers = figure_id.split(":", 1)[0] in LAYER_KINDS
        if shown.is_today and is_of_layers and before is not None:
            shown = before  # the layers of the plan stay in sight on Today
        walked: Any = self._docks.backtest.walked
        cases, alone = self._docks.prices.cases.shown, self._docks.prices.alone.shown
        board = self._board
        selected = tuple(one for key in board.selected_keys() for one in board.members_of(key) or (key,))
        evidence = plan_evidence(shown, self.session.now_s, walked, cases, selected, alone)
        return plan_answers.answer(evidence, figure_id)

    def list_sizing_inputs(self) -> Pairs:
        """Model, requests, what is assumed of engines, and offers."""
        sizing, shown = self._docks.inference.sizing, self.session.view_state
        if sizing is None or shown is None:
            return ()
        terms, peak = sizing.terms, numbers.significant(sizing.load.peak_requests_per_s, 3)
        used = tr(
            "{headroom} of a replica and {usable_memory} of memory used",
            headroom=numbers.whole_percent(terms.headroom),
            usable_memory=numbers.whole_percent(terms.usable_memory),
        )
        asked = tr("{peak_requests_per_s} requests/s at the peak", peak_requests_per_s=peak)
        load = (asked, sizing.load.source)
        return (spoken(model_words(sizing)), "model"), load, (used, "assumptions"), inputs_of(shown)[2]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click on the heading of a column asks about its dollars, or about its GPU-hours at the left."""
        if not isinstance(watched, ColumnHeading) or (lane := self._columns.get(watched)) is None:
            return False
        if isinstance(event, QHelpEvent):
            show_tip_at(event.globalPos(), f"{watched.toolTip()}\n{ASK_TIP}", watched)
            return True
        if (
            isinstance(event, QMouseEvent)
            and event.type() == QEvent.Type.MouseButtonRelease
            and event.button() is Qt.MouseButton.LeftButton
        ):
            is_money = event.position().x() > MONEY_FROM * watched.width()
            left = round(MONEY_FROM * watched.width()) if is_money else 0
            place = QRect(left, 0, watched.width() // 2, watched.height())
            self.ask_about(column_figure(lane, "column_usd" if is_money else "column_hours"), watched, place)
        return False


def _known(of: Callable[[], _Of | None], answer: Callable[[_Of, str], Trace]) -> Callable[[str], Trace]:
    """Who answers from what a panel shows. Errors: KeyError while it is worked out anew, or is there no more."""

    def answered(figure_id: str) -> Trace:
        if (shown := of()) is None:
            raise KeyError(figure_id)
        return answer(shown, figure_id)

    return answered


def column_figure(lane: Lane, kind: str) -> str:
    """The figure of a column of the board."""
    return figure(kind, lane.pool.value if lane.pool is not None else "review")


class WhyFlow:
    """Finds who answers for a figure."""

    def __init__(
        self,
        session: Session,
        headline: Headline,
        audit: AuditPage,
        questions: AuditQuestions,
        everywhere: WhyEverywhere,
    ) -> None:
        self.session, self._headline, self._audit = session, headline, audit
        self._questions, self._everywhere = questions, everywhere

    def ask(self, figure_id: str) -> None:
        """Why a figure of the headline is what it is: of Today from its audit, of a plan from its advice."""
        shown, button = self.session.view_state, self._headline.button_of(figure_id)
        if shown is None or button is None:
            return
        if shown.is_today:
            self._questions.ask(figure(figure_id), button)
        elif figure_id.split(":", 1)[0] in plan_answers.ANSWERS:  # over another horizon, or beside a question
            self._questions.ask(figure_id, button)
        else:
            self._questions.show(why(figure_id, shown), button)

    def ask_of_focus(self) -> None:
        """Why of the figure that has the keyboard; where none has it, of the headline's first."""
        window, focused = self.session.window, QApplication.focusWidget()
        is_of_window = focused is not None and window is not None and window.isAncestorOf(focused)
        if focused is not None and not is_of_window and hasattr(focused, "ask_why"):
            focused.ask_why()  # in a sheet or a dialog
            return
        if focused is not None and (
            (self._audit.isVisible() and self._audit.ask_why_of(focused))
            or self._everywhere.ask_why_of(focused)
        ):
            return
        buttons = self._headline.buttons
        button = next((button for button in buttons if button is focused), buttons[0])
        if button.isVisible():
            button.click()
