"""Chooses window or command line; the only place that reads the clock and the arguments."""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from gpuplanner.cli.arguments import COMMAND_NAMES


def main() -> int:
    """Run the command that was named, else open the window; the exit status of the process."""
    argv = sys.argv[1:]
    now_s = int(datetime.now(tz=UTC).timestamp())
    if argv and (argv[0] in COMMAND_NAMES or argv[0] in ("-h", "--help", "--version")):
        from gpuplanner.cli.run import run

        return run(argv, now_s)
    return _open_window(argv, now_s)


def _open_window(argv: list[str], now_s: int) -> int:
    parser = argparse.ArgumentParser(prog="gpuplanner", description="Open the window.", add_help=False)
    parser.add_argument("project", nargs="?", type=Path)
    parser.add_argument("--screenshot", type=Path, help="draw the window into this PNG file and leave")
    parser.add_argument("--size", default="1440x900", help="of the screenshot, WIDTHxHEIGHT")
    parser.add_argument("--theme", choices=("light", "dark", "contrast"), default=None)
    words, rest = parser.parse_known_args(argv)
    known = words.project is None or words.project.suffix == ".gpuplan"
    if rest or not known:
        name = (rest or [str(words.project)])[0]
        commands = ", ".join(COMMAND_NAMES)
        print(
            f"gpuplanner: usage: {name!r} is no command and no .gpuplan file; commands are {commands}",
            file=sys.stderr,
        )
        return 2
    from gpuplanner.ui.application import run

    width, _, height = words.size.partition("x")
    size = (int(width), int(height)) if width.isdecimal() and height.isdecimal() else (1440, 900)
    return run(words.project, now_s=now_s, screenshot=words.screenshot, size=size, theme=words.theme)


if __name__ == "__main__":
    sys.exit(main())
