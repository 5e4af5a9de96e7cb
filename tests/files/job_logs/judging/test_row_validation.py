"""Every sentence of docs/formats/README.md, How rows are counted."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.sources.issue_texts import KEPT_IF_OPEN
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.cluster_damage import check_rows_add_up
from tests.files.job_logs.row_ends import Read, fates
from tests.some_of import one_in, some_of

Csv = Callable[..., str]

START, END = "2026-01-05T10:00:00Z", "2026-01-05T11:00:00Z"


def _codes(file: FileIntake) -> dict[str, tuple[int, int | None]]:
    return {issue.code: (issue.count, issue.first_row) for issue in file.issues}


def _fates(file: FileIntake) -> tuple[int, ...]:
    check_rows_add_up(file)
    return fates(file)[1:]


def _s(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


REJECTED = [
    ((1, 1, "", END, "COMPLETED"), "bad_time"),
    ((1, 1, START, "", "COMPLETED"), "bad_time"),
    ((1, 1, START, "Unknown", ""), "bad_time"),
    ((1, 1, "yesterday", END, "RUNNING"), "bad_time"),
    ((1, 1, START, "soon", "RUNNING"), "bad_time"),
    ((1, 1, START, "2026-02-30T10:00:00Z", "COMPLETED"), "bad_time"),
    ((1, 1, START, "2023-02-01T30:00:00Z", "COMPLETED"), "bad_time"),
    ((1, 1, START, "9999-12-31T00:00:00Z", "COMPLETED"), "bad_time"),
    ((1, 1, "", END, "RUNNING"), "bad_time"),
    ((1, 1, START, "2026-01-05T11:00:00 Europe/Atlantis", "COMPLETED"), "unknown_timezone"),
    ((1, 1, END, START, "COMPLETED"), "end_before_start"),
    ((1, "many", END, START, "COMPLETED"), "end_before_start"),  # one fault a row: the first
    ((1, "many", START, END, "COMPLETED"), "bad_number"),
    ((1, "nan", START, END, "COMPLETED"), "bad_number"),
    ((1, "0.0004", START, END, "COMPLETED"), "bad_number"),
    ((1, "1e30", START, END, "COMPLETED"), "bad_number"),
    ((1, -1, START, END, "COMPLETED"), "negative_gpus"),
    ((1, -1, START, "", "COMPLETED"), "bad_time"),
]


def test_every_faulty_row_of_a_log_is_rejected_with_its_first_fault(read_log: Read, job_csv: Csv) -> None:
    rows = [(number, *row[1:]) for number, (row, _) in enumerate(REJECTED)]
    (file,) = read_log(job_csv(("good", 1, START, END, "COMPLETED"), *rows)).intake
    assert _fates(file) == (1 + len(rows), 1, len(rows), 0, 0)
    assert [(one.row, one.code, one.text) for one in file.rejected] == [
        (3 + place, code, ",".join(map(str, row)))
        for place, (row, (_, code)) in enumerate(zip(rows, REJECTED, strict=True))
    ]
    assert all(";" in str(one.message) for one in file.rejected)  # what is wrong; what to do
    codes = [code for _, code in REJECTED]
    counted = {code: (codes.count(code), 3 + codes.index(code)) for code in codes}
    assert _codes(file) == {**counted, "unknown_gpu_model": (1, 2)}


IGNORED = [
    ((1, 1, "", "", "PENDING"), "pending"),
    ((1, "many", START, "", "Pending"), "pending"),
    ((1, 1, "", "", "CANCELLED"), "never_started"),
    ((1, 1, "None", END, "cancelled by 7"), "never_started"),
]


@pytest.mark.parametrize(("row", "code"), one_in(4, IGNORED))
def test_a_job_that_never_ran_is_ignored(read_log: Read, job_csv: Csv, row: tuple, code: str) -> None:
    (file,) = read_log(job_csv((2, 0, START, END, "COMPLETED"), row)).intake
    assert _fates(file) == (2, 1, 0, 0, 1)
    assert _codes(file) == {code: (1, 3), "no_gpus": (1, 2)}


def test_a_log_of_nothing_but_faults_is_an_answer_without_a_window(read_log: Read, job_csv: Csv) -> None:
    read = read_log(job_csv((1, 1, "", "", "PENDING"), (2, "x", START, END)))
    assert (read.window, read.cube, read.accepted_jobs) == (None, None, 0)
    assert _fates(read.intake[0]) == (2, 0, 1, 0, 1)


def test_cpu_jobs_and_jobs_of_no_length_count_without_demand(read_log: Read, job_csv: Csv) -> None:
    log = job_csv((1, "", START, END), (2, 0, START, END), (3, 4, START, START), (4, 2, START, END))
    read = read_log(log)
    assert (read.jobs.count, read.jobs.gpu_jobs, read.jobs.milli_gpu_seconds) == (4, 1, 2 * 3_600_000)
    assert _codes(read.intake[0])["no_gpus"] == (2, 2)
    assert _codes(read.intake[0])["zero_length"] == (1, 4)
    assert [workload.jobs for workload in read.workloads] == [4]


@pytest.mark.parametrize(
    ("instant", "counted"), one_in(4, [(START, 1), ("2026-01-05T10:59:59Z", 1), (END, 0)])
)
def test_a_job_of_no_length_counts_where_its_instant_is(
    read_log: Read, job_csv: Csv, instant: str, counted: int
) -> None:
    bounds = WindowRequest(_s("2026-01-05T10:00:00"), _s("2026-01-05T11:00:00"))
    assert read_log(job_csv((1, 1, instant, instant)), window=bounds).jobs.count == counted


@pytest.mark.parametrize(
    ("text", "milli"),
    some_of([("0.4285", 429), ("0.4284", 428), ("0.0005", 1), ("1e1", 10_000), (" 8 ", 8000)], quick=1),
)
def test_gpus_are_rounded_half_up_to_thousandths(read_log: Read, job_csv: Csv, text: str, milli: int) -> None:
    assert read_log(job_csv((1, text, START, END))).jobs.milli_gpu_seconds == milli * 3600


@pytest.mark.long
def test_fractions_of_a_second_are_cut_off(read_log: Read, job_csv: Csv) -> None:
    log = job_csv((1, 1, "2026-01-05T10:00:00.999Z", "2026-01-05T10:00:02.9999999Z"))
    assert read_log(log).jobs.milli_gpu_seconds == 2000


def test_a_bad_optional_number_leaves_the_row_and_loses_only_the_field(read_log: Read) -> None:
    header = "job_id,gpus,nodes,start,end,gpu_activity_percent\n"
    log = header + f"1,1,two,{START},{END},150\n2,1,2,{START},{END},50\n3,x,1,{START},{END},50\n"
    read = read_log(log)
    assert _codes(read.intake[0])["bad_number"] == (2, 2)  # one of them rejected
    assert [file.rows_accepted for file in read.intake] == [2]
    assert (read.workloads[0].max_nodes, read.workloads[0].activity) == (2, None)


@pytest.mark.long
def test_states_are_matched_without_case_and_a_stated_end_wins_over_running(
    read_log: Read, job_csv: Csv
) -> None:
    read = read_log(job_csv((1, 1, START, END, "Running"), (2, 1, START, END, "completed")))
    assert read.jobs.milli_gpu_seconds == 2 * 3_600_000
    assert "running" not in _codes(read.intake[0])


@pytest.mark.long
def test_a_running_job_ends_with_the_window_and_is_not_clipped_there(read_log: Read, job_csv: Csv) -> None:
    log = job_csv((1, 1, START, "", "RUNNING"), (2, 2, START, "2026-01-05T12:30:00Z"))
    read = read_log(log)
    assert read.window.hours == 3
    assert read.jobs.milli_gpu_seconds == (3 * 3600 + 2 * 9000) * 1000
    assert (read.jobs.clipped, _codes(read.intake[0])["running"]) == (0, (1, 2))
    later = read_log(log, window=WindowRequest(_s("2026-01-05T11:00:00"), _s("2026-01-06T00:00:00")))
    assert later.jobs.milli_gpu_seconds == (13 * 3600 + 2 * 5400) * 1000
    assert (later.jobs.clipped, _codes(later.intake[0])["clipped"]) == (2, (2, 2))  # both at its start


def test_duplicates_are_found_over_all_files_and_the_later_end_wins(read_log: Read, job_csv: Csv) -> None:
    first = job_csv((1, 1, START, END), (2, 1, START, END), (3, 1, START, "", "RUNNING"))
    second = job_csv(
        (1, 1, START, "2026-01-05T12:00:00Z"), (2, 1, START, END), (3, 1, START, END, "COMPLETED")
    )
    read = read_log(first, second)
    assert [_fates(file) for file in read.intake] == [(3, 1, 0, 2, 0), (3, 2, 0, 1, 0)]
    assert read.jobs.milli_gpu_seconds == (7200 + 3600 + 3600) * 1000


@pytest.mark.long
@pytest.mark.parametrize(
    ("gpus", "year"), one_in(4, [(1, 2041), (1, 1900), (3_000_000, 2026)]), ids=["late", "early", "many"]
)
def test_numbers_too_large_for_32_bits_are_kept_beside_those_that_are_not(
    read_log: Read, job_csv: Csv, gpus: int, year: int
) -> None:
    wide = [text.replace("2026", str(year)) for text in (START, END)]
    first, second = job_csv((1, 1, START, END)), job_csv((4, gpus, *wide), (2, gpus, *wide[::-1]))
    read = read_log(first, second, job_csv((3, 1, START, END)))
    assert [_fates(file) for file in read.intake] == [(1, 1, 0, 0, 0), (2, 1, 1, 0, 0), (1, 1, 0, 0, 0)]
    assert read.jobs.milli_gpu_seconds == (2 + gpus) * 3600 * 1000
    assert _codes(read.intake[1])["end_before_start"] == (1, 3)


def test_of_the_same_end_the_more_final_state_wins(read_log: Read) -> None:
    header = "job_id,gpus,start,end,state\n"
    read = read_log(header + f"1,1,{START},{END},RUNNING\n1,1,{START},{END},FAILED\n")
    assert read.workloads[0].failed_milli_gpu_seconds == 3_600_000


def test_time_that_ended_at_its_limit_is_told_apart_from_the_rest_that_failed(read_log: Read) -> None:
    log = f"job_id,gpus,start,end,state\n1,1,{START},{END},TIMEOUT\n2,2,{START},{END},FAILED\n"
    (workload,) = read_log(log).workloads
    assert workload.failed_milli_gpu_seconds == 3 * 3_600_000
    assert workload.timed_out_milli_gpu_seconds == 3_600_000


TEN = "2026-01-06T10:00:00Z"


@pytest.mark.parametrize(
    ("later", "restarted_h"),
    [
        ("", 0),  # nothing ran again
        (f"2,2,{END},{TEN},COMPLETED\n", 2),
        ("2,2,2026-01-06T11:00:00Z,2026-01-06T12:00:00Z,FAILED\n", 2),  # 24 h later
        ("2,2,2026-01-06T11:00:01Z,2026-01-06T12:00:00Z,COMPLETED\n", 0),
        (f"2,4,{END},{TEN},COMPLETED\n", 0),  # other GPUs: another experiment
        (f"0,2,2026-01-05T09:00:00Z,2026-01-05T11:00:01Z,COMPLETED\n2,2,{TEN},{END},\n", 0),  # beside another
        (
            f"0,2,{START},{TEN},COMPLETED\n1,2,{TEN},2026-01-06T11:00:00Z,COMPLETED\n",
            2,
        ),  # the same id, requeued
        (f"2,2,{END},{TEN},TIMEOUT\n", 2),  # the second is not started again
        (f"2,2,{END},{TEN},TIMEOUT\n3,2,{TEN},2026-01-06T11:00:00Z,COMPLETED\n", 2 + 23 * 2),
    ],
)
def test_time_that_started_again_after_its_limit_is_told_apart(
    read_log: Read, later: str, restarted_h: int
) -> None:
    """The first job has 2 GPUs for 1 h."""
    log = f"job_id,gpus,start,end,state\n1,2,{START},{END},TIMEOUT\n{later}"
    (workload,) = read_log(log).workloads
    assert workload.restarted_milli_gpu_seconds == restarted_h * 3_600_000


@pytest.mark.parametrize(
    ("states", "is_completed"),
    [
        (("COMPLETED", "FAILED"), False),
        (("FAILED", "COMPLETED"), True),
        (("COMPLETED", ""), False),
        (("", ""), False),
    ],
)
def test_whether_the_job_that_ended_last_completed(
    read_log: Read, states: tuple[str, str], *, is_completed: bool
) -> None:
    first, second = states
    log = f"job_id,gpus,start,end,state\n2,1,{END},{TEN},{second}\n1,1,{START},{END},{first}\n"
    assert [workload.is_completed for workload in read_log(log).workloads] == [is_completed]


def test_the_same_id_with_another_start_or_cluster_is_another_run(read_log: Read) -> None:
    header = "job_id,cluster,gpus,start,end\n"
    log = header + f"1,a,1,{START},{END}\n1,b,1,{START},{END}\n1,a,1,2026-01-05T10:30:00Z,{END}\n"
    assert _fates(read_log(log).intake[0]) == (3, 3, 0, 0, 0)
    same = header + f"1,a,1,{START},{END}\n1,a,1,2026-01-05T11:00:00+01:00,{END}\n"  # the same instant
    assert _fates(read_log(same).intake[0]) == (2, 1, 0, 1, 0)


def test_rows_that_are_not_taken_never_displace_others(read_log: Read, job_csv: Csv) -> None:
    log = job_csv((1, 1, START, END), (1, "x", START, "2026-01-05T12:00:00Z"), (1, 1, START, "", "PENDING"))
    assert _fates(read_log(log).intake[0]) == (3, 1, 1, 0, 1)


@pytest.mark.long
def test_rows_alike_without_ids_are_kept_and_counted(read_log: Read, job_csv: Csv) -> None:
    log = job_csv(("", 1, START, END), ("", 1, START, END), ("", 2, START, END), ("", 1, START, END))
    read = read_log(log)
    assert _fates(read.intake[0]) == (4, 4, 0, 0, 0)
    assert _codes(read.intake[0])["possible_duplicate"] == (2, 3)
    assert read.jobs.milli_gpu_seconds == 5 * 3_600_000


@pytest.mark.long
def test_a_header_in_any_order_and_case_and_blank_lines_are_no_rows(read_log: Read) -> None:
    log = f"\ufeff END ,Start,GPUs,extra,Job_ID\r\n\r\n{END},{START},2,x,1\r\n\r\n{END},{START},y,x,2"
    (file,) = read_log(log).intake
    assert _fates(file) == (2, 1, 1, 0, 0)
    assert file.rejected[0].row == 5


def test_quoted_line_ends_keep_line_numbers_right(read_log: Read) -> None:
    log = f'job_id,name,gpus,start,end\n1,"a\nb, c",1,{START},{END}\n2,"say ""hi""",x,{START},{END}\n'
    read = read_log(log)
    assert _fates(read.intake[0]) == (2, 1, 1, 0, 0)
    assert (read.intake[0].rejected[0].row, read.workloads[0].sample_name) == (4, "a\nb, c")


