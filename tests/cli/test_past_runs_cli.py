"""What sharing did to training runs: contended hours, idle tails by run, commitments under long runs, and a limit."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.cli.run import run
from gpuplanner.domain.reports.training import OF_PAST_RUNS

NOW_S = 1_800_000_000

HEAD = "job_id,cluster,name,user,gpu_model,gpus,start,end,state\n"
ROW = "{id},east,{name},{user},H100,{gpus},2026-01-{begin}:00Z,2026-01-{end}:00Z,{state}\n"
TRAIN, SERVE = ("sft-train", "ana"), ("chat-vllm-serving", "bo")
RUNS = (
    *((f"t{day}", *TRAIN, 8, f"{day:02d}T00:00", f"{day:02d}T10:00", "COMPLETED") for day in (1, 2, 3)),
    ("t4", *TRAIN, 8, "04T00:00", "04T12:30", "COMPLETED"),
    ("s4", *SERVE, 12, "04T00:00", "04T13:00", "COMPLETED"),  # 20 GPUs are asked for, 16 are there
    ("t5", *TRAIN, 8, "05T00:00", "05T03:00", "FAILED"),
    ("s5", *SERVE, 12, "05T00:00", "05T03:00", "COMPLETED"),
    ("l6", "pretrain-70b", "cy", 24, "06T00:00", "08T00:00", "COMPLETED"),  # 24 where 16 are there
    ("e9", *SERVE, 1, "09T00:00", "09T01:00", "COMPLETED"),
)
CONTRACTS = "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start\nk,east,H100,16,2.5,2025-12-01\n"
PRICES = (
    "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,gpu_memory_gb\n"
    "use,H100,Standard,0,3.0,80\nmonth,H100,Committed,1,2.0,80\n"
)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A log of runs, one contract for 16 GPUs, and prices."""
    keys = ("id", "name", "user", "gpus", "begin", "end", "state")
    log = HEAD + "".join(ROW.format(**dict(zip(keys, one, strict=True))) for one in RUNS)
    words = []
    for name, text in (("jobs", log), ("contracts", CONTRACTS), ("prices", PRICES)):
        (tmp_path / f"{name}.csv").write_text(text)
        words += [f"--{name}", str(tmp_path / f"{name}.csv")]
    return words


def _document(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert run([*words, "--json"], NOW_S) == 0
    return json.loads(capsys.readouterr().out)


def test_runs_that_met_other_work_stand_beside_those_that_did_not(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    longer, failed, large = _document(capsys, "audit", *files)["contended_runs"]
    assert (longer["run"], longer["name"], longer["team"]) == ("t4", "sft-train", "ana")
    assert (longer["hours"], longer["usual_hours"], longer["longer_share"]) == (12.5, 10.0, 0.25)
    assert (
        longer["contended_hours"] == 12.0
    )  # of the last hour 16 GPU-hours are asked for, as many as there are
    assert (failed["run"], failed["is_failed"], failed["longer_share"]) == ("t5", True, None)
    assert (large["run"], large["usual_hours"], large["longer_share"]) == ("l6", None, None)


def test_tails_have_the_run_that_ended_and_add_up_to_their_leak(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = _document(capsys, "audit", *files)
    tails, (leak,) = found["idle_tails"], [one for one in found["leaks"] if one["code"] == "idle_tail"]
    assert [(one["run"], one["hours"]) for one in tails[:3]] == [("t1", 14.0), ("t2", 14.0), ("t3", 14.0)]
    assert tails[0]["start"] == "2026-01-01T10:00:00Z"
    assert tails[0]["gpu_hours"] == 16 * 14
    for key in ("gpu_hours", "usd_per_month"):
        assert sum(one[key] for one in tails) == pytest.approx(leak[key])


@pytest.mark.long
def test_a_run_over_a_day_has_its_share_on_commitments(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (one,) = _document(capsys, "audit", *files)["long_runs"]
    assert (one["run"], one["hours"], one["gpus"]) == ("l6", 48.0, 24.0)
    assert one["committed_share"] == pytest.approx(16 / 24)


@pytest.mark.long
def test_runs_are_in_the_project_file_and_in_the_terminal(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = str(tmp_path / "plan.gpuplan")
    assert run(["export", *files, "--project", project, "--out", str(tmp_path / "o.xlsx")], NOW_S) == 0
    assert run(["audit", project, "--show", "all", "--wide"], NOW_S) == 0
    text = capsys.readouterr().out
    assert str(OF_PAST_RUNS["contended_runs"].title) in text
    assert "25.0%  Took longer" in text


@pytest.mark.long
def test_training_that_is_never_by_use_is_signed_for_and_the_limit_has_its_cost(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    free = _document(capsys, "plan", *files, "--greenfield")
    kept = _document(capsys, "plan", *files, "--greenfield", "--set", "training_never_by_use=on")
    by_use = [
        [
            one
            for row in found["pools"]
            if row["pool"] == "training"
            for one in row["layers"]
            if not one["term_months"]
        ]
        for found in (free, kept)
    ]
    assert (bool(by_use[0]), by_use[1]) == (True, [])
    assert free["limits"] == []
    (limit,) = kept["limits"]
    assert limit["limit"] == "training_never_by_use"
    years = [sum(month["plan_usd"] for month in found["comparison"]) for found in (free, kept)]
    assert limit["costs_usd_in_12_months"] == pytest.approx(years[1] - years[0])
    assert all(one["pool"] == "training" for one in kept["unserved"])
    do_nothing = [found["totals"]["do_nothing_usd_per_month"] for found in (free, kept)]
    assert do_nothing[0] == do_nothing[1]
