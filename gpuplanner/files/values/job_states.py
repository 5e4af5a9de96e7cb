"""States of jobs: the many spellings of the schedulers, and which of them say the same."""

import re
from typing import Final

from gpuplanner.domain.model.intake import FAILED_STATES
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.word_lists import phrases

RUNNING: Final = "RUNNING"
PENDING: Final = "PENDING"
CANCELLED: Final = "CANCELLED"
_SAME_AS: Final = plain_table("state")
"""Spellings of states that another word stands for; OUT_OF_ME is as wide as a column of sacct."""

KNOWN_STATES: Final = frozenset(
    {
        *_SAME_AS.values(),
        *FAILED_STATES,
        *phrases(
            "BOOT_FAIL|COMPLETING|CONFIGURING|DEADLINE|RESIZING|REVOKED|SIGNALING|STAGE_OUT|SPECIAL_EXIT"
            "|STOPPED|LAUNCH_FAILED|RECONFIG_FAIL|POWER_UP_NODE|REQUEUE_HOLD|REQUEUE_FED|RESV_DEL_HOLD"
            "|UPDATE_DB|EXPEDITING|EVICTED|PREEMPTING"
        ),
    }
)
"""What schedulers say; another word is told, for nobody knows whether such jobs failed."""


def read_state(text: str) -> str:
    """The state in capitals, without who cancelled it or a mark of truncation; empty where none is stated.

    >>> read_state("Cancelled by 1001")
    'CANCELLED'
    """
    word = re.split(r"[\s+,]", text.strip().upper(), maxsplit=1)[0]
    return _SAME_AS.get(word, "" if word in ("UNKNOWN", "NONE", "NULL") else word)


def finality(state: str) -> int:
    """How final a state is: of two rows of one run the more final is the later word on it.

    >>> finality("PENDING"), finality("RUNNING"), finality(""), finality("COMPLETED")
    (0, 0, 1, 2)
    """
    return {PENDING: 0, RUNNING: 0, "": 1}.get(state, 2)
