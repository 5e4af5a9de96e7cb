"""Demand: one row an hour. Columns are inputs from the log, or formulas over the other columns."""

from collections.abc import Hashable, Iterator, Mapping, Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.demand.slicing import months_back
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.cube import WEEK_HOURS
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, cluster_words
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.cells import area, column_letters, day_number, escaped
from gpuplanner.files.workbook.kit.expressions import Expr, Range, added, by_row, call, formula
from gpuplanner.files.workbook.kit.sheets import CALC_DEMAND
from gpuplanner.lazy_dataclass import dataclass, replace

HEAD = plain_table("demand_head")
"""Rows above the hours; gpus, from, to and merit are those of the contract that a column is about."""
HEAD_ROWS = tuple(HEAD)
FIRST_HEAD_ROW = 3
ROWS_AT_A_TIME = 256
FIRST_HOUR_ROW = FIRST_HEAD_ROW + len(HEAD_ROWS)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HourColumn:
    """One column of hours. gpus etc. are cells of the head; `values` shape (hours,).

    parts: of a month in which demand comes, goes or steps, its shares and their columns, whose mean this is.
    """

    letters: str
    place: int
    values: Floats
    range: Range
    is_input: bool
    heading: str
    what: str
    parts: tuple[tuple[Expr, "HourColumn"], ...] = ()

    def head(self, text: str) -> str:
        """The reference of a cell of the head, for formulas of the same sheet."""
        return f"{self.letters}${FIRST_HEAD_ROW + HEAD_ROWS.index(text) + 1}"

    @property
    def here(self) -> Range:
        """The column's cell in the row of the formula that reads it; `{r}` stands for the row."""
        return Range(f"{self.letters}{{r}}", self.values)


