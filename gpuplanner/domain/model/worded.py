"""Words that remember their pieces: English text for all who only read it, a template and values for who translates."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final


class Worded(str):
    """A text in English that knows which template it was made of, and with which values.

    It is its English text: what prints, writes or compares it sees nothing else, so that the command line, JSON and
    the workbook need not know of it. The window asks for `template`, looks for it in its catalogue and puts the
    `values` into what it finds there; a value may be such a text itself. number: the one that chooses among plural
    forms, where the words hang on one. Put together by `+` it still knows its pieces; by other means of text (format,
    join, slices) it becomes the English text alone: use `worded` and `joined`.
    """

    __slots__ = ("number", "template", "values")
    template: str
    values: Mapping[str, object]
    number: int | None

    def __new__(
        cls,
        english: str,
        template: str = "",
        values: Mapping[str, object] | None = None,
        number: int | None = None,
    ) -> "Worded":
        made = super().__new__(cls, english)
        made.template, made.values, made.number = template or english, values or {}, number
        return made

    def __add__(self, other: str) -> "Worded":
        return joined((self, other))

    def __radd__(self, other: str) -> "Worded":
        return joined((other, self))


NO_WORDS: Final = Worded("")
"""Where nothing is said."""


def worded(template: str, /, **values: object) -> Worded:
    """`worded("{gpus} GPUs until {date}", gpus="64", date="1 May")`: a whole sentence with named places.

    Values are texts in English as they are to be read: numbers are formatted by who says them.
    """
    return Worded(template.format(**values) if values else template, template, values)


def worded_count(count: float, one: str, many: str, /, **values: object) -> Worded:
    """`one` or `many`, which a catalogue has in as many forms as its language has; it is found there by `many`."""
    english = (one if count == 1 else many).format(**values)
    return Worded(english, many, values, int(count) if count == int(count) else 2)


BEGIN: Final = "{part0}"
"""How the template of texts that are only joined begins: there is nothing in it for a translator."""


def joined(parts: Iterable[str], between: str = "") -> Worded:
    """Texts one after the other, each of which may be such a text; nothing of it is for a translator but these."""
    texts = list(parts)
    if between:
        texts = [text for part in texts for text in (between, part)][1:]
    names, template = _places(len(texts))
    return Worded("".join(texts), template, dict(zip(names, texts, strict=True)))


@cache
def _places(count: int) -> tuple[tuple[str, ...], str]:
    """Names of so many places and the template that has nothing but them: messages of many rows have as many."""
    names = tuple(f"part{at}" for at in range(count))
    return names, "".join(f"{{{name}}}" for name in names)


LOWERED: Final = "{lowered}"
"""The template of a text that begins small in English because it stands inside a sentence; not for a translator."""


def lowered(text: str) -> Worded:
    """`text` with a small first letter in English; a language that has words for it says them as it has them."""
    return Worded(text[:1].lower() + text[1:], LOWERED, {"lowered": text})
