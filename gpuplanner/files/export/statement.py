"""Who pays, as FOCUS 1.3 cost rows: what each team is charged for each of its workloads in the window."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gpuplanner.domain.audit.chargeback import ChargePart
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.evaluation import Evaluation, charges_of
from gpuplanner.domain.model.cube import CALLED_NOBODY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.export.focus import Cell, written_cell
from gpuplanner.files.system.output_file import write_output
from gpuplanner.files.tables.delimited import csv_text
from gpuplanner.files.values.word_lists import phrases

STATEMENT_COLUMNS: Final = phrases(
    "AllocatedMethodId|BilledCost|BillingCurrency|BillingPeriodEnd|BillingPeriodStart|ChargeCategory"
    "|ChargeDescription|ChargePeriodEnd|ChargePeriodStart|EffectiveCost|ResourceId|ServiceCategory"
    "|SubAccountId|SubAccountName|x_Charge|x_Cluster|x_GpuHours"
)
"""Column ids of FOCUS 1.3 cost and usage rows in its order, by name; x_ columns are ours. A team is a sub account."""

_CHARGES: Final = (
    ("direct", "direct_in_window", "GPU time that contracts served"),
    ("idle", "idle_in_window", "Share of GPUs that nobody used"),
    ("overflow", "overflow_in_window", "GPU time that no contract had room for"),
)
"""What is charged of a workload: x_Charge, its field, and words for it."""


def statement_csv(project: Project, parts: Iterator[ChargePart]) -> str:
    """Rows as CSV text, up to three of a workload; what is unknown is an empty cell. Text in it begins no formula."""
    rows = ([written_cell(cells[column]) for column in STATEMENT_COLUMNS] for cells in _rows(project, parts))
    return csv_text((STATEMENT_COLUMNS, *rows))


def write_statement(evaluation: Evaluation, path: Path) -> None:
    """Write who pays for the window of an evaluation. Law: the rows add up to what is paid and what overflowed.

    Amounts are in the money of the project. Errors: PlannerError file_unreadable.
    """
    parts = (part for row in charges_of(evaluation, ChargeBy.WORKLOAD).rows for part in row.parts)
    write_output(path, statement_csv(evaluation.project, parts).encode())


def _rows(project: Project, parts: Iterator[ChargePart]) -> Iterator[dict[str, Cell]]:
    """The rows of the parts, by column; what costs nothing has none."""
    window = project.window
    begin, end = iso_utc(window.start_s), iso_utc(window.end_s)
    for part in parts:
        team = part.team or CALLED_NOBODY
        for kind, field, words in _CHARGES:
            cost: float | None = getattr(part, field)
            if cost == 0:
                continue
            yield {
                "AllocatedMethodId": project.assumptions.idle_shared_by if kind == "idle" else None,
                "BilledCost": cost,
                "BillingCurrency": project.currency,
                "BillingPeriodEnd": end,
                "BillingPeriodStart": begin,
                "ChargeCategory": "Usage",
                "ChargeDescription": words,
                "ChargePeriodEnd": end,
                "ChargePeriodStart": begin,
                "EffectiveCost": cost,
                "ResourceId": part.key or None,
                "ServiceCategory": "Compute",
                "SubAccountId": team,
                "SubAccountName": team,
                "x_Charge": kind,
                "x_Cluster": part.cluster,
                "x_GpuHours": part.gpu_hours if kind == "direct" else None,
            }
