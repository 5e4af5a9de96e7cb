"""One word for each concept: in tips, in Help, in docs/glossary.md and in the catalogue."""

import csv
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

import gpuplanner
from docs.list_texts import unlisted
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evaluation import Evaluation, evaluate_audit
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.audit.clusters import NONE_RAN, HoursCard
from gpuplanner.ui.audit.contracts_card import ContractsCard
from gpuplanner.ui.frame.panel_docks import PANELS
from gpuplanner.ui.state.headline_figures import figures_of
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Column
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.window.help_dialogs import GlossaryDialog
from gpuplanner.ui.words.commands import COMMANDS
from gpuplanner.ui.words.contract_use import no_job_of, none_under_40, none_under_40_sentence
from gpuplanner.ui.words.glossary import TERMS, UNUSED, meaning, tip_of
from tests.ui.audit_world import audit_evaluation

# --- One word for each concept: in tips, in Help, in docs/glossary.md and in the catalogue ----------

ROOT = Path(gpuplanner.__path__[0]).parent
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
TRANSLATIONS = ROOT / "translations"
CATALOGUE = {one.text or "" for one in ElementTree.parse(TRANSLATIONS / "gpuplanner.ts").iter("source")}
REFUSED = Path(__file__).with_name("refused_words.csv")


def test_the_page_has_every_term_of_help() -> None:
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", GLOSSARY, flags=re.M))
    assert {str(term.word): rows.get(str(term.word)) for term in TERMS.values()} == {
        str(term.word): str(term.meaning) for term in TERMS.values()
    }


def test_help_lists_every_term_and_all_can_be_translated(qapp: QApplication) -> None:
    dialog = GlossaryDialog()
    rows = dialog.findChild(FigureTable).model().rows
    assert [row.cells[1].text for row in rows] == [str(term.word) for term in TERMS.values()]
    assert unlisted({str(part) for term in TERMS.values() for part in (term.word, term.meaning)}) == set()


def test_a_tip_is_made_of_the_same_sentences() -> None:
    assert meaning(UNUSED, "Inactive") == (
        f"Idle cost: Cost of paid GPUs without a job.\nInactive: {TERMS['inactive'].meaning}"
    )


@pytest.mark.parametrize(
    ("title", "name"), [("Idle cost\n$ per month", "unused"), (worded("Review"), "review"), ("Atlas", None)]
)
def test_a_heading_that_is_a_term_explains_it(title: Text, name: str | None) -> None:
    assert tip_of(title) == ("" if name is None else str(TERMS[name].meaning))


def test_a_table_shows_the_meaning_of_its_heading(qapp: QApplication) -> None:
    table = FigureTable("costs")
    table.show_rows((Column(title=worded("Overflow")), Column(title=worded("Cluster"))), ())
    tips = [
        table.model().headerData(at, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) for at in (0, 1)
    ]
    assert tips == [str(TERMS["overflow"].meaning), None]


def refused(texts: Iterable[str]) -> dict[str, str]:
    """Return the texts that use a refused word, each with the word to use; names of places do not count."""
    with REFUSED.open(encoding="utf-8", newline="") as table:
        words = [(re.compile(row["refused"], re.I), row["use"]) for row in csv.DictReader(table)]
    return {
        text: use
        for text in texts
        for pattern, use in words
        if pattern.search(re.sub(r"\{[^{}]*\}", "", text))
    }


@cache
def typed_words() -> frozenset[str]:
    """Return the lists of words by which people look for a command or a panel: any word may be in them."""
    abouts = [panel.about for panel in PANELS]
    lists = (*COMMANDS, *abouts, *(view for about in abouts for view in about.views))
    return frozenset(str(one.also) for one in lists)


def test_one_word_is_used_for_each_concept() -> None:
    assert refused(CATALOGUE - typed_words()) == {}


def test_a_refused_word_is_found() -> None:
    assert refused(["Churn", "Attrition", "{red} of 5"]) == {"Churn": "attrition"}


@pytest.mark.parametrize(("language", "column"), [("de", "refused_german"), ("fr", "refused_french")])
def test_translations_use_the_terms_of_the_trade(language: str, column: str) -> None:
    with (TRANSLATIONS / "terms.csv").open(encoding="utf-8", newline="") as table:
        words = [re.compile(row[column], re.I) for row in csv.DictReader(table) if row[column]]
    found = []
    for message in ElementTree.parse(TRANSLATIONS / f"gpuplanner_{language}.ts").iter("message"):
        source, told = message.findtext("source") or "", message.find("translation")
        text = re.sub(r"\{[^{}]*\}", "", "".join(told.itertext()) if told is not None else "")
        if source not in typed_words() and any(word.search(text) for word in words):
            found.append(text)
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
    return ViewState(
        evaluation=evaluation,
        advice=None,
        outlook=None,
        is_settling=False,
        is_outlook_settling=False,
        usd={},
        cards=(),
    )


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
    assert card.said.text().startswith("Import contracts")


def test_of_some_contracts_those_that_ran_are_spoken_of(evaluation: Evaluation) -> None:
    audit = begun_later(evaluation, 1).evaluation.audit
    used = replace(audit, contracts=tuple(replace(row, below_40_percent=False) for row in audit.contracts))
    said, all_ran = none_under_40(used), replace(used, contracts=used.contracts[1:])
    assert "40%" in said and "40%" in none_under_40(all_ran) and said != none_under_40(all_ran)


def test_a_cluster_without_a_name_is_said_to_have_none() -> None:
    assert str(no_job_of(("b", "")).values["clusters"]) == "(no name), b"
