"""Next decisions: what a planner says of one, from the strip or the list, to one step of Undo."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.outlook_result import NextDecision, first_three
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.edits import decisions
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.frame.decision_strip import DONE, LEAVE, OPEN, TAKE, WHY, DecisionStrip, menu_of
from gpuplanner.ui.panels.actions.recommendations import RecommendationsPanel
from gpuplanner.ui.state.view_state import ViewState


class DecisionsFlow:
    """Told the session, the strip, and who opens what a decision is of."""

    def __init__(
        self,
        session: Session,
        strip: DecisionStrip,
        panel: RecommendationsPanel,
        *,
        contract: Callable[[str], object],
        layers: Callable[[Pool, str | None], object],
        notice: Callable[[str], object],
        why: Callable[[str, QWidget], object],
        savings: Callable[[], object],
    ) -> None:
        """contract, layers, notice, why, savings: open a contract, a row of the plan, the question about a notice, an
        answer, the savings on offer."""
        self._session, self._strip = session, strip
        self._contract, self._layers, self._notice = contract, layers, notice
        self._why, self._savings = why, savings
        strip.asked.connect(self.act)
        panel.decision_asked.connect(self._open_menu)

    def show(self, shown: ViewState) -> None:
        """Tell the strip the next decisions of what is shown."""
        outlook = shown.outlook
        open_ = [row for row in (outlook.next_decisions if outlook else ()) if not row.is_left]
        today_s = seen_in(shown.evaluation.project, self._session.now_s).written_s
        self._strip.show_decisions(
            first_three(open_, today_s), len(open_), is_settling=shown.is_outlook_settling
        )

    def _open_menu(self, decision_id: str) -> None:
        """What can be done with a decision of the list, beside the pointer."""
        for decision in self._decisions():
            if decision.decision_id == decision_id:
                menu_of(decision, self.act, self._session.window).popup(QCursor.pos())

    def _decisions(self) -> tuple[NextDecision, ...]:
        shown = self._session.view_state
        return () if shown is None or shown.outlook is None else shown.outlook.next_decisions

    def act(self, action: str, decision: NextDecision) -> None:
        """Do what was asked for with a decision."""
        does = {DONE: self._done, LEAVE: self._leave, TAKE: self._take, OPEN: self._open}
        if action == WHY:
            shown = (view for view in self._strip.views if view.decision == decision)
            self._why(figure("next_decision", decision.decision_id), next(iter([*shown, self._strip])))
        else:
            does[action](decision)

    def _leave(self, decision: NextDecision) -> None:
        edit = partial(decisions.leave, scenario=self._session.scenario, decision=decision)
        self._session.gestures.edit(decisions.leave_label(decision), edit)

    def _take(self, decision: NextDecision) -> None:
        if decision.kind == "question":
            self._notice(decision.contract_id)
            return
        edit = partial(decisions.take, scenario=self._session.scenario, decision=decision)
        self._session.gestures.edit(decisions.take_label(decision), edit)

    def _open(self, decision: NextDecision) -> None:
        if decision.contract_id:
            self._contract(decision.contract_id)
        elif decision.row is not None:
            self._layers(*decision.row[:2])
        else:
            self._savings()

    def _done(self, decision: NextDecision) -> None:
        """Notice was given, or the orders of its first day were placed."""
        label = decisions.done_label(decision)
        if decision.contract_id:
            ends_s = self._end_of(decision.contract_id)
            if ends_s is not None:
                scenario, contract_id = self._session.scenario, decision.contract_id
                edit = partial(
                    decisions.give_notice, scenario=scenario, contract_id=contract_id, ends_s=ends_s
                )
                self._session.gestures.edit(label, edit)
        elif (orders := self._orders_of(decision)) and (cluster := self._cluster(decision)) is not None:
            edit = partial(decisions.place_orders, orders=orders, cluster=cluster)
            self._session.gestures.edit(label, edit)

    def _end_of(self, contract_id: str) -> int | None:
        """The end that a contract has in the plan, epoch seconds."""
        shown = self._session.view_state
        contracts = () if shown is None or shown.advice is None else shown.advice.contracts
        return next((row.end_s for row in contracts if row.contract_id == contract_id), None)

    def _orders_of(self, decision: NextDecision) -> list[Order]:
        """Those that are to be placed first."""
        shown = self._session.view_state
        orders = () if shown is None or shown.advice is None else shown.advice.orders
        return [
            order
            for order in orders
            if order.is_certain and (order.pool, order.gpu_model, order.term_months) == decision.row
            if order.last_day_s == decision.by_s
        ]

    def _cluster(self, decision: NextDecision) -> str | None:
        """Where ordered GPUs will stand; asked where there are several clusters. None: nobody says."""
        from gpuplanner.ui.kit.dialogs import ask

        project = self._session.project
        clusters = tuple(dict.fromkeys(workload.cluster for workload in project.workloads))
        if len(clusters) < 2:
            return next(iter(clusters), "")
        leave = worded("Leave it so")
        title, what = tr("Order placed"), spoken(decision.title)
        text = tr("{decision}. On which cluster will these GPUs stand?", decision=what)
        answer = ask(self._session.window, title, text, (*clusters, leave))
        return str(answer) if answer in clusters else None
