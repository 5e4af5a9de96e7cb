"""`--add` with a project: next month's files join what it has, as if all had been given at once."""

from pathlib import Path

import pytest

from tests.cli.test_project_input import CONTRACTS, JOBS, PRICES

LATER = """job_id,cluster,name,gpu_model,gpus,start,end,class
2,atlas,chat,H100,2,2026-01-01T00:00:00Z,2026-01-11T00:00:00Z,inference
3,atlas,chat,H100,2,2026-01-11T00:00:00Z,2026-02-01T00:00:00Z,inference
"""
CHANGED = CONTRACTS.replace("2.75", "2.40")
OTHER_RATE = PRICES.replace("3.00", "2.90")


@pytest.fixture
def saved(call, put, tmp_path: Path) -> str:
    """A project of one month whose first files are gone."""
    here = {name: tmp_path / f"{name}.csv" for name in ("jobs", "contracts", "prices")}
    for path, text in zip(here.values(), (JOBS, CONTRACTS, PRICES), strict=True):
        path.write_text(text)
    path = tmp_path / "plan.gpuplan"
    said = call(
        "export", *(word for name in here for word in (f"--{name}", str(here[name]))), "--project", str(path)
    )
    assert said.status == 0
    for file in here.values():
        file.unlink()
    return str(path)


@pytest.mark.long
def test_a_later_log_joins_the_rows_of_the_project(call, put, saved: str) -> None:
    later = put("later.csv", LATER)
    added = call("plan", saved, "--add", later)
    words = [
        word
        for name, text in (("contracts", CONTRACTS), ("prices", PRICES))
        for word in (f"--{name}", put(f"{name}.csv", text))
    ]
    both = call("plan", "--jobs", put("jobs.csv", JOBS), later, *words)
    assert added.status == both.status == 0
    for part in ("totals", "window", "orders", "decisions"):
        assert added.document[part] == both.document[part]


@pytest.mark.long
def test_contracts_and_prices_that_join_take_the_place_of_those_of_their_id(call, put, saved: str) -> None:
    said = call("plan", saved, "--add", put("now.csv", CHANGED), put("list.csv", OTHER_RATE))
    assert said.status == 0
    issues = {issue["code"] for file in said.document["intake"]["files"] for issue in file["issues"]}
    assert "contract_changed" in issues
    before = call("plan", saved)
    assert (
        said.document["totals"]["current_usd_per_month"] < before.document["totals"]["current_usd_per_month"]
    )


def test_a_file_of_another_kind_is_refused(call, put, saved: str) -> None:
    users = put("users.csv", "city,country,latitude,longitude,users\nOslo,NO,59.9,10.7,500\n")
    assert call("plan", saved, "--add", users).status == 2


def test_without_a_project_there_is_nothing_to_add_to(call, put) -> None:
    jobs = put("jobs.csv", JOBS)
    said = call("plan", "--jobs", jobs, "--add", jobs)
    assert said.status == 2 and "--add" in said.err
