"""A line of facts of which every one answers "Why this number?": by a click, or by Tab and Enter."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, escaped, set_tip
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit.drawing import draw_box
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

TIP = worded("Why these numbers? Click one, or Tab and Enter")


class FactsLabel(MarkupLabel):
    """Told its facts; small and muted."""

    figure_asked = Signal(str)  # figure id

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._palette = palette
        self._told: tuple[tuple[tuple[str, str], ...], str, str, str] = ((), "", "", "")
        self.setFont(font("small"))
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
    ) -> None:
        """Show figures with their words, and what stands around them; after may hold line breaks."""
        self._told = (tuple(facts), before, between, after)
        colour = self._palette.muted if self.property("role") == "muted" else self._palette.text
        style = f"color:{colour};text-decoration:none"
        links = (
            f"<a href='{escape(figure_id)}' style='{style}'>{escaped(words)}</a>"
            for figure_id, words in facts
        )
        gap = between.replace("  ", "&nbsp; ")
        self.setText(Markup(escaped(before) + gap.join(links) + escaped(after)))
        self.setAccessibleName(f"{before}{', '.join(words for _, words in facts)}{after}".replace("\n", ". "))
        keys = (
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.setTextInteractionFlags(keys if facts else Qt.TextInteractionFlag.NoTextInteraction)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if facts else Qt.FocusPolicy.NoFocus)
        set_tip(self, tr(TIP) if facts else "")

    def show_words(self, words: str) -> None:
        """Words without a figure."""
        self.show_facts((), words)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.show_facts(*self._told)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            draw_box(QPainter(self), self.rect().adjusted(1, 1, -1, -1), None, self._palette.focus, 4, 2)
