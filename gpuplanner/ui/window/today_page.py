"""Today's page: the audit, or the board where each workload stands where it ran; a switch chooses between them."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.words.translation import spoken, tr

AUDIT: Final = "audit"
BOARD: Final = "board"
VIEWS: Final = (
    (AUDIT, worded("Audit"), worded("What the window says: utilization, stranded spend, leaks")),
    (BOARD, worded("Board"), worded("Each workload in the pool where it runs today")),
)
COSTS: Final = (
    (
        "runs",
        worded("Cost of runs, models, endpoints"),
        worded("Open the panel Cost: what each of them cost"),
    ),
    (
        "changes",
        worded("What changed"),
        worded("Open the panel Cost: what changed between the two halves of the window, and why"),
    ),
)
"""Views of the panel Cost that belong to an audit, and the links that open them."""

HEIGHT: Final = 38


class TodaySwitch(QWidget):
    """Two tabs, and links to what the panel Cost says of the same past; arrow keys go from one tab to the other."""

    view_chosen = Signal(str)
    costs_asked = Signal(str)  # a view of the panel Cost

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Today as"))
        self.setFixedHeight(HEIGHT)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(9, 0, 9, 0)
        layout.setSpacing(4)
        group = QButtonGroup(self)
        self.buttons: dict[str, QToolButton] = {}
        for name, title, tip in VIEWS:
            button = QToolButton()
            button.setText(spoken(title))
            button.setProperty("tab", True)
            button.setCheckable(True)
            button.setAccessibleName(tr("Today as {title}", title=spoken(title).lower()))
            set_tip(button, spoken(tip))
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _=False, name=name: self.view_chosen.emit(name))
            group.addButton(button)
            layout.addWidget(button)
            self.buttons[name] = button
        layout.addStretch(1)
        self.links: dict[str, QPushButton] = {}
        for name, title, tip in COSTS:
            link = QPushButton(spoken(title))
            link.setProperty("link", True)
            link.setAccessibleName(spoken(title))
            link.setAutoDefault(True)  # outside a dialog Enter would not press it
            set_tip(link, spoken(tip))
            link.clicked.connect(lambda _=False, name=name: self.costs_asked.emit(name))
            layout.addWidget(link)
            self.links[name] = link
        self.show_view(AUDIT)

    def show_view(self, name: str) -> None:
        """Mark the view that is shown."""
        self.buttons[name].setChecked(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right choose the view beside."""
        names = list(self.buttons)
        here = next((at for at, name in enumerate(names) if self.buttons[name].hasFocus()), None)
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if here is None or step is None or not 0 <= here + step < len(names):
            super().keyPressEvent(event)
            return
        chosen = self.buttons[names[here + step]]
        chosen.setFocus(Qt.FocusReason.OtherFocusReason)
        chosen.click()
