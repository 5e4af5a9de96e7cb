"""Finding by a few letters: how well a text fits what was typed, words first, then letters in their order."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")
OF_THE_NAME = 60.0
"""What a fit of the name counts more than one of all else that is said."""


def fit(query: str, text: str) -> float | None:
    """How well a text fits, more is better; None where it does not.

    Every word of the query has to be found: at the beginning of a word it counts most, then anywhere, then as letters
    in their order, close together. Short texts come before long ones. Case does not matter.
    """
    folded, total = text.casefold(), 0.0
    for word in query.casefold().split():
        found = _word_fit(word, folded)
        if found is None:
            return None
        total += found
    return total - len(text) / 1000


def _word_fit(word: str, text: str) -> float | None:
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        further = text.find(word, at + 1)
        if further < 0:
            break
        at = further
    if at >= 0:
        is_begin = at == 0 or not text[at - 1].isalnum()
        return (100.0 if at == 0 else 80.0 if is_begin else 50.0) + len(word)
    found = re.search(".*?".join(map(re.escape, word)), text)
    if found is None:
        return None
    return max(1.0, 30.0 - (found.end() - found.start() - len(word)))


def best(
    query: str, things: Iterable[Thing], texts_of: Callable[[Thing], tuple[str, str]], most: int
) -> Sequence[Thing]:
    """The things that fit best, best first; in their own order where they fit alike, and where nothing is typed.

    texts_of: what a thing is called, and all that is said of it: what fits its name comes first.
    """
    if not query.strip():
        return [thing for thing, _ in zip(things, range(most), strict=False)]
    found = [(_either(query, *texts_of(thing)), at, thing) for at, thing in enumerate(things)]
    kept = sorted(
        ((-score, at, thing) for score, at, thing in found if score is not None), key=lambda one: one[:2]
    )
    return [thing for _, _, thing in kept[:most]]


def _either(query: str, name: str, all_of_it: str) -> float | None:
    by_name = fit(query, name)
    return fit(query, all_of_it) if by_name is None else by_name + OF_THE_NAME
