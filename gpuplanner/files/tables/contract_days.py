"""Days of contracts: whether an end is a last day or the day after it, and how long before it notice is given."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from gpuplanner.domain.message import NO_WORDS, Message, worded, worded_both
from gpuplanner.domain.model.window import months_after
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.tables.column_mapping import (
    DAYS,
    EXCLUSIVE,
    HOURS,
    LAST_DAY,
    WEEKS,
    ColumnMapping,
    ColumnReading,
    mapping_text,
)
from gpuplanner.files.tables.fields import WORDS
from gpuplanner.files.values.amounts import NO_AMOUNT
from gpuplanner.files.values.numbers import TEXTS_KEPT, read_decimal
from gpuplanner.files.values.terms import MONTHS, YEARS, read_term, term_within
from gpuplanner.files.values.unit_words import number_words, price_words, term_words
from gpuplanner.files.values.word_lists import phrases, words
from gpuplanner.files.values.written_dates import MONTH_FIRST, months_of_period, read_date
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

# --- Whether an end is the last day or the day after it: its heading, the row's term, then all rows together

_LAST_WORDS: Final = WORDS["last_words"]
_AFTER_WORDS: Final = lazy_re(r"\b(?:renewal|renews|exclusive|excl|exkl\w*|verlängerung|renouvellement)\b")
ENDLESS_YEAR: Final = "9999-"
"""How systems that need a date write "no end"."""

_CLOCK: Final = lazy_re(r"\d:\d\d|\dT\d\d")
_END_OF_DAY: Final = lazy_re(r"[ T]23:59(?::\d\d(?:\.\d+)?)?Z?$")


@lru_cache(maxsize=TEXTS_KEPT)
def is_day_alone(text: str, *, is_sheet: bool) -> bool:
    """Whether a cell is a day without a time, or says the last minute of one; a sheet keeps days with midnight.

    >>> is_day_alone("31 Dec 2026", is_sheet=False), is_day_alone("2027-01-01T00:00:00Z", is_sheet=False)
    (True, False)
    """
    text = text.strip()
    if months_of_period(text) or read_date(text) is None:
        return False
    is_midnight = is_sheet and text.endswith("T00:00:00")
    return is_midnight or bool(_END_OF_DAY.search(text)) or _CLOCK.search(text) is None


@lru_cache(maxsize=TEXTS_KEPT)
def day_after(iso: str) -> str:
    """The day after a date, as ISO; the text itself where that is none.

    >>> day_after("2026-12-31"), day_after("2026-12-31T00:00:00"), day_after("soon")
    ('2027-01-01', '2027-01-01', 'soon')
    """
    day = _day(iso)
    return iso if day is None else (day + timedelta(days=1)).isoformat()


def stated_end(start: str, end: str, term: str) -> str:
    """What one row says of its end, by its term or else by the calendar: LAST_DAY, EXCLUSIVE, or nothing.

    A day that is a first of a month, or has the start's day of the month (the month's last where that is missing),
    is where a contract begins to be over.

    >>> stated_end("2026-03-15", "2027-03-14", ""), stated_end("2026-01-31", "2027-01-31", "12"), stated_end("", "", "")
    ('last_day', 'exclusive', '')
    """
    first, last = _day(start), _day(end)
    if last is None:
        return ""
    if told := end_by_term(end, (months_after(start, int(term)) if term else None) or ""):
        return told
    is_last, is_after = (_begins(day, first) for day in (last + timedelta(days=1), last))
    if is_last == is_after:
        return ""
    return LAST_DAY if is_last else EXCLUSIVE


def end_by_term(end: str, by_term: str) -> str:
    """What an end means by the day on which the row's term is over; nothing where it is another day.

    >>> end_by_term("2026-12-31", "2027-01-01"), end_by_term("2027-01-01", "2027-01-01")
    ('last_day', 'exclusive')
    """
    if not by_term or by_term[:10] not in (end[:10], day_after(end)):
        return ""
    return EXCLUSIVE if by_term[:10] == end[:10] else LAST_DAY


def meant_by_day(start: str, end: str, written: str) -> str:
    """What an end means whatever the others do: on its start it is one day, at 23:59 the last."""
    return LAST_DAY if start[:10] == end[:10] or _END_OF_DAY.search(written.strip()) else ""


def _begins(day: date, start: date | None) -> bool:
    """Whether a day is a first of a month or a month's anniversary of the start."""
    if day.day == 1 or (start is not None and day.day == start.day):
        return True
    return start is not None and (day + timedelta(days=1)).day == 1 and start.day > day.day


