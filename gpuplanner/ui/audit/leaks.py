"""Leaks of the audit, most expensive first: what, where, GPU-hours, $ a month, what to do; a row opens its sheet."""

from dataclasses import replace
from typing import Final

from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.reports.leaks import LEAKS, decisions, leak_list
from gpuplanner.domain.reports.report import Medium
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Column
from gpuplanner.ui.tables.limited_table import LimitedTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words.contracts_that_ran import TO_MATCH
from gpuplanner.ui.words.translation import spoken, tr

WIDTHS: Final = {"number": 22, "title": 176, "action": 410, "decided": 206}
NARROW: Final = {"number": 22, "title": 180, "action": 290, "decided": 84}
"""Widths of columns, px; where the page is narrow there is no room for the bar, nor beside decisions."""
CUT_AT_END: Final = frozenset(("where", "action", "decided"))

MOST: Final = 10
NOTHING: Final = worded("No leak was found in this window.")


class LeaksCard:
    """Told what is shown."""

    def __init__(self, palette: Palette) -> None:
        self.frame = CardFrame(tr(LEAKS.title), tr("most expensive first"))
        self.is_narrow = False
        self._nothing: Message = NOTHING
        self.said = muted_label(tr(NOTHING), is_wrapped=False)
        self.limited = LimitedTable(tr(LEAKS.title), palette)
        self.frame.body.addWidget(self.said)
        self.frame.body.addWidget(self.limited)

    def show_state(self, shown: ViewState) -> None:
        """Show the leaks of an audit, with what plans decided about them."""
        audit, project = shown.evaluation.audit, shown.evaluation.project
        self.frame.note(tr("Leaks overlap: they do not add up to stranded spend") if audit.leaks else "")
        self._nothing = TO_MATCH if audit.unknown_contracts else NOTHING
        self.said.setText(spoken(tr(self._nothing)))
        self.said.setVisible(not audit.leaks)
        self.limited.setVisible(bool(audit.leaks))
        leaks = leak_list(project, audit)
        has_decisions = bool(decisions(project.scenarios))
        kept = [
            at
            for at, column in enumerate(LEAKS.columns_in(Medium.WINDOW))
            if (column.form != "part" or not (self.is_narrow or has_decisions))
            and (column.name != "decided" or has_decisions)
        ]
        columns = self._columns()
        rows = tuple(
            replace(row, cells=tuple(row.cells[at] for at in kept))
            for row in table_rows(LEAKS, leaks, are_opened=True)
        )
        self.limited.show_rows([columns[at] for at in kept], rows, MOST, tr("more leaks"))

    def _columns(self) -> list[Column]:
        """The columns in the widths for the room there is."""
        widths = NARROW if self.is_narrow else WIDTHS
        both = zip(LEAKS.columns_in(Medium.WINDOW), table_columns(LEAKS), strict=True)
        return [
            replace(
                one,
                width=widths.get(of.name, one.width),
                is_cut_at_end=of.name in CUT_AT_END,
                is_figure=one.is_figure or of.name == "number",
            )
            for of, one in both
        ]

    def as_text(self) -> Text:
        """Its rows as text."""
        return self.limited.as_text() if self.limited.rows else self._nothing

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.limited.show_palette(palette)
