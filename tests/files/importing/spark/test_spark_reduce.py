"""Spark gives what the embedded engine gives, on a cluster of several processes."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.files.sources.issue_texts import KEPT_IF_OPEN

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        importlib.util.find_spec("pyspark") is None, reason="the extra `spark` is not installed"
    ),
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
]

SEVERAL_PROCESSES = "--master local-cluster[2,1,1024] pyspark-shell"
HEADER = "job_id,cluster,name,account,gpu_model,gpus,start,end,state,class\n"


def _log(path: Path, first: int, last: int) -> str:
    """Jobs by number, some of them at fault; two logs that share numbers overlap."""
    rows = []
    for number in range(first, last):
        day, hour = 1 + number % 27, number % 24
        start = f"2026-02-{day:02}T{hour:02}:{number % 60:02}:00" + ("+01:00", "Z", "")[number % 3]
        end = f"2026-03-{day:02} {hour:02}:59:59.5Z" if number % 11 else ("", "noon")[number % 2]
        gpus = ("8", "1", "0.4285", "", "x", "16")[number % 6]
        state = ("COMPLETED", "RUNNING", "PENDING", "FAILED")[number % 4]
        cluster, owner = ("north", "south", "")[number % 3], "abc"[number % 3]
        model, label = ("H100", "A100", "")[number % 3], ("", "training")[number % 2]
        rows.append(
            f'{number},{cluster},"run, {number % 7}",{owner},{model},{gpus},{start},{end},{state},{label}\n'
        )
    path.write_text(HEADER + "".join(rows), encoding="utf-8")
    return str(path)


def _reduce(engine: str, *words: str, status: int = 0) -> dict[str, Any]:
    command = [sys.executable, "-m", "gpuplanner", "reduce", "--engine", engine, "--json", *words]
    environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": SEVERAL_PROCESSES}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == status, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    assert (document.pop("data_quality") is None) == (engine == "spark")  # it counts no quality
    for file in document["intake"]["files"]:
        for issue in file["issues"]:
            del issue["first_row"]  # Spark's rows have no line numbers
            told = issue["message"].removesuffix(f"; {KEPT_IF_OPEN}")  # nor does it keep such rows
            issue["message"] = told
    return document


def test_two_logs_that_overlap_give_the_same_document(tmp_path: Path) -> None:
    logs = [_log(tmp_path / "june.csv", 0, 900), _log(tmp_path / "july.csv", 600, 1500)]
    words = ("--jobs", *logs, "--timezone", "Europe/Oslo", "--cluster", "west")
    expected, found = (_reduce(engine, *words) for engine in ("duckdb", "spark"))
    assert found["cube"]["sha256"] == expected["cube"]["sha256"]
    assert found == expected
    assert sum(file["rows_duplicate"] for file in expected["intake"]["files"]) > 0


def test_rows_that_are_alike_are_dropped_as_elsewhere(tmp_path: Path) -> None:
    row = ",2,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z\n"
    path = tmp_path / "alike.csv"
    path.write_text("job_id,gpus,start,end\n" + 3 * row + "7" + row, encoding="utf-8")
    words = ("--jobs", str(path), "--drop-alike")
    expected, found = (_reduce(engine, *words) for engine in ("duckdb", "spark"))
    assert found == expected
    assert found["intake"]["files"][0]["rows_duplicate"] == 2


def test_a_record_that_spans_lines_gives_the_same_document(tmp_path: Path) -> None:
    text = Path(_log(tmp_path / "plain.csv", 0, 300)).read_text(encoding="utf-8")
    log = tmp_path / "spanning.csv"
    log.write_text(text.replace('"run, 3"', '"run,\n ""3"" """'), encoding="utf-8")
    words = ("--jobs", str(log))
    assert _reduce("spark", *words) == _reduce("duckdb", *words)


