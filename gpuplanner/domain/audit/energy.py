"""Energy of the past: the power that GPUs draw, what jobs, idle GPUs and overflow took, and its peak."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours, part_of
from gpuplanner.domain.audit.utilization.demand_groups import group_of_row
from gpuplanner.domain.audit.utilization.dispatch import served_by_model
from gpuplanner.domain.audit.utilization.row_sums import row_blocks, weighted_sums
from gpuplanner.domain.figures.energy import ENERGY
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, by_row, floats, optional
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.cube import CALLED_NOBODY, Workload
from gpuplanner.domain.model.gpu_family import Families
from gpuplanner.domain.model.places import Site, folded
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import GpuModel
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.lazy_dataclass import dataclass, field

# --- Power: what a GPU of a model is rated at, and what the jobs of a workload draw of it --------

DRAWN_IDLE: Final = 0.30
"""Of rated power: what a GPU draws that is paid for and not in use."""
OF_THE_GPU: Final = 0.55
"""Of a node's power: what its GPUs take; the rest is the share of processors, memory, network and fans."""


@dataclass(frozen=True, slots=True)
class RatedPower:
    """kW of one GPU with its share of the node at full power. is_of_gpu_alone: worked out from the GPU's own watts."""

    kw: float
    is_of_gpu_alone: bool


def rated_power(
    names: Iterable[str], models: Sequence[GpuModel], families: Families
) -> dict[str, RatedPower]:
    """The rated power of GPU models by the names that a project has; those that the table does not know are left out.

    A variant with a row of its own is that row, else its family is. Source: docs/formulas/energy.md.
    """
    known = ((name, map(_rated, rows)) for name, rows in _rows_of(names, models, families))
    return {name: power for name, powers in known if (power := next(filter(None, powers), None)) is not None}


def usual_nodes(names: Iterable[str], models: Sequence[GpuModel], families: Families) -> dict[str, int]:
    """GPUs of the machine that GPU models are sold in by most, by name; those that are sold singly are left out."""
    return {name: rows[0].node_gpus for name, rows in _rows_of(names, models, families) if rows[0].node_gpus}


def _rows_of(
    names: Iterable[str], models: Sequence[GpuModel], families: Families
) -> Iterator[tuple[str, list[GpuModel]]]:
    """Names with the rows of the table that they are, a variant's own first; those without one are left out."""
    by_name = {model.name: model for model in models}
    for name in names:
        read = families.read(name)
        asked = (name, *((read.full, read.family) if read is not None else ()))
        if rows := [by_name[spelling] for spelling in asked if spelling in by_name]:
            yield name, rows


def _rated(model: GpuModel) -> RatedPower | None:
    if model.node_kw_per_gpu:
        return RatedPower(model.node_kw_per_gpu, False)
    kw = (model.tdp_watts or 0.0) / 1000 / OF_THE_GPU
    return RatedPower(kw, True) if kw else None


def model_names(project: Project) -> list[str]:
    """Every GPU model of log, contracts and offers, sorted."""
    bought = {*(row.gpu_model for row in project.contracts), *(row.gpu_model for row in project.offers)}
    return sorted({*project.cube.gpu_models, *filter(None, bought)})


def draw_inputs(workload: Workload, power_share: float) -> dict[str, float | None]:
    """What its share of rated power is worked out from, by the keys of ENERGY: activity of the jobs that have one."""
    share, activity = workload.measured_share, workload.measured_activity
    if share is None:  # a project file from before it was kept: all or none
        share, activity = (0.0, None) if workload.activity is None else (1.0, workload.activity)
    return {
        "measured_share": share,
        "activity": activity or 0.0,
        "idle_share": DRAWN_IDLE,
        "power_share": power_share,
    }


def drawn_shares(workloads: Sequence[Workload], power_share: float) -> list[float]:
    """What each workload's jobs draw of rated power, 0..1. power_share: where no activity is known."""
    rows = [draw_inputs(workload, power_share) for workload in workloads]
    columns = {key: floats([row[key] for row in rows]) for key in rows[0]} if rows else {}
    return [share or 0.0 for share in optional(ENERGY.value("drawn_share", columns))] if rows else []


