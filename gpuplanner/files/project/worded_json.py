"""Texts that remember their pieces as JSON and back, so that what was saved is said in the language it is read in.

A plain text is itself. One that is `Message` is {"template", "values": {name: value}} (values absent: none); where the
words hang on a number it has "number" and "english" too, since of its forms only the one that was said is English.
"""

import json
from collections.abc import Mapping
from enum import Enum
from string import Formatter
from typing import Any, Final

from gpuplanner.domain.message import LOWERED, Message, Text, joined, lowered
from gpuplanner.files.project.field_types import LARGEST_INTEGER

DEEPEST: Final = 12
"""Texts inside texts; a label has two or three."""


def words_entry(text: Text, depth: int = 0) -> object:
    """What `words_of` reads back; texts that are deeper inside than it reads are kept in English.

    depth: how many texts this one is inside of.
    """
    if isinstance(text, Enum):  # a word of the model
        return {"template": str(text.value)}
    if not isinstance(text, Message) or depth == DEEPEST:
        return str(text)
    entry: dict[str, object] = {"template": text.template}
    if text.values:
        entry["values"] = {
            name: words_entry(value, depth + 1) if isinstance(value, Message | str) else str(value)
            for name, value in text.values.items()
        }
    if text.number is not None:
        entry |= {"number": text.number, "english": str(text)}
    return entry


def words_of(entry: Any) -> Message:
    """What `words_entry` wrote; a plain text has nothing to translate. Errors: ValueError, TypeError, KeyError."""
    text = _text_of(entry, 0)
    return text if isinstance(text, Message) else joined((text,))


def words_text(text: Text) -> str:
    """A text with its pieces as one line of JSON.

    >>> str(words_from_text(words_text("8 GPUs")))
    '8 GPUs'
    """
    return json.dumps(words_entry(text), ensure_ascii=False)


def words_from_text(line: str) -> Message:
    """What `words_text` wrote; of anything else (an older journal) the text itself."""
    try:
        return words_of(json.loads(line))
    except (ValueError, TypeError, LookupError, RecursionError):
        return joined((line,))


def _text_of(entry: Any, depth: int) -> Text:
    """A text from its entry, pieces within pieces to a limited depth; ValueError for anything that is none."""
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, Mapping) or depth > DEEPEST:
        raise ValueError(f"{entry!r:.60} is no text")
    values = {str(name): _text_of(value, depth + 1) for name, value in entry.get("values", {}).items()}
    template, number = _checked(entry["template"], values), entry.get("number")
    if template == LOWERED:
        return lowered(values["lowered"])
    if number is None:
        return Message(template, values)
    if type(number) is not int or abs(number) > LARGEST_INTEGER or not isinstance(entry["english"], str):
        raise ValueError(f"{number!r:.60} is no number of a text")
    english = entry["english"]
    return Message(
        template, values, number, english.replace("{", "{{").replace("}", "}}") if values else english
    )


def _checked(template: Any, values: Mapping[str, Text]) -> str:
    """A template of named places alone: what else a place can ask for is not for a file to say. Errors: ValueError."""
    if not isinstance(template, str):
        raise ValueError(f"{template!r:.60} is no template")
    for _, place, form, conversion in Formatter().parse(template) if values else ():
        if place is not None and (place not in values or form or conversion):
            raise ValueError(f"{template!r:.60} has a place that is none")
    return template
