"""Bills of clouds as logs of GPU usage: what each form is; resources/bill_forms.csv has its headings."""

from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.files.job_logs.dialects.bill_facts import bill_dialect
from gpuplanner.files.job_logs.dialects.bill_forms import BillForm
from gpuplanner.files.system.resources import rows_of

_BY_WORDS: Final = ("only", "without", "stranded")
_IN_GROUPS: Final = ("quantities", "needed", "cost", "priced")


def _form(name: str, **texts: Any) -> BillForm:
    """The form of a bill with the headings of the shipped table: of a row with `=`, those before and behind it."""
    rows = (row for row in rows_of("bill_forms.csv") if row["form"] == name)
    headings: dict[str, Any] = {}
    for field, words in grouped((row["field"], row["words"]) for row in rows).items():
        parted = [tuple(tuple(part.split("|")) for part in text.split("=")) for text in words]
        plain = [pair[0] if len(pair) == 1 else pair for pair in parted]
        by_words = {pair[0]: frozenset(pair[-1]) for pair in parted}
        if field in _BY_WORDS:
            headings[field] = by_words
        elif field in _IN_GROUPS:
            headings[field] = plain
        else:
            headings[field] = plain[0]
    return BillForm(format=name, **{"end": (), **headings, **texts})


FOCUS_FORM: Final = _form("focus", title=worded("FOCUS bill"))
"""FOCUS cost and usage exports, 1.0 to 1.3, of any provider; files of contract commitments share columns with them."""

AWS_CUR_FORM: Final = _form(
    "aws_cur", title=worded("AWS Cost and Usage Report"), provider_name="AWS", unit="Hrs"
)
"""Legacy CUR (`lineItem/...`) and CUR 2.0 of Data Exports (`line_item_...`). Instance usage is metered in hours, also
where a report leaves the unit out.
"""

AZURE_FORM: Final = _form(
    "azure", title=worded("Azure cost details export"), provider_name="Azure", is_daily=True
)
"""Azure cost and usage details: Enterprise Agreement, Customer Agreement, pay as you go, old and new."""

OCI_FORM: Final = _form(
    "oci",
    title=worded("Oracle Cloud cost report"),
    provider_name="Oracle",
    machine_unit="instance",
    other_unit="ocpu",
)
"""Oracle Cloud cost and usage reports (`lineItem/intervalUsageStart`, `cost/myCost`)."""

FOCUS: Final = bill_dialect(FOCUS_FORM)
AWS_CUR: Final = bill_dialect(AWS_CUR_FORM)
AZURE: Final = bill_dialect(AZURE_FORM)
OCI: Final = bill_dialect(OCI_FORM)
