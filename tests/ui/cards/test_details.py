"""What is said of a card beside the board and under the slot: money, class, fit and spot of where it stands."""

from dataclasses import replace

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.parting import ShareSplit
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.ui.board.hover_change import HoverChange, hover_change, rule_warnings
from gpuplanner.ui.board.hover_note import HoverNote, utilization_words
from gpuplanner.ui.cards.details import Line, details_of, spot_words, workload_named
from gpuplanner.ui.cards.facets import CardFacts
from gpuplanner.ui.kit.theme import LIGHT
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.words import numbers
from tests.ui.sample_world import evaluation_of, key_of, sample_project

PROJECT = sample_project()
PLAN = PROJECT.scenarios[0].name
SHOWN = next_view_state(None, evaluation_of(PROJECT, PLAN))
EU = key_of("vllm-chat-eu")


def card(key: str, shown: ViewState = SHOWN) -> CardFigures:
    return next(card for card in shown.cards if card.key == key)


def lines(
    key: str, section: str, shown: ViewState = SHOWN, facts: CardFacts | None = None
) -> dict[str, Line]:
    details = details_of((card(key, shown),), shown, facts or CardFacts())
    assert details is not None
    found = next(one for one in details.sections if one.title == section)
    return {line.text: line for line in found.lines}


def test_today_plan_and_the_change_between_them() -> None:
    money = lines(EU, "Cost and use")
    today = next(row.usd_per_month for row in SHOWN.evaluation.audit.workloads if row.key == EU)
    plan = SHOWN.usd[EU]
    assert today is not None and plan is not None
    assert money["$ per month today"].figure == f"${today:,.0f}"
    assert money[f"$ per month in {PLAN}"].figure == f"${plan:,.0f}"
    assert money["Change"].figure == numbers.dollar_change(
        round(plan) - round(today)
    )  # of the two as written
    assert "GPU-h per month" in money


def test_of_the_past_there_is_no_plan() -> None:
    shown = next_view_state(None, evaluation_of(PROJECT, TODAY))
    assert not any(TODAY in text or "Change" in text for text in lines(EU, "Cost and use", shown))


def test_the_class_says_its_reasons_and_the_runner_up() -> None:
    found = card(EU).classification
    said = lines(EU, "Class")
    assert all(f"\u2022 {reason}" in said for reason in found.reasons)
    assert said[next(iter(said))].figure == "98%"


def test_parts_share_what_the_whole_costs_today() -> None:
    plan = replace(PROJECT.scenario(PLAN), splits={EU: ShareSplit(250)})
    project = replace(PROJECT, scenarios=(plan, *PROJECT.scenarios[1:]))
    shown = next_view_state(None, evaluation_of(project, PLAN))
    facts = CardFacts(splits=plan.splits)
    whole = next(row.usd_per_month for row in shown.evaluation.audit.workloads if row.key == EU)
    parts = [
        lines(f"{EU}#{number}", "Cost and use", shown, facts)["$ per month today"].figure for number in (1, 2)
    ]
    amounts = [int(text.replace("$", "").replace(",", "")) for text in parts]
    assert whole is not None and abs(sum(amounts) - whole) <= 1
    assert amounts[0] > 2.9 * amounts[1]
    assert "Jobs" in lines(f"{EU}#1", "Jobs of the whole workload", shown, facts)


def test_several_cards_are_added_up() -> None:
    both = (card(EU), card(key_of("vllm-chat-prod")))
    details = details_of(both, SHOWN, CardFacts())
    assert details is not None and details.note_key == ""
    total = sum(SHOWN.usd[one.key] or 0 for one in both)
    assert details.sections[0].lines[0].figure == f"${total:,.0f}"
    assert details_of((), SHOWN, CardFacts()) is None


def test_inference_is_never_on_spot_and_burst_may_be() -> None:
    workload = workload_named(EU, PROJECT.workloads)
    assert workload is not None
    assert spot_words(workload, Pool.INFERENCE, SHOWN).text == "Not on spot: it answers requests"
    assert spot_words(workload, Pool.BURST, SHOWN).text == "Not on spot: it answers requests"
    swept = workload_named(key_of("sweep-lr-grid"), PROJECT.workloads)
    assert swept is not None
    assert spot_words(replace(swept, max_nodes=1, longest_job_s=3600), Pool.BURST, SHOWN).figure == "3.1%"
    assert spot_words(replace(swept, max_nodes=100), Pool.BURST, SHOWN).role == "amber"


def test_warnings_of_many_say_of_how_many_they_are() -> None:
    keys = (EU, key_of("vllm-chat-prod"))
    said = [line.text for line in rule_warnings(keys, Pool.INFERENCE, SHOWN)]
    assert "2 of 2: Not on spot: it answers requests" in said
    alone = [line.text for line in rule_warnings(keys[:1], Pool.INFERENCE, SHOWN)]
    assert "Not on spot: it answers requests" in alone


def test_a_hover_says_the_change_of_utilization() -> None:
    advice = SHOWN.advice
    assert isinstance(advice, Advice)
    after = replace(advice, totals=replace(advice.totals, effective_utilization_plan=0.75))
    before = replace(advice, totals=replace(advice.totals, effective_utilization_plan=0.732))
    assert utilization_words(hover_change(before, after)) == "Utilization 75.0%, +1.8 pt"
    assert utilization_words(hover_change(after, before)) == "Utilization 73.2%, \u22121.8 pt"
    assert utilization_words(HoverChange(None, {})) == ""


def test_the_note_under_the_slot_says_all_and_hides_when_there_is_nothing(qtbot) -> None:  # type: ignore[no-untyped-def]
    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QWidget

    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(220, 500)
    note = HoverNote(LIGHT, parent)
    warnings = (Line("Does not fit: " + "a long reason " * 20, icon="octagon", role="red"),)
    note.show_change(HoverChange(1.0, {}, (0.5, 0.6), warnings), QPoint(4, 60), 200)
    assert note.text.startswith("Utilization 60.0%, +10.0 pt\nDoes not fit:")
    assert note.text.endswith(" \u2026")
    note.grab()
    note.show_change(HoverChange(1.0, {}), QPoint(4, 60), 200)
    assert note.isHidden()
