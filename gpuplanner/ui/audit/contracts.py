"""Contracts under 40%: named, with the flag and break-even beside what was used, and what they are paid unused."""

from typing import Final

from gpuplanner.domain.reports.contracts import CONTRACTS
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.limited_table import LimitedTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words.contracts_that_ran import none_under_40_sentence
from gpuplanner.ui.words.translation import spoken, tr

MOST: Final = 8


class ContractsCard:
    """Told what is shown."""

    def __init__(self, palette: Palette) -> None:
        self.frame = CardFrame(tr("Contracts under 40%"))
        self.said = muted_label("", is_wrapped=False)
        self.said.setWordWrap(True)
        self.limited = LimitedTable(CONTRACTS.title, palette)
        self.frame.body.addWidget(self.said)
        self.frame.body.addWidget(self.limited)
        self.frame.body.addStretch(1)

    def show_state(self, shown: ViewState) -> None:
        """Show the contracts of an audit, those under 40% first."""
        audit = shown.evaluation.audit
        flagged = sum(bool(row.below_40_percent) for row in audit.contracts)
        count = len(audit.contracts)
        self.frame.say(tr("{flagged} of {count}", flagged=flagged, count=count) if count else "")
        sentence = "" if flagged else none_under_40_sentence(audit)
        self.said.setText(spoken(sentence))
        self.said.setVisible(bool(sentence))
        rows = table_rows(CONTRACTS, audit)
        limit = min(flagged, MOST)
        self.limited.show_rows(
            table_columns(CONTRACTS), rows, limit if flagged else min(count, 3), tr("more contracts")
        )

    def as_text(self) -> str:
        """Its rows as text."""
        return self.limited.as_text()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.limited.show_palette(palette)
