"""The four steps of a quarter: their states, figures and next actions, by hand.

100 h of 8 H100 at $2: training uses 8 for 10 h, inference 2 for 100 h, a sweep 1 for 20 h outside training. In the 90
hours without training 180 + 20 of 720 GPU-h are used.
"""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from gpuplanner.cli.tables import report_text
from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.quarter import flat_rates, quarter
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.model.places import NO_PLACES
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.reports.mix import QUARTER
from tests.domain.audit.conftest import GPU_HOUR
from tests.domain.serving.test_regions import PLACES

CLASSES = (Pool.TRAINING, Pool.INFERENCE, Pool.BURST)


@pytest.fixture
def steps(world):
    """The steps of the cluster with other contracts, offers or places."""

    def of(contracts=None, offers=(), places=NO_PLACES, training=8):
        rows = [
            *((0, 0, hour, (training - 2) * GPU_HOUR) for hour in range(10)),
            *((1, 0, hour, 2 * GPU_HOUR) for hour in range(100)),
            *((2, 0, hour, GPU_HOUR) for hour in range(20, 40)),
        ]
        names = [world.workload(name) for name in ("sft", "chat", "sweep")]
        held = [world.contract("k", 8, "2")] if contracts is None else contracts
        project = replace(world.project(100, names, rows, held, offers), places=places)
        answer = audit(project, world.classified(*CLASSES))
        return SimpleNamespace(
            past=past_of(project, answer), rows=quarter(project, answer), project=project, audit=answer
        )

    return of


def test_utilization_without_training_and_what_it_strands(steps):
    first = steps().rows[0]
    assert (first.state, first.missing) == ("done", ())
    assert first.figure == pytest.approx(200 / 720)
    assert first.usd_per_month == pytest.approx(8 * 730 * 2 * 520 / 720)
    assert str(first.next_action) == "Separate training, inference and burst on atlas."


def test_a_step_without_its_files_says_which(steps):
    one, two, three, four = steps(contracts=[]).rows
    assert [row.state for row in (one, two, three, four)] == ["needs_file"] * 4
    assert [row.missing for row in (one, two, three, four)] == [
        ("contracts",),
        ("users", "sites"),
        ("contracts",),
        ("prices",),
    ]
    assert str(two.next_action) == "Import users by city, sites."
    assert (one.figure, one.usd_per_month) == (None, None)


def test_a_contract_without_a_rate_asks_for_it(steps, world):
    one, _, three, _ = steps([world.contract("k", 8, None)]).rows
    assert (one.state, one.figure, one.usd_per_month) == ("needs_answer", None, None)
    # 280 of 800 GPU-h are used: it is under 40%, at an unknown rate
    assert (three.state, three.figure, three.usd_per_month) == ("needs_answer", 1, None)
    assert "rates" in str(three.next_action)


def test_a_contract_under_40_percent_is_counted_with_its_idle_cost_and_with_burst_on_it(steps):
    three = steps().rows[2]
    assert (three.state, three.figure) == ("done", 1)
    assert three.usd_per_month == pytest.approx((520 + 20) * 7.3 * 2)  # idle of 800 GPU-h, and the sweep's


def test_latency_is_the_mean_of_the_way_to_80_percent_of_users(steps):
    two = steps(places=PLACES).rows[1]
    assert two.state == "done"
    assert two.usd_per_month is None
    nowhere = replace(PLACES, sites=tuple(replace(site, is_current=False) for site in PLACES.sites))
    assert steps(places=nowhere).rows[1].state == "needs_answer"


def test_flat_rates_are_by_use_or_by_the_month_and_say_what_a_provider_lacks(steps, world):
    def offer(name, rate, provider, **more):
        return world.offer(name, rate, provider=provider, **more)

    monthly = {"pricing_category": "COMMITTED", "term_months": 1}
    yearly = {"pricing_category": "COMMITTED", "term_months": 12}
    of = steps(
        offers=(
            offer("a-od", "4", "Ada"),
            offer("a-1m", "3", "Ada", **monthly),
            offer("a-12m", "1", "Ada", **yearly),
            offer("b-od", "5", "Bo", gpu_model="A100"),
            offer("c-12m", "1", "Cy", **yearly),
            offer("d-spot", "1", "Di", pricing_category="DYNAMIC"),
        )
    )
    rows = {row.provider: row for row in flat_rates(of.past)}
    assert rows["Ada"].served == 1.0
    assert rows["Ada"].usd_per_month == pytest.approx(280 * 7.3 * 3)
    assert rows["Ada"].lacks == ()
    for name in ("Bo", "Cy", "Di"):
        assert (rows[name].served, rows[name].usd_per_month, rows[name].lacks) == (0.0, 0.0, ("H100",))
    four = of.rows[3]
    assert (four.state, four.figure) == ("done", 1.0)
    assert four.usd_per_month == pytest.approx(280 * 7.3 * 3)


