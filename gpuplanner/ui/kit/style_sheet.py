"""One stylesheet and one QPalette on Fusion, made from a palette: no grey, blue or native icon but ours."""

from string import Template
from typing import Final

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from gpuplanner.ui.kit.theme import Palette, font, icon_path

_IN_USE: Final = "gpuplanner_palette"
"""The property of the application that names the palette it has, for setting one styles every widget anew."""

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
QMenu::right-arrow { image: url($icon_right); width: 12px; height: 12px; margin-right: 6px; }
QMenu::icon { padding-left: 6px; }
QMenu::indicator { width: 14px; height: 14px; margin-left: 4px; }
QMenu::indicator:checked { image: url($icon_check); }

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
  image: url($icon_down); subcontrol-origin: padding; subcontrol-position: right center; right: 8px;
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
QAbstractSpinBox::up-arrow { image: url($icon_up); width: 9px; height: 9px; }
QAbstractSpinBox::down-arrow { image: url($icon_down); width: 9px; height: 9px; }
QAbstractSpinBox:disabled { border-color: transparent; background: transparent; padding-right: 0; }
QAbstractSpinBox::up-arrow:disabled, QAbstractSpinBox::down-arrow:disabled { image: none; }
QAbstractSpinBox::up-button:disabled, QAbstractSpinBox::down-button:disabled { width: 0; }
QComboBox { padding-right: 20px; }
QComboBox::drop-down { border: 0; width: 20px; }
QComboBox::down-arrow { image: url($icon_down); width: 12px; height: 12px; }
QComboBox QAbstractItemView {
  background: $raised; color: $text; border: 1px solid $edge; selection-background-color: $selection;
  selection-color: $text; }
QCheckBox { color: $text; spacing: 7px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid $edge; border-radius: 3px; background: $raised; }
QCheckBox::indicator:checked { image: url($icon_check); }
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


def _tinted(name: str, palette: Palette) -> str:
    """A control's icon in the palette's colour as a file, for a stylesheet takes no pixmaps."""
    return icon_path(f"{name}-{palette.name.replace(' ', '-')}").as_posix()


def style_sheet(palette: Palette) -> str:
    """The stylesheet of one palette."""
    roles = ("window", "surface", "raised", "text", "muted", "line", "edge", "accent", "on_accent", "focus")
    values = {
        role: getattr(palette, role) for role in (*roles, "selection", "red", "amber", "green", "track")
    }
    return _SHEET.substitute(
        values,
        handle=palette.edge
        if palette.name == "high contrast"
        else ("#454C58" if palette.is_dark else "#C3C8D1"),
        icon_check=_tinted("check", palette),
        icon_right=_tinted("chevron_right", palette),
        icon_up=_tinted("chevron_up", palette),
        icon_down=_tinted("chevron_down", palette),
    )


def qt_palette(palette: Palette) -> QPalette:
    """What Fusion itself draws with, so that nothing it draws is grey or blue of its own."""
    made = QPalette()
    roles = {
        QPalette.ColorRole.Window: palette.window,
        QPalette.ColorRole.WindowText: palette.text,
        QPalette.ColorRole.Base: palette.raised,
        QPalette.ColorRole.AlternateBase: palette.surface,
        QPalette.ColorRole.Text: palette.text,
        QPalette.ColorRole.PlaceholderText: palette.muted,
        QPalette.ColorRole.Button: palette.raised,
        QPalette.ColorRole.ButtonText: palette.text,
        QPalette.ColorRole.BrightText: palette.red,
        QPalette.ColorRole.Highlight: palette.selection,
        QPalette.ColorRole.HighlightedText: palette.text,
        QPalette.ColorRole.Link: palette.accent,
        QPalette.ColorRole.LinkVisited: palette.accent,
        QPalette.ColorRole.ToolTipBase: palette.raised,
        QPalette.ColorRole.ToolTipText: palette.text,
        QPalette.ColorRole.Light: palette.raised,
        QPalette.ColorRole.Midlight: palette.surface,
        QPalette.ColorRole.Mid: palette.line,
        QPalette.ColorRole.Dark: palette.edge,
        QPalette.ColorRole.Shadow: palette.edge,
        QPalette.ColorRole.Accent: palette.accent,
    }
    for role, colour in roles.items():
        made.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(palette.muted))
    return made


def begin_palette(application: QApplication, palette: Palette) -> None:
    """Colours and font to make a window with, before `apply_palette` and before the window is shown.

    Under a stylesheet a widget is styled anew each time it is put into another: without it, a window of many panels
    is made in three quarters of the time, and is styled once.
    """
    _put_on(application, palette, "", "")


def apply_palette(application: QApplication, palette: Palette) -> None:
    """Put a palette on everything at once: the QPalette first, so that no white is seen on the way to dark."""
    if application.property(_IN_USE) != palette.name:
        _put_on(application, palette, palette.name, style_sheet(palette))


def _put_on(application: QApplication, palette: Palette, name: str, sheet: str) -> None:
    """Gives the application palette, font and sheet; the style itself only once, as that costs most.

    To put on a sheet where there is none takes a third of the time that it takes to change one for another.
    """
    if application.property(_IN_USE) is None:
        application.setStyle("Fusion")
    application.setProperty(_IN_USE, name)
    application.setStyleSheet("")
    application.setPalette(qt_palette(palette))
    application.setFont(font("body"))
    application.setStyleSheet(sheet)
