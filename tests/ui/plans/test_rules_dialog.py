"""One rule in a dialog: proposals first, words by hand, a refusal in the dialog, the preview that was asked for."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.rule_preview import (
    ClassAmount,
    LeftAlone,
    RuleEffect,
    RulePreview,
    RuleProposal,
)
from gpuplanner.domain.model.tables import POOLS, ClassRule, Pool
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.plans.rule_dialog import TYPING_PAUSE_MS, RuleDialog


def rule(pattern: str, field: str = "name", pool: Pool = Pool.BURST) -> ClassRule:
    return ClassRule(
        rule_id=f"burst-{pattern.rstrip('s?')}",
        field=field,
        pattern=pattern,
        pool=pool,
        subtype="",
        confidence=0.97,
        reason="",
    )


PROPOSALS = (RuleProposal(rule("rollouts?"), 2, 0), RuleProposal(rule("ann", "owner"), 40, 12))


def found(pool: Pool, confidence: float) -> Classification:
    return Classification(
        pool=pool,
        subtype="",
        confidence=confidence,
        reasons=("because",),
        runner_up=Pool.TRAINING,
        source="score",
    )


def preview_of(asked: ClassRule, usd: float | None = 100.6) -> RulePreview:
    hours = {pool: ClassAmount(3, 10.0, usd) for pool in POOLS}
    effects = (
        RuleEffect(
            key="c/o/b",
            name="b",
            cluster="c",
            before=found(Pool.BURST, 0.9),
            after=found(Pool.BURST, 0.97),
            was_in_review=False,
            gpu_hours_per_month=9.0,
            usd_per_month=900.0,
        ),
        RuleEffect(
            key="c/o/a",
            name="a",
            cluster="c",
            before=found(Pool.TRAINING, 0.5),
            after=found(Pool.BURST, 0.97),
            was_in_review=True,
            gpu_hours_per_month=5.0,
            usd_per_month=usd,
        ),
    )
    left = (
        LeftAlone(
            key="c/o/x",
            name="x",
            pool=Pool.INFERENCE,
            why="labelled by you",
            gpu_hours_per_month=1.0,
            usd_per_month=2.0,
        ),
    )
    return RulePreview(
        rules=(asked,), effects=effects, left=left, classes_before=hours, classes_after=hours, decided=()
    )


@pytest.fixture
def made(qtbot: QtBot, qapp: QApplication) -> tuple[RuleDialog, list[ClassRule], list[ClassRule]]:
    apply_palette(qapp, LIGHT)
    dialog = RuleDialog(PROPOSALS, ())
    qtbot.addWidget(dialog)
    asked: list[ClassRule] = []
    taken: list[ClassRule] = []
    dialog.preview_asked.connect(asked.append)
    dialog.rule_accepted.connect(taken.append)
    dialog.show()
    return dialog, asked, taken


def texts(dialog: RuleDialog) -> list[list[str]]:
    model = dialog.table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_the_first_proposal_is_the_rule_and_needs_no_pattern(made: tuple[RuleDialog, list, list]) -> None:
    dialog, _, taken = made
    assert "“rollout”" in dialog.likes.currentText() and re.findall(r"\d+", dialog.likes.currentText()) == [
        "2"
    ]
    second = dialog.likes.itemText(1)
    assert second.startswith("owner “ann”: ") and re.findall(r"\d+", second) == ["40", "12"]
    assert not dialog.pattern.isVisible()
    dialog.accept_button.click()
    assert taken == [rule("rollouts?")]


@pytest.mark.long
def test_another_proposal_and_another_class_ask_for_another_preview(
    made: tuple[RuleDialog, list, list], qtbot: QtBot
) -> None:
    dialog, asked, taken = made
    dialog.likes.setCurrentIndex(1)
    assert (asked[-1].field, asked[-1].pattern) == ("owner", "ann")
    dialog.pools.setCurrentIndex(POOLS.index(Pool.TRAINING))
    qtbot.waitUntil(lambda: asked[-1].pool is Pool.TRAINING)
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert [(one.rule_id, one.pool) for one in taken] == [("training-ann", Pool.TRAINING)]


def test_words_by_hand_are_looked_at_after_a_pause_and_a_bad_pattern_is_said(
    made: tuple[RuleDialog, list, list], qtbot: QtBot
) -> None:
    dialog, asked, taken = made
    dialog.hand.setChecked(True)
    assert dialog.pattern.isVisible()
    assert not dialog.likes.isVisible()
    dialog.pattern.clear()
    QTest.keyClicks(dialog.pattern, "ev.*")
    qtbot.wait(TYPING_PAUSE_MS + 50)
    assert dialog.error.isVisible()
    assert "position 3" in dialog.error.text()
    assert not dialog.accept_button.isEnabled()
    assert dialog.accept_button.toolTip() == dialog.error.text()
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert (taken, asked) == ([], [])
    dialog.pattern.clear()
    QTest.keyClicks(dialog.pattern, "eval|judge")
    qtbot.waitUntil(lambda: bool(asked))
    assert asked[-1].pattern == "eval|judge"
    assert not dialog.error.isVisible()
    assert dialog.accept_button.isEnabled()


def test_the_preview_shows_changes_first_and_what_stays_and_why(made: tuple[RuleDialog, list, list]) -> None:
    dialog, _, _ = made
    dialog.show_preview(preview_of(dialog.rule()))
    counts, _ = dialog.said.text().split(". ")  # the second: of when the money is
    changed, left, sure, stays = counts.split(", ")
    assert changed.startswith("1 workload ") and "Review" in left
    assert all(count.startswith("1 ") for count in (left, sure, stays))
    rows = texts(dialog)
    assert [row[0] for row in rows] == ["a", "b", "x"]
    assert rows[0][2:] == ["Training? 50%", "Burst", "5", "101"]
    assert rows[1][3] == "Burst, surely"
    assert rows[2][3].startswith("stays") and rows[2][3].endswith(": labelled by you")
    assert dialog.classes.model().rowCount() == 3


def test_unknown_money_is_a_dash_and_an_answer_to_another_rule_is_passed_by(
    made: tuple[RuleDialog, list, list],
) -> None:
    dialog, _, _ = made
    dialog.show_preview(preview_of(rule("other")))
    assert dialog.table.model().rowCount() == 0
    dialog.show_preview(preview_of(dialog.rule(), usd=None))
    assert texts(dialog)[0][-1] == "\u2014"


def test_a_rule_that_is_changed_keeps_its_id_reason_and_confidence(qtbot: QtBot, qapp: QApplication) -> None:
    apply_palette(qapp, LIGHT)
    own = ClassRule(
        rule_id="mine",
        field="queue",
        pattern="long",
        pool=Pool.TRAINING,
        subtype="x",
        confidence=1.0,
        reason="said so",
    )
    dialog = RuleDialog((), (own,), changed=own)
    qtbot.addWidget(dialog)
    dialog.show()
    taken: list[ClassRule] = []
    dialog.rule_accepted.connect(taken.append)
    assert dialog.pattern.isVisible()
    assert dialog.rule() == own
    dialog.pattern.setText("long|huge")
    dialog.accept_button.click()
    assert taken == [
        ClassRule(
            rule_id="mine",
            field="queue",
            pattern="long|huge",
            pool=Pool.TRAINING,
            subtype="x",
            confidence=1.0,
            reason="said so",
        )
    ]


def test_with_nothing_to_go_by_the_words_are_asked_for(qtbot: QtBot, qapp: QApplication) -> None:
    apply_palette(qapp, LIGHT)
    dialog = RuleDialog((), ())
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.pattern.isVisible()
    assert not dialog.accept_button.isEnabled()
    assert dialog.said.text().startswith("Write whole words")
