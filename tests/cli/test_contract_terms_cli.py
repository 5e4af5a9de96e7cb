"""Terms of real contracts on the command line: ramp, take or pay, prepaid, deposit, SLA, lead as a range; by hand."""

import pytest

from tests.cli.test_plan import STILL
from tests.files.workbook.comparison_months import months_of
from tests.files.workbook.recalculate import cells_of, names_of
from tests.some_of import some_of

JOBS = "job_id,cluster,name,gpu_model,gpus,start,end,class\n"
HELD = "1,c,serve,B200,{gpus},2026-09-01T00:00:00Z,2026-10-01T10:00:00Z,inference\n"  # 730 h
COLUMNS = (
    "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,term_months,"
    "sla_percent,ramp,take_or_pay_percent,prepaid_usd,deposit_usd,cancel_fee_usd,exchange_until,"
    "support_percent,network_usd_per_gpu_month,renews_months,notice_days\n"
)
PRICES = (
    "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,lead_time_hours,"
    "lead_time_high_hours,sla_percent,setup_usd\nod,B200,STANDARD,0,20,0,,\n"
)


@pytest.fixture
def asked(call, put):
    """The document about so many B200 all the time, with contracts of these rows."""

    def of(contracts, gpus=48, command="plan", prices="", *words):
        files = ["--jobs", put("jobs.csv", JOBS + HELD.format(gpus=gpus))]
        files += ["--contracts", put("contracts.csv", COLUMNS + contracts)]
        return call(command, *files, "--prices", put("prices.csv", PRICES + prices), *STILL, *words).document

    return of


@pytest.mark.long
def test_the_gpus_of_a_ramp_come_and_are_paid_one_after_the_other(asked):
    """16 GPUs at 7.90 are $92,272 a month; from the day on which the third month begins 48 are $276,816."""
    found = asked(
        "r,c,B200,48,7.90,2026-09-01,2028-09-01,COMMITTED,24,,2026-09-01=16;2026-11-30T22:00Z=48,,,,,\n"
    )
    paid = [row["contracts_usd"] for row in found["comparison"]]
    assert paid[0] == pytest.approx(92_272) and paid[3] == pytest.approx(276_816)
    names = [(row["contract_id"], row["gpus"]) for row in found["contracts"]]
    assert [gpus for _, gpus in names] == [16, 32]
    hours = (
        700 * 24 + 14,
        640 * 24 + 2,
    )  # to 1 September 2028, from 1 October, 10:00, and from 30 November, 22:00
    assert [row["hours_left"] for row in found["owed"]] == [*hours]  # what it brings later is signed too
    assert found["owed_if_stopped_usd"] == pytest.approx(7.90 * (16 * hours[0] + 32 * hours[1]))


@pytest.mark.long
@pytest.mark.parametrize(
    "ramp", some_of(["2026-09-01=48;2026-10-01=16", "2026-09-01=16", "soon=48"], quick=1)
)
def test_a_ramp_that_does_not_ascend_to_its_gpus_is_refused(asked, ramp):
    found = asked(f"r,c,B200,48,7.90,2026-09-01,2028-09-01,COMMITTED,24,,{ramp},,,,,\n")
    (read,) = [one for one in found["intake"]["files"] if one["kind"] == "contracts"]
    assert read["rows_rejected"] == 1 and not found["contracts"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("used", "usd"), some_of([(30, 221_452.80), (44, 44 * 7.90 * 730), (48, 276_816)], quick=2)
)
def test_take_or_pay_pays_its_share_or_what_was_used(asked, used, usd):
    row = "t,c,B200,48,7.90,2026-01-01,2028-01-01,COMMITTED,24,,,80,,,,\n"
    found = asked(row, used, "audit")
    assert found["clusters"][0]["cost_usd_per_month"] == pytest.approx(usd)
    planned = asked(row, used)
    assert planned["totals"]["do_nothing_usd_per_month"] == pytest.approx(usd)
    assert planned["comparison"][0]["contracts_usd"] == pytest.approx(usd)
    hours = (457 * 24) - 10  # from 1 October, 10:00 to 2028: what is owed even if nothing is used
    assert planned["owed_if_stopped_usd"] == pytest.approx(0.8 * 48 * 7.90 * hours)


