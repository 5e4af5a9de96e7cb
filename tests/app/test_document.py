"""The document: undo is exact, a no-op leaves no step, and what is saved is known by the very object."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from gpuplanner.app.document import Document
from gpuplanner.domain import edits
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.cube import Workload, empty_cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from tests.some_of import examples

ROOT = Path(__file__).parents[2]
KEYS = ("a", "b", "c")


def loaded() -> Project:
    return Project(
        window=Window(0, 1),
        cube=empty_cube(1),
        workloads=tuple(Workload(key=key, name=key, cluster="", owner="") for key in KEYS),
    )


@pytest.fixture
def document(qtbot: QtBot) -> Document:
    return Document(loaded())


def move(document: Document, key: str, pool: Pool, gesture: str = "") -> None:
    after = edits.workloads.move_workloads(document.project, "Plan A", [key], pool)
    document.edit(edits.labels.move_label(document.project, [key], pool), after, gesture=gesture)


def test_undo_and_redo_bring_back_the_very_objects(document: Document) -> None:
    seen = [document.project]
    document.changed.connect(seen.append)
    move(document, "a", Pool.BURST)
    move(document, "b", Pool.TRAINING)
    assert document.undo_stack.undoText() == "Move b to training"
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.project is seen[0]
    assert document.undo_stack.redoText() == "Move a to burst"
    document.undo_stack.redo()
    assert document.project is seen[1]
    assert seen[3:] == [seen[1], seen[0], seen[1]]


def test_a_no_op_leaves_no_step_and_tells_nothing(document: Document) -> None:
    move(document, "a", Pool.BURST)
    told: list[Project] = []
    document.changed.connect(told.append)
    move(document, "a", Pool.BURST)
    assert document.undo_stack.count() == 1
    assert told == []


WALK = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(KEYS), st.sampled_from(list(Pool))), st.sampled_from(["undo", "redo"])
    ),
    max_size=30,
)


@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(walk=WALK)
def test_a_walk_of_edits_and_undos_ends_where_fresh_edits_lead(qtbot: QtBot, walk: list[object]) -> None:
    document = Document(loaded())
    done: list[tuple[str, Pool]] = []
    undone: list[tuple[str, Pool]] = []
    for step in walk:
        if step == "undo":
            document.undo_stack.undo()
            if done:
                undone.append(done.pop())
        elif step == "redo":
            document.undo_stack.redo()
            if undone:
                done.append(undone.pop())
        else:
            assert isinstance(step, tuple)
            if document.project.scenario("Plan A").pools.get(step[0]) is not step[1]:
                done, undone = [*done, step], []
            move(document, *step)
    fresh = loaded()
    for key, pool in done:
        fresh = edits.workloads.move_workloads(fresh, "Plan A", [key], pool)
    assert document.project.scenarios == fresh.scenarios
    assert document.is_modified is bool(done)


WITH_EAGER_COLLECTIONS = """
import gc
import random
from PySide6.QtCore import QCoreApplication
from gpuplanner.app.document import Document
from gpuplanner.domain import edits
from gpuplanner.domain.model.tables import Pool
from tests.app.test_document import loaded, move

application = QCoreApplication([])
gc.set_threshold(50, 3, 3)
chance = random.Random(1)
for number in range(1000):
    document = Document(loaded())
    if number % 2:
        document.circle = document
    for step in range(chance.randrange(30)):
        gesture = chance.choice((document.undo_stack.undo, document.undo_stack.redo, None))
        gesture() if gesture else move(document, chance.choice("abc"), chance.choice(list(Pool)))
