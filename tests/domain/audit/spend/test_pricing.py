"""GPU time at its rates: in all and by hour; unknown where a rate is missing."""

import numpy as np
import pytest

from gpuplanner.domain.audit.spend.pricing import priced, usd_by_hour
from tests.domain.audit.conftest import GPU_HOUR


@pytest.mark.parametrize(
    ("spent", "rates", "usd"),
    [
        ([], [], 0.0),
        ([GPU_HOUR, GPU_HOUR // 2], [2.0, 4.0], 4.0),
        ([GPU_HOUR, 0], [2.0, None], 2.0),
        ([GPU_HOUR, 1], [2.0, None], None),
    ],
)
def test_gpu_time_is_priced_where_all_of_it_has_a_rate(
    spent: list[int], rates: list[float | None], usd: float | None
) -> None:
    assert priced(np.array(spent, dtype=np.int64), rates) == usd


def test_gpu_time_costs_its_rate_or_is_unknown() -> None:
    amount = np.array([[3_600_000, 0], [7_200_000, 0]])
    assert usd_by_hour(amount, [2.0, 3.0]).tolist() == [8.0, 0.0]
    unknown = usd_by_hour(amount, [2.0, None]).tolist()
    assert np.isnan(unknown[0]) and unknown[1] == 0.0
