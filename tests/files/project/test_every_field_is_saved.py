"""Saved is saved: whichever one field of a project is changed after a save, the next save and the journal have it."""

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.domain.edits.plans import with_sound_questions
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import Scenario, WholeDecisions, WholeDollars, WholeMinimum
from gpuplanner.domain.model.project import Project
from gpuplanner.files.project import plans_json, project_parts
from gpuplanner.files.project.project_file import (
    differing_fields,
    is_same,
    open_project,
    save_project,
    write_parts,
)
from gpuplanner.files.project.project_parts import PartCache, parts_of, project_from
from gpuplanner.files.project.value_tables import Form, forms_of
from tests.files.every_field import full, project_changes, types_in, types_within
from tests.files.project.test_project_file import assert_same
from tests.some_of import stride

BASE = full()
CHANGES = [
    one
    for one in project_changes(BASE)
    if not one.path.endswith((".sent_gb", ".paid_shares", ".bound_until_s", ".whole_decisions"))
]  # what follows from an assumption or a plan
OWN_FIELDS = tuple(
    change
    for change in CHANGES
    if re.fullmatch(r"\.\w+", change.path) or re.fullmatch(r"\.scenarios\[1\]\.\w+", change.path)
)


def test_the_sample_has_something_of_every_kind() -> None:
    assert types_in(BASE) >= types_within(Project, set()) - {WholeDecisions, WholeDollars, WholeMinimum}
    named = {change.path.rpartition(".")[2] for change in OWN_FIELDS}
    single = {
        "window",
        "jobs",
        "cube",
        "assumptions",
        "places",
    }  # no leaf of their own: their fields are changed
    assert named | single | {"whole_decisions"} >= {
        each.name for kind in (Project, Scenario) for each in fields(kind)
    }


def stored_change(cache: PartCache, candidates: tuple[Any, ...]) -> tuple[Project, Project] | None:
    """The first change that can be, and what is read of it after the base was saved with the same cache."""
    for changed in candidates:
        parts_of(BASE, cache)
        parts = {part.name: part for part in parts_of(changed, cache)}
        try:
            return changed, project_from(parts, "here", PartCache())
        except PlannerError:
            continue  # not a project that could be
    return None


@pytest.mark.long
def test_a_change_of_any_one_field_is_in_what_is_stored() -> None:
    """Of rows of one table the first whose field can be changed is for every change, the others for the long run."""
    cache, tried, is_each = PartCache(), set[str](), stride(2) == 1
    for path, candidates in CHANGES:
        if anywhere(path) in tried and not is_each:
            continue
        found = stored_change(cache, candidates)
        if found is not None:
            changed, read = found
            assert differing_fields(BASE, read), f"{path} is as before"
            assert_same(read, changed)
            tried.add(anywhere(path))
    assert {anywhere(change.path) for change in CHANGES} - tried == set()


def anywhere(path: str) -> str:
    """A path whose places in tuples and keys in mappings do not matter."""
    return re.sub(r"\[[^]]*\]", "[]", path)


@pytest.mark.parametrize("change", OWN_FIELDS, ids=lambda change: change.path)
def test_the_second_save_and_the_journal_have_any_field_of_a_project_or_plan(
    tmp_path: Path, change: Any
) -> None:
    found = stored_change(PartCache(), change.candidates)
    assert found is not None
    changed, _ = found
    file, journal, of_file, of_journal = (
        *(tmp_path / "a.gpuplan", tmp_path / "a.recovery"),
        *(PartCache(), PartCache()),
    )
    for project in (BASE, changed):
        save_project(project, file, keep_backups=0, cache=of_file)
        write_parts(journal, parts_of(project, of_journal))
    opened = with_sound_questions(changed)  # a question of a plan that is not there is a plan
    assert_same(open_project(file), opened)
    assert_same(open_project(journal), opened)


# ---------------------------------------------------------------- and where it were not so


def test_a_part_that_leaves_a_field_out_is_found_out_while_saving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cache = tmp_path / "a.gpuplan", PartCache()
    save_project(BASE, path, cache=cache)
    some = tuple(name for name in project_parts.FIELDS_OF_PART["plans"] if name != "notes")
    with monkeypatch.context() as patch:
        patch.setitem(project_parts.FIELDS_OF_PART, "plans", some)  # type: ignore[arg-type]
        kept = PartCache()
        parts_of(BASE, kept)
        with pytest.raises(PlannerError, match="notes"):
            save_project(replace(BASE, notes={"a": "new"}), path, cache=kept)
    assert_same(open_project(path), BASE)


def test_a_cube_that_does_not_come_back_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def loses_one(cube: Any) -> Any:
        less = cube.milli_gpu_seconds.copy()
        less[0] += 1
        return pack(replace(cube, milli_gpu_seconds=less))

    pack = project_parts.cube_to_bytes
    monkeypatch.setattr(project_parts, "cube_to_bytes", loses_one)
    with pytest.raises(PlannerError, match="cube"):
        save_project(BASE, tmp_path / "a.gpuplan")
    assert not list(tmp_path.iterdir())


def test_a_cube_that_was_read_once_is_not_unpacked_at_each_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = PartCache()
    save_project(BASE, tmp_path / "a.gpuplan", cache=cache)
    monkeypatch.setattr(project_parts, "cube_from_bytes", lambda *_: pytest.fail("unpacked again"))
    save_project(replace(BASE, title="new"), tmp_path / "a.gpuplan", cache=cache)
    monkeypatch.undo()
    assert_same(open_project(tmp_path / "a.gpuplan"), replace(BASE, title="new"))


def test_a_field_that_nobody_says_how_to_save_stops_the_program_at_its_start() -> None:
    forms = dict(plans_json.PROJECT_FORMS)
    del forms["notes"]
    with pytest.raises(TypeError, match=r"Project: notes"):
        forms_of(Project, forms, without=plans_json.PARTS_OF_THEIR_OWN)
    with pytest.raises(TypeError, match="colour"):
        forms_of(
            Project, {**plans_json.PROJECT_FORMS, "colour": Form(str, str)}, plans_json.PARTS_OF_THEIR_OWN
        )


def test_the_same_is_the_same_whatever_holds_it() -> None:
    nan = float("nan")
    assert is_same((1, [2.0, nan], {"a": None}), [1, (2, nan), {"a": None}])
    assert is_same(full(), full())
    assert not is_same({"a": 1}, {"b": 1})
    assert not is_same((1,), (1, 2))
    assert not is_same(BASE.cube, replace(BASE.cube, hour=BASE.cube.hour + 1))
    assert not is_same(BASE.window, None)
