"""What vendors answered to a request for quote, as offers: one an answered row; each cell that is not read is named."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final, TypeVar

from gpuplanner.domain.figures.typed import exact, whole
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.book.exchange import USD, unstated_exchange
from gpuplanner.domain.model.book.offer import Offer, months_of_days
from gpuplanner.domain.model.book.quote_source import SLA_ASKED_PERCENT, answered_row, quote_id, quote_source
from gpuplanner.domain.model.log.intake import RejectedRow
from gpuplanner.domain.model.log.sent_rows import FACT, NO_BID, QUOTED, UNANSWERED, UNREAD, SentRow
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.files.request.answered_table import AnsweredRow, AnsweredTable, Cell, answer_of
from gpuplanner.files.request.layout import (
    ANY,
    BID,
    COLUMNS,
    HEAD,
    INTERCONNECTS,
    OPTION,
    Renewal,
    is_as_asked,
    renewals_of,
)
from gpuplanner.files.request.quoted_amounts import (
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
from gpuplanner.files.request.terms import sla_percent_of
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.row_ends import RowEnds, TableRead
from gpuplanner.files.tables.small_table import FLAGS, RowError, RowLeftOutError
from gpuplanner.files.values.amounts import currency_of
from gpuplanner.files.values.written_terms import read_term

FORMAT: Final = "workbook"
_WORDS_KEPT: Final = 200
"""Of what is said about single cells: all of a request, which is a few rows."""

_ASK_AGAIN: Final = worded("correct the file or ask the vendor, and import it again")
TOLD_ALONE: Final = frozenset({"computed", "other_currency", "undated_price"})
"""Issues of rows in which nothing is to be corrected."""

_YES: Final = frozenset({BID, "yes", "y", "ja", "oui"})
_HEADING: Final = {column.key: column.heading for column in COLUMNS}
_LABEL: Final = {line.key: line.label for line in HEAD}
_ANSWERS: Final = tuple(
    column.key for column in COLUMNS if column.who == "vendor" and column.key not in ("bid", "remark")
)
_MATTERING: Final = ("rate", "most", "least", "lead", "upfront", "valid_until", "earliest")
_NAME: Final = re.compile(r"R[1-9]\d*", re.I)
_DAYS: Final = re.compile(r"(\d{1,3})\s*days?", re.I)
_DOLLARS: Final = dict.fromkeys(("dollar", "dollars", "us dollar", "us dollars", "u.s. dollars"), USD)
"""What stands behind Currency above the table where it is no code."""

_LONG_DAYS: Final = 60
"""What is there so long before its request was sent has a wrong year."""
_LIKE_PERCENT: Final = 100
"""An upfront amount for a GPU that is no larger may be meant as a percentage."""
_NUMBER: Final = re.compile(r"(\d{1,5}(?:\.\d+)?)\s*(?:GB)?", re.I)
_INTERCONNECT_OF: Final = {shown.casefold(): name for name, shown in INTERCONNECTS.items()}

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class _Remark:
    """What is so of one row or cell, to be noted by code; remedy: its own, else that of the code."""

    code: str
    what: Message
    remedy: Message = NO_WORDS


@dataclass(slots=True)
class _Reading:
    """One row while it is read. faults: what makes it of no use; said: what is to be said of it all the same."""

    faults: list[_Remark] = field(default_factory=list)
    said: list[_Remark] = field(default_factory=list)

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
                _Remark(fault.code, _of(cell, fault.why), fault.remedy)
            )
            return None

    def fault(self, code: str, what: Message, remedy: Message) -> None:
        """What makes the row of no use."""
        self.faults.append(_Remark(code, what, remedy))


def read_answers(source: Source) -> TableRead[Offer]:
    """An offer for each answered row, in the order of the file. Rows that nobody answered, or with no bid, are ignored.

    Of a row that is answered twice in the same way the first counts. Errors: PlannerError file_unreadable.
    """
    ends = RowEnds(words_kept=_WORDS_KEPT)
    found: list[tuple[Offer, int]] = []
    answered: dict[str, list[Offer]] = {}
    noted: list[RejectedRow] = []
    sent: list[SentRow] = []
    answer = answer_of(source)
    for title in answer.unread:
        ends.note("other_sheets", 1, worded("“{title}” was not read", title=title))
    for table in answer.tables:
        if lost := [key for key in table.lacking if key != "rate"]:
            what = worded(
                "there is no column {columns}", columns=joined((_HEADING[key] for key in lost), ", ")
            )
            ends.note(
                "missing_column",
                table.rows[0].line,
                what,
                worded("nothing to do where it was left out on purpose"),
            )
        told = Told(_currency(table), _style(table))
        for row in sorted((*table.rows, *table.strangers), key=lambda row: row.line):
            ends.read += 1
            reading = _Reading()
            if row in table.strangers:
                _read_stranger(row, ends)
                continue
            renewals = renewals_of(row.key)
            ends.read += len(renewals)
            if (unanswered := _unanswered(row)) is not None and not _may_be_answered(row, table):
                sent += _sent(row, table, NO_BID if _is_declined(row) else UNANSWERED, renewals)
                ends.ignore(row.line, unanswered)
                ends.ignored += len(renewals)
                continue
            offer = _offer(row, table, told, reading)
            if offer is None:
                sent += _sent(row, table, UNREAD, renewals)
                ends.reject(row.line, _row_error(reading.faults), row.text)
                ends.rejected += len(renewals)
                continue
            taken = _taken(row, offer, renewals, reading)
            ends.ignored += len(renewals) - len(taken)
            sent += _sent(row, table, QUOTED, taken)
            sent += _sent(row, table, UNANSWERED, renewals[len(taken) :])[1:]
            alike = answered.setdefault(offer.offer_id, [])
            if offer in alike:
                ends.duplicates += 1 + len(taken)
                continue
            alike.append(offer)
            named = _named_apart(offer, row, len(alike), reading)
            found += [(one, row.line) for one in (named, *(_renewed(named, row, each) for each in taken))]
            for one in reading.said:
                what, remedy = (_with_remedy(one), _ASK_AGAIN) if one.remedy else (one.what, NO_WORDS)
                ends.note(one.code, row.line, what, remedy)
                said = joined((one.what, one.remedy or ISSUE_TEXTS[one.code][1]), "; ")
                noted.append(RejectedRow(row.line, one.code, said, row.text))
    intake = ends.intake(source, "prices", FORMAT, _facts(answer.tables, sent))
    return TableRead(
        tuple(offer for offer, _ in found),
        replace(intake, noted=tuple(noted)),
        tuple(line for _, line in found),
    )


def _facts(tables: tuple[AnsweredTable, ...], sent: list[SentRow]) -> tuple[tuple[str, object], ...]:
    """Which requests are answered, by whom, on which tabs, and all rows of them that the file has."""
    vendors = {table.head.get("vendor", Cell()).text for table in tables}
    return (
        ("references", sorted({row.reference for table in tables for row in table.rows})),
        ("vendors", sorted(filter(None, vendors))),
        ("sheets", [table.title for table in tables if table.title]),
        (FACT, [row.fact for row in sent]),
    )


def _of(cell: Cell, why: Message) -> Message:
    """What is so of a cell, with its address and what it says."""
    return worded("{at} says “{text}”: {why}", at=cell.at, text=cell.text[:60], why=why)


def _row_error(faults: list[_Remark]) -> RowError:
    """One fault of a row for all of its cells, each with what to write there, under the code of the first."""
    return RowError(faults[0].code, joined(map(_with_remedy, faults), ", "), _ASK_AGAIN)


def _with_remedy(one: _Remark) -> Message:
    """What is so and what to do about it."""
    return joined((one.what, one.remedy), "; ")


def _read_stranger(row: AnsweredRow, ends: RowEnds) -> None:
    """Counts a row without a key: rejected where it quotes something, else no row of the request."""
    quoted = next((row.cell(key) for key in ("rate", "bid") if row.cell(key).text), None)
    if quoted is None:
        ends.ignore(row.line, RowLeftOutError("not_a_row", joined((f"“{row.text[:40]}”",))))
        return
    what = worded(
        "{at} says “{text}”: its row answers none of the request, for it has no key",
        at=quoted.at,
        text=quoted.text[:60],
    )
    remedy = worded("copy a whole row of the request, hidden columns too, and fill in the copy")
    ends.reject(row.line, _row_error([_Remark("missing_column", what, remedy)]), row.text)


def _taken(
    row: AnsweredRow, offer: Offer, renewals: Sequence[Renewal], reading: _Reading
) -> tuple[Renewal, ...]:
    """The renewals that a quote is for: those that are over by the day that its row still says; of others it is said.

    A day's slack: terms of months end differently.
    """
    cell = row.cell("until")
    until = _Reading().day(cell, matters=False)
    last = None if until is None else date.fromisoformat(until) + timedelta(days=1)
    term = timedelta(hours=offer.term_hours, seconds=-1)
    taken = tuple(
        one
        for one in renewals
        if last is not None and (datetime.fromisoformat(one.start) + term).date() <= last
    )
    if len(taken) < len(renewals) or (last is not None and not renewals):
        what = worded(
            "{row} says {until}: it is quoted for {count} renewals of those that were asked for",
            row=row.name,
            until=joined((f"“{cell.text[:60]}”",)),
            count=whole(len(taken)),
        )
        reading.said.append(_Remark("request_changed", what))
    return taken


def _renewed(offer: Offer, row: AnsweredRow, renewal: Renewal) -> Offer:
    """The same quote for a row that renews its own: from that one's start on, or the vendor's where that is later."""
    answered = answered_row(offer)
    assert answered is not None  # it was made from a row
    vendor, starts = offer.provider or "", max(offer.starts or renewal.start, renewal.start)
    asked_for = None if starts == renewal.start else renewal.start
    apart = offer.offer_id.removeprefix(quote_id(vendor, row.reference, row.name))
    return replace(
        offer,
        offer_id=quote_id(vendor, row.reference, renewal.name) + apart,
        starts=starts,
        source=quote_source(
            row.reference, renewal.name, row.cell("remark").text, asked_for, answered.sla_percent
        ),
    )


def _sent(row: AnsweredRow, table: AnsweredTable, answer: str, renewals: Sequence[Renewal]) -> list[SentRow]:
    """What a row of the file asks for, and what became of it and of renewals; what cannot be read is not told."""

    def read_day_of(cell: Cell) -> str | None:
        """The day of a cell."""
        try:
            return read_day(cell.text) if cell.text else None
        except UnclearError:
            return None

    months, days = _months_and_days(row.cell("term").text) or (0, None)
    own = SentRow(
        row.reference,
        row.name,
        row.cell("gpu_model").text,
        0 if days else months,
        days or 0,
        read_day_of(row.cell("start")),
        row.cell("need").text.casefold() == OPTION,
        _region(row) or "",
        _interconnect(row),
        table.head.get("vendor", Cell()).text,
        read_day_of(table.head.get("quoted_on", Cell())),
        answer,
        row.line,
    )
    return [own, *(replace(own, name=one.name, start=one.start) for one in renewals)]


def _is_declined(row: AnsweredRow) -> bool:
    """Whether an unanswered row says that nothing is offered."""
    return is_no_bid(row.cell("bid").text) or is_no_bid(row.cell("rate").text)


def _unanswered(row: AnsweredRow) -> RowLeftOutError | None:
    """Why there is nothing to take in a row: nobody filled it in, or nothing is offered; None where it is answered."""
    bid, rate, remark = row.cell("bid"), row.cell("rate"), row.cell("remark").text
    said = joined(filter(None, (row.name, remark and f"“{remark[:60]}”")), ", ")
    if not any(row.cell(key).text for key in _ANSWERS):
        if not bid.text:
            return RowLeftOutError("no_quote", said)
        if is_no_bid(bid.text):
            return RowLeftOutError("no_quote", worded("{row} says “{text}”", row=said, text=bid.text[:60]))
    if is_no_bid(rate.text) and bid.text.casefold() != BID:
        return RowLeftOutError("no_quote", worded("{row} says “{text}”", row=said, text=rate.text[:60]))
    return None


def _named_apart(offer: Offer, row: AnsweredRow, number: int, reading: _Reading) -> Offer:
    """An offer of a row that is answered in several ways, with a name of its own from the second on, which is said."""
    if number == 1:
        return offer
    what = worded("{row} is answered in more than one way; each is an offer of its own", row=row.name)
    reading.said.append(_Remark(UNDECIDED, what, worded("delete the offers that do not hold")))
    return replace(offer, offer_id=f"{offer.offer_id} ({number})")


def _offer(row: AnsweredRow, table: AnsweredTable, told: Told, reading: _Reading) -> Offer | None:
    """An answered row as an offer; None where a cell that matters is not read: the faults say which."""
    _check_table(row, table, reading)
    _check_marks(row, reading)
    _check_asked(row, table, reading)
    vendor = _vendor(table, reading)
    rate = _rate(row, told, reading)
    currency = _one_currency(row, rate, told)
    upfront = _amount(row, "upfront", told, currency, reading)
    egress = _amount(row, "egress", told, currency, reading)
    least, most = _gpus(row, reading)
    lead = reading.read(row.cell("lead"), told, read_lead_hours)
    _say_longer(row.cell("lead"), lead, reading)
    sla = reading.read(row.cell("sla"), told, lambda text, _: read_percent(text), matters=False)
    term_months, term_days = _term(row.cell("term"), reading)
    as_of = reading.day(table.head.get("quoted_on", Cell()), matters=False)
    asked_for = reading.day(row.cell("start"))
    terms = table.head.get("sla", Cell())
    sla_asked = reading.read(terms, Told(""), lambda text, _: sla_percent_of(text))
    starts = _earliest(row, table, reading) or asked_for
    valid_until = _valid_until(row, table, as_of, starts, reading)
    model = row.cell("gpu_model").text
    if not model:
        reading.fault(
            "missing_column", worded("{row}: its GPU model is empty", row=row.name), worded("enter it")
        )
    if reading.faults:
        return None
    low, high = (rate.low.amount, rate.high.amount) if isinstance(rate, RateRange) else (None, None)
    if as_of is None:
        what = worded("the day of the quote is not told, so that it may be old")
        reading.said.append(_Remark("undated_price", what, worded("fill in Quoted on above the table")))
    if currency != USD:
        reading.said.append(
            _Remark("other_currency", worded("{row} in {currency}", row=row.name, currency=currency))
        )
    memory = _NUMBER.fullmatch(row.cell("memory").text)
    return Offer(
        offer_id=quote_id(vendor, row.reference, row.name),
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
        gpu_memory_gb=float(memory[1]) if memory else None,
        bare_metal=FLAGS.get(row.cell("bare_metal").text.lower()),
        interconnect=_interconnect(row),
        egress_usd_per_gb=None if egress is None else egress.amount,
        region=_region(row),
        source=quote_source(
            row.reference,
            row.name,
            row.cell("remark").text,
            None if asked_for == starts else asked_for,
            SLA_ASKED_PERCENT if sla_asked is None else sla_asked,
        ),
        as_of=as_of,
        upfront_usd=upfront.amount or None if upfront is not None else None,
        sla_percent=sla,
        term_days=term_days,
        starts=starts,
        valid_until=valid_until,
        currency=currency,
        exchange=unstated_exchange(currency),
    )


def _say_longer(cell: Cell, lead_hours: float | None, reading: _Reading) -> None:
    """Says that of a range of lead times the longer was taken."""
    if lead_hours is not None and not cell.is_typed and longer_of(cell.text) != cell.text:
        days = exact(Decimal(f"{lead_hours / 24:g}"))
        reading.said.append(
            _Remark("computed", _of(cell, worded("the longer counts, {days} days", days=days)))
        )


def _region(row: AnsweredRow) -> str | None:
    """Where it was asked for; None where any place will do."""
    text = row.cell("delivery").text
    return None if text.casefold() in ("", ANY) else text


def _interconnect(row: AnsweredRow) -> str | None:
    """What was asked for; None where any will do."""
    return _INTERCONNECT_OF.get(row.cell("interconnect").text.casefold())


def _check_table(row: AnsweredRow, table: AnsweredTable, reading: _Reading) -> None:
    """Faults of a table whose headings were changed, so that its cells do not say what they are."""
    lacking = joined((_HEADING[key] for key in table.lacking), ", ")
    if "rate" in table.lacking or (row.more and set(_MATTERING) & set(table.lacking)):
        reading.fault(
            "missing_column",
            worded("{row}: the table has no column {lacking}", row=row.name, lacking=lacking),
            worded("head its columns as they were in the request"),
        )
    elif row.more:
        first = next(iter(row.more.values()))
        said = joined((f"“{title[:40]}”" for title in row.more), ", ")
        reading.said.append(_Remark("unknown_column", worded("{columns} at {at}", columns=said, at=first.at)))


def _may_be_answered(row: AnsweredRow, table: AnsweredTable) -> bool:
    """Whether a row that seems empty has an answer in a merged cell, or in a column that may be that of the rates."""
    return bool(_merged(row)) or ("rate" in table.lacking and bool(row.more))


def _merged(row: AnsweredRow) -> list[Cell]:
    """The vendor's empty cells of a row that are one with a cell above, so that its value may count here too."""
    return [cell for key in _ANSWERS if (cell := row.cell(key)).one_with and not cell.text]


