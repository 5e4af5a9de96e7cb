"""Answers about the audit in a thread: the hours behind an audit are calculated once."""

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.past import audit_answers
from gpuplanner.app.past.audit_answers import Tracer
from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.evidence.trace import figure
from tests.oracle.crafted import CRAFTED


def test_the_newest_question_is_answered_and_the_trail_is_kept(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    real = audit_answers.evidence_of
    monkeypatch.setattr(audit_answers, "evidence_of", lambda *given: made.append(given) or real(*given))
    case = CRAFTED["two_clusters"]()
    project, tracer = case.project, Tracer()
    found = audit(project, case.classifications)
    for kind in ("cost", "spend", "utilization"):
        with qtbot.waitSignal(tracer.answered) as answered:
            tracer.ask(project, found, figure(kind))
        assert answered.args[0].figure_id == figure(kind)
    assert len(made) == 1
    with qtbot.waitSignal(tracer.answered):
        tracer.ask(project, audit(project, case.classifications), figure("cost"))
    assert len(made) == 2, "another audit has other hours"
    tracer.close()


def test_a_figure_that_there_is_not_is_told_as_a_failure(qtbot: QtBot) -> None:
    case = CRAFTED["two_clusters"]()
    tracer = Tracer()
    with qtbot.waitSignal(tracer.failed) as failed:
        tracer.ask(case.project, audit(case.project, case.classifications), figure("cost", "nowhere"))
    assert isinstance(failed.args[0], KeyError | StopIteration)
    tracer.close()
