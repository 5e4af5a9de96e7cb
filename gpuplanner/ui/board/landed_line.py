"""The line under the columns after a move whose settled cost differs from the cost that the hover showed."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from gpuplanner.charts.kit.translation import by_count, spoken, tr
from gpuplanner.domain.audit.leak_claims import listed
from gpuplanner.domain.commitment.plan.settled_change import SettledChange
from gpuplanner.ui.kit.layout import named, row, share
from gpuplanner.ui.kit.page_parts import named_button, tool_button
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.plan_changes import change_words


class LandedLine(QFrame):
    """Why the settled plan costs another amount than promised, with Undo; hidden until a move needs it."""

    undo_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("After the move"), look="foot")
        self.said = named(FactsLabel(), role="muted")
        self.said.setWordWrap(True)
        self.undo = named_button(tr("Undo"), tr("Undo the last move"), self.undo_asked, is_link=True)
        self.dismiss = tool_button(tr("Close"), tr("Close"), self.hide, 14, drawing="close")
        row(share(self.said), self.undo, self.dismiss, on=self, margins=(12, 3, 9, 3), spacing=8)
        self.hide()

    def show_change(self, change: SettledChange, moves: int) -> None:
        """Show what settling added to the promised change, and why. moves: made since the plan was settled."""
        self.said.show_words(landed_words(change, moves))
        self.show()


def landed_words(change: SettledChange, moves: int) -> str:
    """Return: After the move: +$82,848 in 12 months, and borealis-held then ends: −$94,000."""
    return by_count(
        moves,
        "After the move: {promised}, and {reasons}: {added}.",
        "After {count} moves: {promised}, and {reasons}: {added}.",
        count=numbers.whole(moves),
        promised=change_words(change.promised),
        reasons=spoken(listed(change.reasons)),
        added=numbers.dollar_change(change.added.whole_changed),
    )
