"""Tables of the same shape: whether a remembered mapping applies to another table, and the differences."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.files.tables.column_mapping import constant_of
from gpuplanner.lazy_dataclass import dataclass

_SEPARATOR: Final = "\x1f"
_MAY_DIFFER: Final = 0.25
"""Largest share of headings that may be new or missing; one always may."""


@dataclass(frozen=True, slots=True)
class SameShape:
    """A known table. header: its `header_key`. differs: the differences in words, or empty."""

    header: str
    differs: Message = NO_WORDS


def header_key(columns: Sequence[str]) -> str:
    """Return a stable text for a table's headings, the key of its remembered mapping.

    Case, surrounding spaces and constants are ignored; the order of columns counts.
    """
    return _SEPARATOR.join(name.strip().casefold() for name in columns if constant_of(name) is None)


def find_shape(header: str, known: Mapping[str, Collection[str]]) -> SameShape | None:
    """Return the known table with the same shape: equal headings, or all read columns and few others; None without one.

    header: from `header_key`. known: read columns by header. Columns known only by number allow no difference.

    >>> str(find_shape(header_key(["Job", "N", "Note"]), {header_key(["n", "job"]): ["N", "Job"]}).differs)
    'new, not read: note'
    """
    if header in known:
        return SameShape(header)
    found: list[tuple[int, SameShape]] = []
    now = header.split(_SEPARATOR)
    for one, columns in known.items():
        before = one.split(_SEPARATOR)
        used = {column.strip().casefold() for column in columns if constant_of(column) is None}
        new, gone = ([name for name in a if name not in b] for a, b in ((now, before), (before, now)))
        is_told_by_names = (
            len(set(now)) == len(now) and used <= {*now} & {*before} and not any(map(_is_place, used))
        )
        if is_told_by_names and len(new) + len(gone) <= max(1, _MAY_DIFFER * len(before)):
            found.append((len(new) + len(gone), SameShape(one, _differing(new, gone))))
    return min(found, key=lambda match: match[0])[1] if found else None


def _is_place(name: str) -> bool:
    """Return whether a column is named by its number."""
    return name.startswith("#") or (name.startswith("column ") and name[7:].isdecimal())


def _differing(new: Sequence[str], gone: Sequence[str]) -> Message:
    """Return the new and missing columns in words; without any, that the order differs."""
    said = []
    if new:
        said.append(worded("new, not read: {names}", names=", ".join(new)))
    if gone:
        said.append(worded("no longer there: {names}", names=", ".join(gone)))
    return joined(said, "; ") if said else worded("the order of columns changed")
