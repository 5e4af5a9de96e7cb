"""Files of a request, one a vendor: values and one formula, the vendor's cells alone unlocked, none overwritten."""

import io
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.domain.commitment import asked_rows, order_days
from gpuplanner.domain.commitment.listed_order import READY
from gpuplanner.domain.commitment.plan.orders import liability_usd
from gpuplanner.domain.commitment.words import orders
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.domain.model.window import HOURS_PER_MONTH, iso_utc
from gpuplanner.files.request import request_form
from gpuplanner.files.request.request import (
    REPLY_HOUR,
    UNSAID,
    Request,
    Terms,
    check_buyer,
    questions_until_s,
    request_of,
    sla_asked,
)
from gpuplanner.files.system import file_names, output_file
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.tables.network_words import network_words
from gpuplanner.files.workbook.kit.looks import safe_text
from gpuplanner.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet


# --- One request as XLSX: three sheets, the vendor's cells alone unlocked, each one page wide -----

PAPERS: Final = {"a4": 9, "letter": 1}
_FONT: Final = {"font_name": "Arial", "font_size": 10, "font_color": "#1A1E26", "valign": "vcenter"}
_DEFAULT_FONT: Final = {key: _FONT[key] for key in ("font_name", "font_size")}
"""Its digits are the unit of the widths of columns, and with them of the size of the print."""
_TITLE: Final = {"bold": True, "font_size": 18}
_SECTION: Final = {"bold": True, "font_size": 12, "bottom": 2, "bottom_color": "#1F3A68"}
_MUTED: Final = {"font_color": "#6B7280"}
_LINE: Final = {"bottom": 4, "bottom_color": "#C9CFD8"}
_WHITE: Final = {"bg_color": "#EEF1F6", "bottom": 2, "bottom_color": "#1F3A68"}
_YELLOW: Final = {"bg_color": "#FFF3BF", "border": 1, "border_color": "#E5C65A"}
_FILLED: Final = _YELLOW | {"locked": False, "text_wrap": True}
_HEADING: Final = {"bold": True, "font_size": 9, "text_wrap": True, "valign": "bottom"}
_DAY: Final = "d mmm yyyy"
_DASH: Final = '#,##0;-#,##0;"—"'
_HEAD_WIDTHS: Final = (23, 45, 5, 23, 51)
_QUESTION_WIDTHS: Final = (6, 65, 11, 71)
_WIDTHS: Final = {
    "request": 8,
    "key": 10,
    "gpus": 6,
    "gpu_model": 12,
    "interconnect": 13,
    "term": 9,
    "start": 11.4,
    "until": 11.4,
    "delivery": 7,
    "bid": 6,
    "rate": 9,
    "upfront": 9,
    "setup": 6,
    "most": 7,
    "earliest": 11,
    "valid_until": 11,
    "total": 10,
    "remark": 11,
}
_FORMATS: Final[Mapping[request_form.Kind, str]] = {
    "text": "@",
    "rate": "0.00##",
    "gpus": "#,##0",
    "days": "0",
    "percent": "0.0##",
    "date": _DAY,
    "money": "#,##0.00##",
}
_DAYS: Final = {"minimum": date(2000, 1, 1), "maximum": date(2199, 12, 31)}
_RULES: Final[Mapping[request_form.Kind, Mapping[str, Any]]] = {
    "rate": {"validate": "decimal", "criteria": ">", "value": 0},
    "money": {"validate": "decimal", "criteria": ">=", "value": 0},
    "gpus": {"validate": "integer", "criteria": ">=", "value": 1},
    "date": {"validate": "date", "criteria": "between", **_DAYS},
}
_ALTERNATIVES: Final = 3
_HEADINGS_ROW: Final = 3


