"""Unknown tables on the command line: what is sure is read and said, a refusal names the mapping to write."""

import shlex
from pathlib import Path

import pytest

from tests.some_of import some_of

TRACE = "run,user_name,num_gpus,start_ts,finish_ts\nr1,ann,8,1767225600,1767232800\nr2,bob,4,1767225600,1767227400\n"
OWN = "job_id,gpus,start,end,name\n1,2,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z,zorin-train-7\n"


@pytest.mark.long
def test_check_proposes_what_reduce_reads_by(call, put) -> None:
    path = put("trace.csv", TRACE)
    (file,) = call("check", path).document["files"]
    assert (file["kind"], file["format"], file["rows_accepted"]) == ("jobs", "mapped", 2)
    assert file["facts"]["mapping"] == (
        "job_id=run,user=user_name,gpus=num_gpus,start=start_ts:epoch_s,end=finish_ts:epoch_s"
    )
    assert file["facts"]["mapping"] in next(
        issue["message"] for issue in file["issues"] if issue["code"] == "read_as_table"
    )
    assert call("reduce", "--jobs", path).document["jobs"]["gpu_hours"] == 18.0
    read = call("reduce", "--jobs", path, "--map", file["facts"]["mapping"])
    assert read.status == 0 and read.document["jobs"]["gpu_hours"] == 18.0
    (again,) = call("check", path, "--map", file["facts"]["mapping"]).document["files"]
    assert (again["kind"], again["rows_accepted"]) == ("jobs", 2)
    assert again["facts"]["mapping"] == file["facts"]["mapping"]


def test_a_refusal_names_the_mapping_to_try(call, put) -> None:
    path = put("my trace.csv", TRACE.replace("start_ts", '"submitted, UTC"'))
    said = call("reduce", "--jobs", path)
    assert said.status == 1
    line = next(line for line in said.err.splitlines() if "not_a_job_log" in line)
    words = shlex.split(line.partition("--map ")[2])[0]
    assert "submitted, UTC" in line and "start" in line
    assert call("reduce", "--jobs", path, "--map", words).document["jobs"]["gpu_hours"] == 18.0


def test_a_refusal_says_what_no_column_was_found_for(call, put) -> None:
    said = call("reduce", "--jobs", put("some.csv", TRACE.replace("num_gpus", "num_cpus")))
    assert said.status == 1 and "not_a_job_log" in said.err and "gpus" in said.err


def test_a_log_that_is_almost_ours_names_a_mapping_too(call, put) -> None:
    said = call("reduce", "--jobs", put("own.csv", OWN.replace(",end", ",to")))
    assert said.status == 1 and "missing_column" in said.err
    assert "--map job_id=job_id,name=name,gpus=gpus,start=start,end=to" in said.err
    read = call("reduce", "--jobs", put("own.csv", OWN.replace(",end", ",finished_at")))
    assert read.status == 0 and read.document["jobs"]["gpu_hours"] == 2.0


@pytest.mark.long
def test_check_of_a_log_that_lacks_a_column_proposes_a_mapping_to_reuse(call, put) -> None:
    path = put("almost.csv", "JobID,User,GPUs,Start,End\n1,u,2,2026-01-01T00:00:00Z,2026-01-01T02:00:00Z\n")
    (file,) = call("check", path).document["files"]
    assert (file["kind"], file["format"], file["rows_read"]) == ("jobs", "mapped", 1)
    read = call("reduce", "--jobs", path, "--map", file["facts"]["mapping"])
    assert read.document["jobs"]["gpu_hours"] == 4.0


@pytest.mark.long
def test_check_of_our_own_log_prints_its_mapping(call, put) -> None:
    path = put("own.csv", OWN)
    facts = call("check", path).document["files"][0]["facts"]
    assert facts["mapping"] == "job_id=job_id,name=name,gpus=gpus,start=start,end=end"
    mapped = call("reduce", "--jobs", path, "--map", facts["mapping"]).document
    assert mapped["jobs"] == call("reduce", "--jobs", path).document["jobs"]


def test_check_of_something_else_proposes_nothing(call, put) -> None:
    (file,) = call("check", put("cities.csv", "city,country\nOslo,NO\n")).document["files"]
    assert file["facts"] == {}


@pytest.mark.long
@pytest.mark.parametrize("command", some_of(["reduce", "check"], quick=1))
def test_pseudonyms_leave_no_name_in_what_is_printed(call, put, command: str) -> None:
    log = put("own.csv", OWN + "2,zorin,2026-01-05T10:00:00Z,zorin,zorin-train-8\n")
    words = ["check", log] if command == "check" else ["reduce", "--jobs", log]
    told = call(*words, "--pseudonyms", text=True)
    assert "zorin" in call(*words, text=True).out and "zorin" not in told.out + told.err
    plain, hidden = call(*words), call(*words, "--pseudonyms")
    assert "zorin" not in hidden.out + hidden.err
    if command == "reduce":
        assert hidden.document["jobs"] == plain.document["jobs"]
        assert hidden.document["intake"] == plain.document["intake"]


