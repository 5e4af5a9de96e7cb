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


VIEW_KEYS: Final = (
    ViewKeys(worded("Board"), worded("Between cards and columns"), worded("Arrows")),
    ViewKeys(worded("Board"), worded("Select a card; fold a group"), worded("Space")),
    ViewKeys(
        worded("Board"),
        worded("Select the column; all that is shown"),
        worded("{keys}; again", keys=SELECT_ALL),
    ),
    ViewKeys(worded("Board"), worded("Details of a card"), worded("Enter, {keys}", keys=keys_of("details"))),
    ViewKeys(worded("Board"), worded("Select what a band meets"), worded("Shift and drag")),
    ViewKeys(worded("Board"), worded("Cancel a drag"), worded("Esc")),
    ViewKeys(worded("Review"), worded("It is training, inference or burst"), worded("T, I, B")),
    ViewKeys(worded("Review"), worded("Why it is asked"), worded("Enter")),
    ViewKeys(
        worded("Audit"), worded("Why a figure is what it is"), worded("Enter, {keys}", keys=keys_of("why"))
    ),
    ViewKeys(worded("Charts"), worded("A chart as a table, and back"), TABLE),
    ViewKeys(
        worded("Charts"), worded("Move the crosshair, by one; by ten"), worded("Left, Right; Page up, down")
    ),
    ViewKeys(
        worded("Charts"),
        worded("See a part, more, all; move along"),
        worded("+, \u2212, Home; Shift+Left, Right"),
    ),
    ViewKeys(worded("Charts"), worded("Hide or show a series, from the top"), "1 \u2026 9"),
    ViewKeys(
        worded("Charts"),
        worded("Copy the picture, export it"),
        worded("{copy}, {export}", copy=COPY_PICTURE, export=EXPORT_PICTURE),
    ),
    ViewKeys(
        worded("Duration"), worded("Change a layer by its edge or size; by 8"), worded("Up, Down; Shift")
    ),
    ViewKeys(
        worded("Plan"),
        worded("Today and the plans"),
        worded("{first} \u2026 {last}", first=plan_keys(1), last=plan_keys(9)),
    ),
    ViewKeys(
        worded("Present"),
        worded("Next and last page; first and last; page 12"),
        worded("Arrows, Page up/down; Home, End; 1 2 Enter"),
    ),
    ViewKeys(worded("Present"), worded("Red dot, spotlight, none"), "L"),
    ViewKeys(worded("Present"), worded("Hide names, show them"), "H"),
    ViewKeys(worded("Present"), worded("Leave"), worded("Esc, {keys}", keys=keys_of("present"))),
)
"""As the dialog Keyboard lists them below the commands; those of panels stand with the panels."""
