"""A figure, declared once; its formula is read as columns of values and as quantities that explain."""

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

# --- Columns: one array a figure, over all rows at once. Formulas called with columns are the values

MILLI_GPU_SECONDS_PER_GPU_HOUR: Final = 3_600_000


@dataclass(frozen=True, slots=True, eq=False)
class GpuHours:
    """A column of GPU time, exact: milli-GPU-seconds (int64) and which of them are known; shapes (rows,)."""

    milli_gpu_seconds: Ints
    is_known: Bools

    @property
    def hours(self) -> Floats:
        """In GPU-hours; NaN where unknown. Shape (rows,)."""
        return np.where(self.is_known, self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR, np.nan)

    def __add__(self, other: "GpuHours") -> "GpuHours":
        """Exact; unknown where one of the two is."""
        return GpuHours(self.milli_gpu_seconds + other.milli_gpu_seconds, self.is_known & other.is_known)

    def __sub__(self, other: "GpuHours") -> "GpuHours":
        """Exact; unknown where one of the two is."""
        return GpuHours(self.milli_gpu_seconds - other.milli_gpu_seconds, self.is_known & other.is_known)

    def __mul__(self, other: "int | Floats") -> "Column":
        """A whole number leaves GPU time exact; anything else makes GPU-hours as floats of it."""
        if isinstance(other, int):
            return GpuHours(self.milli_gpu_seconds * other, self.is_known)
        return self.hours * other

    __rmul__ = __mul__

    def __truediv__(self, other: "GpuHours | float | Floats") -> Floats:
        """A ratio, NaN where something is unknown or the other is 0; by a number GPU-hours as floats."""
        with np.errstate(divide="ignore", invalid="ignore"):
            if isinstance(other, GpuHours):
                known = self.is_known & other.is_known & (other.milli_gpu_seconds != 0)
                return np.where(known, self.milli_gpu_seconds / other.milli_gpu_seconds, np.nan)
            return np.asarray(self.hours / other)


Column = Floats | GpuHours
"""One value a row; NaN, or not is_known, where it is unknown."""


def floats(values: Sequence[float | None]) -> Floats:
    """A column of what may be unknown.

    >>> floats([1.0, None]).tolist()
    [1.0, nan]
    """
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def gpu_hours(milli_gpu_seconds: Sequence[int | None]) -> GpuHours:
    """A column of GPU time of which some may be unknown.

    Units: whole milli-GPU-seconds; None is unknown, and not 0.

    >>> gpu_hours([3_600_000, None]).hours.tolist()
    [1.0, nan]
    """
    known = [amount is not None for amount in milli_gpu_seconds]
    return GpuHours(
        np.array([amount or 0 for amount in milli_gpu_seconds], dtype=np.int64),
        np.array(known, dtype=np.bool_),
    )


def optional(column: Column) -> list[float | None]:
    """The values of a column, one a row: NaN becomes None, once and here.

    >>> optional(floats([1.0, None]))
    [1.0, None]
    """
    values = column.hours if isinstance(column, GpuHours) else column
    return [None if isnan(value) else value for value in values.tolist()]


def by_row(columns: Mapping[str, Column]) -> list[dict[str, float | None]]:
    """The values of columns by key, one mapping a row.

    Errors: ValueError where columns are not of one length.

    >>> by_row({"gpus": floats([2]), "rate": floats([None])})
    [{'gpus': 2.0, 'rate': None}]
    """
    values = [optional(column) for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]


def fields_of(kind: Any, row: Mapping[str, float | None]) -> dict[str, Any]:
    """The figures of a row that a kind of answer has a field for, by key."""
    return {key: value for key, value in row.items() if key in kind.__slots__}


def truth(value: float | None) -> bool | None:
    """A flag as rows keep it.

    >>> truth(1.0), truth(0.0), truth(None)
    (True, False, None)
    """
    return None if value is None else bool(value)


