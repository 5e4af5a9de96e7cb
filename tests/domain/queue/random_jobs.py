"""Random jobs of three kinds on random contracts, and how long they wait, as lines of a golden table."""

import random

from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.rows import log_waits
from gpuplanner.domain.queue.waiting import waiting_of
from gpuplanner.domain.queue.waits import Target
from tests.domain.commitment.conftest import contract
from tests.domain.queue.queued_jobs import Row, queued
from tests.domain.worlds import HOURS
from tests.shown import class_lines


def random_rows(chance: random.Random) -> list[Row]:
    """Return jobs that wait between no time and a day, some of which begin before the window."""
    rows = []
    for _ in range(chance.choice((12, 30))):
        eligible_h = chance.uniform(-5, 690)
        start_h = eligible_h + chance.choice((0, 0, 0.5, 3, 26))
        rows.append(
            Row(
                kind=chance.choice((0, 0, 1, 2)),
                gpus=chance.choice((0.5, 1, 2, 4, 8)),
                eligible_h=eligible_h,
                start_h=start_h,
                end_h=start_h + chance.choice((0.25, 2, 10, 60)),
                nodes=chance.choice((1, 1, 2)),
                planned_h=chance.choice((0, 0, 5)),
                is_known=chance.random() < 0.9,
            )
        )
    return sorted(rows, key=lambda row: row.eligible_h)


def waits_text(case: str) -> str:
    """Return the waits of random jobs, and those of their log. case: a seed."""
    seed = int(case)
    chance = random.Random(f"jobs {seed}")
    held = (
        contract("K1", chance.choice((4, 8, 16)), 2.0, 6, HOURS),
        contract("K2", chance.choice((2, 8)), 1.5, chance.choice((2, None)), HOURS, cluster="c2"),
        contract("K3", 5, 1.0, None, HOURS, gpu_model="A100"),
    )
    queueing = queued(random_rows(chance), held[: chance.choice((2, 3))])
    target = Target(chance.choice(list(Pool)), chance.choice((0.5, 4.0)))
    waiting = waiting_of(queueing, 2, target, together=(chance.random() < 0.5,))
    return class_lines((waiting, log_waits(queueing, is_whole=chance.random() < 0.5)))