def with_end_meant(
    column: ColumnReading, rows: Sequence[tuple[str, str, str]], *, is_own: bool
) -> ColumnReading:
    """The column of ends with what it means. rows: start, end and term of each, read; ends that are days alone.

    is_own: our own names, whose ends are exclusive. Where neither heading nor rows tell, it is the last day, which the
    column's note says.
    """
    heading = " ".join(re.findall(r"[^\W_]+", column.column.lower()))
    rows = [
        row for row in rows if not (row[1] and meant_by_day(row[0], row[1], ""))
    ]  # those say nothing of others
    if column.unit or not rows:
        return column
    if is_own or (_AFTER_WORDS.search(heading) and not _LAST_WORDS.search(heading)):
        return replace(column, unit=EXCLUSIVE)
    if _LAST_WORDS.search(heading):
        return replace(column, unit=LAST_DAY)
    said = {told for row in rows if (told := stated_end(*row))}
    if len(said) == 1:
        unit = said.pop()
        read = worded("the last day") if unit == LAST_DAY else worded("the day after")
        return replace(column, unit=unit, why=worded("{why}: {read}, by its rows", why=column.why, read=read))
    note = worded_both(
        "“{column}”: read as the last day, not the day after. If wrong: {how}",
        "“{column}”: read as the last day, not the day after",
        column=column.column,
        how=_to_map("end", column.column, EXCLUSIVE),
    )
    return replace(column, unit=LAST_DAY, note=_both(column.note, note), is_asked=True)


# --- Notice: a number of days, weeks, months or years before the end; months go back by the calendar

_MORE_WORDS: Final = {
    DAYS: words("tag|tage|tagen|jours|jour|días|dias"),
    WEEKS: words("weeks|wochen|semaines|semaine|w|wk|wks"),
    MONTHS: words("monaten|mois|meses|mo|mos|mth|mths"),
    YEARS: words("jahren|ans|années|años"),
}
_UNIT_OF_WORD: Final = {
    word: unit
    for unit, found in (
        (DAYS, (*price_words("day"), *number_words("day"))),
        (WEEKS, (*price_words("week"),)),
        (MONTHS, term_words("month")),
        (YEARS, term_words("year")),
    )
    for word in (*found, *_MORE_WORDS[unit])
}
_LENGTH: Final = lazy_re(r"(?i)^(\d{1,5}(?:[.,]\d{1,2})?)\s*-?\s*([^\W\d_]+)\b")
_DAYS_WITHIN: Final = lazy_re(
    r"(?i)(?<![\w.,])(\d{1,3})[ -]?(days?|weeks?|tagen?|tage|wochen?|jours?|semaines?)\b(?![^\d]*\d)"
)
_ON_TERMS: Final = WORDS["on_terms"]
"""What makes days among words others than those of a notice."""
_BEFORE_LENGTH: Final = WORDS["before_length"]
_BEFORE_WHAT: Final = lazy_re(r" (?:before|prior to|vor|zum|avant)\b.*")
_SPELLED_OUT: Final = lazy_re(r"(?i)^[^\W\d_]+(?:[ -][^\W\d_]+)?\s*\((\d{1,4})\)(?:\s*calendar\b)?")
"""A number in words before its figures, as lawyers write it: `ninety (90) days`."""
_NUMBERS: Final = plain_table("number_word")
_FROM_TERMINATION: Final = lazy_re(r"(?i)^T\s?[-+\u2013]\s?(\d{1,3})$")
"""Days from a termination, or before it, as registers write them: T+30."""
_TO_AN_END: Final = lazy_re(r"(?i)\b(?:end|ende|fin)\b|quart|trimestre")
"""What makes a lead longer than its number says, by nobody knows how much."""
_TO_A_PERIODS_END: Final = WORDS["to_a_periods_end"]
"""The same of a notice: before the end of the contract alone it is as long as its number says."""
_UP_TO: Final = lazy_re(r"(?i)^\d+(?:[.,]\d+)?\s*(?:-|\u2013|to|bis|à)\s*(?=\d)")
_HOURS: Final = lazy_re(r"(?i)(\d{1,5}(?:\.\d{1,2})?)\s*(?:h|hrs?|hours?|std\.?|stunden?|heures?)")
_NOT_STATED: Final = words("-|--|–|—|n/a|na|n.a.|k.a.|null|nan")
"""Of NO_AMOUNT what says that there is nothing to state; the rest says that nobody knows."""
_NO_LEAD: Final = phrases("in stock|on hand|available|available now|ab lager|en stock")
_OF_HOURS: Final = frozenset(price_words("hour"))
_SURELY_DAYS: Final = 14
"""Nobody gives so many months' notice: a column with such a number counts days."""

