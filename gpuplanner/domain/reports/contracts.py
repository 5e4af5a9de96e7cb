"""The contracts of a window: how much of each was used, where it breaks even, and what of it is paid unused."""

from typing import Final

from gpuplanner.domain.audit.result import Audit, ContractAudit
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.message import worded
from gpuplanner.domain.reports.report import (
    BRIEF,
    DOCUMENT_ALONE,
    EVERYWHERE,
    SHEET,
    WINDOW,
    Column,
    Medium,
    Report,
)

WITH_CLUSTER: Final = frozenset((Medium.TERMINAL, Medium.BRIEF, Medium.DOCUMENT))
UNDER_40: Final = CONTRACT["below_40_percent"]


def _rows(audit: Audit) -> tuple[ContractAudit, ...]:
    return audit.contracts


def _by_id(row: ContractAudit) -> str:
    return row.contract_id


def _where(row: ContractAudit) -> str:
    """Contract, provider and cluster, as far as they are known."""
    return " \u00b7 ".join(filter(None, (row.contract_id, row.provider, row.cluster)))


def _most_unused(row: ContractAudit) -> tuple[float, str]:
    """Key for sorting: most unused $ first, unknown as 0, then by id."""
    return -(row.unused_per_month or 0.0), row.contract_id


def _unused(row: ContractAudit) -> float | None:
    """What of it was paid and idle; unknown to a reader where it did not run in the window, as its utilization is."""
    return row.unused_per_month if row.paid_gpu_hours else None


def _flagged_first(row: ContractAudit) -> tuple[bool, float, str]:
    """Key for sorting: those under 40% before all others."""
    return not row.below_40_percent, *_most_unused(row)


CONTRACTS: Final = Report(
    title=worded("Contracts"),
    one="contract",
    many="contracts",
    rows=_rows,
    key=_by_id,
    columns=(
        Column(key="contract_id", title=worded("Contract"), form="name", tip=_where),
        Column(key="cluster", title=worded("Cluster"), media=WITH_CLUSTER),
        Column(key="provider", media=DOCUMENT_ALONE),
        Column(CONTRACT["gpus"], media=EVERYWHERE - SHEET),
        Column(CONTRACT["paid_gpu_hours"], media=DOCUMENT_ALONE | SHEET),
        Column(CONTRACT["used_gpu_hours"], media=DOCUMENT_ALONE | SHEET),
        Column(
            CONTRACT["utilization"],
            media=WINDOW,
            form="bar",
            flag=UNDER_40,
            mark=CONTRACT["break_even_utilization"],
        ),
        Column(CONTRACT["utilization"], flag=UNDER_40),
        Column(UNDER_40, media=DOCUMENT_ALONE),
        Column(CONTRACT["break_even_utilization"]),
        Column(UNDER_40, media=BRIEF, form="flag"),
        Column(CONTRACT["unused_per_month"], media=DOCUMENT_ALONE),
        Column(CONTRACT["unused_per_month"], media=EVERYWHERE - SHEET - DOCUMENT_ALONE, value=_unused),
        Column(CONTRACT["paid_in_window"], media=SHEET),
        Column(CONTRACT["unused_in_window"], media=SHEET),
        Column(CONTRACT["allocated_in_window"], media=SHEET),
    ),
    order={Medium.DOCUMENT: _by_id, Medium.WINDOW: _flagged_first, Medium.BRIEF: _most_unused},
    note=worded("Break-even: above it the contract is cheaper than on demand."),
)
