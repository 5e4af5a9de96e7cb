"""Interruptions of spot nodes that files observed: the mean time between them (docs/formulas.md, Spot)."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME, Assumptions

KIND: Final = "interruptions"
"""The kind of file that observes them."""

NODE_MTBF: Final = "spot_node_mtbf_hours"
NODE_HOURS, INTERRUPTIONS = "node_hours", "interruptions"
"""Facts of such a file."""


@dataclass(frozen=True, slots=True)
class Observed:
    """node_hours: spot nodes were there so long, in hours over all nodes; interruptions: how often one was taken."""

    node_hours: float
    interruptions: int
    paths: tuple[str, ...]

    @property
    def mtbf_hours(self) -> float | None:
        """Node-hours by interruption; None without any, or where it is out of what the assumption may be.

        Units: hours of one node between two interruptions.
        """
        if not self.interruptions:
            return None
        spec, hours = SPEC_BY_NAME[NODE_MTBF], self.node_hours / self.interruptions
        return hours if spec.low <= hours <= spec.high else None


def observed(intake: Iterable[FileIntake]) -> Observed | None:
    """What all files of interruptions came to together; None without one.

    Files of that kind which state no node-hours are left out.
    """
    files = [file for file in intake if file.kind == KIND and dict(file.facts).get(NODE_HOURS) is not None]
    if not files:
        return None
    facts = [dict(file.facts) for file in files]
    return Observed(
        fsum(float(str(fact[NODE_HOURS])) for fact in facts),
        sum(int(str(fact[INTERRUPTIONS])) for fact in facts),
        tuple(file.path for file in files),
    )


def with_observed(assumptions: Assumptions, intake: Iterable[FileIntake]) -> Assumptions:
    """The assumptions with what was observed in place of theirs; themselves where it proposes nothing.

    Only the mean time between failures of a spot node is observed.
    """
    found = observed(intake)
    hours = None if found is None else found.mtbf_hours
    return assumptions if hours is None else assumptions.with_values({NODE_MTBF: hours})


def source_words(name: str, value: object, intake: Iterable[FileIntake]) -> Message | None:
    """Where the value of an assumption was observed, in words; None where no file says it.

    value: as it is in force; one that the planner set instead was not observed.
    """
    found = observed(intake) if name == NODE_MTBF else None
    if found is None or found.mtbf_hours is None or value != found.mtbf_hours:
        return None
    return worded(
        "observed: {hours} node-hours by {interruptions} interruptions, {files}",
        hours=whole(found.node_hours),
        interruptions=whole(found.interruptions),
        files=", ".join(path.replace("\\", "/").rsplit("/", 1)[-1] for path in found.paths),
    )
