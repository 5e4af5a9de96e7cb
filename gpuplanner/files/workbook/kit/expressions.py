"""Expressions of cells: formulas as text with their values, and the functions that these values are worked out by."""

import math
import operator
from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache, cached_property, lru_cache, partial, reduce
from typing import Any, Final, Union

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

NA: Final = "#N/A"
"""What a formula with an error comes to, until IFERROR takes it."""


class Empty(float):
    """What an empty cell comes to: 0 in a sum, and yet neither a number nor a text that is there."""

    __slots__ = ()


NO_NUMBER: Final = (str, Empty)
"""What is text or empty. A union of types would be made anew for each cell that is asked."""


def is_error(value: Any) -> bool:
    """Whether a value is an error."""
    return isinstance(value, str) and value == NA


def elementwise(sign: str, *values: Any) -> Any:
    """A sign between two values; of arrays one by one. Arrays of numbers alone are worked out as a whole."""
    if not any(isinstance(value, np.ndarray) for value in values):
        return scalar(sign, *values)
    is_plain = sign in _WHOLE and not any(isinstance(value, str) or _is_mixed(value) for value in values)
    if is_plain and not (sign == "/" and np.any(np.equal(values[-1], 0))):
        return _WHOLE[sign](*(np.asarray(value, dtype=np.float64) for value in values))
    found = np.frompyfunc(partial(scalar, sign), len(values), 1)(*values)
    return np.asarray(found, dtype=object)


def _is_mixed(value: Any) -> bool:
    """Whether it is an array with texts or empty cells among its numbers."""
    return isinstance(value, np.ndarray) and value.dtype.hasobject


def scalar(sign: str, *values: Any) -> Any:
    """A sign between two values that are no arrays; an error of either is one of both."""
    try:
        return NA if NA in values else SIGNS[sign](*values)
    except (TypeError, ZeroDivisionError, OverflowError):
        return NA


def _ranked(value: Any) -> tuple[bool, Any]:
    """A spreadsheet sorts all text behind all numbers, and does not tell capitals."""
    return (True, value.casefold()) if isinstance(value, str) else (False, value)


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, Empty) or isinstance(other, Empty):
        return (
            (one or other or 0) in ("", 0) if isinstance(one, str) or isinstance(other, str) else one == other
        )
    return _ranked(one) == _ranked(other)


