"""Orders of a plan as a list that people number: which orders are one, and to which decision each belongs."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import ceil

from gpuplanner.domain.commitment.demand.slicing import usual_units
from gpuplanner.domain.commitment.listed_order import ListedOrder, status_of
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.numbers import numbered, order_number
from gpuplanner.domain.commitment.plan.orders import is_soon, orders_by_row, without_figures
from gpuplanner.domain.commitment.result import Advice, Order, Verdict
from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Text, joined, worded_count
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.book.quote_source import is_quote
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import replace


def list_orders(
    project: Project, plan: Scenario, advice: Advice, decisions: Sequence[NextDecision]
) -> tuple[ListedOrder, ...]:
    """Return the orders of a plan by number.

    New ones are numbered in the order of their decisions, then by the last day to order. decisions: of the plan, with
    their numbers. Law: every order of the advice is in one of them.
    """
    ids = _ids(advice.orders)
    owners = {
        without_figures(order): (place, decision)
        for place, decision in enumerate(decisions)
        if not decision.is_left
        for order in decision.orders
    }

    def place_of(chain: tuple[Order, ...]) -> tuple[int, int, str]:
        place, _ = owners.get(without_figures(chain[0]), (len(decisions), None))
        return place, chain[0].last_day_s, ids[chain[0]]

    late_usd = {
        without_figures(order): usd
        for decision in decisions
        if not decision.is_left
        for order, usd in zip(decision.orders, decision.late_usd_per_day, strict=True)
    }
    chains = sorted(orders_by_row(advice.orders), key=place_of)
    numbers = numbered(plan.order_numbers, [ids[chain[0]] for chain in chains])
    replaced = _replaced(advice)
    offers = {offer.offer_id: offer for offer in project.offers}
    usual = usual_units(project, project.assumptions_in(plan).unit)
    listed = []
    for chain in chains:
        first = chain[0]
        _, owner = owners.get(without_figures(first), (0, None))
        of_chain = {name for order in chain for name in replaced.get(without_figures(order), ())}
        listed_order = ListedOrder(
            number=numbers[ids[first]],
            orders=chain,
            order_ids=tuple(ids[order] for order in chain),
            decision=None if owner is None else owner.number,
            replaces=tuple(sorted(of_chain)),
            waiting_usd_per_day=late_usd.get(without_figures(first)),
        )
        if offer := offers.get(first.offer_id):
            unit = offer.unit_gpus or usual.get(offer.offer_id)
            listed_order = replace(
                listed_order,
                nodes=ceil(round(first.bought_gpus / unit, 6)) if unit else None,
                is_whole=first.is_dollars or round(first.bought_gpus, 6) % (unit or 1) == 0,
                is_quote=is_quote(offer),
                quote_valid_until=offer.valid_until,
            )
            begin_s = project.plan_window.end_s
            status = status_of(
                first,
                is_soon=is_soon(first, begin_s),
                has_price=is_quote(offer) and offer.is_open_on(begin_s),
                is_whole=listed_order.is_whole,
            )
            listed_order = replace(listed_order, status=status)
        listed.append(listed_order)
    return tuple(sorted(listed, key=lambda order: order.number))


def with_orders(decisions: Iterable[NextDecision], orders: Iterable[ListedOrder]) -> tuple[NextDecision, ...]:
    """Return decisions with the numbers of their orders, and whether the prices of all of these are quotes."""
    of_decision = grouped((order.decision, order) for order in orders)
    answer = []
    for decision in decisions:
        own = of_decision.get(decision.number, ())
        is_quoted = all(order.is_quote for order in own) if own else None
        numbers = tuple(order.number for order in own)
        answer.append(replace(decision, order_numbers=numbers, is_quote=is_quoted))
    return tuple(answer)


def replaced_by_words(verdict: Verdict, orders: Iterable[ListedOrder]) -> Text:
    """Return the GPUs of each order that take the work of a contract, as 8 GPUs of O7 + 4 GPUs of O9.

    orders: of the plan, with their numbers. Empty where no order takes it.
    """
    numbers = {without_figures(one): listed.number for listed in orders for one in listed.orders}
    taken = defaultdict[int, float](float)
    for order, gpus in verdict.takes:
        if number := numbers.get(without_figures(order)):
            taken[number] += gpus
    parts = [
        worded_count(
            gpus,
            "{gpus} GPU of {order}",
            "{gpus} GPUs of {order}",
            gpus=significant(gpus),
            order=order_number(number),
        )
        for number, gpus in sorted(taken.items())
    ]
    return joined(parts, " + ")


def _ids(orders: Iterable[Order]) -> Mapping[Order, str]:
    """Return the id of each order: pool, model, offer, term, and its place among those of the same four by start."""
    places = Counter[tuple[str, ...]]()
    ids = {}
    for order in sorted(orders, key=lambda order: (order.start_s, order.row)):
        key = (
            "order",
            order.pool.value,
            order.gpu_model or "",
            order.offer_id,
            str(order.term_months),
            *filter(None, [order.run]),
        )
        places[key] += 1
        ids[order] = ":".join((*key, str(places[key])))
    return ids


def _replaced(advice: Advice) -> dict[Order, list[str]]:
    """Return the contracts whose work each order takes, by the order without figures."""
    taken = (
        (without_figures(order), verdict.contract_id)
        for verdict in advice.verdicts
        if verdict.is_to_decide
        for order, _ in verdict.takes
    )
    return {order: list(names) for order, names in grouped(taken).items()}
