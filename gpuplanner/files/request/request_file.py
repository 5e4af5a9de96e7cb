"""Files of a request, one a vendor: values only, the vendor's cells alone unlocked, none overwritten."""

import io
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.domain.commitment import asked_rows, order_days
from gpuplanner.domain.commitment.numbers import order_numbers
from gpuplanner.domain.commitment.plan.orders import liability_usd
from gpuplanner.domain.commitment.words import orders
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.errors import Cancelled
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.request import request_form
from gpuplanner.files.request.request import UNSAID, Request, Terms, request_of
from gpuplanner.files.system import file_names, output_file
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.kit.looks import FONT, INPUT_FILL, MUTED, SURFACE, safe_text
from gpuplanner.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet


# --- One request as XLSX: values only, the vendor's cells alone unlocked, one page wide ----------

_A4: Final = 9
_FIRST_LINE: Final = 2
_WIDTHS: Final = {
    "request": 9,
    "key": 10,
    "need": 8,
    "gpu_model": 10,
    "gpus": 6,
    "term": 10,
    "start": 11,
    "until": 11,
    "delivery": 11,
    "interconnect": 12,
    "memory": 9,
    "bare_metal": 6,
    "bid": 8,
    "rate": 9,
    "most": 7,
    "least": 7,
    "lead": 7,
    "upfront": 10,
    "sla": 9,
    "valid_until": 11,
    "earliest": 11,
    "egress": 8,
    "remark": 18,
    "reply_by": 11,
    "hold": 11,
    "order": 9,
}
_FORMATS: Final[Mapping[request_form.Kind, str]] = {
    "text": "@",
    "rate": "0.00##",
    "gpus": "0",
    "days": "0",
    "percent": "0.0##",
    "date": "yyyy-mm-dd",
    "money": "0.00##",
}
"""One way to read each, also as text of a CSV file: no signs, no thousands, days as ISO writes them."""
_LINE: Final = {"border": 1, "border_color": "#C9CFD8"}
_ALIGNED: Final[Mapping[request_form.Kind, Mapping[str, str]]] = {
    "gpus": {"align": "center"},
    "date": {"align": "center"},
}
_FILLED: Final = _LINE | {"bg_color": INPUT_FILL, "locked": False}
_DAYS: Final = {"minimum": date(2000, 1, 1), "maximum": date(2199, 12, 31)}
_RULES: Final[Mapping[request_form.Kind, Mapping[str, Any]]] = {
    "rate": {"validate": "decimal", "criteria": ">", "value": 0},
    "money": {"validate": "decimal", "criteria": ">=", "value": 0},
    "gpus": {"validate": "integer", "criteria": ">=", "value": 1},
    "days": {"validate": "integer", "criteria": ">=", "value": 0},
    "percent": {"validate": "decimal", "criteria": "between", "minimum": 0, "maximum": 100},
    "date": {"validate": "date", "criteria": "between", **_DAYS},
}


def request_bytes(request: Request, vendor: str | None) -> bytes:
    """The file for a vendor; None: for any other, who writes its name. Law: the same request gives the same bytes."""
    from xlsxwriter import Workbook

    into = io.BytesIO()
    workbook = Workbook(into, {"in_memory": True})
    created = datetime.fromtimestamp(request.asking.today_s, UTC).replace(tzinfo=None)
    workbook.set_properties(
        {"title": f"{request_form.TITLE} {request.reference}", "author": "", "created": created}
    )
    sheet = workbook.add_worksheet(request_form.TITLE)
    _Page(workbook, sheet, request).write(request.runs_for(vendor), vendor)
    workbook.close()
    return into.getvalue()