def _by_rank(work: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def ranked(left: Any, right: Any) -> bool:
        has_text = isinstance(left, str) or isinstance(right, str)
        return work(_ranked(left), _ranked(right)) if has_text else work(left, right)

    return ranked


def _concatenated(one: Any, other: Any) -> str:
    return "".join(each if isinstance(each, str) else f"{each:.15g}" for each in (one, other))


SIGNS: Final[Mapping[str, Callable[..., Any]]] = {
    "=": _equal,
    "<>": lambda one, other: not _equal(one, other),
    "&": _concatenated,
    "<": _by_rank(operator.lt),
    "<=": _by_rank(operator.le),
    ">": _by_rank(operator.gt),
    ">=": _by_rank(operator.ge),
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "^": operator.pow,
    "negated": operator.neg,
    "ABS": abs,
}
"""What a sign between two values comes to."""
_WHOLE: Final[Mapping[str, Callable[..., Any]]] = {
    "=": np.equal,
    "<>": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
    "negated": np.negative,
    "ABS": np.abs,
}
"""The same between arrays of numbers; quotients are worked out one by one where some have no value."""


def called(name: str, function: Callable[..., Any], values: Sequence[Any]) -> Any:
    """What a function comes to; an error of an argument, or of the function itself, is one of the call."""
    if name not in _TAKE_ERRORS and any(map(is_error, values)):
        return NA
    try:
        return function(*values)
    except (TypeError, ValueError, IndexError, ArithmeticError):
        return NA


_TAKE_ERRORS: Final = frozenset(("COUNT", "ISNUMBER", "ISTEXT"))


def _numbers_in(values: Sequence[Any]) -> Sequence[float] | Floats:
    """The numbers among cells and columns; text and empty cells are passed over."""
    if np.ndarray not in map(type, values):
        return [value for value in values if not isinstance(value, NO_NUMBER)]
    numbers = []
    for value in values:
        is_plain = isinstance(value, np.ndarray) and not _is_mixed(value)
        cells = value.tolist() if _is_mixed(value) else [value]
        numbers.append(value if is_plain else [each for each in cells if not isinstance(each, NO_NUMBER)])
    return np.concatenate(numbers).astype(np.float64)


def _each(holds: Callable[[Any], Any], value: Any) -> Any:
    """A question of a cell, or of each of a column."""
    if not isinstance(value, np.ndarray):
        return holds(value)
    if not _is_mixed(value):
        return np.full(len(value), holds(0.0))
    return np.array([holds(one) for one in value.tolist()])


def _sum_of_products(*columns: Any) -> Any:
    """Text counts as nothing, an error is one."""
    product: Any = 1.0
    for column in columns:
        values = np.asarray(column)
        if _is_mixed(values):
            if any(map(is_error, values.ravel().tolist())):
                return NA
            values = np.array(
                [0.0 if isinstance(one, str) else float(one) for one in values.ravel().tolist()]
            )
        product = product * values
    return float(np.sum(product))


def _matches(column: Any, criterion: Any) -> npt.NDArray[np.bool_]:
    """Which cells of a column meet a criterion: a number, text, or a sign with either."""
    match = lazy_re(r"(<>|<=|>=|[=<>])(.*)").match(criterion) if isinstance(criterion, str) else None
    sign, wanted = ("=", criterion) if match is None else (match[1], match[2])
    if isinstance(wanted, str):
        with suppress(ValueError):
            wanted = float(wanted)
    if sign == "<>":
        return ~_matches(column, wanted)
    if isinstance(wanted, str):
        met = [isinstance(one, str) and SIGNS[sign](one, wanted) for one in column.tolist()]
    elif _is_mixed(column):
        met = [not isinstance(one, str) and SIGNS[sign](one, wanted) for one in column.tolist()]
    else:
        met = _WHOLE[sign](column, wanted)
    return np.asarray(met, dtype=np.bool_)


def _all_met(*conditions: Any) -> npt.NDArray[np.bool_]:
    """conditions: a column and its criterion, by turns."""
    met = [_matches(column, wanted) for column, wanted in zip(conditions[::2], conditions[1::2], strict=True)]
    return np.asarray(np.logical_and.reduce(met), dtype=np.bool_)


def _where(column: Any, conditions: Sequence[Any]) -> Sequence[float] | Floats:
    return _numbers_in([column[_all_met(*conditions)]])


def _ranked_number(column: Any, rank: float) -> float:
    """The number that is so many from the smallest on."""
    numbers = _numbers_in([column])
    return float(np.partition(numbers, int(rank) - 1)[int(rank) - 1])


def _place(wanted: Any, column: Any, _exactly: Any) -> Any:
    return next((place for place, cell in enumerate(column.tolist(), 1) if _equal(cell, wanted)), NA)


def _found(column: Any, place: Any, across: Any = 0) -> Any:
    if is_error(place):
        return NA
    return column[int(place) - 1] if place else column


def _least(numbers: Sequence[float] | Floats) -> float:
    """0 of none, as a spreadsheet has it."""
    return (
        float(np.min(numbers) if isinstance(numbers, np.ndarray) else min(numbers)) if len(numbers) else 0.0
    )


def _most(numbers: Sequence[float] | Floats) -> float:
    return 0.0 - _least(
        [-number for number in numbers] if isinstance(numbers, list) else -np.asarray(numbers)
    )


def _rounded(value: float, digits: float) -> float:
    """Halves go away from 0, as a spreadsheet has it."""
    scale = 10.0**digits
    return float(math.copysign(math.floor(abs(value) * scale + 0.5), value) / scale)


def _rounded_up(value: float, digits: float) -> float:
    scale = 10.0**digits
    return float(math.copysign(math.ceil(round(abs(value) * scale, 9)), value) / scale)


_EPOCH: Final = datetime(1899, 12, 30)


def _day(serial: float) -> datetime:
    return _EPOCH + timedelta(days=serial)


def _serial(moment: datetime) -> float:
    return (moment - _EPOCH) / timedelta(days=1)


def _months_later(serial: float, months: float) -> float:
    """Of a first of a month; the day of others is kept as a spreadsheet keeps it, no later than the month's last."""
    year, month = divmod(_day(serial).year * 12 + _day(serial).month - 1 + int(months), 12)
    last = monthrange(year, month + 1)[1]
    return _serial(datetime(year, month + 1, min(_day(serial).day, last)))


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "ABS": partial(elementwise, "ABS"),
    "AND": lambda *values: all(map(bool, values)),
    "COUNT": lambda *values: len(_numbers_in(values)),
    "COUNTIF": lambda *conditions: int(_all_met(*conditions).sum()),
    "COUNTIFS": lambda *conditions: int(_all_met(*conditions).sum()),
    "DATE": lambda year, month, day: _serial(datetime(int(year), int(month), int(day))),
    "DATEVALUE": lambda text: _serial(datetime.fromisoformat(text)),
    "EDATE": _months_later,
    "FIND": lambda part, text: text.index(part) + 1,
    "FIXED": lambda value, digits: f"{_rounded(value, digits):,.{int(digits)}f}",
    "INDEX": _found,
    "INT": math.floor,
    "ISNUMBER": partial(_each, lambda value: not isinstance(value, NO_NUMBER)),
    "ISTEXT": partial(_each, lambda value: isinstance(value, str)),
    "LARGE": lambda column, rank: _ranked_number(column, len(_numbers_in([column])) + 1 - int(rank)),
    "LOG10": math.log10,
    "LEFT": lambda text, count: text[: int(count)],
    "MATCH": _place,
    "MAX": lambda *values: _most(_numbers_in(values)),
    "MID": lambda text, first, count: text[int(first) - 1 : int(first) - 1 + int(count)],
    "MIN": lambda *values: _least(_numbers_in(values)),
    "MONTH": lambda serial: _day(serial).month,
    "N": lambda value: 0.0 if isinstance(value, str) else value,
    "NA": lambda: NA,
    "NOT": lambda value: not value,
    "OR": lambda *values: any(map(bool, values)),
    "POWER": operator.pow,
    "ROUND": _rounded,
    "ROUNDUP": _rounded_up,
    "ROWS": len,
    "SMALL": _ranked_number,
    "SQRT": math.sqrt,
    "SUM": lambda *values: float(np.sum(_numbers_in(values))),
    "SUMIF": lambda column, wanted, amounts: float(np.sum(_where(amounts, (column, wanted)))),
    "SUMIFS": lambda column, *conditions: float(np.sum(_where(column, conditions))),
    "SUMPRODUCT": _sum_of_products,
    "TIMEVALUE": lambda text: _serial(datetime.fromisoformat(f"1899-12-30T{text}")),
    "UPPER": str.upper,
    "VALUE": float,
    "YEAR": lambda serial: _day(serial).year,
    "_xlfn.MAXIFS": lambda column, *conditions: _most(_where(column, conditions)),
    "_xlfn.MINIFS": lambda column, *conditions: _least(_where(column, conditions)),
}
"""What a function of a spreadsheet comes to, by its name in the file."""

