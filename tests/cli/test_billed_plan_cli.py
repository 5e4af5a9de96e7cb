"""A bill on the command line: what it charges is today's spend, whatever a price list says."""

from datetime import date, timedelta
from typing import Any

import pytest

HEAD = (
    "ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ChargeDescription,ConsumedQuantity,ConsumedUnit,BilledCost,"
    "EffectiveCost,BillingCurrency,BillingPeriodStart,RegionId,ResourceId,PricingCategory\n"
)
PRICES = "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\nod,AWS,H100,STANDARD,,6.88\n"


@pytest.fixture
def bill(put: Any) -> str:
    """60 days of a machine with 8 H100 at $40 an hour, as daily lines; on each day $10 of storage and $5 of tax."""
    lines = []
    for day in range(60):
        start, end = (f"{date(2026, 8, 1) + timedelta(days=day + more)}T00:00:00Z" for more in (0, 1))
        rest = "USD,2026-08-01T00:00:00Z,us-east-1"
        lines += [
            f"{start},{end},Usage,p5.48xlarge instance-hour,24,Hours,960,960,{rest},i-1,Standard\n",
            f"{start},{end},Usage,EBS:VolumeUsage.gp3,1,GB-Mo,10,10,{rest},v-1,Standard\n",
            f"{start},{end},Tax,VAT,,,5,5,{rest},,\n",
        ]
    return str(put("bill.csv", HEAD + "".join(lines)))


@pytest.mark.long
def test_todays_spend_is_what_the_bill_charges(call: Any, put: Any, bill: str) -> None:
    said = call("plan", "--jobs", bill, "--prices", str(put("prices.csv", PRICES)))
    totals, (cluster,) = said.document["totals"], said.document["clusters"]
    assert totals["current_usd_per_month"] == pytest.approx(29_200)
    assert cluster["paid_usd"] == pytest.approx(57_600)
    assert (cluster["overflow_gpu_hours"], cluster["unallocated_usd"]) == (0, 0)
    assert totals["savings_usd_per_month"] == pytest.approx(
        totals["current_usd_per_month"] - totals["plan_usd_per_month"]
    )
    hidden = said.document["hidden_share"]
    assert (hidden["gpu_usd"], hidden["storage_usd"], hidden["left_out"]) == (57_600, 600, ["tax"])
    (team,) = said.document["chargeback"]
    assert team["total_usd"] == pytest.approx(57_600)


def test_a_bill_tells_the_spend_without_a_price_list(call: Any, bill: str) -> None:
    document = call("audit", "--jobs", bill).document
    assert document["clusters"][0]["paid_usd"] == pytest.approx(57_600)
    assert "no_contracts" not in {check["code"] for check in document["checks"]}
