"""`gpuplanner track`: a plan that was saved and a log that came, by hand, through all that a call may say."""

from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from gpuplanner.domain.reports.changes import BURN_DOWNS, BY_WORKLOAD
from tests.cli.test_plan import JOB_HEADER, STILL, at, job

HOURS = 336
OFFERS = "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\nod,H100,STANDARD,0,{}\n"
CONTRACTS = "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category\n"
OLD = "old,a,H100,{gpus},{rate},2025-01-01,2027-01-01,COMMITTED\n"


def log(gpus: float, from_h: int, to_h: int) -> str:
    return JOB_HEADER + "".join(job(h, gpus, h, h + 1) for h in range(from_h, to_h))


@pytest.fixture
def saved(call, put, tmp_path: Path) -> str:
    """10 GPUs for two weeks, 6 of them under contract at $2, the others at $5 by use: $32 an hour."""
    plan = str(tmp_path / "plan.gpuplan")
    files = [
        "--jobs", put("jobs.csv", log(10, 0, HOURS)),
        "--contracts", put("contracts.csv", CONTRACTS + OLD.format(gpus=6, rate=2)),
        "--prices", put("prices.csv", OFFERS.format("5.00")),
    ]  # fmt: skip
    assert call("export", *files, *STILL, "--project", plan).status == 0
    return plan


Put = Callable[[str, str], str]


@pytest.mark.long
def test_more_came_and_another_contract_was_signed_at_other_rates(call, put: Put, saved: str) -> None:
    later = put("later.csv", log(15, HOURS, HOURS + 100))
    found = call("track", saved, "--jobs", later).document
    assert (found["plan"], found["planned_usd"]) == ("Plan A", pytest.approx(3200))
    assert {row["what"]: row["usd"] for row in found["rows"] if row["usd"]} == {"demand": pytest.approx(2500)}
    assert found["actual_usd"] == pytest.approx(5700)
    assert found["hindsight_usd"] == pytest.approx(5700)
    assert found["window"]["start"] == at(HOURS) and found["window"]["hours"] == 100
    assert found["advice_now_usd"] == pytest.approx(730 * (6 * 2 + 9 * 5))

    signed = put(
        "signed.csv",
        CONTRACTS + OLD.format(gpus=6, rate=2.5) + f"new,a,H100,5,3,{at(HOURS + 50)},2027-01-01,COMMITTED\n",
    )
    words = ["--jobs", later, "--contracts", signed, "--prices", put("now.csv", OFFERS.format("4.00"))]
    found = call("track", saved, *words).document
    moved = {(row["what"], row["pool"]): row["usd"] for row in found["rows"] if row["usd"]}
    assert moved == {
        ("demand", "inference"): pytest.approx(100 * 5 * 5),
        ("decision", None): pytest.approx(50 * 5 * 3),
        ("decision", "inference"): pytest.approx(-50 * 5 * 5),
        ("price", None): pytest.approx(100 * 6 * 0.5),
        ("price", "inference"): pytest.approx(-(100 * 9 - 50 * 5) * 1),
    }
    rows = sum(row["usd"] for row in found["rows"])
    assert found["planned_usd"] + rows == pytest.approx(found["actual_usd"], abs=0.005)
    contracts = {one["contract_id"]: one for one in found["contracts"]}
    assert contracts["old"]["used_gpu_hours"] == pytest.approx(6 * (HOURS + 100))
    assert contracts["new"]["used_gpu_hours"] == pytest.approx(5 * 50)
    assert contracts["new"]["runs_out"] == "2027-01-01T00:00:00Z"
    (line,) = (
        one for one in call("track", saved, *words, text=True).out.splitlines() if one.startswith("  new ")
    )
    assert "31 Dec 2026" in line or "2026-12-31" in line  # the last day that it runs


@pytest.mark.long
def test_a_workload_that_took_more_than_was_planned_is_traced(call, put: Put, tmp_path: Path) -> None:
    """10 GPUs at $3 are planned; in 100 hours 15 came: 1,000 GPU-hours planned, 1,500 came, +$1,500."""
    plan, prices = str(tmp_path / "plan.gpuplan"), put("prices.csv", OFFERS.format("3.00"))
    files = ["--jobs", put("jobs.csv", log(10, 0, HOURS)), "--prices", prices]
    contracts = ["--contracts", put("contracts.csv", CONTRACTS + OLD.format(gpus=1, rate=3))]
    assert call("export", *files, *contracts, *STILL, "--project", plan).status == 0
    found = call("track", plan, "--jobs", put("later.csv", log(15, HOURS, HOURS + 100)))
    (row,) = found.document["by_workload"]
    assert (row["planned_gpu_hours"], row["came_gpu_hours"]) == pytest.approx((1_000, 1_500))
    assert row["usd"] == pytest.approx(1_500)
    text = call("track", plan, "--jobs", put("later.csv", log(15, HOURS, HOURS + 100)), text=True)
    assert str(BY_WORKLOAD.title) in text.out and "+1,500" in text.out
    book = tmp_path / "track.xlsx"
    words = ["--jobs", put("later.csv", log(15, HOURS, HOURS + 100)), "--out", str(book)]
    assert call("track", plan, *words).document["workbook"] == str(book)
    sheet = openpyxl.load_workbook(book, read_only=True)["Track"]
    rows = [[value for value in row if value is not None] for row in sheet.iter_rows(values_only=True)]
    at = rows.index(["Workloads against their plan"])
    assert rows[at + 2][1:4] == pytest.approx([1_000, 1_500, 1_500])
    (known_from,) = found.document["notes"]  # the contract began before the log
    assert "1 Jan 2026" in known_from
    for words in (str(BY_WORKLOAD.note), str(BURN_DOWNS.note), known_from):
        assert words in text.out and any(words in str(row[0]) for row in rows if row)


