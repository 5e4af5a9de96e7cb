"""Words for who pays: by what, how idle GPUs are shared, and what rows without a name are called."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.scenario.assumptions import IdleRule


class ChargeBy(StrEnum):
    """What a row of a chargeback is of."""

    TEAM = "team"
    WORKLOAD = "workload"
    MODEL = "model"
    ENDPOINT = "endpoint"


NOBODY: Final = worded("Nobody")
NO_JOB: Final = worded("No job answers for it")
SEVERAL_TEAMS: Final = worded("several")
EVERYTHING: Final = worded("All")
UNNAMED: Final[Mapping[ChargeBy, Message]] = {
    ChargeBy.MODEL: worded("Unknown model"),
    ChargeBy.ENDPOINT: worded("Work that is no endpoint"),
}
"""Work that has no name of its own."""
RULE_WORDS: Final[Mapping[IdleRule, Message]] = {
    IdleRule.GPU_HOURS: worded("by GPU-hours"),
    IdleRule.PEAK: worded("by each team's largest hour"),
    IdleRule.OWNER: worded("by who answers for each contract"),
}
"""How idle GPUs are shared, as a caption says it."""


def shared_words(rule: IdleRule) -> Message:
    """How idle GPUs were shared, as a sentence's beginning."""
    return joined((worded("idle GPUs are shared "), RULE_WORDS[rule]))
