"""A line of facts, each of which answers 'Why this number?'."""

from collections.abc import Collection, Sequence
from html import escape

from PySide6 import QtCore, QtGui

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, escaped, set_tip
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit import drawing, palettes, type_scale
from gpuplanner.ui.words import numbers

TIP = worded("Why these numbers? Click, or Tab and Enter")


class FactsLabel(MarkupLabel):
    """Told its facts; small and muted."""

    figure_asked = QtCore.Signal(str)  # figure id

    def __init__(self) -> None:
        super().__init__()
        self._told: tuple[tuple[tuple[str, str], ...], str, str, str, Collection[str]] = ((), "", "", "", ())
        self.setFont(type_scale.font("small"))
        self.setProperty("role", "muted")
        self.linkActivated.connect(self.figure_asked)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Figures and their words."""
        return self._told[0]

    def show_facts(
        self,
        facts: Sequence[tuple[str, str]],
        before: str = "",
        between: str = numbers.MIDDOT,
        after: str = "",
        open_ids: Collection[str] = (),
    ) -> None:
        """Show figures with their words, and what stands around them; after may hold line breaks.

        open_ids: of figures that ask for something, in amber.
        """
        self._told = (tuple(facts), before, between, after, open_ids)
        colour = palettes.in_use().muted if self.property("role") == "muted" else palettes.in_use().text
        asking = f"color:{palettes.in_use().amber}"
        style = f"color:{colour};text-decoration:none"
        links = (
            f"<a href='{escape(figure_id)}' style='{asking if figure_id in open_ids else style}'>{escaped(words)}</a>"
            for figure_id, words in facts
        )
        gap = between.replace("  ", "&nbsp; ")
        self.setText(Markup(escaped(before) + gap.join(links) + escaped(after)))
        self.setAccessibleName(f"{before}{', '.join(words for _, words in facts)}{after}".replace("\n", ". "))
        keys = (
            QtCore.Qt.TextInteractionFlag.LinksAccessibleByMouse
            | QtCore.Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.setTextInteractionFlags(keys if facts else QtCore.Qt.TextInteractionFlag.NoTextInteraction)
        self.setFocusPolicy(QtCore.Qt.FocusPolicy.StrongFocus if facts else QtCore.Qt.FocusPolicy.NoFocus)
        set_tip(self, tr(TIP) if facts else "")

    def show_words(self, words: str) -> None:
        """Words without a figure."""
        self.show_facts((), words)

    def recolour(self) -> None:
        """Other colours from now on."""
        self.show_facts(*self._told)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            place, colour = self.rect().adjusted(1, 1, -1, -1), palettes.in_use().focus
            drawing.draw_box(QtGui.QPainter(self), place, None, colour, 4, 2)
