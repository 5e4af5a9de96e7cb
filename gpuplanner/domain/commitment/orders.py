"""Orders: the first commitment of each slice along today's level, and by when to sign it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.commitment.allocation import Flags, RowToPlan, Signed
from gpuplanner.domain.commitment.plan import COMPARED_MONTHS, PlannedRow
from gpuplanner.domain.commitment.rates import lead_months, lead_s
from gpuplanner.domain.commitment.result import IF_IT_LASTS, Order
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.contract_months import first_missed_month, month_start_s, notice_s
from gpuplanner.domain.model.cube import Ints
from gpuplanner.domain.model.model_mapping import whole_gpus
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import Window


@dataclass(frozen=True, slots=True)
class FirstCommitment:
    """Slices of one row that commit for the first time in one month, with one offer.

    ratio: GPUs of the row's model that one GPU of the offer is worth, where that is of a mapped model. if_it_lasts: the
    slices are too young for the term, unless they go on until then.
    """

    pool: Pool
    gpu_model: str | None
    offer: Offer
    month: int
    gpus: float
    ratio: float | None = None
    if_it_lasts: bool = False


def first_commitments(rows: Sequence[PlannedRow]) -> tuple[FirstCommitment, ...]:
    """Of every row, by month and offer; slices that never commit have none."""
    answer = []
    for planned in rows:
        row, signed = planned.row, planned.signed
        ever = (signed.term > 0).any(axis=0)
        month = np.where(ever, (signed.term > 0).argmax(axis=0), -1)
        offer = np.where(ever, signed.offer[month, np.arange(row.slices)], -1)
        widths: dict[tuple[int, int, bool], float] = {}
        lasting = _if_they_last(row, signed, month)
        columns = (month.tolist(), offer.tolist(), lasting.tolist(), row.slicing.widths.tolist())
        for first, place, lasts, width in zip(*columns, strict=True):
            widths[first, place, lasts] = widths.get((first, place, lasts), 0.0) + width
        for (first, place, lasts), gpus in sorted(widths.items()):
            if first >= 0 and place >= 0:
                offer_taken = row.offers[place]
                ratio = row.ratios.get(offer_taken.offer_id)
                answer.append(
                    FirstCommitment(row.pool, row.gpu_model, offer_taken, first, gpus, ratio, lasts)
                )
    return tuple(answer)


def _if_they_last(row: RowToPlan, signed: Signed, month: Ints) -> Flags:
    """Which slices sign first what only their going on until then opens to them; month (slices,): -1 where never."""
    lasting = np.zeros(row.slices, dtype=np.bool_)
    if row.lived is None:
        return lasting
    for first in range(1, COMPARED_MONTHS):
        for term in np.unique(signed.term[first][month == first]).tolist():
            takers = (month == first) & (signed.term[first] == term)
            lasting |= takers & row.lived.if_it_lasts(first, term)
    return lasting


def _dated(first: FirstCommitment, ending: Sequence[Contract], window: Window) -> tuple[int, int, str]:
    """start, order_by, reason. ending: existing contracts of the model that are first missed in its month."""
    lead = lead_s(first.offer)
    if first.month == 0:
        return window.end_s + lead, window.end_s, "now"
    ends = [(contract.end_s or 0, notice_s(contract)) for contract in ending]
    if ends:
        return (
            min(end for end, _ in ends),
            min(end - max(notice, lead) for end, notice in ends),
            "contract_end",
        )
    start = month_start_s(window, first.month)
    return start, start - lead, "lead_time" if first.month == lead_months(first.offer) else "growth"


def orders_of(
    firsts: Sequence[FirstCommitment], contracts: Sequence[Contract], served: dict[str, int], window: Window
) -> tuple[Order, ...]:
    """Orders of the first 12 months, grouped by pool, model, offer, term and start; those of `if_it_lasts` apart.

    contracts: those that serve in the plan; served: what each served in month 0, by contract_id.
    """
    grouped: dict[tuple[str, str, str, int, int, bool], Order] = {}
    for first in firsts:
        if first.month >= COMPARED_MONTHS:
            continue
        ending = [
            contract
            for contract in contracts
            if contract.gpu_model == first.gpu_model
            and served.get(contract.contract_id, 0) > 0
            and first_missed_month(contract, window) == first.month
        ]
        start_s, order_by_s, reason = _dated(first, ending, window)
        term, offer_id = first.offer.term_months, first.offer.offer_id
        reason = IF_IT_LASTS if first.if_it_lasts else reason
        key = (first.pool, first.gpu_model or "", offer_id, term, start_s, first.if_it_lasts)
        same = grouped.get(key)
        gpus = first.gpus + (same.gpus if same else 0.0)
        if same:
            order_by_s, reason = min(order_by_s, same.order_by_s), same.reason
        ratio = first.ratio
        grouped[key] = Order(
            first.pool,
            first.gpu_model,
            offer_id,
            term,
            gpus,
            start_s,
            order_by_s,
            reason,
            first.offer.gpu_model,
            gpus if ratio is None else whole_gpus(gpus, ratio),
        )
    return tuple(grouped[key] for key in sorted(grouped))
