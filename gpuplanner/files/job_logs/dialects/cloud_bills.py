"""Bills of clouds as logs of GPU usage: what each form is, and which headings it has."""

from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.dialects.bill_facts import bill_dialect
from gpuplanner.files.job_logs.dialects.bill_rows import BillForm
from gpuplanner.files.values.numbers import phrases

# --- FOCUS cost and usage exports, 1.0 to 1.3, of any provider -----------------------------------

_UNUSED: Final = frozenset(phrases("unused|unusedreservation|unusedsavingsplan"))
"""Words of a status, or of a kind of charge, for what is paid of a commitment that nobody used."""
FOCUS_FORM: Final = BillForm(
    format="focus",
    title=worded("FOCUS bill"),
    provider=("ProviderName", "ServiceProviderName", "HostProviderName", "Provider", "InvoiceIssuerName"),
    start=("ChargePeriodStart",),
    end=("ChargePeriodEnd",),
    quantities=(
        (("ConsumedQuantity", "UsageQuantity"), ("ConsumedUnit", "UsageUnit")),
        (("PricingQuantity",), ("PricingUnit",)),
    ),
    products=phrases(
        "x_SkuInstanceType|x_InstanceType|x_UsageType|SkuMeter|x_SkuMeterName|x_SkuMeterCategory"
        "|x_SkuDescription|ChargeDescription|ServiceName"
    ),
    details=("SkuPriceDetails", "x_SkuDetails"),
    only={("ChargeCategory", "ChargeType"): frozenset({"usage"})},
    without={("CommitmentDiscountStatus",): _UNUSED, ("CapacityReservationStatus",): _UNUSED},
    stranded={("CommitmentDiscountStatus",): _UNUSED},
    stranded_costs=("EffectiveCost",),
    cost=(("EffectiveCost", "BilledCost", "ContractedCost"),),
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
    key=phrases(
        "ResourceId|SkuPriceId|SkuId|ChargeDescription|PricingCategory|CommitmentDiscountId|ChargeClass"
        "|SubAccountId"
    ),
    other_dates=("BillingPeriodStart", "BillingPeriodEnd"),
    list_price=("ListUnitPrice",),
    needed=(("ChargePeriodStart",), ("BilledCost", "EffectiveCost", "ListCost", "ContractedCost")),
    usual=("ChargePeriodEnd", "BillingPeriodStart", "ChargeCategory", "BilledCost", "EffectiveCost"),
    never=("ContractCommitmentId",),  # of contract commitments, which share columns with bills
)

FOCUS: Final = bill_dialect(FOCUS_FORM)


# --- AWS Cost and Usage Reports: legacy CUR (`lineItem/...`) and CUR 2.0 of Data Exports (`line_item_...`)

AWS_CUR_FORM: Final = BillForm(
    format="aws_cur",
    title=worded("AWS Cost and Usage Report"),
    provider_name="AWS",
    start=("lineItem/UsageStartDate",),
    end=("lineItem/UsageEndDate",),
    interval=("identity/TimeInterval",),
    quantities=((("lineItem/UsageAmount",), ("pricing/unit",)),),
    unit="Hrs",  # instance usage is metered in hours, also where a report leaves the unit out
    products=("product/instanceType", "lineItem/UsageType", "lineItem/LineItemDescription"),
    details=("product",),
    only={
        ("lineItem/LineItemType",): frozenset({"usage", "discountedusage", "savingsplancoveredusage"}),
        ("lineItem/ProductCode",): frozenset({"amazonec2", "amazonsagemaker", ""}),
    },
    stranded_costs=(
        "reservation/UnusedRecurringFee",
        "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod",
    ),
    cost=(
        ("reservation/EffectiveCost",),
        ("savingsPlan/SavingsPlanEffectiveCost",),
        ("lineItem/UnblendedCost", "lineItem/NetUnblendedCost", "lineItem/BlendedCost"),
    ),
    currency=("lineItem/CurrencyCode",),
    charge=("lineItem/LineItemType",),
    pricing=("pricing/term",),
    service=("lineItem/ProductCode",),
    region=("product/regionCode", "product/region", "lineItem/AvailabilityZone"),
    account=("lineItem/UsageAccountName", "lineItem/UsageAccountId"),
    resource=("lineItem/ResourceId",),
    resource_name=("resourceTags/user:Name",),
    tags=("resource_tags", "tags"),
    line_id=("identity/LineItemId",),
    key=("lineItem/ResourceId", "lineItem/UsageType", "lineItem/Operation", "lineItem/LineItemType"),
    other_dates=("bill/BillingPeriodStartDate", "bill/BillingPeriodEndDate"),
    list_price=("pricing/publicOnDemandRate",),
    label=("resourceTags/user:class", "resourceTags/user:pool", "resourceTags/user:workload-class"),
    unused_commitment=(("savingsPlan/TotalCommitmentToDate",), ("savingsPlan/UsedCommitment",)),
    needed=(
        ("lineItem/UsageStartDate", "identity/TimeInterval"),
        phrases("lineItem/UnblendedCost|lineItem/UsageAmount|lineItem/BlendedCost|lineItem/NetUnblendedCost"),
    ),
    usual=phrases(
        "identity/LineItemId|bill/PayerAccountId|lineItem/LineItemType|lineItem/ProductCode"
        "|lineItem/UsageType"
    ),
)

AWS_CUR: Final = bill_dialect(AWS_CUR_FORM)


# --- Azure cost and usage details: Enterprise Agreement, Customer Agreement, pay as you go, old and new

AZURE_FORM: Final = BillForm(
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
    cost=(("CostInBillingCurrency", "Cost", "PreTaxCost", "ExtendedCost"),),
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
    other_dates=phrases(
        "BillingPeriodStartDate|BillingPeriodEndDate|ServicePeriodStartDate|ServicePeriodEndDate"
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

AZURE: Final = bill_dialect(AZURE_FORM)


# --- Oracle Cloud cost and usage reports (`lineItem/intervalUsageStart`, `cost/myCost`) ----------

OCI_FORM: Final = BillForm(
    format="oci",
    title=worded("Oracle Cloud cost report"),
    provider_name="Oracle",
    start=("lineItem/intervalUsageStart",),
    end=("lineItem/intervalUsageEnd",),
    quantities=(
        (
            ("usage/billedQuantity", "usage/consumedQuantity"),
            phrases(
                "cost/billingUnitReadable|usage/consumedQuantityUnits|usage/consumedQuantityMeasure"
                "|cost/skuUnitDescription"
            ),
        ),
    ),
    machine_unit="instance",
    other_unit="ocpu",
    products=("product/resource", "product/Description"),
    cost=(("cost/myCost",),),
    currency=("cost/currencyCode",),
    service=("product/service",),
    region=("product/region",),
    account=("product/compartmentName", "product/compartmentId", "lineItem/tenantId"),
    resource=("product/resourceId",),
    line_id=("lineItem/referenceNo",),
    key=("product/resourceId", "cost/productSku", "product/resource"),
    list_price=("cost/unitPrice",),
    needed=(("lineItem/intervalUsageStart",), ("lineItem/tenantId", "product/service")),
    usual=("lineItem/intervalUsageEnd", "product/compartmentId", "lineItem/referenceNo", "cost/myCost"),
)

OCI: Final = bill_dialect(OCI_FORM)
