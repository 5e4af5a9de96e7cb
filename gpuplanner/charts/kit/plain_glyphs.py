"""Fonts for a PDF: glyphs that stand for letters, so that its figures are copied, searched and read aloud."""

from typing import Final

from PySide6.QtGui import QFont

SUBSTITUTING: Final = ("tnum", "calt", "liga", "clig")
"""Features that put other glyphs in the place of letters. Qt writes no letters for those: the words lose them."""


def as_text_in_a_pdf(font: QFont) -> QFont:
    """The same font without the features that substitute glyphs.

    font: it does not change.
    """
    made = QFont(font)
    for feature in SUBSTITUTING:
        made.setFeature(QFont.Tag(feature), 0)
    return made
