"""Resources that a cluster numbers: GPUs where somebody says so, never a guess and never 0."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.check import check_files
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.job_logs.judging.tres_names import parse_tres
from tests.some_of import some_of

HEADER = "JobID|State|Start|End|AllocTRES\n"
TIMES = "2026-01-01T00:00:00|2026-01-01T02:00:00"
LOG = f"{HEADER}1|COMPLETED|{TIMES}|1=8,2=64000,4=1,1001=2,1002=2\n2|COMPLETED|{TIMES}|1=8,2=64000,4=1\n"
TABLE = "Type|Name|ID\ncpu||1\ngres|gpu|1001\ngres|gpu:a100|1002\nlicense|matlab|1003\n"


@pytest.fixture
def log(tmp_path: Path) -> Callable[..., str]:
    def write(text: str = LOG, name: str = "sacct.txt") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_without_a_word_it_is_rejected_and_says_what_to_give(log: Callable[..., str]) -> None:
    (file,) = import_jobs([log()]).intake
    (row,) = file.rejected
    assert (file.rows_accepted, file.rows_rejected, row.code) == (1, 1, "bad_number")
    for words in ("1001, 1002", "--tres gpu=", "sacctmgr show tres -P", "sacct -P"):
        assert words in str(row.message)


def test_what_the_planner_says_is_all(log: Callable[..., str]) -> None:
    read = import_jobs([log()], options=ReadOptions(tres=parse_tres(["gpu=1001"])))
    assert (read.jobs.gpu_hours, read.cube.gpu_models) == (4.0, ())
    read = import_jobs([log()], options=ReadOptions(tres=parse_tres(["gpu=1001,gpu:a100=1002"])))
    assert (read.jobs.gpu_hours, read.cube.gpu_models) == (4.0, ("a100",))  # the models repeat the total


@pytest.mark.parametrize("is_first", some_of([True, False], quick=1))
def test_the_clusters_own_table_is_one_more_file(log: Callable[..., str], is_first: bool) -> None:
    paths = [log(TABLE, "tres.txt"), log()]
    read = import_jobs(paths if is_first else paths[::-1])
    kinds = {(file.kind, file.format): file for file in read.intake}
    table = kinds["tres", "sacctmgr"]
    assert read.jobs.gpu_hours == 4.0
    assert (table.rows_read, table.rows_accepted) == (4, 4)
    checked = {file.kind: file for file in check_files(paths)}
    assert (checked["jobs"].rows_accepted, checked["tres"].rows_accepted) == (2, 4)


@pytest.mark.long
def test_it_may_stand_above_the_log(log: Callable[..., str]) -> None:
    assert import_jobs([log(TABLE + LOG)]).jobs.gpu_hours == 4.0


@pytest.mark.parametrize("words", ["gpu", "gpu=a", "cpu=1", "gpu:=7", "1002"])
def test_other_words_are_refused(words: str) -> None:
    with pytest.raises(PlannerError) as refused:
        parse_tres([words])
    assert refused.value.code == "usage"


def test_a_number_that_the_log_has_not_leaves_the_others_to_be_asked_about(log: Callable[..., str]) -> None:
    (file,) = import_jobs([log()], options=ReadOptions(tres=parse_tres(["gpu=1003"]))).intake
    (row,) = file.rejected
    assert (file.rows_accepted, file.rows_rejected, row.code) == (1, 1, "bad_number")
    assert "1001, 1002" in str(row.message) and "--tres gpu=" in str(row.message)


def test_what_the_table_names_otherwise_is_no_gpu_and_what_it_lacks_is_asked_about(
    log: Callable[..., str],
) -> None:
    rows = "".join(f"{n}|COMPLETED|{TIMES}|1=8,4=1,{n}=2\n" for n in (1001, 1003, 1009))
    (file,) = (
        one for one in import_jobs([log(TABLE, "t.txt"), log(HEADER + rows)]).intake if one.kind == "jobs"
    )
    assert (file.rows_accepted, file.rows_rejected) == (2, 1)
    assert "(1009)" in str(file.rejected[0].message)


DATABASE = 'id_job,time_start,time_end,state,tres_alloc\n5,1767225600,1767232800,3,"1=8,4=1,1002=2"\n'


@pytest.mark.long
def test_the_database_of_jobs_too(log: Callable[..., str]) -> None:
    refused = import_jobs([log(DATABASE, "jobs.csv")]).refused
    assert "--tres gpu=1002" in str(refused[0])
    assert (
        import_jobs(
            [log(DATABASE, "jobs.csv")], options=ReadOptions(tres=parse_tres(["gpu=1002"]))
        ).jobs.gpu_hours
        == 4.0
    )
