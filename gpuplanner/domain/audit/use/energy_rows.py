"""The energy of the past as it is answered: a month's kWh and CO2 by workload, contract and overflow, and the peak."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from gpuplanner.domain.audit.use.power import RatedPower

WORKLOAD, CONTRACT, OVERFLOW = "workload", "contract", "overflow"


@dataclass(frozen=True, slots=True)
class EnergyRow:
    """What one workload, contract or overflow of a cluster took a month; figures by the keys of ENERGY, None unknown.

    drawn_kwh, drawn_kg_co2: of its GPUs, before the building's share. in_use_kwh, idle_kwh: of a contract, with it.
    called, team: of a workload.
    """

    kind: str
    name: str
    drawn_kwh: float | None
    drawn_kg_co2: float | None
    kwh_per_month: float | None
    kg_co2_per_month: float | None
    in_use_kwh: float | None = field(default=None, kw_only=True)
    idle_kwh: float | None = field(default=None, kw_only=True)
    called: str = field(default="", kw_only=True)
    team: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class WindowEnergy:
    """The energy of a window as a month. workloads in the project's order; contracts, overflow as clusters have them.

    Laws: contracts + overflow = kwh_per_month; workloads + what contracts drew idle are it, too. peak_kw: of its
    largest hour, which begins at peak_s, epoch seconds; in it the GPUs drew drawn_peak_kw. powers: rated power by the
    names of GPU models that have one.
    """

    kwh_per_month: float | None = None
    kg_co2_per_month: float | None = None
    peak_kw: float | None = None
    drawn_peak_kw: float | None = None
    peak_s: int | None = None
    workloads: tuple[EnergyRow, ...] = ()
    contracts: tuple[EnergyRow, ...] = ()
    overflow: tuple[EnergyRow, ...] = ()
    powers: Mapping[str, RatedPower] = field(default_factory=dict, repr=False)


UNKNOWN_ENERGY: Final = WindowEnergy()
