"""The card 'This quarter': four steps with state, amount, result, and the next action as a link to its place."""

from typing import Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.audit.quarter import OVER, Place, Step
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.reports.mix import QUARTER
from gpuplanner.domain.reports.report import Medium
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.audit.cards import TablesCard
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.layout import add
from gpuplanner.ui.kit.type_scale import base_font, text_width
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows

OPENS: Final[dict[Place, Message]] = {
    Place.FILES: worded("Import files"),
    Place.NAMES: worded("Match the names"),
    Place.PLAN: worded("Open the plan's board"),
    Place.PLACEMENT: worded("Open Placement"),
    Place.CONTRACTS: worded("Open Contracts"),
    Place.PRICES: worded("Open Prices"),
}
"""What the link of a next action does."""
STATE_PX: Final = 40
"""Room beside the words of a state: its mark and the gap to the next column."""


class QuarterCard(TablesCard):
    """Told what is shown. places: where the next action of a step is done, by the key of its row."""

    def __init__(self) -> None:
        self.places: dict[str, Place] = {}
        self.table = FigureTable(tr(QUARTER.title))
        super().__init__(CardFrame(tr(QUARTER.title)), self.table)
        self.frame.note(QUARTER.note)
        add(self.frame.body, self.table)

    def show_state(self, shown: ViewState) -> None:
        """Show the steps of an audit."""
        steps = QUARTER.rows_in(Medium.WINDOW, shown.evaluation)
        self.places = {str(step.step): step.answer.place for step in steps}
        rows = table_rows(QUARTER, shown.evaluation, are_opened=True)
        strong = base_font("strong")
        widest = max((text_width(spoken(row.cells[_STATE_AT].text), strong) for row in rows), default=0)
        columns = [
            replace(
                column, is_cut_at_end=not column.is_figure, width=(widest + STATE_PX) * (place == _STATE_AT)
            )
            for place, column in enumerate(table_columns(QUARTER))
        ]
        self.table.show_whole(columns, [_row(step, row) for step, row in zip(steps, rows, strict=True)])


_NAMES: Final = [column.name for column in QUARTER.columns_in(Medium.WINDOW)]
_STATE_AT, _ACTION_AT = _NAMES.index("shown_state"), _NAMES.index("next_action")


def _row(step: Step, row: Row) -> Row:
    """Return the row of a step with the mark of a broken limit, and its next action as a link."""
    cells, opens = list(row.cells), OPENS.get(step.answer.place)
    if step.shown_state == OVER:
        cells[_STATE_AT] = replace(cells[_STATE_AT], icon="triangle", icon_role="amber")
    if opens is None:
        return replace(row, cells=tuple(cells), key="")
    cells[_ACTION_AT] = replace(cells[_ACTION_AT], role="accent", tip=opens)
    return replace(row, cells=tuple(cells))
