"""A log's GPU jobs as they stood in the queue, how long each waited, and how much of that had room.

Source: docs/formulas/waits.md.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Bools, Ints
from gpuplanner.domain.commitment.demand.streams import usual_model
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.lazy_dataclass import dataclass, field

BUSY_SHARE: Final = 0.99
"""Without contracts a cluster has the GPUs that were busy at most this share of the time."""


class JobKind(NamedTuple):
    """Jobs of one workload and GPU model (None: not logged). place: in Project.workloads; None: none in the window.

    label: the class that the log states. user, account, partition, qos: as the log has them; empty: not logged.
    """

    place: int | None
    cluster: str
    team: str
    gpu_model: str | None
    label: Pool | None = None
    user: str = ""
    account: str = ""
    partition: str = ""
    qos: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class QueueLog:
    """Every GPU job of a log with some length, by job_id as text, then as its rows lie; arrays are (jobs,), whole.

    kind: place in kinds; nodes: 0 where the log does not say; eligible_s, start_s, end_s: epoch seconds, in order;
    planned_s: the longer of limit and length; is_known: whether the log says since when it could start (of others it is
    its start). limit_known: share of the rows that state a time limit.
    """

    kinds: tuple[JobKind, ...]
    kind: Ints
    milli_gpus: Ints
    nodes: Ints
    eligible_s: Ints
    start_s: Ints
    end_s: Ints
    planned_s: Ints
    job_ids: Sequence[str]
    is_known: Bools
    limit_known: float

    @property
    def submit_known(self) -> float:
        """Share of the rows that say since when they could start."""
        return float(np.count_nonzero(self.is_known)) / max(1, len(self.is_known))

    @property
    def wait_s(self) -> Ints:
        """From eligible to start, seconds."""
        return self.start_s - self.eligible_s

    def counted(self, window: Window) -> Bools:
        """Those eligible inside a window: others are its warm-up."""
        return (self.eligible_s >= window.start_s) & (self.eligible_s < window.end_s)

    def measured(self, window: Window) -> Bools:
        """Those of them whose wait is known as it was."""
        return self.counted(window) & self.is_known

    def spent(self, window: Window) -> Ints:
        """Milli-GPU-seconds inside a window, as they ran."""
        inside = np.minimum(self.end_s, window.end_s) - np.maximum(self.start_s, window.start_s)
        return np.asarray(self.milli_gpus * np.maximum(inside, 0), dtype=np.int64)


def laid(milli_gpus: Ints) -> Ints:
    """Thousandths of a GPU that jobs take where they lie; those of slices rounded down, as seven sevenths fit on a GPU.

    >>> laid(np.array([143, 429, 500, 1000])).tolist()
    [142, 428, 500, 1000]
    """
    sevenths = np.rint(milli_gpus * 7 / 1000)
    is_slice = (milli_gpus % 1000 > 0) & (np.rint(sevenths * 1000 / 7) == milli_gpus)
    return np.where(is_slice, np.int64(sevenths * 1000 // 7), milli_gpus)


# --- Steps: an amount over time, as instants with what it changes by -----------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """An amount from each instant to the next; at_s ascending, each once; before the first it is 0."""

    at_s: Ints
    amount: Ints

    def seconds_at_least(self, least: int, from_s: Ints, to_s: Ints) -> Ints:
        """Of spans from one instant to another how many seconds it was so much or more."""
        holds = (self.amount >= least).astype(np.int64)
        before = np.concatenate([[0], np.cumsum(np.diff(self.at_s) * holds[:-1])])

        def until(at_s: Ints) -> Ints:
            place = np.searchsorted(self.at_s, at_s, side="right") - 1
            inside = np.maximum(place, 0)
            return np.where(place < 0, 0, before[inside] + holds[inside] * (at_s - self.at_s[inside]))

        return np.asarray(until(to_s) - until(from_s), dtype=np.int64)

    def most(self) -> int:
        """The most that it ever is."""
        return int(self.amount.max(initial=0))

    def exceeded(self, share: float) -> int:
        """The least amount that it is above for no more than this share of the time from first step to last."""
        lasts = np.diff(self.at_s)
        order = np.argsort(self.amount[:-1], kind="stable")
        if not lasts.sum():
            return self.most()
        upto = np.cumsum(lasts[order])
        return int(self.amount[:-1][order][np.searchsorted(upto, (1 - share) * upto[-1])])


def steps_of(*changes: tuple[Ints, Ints]) -> Steps:
    """From instants and what each changes the amount by."""
    at_s = np.concatenate([at for at, _ in changes])
    by = np.concatenate([amount for _, amount in changes])
    instants, place = np.unique(at_s, return_inverse=True)
    total = np.zeros(len(instants), dtype=np.int64)
    np.add.at(total, place, by)
    return Steps(instants, np.cumsum(total))


def spans(from_s: Ints, to_s: Ints, amount: Ints) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
    """Changes of an amount that is there from one instant to another."""
    return (from_s, amount), (to_s, -amount)


# --- Where jobs stood: the GPU model that each counts with, and what its cluster had of it -------

Place = tuple[str, str | None]
"""A cluster and a GPU model."""


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """By cluster and GPU model: which jobs count with it, and what there was. guessed: without contracts, by use.

    of_kind: of each kind of the log, the model that it counts with where the log names none being its cluster's.
    """

    of_kind: tuple[Place, ...]
    jobs: Mapping[Place, Bools]
    busy: Mapping[Place, Steps]
    guessed: Mapping[Place, int] = field(default_factory=dict)


def clusters_of(log: QueueLog, project: Project) -> Clusters:
    """Where the jobs of a log stood, on the clusters of a project."""
    usual = {
        cluster: usual_model(cluster, project.contracts) for cluster in {kind.cluster for kind in log.kinds}
    }
    of_kind = tuple((kind.cluster, kind.gpu_model or usual[kind.cluster]) for kind in log.kinds)
    places = list(dict.fromkeys(of_kind))
    number = np.array([places.index(place) for place in of_kind], dtype=np.int64)[log.kind]
    jobs = {place: np.asarray(number == at) for at, place in enumerate(places)}
    busy = {
        place: steps_of(*spans(log.start_s[mask], log.end_s[mask], log.milli_gpus[mask]))
        for place, mask in jobs.items()
    }
    served = {contract.cluster for contract in project.contracts}
    guessed = {
        place: steps.exceeded(1 - BUSY_SHARE) for place, steps in busy.items() if place[0] not in served
    }
    return Clusters(of_kind, jobs, busy, guessed)


def room_s(log: QueueLog, clusters: Clusters, contracts: Sequence[Contract]) -> Ints:
    """Of each job's wait the seconds in which as many GPUs as it needs stood free; whatever pool has them.

    Law: never more than it waited. Source: docs/formulas/waits.md.
    """
    room, takes = np.zeros(len(log.kind), dtype=np.int64), laid(log.milli_gpus)
    for place, mask in clusters.jobs.items():
        waits = mask & (log.wait_s > 0)
        if not waits.any():
            continue
        at = np.flatnonzero(mask)
        first, last = int(log.eligible_s[at].min()), int(log.end_s[at].max())
        had = [
            (max(c.start_s, first), min(last if c.end_s is None else c.end_s, last), c.milli_gpus)
            for c in contracts
            if (c.cluster, c.gpu_model or place[1]) == place
        ]
        if place in clusters.guessed:
            had = [(first, last, clusters.guessed[place])]
        used = np.array([span for span in had if span[0] < span[1]], dtype=np.int64).reshape(-1, 3)
        free = steps_of(
            *spans(used[:, 0], used[:, 1], used[:, 2]), *spans(log.start_s[at], log.end_s[at], -takes[at])
        )
        for needs in np.unique(takes[waits]).tolist():
            own = waits & (takes == needs)
            room[own] = free.seconds_at_least(needs, log.eligible_s[own], log.start_s[own])
    return room
