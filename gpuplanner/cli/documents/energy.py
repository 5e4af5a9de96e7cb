"""Energy as JSON: of the window by workload, contract and site, and of a plan by pool."""

from typing import Final

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.audit.energy import energy_of_sites
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.result import PlanEnergy
from gpuplanner.domain.figures.energy import ENERGY as OF
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports import report, use

ENERGY: Final = report.fields("kwh_per_month", "kg_co2_per_month", OF["peak_kw"])
AMOUNTS: Final = report.fields("kwh_per_month", "kg_co2_per_month")
SITE: Final = report.fields("site_id", "kwh_per_month", "kg_co2_per_month")


def energy_parts(project: Project, audit: Audit) -> Document:
    """What of the window took it."""
    energy = audit.energy
    return {
        "workloads": report.entries(use.ENERGY_OF_WORKLOADS, audit),
        "teams": report.entries(use.ENERGY_OF_TEAMS, audit),
        "contracts": report.entries(use.ENERGY_OF_CONTRACTS, audit)[: len(energy.contracts)],
        "overflow": [{"cluster": row.name} | report.entry(AMOUNTS, row) for row in energy.overflow],
        "sites": [report.entry(SITE, row) for row in energy_of_sites(project, energy)],
    }


def plan_energy_entry(project: Project, audit: Audit, energy: PlanEnergy) -> Document:
    """The energy of a plan, beside it that of the window and its parts."""
    return (
        report.entry(ENERGY, energy)
        | {"by_pool": report.entries(use.ENERGY_OF_PLAN, energy), "today": report.entry(ENERGY, audit.energy)}
        | energy_parts(project, audit)
    )
