"""Files of planned work: hours of the week in words, dates, lengths, and what is refused."""

from pathlib import Path

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.planned_work import ALWAYS, PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.lists.planned_work import hours_of, hours_text, import_planned

HEADER = "name,pool,gpu_model,gpus,begins,ends,hours,length_hours,latest_finish,cluster,team\n"


def read(
    folder: Path, *lines: str, timezone: str | None = None
) -> tuple[tuple[PlannedWork, ...], dict[str, int]]:
    path = folder / "planned.csv"
    path.write_text(HEADER + "\n".join(lines) + "\n", "utf-8")
    found = import_planned([str(path)], timezone)
    (file,) = found.intake
    assert file.kind == "planned" and file.rows_read == len(lines)
    assert file.rows_read == file.rows_accepted + file.rows_rejected + file.rows_duplicate
    return found.works, {issue.code: issue.count for issue in file.issues}


def test_every_column(tmp_path: Path) -> None:
    works, issues = read(
        tmp_path,
        "next-model,Training,H100,64,2026-12-01,2027-03-01T06:00:00Z,,,,atlas,research",
        "chat-eu,inference,H200,12.5,,,mon-fri 08-20,,,,",
        "fit,burst,H100,16,2026-10-15T00:00:00,,,500,2026-11-20,,lab",
    )
    by_name = {work.name: work for work in works}
    assert issues == {} and [work.key for work in works] == sorted(work.key for work in works)
    model, chat, fit = (by_name[name] for name in ("next-model", "chat-eu", "fit"))
    assert (model.key, model.pool, model.gpus) == ("atlas/research/next-model", Pool.TRAINING, 64.0)
    assert (model.begins_s, model.ends_s, model.hours) == (1796083200, 1803880800, ALWAYS)
    assert (chat.key, chat.begins_s, chat.ends_s, len(chat.hours)) == ("//chat-eu", None, None, 60)
    assert fit.spell(0).ends_s == 1792022400 + 500 * 3600 and fit.latest_finish_s == 1795132800


def test_times_without_a_zone_are_of_the_zone_asked_for(tmp_path: Path) -> None:
    (work,), _ = read(tmp_path, "a,burst,H100,1,2026-12-01,,,,,,", timezone="Europe/Oslo")
    assert work.begins_s == 1796083200 - 3600


def test_what_cannot_be_read_is_rejected_and_said(tmp_path: Path) -> None:
    works, issues = read(
        tmp_path,
        "a,burst,H100,1,,,,,,,",
        "a,burst,H100,2,,,,,,,",
        "a,Burst,H100,1.0,,,always,,,,",
        "b,serving,H100,1,,,,,,,",
        "c,burst,H100,none,,,,,,,",
        "d,burst,H100,1,2026-12-01,2026-11-01,,,,,",
        "e,burst,H100,1,,,weekdays,,,,",
        "f,burst,H100,1,,,always,40,,,",
        "g,burst,H100,0,,,,,,,",
        "h,burst,H100,1,soon,,,,,,",
        "i,burst,H100,,,,,,,,",
        "j,burst,H100,1,2026-12-01,2026-12-09,,40,,,",
        "k,burst,H100,1,,unknown,,,,,",
    )
    assert [(work.name, work.gpus) for work in works] == [("a", 1.0)]
    assert issues == {
        "name_taken": 1, "unknown_value": 1, "bad_number": 5, "end_before_start": 1, "bad_time": 2, "missing_column": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("column", "text", "code", "remedy"),
    [
        *(("length_hours", text, "bad_number", "write whole hours") for text in ("100.5", "abc", "-5", "0.5", "0")),
        ("gpus", "1e9", "bad_number", "write a number over 0"),
        ("gpus", "nan", "bad_number", "write a number over 0"),
        ("hours", "mon 20-08", "bad_number", "write always, mon-fri 08-20"),
        ("latest_finish", "2026-13-01", "bad_time", "use ISO 8601 times, such as 2026-01-31T05:00:00Z"),
        ("pool", "foo", "unknown_value", "write training, inference or burst"),
    ],
)  # fmt: skip
def test_a_rejected_row_names_its_column_its_value_and_what_to_write(
    tmp_path: Path, column: str, text: str, code: str, remedy: str
) -> None:
    row = {"name": "a", "pool": "burst", "gpu_model": "H100", "gpus": "1", column: text}
    path = tmp_path / "planned.csv"
    path.write_text(",".join(row) + "\n" + ",".join(row.values()) + "\n", "utf-8")
    found = import_planned([str(path)])
    (file,) = found.intake
    (rejected,), (issue,) = file.rejected, file.issues
    assert found.works == () and (rejected.code, issue.code, issue.count) == (code, code, 1)
    for message in (rejected.message, issue.message):
        assert f"{column} is {text!r}" in str(message) and remedy in str(message)


def test_columns_that_are_not_known_are_said(tmp_path: Path) -> None:
    path = tmp_path / "planned.csv"
    path.write_text("\nname,pool,gpu_model,gpus,begins,colour\na,burst,H100,1,,red\n", "utf-8")
    assert recognise(str(path)).kind == "planned"
    for file in (*check_file(str(path)), *import_planned([str(path)]).intake):
        (issue,) = file.issues
        assert (issue.code, issue.count, issue.first_row) == ("unknown_column", 1, 2)
        assert (
            "colour" in str(issue.message) and "begins" not in str(issue.message) and file.rows_accepted == 1
        )