BY_ROW: Final[Mapping[str, Callable[..., Any]]] = {
    **{name: FUNCTIONS[name] for name in ("ABS", "ISNUMBER", "ISTEXT", "ROUND")},
    "MAX": lambda *values: reduce(np.maximum, values),
    "MIN": lambda *values: reduce(np.minimum, values),
    "MOD": np.mod,
    "SUM": lambda columns: columns.sum(axis=-1),
    "SUMIF": lambda labels, wanted, columns: columns[:, labels == wanted].sum(axis=-1),
    "SUMPRODUCT": lambda columns: columns.sum(axis=-1),
}
"""The same of what stands in each row; neighbouring columns have the shape (rows, columns)."""


Value = float | str

DASH: Final = "—"
"""What a cell shows where a figure is unknown; formulas that need it show it too."""


_COMPARED = dict.fromkeys(("=", "<>", "<", "<=", ">", ">="), 1)
BINDING: Final = {**_COMPARED, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 5}
"""How tightly a sign binds what stands beside it."""
LOOSE, OF_A_SIGN, ATOM = 0, 6, 9
"""Nothing binds an argument; the sign of a number binds it; nothing tears a reference, a number or a call apart."""


@dataclass(slots=True)
class Expr:
    """A formula without its equals sign, and what it comes to. A str value is text, the dash above all.

    Nobody changes one: it is not frozen because a book makes a million, at three times the cost.
    binding: of its loosest sign; beside a tighter one it stands in brackets.
    """

    text: str
    value: Value
    binding: int = ATOM

    def __hash__(self) -> int:
        return hash(self.text)

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

    def named(self, name: str) -> "Expr":
        """The cell by the name that it has in the book."""
        return Expr(name, self.value)

    def _with(self, sign: str, other: "Number") -> "Expr":
        that = lift(other)
        text = _joined(sign, self.text, self.binding, that.text, that.binding)
        return Expr(text, _plain(scalar(sign, self.value, that.value)), BINDING[sign])

    def __add__(self, other: "Number") -> "Expr":
        return self._with("+", other)

    def __sub__(self, other: "Number") -> "Expr":
        return self._with("-", other)

    def __mul__(self, other: "Number") -> "Expr":
        return self._with("*", other)

    def __truediv__(self, other: "Number") -> "Expr":
        return self._with("/", other)

    def __lt__(self, other: "Number") -> "Expr":
        return self._with("<", other)

    def __le__(self, other: "Number") -> "Expr":
        return self._with("<=", other)

    def __gt__(self, other: "Number") -> "Expr":
        return self._with(">", other)

    def __ge__(self, other: "Number") -> "Expr":
        return self._with(">=", other)

    def equals(self, other: "Number") -> "Expr":
        """The condition self = other (== stays Python's)."""
        return self._with("=", other)


