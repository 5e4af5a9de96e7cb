"""One call of the command line: parse, run one command, turn every error into one line and an exit status."""

import json
import sys
from collections.abc import Sequence
from typing import Final

from gpuplanner.cli.arguments import USAGE_EXIT, UsageError, build_parser
from gpuplanner.cli.terminal_text import error_line, say
from gpuplanner.domain.model.errors import PlannerError

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
    except BrokenPipeError:  # the reader of our output left, as `| head` does
        sys.stderr.close()
        return 0
    except OSError as error:  # what is read says so itself; this is a place that cannot be written
        reason = (error.strerror or type(error).__name__).lower()
        where = error.filename or words.command
        say(error_line(f"{where}: file_unwritable: {reason}; choose another place"), sys.stderr)
        return UNREADABLE_EXIT
    for line in answer.error_lines:
        say(error_line(line), sys.stderr)
    try:
        if words.json:
            json.dump(answer.document, sys.stdout, indent=1, allow_nan=False)
            sys.stdout.write("\n")
        else:
            say(answer.text(), sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
    return answer.exit_status
