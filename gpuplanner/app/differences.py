"""Differences between two versions of a project, for a planner who must choose one."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from gpuplanner.domain.message import Message
from gpuplanner.domain.model.project import Project
from gpuplanner.files.project.project_file import is_same
from gpuplanner.files.system.resources import plain_table, words_table
from gpuplanner.lazy_dataclass import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One kind of thing: names of those that only we have, only they have, and that both have in two ways.

    A kind of which there is only one has no names, and is_one.
    """

    what: Message
    only_ours: tuple[str, ...] = ()
    only_theirs: tuple[str, ...] = ()
    in_two_ways: tuple[str, ...] = ()
    is_one: bool = False


def _by(names: str, rows: Iterable[Any]) -> dict[str, Any]:
    """Things by the fields that name each."""
    return {", ".join(str(getattr(row, name)) for name in names.split()): row for row in rows}


def _fields_of(value: Any) -> dict[str, Any]:
    """The fields of a value, each a thing by its name."""
    return {each.name: getattr(value, each.name) for each in fields(value)}


MANY: Final = words_table("project_part")
"""Fields of a project that hold many things."""
_NAMED_BY: Final = plain_table("project_part")
_NAMED: Final[Mapping[str, Callable[[Any], Mapping[str, Any]]]] = {
    "assumptions": _fields_of,
    "mappings": lambda mappings: {" \u2192 ".join(filter(None, each.key)): each for each in mappings},
    "runs": lambda runs: {f"{run.called} {at}": run for at, run in enumerate(runs, 1)},
}
"""What names each of them: the fields that do, or a function of them all; others are by their names already."""

ONE: Final = words_table("only_part")
"""Those that hold one."""


def _things(project: Project, name: str) -> Mapping[str, Any]:
    """The things that a field of MANY holds, by a name of each."""
    held = getattr(project, name)
    if name in _NAMED_BY:
        return _by(_NAMED_BY[name], held)
    return _NAMED[name](held) if name in _NAMED else held


def differences(ours: Project, theirs: Project) -> tuple[Difference, ...]:
    """All that differs, in the order of the tables; nothing where both hold the same.

    Things are compared by value.
    """
    several = [_of_many(kind, _things(ours, name), _things(theirs, name)) for name, kind in MANY.items()]
    ones = [
        Difference(what=kind, is_one=True)
        for name, kind in ONE.items()
        if not is_same(getattr(ours, name), getattr(theirs, name))
    ]
    return (*(each for each in several if each is not None), *ones)


def _of_many(kind: Message, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Difference | None:
    """What differs among things of one kind; None where nothing does."""
    if ours is theirs:
        return None
    only_ours = tuple(name for name in ours if name not in theirs)
    only_theirs = tuple(name for name in theirs if name not in ours)
    both = tuple(name for name in ours if name in theirs and not is_same(ours[name], theirs[name]))
    return (
        Difference(what=kind, only_ours=only_ours, only_theirs=only_theirs, in_two_ways=both)
        if only_ours or only_theirs or both
        else None
    )
