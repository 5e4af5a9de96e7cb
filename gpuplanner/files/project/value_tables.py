"""Values of the domain as JSON and back, exact: tables, fields by their types, worded texts."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from math import isfinite
from string import Formatter
from types import NoneType, UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from gpuplanner.domain.figures.typed import MOST_PLACES, WAYS, Way, Written
from gpuplanner.domain.figures.window import SHARES
from gpuplanner.domain.message import LOWERED, Message, Part, Text, joined
from gpuplanner.domain.model import intake
from gpuplanner.domain.model.billed import BilledUse
from gpuplanner.domain.model.cube import IdleGap, IdleGaps, RunningJobs
from gpuplanner.domain.model.places import WeekRates
from gpuplanner.domain.model.plan.changes import DemandChange
from gpuplanner.domain.model.plan.scenario import Decision, DoneDecision
from gpuplanner.domain.model.trained import Layout, StatedRun, TrainedModel
from gpuplanner.files.values.times import LATEST_S
from gpuplanner.lazy_dataclass import asdict, dataclass, fields, is_dataclass

# --- Field types: whether a value that somebody else wrote is what its dataclass says the field holds

LARGEST_INTEGER: Final = 2**63 - 1
LATEST_SAVED_S: Final = 10**11
"""A time past this has no date."""


class NewerFieldError(ValueError):
    """A field that this version does not know: a newer one wrote it. Read without it, the project would be another."""


def check_fields(row_type: type, values: Iterable[tuple[str, object]]) -> None:
    """Errors: ValueError for the first value that its field cannot hold; NewerFieldError where there is no such field.

    Of a tuple or mapping only that it is one; numbers are finite and fit 64 bits, times (`_s`) have a date.
    """
    kinds = _kinds_by_field(row_type)
    for name, value in values:
        if name not in kinds:
            raise NewerFieldError(name)
        if not _fits(value, kinds[name], LATEST_SAVED_S if name.endswith("_s") else LARGEST_INTEGER):
            raise ValueError(f"{row_type.__name__}.{name} cannot be {value!r:.60}")


@lru_cache
def _kinds_by_field(row_type: type) -> Mapping[str, frozenset[type]]:
    """For each field of a dataclass the types that its hint allows; looked up once a class."""
    hints = get_type_hints(row_type)
    return {each.name: frozenset(_kinds(hints[each.name])) for each in fields(row_type)}


def _kinds(hint: Any) -> Iterable[type]:
    """The plain types within a hint; a float may be written as a whole number."""
    if get_origin(hint) in (Union, UnionType):
        for each in get_args(hint):
            yield from _kinds(each)
    else:
        kind = get_origin(hint) or hint
        yield kind
        if kind is float:
            yield int


def _fits(value: object, kinds: frozenset[type], largest: int) -> bool:
    """Whether a value is of one of these types.

    Numbers must be finite and at most `largest`, true is no number.
    """
    kind = type(value)
    if object in kinds:
        return True
    if kind is int or kind is float:
        return kind in kinds and isfinite(value) and abs(value) <= largest  # type: ignore[arg-type]
    if isinstance(value, Decimal):
        return Decimal in kinds and value.is_finite()
    return kind in kinds or (kind is not bool and isinstance(value, tuple(kinds)))


# --- How the fields of a dataclass stand in JSON: one line for each of them, so that none is forgotten


@dataclass(frozen=True, slots=True)
class Form:
    """One field: what JSON says of its value, and the value of what JSON says. Errors of `read`: as for `rows_of`."""

    write: Callable[[Any], object]
    read: Callable[[Any], Any]


def as_it_is(value: Any) -> Any:
    """For a field that stands in JSON as itself."""
    return value


def forms_of(row_type: type, forms: Mapping[str, Form], without: Collection[str] = ()) -> Mapping[str, Form]:
    """`forms` in the order of the fields. Errors: TypeError where a field has none, or one is of no field.

    without: fields that are saved elsewhere.
    """
    names = [each.name for each in fields(row_type) if each.name not in without]
    if set(names) != set(forms):
        odd = ", ".join(sorted(set(names) ^ set(forms)))
        raise TypeError(f"{row_type.__name__}: {odd}: each field needs one line that says how it is saved")
    return {name: forms[name] for name in names}


def entry_of(value: object, forms: Mapping[str, Form]) -> dict[str, object]:
    """What JSON says of a value; a field that is None is not there."""
    stated = {name: (form, getattr(value, name)) for name, form in forms.items()}
    return {name: form.write(held) for name, (form, held) in stated.items() if held is not None}


def values_of(
    entry: Mapping[str, Any], forms: Mapping[str, Form], required: Collection[str]
) -> dict[str, Any]:
    """The values by field; one that is not there, as in an older file, has its default.

    Errors: KeyError where a required one is not there, NewerFieldError for one that is not ours, else those of the
    forms.
    """
    for name in entry:
        if name not in forms:
            raise NewerFieldError(name)
    for name in required:
        entry[name]
    return {name: form.read(entry[name]) for name, form in forms.items() if entry.get(name) is not None}


# --- Texts that remember their pieces as JSON and back, so that what was saved is said in the language it is read in
# A plain text is itself. One that is `Message` is {"template", "values": {name: value}} (values absent: none); where
# the words hang on a number it has "number" too, "one", the template of its English where that is not the one of many,
# and "english", all there was of it before. "window" is the template in the window, where that is another one. A typed
# number or day is {"template": its English, "way", "value",
# "places"}: who knows of no such values reads it as a text.

DEEPEST: Final = 12
"""Texts inside texts; a label has two or three."""


def words_entry(text: Text, depth: int = 0) -> object:
    """What `words_of` reads back; texts that are deeper inside than it reads are kept in English.

    depth: how many texts this one is inside of.
    """
    if isinstance(text, Enum):  # a word of the model
        return {"template": str(text.value)}
    if not isinstance(text, Message) or depth == DEEPEST:
        return str(text)
    entry: dict[str, object] = {"template": text.template}
    if text.window:
        entry["window"] = text.window
    if text.values:
        entry["values"] = {name: _value_entry(value, depth + 1) for name, value in text.values.items()}
    if text.number is not None:
        entry |= {"number": text.number, "one": text.one, "english": str(text)}
    return entry


def _value_entry(value: object, depth: int) -> object:
    """What stands in a text; a number that JSON has no form for is kept in English."""
    if isinstance(value, Message | str):
        return words_entry(value, depth)
    if isinstance(value, Written) and _is_of(value.way, value.value):
        return {"template": str(value), "way": value.way, "value": value.value, "places": value.places}
    return str(value)


def words_of(entry: Any) -> Message:
    """What `words_entry` wrote; a plain text has nothing to translate. Errors: ValueError, TypeError, KeyError."""
    text = _text_of(entry, 0)
    return text if isinstance(text, Message) else joined((text,))


def words_text(text: Text) -> str:
    """A text with its pieces as one line of JSON.

    >>> str(words_from_text(words_text("8 GPUs")))
    '8 GPUs'
    """
    return json.dumps(words_entry(text), ensure_ascii=False)


def words_from_text(line: str) -> Message:
    """What `words_text` wrote; of anything else (an older journal) the text itself."""
    try:
        return words_of(json.loads(line))
    except (ValueError, TypeError, LookupError, RecursionError):
        return joined((line,))


def _text_of(entry: Any, depth: int) -> Text:
    """A text from its entry, pieces within pieces to a limited depth; ValueError for anything that is none."""
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, Mapping) or depth > DEEPEST:
        raise ValueError(f"{entry!r:.60} is no text")
    values = {str(name): _value_of(value, depth + 1) for name, value in entry.get("values", {}).items()}
    template, number = _checked(entry["template"], values), entry.get("number")
    if template == LOWERED:
        return Message(LOWERED, {"lowered": values["lowered"]})
    if number is None:
        return Message(template, values, window=_checked(entry.get("window", ""), values))
    if type(number) is not int or abs(number) > LARGEST_INTEGER or not isinstance(entry["english"], str):
        raise ValueError(f"{number!r:.60} is no number of a text")
    if "one" in entry:
        return Message(template, values, number, _checked(entry["one"], values))
    english = entry["english"]  # of its forms the one that was said, its places filled
    return Message(
        template, values, number, english.replace("{", "{{").replace("}", "}}") if values else english
    )


def _value_of(entry: Any, depth: int) -> Part:
    """A text, or a number or day that is written in some way; of a way not known here its English.

    Errors: ValueError, TypeError, KeyError.
    """
    if not isinstance(entry, Mapping) or "way" not in entry:
        return _text_of(entry, depth)
    if isinstance(entry["way"], str) and entry["way"] not in WAYS and isinstance(entry["template"], str):
        return entry["template"]
    way, value, places = entry["way"], entry["value"], entry["places"]
    if way not in WAYS or not _is_of(way, value) or type(places) is not int or not 0 <= places <= MOST_PLACES:
        raise ValueError(f"{entry!r:.60} is no number of a text")
    return Written(way, value, places)


def _is_of(way: Way, value: object) -> bool:
    """Whether a value can be written in this way, and kept in a file."""
    if way in ("day", "moment"):
        return value is None or (type(value) is int and 0 <= value <= LATEST_S)
    if value is None or isinstance(value, bool):
        return value is None
    return isinstance(value, int | float) and abs(value) <= LARGEST_INTEGER


def _checked(template: Any, values: Mapping[str, Part]) -> str:
    """A template of named places alone: what else a place can ask for is not for a file to say. Errors: ValueError."""
    if not isinstance(template, str):
        raise ValueError(f"{template!r:.60} is no template")
    for _, place, form, conversion in Formatter().parse(template) if values else ():
        if place is not None and (place not in values or form or conversion):
            raise ValueError(f"{template!r:.60} has a place that is none")
    return template


# --- Values of the domain as tables in JSON and back, exact --------------------------------------
# A table of values is `{"fields": [...], "rows": [[...], ...]}` by the fields of its dataclass; Decimal is its text,
# an enum its value, a tuple a list, None null. A field that a table does not name has its default. Of a project:
#
#     jobs        table of JobFacts, one row; its quality is an object by the fields of DataQuality, its idle gaps are
#                 [longer_than_s, [[cluster, end_s, [[workload, gpu_model, milli_gpus, until_s], ...]], ...]], its
#                 largest jobs, its runs and its gaps are tables
#     workloads   table of Workload
#     contracts   table of Contract
#     offers      table of Offer
#     intake      table of FileIntake; issues, rejected, noted, reconciliation and alternatives are tables inside it,
#                 facts are [[name, value], ...]

Row = TypeVar("Row")

_SAVED_AS: Final[Mapping[tuple[type, str], str]] = {
    (intake.JobFacts, "idle_gaps"): "lulls",
    (Decision, "text"): "what",
    (DemandChange, "target"): "of",
}
_NAME_OF: Final = {(row_type, saved): name for (row_type, name), saved in _SAVED_AS.items()}
"""Fields that have another name in a project file."""

ENTRY_OF_FIELD: Final[Mapping[tuple[type, str], Callable[[Any], object]]] = {
    (Decision, "text"): words_entry,
    (DoneDecision, "subject"): words_entry,
    (intake.Issue, "message"): words_entry,
    (intake.RejectedRow, "message"): words_entry,
    (StatedRun, "model"): lambda model: table(TrainedModel, (model,)),
    (StatedRun, "layout"): lambda layout: table(Layout, (layout,)),
    (intake.JobFacts, "largest"): lambda jobs: table(intake.LargestJob, jobs),
    (intake.JobFacts, "runs"): lambda jobs: table(intake.LoggedRun, jobs),
    (intake.JobFacts, "billed"): lambda uses: table(BilledUse, uses),
    (intake.JobFacts, "gaps"): lambda gaps: None if gaps is None else table(intake.LogGap, gaps),
    (intake.FileIntake, "issues"): lambda issues: table(intake.Issue, issues),
    (intake.FileIntake, "rejected"): lambda rows: table(intake.RejectedRow, rows),
    (intake.FileIntake, "noted"): lambda rows: table(intake.RejectedRow, rows),
    (intake.FileIntake, "reconciliation"): lambda rows: table(intake.StatedFigure, rows),
    (intake.FileIntake, "alternatives"): lambda rows: table(intake.AlternativeReading, rows),
    (intake.AlternativeReading, "words"): words_entry,
    (intake.AlternativeReading, "reconciliation"): lambda rows: table(intake.StatedFigure, rows),
    (intake.FileIntake, "facts"): lambda facts: [[name, _tagged(value)] for name, value in facts],
}
"""Fields that stand otherwise in JSON: tables inside, and what the window shows again after it was saved, in its
language and its words."""


def quality_of(entry: Mapping[str, Any]) -> intake.DataQuality:
    """The data quality that `to_json` wrote, also when it kept shares and no counts. Errors: as for `rows_of`."""
    gaps = tuple(checked(intake.LogGap, gap) for gap in entry["gaps"])
    made: dict[str, Any] = {
        "gaps": gaps,
        "suspicious": tuple(checked(intake.SuspiciousValue, value) for value in entry["suspicious"]),
        "read_shares": tuple(map(_named_share, entry.get("read_shares", ()))),
        "clusters": tuple(map(str, entry.get("clusters", ()))),
    }
    kept = dict(entry)
    if "gap_hours" in kept:
        made["shorter_gap_hours"] = whole_number(kept.pop("gap_hours")) - sum(gap.hours for gap in gaps)
        shares = [(key, kept.pop(key)) for key in SHARES if key in kept]
        made["read_shares"] = tuple(map(_named_share, shares))
    return checked(intake.DataQuality, {**kept, **made})


def _named_share(entry: Sequence[Any]) -> tuple[str, float | None]:
    """A share of the log by its key, 0..1 or unknown. Errors: ValueError."""
    key, share = entry
    if key not in SHARES or not (share is None or (type(share) in (int, float) and 0 <= share <= 1)):
        raise ValueError(f"{key!r:.60} is no share of a log")
    return key, share


def whole_number(value: object) -> int:
    """A whole number. Errors: ValueError.

    True is none, nor is a number beyond what the engine's integers hold.

    >>> whole_number(8)
    8
    """
    if type(value) is not int or abs(value) > LARGEST_INTEGER:
        raise ValueError(f"{value!r:.60} is no whole number")
    return value


def checked(row_type: type[Row], values: Mapping[str, Any]) -> Row:
    """A value whose fields are of their types. Errors: as for `rows_of`."""
    check_fields(row_type, values.items())
    return row_type(**values)


def _idle_gap(cluster: str, end_s: int, running: Sequence[Sequence[Any]]) -> IdleGap:
    """An idle gap from its lists, every number whole; ValueError otherwise."""
    check_fields(IdleGap, (("cluster", cluster), ("end_s", end_s)))
    if not all(gpu_model is None or isinstance(gpu_model, str) for _, gpu_model, _, _ in running):
        raise ValueError("a GPU model has a name that is no text")
    return IdleGap(
        cluster,
        end_s,
        tuple(
            RunningJobs(whole_number(place), gpu_model, whole_number(milli_gpus), whole_number(until_s))
            for place, gpu_model, milli_gpus, until_s in running
        ),
    )


VALUE_OF_FIELD: Final[Mapping[tuple[type, str], Callable[[Any], object]]] = {
    (intake.JobFacts, "quality"): quality_of,
    (intake.JobFacts, "idle_gaps"): lambda entry: IdleGaps(
        whole_number(entry[0]), tuple(_idle_gap(*idle_gap) for idle_gap in entry[1])
    ),
    (Decision, "text"): words_of,
    (DoneDecision, "subject"): words_of,
    (StatedRun, "model"): lambda entry: rows_of(TrainedModel, entry)[0],
    (StatedRun, "layout"): lambda entry: rows_of(Layout, entry)[0],
    (WeekRates, "rates_per_s"): lambda entry: tuple(map(_rate, entry)),
    (intake.FileIntake, "facts"): lambda entry: tuple((name, _untagged(fact)) for name, fact in entry),
}
"""Fields of whose form in JSON their type does not tell."""

ITEMS: Final[Mapping[object, Callable[[Any], object]]] = {str: str, int: whole_number}
"""Of a field of its own `check_fields` tells its type, of one in a tuple these do."""


@lru_cache
def _makers(row_type: type) -> Mapping[str, Callable[[Any], object]]:
    """For each field that JSON has in another form, how its value is made; looked up once a class."""
    hints = get_type_hints(row_type)
    made = {name: VALUE_OF_FIELD.get((row_type, name)) or _maker(hint) for name, hint in hints.items()}
    return {name: make for name, make in made.items() if make is not None}


def _maker(hint: Any) -> Callable[[Any], Any] | None:
    """How a value of a hint, which may be None, is made of what JSON says; None where that is the value itself."""
    is_choice = get_origin(hint) in (Union, UnionType)
    kinds = [kind for kind in (get_args(hint) if is_choice else (hint,)) if kind is not NoneType]
    if len(kinds) > 1:
        return None
    kind, inside = get_origin(kinds[0]) or kinds[0], get_args(kinds[0])
    if kind is tuple:
        return _tuple_maker(inside)
    if kind is Message:
        return words_of
    return kind if issubclass(kind, Decimal | Enum) else None


def _tuple_maker(kinds: Sequence[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """How a tuple of these types is made of a list; of dataclasses it is made of a table."""
    of_tuple: type = kinds[0]
    if is_dataclass(of_tuple):
        return lambda entry: rows_of(of_tuple, entry)
    makers = [ITEMS.get(kind) or _maker(kind) or as_it_is for kind in kinds if kind is not Ellipsis]
    if len(makers) < len(kinds):
        return lambda entry: tuple(map(makers[0], entry))
    return lambda entry: tuple(make(one) for make, one in zip(makers, entry, strict=True))


def _tagged(value: object) -> object:
    """A fact of any shape; what JSON cannot tell apart carries its kind: {"decimal": "2.75"}, {"dict": [[k, v]]}."""
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, Mapping):
        return {"dict": [[_tagged(key), _tagged(inner)] for key, inner in value.items()]}
    if isinstance(value, list):
        return {"list": [_tagged(inner) for inner in value]}
    return [_tagged(inner) for inner in value] if isinstance(value, tuple) else value


def _untagged(value: Any) -> object:
    """The inverse of tagging: lists to tuples, objects of one tag to the value they stand for."""
    if isinstance(value, list):
        return tuple(_untagged(inner) for inner in value)
    if not isinstance(value, dict):
        return value
    ((kind, inside),) = value.items()
    return UNTAG[kind](inside)


UNTAG: Final[Mapping[str, Callable[[Any], object]]] = {
    "decimal": Decimal,
    "dict": lambda pairs: {_untagged(key): _untagged(inner) for key, inner in pairs},
    "list": lambda values: [_untagged(inner) for inner in values],
}


def to_json(value: object) -> bytes:
    """Compact UTF-8 JSON.

    Errors: TypeError for a value that has no form here.

    >>> to_json({"a": [1, None]})
    b'{"a":[1,null]}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain).encode(
        "utf-8", "surrogatepass"
    )


