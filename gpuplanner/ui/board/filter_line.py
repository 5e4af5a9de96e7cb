"""Under the toolbar while a filter holds: what is filtered by, each to be taken away with one click, and all of it."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, on_button, set_tip
from gpuplanner.domain.message import Text
from gpuplanner.ui.cards.board_view import BoardView, filter_words
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import with_keys
from gpuplanner.ui.words.translation import spoken, tr


class FilterLine(QFrame):
    """Told the view and how many cards it lets through; hidden without a filter."""

    value_dropped = Signal(str, object)  # facet, value
    cleared = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Filter in use"))
        self._palette = palette
        self._said: tuple[tuple[str, Text, Text], ...] = ()
        self.buttons: list[QPushButton] = []
        self.count = PlainLabel()
        self.count.setFont(font("small"))
        self.count.setProperty("role", "muted")
        self.clear = QPushButton(tr("Clear filter"))
        self.clear.setAccessibleName(tr("Clear filter"))
        set_tip(self.clear, with_keys(tr("Show every card again"), "clear_filter"))
        self.clear.setProperty("link", True)
        self.clear.clicked.connect(self.cleared)
        chips = QWidget()
        chips.setObjectName("page")
        self._chips = QHBoxLayout(chips)
        self._chips.setContentsMargins(0, 0, 0, 0)
        self._chips.setSpacing(6)
        self._chips.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(chips)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFixedHeight(26)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(tr("Filtered by"))
        row = QHBoxLayout(self)
        row.setContentsMargins(9, 0, 9, 6)
        row.setSpacing(8)
        row.addWidget(self.count)
        row.addWidget(scroll, 1)
        row.addWidget(self.clear)
        self.hide()

    def show_view(self, view: BoardView, shown: int, cards: int) -> None:
        """What is filtered by, and how many of the cards are shown."""
        said = filter_words(view)
        self.setVisible(bool(said))
        self.count.setText(
            tr(
                "{shown} of {workloads}",
                shown=numbers.whole(shown),
                workloads=numbers.counted(cards, "workload"),
            )
        )
        if said == self._said:
            return
        self._said = said
        for button in self.buttons:
            self._chips.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = [self._chip(*entry) for entry in said]
        for place, button in enumerate(self.buttons):
            self._chips.insertWidget(place, button)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        for button in self.buttons:
            button.setIcon(icon("close", palette.muted))

    def _chip(self, facet: str, value: Text, words: Text) -> QPushButton:
        """A button of one filter; a click takes it away."""
        chip = QPushButton(on_button(spoken(words)))
        chip.setAccessibleName(tr("Filtered by {words}: take it away", words=words))
        set_tip(chip, tr("Take {words} out of the filter", words=words))
        chip.setFont(font("small"))
        chip.setIcon(icon("close", self._palette.muted))
        chip.setIconSize(QSize(12, 12))
        chip.setProperty("dense", True)
        chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross after the words
        chip.clicked.connect(lambda: self.value_dropped.emit(facet, value))
        return chip
