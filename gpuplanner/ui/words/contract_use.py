"""Sentences without a contract under 40%."""

from collections.abc import Collection
from typing import Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.words import numbers

TO_MATCH: Final = long_text("names_to_match")
"""Shown in place of usage figures."""


def why_unknown(audit: Audit) -> Text:
    """Return why usage is unknown; empty if it is known."""
    if audit.asked_contracts:
        return TO_MATCH
    return no_job_of(audit.unlogged) if audit.unlogged else ""


def no_job_of(clusters: Collection[str]) -> Message:
    """Return the reason for clusters that are paid for but in no log."""
    named = joined((cluster or worded("(no name)") for cluster in sorted(clusters)), ", ")
    return worded("No job of {clusters} in any log", clusters=named)


def ran_count(audit: Audit) -> int:
    """Return the number of contracts paid for in the window, including those whose names need matching."""
    return sum(row.paid_gpu_hours > 0 for row in audit.contracts)


def is_paid(audit: Audit) -> bool:
    """Return whether contracts or bills were paid for in the window; False where it is unknown."""
    return bool(ran_count(audit)) or any(row.paid_gpu_hours for row in audit.clusters)


def none_under_40(audit: Audit) -> str:
    """Return a short text for a headline without a contract under 40%."""
    if not audit.contracts:
        return tr("No contracts yet")
    if not (ran := ran_count(audit)):
        return tr("None ran in the lookback period")
    if audit.asked_contracts:
        return tr("Match the names first")
    if audit.unlogged:
        return spoken(no_job_of(audit.unlogged))
    return tr("All at 40% or more") if ran == len(audit.contracts) else tr("All that ran: 40% or more")


def none_under_40_sentence(audit: Audit) -> str:
    """Return the text of `none_under_40` as a sentence with the count."""
    count, ran = len(audit.contracts), ran_count(audit)
    if not count:
        return tr("Import contracts to see idle cost.")
    if not ran:
        return tr(long_text("no_contract_overlaps", contracts=numbers.counted(count, "contract")))
    if audit.asked_contracts:
        return tr(
            "Use of {contracts} unknown: names in log and contracts may differ. See Plan, Match names.",
            contracts=numbers.counted(len(audit.unknown_contracts), "contract"),
        )
    if audit.unlogged:
        return spoken(no_job_of(audit.unlogged)) + "."
    if ran < count:
        return tr("{ran} of {count} contracts overlap the log, all at 40% or more.", ran=ran, count=count)
    return tr("All {contracts} are used at 40% or more.", contracts=numbers.counted(count, "contract"))