@pytest.mark.long
def test_each_month_of_a_plan_pays_what_its_own_demand_uses(asked):
    """40 of 48 GPUs in use, 5% more a month: at 80% a month pays the larger of 38.4 and what it uses, up to 48."""
    row = "t,c,B200,48,7.90,2026-01-01,2028-01-01,COMMITTED,24,,,{percent},,,,\n"
    grows = ("plan", "", "--set", "growth=0.05", "--set", "growth_fade=1")
    for percent, least in ((80, 38.4), (90, 43.2)):
        found = asked(row.format(percent=percent), 40, *grows)
        usd = [7.90 * 730 * max(least, min(48, 40 * 1.05**month)) for month in range(12)]
        assert [one["contracts_usd"] for one in found["comparison"]] == pytest.approx(usd)
        assert found["totals"]["plan_usd_per_month"] == pytest.approx(usd[0])
        assert sum(one["by_hour_usd"] for one in found["cash"]) == pytest.approx(
            sum(one["plan_usd"] for one in found["comparison"])
        )


TAKEN = "t,c,H100,32,2,2026-01-01,2028-01-01,COMMITTED,24,,,25,,,,\n"
ENDLESS = "name,pool,gpu_model,gpus,begins,ends,length_hours,every_hours,cluster\n"


@pytest.fixture
def with_run(call, put):
    """The plan of 8 H100 in use of the 32 of a contract at 25%, with planned runs of these rows."""

    def of(*runs, contracts=TAKEN, used=8, book=None):
        jobs = put("jobs.csv", JOBS + HELD.format(gpus=used).replace("B200", "H100"))
        files = ["--jobs", jobs, "--contracts", put("contracts.csv", COLUMNS + contracts)]
        files += ["--prices", put("prices.csv", PRICES.replace("B200", "H100")), *STILL]
        files += ["--planned", put("planned.csv", ENDLESS + "".join(runs))] if runs else []
        if book is not None:
            assert call("export", *files, "--out", str(book)).status == 0
        return call("plan", *files).document

    return of


@pytest.mark.long
def test_what_a_planned_run_takes_of_a_take_or_pay_contract_is_paid_for(with_run):
    """16 GPUs for 100 h every 168 h: five starts in month 0, the last of 58 h; at $2 each hour is paid beside $11,680.
    At 75% the minimum of 24 pays for 16 of them all through."""
    run = "run,training,H100,16,2026-10-01T10:00Z,,100,168,c\n"
    alone, found = with_run(), with_run(run)
    assert alone["totals"]["plan_usd_per_month"] == pytest.approx(11_680)
    hours = [sum(max(0, min(730, at + 100 - of) - max(0, at - of)) for at in range(0, 8_760, 168))
             for of in range(0, 8_760, 730)]  # fmt: skip
    usd = [11_680 + 16 * 2 * more for more in hours]
    assert [one["contracts_usd"] for one in found["comparison"]] == pytest.approx(usd)
    assert [one["do_nothing_usd"] for one in found["comparison"]] == pytest.approx(usd)
    assert found["totals"]["plan_usd_per_month"] == pytest.approx(usd[0]) == pytest.approx(11_680 + 14_656)
    assert sum(one["by_hour_usd"] for one in found["cash"]) == pytest.approx(sum(usd))
    assert sum(pool["usd_per_month"] for pool in found["pools"]) == pytest.approx(usd[0])
    covered = with_run(run, contracts=TAKEN.replace(",,25,", ",,75,"))
    assert covered["totals"]["plan_usd_per_month"] == pytest.approx(24 * 2 * 730)


