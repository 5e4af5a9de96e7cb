"""What a bill charges for GPUs against a loop over its lines: by cluster, GPU model and way to pay; what is unread."""

import random
from collections import Counter
from datetime import UTC, datetime

import pytest

from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.job_logs.dialects.bill_purposes import UNREAD
from tests.some_of import some_of

HEAD = (
    "ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ChargeDescription,ConsumedQuantity,ConsumedUnit,BilledCost,"
    "EffectiveCost,BillingCurrency,BillingPeriodStart,RegionId,ResourceId,PricingCategory,CommitmentDiscountStatus\n"
)
FIRST_S = 1_785_542_400  # 1 August 2026
ON_DEMAND, COMMITTED, SPOT = PricingCategory.STANDARD, PricingCategory.COMMITTED, PricingCategory.DYNAMIC
WAYS = {ON_DEMAND: ("Standard", ""), COMMITTED: ("Committed", "Used"), SPOT: ("Dynamic", "")}
MODELS = {"p5.48xlarge": ("H100", 8), "g5.xlarge": ("A10G", 1)}
REGIONS = ("us-east-1", "eu-west-1")


def iso(second):
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def line(start_s, end_s, charge, words, quantity, usd, region, name, pricing="", status="", unit="Hours"):
    return (
        f"{iso(start_s)},{iso(end_s)},{charge},{words},{quantity},{unit},{usd},{usd},USD,2026-08-01T00:00:00Z,"
        f"{region},{name},{pricing},{status}\n"
    )


