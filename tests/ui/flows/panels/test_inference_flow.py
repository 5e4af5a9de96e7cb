"""The flow behind the panel Inference: choices are undo steps, files are read, what cannot be read is said."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.served_model import ServedModel
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.flows.panels import inference_flow
from gpuplanner.ui.flows.panels.inference_flow import InferenceFlow
from gpuplanner.ui.window.main_window import MainWindow

WEEK = "hour_of_week,requests_per_s\n" + "".join(f"{hour},{5 + hour % 24}\n" for hour in range(168))


@pytest.fixture
def flow(window: MainWindow) -> Iterator[InferenceFlow]:
    made = InferenceFlow(
        window.session, window.docks.inference, read_tables(), window.actions_by_id["assumptions"]
    )
    yield made
    made.close()


def test_choices_are_steps_that_can_be_undone(
    qtbot: QtBot, window: MainWindow, flow: InferenceFlow, tmp_path: Path
) -> None:
    panel, document = window.docks.inference, window.session.document
    window.docks.raise_panel("inference")
    before, key = document.project, panel.key
    assert key
    path, config = tmp_path / "week.csv", tmp_path / "own.json"
    path.write_text(WEEK, encoding="utf-8")
    config.write_text(
        json.dumps({"name": "own", "parameters": 7e9, "layers": 32, "kv_heads": 8, "head_dim": 128}), "utf-8"
    )
    with qtbot.waitSignal(document.changed):
        flow.read_load(key, path)
    assert document.project.serving[key].week.source == "week.csv"
    with qtbot.waitSignal(document.changed):
        flow.read_model(key, config)
    assert document.project.serving[key].model == ServedModel(
        "own", 7_000_000_000, 32, 8, 128, source="own.json"
    )
    qtbot.waitUntil(lambda: panel.table.isVisible() and not flow.is_busy)
    panel.keep.click()
    assert document.project.serving[key].gpu_model
    texts = [document.undo_stack.text(at) for at in range(document.undo_stack.count())]
    name = panel.endpoint.currentText()
    assert texts[:2] == [f"Read requests of {name}", f"Serve own from {name}"]
    assert texts[2].startswith(f"Size {name} on ")
    for _ in range(3):
        document.undo_stack.undo()
    assert document.project is before
    qtbot.waitUntil(lambda: not panel.table.isVisible())


def test_a_model_of_the_table_and_none(window: MainWindow, flow: InferenceFlow) -> None:
    panel, document = window.docks.inference, window.session.document
    window.docks.raise_panel("inference")
    panel.model_chosen.emit("", panel.choice.models[0])
    assert document.project.serving[""].model == panel.choice.models[0]
    panel.model_chosen.emit("", None)
    assert document.project.serving == {}


def test_what_cannot_be_read_is_said(
    qtbot: QtBot, window: MainWindow, flow: InferenceFlow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[Exception] = []
    monkeypatch.setattr(inference_flow, "show_error", lambda _, error: said.append(error))
    flow.read_load("", tmp_path / "gone.csv")
    qtbot.waitUntil(lambda: bool(said))
    assert "gone.csv" in str(said[0])
    window.docks.inference.row_chosen.emit("nobody", "H100", "BF16", 1)
    assert "no such workload" in str(said[1])