def test_a_quote_that_is_never_closed_swallows_nothing(read_log: Read) -> None:
    rows = "".join(f"{number},fine,1,{START},{END}\n" for number in range(2, 300))
    read = read_log(f'job_id,name,gpus,start,end\n1,"open,1,{START},{END}\n' + rows)
    assert _fates(read.intake[0]) == (299, 299, 0, 0, 0)


@pytest.mark.long
def test_naive_times_are_utc_and_that_is_said(read_log: Read, job_csv: Csv) -> None:
    log = job_csv((1, 1, "2026-01-05 10:00:00", "2026-01-05 11:00"), (2, 1, START, END))
    read = read_log(log)
    codes = _codes(read.intake[0])
    assert (codes["naive_time_assumed_utc"], codes["mixed_timezones"]) == ((1, 2), (1, 2))
    assert read.jobs.first_start_s == _s("2026-01-05T10:00:00")
    told = read_log(log, timezone="Europe/Oslo")
    assert "naive_time_assumed_utc" not in _codes(told.intake[0])
    assert told.jobs.first_start_s == _s("2026-01-05T09:00:00")


@pytest.mark.long
def test_activity_is_known_only_where_every_gpu_job_has_it(read_log: Read) -> None:
    header = "job_id,name,gpus,start,end,gpu_activity_percent\n"
    rows = ("1,a,1,{}100", "2,a,3,{}20", "3,b,1,{}50", "4,b,1,{}", "5,a,0,{}")
    log = header + "".join(f"{row.format(f'{START},{END},')}\n" for row in rows)
    by_name = {workload.name: workload.activity for workload in read_log(log).workloads}
    assert by_name == {"a": pytest.approx(0.4, abs=1e-12), "b": None}
    measured = {one.name: (one.measured_share, one.measured_activity) for one in read_log(log).workloads}
    assert measured == {
        "a": (1.0, pytest.approx(0.4)),
        "b": (0.5, pytest.approx(0.5)),
    }  # of those that have it
    without = read_log(f"job_id,gpus,start,end\n1,1,{START},{END}\n")
    assert [(one.measured_share, one.measured_activity) for one in without.workloads] == [(0.0, None)]


