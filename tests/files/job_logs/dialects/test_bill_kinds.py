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
