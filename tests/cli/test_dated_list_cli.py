"""plan: orders with their end and row, planned runs, GPUs to sign, months from their start; --notice-given."""

import pytest

from gpuplanner.domain.model.window import instant_s, iso_utc
from gpuplanner.domain.reports.cash import RUN_WAYS
from tests.cli.test_plan import JOB_HEADER, MONTH_H, OFFER_HEADER, STILL, at, job

HOURS = 400
PRICES = "od,H100,STANDARD,0,6,,,\nm1,H100,COMMITTED,1,3,,,\n"


@pytest.fixture
def words(put) -> list[str]:  # type: ignore[no-untyped-def]
    files = ["--jobs", put("jobs.csv", JOB_HEADER + job(1, 10, 0, HOURS))]
    files += ["--prices", put("prices.csv", OFFER_HEADER + PRICES)]
    return [*files, *STILL, "--start", at(0), "--end", at(HOURS)]


@pytest.mark.long
def test_orders_have_their_end_and_the_row_that_they_are_shown_in(call, words) -> None:  # type: ignore[no-untyped-def]
    """10 GPUs by the month: twelve orders, the first now, the others follow and are one row."""
    document = call("plan", *words).document
    orders = document["orders"]
    assert [one["start"] for one in orders] == [at(HOURS + month * MONTH_H) for month in range(12)]
    assert [one["end"] for one in orders] == [at(HOURS + (month + 1) * MONTH_H) for month in range(12)]
    assert orders[0]["order_by"] == orders[0]["start"]
    assert [one["order_by"] for one in orders[1:]] == [
        iso_utc(instant_s(one["start"]) - 1) for one in orders[1:]
    ]
    assert [one["reason"] for one in orders] == ["now"] + ["follows"] * 11
    assert len({one["row"] for one in orders[1:]}) == 1 != orders[0]["row"]
    assert [one["start"] for one in document["comparison"]] == [one["start"] for one in orders]
    totals = document["totals"]
    assert [one["gpus"] for one in totals["gpus_to_sign"]] == [10.0]
    assert totals["liability_now_usd"] == pytest.approx(10 * MONTH_H * 3)
    month = document["comparison"][0]
    for total, of_month in (("plan", "plan_usd"), ("do_nothing", "do_nothing_usd")):
        assert totals[f"{total}_usd_per_month"] == month[of_month]


@pytest.mark.long
def test_a_run_is_bought_by_its_dates(call, put, words) -> None:  # type: ignore[no-untyped-def]
    """8 GPUs for 40 h, three times, a week apart: by use; 8 for 730 h from the 200th hour on: by the month."""
    rows = [
        f"run,burst,H100,8,{at(HOURS + 200)},,{MONTH_H},",
        f"weekly,burst,H100,8,{at(HOURS)},{at(HOURS + 337)},40,168",
    ]
    header = "name,pool,gpu_model,gpus,begins,ends,length_hours,every_hours"
    words += ["--planned", put("planned.csv", "\n".join([header, *rows, ""]))]
    document = call("plan", *words).document
    run, weekly = document["planned_runs"]
    (place,) = run.pop("orders")
    assert run == {
        "key": "//run", "gpus": 8.0, "hours": MONTH_H, "use_usd": pytest.approx(8 * MONTH_H * 6),
        "usd": pytest.approx(8 * MONTH_H * 3), "idle_contract_gpus": 0.0,
        "gpu_hours_per_month": None, "alternatives": [],
    }  # fmt: skip
    order = document["orders"][place]
    assert (order["reason"], order["gpus"], order["pool"]) == ("planned_run", 8.0, "burst")
    assert (order["start"], order["end"]) == (at(HOURS + 200), at(HOURS + 200 + MONTH_H))
    assert (weekly["hours"], weekly["orders"], weekly["usd"]) == (120, [], pytest.approx(8 * 120 * 6))
    assert weekly["gpu_hours_per_month"] == pytest.approx(8 * 40 * 730 / 168)
    by_use = weekly["alternatives"][0]
    assert (by_use["term_months"], by_use["usd_per_month"]) == (0, pytest.approx(8 * 40 * 730 / 168 * 6))
    keys = [(one["pool"], one["gpu_model"], one["start"], one["offer_id"]) for one in document["orders"]]
    assert keys == sorted(keys)
    table = call("plan", *words, text=True).out.split("\nOrders", 1)[1]
    (line,) = (one for one in table.splitlines() if "planned run" in one)
    assert line.split()[:4] == ["m1", "Burst", "H100", "8"]
    ways = table.split(str(RUN_WAYS.title), 1)[1].splitlines()[3]
    assert ways.split()[:3] == ["weekly", "8", "1,390"]


@pytest.mark.long
def test_a_contract_renews_until_its_notice_is_said_to_be_given(call, put, words) -> None:  # type: ignore[no-untyped-def]
    """2 of 10 GPUs each, for two months yet, with notice of 90 days: it was due before the plan begins."""
    text = "contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,notice_days,renews_months\n"
    text += "".join(f"k{one},p,a,H100,2,2.6,{at(0)},{at(HOURS + 2 * MONTH_H)},90,6\n" for one in (1, 2))
    words += ["--contracts", put("contracts.csv", text)]

    for given in ((), ("k1",), ("k1", "k2")):
        answers = [word for name in given for word in ("--notice-given", name)]
        document = call("plan", *words, *answers).document
        passed = {one["subject"] for one in document["checks"] if one["code"] == "order_by_passed"}
        verdicts = {one["contract_id"]: one["verdict"] for one in document["contract_verdicts"]}
        assert passed == {"k1", "k2"} - set(given)
        assert {name for name, verdict in verdicts.items() if verdict in ("renew", "end")} == passed
