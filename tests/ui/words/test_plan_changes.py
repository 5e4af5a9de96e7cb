"""A change of a plan in words: its amount, and which time it is of."""

import pytest

from gpuplanner.domain.commitment.plan.comparison import Horizon, HorizonRow
from gpuplanner.ui.words.plan_changes import beside_words, change_words, in_period


@pytest.mark.parametrize(
    ("horizon", "words"),
    [
        (Horizon.NEXT_MONTH, "\u2212$350 next month"),
        (Horizon.MONTH_12, "\u2212$350 in month 12"),
        (Horizon.TWELVE_MONTHS, "\u2212$350 in 12 months"),
    ],
)
def test_a_change_names_its_period(horizon: Horizon, words: str) -> None:
    assert in_period(horizon, -350) == words


def test_a_change_is_the_difference_of_the_amounts_that_are_written() -> None:
    """$6,189,431 less $6,106,583, as the headline of the demo has them."""
    spent = HorizonRow(
        horizon=Horizon.TWELVE_MONTHS,
        do_nothing=None,
        plan=6189431.49,
        before=6106582.72,
        saved=None,
        changed=82848.77,
    )
    assert change_words(spent) == "+$82,848 in 12 months"


def test_an_unknown_change_has_no_words() -> None:
    rows = {
        horizon: HorizonRow(horizon=horizon, do_nothing=None, plan=None, before=1.0, saved=None, changed=None)
        for horizon in Horizon
    }
    assert change_words(rows[Horizon.MONTH_12]) == ""
    assert beside_words(Horizon.MONTH_12, rows) == ""
