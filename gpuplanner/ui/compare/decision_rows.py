"""What was decided in a plan and why, beside the other plans: what they do not share, those with a reason first."""

from typing import Final

from gpuplanner.app.questions.comparing import Comparison
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import by_count, spoken, tr

MOST: Final = 12
COLUMNS: Final = (
    Column("UTC", False, 92),
    Column("Decision", False),
    Column("Why", False, 260, is_cut_at_end=True),
)


def decision_rows(comparison: Comparison, at: int) -> tuple[list[Row], str]:
    """Rows of side `at`, and what is left out, in words; decisions that all the plans share explain no difference."""
    side = comparison.sides[at]
    others = [other for other in comparison.sides if other is not side]
    shared = set(side.scenario.decisions).intersection(*(other.scenario.decisions for other in others))
    own = [one for one in side.scenario.decisions if one not in shared]
    ranked = sorted(own, key=lambda one: (not one.reason, -one.at_s))
    rows = [
        Row(
            (
                Cell(numbers.clock(one.at_s, with_day=True), "muted"),
                Cell(spoken(one.what), is_strong=True, tip=spoken(one.what)),
                Cell(one.reason or tr("No reason given"), "text" if one.reason else "muted", tip=one.reason),
            )
        )
        for one in ranked[:MOST]
    ]
    left = len(own) - len(rows)
    if not own:
        return rows, tr("Nothing decided that the plan beside it has not too.")
    if not left:
        return rows, ""
    return rows, by_count(
        left, "{count} more in History", "{count} more in History", count=numbers.whole(left)
    )
