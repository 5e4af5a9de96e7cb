"""Chooses window or command line; the only place that reads the clock and the arguments."""

import signal
import sys
from datetime import UTC, datetime


def main() -> int:
    """Run the command that was named, else open the window; the exit status of the process.

    The parts are imported here, so that Ctrl-C has one line for an answer also while they are. Whoever ends us from
    outside has the same: else what is under way would leave its temporary files behind.
    """
    for name in ("SIGTERM", "SIGHUP"):  # Windows has no other; a terminal that is closed
        if (number := getattr(signal, name, None)) is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    try:
        return _run(sys.argv[1:], int(datetime.now(tz=UTC).timestamp()))
    except KeyboardInterrupt:
        from gpuplanner.files.terminal_text import say

        say("gpuplanner: interrupted; no file was left half written", sys.stderr)
        return 130


def _run(argv: list[str], now_s: int) -> int:
    from gpuplanner.cli.arguments import COMMAND_NAMES, USAGE_EXIT, UsageError, parse_window_words

    if argv and (argv[0] in COMMAND_NAMES or argv[0] in ("-h", "--help", "--version")):
        from gpuplanner.cli.run import run

        return run(argv, now_s)
    try:
        words = parse_window_words(argv)
    except UsageError as error:
        from gpuplanner.files.terminal_text import error_line, say

        say(error_line(f"gpuplanner: usage: {error}"), sys.stderr)
        return USAGE_EXIT
    from gpuplanner.ui.application import run as open_window

    return open_window(
        words.project, now_s=now_s, screenshot=words.screenshot, size=words.size, theme=words.theme
    )


if __name__ == "__main__":
    sys.exit(main())
