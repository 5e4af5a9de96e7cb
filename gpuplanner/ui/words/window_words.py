"""Remedies and refusals in the words of the window."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.charts.kit.translation import sentence, tr
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.files.tables.small_table import TablesRead


# --- Remedies in the words of the window, with its controls in place of options of the command line


def in_window_words(text: Text) -> Text:
    """A message or remedy in its wording of the window, also within it."""
    if not isinstance(text, Message):
        return text
    values = {
        name: in_window_words(value) if isinstance(value, Message) else value
        for name, value in text.values.items()
    }
    template = text.window or text.template
    return Message(template, values, text.number, "" if text.window else text.one)


def placed_refusal(fault: PlannerError) -> str:
    """Where it is, what is wrong and what to do."""
    wrong, remedy = in_window_words(fault.what), sentence(in_window_words(fault.remedy))
    return tr("{title}: {what}. {remedy}.", title=fault.where, what=wrong, remedy=remedy)


def refusal_words(fault: PlannerError) -> str:
    """What is wrong and what to do, as two sentences."""
    wrong, remedy = (sentence(in_window_words(words)) for words in (fault.what, fault.remedy))
    return tr("{what}. {remedy}.", what=wrong, remedy=remedy)


# --- What a file of rules or budgets was refused for, or rows of it, in words for a message ------

REFUSED_SHOWN: Final = 8


def refused_words(read: "TablesRead[Any]") -> list[str]:
    """Files and rows that were refused, the first of them in words."""
    refused = [
        *(
            tr("{where}: {what}; {remedy}", where=fault.where, what=fault.what, remedy=fault.remedy)
            for fault in read.refused
        ),
        *(
            tr(
                "{name}, row {row} is refused: {message}",
                name=Path(file.path).name,
                row=numbers.whole(row.row),
                message=row.message,
            )
            for file in read.intake
            for row in file.rejected
        ),
    ]
    more = len(refused) - REFUSED_SHOWN
    return refused[:REFUSED_SHOWN] + ([tr("and {more} more", more=numbers.whole(more))] if more > 0 else [])