_MONTH_DAYS: Final = 31
"""Of a month before an end that is not told: the longest."""
_HOURS_OF: Final = {HOURS: 1, DAYS: 24, WEEKS: 168, MONTHS: 24 * _MONTH_DAYS, YEARS: 24 * 365}


def unit_of_heading(heading: str) -> str:
    """What a heading says it counts: days, weeks, months or years; empty where it says none, or two.

    >>> unit_of_heading("Notice (mo)"), unit_of_heading("notice_days"), unit_of_heading("Notice")
    ('months', 'days', '')
    """
    found = {
        _UNIT_OF_WORD[word] for word in re.findall(r"[^\W\d_]+", heading.lower()) if word in _UNIT_OF_WORD
    }
    return found.pop() if len(found) == 1 else ""


def without_unit(plain: str) -> str:
    """The words of a heading without those that only say what it counts, or before what.

    >>> without_unit("notice period in months"), without_unit("days notice before the end of the term")
    ('notice period', 'notice')
    """
    plain = _BEFORE_WHAT.sub("", plain)
    return " ".join(word for word in plain.split() if word not in _UNIT_OF_WORD and word not in ("in", "en"))


_OF_LEAD: Final = ((WEEKS, DAYS), (DAYS, HOURS))
COUNTED: Final = {
    "notice_days": ((MONTHS, DAYS), None),
    "lead_time_hours": _OF_LEAD,
    "lead_time_high_hours": _OF_LEAD,
}
"""Fields that are lengths of time: of small bare numbers and of others the longest that they may count, what else they
may; None: they are days."""


def with_counted_unit(column: ColumnReading, texts: Sequence[str]) -> ColumnReading:
    """The column of a length of time with what its bare numbers count: its heading says, or of a notice one of 14 or
    more: days; of a lead multiples of 24: hours. Else the longer reading, which its note says.
    """
    if column.field.endswith("_hours") and _OF_HOURS & set(re.findall(r"[^\W\d_]+", column.column.lower())):
        return column  # it is ours
    bare = [number for text in texts if (number := read_decimal(text.strip()))]
    unit = column.unit or unit_of_heading(column.column)
    if unit or not bare:
        return replace(column, unit=unit)
    if COUNTED[column.field] is _OF_LEAD and not any(number % 24 for number in bare):
        return replace(
            column,
            unit=HOURS,
            why=worded("{why}: {read}, by its numbers", why=column.why, read=worded("hours")),
        )
    asked = COUNTED[column.field][max(bare) >= _SURELY_DAYS]
    if asked is None:
        return replace(
            column,
            unit=DAYS,
            why=worded("{why}: {read}, by its numbers", why=column.why, read=worded("days")),
        )
    longer, other = asked
    how = _to_map(column.field, column.column, other)
    note = worded_both(
        "“{column}” has no unit; read as {longer}, not {other}. If wrong: {how}",
        "“{column}” has no unit; read as {longer}, not {other}",
        column=column.column,
        longer=worded(longer),
        other=worded(other),
        how=how,
    )
    return replace(column, unit=longer, note=_both(column.note, note), is_asked=True)


class NoticeDays(NamedTuple):
    """Notice in days before an end, and how it was worked out."""

    days: str
    words: Message


