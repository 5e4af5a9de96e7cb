"""Presenter mode: a full screen without tools, on which the keys change the scene; its scenes in their order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QCloseEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLayout, QVBoxLayout, QWidget

from gpuplanner.domain.message import Message, worded
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.present import (
    ask_scene,
    audit_scene,
    board_scene,
    compare_scene,
    duration_scene,
    savings_scene,
)
from gpuplanner.ui.present.hidden_names import HiddenNames
from gpuplanner.ui.present.large_type import fit_screen, large, roomy
from gpuplanner.ui.present.pointer import Pointer
from gpuplanner.ui.present.scene import Content, Seen, label, name_of_plan
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene: its name in the corner, and what makes it."""

    name: Message
    content: Callable[[Seen], Content]


SCENES: Final = (
    Scene(worded("Audit"), audit_scene.content),
    Scene(worded("Board"), board_scene.content),
    Scene(worded("Duration"), duration_scene.content),
    Scene(worded("Compare"), compare_scene.content),
    Scene(worded("Savings"), savings_scene.content),
    Scene(worded("Ask"), ask_scene.content),
)


SIDE_SHARE: Final = 0.07
"""Ground at each side of a scene, as a share of the screen's width; above and below as one of its height."""

AROUND_PX: Final = 28
"""Ground above and below what a scene shows."""

LEAST_TITLE_PT: Final = 22.5
"""A title is not made smaller than this, on the screens that the sizes are for."""

_NEXT: Final = (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_Space)
_BACK: Final = (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_PageUp, Qt.Key.Key_Backspace)
_LEAVE: Final = (Qt.Key.Key_Escape, Qt.Key.Key_F11)


