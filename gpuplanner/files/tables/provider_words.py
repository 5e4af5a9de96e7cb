"""Clouds, by the words that headings, keys and names of files have for them."""

from collections.abc import Mapping
from functools import cache

from gpuplanner.files.system import resources
from gpuplanner.lazy_re import lazy_re


@cache
def _provider_of_word() -> Mapping[str, str]:
    """The clouds by the words that headings and files have for them."""
    rows = resources.rows_of("provider_words.csv")
    return {word: row["provider"] for row in rows for word in row["words"].split("|")}


def provider_named(text: str) -> str:
    """The cloud that a heading or the name of a file is; empty where it is none.

    >>> provider_named("Google Cloud"), provider_named("vast.ai"), provider_named("H100")
    ('Google Cloud', 'Vast.ai', '')
    """
    return _provider_of_word().get(" ".join(lazy_re(r"[a-z0-9]+").findall(text.lower())), "")
