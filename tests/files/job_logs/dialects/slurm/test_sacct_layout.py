"""Lines of sacct exports that are not all records: prompts, comments, totals, line ends inside a text."""

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.job_logs.dialects.slurm.sacct_layout import find_header, guess_layout, ordered
from gpuplanner.files.sources.issue_texts import RaggedLines
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.cluster_damage import often
from tests.files.job_logs.row_ends import HOUR, Read, codes, fates
from tests.some_of import one_in, some_of

HEADER = "JobID|JobName|User|State|Start|End|ElapsedRaw|AllocTRES|SubmitLine"
BEGIN, END = "2026-01-05T10:00:00", "2026-01-05T11:00:00"


def row(
    job_id: str, name: str = "train", line: str = "sbatch", state: str = "COMPLETED", end: str = END
) -> str:
    return f"{job_id}|{name}|ann|{state}|{BEGIN}|{end}|3600|cpu=8,gres/gpu=1|{line}"


def export(*lines: str) -> str:
    return "\n".join([HEADER, *lines, ""])


@pytest.mark.long
def test_a_prompt_and_messages_above_the_header_are_no_rows_and_lines_keep_their_numbers(
    read_log: Read,
) -> None:
    text = f"$ sacct -aP -S 2026-01-01\nsacct: warning: slow\n# mine\n{HEADER}\n{row('1')}\n{row('2', end='x')}\n"
    read = read_log(text)
    assert fates(read) == ("sacct", 2, 1, 1, 0, 0)
    assert read.intake[0].rejected[0].row == 6


@pytest.mark.parametrize("newline", one_in(12, ["\n", "\r\n", "\r"]))
@pytest.mark.parametrize("bom", some_of(["", "\ufeff"], quick=1))
def test_files_put_together_repeat_their_header(read_log: Read, newline: str, bom: str) -> None:
    text = bom + newline.join([HEADER, row("1"), "", HEADER, row("2"), row("2.batch"), ""])
    assert fates(read_log(text)) == ("sacct", 3, 2, 0, 0, 1)


def test_a_command_that_names_the_fields_is_no_header_and_a_commented_one_is(read_log: Read) -> None:
    command = "$ sacct -aP --format=JobName,JobID,State,Start,End,AllocTRES,User"
    assert fates(read_log("\n".join([command, f"# {HEADER}", row("1"), ""]))) == ("sacct", 1, 1, 0, 0, 0)


@pytest.mark.long
def test_comments_and_totals_are_ignored_rows_and_other_lines_are_rejected(read_log: Read) -> None:
    text = export(row("1"), "# the rest is of May", row("2"), "Total|2", "what is this")
    read = read_log(text.replace("|SubmitLine", "|ExitCode").replace("|sbatch", "|0:0"))
    assert fates(read) == ("sacct", 5, 2, 1, 0, 2)
    assert read.intake[0].rejected[0].text.startswith("what is this")


def test_line_ends_inside_a_name_or_a_command_do_not_break_a_record(read_log: Read) -> None:
    text = export(row("1", "two\nlines"), row("2", line="srun a\nthen | b\nand c"), row("3"))
    read = read_log(text)
    assert fates(read) == ("sacct", 3, 3, 0, 0, 0)
    assert read.jobs.milli_gpu_seconds == 3 * HOUR
    assert "/ann/two-lines" in {workload.key for workload in read.workloads}


def test_a_pipe_in_a_command_does_not_move_the_fields_before_it(read_log: Read) -> None:
    read = read_log(export(row("1", line="sbatch --wrap 'a | b || c'")))
    assert fates(read) == ("sacct", 1, 1, 0, 0, 0)
    assert {workload.key for workload in read.workloads} == {"/ann/train"}


@pytest.mark.parametrize("delimiter", some_of(["^|^", ";|;", "~", "::", "\t", ";"], quick=1))
def test_any_delimiter_is_told_from_the_header(read_log: Read, delimiter: str) -> None:
    text = "\n".join([HEADER, row("1"), row("2.0"), ""]).replace("|", delimiter)
    assert fates(read_log(text)) == ("sacct", 2, 1, 0, 0, 1)


