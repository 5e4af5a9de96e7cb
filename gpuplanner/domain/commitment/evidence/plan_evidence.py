"""What the answers about a plan, or about plans side by side, stand on: project, audit, advice, and what is shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.advice_backtest import Backtest, Variant
from gpuplanner.domain.commitment.outlook_result import NOT_YET, Outlook
from gpuplanner.domain.commitment.plan.comparison import FromToday, Worth
from gpuplanner.domain.commitment.result import Advice, Layer, Order, PoolPlan
from gpuplanner.domain.commitment.uncertainty.limit_costs import ProviderPlan
from gpuplanner.domain.commitment.uncertainty.price_paths import CasePlan
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool

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
    provider each, and outlook: the slower figures; all empty while they are worked out. selected: keys of the cards
    that are selected on the board, of merged ones all. before: the advice of the plan that a question is asked of.
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
    backtest: Backtest | None = None
    variants: tuple[Variant, ...] = ()
    whole_usd: Mapping[str, int] = field(default_factory=dict)
    cases: tuple[CasePlan, ...] = ()
    alone: tuple[ProviderPlan, ...] = ()
    outlook: Outlook = NOT_YET
    selected: tuple[str, ...] = ()
    before: Advice | None = None

    @property
    def worked_out(self) -> Advice:
        """The advice. Errors: KeyError while the plan is worked out."""
        if self.advice is None:
            raise KeyError("the plan is still worked out")
        return self.advice

    @property
    def layers(self) -> list[tuple[PoolPlan, Layer]]:
        """Every layer with its pool and GPU model. Errors: KeyError while the plan is worked out."""
        return [(plan, layer) for plan in self.worked_out.pools for layer in plan.layers]

    def plan(self, subject: str) -> tuple[PoolPlan, str, tuple[Layer, ...]]:
        """The row of a subject "pool, model, part", the part, and its layers. Errors: StopIteration where there is
        none."""
        pool, model, part = subject.split("\t")
        rows = self.advice.pools if self.advice is not None else ()
        plan = next(row for row in rows if row.pool == pool and (row.gpu_model or "") == model)
        return plan, part, layers_in(plan, part)

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
    when = (order.term_months, order.start_s, order.reason)
    return "\t".join(map(str, (order.pool.value, order.gpu_model or "", order.offer_id, *when)))


# Plans side by side


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