Number = Union["Expr", float, int]

LARGE: Final = 1e15
"""From here on a number is written with its exponent."""


def lift(operand: Number) -> Expr:
    """A number as an expression; an expression as it is."""
    return operand if isinstance(operand, Expr) else _number(operand)


@lru_cache(1024)
def _number(operand: float) -> Expr:
    """Most are the few that formulas have in every row."""
    value = float(operand)
    is_short = value == int(value) and abs(value) < LARGE
    return Expr(repr(int(value)) if is_short else repr(value), value, ATOM if value >= 0 else LOOSE)


def call(name: str, *arguments: "Operand") -> Expr:
    """A call of one of FUNCTIONS. A str argument is text, in quotes."""
    value = called(name, FUNCTIONS[name], [_held(argument) for argument in arguments])
    return Expr(f"{name}({','.join([_spelled(one)[0] for one in arguments])})", _plain(value))


def when(condition: Expr, then: Number | str, other: Number | str) -> Expr:
    """IF. A str is a text answer."""
    yes, no = _answer(then), _answer(other)
    value = yes.value if condition.value and condition.is_known else no.value
    return Expr(f"IF({condition.text},{yes.text},{no.text})", value)


def _answer(answer: Number | str) -> Expr:
    """An answer of a condition: text in quotes, or a number."""
    return Expr(f'"{answer}"', answer) if isinstance(answer, str) else lift(answer)


