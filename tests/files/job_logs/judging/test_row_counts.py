"""What is counted of a log while it is read: constants, gaps, shares; kept with the project, also an older one."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gpuplanner.domain.figures.window import SHARES
from gpuplanner.domain.model.intake import DataQuality, JobFacts, LogGap, SuspiciousValue
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.intake import ReadResult
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.project.value_tables import from_json, quality_of, rows_of, table, to_json
from tests.files.job_logs.row_ends import HOUR, Read

Csv = Callable[..., str]
START, END = "2026-01-05T10:00:00Z", "2026-01-05T11:00:00Z"


def _quality(found: ReadResult) -> DataQuality:
    return found.jobs.quality


def _suspicious(found: ReadResult) -> dict[tuple[str, str], int]:
    return {(value.field, value.value): value.count for value in _quality(found).suspicious}


def test_constants_for_not_set_are_named_wherever_they_stand(read_log: Read, job_csv: Csv) -> None:
    header = "job_id,gpus,start,end,state,nodes"
    text = job_csv(
        (1, 1, START, END, "COMPLETED", 18446744073709551614),
        (2, 18446744073709551615, START, END, "COMPLETED", 1),
        (3, 1, START, END, "COMPLETED", 4294967294),
        (4, -2, START, END, "COMPLETED", 1),
        (5, 1, START, "9999-12-31T00:00:00Z", "COMPLETED", 1),
        (142949672945, 1, START, END, "COMPLETED", 1),  # an id that only looks like one
        header=header,
    )
    assert _suspicious(read_log(text)) == {
        ("any column", "18446744073709551614"): 1,
        ("any column", "18446744073709551615"): 1,
        ("any column", "4294967294"): 1,
        ("gpus", "-2"): 1,
        ("rejected row", "9999-12-31"): 1,
    }


@pytest.mark.long
def test_the_first_and_the_last_day_of_clocks_are_named(read_log: Read, job_csv: Csv) -> None:
    text = job_csv(
        (1, 1, "1970-01-01T00:00:00Z", END, "COMPLETED"),
        (2, 1, START, "2038-01-19T03:14:07Z", "COMPLETED"),
        (3, 1, START, END, "COMPLETED"),
    )
    assert _suspicious(read_log(text)) == {("start", "1970-01-01"): 1, ("end", "2038-01-19"): 1}


def test_a_time_that_a_fifth_of_the_jobs_share_is_named(read_log: Read, job_csv: Csv) -> None:
    end = "2026-01-06T00:00:00Z"
    rows = [(n, 1, f"2026-01-05T{n % 10:02}:{n:02}:00Z", end, "COMPLETED") for n in range(40)]
    assert _suspicious(read_log(job_csv(*rows))) == {("end", "2026-01-06T00:00:00Z"): 40}
    assert _suspicious(read_log(job_csv(*rows[:10]))) == {}  # too few to say so


def test_clocks_that_differ_and_jobs_lost_sight_of(read_log: Read, job_csv: Csv) -> None:
    text = job_csv(
        (1, 1, "2026-01-05T10:00:05Z", "2026-01-05T10:00:00Z", "COMPLETED"),
        (2, 1, "2026-01-05T10:00:00Z", "2026-01-04T10:00:00Z", "COMPLETED"),
        (3, 1, "2025-06-05T10:00:00Z", "", "RUNNING"),
        (4, 1, "2026-01-05T10:00:00Z", "", "RUNNING"),
        (5, 1, START, END, "COMPLETED"),
    )
    quality = _quality(read_log(text))
    assert (quality.clock_skew, quality.long_running, quality.jobs) == (1, 1, 3)


def test_a_hole_in_the_log_is_found_though_a_job_runs_through_it(read_log: Read, job_csv: Csv) -> None:
    rows = [
        (f"{day}-{n}", 1, f"2026-01-{day:02}T{n:02}:00:00Z", f"2026-01-{day:02}T{n:02}:30:00Z", "COMPLETED")
        for day in (5, 6, 9, 10)
        for n in range(24)
    ]
    server = ("server", 8, "2026-01-05T00:00:00Z", "2026-01-11T00:00:00Z", "COMPLETED")
    quality = _quality(read_log(job_csv(server, *rows)))
    (gap,) = quality.gaps
    assert gap.hours == 48
    assert (quality.hours, quality.busy_hours) == (144, 144)
    without = _quality(read_log(job_csv(*rows)))
    assert (without.hours, without.busy_hours) == (144, 96)


def test_shares_are_of_the_whole_log_and_check_says_them(read_log: Read, tmp_path: Path) -> None:
    text = (
        "job_id,name,user,gpu_model,gpus,start,end,gpu_activity_percent\n"
        f"1,a,u,H100,3,{START},{END},50\n,,,,1,{START[:-1]},{END},\n"
    )
    quality = _quality(read_log(text))
    rows = (quality.with_id, quality.with_name, quality.with_user, quality.naive)
    assert (quality.jobs, rows) == (2, (1, 1, 1, 1))
    assert (quality.gpu_time, quality.with_model, quality.with_activity) == (4 * HOUR, 3 * HOUR, 3 * HOUR)
    shares = quality.shares
    assert (shares["id_coverage"], shares["name_coverage"], shares["user_coverage"]) == (0.5, 0.5, 0.5)
    assert (shares["gpu_model_coverage"], shares["activity_coverage"]) == (0.75, 0.75)
    assert shares["naive_time_share"] == 0.5
    path = tmp_path / "checked.csv"
    path.write_text(text, encoding="utf-8")
    said = dict(check_file(str(path))[0].facts)["data_quality"]
    assert said["id_coverage"] == 0.5
    json.dumps(said)


@pytest.mark.long
def test_it_survives_saving_and_opening(read_log: Read, job_csv: Csv, tmp_path: Path) -> None:
    text = job_csv((1, 1, "1970-01-01T00:00:00Z", END, "COMPLETED"))
    project = read_log(text).project()
    save_project(project, tmp_path / "a.gpuplan")
    assert open_project(tmp_path / "a.gpuplan").jobs == project.jobs
    facts = JobFacts(
        count=1,
        quality=DataQuality(
            jobs=1,
            hours=2,
            busy_hours=1,
            gaps=(LogGap(0, 3600),),
            shorter_gap_hours=1,
            with_id=1,
            with_name=None,
            with_user=0,
            naive=None,
            zero_length=None,
            gpu_time=5e15,
            with_model=0.0,
            with_activity=1.5,
            long_running=0,
            clock_skew=0,
            suspicious=(SuspiciousValue("end", "x", 1),),
        ),
    )
    assert rows_of(JobFacts, from_json(to_json(table(JobFacts, (facts,))))) == (facts,)


def test_a_project_from_before_it_still_opens() -> None:
    entry = table(JobFacts, (JobFacts(count=3),))
    at = entry["fields"].index("quality")  # type: ignore[attr-defined]
    old = {
        "fields": [name for name in entry["fields"] if name != "quality"],  # type: ignore[attr-defined]
        "rows": [[*row[:at], *row[at + 1 :]] for row in entry["rows"]],  # type: ignore[attr-defined]
    }
    (found,) = rows_of(JobFacts, from_json(to_json(old)))
    assert found == JobFacts(count=3)
    assert found.quality is None


SHARES_ALONE = {
    "jobs": 9,
    "hours": 100,
    "busy_hours": 50,
    "gaps": [{"start_s": 0, "end_s": 7200}],
    "gap_hours": 5,
    "id_coverage": 1.0,
    "name_coverage": 0.5,
    "user_coverage": None,
    "gpu_model_coverage": 0.25,
    "activity_coverage": None,
    "naive_time_share": 0.0,
    "zero_length_share": 0.125,
    "long_running": 1,
    "clock_skew": 2,
    "suspicious": [],
}


def test_a_project_that_kept_shares_alone_still_says_them() -> None:
    found = quality_of(SHARES_ALONE)
    assert (found.gap_hours, found.shorter_gap_hours, found.with_id) == (5, 3, None)
    as_kept = {key: SHARES_ALONE[key] for key in SHARES if key != "time_coverage"}
    assert found.shares == {"time_coverage": 0.5} | as_kept
    again = json.loads(to_json({"quality": found}))["quality"]
    assert quality_of(again) == found


@pytest.mark.parametrize("share", [1.5, "1", True])
def test_what_is_no_share_is_refused(share: object) -> None:
    with pytest.raises(ValueError, match="no share"):
        quality_of({**SHARES_ALONE, "id_coverage": share})
