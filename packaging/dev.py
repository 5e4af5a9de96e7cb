"""Sets up, starts and tests gpuplanner from a clone of its repository, with nothing but Python 3 to begin with.

python3 packaging/dev.py run                               set up if need be, start with the demo
python3 packaging/dev.py test [pytest arguments]           set up if need be, run every check
python3 packaging/dev.py test --costs                      the same, and write the cost of each test to tests/costs.csv
python3 packaging/dev.py test --long [--list | --part K/N] [pytest arguments]   every test, or one part of them
python3 packaging/dev.py test --long --due                long parts of this build: those that were red, that of the day
python3 packaging/dev.py lint                              the checks that are not tests
python3 packaging/dev.py bench [--quick] [--only NAME] [--rows N | --long]   speed, beside what one would use instead
python3 packaging/dev.py faults [--quick] [--minutes N]    the table of faults tried and survived, with a soak

Exit status: 0 all well; 1 a check or a step of the demo failed; 2 usage; 3 the set-up failed; 4 something is missing
that only the person at the machine can install (the message says how); 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO

import long_parts
import system_packages
from system_packages import Need

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PROGRAMS = VENV / ("Scripts" if os.name == "nt" else "bin")
STAMP = VENV / "gpuplanner-setup.txt"
DEMO = ROOT / ".demo"
DEMO_IS_WHOLE = DEMO / "written"
DEMO_IS_OLD_S = 7 * 86_400  # its log ended the day before it was written
PARTS = {
    "run": ".",
    "dev": ".[dev]",
    "long": ".[dev,spark,long]",
}  # what pip installs, each more than the one before
OLDEST_PYTHON = (3, 11)
EVERY_TEST = ("-m", "long or not long")
MEASURED = ("tests/domain", "tests/files", "tests/cli", "tests/app")
IN_PARALLEL = (
    "-n",
    "auto",
    "--dist",
    "worksteal",
)  # a worker a core; neighbours, which share fixtures, on one
COVERAGE = (
    ("measured", ("coverage", "run", "-m", "pytest", "-q", *IN_PARALLEL, *MEASURED)),
    ("combine", ("coverage", "combine", "-q")),
    ("coverage", ("coverage", "report", "--skip-covered", "--sort=cover")),
)
"""The normal tests of these folders once more, and the floor in pyproject.toml; of the long run alone."""
RED_PARTS = ROOT / "tests" / "red_parts.txt"
"""Parts of the long run that were red, by what they cover; a part stays here until it is green."""
FAILURES_TO = "GPUPLANNER_TEST_FAILURES"
"""Names the file to which a run of tests appends each failure at once."""
GREEN, RED, NOT_FINISHED = "green", "RED", "not finished"
DUE_PARTS_S = 30 * 60
"""How long the long parts of a build may run together."""
TABLES = {"bench": "tests.benchmarks.every", "faults": "tests.faults.table"}
"""What prints a table by a module of the tests, which has options of its own."""
LINTERS = (
    ("ruff check", ("ruff", "check", ".")),
    ("ruff format", ("ruff", "format", "--check", ".")),
    ("readability", ("python", str(Path("packaging", "readability.py")))),
    ("lint-imports", ("lint-imports", "--no-logo")),
    ("mypy", ("mypy",)),
    ("test rules", ("python", str(Path("packaging", "test_rules.py")))),
)


class DevError(Exception):
    """The command cannot go on; the message says why and what to do."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, kw_only=True)
class Task:
    """What was asked for on the command line."""

    command: str
    takes_long: bool = False
    part: long_parts.Part | None = None
    lists_parts: bool = False
    is_due: bool = False
    options: tuple[str, ...] = ()


def task(arguments: Sequence[str]) -> Task:
    """What these arguments ask for. Those of `test` but --long go to pytest, those of tables to their modules."""
    command, *rest = arguments or ("",)
    if command == "test":
        return test_task(rest)
    if command in TABLES:
        return Task(command=command, options=tuple(rest))
    if command in ("run", "lint") and not rest:
        return Task(command=command)
    raise DevError(f"dev.py: usage:\n{(__doc__ or '').partition('Exit')[0].partition(chr(10))[2].strip()}", 2)


