"""The evaluator: figures at once, advice and outlook from a thread, each told as soon as it is known."""

from collections import OrderedDict
from collections.abc import Collection
from functools import partial
from itertools import islice
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import AfterPaint, Background
from gpuplanner.app.evaluating.evaluation_steps import (
    Advised,
    EvaluationSteps,
    MovePreview,
    Preview,
    advised_by,
    before_by,
    completed_by,
    first_look,
    outlook_by,
    previewed_by,
)
from gpuplanner.app.evaluating.kept_answers import Newest, forget_oldest, weighed
from gpuplanner.app.evaluating.plan_equality import are_equal_plans, audited_parts, plan_alike
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evaluation import Evaluation, Figures
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.model.plan.scenario import TODAY, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace

KEPT_AUDITS: Final = 4
KEPT_FIGURES: Final = 16
LOOKED_AT_FOR_EQUALS: Final = 8
"""How many of the newest previews are compared with a new plan by value: a drop is what was hovered a moment ago."""


class Evaluator(QObject):
    """Evaluates the newest project in one scenario; answers to older ones are dropped.

    evaluated is emitted after each step with what is known: advice and outlook are None until they are there (the
    view keeps the old ones, muted). previewed answers `preview`: the advice as it would be, with the whole decisions of
    the plan that is shown; only what a hover shows where it was just worked out.
    """

    evaluated = Signal(object)  # Evaluation
    failed = Signal(object)  # Exception
    previewed = Signal(object, object)  # MovePreview, Advice

    def __init__(self, steps: EvaluationSteps) -> None:
        """steps: what to call; others in tests. Three threads at most are at work, one for each kind of
        answer.
        """
        super().__init__()
        self.step_functions = steps
        self._project: Project | None = None
        self._scenario = ""
        self._evaluation: Evaluation | None = None
        self.audits: OrderedDict[tuple[int, ...], tuple[tuple[object, ...], Audit]] = OrderedDict()
        self._figures: OrderedDict[str, tuple[Audit, Figures]] = OrderedDict()
        self.advised = Newest[Advised]()
        self._before: Advised | None = None  # of the plan that a question is asked of: kept while it is asked
        self.outlooks = Newest[tuple[Advice, Outlook]]()
        self._fits = Newest[tuple[Audit, object, tuple[WorkloadFit, ...]]]()
        self._previews = Newest[tuple[Scenario, MovePreview, Advised]]()
        self._wanted_preview: MovePreview | None = None
        self._is_outlook_held = self._is_to_go_on = False
        self._painted = AfterPaint(self._go_on, self)
        self._advice_lane = Background(self._fail, parent=self)
        # its own: a stale outlook holds up no advice
        self._outlook_lane = Background(self._fail, parent=self)
        self._fit_lane = Background(self.failed.emit, parent=self)  # its own: it holds up no advice either
        self._lanes = (self._advice_lane, self._outlook_lane, self._fit_lane)

    @property
    def evaluation(self) -> Evaluation | None:
        """What is known of the newest project; None until its figures are there.

        Advice and outlook in it are None until they are there.
        """
        return self._evaluation

    @property
    def is_settled(self) -> bool:
        """Whether nothing more will come for the newest project."""
        return not self._is_to_go_on and not any(lane.is_busy for lane in self._lanes)

    def evaluate_soon(self, project: Project, scenario: str) -> None:
        """Evaluate this from now on. Figures are there on return where those before it were known.

        What takes a thread is begun when they are painted: none takes the processor from the frame of a gesture.
        """
        if project is self._project and scenario == self._scenario:
            return
        self._project, self._scenario, self._evaluation = project, scenario, None
        self._wanted_preview = None
        for lane in self._lanes:
            lane.cancel()
        audit = self._known_audit(project)
        asked_of = project.plan_before(scenario)
        known = self._figures.get(scenario) or (self._figures.get(asked_of.name) if asked_of else None)
        if (
            audit is None
            or known is None
            or known[0] is not audit
            or not self.step_functions.is_quick(project, scenario, known[1])
        ):
            self._advice_lane.run(
                partial(first_look, self.step_functions, project, scenario, audit), self._take_first_look
            )
            return
        try:
            figures = self.step_functions.figures(project, scenario, audit, known[1])
        except Exception as error:
            self.failed.emit(error)
            return
        self._is_to_go_on = True
        self._take_figures(audit, figures)
        self._painted.ask()

    def _go_on(self) -> None:
        """What takes a thread begins, once, whoever asks."""
        if self._is_to_go_on:
            self._is_to_go_on = False
            self._start_what_is_next()

    def preview(self, keys: Collection[str], pool: Pool | None) -> None:
        """Work out what moving these would change; `previewed` tells. Only the newest question is answered.

        pool None: what separating automatically would change, which moves these.
        Nothing happens on Today, or before the figures are there. A question asked again is answered at once.
        """
        evaluation = self._evaluation
        if evaluation is None or self._scenario == TODAY:
            return
        request = MovePreview(frozenset(keys), pool)
        self._wanted_preview = request
        if not self._tell_known_preview():
            self._start_what_is_next()

    def _tell_known_preview(self) -> bool:
        """Answer the wanted preview if it is known; return whether it was."""
        request, evaluation = self._wanted_preview, self._evaluation
        if request is None or evaluation is None:
            return False
        plan = self._plan()
        for base, known, advised in self._previews:
            if base is plan and known == request and advised.audit is evaluation.audit:
                self._wanted_preview = None
                self.previewed.emit(request, advised.advice)
                return True
        return False

    def stop_previewing(self) -> None:
        """The card is over no column: a question not begun yet is taken back.

        One under way is answered all the same.
        """
        self._wanted_preview = None

    def hold_outlook(self, *, is_held: bool) -> None:
        """While something is dragged no outlook is begun: each would be late, and hold up the advice of the next.

        When it is let go, what is missing is begun.
        """
        was_held, self._is_outlook_held = self._is_outlook_held, is_held
        if was_held and not is_held:
            self._start_what_is_next()

    def close(self) -> None:
        """Want nothing more, and wait for the threads.

        Nothing is emitted any more.
        """
        self._wanted_preview = None
        self._is_to_go_on = False
        for lane in self._lanes:
            lane.close()

    # ---- answers

    def _take_first_look(self, answer: tuple[Audit, Figures]) -> None:
        """Audit and figures from the thread: kept, then told as figures."""
        assert self._project is not None
        parts = audited_parts(self._project)
        self.audits[tuple(map(id, parts))] = (parts, answer[0])
        forget_oldest(self.audits, KEPT_AUDITS)
        known = {id(audit) for _, audit in self.audits.values()}
        self.advised.keep_only(lambda advised: id(advised.audit) in known)
        self._previews.keep_only(lambda preview: id(preview[2].audit) in known)
        self._fits.keep_only(lambda fit: id(fit[0]) in known)
        advice = {id(advised.advice) for advised in self.advised}
        self.outlooks.keep_only(lambda outlook: id(outlook[0]) in advice)
        self._take_figures(*answer)

    def _take_figures(self, audit: Audit, figures: Figures) -> None:
        """Told with whatever advice, outlook and fit are known already for the very same parts."""
        assert self._project is not None
        self._figures[self._scenario] = (audit, figures)
        self._figures.move_to_end(self._scenario)
        forget_oldest(self._figures, KEPT_FIGURES)
        known = self._known_advice(audit, self._plan())
        advice = known.advice if known else None
        outlook = next((outlook for of, outlook in self.outlooks if of is advice), None)
        fit = self._known_fit(audit, self._project)
        before = self._known_before(audit)
        self._tell(
            Evaluation(
                project=self._project,
                scenario=self._scenario,
                audit=audit,
                figures=figures,
                advice=advice,
                outlook=outlook,
                fit=fit,
                before=before,
            )
        )

    def _take_advice(self, answer: tuple[Advised, int]) -> None:
        assert self._evaluation is not None
        advised, held = answer
        self.advised.keep(advised, advised.audit, held)
        self._tell(replace(self._evaluation, advice=advised.advice))

    def _take_before(self, advised: Advised) -> None:
        assert self._evaluation is not None
        self._before = advised
        self._tell(replace(self._evaluation, before=advised.advice))

    def _take_outlook(self, answer: tuple[tuple[Advice, Outlook], int]) -> None:
        assert self._evaluation is not None
        (advice, outlook), held = answer
        audit = self._evaluation.audit
        if advice is not self._evaluation.advice:
            decided = advice.whole_decisions  # a hover has the decisions of the plan that it changes
            self._previews.keep_only(
                lambda kept: kept[2].advice is None or kept[2].advice.whole_decisions == decided
            )
            weight = self.advised.held(audit) or 0
            self.advised.keep(Advised(audit, self._plan(), advice), audit, weight)
        self.outlooks.keep((advice, outlook), audit, held)
        self._tell(replace(self._evaluation, advice=advice, outlook=outlook))

    def _take_fit(self, answer: tuple[tuple[WorkloadFit, ...], int]) -> None:
        assert self._evaluation is not None
        fit, held = answer
        audit = self._evaluation.audit
        self._fits.keep((audit, self._evaluation.project.needs, fit), audit, held)
        self._evaluation = replace(self._evaluation, fit=fit)
        self.evaluated.emit(self._evaluation)  # nothing waits for it: a step that failed is not tried again

    def _take_preview(self, preview: Preview) -> None:
        """Tell of a preview, then complete it: a drop asks for the plan that was hovered.

        A preview with other whole decisions than the plan now has is worked out again, unless another is wanted.
        """
        evaluation = self._evaluation
        if evaluation is None or evaluation.plan.whole_decisions != preview.shown.plan.whole_decisions:
            self._wanted_preview = self._wanted_preview or preview.request
            self._start_what_is_next()
            return
        if self._wanted_preview == preview.request:
            self._wanted_preview = None
        if preview.advice is not None:
            self.previewed.emit(preview.request, preview.advice)
        if (
            self._evaluation is not evaluation or self._advice_lane.is_busy
        ):  # whoever was told edited the project
            return
        if self._wanted_preview is not None:
            self._start_what_is_next()
            return
        work = partial(completed_by, self.step_functions, preview)
        once = partial(weighed, work, self._previews.held(evaluation.audit))
        self._advice_lane.run(once, partial(self._take_completed, preview))

    def _take_completed(self, preview: Preview, answer: tuple[Advised, int]) -> None:
        assert self._evaluation is not None
        advised, held = answer
        if self._evaluation.plan.whole_decisions == preview.shown.plan.whole_decisions:
            self._previews.keep((self._plan(), preview.request, advised), advised.audit, held)
        self._start_what_is_next()

    def _tell(self, evaluation: Evaluation) -> None:
        """Told first, then what is next is begun, unless the project was edited by whoever was told."""
        self._evaluation = evaluation
        self._figures[self._scenario] = (evaluation.audit, evaluation.figures)  # with what its plan decides
        self.evaluated.emit(evaluation)
        if self._evaluation is evaluation:  # whoever was told may have edited the project
            self._start_what_is_next()

    # ---- what is next

    def _start_what_is_next(self) -> None:
        """Advice before previews, in one thread; the outlook once there is advice, and hardware fit once both rest.

        Threads share the interpreter with the window: two at a time stop it for longer, and neither is sooner there.
        """
        evaluation = self._evaluation
        if self._is_to_go_on or evaluation is None or self._advice_lane.is_busy:
            return
        plan = self._plan()
        if evaluation.advice is None and self._known_advice(evaluation.audit, plan) is None:
            work = partial(advised_by, self.step_functions, evaluation, plan)
            self._advice_lane.run(
                partial(weighed, work, self.advised.held(evaluation.audit)), self._take_advice
            )
            return
        asked_of = self._asked_of()
        if (
            asked_of is not None
            and evaluation.advice is not None
            and evaluation.before is None
            and self._known_before(evaluation.audit) is None
        ):
            self._advice_lane.run(
                partial(before_by, self.step_functions, evaluation, asked_of), self._take_before
            )
            return
        can_look_ahead = not self._is_outlook_held and not self._outlook_lane.is_busy
        if evaluation.advice is not None and evaluation.outlook is None and can_look_ahead:
            held = self.outlooks.held(evaluation.audit)
            steps, gives_way = self.step_functions, lambda: self._advice_lane.is_busy
            look = partial(outlook_by, steps, evaluation, evaluation.advice, held, gives_way)
            self._outlook_lane.start(look, self._take_outlook)
        if self._wanted_preview is not None and not self._tell_known_preview():
            request, self._wanted_preview = self._wanted_preview, None
            ask = partial(previewed_by, self.step_functions, evaluation, request)
            self._advice_lane.run(ask, self._take_preview)
        self._start_fit()

    def _start_fit(self) -> None:
        """Nothing waits for hardware fit: it begins when no other thread is at work."""
        evaluation, fit = self._evaluation, self.step_functions.fit
        if fit is None or evaluation is None or evaluation.fit is not None:
            return
        if not any(lane.is_busy for lane in self._lanes):
            work = partial(fit, evaluation.project, evaluation.audit)
            self._fit_lane.run(partial(weighed, work, self._fits.held(evaluation.audit)), self._take_fit)

    def _fail(self, error: Exception) -> None:
        """Without advice or outlook there is hardware fit all the same."""
        self.failed.emit(error)
        if not self._is_to_go_on:
            self._start_fit()

    # ---- what is known

    def _plan(self) -> Any:
        """The plan that is looked at, None for Today: with the audit, all that an advice depends on."""
        assert self._project is not None
        return None if self._scenario == TODAY else self._project.scenario(self._scenario)

    def _asked_of(self) -> Scenario | None:
        """The plan that what is looked at asks a question of, on Today the first; None where there is none."""
        assert self._project is not None
        if self._scenario == TODAY:
            return next(iter(self._project.scenarios), None)
        return self._project.plan_before(self._scenario)

    def _known_before(self, audit: Audit) -> Advice | None:
        """The advice of the plan that a question is asked of, where it was worked out and is settled."""
        plan = self._asked_of()
        if plan is None:
            return None
        kept = self._before
        if kept is None or kept.audit is not audit or not plan_alike(kept.plan, plan):
            kept = self._known_advice(audit, plan)
            if kept is not None and kept.advice is not None and kept.advice.is_settling:
                return None  # the plan was left before it settled
            self._before = kept or self._before
        return kept.advice if kept else None

    def _known_audit(self, project: Project) -> Audit | None:
        """Audits are found by the identity of everything that they may look at."""
        known = self.audits.get(tuple(map(id, audited_parts(project))))
        return known[1] if known else None

    def _known_fit(self, audit: Audit, project: Project) -> tuple[WorkloadFit, ...] | None:
        """Of this audit and these needs; None where it was not worked out."""
        for of, needs, fit in self._fits:
            if of is audit and needs is project.needs:
                return fit
        return None

    def _known_advice(self, audit: Audit, plan: Scenario | None) -> Advised | None:
        """Of this audit and a plan on the very same parts, or of a preview of an equal one."""
        for advised in self.advised:
            if advised.audit is audit and plan_alike(advised.plan, plan):
                return advised
        for _, _, advised in islice(self._previews, LOOKED_AT_FOR_EQUALS):
            if advised.audit is audit and are_equal_plans(advised.plan, plan):
                return advised
        return None
