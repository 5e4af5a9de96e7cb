"""States of jobs: the many spellings of the schedulers, and which of them say the same."""

import re
from typing import Final

RUNNING: Final = "RUNNING"
PENDING: Final = "PENDING"
CANCELLED: Final = "CANCELLED"
FAILED_STATES: Final = ("FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "TIMEOUT")
"""States whose GPU time is failed work (docs/formulas.md, Leaks)."""

_SAME_AS: Final = {
    "R": RUNNING,
    "PD": PENDING,
    "CA": CANCELLED,
    "CANCELED": CANCELLED,
    "CD": "COMPLETED",
    **dict.fromkeys(
        ("SUCCEEDED", "SUCCESS", "SUCCESSFUL", "COMPLETE", "DONE", "FINISHED", "OK", "PASS", "PASSED"),
        "COMPLETED",
    ),
    **dict.fromkeys(("ERROR", "ERR", "CRASHED"), "FAILED"),
    **dict.fromkeys(("KILLED", "ABORTED"), CANCELLED),
    **dict.fromkeys(("QUEUED", "PEND"), PENDING),
    "F": "FAILED",
    "TO": "TIMEOUT",
    "NF": "NODE_FAIL",
    "OOM": "OUT_OF_MEMORY",
    "OOMKILLED": "OUT_OF_MEMORY",
    "OUT_OF_ME": "OUT_OF_MEMORY",  # as wide as sacct's column is
    "PR": "PREEMPTED",
    "RQ": "REQUEUED",
    "S": "SUSPENDED",
}

KNOWN_STATES: Final = frozenset(
    {
        *_SAME_AS.values(),
        *FAILED_STATES,
        *(
            "BOOT_FAIL",
            "COMPLETING",
            "CONFIGURING",
            "DEADLINE",
            "RESIZING",
            "REVOKED",
            "SIGNALING",
            "STAGE_OUT",
        ),
        *("SPECIAL_EXIT", "STOPPED", "LAUNCH_FAILED", "RECONFIG_FAIL", "POWER_UP_NODE", "REQUEUE_HOLD"),
        *("REQUEUE_FED", "RESV_DEL_HOLD", "UPDATE_DB", "EXPEDITING", "EVICTED", "PREEMPTING"),
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
