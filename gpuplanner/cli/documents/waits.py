"""Waits as JSON: rows of pools, the log's own waits, sizes and a target."""

from collections.abc import Iterable, Sequence
from typing import Final

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.queue.rows import QueueRow, WaitsBy
from gpuplanner.domain.queue.waiting import Calibrated, Waiting
from gpuplanner.domain.reports.report import Entry, entries, entry, fields, named
from gpuplanner.domain.reports.waiting import LOG_WAITS, OF_WAITS, SIZES, WINDOWS

ROW: Final = fields(
    *(named(key, f"waits.{key}") for key in OF_WAITS),
    *("sent_out_jobs", "sent_out_gpu_hours", "sent_out_usd", "utilization", "waited_with_room"),
)
"""A row of waits."""
OF_POOL: Final = (*fields(named("pool", "pool.value")), *ROW)
OF_MODEL: Final = (*fields(named("pool", "pool.value"), "gpu_model"), *ROW)
TARGET: Final = fields(
    named("pool", "asked.pool.value"),
    named("gpu_model", "asked.gpu_model"),
    named("p90_h_max", "asked.p90_h"),
    named("gpus", lambda row: row.found and row.found.gpus),
    named("p90_h", lambda row: row.found and row.found.waits.p90_h),
    named("usd_per_month", lambda row: row.found and row.found.usd_per_month),
    named("plan_gpus", lambda row: row.plan and row.plan.gpus),
    "difference_usd_per_month",
)
GAP: Final = fields(named("pool", "pool.value"), "log_h", "replayed_h", "out_share")
MODEL: Final = fields(
    *("gpu_model", "today_gpus", "over_gpu_hours"),
    named("gaps", lambda of: [entry(GAP, gap) for gap in of.gaps]),
    named("agreed_gpus", lambda of: of.agreed[0].gpus if of.agreed else None),
    named("better_gpus", lambda of: of.better[0].gpus if of.better else None),
    named("better_usd_per_month", lambda of: of.better[0].usd_per_month if of.better else None),
)
"""What the replays of a GPU model say of the log and the plan."""
_QUANTILES: Final = ("p50", "p90", "p99")
_ERRORS: Final = ("p50_h", "p90_h", "p99_h", "share_over_1h")


def queue_document(waiting: Waiting, log_waits: Sequence[WaitsBy] | None) -> Document:
    """What `queue` answers. null: unknown, as the log does not say when jobs were submitted."""
    is_measured = bool(waiting.measured)
    return {
        "submit_known": waiting.submit_known,
        "measured": _by_pool(waiting.measured) if is_measured else None,
        "today": _by_pool(waiting.today),
        "replayed": _by_pool(waiting.replayed),
        "calibrated": (
            {pool.value: _calibrated(calibrated) for pool, calibrated in waiting.calibrated.items()}
            if is_measured
            else None
        ),
        "error": _errors(waiting) if is_measured else None,
        "by_model": [entry(OF_MODEL, row) for row in waiting.by_model],
        "frontier": entries(SIZES, waiting.frontier),
        "target": None if waiting.target is None else entry(TARGET, waiting.target),
        "models": [entry(MODEL, of) for of in waiting.models],
        "windows": entries(WINDOWS, waiting.windows),
        "waits": waits_entries(log_waits),
        "one_gpu_nodes": _by_pool(waiting.loose) if waiting.loose else None,
        "never_fit": list(waiting.never_fit),
        "fragment_gpu_hours": sum(fragment.gpu_hours for fragment in waiting.fragments),
        "fragment_usd": known_sum(fragment.usd for fragment in waiting.fragments),
    }


def _by_pool(rows: Iterable[QueueRow]) -> Document:
    """Rows by the name of their pool."""
    return {row.pool.value: entry(ROW, row) for row in rows}


def _calibrated(calibrated: Calibrated) -> Entry:
    """Both sides of each range, and how far the same way was off."""
    sides = {
        f"{key}_{side}_h": None if (span := getattr(calibrated, key)) is None else getattr(span, f"{side}_h")
        for key in _QUANTILES
        for side in ("low", "high")
    }
    return sides | {"miss": calibrated.miss}


def _errors(waiting: Waiting) -> Document:
    """The replay on the GPUs of today less what was measured."""
    return {
        was.pool.value: {
            key: None if None in (x := getattr(now.waits, key), y := getattr(was.waits, key)) else x - y
            for key in _ERRORS
        }
        for was, now in zip(waiting.measured, waiting.today, strict=True)
    }


def waits_entries(rows: Sequence[WaitsBy] | None) -> list[Entry] | None:
    """The log's own waits; null where it does not say when jobs were submitted."""
    return None if rows is None else entries(LOG_WAITS, rows)
