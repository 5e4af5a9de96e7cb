"""Answers: which function answers for which kind of figure, and a formula called with the row it was worked out from.

Figures with an explanation of their own are leaves that open it; others are written out. Nothing is worked back from
a result: what is shown as an operand went in.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Generic, TypedDict, TypeVar, Unpack

from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.trace import AnyUnit, Columns
from gpuplanner.domain.evidence.trace import Number as Known
from gpuplanner.domain.evidence.trace import figure as figure_id_of
from gpuplanner.domain.figures.figure import Figure, Number, Quantity, Subject, called, leaf
from gpuplanner.domain.figures.writing import Unit
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.lazy_dataclass import dataclass, field, replace

Piece = TypeVar("Piece")
E = TypeVar("E")
"""What answers stand on."""
P = TypeVar("P")
"""By what kinds of one function differ."""

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
    "discounted": (worded("value today of 1 at "), worded(" after ")),
    "repaid": (worded("monthly cost of 1 at "), worded(" over ")),
}
"""Operations on a cost of capital and months, in words."""
SIDES: Final = {"\u2212", "\u00f7"}
"""Signs whose right operand needs brackets where it binds no stronger."""


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """The row that a subject's figures were worked out from.

    values: inputs by key, as they went into the formulas (GPU time, GPUs and hours exact). name: which contract or
    cluster it is, as ids have it; title: as it is called ("": the name); scope: in which hours ("": all), scope_words:
    as a title says it. labels: what an operand is called here, where that is more than its figure's name, by key;
    opens: ids of figures that explain an input, by key. note: instead of the figure's own; more: other answers that
    help.
    """

    values: Mapping[str, Number | None]
    name: str
    title: Text = ""
    scope: str = ""
    scope_words: Text = ""
    labels: Mapping[str, Text] = field(default_factory=dict)
    opens: Mapping[str, str] = field(default_factory=dict)
    note: Text = ""
    more: trace.More = ()

    def figure_id(self, declared: Figure) -> str:
        """The id of a figure of this row; "" where nothing opens it."""
        scope = self.scope if declared.is_of_hours else declared.why_scope
        return figure_id_of(declared.why, self.name, scope) if declared.why else ""


def quantity_of(subject: Subject, key: str, row: Inputs) -> Quantity:
    """A figure of a row as a quantity that remembers how it was reached."""
    declared = subject[key]
    if key in row.values and declared.formula is None:
        return _leaf(declared, row.values[key], row)
    assert declared.formula is not None, f"{subject.name}: {key} was not given"
    operands = {parameter: _operand(subject, parameter, row) for parameter in declared.parameters}
    return called(declared.formula(**operands), declared.unit, declared.name)


def explained(subject: Subject, key: str, row: Inputs) -> trace.Trace:
    """Why a figure of a row is what it is.

    Law: its value is the one that the same formula came to over columns, to the bit.
    """
    declared, quantity = subject[key], quantity_of(subject, key, row)
    title, unit, name = declared.title, declared.unit, row.title or row.name
    amount = _amount(quantity, unit)
    symbols = _pieces(quantity, lambda part: _amount(part, part.unit) if part.unit else part.label)
    leaves = [(part, part.unit) for part in quantity.leaves if part.unit]
    return trace.Trace(
        title=worded("{figure} of {name}{scope}", figure=title, name=name, scope=row.scope_words),
        value=amount.value,
        unit=amount.unit,
        said_as=unit.per,
        words=worded("{figure} = {formula}", figure=title, formula=in_words(quantity)),
        symbols=(*symbols, " = ", amount),
        columns=trace.VALUES,
        rows=tuple(trace.TraceRow(part.label, (_amount(part, of),), part.opens) for part, of in leaves),
        arrival=trace.Reached(),
        note=row.note or declared.note,
        more=row.more,
    )


def in_words(quantity: Quantity) -> Message:
    """The formula with the names of what stands in it: `(paid GPU-h \u2212 used GPU-h) \u00d7 rate`."""
    return joined(_pieces(quantity, lambda part: part.label))


def _operand(subject: Subject, key: str, row: Inputs) -> Quantity:
    """A figure inside a formula: a leaf where it was given, or has an explanation of its own; else written out."""
    declared = subject[key]
    if key in row.values:
        return _leaf(declared, row.values[key], row)
    quantity = quantity_of(subject, key, row)
    return _leaf(declared, quantity.value, row) if declared.why else quantity


def _leaf(declared: Figure, value: Number | None, row: Inputs) -> Quantity:
    """One input under its name, with the id of the figure that explains it further."""
    key = declared.key
    opens = row.opens[key] if key in row.opens else row.figure_id(declared)
    return leaf(value, declared.unit, row.labels.get(key, declared.name), key, opens)


def _amount(quantity: Quantity, unit: Unit) -> trace.Amount:
    return trace.Amount(quantity.number, unit.key)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What a function lists of a figure whose names stand where the function is declared.

    value: as the result has it; name: what stands in the place {name} of the title, or the title itself where none is
    declared; note: instead of the declared one; symbols: the formula with its numbers (empty: how many rows there are);
    more: other answers that help; at_least: what is known of a value that is unknown.
    """

    value: Known
    rows: Sequence[trace.TraceRow]
    name: Text = ""
    note: Text = ""
    symbols: trace.Symbols = ()
    more: trace.More = ()
    at_least: trace.Number = None


