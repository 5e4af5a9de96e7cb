"""Pools and pricing categories: the fixed names that demand and money are sorted by."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from gpuplanner.domain.message import Message, worded


class Pool(StrEnum):
    """Where a workload runs in a scenario; also the class of a workload (what it is)."""

    TRAINING = "training"
    INFERENCE = "inference"
    BURST = "burst"


POOLS: Final = (Pool.TRAINING, Pool.INFERENCE, Pool.BURST)
"""The order in which pools are shown."""

POOL_TITLES: Final[Mapping[Pool, Message]] = {
    Pool.TRAINING: worded("Training"),
    Pool.INFERENCE: worded("Inference"),
    Pool.BURST: worded("Burst"),
}
"""What pools and classes are called in headings."""

SERVING_ORDER: Final = (Pool.INFERENCE, Pool.TRAINING, Pool.BURST)
"""The order in which contracts serve pools, and in which offers with a maximum are given out."""


class PricingCategory(StrEnum):
    """FOCUS pricing categories; MIXED is a usage-priced layer that is partly on demand, partly spot, OWNED are GPUs of
    our own.

    Source: the pricing categories of the FOCUS specification of cost data; MIXED and OWNED are ours.
    """

    STANDARD = "STANDARD"
    COMMITTED = "COMMITTED"
    DYNAMIC = "DYNAMIC"
    OWNED = "OWNED"
    MIXED = "MIXED"

    @property
    def is_commitment(self) -> bool:
        """Whether it is paid for over a term, used or not: signed for, or owned."""
        return self in (PricingCategory.COMMITTED, PricingCategory.OWNED)