class Presenter(QWidget):
    """Told what is shown; says when it is left, and which scenario is asked for (1 is Today)."""

    left = Signal()
    scenario_asked = Signal(int)

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._palette, self._now_s = palette, 0
        self._shown: ViewState | None = None
        self._row = 0
        self.at = 0
        self.names = HiddenNames()
        self.caption = label("", "body", "muted")
        self.title = label("", "page")
        self.foot = label("", "small", "muted")
        self.number = label("", "small", "muted")
        self.number.setWordWrap(False)
        self._body: QWidget | None = None
        self._place = QVBoxLayout()
        below = QHBoxLayout()
        below.setSpacing(32)
        below.addWidget(self.foot, 1, Qt.AlignmentFlag.AlignBottom)
        below.addWidget(self.number, 0, Qt.AlignmentFlag.AlignBottom)
        self._layout = QVBoxLayout(self)
        self._layout.setSpacing(0)
        self._layout.setSizeConstraint(
            QLayout.SizeConstraint.SetNoConstraint
        )  # the screen is as large as it is
        self._layout.addWidget(self.caption)
        self._layout.addSpacing(4)
        self._layout.addWidget(self.title)
        self._layout.addLayout(self._place, 1)
        self._layout.addLayout(below)
        self.pointer = Pointer(palette, self)
        self._keys: dict[Qt.Key, Callable[[], object]] = {
            **dict.fromkeys(_NEXT, lambda: self.go_to(self.at + 1)),
            **dict.fromkeys(_BACK, lambda: self.go_to(self.at - 1)),
            **dict.fromkeys(_LEAVE, self.close),
            Qt.Key.Key_Home: lambda: self.go_to(0),
            Qt.Key.Key_End: lambda: self.go_to(len(SCENES) - 1),
            Qt.Key.Key_L: lambda: self.pointer.choose(self.pointer.kind.following()),
            Qt.Key.Key_H: self.turn_names,
            Qt.Key.Key_Tab: lambda: self.turn_row(1),
            Qt.Key.Key_Backtab: lambda: self.turn_row(-1),
        }

    def open_on(self, window: QWidget) -> None:
        """Fill the screen that a window is on."""
        screen = window.screen()
        self.setGeometry(screen.geometry())  # also where nobody manages windows
        self.showFullScreen()
        if self.windowHandle() is not None:
            self.windowHandle().setScreen(screen)
        self.activateWindow()
        self.setFocus()

    def show_state(self, shown: ViewState, now_s: int) -> None:
        """Show what the window shows; the scene stays."""
        if self._shown is None or shown.evaluation.scenario != self._shown.evaluation.scenario:
            self._row = 0
        self._shown, self._now_s = shown, now_s
        self._draw()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.pointer.show_palette(palette)
        self._draw()

    def go_to(self, at: int) -> None:
        """Show a scene; before the first and after the last there is none."""
        at = min(max(at, 0), len(SCENES) - 1)
        if at != self.at:
            self.at = at
            self._draw()

    def turn_names(self) -> None:
        """Hide names, or say them again."""
        self.names.is_hiding = not self.names.is_hiding
        self._draw()

    def turn_row(self, by: int) -> None:
        """Another pool and GPU model, in the scene that shows one of them."""
        self._row += by
        self._draw()

    def _draw(self) -> None:
        """Makes the scene anew and puts it in place of the one before, without a flicker."""
        if self._shown is None:
            return
        scene = SCENES[self.at]
        made = scene.content(Seen(self._shown, self._palette, self.names, self._now_s, self._row))
        window = self._shown.evaluation.project.window
        self.setUpdatesEnabled(False)
        self.caption.setText(
            tr(
                "GPU capacity, {start_s} \u00b7 {shown}",
                start_s=numbers.span(window.start_s, window.end_s),
                shown=name_of_plan(self._shown),
            )
        )
        self.title.setText(spoken(made.title))
        self._fit_title()
        self.foot.setText(spoken(made.foot))
        self.number.setText(
            tr("{name}, {at} of {scenes}", name=scene.name, at=self.at + 1, scenes=len(SCENES))
        )
        self.setWindowTitle(tr("{value} \u2013 gpuplanner", value=self.number.text()))
        before, self._body = self._body, made.body
        self._place.addWidget(made.body, 1)
        if before is not None:
            self._place.removeWidget(before)
            before.hide()
            before.deleteLater()
        self.setAccessibleName(
            tr(
                "Scene {at} of {scenes}, {name}: {title}",
                at=self.at + 1,
                scenes=len(SCENES),
                name=scene.name,
                title=made.title,
            )
        )
        self.setAccessibleDescription(f"{made.said} {made.foot}")
        for child in made.body.findChildren(QWidget):
            child.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys belong to the presentation
        made.body.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.pointer.raise_()
        self.setUpdatesEnabled(True)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.NameChanged))

    def event(self, event: QEvent) -> bool:
        """Tab is a key like others here: there is nothing to go to."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self.keyPressEvent(event)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl and a digit choose a plan, other keys turn scenes; what is no key of it goes on to the window."""
        key = Qt.Key(event.key())
        is_digit = Qt.Key.Key_1 <= key <= Qt.Key.Key_9
        if is_digit and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.scenario_asked.emit(int(key) - int(Qt.Key.Key_0))
        elif key in self._keys:
            self._keys[key]()
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fits type and margins to the screen; type of another size needs the scene anew."""
        super().resizeEvent(event)
        if fit_screen(self.width(), self.height()):
            for words, step in ((self.caption, "body"), (self.foot, "small"), (self.number, "small")):
                words.setFont(large(step))
            self._draw()
        side, end = round(SIDE_SHARE * self.width()), roomy(round(SIDE_SHARE * self.height()))
        self._layout.setContentsMargins(side, end, side, end)
        self._place.setContentsMargins(0, roomy(AROUND_PX), 0, roomy(AROUND_PX))
        self.pointer.setGeometry(self.rect())
        self._fit_title()

    def _fit_title(self) -> None:
        """One line, in smaller letters where a wide font needs it: what stands below stays where it is."""
        room = self.width() - 2 * round(SIDE_SHARE * self.width())
        font, least = QFont(large("page")), roomy(1000) / 1000 * LEAST_TITLE_PT
        height = QFontMetrics(font).height()
        while QFontMetrics(font).horizontalAdvance(self.title.text()) > room and font.pointSizeF() > least:
            font.setPointSizeF(font.pointSizeF() - 0.75)
        self.title.setFont(font)
        self.title.setMinimumHeight(height)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Says that the presentation is over."""
        super().closeEvent(event)
        self.left.emit()
