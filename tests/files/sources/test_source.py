"""JSON is recognised however long its first record is, or what stands before it."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.sources.source import OTHER, begins_long, survey, thinned

CORES = [{"index": index, "status": ["ALLOCATED"]} for index in range(24)]
NODES = [{"name": f"node{index:04}", "sockets": [{"index": 0, "cores": CORES}]} for index in range(200)]
JOB: dict[str, Any] = {
    "job_resources": {"nodes": {"allocation": NODES}},
    "job_id": 7,
    "job_state": ["COMPLETED"],
    "partition": "gpu",
    "tres_alloc_str": "gres/gpu=2,node=1",
    "start_time": 1_767_225_600,
    "end_time": 1_767_229_200,
}
META = {"plugin": {f"key{index}": "x" * 300 for index in range(400)}}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    "document", [{"jobs": [JOB, JOB]}, [JOB, JOB], {"data": {"jobs": [JOB]}}, {"meta": META, "jobs": [JOB]}]
)
def test_a_job_on_many_nodes_and_a_long_meta_are_no_matter(
    tmp_path: Path, document: object, indent: int | None
) -> None:
    path = tmp_path / "squeue.json"
    path.write_text(json.dumps(document, indent=indent), encoding="utf-8")
    assert path.stat().st_size > 64 * 1024
    assert recognise(str(path)).format == "sacct_json"


def test_records_a_line_stay_so(tmp_path: Path) -> None:
    path = tmp_path / "jobs.jsonl"
    path.write_text("".join(json.dumps(JOB) + "\n" for _ in range(3)), encoding="utf-8")
    assert recognise(str(path)).format == "sacct_json"
    lines = survey(str(path)).head.splitlines()
    assert [json.loads(line)["job_id"] for line in lines] == [7, 7, 7]


def test_a_head_with_a_whole_record_is_left_as_it_is() -> None:
    assert not begins_long('{"jobs": [{"a": 1}, {"a": ')
    assert not begins_long('{"a": 1}\n{"a": ')
    assert begins_long('{"meta": {"a": [{"b": 1}]}, "jobs": [{"a": [{"b": 1}')
    assert not begins_long("job_id,gpus\n")


def test_thinned_json_is_json_with_every_key_of_its_records() -> None:
    text = thinned(json.dumps({"jobs": [JOB | {"note": 'a "quoted" \\ text' * 100}]}))
    assert len(text) < 4000
    (job,) = json.loads(text)["jobs"]
    assert set(job) == {*JOB, "note"}


@pytest.mark.parametrize("text", ["", "]", '{"a": "open', "[" * 500, '{"a": [1, 2', "{{{{", '"'])
def test_broken_json_breaks_nothing(text: str) -> None:
    thinned(text)
    begins_long(text)


@pytest.mark.parametrize("first", [b"", b"%PDF-1.7\n", b"job_id,start\n"])
def test_what_is_no_table_is_known_by_its_first_bytes_however_large_it_is(
    tmp_path: Path, first: bytes
) -> None:
    """50 GB of zeros behind them are not read."""
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.write(first)
        file.truncate(50 * 10**9)
    read = list[int]()
    source = survey(str(path), read.append)
    assert (source.kind, sum(read) <= 2**20) == (OTHER, True)
