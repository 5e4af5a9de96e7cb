"""What vendors answered to a request for quote, as offers, and which answer counts of several."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final

from gpuplanner.domain.figures.typed import exact, whole
from gpuplanner.domain.figures.writing import QUOTE_NEEDED
from gpuplanner.domain.message import NO_WORDS, Message, Part, joined, worded
from gpuplanner.domain.model import intake
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_fields import LONGEST_TEXT
from gpuplanner.domain.model.book.quote_source import answered_row, quote_id, quote_source
from gpuplanner.domain.model.book.remark import ONE_OF
from gpuplanner.domain.model.window import is_day
from gpuplanner.files.request import answered_offer
from gpuplanner.files.request.answered_table import Answer, AnsweredRow, AnsweredTable, Cell, answer_of
from gpuplanner.files.request.quoted_cells import UNDECIDED, Told, UnclearError, is_no_bid, read_day
from gpuplanner.files.request.request_form import BID, OPTION, SOONEST, Renewal, renewals_of
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table
from gpuplanner.lazy_dataclass import dataclass, replace

# --- What vendors answered to a request for quote, as offers: one an answered row; each cell that is not read is named

FORMAT: Final = "workbook"
_WORDS_KEPT: Final = 200
"""Of what is said about single cells: all of a request, which is a few rows."""

_ASK_AGAIN: Final = worded("correct the file or ask the vendor, then import again")
TOLD_ALONE: Final = frozenset({"computed", "other_currency", "undated_price"})
"""Issues of rows in which nothing is to be corrected."""


def read_answers(source: Source) -> small_table.TableRead[Offer]:
    """An offer for each answered row, in the order of the file. Rows that nobody answered, or with no bid, are ignored.

    Of a row that is answered twice in the same way the first counts. Errors: PlannerError file_unreadable.
    """
    ends = small_table.RowEnds(words_kept=_WORDS_KEPT)
    answers: list[tuple[Offer, int, str]] = []
    answered: dict[str, list[Offer]] = {}
    noted: list[intake.RejectedRow] = []
    sent: list[intake.SentRow] = []
    answer = answer_of(source)
    for title in answer.unread:
        ends.note("other_sheets", 1, worded("“{title}” was not read", title=title))
    for table in answer.tables:
        if lost := [key for key in table.lacking if key != "rate"]:
            problem = worded(
                "no column {names}", names=joined((answered_offer.HEADING[key] for key in lost), ", ")
            )
            ends.note("missing_column", table.rows[0].line, problem, worded("no action needed if intended"))
        defaults = Told(answered_offer.currency_told(table), answered_offer.style_told(table))
        for row in sorted((*table.rows, *table.strangers), key=lambda row: row.line):
            ends.read += 1
            reading = answered_offer.Reading()
            if row in table.strangers:
                _read_stranger(row, ends)
                continue
            renewals = renewals_of(row.key)
            ends.read += len(renewals)
            if (unanswered := _unanswered(row)) is not None and not _may_be_answered(row, table):
                sent += _sent(row, table, intake.NO_BID if _is_declined(row) else intake.UNANSWERED, renewals)
                ends.ignore(row.line, unanswered)
                ends.ignored += len(renewals)
                continue
            offer = answered_offer.offer_of(row, table, defaults, reading)
            if offer is None:
                sent += _sent(row, table, intake.UNREAD, renewals)
                ends.reject(row.line, _row_error(reading.faults), row.text)
                ends.rejected += len(renewals)
                continue
            taken = () if row.alternative else _taken(row, offer, renewals, reading)
            ends.ignored += len(renewals) - len(taken)
            sent += _sent(row, table, intake.QUOTED, taken)
            sent += _sent(row, table, intake.UNANSWERED, renewals[len(taken) :])[1:]
            alike = answered.setdefault(offer.offer_id, [])
            if offer in alike:
                ends.duplicates += 1 + len(taken)
                continue
            alike.append(offer)
            named = _named_apart(offer, row, len(alike), reading)
            of_line = (named, *(_renewed(named, row, each) for each in taken))
            answers += [(note, row.line, offer.offer_id) for note in of_line]
            for note in reading.said:
                problem, remedy = (_with_remedy(note), _ASK_AGAIN) if note.remedy else (note.what, NO_WORDS)
                ends.note(note.code, row.line, problem, remedy)
                message = joined((note.what, note.remedy or ISSUE_TEXTS[note.code].remedy), "; ")
                noted.append(intake.RejectedRow(row=row.line, code=note.code, message=message, text=row.text))
    return small_table.TableRead(
        tuple(_one_of(offer, len(answered[row])) for offer, _, row in answers),
        replace(
            ends.intake(source, "prices", FORMAT, _facts(answer, sent)),
            noted=tuple({(note.code, note.message): note for note in reversed(noted)}.values())[::-1],
        ),
        tuple(line for _, line, _ in answers),
    )


def _one_of(offer: Offer, count: int) -> Offer:
    """The same, undecided where its row has several answers: nobody can tell which of them holds."""
    return offer if count < 2 else replace(offer, source=f"{offer.source}; {ONE_OF} {count}"[:LONGEST_TEXT])


def _facts(answer: Answer, sent: list[intake.SentRow]) -> tuple[tuple[str, object], ...]:
    """Which requests are answered, by whom, on which tabs, all rows of them in the file, and what else it says."""
    tables = answer.tables
    return (
        ("references", sorted({row.reference for table in tables for row in table.rows})),
        ("vendors", sorted(filter(None, {table.head.get("vendor", Cell()).text for table in tables}))),
        ("sheets", [table.title for table in tables if table.title]),
        (intake.FACT, [row.fact for row in sent]),
        ("answers", [{"question": asked, "answer": said} for asked, said in answer.answers]),
    )


def _row_error(faults: list[answered_offer.Remark]) -> small_table.RowError:
    """One fault of a row for all of its cells, each with what to write there, under the code of the first."""
    return small_table.RowError(faults[0].code, joined(map(_with_remedy, faults), ", "), _ASK_AGAIN)


def _with_remedy(remark: answered_offer.Remark) -> Message:
    """What is so and what to do about it."""
    return joined((remark.what, remark.remedy), "; ")


def _read_stranger(row: AnsweredRow, ends: small_table.RowEnds) -> None:
    """Counts a row without a key: rejected where it quotes something, else no row of the request."""
    quoted = next((row.cell(key) for key in ("rate", "bid") if row.cell(key).text), None)
    if quoted is None:
        ends.ignore(row.line, small_table.RowLeftOutError("not_a_row", joined((f"“{row.text[:40]}”",))))
        return
    problem = worded(
        "{at} contains “{text}”: no key, and no matching RFQ row", at=quoted.at, text=quoted.text[:60]
    )
    remedy = worded("copy a whole RFQ row with hidden columns, and fill it in")
    ends.reject(row.line, _row_error([answered_offer.Remark("missing_column", problem, remedy)]), row.text)


def _taken(
    row: AnsweredRow, offer: Offer, renewals: Sequence[Renewal], reading: answered_offer.Reading
) -> tuple[Renewal, ...]:
    """The renewals that a quote is for: those that are over by the day that its row still says; of others it is said.

    A day's slack: terms of months end differently.
    """
    cell = row.cell("until")
    until = answered_offer.Reading().day(cell, matters=False)
    last = None if until is None else date.fromisoformat(until) + timedelta(days=1)
    term = timedelta(hours=offer.term_hours, seconds=-1)
    taken = tuple(
        renewal
        for renewal in renewals
        if last is not None and (datetime.fromisoformat(renewal.start) + term).date() <= last
    )
    if len(taken) < len(renewals) or (last is not None and not renewals):
        problem = worded(
            "{row} has {until}: quoted for {count} of the requested renewals",
            row=row.name,
            until=joined((f"“{cell.text[:60]}”",)),
            count=whole(len(taken)),
        )
        reading.said.append(answered_offer.Remark("request_changed", problem))
    return taken


def _renewed(offer: Offer, row: AnsweredRow, renewal: Renewal) -> Offer:
    """The same quote for a row that renews its own: from that one's start on, or the vendor's where that is later."""
    answered = answered_row(offer)
    assert answered is not None  # it was made from a row
    vendor, starts = offer.provider or "", max(offer.starts or renewal.start, renewal.start)
    asked_for = None if starts == renewal.start else renewal.start
    apart = offer.offer_id.removeprefix(quote_id(vendor, row.reference, row.name))
    own = f" {renewal.start}" if renewal.name == row.name else ""
    return replace(
        offer,
        offer_id=quote_id(vendor, row.reference, renewal.name) + apart + own,
        starts=starts,
        source=quote_source(
            row.reference,
            renewal.name,
            answered.remark,
            asked_for,
            answered.sla_percent,
            is_option=answered.is_option,
        ),
    )


def _sent(
    row: AnsweredRow, table: AnsweredTable, answer: str, renewals: Sequence[Renewal]
) -> list[intake.SentRow]:
    """What a row of the file asks for, and what became of it and of renewals that are rows of their own; what cannot be
    read is not told."""
    if row.alternative:
        return []

    def read_day_of(cell: Cell) -> str | None:
        """The day of a cell."""
        try:
            return read_day(cell.text) if cell.text else None
        except UnclearError:
            return None

    asked = row.asked
    months, days = answered_offer.months_and_days(asked("term")) or (0, None)
    start = asked("start") if row.says else read_day_of(row.cell("start"))
    own = intake.SentRow(
        reference=row.reference,
        name=row.name,
        gpu_model=row.says.get("gpu_model") or answered_offer.model_of(row),
        term_months=0 if days else months,
        term_days=days or 0,
        start=start if start and is_day(start) else None,
        is_option=asked("need").casefold() == OPTION,
        region=answered_offer.region_of(asked("delivery")) or "",
        interconnect=answered_offer.interconnect_of(asked("interconnect")),
        vendor=table.head.get("vendor", Cell()).text,
        quoted_on=read_day_of(table.head.get("quoted_on", Cell())),
        answer=answer,
        line=row.line,
        gpus=int(asked("gpus")) if row.says and asked("gpus").isdecimal() else None,
        bare_metal=(
            small_table.FLAGS.get(row.says["bare_metal"].lower())
            if row.says
            else answered_offer.network_of(row)[1]
        )
        is True,
        memory_gb=answered_offer.memory_gb_of(asked("memory")),
        is_soonest=SOONEST in row.says.values(),
        reply_by=row.says.get("reply_by"),
        orders_from=row.says.get("orders_from"),
    )
    others = (renewal for renewal in renewals if renewal.name != row.name)
    return [own, *(replace(own, name=renewal.name, start=renewal.start) for renewal in others)]


def _is_declined(row: AnsweredRow) -> bool:
    """Whether an unanswered row says that nothing is offered."""
    return is_no_bid(row.cell("bid").text) or is_no_bid(row.cell("rate").text)


def _unanswered(row: AnsweredRow) -> small_table.RowLeftOutError | None:
    """Why there is nothing to take in a row: nobody filled it in, or nothing is offered; None where it is answered."""
    bid, rate, remark = row.cell("bid"), row.cell("rate"), row.cell("remark").text
    is_empty = not any(row.cell(key).text for key in answered_offer.VENDORS_KEYS)
    if is_empty and (not bid.text or is_no_bid(bid.text)):
        says = bid.text
    elif is_no_bid(rate.text) and bid.text.casefold() != BID:
        says = rate.text
    else:
        return None
    message = worded("{row} contains “{text}”", row=row.name, text=says[:60]) if says else row.name
    return small_table.RowLeftOutError(
        "no_quote", joined(filter(None, (message, remark and f"“{remark[:60]}”")), ", ")
    )


def _named_apart(offer: Offer, row: AnsweredRow, number: int, reading: answered_offer.Reading) -> Offer:
    """An offer of a row that is answered in several ways, with a name of its own from the second on, which is said."""
    if number == 1:
        return offer
    problem = worded("{row}: several answers, each an offer", row=row.name)
    reading.said.append(answered_offer.Remark(UNDECIDED, problem, worded("choose the valid quote")))
    return replace(offer, offer_id=f"{offer.offer_id} ({number})")


def _may_be_answered(row: AnsweredRow, table: AnsweredTable) -> bool:
    """Whether a row that seems empty has an answer in a column that may be that of the rates."""
    return "rate" in table.lacking and bool(row.more)


# --- Which answer counts where a vendor answered one row of a request in several files: the one that it quoted on last

REVISED: Final = "quote_revised"
ANSWERED_TWICE: Final = "answered_twice"


@dataclass(frozen=True, slots=True)
class _Answer:
    """What one file answers to one row of a request. offers: none where it is no bid; day: quoted on, None: unknown;
    line: of the row in the file."""

    file: int
    offers: tuple[Offer, ...]
    day: str | None
    line: int


def with_last_answers(
    by_file: Sequence[tuple[Offer, ...]], intakes: Sequence[intake.FileIntake]
) -> tuple[tuple[tuple[Offer, ...], ...], tuple[intake.FileIntake, ...], tuple[Offer, ...]]:
    """Offers and intake of files without the answers that do not count; then those that do not, with a known day.

    by_file: offers of each file, in the order of the intake. Of several answers of one vendor to one row, each in a
    file of its own, the one quoted on last counts, also where it is no bid; of those of one day, and where a day is not
    told, the one in the file that was read last, which is asked about. A row that does not count is a duplicate, and
    is said.
    Source: docs/formats/rfq.md, Answers.
    """
    answers: dict[object, list[_Answer]] = {}
    for file, (offers, read) in enumerate(zip(by_file, intakes, strict=True)):
        for row, answer in _answers_of(file, offers, read).items():
            answers.setdefault(row, []).append(answer)
    gone: list[Offer] = []
    notes: dict[int, list[tuple[_Answer, str, Message]]] = {}
    name = _names(intakes)
    for several in answers.values():
        counts, *others = sorted(
            several, key=lambda given: (_last_day(given, several), given.file), reverse=True
        )
        for other in others:
            if not other.offers and not counts.offers:
                continue
            is_sure = None not in (other.day, counts.day) and other.day != counts.day
            words = _lost_words(other, counts, name, is_sure=is_sure)
            if other.offers or not is_sure:
                notes.setdefault(other.file, []).append(
                    (other, REVISED if is_sure else ANSWERED_TWICE, words)
                )
            gone += other.offers
    lost = set(map(id, gone))
    kept = tuple(tuple(offer for offer in offers if id(offer) not in lost) for offers in by_file)
    files = tuple(_with_issues(read, notes.get(file, ())) for file, read in enumerate(intakes))
    return kept, files, tuple(gone)


def _answers_of(file: int, offers: Sequence[Offer], file_intake: intake.FileIntake) -> dict[object, _Answer]:
    """What a file answers to each row; what nobody filled in, or could not be read, is no answer.

    A row is who answers what is asked for, in whatever request: asked twice, a vendor has its GPUs once.
    """
    sent = {intake.row_key(row.vendor, row.reference, row.name): row for row in intake.sent_in(file_intake)}
    answers: dict[object, _Answer] = {
        _row_of(one): _Answer(file, (), one.quoted_on, one.line)
        for one in sent.values()
        if one.answer == intake.NO_BID
    }
    for offer in offers:
        said = answered_row(offer)
        key = None if said is None else intake.row_key(offer.provider or "", said.reference, said.row)
        if key in sent:
            row = _row_of(sent[key])
            before = answers[row].offers if row in answers else ()
            answers[row] = _Answer(file, (*before, offer), offer.as_of, sent[key].line)
    return answers


def _row_of(sent: intake.SentRow) -> object:
    """A row by its vendor and all that it asks for; by its number where that is not all told."""
    key = intake.row_key(sent.vendor, sent.reference, sent.name)
    if sent.gpus is None or sent.start is None:
        return key
    return key[0], replace(sent, vendor="", reference="", name="", quoted_on=None, answer="", line=0)


def _last_day(answer: _Answer, several: Sequence[_Answer]) -> str:
    """Its day; nothing where that of one of them is unknown, so that days do not decide."""
    return "" if any(other.day is None for other in several) else answer.day or ""


def _names(intakes: Sequence[intake.FileIntake]) -> Callable[[_Answer], str]:
    """How a file is called: by its name, where two have the same by their path."""
    short = [Path(read.path).name for read in intakes]

    def name(answer: _Answer) -> str:
        """That of an answer's file."""
        file_name = short[answer.file]
        return file_name if short.count(file_name) == 1 else intakes[answer.file].path

    return name