def from_json(plain: bytes) -> Any:
    """What `to_json` wrote. Errors: ValueError, also where it is nested deeper than anything we write.

    >>> from_json(b'{"a":[1,null]}')
    {'a': [1, None]}
    """
    try:
        return json.loads(plain.decode("utf-8", "surrogatepass"))
    except RecursionError as fault:
        raise ValueError("it is nested too deeply") from fault


def _plain(value: object) -> object:
    """What JSON has no form for, as what it has; TypeError for a type nobody thought of."""
    if isinstance(value, Decimal | Message):
        return str(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, IdleGaps):
        return [value.longer_than_s, value.each]
    if isinstance(value, IdleGap):
        return [value.cluster, value.end_s, value.running]
    if isinstance(value, intake.DataQuality):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} cannot be saved: {value!r}")


def table(row_type: type, rows: Iterable[object]) -> dict[str, object]:
    """Rows of one dataclass as a table.

    A list of fields and a list of rows: names stand once, not in every row.
    """
    names = [each.name for each in fields(row_type)]
    values = [[getattr(row, name) for name in names] for row in rows]
    for at, name in enumerate(names):
        if (entry := ENTRY_OF_FIELD.get((row_type, name))) is not None:
            for row in values:
                row[at] = entry(row[at])
    return {"fields": [_SAVED_AS.get((row_type, name), name) for name in names], "rows": values}


