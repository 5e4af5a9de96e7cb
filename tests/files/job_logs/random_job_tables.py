"""Random tables of jobs: headings as tools and people write them in three languages, and columns of every kind.

The same seed gives the same table. Some tables have no headings, some columns have one that says nothing.
"""

import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

from tests.files.job_logs.job_figures import FIRST_S, JobFigures

ROWS: Final = (1, 2, 3, 4, 5, 8)
EMPTY_CELLS: Final = ("", "", "n/a", "-", "Unknown", "x", "0")
EMPTY_SHARE: Final = 0.05
SILENT_SHARE: Final = 0.15
"""Share of the columns whose heading says nothing."""
SILENT: Final = ("A", "col", "value", "x1", "Wert", "colonne", "info", "f7")

HEADINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "job_id": ("id", "job_id", "JobIDRaw", "Auftragsnummer", "run", "Job-Nr.", "identifiant", "uid"),
    "name": ("name", "job_name", "Bezeichnung", "nom", "title", "jobName"),
    "user": ("user", "user_name", "Benutzer", "utilisateur", "owner", "requested by"),
    "account": ("project", "team", "Kostenstelle", "projet", "account", "namespace"),
    "gpus": ("gpus", "num_gpus", "GPU Count", "Anzahl GPUs", "nb gpus", "gpus_per_node", "ngpu", "gpu"),
    "nodes": ("nodes", "Knoten", "nnodes", "noeuds", "node_count"),
    "submit": ("submit_time", "queued_at", "Eingereicht", "soumission", "created", "submitted"),
    "start": ("start", "start_time", "Beginn", "Début", "startedAt", "begin", "Startzeit", "RunStart"),
    "end": ("end", "end_time", "Ende", "Fin", "finishedAt", "completed_at", "stop"),
    "duration": ("duration", "Dauer", "durée", "elapsed", "runtime", "wall_time", "Laufzeit", "hours"),
    "time_limit": ("time_limit", "timelimit", "requested_walltime", "Zeitlimit"),
    "state": ("state", "Status", "état", "outcome", "exit_status"),
    "queue": ("queue", "partition", "Warteschlange", "file d'attente"),
    "priority": ("priority", "Priorität", "prio"),
    "gpu_model": ("gpu_model", "GPU type", "Kartentyp", "modèle", "accelerator"),
    "gpu_activity_percent": (
        "gpu_util",
        "GPU utilization",
        "Auslastung",
        "gpu_activity_percent",
        "pct gpu used",
    ),
    "class": ("class", "Klasse", "category", "kind"),
    "other": ("note", "CPU", "mem_gb", "price", "gpu_hours", "Kommentar"),
}
UNITS_IN_HEADINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "s": ("", "", "_sec", " (s)", " in seconds"),
    "min": ("", "_min", " (min)", " [minutes]"),
    "h": ("", "_h", " (h)", "_hours", " [Std.]"),
    "d": ("", "_days", " (d)"),
    "ms": ("", "_ms", " (ms)"),
    "hm": ("", " (hh:mm)", " [h]:mm"),
    "epoch_s": ("", "", "_epoch", "_s"),
    "epoch_ms": ("", "Ms", "_ms"),
    "epoch_us": ("", "_us"),
}


Cell = Callable[[random.Random, JobFigures], object]


def _written(seconds_of: Callable[[JobFigures], int], form: str) -> Cell:
    return lambda _, job: datetime.fromtimestamp(seconds_of(job), UTC).strftime(form)


def _times(seconds_of: Callable[[JobFigures], int]) -> Mapping[str, Cell]:
    """Return how a time may be written, by unit."""
    return {
        "iso": _written(seconds_of, "%Y-%m-%dT%H:%M:%SZ"),
        "iso space": _written(seconds_of, "%Y-%m-%d %H:%M"),
        "epoch_s": lambda _, job: seconds_of(job),
        "epoch_ms": lambda _, job: seconds_of(job) * 1000,
        "epoch_us": lambda _, job: seconds_of(job) * 10**6,
        "german": _written(seconds_of, "%d.%m.%Y %H:%M"),
        "dmy": _written(seconds_of, "%d/%m/%Y %H:%M:%S"),
        "mdy": _written(seconds_of, "%m/%d/%Y %I:%M %p"),
        "days": _written(seconds_of, "%Y-%m-%d"),
        "clocks": _written(seconds_of, "%H:%M:%S"),
        "serial": lambda _, job: f"{25569 + seconds_of(job) / 86400:.5f}",
    }


def _lengths(seconds_of: Callable[[JobFigures], int]) -> Mapping[str, Cell]:
    """Return how a duration may be written, by unit."""
    return {
        "s": lambda _, job: seconds_of(job),
        "min": lambda _, job: f"{seconds_of(job) / 60:g}",
        "h": lambda _, job: f"{seconds_of(job) / 3600:.2f}",
        "h comma": lambda _, job: f"{seconds_of(job) / 3600:.2f}".replace(".", ","),
        "d": lambda _, job: f"{seconds_of(job) / 86400:.4f}",
        "ms": lambda _, job: seconds_of(job) * 1000,
        "hm": lambda _, job: f"{seconds_of(job) // 3600}:{seconds_of(job) // 60 % 60:02}",
        "clock": lambda _, job: f"{seconds_of(job) // 3600:02}:{seconds_of(job) // 60 % 60:02}:00",
        "slurm": lambda _, job: f"{seconds_of(job) // 86400}-{seconds_of(job) // 3600 % 24:02}:00:00",
    }


