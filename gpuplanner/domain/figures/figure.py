"""Figures and their formulas; one formula gives columns of values or quantities that explain a value."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, singledispatch
from inspect import signature
from math import isnan
from typing import Any, Final, Literal, NoReturn, TypedDict, TypeVar, Unpack

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.figures.writing import BASES, MONEY, MONEY_PER_MONTH, RATE, Dimension, Unit, spelled
from gpuplanner.domain.message import Text, capital, joined
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- Columns: one array per figure, over all rows. With columns, formulas return values -----------

MILLI_GPU_SECONDS_PER_GPU_HOUR: Final = 3_600_000


@dataclass(frozen=True, slots=True, eq=False)
class GpuHours:
    """A column of GPU time, exact: milli-GPU-seconds (int64) and a mask of the known rows; shapes (rows,)."""

    milli_gpu_seconds: Ints
    is_known: Bools

    @property
    def hours(self) -> Floats:
        """GPU-hours; NaN where unknown. Shape (rows,)."""
        return np.where(self.is_known, self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR, np.nan)

    def __add__(self, other: "GpuHours") -> "GpuHours":
        """Add exactly; unknown where one operand is."""
        return GpuHours(self.milli_gpu_seconds + other.milli_gpu_seconds, self.is_known & other.is_known)

    def __sub__(self, other: "GpuHours") -> "GpuHours":
        """Subtract exactly; unknown where one operand is."""
        return GpuHours(self.milli_gpu_seconds - other.milli_gpu_seconds, self.is_known & other.is_known)

    def __mul__(self, other: "int | Floats") -> "Column":
        """Multiply: by an int exactly, by anything else as float GPU-hours."""
        if isinstance(other, int):
            return GpuHours(self.milli_gpu_seconds * other, self.is_known)
        return self.hours * other

    __rmul__ = __mul__

    def __truediv__(self, other: "GpuHours | float | Floats") -> Floats:
        """Divide: by GPU time to a ratio, NaN where unknown or 0; by numbers to float GPU-hours."""
        with np.errstate(divide="ignore", invalid="ignore"):
            if isinstance(other, GpuHours):
                known = self.is_known & other.is_known & (other.milli_gpu_seconds != 0)
                return np.where(known, self.milli_gpu_seconds / other.milli_gpu_seconds, np.nan)
            return np.asarray(self.hours / other)


Column = Floats | GpuHours
"""One value per row; NaN, or not is_known, where unknown."""


def floats(values: Sequence[float | None]) -> Floats:
    """Return a column; None becomes NaN.

    >>> floats([1.0, None]).tolist()
    [1.0, nan]
    """
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def gpu_hours(milli_gpu_seconds: Sequence[int | None]) -> GpuHours:
    """Return a column of GPU time. milli_gpu_seconds: None is unknown, not 0.

    >>> gpu_hours([3_600_000, None]).hours.tolist()
    [1.0, nan]
    """
    known = [amount is not None for amount in milli_gpu_seconds]
    return GpuHours(
        np.array([amount or 0 for amount in milli_gpu_seconds], dtype=np.int64),
        np.array(known, dtype=np.bool_),
    )


def optional(column: Column) -> list[float | None]:
    """Return the values of a column, one per row; NaN becomes None. GPU time is in GPU-hours.

    >>> optional(floats([1.0, None]))
    [1.0, None]
    """
    values = column.hours if isinstance(column, GpuHours) else column
    return [None if isnan(value) else value for value in values.tolist()]


def by_row(columns: Mapping[str, Column]) -> list[dict[str, float | None]]:
    """Return one mapping per row from columns by key. Errors: ValueError for columns of different length.

    >>> by_row({"gpus": floats([2]), "rate": floats([None])})
    [{'gpus': 2.0, 'rate': None}]
    """
    values = [optional(column) for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]


def fields_of(kind: Any, row: Mapping[str, float | None]) -> dict[str, Any]:
    """Return the values of a row that the slotted class `kind` has fields for, by key."""
    return {key: value for key, value in row.items() if key in kind.__slots__}


def truth(value: float | None) -> bool | None:
    """Return a flag as bool; None stays None.

    >>> truth(1.0), truth(0.0), truth(None)
    (True, False, None)
    """
    return None if value is None else bool(value)


def exact_hours(milli_gpu_seconds: int | None) -> Fraction | None:
    """Return GPU-hours as a fraction; None stays unknown.

    >>> exact_hours(1_800_000)
    Fraction(1, 2)
    """
    return None if milli_gpu_seconds is None else Fraction(milli_gpu_seconds, MILLI_GPU_SECONDS_PER_GPU_HOUR)


def exactly(milli_gpu_seconds: Ints) -> GpuHours:
    """Return known GPU time of any shape. milli_gpu_seconds: int64."""
    return GpuHours(milli_gpu_seconds, np.ones(milli_gpu_seconds.shape, dtype=np.bool_))


# --- Quantities: values with their derivation. With quantities, formulas return explanations ------

Number = float | int | Fraction
Sign = Literal["", "+", "\u2212", "\u00d7", "\u00f7", "<", "least", "discounted", "repaid", "sum"]
"""Operation that joins the parts of a quantity; "" for an input, or a figure with its own explanation."""

PLAIN: Final[Dimension] = (0,) * len(BASES)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Quantity:
    """A value inside a formula, with its derivation.

    value: None is unknown, and so is every result; GPU time, GPUs and hours are exact (Fraction).
    dimension: powers of units.BASES.
    unit: for display; None for intermediate results.
    name: key of its figure. label: its name inside a formula.
    opens: id of the figure that explains it further.
    sign, parts: the operation and its operands.

    A quantity has no truth value and no order, because formulas never branch. Its value equals the column's to the bit.
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
        """Refuse comparison and truth. Errors: TypeError always."""
        raise TypeError(f"{self.label or 'a quantity'} has no order: a formula never branches")

    __bool__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse

    @property
    def number(self) -> float | None:
        """The value as a float; None if unknown."""
        return None if self.value is None else float(self.value)

    @property
    def leaves(self) -> Iterator["Quantity"]:
        """Named inputs of the derivation, from left to right, each once.

        Intermediate results are replaced by their own inputs.
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
        """Labels of unknown inputs; empty if all are known."""
        return tuple(leaf.label for leaf in self.leaves if leaf.value is None)


def leaf(value: Number | None, unit: Unit, label: Text, name: str = "", opens: str = "") -> Quantity:
    """Return a named value: an input, or a figure with its own explanation.

    unit: for display; also gives the dimension. opens: id of the figure that explains it further.
    """
    return Quantity(value=value, dimension=unit.dimension, unit=unit, name=name, label=label, opens=opens)


def called(quantity: Quantity, unit: Unit, label: Text) -> Quantity:
    """Return the result of a formula with the unit and name of its figure.

    Errors: TypeError if its dimension is not the unit's.
    """
    if quantity.dimension != unit.dimension:
        raise TypeError(f"{label}: {spelled(quantity.dimension)} is not {spelled(unit.dimension)}")
    return replace(quantity, unit=unit, label=label)


def same_dimension(*quantities: Quantity) -> Dimension:
    """Return the common dimension of one or more quantities. Errors: TypeError where they differ."""
    first, *others = quantities
    for other in others:
        if other.dimension != first.dimension:
            raise TypeError(
                f"{first.label} in {spelled(first.dimension)}, {other.label} in {spelled(other.dimension)}"
            )
    return first.dimension


def _quantity(value: "Quantity | Number") -> Quantity:
    """Return a plain number as a quantity without dimension, labeled with its digits."""
    return (
        value
        if isinstance(value, Quantity)
        else Quantity(value=value, label=joined((significant(value, 12),)))
    )


def _joined(sign: Sign, left: Quantity, operand: "Quantity | Number") -> Quantity:
    """Return both operands joined by an operation: value, dimension and derivation. Unknown where one operand is."""
    other = _quantity(operand)
    dimension = _dimension(sign, left, other)
    value = None if left.value is None or other.value is None else _worked_out(sign, left.value, other.value)
    return Quantity(value=value, dimension=dimension, sign=sign, parts=(left, other))


def _dimension(sign: Sign, left: Quantity, other: Quantity) -> Dimension:
    """Return the dimension of a result: powers add for products and subtract for quotients.

    Errors: TypeError for a sum or difference of two dimensions.
    """
    if sign == "\u00d7":
        return tuple(a + b for a, b in zip(left.dimension, other.dimension, strict=True))
    if sign == "\u00f7":
        return tuple(a - b for a, b in zip(left.dimension, other.dimension, strict=True))
    return same_dimension(left, other)


def _worked_out(sign: Sign, left: Number, other: Number) -> Number | None:
    """Return the result of an operation; None for a division by 0."""
    if sign == "+":
        return left + other
    if sign == "\u2212":
        return left - other
    if sign == "\u00d7":
        return left * other
    return left / other if other else None


# --- Further operations of formulas. Each has one implementation per kind of operand --------------
# The operand's type selects it: columns and quantities here; workbook cells register theirs.

Operand = Any
"""A column, a quantity or a workbook cell; all operands of an operation have one kind."""


@singledispatch
def share(part: Operand, whole: Operand) -> Operand:
    """Return part ÷ whole; unknown unless the whole is above 0.

    Columns: NaN where the whole is 0, negative or unknown. Quantities: None, and the division is kept as the
    derivation.

    >>> share(np.array([1.0, 1.0]), np.array([4.0, 0.0])).tolist()
    [0.25, nan]
    """
    if isinstance(whole, float):
        return part / whole if whole > 0 else part * np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(whole) > 0, np.divide(part, whole), np.nan)


@share.register
def _(part: GpuHours, whole: GpuHours) -> Floats:
    return part / whole


@share.register
def _(part: Quantity, whole: Quantity) -> Quantity:
    ratio = part / whole
    value = ratio.value if whole.value is not None and whole.value > 0 else None
    return replace(ratio, value=value)


@singledispatch
def priced(gpu_hours: Operand, rate: Operand) -> Operand:
    """Return GPU-hours × rate: 0 GPU-hours cost 0, other GPU-hours without a rate are unknown.

    Errors: TypeError if the first operand is not GPU time.
    """
    raise TypeError(f"GPU time is never {type(gpu_hours).__name__}")


@priced.register
def _(gpu_hours: GpuHours, rate: Floats) -> Floats:
    nothing = gpu_hours.is_known & (gpu_hours.milli_gpu_seconds == 0)
    return np.where(nothing, 0.0, gpu_hours.hours * rate)


@priced.register
def _(gpu_hours: Quantity, rate: Quantity) -> Quantity:
    cost = gpu_hours * rate
    value: Number | None = 0.0 if gpu_hours.value == 0 else cost.value
    return replace(cost, value=value)


@singledispatch
def is_below(left: Operand, other: Operand) -> Operand:
    """Return 1 where left < other, otherwise 0; unknown where one operand is.

    GPU time is compared in whole milli-GPU-seconds, so that limits are exact. Errors: TypeError for quantities of
    different dimensions.

    >>> is_below(np.array([1.0, np.nan]), np.array([2.0, 2.0])).tolist()
    [1.0, nan]
    """
    return np.where(np.isnan(left) | np.isnan(other), np.nan, np.less(left, other))


@is_below.register
def _(left: GpuHours, other: GpuHours) -> Floats:
    known = left.is_known & other.is_known
    return np.where(known, left.milli_gpu_seconds < other.milli_gpu_seconds, np.nan)


@is_below.register
def _(left: Quantity, other: Quantity) -> Quantity:
    same_dimension(left, other)
    values = (left.value, other.value)
    truth = None if values[0] is None or values[1] is None else int(values[0] < values[1])
    return Quantity(value=truth, sign="<", parts=(left, other))


@singledispatch
def least(first: Operand, other: Operand) -> Operand:
    """Return the smaller operand; unknown where one is. Errors: TypeError for quantities of different dimensions.

    >>> least(np.array([1.0, 3.0]), np.array([2.0, np.nan])).tolist()
    [1.0, nan]
    """
    return np.minimum(first, other)


@least.register
def _(left: Quantity, other: Quantity) -> Quantity:
    known = [value for value in (left.value, other.value) if value is not None]
    value = min(known) if len(known) == 2 else None
    return Quantity(value=value, dimension=same_dimension(left, other), sign="least", parts=(left, other))


MONTHS_PER_YEAR: Final = 12


@singledispatch
def discounted(a_year: Operand, months: Operand) -> Operand:
    """Return the present value of 1 due in `months` months.

    a_year: cost of capital, a ratio per year.

    >>> discounted(np.array([0.25, 0.0]), np.array([12.0, 24.0])).tolist()
    [0.8, 1.0]
    """
    return np.power(1 + a_year, -months / MONTHS_PER_YEAR)


@discounted.register
def _(a_year: Quantity, months: Quantity) -> Quantity:
    return _of_capital("discounted", discounted, a_year, months)


@singledispatch
def repaid(a_year: Operand, months: Operand) -> Operand:
    """Return the monthly payment that repays a capital of 1 over `months` months: an annuity.

    a_year: cost of capital, a ratio per year; at 0 the payment is 1 / months. Unknown for 0 months.

    >>> repaid(np.array([0.1, 0.0, 0.1]), np.array([12.0, 12.0, 0.0])).round(6).tolist()
    [0.087716, 0.083333, nan]
    """
    monthly = np.power(1 + np.asarray(a_year), 1 / MONTHS_PER_YEAR) - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        paid = np.where(monthly > 0, monthly / (1 - np.power(1 + monthly, -months)), np.divide(1, months))
    return np.where(np.asarray(months) > 0, paid, np.nan)


@repaid.register
def _(a_year: Quantity, months: Quantity) -> Quantity:
    return _of_capital("repaid", repaid, a_year, months)


def _of_capital(
    sign: Sign, work: Callable[[Operand, Operand], Operand], a_year: Quantity, months: Quantity
) -> Quantity:
    """Return the quantity for `discounted` (no dimension) or `repaid` (per month).

    Its value is that of a column's row.
    """
    values = floats([a_year.number]), floats([months.number])
    per_month = tuple(-power for power in months.dimension) if sign == "repaid" else PLAIN
    return Quantity(value=optional(work(*values))[0], dimension=per_month, sign=sign, parts=(a_year, months))


@singledispatch
def if_any(gpu_hours: Operand, cost: Operand) -> Operand:
    """Return the cost; 0 where there is no GPU time, even if the rate is unknown.

    >>> if_any(np.array([0.0, 2.0]), np.array([np.nan, 5.0])).tolist()
    [0.0, 5.0]
    """
    return np.where(np.asarray(gpu_hours) == 0, 0.0, cost)


@if_any.register
def _(gpu_hours: Quantity, cost: Quantity) -> Quantity:
    return replace(cost, value=0.0) if gpu_hours.value == 0 else cost


HOURS_OF_WEEK: Final = 168


def is_few(hours: Any, other_hours: Any) -> Any:
    """Return whether hours are too few to represent all: under 5%, or under a week and under half.

    hours, other_hours: the selected hours and the rest.

    >>> [is_few(hours, of - hours) for hours, of in ((145, 2160), (100, 168), (200, 4001))]
    [True, False, True]
    """
    return (19 * hours < other_hours) | ((hours < HOURS_OF_WEEK) & (hours < other_hours))


@singledispatch
def if_enough(hours: Operand, other_hours: Operand, value: Operand) -> Operand:
    """Return a value for some hours; unknown where they are too few to represent all (`is_few`)."""
    return np.where(is_few(np.nan_to_num(hours), np.nan_to_num(other_hours)), np.nan, value)


@if_enough.register
def _(hours: Quantity, other_hours: Quantity, value: Quantity) -> Quantity:
    return replace(value, value=None) if is_few(hours.value or 0, other_hours.value or 0) else value


# --- Figures: key, names, unit and formula, declared once and used by every view ------------------

_USD: Final = {
    MONEY.dimension: "usd",
    MONEY_PER_MONTH.dimension: "usd_per_month",
    RATE.dimension: "usd_per_gpu_hour",
}
_OF_MONEY: Final = lazy_re(r"((^|_)(cost|rate|per_month|in_window))+$")
"""Endings of keys for money, which fields of documents replace with the unit."""

Formula = Callable[..., Any]
"""Works on operands that add and divide; its parameters are the keys of other figures of its subject."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Figure:
    """A figure of a subject.

    key: name of its parameter, field and column; without a currency.
    title: its name, alone and as a heading. short: for narrow places. phrase: inside a formula. Both default to the
    title. formula: None for an input. why: kind of its figure id; "" if it has no explanation of its own and is written
    out within formulas. is_better: the good direction: "up", "down" or "" (neither); "binds": a larger value is a
    warning. unknown: meaning of a dash. glossary: a one-sentence definition. note: text below its explanation. json:
    field in documents, where it differs from `json_name`'s rule. is_of_hours: its id has a scope, so that it can be
    calculated for some hours or in a view. why_scope: its only scope.
    """

    key: str
    title: Text
    unit: Unit
    formula: Formula | None = None
    short: Text = ""
    phrase: Text = ""
    why: str = ""
    is_better: str = ""
    unknown: Text = ""
    glossary: Text = ""
    note: Text = ""
    json: str = ""
    is_of_hours: bool = False
    why_scope: str = ""

    @property
    def name(self) -> Text:
        """Its name inside a formula."""
        return self.phrase or self.title

    def heading(self, between: str, *, is_short: bool = False) -> Text:
        """Return the title and, after `between`, the unit, unless values show the unit.

        is_short: use the short title and unit, where they exist.
        """
        title, unit = (
            (self.short or self.title, self.unit.short) if is_short else (self.title, self.unit.label)
        )
        return joined((title, between, unit)) if unit else title

    @cached_property
    def json_name(self) -> str:
        """Its field in documents; for money, the key with the unit in US dollars.

        Law: field names are unique within a report.

        >>> Figure("volume_per_month", "", MONEY_PER_MONTH).json_name, Figure("cost", "", MONEY).json_name
        ('volume_usd_per_month', 'usd')
        """
        usd = _USD.get(self.unit.dimension)
        if self.json or usd is None or "usd" in self.key:
            return self.json or self.key
        return "_".join(filter(None, (_OF_MONEY.sub("", self.key), usd)))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Keys of the figures that its formula uses, in order; empty for an input.

        A subject requires them to be declared before it.
        """
        return () if self.formula is None else tuple(signature(self.formula).parameters)


def answering(subject: str, *figures: Figure) -> tuple[Figure, ...]:
    """Return figures with explanations of their own; the kind of each is named after its subject and key."""
    return tuple(replace(figure, why=f"{subject}_{figure.key}") for figure in figures)


class Names(TypedDict, total=False):
    """Optional names and notes of a figure, in addition to title and unit; see `Figure`."""

    short: Text
    phrase: Text
    why: str
    is_better: str
    unknown: Text
    glossary: Text
    note: Text
    json: str
    is_of_hours: bool
    why_scope: str


def phrased(key: str, phrase: Text, unit: Unit, /, **names: Unpack[Names]) -> Figure:
    """Return an input whose title is its phrase with a capital first letter."""
    return replace(Figure(key=key, title=capital(phrase), unit=unit, **names), phrase=phrase)


F = TypeVar("F", bound=Formula)


class Subject:
    """An object with figures, such as a contract, a cluster or a plan.

    given: figures that are not declared at their formula, inputs first, each after the figures it uses.
    """

    def __init__(self, name: str, given: Iterable[Figure] = ()) -> None:
        self.name: Final = name
        self._by_key: dict[str, Figure] = {}
        for figure in given:
            self._add(figure)

    def _add(self, added: Figure) -> None:
        """Add a figure. Errors: ValueError if it uses a figure that is not declared before it, or its key exists."""
        for parameter in added.parameters:
            if parameter not in self:
                raise ValueError(
                    f"{self.name}: {added.key} stands on {parameter}, which does not come before it"
                )
        if added.key in self:
            raise ValueError(f"{self.name}: {added.key} twice")
        self._by_key[added.key] = added

    def figure(self, title: Text, unit: Unit, *, key: str = "", **names: Unpack[Names]) -> Callable[[F], F]:
        """Return a decorator that declares a function as the formula of a figure. key: default: the function's name."""

        def declare(formula: F) -> F:
            self._add(Figure(key=key or formula.__name__, title=title, unit=unit, formula=formula, **names))
            return formula

        return declare

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures in order of declaration."""
        return tuple(self._by_key.values())

    def __getitem__(self, key: str) -> Figure:
        """Return the figure with this key. Errors: KeyError."""
        return self._by_key[key]

    def __contains__(self, key: object) -> bool:
        """Return whether a figure has this key."""
        return key in self._by_key

    def worked_out(self, inputs: Mapping[str, Any], keys: Iterable[str] = ()) -> dict[str, Any]:
        """Calculate all figures from the inputs, in the kind of the inputs: columns, quantities, cells or units.

        inputs: by key; a given figure is not recalculated. keys: calculate only these and the figures they use.
        """
        values = dict(inputs)
        wanted = self._needed(keys, values) if keys else None
        for row in self._by_key.values():
            if row.formula is not None and row.key not in values and (wanted is None or row.key in wanted):
                values[row.key] = row.formula(**{key: values[key] for key in row.parameters})
        return values

    def value(self, key: str, inputs: Mapping[str, Any]) -> Any:
        """Calculate one figure from the inputs, in the kind of the inputs."""
        figure = self[key]
        if figure.formula is None or key in inputs or not all(each in inputs for each in figure.parameters):
            return self.worked_out(inputs, (key,))[key]
        return figure.formula(**{each: inputs[each] for each in figure.parameters})

    def row(self, inputs: Mapping[str, float | None], keys: Iterable[str] = ()) -> dict[str, float | None]:
        """Calculate the figures of one row; returns its inputs too. None is unknown. keys: as for `worked_out`."""
        return by_row(self.worked_out({key: floats([value]) for key, value in inputs.items()}, keys))[0]

    def _needed(self, keys: Iterable[str], given: Mapping[str, Any]) -> set[str]:
        """Return the keys needed to calculate `keys`, without the inputs of given figures."""
        needed: set[str] = set()
        left = list(keys)
        while left:
            key = left.pop()
            if key not in needed:
                needed.add(key)
                left += () if key in given else self[key].parameters
        return needed
