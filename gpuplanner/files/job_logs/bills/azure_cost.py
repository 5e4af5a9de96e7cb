"""Azure cost and usage details: Enterprise Agreement, Customer Agreement, pay as you go, old and new."""

from collections.abc import Callable
from functools import partial
from typing import Final

from gpuplanner.domain.model.worded import worded
from gpuplanner.files.job_logs.bills.bill_facts import bill_facts
from gpuplanner.files.job_logs.bills.bill_form import BillForm, likeness
from gpuplanner.files.job_logs.bills.bill_rows import bill_jobs

FORMAT: Final = "azure"
_UNUSED: Final = frozenset({"unusedreservation", "unusedsavingsplan"})

FORM: Final = BillForm(
    format=FORMAT,
    title=worded("Azure cost details export"),
    provider=("Provider",),
    provider_name="Azure",
    start=("Date", "UsageDateTime", "UsageDate", "Usage Date Time"),
    end=(),
    interval=(),
    is_daily=True,
    quantities=(
        (("Quantity", "UsageQuantity", "Consumed Quantity", "Usage Quantity"), ("UnitOfMeasure", "Unit")),
    ),
    products=("MeterName", "ProductName", "Product", "MeterSubCategory", "MeterCategory"),
    details=("AdditionalInfo",),
    only={("ChargeType",): frozenset({"usage", ""})},
    without={},
    stranded={("ChargeType",): _UNUSED},
    stranded_costs=("CostInBillingCurrency", "Cost", "PreTaxCost", "ExtendedCost"),
    currency=("BillingCurrencyCode", "BillingCurrency", "Currency"),
    pricing_currency=("PricingCurrency", "PricingCurrencyCode"),
    charge=("ChargeType",),
    pricing=("PricingModel",),
    commitment=(),
    service=("MeterCategory",),
    region=("ResourceLocation", "Location", "ResourceLocationNormalized", "MeterRegion"),
    account=("SubscriptionName", "SubscriptionId", "SubscriptionGuid"),
    resource=("ResourceId", "InstanceId", "InstanceName"),
    resource_name=("ResourceName",),
    tags=("Tags",),
    line_id=(),
    key=("ResourceId", "InstanceId", "MeterId", "ChargeType", "PricingModel", "ReservationId", "benefitId"),
    other_dates=(
        "BillingPeriodStartDate",
        "BillingPeriodEndDate",
        "ServicePeriodStartDate",
        "ServicePeriodEndDate",
    ),
    list_price=("PayGPrice",),
)

_NEEDED: Final = (
    ("MeterCategory", "MeterSubCategory", "MeterName", "MeterId"),
    FORM.start,
    ("CostInBillingCurrency", "CostInPricingCurrency", "CostInUsd", "Cost", "PreTaxCost", "ExtendedCost"),
)
_USUAL: Final = ("MeterId", "MeterCategory", "Quantity", "ConsumedService", "UnitOfMeasure")

rows: Final = partial(bill_jobs, FORM)
facts: Final = partial(bill_facts, FORM)
sniff: Final[Callable[[str], float]] = partial(
    likeness, needed=_NEEDED, usual=_USUAL, never=("ChargePeriodStart",)
)
