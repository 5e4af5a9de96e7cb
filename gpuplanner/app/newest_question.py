"""A question that is asked again and again: the newest is answered, one that was answered last is told at once."""

from collections.abc import Callable
from typing import Generic, TypeVar

from gpuplanner.app.background import Background, IsCancelled, OnProgress
from gpuplanner.app.same_question import are_same

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
        self._known = (question, answer)
        self._tell(answer)
