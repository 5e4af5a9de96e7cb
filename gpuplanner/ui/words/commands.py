"""Every command (resources/commands.csv): menu, words, shortcut, sentence, when it can be asked for, and who does it.

Menus, command palette, tool tips, the dialog Keyboard and the guide's list of shortcuts are made of it; what is done by
keys inside one view stands below it.
"""

from collections.abc import Mapping
from typing import Any, Final

from gpuplanner.charts.kit.plain_text import tr
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.files.system.resources import rows_of
from gpuplanner.lazy_dataclass import dataclass

PROJECT: Final = "project"
PLAN: Final = "plan"


@dataclass(frozen=True, slots=True)
class Command:
    """One row of a menu; one without a title is a separator, a title with a slash is in a submenu.

    does: where the window has what carries it out, from the window on (`board.ask_split`; a signal is emitted); a
    submenu that is filled with other things has nobody. told: what that is told. needs: PROJECT or PLAN, what has to be
    shown for it to mean anything; "" where whoever does it knows himself. also: other words that people look for it by.
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
        """The title of its submenu; "" where it stands in the menu itself."""
        return self.title.split("/")[0] if "/" in self.title else ""

    @property
    def name(self) -> str:
        """Its title in its submenu."""
        return self.title.split("/")[-1]


MENUS: Final = ("File", "Edit", "View", "Plan", "Panels", "Help")
_TOLD: Final[Mapping[str, object]] = {
    **{pool.value: pool for pool in POOLS},
    "-1": -1,
    "0": 0,
    "1": 1,
    "-": "",
}
"""What a word in the column told is, where it is not itself."""


def _command(row: dict[str, Any]) -> Command:
    words = filter(None, row["told"].split("|"))
    values = tuple(_TOLD.get(word, worded(word) if word == row["title"] else word) for word in words)
    return Command(**row | {"told": values, "is_checkable": row["is_checkable"] == "yes"})


COMMANDS: Final = tuple(map(_command, rows_of("commands.csv")))
"""In the order of the menus."""

COMMAND: Final[Mapping[str, Command]] = {row.command_id: row for row in COMMANDS if row.title}
"""By its id."""


def keys_of(command_id: str) -> str:
    """The shortcut of a command, as it is pressed."""
    return COMMAND[command_id].shortcut


def with_keys(tip: str, command_id: str) -> str:
    """What a control says that does the same as a command, and the command's shortcut: Show every card (Ctrl+F)."""
    return tr("{tip} ({shortcut})", tip=tip, shortcut=keys_of(command_id))


def plan_keys(number: int) -> str:
    """The shortcut of Today (1) and of the plans (from 2); those after the ninth have none."""
    return f"Ctrl+{number}" if number < 10 else ""


MOVES: Final = worded(
    "{training}, {inference} or {burst}",
    training=keys_of("move_training"),
    inference=keys_of("move_inference"),
    burst=keys_of("move_burst"),
)
"""What moves the selected cards."""

OPEN, SELECT_ALL, TABLE, COPY_TABLE = "Return", "Ctrl+A", "Ctrl+T", "Ctrl+C"
COPY_PICTURE, EXPORT_PICTURE = "Ctrl+Shift+Y", "Ctrl+Shift+X"
COPY_OFFER: Final = "Ctrl+Alt+D"
ACCEPT: Final = "Ctrl+Enter"


@dataclass(frozen=True, slots=True)
class ViewKeys:
    """Keys that one kind of view takes for itself: where, what they do there, and which they are."""

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
"""As the dialog Keyboard lists them below the commands; those of panels stand with the panels."""