CELLS: Final[Mapping[str, Mapping[str, Cell]]] = {
    "job_id": {
        "numbers": lambda _, job: 4700 + job.number,
        "names": lambda _, job: f"job-{job.number}",
        "slurm": lambda _, job: f"81{job.number:04}_{job.number % 3}",
        "repeated": lambda _, job: f"r{job.number // 2}",
    },
    "name": {"words": lambda chance, _: chance.choice(("train llama", "eval", "serve", "sweep 3", ""))},
    "user": {"words": lambda chance, _: chance.choice(("ann", "bob", "Zoë", "carol"))},
    "account": {"words": lambda chance, _: chance.choice(("ml", "vision", "4711"))},
    "gpus": {
        "gpu": lambda _, job: job.gpus,
        "with model": lambda _, job: f"{job.gpus}x H100",
        "comma": lambda chance, job: f"{job.gpus},{chance.choice((0, 5))}",
        "milli": lambda _, job: job.gpus * 1000,
        "percent": lambda _, job: f"{job.gpus * 100}%",
        "slurm": lambda _, job: f"cpu=8,gres/gpu={job.gpus},node={job.nodes}",
        "list": lambda _, job: "[" + ", ".join(map(str, range(job.gpus))) + "]",
    },
    "nodes": {"count": lambda _, job: job.nodes},
    "submit": _times(lambda job: job.submit_s),
    "start": _times(lambda job: job.start_s),
    "end": _times(lambda job: job.end_s),
    "duration": _lengths(lambda job: job.duration_s),
    "time_limit": _lengths(lambda job: job.limit_s),
    "state": {"words": lambda chance, _: chance.choice(("COMPLETED", "FAILED", "RUNNING", "fertig"))},
    "queue": {"words": lambda chance, _: chance.choice(("gpu", "debug"))},
    "priority": {"count": lambda chance, _: chance.choice((0, 10, 4_294_901))},
    "gpu_model": {"words": lambda chance, _: chance.choice(("H100", "A100-80GB", "NVIDIA L40S"))},
    "gpu_activity_percent": {
        "percent": lambda _, job: job.activity,
        "signs": lambda _, job: f"{job.activity} %",
        "share": lambda _, job: job.activity / 100,
        "share comma": lambda _, job: f"{job.activity / 100:.2f}".replace(".", ","),
    },
    "class": {"words": lambda chance, _: chance.choice(("training", "inference", "burst"))},
    "other": {
        "words": lambda chance, _: chance.choice(("", "ok", "see ticket")),
        "numbers": lambda chance, _: chance.choice((16, 512, 1.25)),
    },
}
"""How the cells of each field may be written."""
MOST: Final = ("gpus", "start")
"""Fields that most tables have."""


class JobTable(NamedTuple):
    """headings: each of its own. is_comma: columns are apart by semicolons."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    has_header: bool
    is_comma: bool


def random_job_table(seed: int) -> JobTable:
    """Return a table of jobs."""
    chance = random.Random(f"jobs {seed}")
    fields = [field for field in CELLS if chance.random() < (0.9 if field in MOST else 0.35)]
    if not {"end", "duration"} & set(fields):
        fields += chance.choice((["end"], ["duration"], ["end", "duration"], []))
    chance.shuffle(fields)
    moments = chance.choice([*CELLS["start"]])
    kinds = {
        field: moments if field in ("submit", "start", "end") else chance.choice([*CELLS[field]])
        for field in fields
    }
    jobs = [_job(chance, number) for number in range(chance.choice(ROWS))]
    cells = [[str(CELLS[field][kind](chance, job)) for field, kind in kinds.items()] for job in jobs]
    rows = [
        tuple(chance.choice(EMPTY_CELLS) if chance.random() < EMPTY_SHARE else cell for cell in row)
        for row in cells
    ]
    has_header = chance.random() < 0.8
    names: dict[str, None] = {}
    for place, (field, kind) in enumerate(kinds.items(), 1):
        heading = _heading(chance, field, kind) if has_header else f"column {place}"
        names[heading if heading not in names else f"column {place}"] = None
    return JobTable(tuple(names), tuple(rows), has_header, chance.random() < 0.3)


def _heading(chance: random.Random, field: str, kind: str) -> str:
    if chance.random() < SILENT_SHARE:
        return chance.choice(SILENT)
    heading = chance.choice(HEADINGS[field])
    return heading + chance.choice(UNITS_IN_HEADINGS.get(kind.partition(" ")[0], ("",)))


def _job(chance: random.Random, number: int) -> JobFigures:
    submit_s = FIRST_S + chance.randrange(0, 20 * 24, 7) * 3600
    start_s = submit_s + chance.choice((0, 60, 900, 7200))
    return JobFigures(
        number=number,
        gpus=chance.choice((1, 2, 4, 8, 16)),
        nodes=chance.choice((1, 1, 2, 4)),
        submit_s=submit_s,
        start_s=start_s,
        end_s=start_s + chance.choice((60, 600, 3600, 5400, 30_000)),
        limit_s=chance.choice((600, 3600, 86_400)),
        activity=chance.choice((0, 3, 40, 85, 100)),
    )
