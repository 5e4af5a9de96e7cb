"""gpuplanner in scripts: projects whose methods run the commands of the command line, and their results.

A method converts its keywords to a call and runs the command line's own function, so that figures, checks and errors
are the same. Documentation: docs/commands/python.md.
"""

import warnings
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from copy import deepcopy
from datetime import UTC, date, datetime
from itertools import product
from json import dumps, loads
from multiprocessing import get_context
from os import PathLike
from shlex import join
from typing import TYPE_CHECKING, Any, Final
from weakref import finalize

from gpuplanner.cli.arguments import COMMANDS, OPTIONS, Option, build_parser
from gpuplanner.cli.progress import progress_on_terminal
from gpuplanner.cli.run import command_called, json_text, told_fault, written_tables
from gpuplanner.files.export.document_tables import frame_of
from gpuplanner.files.system.own_folder import OwnFolder
from gpuplanner.files.system.terminal_output import error_line

if TYPE_CHECKING:
    from gpuplanner.cli.inputs import Loaded

Files = str | PathLike[str] | Iterable[str | PathLike[str]] | None
"""One file, several files, or None for no file."""


class Error(Exception):
    """An error of a command, with its lines on standard error and its exit status.

    lines: the text, also returned by `str`; of a question that is not understood, its answer. exit_status: of the
    command line. result: the document, if the command printed one despite the error, such as the outcome of each row if
    no job was accepted; otherwise None.
    """

    def __init__(self, lines: str, exit_status: int, result: "Result | None" = None) -> None:
        super().__init__(lines, exit_status, result)
        self.exit_status, self.result = exit_status, result

    def __str__(self) -> str:
        """Return the lines without status and result."""
        return str(self.args[0])


