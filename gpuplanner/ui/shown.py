"""What the window shows at one moment: the newest figures, and advice that may still be settling."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpuplanner.domain.commitment.result import Advice, Outlook
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.evaluation import CardFigures, Evaluation
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.scenario import TODAY
from gpuplanner.ui.lanes import Lane, lane_of


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One evaluation with the last known advice and outlook; settling says that they belong to the state before.

    usd: $ a month of each card by key, of the plan or, on Today, of the past; None is unknown.
    """

    evaluation: Evaluation
    advice: Advice | None
    outlook: Outlook | None
    is_settling: bool
    is_outlook_settling: bool

    @property
    def is_today(self) -> bool:
        """Whether this is the past, which is read only."""
        return self.evaluation.scenario == TODAY

    @property
    def usd(self) -> Mapping[str, float | None]:
        """$ a month by workload key."""
        if self.is_today:
            return {workload.key: workload.usd_per_month for workload in self.evaluation.audit.workloads}
        return {} if self.advice is None else self.advice.workload_usd

    @property
    def cards(self) -> tuple[CardFigures, ...]:
        """The cards as they stand on the board."""
        return self.evaluation.figures.cards


def shown_next(before: Shown | None, evaluation: Evaluation) -> Shown:
    """`evaluation` with what it does not know yet taken from what was shown before, in the same scenario."""
    same = (
        before is not None
        and before.evaluation.scenario == evaluation.scenario
        and before.evaluation.project.cube is evaluation.project.cube
    )
    old_advice = before.advice if same and before is not None else None
    old_outlook = before.outlook if same and before is not None else None
    return Shown(
        evaluation=evaluation,
        advice=evaluation.advice or old_advice,
        outlook=evaluation.outlook or old_outlook,
        is_settling=evaluation.advice is None,
        is_outlook_settling=evaluation.outlook is None,
    )


def lane_of_card(card: CardFigures) -> Lane:
    """The column a card stands in."""
    return Lane.REVIEW if card.in_review else lane_of(card.pool)


def class_lane(classification: Classification) -> Lane:
    """The column whose icon a badge shows: what the workload is, not where it stands."""
    return lane_of(classification.pool)


@dataclass(frozen=True, slots=True)
class LaneSums:
    """The heading of one column. Dollars are None where a card's are unknown."""

    lane: Lane
    cards: int
    in_review: int
    gpu_hours_per_month: float
    usd_per_month: float | None
    review_usd_per_month: float | None


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def lane_sums(shown: Shown) -> dict[Lane, LaneSums]:
    """The four headings: review cards count in their likely pool too, so that the three pools are the plan."""
    usd = shown.usd
    made: dict[Lane, LaneSums] = {}
    by_pool: dict[Pool, list[CardFigures]] = {pool: [] for pool in POOLS}
    for card in shown.cards:
        by_pool[card.pool].append(card)
    for pool in POOLS:
        figures = shown.evaluation.figures.pools.get(pool)
        cards = by_pool[pool]
        review = [card for card in cards if card.in_review]
        made[lane_of(pool)] = LaneSums(
            lane_of(pool),
            len(cards) - len(review),
            len(review),
            figures.gpu_hours_per_month if figures else sum(card.gpu_hours_per_month for card in cards),
            _sum([usd.get(card.key) for card in cards]),
            _sum([usd.get(card.key) for card in review]),
        )
    review = [card for card in shown.cards if card.in_review]
    made[Lane.REVIEW] = LaneSums(
        Lane.REVIEW,
        len(review),
        0,
        sum(card.gpu_hours_per_month for card in review),
        _sum([usd.get(card.key) for card in review]),
        None,
    )
    return made
