"""Figures of two offers of the price book, one beside the other. Source: docs/formulas.md, Price book."""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.operations import Operand, share
from gpuplanner.domain.figures.units import RATE, SHARE
from gpuplanner.domain.message import worded


def below(rate: Operand, chosen_rate: Operand) -> Operand:
    """How far an offer's rate is below that of the one chosen beside it; below 0 it is above."""
    return 1 - share(rate, chosen_rate)


OFFER_PAIR: Final = Subject(
    "offer_pair",
    (
        Figure("rate", titles.RATE, RATE, phrase=worded("rate of the offer")),
        Figure(
            "chosen_rate", worded("Rate of the chosen one"), RATE, phrase=worded("rate of the chosen one")
        ),
        Figure("below", worded("Below"), SHARE, below, why="offer_below"),
    ),
)
"""An offer beside the one that is chosen to compare with."""
