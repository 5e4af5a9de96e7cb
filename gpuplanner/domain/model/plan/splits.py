"""Splits of a workload in a plan: by share of GPU time, at an instant, or by hours of the week."""

from collections.abc import Mapping

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.window import DAYS, HOUR_S, HOURS_OF_WEEK
from gpuplanner.lazy_dataclass import dataclass

FIRST, SECOND = 1, 2


@dataclass(frozen=True, slots=True)
class ShareSplit:
    """A split by share: the second part has `permille` thousandths of the GPU time of every hour."""

    permille: int


@dataclass(frozen=True, slots=True)
class TimeSplit:
    """A split at an instant: the second part runs from `at_s` on (epoch seconds UTC, a whole hour)."""

    at_s: int


@dataclass(frozen=True, slots=True)
class WeekSplit:
    """A split by hours of the week: the second part runs in `hours` (0 is Monday 00:00 UTC; ascending, each once)."""

    hours: tuple[int, ...]


Split = ShareSplit | TimeSplit | WeekSplit
Splits = Mapping[str, Split]
"""Splits of a plan, by the key of the workload or part that is split."""


def check_split(split: Split) -> None:
    """Check that both parts can have GPU time.

    Errors: PlannerError unless a share is 1 to 999 thousandths, an instant is a whole hour, and hours of the week are
    some but not all.
    """
    if isinstance(split, ShareSplit):
        if not 1 <= split.permille <= 999:
            raise refusal(
                "share", worded("a part would be empty"), worded("enter more than 0% and under 100%")
            )
    elif isinstance(split, TimeSplit):
        if split.at_s % HOUR_S:
            raise refusal("time", worded("not a whole hour"), worded("enter a whole hour, UTC"))
    elif (
        not 0 < len(split.hours) < HOURS_OF_WEEK
        or list(split.hours) != sorted(set(split.hours))
        or not 0 <= split.hours[0] <= split.hours[-1] < HOURS_OF_WEEK
    ):
        problem = worded("a part would be empty")
        raise refusal("hours of the week", problem, worded("choose some, not all, hours of the week"))


def part_key(key: str, number: int) -> str:
    """Return the key of a part. Names of workloads never end with # and digits, so the key is unique.

    >>> part_key("main/ml/chat", SECOND)
    'main/ml/chat#2'
    """
    return f"{key}#{number}"


def whole_key(key: str, splits: Splits) -> str:
    """Return the workload of a card: the key itself, or the workload that was split, however often.

    splits: of the plan; without its split, a key is not a part.

    >>> whole_key("a#2#1", {"a": ShareSplit(300), "a#2": ShareSplit(500)}), whole_key("a#1", {})
    ('a', 'a#1')
    """
    divided = divided_key(key, splits)
    while divided is not None:
        key, divided = divided, divided_key(divided, splits)
    return key


def divided_key(key: str, splits: Splits) -> str | None:
    """Return the key that was split into this part; None if the key is not a part in this plan."""
    before, mark, number = key.rpartition("#")
    return before if mark and number in ("1", "2") and before in splits else None


def bare_key(key: str) -> str:
    """Return a key without part numbers, where the plan is unknown.

    >>> bare_key("main/ml/chat#2#1")
    'main/ml/chat'
    """
    while key.endswith(("#1", "#2")):
        key = key[:-2]
    return key


def leaf_keys(key: str, splits: Splits) -> tuple[str, ...]:
    """Return the cards of a workload or part, from left to right: its parts if it is split, otherwise itself.

    >>> leaf_keys("a", {"a": ShareSplit(300), "a#2": ShareSplit(500)})
    ('a#1', 'a#2#1', 'a#2#2')
    """
    if key not in splits:
        return (key,)
    return tuple(leaf for number in (FIRST, SECOND) for leaf in leaf_keys(part_key(key, number), splits))


def part_words(split: Split, number: int) -> Text:
    """Return a part in words: 30%; from 3 Jul 2026 05:00; Mon–Fri 08–18; other hours.

    Times are UTC. number: FIRST or SECOND; the first part of a split by week has the other hours.
    """
    if isinstance(split, ShareSplit):
        permille = split.permille if number == SECOND else 1000 - split.permille
        return f"{permille / 10:g}%"
    if isinstance(split, TimeSplit):
        from datetime import UTC, datetime

        begin = datetime.fromtimestamp(split.at_s, UTC)
        return f"{'from' if number == SECOND else 'before'} {begin.day} {begin:%b %Y %H:%M}"
    return week_words(split.hours) if number == SECOND else worded("other hours")


def week_words(hours: tuple[int, ...]) -> Text:
    """Return hours of the week in words; only their number if they are no block of days and times.

    hours: Monday 00:00 UTC is 0, ascending, at least one.

    >>> str(week_words(tuple(range(24))))
    'Mon'
    """
    days = sorted({hour // 24 for hour in hours})
    times = sorted({hour % 24 for hour in hours})
    is_block = len(hours) == len(days) * len(times)
    runs = times[-1] - times[0] + 1 == len(times) and days[-1] - days[0] + 1 == len(days)
    if not (is_block and runs):
        return worded("{hours} hours of the week", hours=whole(len(hours)))
    first, last = DAYS[days[0]], DAYS[days[-1]]
    named = first if first == last else f"{first}\u2013{last}"
    return named if len(times) == 24 else f"{named} {times[0]:02}\u2013{times[-1] + 1:02}"
