"""Explanations: a formula called with the row that it was worked out from, as quantities.

Figures with an explanation of their own are leaves that open it; others are written out. Nothing is worked back from
a result: what is shown as an operand went in.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from gpuplanner.domain.audit.evidence.trace import Amount, Reached, Trace, TraceColumn, TraceRow
from gpuplanner.domain.audit.evidence.trace import figure as figure_id_of
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.quantity import Number, Quantity, called, leaf
from gpuplanner.domain.figures.units import Unit
from gpuplanner.domain.message import Message, Text, joined, worded

Piece = TypeVar("Piece")

BINDS: Final = {
    "<": 0,
    "+": 1,
    "\u2212": 1,
    "\u00d7": 2,
    "\u00f7": 2,
    "least": 3,
    "discounted": 3,
    "repaid": 3,
}
"""How strongly a sign binds what stands beside it."""
_OF_CAPITAL: Final = {
    "discounted": (worded("what 1 is worth today at "), worded(" after ")),
    "repaid": (worded("what 1 costs a month at "), worded(" over ")),
}
"""Operations on a cost of capital and months, in words."""
SIDES: Final = {"\u2212", "\u00f7"}
"""Signs whose right operand needs brackets where it binds no stronger."""


@dataclass(frozen=True)
class Inputs:
    """The row that a subject's figures were worked out from.

    values: inputs by key, as they went into the formulas (GPU time, GPUs and hours exact). name: which contract or
    cluster it is, as ids have it; title: as it is called ("": the name); scope: in which hours ("": all), scope_words:
    as a title says it. labels: what an operand is called here, where that is more than its figure's name, by key;
    opens: ids of figures that explain an input, by key.
    """

    values: Mapping[str, Number | None]
    name: str
    title: Text = ""
    scope: str = ""
    scope_words: Text = ""
    labels: Mapping[str, Text] = field(default_factory=dict)
    opens: Mapping[str, str] = field(default_factory=dict)

    def figure_id(self, one: Figure) -> str:
        """The id of a figure of this row; "" where nothing opens it."""
        scope = self.scope if one.is_of_hours else one.why_scope
        return figure_id_of(one.why, self.name, scope) if one.why else ""


def quantity_of(subject: Subject, key: str, row: Inputs) -> Quantity:
    """A figure of a row as a quantity that remembers how it was reached."""
    one = subject[key]
    if key in row.values and one.formula is None:
        return _leaf(one, row.values[key], row)
    assert one.formula is not None, f"{subject.name}: {key} was not given"
    operands = {parameter: _operand(subject, parameter, row) for parameter in one.parameters}
    return called(one.formula(**operands), one.unit, one.name)


def explained(subject: Subject, key: str, row: Inputs, note: Text = "") -> Trace:
    """Why a figure of a row is what it is. note: instead of the figure's own.

    Law: its value is the one that the same formula came to over columns, to the bit.
    """
    one = subject[key]
    found = quantity_of(subject, key, row)
    amount = _amount(found, one.unit)
    return Trace(
        row.figure_id(one),
        worded(
            "{figure} of {name}{scope}", figure=one.title, name=row.title or row.name, scope=row.scope_words
        ),
        amount.value,
        amount.unit,
        one.unit.per,
        worded("{figure} = {formula}", figure=one.title, formula=in_words(found)),
        (*_pieces(found, lambda part: _amount(part, part.unit) if part.unit else part.label), " = ", amount),
        (TraceColumn(worded("Value"), "text"),),
        tuple(
            TraceRow(part.label, (_amount(part, part.unit),), part.opens)
            for part in found.leaves
            if part.unit
        ),
        Reached(),
        note or one.note,
    )


def in_words(quantity: Quantity) -> Message:
    """The formula with the names of what stands in it: `(paid GPU-h \u2212 used GPU-h) \u00d7 rate`."""
    return joined(_pieces(quantity, lambda part: part.label))


def _operand(subject: Subject, key: str, row: Inputs) -> Quantity:
    """A figure inside a formula: a leaf where it was given, or has an explanation of its own; else written out."""
    one = subject[key]
    if key in row.values:
        return _leaf(one, row.values[key], row)
    found = quantity_of(subject, key, row)
    return _leaf(one, found.value, row) if one.why else found


def _leaf(one: Figure, value: Number | None, row: Inputs) -> Quantity:
    """One input under its name, with the id of the figure that explains it further."""
    opens = row.opens[one.key] if one.key in row.opens else row.figure_id(one)
    return leaf(value, one.unit, row.labels.get(one.key, one.name), one.key, opens)


def _amount(quantity: Quantity, unit: Unit) -> Amount:
    return Amount(quantity.number, unit.key)


def _pieces(quantity: Quantity, of: Callable[[Quantity], "Piece | Text"]) -> list["Piece | Text"]:
    """Signs, brackets and what `of` makes of each leaf, from left to right."""
    if not quantity.parts:
        return [of(quantity)]
    sign = quantity.sign
    if sign == "least":
        first, second = (_pieces(part, of) for part in quantity.parts)
        return [worded("the lesser of "), *first, worded(" and "), *second]
    if sign in _OF_CAPITAL:
        a_year, months = (_pieces(part, of) for part in quantity.parts)
        before, between = _OF_CAPITAL[sign]
        return [before, *a_year, between, *months]
    pieces: list[Piece | Text] = []
    for at, part in enumerate(quantity.parts):
        inner = _pieces(part, of)
        binds = BINDS[part.sign] if part.parts else 9
        if binds < BINDS[sign] or (at and sign in SIDES and binds == BINDS[sign]):
            inner = ["(", *inner, ")"]
        pieces += [f" {sign} ", *inner] if at else inner
    return pieces
