"""What stands where on the sheet that goes to vendors: written by the export, read back once it is filled."""

from typing import Final

SHEET: Final = "Request for quote"
VENDORS: Final = 4
VENDOR_LABEL: Final = "Vendor"
DATE_LABEL: Final = "Quoted on"

REQUEST: Final = "Request"
MODEL: Final = "GPU model"
TERM: Final = "Term, months"
GPUS: Final = "GPUs"
REGION: Final = "Region"
INTERCONNECT: Final = "Interconnect"
MEMORY: Final = "Memory, GB per GPU"
BARE_METAL: Final = "Bare metal"
SLA: Final = "SLA, % a month"
ANY: Final = "any"

RATE: Final = "Rate, $ per GPU-h"
MOST: Final = "GPUs, at most"
LEAD: Final = "Lead time, hours"
EGRESS: Final = "Egress, $ per GB"
OFFERED_SLA: Final = "SLA offered, %"
REMARK: Final = "Remark"
QUOTE_COLUMNS: Final = (RATE, MOST, LEAD, EGRESS, OFFERED_SLA, REMARK)


def quote_heading(vendor: int, column: str) -> str:
    """The heading of a column of one vendor, counted from 0.

    >>> quote_heading(0, RATE)
    'Vendor 1: Rate, $ per GPU-h'
    """
    return f"{VENDOR_LABEL} {vendor + 1}: {column}"