@pytest.mark.long
def test_the_book_pays_for_what_a_run_takes_and_for_no_idle_gpu_beyond_the_minimum(with_run, tmp_path):
    """Beside a contract that is paid, used or not, and one that is prepaid."""
    book, run = tmp_path / "plan.xlsx", "run,training,H100,16,2026-10-01T10:00Z,,100,168,c\n"
    term = "2026-01-01,2028-01-01,COMMITTED,24"
    more = f"u,c,H100,8,3,{term},,,,,,,\np,c,H100,4,1,{term},,,50,9000,,,\n"
    found = with_run(run, contracts=TAKEN + more, used=10, book=book)
    assert [plan for _, plan in months_of(book)] == pytest.approx(
        [one["plan_usd"] for one in found["comparison"]], abs=0.01
    )
    sheet, cell = names_of(book)["all_checks"]
    assert str(cells_of(book)[sheet][cell]).startswith("green")
    assert sum(one["usd_per_month"] for one in (*found["pools"], *found["idle_existing"])) == pytest.approx(
        found["totals"]["plan_usd_per_month"]
    )
    (cluster,) = found["clusters"]
    assert cluster["paid_usd"] == pytest.approx(cluster["allocated_usd"] + cluster["unallocated_usd"])


@pytest.mark.long
def test_runs_take_what_each_other_leaves_and_a_contract_pays_for_no_more_than_it_has(with_run):
    """Two runs of 16 at a time beside 8 of the log: 24 are idle, the other 8 are bought."""
    runs = [f"{name},training,H100,16,2026-10-01T10:00Z,,730,730,c\n" for name in "ab"]
    found = with_run(*runs)
    assert found["comparison"][0]["contracts_usd"] == pytest.approx(32 * 2 * 730)
    assert found["idle_existing"] == []
    # no job of the log is of that model
    alone = with_run(runs[0], contracts=TAKEN.replace("H100", "A100"), used=8)
    assert alone["comparison"][0]["contracts_usd"] == pytest.approx(8 * 2 * 730)
    of_model = with_run(runs[0].replace("H100", "A100"), contracts=TAKEN.replace("H100", "A100"))
    assert of_model["comparison"][0]["contracts_usd"] == pytest.approx(16 * 2 * 730)


@pytest.mark.long
@pytest.mark.parametrize(("used", "paid_idle"), [(8, 0.0), (12, 0.0), (2, 6.0)])
def test_idle_gpus_that_nobody_pays_for_cost_nothing(with_run, used, paid_idle):
    """32 GPUs at 25%: 8 are paid for at least, and what is idle of these alone costs."""
    usd = paid_idle * 2 * 730
    found = with_run(used=used)
    (cluster,) = found["clusters"]
    (contract,) = found["contracts"]
    (idle,) = found["idle_existing"]
    assert idle["gpus"] == pytest.approx(32 - used)
    assert idle["usd_per_month"] == pytest.approx(usd, abs=1e-6)
    assert cluster["unallocated_usd"] == pytest.approx(usd, abs=1e-6)  # the window is 730 h
    assert cluster["allocated_usd"] == pytest.approx(used * 2 * 730)
    assert cluster["stranded"]["metered_usd_per_month"] == pytest.approx(usd, abs=1e-6)
    assert contract["unused_usd_per_month"] == pytest.approx(usd, abs=1e-6)
    for key in ("unused_now_usd_per_month", "unused_plan_usd_per_month"):
        assert found["totals"][key] == pytest.approx(usd, abs=1e-6)
    said = [one for one in found["checks"] if one["code"] == "below_40"]
    assert [one["usd_per_month"] for one in said] == pytest.approx([usd] * len(said), abs=1e-6)
    (work,) = found["workloads"]
    assert work["usd_per_month"] == pytest.approx(used * 2 * 730)
    assert work["plan_usd_per_month"] == pytest.approx(used * 2 * 730)
    assert sum(one["usd_per_month"] for one in found["leaks"]) <= usd + 1e-6


