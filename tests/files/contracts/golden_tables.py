"""Contracts of random tables, and of exports of clouds and registers with random damage, as golden tables."""

import json
from collections.abc import Mapping
from typing import Any, Final

from gpuplanner.files.importing.best_sheet import EXPORT_FORMS
from tests.files.contracts.test_cloud_commitments import AZURE, CUD, GOOGLE, PLAN, RESERVATION
from tests.files.contracts.test_focus_commitments import COMMITMENT, INTERVALS
from tests.files.contracts.test_procurement_sheets import LINES, REGISTERS
from tests.files.read_exports import export_lines
from tests.files.read_tables import table_values
from tests.files.sniffed import sniffed_lines
from tests.golden.tables import Table

FOLDER: Final = "tables_files_contracts"


def _focus() -> str:
    """Return commitments of every interval, one of which is in euros."""
    rows = [COMMITMENT | {"ContractCommitmentId": "cmt-0", "BillingCurrency": "EUR"}]
    rows += [
        COMMITMENT | {"ContractCommitmentId": f"cmt-{name}", "ContractCommitmentFulfillmentInterval": name}
        for name in INTERVALS
    ]
    return "".join(",".join(cells) + "\n" for cells in (COMMITMENT, *(row.values() for row in rows)))


def _json_of(name: str, *records: Mapping[str, Any]) -> str:
    return json.dumps({name: records}, indent=1)


AZURE_TABLE: Final = (
    "Amount,Product Name,BillingFrequency,Currency,EventDate,EventType,Quantity,Region,ReservationOrderId,Term\n"
    '525600,"Reserved VM Instance, Standard_ND96isr_H100_v5, US East",OneTime,USD,2026-01-01,Purchase,2,eastus,'
    "o-1,P3Y\n"
    "14600,Standard_ND96isr_H100_v5,Recurring,USD,2026-01-01,Purchase,1,westeurope,o-2,P1Y\n"
    "14600,Standard_ND96isr_H100_v5,Recurring,EUR,2026-01-01,Purchase,1,westeurope,o-3,P1Y\n"
    "14600,Standard_NC40ads_H100_v5,Recurring,USD,,Purchase,0.5,westeurope,o-4,P1Y\n"
    "-5,Standard_ND96isr_H100_v5,OneTime,USD,2026-02-01,Refund,1,westeurope,o-5,P1Y\n"
)
EXPORTS: Final[Mapping[str, str]] = {
    "reservations.json": _json_of(
        "ReservedInstances", RESERVATION, RESERVATION | {"ReservedInstancesId": "ri-2"}
    ),
    "plans.json": _json_of(
        "savingsPlans", PLAN, PLAN | {"savingsPlanId": "sp-2", "savingsPlanType": "Compute"}
    ),
    "azure.json": _json_of("value", AZURE),
    "azure.csv": AZURE_TABLE,
    "google.json": json.dumps([GOOGLE, GOOGLE | {"name": "cud-2", "plan": "TWELVE_MONTH"}], indent=1),
    "spend.json": json.dumps(CUD, indent=1) + "\n",
    "focus.csv": _focus(),
    "lines.csv": LINES,
    **{
        f"register {place}.csv": f"{head}\n{row}\n" for place, (head, row, _) in enumerate(REGISTERS.values())
    },
}


def export_text(case: str) -> str:
    """Return the contracts of an export. case: its name and a seed."""
    name, _, seed = case.rpartition(" ")
    return export_lines("contracts", name, EXPORTS[name], int(seed))


def table_text(case: str) -> str:
    """Return the contracts of a random table. case: its seed."""
    return table_values("contracts", int(case))


EXPORT_CASES: Final = tuple(f"{name} {seed}" for name in EXPORTS for seed in range(4))
TABLE_CASES: Final = tuple(map(str, range(100, 130)))


def sniffed_text(case: str) -> str:
    """Return how sure each form is of a text. case: its name."""
    return sniffed_lines(EXPORTS[case], lambda: EXPORT_FORMS)


TABLES: Final = {
    "sniffed.txt": Table(text_of=sniffed_text, cases=tuple(EXPORTS)),
    "exports.txt": Table(text_of=export_text, cases=EXPORT_CASES),
    "tables.txt": Table(text_of=table_text, cases=TABLE_CASES),
}
