"""The strip of next decisions: what it says, and what it asks for."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.translation import sentence
from gpuplanner.domain.commitment.decision_waits import ChangedWait, DecisionWaits, PoolWait
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.decisions.strip import DecisionStrip

PLACED = Order(
    pool=Pool.BURST,
    gpu_model="H100",
    offer_id="m12",
    term_months=12,
    gpus=8.0,
    start_s=0,
    end_s=DAY_S,
    order_by_s=0,
    reason="now",
)
END = NextDecision(
    decision_id="contract:PO-1",
    number=1,
    kind="end",
    subject="PO-1 (32 H100)",
    provider="Vela",
    by_s=86_399,
    year_without=500.0,
    year_with=100.0,
    committed_usd=0.0,
    contract_id="PO-1",
)
ORDER = NextDecision(
    decision_id="order:x",
    number=2,
    kind="order",
    subject="8 H100 for 12 months",
    by_s=None,
    year_without=100.0,
    year_with=130.0,
    row=(Pool.BURST, "H100", 12),
    placed=(PLACED,),
    committed_usd=5_000.0,
)
SAVING = NextDecision(
    decision_id="saving:right_size",
    number=3,
    kind="saving",
    subject="right-sizing",
    by_s=None,
    year_without=90.0,
    year_with=60.0,
    is_in_plan=False,
)
UNKNOWN = NextDecision(
    decision_id="contract:PO-2",
    kind="renew",
    subject="PO-2 (8 H100)",
    unknown="a rate is missing",
    contract_id="PO-2",
)
OF_A_RUN = Order(
    pool=Pool.BURST,
    gpu_model="H100",
    offer_id="m12",
    term_months=12,
    gpus=8.0,
    start_s=0,
    end_s=DAY_S,
    order_by_s=0,
    reason="planned_run",
    run="big",
)


@pytest.fixture
def strip(qtbot: QtBot) -> Iterator[DecisionStrip]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    made = DecisionStrip()
    made.setParent(window)
    made.resize(1280, 110)
    window.show()
    made.show()
    yield made
    window.close()


def waits_of(after_h: float) -> DecisionWaits:
    """Training waits so long with a decision of 1 July 2027, and 4.8 h without it."""
    pool = ChangedWait(
        without=PoolWait(pool=Pool.TRAINING, p90_h=4.8),
        after=PoolWait(pool=Pool.TRAINING, p90_h=after_h, low_h=29.0, high_h=after_h),
    )
    return DecisionWaits(begins_s=1_814_400_000, month=7, pools=(pool,))


def test_a_card_says_in_amber_that_jobs_wait_longer_beside_what_it_commits(strip: DecisionStrip) -> None:
    """5 h in place of 4.8 h is no warning."""
    waits = waits_of(64.0)
    longer, same = replace(END, waits=waits), replace(ORDER, waits=waits_of(5.0))
    strip.show_decisions((longer, replace(longer, committed_usd=5_000.0), same, END), 4, 0, is_settling=False)
    lone, both, other, plain = (card.commits for card in strip.views[:4])
    said = sentence(waits.text)
    assert (lone.whole, lone.property("role"), lone.isVisible()) == (said, "amber", True)
    assert (both.whole, both.property("role")) == (f"Commits $5,000 \u00b7 {said}", "amber")
    assert (other.whole, other.property("role")) == ("Commits $5,000 now", "muted")
    assert not plain.isVisible()
    assert strip.views[0].accessibleName().endswith(f". {said}")


def test_decisions_say_what_to_do_with_whom_by_when_and_what_it_saves_and_commits(
    strip: DecisionStrip,
) -> None:
    strip.show_decisions((END, ORDER, SAVING), 5, 0, is_settling=False)
    cards = strip.views[:3]
    assert [card.head.whole for card in cards] == ["D1 \u00b7 Vela", "D2", "D3"]
    assert [card.title.text() for card in cards] == [
        "End PO-1 (32 H100)",
        "Order 8 H100 for 12 months",
        "Accept right-sizing",
    ]
    assert [card.saves.whole for card in cards] == [
        "Saves $400 in 12 months",
        "Costs $30 in 12 months",
        "Saves $30 in 12 months",
    ]
    assert [card.commits.whole for card in cards] == ["", "Commits $5,000 now", ""]
    assert [card.day.text() for card in cards if card.day.isVisible()] == ["today"]
    assert [card.saves.property("role") for card in cards] == ["green", "muted", "green"]
    assert [card.button.text() for card in cards] == ["Mark as done", "Mark as done", "Plan it"]
    assert strip.all.text() == "All 5" and strip.all.isVisible()


@pytest.mark.parametrize(("width", "count"), [(900, 3), (1159, 3), (1160, 4), (1900, 4)])
def test_a_wide_window_shows_four_decisions_and_a_narrow_one_three(
    strip: DecisionStrip, width: int, count: int
) -> None:
    strip.show_decisions((END, ORDER, SAVING, UNKNOWN), 4, 0, is_settling=False)
    strip.resize(width, strip.height())
    assert sum(card.isVisible() for card in strip.views) == count
    assert strip.all.isVisible() is (count < 4)


@pytest.mark.parametrize(("height", "is_low"), [(499, True), (500, False)])
def test_a_low_window_shows_the_day_and_the_act_alone(
    strip: DecisionStrip, height: int, is_low: bool
) -> None:
    strip.window().resize(1280, height)
    strip.show_decisions((END,), 1, 0, is_settling=False)
    card = strip.views[0]
    assert card.day.isVisible() and card.title.isVisible() and card.more.isVisible()
    assert card.saves.isVisible() is card.button.isVisible() is not is_low
    assert strip.height() == (50 if is_low else 110)


def test_its_first_button_asks_for_the_first_action(strip: DecisionStrip, qtbot: QtBot) -> None:
    strip.show_decisions((SAVING,), 1, 0, is_settling=False)
    with qtbot.waitSignal(strip.asked) as asked:
        strip.views[0].button.click()
    assert asked.args == ["take", SAVING]
    assert not strip.views[1].isVisible() and not strip.all.isVisible()


def test_it_says_why_an_amount_is_unknown(strip: DecisionStrip) -> None:
    strip.show_decisions((UNKNOWN,), 1, 0, is_settling=False)
    assert strip.views[0].saves.whole == "A rate is missing"


def test_what_is_settling_cannot_be_pressed_and_nothing_is_said(strip: DecisionStrip) -> None:
    strip.show_decisions((END,), 1, 0, is_settling=True)
    assert not strip.views[0].isEnabled()
    strip.show_decisions((), 0, 0, is_settling=True)
    assert strip.nothing.text() == "Calculating…" and strip.nothing.isVisible()
    strip.show_decisions((), 0, 0, is_settling=False)
    assert strip.nothing.text() == "No open decisions."


@pytest.mark.parametrize(
    ("days", "words", "role"),
    [
        (-1, "overdue", "red"),
        (0, "today", "red"),
        (1, "in 1 day", "red"),
        (14, "in 14 days", "red"),
        (15, "by 31 Jan", "amber"),
        (30, "by 31 Jan", "amber"),
        (31, "by 31 Jan", "muted"),
        (365, "by 31 Jan 1970", "muted"),
    ],
)
def test_a_day_is_as_urgent_as_it_is_near(strip: DecisionStrip, days: int, words: str, role: str) -> None:
    strip.show_decisions((replace(END, by_s=30 * DAY_S),), 1, (30 - days) * DAY_S, is_settling=False)
    (day, *_) = (view.day for view in strip.views)
    assert (day.text(), day.property("role")) == (words, role)


def test_a_title_takes_a_second_line_before_it_leaves_the_days_out(strip: DecisionStrip) -> None:
    long = replace(
        END,
        kind="replace",
        subject="borealis-reserved (12 H100) with 12 GPUs for 12 months from 13 Feb 2027",
        subject_shortly="borealis-reserved (12 H100) with 12 GPUs",
    )
    strip.show_decisions((long,), 1, 0, is_settling=False)
    title = strip.views[0].title
    whole_px = title.fontMetrics().horizontalAdvance(title.whole)
    title.resize(round(0.7 * whole_px), title.height())
    assert title.text() == title.whole
    title.resize(round(0.4 * whole_px), title.height())
    assert title.text() == f"Replace {long.subject_shortly}"
    assert strip.views[0].toolTip().startswith(f"Replace {long.subject}")


@pytest.mark.parametrize(
    ("short_by", "words"), [(0, "Saves $400 in 12 months"), (1, "Saves $400"), (500, "$400")]
)
def test_an_amount_is_never_cut(strip: DecisionStrip, short_by: int, words: str) -> None:
    strip.show_decisions((END,), 1, 0, is_settling=False)
    saves = strip.views[0].saves
    metrics = saves.fontMetrics()
    room = max(metrics.horizontalAdvance(saves.whole) - short_by, metrics.horizontalAdvance("$400") + 1)
    saves.resize(room, saves.height())
    assert saves.text() == words
