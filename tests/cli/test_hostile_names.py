"""Law: whatever files and arguments are called and a log says, a terminal is told lines that are seen."""

import csv
import io
import json
import re
import sys
import unicodedata
from pathlib import Path

import pytest

import gpuplanner
from gpuplanner.__main__ import main
from gpuplanner.cli.run import run
from tests.some_of import one_in
from tests.ui.audit_world import CONTRACTS, PRICES, jobs_text

HOSTILE = "\r\x1b[2J\x9b31m\x7f\u202e\u2066\x07\x08\x85\u2028\u2029A\nFORGED\t"
NAMES = {
    "jobs.csv": ("name", "account", "user", "queue"),
    "contracts.csv": ("contract_id", "provider", "region"),
    "prices.csv": ("offer_id", "provider", "region", "source"),
}
"""Columns of each file that are names; clusters and GPU models have a test of their own below."""


def steers(text: str) -> list[str]:
    """What of a text a terminal would obey, or forge a line with."""
    found = {letter for letter in text if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    forged = [line for line in text.split("\n") if line.strip().startswith("FORGED")]
    return sorted(map(ascii, found - {"\n"})) + forged


@pytest.fixture
def world(tmp_path: Path) -> dict[str, str]:
    texts = {"jobs.csv": jobs_text(), "contracts.csv": CONTRACTS, "prices.csv": PRICES}
    for name, text in texts.items():
        head, *rows = csv.reader(io.StringIO(text))
        names = {*NAMES[name], "cluster", "gpu_model"}
        with (tmp_path / name).open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(head)
            for row in rows:
                writer.writerow(
                    cell + HOSTILE if heading in names else cell
                    for heading, cell in zip(head, row, strict=True)
                )
    return {name: str(tmp_path / name) for name in texts}


@pytest.mark.long
@pytest.mark.parametrize("command", one_in(5, ["check", "reduce", "audit", "plan", "backtest"]))
def test_names_in_files_steer_nothing(
    world: dict[str, str], capsys: pytest.CaptureFixture[str], command: str
) -> None:
    jobs, contracts, prices = world.values()
    files = {
        "check": [jobs, contracts, prices],
        "reduce": ["--jobs", jobs],
        "backtest": ["--jobs", jobs, "--prices", prices],
    }.get(command, ["--jobs", jobs, "--contracts", contracts, "--prices", prices])
    status = run([command, *files], 1_790_000_000)
    said = capsys.readouterr()
    assert status in (0, 1) and said.out and steers(said.out) == steers(said.err) == []
    run([command, *files, "--json"], 1_790_000_000)
    out = capsys.readouterr().out
    assert steers(out) == []
    json.loads(out)


def test_json_has_every_sign_of_a_name(call, tmp_path: Path) -> None:
    path = tmp_path / "a\x7f\x1b\u202eb.csv"
    path.write_text(
        "job_id,gpus,start,end\n1,8,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n", encoding="utf-8"
    )
    said = call("check", str(path))
    assert steers(said.out) == [] and said.document["files"][0]["path"] == str(path)


EVIL = "x\x1b[2J\r\nFORGED\x9b\u202e"


@pytest.mark.parametrize(
    "words",
    one_in(4, [
        ["check", EVIL], ["reduce", f"--{EVIL}"], ["reduce", "--jobs", EVIL], ["plan", "--set", f"{EVIL}=1"],
        ["plan", "--jobs", EVIL, "--set", f"lambda={EVIL}"], ["audit", EVIL], [EVIL], [f"{EVIL}.gpuplan", EVIL],
        ["--size", EVIL], ["--theme", EVIL], ["export", "--jobs", EVIL, "--out", EVIL], ["demo", f"/dev/null/{EVIL}"],
        ["size", "--model", EVIL, "--traffic", EVIL], ["place", "--users", EVIL, "--sites", EVIL],
        ["check", "a\udcff\x1b"], ["plan", "--price-case", EVIL, "--jobs", "x"], ["reduce", "--engine", EVIL],
    ]),
)  # fmt: skip
def test_words_of_the_call_steer_nothing(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["gpuplanner", *words])
    assert main() in (2, 3)
    said = capsys.readouterr()
    assert said.out == "" and steers(said.err) == [] and said.err.count("\n") == 1


@pytest.mark.long
def test_a_picture_of_a_project_that_cannot_be_opened_steers_nothing(
    qapp: object, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from gpuplanner.ui.window.application import run as open_window

    project = tmp_path / "a\x1b[2J\r\u202e\nFORGED.gpuplan"
    project.write_bytes(b"nothing")
    assert open_window(project, now_s=1_790_000_000, screenshot=tmp_path / "p.png") == 3
    said = capsys.readouterr()
    assert "FORGED" in said.err and steers(said.err) == [] and said.err.count("\n") == 1


def test_nothing_but_the_one_place_prints() -> None:
    root = Path(gpuplanner.__path__[0])
    sources = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in root.rglob("*.py")
    }
    prints = re.compile(r"(?<![\w.])print\(|sys\.(__)?std(out|err)(__)?\.(write|buffer)")
    assert [name for name, source in sources.items() if prints.search(source)] == []
