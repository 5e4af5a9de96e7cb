"""What a file is, by its content: so that anything can be dropped and sorts itself."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files import contracts, prices
from gpuplanner.files.job_logs.dialects import DIALECTS
from gpuplanner.files.source import OTHER, Source, survey

LIKELY: Final = 0.5
"""From this confidence on a file is taken for what it seems to be."""


@dataclass(frozen=True, slots=True)
class Recognition:
    """kind: jobs, contracts, prices or unknown; format: the dialect, empty for unknown; confidence 0..1; why: words."""

    kind: str
    format: str
    confidence: float
    why: str


def recognise(path: str) -> Recognition:
    """What a file on disk is.

    Errors: PlannerError file_missing, file_unreadable, truncated_file.
    """
    return recognise_source(survey(path))


def recognise_source(source: Source) -> Recognition:
    """What a surveyed file is."""
    if source.kind == OTHER:
        return Recognition("unknown", "", 1.0, f"it is {source.foreign}")
    if not source.head.strip():
        return Recognition("unknown", "", 1.0, "it is empty")
    candidates = [
        *(
            Recognition("jobs", d.format, d.sniff(source.head), f"it reads like a {d.title}")
            for d in DIALECTS
        ),
        Recognition(
            "contracts", contracts.FORMAT, contracts.sniff(source.head), "it has a contract_id column"
        ),
        Recognition("prices", prices.FORMAT, prices.sniff(source.head), "it has an offer_id column"),
    ]
    best = max(candidates, key=lambda candidate: candidate.confidence)
    if best.confidence < LIKELY:
        return Recognition("unknown", "", 1.0 - best.confidence, "its first lines are of no known kind")
    return best


def check_is(source: Source, kind: str) -> None:
    """Errors: PlannerError where a file is given as one kind and is clearly another."""
    found = recognise_source(source)
    if found.kind not in (kind, "unknown"):
        what = f"it is a file of {found.kind}, not of {kind}"
        raise PlannerError(f"{source.path}:1", "missing_column", what, f"give it as --{found.kind}")