def test_a_stated_class_is_a_workload_of_its_own(read_log: Read) -> None:
    header = "job_id,cluster,account,user,name,gpus,start,end,class\n"
    times = f"1,{START},{END}"
    read = read_log(f"{header}1,fox,ml,ann,a,{times},Training\n2,fox,,ann,a,{times},\n3,fox,,,a,{times},x\n")
    labels = {w.key: w.label for w in read.workloads}
    assert labels == {"fox//a": None, "fox/ann/a": None, "fox/ml/a/training": "training"}
    assert _codes(read.intake[0])["unknown_class"] == (1, 4)


@pytest.mark.long
def test_jobs_whose_log_names_no_cluster_take_the_one_that_is_given(read_log: Read, job_csv: Csv) -> None:
    rows = [(1, 1, START, END, ""), (2, 1, START, END, "cedar")]
    text = job_csv(*rows, header="job_id,gpus,start,end,cluster")
    assert {workload.cluster for workload in read_log(text).workloads} == {"", "cedar"}
    assert {workload.cluster for workload in read_log(text, cluster="atlas").workloads} == {"atlas", "cedar"}


@pytest.mark.long
def test_rejected_rows_of_one_code_do_not_hide_those_of_another(read_log: Read, job_csv: Csv) -> None:
    bad = [(number, 1, "soon", END) for number in range(1200)]
    (file,) = read_log(job_csv(*bad, (9999, -1, START, END))).intake
    assert (file.rows_rejected, len(file.rejected)) == (1201, 1001)
    assert (file.rejected[-1].row, file.rejected[-1].code) == (1202, "negative_gpus")


