"""When each demo job was submitted: it waits while its cluster is full."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Final

from gpuplanner.domain.model.window import DAY_S, instant_s
from gpuplanner.files.demo.days import DAYS, DemoDays
from gpuplanner.files.demo.runs import HOUR, SEED, Row, Run
from gpuplanner.lazy_dataclass import dataclass

STEP_S: Final = 300
"""How finely a cluster is looked at."""
STEPS: Final = DAYS * DAY_S // STEP_S
PATIENCE_S: Final = {"batch": 8 * HOUR, "short": 2 * HOUR, "etl": HOUR, "interactive": HOUR // 3, "serve": 0}
"""How long work of a queue waits for the cluster's own GPUs before it is sent to rented ones."""
RESTART_S: Final = HOUR // 2
"""A segment of a campaign that starts this soon after the one before was queued behind it."""
LIMITS_H: Final = (1, 2, 4, 8, 12, 24, 48, 72, 120, 240)
"""Time limits that people ask for."""
WITHOUT_LIMIT: Final = ("serve", "interactive")

Place = tuple[str, str]  # cluster, GPU model
Job = tuple[Row, Run]


@dataclass(frozen=True, slots=True)
class Queued:
    """When a job was put into the queue; epoch seconds UTC.

    eligible_s: when nothing but GPUs was missing any more, None where that was so from the beginning. time_limit: as
    [D-]HH:MM:SS, empty where it has none.
    """

    submit_s: int
    eligible_s: int | None
    time_limit: str


def queued(jobs: Sequence[Job], contracts: Iterable[Mapping[str, str]], days: DemoDays) -> list[Queued]:
    """The queue of each job, in their order, which is by start. contracts: rows of contracts.csv with their dates."""
    free, chance = _free_gpus(jobs, contracts, days), Random(f"{SEED}/queue")
    last: dict[int, tuple[int, Run]] = {}  # of each row: when its chain was submitted, and its last run
    answer = []
    for row, run in jobs:
        chain, before = last.get(id(row), (run.start_s, None))
        limit = _time_limit(row, run, chance)
        if row["pattern"] == "pretrain" and before and 0 <= run.start_s - before.end_s <= RESTART_S:
            last[id(row)] = (chain, run)
            answer.append(Queued(chain, before.end_s, limit))
            continue
        waited_s = _waited_s(
            free.get((row["cluster"], row["gpu_model"]), []), row, run.start_s - days.start_s
        )
        if waited_s:
            waited_s = int(waited_s * chance.uniform(0.3, 1.0))
        submit_s = max(run.start_s - waited_s - chance.randint(2, 40), days.start_s)
        last[id(row)] = (submit_s, run)
        answer.append(Queued(submit_s, None, limit))
    return answer


def _free_gpus(
    jobs: Iterable[Job], contracts: Iterable[Mapping[str, str]], days: DemoDays
) -> dict[Place, list[int]]:
    """GPUs free in each step of the log on each cluster and model; below 0 where more run than it has."""
    changes: defaultdict[Place, list[int]] = defaultdict(lambda: [0] * (STEPS + 1))

    def add(place: Place, gpus: int, begin_s: int, end_s: int) -> None:
        """Adds GPUs at a place from one instant to another, in steps of the days.

        What lies outside them is cut off.
        """
        steps = changes[place]
        begin, end = (min(max((at_s - days.start_s) // STEP_S, 0), STEPS) for at_s in (begin_s, end_s))
        steps[begin] += gpus
        steps[end] -= gpus

    for row, run in jobs:
        add((row["cluster"], row["gpu_model"]), -int(row["gpus"]), run.start_s, run.end_s)
    for contract in contracts:
        end_s = instant_s(contract["end"]) if contract["end"] else days.end_s
        place = (contract["cluster"], contract["gpu_model"])
        add(place, int(contract["gpus"]), instant_s(contract["start"]), end_s)
    return {place: list(accumulate(steps)) for place, steps in changes.items()}


def _waited_s(free: Sequence[int], row: Row, start_s: int) -> int:
    """How long before its start, in seconds from the start of the log, there was no room for a job."""
    step, patience, gpus = start_s // STEP_S - 1, PATIENCE_S[row["queue"]] // STEP_S, int(row["gpus"])
    steps = 0
    while steps < patience and 0 <= step - steps < len(free) and free[step - steps] < gpus:
        steps += 1
    return steps * STEP_S


def _time_limit(row: Row, run: Run, chance: Random) -> str:
    """The limit a job asked for, as Slurm writes it: the next usual one above its length.

    Empty in queues without one.
    """
    if row["queue"] in WITHOUT_LIMIT:
        return ""
    length_h = (run.end_s - run.start_s) / HOUR
    asked_h = length_h if run.state == "TIMEOUT" else length_h * chance.uniform(1.2, 2.5)
    hours = next((limit for limit in LIMITS_H if limit >= asked_h), LIMITS_H[-1])
    return f"{hours // 24}-{hours % 24:02d}:00:00"
