"""One call of the command line: parse, run one command, turn every error into one line and an exit status."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gpuplanner.cli.arguments import USAGE_EXIT, UsageError, build_parser
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system import memory, terminal_output, termination, user_files
from gpuplanner.files.system.own_folder import sweep_at_start

if TYPE_CHECKING:
    from gpuplanner.cli.documents.head import Document
    from gpuplanner.cli.terminal import Answer

UNREADABLE_EXIT: Final = 3
MISSING_PART_EXIT: Final = 4
INTERRUPTED_EXIT: Final = 130
WRITTEN_SHOWN: Final = 10
"""Files of tables that are named."""
EXIT_BY_CODE: Final = {"missing_part": MISSING_PART_EXIT}


def run(argv: Sequence[str], now_s: int) -> int:
    """The exit status of `gpuplanner ARGV`; now_s is the time of the call in epoch seconds UTC.

    argv: without the program's name. Statuses: 0, 1 nothing to do, 2 usage, 3 unreadable, 4 a part is
    missing, 130 interrupted. What is no error of ours is raised.
    """
    try:
        words = build_parser().parse_args(argv)
        from gpuplanner.cli import terminal

        names = terminal.check_names(words)
        if "list" in names:
            terminal_output.say(terminal.list_text(words.command), sys.stdout)
            return 0
        if "help" in getattr(words, "set", ()):
            from gpuplanner.domain.model.assumptions import ASSUMPTIONS

            terminal_output.say(
                "\n".join(terminal.wrapped(", ".join(spec.name for spec in ASSUMPTIONS))), sys.stdout
            )
            return 0
        command = command_called(words.command)  # after the parser, which answers --help at once
        if termination.is_end_asked():
            raise KeyboardInterrupt
        sweep_at_start(user_files.data_folder() / user_files.ROWS)
        as_json, as_tables = words.json or words.command == "schema", bool(words.csv or words.parquet)
        words.json = as_json or as_tables  # what tables hold is in US dollars, as the document is
        answer = command(words, now_s)
        written = written_tables(json.loads(json_text(answer)), words) if as_tables else ""
        for line in answer.error_lines:
            if not isinstance(line, terminal.Note) or (as_json and isinstance(line, terminal.Aside)):
                terminal_output.say(terminal_output.error_line(line), sys.stderr)
        _show(answer, as_json, lambda: terminal.terminal_text(answer, words, names), written)
        return answer.exit_status
    except KeyboardInterrupt:
        return _fail("gpuplanner: interrupted; no file was left half written", INTERRUPTED_EXIT)
    except Exception as error:
        told = told_fault(error)
        if told is None:
            raise
        return _fail(*told)


def told_fault(error: Exception) -> tuple[str, int] | None:
    """The line that a call says of an error, and its exit status; None where it is no error of ours."""
    if isinstance(error, UsageError):
        return f"gpuplanner: usage: {error}", USAGE_EXIT
    if isinstance(error, PlannerError):
        if error.code == "usage":
            return f"gpuplanner: usage: {error.where}: {error.what}; {error.remedy}", USAGE_EXIT
        return str(error), EXIT_BY_CODE.get(error.code, UNREADABLE_EXIT)
    if memory.is_want_of_memory(error):
        return str(memory.want_of_memory()), UNREADABLE_EXIT
    if isinstance(error, OSError):
        where, why = error.filename or "gpuplanner", error.strerror or str(error)
        remedy = "check the path, your rights and the room on the disk"
        return f"{where}: file_unreadable: {why.lower()}; {remedy}", UNREADABLE_EXIT
    return None


def written_tables(document: "Document", words: argparse.Namespace) -> str:
    """Write a document's tables into the folders of the call; which files, a line each. Errors: PlannerError."""
    from gpuplanner.cli.answer import given_files
    from gpuplanner.files.export.document_tables import write_tables

    given = given_files(words)
    paths = [
        path
        for folder, suffix in ((words.csv, ".csv"), (words.parquet, ".parquet"))
        if folder
        for path in write_tables(document, Path(folder), suffix, given)
    ]
    lines = [terminal_output.one_line(f"Wrote {path}") for path in paths]
    more = [f"and {len(lines) - WRITTEN_SHOWN:,} more tables"] if len(lines) > WRITTEN_SHOWN else []
    return "\n".join((*lines[:WRITTEN_SHOWN], *more))


def command_called(name: str) -> "Callable[[argparse.Namespace, int], Answer]":
    """The function of a command. Only the one that reads and does nothing else can do without the whole domain."""
    if name == "check":
        from gpuplanner.cli.check import check

        return check
    from gpuplanner.cli.commands import RUN_BY_NAME

    return RUN_BY_NAME[name]


def _fail(line: str, status: int) -> int:
    """One line on standard error, as far as that takes it; returns the status."""
    with suppress(OSError):
        terminal_output.say(terminal_output.error_line(line), sys.stderr)
    return status


def _show(answer: "Answer", as_json: bool, text_of: Callable[[], str], written: str) -> None:
    """One JSON document, or text as far as the terminal has its characters, on standard output.

    text_of: makes the text; written: which tables were, below it; it is in US dollars then, as they are.
    """
    from gpuplanner.domain.model.book.exchange import USD, in_money

    try:
        if as_json:
            said = json_text(answer)
        else:
            text = in_money(text_of(), USD if written else answer.currency.code)
            said = "\n".join(filter(None, (text, written)))
        terminal_output.say(said, sys.stdout)
    except BrokenPipeError:  # the reader of our output left, as `| head` does
        _let_go_of_output()
    except OSError:
        _let_go_of_output()
        raise


def json_text(answer: "Answer") -> str:
    """Letters of ASCII alone that are seen: what else a name has, the document spells as JSON does."""
    return json.dumps(answer.document, indent=1, allow_nan=False, default=_plain).replace("\x7f", "\\u007f")


def _plain(value: object) -> str:
    """A message in a document is its English. Errors: TypeError for what else JSON has no form for."""
    if isinstance(value, Message):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not of JSON: {value!r}")


def _let_go_of_output() -> None:
    """What is still to be written goes nowhere, so that the end of the process has nothing left to fail on."""
    with suppress(OSError, ValueError, AttributeError), open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
