"""Demand of a constant number of GPUs, and the times of a plan of one month."""

from datetime import UTC, datetime
from typing import Any

from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S
from tests.domain.commitment.conftest import START_S, Load, offer
from tests.domain.track.conftest import MONTH

ON_DEMAND = offer("od", 0, 5.0)
END_S = START_S + MONTH * HOUR_S
"""When plans of a log of one month begin."""
GPU_H = 3_600_000


def flat(gpus: float, hours: int = MONTH, pool: Pool = Pool.TRAINING, **more: Any) -> Load:
    return Load(pool=pool, gpus=[gpus] * hours, **more)


def at_s(year: int, month: int, day: int = 1) -> int:
    return int(datetime(year, month, day, tzinfo=UTC).timestamp())
