"""Steps of an evaluation: what the evaluator calls, and how a thread puts them together."""

from collections.abc import Callable
from functools import partial
from time import sleep
from typing import Final

from gpuplanner.app.background import IsCancelled, OnProgress
from gpuplanner.app.evaluating.kept_answers import weighed
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.edits.workloads import move_workloads, separate_automatically
from gpuplanner.domain.evaluation import Evaluation, Figures
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, Tables
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSteps:
    """What the evaluator calls. All pure; advise may answer None (there is nothing to plan).

    figures takes the figures of the same scenario before, or None; it is called on the window's thread only where
    there are such. outlook and settle, which comes before it, are given a question to ask now and then: whether their
    answer is still wanted. fit is of the
    audit and the planner's needs; None where nobody asks for it. is_quick: whether figures follow from those before
    within a frame. advise_costs: the part of advise that a hover shows; None: all of it.
    """

    audit: Callable[[Project], Audit]
    figures: Callable[[Project, str, Audit, Figures | None], Figures]
    advise: Callable[[Project, Figures], Advice | None]
    outlook: Callable[[Project, Figures, Advice, IsCancelled], Outlook]
    settle: Callable[[Project, Figures, Advice, IsCancelled], Advice] = lambda project, figures, advice, _: (
        advice
    )
    fit: Callable[[Project, Audit], tuple[WorkloadFit, ...]] | None = None
    is_quick: Callable[[Project, str, Figures], bool] = lambda project, scenario, previous: True
    advise_costs: Callable[[Project, Figures], Advice | None] | None = None


def steps_of(tables: Tables) -> EvaluationSteps:
    """The steps of the product.

    tables: GPU models, rules and scores. One cache for all advice of this evaluator; heavy modules are
    imported only here.
    """
    from gpuplanner.domain import evaluation
    from gpuplanner.domain.commitment.cache import AdviceCache

    cache = AdviceCache()
    return EvaluationSteps(
        audit=partial(evaluation.audit_project, tables=tables),
        figures=evaluation.evaluate_figures,
        advise=partial(evaluation.advise_soon, cache=cache),
        advise_costs=partial(evaluation.advise_costs, cache=cache),
        outlook=evaluation.outlook_plan,
        settle=evaluation.settle_plan,
        fit=partial(evaluation.fit_project, tables=tables),
        is_quick=evaluation.has_same_parts,
    )


@dataclass(frozen=True, slots=True)
class MovePreview:
    """What a move would change: keys of workloads, and the pool that they hover over.

    pool None: each would go to the pool of its class, as *Separate automatically* does.
    """

    keys: frozenset[str]
    pool: Pool | None


@dataclass(frozen=True, slots=True, eq=False)
class Advised:
    """An advice and what it stands on. By identity: a project's plan is replaced by every edit of it."""

    audit: Audit
    plan: Scenario | None
    advice: Advice | None


def first_look(
    steps: EvaluationSteps, project: Project, scenario: str, audit: Audit | None
) -> tuple[Audit, Figures]:
    """In the thread. audit: None where it has to be worked out."""
    audit = steps.audit(project) if audit is None else audit
    return audit, steps.figures(project, scenario, audit, None)


def advised_by(steps: EvaluationSteps, evaluation: Evaluation, plan: Scenario | None) -> Advised:
    return Advised(evaluation.audit, plan, steps.advise(evaluation.project, evaluation.figures))


def before_by(steps: EvaluationSteps, evaluation: Evaluation, plan: Scenario) -> Advised:
    """In the thread: the plan that a question is asked of."""
    project, audit = evaluation.project, evaluation.audit
    figures = steps.figures(project, plan.name, audit, None)
    advice = steps.advise(project, figures)
    settled = None if advice is None else steps.settle(project, figures, advice, lambda: False)
    return Advised(audit, plan, settled)


GIVES_WAY_S: Final = 0.002
"""So often an outlook that gives way looks whether it may go on."""


def outlook_by(
    steps: EvaluationSteps,
    evaluation: Evaluation,
    advice: Advice,
    held: int | None,
    gives_way: Callable[[], bool],
    on_progress: OnProgress,
    is_cancelled: IsCancelled,
) -> tuple[tuple[Advice, Outlook], int]:
    """Return the settled advice and its outlook. In the thread.

    gives_way: whether something quicker is awaited, such as a card in the hand. Two threads share the interpreter, so
    the outlook rests until then, which halves the time of a preview beside it.
    """

    def is_unwanted() -> bool:
        while gives_way() and not is_cancelled():
            sleep(GIVES_WAY_S)
        return is_cancelled()

    def work() -> tuple[Advice, Outlook]:
        settled = steps.settle(evaluation.project, evaluation.figures, advice, is_unwanted)
        return settled, steps.outlook(evaluation.project, evaluation.figures, settled, is_unwanted)

    return weighed(work, held)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Preview:
    """A plan as it would be after a move, with what a hover shows. shown: the evaluation before the move."""

    shown: Evaluation
    request: MovePreview
    project: Project
    figures: Figures
    advice: Advice | None


def previewed_by(steps: EvaluationSteps, evaluation: Evaluation, request: MovePreview) -> Preview:
    """Return the plan as it would be after the move, by the steps that the move takes. In the thread."""
    scenario, audit, project = evaluation.scenario, evaluation.audit, evaluation.project
    if request.pool is None:
        classes = {row.key: row.classification for row in audit.workloads}
        after = separate_automatically(project, scenario, classes)
    else:
        after = move_workloads(project, scenario, request.keys, request.pool)
    figures = steps.figures(after, scenario, audit, evaluation.figures)
    advice = (steps.advise_costs or steps.advise)(after, figures)
    return Preview(shown=evaluation, request=request, project=after, figures=figures, advice=advice)


def completed_by(steps: EvaluationSteps, preview: Preview) -> Advised:
    """Return the whole advice of a preview, which the evaluation after the drop then has. In the thread."""
    plan = preview.project.scenario(preview.shown.scenario)
    is_whole = steps.advise_costs is None
    advice = preview.advice if is_whole else steps.advise(preview.project, preview.figures)
    return Advised(preview.shown.audit, plan, advice)
