"""What contracts are owed, quarters of a fiscal year, what falls due in them, and the bars of savings, by hand."""

from decimal import Decimal

import pytest

from gpuplanner.domain.commitment.payments import cash_rows, owed_in_all, owed_rows, quarters
from gpuplanner.domain.commitment.savings import savings_story, separation_rows
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S, instant_s
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, offer
from tests.domain.track.conftest import MONTH, planned

ENDS_S = START_S + MONTH * 3600  # 31 January 2026, 10:00: the plan begins
FOUR = Load(pool=Pool.TRAINING, gpus=[4.0] * MONTH)
BY_USE = offer("od", 0, 5.0)


def test_commitments_are_owed_to_their_end_or_to_that_of_their_notice() -> None:
    """8 GPUs at $2 for six months of 730 h, and 4 at $3 that are left with 30 days of notice."""
    held = [contract("k1", 8, 2.0, 6, MONTH), contract("k2", 4, 3.0, None, MONTH, notice_days=30)]
    later = contract("k3", 1, 1.0, 3, MONTH, start_s=ENDS_S + MONTH_S)
    project = case([FOUR], [*held, later]).project
    rows = owed_rows(project, project.scenarios[0])
    assert [(row.key, row.figures["owed"]) for row in rows] == [("k1", 8 * 2 * 4380), ("k2", 4 * 3 * 720)]
    assert [(row.from_s, row.to_s) for row in rows] == [
        (ENDS_S, ENDS_S + 6 * MONTH_S), (ENDS_S, ENDS_S + 30 * 86_400),
    ]  # fmt: skip
    (row,) = owed_rows(project, project.scenarios[0], is_later=True)
    assert (row.key, row.figures["owed"]) == ("k3", 1 * 1 * 2 * 730)
    assert owed_in_all(project, project.scenarios[0]).total == 70_080 + 8_640
    nothing = case([FOUR]).project
    assert owed_in_all(nothing, nothing.scenarios[0]).total is None


@pytest.mark.parametrize(
    ("starts", "named"),
    [
        (1, [("2026 Q1", "2026-04-01"), ("2026 Q2", "2026-07-01"), ("2026 Q3", "2026-08-15")]),
        (2, [("2027 Q1", "2026-05-01"), ("2027 Q2", "2026-08-01"), ("2027 Q3", "2026-08-15")]),
        (4, [("2026 Q4", "2026-04-01"), ("2027 Q1", "2026-07-01"), ("2027 Q2", "2026-08-15")]),
        (9, [("2026 Q2", "2026-03-01"), ("2026 Q3", "2026-06-01"), ("2026 Q4", "2026-08-15")]),
    ],
)
def test_a_fiscal_year_is_named_by_the_year_in_which_it_ends(
    starts: int, named: list[tuple[str, str]]
) -> None:
    """From 15 February to 15 August 2026."""
    from_s, to_s = instant_s("2026-02-15"), instant_s("2026-08-15")
    rows = list(quarters(from_s, to_s, starts))
    assert [(name, end_s) for name, _, end_s in rows] == [(name, instant_s(day)) for name, day in named]
    assert [begin_s for _, begin_s, _ in rows] == [from_s, *(end_s for *_, end_s in rows[:-1])]


FIRST_HOURS = 14 + (28 + 31) * 24  # from 31 January, 10:00, to 1 April


def test_a_quarter_pays_contracts_and_use_by_the_hour() -> None:
    """Two GPUs of a contract at $2 and two by use at $5; after six months four by use."""
    plan = planned([FOUR], [contract("k1", 2, 2.0, 6, MONTH)], [BY_USE])
    rows = cash_rows(plan.project, plan.project.scenarios[0], plan.advice)
    assert [row.name for row in rows] == [f"2026 Q{number}" for number in (1, 2, 3, 4)] + ["2027 Q1"]
    assert rows[0].figures["by_hour"] == pytest.approx(FIRST_HOURS * (2 * 2 + 2 * 5))
    assert rows[1].figures["by_hour"] == pytest.approx(91 * 24 * (2 * 2 + 2 * 5))
    assert rows[4].figures["by_hour"] == pytest.approx((8760 - FIRST_HOURS - 275 * 24) * 4 * 5)
    whole = 4380 * (2 * 2 + 2 * 5) + 4380 * 4 * 5
    assert sum(row.figures["cash"] for row in rows) == pytest.approx(whole)
    assert {row.figures["at_once"] for row in rows} == {0.0}
    assert cash_rows(plan.project, plan.project.scenarios[0], None) == ()


def test_what_is_paid_upfront_falls_due_when_it_is_ordered() -> None:
    """$8,760 of each of four GPUs in the first quarter; by the hour only the rate of $1 is left."""
    plan = planned([FOUR], [], [BY_USE, offer("y1", 12, 1.0, upfront_usd=Decimal(8760))])
    rows = cash_rows(plan.project, plan.project.scenarios[0], plan.advice)
    assert [row.figures["at_once"] for row in rows] == [4 * 8760, 0, 0, 0, 0]
    assert rows[0].figures["by_hour"] == pytest.approx(FIRST_HOURS * 4 * 1)
    assert rows[0].figures["cash"] == pytest.approx(4 * 8760 + FIRST_HOURS * 4)


def test_savings_are_those_against_doing_nothing_while_their_steps_are_worked_out() -> None:
    """Four GPUs at $2 instead of $5: $8,760 a month, which is the one known bar and the longest."""
    plan = planned([FOUR], [], [BY_USE, offer("y1", 12, 2.0)])
    assert plan.advice is not None
    story = savings_story(plan.advice, None, audit(), has_today=False)
    known = {row.key: row.saved_per_month for row in (*story.steps, story.total) if row.is_total}
    assert known["savings_vs_do_nothing"] == 730 * 4 * 3
    assert {row.exact for row in story.steps if not row.is_total} == {None}
    (bar,) = {row.bar for row in story.steps if row.is_total}
    assert len(bar) == 32 and len(set(bar)) == 1


def test_separation_is_counted_in_hours_and_dollars() -> None:
    """No contract says how many GPUs there are: hours are unknown, and so are $ without an outlook."""
    unknown = {row.key: row for row in separation_rows(None, audit())}
    assert unknown["contention"].hours is None is unknown["cost"].separation_per_month
    assert [key for key, row in unknown.items() if row.is_of_hours] == ["contention", "interference"]
