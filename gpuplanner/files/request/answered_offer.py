"""One answered row of a request as an offer: its cells read, and what is odd about them asked or said."""

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Final, TypeVar

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.book.exchange import USD, unstated_exchange
from gpuplanner.domain.model.book.offer import Offer, months_of_days
from gpuplanner.domain.model.book.quote_source import SLA_ASKED_PERCENT, quote_id, quote_source
from gpuplanner.domain.model.book.remark import undecided
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.request import request_form
from gpuplanner.files.request.answered_table import AnsweredRow, AnsweredTable, Cell
from gpuplanner.files.request.quoted_cells import (
    UNDECIDED,
    Money,
    RateRange,
    Told,
    UnclearError,
    is_length,
    is_no_bid,
    is_of_another_unit,
    is_to_come,
    longer_of,
    number_style,
    read_day,
    read_gpus,
    read_last_day,
    read_lead_hours,
    read_money,
    read_percent,
    read_rate,
)
from gpuplanner.files.sources.spreadsheet import WITHOUT_VALUE
from gpuplanner.files.tables.network_words import BARE_METAL, NETWORKS
from gpuplanner.files.tables.odd_rates import UNKNOWN
from gpuplanner.files.tables.small_table import FLAGS
from gpuplanner.files.values.amounts import currency_of
from gpuplanner.files.values.terms import read_term
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.lazy_re import lazy_re

_YES: Final = frozenset({request_form.BID, "yes", "y", "ja", "oui"})
HEADING: Final = {column.key: column.heading or column.before for column in request_form.COLUMNS}
_LABEL: Final = {line.key: line.label or line.before for line in request_form.HEAD}
VENDORS_KEYS: Final = tuple(
    column.key
    for column in request_form.COLUMNS
    if column.who == "vendor" and column.key not in ("bid", "remark")
)
_MATTERING: Final = ("rate", "most", "least", "lead", "upfront", "valid_until", "earliest")
_NAME: Final = lazy_re(r"(?i)([OR][1-9]\d*)(?:\s*,\s*option)?")
_WITH_MEMORY: Final = lazy_re(r"(?i)(.*\S)\s+(\d{1,5}(?:\.\d+)?)\s*GB")
_OLD_ROW: Final = "R"
_DAYS: Final = lazy_re(r"(?i)(\d{1,3})\s*days?")
_DOLLARS: Final = dict.fromkeys(("dollar", "dollars", "us dollar", "us dollars", "u.s. dollars"), USD)
"""What stands behind Currency above the table where it is no code."""

_LONG_DAYS: Final = 60
"""What is there so long before its request was sent has a wrong year."""

_LIKE_PERCENT: Final = 100
"""An upfront amount for a GPU that is no larger may be meant as a percentage."""

_NUMBER: Final = lazy_re(r"(?i)(\d{1,5}(?:\.\d+)?)\s*(?:GB)?")
_WORD: Final = lazy_re(r"[^\W\d]{3}")
_INTERCONNECT_OF: Final = {str(shown).casefold(): name for name, shown in NETWORKS.items()}
_WEIGHT: Final = lazy_re(rf"(?i): (?:{request_form.MUST}|{request_form.COMPARE})$")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Remark:
    """What is so of one row or cell, to be noted by code; remedy: its own, else that of the code."""

    code: str
    what: Message
    remedy: Message = NO_WORDS


@dataclass(slots=True)
class Reading:
    """One row while it is read. faults: what makes it of no use; said: what is to be said of it all the same."""

    faults: list[Remark] = field(default_factory=list)
    said: list[Remark] = field(default_factory=list)

    def day(self, cell: Cell, *, matters: bool = True) -> str | None:
        """A day, as `read`."""
        return self.read(cell, Told(""), lambda text, _: read_day(text), matters=matters)

    def read(
        self, cell: Cell, told: Told, reader: Callable[[str, Told], Value], *, matters: bool = True
    ) -> Value | None:
        """The value of a filled cell; None where it is empty, or not read: a fault where it matters, else said."""
        if not cell.text:
            return None
        try:
            return reader(cell.text, replace(told, is_typed=cell.is_typed, unit=cell.unit))
        except UnclearError as fault:
            (self.faults if matters else self.said).append(
                Remark(fault.code, _of(cell, fault.why), fault.remedy)
            )
            return None

    def fault(self, code: str, what: Message, remedy: Message) -> None:
        """What makes the row of no use."""
        self.faults.append(Remark(code, what, remedy))


