"""The data-quality card: figures, and findings named in words."""

from dataclasses import replace

from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.intake import DataQuality, LogGap, SuspiciousValue, quality_gaps
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.ui.audit.data_quality_card import COLUMNS, DataQualityCard, gap_words, quality_row
from tests.ui.sample_world import evaluation_of, sample_project

GOOD = DataQuality(
    jobs=12_000, hours=2160, busy_hours=2160,
    with_id=12_000, with_name=12_000, with_user=11_940, naive=0, zero_length=0, gpu_time=8e9, with_model=6e9,
)  # fmt: skip
GAP = LogGap(1_786_514_400, 1_786_651_200)


def test_a_sound_log_says_so_and_what_is_unknown_is_a_dash() -> None:
    row = quality_row(GOOD)
    assert len(row.cells) == len(COLUMNS)
    texts = [cell.text for cell in row.cells]
    assert texts[0].startswith("GPU model ") and texts[0].endswith(" 75.0%")
    assert row.cells[0].icon == "triangle"  # never a tick beside a quarter that nobody knows
    assert "map the model's column" in row.cells[0].tip
    whole = quality_row(replace(GOOD, with_model=8e9)).cells[0]
    assert whole.icon == "tick" and "%" not in whole.text and "To do:" not in whole.tip
    assert texts[COLUMNS.index(next(c for c in COLUMNS if "activity" in c.title))] == "\u2014"
    assert "99.5%" in texts
    assert all(cell.tip for cell in row.cells)


def test_what_is_missing_is_said_with_what_it_means_and_what_to_do(qtbot: QtBot) -> None:
    bare = replace(GOOD, with_model=0.0, with_name=2_400, with_activity=0.0)
    first = quality_row(bare).cells[0]
    gaps = quality_gaps(bare)
    assert [gap.share for gap in gaps] == [0.0, 0.2, 0.0]
    assert first.text == "; ".join(map(gap_words, gaps[:2])) and first.text.endswith(" 20.0%")
    assert first.tip.count("To do:") == 3
    only_activity = quality_row(replace(GOOD, with_model=8e9, with_activity=0.0)).cells[0]
    assert only_activity.text.startswith("Activity: ") and only_activity.icon == "info"
    card = DataQualityCard()
    qtbot.addWidget(card)
    shown = evaluation_of(sample_project(), TODAY)
    for quality, said in ((bare, True), (replace(GOOD, with_model=8e9), False)):
        jobs = replace(shown.project.jobs, quality=quality)
        card.show_evaluation(replace(shown, project=replace(shown.project, jobs=jobs)))
        assert (not card.remedy.isHidden()) == said


def test_findings_are_named() -> None:
    constant = SuspiciousValue("any column", "18446744073709551614", 3)
    first = quality_row(replace(GOOD, gaps=(GAP,), suspicious=(constant,))).cells[0]
    assert first.icon == "triangle"
    assert "38 h" in first.text
    assert "18446744073709551614" in first.text
    assert "3 times" in first.tip
    many = replace(GOOD, suspicious=(constant, constant), gaps=(GAP, GAP), long_running=1, clock_skew=2)
    text = quality_row(many).cells[0].text
    for words in ("2 gaps, the longest", "2 suspicious values", "1 job running over 60 days", "2 ends"):
        assert words in text


def test_it_is_hidden_where_the_quality_is_not_known(qtbot: QtBot) -> None:
    card = DataQualityCard()
    qtbot.addWidget(card)
    shown = evaluation_of(sample_project(), TODAY)
    card.show_evaluation(shown)
    assert card.isHidden()
    jobs = replace(shown.project.jobs, quality=GOOD)
    card.show_evaluation(replace(shown, project=replace(shown.project, jobs=jobs)))
    assert not card.isHidden()
    assert card.table.as_text().count("\n") == 1
    card.show_in(540)
    assert card.isHidden()  # the board comes first
    card.show_in(800)
    assert not card.isHidden()
