"""What may remove, replace or write a file: a table of places, held against every call in the package."""

import ast
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "gpuplanner"

REMOVES = frozenset(
    {
        "unlink",
        "rmtree",
        "rmdir",
        "removedirs",
        "removeRecursively",
        "moveToTrash",
        "renames",
        "truncate",
    }
)  # by name alone, whatever they are of
REMOVES_OF = MappingProxyType(
    {
        "os": {"remove", "rename", "replace"},
        "shutil": {"move"},
        "QFile": {"remove", "rename"},
        "QDir": {"remove", "rename"},
    }
)

MAY_REMOVE = MappingProxyType(
    {
        "files/own_folder.py": "folders of our own, files in them",
        "files/whole_file.py": "a temporary file of ours beside an output, put in its place",
        "files/project_file.py": "the same of a project, and the oldest of our own backups",
        "files/pseudonyms.py": "the new key beside its place, made there by this very call",
        "files/job_logs/job_rows.py": "job rows out of a folder of our own, to where they are kept under their hash",
        "app/rows_on_trial.py": "the same for the rows of an import that was taken in",
        "app/autosave.py": "the journal of unsaved work, once it is saved or discarded",
    }
)

WRITES = frozenset(
    {"write_text", "write_bytes", "copyfile", "copy", "copy2", "copytree", "mkstemp", "mkdtemp"}
)
MAY_WRITE = MappingProxyType(
    {
        "files/own_folder.py": "makes folders of our own",
        "files/job_logs/raw_table.py": "into the engine's folder",
        "files/job_logs/json_records.py": "into the preview's folder",
        "files/log_sample.py": "into the preview's folder",
        "files/unpack.py": "into a folder of our own, under a new name",
        "files/cube_file.py": "beside an output, by whole_file",
        "files/focus_rows.py": "beside an output, by whole_file",
        "files/demo.py": "beside an output, by whole_file",
        "files/workbook/write.py": "beside an output, by whole_file",
        "files/whole_file.py": "beside an output",
        "files/project_file.py": "beside a project, its backup",
        "files/pseudonyms.py": "the new key",
        "cli/run.py": "to nowhere, where the reader of our output has left",
        "cli/self_test.py": "into a folder of its own",
        "charts/brief_pdf.py": "beside an output",
        "ui/chart_menu.py": "beside an output, by whole_file",
        "ui/import_dialog.py": "rejected rows, where the planner said",
    }
)


def calls(path: Path) -> Iterator[ast.Call]:
    yield from (
        node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)
    )


def named(call: ast.Call) -> tuple[str, str]:
    """Of what a function is called, where that is a plain name, and how it is called."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return (function.value.id if isinstance(function.value, ast.Name) else ""), function.attr
    return "", function.id if isinstance(function, ast.Name) else ""


def removes(call: ast.Call) -> bool:
    of, name = named(call)
    is_path_moved = (
        name in ("replace", "rename") and len(call.args) == 1 and not call.keywords and of not in ("", "os")
    )
    looks_like_path = is_path_moved and any(
        word in of for word in ("path", "file", "beside", "part", "target")
    )
    return name in REMOVES or name in REMOVES_OF.get(of, ()) or looks_like_path


def writes(call: ast.Call) -> bool:
    of, name = named(call)
    if name in WRITES:
        return of in ("shutil", "tempfile") or name.startswith("write_") or (of == "" and name != "copy")
    if name != "open" or of == "os":
        return of == "os" and "O_CREAT" in ast.unparse(call)
    modes = [one.value for one in (*call.args, *(word.value for word in call.keywords if word.arg == "mode"))
             if isinstance(one, ast.Constant) and isinstance(one.value, str)]  # fmt: skip
    return any(set(mode) <= set("rwxabt+") and set(mode) & set("wxa+") for mode in modes)


def places_of(found_by: Callable[[ast.Call], bool]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        lines = [call.lineno for call in calls(path) if found_by(call)]
        if lines:
            found[path.relative_to(PACKAGE).as_posix()] = lines
    return found


@pytest.mark.parametrize(
    ("found_by", "may"), [(removes, MAY_REMOVE), (writes, MAY_WRITE)], ids=["remove", "write"]
)
def test_only_the_places_of_the_table_do(
    found_by: Callable[[ast.Call], bool], may: Mapping[str, str]
) -> None:
    found = places_of(found_by)
    assert {place: lines for place, lines in found.items() if place not in may} == {}
    assert not set(may) - set(found), "these do no longer"


@pytest.mark.parametrize(
    "text",
    ["at.unlink()", "os.remove(at)", "os.replace(a, b)", "shutil.rmtree(at)", "part.at.unlink(missing_ok=True)",
     "os.truncate(at, 0)", "shutil.move(a, b)", "QFile.remove(at)", "path.rename(other)", "beside.replace(other)"],
)  # fmt: skip
def test_whatever_removes_is_seen(text: str) -> None:
    (call,) = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    assert removes(call)


@pytest.mark.parametrize(
    "text",
    ['at.open("wb")', 'open(at, "a")', 'open(at, mode="r+")', "at.write_bytes(b)", "shutil.copyfile(a, b)",
     "os.open(at, os.O_CREAT | os.O_RDWR)", 'at.open("xb")', "tempfile.mkdtemp()"],
)  # fmt: skip
def test_whatever_writes_is_seen(text: str) -> None:
    assert any(writes(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
