"""Hardware needs that are entered: kind, range and typing."""

from typing import Any

import pytest

from gpuplanner.domain.model.hardware_needs import NeedsSet, check_need, parse_need
from tests.domain.model.refusals import result_of


@pytest.mark.parametrize(
    ("name", "value", "result"),
    [
        ("nodes", 1, 1),
        ("nodes", 4.0, 4),
        ("nodes", 0, "usage"),
        ("nodes", 100_000, 100_000),
        ("nodes", 100_001, "usage"),
        ("nodes", 1.5, "usage"),
        ("nodes", True, "usage"),
        ("nodes", "4", "usage"),
        ("memory_gb_per_gpu", 80, 80.0),
        ("memory_gb_per_gpu", 0.5, "usage"),
        ("kv_cache_gb", 0, 0.0),
        ("kv_cache_gb", False, "usage"),
        ("gpus_per_node", 0.001, 0.001),
        ("gpus_per_node", 1024.5, "usage"),
        ("interconnect", "roce", "roce"),
        ("interconnect", "wifi", "usage"),
        ("bare_metal", True, True),
        ("bare_metal", False, False),
        ("bare_metal", 1, "usage"),
        ("unknown", 1, "usage"),
    ],
)
def test_a_need_has_a_value_of_its_kind_in_its_range(name: str, value: Any, result: Any) -> None:
    checked = result_of(check_need, name, value)
    assert checked == result and type(checked) is type(result)


@pytest.mark.parametrize(
    ("name", "text", "result"),
    [
        ("nodes", " 1,024 ", 1024),
        ("nodes", "4.0", 4),
        ("nodes", "4.5", "usage"),
        ("nodes", "many", "usage"),
        ("memory_gb_per_gpu", "80", 80.0),
        ("memory_gb_per_gpu", "80.5", 80.5),
        ("interconnect", "RoCE 400", "roce_400"),
        ("interconnect", "x y", "usage"),
        ("bare_metal", "Yes", True),
        ("bare_metal", "false", False),
        ("bare_metal", "perhaps", "usage"),
        ("nodes", "  ", None),
        ("unknown", "", None),
        ("unknown", "4", "usage"),
    ],
)
def test_a_need_is_typed_without_care_of_case_blanks_and_commas(name: str, text: str, result: Any) -> None:
    assert result_of(parse_need, name, text) == result


def test_needs_that_are_set_are_those_with_a_value() -> None:
    needs = NeedsSet().with_value("nodes", 2).with_value("bare_metal", False)
    assert needs.values() == {"nodes": 2, "bare_metal": False} and not needs.is_empty
    assert needs.with_value("nodes", None).with_value("bare_metal", None).is_empty
