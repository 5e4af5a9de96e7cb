"""The situations planted in the demo, each with the leak that tells of it, and the same company without them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest.mock import patch

from gpuplanner.files.demo import days, demo_files, runs

BUSY_PERCENT: Final = 75.0
"""Activity in the calm company, at least: above the target, so that nothing is held for its peak."""


@dataclass(frozen=True, slots=True)
class Situation:
    """One planted situation: the leak that finds it, the workloads or contracts that must be among its parts."""

    leak_id: str
    parts: tuple[str, ...]
    words: str


SITUATIONS: Final = (
    Situation("idle_tail:atlas", ("atlas-core", "atlas-surge"), "a training cluster waits between campaigns"),
    Situation(
        "persistent_dev:atlas", ("devbox-jpark",), "a development box with 3% activity is held for 45 days"
    ),
    Situation(
        "persistent_dev:cedar",
        ("gpu-dev-box", "sandbox-okim"),
        "two boxes are held, and nobody measures them",
    ),
    Situation("unmaterialised:atlas-h200", ("atlas-h200",), "GPUs for video models that never came"),
    Situation(
        "peak_provisioned:atlas",
        ("vllm-chat-prod", "tgi-code-complete", "rag-answer-serve", "guardrail-endpoint"),
        "chat is held flat day and night at a quarter of activity",
    ),
    Situation(
        "failed_work:atlas",
        ("aurora-large-pretrain", "aurora-moe-pretrain"),
        "long runs fail and start again",
    ),
    Situation(
        "contention:atlas",
        ("aurora-large-pretrain", "vllm-chat-prod"),
        "campaigns and chat want the same GPUs",
    ),
    Situation(
        "consolidation_premium:atlas",
        ("vllm-chat-prod", "image-gen-api"),
        "inference pays for InfiniBand it does not use",
    ),
    Situation(
        "consolidation_premium:borealis", ("vllm-chat-eu", "rag-answer-vllm"), "chat runs on demand all year"
    ),
    Situation(
        "permanent_burst:cedar", ("lr-sweep", "ranker-optuna"), "sweeps run on a contract of three years"
    ),
)
"""What the audit of the demo must find, by the names of workloads and contracts."""


def calm_rows(rows: Iterable[Mapping[str, str]]) -> Iterator[dict[str, str]]:
    """The rows of resources/demo/workloads.csv that the calm company has, each on the cluster of its kind.

    Nothing fails, what is measured is busy, and training goes on all the time: `calm_cluster` says where a workload
    runs then (empty: it is one of the situations), `calm_pattern` how, where that differs.
    """
    for row in rows:
        if not row["calm_cluster"]:
            continue
        pattern = row["calm_pattern"] or row["pattern"]
        calm = {"cluster": row["calm_cluster"], "pattern": pattern, "failed_percent": "0"}
        if pattern in ("pretrain", "finetune"):
            calm["when"] = runs.WHOLE
        if row["activity"]:
            calm["activity"] = str(max(float(row["activity"]), BUSY_PERCENT))
        yield dict(row) | calm


def write_calm(folder: Path, days: days.DemoDays) -> None:
    """The demo of the same company without the situations, on contracts that fit: an audit has nothing to find."""
    table = demo_files.read_table

    def calm(name: str) -> demo_files.Table:
        if name == "workloads.csv":
            return list(calm_rows(table(name)))
        return table("calm_contracts.csv" if name == "contracts.csv" else name)

    with patch.object(demo_files, "read_table", calm):
        demo_files.write_demo(folder, days)
