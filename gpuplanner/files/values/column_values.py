"""What the texts of a column look like: times, durations, counts of GPUs, states; and in which unit."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from statistics import median
from typing import Final

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.files.values import durations, gpu_counts, job_states, written_dates
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.times import MISSING_TEXTS, read_time, read_zone, utc_seconds
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

_EPOCHS: Final = (("epoch_s", 1), ("epoch_ms", 10**3), ("epoch_us", 10**6), ("epoch_ns", 10**9))
_EPOCH_FROM_S, _EPOCH_TO_S = 631_152_000, 4_102_444_800  # 1990 to 2100
_MOSTLY: Final = 0.8
_KNOWN_STATES: Final = phrases(
    "COMPLETED|COMPLETE|FAILED|CANCELLED|RUNNING|PENDING|TIMEOUT|NODE_FAIL|PREEMPTED|OUT_OF_MEMORY"
    "|REQUEUED|SUSPENDED|KILLED|PASS|PASSED|DONE|EXIT|ERROR|STOPPED|TERMINATED|FINISHED|SUCCESS|QUEUED"
    "|EVICTED|ABORTED"
)
_GPU_NAME: Final = lazy_re(
    r"(?i)(?<![a-z0-9])(?:[abhlvptk]|gb|gh|mi|rtx|gtx|quadro|titan|gaudi|tpu|tesla|g)[ _-]?\d"
)
_INDICES: Final = lazy_re(r"[\[({]?\s*\d{1,3}(\s*[,;]\s*\d{1,3})*\s*[\])}]?")
_LISTED: Final = lazy_re(r"[\[({]?\s*['\"]?[\w:-]+['\"]?(\s*[,;]\s*['\"]?[\w:-]+['\"]?)*\s*[\])}]?")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueReading:
    """How well values fit a field. share of them that can be read; unit; sure 0..1 of the unit; why in words."""

    share: float
    unit: str = ""
    sure: float = 1.0
    why: Message = NO_WORDS
    note: Message = NO_WORDS


def known(texts: Sequence[str]) -> list[str]:
    """The texts that say something.

    Without blanks about them; words for nothing, such as n/a and null, say nothing.
    """
    plain = (text.strip() for text in texts)
    return [text for text in plain if text.casefold() not in MISSING_TEXTS]


def _share(texts: Sequence[str], is_read: Sequence[bool]) -> float:
    """The share of texts that were read; 0 of none."""
    return sum(is_read) / len(texts) if texts else 0.0


def numbers_of(texts: Sequence[str]) -> list[Decimal]:
    """The plain numbers among them.

    >>> numbers_of(["8", "0.5", "eight"])
    [Decimal('8'), Decimal('0.5')]
    """
    return [number for number in map(read_decimal, texts) if number is not None]


def instant_s(text: str, unit: str, timezone: str | None = None) -> int | None:
    """A time in a unit of --map as UTC seconds; naive ones in the zone (None: UTC). None where it is none.

    Fractions of a second are cut off.

    >>> instant_s("31.01.2026 06:00", "dmy", "Europe/Oslo"), instant_s("?", "iso")
    (1769835600, None)
    """
    if unit == "iso":
        return utc_seconds(text, timezone)
    if unit in ("ymd", "dmy", "mdy", written_dates.SERIAL):
        return utc_seconds(written_dates.iso_text(text, unit) or text, timezone)
    if unit in ("epoch_us", "epoch_ns"):
        number = read_decimal(text)
        return None if number is None else int(number // dict(_EPOCHS)[unit])
    return durations.read_seconds(text, unit)


def length_s(text: str, unit: str) -> int | None:
    """A duration in a unit of --map, in seconds; None where it is none.

    Fractions of a second are cut off.

    >>> length_s("1:30", "hm"), length_s("1.5", "h"), length_s("0.25", "d"), length_s("soon", "s")
    (5400, 5400, 21600, None)
    """
    if unit == "hm":
        return durations.read_duration(durations.with_seconds(text))
    if unit == "d" and (number := read_decimal(text)) is not None:
        return int(number * 86_400)
    return durations.read_duration(text, {"ms": "epoch_ms", "d": "s"}.get(unit, unit))


def as_time(texts: Sequence[str], stated: str = "") -> ValueReading:
    """How a column is times. stated: the unit that its name states (s, ms, us, ns; dmy: its language), or empty."""
    said = known(texts)
    if not said:
        return ValueReading(share=0.0)
    like = said[0][:40]
    if all(written_dates.serial_days(text) is not None for text in said):
        return _as_serial(said)
    numbers = numbers_of(said)
    if len(numbers) >= _MOSTLY * len(said):
        return _as_epoch(said, numbers, stated)
    iso = [(at := read_time(text)) is not None and read_zone(at.zone_text).fault is None for text in said]
    if sum(iso) >= 0.5 * len(said):
        return ValueReading(
            share=_share(said, iso), unit="iso", sure=1.0, why=worded("times, such as {value}", value=like)
        )
    shares = {
        unit: _share(said, [written_dates.iso_text(text, unit) is not None for text in said])
        for unit in ("ymd", "dmy", "mdy")
    }
    if shares["ymd"] >= 0.5:
        return ValueReading(
            share=shares["ymd"], unit="ymd", sure=1.0, why=worded("dates, such as {value}", value=like)
        )
    if max(shares["dmy"], shares["mdy"]) < 0.5:
        return ValueReading(
            share=_share(said, iso),
            unit="iso",
            sure=0.5,
            why=worded("some times, such as {value}", value=like),
            note=worded("many cells are not times"),
        )
    return _day_or_month_first(said, shares, stated)


def _day_or_month_first(said: Sequence[str], shares: dict[str, float], stated: str) -> ValueReading:
    """Whether day or month comes first: by names of months, by what would be no date, by points, by language."""
    like = said[0][:40]
    if any(letter.isalpha() for letter in said[0][:8]):
        return ValueReading(
            share=shares["dmy"], unit="dmy", sure=0.95, why=worded("month names, such as {value}", value=like)
        )
    if shares["dmy"] != shares["mdy"]:
        unit = max(("dmy", "mdy"), key=lambda one: shares[one])
        which = worded("the day") if unit == "dmy" else worded("the month")
        return ValueReading(
            share=shares[unit],
            unit=unit,
            sure=0.95,
            why=worded("{which} first: otherwise some dates are invalid", which=which),
        )
    if "." in said[0].split(" ")[0]:
        return ValueReading(
            share=shares["dmy"], unit="dmy", sure=0.95, why=worded("dates with dots start with the day")
        )
    if stated == "dmy":
        return ValueReading(
            share=shares["dmy"], unit="dmy", sure=0.9, why=worded("the table has the day first")
        )
    if stated == "mdy":
        return ValueReading(
            share=shares["mdy"], unit="mdy", sure=0.9, why=worded("another column has the month first")
        )
    spans = {}
    for unit in ("dmy", "mdy"):
        at = [seconds for text in said if (seconds := instant_s(text, unit)) is not None]
        spans[unit] = max(at, default=0) - min(at, default=0)
    unit = min(("dmy", "mdy"), key=lambda one: spans[one])
    other = worded("the month") if unit == "dmy" else worded("the day")
    return ValueReading(
        share=shares[unit],
        unit=unit,
        sure=0.5,
        why=worded("{value} is ambiguous; this order keeps times closest together", value=like),
        note=worded("{other} may be first: check the first row", other=other),
    )


def _as_serial(said: Sequence[str]) -> ValueReading:
    """Numbers about 46,000: days of today, or seconds of a trace; those with a clock in the fraction are days."""
    like = said[0][:40]
    days = [written_dates.serial_days(text) or 0.0 for text in said]
    why = worded("spreadsheet dates, such as {value}", value=like)
    if max(days) - min(days) < _LONGEST_LOG_DAYS and any(day % 1 for day in days):
        return ValueReading(share=1.0, unit=written_dates.SERIAL, sure=0.95, why=why)
    note = worded("spreadsheet dates or seconds? Check the first row")
    if max(days) - min(days) < _LONGEST_LOG_DAYS:
        return ValueReading(share=1.0, unit=written_dates.SERIAL, sure=0.5, why=why, note=note)
    return ValueReading(
        share=0.7, unit="epoch_s", sure=0.5, why=worded("times from an unknown start"), note=note
    )


_LONGEST_LOG_DAYS: Final = 4000


def _as_epoch(said: Sequence[str], numbers: Sequence[Decimal], stated: str) -> ValueReading:
    """Numbers as times since 1970: the unit in which the median is a time of these decades.

    Its name may say another.
    """
    typical = median(abs(number) for number in numbers)
    like = said[0][:40]
    why = worded("{value} counts from 1970 in this unit", value=like)
    share = len(numbers) / len(said)
    by_name = {"s": "epoch_s", "ms": "epoch_ms", "us": "epoch_us", "ns": "epoch_ns"}.get(stated)
    for unit, per_second in _EPOCHS:
        if _EPOCH_FROM_S <= typical / per_second <= _EPOCH_TO_S:
            if by_name in (None, unit):
                return ValueReading(share=share, unit=unit, sure=0.97, why=why)
            note = worded("named {stated}, but then {value} is no plausible date", stated=stated, value=like)
            return ValueReading(share=share, unit=unit, sure=0.5, why=why, note=note)
    unit = by_name or "epoch_s"
    note = worded("implausible dates: counted from 1970; durations are correct")
    return ValueReading(
        share=share * 0.7, unit=unit, sure=0.5, why=worded("times from an unknown start"), note=note
    )


def are_clocks(texts: Sequence[str]) -> bool:
    """Whether a column is times of the day alone: 10:30, 09:15:00 PM.

    False for a column without values. Such a column needs its day from another.

    >>> are_clocks(["10:30", "09:15:00 PM"]), are_clocks(["2026-01-31 10:30"])
    (True, False)
    """
    said = known(texts)
    return bool(said) and _share(said, [_CLOCK.fullmatch(text) is not None for text in said]) >= _MOSTLY


def are_days(texts: Sequence[str]) -> bool:
    """Whether a column is dates of which none has a time of day.

    >>> are_days(["2026-01-31", "2026-02-01 00:00"]), are_days(["2026-01-31 10:30"])
    (True, False)
    """
    said = known(texts)
    clocks = (found for text in said for found in _HAS_CLOCK.findall(text))
    return bool(said) and not any(int(part or 0) for found in clocks for part in found)


_CLOCK: Final = lazy_re(r"\d{1,2}:\d\d(:\d\d(\.\d+)?)?(\s*[AaPp]\.?[Mm]\.?)?")
_HAS_CLOCK: Final = lazy_re(r"(\d{1,2}):(\d\d)(?::(\d\d))?")


def as_duration(texts: Sequence[str], stated: str = "") -> ValueReading:
    """How a column is durations.

    stated: the unit that its name states, or empty. A column with negative numbers is none.
    """
    said = known(texts)
    numbers = numbers_of(said)
    if any(number < 0 for number in numbers[:20]):
        return ValueReading(share=0.0)
    if said and len(numbers) < 0.5 * len(said):
        like = said[0][:40]
        if stated == "hm":
            read = [length_s(text, "hm") is not None for text in said]
            return ValueReading(
                share=_share(said, read), unit="hm", sure=0.97, why=worded("unit in its name")
            )
        read = [durations.read_duration(text) is not None for text in said]
        note = NO_WORDS
        if all(text.count(":") == 1 for text in said[:20]):
            note = worded("{value} read as minutes:seconds; unit hm: hours:minutes", value=like)
        return ValueReading(
            share=_share(said, read),
            unit="s",
            sure=0.6 if note else 1.0,
            why=worded("durations, such as {value}", value=like),
            note=note,
        )
    share = len(numbers) / len(said) if said else 0.0
    if said and len(numbers) == len(said) and stated == "hm":
        return ValueReading(share=0.0)
    if stated in ("s", "min", "h", "d", "ms"):
        return ValueReading(share=share, unit=stated, sure=0.97, why=worded("unit in its name"))
    if not numbers:
        return ValueReading(share=0.0)
    typical = median(numbers)
    note = worded("no unit, read as seconds; check the first row")
    return ValueReading(
        share=share,
        unit="s",
        sure=0.5,
        why=worded("numbers without a unit, typically {typical}", typical=significant(typical)),
        note=note,
    )


def unit_of_lengths(lengths: Sequence[str], spans_s: Sequence[int]) -> str | None:
    """The unit in which a column's numbers are the spans between two other columns, in seconds.

    None where none is.

    lengths and spans_s are of the same rows, in one order. At least three rows, 90% of them within 2% or a
    minute, and one span over two minutes, so that zeros prove nothing.

    >>> unit_of_lengths(["60", "120", "90"], [3600, 7200, 5400]), unit_of_lengths(["1", "2"], [3600, 7200])
    ('min', None)
    """
    for unit in ("s", "min", "h", "d", "ms", "hm"):
        pairs = [
            (length, span)
            for text, span in zip(lengths, spans_s, strict=True)
            if (length := length_s(text, unit)) is not None and span > 0
        ]
        close = [abs(length - span) <= max(61, 0.02 * span) for length, span in pairs]
        if len(pairs) >= 3 and sum(close) >= 0.9 * len(pairs) and max(span for _, span in pairs) > 120:
            return unit
    return None


def as_gpus(texts: Sequence[str], stated: str = "") -> ValueReading:
    """How a column is counts of GPUs: numbers, thousandths, Slurm's lists, or lists of devices.

    stated: the unit that its name states (such as milli or list), or empty.
    """
    said = known(texts)
    if not said:
        return ValueReading(share=0.0)
    like = said[0][:40]
    if stated == "list":
        return ValueReading(
            share=1.0, unit="list", sure=0.95, why=worded("GPU model in its name: {value}", value=like)
        )
    numbers = numbers_of(said)
    if len(numbers) >= _MOSTLY * len(said):
        return _as_numbers_of_gpus(said, numbers, stated)
    if any(lazy_re(r"(?i)gpu[^,]*[:=]|^7696487:").search(text) for text in said):
        return ValueReading(share=1.0, unit="slurm", sure=0.95, why=worded("Slurm resource lists"))
    if all(_INDICES.fullmatch(text) for text in said) and any(text.count(",") > 1 for text in said):
        return ValueReading(
            share=1.0, unit="list", sure=0.95, why=worded("GPU ids, such as {value}", value=like)
        )
    listed = [_LISTED.fullmatch(text) is not None for text in said]
    if _share(said, listed) >= 0.9 and any("," in text or text[0] in "[({" for text in said):
        return ValueReading(
            share=0.8, unit="list", sure=0.7, why=worded("GPU ids, such as {value}", value=like)
        )
    written = [gpu_counts.read_written_count(text).fault is None for text in said]
    return ValueReading(
        share=_share(said, written),
        unit="gpu",
        sure=0.95,
        why=worded("GPU counts, such as {value}", value=like),
    )


def _as_numbers_of_gpus(said: Sequence[str], numbers: Sequence[Decimal], stated: str) -> ValueReading:
    """Numbers as counts of GPUs: whole ones, thousandths or percent of one, with what speaks for it."""
    share = _share(said, [gpu_counts.read_gpu_count(text).fault is None for text in said])
    most = max(numbers)
    up_to = worded("numbers up to {most}", most=significant(most))
    is_whole = all(number == int(number) for number in numbers)
    if stated == "gpu_hours":
        return ValueReading(share=share, unit=stated, sure=0.97, why=worded("GPU-hours, by its name"))
    if stated == "milli":
        if is_whole and 0 < most <= 16:
            return ValueReading(
                share=share,
                unit="milli",
                sure=0.5,
                why=worded("thousandths, by its name"),
                note=worded("at most {most}: perhaps whole GPUs", most=significant(most)),
            )
        return ValueReading(
            share=share, unit="milli", sure=0.97, why=worded("thousandths of a GPU, by its name")
        )
    parts = [number for number in numbers if number]
    if _is_percent_of_one(parts):
        note = worded("mostly 25, 50 or 100: read as percent of a GPU. If wrong, change the unit")
        return ValueReading(share=share, unit="percent", sure=0.6, why=up_to, note=note)
    if is_whole and parts and most >= 100 and all(number >= 10 for number in parts):
        round_ones = sum(number % 100 == 0 for number in parts) / len(parts)
        if round_ones >= 0.5 and max(parts) >= 500:
            note = worded("{most} GPUs per job: read as thousandths", most=significant(max(parts)))
            return ValueReading(share=share, unit="milli", sure=0.6, why=up_to, note=note)
    return ValueReading(share=share, unit="gpu", sure=0.97, why=up_to)


_PERCENTS: Final = frozenset(map(Decimal, (10, 20, 25, 30, 40, 50, 60, 75, 80, 100)))


def _is_percent_of_one(parts: Sequence[Decimal]) -> bool:
    """Whether numbers above zero are shares of a GPU in percent: one GPU, a half or a quarter is what most ask for."""
    if not parts or 100 not in parts:
        return False
    common, _ = Counter(parts).most_common(1)[0]
    typical = sum(number in _PERCENTS or number % 100 == 0 for number in parts)
    return common in _PERCENTS and typical >= 0.8 * len(parts) and max(parts) < 10_000


def as_count(texts: Sequence[str]) -> ValueReading:
    """How a column is whole numbers from 1.

    >>> as_count(["1", "2", "0", "x"]).share
    0.5
    """
    said = known(texts)
    good = [
        (number := read_decimal(text)) is not None and number == int(number) and number >= 1 for text in said
    ]
    return ValueReading(share=_share(said, good))


def as_activity(texts: Sequence[str], stated: str = "") -> ValueReading:
    """How a column is percentages, or shares of one.

    stated: percent or share where its name says so, or empty; without it the largest number tells.
    """
    said = known(texts)
    numbers = numbers_of([text.rstrip("% ") for text in said])
    if not numbers:
        return ValueReading(share=0.0)
    share = _share(said, [0 <= number <= 100 for number in numbers]) * len(numbers) / len(said)
    if stated == "percent" or any(text.endswith("%") for text in said):
        return ValueReading(share=share, unit="percent", sure=0.97, why=worded("percent is stated"))
    if stated == "share":
        return ValueReading(share=share, unit="share", sure=0.97, why=worded("share, by its name"))
    if max(numbers) <= 1:
        return ValueReading(
            share=share,
            unit="share",
            sure=0.7,
            why=worded("numbers up to {most}", most=significant(max(numbers))),
            note=worded("read as a share, 0 to 1. If percent, change the unit"),
        )
    return ValueReading(
        share=share,
        unit="percent",
        sure=0.95,
        why=worded("numbers up to {most}", most=significant(max(numbers))),
    )


def as_state(texts: Sequence[str]) -> ValueReading:
    """How a column is the states of jobs.

    One state of a scheduler that is known is enough; else few different words may be states.
    """
    said = known(texts)
    if not said or numbers_of(said):
        return ValueReading(share=0.0)
    is_state = [job_states.read_state(text) in _KNOWN_STATES for text in said]
    if any(is_state):
        return ValueReading(share=1.0)
    return ValueReading(share=0.6 if len(set(said)) <= max(3, len(said) / 4) else 0.2)


def as_class(texts: Sequence[str]) -> ValueReading:
    """How a column is training, inference or burst.

    >>> as_class(["training", "Inference", "batch", "burst"]).share
    0.75
    """
    said = known(texts)
    return ValueReading(share=_share(said, [text.lower() in tuple(POOLS) for text in said]))


def as_gpu_model(texts: Sequence[str]) -> ValueReading:
    """How a column is names of GPU models.

    A column of numbers is none; words without a known name may be, at half the share.
    """
    said = known(texts)
    named = [_GPU_NAME.search(text) is not None for text in said]
    is_number = len(numbers_of(said)) > 0.5 * len(said)
    if is_number:
        return ValueReading(share=0.0)
    if any(named):
        return ValueReading(share=1.0)
    return ValueReading(share=0.5 if said else 0.3)


def as_words(texts: Sequence[str]) -> ValueReading:
    """How a column is names: anything but times and fractions.

    A column without values may be names, at half the share.
    """
    said = known(texts)
    if not said:
        return ValueReading(share=0.5)
    times = [read_time(text) is not None and read_decimal(text) is None for text in said]
    return ValueReading(share=1.0 - _share(said, times))


def as_id(texts: Sequence[str]) -> ValueReading:
    """How a column is ids: hardly any repeats.

    A column with few different values is noted; one of times or fractions is none.
    """
    said = known(texts)
    if not said or as_words(said).share < 0.5:
        return ValueReading(share=0.0)
    distinct = len(set(said)) / len(said)
    return ValueReading(
        share=1.0 if distinct > 0.5 else 0.6,
        note=NO_WORDS if distinct > 0.2 else worded("few different values"),
    )
