"""The sheet of a leak on a project: each decision is one edit."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt

from gpuplanner.domain.audit.leak_list import classes_by_key
from gpuplanner.domain.edits import labels, plans
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.ui.flows.leaks.leak_sheet import LeakSheet
from gpuplanner.ui.flows.leaks.leak_story import LeakView
from gpuplanner.ui.flows.session import Session, Ways


def open_leak(session: Session, leak_id: str, ways: Ways) -> None:
    """Open the sheet of one leak of the audit that is shown: what is behind it, and what to do about it."""
    if session.evaluation is None or session.window is None:
        return
    there = next((sheet for sheet in session.window.findChildren(LeakSheet) if sheet.isVisible()), None)
    if there is not None and there.leak_id == leak_id:  # asked for again: it may lie behind
        there.raise_()
        there.activateWindow()
        return
    sheet = LeakFlow(session, session.evaluation, leak_id).sheet
    sheet.workload_asked.connect(ways.jobs)
    sheet.contract_asked.connect(sheet.close)  # the panel lies behind it
    sheet.contract_asked.connect(ways.contract)
    sheet.figure_opened.connect(ways.why)
    sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if there is not None:  # one sheet: another leak stands where the one before stood
        sheet.resize(max(sheet.width(), there.width()), sheet.height())
        sheet.move(there.pos())
        there.close()
    sheet.show()  # not modal: the jobs of a part open beside it


class LeakFlow(QObject):
    """Told an evaluation and one of its leaks; edits the session's document, and lets the sheet show what became of it.

    Errors: StopIteration where the audit has no such leak.
    """

    def __init__(self, session: Session, evaluation: Evaluation, leak_id: str) -> None:
        super().__init__()
        self.session = session
        self._leak = next(leak for leak in evaluation.audit.leaks if leak.leak_id == leak_id)
        self._classes = classes_by_key(evaluation.audit)
        self._names = told_apart(evaluation.project.workloads)
        self._plan = "" if evaluation.scenario == TODAY else evaluation.scenario
        self.sheet = LeakSheet(self._view(), session.window)
        self.setParent(self.sheet)  # it lives as long as what it answers
        self.sheet.plan_chosen.connect(self._choose)
        self.sheet.leak_accepted.connect(self._accept)
        self.sheet.leak_dismissed.connect(self._dismiss)
        self.sheet.leak_reopened.connect(self._reopen)
        session.document.changed.connect(self._show_again)  # also by Undo

    def _view(self) -> LeakView:
        """What the sheet shows; a plan that is gone gives way to the first one."""
        project = self.session.document.project
        if all(plan.name != self._plan for plan in project.scenarios):
            self._plan = project.scenarios[0].name if project.scenarios else ""
        return LeakView(
            leak=self._leak,
            plans=project.scenarios,
            plan=self._plan,
            classes=self._classes,
            names=self._names,
            months=project.window.months,
        )

    def _choose(self, plan: str) -> None:
        """Shows the leak as another plan has decided it."""
        self._plan = plan
        self._show_again()

    def _show_again(self, _project: Project | None = None) -> None:
        """Shows the leak as it is decided now, after any edit."""
        self.sheet.show_leak(self._view())

    def _accept(self, plan: str, owner: str) -> None:
        """Accepts the leak into a plan, to be done by its owner."""
        leak, at_s, classes = self._leak, self.session.time_s(), self._classes
        self._decide("Accept", lambda project: plans.accept_leak(project, plan, leak, classes, at_s, owner))

    def _dismiss(self, plan: str, reason: str) -> None:
        """Dismisses the leak in a plan for a reason."""
        leak, at_s = self._leak, self.session.time_s()
        self._decide("Dismiss", lambda project: plans.dismiss_leak(project, plan, leak, reason, at_s))

    def _reopen(self, plan: str) -> None:
        """Makes it an open leak of a plan again."""
        leak, at_s = self._leak, self.session.time_s()
        self._decide("Reopen", lambda project: plans.reopen_leak(project, plan, leak, at_s))

    def _decide(self, verb: str, edit: Callable[[Project], Project]) -> None:
        """One step that can be undone, named by the verb and the leak."""
        self.session.gestures.edit(labels.leak_label(verb, self._leak), edit)
