"""The beginning of a JSON text, thinned out: so that its keys are seen however much the first record holds of each."""

import re
from collections.abc import Iterator
from typing import Final

LOOKED_AT_BYTES: Final = 16 * 2**20
"""How far a text is looked into for its first whole records."""

_HEAD_LETTERS: Final = 128 * 1024
_ITEMS_OF_A_LIST: Final = 20
_ITEMS_WITHIN: Final = 3
"""Of a list within another: a job's nodes, a node's sockets."""

_KEYS_AT_MOST: Final = 200
_LETTERS_OF_A_TEXT: Final = 300
_DEPTH_AT_MOST: Final = 100
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.S)
_BEGIN: Final = "\ufeff \t\r\n"


def begins_long(head: str) -> bool:
    """Whether a text that is cut off may be JSON, and is so before its first record is whole.

    Such a head is thinned out, so that later keys are seen too.
    """
    if head.lstrip(_BEGIN)[:1] not in ("{", "["):
        return False
    kinds: list[str] = []
    for token in _tokens(head):
        if token in "{[":
            kinds.append(token)
            if len(kinds) > _DEPTH_AT_MOST:
                return False
        elif token in "}]":
            if not kinds:
                return False
            kind = kinds.pop()
            is_record = kind == "{" and (not kinds or (kinds[-1] == "[" and "[" not in kinds[:-1]))
            if is_record and len(kinds) <= 2:  # by itself, in a list, or in a list of an object
                return False
    return True


def thinned(text: str) -> str:
    """A text that is JSON as far as it goes, with the first items of each list, the first keys of each object, the
    beginning of each long text; values at the top stand on lines of their own where they did.
    """
    is_by_line = "\n" not in text.strip()[: 64 * 1024]
    out: list[str] = []
    letters = 0
    kinds: list[str] = []
    counts: list[int] = []  # of commas in each
    skipped = 0  # depth at which what is left out began, else 0
    for token in _tokens(text):
        if token in "}]":
            if not kinds:
                break
            if skipped == len(kinds):
                skipped = 0
            kinds.pop()
            counts.pop()
        if token == "," and kinds and not skipped:
            counts[-1] += 1
            if counts[-1] >= _most(kinds):
                skipped = len(kinds)
        if not skipped:
            said = token
            if len(token) > _LETTERS_OF_A_TEXT and token[0] == '"':
                said = token[:_LETTERS_OF_A_TEXT].rstrip("\\") + '"'
            out.append(said)
            letters += len(said)
            if not kinds and token in "{}":
                out.append("" if token == "{" and is_by_line else "\n")
        if token in "{[":
            kinds.append(token)
            counts.append(0)
            if len(kinds) > _DEPTH_AT_MOST:
                break
        if letters > _HEAD_LETTERS:
            break
    return "".join(out)


def _most(kinds: list[str]) -> int:
    """How many entries are kept at this depth: many keys, some records of a list, few items within a record."""
    if kinds[-1] == "{":
        return _KEYS_AT_MOST
    return _ITEMS_WITHIN if "[" in kinds[:-1] else _ITEMS_OF_A_LIST


def _tokens(text: str) -> Iterator[str]:
    """The tokens of a JSON text, in order."""
    return (found[0] for found in _TOKEN.finditer(text))
