"""A folding section: a heading with a chevron, and contents that are shown while it is open."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Message
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import column
from gpuplanner.ui.kit.type_scale import font


class Fold(QWidget):
    """A section whose contents open and close; `turned` reports each change."""

    turned = Signal(bool)

    def __init__(self, title: Message, is_open: bool = False) -> None:
        super().__init__()
        self.head = QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setText(spoken(title))
        self.head.setCheckable(True)
        self.head.setChecked(is_open)
        self.head.setFont(font("strong"))
        self.head.setProperty("fold", True)
        self.head.setIconSize(QSize(12, 12))
        self.head.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.body = QWidget()
        self.rows = column(on=self.body, margins=(0, 2, 0, 8), spacing=4)
        column(self.head, self.body, on=self, spacing=0)
        self.body.setVisible(is_open)  # in here: by itself it would be a window that takes the keyboard
        self.head.toggled.connect(self._turn)
        self._say()

    @property
    def is_open(self) -> bool:
        """Whether the contents are shown."""
        return self.head.isChecked()

    def _turn(self, is_open: bool) -> None:
        """Show or hide the contents."""
        self.body.setVisible(is_open)
        self._say()
        self.turned.emit(is_open)

    def _say(self) -> None:
        """Set chevron, accessible name and tool tip for the present state."""
        is_open = self.head.isChecked()
        self.head.setIcon(icon("chevron_down" if is_open else "chevron_right", "muted"))
        title, lower = self.head.text(), self.head.text().lower()
        if is_open:
            self.head.setAccessibleName(tr("{value}, open", value=title))
            set_tip(self.head, tr("Fold {title}", title=lower))
        else:
            self.head.setAccessibleName(tr("{value}, folded", value=title))
            set_tip(self.head, tr("Open {name}", name=lower))
