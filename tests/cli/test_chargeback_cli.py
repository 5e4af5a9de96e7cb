"""chargeback in the documents of audit and plan: by whom it was asked, budgets, the rule, and what it adds up to."""

import csv
import io
from datetime import datetime

import pytest

from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.audit.unit_costs.business_costs import NO_HOUR
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.reports.costs import TITLES
from tests.cli.test_plan import JOB_HEADER, MONTH_H, OFFER_HEADER, STILL, at, job

CONTRACTS = (
    "contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,owner\n"
    "k,p,a,H100,12,2,2020-01-01,2030-01-01,COMMITTED,ops\n"
)


@pytest.fixture
def words(call, put):
    jobs = JOB_HEADER + job(1, 10, 0, 400) + job(2, 4, 0, 200, "training")
    files = [
        "--jobs",
        put("jobs.csv", jobs),
        "--prices",
        put("prices.csv", OFFER_HEADER + "od,H100,STANDARD,0,6,,,\n"),
    ]
    return [*files, "--contracts", put("contracts.csv", CONTRACTS), *STILL, "--start", at(0),
            "--end", at(400)]  # fmt: skip


@pytest.mark.long
def test_rows_add_up_and_say_by_what_where_it_was_asked(call, words):
    said = call("audit", *words).document
    (row,) = said["chargeback"]
    (cluster,) = said["clusters"]
    assert list(row) == [
        "team", "gpu_hours", "direct_usd", "idle_usd", "overflow_usd", "total_usd", "budget_usd", "left_usd", "used_up",
    ]  # fmt: skip
    assert row["direct_usd"] + row["idle_usd"] == pytest.approx(cluster["paid_usd"])
    assert row["overflow_usd"] == pytest.approx(200 * 2 * 6)
    by = call("audit", *words, "--by", "workload").document["chargeback"]
    assert [list(one)[:3] for one in by] == [["team", "by", "name"]] * 2
    assert [one["name"] for one in by] == [one["key"] for one in said["workloads"]]
    assert sum(one["total_usd"] for one in by) == pytest.approx(row["total_usd"])
    assert call("audit", *words, "--by", "colour").status == 2


@pytest.mark.long
def test_what_one_order_costs_and_that_it_stays_with_the_project(call, put, words, tmp_path):
    month = call("audit", *words).document["window"]["start"][:7]
    given = put("business.csv", f"month,figure,value\n{month},orders,1000\n1999-01,orders,5\n")
    said = call("plan", *words, "--business", given).document
    old, mine, month_12 = said["business"]
    assert (old["usd_each"], old["unknown"]) == (None, str(NO_HOUR))
    assert mine["usd_each"] == pytest.approx(mine["usd"] / (1000 * mine["hours_share"]))
    assert (month_12["held_from"], month_12["usd"]) == (month, said["comparison"][-1]["plan_usd"])
    kept = str(tmp_path / "kept.gpuplan")
    call("export", *words, "--business", given, "--project", kept)
    assert [one["month"] for one in call("audit", kept).document["business"]] == ["1999-01", month]
    assert "business" not in call("audit", *words).document


@pytest.mark.long
def test_budgets_and_the_month_in_which_they_are_used_up(call, put, words):
    plan = call("plan", *words).document["comparison"][0]["plan_usd"]
    team = call("audit", *words).document["chargeback"][0]["team"]
    budgets = put("budgets.csv", f"team,usd_per_month\n{team},{plan - 1:.2f}\nhr,730\n")
    said = call("plan", *words, "--budgets", budgets).document
    rows = {row["team"]: row for row in said["chargeback"]}
    assert list(rows) == sorted(rows, key=lambda name: (name == "nobody", name))
    assert rows["hr"]["budget_usd"] == pytest.approx(730 * 400 / MONTH_H)
    assert (rows["hr"]["gpu_hours"], rows["hr"]["left_usd"]) == (0, rows["hr"]["budget_usd"])
    assert rows[team]["used_up"] == said["comparison"][0]["start"] and rows["hr"]["used_up"] is None
    assert [one["kind"] for one in said["intake"]["files"] if one["path"] == budgets] == ["budgets"]
    text = call("plan", *words, "--budgets", budgets, text=True).out
    assert str(TITLES[ChargeBy.TEAM]) in text
    (used_up,) = [line for line in text.splitlines() if line.startswith("  Nobody: ")]
    month_s = int(datetime.fromisoformat(rows[team]["used_up"]).timestamp())
    assert day(month_s) in used_up


def test_the_rule_is_an_assumption(call, words):
    found = call("audit", *words, "--set", "idle_shared_by=owner").document["chargeback"]
    assert [(row["team"], row["direct_usd"] == 0) for row in found] == [("ops", True), ("nobody", False)]
    assert call("audit", *words, "--set", "idle_shared_by=size").status == 2


def test_a_statement_is_a_page_a_team_where_its_name_says_pdf(call, words, tmp_path):
    path = tmp_path / "statement.pdf"
    said = call("export", *words, "--statement", str(path)).document
    assert said["statement"] == str(path) and path.read_bytes().startswith(b"%PDF")


def test_the_statement_adds_up_to_the_document(call, words, tmp_path):
    path = tmp_path / "statement.csv"
    said = call("export", *words, "--set", "idle_shared_by=owner", "--statement", str(path)).document
    rows = list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")))
    assert said["statement"] == str(path)
    total = sum(row["total_usd"] for row in said["chargeback"])
    assert sum(float(row["EffectiveCost"]) for row in rows) == pytest.approx(total, abs=0.004)
    by_team = {row["team"]: row["idle_usd"] for row in said["chargeback"]}
    idle = [row for row in rows if row["x_Charge"] == "idle"]
    assert {row["SubAccountName"]: float(row["EffectiveCost"]) for row in idle} == {
        "ops": pytest.approx(by_team["ops"])
    }
    assert {row["AllocatedMethodId"] for row in idle} == {"owner"} and {
        row["ResourceId"] for row in idle
    } == {""}
    assert {row["BillingPeriodStart"] for row in rows} == {at(0)}
