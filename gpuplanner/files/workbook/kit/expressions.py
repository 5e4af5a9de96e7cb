"""Spreadsheet expressions that carry their value: a formula and its cached result are made together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Union

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats

Value = float | str

DASH: Final = "—"
"""What a cell shows where a figure is unknown; formulas that need it show it too."""


@dataclass(frozen=True, slots=True)
class Expr:
    """A formula without its equals sign, and what it comes to. A str value is text, the dash above all.

    is_atom: a reference, a number or a call, which needs no brackets inside another expression.
    """

    text: str
    value: Value
    is_atom: bool = False

    @property
    def inner(self) -> str:
        """The text as an operand."""
        return self.text if self.is_atom else f"({self.text})"

    @property
    def number(self) -> float:
        """The value where it is known to be a number. Errors: ValueError where it is text."""
        if isinstance(self.value, str):
            raise ValueError(f"{self.text} is {self.value!r}; guard it with known()")
        return self.value

    @property
    def is_known(self) -> bool:
        """Whether the value is a number."""
        return not isinstance(self.value, str)

    def _with(self, sign: str, other: "Operand", work: Callable[[float, float], float]) -> "Expr":
        """Both with a sign between them; a dash as soon as either value is text, which is unknown."""
        that = lift(other)
        if isinstance(self.value, str) or isinstance(that.value, str):
            return Expr(f"{self.inner}{sign}{that.inner}", DASH)
        return Expr(f"{self.inner}{sign}{that.inner}", float(work(self.value, that.value)))

    def __add__(self, other: "Operand") -> "Expr":
        return self._with("+", other, lambda a, b: a + b)

    def __sub__(self, other: "Operand") -> "Expr":
        return self._with("-", other, lambda a, b: a - b)

    def __mul__(self, other: "Operand") -> "Expr":
        return self._with("*", other, lambda a, b: a * b)

    def __truediv__(self, other: "Operand") -> "Expr":
        return self._with("/", other, lambda a, b: a / b if b else 0.0)

    def __lt__(self, other: "Operand") -> "Expr":
        return self._with("<", other, lambda a, b: a < b)

    def __le__(self, other: "Operand") -> "Expr":
        return self._with("<=", other, lambda a, b: a <= b)

    def __gt__(self, other: "Operand") -> "Expr":
        return self._with(">", other, lambda a, b: a > b)

    def __ge__(self, other: "Operand") -> "Expr":
        return self._with(">=", other, lambda a, b: a >= b)

    def equals(self, other: "Operand") -> "Expr":
        """The condition self = other (== stays Python's)."""
        return self._with("=", other, lambda a, b: a == b)


Operand = Union["Expr", float, int]

LARGE: Final = 1e15
"""From here on a number is written with its exponent."""


def lift(operand: Operand) -> Expr:
    """A number as an expression; an expression as it is."""
    if isinstance(operand, Expr):
        return operand
    value = float(operand)
    is_short = value == int(value) and abs(value) < LARGE
    return Expr(repr(int(value)) if is_short else repr(value), value, is_atom=value >= 0)


def call(name: str, value: Value, *arguments: object) -> Expr:
    """A function call whose value is worked out by the caller. Arguments: expressions, ranges or plain text."""
    return Expr(f"{name}({','.join(map(_spelled, arguments))})", value, is_atom=True)


def _spelled(argument: object) -> str:
    """An argument as it stands in a formula; a column is never turned to text with its values."""
    if isinstance(argument, Expr | Range):
        return argument.text
    return str(argument)


def copy_of(cell: Expr) -> Expr:
    """A cell shown again: text stays text."""
    return Expr(cell.text, cell.value, True)


def when(condition: Expr, then: Operand | str, other: Operand | str) -> Expr:
    """IF. A str is a text answer."""
    yes, no = _answer(then), _answer(other)
    return call("IF", yes.value if condition.value and condition.is_known else no.value, condition, yes, no)


def _answer(answer: Operand | str) -> Expr:
    """An answer of a condition: text in quotes, or a number."""
    return Expr(f'"{answer}"', answer, is_atom=True) if isinstance(answer, str) else lift(answer)


def known(needs: Sequence[Expr], then: Expr) -> Expr:
    """`then` where every one of `needs` (cells) is a number, else the dash: no error cell anywhere."""
    are_there = all(need.is_known for need in needs)
    count = call("COUNT", float(sum(need.is_known for need in needs)), *needs)
    return when(count.equals(len(needs)), then if are_there else Expr(then.text, DASH, then.is_atom), DASH)


def scaled(amount: Expr, factor: Expr | None) -> Expr:
    """An amount times a factor, where there is one."""
    return amount if factor is None else amount * factor


def if_error(attempt: Expr, otherwise: str) -> Expr:
    """IFERROR: what needs a number that is not there comes to a text instead."""
    value = attempt.value if attempt.is_known else otherwise
    return call("IFERROR", value, attempt, f'"{otherwise}"')


def found_in(column: "Range", row: Expr, place: int) -> Expr:
    """A cell of a column by its row's number, which a cell says; place: of that row now, from 0."""
    return call("INDEX", column.values[place], column.area, row)


def lowest(*operands: Operand) -> Expr:
    """MIN of numbers."""
    parts = [lift(operand) for operand in operands]
    return call("MIN", min(part.number for part in parts), *parts)


def highest(*operands: Operand) -> Expr:
    """MAX of numbers."""
    parts = [lift(operand) for operand in operands]
    return call("MAX", max(part.number for part in parts), *parts)


@dataclass(frozen=True, eq=False)
class Range:
    """A column of cells and their values.

    text: as formulas say it; area: the reference with its sheet, for charts, which know no names of columns.
    """

    text: str
    values: Sequence[Value] | Floats
    area: str = ""

    @cached_property
    def _numbers(self) -> Floats:
        """The values as floats, shape (cells,); text counts 0, as a spreadsheet's sums take it."""
        if isinstance(self.values, np.ndarray):
            return self.values
        return np.array([0.0 if isinstance(value, str) else value for value in self.values], dtype=np.float64)

    @cached_property
    def is_text(self) -> npt.NDArray[np.bool_]:
        """Which cells are text; shape (cells,)."""
        if isinstance(self.values, np.ndarray):
            return np.zeros(len(self.values), dtype=np.bool_)
        return np.array([isinstance(value, str) for value in self.values], dtype=np.bool_)

    def numbers(self) -> Floats:
        """The values with 0 for text, as SUM, SUMIFS and SUMPRODUCT read them; shape (cells,). Not to be changed."""
        return self._numbers

    @property
    def unknown(self) -> int:
        """How many cells are text."""
        return int(self.is_text.sum())

    def sum(self) -> Expr:
        """SUM: text counts as nothing."""
        return call("SUM", float(self.numbers().sum()), self)

    def known_sum(self) -> Expr:
        """SUM, and the dash where any cell is text."""
        total = self.sum()
        is_text = call("SUMPRODUCT", float(self.unknown), f"--ISTEXT({self.text})")
        return when(is_text > 0, DASH, Expr(total.text, DASH if self.unknown else total.value, True))


def sum_where(amounts: Range, *conditions: tuple[Range, Operand]) -> Expr:
    """SUMIFS over numeric keys: text never becomes a pattern."""
    keep = np.ones(len(amounts.values), dtype=bool)
    words: list[object] = [amounts]
    for keys, key in conditions:
        wanted = lift(key)
        keep &= keys.numbers() == wanted.number
        words += [keys, wanted]
    return call("SUMIFS", float(amounts.numbers()[keep].sum()), *words)


def known_sum_where(amounts: Range, *conditions: tuple[Range, Operand]) -> Expr:
    """SUMIFS, and the dash where any of the cells in question is text."""
    keep = amounts.is_text.copy()
    tests = [f"ISTEXT({amounts.text})"]
    for keys, key in conditions:
        wanted = lift(key)
        keep &= keys.numbers() == wanted.number
        tests.append(f"({keys.text}={wanted.text})")
    unknown = float(keep.sum())
    total = sum_where(amounts, *conditions)
    is_text = call("SUMPRODUCT", unknown, "*".join(tests))
    return when(is_text > 0, DASH, Expr(total.text, DASH if unknown else total.value, True))
