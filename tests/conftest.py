"""What all tests share: a home of their own, tools that may be missing, the public data beside the project."""

import faulthandler
import gc
import importlib
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from _pytest.mark import ParameterSet
from hypothesis import HealthCheck, settings
from pytestqt.qtbot import QtBot

from tests.costs import Costs
from tests.some_of import LONG_RUN

ROOT = Path(__file__).resolve().parent.parent
MUCH_GARBAGE, FULL_ONE_IN = 20_000, 20  # objects made and not gone; collections
_collections = count(1)
HANG_S, WATCHED_ANEW_EVERY = 300, 10  # seconds that so many tests may take; tests
_tests = count()
IS_BUILD_MACHINE = os.environ.get("CI", "").lower() in ("1", "true")

# Machines differ in speed, so time decides nothing; on the build machine chance decides nothing either.
# Few examples where a test says nothing else: the normal run is for every change, the long one takes many more.
EXAMPLES, EXAMPLES_OF_THE_LONG_RUN = 8, 200
AT_ANY_SPEED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "max_examples": EXAMPLES}
settings.register_profile("gpuplanner", **AT_ANY_SPEED)
settings.register_profile("build machine", **AT_ANY_SPEED, derandomize=True, print_blob=True)
settings.load_profile("build machine" if IS_BUILD_MACHINE else "gpuplanner")

LONGEST_FIRST = (
    "tests/golden/",
    "tests/files/workbook/",
    "tests/files/test_hostile_json.py",
    "tests/ui/test_real_mouse.py",
    "tests/ui/importing/test_real_import.py",
    "tests/ui/present/test_real_present.py",
)
"""Tests of seconds each: whole projects, LibreOffice, processes of their own, the installed application."""

