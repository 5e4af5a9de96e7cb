"""Exports of sacct: with header and without, steps, arrays, what Slurm writes for no time."""

from dataclasses import replace
from pathlib import Path

import pytest

from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.job_logs.dialects.slurm.sacct import sniff
from gpuplanner.files.job_logs.dialects.slurm.sacct_layout import delimiter_of, guess_layout
from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.files.values.slurm_resources import read_tres
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates
from tests.some_of import one_in, some_of

FIXTURE = Path(__file__).parent.parent.parent.parent / "fixtures" / "sacct_P_header.txt"
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
