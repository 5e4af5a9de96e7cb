"""Energy and CO2 of the past, by what ran and by what it ran on, and of a plan, by pool."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from gpuplanner.domain.audit.costs.charge_words import NOBODY
from gpuplanner.domain.audit.use.energy_rows import CONTRACT, OVERFLOW, WORKLOAD, EnergyRow, WindowEnergy
from gpuplanner.domain.commitment.result import EnergyOfPool, PlanEnergy
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.costs.energy import ENERGY, PLAN_ENERGY
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.pool import POOL_TITLES
from gpuplanner.domain.reports.report import (
    DOCUMENT_ALONE,
    SHEET,
    TERMINAL,
    WINDOW,
    Column,
    Medium,
    Report,
    Unknown,
)

READ: Final = WINDOW | TERMINAL | SHEET
IDLE: Final = "idle"


@dataclass(frozen=True, slots=True)
class EnergyTotal:
    """The row under all others: a month of all of it, and its largest hour; None is unknown."""

    name: Text
    kwh_per_month: float | None
    kg_co2_per_month: float | None
    peak_kw: float | None


def row_key(row: EnergyRow | EnergyTotal) -> str:
    """What tells a row from others: its kind and name; the row under all of them has none."""
    return "" if isinstance(row, EnergyTotal) else f"{row.kind}\t{row.name}"


class HasEnergy(Protocol):
    """An audit, or what was worked out beside one."""

    @property
    def energy(self) -> WindowEnergy:
        """That of the window."""


def _total(of: HasEnergy) -> EnergyTotal:
    energy = of.energy
    return EnergyTotal(titles.ALL_OF_IT, energy.kwh_per_month, energy.kg_co2_per_month, energy.peak_kw)


def _name(row: EnergyRow | EnergyTotal) -> Text:
    """A contract by its name; what overflowed, and what stood idle, in words."""
    if isinstance(row, EnergyTotal):
        return row.name
    if row.kind == OVERFLOW:
        return worded("Overflow of {cluster}", cluster=row.name or worded("no cluster"))
    return row.called or row.name


def _servers(of: HasEnergy) -> Sequence[EnergyRow]:
    return (*of.energy.contracts, *of.energy.overflow)


def _workloads(of: HasEnergy) -> Sequence[EnergyRow]:
    return of.energy.workloads


def _of_kind(kind: str) -> tuple[Column, ...]:
    """The field of a document that names a row of a kind."""
    key = {CONTRACT: "contract_id", OVERFLOW: "cluster", WORKLOAD: "key"}[kind]
    return (Column(key=key, media=DOCUMENT_ALONE, value=lambda row: row.name),)


_TEAM: Final = Column(key="team", title=worded("Team"), media=WINDOW, value=lambda row: row.team or NOBODY)
_PEAK: Final = Column(
    ENERGY["peak_kw"],
    media=WINDOW,
    value=lambda row: row.peak_kw if isinstance(row, EnergyTotal) else None,
    unknown=lambda row: (
        Unknown(ENERGY["peak_kw"].unknown)
        if isinstance(row, EnergyTotal)
        else Unknown(worded("The largest hour is of all of it"), "")
    ),
)


def _columns(kind: str, title: Message) -> tuple[Column, ...]:
    return (
        *_of_kind(kind),
        Column(key="name", title=title, media=READ, value=_name, tip=lambda row: row.name),
        *((_TEAM,) if kind == WORKLOAD else ()),
        Column(ENERGY["kwh_per_month"]),
        Column(ENERGY["kg_co2_per_month"]),
        *(() if kind == WORKLOAD else (_PEAK,)),
    )


def _most_first(row: EnergyRow) -> tuple[bool, float, str]:
    """Most energy first, what nobody knows behind it."""
    return row.kwh_per_month is None, -(row.kwh_per_month or 0.0), row.name


def _report(kind: str, title: Text, heading: Message, rows: object) -> Report:
    return Report(
        title=title,
        one="row",
        many="rows",
        rows=rows,  # type: ignore[arg-type]
        key=row_key,
        columns=_columns(kind, heading),
        order={Medium.WINDOW: _most_first, Medium.TERMINAL: _most_first} if kind == WORKLOAD else {},
        total=_total if kind == CONTRACT else None,
        media=READ | DOCUMENT_ALONE,
        adds_up=False,
    )


ENERGY_OF_CONTRACTS: Final = _report(CONTRACT, ENERGY["kwh_per_month"].title, worded("Contract"), _servers)
"""What each contract took, in use and idle, and what overflowed: together the window as a month."""
ENERGY_OF_WORKLOADS: Final = _report(WORKLOAD, worded("Energy of workloads"), worded("Workload"), _workloads)
"""What the jobs of each took, wherever they ran, most first."""


def _pools(energy: PlanEnergy) -> Sequence[EnergyOfPool]:
    return energy.by_pool


def _pool(row: EnergyOfPool | EnergyTotal) -> Text:
    if isinstance(row, EnergyTotal):
        return row.name
    return titles.IDLE if row.pool is None else POOL_TITLES[row.pool]


def _no_peak(row: EnergyOfPool | EnergyTotal) -> Unknown:
    """What stands idle has no hour of its own."""
    if isinstance(row, EnergyOfPool) and row.pool is None:
        return Unknown(worded("The largest hour is of all of it"), "")
    return Unknown(PLAN_ENERGY["peak_kw"].unknown)


def _plan_total(energy: PlanEnergy) -> EnergyTotal:
    return EnergyTotal(titles.THE_PLAN, energy.kwh_per_month, energy.kg_co2_per_month, energy.peak_kw)


ENERGY_OF_PLAN: Final = Report(
    title=worded("Energy of the plan"),
    one="pool",
    many="pools",
    rows=_pools,
    key=lambda row: "" if isinstance(row, EnergyTotal) else str(row.pool or IDLE),
    columns=(
        Column(
            key="pool", media=DOCUMENT_ALONE, value=lambda row: None if row.pool is None else row.pool.value
        ),
        Column(key="name", title=worded("Pool"), media=READ, value=_pool),
        Column(PLAN_ENERGY["kwh_per_month"]),
        Column(PLAN_ENERGY["kg_co2_per_month"]),
        Column(PLAN_ENERGY["peak_kw"], media=WINDOW | DOCUMENT_ALONE, unknown=_no_peak),
    ),
    total=_plan_total,
    media=READ | DOCUMENT_ALONE,
    adds_up=False,
)