@pytest.mark.long
def test_the_past_pays_by_calendar_month_and_its_months_add_up(call, put):
    """48 GPUs used in September, next to none in October: 48 and 38.4 are paid, whatever 730 h are."""
    jobs = put(
        "jobs.csv",
        JOBS + "1,c,serve,B200,48,2026-09-01T00:00:00Z,2026-10-01T00:00:00Z,inference\n"
        "2,c,serve,B200,1,2026-10-31T23:00:00Z,2026-11-01T00:00:00Z,inference\n",
    )
    row = "t,c,B200,48,7.90,2026-01-01,2028-01-01,COMMITTED,24,,,80,,,,,,,,\n"
    words = ["--jobs", jobs, "--contracts", put("contracts.csv", COLUMNS + row)]
    usd = {"2026-09": 48 * 7.90 * 720, "2026-10": 38.4 * 7.90 * 744}
    found = call("audit", *words).document
    assert found["clusters"][0]["cost_usd_per_month"] * 1464 / 730 == pytest.approx(sum(usd.values()))
    assert {one["month"]: one["paid_usd"] for one in found["series"]} == pytest.approx(usd)


RAMPED = "r,c,B200,16,5,2026-01-01,2028-01-01,COMMITTED,24,,{ramp},80,{prepaid},900,,\n"


def paid_in(document):
    """What an audit or a plan says that contracts are paid: in the window, in all, each month, and by quarter."""
    sums = (
        sum(cluster["cost_usd_per_month"] for cluster in document["clusters"]),
        document["totals"]["do_nothing_usd_per_month"],
        document["totals"]["plan_usd_per_month"],
        document["owed_if_stopped_usd"],
    )
    months = [(row["contracts_usd"], row["do_nothing_usd"]) for row in document["comparison"]]
    cash = [(row["at_once_usd"], row["by_hour_usd"]) for row in document["cash"]]
    return sums, months, cash


@pytest.mark.long
@pytest.mark.parametrize("used", some_of([12, 0.5, 14, 16], quick=1))
def test_a_ramp_that_is_over_is_the_contract_in_one_piece(asked, used):
    """Take-or-pay counts over all its GPUs: 12 of 16 used at 80% are 12.8 that are paid, not 8 + 6.4."""
    for prepaid in ("", "43800"):
        whole, split = (
            paid_in(asked(RAMPED.format(ramp=ramp, prepaid=prepaid), used))
            for ramp in ("", "2026-01-01=8;2026-01-02=12;2026-02-01=16")
        )
        assert split[0] == pytest.approx(whole[0])
        for rows, others in zip(split[1:], whole[1:], strict=True):
            assert rows == [pytest.approx(row) for row in others]
    assert split[0][0] == pytest.approx(max(12.8, used) * 5 * 730 + 43_800 / 24)


@pytest.mark.long
def test_what_is_prepaid_is_cash_at_the_start_and_cost_over_the_life_and_a_deposit_comes_back(asked):
    """10 GPUs for 876 h: $8,760 prepaid are $1 a GPU-hour beside the $2 that are paid as they run."""
    row = "p,c,B200,10,2,2026-11-01,2026-12-07T12:00Z,COMMITTED,,,,,8760,5000,700,2026-11-15\n"
    found = asked(row, 1)
    assert sum(month["contracts_usd"] for month in found["comparison"]) == pytest.approx(876 * 10 * 3)
    (quarter,) = (one for one in found["cash"] if one["quarter"] == "2026 Q4")
    assert quarter["at_once_usd"] == pytest.approx(8_760)  # 5,000 go and come back within it
    (verdict,) = found["contract_verdicts"]
    assert (verdict["cancel_fee_usd"], verdict["exchange_until"]) == (700, "2026-11-15T00:00:00Z")


def test_a_purchase_order_stands_beside_the_id(call, put):
    files = ["--jobs", put("jobs.csv", JOBS + HELD.format(gpus=8))]
    head, row = "contract_id,PO #,gpu_model,gpus,rate,start,end", "p,4500017,B200,8,2,2026-09-01,2027-09-01"
    answer = call("audit", *files, "--contracts", put("contracts.csv", f"{head}\n{row}\n"))
    (contract,) = answer.document["contracts"]
    assert (contract["contract_id"], contract["purchase_order"]) == ("p", "4500017")