def times_known(amounts: Floats, factor: float | Floats) -> Floats:
    """Amounts times a factor where NaN is unknown: nothing times what nobody knows is nothing. Shape of amounts."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(amounts == 0, 0.0, amounts * factor))


Powers = Mapping[str, RatedPower]
"""Rated power by the names of GPU models that have one."""


# --- The energy of the past as it is answered: a month's kWh and CO2 by workload, contract and overflow, and the peak

WORKLOAD, CONTRACT, OVERFLOW, OF_TEAM = "workload", "contract", "overflow", "team"


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
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


# --- Energy of the past: what jobs, idle GPUs and overflow of the window took, by workload and contract, and its peak


def teams_of(energy: WindowEnergy) -> tuple[EnergyRow, ...]:
    """What the workloads of each team took together; unknown where it is of one of them."""
    rows = grouped((row.team or CALLED_NOBODY, row) for row in energy.workloads)
    totals: dict[str, dict[str, Any]] = {
        team: {key: known_sum(getattr(row, key) for row in rows[team]) for key in _FIELDS}
        for team in sorted(rows)
    }
    return tuple(EnergyRow(kind=OF_TEAM, name=team, **total) for team, total in totals.items())


def grid_factor(contract: Contract, sites: Sequence[Site]) -> float | None:
    """kg of CO2 of a kWh that a contract takes: its own, else that of the site that its region names; None: unknown."""
    if contract.grid_kg_co2_per_kwh is not None:
        return float(contract.grid_kg_co2_per_kwh)
    return grid_of_region(contract.region, sites)


def grid_of_region(region: str | None, sites: Sequence[Site]) -> float | None:
    """kg of CO2 of a kWh at the site whose id or city a region is; None where there is none, or it states none."""
    site = site_of(region, sites)
    return None if site is None or site.grid_kg_co2_per_kwh is None else float(site.grid_kg_co2_per_kwh)


def grid_of_offer(region: str | None, sites: Sequence[Site], contracts: Sequence[Contract]) -> float | None:
    """kg of CO2 of a kWh of what is offered in a region: of the site it names, else of the contracts that name it too.

    None where neither states one, or contracts of the region state different ones.
    """
    of_site = grid_of_region(region, sites)
    if of_site is not None or not region:
        return of_site
    known = (contract for contract in contracts if contract.grid_kg_co2_per_kwh is not None)
    stated = {float(c.grid_kg_co2_per_kwh or 0.0) for c in known if folded(c.region or "") == folded(region)}
    return stated.pop() if len(stated) == 1 else None


def site_of(region: str | None, sites: Sequence[Site]) -> Site | None:
    """The site whose id or city a region is; None where there is none."""
    named = folded(region or "")
    return next(
        (site for site in sites if named and named in (folded(site.site_id), folded(site.city))), None
    )


@dataclass(frozen=True, slots=True)
class SiteEnergy:
    """What the contracts whose region names a site took a month; None is unknown."""

    site_id: str
    kwh_per_month: float | None
    kg_co2_per_month: float | None


def energy_of_sites(project: Project, energy: WindowEnergy) -> tuple[SiteEnergy, ...]:
    """The energy of each site that the region of a contract names, by its id or city."""
    region = {contract.contract_id: contract.region for contract in project.contracts}
    of_sites = []
    for site in project.places.sites:
        rows = [row for row in energy.contracts if site_of(region[row.name], (site,)) is not None]
        if rows:
            kwh = known_sum(row.kwh_per_month for row in rows)
            of_sites.append(SiteEnergy(site.site_id, kwh, known_sum(row.kg_co2_per_month for row in rows)))
    return tuple(of_sites)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _ClusterEnergy:
    """One cluster, before the building's share. Shapes: used, idle (contracts, hours), overflow (hours,): kWh; kw, kg
    (models, hours): of each drawn GPU-hour of its demand. NaN is unknown.
    """

    used: Floats
    idle: Floats
    overflow: Floats
    kw: Floats
    kg: Floats


def window_energy(
    project: Project, clusters: Sequence[ClusterHours], powers: Powers, unmatched: Collection[str]
) -> WindowEnergy:
    """The energy of a window: jobs at what they draw, idle GPUs at what those draw, and overflow.

    powers: rated power by name. unmatched: clusters of which nobody has said what their contracts serve: what they take
    is unknown. A job of unknown model draws as what served it, else as its cluster's GPUs.
    Source: docs/formulas/energy.md.
    """
    assumptions, sites, hours = project.assumptions, project.places.sites, project.window.hours
    shares = np.array(drawn_shares(project.workloads, assumptions.power_share), dtype=np.float64)
    of_row, groups = group_of_row(project, clusters), sum(len(cluster.models) for cluster in clusters)
    drawn = _drawn_by_hour(project, of_row, shares, groups)
    kw, kg, total = np.zeros((groups, hours)), np.zeros((groups, hours)), np.zeros(hours)
    contracts: list[_Amounts] = []
    beyond: list[_Amounts] = []
    first = 0
    for cluster in clusters:
        span = slice(first, first + len(cluster.models))
        first = span.stop
        grids = _grids_of_cluster(cluster, sites, assumptions.grid_kg_co2_per_kwh)
        taken = _of_cluster(cluster, drawn[span], powers, grids, is_known=cluster.cluster not in unmatched)
        kw[span], kg[span] = taken.kw, taken.kg
        total += taken.used.sum(axis=0) + taken.idle.sum(axis=0) + taken.overflow
        for place, contract in enumerate(cluster.contracts):
            used, idle = float(taken.used[place].sum()), float(taken.idle[place].sum())
            contracts.append(_Amounts(contract.contract_id, used, idle, grids[place]))
        if taken.overflow.any():
            beyond.append(_Amounts(cluster.cluster, float(taken.overflow.sum()), 0.0, grids[-1]))
    months, pue = project.window.months, assumptions.pue
    of_contracts = _rows(CONTRACT, contracts, months, pue)
    of_overflow = _rows(OVERFLOW, beyond, months, pue)
    most = None if np.isnan(total).any() else float(total.max(initial=0.0))
    peak = ENERGY.row({"drawn_peak_kw": most, "pue": pue}, ["peak_kw"])["peak_kw"]
    return WindowEnergy(
        kwh_per_month=known_sum(row.kwh_per_month for row in (*of_contracts, *of_overflow)),
        kg_co2_per_month=known_sum(row.kg_co2_per_month for row in (*of_contracts, *of_overflow)),
        peak_kw=peak,
        drawn_peak_kw=most,
        peak_s=project.window.start_s + int(total.argmax()) * HOUR_S if most else None,
        workloads=_workload_rows(project, of_row, shares, kw, kg),
        contracts=of_contracts,
        overflow=of_overflow,
        powers=powers,
    )


@dataclass(frozen=True, slots=True)
class _Amounts:
    """kWh of a window, before the building's share; NaN is unknown. grid: kg of CO2 of a kWh, None unknown."""

    name: str
    used: float
    idle: float
    grid: float | None


