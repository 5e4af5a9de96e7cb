"""Money has a currency: quoted amounts count at stated rates, JSON is in US dollars, text in the project's money."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from gpuplanner.domain.model.book.exchange import in_money
from tests.cli.test_plan import JOB_HEADER, PLAIN, at, job
from tests.some_of import some_of

OFFERS = (("od", "STANDARD", 0, "6.4"), ("y", "COMMITTED", 12, "2.8"), ("m", "COMMITTED", 1, "4"))
FX = ("--fx", "EUR=1.25@2026-10-01")
IN_EURO = ("--set", "reporting_currency=EUR")


def contracts(currency: str, rate: str = "3.2") -> str:
    head = "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,currency\n"
    return head + f"c1,a,H100,3,{rate},{at(0)},{at(9000)},COMMITTED,{currency}\n"


def prices(currency: str, factor: float = 1) -> str:
    head = "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,currency,as_of\n"
    return head + "".join(
        f"{name},H100,{kind},{term},{float(rate) * factor:g},{currency},2026-09-01\n"
        for name, kind, term, rate in OFFERS
    )


def inputs(put, contract_text: str, price_text: str) -> list[str]:
    demand = [2 + hour % 5 for hour in range(800)]
    jobs = JOB_HEADER + "".join(job(h, gpus, h, h + 1) for h, gpus in enumerate(demand))
    files = ["--jobs", put("jobs.csv", jobs), "--contracts", put("contracts.csv", contract_text)]
    return [*files, "--prices", put("prices.csv", price_text), "--start", at(0), "--end", at(800), *PLAIN]


def amounts(document: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of a field named in US dollars, with where it stands."""
    if isinstance(document, dict):
        for name, value in document.items():
            if re.search(r"(^|_)usd(_|$)", name) and not isinstance(value, dict | list):
                yield f"{path}.{name}", value
            yield from amounts(value, f"{path}.{name}")
    elif isinstance(document, list):
        for at_, value in enumerate(document):
            yield from amounts(value, f"{path}[{at_}]")


def but_intake(document: Any) -> Any:
    return {name: value for name, value in document.items() if name not in ("intake", "currency")}


@pytest.mark.long
def test_a_quoted_rate_counts_at_the_stated_rate_of_exchange(call, put) -> None:
    dollars = call("plan", *inputs(put, contracts("", "4"), prices("", 1.25))).document
    euros = call("plan", *inputs(put, contracts("EUR"), prices("EUR")), *FX).document
    assert but_intake(euros) == but_intake(dollars)
    assert "currency" not in euros and dollars["totals"]["plan_usd_per_month"] > 0
    codes = {issue["code"] for file in euros["intake"]["files"] for issue in file["issues"]}
    assert "other_currency" in codes


@pytest.mark.long
def test_json_is_in_us_dollars_whatever_is_reported_in(call, put) -> None:
    words = inputs(put, contracts("EUR"), prices(""))
    said = call("plan", *words, *FX).document
    reported = call("plan", *words, *FX, *IN_EURO).document
    assert reported["currency"] == {"code": "EUR", "usd_rate": 1.25, "as_of": "2026-10-01"}
    assert but_intake(reported) == but_intake(said)
    assert list(reported)[:4] == ["schema", "command", "version", "currency"]


@pytest.mark.long
def test_text_is_in_the_reporting_currency_with_its_sign(call, put) -> None:
    dollars = call("plan", *inputs(put, contracts(""), prices("")), text=True).out
    euros = call("plan", *inputs(put, contracts("EUR"), prices("EUR")), *IN_EURO, text=True).out
    assert euros == in_money(dollars, "EUR") and "€" in euros and "$" not in euros
    francs = call(
        "plan", *inputs(put, contracts("CHF"), prices("CHF")), "--set", "reporting_currency=chf", text=True
    )
    assert "CHF per month" in francs.out and "$" not in francs.out
    converted = call("plan", *inputs(put, contracts("", "4"), prices("", 1.25)), *FX, *IN_EURO, text=True).out
    (exchange,) = set(converted.splitlines()) - set(euros.splitlines())
    assert exchange.startswith("Exchange ") and converted.replace(exchange + "\n", "") == euros


