"""Answers to 'Why this number?' about the audit, in a thread."""

from typing import Final

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Answering, Itself, Threaded
from gpuplanner.app.exporting import WithMonths
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence import money, serving, use, workloads
from gpuplanner.domain.evidence.answering import Answers
from gpuplanner.domain.evidence.audit_evidence import Evidence, evidence_of
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.model.project import Project


class MonthByMonth(Answering):
    """The audit of every month; answers with an `Evaluation`."""

    def __init__(self, with_months: WithMonths, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._with_months = with_months

    def ask(self, evaluation: Evaluation) -> None:
        """Work out the months behind an audit; `answered` tells the evaluation with them."""
        question = (Itself(evaluation.audit), evaluation.figures.basis.plan.leak_decisions)
        self._newest.ask(question, lambda *hooks: self._with_months(evaluation, *hooks))


ANSWERS: Final = Answers[Evidence](use.WHY | money.WHY | workloads.WHY | serving.OF_PLACES)


class Tracer(Threaded):
    """Told a project and its audit; the newest question is answered."""

    answered = Signal(object)  # Trace

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._evidence: Evidence | None = None

    @property
    def evidence(self) -> Evidence | None:
        """The hours behind the audit that was asked about last.

        None before the first answer.
        """
        return self._evidence

    def ask(self, project: Project, audit: Audit, figure_id: str, fit: tuple[WorkloadFit, ...] = ()) -> None:
        """Answer for a figure of this audit. fit: of its workloads, in their order; empty while it is worked out.

        figure_id: as figures are named where they are shown. Hours are worked out again only for another
        audit or cube.
        """
        known = self._evidence

        def work() -> tuple[Evidence, Trace]:
            evidence = known
            if evidence is None or evidence.audit is not audit or evidence.project.cube is not project.cube:
                evidence = evidence_of(project, audit, fit)
            elif evidence.project is not project or evidence.fit is not fit:
                # the same past: cards moved, leaks were decided
                evidence = Evidence(project, audit, evidence.past, fit)
            return evidence, ANSWERS.answer(evidence, figure_id)

        self._background.run(work, self._take)

    def _take(self, answer: tuple[Evidence, Trace]) -> None:
        """The hours are kept for the next question."""
        self._evidence, trace = answer
        self.answered.emit(trace)