def rows_of(row_type: type[Row], entry: Mapping[str, Any]) -> tuple[Row, ...]:
    """The rows of a table. Errors.

    TypeError, ValueError, KeyError or PlannerError where it holds something else.

    A field that is not in the table takes its default if it has one: so older files can be read.
    """
    names = [_NAME_OF.get((row_type, name), name) for name in entry["fields"]]
    kind: type = row_type
    makers = _makers(kind)
    converters = [(at, makers[name]) for at, name in enumerate(names) if name in makers]
    rows = []
    for cells in entry["rows"]:
        row = list(cells)
        for at, make in converters:
            if row[at] is not None:
                row[at] = make(row[at])
        values = dict(zip(names, row, strict=True))
        check_fields(row_type, values.items())
        rows.append(row_type(**values))
    return tuple(rows)


def _rate(value: object) -> float | None:
    """Requests a second; None: not stated. Errors: ValueError."""
    if value is not None and (type(value) not in (int, float) or not 0 <= value <= LARGEST_INTEGER):  # type: ignore[operator]
        raise ValueError(f"{value!r:.60} is no rate")
    return value  # type: ignore[return-value]


def attributes(value: Any) -> dict[str, object]:
    """The fields of a dataclass with their values."""
    return {each.name: getattr(value, each.name) for each in fields(value)}
