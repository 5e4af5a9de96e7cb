"""Use of the window by cluster, contract, GPU model and team: one kind of row for all four."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.audit.use.hours_of_week import HoursOfWeek, fold_hours, hours_in_cells, used_by_team
from gpuplanner.domain.audit.use.stranded import priced
from gpuplanner.domain.audit.use.utilization import ClusterHours, is_flagged
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.log.cube import Ints
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.names.unmatched import NOTHING_ASKED, Unmatched
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """What one cluster, contract, GPU model or team used of the window, and what it was charged.

    name: the cluster, contract_id, GPU model (None: no model is stated) or team ("": the log names none).
    Units: GPU-hours of the window; $ a month. gpu_hours: what its jobs asked for; it is used + overflow.
    used, capacity, overflow: None for a team, which has no GPUs of its own; so it has no utilization, only a share
    of all GPU-hours (0..1, None without any) and mean GPUs. usd_per_month: what is paid for it; for a team its
    workloads' cost. activity: 0..1, weighted by GPU time; None unless every GPU job has it.
    break_even_utilization: committed over on-demand rate, over all its contracts; None where one is paid by use
    or has no price to compare with.
    """

    name: str | None
    gpu_hours: float
    share: float | None
    mean_gpus: float
    used_gpu_hours: float | None
    capacity_gpu_hours: float | None
    overflow_gpu_hours: float | None
    utilization: float | None
    below_40_percent: bool | None
    break_even_utilization: float | None
    activity: float | None
    usd_per_month: float | None
    hours_of_week: HoursOfWeek


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True)
class _Held:
    """One contract as it was used: milli-GPU-seconds by weekday and hour, and the rate it is measured against."""

    contract: Contract
    used: Ints
    capacity: Ints
    on_demand: float | None


@dataclass(frozen=True, slots=True)
class _Scale:
    """What every row is measured by. hours: of the window in each cell, (7, 24); total: all demand, milli-GPU-s."""

    window: Window
    hours: Ints
    total: int

    def share(self, spent: int) -> float | None:
        return spent / self.total if self.total else None

    def mean_gpus(self, spent: int) -> float:
        return _gpu_hours(spent) / self.window.hours


def window_use(
    project: Project,
    clusters: Sequence[ClusterHours],
    on_demand: Mapping[str, float | None],
    workload_usd_per_month: Sequence[float | None],
    asked: Unmatched = NOTHING_ASKED,
) -> WindowUse:
    """Every row of the window's use.

    on_demand: $ per GPU-hour of the cheapest eligible on-demand offer, by contract_id. workload_usd_per_month: in
    the order of Project.workloads. Jobs that state no GPU model count with the model of the contract that served
    them. asked: what of it nobody knows yet. Source: docs/formulas.md, Utilization and stranded spend.
    """
    held = _held(clusters, on_demand, project.window)
    lost = [
        (hours.cluster, model, amount)
        for hours in clusters
        for model, amount in zip(hours.models, hours.overflow.sum(axis=1).tolist(), strict=True)
    ]
    ran = _Ran(project)
    scale = _Scale(project.window, hours_in_cells(project.window), ran.total)

    def row(name: str | None, mine: list[_Held], overflow: int, activity: float | None) -> Use:
        return _supplied(name, mine, overflow, activity, scale)

    of_models = []
    for model in _models(held, lost):
        mine = [one for one in held if one.contract.gpu_model == model]
        overflow = sum(amount for _, of, amount in lost if of == model)
        activity = ran.activity(ran.of_model(model, {one.contract.cluster for one in mine}))
        of_models.append(row(model, mine, overflow, activity))
    use = WindowUse(
        everything=row("", held, sum(amount for *_, amount in lost), ran.activity(ran.anywhere)),
        clusters=tuple(
            row(
                hours.cluster,
                [one for one in held if one.contract.cluster == hours.cluster],
                int(hours.overflow.sum()),
                ran.activity(ran.on_cluster(hours.cluster)),
            )
            for hours in clusters
        ),
        contracts=tuple(
            row(one.contract.contract_id, [one], 0, ran.activity(ran.open_to(one.contract)))
            for one in sorted(held, key=lambda one: one.contract.contract_id)
        ),
        gpu_models=tuple(of_models),
        teams=_teams(project, workload_usd_per_month, scale),
    )
    return _with_unknown(use, asked) if asked.is_any else use


def _with_unknown(use: WindowUse, asked: Unmatched) -> WindowUse:
    """The rows of which nobody knows yet what of them was used: their capacity, cost and demand alone are known."""

    def unknown(row: Use) -> Use:
        none = np.zeros_like(row.hours_of_week.used)
        return replace(
            row,
            used_gpu_hours=None,
            overflow_gpu_hours=None,
            utilization=None,
            below_40_percent=None,
            hours_of_week=HoursOfWeek(none, none, row.hours_of_week.hours),
        )

    return WindowUse(
        unknown(use.everything),
        tuple(unknown(row) if row.name in asked.clusters else row for row in use.clusters),
        tuple(unknown(row) if row.name in asked.contracts else row for row in use.contracts),
        tuple(unknown(row) if row.name in asked.gpu_models else row for row in use.gpu_models),
        use.teams,
    )


def break_even(contract: Contract, on_demand: float | None) -> float | None:
    """Committed rate over the on-demand rate; what is paid by use has nothing to break even against."""
    return contract.rate / on_demand if contract.is_committed and contract.rate and on_demand else None


def _held(
    clusters: Sequence[ClusterHours], on_demand: Mapping[str, float | None], window: Window
) -> list[_Held]:
    held = []
    for hours in clusters:
        used, capacity = fold_hours(hours.served, window), fold_hours(hours.capacity, window)
        held += [
            _Held(contract, used[place], capacity[place], on_demand.get(contract.contract_id))
            for place, contract in enumerate(hours.contracts)
        ]
    return held


def _models(held: Iterable[_Held], lost: Iterable[tuple[str, str | None, int]]) -> list[str | None]:
    """Models of contracts and of overflow; demand of no stated model that was all served is with its contracts'."""
    models = {one.contract.gpu_model for one in held} | {model for _, model, amount in lost if amount}
    return sorted(models, key=lambda model: (model is None, model or ""))