UNSTATED = "empty or unknown"
OPEN_REMEDY = "; --open-ended keeps rows that miss only an end or start"


@pytest.mark.parametrize(
    ("start", "end", "said", "may_be_kept"),
    [
        (START, "", f"start {START}, end {UNSTATED}", True),
        ("", END, f"start {UNSTATED}, end {END}", True),
        ("", "", f"start {UNSTATED}, end {UNSTATED}", False),
        ("soon", "", f"start soon, end {UNSTATED}", False),
        ("", "soon", f"start {UNSTATED}, end soon", False),
        (START, "soon", f"start {START}, end soon", False),
        ("soon", END, f"start soon, end {END}", False),
    ],
)
def test_what_is_said_of_a_row_that_lacks_its_start_or_its_end(
    read_log: Read, job_csv: Csv, start: str, end: str, said: str, may_be_kept: bool
) -> None:
    rows = [(1, 1, START, END, "COMPLETED"), (2, 1, start, end, "COMPLETED")]
    (file,) = read_log(job_csv(*rows)).intake
    (row,) = file.rejected
    assert row.code == "bad_time" and str(row.message).startswith(f"{said}: ")
    assert str(row.message).endswith(str(KEPT_IF_OPEN)) is may_be_kept


def test_what_is_said_of_a_row_that_lacks_its_end_and_tells_a_duration(read_log: Read) -> None:
    log = f"gpus,start,end,took\n1,,,60\n1,{START},,60\n"
    (file,) = read_log(log, mapping="gpus=gpus,start=start,end=end,duration=took").intake
    starts = {2: UNSTATED, 3: START}
    told = {row.row: (row.code, str(row.message).split(": ")[0]) for row in file.rejected}
    assert told == {row: ("bad_time", f"start {said}, duration 60") for row, said in starts.items()}
    assert not any(str(row.message).endswith(str(KEPT_IF_OPEN)) for row in file.rejected)


