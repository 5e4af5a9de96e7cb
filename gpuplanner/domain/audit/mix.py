"""What a fleet's spend is for: figures that others publish beside its own."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from statistics import median
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from gpuplanner.domain.arrays import Bools
from gpuplanner.domain.audit.cost_result import RunCost
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.unit_costs.model_costs import model_shares
from gpuplanner.domain.audit.unit_costs.run_costs import runs_of
from gpuplanner.domain.figures.card import CARD
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, by_row, floats
from gpuplanner.domain.figures.mix import BILL, KINDS, PUBLISHED
from gpuplanner.domain.figures.use import HELD
from gpuplanner.domain.figures.window import SERIES
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.book.exchange import USD, exchange_between
from gpuplanner.domain.model.cube import CALLED_NOBODY
from gpuplanner.domain.model.intake import BILLED, LEFT_OUT
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.lazy_dataclass import dataclass, field

# --- Published figures beside this fleet's -------------------------------------------------------

INFERENCE_SHARE: Final = "inference_share"
ACTIVITY: Final = "inference_activity"
_QUOTED: Final = worded("Axe Compute on training and inference, 2026")
_SPLIT: Final = "inference_to_training"
_PUBLISHED: Final[tuple[tuple[str, Text, float, float, Text], ...]] = (
    (INFERENCE_SHARE, worded("Inference, share of $: 2023, early 2026"), 0.33, 0.55, _QUOTED),
    (
        _SPLIT,
        worded("Inference to training, long run"),
        *(0.80, 0.80),
        worded("NVIDIA, as quoted by Axe Compute, 2026"),
    ),
    (ACTIVITY, worded("Use of GPUs in production inference"), 0.40, 0.65, _QUOTED),
    ("hidden_share", worded("Costs beyond GPUs: storage, network, support, egress"), *(0.20, 0.40), _QUOTED),
)
"""Key, title, from, to, and who published it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A figure that others publish, 0..1 from low to high, with its source, and what it is here; None is unknown.

    figures: those of figures/mix.py, PUBLISHED, where it is a split.
    """

    key: str
    title: Text
    low: float
    high: float
    source: Text
    own: float | None
    figures: Mapping[str, float | None]


def published_beside(past: Past) -> tuple[Published, ...]:
    """What others publish of AI spend beside this past: inference's share, the long run, its use, what comes on top."""
    usd = {
        pool: known_sum(past.workload_usd_per_month[at] for at in members_of(past, pool)) for pool in POOLS
    }
    inference, training = usd[Pool.INFERENCE], usd[Pool.TRAINING]

    def share_of(usd: Iterable[float | None]) -> float | None:
        inputs = {"class_usd": inference, "classes_usd": known_sum(usd)}
        return SERIES.row(inputs, ["usd_share"])["usd_share"]

    own = {
        INFERENCE_SHARE: share_of(usd.values()),
        _SPLIT: share_of((inference, training)),
        ACTIVITY: _activity(past, Pool.INFERENCE),
        "hidden_share": next((bill.figures["hidden_share"] for bill in billed(past)), None),
    }
    of_split = {"inference_per_month": inference, "training_per_month": training or None}
    of_none = dict.fromkeys(of_split)
    return tuple(
        Published(
            key=key,
            title=title,
            low=low,
            high=high,
            source=source,
            own=own[key],
            figures=PUBLISHED.row(of_split if key == _SPLIT else of_none),
        )
        for key, title, low, high, source in _PUBLISHED
    )


def _activity(past: Past, pool: Pool) -> float | None:
    """What a class's GPUs did, 0..1 by GPU time; None without any, or where one workload's is not known."""
    workloads = [past.project.workloads[place] for place in members_of(past, pool)]
    did = known_sum(None if w.activity is None else w.activity * w.milli_gpu_seconds for w in workloads)
    spent = sum(workload.milli_gpu_seconds for workload in workloads)
    return did / spent if spent and did is not None else None