@pytest.mark.long
def test_headings_in_any_case_and_with_the_widths_of_the_format_option(read_log: Read) -> None:
    text = "\n".join([HEADER.replace("JobName", "JobName%30").upper(), row("1"), ""])
    assert fates(read_log(text)) == ("sacct", 1, 1, 0, 0, 0)


@pytest.mark.long
def test_the_first_second_of_1970_is_no_time(read_log: Read) -> None:
    lines = [row("1"), row("2", state="RUNNING", end="1970-01-01T01:00:00")]
    lines += [
        row("3", end="1969-12-31T19:00:00"),
        row("4", state="CANCELLED by 1").replace(BEGIN, "1970-01-01T00:00:00"),
    ]
    read = read_log(export(*lines))
    assert fates(read) == ("sacct", 4, 2, 1, 0, 1)
    assert {"running", "bad_time", "never_started"} <= set(codes(read))


def test_only_gpus_are_counted_and_once(read_log: Read) -> None:
    milli_of = {
        "gres/gpu:h100=8,gres/gpu=8,gres/gpumem=640G,gres/gpuutil=712": 8000,
        "billing=8,gres/gpu:nvidia_a100_3g.20gb=2,node=1": 857,
        "cpu=4,gres/shard=4,node=1": 0,
        "gres/gpu:1": 1000,
        "cpu=64,gres/gpu:a100=4,gres/gpu:l40s=2,gres/gpu=6": 6000,
    }
    names = dict(zip("abcde", milli_of, strict=True))
    rows = [row(name, name).replace("cpu=8,gres/gpu=1", tres) for name, tres in names.items()]
    found = read_log(export(*rows)).workloads
    assert {one.name: one.milli_gpu_seconds // 3600 for one in found} == {
        name: milli_of[tres] for name, tres in names.items() if milli_of[tres]
    }


@pytest.mark.long
def test_a_count_that_was_lost_in_its_unit_is_no_count(read_log: Read) -> None:
    read = read_log(export(row("1").replace("gres/gpu=1", "gres/gpu=0.00K")))
    assert fates(read) == ("sacct", 1, 0, 1, 0, 0)


def test_ids_of_arrays_parts_and_federations(read_log: Read) -> None:
    jobs = (row("123_4"), row("123+0", state="NODE_FAIL"), row("67108865", state="COMPLETING"))
    others = (row("123_[1-10%2]", state="PENDING"), row("123+0.batch"))
    assert fates(read_log(export(*jobs, *others))) == ("sacct", 5, 3, 0, 0, 2)


def test_a_requeued_job_is_two_runs_and_the_same_run_one(read_log: Read) -> None:
    first = row("1", state="NODE_FAIL")
    again = row("1").replace(BEGIN, "2026-01-05T10:30:00")
    assert fates(read_log(export(first, again, again))) == ("sacct", 3, 2, 0, 1, 0)


@pytest.mark.long
def test_an_elapsed_time_below_zero_is_no_length(read_log: Read) -> None:
    text = export(row("1", state="RUNNING", end="Unknown").replace("|3600|", "|-5|"))
    assert fates(read_log(text)) == ("sacct", 1, 0, 1, 0, 0)


@pytest.mark.parametrize(
    ("last", "record", "more", "is_one"),
    [
        ("SubmitLine", f"1|{BEGIN}|{END}|sbatch", "and more", True),
        ("SubmitLine", f"1|{BEGIN}|{END}|sbatch", f"and|{BEGIN}|x", True),  # one time may be a text's
        ("SubmitLine", f"1|{BEGIN}|{END}|sbatch", f"and|{BEGIN}|{END}", False),  # two are a record's
        ("SubmitLine", f"1|{BEGIN}|{END}|sbatch", "a|b|c|d", False),  # as wide as a record
        ("SubmitLine", f"1|{BEGIN}|{END}|sbatch", "2|b", False),  # begins with an id
        ("User", f"1|{BEGIN}|{END}|ann", "and more", False),  # no text that has line ends
        ("User", f"1|{BEGIN}", f"x|{END}|ann", True),  # broken apart: together a record's width
        ("User", f"1|{BEGIN}", f"x|{END}|ann|more", False),
        ("User", f"x|{BEGIN}", f"x|{END}|ann", False),  # the first is no record
    ],
)
def test_what_goes_on_in_the_next_line_is_no_record_of_its_own(
    last: str, record: str, more: str, is_one: bool
) -> None:
    rows = enumerate([line.split("|") for line in (record, more)], 1)
    records = list(ordered(rows, ("JobID", "Start", "End", last), "|", ragged=RaggedLines()))
    assert len(records) == (1 if is_one else 2)
    assert {len(cells) for _, cells in records} == {4}


