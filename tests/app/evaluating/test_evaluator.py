"""The evaluator: each step told as it is known, late answers dropped, nothing worked out twice."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from threading import Event, Thread, get_ident
from time import sleep
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from pytestqt.qtbot import QtBot

from gpuplanner.app.evaluating.evaluation_steps import EvaluationSteps, MovePreview, outlook_by
from gpuplanner.app.evaluating.evaluator import Evaluator
from gpuplanner.domain import edits
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.cube import Workload, empty_cube
from gpuplanner.domain.model.plan.scenario import TODAY, WholeDecisions
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.domain.model.window import Window

PLAN = "Plan A"


@dataclass(eq=False)
class Answer:
    """Stands for an audit, figures, an advice or an outlook: what it was made from, and in which thread."""

    made_from: tuple[Any, ...]
    thread: int = field(default_factory=get_ident)
    whole_decisions: ClassVar[None] = None
    is_settling: bool = False
    basis: ClassVar[Any] = SimpleNamespace(plan=SimpleNamespace(whole_decisions=None))


ENDED = WholeDecisions(ends=(("k", 0),))


@dataclass(eq=False)
class Decided:
    """Stands for an advice, or for a plan, with whole decisions."""

    whole_decisions: WholeDecisions | None


@dataclass(eq=False)
class DecidedBasis:
    plan: Decided
    is_settling: bool = False


@dataclass(eq=False)
class DecidedFigures:
    """Stands for figures whose plan may get whole decisions."""

    basis: DecidedBasis


class Fakes:
    """Steps that count, and wait where they are told to."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.may_advise = Event()
        self.may_outlook = Event()
        self.may_advise.set()
        self.may_outlook.set()
        self.fail_in = ""
        self.no_advice = False

    def answer(self, name: str, *made_from: Any) -> Any:
        self.calls.append(name)
        if self.fail_in == name:
            raise ValueError(name)
        return Answer(made_from)

    def audit(self, project: Project) -> Any:
        return self.answer("audit", project)

    def figures(self, project: Project, scenario: str, audit: Any, previous: Any) -> Any:
        return self.answer("figures", project, scenario, audit, previous)

    def advise(self, project: Project, figures: Any) -> Any:
        self.may_advise.wait()
        answer = self.answer("advise", project, figures)
        return None if self.no_advice else answer

    def outlook(self, project: Project, figures: Any, advice: Any, is_cancelled: Any) -> Any:
        while not self.may_outlook.is_set() and not is_cancelled():
            self.may_outlook.wait(0.001)
        return self.answer("outlook", project, figures, advice)


def loaded() -> Project:
    project = Project(
        window=Window(0, 1),
        cube=empty_cube(1),
        workloads=tuple(Workload(key=key, name=key, cluster="", owner="") for key in "abc"),
    )
    return edits.plans.add_plan(project, "Plan B")


class Told:
    """An evaluator on fakes, with all that it told."""

    def __init__(self, qtbot: QtBot) -> None:
        self.fakes = Fakes()
        steps = EvaluationSteps(
            audit=self.fakes.audit,
            figures=self.fakes.figures,
            advise=self.fakes.advise,
            outlook=self.fakes.outlook,
        )
        self.evaluator = Evaluator(steps)
        self.evaluations: list[Evaluation] = []
        self.errors: list[Exception] = []
        self.previews: list[tuple[MovePreview, Any]] = []
        self.evaluator.evaluated.connect(self.evaluations.append)
        self.evaluator.failed.connect(self.errors.append)
        self.evaluator.previewed.connect(lambda request, advice: self.previews.append((request, advice)))
        self._qtbot = qtbot

    def look(self, project: Project, scenario: str = PLAN) -> Evaluation:
        self.evaluator.evaluate_soon(project, scenario)
        return self.settle()

    def settle(self) -> Evaluation:
        self._qtbot.waitUntil(lambda: self.evaluator.is_settled)
        self._qtbot.wait(5)
        return self.evaluations[-1]

    def wait_for(self, question: Any) -> None:
        self._qtbot.waitUntil(question)

    @property
    def steps(self) -> list[str]:
        """What each evaluation knew."""
        return [
            "outlook" if each.outlook else "advice" if each.advice else "figures" for each in self.evaluations
        ]


@pytest.fixture
def told(qtbot: QtBot) -> Iterator[Told]:
    told = Told(qtbot)
    yield told
    told.fakes.may_advise.set()
    told.evaluator.close()


def made_from(answer: Any) -> tuple[Any, ...]:
    return cast(Answer, answer).made_from


def moved(project: Project, key: str = "a", pool: Pool = Pool.BURST) -> Project:
    return edits.workloads.move_workloads(project, PLAN, [key], pool)


