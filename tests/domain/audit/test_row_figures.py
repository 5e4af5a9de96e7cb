"""Rows of contracts and clusters keep all their figures: reports show any of them, and without a log none of use."""

from typing import Any

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.unlogged import without_log
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.reports.report import Column

GPU_HOUR = 3_600_000


@pytest.fixture
def answer(world: Any) -> Audit:
    held = [
        world.contract("a", 4, "2", pricing_category=PricingCategory.COMMITTED),
        world.contract("b", 2, "3", cluster="cedar"),
    ]
    works = [world.workload("w"), world.workload("v", cluster="cedar")]
    project = world.project(2, works, [(0, 0, 0, 3 * GPU_HOUR), (1, 0, 1, GPU_HOUR)], held)
    found: Audit = audit(project, world.classified(Pool.BURST, Pool.BURST))
    return found


def test_a_figure_with_a_field_is_that_field(answer: Audit) -> None:
    for row in (*answer.contracts, *answer.clusters):
        fields = {key: value for key, value in row.figures.items() if hasattr(row, key)}
        assert len(fields) > 5
        assert fields == {key: getattr(row, key) for key in fields}


def test_a_column_shows_a_figure_without_a_field(answer: Audit) -> None:
    a, _ = answer.contracts
    assert not hasattr(a, "committed_per_month")
    assert Column(CONTRACT["committed_per_month"]).of(a) == pytest.approx(4 * 2 * 730)
    assert Column(CONTRACT["idle_gpu_hours"]).of(a) == 8 - 3


def test_without_a_log_what_is_paid_is_known_and_nothing_of_use(answer: Audit) -> None:
    a, _ = without_log(answer).contracts
    assert a.figures["committed_per_month"] == pytest.approx(4 * 2 * 730)
    for key in ("idle_gpu_hours", "utilization", "unused_in_window", "allocated_per_month"):
        assert Column(CONTRACT[key]).of(a) is None
