"""The switch of Today's page: audit or board."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import lowered
from gpuplanner.files.system.resources import views_of
from gpuplanner.ui.kit.layout import STRETCH, named, row
from gpuplanner.ui.kit.page_parts import named_button, press_beside
from gpuplanner.ui.kit.type_scale import text_px

AUDIT: Final = "audit"
BOARD: Final = "board"
VIEWS, COSTS = views_of("today"), views_of("past_costs")
"""Views of the panel Cost that belong to an audit, and the links that open them."""

HEIGHT: Final = 38


class TodaySwitch(QWidget):
    """Two tabs, and links to what the panel Cost says of the same past; arrow keys go from one tab to the other."""

    view_chosen = Signal(str)
    costs_asked = Signal(str)  # a view of the panel Cost

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Today as"))
        self.setFixedHeight(text_px(HEIGHT))
        group = QButtonGroup(self)
        self.buttons: dict[str, QToolButton] = {}
        for name, title, tip in VIEWS:
            called = tr("Today as {title}", title=lowered(title))
            button = self.buttons[name] = named(QToolButton(), called, tip)
            button.setText(spoken(title))
            button.setProperty("tab", True)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _=False, name=name: self.view_chosen.emit(name))
            group.addButton(button)
        emit = self.costs_asked.emit
        self.links = {  # Enter presses them, too, as it does in a dialog
            name: named_button(
                title, tip, lambda _=False, name=name: emit(name), is_link=True, takes_enter=True
            )
            for name, title, tip in COSTS
        }
        views, links = self.buttons.values(), self.links.values()
        row(*views, STRETCH, *links, on=self, margins=(9, 0, 9, 0), spacing=4)
        self.show_view(AUDIT)

    def show_view(self, name: str) -> None:
        """Mark the view that is shown."""
        self.buttons[name].setChecked(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right choose the view beside."""
        if not press_beside([*self.buttons.values()], event, Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)
