"""Messages: templates with typed values, rendered once, where they are shown."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, TypeAlias

LOWERED: Final = "{lowered}"
"""Template of a text that starts with a small letter in English, inside a sentence; not for translators."""


CAPITAL: Final = "{capital}"
"""Template of a text that starts with a capital letter, at the start of a sentence; not for translators."""


BEGIN: Final = "{part0}"
"""First place in the template of joined texts; such a template contains no words to translate."""


class Value:
    """A value in a message that is not text: a number or a day (`domain/figures/typed.py`). Its `str` is English.

    The window and other media write the value in their own number format.
    """

    __slots__ = ()


class Message:
    """A template with named places and the values for them. Immutable.

    template: the English text with places in braces; the catalogue's key.
    values: by place: texts, numbers, a `Value` or another message.
    number: selects the plural form; None without one. The template is then the plural form.
    one: the English singular, used where `number` is 1; "" where it does not differ.
    window: the wording for the window where `template` names options of the command line; otherwise "".

    `str(message)` renders the English text each time. The window translates `template` and fills in `values`.
    Not a dataclass, because `asdict` would convert the values too.
    """

    __slots__ = ("number", "one", "template", "values", "window")
    template: str
    values: Mapping[str, object]
    number: int | None
    one: str
    window: str

    def __init__(
        self,
        template: str,
        values: Mapping[str, object] | None = None,
        number: int | None = None,
        one: str = "",
        window: str = "",
    ) -> None:
        put = object.__setattr__
        put(self, "template", template)
        put(self, "values", values or {})
        put(self, "number", number)
        put(self, "one", one)
        put(self, "window", window)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a message does not change")

    def __str__(self) -> str:
        """Return the English text."""
        if not self.values:
            return self.one or self.template
        if self.template == LOWERED:
            english = str(self.values["lowered"])
            return english if english[:2].isupper() else english[:1].lower() + english[1:]
        if self.template == CAPITAL:
            english = str(self.values["capital"])
            return english[:1].upper() + english[1:]
        return (self.one or self.template).format(**self.values)

    def __repr__(self) -> str:
        return f"Message({str(self)!r})"

    def __bool__(self) -> bool:
        """Return whether the text is not empty."""
        return str(self) != ""

    def __eq__(self, other: object) -> bool:
        """Return whether template, number and rendered text are equal; a message never equals a plain text."""
        if not isinstance(other, Message):
            return NotImplemented
        is_alike = self.template == other.template and self.number == other.number
        return is_alike and (self is other or str(self) == str(other))

    def __hash__(self) -> int:
        return hash((self.template, self.number))

    def __reduce__(self) -> tuple[object, ...]:
        return Message, (self.template, self.values, self.number, self.one, self.window)

    def __add__(self, other: "Text") -> "Message":
        return joined((self, other))

    def __radd__(self, other: "Text") -> "Message":
        return joined((other, self))


Text: TypeAlias = Message | str
"""A translatable message, or words that are not translated (a name, a line of a file)."""
Part: TypeAlias = Text | Value
"""The value of a place in a message."""

NO_WORDS: Final = Message("")
"""The empty message."""


def worded(template: str, /, **values: Part) -> Message:
    """Return a message from a whole sentence with named places.

    template: as `"{gpus} GPUs until {date}"`. values: by place, as `gpus=gpus(64), date=day(end_s)`. Numbers and days
    are typed (`domain/figures/typed.py`) and written where the sentence is shown.
    """
    return Message(template, values)


def worded_both(terminal: str, window: str, /, **values: Part) -> Message:
    """Return a message with a wording for the command line and another for the window; both have the same places.

    terminal: names options of the command line. window: names commands of the window.

    >>> remedy = worded_both("name the columns with --map", "map its columns")
    >>> str(remedy), remedy.window
    ('name the columns with --map', 'map its columns')
    """
    return Message(terminal, values, window=window)


def worded_count(count: float, singular: str, many: str, /, **values: Part) -> Message:
    """Return a message in singular or plural form.

    count: selects the form; a fraction takes the plural. singular, many: the English forms. Catalogues are searched by
    `many` and may have more forms.

    >>> [str(worded_count(n, "{n} GPU", "{n} GPUs", n=n)) for n in (1, 2)]
    ['1 GPU', '2 GPUs']
    """
    number = int(count) if count == int(count) else 2
    return Message(many, values, number, singular if count == 1 else "")


def joined(parts: Iterable[Part], between: Text = "") -> Message:
    """Join texts and values; translators see only the messages among them.

    between: a separator. A single message is returned unchanged.

    >>> str(joined(("H100", "H200"), ", "))
    'H100, H200'
    """
    texts: list[Part] = list(parts)
    if len(texts) == 1 and isinstance(texts[0], Message):
        return texts[0]
    if between:
        texts = [text for part in texts for text in (between, part)][1:]
    names, template = _places(len(texts))
    return Message(template, dict(zip(names, texts, strict=True)))


@cache
def _places(count: int) -> tuple[tuple[str, ...], str]:
    """Return `count` place names and a template that consists of them; cached, because many messages share a count."""
    names = tuple(f"part{at}" for at in range(count))
    return names, "".join(f"{{{name}}}" for name in names)


def lowered(text: Text) -> Message:
    """Return `text` with a small first letter in English, unless an abbreviation comes first.

    Other languages keep their own case.

    >>> str(lowered("Price fall"))
    'price fall'
    """
    return Message(LOWERED, {"lowered": text})


def capital(text: Text) -> Message:
    """Return `text` with a capital first letter, for the start of a sentence.

    >>> str(capital("untested: the log is short"))
    'Untested: the log is short'
    """
    return Message(CAPITAL, {"capital": text})