@pytest.mark.long
def test_a_negative_duration_is_named(read_log: Read) -> None:
    log = f"gpus,start,took\n1,{START},-60\n1,{START},60\n"
    (file,) = read_log(log, mapping="gpus=gpus,start=start,duration=took").intake
    assert file.rejected[0].code == "end_before_start"
    assert str(file.rejected[0].message).startswith(f"start {START}, duration -60: ")


def test_the_first_rows_behind_each_issue_are_known_as_they_were_understood(read_log: Read) -> None:
    at = "2026-01-05T10:00:00Z,2026-01-05T11:00:00Z"
    rows = f"1,2,{at},FAILED\n2,,{at},\n3,x,{at},\n4,1,,,PENDING\n" + f"5,1,{at},\n" * 300
    (file,) = read_log("job_id,gpus,start,end,state\n" + rows).intake
    noted = {(row.code, row.row): row.text for row in file.noted}  # a bad number is among the rejected
    assert set(noted) == {("no_gpus", 3), ("pending", 5), ("unknown_gpu_model", 2), ("unknown_gpu_model", 6)}
    assert noted["no_gpus", 3].startswith("job_id=2 gpus=0.0 start=2026-01-05T10:00:00Z end=2026-01-05T11")
    (private,) = read_log("job_id,gpus,start,end,state\n" + rows, pseudonyms=True).intake
    assert {row.text for row in private.noted} == {""}


@pytest.mark.long
@pytest.mark.parametrize("blank", one_in(4, [" ", "\t", " \t "]))
def test_blanks_around_an_id_do_not_make_it_another(read_log: Read, job_csv: Csv, blank: str) -> None:
    ids = ("7", f"7{blank}", f"{blank}7", f"{blank}7{blank}", blank)
    (file,) = read_log(job_csv(*((job_id, 1, START, END) for job_id in ids))).intake
    assert _fates(file) == (5, 2, 0, 3, 0)  # the last one has no id
