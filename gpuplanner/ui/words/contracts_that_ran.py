"""What is said of contracts where none is under 40%: all are above it, some or all never ran in the window."""

from typing import Final

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.message import worded
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

TO_MATCH: Final = worded(
    "Unknown until names are matched: log and contracts may call one thing by two names (Scenario, Match names)."
)
"""What stands where figures of use would."""


def ran_count(audit: Audit) -> int:
    """How many contracts were paid for in the window, also those whose names are still to be matched with the log's."""
    return sum(row.paid_gpu_hours > 0 for row in audit.contracts)


def none_under_40(audit: Audit) -> str:
    """A few words for a headline."""
    if not audit.contracts:
        return tr("No contracts yet")
    ran = ran_count(audit)
    if not ran:
        return tr("None ran in the window")
    if audit.unknown_contracts:
        return tr("Match the names first")
    return tr("All at 40% and above") if ran == len(audit.contracts) else tr("All that ran: 40% and above")


def none_under_40_sentence(audit: Audit) -> str:
    """The same as a sentence, with the count."""
    count, ran = len(audit.contracts), ran_count(audit)
    if not count:
        return tr("No contracts yet. Import contracts to see what is paid for and not used.")
    if not ran:
        return tr(
            "No contract ran in the window of the log, so none was used: {contracts} begin after it or ended before.",
            contracts=numbers.counted(count, "contract"),
        )
    if audit.unknown_contracts:
        return tr(
            "Log and contracts may call one thing by two names, so the use of {contracts} is unknown: Scenario, Match "
            "names.",
            contracts=numbers.counted(len(audit.unknown_contracts), "contract"),
        )
    if ran < count:
        return tr(
            "{ran} of {count} contracts ran in the window of the log; each is used at 40% and above.",
            ran=ran,
            count=count,
        )
    return tr("All {contracts} are used at 40% and above.", contracts=numbers.counted(count, "contract"))