def _kw(powers: Powers, gpu_model: str | None) -> float:
    """NaN where it is not known."""
    rated = powers.get(gpu_model or "")
    return np.nan if rated is None else rated.kw


def _of_cluster(
    hours: ClusterHours, drawn: Floats, powers: Powers, grids: Sequence[float | None], *, is_known: bool
) -> _ClusterEnergy:
    """drawn: GPU-hours at what they draw, (models, hours); grids: of `_grids_of_cluster`."""
    shape = drawn.shape
    used, overflow = np.zeros(hours.capacity.shape), np.zeros(shape[1])
    kw, kg = np.zeros(shape), np.zeros(shape)
    idle = (hours.capacity - hours.served) / MILLI_GPU_SECONDS_PER_GPU_HOUR * DRAWN_IDLE
    for place, contract in enumerate(hours.contracts):
        idle[place] = times_known(idle[place], _kw(powers, contract.gpu_model) if contract.serves else 0.0)
    taken, stand_in = served_by_model(hours), hours.stand_in
    for number, model in enumerate(hours.models):
        demand = hours.demand[number].sum(axis=0)
        parts = [
            *(
                (taken[number, place], contract.gpu_model, _or_nan(grids[place]))
                for place, contract in enumerate(hours.contracts)
            ),
            (hours.overflow[number], stand_in, _or_nan(grids[-1])),
        ]
        for place, (part, server, grid) in enumerate(parts):
            share = part_of(part, demand)
            of_part = times_known(share, _kw(powers, server if model is None else model))
            kw[number] += of_part
            kg[number] += times_known(of_part, grid)
            kwh = times_known(of_part, drawn[number])
            if place < len(hours.contracts):
                used[place] += kwh
            else:
                overflow += kwh
    if not is_known:
        for each in (used, idle, overflow, kw, kg):
            each[...] = np.nan
    return _ClusterEnergy(used=used, idle=idle, overflow=overflow, kw=kw, kg=kg)


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


