"""Use of the window by cluster, contract, GPU model, team and hour of the week."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.row_sums import row_blocks
from gpuplanner.domain.figures.figure import (
    Number,
    by_row,
    exact_hours,
    exactly,
    fields_of,
    floats,
    gpu_hours,
    optional,
    share,
    truth,
)
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.figures.window import TEAM, USE
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import known_sum, known_sums
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.unmatched import NOTHING_ASKED, Unmatched
from gpuplanner.domain.model.window import HOURS_OF_WEEK, Window, week_hour_of
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- Activity: what GPUs did while they were allocated, 0..1, weighted by GPU time over any part of the log


class Ran:
    """The cube's rows (workload, GPU model) as columns, to ask which of them have an activity. Masks: (rows,)."""

    def __init__(self, project: Project) -> None:
        cube = project.cube
        of_row = [project.workloads[place] for place in cube.workload_index.tolist()]
        self._cluster = np.array([workload.cluster for workload in of_row], dtype=object)
        self._team = np.array([workload.owner for workload in of_row], dtype=object)
        self._model = cube.model_index
        self._spellings = {model: number for number, model in enumerate(cube.gpu_models)}
        self._spent = (
            np.add.reduceat(cube.milli_gpu_seconds, cube.offsets[:-1]) if of_row else cube.offsets[:0]
        )
        self.total = int(self._spent.sum())
        # unknown ones make a sum unknown
        self._weighted = self._spent * floats([workload.activity for workload in of_row])
        self.anywhere: Bools = np.ones(len(of_row), dtype=np.bool_)

    def on_cluster(self, cluster: str) -> Bools:
        """Rows of a cluster."""
        return np.asarray(self._cluster == cluster, dtype=np.bool_)

    def of_model(self, model: str | None, clusters: Iterable[str]) -> Bools:
        """Rows of a model, and those of none on clusters whose contracts of that model may have served them."""
        on_clusters = np.isin(self._cluster, list(clusters)) if model is not None else self.anywhere
        stated = self._model == (-1 if model is None else self._spellings.get(model, -2))
        return np.asarray(stated | (on_clusters & (self._model == -1)), dtype=np.bool_)

    def open_to(self, contract: Contract) -> Bools:
        """Rows that a contract may have served: on its cluster, of its model or of none."""
        return self.on_cluster(contract.cluster) & self.of_model(contract.gpu_model, {contract.cluster})

    def activity(self, mask: Bools) -> float | None:
        """0..1, weighted by GPU time; None without GPU time, or where some of it has no activity."""
        spent, weighted = int(self._spent[mask].sum()), float(self._weighted[mask].sum())
        return weighted / spent if spent and not np.isnan(weighted) else None

    def by_cluster(self) -> dict[str, float | None]:
        """The activity of every cluster with GPU time, in one pass."""
        return self._by(self._cluster)

    def by_team(self) -> dict[str, float | None]:
        """The activity of every team with GPU time, in one pass."""
        return self._by(self._team)

    def _by(self, group_of_row: npt.NDArray[np.object_]) -> dict[str, float | None]:
        groups, number = np.unique(group_of_row, return_inverse=True)
        spent = np.bincount(number, self._spent, len(groups))
        activity = share(np.bincount(number, self._weighted, len(groups)), spent)
        return {
            group: value
            for group, value, amount in zip(groups, optional(activity), spent, strict=True)
            if amount
        }


# --- Hours of the week: GPU time by weekday and hour of the day, exact integers that add up to the window's

DAYS: Final = 7
HOURS: Final = 24
CELLS: Final = HOURS_OF_WEEK
EPOCH_CELL: Final = week_hour_of(0)
"""1 January 1970 was a Thursday; Monday 00:00 is cell 0."""