def exact_hours(milli_gpu_seconds: int | None) -> Fraction | None:
    """GPU-hours as a fraction; None stays unknown.

    >>> exact_hours(1_800_000)
    Fraction(1, 2)
    """
    return None if milli_gpu_seconds is None else Fraction(milli_gpu_seconds, MILLI_GPU_SECONDS_PER_GPU_HOUR)


def exactly(milli_gpu_seconds: Ints) -> GpuHours:
    """GPU time of any shape, all of it known.

    Units: milli-GPU-seconds, int64.
    """
    return GpuHours(milli_gpu_seconds, np.ones(milli_gpu_seconds.shape, dtype=np.bool_))


# --- A quantity: a value that remembers how it was reached. Formulas called with quantities are explanations

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


def _joined(sign: Sign, left: Quantity, operand: "Quantity | Number") -> Quantity:
    """Both sides under a sign: the value, its dimension, and how it was reached. Unknown where one side is."""
    other = _quantity(operand)
    dimension = _dimension(sign, left, other)
    value = None if left.value is None or other.value is None else _worked_out(sign, left.value, other.value)
    return Quantity(value, dimension, sign=sign, parts=(left, other))


def _dimension(sign: Sign, left: Quantity, other: Quantity) -> Dimension:
    """Powers add for a product and subtract for a quotient; a sum or difference needs one dimension. Errors:
    TypeError.
    """
    if sign == "\u00d7":
        return tuple(a + b for a, b in zip(left.dimension, other.dimension, strict=True))
    if sign == "\u00f7":
        return tuple(a - b for a, b in zip(left.dimension, other.dimension, strict=True))
    return same_dimension(left, other)


def _worked_out(sign: Sign, left: Number, other: Number) -> Number | None:
    """The value; None where something is divided by 0."""
    if sign == "+":
        return left + other
    if sign == "\u2212":
        return left - other
    if sign == "\u00d7":
        return left * other
    return left / other if other else None


# --- The operations of formulas beside + − × ÷. Each has as many readings as there are kinds of operands
# An operand's type chooses the reading: columns and quantities here; cells of a workbook register theirs.

Operand = Any
"""A column, a quantity or a cell: whatever the other operands are."""


@singledispatch
def share(part: Operand, whole: Operand) -> Operand:
    """part \u00f7 whole; unknown where there is nothing of the whole.

    With columns: NaN where the whole is 0, below 0 or unknown. With quantities: None there, and the division
    is kept as the way it was reached.

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
    """GPU-hours \u00d7 rate: nothing costs nothing, something without a rate is unknown.

    Errors: TypeError where the first is no GPU time.
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
    """Whether one is less than the other, 1 or 0; unknown where either is.

    GPU time is compared in whole milli-GPU-seconds, so that a limit is exact. Errors: TypeError for
    quantities of different dimensions.

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
    return Quantity(truth, sign="<", parts=(left, other))


@singledispatch
def least(first: Operand, other: Operand) -> Operand:
    """The lesser of two; unknown where either is.

    Errors: TypeError for quantities of different dimensions.

    >>> least(np.array([1.0, 3.0]), np.array([2.0, np.nan])).tolist()
    [1.0, nan]
    """
    return np.minimum(first, other)


@least.register
def _(left: Quantity, other: Quantity) -> Quantity:
    known = [value for value in (left.value, other.value) if value is not None]
    value = min(known) if len(known) == 2 else None
    return Quantity(value, same_dimension(left, other), sign="least", parts=(left, other))


MONTHS_PER_YEAR: Final = 12


@singledispatch
def discounted(a_year: Operand, months: Operand) -> Operand:
    """What 1 that comes in so many months is worth today, at a cost of capital a year.

    >>> discounted(np.array([0.25, 0.0]), np.array([12.0, 24.0])).tolist()
    [0.8, 1.0]
    """
    return np.power(1 + a_year, -months / MONTHS_PER_YEAR)


@discounted.register
def _(a_year: Quantity, months: Quantity) -> Quantity:
    return _of_capital("discounted", discounted, a_year, months)


@singledispatch
def repaid(a_year: Operand, months: Operand) -> Operand:
    """What 1 of capital costs a month, paid back over so many months at a cost of capital a year: an annuity.

    Without a cost of capital 1 / months; unknown where there are no months.

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
    """One row of what columns come to; a share of capital a month, or once, without a dimension of its own."""
    values = floats([a_year.number]), floats([months.number])
    per_month = tuple(-power for power in months.dimension) if sign == "repaid" else PLAIN
    return Quantity(optional(work(*values))[0], per_month, sign=sign, parts=(a_year, months))


