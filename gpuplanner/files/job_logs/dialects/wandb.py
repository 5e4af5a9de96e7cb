"""Runs of Weights & Biases: the CSV of a runs table, or what its API says of runs."""

from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.system.resources import plain_table
from gpuplanner.lazy_re import lazy_re

_WANDB_HEADINGS: Final = dialect.headings_of("wandb")
_WANDB_STATES: Final = plain_table("wandb_state")
_MADE_UP: Final = lazy_re(r"^[a-z]+-[a-z]+-\d+$")
"""How runs that nobody named are called: crisp-sun-12."""


def _run_texts(told: dialect.Told) -> dialect.JobTexts:
    """A run as texts of a job: named by its group, else by a name that somebody gave it, else by its project."""
    name, state = told.get("name", ""), told.get("state", "")
    named = "" if _MADE_UP.match(name) else name
    read_as = _WANDB_STATES.get(state.casefold(), state)
    # One without a runtime lasted until it was last heard of, unless it runs on.
    end = "" if told.get("elapsed") or read_as.casefold() == "running" else told.get("seen", "")
    return {
        **told,
        "name": told.get("group") or named or told.get("account") or name,
        "end": end,
        "state": read_as,
    }


_RUNS: Final = dialect.NamedLog(
    fields=(
        *("job_id", "name", "account", "user", "gpu_model", "gpus", "start", "elapsed", "end", "state"),
        "hosts",
    ),
    headings=_WANDB_HEADINGS,
    texts=_run_texts,
    containers=("runs", "data.runs", "edges"),
    needed=(
        (("gpus",), "GPU Count"),
        (("start",), "Created"),
        (("elapsed", "seen"), "Runtime or heartbeatAt"),
    ),
    remedy=worded("show {names}, then export again", names="Created, Runtime, State, GPU Count, GPU Type"),
    end_is_elapsed=True,
    note=worded("GPU Count is per machine: check runs on partial or several machines"),
    is_noted=lambda told: told.get("gpus", "0") not in ("", "0"),
)


_EITHER: Final = (frozenset(("elapsed", "seen")), frozenset(("name", "job_id")))


def sniff_wandb(head: str) -> float:
    """How sure it is that a text begins a table or list of runs, 0..1.

    0.6 where GPUs lack: it is a table of runs then, and refused by what it lacks.
    """
    keys = _RUNS.keys(head)
    is_run = {"start", "state", "marks"} <= keys and all(keys & either for either in _EITHER)
    is_of_the_api = {"start", "state"} <= keys and '"runInfo"' in head  # may lack what is asked for then
    if is_run and "gpus" in keys:
        return 0.96
    return 0.6 if is_run or is_of_the_api else 0.0


WANDB: Final = dialect.Dialect(
    format="wandb", title=worded("Weights & Biases runs"), sniff=sniff_wandb, rows=_RUNS.rows
)
