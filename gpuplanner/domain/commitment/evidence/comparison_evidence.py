"""What the answers about plans side by side stand on: each plan's own evidence, and what leads from the first on."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpuplanner.domain.commitment.comparison.plan_difference import FromToday, Worth
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.pool import Pool


@dataclass(frozen=True, slots=True, eq=False)
class SideEvidence:
    """One plan of a comparison. today_usd: $ a month today of the workloads of each of its pools (None: unknown).

    whole_steps: the steps from today in whole dollars as they are written, by the subject of `from_today`.
    """

    plan: PlanEvidence
    steps: FromToday
    today_usd: Mapping[Pool, float | None]
    whole_steps: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class WorthEvidence:
    """A change on the way from the first plan: what it is called, its worth, and that in whole dollars as written.

    hours: GPU-hours a month by key of what it moves; names: of the same workloads.
    """

    name: Text
    worth: Worth
    whole_usd: int | None
    hours: Mapping[str, float]
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonEvidence:
    """Two plans or three. ways[i]: what leads from the first to side i + 1; empty until it is worked out."""

    sides: tuple[SideEvidence, ...]
    ways: tuple[tuple[WorthEvidence, ...], ...] = ()

    def side(self, scope: str) -> SideEvidence:
        """The plan of a figure. Errors: KeyError where there is none."""
        if not scope.isdecimal() or int(scope) >= len(self.sides):
            raise KeyError(scope)
        return self.sides[int(scope)]

    def way(self, scope: str) -> tuple[WorthEvidence, ...]:
        """What leads to a plan. Errors: KeyError where it is not known."""
        if not 1 <= int(scope) <= len(self.ways):
            raise KeyError(scope)
        return self.ways[int(scope) - 1]
