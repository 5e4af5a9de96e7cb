"""Notes of a row: why there is no advice for it, or why the advice is limited."""

from collections.abc import Sequence

import numpy as np

from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.layers import beyond_offers
from gpuplanner.domain.commitment.plan.plan_checks import max_gpus_words
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow
from gpuplanner.domain.commitment.recursion.slice_policy import NO_ORDER
from gpuplanner.domain.commitment.result import LevelBeyondOffers
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Part, joined, lowered, worded, worded_count
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY, Row, gpu_model_of, only_of, who_words
from gpuplanner.domain.model.cube import SHORT_WINDOW_HOURS


def _mapped_words(ground: Ground, planned: PlannedRow) -> list[Message]:
    """How GPUs of another model are counted in a row that may use them."""
    row = planned.row
    worth = {
        offer.gpu_model: row.ratios[offer.offer_id]
        for offer in ground.eligible.get(Row(row.pool, row.gpu_model), ())
        if offer.offer_id in row.ratios
    }
    if not worth:
        return []
    each = [
        worded("1 {model} counts as {ratio}", model=model, ratio=significant(ratio))
        for model, ratio in sorted(worth.items())
    ]
    given: dict[str, Part] = {"gpu_model": gpu_model_of(row.gpu_model) or "", "each": joined(each, ", ")}
    return [worded("GPUs and rates per {gpu_model}: {each}", **given)]


def level_beyond_words(level: LevelBeyondOffers) -> Message:
    """Return how many GPUs of a level that is set by hand its offers have, as the offer has 24."""
    if not level.offered_gpus:
        return worded("no offer has them")
    gpus = whole(level.offered_gpus)
    if level.is_left:
        return worded_count(
            level.offers, "the offer has {gpus} left", "the offers have {gpus} left", gpus=gpus
        )
    return worded_count(level.offers, "the offer has {gpus}", "the offers have {gpus}", gpus=gpus)


def level_beyond_sentence(level: LevelBeyondOffers) -> Message:
    """Return what serves a level that is set by hand above what its offers have."""
    return worded(
        "you set {gpus} GPUs for {term}, {has}: the next best offer serves the rest",
        gpus=whole(level.gpus),
        term=term_words(level.term_months),
        has=level_beyond_words(level),
    )


def note_of(ground: Ground, planned: PlannedRow, reached: Sequence[Offer], has_runs: bool) -> Message:
    """Why there is no advice for a row, or why it is limited; empty otherwise. reached: offers with nothing left.

    Sentences are joined by semicolons, the gravest first.
    """
    row, sentences = planned.row, list[Message]()
    if not row.slices and has_runs:
        return worded("only planned runs, with their own orders")
    if not row.slices:
        return worded("existing contracts serve it for two years")
    only = only_of(row.gpu_model)
    if only != ANYBODY:
        sentences.append(worded("{who} may serve it", who=lowered(who_words(only))))
    if row.flex.rate is None and row.use is not None:
        sentences.append(worded("no on-demand offer may serve it: demand without orders is unserved"))
    elif row.flex.rate is None:
        waits = (planned.signed.now == NO_ORDER) & (row.busy.today(0) > 0)
        named = gpu_model_of(row.gpu_model) or worded("GPUs of its model")
        sentences.append(
            worded("no advice: {model} has no on-demand rate, and not all demand is committable", model=named)
            if waits.any()
            else worded("{model} has no on-demand rate, so all demand is committed", model=named)
        )
    if not row.offers:
        sentences.append(worded("no priced commitment is open to this pool"))
    beyond = beyond_offers(planned)
    sentences += map(level_beyond_sentence, beyond)
    places = np.unique(planned.signed.orders.offer).tolist()
    terms_beyond = {level.term_months for level in beyond}
    taken = {
        row.offers[place].offer_id
        for place in places
        if place >= 0 and row.offers[place].term_months not in terms_beyond
    }
    sentences += [
        joined((offer.offer_id, max_gpus_words(offer)), ": ") for offer in reached if offer.offer_id in taken
    ]
    sentences += _mapped_words(ground, planned)
    if ground.window.hours <= SHORT_WINDOW_HOURS:
        sentences.append(worded("logs up to a week allow terms up to a month"))
    return joined(sentences, "; ")
