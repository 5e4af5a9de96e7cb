"""Contracts under 40%: named, with the flag and break-even beside what was used, and what they are paid unused."""

from typing import Final

from gpuplanner.domain.audit.result import Audit, ContractAudit
from gpuplanner.domain.audit.trace import figure
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.worded import worded
from gpuplanner.ui import numbers
from gpuplanner.ui.audit.card import CardFrame
from gpuplanner.ui.audit.limited_table import LimitedTable
from gpuplanner.ui.contracts_that_ran import none_under_40_sentence
from gpuplanner.ui.figure_cells import Bar, Cell, Column, Row
from gpuplanner.ui.labels import muted_label
from gpuplanner.ui.said import said, spoken
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.theme import Palette

COLUMNS: Final = (
    Column("Contract", False),
    Column("GPUs"),
    Column("Utilization\n ", False, 120, scale=((0.0, "0"), (0.4, "40"), (1.0, "100%"))),
    Column("Utilization"),
    Column("Break-even"),
    Column("Unused\n$ per month"),
)
NO_RATE: Final = worded("Unknown: the contract has no rate. Enter it in the contracts file.")
NO_BREAK_EVEN: Final = worded("Unknown: paid by use, or no on-demand price to compare with")
MOST: Final = 8


class ContractsCard:
    """Told what is shown."""

    def __init__(self, palette: Palette) -> None:
        self.frame = CardFrame(said("Contracts under 40%"))
        self.said = muted_label("", is_wrapped=False)
        self.said.setWordWrap(True)
        self.limited = LimitedTable(said("Contracts"), palette)
        self.frame.body.addWidget(self.said)
        self.frame.body.addWidget(self.limited)
        self.frame.body.addStretch(1)

    def show_shown(self, shown: Shown) -> None:
        """Show the contracts of an audit, those under 40% first."""
        audit = shown.evaluation.audit
        flagged = sum(bool(row.below_40_percent) for row in audit.contracts)
        count = len(audit.contracts)
        self.frame.say(said("{flagged} of {count}", flagged=flagged, count=count) if count else "")
        sentence = "" if flagged else none_under_40_sentence(audit)
        self.said.setText(spoken(sentence))
        self.said.setVisible(bool(sentence))
        rows = contract_rows(audit)
        limit = min(flagged, MOST)
        self.limited.show_rows(COLUMNS, rows, limit if flagged else min(count, 3), said("more contracts"))

    def as_text(self) -> str:
        """Its rows as text."""
        return self.limited.as_text()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.limited.show_palette(palette)


def contract_rows(audit: Audit) -> tuple[Row, ...]:
    """One row a contract: those under 40% first, then by what is paid unused."""
    order = sorted(
        audit.contracts,
        key=lambda row: (not row.below_40_percent, -(row.unused_per_month or 0.0), row.contract_id),
    )
    whole = largest_remainder([row.unused_per_month for row in order])
    return tuple(_row(row, dollars) for row, dollars in zip(order, whole, strict=True))


def _row(row: ContractAudit, unused: int | None) -> Row:
    name, flagged = row.contract_id, row.below_40_percent
    used, break_even = row.utilization, row.break_even_utilization
    return Row(
        (
            Cell(name, is_strong=True, tip=" \u00b7 ".join(filter(None, (name, row.provider, row.cluster)))),
            Cell(numbers.gpus(row.gpus), figure_id=figure("contract_gpus", name)),
            Cell(
                bar=None if used is None else Bar(used, "amber" if flagged else "neutral", 0.4, break_even),
                tip=said("Solid mark: the 40% flag. Dashed mark: break-even."),
            ),
            Cell(
                numbers.percent(used),
                icon="triangle" if flagged else "",
                icon_role="amber",
                tip=said("Used less than 40% of its GPU-hours")
                if flagged
                else said("Outside the window")
                if used is None
                else "",
                figure_id=figure("contract_utilization", name) if used is not None else "",
            ),
            Cell(
                numbers.percent(break_even),
                tip="" if break_even else NO_BREAK_EVEN,
                figure_id=figure("break_even", name) if break_even else "",
            ),
            Cell(
                numbers.whole(None if unused is None else float(unused)),
                is_strong=True,
                tip=NO_RATE if unused is None else numbers.cents(row.unused_per_month),
                figure_id=figure("contract_unused", name) if unused is not None else "",
            ),
        ),
        key="",
    )
