"""What a CFO and a sustainability lead ask: owed, cash by quarter, useful GPU-hours, idle nights, CO2; by hand."""

import pytest

from tests.cli.test_plan import STILL

JOBS = "job_id,cluster,name,account,gpu_model,gpus,start,end,gpu_activity_percent,class\n"
CONTRACTS = """contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,\
term_months,notice_days
"""
PRICES = "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,upfront_usd,provider\n"
WINDOW = ("--start", "2026-01-05", "--end", "2026-01-19")  # two weeks from a Monday on


@pytest.fixture
def asked(call, put):
    """The document of a plan of these rows."""

    def of(jobs, contracts="", prices="od,H100,STANDARD,0,5,,V\n", *words, command="plan"):
        files = ["--jobs", put("jobs.csv", JOBS + jobs)]
        if contracts:
            files += ["--contracts", put("contracts.csv", CONTRACTS + contracts)]
        return call(
            command, *files, "--prices", put("prices.csv", PRICES + prices), *STILL, *WINDOW, *words
        ).document

    return of


ALWAYS = "1,c,serve,chat,H100,8,2026-01-05T00:00:00Z,2026-01-19T00:00:00Z,50,inference\n"
IN_FORCE = (
    "k1,V,c,H100,4,2.50,2026-01-01,2026-03-01,COMMITTED,2,0\n"  # 41 days from the 19th on
    "k2,V,c,H100,2,3.00,2026-01-01,,COMMITTED,,30\n"  # without an end: 30 days of notice
    "k3,V,c,H100,9,6.00,2026-01-01,,STANDARD,0,0\n"  # paid by use: owed to nobody
    "k4,V,c,H100,4,2.50,2026-02-01,2026-03-01,COMMITTED,1,0\n"  # not yet in force
)


@pytest.mark.long
def test_what_is_owed_if_everything_stops(asked):
    found = asked(ALWAYS, IN_FORCE)
    owed = {row["contract_id"]: row["usd"] for row in found["owed"]}
    assert owed == {"k1": 4 * 2.5 * 41 * 24, "k2": 2 * 3.0 * 30 * 24}
    assert found["owed_if_stopped_usd"] == 9_840 + 4_320


@pytest.mark.long
def test_a_contract_without_a_rate_makes_what_is_owed_unknown(asked):
    found = asked(ALWAYS, IN_FORCE + "k5,V,c,H100,1,,2026-01-01,2027-01-01,COMMITTED,12,0\n")
    assert found["owed_if_stopped_usd"] is None
    assert [row["usd"] for row in found["owed"] if row["contract_id"] == "k5"] == [None]


@pytest.mark.long
def test_cash_is_paid_in_its_quarter_and_upfront_on_its_day(asked):
    """8 GPUs at $1 and $1,000 each upfront for 36 months: twelve months of 730 h from 19 January on."""
    found = asked(ALWAYS, "", "od,H100,STANDARD,0,50,,V\ny,H100,COMMITTED,36,1,1000,V\n")
    days = [72, 91, 92, 92]  # to 1 April, 1 July, 1 October and 1 January; then 18.17 days
    hours = [24 * one for one in days] + [12 * 730 - 24 * sum(days)]
    assert [row["quarter"] for row in found["cash"]] == [
        "2026 Q1",
        "2026 Q2",
        "2026 Q3",
        "2026 Q4",
        "2027 Q1",
    ]
    assert [row["at_once_usd"] for row in found["cash"]] == [8_000, 0, 0, 0, 0]
    assert [row["usd"] - row["at_once_usd"] for row in found["cash"]] == pytest.approx(
        [8 * one for one in hours]
    )
    assert found["cash"][0]["from"] == "2026-01-19T00:00:00Z"


def test_quarters_are_those_of_the_fiscal_year(asked):
    found = asked(ALWAYS, "", "od,H100,STANDARD,0,5,,V\n", "--set", "fiscal_year_starts=2")
    spans = [(row["quarter"], row["from"][:10], row["to"][:10]) for row in found["cash"]]
    assert spans[:3] == [
        ("2026 Q4", "2026-01-19", "2026-02-01"),
        ("2027 Q1", "2026-02-01", "2026-05-01"),
        ("2027 Q2", "2026-05-01", "2026-08-01"),
    ]


