"""A project whose plan divides a workload: every document says the same of it."""

from pathlib import Path

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.project.project_file import save_project
from tests.cli.test_project_input import CONTRACTS, JOBS, PRICES

KEY = "atlas//pretrain/training"


@pytest.mark.long
def test_a_divided_workload_is_one_row_with_its_parts(call, put, tmp_path: Path) -> None:
    paths = [put(f"{name}.csv", text) for name, text in (("j", JOBS), ("c", CONTRACTS), ("p", PRICES))]
    project = read_inputs([paths[0]], [paths[1]], [paths[2]]).project()
    project = edits.cards.split_workload(project, "Plan A", KEY, ShareSplit(250), Pool.BURST)
    project = edits.cards.set_note(project, KEY, "until March")
    path = tmp_path / "parts.gpuplan"
    save_project(project, path)
    answer = call("plan", str(path)).document
    row = next(row for row in answer["workloads"] if row["key"] == KEY)
    assert (row["pool"], row["note"]) == ("training", "until March")
    assert [part["pool"] for part in row["parts"]] == ["training", "burst"]
    assert sum(part["plan_usd_per_month"] for part in row["parts"]) == row["plan_usd_per_month"]
    burst = [pool for pool in answer["pools"] if pool["pool"] == "burst"]
    assert sum(pool["gpu_hours"] for pool in burst) == row["gpu_hours"] / 4
    assert call("plan", str(path), "--scenario", "Today").document["workloads"][0]["parts"] == []
    moved = call("plan", str(path), "--assign", f"{KEY}=inference").document
    assert next(row for row in moved["workloads"] if row["key"] == KEY)["pool"] == "inference"
    assert not [pool for pool in moved["pools"] if pool["pool"] == "burst"]
    assert call("audit", str(path)).document["classes"] == call("audit", *_options(paths)).document["classes"]


@pytest.mark.long
def test_assigning_one_of_merged_cards_moves_all_but_those_that_are_named_too(
    call, put, tmp_path: Path
) -> None:
    paths = [put(f"{name}.csv", text) for name, text in (("j", JOBS), ("c", CONTRACTS), ("p", PRICES))]
    project = read_inputs([paths[0]], [paths[1]], [paths[2]]).project()
    first, second = sorted(workload.key for workload in project.workloads)[:2]
    path = tmp_path / "merged.gpuplan"
    save_project(edits.cards.merge_cards(project, "Plan A", (first, second), "Both", Pool.BURST), path)

    def pools(*assigned: str) -> list[str]:
        words = [word for one in assigned for word in ("--assign", one)]
        rows = {row["key"]: row for row in call("plan", str(path), *words).document["workloads"]}
        assert rows[first]["merged_into"] == rows[second]["merged_into"] == "Both"
        return [rows[first]["pool"], rows[second]["pool"]]

    assert pools(f"{first}=training") == ["training", "training"]
    assert pools(f"{first}=training", f"{second}=inference") == ["training", "inference"]


def _options(paths: list[str]) -> list[str]:
    return [
        word
        for name, path in zip(("jobs", "contracts", "prices"), paths, strict=True)
        for word in (f"--{name}", path)
    ]
