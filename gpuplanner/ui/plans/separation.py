"""Moves of 'Separate automatically' and their reasons."""

from collections.abc import Mapping

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain import edits
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.pools import is_in_review
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.state.view_state import ViewState, lane_of_card
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane, lane_of


@dataclass(frozen=True, slots=True)
class SeparationMove:
    """One card that would go to another column."""

    card: CardFigures
    origin: Lane
    target: Lane
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class Separation:
    """All moves, most expensive first; and how many cards stay: unsure ones in review, pinned ones, parts."""

    moves: tuple[SeparationMove, ...]
    in_review: int
    pinned: int
    parts: int


def separation_of(shown: ViewState, found: Mapping[str, Classification]) -> Separation:
    """What the edit of that name would change on the board that is shown. found: classes by key, of the audit."""
    evaluation = shown.evaluation
    basis = evaluation.figures.basis
    before = basis.plan
    project = edits.workloads.separate_automatically(evaluation.project, before.name, found)
    plan, usd = project.scenario(before.name), shown.usd
    moves = []
    for card, begin in zip(shown.cards, basis.begin, strict=True):
        if plan.pools.get(card.key) is before.pools.get(card.key):
            continue
        origin = lane_of_card(card)
        waits = is_in_review(card.key, card.classification, plan, basis.review_below)
        target = Lane.REVIEW if waits else lane_of(plan.pools.get(card.key, begin))
        if target is not origin:
            moves.append(SeparationMove(card, origin, target, usd.get(card.key)))
    moves.sort(key=lambda move: (-(move.usd_per_month or 0.0), move.card.key))
    moved = {move.card.key for move in moves}
    stay = [card for card in shown.cards if card.key not in moved]
    return Separation(
        tuple(moves),
        sum(card.in_review for card in stay),
        sum(card.is_pinned for card in stay),
        sum(bool(before.splits) and whole_key(card.key, before.splits) != card.key for card in stay),
    )


def reason_of(card: CardFigures) -> str:
    """Why a card is put where it goes: its class and what tells it most."""
    found = card.classification
    reason = found.reasons[0] if found.reasons else tr("no better class")
    percent = round(100 * found.confidence)
    return tr("{percent}% {pool}: {reason}", percent=percent, pool=found.pool, reason=reason)


def stays_words(separation: Separation) -> str:
    """What stays where it is: 3 unsure in review, 2 pinned, 2 parts of divided workloads. Empty where nothing does."""
    parts = (
        (separation.in_review, tr("unsure, in review")),
        (separation.pinned, tr("pinned")),
        (separation.parts, tr("parts of divided workloads")),
    )
    said = ", ".join(f"{numbers.whole(count)} {words}" for count, words in parts if count)
    return tr("These do not move: {said}.", said=said) if said else ""
