"""After a log alone, or with prices for a part: what is not known is null and said, never 0, never 100%."""

import pytest

from tests.cli.test_plan import JOB_HEADER, OFFER_HEADER, PLAIN, at, job

CONTRACTS = """contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,term_months
one,a,H100,1,1.3337,2025-06-01,2027-03-01,COMMITTED,21
two,a,H100,1,,2025-06-01,2027-03-01,COMMITTED,21
"""
OFFERS = "od,H100,STANDARD,0,4.4441,,,\n"
OTHER_OFFERS = "od,L4,STANDARD,0,4.4441,,,\n"


@pytest.fixture
def inputs(put) -> list[str]:
    rows = [job(number, 1 + number % 7, hour, hour + 1) for number, hour in enumerate(range(400))]
    jobs = put("jobs.csv", JOB_HEADER + "".join(rows))
    return ["--jobs", jobs, "--start", at(0), "--end", at(400), *PLAIN]


def test_a_log_alone_has_no_total(call, inputs: list[str]) -> None:
    totals = call("plan", *inputs).document["totals"]
    assert totals.pop("gpus_to_sign") == []  # nobody sells anything, so that nothing is to be signed
    assert {name: value for name, value in totals.items() if value is not None} == {}


def test_a_log_alone_has_no_zeros_in_the_terminal(call, inputs: list[str]) -> None:
    said = call("plan", *inputs, text=True).out
    clusters = said.split("\nClusters\n", 1)[1].splitlines()
    assert clusters[1].split() == ["a", "1,597", *clusters[1].split()[2:]]
    assert said.split("\nContracts\n", 1)[1].splitlines()[0].strip()  # a line that says why, and no table
    assert "14 rows" in said.split("\nUse by hour of the week, UTC\n", 1)[1].splitlines()[0]
    assert "--prices builtin" in said and "No price" in said
    money = said.split("\nThe plan ($ per month)\n", 1)[1].split("\n\n", 1)[0].splitlines()
    assert all(line.endswith("\u2014") for line in money[1:] if line.startswith("  ") and ":" not in line)


@pytest.mark.long
def test_offers_of_another_model_price_nothing(call, put, inputs: list[str]) -> None:
    prices = put("prices.csv", OFFER_HEADER + OTHER_OFFERS)
    totals = call("plan", *inputs, "--prices", prices).document["totals"]
    assert totals["effective_utilization_plan"] is None and totals["unused_plan_usd_per_month"] is None


@pytest.mark.long
def test_prices_make_the_plan_known_without_contracts(call, put, inputs: list[str]) -> None:
    totals = call("plan", *inputs, "--prices", put("prices.csv", OFFER_HEADER + OFFERS)).document["totals"]
    assert totals["plan_usd_per_month"] == pytest.approx(totals["current_usd_per_month"])
    assert totals["unused_plan_usd_per_month"] == 0
    assert totals["unused_now_usd_per_month"] == 0  # all of today is on demand, and has a price
    assert totals["effective_utilization_now"] is None


@pytest.mark.long
def test_what_is_known_of_a_sum_is_said_in_the_terminal_and_null_in_json(
    call, put, inputs: list[str]
) -> None:
    words = [*inputs, "--contracts", put("contracts.csv", CONTRACTS)]
    words += ["--prices", put("prices.csv", OFFER_HEADER + OFFERS)]
    assert call("plan", *words).document["totals"]["current_usd_per_month"] is None
    said = call("plan", *words, text=True).out
    why = [line.split() for line in said.splitlines() if "(1 of 3 " in line]
    assert ["Spend", "today:"] in [words[:2] for words in why] and all("two" in words for words in why)
    spend = next(line for line in said.splitlines() if line.startswith("  Spend today "))
    assert "at least" in spend and int(spend.split()[-1].replace(",", "")) > 730


def test_an_audit_of_a_log_alone_is_an_answer(call, inputs: list[str]) -> None:
    said = call("audit", *inputs)
    document = said.document
    assert (said.status, said.err) == (0, "")
    assert document["jobs"]["peak_gpus"] == 7 and document["jobs"]["gpu_hours"] == 1597
    (cluster,) = document["clusters"]
    assert cluster["training_hours"] + cluster["non_training_hours"] == 400
    unknown = {"capacity_gpu_hours", "used_gpu_hours", "utilization", "paid_usd", "cost_usd_per_month"}
    assert {name: cluster[name] for name in unknown} == dict.fromkeys(unknown)
    for amounts in (document["bridge"], cluster["bridge"], cluster["stranded"]):
        assert not any(amount is not None for amount in amounts.values())
    assert document["variance"]["change_usd_per_month"] is None
    assert {row["direct_usd"] for row in document["chargeback"]} == {None}
    (check,) = (row for row in document["checks"] if row["code"] == "no_contracts")
    assert check["severity"] == "info"


def test_an_audit_of_a_log_alone_says_what_ran(call, inputs: list[str]) -> None:
    head = call("audit", *inputs, text=True).out.splitlines()[2:5]
    assert head[0].split()[:2] == ["Demand", "1,597"]
    assert head[1].split()[:2] == ["Peak", "7"]
    assert head[2].split()[:2] == ["Spend", "\u2014"]


@pytest.mark.long
def test_prices_make_chargeback_known_without_contracts(call, put, inputs: list[str]) -> None:
    prices = put("prices.csv", OFFER_HEADER + OFFERS)
    (team,) = call("audit", *inputs, "--prices", prices).document["chargeback"]
    assert (team["direct_usd"], team["idle_usd"]) == (0, 0)
    assert team["total_usd"] == team["overflow_usd"] == pytest.approx(1597 * 4.4441)