def _check_marks(row: AnsweredRow, reading: _Reading) -> None:
    """Asks about cells that were merged over several rows, and says the notes on cells: nobody else reads them."""
    for cell in _merged(row):
        what = worded("{at} is one cell with {above}", at=cell.at, above=cell.one_with)
        reading.fault(UNDECIDED, what, worded("unmerge it and fill in each row"))
    for cell in row.cells.values():
        if not cell.note:
            continue
        why = worded("it has a note, “{note}”", note=cell.note[:200])
        if cell.at == row.cell("rate").at and is_of_another_unit(cell.note):
            reading.fault(UNDECIDED, _of(cell, why), worded("write the rate of one GPU for one hour"))
        else:
            reading.said.append(
                _Remark(UNDECIDED, _of(cell, why), worded("look whether it changes what is quoted"))
            )


def _check_asked(row: AnsweredRow, table: AnsweredTable, reading: _Reading) -> None:
    """Says where a row is not as it was asked, or of another request; a fault where two rows are mixed up in it."""
    request, head = row.cell("request"), table.head.get("reference", Cell())
    if _NAME.fullmatch(request.text) and request.text.upper() != row.name:
        reading.fault(
            UNDECIDED,
            _of(request, worded("its hidden key says {row}, so that two rows are mixed up", row=row.name)),
            worded("sort whole rows, hidden columns too, and send it again"),
        )
    if head.text and row.reference and head.text.upper() != row.reference:
        what = worded(
            "{row} answers {reference}, not {head}", row=row.name, reference=row.reference, head=head.text
        )
        reading.said.append(_Remark("other_request", what))
    if not table.has_keys:
        reading.said.append(
            _Remark(
                "request_changed", worded("{row}: its hidden key is gone, its number was taken", row=row.name)
            )
        )
    asked = tuple(row.cell(key).text for key in ("gpu_model", "gpus", "term"))
    if not is_as_asked(row.key, asked):
        shown = joined((text or "—" for text in asked), ", ")
        reading.said.append(
            _Remark("request_changed", worded("{row} says {asked}", row=row.name, asked=shown))
        )


