"""What the answers about a plan stand on: the project, its audit, the advice, and what stands in each column."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.backtest.advice_backtest import Backtest
from gpuplanner.domain.commitment.backtest.variants import Variant
from gpuplanner.domain.commitment.outlook_result import Outlook, SpotAdvice
from gpuplanner.domain.commitment.result import Advice, Layer, Order, PoolPlan
from gpuplanner.domain.commitment.uncertainty.one_provider import ProviderPlan
from gpuplanner.domain.commitment.uncertainty.price_sensitivity import CasePlan
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import Assumptions

ALL, EXISTING, BY_USE = "all", "existing", "use"
"""Rows of a pool and model beside its terms."""


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """One workload where it stands: pool None is the queue of what is to be decided. usd: $ a month, None unknown.

    milli_gpu_seconds: in the window, counted so many times: what its GPU-hours were worked out from.
    """

    key: str
    name: Text
    pool: Pool
    in_review: bool
    gpu_hours_per_month: float
    usd_per_month: float | None
    milli_gpu_seconds: int = 0
    times: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class PlanEvidence:
    """One scenario as it is shown. offers: at the rates that count in it.

    due: orders that are to be signed now; is_today: the past, which has no plan; whole_usd: figures that are written in
    whole dollars which add up, as they are written. cases: the plan at low, mid and high rates, alone: with one
    provider each, and outlook: the slower figures; all empty while they are worked out. demand: how many times its log
    each pool is planned with; selected: keys of the cards that are selected on the board, of merged ones all. before:
    the advice of the plan that a question is asked of.
    """

    project: Project
    scenario: str
    audit: Audit
    advice: Advice | None
    offers: tuple[Offer, ...]
    cards: tuple[PlacedCard, ...]
    due: tuple[Order, ...]
    is_today: bool
    mean_gpus: Mapping[Pool, float] = field(default_factory=dict)
    egress_gb_per_gpu_hour: float | None = None
    backtest: Backtest | None = None
    variants: tuple[Variant, ...] = ()
    spot: tuple[SpotAdvice, ...] = ()
    whole_usd: Mapping[str, int] = field(default_factory=dict)
    cases: tuple[CasePlan, ...] = ()
    alone: tuple[ProviderPlan, ...] = ()
    outlook: Outlook | None = None
    demand: Mapping[Pool, float] = field(default_factory=dict)
    selected: tuple[str, ...] = ()
    before: Advice | None = None

    def plan(self, subject: str) -> tuple[PoolPlan, str]:
        """The row of a subject "pool, model, part", and the part. Errors: StopIteration where there is none."""
        pool, model, part = subject.split("\t")
        rows = self.advice.pools if self.advice is not None else ()
        plan = next(row for row in rows if row.pool == pool and (row.gpu_model or "") == model)
        return plan, part

    @property
    def assumptions(self) -> Assumptions:
        """Those in force in what is shown."""
        if self.is_today:
            return self.project.assumptions
        return self.project.assumptions_in(self.project.scenario(self.scenario))

    def offer(self, offer_id: str) -> Offer:
        """An offer by its id. Errors: StopIteration where there is none."""
        return next(offer for offer in self.offers if offer.offer_id == offer_id)


def part_of(layer: Layer) -> str:
    """The row of a layer in its pool and model: existing, its term in months, or by use with how it is bought."""
    if layer.existing:
        return EXISTING
    return str(layer.term_months) if layer.term_months else f"{BY_USE}-{layer.pricing_category.value}"


def row_subject(plan: PoolPlan, part: str) -> str:
    """What tells a row of layers: pool, GPU model, part."""
    return "\t".join((plan.pool.value, plan.gpu_model or "", part))


def layers_in(plan: PoolPlan, part: str) -> tuple[Layer, ...]:
    """The layers of a part; all of them for the total."""
    return tuple(layer for layer in plan.layers if part in (ALL, part_of(layer)))


def order_subject(order: Order) -> str:
    """What tells one order from all others."""
    parts = (
        order.pool.value,
        order.gpu_model or "",
        order.offer_id,
        str(order.term_months),
        str(order.start_s),
        order.reason,
    )
    return "\t".join(parts)
