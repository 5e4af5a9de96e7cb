"""Oracle Cloud cost and usage reports (`lineItem/intervalUsageStart`, `cost/myCost`)."""

from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.bills.bill_facts import bill_dialect
from gpuplanner.files.job_logs.bills.bill_form import BillForm

FORM: Final = BillForm(
    format="oci",
    title=worded("Oracle Cloud cost report"),
    provider_name="Oracle",
    start=("lineItem/intervalUsageStart",),
    end=("lineItem/intervalUsageEnd",),
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

DIALECT: Final = bill_dialect(FORM)
