"""The use of a window by cluster, contract, GPU model and team; its energy and CO2, and those of a plan."""

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Final, Protocol

from gpuplanner.domain.audit.cost_result import NOBODY
from gpuplanner.domain.audit.energy import (
    CONTRACT,
    OF_TEAM,
    OVERFLOW,
    WORKLOAD,
    EnergyRow,
    WindowEnergy,
    teams_of,
)
from gpuplanner.domain.audit.use_by import CLUSTERS, CONTRACTS, MODELS, TEAMS, Use, WindowUse
from gpuplanner.domain.commitment.result import EnergyOfPool, PlanEnergy
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.energy import ENERGY, PLAN_ENERGY
from gpuplanner.domain.figures.typed import decimals, whole
from gpuplanner.domain.figures.window import TEAM, USE
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.reports import report
from gpuplanner.lazy_dataclass import dataclass, replace

# --- The use of a window four ways: by cluster, contract, GPU model and team, each with the sum of its rows

READ: Final = report.WINDOW | report.TERMINAL
LISTED: Final = READ | report.DOCUMENT_ALONE
TEAMS_SHOWN: Final = 20
OF_TEAMS: Final = ("gpu_hours", "share", "mean_gpus", "activity", "cost_per_month")
UNDER_40: Final = USE["below_40_percent"]
BY_USE: Final = worded("On demand: no break-even applies.")
NO_CAPACITY: Final = USE["utilization"].unknown


def name_of(row: Use) -> Text:
    """The name of a row; what the log does not state is said.

    Of jobs that name no team, or no GPU model.
    """
    return row.name or titles.NOT_STATED


def _facts(row: Use) -> Message:
    """GPU-hours behind a row's share, to a tenth."""
    parts = [
        worded(
            "{hours} GPU-h requested, {mean} GPUs on average",
            hours=decimals(row.gpu_hours),
            mean=decimals(row.mean_gpus),
        )
    ]
    if row.paid_gpu_hours is not None:
        parts.append(
            worded(
                "{used} used of {paid} GPU-h paid",
                used=decimals(row.used_gpu_hours),
                paid=decimals(row.paid_gpu_hours),
            )
        )
    if row.overflow_gpu_hours:
        parts.append(worded("{hours} GPU-h served by no contract", hours=decimals(row.overflow_gpu_hours)))
    return joined(parts if row.is_all else (name_of(row), *parts), "\n")


def _if_paid(row: Use) -> float | None:
    """What it costs; unknown where nobody said what is paid: that is not 0."""
    return row.cost_per_month if row.paid_gpu_hours else None


def _no_use(row: Use) -> report.Unknown:
    """Why a row has no utilization: its jobs are not known, or nothing is paid for."""
    return report.Unknown(USE["used_gpu_hours"].unknown if row.paid_gpu_hours else NO_CAPACITY)


def _no_break_even(row: Use) -> report.Unknown:
    """Why a row has no break-even: it is paid by use, has no committed rate, or nothing is paid for."""
    held = row.inputs.held
    if any(not contract.is_committed for contract in held):
        return report.Unknown(BY_USE, worded("n/a"))
    return report.Unknown(USE["break_even_utilization"].unknown if held else NO_CAPACITY)


def _no_cost(row: Use) -> report.Unknown:
    """Why a row has no cost: a rate is missing, or nothing is paid for."""
    return report.Unknown(USE["cost_per_month"].unknown if row.paid_gpu_hours else NO_CAPACITY)


def _named(key: str, title: Message) -> list[report.Column]:
    """The name of a row: a field of documents, and the first column where it is read."""
    return [
        report.Column(key=key, media=report.DOCUMENT_ALONE, value="name"),
        report.text(key, title, name_of, media=READ, form="name", tip=_facts),
    ]