@dataclass(frozen=True, slots=True, eq=False)
class HoursOfWeek:
    """GPU time in the 168 hours of a week, UTC, Monday first.

    Shapes: used, capacity, hours (7, 24), int64. Units: milli-GPU-seconds; hours counts the window's hours in a
    cell. capacity is None for what is paid for by others (a team): it then has mean GPUs and no utilization.
    Law: used and capacity sum to the window's, hours to the window's length.
    """

    used: Ints
    capacity: Ints | None
    hours: Ints

    @property
    def utilization(self) -> Floats:
        """Used / capacity, 0..1, of each cell; NaN without capacity. Shape (7, 24). Formula: figures/window.py."""
        return _utilization(self.used, self._capacity)

    @property
    def utilization_by_day(self) -> Floats:
        """Used / capacity of each weekday over all its hours; NaN without capacity. Shape (7,)."""
        return _utilization(self.used.sum(axis=1), self._capacity.sum(axis=1))

    @property
    def mean_gpus(self) -> Floats:
        """GPUs in use on average in each cell; NaN where the window has no such hour. Shape (7, 24)."""
        return _mean_gpus(self.used, self.hours)

    @property
    def mean_gpus_by_day(self) -> Floats:
        """GPUs in use on average on each weekday; NaN where the window has no hour of it. Shape (7,)."""
        return _mean_gpus(self.used.sum(axis=1), self.hours.sum(axis=1))

    @property
    def _capacity(self) -> Ints:
        return np.zeros_like(self.used) if self.capacity is None else self.capacity


def _utilization(used: Ints, paid: Ints) -> Floats:
    given = {"used_gpu_hours": exactly(used), "paid_gpu_hours": exactly(paid)}
    return np.asarray(USE.value("utilization", given))


def _mean_gpus(used: Ints, hours: Ints) -> Floats:
    given = {"gpu_hours": exactly(used), "hours": hours.astype(np.float64)}
    return np.asarray(USE.value("mean_gpus", given))


