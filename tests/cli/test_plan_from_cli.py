"""--plan-from: the plan is dated from that day, and a call without it is the same as before."""

import pytest

from tests.cli.test_plan import PLAIN
from tests.some_of import one_in

JOBS = "job_id,cluster,name,gpu_model,gpus,start,end\n" + "".join(
    f"{day},c1,serve,H100,8,2026-01-{day:02}T00:00:00Z,2026-01-{day:02}T20:00:00Z\n" for day in range(1, 31)
)
CONTRACTS = (
    "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,term_months\n"
    "k1,c1,H100,64,3,2025-03-01,2026-03-01,36\n"
    "k2,c1,H100,64,3,2025-03-01,2026-12-01,36\n"
)
PRICES = (
    "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"
    "od,H100,STANDARD,0,6.88\nt12,H100,COMMITTED,12,2\n"
)


@pytest.fixture
def words(put) -> list[str]:  # type: ignore[no-untyped-def]
    files = (("jobs", JOBS), ("contracts", CONTRACTS), ("prices", PRICES))
    return [*PLAIN, *(word for name, text in files for word in (f"--{name}", put(f"{name}.csv", text)))]


@pytest.mark.long
def test_months_orders_and_contracts_are_counted_from_that_day(call, words) -> None:  # type: ignore[no-untyped-def]
    plain = call("plan", *words).document
    said = call("plan", *words, "--plan-from", "2026-11-21").document
    assert "plan_from" not in plain
    assert plain["comparison"][0]["start"] == "2026-01-30T20:00:00Z"
    assert said["plan_from"] == said["comparison"][0]["start"] == "2026-11-21T00:00:00Z"
    assert {row["contract_id"] for row in plain["contract_verdicts"]} == {"k1", "k2"}
    assert {row["contract_id"] for row in said["contract_verdicts"]} == {"k2"}
    assert all(row["order_by"] >= "2026-11-21" for row in said["orders"])
    assert said["totals"]["current_usd_per_month"] == plain["totals"]["current_usd_per_month"]
    assert said["window"] == plain["window"] and said["clusters"] == plain["clusters"]
    assert call("plan", *words, "--plan-from", "2026-01-30T20:00:00Z").document == plain


def test_the_table_says_the_day_and_what_follows_each_contract(call, words) -> None:  # type: ignore[no-untyped-def]
    told = call("plan", *words, "--plan-from", "2026-11-21", text=True).out
    assert "Plan from  21 Nov 2026" in told
    assert "8 H100 (O" in told


@pytest.mark.parametrize("day", one_in(4, ["soon", "2026-01-10", "2026-11-21T00:30:00Z"]))
def test_a_day_that_is_none_or_lies_in_the_log_is_a_usage_error(call, words, day: str) -> None:  # type: ignore[no-untyped-def]
    said = call("plan", *words, "--plan-from", day)
    assert said.status == 2 and "plan-from" in said.err


@pytest.mark.long
def test_a_log_and_contracts_of_two_times_are_said_with_the_remedy(call, put) -> None:  # type: ignore[no-untyped-def]
    old = put("old.csv", JOBS.replace("2026-", "2020-"))
    words = ["--jobs", old, "--contracts", put("contracts.csv", CONTRACTS)]
    code = "contracts_outside_window"
    for command in ("audit", "plan"):
        (check,) = [one for one in call(command, *words).document["checks"] if one["code"] == code]
        assert (check["severity"], check["subject"]) == ("amber", "contracts")
        assert "1 Jan 2020 to 30 Jan 2020" in check["message"] and "1 Mar 2025" in check["message"]
        assert "--plan-from" in check["message"]
        assert f"{code}: contracts: {check['message']}" in call(command, *words, text=True).out
    planned = call("plan", *words, "--plan-from", "2026-11-21").document
    (check,) = [one for one in planned["checks"] if one["code"] == code]
    assert "21 Nov 2026" in check["message"]
    over = ["--jobs", put("new.csv", JOBS.replace("2026-", "2029-")), *words[2:]]
    (check,) = [one for one in call("audit", *over).document["checks"] if one["code"] == code]
    assert "--plan-from" not in check["message"]


def test_a_log_and_contracts_of_one_time_are_not_warned_of(call, words) -> None:  # type: ignore[no-untyped-def]
    codes = {one["code"] for one in call("plan", *words).document["checks"]}
    assert "contracts_outside_window" not in codes