class _Page:
    """The sheet of one file while it is written."""

    def __init__(self, workbook: "Workbook", sheet: "Worksheet", request: Request) -> None:
        self._workbook, self._sheet, self._request = workbook, sheet, request
        self._formats: dict[tuple[tuple[str, Any], ...], Any] = {}

    def write(self, runs: tuple[asked_rows.Run, ...], vendor: str | None) -> None:
        """Everything of the sheet: title, lines, table; then how it is protected and printed."""
        sheet, request = self._sheet, self._request
        sheet.hide_gridlines(2)
        for place, column in enumerate(request_form.COLUMNS):
            options = {"hidden": True} if column.key == "key" else {}
            sheet.set_column(place, place, _WIDTHS[column.key], None, options)
        self._text(0, 0, request_form.TITLE, {"bold": True, "font_size": 16})
        self._text(
            1,
            0,
            f"{request_form.TO_FILL_IN} {iso_utc(request.asking.reply_by_s)[:10]}. "
            "Rates and amounts are without tax, in the currency named here; the questions are below the table. "
            "Where you cannot start on the day asked for, name the earliest that you can.",
            {"font_color": MUTED},
        )
        line = _FIRST_LINE
        sooner = [run.first for run in runs if request.reply_s(run.first) < request.asking.reply_by_s]
        if sooner:
            parts = ", ".join(f"{row.name} by {iso_utc(request.reply_s(row))[:10]}" for row in sooner)
            self._text(
                line, 0, f"{request_form.SOONER} {parts}, since they cannot start later.", {"bold": True}
            )
            line += 1
        from_s = iso_utc(request.asking.orders_from_s)[:10]
        rule_text = f"{request_form.FROM_THEN} {from_s} on, or as each row says: none starts before that and its lead."
        self._text(line, 0, rule_text, {})
        line += 1
        if any(run.until_s is not None for run in runs):
            rule_text = (
                f"{request_form.RENEWING} each time it ends, for as many GPUs, until that day. "
                "What you quote holds for each of these terms."
            )
            self._text(line, 0, rule_text, {})
            line += 1
        first = max(line, _FIRST_LINE + 1)
        heading = first + self._head(first, vendor) + 1
        self._headings(heading)
        last = self._questions(self._rows(heading + 1, runs) + 2)
        sheet.freeze_panes(heading + 1, 5)
        sheet.repeat_rows(heading)
        sheet.set_landscape()
        sheet.set_paper(_A4)
        sheet.set_margins(left=0.3, right=0.3, top=0.4, bottom=0.6)
        sheet.fit_to_pages(1, 0)
        sheet.print_area(0, 0, last, len(request_form.COLUMNS) - 1)
        sheet.set_footer(f"&L{request.reference}&RPage &P of &N")
        sheet.protect("", {"format_columns": True, "format_rows": True})

    def _questions(self, first: int) -> int:
        """What is asked besides, each with a cell for its answer over the vendor's columns; the last row written."""
        at, until = _place("bid"), _place("remark")
        own = filter(None, map(str.strip, self._request.terms.question.splitlines()))
        for row, (asked, look) in enumerate(
            (
                (request_form.QUESTION, {"bold": True}),
                *((question, {}) for question in (*request_form.QUESTIONS, *own)),
            ),
            first,
        ):
            self._sheet.merge_range(row, 0, row, at - 1, "", self._look({**look, **_LINE}))
            self._text(row, 0, asked, {**look, **_LINE})
            if row == first:
                self._text(row, at, request_form.ANSWER, look)
            else:
                self._blank(
                    row,
                    at,
                    until,
                    request_form.HeadLine(key="answer", label=request_form.ANSWER, who="vendor", kind="text"),
                    "",
                )
        return row

    def _head(self, first: int, vendor: str | None) -> int:
        """The lines above the table: the buyer's from the left, the vendor's beside them; how many rows they take."""
        texts, given = (
            _of_buyer(self._request),
            {"vendor": vendor or "", "currency": self._request.currency},
        )
        ours = [line for line in request_form.HEAD if line.who == "buyer"]
        theirs = [line for line in request_form.HEAD if line.who == "vendor"]
        at = _place("bid")
        for row, line in enumerate(ours, first):
            self._text(row, 0, line.label, {"bold": True})
            self._value(row, _place("gpu_model"), line.kind, texts[line.key], {"align": "left"})
        for row, line in enumerate(theirs, first):
            self._text(row, at, line.label, {"bold": True})
            self._blank(row, at + 2, at + 5, line, given.get(line.key, ""))
        return max(len(ours), len(theirs))

    def _blank(self, row: int, first: int, last: int, line: request_form.HeadLine, given: str) -> None:
        """A line's cell for the vendor, over some columns, with what it holds already."""
        look = self._look({**_FILLED, "num_format": _FORMATS[line.kind], "align": "left"})
        self._sheet.merge_range(row, first, row, last, "", look)
        if given:
            self._sheet.write_string(row, first, safe_text(given), look)  # a merge would make a formula of it
        rule: Mapping[str, Any] = _RULES.get(line.kind, {"validate": "any"})
        if line.key == "currency":
            rule = {"validate": "length", "criteria": "==", "value": 3}
        self._rule(row, row, first, rule, line.label, line.note)

    def _headings(self, row: int) -> None:
        """The table's headings; those of the vendor are yellow as its cells are."""
        self._sheet.set_row(row, 40)
        for place, column in enumerate(request_form.COLUMNS):
            fill = INPUT_FILL if column.who == "vendor" else SURFACE
            look = {"bold": True, "text_wrap": True, "valign": "bottom", "bg_color": fill, **_LINE}
            self._text(row, place, column.heading, look)

    def _rows(self, first: int, runs: tuple[asked_rows.Run, ...]) -> int:
        """The rows, options apart from the firm ones below them; the last row written."""
        row = first
        for is_option in (False, True):
            of = [each for each in runs if each.first.is_option is is_option]
            if is_option and of:
                row += 1
                self._text(row, 0, request_form.OPTIONS, {"bold": True})
                row += 1
            for each in of:
                self._row(row, each)
                row += 1
            if of:
                self._validate(row - len(of), row - 1)
        return max(first, row - 1)

    def _row(self, row: int, each: asked_rows.Run) -> None:
        """One row: what is asked for, and the vendor's empty cells."""
        asked = _asked(self._request, each)
        for place, column in enumerate(request_form.COLUMNS):
            if column.who == "vendor":
                self._sheet.write_blank(
                    row, place, None, self._look({**_FILLED, "num_format": _FORMATS[column.kind]})
                )
            else:
                self._value(
                    row, place, column.kind, asked[column.key], {**_LINE, **_ALIGNED.get(column.kind, {})}
                )
        self._sheet.set_row(row, 18)

    def _validate(self, first: int, last: int) -> None:
        """What the vendor's cells of some rows take."""
        for place, column in enumerate(request_form.COLUMNS):
            if column.who == "vendor":
                self._rule(first, last, place, _rule_of(column), column.heading, column.note)

    def _rule(
        self, first: int, last: int, place: int, rule: Mapping[str, Any], title: str, note: str
    ) -> None:
        """Sets a rule, its words shown beside the cell and where it is broken."""
        shown = {"input_title": title[:32], "input_message": note} if note else {}
        message = {"error_title": title[:32], "error_message": note or "Enter a text."}
        self._sheet.data_validation(
            first, place, last, place, {"ignore_blank": True, **rule, **shown, **message}
        )

    def _value(
        self, row: int, place: int, kind: request_form.Kind, value: str | int, look: Mapping[str, Any]
    ) -> None:
        """A value as its kind is written: days as days, numbers as numbers, else text."""
        given = self._look({"num_format": _FORMATS[kind], **look})
        if isinstance(value, str):
            self._sheet.write_string(row, place, safe_text(value), given)
        elif kind == "date":
            self._sheet.write_datetime(
                row, place, datetime.fromtimestamp(value, UTC).replace(tzinfo=None), given
            )
        else:
            self._sheet.write_number(row, place, value, given)

    def _text(self, row: int, place: int, text: str, look: Mapping[str, Any]) -> None:
        """A text of ours."""
        self._sheet.write_string(row, place, text, self._look(look))

    def _look(self, look: Mapping[str, Any]) -> Any:
        """A cell format, made once."""
        properties: dict[str, Any] = {**FONT, **look}
        key = tuple(sorted(properties.items()))
        if key not in self._formats:
            self._formats[key] = self._workbook.add_format(properties)
        return self._formats[key]


