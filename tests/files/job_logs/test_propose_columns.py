"""Proposed mappings: what they find in tables of many shapes, and that they are read as a mapping by hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.job_logs.judging.column_names import NAMES, name_readings
from gpuplanner.files.job_logs.propose_columns import Proposal, proposal_for, propose_mapping
from gpuplanner.files.sources.source import survey
from gpuplanner.files.tables.column_mapping import (
    MAPPED_FIELDS,
    UNITS_OF,
    column_place,
    mapping_text,
    parse_mapping,
    unique_headings,
)
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.cluster_damage import often
from tests.files.job_logs.row_ends import fates
from tests.some_of import one_in, some_of

WHOLE_LOG = WindowRequest(whole_log=True)


@dataclass(frozen=True)
class Shape:
    """A table somebody may have, the mapping a person would write for it, and what it adds up to in GPU-hours."""

    text: str
    by_hand: str
    gpu_hours: float
    unsure: tuple[str, ...] = ()


SHAPES = {
    "snake case with units": Shape(
        "job,user_name,num_gpus,start_ts,elapsed_sec\n"
        "a1,ann,8,1767225600,7200\na2,bob,4,1767232800,3600\na3,ann,1,1767240000,900\n",
        "job_id=job,user=user_name,gpus=num_gpus,start=start_ts:epoch_s,duration=elapsed_sec:s",
        16 + 4 + 0.25,
    ),
    "camel case, milliseconds": Shape(
        "jobId\tprojectName\tgpuCount\tqueuedAt\tstartedAt\tfinishedAt\n"
        "j-1\tvision\t2\t1767225000000\t1767225600000\t1767229200000\n"
        "j-2\tspeech\t4\t1767225000000\t1767225600000\t1767232800000\n",
        "job_id=jobId,account=projectName,gpus=gpuCount,start=startedAt:epoch_ms,end=finishedAt:epoch_ms",
        2 + 8,
    ),
    "thousandths and minutes": Shape(
        "pod_name;gpu_milli;begin;duration_min\n"
        "p-1;460;2026-01-05T10:00:00Z;60\np-2;1000;2026-01-05T11:00:00Z;30\np-3;8000;2026-01-05T12:00:00Z;90\n",
        "name=pod_name,gpus=gpu_milli:milli,start=begin,duration=duration_min:min",
        0.46 + 0.5 + 12,
    ),
    "a spreadsheet's headings": Shape(
        "Job ID,Requested by,Team,GPUs,GPU type,Started,Ended,Outcome\n"
        "17,ann,vision,8,A100-80GB,05.01.2026 10:00,05.01.2026 12:30,Completed\n"
        "18,bob,speech,2,H100,25.01.2026 09:00,25.01.2026 10:00,Failed\n",
        "job_id=Job ID,account=Team,gpus=GPUs,gpu_model=GPU type,start=Started:dmy,end=Ended:dmy,state=Outcome",
        20 + 2,
    ),
    "days and months that only values tell apart": Shape(
        "run_id,n_gpu,start_time,end_time\n"
        "1,1,1/5/2026 10:00,1/5/2026 11:00\n2,2,1/31/2026 1:00 PM,1/31/2026 2:30 PM\n",
        "job_id=run_id,gpus=n_gpu,start=start_time:mdy,end=end_time:mdy",
        1 + 3,
    ),
    "Slurm's lists under other names": Shape(
        "JobIDRaw|Partition|tres_alloc|RunStart|WallTime\n"
        "100|gpu|cpu=8,gres/gpu:a100=2,gres/gpu=2|2026-01-05T10:00:00|1-00:00:00\n"
        "101|gpu|cpu=8,gres/gpu=4|2026-01-05T10:00:00|02:30:00\n",
        "job_id=JobIDRaw,queue=Partition,gpus=tres_alloc:slurm,start=RunStart,duration=WallTime:s",
        48 + 10,
    ),
    "only the submission is known": Shape(
        "id,gpus,submit_time,runtime_hours\n1,8,2026-01-05 10:00:00,1.5\n2,1,2026-01-05 11:00:00,0.25\n",
        "job_id=id,gpus=gpus,start=submit_time,duration=runtime_hours:h",
        12.25,
        unsure=("start",),
    ),
    "a duration that start and end explain": Shape(
        "job_id,gpus,start,stop,used\n"
        "1,2,2026-01-05 10:00:00,2026-01-05 12:00:00,120\n2,1,2026-01-05 10:00:00,2026-01-05 10:30:00,30\n"
        "3,4,2026-01-05 09:00:00,2026-01-05 12:00:00,180\n",
        "job_id=job_id,gpus=gpus,start=start,end=stop",
        4 + 0.5 + 12,
    ),
    "activity as a share, queue and cluster": Shape(
        "cluster_name,queue_name,job_name,allocated_gpus,gpu_utilization,execution_start,execution_end,node_count\n"
        "fox,long,train,16,0.71,2026-01-05T10:00:00+01:00,2026-01-05T11:00:00+01:00,2\n"
        "fox,long,serve,8,0.05,2026-01-05T10:00:00+01:00,2026-01-05T12:00:00+01:00,1\n",
        "cluster=cluster_name,queue=queue_name,name=job_name,gpus=allocated_gpus,"
        "gpu_activity_percent=gpu_utilization:share,start=execution_start,end=execution_end,nodes=node_count",
        32,
    ),
    "no header": Shape(
        "a-1,2,2026-01-05T09:00:00Z,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z\n"
        "a-2,4,2026-01-05T09:30:00Z,2026-01-05T10:00:00Z,2026-01-05T12:00:00Z\n"
        "a-3,2,2026-01-05T09:45:00Z,2026-01-05T10:30:00Z,2026-01-05T13:00:00Z\n",
        "job_id=#1,gpus=#2,start=#4,end=#5",
        2 + 8 + 5,
        unsure=("gpus", "start", "end", "job_id"),
    ),
    "titles above the header": Shape(
        "Usage of the cluster\nexported by hand,2026\n\nJob number,GPU count,Start time,End time\n"
        "1,8,2026-01-05 10:00,2026-01-05 11:00\n2,8,2026-01-05 10:00,2026-01-05 11:00\n",
        "job_id=Job number,gpus=GPU count,start=Start time,end=End time",
        16,
    ),
    "JSON lines, nested": Shape(
        '{"metadata": {"uid": "u1", "namespace": "ml"}, "spec": {"gpus": 2}, '
        '"status": {"startTime": "2026-01-05T10:00:00Z", "completionTime": "2026-01-05T11:00:00Z"}}\n'
        '{"metadata": {"uid": "u2", "namespace": "ml"}, "spec": {"gpus": 1.5}, '
        '"status": {"startTime": "2026-01-05T10:00:00Z", "completionTime": "2026-01-05T12:00:00Z", '
        '"phase": "Succeeded"}}\n',
        "job_id=metadata.uid,account=metadata.namespace,gpus=spec.gpus,start=status.startTime,"
        "end=status.completionTime,state=status.phase",
        2 + 3,
    ),
    "JSON, an array in a document": Shape(
        '{"total": 2, "items": [\n {"id": 7, "gpu_ids": [0, 1, 2], "started": 1767225600, "ended": 1767229200},\n'
        ' {"id": 8, "gpu_ids": [5], "started": 1767225600, "ended": 1767232800}\n]}\n',
        "job_id=id,gpus=gpu_ids:list,start=started:epoch_s,end=ended:epoch_s",
        3 + 2,
    ),
}


def _proposed(path: Path) -> Proposal:
    proposal = proposal_for(survey(str(path)))
    assert proposal is not None
    return proposal


def _read(path: Path, words: str | None) -> ReadResult:
    return read_inputs([str(path)], options=ReadOptions(mapping=words), window_request=WHOLE_LOG)


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(16, SHAPES))
def test_a_proposal_reads_as_a_mapping_by_hand(tmp_path: Path, name: str) -> None:
    shape = SHAPES[name]
    path = tmp_path / "table.txt"
    path.write_text(shape.text, encoding="utf-8")
    proposal = _proposed(path)
    assert proposal.is_complete and proposal.words is not None, proposal
    by_hand, proposed = (_read(path, words) for words in (shape.by_hand, proposal.words))
    assert by_hand.jobs.gpu_hours == pytest.approx(shape.gpu_hours)
    assert (proposed.jobs, fates(proposed)) == (by_hand.jobs, fates(by_hand))
    for wanted, guess in proposal.readings.items():
        assert guess.why
        assert (guess.confidence < 0.5) == (wanted in shape.unsure), guess
        assert (wanted not in shape.unsure) or guess.note


@pytest.mark.parametrize("name", ["snake case with units", "a spreadsheet's headings"])
def test_a_proposal_names_the_same_columns_as_by_hand(tmp_path: Path, name: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(SHAPES[name].text)
    found, by_hand = _proposed(path).mapping, parse_mapping(SHAPES[name].by_hand)
    assert {field: found.columns.get(field) for field in by_hand.columns} == by_hand.columns
    assert {field: found.units.get(field) for field in by_hand.units} == by_hand.units


# --- Workbooks and Parquet ---------------------------------------------------------------------

BEGUN = datetime(2026, 1, 5, 10)
ROWS = [("x-1", 8, BEGUN, BEGUN + timedelta(hours=2)), ("x-2", 0.5, BEGUN, BEGUN + timedelta(hours=1))]


def _workbook(path: Path, titles: Sequence[Sequence[object]] = ()) -> Path:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    for row in (*titles, ("Job ID", "GPUs used", "Start", "Finish"), *ROWS):
        sheet.append(list(row))
    workbook.save(path)
    return path


@pytest.mark.parametrize(
    "titles", some_of([((),), ((("GPU jobs of January",), (), ("from the scheduler", 2026)),)], quick=1)
)
def test_a_workbook_with_real_dates(tmp_path: Path, titles: Sequence[Sequence[object]]) -> None:
    path = _workbook(tmp_path / "jobs.xlsx", titles)
    words = _proposed(path).words
    assert words == "job_id=Job ID,gpus=GPUs used,start=Start,end=Finish"
    read = _read(path, words)
    assert (read.jobs.gpu_hours, read.intake[0].rows_read) == (16.5, 2)


@pytest.mark.parametrize("kind", one_in(4, ["timestamp", "timestamptz", "timestamp_ns", "epoch"]))
def test_parquet_with_times_of_every_kind(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "jobs.parquet"
    when = "cast(epoch({0}) as bigint)" if kind == "epoch" else f"cast({{0}} as {kind})"
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'America/New_York'")
        zone = "+00" if kind == "timestamptz" else ""
        at = f"timestamp{'tz' if zone else ''} '2026-01-05 {{}}:00:00{zone}'"
        times = [when.format(at.format(hour)) for hour in (10, 12)]
        connection.execute(
            f"copy (select 'a' || i as id, 8 as gpu_count, {times[0]} as started_at, {times[1]} as ended_at "
            f"from range(3) t(i)) to '{path}' (format parquet)"
        )
    read = _read(path, _proposed(path).words)
    assert (read.jobs.gpu_hours, read.window.start_s) == (48, 1767607200)


# --- Names and values --------------------------------------------------------------------------


SPELLINGS = {
    ("gpus", ""): "numGPUs|n_gpu|GPU Count|gpus_allocated|resources.limits.nvidia.com/gpu|allocated.gres_gpu",
    ("gpus", "milli"): "gpu_milli",
    ("gpus", "slurm"): "gres_alloc",
    ("start", ""): "start_ts|scheduled_time|submit_time",
    ("start", "ms"): "startTimeMs",
    ("end", ""): "completed_at|deletionTimestamp",
    ("duration", ""): "wall_time",
    ("duration", "h"): "Elapsed [h]|Hours|Dauer (h)",
    ("duration", "min"): "runtime_min",
    ("duration", "s"): "durationSeconds",
    ("nodes", ""): "node_count|nnodes",
    ("user", ""): "Benutzer|user_name",
    ("job_id", ""): "instance_sn",
    ("account", ""): "project",
    ("queue", ""): "partition",
    ("name", ""): "job_name",
    ("cluster", ""): "cluster_name",
    ("gpu_model", ""): "gpu_model_name",
    ("state", ""): "pod_phase",
    ("gpu_activity_percent", "percent"): "gpu_util_pct",
}


@pytest.mark.parametrize(("wanted", "unit"), SPELLINGS)
def test_a_name_is_known_in_its_many_spellings(wanted: str, unit: str) -> None:
    for heading in SPELLINGS[wanted, unit].split("|"):
        readings = name_readings(heading)
        assert max(readings, key=lambda field: readings[field].confidence) == wanted, heading
        assert readings[wanted].unit == unit


@pytest.mark.parametrize(
    "heading", ["gpu_seconds", "gpu_minutes", "requested_walltime", "time_limit", "cpu_count", "gpu_price"]
)
def test_a_name_of_something_else_is_not_taken(heading: str) -> None:
    assert not set(name_readings(heading)) & {"gpus", "start", "end", "duration"}


def test_every_row_of_names_can_be_meant() -> None:
    assert {row.field for row in NAMES} <= set(MAPPED_FIELDS)
    assert all(0 < row.confidence < 1 for row in NAMES)


def test_a_count_for_each_node_is_not_taken_silently() -> None:
    rows = [["1", "8", "2026-01-05T10:00:00Z", "60"], ["2", "4", "2026-01-05T11:00:00Z", "90"]]
    proposal = propose_mapping(["id", "gpus_per_node", "start", "minutes_elapsed"], rows)
    assert proposal.readings["gpus"].confidence < 0.5
    assert "a count per node; the total over all nodes is needed" in str(proposal.readings["gpus"].note)


def test_what_is_lacking_is_said() -> None:
    proposal = propose_mapping(["id", "start"], [["1", "2026-01-05"]])
    gpus, end = map(str, proposal.lacking)
    assert "gpus==1" in gpus and "duration" in end
    assert proposal.words is None and proposal.mapping is not None
    assert propose_mapping(["city", "country"], [["Oslo", "NO"]]).mapping is None


# --- Laws --------------------------------------------------------------------------------------

HEADINGS = st.one_of(
    st.sampled_from(
        [
            *("gpus", "start_time", "end", "dur_ms", "id", "", "gpu_milli", "a,b", 'x"y', "s:epoch_s"),
            *("#3", "column 2"),
        ]
    ),
    st.text(max_size=12),
)
CELLS = st.one_of(
    st.sampled_from(
        [
            *("", "8", "1000", "1767225600", "1767225600000", "2026-01-05T10:00:00Z", "05/01/2026 10:00"),
            "01/01/0001",
        ]
    ),
    st.sampled_from(["01:30:00", "gres/gpu=2", "Unknown", "0.5", "-1", "nan", "1e400", "COMPLETED", "[0,1]"]),
    st.text(max_size=8),
)


@st.composite
def tables(draw: Callable[..., object]) -> tuple[list[str], list[list[str]]]:
    headings = draw(st.lists(HEADINGS, min_size=1, max_size=7))  # type: ignore[call-arg]
    width = len(headings)
    rows = draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=6))  # type: ignore[call-arg]
    return headings, rows


@pytest.mark.long
@given(tables(), st.booleans())
@example((["start_time"], [["2026-01-05T10:00:00Z"], ["01:30:00"], ["01:30:00"]]), True)
@example((["column 2", ""], [["", "8"]]), False)
@example((["start_time"], [["8"], ["8"], ["2026-01-05T10:00:00Z"]]), True)
@example((["start_time", "end_time"], [["01/01/0001", "x"], ["2026-01-05T10:00:00Z", "01/01/0001"]]), True)
@example((["start_time"], [["01/01/0001"], ["01/01/0001"]]), True)
@example((["start_time", "x"], [["01:30:00", "1767225600"], ["x", "1767225600"]]), True)
@often
def test_whatever_the_table_a_proposal_holds_together(
    table: tuple[list[str], list[list[str]]], has_header: bool
) -> None:
    """Whatever the table: an answer, columns that are there, units that may be, words that are read back."""
    given_headings, rows = table
    headings = unique_headings(given_headings)
    proposal = propose_mapping(headings, rows, has_header=has_header)
    columns = [reading.column for reading in proposal.readings.values()]
    assert len(set(columns)) == len(columns)
    for name, guess in proposal.readings.items():
        assert 0 < guess.confidence <= 1 and guess.why
        assert guess.unit in UNITS_OF.get(name, ("",))
    if proposal.mapping is not None:
        for name, heading in proposal.mapping.columns.items():
            assert heading == proposal.readings[name].column and column_place(headings, heading) is not None
    if proposal.words is not None:
        assert parse_mapping(proposal.words) == proposal.mapping
        assert mapping_text(parse_mapping(proposal.words)) == proposal.words


def test_the_limit_of_a_running_job_is_not_its_end() -> None:
    headings = ["JOBID", "USER", "STATE", "TIME", "START_TIME", "END_TIME", "TRES_ALLOC"]
    row = ["1", "ann", "RUNNING", "2:00:00", "2026-01-05T10:00:00", "2026-01-06T10:00:00", "cpu=8,gres/gpu=4"]
    found = propose_mapping(headings, [row])
    assert found.words is not None
    assert "duration=TIME:s" in found.words and "end=" not in found.words
    assert "END_TIME" in str(found.readings["duration"].why)
    of_others = propose_mapping(["JOBID", *headings[4:]], [[row[0], *row[4:]]])
    assert of_others.words is not None and "end=END_TIME" in of_others.words
