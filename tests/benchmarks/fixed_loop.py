"""The fixed numpy loop: how fast this machine is now, so that times of different machines compare."""

import time
from typing import Final

import numpy as np

LOOP_MS: Final = 13.5
"""What the loop took on the machine that bars and budgets are stated for."""


def loop_ms() -> float:
    """Return the quickest of five loops, in ms of the thread: ten times a million square roots and their sum."""
    values, taken_s = np.arange(1_000_000, dtype=np.float64), []
    for _ in range(5):
        start_s = time.thread_time()
        for _ in range(10):
            np.sqrt(values).sum()
        taken_s.append(time.thread_time() - start_s)
    return 1000 * min(taken_s)