def _of(cell: Cell, why: Message) -> Message:
    """What is so of a cell, with its address and what it says."""
    return worded("{at} contains “{text}”: {why}", at=cell.at, text=cell.text[:60], why=why)


def offer_of(row: AnsweredRow, table: AnsweredTable, told: Told, reading: Reading) -> Offer | None:
    """An answered row as an offer; None where a cell that matters is not read: the faults say which."""
    _check_table(row, table, reading)
    _check_marks(row, reading)
    _check_asked(row, table, reading)
    vendor = _vendor(table, reading)
    rate = _rate(row, told, reading)
    currency = _one_currency(rate, told)
    upfront = _amount(row, "upfront", told, currency, reading)
    egress = _amount(row, "egress", told, currency, reading)
    least, most = _gpus(row, reading)
    lead = reading.read(row.cell("lead"), told, read_lead_hours)
    _say_longer(row.cell("lead"), lead, reading)
    sla = reading.read(row.cell("sla"), told, lambda text, _: read_percent(text), matters=False)
    sla = _percent_in(table.sla[1]) if sla is None else sla
    term_months, term_days = _term(row.cell("term"), reading)
    as_of = reading.day(table.head.get("quoted_on", Cell()), matters=False)
    named = reading.day(row.cell("start"))
    asked_for = row.says.get("start") or named
    sla_asked = _sla_asked(row, table, reading)
    starts = _earliest(row, table, reading) or named
    valid_until = _valid_until(row, table, as_of, starts, reading)
    is_once = row.cell("until").text.casefold() in request_form.ONCE
    model, memory_gb = model_of(row), memory_of(row)
    interconnect, bare_metal = network_of(row)
    upfront_usd, least = _with_setup(row, told, currency, upfront, (least, most), reading)
    if not model:
        reading.fault("missing_column", worded("{row}: no GPU model", row=row.name), worded("enter it"))
    if reading.faults:
        return None
    low, high = (rate.low.amount, rate.high.amount) if isinstance(rate, RateRange) else (None, None)
    if as_of is None:
        cause = worded("the quote has no date and may be outdated")
        reading.said.append(Remark("undated_price", cause, worded("fill in Quote date on sheet 1")))
    if currency == UNKNOWN:
        why, remedy = worded("no single currency is given"), worded("write its code, such as EUR")
        reading.said.append(Remark(UNDECIDED, _of(table.head["currency"], why), remedy))
    elif currency != USD:
        reading.said.append(
            Remark("other_currency", worded("{row} in {currency}", row=row.name, currency=currency))
        )
    offer = Offer(
        offer_id=" ".join(filter(None, (quote_id(vendor, row.reference, row.name), row.alternative))),
        gpu_model=model,
        pricing_category=PricingCategory.COMMITTED,
        term_months=term_months,
        rate_usd_per_gpu_hour=rate.amount or None if isinstance(rate, Money) else None,
        provider=vendor,
        rate_low=low,
        rate_high=high,
        max_gpus=most,
        min_gpus=least,
        lead_time_hours=lead or 0.0,
        gpu_memory_gb=memory_gb,
        bare_metal=bare_metal,
        interconnect=interconnect,
        egress_usd_per_gb=None if egress is None else egress.amount,
        region=region_of(row.cell("delivery").text),
        source=quote_source(
            row.reference,
            row.name,
            remark_of(row, table),
            None if asked_for == starts else asked_for,
            sla_asked,
            is_option=row.asked("need").casefold() == request_form.OPTION,
        ),
        as_of=as_of,
        upfront_usd=upfront_usd,
        sla_percent=sla,
        term_days=term_days,
        starts=starts,
        ends=_days_before(starts, -term_days) if starts and term_days and is_once else None,
        valid_until=valid_until,
        currency=currency,
        exchange=unstated_exchange(currency),
    )
    if (waits := undecided(offer)) is not None:
        cause = worded("{row}: {why}", row=row.name, why=waits)
        reading.said.append(
            Remark(UNDECIDED, cause, worded("its remark is “{remark}”", remark=remark_of(row, table)))
        )
    return offer


