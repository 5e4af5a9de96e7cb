"""`gpuplanner award`: three invented vendors on one plan, as document and as text; limits and what is refused."""

import pytest

from tests.cli.test_plan import JOB_HEADER, PLAIN, at, job

HEADER = (
    "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,max_gpus,min_gpus,unit_gpus,"
    "upfront_usd,sla_percent,lead_time_hours,valid_until\n"
)
OD = "od,Elm Cloud,H100,STANDARD,0,7.00,,,,,,0,\n"
QUOTES = (
    HEADER
    + OD
    + "elm,Elm Cloud,H100,COMMITTED,12,2.50,,,8,,99.9,24,2030-01-01\n"
    + "fir,Fir Compute,H100,COMMITTED,12,2.40,8,,8,,99.95,24,2030-01-01\n"
    + "oak,Oak Metal,H100,COMMITTED,12,2.45,,,8,350,,24,2030-01-01\n"
    + "ash,Ash,H100,COMMITTED,12,0.30,,,8,,99,24,2026-01-01\n"
    + "nobody,,H100,COMMITTED,12,2.495,,,8,,,24,2030-01-01\n"
    + "list,Elm Cloud,H100,COMMITTED,12,2.60,,,8,,,24,\n"
    + "old,Fir Compute,H100,COMMITTED,12,2.30,,,8,,99.9,24,2026-01-01\n"
    + "b200,Oak Metal,B200,COMMITTED,12,,,,8,,,24,2030-01-01\n"
)


def inputs(put, prices: str = QUOTES) -> list[str]:
    """20 H100 for five weeks, day and night: 16 in nodes of 8, the rest by use."""
    jobs = JOB_HEADER + "".join(job(h, 20, h, h + 1) for h in range(840))
    return [
        "--jobs",
        put("jobs.csv", jobs),
        "--start",
        at(0),
        "--end",
        at(840),
        *PLAIN,
        "--prices",
        put("p.csv", prices),
    ]


@pytest.mark.long
def test_who_gets_what(call, put) -> None:
    said = call("award", *inputs(put))
    document = said.document
    assert said.status == 0
    rows = document["rows"]
    assert [(row["row"], row["gpu_model"], row["node_gpus"], row["term_months"]) for row in rows] == [
        ("O1", "H100", 8, 12),
        ("O2", "H100", 8, 12),
    ]
    assert [row["gpus"] for row in rows] == [8, 8], "20 of which 4 are paid by use"
    lines = [one for row in rows for one in row["awards"]]
    given = {one["offer_id"]: (one["nodes"], one["gpus"], one["liability_usd"]) for one in lines}
    assert given == {"fir": (1, 8.0, 8 * 8760 * 2.4), "oak": (1, 8.0, 8 * (8760 * 2.45 + 350))}
    assert document["totals"] == {
        "asked_gpus": 16, "awarded_gpus": 16, "open_gpus": 0,
        "liability_usd": sum(usd for *_, usd in given.values()), "prepaid_usd": 8 * 350.0,
    }  # fmt: skip
    quotes = {one["offer_id"]: one for one in document["quotes"]}
    oak, elm = quotes["oak"], 2.5 * 8760
    assert oak["saves_usd"] == pytest.approx(8 * (elm - 8760 * 2.45 - 350))
    assert (oak["unknown"], oak["far_from_market"]) == ([], False)
    assert quotes["elm"]["saves_usd"] == 0.0 and quotes["elm"]["offer_gpus"] == 0
    assert quotes["fir"]["worth_signing_usd_per_gpu_hour"] == pytest.approx(
        2.49, abs=0.02
    )  # oak with its upfront
    (of_ash,) = quotes["ash"]["reasons"]
    assert of_ash and quotes["ash"]["far_from_market"]
    assert len(quotes["nobody"]["reasons"]) == 1, "a vendor without a name gets nothing"
    assert "list" not in quotes
    listed = document["benchmarks"]
    assert [(one["row"], one["offer_id"]) for one in listed] == [("O1", "list"), ("O2", "list")]
    assert sum(one["liability_usd"] for one in listed) == pytest.approx(16 * 8760 * 2.6)
    assert quotes["old"]["reasons"] == ["expired on 1 Jan 2026"]
    assert len(quotes["b200"]["reasons"]) == 1
    assert {one["offer_id"] for one in document["considered"]} == set(quotes) - {"b200"}
    assert sum(one["awarded_share"] for one in document["vendors"]) == pytest.approx(1.0)
    assert call("award", *inputs(put)).document == document


@pytest.mark.long
def test_limits_hold(call, put) -> None:
    sound = QUOTES.replace("ash,", "ash-alone,").replace(
        ",0.30,", ",9.00,"
    )  # the plan itself would sign that one
    shared = call("award", *inputs(put, sound), "--set", "max_provider_share=0.6").document
    assert shared["max_provider_share"] == 0.6 and len(shared["vendors"]) > 1
    assert max(one["awarded_share"] for one in shared["vendors"]) <= 0.6
    unpaid = call("award", *inputs(put), "--max-prepaid", "0").document
    assert (unpaid["totals"]["prepaid_usd"], unpaid["totals"]["open_gpus"]) == (0.0, 0)


def test_what_nobody_quotes_is_a_quote_needed(call, put) -> None:
    said = call("award", *inputs(put, HEADER + OD + "elm,Elm Cloud,H100,COMMITTED,12,2.50,,,8,,99.5,24,\n"))
    (row,) = said.document["rows"]
    assert (row["open_gpus"], row["open_reason"], row["awards"]) == (row["gpus"], "quote needed", [])
    assert said.document["totals"]["liability_usd"] == 0.0


@pytest.mark.long
def test_text(call, put) -> None:
    text = call("award", *inputs(put), text=True).out
    assert text.startswith("2 of 2 orders")
    for title in ("Who gets what", "Vendors", "Quotes"):
        assert f"\n{title}\n" in text
    nothing = call("award", *inputs(put, HEADER + OD), text=True)
    assert nothing.status == 0 and "nothing to award" in nothing.out


@pytest.mark.parametrize("wrong", ["-1", "much", "inf"])
def test_an_amount_that_is_none_is_refused(call, put, wrong: str) -> None:
    said = call("award", *inputs(put), "--max-prepaid", wrong)
    assert said.status == 2 and "--max-prepaid" in said.err


def test_a_log_without_jobs_says_so(call, put) -> None:
    said = call("award", "--jobs", put("jobs.csv", JOB_HEADER))
    assert (said.status, said.document["command"], said.document["jobs"]) == (1, "award", None)