class Result(Mapping[str, Any]):
    """A JSON document, or an object in it: fields by name, as `result.orders` or `result["orders"]`.

    A list becomes a pandas DataFrame, an object a Result; other values are as in JSON, None where unknown.
    Frames are copies: a change of one does not change the result.
    """

    def __init__(self, fields: Mapping[str, Any], text: str = "", lines: str = "") -> None:
        self._fields, self._text, self._lines = fields, text, lines
        self._shown: dict[str, Any] = {}

    def json(self) -> str:
        """Return the document as text, byte for byte the output of the command line."""
        return self._text or dumps(self._fields, indent=1) + "\n"

    def __getitem__(self, name: str) -> Any:
        """Return a field; `totals.gpus_to_sign` is a field of a nested object. Errors: KeyError."""
        if name not in self._shown:
            if name not in self._fields and "." in name:
                first, _, rest = name.partition(".")
                return self[first][rest]
            value = self._fields[name]
            if isinstance(value, list):
                value = frame_of(name, value)
            self._shown[name] = Result(value) if isinstance(value, dict) else value
        shown = self._shown[name]
        return shown if isinstance(shown, Result) else deepcopy(shown)

    def __getattr__(self, name: str) -> Any:
        """Return a field. Errors: AttributeError for an unknown field."""
        if name.startswith("_"):  # read during unpickling, before there are fields
            raise AttributeError(name)
        if name not in self._fields:
            raise AttributeError(f"there is no field {name!r}; there are {', '.join(self._fields)}")
        return self[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the fields."""
        return iter(self._fields)

    def __len__(self) -> int:
        """Return the number of fields."""
        return len(self._fields)

    def __dir__(self) -> list[str]:
        """Return the attributes, including the fields."""
        return [*super().__dir__(), *self._fields]

    def __repr__(self) -> str:
        """Return the names of the fields, because values may have a million characters."""
        return f"Result({', '.join(self._fields)})"


def _options_of(command: str) -> dict[str, Option]:
    """Return the options of a command by keyword."""
    found = {option.form.split()[0]: option for option in OPTIONS if command in option.commands}
    return {name[2:].replace("-", "_"): found[name] for name in found if name[:2] == "--" and "=" not in name}


_OPTIONS: Final = {command: _options_of(command) for command in COMMANDS}
_ADD_UP: Final = {
    name for one in _OPTIONS.values() for name in one if one[name].how.get("action") == "append"
}
_ANY_OPTION: Final = {name for one in _OPTIONS.values() for name in one}
_ASSUMPTION: Final = _OPTIONS["plan"]["set"]


def _texts(value: object) -> list[str]:
    """Return a value as arguments: a dict as pairs A=B, a list as several values."""
    if isinstance(value, Mapping):
        return [f"{left}={text}" for left, right in value.items() for text in _texts(right)]
    if isinstance(value := _listed(value), list):
        return [text for one in value for text in _texts(one)]
    if value is None:
        return ["none"]
    if isinstance(value, bool):
        return ["on" if value else "off"]
    return [value.isoformat() if isinstance(value, date) else str(value)]


def _listed(value: object) -> object:
    """Several values as a list, since a generator gives them once; one value, or a mapping, as it is."""
    if isinstance(value, str | bytes | PathLike | Mapping) or not isinstance(value, Iterable):
        return value
    return list(value)


def _words(option: Option, value: object) -> list[str]:
    """Return an option and its value as arguments; empty for None and False."""
    name = option.form.split()[0]
    if value is None or value is False:
        return []
    if value is True:
        return [name]
    texts = _texts(value)
    return [name, *texts] if texts and "nargs" in option.how else [f"{name}={text}" for text in texts]


def _warned(result: Result) -> Result:
    """Return the result, after a warning with the command's lines on standard error."""
    if result._lines:
        warnings.warn(result._lines, stacklevel=3)
    return result


def _command(command: str) -> "Callable[..., Result]":
    """Return the method of a command."""

    def method(self: "Project", **options: object) -> Result:
        return _warned(self._answered(command, options))

    said = [f"{name}: {option.said}" for name, option in _OPTIONS[command].items()]
    method.__name__, method.__qualname__ = command, f"Project.{command}"
    method.__doc__ = "\n".join([f"{COMMANDS[command]}\n", *said, "\nErrors: Error."])
    return method


def _edit(option: str) -> "Callable[..., Project]":
    """Return the method of an option that edits the data read; it returns another project."""

    def method(self: "Project", *said: object) -> "Project":
        return Project(self._path, (*self._said, (option, [_listed(each) for each in said])), self._kept)

    method.__name__, method.__qualname__ = option, f"Project.{option}"
    method.__doc__ = f"{_OPTIONS['plan'][option].said}. said: texts, or a dict of A=B."
    return method


class _Kept(dict[str, "Loaded"]):
    """Data read, by request. rows_dir: folder of the job rows, removed with this object."""

    def __init__(self) -> None:
        super().__init__()
        folder = OwnFolder()
        self.rows_dir = folder.path
        finalize(self, folder.close)


class Project:
    """Data read and edits of the data: a method per command, and edits, which return another project.

    Keywords of commands are the command line's options, as `plan_from` for --plan-from, and assumptions (`lambda_` for
    lambda). Create one with `open` or `read`.
    """

    def __init__(self, path: str | None, said: tuple[tuple[str, object], ...], kept: "_Kept") -> None:
        self._path, self._said, self._kept = path, said, kept

    # Commands, one line each.
    reduce = _command("reduce")
    audit = _command("audit")
    plan = _command("plan")
    award = _command("award")
    size = _command("size")
    queue = _command("queue")
    train = _command("train")
    backtest = _command("backtest")
    place = _command("place")
    export = _command("export")
    track = _command("track")

    # Edits of the data read, one line per option.
    assign = _edit("assign")
    label = _edit("label")
    rules = _edit("rules")
    map_model = _edit("map_model")
    same = _edit("same")
    fx = _edit("fx")
    begins = _edit("begins")
    ends = _edit("ends")
    planned = _edit("planned")
    only = _edit("only")
    share = _edit("share")
    change = _edit("change")
    take = _edit("take")
    notice_given = _edit("notice_given")
    runs_on = _edit("runs_on")
    budgets = _edit("budgets")
    business = _edit("business")

    def set(self, **said: object) -> "Project":
        """Return a project with these options and assumptions; they replace earlier values of the same name.

        said: options of the command line and assumptions, by keyword.
        """
        return Project(self._path, self._joined(said), self._kept)

    def ask(self, question: str, **options: object) -> Result:
        """Answer a question about a saved project, or a change of it, in words. Returns the answer. Errors: Error.

        options: of the command `ask`, by keyword.
        """
        spaced = f" {question}" if question.startswith("-") else question  # not an option
        return _warned(self._answered("ask", dict(self._said) | options, spaced))

    def sweep(
        self,
        command: str = "plan",
        *,
        processes: int | None = None,
        on_progress: Callable[[int, int], None] | None = None,
        **values: Iterable[object],
    ) -> list[tuple[dict[str, object], Result]]:
        """Run a command for every combination of these values, in several processes.

        command: its name. processes: how many run at a time; default: the number of processors. on_progress: callback
        with finished cases and all cases; by default a terminal shows progress. values: iterables of values by option
        or assumption. Returns (values, result) of each case; the last keyword changes fastest. The calling script needs
        `if __name__ == "__main__":`. Errors: Error of the first case that fails.
        """
        cases = [dict(zip(values, one, strict=True)) for one in product(*values.values())]
        context = get_context("spawn")  # no process inherits another's threads
        with (
            progress_on_terminal() as shown,
            ProcessPoolExecutor(processes, context, initializer=_hold, initargs=(self,)) as pool,
        ):
            asked = [pool.submit(_answer_case, command, case) for case in cases]
            for done, _ in enumerate(as_completed(asked), 1):
                if on_progress is not None:
                    on_progress(done, len(cases))
                elif shown is not None:
                    shown(done / len(cases), f"{done} of {len(cases)}")
        return [(case, _warned(one.result())) for case, one in zip(cases, asked, strict=True)]

    def _joined(self, more: Mapping[str, object]) -> tuple[tuple[str, object], ...]:
        """Return earlier and new options; new ones replace earlier ones, unless the option accumulates."""
        before = (one for one in self._said if one[0] in _ADD_UP or one[0] not in more)
        return (*before, *((name, _listed(value)) for name, value in more.items()))

    def _call(self, command: str, options: Mapping[str, object], *first: str) -> list[str]:
        """Return the arguments of a call. Earlier options that the command does not have are left out."""
        words = [command, *first, *([] if self._path is None else [self._path])]
        known = _OPTIONS[command]
        for name, value in self._joined(options):
            if name in known:
                words += _words(known[name], value)
            elif name in options or (name not in _ANY_OPTION and "set" in known):
                words += _words(_ASSUMPTION, {name.removesuffix("_"): value})
        return [*words, "--json"]

    def _parsed(self, words: list[str]) -> Namespace:
        """Return the parsed arguments, with the data read before."""
        parsed = build_parser(prints=False).parse_args(words)
        parsed.kept, parsed.kept_rows = self._kept, self._kept.rows_dir
        return parsed

    def _answered(self, command: str, options: Mapping[str, object], *first: str) -> Result:
        """Run a command and return its result. Errors: Error."""
        with _told():
            words = self._parsed(self._call(command, options, *first))
            answer = command_called(command)(words, int(datetime.now(tz=UTC).timestamp()))
            text = json_text(answer) + "\n"
            document = loads(text)
            written_tables(document, words)
        result = Result(document, text, "\n".join(map(error_line, answer.error_lines)))
        if answer.exit_status:
            raise Error(result._lines or str(document.get("sentence", "")), answer.exit_status, result)
        return result

    def _read(self) -> "Project":
        """Read the project's files now, so that errors are raised here. Errors: Error."""
        from gpuplanner.cli import inputs

        with _told():
            inputs.load(self._parsed(self._call("plan", {})), rows_dir=self._kept.rows_dir)
        return self

    def __repr__(self) -> str:
        """Return the equivalent arguments of the command line."""
        return f"Project({join(self._call('plan', {})[1:-1])})"


_held: list[Project] = []


def _hold(project: Project) -> None:
    """Store the project for the cases of a sweep's process."""
    _held[:] = [project]


def _answer_case(command: str, case: Mapping[str, object]) -> Result:
    """Return the result of one case of a sweep. Errors: Error."""
    return _held[0]._answered(command, case)


@contextmanager
def _told() -> Iterator[None]:
    """Convert exceptions that the command line reports in a line. Errors: Error."""
    try:
        yield
    except Exception as error:
        told = told_fault(error)
        if told is None:
            raise
        raise Error(error_line(told[0]), told[1]) from error


def open(path: str | PathLike[str]) -> Project:
    """Open a saved project. path: of the project file. Errors: Error if it cannot be read."""
    return Project(f"./{path}" if str(path).startswith("-") else str(path), (), _Kept())._read()


def read(jobs: Files = None, contracts: Files = None, prices: Files = None, **options: object) -> Project:
    """Read files of any known format as a project.

    jobs: job logs. contracts: contract lists. prices: price lists; `"builtin"`: the shipped list of public prices.
    options: of the command line, by keyword, such as timezone, map, days, users or sites.
    Errors: Error if a file cannot be read.
    """
    said = {"jobs": jobs, "contracts": contracts, "prices": prices, **options}
    project = Project(None, (), _Kept()).set(**said)
    return project if jobs is None else project._read()
