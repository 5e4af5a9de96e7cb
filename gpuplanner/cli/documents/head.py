"""How every document begins, schema gpuplanner/1, and what stands inside many: files, demand and energy."""

import math
from collections.abc import Sequence
from typing import Any, Final

from gpuplanner.domain.audit.energy import energy_of_sites
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.result import PlanEnergy
from gpuplanner.domain.figures.energy import ENERGY as OF
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports.clusters import quality_entry
from gpuplanner.domain.reports.report import Entry, each, entries, entry, fields, named
from gpuplanner.domain.reports.use import (
    ENERGY_OF_CONTRACTS,
    ENERGY_OF_PLAN,
    ENERGY_OF_TEAMS,
    ENERGY_OF_WORKLOADS,
)
from gpuplanner.version import __version__

# --- How every document begins, schema gpuplanner/1: fields are never renamed or removed within a schema number

Document = dict[str, Any]

SCHEMA: Final = "gpuplanner/1"
CURRENCY: Final = fields(
    "code", named("usd_rate", lambda one: None if one.usd_rate is None else float(one.usd_rate)), "as_of"
)


def head(command: str, currency: Currency = DOLLARS) -> Document:
    """How every document begins; beside its US dollars stands what else is reported in, where that is not they.

    command: its name. A rate of exchange that nobody stated is null.
    """
    answer: Document = {"schema": SCHEMA, "command": command, "version": __version__}
    return answer if currency == DOLLARS else answer | {"currency": entry(CURRENCY, currency)}


# --- What stands inside every document about demand: files and how their rows ended, the window, jobs and the cube


def _issues(file: FileIntake) -> list[Issue]:
    """Sorted by code, those of the whole file first."""
    return sorted(file.issues, key=lambda issue: (issue.code, issue.first_row or 0))


FILE: Final = fields(
    "path",
    "kind",
    "format",
    "rows_read",
    "rows_accepted",
    "rows_rejected",
    "rows_duplicate",
    "rows_ignored",
    each("issues", fields("code", "count", "first_row", "message"), _issues),
)
FILE_WITH_FACTS: Final = (
    *FILE,
    named("facts", lambda file: {name: _plain(value) for name, value in file.facts}),
)


def checked_file(file: FileIntake) -> Document:
    """One file as `check` shows it: as in an intake, and what it says of itself.

    Its issues are sorted by code; facts that JSON has no form for are said in words.
    """
    return entry(FILE_WITH_FACTS, file)


def intake_document(files: Sequence[FileIntake]) -> Document:
    """The `intake` of every document: files in the order in which they were given."""
    return {"files": [entry(FILE, file) for file in files]}


def _plain(value: object) -> object:
    """A fact as JSON has it: what is no number, text or list is said in words; NaN and infinity are null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


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