# --- Laws ----------------------------------------------------------------------------------------

CELL = st.text("ab1.|# ", max_size=4)


@often
@given(st.lists(st.lists(CELL, min_size=1, max_size=5), max_size=12), st.booleans())
def test_every_line_is_in_exactly_one_record(lines: list[list[str]], ends: bool) -> None:
    columns = ("JobID", "JobName", "Start")
    rows = enumerate([list(line) for line in lines], 1)
    found = list(ordered(rows, columns, "|", ragged=RaggedLines(), ends_with_delimiter=ends))
    numbers = [line for line, _ in found]
    assert numbers == sorted(set(numbers))
    assert len(found) <= len(lines)
    assert all(len(cells) == len(columns) for _, cells in found)
    ids = sum(line[0].strip().isdigit() for line in lines)
    assert len(found) >= ids


@often
@given(st.text("JobIDStart|End,;\t\n 12", max_size=120))
def test_a_header_has_an_id_and_is_a_line_of_the_text(head: str) -> None:
    header = find_header(head)
    assert header is None or {name.casefold() for name in header.columns} & {"jobid", "jobidraw"}


@often
@given(st.text(max_size=60), st.integers(0, 200))
def test_a_damaged_export_still_comes_as_records(damage: str, at: int) -> None:
    text = "\n".join([HEADER, row("1"), row("2.batch"), row("3")])
    lines = (text[:at] + damage + text[at:]).splitlines()
    header = find_header("\n".join(lines))
    if header is not None:
        rows = ((n, line.split(header.delimiter)) for n, line in enumerate(lines, 1))
        sign, names = header.delimiter, header.columns
        found = ordered(rows, names, sign, ragged=RaggedLines(), header_line=header.line)
        assert all(len(cells) == len(names) for _, cells in found)


@pytest.mark.parametrize("newline", some_of(["\n", "\r\n"], quick=1))
def test_lists_without_quotes_between_commas_stay_whole(tmp_path: Path, newline: str) -> None:
    path = tmp_path / "sacct.csv"
    lines = [
        "JobID,AllocTRES,ReqTRES,NodeList,JobName,State,Start,End",
        "1,billing=1,cpu=4,gres/gpu=2,billing=1,gres/gpu=8,n[1,3-4],my,job,COMPLETED,"
        "2026-01-01T00:00:00Z,2026-01-01T01:00:00Z",
        "1.batch,cpu=4,gres/gpu=2,,n1,batch,COMPLETED,2026-01-01T00:00:00Z,2026-01-01T01:00:00Z",
        "2_[1,5],,cpu=1,gres/gpu=1,None assigned,x,PENDING,Unknown,Unknown",
    ]
    path.write_text(newline.join([*lines, ""]), encoding="utf-8", newline="")
    read = import_jobs([str(path)], window_request=WindowRequest(whole_log=True))
    assert fates(read) == ("sacct", 3, 1, 0, 0, 2)
    assert read.jobs.gpu_hours == 2.0


@pytest.mark.parametrize(
    ("line", "end"),
    one_in(
        6,
        [
            (row("2", "a|b"), (1, 0, "")),
            (row("2", "a|b") + "|", (1, 0, "")),
            (row("2").replace("|sbatch", "|sbatch|more"), (1, 0, "")),  # a command goes on to the line's end
            (row("2").removesuffix("|sbatch"), (1, 0, "short_row")),
            (row("2").replace("|COMPLETED|", "|COMPLETED|odd|"), (0, 1, "long_row")),
            (row("2").replace(f"|{END}|", f"|{END}|more|"), (0, 1, "long_row")),
        ],
    ),
)
def test_a_delimiter_in_a_free_text_is_told_by_what_follows_it(
    read_log: Read, line: str, end: tuple[int, int, str]
) -> None:
    (file,) = read_log(export(row("1"), line, row("3"))).intake
    accepted, rejected, code = end
    assert (file.rows_read, file.rows_accepted - 2, file.rows_rejected) == (3, accepted, rejected)
    found = {issue.code: issue.first_row for issue in file.issues}
    assert code in ("", *found) and found.get(code, 3) == 3
    assert not code or file.rows_accepted + file.rows_rejected == 3


