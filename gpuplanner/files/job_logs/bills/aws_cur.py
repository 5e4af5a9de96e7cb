"""AWS Cost and Usage Reports: legacy CUR (`lineItem/...`) and CUR 2.0 of Data Exports (`line_item_...`)."""

from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.bills.bill_facts import bill_dialect
from gpuplanner.files.job_logs.bills.bill_form import BillForm

FORM: Final = BillForm(
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
        (
            "lineItem/UnblendedCost",
            "lineItem/UsageAmount",
            "lineItem/BlendedCost",
            "lineItem/NetUnblendedCost",
        ),
    ),
    usual=(
        "identity/LineItemId",
        "bill/PayerAccountId",
        "lineItem/LineItemType",
        "lineItem/ProductCode",
        "lineItem/UsageType",
    ),
)

DIALECT: Final = bill_dialect(FORM)
