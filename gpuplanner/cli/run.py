"""One call of the command line: parse, run one command, turn every error into one line and an exit status."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gpuplanner.cli.arguments import USAGE_EXIT, UsageError, build_parser
from gpuplanner.domain.model.errors import PlannerError

if TYPE_CHECKING:
    from gpuplanner.cli.documents import Document

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
            print(line, file=sys.stderr)
        _say(answer.document if words.json else answer.text())
        return answer.exit_status
    except UsageError as error:
        return _fail(f"gpuplanner: usage: {error}", USAGE_EXIT)
    except PlannerError as error:
        if error.code == "usage":
            return _fail(f"gpuplanner: usage: {error.where}: {error.what}; {error.remedy}", USAGE_EXIT)
        return _fail(str(error), EXIT_BY_CODE.get(error.code, UNREADABLE_EXIT))
    except KeyboardInterrupt:
        return _fail("gpuplanner: interrupted; no file was left half written", INTERRUPTED_EXIT)
    except BrokenPipeError:  # the reader of our output left, as `| head` does
        sys.stderr.close()
        return 0
    except OSError as error:
        where, why = error.filename or "gpuplanner", error.strerror or str(error)
        remedy = "check the path, your rights and the room on the disk"
        return _fail(f"{where}: file_unreadable: {why.lower()}; {remedy}", UNREADABLE_EXIT)
    except MemoryError:
        return _fail(
            "gpuplanner: file_unreadable: there is not enough memory; choose a shorter window with --days",
            UNREADABLE_EXIT,
        )


def _fail(line: str, status: int) -> int:
    print(line.replace("\n", " "), file=sys.stderr)
    return status


def _say(said: "Document | str") -> None:
    """One JSON document, or text as far as the terminal has its characters, on standard output."""
    if sys.stdout is None:  # closed by the caller: nobody reads it
        return
    if isinstance(said, str):
        encoding = sys.stdout.encoding or "utf-8"
        try:
            said.encode(encoding)
        except UnicodeEncodeError:  # a terminal without typographic signs must not lose the sign of a number
            said = said.replace("\u2212", "-").encode(encoding, "backslashreplace").decode(encoding)
    else:
        said = json.dumps(said, indent=1, allow_nan=False)
    sys.stdout.write(said + "\n")
    sys.stdout.flush()