UNKNOWN: Final = _answer(DASH)
"""The dash as a formula, in a column of formulas."""


def known(needs: Sequence[Expr], then: Expr) -> Expr:
    """`then` where every one of `needs` (cells) is a number, else the dash: no error cell anywhere."""
    are_there = not any(isinstance(need.value, NO_NUMBER) for need in needs)
    count = f"COUNT({','.join([need.text for need in needs])})={len(needs)}"
    return Expr(f'IF({count},{then.text},"{DASH}")', then.value if are_there else DASH)


def of_the_book(text: str, value: Value) -> Expr:
    """A formula over what a reader does to the book later (rows that came or went, inputs that are others than they
    were, cells that are no formula any more), and what it comes to while nobody has."""
    return Expr(text, value)


def scaled(amount: Expr, factor: Expr | None) -> Expr:
    """An amount times a factor, where there is one."""
    return amount if factor is None else amount * factor


def if_error(attempt: Expr, otherwise: str) -> Expr:
    """IFERROR: what needs a number that is not there comes to a text instead."""
    value = attempt.value if attempt.is_known else otherwise
    return Expr(f'IFERROR({attempt.text},"{otherwise}")', value)


def added(parts: Sequence[Expr]) -> Expr:
    """All parts added up, 0 of none."""
    return reduce(lambda one, other: one + other, parts) if parts else lift(0)


def lowest(*operands: Number) -> Expr:
    """MIN of numbers."""
    return call("MIN", *map(lift, operands))


def highest(*operands: Number) -> Expr:
    """MAX of numbers."""
    return call("MAX", *map(lift, operands))


@dataclass(frozen=True, eq=False)
class Range:
    """A column of cells and their values.

    text: as formulas say it; area: the reference with its sheet, for charts, which know no names of columns.
    """

    text: str
    values: Sequence[Value] | Floats
    area: str = ""
    binding: int = ATOM

    @cached_property
    def array(self) -> npt.NDArray[Any]:
        """The values as formulas read them: floats, or objects where some are text or empty; shape (cells,)."""
        if isinstance(self.values, np.ndarray):
            return self.values
        is_mixed = any(isinstance(value, NO_NUMBER) for value in self.values)
        return np.array(self.values, dtype=object if is_mixed else np.float64)

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
        return call("SUM", self)

    def known_sum(self) -> Expr:
        """SUM, and the dash where any cell is text."""
        return when(formula("SUMPRODUCT(--ISTEXT({cells}))>0", cells=self), DASH, self.sum())


def sum_where(amounts: Range, *conditions: tuple[Range, Number]) -> Expr:
    """SUMIFS over numeric keys: text never becomes a pattern."""
    return call("SUMIFS", amounts, *(one for keys, key in conditions for one in (keys, lift(key))))


def known_sum_where(amounts: Range, *conditions: tuple[Range, Number]) -> Expr:
    """SUMIFS, and the dash where any of the cells in question is text."""
    given: Operands = {"amounts": amounts}
    tests = ["ISTEXT({amounts})"]
    for place, (keys, key) in enumerate(conditions):
        given |= {f"keys{place}": keys, f"key{place}": lift(key)}
        tests.append(f"({{keys{place}}}={{key{place}}})")
    is_text = formula(f"SUMPRODUCT({'*'.join(tests)})>0", **given)
    return when(is_text, DASH, sum_where(amounts, *conditions))


# --- Formulas as a spreadsheet spells them: what one comes to follows from its text and the cells in it

Operand = Union["Expr", "Range", float, int, str]
"""What stands in a formula: a cell or another formula, a column, a number, text."""
Operands = dict[str, Operand]


