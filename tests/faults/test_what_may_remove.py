"""What may remove, replace or write a file: a table of places, held against every call in the package."""

import ast
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "gpuplanner"

REMOVES = frozenset(
    {"unlink", "rmtree", "rmdir", "removedirs", "removeRecursively", "moveToTrash", "renames", "truncate"}
)  # by name alone, whatever they are of
_OF_QT = {"remove", "rename"}
REMOVES_OF = MappingProxyType(
    {"os": {"remove", "rename", "replace"}, "shutil": {"move"}, "QFile": _OF_QT, "QDir": _OF_QT}
)

MAY_REMOVE = MappingProxyType(
    {
        "files/system/own_folder.py": "folders of our own, files in them",
        "files/system/output_file.py": "a file of ours, put in place of an output, or taken back where the disk fails",
        "files/project/project_backups.py": "the oldest of our own backups",
        "files/project/session_marks.py": "this session's mark beside an open project, and those of dead processes",
        "app/autosave.py": "the journal of unsaved work, once it is saved or discarded",
    }
)

WRITES = frozenset(
    {"write_text", "write_bytes", "copyfile", "copy", "copy2", "copytree", "mkstemp", "mkdtemp"}
)
MAY_WRITE = MappingProxyType(
    {
        "files/system/own_folder.py": "makes folders of our own",
        "files/importing/spark/spark_part.py": "the part of a log that one worker reads, into a folder of its own",
        "files/sources/raw_table.py": "into the engine's folder",
        "files/job_logs/judging/dialect.py": "into the preview's folder",
        "files/importing/log_sample.py": "into the preview's folder",
        "files/importing/best_reading.py": "into a folder of our own, the first rows of a log",
        "files/importing/spark/spark_log.py": "into a folder of our own, the first rows of a log that a cluster reads",
        "files/sources/unpack.py": "into a folder of our own, under a new name",
        "files/system/output_file.py": "the one writer of outputs, into a folder of our own until they are whole",
        "files/project/project_backups.py": "a copy as backup, where the file system has no links",
        "files/project/session_marks.py": "the mark of this session beside an open project",
        "cli/run.py": "to nowhere, where the reader of our output has left",
        "cli/self_test.py": "into a folder of its own",
    }
)

BY_OTHERS = MappingProxyType(
    {
        "files/project/project_file.py": "SQLite: into a file that output_file handed out, and the journal",
        "files/sources/raw_table.py": "the engine: into its own folder",
        "files/job_logs/reduce/job_rows.py": "the engine: into a folder of our own, then put in place by output_file",
        "files/importing/log_sample.py": "the engine: into the preview's folder",
        "files/workbook/write.py": "XlsxWriter: into a file that output_file handed out",
        "files/export/document_tables.py": "pandas: into memory",
        "files/request/request_file.py": "XlsxWriter: into memory",
        "files/brief/docx.py": "python-docx: into memory",
        "files/brief/pptx.py": "python-pptx: into a file that output_file handed out",
        "charts/kit/chart_export.py": "Qt: into memory",
        "charts/page_painter/brief_pdf.py": "Qt: into memory",
        "app/autosave.py": "Qt: the lock beside the journal of unsaved work",
        "app/settings.py": "Qt: this user's settings, which it replaces whole itself",
        "ui/window/application.py": "Qt: settings of nobody, for a picture, in a folder of our own",
    }
)
"""Libraries that write files themselves, and where to."""


def calls(path: Path) -> Iterator[ast.Call]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    yield from (node for node in nodes if isinstance(node, ast.Call))


def named(call: ast.Call) -> tuple[str, str]:
    """Of what a function is called, where that is a plain name, and how it is called."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return (function.value.id if isinstance(function.value, ast.Name) else ""), function.attr
    return "", function.id if isinstance(function, ast.Name) else ""


def removes(call: ast.Call) -> bool:
    of, name = named(call)
    is_moved = name in ("replace", "rename") and len(call.args) == 1 and not call.keywords and of != "os"
    is_path = any(word in of for word in ("path", "file", "beside", "part", "target"))
    return name in REMOVES or name in REMOVES_OF.get(of, ()) or (is_moved and is_path)


def writes(call: ast.Call) -> bool:
    of, name = named(call)
    if name in WRITES:
        if name.startswith("write_"):
            return isinstance(call.func, ast.Attribute)
        return of in ("shutil", "tempfile") or (of == "" and name != "copy")
    if name != "open" or of == "os":
        return of == "os" and "O_CREAT" in ast.unparse(call)
    modes = [one.value for one in (*call.args, *(word.value for word in call.keywords if word.arg == "mode"))
             if isinstance(one, ast.Constant) and isinstance(one.value, str)]  # fmt: skip
    return any(set(mode) <= set("rwxabt+") and set(mode) & set("wxa+") for mode in modes)


LIBRARIES = frozenset(
    {"QFile", "QSaveFile", "QTemporaryFile", "QPdfWriter", "QSvgGenerator", "QImageWriter", "QLockFile", "QSettings",
     "to_csv", "to_parquet", "to_excel", "savefig", "ZipFile", "Workbook"}
)  # fmt: skip


def writes_through_a_library(call: ast.Call) -> bool:
    of, name = named(call)
    constants = [one.value for one in ast.walk(call) if isinstance(one, ast.Constant)]
    words = [word for word in constants if isinstance(word, str)]
    if name == "ZipFile":
        return any(set(word) <= set("wxa") and word for word in words)
    is_save = name == "save" and bool(call.args) and "saver" not in ast.unparse(call.func)
    is_copy = any(word.lower().lstrip().startswith("copy (") for word in words)
    return name in LIBRARIES or is_save or is_copy or (of, name) == ("sqlite3", "connect")


Found = Callable[[ast.Call], bool]
TABLES = ((removes, MAY_REMOVE), (writes, MAY_WRITE), (writes_through_a_library, BY_OTHERS))


@cache
def places() -> dict[Found, dict[str, list[int]]]:
    """Lines of each module by what finds them; the package is read once for all of it."""
    found: dict[Found, dict[str, list[int]]] = {found_by: {} for found_by, *_ in TABLES}
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.relative_to(PACKAGE).as_posix()
        for call in calls(path):
            for found_by, lines in found.items():
                if found_by(call):
                    lines.setdefault(module, []).append(call.lineno)
    return found


@pytest.mark.long
@pytest.mark.parametrize(("found_by", "may"), TABLES, ids=["remove", "write", "by others"])
def test_only_the_places_of_the_table_do(found_by: Found, may: Mapping[str, str]) -> None:
    found = places()[found_by]
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
