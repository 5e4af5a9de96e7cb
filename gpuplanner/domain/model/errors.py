"""Errors that a user can fix (place, problem, remedy), and cancelled work."""

from gpuplanner.domain.message import Message, Text, joined


class PlannerError(Exception):
    """An error that the user can fix.

    where: a file, a row or a name. code: a stable issue code. problem: the fault, kept in the attribute `what`. remedy:
    the action that fixes it.
    """

    def __init__(self, where: Text, code: str, problem: Message, remedy: Message) -> None:
        super().__init__(f"{where}: {code}: {problem}; {remedy}")
        self.where, self.code, self.what, self.remedy = where, code, problem, remedy

    @property
    def message(self) -> Message:
        """Problem and remedy in one line."""
        return joined((self.what, self.remedy), "; ")

    def at(self, where: str) -> "PlannerError":
        """Return the same error at another place: the domain names the object, the files layer the row."""
        return PlannerError(where, self.code, self.what, self.remedy)


class Cancelled(Exception):  # noqa: N818 - nothing is wrong
    """The user stopped the work; no result was kept."""


def refusal(where: Text, problem: Message, remedy: Message) -> PlannerError:
    """Return the error for a refused input, such as a value out of range or an unknown name. Its code is usage."""
    return PlannerError(where, "usage", problem, remedy)