def formula(template: str, /, **operands: Operand) -> Expr:
    """A formula in the words of a spreadsheet, and what it comes to; `{name}` stands for an operand.

    Brackets stand where they are needed. Errors: ValueError for what is no formula; KeyError for a function that
    FUNCTIONS lacks, or an operand not given.

    >>> formula("IF({here}>0,ROUNDUP({here}/8,0),{none})", here=Expr("A1", 20.0), none="none")
    Expr(text='IF(A1>0,ROUNDUP(A1/8,0),"none")', value=3.0, binding=9)
    """
    read = _read(template)
    text, binding = read.text(operands)
    return Expr(text, _plain(read.value(operands)), binding)


def by_row(template: str, /, **operands: Operand) -> Range:
    """A formula that has a number for each row of a column, for others to be worked out from.

    Functions take what stands in the row: MAX the greater of two columns, SUM neighbouring columns (rows, columns).
    """
    read = _read(template, is_by_row=True)
    text, binding = read.text(operands)
    return Range(text, read.value(operands), binding=binding)


def summed(parts: Sequence[Range]) -> Range:
    """What several formulas have for each row, added up; 0 of none, and those that are 0 need no cell."""
    there = [part for part in parts if part.text != "0"]
    if not there:
        return Range("0", parts[0].values if parts else np.zeros(1))
    return reduce(lambda one, other: by_row("{one}+{other}", one=one, other=other), there)


def _spelled(operand: Operand) -> tuple[str, int]:
    """An operand as it stands in a formula, and how tightly it binds; a column is never spelled with its values."""
    if isinstance(operand, str):
        return f'"{operand}"', ATOM
    shown = operand if isinstance(operand, Range) else lift(operand)
    return shown.text, shown.binding


def _held(operand: Operand) -> Any:
    """What an operand comes to: a number, text, or an array of them."""
    if isinstance(operand, Expr):
        return operand.value
    return operand.array if isinstance(operand, Range) else operand


def _plain(value: Any) -> Value:
    """An answer as a cell has it: a number or text, of which an error is one."""
    return value if isinstance(value, str) else float(value)


_Given = Mapping[str, Operand]

_TOKEN: Final = lazy_re(
    r'\s*(?:(?P<number>\d+\.?\d*(?:[eE][-+]?\d+)?)|"(?P<text>(?:[^"]|"")*)"|\{(?P<operand>\w+)\}'
    r"|(?P<name>[A-Za-z_][\w.]*)|(?P<sign><>|<=|>=|[-+*/^&=<>(),]))"
)


@dataclass(frozen=True, slots=True)
class _Node:
    """A part of a template: what it comes to, and its text with how tightly its loosest sign binds."""

    value: Callable[[_Given], Any]
    text: Callable[[_Given], tuple[str, int]]


@cache
def _read(template: str, is_by_row: bool = False) -> _Node:
    """Read a template once, however many cells have it."""
    tokens, at = [], 0
    while at < len(template.rstrip()):
        match = _TOKEN.match(template, at)
        if match is None:
            raise ValueError(f"{template!r} is no formula at {template[at:]!r}")
        tokens.append((match.lastgroup or "", match[match.lastgroup or 0]))
        at = match.end()
    reader = _Reader(tokens, BY_ROW if is_by_row else FUNCTIONS)
    node = reader.signs()
    if reader.tokens:
        raise ValueError(f"{template!r} goes on with {reader.tokens[-1][1]!r}")
    return node


def _joined(sign: str, left: str, of_left: int, right: str, of_right: int) -> str:
    """Two parts with a sign between them, each in brackets where the sign would tear it apart."""
    binding = BINDING[sign]
    before = f"({left})" if of_left < binding else left
    is_torn = of_right < binding or (of_right == binding and sign not in "+*")
    return f"{before}{sign}({right})" if is_torn else f"{before}{sign}{right}"


def _constant(text: str, value: Any) -> _Node:
    return _Node(lambda operands: value, lambda operands: (text, ATOM))