@pytest.mark.long
def test_a_key_in_a_file_gives_its_own_names(call, put, tmp_path: Path) -> None:
    log, key = put("own.csv", OWN), put("team.key", "0123456789abcdef" * 4)
    shas = [
        call("reduce", "--jobs", log, *words).document["cube"]["sha256"]
        for words in ([], ["--pseudonyms"], ["--pseudonym-key", key], ["--pseudonym-key", key])
    ]
    assert len(set(shas)) == 3 and shas[2] == shas[3]
    said = call("reduce", "--jobs", log, "--pseudonym-key", str(tmp_path / "gone"))
    assert (said.status, said.out) == (3, "") and "file_missing" in said.err


@pytest.mark.long
def test_rows_without_ids_that_are_alike_are_dropped_only_where_that_is_said(call, put) -> None:
    path = put("alike.csv", "job_id,gpus,start,end\n" + 3 * ",2,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z\n")
    kept = call("reduce", "--jobs", path).document
    assert kept["jobs"]["gpu_hours"] == 6.0
    assert "possible_duplicate" in [issue["code"] for issue in kept["intake"]["files"][0]["issues"]]
    for command in ("reduce", "plan"):
        document = call(command, "--jobs", path, "--drop-alike").document
        (file,) = document["intake"]["files"]
        assert (file["rows_read"], file["rows_accepted"], file["rows_duplicate"]) == (3, 1, 2)
        assert document["jobs"]["gpu_hours"] == 2.0
        assert "possible_duplicate" not in [issue["code"] for issue in file["issues"]]
    assert call("check", path, "--drop-alike").document["files"][0]["rows_duplicate"] == 2


def test_a_project_is_not_read_again_to_drop_rows(call, put) -> None:
    assert call("audit", put("any.gpuplan", ""), "--drop-alike").status == 2
    assert call("audit", put("any.gpuplan", ""), "--cluster", "a").status == 2


@pytest.mark.parametrize(
    "words", some_of(["gpus=n:foo,start=s,end=e", "gpus=n,start=s:epochs,end=e"], quick=1)
)
def test_an_unknown_unit_is_a_wrong_call_unless_a_column_is_called_so(call, put, words: str) -> None:
    row = "2,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z\n"
    said = call("reduce", "--jobs", put("plain.csv", "n,s,e\n" + row), "--map", words)
    assert said.status == 2 and "unknown unit" in said.err and "units are" in said.err
    named = call(
        "reduce", "--jobs", put("named.csv", "n:foo,s,e\n" + row), "--map", "gpus=n:foo,start=s,end=e"
    )
    assert named.document["jobs"]["gpu_hours"] == 2.0


def test_the_node_of_a_log_of_use_is_said_beside_the_columns_of_the_jobs(call, put) -> None:
    use = put("use.csv", "time,index,percent\n2026-01-05T10:30:00Z,0,90\n2026-01-05T10:30:00Z,1,70\n")
    words = "node==gpu-01,activity.gpu_model==H100"
    for said in ((), ("--map", words)):
        (file,) = call("check", use, *said).document["files"]
        assert (file["kind"], file["rows_accepted"]) == ("activity", 2)
        assert ("undecided" in [issue["code"] for issue in file["issues"]]) == (not said)
        assert file["facts"]["hosts"] == ["gpu-01"] * bool(said)
    both = f"gpus=num_gpus,start=start_ts:epoch_s,end=finish_ts:epoch_s,{words}"
    found = call("reduce", "--jobs", put("trace.csv", TRACE), use, "--map", both)
    assert found.document["jobs"]["gpu_hours"] == 18.0
    column = call("check", use, "--map", "node=host")
    assert column.status == 2 and "write node==VALUE" in column.err


@pytest.mark.long
def test_a_map_that_is_said_again_goes_on(call, put) -> None:
    path = put("trace.csv", TRACE)
    words = (
        "--map",
        "gpus=num_gpus",
        "--map",
        "start=start_ts:epoch_s,end=finish_ts:epoch_s",
        "--map",
        "user=user_name",
    )
    assert call("reduce", "--jobs", path, *words).document["jobs"]["gpu_hours"] == 18.0
    assert call("check", path, *words).document["files"][0]["rows_accepted"] == 2
    twice = call("reduce", "--jobs", path, *words, "--map", "gpus=run")
    assert twice.status == 2 and "gpus" in twice.err and "num_gpus" not in twice.err


@pytest.mark.long
def test_what_names_a_kind_of_file_is_of_those_files_alone(call, put) -> None:
    """A log beside contracts is read as if it were alone; without contracts it is a slip."""
    log, sheet = (
        put("own.csv", OWN),
        put("c.csv", "Vendor,GPU model,GPUs,Start,End,$/GPU-hr\nA,H100,8,2026-01-01,,2\n"),
    )
    jobs, contracts = call("check", log, sheet, "--map", "contracts.cluster==birch").document["files"]
    assert jobs == call("check", log).document["files"][0]
    assert contracts["facts"]["clusters"] == ["birch"]
    assert call("check", log, "--map", "contracts.cluster==birch").status == 2


def test_a_broken_member_of_an_archive_is_an_error_with_the_answer(call, tmp_path) -> None:
    import zipfile

    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("own.csv", OWN)
        archive.writestr("broken.parquet", "PAR1 and no more")
    for command in (("reduce", "--jobs"), ("check",)):
        said = call(*command, str(path))
        assert said.status == 3 and f"{path}/broken.parquet: truncated_file" in said.err
        files = said.document["files"] if command == ("check",) else said.document["intake"]["files"]
        assert sorted(file["rows_accepted"] for file in files) == [0, 1]
