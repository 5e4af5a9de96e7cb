"""Integer programs: whole numbers within bounds and linear limits, solved to the end, alike each time."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.lazy_dataclass import dataclass, field

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
        lp.a_matrix_.start_ = np.cumsum([0, *(len(factors) for factors, _, _ in self._limits)])
        lp.a_matrix_.index_ = np.array(
            [number for factors, _, _ in self._limits for number in factors], dtype=np.int32
        )
        lp.a_matrix_.value_ = np.array(
            [by for factors, _, _ in self._limits for by in factors.values()], dtype=float
        )
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


def weighted_sum(terms: Mapping[int, float], values: Sequence[int]) -> float:
    """What a sum comes to."""
    return float(sum(by * values[number] for number, by in terms.items()))
