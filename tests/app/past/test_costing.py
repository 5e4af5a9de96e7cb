"""Costs in a thread: a question asked again is answered from memory; only what could differ is calculated."""

from dataclasses import replace

import pytest

from gpuplanner.app.past import costing
from gpuplanner.app.past.costing import Costing
from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.cost_result import Period
from gpuplanner.domain.audit.variance import halves
from gpuplanner.domain.model.places import Traffic
from tests.oracle.projects import random_case


@pytest.fixture
def case():
    return random_case(3)


@pytest.fixture
def asked(case):
    made = Costing()
    yield made, case.project, audit(case.project, case.classifications)
    made.close()


def answer(qtbot, service, *question):
    with qtbot.waitSignal(service.answered) as told:
        service.ask(*question)
    return told.args[0]


def test_the_same_question_is_answered_at_once_with_the_same(qtbot, asked):
    service, project, of_past = asked
    first = answer(qtbot, service, project, of_past, halves(project.window))
    again = answer(qtbot, service, replace(project, title="other"), of_past, halves(project.window))
    assert again is first
    assert not service.is_busy


def test_other_periods_keep_the_unit_costs(qtbot, asked):
    service, project, of_past = asked
    first = answer(qtbot, service, project, of_past, halves(project.window))
    other = answer(qtbot, service, project, of_past, (Period(0, 1), Period(1, 2)))
    assert other.unit is first.unit
    assert other.variance != first.variance


def test_new_traffic_is_looked_at(qtbot, asked):
    service, project, of_past = asked
    first = answer(qtbot, service, project, of_past, halves(project.window))
    start_s = project.window.start_s
    traffic = {
        first.unit.endpoints[0].key: Traffic(start_s=start_s, end_s=start_s + 3600, hours=((start_s, 5, 5),))
    }
    after = answer(qtbot, service, replace(project, traffic=traffic), of_past, halves(project.window))
    assert after.unit.endpoints[0].tokens is not None


def test_a_fault_is_told(qtbot, asked, monkeypatch):
    service, project, of_past = asked

    def broken(*_):
        raise ValueError("broken")

    monkeypatch.setattr(costing.unit_costs, "unit_costs", broken)
    with qtbot.waitSignal(service.failed) as told:
        service.ask(project, of_past, halves(project.window))
    assert str(told.args[0]) == "broken"
