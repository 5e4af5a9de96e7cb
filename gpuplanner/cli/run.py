"""One call of the command line: parse, run one command, turn every error into one line and an exit status."""

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from gpuplanner.cli.arguments import USAGE_EXIT, UsageError, build_parser
from gpuplanner.cli.terminal_text import error_line, say
from gpuplanner.domain.model.errors import PlannerError

if TYPE_CHECKING:
    from gpuplanner.cli.commands import Answer

UNREADABLE_EXIT: Final = 3
MISSING_PART_EXIT: Final = 4
INTERRUPTED_EXIT: Final = 130
EXIT_BY_CODE: Final = {"missing_part": MISSING_PART_EXIT}


def run(argv: Sequence[str], now_s: int) -> int:
    """The exit status of `gpuplanner ARGV`; now_s is the time of the call in epoch seconds UTC."""
    try:
        words = build_parser().parse_args(argv)
        from gpuplanner.cli.commands import RUN_BY_NAME  # the parser alone answers --help at once

        answer = RUN_BY_NAME[words.command](words, now_s)
        for line in answer.error_lines:
            say(error_line(line), sys.stderr)
        _show(answer, as_json=words.json)
        return answer.exit_status
    except UsageError as error:
        say(error_line(f"gpuplanner: usage: {error}"), sys.stderr)
        return USAGE_EXIT
    except PlannerError as error:
        if error.code == "usage":
            say(error_line(f"gpuplanner: usage: {error.where}: {error.what}; {error.remedy}"), sys.stderr)
            return USAGE_EXIT
        say(error_line(str(error)), sys.stderr)
        return EXIT_BY_CODE.get(error.code, UNREADABLE_EXIT)
    except KeyboardInterrupt:
        print("gpuplanner: interrupted; no file was left half written", file=sys.stderr)
        return INTERRUPTED_EXIT
    except MemoryError:
        line = "gpuplanner: file_unreadable: there is not enough memory; choose a shorter window with --days"
        say(error_line(line), sys.stderr)
        return UNREADABLE_EXIT
    except OSError as error:  # what is read says so itself; this is a place that cannot be written
        reason = (error.strerror or type(error).__name__).lower()
        where = error.filename or "standard output"
        say(error_line(f"{where}: file_unwritable: {reason}; choose another place"), sys.stderr)
        _let_go_of_output()
        return UNREADABLE_EXIT


def _show(answer: "Answer", *, as_json: bool) -> None:
    if sys.stdout is None:  # closed by the caller: nobody reads it
        return
    try:
        if as_json:
            json.dump(answer.document, sys.stdout, indent=1, allow_nan=False)
            sys.stdout.write("\n")
        else:
            say(answer.text(), sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output left, as `| head` does
        _let_go_of_output()


def _let_go_of_output() -> None:
    """What is still to be written goes nowhere, so that the end of the process has nothing left to fail on."""
    with suppress(OSError, ValueError), open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
