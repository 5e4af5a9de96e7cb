"""Rows that lack an end or a start, ids with a dot, logs of which nothing ran: their validation, and what is said."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_choices import LogChoice, ReadOptions
from gpuplanner.files.importing.windowed_jobs import JobsRead
from gpuplanner.files.job_logs.dialects.slurm.sacct_layout import has_steps
from gpuplanner.files.sources.issue_texts import KEPT_IF_OPEN
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.cluster_damage import check_rows_add_up
from tests.files.job_logs.row_ends import codes, fates
from tests.some_of import examples, some_of

OWN = "job_id,cluster,gpus,start,end,state"
SLURM = "JobID|User|State|Start|End|AllocTRES"
DAY = "2026-01-01T"
ReadLines = Callable[..., JobsRead]


def _read(path: Path, lines: list[str], **said: object) -> JobsRead:
    path.write_text("\n".join(lines) + "\n")
    return import_jobs([str(path)], ReadOptions(**said), window_request=WindowRequest(whole_log=True))  # type: ignore[arg-type]


@pytest.fixture
def read(tmp_path: Path) -> ReadLines:
    return lambda *lines, **said: _read(tmp_path / "jobs.csv", list(lines), **said)


def _message(file: FileIntake, code: str) -> str:
    return next((issue.message for issue in file.issues if issue.code == code), "")


# --- Half-open rows -------------------------------------------------------------------------------

HALF_OPEN = (
    *(OWN, f"1,a,4,{DAY}00:30:00Z,{DAY}05:00:00Z,COMPLETED", f"2,a,4,,{DAY}03:00:00Z,COMPLETED"),
    *(f"3,a,4,{DAY}02:00:00Z,,COMPLETED", f"4,a,4,{DAY}02:00:00Z,Unknown,", "5,a,4,,,COMPLETED"),
    *("6,a,4,,,PENDING", f"7,a,4,{DAY}04:00:00Z,,RUNNING", f"8,a,4,,{DAY}03:00:00Z,CANCELLED"),
    *(f"9,a,4,soon,{DAY}03:00:00Z,COMPLETED", f"10,a,4,{DAY}03:00:00Z,soon,COMPLETED"),
)


def test_rows_without_an_end_run_on_and_those_without_a_start_were_there(read: ReadLines) -> None:
    found = read(*HALF_OPEN, is_open_ended=True)
    (file,) = found.intake
    assert fates(file) == ("own_csv", 10, 5, 3, 0, 2)
    assert found.jobs.gpu_hours == 4 * (4.5 + 3 + 3 + 3 + 1)
    (running,) = (issue for issue in file.issues if issue.code == "running")
    assert (running.count, running.first_row) == (4, 3)
    assert re.findall(r"\d+ rows", str(running.message)) == ["2 rows", "1 rows"]
    assert [row.row for row in file.rejected] == [6, 10, 11]
    assert not any(str(KEPT_IF_OPEN) in str(row.message) for row in file.rejected)


def test_rows_open_at_both_ends_are_there_from_the_first_to_the_last_hour(read: ReadLines) -> None:
    found = read(*HALF_OPEN, is_open_ended="both")
    (file,) = found.intake
    assert fates(file) == ("own_csv", 10, 6, 2, 0, 2)
    assert found.jobs.gpu_hours == 4 * (4.5 + 3 + 3 + 3 + 1 + 5)  # row 5: 00:00 to 05:00
    assert sorted(re.findall(r"\d+ rows", str(_message(file, "running")))) == ["2 rows", "3 rows"]
    assert [issue.count for issue in file.issues if issue.code == "running"] == [5]  # one of them has neither


@pytest.mark.long
def test_without_the_option_what_it_would_keep_says_so(read: ReadLines) -> None:
    (file,) = read(*HALF_OPEN).intake
    assert fates(file) == ("own_csv", 10, 2, 6, 0, 2)
    assert [row.row for row in file.rejected if str(KEPT_IF_OPEN) in str(row.message)] == [3, 4, 5]
    assert str(KEPT_IF_OPEN) in str(_message(file, "bad_time"))
    (file,) = read(OWN, HALF_OPEN[1], HALF_OPEN[5], HALF_OPEN[9]).intake
    assert str(KEPT_IF_OPEN) not in str(_message(file, "bad_time"))


@pytest.mark.long
def test_a_start_is_that_of_its_own_file(tmp_path: Path) -> None:
    january, february = tmp_path / "1.csv", tmp_path / "2.csv"
    january.write_text(f"{OWN}\n1,a,1,{DAY}00:00:00Z,{DAY}02:00:00Z,\n")
    later = "2026-02-01T"
    february.write_text(f"{OWN}\n2,a,1,{later}00:30:00Z,{later}02:30:00Z,\n3,a,1,,{later}02:00:00Z,\n")
    paths = [str(january), str(february)]
    of_one = {paths[1]: LogChoice(is_open_ended=True)}
    for options in (ReadOptions(is_open_ended=True), ReadOptions(choices=of_one)):
        read = import_jobs(paths, window_request=WindowRequest(whole_log=True), options=options)
        assert read.jobs.gpu_hours == 2 + 2 + 2


@pytest.mark.long
def test_a_row_without_a_duration_runs_on(read: ReadLines) -> None:
    lines = ("id,begin,secs,n", f"1,{DAY}00:00:00Z,3600,2", f"2,{DAY}00:00:00Z,,2", f"3,{DAY}00:00:00Z,x,2")
    mapping = "job_id=id,start=begin,duration=secs,gpus=n"
    found = read(*lines, mapping=mapping, is_open_ended=True)
    assert (found.intake[0].rows_accepted, found.intake[0].rows_rejected) == (2, 1)
    assert found.jobs.gpu_hours == 4
    assert str(KEPT_IF_OPEN) in str(_message(read(*lines, mapping=mapping).intake[0], "bad_duration"))


ROWS = st.tuples(
    st.sampled_from(["", "05", "07", "x"]), st.sampled_from(["", "06", "09", "x"]), st.booleans()
)


@settings(max_examples=examples(2))
@given(st.lists(ROWS, min_size=1, max_size=8), st.booleans())
def test_every_line_is_a_row_and_the_option_loses_none(tmp_path_factory, rows, is_open) -> None:  # type: ignore[no-untyped-def]
    def moment(hour: str) -> str:
        return f"{DAY}{hour}:00:00Z" if hour.isdigit() else hour

    lines = [
        f"{place},a,1,{moment(start)},{moment(end)},{'RUNNING' if runs else ''}"
        for place, (start, end, runs) in enumerate(rows)
    ]
    path = tmp_path_factory.mktemp("log") / "jobs.csv"
    found = _read(path, [OWN, *lines], is_open_ended=is_open)
    (file,) = found.intake
    check_rows_add_up(file)
    assert file.rows_read == len(lines)
    if is_open:
        assert file.rows_accepted >= _read(path, [OWN, *lines]).intake[0].rows_accepted


# --- Ids with a dot -------------------------------------------------------------------------------


def _slurm(*ids: str) -> list[str]:
    return [SLURM, *(f"{one}|ann|COMPLETED|{DAY}00:00:00|{DAY}01:00:00|gres/gpu=4" for one in ids)]


@pytest.mark.parametrize(
    ("ids", "accepted"),
    some_of(
        [
            (("123.0", "124.0"), 2),  # a spreadsheet made numbers of all
            (("123", "123.0", "124.0"), 1),
            (("123.0", "123.1"), 0),
            (("123.0", "124.0", "125.batch"), 0),
            (("123_4", "124.0"), 1),
        ],
        quick=1,
    ),
)
def test_ids_of_jobs_are_told_from_those_of_steps(
    read: ReadLines, ids: tuple[str, ...], accepted: int
) -> None:
    (file,) = read(*_slurm(*ids)).intake
    assert (file.rows_accepted, file.rows_ignored) == (accepted, len(ids) - accepted)
    assert ("undecided" in codes(file)) == (accepted == 2)


@pytest.mark.long
def test_in_other_tables_a_dot_means_a_step_beside_its_job_alone(read: ReadLines) -> None:
    def accepted(*ids: str) -> int:
        lines = [f"{one},{DAY}00:00:00Z,{DAY}01:00:00Z,4" for one in ids]
        found = read("job,begin,finish,n", *lines, mapping="job_id=job,start=begin,end=finish,gpus=n")
        return found.intake[0].rows_accepted

    assert accepted("123.0", "124.0") == 2
    assert accepted("123", "123.0", "124") == 2
    assert accepted("123.0", "123.1") == 2  # as HTCondor counts the jobs of a batch
    assert has_steps("JobID", ["1.0", "1.1"]) and not has_steps("JobID", ["1.0", "2.0"])
    assert has_steps("job", ["1", "1.1"]) and has_steps("job", ["7.batch"])
    (file,) = read(OWN, f"123.0,a,4,{DAY}00:00:00Z,{DAY}01:00:00Z,").intake
    assert file.rows_accepted == 1


# --- Nothing ran ----------------------------------------------------------------------------------


@pytest.mark.long
def test_a_log_of_which_nothing_ran_says_why(read: ReadLines) -> None:
    others = ("124|ann|PENDING|Unknown|Unknown|", "125|ann|CANCELLED by 3|None|Unknown|")
    (file,) = read(*_slurm("123.0", "123.1"), *others).intake
    assert file.rows_ignored == 4
    said = str(_message(file, "not_a_job_log"))
    assert re.findall(r"\d+", said) == ["4", "2", "1", "1"] and "sacct -X" in said
    (file,) = read(OWN, "1,a,4,,,PENDING").intake
    assert "sacct -X" not in str(_message(file, "not_a_job_log"))
    (file,) = read(OWN, "1,a,4,,,PENDING", HALF_OPEN[1]).intake
    assert not _message(file, "not_a_job_log")
