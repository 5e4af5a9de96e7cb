"""A message: a template and its values, made where something is said and rendered once, where it is shown."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, TypeAlias

LOWERED: Final = "{lowered}"
"""The template of a text that begins small in English because it stands inside a sentence; not for a translator."""


CAPITAL: Final = "{capital}"
"""The template of a text that begins with a capital because a sentence begins with it; not for a translator."""


BEGIN: Final = "{part0}"
"""How the template of texts that are only joined begins: there is nothing in it for a translator."""


class Value:
    """A value of a message that is no text: a number or a day (`domain/figures/typed.py`), whose `str` is English.

    Who shows the message writes it as numbers are written there.
    """

    __slots__ = ()


class Message:
    """What is to be read: a template with named places, and the values that stand there. It does not change.

    `str(message)` is its English, put together each time it is asked for: once, where it is shown. The window asks for
    `template`, looks for it in its catalogue and puts the `values` into what it finds there. A value may be a message
    itself, or a `Value`. number: the one that chooses among plural forms, where the words hang on one; its template is
    then that of many, and `one` the English of this number where that differs. window: the template in the window,
    where that is another one because `template` names options of the command line; else empty. Not a dataclass:
    `asdict` would take it apart.
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
        """Its English."""
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
        """Whether it says anything."""
        return str(self) != ""

    def __eq__(self, other: object) -> bool:
        """Whether it is the same template and reads the same, whatever its values are made of; never a plain text."""
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
"""What is to be read: a message of ours, or words that are not ours to translate (a name, a line of a file)."""
Part: TypeAlias = Text | Value
"""What stands in a message."""

NO_WORDS: Final = Message("")
"""Where nothing is said."""


def worded(template: str, /, **values: Part) -> Message:
    """`worded("{gpus} GPUs until {date}", gpus=gpus(64), date=day(end_s))`: a whole sentence with named places.

    Numbers and days are typed (`domain/figures/typed.py`): they are written where the sentence is shown.
    """
    return Message(template, values)


def worded_both(terminal: str, window: str, /, **values: Part) -> Message:
    """A sentence that names options of the command line, and its wording in the window; both have the same places.

    >>> remedy = worded_both("name the columns with --map", "map its columns")
    >>> str(remedy), remedy.window
    ('name the columns with --map', 'map its columns')
    """
    return Message(terminal, values, window=window)


def worded_count(count: float, singular: str, many: str, /, **values: Part) -> Message:
    """`singular` or `many`, which a catalogue has in as many forms as its language has; it is found there by `many`.

    A number that is no whole one takes the words of many.

    >>> [str(worded_count(n, "{n} GPU", "{n} GPUs", n=n)) for n in (1, 2)]
    ['1 GPU', '2 GPUs']
    """
    number = int(count) if count == int(count) else 2
    return Message(many, values, number, singular if count == 1 else "")


def joined(parts: Iterable[Part], between: Text = "") -> Message:
    """Texts and values one after the other; nothing of it is for a translator but the messages among them.

    One message alone is itself.

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
    """Names of so many places and the template that has nothing but them: messages of many rows have as many."""
    names = tuple(f"part{at}" for at in range(count))
    return names, "".join(f"{{{name}}}" for name in names)


def lowered(text: Text) -> Message:
    """`text` with a small first letter in English, unless it begins with an abbreviation; a language that has words
    for it says them as it has them.

    >>> str(lowered("Price fall"))
    'price fall'
    """
    return Message(LOWERED, {"lowered": text})


def capital(text: Text) -> Message:
    """`text` as a sentence begins with it.

    >>> str(capital("untested: the log is short"))
    'Untested: the log is short'
    """
    return Message(CAPITAL, {"capital": text})