def span(columns: Sequence[HourColumn]) -> Range:
    """Neighbouring columns in the row of the formula, shape (hours, columns)."""
    text = f"{columns[0].here.text}:{columns[-1].here.text}"
    return Range(text, np.stack([column.values for column in columns], axis=-1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What a column is about."""

    where: str
    gpu_model: str
    what: str
    pool: Pool | None = None
    contract: Expr | None = None
    gpus: Expr | None = None
    from_h: Expr | None = None
    to_h: Expr | None = None
    merit: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A column as the XML of a cell, cut where the row's number and the value come."""

    parts: tuple[str, ...]
    values: Floats
    form: str
    """Of the value: sixteen digits for what was logged, all of them for what is worked out."""

    def cells(self, numbers: Sequence[str], rows: range) -> list[str]:
        """The cells of some rows."""
        return [
            f"{number.join(self.parts)}{value:{self.form}}</v></c>"
            for number, value in zip(numbers, self.values[rows.start : rows.stop].tolist(), strict=True)
        ]


def _drawn(letters: str, style: int, formula: str | None, values: Floats) -> _Drawn:
    """A column's cells as XML with a gap for the row number; formulas carry their values with them."""
    worked_out = "" if formula is None else f"<f>{escaped(formula)}</f>"
    whole = f'<c r="{letters}{{r}}" s="{style}">{worked_out}<v>'
    return _Drawn(tuple(whole.split("{r}")), values, ".16G" if formula is None else "")


class HourSheet:
    """The Demand sheet while it is being filled, column by column from the left."""

    def __init__(self, book: Book, inputs: Inputs, named: Named) -> None:
        self.book, self.inputs, self.named = book, inputs, named
        self.hours = inputs.hours
        self.columns: dict[Hashable, HourColumn] = {}
        self._next = 0
        self._drawn: list[_Drawn] = []
        book.title(
            CALC_DEMAND,
            "Mean GPUs in each hour. Inputs come from the log, one column for each cluster, model "
            "and class or pool; the rest is worked out from them.",
        )
        for place, title in enumerate(HEAD.values()):
            book.write(CALC_DEMAND, FIRST_HEAD_ROW + place, 0, title, "heading")
        for wrapped in ("where", "gpu_model"):
            book.sheets[CALC_DEMAND].set_row(FIRST_HEAD_ROW + HEAD_ROWS.index(wrapped), 28)
        book.sheets[CALC_DEMAND].set_row(FIRST_HEAD_ROW + HEAD_ROWS.index("what"), 54)
        window = inputs.project.window
        starts = np.array([day_number(window.start_s + hour * HOUR_S) for hour in range(self.hours)])
        self._write(
            "moment",
            Heading(where="", gpu_model="", what="Hour begins (UTC)"),
            starts,
            None,
            "moment",
            is_input=True,
        )
        index = np.arange(self.hours, dtype=np.float64)
        self._write(
            "hour",
            Heading(where="", gpu_model="", what="Hour of the lookback period"),
            index,
            None,
            "count",
            is_input=True,
        )
        half_life = named.assumptions["recency_half_life_days"]
        cells: dict[str, Expr | Range] = {
            "half_life": half_life,
            "hours": named.window_hours,
            "hour": self.column("hour").here,
        }
        if inputs.ground.missing is not None:
            in_log = np.where(inputs.ground.missing, 0.0, 1.0)
            self._write(
                "known",
                Heading(where="", gpu_model="", what="In the log"),
                in_log,
                None,
                "count",
                is_input=True,
            )
            cells["known"] = self.column("known").here
        back = "{hours}-1-{hour}"
        weeks_h = f"({back}-MOD({back},{WEEK_HOURS}))"
        self.weight = self._add_weight("weight", "Weight", weeks_h, cells)
        self._by_months = self.weight
        if inputs.ground.monthly:
            titles = {"months": "Whole months to the end", "share": "Share of a month of 730 h"}
            for (key, words), values in zip(
                titles.items(), months_back(self.hours, window.end_s), strict=True
            ):
                self._write(
                    key,
                    Heading(where="", gpu_model="", what=words),
                    values.astype(np.float64),
                    None,
                    "hourly",
                    True,
                )
                cells[key] = self.column(key).here
            title = "Weight, demand with a cycle of a month"
            age_h = f"{HOURS_PER_MONTH}*{{months}}"
            self._by_months = self._add_weight("by months", title, age_h, cells, "*{share}")
        sheet = book.sheets[CALC_DEMAND]
        sheet.set_column(0, 0, 22)
        sheet.set_column(1, 2, 9)
        sheet.freeze_panes(FIRST_HOUR_ROW, 3)

    def _add_weight(
        self, key: str, title: str, age_h: str, cells: Mapping[str, Expr | Range], times: str = ""
    ) -> HourColumn:
        """Adds the weights of hours of these ages."""
        recent = f"2^(-({age_h}/24)/{{half_life}}){times}"
        known, alike = ("*{known}", "{known}") if "known" in cells else ("", "1")
        text = f"IF(ISNUMBER({{half_life}}),{recent}{known},{alike})"
        return self.add_formula(key, Heading(where="", gpu_model="", what=title), by_row(text, **cells))

    def finish(self) -> None:
        """Hand the rows over, once all columns are there."""
        last = FIRST_HOUR_ROW + self.hours - 1
        self.book.sheets[CALC_DEMAND].add_block(FIRST_HOUR_ROW, last, 0, self._next - 1, self._rows)

    def column(self, key: Hashable) -> HourColumn:
        """A column by its key. Errors: KeyError where there is none."""
        return self.columns[key]

    def find(self, key: Hashable) -> HourColumn | None:
        """A column by its key, if there is one."""
        return self.columns.get(key)

    def those(self, *keys: Hashable) -> list[HourColumn]:
        """The columns of these keys that there are, in this order."""
        return [self.columns[key] for key in keys if key in self.columns]

    def between(self, first: HourColumn, last: HourColumn) -> list[HourColumn]:
        """The columns from one to another, both among them."""
        by_place = {column.place: column for column in self.columns.values()}
        return [by_place[place] for place in range(first.place, last.place + 1)]

    def add_input(self, key: Hashable, heading: Heading, gpus: Floats) -> HourColumn:
        """A column of mean GPUs from the log."""
        return self._write(key, heading, gpus, None, "hourly", is_input=True)

    def add_formula(self, key: Hashable, heading: Heading, formula: Range) -> HourColumn:
        """A column worked out; `{r}` in the formula stands for the row."""
        values = np.broadcast_to(np.asarray(formula.values, dtype=np.float64), (self.hours,))
        return self._write(key, heading, values, formula.text, "hourly")

    def in_parts(self, key: Hashable, parts: Sequence[tuple[Expr, HourColumn]]) -> HourColumn:
        """The column of a key as the mean of these, with the share of each."""
        found = self.columns[key] = replace(self.columns[key], parts=tuple(parts))
        return found

    def next_letters(self) -> str:
        """The letters of the column that comes next."""
        return column_letters(self._next)

    def mean(self, gpus: Range, pair: Row) -> Expr:
        """Mean over the window, hours weighted by recency: by whole months for a pool and model with a cycle of one."""
        weights = (self._by_months if pair in self.inputs.ground.monthly else self.weight).range
        return call("SUMPRODUCT", weights, gpus) / weights.sum()

    def mean_between(self, column: HourColumn, pair: Row, low: Expr, size: Expr | None) -> Expr:
        """Mean GPUs of what lies above `low`, at most `size` of it (None: all), hours weighted as in `mean`.

        low and size are cells; of a month in parts it is the mean of theirs. Source: u_k, summed over the slices of a
        layer; docs/formulas/demand.md, Slices.
        """
        if column.parts:
            means = [(share, self.mean_between(part, pair, low, size)) for share, part in column.parts]
            return added([formula("{share}*{mean}", share=share, mean=mean) for share, mean in means])
        above = by_row("({column}-{low})", column=column.range, low=low)
        if size is None:
            clipped = by_row("({above}>0)*{above}", above=above)
        else:
            within = "({above}>0)*({above}<{size})*{above}+({above}>={size})*{size}"
            clipped = by_row(within, above=above, size=size)
        return self.mean(clipped, pair)

    def _write(
        self,
        key: Hashable,
        heading: Heading,
        values: Floats,
        formula: str | None,
        style: str,
        is_input: bool = False,
    ) -> HourColumn:
        """Takes the next column: its heading at once, its cells when the rows are written, hour by hour."""
        book, place = self.book, self._next
        book.check()
        self._next += 1
        letters = column_letters(place)
        if formula is not None:
            formula = book.references.written(formula, CALC_DEMAND, 0)
        whole = Range(area(CALC_DEMAND, place, FIRST_HOUR_ROW, FIRST_HOUR_ROW + self.hours - 1), values)
        words = f"{heading.where} · {heading.gpu_model} · {heading.what}"
        column = HourColumn(
            letters=letters,
            place=place,
            values=values,
            range=whole,
            is_input=is_input,
            heading=words,
            what=heading.what,
        )
        self.columns[key] = column
        self._drawn.append(_drawn(letters, book.style_number(style), formula, values))
        if place:
            self._head(column, heading, style)
        if place > 2:
            book.sheets[CALC_DEMAND].set_column(place, place, 11)
        return column

    def _rows(self) -> Iterator[str]:
        """Every hour's row: the columns are held as arrays, and become text a few rows at a time."""
        for first in range(0, self.hours, ROWS_AT_A_TIME):
            rows = range(first, min(first + ROWS_AT_A_TIME, self.hours))
            numbers = [str(FIRST_HOUR_ROW + row + 1) for row in rows]
            columns = [drawn.cells(numbers, rows) for drawn in self._drawn]
            lines = zip(numbers, zip(*columns, strict=True), strict=True)
            yield "".join([f'<row r="{number}">{"".join(cells)}</row>' for number, cells in lines])

    def _head(self, column: HourColumn, heading: Heading, style: str) -> None:
        """Writes the rows above a column: where, model, what, and the contract's own cells."""
        pool_style = "heading_right" if heading.pool is None else f"fill_{heading.pool}"
        is_amount = style == "hourly"
        cells: tuple[tuple[Expr | str, str], ...] = (
            # about no cluster or pool are the first three alone; jobs may be of a cluster without a name
            (heading.where or (cluster_words("") if column.place > 2 else ""), "heading_right"),
            (heading.gpu_model, "heading_right"),
            (heading.what, pool_style),
            (heading.contract or "", "muted_right"),
            (heading.gpus or "", "gpus"),
            (heading.from_h or "", "number"),
            (heading.to_h or "", "until"),
            (heading.merit or "", "count"),
            (column.range.sum() if is_amount else "", "hours"),
            ("from the log" if column.is_input else "detected", "muted_right"),
        )
        for place, (content, look) in enumerate(cells):
            if content != "":
                self.book.write(CALC_DEMAND, FIRST_HEAD_ROW + place, column.place, content, look)
