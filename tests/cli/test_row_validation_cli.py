"""One log with a row of every kind, read by the command line, against sums made here by hand."""

import hashlib

import pytest

HEADER = "job_id,cluster,name,account,user,gpu_model,gpus,nodes,start,end,state\n"
ROWS = [
    # gpus, start, end, state; what becomes of it
    ("1,a,pretrain-7,ml,ann,H100,8,2,2026-01-05T10:20:00Z,2026-01-05T12:00:00Z,COMPLETED", "accepted"),
    ("1,a,pretrain-7,ml,ann,H100,8,2,2026-01-05T10:20:00Z,2026-01-05T11:00:00Z,RUNNING", "duplicate"),
    (
        "1,a,pretrain-8,ml,ann,h100,8,2,2026-01-05T13:00:00Z,2026-01-05T14:00:00Z,COMPLETED",
        "accepted",
    ),  # requeued
    ("2,a,eval,,bob,A100,0.4285,1,2026-01-05T10:00:00.9Z,2026-01-05T10:00:10.9Z,failed", "accepted"),
    ("3,a,etl,,bob,,,1,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z,COMPLETED", "accepted"),  # a CPU job
    ("4,a,etl,,bob,H100,1,1,2026-01-05T10:00:00Z,2026-01-05T10:00:00Z,COMPLETED", "accepted"),  # no length
    (
        "5,a,late,,bob,,1,1,2026-01-05T13:30:00Z,,RUNNING",
        "accepted",
    ),  # runs to the end of the lookback period
    ("6,a,wait,,bob,H100,4,1,,,PENDING", "ignored"),
    ("7,a,gone,,bob,H100,4,1,,2026-01-05T11:00:00Z,CANCELLED by 12", "ignored"),
    ("8,a,bad,,bob,H100,-4,1,,2026-01-05T11:00:00Z,FAILED", "rejected"),  # bad_time comes first
    (
        "9,a,bad,,bob,H100,x,1,2026-01-05T12:00:00Z,2026-01-05T11:00:00Z,FAILED",
        "rejected",
    ),  # end_before_start
    ("10,a,bad,,bob,H100,x,1,2026-01-05T11:00:00Z,2026-01-05T12:00:00Z,FAILED", "rejected"),
    ("11,a,bad,,bob,H100,-1,1,2026-01-05T11:00:00Z,2026-01-05T12:00:00Z,FAILED", "rejected"),
    (",a,twin,,bob,H100,1,1,2026-01-05T11:00:00Z,2026-01-05T12:00:00Z,COMPLETED", "accepted"),
    (",a,twin,,bob,H100,1,1,2026-01-05T11:00:00Z,2026-01-05T12:00:00Z,COMPLETED", "accepted"),
    ("12,a,odd,,bob,H100,1,two,2026-01-05T11:00:00+01:00,2026-01-05 11:00:00,COMPLETED", "accepted"),
]
H = 3_600_000  # milli-GPU-seconds of a GPU in an hour
CELLS = {
    ("a/ml/pretrain", "10"): 8 * H * 2 // 3,
    ("a/ml/pretrain", "11"): 8 * H,
    ("a/ml/pretrain", "13"): 8 * H,
    ("a/bob/eval", "10"): 429 * 10,
    ("a/bob/late", "13"): H // 2,
    ("a/bob/twin", "11"): 2 * H,
    ("a/bob/odd", "10"): H,
}


def test_every_row_ends_in_one_fate_and_every_gpu_second_is_counted(call, put) -> None:
    log = "\ufeff" + HEADER + "\r\n" + "\r\n".join(row for row, _ in ROWS)  # no line end after the last row
    said = call("reduce", "--jobs", put("jobs.csv", log))
    (file,) = said.document["intake"]["files"]
    fates = [fate for _, fate in ROWS]
    assert said.status == 0 and file["rows_read"] == len(ROWS)
    for fate in ("accepted", "rejected", "duplicate", "ignored"):
        assert file[f"rows_{fate}"] == fates.count(fate)
    issues = {issue["code"]: (issue["count"], issue["first_row"]) for issue in file["issues"]}
    assert issues == {
        "no_gpus": (1, 7),
        "zero_length": (1, 8),
        "running": (1, 9),
        "unknown_gpu_model": (1, 9),
        "pending": (1, 10),
        "never_started": (1, 11),
        "bad_time": (1, 12),
        "end_before_start": (1, 13),
        "bad_number": (2, 14),  # one rejected, one that lost only its nodes
        "negative_gpus": (1, 15),
        "possible_duplicate": (1, 17),
        "mixed_timezones": (1, 18),
        "naive_time_assumed_utc": (1, 18),
    }
    text = call("reduce", "--jobs", put("jobs.csv", log), text=True).out
    rejected = [line for line in text.splitlines() if ".csv:" in line.split(": ")[0]]
    assert [line.split(": ")[0].rpartition(":")[2] for line in rejected] == ["12", "13", "14", "15"]
    lines = "".join(
        f"{key}\t2026-01-05T{hour}:00:00Z\t{amount}\n" for (key, hour), amount in sorted(CELLS.items())
    )
    assert said.document["cube"] == {
        "workloads": 5,
        "hours": 4,
        "milli_gpu_seconds": sum(CELLS.values()),
        "sha256": hashlib.sha256(lines.encode()).hexdigest(),
    }
    assert said.document["window"]["start"] == "2026-01-05T10:00:00Z"
    assert said.document["jobs"] == {
        "count": 9,
        "gpu_jobs": 7,
        "gpu_hours": sum(CELLS.values()) / H,
        "peak_gpus": 10,
        "first_start": "2026-01-05T10:00:00Z",
        "last_end": "2026-01-05T14:00:00Z",
        "clipped": 0,
    }


