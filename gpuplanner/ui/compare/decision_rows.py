"""Decisions of a plan and reasons, next to the other plans."""

from typing import Final

from gpuplanner.app.plans.comparing import Comparison
from gpuplanner.charts.kit.translation import by_count, tr
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.plan.scenario import Decision
from gpuplanner.ui.tables.cells import Cell, Filled, Row, filled_rows
from gpuplanner.ui.words import numbers

MOST: Final = 12
COLUMNS: Final[tuple[Filled[Decision], ...]] = (
    Filled(
        title="UTC",
        is_figure=False,
        width=92,
        cell=lambda one: Cell(text=numbers.clock(one.at_s, with_day=True), role="muted"),
    ),
    Filled(
        title="Decision",
        is_figure=False,
        cell=lambda decision: Cell(text=decision.text, is_strong=True, tip=decision.text),
    ),
    Filled(
        title="Why", is_figure=False, is_cut_at_end=True, cell=lambda decision: _why_cell(decision.reason)
    ),
)


def _why_cell(reason: Text) -> Cell:
    return Cell(text=reason or tr("No reason given"), role="text" if reason else "muted", tip=reason)


def decision_rows(comparison: Comparison, at: int) -> tuple[list[Row], str]:
    """Rows of side `at`, and what is left out, in words; decisions that all the plans share explain no difference."""
    side = comparison.sides[at]
    others = [other for other in comparison.sides if other is not side]
    shared = set(side.scenario.decisions).intersection(*(other.scenario.decisions for other in others))
    if not (own := [decision for decision in side.scenario.decisions if decision not in shared]):
        return [], tr("No decisions of its own.")
    ranked = sorted(own, key=lambda one: (not one.reason, -one.at_s))
    left = max(0, len(own) - MOST)
    more = by_count(left, "{count} more in History", "{count} more in History", count=numbers.whole(left))
    return filled_rows(COLUMNS, ranked[:MOST]), more if left else ""
