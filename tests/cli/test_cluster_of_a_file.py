"""The cluster of one file on the command line: logs and contracts side by side, and what is not such a file."""

import pytest

from tests.cli.test_same_cli import CONTRACTS, PRICES, checks

JOBS = "job_id,gpu_model,gpus,start,end\n"
SLURM = JOBS + "1,H100,8,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n"
PODS = JOBS + "1,H100,4,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n"
NAMED = (
    CONTRACTS + "a,CW,granite,H100,8,2.50,2025-06-01,2027-01-01\nb,CW,eks,H100,8,2.50,2025-06-01,2027-01-01\n"
)
UNNAMED = "provider,gpu_model,gpus,rate_usd_per_gpu_hour,start,end\nCW,H100,8,2.50,2025-06-01,2027-01-01\n"


def used(document) -> dict[str, float]:
    return {row["cluster"]: row["used_gpu_hours"] for row in document["contracts"]}


@pytest.mark.long
def test_each_log_is_on_the_cluster_that_is_said_of_it(call, put) -> None:
    """By its path or the last part of it; a bare name is of the others."""
    slurm, pods = put("slurm.csv", SLURM), put("pods.csv", PODS)
    words = ["--jobs", slurm, pods, "--contracts", put("contracts.csv", NAMED)]
    for said in ([f"{slurm}=granite", "pods.csv=eks"], ["eks", "slurm.csv=granite"]):
        options = [part for one in said for part in ("--cluster", one)]
        document = call("audit", *words, *options).document
        assert used(document) == {"granite": 192.0, "eks": 96.0} and not checks(document, "clusters_apart")


def test_contract_files_without_a_cluster_are_on_that_of_their_file(call, put) -> None:
    """Two files with the same rows are two contracts; a row that names a cluster keeps it."""
    first, second = put("one.csv", UNNAMED), put("two.csv", UNNAMED)
    both = (
        UNNAMED.replace("provider", "cluster,provider").replace("CW", "eks,CW") + ",CW,H100,4,2,2025-06-01,\n"
    )
    words = ["--jobs", put("jobs.csv", SLURM), "--contracts", first, second, put("three.csv", both)]
    said = ["--cluster", "one.csv=granite", "--cluster", "two.csv=birch", "--cluster", "three.csv=oak"]
    document = call("audit", *words, *said).document
    assert sorted(row["cluster"] for row in document["contracts"]) == ["birch", "eks", "granite", "oak"]


def test_a_cluster_of_the_mapping_is_of_logs_and_of_contracts_that_name_none(call, put) -> None:
    both = put("both.csv", UNNAMED.replace("provider", "cluster,provider").replace("CW", "eks,CW"))
    files = ["--jobs", put("jobs.csv", SLURM), "--contracts", put("none.csv", UNNAMED), both]
    document = call("audit", *files, "--map", "cluster==granite").document
    assert used(document)["granite"] == 192.0 and "eks" in used(document)
    files[3:] = [put("more.csv", UNNAMED)]
    document = call("audit", *files, "--map", "cluster==granite", "--cluster", "more.csv=birch").document
    assert [*used(document)] == ["birch"]


def test_a_mapping_of_a_cluster_alone_makes_no_log_of_contracts(call, put) -> None:
    paths = put("jobs.csv", SLURM), put("none.csv", UNNAMED)
    files = call("check", *paths, "--map", "cluster==granite").document["files"]
    assert [(file["kind"], file["facts"]["clusters"]) for file in files] == [
        ("jobs", ["granite"]),
        ("contracts", ["granite"]),
    ]


def test_check_counts_a_file_on_its_cluster(call, put) -> None:
    path = put("a=b.csv", UNNAMED)
    (file,) = call("check", path, "--cluster", f"{path}=eks").document["files"]
    assert file["facts"]["clusters"] == ["eks"]  # the last = divides


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (["job.csv=x"], "Did you mean jobs.csv?"),
        (["prices.csv=x"], "prices.csv is a price list"),
        (["elsewhere.txt=x"], "--jobs or --contracts"),
        (["jobs.csv="], "FILE=NAME"),
        (["=x"], "FILE=NAME"),
        (["x", "y"], "give each file its own"),
        (["jobs.csv=x", "jobs.csv=y"], "give each file its own"),
        (["log.csv=x"], "2 files are called log.csv"),
    ],
)
def test_what_is_no_such_file_is_told_with_what_to_write(call, put, said: list[str], words: str) -> None:
    logs = [put("jobs.csv", SLURM), put("a/log.csv", PODS), put("b/log.csv", PODS)]
    options = [part for one in said for part in ("--cluster", one)]
    answer = call("audit", "--jobs", *logs, "--prices", put("prices.csv", PRICES), *options)
    assert answer.status == 2 and words in answer.err
