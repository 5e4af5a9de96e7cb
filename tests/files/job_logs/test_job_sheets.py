"""Job logs as they are kept: dates that one column settles, units of ages, constants, a mapping in a file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gpuplanner.cli.arguments import build_parser
from gpuplanner.files.importing.intake import ReadResult
from gpuplanner.files.job_logs.dialects.slurm.sacct_layout import guess_layout
from gpuplanner.files.job_logs.propose_columns import propose_mapping


def test_one_column_settles_day_or_month_of_all() -> None:
    rows = [
        ("1", "25/2/2026 08:00", "1/3/2026 08:00", "4", "2"),
        ("2", "26/2/2026 08:00", "2/3/2026 08:00", "4", "2"),
    ]
    found = propose_mapping(("job", "submitted", "begin", "gpus", "hours"), rows)
    assert found.mapping is not None
    assert found.mapping.units["start"] == "dmy"
    american = [
        ("1", "2/25/2026 08:00", "3/1/2026 08:00", "4", "2"),
        ("2", "2/26/2026 08:00", "3/2/2026 08:00", "4", "2"),
    ]
    found = propose_mapping(("job", "submitted", "begin", "gpus", "hours"), american)
    assert found.mapping is not None
    assert found.mapping.units["start"] == "mdy"
    assert not found.readings["start"].note


@pytest.mark.parametrize(
    ("heading", "longest", "unit"),
    [
        ("duration_h", "720000", "min"),  # 82 years of hours
        ("duration_h", "170000", "h"),  # 19.4 years
        ("duration_days", "604800", "min"),  # 1,657 years, 69 of hours
    ],
)
def test_a_unit_that_makes_a_log_longer_than_20_years_gives_way(
    heading: str, longest: str, unit: str
) -> None:
    rows = [("1", "2026-03-01T08:00:00Z", "4", longest), ("2", "2026-03-02T08:00:00Z", "4", "10")]
    found = propose_mapping(("job", "begin", "gpus", heading), rows)
    assert found.mapping is not None
    assert found.mapping.unit("duration") == unit
    assert ("20 years" in str(found.readings["duration"].note)) == (unit == "min")


SHEET = (
    "id;from;to;what's it\n"
    "1;2026-01-01T00:00:00Z;2026-01-01T03:00:00Z;x\n2;2026-01-01T01:00:00Z;2026-01-01T02:00:00Z;y\n"
)


@pytest.mark.parametrize(("said", "gpu_hours"), [("gpus==1", 4), ("gpus==8,cluster==fox's", 32)])
def test_what_every_row_has_is_said_once(
    read_log: Callable[..., ReadResult], said: str, gpu_hours: int
) -> None:
    answer = read_log(SHEET, mapping=f"{said},start=from,end=to,job_id=id")
    assert answer.cube is not None
    assert answer.cube.total == gpu_hours * 3_600_000
    if "cluster" in said:
        assert {workload.cluster for workload in answer.workloads} == {"fox's"}


@pytest.mark.parametrize("given", ["gpu_model=Kind", "gpus==2", "duration=Length:h"])
def test_a_mapping_that_lacks_columns_adds_to_what_is_sure(
    read_log: Callable[..., ReadResult], given: str
) -> None:
    sheet = "Job ID,GPUs,Kind,Started,Ended,Length\n7,2,H100,2026-01-05T10:00:00Z,2026-01-05T13:00:00Z,3\n"
    answer = read_log(sheet, mapping=given)
    (file,) = answer.intake
    assert answer.cube is not None and answer.cube.total == 6 * 3_600_000
    said = next(str(issue.message) for issue in file.issues if issue.code == "read_as_table")
    assert given in said and "start=Started" in said and ("end=Ended" in said) == ("Length" not in given)


def test_a_whole_mapping_takes_days_as_the_table_settles_them_and_names_what_it_leaves_out(
    read_log: Callable[..., ReadResult],
) -> None:
    sheet = (
        "Run,Team,GPU,Cards,Began,Finished\nr1,ml,H100,8,03/09/2026 10:00,13/09/2026 10:00\n"
        "r2,web,A100,4,05/09/2026 10:00,25/09/2026 10:00\n"
    )
    answer = read_log(sheet, mapping="gpus=Cards,start=Began,end=Finished,job_id=Run")
    (file,) = answer.intake
    assert answer.cube is not None and answer.cube.total == (8 * 10 + 4 * 20) * 24 * 3_600_000
    (said,) = (str(issue.message) for issue in file.issues if issue.code == "unknown_column")
    assert "account=Team" in said and "gpu_model=GPU" in said and "Run" not in said


def test_a_mapping_may_stand_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "our.map"
    path.write_text("# ours\ngpus==1  # each\nname=PO #\nstart=from:dmy\n\nend=to:dmy\n", encoding="utf-8")
    said = build_parser().parse_args(["check", "jobs.csv", "--map", str(path), "--map", "job_id=id"])
    assert said.map == "gpus==1,name=PO #,start=from:dmy,end=to:dmy,job_id=id"


def test_a_log_without_header_does_not_take_users_for_job_names() -> None:
    def row(at: int, user: str, name: str) -> list[str]:
        day = f"2026-03-{at + 1:02}"
        return [
            str(100 + at),
            user,
            name,
            "gpu",
            "COMPLETED",
            f"{day}T08:00:00",
            f"{day}T10:00:00",
            "cpu=4,gres/gpu=2",
        ]

    people = ["ann", "bob", "cyd", "dan", "eve", "fay"]
    layout = guess_layout([row(at, user, "train") for at, user in enumerate(people)])
    assert layout is not None
    assert "JobName" not in layout
    layout = guess_layout([row(at, "ann", f"train_{user}") for at, user in enumerate(people)])
    assert layout is not None
    assert layout[2] == "JobName"


OWN = "job_id,gpus,{more},start,end\n1,2,{cell},2026-01-01T00:00:00Z,2026-01-01T03:00:00Z\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (OWN.format(more="gpus", cell="4"), "gpus (2)"),
        (OWN.format(more="gpus", cell="2"), ""),  # the same, so nothing is lost
        (OWN.format(more="note", cell="4"), ""),
        ("Job;GPUs;Begin;Ende;gpus\n1;2;25.01.2026 00:00;25.01.2026 03:00;4\n", "gpus (2)"),
    ],
)
def test_two_columns_of_one_name_are_said(read_log: Callable[..., ReadResult], text: str, said: str) -> None:
    answer = read_log(text)
    assert answer.cube is not None
    assert answer.cube.total == 6 * 3_600_000
    told = [str(issue.message) for issue in answer.intake[0].issues if issue.code == "unknown_column"]
    assert [said in one for one in told] == [True] * bool(said)


@pytest.mark.parametrize(("unit", "smaller"), [("h", "min"), ("d", "h"), ("s", "")])
def test_a_given_unit_that_makes_a_job_longer_than_20_years_is_said(
    read_log: Callable[..., ReadResult], unit: str, smaller: str
) -> None:
    text = "id,n,begun,took\n1,4,2026-03-01T08:00:00Z,180000\n"
    answer = read_log(text, mapping=f"job_id=id,gpus=n,start=begun,duration=took:{unit}")
    told = [str(issue.message) for issue in answer.intake[0].issues if issue.code == "undecided"]
    assert [f"--map duration=took:{smaller}" in one for one in told] == [True] * bool(smaller)