def _vendor(table: AnsweredTable, reading: _Reading) -> str:
    """Who quotes."""
    cell = table.head.get("vendor", Cell())
    if not cell.text:
        what = worded("{at}: the vendor's name is empty", at=cell.at or _LABEL["vendor"])
        remedy = worded("write it behind Vendor above the table")
        reading.fault("missing_column", what, remedy)
    return cell.text


def _currency(table: AnsweredTable) -> str:
    """ISO code of what amounts are in that name no currency; empty where the line and the headings do not tell."""
    text = table.head.get("currency", Cell()).text
    of_head = (
        currency_of(text)
        or _DOLLARS.get(text.casefold())
        or (text.upper() if re.fullmatch(r"[A-Za-z]{3}", text) else "")
    )
    named = {*table.currency_of.values(), *([of_head] if of_head else [])}
    return named.pop() if len(named) == 1 else ""


def _style(table: AnsweredTable) -> str:
    """How the program that wrote a text file writes numbers; empty of a workbook, whose texts people wrote."""
    return (
        number_style(cell.text for row in table.rows for cell in row.cells.values()) if table.is_text else ""
    )


def _rate(row: AnsweredRow, told: Told, reading: _Reading) -> Money | RateRange | None:
    """The rate of a row; None where it is still to come, which is said, or not read."""
    bid, cell = row.cell("bid"), row.cell("rate")
    if bid.text and bid.text.casefold() not in _YES:
        why = (
            worded("the row is filled in all the same")
            if is_no_bid(bid.text)
            else worded("it is neither bid nor no bid")
        )
        reading.fault(UNDECIDED, _of(bid, why), worded("choose bid, or no bid and leave the row empty"))
    if not cell.text or is_to_come(cell.text):
        words = (
            worded("{row}", row=row.name)
            if not cell.text
            else worded("{at} says “{text}”", at=cell.at, text=cell.text)
        )
        reading.said.append(_Remark("quote_needed", words))
        return None
    remark = row.cell("remark")
    if is_of_another_unit(remark.text):
        why = worded("so the rate may not be for one GPU and one hour")
        reading.fault(UNDECIDED, _of(remark, why), worded("write the rate of one GPU for one hour"))
    if is_no_bid(cell.text):
        why = worded("the row is a bid all the same")
        reading.fault(UNDECIDED, _of(cell, why), worded("enter the rate, or choose no bid"))
        return None
    rate = reading.read(cell, told, read_rate)
    if isinstance(rate, RateRange):
        reading.said.append(_Remark("quote_needed", _of(cell, worded("it is a range, and no rate of it"))))
    elif rate is not None and not rate.amount:
        reading.said.append(_Remark("quote_needed", _of(cell, worded("a rate is above 0"))))
    elif rate is not None and rate.said:
        reading.said.append(_Remark("computed", joined((cell.at, rate.said), ": ")))
    return rate