gc.collect()
print("ended")
"""


@pytest.mark.long
def test_collections_of_garbage_leave_steps_to_their_stack() -> None:
    """A program of its own: the steps of documents that were garbage were freed twice, which ends a process."""
    ended = subprocess.run(
        [sys.executable, "-c", WITH_EAGER_COLLECTIONS],
        cwd=ROOT,
        env={**os.environ, "PYTHONMALLOC": "malloc", "MALLOC_PERTURB_": "165"},  # freed memory is overwritten
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, "ended\n"), ended.stderr


def test_a_drag_of_one_handle_is_one_step(document: Document) -> None:
    before = document.project
    for gpus in (1, 2, 3):
        title = edits.inputs.set_title(document.project, str(gpus))
        document.edit(edits.labels.level_label(12, gpus), title, gesture="12 months")
    assert document.undo_stack.count() == 1
    assert document.undo_stack.undoText() == str(edits.labels.level_label(12, 3))
    document.end_gesture()
    document.edit("again", edits.inputs.set_title(document.project, "4"), gesture="12 months")
    document.edit("other", edits.inputs.set_title(document.project, "5"), gesture="36 months")
    assert document.undo_stack.count() == 3
    for _ in range(3):
        document.undo_stack.undo()
    assert document.project is before


def test_a_handle_dragged_there_and_back_leaves_no_step(document: Document) -> None:
    before = document.project
    document.edit("there", replace(before, title="x"), gesture="slider")
    document.edit("back", before, gesture="slider")
    assert document.undo_stack.count() == 0
    assert document.project is before


def test_undoing_to_what_was_saved_is_unmodified(document: Document) -> None:
    path = Path("q3.gpuplan")
    move(document, "a", Pool.BURST)
    saved = document.project
    move(document, "b", Pool.BURST)
    document.mark_saved(saved, path)  # saving took a while; the planner went on
    assert document.is_modified
    document.undo_stack.undo()
    assert not document.is_modified
    assert (document.path, document.name) == (path, "q3")
    document.mark_saved(document.project, path)
    assert document.undo_stack.isClean()


def test_another_project_has_no_steps_of_the_last(document: Document) -> None:
    move(document, "a", Pool.BURST)
    document.load(loaded(), Path("other.gpuplan"))
    assert not document.undo_stack.canUndo()
    assert not document.is_modified
    document.load(loaded(), is_saved=False)
    assert document.is_modified
    assert (document.path, document.name) == (None, "Untitled")


def test_a_jump_is_exact_to_the_very_object_and_told_once(document: Document) -> None:
    states = [document.project]
    for number in range(40):
        move(document, KEYS[number % 3], tuple(Pool)[number // 3 % 3])
        if document.project is not states[-1]:
            states.append(document.project)
    told: list[Project] = []
    document.changed.connect(told.append)
    rng = np.random.default_rng(5)
    for index in rng.integers(0, len(states), 30).tolist():
        told.clear()
        before = document.project
        document.jump_to(index)
        assert document.project is states[index]
        assert document.undo_stack.index() == index
        assert told == ([] if states[index] is before else [states[index]])


class Reader:
    """Has read the number of a decision of Plan A."""

    def with_numbers(self, project: Project) -> Project:
        (plan,) = project.scenarios
        if plan.decision_numbers:
            return project
        return replace(project, scenarios=(replace(plan, decision_numbers={"contract:x": 1}),))


def test_numbers_that_were_read_are_kept_with_each_step_and_in_files(document: Document) -> None:
    opened = document.project
    reader = Reader()
    document.number_by(reader.with_numbers)
    move(document, "a", Pool.BURST)
    assert document.project.scenarios[0].decision_numbers == {"contract:x": 1}
    document.undo_stack.undo()
    assert document.project is opened and not document.is_modified
    (saved,) = document.project_to_save().scenarios
    assert saved.decision_numbers == {"contract:x": 1}, "a file has them, and nothing is modified"


def test_a_step_back_to_an_earlier_project_leads_to_that_very_one(document: Document) -> None:
    opened = document.project
    reader = Reader()
    document.number_by(reader.with_numbers)
    move(document, "a", Pool.BURST)
    document.edit(worded("Move a back"), opened)
    assert document.project is opened