def request_bytes(request: Request, vendor: str, paper: str = "a4") -> bytes:
    """The file for a vendor. paper: of PAPERS. Law: the same request gives the same bytes."""
    from xlsxwriter import Workbook

    into = io.BytesIO()
    workbook = Workbook(into, {"in_memory": True, "default_format_properties": _DEFAULT_FONT})
    created = datetime.fromtimestamp(request.asking.today_s, UTC).replace(tzinfo=None)
    workbook.set_properties(
        {"title": f"{request_form.TITLE} {request.reference}", "author": "", "created": created}
    )
    formats: dict[tuple[tuple[str, Any], ...], Any] = {}
    parts = (_write_head, _write_quote, _write_questions)
    for title, write in zip(request_form.SHEETS, parts, strict=True):
        page = _Page(workbook, workbook.add_worksheet(title), formats)
        columns = write(page, request, vendor)
        page.set_up(request.reference, PAPERS[paper], columns)
    workbook.close()
    return into.getvalue()


class _Page:
    """One sheet of a file while it is written."""

    def __init__(
        self, workbook: "Workbook", sheet: "Worksheet", formats: dict[tuple[tuple[str, Any], ...], Any]
    ) -> None:
        """formats: cell formats of the file so far."""
        self._workbook, self.sheet, self._formats = workbook, sheet, formats
        self._last_row = 0

    def set_up(self, reference: str, paper: int, columns: int) -> None:
        """How it is protected and printed."""
        sheet = self.sheet
        sheet.hide_gridlines(2)
        sheet.set_landscape()
        sheet.set_paper(paper)
        sheet.set_margins(left=0.3, right=0.3, top=0.5, bottom=0.7)
        sheet.fit_to_pages(1, 0)
        sheet.print_area(0, 0, self._last_row, columns - 1)
        sheet.set_footer(f"&L&9{reference}&C&9&A&R&9Page &P of &N", {"scale_with_doc": False})
        sheet.protect("", {"format_columns": True, "format_rows": True})

    def title(self, title: str, below: str) -> None:
        """The title of the sheet, and a sentence."""
        self.text(0, 0, title, _TITLE)
        self.text(1, 0, below, _MUTED)
        self.sheet.set_row(0, 26)

    def widths(self, widths: Sequence[int]) -> None:
        """Widths of columns from the left."""
        for place, width in enumerate(widths):
            self.sheet.set_column(place, place, width)

    def text(self, row: int, place: int, text: str, look: Mapping[str, Any]) -> None:
        """A text of ours."""
        self._last_row = max(self._last_row, row)
        self.sheet.write_string(row, place, safe_text(text), self.look(look))

    def value(
        self, row: int, place: int, kind: request_form.Kind, value: str | int, look: Mapping[str, Any]
    ) -> None:
        """A value as its kind is written: days (epoch seconds) as days, numbers as numbers, else text."""
        if isinstance(value, str):
            self.text(row, place, value, look)
            return
        given = self.look({"num_format": _FORMATS[kind], **look})
        if kind == "date":
            moment = datetime.fromtimestamp(value, UTC).replace(tzinfo=None)
            self.sheet.write_datetime(row, place, moment, given)
        else:
            self.sheet.write_number(row, place, value, given)
        self._last_row = max(self._last_row, row)

    def blank(self, row: int, place: int, kind: request_form.Kind, given: str = "") -> None:
        """A cell of the vendor, with what it holds already."""
        look = self.look({**_FILLED, "num_format": _FORMATS[kind], **_side(kind)})
        self._last_row = max(self._last_row, row)
        if given:
            self.sheet.write_string(row, place, safe_text(given), look)
        else:
            self.sheet.write_blank(row, place, None, look)

    def formula(self, row: int, place: int, formula: str, look: Mapping[str, Any]) -> None:
        """A formula over the vendor's own cells, which are empty yet."""
        self.sheet.write_formula(row, place, formula, self.look({"num_format": _DASH, **look}), 0)

    def rule(self, rows: tuple[int, int], place: int, rule: Mapping[str, Any], title: str, note: str) -> None:
        """What the cells of some rows take; rows: first and last. Its words are shown beside the cell."""
        shown = {"input_title": title[:32], "input_message": note} if note else {}
        message = {"error_title": title[:32], "error_message": note or "Enter a text."}
        self.sheet.data_validation(
            rows[0], place, rows[1], place, {"ignore_blank": True, **rule, **shown, **message}
        )

    def look(self, look: Mapping[str, Any]) -> Any:
        """A cell format, made once."""
        properties: dict[str, Any] = {**_FONT, **look}
        key = tuple(sorted(properties.items()))
        if key not in self._formats:
            self._formats[key] = self._workbook.add_format(properties)
        return self._formats[key]


