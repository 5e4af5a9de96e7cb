"""The sheets of the book in the order of their tabs: of what kind each is, what it holds, whether it is protected."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What a sheet is for: its tab has the colour of its kind."""

    INPUT = "input"
    CALCULATION = "calculation"
    OUTPUT = "output"
    CONTROL = "control"


COLORS: Final = {
    Kind.INPUT: "#E0B400",
    Kind.CALCULATION: "#7381B1",
    Kind.OUTPUT: "#4B45C6",
    Kind.CONTROL: "#596170",
}
MEANINGS: Final = {
    Kind.INPUT: "what goes in: yellow cells are yours to change",
    Kind.CALCULATION: "workings between what goes in and what comes out",
    Kind.OUTPUT: "what comes out, for who decides, signs or pays",
    Kind.CONTROL: "what the book is, whether it holds, where it comes from",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One tab. holds: what is on it, in a line of the contents.

    is_protected: locked without a password but for yellow cells; not where there is an input table, which could not
    grow.
    """

    name: str
    kind: Kind
    holds: str
    is_protected: bool = True

    @property
    def color(self) -> str:
        """Of its tab."""
        return COLORS[self.kind]


SUMMARY: Final = "Summary"
DATES: Final = "Dates"

SHEETS: Final = (
    Sheet("Cover", Kind.CONTROL, "what this book is, contents, key of cells, changes"),
    Sheet(SUMMARY, Kind.OUTPUT, "every total, the twelve months, clusters and pools, charts"),
    Sheet("Assumptions", Kind.INPUT, "the window, every assumption as a named cell, rates of exchange"),
    Sheet("Contracts", Kind.INPUT, "what exists: GPUs, rates and dates; its use; when it ends", False),
    Sheet("Prices", Kind.INPUT, "offers with their rates, and who may use which", False),
    Sheet(
        "Workloads", Kind.CALCULATION, "what each is, where it stands, what it costs today and in the plan"
    ),
    Sheet(
        DATES,
        Kind.INPUT,
        "what begins, ends and steps, and work that no log has: in a plan with dates",
    ),
    Sheet(
        "Pools", Kind.CALCULATION, "demand of each pool and GPU model, load duration, what the plan costs it"
    ),
    Sheet("Demand", Kind.CALCULATION, "one row per hour of the log: what was asked, what was served"),
    Sheet("Commitment", Kind.INPUT, "the layers with their sizes, idle contracts, the orders"),
    Sheet("Comparison", Kind.OUTPUT, "twelve months: do nothing, the plan as advised, its layers held"),
    Sheet(
        "Advice", Kind.OUTPUT, "savings by step, price paths, range, calendar months, what it binds, unserved"
    ),
    Sheet("Quotes", Kind.OUTPUT, "what vendors were asked for, what they quoted, what it changes"),
    Sheet("FOCUS", Kind.OUTPUT, "the layers to buy as FOCUS 1.3 contract commitments"),
    Sheet("Audit", Kind.OUTPUT, "the window by cluster, GPU model, team and hour of the week"),
    Sheet(
        "Chargeback",
        Kind.OUTPUT,
        "who pays for the window: teams with their budgets, and what each workload adds",
    ),
    Sheet("Leaks", Kind.OUTPUT, "what is paid and does nothing: each leak and what is behind it"),
    Sheet("Hardware", Kind.INPUT, "each workload beside what it needs of hardware"),
    Sheet("Inference", Kind.INPUT, "endpoints that were sized: requests, replicas, GPUs, $"),
    Sheet("Placement", Kind.INPUT, "the way to users over cities and sites, any set of sites tried"),
    Sheet("Checks", Kind.CONTROL, "control totals; the app's figures beside those of this book"),
    Sheet("Exported", Kind.CONTROL, "what every input was at the export, and what was changed since"),
    Sheet("Provenance", Kind.CONTROL, "files read with their fingerprints, versions, decisions"),
    Sheet("Method", Kind.CONTROL, "how figures are worked out, and what the app alone works out"),
)
"""The tabs, in order."""


def sheets_of(is_dated: bool) -> tuple[Sheet, ...]:
    """The tabs of one book: Dates is there in a plan that has any."""
    return tuple(one for one in SHEETS if is_dated or one.name != DATES)
