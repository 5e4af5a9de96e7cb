"""Price cases on the command line: mid unless said, the same plan as a price list with those rates, Today refused."""

import pytest

from tests.cli.test_plan import JOB_HEADER, PLAIN, at, job

HEADER = "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,rate_low,rate_high\n"
OFFERS = (("od", "STANDARD", 0, ("6.88", "3.00", "9.00")), ("y", "COMMITTED", 12, ("2.75", "", "6.50")))


def prices(case: int) -> str:
    """A list whose rates are those of one case (1 low, 0 mid, 2 high) and no others."""
    rows = [
        f"{name},H100,{category},{term},{rates[case] or rates[0]},," for name, category, term, rates in OFFERS
    ]
    return HEADER + "\n".join(rows) + "\n"


BAND = HEADER + "".join(f"{name},H100,{kind},{term},{','.join(r)}\n" for name, kind, term, r in OFFERS)


def inputs(put) -> list[str]:
    demand = [2 + hour % 5 for hour in range(800)]
    jobs = JOB_HEADER + "".join(job(h, gpus, h, h + 1) for h, gpus in enumerate(demand))
    return ["--jobs", put("jobs.csv", jobs), "--start", at(0), "--end", at(800), *PLAIN]


PLAN_OF = ("pools", "orders", "comparison", "uncertainty", "npv_usd")
MONEY = ("plan_usd_per_month", "do_nothing_usd_per_month", "savings_vs_do_nothing_usd_per_month")


@pytest.mark.long
def test_a_case_is_the_plan_of_a_list_with_its_rates_and_mid_is_what_nobody_says(call, put) -> None:
    words = inputs(put)
    band = put("band.csv", BAND)
    said = call("plan", *words, "--prices", band).document
    plans = {}
    for number, case in enumerate(("mid", "low", "high")):
        alone = call("plan", *words, "--prices", put(f"{case}.csv", prices(number))).document
        plans[case] = call("plan", *words, "--prices", band, "--price-case", case).document
        assert [plans[case][name] for name in PLAN_OF] == [alone[name] for name in PLAN_OF]
        assert [plans[case]["totals"][name] for name in MONEY] == [alone["totals"][name] for name in MONEY]
        assert plans[case]["totals"]["current_usd_per_month"] == said["totals"]["current_usd_per_month"]
    assert said == plans["mid"]
    assert "price_sensitivity" not in said
    assert len({document["totals"]["plan_usd_per_month"] for document in plans.values()}) == 3
    asked = call("plan", *words, "--prices", band, "--price-case", "high", "--price-sensitivity").document
    for one in asked["price_sensitivity"]:
        totals = plans[one["case"]]["totals"]
        assert [one[name] for name in MONEY] == [totals[name] for name in MONEY]
        assert one["priced_offers"] == 2
    assert [(one["case"], one["at_mid"]) for one in asked["price_sensitivity"]] == [
        ("low", 1),
        ("mid", 0),
        ("high", 0),
    ]


@pytest.mark.long
def test_the_text_names_the_layers_that_change(call, put) -> None:
    said = call("plan", *inputs(put), "--prices", put("p.csv", BAND), "--price-sensitivity", text=True).out
    lines = said[said.index("Low, mid and high rates") :].splitlines()
    assert [line.split()[0] for line in lines if line.strip().startswith(("low ", "mid ", "high "))] == [
        "low",
        "mid",
        "high",
    ]
    assert any("12 months" in line and "GPUs, not" in line for line in lines)


def test_another_word_and_today_are_refused(call, put) -> None:
    words = [*inputs(put), "--prices", put("p.csv", BAND)]
    wrong = call("plan", *words, "--price-case", "cheap")
    assert wrong.status == 2
    assert all(case in wrong.err for case in ("low", "mid", "high", "cheap"))
    today = call("plan", *words, "--scenario", "Today", "--price-case", "low")
    assert today.status == 2
    assert "read only" in today.err
