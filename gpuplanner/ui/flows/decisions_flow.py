"""Next decisions: what a planner says of one, from the strip or the list, to one step of Undo."""

from collections.abc import Callable
from functools import partial
from typing import Final

from gpuplanner.domain.commitment.next_decision import NextDecision, first_few
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.edits import decisions
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.frame import decision_strip
from gpuplanner.ui.panels.actions.recommendations import RecommendationsPanel
from gpuplanner.ui.state.view_state import ViewState

EDITS: Final[dict[str, Callable[..., Project]]] = {
    decision_strip.DONE: decisions.mark_done,
    decision_strip.LEAVE: decisions.leave,
    decision_strip.TAKE: partial(decisions.leave, is_left=False),
}
"""What changes the project."""


class DecisionsFlow:
    """Told the session, the strip, the list of all, and where it leads to."""

    def __init__(
        self, session: Session, strip: decision_strip.DecisionStrip, panel: RecommendationsPanel, ways: Ways
    ) -> None:
        self.session, self._strip, self._panel, self.ways = session, strip, panel, ways
        strip.asked.connect(self.act)
        strip.all_asked.connect(partial(ways.panel, "recommendations"))
        panel.decision_asked.connect(self._open_menu)

    def show(self, shown: ViewState) -> None:
        """Tell the strip the next decisions of what is shown."""
        listed = shown.outlook.open_decisions if shown.outlook else ()
        today_s = seen_in(shown.evaluation.project, self.session.now_s).written_s
        self._strip.show_decisions(
            first_few(listed, decision_strip.SHOWN),
            len(listed),
            today_s,
            is_settling=shown.is_outlook_settling,
        )

    def _open_menu(self, decision_id: str) -> None:
        """What can be done with a decision of the list, below its row."""
        shown, rows = self.session.view_state, self._panel.list
        for decision in shown.outlook.next_decisions if shown is not None and shown.outlook else ():
            if decision.decision_id == decision_id:
                below = rows.visualRect(rows.currentIndex()).bottomLeft()
                decision_strip.menu_of(decision, self.act, rows).popup(rows.viewport().mapToGlobal(below))

    def act(self, action: str, decision: NextDecision) -> None:
        """Do what was asked for with a decision; of a plan that has changed since, nothing is done."""
        if action == decision_strip.WHY:
            shown = (view for view in self._strip.views if view.decision == decision)
            self.ways.why(figure("next_decision", decision.decision_id), next(iter([*shown, self._strip])))
        elif action == decision_strip.OPEN:
            self._open(decision)
        elif action == decision_strip.TAKE and decision.kind == "question":
            contract_id, contracts = decision.contract_id, self.session.project.contracts
            is_unread = any(row.is_notice_unknown for row in contracts if row.contract_id == contract_id)
            (self._panel.editor_asked if is_unread else self._panel.notice_asked).emit(contract_id)
        elif (seen := self._settled()) is not None:
            of = {"seen": seen.evaluation.project} if action == decision_strip.DONE else {}
            edit = partial(EDITS[action], scenario=self.session.scenario, decision=decision, **of)
            self.session.gestures.edit(decision_strip.step_label(action, decision), edit)
            if self._settled() is None:  # else it was refused, or changed nothing
                self._strip.wait()

    def _settled(self) -> ViewState | None:
        """What is shown, where it is of the project and the plan as they are now."""
        shown, session = self.session.view_state, self.session
        if shown is None or shown.is_outlook_settling or shown.evaluation.project is not session.project:
            return None
        return shown if shown.evaluation.scenario == session.scenario else None

    def _open(self, decision: NextDecision) -> None:
        if decision.contract_id:
            self._panel.contract_asked.emit(decision.contract_id)
        elif decision.row is not None:
            pool, gpu_model, _ = decision.row
            self._panel.layers_asked.emit(pool, gpu_model)
        else:
            self.ways.panel("today_to_plan")