@pytest.mark.long
def test_the_plan_and_its_files_stay(call, put: Put, saved: str) -> None:
    before = Path(saved).read_bytes()
    assert call("track", saved, "--jobs", put("later.csv", log(15, HOURS, HOURS + 5))).status == 0
    assert Path(saved).read_bytes() == before


@pytest.mark.long
def test_bounds_narrow_what_is_compared(call, put: Put, saved: str) -> None:
    """The log begins a day before the plan does: those jobs are left out, and it is said."""
    later = put("later.csv", log(10, HOURS - 24, HOURS + 100))
    for words, start, hours in (
        ((), HOURS, 100),
        (("--start", at(HOURS + 10)), HOURS + 10, 90),
        (("--start", at(10)), HOURS, 100),  # never before the plan
        (("--end", at(HOURS + 40)), HOURS, 40),
        (("--days", "2"), HOURS + 52, 48),
        (("--days", "90"), HOURS, 100),
    ):
        found = call("track", saved, "--jobs", later, *words).document
        assert (found["window"]["start"], found["window"]["hours"]) == (at(start), hours)
        assert found["planned_usd"] == pytest.approx(32 * hours)
        assert all(abs(row["usd"]) < 0.005 for row in found["rows"])
        assert f"{124 - hours} jobs outside" in found["notes"][0]


@pytest.mark.long
def test_at_most_twelve_months_count(call, put: Put, saved: str) -> None:
    log_of_two_hours = JOB_HEADER + job(1, 10, HOURS, HOURS + 1) + job(2, 10, HOURS + 9000, HOURS + 9001)
    found = call("track", saved, "--jobs", put("later.csv", log_of_two_hours)).document
    assert found["window"]["hours"] == 12 * 730
    assert any("12 months" in note for note in found["notes"])


@pytest.mark.long
def test_a_log_without_its_first_days_says_so(call, put: Put, saved: str) -> None:
    said = call("track", saved, "--jobs", put("later.csv", log(10, HOURS + 48, HOURS + 60)), text=True)
    notes = [line for line in said.out.splitlines() if line.startswith("Note: ")]
    assert any("15 Jan 2026" in note and "17 Jan 2026" in note for note in notes)


@pytest.mark.long
def test_what_is_refused(call, put: Put, saved: str) -> None:
    later = put("later.csv", log(10, HOURS, HOURS + 5))
    for words, needed in (
        (("track", "--jobs", later), "PLAN.gpuplan"),
        (("track", saved), "--jobs NEW"),
        (("track", later, "--jobs", later), "is not a .gpuplan"),
        (("track", saved, "--jobs", later, "--scenario", "Plan Z"), "no plan is called 'Plan Z'"),
        (("track", saved, "--jobs", later, "--set", "growth=3%"), "as it was saved"),
        (("track", saved, "--jobs", later, "--days", "2", "--end", at(400)), "--days together with"),
    ):
        said = call(*words)
        assert (said.status, needed in said.err) == (2, True), said.err
    assert call("track", "nowhere.gpuplan", "--jobs", later).status == 3
    before = call("track", saved, "--jobs", put("before.csv", log(10, 0, HOURS)))
    assert before.status == 1 and before.err.count("\n") == 1
    assert before.document["window"] is None


@pytest.mark.long
def test_nothing_is_compared_where_a_file_is_refused(call, put: Put, saved: str) -> None:
    later = put("later.csv", log(10, HOURS, HOURS + 5))
    stranger = put("stranger.csv", "colour,taste\nred,sweet\n")
    for words in (("--contracts", stranger), ("--prices", stranger), (stranger,)):
        said = call("track", saved, "--jobs", later, *words)
        assert said.status == 1 and "stranger.csv" in said.err and "actual_usd" not in said.out, words
        assert [file["path"] for file in said.document["intake"]["files"]] == [later, stranger]
