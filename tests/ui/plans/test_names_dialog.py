"""Matching names in the window: a proposal is used as it stands, one step undoes it, and taken back it is as before."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings

from gpuplanner.app.document import Document
from gpuplanner.app.settings import Settings
from gpuplanner.domain.audit.log_checks import variants_asked
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.unmatched import name_rows, unmatched
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.system.resources import gpu_families, read_tables
from gpuplanner.ui.flows.rules_flow import renamed_project
from gpuplanner.ui.plans.names_dialog import OWN, NamesDialog
from gpuplanner.ui.state.headline_figures import figures_of
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.words import numbers

JOBS = (
    "job_id,cluster,name,user,gpu_model,gpus,start,end\n"
    "1,en,train,ann,H100 SXM,8,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n"
    "2,lab,chat,bob,gpu-large,4,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n"
)
CONTRACTS = (
    "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start\n"
    "a,main,H100 HBM3,8,2.5,2025-06-01\nb,lab,H200,4,3.5,2025-06-01\n"
)
PRICES = (
    "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"
    "o,H100,STANDARD,0,5\np,H100 PCIe,STANDARD,0,3\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the project, and its job rows."""
    made = tmp_path_factory.mktemp("names")
    for name, text in (("j.csv", JOBS), ("c.csv", CONTRACTS), ("p.csv", PRICES)):
        (made / name).write_text(text)
    return made


@pytest.fixture(scope="module")
def project(folder: Path) -> Project:
    paths = ([str(folder / name)] for name in ("j.csv", "c.csv", "p.csv"))
    return read_inputs(*paths, rows_dir=folder).project()


def dialog_of(qtbot: Any, project: Project) -> NamesDialog:
    families = gpu_families()
    dialog = NamesDialog(name_rows(project, families), variants_asked(project, families), project.same)
    qtbot.addWidget(dialog)
    return dialog


def test_what_is_proposed_is_what_the_check_says(qtbot: Any, project: Project) -> None:
    dialog = dialog_of(qtbot, project)
    assert dialog.answers() == tuple(
        one.proposed
        for one in sorted(
            unmatched(project, gpu_families()).questions, key=lambda one: one.kind is not SameKind.MODEL
        )
    )
    assert dialog.answers() == (
        Same(SameKind.MODEL, "gpu-large", "H200"),
        Same(SameKind.CLUSTER, "en", "main"),
    )


def test_names_used_settle_every_question_and_taken_back_they_ask_again(
    qtbot: Any, project: Project, folder: Path
) -> None:
    families = gpu_families()
    said = dialog_of(qtbot, project).answers()
    after = renamed_project(project, said, (), (), folder)
    assert not unmatched(after, families).is_any
    assert {workload.cluster for workload in after.workloads} == {"lab", "main"}
    assert after.cube.gpu_models == ("H100", "H200")
    back = renamed_project(after, (), said, (), folder)
    assert unmatched(back, families).questions == unmatched(project, families).questions
    assert back.workloads == project.workloads
    assert back.cube.gpu_models == project.cube.gpu_models
    assert back.cube.milli_gpu_seconds.tolist() == project.cube.milli_gpu_seconds.tolist()
    assert (back.contracts, back.offers) == (project.contracts, project.offers)


def test_a_name_may_be_nothing_else(qtbot: Any, project: Project, folder: Path) -> None:
    dialog = dialog_of(qtbot, project)
    for _, box in dialog.choices:
        if box.findData(OWN) >= 0:
            box.setCurrentIndex(box.findData(OWN))
    said = dialog.answers()
    assert all(one.is_own for one in said)
    assert not unmatched(renamed_project(project, said, (), (), folder), gpu_families()).is_any


def test_a_variant_serves_once_the_planner_says_what_it_is_worth(
    qtbot: Any, project: Project, folder: Path
) -> None:
    dialog = dialog_of(qtbot, project)
    ((variant, may, ratio),) = dialog.ratios
    assert dialog.mappings() == () and ratio.isHidden()  # a number beside "do not serve it" says nothing
    may.setCurrentIndex(1)
    assert not ratio.isHidden()
    ratio.setValue(0.8)
    after = renamed_project(project, (), (), dialog.mappings(), folder)
    assert [(one.gpu_model, one.offer_model, one.ratio) for one in after.mappings] == [
        ("H100", "H100 PCIe", 0.8)
    ]
    assert not variants_asked(after, gpu_families())
    assert variant.ratio == pytest.approx(0.76)


def test_taking_back_waits_for_the_button(qtbot: Any, project: Project) -> None:
    said = (Same(SameKind.CLUSTER, "en", "main"),)
    dialog = dialog_of(qtbot, replace(project, same=said))
    told: list[Any] = []
    dialog.chosen.connect(lambda *args: told.append(args))
    dialog.removers[0].click()
    assert not told
    dialog.use.click()
    assert told[0][1] == said


def test_decisions_are_remembered_for_the_next_import(tmp_path: Path) -> None:
    settings = Settings(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))
    assert settings.same == ()
    first, second = Same(SameKind.CLUSTER, "", "main"), Same(SameKind.MODEL, "a=b, c", "H100")
    settings.remember_same((first,))
    settings.remember_same((second, Same(SameKind.CLUSTER, "", "other")))
    assert settings.same == (Same(SameKind.CLUSTER, "", "other"), second)


def test_a_document_has_one_step_for_all_of_it(project: Project, folder: Path) -> None:
    document = Document(project)
    after = renamed_project(project, (Same(SameKind.MODEL, "gpu-large", "H200"),), (), (), folder)
    document.edit("x", after)
    document.undo_stack.undo()
    assert document.project is project


def test_the_headline_of_today_says_what_is_unknown_until_names_are_matched(
    qapp: Any, project: Project
) -> None:
    evaluation = evaluate(project, TODAY, read_tables())
    shown = next_view_state(None, evaluation)
    figures = {one.figure_id: one for one in figures_of(shown)}
    assert figures["utilization"].plan == figures["below_40"].plan == numbers.UNKNOWN
    assert len(figures["below_40"].second) == 1