def _one_currency(row: AnsweredRow, rate: Money | RateRange | None, told: Told) -> str:
    """The currency of an offer: its rate's, else the file's."""
    money = rate.low if isinstance(rate, RateRange) else rate
    return (money.currency if money is not None else told.currency) or USD


def _amount(row: AnsweredRow, key: str, told: Told, currency: str, reading: _Reading) -> Money | None:
    """An amount beside the rate, which is in its currency; a fault where it is in another, or does not say in which."""
    cell = row.cell(key)
    if is_to_come(cell.text) or is_no_bid(cell.text):
        return None
    money = reading.read(cell, told, read_money, matters=key == "upfront")
    if key == "upfront" and money is not None and 0 < money.amount < 1:
        why = worded("it is less than 1 for a GPU, so that a share may be meant")
        reading.fault(UNDECIDED, _of(cell, why), worded("write what is paid once for each GPU, such as 1250"))
    elif key == "upfront" and money is not None and 1 <= money.amount <= _LIKE_PERCENT:
        why = worded("it is taken as an amount for each GPU, but may be a percentage")
        remedy = worded("write what is paid once for each GPU, such as 1250")
        reading.said.append(_Remark(UNDECIDED, _of(cell, why), remedy))
    if money is None or not money.amount or money.currency == currency:
        return money
    why = worded("it is in {money}, and the rate in {currency}", money=money.currency, currency=currency)
    said = _Remark(UNDECIDED, _of(cell, why), worded("write both in one currency, with its code"))
    (reading.faults if key == "upfront" else reading.said).append(said)
    return None