def test_offers_without_a_flat_rate_ask_for_one(steps, world):
    yearly = {"pricing_category": "COMMITTED", "term_months": 12, "provider": "Cy"}
    four = steps(offers=(world.offer("c", "1", **yearly),)).rows[3]
    assert (four.state, four.figure, four.usd_per_month) == ("needs_answer", None, None)


def test_steps_without_any_dollars_are_listed_in_a_terminal(steps):
    """Each has its next action; latency has no dollars, the others an unknown amount."""
    of = steps(contracts=[])
    text = report_text(QUARTER, SimpleNamespace(project=of.project, audit=of.audit))
    assert text.count("needs a file") == 4
    assert text.count("\u2014") == 3
    assert all(str(row.next_action) for row in of.rows)


def test_the_same_work_of_today_stands_beside_the_flat_rate_or_is_unknown(steps, world):
    offers = (world.offer("o", "4", provider="Ada"),)
    # $2 for 8 GPUs all month, of which none overflowed
    four = steps(offers=offers).rows[3]
    assert str(four.next_action) == "Same work today: $11,680 per month. Ask for a quote."
    assert str(four.amount) == "Price of Ada"
    unpriced = steps([world.contract("k", 8, None)], offers).rows[3]
    assert unpriced.state == "done"
    assert str(unpriced.next_action) == "Same work today: unknown. Ask for a quote."


def test_a_provider_of_a_part_of_the_work_is_held_against_todays_cost_of_that_part(steps, world):
    """Two of the three workloads on H100, the third on A100: it sells no A100."""
    rows = [
        *((0, 0, hour, 6 * GPU_HOUR) for hour in range(10)),
        *((1, 0, hour, 2 * GPU_HOUR) for hour in range(100)),
        *((2, 1, hour, 4 * GPU_HOUR) for hour in range(100)),
    ]
    names = [world.workload(name) for name in ("sft", "chat", "sweep")]
    held = [world.contract("h", 8, "2"), replace(world.contract("a", 8, "1"), gpu_model="A100")]
    offers = (world.offer("o", "4", provider="Ada"),)
    project = world.project(100, names, rows, held, offers)
    (ada,) = flat_rates(past_of(project, audit(project, world.classified(*CLASSES))))
    assert (ada.served, ada.lacks) == (pytest.approx(260 / 660), ("A100",))
    assert ada.usd_per_month == pytest.approx(260 * 7.3 * 4)
    assert ada.same_work_now == pytest.approx(8 * 730 * 2)  # without the $5,840 of the A100s


def test_a_step_whose_limit_is_broken_is_over_for_people_alone(steps):
    near = steps(places=PLACES).rows[1]
    assert near.shown_state == near.state == "done"
    over = near._replace(answer=near.answer._replace(is_over=True))
    assert (over.shown_state, over.state) == ("over", "done")
    missing = steps().rows[1]
    assert missing._replace(answer=missing.answer._replace(is_over=True)).shown_state == "needs_file"


def test_every_next_action_has_a_place(steps, world):
    ready = steps(offers=(world.offer("o", "4", provider="Ada"),), places=PLACES).rows
    assert [row.answer.place for row in ready] == ["plan", "placement", "contracts", "prices"]
    assert {row.answer.place for row in steps(contracts=[]).rows} == {"files"}
    of = steps()
    asked = replace(of.audit, unknown_contracts=frozenset({"k"}))
    assert quarter(of.project, asked)[2].answer.place == "names"
    assert steps([world.contract("k", 8, None)]).rows[2].answer.place == "contracts"


def test_contracts_that_are_asked_about_are_named(steps):
    of = steps()
    asked = replace(of.audit, unknown_contracts=frozenset({"k"}))
    three = quarter(of.project, asked)[2]
    assert (three.state, three.figure, three.usd_per_month) == ("needs_answer", None, None)
    assert str(three.next_action) == "Match cluster or GPU model of k with the log."
