"""Same: what a planner says is one, though the files call it by two names. GPU models, clusters, workloads."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError


class SameKind(StrEnum):
    """What two names are of."""

    MODEL = "model"
    CLUSTER = "cluster"
    WORKLOAD = "workload"


@dataclass(frozen=True, slots=True, order=True)
class Same:
    """What files call `theirs` is what the project calls `ours`; one of itself is a thing of its own: it is settled.

    GPU models match without regard to case, clusters and workloads as they are written.
    """

    kind: SameKind
    theirs: str
    ours: str

    @property
    def is_own(self) -> bool:
        """Whether it says that a name stands for nothing but itself."""
        return self.theirs == self.ours

    @property
    def text(self) -> str:
        """As the command line takes it: `cluster:en=main`."""
        return f"{self.kind}:{self.theirs}={self.ours}"


@dataclass(frozen=True, slots=True)
class StatedSame:
    """A decision as it was written. kind None: not said, the names tell. where: FILE:ROW of a list, else empty."""

    kind: SameKind | None
    theirs: str
    ours: str
    where: str = ""

    @property
    def text(self) -> str:
        """As it was typed: `cluster:en=main`, `en=main`."""
        return f"{self.theirs}={self.ours}" if self.kind is None else f"{self.kind}:{self.theirs}={self.ours}"


def check_same(same: Same) -> Same:
    """The decision itself. Errors: PlannerError where a name is empty.

    An empty cluster is a cluster: that of jobs that name none.
    """
    if not same.ours or (not same.theirs and same.kind is not SameKind.CLUSTER):
        raise PlannerError(same.text, "usage", worded("a name is empty"), worded("name both"))
    return same


def folded(kind: SameKind, name: str) -> str:
    """By what a name is found among the decisions of its kind.

    >>> folded(SameKind.MODEL, " H100 SXM "), folded(SameKind.CLUSTER, "Main")
    ('h100 sxm', 'Main')
    """
    return name.strip().casefold() if kind is SameKind.MODEL else name


def with_same(known: Iterable[Same], more: Iterable[Same]) -> tuple[Same, ...]:
    """Decisions with more of them, sorted; of two of one name the later counts.

    Errors: PlannerError where a name is empty.
    """
    latest = {(one.kind, folded(one.kind, one.theirs)): check_same(one) for one in (*known, *more)}
    return tuple(sorted(latest.values()))


def names_of(same: Iterable[Same], kind: SameKind) -> dict[str, str]:
    """The decisions of a kind: ours by theirs (folded), those of a thing of its own too.

    What is one with what is one with a third is one with that; of a circle all are the first by name.
    """
    said = {folded(kind, one.theirs): one.ours for one in same if one.kind is kind}
    return {theirs: _last(theirs, said, kind) for theirs in said}


def _last(theirs: str, said: Mapping[str, str], kind: SameKind) -> str:
    """Where a chain of decisions ends; of a circle the first by name."""
    way = [said[theirs]]
    while (name := folded(kind, way[-1])) in said and said[name] != way[-1]:
        if said[name] in way:
            return min(way[way.index(said[name]) :])
        way.append(said[name])
    return way[-1]


def with_kind(said: StatedSame, is_model: Callable[[str], bool], is_cluster: Callable[[str], bool]) -> Same:
    """A decision with its kind: where none is said, of models if either name is one, else clusters, else workloads.

    is_model, is_cluster: whether the project knows a name as one.
    """
    kind, names = said.kind, (said.theirs, said.ours)
    if kind is None and any(map(is_model, names)):
        kind = SameKind.MODEL
    elif kind is None:
        kind = SameKind.CLUSTER if any(map(is_cluster, names)) else SameKind.WORKLOAD
    return Same(kind, *names)


def name_of_nobody(same: Same, is_named: Callable[[str], bool], *, is_known: bool = False) -> str | None:
    """Which name of a decision stands nowhere; None where both do. is_known: ours is, though nobody names it.

    is_named: whether something of the project has a name.
    """
    if not is_named(same.theirs):
        return same.theirs
    return None if same.is_own or is_known or is_named(same.ours) else same.ours
