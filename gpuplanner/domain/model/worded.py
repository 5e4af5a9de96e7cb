"""A message: a template and its values, made where something is said and rendered once, where it is shown."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, TypeAlias

LOWERED: Final = "{lowered}"
"""The template of a text that begins small in English because it stands inside a sentence; not for a translator."""


BEGIN: Final = "{part0}"
"""How the template of texts that are only joined begins: there is nothing in it for a translator."""


class Message(str):
    """What is to be read: a template with named places, and the values that stand there.

    It is still a str, its English; who writes English says `str(message)` and does not rely on that. The window asks
    for `template`, looks for it in its catalogue and puts the `values` into what it finds there. A value may be a
    message itself. number: the one that chooses among plural forms, where the words hang on one; its template is then
    that of many, and `one` the English of this number where that differs.
    """

    __slots__ = ("number", "one", "template", "values")
    template: str
    values: Mapping[str, object]
    number: int | None
    one: str

    def __new__(
        cls,
        template: str,
        values: Mapping[str, object] | None = None,
        number: int | None = None,
        one: str = "",
    ) -> "Message":
        if template == LOWERED and values:
            text = str(values["lowered"])
            english = text[:1].lower() + text[1:]
        else:
            english = (one or template).format(**values) if values else one or template
        made = super().__new__(cls, english)
        made.template, made.values, made.number, made.one = template, values or {}, number, one
        return made

    def __add__(self, other: "Text") -> "Message":
        return joined((self, other))

    def __radd__(self, other: "Text") -> "Message":
        return joined((other, self))


Text: TypeAlias = Message | str
"""What is to be read: a message of ours, or words that are not ours to translate (a name, a line of a file)."""

NO_WORDS: Final = Message("")
"""Where nothing is said."""


def worded(template: str, /, **values: object) -> Message:
    """`worded("{gpus} GPUs until {date}", gpus="64", date="1 May")`: a whole sentence with named places.

    Values are texts in English as they are to be read: numbers are formatted by who says them.
    """
    return Message(template, values)


def worded_count(count: float, one: str, many: str, /, **values: object) -> Message:
    """`one` or `many`, which a catalogue has in as many forms as its language has; it is found there by `many`.

    A number that is no whole one takes the words of many.

    >>> worded_count(1, "{n} GPU", "{n} GPUs", n=1), worded_count(2, "{n} GPU", "{n} GPUs", n=2)
    ('1 GPU', '2 GPUs')
    """
    number = int(count) if count == int(count) else 2
    return Message(many, values, number, one if count == 1 else "")


def joined(parts: Iterable[Text], between: Text = "") -> Message:
    """Texts one after the other, each of which may be a message; nothing of it is for a translator but these.

    >>> joined(("H100", "H200"), ", ")
    'H100, H200'
    """
    texts: list[Text] = list(parts)
    if between:
        texts = [text for part in texts for text in (between, part)][1:]
    names, template = _places(len(texts))
    return Message(template, dict(zip(names, texts, strict=True)))


@cache
def _places(count: int) -> tuple[tuple[str, ...], str]:
    """Names of so many places and the template that has nothing but them: messages of many rows have as many."""
    names = tuple(f"part{at}" for at in range(count))
    return names, "".join(f"{{{name}}}" for name in names)


def money(amount: str) -> Message:
    """An amount as a value of other words: `$` with what is written of it behind, a true minus before both.

    >>> money("1,200"), money("-5") == chr(0x2212) + "$5"
    ('$1,200', True)
    """
    sign = "\u2212" if amount.startswith("-") else ""
    return Message(BEGIN + "${amount}", {"part0": sign, "amount": amount.removeprefix("-")})


def lowered(text: Text) -> Message:
    """`text` with a small first letter in English; a language that has words for it says them as it has them.

    >>> lowered("Price fall")
    'price fall'
    """
    return Message(LOWERED, {"lowered": text})
