"""One stylesheet on Fusion, whose colours are those of a QPalette made from ours: no grey, blue or native icon."""

import re
from collections.abc import Iterable, Iterator
from string import Template
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from gpuplanner.ui.kit.theme import PALETTES, Palette, font, icon_path

_IN_USE: Final = "gpuplanner_palette"
"""The property that names the palette: of the application, and of each window, for the icons of what is in it."""
_AT_ONCE: Final = 40
"""How many widgets that are out of sight are styled between two events: some 2 ms."""

_QT_ROLES: Final = {
    "Window": "window",
    "WindowText": "text",
    "Base": "raised",
    "AlternateBase": "surface",
    "Text": "text",
    "PlaceholderText": "muted",
    "Button": "raised",
    "ButtonText": "text",
    "BrightText": "red",
    "Highlight": "selection",
    "HighlightedText": "text",
    "Link": "accent",
    "LinkVisited": "focus",
    "ToolTipBase": "handle",
    "ToolTipText": "on_accent",
    "Light": "green",
    "Midlight": "amber",
    "Mid": "line",
    "Dark": "edge",
    "Shadow": "track",
    "Accent": "accent",
}
"""Qt's role -> ours. The sheet asks by Qt's names; a role that Fusion draws nothing with stands for another of ours."""

_SHEET: Final = Template("""
* { outline: 0; }
QMainWindow, QDialog, QWidget#page { background: $window; }
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $edge; }
QToolTip { background: $raised; color: $text; border: 1px solid $edge; padding: 5px 7px; }

QMenuBar { background: $surface; color: $text; padding: 1px 8px; border-bottom: 1px solid $line; }
QMenuBar::item { padding: 3px 9px; background: transparent; border-radius: 4px; margin: 1px 0; }
QMenuBar::item:selected { background: $selection; }
QMenu { background: $raised; color: $text; border: 1px solid $edge; padding: 4px; }
QCalendarWidget QWidget { background: $raised; color: $text; alternate-background-color: $raised; }
QCalendarWidget QAbstractItemView { background: $raised; color: $text; selection-background-color: $selection;
  selection-color: $text; }
QCalendarWidget QAbstractItemView:disabled { color: $muted; }
QMenu::item { padding: 5px 24px 5px 10px; border-radius: 4px; }
QMenu::item:selected { background: $selection; color: $text; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $line; margin: 4px 6px; }
QMenu::right-arrow { width: 12px; height: 12px; margin-right: 6px; }
QMenu::icon { padding-left: 6px; }
QMenu::indicator { width: 14px; height: 14px; margin-left: 4px; }

QToolBar { background: $surface; border: 0; padding: 0; margin: 0; spacing: 0; }
QWidget#bar { background: $surface; border-bottom: 1px solid $line; }
QWidget#headline { background: $raised; border-bottom: 1px solid $line; }
QStatusBar { background: $surface; color: $muted; border-top: 1px solid $line; min-height: 23px; }
QStatusBar::item { border: 0; }
QSizeGrip { width: 0; height: 0; }

QPushButton, QToolButton[framed="true"] {
  background: $raised; color: $text; border: 1px solid $line; border-radius: 4px;
  padding: 0 10px; min-height: 24px; max-height: 24px; }
QPushButton:hover, QToolButton[framed="true"]:hover { border-color: $edge; }
QPushButton:pressed, QToolButton[framed="true"]:pressed { background: $selection; }
QPushButton:focus, QToolButton[framed="true"]:focus {
  border: 2px solid $focus; padding: 0 9px; min-height: 22px; max-height: 22px; }
QToolButton[framed="true"][dense="true"] { padding: 0 5px; }
QToolButton[framed="true"][dense="true"]:focus { padding: 0 4px; }
QPushButton:checked { background: $selection; border-color: $accent; }
QPushButton:disabled, QToolButton[framed="true"]:disabled { color: $muted; background: $surface; }
QPushButton[primary="true"] { background: $accent; color: $on_accent; border-color: $accent; font-weight: 500; }
QPushButton[primary="true"]:hover { border-color: $text; }
QPushButton[primary="true"]:focus { border: 2px solid $text; }
QPushButton[primary="true"]:disabled { background: $surface; color: $muted; border-color: $line; }
QPushButton::menu-indicator {
  subcontrol-origin: padding; subcontrol-position: right center; right: 8px;
  width: 12px; height: 12px; }
QPushButton[menu="true"] { padding-left: 4px; padding-right: 16px; }
QPushButton[menu="true"]:focus { padding-left: 3px; padding-right: 15px; }
QPushButton[link="true"], QToolButton[link="true"] {
  background: transparent; color: $accent; border: 2px solid transparent; padding: 0 2px; text-align: left;
  min-height: 22px; max-height: 22px; }
QPushButton[link="true"]:hover { text-decoration: underline; }
QPushButton[link="true"]:focus { border: 2px solid $focus; border-radius: 4px; }
QToolButton {
  background: transparent; border: 2px solid transparent; border-radius: 4px; color: $text;
  padding: 2px; }
QToolButton:hover { background: $selection; }
QToolButton:focus { border-color: $focus; }
QLabel#linked { border: 2px solid transparent; border-radius: 4px; }
QLabel#linked:focus { border-color: $focus; }
QToolButton#figure { padding: 0 2px; border-width: 1px; margin: 0; }
QToolButton[tab="true"] { padding: 0 2px; min-height: 24px; max-height: 24px; color: $muted; font-weight: 500; }
QToolButton[tab="true"]:hover { background: $window; color: $text; }
QToolButton[tab="true"]:checked { background: $selection; color: $text; font-weight: 600; }
QToolButton[horizon="true"] { padding: 0 4px; min-height: 18px; max-height: 18px; color: $muted; text-align: left; }
QToolButton[horizon="true"]:hover { background: $window; color: $text; }
QToolButton[horizon="true"]:checked { background: $selection; color: $text; font-weight: 600; }

QLineEdit, QAbstractSpinBox, QComboBox, QPlainTextEdit {
  background: $raised; color: $text; border: 1px solid $edge; border-radius: 4px; padding: 0 6px;
  min-height: 24px; selection-background-color: $selection; selection-color: $text; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus {
  border: 2px solid $focus; padding: 0 5px; min-height: 22px; }
QLineEdit[dense="true"] { min-height: 17px; max-height: 17px; padding: 0 3px; font-weight: 500; }
QLineEdit[dense="true"]:focus { border: 2px solid $focus; min-height: 15px; max-height: 15px; padding: 0 2px; }
QLineEdit[dense="true"]:disabled { color: $muted; border-color: transparent; }
QAbstractSpinBox { padding-right: 14px; }
QAbstractSpinBox:focus { padding-right: 13px; }
QAbstractSpinBox[dense="true"] { min-height: 17px; max-height: 17px; padding-left: 4px; }
QAbstractSpinBox[dense="true"]:focus, QAbstractSpinBox[ring="true"] {
  border: 2px solid $focus; min-height: 15px; max-height: 15px; padding-left: 3px; padding-right: 13px; }
QToolButton[fold="true"] { text-align: left; padding: 2px 0; }
QToolButton[hold="true"] { padding: 0; min-height: 17px; max-height: 17px; }
QToolButton[hold="true"]:focus { border: 2px solid $focus; min-height: 15px; max-height: 15px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 13px; border: 0; background: transparent; }
QAbstractSpinBox::up-arrow { width: 9px; height: 9px; }
QAbstractSpinBox::down-arrow { width: 9px; height: 9px; }
QAbstractSpinBox:disabled { border-color: transparent; background: transparent; padding-right: 0; }
QAbstractSpinBox::up-button:disabled, QAbstractSpinBox::down-button:disabled { width: 0; }
QComboBox { padding-right: 20px; }
QComboBox::drop-down { border: 0; width: 20px; }
QComboBox::down-arrow { width: 12px; height: 12px; }
QComboBox QAbstractItemView {
  background: $raised; color: $text; border: 1px solid $edge; selection-background-color: $selection;
  selection-color: $text; }
QCheckBox { color: $text; spacing: 7px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid $edge; border-radius: 3px; background: $raised; }
QCheckBox:focus { border: 2px solid $focus; border-radius: 4px; }

QScrollBar:vertical { background: transparent; width: 9px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $handle; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: $edge; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea { background: transparent; border: 0; }
QAbstractScrollArea::corner { background: transparent; }
QPlainTextEdit#note { background: $raised; border: 1px solid $edge; border-radius: 4px; padding: 3px; }
QPlainTextEdit#note:focus { border: 2px solid $focus; padding: 2px; }

QDockWidget { background: $raised; color: $text; }
QWidget#panel { background: $raised; }
QTabBar { background: $raised; qproperty-drawBase: 0; }
QTabBar::tab {
  background: $raised; color: $muted; padding: 0 4px; margin: 0 8px 0 4px; height: 28px;
  border: 0; border-bottom: 2px solid transparent; font-weight: 500; }
QTabBar::tab:first { margin-left: 10px; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; font-weight: 600; }
QTabBar::tab:hover { color: $text; }
QTabBar:focus { outline: 0; }
QTabBar::tab:focus { border: 2px solid $focus; padding: 0 2px; height: 26px; }
QTabBar QToolButton { background: $raised; border: 0; }
QTabBar::tear { width: 0; border: 0; }

QTableView { background: transparent; color: $text; border: 0; selection-background-color: $selection;
  selection-color: $text; gridline-color: transparent; }
QTableView:focus { border: 0; }
QHeaderView { background: transparent; border: 0; }
QHeaderView::section { background: transparent; border: 0; color: $muted; padding: 0; }
QListView { background: transparent; border: 0; }
QListView#rows { background: $raised; border: 1px solid $line; border-radius: 4px; }

QLabel { color: $text; background: transparent; }
QLabel[role="muted"] { color: $muted; }
QLabel[role="green"] { color: $green; }
QLabel[role="red"] { color: $red; }
QLabel[role="amber"] { color: $amber; }
QLabel[role="link"] { color: $accent; }
QFrame#card { background: $raised; border: 1px solid $line; border-radius: 6px; }
QFrame#chip {
  background: $selection; border: 1px solid $accent; border-radius: 4px; min-height: 24px; max-height: 24px; }
QFrame#box { background: $surface; border: 1px solid $line; border-radius: 6px; }
QFrame#popover { background: $raised; border: 1px solid $edge; border-radius: 6px; }
QFrame#popover_foot {
  background: $surface; border-top: 1px solid $line; border-bottom-left-radius: 6px;
  border-bottom-right-radius: 6px; }
QFrame#side { background: $surface; border: 0; border-left: 1px solid $line; }
QFrame#head { background: $surface; border-bottom: 1px solid $line; }
QFrame#foot { background: $surface; border-top: 1px solid $line; }
QFrame#rule { background: $line; max-height: 1px; min-height: 1px; border: 0; }
QProgressBar { background: $track; border: 0; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
""")


