"""A section that folds: a heading with a chevron, and what stands under it while it is open."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.message import Message
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import spoken, tr


class Fold(QWidget):
    """Told its contents; says when it is opened or closed."""

    turned = Signal(bool)

    def __init__(self, title: Message, palette: Palette, *, is_open: bool = False) -> None:
        super().__init__()
        self._palette = palette
        self.head = QToolButton()
        self.head.setText(spoken(title))
        self.head.setCheckable(True)
        self.head.setChecked(is_open)
        self.head.setFont(font("strong"))
        self.head.setProperty("fold", True)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setIconSize(QSize(12, 12))
        self.head.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.body = QWidget()
        self.body.setVisible(is_open)
        self.rows = QVBoxLayout(self.body)
        self.rows.setContentsMargins(0, 2, 0, 8)
        self.rows.setSpacing(4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.body)
        self.head.toggled.connect(self._turn)
        self._say()

    @property
    def is_open(self) -> bool:
        """Whether its contents are shown."""
        return self.head.isChecked()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self._say()

    def _turn(self, is_open: bool) -> None:
        """Shows or hides what is under the heading."""
        self.body.setVisible(is_open)
        self._say()
        self.turned.emit(is_open)

    def _say(self) -> None:
        """Chevron, name and tip for open or folded."""
        is_open = self.head.isChecked()
        self.head.setIcon(icon("chevron_down" if is_open else "chevron_right", self._palette.muted))
        self.head.setAccessibleName(
            tr("{value}, open", value=self.head.text())
            if is_open
            else tr("{value}, folded", value=self.head.text())
        )
        set_tip(
            self.head,
            tr("Fold {title}", title=self.head.text().lower())
            if is_open
            else tr("Open {title}", title=self.head.text().lower()),
        )