def _gpus(row: AnsweredRow, reading: _Reading) -> tuple[int | None, int | None]:
    """The least and the most GPUs that are offered, the most as many as were asked for where it is not said."""

    def read(key: str, *, matters: bool = True) -> int | None:
        """The GPUs of a column."""
        return reading.read(row.cell(key), Told(""), read_gpus, matters=matters)

    asked, least, most = read("gpus", matters=False), read("least"), read("most")
    if most is not None and (most == 0 or (least or 0) > most):
        why = worded("it is less than the least number") if most else worded("nothing is offered then")
        reading.fault("bad_number", _of(row.cell("most"), why), worded("correct it, or choose no bid"))
    if most is None and asked is not None:
        most = max(asked, least or 0)
    return least or None, most


def _term(cell: Cell, reading: _Reading) -> tuple[int, int | None]:
    """Months and days of the term that is offered; days None where it is of months."""
    found = _months_and_days(cell.text)
    if found is None:
        remedy = worded("write the term as in the request, such as 12 months")
        reading.fault("bad_number", _of(cell, worded("it is no term")), remedy)
    return found or (0, None)


def _months_and_days(text: str) -> tuple[int, int | None] | None:
    """The same of a text; None where it is no term."""
    found = _DAYS.fullmatch(text)
    if found and (days := int(found[1])):
        return months_of_days(days), days
    months = read_term(text)
    return None if months is None else (months, None)


