"""Exports of sacct: with header and without, steps, arrays, what Slurm writes for no time."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.files.importing.import_jobs import ReadOptions
from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.job_logs.dialects import sacct
from gpuplanner.files.job_logs.dialects.sacct import columns_of, columns_of_all, records, sniff
from gpuplanner.files.job_logs.dialects.sacct_layout import delimiter_of, guess_layout
from gpuplanner.files.sources.source import survey
from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.values.scheduler_words import read_tres
from gpuplanner.files.values.times import WindowRequest
from tests.files.job_logs.cluster_damage import often
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates
from tests.files.job_logs.slurm_texts import fixed_width
from tests.some_of import examples, one_in, some_of

FIXTURE = Path(__file__).parent.parent.parent / "fixtures" / "sacct_P_header.txt"
WHOLE_LOG = WindowRequest(whole_log=True)


def _check_fixture(read: ReadResult) -> None:
    """The figures of the fixture, worked out by hand."""
    assert fates(read) == ("sacct", 11, 5, 1, 0, 5)  # three steps, one pending, one never started
    ones = counts(bad_time=1, never_started=1, no_gpus=1, pending=1, running=1, several_gpu_models=1)
    assert codes(read) == ones | counts(naive_time_assumed_utc=5, unknown_gpu_model=1)
    hours = 16 * 2 + 0.5 + 0.5 + 3 * 0.5
    assert read.jobs.milli_gpu_seconds == hours * HOUR
    assert read.jobs.peak_milli_gpus == 20_000
    assert (read.jobs.count, read.jobs.gpu_jobs) == (5, 4)


def _fixture_text() -> str:
    return FIXTURE.read_text(encoding="utf-8")


def test_an_export_with_a_header(read_log: Read) -> None:
    read = read_log(_fixture_text())
    _check_fixture(read)
    by_key = {workload.key: workload for workload in read.workloads}
    assert set(by_key) == {"/ml/train-7b", "/ml/sweep", "/web/serve-a|b", "/web/mixed"}
    assert by_key["/ml/train-7b"].max_nodes == 2
    assert by_key["/web/mixed"].failed_milli_gpu_seconds == 3 * 1_800_000
    assert set(read.cube.gpu_models) == {"H100", "L40S", "A100"}


def test_a_log_is_read_beside_another(read_log: Read) -> None:
    """A line that is none has its tables made anew; those of another log, which has an engine of its own, stay."""
    with open_engine() as other:
        other.run("create table log_0 as select 1 as line")
        assert fates(read_log(_fixture_text() + "slurm_load_jobs error\n"))[2] == 5
        assert other.all("select * from log_0") == [(1,)]


@pytest.mark.long
def test_the_same_with_dash_p_which_ends_lines_with_the_delimiter(read_log: Read) -> None:
    _check_fixture(read_log("".join(f"{line}|\n" for line in _fixture_text().splitlines())))


@pytest.mark.long
def test_the_same_with_another_delimiter_and_windows_line_ends(read_log: Read) -> None:
    text = _fixture_text().replace("serve a|b", "serve a b").replace("|", "^|^").replace("\n", "\r\n")
    _check_fixture(read_log(text))


@pytest.mark.long
def test_the_same_without_a_header_told_by_what_columns_hold(read_log: Read) -> None:
    text = _fixture_text().replace("serve a|b", "serve a b").split("\n", 1)[1]
    read = read_log(text)
    (file,) = read.intake
    issues = tuple(issue for issue in file.issues if issue.code != "undecided")
    assert len(issues) == len(file.issues) - 1
    _check_fixture(replace(read, intake=(replace(file, issues=issues),)))
    keys = {workload.key for workload in read.workloads}
    assert "//train-7b" in keys  # owners cannot be told without a header


def test_columns_without_a_header_may_stand_in_any_order() -> None:
    rows = [line.split("|") for line in _fixture_text().replace("serve a|b", "serve a b").splitlines()[1:]]
    backwards = [row[::-1] for row in rows]
    expected = ("JobID", "JobName", "", "", "", "State", "Start", "End", "Elapsed", "", "AllocTRES")
    assert guess_layout(rows) == expected
    assert guess_layout(backwards) == expected[::-1]


def test_a_column_is_what_nine_of_ten_of_its_texts_are() -> None:
    """One note of eleven that reads as resources makes no resources of the column."""
    rows = [line.split("|") for line in _fixture_text().replace("serve a|b", "serve a b").splitlines()[1:]]
    noted = [[*row, "by hand" if number else "cpu=4"] for number, row in enumerate(rows)]
    found, plain = guess_layout(noted), guess_layout(rows)
    assert plain is not None and found == (*plain, "column 12")


@pytest.mark.long
@pytest.mark.parametrize(
    ("start", "end", "is_read"),
    one_in(
        4,
        [
            ("2026/01/05-10:00:00", "2026/01/05-11:00:00", True),
            ("15/01/2026 10:00:00", "15/01/2026 11:00:00", True),
            ("05-Jan-2026 10:00:00", "05-Jan-2026 11:00:00", True),
            ("05/01/2026 10:00:00", "05/01/2026 11:00:00", False),  # nothing tells which number is the day
        ],
    ),
)
def test_times_in_the_form_that_a_site_has_set(read_log: Read, start: str, end: str, is_read: bool) -> None:
    read = read_log(
        f"JobID|State|Start|End|AllocTRES\n1|COMPLETED|{start}|{end}|gres/gpu=2\n"
        f"2|PENDING|Unknown|Unknown|\n3|COMPLETED|{start}|{end}|gres/gpu=1\n"
    )
    assert read.jobs.milli_gpu_seconds == 3 * HOUR * is_read
    assert fates(read) == ("sacct", 3, 2 * is_read, 2 * (not is_read), 0, 1)


@pytest.mark.long
def test_times_in_epoch_seconds_are_told_from_their_digits(read_log: Read) -> None:
    text = (
        "JobID|State|Start|End|AllocTRES\n"
        "1|COMPLETED|1767225600|1767229200|gres/gpu=2\n2|RUNNING|1767225600|Unknown|gres/gpu=1\n"
    )
    read = read_log(text)
    assert read.jobs.milli_gpu_seconds == 3 * HOUR
    assert "naive_time_assumed_utc" not in codes(read)


@pytest.mark.parametrize(
    ("columns", "values", "gpus"),
    one_in(
        6,
        [
            ("AllocGRES", "gpu:a100:4", 4),
            ("ReqGRES|NNodes", "gpu:2|3", 6),
            ("ReqTRES", "cpu=1,gres/gpu=5", 5),
            ("ReqGRES|AllocTRES", "gpu:2|", 0),  # what was given wins, and nothing was
            ("AllocGRES|AllocTRES", "gpu:2|billing=4,cpu=4,node=1", 2),  # given both ways; one tells no GPUs
            ("AllocGRES|AllocTRES", "gpu:2|cpu=4,gres/gpu=3", 3),
        ],
    ),
)
def test_older_columns_tell_gpus_where_alloc_tres_is_not_there(
    read_log: Read, columns: str, values: str, gpus: int
) -> None:
    text = f"JobID|State|Start|End|{columns}\n1|COMPLETED|2026-01-05T10:00:00|2026-01-05T11:00:00|{values}\n"
    assert read_log(text).jobs.milli_gpu_seconds == gpus * HOUR


def test_without_ends_the_elapsed_time_tells_them(read_log: Read) -> None:
    text = (
        "JobID|State|Start|Elapsed|AllocTRES\n"
        "1|COMPLETED|2026-01-05T10:00:00|1-02:00:00|gres/gpu=1\n2|FAILED|2026-01-05T10:00:00|x|gres/gpu=1\n"
    )
    read = read_log(text)
    assert read.jobs.milli_gpu_seconds == 26 * HOUR
    assert "bad_duration" in codes(read)


def test_a_log_without_times_is_refused_with_the_columns_it_lacks(read_log: Read) -> None:
    read = read_log("JobID|JobName|Partition|Account|AllocCPUS|State|ExitCode\n1|a|gpu|b|4|COMPLETED|0:0\n")
    (error,) = read.refused
    assert error.code == "missing_column"
    assert "Start, End, AllocTRES" in str(error)
    assert list(codes(read)) == ["missing_column"]
    assert read.window is None


@pytest.mark.parametrize("text", ["", "a|b|c\n1|2|3\n", "hello\nworld\n", '{"jobs": []}'])
def test_other_texts_are_not_taken_for_sacct(text: str) -> None:
    assert sniff(text) == 0.0


# --- Public logs, where they lie beside the project


def test_the_public_log_gives_its_known_figures(shared_data: Path) -> None:
    path = shared_data / "slurm" / "fox2024_sacct_P_noheader.txt"
    read = read_inputs([str(path)], options=ReadOptions(timezone="Europe/Oslo"), window_request=WHOLE_LOG)
    assert fates(read) == ("sacct", 96, 29, 0, 0, 67)
    assert (read.jobs.count, read.jobs.gpu_jobs, read.jobs.milli_gpu_seconds) == (29, 16, 3_007_000)
    assert read.jobs.peak_milli_gpus == 8000
    assert read.jobs.first_start_s == 1_731_498_327
    assert codes(read)["unknown_gpu_model"] == 12
    cube = read.cube
    models = (cube.gpu_models[i] if i >= 0 else "" for i in cube.model_index)
    assert dict(zip(models, cube.row_totals, strict=True))["A100"] == 206_000


@pytest.mark.long
@pytest.mark.parametrize("name", some_of(["reportseff_sacct_strings.txt", "ood_sacct.txt"], quick=1))
def test_a_public_listing_without_times_is_refused(shared_data: Path, name: str) -> None:
    read = read_inputs([str(shared_data / "slurm" / name)])
    assert "Start, End" in str(read.refused[0])


@pytest.mark.long
@pytest.mark.parametrize("name", some_of(["slurm2sql_test_data1.csv", "slurm2sql_test_data2.csv"], quick=1))
def test_public_exports_of_cpu_jobs_have_no_gpu_demand(shared_data: Path, name: str) -> None:
    read = read_inputs([str(shared_data / "slurm" / name)], window_request=WHOLE_LOG)
    assert (read.intake[0].rows_ignored, read.jobs.gpu_jobs) == (3, 0)


BOARDS = {
    "H100": "nvidia_h100_80gb_hbm3 nvidia_h100_80gb_hbm3_2g.20gb",
    "V100": "tesla_v100-sxm2-32gb",
    "A100 40GB": "NVIDIAA100-PCIE-40GB a100_pcie_40gb",
    "A100 80GB": "a100-80gb",
    None: "rtx30",  # a name that a site gave
}


@pytest.mark.parametrize("model", BOARDS)
def test_a_board_as_its_driver_calls_it_is_the_model_that_contracts_name(model: str | None) -> None:
    for name in BOARDS[model].split():
        read = gpu_families().read(read_tres(f"cpu=4,gres/gpu:{name}=1,gres/gpu=1").gpu_model or "")
        assert (None if read is None else read.family) == model, name


def test_a_slice_is_its_sevenths_in_every_spelling() -> None:
    slices = {"mig_1g_10gb": 143, "h100_2g20gb": 286, "1g.5gb": 143, "a100-sxm4-80gb.mig-1g.10gb": 143}
    slices |= {"a100.20gb": 1000}
    assert {name: read_tres(f"gres/gpu:{name}=1,gres/gpu=1").milli_gpus for name in slices} == slices


def test_a_trace_with_words_of_slurm_is_no_export_of_it(read_log: Read) -> None:
    header = "jobid,user,vc,jobname,gpu_num,node_num,start_time,duration,state"
    trace = f"{header}\n1,u,v,train,8,1,2026-01-05 10:00:00,3600,Pass\n"
    read = read_log(trace)
    assert (read.intake[0].format, read.jobs.milli_gpu_seconds) == ("philly", 8 * HOUR)
    (refused,) = read_log("JobID|JobName|Partition|State\n1|train|gpu|COMPLETED\n").refused
    assert refused.code == "missing_column" and "Start, End, AllocTRES" in str(refused.what)


def test_signs_in_a_name_part_no_columns_of_an_export_without_header() -> None:
    """One name with more of a sign than there are columns."""
    head = "1|a*b*c*d*e*f*g|2026-01-01T00:00:00|COMPLETED\n2|train|2026-01-01T00:00:00|COMPLETED\n"
    assert delimiter_of(head + head) == "|"
    assert delimiter_of((head + head).replace("|", "~")) == "~"


# --- sacct's fixed width: aligned columns, cut texts, and what a cut text must never be taken for

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


def test_shares_and_other_devices_are_no_cpu_jobs(read_log: Read) -> None:
    head = "JobID|User|State|Start|End|AllocTRES\n"
    of = {
        1: "gres/mps=50",
        2: "gres/mps:a100=150,gres/mps=150",
        3: "gres/shard=4",
        4: "gres/gaudi=8",
        5: "cpu=4",
    }
    row = "{}|ann|COMPLETED|2026-01-05T10:00:00Z|2026-01-05T12:00:00Z|billing=4,cpu=4,{},node=1\n"
    read = read_log(head + "".join(row.format(*one) for one in of.items()))
    assert codes(read) == counts(gpus_unknown=1, other_accelerator=1, no_gpus=1, unknown_gpu_model=1)
    assert read.jobs.milli_gpu_seconds == 2 * 2 * HOUR
    message = next(str(one.message) for one in read.intake[0].issues if one.code == "other_accelerator")
    assert "gaudi: 16 device-hours" in message


def test_an_array_as_a_whole_and_a_revoked_twin_are_no_jobs(read_log: Read) -> None:
    head = "JobID|Cluster|User|State|Start|End|AllocTRES\n"
    ran = "{}|{}|ann|{}|2026-01-05T10:00:00Z|2026-01-05T12:00:00Z|gres/gpu=1\n"
    rows = [("7_[1-2]", "a"), ("7_1", "a"), ("7_2", "a"), ("7_2.batch", "a")]
    text = head + "".join(ran.format(*row, "COMPLETED") for row in rows)
    text += ran.format("8", "a", "REVOKED") + ran.format("8", "b", "COMPLETED")
    read = read_log(text + "9_[3-9%2]|a|ann|PENDING|Unknown|Unknown|\n")
    assert fates(read) == ("sacct", 7, 3, 0, 0, 4)
    assert codes(read)["pending"] == 1
    assert read.jobs.milli_gpu_seconds == 3 * 2 * HOUR
    assert dict(read.intake[0].facts)["job_steps"] == 3
