"""Leaks of capacity that is paid for and idle: tails after training, and reservations that never materialised."""

from itertools import pairwise
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.audit.leaks.idle_gap_tails import tails_of_idle_gaps
from gpuplanner.domain.audit.leaks.leak_claims import LeakClaim, LeakRule, Part, Past
from gpuplanner.domain.audit.leaks.tails import tails_of
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded, worded_count
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.window import HOUR_S, Window

BLOCK_HOURS: Final = 30 * 24
BLOCKS: Final = 3
UNMATERIALISED_PERCENT: Final = 10


def idle_tails(past: Past) -> list[LeakClaim]:
    """Capacity idle for longer than the assumption after a training run's last job ended, up to the next job.

    GPU-hours are those of each contract, to the second where the log tells them. Source:
    docs/formulas.md, Leaks.
    """
    claims = []
    for hours in past.clusters:
        longer_than_s = 60 * past.project.assumptions.idle_tail_minutes
        tails = tails_of_idle_gaps(past, hours, longer_than_s)
        if tails is None:
            tails = tails_of(past, hours, longer_than_s)
        if tails:
            idle = sum((tail.idle for tail in tails), start=np.zeros(len(hours.contracts)))
            subject = worded_count(
                len(tails),
                "{cluster}: {tails} tail",
                "{cluster}: {tails} tails",
                cluster=hours.cluster,
                tails=whole(len(tails)),
            )
            parts = tuple(
                _idle(contract, amount)
                for contract, amount in zip(hours.contracts, idle.tolist(), strict=True)
            )
            claims.append(LeakClaim(hours.cluster, subject, parts))
    return claims


IDLE_TAIL: Final = LeakRule(
    "idle_tail",
    worded("Idle after training"),
    idle_tails,
    "contract",
    worded(
        "Capacity stayed idle after training stopped, for longer than the idle tail, until new demand began."
    ),
    worded("idle GPU-hours of each contract × its rate"),
    worded("Release the GPUs when a run ends, or let queued burst work fill them."),
)


def unmaterialised(past: Past) -> list[LeakClaim]:
    """Contracts under 10% used in each of their last three 30-day blocks, or since their start if that is younger.

    Of a contract older than the window only what the window shows is looked at, 30 days of it at least.
    """
    claims = []
    for hours in past.clusters:
        for place, contract in enumerate(hours.contracts):
            blocks = _blocks(contract, past.project.window)
            if blocks and all(
                _is_unused(hours.served[place], hours.capacity[place], block) for block in blocks
            ):
                has_ended = contract.end_s is not None and contract.end_s <= past.project.window.end_s
                idle = int((hours.capacity[place] - hours.served[place]).sum())
                claims.append(
                    LeakClaim(
                        hours.cluster,
                        contract.contract_id,
                        (_idle(contract, idle),),
                        worded("It has ended: do not renew it.") if has_ended else "",
                        contract.contract_id,
                    )
                )
    return claims


UNMATERIALISED: Final = LeakRule(
    "unmaterialised",
    worded("Contract hardly used"),
    unmaterialised,
    "contract",
    worded("Under 10% was used in each of its last three blocks of 30 days, or since its start."),
    worded("GPU-hours paid and not used × its rate"),
    worded("End it at the next notice date, or shrink it to what is used."),
)


def _blocks(contract: Contract, window: Window) -> list[slice]:
    """Hours of the window to look at: up to three blocks of 30 days back from its end.

    A contract that began less than three blocks ago, inside the window, is one block from its start on.
    """
    end_s = window.end_s if contract.end_s is None else min(contract.end_s, window.end_s)
    seen_from_s = max(contract.start_s, window.start_s)
    if end_s - seen_from_s < BLOCK_HOURS * HOUR_S:
        return []
    first, last = (seen_from_s - window.start_s) // HOUR_S, -(-(end_s - window.start_s) // HOUR_S)
    is_younger = end_s - contract.start_s < BLOCKS * BLOCK_HOURS * HOUR_S
    if is_younger and contract.start_s >= window.start_s:
        return [slice(first, last)]
    edges = [max(last - number * BLOCK_HOURS, first) for number in range(BLOCKS + 1)]
    return [slice(begin, end) for end, begin in pairwise(edges) if begin < end]


def _is_unused(served: Ints, capacity: Ints, block: slice) -> bool:
    """Whether under 10% of a block was used, by whole numbers."""
    return 100 * int(served[block].sum()) < UNMATERIALISED_PERCENT * int(capacity[block].sum())


def _idle(contract: Contract, milli_gpu_seconds: float) -> Part:
    """A part of what a contract was paid for and idled, at its rate."""
    return Part(
        ("contract", contract.contract_id),
        milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR,
        contract.rate,
    )