def remark_of(row: AnsweredRow, table: AnsweredTable) -> str:
    """All that a vendor says in words of a row: its remark, notes on its cells, columns and lines that are not ours."""
    notes = (cell.note for cell in row.cells.values())
    more = (
        f"{title}: {cell.text}"
        for title, cell in row.more.items()
        if not cell.is_typed and _WORD.search(cell.text)
    )
    said = (row.cell("remark").text, *notes, *more, *table.lines)
    return "; ".join(dict.fromkeys(" ".join(text.split()) for text in said if text))


def _say_longer(cell: Cell, lead_hours: float | None, reading: Reading) -> None:
    """Says that of a range of lead times the longer was taken."""
    if lead_hours is not None and not cell.is_typed and longer_of(cell.text) != cell.text:
        days = exact(Decimal(f"{lead_hours / 24:g}"))
        reading.said.append(
            Remark("computed", _of(cell, worded("the longer counts, {days} days", days=days)))
        )


def memory_gb_of(text: str) -> float | None:
    """GB of one GPU that were asked for; None where any will do."""
    found = _NUMBER.fullmatch(text)
    return float(found[1]) if found else None


def region_of(text: str) -> str | None:
    """Where it was asked for; None where any place will do."""
    return None if text.casefold() in ("", request_form.ANY) else text


def interconnect_of(text: str) -> str | None:
    """What was asked for; None where any will do.

    >>> interconnect_of("InfiniBand, bare metal: Must"), interconnect_of("RoCE: Compare"), interconnect_of("Any")
    ('infiniband', 'roce', None)
    """
    words = _WEIGHT.sub("", text).casefold().split(", ")
    return next((name for word in words if (name := _INTERCONNECT_OF.get(word.strip())) is not None), None)


def network_of(row: AnsweredRow) -> tuple[str | None, bool | None]:
    """The interconnect of a row, and whether it is bare metal; None where any will do."""
    network = row.cell("interconnect").text
    if row.cell("bare_metal").at:  # of an older file
        return interconnect_of(network), FLAGS.get(row.cell("bare_metal").text.lower())
    return interconnect_of(network), True if str(BARE_METAL) in network.casefold() else None


def model_of(row: AnsweredRow) -> str:
    """The GPU model of a row, without the memory that stands behind it."""
    text = row.cell("gpu_model").text
    with_memory = _WITH_MEMORY.fullmatch(text)
    if with_memory is None or row.cell("memory").at or text == row.says.get("gpu_model"):
        return text
    return with_memory[1]


def memory_of(row: AnsweredRow) -> float | None:
    """GB of one GPU of a row; None where it does not say."""
    if row.cell("memory").at:  # of an older file
        return memory_gb_of(row.cell("memory").text)
    with_memory = _WITH_MEMORY.fullmatch(row.cell("gpu_model").text)
    return float(with_memory[2]) if with_memory else memory_gb_of(row.says.get("memory", ""))


def _sla_asked(row: AnsweredRow, table: AnsweredTable, reading: Reading) -> float:
    """The percentage of a month that was asked for; 0 for none."""
    if not row.name.startswith(_OLD_ROW):
        return _percent_in(table.sla[0]) or 0.0
    asked = reading.read(
        table.head.get("sla", Cell()),
        Told(""),
        lambda text, _: request_form.sla_percent_of(text),
        matters=False,
    )
    return SLA_ASKED_PERCENT if asked is None else asked


def _percent_in(text: str) -> float | None:
    """The percentage of a month that a question asks for, or its answer offers; None where it names none."""
    try:
        return request_form.sla_percent_of(text) or None
    except UnclearError:
        return None


def _with_setup(
    row: AnsweredRow,
    defaults: Told,
    currency: str,
    upfront: Money | None,
    gpus: tuple[int | None, int | None],
    reading: Reading,
) -> tuple[Decimal | None, int | None]:
    """What is paid once for each GPU, and the least number of GPUs; gpus: least and most.

    What is paid once for all GPUs is shared by those offered, so that fewer are not sold at it.
    """
    (least, most), per_gpu = gpus, Decimal(0) if upfront is None else upfront.amount
    setup = _amount(row, "setup", defaults, currency, reading)
    if setup is not None and setup.amount and most:
        per_gpu += (setup.amount / most).quantize(Decimal("0.000001"))
        asked = int(row.asked("gpus")) if row.asked("gpus").isdecimal() else most
        least = max(least or 0, min(most, asked))
        share = worded("shared by {gpus} GPUs", gpus=exact(Decimal(most)))
        reading.said.append(Remark("computed", _of(row.cell("setup"), share)))
    return per_gpu or None, least


