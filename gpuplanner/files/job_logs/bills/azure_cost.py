"""Azure cost and usage details: Enterprise Agreement, Customer Agreement, pay as you go, old and new."""

from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.bills.bill_facts import bill_dialect
from gpuplanner.files.job_logs.bills.bill_form import BillForm

_UNUSED: Final = frozenset({"unusedreservation", "unusedsavingsplan"})

FORM: Final = BillForm(
    format="azure",
    title=worded("Azure cost details export"),
    provider=("Provider",),
    provider_name="Azure",
    start=("Date", "UsageDateTime", "UsageDate", "Usage Date Time"),
    end=(),
    is_daily=True,
    quantities=(
        (("Quantity", "UsageQuantity", "Consumed Quantity", "Usage Quantity"), ("UnitOfMeasure", "Unit")),
    ),
    products=("MeterName", "ProductName", "Product", "MeterSubCategory", "MeterCategory"),
    details=("AdditionalInfo",),
    only={("ChargeType",): frozenset({"usage", ""})},
    stranded={("ChargeType",): _UNUSED},
    stranded_costs=("CostInBillingCurrency", "Cost", "PreTaxCost", "ExtendedCost"),
    currency=("BillingCurrencyCode", "BillingCurrency", "Currency"),
    pricing_currency=("PricingCurrency", "PricingCurrencyCode"),
    charge=("ChargeType",),
    pricing=("PricingModel",),
    service=("MeterCategory",),
    region=("ResourceLocation", "Location", "ResourceLocationNormalized", "MeterRegion"),
    account=("SubscriptionName", "SubscriptionId", "SubscriptionGuid"),
    resource=("ResourceId", "InstanceId", "InstanceName"),
    resource_name=("ResourceName",),
    tags=("Tags",),
    key=("ResourceId", "InstanceId", "MeterId", "ChargeType", "PricingModel", "ReservationId", "benefitId"),
    other_dates=(
        "BillingPeriodStartDate",
        "BillingPeriodEndDate",
        "ServicePeriodStartDate",
        "ServicePeriodEndDate",
    ),
    list_price=("PayGPrice",),
    needed=(
        ("MeterCategory", "MeterSubCategory", "MeterName", "MeterId"),
        ("Date", "UsageDateTime", "UsageDate", "Usage Date Time"),
        ("CostInBillingCurrency", "CostInPricingCurrency", "CostInUsd", "Cost", "PreTaxCost", "ExtendedCost"),
    ),
    usual=("MeterId", "MeterCategory", "Quantity", "ConsumedService", "UnitOfMeasure"),
    never=("ChargePeriodStart",),
)

DIALECT: Final = bill_dialect(FORM)
