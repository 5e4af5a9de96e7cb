"""Front pages: a finding as title, tables, cells for the reader, marks for what is due, and how they print."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from gpuplanner.files.workbook.kit.book import Book, Content
from gpuplanner.files.workbook.kit.cells import column_letters
from gpuplanner.files.workbook.kit.expressions import Expr
from gpuplanner.files.workbook.kit.looks import safe_text, style_properties
from gpuplanner.files.workbook.kit.text_lines import count_lines
from gpuplanner.lazy_dataclass import dataclass

PAPERS: Final = {"a4": 9, "letter": 1}
"""Sheets of paper, as the file format numbers them."""
WIDEST: Final = 156.0
"""Characters across a page: then text of 10 points prints in at least 7."""
INTERNAL: Final = "Internal. Contains rates: do not send to vendors."
MARGINS: Final = {"left": 0.4, "right": 0.4, "top": 0.65, "bottom": 0.6}
"""Inches."""
ROW_POINTS: Final = 15.0
"""Of a row whose height is not set."""
ROOM: Final = {"a4": (784.0, 505.0), "letter": (734.0, 522.0)}
"""Points across and down that a sheet of paper has between its margins."""
WIDEST_CHARACTER: Final = 6.0
"""Points of a character of a column's width, in the program that takes most."""
PIXELS_TO_POINTS: Final = 0.75
TALLEST: Final = 700.0
"""Points of all rows on one page of paper: its text prints in 7 points then."""
TEXT_POINTS: Final = 10.0
TITLE_POINTS: Final = 18.0
TITLE_LINE: Final = 24.0
LINE: Final = 12.75
"""Points of a line of text, and of the space above and below it."""
PADDING: Final = 3.0
GAP: Final = 9.0
DUE_DAYS: Final = 14
"""What is due within so many days is red."""
LIGHT_COLORS: Final = {"green": "#1E7B34", "changed": "#9A5B00", "red": "#B3261E"}
DUE_COLOR: Final = LIGHT_COLORS["red"]
OPEN_COLOR: Final = LIGHT_COLORS["changed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageForm:
    """What every front page bears. paper: of PAPERS; project: project and plan; written: day, version and book;
    written_day: the spreadsheet's number of the day of writing."""

    paper: str
    project: str
    written: str
    written_day: float


class FrontPage:
    """A sheet for people. Rows and columns are zero-based."""

    def __init__(
        self, book: Book, form: PageForm, sheet: str, widths: Sequence[float], second: int = 0
    ) -> None:
        """widths: of the columns, in characters. second: the column with which a second page begins; 0: there is none.

        Errors: AssertionError for a page that is too wide.
        """
        repeated = sum(widths[:REPEATED]) if second else 0.0
        for page in (widths[:second], widths[second:]) if second else (widths,):
            extra = repeated if page is not widths and page == widths[second:] else 0.0
            assert sum(page) + extra <= WIDEST, f"{sheet}: {sum(page) + extra} characters across"
        self.book, self.form, self.sheet, self.second = book, form, sheet, second
        self.columns = len(widths)
        self.widths = tuple(widths)
        self._target = book.sheets[sheet]
        for column, width in enumerate(widths):
            self._target.set_column(column, column, width)

    @property
    def last(self) -> int:
        """The last column of the first page."""
        return (self.second or self.columns) - 1

    def title(self, finding: Content, sentence: Content, column: int = 0) -> int:
        """Write the finding and the sentence below it, and return the row of the first table."""
        width = sum(self.widths[column : self.last + 1])
        cell = self.span(0, column, self.last, finding, "front_title")
        lines = count_lines(str(cell.value), width, points=TITLE_POINTS, is_bold=True)
        self._target.set_row(0, TITLE_LINE * lines + PADDING)
        self.write(1, column, sentence, "front_sentence")
        return self.gap(2)

    def write(self, row: int, column: int, content: Content, style: str) -> Expr:
        """Write one cell. style: words of looks.py, in the font of front pages."""
        return self.book.write(self.sheet, row, column, content, f"front.{style}")

    def span(self, row: int, first: int, last: int, content: Content, style: str) -> Expr:
        """Write one cell over several columns, which keeps its row's height."""
        if last > first:
            self._target.merge_range(row, first, row, last, "", self.book.style(f"front.{style}"))
        return self.write(row, first, content, style)

    def across(
        self, row: int, first: int, last: int, content: Content, style: str, *, is_bold: bool = False
    ) -> Expr:
        """Write a text over several columns, as many lines high as it needs."""
        cell = self.span(row, first, last, content, style)
        points = style_properties(f"front.{style}")["font_size"]
        width = sum(self.widths[first : last + 1])
        lines = count_lines(str(cell.value), width, points=points, is_bold=is_bold)
        self._target.set_row(row, LINE * lines * points / TEXT_POINTS + PADDING)
        return cell

    def fit(self, row: int, texts: Iterable[tuple[Any, float, bool]]) -> None:
        """Set the height of a row to what its texts need.

        texts: each with its width in characters, and whether it is bold.
        """
        lines = [count_lines(str(text), width, is_bold=is_bold) for text, width, is_bold in texts]
        self._target.set_row(row, LINE * max(lines, default=1) + PADDING)

    def section(self, row: int, words: Content, first: int = 0, last: int | None = None) -> int:
        """Write a heading over the columns of a table, and return the row below it."""
        for column in range(first, (self.last if last is None else last) + 1):
            self.write(row, column, words if column == first else "", "front_section")
        self._target.set_row(row, 18)
        return row + 1

    def gap(self, row: int) -> int:
        """Leave a low row empty, and return the row below it."""
        self._target.set_row(row, GAP)
        return row + 1

    def amber(self, row: int, words: Content, first: int = 0, last: int | None = None) -> int:
        """Write a bar with an open risk, and return the row below it."""
        end = self.last if last is None else last
        self.across(row, first, end, words, "front_amber", is_bold=True)
        return row + 1

    def own(self, row: int, first: int, last: int) -> None:
        """Leave cells for the reader, as one."""
        look = self.book.style("front.own")
        if last > first:
            self._target.merge_range(row, first, row, last, "", look)
        self.write(row, first, "", "own")

    def choice(self, area: tuple[int, int, int, int], words: Sequence[str]) -> None:
        """Offer words to choose from in cells of the reader. area: first row and column, last row and column."""
        rule = {
            "validate": "list",
            "source": list(words),
            "error_title": "Choose one",
            "error_message": f"Choose one of: {', '.join(words)}.",
        }
        self._target.data_validation(*area, rule)

    def mark_due(self, area: tuple[int, int, int, int]) -> None:
        """Show dates in red that are due within 14 days of the day of writing, also those that have passed."""
        day = int(self.form.written_day) + DUE_DAYS
        self._mark(area, f"AND(ISNUMBER({{cell}}),{{cell}}>0,{{cell}}<{day + 1})", DUE_COLOR)

    def mark_below(self, area: tuple[int, int, int, int], limit: float) -> None:
        """Show numbers below a limit in red."""
        self._mark(area, f"AND(ISNUMBER({{cell}}),{{cell}}<{limit})", DUE_COLOR)

    def mark_words(self, area: tuple[int, int, int, int], words: Sequence[str]) -> None:
        """Show cells in amber that begin with one of some words."""
        tests = ",".join(f'LEFT({{cell}},{len(word)})="{word}"' for word in words)
        self._mark(area, f"OR({tests})", OPEN_COLOR)

    def _mark(self, area: tuple[int, int, int, int], rule: str, color: str) -> None:
        """Color cells by a rule over the first of them, which the program moves with each cell."""
        first = f"{column_letters(area[1])}{area[0] + 1}"
        look = self.book.workbook.add_format({"font_color": color, "bold": True})
        options = {"type": "formula", "criteria": f"={rule.format(cell=first)}", "format": look}
        self._target.conditional_format(*area, options)

    def finish(self, last_row: int, *, repeated_row: int | None = None) -> None:
        """Set how the page prints, up to a row: on one page if its text is then no smaller than 7 points.

        repeated_row: the headings that a further page begins with.
        """
        target = self._target
        target.set_landscape()
        target.set_paper(PAPERS[self.form.paper])
        target.set_margins(**MARGINS)
        target.set_header(f"&L&9{_kept(self.form.project)}&R&9{INTERNAL}")
        target.set_footer(f"&L&9&A&C&9{_kept(self.form.written)}&R&9Page &P of &N")
        target.print_area(0, 0, last_row, self.columns - 1)
        if self.second:
            target.repeat_columns(0, REPEATED - 1)
            target.set_v_pagebreaks([self.second])
        if repeated_row is not None:
            target.repeat_rows(repeated_row)
        heights = [PIXELS_TO_POINTS * info.height for row, info in target.row_info.items() if row <= last_row]
        points = sum(heights) + ROW_POINTS * (last_row + 1 - len(heights))
        is_one_high = points <= TALLEST
        if not self.second:
            target.fit_to_pages(1, 1 if is_one_high else 0)
            return
        wide, high = ROOM[self.form.paper]  # a page that is fitted ignores where its second one begins
        scale = wide / (WIDEST * WIDEST_CHARACTER)
        target.set_print_scale(int(100 * (min(scale, high / points) if is_one_high else scale)))


REPEATED: Final = 3
"""Columns that a second page across begins with."""
HEADER_LETTERS: Final = 100
"""A page's header takes 255 characters, with its marks."""


def _kept(words: str) -> str:
    """Return words for a header, in which a sign of ours is no mark."""
    return safe_text(words)[:HEADER_LETTERS].replace("&", "&&")
