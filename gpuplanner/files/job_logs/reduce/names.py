"""Names: which jobs are one workload (docs/formulas/basics.md, Units and months)."""

import unicodedata
from functools import lru_cache
from typing import Final

from gpuplanner.files.system.resources import read_counting_words
from gpuplanner.lazy_re import lazy_re

_NOT_IN_A_WORD: Final = r"(?![^\W_])"
_ISO_DATE: Final = r"(?<!\d)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?!\d)"
_ISO_TIME: Final = (
    r"(?:t[0-9]{2}(?:[:.-]?[0-9]{2}){0,2}| [0-9]{2}:[0-9]{2}(?::[0-9]{2})?)"
    r"(?:[.,][0-9]+)?(?:z|[+-][0-9]{2}:?[0-9]{2})?(?!\.\d)" + _NOT_IN_A_WORD
)
_ISO_WITHOUT_SIGNS: Final = r"(?<!\d)[0-9]{8}t[0-9]{4}(?:[0-9]{2})?z?" + _NOT_IN_A_WORD
_UUID: Final = r"(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])"
_HASH: Final = r"(?<![^\W_])(?=[a-f]*[0-9])[0-9a-f]{7,}" + _NOT_IN_A_WORD
_GONE: Final = lazy_re(rf"{_ISO_DATE}(?:{_ISO_TIME})?|{_ISO_WITHOUT_SIGNS}|{_UUID}|{_HASH}")
"""What tells one run of a workload from the next: when it began, and its ids."""

_MAY_GO: Final = lazy_re(r"[0-9a-f]{7}|[0-9]{4}-")
"""Every text of `_GONE` has one of these: to look for them takes a third of the time."""

_DOT_BETWEEN_TOKENS: Final = lazy_re(r"(?<!\d)\.|\.(?!\d)")
_NUMBERED: Final = lazy_re(r"(\D*)\d[\d.]*")
"""A token of letters, or of none, and then digits; a dot in it stands between two of them."""

_NUMBER_SIGN: Final = lazy_re(r"#\d[\d.]*$")
"""`train#12`: no name ends like this: keys of parts of a divided workload do (domain/model/plan/splits.py)."""

_DIGITS: Final = lazy_re(r"[0-9]+")
MERGED_DIGITS: Final = "#"
"""Stands for the digits in the name of what names that are alike but for digits have in common."""

_COUNTING: Final = frozenset(read_counting_words())
UNNAMED: Final = "unnamed"


def fold_name(name: str) -> str:
    """The part of a job's name that stays when it runs again.

    >>> fold_name("Llama3_70B-sft.2026-01-05 run 12"), fold_name("qwen2.5/seed7"), fold_name("2026-01-05.3")
    ('llama3-70b-sft-run', 'qwen2.5-seed', 'unnamed')
    """
    folded = name.lower() if name.isascii() else unicodedata.normalize("NFKC", name).lower()
    text = _GONE.sub("", folded) if _MAY_GO.search(folded) else folded
    text = text.replace("_", "-").replace("/", "-").replace(" ", "-")
    if "." in text:
        text = _DOT_BETWEEN_TOKENS.sub("-", text)
    return "-".join(filter(None, map(_kept, text.split("-")))) or UNNAMED


@lru_cache(2**12)
def _kept(token: str) -> str:
    """What a token says of the workload: nothing where it is a number, only the word where it counts."""
    if token.isalpha():
        return token
    token = _NUMBER_SIGN.sub("#", token)
    numbered = _NUMBERED.fullmatch(token)
    if numbered is None or (numbered[1] and numbered[1] not in _COUNTING):
        return token
    return numbered[1]


def digits_aside(folded_name: str) -> str:
    """What names that are alike but for digits have in common.

    >>> digits_aside("grid-a12-b0.5"), digits_aside("grid-a7-b0.25")
    ('grid-a#-b#.#', 'grid-a#-b#.#')
    """
    return _DIGITS.sub(MERGED_DIGITS, folded_name)


def workload_key(cluster: str, owner: str, folded_name: str, label: str | None) -> str:
    """`cluster/owner/name[/label]`.

    label: the one that a log states for a workload; None or empty for none.

    >>> workload_key("atlas", "nlp", "sft", None), workload_key("atlas", "nlp", "sft", "eval")
    ('atlas/nlp/sft', 'atlas/nlp/sft/eval')
    """
    return "/".join((cluster, owner, folded_name, *((label,) if label else ())))


KEY: Final = "concat_ws('/', cluster, owner, workload_name, nullif(label, ''))"
"""SQL of `workload_key`; no column but the label may be null."""
