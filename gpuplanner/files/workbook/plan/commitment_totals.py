"""Sums of the sheet Commitment, by name."""

from typing import Final

from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.units import GPUS, MONEY_PER_MONTH, MONEY_TIMES_MONTHS, Unit
from gpuplanner.domain.message import Text
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, known, known_sum_where, sum_where
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import STYLES
from gpuplanner.files.workbook.plan.commitment_layers import COMMITTED, USAGE

TOTALS: Final[tuple[tuple[str, Text, Unit], ...]] = (
    ("layers_usd", "Layers of the plan", MONEY_PER_MONTH),
    ("idle_usd", "Existing contracts, paid and idle", MONEY_PER_MONTH),
    ("plan_usd", PLAN["plan"].title, MONEY_PER_MONTH),
    ("committed_usd", "New commitments", MONEY_PER_MONTH),
    ("usage_usd", "Paid by use", MONEY_PER_MONTH),
    ("committed_gpus", "New commitments, GPUs", GPUS),
    ("existing_gpus", "Existing contracts through month 0, GPUs", GPUS),
    ("usage_busy", "Paid by use, mean GPUs", GPUS),
    ("unused_usd", "New commitments, not busy", MONEY_PER_MONTH),
    ("lock", "New commitments, bound", MONEY_TIMES_MONTHS),
    ("existing_usd", "Existing contracts, used or idle", MONEY_PER_MONTH),
    ("existing_lock", "Existing contracts, bound for the months left", MONEY_TIMES_MONTHS),
    ("joint_layers_usd", "Layers with all workloads of a model in one pool", MONEY_PER_MONTH),
    ("joint_usd", PLAN["joint"].title, MONEY_PER_MONTH),
)
"""Key, title and unit: figures of the plan, and the workings that they are sums of."""
BOUGHT: Final = frozenset(("committed_gpus", "existing_gpus"))
"""GPUs that are bought, hundredths of one too; others are means."""


def write_totals(book: Book, inputs: Inputs, layers: Table, joint: Table, models: Table) -> Table:
    """Write them under the plan in one pool. joint: its layers; models: the existing contracts by GPU model."""
    book.write(layers.sheet, joint.end_row + 1, 0, "Sums", "section")
    fields = (
        Field("title", "Sum"),
        *(Field(f"beside{place}", "") for place in range(3)),  # titles run over into these
        Field("value", "Value", "usd"),
        Field("unit", "Unit"),
    )
    table = Table(book, layers.sheet, joint.end_row + 2, len(TOTALS), fields)
    kinds = layers.range("kind")
    cells: dict[str, Expr] = {}

    def put(key: str, content: Expr) -> Expr:
        """Writes one total with its title and unit, and keeps its cell by name."""
        place = [total[0] for total in TOTALS].index(key)
        _, title, unit = TOTALS[place]
        table.put("title", place, title)
        table.put("unit", place, unit.label or "GPUs")
        style = "gpus" if key in BOUGHT else STYLES[unit.key]
        cells[key] = table.put("value", place, content, style)
        return cells[key]

    put("layers_usd", layers.range("cost_per_month").known_sum())
    put("idle_usd", models.range("idle_usd").known_sum())
    put("plan_usd", known([cells["layers_usd"], cells["idle_usd"]], cells["layers_usd"] + cells["idle_usd"]))
    put("committed_usd", known_sum_where(layers.range("cost_per_month"), (kinds, COMMITTED)))
    put("usage_usd", known_sum_where(layers.range("cost_per_month"), (kinds, USAGE)))
    put("committed_gpus", sum_where(layers.range("gpus"), (kinds, COMMITTED)))
    put("existing_gpus", models.range("gpus").sum())
    put("usage_busy", sum_where(layers.range("busy_gpus"), (kinds, USAGE)))
    put("unused_usd", known_sum_where(layers.range("unused_per_month"), (kinds, COMMITTED)))
    put("lock", layers.range("bound").known_sum())
    put("existing_usd", models.range("usd").known_sum())
    put("existing_lock", models.range("lock").known_sum())
    has_joint = inputs.evaluation.outlook is not None
    put(
        "joint_layers_usd",
        joint.range("cost_per_month").known_sum() if has_joint else Expr(f'"{DASH}"', DASH, True),
    )
    parts = [cells["joint_layers_usd"], cells["existing_usd"]]
    put("joint_usd", known(parts, parts[0] + parts[1]))
    return table
