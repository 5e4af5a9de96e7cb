"""Menus of the window from the table of commands."""

from collections.abc import Iterable, Iterator

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.ui.words.commands import COMMANDS, MENUS, PLAN, PROJECT, with_keys


def build_menus(bar: QMenuBar, owner: QWidget) -> tuple[dict[str, QAction], dict[str, QMenu]]:
    """Fill a menu bar; returns the actions by id and the menus by title (submenus as "File/Open recent")."""
    actions: dict[str, QAction] = {}
    menus = {
        title: bar.addMenu(with_key)
        for title, with_key in zip(MENUS, with_alt_keys(map(tr, MENUS)), strict=True)
    }
    for command in COMMANDS:
        menu = menus[command.menu]
        if not command.title:
            menu.addSeparator()
            continue
        if command.parent:
            if (path := f"{command.menu}/{command.parent}") not in menus:
                menus[path] = menu.addMenu(tr(command.parent))
            menu = menus[path]
            if not command.name:
                continue
        action = QAction(tr(command.name), owner, checkable=command.is_checkable)
        if command.shortcut:
            action.setShortcut(QKeySequence(command.shortcut))
        tip = tr(command.tip)
        set_tip(action, with_keys(tip, command.command_id) if command.shortcut else spoken(tip))
        action.setStatusTip("")
        menu.addAction(action)
        actions[command.command_id] = action
    for menu in menus.values():
        menu.setToolTipsVisible(True)
    return actions, menus


def with_alt_keys(titles: Iterable[str]) -> Iterator[str]:
    """Titles of menus, each with & before the first of its letters that no menu before it has: Alt and it open it."""
    taken = set[str]()
    for title in titles:
        at = next((at for at, sign in enumerate(title) if sign.isalpha() and sign.lower() not in taken), 0)
        taken.add(title[at].lower())
        yield f"{title[:at]}&{title[at:]}"


def enable_actions(actions: dict[str, QAction], *, has_project: bool, is_plan: bool) -> None:
    """Only what means something now can be asked for."""
    is_met = {PROJECT: has_project, PLAN: is_plan}
    for command in COMMANDS:
        if command.needs:  # who undoes, say, knows himself when he can
            actions[command.command_id].setEnabled(is_met[command.needs])
