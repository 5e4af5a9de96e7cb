"""Field types: every value that a sound project holds passes, and nothing else."""

from dataclasses import dataclass
from decimal import Decimal

import pytest

from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.project.field_types import NewerFieldError, check_fields


@dataclass(frozen=True)
class Row:
    count: int
    share: float | None
    rate: Decimal | None
    pool: Pool
    names: tuple[str, ...]
    is_own: bool
    start_s: int
    anything: object = None


SOUND = {
    "count": (0, -5, 2**63 - 1),
    "share": (0.5, 1, None, -0.0),
    "rate": (Decimal("2.750"), Decimal(0), None),
    "pool": tuple(Pool),
    "names": ((), ("a",)),
    "is_own": (True, False),
    "start_s": (0, -(10**9), 10**10),
    "anything": (None, "x", [1], True, 2.5),
}
UNSOUND = {
    "count": (None, 1.0, True, "1", 2**63, [1]),
    "share": (float("nan"), float("inf"), "0.5", True, Decimal(1), []),
    "rate": (Decimal("NaN"), Decimal("Infinity"), 2.75, 2, "2.75"),
    "pool": ("nowhere", None, 1),
    "names": ([], "ab", None, {"a": 1}),
    "is_own": (0, 1, None, "true"),
    "start_s": (2**60, None, 1.5),
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, some in SOUND.items() for value in some])
def test_what_a_field_can_hold(name: str, value: object) -> None:
    check_fields(Row, [(name, value)])


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, some in UNSOUND.items() for value in some]
)
def test_what_a_field_cannot_hold(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"Row.{name} cannot be"):
        check_fields(Row, [(name, value)])


def test_a_field_that_there_is_not() -> None:
    with pytest.raises(NewerFieldError):
        check_fields(Row, [("colour", 1)])
