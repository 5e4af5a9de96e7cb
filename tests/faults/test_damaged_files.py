"""A damaged file of any kind is read or refused in one sentence: never a stack, whatever its library throws."""

import json
import random
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from gpuplanner.cli.run import run
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_tables import import_contracts
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.log_preview import preview_log
from gpuplanner.files.importing.recognise import glance, recognise
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.project.project_parts import part_hash
from tests.faults.kinds_of_files import CONTRACTS, LOG, LOGS, OTHERS, workbook
from tests.some_of import one_in

NOW_S = 1_790_000_000
_OF_OTHERS = ("contracts.xlsx", "prices.csv.gz", "bill.zip", "config.json", "lines.json")
PACKED = {**LOGS, **{name: OTHERS[name] for name in _OF_OTHERS}}
del PACKED["plain.csv"]
REFUSES = ("file_unreadable", "truncated_file", "not_a_job_log", "missing_column", "bad_number")


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Bits turned over, a run overwritten, the end cut off, or a piece left out: small harm in a file of any size."""
    data = bytearray(content)
    kind, at = chance.randrange(6), chance.randrange(len(data))
    if kind == 0:
        del data[at:]
    elif kind == 1:
        del data[at : at + chance.randrange(1, 40)]
    elif kind == 2:
        data[at : at + 8] = chance.randbytes(8)
    else:
        for _ in range(chance.choice((1, 1, 3))):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def read_or_refused(read: Callable[[str], object], path: Path, tally: Counter[str]) -> None:
    """Errors: whatever is no sentence."""
    said = None
    try:
        read(str(path))
    except PlannerError as fault:
        said = fault
    if said is not None:
        assert said.code in REFUSES and said.what and said.remedy and "\n" not in str(said), said
    tally["survived" if said is None else "refused"] += 1


def read_in_some_way(name: str) -> tuple[Callable[[str], object], ...]:
    if name.startswith("contracts"):
        return (recognise, lambda path: import_contracts([path]))
    return (glance, recognise, lambda path: read_inputs([path]), preview_log)


@pytest.mark.parametrize("name", one_in(16, [*PACKED]))
def test_a_damaged_file_of_any_kind_is_one_sentence(tmp_path: Path, name: str, tally: Counter[str]) -> None:
    chance = random.Random(name)
    ways = read_in_some_way(name)
    for number in range(12):
        path = tmp_path / f"{number} {name}"
        path.write_bytes(damaged(PACKED[name], chance))
        read_or_refused(ways[number % len(ways)], path, tally)


@pytest.mark.long
@pytest.mark.parametrize("name", [*PACKED])
def test_hundreds_of_damages_of_any_kind_are_one_sentence(
    tmp_path: Path, name: str, tally: Counter[str]
) -> None:
    chance = random.Random(f"long {name}")
    path = tmp_path / name
    for _ in range(200):
        path.write_bytes(damaged(PACKED[name], chance))
        for read in read_in_some_way(name):
            read_or_refused(read, path, tally)


def with_member_damaged(content: bytes, member: bytes) -> bytes:
    """The packed bytes of one member overwritten: its header and the list of members still say that it is there."""
    at = content.index(member) + len(member) + 12
    return content[:at] + b"\xa5\x5a" * 12 + content[at + 24 :]


@pytest.mark.parametrize("member", [b"xl/workbook.xml", b"xl/worksheets/sheet1.xml", b"xl/styles.xml"])
@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_workbook_with_a_damaged_member_ends_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], member: bytes, command: str
) -> None:
    (tmp_path / "jobs.csv").write_bytes(LOG)
    path = tmp_path / "contracts.xlsx"
    path.write_bytes(with_member_damaged(workbook(CONTRACTS), member))
    words = [] if command == "check" else ["--jobs", str(tmp_path / "jobs.csv"), "--contracts"]
    assert run([command, *words, str(path)], NOW_S) == 3
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and said.startswith(f"{path}: file_unreadable: ")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "jobs.csv").write_bytes(LOG)
    save_project(read_inputs([str(folder / "jobs.csv")]).project(), folder / "p.gpuplan")
    return folder / "p.gpuplan"


def replace_part(path: Path, name: str, text: str) -> None:
    payload = zlib.compress(text.encode())
    changed = "UPDATE part SET size = ?, sha256 = ?, payload = ? WHERE name = ?"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(changed, (len(text), part_hash(name, payload), payload, name))


@pytest.mark.parametrize("name", ["plans", "jobs", "workloads", "contracts", "offers", "intake", "cube"])
@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"a":' * 200_000, "[" * 900 + "]" * 900, '[{"a":' * 300 + "1" + "}]" * 300]
)
def test_a_part_of_a_project_that_is_nested_without_end_is_damaged(
    tmp_path: Path, project: Path, name: str, text: str
) -> None:
    path = tmp_path / "p.gpuplan"
    path.write_bytes(project.read_bytes())
    replace_part(path, name, text)
    with pytest.raises(PlannerError, match=f"part '{name}' is damaged"):
        open_project(path)


def test_values_nested_where_text_belongs_are_damage_too(
    tmp_path: Path, project: Path, tally: Counter[str]
) -> None:
    nested: object = 1
    for _ in range(900):
        nested = [nested]
    path = tmp_path / "p.gpuplan"
    with closing(sqlite3.connect(project)) as connection:
        (payload,) = connection.execute("SELECT payload FROM part WHERE name = 'plans'").fetchone()
    plans = json.loads(zlib.decompress(payload))
    for key in plans:
        path.write_bytes(project.read_bytes())
        replace_part(path, "plans", json.dumps({**plans, key: nested}))
        read_or_refused(lambda name: open_project(Path(name)), path, tally)
