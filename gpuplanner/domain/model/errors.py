"""The error a planner can put right (where it is, what is wrong, what to do), and work that nobody wants any more."""

from gpuplanner.domain.message import Message, Text, joined


class PlannerError(Exception):
    """Something the planner can put right.

    `where` is a file, a row or the name of a thing; `code` is one of the stable issue codes;
    `what` says what is wrong and `remedy` what to do about it.
    """

    def __init__(self, where: Text, code: str, problem: Message, remedy: Message) -> None:
        super().__init__(f"{where}: {code}: {problem}; {remedy}")
        self.where, self.code, self.what, self.remedy = where, code, problem, remedy

    @property
    def message(self) -> Message:
        """What and remedy in one line."""
        return joined((self.what, self.remedy), "; ")

    def at(self, where: str) -> "PlannerError":
        """The same error at another place: the domain names the thing, the files name the row.

        The error itself does not change.
        """
        return PlannerError(where, self.code, self.what, self.remedy)


class Cancelled(Exception):  # noqa: N818 - nothing is wrong
    """The planner stopped the work; nothing was kept of it."""


def refusal(where: Text, problem: Message, remedy: Message) -> PlannerError:
    """The error of what a planner asked for and cannot have: a value out of its range, a name that there is not."""
    return PlannerError(where, "usage", problem, remedy)
