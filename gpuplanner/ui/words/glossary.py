"""Words for what is paid and does nothing: one for each thing, the same in tips, in Help and in the guide."""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.ui.words.translation import tr

IDLE: Final = titles.IDLE
UNUSED: Final = WINDOW["unused_per_month"].title
IDLE_EXISTING: Final = worded("Idle existing")
METERED: Final = CLUSTER["stranded_metered"].title
AUDIT: Final = CLUSTER["stranded_audit"].title
INACTIVE: Final = worded("Inactive")
OVERFLOW: Final = CLUSTER["overflow_per_month"].title
LEAK: Final = worded("Leak")

WORDS: Final[dict[Text, Message]] = {
    IDLE: worded("GPUs that are paid for and that no job holds, counted as GPUs or GPU-hours."),
    UNUSED: worded("What idle GPUs cost: paid and not allocated to any job."),
    IDLE_EXISTING: worded(
        "The part of Unused that is of contracts you already have: paid until they end, whatever the plan."
    ),
    METERED: worded("The unused cost of the hours in which nothing trained. It adds up to the invoice."),
    AUDIT: worded(
        "The idle share of those hours, taken for the whole cost. A reading; it can be above what is unused."
    ),
    INACTIVE: worded(
        "GPUs that a job holds and does nothing with, where the log has activity. Allocated, so not unused."
    ),
    OVERFLOW: worded("Demand beyond the contracts, priced on demand."),
    LEAK: worded(
        "Money lost in a way that has a name and a remedy. Leaks overlap: they add up to none of the others."
    ),
}
"""Word -> what it means, from the smallest thing to the largest."""


def meaning(*words: Text) -> str:
    """Words with what they mean, a line each: for tool tips."""
    return "\n".join(f"{tr(word)}: {tr(WORDS[word])}" for word in words)