def test_steps_of_slurm_are_no_jobs_of_a_mapped_log_either(tmp_path: Path) -> None:
    log = tmp_path / "sacct.csv"
    times = "2026-01-05T10:00:00Z,2026-01-05T11:00:00Z"
    ids = ("7", "7.batch", "7.extern", "7.0", "8_[1-3]", "8_1", "8_1.batch", "9+1", "9+1.0", "", "10.")
    log.write_text("JobID,GPUs,Start,End\n" + "".join(f'"{name}",2,{times}\n' for name in ids))
    words = ("--jobs", str(log), "--map", "job_id=JobID,gpus=GPUs,start=Start,end=End")
    expected, found = (_reduce(engine, *words) for engine in ("duckdb", "spark"))
    assert found == expected
    assert found["intake"]["files"][0]["rows_ignored"] == 5


def test_rows_of_too_few_and_too_many_cells_end_alike(tmp_path: Path) -> None:
    lines = Path(_log(tmp_path / "plain.csv", 0, 300)).read_text(encoding="utf-8").splitlines()
    damages = ("{}", "{},more", "{},,", '{},"a, b"')
    lines[20:60] = [line.rpartition(",")[0] for line in lines[20:60]]
    lines[60:] = [damages[place % 4].format(line) for place, line in enumerate(lines[60:])]
    lines[90:120] = [line.rpartition(",")[0] for line in lines[90:120]]  # some of them open a quote
    log = tmp_path / "ragged.csv"
    log.write_text("\n".join([*lines, "", "   ", "what", "# no job", "700,a", ""]), encoding="utf-8")
    expected, found = (_reduce(engine, "--jobs", str(log)) for engine in ("duckdb", "spark"))
    assert found == expected
    codes = {issue["code"] for issue in found["intake"]["files"][0]["issues"]}
    assert {"short_row", "long_row"} <= codes


def test_a_log_without_our_columns_is_left_out_and_the_others_are_read(tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("JobID|State\n1|COMPLETED\n", encoding="utf-8")
    june = _log(tmp_path / "june.csv", 0, 50)
    found = _reduce("spark", "--jobs", str(other), june, status=1)  # as of any file of no use
    codes = [[issue["code"] for issue in file["issues"]] for file in found["intake"]["files"]]
    assert codes[0] == ["missing_column"]
    assert found["jobs"]["count"] > 0


def test_a_mapped_parquet_file_gives_the_same_document(tmp_path: Path) -> None:
    import duckdb

    path = str(tmp_path / "jobs.parquet")
    with duckdb.connect() as connection:
        connection.execute(
            "copy (select range as n, 250 * (range % 9) as milli, 1767225600 + 977 * range as begun, "
            "range % 500 as minutes from range(2000)) to '" + path + "' (format parquet)"
        )
    words = ("--jobs", path, "--map", "job_id=n,gpus=milli:milli,start=begun:epoch_s,duration=minutes:min")
    expected, found = (_reduce(engine, *words) for engine in ("duckdb", "spark"))
    assert expected["cube"]["milli_gpu_seconds"] > 0
    assert found == expected


def test_a_folder_of_logs_is_read_as_one(tmp_path: Path) -> None:
    folder = tmp_path / "some logs"
    folder.mkdir()
    parts = [Path(_log(folder / "june.csv", 0, 300)), Path(_log(folder / "july.csv", 300, 500))]
    lines = [part.read_text(encoding="utf-8").removeprefix(HEADER) for part in parts]
    whole = tmp_path / "whole.csv"
    whole.write_text(HEADER + "".join(lines), encoding="utf-8")
    expected, found = _reduce("duckdb", "--jobs", str(whole)), _reduce("spark", "--jobs", str(folder))
    for document in (expected, found):
        del document["intake"]["files"][0]["path"]
    assert found == expected


def test_a_mapped_table_in_another_encoding_gives_the_same_document(tmp_path: Path) -> None:
    rows = [f"{n};1,5;{1 + n % 28:02}.0{1 + n % 3}.2026 10:00;{n % 7 + 1};Jörg" for n in range(400)]
    log = tmp_path / "table.csv"
    log.write_text("ID;n;begun;took;who\n" + "\n".join(rows) + "\n", encoding="cp1252")
    words = ("--jobs", str(log), "--map", "job_id=ID,gpus=n,start=begun,duration=took:h,user=who")
    assert _reduce("spark", *words) == _reduce("duckdb", *words)
