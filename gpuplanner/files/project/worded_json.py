"""Texts that remember their pieces as JSON and back, so that what was saved is said in the language it is read in.

A plain text is itself. One that is `Message` is {"template", "values": {name: value}} (values absent: none); where the
words hang on a number it has "number" too, "one", the template of its English where that is not the one of many, and
"english", all there was of it before. A typed number or day is {"template": its English, "way",
"value", "places"}: who knows of no such values reads it as a text.
"""

import json
from collections.abc import Mapping
from enum import Enum
from string import Formatter
from typing import Any, Final

from gpuplanner.domain.figures.typed import MOST_PLACES, WAYS, Way, Written
from gpuplanner.domain.message import LOWERED, Message, Part, Text, joined
from gpuplanner.files.project.field_types import LARGEST_INTEGER
from gpuplanner.files.values.times import LATEST_S

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
        entry["values"] = {name: _value_entry(value, depth + 1) for name, value in text.values.items()}
    if text.number is not None:
        entry |= {"number": text.number, "one": text.one, "english": str(text)}
    return entry


def _value_entry(value: object, depth: int) -> object:
    """What stands in a text; a number that JSON has no form for is kept in English."""
    if isinstance(value, Message | str):
        return words_entry(value, depth)
    if isinstance(value, Written) and _is_of(value.way, value.value):
        return {"template": str(value), "way": value.way, "value": value.value, "places": value.places}
    return str(value)


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
    values = {str(name): _value_of(value, depth + 1) for name, value in entry.get("values", {}).items()}
    template, number = _checked(entry["template"], values), entry.get("number")
    if template == LOWERED:
        return Message(LOWERED, {"lowered": values["lowered"]})
    if number is None:
        return Message(template, values)
    if type(number) is not int or abs(number) > LARGEST_INTEGER or not isinstance(entry["english"], str):
        raise ValueError(f"{number!r:.60} is no number of a text")
    if "one" in entry:
        return Message(template, values, number, _checked(entry["one"], values))
    english = entry["english"]  # of its forms the one that was said, its places filled
    return Message(
        template, values, number, english.replace("{", "{{").replace("}", "}}") if values else english
    )


def _value_of(entry: Any, depth: int) -> Part:
    """A text, or a number or day that is written in some way; of a way not known here its English.

    Errors: ValueError, TypeError, KeyError.
    """
    if not isinstance(entry, Mapping) or "way" not in entry:
        return _text_of(entry, depth)
    if isinstance(entry["way"], str) and entry["way"] not in WAYS and isinstance(entry["template"], str):
        return entry["template"]
    way, value, places = entry["way"], entry["value"], entry["places"]
    if way not in WAYS or not _is_of(way, value) or type(places) is not int or not 0 <= places <= MOST_PLACES:
        raise ValueError(f"{entry!r:.60} is no number of a text")
    return Written(way, value, places)


def _is_of(way: Way, value: object) -> bool:
    """Whether a value can be written in this way, and kept in a file."""
    if way in ("day", "moment"):
        return value is None or (type(value) is int and 0 <= value <= LATEST_S)
    if value is None or isinstance(value, bool):
        return value is None
    return isinstance(value, int | float) and abs(value) <= LARGEST_INTEGER


def _checked(template: Any, values: Mapping[str, Part]) -> str:
    """A template of named places alone: what else a place can ask for is not for a file to say. Errors: ValueError."""
    if not isinstance(template, str):
        raise ValueError(f"{template!r:.60} is no template")
    for _, place, form, conversion in Formatter().parse(template) if values else ():
        if place is not None and (place not in values or form or conversion):
            raise ValueError(f"{template!r:.60} has a place that is none")
    return template
