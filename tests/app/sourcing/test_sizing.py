"""Sizing in a thread: asked again it is answered from memory; files are read in a thread."""

import json
from dataclasses import replace

import pytest

from gpuplanner.app.sourcing.sizing import ServingFiles, Sizing, project_with_load, project_with_model
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import ServedModel, Traffic, WeekRates
from gpuplanner.files.system.resources import read_serving_tables
from tests.oracle.projects import random_case

SERVED = ServedModel(name="small", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128)
WEEK = WeekRates((5.0, 9.0) * 84, "week.csv")
CONFIG = {"name": "own", "parameters": 7e9, "layers": 32, "kv_heads": 8, "head_dim": 128}
REQUESTS = "timestamp,context_tokens,generated_tokens\n2026-01-01T00:00:00Z,100,7\n"


@pytest.fixture
def sizing():
    made = Sizing(read_serving_tables())
    yield made
    made.close()


@pytest.fixture
def files():
    made = ServingFiles()
    yield made
    made.close()


@pytest.fixture
def project():
    made = random_case(3).project
    key = made.workloads[0].key
    return project_with_load(project_with_model(made, key, SERVED, None), key, WEEK, intake_of(made))


def intake_of(project):
    return replace(project.intake[0], path="x", kind="traffic") if project.intake else _intake()


def _intake():
    from gpuplanner.domain.model.intake import FileIntake

    return FileIntake(
        path="x",
        kind="traffic",
        format="",
        rows_read=1,
        rows_accepted=1,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
    )


def answer(qtbot, service, *question):
    with qtbot.waitSignal(service.answered) as told:
        service.ask(*question)
    return told.args[1]


def test_the_same_question_is_answered_at_once_with_the_same(qtbot, sizing, project):
    key = project.workloads[0].key
    first = answer(qtbot, sizing, project, key, project.assumptions, project.offers)
    assert first.model == SERVED and first.drawn is not None
    again = answer(
        qtbot, sizing, replace(project, title="x"), key, project.assumptions, tuple(project.offers)
    )
    assert again is first and not sizing.is_busy
    other = answer(qtbot, sizing, project, key, Assumptions(headroom=0.5), project.offers)
    assert other.terms.headroom == 0.5


def test_an_endpoint_of_which_nothing_is_known_has_no_sizing(qtbot, sizing, project):
    assert answer(qtbot, sizing, project, "", project.assumptions, project.offers) is None


def test_requests_take_the_place_of_a_week(project):
    key = project.workloads[0].key
    traffic = Traffic(start_s=0, end_s=3600, hours=((0, 10, 10),), source="r.csv", requests=((1, 1, 20),))
    after = project_with_load(project, key, traffic, _intake())
    assert after.serving[key].week is None and after.traffic[key] == traffic
    assert after.serving[key].model == SERVED
    back = project_with_load(after, key, WEEK, _intake())
    assert back.serving[key].week == WEEK
    gone = project_with_model(back, key, None, None)
    assert gone.serving[key].model is None


def test_files_are_read_beside_the_window(qtbot, files, tmp_path):
    model, requests = tmp_path / "own.json", tmp_path / "requests.csv"
    model.write_text(json.dumps(CONFIG), encoding="utf-8")
    requests.write_text(REQUESTS, encoding="utf-8")
    with qtbot.waitSignal(files.model_read) as told:
        files.read_model("a/b/chat", model)
    assert told.args[0] == "a/b/chat" and told.args[1].name == "own" and told.args[2].kind == "model"
    with qtbot.waitSignal(files.load_read) as told:
        files.read_load("a/b/chat", requests)
    assert isinstance(told.args[1], Traffic) and told.args[2].kind == "traffic"
    with qtbot.waitSignal(files.failed) as told:
        files.read_load("a/b/chat", model)
    assert isinstance(told.args[0], PlannerError)
