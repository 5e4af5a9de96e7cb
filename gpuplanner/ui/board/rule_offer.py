"""After a decision: a bar that says what was done and offers to make it a rule. It asks nothing and takes no key."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, on_button, set_tip
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.words.commands import with_keys
from gpuplanner.ui.words.translation import spoken, tr


class RuleOffer(QFrame):
    """Told two sentences; hidden until then."""

    taken = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("foot")
        self.setAccessibleName(tr("Offer"))
        self._done = PlainLabel()
        self._done.setProperty("role", "muted")
        self.take = QPushButton()
        self.take.setAccessibleName(tr("Make this a rule"))
        self.take.setProperty("link", True)
        set_tip(self.take, with_keys(tr("See first what it would change"), "make_rule"))
        self.take.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.take.clicked.connect(self.taken)
        self.dismiss = QToolButton()
        self.dismiss.setAccessibleName(tr("Close the offer"))
        set_tip(self.dismiss, tr("Close; Edit, Make a rule does the same later"))
        self.dismiss.setIconSize(QSize(14, 14))
        self.dismiss.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.dismiss.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 3, 9, 3)
        row.setSpacing(8)
        row.addWidget(self._done)
        row.addWidget(self.take)
        row.addStretch(1)
        row.addWidget(self.dismiss)
        self.show_palette(palette)
        self.hide()

    @property
    def text(self) -> str:
        """All that it says."""
        return f"{self._done.text()} {self.take.text()}"

    def show_offer(self, done: str, offer: str) -> None:
        """What was done, and what may follow from it."""
        self._done.setText(spoken(done))
        self.take.setText(on_button(offer))
        self.take.setAccessibleName(f"{done} {offer}")
        self.show()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.dismiss.setIcon(icon("close", palette.muted))
