"""The card 'This quarter': four steps with state, figure and next action."""

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.reports.mix import QUARTER
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.audit.cards import TablesCard
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.layout import add
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows


class QuarterCard(TablesCard):
    """Told what is shown."""

    def __init__(self) -> None:
        self.table = FigureTable(tr(QUARTER.title))
        super().__init__(CardFrame(tr(QUARTER.title)), self.table)
        self.frame.note(QUARTER.note)
        add(self.frame.body, self.table)

    def show_state(self, shown: ViewState) -> None:
        """Show the steps of an audit."""
        columns = [replace(column, is_cut_at_end=not column.is_figure) for column in table_columns(QUARTER)]
        self.table.show_whole(columns, table_rows(QUARTER, shown.evaluation))