def test_the_first_look_is_in_the_thread_and_each_step_is_told(told: Told) -> None:
    project = loaded()
    told.evaluator.evaluate_soon(project, PLAN)
    assert told.evaluations == []
    last = told.settle()
    assert told.steps == ["figures", "advice", "outlook"]
    assert told.fakes.calls == ["audit", "figures", "advise", "outlook"]
    assert last.project is project
    assert cast(Any, last.figures).thread != get_ident()
    assert made_from(last.outlook) == (project, last.figures, last.advice)


def test_figures_after_an_edit_are_there_on_return_and_build_on_those_before(told: Told) -> None:
    before = told.look(loaded())
    after = moved(before.project)
    told.evaluator.evaluate_soon(after, PLAN)
    now = told.evaluations[-1]
    assert now.project is after
    assert made_from(now.figures) == (after, PLAN, before.audit, before.figures)
    assert cast(Any, now.figures).thread == get_ident()
    assert now.advice is None
    told.settle()
    assert told.fakes.calls.count("audit") == 1


def test_answers_to_older_projects_are_dropped(told: Told) -> None:
    project = told.look(loaded()).project
    told.fakes.may_advise.clear()
    for key in "abc":
        project = moved(project, key)
        told.evaluator.evaluate_soon(project, PLAN)
    told.fakes.may_advise.set()
    last = told.settle()
    assert last.project is project
    assert made_from(last.advice)[0] is project
    assert told.steps == [
        "figures",
        "advice",
        "outlook",
        "figures",
        "figures",
        "figures",
        "advice",
        "outlook",
    ]


def test_the_next_edit_stops_an_outlook(told: Told) -> None:
    told.fakes.may_outlook.clear()
    told.evaluator.evaluate_soon(loaded(), PLAN)
    told.wait_for(lambda: told.steps == ["figures", "advice"])
    after = moved(told.evaluations[-1].project)
    told.evaluator.evaluate_soon(after, PLAN)
    told.wait_for(lambda: told.steps[-1] == "advice")
    told.fakes.may_outlook.set()
    assert made_from(told.settle().outlook)[0] is after


def test_undo_and_a_tab_seen_before_cost_figures_only(told: Told) -> None:
    before = loaded()
    for project, scenario in ((before, PLAN), (moved(before), PLAN), (before, "Plan B")):
        told.look(project, scenario)
    told.fakes.calls.clear()
    told.evaluator.evaluate_soon(before, PLAN)
    assert told.steps[-1] == "outlook"
    assert told.fakes.calls == ["figures"]


def test_an_edit_of_one_plan_keeps_the_advice_of_another(told: Told) -> None:
    before = loaded()
    for scenario in ("Plan B", PLAN):
        told.look(before, scenario)
    told.fakes.calls.clear()
    told.evaluator.evaluate_soon(moved(before), "Plan B")
    assert told.steps[-1] == "outlook"


def test_today_is_held_against_a_settled_plan_though_it_was_left_before_it_settled(told: Told) -> None:
    """Savings found on Today: those of a plan without its whole decisions are others."""
    evaluator, fakes, project = told.evaluator, told.fakes, loaded()
    settled = fakes.answer("settled")
    evaluator.step_functions = replace(
        evaluator.step_functions,
        advise=lambda project, figures: Answer((project, figures), is_settling=True),
        settle=lambda *_: settled,
    )
    fakes.may_outlook.clear()
    evaluator.evaluate_soon(project, PLAN)
    told.wait_for(lambda: told.steps[-1:] == ["advice"])
    fakes.may_outlook.set()
    seen = told.look(project, TODAY)
    assert seen.before is settled


def test_a_label_or_an_assumption_means_another_audit(told: Told) -> None:
    project = loaded()
    for after in (
        project,
        edits.workloads.label_workloads(project, ["a"], Pool.BURST),
        edits.plans.set_assumption(project, None, "block", 8),
    ):
        told.look(after)
    assert told.fakes.calls.count("audit") == 3
    assert told.fakes.calls.count("advise") == 3


def test_a_rule_of_the_planner_s_own_means_another_audit(told: Told) -> None:
    rule = ClassRule(
        rule_id="burst-a",
        field="name",
        pattern="rollout",
        pool=Pool.BURST,
        subtype="",
        confidence=0.97,
        reason="",
    )
    before = told.look(loaded())
    assert told.look(edits.class_rules.add_rule(before.project, rule)).audit is not before.audit


def test_a_title_changes_no_figure(told: Told) -> None:
    project = loaded()
    told.look(project)
    assert told.look(replace(project, title="Q3")).project.title == "Q3"
    assert told.fakes.calls.count("advise") == 1


def test_the_same_project_again_tells_nothing(told: Told) -> None:
    project = loaded()
    told.look(project)
    told.look(project)
    assert len(told.evaluations) == 3


