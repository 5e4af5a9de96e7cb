"""Rules of thumb that an advice is held against: how many GPUs each would hold of a row, from the log so far."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Final

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.backtest.history import History
from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.demand.newsvendor import ROUNDING, newsvendor_units


@dataclass(frozen=True, slots=True)
class Question:
    """What a rule of thumb is asked: a row at an hour of the log, GPUs a block, and the rates it chooses between.

    now_h: hours from the log's start. Rates are $ per GPU-hour, both above 0.
    """

    history: History
    row: Row
    now_h: int
    block: int
    term_rate: float
    flex_rate: float

    def blocks(self, begin_h: int) -> Floats:
        """Demand in blocks in each hour from begin_h to now, at least one hour.

        begin_h: hours from the log's start; below 0 counts as 0. Shapes: (hours,).
        """
        return self.history.gpus(self.row, begin_h, self.now_h) / self.block


def lookback(days: int) -> Callable[[Question], float]:
    """The newsvendor level of the last `days` days (or of as many as there are).

    Returns GPUs, whole blocks of them. Source: docs/formulas.md, Backtest.
    """

    def level(asked: Question) -> float:
        demand = asked.blocks(asked.now_h - 24 * days)
        return asked.block * newsvendor_units(demand, asked.term_rate / asked.flex_rate)

    return level


def peak(asked: Question) -> float:
    """Whole blocks for the busiest hour so far.

    Returns GPUs. A rounding over a whole block takes no other.
    """
    return asked.block * ceil(float(asked.blocks(0).max()) - ROUNDING)


def mean(asked: Question) -> float:
    """Whole blocks for the mean of all hours so far.

    Returns GPUs. A rounding over a whole block takes no other.
    """
    return asked.block * ceil(float(asked.blocks(0).mean()) - ROUNDING)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of thumb: the level that it tops up to month after month, and with which term.

    is_cheapest: with the term of the lowest rate, else with the shortest.
    """

    level: Callable[[Question], float]
    is_cheapest: bool = False


LOOKBACK_DAYS: Final = (7, 28, 56)
SHORTEST: Final = {f"lookback_{days}": Rule(lookback(days)) for days in LOOKBACK_DAYS}
CHEAPEST: Final = {f"lookback_{days}_cheapest": Rule(lookback(days), True) for days in LOOKBACK_DAYS}
LOOKBACKS: Final = (*SHORTEST, *CHEAPEST)
RULES: Final[dict[str, Rule]] = SHORTEST | CHEAPEST | {"peak": Rule(peak), "mean": Rule(mean)}
"""By the name that the JSON has for their $."""
