"""Names: which jobs are one workload (docs/formulas.md, Values and windows)."""

import re
import unicodedata
from typing import Final

_ISO_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_HASH: Final = re.compile(r"\b[0-9a-f]{7,}\b")
_DIGITS: Final = re.compile(r"\d")
_SEPARATORS: Final = re.compile(r"[-_. /]+")


def fold_name(name: str) -> str:
    """The part of a job's name that stays when it runs again.

    >>> fold_name("Llama3_70B-sft.2026-01-05 run 12")
    'llama-b-sft-run'
    """
    folded = unicodedata.normalize("NFKC", name).lower()
    for gone in (_ISO_DATE, _HASH, _DIGITS):
        folded = gone.sub("", folded)
    return _SEPARATORS.sub("-", folded).strip().strip("-") or "unnamed"


def workload_key(cluster: str, owner: str, folded_name: str, label: str | None) -> str:
    """`cluster/owner/name[/label]`."""
    return "/".join((cluster, owner, folded_name, *((label,) if label else ())))