@pytest.mark.parametrize("step", ["audit", "figures", "advise", "outlook"])
def test_a_step_that_fails_is_told_and_the_next_project_is_evaluated(told: Told, step: str) -> None:
    told.fakes.fail_in = step
    project = loaded()
    told.evaluator.evaluate_soon(project, PLAN)
    told.wait_for(lambda: [str(error) for error in told.errors] == [step])
    told.fakes.fail_in = ""
    told.look(moved(project))
    assert told.steps[-1] == "outlook"


def test_figures_that_fail_at_once_are_told(told: Told) -> None:
    project = told.look(loaded()).project
    told.fakes.fail_in = "figures"
    told.evaluator.evaluate_soon(moved(project), PLAN)
    assert [str(error) for error in told.errors] == ["figures"]


def test_where_there_is_nothing_to_plan_there_is_no_outlook(told: Told) -> None:
    told.fakes.no_advice = True
    told.look(loaded(), TODAY)
    assert told.fakes.calls == ["audit", "figures", "advise"]
    assert told.steps == ["figures", "figures"]


def test_a_preview_is_the_advice_as_it_would_be_and_a_drop_then_has_it_at_once(told: Told) -> None:
    before = told.look(loaded())
    told.evaluator.preview(["a"], Pool.BURST)
    told.wait_for(lambda: bool(told.previews))
    ((request, advice),) = told.previews
    assert request == MovePreview(frozenset("a"), Pool.BURST)
    assert made_from(advice)[0].scenario(PLAN) == moved(before.project).scenario(PLAN)
    assert told.evaluations[-1] is before
    told.evaluator.evaluate_soon(moved(before.project), PLAN)
    assert told.evaluations[-1].advice is advice


def test_a_preview_asked_again_is_answered_at_once(told: Told) -> None:
    told.look(loaded())
    told.evaluator.preview(["a"], Pool.BURST)
    told.wait_for(lambda: len(told.previews) == 1)
    calls = len(told.fakes.calls)
    told.evaluator.preview(["a"], Pool.BURST)
    assert len(told.previews) == 2
    assert len(told.fakes.calls) == calls


def test_a_preview_is_told_before_the_whole_advice_that_the_drop_finds(told: Told) -> None:
    """A hover shows a part of the advice; the drop that follows finds the rest worked out."""
    fakes = told.fakes
    told.evaluator.step_functions = replace(
        told.evaluator.step_functions,
        advise_costs=lambda project, figures: fakes.answer("costs", project, figures),
    )
    project = told.look(loaded()).project
    calls = len(fakes.calls)
    told.evaluator.preview(["a"], Pool.BURST)
    told.wait_for(lambda: bool(told.previews))
    told.settle()
    assert fakes.calls[calls:] == ["figures", "costs", "advise"]
    assert len(told.previews) == 1
    told.evaluator.evaluate_soon(moved(project), PLAN)
    assert made_from(told.evaluations[-1].advice)[0].scenario(PLAN) == moved(project).scenario(PLAN)
    assert fakes.calls[calls:].count("advise") == 1


def test_a_preview_of_an_unsettled_plan_is_worked_out_again_once_it_is_settled(told: Told) -> None:
    """Its whole decisions are those of before: beside the settled plan it would promise a wrong change."""

    def settle(project: Project, figures: Any, advice: Any, is_cancelled: Any) -> Any:
        while not told.fakes.may_outlook.is_set() and not is_cancelled():
            told.fakes.may_outlook.wait(0.001)
        return Decided(ENDED)

    def advise(project: Project, figures: Any) -> Any:
        told.fakes.calls.append("advise")
        return Decided(figures.basis.plan.whole_decisions)

    def figures(project: Project, scenario: str, audit: Any, previous: Any) -> Any:
        return previous or DecidedFigures(DecidedBasis(Decided(None)))

    told.evaluator.step_functions = replace(
        told.evaluator.step_functions, settle=settle, figures=figures, advise=advise
    )
    told.fakes.may_outlook.clear()
    told.evaluator.evaluate_soon(loaded(), PLAN)
    told.wait_for(lambda: told.steps[-1:] == ["advice"])
    told.evaluator.preview(["a"], Pool.BURST)
    told.wait_for(lambda: len(told.previews) == 1)
    told.fakes.may_outlook.set()
    told.settle()
    told.evaluator.preview(["a"], Pool.BURST)
    told.wait_for(lambda: len(told.previews) == 2)
    assert [advice.whole_decisions for _, advice in told.previews] == [None, ENDED]
    told.evaluator.preview(["a"], Pool.BURST)
    assert told.previews[2][1] is told.previews[1][1]  # from now on it is known


