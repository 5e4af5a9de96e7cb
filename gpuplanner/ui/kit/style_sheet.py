"""One stylesheet on Fusion, whose colours are those of a QPalette made from ours: no grey, blue or native icon."""

import re
from collections.abc import Iterable, Iterator
from string import Template
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.system.user_files import resource_path
from gpuplanner.ui.kit.icons import icon_path
from gpuplanner.ui.kit.palettes import PALETTES, Palette, in_use, use
from gpuplanner.ui.kit.type_scale import font

IN_USE: Final = "gpuplanner_palette"
"""The property that names the palette: of the application, and of each window, for the icons of what is in it."""
PAINTED_MS: Final = 50
"""After which what is seen is painted in another palette, and what is not seen is styled."""
_AT_ONCE: Final = 40
"""How many widgets that are out of sight are styled between two events: some 2 ms."""

_QT_ROLES: Final = plain_table("qt_role")
"""Qt's role -> ours. The sheet asks by Qt's names; a role that Fusion draws nothing with stands for another of ours."""

_ICONS: Final = {
    "chevron_right": ("QMenu::right-arrow",),
    "chevron_up": ("QAbstractSpinBox::up-arrow",),
    "chevron_down": ("QPushButton::menu-indicator", "QAbstractSpinBox::down-arrow", "QComboBox::down-arrow"),
    "check": ("QMenu::indicator:checked", "QCheckBox::indicator:checked"),
}
"""The icons of controls, drawn for each palette: a stylesheet takes files, and no colour for them."""
_ICON: Final = Template("$control { image: url($drawing); }")
_NO_ICONS: Final = """
QAbstractSpinBox::up-arrow:disabled, QAbstractSpinBox::down-arrow:disabled { image: none; }
"""


def _icon_rules(palette: Palette, inside: str = "") -> Iterator[str]:
    """The rules of the icons in one palette. inside: what they are in."""
    for name, controls in _ICONS.items():
        drawing = icon_path(f"{name}-{palette.name.replace(' ', '-')}").as_posix()
        yield from (_ICON.substitute(control=inside + control, drawing=drawing) for control in controls)


def _in_css(role: str) -> str:
    """A role of QPalette as a stylesheet names it: LinkVisited is link-visited."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", role.replace("ToolTip", "Tooltip")).lower()


def style_sheet(first: Palette) -> str:
    """The one stylesheet of all palettes. first: whose icons those windows have that no palette was put on."""
    roles = {ours: f"palette({_in_css(theirs)})" for theirs, ours in _QT_ROLES.items()}
    sheet = Template(resource_path("style.qss").read_text(encoding="utf-8"))
    rules = [sheet.substitute(roles), *_icon_rules(first)]
    for palette in PALETTES.values():
        rules.extend(_icon_rules(palette, f'[{IN_USE}="{palette.name}"] '))
    return "\n".join([*rules, _NO_ICONS])


def qt_palette(palette: Palette) -> QPalette:
    """What the sheet and Fusion draw with, so that nothing is grey or blue of its own."""
    made = QPalette()
    for theirs, ours in _QT_ROLES.items():
        made.setColor(QPalette.ColorRole[theirs], palette.colour(ours))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(palette.muted))
    return made


def begin_palette(application: QApplication, palette: Palette) -> None:
    """Colours and font to make a window with, before `apply_palette` and before the window is shown.

    Under a stylesheet a widget is styled anew each time it is put into another: without it, a window of many panels
    is made in three quarters of the time, and is styled once.
    """
    if application.property(IN_USE) is None:
        application.setStyle("Fusion")  # only once, as that costs most
    application.setProperty(IN_USE, "")
    use(palette)
    application.setStyleSheet("")
    application.setPalette(qt_palette(palette))
    application.setFont(font("body"))


def apply_palette(application: QApplication, palette: Palette) -> None:
    """Put a palette on everything: on what is seen at once, on the rest between events.

    The sheet is put on once. It asks the QPalette for its colours when it styles a widget, so that another palette
    costs what is seen: a tenth of a window's widgets, most of which lie in panels behind others. Painting has a turn of
    the event loop to itself: with it in one, the window would not answer for twice as long.
    """
    if application.property(IN_USE) == palette.name:
        return
    if not application.styleSheet():
        begin_palette(application, palette)
        application.setStyleSheet(style_sheet(palette))
    application.setProperty(IN_USE, palette.name)
    use(palette)
    application.setPalette(qt_palette(palette))
    windows = application.topLevelWidgets()
    stopped = [window for window in windows if window.updatesEnabled()]  # others stay as they are
    for window in windows:
        window.setProperty(IN_USE, palette.name)
        window.setUpdatesEnabled(False)
    QTimer.singleShot(0, lambda: _let_paint(stopped))
    seen = {widget for window in windows for widget in _in_sight(window)}
    _style(seen)
    recolour_all(application)
    QTimer.singleShot(
        PAINTED_MS,
        lambda: _style_soon(
            application, palette.name, [widget for widget in application.allWidgets() if widget not in seen]
        ),
    )


def _let_paint(windows: Iterable[QWidget]) -> None:
    """Let these be painted again."""
    for window in filter(isValid, windows):
        window.setUpdatesEnabled(True)


def recolour_all(application: QApplication) -> None:
    """Let everything be painted anew; what keeps something drawn, or colours in its words, has a `recolour`."""
    use(in_use())
    for widget in application.allWidgets():
        widget.update()
        if (recolour := getattr(type(widget), "recolour", None)) is not None and isValid(widget):
            recolour(widget)


def _in_sight(widget: QWidget) -> Iterator[QWidget]:
    """It and what is seen inside it."""
    if widget.isVisible():
        yield widget
        for child in widget.children():
            if isinstance(child, QWidget) and not child.isWindow():
                yield from _in_sight(child)


def _style(widgets: Iterable[QWidget]) -> None:
    """Style these anew, in the colours of now. Qt gives each the font that it was made with: it keeps its own."""
    style = QApplication.style()
    for widget in widgets:
        own = QFont(widget.font())
        style.polish(widget)
        if widget.font() != own:
            widget.setFont(own)


def _style_soon(application: QApplication, name: str, left: list[QWidget]) -> None:
    """Style some of what is out of sight, and the rest after the next events, unless the palette is another by then."""
    if left and application.property(IN_USE) == name:
        _style(widget for widget in left[-_AT_ONCE:] if isValid(widget))
        del left[-_AT_ONCE:]
        QTimer.singleShot(0, lambda: _style_soon(application, name, left))