@pytest.mark.long
def test_a_project_keeps_its_currency_and_its_rates_and_gives_the_same_dollars(call, put, tmp_path) -> None:
    words, project = inputs(put, contracts("EUR"), prices("")), str(tmp_path / "p.gpuplan")
    once = call("export", *words, *FX, *IN_EURO, "--project", project).document
    there = call("plan", project).document
    assert there["currency"] == once["currency"]
    back = call("plan", project, "--set", "reporting_currency=USD").document
    said = call("plan", *words, *FX).document
    asked = (
        said.pop("horizons"),
        there.pop("horizons"),
        back.pop("horizons"),
    )  # --set asks of the plan without it
    for one in (said, there, back):  # by the single jobs, which the project has not
        one.pop("series")
    assert [one["plan_usd"] for one in asked[0]] == [one["plan_usd"] for one in asked[1]]
    assert asked[1] == asked[2]
    assert "currency" not in back and but_intake(there) == but_intake(back) == but_intake(said)


@pytest.mark.long
@pytest.mark.parametrize("reported", some_of([(IN_EURO,), ((),)], quick=1))
def test_an_unknown_rate_is_unknown_everywhere_and_never_0(call, put, reported) -> None:
    words = inputs(put, contracts("EUR"), prices("EUR"))
    document = call("plan", *words, *reported).document
    quotes = prices("").replace(",6.4,", ",,").replace(",2.8,", ",,").replace(",4,", ",,")
    unpriced = call("plan", *inputs(put, contracts("", ""), quotes)).document
    assert dict(amounts(but_intake(document))) == dict(amounts(but_intake(unpriced)))
    totals = document["totals"]
    assert totals["current_usd_per_month"] is totals["plan_usd_per_month"] is None
    (said,) = (
        c["message"] for c in document["checks"] if (c["code"], c["subject"]) == ("quote_needed", "c1")
    )
    assert "EUR" in said and "--fx EUR=" in said
    if reported:
        assert document["currency"] == {"code": "EUR", "usd_rate": None, "as_of": None}


@pytest.mark.long
def test_an_amount_of_a_setting_is_in_us_dollars(call, put) -> None:
    words = inputs(put, contracts("EUR"), prices("EUR"))
    budget = ("--set", "budget_usd_per_month=9000")
    said = call("plan", *words, *FX, *budget).document
    assert but_intake(call("plan", *words, *FX, *budget, *IN_EURO).document) == but_intake(said)
    assert said["totals"]["plan_usd_per_month"] <= 9000
    refused = call("plan", *words, *IN_EURO, *budget, text=True)
    assert refused.status == 2 and "--fx EUR=" in refused.err


@pytest.mark.parametrize(
    "words",
    some_of(
        [
            (("--fx", "EUR"),),
            (("--fx", "EUR=1.08"),),
            (("--fx", "EUR=0@2026-10-01"),),
            (("--fx", "EUR=one@2026-10-01"),),
            (("--fx", "EUR=1.08@October"),),
            (("--fx", "USD=1@2026-10-01"),),
            (("--fx", "E=1@2026-10-01"),),
            (("--set", "reporting_currency=euro"),),
        ],
        quick=1,
    ),
)
def test_words_that_are_off_are_usage_errors(call, put, words) -> None:
    said = call("plan", *inputs(put, contracts(""), prices("")), *words)
    assert said.status == 2 and said.err.startswith("gpuplanner: usage: ") and words[0][2:] in said.err


@pytest.mark.long
def test_of_two_days_of_a_rate_the_later_counts(call, put) -> None:
    words = inputs(put, contracts("EUR"), prices("EUR"))
    once = call("plan", *words, *FX).document
    twice = call("plan", *words, *FX, "--fx", "EUR=2@2026-01-01").document
    assert but_intake(once) == but_intake(twice)


@pytest.mark.long
def test_the_rates_that_amounts_count_at_are_said_in_the_text(call, put) -> None:
    words = inputs(put, contracts("EUR"), prices("USD"))
    for command in ("audit", "plan"):
        text = call(command, *words, *FX, text=True).out
        (line,) = [line for line in text.splitlines() if line.startswith("Exchange ")]
        assert all(part in line for part in ("1 EUR", "1.25 USD", "2026-10-01"))
    plain = inputs(put, contracts("USD"), prices("USD"))
    assert "Exchange" not in call("audit", *plain, text=True).out
