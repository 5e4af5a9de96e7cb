"""Random logs in which every column is used: gpuplanner CSV, and tables whose columns have units of their own.

Most cells are sound. Some rows occur twice, and one cell in twenty is odd. The same seed gives the same log.
"""

import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

from gpuplanner.domain.model.window import iso_utc
from tests.files.damaged import ODD_CELLS
from tests.files.job_logs.job_figures import FIRST_S, JobFigures

ROWS: Final = 24
ODD: Final = 0.05
TWICE: Final = 0.1

STATES: Final = (
    "COMPLETED",
    "RUNNING",
    "FAILED",
    "CANCELLED by 1001",
    "TIMEOUT",
    "PENDING",
    "OUT_OF_MEMORY",
    "NODE_FAIL",
    "done",
    "killed",
    "REQUEUED",
)
NAMES: Final = ("train llama 7b", "train llama 13b", "serve-chat", "notebook", "nightly eval 2026-01-05", "")
MODELS: Final = ("Llama 3 8B", "llama-3-8b", "", "mixtral", "unheard-of")
GPU_MODELS: Final = ("H100", "NVIDIA A100-SXM4-80GB", "h100", "", "L40S", "TPU v4", "MI300X")


class RichLog(NamedTuple):
    """A log, and the mapping that reads it; None: it is gpuplanner CSV."""

    text: str
    mapping: str | None


def rich_log(case: str) -> RichLog:
    """Return a log. case: `columns` or `units`, and a seed, such as `units 3`."""
    kind, seed = case.split()
    chance = random.Random(case)
    return _all_columns(chance) if kind == "columns" else _all_units(chance, int(seed))


def _job(chance: random.Random, number: int) -> JobFigures:
    submit_s = FIRST_S + chance.randrange(0, 48 * 3600, 300)
    start_s = submit_s + chance.choice((0, 60, 900, 7200))
    return JobFigures(
        number=number,
        gpus=chance.choice((0, 1, 2, 4, 8, 16)),
        nodes=chance.choice((1, 1, 2, 4)),
        submit_s=submit_s,
        start_s=start_s,
        end_s=start_s + chance.choice((0, 30, 600, 3600, 5400, 30_000)),
        limit_s=chance.choice((600, 3600, 86_400)),
        activity=chance.choice((0, 3, 40, 85, 100)),
    )


# --- gpuplanner CSV ------------------------------------------------------------------------------

_Cell = Callable[[random.Random, JobFigures], object]
COLUMNS: Final[Mapping[str, _Cell]] = {
    "cluster": lambda chance, _: chance.choice(("north", "south", "")),
    "name": lambda chance, _: chance.choice(NAMES),
    "account": lambda chance, _: chance.choice(("ml", "search", "")),
    "user": lambda chance, _: chance.choice(("ann", "bob", "Zoë", "")),
    "queue": lambda chance, _: chance.choice(("gpu", "debug", "interactive")),
    "gpu_model": lambda chance, _: chance.choice(GPU_MODELS),
    "gpus": lambda chance, job: chance.choice((job.gpus, job.gpus, job.gpus, "0.5", "")),
    "nodes": lambda _, job: job.nodes,
    "submit": lambda _, job: iso_utc(job.submit_s),
    "eligible": lambda chance, job: iso_utc(chance.choice((job.submit_s, job.start_s))),
    "start": lambda chance, job: iso_utc(job.start_s).replace(
        "Z", chance.choice(("Z", "Z", "Z", "", "+00:00"))
    ),
    "end": lambda chance, job: iso_utc(job.end_s) if chance.random() < 0.9 else "",
    "time_limit": lambda chance, job: chance.choice(
        (job.limit_s, "1-02:03:04", "00:30:00", "UNLIMITED", "Partition_Limit")
    ),
    "priority": lambda chance, _: chance.choice((0, 1, 4_294_901, "")),
    "state": lambda chance, _: chance.choice(STATES),
    "gpu_activity_percent": lambda chance, job: chance.choice((job.activity, job.activity, "")),
    "class": lambda chance, _: chance.choice(("training", "inference", "burst", "", "")),
    "model": lambda chance, _: chance.choice(MODELS),
}


