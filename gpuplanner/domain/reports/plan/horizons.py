"""What a plan comes to next month, in month 12 and in twelve months, and what a question asked of it changes."""

from collections.abc import Sequence
from typing import Final, Protocol

from gpuplanner.domain.commitment.comparison.horizons import HorizonRow, horizons_of
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.words.horizon_words import HORIZON_NAMES
from gpuplanner.domain.figures.plan import AHEAD
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.reports.report import BRIEF, DOCUMENT_ALONE, TERMINAL, Column, Report


class IsAdvised(Protocol):
    """An evaluation of a plan."""

    @property
    def advice(self) -> Advice | None:
        """Of the plan."""

    @property
    def before(self) -> Advice | None:
        """Of the plan before the question; None where none is asked."""


def _rows(of: IsAdvised) -> Sequence[HorizonRow]:
    return () if of.advice is None else horizons_of(of.advice, of.before)


READ: Final = TERMINAL | BRIEF
_NAME: Final = (
    Column(key="horizon", media=DOCUMENT_ALONE, value=lambda row: row.horizon.value),
    Column(key="name", title=worded("Horizon"), media=READ, value=lambda row: HORIZON_NAMES[row.horizon]),
)
_ALONE: Final = (Column(AHEAD["do_nothing"]), Column(AHEAD["plan"]), Column(AHEAD["saved"]))
_ASKED: Final = (
    Column(AHEAD["before"]),
    Column(AHEAD["plan"]),
    Column(AHEAD["changed"], form="change"),
    Column(AHEAD["do_nothing"]),
    Column(AHEAD["saved"]),
)


def _report(title: Text, columns: tuple[Column, ...]) -> Report:
    return Report(
        title=title,
        one="horizon",
        many="horizons",
        rows=_rows,
        key=lambda row: str(row.horizon.value),
        columns=(*_NAME, *columns),
        note=worded(
            "Next month has all of the plan's first month running; the twelve add up each month as it comes."
        ),
        adds_up=False,
        media=READ | DOCUMENT_ALONE,
    )


HORIZONS: Final = _report(worded("What the plan comes to"), _ALONE)
"""Of a plan that asks nothing."""
QUESTION: Final = _report(worded("What the question changes"), _ASKED)
"""Of a plan beside the plan before the question; documents have it of every plan."""
