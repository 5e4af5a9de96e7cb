"""Forms that SQL reads row by row: trimmed texts, whole numbers, usual times and durations."""

from typing import Final

from gpuplanner.files.job_logs.judging.dialect import JobTable
from gpuplanner.files.values.times import MISSING_TEXTS

_NOTHING: Final = "|".join(("", *filter(None, MISSING_TEXTS)))
_BLANKS: Final = " \t\r\n"


def is_stated(text: str) -> str:
    """SQL: whether a text says something. Of an `in` of many words the engine makes a join, which loses the order."""
    return f"not regexp_full_match(lower(trim(coalesce({text}, ''))), '{_NOTHING}')"


def whole_number(text: str) -> str:
    """SQL for a number, fractions cut off; null where it is none."""
    return f"try_cast(trunc(try_cast({text} as double)) as bigint)"


def clock_seconds(text: str | None, unit: str | None) -> str:
    """SQL for a time's own clock in seconds, null where the form is unusual or 32 bits do not hold it."""
    if text is None:
        return "null::int"
    if unit is not None:
        return f"try_cast({whole_seconds(text, unit)} as int)"
    return (
        f"try_cast(case when {text} like '____-__-__T__:__:__Z' "
        f"then epoch_us(try_cast({text} as timestamp)) // 1000000 "
        f"when {is_usual_time(text)} then epoch_us(try_cast(left({text}, 19) as timestamp)) // 1000000 end as int)"
    )


def unread_of_time(text: str, unit: str | None) -> str:
    """SQL for one text of what is not in a time's clock: of its zone, or all of a time in an unusual form."""
    zone = "'Z'" if unit is not None else f"'zone ' || {zone_text(text)}"
    return f"case when ({clock_seconds(text, unit)}) is not null then {zone} else 'time ' || {text} end"


def is_plain_utc(text: str, unit: str | None) -> str:
    """SQL: whether a time's clock tells all of it, since it is one of UTC."""
    is_utc = f" and strlen({text}) = 20 and suffix({text}, 'Z')" if unit is None else ""
    return f"({clock_seconds(text, unit)}) is not null{is_utc}"


def is_usual_time(text: str) -> str:
    """SQL: whether a time has the form that SQL reads."""
    return f"({text} like '____-__-__T__:__:__%' or {text} like '____-__-__ __:__:__%')"


def zone_text(text: str) -> str:
    """SQL for what follows the seconds, and a fraction of one, of a usual time.

    text: SQL of a time for which `is_usual_time` holds.
    """
    rest = f"substr({text}, 20)"
    return (
        f"case when left({rest}, 1) in ('.', ',') then ltrim(substr({rest}, 2), '0123456789') else {rest} end"
    )


def quick_elapsed(table: JobTable) -> str:
    """SQL for a plain duration, where the end does not tell it already."""
    if "elapsed" not in table.fields:
        return "null::int"
    end = clock_seconds(table.fields.get("end"), table.end_unit)
    seconds = whole_seconds(table.fields["elapsed"], table.elapsed_unit)
    return f"case when ({end}) is null then try_cast({seconds} as int) end"


def whole_seconds(text: str, unit: str) -> str:
    """SQL for a whole number in a unit, in seconds; null for anything else.

    unit: s, epoch_s, min, h or epoch_ms; what is less than a second is cut off.
    """
    factor = {"s": "* 1", "epoch_s": "* 1", "min": "* 60", "h": "* 3600", "epoch_ms": "// 1000"}[unit]
    number = f"try_cast({text} as bigint)"
    is_plain = f"{text} >= '0' and length({text}) <= 14 and cast({number} as varchar) = {text}"
    return f"case when {is_plain} then {number} {factor} end"


def trimmed(text: str) -> str:
    """SQL: without blanks around it, null where nothing is left. Looking for blanks is much cheaper than trimming."""
    ends = " or ".join(f"suffix({text}, '{blank}')" for blank in _BLANKS)
    within = f"nullif(trim({text}, '{_BLANKS}'), '')"
    return f"case when {text} >= '!' and not ({ends}) then {text} else {within} end"
