"""FOCUS cost and usage exports, 1.0 to 1.3, of any provider."""

from collections.abc import Callable
from functools import partial
from typing import Final

from gpuplanner.domain.model.worded import worded
from gpuplanner.files.job_logs.bills.bill_facts import bill_facts
from gpuplanner.files.job_logs.bills.bill_form import BillForm, likeness
from gpuplanner.files.job_logs.bills.bill_rows import bill_jobs

FORMAT: Final = "focus"

FORM: Final = BillForm(
    format=FORMAT,
    title=worded("FOCUS bill"),
    provider=("ProviderName", "ServiceProviderName", "HostProviderName", "Provider", "InvoiceIssuerName"),
    start=("ChargePeriodStart",),
    end=("ChargePeriodEnd",),
    interval=(),
    quantities=(
        (("ConsumedQuantity", "UsageQuantity"), ("ConsumedUnit", "UsageUnit")),
        (("PricingQuantity",), ("PricingUnit",)),
    ),
    products=(
        "x_SkuInstanceType",
        "x_InstanceType",
        "x_UsageType",
        "SkuMeter",
        "x_SkuMeterName",
        "x_SkuMeterCategory",
        "x_SkuDescription",
        "ChargeDescription",
        "ServiceName",
    ),
    details=("SkuPriceDetails", "x_SkuDetails"),
    only={("ChargeCategory", "ChargeType"): frozenset({"usage"})},
    without={
        ("CommitmentDiscountStatus",): frozenset({"unused"}),
        ("CapacityReservationStatus",): frozenset({"unused"}),
    },
    stranded={("CommitmentDiscountStatus",): frozenset({"unused"})},
    stranded_costs=("EffectiveCost",),
    currency=("BillingCurrency",),
    pricing_currency=("PricingCurrency",),
    charge=("ChargeCategory", "ChargeType"),
    pricing=("PricingCategory",),
    commitment=("CommitmentDiscountStatus",),
    service=("ServiceName",),
    region=("RegionId", "Region", "RegionName"),
    account=("SubAccountName", "SubAccountId"),
    resource=("ResourceId",),
    resource_name=("ResourceName",),
    tags=("Tags",),
    line_id=(),
    key=(
        "ResourceId",
        "SkuPriceId",
        "SkuId",
        "ChargeDescription",
        "PricingCategory",
        "CommitmentDiscountId",
        "ChargeClass",
        "SubAccountId",
    ),
    other_dates=("BillingPeriodStart", "BillingPeriodEnd"),
    list_price=("ListUnitPrice",),
)

_NEEDED: Final = (("ChargePeriodStart",), ("BilledCost", "EffectiveCost", "ListCost", "ContractedCost"))
_USUAL: Final = ("ChargePeriodEnd", "BillingPeriodStart", "ChargeCategory", "BilledCost", "EffectiveCost")

rows: Final = partial(bill_jobs, FORM)
facts: Final = partial(bill_facts, FORM)
sniff: Final[Callable[[str], float]] = partial(
    likeness, needed=_NEEDED, usual=_USUAL, never=("ContractCommitmentId",)
)
"""Files of contract commitments share columns with bills, and are none."""
