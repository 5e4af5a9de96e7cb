"""The card of leaks, the most expensive first; a row opens its leak."""

from typing import Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.reports.leaks import LEAKS, decisions, leak_list
from gpuplanner.domain.reports.report import Medium
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.audit.cards import TablesCard
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.layout import add
from gpuplanner.ui.kit.page_parts import muted_label
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.limited_table import LimitedTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words.contract_use import why_unknown

CUT_AT_END: Final = frozenset(("where", "action", "decided"))

MOST_LEAKS: Final = 10
NOTHING: Final = worded("No leaks found.")


class LeaksCard(TablesCard):
    """Told what is shown."""

    def __init__(self) -> None:
        self.limited = LimitedTable(tr(LEAKS.title))
        super().__init__(CardFrame(tr(LEAKS.title), tr("most expensive first")), self.limited)
        self.is_narrow = False
        self._nothing: Text = NOTHING
        self.said = muted_label(tr(NOTHING), is_wrapped=False)
        add(self.frame.body, self.said, self.limited)

    def show_state(self, shown: ViewState) -> None:
        """Show the leaks of an audit, with what plans decided about them."""
        audit, project = shown.evaluation.audit, shown.evaluation.project
        self.frame.note(tr("Leaks overlap; their sum is not stranded spend") if audit.leaks else "")
        self._nothing = why_unknown(audit) or NOTHING
        self.said.setText(spoken(tr(self._nothing)))
        self.said.setVisible(not audit.leaks)
        self.limited.setVisible(bool(audit.leaks))
        leaks = leak_list(project, audit)
        has_decisions = bool(decisions(project.scenarios))
        of_report = LEAKS.columns_in(Medium.WINDOW)
        kept = [
            at
            for at, column in enumerate(of_report)
            if (column.form != "part" or not (self.is_narrow or has_decisions))
            and (column.name != "decided" or has_decisions)
        ]
        columns = [
            replace(
                column,
                width=22 if of.name == "number" else column.width,
                is_cut_at_end=of.name in CUT_AT_END,
                is_figure=column.is_figure or of.name == "number",
            )
            for of, column in zip(of_report, table_columns(LEAKS), strict=True)
        ]
        rows = tuple(
            replace(row, cells=tuple(row.cells[at] for at in kept))
            for row in table_rows(LEAKS, leaks, are_opened=True)
        )
        self.limited.show_rows([columns[at] for at in kept], rows, MOST_LEAKS, tr("more leaks"))

    def as_text(self) -> Text:
        """Its rows as text, or that there are none."""
        return super().as_text() if self.limited.rows else self._nothing