@lru_cache(maxsize=TEXTS_KEPT)
def notice_days(text: str, unit: str, end: str, order: str = "") -> NoticeDays:
    """A notice in days before an end, and how it was worked out; a text that is none stays as it is.

    unit: what a bare number counts; end: exclusive, as ISO, may be empty; order: of day and month, where it is the last
    day for notice.

    >>> [notice_days(text, "months", "2027-02-01").days for text in ("3", "6 weeks", "1 year", "none")]
    ['92', '42', '365', '0']
    >>> [notice_days(text, "", "").days for text in ("ninety (90) days", "T+30", "60 calendar days", "n/a", "tbd")]
    ['90', '30', '60', '', 'tbd']
    >>> [notice_days(text, "", "").days for text in ("ninety days", "Sixty days prior to expiry", "soixante jours")]
    ['90', '60', '60']
    >>> [notice_days(text, "", "").days for text in ("month to month, 30 days", "no exit in the first 90 days")]
    ['30', 'no exit in the first 90 days']
    >>> notice_days("12 months auto renewal, 45 days", "", "").days
    '45'
    """
    text = (not _TO_A_PERIODS_END.search(text) and notice_within(text).length) or text
    cleaned = _SPELLED_OUT.sub(r"\1", _BEFORE_LENGTH.sub("", text.strip()))
    cleaned = _FROM_TERMINATION.sub(r"\1 days", cleaned).replace(" calendar ", " ")
    if WORDS["no_notice"].fullmatch(cleaned):
        return NoticeDays(days="0", words=NO_WORDS)
    spelled, gap, rest = cleaned.partition(" ")
    cleaned = f"{_NUMBERS.get(spelled.lower(), spelled)}{gap}{rest}"
    if cleaned.lower() in NO_AMOUNT:
        return NoticeDays(days="" if cleaned.lower() in _NOT_STATED else text, words=NO_WORDS)
    if _TO_A_PERIODS_END.search(cleaned):
        return NoticeDays(days=text, words=NO_WORDS)
    if len(within := _DAYS_WITHIN.findall(cleaned)) == 1 and WORDS["of_renewal"].search(cleaned):
        cleaned = " ".join(within[0])  # 12 months auto renewal, 45 days
    number, counts = read_decimal(cleaned), unit or DAYS
    if number is None and (match := _LENGTH.match(cleaned)) is not None:
        number, counts = read_decimal(match[1].replace(",", ".")), _UNIT_OF_WORD.get(match[2].lower(), "")
    if number is None and len(within := _DAYS_WITHIN.findall(cleaned)) == 1 and not _ON_TERMS.search(cleaned):
        number, counts = read_decimal(within[0][0]), _UNIT_OF_WORD.get(within[0][1].lower(), "")
    if number is None and (months := read_term(cleaned)) is not None:  # three months, P3M
        number, counts = read_decimal(str(months)), MONTHS
    until, last = _day(read_date(cleaned, order or MONTH_FIRST) or ""), _day(end)
    if number is None and until is not None and last is not None and until < last:
        last -= timedelta(days=1)  # as `notice_by_s` counts
        length = str((last - until).days)
        message = worded(
            "notice until {day} = {days} days before {end}", day=f"{until}", days=length, end=f"{last}"
        )
        return NoticeDays(days=length, words=message)
    per = {DAYS: 1, WEEKS: 7, MONTHS: 1, YEARS: 12}.get(counts, 0)
    if number is None or not per or number < 0 or number * per != int(number * per) or number > 10**4:
        return NoticeDays(days=cleaned if counts == DAYS else text, words=NO_WORDS)
    count = int(number * per)
    if counts in (DAYS, WEEKS):
        return NoticeDays(days=str(count), words=NO_WORDS)
    first = _day(months_after(end, -count) or "")
    days = (last - first).days if last is not None and first is not None else count * _MONTH_DAYS
    written = (
        f"{text} {counts[:-1] if number == 1 else counts}" if read_decimal(text.strip()) is not None else text
    )
    if last is None or first is None:
        return NoticeDays(
            days=str(days),
            words=worded("{text} of notice = {days} days without an end", text=written, days=str(days)),
        )
    message = worded(
        "{text} of notice before {end} = {days} days", text=written, end=end[:10], days=str(days)
    )
    return NoticeDays(days=str(days), words=message)


class NoticeText(NamedTuple):
    """Length of notice in a cell (may be empty), and the words without it."""

    length: str
    rest: str


@lru_cache(maxsize=TEXTS_KEPT)
def notice_within(text: str) -> NoticeText:
    """A length of notice among the words of a cell, and the words without it; empty and the cell where it has none.

    >>> notice_within("Auto-renews 12 mo. unless cancelled 60 days before expiry").length
    '60 days'
    >>> notice_within("12 months")
    NoticeText(length='', rest='12 months')
    """
    match = WORDS["notice"].search(text) if WORDS["ending"].search(text) else None
    if match is None:
        return NoticeText(length="", rest=text)
    return NoticeText(length=match[1] or match[2], rest=text[: match.start()] + text[match.end() :])


