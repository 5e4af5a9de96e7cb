"""Figures of a sentence, as the tests of words compare them."""

import re

from gpuplanner.domain.message import Message


def figures(words: Message | str | None) -> list[str]:
    """Return the figures of a sentence, in its order. Fails where there is no sentence."""
    assert words is not None, "no sentence"
    return re.findall(r"\$?\d(?:[\d,.]*\d)?%?", str(words).replace("\N{MINUS SIGN}", "-"))


def figure_values(sentence: str) -> list[float]:
    return [float(text.replace(",", "")) for text in re.findall(r"\d[\d,]*\.?\d*", str(sentence))]
