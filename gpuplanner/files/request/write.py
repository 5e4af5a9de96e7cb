"""Write the files of a request into a folder, one a vendor; none takes the place of what somebody filled in."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpuplanner.domain.commitment.requests.asked_rows import (
    asked_now_words,
    asked_words,
    calendar_words,
    owned_words,
)
from gpuplanner.domain.commitment.words.order_counts import asked_rows_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.reports.plan.order_days import seen_on
from gpuplanner.files.request.layout import read_key
from gpuplanner.files.request.request import Request, request_of
from gpuplanner.files.request.request_file import request_bytes
from gpuplanner.files.request.terms import UNSAID, Terms
from gpuplanner.files.system.engine import Cancelled
from gpuplanner.files.system.output_file import output_folder, write_output
from gpuplanner.files.system.output_place import OTHER_PLACE, UNWRITABLE, place_of
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.system.suggested_names import file_name

ANY_OTHER: Final = "Any other vendor"
_MOST_BYTES: Final = 2_000_000
"""No request of ours is larger; what is, is somebody else's."""


@dataclass(frozen=True, slots=True)
class Written:
    """The files of a request, in the order of their names; none where nothing is left to ask for. said: what is
    asked for and what of it the plan orders, for us; no words without files."""

    paths: tuple[Path, ...] = ()
    said: Message = NO_WORDS


def write_requests(
    evaluation: Evaluation,
    folder: Path,
    generated_at_s: int,
    terms: Terms = UNSAID,
    given: Iterable[str | Path] = (),
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Written:
    """Write what a plan orders as requests.

    generated_at_s: epoch seconds, of the day that they bear. given: files that a person gave, never written to.
    Errors: Cancelled where is_cancelled() turned true: files that are there by then stay;
    PlannerError file_unreadable before anything is written where a file is in the way that is no empty request
    of ours; usage for a day to reply by that is none; ValueError where the evaluation has no advice yet.
    """
    request = request_of(evaluation, read_tables(), generated_at_s, terms)
    kept = tuple(given)
    files = _files(request)
    if not files:
        return Written()
    if is_cancelled():
        raise Cancelled
    output_folder(folder)
    for name, (vendor, _) in files.items():
        _check_free(folder / name, {vendor or "", request.currency}, kept)
    for name, (_, content) in files.items():
        if is_cancelled():
            raise Cancelled
        write_output(folder / name, content, kept)
    return Written(
        tuple(folder / name for name in files), _asked_in_words(request, evaluation, generated_at_s)
    )


def _asked_in_words(request: Request, evaluation: Evaluation, today_s: int) -> Message:
    """Rows for how many orders, GPUs asked for, what of these the plan orders, and what is to be signed now."""
    assert evaluation.advice is not None  # request_of has seen to it
    project = evaluation.in_parts.project
    seen = seen_on(today_s, project.plan_window.end_s, project.offers)
    now = asked_now_words(request.rows, seen.to_approve(evaluation.advice.orders))
    rows = worded("{rows}.", rows=asked_rows_words(request.rows))
    owned = owned_words(evaluation.advice.orders, project.offers)
    days = calendar_words(request.rows)
    return joined(filter(None, (rows, asked_words(request.rows), now, days, owned)), " ")


def _files(request: Request) -> dict[str, tuple[str | None, bytes]]:
    """Vendor and bytes of each file by its name: the vendor's, made safe, and the reference; any other comes last."""
    found: dict[str, tuple[str | None, bytes]] = {}
    taken: set[str] = set()
    for vendor in (*request.vendors, None):
        if not request.rows_for(vendor):
            continue
        stem, number = vendor or ANY_OTHER, 1
        while (name := _name(stem, number, request.reference)).casefold() in taken:
            number += 1
        taken.add(name.casefold())
        found[name] = vendor, request_bytes(request, vendor)
    return found


def _name(vendor: str, number: int, reference: str) -> str:
    """A file's name; number: counts vendors whose names are the same once they are safe."""
    return file_name(vendor, f"{'' if number == 1 else f' ({number})'} {reference}.xlsx")


def _check_free(path: Path, filled: Collection[str], given: Iterable[str | Path]) -> None:
    """Errors: PlannerError where the file cannot be written, or what is there is not an empty request of ours."""
    place = place_of(path, given)
    if place.before is None or is_unanswered(path, filled):
        return
    what = worded("what is there is no empty request: somebody may have filled it in")
    raise PlannerError(str(path), UNWRITABLE, what, OTHER_PLACE)


def is_unanswered(path: Path, filled: Collection[str]) -> bool:
    """Whether a file is a request of ours that nobody has filled in or saved since. False where it cannot be read.

    filled: what we write into cells of the vendor.
    """
    from openpyxl import load_workbook

    try:
        if path.stat().st_size > _MOST_BYTES:
            return False
        book = load_workbook(path)
        if book.properties.modified != book.properties.created:  # notes may stand anywhere in it
            return False
        (sheet,) = book.worksheets
        has_key = False
        for cells in sheet.iter_rows():
            for cell in cells:
                text = "" if cell.value is None else str(cell.value)
                has_key = has_key or read_key(text) is not None
                if text and not cell.protection.locked and text not in filled:
                    return False
    except Exception:  # a damaged file fails in many ways: it is none of ours
        return False
    return has_key
