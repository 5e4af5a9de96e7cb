"""One word for each thing that is paid and does nothing: in tips, in Help, and in docs/glossary.md."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel

import gpuplanner
from docs.list_texts import texts
from gpuplanner.charts.kit.plain_text import tr
from gpuplanner.domain.evaluation import Evaluation, evaluate_audit
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.audit.clusters import NONE_RAN, HoursCard
from gpuplanner.ui.audit.spend_cards import ContractsCard
from gpuplanner.ui.state.headline_figures import figures_of
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.window.window_actions import GlossaryDialog
from gpuplanner.ui.words.glossary import (
    INACTIVE,
    UNUSED,
    WORDS,
    meaning,
    no_job_of,
    none_under_40,
    none_under_40_sentence,
)
from tests.ui.audit_world import audit_evaluation

# --- One word for each thing that is paid and does nothing: in tips, in Help, and in docs/glossary.md

ROOT = Path(gpuplanner.__path__[0])
GLOSSARY = (ROOT.parent / "docs" / "glossary.md").read_text(encoding="utf-8")
SYNONYMS = re.compile(
    r"[\"\'][^\"\'\n]*\b(unallocated|paid and not used|paid, not used|wasted?|leftover)\b[^\"\'\n]*[\"\']",
    re.I,
)


def test_the_glossary_has_every_word_of_help() -> None:
    section = GLOSSARY.split("## Paid and idle\n", 1)[1].split("\n## ", 1)[0]
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", section, flags=re.M))
    assert {str(word): rows.get(str(word)) for word in WORDS} == {
        str(word): str(said) for word, said in WORDS.items()
    }


def test_help_lists_every_word_and_all_can_be_translated(qapp: QApplication) -> None:
    dialog = GlossaryDialog()
    told = {label.text() for label in dialog.findChildren(QLabel)}
    assert set(map(str, {*WORDS, *WORDS.values()})) <= told
    assert set(map(str, {*WORDS, *WORDS.values()})) <= set(texts())


def test_a_tip_is_made_of_the_same_sentences() -> None:
    assert meaning(UNUSED, INACTIVE) == f"Idle cost: {WORDS[UNUSED]}\nInactive: {WORDS[INACTIVE]}"


FOUND_BY = ROOT / "ui" / "window" / "command_palette.py"
"""Holds what people may type to find a command: their words, not ours."""


@pytest.mark.parametrize(
    "path", sorted({*(ROOT / "ui").rglob("*.py")} - {FOUND_BY}), ids=lambda path: path.stem
)
def test_no_other_word_is_written_for_them(path: Path) -> None:
    source = re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.S)
    found = [hit.group(0) for hit in SYNONYMS.finditer(source) if "_" not in hit.group(0)]
    assert found == []


# --- Contracts that never ran in the window of the log are not said to be well used, nor to be missing

YEARS_S = 20 * 365 * 86_400


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    return audit_evaluation(tmp_path_factory.mktemp("ran"))


def begun_later(evaluation: Evaluation, count: int) -> ViewState:
    """The same world with the first contracts begun long after the log."""
    contracts = tuple(
        replace(row, start_s=row.start_s + YEARS_S, end_s=None if row.end_s is None else row.end_s + YEARS_S)
        if at < count
        else row
        for at, row in enumerate(evaluation.project.contracts)
    )
    project = replace(evaluation.project, contracts=contracts)
    return of_today(evaluate_audit(project, TODAY, read_tables()))


def of_today(evaluation: Evaluation) -> ViewState:
    return ViewState(evaluation, None, None, False, False, {}, ())


def test_no_contract_of_another_year_is_said_to_be_used(qapp: QApplication, evaluation: Evaluation) -> None:
    shown = begun_later(evaluation, 3)
    card = ContractsCard()
    card.show_state(shown)
    said = none_under_40_sentence(shown.evaluation.audit)
    assert card.said.text() == said and "3 contracts" in said and "%" not in said
    below = next(figure for figure in figures_of(shown) if figure.figure_id == "below_40")
    assert below.second == (none_under_40(shown.evaluation.audit),)
    assert "40%" not in str(below.second) and none_under_40(evaluation.audit) not in below.second


def test_the_week_does_not_ask_for_contracts_that_are_there(
    qapp: QApplication, evaluation: Evaluation
) -> None:
    card = HoursCard()
    card.show_state(begun_later(evaluation, 3))
    assert card.said.text() == tr(NONE_RAN)
    assert card.as_text() == card.said.text()
    nothing = replace(evaluation.project, contracts=())
    card.show_state(of_today(evaluate_audit(nothing, TODAY, read_tables())))
    assert card.said.text().startswith("No contracts yet")


def test_of_some_contracts_those_that_ran_are_spoken_of(evaluation: Evaluation) -> None:
    audit = begun_later(evaluation, 1).evaluation.audit
    used = replace(audit, contracts=tuple(replace(row, below_40_percent=False) for row in audit.contracts))
    said, all_ran = none_under_40(used), replace(used, contracts=used.contracts[1:])
    assert "40%" in said and "40%" in none_under_40(all_ran) and said != none_under_40(all_ran)


def test_a_cluster_without_a_name_is_said_to_have_none() -> None:
    assert str(no_job_of(("b", "")).values["clusters"]) == "(no name), b"
