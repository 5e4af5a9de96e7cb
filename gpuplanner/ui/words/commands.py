"""All commands (resources/commands.csv): menu, title, shortcut, tip, condition, and handler.

Menus, command palette, tool tips, the dialog Keyboard and the guide's list of shortcuts come from this table; keys
inside one view are below it.
"""

from collections.abc import Mapping
from typing import Any, Final

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.files.system.resources import rows_of
from gpuplanner.lazy_dataclass import dataclass

PROJECT: Final = "project"
PLAN: Final = "plan"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A row of a menu; without a title a separator; a title with a slash is in a submenu.

    does: path of the handler from the window (`board.ask_split`), or of a signal to emit; "" for a submenu filled
    elsewhere. told: arguments of the handler. needs: PROJECT or PLAN, which must be shown; "": the handler checks.
    also: further words for the command palette.
    """

    menu: str
    command_id: str = ""
    title: str = ""
    shortcut: str = ""
    tip: str = ""
    does: str = ""
    told: tuple[object, ...] = ()
    is_checkable: bool = False
    icon: str = ""
    needs: str = ""
    also: str = ""

    @property
    def parent(self) -> str:
        """Title of its submenu; "" without one."""
        return self.title.split("/")[0] if "/" in self.title else ""

    @property
    def name(self) -> str:
        """Title within its submenu."""
        return self.title.split("/")[-1]


MENUS: Final = ("File", "Edit", "View", "Plan", "Panels", "Help")
_TOLD: Final[Mapping[str, object]] = {
    **{pool.value: pool for pool in POOLS},
    "-1": -1,
    "0": 0,
    "1": 1,
    "-": "",
}
"""Arguments for words in the column `told` that are not texts."""


def _command(row: dict[str, Any]) -> Command:
    words = filter(None, row["told"].split("|"))
    values = tuple(_TOLD.get(word, worded(word) if word == row["title"] else word) for word in words)
    return Command(**row | {"told": values, "is_checkable": row["is_checkable"] == "yes"})


COMMANDS: Final = tuple(map(_command, rows_of("commands.csv")))
"""In the order of the menus."""

COMMAND: Final[Mapping[str, Command]] = {row.command_id: row for row in COMMANDS if row.title}
"""Commands by id."""


def keys_of(command_id: str) -> str:
    """Return the shortcut of a command."""
    return COMMAND[command_id].shortcut


def with_keys(tip: str, command_id: str) -> str:
    """Return a control's tip with the shortcut of the same command: Show every card (Ctrl+F)."""
    return tr("{name} ({note})", name=tip, note=keys_of(command_id))


def plan_keys(number: int) -> str:
    """Return the shortcut of Today (1) and of the plans (from 2); "" after the ninth."""
    return f"Ctrl+{number}" if number < 10 else ""


MOVES: Final = worded(
    "{training}, {inference} or {burst}",
    training=keys_of("move_training"),
    inference=keys_of("move_inference"),
    burst=keys_of("move_burst"),
)
"""Keys that move the selected cards."""

OPEN, SELECT_ALL, TABLE, COPY_TABLE = "Return", "Ctrl+A", "Ctrl+T", "Ctrl+C"
COPY_PICTURE, EXPORT_PICTURE = "Ctrl+Shift+Y", "Ctrl+Shift+X"
COPY_OFFER: Final = "Ctrl+Alt+D"
ACCEPT: Final = "Ctrl+Enter"


@dataclass(frozen=True, slots=True)
class ViewKeys:
    """Keys of one kind of view: place, effect, and the keys."""

    place: Message
    what: Message
    keys: Text


_KEYS: Final = {
    **{command_id: command.shortcut for command_id, command in COMMAND.items()},
    "select_all": SELECT_ALL,
    "table": TABLE,
    "copy_picture": COPY_PICTURE,
    "export_picture": EXPORT_PICTURE,
}


def _view_keys(row: dict[str, str]) -> ViewKeys:
    if not row["keys"]:
        return ViewKeys(worded(row["place"]), worded(row["what"]), _KEYS.get(row["values"], row["values"]))
    values = (value.split("=") for value in row["values"].split("|") if value)
    keys = {name: _KEYS.get(key, key) for name, key in values}
    return ViewKeys(worded(row["place"]), worded(row["what"]), worded(row["keys"], **keys))


VIEW_KEYS: Final = tuple(map(_view_keys, rows_of("view_keys.csv")))
"""In the order of the dialog Keyboard, below the commands; keys of panels are listed with the panels."""
