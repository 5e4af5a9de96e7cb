"""How a workload is divided in a plan: by a share of its GPU time, at an hour, or by hours of the week."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.weekdays import DAYS
from gpuplanner.domain.model.window import HOUR_S, HOURS_OF_WEEK

FIRST, SECOND = 1, 2


@dataclass(frozen=True, slots=True)
class ShareSplit:
    """The second part has `permille` thousandths of the GPU time of every hour."""

    permille: int


@dataclass(frozen=True, slots=True)
class TimeSplit:
    """The second part is what runs from `at_s` on (epoch seconds UTC, a whole hour)."""

    at_s: int


@dataclass(frozen=True, slots=True)
class WeekSplit:
    """The second part is what runs in these hours of the week: 0 is Monday 00:00 UTC; ascending, each once."""

    hours: tuple[int, ...]


Split = ShareSplit | TimeSplit | WeekSplit
Splits = Mapping[str, Split]
"""Of a plan, by the key of the workload or of the part that is divided."""


def check_split(split: Split) -> None:
    """Errors: PlannerError where a part would have everything or nothing whatever the log says.

    A share is 1 to 999 thousandths, a time on the hour, hours of the week some but not all.
    """
    if isinstance(split, ShareSplit):
        if not 1 <= split.permille <= 999:
            raise PlannerError(
                "share",
                "usage",
                worded("a part would be empty"),
                worded("enter more than 0% and less than 100%"),
            )
    elif isinstance(split, TimeSplit):
        if split.at_s % HOUR_S:
            raise PlannerError(
                "time", "usage", worded("it is not on the hour"), worded("enter a whole hour, UTC")
            )
    elif (
        not 0 < len(split.hours) < HOURS_OF_WEEK
        or list(split.hours) != sorted(set(split.hours))
        or not 0 <= split.hours[0] <= split.hours[-1] < HOURS_OF_WEEK
    ):
        raise PlannerError(
            "hours of the week",
            "usage",
            worded("a part would be empty"),
            worded("choose some hours of the week, not all"),
        )


def part_key(key: str, number: int) -> str:
    """The key of a part: no name that ends a workload's key ends with # and digits, so none has this one.

    >>> part_key("main/ml/chat", SECOND)
    'main/ml/chat#2'
    """
    return f"{key}#{number}"


def whole_key(key: str, splits: Splits) -> str:
    """The workload that a card's key is of: itself, or what was divided into it, however often.

    splits: of the plan, in which alone a key is a part.

    >>> whole_key("a#2#1", {"a": ShareSplit(300), "a#2": ShareSplit(500)}), whole_key("a#1", {})
    ('a', 'a#1')
    """
    divided = divided_key(key, splits)
    while divided is not None:
        key, divided = divided, divided_key(divided, splits)
    return key


def divided_key(key: str, splits: Splits) -> str | None:
    """What was divided into this part; None for what is no part in a plan."""
    before, mark, number = key.rpartition("#")
    return before if mark and number in ("1", "2") and before in splits else None


def bare_key(key: str) -> str:
    """A key without the numbers of parts: of what may be a part, in a plan that nobody names.

    >>> bare_key("main/ml/chat#2#1")
    'main/ml/chat'
    """
    while key.endswith(("#1", "#2")):
        key = key[:-2]
    return key


def leaf_keys(key: str, splits: Splits) -> tuple[str, ...]:
    """The cards that a workload or part has become: its parts where it is divided, else itself.

    From left to right.

    >>> leaf_keys("a", {"a": ShareSplit(300), "a#2": ShareSplit(500)})
    ('a#1', 'a#2#1', 'a#2#2')
    """
    if key not in splits:
        return (key,)
    return tuple(leaf for number in (FIRST, SECOND) for leaf in leaf_keys(part_key(key, number), splits))


def part_words(split: Split, number: int) -> Text:
    """A part in words: 30%; from 3 Jul 2026 05:00; Mon–Fri 08–18; other hours.

    Times are UTC. number: FIRST or SECOND; the first part of a week has the other hours.
    """
    if isinstance(split, ShareSplit):
        permille = split.permille if number == SECOND else 1000 - split.permille
        return f"{permille / 10:g}%"
    if isinstance(split, TimeSplit):
        from datetime import UTC, datetime

        at = datetime.fromtimestamp(split.at_s, UTC)
        return f"{'from' if number == SECOND else 'before'} {at.day} {at:%b %Y %H:%M}"
    return week_words(split.hours) if number == SECOND else worded("other hours")


def week_words(hours: tuple[int, ...]) -> Text:
    """Hours of the week in words; of an odd choice only how many there are.

    hours: of the week, Monday 00:00 UTC is 0, ascending, at least one.

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