def _all_columns(chance: random.Random) -> RichLog:
    lines = [",".join(("job_id", *COLUMNS))]
    for number in range(ROWS):
        job = _job(chance, number)
        cells = [str(number), *(str(cell(chance, job)) for cell in COLUMNS.values())]
        line = ",".join(chance.choice(ODD_CELLS) if chance.random() < ODD else cell for cell in cells)
        lines += [line] * (2 if chance.random() < TWICE else 1)
    return RichLog("\n".join((*lines, "")), None)


# --- A table with units --------------------------------------------------------------------------


class _Unit(NamedTuple):
    """A unit of a field, and a cell in it."""

    name: str
    cell: Callable[[JobFigures], object]


def _moments(seconds_of: Callable[[JobFigures], int]) -> tuple[_Unit, ...]:
    """Return the units of a time."""

    def written(form: str) -> Callable[[JobFigures], str]:
        return lambda job: datetime.fromtimestamp(seconds_of(job), UTC).strftime(form)

    return (
        _Unit("iso", lambda job: iso_utc(seconds_of(job))),
        _Unit("epoch_s", seconds_of),
        _Unit("epoch_ms", lambda job: seconds_of(job) * 1000),
        _Unit("epoch_us", lambda job: seconds_of(job) * 10**6),
        _Unit("epoch_ns", lambda job: seconds_of(job) * 10**9),
        _Unit("ymd", written("%Y/%m/%d %H:%M:%S")),
        _Unit("dmy", written("%d.%m.%Y %H:%M")),
        _Unit("dmy", written("%d-%b-%Y %H:%M")),
        _Unit("mdy", written("%m/%d/%Y %I:%M:%S %p")),
        _Unit("serial", lambda job: f"{25569 + seconds_of(job) / 86400:.6f}"),
    )


def _spans(seconds_of: Callable[[JobFigures], int]) -> tuple[_Unit, ...]:
    """Return the units of a duration."""
    return (
        _Unit("s", seconds_of),
        _Unit("min", lambda job: f"{seconds_of(job) / 60:g}"),
        _Unit("h:comma", lambda job: f"{seconds_of(job) / 3600:.4f}".replace(".", ",")),
        _Unit("d", lambda job: f"{seconds_of(job) / 86400:.6f}"),
        _Unit("ms", lambda job: seconds_of(job) * 1000),
        _Unit("hm", lambda job: f"{seconds_of(job) // 3600}:{seconds_of(job) // 60 % 60:02}"),
    )


UNITS: Final[Mapping[str, tuple[_Unit, ...]]] = {
    "gpus": (
        _Unit("gpu", lambda job: job.gpus),
        _Unit("gpu", lambda job: f"{job.gpus}x H100"),
        _Unit("milli", lambda job: job.gpus * 1000),
        _Unit("slurm", lambda job: f"cpu=8,gres/gpu:a100={job.gpus},node={job.nodes}"),
        _Unit("list", lambda job: " ".join(map(str, range(job.gpus)))),
        _Unit("per_node", lambda job: job.gpus),
        _Unit("percent", lambda job: job.gpus * 100),
    ),
    "nodes": (_Unit("", lambda job: job.nodes),),
    "submit": _moments(lambda job: job.submit_s),
    "start": _moments(lambda job: job.start_s),
    "duration": _spans(lambda job: job.duration_s),
    "time_limit": _spans(lambda job: job.limit_s),
    "gpu_activity_percent": (
        _Unit("percent", lambda job: job.activity),
        _Unit("share", lambda job: job.activity / 100),
    ),
}


def _all_units(chance: random.Random, seed: int) -> RichLog:
    """Return a table that is apart by semicolons. The seeds of a row of numbers use all units."""
    chosen = {field: units[seed % len(units)] for field, units in UNITS.items()}
    items = [f"{field}=my {field}" + f":{unit.name}" * bool(unit.name) for field, unit in chosen.items()]
    mapping = ",".join(("job_id=id", "name=what", "user=who", "state=how", *items))
    lines = [";".join(("id", "what", "who", "how", *(f"my {field}" for field in chosen)))]
    for number in range(ROWS):
        job = _job(chance, number)
        words = [str(number), chance.choice(NAMES), chance.choice(("ann", "bob")), chance.choice(STATES)]
        cells = [*words, *(str(unit.cell(job)) for unit in chosen.values())]
        line = ";".join(chance.choice(ODD_CELLS) if chance.random() < ODD else cell for cell in cells)
        lines += [line] * (2 if chance.random() < TWICE else 1)
    return RichLog("\n".join((*lines, "")), mapping)
