"""Rows of a request that renew each other: one line that a vendor answers, with the day until which it is wanted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpuplanner.domain.commitment.requests.asked_rows import AskedRow
from gpuplanner.domain.model.window import DAY_S, HOUR_S


@dataclass(frozen=True, slots=True)
class Run:
    """A row and those that renew it, in order of their starts: each as many GPUs of the same for the same term."""

    rows: tuple[AskedRow, ...]

    @property
    def first(self) -> AskedRow:
        """The row under whose number a vendor knows all of them."""
        return self.rows[0]

    @property
    def until_s(self) -> int | None:
        """The last day of its last renewal, epoch seconds, 00:00 UTC; None where nothing renews it.

        Starts are whole days: what they lose of months of 730 hours is not lost of all of them.
        """
        if len(self.rows) == 1:
            return None
        in_all_s = len(self.rows) * (_end_s(self.first) - self.first.start_s)
        last_s = max(_end_s(self.rows[-1]), self.first.start_s + in_all_s) - 1
        return last_s - last_s % DAY_S


def runs_of(rows: Iterable[AskedRow]) -> tuple[Run, ...]:
    """The rows as lines of a request, in the order of their first ones.

    Law: every row is in exactly one run; a run has rows that differ in name, start and orders alone, each of which
    begins within a day of where the one before it ends. Source: docs/formulas.md, Requests for quote.
    """
    found: list[list[AskedRow]] = []
    for row in sorted(rows, key=lambda row: (row.is_option, row.start_s)):
        before = next((run for run in found if _renews(run[-1], row)), None)
        if before is None:
            found.append([row])
        else:
            before.append(row)
    return tuple(Run(tuple(run)) for run in found)


def renewed_rows(rows: Sequence[AskedRow]) -> int:
    """How many rows renew another and have no line of their own."""
    return len(rows) - len(runs_of(rows))


def _renews(earlier: AskedRow, row: AskedRow) -> bool:
    """Whether a row asks for the same as another from the day on which that ends. Months of a plan have 730 hours, so
    days may differ by one."""
    return _what(earlier) == _what(row) and abs(row.start_s - _end_s(earlier)) <= DAY_S


def _what(row: AskedRow) -> tuple[object, ...]:
    """What a row asks for, whenever it starts."""
    return row.is_option, row.gpu_model, row.gpus, row.term_months, row.term_days, row.needs, row.only


def _end_s(row: AskedRow) -> int:
    """When the hours of its term are over, epoch seconds."""
    return row.start_s + round(row.orders[0].term_hours * HOUR_S)
