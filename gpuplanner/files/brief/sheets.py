"""The sheets of a brief: how its pages are laid out, whatever they are printed on; what ships beside its evaluation."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.pages import TableBlock
from gpuplanner.domain.brief.today_pages import sized_endpoints
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.exchange import SIGNS
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.files.system.resources import read_serving_tables
from gpuplanner.files.system.training import answers_in
from gpuplanner.files.workbook.kit.looks import POOL_FILL, safe_text
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

GROUND: Final = "#FFFFFF"
TEXT: Final = "#1A1E26"
MUTED: Final = "#596170"
GRID: Final = "#E4E7EC"
EDGE: Final = "#7D8695"
ACCENT: Final = "#4B45C6"
RED: Final = "#C02A2A"
AMBER: Final = "#9A5B00"
AMBER_GROUND: Final = "#FFF8E6"
HATCH: Final = "#7381B1"
EXISTING: Final = "#8C8E92"
"""Half of the text's colour on the ground: existing contracts are no step of the ramp."""
FAMILY: Final = "Arial"
"""On every system, or with a twin of the same widths."""
SHORT_LOG_DAYS: Final = 45
"""Up to so many days of a log have a label every week, more one every month."""
POOLS: Final[dict[Pool, str]] = dict(POOL_FILL)
TERMS: Final = {
    0: "#E7EAF3",
    1: "#D2D8EC",
    3: "#B3BDDC",
    6: "#94A0C8",
    12: "#7381B1",
    24: "#526094",
    36: "#323E72",
}


def term_colour(months: int) -> str:
    """The step of the ramp that a term is drawn in; a term between two steps takes the one below it."""
    return TERMS[max(step for step in TERMS if step <= months)]


def cut(text: str, most: int) -> str:
    """Text that a slide or a cell takes: safe, and with a mark where it was longer."""
    kept = safe_text(text)
    return kept if len(kept) <= most else f"{kept[: most - 1]}…"


def set_properties(about: Any, brief: pages.Brief) -> None:
    """Set title, author and day of an Office document. about: its core properties."""
    about.title = safe_text(brief.title)[:255]
    about.author = about.last_modified_by = "gpuplanner"
    about.comments, about.language, about.revision = "", "en", 1
    about.created = about.modified = datetime.fromtimestamp(brief.written_s, UTC).replace(tzinfo=None)


# ---------------------------------------------------------------- how wide columns are

UNBROKEN: Final = 16
"""A cell of so few characters stays on one line: dates, terms, names of pools."""
LONGEST_PIECE: Final = 22
"""Characters of a word that a column makes room for; a longer one is broken."""
LONGEST_CELL: Final = 160
"""Characters of a cell; names from logs may be of any length, and are cut with a mark after so many."""
_PIECES: Final = lazy_re(r"[^-_/.:,]*[-_/.:,]+|[^-_/.:,]+")
Measure = Callable[[str], float]


def word_pieces(word: str, room: float, measure: Measure) -> list[str]:
    """A word in pieces that have room: broken after its separators, else wherever it has to be."""
    if measure(word) <= room:
        return [word]
    pieces = [""]
    for part in _PIECES.findall(word):
        for bit in [part] if measure(part) <= room else part:
            if pieces[-1] and measure(pieces[-1] + bit) > room:
                pieces.append(bit)
            else:
                pieces[-1] += bit
    return pieces