def _both(sign: str, left: _Node, right: _Node) -> _Node:
    def text(operands: _Given) -> tuple[str, int]:
        return _joined(sign, *left.text(operands), *right.text(operands)), BINDING[sign]

    def value(operands: _Given) -> Any:
        one, other = left.value(operands), right.value(operands)
        if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
            return elementwise(sign, one, other)
        return scalar(sign, one, other)

    return _Node(value, text)


class _Reader:
    """Reads tokens by precedence, as a spreadsheet does: comparisons, &, sums, products, powers, signs."""

    def __init__(
        self, tokens: Sequence[tuple[str, str]], functions: Mapping[str, Callable[..., Any]]
    ) -> None:
        """tokens: kind and text of each."""
        self.tokens, self.functions = list(reversed(tokens)), functions

    def signs(self, binding: int = 1) -> _Node:
        """Signs that bind so tightly, between operands whose own signs bind more."""
        if binding > BINDING["^"]:
            return self.signed()
        left = self.signs(binding + 1)
        while self.tokens and self.tokens[-1][0] == "sign" and BINDING.get(self.tokens[-1][1]) == binding:
            left = _both(self.tokens.pop()[1], left, self.signs(binding + 1))
        return left

    def signed(self) -> _Node:
        if not self._is_next("-"):
            return self.single()
        self.tokens.pop()
        of = self.signed()

        def text(operands: _Given) -> tuple[str, int]:
            inner, binding = of.text(operands)
            return f"-({inner})" if binding < OF_A_SIGN else f"-{inner}", OF_A_SIGN

        return _Node(lambda operands: elementwise("negated", of.value(operands)), text)

    def single(self) -> _Node:
        kind, text = self.tokens.pop()
        if kind == "number":
            return _constant(text, float(text))
        if kind == "text":
            return _constant(f'"{text}"', text.replace('""', '"'))
        if kind == "operand":
            return _Node(lambda operands: _held(operands[text]), lambda operands: _spelled(operands[text]))
        if kind == "name":
            return self._call(text) if self._is_next("(") else _constant(text, text == "TRUE")
        if text != "(":
            raise ValueError(f"{text!r} begins no operand")
        inner = self.signs()
        self._close()
        return inner

    def _call(self, name: str) -> _Node:
        self.tokens.pop()  # its bracket
        arguments: list[_Node] = []
        while not self._is_next(")"):
            arguments.append(self.signs())
            if self._is_next(","):
                self.tokens.pop()
        self._close()

        def text(operands: _Given) -> tuple[str, int]:
            return f"{name}({','.join([argument.text(operands)[0] for argument in arguments])})", ATOM

        if name in _LAZY:
            return _Node(partial(_LAZY[name], arguments), text)
        function = self.functions[name]
        return _Node(
            lambda operands: called(name, function, [argument.value(operands) for argument in arguments]),
            text,
        )

    def _is_next(self, sign: str) -> bool:
        return bool(self.tokens) and self.tokens[-1] == ("sign", sign)

    def _close(self) -> None:
        if not self._is_next(")"):
            raise ValueError("a bracket is not closed")
        self.tokens.pop()


def _if(arguments: Sequence[_Node], operands: _Given) -> Any:
    """Only the answer that is asked for is worked out; row by row both."""
    condition = arguments[0].value(operands)
    if isinstance(condition, np.ndarray):
        return np.asarray(
            np.where(condition, arguments[1].value(operands), arguments[2].value(operands)), dtype=np.float64
        )
    if is_error(condition) or isinstance(condition, str):
        return NA
    return arguments[1 if condition else 2].value(operands)


def _if_error(arguments: Sequence[_Node], operands: _Given) -> Any:
    found = arguments[0].value(operands)
    return arguments[1].value(operands) if is_error(found) else found


_LAZY: Final[Mapping[str, Callable[[Sequence[_Node], _Given], Any]]] = {"IF": _if, "IFERROR": _if_error}
