"""Verbs of dates: stop, end, begin; their words and commands."""

from typing import Final

from gpuplanner.domain.message import Text, worded
from gpuplanner.files.system.resources import rows_of
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.words.commands import COMMAND, Command

STOP, END, BEGIN, BACK, CLEAR = "stop", "end", "begin", "back", "clear"
ASKING: Final = (STOP, END, BEGIN)
"""Those that need a day."""


@dataclass(frozen=True, slots=True)
class DateVerb:
    """heading, field, button, note: of the dialog that asks for the day; what is done at once has no dialog."""

    heading: Text = ""
    field: Text = ""
    button: Text = ""
    note: Text = ""


DATE_VERBS: Final = {
    name: DateVerb(*(worded(text) for text in words if text))
    for name, *words in (row.values() for row in rows_of("date_verbs.csv"))
}
"""In the order of the menu. Days are UTC."""


def date_command(verb: str) -> Command:
    """What the verb is called, pressed and explained as, in menus. verb: of DATE_VERBS."""
    return COMMAND[f"date_{verb}"]
