"""Golden files of the window: what it says of each project, in English and in the language that is none."""

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from string import ascii_letters

from PySide6.QtWidgets import QApplication

from gpuplanner.files.project.project_file import open_project
from tests.golden.projects import PROJECTS, saved
from tests.golden.window_walk import Walk, open_window
from tests.ui.pseudo import Pseudo

ROOT = Path(__file__).resolve().parents[2]
"""Where the tables lie that come with us; no path of a machine is kept."""
PSEUDO = "_pseudo"
_PARTS = re.compile("[A-Za-z]+|[\u27e6\u27e7]|[^A-Za-z\u27e6\u27e7]+")
_NARROW = {ord(letter) + 0xFEE0: letter for letter in ascii_letters}
OF_ALL = tuple(f"window_{project.name}" for project in PROJECTS)
SHEETS = ("window_sheets_demo", "window_sheets_endpoints", "window_sheets_endpoints_pseudo")
FOLDERS = (*OF_ALL, *(f"{folder}{PSEUDO}" for folder in OF_ALL), *SHEETS)
WITHOUT_ANSWERS = f"window_demo{PSEUDO}"
"""Thousands of answers, which are in English already; the small projects have theirs in both languages."""


def outputs(folder: str) -> Mapping[str, str]:
    """Texts by the name of the file in the folder; made anew at every call."""
    name = folder.removeprefix("window_").removeprefix("sheets_").removesuffix(PSEUDO)
    project = next(one for one in PROJECTS if one.name == name)
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    with tempfile.TemporaryDirectory(prefix="golden-") as place:
        path = saved(project, Path(place) / name)
        with (
            language(application, is_pseudo=folder.endswith(PSEUDO)),
            open_window(open_project(path), path, Path(place)) as window,
        ):
            walk = Walk(window, with_answers=folder != WITHOUT_ANSWERS)
            parts = walk.sheets() if folder in SHEETS else walk.all()
    keep = narrow if folder.endswith(PSEUDO) else str
    texts = {f"{part}.txt": "\n".join(lines).replace(f"{ROOT}/", "") for part, lines in parts.items()}
    return {file: keep(text) for file, text in texts.items()}


def narrow(text: str) -> str:
    """Wide letters as plain ones, and plain letters within a translated text between \u2039\u203a: names and figures.

    >>> narrow(pseudo("Move {name}").format(name="x-1") + " y")
    '\u27e6Move \u2039x\u203a-1\u27e7 y'
    """
    parts, depth = [], 0
    for part in _PARTS.findall(text):
        depth += (part == "\u27e6") - (part == "\u27e7")
        is_name = depth and part[0].isascii() and part[0].isalpha()
        parts.append(f"\u2039{part}\u203a" if is_name else part.translate(_NARROW))
    return "".join(parts)


@contextmanager
def language(application: QApplication, *, is_pseudo: bool) -> Iterator[None]:
    """English, or the language of the tests."""
    if not is_pseudo:
        yield
        return
    translator = Pseudo()
    application.installTranslator(translator)
    try:
        yield
    finally:
        application.removeTranslator(translator)