def _check_table(row: AnsweredRow, table: AnsweredTable, reading: Reading) -> None:
    """Faults of a table whose headings were changed, so that its cells do not say what they are."""
    lacking = joined((HEADING[key] for key in table.lacking), ", ")
    if "rate" in table.lacking or (row.more and set(_MATTERING) & set(table.lacking)):
        reading.fault(
            "missing_column",
            worded("{row}: no column {lacking}", row=row.name, lacking=lacking),
            worded("keep the column headings of the RFQ"),
        )
    elif row.more:
        first = next(iter(row.more.values()))
        said = joined((f"“{title[:40]}”" for title in row.more), ", ")
        reading.said.append(Remark("unknown_column", worded("{columns} at {at}", columns=said, at=first.at)))


def _check_marks(row: AnsweredRow, reading: Reading) -> None:
    """Says the notes on cells, which nobody else reads, and asks about one that changes the rate."""
    for cell in row.cells.values():
        if not cell.note:
            continue
        why = worded("the cell has the note “{note}”", note=cell.note[:200])
        if cell.at == row.cell("rate").at and is_of_another_unit(cell.note):
            reading.fault(UNDECIDED, _of(cell, why), worded("write the rate per GPU-hour"))
        else:
            reading.said.append(Remark(UNDECIDED, _of(cell, why), worded("check if it changes the quote")))


def _check_asked(row: AnsweredRow, table: AnsweredTable, reading: Reading) -> None:
    """Says where a row is not as it was asked, or of another request; a fault where two rows are mixed up in it."""
    request, head = row.cell("request"), table.head.get("reference", Cell())
    named = _NAME.fullmatch(request.text)
    if row.alternative and named is None:
        reading.fault(
            "missing_column",
            _of(request, worded("no request is named")),
            worded("write the request that it is for, such as O1"),
        )
    if named is not None and named[1].upper() != row.name:
        reading.fault(
            UNDECIDED,
            _of(request, worded("its hidden key is {row}: two rows are mixed up", row=row.name)),
            worded("sort whole rows with hidden columns, and send again"),
        )
    need = row.cell("need")
    if need.text.casefold() == request_form.OPTION and row.asked("need").casefold() not in (
        "",
        request_form.OPTION,
    ):
        why, remedy = (worded("it was requested as firm"), worded("restore it, or explain it in the remark"))
        reading.fault(UNDECIDED, _of(need, why), remedy)
    if head.text and row.reference and head.text.upper() != row.reference:
        what = worded(
            "{row} answers {reference}, not {head}", row=row.name, reference=row.reference, head=head.text
        )
        reading.said.append(Remark("other_request", what))
    if not table.has_keys:
        reading.said.append(
            Remark(
                "request_changed",
                worded("{row}: its hidden key is missing, so its number was used", row=row.name),
            )
        )
    asked = (model_of(row), *(row.cell(key).text for key in request_form.KEPT[1:3]))
    if not request_form.is_as_asked(row.key, asked):
        shown = joined((text or "—" for text in asked), ", ")
        text = worded("{row} is {asked}", row=row.name, asked=shown)
        if row.says:
            old = joined(map(row.asked, request_form.KEPT[:3]), ", ")
            text = worded("{row} is {asked}, requested {before}", row=row.name, asked=shown, before=old)
        reading.said.append(Remark("request_changed", text))
    starts, before = Reading().day(row.cell("start"), matters=False), row.says.get("start")
    if starts and before and starts != before:
        change = worded("{row} starts on {day}, requested {before}", row=row.name, day=starts, before=before)
        reading.said.append(Remark("request_changed", change))


def _vendor(table: AnsweredTable, reading: Reading) -> str:
    """Who quotes."""
    cell = table.head.get("vendor", Cell())
    if cell.text in ("", WITHOUT_VALUE):
        problem = worded("{at}: no vendor name", at=cell.at or _LABEL["vendor"])
        reading.fault("missing_column", problem, worded("write it next to Vendor on sheet 1"))
    return cell.text


