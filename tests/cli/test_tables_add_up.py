"""Tables of the terminal: what a reader adds up makes the total that stands there, in the window's own words."""

from types import SimpleNamespace

import pytest

from gpuplanner.cli.audit_tables import WORKLOADS_SHOWN, fit_text
from gpuplanner.cli.tables import gpu_hours_column
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.tables import Pool
from tests.cli.test_plan import JOB_HEADER, OFFER_HEADER, PLAIN, at, job

CONTRACTS = """contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,term_months
one,a,H100,1,1.3337,2025-06-01,2026-03-01,COMMITTED,9
two,a,H100,1,1.7779,2025-06-01,2026-03-01,COMMITTED,9
"""
OFFERS = "od,H100,STANDARD,0,4.4441,,,\ny,H100,COMMITTED,12,2.1113,,,\n"


@pytest.fixture
def inputs(put) -> list[str]:
    jobs = [job(number, 1 + number % 7, hour, hour + 1) for number, hour in enumerate(range(400))]
    jobs += [job(1000 + hour, 1, hour, hour + 2, "training") for hour in range(0, 400, 3)]
    words = ["--jobs", put("jobs.csv", JOB_HEADER + "".join(jobs))]
    return [
        *words,
        "--contracts",
        put("contracts.csv", CONTRACTS),
        "--start",
        at(0),
        "--end",
        at(400),
        *PLAIN,
    ]


def section(text: str, heading: str) -> list[str]:
    lines = text.split(f"\n{heading}\n", 1)[1].split("\n\n", 1)[0].splitlines()
    return lines[1:]


def last(line: str) -> int:
    return int(line.rsplit(maxsplit=1)[-1].replace(",", ""))


@pytest.mark.long
def test_layers_and_what_stands_idle_add_up_to_the_plan(call, put, inputs: list[str]) -> None:
    said = call("plan", *inputs, "--prices", put("prices.csv", OFFER_HEADER + OFFERS), text=True)
    *layers, plan, _note = section(said.out, "Layers")
    assert len(layers) > 3 and plan.split()[:2] == ["The", "plan"]
    assert sum(map(last, layers)) == last(plan)


def test_what_is_paid_and_what_overflows_add_up_to_the_spend(call, put, inputs: list[str]) -> None:
    said = call("plan", *inputs, "--prices", put("prices.csv", OFFER_HEADER + OFFERS), text=True)
    spend, paid, overflow, *_ = section(said.out, "The plan ($ per month)")
    assert spend.startswith("  Spend today") and last(overflow) > 0
    assert last(paid) + last(overflow) == last(spend)


def test_verdicts_and_orders_are_in_words(call, put, inputs: list[str]) -> None:
    said = call("plan", *inputs, "--prices", put("prices.csv", OFFER_HEADER + OFFERS), text=True)
    assert "let_expire" not in said.out and "contract_end " not in said.out
    assert "let expire" in said.out or "contract ends" in said.out


@pytest.mark.long
def test_without_a_rate_nobody_says_that_overflow_is_priced(call, put, inputs: list[str]) -> None:
    without = call("audit", *inputs, text=True).out
    with_rates = call("audit", *inputs, "--prices", put("p.csv", OFFER_HEADER + OFFERS), text=True).out
    (priced,) = [line for line in with_rates.splitlines() if " contention: " in line]
    (unpriced,) = [line for line in without.splitlines() if " contention: " in line]
    assert "unknown" not in priced and "unknown" in unpriced


def test_gpu_hours_of_a_column_add_up_to_its_total() -> None:
    assert gpu_hours_column([100.4, 100.4, 100.4]) == ["101", "100", "100", "301"]


def test_gpu_hours_of_a_few_jobs_are_not_nought() -> None:
    assert gpu_hours_column([0.4247, 0.4106]) == ["0.4247", "0.4106", "0.8353"]


def test_a_table_of_traffic_has_a_kind_and_no_comma_after_it(call, put) -> None:
    said = call(
        "check", put("t.csv", "time,input_tokens,output_tokens\n2026-01-01T00:00:00Z,5,7\n"), text=True
    ).out
    assert "traffic" in said and "traffic," not in said


def test_what_fits_at_a_cost_is_not_counted_as_what_does_not_fit() -> None:
    lights = [Light.RED] * 2 + [Light.AMBER] * (WORKLOADS_SHOWN + 1) + [Light.GREEN] * 3 + [None]
    fit = [
        SimpleNamespace(key=str(at), light=light, pool=Pool.BURST, reasons="why")
        for at, light in enumerate(lights)
    ]
    named = [SimpleNamespace(key=one.key, name=one.key, usd_per_month=1.0) for one in fit]
    told = SimpleNamespace(
        fit=fit, audit=SimpleNamespace(workloads=named), project=SimpleNamespace(workloads=named)
    )
    said = fit_text(told)
    assert all(count in said for count in ("(2 ", " 21 ", " 3 ", " 1 "))
    assert said.splitlines()[-1].strip().startswith("3 more ")
