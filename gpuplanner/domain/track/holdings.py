"""What is held in the time that is compared: its spans, contracts and orders, and the plan that they are of."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.streams import Row
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow, plan_of
from gpuplanner.domain.commitment.plan.runs import PlannedRun
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.book.contract import Contract, month_start_s
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S, Window
from gpuplanner.lazy_dataclass import dataclass

# --- Spans: the time that is compared, cut where a month of the plan, a quarter, a contract or an order begins or ends


@dataclass(frozen=True, slots=True)
class Span:
    """Time in which nothing begins or ends, epoch seconds, the end exclusive. month: of the plan."""

    start_s: int
    end_s: int
    month: int

    @property
    def hours(self) -> float:
        """How long it is."""
        return (self.end_s - self.start_s) / HOUR_S

    @property
    def quarter_s(self) -> int:
        """When the calendar quarter begins that it lies in, epoch seconds UTC."""
        return quarter_start_s(self.start_s)

    def share_of(self, start_s: int, end_s: int | None) -> float:
        """The share of it in which something runs that is there from one instant to another, 0..1; None: for good."""
        until_s = self.end_s if end_s is None else min(end_s, self.end_s)
        return max(until_s - max(start_s, self.start_s), 0) / (self.end_s - self.start_s)


def quarter_start_s(at_s: int, later: int = 0) -> int:
    """When the calendar quarter begins that an instant lies in, or one so many quarters later; epoch seconds UTC."""
    at = datetime.fromtimestamp(at_s, UTC)
    years, quarter = divmod((at.month - 1) // 3 + later, 4)
    return int(datetime(at.year + years, 3 * quarter + 1, 1, tzinfo=UTC).timestamp())


def quarters_of(window: Window) -> tuple[int, ...]:
    """When each calendar quarter begins that a window touches, the first one before it as a rule."""
    starts = [quarter_start_s(window.start_s)]
    while (following := quarter_start_s(starts[-1], 1)) < window.end_s:
        starts.append(following)
    return tuple(starts)


def spans_of(window: Window, plan_window: Window, moments: Iterable[int]) -> tuple[Span, ...]:
    """The window cut at the plan's months, at calendar quarters and at some moments, to the second.

    plan_window: what months of the plan are counted from; moments: epoch seconds, those outside do nothing.
    Law: the spans follow each other without a gap, and are together the window.
    """
    months = range(_month_at(window.start_s, plan_window), _month_at(window.end_s - 1, plan_window) + 1)
    edges = {window.start_s, window.end_s, *moments, *quarters_of(window)}
    edges |= {month_start_s(plan_window, month) for month in months}
    inside = sorted(at for at in edges if window.start_s <= at <= window.end_s)
    return tuple(Span(start, end, _month_at(start, plan_window)) for start, end in pairwise(inside))


def whole_hours(window: Window, spans: Sequence[Span], plan_window: Window) -> tuple[Span, ...]:
    """The same, cut at whole hours alone: an hour in which something begins or ends is a span of its own.

    Demand of a log is known by the hour, so that capacity counts with its share of such an hour, as in the audit.
    """
    starts = {span.start_s for span in spans}
    edges = {at for start_s in starts for at in (start_s // HOUR_S * HOUR_S, -(-start_s // HOUR_S) * HOUR_S)}
    return spans_of(window, plan_window, edges)


def _month_at(at_s: int, plan_window: Window) -> int:
    """The month of a plan that an instant lies in."""
    return (at_s - plan_window.end_s) // MONTH_S


# --- Holdings: the contracts and orders that serve and are paid for in the time that is compared


def row_of(order: Order) -> Row:
    """What an order serves."""
    return order.pool, order.gpu_model


def usd_per_hour(order: Order) -> float | None:
    """$ of an hour of all GPUs of an order, used or not, what is paid upfront spread over its hours; None: unknown."""
    return None if order.spread_rate is None else order.bought_gpus * order.spread_rate


@dataclass(frozen=True, slots=True)
class Holdings:
    """What is held: contracts serve their own cluster by their dates, orders their pool and model anywhere, after
    them, from their start to their end; `if_it_lasts` too."""

    contracts: tuple[Contract, ...]
    orders: tuple[Order, ...] = ()

    @property
    def moments(self) -> frozenset[int]:
        """When something of it begins or ends, epoch seconds."""
        ends = (contract.end_s for contract in self.contracts if contract.end_s is not None)
        of_orders = (at for order in self.orders for at in (order.start_s, order.end_s))
        return frozenset((*(contract.start_s for contract in self.contracts), *ends, *of_orders))

    def there_in(self, span: Span) -> Mapping[str, float]:
        """The share of a span in which each contract runs, by contract_id; those that do not are left out."""
        shares = {c.contract_id: span.share_of(c.start_s, c.end_s) for c in self.contracts}
        return {name: share for name, share in shares.items() if share > 0}

    def ordered_gpus(self, row: Row, span: Span, with_runs: bool) -> float:
        """GPUs of the row's own model that orders serve it with in a span, on average; with_runs: those of runs too."""
        return sum(
            order.gpus * span.share_of(order.start_s, order.end_s)
            for order in self.orders
            if row_of(order) == row and (with_runs or order.reason != "planned_run")
        )


# --- The saved plan, as what came is held against it: its ground, what its rows sign, its contracts and orders


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SavedPlan:
    """A plan that was made before what came.

    rows: by pool and model; runs: bought apart; holdings: the contracts that serve in it, and its orders. pools: of
    every card, by key.
    known: every contract that its project has, by id, those paid by use too.
    """

    evaluation: Evaluation
    ground: Ground
    rows: dict[Row, PlannedRow]
    runs: tuple[PlannedRun, ...]
    holdings: Holdings
    pools: dict[str, Pool]
    known: dict[str, Contract]

    @property
    def window(self) -> Window:
        """What its months are counted from: they begin where it ends."""
        return self.ground.window


def saved_plan(evaluation: Evaluation) -> SavedPlan:
    """The plan of an evaluation. Errors: ValueError without advice."""
    cache, parts, figures = AdviceCache(), evaluation.in_parts, evaluation.figures
    ground = ground_of(
        parts.project, figures.basis.plan, figures.workload_pools, cache, evaluation.advised.classes
    )
    planned = plan_of(ground, cache)
    return SavedPlan(
        evaluation=evaluation,
        ground=ground,
        rows={(row.row.pool, row.row.gpu_model): row for row in planned.rows},
        runs=planned.runs,
        holdings=Holdings(ground.plan.contracts, evaluation.advised.orders),
        pools={card.key: card.pool for card in figures.cards},
        known={c.contract_id: c for c in (*evaluation.project.contracts, *ground.plan.contracts)},
    )
