"""What all tests share: a home of their own, tools that may be missing, the public data beside the project."""

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
IS_BUILD_MACHINE = os.environ.get("CI", "").lower() in ("1", "true")

# Machines differ in speed, so time decides nothing; on the build machine chance decides nothing either.
# Fifty examples where a test says nothing else: the normal run is for every change, the long one takes thousands.
settings.register_profile("gpuplanner", deadline=None, max_examples=50)
settings.register_profile("build machine", deadline=None, max_examples=50, derandomize=True, print_blob=True)
settings.load_profile("build machine" if IS_BUILD_MACHINE else "gpuplanner")


def pytest_configure(config: pytest.Config) -> None:
    """Give Qt a display of its own, and what it would otherwise warn about: a folder for sockets, a locale in UTF-8.

    A display has one keyboard: two processes whose windows share it take it from each other in the middle of a test.
    What needs a real display and mouse starts a server for itself.
    """
    if not sys.platform.startswith("linux"):
        return
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if os.environ.get("LC_ALL") in ("C", "POSIX"):
        os.environ["LC_ALL"] = "C.UTF-8"
    if "XDG_RUNTIME_DIR" not in os.environ:
        runtime = tempfile.TemporaryDirectory(prefix="gpuplanner-")  # its mode is 0700, as Qt wants it
        config.add_cleanup(runtime.cleanup)
        os.environ["XDG_RUNTIME_DIR"] = runtime.name


def pytest_collection_finish() -> None:
    """What was collected stays: it need not be looked through at every collection of garbage (a tenth of the time)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the settings, projects or caches of whoever runs it."""
    home = tmp_path_factory.mktemp("home", numbered=True)
    for variable, folder in (
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_STATE_HOME", "state"),
        ("XDG_DOCUMENTS_DIR", "documents"),
        ("APPDATA", "roaming"),
        ("LOCALAPPDATA", "local"),
    ):
        monkeypatch.setenv(variable, str(home / folder))


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
