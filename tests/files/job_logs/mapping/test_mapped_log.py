"""Other tables through a mapping, in every file format."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import duckdb
import openpyxl
import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.export.cube_file import cube_sha256
from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.importing.log_choice import ReadOptions
from gpuplanner.files.spark.spark_texts import layout_of
from gpuplanner.files.tables.column_mapping import ColumnMapping, parse_mapping
from gpuplanner.files.values.window_request import WindowRequest
from tests.some_of import one_in

WHOLE_LOG = WindowRequest(whole_log=True)
Read = Callable[..., ReadResult]
TABLE = "ngpu;when;took;who\n2;1767225600;90;ann\n0.5;1767225600;60;bob\n1;1767225600;;bob\n"


def test_a_mapping_is_read_from_its_words() -> None:
    mapping = parse_mapping('gpus=n:milli, start=submit:epoch_ms,"duration=how long, in h:h",name=a:b')
    assert mapping == ColumnMapping(
        {"gpus": "n", "start": "submit", "duration": "how long, in h", "name": "a:b"},
        {"gpus": "milli", "start": "epoch_ms", "duration": "h"},
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "gpus"),
        ("gpus", "FIELD=COLUMN"),
        ("gpus=n,start=s,end=e,size=x", "FIELD=COLUMN"),
        ("gpus=n,start,end=e", "FIELD=COLUMN"),
        ("gpus=n:h,start=s,end=e", "no unit of gpus"),
        ("gpus=n,start=s:milli,end=e", "no unit of start"),
        ("gpus=n,gpus=m,start=s,end=e", "twice"),
    ],
)
def test_a_mapping_that_cannot_be_is_a_usage_error(text: str, said: str) -> None:
    with pytest.raises(PlannerError, match=said) as caught:
        parse_mapping(text)
    assert caught.value.code == "usage"


OWN = "job_id,cluster,account,gpu_model,gpus,start,end,class"
ROW = "7,north,lab,H100,2,2026-01-01T00:00:00Z,2026-01-01T03:00:00Z,training"


def _hash(read: ReadResult) -> str:
    assert read.cube is not None
    assert read.window is not None
    return cube_sha256(read.cube, read.workloads, read.window)


@pytest.mark.long
def test_a_mapping_may_say_only_what_differs_from_our_own_columns(read_log: Read) -> None:
    own = read_log(f"{OWN}\n{ROW}\n{ROW}\n")
    renamed = OWN.replace("gpus", "ngpu").replace("start", "submit_ts")
    read = read_log(f"{renamed}\n{ROW}\n{ROW}\n", mapping="gpus=ngpu,start=submit_ts")
    assert _hash(read) == _hash(own)
    (file,) = read.intake
    assert (file.format, file.rows_accepted, file.rows_duplicate) == ("mapped", 1, 1)


def test_on_spark_too_the_other_fields_stand_under_their_own_names() -> None:
    layout = layout_of(
        "x.csv", ["\ufeffjob_id", "ngpu", "submit_ts", "end"], parse_mapping("gpus=ngpu,start=submit_ts")
    )
    assert layout.column_of == {"gpus": "ngpu", "start": "submit_ts", "end": "end", "job_id": "\ufeffjob_id"}


def test_a_mapping_that_says_all_that_is_needed_reads_nothing_else(read_log: Read) -> None:
    read = read_log(f"{OWN}\n{ROW}\n", mapping="gpus=gpus,start=start,end=end")
    assert [(workload.cluster, workload.owner) for workload in read.workloads] == [("", "")]


@pytest.mark.long
@pytest.mark.parametrize(
    ("header", "words", "hours"),
    one_in(
        4,
        [
            ("gpus,start,duration,end", "duration=duration:h", 6),
            ("gpus,start,duration", "gpus=gpus", 2 * 3 / 3600),
            ("gpus,start,duration,till", "end=till", 8),
        ],
    ),
)
def test_an_end_and_a_duration_of_our_own_name(read_log: Read, header: str, words: str, hours: float) -> None:
    row = ("2", "2026-01-01T00:00:00Z", "3", "2026-01-01T04:00:00Z")[: header.count(",") + 1]
    read = read_log(f"{header}\n{','.join(row)}\n", mapping=words)
    assert read.jobs.milli_gpu_seconds == round(hours * 3_600_000)


def test_what_is_needed_and_stands_under_no_name_is_missing(read_log: Read) -> None:
    read = read_log("ngpu,from\n2,2026-01-01T00:00:00Z\n", mapping="gpus=ngpu")
    ((issue,),) = (file.issues for file in read.intake)
    assert issue.code == "missing_column" and "there is no column start, end" in str(issue.message)


@pytest.mark.long
def test_durations_in_a_unit_stand_for_ends(read_log: Read) -> None:
    read = read_log(TABLE, mapping="gpus=ngpu,start=when:epoch_s,duration=took:min,user=who")
    assert read.jobs.milli_gpu_seconds == (2 * 90 + 0.5 * 60) * 60_000
    (file,) = read.intake
    assert (file.format, file.rows_accepted, file.rows_rejected) == ("mapped", 2, 1)
    assert "bad_duration" in {issue.code for issue in file.issues}
    assert [workload.owner for workload in read.workloads] == ["ann", "bob"]


def test_thousandths_and_milliseconds(read_log: Read) -> None:
    text = "g,s,e\n500,1767225600000,1767225660999\n"
    read = read_log(text, mapping="gpus=g:milli,start=s:epoch_ms,end=e:epoch_ms")
    assert read.jobs.milli_gpu_seconds == 500 * 60


def test_shares_of_gpus_may_have_a_decimal_comma(read_log: Read) -> None:
    rows = "".join(
        f"{n};{gpus};01.03.2026 10:00;60\n" for n, gpus in enumerate(("2", "0,5", "1,25", "1,500"))
    )
    words = "job_id=id,gpus=gpus,start=begin:dmy,duration=runtime (min):min"
    read = read_log("id;gpus;begin;runtime (min)\n" + rows, mapping=words)
    assert (
        read.jobs.milli_gpu_seconds == 5_250 * 3600
    )  # the column decides as a whole: 1,500 is one and a half
    assert not read.intake[0].rejected


def test_a_mapped_column_that_is_not_there_is_named(read_log: Read) -> None:
    read = read_log(TABLE, mapping="gpus=ngpu,start=begin,end=finish")
    assert "begin, finish" in str(read.refused[0])
    assert "map to one of ngpu, when, took, who" in str(read.refused[0])


@pytest.mark.long
def test_a_mapping_of_our_own_columns_gives_the_same_as_none(read_log: Read) -> None:
    text = "job_id,gpus,start,end\n1,2,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z\n"
    mapped = read_log(text, mapping="job_id=job_id,gpus=gpus,start=start,end=end")
    assert mapped.jobs == read_log(text).jobs


def _rows() -> list[tuple[object, ...]]:
    return [
        (1, 2, datetime(2026, 1, 5, 10), datetime(2026, 1, 5, 11, 30)),
        (2, 0.5, datetime(2026, 1, 5, 10), None),
    ]


def test_a_workbook_and_a_parquet_file_are_read_like_text(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet.append(["job_id", "gpus", "start", "end"])
    for row in _rows():
        sheet.append(row)
    workbook.save(tmp_path / "jobs.xlsx")
    with duckdb.connect() as connection:
        connection.execute('create table t (job_id int, gpus double, start timestamp, "end" timestamp)')
        connection.executemany("insert into t values (?, ?, ?, ?)", [list(row) for row in _rows()])
        connection.execute(f"copy t to '{tmp_path / 'jobs.parquet'}' (format parquet)")
    for name in ("jobs.xlsx", "jobs.parquet"):
        read = read_inputs([str(tmp_path / name)], window_request=WHOLE_LOG)
        (file,) = read.intake
        assert (file.format, file.rows_accepted, file.rows_rejected) == ("own_csv", 1, 1)
        assert file.rejected[0].row == (3 if name.endswith("xlsx") else 2)
        assert read.jobs.milli_gpu_seconds == 3 * 3_600_000


def test_the_public_trace_gives_its_known_figures(shared_data: Path) -> None:
    path = shared_data / "traces" / "openb_pod_list_default.csv"
    mapping = (
        "gpus=num_gpu,start=scheduled_time:epoch_s,end=deletion_time:epoch_s,job_id=name,state=pod_phase"
    )
    read = read_inputs([str(path)], options=ReadOptions(mapping=mapping), window_request=WHOLE_LOG)
    (file,) = read.intake
    assert (file.rows_read, file.rows_accepted, file.rows_ignored) == (8152, 7255, 897)
    assert read.jobs.gpu_jobs == 7064 - 861
    assert round(read.jobs.milli_gpu_seconds / 3_600_000, 4) == 59_612.2106
    assert read.jobs.peak_milli_gpus == 71_000


@pytest.mark.long
def test_a_parquet_file_may_hold_times_with_their_zone(tmp_path: Path) -> None:
    path = tmp_path / "jobs.parquet"
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'Asia/Kolkata'")
        connection.execute(
            f"""copy (select 1 as job_id, 8.0::double as gpus, timestamp '2026-01-05 10:00:00.5' as start,
                timestamptz '2026-01-05 11:00:00+00' as "end") to '{path}' (format parquet)"""
        )
    read = read_inputs([str(path)], window_request=WindowRequest(whole_log=True))
    assert read.jobs.milli_gpu_seconds == 8 * 3_600_000
    assert {issue.code for issue in read.intake[0].issues} >= {"mixed_timezones", "naive_time_assumed_utc"}