def broken(text: str, room: float, measure: Measure) -> list[str]:
    """Lines of a text in a room: broken at blanks, and in words that are wider than it."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if measure(longer) <= room:
            lines[-1] = longer
            continue
        pieces = word_pieces(word, room, measure)
        lines[-1:] = pieces if not lines[-1] else [lines[-1], *pieces]
    return lines


def column_widths(table: TableBlock, width: float, padding: float, measure: Measure) -> list[float]:
    """Widths that make up `width`. Numbers and short cells are whole; what is left goes to those with more to say."""
    least, natural = _needs(table, padding, measure)
    if sum(natural) > width:
        least, natural = _needs(table, padding, measure, breaks_headings=True)
    if sum(natural) <= width:
        return _spread(natural, width, [column.share for column in table.columns])
    if sum(least) <= width:
        wishes = [most - some for most, some in zip(natural, least, strict=True)]
        return _spread(least, width, wishes)
    return [each * width / sum(least) for each in least]


def table_widths(tables: Sequence[TableBlock], width: float, padding: float, measure: Measure) -> list[float]:
    """Of tables side by side: each has what its words and numbers need; what is left goes to who has more to say."""
    needs = [tuple(map(sum, _needs(table, padding, measure))) for table in tables]
    least, natural = [some for some, _ in needs], [most for _, most in needs]
    if sum(natural) <= width:
        return _spread(natural, width, natural)
    if sum(least) >= width:
        return [each * width / sum(least) for each in least]
    return _spread(least, width, [most - some for some, most in needs])


def least_width(table: TableBlock, padding: float, measure: Measure) -> float:
    """The width under which words of a table break and its numbers are cut."""
    return sum(_needs(table, padding, measure)[0])


def _needs(
    table: TableBlock, padding: float, measure: Measure, *, breaks_headings: bool = False
) -> tuple[list[float], list[float]]:
    """Of each column, the width under which words break, and that at which every cell stands on one line.

    breaks_headings: also short headings may stand on two lines.
    """
    columns = list(zip(*([str(column.heading) for column in table.columns], *_rows(table)), strict=True))
    least, natural = [], []
    for column, (heading, *cells) in zip(table.columns, columns, strict=True):
        whole = max((measure(cell) for cell in cells), default=0.0)
        pieces = [piece for cell in cells for piece in _words(cell)]
        pieces += heading.split(" ") if breaks_headings else _words(heading)
        word = max(map(measure, pieces))
        in_two = max(
            map(measure, broken(heading, 0.62 * measure(heading), measure))
        )  # headings take two lines
        least.append(max(whole if column.is_number else 0.0, word) + padding)
        natural.append(max(whole, word, in_two) + padding)
    return least, natural


def _spread(widths: Sequence[float], whole: float, by: Sequence[float]) -> list[float]:
    """The room that is left, or lacking, shared out over all widths in proportion to `by`."""
    left, total = whole - sum(widths), sum(by)
    return [each + left * share / total for each, share in zip(widths, by, strict=True)]


def _rows(table: TableBlock) -> list[tuple[str, ...]]:
    """The cells that columns are measured by: rows and total, each text cut at a length no column grows for."""
    rows = [*table.rows, *([table.total] if table.total else [])]
    return [tuple(str(cell)[:LONGEST_CELL] for cell in row) for row in rows]


def _words(text: str) -> list[str]:
    """What of a cell is not broken where there is room."""
    if len(text) <= UNBROKEN and not text.startswith(tuple(SIGNS.values())):
        return [text]
    return [
        piece
        for word in text.split(" ")
        for piece in ([word] if len(word) <= LONGEST_PIECE else _PIECES.findall(word))
    ]


_ADVANCES: Final = {" fijlt.,:;|!'()[]/-I": 0.30, "mwMW@%\u2192": 0.88, "r*": 0.36, "ckvxyzs": 0.5}
_ADVANCE_OF: Final = {letter: advance for letters, advance in _ADVANCES.items() for letter in letters}


def width_in_points(text: str, points: float, *, is_bold: bool = False) -> float:
    """About how wide a text is in the sans of a slide, rather too wide than too narrow; no font is asked."""
    ems = sum(_ADVANCE_OF.get(letter, 0.68 if letter.isupper() else 0.56) for letter in text)
    return ems * points * (1.1 if is_bold else 1.03)


# ---------------------------------------------------------------- pages on slides

WIDTH_IN: Final = 13.333
HEIGHT_IN: Final = 7.5
MARGIN_IN: Final = 0.5
INSIDE_IN: Final = WIDTH_IN - 2 * MARGIN_IN
GAP_IN: Final = 0.2
HEAD_IN: Final = 0.3
"""Of a block's title."""
FIGURES_IN: Final = 1.35
MOST_WIDE_FIGURES: Final = 4
"""Of more figures side by side the notes have another line."""
NOTE_LINE_IN: Final = 0.2
FORM_IN: Final = 0.12
"""Above the line of a row that is filled in by hand."""
FRAME_IN: Final = 0.06
"""Between the frame of a warning and its text."""
LEAST_CHART_IN: Final = 1.75
CELL_PAD_IN: Final = 0.05
LEAST_POINTS: Final = 12.0
"""Of any type: what is smaller cannot be read from the back of a room."""
TEXT_POINTS: Final = (14.0, 13.0, LEAST_POINTS)
SIGNED_POINTS: Final = (*TEXT_POINTS, 11.0, 10.0, 9.0)
"""Of a page that is signed: it is read at a table, and what belongs together stays so."""
PART: Final = "{title} ({number} of {count})"
"""Title of each slide of a page that takes several."""
TITLE_POINTS: Final = (26, 24, 22, 20)
"""The largest at which a title takes two lines at most; else the last."""
LINE: Final = 1.2
"""Height of a line beside the size of its type."""

