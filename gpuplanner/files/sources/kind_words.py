"""What kinds of files are called in sentences about them."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.message import Message, joined, worded

KIND_WORDS: Final[Mapping[str, Message]] = {
    "jobs": worded("jobs"),
    "billing": worded("billing"),
    "activity": worded("activity"),
    "contracts": worded("contracts"),
    "prices": worded("prices"),
    "rules": worded("rules"),
    "users": worded("users"),
    "sites": worded("sites"),
    "measured": worded("measured"),
    "residency": worded("residency"),
    "traffic": worded("traffic"),
    "model": worded("model"),
    "planned": worded("planned work"),
    "nodes": worded("nodes"),
    "interruptions": worded("interruptions of spot nodes"),
    "tres": worded("numbered resources"),
    "unknown": worded("unknown"),
}
"""Kinds of files as words of a sentence."""


def kind_words(kind: str) -> Message:
    """A kind of file as a word of a sentence.

    A kind without a word of its own is called by its name.
    """
    return KIND_WORDS.get(kind) or joined((kind,))
