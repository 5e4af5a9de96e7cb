"""Spreadsheet expressions that carry their value: what a formula comes to follows from its text and its cells."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial, reduce
from typing import Any, Final, Union

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats
from gpuplanner.files.workbook.kit.functions import (
    BY_ROW,
    FUNCTIONS,
    NA,
    Empty,
    called,
    elementwise,
    is_error,
    scalar,
)

Value = float | str

DASH: Final = "—"
"""What a cell shows where a figure is unknown; formulas that need it show it too."""


_COMPARED = dict.fromkeys(("=", "<>", "<", "<=", ">", ">="), 1)
BINDING: Final = {**_COMPARED, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 5}
"""How tightly a sign binds what stands beside it."""
LOOSE, OF_A_SIGN, ATOM = 0, 6, 9
"""Nothing binds an argument; the sign of a number binds it; nothing tears a reference, a number or a call apart."""


@dataclass(frozen=True, slots=True)
class Expr:
    """A formula without its equals sign, and what it comes to. A str value is text, the dash above all.

    binding: of its loosest sign; beside a tighter one it stands in brackets.
    """

    text: str
    value: Value
    binding: int = ATOM

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
        text = _joined(sign, (self.text, self.binding), (that.text, that.binding))
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
    if isinstance(operand, Expr):
        return operand
    value = float(operand)
    is_short = value == int(value) and abs(value) < LARGE
    return Expr(repr(int(value)) if is_short else repr(value), value, ATOM if value >= 0 else LOOSE)


def call(name: str, *arguments: "Operand") -> Expr:
    """A call of one of FUNCTIONS. A str argument is text, in quotes."""
    value = called(name, FUNCTIONS[name], [_held(one) for one in arguments])
    return Expr(f"{name}({','.join(_spelled(one)[0] for one in arguments)})", _plain(value))


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
    are_there = all(need.is_known for need in needs)
    count = call("COUNT", *needs)
    return when(count.equals(len(needs)), then if are_there else replace(then, value=DASH), DASH)


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
        is_mixed = any(isinstance(value, str | Empty) for value in self.values)
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
    value = read.value(operands)
    return Expr(text, _plain(value), binding)


def by_row(template: str, /, **operands: Operand) -> Range:
    """A formula that has a number for each row of a column, for others to be worked out from.

    Functions take what stands in the row: MAX the greater of two columns, SUM neighbouring columns (rows, columns).
    """
    read = _read(template, is_by_row=True)
    text, binding = read.text(operands)
    value = read.value(operands)
    return Range(text, value, binding=binding)


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
    shown = operand if isinstance(operand, Expr | Range) else lift(operand)
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

_TOKEN: Final = re.compile(
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
        found = _TOKEN.match(template, at)
        if found is None:
            raise ValueError(f"{template!r} is no formula at {template[at:]!r}")
        tokens.append((found.lastgroup or "", found[found.lastgroup or 0]))
        at = found.end()
    reader = _Reader(tokens, BY_ROW if is_by_row else FUNCTIONS)
    node = reader.compared()
    if reader.tokens:
        raise ValueError(f"{template!r} goes on with {reader.tokens[-1][1]!r}")
    return node


def _joined(sign: str, left: tuple[str, int], right: tuple[str, int]) -> str:
    """Two parts with a sign between them, each in brackets where the sign would tear it apart."""
    binding = BINDING[sign]
    before = f"({left[0]})" if left[1] < binding else left[0]
    is_torn = right[1] < binding or (right[1] == binding and sign not in "+*")
    return f"{before}{sign}({right[0]})" if is_torn else f"{before}{sign}{right[0]}"


def _constant(text: str, value: Any) -> _Node:
    return _Node(lambda operands: value, lambda operands: (text, ATOM))


def _both(sign: str, left: _Node, right: _Node) -> _Node:
    def text(operands: _Given) -> tuple[str, int]:
        return _joined(sign, left.text(operands), right.text(operands)), BINDING[sign]

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

    def compared(self) -> _Node:
        return self._signs(self.joined, {"=", "<>", "<", "<=", ">", ">="})

    def joined(self) -> _Node:
        return self._signs(self.added, {"&"})

    def added(self) -> _Node:
        return self._signs(self.multiplied, {"+", "-"})

    def multiplied(self) -> _Node:
        return self._signs(self.raised, {"*", "/"})

    def raised(self) -> _Node:
        return self._signs(self.signed, {"^"})

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
        inner = self.compared()
        self._close()
        return inner

    def _call(self, name: str) -> _Node:
        self.tokens.pop()  # its bracket
        arguments: list[_Node] = []
        while not self._is_next(")"):
            arguments.append(self.compared())
            if self._is_next(","):
                self.tokens.pop()
        self._close()

        def text(operands: _Given) -> tuple[str, int]:
            return f"{name}({','.join(argument.text(operands)[0] for argument in arguments)})", ATOM

        if name in _LAZY:
            return _Node(partial(_LAZY[name], arguments), text)
        function = self.functions[name]
        return _Node(
            lambda operands: called(name, function, [argument.value(operands) for argument in arguments]),
            text,
        )

    def _signs(self, of: Callable[[], _Node], signs: Collection[str]) -> _Node:
        left = of()
        while self.tokens and self.tokens[-1][0] == "sign" and self.tokens[-1][1] in signs:
            left = _both(self.tokens.pop()[1], left, of())
        return left

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