Row = tuple[pages.Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One slide: a page, or a part of it.

    points: size of its text; heights: of its rows in inches; top_in: where they begin; figures: of the strip above.
    """

    kicker: str
    title: str
    title_points: float
    rows: tuple[Row, ...]
    heights: tuple[float, ...]
    top_in: float
    points: float
    figures: tuple[pages.LargeFigure, ...] = ()


def sheets_of(brief: pages.Brief) -> list[Sheet]:
    """A slide for every page, in their order; what a page has no room for is in the workbook, which its kicker says.

    Of a page that is whole it is on more slides.
    """
    return [
        sheet
        for page in brief.pages
        for sheet in (_sheets_of_whole(page) if page.is_whole else (_sheet_of(page),))
    ]


def lines_in(text: str, width_in: float, points: float, *, is_bold: bool = False) -> int:
    """On how many lines a text breaks in so many inches, at so many points."""
    return len(broken(text, width_in * 72, lambda part: width_in_points(part, points, is_bold=is_bold)))


def title_height(title: str, points: float) -> float:
    """Inches of a title."""
    return lines_in(title, INSIDE_IN, points, is_bold=True) * points * LINE / 72


def title_width(title: str, points: float) -> float:
    """Inches in which a title takes no more lines than it has to, of nearly one length: no word stands alone."""
    count = lines_in(title, INSIDE_IN, points, is_bold=True)
    shares = (share / 50 for share in range(25, 50))
    fitting = (
        share * INSIDE_IN
        for share in shares
        if lines_in(title, share * INSIDE_IN, points, is_bold=True) == count
    )
    return next(fitting, INSIDE_IN) if count > 1 else INSIDE_IN


def table_points(points: float) -> float:
    """Of a table's cells beside a text of so many points."""
    return min(points, max(LEAST_POINTS, points - 1))


def column_widths_of(table: TableBlock, width_in: float, points: float) -> list[float]:
    """Inches of each column; points: of its cells."""
    return column_widths(
        table, width_in, 2 * CELL_PAD_IN + 0.02, lambda part: width_in_points(part, points, is_bold=True) / 72
    )


def row_heights(table: TableBlock, width_in: float, points: float) -> list[float]:
    """Inches of the headings, the rows and the total; points: of its cells."""
    rows = [tuple(column.heading for column in table.columns), *table.rows]
    if table.total:
        rows.append(table.total)
    widths = column_widths_of(table, width_in, points)
    return [
        max(
            lines_in(str(cell)[:LONGEST_CELL], room - 2 * CELL_PAD_IN, points, is_bold=place == 0)
            if place == 0 or not column.is_number
            else 1
            for cell, column, room in zip(row, table.columns, widths, strict=True)
        )
        * points
        * LINE
        / 72
        + (FORM_IN if table.is_form and place else 0.04)
        for place, row in enumerate(rows)
    ]


def note_height(note: Text, width_in: float) -> float:
    """Inches of a table's note; 0 without one."""
    return lines_in(str(note), width_in, LEAST_POINTS) * LEAST_POINTS * LINE / 72 + 0.05 if note else 0.0


def widths_of(row: Row) -> list[float]:
    """Inches of each block of a row: tables by what stands in them, mixed rows by their shares."""
    free = INSIDE_IN - GAP_IN * (len(row) - 1)
    tables = [block for block in row if isinstance(block, TableBlock)]
    if len(tables) == len(row):
        return table_widths(tables, free, 2 * CELL_PAD_IN + 0.02, _measure(LEAST_POINTS))
    shares = [0.85 if isinstance(block, pages.TextBlock) else _share(block) for block in row]
    return [free * share / sum(shares) for share in shares]


def _measure(points: float) -> "partial[float]":
    """Inches of a text in bold."""
    return partial(width_in_points, points=points / 72, is_bold=True)


def _share(block: pages.Block) -> float:
    """Of the width, for what is no text."""
    if isinstance(block, TableBlock):
        return max(0.85, sum(column.share for column in block.columns) / 5)
    return 1.8 if isinstance(block, pages.BridgeChart) else 1.0


def is_chart(block: pages.Block) -> bool:
    """Whether a block is drawn as a chart: it is neither table nor text."""
    return not isinstance(block, TableBlock | pages.TextBlock)


def figures_in(figures: Sequence[pages.LargeFigure]) -> float:
    """Inches of the strip of large figures, 0 without any."""
    if not figures:
        return 0.0
    return FIGURES_IN + (NOTE_LINE_IN if len(figures) > MOST_WIDE_FIGURES else 0.0)


def _sheet_of(page: pages.Page) -> Sheet:
    """A page on a slide, at the largest type at which all of it fits; else what has room of it."""
    rows = [part for row in page.rows for part in _apart(row)]
    title, kicker = str(page.title), str(page.kicker)
    top = _top(title, _title_points(title)) + figures_in(page.figures)
    for size in TEXT_POINTS:
        if _total(_heights(rows, size)) <= _bottom() - top:
            return _sheet(kicker, title, rows, size, page.figures)
    room = _bottom() - top
    kept = _kept(rows, room)
    fitting = (size for size in TEXT_POINTS if _total(_heights(kept, size)) <= _bottom() - top)
    return _sheet(kicker + pages.MORE, title, kept, next(fitting, LEAST_POINTS), page.figures)


def _sheets_of_whole(page: pages.Page) -> list[Sheet]:
    """A page on as few slides as its least type takes, at the largest type of so many that breaks no word of a table.

    Figures stand on the first.
    """
    title, kicker = str(page.title), str(page.kicker)
    longest = PART.format(title=title, number=9, count=9)
    by_size = {size: _parts(page, longest, size) for size in SIGNED_POINTS}
    fewest = len(by_size[SIGNED_POINTS[-1]])
    fitting = (
        size for size in SIGNED_POINTS if len(by_size[size]) <= fewest and _has_whole_words(page, size)
    )
    size = next(fitting, SIGNED_POINTS[-1])
    count = len(by_size[size])
    titles = [PART.format(title=title, number=number, count=count) for number in range(1, count + 1)]
    return [
        _sheet(
            kicker=kicker,
            title=title if count == 1 else titles[place],
            rows=part,
            size=size,
            figures=() if place else page.figures,
        )
        for place, part in enumerate(by_size[size])
    ]


def _has_whole_words(page: pages.Page, size: float) -> bool:
    """Whether tables have room for their words and numbers beside a text of so many points."""
    tables = [block for row in page.rows if len(row) == 1 for block in row if isinstance(block, TableBlock)]
    measure = _measure(table_points(size))
    return all(least_width(table, 2 * CELL_PAD_IN + 0.02, measure) <= INSIDE_IN for table in tables)


def _parts(page: pages.Page, title: str, size: float) -> list[list[Row]]:
    """The rows of each slide that a page takes; size: of its text in points."""
    full = _bottom() - _top(title, _title_points(title))
    left = full - figures_in(page.figures)
    parts: list[list[Row]] = [[]]
    for row in [part for whole_row in page.rows for part in _apart(whole_row)]:
        for piece in _cut(row, full, size):
            (height,) = _heights([piece], size)
            if height > left and parts[-1]:
                parts.append([])
                left = full
            parts[-1].append(piece)
            left -= height + GAP_IN
    return parts


def _sheet(
    kicker: str, title: str, rows: Sequence[Row], size: float, figures: tuple[pages.LargeFigure, ...] = ()
) -> Sheet:
    """A slide of rows that fit on it; size: of its text in points."""
    points = _title_points(title)
    top = _top(title, points) + figures_in(figures)
    grown = _grown(rows, _heights(rows, size), _bottom() - top)
    return Sheet(
        kicker=kicker,
        title=title,
        title_points=points,
        rows=tuple(rows),
        heights=grown,
        top_in=top,
        points=size,
        figures=figures,
    )


def _title_points(title: str) -> float:
    """The largest size at which a title takes two lines at most."""
    fitting = (size for size in TITLE_POINTS if lines_in(title, INSIDE_IN, size, is_bold=True) <= 2)
    return next(fitting, TITLE_POINTS[-1])


def _top(title: str, points: float) -> float:
    """Inches from the top of the slide to the first block or figure."""
    return 0.6 + title_height(title, points) + 0.08 + GAP_IN


def _bottom() -> float:
    """Inches from the top of the slide to where blocks end."""
    return HEIGHT_IN - 0.6


def _apart(row: Row) -> list[Row]:
    """A row, or its tables under each other where they have no room beside each other."""
    tables = [block for block in row if isinstance(block, TableBlock)]
    if len(row) < 2 or len(tables) < len(row):
        return [row]
    # the width at which every cell of a table stands on one line
    needed = sum(sum(_needs(table, (2 * CELL_PAD_IN + 0.02), _measure(LEAST_POINTS))[1]) for table in tables)
    return [row] if needed + GAP_IN * (len(row) - 1) <= INSIDE_IN else [(table,) for table in tables]


def _heights(rows: Sequence[Row], points: float) -> list[float]:
    """Inches that each row needs."""
    return [
        max(_natural(block, width, points) for block, width in zip(row, widths_of(row), strict=True))
        for row in rows
    ]


def _total(heights: Sequence[float]) -> float:
    return sum(heights) + GAP_IN * (len(heights) - 1)


def _grown(rows: Sequence[Row], heights: Sequence[float], room: float) -> tuple[float, ...]:
    """The heights, with what is left given to charts."""
    grows = [any(is_chart(block) for block in row) for row in rows]
    share = max(0.0, room - _total(heights)) / max(1, sum(grows))
    return tuple(high + (share if grow else 0.0) for high, grow in zip(heights, grows, strict=True))


def _natural(block: pages.Block, width: float, points: float) -> float:
    """Inches that a block needs at a width."""
    head = HEAD_IN if block.title else 0.0
    if isinstance(block, pages.TextBlock):
        frame = 2 * FRAME_IN if block.is_warning else 0.0
        lines = sum(lines_in(str(sentence), width - frame, points) for sentence in block.sentences)
        return head + lines * points * LINE / 72 + 6 / 72 * len(block.sentences) + frame
    if isinstance(block, TableBlock):
        return head + sum(row_heights(block, width, table_points(points))) + note_height(block.note, width)
    if isinstance(block, pages.TimelineChart):
        return head + 0.6 + 0.25 * len(block.rows)
    return head + LEAST_CHART_IN


def _kept(rows: Sequence[Row], room: float) -> list[Row]:
    """The rows that a slide has room for, the first ones before others, cut where they have none. room: inches."""
    kept: list[Row] = []
    left = room
    for row in rows:
        for piece in _cut(row, left):
            (height,) = _heights([piece], LEAST_POINTS)
            if height <= left or not kept:
                kept.append(piece)
                left -= height + GAP_IN
    return kept


def _cut(row: Row, room: float, points: float = LEAST_POINTS) -> Iterator[Row]:
    """A row that has room on a slide, or its blocks one by one, each cut where it is too high alone."""
    if _heights([row], points)[0] <= room or (len(row) == 1 and is_chart(row[0])):
        yield row
    elif len(row) > 1:
        for block in row:
            yield from _cut((block,), room, points)
    else:
        block = row[0]
        half = halves(block)
        if half is None:
            yield row
        else:
            yield from _cut((half[0],), room, points)
            yield from _cut((half[1],), room, points)


def halves(block: pages.Block) -> tuple[pages.Block, pages.Block] | None:
    """A table or text in two; total and note stand under the second. None where there is one row or sentence."""
    if isinstance(block, TableBlock) and len(block.rows) > 1:
        at = (len(block.rows) + 1) // 2
        first = replace(block, rows=block.rows[:at], total=(), note="")
        return first, replace(
            block,
            rows=block.rows[at:],
            urgent=frozenset(row - at for row in block.urgent),
            subtotals=frozenset(row - at for row in block.subtotals),
        )
    if isinstance(block, pages.TextBlock) and len(block.sentences) > 1:
        at = (len(block.sentences) + 1) // 2
        return (
            replace(block, sentences=block.sentences[:at]),
            replace(block, sentences=block.sentences[at:]),
        )
    return None


def given_beside(evaluation: Evaluation, at_s: int, waiting: Waiting | None) -> dict[str, Any]:
    """By the names that `plan_brief` has for them; ms an endpoint and a run. at_s: of the day it bears, epoch s UTC.

    waiting: how long jobs wait, where that is known.
    """
    return {
        "is_asking": True,
        "endpoints": sized_endpoints(evaluation, read_serving_tables()),
        "training": answers_in(evaluation.project, evaluation.scenario, at_s),
        "waiting": waiting,
    }