USAGE = "cpu=09:00:00,energy=0,fs/disk=93,gres/gpumem=205K,gres/gpuutil=90,mem=12K"
GIVEN = "billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,node=1"


def headless(
    *lists: str, states: tuple[str, ...] = ("COMPLETED",) * 4, ends: tuple[str, ...] = (END,) * 4
) -> str:
    """Lines without a header: job, name, state, submit, eligible, start, end, lists of resources."""
    both = zip(states, ends, strict=True)
    return "".join(
        f"{n}|run {n}|{state}|2026-01-05T08:00:00|2026-01-05T08:00:00|{BEGIN}|{end}|{'|'.join(lists)}\n"
        for n, (state, end) in enumerate(both, 100)
    )


@pytest.mark.parametrize(
    ("lists", "gpu_hours"),
    [
        ((GIVEN, USAGE), 8),
        ((USAGE, GIVEN, USAGE, USAGE), 8),
        ((GIVEN, "cpu=1,mem=2G,node=1"), 8),
        (("cpu=8,energy=1200,gres/gpu=2,node=1", USAGE), 8),
        (("cpu=8,gres/gpu=4,node=1", GIVEN), 8),
    ],
    ids=["usage last", "usage around it", "memory last", "with energy", "asked for and given"],
)
def test_what_was_used_is_never_what_was_given(
    read_log: Read, lists: tuple[str, ...], gpu_hours: int
) -> None:
    assert read_log(headless(*lists)).jobs.gpu_hours == gpu_hours


def test_two_columns_of_other_sums_are_asked_about_and_the_mapping_that_is_advised_works(
    read_log: Read,
) -> None:
    text = headless("cpu=8,gres/gpu=4,node=1", GIVEN)
    told = [str(issue.message) for issue in read_log(text).intake[0].issues if issue.code == "undecided"]
    words = [shlex.split(message.partition("--map ")[2])[0] for message in told]
    assert [read_log(text, mapping=each).jobs.gpu_hours for each in words] == [8, 16]
    agreeing = [issue.code for issue in read_log(headless(GIVEN, GIVEN)).intake[0].issues]
    assert agreeing.count("undecided") == 1


@pytest.mark.parametrize("known", [1, 0])
def test_ends_that_are_mostly_unknown_are_ends(read_log: Read, known: int) -> None:
    running = 4 - known
    states, ends = ("COMPLETED",) * known + ("RUNNING",) * running, (END,) * known + ("Unknown",) * running
    read = read_log(headless(GIVEN, states=states, ends=ends))
    assert (read.jobs.gpu_jobs, codes(read)["running"]) == (4, running)
    assert read.jobs.first_start_s == 1_767_607_200


@pytest.mark.parametrize("start", ["StartRaw", "Begin"])
def test_a_start_under_another_name_is_missing(read_log: Read, start: str) -> None:
    ((issue,),) = (
        file.issues
        for file in read_log(f"JobID|State|{start}|End|AllocTRES\n1|COMPLETED|{BEGIN}|{END}|{GIVEN}\n").intake
    )
    assert issue.code in ("missing_column", "not_a_job_log")


def test_a_submit_time_of_1970_is_none(read_log: Read) -> None:
    header = "JobID|State|Submit|Start|End|AllocTRES"
    read = read_log(f"{header}\n1|COMPLETED|1970-01-01T00:00:00|{BEGIN}|{END}|{GIVEN}\n")
    assert read.jobs.gpu_hours == 2
    assert "bad_time" not in codes(read) and "before_1980" not in codes(read)


def test_of_lists_without_gpus_the_one_that_counts_nodes_was_given() -> None:
    lists = ("cpu=8,mem=10G,node=1", "cpu=00:00:01,mem=12K,pages=3,vmem=100K")
    records = [line.split("|") for line in headless(*lists).splitlines()]
    assert (guess_layout(records) or ()).index("AllocTRES") == 7