_ALIGNED: Final[Mapping[request_form.Kind, str]] = dict.fromkeys(("rate", "gpus", "money"), "right")


def _side(kind: request_form.Kind) -> Mapping[str, Any]:
    """Return where the content of a cell stands. A day is not indented: it would not fit into its column."""
    if kind in _ALIGNED:
        return {"align": _ALIGNED[kind], "indent": 0}
    return {"align": "left", "indent": 0 if kind == "date" else 1}


def _write_head(page: _Page, request: Request, vendor: str) -> int:
    """Who asks whom for what by when; how many columns it has."""
    page.widths(_HEAD_WIDTHS)
    rows = request.rows_for(vendor)
    reply_by = _day_words(request.asking.reply_by_s)
    page.title(
        f"{request_form.TITLE}: {_gpus_words(rows)}",
        f"Please fill in the yellow cells of sheets 2 and 3 and return this file by {reply_by}, {REPLY_HOUR}:00 UTC.",
    )
    texts = _of_buyer(request)
    given = {"vendor": vendor, "currency": request.currency}
    for place, words in ((0, "From"), (3, "To: please fill in")):
        page.text(3, place, words, _SECTION)
        page.text(3, place + 1, "", _SECTION)
    ours = [line for line in request_form.HEAD if line.who == "buyer" and line.label]
    theirs = [line for line in request_form.HEAD if line.who == "vendor" and line.label]
    look = {**_LINE, "align": "left"}
    for row, line in enumerate(ours, 4):
        page.text(row, 0, line.label, {**look, "bold": True, "indent": 1})
        hour = {"num_format": f'{_DAY}", {REPLY_HOUR}:00 UTC"'} if line.key == "reply_by" else {}
        page.value(row, 1, line.kind, texts[line.key], look | hour)
    for row, line in enumerate(theirs, 4):
        page.text(row, 3, line.label, {**look, "bold": True, "indent": 1})
        page.blank(row, 4, line.kind, given.get(line.key, ""))
        rule: Mapping[str, Any] = _RULES.get(line.kind, {"validate": "any"})
        if line.key == "currency":
            rule = {"validate": "length", "criteria": "==", "value": 3}
        page.rule((row, row), 4, rule, line.label, line.note)
    row = 4 + max(len(ours), len(theirs)) + 1
    for place in range(len(_HEAD_WIDTHS)):
        page.text(row, place, "What we need" if place == 0 else "", _SECTION)
    for number, sentence in enumerate(_sentences(request, rows), 1):
        page.text(row + number, 0, str(number), {**look, "bold": True, "indent": 1})
        page.sheet.merge_range(
            row + number, 1, row + number, len(_HEAD_WIDTHS) - 1, "", page.look({**look, "text_wrap": True})
        )
        page.text(row + number, 1, sentence, {**look, "text_wrap": True})
        page.sheet.set_row(row + number, 18 * (1 + len(sentence) // 145))
    return len(_HEAD_WIDTHS)


def _write_quote(page: _Page, request: Request, vendor: str) -> int:
    """What is asked for and the vendor's empty cells, one row each; then rows for alternatives."""
    columns = request_form.WRITTEN
    page.title(request_form.QUOTE_TITLE, request_form.WHITE_AND_YELLOW)
    for place, column in enumerate(columns):
        options = {"hidden": True} if column.key == "key" else {}
        page.sheet.set_column(place, place, _WIDTHS[column.key], None, options)
    rows = request.rows_for(vendor)
    first = _HEADINGS_ROW + 1
    last = first + len(rows) - 1
    _write_headings(page, _HEADINGS_ROW, columns, is_vendors=False)
    for line, row in enumerate(rows, first):
        _write_row(page, line, row, _asked(request, row))
    for place, column in enumerate(columns):
        page.text(
            last + 1, place, request_form.ALL if place == 0 else "", {**_LINE, "bold": True, "indent": 1}
        )
        if column.key == "total":
            cells = f"{_cell('total', first)}:{_cell('total', last)}"
            page.formula(last + 1, place, f"=SUM({cells})", {**_LINE, "bold": True})
    _write_rules(page, (first, last))
    _write_alternatives(page, last + 3, request.reference)
    page.sheet.freeze_panes(first, 1)
    page.sheet.repeat_rows(_HEADINGS_ROW)
    return len(columns)


def _write_row(page: _Page, line: int, row: asked_rows.AskedRow, asked: Mapping[str, str | int]) -> None:
    """One request and the vendor's cells for it. asked: values of the buyer's columns."""
    for place, column in enumerate(request_form.WRITTEN):
        if column.who == "vendor":
            page.blank(line, place, column.kind)
        elif column.key == "total":
            page.formula(line, place, _total(line, row), {**_LINE, "bold": True})
        else:
            bold = {"bold": True} if column.key == "request" else {}
            look = {**_LINE, "text_wrap": True, **_side(column.kind), **bold}
            page.value(line, place, column.kind, asked[column.key], look)
    lines = max(ceil(len(str(asked[key])) / _WIDTHS[key]) for key in ("request", "interconnect", "gpu_model"))
    page.sheet.set_row(line, 6 + 13 * lines)


def _write_alternatives(page: _Page, first: int, reference: str) -> None:
    """Rows that are the vendor's from end to end, from a row of the sheet on."""
    columns = request_form.WRITTEN
    for place in range(len(columns)):
        page.text(first, place, request_form.ALTERNATIVES if place == 0 else "", _SECTION)
    _write_headings(page, first + 1, columns, is_vendors=True)
    for number in range(1, _ALTERNATIVES + 1):
        row = first + 1 + number
        for place, column in enumerate(columns):
            if column.key == "key":
                page.text(row, place, request_form.make_key(reference, f"A{number}"), {})
            elif column.key == "total":
                page.text(row, place, "", _YELLOW)
            else:
                page.blank(row, place, column.kind)
        page.sheet.set_row(row, 19)
    _write_rules(page, (first + 2, first + 1 + _ALTERNATIVES))


def _write_rules(page: _Page, rows: tuple[int, int]) -> None:
    """What the vendor's cells of some rows take; rows: first and last."""
    for place, column in enumerate(request_form.WRITTEN):
        if column.who != "vendor":
            continue
        rule = _RULES.get(column.kind, {"validate": "any"})
        if column.choices:
            rule = {"validate": "list", "source": list(column.choices)}
        page.rule(rows, place, rule, column.heading, column.note)


def _write_headings(
    page: _Page, row: int, columns: Sequence[request_form.Column], *, is_vendors: bool
) -> None:
    """Headings of a table; those of the vendor's cells are yellow. is_vendors: all of them are."""
    page.sheet.set_row(row, 40)
    for place, column in enumerate(columns):
        heading, is_theirs = column.heading, is_vendors or column.who == "vendor"
        if is_vendors and place == 0:
            heading = request_form.FOR_REQUEST
        elif is_vendors and column.key == "total":
            heading = ""
        side = _side(column.kind if column.key == "gpus" or column.kind == "date" else "text")
        fill = {**_WHITE, "bg_color": _YELLOW["bg_color"]} if is_theirs else _WHITE
        page.text(row, place, heading, {**_HEADING, **fill, **side})


def _write_questions(page: _Page, request: Request, vendor: str) -> int:
    """What is asked besides, each with a cell for its answer; how many columns it has."""
    del vendor  # all are asked the same
    page.widths(_QUESTION_WIDTHS)
    page.title("Questions", "One answer per question. If it differs by request, name the request.")
    for place, heading in enumerate(request_form.QUESTION_HEADINGS):
        is_theirs = place == len(_QUESTION_WIDTHS) - 1
        fill = {**_WHITE, "bg_color": _YELLOW["bg_color"]} if is_theirs else _WHITE
        page.text(_HEADINGS_ROW, place, heading, {**_HEADING, **fill, "align": "left", "indent": 1})
    own = filter(None, map(str.strip, request.terms.question.splitlines()))
    asked = [
        request_form.sla_question(sla_asked(request.terms)) if question.key == "sla" else question
        for question in request_form.QUESTIONS
    ]
    asked += [request_form.Question(key="own", weight="Compare", text=text) for text in own]
    for number, question in enumerate(asked, 1):
        row = _HEADINGS_ROW + number
        page.value(row, 0, "gpus", number, {**_LINE, "align": "left", "indent": 1, "bold": True})
        page.text(row, 1, question.text, {**_LINE, "text_wrap": True, "indent": 1})
        page.text(row, 2, question.weight, {**_LINE, "indent": 1})
        page.blank(row, 3, "text")
        page.sheet.set_row(row, 22 if len(question.text) <= 85 else 32)
    page.sheet.freeze_panes(_HEADINGS_ROW + 1, 0)
    page.sheet.repeat_rows(_HEADINGS_ROW)
    return len(_QUESTION_WIDTHS)


def _cell(key: str, row: int) -> str:
    """The address of a cell on the sheet of the quote; row: from 0."""
    from xlsxwriter.utility import xl_rowcol_to_cell

    place = next(place for place, column in enumerate(request_form.WRITTEN) if column.key == key)
    address: str = xl_rowcol_to_cell(row, place)
    return address


def _total(line: int, row: asked_rows.AskedRow) -> str:
    """The vendor's rate and upfront payment over one term of its GPUs, with its set-up. line: the row of the sheet."""
    hours = f"24*{row.term_days}" if row.term_days else f"{HOURS_PER_MONTH}*{row.term_months}"
    cell = {key: _cell(key, line) for key in ("rate", "upfront", "setup", "most", "gpus")}
    return '=IF({rate}="",0,({rate}*{hours}+{upfront})*IF({most}="",{gpus},{most})+{setup})'.format(
        hours=hours, **cell
    )


def _day_words(at_s: int) -> str:
    """A day as people write it, epoch seconds: 14 Dec 2026."""
    moment = datetime.fromtimestamp(at_s, UTC)
    return f"{moment.day} {moment:%b %Y}"


def _gpus_words(rows: Sequence[asked_rows.AskedRow]) -> str:
    """40 H100 and 16 B200 from Dec 2026, 120 more GPUs in 2027."""
    firm = [row for row in rows if not row.is_option] or list(rows)
    starts = [datetime.fromtimestamp(row.start_s, UTC) for row in firm]
    first = min(starts)
    gpus: dict[str, int] = {}
    later: dict[int, int] = {}
    for row, start in sorted(zip(firm, starts, strict=True), key=lambda pair: pair[1]):
        if (start.year, start.month) == (first.year, first.month):
            gpus[row.gpu_model] = gpus.get(row.gpu_model, 0) + row.gpus
        else:
            later[start.year] = later.get(start.year, 0) + row.gpus
    *names, last = [f"{count:,} {model}" for model, count in gpus.items()]
    now = f"{', '.join(names)} and {last}" if names else last
    more = (f"{count:,} more GPUs in {year}" for year, count in sorted(later.items()))
    return ", ".join((f"{now} from {first:%b %Y}", *more))


def _sentences(request: Request, rows: Sequence[asked_rows.AskedRow]) -> tuple[str, ...]:
    """What holds for all requests."""
    nodes: dict[int, list[str]] = {}
    for row in rows:
        if row.node_gpus > 1 and row.gpu_model not in nodes.setdefault(row.node_gpus, []):
            nodes[row.node_gpus].append(row.gpu_model)
    each = sorted(nodes.items(), reverse=True)
    in_nodes = ""
    if len(each) == 1:
        in_nodes = f" GPUs come in whole nodes of {each[0][0]}."
    elif each:
        named = ", ".join(f"{node} {' or '.join(sorted(models))}" for node, models in each)
        in_nodes = f" GPUs come in whole nodes of {named}."
    option = " An option is decided on later." if any(row.is_option for row in rows) else ""
    return (
        f"Each request is one order. You may quote any of them, in part or in whole.{in_nodes}{option}",
        "Your rate includes power, cooling, rack, host, local storage and standard support. Anything else is a "
        "separate price on sheet 2 or 3.",
        "An offer that misses a Must is excluded. Other differences are welcome: enter them as an alternative on "
        "sheet 2.",
        "A request with renewals: your rate holds for every renewal until the date named.",
        f"Payment: {request.terms.payment.rstrip('.')}.",
        "We compare the total over the term, all in, then the start date, the SLA and the exit terms. Price lists are "
        "not quotes.",
        "This request is no order. Prices stay confidential.",
    )


def _of_buyer(request: Request) -> Mapping[str, str | int]:
    """The values of the buyer's lines, days in epoch seconds."""
    terms, asking = request.terms, request.asking
    return {
        "buyer": terms.buyer,
        "contact": terms.contact,
        "reference": request.reference,
        "issued": asking.today_s,
        "questions_until": questions_until_s(terms, asking.today_s),
        "reply_by": asking.reply_by_s,
        "decide_by": asking.orders_from_s,
    }


def _asked(request: Request, row: asked_rows.AskedRow) -> Mapping[str, str | int]:
    """The values of the buyer's columns of a row, days in epoch seconds."""
    needs, asking = row.needs, request.asking
    memory = needs.memory_gb or request.memory_gb.get(row.gpu_model)
    interconnect = str(network_words(needs.interconnect, is_bare_metal=False))
    region = row.only.region or row.only.country
    kept = {
        "gpu_model": row.gpu_model,
        "gpus": str(row.gpus),
        "term": row.term_words,
        "start": iso_utc(row.start_s)[:10],
        "need": request_form.OPTION if row.is_option else request_form.FIRM,
        "delivery": region or request_form.ANY,
        "interconnect": interconnect or request_form.ANY,
        "memory": f"{needs.memory_gb:g} GB" if needs.memory_gb else request_form.ANY,
        "bare_metal": "yes" if needs.bare_metal else request_form.ANY,
    }
    days = [iso_utc(at_s)[:10] for at_s in (asking.reply_by_s, asking.orders_from_s)]
    behind = [request_form.SOONEST if row.is_soonest else "", *days]
    starts = (row.start_s + number * row.term_s for number in range(1, row.terms))
    renewals = [request_form.Renewal(row.name, iso_utc(at_s)[:10]) for at_s in starts]
    asked = [*(kept[key] for key in request_form.KEPT), *behind]
    return {
        "request": f"{row.name}, {request_form.OPTION}" if row.is_option else row.name,
        "key": request_form.make_key(request.reference, row.name, asked, renewals),
        "gpus": row.gpus,
        "gpu_model": f"{row.gpu_model} {memory:g} GB" if memory else row.gpu_model,
        "interconnect": name_network(request, row),
        "term": row.term_words,
        "start": row.start_s,
        "until": request_form.NOT_RENEWED if row.until_s is None else row.until_s,
        "delivery": region or request_form.ANY.capitalize(),
    }


def name_network(request: Request, row: asked_rows.AskedRow) -> str:
    """Return the network of a row: what it needs, otherwise what the offer of the plan has, as *Orders* names it."""
    needed = str(network_words(row.needs.interconnect, is_bare_metal=bool(row.needs.bare_metal)))
    network = needed or request.networks.get(row.name, "")
    weight = request_form.MUST if needed else request_form.COMPARE
    return f"{network[:1].upper()}{network[1:]}: {weight}" if network else request_form.ANY.capitalize()


# --- Write the files of a request into a folder, one a vendor; none takes the place of what somebody filled in

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
    vendors: Sequence[str] = (),
    paper: str = "a4",
) -> Written:
    """Write what a plan orders as requests.

    generated_at_s: epoch seconds, of the day that they bear. given: files that a person gave, never written to.
    vendors: as of `request_of`; paper: of PAPERS.
    Errors: Cancelled where is_cancelled() turned true: files that are there by then stay;
    PlannerError file_unreadable before anything is written where a file is in the way that is no empty request
    of ours; usage without a buyer or a vendor, and for a day to reply by that is none; ValueError where the evaluation
    has no advice yet.
    """
    check_buyer(terms)
    request = request_of(evaluation, read_tables(), generated_at_s, terms, vendors)
    kept = tuple(given)
    if not request.rows:
        return Written()
    if not request.vendors:
        remedy = worded("add {option}", option="--rfq-vendor NAME")
        raise PlannerError(
            "rfq", "usage", worded("no vendor is named, and no price names a provider"), remedy
        )
    files = _files(request, paper)
    if is_cancelled():
        raise Cancelled
    output_file.output_folder(folder)
    for name, (vendor, _) in files.items():
        _check_free(folder / name, {vendor, request.currency}, kept)
    for name, (_, content) in files.items():
        if is_cancelled():
            raise Cancelled
        output_file.write_output(folder / name, content, kept)
    paths = tuple(folder / name for name in files)
    return Written(paths, _asked_in_words(request, evaluation, generated_at_s), request)


def _asked_in_words(request: Request, evaluation: Evaluation, today_s: int) -> Message:
    """Rows, GPUs asked for, what of these the plan orders, what is to be signed now, what no quote is in time for."""
    project = evaluation.in_parts.project
    seen = order_days.seen_in(project, today_s)
    now = asked_rows.asked_now_words(request.rows, seen.to_approve(evaluation.advised.orders))
    owned = asked_rows.unasked_words(evaluation.advised.orders, project.offers)
    firm = [order for row in request.rows if not row.is_option for order in row.orders]
    asked, total = amount(liability_usd(firm)), amount(liability_usd(evaluation.advised.orders))
    usd = worded("They cover {asked} of the {usd} of all orders over whole terms.", asked=asked, usd=total)
    sentences = (
        orders.asked_rows_words(request.rows),
        asked_rows.asked_words(request.rows),
        NO_WORDS if str(asked) == str(total) else usd,
        now,
        too_late_words(request, evaluation),
        asked_rows.calendar_words(request.rows),
        owned,
    )
    return joined(filter(None, sentences), " ")


def too_late_words(request: Request, evaluation: Evaluation) -> Message:
    """What is to be ordered before replies are decided on, and what waiting costs at most; no words without any.

    An order that is ready to be placed waits for no reply.
    """
    listed = {order.number: order for order in evaluation.listed_orders}
    waiting = [
        row for row in request.too_late if row.number not in listed or listed[row.number].status != READY
    ]
    at_list = [row for row in waiting if row.number in listed and listed[row.number].is_choosable]
    others = [row for row in waiting if row not in at_list]
    sentences = (_at_list_words(request, evaluation, at_list), _starts_later_words(others))
    return joined(filter(None, sentences), " ")


def _at_list_words(request: Request, evaluation: Evaluation, late: Sequence[asked_rows.AskedRow]) -> Message:
    """Rows that may be ordered at list price, and the most that waiting costs; no words without any."""
    if not late:
        return NO_WORDS
    numbers = joined((row.name for row in late), ", ")
    wait = evaluation.wait_for_quotes(request.asking.days)
    waits = [wait and wait.of(row.number) for row in late]
    usd = known_sum(waiting.usd if waiting else None for waiting in waits)
    if usd is None:
        return worded("Too late for {orders}: order at list price, or wait.", orders=numbers)
    most = amount(usd)
    return worded(
        "Too late for {orders}: order at list price, or wait (at most {usd}).", orders=numbers, usd=most
    )


def _starts_later_words(late: Sequence[asked_rows.AskedRow]) -> Message:
    """Rows that cannot be ordered before replies are there, for want of a provider or a rate; no words without any."""
    if not late:
        return NO_WORDS
    numbers = joined((row.name for row in late), ", ")
    return worded("Too late for {orders}: a provider or a rate is missing, so they wait.", orders=numbers)


def _files(request: Request, paper: str) -> dict[str, tuple[str, bytes]]:
    """Vendor and bytes of each file by its name: the vendor's, made safe, and the reference."""
    files: dict[str, tuple[str, bytes]] = {}
    taken: set[str] = set()
    for vendor in request.vendors:
        if not request.rows_for(vendor):
            continue
        number = 1
        while (name := _name(vendor, number, request.reference)).casefold() in taken:
            number += 1
        taken.add(name.casefold())
        files[name] = vendor, request_bytes(request, vendor, paper)
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