@pytest.mark.long
def test_cash_of_all_quarters_is_the_plans_twelve_months_where_nothing_is_paid_upfront(asked):
    found = asked(ALWAYS, IN_FORCE, "od,H100,STANDARD,0,5,,V\ny,H100,COMMITTED,12,2,,V\n")
    whole = sum(row["plan_usd"] for row in found["comparison"])
    assert sum(row["usd"] for row in found["cash"]) == pytest.approx(whole)


NIGHTS = (
    # Wednesday 18 to 24 h: 4 h at night; half of it active. Saturday 10 to 12 h: a weekend
    "1,c,sft,vision,H100,4,2026-01-07T18:00:00Z,2026-01-08T00:00:00Z,50,training\n"
    "2,c,sft,vision,H100,4,2026-01-10T10:00:00Z,2026-01-10T12:00:00Z,50,training\n"
    "3,c,serve,chat,H100,2,2026-01-07T10:00:00Z,2026-01-07T14:00:00Z,25,inference\n"
    "4,c,dev,lab,H100,1,2026-01-07T00:00:00Z,2026-01-07T02:00:00Z,,burst\n"
)
MONTHS = 14 * 24 / 730
HELD = "k,V,c,H100,8,2.00,2026-01-01,2026-03-01,COMMITTED,2,0\n"


@pytest.mark.long
def test_idle_nights_are_what_was_held_and_did_nothing(asked):
    found = asked(NIGHTS, HELD, command="audit")
    nights = {row["team"]: row for row in found["idle_nights"]}
    assert nights["vision"]["gpu_hours_per_month"] == pytest.approx((4 * 4 + 4 * 2) / MONTHS)
    rate = next(row["usd_per_month"] for row in found["workloads"] if row["name"] == "sft") / (32 / MONTHS)
    assert nights["vision"]["usd_per_month"] == pytest.approx(24 / MONTHS * 0.5 * rate)
    assert nights["lab"]["usd_per_month"] is None  # nobody measured what it did
    assert "chat" not in nights


def test_useful_gpu_hours_count_activity(asked):
    found = asked(NIGHTS, HELD, command="audit")
    first, second = found["expensive_workloads"]  # the third has no activity
    usd = {row["name"]: row["usd_per_month"] for row in found["workloads"]}
    assert (first["team"], second["team"]) == ("chat", "vision")
    assert first["usd_per_useful_gpu_hour"] == pytest.approx(usd["serve"] / (8 / MONTHS * 0.25))


def test_energy_of_teams_adds_up_and_the_plan_is_on_the_grid_that_is_stated(asked):
    found = asked(NIGHTS, HELD, "od,H100,STANDARD,0,5,,V\n", "--set", "grid_kg_co2_per_kwh=0.1")
    energy = found["energy"]
    of_workloads = sum(row["kwh_per_month"] for row in energy["workloads"])
    assert sum(row["kwh_per_month"] for row in energy["teams"]) == pytest.approx(of_workloads)
    assert [row["team"] for row in energy["teams"]] == ["chat", "lab", "vision"]
    assert energy["kg_co2_per_month"] == pytest.approx(0.1 * energy["kwh_per_month"])
    assert energy["today"]["kg_co2_per_month"] == pytest.approx(0.1 * energy["today"]["kwh_per_month"])
    assert energy["teams"][0]["kg_co2_per_month"] == pytest.approx(0.1 * energy["teams"][0]["kwh_per_month"])


def test_a_power_limit_is_checked_and_not_kept(asked):
    found = asked(ALWAYS, "", "od,H100,STANDARD,0,5,,V\n", "--set", "power_limit_kw=1")
    (limit,) = found["limits"]
    assert (limit["limit"], limit["costs_usd_per_month"], limit["binds"]) == ("power_limit_kw", 0, False)
    assert limit["why"].startswith("checked, not enforced")
    assert "over_power_limit" in {row["code"] for row in found["checks"]}


def test_without_contracts_nobody_knows_what_is_owed(asked):
    assert asked(ALWAYS)["owed_if_stopped_usd"] is None
