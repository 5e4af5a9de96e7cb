"""What GPUs cost a month, and at which mean rate, as the declared formulas over cells."""

from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.files.workbook.kit.expressions import Expr
from gpuplanner.files.workbook.kit.figure_cells import Cell, maybe, surely


def cost_per_month(mean_gpus: Expr, rate: Expr, paid_hours: Expr) -> Expr:
    """$ a month of GPUs at a rate; the dash where the rate is unknown.

    Units: GPUs, $ per GPU-hour, hours a month.
    """
    given = {"mean_gpus": surely(mean_gpus), "rate": maybe(rate), "paid_hours": surely(paid_hours)}
    cell: Cell = LAYER.value("cost_per_month", given)
    return cell.live


def mean_rate(usd: Expr, mean_gpus: Expr, paid_hours: Expr) -> Expr:
    """$ per GPU-hour of what costs so many $ a month; the dash where that is unknown, or there are no GPUs."""
    given = {"cost_per_month": maybe(usd), "mean_gpus": surely(mean_gpus), "paid_hours": surely(paid_hours)}
    cell: Cell = LAYER.value("mean_rate", given)
    return cell.live
