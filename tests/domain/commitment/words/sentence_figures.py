"""Figures of a sentence, as the tests of words compare them."""

import re


def figures(words: object) -> list[str]:
    return re.findall(r"\$?\d(?:[\d,.]*\d)?%?", str(words).replace("\N{MINUS SIGN}", "-"))


def figure_values(sentence: str) -> list[float]:
    return [float(text.replace(",", "")) for text in re.findall(r"\d[\d,]*\.?\d*", str(sentence))]
