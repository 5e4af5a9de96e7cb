"""Dates that are not ISO 8601 (31/01/2026, Jan 31 2026): the same forms for the engine and for Python."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

_CLOCKS: Final = ("", " %H:%M:%S", " %H:%M", " %H:%M:%S.%f", " %I:%M:%S %p", " %I:%M %p")
_NAMED_MONTHS: Final = ("%d/%b/%Y", "%d %b %Y", "%b %d, %Y", "%b %d %Y")
_DATES: Final = {
    "ymd": ("%Y/%m/%d",),
    "dmy": ("%d/%m/%Y", *_NAMED_MONTHS),
    "mdy": ("%m/%d/%Y", *_NAMED_MONTHS),
}
FORMS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    unit: tuple(date + clock for date in dates for clock in _CLOCKS) for unit, dates in _DATES.items()
}
"""By unit of --map: how a date and its clock may be written, with one slash for any sign between the numbers."""

_SIGNS: Final = r"^(\w+)[-./](\w+)[-./](\w+)[-T,]? *"
_SHORT_YEAR: Final = r"^(\w{1,3}/\w{1,3}/)(\d\d) "
_LONGEST_TEXT: Final = 40


SERIAL: Final = "serial"
"""Days since 30 December 1899, as spreadsheets count them; a clock is the fraction of a day."""

_SERIAL: Final = r"^\s*([2-6][0-9]{4})([.,][0-9]+)?\s*$"


def iso_sql(column: str, unit: str) -> str:
    """SQL: the text of a column as ISO 8601 where it is such a date, else as it is.

    unit: one of `FORMS_OF`, or the spreadsheet's serial number of days since 30 December 1899.
    Years of two digits are of this century.
    """
    if unit == SERIAL:
        days = f"try_cast(replace({column}, ',', '.') as double)"
        at = f"timestamp '1899-12-30' + to_seconds(cast(round({days} * 86400) as bigint))"
        return (
            f"case when regexp_matches({column}, '{_SERIAL}') "
            f"then strftime({at}, '%Y-%m-%dT%H:%M:%S') else {column} end"
        )
    forms = ", ".join(f"'{form}'" for form in FORMS_OF[unit])
    plain = rf"regexp_replace(trim({column}), '{_SIGNS}', '\1/\2/\3 ')"
    plain = rf"trim(regexp_replace({plain}, '{_SHORT_YEAR}', '\120\2 '))"
    return f"coalesce(strftime(try_strptime({plain}, [{forms}]), '%Y-%m-%dT%H:%M:%S'), {column})"


def serial_days(text: str) -> float | None:
    """A date as a spreadsheet counts days, of 1954 to 2091; None where it is none.

    >>> serial_days("46140,5"), serial_days("460")
    (46140.5, None)
    """
    return float(text.strip().replace(",", ".")) if re.match(_SERIAL, text) else None


def iso_text(text: str, unit: str) -> str | None:
    """The same of one text; None where it is no such date.

    >>> iso_text("31.1.2026 5:03", "dmy"), iso_text("1/31/26", "mdy"), iso_text("soon", "ymd")
    ('2026-01-31T05:03:00', '2026-01-31T00:00:00', None)
    """
    if unit == SERIAL:
        days = serial_days(text)
        if days is None:
            return None
        return (datetime(1899, 12, 30, tzinfo=UTC) + timedelta(seconds=round(days * 86400))).strftime(
            "%Y-%m-%dT%H:%M:%S"
        )
    plain = re.sub(_SIGNS, r"\1/\2/\3 ", text.strip(" ")[:_LONGEST_TEXT], flags=re.A)
    plain = re.sub(_SHORT_YEAR, r"\g<1>20\2 ", plain, flags=re.A).strip(" ")
    for form in FORMS_OF[unit]:
        try:
            return datetime.strptime(plain, form).replace(tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%S")
        except ValueError:
            continue
    return None
