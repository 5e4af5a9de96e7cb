"""A scenario: which workload stands in which pool, and what else the planner set by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from gpuplanner.domain.model.assumptions import AssumptionValue
from gpuplanner.domain.model.pool import Pool

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
    """One line of the decision log: when (epoch seconds UTC), what, and why if the planner said."""

    at_s: int
    what: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A plan (any scenario but Today).

    start: SEPARATED (each workload begins in its class's pool) or AS_TODAY (in its cluster's pool).
    pools: where the planner put a workload, by key; being here takes a card out of review.
    pinned: keys that "Separate automatically" leaves alone.
    hand_layers: committed layers set by hand, by (pool, GPU model or None), longest term first; a pair that
    is present is not advised: its slices are taken by these layers from the bottom, the rest is usage-priced.
    assumptions: the values (by --set name) that differ from the project's.
    """

    name: str
    start: str = SEPARATED
    pools: Mapping[str, Pool] = field(default_factory=dict)
    pinned: frozenset[str] = frozenset()
    hand_layers: Mapping[tuple[Pool, str | None], tuple[HandLayer, ...]] = field(default_factory=dict)
    assumptions: Mapping[str, AssumptionValue] = field(default_factory=dict)
    greenfield: bool = False
    decisions: tuple[Decision, ...] = ()
