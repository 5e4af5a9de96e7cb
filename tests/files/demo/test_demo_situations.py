"""The demo's situations are each found where they were planted; without them the audit finds none."""

from functools import cache
from pathlib import Path

import pytest

from gpuplanner.domain.audit.leak_list import LEAK_RULES
from gpuplanner.domain.evaluation import Evaluation, evaluate_audit
from gpuplanner.files.demo.days import GOLDEN_DAY, ending
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.system.resources import read_tables
from tests.files.conftest import INPUTS
from tests.files.demo_situations import SITUATIONS, Situation, write_calm


@cache
def audited_calm(folder: Path) -> Evaluation:
    write_calm(folder, ending(GOLDEN_DAY))
    read = read_inputs(*([str(folder / name)] for name in INPUTS))
    project = read.project()
    return evaluate_audit(project, project.scenarios[0].name, read_tables())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.leak_id)
def test_every_situation_is_found_with_what_is_behind_it(
    golden_world: Evaluation, situation: Situation
) -> None:
    (leak,) = (leak for leak in golden_world.audit.leaks if leak.leak_id == situation.leak_id)
    names = {workload.key: workload.name for workload in golden_world.project.workloads}
    assert {names.get(part.id, part.id) for part in leak.parts} >= set(situation.parts)
    assert leak.leaked_per_month is not None
    assert leak.leaked_per_month > 0


def test_every_situation_is_told_of_by_a_rule() -> None:
    assert {situation.leak_id.split(":")[0] for situation in SITUATIONS} <= set(LEAK_RULES)


@pytest.mark.long
def test_the_company_without_them_raises_no_false_alarm(folder: Path) -> None:
    calm = audited_calm(folder / "calm")
    assert [leak.leak_id for leak in calm.audit.leaks] == []
    total = calm.audit.leaks_total
    assert (total.counted_gpu_hours, total.counted_per_month) == (0.0, 0.0)
    assert [check for check in calm.audit.checks if check.severity != "info"] == []


@pytest.mark.long
def test_the_calm_company_is_no_empty_one(folder: Path) -> None:
    calm = audited_calm(folder / "calm")
    assert all(share.gpu_hours > 1_000 for share in calm.audit.classes.values())
    assert [cluster.cluster for cluster in calm.audit.clusters] == ["atlas", "borealis", "cedar"]
    assert calm.project.window.hours == 2160
    assert len(calm.project.workloads) > 80


@pytest.mark.long
def test_the_calm_company_is_the_same_bytes_every_time(folder: Path, tmp_path: Path) -> None:
    audited_calm(folder / "calm")
    write_calm(tmp_path, ending(GOLDEN_DAY))
    for name in ("jobs.csv", "contracts.csv"):
        assert (tmp_path / name).read_bytes() == (folder / "calm" / name).read_bytes()
