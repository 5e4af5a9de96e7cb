"""Waits of a decision that ends GPUs: what a replay of the log says of each pool, with the decision and without it."""

from math import inf
from typing import Final

from gpuplanner.domain.figures.typed import decimals, month_of_year, plan_month, whole, worded_whole
from gpuplanner.domain.message import Message, Part, joined, lowered, worded
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.model.window import has_calendar
from gpuplanner.lazy_dataclass import dataclass

LONGER_H: Final = 1.0
"""Hours of P90 above which a decision's longer wait is a warning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolWait:
    """Wait of a pool's jobs in one replay of the log.

    p90_h: hours; None if no job starts. low_h, high_h: its calibrated range; None if the log does not tell.
    never_jobs: jobs that never start; never_gpu_hours: their GPU-hours.
    """

    pool: Pool
    p90_h: float | None
    low_h: float | None = None
    high_h: float | None = None
    never_jobs: int = 0
    never_gpu_hours: float = 0.0

    def increase_over(self, before: "PoolWait") -> tuple[int, float]:
        """Return by how much the wait is worse than another one: jobs that never start, and hours of P90."""
        own, other = (inf if wait.p90_h is None else wait.p90_h for wait in (self, before))
        return self.never_jobs - before.never_jobs, 0.0 if own == other else own - other


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedWait:
    """Wait of a pool without a decision and with it."""

    without: PoolWait
    after: PoolWait

    @property
    def increase(self) -> tuple[int, float]:
        """Return by how much the decision lengthens the wait: jobs that never start, and hours of P90."""
        return self.after.increase_over(self.without)

    @property
    def is_much_longer(self) -> bool:
        """Whether a job never starts because of the decision, or P90 rises by more than an hour."""
        never, hours = self.increase
        return never > 0 or hours > LONGER_H


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionWaits:
    """Waits in the plan month in which a decision has taken effect.

    begins_s: when it takes effect, epoch seconds. month: the plan month that contains it, from 0. pools: with a job in
    the lookback period; at least one.
    """

    begins_s: int
    month: int
    pools: tuple[ChangedWait, ...]

    @property
    def main(self) -> ChangedWait:
        """The pool whose wait the decision lengthens most; of equal ones the pool that waits longest."""
        return max(self.pools, key=lambda changed: (changed.increase, changed.after.p90_h or 0.0))

    @property
    def p90_h(self) -> float | None:
        """P90 of the main pool with the decision, hours."""
        return self.main.after.p90_h

    @property
    def without_p90_h(self) -> float | None:
        """P90 of the main pool without the decision, hours."""
        return self.main.without.p90_h

    @property
    def is_much_longer(self) -> bool:
        """Whether a pool waits much longer because of the decision."""
        return any(changed.is_much_longer for changed in self.pools)

    @property
    def is_changed(self) -> bool:
        """Whether the wait of the main pool differs with the decision, as it is written."""
        before, after = decimals(self.main.without.p90_h), decimals(self.main.after.p90_h)
        return self.main.increase[0] != 0 or str(before) != str(after)

    def lengthens(self, pool: Pool) -> bool:
        """Return whether the decision lengthens the wait of a pool."""
        return any(changed.increase > (0, 0.0) for changed in self.pools if changed.after.pool is pool)

    @property
    def text(self) -> Message:
        """The wait of the main pool, as: training P90 4.8 → 64.0 h from Jul 2027, with its range if known."""
        after = self.main.after
        words = self.text_without_range
        if self.main.increase[0] > 0 or not self.is_changed or after.low_h is None or after.high_h is None:
            return words
        low, high = decimals(after.low_h), decimals(after.high_h)
        return worded("{words} (corrected by the log: {low} to {high} h)", words=words, low=low, high=high)

    @property
    def text_without_range(self) -> Message:
        """The wait of the main pool, without its calibrated range."""
        never, after = self.main.increase[0], self.main.after
        if never > 0:
            gpu_hours = whole(after.never_gpu_hours - self.main.without.never_gpu_hours)
            return worded(
                "{wait} from {month} ({gpu_hours} GPU-h)", gpu_hours=gpu_hours, **self._wait_and_month
            )
        if not self.is_changed:
            pool = lowered(POOL_TITLES[after.pool])
            return worded("{pool} P90 {hours} h with and without it", pool=pool, hours=decimals(after.p90_h))
        return worded("{wait} from {month}", **self._wait_and_month)

    @property
    def _wait_and_month(self) -> dict[str, Part]:
        return {"wait": self.text_shortly, "month": month_words(self.begins_s, self.month)}

    @property
    def text_shortly(self) -> Message:
        """The wait of the main pool for narrow places: training P90 4.8 → 64.0 h."""
        never, pool = self.main.increase[0], lowered(POOL_TITLES[self.main.after.pool])
        if never > 0:
            return worded_whole(
                never, "{count} {pool} job never starts", "{count} {pool} jobs never start", pool=pool
            )
        before, after = decimals(self.main.without.p90_h), decimals(self.main.after.p90_h)
        return worded("{pool} P90 {before} → {after} h", pool=pool, before=before, after=after)


def month_words(at_s: int, month: int) -> Message:
    """Return the calendar month of an instant, Jul 2027; month 3 without a calendar. month: of the plan, from 0."""
    return joined((month_of_year(at_s),)) if has_calendar(at_s) else plan_month(month)
