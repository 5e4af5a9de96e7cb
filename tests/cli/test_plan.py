"""Plans whose figures can be worked out by hand, and the sums that hold for every plan."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from tests.some_of import one_in

MONTH_H = 730
PLAIN = [
    word
    for said in ("slices_lived=off", "recency_half_life_days=none", "demand_fall_closes=off")
    for word in ("--set", said)
]
"""A few days of log stand for long ones, and all hours weigh alike."""
STILL = [*PLAIN] + [
    word for name in ("lambda", "delta", "wacc", "growth", "sigma") for word in ("--set", f"{name}=0")
]
"""Nothing changes and money costs nothing: the recursion becomes the newsvendor."""

JOB_HEADER = "job_id,cluster,name,gpu_model,gpus,nodes,start,end,class\n"
OFFER_HEADER = """offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,\
lead_time_hours,max_gpus,min_term_months
"""


def at(hour: float) -> str:
    return (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour)).strftime("%Y-%m-%dT%H:%M:%SZ")


def job(
    number: int, gpus: float, start_h: float, end_h: float, label: str = "inference", nodes: int = 1
) -> str:
    return f"{number},a,{label}-{nodes},H100,{gpus},{nodes},{at(start_h)},{at(end_h)},{label}\n"


@pytest.mark.parametrize(
    ("seed", "committed", "by_use", "block"), one_in(4, [(0, 2, 4, 1), (1, 2.75, 6.88, 1), (2, 5, 6, 2)])
)
def test_in_a_still_market_the_level_is_the_newsvendors(
    call, put, seed: int, committed: float, by_use: float, block: int
) -> None:
    demand = random.Random(seed).choices([0, 2, 4, 6, 12], k=200)
    jobs = put("jobs.csv", JOB_HEADER + "".join(job(h, gpus, h, h + 1) for h, gpus in enumerate(demand)))
    offers = f"od,H100,STANDARD,0,{by_use},,,\ny,H100,COMMITTED,12,{committed},,,\n"
    bounds = ["--start", at(0), "--end", at(200), "--set", f"block={block}"]
    document = call(
        "plan", "--jobs", jobs, "--prices", put("prices.csv", OFFER_HEADER + offers), *STILL, *bounds
    ).document
    costs = {
        level: MONTH_H * (committed * level + by_use * sum(max(0, gpus - level) for gpus in demand) / 200)
        for level in range(0, 14, block)
    }
    best = min(costs.values())
    (pool,) = document["pools"]
    assert pool["usd_per_month"] == pytest.approx(best)
    bought = sum(layer["gpus"] for layer in pool["layers"] if layer["term_months"])
    assert bought == min(level for level, cost in costs.items() if cost == pytest.approx(best))
    assert [row["utilization"] for row in pool["break_even"]] == [pytest.approx(committed / by_use)]
    assert [row["plan_usd"] for row in document["comparison"]] == [pytest.approx(best)] * 12
    assert pool["p95_gpus"] == sorted(demand)[189]  # 190 of 200 hours are at or below it


W = {1: 5 / 240 + (2 + 0.25) / 24, 4: 5 / 240 + (2 + 0.25) / 6}
SPOT = [
    # class, nodes, hours, settings: the rate by use of a pool where spot is 2.00 and on demand 6.88
    ("burst", 1, 10, [], 2 / (1 - W[1])),
    ("burst", 4, 10, [], 2 / (1 - W[4])),
    (
        "burst",
        1,
        2,
        [],
        2 / (1 - (1 + 0.25) / 24),
    ),  # shorter than the time between checkpoints: it writes none
    ("burst", 16, 10, [], 6.88),  # would lose all of its work
    ("training", 1, 4, [], 2 / (1 - W[1])),
    ("training", 1, 5, [], 6.88),
    ("training", 1, 5, ["--set", "training_checkpoints=true"], 2 / (1 - W[1])),
    ("training", 1, 30, ["--set", "training_checkpoints=true"], 6.88),
    ("training", 1, 30, ["--set", "spot_long_training=true"], 2 / (1 - W[1])),
    ("inference", 1, 2, [], 6.88),
]


@pytest.mark.parametrize(("label", "nodes", "hours", "settings", "rate"), one_in(12, SPOT))
def test_spot_is_taken_where_it_may_be_at_what_it_really_costs(
    call, put, label: str, nodes: int, hours: float, settings: list[str], rate: float
) -> None:
    offers = "od,H100,STANDARD,0,6.88,,,\nsp,H100,DYNAMIC,0,2,,,\n"
    jobs = put("jobs.csv", JOB_HEADER + job(1, nodes, 0, hours, label, nodes))
    document = call(
        "plan", "--jobs", jobs, "--prices", put("prices.csv", OFFER_HEADER + offers), *settings
    ).document
    (layer,) = document["pools"][0]["layers"]
    assert layer["rate_usd_per_gpu_hour"] == pytest.approx(rate)
    on_demand = rate == 6.88
    assert (layer["offer_id"], layer["pricing_category"], layer["spot_share"]) == (
        ("od", "STANDARD", 0) if on_demand else ("sp", "DYNAMIC", 1)
    )
    stuck = "spot_infeasible" in {check["code"] for check in document["checks"]}
    assert stuck == (nodes == 16)


def test_long_training_that_recurs_has_its_dollars_on_spot_and_the_terms_that_hold_it(call, put) -> None:
    """40 h on two nodes every 168 h, four times: 640 GPU-hours each at $6.88, or longer on spot at $2."""
    offers = "od,H100,STANDARD,0,6.88,,,\nsp,H100,DYNAMIC,0,2,,,\ny,H100,COMMITTED,1,4,,,\n"
    jobs = "".join(job(at, 16, 168 * at, 168 * at + 40, "training", 2) for at in range(4))
    words = "--jobs", put("jobs.csv", JOB_HEADER + jobs), "--prices", put("prices.csv", OFFER_HEADER + offers)
    document = call("plan", *words).document
    (spot,) = document["spot"]
    assert spot["run_usd_on_demand"] == pytest.approx(640 * 6.88)
    assert spot["run_hours"] == pytest.approx(40 / (1 - spot["best_lost_share"]))
    assert spot["run_usd"] == pytest.approx(spot["run_hours"] * 16 * 2) and not spot["on_spot"]
    ways = {way["offer_id"]: way["usd_per_month"] for way in document["recurring_runs"]}
    assert ways == {"od": pytest.approx(640 * 6.88 * 730 / 168), "y": pytest.approx(16 * 730 * 4)}
    row = next(line for line in call("plan", *words, text=True).out.splitlines() if "13.9%" in line)
    assert row.split()[-4:] == [
        f"{40 / 0.861316:.1f}",
        "13.9%",
        f"{spot['run_usd']:,.0f}",
        f"{640 * 6.88:,.0f}",
    ]


@pytest.mark.long
def test_a_long_lead_time_is_waited_for_and_a_short_one_is_not(call, put) -> None:
    jobs = put("jobs.csv", JOB_HEADER + job(1, 3, 0, 800))
    found = {}
    for lead_h in (100, 1500):
        offers = OFFER_HEADER + f"od,H100,STANDARD,0,6.88,,,\ny,H100,COMMITTED,12,2.75,{lead_h},,\n"
        document = call("plan", "--jobs", jobs, "--prices", put("prices.csv", offers), *PLAIN).document
        ((order, terms),) = [
            (row, document["pools"][0]["layers"][0]["term_months"]) for row in document["orders"]
        ]
        found[lead_h] = (terms, order["start"], order["order_by"], order["reason"])
    assert found[100] == (12, at(800 + 100), at(800), "now")
    assert found[1500] == (0, at(800 + 1500), at(800), "lead_time")  # in month 2, from its 40th hour on


@pytest.mark.long
def test_an_offer_goes_as_far_as_it_goes_and_the_rest_takes_the_next_best(call, put) -> None:
    offers = """od,H100,STANDARD,0,6.88,,,