def _supplied(view: str, title: Message, key: str, heading: Message, media: report.Media) -> report.Report:
    """A report about what is paid for, by one view. key, heading: of a row's name."""
    rows = attrgetter(view)
    return report.Report(
        title=title,
        rows=rows,
        key=attrgetter("subject"),
        scope=view,
        total=_sum_of(rows),
        total_media=report.WINDOW,
        media=media,
        adds_up=True,
    ).with_columns(
        *_named(key, heading),
        *report.of_subject(USE, "gpu_hours", "share", "mean_gpus", "used_gpu_hours"),
        *report.of_subject(USE, "paid_gpu_hours", "overflow_gpu_hours"),
        report.Column(figure=USE["gpu_hours"], media=report.TERMINAL),
        report.Column(
            figure=USE["utilization"],
            media=report.WINDOW,
            form="bar",
            flag=UNDER_40,
            mark=USE["break_even_utilization"],
            unknown=_no_use,
        ),
        report.Column(figure=USE["utilization"], flag=UNDER_40, unknown=_no_use),
        report.named(UNDER_40),
        report.Column(figure=USE["break_even_utilization"], unknown=_no_break_even),
        report.Column(figure=USE["activity"]),
        report.Column(figure=USE["cost_per_month"], media=READ, value=_if_paid, unknown=_no_cost),
        report.named(USE["cost_per_month"]),
    )


def _sum_of(rows: Callable[[WindowUse], Sequence[Use]]) -> Callable[[WindowUse], Use | None]:
    """The row under several ones; one needs none."""

    def total(use: WindowUse) -> Use | None:
        count = len(rows(use))
        return replace(use.everything, name=worded("All {rows}", rows=whole(count))) if count > 1 else None

    return total


def _largest(row: Use) -> tuple[float, str]:
    """Key for sorting: most GPU-hours first, then by name."""
    return -row.gpu_hours, str(row.name or "")


def _all_teams(use: WindowUse) -> Use | None:
    """All GPU time, at what the workloads of teams cost and not at what is paid."""
    total = _sum_of(attrgetter("teams"))(use)
    costs = known_sum(row.cost_per_month for row in use.teams)
    return None if total is None else replace(total, cost_per_month=costs)


USES: Final = {
    CLUSTERS: _supplied(CLUSTERS, worded("By cluster"), "cluster", worded("Cluster"), report.WINDOW),
    CONTRACTS: _supplied(CONTRACTS, worded("By contract"), "contract_id", worded("Contract"), report.WINDOW),
    MODELS: _supplied(MODELS, worded("By GPU model"), "gpu_model", worded("GPU model"), LISTED),
    TEAMS: report.Report(
        title=worded("By team"),
        rows=attrgetter("teams"),
        key=attrgetter("subject"),
        scope=TEAMS,
        order={report.Medium.WINDOW: _largest, report.Medium.TERMINAL: _largest},
        total=_all_teams,
        total_media=report.WINDOW,
        media=LISTED,
        limits={report.Medium.TERMINAL: TEAMS_SHOWN},
        adds_up=True,
    ).with_columns(*_named("team", worded("Team")), *(report.Column(figure=TEAM[key]) for key in OF_TEAMS)),
}
"""View -> its rows: how the use of what is paid for can be looked at."""


# --- Energy and CO2 of the past, by what ran and by what it ran on, and of a plan, by pool -------

ENERGY_READ: Final = report.WINDOW | report.TERMINAL | report.SHEET
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


def _total(title: Text, energy: WindowEnergy | PlanEnergy) -> EnergyTotal:
    return EnergyTotal(title, energy.kwh_per_month, energy.kg_co2_per_month, energy.peak_kw)


def _name(row: EnergyRow | EnergyTotal) -> Text:
    """A contract by its name; what overflowed, and what stood idle, in words."""
    if isinstance(row, EnergyTotal):
        return row.name
    if row.kind == OVERFLOW:
        return worded("Overflow of {name}", name=row.name or worded("no cluster"))
    return row.called or row.name


def _servers(of: HasEnergy) -> Sequence[EnergyRow]:
    return (*of.energy.contracts, *of.energy.overflow)


def _workloads(of: HasEnergy) -> Sequence[EnergyRow]:
    return of.energy.workloads


