"""Next decisions: what a planner says of one, on a card or on the page, to one step of Undo."""

from collections.abc import Callable
from functools import partial
from typing import Final

from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.next_decision import OPEN, NextDecision, first_few
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.edits import decisions
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.decisions import actions
from gpuplanner.ui.decisions.page import DecisionsPage
from gpuplanner.ui.decisions.page_rows import decisions_of
from gpuplanner.ui.decisions.strip import SHOWN, DecisionStrip
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.state.view_state import ViewState

EDITS: Final[dict[str, Callable[..., Project]]] = {
    actions.DONE: decisions.mark_done,
    actions.LEAVE: decisions.leave,
    actions.TAKE: partial(decisions.leave, is_left=False),
    actions.NOT_NOW: decisions.postpone,
    actions.NOW: partial(decisions.postpone, is_postponed=False),
    actions.REOPEN: decisions.reopen,
}
"""What changes the project."""


class DecisionsFlow:
    """Told the session, the cards, the page of all, and where it leads to."""

    def __init__(self, session: Session, strip: DecisionStrip, page: DecisionsPage, ways: Ways) -> None:
        self.session, self._strip, self._page, self.ways = session, strip, page, ways
        strip.asked.connect(self.act)
        strip.all_asked.connect(partial(ways.panel, page.about.name))
        page.asked.connect(self.act)
        page.order_asked.connect(self.choose_price)

    def show(self, shown: ViewState) -> None:
        """Tell the strip the next decisions of what is shown."""
        today_s = seen_in(shown.evaluation.project, self.session.now_s).written_s
        listed = [decision for decision in decisions_of(shown, today_s) if decision.state == OPEN]
        self._strip.show_decisions(
            first_few(listed, SHOWN), len(listed), today_s, is_settling=shown.is_outlook_settling
        )

    def act(self, action: str, decision: NextDecision) -> None:
        """Do what was asked for with a decision; of a plan that has changed since, nothing is done."""
        if action == actions.WHY:
            cards = [view for view in self._strip.views if view.decision == decision]
            beside = self._page.detail.why if self._page.isVisible() else [*cards, self._strip][0]
            self.ways.why(figure("next_decision", decision.decision_id), beside)
        elif action == actions.OPEN:
            self._open(decision)
        elif action == actions.TAKE and decision.kind == "question":
            contract_id, contracts = decision.contract_id, self.session.project.contracts
            is_unread = any(row.is_notice_unknown for row in contracts if row.contract_id == contract_id)
            (self._page.editor_asked if is_unread else self._page.notice_asked).emit(contract_id)
        elif (seen := self._settled()) is not None:
            context = {"seen": seen.evaluation.project} if action == actions.DONE else {}
            edit = partial(EDITS[action], scenario=self.session.scenario, decision=decision, **context)
            self.session.gestures.edit(actions.step_label(action, decision), edit)
            if self._settled() is None:  # else it was refused, or changed nothing
                self._strip.wait()

    def choose_price(self, order: ListedOrder) -> None:
        """Place an order at list price, or let it wait for a quote again; of a plan that has changed since nothing."""
        if self._settled() is not None:
            edit = partial(
                decisions.order_at_list_price,
                scenario=self.session.scenario,
                listed=order,
                is_at_list_price=not order.is_at_list_price,
            )
            self.session.gestures.edit(actions.choice_label(order), edit)

    def _settled(self) -> ViewState | None:
        """What is shown, where it is of the project and the plan as they are now."""
        shown, session = self.session.view_state, self.session
        if shown is None or shown.is_outlook_settling or shown.evaluation.project is not session.project:
            return None
        return shown if shown.evaluation.scenario == session.scenario else None

    def _open(self, decision: NextDecision) -> None:
        if decision.contract_id:
            self._page.contract_asked.emit(decision.contract_id)
        elif decision.row is not None:
            pool, gpu_model, _ = decision.row
            self._page.layers_asked.emit(pool, gpu_model)
        else:
            self.ways.panel("today_to_plan")