def fold_hours(by_hour: Ints, window: Window) -> Ints:
    """Amounts by hour of the window summed by weekday and hour; shapes (..., hours) -> (..., 7, 24), int64."""
    before = first_cell(window)
    after = -(before + window.hours) % CELLS
    padded = np.pad(by_hour, [(0, 0)] * (by_hour.ndim - 1) + [(before, after)])
    weeks = padded.reshape(*by_hour.shape[:-1], padded.shape[-1] // CELLS, CELLS).sum(axis=-2)
    return np.asarray(weeks.reshape(*by_hour.shape[:-1], DAYS, HOURS), dtype=np.int64)


def first_cell(window: Window) -> int:
    """The cell (0..167, Monday 00:00 UTC first) of the window's first hour."""
    return week_hour_of(window.start_s)


def cell_of_hour(window: Window) -> Ints:
    """The cell (0..167, Monday 00:00 UTC first) of every hour of the window; shape (hours,)."""
    return np.asarray((first_cell(window) + np.arange(window.hours, dtype=np.int64)) % CELLS, dtype=np.int64)


def hours_in_cells(window: Window) -> Ints:
    """How many of the window's hours fall on each weekday and hour; shape (7, 24)."""
    return fold_hours(np.ones(window.hours, dtype=np.int64), window)


def used_by_team(project: Project) -> Mapping[str, Ints]:
    """Demand of each team (owner), served or not, by weekday and hour, in one pass; each (7, 24), by name.

    A team is the account of its jobs, else their user; "" where a log names neither. Teams add up to the cube.
    """
    teams = sorted({workload.owner for workload in project.workloads})
    number = {team: place for place, team in enumerate(teams)}
    weeks = used_by_number(project, [number[workload.owner] for workload in project.workloads], len(teams))
    return dict(zip(teams, weeks, strict=True))


def used_by_number(project: Project, numbers: Sequence[int], count: int) -> Ints:
    """Demand, served or not, by weekday and hour, of workloads of each number, 0 to `count`; shape (count, 7, 24).

    numbers: in the order of Project.workloads.
    """
    cube, cells_of_hours = project.cube, cell_of_hour(project.window)
    row_start = np.array(numbers, dtype=np.int64)[cube.workload_index] * CELLS
    sums = np.zeros(count * CELLS, dtype=np.int64)
    for block in row_blocks(cube):
        cells = block.spread(row_start)
        cells += cells_of_hours[cube.hour[block.entries]]
        np.add.at(sums, cells, cube.milli_gpu_seconds[block.entries])
    return sums.reshape(count, DAYS, HOURS)


# --- Use of the window by cluster, contract, GPU model and team: one kind of row for all four ----

CLUSTERS, CONTRACTS, MODELS, TEAMS = "clusters", "contracts", "gpu_models", "teams"
"""Four views of one window: fields of WindowUse, and scopes of ids of figures."""
WHOLE: Final = "\0all"
"""Subject of the sum over all rows of a view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UseInputs:
    """What a row's figures are worked out from.

    asked, all_asked, used, overflow, paid: milli-GPU-seconds, exact: of its jobs and of all, served by contracts and by
    none, paid for. used, overflow: None where nobody has said yet what of it is used; paid: None of a team.
    hours: of the window; months: of 730 h. committed_rate, on_demand_rate: $ per GPU-hour; of several contracts the
    mean by GPU-hours paid, None where one of them has none. paid_in_window: $ of its contracts. held: these.
    """

    asked: int
    all_asked: int
    hours: int
    activity: float | None
    used: int | None = None
    overflow: int | None = None
    paid: int | None = None
    committed_rate: float | None = None
    on_demand_rate: float | None = None
    paid_in_window: float | None = None
    months: float | None = None
    held: tuple[Contract, ...] = field(default=(), repr=False)

    @property
    def exact(self) -> dict[str, Number | None]:
        """The inputs of USE and TEAM by key, exact: what their explanations begin with."""
        return {
            "gpu_hours": exact_hours(self.asked),
            "all_gpu_hours": exact_hours(self.all_asked),
            "hours": float(self.hours),
            "used_gpu_hours": exact_hours(self.used),
            "overflow_gpu_hours": exact_hours(self.overflow),
            "paid_gpu_hours": exact_hours(self.paid),
            "committed_rate": self.committed_rate,
            "on_demand_rate": self.on_demand_rate,
            "activity": self.activity,
            "paid_in_window": self.paid_in_window,
            "months": self.months,
        }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Use:
    """What one cluster, contract, GPU model or team used of the window; figures are declared in figures/window.py.

    name: the cluster, contract_id, GPU model (None: no model is stated) or team ("": the log names none); is_all: of
    all of them. gpu_hours: what its jobs asked for; it is used + overflow. None is unknown, and what a team has not:
    it has no GPUs of its own. cost_per_month: what is paid for it; for a team its workloads' cost. activity: 0..1,
    weighted by GPU time; None unless every GPU job has it. inputs: what the figures were worked out from.
    """

    name: Text | None
    gpu_hours: float
    share: float | None
    mean_gpus: float
    used_gpu_hours: float | None
    paid_gpu_hours: float | None
    overflow_gpu_hours: float | None
    utilization: float | None
    below_40_percent: bool | None
    break_even_utilization: float | None
    activity: float | None
    cost_per_month: float | None
    hours_of_week: HoursOfWeek
    inputs: UseInputs = field(repr=False)
    is_all: bool = False

    @property
    def subject(self) -> str:
        """What tells it in a view."""
        return WHOLE if self.is_all else str(self.name or "")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WindowUse:
    """The same window four ways, and as a whole; rows sorted by name, an unnamed model last.

    Laws: used, capacity and their hours of the week are the same over clusters, contracts and GPU models;
    gpu_hours are the same over clusters, GPU models and teams.
    """

    everything: Use
    clusters: tuple[Use, ...]
    contracts: tuple[Use, ...]
    gpu_models: tuple[Use, ...]
    teams: tuple[Use, ...]

    def row(self, view: str, subject: str) -> Use:
        """The row of a subject. Errors: StopIteration where there is no such view or row."""
        rows: tuple[Use, ...] = getattr(self, view, ())
        return next(row for row in (*rows, self.everything) if row.subject == subject)


def use_without_contracts(use: WindowUse) -> WindowUse:
    """Return the use of a window in which nobody knows what is paid: demand stays, use of paid GPUs is unknown."""

    def unpaid(row: Use) -> Use:
        return replace(row, used_gpu_hours=None, paid_gpu_hours=None, cost_per_month=None)

    return replace(
        use,
        everything=unpaid(use.everything),
        clusters=tuple(map(unpaid, use.clusters)),
        gpu_models=tuple(map(unpaid, use.gpu_models)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """One contract as it was used: milli-GPU-seconds by weekday and hour, its rates, and $ paid in the window."""

    contract: Contract
    used: Ints
    capacity: Ints
    on_demand: float | None
    paid_in_window: float | None

    @property
    def paid(self) -> int:
        """Milli-GPU-seconds."""
        return int(self.capacity.sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A row with capacity before its figures: its contracts, what overflowed (milli-GPU-seconds), and its activity."""

    name: Text | None
    held: tuple[_Held, ...]
    overflow: int
    activity: float | None
    is_unknown: bool = False
    is_all: bool = False


def window_use(
    project: Project,
    clusters: Sequence[ClusterHours],
    on_demand: Mapping[str, float | None],
    workload_cost_per_month: Sequence[float | None],
    ran: Ran,
    asked: Unmatched = NOTHING_ASKED,
) -> WindowUse:
    """Every row of the window's use.

    on_demand: $ per GPU-hour of the cheapest eligible on-demand offer, by contract_id. workload_cost_per_month: $ in
    the order of Project.workloads. ran: the project's activity. asked: what of it nobody knows yet. Jobs that state no
    GPU model count with the model of the contract that served them.
    Source: docs/formulas/utilization.md.
    """
    held = _held(clusters, on_demand, project.window)
    lost = [
        (hours.cluster, model, amount)
        for hours in clusters
        for model, amount in zip(hours.models, hours.overflow.sum(axis=1).tolist(), strict=True)
    ]
    of_clusters = [
        _Row(
            name=hours.cluster,
            held=tuple(holding for holding in held if holding.contract.cluster == hours.cluster),
            overflow=int(hours.overflow.sum()),
            activity=ran.activity(ran.on_cluster(hours.cluster)),
            is_unknown=hours.cluster in asked.clusters,
        )
        for hours in clusters
    ]
    of_contracts = [
        _Row(
            name=holding.contract.contract_id,
            held=(holding,),
            overflow=0,
            activity=ran.activity(ran.open_to(holding.contract)),
            is_unknown=holding.contract.contract_id in asked.contracts,
        )
        for holding in sorted(held, key=lambda holding: holding.contract.contract_id)
    ]
    of_models = []
    for model in _models(held, lost):
        of_model = tuple(holding for holding in held if holding.contract.gpu_model == model)
        overflow = sum(amount for _, of, amount in lost if of == model)
        activity = ran.activity(ran.of_model(model, {holding.contract.cluster for holding in of_model}))
        of_models.append(
            _Row(
                name=model,
                held=of_model,
                overflow=overflow,
                activity=activity,
                is_unknown=model in asked.gpu_models,
            )
        )
    overflow = sum(amount for *_, amount in lost)
    whole = _Row(
        name="",
        held=tuple(held),
        overflow=overflow,
        activity=ran.activity(ran.anywhere),
        is_unknown=bool(asked.clusters),
        is_all=True,
    )
    uses = iter(_supplied([whole, *of_clusters, *of_contracts, *of_models], ran.total, project.window))
    return WindowUse(
        everything=next(uses),
        clusters=tuple(next(uses) for _ in of_clusters),
        contracts=tuple(next(uses) for _ in of_contracts),
        gpu_models=tuple(uses),
        teams=_teams(project, workload_cost_per_month, ran),
    )


def _held(
    clusters: Sequence[ClusterHours], on_demand: Mapping[str, float | None], window: Window
) -> list[_Held]:
    contracts = [contract for hours in clusters for contract in hours.contracts]
    folded = [
        each
        for hours in clusters
        for each in zip(fold_hours(hours.served, window), fold_hours(hours.capacity, window), strict=True)
    ]
    paid = CONTRACT.worked_out(
        {
            "paid_gpu_hours": gpu_hours([int(capacity.sum()) for _, capacity in folded]),
            "rate": floats([contract.rate for contract in contracts]),
        },
        ("paid_in_window",),
    )["paid_in_window"]
    return [
        _Held(
            contract=contract,
            used=used,
            capacity=capacity,
            on_demand=on_demand.get(contract.contract_id),
            paid_in_window=amount,
        )
        for contract, (used, capacity), amount in zip(contracts, folded, optional(paid), strict=True)
    ]


def _models(held: Iterable[_Held], lost: Iterable[tuple[str, str | None, int]]) -> list[str | None]:
    """Models of contracts and of overflow; demand of no stated model that was all served is with its contracts'."""
    models = {holding.contract.gpu_model for holding in held} | {model for _, model, amount in lost if amount}
    return sorted(models, key=lambda model: (model is None, model or ""))


def _supplied(rows: Sequence[_Row], all_asked: int, window: Window) -> list[Use]:
    """Rows with capacity, all at once. Of what is unknown capacity, cost and demand alone are known."""
    hours = hours_in_cells(window)
    none = np.zeros_like(hours)
    used = [sum(int(holding.used.sum()) for holding in row.held) for row in rows]
    asked = USE.worked_out(
        {"used_gpu_hours": gpu_hours(used), "overflow_gpu_hours": gpu_hours([row.overflow for row in rows])},
        ("gpu_hours",),
    )["gpu_hours"]
    inputs = [
        UseInputs(
            asked=in_all,
            all_asked=all_asked,
            hours=window.hours,
            activity=row.activity,
            used=None if row.is_unknown else served,
            overflow=None if row.is_unknown else row.overflow,
            paid=sum(holding.paid for holding in row.held),
            committed_rate=_mean_rate(
                row.held, [h.contract.rate if h.contract.is_committed else None for h in row.held]
            ),
            on_demand_rate=_mean_rate(row.held, [holding.on_demand for holding in row.held]),
            paid_in_window=known_sum(holding.paid_in_window for holding in row.held),
            months=window.months,
            held=tuple(holding.contract for holding in row.held),
        )
        for row, served, in_all in zip(rows, used, asked.milli_gpu_seconds.tolist(), strict=True)
    ]
    columns = USE.worked_out(
        {
            "gpu_hours": asked,
            "all_gpu_hours": gpu_hours([row.all_asked for row in inputs]),
            "used_gpu_hours": gpu_hours([row.used for row in inputs]),
            "overflow_gpu_hours": gpu_hours([row.overflow for row in inputs]),
            "paid_gpu_hours": gpu_hours([row.paid for row in inputs]),
        }
        | {
            key: floats([getattr(row, key) for row in inputs])
            for key in ("hours", "activity", "committed_rate", "on_demand_rate", "paid_in_window", "months")
        }
    )
    return [
        Use(
            name=row.name,
            **fields_of(Use, values) | {"below_40_percent": truth(values["below_40_percent"])},
            hours_of_week=HoursOfWeek(none, none, hours)
            if row.is_unknown
            else HoursOfWeek(
                sum((holding.used for holding in row.held), none),
                sum((holding.capacity for holding in row.held), none),
                hours,
            ),
            inputs=given,
            is_all=row.is_all,
        )
        for row, given, values in zip(rows, inputs, by_row(columns), strict=True)
    ]


def _mean_rate(held: Sequence[_Held], rates: Sequence[float | None]) -> float | None:
    """The mean by GPU-hours paid; of one contract its own. None where one that is paid for has none."""
    if len(held) == 1:
        return rates[0]
    spent = [holding.paid for holding in held]
    if not any(spent) or any(amount and rate is None for amount, rate in zip(spent, rates, strict=True)):
        return None
    return sum(amount * (rate or 0.0) for amount, rate in zip(spent, rates, strict=True)) / sum(spent)


def _teams(project: Project, workload_cost_per_month: Sequence[float | None], ran: Ran) -> tuple[Use, ...]:
    """A row for each owner with GPU time: its demand, served or not; the GPUs are not its own."""
    window, listed = project.window, zip(project.workloads, workload_cost_per_month, strict=True)
    costs = known_sums((workload.owner, cost) for workload, cost in listed if workload.milli_gpu_seconds)
    weeks = {team: used for team, used in used_by_team(project).items() if team in costs}
    activity = ran.by_team()
    inputs = [
        UseInputs(asked=int(used.sum()), all_asked=ran.total, hours=window.hours, activity=activity[team])
        for team, used in weeks.items()
    ]
    columns = TEAM.worked_out(
        {
            "gpu_hours": gpu_hours([row.asked for row in inputs]),
            "all_gpu_hours": gpu_hours([row.all_asked for row in inputs]),
            "hours": floats([row.hours for row in inputs]),
        }
    )
    hours = hours_in_cells(window)
    return tuple(
        Use(
            name=team,
            **fields_of(Use, values),
            used_gpu_hours=None,
            paid_gpu_hours=None,
            overflow_gpu_hours=None,
            utilization=None,
            below_40_percent=False,
            break_even_utilization=None,
            activity=given.activity,
            cost_per_month=costs[team],
            hours_of_week=HoursOfWeek(weeks[team], None, hours),
            inputs=given,
        )
        for team, given, values in zip(weeks, inputs, by_row(columns), strict=True)
    )
