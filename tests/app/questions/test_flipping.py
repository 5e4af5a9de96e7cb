"""Flip points in a thread: the answer is the domain's, and a question asked again is answered at once."""

from pytestqt.qtbot import QtBot

from gpuplanner.app.questions.flipping import Flipping
from gpuplanner.domain.commitment.uncertainty.flips import flip_points
from gpuplanner.domain.evaluation import Evaluation, audit_project, evaluate_figures
from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.system.resources import read_tables
from tests.domain.commitment.conftest import Load, case, offer

OFFERS = [offer("od", 0, 7.0), offer("m1", 1, 3.5), offer("y1", 12, 3.0)]


def evaluation() -> Evaluation:
    made = case([Load(Pool.INFERENCE, [float(4 + hour % 6) for hour in range(300)])], (), OFFERS)
    audit = audit_project(made.project, read_tables())
    return Evaluation(made.project, "Plan A", audit, evaluate_figures(made.project, "Plan A", audit, None))


def test_the_answer_is_the_domains_and_is_kept(qtbot: QtBot) -> None:
    flipping, asked = Flipping(), evaluation()
    with qtbot.waitSignal(flipping.answered, timeout=60_000) as seen:
        flipping.ask(asked)
    plan = asked.project.scenarios[0]
    (points,) = seen.args
    assert points == flip_points(asked.project, plan, asked.figures.workload_pools)
    with qtbot.waitSignal(flipping.answered, timeout=1):
        flipping.ask(asked)
    assert not flipping.is_busy
    flipping.close()


def test_a_question_that_nobody_waits_for_is_dropped(qtbot: QtBot) -> None:
    flipping, asked = Flipping(), evaluation()
    answers: list[object] = []
    flipping.answered.connect(answers.append)
    flipping.ask(asked)
    flipping.cancel()
    assert not flipping.is_busy
    flipping.close()
    qtbot.wait(20)
    assert answers == []
