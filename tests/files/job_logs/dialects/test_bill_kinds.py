"""What each row of a bill is for: by its service, else by what was used of it."""

import pytest

from gpuplanner.domain.model.intake import BILLED, LEFT_OUT

HEAD = (
    "ProviderName,ServiceName,ServiceCategory,ChargeCategory,ChargeDescription,ChargePeriodStart,ChargePeriodEnd,"
    "BillingPeriodStart,ConsumedQuantity,ConsumedUnit,BilledCost,EffectiveCost,BillingCurrency,ResourceId\n"
)
GPUS = ("Amazon Elastic Compute Cloud", "Compute", "Usage", "$2.50 per p5.48xlarge instance hour", 100_000)
HIDDEN = (
    GPUS,
    ("Amazon Elastic Compute Cloud", "Compute", "Usage", "$0.2 per m5.xlarge instance hour", 900),
    ("Amazon Simple Storage Service", "Storage", "Usage", "$0.023 per GB", 9_000),
    ("Amazon Elastic Compute Cloud", "Compute", "Usage", "USE1-EBS:VolumeUsage.gp3", 3_000),
    ("Amazon Virtual Private Cloud", "Networking", "Usage", "NatGateway-Hours", 6_000),
    ("AWS Support (Business)", "Management", "Purchase", "a month", 5_000),
    ("Amazon Simple Storage Service", "Storage", "Usage", "USE1-DataTransfer-Out-Bytes", 4_000),
    ("Amazon Simple Storage Service", "Storage", "Tax", "VAT", 50),
)


def bill(*rows):
    span = "2026-01-01T00:00:00Z,2026-02-01T00:00:00Z,2026-01-01T00:00:00Z"
    return HEAD + "".join(
        f"AWS,{service},{category},{charge},{words},{span},744,Hours,{usd},{usd},USD,r{at}\n"
        for at, (service, category, charge, words, usd) in enumerate(rows)
    )


def facts_of(read_log, *rows):
    (file,) = read_log(bill(*rows)).intake
    return dict(file.facts)


def test_the_share_of_the_issue(read_log):
    facts = facts_of(read_log, *HIDDEN)
    assert facts[BILLED] == {
        "USD": {"gpu": 100_000, "storage": 12_000, "network": 6_000, "support": 5_000, "egress": 4_000}
    }
    assert facts[LEFT_OUT] == ["Amazon Elastic Compute Cloud", "tax"]


@pytest.mark.parametrize(
    ("service", "words", "kind"),
    [
        ("AWSDataTransfer", "USE1-DataTransfer-Regional-Bytes", "network"),
        ("Bandwidth", "Standard Data Transfer Out", "egress"),
        ("Bandwidth", "Inter-Zone egress", "egress"),
        ("AmazonS3", "Requests-Tier1", "storage"),
        ("BLOCK_STORAGE", "Block Volume - Performance Units", "storage"),
        ("Load Balancer", "Standard included rules", "network"),
        ("AWSSupportBusiness", "7% of monthly usage", "support"),
        ("Amazon Athena", "bytes scanned", None),
    ],
)
def test_a_row_is_of_one_kind(read_log, service, words, kind):
    facts = facts_of(read_log, GPUS, (service, "", "Usage", words, 7))
    assert facts[BILLED]["USD"] == {"gpu": 100_000} | ({kind: 7} if kind else {})
    assert facts[LEFT_OUT] == ([] if kind else [service])


def total(usd, name="Total", start=""):
    return f"{name},,,,,{start},,,,,{usd},{usd},,\n"


def figures(file):
    return [
        (one.quantity, one.subject, one.stated, round(one.read, 2), one.agrees) for one in file.reconciliation
    ]


def warned(file):
    return [str(issue.message) for issue in file.issues if issue.code == "totals_disagree"]


def test_totals_are_compared_and_never_costs(read_log):
    rows = (GPUS, ("Amazon Simple Storage Service", "Storage", "Usage", "$0.023 per GB", 9_000))
    log = read_log(bill(*rows) + total("109,000.00".replace(",", "")))
    (file,) = log.intake
    assert dict(file.facts)[BILLED] == {"USD": {"gpu": 100_000, "storage": 9_000}}
    assert figures(file) == [("usd_total", "file", 109_000, 109_000, True)]
    assert (file.rows_accepted, file.rows_ignored, file.rows_rejected, warned(file)) == (1, 2, 0, [])


@pytest.mark.parametrize("name", ["Grand total", "Summe", "Sous-total", ""])
def test_a_total_that_is_another_is_a_warning(read_log, name):
    (file,) = read_log(bill(GPUS) + total(120_000, name)).intake
    assert figures(file) == [("usd_total", "file", 120_000, 100_000, False)]
    assert "total: $120,000 in total stated, $100,000 in total read; check these rows" in warned(file)[0]


def test_subtotals_are_of_the_rows_above_or_of_those_they_name(read_log):
    s3 = ("Amazon Simple Storage Service", "Storage", "Usage", "$0.023 per GB", 9_000)
    lines = bill(GPUS, s3).splitlines(keepends=True)
    parts = (
        *lines[:2],
        total(100_000, "Subtotal"),
        lines[2],
        total(9_000, "Amazon Simple Storage Service Total"),
    )
    (file,) = read_log("".join((*parts, total(109_000, start="2026-01-01T00:00:00Z")))).intake
    assert [row[1:] for row in figures(file)] == [
        ("group", 100_000, 100_000, True),
        ("group", 9_000, 9_000, True),
        ("file", 109_000, 109_000, True),
    ]


PRICED = "Date,MeterCategory,MeterName,MeterId,Quantity,UnitOfMeasure,EffectivePrice,CostInBillingCurrency,ResourceId\n"


def azure(*costs, rate=98.32):
    return PRICED + "".join(
        f"01/{at:02}/2025,Virtual Machines,Standard_ND96isr_H100_v5,m1,10,1 Hour,{rate},{cost},vm{at}\n"
        for at, cost in enumerate(costs, 13)
    )


def test_a_charge_that_is_not_its_quantity_by_its_rate_is_named(read_log):
    (file,) = read_log(azure(983.20, 983.20, 1983.20)).intake
    assert figures(file) == [("usd_total", "row 4", 1983.20, 983.20, False)]
    assert "row 4: $1,983 in total stated, $983 in total read" in warned(file)[0]
    assert figures(read_log(azure(983.20, 983.21)).intake[0]) == [
        ("usd_total", "group", 1966.41, 1966.4, True)
    ]


def test_another_rate_than_that_of_the_charges_is_compared_with_nothing(read_log):
    assert figures(read_log(azure(983.20, 983.20, rate=120)).intake[0]) == []
