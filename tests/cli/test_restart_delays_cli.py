"""How long requeued jobs waited to go on, from the log to the document, and through a project file."""

import json
from pathlib import Path

import pytest

from gpuplanner.cli.run import run
from gpuplanner.domain.reports.cash import RESTARTS

ROW = "{job},east,llama-3-70b-ft,ana,H100,16,2,2026-01-{start}:00:00Z,2026-01-{end}:00:00Z,{state}\n"
RUNS = (
    (1, "01T00", "02T00", "NODE_FAIL"),
    (1, "02T01", "03T00", "REQUEUED"),
    (1, "03T03", "04T00", "PREEMPTED"),
    (1, "04T08", "20T00", "COMPLETED"),
    (2, "05T00", "06T00", "COMPLETED"),  # what completed was not requeued
    (2, "07T00", "28T00", "COMPLETED"),
)


def _log(path: Path, runs: tuple[tuple[int, str, str, str], ...]) -> str:
    rows = "".join(ROW.format(job=job, start=start, end=end, state=state) for job, start, end, state in runs)
    path.write_text("job_id,cluster,name,user,gpu_model,gpus,nodes,start,end,state\n" + rows)
    return str(path)


def _delays(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, float] | None:
    assert run(["plan", *words, "--json"], 1_800_000_000) == 0
    found = json.loads(capsys.readouterr().out)["restart_delays"]
    assert found is None or isinstance(found, dict)
    return found


@pytest.mark.long
def test_delays_are_between_runs_of_one_job_that_did_not_complete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, project = _log(tmp_path / "jobs.csv", RUNS), str(tmp_path / "plan.gpuplan")
    found = _delays(capsys, "--jobs", log)
    assert found is not None
    assert (found["count"], found["p50_h"], found["p90_h"]) == (3, 3.0, 8.0)
    assert found["lost"] == pytest.approx(0.115, abs=0.0005)  # 15 minutes
    assert found["lost_p50"] == pytest.approx(0.240, abs=0.0005)  # and 3 h
    assert run(["export", "--jobs", log, "--project", project], 1_800_000_000) == 0
    capsys.readouterr()
    assert _delays(capsys, project) == found
    assert run(["plan", project, "--show", "all"], 1_800_000_000) == 0
    table = capsys.readouterr().out.split(str(RESTARTS.title), 1)[1].splitlines()
    assert [line.split()[-2:] for line in table[2:5]] == [
        ["0.0", "11.5%"],
        ["3.0", "24.0%"],
        ["8.0", "44.8%"],
    ]


@pytest.mark.long
def test_without_a_requeued_job_the_delay_is_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _delays(capsys, "--jobs", _log(tmp_path / "jobs.csv", RUNS[3:])) is None