def _grids_of_cluster(hours: ClusterHours, sites: Sequence[Site], stated: float | None) -> list[float | None]:
    """Of each contract, and last of what overflows: that of the contracts, where all have the same. stated: of all."""
    grids = [grid_factor(contract, sites) if stated is None else stated for contract in hours.contracts]
    return [*grids, stated if stated is not None or len({*grids}) != 1 else grids[0]]


def _drawn_by_hour(project: Project, row_group: Ints, shares: Floats, groups: int) -> Floats:
    """GPU-hours times what they draw of rated power, by cluster and model; shape (groups, hours)."""
    cube = project.cube
    sums = np.zeros(groups * cube.hours)
    of_row = shares[cube.workload_index] / MILLI_GPU_SECONDS_PER_GPU_HOUR
    for block in row_blocks(cube):
        slots = block.spread(row_group * cube.hours) + cube.hour[block.entries]
        drawn = cube.milli_gpu_seconds[block.entries] * block.spread(of_row)
        np.add.at(sums, slots, drawn)
    return sums.reshape(groups, cube.hours)


def _rows(kind: str, amounts: Sequence[_Amounts], months: float, pue: float) -> tuple[EnergyRow, ...]:
    """The rows of contracts, or of what overflows."""
    used, idle = (floats([getattr(amount, key) / months for amount in amounts]) for key in ("used", "idle"))
    given = {
        "drawn_kwh": used + idle,
        "grid_kg_per_kwh": floats([amount.grid for amount in amounts]),
        "pue": floats([pue] * len(amounts)),
    }
    rows = by_row(ENERGY.worked_out(given, _SHOWN))
    parts: list[dict[str, Any]] = [*by_row({"in_use_kwh": used * pue, "idle_kwh": idle * pue})]
    return tuple(
        EnergyRow(kind=kind, name=amount.name, **{key: row[key] for key in _FIELDS}, **part)  # type: ignore[arg-type]
        for amount, row, part in zip(amounts, rows, parts, strict=True)
    )


def _workload_rows(
    project: Project, row_group: Ints, shares: Floats, kw: Floats, kg: Floats
) -> tuple[EnergyRow, ...]:
    """What the jobs of each workload took, wherever they ran."""
    cube, many = project.cube, len(project.workloads)
    scale = shares / MILLI_GPU_SECONDS_PER_GPU_HOUR / project.window.months
    drawn_kwh, drawn_kg = weighted_sums(cube, row_group, np.stack((kw, kg)), many) * scale
    given = {"drawn_kwh": drawn_kwh, "drawn_kg_co2": drawn_kg, "pue": np.full(many, project.assumptions.pue)}
    rows = by_row(ENERGY.worked_out(given, _SHOWN))
    return tuple(
        EnergyRow(
            kind=WORKLOAD,
            name=workload.key,
            **{key: row[key] for key in _FIELDS},
            called=workload.name,
            team=workload.owner,
        )
        for workload, row in zip(project.workloads, rows, strict=True)
    )


_FIELDS: Final = ("drawn_kwh", "drawn_kg_co2", "kwh_per_month", "kg_co2_per_month")
_SHOWN: Final = ("kwh_per_month", "kg_co2_per_month")
