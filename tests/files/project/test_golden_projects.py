"""Projects that earlier versions saved open, and say the figures that they said then."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.domain.evaluation import evaluate
from gpuplanner.files.project.project_file import FORMAT_VERSION, open_project
from gpuplanner.files.system.resources import read_tables

GOLDEN = Path(__file__).with_name("golden")
"""A file for each format there was, written by the version in its name, and what it said; none is ever written anew."""


def figures(path: Path) -> dict[str, Any]:
    """What a planner would miss first, of a project's first plan; USD to the cent."""
    project = open_project(path)
    evaluation = evaluate(project, project.scenarios[0].name, read_tables())
    advice = evaluation.advice
    assert advice is not None
    return {
        "title": project.title,
        "milli_gpu_seconds": project.cube.total,
        "workloads": [workload.key for workload in project.workloads],
        "contracts": [contract.contract_id for contract in project.contracts],
        "offers": [offer.offer_id for offer in project.offers],
        "pools": [card.pool.value for card in evaluation.figures.cards],
        "layers": [
            [row.pool.value, row.gpu_model, layer.term_months, round(layer.gpus, 6)]
            for row in advice.pools
            for layer in row.layers
        ],
        "plan_usd": [
            None if month.plan_usd is None else round(month.plan_usd, 2) for month in advice.comparison
        ],
    }


@pytest.mark.long
@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.gpuplan")), ids=lambda path: path.stem)
def test_a_project_of_an_earlier_version_says_what_it_said(path: Path) -> None:
    content = path.read_bytes()
    said = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    found = figures(path)
    assert found.pop("plan_usd") == pytest.approx(said.pop("plan_usd"), abs=0.011)
    assert found == said
    assert path.read_bytes() == content


def test_there_is_a_file_of_each_format() -> None:
    """Who raises FORMAT_VERSION leaves a file of the format before, and one of the new."""
    formats = {int(path.stem.rpartition("-")[2]) for path in GOLDEN.glob("*.gpuplan")}
    assert formats == set(range(1, FORMAT_VERSION + 1))