def test_bounds_clip_and_count_what_they_cut(call, put) -> None:
    log = put("jobs.csv", HEADER + "\n".join(row for row, _ in ROWS))
    bounds = ["--start", "2026-01-05T12:00:00+01:00", "--end", "2026-01-05T13:00:00Z"]
    document = call("reduce", "--jobs", log, *bounds).document
    assert document["window"]["start"] == "2026-01-05T11:00:00Z" and document["window"]["hours"] == 2
    assert document["jobs"]["count"] == 3 and document["jobs"]["clipped"] == 1  # pretrain, and the twins
    assert document["cube"]["milli_gpu_seconds"] == 8 * H + 2 * H
    assert "clipped" in {issue["code"] for issue in document["intake"]["files"][0]["issues"]}


SACCT = """JobID|Start|End|ElapsedRaw|State|AllocTRES|JobName|Partition|Cluster|
100|2026-01-05T10:00:00|2026-01-05T11:00:00|3600|COMPLETED|billing=6,gres/gpu:a100=2,gres/gpu=2,node=1|a|gpu|fox|
100.batch|2026-01-05T10:00:00|2026-01-05T11:00:00|3600|COMPLETED|gres/gpu:a100=2|batch||fox|
100.0|2026-01-05T10:00:00|2026-01-05T11:00:00|3600|COMPLETED|gres/gpu:a100=2|a||fox|
101_3|2026-01-05T10:00:00|2026-01-05T10:30:00|1800|CANCELLED by 1001|gres/gpu=1|a|gpu|fox|
101_[4-9]|Unknown|Unknown|0|PENDING|gres/gpu=1|a|gpu|fox|
102|2026-01-05T09:00:00|Unknown|5400|RUNNING|gres/gpu:A100=4|b|gpu|fox|
103|2026-01-05T09:00:00|Unknown|5400|FAILED|gres/gpu:a100=4|b|gpu|fox|
100|2026-01-05T12:00:00|2026-01-05T12:30:00|1800|COMPLETED|gres/gpu:nvidia_a100_3g.20gb=1|a|gpu|fox|
"""


def test_sacct_counts_jobs_not_steps_and_runs_not_ids(call, put) -> None:
    document = call("reduce", "--jobs", put("sacct.txt", SACCT), "--timezone", "Europe/Oslo").document
    (file,) = document["intake"]["files"]
    assert (file["format"], file["rows_read"]) == ("sacct", 8)
    assert [file[f"rows_{fate}"] for fate in ("accepted", "rejected", "duplicate", "ignored")] == [4, 1, 0, 3]
    issues = {issue["code"]: (issue["count"], issue["first_row"]) for issue in file["issues"]}
    assert issues == {"pending": (1, 6), "running": (1, 7), "bad_time": (1, 8), "unknown_gpu_model": (1, 5)}
    assert document["jobs"]["gpu_hours"] == 2 + 0.5 + 4 * 1.5 + 0.429 * 0.5
    assert document["jobs"]["peak_gpus"] == 7
    assert document["window"] == {
        "start": "2026-01-05T08:00:00Z",
        "end": "2026-01-05T12:00:00Z",
        "hours": 4,
        "timezone": "Europe/Oslo",
    }


@pytest.mark.long
def test_a_job_in_two_files_is_one_job(call, put) -> None:
    row = "1,a,train,ml,ann,H100,8,1,2026-01-05T10:00:00Z,2026-01-05T{hour}:00:00Z,{state}\n"
    early = put("early.csv", HEADER + row.format(hour=11, state="RUNNING"))
    late = put("late.csv", HEADER + row.format(hour=12, state="COMPLETED"))
    for paths in ([early, late], [late, early]):
        document = call("reduce", "--jobs", *paths).document
        fates = {
            file["path"]: (file["rows_accepted"], file["rows_duplicate"])
            for file in document["intake"]["files"]
        }
        assert fates == {early: (0, 1), late: (1, 0)}
        assert document["jobs"]["gpu_hours"] == 16


def test_a_table_of_any_kind_is_read_through_a_mapping(call, put) -> None:
    table = put("other.tsv", "Wann\tLauf\tKarten\n1767607200000\t90\t1500\n1767607200000\tx\t1\n")
    mapping = "gpus=Karten:milli,start=Wann:epoch_ms,duration=Lauf:min"
    document = call("reduce", "--jobs", table, "--map", mapping, "--timezone", "Europe/Oslo").document
    assert document["window"]["start"] == "2026-01-05T10:00:00Z"  # an epoch is UTC whatever the zone
    assert document["jobs"]["gpu_hours"] == 1.5 * 1.5
    (file,) = document["intake"]["files"]
    assert (file["format"], file["rows_accepted"], file["rows_rejected"]) == ("mapped", 1, 1)
