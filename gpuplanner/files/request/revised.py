"""Which answer counts where a vendor answered one row of a request in several files: the one that it quoted on last."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.figures.writing import QUOTE_NEEDED
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.log.intake import FileIntake, Issue, RejectedRow
from gpuplanner.domain.model.log.sent_rows import NO_BID, RowKey, row_key, sent_in
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.tables.row_ends import worded_message

REVISED: Final = "quote_revised"
UNDECIDED: Final = "answered_twice"


@dataclass(frozen=True, slots=True)
class _Answer:
    """What one file answers to one row of a request. offers: none where it is no bid; day: quoted on, None: unknown;
    line: of the row in the file."""

    file: int
    offers: tuple[Offer, ...]
    day: str | None
    line: int


def with_last_answers(
    by_file: Sequence[tuple[Offer, ...]], intake: Sequence[FileIntake]
) -> tuple[tuple[tuple[Offer, ...], ...], tuple[FileIntake, ...], tuple[Offer, ...]]:
    """Offers and intake of files without the answers that do not count; then those that do not, with a known day.

    by_file: offers of each file, in the order of the intake. Of several answers of one vendor to one row, each in a
    file of its own, the one quoted on last counts, also where it is no bid; of those of one day, and where a day is not
    told, the one in the file that was read last, which is asked about. A row that does not count is a duplicate, and
    is said.
    Source: docs/interface.md, Answered requests.
    """
    answers: dict[RowKey, list[_Answer]] = {}
    for file, (offers, one) in enumerate(zip(by_file, intake, strict=True)):
        for row, answer in _answers_of(file, offers, one).items():
            answers.setdefault(row, []).append(answer)
    gone: list[Offer] = []
    said: dict[int, list[tuple[_Answer, str, Message]]] = {}
    name = _names(intake)
    for several in answers.values():
        counts, *others = sorted(several, key=lambda one: (_last_day(one, several), one.file), reverse=True)
        for other in others:
            if not other.offers and not counts.offers:
                continue
            is_sure = None not in (other.day, counts.day) and other.day != counts.day
            words = _revised(other, counts, name) if is_sure else _as_late(other, counts, name)
            if other.offers or not is_sure:
                said.setdefault(other.file, []).append((other, REVISED if is_sure else UNDECIDED, words))
            gone += other.offers
    lost = set(map(id, gone))
    kept = tuple(tuple(offer for offer in offers if id(offer) not in lost) for offers in by_file)
    files = tuple(_with_issues(one, said.get(file, ())) for file, one in enumerate(intake))
    return kept, files, tuple(gone)


def _answers_of(file: int, offers: Sequence[Offer], intake: FileIntake) -> dict[RowKey, _Answer]:
    """What a file answers to each row; what nobody filled in, or could not be read, is no answer."""
    sent = {row_key(one.vendor, one.reference, one.name): one for one in sent_in(intake)}
    found = {
        key: _Answer(file, (), one.quoted_on, one.line) for key, one in sent.items() if one.answer == NO_BID
    }
    for offer in offers:
        said = answered_row(offer)
        key = None if said is None else row_key(offer.provider or "", said.reference, said.row)
        if key in sent:
            before = found[key].offers if key in found else ()
            found[key] = _Answer(file, (*before, offer), offer.as_of, sent[key].line)
    return found


def _last_day(one: _Answer, several: Sequence[_Answer]) -> str:
    """Its day; nothing where that of one of them is unknown, so that days do not decide."""
    return "" if any(other.day is None for other in several) else one.day or ""


def _names(intake: Sequence[FileIntake]) -> Callable[[_Answer], str]:
    """How a file is called: by its name, where two have the same by their path."""
    short = [Path(one.path).name for one in intake]

    def name(answer: _Answer) -> str:
        """That of an answer's file."""
        mine = short[answer.file]
        return mine if short.count(mine) == 1 else intake[answer.file].path

    return name


def _what(answer: _Answer, name: Callable[[_Answer], str]) -> Message:
    """2.50 USD in quotes.xlsx, quoted on 2026-10-05."""
    day = answer.day or worded("a day that is not told")
    rates = [
        QUOTE_NEEDED
        if one.rate_usd_per_gpu_hour is None
        else joined((exact(one.rate_usd_per_gpu_hour), one.currency), " ")
        for one in answer.offers
    ] or [worded("no bid")]
    return worded("{rates} in {file}, quoted on {day}", rates=joined(rates, ", "), file=name(answer), day=day)


def _which(one: _Answer, other: _Answer) -> Message:
    """R2 of Vela."""
    offer = (*one.offers, *other.offers)[0]
    said = answered_row(offer)
    assert said is not None  # only answers are here
    return worded("{row} of {vendor}", row=said.row, vendor=offer.provider or "")


def _revised(lost: _Answer, counts: _Answer, name: Callable[[_Answer], str]) -> Message:
    """That an earlier answer does not count."""
    return worded(
        "{row}: {lost} does not count beside {counts}",
        row=_which(lost, counts),
        lost=_what(lost, name),
        counts=_what(counts, name),
    )


def _as_late(lost: _Answer, counts: _Answer, name: Callable[[_Answer], str]) -> Message:
    """That the days do not tell which of two answers counts."""
    return worded(
        "{row}: {lost} and {counts}: which is the later is not told, so the file that was read last counts",
        row=_which(lost, counts),
        lost=_what(lost, name),
        counts=_what(counts, name),
    )


def _with_issues(file: FileIntake, said: Sequence[tuple[_Answer, str, Message]]) -> FileIntake:
    """The intake of a file with the answers of it that do not count: their rows are duplicates."""
    rows = sum(len(answer.offers) for answer, _, _ in said)
    issues, noted = list(file.issues), list(file.noted)
    for code in sorted({code for _, code, _ in said}):
        mine = [(answer, words) for answer, of, words in said if of == code]
        count = sum(max(1, len(answer.offers)) for answer, _ in mine)
        message = worded_message(code, [words for _, words in mine])
        issues.append(Issue(code, count, min(answer.line for answer, _ in mine), message))
        remedy = ISSUE_TEXTS[code][1]
        noted += [RejectedRow(one.line, code, joined((words, remedy), "; ")) for one, words in mine]
    return replace(
        file,
        rows_accepted=file.rows_accepted - rows,
        rows_duplicate=file.rows_duplicate + rows,
        issues=tuple(sorted(issues, key=lambda one: one.code)),
        noted=tuple(noted),
    )
