"""Where savings come from in rows: whole dollars that add up, bars, and what separate pools cost, by hand."""

from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.commitment import savings
from gpuplanner.domain.commitment.outlook_result import Outlook, SavingsStep, Separation
from gpuplanner.domain.commitment.savings import FULL, NOT_WORKED_OUT, THIN, savings_story, separation_rows
from gpuplanner.domain.commitment.words.savings import STEP_MEANINGS
from gpuplanner.domain.message import worded


def steps(**saved: float | None) -> tuple[SavingsStep, ...]:
    return tuple(
        SavingsStep(
            step=name,
            cost_before=100.0,
            cost_after=None if usd is None else 100.0 - usd,
            saved_per_month=usd,
            unknown="" if usd is not None else worded("why"),
        )
        for name, usd in saved.items()
    )


def advice(nothing: float | None, today: float | None) -> Any:
    return SimpleNamespace(pools=(), totals=SimpleNamespace(savings_vs_do_nothing=nothing, savings=today))


def audit(**values: Any) -> Any:
    premium = SimpleNamespace(usd_per_month=30.0, rate_usd_per_month=20.0, idle_usd_per_month=10.0)
    base = {"contention": {}, "premium": premium, "contended_hours": 5, "interference_hours": 3}
    return SimpleNamespace(**(base | values))


ALL = steps(demand=-10.4, ending=4.4, terms=50.3, separation=-20.3, spot=10.3)


def test_steps_add_up_to_the_row_under_them() -> None:
    """50.3, -20.3 and 10.3 are 40.3: 50, -20 and 10. With -10.4 and 4.4 it is 34.3, of which -6 are left: -10 and 4."""
    story = savings_story(advice(40.3, 34.3), Outlook(savings_steps=ALL), audit(), True)
    rows = [(row.key, row.saved_per_month, row.exact, row.is_total) for row in story.steps]
    assert rows == [
        ("terms", 50, 50.3, False),
        ("separation", -20, -20.3, False),
        ("spot", 10, 10.3, False),
        ("savings_vs_do_nothing", 40, 40.3, True),
        ("demand", -10, -10.4, False),
        ("ending", 4, 4.4, False),
    ]
    assert (story.total.saved_per_month, story.total.exact) == (34, 34.3)
    assert [bool(row.note) for row in story.steps] == [False] * 4 + [True] * 2


def test_bars_begin_where_the_row_before_them_ends() -> None:
    """From -0 to 50 dollars over 32 signs: 50 are 32, -20 lead back to 30, 10 more to 40; totals stand on zero."""
    story = savings_story(advice(40.3, 34.3), Outlook(savings_steps=ALL), audit(), True)
    bars = [
        (len(row.bar) - len(row.bar.lstrip()), row.bar.count(FULL)) for row in (*story.steps, story.total)
    ]
    # a sign is 1.5625 dollars: 30 to 50 are signs 19 to 32, 30 to 40 19 to 26, 0 to 40 26, 30 to 40 again, 30 to 34
    assert bars == [(0, 32), (19, 13), (19, 7), (0, 26), (19, 7), (19, 3), (0, 22)]


def test_bars_of_little_and_of_nothing() -> None:
    assert savings.draw_bar(0, 10, 1.0) == FULL * 10
    assert savings.draw_bar(3, 4, 0.1) == THIN
    assert savings.draw_bar(3, 3, 0.1) == "" and savings.draw_bar(20, 20, 1.0) == " " * 20
    assert savings.draw_bar(99, 100, 0.32) == " " * 31 + FULL
    assert savings.draw_bar(100, 100, 0.32) == " " * 31 + FULL


