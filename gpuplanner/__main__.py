"""Chooses window or command line; the only place that reads the clock and the arguments."""

import gc
import sys
import warnings
from datetime import UTC, datetime

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system import memory, terminal_output, termination

_LAST_YEAR = 9900  # plans and terms reach decades ahead, and a year has four digits


def main() -> int:
    """Run the command that was named, else open the window; the exit status of the process.

    The parts are imported here, so that Ctrl-C has one line for an answer also while they are.
    """
    gc.set_threshold(memory.OBJECTS_BETWEEN_COLLECTIONS)
    termination.take_signals()
    terminal_output.keep_stream_numbers()
    if not sys.warnoptions:  # those of libraries are for whoever writes gpuplanner
        warnings.simplefilter("ignore")
    try:
        memory.check_room()
        return _run(sys.argv[1:], _now_s())
    except KeyboardInterrupt:
        terminal_output.say("gpuplanner: interrupted; no file was left half written", sys.stderr)
        return 130
    except Exception as error:  # the command line says its own; a window may end before there is one
        if isinstance(error, PlannerError):
            message = error
        elif memory.is_want_of_memory(error):
            message = memory.want_of_memory()
        else:
            raise
        terminal_output.say(terminal_output.error_line(str(message)), sys.stderr)
        return 3


def _now_s() -> int:
    """Epoch seconds by the clock. Errors: PlannerError where no day of a plan would have four digits of a year."""
    try:
        now = datetime.now(tz=UTC)
    except (ValueError, OverflowError):
        now = datetime.max.replace(tzinfo=UTC)
    if now.year > _LAST_YEAR:
        problem, remedy = worded("the clock of this computer is past 9900"), worded("set its date")
        raise PlannerError("gpuplanner", "usage", problem, remedy)
    return int(now.timestamp())


def _run(argv: list[str], now_s: int) -> int:
    from gpuplanner.cli.arguments import COMMAND_NAMES, USAGE_EXIT, UsageError, parse_window_words

    if argv and (argv[0] in COMMAND_NAMES or argv[0] in ("-h", "--help", "--version")):
        from gpuplanner.cli.run import run

        gc.set_threshold(4 * memory.OBJECTS_BETWEEN_COLLECTIONS)  # a command is soon over, its jobs are many
        return run(argv, now_s)
    try:
        words = parse_window_words(argv)
    except UsageError as error:
        terminal_output.say(terminal_output.error_line(f"gpuplanner: usage: {error}"), sys.stderr)
        return USAGE_EXIT
    termination.only_remember()  # the window asks, once it is there
    memory.share_memory()
    from gpuplanner.ui.window.application import run as open_window

    return open_window(
        words.project, now_s=now_s, screenshot=words.screenshot, size=words.size, theme=words.theme
    )


if __name__ == "__main__":
    sys.exit(main())
