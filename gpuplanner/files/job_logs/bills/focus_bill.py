"""FOCUS cost and usage exports, 1.0 to 1.3, of any provider."""

from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.bills.bill_facts import bill_dialect
from gpuplanner.files.job_logs.bills.bill_form import BillForm

FORM: Final = BillForm(
    format="focus",
    title=worded("FOCUS bill"),
    provider=("ProviderName", "ServiceProviderName", "HostProviderName", "Provider", "InvoiceIssuerName"),
    start=("ChargePeriodStart",),
    end=("ChargePeriodEnd",),
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
    needed=(("ChargePeriodStart",), ("BilledCost", "EffectiveCost", "ListCost", "ContractedCost")),
    usual=("ChargePeriodEnd", "BillingPeriodStart", "ChargeCategory", "BilledCost", "EffectiveCost"),
    never=("ContractCommitmentId",),  # of contract commitments, which share columns with bills
)

DIALECT: Final = bill_dialect(FORM)
