"""Frozen dataclasses whose methods are generated on first use.

With 800 frozen dataclasses, generating unused methods took half of the program's start.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, asdict, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Final

__all__ = ["MISSING", "asdict", "dataclass", "field", "fields", "is_dataclass", "replace"]

WRITTEN_LATER: Final = ("__init__", "__repr__", "__eq__", "__hash__")
NOT_A_BODY: Final = ("__dict__", "__weakref__")


class _Method:
    """Placeholder for a method; the first access generates the method and replaces the placeholder."""

    __slots__ = ("_cls", "_name", "_write")

    def __init__(self, cls: type, name: str, write: Callable[[str], None]) -> None:
        self._cls, self._name, self._write = cls, name, write

    def __get__(self, instance: Any, owner: type) -> Any:
        self._write(self._name)
        return vars(self._cls)[self._name].__get__(instance, owner)


def _refuse(self: Any, name: str, *_: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, slot.name) for slot in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for slot, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, slot.name, value)


_FACTORY: Final = type("Factory", (), {"__repr__": lambda _: "<factory>"})()
"""Default of a parameter for which a factory makes a value."""


def _init_of(cls: type) -> Any:
    """Return the `__init__` of a frozen dataclass; `dataclasses` writes it with a class and two refusals around it."""
    names: dict[str, Any] = {"_set": object.__setattr__, "_made": _FACTORY}
    takes, body = ["self"], []
    for part in sorted(fields(cls), key=lambda part: bool(part.kw_only)):
        name, value, default = part.name, part.name, ""
        if part.default_factory is not MISSING:
            names[f"_new_{name}"], default = part.default_factory, "=_made"
            value = f"_new_{name}() if {name} is _made else {name}" if part.init else f"_new_{name}()"
        elif part.default is not MISSING:
            names[f"_or_{name}"], default = part.default, f"=_or_{name}"
            value = name if part.init else f"_or_{name}"
        if part.init:
            takes += (["*"] if part.kw_only and "*" not in takes else []) + [name + default]
        if part.init or value != name:
            body.append(f"_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    exec(f"def __init__({', '.join(takes)}): {'; '.join(body or ['pass'])}", names)
    init = names["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {part.name: part.type for part in fields(cls) if part.init} | {"return": None}
    return init


def _made_later(cls: type, *, slots: bool, eq: bool, kw_only: bool) -> Any:
    """Return a frozen dataclass made from `cls`; a twin class with the same body provides the methods on first use.

    slots, eq, kw_only: as for `dataclasses.dataclass`.
    """
    body = {name: value for name, value in vars(cls).items() if name not in NOT_A_BODY}
    body["__qualname__"] = cls.__qualname__
    has_own_eq = "__eq__" in body and body["__hash__"] is None  # Python removed the hash, not the class
    written = body.keys() - ({"__hash__"} if has_own_eq else set())
    later = [name for name in WRITTEN_LATER[: None if eq else 2] if name not in written]
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
    made.__dataclass_params__.frozen = True  # derived dataclasses must be frozen too
    made.__setattr__ = made.__delattr__ = _refuse
    if slots and "__getstate__" not in body:
        made.__getstate__, made.__setstate__ = _state, _set_state

    def write(name: str) -> None:
        if name == "__init__":
            made.__init__ = _init_of(made)
            return
        twin: Any = type(cls)(cls.__name__, cls.__bases__, body)
        whole = dataclasses.dataclass(init=False, eq=eq, unsafe_hash="__hash__" in later)(twin)
        for each in later:
            if each != "__init__":
                setattr(made, each, vars(whole)[each])

    for name in later:
        setattr(made, name, _Method(made, name, write))
    return made


if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, kw_only=False, **how):
        """As `dataclasses.dataclass`; only frozen classes without other options or dataclass bases are lazy."""

        def made(cls):
            if frozen and not how and not any(map(is_dataclass, cls.__bases__)):
                return _made_later(cls, slots=slots, eq=eq, kw_only=kw_only)
            return dataclasses.dataclass(frozen=frozen, slots=slots, eq=eq, kw_only=kw_only, **how)(cls)

        return made if cls is None else made(cls)