def test_an_outlook_gives_way_to_what_is_awaited() -> None:
    """Both threads share the interpreter: a card in the hand is answered first."""
    busy, asked = [True], list[str]()

    def outlook(project: Any, figures: Any, advice: Any, is_cancelled: Any) -> Any:
        asked.append("begun")
        assert not is_cancelled()
        asked.append("gone on" if not busy[0] else "not given way")
        return "outlook"

    def settle(project: Any, figures: Any, advice: Any, is_cancelled: Any) -> Any:
        return advice

    steps: Any = SimpleNamespace(settle=settle, outlook=outlook)
    of: Any = SimpleNamespace(project=None, figures=None)
    thread = Thread(
        target=outlook_by, args=(steps, of, of, 0, lambda: busy[0], lambda *_: None, lambda: False)
    )
    thread.start()
    while asked != ["begun"]:
        sleep(0.001)
    sleep(0.01)
    assert asked == ["begun"]
    busy[0] = False
    thread.join(5)
    assert asked == ["begun", "gone on"]


def test_only_the_newest_preview_is_answered_after_the_advice(told: Told) -> None:
    project = told.look(loaded()).project
    told.fakes.may_advise.clear()
    told.evaluator.evaluate_soon(moved(project), PLAN)
    for pool in Pool:
        told.evaluator.preview(["b"], pool)
    told.fakes.may_advise.set()
    told.wait_for(lambda: bool(told.previews))
    told.settle()
    assert [request.pool for request, _ in told.previews] == [Pool.BURST]
    assert told.steps[-1] == "outlook"


def test_a_card_taken_away_is_not_answered(told: Told) -> None:
    project = told.look(loaded()).project
    told.fakes.may_advise.clear()
    told.evaluator.evaluate_soon(moved(project), PLAN)
    told.evaluator.preview(["b"], Pool.BURST)
    told.evaluator.stop_previewing()
    told.fakes.may_advise.set()
    told.settle()
    assert told.previews == []


def test_nothing_is_previewed_on_today_or_before_the_figures(told: Told) -> None:
    told.evaluator.preview(["a"], Pool.BURST)
    told.evaluator.evaluate_soon(loaded(), TODAY)
    told.evaluator.preview(["a"], Pool.BURST)
    told.settle()
    told.evaluator.preview(["a"], Pool.BURST)
    assert told.settle().scenario == TODAY
    assert told.previews == []


def test_an_edit_made_while_being_told_is_the_one_that_counts(told: Told) -> None:
    project = loaded()

    def edit_once(evaluation: Evaluation) -> None:
        if evaluation.project is project and evaluation.advice is not None:
            told.evaluator.evaluate_soon(moved(project), PLAN)

    told.evaluator.evaluated.connect(edit_once)
    told.evaluator.evaluate_soon(project, PLAN)
    told.wait_for(lambda: told.steps[-1:] == ["outlook"])
    assert told.settle().project.scenarios == moved(project).scenarios


def test_no_worker_is_begun_before_what_waits_to_be_painted_is(told: Told) -> None:
    told.look(first := loaded())
    told.fakes.calls.clear()
    told.evaluator.evaluate_soon(edits.workloads.move_workloads(first, PLAN, ["a"], Pool.BURST), PLAN)
    assert told.fakes.calls == ["figures"] and not told.evaluator.is_settled
    painted: list[list[str]] = []

    class Widget(QObject):
        def event(self, event: QEvent) -> bool:
            painted.append(list(told.fakes.calls))
            return True

    widget = Widget()  # asks for its repaint as a widget does, and after the edit
    QCoreApplication.postEvent(
        widget, QEvent(QEvent.Type.UpdateRequest), Qt.EventPriority.LowEventPriority.value
    )
    told.settle()
    assert painted == [["figures"]]
    assert told.fakes.calls == ["figures", "advise", "outlook"]


def with_fit(told: Told) -> None:
    """Work out hardware fit too: it tells what was at work with it."""

    def fit(project: Project, audit: Any) -> Any:
        return told.fakes.answer("fit", project, audit).made_from

    told.evaluator.step_functions = replace(told.evaluator.step_functions, fit=fit)


def test_hardware_fit_begins_when_advice_and_outlook_are_done(told: Told) -> None:
    with_fit(told)
    assert told.look(loaded()).fit is not None
    assert told.fakes.calls == ["audit", "figures", "advise", "outlook", "fit"]


@pytest.mark.parametrize("step", ["advise", "outlook"])
def test_without_advice_or_outlook_there_is_hardware_fit(told: Told, step: str) -> None:
    with_fit(told)
    told.fakes.fail_in = step
    assert told.look(loaded()).fit is not None
    assert [str(error) for error in told.errors] == [step]
    assert told.fakes.calls[-1] == "fit"
