"""Lock-in is weighted by the dollars of the first month."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.audit.spend.lock_in import lock_in_now_months
from tests.domain.audit.conftest import START_S, make_contract, make_project

MONTH_H = 730
H = 3600


def test_what_is_bound_is_weighted_by_the_dollars_of_the_first_month() -> None:
    """k: 4 GPUs at $2 for 730 h more, one month; l: 1 GPU at $2 for three; by use: none. (4 x 1 + 1 x 3) / 5."""
    end_s = START_S + 10 * H

    def held(name: str, gpus: float, months: int, **more: Any) -> Any:
        facts = {"pricing_category": "COMMITTED", "term_months": 12} | more
        return make_contract(name, gpus, "2", end_s=end_s + months * MONTH_H * H, **facts)

    contracts = [
        held("k", 4, 1),
        held("l", 1, 3),
        held("m", 9, 9, pricing_category="STANDARD", term_months=0),
    ]
    project = make_project(10, [], [], contracts)
    assert lock_in_now_months(project) == pytest.approx(7 / 5)
    assert lock_in_now_months(replace(project, contracts=project.contracts[2:])) is None
    unrated = replace(project.contracts[0], rate_usd_per_gpu_hour=None)
    assert lock_in_now_months(replace(project, contracts=(unrated, project.contracts[1]))) is None
