"""A question that is asked again and again: the newest is answered, one that was answered last is told at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from gpuplanner.app.background import Background, IsCancelled, OnProgress


# Whether a question is the one that was asked before: each of its parts is the same object, or an equal
# one.
@dataclass(frozen=True, slots=True, eq=False)
class Itself:
    """A part of a question that only the very same object is the same as: one that is made again where it changes."""

    part: object

    def __eq__(self, other: object) -> bool:
        """Never equal to a part of the same value."""
        return isinstance(other, Itself) and self.part is other.part

    def __hash__(self) -> int:
        return id(self.part)


def are_same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Part by part; identity first, since the parts of a project are large and most edits leave them as they are.

    >>> are_same((1, "a"), (1, "a")), are_same((Itself([]),), (Itself([]),)), are_same((1,), (1, 2))
    (True, False, False)
    """
    return len(one) == len(other) and all(a is b or a == b for a, b in zip(one, other, strict=True))


Answer = TypeVar("Answer")
Question = tuple[object, ...]


class NewestQuestion(Generic[Answer]):
    """Works in the thread that it is given; tell: told each answer that is still wanted."""

    def __init__(self, background: Background, tell: Callable[[Answer], None]) -> None:
        self._background, self._tell = background, tell
        self._known: tuple[Question, Answer] | None = None
        self._asked: Question = ()

    def ask(self, question: Question, work: Callable[[OnProgress, IsCancelled], Answer]) -> None:
        """Have it answered: by the last answer, by the one under way, or by `work` where it is another question.

        question: all that the answer stands on.
        """
        if self._known is not None and are_same(self._known[0], question):
            self._background.cancel()
            self._tell(self._known[1])
            return
        if self._background.is_busy and are_same(self._asked, question):
            return
        self._asked = question
        self._background.start(work, lambda answer: self._take(question, answer))

    def _take(self, question: Question, answer: Answer) -> None:
        """Kept for the next time, then told."""
        self._known = (question, answer)
        self._tell(answer)
