"""Figures of training runs: memory of a GPU, hours with their band, $ and kWh; all worked out in domain/training.

Source: docs/formulas.md, Training.
"""

from typing import Final

from gpuplanner.domain.figures import writing
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.message import worded

TRAINING: Final = Subject(
    "training",
    (
        Figure("gpus", worded("GPUs of the run"), writing.COUNT, short=worded("GPUs")),
        Figure("nodes", worded("Nodes"), writing.COUNT),
        Figure("nic_gbps", worded("Gb/s a node"), writing.COUNT),
        Figure("memory_gib", worded("Memory of a GPU"), writing.GIBIBYTES),
        Figure("tokens_per_s_per_gpu", worded("Tokens/s a GPU"), writing.COUNT),
        Figure("hours", worded("Hours to train"), writing.RUN_HOURS, short=worded("Hours")),
        Figure("usd", worded("Cost to train"), writing.MONEY_IN_ALL),
        Figure("kwh", worded("Energy to train"), writing.KWH),
    ),
)
