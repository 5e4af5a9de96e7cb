"""sacct's fixed width: aligned columns, cut texts, and what a cut text must never be taken for."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.files.job_logs.dialects.slurm import sacct
from gpuplanner.files.job_logs.dialects.slurm.sacct_fixed_width import columns_of, columns_of_all, records
from gpuplanner.files.sources.source import survey
from tests.files.job_logs.cluster_damage import often
from tests.files.job_logs.row_ends import HOUR, Read, codes, fates
from tests.files.job_logs.slurm_texts import fixed_width
from tests.some_of import examples, one_in

COLUMNS = (
    *(("JobID", 12), ("JobName", 10), ("User", 9), ("Partition", 10), ("State", 10), ("Start", 19)),
    *(("End", 19), ("Elapsed", 10), ("AllocTRES", 40), ("NodeList", 15)),
)
BEGIN, END = "2026-01-05T10:00:00", "2026-01-05T12:00:00"
GPUS = "cpu=8,gres/gpu:h100=2,gres/gpu=2,node=1"


def row(job_id: str, tres: str = GPUS, *, name: str = "train", user: str = "ann", **other: str) -> list[str]:
    values = {"JobID": job_id, "JobName": name, "User": user, "Partition": "gpu" if user else ""}
    values |= {"State": "COMPLETED", "Start": BEGIN, "End": END, "Elapsed": "02:00:00"}
    values |= {"AllocTRES": tres, "NodeList": "gpu-01", **other}
    return [values[column] for column, _ in COLUMNS]


WAITS = row("103", State="PENDING", Start="Unknown", End="Unknown", NodeList="None assigned")


def _without_header(text: str) -> str:
    return "".join(text.splitlines(keepends=True)[2:])


def test_jobs_and_steps_with_blanks_and_letters_of_two_bytes_in_their_names(read_log: Read) -> None:
    text = fixed_width(
        COLUMNS,
        [
            row("100", name="big run"),
            row("100.batch", name="batch", user=""),
            row("101", name="søk på alt", State="CANCELLED by 1001"),
            row("102_7", "cpu=8", State="OUT_OF_MEMORY"),
            WAITS,
        ],
    )
    read = read_log(text)
    assert fates(read) == ("sacct", 5, 3, 0, 0, 2)
    assert read.jobs.milli_gpu_seconds == 2 * 2 * 2 * HOUR
    assert {workload.key for workload in read.workloads} == {"/ann/big-run", "/ann/søk-på-+"}


@pytest.mark.long
def test_without_header_and_dashes_columns_are_told_by_their_place(read_log: Read) -> None:
    jobs = [row("100", name="big run"), row("101", State="CANCELLED by 1001"), WAITS]
    steps = [row(f"100.{step}", name=step, user="") for step in ("batch", "extern")]
    read = read_log(_without_header(fixed_width(COLUMNS, jobs[:1] + steps + jobs[1:])))
    assert fates(read) == ("sacct", 5, 2, 0, 0, 3)
    assert read.jobs.milli_gpu_seconds == 2 * 2 * 2 * HOUR
    assert "undecided" in codes(read)  # and it is said


@pytest.mark.long
def test_the_same_counted_in_letters(read_log: Read) -> None:
    """As another program pads it."""
    text = fixed_width(COLUMNS, [row("100", name="xxx"), row("101")])
    assert fates(read_log(text.replace("xxx", "søø"))) == ("sacct", 2, 2, 0, 0, 0)


@pytest.mark.long
def test_prompts_above_and_a_header_that_comes_again_are_no_rows(read_log: Read) -> None:
    text = fixed_width(COLUMNS, [row("100")])
    read = read_log("$ sacct -a --format=...\n\n" + text + "\n" + text.replace("100", "101"))
    assert fates(read) == ("sacct", 2, 2, 0, 0, 0)


@pytest.mark.parametrize(
    "tres",
    one_in(
        4,
        [
            "billing=16,cpu=64,mem=1024G,energy=100,gres/gpu=16",  # nothing of the GPUs is left
            "billing=1,cpu=8,gres/gpu:h100=1,gres/gpu=16,mem=1G",  # one model's count, and half the total
            "billing=100,cpu=1000,mem=200G,gres/gpu=12,node=1",  # a digit is cut off
        ],
    ),
)
def test_a_cut_list_of_resources_is_no_count(read_log: Read, tres: str) -> None:
    read = read_log(fixed_width(COLUMNS, [row("100", tres), row("101")]))
    assert fates(read) == ("sacct", 2, 1, 1, 0, 0)
    (rejected,) = read.intake[0].rejected
    assert rejected.code == "bad_number"
    assert "+" in str(rejected.message)


@pytest.mark.long
def test_a_cut_list_that_still_tells_the_total_is_one(read_log: Read) -> None:
    read = read_log(fixed_width(COLUMNS, [row("100", "billing=16,gres/gpu=16,gres/gpu:h100=16,node=2")]))
    assert fates(read)[2] == 1
    assert read.jobs.peak_milli_gpus == 16_000


def test_cut_ids_of_an_array_are_not_taken_for_one_job(read_log: Read) -> None:
    tasks = [row(f"12345678_{task}") for task in (1000, 1001, 1002)]
    steps = [row(f"12345678_{task}.batch", name="batch", user="") for task in (1000, 1001, 1002)]
    read = read_log(fixed_width(COLUMNS, tasks + steps))
    assert fates(read) == ("sacct", 6, 3, 0, 0, 3)
    assert read.jobs.peak_milli_gpus == 6_000


def test_a_cut_id_that_may_be_a_step_is_rejected_unless_a_column_tells(read_log: Read) -> None:
    columns = tuple(column for column in COLUMNS if column[0] not in ("User", "Partition"))
    keep = [place for place, column in enumerate(COLUMNS) if column in columns]
    lines = [row("12345678_1000"), row("12345678_1000.batch", name="batch")]
    text = fixed_width(columns, [[cells[place] for place in keep] for cells in lines])
    read = read_log(text)
    assert fates(read) == ("sacct", 2, 0, 1, 0, 1)
    assert "JobID" in str(read.intake[0].rejected[0].message)
    raw = fixed_width(
        (*columns, ("JobIDRaw", 14)),
        [[*(cells[place] for place in keep), f"1234{n}"] for n, cells in enumerate(lines[:1])],
    )
    assert fates(read_log(raw)) == ("sacct", 1, 1, 0, 0, 0)


def test_a_line_that_stands_beside_its_dashes_is_rejected_and_says_so(read_log: Read) -> None:
    text = fixed_width(COLUMNS, [row("100"), row("101")]).replace("101 ", "101 and more ", 1)
    read = read_log(text)
    assert fates(read) == ("sacct", 2, 1, 1, 0, 0)
    assert "101" in str(read.intake[0].rejected[0].message)


def test_the_default_columns_are_refused_by_name(read_log: Read) -> None:
    names = ("JobID", "JobName", "Partition", "Account", "AllocCPUS", "State")
    (error,) = read_log(
        fixed_width([(name, 12) for name in names], [["1", "a", "gpu", "ml", "8", "COMPLETED"]])
    ).refused
    assert "Start, End, AllocTRES" in str(error)


@often
@given(st.lists(st.text(max_size=200), max_size=8))
def test_any_lines_below_the_dashes_are_records_of_full_width(lines: list[str]) -> None:
    columns = columns_of(fixed_width(COLUMNS, []))
    assert len(columns) == len(COLUMNS)
    header = fixed_width(COLUMNS, []).splitlines()
    found = list(records([*header, *lines], columns))
    assert len(found) <= len(lines)
    assert all(len(cells) == len(COLUMNS) for _, cells in found)


@often
@given(st.text(max_size=40), st.integers(0, 700))
def test_a_damaged_table_still_comes_as_records(damage: str, at: int) -> None:
    text = fixed_width(COLUMNS, [row("100"), row("12345678_1000"), row("100.batch", user="")])
    text = text[:at] + damage + text[at:]
    assert 0 <= sacct.sniff(text) <= 1
    columns = columns_of(text)
    if {"start", "alloctres"} <= {column.name.casefold() for column in columns}:
        assert all(len(cells) == len(columns) for _, cells in records(text.splitlines(), columns))


@pytest.mark.long
def test_ids_that_grow_after_the_lines_that_are_looked_at_lose_no_row(read_log: Read) -> None:
    rows = [row(str(9400 + at)) for at in range(700)] + [row(f"{100_000 + at}_{at}") for at in range(50)]
    read = read_log(_without_header(fixed_width(COLUMNS, rows)))
    assert fates(read) == ("sacct", 750, 750, 0, 0, 0)
    assert read.jobs.milli_gpu_seconds == 750 * 2 * 2 * HOUR


@pytest.mark.long
def test_texts_that_grow_to_the_left_and_a_column_that_began_empty(read_log: Read) -> None:
    early = [row(str(9400 + at), name="t", user="", Partition="gpu") for at in range(600)]
    late = [row(str(20_000 + at), name="long-name", user="somebody") for at in range(60)]
    read = read_log(_without_header(fixed_width(COLUMNS, early + late)))
    assert fates(read) == ("sacct", 660, 660, 0, 0, 0)
    assert read.jobs.milli_gpu_seconds == 660 * 2 * 2 * HOUR


def test_a_line_out_of_line_moves_no_border(read_log: Read) -> None:
    text = _without_header(fixed_width(COLUMNS, [row(str(9400 + at)) for at in range(700)]))
    stray = f"9999 {'x' * 60} {BEGIN} {END}\n"
    assert fates(read_log(text + stray)) == ("sacct", 701, 700, 1, 0, 0)


@pytest.mark.long
def test_a_header_without_its_dashes(read_log: Read) -> None:
    rows = [row(str(9400 + at), name="big run") for at in range(700)]
    header, _, *lines = fixed_width(COLUMNS, rows).splitlines(keepends=True)
    read = read_log("$ sacct -a\n" + header + "".join(lines))
    assert fates(read) == ("sacct", 700, 700, 0, 0, 0)
    assert read.jobs.milli_gpu_seconds == 700 * 2 * 2 * HOUR
    assert {workload.key for workload in read.workloads} == {"/ann/big-run"}
    assert "undecided" not in codes(read)


@pytest.mark.long
@settings(max_examples=examples(6), deadline=None)
@given(
    first=st.integers(10, 10**6),
    jump=st.integers(0, 10**11),
    names=st.lists(st.text("abc-", min_size=1, max_size=10), min_size=3, max_size=3),
    has_header=st.booleans(),
)
def test_law_no_row_is_lost_whatever_the_width_of_ids(
    first: int, jump: int, names: list[str], has_header: bool
) -> None:
    ids = [first + at + (at >= 505) * jump for at in range(520)]
    rows = [row(str(one), name=names[at % 3]) for at, one in enumerate(ids)]
    header, _, *lines = fixed_width(COLUMNS, rows).splitlines(keepends=True)
    text = "".join([header] * has_header + lines)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.txt"
        path.write_text(text, encoding="utf-8")
        columns = columns_of_all(survey(str(path)))
    told = [cells for _, cells in records(text.splitlines(), columns, has_header=has_header)]
    at = {column.name: place for place, column in enumerate(columns)}
    assert [cells[at["JobID"]] for cells in told] == [str(one) for one in ids]
    assert {cells[at["Start"]] for cells in told} == {BEGIN}
    assert {cells[at["AllocTRES"]] for cells in told} == {GPUS}