def _place(key: str) -> int:
    """Where a column stands, from 0."""
    return next(place for place, column in enumerate(request_form.COLUMNS) if column.key == key)


def _rule_of(column: request_form.Column) -> Mapping[str, Any]:
    """What a column's cells take."""
    if column.choices:
        return {"validate": "list", "source": list(column.choices)}
    return _RULES.get(column.kind, {"validate": "any"})


def _of_buyer(request: Request) -> Mapping[str, str | int]:
    """The values of the buyer's lines, days in epoch seconds."""
    terms = request.terms
    return {
        "buyer": terms.buyer,
        "reference": request.reference,
        "issued": request.asking.today_s,
        "reply_by": request.asking.reply_by_s,
        "questions": terms.questions,
        "delivery": terms.delivery,
        "payment": terms.payment,
        "validity": terms.validity,
        "sla": terms.sla,
        "reply_to": terms.reply_to,
    }


def _asked(request: Request, run: asked_rows.Run) -> Mapping[str, str | int]:
    """The values of the buyer's columns of a line, days in epoch seconds."""
    row, until_s = run.first, run.until_s
    needs = row.needs
    term = row.term_words
    renewals = [request_form.Renewal(row.name, iso_utc(row.start_s)[:10]) for row in run.rows[1:]]
    shown: Mapping[str, str | int] = {
        "request": row.name,
        "order": ", ".join(order_numbers(run.order_numbers)),
        "need": request_form.OPTION if row.is_option else request_form.FIRM,
        "gpu_model": row.gpu_model,
        "gpus": row.gpus,
        "term": term,
        "start": row.start_s,
        "until": request_form.NOT_RENEWED if until_s is None else until_s,
        "reply_by": request.reply_s(row),
        "hold": request.order_day_s(row),
        "delivery": row.only.region or row.only.country or request_form.ANY,
        "interconnect": request_form.INTERCONNECTS.get(needs.interconnect or "", request_form.ANY),
        "memory": f"{needs.memory_gb:g} GB" if needs.memory_gb else request_form.ANY,
        "bare_metal": "yes" if needs.bare_metal else request_form.ANY,
    }
    asked = [str(shown[key]) for key in request_form.KEPT]
    asked[request_form.KEPT.index("start")] = iso_utc(row.start_s)[:10]
    days = [iso_utc(at_s)[:10] for at_s in (request.asking.reply_by_s, request.asking.orders_from_s)]
    behind = [request_form.SOONEST if row.is_soonest else "", *days]
    key = request_form.make_key(request.reference, row.name, [*asked, *behind], renewals)
    return {**shown, "key": key}


