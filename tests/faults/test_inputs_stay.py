"""Reading takes nothing away: every kind of input, by any spelling of its path, is there afterwards, byte for byte."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PureWindowsPath
from types import MappingProxyType

import pytest

from gpuplanner.app.importing.import_request import ImportRequest, read_request
from gpuplanner.cli.run import run
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_preview import preview_log
from gpuplanner.files.importing.recognise import glance, recognise
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.system.own_folder import discard, lies_in, own_folder
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.faults import kinds_of_files as kinds
from tests.faults.kinds_of_files import CONTRACTS, LOG, LOGS, OTHERS
from tests.some_of import some_of

NOW_S = 1_790_000_000
WHOLE_LOG = WindowRequest(whole_log=True)
SPELLINGS = MappingProxyType(
    {
        "plain": "{name}",
        "dot": "./{name}",
        "dot and two slashes": ".//{name}",
        "absolute": "{here}/{name}",
        "up and down": "folder/../{name}",
        "two slashes in the middle": "{here}//{name}",
        "dot in the middle": "{here}/./{name}",
        "folder up": "../{folder}/{name}",
        "a link": "link to {name}",
        "through a linked folder": "linked/{name}",
        "a folder called ~": "~/{name}",
        "begins with ~": "~{name}",
        "signs": "it's [1] $HOME *?{{a}} \"{name}",
        **({} if sys.platform == "win32" else {"two slashes first": "/{here}/{name}"}),  # a share of Windows
    }
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the working one, where every spelling names a file."""
    folder = tmp_path / "here"
    for made in (folder / "folder", folder / "~"):
        made.mkdir(parents=True)
    (folder / "linked").symlink_to(folder)
    monkeypatch.chdir(folder)
    return folder


def put(here: Path, name: str, content: bytes, spelling: str) -> str:
    """A file, and its path so spelled."""
    said = SPELLINGS[spelling].format(name=name, here=here, folder=here.name)
    if spelling == "a link":
        (here / name).write_bytes(content)
        Path(said).symlink_to(here / name)
    else:
        Path(said).write_bytes(content)
    assert Path(said).exists()
    return said


def put_each(here: Path, name: str, content: bytes, spellings: Sequence[str] = tuple(SPELLINGS)) -> list[str]:
    """The same content under every spelling, each a file of its own."""
    return [put(here, f"{number} {name}", content, spelling) for number, spelling in enumerate(spellings)]


