"""One call of the command line: parse, run one command, turn every error into one line and an exit status."""

import json
import sys
from collections.abc import Sequence
from typing import Final

from gpuplanner.cli.arguments import USAGE_EXIT, UsageError, build_parser
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
        print(f"gpuplanner: usage: {error}", file=sys.stderr)
        return USAGE_EXIT
    except PlannerError as error:
        if error.code == "usage":
            print(f"gpuplanner: usage: {error.where}: {error.what}; {error.remedy}", file=sys.stderr)
            return USAGE_EXIT
        print(str(error).replace("\n", " "), file=sys.stderr)
        return EXIT_BY_CODE.get(error.code, UNREADABLE_EXIT)
    except KeyboardInterrupt:
        print("gpuplanner: interrupted; nothing was written", file=sys.stderr)
        return INTERRUPTED_EXIT
    except BrokenPipeError:  # the reader of our output left, as `| head` does
        sys.stderr.close()
        return 0
    for line in answer.error_lines:
        print(line, file=sys.stderr)
    try:
        if words.json:
            json.dump(answer.document, sys.stdout, indent=1, allow_nan=False)
            sys.stdout.write("\n")
        else:
            print(answer.text())
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
    return answer.exit_status