def currency_told(table: AnsweredTable) -> str:
    """ISO code of what amounts are in that name no currency; empty where the line and the headings do not tell, UNKNOWN
    where the line says what is none: the amount is kept, and counts once its currency is known."""
    text = table.head.get("currency", Cell()).text
    of_head = (
        currency_of(text)
        or _DOLLARS.get(text.casefold())
        or (text.upper() if lazy_re(r"[A-Za-z]{3}").fullmatch(text) else "")
    )
    named = {*table.currency_of.values(), *([of_head] if of_head else [])}
    if len(named) == 1:
        return named.pop()
    return UNKNOWN if text and not named else ""


def style_told(table: AnsweredTable) -> str:
    """How the program that wrote a text file writes numbers; empty of a workbook, whose texts people wrote."""
    return (
        number_style(cell.text for row in table.rows for cell in row.cells.values()) if table.is_text else ""
    )


def _rate(row: AnsweredRow, told: Told, reading: Reading) -> Money | RateRange | None:
    """The rate of a row; None where it is still to come, which is said, or not read."""
    bid, cell = row.cell("bid"), row.cell("rate")
    if bid.text and bid.text.casefold() not in _YES:
        why = worded("the row is filled in") if is_no_bid(bid.text) else worded("neither bid nor no bid")
        reading.fault(UNDECIDED, _of(bid, why), worded("choose bid, or no bid and leave the row empty"))
    if not cell.text or is_to_come(cell.text):
        if not cell.text:
            words = worded("{row}", row=row.name)
        else:
            words = worded("{at} contains “{text}”", at=cell.at, text=cell.text)
        reading.said.append(Remark("quote_needed", words))
        return None
    remark = row.cell("remark")
    if is_of_another_unit(remark.text):
        why = worded("the rate may not be per GPU-hour")
        reading.fault(UNDECIDED, _of(remark, why), worded("write the rate per GPU-hour"))
    if is_no_bid(cell.text):
        why = worded("the row is a bid")
        reading.fault(UNDECIDED, _of(cell, why), worded("enter the rate, or choose no bid"))
        return None
    rate = reading.read(cell, told, read_rate)
    if isinstance(rate, RateRange):
        reading.said.append(Remark("quote_needed", _of(cell, worded("a range, not a rate"))))
    elif rate is not None and not rate.amount:
        reading.said.append(Remark("quote_needed", _of(cell, worded("a rate is above 0"))))
    elif rate is not None and rate.said:
        reading.said.append(Remark("computed", joined((cell.at, rate.said), ": ")))
    return rate


def _one_currency(rate: Money | RateRange | None, told: Told) -> str:
    """The currency of an offer: its rate's, else the file's."""
    money = rate.low if isinstance(rate, RateRange) else rate
    return (money.currency if money is not None else told.currency) or USD


def _amount(row: AnsweredRow, key: str, told: Told, currency: str, reading: Reading) -> Money | None:
    """An amount beside the rate, which is in its currency; a fault where it is in another, or does not say in which."""
    cell = row.cell(key)
    if is_to_come(cell.text) or is_no_bid(cell.text):
        return None
    money = reading.read(cell, told, read_money, matters=key == "upfront")
    if key == "upfront" and money is not None and 0 < money.amount < 1:
        why = worded("under 1 per GPU: perhaps a share")
        reading.fault(UNDECIDED, _of(cell, why), worded("write the one-time amount per GPU, such as 1250"))
    elif key == "upfront" and money is not None and 1 <= money.amount <= _LIKE_PERCENT:
        why = worded("read as an amount per GPU, but it may be a percentage")
        remedy = worded("write the one-time amount per GPU, such as 1250")
        reading.said.append(Remark(UNDECIDED, _of(cell, why), remedy))
    if money is None or not money.amount or money.currency == currency:
        return money
    why = worded("in {money}, but the rate is in {currency}", money=money.currency, currency=currency)
    said = Remark(UNDECIDED, _of(cell, why), worded("write both in one currency, with its code"))
    (reading.faults if key == "upfront" else reading.said).append(said)
    return None