PATIENCE_MS = 60_000
"""How long a test waits for what is bound to come if it says nothing else: five seconds are short on a full machine."""
for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitCallback, QtBot.waitExposed):
    wait.__kwdefaults__["timeout"] = PATIENCE_MS


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--costs` writes what each test cost (`tests/costs.py`); `--share` divides a part of the long run."""
    parser.addoption(
        "--share", default="1/1", metavar="K/N", help="run every Nth test, beginning with the Kth"
    )
    parser.addoption(
        "--costs", action="store_true", help="write the processor time of each test to tests/costs.csv"
    )


def is_long_run(config: pytest.Config) -> bool:
    """Whether all tests run, as `dev.py test --long` asks, or those of the long run alone."""
    return config.option.markexpr in ("long or not long", "long")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Append a failure to the file of GPUPLANNER_TEST_FAILURES: a run that is stopped has failed, too."""
    path = os.environ.get("GPUPLANNER_TEST_FAILURES")
    if path and report.failed:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}\n")


def pytest_configure(config: pytest.Config) -> None:
    """Give Qt a display of its own, and what it would otherwise warn about: a folder for sockets, a locale in UTF-8.

    A display has one keyboard: two processes whose windows share it take it from each other in the middle of a test.
    What needs a real display and mouse starts a server for itself.
    """
    config.pluginmanager.register(Costs(config))
    gc.disable()  # `pytest_collection_finish` says why
    config.add_cleanup(faulthandler.cancel_dump_traceback_later)
    if is_long_run(config):
        settings.register_profile(LONG_RUN, settings(), max_examples=EXAMPLES_OF_THE_LONG_RUN)
        settings.load_profile(LONG_RUN)
    if not sys.platform.startswith("linux"):
        return
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["COLUMNS"] = "100"  # answers are laid out for a terminal of that width, whoever runs the tests
    if os.environ.get("LC_ALL") in ("C", "POSIX"):
        os.environ["LC_ALL"] = "C.UTF-8"
    if "XDG_RUNTIME_DIR" not in os.environ:
        runtime = tempfile.TemporaryDirectory(prefix="gpuplanner-")  # its mode is 0700, as Qt wants it
        config.add_cleanup(runtime.cleanup)
        os.environ["XDG_RUNTIME_DIR"] = runtime.name


def pytest_collection(session: pytest.Session) -> None:
    """Of a whole run each worker imports a share of its own first: in a fresh clone the other finds those compiled.

    What cannot be imported is said when it is collected.
    """
    worker, workers = (os.environ.get(f"PYTEST_XDIST_WORKER{name}", "") for name in ("", "_COUNT"))
    if not worker or list(map(Path, session.config.args)) != [Path("tests")]:
        return
    for path in sorted((ROOT / "tests").rglob("test_*.py"))[int(worker.removeprefix("gw")) :: int(workers)]:
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Cases of the long run are made in the long run: each worker would collect them all, and throw them away."""
    if metafunc.config.option.markexpr != "not long":
        return
    is_long, parametrize = metafunc.definition.get_closest_marker("long") is not None, metafunc.parametrize

    def quick_alone(names: Any, cases: Iterable[Any], *more: Any, ids: Any = None, **said: Any) -> None:
        cases = list(cases)
        kept = [place for place, case in enumerate(cases) if not (is_long or _is_long(case))]
        kept = (
            kept or [*range(len(cases))][:1]
        )  # one, which is left out by its mark: no case at all is told as a skip
        if len(kept) < len(cases) and ids is not None and not callable(ids):
            named = list(ids)
            ids = [named[place] for place in kept]
        parametrize(names, [cases[place] for place in kept], *more, ids=ids, **said)

    metafunc.parametrize = quick_alone  # type: ignore[method-assign]


def _is_long(case: object) -> bool:
    return isinstance(case, ParameterSet) and any(mark.name == "long" for mark in case.marks)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The longest first, so that no worker is left alone with one; the order is else that of the tree."""
    place, count = map(int, config.getoption("share").split("/"))
    items[:] = items[place - 1 :: count]
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST_FIRST))


def pytest_collection_finish() -> None:
    """What was collected stays: it need not be looked through at every collection of garbage (a tenth of the time).

    Garbage is collected between tests, here, and none while tests are collected (a fifth of that time). Left to itself
    Python collects in whichever thread comes by, and in a thread of an evaluator that would delete Qt objects of tests
    before it while Qt's loop runs in the main thread.
    """
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A hang shows where it hangs. The watch is set once for some tests, not for each as by `faulthandler_timeout`:

    to set it again waits until the thread of the last one had its turn, on full processors longer than most tests take.
    """
    if next(_tests) % WATCHED_ANEW_EVERY == 0:
        hang_s = 6 * HANG_S if is_long_run(item.config) else HANG_S
        faulthandler.dump_traceback_later(hang_s, file=item.config.stash[fault_handler_stderr_fd_key])


def pytest_runtest_logfinish() -> None:
    """Collect what the tests so far left, once it is much."""
    if gc.get_count()[0] > MUCH_GARBAGE:
        gc.collect(2 if next(_collections) % FULL_ONE_IN == 0 else 1)


@pytest.fixture(scope="session")
def demo_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo of the golden day as a file, its inputs in a folder beside it. Nobody writes to it."""
    from gpuplanner.files.demo.days import GOLDEN_DAY, ending
    from gpuplanner.files.demo.demo_project import make_demo
    from gpuplanner.files.project.project_file import save_project

    folder = tmp_path_factory.mktemp("demo")
    save_project(make_demo(folder / "inputs", ending(GOLDEN_DAY)), folder / "demo.gpuplan")
    return folder / "demo.gpuplan"


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Iterator[Counter[str]]:
    """How many faults a test tried and how each ended: survived, refused or lost. `dev.py faults` adds them up."""
    counted: Counter[str] = Counter()
    yield counted
    for end, times in counted.items():
        record_property(end, times)


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What the folders of each home begin with, by number. Most tests write to none, and none is made for them:
    to make and take away a folder for each test would take longer than many a test.
    """
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the settings, projects or caches of whoever runs it."""
    home = next(_homes)
    for variable, folder in (
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_STATE_HOME", "state"),
        ("XDG_DOCUMENTS_DIR", "documents"),
        ("APPDATA", "roaming"),
        ("LOCALAPPDATA", "local"),
    ):
        monkeypatch.setenv(variable, f"{home}-{folder}")


@pytest.fixture(scope="session")
def need_tool() -> Callable[[str], str]:
    """`need_tool("soffice")` is the tool's path. Without it the test is skipped; on the build machine it fails."""

    def path_of(tool: str) -> str:
        if path := shutil.which(tool):
            return path
        reason = f"{tool} is not installed; `python3 packaging/dev.py test` installs it where it may"
        if IS_BUILD_MACHINE:
            pytest.fail(reason)
        pytest.skip(reason)

    return path_of


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public logs, bills and price lists, which lies beside the project and is no part of it."""
    folder = Path(os.environ.get("GPUPLANNER_TEST_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no public test data at {folder}; GPUPLANNER_TEST_DATA can name another place")
    return folder
