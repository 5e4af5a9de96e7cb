"""Whether a question is the one that was asked before: each of its parts is the same object, or an equal one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Itself:
    """A part of a question that only the very same object is the same as: one that is made again where it changes."""

    part: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and self.part is other.part

    def __hash__(self) -> int:
        return id(self.part)


def are_same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Part by part; identity first, since the parts of a project are large and most edits leave them as they are."""
    return len(one) == len(other) and all(a is b or a == b for a, b in zip(one, other, strict=True))
