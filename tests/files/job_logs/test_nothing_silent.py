"""Nothing of a log is dropped in silence: what holds no job, what is beyond the columns, what JSON does not know."""

import json
from pathlib import Path

import pytest

from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.intake import ReadResult
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.job_logs.propose_columns import proposal_for
from gpuplanner.files.sources.source import survey
from gpuplanner.files.tables.column_mapping import ColumnMapping, parse_mapping
from tests.files.job_logs.row_ends import Read
from tests.some_of import one_in, some_of

MAP = "job_id=id,gpus=gpus,start=start,end=end"
TIMES = {"start": "2026-01-05T10:00:00Z", "end": "2026-01-05T11:00:00Z"}
SLURM = (
    "12345|train|{}2026-01-05T10:00:00|2026-01-05T11:00:00|cpu=8,gres/gpu=2\n"
    "12345.batch|batch|{}2026-01-05T10:00:00|2026-01-05T11:00:00|cpu=8,gres/gpu=2\n"
    "12345.0|step|{}2026-01-05T10:00:00|2026-01-05T11:00:00|cpu=8,gres/gpu=2\n"
    "12346_7|train|{}2026-01-05T10:00:00|2026-01-05T12:00:00|cpu=8,gres/gpu=4\n"
)


def _said(read: ReadResult, code: str) -> list[str]:
    return [issue.message for file in read.intake for issue in file.issues if issue.code == code]


@pytest.mark.parametrize(
    "text",
    one_in(
        4,
        [
            '{"jobs": []}',
            '{"meta": {"Slurm": {"version": {"major": 23}}}, "jobs": [], "errors": []}',
            '{"apiVersion": "v1", "kind": "List", "items": []}',
            "job_id,gpus,start,end\n",
        ],
    ),
    ids=["bare", "slurm", "kubernetes", "header"],
)
def test_a_log_without_any_job_says_so(read_log: Read, text: str) -> None:
    read = read_log(text)
    (message,) = _said(read, "not_a_job_log")
    assert str(message) and not read.intake[0].rows_accepted
    assert read.accepted_jobs == 0


@pytest.mark.parametrize("kind", ["List", "NodeList"])
def test_nodes_alone_are_no_jobs(read_log: Read, kind: str) -> None:
    nodes = [{"kind": "Node", "metadata": {"name": f"n{n}", "labels": {}}} for n in range(2)]
    read = read_log(json.dumps({"apiVersion": "v1", "kind": kind, "items": nodes}))
    (message,) = _said(read, "not_a_job_log")
    assert "2 nodes with 0 GPUs" in str(message) and "--contracts" in str(message)


@pytest.mark.long
def test_rows_with_cells_beyond_the_columns_are_rejected_and_empty_cells_are_none(read_log: Read) -> None:
    row = "{},2,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z{}\n"
    rows = row.format(1, "") + row.format(2, ",more,") + row.format(3, ",,,") + row.format(4, ",x")
    for text in ("job_id,gpus,start,end\n" + rows, "Jobs of January\n\njob_id,gpus,start,end\n" + rows):
        read = read_log(text, mapping="job_id=job_id,gpus=gpus,start=start,end=end")
        (found,) = [issue for issue in read.intake[0].issues if issue.code == "long_row"]
        assert (found.count, found.first_row) == (2, text[: text.index("more")].count("\n") + 1)
        assert (read.intake[0].rows_accepted, read.intake[0].rows_rejected) == (2, 2)
        assert [row.text.count("more") for row in read.intake[0].rejected] == [1, 0]
    assert not _said(read_log("job_id,gpus,start,end\n" + row.format(1, "")), "long_row")


@pytest.mark.parametrize("form", some_of(["array", "lines"], quick=1))
def test_numbers_that_json_does_not_know_are_texts(read_log: Read, form: str) -> None:
    jobs = [
        {"id": "a", "gpus": 2, "use": float("nan"), "note": 'NaN, -Infinity " NaN', **TIMES},
        {"id": "b", "gpus": float("nan"), "use": -float("inf"), **TIMES},
    ]
    text = json.dumps(jobs) if form == "array" else "\n".join(map(json.dumps, jobs))
    read = read_log(text, mapping=MAP + ",name=note,gpu_activity_percent=use")
    assert (read.intake[0].rows_accepted, read.intake[0].rows_rejected) == (1, 1)
    assert read.intake[0].rejected[0].code == "bad_number"
    assert len(_said(read, "bad_number")) == 1 and read.jobs.gpu_hours == 2.0


