"""What stands inside many documents: the demand that was read, and energy."""

from typing import Final

from gpuplanner.cli.documents.head import Document, intake_document
from gpuplanner.domain.audit.energy import energy_of_sites
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.result import PlanEnergy
from gpuplanner.domain.figures.energy import ENERGY as OF
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports.clusters import quality_entry
from gpuplanner.domain.reports.report import Entry, entries, entry, fields, named
from gpuplanner.domain.reports.use import (
    ENERGY_OF_CONTRACTS,
    ENERGY_OF_PLAN,
    ENERGY_OF_TEAMS,
    ENERGY_OF_WORKLOADS,
)

# --- The window, jobs and the cube

WINDOW: Final = fields(named("start", "start_s", "date"), named("end", "end_s", "date"), "hours", "timezone")
"""Times are ISO 8601, the end exclusive; the timezone is that of naive local times."""
JOBS: Final = fields(
    "count",
    "gpu_jobs",
    "gpu_hours",
    named("peak_gpus", lambda jobs: jobs.peak_milli_gpus / 1000),
    named("first_start", "first_start_s", "date"),
    named("last_end", "last_end_s", "date"),
    "clipped",
)
"""GPU-hours are of the window; peak_gpus: the largest number in use at once."""
CUBE: Final = fields(
    named("workloads", lambda project: len(project.workloads)),
    named("hours", "window.hours"),
    named("milli_gpu_seconds", "cube.total"),
)


def demand_document(project: Project, cube_sha256: str) -> Document:
    """intake, window, jobs and cube: what stands inside every document about demand.

    cube_sha256: of the demand, so that two documents can be compared.
    """
    return {
        "intake": intake_document(project.intake),
        "window": entry(WINDOW, project.window),
        "jobs": entry(JOBS, project.jobs),
        "cube": entry(CUBE, project) | {"sha256": cube_sha256},
        "data_quality": quality_entry(project.jobs.quality),
    }


# --- Energy as JSON: of the window by workload, contract and site, and of a plan by pool ---------

ENERGY: Final = fields("kwh_per_month", "kg_co2_per_month", OF["peak_kw"])
AMOUNTS: Final = fields("kwh_per_month", "kg_co2_per_month")
SITE: Final = fields("site_id", "kwh_per_month", "kg_co2_per_month")


def energy_entry(project: Project, audit: Audit) -> Entry:
    """The energy of the window as a month: kWh, kg of CO2, kW of the largest hour; null is unknown."""
    return entry(ENERGY, audit.energy) | _parts(project, audit)


def _parts(project: Project, audit: Audit) -> Document:
    """What of the window took it."""
    energy = audit.energy
    contracts = entries(ENERGY_OF_CONTRACTS, audit)[: len(energy.contracts)]
    return {
        "workloads": entries(ENERGY_OF_WORKLOADS, audit),
        "teams": entries(ENERGY_OF_TEAMS, audit),
        "contracts": contracts,
        "overflow": [{"cluster": row.name} | entry(AMOUNTS, row) for row in energy.overflow],
        "sites": [entry(SITE, row) for row in energy_of_sites(project, energy)],
    }


def plan_energy_entry(project: Project, audit: Audit, energy: PlanEnergy) -> Document:
    """The energy of a plan, beside it that of the window and its parts."""
    return (
        entry(ENERGY, energy)
        | {"by_pool": entries(ENERGY_OF_PLAN, energy), "today": entry(ENERGY, audit.energy)}
        | _parts(project, audit)
    )
