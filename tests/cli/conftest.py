"""Small inputs for the command line, and a call of it in this process."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.cli import inputs
from gpuplanner.cli.run import run
from gpuplanner.domain import evaluation
from tests.read_once import EVALUATED_ONCE, MONTHS_ONCE, OpenedOnce, ReadOnce
from tests.schemas import faults

NOW_S = 1_790_000_000


@dataclass(frozen=True, slots=True)
class Said:
    """What one call left behind: exit status, the JSON document (None where none was printed), both outputs."""

    status: int
    document: Any
    out: str
    err: str


Call = Callable[..., Said]
Put = Callable[[str, str | bytes], str]


@pytest.fixture(scope="session")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> ReadOnce:
    """What commands read, for all tests of a worker."""
    return ReadOnce(tmp_path_factory.mktemp("rows"))


@pytest.fixture(scope="session")
def opened_once() -> OpenedOnce:
    """What commands open, for all tests of a worker."""
    return OpenedOnce()


@pytest.fixture(autouse=True)
def _once(read_once: ReadOnce, opened_once: OpenedOnce, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that name the same files share what was read of them, and what was worked out."""
    monkeypatch.setattr(inputs, "read_inputs", read_once)
    monkeypatch.setattr(inputs, "open_project", opened_once)
    monkeypatch.setattr(inputs, "months_of_log", MONTHS_ONCE)
    for name, once in EVALUATED_ONCE.items():
        monkeypatch.setattr(evaluation, name, once)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """`call("reduce", "--jobs", path)`: with --json unless text=True, which is every table in its full width."""

    def one(*argv: str, text: bool = False) -> Said:
        status = run([*argv, *(["--show", "all", "--wide"] if text else ["--json"])], NOW_S)
        said = capsys.readouterr()
        document = json.loads(said.out) if said.out and not text else None
        if document is not None and "command" in document:
            assert [*faults(document, document["command"])] == []
        return Said(status, document, said.out, said.err)

    return one


@pytest.fixture(scope="session")
def _contents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each content that a test wrote by `put`."""
    return tmp_path_factory.mktemp("put")


@pytest.fixture
def put(_contents: Path) -> Put:
    """`put("jobs.csv", text)` writes a file, byte for byte, and gives its path, the same for the same name and text:
    what commands read of it is read once, whichever test asks.
    """

    def one(name: str, content: str | bytes) -> str:
        data = content.encode() if isinstance(content, str) else content
        path = _contents / hashlib.sha256(data).hexdigest()[:16] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return str(path)

    return one