def planned_of(tmp_path: Path, **cells: str) -> tuple[list[tuple[int | None, int | None]], dict[str, int]]:
    """Length and distance of the starts of one row of planned work, and issues by code."""
    row = {"name": "a", "pool": "burst", "gpu_model": "H100", "gpus": "1", **cells}
    path = tmp_path / "planned.csv"
    path.write_text(",".join(row) + "\n" + ",".join(row.values()) + "\n", "utf-8")
    found = import_planned([str(path)])
    (file,) = found.intake
    return [(one.length_hours, one.every_hours) for one in found.works], {
        one.code: one.count for one in file.issues
    }


def test_a_run_that_starts_again_needs_a_length_that_fits_between(tmp_path: Path) -> None:
    weekly = {"length_hours": "40", "every_hours": "168"}
    assert planned_of(tmp_path, **weekly, ends="2026-12-01") == ([(40, 168)], {})
    assert planned_of(tmp_path, length_hours="40", every_hours="40") == ([(40, 40)], {})
    for wrong in (
        {"every_hours": "168"},
        {**weekly, "every_hours": "39"},
        {**weekly, "every_hours": "168.5"},
        {**weekly, "every_hours": "0"},
        {**weekly, "hours": "mon 00-24"},
        {**weekly, "latest_finish": "2026-12-01"},
    ):
        assert planned_of(tmp_path, **wrong) == ([], {"bad_number": 1}), wrong


def test_cells_beyond_the_last_column_are_of_no_column(tmp_path: Path) -> None:
    works, issues = read(tmp_path, "a,burst,H100,1,,,sat,sun 00-24,,,,", "b,burst,H100,1,,,,,,,,x")
    assert works == () and issues == {"bad_number": 1, "long_row": 1}


@pytest.mark.parametrize(
    ("text", "count", "first"),
    [
        ("always", 168, 0),
        ("mon-fri 08-20", 60, 8),
        ("sat,sun 00-24", 48, 120),
        ("Fri-Mon 22-24", 8, 22),
        ("wed 0-1", 1, 48),
    ],
)
def test_hours_of_the_week(text: str, count: int, first: int) -> None:
    assert (len(hours_of(text)), hours_of(text)[0]) == (count, first)


@pytest.mark.parametrize("text", ["mon", "mon 20-08", "mon 08-25", "mo-fr 08-20", "08-20", "mon 08-20 utc"])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(PlannerError):
        hours_of(text)


def test_a_file_without_the_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("job_id,gpus\n1,2\n", "utf-8")
    read = import_planned([str(path)])
    assert read.works == () and [fault.code for fault in read.refused] == ["missing_column"]
    assert [(file.kind, file.rows_read) for file in read.intake] == [("planned", 0)]


@pytest.mark.parametrize("header", ["name,pool,gpu_model,gpus", HEADER.strip()])
def test_a_file_is_known_by_its_columns_and_described(tmp_path: Path, header: str) -> None:
    path = tmp_path / "any.csv"
    path.write_text(f"{header}\na,burst,H100,4\nb,burst,H200,8\na,burst,H100,4\nc,other,H100,1\n", "utf-8")
    assert recognise(str(path)).kind == "planned"
    (file,) = check_file(str(path))
    assert (file.kind, file.rows_read, file.rows_accepted, file.rows_duplicate, file.rows_rejected) == (
        "planned", 4, 2, 1, 1,
    )  # fmt: skip
    assert dict(file.facts) == {"workloads": 2, "gpus": 12.0, "gpu_models": ["H100", "H200"]}


def test_work_of_two_files_is_counted_once(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.csv", "b.csv")]
    for path in paths:
        path.write_text(f"{HEADER}a,burst,H100,1,,,,,,,\n", "utf-8")
    read = import_planned([str(path) for path in paths])
    assert len(read.works) == 1
    assert [(file.rows_accepted, file.rows_duplicate) for file in read.intake] == [(1, 0), (0, 1)]


def test_work_of_two_files_that_differs_is_not_lost_in_silence(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.csv", "b.csv")]
    for gpus, path in enumerate(paths, 1):
        path.write_text(f"{HEADER}a,burst,H100,{gpus},,,,,,,\n", "utf-8")
    read = import_planned([str(path) for path in paths])
    assert [work.gpus for work in read.works] == [1.0]
    assert [(file.rows_accepted, file.rows_rejected) for file in read.intake] == [(1, 0), (0, 1)]
    assert [issue.code for issue in read.intake[1].issues] == ["name_taken"]


@pytest.mark.parametrize(
    "text", ["always", "mon-fri 08-20", "sat,sun 00-24", "wed 00-01", "mon,wed,fri 09-17"]
)
def test_hours_are_written_as_they_are_read(text: str) -> None:
    assert hours_text(hours_of(text)) == text and hours_text((0, 30)) == ""
