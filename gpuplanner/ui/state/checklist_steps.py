"""The steps from a first file to a plan: which are done, what each that is not makes known, and what does it."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import speak, tr

ADD_LOG, ADD_CONTRACTS, PUBLIC_PRICES, LOOK_AT_REVIEW = "import", "add_contracts", "public_prices", "review"
"""What a step asks for: the id of an action of the window, or the review queue."""

BUTTONS: Final = {
    ADD_LOG: worded("Add a job log"),
    ADD_CONTRACTS: worded("Add contracts"),
    PUBLIC_PRICES: worded("Use public prices"),
    LOOK_AT_REVIEW: worded("Look at them"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """title: what is to be there; note: how much of it is, or what it shows; asks: what adds it, empty if done."""

    title: str
    note: str
    asks: str = ""

    def __post_init__(self) -> None:
        speak(self, "title", "note")

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""
        return not self.asks


def checklist_steps(project: Project, in_review: int | None) -> tuple[Step, ...]:
    """Log, contracts, prices, and the workloads to decide; empty where all three files are there, or nothing is.

    in_review: how many workloads wait for a decision; None while that is not known.
    """
    if project.is_empty or (project.workloads and project.contracts and project.offers):
        return ()
    steps = (
        Step(tr("Job log"), numbers.counted(project.jobs.count, "job"))
        if project.workloads
        else Step(tr("Job log"), tr("Shows demand, classes and the board"), ADD_LOG),
        Step(tr("Contracts"), numbers.counted(len(project.contracts), "contract"))
        if project.contracts
        else Step(tr("Contracts"), tr("Show spend, utilization and idle GPUs"), ADD_CONTRACTS),
        Step(tr("Prices"), numbers.counted(len(project.offers), "offer"))
        if project.offers
        else Step(tr("Prices"), tr("Show a plan and what it saves"), PUBLIC_PRICES),
    )
    if not project.workloads or in_review is None:
        return steps
    waiting = numbers.counted(in_review, "workload")
    return (
        *steps,
        Step(tr("Review"), tr("{waiting} to decide", waiting=waiting), LOOK_AT_REVIEW)
        if in_review
        else Step(tr("Review"), tr("Nothing to decide")),
    )
