"""What a planner can say of when workloads are there: the table behind the menus and the dialog."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.worded import worded

STOP, END, BEGIN, BACK, CLEAR = "stop", "end", "begin", "back", "clear"
WHEN: Final = worded("When it is there")
"""The menu of them."""
ASKING: Final = (STOP, END, BEGIN)
"""Those that need a day."""
DEMAND_KEY: Final = "Ctrl+Alt+V"
PLANNED_KEY: Final = "Ctrl+Alt+P"


@dataclass(frozen=True, slots=True)
class DateVerb:
    """title: in menus; tip: what it does. heading, field, button, note: of the dialog that asks for the day."""

    title: str
    shortcut: str
    tip: str
    heading: str = ""
    field: str = ""
    button: str = ""
    note: str = ""


DATE_VERBS: Final[Mapping[str, DateVerb]] = {
    STOP: DateVerb(
        worded("Stop this\u2026"),
        "Ctrl+Alt+X",
        worded("Nothing of it is planned for from a day on, in this plan"),
        worded("Stop {called}"),
        worded("From"),
        worded("Stop"),
        worded(
            "From the beginning of this day on nothing is planned for it. What it did before stays in the log."
        ),
    ),
    END: DateVerb(
        worded("Ends on\u2026"),
        "Ctrl+Alt+W",
        worded("Its last day in this plan: nothing is signed for it beyond"),
        worded("When {called} ends"),
        worded("Last day"),
        worded("Set last day"),
        worded("It is there until the end of this day. Nothing is signed for it beyond."),
    ),
    BEGIN: DateVerb(
        worded("Begins on\u2026"),
        "Ctrl+Alt+B",
        worded("Its first day in this plan"),
        worded("When {called} begins"),
        worded("First day"),
        worded("Set first day"),
        worded(
            "It is there from the beginning of this day on. The plan's first day, or one before it: at once."
        ),
    ),
    BACK: DateVerb(
        worded("It comes back"),
        "Ctrl+Alt+R",
        worded("It is there again when the plan begins: that it stopped is no fall of demand"),
    ),
    CLEAR: DateVerb(
        worded("Clear its dates"),
        "Ctrl+Alt+C",
        worded("It is there as the log has it"),
    ),
}
"""In the order of the menu. Days are UTC."""