_ICONS: Final = (
    ("QMenu::right-arrow", "chevron_right"),
    ("QMenu::indicator:checked", "check"),
    ("QPushButton::menu-indicator", "chevron_down"),
    ("QAbstractSpinBox::up-arrow", "chevron_up"),
    ("QAbstractSpinBox::down-arrow", "chevron_down"),
    ("QComboBox::down-arrow", "chevron_down"),
    ("QCheckBox::indicator:checked", "check"),
)
"""The icons of controls, drawn for each palette: a stylesheet takes files, and no colour for them."""
_ICON: Final = Template("$control { image: url($drawing); }")
_NO_ICONS: Final = """
QAbstractSpinBox::up-arrow:disabled, QAbstractSpinBox::down-arrow:disabled { image: none; }
"""


def _icon_rules(palette: Palette, inside: str = "") -> Iterator[str]:
    """The rules of the icons in one palette. inside: what they are in."""
    for control, name in _ICONS:
        drawing = icon_path(f"{name}-{palette.name.replace(' ', '-')}").as_posix()
        yield _ICON.substitute(control=inside + control, drawing=drawing)


def _in_css(role: str) -> str:
    """A role of QPalette as a stylesheet names it: LinkVisited is link-visited."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", role.replace("ToolTip", "Tooltip")).lower()


def style_sheet(first: Palette) -> str:
    """The one stylesheet of all palettes. first: whose icons those windows have that no palette was put on."""
    roles = {ours: f"palette({_in_css(theirs)})" for theirs, ours in _QT_ROLES.items()}
    rules = [_SHEET.substitute(roles), *_icon_rules(first)]
    for palette in PALETTES.values():
        rules.extend(_icon_rules(palette, f'[{_IN_USE}="{palette.name}"] '))
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
    if application.property(_IN_USE) is None:
        application.setStyle("Fusion")  # only once, as that costs most
    application.setProperty(_IN_USE, "")
    application.setStyleSheet("")
    application.setPalette(qt_palette(palette))
    application.setFont(font("body"))


def apply_palette(application: QApplication, palette: Palette) -> None:
    """Put a palette on everything: on what is seen at once, on the rest between events.

    The sheet is put on once. It asks the QPalette for its colours when it styles a widget, so that another palette
    costs what is seen: a tenth of a window's widgets, most of which lie in panels behind others.
    """
    if application.property(_IN_USE) == palette.name:
        return
    if not application.styleSheet():
        begin_palette(application, palette)
        application.setStyleSheet(style_sheet(palette))
    application.setProperty(_IN_USE, palette.name)
    application.setPalette(qt_palette(palette))
    for window in application.topLevelWidgets():
        window.setProperty(_IN_USE, palette.name)
    seen, unseen = list[QWidget](), list[QWidget]()
    for widget in application.allWidgets():
        (seen if widget.isVisible() else unseen).append(widget)
    _style(seen)
    QTimer.singleShot(0, lambda: _style_soon(application, palette.name, unseen))


def _style(widgets: Iterable[QWidget]) -> None:
    """Style these anew, in the colours of now."""
    style = QApplication.style()
    for widget in widgets:
        style.polish(widget)


def _style_soon(application: QApplication, name: str, left: list[QWidget]) -> None:
    """Style some of what is out of sight, and the rest after the next events, unless the palette is another by then."""
    if left and application.property(_IN_USE) == name:
        _style(widget for widget in left[-_AT_ONCE:] if isValid(widget))
        del left[-_AT_ONCE:]
        QTimer.singleShot(0, lambda: _style_soon(application, name, left))
