"""What a planner can say of when workloads are there: the words of the dialog, and their commands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import Text, worded
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


DATE_VERBS: Final[Mapping[str, DateVerb]] = {
    STOP: DateVerb(
        worded("Stop {called}"),
        worded("From"),
        worded("Stop"),
        worded(
            "From the beginning of this day on nothing is planned for it. What it did before stays in the log."
        ),
    ),
    END: DateVerb(
        worded("When {called} ends"),
        worded("Last day"),
        worded("Set last day"),
        worded("It is there until the end of this day. Nothing is signed for it beyond."),
    ),
    BEGIN: DateVerb(
        worded("When {called} begins"),
        worded("First day"),
        worded("Set first day"),
        worded(
            "It is there from the beginning of this day on. The plan's first day, or one before it: at once."
        ),
    ),
    BACK: DateVerb(),
    CLEAR: DateVerb(),
}
"""In the order of the menu. Days are UTC."""


def date_command(verb: str) -> Command:
    """What the verb is called, pressed and explained as, in menus. verb: of DATE_VERBS."""
    return COMMAND[f"date_{verb}"]
