"""Results as short text, for golden tables: the same on every machine, without the wording of messages."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import date
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np

from gpuplanner.domain.figures.typed import Written
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.errors import PlannerError

DIGITS: Final = 8
"""Significant digits of a number: what a processor or a version of numpy does differently is behind them."""
NOTHING: Final = 1e-9
"""Numbers below this are nothing but rounding."""
LARGEST_WHOLE: Final = 1e15
"""Below this a float is exact to one, so that instants and counts are shown in full."""
LONGEST_ARRAY: Final = 12
"""Numbers of an array that are all shown; of a longer one its length, sum, first, middle and last number."""
MOST_VALUES: Final = 6
"""Values of a field that `class_lines` shows; the others are added up."""


def refusal(call: Callable[[], object]) -> str:
    """Return what a call returns, or the code and place of the error that it raises for the planner."""
    try:
        return shown(call())
    except PlannerError as error:
        return f"refused: {error.code} {error.where} {message_values(error.what)}".rstrip()


def message_values(message: object) -> str:
    """Return the values of a message, apart by spaces; empty if it has none."""
    if not isinstance(message, Message):
        return ""
    values = [value for value in message.values.values() if str(value).strip(" ,;.:()")]
    return " ".join(
        filter(
            None, (message_values(value) if isinstance(value, Message) else shown(value) for value in values)
        )
    )


def refusal_lines(calls: Iterable[tuple[str, Callable[[], object]]]) -> str:
    """Return a line for each named call: what it returns, or the error that it raises for the planner."""
    return "\n".join(f"{name}: {refusal(call)}" for name, call in calls)


def shown(value: Any) -> str:
    """Return a result as text: dataclasses by the fields that differ from their defaults, sets sorted."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, float | np.floating):
        return _number(float(value))
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, Decimal | Fraction | date):
        return str(value)
    if isinstance(value, Written):
        return shown(value.value)
    if isinstance(value, str):
        return value if value.strip() and " " not in value else repr(value)
    if isinstance(value, Message):
        return f"<{message_values(value)}>"
    if isinstance(value, np.ndarray):
        return _array(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return f"{type(value).__name__}({shown_fields(value)})"
    return _collection(value)


def shown_fields(value: Any) -> str:
    """Return the fields of a dataclass that differ from their defaults, as `name=value`."""
    fields = [field for field in dataclasses.fields(value) if not _is_default(value, field)]
    return ", ".join(f"{field.name}={shown(getattr(value, field.name))}" for field in fields)


def _number(value: float) -> str:
    """Return a whole number in full, any other to eight digits."""
    value = _without_rounding(value)
    return f"{value:.0f}" if value.is_integer() and abs(value) < LARGEST_WHOLE else f"{value:.{DIGITS}g}"


def _without_rounding(value: float) -> float:
    """Return a number, or 0 for what is nothing but rounding."""
    return 0.0 if abs(value) < NOTHING else value


def _collection(value: Any) -> str:
    """Return a mapping, set, tuple, list or iterator as text; anything else as Python writes it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{shown(key)}: {shown(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Set):
        return "{" + ", ".join(sorted(map(shown, value))) + "}"
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return f"{type(value).__name__}({', '.join(map(shown, value))})"
        return "(" + ", ".join(map(shown, value)) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(shown, value)) + "]"
    if isinstance(value, Iterator):
        return "yields " + ", ".join(map(shown, value))
    text = repr(value)
    return f"{type(value).__name__} object" if " at 0x" in text else text


def _is_default(value: Any, field: Any) -> bool:
    """Return whether a field has its default, as far as that can be compared; private fields are left out, too."""
    if field.name.startswith("_"):  # kept by the object for itself
        return True
    if field.default is not dataclasses.MISSING:
        default = field.default
    elif field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    else:
        return False
    own = getattr(value, field.name)
    return type(own) is type(default) and shown(own) == shown(default)


def _array(values: Any) -> str:
    """Return a short array in full, and a long one by a few numbers."""
    if values.size <= LONGEST_ARRAY:
        return shown(values.tolist())
    flat = values.ravel()
    parts = " ".join(shown(flat[place]) for place in (0, len(flat) // 2, -1))
    total = shown(flat.sum()) if flat.dtype.kind in "biuf" else ""
    return f"[{values.size}: sum {total}, first, middle, last {parts}]"


# --- A large result, a line for each class in it -------------------------------------------------


def class_lines(value: object) -> str:
    """Return a line for each class in a result, in the order of their names.

    Each field has its first values and the sum of the others; `-` is unknown. Fields that are empty or 0 everywhere
    are left out, and so are messages.
    """
    fields: dict[str, dict[str, list[Any]]] = {}
    counts: Counter[str] = Counter()
    _collect(value, fields, counts, set())
    lines = []
    for name, values in sorted(fields.items()):
        parts = (_field_text(field, [*_flat(field_values)]) for field, field_values in values.items())
        lines.append(f"{name} {counts[name]}: {'; '.join(filter(None, parts))}".rstrip(": "))
    return "\n".join(lines)


def _collect(
    value: Any, fields: dict[str, dict[str, list[Any]]], counts: Counter[str], seen: set[int]
) -> None:
    """Add the fields of all dataclasses in a value, each object once."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            _collect(key, fields, counts, seen)
            _collect(item, fields, counts, seen)
    elif isinstance(value, tuple | list | Set):
        for item in sorted(value, key=shown) if isinstance(value, Set) else value:
            _collect(item, fields, counts, seen)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type | Message) and id(value) not in seen:
        seen.add(id(value))
        name = type(value).__name__
        counts[name] += 1
        for field in dataclasses.fields(value):
            if not field.name.startswith("_"):
                inner = getattr(value, field.name)
                fields.setdefault(name, {}).setdefault(field.name, []).append(inner)
                _collect(inner, fields, counts, seen)