@pytest.mark.parametrize(
    "other", some_of([{"status": {"list": [{"a": 1}, {"a": 2}, {"a": 3}]}}, {}], quick=1)
)
@pytest.mark.parametrize(
    "path", some_of([((*deep, "jobs"),) for deep in (("data", "cluster"), ("data",), ())], quick=1)
)
def test_jobs_some_levels_deep_are_found(
    tmp_path: Path, path: tuple[str, ...], other: dict[str, object]
) -> None:
    inside: object = [{"id": n, "gpus": 2, **TIMES} for n in "ab"]
    for key in reversed(path):
        inside = {key: inside}
    assert isinstance(inside, dict)
    log = tmp_path / "jobs.json"
    for indent in (None, 1):
        log.write_text(json.dumps({**other, **inside}, indent=indent), encoding="utf-8")
        proposal = proposal_for(survey(str(log)))
        assert proposal is not None and proposal.words == MAP
        assert import_jobs([str(log)], options=ReadOptions(mapping=MAP)).jobs.gpu_hours == 4.0


@pytest.mark.long
def test_jobs_of_slurm_some_levels_deep_are_found(read_log: Read) -> None:
    job = {"job_id": 7, "association": {"user": "u"}, "state": {"current": "COMPLETED"}, "partition": "p"}
    job |= {"time": {"start": 1767607200, "end": 1767610800}, "derived_exit_code": 0, "allocation_nodes": 1}
    job |= {"tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 2}]}}
    read = read_log(json.dumps({"data": {"jobs": [job]}}))
    assert read.intake[0].format == "sacct_json" and read.jobs.gpu_hours == 2.0


def test_columns_of_slurm_that_were_guessed_are_named(read_log: Read) -> None:
    text = SLURM.replace("|cpu", "|COMPLETED|cpu").replace("{}", "")
    read = read_log(text)
    (message,) = _said(read, "undecided")
    assert "1 as JobID" in str(message) and "3 as Start" in str(message) and "6 as AllocTRES" in str(message)
    assert read.intake[0].rows_ignored == 2 and read.jobs.gpu_hours == 10.0


def test_slurm_ids_are_proposed_and_its_steps_are_no_jobs(tmp_path: Path) -> None:
    log = tmp_path / "jobs.txt"
    log.write_text(SLURM.replace("{}", ""), encoding="utf-8")  # no state: nothing says that it is Slurm's
    proposal = proposal_for(survey(str(log)))
    assert proposal is not None and proposal.mapping is not None
    assert proposal.mapping.columns["job_id"] == "column 1"
    read = import_jobs([str(log)], options=ReadOptions(mapping=proposal.mapping))
    assert (read.intake[0].rows_accepted, read.intake[0].rows_ignored) == (2, 2)
    assert read.jobs.gpu_hours == 10.0


def test_ids_with_a_dot_that_are_no_steps_stay_jobs(read_log: Read) -> None:
    text = "id,gpus,start,end\n" + "".join(f"12.{n},1,{TIMES['start']},{TIMES['end']}\n" for n in range(3))
    assert read_log(text, mapping=MAP).intake[0].rows_accepted == 3


def test_percent_of_a_gpu_are_not_taken_for_gpus(tmp_path: Path) -> None:
    rows = [100, 100, 50, 25, 200, 100]
    log = tmp_path / "trace.csv"
    log.write_text(
        "job_name,plan_gpu,start_time,end_time\n"
        + "".join(f"j{n},{share},1767600000,1767603600\n" for n, share in enumerate(rows)),
        encoding="utf-8",
    )
    proposal = proposal_for(survey(str(log)))
    assert proposal is not None and proposal.mapping is not None
    assert proposal.mapping.units["gpus"] == "percent" and "percent" in str(proposal.readings["gpus"].note)
    assert (
        import_jobs([str(log)], options=ReadOptions(mapping=proposal.mapping)).jobs.gpu_hours
        == sum(rows) / 100
    )
    assert parse_mapping("gpus=a:percent,start=b,end=c") == ColumnMapping(
        {"gpus": "a", "start": "b", "end": "c"}, {"gpus": "percent"}
    )
