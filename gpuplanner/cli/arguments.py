"""What a command line may say: the options of every command, as one table."""

import argparse
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.user_files import rows_of
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re
from gpuplanner.version import __version__

USAGE_EXIT: Final = 2
PROJECT_SUFFIX: Final = ".gpuplan"


class UsageError(Exception):
    """The words of the call are off; the message says which and what to write instead."""


@contextmanager
def as_usage_error(option: str) -> Iterator[None]:
    """Tell what a planner refuses as a fault of the call. option: with what it says. Errors: UsageError."""
    try:
        yield
    except PlannerError as error:
        raise UsageError(f"{option}: {error.what}; {error.remedy}") from None


class _Parser(argparse.ArgumentParser):
    """A parser whose faults are told in one line by whoever called."""

    def error(self, message: str) -> NoReturn:
        """Errors: UsageError always."""
        raise UsageError(message)


COMMANDS: Final = {
    row["name"]: row["words"] for row in rows_of("plain_words.csv") if row["table"] == "command"
}
"""Every command and its help."""
COMMAND_NAMES: Final = tuple(COMMANDS)


def _some_path(text: str) -> str:
    """A path that is not empty: as a folder of no name it would be the current one."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; write where to put it")
    return text


def _one_item(line: str) -> str:
    """A line of a mapping as one item, also where its column has a comma; several items stay several."""
    return f'"{line}"' if line.count("=") == 1 and "," in line and '"' not in line else line


_COMMENT: Final = lazy_re(r"^#.*|\s+#\s.*")
"""A line or the end of one; a heading may end in `PO #`, or be `# GPUs`."""


class _AddedToMap(argparse.Action):
    """Said again, --map goes on: `--map gpus=n --map start=from` is `--map gpus=n,start=from`; a file has lines."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """What was said before stands first."""
        before = getattr(namespace, self.dest)
        if "=" not in str(values) and Path(str(values)).is_file():
            try:
                lines = Path(str(values)).read_text(encoding="utf-8-sig").splitlines()
            except (OSError, UnicodeError) as fault:
                parser.error(f"--map {values}: it cannot be read as UTF-8 text ({type(fault).__name__})")
            words = (_COMMENT.sub("", line.strip()) for line in lines)
            values = ",".join(_one_item(line) for line in words if line)
        setattr(namespace, self.dest, f"{before},{values}" if before else values)


How = Mapping[str, Any]
"""What argparse is told of an option besides its form and help."""

_HOWS: Final[Mapping[str, How]] = {
    "may_lack": {"nargs": "?"},
    "pair": {"nargs": 2},
    "flag": {"action": "store_true"},
    "repeated": {"action": "append", "default": []},
    "files": {"nargs": "+", "action": "extend", "default": []},
    "out": {"type": _some_path},
    "map": {"action": _AddedToMap},
}
"""What the words of the table stand for."""


class Option(NamedTuple):
    """One option of some commands. form: its name, and what is written behind it if anything is; said: its help."""

    commands: Collection[str]
    form: str
    said: str
    how: How


def _how(words: str) -> How:
    """What argparse is told, as the table has it: `files`, `default=a4`, `choices=low|mid`."""
    how: dict[str, Any] = {}
    for word in words.split():
        key, _, value = word.partition("=")
        if value:
            how[key] = tuple(value.split("|")) if key == "choices" else value
        else:
            how |= _HOWS[key]
    return how


def _options() -> tuple[Option, ...]:
    """The options of the shipped table."""
    return tuple(
        Option(
            tuple(COMMANDS) if row["commands"] == "all" else tuple(row["commands"].split("|")),
            row["form"],
            row["said"],
            _how(row["how"]),
        )
        for row in rows_of("command_options.csv")
    )


OPTIONS: Final = _options()
"""Every option, in the order in which help lists them."""


def build_parser(*, prints: bool = True) -> argparse.ArgumentParser:
    """The parser of every command; it raises UsageError instead of printing and leaving.

    prints: whether -h, --help and --version print and leave; a script has none of them.

    Words of a call come out as they were written: values are read by the functions below, or by the commands.
    """
    parser = _Parser(prog="gpuplanner", description="Which GPUs, for which workloads, on what terms?")
    if prints:
        parser.add_argument("--version", action="version", version=f"gpuplanner {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    for command, title in COMMANDS.items():
        sub = commands.add_parser(command, help=title, description=title, add_help=prints)
        for option in OPTIONS:
            if command in option.commands:
                name, _, form = option.form.partition(" ")
                behind: How = {"metavar": form} if form else {}
                sub.add_argument(name, help=option.said.replace("%", "%%"), **behind, **option.how)
    return parser


@dataclass(frozen=True, slots=True)
class WindowWords:
    """What a call without a command says: the project to open, and for a picture of the window its file and look.

    size: pixels, width and height. theme: light, dark or contrast; None as the planner has it.
    """

    project: Path | None
    screenshot: Path | None
    size: tuple[int, int]
    theme: str | None


def parse_window_words(argv: Sequence[str]) -> WindowWords:
    """The words of a call that opens the window. Errors: UsageError.

    argv: without the program's name.
    """
    parser = _Parser(prog="gpuplanner", add_help=False, allow_abbrev=False)
    parser.add_argument("project", nargs="?", type=Path)
    parser.add_argument("--screenshot", type=Path)
    parser.add_argument("--size", default="1440x900")
    parser.add_argument("--theme", choices=("light", "dark", "contrast"))
    parsed, rest = parser.parse_known_args(argv)
    if parsed.project is not None and parsed.project.suffix.lower() != PROJECT_SUFFIX:
        rest = [str(parsed.project), *rest]  # a command spelled wrong stands before its options
    if rest:
        near = get_close_matches(rest[0], COMMAND_NAMES, n=1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise UsageError(
            f"{rest[0]!r} is neither a command nor a {PROJECT_SUFFIX} file. {meant}Commands: {', '.join(COMMAND_NAMES)}"
        )
    width, _, height = parsed.size.partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise UsageError(f"--size {parsed.size!r} is not WIDTHxHEIGHT; write 1440x900")
    return WindowWords(parsed.project, parsed.screenshot, (int(width), int(height)), parsed.theme)
