"""What a leak rule is, is given, and answers: parts of workloads' used time or of contracts' idle time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.leaks.equal_terms import EqualTerms, equal_terms
from gpuplanner.domain.audit.money.rates import EligibleRates
from gpuplanner.domain.audit.use.energy_rows import EnergyRow
from gpuplanner.domain.audit.use.row_sums import weighted_row_sums
from gpuplanner.domain.audit.use.utilization import ClusterHours
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.log.idle_gap import IdleGap
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project

NAMED_AT_MOST = 3


@dataclass(frozen=True, slots=True)
class Part:
    """GPU-hours of one workload that ran, or of one contract that idled; `of` says which.

    rate: $ per GPU-hour; None: unknown.
    """

    of: tuple[str, str]
    gpu_hours: float
    rate: float | None


@dataclass(frozen=True, slots=True)
class LeakClaim:
    """One leak of one cluster (or of one of its contracts), as its rule sees it; amounts are of the window.

    action: what to do, where that is more than its rule says.
    """

    cluster: str
    subject: Text
    parts: tuple[Part, ...]
    action: Text = ""
    contract_id: str | None = None

    @property
    def of(self) -> str:
        """What tells it from the other claims of its rule.

        Law: with the code of its rule no other leak of the window has it.
        """
        return self.cluster if self.contract_id is None else self.contract_id


@dataclass(frozen=True)
class Past:
    """Everything that leak rules look at. classifications and workload_usd: in the order of Project.workloads.

    rates: what overflow of each class and model would cost on demand. workload_energy: as workload_usd, empty where
    nobody asks for it.
    """

    project: Project
    classifications: tuple[Classification, ...]
    clusters: tuple[ClusterHours, ...]
    workload_usd_per_month: tuple[float | None, ...]
    rates: EligibleRates
    workload_energy: tuple[EnergyRow, ...] = ()

    @cached_property
    def idle_gpu_hours(self) -> dict[str, float]:
        """GPU-hours that each contract was paid for and did not serve, by contract_id."""
        return {
            contract.contract_id: int((hours.capacity[place] - hours.served[place]).sum())
            / MILLI_GPU_SECONDS_PER_GPU_HOUR
            for hours in self.clusters
            for place, contract in enumerate(hours.contracts)
        }

    @cached_property
    def equal_terms(self) -> dict[int, list[EqualTerms]]:
        """By place of every inference workload that ran: its GPU-hours beside the cheapest offer at equal terms.

        Worked out once, for the leak and for the endpoints.
        """
        inference_of = partial(self.members, pool=Pool.INFERENCE)
        return equal_terms(self.project, self.clusters, self.rates, inference_of)

    @cached_property
    def _places_by_cluster(self) -> dict[str, list[int]]:
        """Places of the workloads that ran on GPUs, by cluster; most GPU time first."""
        workloads = self.project.workloads
        ran = [place for place, workload in enumerate(workloads) if workload.milli_gpu_seconds]
        found: dict[str, list[int]] = {}
        for place in sorted(ran, key=lambda place: (-workloads[place].milli_gpu_seconds, place)):
            found.setdefault(workloads[place].cluster, []).append(place)
        return found

    def members(self, cluster: str, pool: Pool | None = None) -> list[int]:
        """Places of a cluster's workloads that ran on GPUs, of one class if given; most GPU time first.

        Empty for a cluster without such workloads.
        """
        places = self._places_by_cluster.get(cluster, [])
        return [place for place in places if pool in (None, self.classifications[place].pool)]

    def idle_gaps_longer_than(self, longer_than_s: float) -> Mapping[str, Sequence[IdleGap]] | None:
        """The idle gaps of each cluster; None where they are not known for waits of this length.

        longer_than_s: seconds.
        """
        idle_gaps = self.project.jobs.lulls
        return (
            None
            if idle_gaps is None or longer_than_s < idle_gaps.longer_than_s
            else self._idle_gaps_by_cluster
        )

    @cached_property
    def _idle_gaps_by_cluster(self) -> dict[str, list[IdleGap]]:
        """In the order in which they were kept, by their end."""
        found: dict[str, list[IdleGap]] = {}
        for idle_gap in self.project.jobs.lulls.each if self.project.jobs.lulls else ():
            found.setdefault(idle_gap.cluster, []).append(idle_gap)
        return found

    def shared(self, *shares: Mapping[tuple[str, str | None], Floats]) -> tuple[list[float], ...]:
        """GPU-hours of every workload times a share of each hour of its cluster and model, all workloads in one pass.

        Shapes: each share (hours,); all of them name the same clusters and models (None: unknown), and one that is not
        named has none. Returns for each of them one figure a workload, in order.
        """
        cube = self.project.cube
        ofs = [of for of in shares[0] if any(one[of].any() for one in shares)]
        workloads = len(self.project.workloads)
        if not ofs:
            return tuple([0.0] * workloads for _ in shares)
        number = {of: place for place, of in enumerate(ofs)}
        spellings = (*cube.gpu_models, None)  # index -1 is the unknown model
        of_row = np.array(
            [
                number.get((self.project.workloads[place].cluster, spellings[model]), len(ofs))
                for place, model in zip(cube.workload_index.tolist(), cube.model_index.tolist(), strict=True)
            ],
            dtype=np.int64,
        )
        answers = []
        for share in shares:
            table = np.stack([*(share[of] for of in ofs), np.zeros(cube.hours)])
            by_row = weighted_row_sums(cube, of_row, table)
            sums = np.bincount(cube.workload_index, weights=by_row, minlength=workloads)
            answers.append((sums / MILLI_GPU_SECONDS_PER_GPU_HOUR).tolist())
        return tuple(answers)

    def usd_per_gpu_hour(self, place: int) -> float | None:
        """What a workload's GPU-hour cost on average, overflow included; None where its cost is unknown.

        place: in Project.workloads. None, too, for a workload without GPU time.
        """
        usd = self.workload_usd_per_month[place]
        spent = self.project.workloads[place].gpu_hours
        return None if usd is None or not spent else usd * self.project.window.months / spent

    def used(self, place: int, gpu_hours: float, rate: float | None) -> Part:
        """A part of what a workload ran; a rate of None is unknown.

        place: in Project.workloads; gpu_hours: of the window; rate: $ per GPU-hour.
        """
        return Part(("workload", self.project.workloads[place].key), gpu_hours, rate)

    def used_at_its_rate(self, place: int, gpu_hours: float) -> Part:
        """A part of what a workload ran, at what its GPU-hours cost on average."""
        return self.used(place, gpu_hours, self.usd_per_gpu_hour(place))

    def named(self, cluster: str, places: Sequence[int]) -> Message:
        """`cluster: name, name and 4 more`.

        places: in the order in which they are named.
        """
        return joined((cluster, listed(self.project.workloads[place].name for place in places)), ": ")


def listed(names: Iterable[Text]) -> Message:
    """The first few names and how many more there are; each name once.

    >>> str(listed(["a", "b", "a"])), str(listed(["a", "b", "c", "d", "e"]))
    ('a, b', 'a, b, c and 2 more')
    """
    each = list(dict.fromkeys(names))
    shown = each if len(each) <= NAMED_AT_MOST + 1 else each[:NAMED_AT_MOST]
    more = len(each) - len(shown)
    some = joined(shown, ", ")
    return worded("{names} and {more} more", names=some, more=whole(more)) if more else some


def claim_of(
    past: Past, hours: ClusterHours, places: Sequence[int], parts: Sequence[Part], action: Text = ""
) -> list[LeakClaim]:
    """One claim of a cluster, or none where nothing leaks. places: of the workloads that it names.

    action: where it says more than the rule's.
    """
    if not any(part.gpu_hours for part in parts):
        return []
    return [LeakClaim(hours.cluster, past.named(hours.cluster, places), tuple(parts), action)]


@dataclass(frozen=True, eq=False)
class LeakRule:
    """A kind of leak, declared once beside the function that finds it.

    title: short, for a table; words: when it is one; formula: how its $ follow from GPU-hours, in words; action: what
    to do about it; claims: which GPU-hours, those that a "workload" ran or a "contract" was paid for and idle.
    pool: where its workloads belong, so that a plan can put them there; None: a plan of pools and terms cannot show
    what would be saved. rate: what its $ of each GPU-hour are called, where they are not the rate paid.
    """

    code: str
    title: Message
    find: Callable[[Past], list[LeakClaim]]
    claims: Literal["workload", "contract"]
    words: Message
    formula: Message
    action: Text = ""
    pool: Pool | None = None
    rate: Text = ""
