"""AWS Cost and Usage Reports: legacy CUR (`lineItem/...`) and CUR 2.0 of Data Exports (`line_item_...`)."""

from collections.abc import Callable
from functools import partial
from typing import Final

from gpuplanner.domain.model.worded import worded
from gpuplanner.files.job_logs.bills.bill_facts import bill_facts
from gpuplanner.files.job_logs.bills.bill_form import BillForm, likeness
from gpuplanner.files.job_logs.bills.bill_rows import bill_jobs

FORMAT: Final = "aws_cur"

FORM: Final = BillForm(
    format=FORMAT,
    title=worded("AWS Cost and Usage Report"),
    provider=(),
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
    without={},
    stranded={},
    stranded_costs=(
        "reservation/UnusedRecurringFee",
        "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod",
    ),
    currency=("lineItem/CurrencyCode",),
    pricing_currency=(),
    charge=("lineItem/LineItemType",),
    pricing=("pricing/term",),
    commitment=(),
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
)

_NEEDED: Final = (
    ("lineItem/UsageStartDate", "identity/TimeInterval"),
    ("lineItem/UnblendedCost", "lineItem/UsageAmount", "lineItem/BlendedCost", "lineItem/NetUnblendedCost"),
)
_USUAL: Final = (
    "identity/LineItemId",
    "bill/PayerAccountId",
    "lineItem/LineItemType",
    "lineItem/ProductCode",
    "lineItem/UsageType",
)

rows: Final = partial(bill_jobs, FORM)
facts: Final = partial(bill_facts, FORM)
sniff: Final[Callable[[str], float]] = partial(likeness, needed=_NEEDED, usual=_USUAL)