@pytest.mark.long
def test_a_ramp_in_rows_is_one_contract_in_what_is_owed_and_decided(call, put):
    """8, 16 and 24 GPUs at $2, to 1 October, January and June: the third is signed, and nothing is to be let end."""
    files = ["--jobs", put("jobs.csv", JOBS + HELD.format(gpus=16))]
    rows = ("8,2026-06-01,2026-09-30", "16,2026-10-01,2026-12-31", "24,2027-01-01,2027-05-31")
    table = "PO,GPU,GPUs,Start,Last day,Rate,Cluster\n"
    for row in rows:
        gpus, start, end = row.split(",")
        table += f"p,B200,{gpus},{start},{end},2,c\n"
    prices = put(
        "prices.csv",
        PRICES.replace("setup_usd", "setup_usd,valid_until") + "y,B200,COMMITTED,12,1.9,,,,,2026-12-01\n",
    )
    found = call("plan", *files, "--contracts", put("po.csv", table), "--prices", prices, *STILL).document
    owed = {row["contract_id"]: row["usd"] for row in found["owed"]}
    assert owed == {"p (2)": 16 * 2 * (92 * 24 - 10), "p (3)": 24 * 2 * 151 * 24}
    verdicts = {row["contract_id"]: (row["verdict"], row["reason"]) for row in found["contract_verdicts"]}
    verdict, reason = verdicts["p (2)"]
    assert verdict == "let_expire" and "p (3)" in reason and "24 GPUs" in reason
    assert verdicts["p (3)"] == ("let_expire", "nothing follows it")
    # 12 months at $1.90, of which six stand idle, cost less than six at $20 by use: signed while the offer is open
    orders = [(order["offer_id"], order["order_by"][:10], order["gpus"]) for order in found["orders"]]
    assert orders == [("y", "2026-12-01", 16)]


@pytest.mark.long
def test_what_is_prepaid_without_an_end_or_a_term_costs_nobody_knows_what(asked):
    found = asked("p,c,B200,10,2,2026-09-01,,COMMITTED,,,,,8760,,,\n", 1)
    (said,) = (one for one in found["checks"] if one["code"] == "prepaid_without_end")
    assert said["subject"] == "p" and "end" in said["message"] and "term" in said["message"]
    assert found["totals"]["plan_usd_per_month"] is found["owed_if_stopped_usd"] is None
    assert found["clusters"][0]["cost_usd_per_month"] is None


@pytest.mark.long
@pytest.mark.parametrize(("rate", "hourly"), [("", 1.0), ("2", 3.0)])
def test_a_prepaid_contract_has_its_extras_with_and_without_a_rate(asked, rate, hourly):
    """10 GPUs, $87,600 for a year of 8,760 h: $1 a GPU-hour; support is 10% of what is paid, network $73 a month."""
    row = f"p,c,B200,10,{rate},2026-06-01,2027-06-01,COMMITTED,,,,,87600,,,,10,73\n"
    found = asked(row, 1)
    assert found["comparison"][0]["contracts_usd"] == pytest.approx(7_300 * (hourly * 1.1 + 0.1))


@pytest.mark.long
@pytest.mark.parametrize(
    ("rate", "prepaid", "is_said"),
    [
        ("1", 87_600, True),
        ("1", 88_400, True),
        ("1", 80_000, False),
        ("2", 87_600, False),
        ("", 87_600, False),
    ],
)
def test_a_sum_that_is_its_rate_said_twice_is_a_check(asked, rate, prepaid, is_said):
    """10 GPUs for a year of 8,760 h: the sum typed beside the rate of the same paper was counted on top, unsaid."""
    found = asked(f"p,c,B200,10,{rate},2026-06-01,2027-06-01,COMMITTED,,,,,{prepaid},,,\n", 1)
    said = [one for one in found["checks"] if one["code"] == "prepaid_beside_rate"]
    assert [(one["subject"], one["severity"]) for one in said] == [("p", "amber")] * is_said
    assert all(f"${prepaid:,}" in one["message"] for one in said)
    over = asked(f"p,c,B200,10,{rate},2024-06-01,2025-06-01,COMMITTED,,,,,{prepaid},,,\n", 1)
    assert "prepaid_beside_rate" not in {one["code"] for one in over["checks"]}  # nothing of it is counted