def _gpus(row: AnsweredRow, reading: Reading) -> tuple[int | None, int | None]:
    """The least and the most GPUs that are offered, the most as many as were asked for where it is not said."""

    def read(key: str, *, matters: bool = True) -> int | None:
        """The GPUs of a column."""
        return reading.read(row.cell(key), Told(""), read_gpus, matters=matters)

    asked, least, most = read("gpus", matters=False), read("least"), read("most")
    if asked is None and row.asked("gpus").isdecimal():  # its cell was emptied; the key still says it
        asked = int(row.asked("gpus"))
    if most is not None and (most == 0 or (least or 0) > most):
        why = worded("less than the minimum") if most else worded("it offers no GPUs")
        reading.fault("bad_number", _of(row.cell("most"), why), worded("correct it, or choose no bid"))
    if most is None and asked is not None:
        most = max(asked, least or 0)
    return least or None, most


def _term(cell: Cell, reading: Reading) -> tuple[int, int | None]:
    """Months and days of the term that is offered; days None where it is of months."""
    found = months_and_days(cell.text)
    if found is None:
        remedy = worded("write it as in the RFQ, such as 12 months")
        reading.fault("bad_number", _of(cell, worded("not a term")), remedy)
    return found or (0, None)


def months_and_days(text: str) -> tuple[int, int | None] | None:
    """The same of a text; None where it is no term."""
    found = _DAYS.fullmatch(text)
    if found and (days := int(found[1])):
        return months_of_days(days), days
    months = read_term(text)
    return None if months is None else (months, None)


def _valid_until(
    row: AnsweredRow, table: AnsweredTable, as_of: str | None, starts: str | None, reading: Reading
) -> str | None:
    """The last day to order: the row's, else that of the quote, else as the request asked, else the day it starts.

    What is not told is said, so that a quote for January is not taken for one of October.
    """
    own = row.cell("valid_until")
    for cell in (own, table.head.get("valid_until", Cell())):
        until = reading.read(cell, Told(""), lambda text, _: read_last_day(text, as_of), matters=cell is own)
        if until is not None:
            if is_length(cell.text):
                words = worded("counted from the quote date, until {day}", day=until)
                reading.said.append(Remark("computed", _of(cell, words)))
            if as_of is not None and until < as_of:
                why = worded("it is before the quote date, {day}", day=as_of)
                remark = Remark("end_before_start", _of(cell, why), worded("correct one of the days"))
                (reading.faults if cell is own else reading.said).append(remark)
            return until
    until = _asked_until(row, table, as_of)
    if until is not None:
        reading.said.append(
            Remark("computed", worded("{row} is valid until {day}, as requested", row=row.name, day=until))
        )
    elif starts is not None:
        until = starts
        words = worded("{row} has no date: it is valid until its start, {day}", row=row.name, day=until)
        reading.said.append(Remark("computed", words))
    return until


def _earliest(row: AnsweredRow, table: AnsweredTable, reading: Reading) -> str | None:
    """The earliest start; None where it is that asked for. A day long before the request, which asked for one after it,
    is asked about: its year is wrong."""
    cell = row.cell("earliest")
    starts = reading.day(cell)
    issued = Reading().day(table.head.get("issued", Cell()), matters=False)
    asked = Reading().day(row.cell("start"), matters=False) or issued
    if starts and issued and asked and starts < _days_before(issued, _LONG_DAYS) and asked >= issued:
        why = worded("long before the RFQ date, {day}", day=issued)
        reading.fault("bad_time", _of(cell, why), worded("write a later day, such as 2026-12-31"))
    return starts


def _days_before(day: str, days: int) -> str:
    """So many days before an ISO day."""
    return (date.fromisoformat(day) - timedelta(days=days)).isoformat()


def _asked_until(row: AnsweredRow, table: AnsweredTable, as_of: str | None) -> str | None:
    """The last day of a quote as its row asks for it, or the lines above; None where they name no day and no number."""
    try:
        if row.cell("hold").text:
            return read_day(row.cell("hold").text)
    except UnclearError:
        pass
    asked = table.head.get("validity", Cell())
    try:
        return read_day(asked.text) if asked.text else None
    except UnclearError:
        pass
    found = _DAYS.search(asked.text)
    reply_by = table.head.get("reply_by", Cell())
    try:
        begin = read_day(reply_by.text) if reply_by.text else None
    except UnclearError:
        begin = None
    begin = begin if "reply" in asked.text.lower() and begin is not None else as_of or begin
    if found is None or begin is None:
        return None
    return (date.fromisoformat(begin) + timedelta(days=int(found[1]))).isoformat()
