"""Written dollars of a waterfall add up, and what is unknown is a dash."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.ui.state.waterfall_steps import Amount, steps_of
from gpuplanner.ui.words.numbers import MINUS, UNKNOWN


def _number(text: str) -> int:
    return int(text.replace(",", "").replace(MINUS, "-").replace("+", "").replace("\u00b1", ""))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5), st.floats(0, 1e7))
def test_written_changes_add_up_from_the_start_to_the_result(changes: list[float], start: float) -> None:
    amounts = [
        Amount(name="Start", note="", usd=start, kind="start"),
        *(Amount(name="Change", note="", usd=change, kind="step") for change in changes),
        Amount(name="Result", note="", usd=start + sum(changes), kind="result"),
    ]
    written = [_number(step.label) for step in steps_of(amounts)]
    assert sum(written[:-1]) == written[-1]


def test_two_bridges_in_a_row_add_up_each() -> None:
    amounts = (
        Amount(name="Paid", note="", usd=100.4, kind="start"),
        Amount(name="Allocated", note="", usd=-30.3, kind="step"),
        Amount(name="Idle", note="", usd=-20.3, kind="step"),
        Amount(name="Metered", note="", usd=49.8, kind="result"),
        Amount(name="Scaled", note="", usd=10.6, kind="scaled"),
        Amount(name="Audit", note="", usd=60.4, kind="result"),
    )
    labels = [step.label for step in steps_of(amounts)]
    assert labels == ["100", f"{MINUS}30", f"{MINUS}20", "50", "+10", "60"]


def test_unknown_is_a_dash_and_its_tip_says_so() -> None:
    steps = steps_of(
        (
            Amount(name="Paid", note="", usd=None, kind="start", tip="Enter its rate."),
            Amount(name="Idle", note="", usd=-5.0, kind="step"),
        )
    )
    assert [step.label for step in steps] == [UNKNOWN, f"{MINUS}5"]
    assert steps[0].tip.startswith("Paid: unknown. ") and steps[0].tip.endswith(". Enter its rate.")
    assert [left.amount for left, _ in pairwise(steps)] == [None]


def test_tips_have_cents() -> None:
    (step,) = steps_of(
        (
            Amount(
                name="Scaled to", note="all hours", usd=255_253.456, kind="scaled", tip="Audit less metered."
            ),
        )
    )
    called, note = step.tip.split("\n")
    assert called.startswith("Scaled to ") and ": +$255,253.46 " in called and note == "Audit less metered."
