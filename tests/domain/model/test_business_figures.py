"""A figure of the business is a count of a month."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.model.business_figures import BusinessFigure, check_business
from tests.domain.model.refusals import result_of


@pytest.mark.parametrize(
    ("changes", "is_right"),
    [
        ({}, True),
        ({"name": ""}, False),
        ({"name": "x" * 80}, True),
        ({"name": "x" * 81}, False),
        ({"month": "2026-12"}, True),
        ({"month": "2026-13"}, False),
        ({"month": "2026-00"}, False),
        ({"month": "1899-05"}, False),
        ({"month": "2199-05"}, True),
        ({"month": 202605}, False),
        ({"value": 0.0}, False),
        ({"value": 1e15}, True),
        ({"value": 1.1e15}, False),
        ({"value": float("nan")}, False),
        ({"value": True}, False),
        ({"value": "7"}, False),
    ],
)
def test_a_figure_of_the_business_is_a_count_of_a_month(changes: dict[str, Any], *, is_right: bool) -> None:
    figure = BusinessFigure("orders", "2026-08", 5.0)
    result = result_of(check_business, replace(figure, **changes))
    assert (result != "usage") is is_right
    trimmed = check_business(BusinessFigure(" orders ", "2026-08", 5, " chat "))
    assert trimmed == BusinessFigure("orders", "2026-08", 5.0, "chat")
    assert trimmed.identity == ("orders", "chat", "2026-08")