def _valid_until(
    row: AnsweredRow, table: AnsweredTable, as_of: str | None, starts: str | None, reading: _Reading
) -> str | None:
    """The last day to order: the row's, else that of the quote, else as the request asked, else the day it starts.

    What is not told is said, so that a quote for January is not taken for one of October.
    """
    for cell in (row.cell("valid_until"), table.head.get("valid_until", Cell())):
        until = reading.read(cell, Told(""), lambda text, _: read_last_day(text, as_of))
        if until is not None:
            if is_length(cell.text):
                words = worded("it counts from the day of the quote, until {day}", day=until)
                reading.said.append(_Remark("computed", _of(cell, words)))
            if as_of is not None and until < as_of:
                why = worded("it is before the day of the quote, {day}", day=as_of)
                reading.fault("end_before_start", _of(cell, why), worded("correct one of the two days"))
            return until
    until = _asked_until(table, as_of)
    if until is not None:
        reading.said.append(
            _Remark("computed", worded("{row} holds until {day}, as was asked", row=row.name, day=until))
        )
    elif starts is not None:
        until = starts
        words = worded("{row} holds until it starts, {day}, since no day is told", row=row.name, day=until)
        reading.said.append(_Remark("computed", words))
    return until


def _earliest(row: AnsweredRow, table: AnsweredTable, reading: _Reading) -> str | None:
    """The earliest start; None where it is that asked for. A day long before the request, which asked for one after it,
    is asked about: its year is wrong."""
    cell = row.cell("earliest")
    starts = reading.day(cell)
    issued = _Reading().day(table.head.get("issued", Cell()), matters=False)
    asked = _Reading().day(row.cell("start"), matters=False) or issued
    if starts and issued and asked and starts < _days_before(issued, _LONG_DAYS) and asked >= issued:
        why = worded("it is long before the day of the request, {day}", day=issued)
        reading.fault(
            "bad_time", _of(cell, why), worded("write the day of this or the next years, as 2026-12-31")
        )
    return starts


def _days_before(day: str, days: int) -> str:
    """So many days before an ISO day."""
    return (date.fromisoformat(day) - timedelta(days=days)).isoformat()


def _asked_until(table: AnsweredTable, as_of: str | None) -> str | None:
    """The last day of a quote as the request asks for it; None where that names neither a day nor a number of days."""
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
