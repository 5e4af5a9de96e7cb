"""Evidence: what traces look at, hour by hour: who asked for GPU time, which contract served it, what overflowed."""

from collections.abc import Callable
from functools import cached_property
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.audit import leak_claims, use_by
from gpuplanner.domain.audit.result import Audit, ClusterAudit, ContractAudit
from gpuplanner.domain.audit.spend.on_demand_rates import eligible_rates
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window, served_by_model
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.message import NO_WORDS, Message, Text, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.domain.model.window import LONG_DAYS, Window
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """What one workload asked for in some hours, and what of it was served.

    place: in Project.workloads; asked: milli-GPU-seconds, exact; served_gpu_hours: its part, by GPU time, of what
    its GPU model was served in each hour.
    """

    place: int
    asked: int
    served_gpu_hours: float


@dataclass(frozen=True)
class Evidence:
    """A project, its audit, and the hours behind it. Made once an audit, when a figure is first asked about.

    fit: of every workload on what it runs on, in the order of Project.workloads; empty while it is worked out.
    """

    project: Project
    audit: Audit
    past: leak_claims.Past
    fit: tuple[WorkloadFit, ...] = ()

    @cached_property
    def _hours(self) -> dict[str, ClusterHours]:
        return {hours.cluster: hours for hours in self.past.clusters}

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Place in Project.workloads by key."""
        return {workload.key: place for place, workload in enumerate(self.project.workloads)}

    @cached_property
    def names(self) -> dict[str, Text]:
        """What workloads are called, by key: where two have one name, with what tells them apart."""
        return told_apart(self.project.workloads)

    @property
    def months(self) -> float:
        """Length of the window in months of 730 h."""
        return self.project.window.months

    def hours(self, cluster: str) -> ClusterHours:
        """A cluster hour by hour. Errors: KeyError for a cluster that has neither jobs nor contracts."""
        return self._hours[cluster]

    def cluster(self, cluster: str) -> ClusterAudit:
        """A cluster's row of the audit."""
        return next(row for row in self.audit.clusters if row.cluster == cluster)

    def contract(self, contract_id: str) -> tuple[ClusterHours, int, Contract, ContractAudit]:
        """A contract: its cluster, its place there, itself, and its row of the audit."""
        row = next(row for row in self.audit.contracts if row.contract_id == contract_id)
        hours = self.hours(row.cluster)
        place = next(place for place, held in enumerate(hours.contracts) if held.contract_id == contract_id)
        return hours, place, hours.contracts[place], row

    def inside(self, scope: str, cluster: str) -> Bools:
        """The hours that a scope is about on a cluster; shape (hours,)."""
        return hours_in(scope, self.project.window, self.hours(cluster))

    def shares(self, scope: str, cluster: str, contract: int | None = None) -> tuple[Share, ...]:
        """The workloads of a cluster that asked for GPU time in a scope's hours, most GPU time first.

        contract: only what this one (its place on the cluster) served; workloads that it served nothing are left out.
        Law: served_gpu_hours add up to what the cluster (or the contract) served in those hours.
        """
        hours, cube = self.hours(cluster), self.project.cube
        here = np.array([workload.cluster == cluster for workload in self.project.workloads], dtype=bool)
        rows = np.flatnonzero(here[cube.workload_index]) if len(cube.workload_index) else cube.workload_index
        if not len(rows):
            return ()
        inside = self.inside(scope, cluster)
        lengths = np.diff(cube.offsets)[rows]
        entries = np.repeat(cube.offsets[rows], lengths) + _counters(lengths)
        workload = np.repeat(cube.workload_index[rows], lengths)
        model = np.repeat(cube.model_index[rows], lengths)
        hour, amount = (
            cube.hour[entries],
            np.where(inside[cube.hour[entries]], cube.milli_gpu_seconds[entries], 0),
        )
        part = self._served_part(hours, contract)[model, hour]
        size = len(self.project.workloads)
        asked = np.zeros(size, dtype=np.int64)
        np.add.at(asked, workload, amount)
        served = np.bincount(workload, weights=amount * part, minlength=size) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        shares = [
            Share(place, int(asked[place]), float(served[place]))
            for place in np.flatnonzero(asked).tolist()
            if contract is None or served[place] > 0
        ]
        return tuple(sorted(shares, key=lambda share: (-share.served_gpu_hours, -share.asked, share.place)))

    def asked(self, scope: str, key: str) -> int:
        """Milli-GPU-seconds that a workload asked for in a scope's hours: what its job rows add up to."""
        place = self.place_of[key]
        hours, amount = self.project.cube.hours_of(place)
        return int(amount[self.inside(scope, self.project.workloads[place].cluster)[hours]].sum())

    def _served_part(self, hours: ClusterHours, contract: int | None) -> Floats:
        """Served / demanded of each GPU model in each hour, by the cube's model index; (models + 1, hours)."""
        models = self.project.cube.gpu_models
        table = np.zeros((len(models) + 1, self.project.cube.hours))  # -1, the unknown model, is the last row
        served = hours.served_demand if contract is None else served_by_model(hours)[:, contract]
        for number, model in enumerate(hours.models):
            demand = hours.demand[number].sum(axis=0)
            row = -1 if model is None else models.index(model)
            np.divide(served[number], demand, out=table[row], where=demand > 0)
        return table