def followed_notice(text: str, own: str, stated: Mapping[str, str]) -> str:
    """The notice of the contract that a text refers to, as often as that refers to another; the text itself where it
    says its days, names no contract or several, or goes round.

    own: the contract's own id; stated: notices by contract.

    >>> followed_notice("As per PO 7", "PO-8", {"PO-7": "90 days"}), followed_notice("see MSA", "A", {"B": "90 days"})
    ('90 days', 'see MSA')
    """
    notice, seen = text, {own}
    while not notice_days(notice, "", "").days.isdecimal():
        named = [name for name in sorted({*stated} - seen, key=len) if _refers_to(notice, name)]
        if not named or any(name not in named[-1] for name in named):  # MSA-1 is in MSA-1-A1
            return text
        seen.add(named[-1])
        notice = stated[named[-1]]
    return notice


def _refers_to(text: str, name: str) -> bool:
    """Whether a text names a contract; a number only behind a word for orders."""
    parts = re.findall(r"[^\W_]+", name)
    before = WORDS["order"].pattern if name.isdigit() else r"(?<![^\W_])"
    pattern = before + r"[\W_]*".join(map(re.escape, parts)) + r"(?![^\W_])"
    return bool(parts) and re.search(pattern, text, re.I if len(name) > 3 else 0) is not None


_FROM_ORDER: Final = lazy_re(r"(?i)\s*t ?\+ ?(?=\d)")
"""T is the day of the order: `T+30`, in days where no unit follows."""


def lead_hours(text: str, unit: str) -> str:
    """Hours from order to delivery, the longer of a range; a text that is none stays as it is.

    unit: what a bare number counts, ours is hours.

    >>> [lead_hours(text, "weeks") for text in ("1.5", "10 days", "4-6 weeks", "48 h", "in stock", "soon")]
    ['252', '240', '1008', '48', '0', 'soon']
    >>> [lead_hours(text, "weeks") for text in ("T+30", "t + 4 weeks", "4-6 wks", "T+")]
    ['720', '672', '1008', 'T+']
    >>> lead_hours("immediately", ""), lead_hours("60 days to quarter end", "")
    ('0', '60 days to quarter end')
    """
    longer = _UP_TO.sub("", _BEFORE_LENGTH.sub("", text.strip())).replace("+", "")
    if (of_order := _FROM_ORDER.match(text)) is not None:
        longer, unit = text[of_order.end() :], DAYS
    if longer.lower().rstrip(".") in _NO_LEAD:
        return "0"
    if (match := _HOURS.fullmatch(longer)) is not None:
        return match[1]
    number, counts = read_decimal(longer), unit
    if number is None and _TO_AN_END.search(longer):
        return text
    if number is None and (match := _LENGTH.match(longer)) is not None:
        number, counts = read_decimal(match[1].replace(",", ".")), _UNIT_OF_WORD.get(match[2].lower(), "")
    if number is not None and counts in _HOURS_OF and number >= 0:
        return f"{(number * _HOURS_OF[counts]).normalize():f}"
    days = read_decimal(notice_days(longer, "", "").days) if number is None else None
    return text if days is None else f"{days * 24}"


def days_of_term(text: str) -> int | None:
    """Days of a term that is written in days or weeks; None of any other.

    >>> days_of_term("1 week"), days_of_term("14 days"), days_of_term("12 months")
    (7, 14, None)
    """
    match = _LENGTH.fullmatch(text.strip().strip("()[]").replace("_", " "))
    per = {DAYS: 1, WEEKS: 7}.get(_UNIT_OF_WORD.get(match[2].lower(), ""), 0) if match else 0
    return int(match[1]) * per or None if match and per and match[1].isdecimal() else None


MONTHLY: Final = words(
    "month to month|month-to-month|monthly|mtm|m2m|rolling|mo. to mo|mo to mo|mo-to-mo|monatlich|mois par mois"
)
"""A term that goes on from month to month."""

# --- Renewal: by how many months, or only whether it does

