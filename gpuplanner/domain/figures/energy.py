"""Figures of energy: what GPUs draw in use and idle, a month's kWh, and the CO2 of them.

Source of the formulas: docs/formulas/energy.md.
"""

from typing import Final

from gpuplanner.domain.figures.figure import Figure, Operand, Subject
from gpuplanner.domain.figures.order import OWNED
from gpuplanner.domain.figures.writing import (
    GPU_HOURS_PER_MONTH,
    KG_PER_KWH,
    KG_PER_MONTH,
    KW,
    KW_PER_GPU,
    KWH_PER_MONTH,
    SHARE,
)
from gpuplanner.domain.message import worded
from gpuplanner.lazy_dataclass import replace

NO_RATED_POWER: Final = worded("Power of the GPU model unknown")
NO_GRID: Final = worded("No grid factor. Add grid_kg_co2_per_kwh to contracts or sites")

ENERGY: Final = Subject(
    "energy",
    (
        Figure(
            key="in_use_gpu_hours",
            title=worded("GPU-h in use"),
            unit=GPU_HOURS_PER_MONTH,
            phrase=worded("GPU-h in use"),
        ),
        Figure(
            key="idle_gpu_hours",
            title=worded("Idle GPU-h"),
            unit=GPU_HOURS_PER_MONTH,
            phrase=worded("idle GPU-h"),
        ),
        Figure(key="rated_kw", title=worded("Rated power"), unit=KW_PER_GPU, phrase=worded("rated power")),
        Figure(
            key="measured_share",
            title=worded("Share with activity"),
            unit=SHARE,
            phrase=worded("share with activity"),
        ),
        Figure(
            key="activity", title=worded("Measured activity"), unit=SHARE, phrase=worded("measured activity")
        ),
        Figure(
            key="idle_share",
            title=worded("Share of rated power when idle"),
            unit=SHARE,
            phrase=worded("share of rated power when idle"),
        ),
        Figure(
            key="power_share",
            title=worded("Share assumed without activity"),
            unit=SHARE,
            phrase=worded("share assumed without activity"),
        ),
        OWNED["pue"],
        Figure(
            key="grid_kg_per_kwh", title=worded("Grid factor"), unit=KG_PER_KWH, phrase=worded("grid factor")
        ),
        Figure(key="drawn_peak_kw", title=worded("GPU kW"), unit=KW, phrase=worded("GPU kW")),
    ),
)
"""What GPUs take: of a workload, a contract, a layer. drawn_kwh and drawn_kg_co2 are inputs where they were counted job
by job."""


@ENERGY.figure(worded("Share of rated power drawn"), SHARE, phrase=worded("share of rated power drawn"))
def drawn_share(
    measured_share: Operand, activity: Operand, idle_share: Operand, power_share: Operand
) -> Operand:
    """Share of rated power in use: by measured activity, or by `power_share`."""
    measured = idle_share + (1 - idle_share) * activity
    return measured_share * measured + (1 - measured_share) * power_share


@ENERGY.figure(worded("GPU kWh"), KWH_PER_MONTH, unknown=NO_RATED_POWER)
def drawn_kwh(
    in_use_gpu_hours: Operand,
    idle_gpu_hours: Operand,
    rated_kw: Operand,
    drawn_share: Operand,
    idle_share: Operand,
) -> Operand:
    """Energy of the GPUs per month, in use and idle."""
    return (in_use_gpu_hours * drawn_share + idle_gpu_hours * idle_share) * rated_kw


@ENERGY.figure(worded("GPU CO2"), KG_PER_MONTH, unknown=NO_GRID)
def drawn_kg_co2(drawn_kwh: Operand, grid_kg_per_kwh: Operand) -> Operand:
    """CO2 of the GPUs, before PUE."""
    return drawn_kwh * grid_kg_per_kwh


@ENERGY.figure(worded("Energy"), KWH_PER_MONTH, why="energy_kwh", is_better="down", unknown=NO_RATED_POWER)
def kwh_per_month(drawn_kwh: Operand, pue: Operand) -> Operand:
    """Energy with PUE."""
    return drawn_kwh * pue


@ENERGY.figure("CO2", KG_PER_MONTH, why="energy_co2", is_better="down", unknown=NO_GRID)
def kg_co2_per_month(drawn_kg_co2: Operand, pue: Operand) -> Operand:
    """CO2 with PUE."""
    return drawn_kg_co2 * pue


@ENERGY.figure(worded("Largest hour"), KW, why="energy_peak", is_better="down", unknown=NO_RATED_POWER)
def peak_kw(drawn_peak_kw: Operand, pue: Operand) -> Operand:
    """Power in the largest hour, with PUE."""
    return drawn_peak_kw * pue


PLAN_ENERGY: Final = Subject(
    "plan_energy",
    (
        *tuple(
            replace(ENERGY[key], formula=None, why=why)
            for key, why in (
                ("kwh_per_month", "plan_energy_kwh"),
                ("kg_co2_per_month", "plan_energy_co2"),
                ("peak_kw", "plan_energy_peak"),
            )
        ),
    ),
)
"""The same of a plan and its pools: sums over layers, and of the hour in which all of them take most."""
