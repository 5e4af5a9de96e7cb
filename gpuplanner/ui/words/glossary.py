"""Glossary: one term for each concept, in tips, Help and the guide."""

from typing import Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.words import assumed
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.files.system.resources import rows_of, words_table
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the window with its meaning in one or two sentences; its group is a part of the glossary."""

    group: str
    word: Message
    meaning: Message


TERMS: Final = {
    row["name"]: Term(row["group"], worded(row["term"]), worded(row["meaning"]))
    for row in rows_of("glossary.csv")
}
"""Terms by name, in the order of the glossary."""

GROUPS: Final[dict[str, Message]] = words_table("glossary")
"""Heading of each group of terms."""

UNUSED: Final = titles.IDLE_COST
# end of tips for Today and plans: why a plan without changes differs from today
AGES: Final = " " + assumed.AGES

_MEANINGS: Final = {term.word.template.casefold(): term.meaning for term in TERMS.values()}


def tip_of(title: Text) -> str:
    """Return the meaning of a title whose first line is a term, in the planner's language; "" for other titles."""
    source = title.template if isinstance(title, Message) else title
    lines = source.casefold().split("\n")
    text = _MEANINGS.get(" ".join(lines)) or _MEANINGS.get(lines[0])
    return "" if text is None else tr(text)


def meaning(*words: Text) -> str:
    """Return words with their meanings, one per line, for tool tips."""
    return "\n".join(f"{spoken(word)}: {tip_of(word)}" for word in words)
