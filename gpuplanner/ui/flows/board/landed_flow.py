"""After a move: why the settled plan costs another amount than the hover showed."""

from PySide6.QtCore import QObject

from gpuplanner.domain.commitment.plan.settled_change import settled_change
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.board.landed_line import LandedLine
from gpuplanner.ui.flows.session import Session


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Landing:
    """Moves whose plan is not settled yet.

    before: advice of the settled plan before the first of them. project, scenario: after the last of them. promised:
    advice after the last of them, once known. moves: their number.
    """

    before: Advice
    project: Project
    scenario: str
    promised: Advice | None = None
    moves: int = 1


class LandedFlow(QObject):
    """Told the session and the line. `about_to_move` comes before a move, `follow` after it."""

    def __init__(self, session: Session, line: LandedLine) -> None:
        super().__init__(session.window)
        self.session, self._line = session, line
        self._landing: _Landing | None = None
        self._shown_for = ""  # the plan that the line is about
        self._before: tuple[Project, Advice | None, int] | None = None
        line.undo_asked.connect(session.document.undo_stack.undo)
        session.document.changed.connect(lambda _: line.hide())
        session.evaluator.evaluated.connect(self._take)

    def about_to_move(self) -> None:
        """Remember the plan before a move: the settled one, also if moves since then are not settled yet."""
        project, landing = self.session.document.project, self._landing
        if landing is not None and landing.project is project:
            self._before = project, landing.before, landing.moves
            return
        evaluation = self.session.evaluation
        advice = None if evaluation is None or evaluation.project is not project else evaluation.advice
        is_settled = advice is not None and not advice.is_settling
        self._before = project, advice if is_settled else None, 0

    def follow(self) -> None:
        """Wait for the settled plan, if a move was made and the plan before it was settled."""
        before, self._before, self._landing = self._before, None, None
        now = self.session.document.project
        if before is None or now is before[0] or (advice := before[1]) is None:
            return
        self._landing = _Landing(
            before=advice, project=now, scenario=self.session.scenario, moves=before[2] + 1
        )
        if (evaluation := self.session.evaluator.evaluation) is not None:
            self._take(evaluation)

    def _take(self, evaluation: Evaluation) -> None:
        """Compare the settled plan with the promised one; another project or plan ends the wait."""
        landing, advice = self._landing, evaluation.advice
        if evaluation.scenario != self.session.scenario or self._before is not None:
            return
        if evaluation.scenario != self._shown_for:
            self._line.hide()
        if landing is None:
            return
        if evaluation.project is not landing.project or evaluation.scenario != landing.scenario:
            self._landing = None
            return
        if advice is None:
            return
        if landing.promised is None:
            landing = self._landing = replace(landing, promised=advice)
        if advice.is_settling:
            return
        self._landing = None
        promised = landing.promised or advice
        change = settled_change(self.session.horizon, landing.before, promised, advice)
        if change is not None:
            self._shown_for = landing.scenario
            self._line.show_change(change, landing.moves)