def random_bill(seed):
    """Lines of a bill of three days, and by region, model and way what it charges and the GPU-hours."""
    rng, lines = random.Random(seed), []
    usd, gpu_hours = Counter(), Counter()
    for number in range(40):
        machine, region = rng.choice(list(MODELS)), rng.choice(REGIONS)
        (model, gpus), way = MODELS[machine], rng.choice(list(WAYS))
        length_s = rng.choice((3600, 3600, 7200, 86_400))
        start_s = FIRST_S + length_s * rng.randrange(3 * 86_400 // length_s)
        hours, cost = rng.randint(1, length_s // 3600), rng.randint(0, 400) / 8
        given = (machine, hours, cost, region, f"i-{number}", *WAYS[way])
        lines.append(line(start_s, start_s + length_s, "Usage", *given))
        usd[region, model, way] += cost
        gpu_hours[region, model, way] += hours * gpus
    used = sorted(key for key, cost in usd.items() if cost)
    days = (FIRST_S, FIRST_S + 3 * 86_400)
    for number in range(6):  # what stands beside use: in whole of those of its model and way
        region, model, way = rng.choice(used)
        machine, cost = next(name for name, of in MODELS.items() if of[0] == model), rng.randint(-40, -1) / 8
        given = (machine, -1, cost, region, f"c-{number}", *WAYS[way])
        lines.append(line(*days, "Usage", *given))
        usd[region, model, way] += cost
        lines.append(line(*days, "Tax", "VAT", "", 7, region, f"t-{number}"))
        lines.append(line(*days, "Usage", "EBS:VolumeUsage.gp3", 9, 3, region, f"v-{number}", unit="GB"))
    rng.shuffle(lines)
    return HEAD + "".join(lines), usd, gpu_hours


def found(read):
    usd, gpu_hours = Counter(), Counter()
    for use in read.jobs.billed:
        key = use.cluster, use.gpu_model, use.pricing_category
        usd[key] += use.amount
        gpu_hours[key] += use.milli_gpu_seconds / 3_600_000
    return usd, gpu_hours


@pytest.mark.parametrize("seed", some_of(range(6), quick=2))
def test_lines_for_gpus_are_what_a_bill_charges_to_the_cent(read_log, seed):
    text, usd, gpu_hours = random_bill(seed)
    of_bill, hours_of_bill = found(read_log(text))
    assert of_bill == pytest.approx(usd, abs=0.005)
    assert hours_of_bill == pytest.approx(gpu_hours, rel=1e-5)  # runs are in thousandths of a GPU


def test_unused_commitments_and_credits_are_shared_among_the_lines_they_are_for(read_log):
    day = (FIRST_S, FIRST_S + 86_400)
    text = HEAD + "".join(
        (
            line(*day, "Usage", "p5.48xlarge", 24, 100, "r", "a", "Standard"),
            line(*day, "Usage", "p5.48xlarge", 24, 60, "r", "b", "Committed", "Used"),
            line(*day, "Usage", "p5.48xlarge", "", 12, "r", "sp", "Committed", "Unused"),
            line(*day, "Credit", "p5.48xlarge", "", -16, "r", ""),
            line(*day, "Credit", "for anything", "", -5, "r", ""),
        )
    )
    of_bill, _ = found(read_log(text))
    assert of_bill == pytest.approx({("r", "H100", ON_DEMAND): 90, ("r", "H100", COMMITTED): 66})


def test_of_an_unused_month_the_part_counts_in_which_there_is_use(read_log):
    text = HEAD + "".join(
        (
            line(FIRST_S, FIRST_S + 3 * 86_400, "Usage", "g5.xlarge", 72, 30, "r", "b", "Committed", "Used"),
            line(
                FIRST_S, FIRST_S + 30 * 86_400, "Usage", "g5.xlarge", "", 50, "r", "sp", "Committed", "Unused"
            ),
        )
    )
    of_bill, _ = found(read_log(text))
    assert of_bill == pytest.approx({("r", "A10G", COMMITTED): 35})


def test_rates_of_every_hour_are_kept(read_log):
    """Ten hours at $8 a machine-hour, then ten at $16: $1 and $2 a GPU-hour."""
    hours = [(FIRST_S + 3600 * at, FIRST_S + 3600 * (at + 1)) for at in range(20)]
    text = HEAD + "".join(
        line(*hour, "Usage", "p5.48xlarge", 1, 8 if at < 10 else 16, "r", "a", "Standard")
        for at, hour in enumerate(hours)
    )
    uses = read_log(text).jobs.billed
    each = 8 * 3_600_000
    assert [(use.amount, use.spans, use.is_daily) for use in uses] == [
        (80.0, ((FIRST_S, 10, each),), False),
        (160.0, ((FIRST_S + 36_000, 10, each),), False),
    ]


@pytest.mark.parametrize(
    ("words", "unit", "is_unread"),
    [
        ("gd-8xh100ib-i128", "Hours", True),
        ("p99.48xlarge", "Hours", True),
        ("NVIDIA H100 node", "Sessions", True),
        ("m7i.xlarge", "Hours", False),
        ("t4g.small", "Hours", False),
        ("NVIDIA driver license H100", "Hours", False),
    ],
)
def test_charges_that_name_gpus_and_are_not_read_are_told_with_their_dollars(
    read_log, words, unit, is_unread
):
    day = (FIRST_S, FIRST_S + 86_400)
    text = HEAD + "".join(
        (
            line(*day, "Usage", "p5.48xlarge", 24, 100, "r", "a", "Standard"),
            line(*day, "Usage", words, 24, 400, "r", "b", "Standard", unit=unit),
        )
    )
    (file,) = read_log(text).intake
    issues = {issue.code: issue for issue in file.issues}
    assert (UNREAD in issues) == is_unread
    if is_unread:
        assert (issues[UNREAD].count, issues[UNREAD].first_row) == (1, 3)
        assert "400.00 USD" in str(issues[UNREAD].message)


def test_no_gpu_usage_is_said_only_where_every_line_was_understood(read_log):
    day = (FIRST_S, FIRST_S + 86_400)
    codes = []
    for words in ("gd-8xh100ib-i128", "m7i.xlarge"):
        (file,) = read_log(HEAD + line(*day, "Usage", words, 24, 400, "r", "b", "Standard")).intake
        codes.append({issue.code for issue in file.issues} & {UNREAD, "no_gpus"})
    assert codes == [{UNREAD}, {"no_gpus"}]
