"""`backtest` on the command line: its document, its table, and what it says of logs it can say nothing about."""

import pytest

from gpuplanner.domain.commitment.advice_backtest import NOBODY_KNOWS, TOO_SHORT

HEAD = "job_id,cluster,name,gpu_model,gpus,start,end,class\n"
PRICES = """offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour
od,H100,STANDARD,0,7.00
m1,H100,COMMITTED,1,3.50
"""
THREE_MONTHS = HEAD + (
    "1,atlas,chat,H100,4,2026-01-01T00:00:00Z,2026-03-03T20:00:00Z,inference\n"  # 2 x 730 h
    "2,atlas,chat,H100,1,2026-03-03T20:00:00Z,2026-04-03T06:00:00Z,inference\n"
)


@pytest.mark.long
def test_folds_and_sums_are_those_worked_out_by_hand(call, put):
    said = call("backtest", "--jobs", put("jobs.csv", THREE_MONTHS), "--prices", put("prices.csv", PRICES))
    assert said.status == 0
    document = said.document
    first, second = document["folds"]
    assert first["paid_for"] == {"start": "2026-01-31T10:00:00Z", "end": "2026-03-02T20:00:00Z"}
    assert first["advised_on"] == {"start": "2026-01-01T00:00:00Z", "end": "2026-01-31T10:00:00Z"}
    assert first["advice_usd"] == pytest.approx(4 * 3.5 * 730)
    assert first["on_demand_usd"] == pytest.approx(4 * 7 * 730)
    used = 24 * 4 + 706 * 1
    assert second["on_demand_usd"] == pytest.approx(7 * used)
    assert second["hindsight_usd"] == pytest.approx(3.5 * 730 + 7 * 24 * 3)
    assert second["advice_usd"] == pytest.approx(4 * 3.5 * 730)
    assert "fell" in second["reasons"][0]
    totals = document["totals"]
    for name in totals:
        if name.endswith("_usd"):
            assert totals[name] == pytest.approx(first[name] + second[name])
    assert totals["advice_over_hindsight"] == pytest.approx(totals["advice_usd"] / totals["hindsight_usd"])
    assert document["caveat"] == str(NOBODY_KNOWS)
    assert "not kept" not in document["caveat"]
    assert document["variants"][0]["name"] == "as_set"
    assert document["variants"][0]["usd"] == pytest.approx(totals["advice_usd"])


@pytest.mark.long
def test_a_person_reads_a_table_with_the_reasons(call, put):
    words = ("backtest", "--jobs", put("jobs.csv", THREE_MONTHS), "--prices", put("prices.csv", PRICES))
    reasons = [reason for fold in call(*words).document["folds"] for reason in fold["reasons"]]
    said = call(*words, text=True)
    assert "Hindsight" in said.out
    assert reasons and all(reason in said.out for reason in reasons)
    assert str(NOBODY_KNOWS) in said.out


def test_a_short_log_is_an_answer_with_status_1(call, put):
    text = HEAD + "1,atlas,chat,H100,4,2026-01-01T00:00:00Z,2026-02-01T00:00:00Z,inference\n"
    said = call("backtest", "--jobs", put("jobs.csv", text), "--prices", put("prices.csv", PRICES))
    assert said.status == 1
    assert said.document["folds"] == []
    assert set(said.document["totals"].values()) == {None}
    assert "two months" in said.err


@pytest.mark.long
def test_a_log_padded_by_jobs_without_gpus_is_as_short_as_its_use(call, put):
    text = HEAD + (
        "1,atlas,chat,H100,4,2026-01-01T00:00:00Z,2026-02-20T00:00:00Z,inference\n"
        "2,atlas,prep,,0,2026-01-01T00:00:00Z,2026-06-01T00:00:00Z,burst\n"
    )
    said = call("backtest", "--jobs", put("jobs.csv", text), "--prices", put("prices.csv", PRICES))
    assert (said.status, said.document["folds"]) == (1, [])
    assert said.document["verdict"] == str(TOO_SHORT)


@pytest.mark.long
def test_without_prices_everything_is_unknown_and_said(call, put):
    said = call("backtest", "--jobs", put("jobs.csv", THREE_MONTHS))
    assert said.status == 0
    assert said.document["totals"]["advice_usd"] is None
    assert "--same" in said.document["verdict"] and "H100" in said.document["verdict"]


@pytest.mark.long
def test_an_assumption_can_be_tried(call, put):
    jobs, prices = put("jobs.csv", THREE_MONTHS), put("prices.csv", PRICES)
    said = call("backtest", "--jobs", jobs, "--prices", prices, "--set", "recency_half_life_days=3")
    assert said.status == 0
    assert call("backtest", "--jobs", jobs, "--prices", prices, "--set", "recency=3").status == 2