# --- What stands beside GPUs on bills -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Billed:
    """What all bills of a project say by kind, by key of figures/mix.py, BILL; left_out: services of no kind."""

    figures: Mapping[str, float | None]
    left_out: tuple[str, ...]


def billed(past: Past) -> tuple[Billed, ...]:
    """All bills together, in the money of the project; none without one. A rate of exchange not stated: unknown."""
    facts = [facts for file in past.project.intake if BILLED in (facts := dict(file.facts))]
    if not facts:
        return ()
    sums: dict[str, float | None] = dict.fromkeys(KINDS, 0.0)
    for bill in facts:
        for code, by_kind in bill[BILLED].items():  # type: ignore[attr-defined]
            rate = exchange_between(code or USD, past.project.currency, past.project.exchange)
            for kind, usd in by_kind.items():
                sums[kind] = known_sum((sums[kind], None if rate is None else usd * float(rate)))
    inputs = {f"{kind}_billed": usd for kind, usd in sums.items()}
    left_out = dict.fromkeys(name for bill in facts for name in bill[LEFT_OUT])  # type: ignore[attr-defined]
    return (Billed({**inputs, **BILL.row(inputs, ["hidden_share"])}, tuple(left_out)),)


# --- Which classes each cluster holds -------------------------------------------------------------


class Held(NamedTuple):
    """What a class asked for on a cluster, in the window, and what it costs a month (None: a rate is missing)."""

    gpu_hours: float
    cost_per_month: float | None


@dataclass(frozen=True, slots=True)
class ClusterMix:
    """What each class asked of a cluster; "" is of jobs that name none."""

    cluster: str
    classes: Mapping[Pool, Held]

    @property
    def holds_all_three(self) -> bool:
        """Whether training, inference and burst all had GPU time on it."""
        return all(held.gpu_hours > 0 for held in self.classes.values())


def cluster_mixes(past: Past) -> tuple[ClusterMix, ...]:
    """A row for each cluster. Law: with all rows each class is what the audit says of it."""
    return tuple(
        ClusterMix(c.cluster, {pool: held_by(past, past.members(c.cluster, pool)) for pool in POOLS})
        for c in past.clusters
    )


def held_by(past: Past, places: Sequence[int]) -> Held:
    """What workloads asked for and cost. places: in Project.workloads."""
    spent = sum(past.project.workloads[place].milli_gpu_seconds for place in places)
    usd = known_sum(past.workload_usd_per_month[place] for place in places)
    return Held(spent / MILLI_GPU_SECONDS_PER_GPU_HOUR, usd)


def members_of(past: Past, pool: Pool) -> list[int]:
    """Places of the workloads of a class that had GPU time."""
    return [place for cluster in past.clusters for place in past.members(cluster.cluster, pool)]


# --- Training runs by the kind of model that they trained -------------------------------------------


class RunKind(NamedTuple):
    """Runs of one kind of model ("": unknown); figures: those of figures/mix.py, RUN_KIND."""

    kind: str
    figures: Mapping[str, float | None]


def runs_by_kind(past: Past) -> tuple[RunKind, ...]:
    """$ and hours a run, the middle and from the tenth to the ninetieth percentile, by nearest rank; by kind.

    The kind of a workload is the model that most of its GPU time is of, as its jobs or their names say.
    """
    by_kind = runs_of_kinds(past)
    return tuple(
        RunKind(kind, spread(by_kind[kind])) for kind in sorted(by_kind, key=lambda kind: (not kind, kind))
    )


def runs_of_kinds(past: Past) -> dict[str, list[RunCost]]:
    """Training runs by the kind of model that they trained."""
    kinds = {}
    for workload in past.project.workloads:
        shares = sorted(model_shares(workload), key=lambda share: -share[2])
        kinds[workload.key] = shares[0][0].casefold() if shares else ""
    return grouped((kinds[run.key], run) for run in runs_of(past))