def test_task(words: list[str]) -> Task:
    """Return what the words after `test` ask for."""
    takes_long = "--long" in words
    lists_parts, is_due = "--list" in words, "--due" in words
    part = None
    words = [word for word in words if word not in ("--long", "--list", "--due")]
    if takes_long and "--part" in words:
        place = words.index("--part")
        try:
            part = long_parts.part_of("".join(words[place + 1 : place + 2]))
        except ValueError as reason:
            raise DevError(f"dev.py: {reason}", 2) from None
        del words[place : place + 2]
    return Task(
        command="test",
        takes_long=takes_long,
        part=part,
        lists_parts=takes_long and lists_parts,
        is_due=takes_long and is_due,
        options=tuple(words),
    )


# --- Set-up ----------------------------------------------------------------------------------


def fingerprint(project_file: bytes, venv_settings: bytes, root: Path) -> str:
    """Stands for everything an installation depends on: when it changes, pip has to run again."""
    return hashlib.sha256(b"\0".join((project_file, venv_settings, bytes(root)))).hexdigest()


def is_set_up(stamp: str, wanted: str, parts: str) -> bool:
    """Whether the stamp of the last set-up says that this one has been done. One with more serves for less, too."""
    names = list(PARTS)
    return stamp in {f"{wanted} {more}" for more in names[names.index(parts) :]}


def set_up(system_needs: Sequence[Need], parts: str) -> None:
    """Make .venv with gpuplanner in it. Done once; afterwards this reads a few small files."""
    provide(system_needs if venv_works() else (system_packages.VENV, *system_needs))
    settings = VENV / "pyvenv.cfg"
    wanted = fingerprint(read(ROOT / "pyproject.toml"), read(settings), ROOT)
    is_whole = venv_works() and (PROGRAMS / program("gpuplanner")).exists()
    if is_whole and is_set_up(read(STAMP).decode(), wanted, parts):
        return
    print("Setting up .venv: a few minutes the first time, no time at all afterwards.", flush=True)
    STAMP.unlink(missing_ok=True)
    if not (venv_works() and any(VENV.glob("[Ll]ib*/**/site-packages/pip"))):
        step("make .venv", sys.executable, "-m", "venv", "--clear", str(VENV))
    quiet_pip = (str(PROGRAMS / program("python")), "-m", "pip", "install", "-qq")
    step("install Python packages", *quiet_pip, "--disable-pip-version-check", "--editable", PARTS[parts])
    wanted = fingerprint(read(ROOT / "pyproject.toml"), read(settings), ROOT)
    STAMP.write_text(f"{wanted} {parts}")


def provide(needs: Sequence[Need]) -> None:
    """Install what is missing, if this user may; else say how, and go on only without what is optional."""
    missing = system_packages.missing(needs)
    if missing:
        missing = system_packages.install(missing)
    if not missing:
        return
    advice = f"{', '.join(need.name for need in missing)}. To get what is missing:\n\n    "
    advice += f"{system_packages.command_to_type(missing)}\n"
    if is_build_machine(os.environ) or not all(need.is_optional for need in missing):
        raise DevError(f"missing on this machine: {advice}", 4)
    print(f"dev.py: the tests that need them are skipped, missing on this machine: {advice}", flush=True)


def venv_works() -> bool:
    """Whether .venv stands on a Python that is still there and still the same."""
    lines = read(VENV / "pyvenv.cfg").decode().splitlines()
    settings = {name.strip(): value.strip() for name, _, value in (line.partition("=") for line in lines)}
    python = PROGRAMS / program("python")
    made_with = Path(settings.get("executable", ""))
    if os.name == "nt":
        return python.exists() and made_with.is_file()
    return python.exists() and python.resolve() == made_with.resolve()


def step(what: str, *command: str) -> None:
    """One command of the set-up; without it there is no going on."""
    # A machine-wide "install for the user" is for use outside of environments; within one pip refuses it.
    status = call(command, {**os.environ, "PIP_USER": "0"})
    if status:
        raise DevError(f"dev.py: could not {what} (status {status}); its own message is above", 3)


# --- Commands --------------------------------------------------------------------------------


def run() -> int:
    """Start the demo in a window; where there is no display, do its work without one."""
    set_up(system_packages.WINDOW, "run")
    project = DEMO / "demo.gpuplan"
    if not is_demo_kept(project):
        shutil.rmtree(DEMO, ignore_errors=True)
        print(f"Writing the demo to {DEMO}", flush=True)
        if status := gpuplanner("demo", str(DEMO)):
            return status
        DEMO_IS_WHOLE.touch()
    if has_display(sys.platform, os.environ):
        return gpuplanner(str(project))

    workbook, picture = DEMO / "plan.xlsx", DEMO / "window.png"
    print("\nNo display here, so no window: the plan, the workbook and a picture instead.\n", flush=True)
    statuses = [
        gpuplanner("plan", str(DEMO / "demo.gpuplan")),
        gpuplanner("export", str(project), "--out", str(workbook)),
        gpuplanner(str(project), "--screenshot", str(picture), QT_QPA_PLATFORM="offscreen"),
    ]
    for written in (workbook, picture):
        print(f"{'Written' if written.exists() else 'NOT written'}: {written}")
    return 1 if any(statuses) or not (workbook.exists() and picture.exists()) else 0