def _supplied(
    name: str | None, held: Sequence[_Held], overflow: int, activity: float | None, scale: _Scale
) -> Use:
    """A row with capacity: one contract or several."""
    none = np.zeros_like(scale.hours)
    week = HoursOfWeek(
        sum((one.used for one in held), none), sum((one.capacity for one in held), none), scale.hours
    )
    used, capacity = int(week.used.sum()), sum(int(one.capacity.sum()) for one in held)
    paid = priced(np.array([int(one.capacity.sum()) for one in held]), [one.contract.rate for one in held])
    return Use(
        name=name,
        gpu_hours=_gpu_hours(used + overflow),
        share=scale.share(used + overflow),
        mean_gpus=scale.mean_gpus(used + overflow),
        used_gpu_hours=_gpu_hours(used),
        capacity_gpu_hours=_gpu_hours(capacity),
        overflow_gpu_hours=_gpu_hours(overflow),
        utilization=used / capacity if capacity else None,
        below_40_percent=is_flagged(used, capacity),
        break_even_utilization=_break_even_together(held),
        activity=activity,
        usd_per_month=None if paid is None else paid / scale.window.months,
        hours_of_week=week,
    )


def _break_even_together(held: Sequence[_Held]) -> float | None:
    """What all contracts cost over what their GPU-hours cost on demand; None where one has no break-even."""
    each = [(one, break_even(one.contract, one.on_demand)) for one in held]
    if len(each) == 1:
        return each[0][1]
    paid = on_demand = 0.0
    for one, alone in each:
        spent = int(one.capacity.sum())
        if spent and (alone is None or one.on_demand is None):
            return None
        if alone is not None and one.on_demand is not None:
            paid += spent * one.on_demand * alone
            on_demand += spent * one.on_demand
    return paid / on_demand if on_demand else None


