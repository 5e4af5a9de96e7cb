"""A session without a window: its time, what it shows, and flows that work on it with no window and no ways."""

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.document import Document
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.flows.board.board_flow import BoardFlow
from gpuplanner.ui.flows.board.job_questions import JobQuestions
from gpuplanner.ui.flows.session import Session, Ways
from tests.ui.fake_app import FakeEvaluator
from tests.ui.sample_world import evaluation_of, sample_project

NOW_S = 1_790_812_800


@pytest.fixture
def session(qapp: object) -> Session:
    project = sample_project()
    made = Session(Document(project), FakeEvaluator(evaluation_of))
    made.gestures.scenario = project.scenarios[0].name
    return made


def test_time_runs_on_from_the_clock_and_without_one_stands_at_the_end_of_the_window(
    session: Session,
) -> None:
    project = session.document.project
    assert session.time_s() == project.window.end_s
    timed = Session(session.document, session.evaluator, now_s=NOW_S)
    assert timed.time_s() >= NOW_S


def test_what_is_not_known_yet_stays_as_it_was_shown_until_another_scenario_is(session: Session) -> None:
    project = session.document.project
    plan = project.scenarios[0].name
    assert session.view_state is None and session.evaluation is None
    known, first = evaluation_of(project, plan), evaluation_of(project, plan, 1)
    session.show(known)
    shown = session.show(first)
    assert shown is session.view_state and session.evaluation is first
    assert shown.is_settling and shown.advice is known.advice
    assert session.show(evaluation_of(project, TODAY, 1)).advice is None


def test_a_flow_works_without_a_window(qtbot: QtBot, session: Session) -> None:
    board = Board()
    qtbot.addWidget(board)
    flow, jobs = BoardFlow(session, board, Ways()), JobQuestions(session, board)
    assert flow.parent() is None
    project, plan = session.document.project, session.scenario
    shown = session.show(evaluation_of(project, plan))
    board.show_state(shown)
    card = next(card for card in shown.cards if card.pool is not Pool.BURST)
    board.workloads_moved.emit((card.key,), Pool.BURST)
    assert session.document.project.scenario(plan).pools[card.key] is Pool.BURST
    with qtbot.waitSignal(session.asks.jobs_asked) as asked:
        jobs.ask(card.key)
    assert asked.args is not None and asked.args[0].key == card.key


@pytest.mark.parametrize("way", Ways.__slots__)
def test_a_way_that_no_window_filled_in_leads_nowhere(way: str) -> None:
    assert getattr(Ways(), way)("anything") is None


def test_a_decision_and_its_taking_back_drop_out_of_the_log_together(session: Session) -> None:
    gestures, document = (
        Session(session.document, session.evaluator, now_s=NOW_S).gestures,
        session.document,
    )
    gestures.scenario = name = session.scenario
    first, second = (card.key for card in evaluation_of(document.project, name).figures.cards[:2])

    def log() -> list[str]:
        return [str(one.text) for one in document.project.scenario(name).decisions]

    was, to = Pool.TRAINING, Pool.BURST
    gestures.move((first, second), was)  # by hand from now on
    start = log()
    gestures.move((first,), to)
    gestures.move((second,), to)
    both = log()
    assert len(both) == len(start) + 2
    gestures.move((second,), was)
    assert log() == both[:-1]
    gestures.move((first,), was)
    assert log() == start
    document.undo_stack.undo()
    assert log() == both[:-1]
    document.undo_stack.redo()
    gestures.move((first,), to)
    assert log() == both[:-1]
