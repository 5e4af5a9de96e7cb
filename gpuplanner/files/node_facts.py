"""The node list of the openb trace: how many GPUs of which model a cluster has. It holds no job."""

from collections import Counter
from decimal import Decimal
from typing import Final

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.worded import Worded, worded
from gpuplanner.files.described_tables import RowNotes, sniff_columns, table_rows
from gpuplanner.files.numbers import read_decimal
from gpuplanner.files.source import Source

KIND: Final = "unknown"
FORMAT: Final = "openb"
WHY: Final = worded("it is a list of nodes with their GPUs, and holds no job")

sniff = sniff_columns(("sn", "cpu_milli", "memory_mib", "gpu", "model"))


def describe(source: Source) -> FileIntake:
    """Nodes, and GPUs by model and by node. Errors: PlannerError file_unreadable."""
    notes, gpus_of_model, nodes_with = _counted(source)
    gpu_nodes = {gpus: nodes for gpus, nodes in sorted(nodes_with.items()) if gpus}
    facts = (
        ("nodes", sum(nodes_with.values())),
        ("gpu_nodes", sum(gpu_nodes.values())),
        ("cpu_nodes", nodes_with[0]),
        ("gpus", sum(gpus_of_model.values())),
        ("gpus_by_model", dict(sorted(gpus_of_model.items()))),
        ("nodes_by_gpus", {str(gpus): nodes for gpus, nodes in gpu_nodes.items()}),
    )
    return notes.intake(source, KIND, FORMAT, facts)


def _counted(source: Source) -> tuple[RowNotes, Counter[str], Counter[int]]:
    """What became of the rows, GPUs of each model, and nodes with so many GPUs."""
    notes = RowNotes()
    gpus_of_model: Counter[str] = Counter()
    nodes_with: Counter[int] = Counter()
    with table_rows(source, notes) as rows:
        for line, row in rows:
            count = read_decimal(row.get("gpu", "") or "0")
            if count is None or count < 0 or count != count.to_integral_value() or count > _GPUS_AT_MOST:
                notes.reject(
                    "bad_number",
                    line,
                    worded("gpu is {get}", get=f"{row.get('gpu')!r}"),
                    ",".join(row.values()),
                )
                continue
            nodes_with[int(count)] += 1
            if count:
                gpus_of_model[row.get("model", "") or "unknown"] += int(count)
    return notes, gpus_of_model, nodes_with


def held_words(source: Source) -> Worded:
    """What a node list holds and why it is no capacity: it names no rate, no dates, and not which GPUs jobs may have.

    1,523 nodes with 6,212 GPUs (G2 4,392, T4 842, ...), ... Errors: as for `describe`.
    """
    _, gpus_of_model, nodes_with = _counted(source)
    by_model = sorted(gpus_of_model.items(), key=lambda one: (-one[1], one[0]))
    models = ", ".join(f"{model} {gpus:,}" for model, gpus in by_model)
    return worded(
        "{why}: {nodes} nodes with {gpus} GPUs{models}. Capacity is what contracts say, since a list of nodes has no "
        "rate and no dates",
        why=WHY,
        nodes=f"{sum(nodes_with.values()):,}",
        gpus=f"{sum(gpus_of_model.values()):,}",
        models=f" ({models})" if models else "",
    )


TO_COUNT: Final = worded("to count these GPUs, give a contract for them (gpus, start, end and rate)")
"""What to do with a node list."""

_GPUS_AT_MOST: Final = Decimal(1_000_000)