Answer = Callable[[E, str, str], trace.Trace]
"""Told what it stands on, the scope and the subject of a figure id."""
Lists = Callable[[E, str, str], Listed]
Gathers = Callable[[E, str, str], Inputs]
Differs = Callable[[P, E, str, str], trace.Trace]
"""Told first by what the kinds that it answers differ."""


class Notes(TypedDict, total=False):
    """What else a declaration may say. kind: the function's name where it is not there; said_as, note: of a trace."""

    kind: str
    said_as: Text
    note: Text


class Answers(dict[str, Answer[E]], Generic[E]):
    """Kind of figure -> what answers for it, declared at the function that does; a figure id is kind:scope:subject.

    A room's table is the union of those of its modules.
    """

    def answer(self, evidence: E, figure_id: str) -> trace.Trace:
        """Why a figure is what it is. Errors: KeyError, StopIteration for a kind or a thing that there is not."""
        kind, scope, subject = trace.parts_of(figure_id)
        return replace(self[kind](evidence, scope, subject), figure_id=figure_id_of(kind, subject, scope))

    def gives(self, kind: str) -> Callable[[Answer[E]], Answer[E]]:
        """The function gives the whole answer."""

        def declare(function: Answer[E]) -> Answer[E]:
            self._add(kind, function)
            return function

        return declare

    def gives_each(self, kinds: Mapping[str, P]) -> Callable[[Differs[P, E]], Differs[P, E]]:
        """The function gives the answers of several kinds; it is told first by what they differ."""

        def declare(function: Differs[P, E]) -> Differs[P, E]:
            for kind, differs in kinds.items():
                self._add(kind, partial(function, differs))
            return function

        return declare

    def explains(self, subject: Subject, *keys: str, **kinds: str) -> Callable[[Gathers[E]], Gathers[E]]:
        """The function gathers what went into figures of a subject. kinds: keys whose kind is not the figure's own."""

        def declare(gather: Gathers[E]) -> Gathers[E]:
            def answer(key: str, evidence: E, scope: str, of: str) -> trace.Trace:
                return explained(subject, key, gather(evidence, scope, of))

            self.gives_each({**{subject[key].why: key for key in keys}, **kinds})(answer)
            return gather

        return declare

    def lists(
        self,
        title: Text,
        unit: AnyUnit,
        words: Text,
        columns: Columns,
        arrival: trace.Arrival,
        **notes: Unpack[Notes],
    ) -> Callable[[Lists[E]], Lists[E]]:
        """The function lists all rows of a figure. title: with a place {name}, where `Listed` has a name."""
        return self._listed(trace.listed, title, unit, words, columns, arrival, **notes)

    def sums(
        self,
        title: Text,
        unit: AnyUnit,
        words: Text,
        columns: Columns = (),
        column: int = 0,
        **notes: Unpack[Notes],
    ) -> Callable[[Lists[E]], Lists[E]]:
        """The same where the figure is the sum of a column, of which the largest rows are listed."""
        return self._listed(trace.summed, title, unit, words, columns, column, **notes)

    def sums_of(
        self, declared: Figure, words: Text, columns: Columns = (), column: int = 0, **notes: Unpack[Notes]
    ) -> Callable[[Lists[E]], Lists[E]]:
        """The same of a figure of the registry, which has kind, title and unit; rows say what it is of."""
        title = worded("{figure} of {name}", figure=declared.title)
        notes["kind"] = declared.why
        return self.sums(title, declared.unit, words, columns, column, **notes)

    def _listed(
        self,
        form: Callable[..., trace.Trace],
        title: Text,
        *shape: Any,
        kind: str = "",
        said_as: Text = "",
        note: Text = "",
    ) -> Callable[[Lists[E]], Lists[E]]:
        """shape: unit, words, columns and how the rows arrive at the value."""
        unit, words, *rest = shape

        def declare(function: Lists[E]) -> Lists[E]:
            def answer(evidence: E, scope: str, subject: str) -> trace.Trace:
                own = function(evidence, scope, subject)
                more = {
                    "symbols": own.symbols,
                    "more": own.more,
                    "said_as": said_as,
                    "note": own.note or note,
                }
                whole = form(_with_name(title, own.name), own.value, unit, words, own.rows, *rest, **more)
                return replace(whole, at_least=own.at_least)

            self._add(kind or function.__name__, answer)
            return function

        return declare

    def _add(self, kind: str, answer: Answer[E]) -> None:
        """Errors: ValueError for a kind that is answered already."""
        if kind in self:
            raise ValueError(f"{kind} is answered twice")
        self[kind] = answer


def _with_name(title: Text, name: Text) -> Text:
    """A title with the name in its place {name}, where it has one; the name itself where there is no title."""
    if not isinstance(title, Message):
        return title or name
    return Message(title.template, {**title.values, "name": name}) if "{name}" in title.template else title