@singledispatch
def if_any(gpu_hours: Operand, cost: Operand) -> Operand:
    """The cost, and nothing where there is no GPU time, also at a rate that nobody states.

    >>> if_any(np.array([0.0, 2.0]), np.array([np.nan, 5.0])).tolist()
    [0.0, 5.0]
    """
    return np.where(np.asarray(gpu_hours) == 0, 0.0, cost)


@if_any.register
def _(gpu_hours: Quantity, cost: Quantity) -> Quantity:
    return replace(cost, value=0.0) if gpu_hours.value == 0 else cost


HOURS_OF_WEEK: Final = 168


def is_few(hours: Any, other_hours: Any) -> Any:
    """Whether hours are too few to stand for all: under 5% of them, or under a week and under half of them.

    >>> [is_few(hours, of - hours) for hours, of in ((145, 2160), (100, 168), (200, 4001))]
    [True, False, True]
    """
    return (19 * hours < other_hours) | ((hours < HOURS_OF_WEEK) & (hours < other_hours))


@singledispatch
def if_enough(hours: Operand, other_hours: Operand, value: Operand) -> Operand:
    """The value that is of some hours; unknown where they are too few to stand for all (`is_few`)."""
    return np.where(is_few(np.nan_to_num(hours), np.nan_to_num(other_hours)), np.nan, value)


@if_enough.register
def _(hours: Quantity, other_hours: Quantity, value: Quantity) -> Quantity:
    return replace(value, value=None) if is_few(hours.value or 0, other_hours.value or 0) else value


# --- A figure, declared once: its key, names, unit and formula. All that show it take them from here

_USD: Final = {
    MONEY.dimension: "usd",
    MONEY_PER_MONTH.dimension: "usd_per_month",
    RATE.dimension: "usd_per_gpu_hour",
}
_OF_MONEY: Final = lazy_re(r"((^|_)(cost|rate|per_month|in_window))+$")
"""What keys say of money, where fields of documents name its unit."""

Formula = Callable[..., Any]
"""Over anything that adds and divides; its parameters are named as the figures of its subject that they stand for."""


@dataclass(frozen=True, eq=False)
class Figure:
    """One figure of a subject.

    key: the name of the parameter, field and column that hold it; it names no currency. title: what it is called,
    alone and as a heading; short: where there is little room; phrase: inside a formula (each the title where
    empty). formula: None for an input.
    why: the kind of its figure id ("": nothing opens it, and where it stands in a formula it is written out).
    is_better: which way is good, "up", "down" or "" (neither); "binds": more of it is a warning.
    unknown: what a dash means. glossary: one sentence for who does not know the word. note: what stands under its
    explanation. json: its name in documents, where it is not `json_name` by rule.
    is_of_hours: its id has a scope: it can be asked about for some hours alone, or in a view; why_scope: it is about
    these alone.
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
        """What it is called inside a formula."""
        return self.phrase or self.title

    def heading(self, between: str, *, is_short: bool = False) -> Text:
        """The title and, after `between`, the unit, where values do not carry it themselves.

        is_short: the short title and unit, where there are any.
        """
        title, unit = (
            (self.short or self.title, self.unit.short) if is_short else (self.title, self.unit.label)
        )
        return joined((title, between, unit)) if unit else title

    @cached_property
    def json_name(self) -> str:
        """Its field in documents: of money the key with the unit in US dollars, unless it says so already.

        Law: figures of one report have names of their own.

        >>> Figure("volume_per_month", "", MONEY_PER_MONTH).json_name, Figure("cost", "", MONEY).json_name
        ('volume_usd_per_month', 'usd')
        """
        usd = _USD.get(self.unit.dimension)
        if self.json or usd is None or "usd" in self.key:
            return self.json or self.key
        return "_".join(filter(None, (_OF_MONEY.sub("", self.key), usd)))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Keys of the figures that its formula takes, in their order; none of an input.

        A subject refuses one that does not come before it.
        """
        return () if self.formula is None else tuple(signature(self.formula).parameters)


