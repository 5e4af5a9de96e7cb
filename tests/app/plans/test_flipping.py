"""Flip points in a thread: the domain's answer, kept for the same question."""

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.plans.flipping import Flipping
from gpuplanner.domain.commitment.uncertainty.flips import flip_points
from gpuplanner.domain.evaluation import Evaluation, audit_project, evaluate_figures
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import read_tables
from tests.domain.commitment.conftest import Load, case, offer

OFFERS = [offer("od", 0, 7.0), offer("m1", 1, 3.5), offer("y1", 12, 3.0)]


def evaluation() -> Evaluation:
    made = case([Load(pool=Pool.INFERENCE, gpus=[float(4 + hour % 6) for hour in range(300)])], (), OFFERS)
    audit = audit_project(made.project, read_tables())
    return Evaluation(
        project=made.project,
        scenario="Plan A",
        audit=audit,
        figures=evaluate_figures(made.project, "Plan A", audit, None),
    )


@pytest.mark.long
def test_the_answer_is_the_domains_and_is_kept(qtbot: QtBot) -> None:
    flipping, asked = Flipping(), evaluation()
    with qtbot.waitSignal(flipping.answered, timeout=60_000) as seen:
        flipping.ask(asked)
    asked_in_parts, pools = asked.in_parts, asked.figures.workload_pools
    classes = asked_in_parts.audit.classifications
    (points,) = seen.args
    assert points == flip_points(asked_in_parts.project, asked.plan, pools, classes=classes)
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