def _teams(
    project: Project, workload_usd_per_month: Sequence[float | None], scale: _Scale
) -> tuple[Use, ...]:
    """A row for each owner with GPU time: its demand, served or not; the GPUs are not its own."""
    usd: dict[str, list[float | None]] = {}
    worked: dict[str, list[Workload]] = {}
    for workload, cost in zip(project.workloads, workload_usd_per_month, strict=True):
        if workload.milli_gpu_seconds:
            usd.setdefault(workload.owner, []).append(cost)
            worked.setdefault(workload.owner, []).append(workload)
    rows = []
    for team, used in used_by_team(project).items():
        if team in worked:
            spent = int(used.sum())
            rows.append(
                Use(
                    name=team,
                    gpu_hours=_gpu_hours(spent),
                    share=scale.share(spent),
                    mean_gpus=scale.mean_gpus(spent),
                    used_gpu_hours=None,
                    capacity_gpu_hours=None,
                    overflow_gpu_hours=None,
                    utilization=None,
                    below_40_percent=False,
                    break_even_utilization=None,
                    activity=_team_activity(worked[team]),
                    usd_per_month=known_sum(usd[team]),
                    hours_of_week=HoursOfWeek(used, None, scale.hours),
                )
            )
    return tuple(rows)


def _team_activity(workloads: Sequence[Workload]) -> float | None:
    weighted = 0.0
    for workload in workloads:
        if workload.activity is None:
            return None
        weighted += workload.milli_gpu_seconds * workload.activity
    return weighted / sum(workload.milli_gpu_seconds for workload in workloads)


class _Ran:
    """The cube's rows (workload, GPU model) as columns, to ask which of them have an activity. Masks: (rows,)."""

    def __init__(self, project: Project) -> None:
        cube = project.cube
        of_row = [project.workloads[place] for place in cube.workload_index.tolist()]
        self._cluster = np.array([workload.cluster for workload in of_row], dtype=object)
        self._model = cube.model_index
        self._spellings = {model: number for number, model in enumerate(cube.gpu_models)}
        self._spent = (
            np.add.reduceat(cube.milli_gpu_seconds, cube.offsets[:-1]) if of_row else cube.offsets[:0]
        )
        self.total = int(self._spent.sum())
        known = [np.nan if workload.activity is None else workload.activity for workload in of_row]
        self._weighted = self._spent * np.array(known, dtype=np.float64)  # unknown ones make a sum unknown
        self.anywhere: Mask = np.ones(len(of_row), dtype=np.bool_)

    def on_cluster(self, cluster: str) -> Mask:
        return np.asarray(self._cluster == cluster, dtype=np.bool_)

    def of_model(self, model: str | None, clusters: Iterable[str]) -> Mask:
        """Rows of a model, and those of none on clusters whose contracts of that model may have served them."""
        there = np.isin(self._cluster, list(clusters)) if model is not None else self.anywhere
        stated = self._model == (-1 if model is None else self._spellings.get(model, -2))
        return np.asarray(stated | (there & (self._model == -1)), dtype=np.bool_)

    def open_to(self, contract: Contract) -> Mask:
        """Rows that a contract may have served: on its cluster, of its model or of none."""
        return self.on_cluster(contract.cluster) & self.of_model(contract.gpu_model, {contract.cluster})

    def activity(self, mask: Mask) -> float | None:
        """0..1, weighted by GPU time; None without GPU time, or where some of it has no activity."""
        spent, weighted = int(self._spent[mask].sum()), float(self._weighted[mask].sum())
        return weighted / spent if spent and not np.isnan(weighted) else None


def _gpu_hours(milli_gpu_seconds: int) -> float:
    return milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR
