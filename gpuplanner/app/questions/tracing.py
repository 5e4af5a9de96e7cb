"""Answers "Why this number?" in a thread: the hours behind an audit are worked out once, and kept while it is shown."""

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Threaded
from gpuplanner.domain.audit.evidence.answers import answer
from gpuplanner.domain.audit.evidence.audit_evidence import Evidence, evidence_of
from gpuplanner.domain.audit.evidence.trace import Trace
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.model.project import Project


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
                evidence = Evidence(
                    project, audit, evidence.past, fit
                )  # the same past: cards moved, leaks were decided
            return evidence, answer(evidence, figure_id)

        self._background.run(work, self._take)

    def _take(self, found: tuple[Evidence, Trace]) -> None:
        """The hours are kept for the next question."""
        self._evidence, trace = found
        self.answered.emit(trace)