def _field_text(name: str, values: Sequence[str | float | None]) -> str:
    """Return the values of a field as text; empty if none says anything."""
    if not any(values):
        return ""
    texts = [
        "-" if value is None else value if isinstance(value, str) else _number(value) for value in values
    ]
    rest = values[MOST_VALUES:]
    total = sum(value for value in rest if isinstance(value, float))
    words = Counter(value for value in rest if isinstance(value, str) and value)
    more = [_number(total)] if total else []
    more += [f"{word}×{count}" if count > 1 else word for word, count in sorted(words.items())]
    if unknown := sum(value is None for value in rest):
        more.append(f"-×{unknown}")
    return " ".join([name, *texts[:MOST_VALUES], *(["+", *more] if more else [])])


def _flat(values: Iterable[Any]) -> Iterator[str | float | None]:
    """Yield the numbers, texts and unknown values within collections and arrays; rounding is 0."""
    for value in values:
        if isinstance(value, np.ndarray):
            yield _without_rounding(float(np.nansum(value))) if value.dtype.kind in "biuf" else None
        elif isinstance(value, Mapping):
            yield from _flat(value.values())
        elif isinstance(value, Message):
            continue
        elif isinstance(value, tuple | list | Set):
            yield from _flat(sorted(value, key=shown) if isinstance(value, Set) else value)
        elif isinstance(value, Enum):
            yield value.name
        elif isinstance(value, str) or value is None:
            yield value
        elif isinstance(value, int | float | Decimal | Fraction | np.generic):
            yield _without_rounding(float(value))


# --- What an object works out of itself ----------------------------------------------------------


def shown_properties(value: object) -> str:
    """Return the public properties of an object that say something, as `name=value`, in the order of their names."""
    names = (name for name in dir(type(value)) if isinstance(getattr(type(value), name), property))
    results = {name: refusal(partial(getattr, value, name)) for name in names if not name.startswith("_")}
    return ", ".join(
        f"{name}={result}" for name, result in results.items() if result not in ("None", "False", "''", "()")
    )


def shown_changes(before: object, after: object) -> str:
    """Return the fields in which two dataclasses differ, a line each: `path: before → after`; `-` if in none."""
    lines = [
        f"{path.removeprefix('.')}: {shown(old)} → {shown(new)}"
        for path, old, new in _changes("", before, after)
    ]
    return "\n".join(lines) or "-"


def _changes(path: str, before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the places that differ, each with what it was and is."""
    if before is after:
        return
    if type(before) is type(after) and dataclasses.is_dataclass(before):
        for field in dataclasses.fields(before):
            if not field.name.startswith("_"):
                yield from _changes(
                    f"{path}.{field.name}", getattr(before, field.name), getattr(after, field.name)
                )
    elif isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
        for place, pair in enumerate(zip(before, after, strict=True)):
            yield from _changes(f"{path}[{place}]", *pair)
    elif isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            yield from _changes(f"{path}[{shown(key)}]", before.get(key), after.get(key))
    elif shown(before) != shown(after):
        yield path, before, after
