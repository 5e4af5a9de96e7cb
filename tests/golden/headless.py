"""Golden files of the command line: for each project the answers of all commands, the workbook, FOCUS rows, the brief.

A call is worked out once: its JSON document, its text and its words in the pseudo-language are of the same answer.
"""

import io
import tempfile
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from gpuplanner.cli import inputs
from gpuplanner.cli import run as command_line
from gpuplanner.cli.terminal import Answer
from gpuplanner.domain import evaluation
from tests.golden.book_text import book_text
from tests.golden.deck_text import deck_text
from tests.golden.projects import DEMO_IN_LONG, NOW_S, PROJECTS, GoldenProject, within
from tests.golden.pseudo_words import pseudo_words
from tests.golden.store import json_text
from tests.read_once import EVALUATED_ONCE, MONTHS_ONCE, OpenedOnce, ReadOnce

ALL: Final = {project.name: project for project in (*PROJECTS, DEMO_IN_LONG)}
FOLDERS: Final = tuple(ALL)
WORKBOOKS: Final = ("plan.xlsx", "demo.xlsx")
"""The demo's is written with it."""
FOCUS, BRIEF = "focus.csv", "brief.pptx"
REFERS_TO: Final = {"plan": "audit", "export": "plan", "save": "plan"}
"""Documents that hold those of another command: what is the same in both is kept once."""


@dataclass(frozen=True, slots=True)
class Called:
    """What one call left: exit status, the document (None where the call ended on an error), both outputs as text."""

    status: int
    document: Any
    out: str
    err: str


def called(argv: tuple[str, ...]) -> Called:
    """Call `gpuplanner ARGV` in this process, in the folder where we are, and keep the answer that it printed."""
    out, err = io.StringIO(), io.StringIO()
    answers: list[Answer] = []
    command = command_line.command_called(argv[0])

    def kept(words: Namespace, now_s: int) -> Answer:
        answers.append(command(words, now_s))
        return answers[0]

    with (
        patch.object(command_line, "command_called", lambda _: kept),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        status = command_line.run(argv, NOW_S)
    document = answers[0].document if answers else None
    return Called(status, document, out.getvalue(), err.getvalue())


def outputs(folder: str) -> Mapping[str, str]:
    """All files of one project, worked out in a folder of its own, which is in none; its inputs are read once."""
    project = ALL[folder]
    with (
        tempfile.TemporaryDirectory(prefix="golden-") as place,
        within(Path(place)),
        patch.object(inputs, "read_inputs", ReadOnce(Path(place) / ".rows")),
        patch.object(inputs, "open_project", OpenedOnce()),
        patch.object(inputs, "months_of_log", MONTHS_ONCE),
        patch.multiple(evaluation, **EVALUATED_ONCE),
    ):
        project.write(Path(place))
        return {name: text.replace(f"{place}/", "") for name, text in _outputs(project)}


def _outputs(project: GoldenProject) -> Iterator[tuple[str, str]]:
    documents: dict[str, Any] = {}
    words: list[object] = []
    for name, argv in project.calls:
        said = called(argv)
        yield f"{name}.txt", _terminal_text(argv, said)
        if said.document is None:
            continue
        documents[name] = said.document
        words.append(said.document)
        other = REFERS_TO.get(name)
        if other is None or other in documents:  # else it is kept with the project that calls the other
            yield f"{name}.json", json_text(_against(said.document, documents, other))
    for book in filter(Path.exists, map(Path, WORKBOOKS if project is not DEMO_IN_LONG else ())):
        yield "workbook.txt", book_text(book)
    if Path(FOCUS).exists():
        yield "focus.csv", Path(FOCUS).read_text(encoding="utf-8-sig")
    if Path(BRIEF).exists():
        yield "brief.txt", deck_text(Path(BRIEF))
    yield "pseudo.txt", pseudo_words(words)


def _terminal_text(argv: tuple[str, ...], said: Called) -> str:
    lines = ["$ gpuplanner " + " ".join(argv), said.out.rstrip("\n")]
    if said.err:
        lines += ["--- standard error", said.err.rstrip("\n")]
    return "\n".join([*lines, f"--- status {said.status}"])


def _against(document: Any, documents: Mapping[str, Any], other: str | None) -> Any:
    """A document in which a field that another has with the same value only says so."""
    before = documents.get(other or "", {})
    return {
        name: f"= {other}"
        if isinstance(value, dict | list) and len(str(value)) > 99 and before.get(name) == value
        else value
        for name, value in document.items()
    }