def is_demo_kept(project: Path) -> bool:
    """Whether the demo is whole, and of these days or worked on since it was written."""
    if not (DEMO_IS_WHOLE.exists() and project.exists()):
        return False
    written_s = DEMO_IS_WHOLE.stat().st_mtime
    return time.time() - written_s < DEMO_IS_OLD_S or project.stat().st_mtime > written_s


def test(asked: Task) -> int:
    """Every check there is, the linters beside the tests; all run, whatever the others found."""
    if asked.lists_parts:
        print(long_parts.listing())
        return 0
    if asked.is_due:
        return due_parts(asked)
    needs = (*system_packages.WINDOW, *system_packages.TESTS)
    set_up(
        (*needs, *system_packages.LONG_TESTS) if asked.takes_long else needs,
        "long" if asked.takes_long else "dev",
    )
    every_test = EVERY_TEST if asked.takes_long else ()
    of_part = long_parts.arguments(asked.part) if asked.part else ()
    checks = [("pytest", ("pytest", *IN_PARALLEL, *every_test, *of_part, *asked.options))]
    if asked.part and asked.part.measures_coverage:
        checks = [*COVERAGE]
    elif asked.takes_long and not asked.part:
        checks += COVERAGE
    # A thousand modules and their assertions are compiled once, not by every worker of every run.
    keeping_bytecode = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    return check(checks, keeping_bytecode, beside=LINTERS)


def due_parts(asked: Task) -> int:
    """Run the long parts of a build for at most DUE_PARTS_S; nonzero if one of them is red.

    A part that does not end in that time is stopped and printed as not finished. It is red if a test has failed.
    """
    try:
        parts = long_parts.due_parts(long_parts.red_parts(read(RED_PARTS).decode()), time.time())
    except ValueError as reason:
        raise DevError(f"dev.py: {reason}", 2) from None
    set_up((*system_packages.WINDOW, *system_packages.TESTS, *system_packages.LONG_TESTS), "long")
    keeping_bytecode = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    until_s = time.monotonic() + DUE_PARTS_S
    results = []
    for part in parts:
        print(f"\n--- long part {long_parts.number_of(part)}: {part.covers}", flush=True)
        print(f"    python3 packaging/dev.py test --long --part {long_parts.number_of(part)}", flush=True)
        results.append((part, part_result(part, asked.options, keeping_bytecode, until_s)))
    print("\n--- long parts of this build")
    for part, outcome in results:
        print(f"{long_parts.number_of(part):6}{outcome:14}{part.covers}")
    red = [part for part, outcome in results if outcome == RED]
    for part in red:
        print(f"Until it is green, tests/red_parts.txt has the line: {part.covers}")
    return 1 if red else 0


def part_result(
    part: long_parts.Part, options: Sequence[str], environment: Mapping[str, str], until_s: float
) -> str:
    """Run a part of the long run until a moment of the monotonic clock; return GREEN, RED or NOT_FINISHED."""
    commands: list[Sequence[str]] = [
        ("pytest", *IN_PARALLEL, *EVERY_TEST, *long_parts.arguments(part), *options)
    ]
    if part.measures_coverage:
        commands = [command for _, command in COVERAGE]
    for tool, *arguments in commands:
        left_s = until_s - time.monotonic()
        if left_s <= 0:
            return NOT_FINISHED
        with tempfile.TemporaryDirectory() as folder:
            failures = Path(folder, "failures.txt")
            command = (str(PROGRAMS / program(tool)), *arguments)
            try:
                status = call(command, {**environment, FAILURES_TO: str(failures)}, limit_s=left_s)
            except subprocess.TimeoutExpired:
                return RED if failures.exists() else NOT_FINISHED
        if status:
            return RED
    return GREEN


def lint() -> int:
    """The linters alone."""
    set_up((), "dev")
    return check(LINTERS, os.environ)


def table(asked: Task) -> int:
    """Measure or try, and print; what the module says is its exit status."""
    set_up((*system_packages.WINDOW, *system_packages.TESTS), "dev")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return call((str(PROGRAMS / program("python")), "-m", TABLES[asked.command], *asked.options), environment)


