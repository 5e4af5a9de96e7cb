"""The rows that ask for the orders of a plan, under the numbers that vendors know them by where they have answered."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gpuplanner.domain.commitment.plan.answered_rows import row_quoted_for
from gpuplanner.domain.commitment.plan.asked_rows import AskedRow, asked_rows
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME, Calendar
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.fit.asked_needs import asked_needs
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row


def asked_in(
    ground: Ground, orders: Sequence[Order], sold_in: Mapping[str, int], today_s: int
) -> tuple[AskedRow, ...]:
    """The rows that ask for the orders of a plan.

    ground: of that plan; sold_in: GPUs of the machine that a model is sold in by most, where neither its offers nor the
    assumption `unit` say. today_s: epoch seconds; no row starts before that day.
    """
    named = {(order.pool, order.gpu_model) for order in orders}
    needs = asked_needs(ground.project, ground.plan.users, named)
    said = ground.assumptions.unit
    stated: dict[str, int] = {}
    for offer in ground.project.offers:
        if offer.term_months and offer.unit_gpus:
            stated[offer.gpu_model] = max(stated.get(offer.gpu_model, 1), offer.unit_gpus)
    models = {order.offer_gpu_model or "" for order in orders}
    nodes = {model: said or stated.get(model) or sold_in.get(model, 1) for model in models}
    rows = asked_rows(orders, needs, nodes, today_s)
    return as_numbered(rows, ground.project.offers, ground.calendar)


def as_numbered(
    rows: Sequence[AskedRow], offers: Sequence[Offer], calendar: Calendar = ANY_TIME
) -> tuple[AskedRow, ...]:
    """The rows, each that a quote stands beside under the number that it had in the newest request that was answered.

    The others keep theirs, but for one that vendors know another row by. calendar: of the plan. Of requests of one day
    the one that was quoted on last is the newest; where that is the same, or not told, the last by reference.
    """
    answered = [(offer, said) for offer in offers if (said := answered_row(offer)) is not None]
    if not answered:
        return tuple(rows)
    newest = max((said.issued or "", offer.as_of or "", said.reference) for offer, said in answered)[-1]
    mine = [(int(said.row[1:]), offer) for offer, said in answered if said.reference == newest]
    number_of: dict[int, int] = {}
    for number, offer in sorted(mine, key=lambda one: (one[0], one[1].offer_id)):
        place = row_quoted_for(offer, rows, calendar)
        if place is not None and number not in number_of.values():
            number_of.setdefault(place, number)
    known = {number for number, _ in mine}
    after = max(len(rows), *known)
    found = []
    for place, row in enumerate(rows):
        number = number_of.get(place, place + 1)
        if place not in number_of and number in known:  # vendors know another row by it
            number = after = after + 1
        found.append(replace(row, name=f"R{number}"))
    return tuple(found)
