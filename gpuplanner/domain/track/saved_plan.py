"""The saved plan, as what came is held against it: its ground, what its rows sign, its contracts and orders."""

from dataclasses import dataclass

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow, plan_of
from gpuplanner.domain.commitment.plan.twelve_months import rate_by_use, signs_what_nobody_offers
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.track.holdings import Holdings, held_orders


@dataclass(frozen=True, slots=True, eq=False)
class SavedPlan:
    """A plan that was made before what came.

    rows: by pool and model; holdings: the contracts that serve in it, and its orders. pools: of every card, by key.
    known: every contract that its project has, by id, those paid by use too.
    """

    evaluation: Evaluation
    ground: Ground
    rows: dict[Row, PlannedRow]
    holdings: Holdings
    pools: dict[str, Pool]
    known: dict[str, Contract]

    @property
    def window(self) -> Window:
        """What its months are counted from: they begin where it ends."""
        return self.ground.window

    def rate_by_use(self, row: Row, month: int) -> float | None:
        """$ per GPU-hour of what a row pays by use in a month of the plan, price fall in it; None: unknown.

        Errors: KeyError for a row that the plan does not have.
        """
        return rate_by_use(self.rows[row], month)

    def is_unpriced(self, row: Row, month: int) -> bool:
        """Whether a row holds by hand in a month what nobody offers."""
        return signs_what_nobody_offers(self.rows[row], month)


def saved_plan(evaluation: Evaluation) -> SavedPlan:
    """The plan of an evaluation. Errors: ValueError without advice."""
    if evaluation.advice is None:
        raise ValueError("track: the evaluation has no advice; advise first")
    cache, parts, figures = AdviceCache(), evaluation.in_parts, evaluation.figures
    ground = ground_of(
        parts.project, figures.basis.plan, figures.workload_pools, cache, evaluation.advice.classes
    )
    rows = plan_of(ground, cache).rows
    orders = held_orders(evaluation.advice.orders, rows, ground.window)
    return SavedPlan(
        evaluation,
        ground,
        {(one.row.pool, one.row.gpu_model): one for one in rows},
        Holdings(ground.plan.contracts, orders),
        {card.key: card.pool for card in figures.cards},
        {one.contract_id: one for one in evaluation.project.contracts},
    )
