"""Project -> Evaluation: the one place where everything is put together, in three steps."""

from dataclasses import dataclass

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.result import Advice, Outlook
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project


@dataclass(frozen=True, slots=True)
class CardFigures:
    """One workload on the board of one scenario.

    pool: where it stands or, in review, where it is counted; gpu_hours_per_month of its GPU time in the window.
    """

    key: str
    name: str
    cluster: str
    owner: str
    classification: Classification
    pool: Pool
    in_review: bool
    is_pinned: bool
    gpu_hours_per_month: float
    gpu_models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PoolFigures:
    """One column of the board: sums over its cards (review cards count in their likely pool)."""

    pool: Pool
    workloads: int
    in_review: int
    milli_gpu_seconds: int
    gpu_hours_per_month: float
    review_gpu_hours_per_month: float


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """Step 1, within a frame: cards in the order of Project.workloads, columns, and each pool's hourly demand.

    hourly: milli-GPU-seconds by pool, int64, shape (hours,): exact sums.
    """

    scenario: str
    cards: tuple[CardFigures, ...]
    pools: dict[Pool, PoolFigures]
    hourly: dict[Pool, object]


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """What is known so far of a project in one scenario; advice and outlook are None until they are there."""

    project: Project
    scenario: str
    audit: Audit
    figures: Figures
    advice: Advice | None = None
    outlook: Outlook | None = None