def answering(subject: str, *figures: Figure) -> tuple[Figure, ...]:
    """Figures that can each be asked about, under kinds that are called after their subject."""
    return tuple(replace(figure, why=f"{subject}_{figure.key}") for figure in figures)


class Names(TypedDict, total=False):
    """What a figure may say of itself beside its title and unit; as of `Figure`."""

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
    """An input whose title is its phrase with a capital."""
    return replace(Figure(key, capital(phrase), unit, **names), phrase=phrase)


F = TypeVar("F", bound=Formula)


class Subject:
    """What has figures: a contract, a cluster, a plan. given: those that are not declared at their formula, inputs
    first, each after those it stands on.
    """

    def __init__(self, name: str, *given: Figure) -> None:
        self.name: Final = name
        self._by_key: dict[str, Figure] = {}
        for figure in given:
            self._add(figure)

    def _add(self, added: Figure) -> None:
        """Errors: ValueError where a figure stands on one that does not come before it, or a key is there
        twice.
        """
        for parameter in added.parameters:
            if parameter not in self:
                raise ValueError(
                    f"{self.name}: {added.key} stands on {parameter}, which does not come before it"
                )
        if added.key in self:
            raise ValueError(f"{self.name}: {added.key} twice")
        self._by_key[added.key] = added

    def figure(self, title: Text, unit: Unit, *, key: str = "", **names: Unpack[Names]) -> Callable[[F], F]:
        """The function is the formula of a figure. key: the function's name where empty."""

        def declare(formula: F) -> F:
            self._add(Figure(key or formula.__name__, title, unit, formula, **names))
            return formula

        return declare

    @property
    def figures(self) -> tuple[Figure, ...]:
        """In the order in which they are declared."""
        return tuple(self._by_key.values())

    def __getitem__(self, key: str) -> Figure:
        """The figure of a key. Errors: KeyError."""
        return self._by_key[key]

    def __contains__(self, key: object) -> bool:
        """Whether it has a figure of that key."""
        return key in self._by_key

    def worked_out(self, inputs: Mapping[str, Any], keys: Iterable[str] = ()) -> dict[str, Any]:
        """Every figure from the inputs, in whatever reading these are: columns, quantities, cells, units.

        inputs: by key; a figure that is given is not worked out again. keys: wanted alone, with what they stand on.
        """
        values = dict(inputs)
        wanted = self._needed(keys, values) if keys else None
        for row in self._by_key.values():
            if row.formula is not None and row.key not in values and (wanted is None or row.key in wanted):
                values[row.key] = row.formula(**{key: values[key] for key in row.parameters})
        return values

    def value(self, key: str, inputs: Mapping[str, Any]) -> Any:
        """One figure from what it stands on, in whatever reading this is."""
        figure = self[key]
        if figure.formula is None or key in inputs or not all(each in inputs for each in figure.parameters):
            return self.worked_out(inputs, (key,))[key]
        return figure.formula(**{each: inputs[each] for each in figure.parameters})

    def row(self, inputs: Mapping[str, float | None], keys: Iterable[str] = ()) -> dict[str, float | None]:
        """The figures of one row alone, with its inputs; keys as in `worked_out`. None is unknown."""
        return by_row(self.worked_out({key: floats([value]) for key, value in inputs.items()}, keys))[0]

    def _needed(self, keys: Iterable[str], given: Mapping[str, Any]) -> set[str]:
        """Keys that must be worked out for some of them; what is given is not looked behind."""
        needed: set[str] = set()
        left = list(keys)
        while left:
            key = left.pop()
            if key not in needed:
                needed.add(key)
                left += () if key in given else self[key].parameters
        return needed
