"""The rows that ask for the orders of a plan, under the numbers that vendors know them by where they have answered."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME, Calendar
from gpuplanner.domain.commitment.requests.answered_rows import row_quoted_for
from gpuplanner.domain.commitment.requests.asked_rows import AskedRow, asked_of_vendors, asked_rows
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.fit.asked_needs import asked_needs
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row, issued_on
from gpuplanner.domain.model.log.sent_rows import SentRow, sent_in
from gpuplanner.domain.model.window import MONTH_S, instant_s

_FURTHEST_S: Final = MONTH_S
"""A row that starts more than a month before or after one that was sent is another row."""


def asked_in(
    ground: Ground, orders: Sequence[Order], sold_in: Mapping[str, int], today_s: int
) -> tuple[AskedRow, ...]:
    """The rows that ask for the orders of a plan, but for those that buy GPUs of our own.

    ground: of that plan; sold_in: GPUs of the machine that a model is sold in by most, where neither its offers nor the
    assumption `unit` say. today_s: epoch seconds; no row starts before that day.
    """
    orders = asked_of_vendors(orders, ground.project.offers)
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
    sent = [row for file in ground.project.intake for row in sent_in(file)]
    return as_numbered(rows, ground.project.offers, ground.calendar, sent)


def as_numbered(
    rows: Sequence[AskedRow],
    offers: Sequence[Offer],
    calendar: Calendar = ANY_TIME,
    sent: Sequence[SentRow] = (),
) -> tuple[AskedRow, ...]:
    """The rows, each under the number that it had in the newest request of which something came back.

    sent: all rows of the files that came back. A row that a quote stands beside has the quote's number; of the others
    each that of the row of the request that is alike and starts nearest. What was not in that request is numbered after
    it; where its rows are not known a row keeps its number, but for one that vendors know another row by. calendar: of
    the plan. Of requests of one day the one that was quoted on last is the newest; where that is the same, or not told,
    the last by reference. Source: docs/formulas.md, Requests for quote.
    """
    answered = [(offer, said) for offer in offers if (said := answered_row(offer)) is not None]
    requests = [
        *((said.issued or "", offer.as_of or "", said.reference) for offer, said in answered),
        *((issued_on(one.reference) or "", one.quoted_on or "", one.reference) for one in sent),
    ]
    if not requests:
        return tuple(rows)
    newest = max(requests)[-1]
    mine = [(int(said.row[1:]), offer) for offer, said in answered if said.reference == newest]
    number_of: dict[int, int] = {}
    for number, offer in sorted(mine, key=lambda one: (one[0], one[1].offer_id)):
        place = row_quoted_for(offer, rows, calendar)
        if place is not None and number not in number_of.values():
            number_of.setdefault(place, number)
    of_request = {one.number: one for one in sent if one.reference == newest}
    _number_alike(rows, of_request, number_of)
    known = {*of_request, *(number for number, _ in mine)}
    after = max(known) if of_request else max(len(rows), *known)
    found = []
    for place, row in enumerate(rows):
        number = number_of.get(place, place + 1)
        if place not in number_of and (
            of_request or number in known
        ):  # new, or vendors know another row by it
            number = after = after + 1
        found.append(replace(row, name=f"R{number}"))
    return tuple(found)


def _number_alike(
    rows: Sequence[AskedRow], of_request: Mapping[int, SentRow], number_of: dict[int, int]
) -> None:
    """Adds the numbers of rows that are alike in what was sent, the nearest start first; each number once."""
    pairs = [
        (away_s, row.needs.interconnect != sent.interconnect, place, number)
        for place, row in enumerate(rows)
        for number, sent in of_request.items()
        if _is_alike(row, sent) and (away_s := _away_s(row, sent)) <= _FURTHEST_S
    ]
    for *_, place, number in sorted(pairs):
        if place not in number_of and number not in number_of.values():
            number_of[place] = number


def _is_alike(row: AskedRow, sent: SentRow) -> bool:
    """Whether a row is of the model, term and region of one that was sent, and an option where that was one."""
    asked = (
        row.gpu_model.casefold(),
        row.only.region.casefold(),
        row.term_months,
        row.term_days,
        row.is_option,
    )
    return asked == (
        sent.gpu_model.casefold(),
        sent.region.casefold(),
        sent.term_months,
        sent.term_days,
        sent.is_option,
    )


def _away_s(row: AskedRow, sent: SentRow) -> int:
    """Seconds between the starts of both; the furthest where the one that was sent has none."""
    return _FURTHEST_S if sent.start is None else abs(row.start_s - instant_s(sent.start))