def contents(folder: Path) -> dict[str, bytes | str]:
    return {
        str(path): os.readlink(path) if path.is_symlink() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def called(*words: str) -> int:
    return run([*words, "--json"], NOW_S)


def in_turn(here: Path, files: Mapping[str, bytes]) -> list[str]:
    """Each file once, every one spelled in another way than the one before."""
    spellings = [*SPELLINGS]
    return [
        put(here, name, content, spellings[number % len(spellings)])
        for number, (name, content) in enumerate(files.items())
    ]


@pytest.mark.long
def test_every_kind_of_log_and_every_spelling_is_read_and_stays(here: Path, tmp_path: Path) -> None:
    again = {f"again {number}": LOG for number in range(len(SPELLINGS) - len(LOGS))}
    given = in_turn(here, {**LOGS, **again})
    before = contents(here)
    read = import_jobs(given, window_request=WHOLE_LOG, rows_dir=tmp_path / "rows")
    assert not read.refused and all(file.rows_accepted + file.rows_duplicate for file in read.intake)
    assert contents(here) == before


@pytest.mark.long
@pytest.mark.parametrize("spelling", [*SPELLINGS])
def test_every_kind_of_file_stays_by_every_spelling(here: Path, spelling: str) -> None:
    logs = [put(here, name, content, spelling) for name, content in LOGS.items()]
    others = [put(here, name, content, spelling) for name, content in OTHERS.items()]
    before = contents(here)
    import_jobs(logs, window_request=WHOLE_LOG)
    called("check", *others)
    for path in (*logs, *others):
        for look in (glance, recognise, preview_log):
            with suppress(PlannerError):
                look(path)
    assert contents(here) == before


@pytest.mark.long
@pytest.mark.parametrize("look", some_of([preview_log, recognise, glance], quick=1))
def test_whatever_is_looked_at_stays(here: Path, look: Callable[[str], object]) -> None:
    given = [*in_turn(here, LOGS), *in_turn(here, OTHERS)]
    before = contents(here)
    for path in given:
        with suppress(PlannerError):
            look(path)
        assert contents(here) == before, path


@pytest.mark.long
def test_check_takes_nothing_away(here: Path) -> None:
    given = in_turn(here, OTHERS)
    before = contents(here)
    assert called("check", *given) == 3  # one of them is cut off
    assert contents(here) == before


COMMANDS = ("reduce", "audit", "plan", "backtest", "export")
SHARED_OUT = [(command, tuple(SPELLINGS)[place :: len(COMMANDS)]) for place, command in enumerate(COMMANDS)]
"""Every command, and every spelling with one of them."""


@pytest.mark.parametrize(
    ("command", "spellings"),
    some_of([*SHARED_OUT, *((command, tuple(SPELLINGS)) for command in COMMANDS)], quick=1),
)
def test_no_command_takes_an_input_away(
    here: Path, tmp_path: Path, command: str, spellings: Sequence[str]
) -> None:
    words = [command, "--jobs", *put_each(here, "jobs.csv", LOG, spellings)]
    if command != "reduce":
        words += [
            "--prices",
            *put_each(here, "prices.csv", kinds.PRICES, spellings),
            "--rules",
            *put_each(here, "rules.csv", kinds.RULES, spellings),
        ]
    if command in ("audit", "plan", "export"):
        words += ["--contracts", *put_each(here, "contracts.csv", CONTRACTS, spellings)]
    if command == "export":
        words += ["--out", str(tmp_path / "plan.xlsx")]
    before = contents(here)
    assert called(*words) == 0
    assert contents(here) == before


@pytest.mark.long
def test_sizing_and_placing_take_no_input_away(here: Path) -> None:
    models, loads = (
        put_each(here, "config.json", kinds.MODEL_CONFIG),
        put_each(here, "traffic.csv", kinds.TRAFFIC),
    )
    places = {name: put_each(here, f"{name}.csv", text) for name, text in kinds.PLACES.items()}
    before = contents(here)
    for model, load in zip(models, loads, strict=True):
        assert called("size", "--model", model, "--traffic", load) == 0
    assert called("place", *(word for name, paths in places.items() for word in (f"--{name}", *paths))) == 0
    assert contents(here) == before


@pytest.mark.long
def test_a_project_and_what_the_window_imports_stay(here: Path, tmp_path: Path) -> None:
    jobs, contracts, prices = (
        put_each(here, name, text)
        for name, text in (("jobs.csv", LOG), ("contracts.csv", CONTRACTS), ("prices.csv", kinds.PRICES))
    )
    places = [
        (name, path) for name, text in kinds.PLACES.items() for path in put_each(here, f"{name}.csv", text)
    ]
    request = ImportRequest(
        job_paths=tuple(jobs),
        contract_paths=tuple(contracts),
        price_paths=tuple(prices),
        rows_dir=tmp_path / "rows",
        place_paths=tuple(places),
    )
    before = contents(here)
    read = read_request(request, lambda share, what: None, lambda: False)
    assert not read.refused and contents(here) == before
    save_project(read.project(), tmp_path / "p.gpuplan")
    saved = (tmp_path / "p.gpuplan").read_bytes()
    projects = put_each(here, "p.gpuplan", saved)
    before = contents(here)
    for path in projects:
        open_project(Path(path))
    assert called("reduce", projects[1]) == 0
    assert contents(here) == before


# ---------------------------------------------------------------- what may be thrown away at all

WINDOWS_FOLDER = PureWindowsPath(r"C:\Users\me\AppData\Local\Temp\gpuplanner-work-abc")
FOREIGN_ON_WINDOWS = (
    "C:/logs/jobs.csv",
    r"C:\logs\jobs.csv",
    r"c:\LOGS\jobs.csv",
    r"\\host\share\jobs.csv",
    "//host/share/jobs.csv",
    r"\\?\C:\logs\jobs.csv",
    r"C:\logs\.\jobs.csv",
    "jobs.csv",
    "C:jobs.csv",
    str(WINDOWS_FOLDER),
    str(WINDOWS_FOLDER.parent / "jobs.csv"),
    rf"{WINDOWS_FOLDER}\..\jobs.csv",
    rf"{WINDOWS_FOLDER}\..",
    rf"{WINDOWS_FOLDER}\spill\..\..\jobs.csv",
    rf"{WINDOWS_FOLDER}2\part_0",
)


@pytest.mark.parametrize("path", FOREIGN_ON_WINDOWS)
def test_by_no_spelling_of_windows_is_a_file_of_the_planner_ours(path: str) -> None:
    assert not lies_in(PureWindowsPath(path), [WINDOWS_FOLDER])


def test_what_we_unpacked_is_ours_by_every_spelling_of_windows() -> None:
    for folder in (str(WINDOWS_FOLDER), WINDOWS_FOLDER.as_posix(), str(WINDOWS_FOLDER).lower()):
        assert lies_in(PureWindowsPath(folder) / "part_0", [WINDOWS_FOLDER])


def test_only_what_lies_in_a_folder_of_ours_is_discarded(tmp_path: Path) -> None:
    mine, theirs = "part_0", tmp_path / "gpuplanner-work-abc" / "part_0"
    theirs.parent.mkdir()
    theirs.write_bytes(b"theirs")
    with own_folder() as folder:
        (folder / mine).write_bytes(b"ours")
        (folder / "deeper").mkdir()
        (folder / "deeper" / mine).symlink_to(theirs)
        for path in (theirs, folder / ".." / theirs.parent.name / mine, folder / "deeper" / mine):
            discard(path)
        assert theirs.read_bytes() == b"theirs"
        discard(folder / mine)
        assert not (folder / mine).exists()
        (folder / mine).symlink_to(theirs)
        discard(folder / mine)
        assert theirs.read_bytes() == b"theirs" and not (folder / mine).is_symlink()
    discard(folder / mine)
    assert not folder.exists() and theirs.exists()