Checks = Sequence[tuple[str, Sequence[str]]]
"""Name -> tool and arguments."""


def check(checks: Checks, environment: Mapping[str, str], beside: Checks = ()) -> int:
    """Run the checks one after the other and sum up; nonzero if one of them failed.

    beside: checks that run at the same time; what they found is said after the others.
    """
    results = []
    with begun(beside, environment) as others:
        for name, (tool, *arguments) in checks:
            print(f"\n--- {name}", flush=True)
            start = time.monotonic()
            status = call((str(PROGRAMS / program(tool)), *arguments), environment)
            results.append((name, status, f"{time.monotonic() - start:8.1f} s"))
        for name, child, said in others:
            status = child.wait()
            said.seek(0)
            print(f"\n--- {name}", said.read().decode(errors="replace").rstrip(), sep="\n", flush=True)
            results.append((name, status, "  beside"))
    print("\n--- summary")
    for name, status, duration in results:
        print(f"{name:14}{'passed' if status == 0 else f'FAILED ({status})':14}{duration}")
    return 1 if any(status for _, status, _ in results) else 0


@contextmanager
def begun(
    checks: Checks, environment: Mapping[str, str]
) -> Iterator[Sequence[tuple[str, subprocess.Popen[bytes], IO[bytes]]]]:
    """Checks at work, each with its name and the file of what it says. If we are stopped, so are they."""
    with ExitStack() as until_left:
        running = []
        for name, (tool, *arguments) in checks:
            said = until_left.enter_context(tempfile.TemporaryFile())
            command = (str(PROGRAMS / program(tool)), *arguments)
            child = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=said, stderr=subprocess.STDOUT
            )
            until_left.callback(end, child)
            running.append((name, child, said))
        yield running


# --- The machine -----------------------------------------------------------------------------


def has_display(platform: str, environment: Mapping[str, str]) -> bool:
    """Whether a window can be shown. Off Linux there always is a display."""
    if not platform.startswith("linux"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def is_build_machine(environment: Mapping[str, str]) -> bool:
    """Whether a missing tool is a failure rather than a reason to skip."""
    return environment.get("CI", "").lower() in ("1", "true")


def gpuplanner(*arguments: str, **environment: str) -> int:
    """Run the installed program; its exit status."""
    return call((str(PROGRAMS / program("gpuplanner")), *arguments), {**os.environ, **environment})


def call(command: Sequence[str], environment: Mapping[str, str], limit_s: float | None = None) -> int:
    """Run a command to its end. If we are stopped, so is it; Ctrl-C reached it as well, so it may tidy up first.

    Errors: TimeoutExpired after limit_s; the command is stopped then.
    """
    child = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        return child.wait(limit_s)
    except BaseException as stopped:
        end(child, patience_s=10 if isinstance(stopped, KeyboardInterrupt) else 0)
        raise


def end(child: subprocess.Popen[bytes], patience_s: float = 0) -> None:
    """Wait for a process as long as is fair, then ask it to end, then make it."""
    for seconds, next_resort in ((patience_s, child.terminate), (5, child.kill)):
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            next_resort()
    child.wait()


def program(name: str) -> str:
    """The file name of a program on this system."""
    return f"{name}.exe" if os.name == "nt" else name


def read(file: Path) -> bytes:
    """What is in a file; nothing if it is not there."""
    return file.read_bytes() if file.is_file() else b""


def use_new_enough_python() -> None:
    """Start again under a newer Python if this one is too old and there is one."""
    if sys.version_info >= OLDEST_PYTHON:
        return
    for minor in range(14, OLDEST_PYTHON[1] - 1, -1):
        if newer := shutil.which(f"python3.{minor}"):
            os.execv(newer, (newer, *sys.argv))
    this = ".".join(map(str, sys.version_info[:3]))
    raise DevError(
        f"dev.py: gpuplanner needs Python 3.11 or later, this is {this}; install a newer python3", 4
    )


def main(arguments: Sequence[str]) -> int:
    """Do one task; its exit status."""

    def stop(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, stop)
    try:
        use_new_enough_python()
        asked = task(arguments)
        if asked.command in TABLES:
            return table(asked)
        if asked.command == "test":
            return test(asked)
        return lint() if asked.command == "lint" else run()
    except DevError as reason:
        print(reason, file=sys.stderr)
        return reason.status
    except KeyboardInterrupt:
        print("\ndev.py: stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
