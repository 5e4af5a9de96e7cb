"""Names of nodes: scheduler's host lists taken apart, and a node found under its short and its full name."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import product
from typing import Final

from gpuplanner.lazy_re import lazy_re

HOSTS_AT_MOST: Final = 20_000
"""Of one list; what says more is garbage."""

_RANGE: Final = lazy_re(r"^(\d+)(?:-(\d+))?$")
_PARTS: Final = lazy_re(r"\[([^\[\]]*)\]")
_MISSING: Final = frozenset(("", "none assigned", "none", "(null)", "null", "unknown", "n/a", "-"))


def expand_hosts(text: str) -> tuple[str, ...]:
    """Every node of a list, in lower case; none where it cannot be read.

    >>> expand_hosts("c1-[6,09-11],gpu-2.fox")
    ('c1-6', 'c1-09', 'c1-10', 'c1-11', 'gpu-2.fox')
    """
    if text.strip().casefold() in _MISSING:
        return ()
    hosts: dict[str, None] = {}
    for item in _items(text.strip().casefold()):
        names = _expanded(item)
        if names is None or len(hosts) + len(names) > HOSTS_AT_MOST:
            return ()
        hosts.update(dict.fromkeys(names))
    return tuple(hosts)


def _items(text: str) -> Iterator[str]:
    """The parts between commas, blanks, + or ; that stand outside of brackets."""
    depth, begin = 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if depth <= 0 and letter in ",;+ |\t":
            if text[begin:at].strip():
                yield text[begin:at].strip()
            begin = at + 1
    if text[begin:].strip():
        yield text[begin:].strip()


def _expanded(item: str) -> list[str] | None:
    """A name with ranges in brackets as every name it stands for; None where the brackets hold something else."""
    item = item.partition("/")[0] if "[" not in item else item  # PBS: node7/0*8
    item = re.sub(r"^\d+\*", "", item)  # LSF: 16*node7
    pieces = _PARTS.split(item)
    if any("[" in piece or "]" in piece for piece in pieces[::2]):
        return None
    choices: list[list[str]] = []
    count = 1
    for at, piece in enumerate(pieces):
        if at % 2 == 0:
            choices.append([piece])
            continue
        numbers = _numbers(piece)
        if not numbers or count * len(numbers) > HOSTS_AT_MOST:
            return None
        count *= len(numbers)
        choices.append(numbers)
    return ["".join(parts) for parts in product(*choices)]


def _numbers(text: str) -> list[str] | None:
    """`6,09-11` as 6, 09, 10, 11."""
    numbers: list[str] = []
    for part in text.split(","):
        limits = _RANGE.match(part.strip())
        if limits is None or len(part) > 40:
            return None
        first, last = limits[1], limits[2] or limits[1]
        if not 0 <= int(last) - int(first) < HOSTS_AT_MOST or len(numbers) > HOSTS_AT_MOST:
            return None
        numbers += [str(number).zfill(len(first)) for number in range(int(first), int(last) + 1)]
    return numbers


def same_nodes(seen: Collection[str], listed: Collection[str]) -> dict[str, str]:
    """For each name in `seen` that is a node of `listed`, its name there: the very same, or one longer by a domain.

    A name that could be several nodes is none of them.
    """
    by_short: dict[str, set[str]] = {}
    for name in listed:
        by_short.setdefault(_short(name), set()).add(name)
    known = set(listed)
    nodes: dict[str, str] = {}
    for name in seen:
        if name in known:
            nodes[name] = name
            continue
        alike = {
            other
            for other in by_short.get(_short(name), ())
            if other.startswith(f"{name}.") or name.startswith(f"{other}.")
        }
        if len(alike) == 1:
            (nodes[name],) = alike
    taken = Counter(nodes.values())
    return {name: other for name, other in nodes.items() if name == other or taken[other] == 1}


def _short(name: str) -> str:
    """A node's name without its domain; an address stays whole."""
    return name if re.fullmatch(r"[\d.]+", name) else name.partition(".")[0]
