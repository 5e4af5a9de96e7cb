"""The public Slurm logs, where they lie beside the project: each gives its known figures through the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.cli.run import run
from tests.some_of import one_in, some_of

NOW_S = 1_790_000_000

FIGURES = {
    # file: format, read, accepted, rejected, duplicate, ignored; jobs, GPU jobs, GPU-hours, peak
    "fox2024_sacct_P_noheader.txt": ("sacct", 96, 29, 0, 0, 67, 29, 16, 0.8353, 8),
    "sonar_kv_fox2024.csv": ("sonar_kv", 96, 29, 0, 0, 67, 29, 16, 0.8353, 8),
    "sonar_kv_slurmjobs.csv": ("sonar_kv", 14, 2, 1, 1, 10, 2, 1, 73.3519, 1),
    "slurm2sql_test_data1.csv": ("slurm2sql", 5, 2, 0, 0, 3, 2, 0, 0.0, 0),
    "slurm2sql_test_data2.csv": ("slurm2sql", 5, 2, 0, 0, 3, 2, 0, 0.0, 0),
    "sarc_sacct_json_mila.json": ("sacct_json", 8, 8, 0, 0, 0, 8, 5, 3654.7028, 5),
    "sarc_sacct_json_slurm_21_8_8.json": ("sacct_json", 1, 1, 0, 0, 0, 1, 1, 23.9725, 1),
    "sarc_sacct_json_slurm_22_5_9.json": ("sacct_json", 1, 1, 0, 0, 0, 1, 1, 552.9022, 16),
    "sarc_sacct_json_slurm_23_2_6.json": ("sacct_json", 1, 1, 0, 0, 0, 1, 1, 2 * 83853331 / 3600, 2),
    "sarc_sacct_json_slurm_23_11_5.json": ("sacct_json", 1, 1, 0, 0, 0, 1, 1, 2 * 102228976 / 3600, 2),
}


def reduce(capsys: pytest.CaptureFixture[str], path: Path, status: int = 0) -> Any:
    assert run(["reduce", "--jobs", str(path), "--timezone", "Europe/Oslo", "--json"], NOW_S) == status
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", one_in(8, FIGURES))
def test_the_known_figures(capsys: pytest.CaptureFixture[str], shared_data: Path, name: str) -> None:
    answer = reduce(capsys, shared_data / "slurm" / name)
    (file,) = answer["intake"]["files"]
    jobs = answer["jobs"]
    fates = [file[f"rows_{end}"] for end in ("read", "accepted", "rejected", "duplicate", "ignored")]
    found = (file["format"], *fates, jobs["count"], jobs["gpu_jobs"], jobs["gpu_hours"], jobs["peak_gpus"])
    *exact, gpu_hours, peak = FIGURES[name]
    assert found == (*exact, pytest.approx(gpu_hours, abs=5e-5), peak)


@pytest.mark.long
def test_both_forms_of_one_log_are_the_same_demand(
    capsys: pytest.CaptureFixture[str], shared_data: Path
) -> None:
    forms = ("fox2024_sacct_P_noheader.txt", "sonar_kv_fox2024.csv")
    cubes = [reduce(capsys, shared_data / "slurm" / name)["cube"]["sha256"] for name in forms]
    assert cubes[0] == cubes[1]


@pytest.mark.parametrize("name", some_of(["ood_sacct.txt", "reportseff_sacct_strings.txt"], quick=1))
def test_what_tells_no_times_is_refused_by_name(
    capsys: pytest.CaptureFixture[str], shared_data: Path, name: str
) -> None:
    (file,) = reduce(capsys, shared_data / "slurm" / name, status=1)["intake"]["files"]
    (issue,) = file["issues"]
    assert issue["code"] == "missing_column"
    assert "Start, End, AllocTRES" in issue["message"]


@pytest.mark.long
def test_the_error_that_sonar_met_is_told(capsys: pytest.CaptureFixture[str], shared_data: Path) -> None:
    path = shared_data / "slurm" / "sonar_kv_slurmjobs.csv"
    run(["reduce", "--jobs", str(path)], NOW_S)
    assert "No can do" in capsys.readouterr().err