def _of_kind(kind: str) -> tuple[report.Column, ...]:
    """The field of a document that names a row of a kind."""
    key = {CONTRACT: "contract_id", OVERFLOW: "cluster", WORKLOAD: "key", OF_TEAM: "team"}[kind]
    return (report.Column(key=key, media=report.DOCUMENT_ALONE, value="name"),)


_TEAM: Final = report.text("team", worded("Team"), lambda row: row.team or NOBODY, media=report.WINDOW)
_PEAK: Final = report.Column(
    figure=ENERGY["peak_kw"],
    media=report.WINDOW,
    value=lambda row: row.peak_kw if isinstance(row, EnergyTotal) else None,
    unknown=lambda row: (
        report.Unknown(ENERGY["peak_kw"].unknown)
        if isinstance(row, EnergyTotal)
        else report.Unknown(worded("The largest hour includes all"), "")
    ),
)


def _columns(kind: str, title: Message) -> tuple[report.Column, ...]:
    return (
        *_of_kind(kind),
        report.text("name", title, _name, media=ENERGY_READ, tip=lambda row: row.name),
        *((_TEAM,) if kind == WORKLOAD else ()),
        report.Column(figure=ENERGY["kwh_per_month"]),
        report.Column(figure=ENERGY["kg_co2_per_month"]),
        *((_PEAK,) if kind == CONTRACT else ()),
    )


def _most_first(row: EnergyRow) -> tuple[bool, float, str]:
    """Most energy first, what nobody knows behind it."""
    return row.kwh_per_month is None, -(row.kwh_per_month or 0.0), row.name


def build_use_report(kind: str, title: Text, heading: Message, rows: object) -> report.Report:
    return report.Report(
        title=title,
        rows=rows,  # type: ignore[arg-type]
        key=row_key,
        columns=_columns(kind, heading),
        order={report.Medium.WINDOW: _most_first, report.Medium.TERMINAL: _most_first}
        if kind != CONTRACT
        else {},
        total=(lambda of: _total(titles.ALL_OF_IT, of.energy)) if kind == CONTRACT else None,
        media=ENERGY_READ | report.DOCUMENT_ALONE,
    )


ENERGY_OF_CONTRACTS: Final = build_use_report(
    CONTRACT, ENERGY["kwh_per_month"].title, worded("Contract"), _servers
)
"""What each contract took, in use and idle, and what overflowed: together the window as a month."""
ENERGY_OF_WORKLOADS: Final = build_use_report(
    WORKLOAD, worded("Workload energy"), worded("Workload"), _workloads
)
"""What the jobs of each took, wherever they ran, most first."""


def _teams(of: HasEnergy) -> Sequence[EnergyRow]:
    return teams_of(of.energy)


ENERGY_OF_TEAMS: Final = build_use_report(OF_TEAM, worded("Team energy"), worded("Team"), _teams)


def _pool(row: EnergyOfPool | EnergyTotal) -> Text:
    if isinstance(row, EnergyTotal):
        return row.name
    return titles.IDLE if row.pool is None else POOL_TITLES[row.pool]


def _no_peak(row: EnergyOfPool | EnergyTotal) -> report.Unknown:
    """What stands idle has no hour of its own."""
    if isinstance(row, EnergyOfPool) and row.pool is None:
        return report.Unknown(worded("The largest hour includes all"), "")
    return report.Unknown(PLAN_ENERGY["peak_kw"].unknown)


ENERGY_OF_PLAN: Final = report.Report(
    title=worded("Energy of the plan"),
    rows=attrgetter("by_pool"),
    key=lambda row: "" if isinstance(row, EnergyTotal) else str(row.pool or IDLE),
    total=partial(_total, titles.THE_PLAN),
    media=ENERGY_READ | report.DOCUMENT_ALONE,
).with_columns(
    report.named("pool", "pool.value"),
    report.text("name", worded("Pool"), _pool, media=ENERGY_READ),
    *report.of_subject(PLAN_ENERGY, "kwh_per_month", "kg_co2_per_month", media=report.EVERYWHERE),
    report.Column(
        figure=PLAN_ENERGY["peak_kw"], media=report.WINDOW | report.DOCUMENT_ALONE, unknown=_no_peak
    ),
)
