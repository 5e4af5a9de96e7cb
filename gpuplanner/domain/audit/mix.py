"""What a fleet's spend is for: figures that others publish beside its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.figures.mix import BILL, KINDS, PUBLISHED
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.exchange import USD, exchange_between
from gpuplanner.domain.model.intake import BILLED, LEFT_OUT
from gpuplanner.domain.model.tables import POOLS, Pool

# --- Published figures beside this fleet's -------------------------------------------------------

_QUOTED: Final = worded("Axe Compute on training and inference, 2026")


@dataclass(frozen=True, slots=True)
class Published:
    """A figure that others publish, 0..1 from low to high, with its source, and what it is here; None is unknown.

    at_long_run, to_long_run: $ a month of inference that a split asks for, and how much more that is than now.
    """

    key: str
    title: Text
    low: float
    high: float
    source: Text
    own: float | None
    at_long_run: float | None = None
    to_long_run: float | None = None


def published_beside(past: Past) -> tuple[Published, ...]:
    """What others publish of AI spend beside this past: inference's share, the long run, and how much it is used."""
    usd = {pool: known_sum(past.workload_usd_per_month[at] for at in _members(past, pool)) for pool in POOLS}
    inputs = {
        "inference_per_month": usd[Pool.INFERENCE],
        "training_per_month": usd[Pool.TRAINING],
        "classes_per_month": known_sum(usd.values()),
    }
    found = PUBLISHED.row(inputs, ["inference_share", "inference_of_two", "at_long_run", "to_long_run"])
    return (
        Published(
            "inference_share",
            worded("Inference, share of $: 2023, early 2026"),
            0.33,
            0.55,
            _QUOTED,
            found["inference_share"],
        ),
        Published(
            "inference_to_training",
            worded("Inference to training in the long run"),
            0.80,
            0.80,
            worded("NVIDIA, as quoted by Axe Compute, 2026"),
            found["inference_of_two"],
            found["at_long_run"],
            found["to_long_run"],
        ),
        Published(
            "inference_activity",
            worded("Use of GPUs in production inference"),
            0.40,
            0.65,
            _QUOTED,
            _activity(past, Pool.INFERENCE),
        ),
        Published(
            "hidden_share",
            worded("Costs on top of GPUs: storage, network, support, egress"),
            0.20,
            0.40,
            _QUOTED,
            next((one.figures["hidden_share"] for one in billed(past)), None),
        ),
    )


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
    for one in facts:
        for code, by_kind in one[BILLED].items():  # type: ignore[attr-defined]
            rate = exchange_between(code or USD, past.project.currency, past.project.exchange)
            for kind, usd in by_kind.items():
                sums[kind] = known_sum((sums[kind], None if rate is None else usd * float(rate)))
    inputs = {f"{kind}_billed": usd for kind, usd in sums.items()}
    left_out = dict.fromkeys(name for one in facts for name in one[LEFT_OUT])  # type: ignore[attr-defined]
    return (Billed({**inputs, **BILL.row(inputs, ["hidden_share"])}, tuple(left_out)),)


def _members(past: Past, pool: Pool) -> list[int]:
    """Places of the workloads of a class that had GPU time."""
    return [
        place
        for place, (one, workload) in enumerate(
            zip(past.classifications, past.project.workloads, strict=True)
        )
        if one.pool is pool and workload.milli_gpu_seconds
    ]


def _activity(past: Past, pool: Pool) -> float | None:
    """What a class's GPUs did, 0..1 by GPU time; None without any, or where one workload's is not known."""
    workloads = [past.project.workloads[place] for place in _members(past, pool)]
    did = known_sum(
        None if one.activity is None else one.activity * one.milli_gpu_seconds for one in workloads
    )
    spent = sum(one.milli_gpu_seconds for one in workloads)
    return did / spent if spent and did is not None else None
