"""Golden tables of the tests' rooms: a file for each subject; in it a heading for each case, its lines indented below.

A room with tables has a module `golden_tables.py` whose `TABLES` has a `Table` by file name. It is found by its name:
the folder of `tests/domain/evidence/golden_tables.py` is `tables_evidence`, that of `tests/files/workbook` is
`tables_files_workbook`. The room's tests take `table_cases` as parameters and call `check_case` for each.
"""

import difflib
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent, indent
from typing import Final

from tests.golden import store

MODULE: Final = "golden_tables.py"
PREFIX: Final = "tables"
LINES_SHOWN: Final = 30
_TESTS: Final = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """How the cases of one golden file are made."""

    text_of: Callable[[str], str]
    """Makes the lines of a case, from its heading."""
    cases: Sequence[str] = ()
    """Headings in their order. Empty: the golden file has them, and a new case is a heading that is written there."""


# --- Rooms ---------------------------------------------------------------------------------------


def _modules() -> dict[str, str]:
    """Return the modules that have tables, by folder."""
    modules = {}
    for path in sorted(_TESTS.rglob(MODULE)):
        room = path.relative_to(_TESTS).parent.parts
        folder = "_".join((PREFIX, *room[room[0] == "domain" :]))
        modules[folder] = ".".join(("tests", *room, path.stem))
    return modules


_MODULES: Final = _modules()
FOLDERS: Final = tuple(_MODULES)


def tables_of(folder: str) -> Mapping[str, Table]:
    """Return the tables of a folder, by file name."""
    tables: Mapping[str, Table] = importlib.import_module(_MODULES[folder]).TABLES
    return tables


# --- Files ---------------------------------------------------------------------------------------


def outputs(folder: str) -> Mapping[str, str]:
    """Return the text of each file of a folder, made anew."""
    texts = {}
    for file, table in tables_of(folder).items():
        cases = table.cases or [*blocks(accepted_text(folder, file))]
        made = {case: _made_case(folder, file, case) for case in cases}
        texts[file] = "\n\n".join(f"{case}\n{indent(text, '  ')}" for case, text in made.items())
    return texts


def accepted_text(folder: str, file: str) -> str:
    """Return what was accepted of a file; "" where nothing was yet."""
    path = store.FILES / folder / file
    return path.read_text(encoding="utf-8") if path.exists() else ""


def blocks(text: str) -> dict[str, str]:
    """Return the indented lines under each heading of a text.

    Raises ValueError for a heading that occurs twice.
    """
    lines_by_case: dict[str, list[str]] = {}
    case = ""
    for line in text.splitlines():
        if not line or line.startswith(" "):
            lines_by_case.setdefault(case, []).append(line)
            continue
        case = line
        if case in lines_by_case:
            raise ValueError(f"two cases are called {case!r}")
        lines_by_case[case] = []
    return {case: dedent("\n".join(lines)).rstrip("\n") for case, lines in lines_by_case.items()}


# --- Cases ---------------------------------------------------------------------------------------


def table_cases(folder: str) -> list[tuple[str, str]]:
    """Return file and case of all tables of a folder, as parameters of a test that calls `check_case`."""
    return [
        (file, case)
        for file, table in tables_of(folder).items()
        for case in table.cases or accepted_cases(folder, file)
    ]


def check_case(folder: str, file: str, case: str) -> None:
    """Fail with the lines in which a case differs from what was accepted.

    Raises AssertionError with the file, the case and how to accept it.
    """
    accepted = accepted_cases(folder, file).get(case, "").splitlines()
    now = _made_case(folder, file, case).splitlines()
    if accepted == now:
        return
    lines = list(difflib.unified_diff(accepted, now, "accepted", "now", "", "", 1, ""))
    if len(lines) > LINES_SHOWN:
        lines[LINES_SHOWN:] = [f"... {len(lines) - LINES_SHOWN} more lines"]
    accept = "Where this is meant: " + store.ACCEPT.format(only=f"{folder}/{file}")
    raise AssertionError("\n".join([f"{folder}/{file} differs in {case}", *lines, accept]))


@cache
def accepted_cases(folder: str, file: str) -> dict[str, str]:
    """Return the lines of each case as accepted; read once."""
    return blocks(accepted_text(folder, file))


def _made_case(folder: str, file: str, case: str) -> str:
    """Return the lines of a case as they are kept. An error names the case."""
    try:
        text = tables_of(folder)[file].text_of(case)
    except Exception as error:
        error.add_note(f"in {folder}/{file}, case {case}")
        raise
    return store.plain(text).rstrip("\n")