def test_bars_below_zero_and_beside_what_is_unknown() -> None:
    """-20, then 10 more, so that zero is at the right end; behind what is unknown no step has a bar."""
    below = savings_story(
        advice(-10.0, -10.0),
        Outlook(savings_steps=steps(demand=0.0, ending=0.0, terms=-20.0, separation=10.0, spot=0.0)),
        audit(),
        True,
    )
    bars = [(len(row.bar) - len(row.bar.lstrip()), row.bar.count(FULL)) for row in below.steps[:2]]
    assert bars == [(0, 32), (0, 16)]
    assert below.total.bar == " " * 16 + FULL * 16
    partly = steps(demand=1.0, ending=2.0, terms=50.0, separation=None, spot=10.0)
    story = savings_story(advice(None, 3.0), Outlook(savings_steps=partly), audit(), True)
    assert [row.saved_per_month for row in story.steps] == [50, None, 10, None, 1, 2]
    assert [bool(row.bar) for row in story.steps] == [True] + [False] * 5
    assert "why" in str(story.steps[1].meaning) and story.total.bar


def test_a_story_while_it_is_worked_out() -> None:
    story = savings_story(advice(40.0, None), None, audit(), False)
    assert [row.meaning for row in story.steps if not row.is_total] == [NOT_WORKED_OUT] * 5
    assert [row.saved_per_month for row in story.steps] == [None, None, None, 40, None, None]
    assert story.offered == () and story.total.saved_per_month is None
    known = savings_story(advice(40.0, None), None, audit(), True)
    assert known.total.called != story.total.called


def test_cuts_that_are_accepted_are_steps_and_those_on_offer_are_not() -> None:
    cuts = (
        *ALL,
        SavingsStep(step="right_size", cost_before=1.0, cost_after=1.0, saved_per_month=5.4, unmeasured=2),
        SavingsStep(step="autoscale", cost_before=1.0, cost_after=None, saved_per_month=None, unknown="why"),
    )
    offered = steps(idle_ended=7.6)
    story = savings_story(
        advice(45.7, 40.0), Outlook(savings_steps=cuts, savings_offered=offered), audit(), True
    )
    keys = [row.key for row in story.steps]
    assert keys == [
        "terms",
        "separation",
        "spot",
        "right_size",
        "autoscale",
        "savings_vs_do_nothing",
        "demand",
        "ending",
    ]
    assert [row.saved_per_month for row in story.steps[:5]] == [50, -20, 10, 6, None]  # 45.7 is 46
    assert [(row.key, row.saved_per_month) for row in story.offered] == [("idle_ended", 8)]
    assert str(STEP_MEANINGS["right_size"]) in str(story.steps[3].meaning) and "2" in str(
        story.steps[3].meaning
    )
    assert story.steps[0].meaning == STEP_MEANINGS["terms"]


@pytest.mark.parametrize("has_clusters", [True, False])
def test_what_separate_pools_cost_and_avoid(has_clusters: bool) -> None:
    cluster = SimpleNamespace(shared_training=(1, 2))
    clusters = {"a": cluster, "b": cluster} if has_clusters else {}
    outlook = Outlook(separation=Separation(tuple([10.0] * 12), tuple([8.0] * 12)))
    rows = {row.key: row for row in separation_rows(outlook, audit(contention=clusters))}
    assert (rows["cost"].separation_per_month, rows["cost"].year_usd) == (2.0, 24.0)
    hours = (5, 3) if has_clusters else (None, None)
    assert (rows["contention"].hours, rows["interference"].hours) == hours
    assert [row.is_of_hours for row in rows.values()] == [False, True, True, False, False, False]
    usd = [rows[key].separation_per_month for key in ("premium", "rate_premium", "idle_premium")]
    assert usd == [30.0, 20.0, 10.0]
    assert ("4" in str(rows["interference"].source)) is has_clusters
    waiting = separation_rows(None, audit())[0]
    assert (waiting.separation_per_month, waiting.year_usd, waiting.unknown) == (None, None, NOT_WORKED_OUT)
    assert separation_rows(Outlook(), audit())[0].unknown != NOT_WORKED_OUT