def spread(runs: Sequence[RunCost]) -> dict[str, float | None]:
    """Figures of RUN_KIND of some runs."""
    figures: dict[str, float | None] = {"runs": float(len(runs))}
    hours = [(run.end_s - run.start_s) / HOUR_S for run in runs]
    for name, values in (("usd", [run.cost for run in runs]), ("hours", hours)):
        known = [value for value in values if value is not None]
        is_known = len(known) == len(values)
        ends = np.quantile(known, [0.1, 0.9], method="inverted_cdf").tolist() if is_known else [None, None]
        figures[f"median_{name}"] = median(known) if is_known else None
        figures[f"low_{name}"], figures[f"high_{name}"] = ends
    return figures


MOST_EXPENSIVE: Final = 5


NIGHT_BEGINS_H, NIGHT_ENDS_H, SATURDAY = 20, 6, 5


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A workload, or a team: figures by the keys of HELD. $ a month are those of the window."""

    key: str
    name: str
    team: str
    figures: Mapping[str, float | None] = field(hash=False)


def is_night(window: Window) -> Bools:
    """Which hours of a window begin at night (20 to 6 h) or on a weekend in its zone; shape (hours,)."""
    zone = ZoneInfo(window.timezone)
    begins = (datetime.fromtimestamp(window.start_s + hour * HOUR_S, zone) for hour in range(window.hours))
    return np.array(
        [at.weekday() >= SATURDAY or not NIGHT_ENDS_H <= at.hour < NIGHT_BEGINS_H for at in begins],
        dtype=np.bool_,
    )


def held_rows(past: Past) -> tuple[HeldRow, ...]:
    """Every workload that held GPUs, in the order of the project."""
    project, months, night = past.project, past.project.window.months, is_night(past.project.window)
    places = [at for at, workload in enumerate(project.workloads) if workload.milli_gpu_seconds]
    held = [project.workloads[at] for at in places]
    at_night = [amounts[night[hours]].sum() for hours, amounts in map(project.cube.hours_of, places)]
    logged_hours = floats([workload.gpu_hours for workload in held])
    as_logged = {"gpu_hours": logged_hours, "times": 1.0, "months": months}
    given = {
        "cost_per_month": floats([past.workload_usd_per_month[at] for at in places]),
        "gpu_hours_per_month": CARD.value("gpu_hours_per_month", as_logged),
        "activity": floats([workload.activity for workload in held]),
        "night_gpu_hours": np.array(at_night) / MILLI_GPU_SECONDS_PER_GPU_HOUR / months,
    }
    rows = zip(held, by_row(HELD.worked_out(given)), strict=True)
    return tuple(HeldRow(work.key, work.name, work.owner, figures) for work, figures in rows)


def most_expensive(past: Past) -> Sequence[HeldRow]:
    """Those of known activity whose useful GPU-hours cost most."""
    known = [row for row in held_rows(past) if row.figures["useful_rate"] is not None]
    return sorted(known, key=lambda row: (-(row.figures["useful_rate"] or 0.0), row.key))[:MOST_EXPENSIVE]


def idle_nights(past: Past) -> Sequence[HeldRow]:
    """The workloads of each team together; unknown where it is of one that holds GPUs at night, and then at least what
    is known.
    """
    teams: dict[str, list[HeldRow]] = {}
    for row in held_rows(past):
        if row.figures["night_gpu_hours"]:
            teams.setdefault(row.team or CALLED_NOBODY, []).append(row)
    rows = []
    for team, of_team in sorted(teams.items()):
        nights = [row.figures["idle_nights"] for row in of_team]
        sums = {
            "night_gpu_hours": known_sum(row.figures["night_gpu_hours"] for row in of_team),
            "idle_nights": known_sum(nights),
            "known_idle_nights": sum(filter(None, nights))
            if any(night is not None for night in nights)
            else None,
        }
        rows.append(HeldRow(team, team, team, sums))
    return rows