@pytest.mark.long
def test_a_renewal_is_prepaid_again_and_cost_and_cash_of_it_are_the_same_dollars(asked):
    """Its notice passed in September, so that from 1 January it renews to 1 March: $2 a GPU-hour, $28,320.

    Then it ends: by use its work costs $19 an hour, the contract $20.
    """
    row = "p,c,B200,10,,2025-01-01,2027-01-01,COMMITTED,24,,,,350400,,,,,,2,100\n"
    found = asked(row, 1, "plan", "w,B200,STANDARD,0,19,0,,\n")
    cost = sum(month["contracts_usd"] for month in found["comparison"])
    old = (92 * 24 - 10) * 20  # from 1 October, 10:00: paid for long ago
    assert cost == pytest.approx(old + 28_320)
    assert [one["at_once_usd"] for one in found["cash"]] == pytest.approx([0, 28_320, 0, 0, 0])
    assert found["owed_if_stopped_usd"] == pytest.approx(28_320)


@pytest.mark.long
def test_a_deposit_is_cash_in_the_quarters_of_its_start_and_its_end(asked):
    row = "d,c,B200,10,2,2026-11-01,2027-03-01,COMMITTED,4,,,,,5000,,\n"
    found = asked(row, 1)
    assert [one["at_once_usd"] for one in found["cash"]][:2] == [5_000, -5_000]
    assert sum(month["contracts_usd"] for month in found["comparison"]) == pytest.approx(120 * 24 * 10 * 2)


@pytest.mark.long
def test_set_up_is_cash_on_the_day_of_its_order_and_cost_over_its_term(asked):
    """48 GPUs at 3.00 and $876 of set-up each: $0.10 a GPU-hour of a year; both add up to the same dollars."""
    found = asked("", 48, "plan", "y,B200,COMMITTED,12,3,0,,,876\n")
    (order,) = found["orders"]
    assert order["due_at_once_usd"] == found["totals"]["due_at_once_now_usd"] == pytest.approx(48 * 876)
    assert found["totals"]["plan_usd_per_month"] == pytest.approx(48 * 730 * 3.1)
    assert [one["at_once_usd"] for one in found["cash"]][:2] == pytest.approx([48 * 876, 0])
    cash, cost = (
        sum(row[key] for row in found[of]) for of, key in (("cash", "usd"), ("comparison", "plan_usd"))
    )
    assert cash == pytest.approx(cost) == pytest.approx(48 * 8_760 * 3.1)


def test_an_sla_is_hours_and_dollars(asked):
    found = asked("s,c,B200,64,2.70,2026-01-01,2028-01-01,COMMITTED,24,99.9,,,,,,\n", 64, "audit")
    (row,) = found["contracts"]
    assert row["sla_hours_per_month"] * 60 == pytest.approx(43.8)
    assert row["sla_usd_per_month"] == pytest.approx(126.144)


@pytest.mark.long
def test_the_lead_is_a_range_with_a_day_to_order_by_for_each_end(asked):
    """To be there on 1 February 2027 with 336 to 1,000 h: before 18 January, or on 21 December."""
    ends = "e,c,B200,48,2,2026-01-01,2027-02-01,COMMITTED,12,,,,,,,\n"
    found = asked(ends, 48, "plan", "y,B200,COMMITTED,12,3,336,1000,99.9\n")
    (order,) = found["orders"]
    assert order["start"] == "2027-02-01T00:00:00Z"
    assert (order["order_by"][:10], order["order_by_high"][:10]) == ("2027-01-17", "2026-12-21")
    at_stake = order["gpus"] * order["rate_usd_per_gpu_hour"] * 0.73
    assert (order["sla_hours_per_month"], order["sla_usd_per_month"]) == pytest.approx((0.73, at_stake))


@pytest.mark.long
def test_a_notice_that_is_longer_than_every_lead_is_the_day_for_both_ends(asked):
    """With 60 days of notice, 1,000 h are no later day to order by than 336 h."""
    ends = "e,c,B200,48,2,2026-01-01,2027-02-01,COMMITTED,12" + "," * 11 + "60\n"
    (order,) = asked(ends, 48, "plan", "y,B200,COMMITTED,12,3,336,1000,99.9\n")["orders"]
    assert order["order_by"] == order["order_by_high"] == "2026-12-02T23:59:59Z"
