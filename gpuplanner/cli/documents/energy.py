"""Energy as JSON: of the window by workload, contract and site, and of a plan by pool."""

from typing import Final

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.audit.costs.energy import energy_of_sites
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.result import PlanEnergy
from gpuplanner.domain.figures.costs.energy import ENERGY as OF
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports.energy import ENERGY_OF_CONTRACTS, ENERGY_OF_PLAN, ENERGY_OF_WORKLOADS
from gpuplanner.domain.reports.entries import Entry, entries, entry, fields

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