def _what(answer: _Answer, name: Callable[[_Answer], str]) -> Message:
    """2.50 USD in quotes.xlsx, quoted on 2026-10-05."""
    day = answer.day or worded("an unknown day")
    rates = [
        QUOTE_NEEDED
        if offer.rate_usd_per_gpu_hour is None
        else joined((exact(offer.rate_usd_per_gpu_hour), offer.currency), " ")
        for offer in answer.offers
    ] or [worded("no bid")]
    return worded("{rates} in {file}, quoted on {day}", rates=joined(rates, ", "), file=name(answer), day=day)


def _which(answer: _Answer, other: _Answer) -> Message:
    """R2 of Vela."""
    offer = (*answer.offers, *other.offers)[0]
    row = answered_row(offer)
    assert row is not None  # only answers are here
    return worded("{row} of {vendor}", row=row.row, vendor=offer.provider or "")


def _lost_words(lost: _Answer, counts: _Answer, name: Callable[[_Answer], str], *, is_sure: bool) -> Message:
    """That an earlier answer does not count, or that the days do not tell which of two does."""
    of_both: dict[str, Part] = {
        "row": _which(lost, counts),
        "lost": _what(lost, name),
        "counts": _what(counts, name),
    }
    if is_sure:
        return worded("{row}: {lost} does not count, {counts} does", **of_both)
    return worded("{row}: {lost} and {counts} have no date; the file read last counts", **of_both)


def _with_issues(file: intake.FileIntake, notes: Sequence[tuple[_Answer, str, Message]]) -> intake.FileIntake:
    """The intake of a file with the answers of it that do not count: their rows are duplicates."""
    rows = sum(len(answer.offers) for answer, _, _ in notes)
    issues, noted = list(file.issues), list(file.noted)
    for code in sorted({code for _, code, _ in notes}):
        own = [(answer, words) for answer, of, words in notes if of == code]
        count = sum(max(1, len(answer.offers)) for answer, _ in own)
        message = small_table.worded_message(code, [words for _, words in own])
        issues.append(intake.Issue(code, count, min(answer.line for answer, _ in own), message))
        remedy = ISSUE_TEXTS[code].remedy
        noted += [
            intake.RejectedRow(row=row.line, code=code, message=joined((words, remedy), "; "))
            for row, words in own
        ]
    return replace(
        file,
        rows_accepted=file.rows_accepted - rows,
        rows_duplicate=file.rows_duplicate + rows,
        issues=tuple(sorted(issues, key=lambda issue: issue.code)),
        noted=tuple(noted),
    )
