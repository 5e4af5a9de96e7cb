"""Whatever the standard library's dataclass does, ours does: the same class made by both, asked the same."""

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from gpuplanner.lazy_dataclass import dataclass, field, replace

Kind = TypeVar("Kind")
Make = Callable[..., Any]


def _classes(make: Make) -> dict[str, Any]:
    """Classes of every kind that the program has."""

    @make(frozen=True, slots=True)
    class Plain:
        """With a default, a factory, a class's own and a check."""

        a: int
        b: str = "b"
        c: tuple[int, ...] = field(default_factory=lambda: (1, 2))
        unseen: int = field(default=3, repr=False, compare=False)
        named: int = field(default=4, kw_only=True)
        own: ClassVar[int] = 5
        made: int = field(default=6, init=False)

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("negative")
            object.__setattr__(self, "b", self.b.strip())

    @make(frozen=True, slots=True)
    class Derived(Plain):
        """With one more."""

        d: float = 0.5

    @make(frozen=True, slots=True)
    class Empty:
        """Of nothing."""

    @make(frozen=True, slots=True, eq=False)
    class Identical:
        """Only itself."""

        a: int

    @make(frozen=True)
    class Cached:
        """With a place for what is worked out once."""

        a: int

        @cached_property
        def twice(self) -> int:
            return 2 * self.a

    @make(frozen=True, slots=True)
    class Equal:
        """Like anything."""

        a: int

        def __eq__(self, other: object) -> bool:
            return True

    @make(frozen=True, slots=True)
    class Written(Generic[Kind]):
        """In its own words."""

        a: Kind

        def __repr__(self) -> str:
            return "written"

        def __hash__(self) -> int:
            return 7

    @make(frozen=True, slots=True)
    class Unhashed:
        """Not for sets, and pickled in its own way."""

        a: int
        __hash__ = None  # type: ignore[assignment]

        def __getstate__(self) -> list[int]:
            return [self.a + 1]

        def __setstate__(self, state: list[int]) -> None:
            object.__setattr__(self, "a", state[0])

    @make(frozen=True, slots=True, kw_only=True)
    class NamedAlone:
        """With arguments that are passed by name only."""

        a: int
        b: int = 2
        c: tuple[int, ...] = field(default_factory=lambda: (1, 2))

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("negative")

    @make(frozen=True, slots=True, order=True)
    class Ordered:
        """One before another."""

        a: int

    @make(slots=True)
    class Changing:
        """Not a value."""

        a: int

    return {name: one for name, one in locals().items() if isinstance(one, type)}


def _told(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except Exception as refusal:
        return type(refusal), str(refusal)


def _answers(cls: Any) -> list[Any]:
    """What a class and a value of it answer, in words that do not hang on which of two like classes it is."""
    takes = dataclasses.fields(cls)
    one, same = (_told(lambda: cls(*[1] * bool(takes))) for _ in range(2))
    return [
        str(inspect.signature(cls)),
        cls.__doc__,
        cls.__match_args__,
        [(each.name, each.type, each.kw_only, each.compare) for each in takes],
        cls.__dataclass_params__.frozen,
        repr(one),
        one == same,
        one == 1,
        hash(one) == hash(same) if cls.__hash__ else None,
        _told(lambda: repr(cls(a=5))),
        _told(lambda: repr(cls(a=-5))),
        _told(lambda: cls(a=5) == cls(a=5)),
        _told(lambda: repr(replace(cls(a=5), a=6))),
        _told(lambda: repr(cls(1, " x "))),
        _told(lambda: repr(cls(-1))),
        _told(lambda: repr(cls(1, 2, 3, 4, 5, 6, 7))),
        _told(lambda: repr(replace(one, a=2))),
        _told(lambda: replace(one, a=2) == one),
        _told(lambda: dataclasses.asdict(one)),
        _told(lambda: repr(copy.copy(one))),
        _told(lambda: repr(copy.deepcopy(one))),
        _told(lambda: one < same),
        hasattr(one, "__dict__"),
        getattr(one, "twice", None),
        takes and _told(lambda: setattr(one, "a", 2)),
        takes and "Frozen" in str(_told(lambda: delattr(one, "a"))),
    ]


OURS, THEIRS = (_classes(make) for make in (dataclass, dataclasses.dataclass))


@pytest.mark.parametrize("name", OURS)
def test_a_class_is_as_the_standard_library_makes_it(name: str) -> None:
    assert _answers(OURS[name]) == _answers(THEIRS[name])


@dataclass(frozen=True, slots=True)
class Kept:
    """A value that is pickled before any method of it was asked for."""

    a: int
    b: str = field(default="b", compare=False)


def test_a_value_is_kept_and_read_again() -> None:
    one = pickle.loads(pickle.dumps(Kept(1, "x")))
    assert (one, one.b) == (Kept(1), "x")


def test_an_import_compiles_no_method_of_a_value() -> None:
    asked = (
        "import gpuplanner.domain.queue.sets as module; "
        "print(type(vars(module.GpuSet)['__init__']).__name__, type(vars(module.GpuSet)['__eq__']).__name__)"
    )
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["_Method", "_Method"]
