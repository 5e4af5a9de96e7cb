"""What a column's name says: which field of a job it may be, how surely, and the unit it states."""

import unicodedata
from functools import lru_cache
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.files.system.resources import plain_table, rows_of
from gpuplanner.files.tables.fields import GPU_HOURS
from gpuplanner.files.values.unit_words import UNIT_OF_WORD
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

SUBMITTED: Final = worded("a submit time, so waits would count as use; map the start column if any")
PER_NODE: Final = worded("a count per node; the total over all nodes is needed")


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRow:
    """One row of the table: a field, the names that say it (run together, lower case), how surely.

    note: a warning; unit: of --map, where such a name has one by itself.
    """

    field: str
    pattern: str
    confidence: float
    note: Message = NO_WORDS
    unit: str = ""


_PARTS: Final = plain_table("name_part")
"""Parts of names that many of them have, as `column_names.csv` calls them."""

_NOTES: Final = {"": NO_WORDS, "submitted": SUBMITTED, "per_node": PER_NODE}
NAMES: Final = tuple(
    NameRow(
        field=row["field"],
        pattern=row["names"].format(**_PARTS),
        confidence=float(row["confidence"]),
        note=_NOTES[row["note"]],
        unit=row["unit"],
    )
    for row in rows_of("column_names.csv")
)
"""Field and names, the surest first within a field; data, so that a new name is a new row."""

_LONGEST_KEY: Final = 60
_RUN_TOGETHER: Final = lazy_re(
    r"^(.{3,}?)(seconds|secs|minutes|mins|hours|hrs|millis|milliseconds|milli|percent|pct)$"
)


@dataclass(frozen=True, slots=True)
class NameReading:
    """A field that a name may stand for. unit: as the name states it (s, min, h, d, ms, us, ns, milli, ...)."""

    confidence: float
    unit: str = ""
    note: Message = NO_WORDS


def words_of(heading: str) -> list[str]:
    """The words of a heading: `gpuCount`, `GPU_count` and `gpu-count (all)` all begin with gpu, count.

    >>> words_of("numGPUs"), words_of("Wall time [h]"), words_of("JobID")
    (['num', 'gpus'], ['wall', 'time', 'h'], ['job', 'id'])
    """
    plain = unicodedata.normalize("NFKC", heading).replace("%", " percent ")
    plain = lazy_re(r"(?<![A-Z])(GPU|ID|CPU|POD|JOB)s\b").sub(
        lambda found: f" {found[1].capitalize()}s", plain
    )
    split = lazy_re(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])").sub(" ", plain)
    return lazy_re(r"[^\W_]+").findall(split.lower())


@lru_cache(maxsize=4096)
def name_readings(heading: str) -> dict[str, NameReading]:
    """By field: how surely a column of this name is it. Of `spec.resources.gpus` the last parts count too."""
    found: dict[str, NameReading] = {}
    clock = _CLOCK.search(heading)
    if clock is not None:
        heading = heading.replace(clock[0], " ").strip(" ()[]")
    parts = heading.split(".")
    for taken in range(min(3, len(parts)), 0, -1):
        less = 0.0 if taken == len(parts) else 0.04
        words = words_of(".".join(parts[-taken:]))
        unit, words = _unit_of(words)
        key = "".join(words)[:_LONGEST_KEY]
        for row in NAMES:
            sure = row.confidence - less
            if sure > found.get(row.field, _NONE).confidence and lazy_re(row.pattern).fullmatch(key):
                of_clock = "hm" if clock is not None and not clock[1] and row.field == "duration" else ""
                found[row.field] = NameReading(sure, of_clock or unit or row.unit, row.note)
    if "gpus" in found and found["gpus"].unit not in ("", "milli", "list", "slurm"):
        amount = found.pop(
            "gpus"
        )  # GPU seconds or a percentage are no count; GPU-hours are one of their time
        if amount.unit == "h":
            found["gpus"] = NameReading(amount.confidence, GPU_HOURS)
    return found


def stated_amount(heading: str) -> str:
    """What a heading says that its numbers are, where they are no count: GPU_HOURS, `h`, `percent`, `gb` or `$`.

    >>> stated_amount("GPU Hours"), stated_amount("GPU memory (GB)"), stated_amount("GPU cost"), stated_amount("GPUs")
    ('gpu_hours', 'gb', '$', '')
    """
    words = words_of(heading)
    unit, _ = _unit_of(words)
    units = {unit, *("h" if word in _HOURS else UNIT_OF_WORD.get(word, "") for word in words)}
    if "h" in units and any("gpu" in word for word in words):
        return GPU_HOURS
    if "h" in units or "percent" in units:
        return "h" if "h" in units else "percent"
    if not _OF_USE.isdisjoint(words):
        return "percent"
    if not _OF_MEMORY.isdisjoint(words):
        return "gb"
    return "$" if "$" in heading or "€" in heading or not _OF_MONEY.isdisjoint(words) else ""


_HOURS: Final = frozenset(("stunden", "stunde", "std", "heures", "heure", "horas", "ore"))
_OF_USE: Final = frozenset(("util", "utilization", "utilisation", "auslastung", "activity"))
_OF_MEMORY: Final = frozenset(("gb", "gib", "mb", "mib", "memory", "mem", "vram"))
_OF_MONEY: Final = frozenset(("cost", "costs", "price", "charge", "usd", "eur", "spend", "amount"))


_NONE: Final = NameReading(0.0)
_CLOCK: Final = lazy_re(r"(?i)(?<![(\[])[(\[]*\b(?:h{1,2}|hrs?)\]?:m{1,2}(:s{1,2})?\b[)\]]*")
"""How a spreadsheet says that durations are hours and minutes; a row of brackets is looked at once, from its start."""


def writes_day_first(heading: str) -> bool:
    """Whether a heading is in a language that writes the day before the month.

    >>> writes_day_first("Beginn"), writes_day_first("start")
    (True, False)
    """
    return not _DAY_FIRST.isdisjoint(words_of(heading))


_DAY_FIRST: Final = frozenset(plain_table("word_list")["day_first"].split())


def _unit_of(words: list[str]) -> tuple[str, list[str]]:
    """The unit at the end of a name, and the words without it."""
    if len(words) > 1 and words[-1] in UNIT_OF_WORD:
        return UNIT_OF_WORD[words[-1]], words[:-1]
    if len(words) > 2 and words[0] in ("milli", "pct", "percent"):
        return UNIT_OF_WORD[words[0]], words[1:]
    if words and (found := _RUN_TOGETHER.match(words[-1])):
        return UNIT_OF_WORD[found[2]], [*words[:-1], found[1]]
    return "", words
