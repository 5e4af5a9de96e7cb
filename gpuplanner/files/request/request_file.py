"""One request as XLSX: values only, the vendor's cells alone unlocked, one page wide."""

import io
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.domain.commitment.requests.renewing import Run
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.request.layout import (
    ANY,
    COLUMNS,
    FIRM,
    HEAD,
    INTERCONNECTS,
    NOT_RENEWED,
    OPTION,
    TITLE,
    Column,
    HeadLine,
    Kind,
    Renewal,
    make_key,
)
from gpuplanner.files.request.request import Request
from gpuplanner.files.workbook.kit.looks import FONT, INPUT_FILL, MUTED, SURFACE
from gpuplanner.files.workbook.kit.safe_text import safe_text

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet

_A4: Final = 9
_FIRST_LINE: Final = 2
_WIDTHS: Final = {
    "request": 9, "key": 10, "need": 8, "gpu_model": 10, "gpus": 6, "term": 10, "start": 11, "until": 11,
    "delivery": 11, "interconnect": 12, "memory": 9, "bare_metal": 6, "bid": 8, "rate": 9, "most": 7,
    "least": 7, "lead": 7, "upfront": 10, "sla": 9, "valid_until": 11, "earliest": 11, "egress": 8, "remark": 18,
}  # fmt: skip
_FORMATS: Final[Mapping[Kind, str]] = {
    "text": "@", "rate": "0.00##", "gpus": "0", "days": "0", "percent": "0.0##", "date": "yyyy-mm-dd",
    "money": "0.00##",
}  # fmt: skip
"""One way to read each, also as text of a CSV file: no signs, no thousands, days as ISO writes them."""
_LINE: Final = {"border": 1, "border_color": "#C9CFD8"}
_ALIGNED: Final[Mapping[Kind, Mapping[str, str]]] = {"gpus": {"align": "center"}, "date": {"align": "center"}}
_FILLED: Final = _LINE | {"bg_color": INPUT_FILL, "locked": False}
_DAYS: Final = {"minimum": date(2000, 1, 1), "maximum": date(2199, 12, 31)}
_RULES: Final[Mapping[Kind, Mapping[str, Any]]] = {
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
    created = datetime.fromtimestamp(request.issued_s, UTC).replace(tzinfo=None)
    workbook.set_properties({"title": f"{TITLE} {request.reference}", "author": "", "created": created})
    sheet = workbook.add_worksheet(TITLE)
    _Page(workbook, sheet, request).write(request.runs_for(vendor), vendor)
    workbook.close()
    return into.getvalue()


class _Page:
    """The sheet of one file while it is written."""

    def __init__(self, workbook: "Workbook", sheet: "Worksheet", request: Request) -> None:
        self._workbook, self._sheet, self._request = workbook, sheet, request
        self._formats: dict[tuple[tuple[str, Any], ...], Any] = {}

    def write(self, runs: tuple[Run, ...], vendor: str | None) -> None:
        """Everything of the sheet: title, lines, table; then how it is protected and printed."""
        sheet, request = self._sheet, self._request
        sheet.hide_gridlines(2)
        for place, column in enumerate(COLUMNS):
            options = {"hidden": True} if column.key == "key" else {}
            sheet.set_column(place, place, _WIDTHS[column.key], None, options)
        self._text(0, 0, TITLE, {"bold": True, "font_size": 16})
        self._text(
            1,
            0,
            f"Please fill in the yellow cells and send this file back by {iso_utc(request.reply_by_s)[:10]}. "
            "Rates and amounts are without tax, in the currency named here. "
            "Where you cannot start on the day asked for, name the earliest that you can.",
            {"font_color": MUTED},
        )
        line = _FIRST_LINE
        if at_once := ", ".join(row.name for row in request.at_once(run.first for run in runs)):
            said = f"At once, please: {at_once}. They are to be ordered by then."
            self._text(line, 0, said, {"bold": True})
            line += 1
        if any(run.until_s is not None for run in runs):
            said = (
                "Renewing until: the term is wanted again each time it ends, for as many GPUs, until that day. "
                "What you quote holds for each of these terms."
            )
            self._text(line, 0, said, {})
            line += 1
        first = max(line, _FIRST_LINE + 1)
        heading = first + self._head(first, vendor) + 1
        self._headings(heading)
        last = self._rows(heading + 1, runs)
        sheet.freeze_panes(heading + 1, 5)
        sheet.repeat_rows(heading)
        sheet.set_landscape()
        sheet.set_paper(_A4)
        sheet.set_margins(left=0.3, right=0.3, top=0.4, bottom=0.6)
        sheet.fit_to_pages(1, 0)
        sheet.print_area(0, 0, last, len(COLUMNS) - 1)
        sheet.set_footer(f"&L{request.reference}&RPage &P of &N")
        sheet.protect("", {"format_columns": True, "format_rows": True})

    def _head(self, first: int, vendor: str | None) -> int:
        """The lines above the table: the buyer's from the left, the vendor's beside them; how many rows they take."""
        said, given = (
            _of_buyer(self._request),
            {"vendor": vendor or "", "currency": self._request.currency},
        )
        ours = [line for line in HEAD if line.who == "buyer"]
        theirs = [line for line in HEAD if line.who == "vendor"]
        at = _place("bid")
        for row, line in enumerate(ours, first):
            self._text(row, 0, line.label, {"bold": True})
            self._value(row, _place("gpu_model"), line.kind, said[line.key], {"align": "left"})
        for row, line in enumerate(theirs, first):
            self._text(row, at, line.label, {"bold": True})
            self._blank(row, at + 2, at + 5, line, given.get(line.key, ""))
        return max(len(ours), len(theirs))

    def _blank(self, row: int, first: int, last: int, line: HeadLine, given: str) -> None:
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
        for place, column in enumerate(COLUMNS):
            fill = INPUT_FILL if column.who == "vendor" else SURFACE
            look = {"bold": True, "text_wrap": True, "valign": "bottom", "bg_color": fill, **_LINE}
            self._text(row, place, column.heading, look)

    def _rows(self, first: int, runs: tuple[Run, ...]) -> int:
        """The rows, options apart from the firm ones below them; the last row written."""
        row = first
        for is_option in (False, True):
            of = [each for each in runs if each.first.is_option is is_option]
            if is_option and of:
                row += 1
                self._text(row, 0, "Options: which of them are ordered is decided later", {"bold": True})
                row += 1
            for each in of:
                self._row(row, each)
                row += 1
            if of:
                self._validate(row - len(of), row - 1)
        return max(first, row - 1)

    def _row(self, row: int, each: Run) -> None:
        """One row: what is asked for, and the vendor's empty cells."""
        asked = _asked(self._request.reference, each)
        for place, column in enumerate(COLUMNS):
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
        for place, column in enumerate(COLUMNS):
            if column.who == "vendor":
                self._rule(first, last, place, _rule_of(column), column.heading, column.note)

    def _rule(
        self, first: int, last: int, place: int, rule: Mapping[str, Any], title: str, note: str
    ) -> None:
        """Sets a rule, its words shown beside the cell and where it is broken."""
        shown = {"input_title": title[:32], "input_message": note} if note else {}
        told = {"error_title": title[:32], "error_message": note or "Enter a text."}
        self._sheet.data_validation(
            first, place, last, place, {"ignore_blank": True, **rule, **shown, **told}
        )

    def _value(self, row: int, place: int, kind: Kind, value: str | int, look: Mapping[str, Any]) -> None:
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
    return next(place for place, column in enumerate(COLUMNS) if column.key == key)


def _rule_of(column: Column) -> Mapping[str, Any]:
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
        "issued": request.issued_s,
        "reply_by": request.reply_by_s,
        "questions": terms.questions,
        "delivery": terms.delivery,
        "payment": terms.payment,
        "validity": terms.validity,
        "sla": terms.sla,
    }


def _asked(reference: str, run: Run) -> Mapping[str, str | int]:
    """The values of the buyer's columns of a line, days in epoch seconds."""
    row, until_s = run.first, run.until_s
    needs = row.needs
    term = row.term_words
    renewals = [Renewal(one.name, iso_utc(one.start_s)[:10]) for one in run.rows[1:]]
    return {
        "request": row.name,
        "key": make_key(reference, row.name, (row.gpu_model, str(row.gpus), term), renewals),
        "need": OPTION if row.is_option else FIRM,
        "gpu_model": row.gpu_model,
        "gpus": row.gpus,
        "term": term,
        "start": row.start_s,
        "until": NOT_RENEWED if until_s is None else until_s,
        "delivery": row.only.region or ANY,
        "interconnect": INTERCONNECTS.get(needs.interconnect or "", ANY),
        "memory": f"{needs.memory_gb:g} GB" if needs.memory_gb else ANY,
        "bare_metal": "yes" if needs.bare_metal else ANY,
    }
