"""Names of providers: two that differ only by a remark in brackets are one provider."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from gpuplanner.lazy_re import lazy_re

_REMARK: Final = lazy_re(r"\s*\([^()]*\)\s*$")


def names_once(names: Iterable[str]) -> dict[str, str]:
    """Return the one name under which each provider is counted, by the name as written.

    A remark stays where all write it: "Vela (illustrative)" alone is counted under that name.

    >>> names_once(["AWS (illustrative rate)", "Vela (illustrative)", "AWS"])
    {'AWS (illustrative rate)': 'AWS', 'Vela (illustrative)': 'Vela (illustrative)', 'AWS': 'AWS'}
    """
    written = list(dict.fromkeys(names))
    alike = defaultdict[str, list[str]](list)
    for name in written:
        alike[_bare(name)].append(name)
    return {name: name if len(alike[_bare(name)]) == 1 else _bare(name) for name in written}


def _bare(name: str) -> str:
    """Return a name without the remark in brackets behind it; as it is where nothing would be left."""
    return _REMARK.sub("", name) or name