OWN_TERM: Final = "own term"
_RENEWS: Final = lazy_re(r"(?i)(?:auto\w*|yes|y|true|evergreen|ja|oui|sí)\b(?!/)")
_ENDS: Final = lazy_re(r"(?i)(?:no|n|none|false|never|manual\w*|nein|keine?|non|aucune?)\b(?!/)")


_EVERY: Final = WORDS["every"]
"""How often it renews, and not how often it is billed or reviewed."""


WISHED: Final = WORDS["wished"]
"""What makes of a renewal one that is not agreed: nobody knows whether it comes. Who may leave one has agreed to it."""


def renewal_text(text: str, unit: str = MONTHS) -> str | None:
    """Months by which a contract renews, 0 where it does not, OWN_TERM where its own term tells; None of other texts.

    >>> [renewal_text(text) for text in ("12 months", "Yes (6 mo)", "Yes", "No", "1", "soon", "Yes - month to month")]
    ['12', '6', 'own term', '0', '1', None, '1']
    >>> [renewal_text(text) for text in ("Optional, quarterly review", "Yes, price reviewed annually")]
    [None, 'own term']
    >>> renewal_text("3 Jahre gewünscht"), renewal_text("12 months (optional)"), renewal_text("No option to renew")
    (None, None, '0')
    >>> renewal_text("Auto-renews 12 months, option to cancel"), renewal_text("12 months, opt-out possible")
    ('12', '12')
    >>> [renewal_text(text) for text in ("not automatic", "läuft aus", "12 months by mutual agreement", "auf Anfrage")]
    ['0', '0', None, None]
    """
    if (renewal := renewal_within(text)) is None:
        renewal = _renewal_length(notice_within(text).rest, unit)
        renewal = None if renewal != "0" and is_open_renewal(text) else renewal
    return renewal


@lru_cache(maxsize=TEXTS_KEPT)
def is_open_renewal(text: str) -> bool:
    """Whether words of a renewal leave it to an agreement, a wish or another paper.

    >>> is_open_renewal("at customer's option"), is_open_renewal("12 months"), is_open_renewal("yes, unless agreed")
    (True, False, False)
    """
    plain = WORDS["unless"].sub("", text)
    return WISHED.search(plain) is not None or WORDS["open_renewal"].search(plain) is not None


def _renewal_length(text: str, unit: str = MONTHS) -> str | None:
    """The same of a cell of renewals that says no more in words than yes, no or how often."""
    months = read_term(text, unit) or term_within(text)
    if months is None and _ENDS.match(text.strip()):
        return "0"
    if WISHED.search(text):
        return None
    if WORDS["ends_by_itself"].search(text):
        return "0"
    if months is None and (every := _EVERY.match(text)) is not None:
        if every[1]:
            months = 12
        elif every[2]:
            months = 3
        else:
            months = 1
    if months is not None:
        return f"{months}"
    return OWN_TERM if _RENEWS.match(text.strip()) else None


@lru_cache(maxsize=TEXTS_KEPT)
def renewal_within(text: str) -> str | None:
    """The same where words among others say whether a contract renews; None where none do.

    >>> [renewal_within(text) for text in ("24 months, auto-renews annually", "does not auto-renew", "12 months")]
    ['12', '0', None]
    """
    plain = WORDS["non_renewal"].sub("", notice_within(text).rest)
    if WORDS["ends"].search(WORDS["unless"].sub("", plain)):
        return "0"
    match = WORDS["renews"].search(plain)
    if match is None or WISHED.search(plain):
        return None
    if WORDS["month_to_month"].search(plain):
        return "1"
    renewal = _renewal_length(plain[match.start() :])
    return renewal if renewal not in (None, OWN_TERM) else _renewal_length(plain) or OWN_TERM


def _both(message: Message, other: Message) -> Message:
    """Two notes as one."""
    return worded("{one}; {other}", one=message, other=other) if message else other


def _to_map(field: str, column: str, unit: str) -> str:
    """The words that say it: `--map end=End:exclusive`, in quotes where a shell needs them."""
    text = mapping_text(ColumnMapping({field: column}, {field: unit}))
    return f"--map {text}" if re.fullmatch(r"[\w=:#./-]+", text) else f"--map '{text}'"


@lru_cache(maxsize=TEXTS_KEPT)
def _day(iso: str) -> date | None:
    """The day of an ISO text; None where it is none."""
    try:
        return date.fromisoformat(iso[:10])
    except ValueError:
        return None
