"""A scenario: which workload stands in which pool, and what else the planner set by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Final

from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.book.price_case import PriceCase
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.assumptions import AssumptionValue
from gpuplanner.domain.model.scenario.dated import DemandChange, PlannedWork, PriceChange, Spell
from gpuplanner.domain.model.scenario.parting import Split

TODAY: Final = "Today"
SEPARATED: Final = "separated"
AS_TODAY: Final = "as_today"


@dataclass(frozen=True, slots=True)
class HandLayer:
    """One committed layer whose size the planner set: `gpus` whole GPUs for `term_months` (0 GPUs: none)."""

    term_months: int
    gpus: int


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of the decision log: when (epoch seconds UTC), what, and why if the planner said.

    what: `Message` where it is our sentence, plain text where it is a name of the planner's.
    """

    at_s: int
    what: Text
    reason: Text = ""


class LeakStatus(StrEnum):
    """What the planner decided about a leak; one that is in neither state is open."""

    ACCEPTED = "accepted"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class LeakDecision:
    """What was decided about one leak in a plan, and when (epoch seconds UTC).

    reason: why it was dismissed; owner: who is to do what was accepted, in the planner's words ("" : nobody yet).
    pool: where its workloads were put; None where the plan has no way to show it, so that it is an action to be done.
    workloads: how many were put there. gpu_hours (window) and usd_per_month (None: unknown): as when it was decided.
    """

    leak_id: str
    status: LeakStatus
    at_s: int
    reason: str = ""
    owner: str = ""
    pool: Pool | None = None
    workloads: int = 0
    gpu_hours: float = 0.0
    usd_per_month: float | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A plan (any scenario but Today).

    start: SEPARATED (each workload begins in its class's pool) or AS_TODAY (in its cluster's pool).
    pools: where the planner put a workload, by key; being here takes a card out of review.
    pinned: keys that "Separate automatically" leaves alone.
    hand_layers: committed layers set by hand, by (pool, GPU model or None), longest term first; a pair that
    is present is not advised: its slices are taken by these layers from the bottom, the rest is usage-priced.
    advised_around: those of these pairs whose layers are held (0 GPUs: not that term) while all else is advised.
    assumptions: the values (by --set name) that differ from the project's.
    price_case: which rate of each offer counts in it.
    leak_decisions: at most one a leak, by leak_id; those of leaks that an import no longer shows stay.
    splits: workloads, or parts of them, that stand as two parts in this plan, by key
    (domain/model/scenario/parting.py); pools and pins name the parts. What the whole had is kept, and holds again once
    the parts are merged.
    merges: cards that stand as one on the board, by its name
    (domain/model/scenario/merging.py); figures are of each of them.
    spells: when workloads begin and end, by key; one with neither is not there. changes: steps of demand, in the order
    given. planned: work that no log has, no two of one key, sorted by key. price_changes: steps of prices, likewise.
    only: who alone may serve a workload, by its key; the rest may be served by anybody.
    shares: how much of the first month's $ a provider or a region may have, 0 to less than 1, sorted.
    scratch_of: the name of the plan that this one is a scratch copy of, in which a question is asked; "" for any other.
    """

    name: str
    start: str = SEPARATED
    pools: Mapping[str, Pool] = field(default_factory=dict)
    pinned: frozenset[str] = frozenset()
    hand_layers: Mapping[tuple[Pool, str | None], tuple[HandLayer, ...]] = field(default_factory=dict)
    assumptions: Mapping[str, AssumptionValue] = field(default_factory=dict)
    greenfield: bool = False
    decisions: tuple[Decision, ...] = ()
    leak_decisions: tuple[LeakDecision, ...] = ()
    price_case: PriceCase = PriceCase.MID
    advised_around: frozenset[tuple[Pool, str | None]] = frozenset()
    splits: Mapping[str, Split] = field(default_factory=dict)
    merges: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spells: Mapping[str, Spell] = field(default_factory=dict)
    changes: tuple[DemandChange, ...] = ()
    planned: tuple[PlannedWork, ...] = ()
    price_changes: tuple[PriceChange, ...] = ()
    only: Mapping[str, Only] = field(default_factory=dict)
    scratch_of: str = ""
    shares: Mapping[Only, float] = field(default_factory=dict)

    def plans_as(self, other: "Scenario") -> bool:
        """Whether another one plans the same: all but name and logs is of the very parts (a cheap question).

        By identity of the parts: two that are equal and not the same are taken to differ, which costs an
        evaluation and no error.
        """
        for part in _PLANNED:
            mine, others = getattr(self, part), getattr(other, part)
            if mine is not others and not (isinstance(mine, str | bool) and mine == others):
                return False
        return True

    def decision_on(self, leak_id: str) -> LeakDecision | None:
        """What was decided about a leak; None while it is open."""
        return next((one for one in self.leak_decisions if one.leak_id == leak_id), None)


_PLANNED: Final = tuple(
    each.name
    for each in fields(Scenario)
    if each.name not in ("name", "decisions", "leak_decisions", "merges", "scratch_of")
)
"""What a plan plans with: all but its name, its logs, what stands as one card, and which plan it was copied from."""
