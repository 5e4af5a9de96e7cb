"""Cards of one name: what tells them apart stands beside the name, and beside no other."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from gpuplanner.app.past.audit_answers import ANSWERS
from gpuplanner.domain import edits
from gpuplanner.domain.evidence.audit_evidence import evidence_of
from gpuplanner.domain.model.spelling import name_apart, names_apart, told_apart
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board.menu import telling_ends
from gpuplanner.ui.cards.delegate import LEAST_BEGUN, shorten_name
from gpuplanner.ui.decisions.page_rows import list_review_rows
from gpuplanner.ui.kit.type_scale import base_font, text_width
from gpuplanner.ui.plans.separation import SeparationMove
from gpuplanner.ui.plans.separation_dialog import build_move_table
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.why.plan_answers import plan_evidence
from gpuplanner.ui.words.lanes import Lane
from tests.ui.sample_world import evaluation_of, sample_project


def card(key: str, name: str, cluster: str, owner: str) -> Any:
    return SimpleNamespace(key=key, name=name, cluster=cluster, owner=owner)


def test_a_long_name_keeps_the_end_that_no_other_name_has() -> None:
    names = ["aurora-large-pretrain", "aurora-base-pretrain", "aurora-base-sft", "base-pretrain", "sft"]
    assert telling_ends(names) == {
        "aurora-large-pretrain": ("\u2026large-pretrain",),
        "aurora-base-sft": ("\u2026base-sft",),
    }


@pytest.mark.parametrize("width", range(60, 160, 5))
def test_a_name_that_is_cut_keeps_its_beginning_and_tells_itself_apart(
    qapp: QApplication, width: int
) -> None:
    names = ["aurora-large-pretrain", "aurora-base-pretrain", "agent-runtime-sglang", "agent-xl-vllm"]
    ends = telling_ends(names)
    cut = [shorten_name(name, ends.get(name, ()), width) for name in names]
    for name, text in zip(names, cut, strict=True):
        assert text[:LEAST_BEGUN] == name[:LEAST_BEGUN] and text_width(text, base_font("strong")) <= width
    assert len(set(cut)) == len(names) or width < 100


def test_cluster_or_owner_or_both_stand_beside_a_name_that_is_shared() -> None:
    cards = [
        card("1", "train", "west", "ml"),
        card("2", "train", "east", "ml"),
        card("3", "chat", "west", "ml"),
        card("4", "chat", "west", ""),
        card("5", "eval", "west", "ml"),
        card("6", "eval", "east", "bio"),
        card("7", "alone", "west", "ml"),
    ]
    assert {key: str(apart) for key, apart in names_apart(cards).items()} == {
        "1": "west",
        "2": "east",
        "3": "ml",
        "4": "no owner",
        "5": "west/ml",
        "6": "east/bio",
    }
    assert {one.key: name_apart(one, cards) for one in cards} == told_apart(cards)


@pytest.fixture(scope="module")
def twins() -> tuple[Any, str, tuple[str, str]]:
    """A project in which two workloads of two clusters have one name; its plan, and their keys."""
    project = sample_project()
    first = project.workloads[0]
    second = next(one for one in project.workloads if one.cluster != first.cluster)
    keys = (first.key, second.key)
    workloads = tuple(replace(one, name="twin") if one.key in keys else one for one in project.workloads)
    return replace(project, workloads=workloads), project.scenarios[0].name, keys


def told(twins: tuple[Any, str, tuple[str, str]]) -> set[str]:
    project, _, keys = twins
    return {f"twin \u00b7 {one.cluster}" for one in project.workloads if one.key in keys}


def test_history_and_undo_name_the_cluster(twins: Any) -> None:
    project, _, keys = twins
    labels = {edits.labels.move_label(project, (key,), Pool.BURST) for key in keys}
    assert set(map(str, labels)) == {f"Move {name} to burst" for name in told(twins)}


def test_answers_name_the_cluster(twins: Any) -> None:
    project, plan, keys = twins
    shown = next_view_state(None, evaluation_of(project, plan))
    evidence = plan_evidence(shown, None)
    assert {str(card.name) for card in evidence.cards if card.key in keys} == told(twins)
    audit = evidence_of(project, shown.evaluation.audit)
    assert {str(audit.names[key]) for key in keys} == told(twins)
    titles = {str(ANSWERS.answer(audit, f"workload_cost::{key}").title) for key in keys}
    assert titles == {f"Cost of {name}" for name in told(twins)}


def test_the_preview_of_a_separation_names_the_cluster(twins: Any) -> None:
    project, plan, keys = twins
    shown = next_view_state(None, evaluation_of(project, plan))
    cards = [one for one in shown.cards if one.key in keys]
    moves = tuple(SeparationMove(one, Lane.REVIEW, Lane.BURST, 1.0) for one in cards)
    assert {row.cells[0].text for row in build_move_table(moves)[1]} == {*told(twins), "Together"}


def test_the_review_recommendation_names_the_cluster(twins: Any) -> None:
    project, plan, keys = twins
    shown = next_view_state(None, evaluation_of(project, plan))
    cards = tuple(replace(one, in_review=one.key == keys[0]) for one in shown.cards)
    rows = list_review_rows(replace(shown, cards=cards))
    name = next(name for name in told(twins) if name.endswith(keys[0].split("/")[0]))
    assert rows[0].note == f"Costliest first: {name}."
