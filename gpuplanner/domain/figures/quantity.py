"""A quantity: a value that remembers how it was reached. Formulas called with quantities are explanations."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal, NoReturn

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.figures.units import BASES, Dimension, Unit, spelled
from gpuplanner.domain.message import Text, joined

Number = float | int | Fraction
Sign = Literal["", "+", "\u2212", "\u00d7", "\u00f7", "<", "least", "discounted", "repaid", "sum"]
"""What joins the parts of a quantity; "" where it has none: it was read, or has an explanation of its own."""

PLAIN: Final[Dimension] = (0,) * len(BASES)


@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """One value inside a formula.

    value: None is unknown, and spreads; GPU time, GPUs and hours are exact (Fraction). dimension: powers of
    units.BASES. unit: how it is written, None for what only stands between. name: the key of its figure; label: what
    it is called inside a formula. opens: the id of the figure that explains it further. sign, parts: how it was
    reached.
    It has no truth and no order: a formula never branches. Its value is the same, to the bit, as with columns.
    """

    value: Number | None
    dimension: Dimension = PLAIN
    unit: Unit | None = None
    name: str = ""
    label: Text = ""
    opens: str = ""
    sign: Sign = ""
    parts: tuple["Quantity", ...] = ()

    def __add__(self, other: "Quantity | Number") -> "Quantity":
        return _joined("+", self, other)

    def __radd__(self, other: Number) -> "Quantity":
        return _joined("+", _quantity(other), self)

    def __sub__(self, other: "Quantity | Number") -> "Quantity":
        return _joined("\u2212", self, other)

    def __rsub__(self, other: Number) -> "Quantity":
        return _joined("\u2212", _quantity(other), self)

    def __mul__(self, other: "Quantity | Number") -> "Quantity":
        return _joined("\u00d7", self, other)

    def __rmul__(self, other: Number) -> "Quantity":
        return _joined("\u00d7", _quantity(other), self)

    def __truediv__(self, other: "Quantity | Number") -> "Quantity":
        return _joined("\u00f7", self, other)

    def __rtruediv__(self, other: Number) -> "Quantity":
        return _joined("\u00f7", _quantity(other), self)

    def _refuse(self, *_: object) -> NoReturn:
        """Errors: TypeError always."""
        raise TypeError(f"{self.label or 'a quantity'} has no order: a formula never branches")

    __bool__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse

    @property
    def number(self) -> float | None:
        """The value as a float; None where it is unknown."""
        return None if self.value is None else float(self.value)

    @property
    def leaves(self) -> Iterator["Quantity"]:
        """What it was reached from, from left to right; each once.

        Parts that were reached from others are gone through to those; what has no name is left out.
        """
        seen: set[tuple[Text, str]] = set()
        for part in self.parts:
            for leaf in part.leaves if part.parts else (part,):
                name = (leaf.label, leaf.opens)
                if leaf.label and name not in seen:
                    seen.add(name)
                    yield leaf

    @property
    def missing(self) -> tuple[Text, ...]:
        """What of it is unknown, by name.

        By their labels; empty where all is known.
        """
        return tuple(leaf.label for leaf in self.leaves if leaf.value is None)


def leaf(value: Number | None, unit: Unit, label: Text, name: str = "", opens: str = "") -> Quantity:
    """A value with a name: an input, or a figure that has an explanation of its own.

    unit: how it is written, which gives its dimension; opens: id of the figure that explains it further.
    """
    return Quantity(value, unit.dimension, unit, name, label, opens)


def called(quantity: Quantity, unit: Unit, label: Text) -> Quantity:
    """What a formula came to, under the name of its figure.

    Errors: TypeError where its dimension is not the unit's.
    """
    if quantity.dimension != unit.dimension:
        raise TypeError(f"{label}: {spelled(quantity.dimension)} is not {spelled(unit.dimension)}")
    return replace(quantity, unit=unit, label=label)


def operation(
    sign: Sign, value: Number | None, dimension: Dimension, parts: tuple[Quantity, ...]
) -> Quantity:
    """A value that an operation other than + \u2212 \u00d7 \u00f7 came to.

    sign: how the parts were joined; the value is the caller's.
    """
    return Quantity(value, dimension, sign=sign, parts=parts)


def same_dimension(*quantities: Quantity) -> Dimension:
    """The dimension that all of them have. Errors: TypeError where they differ.

    quantities: at least one.
    """
    first, *others = quantities
    for other in others:
        if other.dimension != first.dimension:
            raise TypeError(
                f"{first.label} in {spelled(first.dimension)}, {other.label} in {spelled(other.dimension)}"
            )
    return first.dimension


def _quantity(value: "Quantity | Number") -> Quantity:
    """A plain number as a quantity without a dimension, under its own digits."""
    return value if isinstance(value, Quantity) else Quantity(value, label=joined((significant(value, 12),)))


def _joined(sign: Sign, one: Quantity, operand: "Quantity | Number") -> Quantity:
    """Both sides under a sign: the value, its dimension, and how it was reached. Unknown where one side is."""
    other = _quantity(operand)
    dimension = _dimension(sign, one, other)
    value = None if one.value is None or other.value is None else _worked_out(sign, one.value, other.value)
    return Quantity(value, dimension, sign=sign, parts=(one, other))


def _dimension(sign: Sign, one: Quantity, other: Quantity) -> Dimension:
    """Powers add for a product and subtract for a quotient; a sum or difference needs one dimension. Errors:
    TypeError.
    """
    if sign == "\u00d7":
        return tuple(a + b for a, b in zip(one.dimension, other.dimension, strict=True))
    if sign == "\u00f7":
        return tuple(a - b for a, b in zip(one.dimension, other.dimension, strict=True))
    return same_dimension(one, other)


def _worked_out(sign: Sign, one: Number, other: Number) -> Number | None:
    """The value; None where something is divided by 0."""
    if sign == "+":
        return one + other
    if sign == "\u2212":
        return one - other
    if sign == "\u00d7":
        return one * other
    return one / other if other else None