y,H100,COMMITTED,12,2.75,,3,
z,H100,COMMITTED,12,3,,,
q,H100,COMMITTED,1,1,,,3
"""
    jobs = put("jobs.csv", JOB_HEADER + job(1, 8, 0, 800))
    document = call(
        "plan", "--jobs", jobs, "--prices", put("prices.csv", OFFER_HEADER + offers), *PLAIN
    ).document
    layers = [(layer["offer_id"], layer["gpus"]) for layer in document["pools"][0]["layers"]]
    assert layers == [("y", 3), ("z", 5)]  # q: a term below its own minimum


@pytest.mark.long
def test_what_hold_for_every_plan(call, put) -> None:
    chance = random.Random(4)
    labels = ("training", "inference", "burst")
    jobs = "".join(
        job(
            n,
            chance.choice([0.5, 1, 4]),
            start := chance.uniform(0, 300),
            start + chance.uniform(1, 300),
            labels[n % 3],
        )
        for n in range(30)
    )
    contracts = (
        "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pool,notice_days\n"
        "c1,a,H100,6,2,2025-06-01,2026-07-01,,30\nc2,a,H100,4,3,2025-06-01,,inference,30\n"
    )
    offers = """od,H100,STANDARD,0,6.88,,,
sp,H100,DYNAMIC,0,2,,,
y,H100,COMMITTED,12,2.75,,,
m,H100,COMMITTED,1,4,,,
"""
    document = call(
        "plan", "--jobs", put("jobs.csv", JOB_HEADER + jobs), "--contracts", put("contracts.csv", contracts),
        "--prices", put("prices.csv", OFFER_HEADER + offers), *PLAIN,
    ).document  # fmt: skip
    hours, totals, pools = document["window"]["hours"], document["totals"], document["pools"]
    layers = [layer for pool in pools for layer in pool["layers"]]
    gpu_hours = [
        document["jobs"]["gpu_hours"],
        sum(row["gpu_hours"] for row in document["workloads"]),
        sum(row["gpu_hours"] for row in document["classes"].values()),
        sum(pool["gpu_hours"] for pool in pools),
        sum(layer["gpus"] * layer["utilization"] * hours for layer in layers),
    ]
    assert gpu_hours == [pytest.approx(gpu_hours[0])] * 5
    idle = sum(row["usd_per_month"] for row in document["idle_existing"])
    plan = totals["plan_usd_per_month"]
    assert plan == pytest.approx(sum(pool["usd_per_month"] for pool in pools) + idle)
    assert plan - idle == pytest.approx(sum(row["plan_usd_per_month"] for row in document["workloads"]))
    assert totals["current_usd_per_month"] - plan == pytest.approx(totals["savings_usd_per_month"])
    assert totals["savings_percent"] == pytest.approx(100 * (1 - plan / totals["current_usd_per_month"]))
    mean_gpus = sum(pool["mean_gpus"] for pool in pools)
    assert totals["on_demand_equivalent_usd_per_month"] == pytest.approx(MONTH_H * mean_gpus * 6.88)
    assert totals["effective_savings_rate"] == pytest.approx(1 - plan / (MONTH_H * mean_gpus * 6.88))
    month_0 = document["comparison"][0]
    assert month_0["start"] == document["window"]["end"]
    assert month_0["plan_usd"] == pytest.approx(plan)
    assert month_0["do_nothing_usd"] == pytest.approx(totals["do_nothing_usd_per_month"])
    new = [layer for layer in layers if not layer["existing"]]
    committed = [layer for layer in new if layer["term_months"]]
    assert {row["contract_id"]: row["verdict"] for row in document["contract_verdicts"]}["c2"] == "end"
    held = 6 + 4 * 720 / MONTH_H  # c2 has no end: its notice of 30 days ends it
    paid_gpus = held + sum(
        layer["gpus"] * (1 if layer["term_months"] else layer["utilization"]) for layer in new
    )
    assert totals["effective_utilization_plan"] == pytest.approx(mean_gpus / paid_gpus)
    wasted = sum(layer["usd_per_month"] * (1 - layer["utilization"]) for layer in committed)
    assert totals["unused_plan_usd_per_month"] == pytest.approx(wasted + idle)
    end = datetime.fromisoformat(document["window"]["end"])
    left = (datetime(2026, 7, 1, tzinfo=UTC) - end) / timedelta(hours=MONTH_H)
    bound = 6 * 2 * MONTH_H * left + 4 * 3 * MONTH_H * (30 * 24 / MONTH_H)  # no end counts with its notice
    assert totals["lock_in_now_months"] == pytest.approx(bound / (24 * MONTH_H))
    bound -= 4 * 3 * (MONTH_H - 720) * (30 * 24 / MONTH_H)  # what month 0 has no more of it in the plan
    bound += sum(layer["usd_per_month"] * layer["term_months"] for layer in committed)
    assert totals["lock_in_months"] == pytest.approx(bound / plan)
