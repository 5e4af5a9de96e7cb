"""Oracle Cloud cost and usage reports (`lineItem/intervalUsageStart`, `cost/myCost`)."""

from collections.abc import Callable
from functools import partial
from typing import Final

from gpuplanner.domain.model.worded import worded
from gpuplanner.files.job_logs.bills.bill_facts import bill_facts
from gpuplanner.files.job_logs.bills.bill_form import BillForm, likeness
from gpuplanner.files.job_logs.bills.bill_rows import bill_jobs

FORMAT: Final = "oci"

FORM: Final = BillForm(
    format=FORMAT,
    title=worded("Oracle Cloud cost report"),
    provider=(),
    provider_name="Oracle",
    start=("lineItem/intervalUsageStart",),
    end=("lineItem/intervalUsageEnd",),
    interval=(),
    quantities=(
        (
            ("usage/billedQuantity", "usage/consumedQuantity"),
            (
                "cost/billingUnitReadable",
                "usage/consumedQuantityUnits",
                "usage/consumedQuantityMeasure",
                "cost/skuUnitDescription",
            ),
        ),
    ),
    machine_unit="instance",
    other_unit="ocpu",
    products=("product/resource", "product/Description"),
    details=(),
    only={},
    without={},
    stranded={},
    stranded_costs=(),
    currency=("cost/currencyCode",),
    pricing_currency=(),
    charge=(),
    pricing=(),
    commitment=(),
    service=("product/service",),
    region=("product/region",),
    account=("product/compartmentName", "product/compartmentId", "lineItem/tenantId"),
    resource=("product/resourceId",),
    resource_name=(),
    tags=(),
    line_id=("lineItem/referenceNo",),
    key=("product/resourceId", "cost/productSku", "product/resource"),
    list_price=("cost/unitPrice",),
)

_NEEDED: Final = (("lineItem/intervalUsageStart",), ("lineItem/tenantId", "product/service"))
_USUAL: Final = ("lineItem/intervalUsageEnd", "product/compartmentId", "lineItem/referenceNo", "cost/myCost")

rows: Final = partial(bill_jobs, FORM)
facts: Final = partial(bill_facts, FORM)
sniff: Final[Callable[[str], float]] = partial(likeness, needed=_NEEDED, usual=_USUAL)
