"""What the Utilization panel says beside its reports: contended hours, and why a map of the week is empty."""

from collections.abc import Mapping, Sequence
from typing import Final

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.use.contention import Contention
from gpuplanner.domain.audit.use.use_by import Use
from gpuplanner.domain.message import Text
from gpuplanner.domain.reports.use import NOT_STATED, name_of
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

CONTENTION_COLUMNS: Final = (
    Column("Contended hours", False),
    Column("Hours"),
    Column("GPU-h\nbeyond"),
    Column("Training beside\ninference, h"),
)


def contention_rows(contention: Mapping[str, Contention], names: Mapping[str, Text]) -> tuple[Row, ...]:
    """One row for each cluster that was asked for more than it had. names: of workloads, by key."""
    rows = []
    for cluster, found in contention.items():
        if found.contention_hours:
            shared = [names.get(key, key) for key in found.shared_training]
            rows.append(
                Row(
                    (
                        Cell(cluster or NOT_STATED, is_strong=True),
                        Cell(
                            numbers.whole(found.contention_hours),
                            figure_id=figure("contended", cluster, "hours"),
                        ),
                        Cell(
                            numbers.whole(found.overflow_gpu_hours),
                            figure_id=figure("contended", cluster, "beyond"),
                        ),
                        Cell(
                            numbers.whole(found.beside_inference_hours),
                            tip=_shared_tip(shared),
                            figure_id=figure("contended", cluster, "beside"),
                        ),
                    ),
                    key=cluster,
                )
            )
    return tuple(rows)


def why_no_map(row: Use) -> str:
    """One sentence for a map that has nothing known in it."""
    if row.hours_of_week.capacity is not None and not row.paid_gpu_hours:
        name = numbers.capital(spoken(name_of(row)))
        return tr(
            "{name}: no GPUs are paid for in the window, so utilization is unknown. Import its contract.",
            name=name,
        )
    return ""


def _shared_tip(names: Sequence[Text]) -> str:
    if not names:
        return tr("No training ran beside inference in these hours.")
    shown = ", ".join(map(str, names[:6]))
    return tr("Training that ran then: {shown}", shown=shown) + (
        tr(" and {names} more", names=len(names) - 6) if len(names) > 6 else ""
    )
