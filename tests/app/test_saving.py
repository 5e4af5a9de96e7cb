"""Saving and opening: in order, and the document is marked saved with what the file holds."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.document import Document
from gpuplanner.app.saving import Saver
from gpuplanner.domain import edits
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.files.project.project_file import open_project, save_project


def titled(title: str) -> Project:
    return Project(window=Window(0, 1), cube=empty_cube(1), title=title)


def retitle(document: Document, title: str) -> None:
    document.edit("Title", edits.inputs.set_title(document.project, title))


@pytest.fixture
def document(qtbot: QtBot) -> Document:
    return Document(titled("start"))


@pytest.fixture
def saver(document: Document) -> Iterator[Saver]:
    saver = Saver(document)
    yield saver
    saver.close()


def test_edits_made_while_saving_stay_unsaved(
    document: Document, saver: Saver, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.gpuplan"
    retitle(document, "one")
    with qtbot.waitSignal(saver.saved):
        saver.save(path)
        retitle(document, "two")
    assert open_project(path).title == "one"
    assert document.path == path
    assert document.is_modified
    with qtbot.waitSignal(saver.saved):
        saver.save()
    assert open_project(path).title == "two"
    assert not document.is_modified


def test_everything_asked_for_is_done_in_order(
    document: Document, saver: Saver, qtbot: QtBot, tmp_path: Path
) -> None:
    save_project(titled("other"), tmp_path / "other.gpuplan")
    done: list[Path] = []
    saver.saved.connect(done.append)
    saver.opened.connect(done.append)
    for number in range(3):
        retitle(document, str(number))
        saver.save(tmp_path / f"{number}.gpuplan")
    saver.open(tmp_path / "other.gpuplan")
    qtbot.waitUntil(lambda: not saver.is_busy)
    assert [path.stem for path in done] == ["0", "1", "2", "other"]
    assert [open_project(path).title for path in done] == ["0", "1", "2", "other"]
    assert (document.project.title, document.path) == ("other", tmp_path / "other.gpuplan")


def test_closing_waits_for_every_save(document: Document, saver: Saver, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.gpuplan" for number in range(3)]
    for path in paths:
        saver.save(path)
    saver.close()
    assert [open_project(path).title for path in paths] == ["start"] * 3


def test_a_failure_is_told_and_leaves_the_document_as_it_was(
    document: Document, saver: Saver, qtbot: QtBot, tmp_path: Path
) -> None:
    retitle(document, "unsaved")
    for ask in (
        lambda: saver.save(tmp_path / "no" / "a.gpuplan"),
        lambda: saver.open(tmp_path / "none.gpuplan"),
    ):
        with qtbot.waitSignal(saver.failed) as failure:
            ask()
        assert isinstance(failure.args[0], PlannerError)
    assert (document.project.title, document.path, document.is_modified) == ("unsaved", None, True)


def test_an_untitled_document_needs_a_path(saver: Saver) -> None:
    with pytest.raises(ValueError, match="give a path"):
        saver.save()


def test_a_save_that_ends_after_another_project_was_loaded_does_not_claim_it(
    document: Document, saver: Saver, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "old.gpuplan"
    with qtbot.waitSignal(saver.saved):
        saver.save(path)
        document.load(titled("new"))
    assert open_project(path).title == "start"
    assert (document.project.title, document.path, document.is_modified) == ("new", None, False)


def test_a_file_is_not_opened_over_edits_made_while_it_was_read(
    document: Document, saver: Saver, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "other.gpuplan"
    save_project(titled("other"), path)
    with qtbot.waitSignal(saver.failed) as failure:
        saver.open(path)
        retitle(document, "edited")
    assert (failure.args[0].code, failure.args[0].where) == ("usage", str(path))
    assert (document.project.title, document.is_modified) == ("edited", True)
    with qtbot.waitSignal(saver.opened):
        saver.open(path)
    assert document.project.title == "other"
