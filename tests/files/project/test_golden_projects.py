"""Projects that earlier versions saved open, and say the figures that they said then."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.domain.edits.changed_figures import FIGURES_REVISION, count_changes
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.project import Project
from gpuplanner.files.project.project_file import (
    FORMAT_VERSION,
    has_figures_of_today,
    open_project,
    read_about,
    save_project,
)
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


RELEASE_BEFORE = GOLDEN / "2026-11-30"
"""Projects that the release before saved, and what each of their plans said then; they are never written anew."""


def figures_of_plan(project: Project, name: str) -> dict[str, Any]:
    """What a planner would miss first, of one plan; USD to the cent."""
    evaluation = evaluate(project, name, read_tables())
    advice, outlook = evaluation.advice, evaluation.outlook
    assert advice is not None and outlook is not None

    def cents(usd: float | None) -> float | None:
        return None if usd is None else round(usd, 2)

    return {
        "plan_usd": [cents(month.plan_usd) for month in advice.comparison],
        "do_nothing_usd": [cents(month.do_nothing_usd) for month in advice.comparison],
        "savings_usd_per_month": cents(advice.totals.savings_vs_do_nothing),
        "liability_usd": cents(advice.totals.liability),
        "layers": [
            [row.pool.value, row.gpu_model, layer.term_months, layer.offer_id, round(layer.gpus, 6)]
            for row in advice.pools
            for layer in row.layers
        ],
        "orders": [
            [
                order.pool.value,
                order.gpu_model,
                order.offer_id,
                round(order.gpus, 6),
                order.start_s,
                order.end_s,
            ]
            for order in advice.orders
        ],
        "decisions": {row.decision_id: cents(row.usd_12_months) for row in outlook.next_decisions},
    }


PLANS = [
    (path.stem, name)
    for path in sorted(RELEASE_BEFORE.glob("*.json"))
    for name in json.loads(path.read_text(encoding="utf-8"))
]


@pytest.mark.long
@pytest.mark.parametrize(("file", "name"), PLANS, ids=[" ".join(pair) for pair in PLANS])
def test_a_plan_of_the_release_before_has_its_figures_or_a_line_that_says_why_not(
    file: str, name: str
) -> None:
    """No figure is lost: what was known is known."""
    said = json.loads((RELEASE_BEFORE / f"{file}.json").read_text(encoding="utf-8"))[name]
    project = open_project(RELEASE_BEFORE / f"{file}.gpuplan")
    found = figures_of_plan(project, name)
    numbers = ("plan_usd", "do_nothing_usd", "savings_usd_per_month", "liability_usd", "decisions")
    changed = {
        key
        for key, value in said.items()
        if found[key] != (pytest.approx(value, abs=0.011) if key in numbers else value)
    }
    notes = [str(decision.text) for decision in project.scenario(name).decisions]
    lines = [note for note in notes if "since it was saved" in note]
    assert len(lines) == bool(changed), (changed, notes)
    assert "do_nothing_usd" not in changed
    for key in ("plan_usd", "savings_usd_per_month", "liability_usd"):
        was, now = (of[key] if isinstance(of[key], list) else [of[key]] for of in (said, found))
        assert not [at for at, usd in enumerate(was) if usd is not None and now[at] is None]


def test_the_lines_of_changed_figures_are_said_once(tmp_path: Path) -> None:
    """Saved again, the project follows today's rules."""
    project = open_project(RELEASE_BEFORE / "levels.gpuplan")
    texts = {plan.name: [str(decision.text) for decision in plan.decisions] for plan in project.scenarios}
    assert {name: len(lines) for name, lines in texts.items()} == {
        "Within": 0,
        "Held": 1,
        "Above": 1,
        "Above held": 1,
        "Later": 1,
    }
    assert count_changes(project) == {name: 1 for name, lines in texts.items() if lines}
    assert texts["Above held"] == texts["Above"]
    assert "24" in texts["Above"][0] and "40 GPUs" in texts["Above"][0] and "16 GPUs" in texts["Later"][0]
    assert texts["Held"][0].startswith("May have")
    assert not has_figures_of_today(RELEASE_BEFORE / "levels.gpuplan")
    save_project(project, tmp_path / "again.gpuplan")
    assert has_figures_of_today(tmp_path / "again.gpuplan")
    assert open_project(tmp_path / "again.gpuplan").scenarios == project.scenarios
    assert read_about(tmp_path / "again.gpuplan")["figures"] == str(FIGURES_REVISION)


def test_there_is_a_file_of_each_format() -> None:
    """Who raises FORMAT_VERSION leaves a file of the format before, and one of the new."""
    formats = {int(path.stem.rpartition("-")[2]) for path in GOLDEN.glob("*.gpuplan")}
    assert formats == set(range(1, FORMAT_VERSION + 1))
