"""Division of nodes among offers: at least cost, within the limits of each offer and of the buyer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from gpuplanner.domain.award.integer_program import IntegerProgram, weighted_sum
from gpuplanner.domain.model.amounts import HALF_A_CENT
from gpuplanner.lazy_dataclass import dataclass

Key = TypeVar("Key", str, int)
UNDER_A_UNIT: Final = 1 - 1e-6
"""Units that may be bought beyond what is served, where a GPU of the offer is worth another number of GPUs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An offer that qualifies for a row. row: its place. units_a_node: units of the offer that serve a node of the row.

    cost, prepaid: $ of a unit in all, and of it what is paid upfront. is_exact: only whole units that serve nothing
    but nodes are bought; where a GPU is worth more or less than one of the row's, the last unit may not be full.
    """

    row: int
    offer_id: str
    provider: str | None
    unit_gpus: int
    units_a_node: float
    cost: float
    prepaid: float = 0.0
    is_exact: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What holds over all rows. least, most: GPUs of an offer, by offer_id. of_provider: $ in all that one provider may
    have; prepaid: $ that may be paid upfront in all. None: no limit. of_offers: $ that the offers of these ids may come
    to together."""

    least: Mapping[str, int]
    most: Mapping[str, int]
    of_provider: float | None = None
    prepaid: float | None = None
    of_offers: tuple[tuple[frozenset[str], float], ...] = ()


@dataclass(frozen=True, slots=True)
class Division:
    """Nodes that each candidate serves and units that are bought for them, in the order of the candidates.

    open: nodes of each row that nobody serves.
    """

    nodes: tuple[int, ...]
    units: tuple[int, ...]
    open: tuple[int, ...]


def divide(
    nodes: Sequence[int], node_gpus: Sequence[int], candidates: Sequence[Candidate], bounds: Bounds
) -> Division:
    """The division that leaves fewest GPUs open; of those the cheapest; of those the first by provider and offer_id.

    nodes, node_gpus: of each row. Source: docs/formulas/quotes.md, Award. Errors: PlannerError as IntegerProgram.
    """
    asked = _program(nodes, candidates, bounds)
    program = asked.program
    open_gpus = dict(zip(asked.open, map(float, node_gpus), strict=True))
    program.limit(open_gpus, high=weighted_sum(open_gpus, program.least(open_gpus)))
    cost = {number: candidate.cost for number, candidate in zip(asked.units, candidates, strict=True)}
    program.limit(cost, high=weighted_sum(cost, program.least(cost)) + HALF_A_CENT)
    names = {name: place for place, name in enumerate(sorted({_name(candidate) for candidate in candidates}))}
    first = {
        number: float(node_gpus[candidate.row] * names[_name(candidate)])
        for number, candidate in zip(asked.nodes, candidates, strict=True)
    }
    least = program.least(first)
    return Division(
        tuple(least[number] for number in asked.nodes),
        tuple(least[number] for number in asked.units),
        tuple(least[number] for number in asked.open),
    )


def _name(candidate: Candidate) -> tuple[bool, str, str]:
    """By what an offer comes first where the cost is the same: provider, offers that name none last, and offer_id."""
    return candidate.provider is None, candidate.provider or "", candidate.offer_id


class LeastCost(NamedTuple):
    """GPUs that a division leaves open, and what it costs in all."""

    open_gpus: float
    usd: float


def least_cost(
    nodes: Sequence[int], node_gpus: Sequence[int], candidates: Sequence[Candidate], bounds: Bounds
) -> LeastCost:
    """The same division, without asking who it is."""
    asked = _program(nodes, candidates, bounds)
    open_gpus = dict(zip(asked.open, map(float, node_gpus), strict=True))
    left = weighted_sum(open_gpus, asked.program.least(open_gpus))
    asked.program.limit(open_gpus, high=left)
    cost = {number: candidate.cost for number, candidate in zip(asked.units, candidates, strict=True)}
    return LeastCost(open_gpus=left, usd=weighted_sum(cost, asked.program.least(cost)))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The program, and the numbers of its variables: nodes and units of each candidate, open nodes of each row."""

    program: IntegerProgram
    nodes: tuple[int, ...]
    units: tuple[int, ...]
    open: tuple[int, ...]


def _program(nodes: Sequence[int], candidates: Sequence[Candidate], bounds: Bounds) -> _Asked:
    """Every limit but those on what is left open and on the cost."""
    program = IntegerProgram()
    served = tuple(program.variable(nodes[candidate.row]) for candidate in candidates)
    units = tuple(program.variable(nodes[pick.row] * pick.units_a_node + 1) for pick in candidates)
    left = tuple(program.variable(count) for count in nodes)
    of_rows = places_by_key(candidate.row for candidate in candidates)
    for row, count in enumerate(nodes):
        own = (served[place] for place in of_rows.get(row, ()))
        program.limit({**dict.fromkeys(own, 1.0), left[row]: 1.0}, count, count)
    for node, unit, pick in zip(served, units, candidates, strict=True):
        program.limit({unit: 1.0, node: -pick.units_a_node}, 0.0, 0.0 if pick.is_exact else UNDER_A_UNIT)
    for offer_id, of_offer in places_by_key(candidate.offer_id for candidate in candidates).items():
        gpus = {units[place]: float(candidates[place].unit_gpus) for place in of_offer}
        if offer_id in bounds.most:
            program.limit(gpus, high=bounds.most[offer_id])
        if offer_id in bounds.least:
            is_taken = program.variable(1)
            program.limit({**gpus, is_taken: -float(bounds.least[offer_id])}, low=0.0)
            for place in of_offer:
                program.limit({served[place]: 1.0, is_taken: -float(nodes[candidates[place].row])}, high=0.0)
    if bounds.of_provider is not None:
        for provider, of_one in places_by_key(candidate.provider or "" for candidate in candidates).items():
            if provider:
                spent = {units[place]: candidates[place].cost for place in of_one}
                program.limit(spent, high=bounds.of_provider + HALF_A_CENT)
    for offers, usd in bounds.of_offers:
        of_them = {
            unit: pick.cost for unit, pick in zip(units, candidates, strict=True) if pick.offer_id in offers
        }
        if of_them:
            program.limit(of_them, high=usd + HALF_A_CENT)
    if bounds.prepaid is not None:
        prepaid = {unit: candidate.prepaid for unit, candidate in zip(units, candidates, strict=True)}
        program.limit(prepaid, high=bounds.prepaid + HALF_A_CENT)
    return _Asked(program, served, units, left)


def places_by_key(keys: Iterable[Key]) -> dict[Key, list[int]]:
    """The places at which each key stands, keys in the order in which they come first."""
    places: dict[Key, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return places
