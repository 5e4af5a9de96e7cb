"""Who serves how many nodes of what is asked for: an integer program, solved to the end."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

import numpy as np

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import HALF_A_CENT
from gpuplanner.domain.model.errors import refusal
from gpuplanner.lazy_dataclass import dataclass, field

# --- Integer programs: whole numbers within bounds, linear limits on them, solved to the end and each time alike

Terms = Mapping[int, float]
"""A sum of variables: by the number of each what it is multiplied with."""

MOST_NODES: Final = 100_000
"""Branches that are looked at before it is said that a program is too large to be solved to the end."""
TOLERANCE: Final = 1e-9
"""How far from a whole number a variable may be, and from its limit or its least a sum, in its largest factor."""


@dataclass(slots=True)
class IntegerProgram:
    """Variables 0, 1, 2 ... are whole numbers from 0 on. Limits are added one by one; solving changes nothing."""

    _most: list[float] = field(default_factory=list)
    _limits: list[tuple[Terms, float, float]] = field(default_factory=list)

    def variable(self, most: float) -> int:
        """A further variable, and its number."""
        self._most.append(most)
        return len(self._most) - 1

    def limit(self, terms: Terms, low: float = -np.inf, high: float = np.inf) -> None:
        """A sum is to be from low to high, both included."""
        size = largest_factor(terms)
        self._limits.append(({number: by / size for number, by in terms.items()}, low / size, high / size))

    def least(self, terms: Terms) -> tuple[int, ...]:
        """The variables where a sum is least; the same ones for the same program. Nothing is left to a gap.

        Errors: PlannerError where nothing keeps all limits, or the program is too large to be solved to the end.
        """
        if not self._most:
            return ()
        import highspy  # only who awards waits for it

        columns, size = len(self._most), largest_factor(terms)
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = columns, len(self._limits)
        costs = np.zeros(columns)
        for number, by in terms.items():
            costs[number] = by / size
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = (
            costs,
            np.zeros(columns),
            np.array(self._most, dtype=float),
        )
        lp.integrality_ = [highspy.HighsVarType.kInteger] * columns
        lp.row_lower_ = np.array([low for _, low, _ in self._limits], dtype=float)
        lp.row_upper_ = np.array([high for _, _, high in self._limits], dtype=float)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.cumsum([0, *(len(of) for of, _, _ in self._limits)])
        lp.a_matrix_.index_ = np.array([number for of, _, _ in self._limits for number in of], dtype=np.int32)
        lp.a_matrix_.value_ = np.array([by for of, _, _ in self._limits for by in of.values()], dtype=float)
        solver = highspy.Highs()  # type: ignore[no-untyped-call]
        for name, value in _OPTIONS.items():
            solver.setOptionValue(name, value)
        solver.passModel(lp)
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            problem = worded("not fully solved")
            raise refusal(worded("Award"), problem, worded("ask for fewer rows, or leave out offers"))
        return tuple(round(value) for value in solver.getSolution().col_value)


def largest_factor(terms: Terms) -> float:
    """The largest factor of a sum, by which it is divided: dollars in millions would hide what a cent decides."""
    return max(map(abs, terms.values()), default=0.0) or 1.0


_OPTIONS: Final[Mapping[str, bool | int | float]] = {
    "output_flag": False,
    "threads": 1,  # another number of them may find another answer of the same sum
    "random_seed": 0,
    "mip_rel_gap": 0.0,
    "mip_abs_gap": TOLERANCE / 10,
    "mip_feasibility_tolerance": TOLERANCE,
    "primal_feasibility_tolerance": TOLERANCE,
    "mip_max_nodes": MOST_NODES,
}


# --- Who serves how many nodes of what is asked for: at least cost, within what each offer and the buyer allow

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


def weighted_sum(terms: Mapping[int, float], values: Sequence[int]) -> float:
    """What a sum comes to."""
    return float(sum(by * values[number] for number, by in terms.items()))