# --- Write the files of a request into a folder, one a vendor; none takes the place of what somebody filled in

ANY_OTHER: Final = "Any other vendor"
_MOST_BYTES: Final = 2_000_000
"""No request of ours is larger; what is, is somebody else's."""


@dataclass(frozen=True, slots=True)
class Written:
    """The files of a request, in the order of their names; none where nothing is left to ask for. said: what is
    asked for and what of it the plan orders, for us; no words without files."""

    paths: tuple[Path, ...] = ()
    said: Message = NO_WORDS
    request: Request | None = None


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
    output_file.output_folder(folder)
    for name, (vendor, _) in files.items():
        _check_free(folder / name, {vendor or "", request.currency}, kept)
    for name, (_, content) in files.items():
        if is_cancelled():
            raise Cancelled
        output_file.write_output(folder / name, content, kept)
    paths = tuple(folder / name for name in files)
    return Written(paths, _asked_in_words(request, evaluation, generated_at_s), request)


def _asked_in_words(request: Request, evaluation: Evaluation, today_s: int) -> Message:
    """Rows for how many orders, GPUs asked for, what of these the plan orders, and what is to be signed now."""
    project = evaluation.in_parts.project
    seen = order_days.seen_in(project, today_s)
    now = asked_rows.asked_now_words(request.rows, seen.to_approve(evaluation.advised.orders))
    rows = worded("{rows}.", rows=orders.asked_rows_words(request.rows))
    owned = asked_rows.unasked_words(evaluation.advised.orders, project.offers)
    days = asked_rows.calendar_words(request.rows)
    waits = asked_rows.waiting_words(request.rows, request.asking)
    firm = [order for row in request.rows if not row.is_option for order in row.orders]
    usd = worded(
        "They cover {asked} of the {usd} of all orders over whole terms.",
        asked=amount(liability_usd(firm)),
        usd=amount(liability_usd(evaluation.advised.orders)),
    )
    return joined(
        filter(None, (rows, asked_rows.asked_words(request.rows), usd, now, waits, days, owned)), " "
    )


def _files(request: Request) -> dict[str, tuple[str | None, bytes]]:
    """Vendor and bytes of each file by its name: the vendor's, made safe, and the reference; any other comes last."""
    files: dict[str, tuple[str | None, bytes]] = {}
    taken: set[str] = set()
    for vendor in (*request.vendors, None):
        if not request.rows_for(vendor):
            continue
        stem, number = vendor or ANY_OTHER, 1
        while (name := _name(stem, number, request.reference)).casefold() in taken:
            number += 1
        taken.add(name.casefold())
        files[name] = vendor, request_bytes(request, vendor)
    return files


def _name(vendor: str, number: int, reference: str) -> str:
    """A file's name; number: counts vendors whose names are the same once they are safe."""
    return file_names.file_name(vendor, f"{'' if number == 1 else f' ({number})'} {reference}.xlsx")


def _check_free(path: Path, filled: Collection[str], given: Iterable[str | Path]) -> None:
    """Errors: PlannerError where the file cannot be written, or what is there is not an empty request of ours."""
    if output_file.place_of(path, given).before is None or is_unanswered(path, filled):
        return
    problem = worded("the existing file is not an empty RFQ; perhaps a vendor filled it in")
    raise output_file.unreadable(path, problem, output_file.OTHER_PLACE)


def is_unanswered(path: Path, filled: Collection[str]) -> bool:
    """Whether a file is a request of ours that nobody has filled in or saved since. False where it cannot be read.

    filled: what we write into cells of the vendor.
    """
    from openpyxl import load_workbook

    try:
        if path.stat().st_size > _MOST_BYTES:
            return False
        with path.open("rb") as file:  # by path, one that is damaged would stay open
            book = load_workbook(file)
        if book.properties.modified != book.properties.created:  # notes may stand anywhere in it
            return False
        has_key = False
        for cells in (row for sheet in book.worksheets for row in sheet.iter_rows()):
            for cell in cells:
                text = "" if cell.value is None else str(cell.value)
                has_key = has_key or request_form.read_key(text) is not None
                if text and not cell.protection.locked and text not in filled:
                    return False
    except Exception:  # a damaged file fails in many ways: it is none of ours
        return False
    return has_key
