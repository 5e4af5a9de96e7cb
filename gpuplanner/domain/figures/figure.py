"""A figure, declared once: its key, names, unit and formula. All that show it take them from here."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from typing import Any

from gpuplanner.domain.figures.columns import by_row, floats
from gpuplanner.domain.figures.units import Unit
from gpuplanner.domain.message import Text, joined

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
    explanation. json: its name there, where it is not the key.
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

    @property
    def json_name(self) -> str:
        """Its field in documents.

        Law: figures of one report have names of their own.
        """
        return self.json or self.key

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Keys of the figures that its formula takes, in their order; none of an input.

        A subject refuses one that does not come before it.
        """
        return () if self.formula is None else tuple(signature(self.formula).parameters)


@dataclass(frozen=True, eq=False)
class Subject:
    """What has figures: a contract, a cluster, a plan. figures: inputs first, each after those it stands on."""

    name: str
    figures: tuple[Figure, ...]
    _by_key: dict[str, Figure] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Errors: ValueError where a figure stands on one that does not come before it, or a key is there
        twice.
        """
        by_key: dict[str, Figure] = {}
        for one in self.figures:
            for parameter in one.parameters:
                if parameter not in by_key:
                    raise ValueError(
                        f"{self.name}: {one.key} stands on {parameter}, which does not come before it"
                    )
            if one.key in by_key:
                raise ValueError(f"{self.name}: {one.key} twice")
            by_key[one.key] = one
        object.__setattr__(self, "_by_key", by_key)

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
        found = dict(inputs)
        wanted = self._needed(keys, found) if keys else None
        for one in self.figures:
            if one.formula is not None and one.key not in found and (wanted is None or one.key in wanted):
                found[one.key] = one.formula(**{key: found[key] for key in one.parameters})
        return found

    def value(self, key: str, inputs: Mapping[str, Any]) -> Any:
        """One figure from what it stands on, in whatever reading this is."""
        return self.worked_out(inputs, (key,))[key]

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
