"""Tables of one shape: whether what was said of the columns of one holds for another, and what differs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, joined, worded

_SEPARATOR: Final = "\x1f"
_MAY_DIFFER: Final = 0.25
"""The share of headings that may be new or gone; one always may."""


@dataclass(frozen=True, slots=True)
class SameShape:
    """header: of the table that is known, as `header_key`; differs: what is otherwise now, in words, or empty."""

    header: str
    differs: Message = NO_WORDS


def header_key(columns: Sequence[str]) -> str:
    """A stable text of a table's headings, under which its mapping is remembered.

    Case and blanks about a name do not count; the order of the columns does.
    """
    return _SEPARATOR.join(column.strip().casefold() for column in columns)


def find_shape(header: str, known: Mapping[str, Collection[str]]) -> SameShape | None:
    """The known table that another has the shape of: the same headings, or all that are read and hardly any others.

    header: as `header_key`; known: by header the columns that are read of that table. A column without a name of its
    own is known by its place alone: then nothing may differ.

    >>> str(find_shape(header_key(["Job", "N", "Note"]), {header_key(["n", "job"]): ["N", "Job"]}).differs)
    'not read, for it is new: note'
    """
    if header in known:
        return SameShape(header)
    found: list[tuple[int, SameShape]] = []
    now = header.split(_SEPARATOR)
    for one, columns in known.items():
        before = one.split(_SEPARATOR)
        used = {column.strip().casefold() for column in columns}
        new, gone = ([name for name in a if name not in b] for a, b in ((now, before), (before, now)))
        is_told_by_names = (
            len(set(now)) == len(now) and used <= {*now} & {*before} and not any(map(_is_place, used))
        )
        if is_told_by_names and len(new) + len(gone) <= max(1, _MAY_DIFFER * len(before)):
            found.append((len(new) + len(gone), SameShape(one, _differing(new, gone))))
    return min(found, key=lambda match: match[0])[1] if found else None


def _is_place(name: str) -> bool:
    """Whether a column is named by its place, as one without a heading is."""
    return name.startswith("#") or (name.startswith("column ") and name[7:].isdecimal())


def _differing(new: Sequence[str], gone: Sequence[str]) -> Message:
    """Which columns are new and which are gone, in words; if none, that only their order differs."""
    said = []
    if new:
        said.append(worded("not read, for it is new: {names}", names=", ".join(new)))
    if gone:
        said.append(worded("not there any more: {names}", names=", ".join(gone)))
    return joined(said, "; ") if said else worded("its columns stand in another order")