def evidence_of(project: Project, audit: Audit, fit: tuple[WorkloadFit, ...] = ()) -> Evidence:
    """The hours behind an audit, worked out again from the project and its classes."""
    classifications = tuple(row.classification for row in audit.workloads)
    classes = [row.pool for row in classifications]
    past = leak_claims.Past(
        project=project,
        classifications=classifications,
        clusters=dispatch_window(project, classes),
        workload_usd_per_month=tuple(row.usd_per_month for row in audit.workloads),
        rates=eligible_rates(project, classes),
    )
    return Evidence(project, audit, past, fit)


def hours_in(scope: str, window: Window, hours: ClusterHours) -> Bools:
    """The hours a scope is about; shape (hours,).

    "" all; `idle` those without training on the cluster, `busy` the others; `day-3` Thursdays; `hour-3-14`
    Thursdays from 14:00 to 15:00 UTC. Errors: KeyError for another scope.
    """
    name, _, rest = scope.partition("-")
    return _SCOPES[name](window, hours, [int(number) for number in rest.split("-")] if rest else [])


def scope_words(scope: str, cluster: str = "") -> Message:
    """A scope in words that end a sentence: "in hours without training"; "" for all hours."""
    name, _, rest = scope.partition("-")
    numbers = [int(number) for number in rest.split("-")] if rest else []
    if name == "hour":
        day, hour = numbers
        return worded(
            "on {weekday}s, {from_hour}:00 to {to_hour}:00 UTC",
            weekday=LONG_DAYS[day],
            from_hour=f"{hour:02d}",
            to_hour=f"{hour + 1:02d}",
        )
    if name == "day":
        return worded("on {weekday}s, UTC", weekday=LONG_DAYS[numbers[0]])
    where = worded(" on {cluster}", cluster=cluster) if cluster else ""
    return {
        "": NO_WORDS,
        "idle": worded("in hours without training{where}", where=where),
        "busy": worded("in hours with training{where}", where=where),
    }[name]


_SCOPES: Final[dict[str, Callable[[Window, ClusterHours, list[int]], Bools]]] = {
    "": lambda window, hours, numbers: np.ones(window.hours, dtype=bool),
    "idle": lambda window, hours, numbers: ~hours.training_hours,
    "busy": lambda window, hours, numbers: hours.training_hours,
    "day": lambda window, hours, numbers: use_by.cell_of_hour(window) // 24 == numbers[0],
    "hour": lambda window, hours, numbers: use_by.cell_of_hour(window) == 24 * numbers[0] + numbers[1],
}


def _counters(lengths: Ints) -> Ints:
    """0, 1, .. for each length in turn; shape (sum of lengths,)."""
    starts = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(int(lengths.sum())) - np.repeat(starts, lengths), dtype=np.int64)
