"""Traces of the benchmark of classes, written as a log and imported, give the same workloads, hours and classes."""

import csv
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gpuplanner.domain.demand.classification import classify
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.benchmarks.made_traces import all_with_names
from tests.benchmarks.traces import DAYS, Trace, imported

HEAD = ("job_id", "cluster", "name", "user", "queue", "gpu_model", "gpus", "nodes", "start", "end", "state")
BEGIN = datetime(2026, 1, 5, tzinfo=UTC)  # a Monday


def write_log(path: Path, traces: list[Trace]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow([*HEAD])
        for trace in traces:
            for number, (start, length) in enumerate(zip(trace.start, trace.length, strict=True)):
                begin = BEGIN + timedelta(seconds=round(start * 3600))
                end = begin + timedelta(seconds=round(length * 3600))
                job = f"{trace.case}-{number}"
                row = (job, trace.case, trace.name, trace.owner, trace.queue, "H100", f"{trace.gpus:g}")
                lines.writerow((*row, trace.nodes, begin.isoformat(), end.isoformat(), "COMPLETED"))


@pytest.mark.long
def test_the_import_makes_of_a_log_what_the_benchmark_makes_of_its_traces(tmp_path: Path) -> None:
    traces = [
        replace(trace, activity=None, failed=0.0)  # which this log does not have
        for trace in all_with_names()[::23]
        if len(trace.start) <= 2000
    ]
    write_log(tmp_path / "jobs.csv", traces)
    begin_s = int(BEGIN.timestamp())
    window = WindowRequest(start_s=begin_s, end_s=begin_s + DAYS * 86_400)
    project = read_inputs([str(tmp_path / "jobs.csv")], window_request=window).project()
    made, cube = imported(traces)
    by_case = dict(zip((trace.case for trace in traces), made, strict=True))
    assert len(project.workloads) == len(made) > 20
    for read in project.workloads:
        ours = by_case[read.cluster]
        assert read.gpu_hours == pytest.approx(ours.gpu_hours, rel=1e-3)
        assert read.median_job_s == pytest.approx(ours.median_job_s, abs=2)
        assert (read.max_nodes, read.max_milli_gpus) == (ours.max_nodes, ours.max_milli_gpus)
        assert read.gpu_jobs == pytest.approx(
            ours.gpu_jobs, abs=1
        )  # a job after the window is none of its jobs
    tables = read_tables()
    found = {
        read.cluster: one.pool
        for read, one in zip(
            project.workloads, classify(project.workloads, project.cube, {}, tables), strict=True
        )
    }
    assert found == {
        trace.case: one.pool for trace, one in zip(traces, classify(made, cube, {}, tables), strict=True)
    }
