"""The card of contracts with utilization under 40%."""

from typing import Final

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.reports.clusters import CONTRACTS
from gpuplanner.ui.audit.cards import TablesCard
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.layout import STRETCH, add
from gpuplanner.ui.kit.page_parts import muted_label
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.limited_table import LimitedTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words.contract_use import none_under_40_sentence

MOST_CONTRACTS: Final = 8


class ContractsCard(TablesCard):
    """Told what is shown."""

    def __init__(self) -> None:
        self.limited = LimitedTable(CONTRACTS.title)
        super().__init__(CardFrame(tr("Contracts under 40%")), self.limited)
        self.said = muted_label()
        add(self.frame.body, self.said, self.limited, STRETCH)

    def show_state(self, shown: ViewState) -> None:
        """Show the contracts of an audit, those under 40% first."""
        audit = shown.evaluation.audit
        flagged = sum(bool(row.below_40_percent) for row in audit.contracts)
        count = len(audit.contracts)
        self.frame.say(tr("{shown} of {total}", shown=flagged, total=count) if count else "")
        self.said.show_text("" if flagged else none_under_40_sentence(audit))
        limit = min(flagged, MOST_CONTRACTS) if flagged else min(count, 3)
        rows = table_rows(CONTRACTS, audit)
        self.limited.show_rows(table_columns(CONTRACTS), rows, limit, tr("more contracts"))
