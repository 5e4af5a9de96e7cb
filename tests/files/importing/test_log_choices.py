"""What was said of single logs: each is read in its own way and zone, and the row law holds for all."""

from pathlib import Path

import pytest

from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_choices import LogChoice, ReadOptions
from gpuplanner.files.importing.recognise import glance, recognise
from gpuplanner.files.tables.column_mapping import parse_mapping

OURS = "job_id,gpus,start,end\n1,8,2026-07-01T00:00:00,2026-07-01T10:00:00\n"
TABLE = "task,cards,begun,took\na,8,2026-07-01T00:00:00,60\nb,x,2026-07-01T02:00:00,60\n"
MAPPING = parse_mapping("gpus=cards,start=begun,duration=took:min")


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """One log of ours and one of a table, both without zones."""
    for name, text in (("ours.csv", OURS), ("table.csv", TABLE)):
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in ("ours.csv", "table.csv")]


def test_each_log_is_read_by_what_was_said_of_it(paths: list[str]) -> None:
    read = import_jobs(paths, options=ReadOptions(choices={paths[1]: LogChoice(mapping=MAPPING)}))
    assert [(file.format, file.rows_accepted, file.rows_rejected) for file in read.intake] == [
        ("own_csv", 1, 0),
        ("mapped", 1, 1),
    ]
    assert read.jobs.milli_gpu_seconds == 8000 * (36_000 + 3_600)


def test_a_zone_of_one_log_is_not_that_of_the_other(paths: list[str]) -> None:
    choices = {paths[1]: LogChoice(mapping=MAPPING, timezone="Europe/Oslo")}
    read = import_jobs(paths, options=ReadOptions(choices=choices))
    naive = [[issue.code for issue in file.issues if "naive" in issue.code] for file in read.intake]
    assert naive == [["naive_time_assumed_utc"], []]
    assert read.jobs.first_start_s == 1_782_864_000 - 2 * 3600


def test_what_is_said_of_one_wins_over_what_is_said_of_all(paths: list[str]) -> None:
    read = import_jobs(
        paths,
        options=ReadOptions(
            timezone="Asia/Tokyo",
            mapping=MAPPING,
            choices={paths[0]: LogChoice(format="own_csv", timezone="UTC")},
        ),
    )
    assert [file.format for file in read.intake] == ["own_csv", "mapped"]
    assert read.jobs.first_start_s == 1_782_864_000 - 9 * 3600


def test_a_zone_that_does_not_exist_is_refused_before_anything_is_read(paths: list[str]) -> None:
    with pytest.raises(PlannerError):
        import_jobs(paths, options=ReadOptions(choices={paths[0]: LogChoice(timezone="Mars/Olympus")}))


def test_a_glance_says_what_a_look_at_the_whole_file_says(paths: list[str], tmp_path: Path) -> None:
    long = tmp_path / "long.csv"
    long.write_text(OURS + "2,1,2026-07-01T00:00:00,2026-07-01T01:00:00\n" * 40_000)
    cut = tmp_path / "cut.csv"
    cut.write_bytes(("é" * 600_000).encode())  # a character on the edge of what is read
    for path in (*paths, str(long), str(cut)):
        assert glance(path) == recognise(path)


def test_a_glance_stops_when_asked_while_it_unpacks(tmp_path: Path) -> None:
    import gzip

    packed = tmp_path / "log.csv.gz"
    packed.write_bytes(gzip.compress((OURS * 50_000).encode()))

    def stop(_count: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        glance(str(packed), stop)
